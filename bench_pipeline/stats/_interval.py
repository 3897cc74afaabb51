"""From a point, its standard error and degrees of freedom to a 95 % interval."""

import numpy as np

from bench_pipeline.stats._record import Bounds, FloatArray

LEVEL = 0.95


def welch_df(variances: FloatArray, stratum_df: FloatArray) -> FloatArray:
    """Degrees of freedom of a sum of stratum variances; both arguments are strata × figures.

    Welch (1947): (Σv)² / Σ(v² / (ν + 2)) − 2. Satterthwaite's form without the 2 is biased low
    where strata hold two or three units, since E[v²] = σ⁴(1 + 2/ν): it made intervals of 18
    units in 8 strata a third too long. Held inside [smallest ν, Σν] of the strata that vary.
    """
    varies = (variances > 0) & (stratum_df > 0)
    weight = np.where(varies, variances**2 / (np.maximum(stratum_df, 1.0) + 2.0), 0.0).sum(axis=0)
    total = np.where(varies, variances, 0.0).sum(axis=0)
    safe = np.where(weight > 0, weight, 1.0)
    raw = np.where(weight > 0, total**2 / safe - 2.0, 1.0)
    least = np.where(varies, stratum_df, np.inf).min(axis=0, initial=np.inf)
    most = np.where(varies, stratum_df, 0.0).sum(axis=0)
    least = np.where(np.isfinite(least), least, 1.0)
    return np.clip(raw, least, np.maximum(most, least))


def t_interval(
    point: FloatArray, error: FloatArray, df: FloatArray, bounds: Bounds | None
) -> tuple[FloatArray, FloatArray]:
    """Low and high of the 95 % interval, elementwise.

    Without `bounds`: point ± t·error. With bounds, for a mean of values inside them: Wilson's
    score interval with t for z, at the sample size that a yes/no sample of the same standard
    error would have (Korn and Graubard 1998 give this effective size; Franco et al. 2019 find
    the Wilson form best with it). It cannot leave the bounds, and near them it reaches inwards,
    where ± t·error from one success in thirty is absurdly short on the side that matters.
    """
    from scipy.special import stdtrit

    t = np.asarray(stdtrit(df, 0.5 + LEVEL / 2), dtype=np.float64)
    if bounds is None:
        return point - t * error, point + t * error
    floor, ceiling = bounds
    width = ceiling - floor
    share = np.clip((point - floor) / width, 0.0, 1.0)
    spread = share * (1.0 - share)
    # t²/n_effective; at a bound with some error left, fall back to the plain form, clipped.
    shrink = t**2 * (error / width) ** 2 / np.where(spread > 0, spread, 1.0)
    middle = (share + shrink / 2.0) / (1.0 + shrink)
    half = np.sqrt(shrink * spread + shrink**2 / 4.0) / (1.0 + shrink)
    inside = spread > 0
    low = np.where(inside, floor + width * (middle - half), point - t * error)
    high = np.where(inside, floor + width * (middle + half), point + t * error)
    return np.clip(low, floor, ceiling), np.clip(high, floor, ceiling)
