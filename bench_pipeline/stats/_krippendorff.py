"""Agreement of any number of raters, with gaps: Krippendorff's α."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from bench_pipeline.stats._bootstrap import bootstrap
from bench_pipeline.stats._labels import Coded, Label, code_labels
from bench_pipeline.stats._record import Estimate, FloatArray, Seed, undefined

Level = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(
    ratings: Sequence[Sequence[Label]],
    *,
    level: Level = "nominal",
    categories: Sequence[Label] | None = None,
    resamples: int = 10_000,
    seed: Seed,
) -> Estimate:
    """Krippendorff's α (2011): 1 less observed over expected disagreement.

    `ratings` is items × raters; None and NaN are missing, not a label. Items with fewer than two
    labels cannot be paired and are left out; `n` counts the rest. `categories` gives all labels
    in their order; ordinal labels that are words need it. 95 % interval: `bootstrap` over
    items, recomputing α with its marginals and ordinal ranks, and cut at 1.

    Undefined where no item has two labels, a label is infinite, or all labels are one and the
    same. Raises `ValueError` for words at interval level.
    """
    method = f"Krippendorff's α, {level}"
    coded = code_labels(ratings, categories, ordered=level == "ordinal")
    counts = _label_counts(coded)
    n = len(counts)
    if coded.problem:
        return undefined(method, coded.problem, n)
    if n == 0:
        return undefined(method, "no item has two labels")
    used = counts.sum(axis=0) > 0
    if used.sum() == 1:
        return undefined(method, "all labels are one and the same", n)
    labels = tuple(label for label, u in zip(coded.labels, used, strict=True) if u)
    disagreements = {"nominal": _nominal, "ordinal": _ordinal, "interval": _interval}[level]
    observed_expected = disagreements(counts[:, used], labels)

    def statistic(weights: FloatArray) -> FloatArray:
        observed, expected = observed_expected(weights)
        some = expected > 1e-12
        return np.where(some, 1.0 - observed / np.where(some, expected, 1.0), np.nan)

    found = bootstrap(statistic, np.arange(n), resamples=resamples, seed=seed)
    high = None if found.high is None else min(found.high, 1.0)
    return replace(found, high=high, method=f"{method}, {found.method}")


# A pair of observed and expected disagreement for each row of weights (rows × items), both in
# the scale of the coincidence matrix, where Σ coincidences = number of paired labels.
_Disagreements = Callable[[FloatArray], tuple[FloatArray, FloatArray]]


def _label_counts(coded: Coded) -> FloatArray:
    """How often each label was given to each item that has two labels or more."""
    given = [(coded.codes == place).sum(axis=1) for place in range(len(coded.labels))]
    counts = np.array(given, dtype=np.float64).reshape(len(given), len(coded.codes)).T
    return np.asarray(counts[counts.sum(axis=1) >= 2], dtype=np.float64)


def _weighted(weights: FloatArray, per_item: FloatArray) -> FloatArray:
    """Σ over items, in a fixed order: fractions have no exact products (see `_bootstrap`)."""
    return np.asarray(np.einsum("ru,u->r", weights, per_item), dtype=np.float64)


def _nominal(counts: FloatArray, _: tuple[Label, ...]) -> _Disagreements:
    labels = counts.sum(axis=1)
    unlike = (labels**2 - (counts**2).sum(axis=1)) / (labels - 1.0)

    def disagreements(weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        share = weights @ counts
        total = share.sum(axis=1)
        expected = (total**2 - (share**2).sum(axis=1)) / (total - 1.0)
        return _weighted(weights, unlike), expected

    return disagreements


def _interval(counts: FloatArray, labels: tuple[Label, ...]) -> _Disagreements:
    try:
        values = np.array([float(label) for label in labels if label is not None])
    except ValueError as error:
        raise ValueError(f"interval labels are {list(labels)}; accepted: numbers") from error
    # Σ over pairs of (x − y)² is 2(mΣx² − (Σx)²); centred, or large values would cancel.
    values = values - (counts.sum(axis=0) * values).sum() / counts.sum()
    number = counts.sum(axis=1)
    first, second = (counts * values).sum(axis=1), (counts * values**2).sum(axis=1)
    unlike = 2.0 * (number * second - first**2) / (number - 1.0)

    def disagreements(weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        share = weights @ counts
        total = share.sum(axis=1)
        spread = total * (share * values**2).sum(axis=1) - (share * values).sum(axis=1) ** 2
        return _weighted(weights, unlike), 2.0 * spread / (total - 1.0)

    return disagreements


def _ordinal(counts: FloatArray, _: tuple[Label, ...]) -> _Disagreements:
    """Krippendorff's ordinal difference is that of midranks, which each resample sets anew."""
    kinds = counts.shape[1]
    paired = counts[:, :, None] * counts[:, None, :] / (counts.sum(axis=1) - 1.0)[:, None, None]
    paired = paired.reshape(len(counts), kinds**2)

    def disagreements(weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        share = weights @ counts
        total = share.sum(axis=1)
        ranks = np.cumsum(share, axis=1) - share / 2.0
        distance = (ranks[:, :, None] - ranks[:, None, :]) ** 2
        coincident = np.einsum("ru,uk->rk", weights, paired).reshape(-1, kinds, kinds)
        chance = share[:, :, None] * share[:, None, :] / (total - 1.0)[:, None, None]
        observed = (coincident * distance).sum(axis=(1, 2))
        return observed, np.asarray((chance * distance).sum(axis=(1, 2)), dtype=np.float64)

    return disagreements
