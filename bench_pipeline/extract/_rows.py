"""Segments that stand on one line, and the lines that rows of them make."""

from collections.abc import Sequence
from itertools import pairwise
from operator import attrgetter

from bench_pipeline.extract._lines import Line, Segment

#: in heights of a line: the gap that parts cells
_CELL_GAP = 1.5
_LEFT = attrgetter("left")

Row = list[Segment]


def rows_of(segments: Sequence[Segment]) -> list[Row]:
    """Segments that stand on one line, from the top down, each row from left to right."""
    rows: list[Row] = []
    bottom = top = 0.0
    for segment in sorted(segments, key=lambda one: -(one.bottom + one.top)):
        low, high = segment.bottom, segment.top
        height = high - low if high - low < top - bottom else top - bottom
        overlap = (high if high < top else top) - (low if low > bottom else bottom)
        if overlap > 0.5 * height and rows:
            rows[-1].append(segment)
        else:
            rows.append([segment])
            bottom, top = low, high
    for row in rows:
        if len(row) > 1:
            row.sort(key=_LEFT)
    return rows


def line_of(row: Row, kind: str = "body") -> Line:
    if len(row) == 1:
        return Line(*row[0], kind)
    return Line(
        text=" ".join(segment.text for segment in row),
        left=row[0].left,
        bottom=min(segment.bottom for segment in row),
        right=max(segment.right for segment in row),
        top=max(segment.top for segment in row),
        size=max(segment.size for segment in row),
        bold=all(segment.bold for segment in row),
        kind=kind,
    )


def row_lines(rows: list[Row]) -> list[Line]:
    """One line a row, with the block's edges; rows of cells are marked as a table's."""
    left = min([row[0].left for row in rows])
    right = max([segment.right for row in rows for segment in row])
    celled = [len(row) > 1 and _has_cells(row) for row in rows]
    table = sum(celled) >= 3
    lines = []
    for index, row in enumerate(rows):
        # a table is where rows of cells follow each other; one alone is a spread line
        is_row = table and celled[index] and sum(celled[max(0, index - 1) : index + 2]) > 1
        line = line_of(row, "row" if is_row else "body")
        line.left_edge, line.right_edge = left, right
        lines.append(line)
    return lines


def _has_cells(row: Row) -> bool:
    return any(
        after.left - before.right > _CELL_GAP * min(before.size, after.size)
        for before, after in pairwise(row)
    )
