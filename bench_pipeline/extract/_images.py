"""How much of a page its images cover."""

import ctypes
from collections.abc import Iterator
from typing import Any

from bench_pipeline.extract._matrices import UNIT, Matrix, times

_GRID = 40
_DEPTH = 4
_MOST_OBJECTS = 20_000


def cover_of(page: Any) -> tuple[float, int]:
    """Share (0 to 1) of a PDFium page under images, and how many shapes are drawn on it.

    Counted on a grid, so that images that overlap, as the layers of a scan do, count once.
    """
    left, bottom, right, top = page.get_bbox()
    width, height = max(1.0, right - left), max(1.0, top - bottom)
    covered: set[tuple[int, int]] = set()
    shapes = 0
    for is_image, matrix in _drawn(page):
        if not is_image:
            shapes += 1
            continue
        xs, ys = _corners(matrix)
        columns = _cells((min(xs) - left) / width, (max(xs) - left) / width)
        rows = _cells((min(ys) - bottom) / height, (max(ys) - bottom) / height)
        covered.update((column, row) for column in columns for row in rows)
    return len(covered) / _GRID**2, shapes


def _cells(start: float, end: float) -> range:
    """The cells of the grid whose middle lies between two shares of the page."""
    return range(max(0, round(start * _GRID)), min(_GRID, round(end * _GRID)))


def _corners(matrix: Matrix) -> tuple[list[float], list[float]]:
    a, b, c, d, e, f = matrix
    points = [(0, 0), (1, 0), (0, 1), (1, 1)]
    return [a * x + c * y + e for x, y in points], [b * x + d * y + f for x, y in points]


def _drawn(page: Any) -> Iterator[tuple[bool, Matrix]]:
    """Images (with where their unit square lies) and paths of a page, forms opened."""
    from pypdfium2 import raw

    left = _MOST_OBJECTS

    def walk(count: int, get: Any, owner: Any, outer: Matrix, depth: int) -> Iterator[Any]:
        nonlocal left
        for index in range(count):
            left -= 1
            if left < 0:
                return
            item = get(owner, index)
            kind = raw.FPDFPageObj_GetType(item)
            if kind == raw.FPDF_PAGEOBJ_IMAGE:
                yield True, times(_matrix(raw, item), outer)
            elif kind in (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_SHADING):
                yield False, outer
            elif kind == raw.FPDF_PAGEOBJ_FORM and depth < _DEPTH:
                inner = times(_matrix(raw, item), outer)
                inside = raw.FPDFFormObj_CountObjects(item)
                yield from walk(inside, raw.FPDFFormObj_GetObject, item, inner, depth + 1)

    objects = raw.FPDFPage_CountObjects(page.raw)
    yield from walk(objects, raw.FPDFPage_GetObject, page.raw, UNIT, 0)


def _matrix(raw: Any, item: Any) -> Matrix:
    found = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(item, ctypes.byref(found))
    return (found.a, found.b, found.c, found.d, found.e, found.f)
