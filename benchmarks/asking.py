"""Requests a second, side by side: bench-pipeline, the bare transport, lm-eval and inspect-ai.

All ask one server on loopback that answers after a fixed delay; each runs as a process of its
own, in turn, on the core that the server does not use. See README.md for what the columns mean.
"""

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from statistics import median

from _clients import (
    BARE,
    INSPECT,
    LM_EVAL,
    OURS,
    Client,
    Result,
    cache_folder,
    measure,
    two_cores,
)
from _server import serving

_MEMORY_COUNTS = (10_000, 30_000, 100_000)
_MEMORY_BAR_MB = 400


def main() -> None:
    options = _options()
    server_core, client_core = two_cores()
    if client_core is None:
        print("note: one core only, so that the server and the clients share it")
    with serving(server_core) as server:

        def run(client: Client, count: int, delay: float) -> Result:
            return measure(
                client,
                server,
                cache=options.cache,
                core=client_core,
                count=count,
                in_flight=options.in_flight,
                delay=delay,
            )

        if options.memory:
            _memory(run)
        else:
            _speed(run, options)


def _speed(run: Callable[[Client, int, float], Result], options: argparse.Namespace) -> None:
    clients = [OURS] if options.quick else [OURS, BARE, LM_EVAL, INSPECT]
    repeats = 1 if options.quick else options.repeats
    for client in clients:
        run(client, options.in_flight, 0.0)  # not counted: it fills the caches of files
    results: dict[Client, list[Result]] = {client: [] for client in clients}
    for repeat in range(repeats):
        for client in clients:
            result = run(client, options.count, options.delay)
            results[client].append(result)
            print(
                f"  {repeat + 1}/{repeats} {client.name}: {result.steady:.0f}/s, "
                f"{result.seconds:.1f} s (load {os.getloadavg()[0]:.1f})",
                flush=True,
            )
    medians = {client: _median(each) for client, each in results.items()}
    ideal = options.in_flight / options.delay
    print(
        f"\n{options.count} requests, {options.in_flight} in flight, "
        f"{options.delay * 1000:g} ms; medians of {repeats}\n"
    )
    print(_row("", "steady/s", "overall/s", "process s", "CPU ms/req", "asking ms/req", "peak MB"))
    print(_row("ideal", f"{ideal:.0f}", f"{ideal:.0f}", f"{options.count / ideal:.1f}", *[""] * 3))
    for client, result in medians.items():
        print(_client_row(client, result, options.count))
    if not options.quick:
        _print_ratios(medians)


def _client_row(client: Client, result: Result, count: int) -> str:
    asking = "" if result.asking_cpu is None else f"{result.asking_cpu / count * 1000:.2f}"
    return _row(
        client.name,
        f"{result.steady:.0f}",
        f"{result.overall:.0f}",
        f"{result.seconds:.1f}",
        f"{result.cpu / count * 1000:.2f}",
        asking,
        f"{result.peak_mb:.0f}",
    )


def _print_ratios(medians: dict[Client, Result]) -> None:
    ours, lm_eval, inspect = medians[OURS], medians[LM_EVAL], medians[INSPECT]
    print()
    for what, ratio, bar in (
        ("steady rate, ours / lm-eval", ours.steady / lm_eval.steady, 0.95),
        ("whole process, lm-eval / ours", lm_eval.seconds / ours.seconds, 1.0),
        ("steady rate, ours / inspect-ai", ours.steady / inspect.steady, 8.0),
        ("overall rate, ours / inspect-ai", ours.overall / inspect.overall, None),
        ("whole process, inspect-ai / ours", inspect.seconds / ours.seconds, None),
        ("steady rate, ours / bare", ours.steady / medians[BARE].steady, None),
    ):
        verdict = "" if bar is None else f"bar {bar:g}: {'met' if ratio >= bar else 'MISSED'}"
        print(f"{what:<33}{ratio:>7.2f}   {verdict}")


def _memory(run: Callable[[Client, int, float], Result]) -> None:
    print(_row("requests", "steady/s", "process s", "CPU ms/req", "peak MB"))
    peak = 0.0
    for count in _MEMORY_COUNTS:
        result = run(OURS, count, 0.0)
        peak = result.peak_mb
        print(
            _row(
                f"{count:,}",
                f"{result.steady:.0f}",
                f"{result.seconds:.1f}",
                f"{result.cpu / count * 1000:.2f}",
                f"{peak:.0f}",
            ),
            flush=True,
        )
    print(f"bar {_MEMORY_BAR_MB} MB: {'met' if peak < _MEMORY_BAR_MB else 'MISSED'}")


def _median(results: list[Result]) -> Result:
    asking = [result.asking_cpu for result in results if result.asking_cpu is not None]
    return Result(
        requests=results[0].requests,
        steady=median(result.steady for result in results),
        overall=median(result.overall for result in results),
        seconds=median(result.seconds for result in results),
        cpu=median(result.cpu for result in results),
        asking_cpu=median(asking) if asking else None,
        peak_mb=median(result.peak_mb for result in results),
    )


def _row(*cells: str) -> str:
    return f"{cells[0]:<20}" + "".join(f"{cell:>14}" for cell in cells[1:])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2_000, help="requests a run")
    parser.add_argument("--in-flight", type=int, default=64)
    parser.add_argument("--delay", type=float, default=0.1, help="seconds that the server takes")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="once, and bench-pipeline only")
    parser.add_argument("--memory", action="store_true", help="peak memory against requests")
    parser.add_argument("--cache", type=Path, default=cache_folder(), help="peers and run folders")
    return parser.parse_args()


if __name__ == "__main__":
    main()
