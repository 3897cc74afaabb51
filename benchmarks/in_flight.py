"""Requests a second against the limit on requests in flight: a table, and a plot as SVG."""

import argparse
import math
from pathlib import Path

from _clients import OURS, cache_folder, measure, two_cores
from _server import serving

_IN_FLIGHT = (1, 2, 4, 8, 16, 32, 64, 128, 256)
_SECONDS_A_POINT = 4.0
_MOST_REQUESTS = 5_000

_WIDTH, _HEIGHT, _MARGIN = 640, 400, 60


def main() -> None:
    options = _options()
    server_core, client_core = two_cores()
    measured: list[tuple[int, float]] = []
    with serving(server_core) as server:

        def steady(in_flight: int, count: int, delay: float) -> float:
            return measure(
                OURS,
                server,
                cache=options.cache,
                core=client_core,
                count=count,
                in_flight=in_flight,
                delay=delay,
            ).steady

        steady(8, 64, 0.0)  # not counted: it fills the caches of files
        print(f"{'in flight':>9}{'ideal/s':>9}{'steady/s':>9}")
        for in_flight in _IN_FLIGHT:
            ideal = in_flight / options.delay
            count = max(20, min(_MOST_REQUESTS, int(ideal * _SECONDS_A_POINT)))
            rate = steady(in_flight, count, options.delay)
            measured.append((in_flight, rate))
            bar = "█" * round(20 * math.log10(max(rate, 1)) / 2)
            print(f"{in_flight:>9}{ideal:>9.0f}{rate:>9.0f}  {bar}", flush=True)
    options.plot.write_text(plot(measured, options.delay))
    print(f"plot: {options.plot}")


def plot(measured: list[tuple[int, float]], delay: float) -> str:
    """Both axes logarithmic; the dashed line is in flight ÷ delay."""
    ideal = [(in_flight, in_flight / delay) for in_flight, _ in measured]
    low, high = measured[0][0], measured[-1][0]
    bottom = 10 ** math.floor(math.log10(min(rate for _, rate in measured + ideal)))
    top = 10 ** math.ceil(math.log10(max(rate for _, rate in measured + ideal)))

    def x(in_flight: float) -> float:
        return _MARGIN + (_WIDTH - 2 * _MARGIN) * math.log(in_flight / low) / math.log(high / low)

    def y(rate: float) -> float:
        share = math.log(rate / bottom) / math.log(top / bottom)
        return _HEIGHT - _MARGIN - (_HEIGHT - 2 * _MARGIN) * share

    def line(points: list[tuple[int, float]], style: str) -> str:
        path = " ".join(f"{x(in_flight):.1f},{y(rate):.1f}" for in_flight, rate in points)
        return f'<polyline points="{path}" fill="none" {style}/>'

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'font-family="sans-serif" font-size="12" fill="#333">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
    ]
    rate = bottom
    while rate <= top:
        parts.append(
            f'<path d="M{_MARGIN} {y(rate):.1f}H{_WIDTH - _MARGIN}" stroke="#ddd"/>'
            f'<text x="{_MARGIN - 8}" y="{y(rate) + 4:.1f}" text-anchor="end">{rate:g}</text>'
        )
        rate *= 10
    for in_flight, _ in measured:
        parts.append(
            f'<text x="{x(in_flight):.1f}" y="{_HEIGHT - _MARGIN + 18}" '
            f'text-anchor="middle">{in_flight}</text>'
        )
    parts.append(line(ideal, 'stroke="#999" stroke-dasharray="4 4"'))
    parts.append(line(measured, 'stroke="#0b6" stroke-width="2"'))
    parts += [
        f'<circle cx="{x(in_flight):.1f}" cy="{y(rate):.1f}" r="3" fill="#0b6"/>'
        for in_flight, rate in measured
    ]
    parts.append(
        f'<text x="{_WIDTH / 2}" y="{_HEIGHT - 16}" text-anchor="middle">requests in flight</text>'
        f'<text x="{_MARGIN}" y="{_MARGIN - 20}">requests a second, server {delay * 1000:g} ms '
        "(dashed: in flight ÷ delay)</text></svg>"
    )
    return "\n".join(parts) + "\n"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--delay", type=float, default=0.1, help="seconds that the server takes")
    parser.add_argument("--plot", type=Path, default=Path("in_flight.svg"))
    parser.add_argument("--cache", type=Path, default=cache_folder(), help="run folders")
    return parser.parse_args()


if __name__ == "__main__":
    main()
