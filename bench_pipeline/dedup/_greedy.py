"""Which rows stay: from the best down, a row goes only for a row that was itself kept."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

#: why a pair of the ledger is as it is
MERGED, GUARDED, BELOW, MOOT = "merged", "guarded", "below", "moot"


def ranks(scores: pl.Series) -> NDArray[np.int64]:
    """The place of each row, 0 for the best: by score from high to low, then as they stand.

    A row without a score (null or NaN) comes after all that have one.
    """
    numbers = scores.cast(pl.Float64).fill_nan(None).to_numpy()
    order = np.argsort(-np.where(np.isnan(numbers), -np.inf, numbers), kind="stable")
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    return places


@dataclass(frozen=True, slots=True)
class Choice:
    """`duplicate_of` is the kept row that each row repeats, -1 for a row that stays.

    `pair` is the pair that says so, -1 likewise. `decisions` has one entry a pair.
    """

    duplicate_of: NDArray[np.int64]
    pair: NDArray[np.int64]
    decisions: list[str]


def choose(
    better: NDArray[np.int64],
    other: NDArray[np.int64],
    cosine: NDArray[np.float64],
    place: NDArray[np.int64],
    near: NDArray[np.bool_],
    guarded: NDArray[np.bool_],
) -> Choice:
    """Greedy over the rows in the order of `place`; `better` and `other` are rows of each pair.

    A pair counts where it is `near` (at or above its threshold) and not `guarded`. A row that
    has several kept rows to repeat names the closest, and of equally close ones the best.
    """
    duplicate_of = np.full(len(place), -1, np.int64)
    pair = np.full(len(place), -1, np.int64)
    counting = np.flatnonzero(near & ~guarded)
    # the rows in their order, and for each its closest partner first: the first kept one is it
    order = np.lexsort((place[better[counting]], -cosine[counting], place[other[counting]]))
    for index in counting[order].tolist():
        row, kept = other[index], better[index]
        if duplicate_of[row] < 0 and duplicate_of[kept] < 0:
            duplicate_of[row], pair[row] = kept, index
    return Choice(duplicate_of, pair, _decisions(better, other, near, guarded, duplicate_of, pair))


def _decisions(
    better: NDArray[np.int64],
    other: NDArray[np.int64],
    near: NDArray[np.bool_],
    guarded: NDArray[np.bool_],
    duplicate_of: NDArray[np.int64],
    pair: NDArray[np.int64],
) -> list[str]:
    """`moot` is a near pair of which one row is gone for a third."""
    decisions = np.full(len(better), MOOT, dtype=object)
    gone = (duplicate_of[better] >= 0) | (duplicate_of[other] >= 0)
    decisions[near & guarded & ~gone] = GUARDED
    decisions[~near] = BELOW
    decisions[pair[pair >= 0]] = MERGED
    found: list[str] = decisions.tolist()
    return found
