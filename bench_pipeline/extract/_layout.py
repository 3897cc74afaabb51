"""The reading order of a page: columns, tables, and notes in the margin.

A page is cut where no writing crosses: a gutter with prose on both sides parts columns, one with
short lines on one side parts notes from the text they explain, and everything else is read row by
row, which is what a table needs. Lines that do cross the gutter part the page into bands.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from statistics import median

from bench_pipeline.extract._lines import Line, Segment, letter_count
from bench_pipeline.extract._notes import with_notes
from bench_pipeline.extract._rows import Row, line_of, row_lines, rows_of

#: in heights of a line: the least gutter
_GUTTER = 0.7
_BIN = 2.0
#: the share of the lines that may reach into a gutter
_STRAYS = 0.03

#: whether its rows cross a gutter, and its rows
Band = tuple[bool, list[Row]]


@dataclass(frozen=True, slots=True)
class _Side:
    """One side of a gutter, by the figures that tell prose from cells and notes."""

    count: int
    left: float
    right: float
    fill: float
    words: float
    letters: float
    size: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def is_prose(self) -> bool:
        return self.count >= 3 and self.words >= 3 and self.fill >= 0.6 and self.letters >= 0.6


def _side(segments: Sequence[Segment]) -> _Side:
    rows = rows_of(segments)
    left = min(segment.left for segment in segments)
    right = max(segment.right for segment in segments)
    text = "".join(segment.text for segment in segments)
    spans = [row[-1].right - row[0].left for row in rows]
    words = sum(segment.text.count(" ") + 1 for segment in segments)
    return _Side(
        count=len(rows),
        left=left,
        right=right,
        fill=median(spans) / max(1.0, right - left),
        words=words / len(rows),
        letters=letter_count(text) / max(1, len(text) - text.count(" ")),
        size=median(segment.size for segment in segments),
    )


def reading_order(segments: Sequence[Segment]) -> list[Line]:
    """The lines of a page in the order in which a person reads them."""
    turned = [segment for segment in segments if _is_turned(segment)]
    upright = [one for one in segments if not _is_turned(one)] if turned else segments
    lines: list[Line] = []
    for block, part in enumerate(_blocks(upright, depth=0)):
        for line in part:
            line.block = block
            lines.append(line)
    for segment in turned:
        lines.insert(_place_of(segment, lines), line_of([segment], "row"))
    return lines


def _is_turned(segment: Segment) -> bool:
    """Writing at a right angle to the page's: much taller than wide."""
    return len(segment.text) > 1 and segment.top - segment.bottom > 2 * segment.size


def _place_of(turned: Segment, lines: list[Line]) -> int:
    for index, line in enumerate(lines):
        if line.top < turned.top and line.kind != "note":
            return index
    return len(lines)


def _blocks(segments: Sequence[Segment], depth: int) -> Iterator[list[Line]]:
    """Blocks of lines, in order; a block is one column of one band."""
    if not segments:
        return
    rows = rows_of(segments)
    cut = _gutter(segments, rows) if depth < 3 else None
    if cut is None:
        yield row_lines(rows)
        return
    kind, start, end = cut
    bands = list(_bands(rows, start, end))
    if kind == "columns":
        bands = _whole_tables(bands, start, end)
    for crossed, band in bands:
        if crossed:
            yield row_lines(band)
            continue
        left, right = _sides(band, start, end)
        if kind == "columns" or not left or not right:
            yield from _blocks(left, depth + 1)
            yield from _blocks(right, depth + 1)
        else:
            narrow, wide = (left, right) if kind == "notes_left" else (right, left)
            yield with_notes(row_lines(rows_of(wide)), narrow)


def _sides(rows: Sequence[Row], start: float, end: float) -> tuple[list[Segment], list[Segment]]:
    """What stands on the left and on the right of a gutter."""
    left = [s for row in rows for s in row if s.right <= start + _BIN]
    right = [s for row in rows for s in row if s.left >= end - _BIN]
    return left, right


def _whole_tables(bands: list[Band], start: float, end: float) -> list[Band]:
    """Bands of columns, and between them all that is read row by row, each in one piece.

    Short lines and rows of a table keep clear of a gutter by chance; so does a heading below both
    columns, which is set apart from them.
    """
    found: list[Band] = []
    for crossed, rows in bands:
        band = rows
        by_rows = crossed or not all(map(_may_be_column, _sides(rows, start, end)))
        if by_rows and found and not found[-1][0]:
            above = found[-1][1]
            cut = _below_columns(above, start)
            found[-1:] = [(False, above[:cut])] if cut else []
            band = above[cut:] + band
        if by_rows and found and found[-1][0]:
            found[-1] = (True, found[-1][1] + band)
        else:
            found.append((by_rows, band))
    return found


def _may_be_column(segments: Sequence[Segment]) -> bool:
    """Whether one side of a band can be prose, and no cells of a table; an empty side cannot."""
    if not segments:
        return False
    side = _side(segments)
    return side.words >= 2 and side.letters >= 0.6


def _below_columns(rows: list[Row], start: float) -> int:
    """Where the few rows begin that stand on the left below both columns, apart from them."""
    for index in range(len(rows) - 1, max(0, len(rows) - 4), -1):
        if any(segment.right > start + _BIN for segment in rows[index]):
            break
        lowest = min(segment.bottom for row in rows[:index] for segment in row)
        row = rows[index][0]
        if lowest - row.top > 0.8 * row.size:
            return index
    return len(rows)


def _gutter(segments: Sequence[Segment], rows: list[Row]) -> tuple[str, float, float] | None:
    """The best cut: what it parts, and where it begins and ends. None for no cut."""
    if len(rows) < 3:
        return None
    left = min(segment.left for segment in segments)
    right = max(segment.right for segment in segments)
    size = median(segment.size for segment in segments)
    # a folio may stand between two columns, and cells of a table above or below them
    prose = [row for row in rows if not _is_folio(row)]
    edges = (left, right, size)
    cut = _best_cut(prose, rows, edges, 0.0)
    if cut is None and len(prose) * _STRAYS < 1:
        cut = _best_cut(prose, rows, edges, 1.0)
    if cut is None:
        without = [row for row in prose if not _has_many_cells(row)]
        if 6 <= len(without) < len(prose) - 1:
            cut = _best_cut(without, rows, edges, 0.0)
            cut = None if cut is None or cut[0] != "columns" else cut
    return cut


def _best_cut(
    considered: list[Row], rows: list[Row], edges: tuple[float, float, float], strays: float
) -> tuple[str, float, float] | None:
    """The cut with most lines on both sides, of those that the rows considered leave.

    So many `strays` at least may reach into a gutter: a share of the lines is none of a short page.
    """
    left, right, size = edges
    found: tuple[int, float, str, float, float] | None = None
    for start, end in _gaps(considered, left, right, size, strays):
        if end - start < _GUTTER * size:
            continue
        kind, smaller = _kind_of(rows, start, end)
        # spread words make gaps inside a note too: the true gutter has more lines on both sides
        if kind is not None and (found is None or (smaller, end - start) > found[:2]):
            found = (smaller, end - start, kind, start, end)
    return None if found is None else found[2:]


def _is_folio(row: Row) -> bool:
    return len(row) == 1 and len(row[0].text) <= 4 and not any(map(str.isalpha, row[0].text))


def _has_many_cells(row: Row) -> bool:
    """Whether it can be only a table's: three cells or more."""
    if len(row) < 3:
        return False
    gaps = (after.left - before.right for before, after in pairwise(row))
    return sum(gap > row[0].size for gap in gaps) > 1


def _gaps(
    considered: list[Row], left: float, right: float, size: float, strays: float
) -> Iterator[tuple[float, float]]:
    """Stretches of x inside the page's writing that the fewest segments cover.

    Short lines leave room beside a gutter, and lines below it end anywhere: a gutter is covered
    less than what stands on its sides, whatever covers the rest of the page.
    """
    count = int((right - left) / _BIN) + 1
    steps = [0] * (count + 2)
    for segment in chain.from_iterable(considered):
        steps[int((segment.left - left) / _BIN)] += 1
        steps[int((segment.right - left) / _BIN) + 1] -= 1
    rows = len(considered)
    cover = list(accumulate(steps))[:count]
    seen = 0
    for index in range(1, count - 1):
        level = cover[index]
        if index < seen or level > 0.45 * rows or cover[index - 1] <= level:
            continue
        start = end = index
        most = level + max(strays, _STRAYS * rows)
        while start > 0 and cover[start - 1] <= most:
            start -= 1
        while end < count and level <= cover[end] <= most:
            end += 1
        if start > 0 and end < count and cover[end] > level:
            seen = end
            core = _least_covered(cover, start, end)
            # the few lines that reach into a gutter stand on one of its sides, where it is wide
            if (core[1] - core[0]) * _BIN >= _GUTTER * size:
                start, end = core
            yield left + start * _BIN, left + end * _BIN


def _least_covered(cover: list[int], start: int, end: int) -> tuple[int, int]:
    """The longest run of bins between `start` and `end` that the fewest segments cover."""
    least = min(cover[start:end])
    best = begun = start
    length = 0
    for index in range(start, end):
        if cover[index] > least:
            begun = index + 1
        elif index + 1 - begun > length:
            best, length = begun, index + 1 - begun
    return best, best + length


def _bands(rows: list[Row], start: float, end: float) -> Iterator[Band]:
    """Runs of rows that cross the gutter, and that do not, from the top down."""
    band: list[Row] = []
    state: bool | None = None
    for row in rows:
        crossed = any(s.left < end - _BIN and s.right > start + _BIN for s in row)
        if crossed != state and band:
            yield bool(state), band
            band = []
        state = crossed
        band.append(row)
    if band:
        yield bool(state), band


def _kind_of(rows: list[Row], start: float, end: float) -> tuple[str | None, int]:
    """What a gutter parts, and the lines on the side that has fewer.

    `columns`, `notes_left`, `notes_right`, or None for the cells of a table.
    """
    free = [row for crossed, band in _bands(rows, start, end) if not crossed for row in band]
    left, right = _sides(free, start, end)
    if not left or not right or len(free) < 3:
        return None, 0
    one, other = _side(left), _side(right)
    smaller = min(one.count, other.count)
    if one.is_prose and other.is_prose and 0.6 < one.width / max(1.0, other.width) < 1.7:
        return "columns", smaller
    wide, narrow = (other, one) if other.width > one.width else (one, other)
    is_note = (
        wide.is_prose
        and wide.words >= 5
        and wide.fill > 0.75
        and wide.count >= 4
        and narrow.width < 0.5 * wide.width
        and narrow.letters > 0.7
        and narrow.words < 5
        and narrow.size < 1.1 * wide.size
    )
    if not is_note:
        return None, 0
    return ("notes_left" if narrow is one else "notes_right"), smaller
