"""Agreement of two raters: Cohen's κ and Gwet's AC1."""

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from bench_pipeline.stats._interval import LEVEL
from bench_pipeline.stats._labels import Label, code_labels, missing
from bench_pipeline.stats._record import (
    ROUNDING,
    Estimate,
    IntArray,
    undefined,
)

Weights = Literal["linear", "quadratic"]


def cohen_kappa(
    rater_a: Sequence[Label],
    rater_b: Sequence[Label],
    *,
    weights: Weights | None = None,
    categories: Sequence[Label] | None = None,
) -> Estimate:
    """Cohen's κ of two raters (1960), or weighted κ of ordered labels (1968).

    One label an item; None and NaN are missing, and such items are left out; `n` counts the
    rest. `categories` gives all labels in their order; labels that are words need it with
    `weights`. Weights grow with the distance of positions in that order (numbers: in their
    sorted order), not of values. 95 % interval: the large-sample one of Fleiss, Cohen and
    Everitt (1969), as statsmodels has it, clipped to [-1, 1].

    Undefined only where there is no item, a label is infinite, or both raters gave one and the
    same label throughout: chance then explains everything and κ is 0/0.
    """
    method = "Cohen's κ" if weights is None else f"Cohen's κ, {weights} weights"
    a, b, labels, problem = _two_raters(rater_a, rater_b, categories, ordered=weights is not None)
    if problem:
        return undefined(method, problem, len(a))
    if len(set(a.tolist()) | set(b.tolist())) == 1:
        return undefined(method, "both raters gave one and the same label throughout", len(a))
    from statsmodels.stats.inter_rater import cohens_kappa

    table = np.zeros((labels, labels))
    np.add.at(table, (a, b), 1.0)
    with np.errstate(invalid="ignore", divide="ignore"):  # of its z test, which is not used here
        found = cohens_kappa(table, wt=weights)
    return _with_error(float(found.kappa), float(found.var_kappa), len(a), method, math.inf)


def gwet_ac1(
    rater_a: Sequence[Label],
    rater_b: Sequence[Label],
    *,
    categories: Sequence[Label] | None = None,
) -> Estimate:
    """Gwet's AC1 of two raters, which prevalence does not drag down as it does κ (Gwet 2008).

    Arguments as in `cohen_kappa`. `categories` counts in the formula even where unused, so give
    it. 95 % interval: t with n − 1 degrees of freedom on Gwet's linearised variance.
    Undefined without items or with a single category.
    """
    method = "Gwet's AC1"
    a, b, labels, problem = _two_raters(rater_a, rater_b, categories, ordered=False)
    n = len(a)
    if problem:
        return undefined(method, problem, n)
    if labels < 2:
        return undefined(method, "only one label was given, and no other category is named", n)
    share = np.bincount(np.concatenate([a, b]), minlength=labels) / (2.0 * n)
    chance = float((share * (1.0 - share)).sum() / (labels - 1))
    agree = (a == b).astype(np.float64)
    value = (float(agree.mean()) - chance) / (1.0 - chance)
    if n == 1:
        return _with_error(value, 0.0, n, method, math.inf)
    own_chance = ((1.0 - share)[a] + (1.0 - share)[b]) / (2.0 * (labels - 1))
    own = (agree - chance) / (1.0 - chance)
    own -= 2.0 * (1.0 - value) * (own_chance - chance) / (1.0 - chance)
    variance = float(((own - value) ** 2).sum() / (n * (n - 1)))
    return _with_error(value, variance, n, method, n - 1)


def _two_raters(
    rater_a: Sequence[Label],
    rater_b: Sequence[Label],
    categories: Sequence[Label] | None,
    *,
    ordered: bool,
) -> tuple[IntArray, IntArray, int, str]:
    """Label positions of the items both raters labelled, how many labels, and what is wrong."""
    if len(rater_a) != len(rater_b):
        raise ValueError(f"{len(rater_a)} and {len(rater_b)} labels; accepted: as many of both")
    pairs = list(zip(rater_a, rater_b, strict=True))
    both = [pair for pair in pairs if not any(missing(label) for label in pair)]
    coded = code_labels(both, categories, ordered=ordered)
    problem = coded.problem or ("" if both else "no item has a label of both raters")
    return coded.codes[:, 0], coded.codes[:, 1], len(coded.labels), problem


def _with_error(value: float, variance: float, n: int, method: str, df: float) -> Estimate:
    if not variance > ROUNDING**2:  # a zero may come out below zero, or as 0/0
        reason = "the sample shows no variation to estimate an error from"
        return Estimate(value, value, value, n, method, "degenerate", reason)
    from scipy.special import stdtrit

    half = float(stdtrit(df, 0.5 + LEVEL / 2)) * math.sqrt(variance)
    return Estimate(value, max(-1.0, value - half), min(1.0, value + half), n, method)
