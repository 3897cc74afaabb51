"""From items to families: the units of independence that are resampled and whose signs flip.

A family is what was made from one fact, template or scenario; its items are not independent of
each other. It lies in one stratum (category, dimension, bucket) only.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bench_pipeline.stats._record import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class FamilySums:
    """One row a family, in the order of its label, so that the order of items changes nothing.

    `sums` and `counts` are families × models: the sum of the item values, and the number of
    items that have one. `families` and `strata` hold one label a family.
    """

    families: npt.NDArray[np.generic]
    strata: npt.NDArray[np.generic]
    sums: FloatArray
    counts: FloatArray


@dataclass(frozen=True, eq=False)
class Strata:
    """The rows of each stratum, in the order of its label."""

    labels: tuple[str, ...]
    rows: tuple[IntArray, ...]


def family_sums(values: npt.ArrayLike, units: npt.ArrayLike, strata: npt.ArrayLike) -> FamilySums:
    """Sum item values into families.

    `values` is items × models (or one value an item); NaN marks an item without a value, which
    is left out of sum and count. `units` and `strata` hold one label an item.

    Raises `ValueError` where lengths differ or a family lies in two strata.
    """
    table = np.asarray(values, dtype=np.float64)
    table = table[:, None] if table.ndim == 1 else table
    unit_labels, stratum_labels = np.asarray(units), np.asarray(strata)
    if table.ndim != 2 or not (len(table) == len(unit_labels) == len(stratum_labels)):
        raise ValueError(
            f"values {table.shape}, units {unit_labels.shape} and strata {stratum_labels.shape} "
            "do not fit; accepted: items × models, with one unit and one stratum an item"
        )
    families, first, code = np.unique(unit_labels, return_index=True, return_inverse=True)
    family_strata = stratum_labels[first]
    astray = np.flatnonzero(stratum_labels != family_strata[code])
    if astray.size:
        item = int(astray[0])
        raise ValueError(
            f"item {item}: family {unit_labels[item]!s} lies in strata "
            f"{family_strata[code[item]]!s} and {stratum_labels[item]!s}; accepted: one stratum"
        )
    if not len(table):
        empty = np.zeros((0, table.shape[1]))
        return FamilySums(families, family_strata, empty, empty)
    order = np.argsort(code, kind="stable")
    starts = np.searchsorted(code[order], np.arange(len(families)))
    present = ~np.isnan(table[order])
    sums = np.add.reduceat(np.where(present, table[order], 0.0), starts, axis=0)
    counts = np.add.reduceat(present.astype(np.float64), starts, axis=0)
    return FamilySums(families, family_strata, sums, counts)


def split_strata(strata: npt.ArrayLike, units: int) -> Strata:
    """Find the rows of each stratum; `strata` holds one label for each of `units` rows."""
    labels = np.asarray(strata)
    if labels.shape != (units,):
        raise ValueError(f"strata has shape {labels.shape}; accepted: ({units},), one a unit")
    names, code = np.unique(labels, return_inverse=True)
    rows = tuple(np.flatnonzero(code == h).astype(np.int64) for h in range(len(names)))
    return Strata(tuple(str(name) for name in names), rows)
