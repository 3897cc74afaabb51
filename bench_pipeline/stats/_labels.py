"""From labels, words or numbers, to positions in their order; a missing label is -1."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from bench_pipeline.stats._record import IntArray

Label = str | int | float | bool | None

MISSING = -1


@dataclass(frozen=True, eq=False)
class Coded:
    """`codes` (items × raters) are positions in `labels`; `problem` forbids any figure."""

    codes: IntArray
    labels: tuple[Label, ...]
    problem: str


def missing(label: Label) -> bool:
    """None and NaN are no label; the empty word is one."""
    return label is None or (isinstance(label, float) and math.isnan(label))


def code_labels(
    ratings: Iterable[Sequence[Label]], categories: Sequence[Label] | None, *, ordered: bool
) -> Coded:
    """Code `ratings` (items × raters), all rows of one length.

    Without `categories` the labels are those found: numbers in their order, words by spelling,
    which `ordered` labels must not rest on. Raises `ValueError` there, for a label outside
    `categories`, and for rows of different lengths.
    """
    rows = [list(row) for row in ratings]
    width = len(rows[0]) if rows else 2
    found: set[Label] = set()
    for row in rows:
        if len(row) != width:
            raise ValueError(f"a row has {len(row)} labels, the first has {width}")
        found.update(label for label in row if not missing(label))
    numbers = all(isinstance(label, (int, float, np.number, np.bool_)) for label in found)
    if categories is None and ordered and not numbers:
        raise ValueError("the labels are words in no known order; accepted: categories in order")
    infinite = any(isinstance(label, float) and math.isinf(label) for label in found)
    if categories is None:
        # Words and numbers mixed have no order of their own; any fixed one will do.
        key = None if numbers else str
        labels = tuple(sorted(found, key=key))  # type: ignore[type-var, arg-type]
    else:
        labels = tuple(categories)
    position = {label: place for place, label in enumerate(labels)}
    codes = np.full((len(rows), width), MISSING, dtype=np.int64)
    for item, row in enumerate(rows):
        for rater, label in enumerate(row):
            if missing(label):
                continue
            if label not in position:
                raise ValueError(f"item {item}: label {label!r}; accepted: {list(labels)}")
            codes[item, rater] = position[label]
    return Coded(codes, labels, "a label is infinite" if infinite else "")
