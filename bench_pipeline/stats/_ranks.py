"""Ranks that say how sure they are: intervals from the joint bootstrap, and tie groups."""

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from bench_pipeline.stats._interval import LEVEL
from bench_pipeline.stats._record import FloatArray

Name = TypeVar("Name", bound=Hashable)


@dataclass(frozen=True)
class RankInterval:
    """The best (`low`) and the worst (`high`) rank that the data leave open; 1 is first."""

    low: int
    high: int


def rank_intervals(resamples_matrix: FloatArray) -> tuple[RankInterval | None, ...]:
    """95 % interval of each model's rank, the highest value being first.

    `resamples_matrix` is resamples × models, all columns from the same draws, as
    `stratified_ratio_means(..., keep_resamples=True)` gives it. A model whose column is NaN
    is not ranked and gets None. In a resample tied models hold every rank of the tie: `low` is
    a quantile of the best of those, `high` of the worst. Bootstrap ranks of close models are
    drawn towards the order observed (Hall and Miller 2009), so claims rest on the paired tests.
    """
    matrix = np.asarray(resamples_matrix, dtype=np.float64)
    if matrix.ndim != 2:
        raise ValueError(f"the matrix has shape {matrix.shape}; accepted: resamples × models")
    ranked = np.flatnonzero(~np.isnan(matrix).any(axis=0))
    intervals: list[RankInterval | None] = [None] * matrix.shape[1]
    values = matrix[:, ranked]
    tail = (1 - LEVEL) / 2
    for position, model in enumerate(ranked):
        own = values[:, [position]]
        best = 1 + (values > own).sum(axis=1)
        worst = (values >= own).sum(axis=1)
        low = np.quantile(best, tail, method="inverted_cdf")
        high = np.quantile(worst, 1 - tail, method="inverted_cdf")
        intervals[model] = RankInterval(int(low), int(high))
    return tuple(intervals)


def tie_groups(
    order: Sequence[Name], significant_pairs: Collection[tuple[Name, Name]]
) -> tuple[tuple[Name, ...], ...]:
    """Cut a ranking into groups whose neighbours are not separated.

    `order` is best first; `significant_pairs` are the pairs separated after Holm, in either
    direction. The ranking is cut between neighbours i and i + 1 only where that pair is
    separated. "Not separated" is not transitive: the first and last of a group may well be
    separated from each other. Cutting there too would have to choose a side for the middle
    ones, and would claim a difference between neighbours that no test found.
    """
    separated = {frozenset(pair) for pair in significant_pairs}
    groups: list[list[Name]] = []
    for name in order:
        if groups and frozenset((groups[-1][-1], name)) not in separated:
            groups[-1].append(name)
        else:
            groups.append([name])
    return tuple(tuple(group) for group in groups)
