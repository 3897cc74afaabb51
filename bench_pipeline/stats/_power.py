"""What a design can resolve, before anything is asked: two models' shares of right answers."""

import math

from bench_pipeline.stats._record import Estimate, undefined


def sample_size(
    difference: float,
    baseline: float,
    *,
    paired: bool = False,
    correlation: float = 0.0,
    power: float = 0.8,
    alpha: float = 0.05,
) -> Estimate:
    """Items each model needs so that `difference` from a share of `baseline` is found.

    n = (z₁₋α/₂ + z_power)² · Var / difference² (Fleiss, Levin and Paik 2003, section 4.2), where
    Var is the variance of one item's difference: p₁q₁ + p₂q₂, less 2R√(p₁q₁p₂q₂) where `paired`
    over the same items whose answers have `correlation` R. `difference` is signed; `value` and
    `n` are the number, rounded up. A design figure: `low` and `high` are None.

    Undefined where the other share falls outside [0, 1] or no two such shares have the
    correlation. Raises `ValueError` for arguments that are no shares, or pairs without pairing.
    """
    method = _checked(baseline, paired, correlation, power, alpha)
    other = baseline + difference
    if not math.isfinite(difference) or difference == 0:
        return undefined(method, f"no finite number of items finds a difference of {difference}")
    if not -1e-12 <= other <= 1 + 1e-12:
        return undefined(method, f"{baseline} with a difference of {difference} is no share")
    other = min(max(other, 0.0), 1.0)
    if not _possible(baseline, other, correlation):
        return undefined(method, _impossible(baseline, other, correlation))
    needed = (_z(power, alpha) / difference) ** 2 * _variance(baseline, other, correlation)
    n = max(1, math.ceil(needed - 1e-9))
    return Estimate(float(n), None, None, n, method)


def minimum_detectable_difference(
    n: int,
    baseline: float,
    *,
    paired: bool = False,
    correlation: float = 0.0,
    power: float = 0.8,
    alpha: float = 0.05,
) -> Estimate:
    """Smallest difference from a share of `baseline` that `n` items each find with `power`.

    The inverse of `sample_size`, in the direction of one half, where shares vary most: the
    figure holds for the other direction too. `value` is positive, in shares (0.17 is 17
    points). Undefined for no items, or where even the largest difference would be missed.
    """
    method = _checked(baseline, paired, correlation, power, alpha)
    if n <= 0:
        return undefined(method, "no items")
    from scipy.optimize import brentq

    sign = 1.0 if baseline <= 0.5 else -1.0
    largest = 1.0 - baseline if sign > 0 else baseline
    z = _z(power, alpha)

    def surplus(difference: float) -> float:
        other = baseline + sign * difference
        spread = max(0.0, _variance(baseline, other, correlation))
        return difference * math.sqrt(n) - z * math.sqrt(spread)

    least = 1e-9
    if surplus(least) >= 0:
        return undefined(method, "answers that vary and correlate so leave nothing to detect", n)
    if surplus(largest) < 0:
        return undefined(method, f"{n} items miss even a difference of {largest:g}", n)
    found = float(brentq(surplus, least, largest, xtol=1e-12))
    other = baseline + sign * found
    if not _possible(baseline, other, correlation):
        return undefined(method, _impossible(baseline, other, correlation), n)
    return Estimate(found, None, None, n, method)


def _checked(baseline: float, paired: bool, correlation: float, power: float, alpha: float) -> str:
    """The method's name, after the arguments have been found to be what they should."""
    if not 0.0 <= baseline <= 1.0:
        raise ValueError(f"baseline is {baseline}; accepted: a share, 0 to 1")
    if not (0.0 < power < 1.0 and 0.0 < alpha < 1.0):
        raise ValueError(f"power is {power}, alpha {alpha}; accepted: between 0 and 1")
    if not -1.0 <= correlation <= 1.0:
        raise ValueError(f"correlation is {correlation}; accepted: -1 to 1")
    if correlation and not paired:
        raise ValueError(f"correlation is {correlation} without pairing; accepted: paired=True")
    kind = f"paired, correlation {correlation:g}" if paired else "unpaired"
    return f"normal approximation, {kind}, power {power:g}, two-sided alpha {alpha:g}"


def _z(power: float, alpha: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(1.0 - alpha / 2.0) + ndtri(power))


def _variance(first: float, second: float, correlation: float) -> float:
    own, other = first * (1.0 - first), second * (1.0 - second)
    return own + other - 2.0 * correlation * math.sqrt(max(own * other, 0.0))


def _possible(first: float, second: float, correlation: float) -> bool:
    """Whether two yes/no answers with these shares can correlate so (Fréchet's bounds)."""
    both = first * second + correlation * math.sqrt(
        max(first * (1.0 - first) * second * (1.0 - second), 0.0)
    )
    return max(0.0, first + second - 1.0) - 1e-9 <= both <= min(first, second) + 1e-9


def _impossible(first: float, second: float, correlation: float) -> str:
    return f"shares of {first:.3f} and {second:.3f} cannot correlate at {correlation:g}"
