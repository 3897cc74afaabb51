"""Yes/no items: the share of one model, and two models on the same items."""

import math

import numpy as np
import numpy.typing as npt

from bench_pipeline.stats._interval import LEVEL
from bench_pipeline.stats._record import (
    Estimate,
    TestResult,
    as_floats,
    undefined,
    undefined_test,
)


def wilson_interval(successes: float, n: float) -> Estimate:
    """Share of yes among `n` independent yes/no items, with Wilson's 95 % interval (1927).

    Undefined for no items or a number that is not finite. Where several rows share an item the
    rows are not independent: use `stratified_ratio_means`. Raises `ValueError` for numbers that
    are not whole, or not 0 ≤ successes ≤ n.
    """
    method = "Wilson"
    if not (math.isfinite(successes) and math.isfinite(n)):
        return undefined(method, f"not a number of items: {successes} of {n}")
    if successes != int(successes) or n != int(n) or not 0 <= successes <= n:
        raise ValueError(f"{successes} of {n}; accepted: whole numbers, 0 ≤ successes ≤ n")
    if n == 0:
        return undefined(method, "no items")
    from scipy.stats import binomtest

    interval = binomtest(int(successes), int(n)).proportion_ci(LEVEL, method="wilson")
    return Estimate(successes / n, float(interval.low), float(interval.high), int(n), method)


def mcnemar_exact(values_a: npt.ArrayLike, values_b: npt.ArrayLike) -> TestResult:
    """Exact test of two models with one yes/no answer an item (McNemar 1947, binomial form).

    `values_a` and `values_b` hold 0 or 1 an item, in the same order; an item with NaN on either
    side is left out. The interval of the difference of shares is Bonett and Price's (2012),
    which stays honest where few items differ. Raises `ValueError` for any other value.
    """
    method = "exact McNemar; difference: Bonett–Price"
    a, b = as_floats(values_a, "values_a"), as_floats(values_b, "values_b")
    if len(a) != len(b):
        raise ValueError(f"{len(a)} and {len(b)} values; accepted: as many of both")
    kept = ~(np.isnan(a) | np.isnan(b))
    a, b = a[kept], b[kept]
    n = len(a)
    if np.isinf(a).any() or np.isinf(b).any():
        return undefined_test(method, "a value is infinite", n)
    if n == 0:
        return undefined_test(method, "no item has a value of both")
    if not (np.isin(a, (0.0, 1.0)).all() and np.isin(b, (0.0, 1.0)).all()):
        raise ValueError("an answer is neither 0 nor 1; accepted: one binary answer an item")
    from scipy.special import ndtri
    from scipy.stats import binomtest

    only_a, only_b = int((a > b).sum()), int((b > a).sum())
    differing = only_a + only_b
    p = float(binomtest(only_a, differing, 0.5).pvalue) if differing else 1.0
    share_a, share_b = (only_a + 1) / (n + 2), (only_b + 1) / (n + 2)
    variance = (share_a + share_b - (share_a - share_b) ** 2) / (n + 2)
    half = float(ndtri(0.5 + LEVEL / 2)) * math.sqrt(variance)
    middle = share_a - share_b
    reason = "" if differing else "the models differ on no item"
    return TestResult(
        (only_a - only_b) / n,
        max(-1.0, middle - half),
        min(1.0, middle + half),
        p,
        n,
        method,
        "ok",
        reason,
        0.0,
    )
