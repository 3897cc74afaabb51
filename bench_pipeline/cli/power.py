"""`bench power`: what a number of items can resolve."""

from typing import Any

from bench_pipeline.stats import minimum_detectable_difference, sample_size, wilson_interval


def power_of(
    n: int, baseline: float, paired: bool, correlation: float, difference: float | None
) -> dict[str, Any]:
    """Half-width of one accuracy and the smallest difference, in points; n for a wanted one."""
    one = wilson_interval(round(n * baseline), n)
    settings: dict[str, Any] = {"paired": paired, "correlation": correlation}
    smallest = minimum_detectable_difference(n, baseline, **settings)
    wanted = sample_size(difference, baseline, **settings) if difference else None
    return {
        "n": n,
        "baseline": baseline,
        "paired": paired,
        "correlation": correlation,
        "low": _points(one.low),
        "high": _points(one.high),
        "detectable": _points(smallest.value),
        "reason": smallest.reason or None,
        "method": smallest.method,
        "difference": _points(difference),
        "needed": None if wanted is None or wanted.value is None else round(wanted.value),
        "needed_reason": (wanted.reason or None) if wanted else None,
    }


def power_lines(found: dict[str, Any]) -> list[str]:
    """The same for a person."""
    design = "paired" if found["paired"] else "unpaired"
    lines = [
        f"n = {found['n']}, accuracy {100 * found['baseline']:g} %: "
        f"95 % interval {found['low']:.1f} to {found['high']:.1f}",
        f"smallest difference told apart, {design}: "
        + (f"{found['detectable']:.1f} points" if found["detectable"] else str(found["reason"])),
    ]
    if found["difference"] is not None:
        needed = found["needed"]
        answer = f"{needed:,} items each" if needed else str(found["needed_reason"])
        lines.append(f"to tell {found['difference']:g} points apart, {design}: {answer}")
    return [*lines, f"({found['method']})"]


def _points(share: float | None) -> float | None:
    return None if share is None else 100 * share
