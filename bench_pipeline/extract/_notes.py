"""Notes in a margin: each is put before the paragraph beside which it begins."""

from collections.abc import Iterator, Sequence

import regex

from bench_pipeline.extract._lines import Line, Segment
from bench_pipeline.extract._rows import line_of, rows_of

#: in heights of a line: the indent of a paragraph
_INDENT = 0.8
_NUMBERED = regex.compile(r"[\d\[*†(]*\p{Nd}+[A-Z]{0,3}\.(?:\s|$)")


def with_notes(lines: list[Line], narrow: Sequence[Segment]) -> list[Line]:
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
    for row in rows_of(narrow):
        line = line_of(row, "note")
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
