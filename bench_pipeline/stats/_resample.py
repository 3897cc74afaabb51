"""Draws with replacement inside strata, and products of them that no thread count can change.

Sums of floats depend on their order, and a linear algebra library picks its order by thread and
machine. So values are put on a binary grid that is fine (errors below 1e-12 of the largest
value) and yet coarse enough that every product and every partial sum is an integer below 2**53,
hence exact: any order gives the same bits.
"""

from collections.abc import Iterator
from typing import Literal

import numpy as np

from bench_pipeline.stats._record import FloatArray

Correction = Literal["rescaled", "none"]

# Bounds the counts matrix to tens of megabytes; part of the result, since draws come in blocks.
BLOCK_ROWS = 2_500


def drawn(units: int, correction: Correction) -> int:
    """How many of a stratum's units one resample draws.

    `rescaled` draws one fewer than there are, after which the variance between resamples is the
    unbiased one (Rao and Wu 1988; Rao, Wu and Yue 1992, where n − 1 draws need no shrinking).
    Drawing all n understates it by (n − 1)/n, which at two units a stratum is half.
    """
    return units - 1 if correction == "rescaled" else units


def draw_counts(
    rng: np.random.Generator, units: int, draws: int, resamples: int, block: int = BLOCK_ROWS
) -> Iterator[tuple[slice, FloatArray]]:
    """Yield blocks of the counts matrix (resamples × units): how often each unit was drawn."""
    for start in range(0, resamples, block):
        rows = min(block, resamples - start)
        cells = rng.integers(0, units, size=(rows, draws))
        cells += np.arange(rows)[:, None] * units
        counts = np.bincount(cells.ravel(), minlength=rows * units)
        yield slice(start, start + rows), counts.reshape(rows, units).astype(np.float64)


def on_grid(values: FloatArray, weight: float) -> tuple[FloatArray, FloatArray]:
    """Round each column to integers times its step, so that sums of total `weight` are exact.

    Returns the integers (as floats, rows × columns) and the steps (columns). A column's step
    depends on that column alone: a further model on the board changes no other model's bits.
    """
    largest = np.max(np.abs(values), axis=0, initial=0.0)
    _, exponent = np.frexp(largest * max(weight, 1.0))
    steps = np.ldexp(1.0, np.where(largest > 0, exponent - 52, 0))
    return np.rint(values / steps), np.asarray(steps, dtype=np.float64)


def by_column(table: FloatArray) -> FloatArray:
    """The columns as contiguous rows, to be reduced along the last axis.

    numpy adds in another order where a table happens to have one column; this way a model's
    bits do not depend on how many stand beside it.
    """
    return np.ascontiguousarray(table.T)
