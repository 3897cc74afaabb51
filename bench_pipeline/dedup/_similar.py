"""Every pair of vectors that is close enough: exact, by blocks, in memory bounded by the pairs."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    Vectors: TypeAlias = NDArray[np.float32] | csr_matrix

_NOT_UNIT = 1e-3
#: what float32 vectors carry of a cosine, so that a text and its copy have exactly 1
_DIGITS = 6
#: pairs whose cosine is computed again at once, so that memory stays bounded
_RECHECKED = 65_536
#: left rows, right rows, and what the scan found, of one block
_Candidates: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int64]]


@dataclass(frozen=True, slots=True)
class SimilarPairs:
    """Pairs of rows, `left < right`, in the order of both, with the cosine of each."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    cosine: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.left)


def similar_pairs(vectors: "Vectors", threshold: float, block: int = 2048) -> SimilarPairs:
    """All pairs of rows of `vectors` whose cosine is at least `threshold`.

    `vectors` is (n, d), each row of length one or all zeros: a dense float32 array, or a sparse
    matrix in rows. Blocks of `block` × `block` products of the upper triangle are scanned in
    float32; what comes within its rounding of the threshold is computed again in float64, so that
    neither the block's size nor the number of threads changes the result. Memory is that of the
    vectors, one block and the pairs.

    Raises:
        ValueError: the threshold is not in (0, 1], the block is below 1, or a row is neither a
            unit vector nor zero.
    """
    if not 0 < threshold <= 1:
        raise ValueError(f"the threshold is {threshold}; accepted is a cosine above 0, at most 1")
    if block < 1:
        raise ValueError(f"the block is {block}; accepted is 1 or more")
    _require_unit(vectors)
    dimensions = vectors.shape[1]
    rounding = dimensions * float(np.finfo(np.float32).eps) + 10.0**-_DIGITS
    scan = _dense_blocks if isinstance(vectors, np.ndarray) else _sparse_blocks
    found = [
        _exact(vectors, *pairs, threshold) for pairs in scan(vectors, threshold - rounding, block)
    ]
    if not found:
        none = np.empty(0, np.int64)
        return SimilarPairs(none, none, np.empty(0, np.float64))
    left, right, cosine = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.lexsort((right, left))
    return SimilarPairs(left[order], right[order], cosine[order])


def _require_unit(vectors: "Vectors") -> None:
    squares = (
        np.einsum("ij,ij->i", vectors, vectors)
        if isinstance(vectors, np.ndarray)
        else np.asarray(vectors.multiply(vectors).sum(axis=1)).ravel()
    )
    bad = ~((np.abs(np.sqrt(squares) - 1) < _NOT_UNIT) | (squares == 0))
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        raise ValueError(
            f"vector {row} has length {np.sqrt(squares[row]):.4g}; accepted is 1 (or 0, for a text "
            "with nothing to compare)"
        )


def _dense_blocks(vectors: NDArray[np.float32], floor: float, block: int) -> Iterator[_Candidates]:
    """Pairs at or above `floor`, block by block, the product always in the same memory."""
    rows = np.ascontiguousarray(vectors, dtype=np.float32)
    side = min(block, len(rows))
    memory = np.empty(side * side, np.float32)
    for top, start in _corners(len(rows), block):
        a, b = rows[top : top + block], rows[start : start + block]
        product = memory[: len(a) * len(b)].reshape(len(a), len(b))
        np.matmul(a, b.T, out=product)
        flat = np.flatnonzero(product >= floor)
        if len(flat):
            yield from _upper(top + flat // len(b), start + flat % len(b))


def _sparse_blocks(vectors: "csr_matrix", floor: float, block: int) -> Iterator[_Candidates]:
    rows = vectors.tocsr()
    columns = rows.T.tocsc()
    for top, start in _corners(rows.shape[0], block):
        product = (rows[top : top + block] @ columns[:, start : start + block]).tocoo()
        near = product.data >= floor
        if near.any():
            yield from _upper(
                top + product.row[near].astype(np.int64), start + product.col[near].astype(np.int64)
            )


def _corners(count: int, block: int) -> Iterator[tuple[int, int]]:
    """First row and first column of every block of the upper triangle."""
    for top in range(0, count, block):
        for start in range(top, count, block):
            yield top, start


def _upper(left: NDArray[np.int64], right: NDArray[np.int64]) -> Iterator[_Candidates]:
    """A block's candidates above the diagonal, a bounded number at a time."""
    above = left < right
    left, right = left[above], right[above]
    for at in range(0, len(left), _RECHECKED):
        yield left[at : at + _RECHECKED], right[at : at + _RECHECKED]


def _exact(
    vectors: "Vectors", left: NDArray[np.int64], right: NDArray[np.int64], threshold: float
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """The pairs at or above `threshold` by a float64 cosine, which no blocking changes."""
    if isinstance(vectors, np.ndarray):
        a, b = vectors[left].astype(np.float64), vectors[right].astype(np.float64)
        dots = np.einsum("ij,ij->i", a, b)
        lengths = np.einsum("ij,ij->i", a, a) * np.einsum("ij,ij->i", b, b)
    else:
        a, b = vectors[left].astype(np.float64), vectors[right].astype(np.float64)
        dots, lengths = _row_dots(a, b), _row_dots(a, a) * _row_dots(b, b)
    cosine = np.minimum(dots / np.sqrt(lengths), 1.0).round(_DIGITS)
    near = cosine >= threshold
    return left[near], right[near], cosine[near]


def _row_dots(a: "csr_matrix", b: "csr_matrix") -> NDArray[np.float64]:
    dots: NDArray[np.float64] = np.asarray(a.multiply(b).sum(axis=1), np.float64).ravel()
    return dots
