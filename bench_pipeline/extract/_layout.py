"""The reading order of a page: columns, tables, and notes in the margin.

A page is cut where no writing crosses: a gutter with prose on both sides parts columns, one with
short lines on one side parts notes from the text they explain, and everything else is read row by
row, which is what a table needs. Lines that do cross the gutter part the page into bands.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from statistics import median

import regex

from bench_pipeline.extract._lines import Line, Segment

#: in heights of a line: the gap that parts cells, the indent of a paragraph, the least gutter
_CELL_GAP, _INDENT, _GUTTER = 1.5, 0.8, 0.7
_NUMBERED = regex.compile(r"[\d\[*†(]*\p{Nd}+[A-Z]{0,3}\.(?:\s|$)")
_BIN = 2.0

Row = list[Segment]


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
    rows = _rows(segments)
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
        letters=sum(map(str.isalpha, text)) / max(1, len(text) - text.count(" ")),
        size=median(segment.size for segment in segments),
    )


def reading_order(segments: Sequence[Segment]) -> list[Line]:
    """The lines of a page in the order in which a person reads them."""
    upright = [segment for segment in segments if not _is_turned(segment)]
    lines: list[Line] = []
    for block, part in enumerate(_blocks(upright, depth=0)):
        for line in part:
            line.block = block
            lines.append(line)
    for segment in segments:
        if _is_turned(segment):
            lines.insert(_place_of(segment, lines), _line([segment], "row"))
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
    rows = _rows(segments)
    cut = _gutter(segments, rows) if depth < 3 else None
    if cut is None:
        yield _row_lines(rows)
        return
    kind, start, end = cut
    for crossed, band in _bands(rows, start, end):
        if crossed:
            yield _row_lines(band)
            continue
        left = [s for row in band for s in row if s.right <= start + _BIN]
        right = [s for row in band for s in row if s.left >= end - _BIN]
        if kind == "columns" or not left or not right:
            yield from _blocks(left, depth + 1)
            yield from _blocks(right, depth + 1)
        else:
            narrow, wide = (left, right) if kind == "notes_left" else (right, left)
            yield _with_notes(_row_lines(_rows(wide)), narrow)


def _rows(segments: Sequence[Segment]) -> list[Row]:
    """Segments that stand on one line, from the top down, each row from left to right."""
    rows: list[Row] = []
    bottom = top = 0.0
    for segment in sorted(segments, key=lambda one: -(one.bottom + one.top)):
        height = min(top - bottom, segment.top - segment.bottom)
        overlap = min(top, segment.top) - max(bottom, segment.bottom)
        if rows and overlap > 0.5 * height:
            rows[-1].append(segment)
        else:
            rows.append([segment])
            bottom, top = segment.bottom, segment.top
    for row in rows:
        row.sort(key=lambda one: one.left)
    return rows


def _gutter(segments: Sequence[Segment], rows: list[Row]) -> tuple[str, float, float] | None:
    """The best cut: what it parts, and where it begins and ends. None for no cut."""
    if len(rows) < 3:
        return None
    left = min(segment.left for segment in segments)
    right = max(segment.right for segment in segments)
    size = median(segment.size for segment in segments)
    found: tuple[int, float, str, float, float] | None = None
    for start, end in _gaps(segments, left, right, len(rows), size):
        if end - start < _GUTTER * size:
            continue
        kind, smaller = _kind_of(rows, start, end)
        # spread words make gaps inside a note too: the true gutter has more lines on both sides
        if kind is not None and (found is None or (smaller, end - start) > found[:2]):
            found = (smaller, end - start, kind, start, end)
    return None if found is None else found[2:]


def _gaps(
    segments: Sequence[Segment], left: float, right: float, rows: int, size: float
) -> Iterator[tuple[float, float]]:
    """Stretches of x inside the page's writing that the fewest segments cover.

    Short lines leave room beside a gutter, and lines below it end anywhere: a gutter is covered
    less than what stands on its sides, whatever covers the rest of the page.
    """
    count = int((right - left) / _BIN) + 1
    steps = [0] * (count + 2)
    for segment in segments:
        steps[int((segment.left - left) / _BIN)] += 1
        steps[int((segment.right - left) / _BIN) + 1] -= 1
    cover = list(accumulate(steps))[:count]
    seen = 0
    for index in range(1, count - 1):
        level = cover[index]
        if index < seen or level > 0.45 * rows or cover[index - 1] <= level:
            continue
        start = end = index
        most = level + 0.03 * rows
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


def _bands(rows: list[Row], start: float, end: float) -> Iterator[tuple[bool, list[Row]]]:
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
    left = [s for row in free for s in row if s.right <= start + _BIN]
    right = [s for row in free for s in row if s.left >= end - _BIN]
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


def _line(row: Row, kind: str = "body") -> Line:
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


def _row_lines(rows: list[Row]) -> list[Line]:
    """One line a row, with the block's edges; rows of cells are marked as a table's."""
    left = min(row[0].left for row in rows)
    right = max(segment.right for row in rows for segment in row)
    celled = [_has_cells(row) for row in rows]
    table = sum(celled) >= 3
    lines = []
    for index, row in enumerate(rows):
        # a table is where rows of cells follow each other; one alone is a spread line
        neighbours = celled[max(0, index - 1) : index + 2]
        is_row = table and celled[index] and sum(neighbours) > 1
        line = _line(row, "row" if is_row else "body")
        line.left_edge, line.right_edge = left, right
        lines.append(line)
    return lines


def _has_cells(row: Row) -> bool:
    return any(
        after.left - before.right > _CELL_GAP * min(before.size, after.size)
        for before, after in pairwise(row)
    )


def _with_notes(lines: list[Line], narrow: Sequence[Segment]) -> list[Line]:
    """Each note before the paragraph beside which it begins."""
    for line in lines:
        line.kind = "body"
    placed: dict[int, list[Line]] = {}
    for note in _notes(narrow):
        if not any(map(str.isalpha, note.text)):
            note.kind = "body"  # a folio or a number, which explains nothing
        placed.setdefault(_beside(note, lines), []).append(note)
    ordered: list[Line] = []
    for index, line in enumerate(lines):
        ordered += placed.get(index, [])
        ordered.append(line)
    return ordered


def _notes(narrow: Sequence[Segment]) -> Iterator[Line]:
    """The notes of a margin; space parts one from the next."""
    note: Line | None = None
    for row in _rows(narrow):
        line = _line(row, "note")
        if note is not None and note.bottom - line.top < 0.6 * line.size:
            note.text += " " + line.text
            note.bottom = line.bottom
        else:
            if note is not None:
                yield note
            note = line
    if note is not None:
        yield note


def _beside(note: Line, lines: list[Line]) -> int:
    """Index of the line that the note belongs before."""
    reach = 1.2 * max(note.size, lines[0].size)
    starts = [index for index in range(len(lines)) if _opens_paragraph(lines, index)]
    near = [index for index in starts if abs(lines[index].top - note.top) < reach]
    if near:
        numbered = [index for index in near if _NUMBERED.match(lines[index].text)]
        return min(numbered or near, key=lambda index: abs(lines[index].top - note.top))
    above = [index for index in starts if lines[index].top >= note.top]
    return above[-1] if above else 0


def _opens_paragraph(lines: list[Line], index: int) -> bool:
    line = lines[index]
    if _NUMBERED.match(line.text):
        return True
    indent = line.left - line.left_edge > _INDENT * line.size
    return indent and (index == 0 or lines[index - 1].left < line.left - 0.5 * line.size)
