"""Chunks of a document: whole sentences under one heading, over page ends, traced to pages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from unicodedata import category

import regex

from bench_pipeline.extract._lines import FOOTNOTE, letter_count
from bench_pipeline.extract._model import Page
from bench_pipeline.text import split_sentences

_READABLE = ("ok", "ocr")
_TERMINAL = regex.compile(
    r"(?:[.;:?!।॥۔—][\"'”’)\]]*"
    r"|(?<=[\p{L}\p{M}])[.?!।॥۔][\"'”’)\]]*(?:[*†‡§]{1,3}|\d{1,2}))$"
)
_HEADING_CHARS = 160
_TITLE_CHARS = 80
_MOST_HEADINGS = 5
_GRAPHEME = regex.compile(r"\X")


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` to `end` of the `Page.text` of page `page`."""

    page: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of a document: `text` is its spans' texts, one a page, joined by a space."""

    position: int
    heading: str | None
    text: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class _Piece:
    """A sentence, or a part of an overlong one; `opens` where a paragraph begins."""

    page: int
    start: int
    end: int
    opens: bool


def chunk_pages(
    pages: Sequence[Page],
    *,
    language: str = "en",
    target_chars: int = 900,
    most_chars: int = 1500,
) -> list[Chunk]:
    """The chunks of a document, in order; only `ok` and `ocr` pages are read.

    A chunk ends at a heading, or at a paragraph's end once it has `target_chars`; it never has
    more than `most_chars` (characters), and ends inside a sentence only when the sentence alone
    is longer. `heading` is the line that stands over the text; it is no part of it. Footnotes at
    the foot of a page are chunks of their own, so that the text above runs on to the next page.
    """
    texts = {page.number: page.text for page in pages if page.status in _READABLE}
    chunks: list[Chunk] = []
    for heading, pieces in _sections(pages, language, most_chars):
        for group in _groups(pieces, target_chars, most_chars):
            spans = _spans(group)
            text = " ".join(texts[span.page][span.start : span.end] for span in spans)
            chunks.append(Chunk(len(chunks), heading, text, spans))
    return chunks


def _sections(
    pages: Sequence[Page], language: str, most: int
) -> Iterator[tuple[str | None, list[_Piece]]]:
    """The pieces under each heading, in order; a page's footnotes follow the section it ends in."""
    heading: str | None = None
    pieces: list[_Piece] = []
    notes: list[list[_Piece]] = []
    for page in pages:
        if page.status not in _READABLE or not page.text:
            continue
        blocks = _blocks(page.text)
        feet = _feet(page.text, blocks)
        running = blocks[: len(blocks) - feet]
        for start, end in running:
            is_last = end == running[-1][1]
            titles, body = _headings(page.text, start, end, is_last)
            if titles is not None:
                if pieces:
                    yield heading, pieces
                yield from ((None, note) for note in notes)
                pieces, notes, heading = [], [], titles
            pieces += _pieces(page, body, end, language, most)
        foot = [
            piece
            for start, end in blocks[len(blocks) - feet :]
            for piece in _pieces(page, start, end, language, most)
        ]
        if foot:
            notes.append(foot)
    if pieces:
        yield heading, pieces
    yield from ((None, note) for note in notes)


def _blocks(text: str) -> list[tuple[int, int]]:
    """The parts between empty lines."""
    return [match.span() for match in regex.finditer(r"[^\n]+(?:\n[^\n]+)*", text)]


def _feet(text: str, blocks: list[tuple[int, int]]) -> int:
    """How many blocks at the end of a page are footnotes: a mark, and no space before the word."""
    count = 0
    for start, end in reversed(blocks[1:]):
        if FOOTNOTE.match(text, start, end) is None or text[start:end].count("\n"):
            break
        count += 1
    return count


def _headings(text: str, start: int, end: int, is_last: bool) -> tuple[str | None, int]:
    """The last heading line over a block's paragraph, and where the paragraph begins.

    What a page's last block is the heading of may stand on the next page.
    """
    lines = text[start:end].split("\n")
    if is_last and _is_bare_title(lines):
        return lines[-1], end
    titles, body = lines[:-1], lines[-1]
    is_title = all(
        len(line) <= _HEADING_CHARS and letter_count(line) > 0.5 * len(line) for line in titles
    )
    is_prose = _TERMINAL.search(body) is not None or len(body) >= 80
    if not titles or len(titles) > _MOST_HEADINGS or not is_title or not is_prose:
        return None, start
    return titles[-1], end - len(body)


def _is_bare_title(lines: list[str]) -> bool:
    """Whether lines are titles alone: short, in capitals at their words' heads, without an end."""
    return len(lines) <= _MOST_HEADINGS and all(
        len(line) <= _TITLE_CHARS
        and _TERMINAL.search(line) is None
        and letter_count(line) > 0.7 * len(line)
        and not any(word[0].islower() for word in line.split() if len(word) > 4)
        and any(char.isupper() or category(char) == "Lo" for char in line)
        for line in lines
    )


def _pieces(page: Page, start: int, end: int, language: str, most: int) -> list[_Piece]:
    found: list[_Piece] = []
    for left, right in split_sentences(page.text[start:end], language):
        for one, other in _fitting(page.text, start + left, start + right, most):
            found.append(_Piece(page.number, one, other, not found))
    return found


def _fitting(text: str, start: int, end: int, most: int) -> Iterator[tuple[int, int]]:
    """A sentence in parts of at most `most` characters: at a line end, a semicolon, a space."""
    while end - start > most:
        cut = start + most
        for mark in ("\n", "; ", ": ", ", ", " "):
            found = text.rfind(mark, start + most // 2, start + most)
            if found >= 0:
                cut = found + len(mark.rstrip(" "))
                break
        else:
            for match in _GRAPHEME.finditer(text, start, end):
                if match.end() > start + most:
                    break
                cut = match.end()
        yield start, start + len(text[start:cut].rstrip())
        start = cut + len(text[cut:end]) - len(text[cut:end].lstrip())
    if start < end:
        yield start, end


def _groups(pieces: list[_Piece], target: int, most: int) -> Iterator[list[_Piece]]:
    """Pieces that make a chunk: to the paragraph's end after `target`, never beyond `most`."""
    group: list[_Piece] = []
    length = 0
    for piece in pieces:
        added = _added(group[-1], piece) if group else piece.end - piece.start
        full = length >= target and piece.opens
        if group and (full or length + added > most):
            yield group
            group, length = [], 0
            added = piece.end - piece.start
        group.append(piece)
        length += added
    if group:
        yield group


def _added(last: _Piece, piece: _Piece) -> int:
    """Characters that a piece adds: with what lies between it and the last one on its page."""
    if last.page == piece.page:
        return piece.end - last.end
    return piece.end - piece.start + 1


def _spans(group: list[_Piece]) -> tuple[Span, ...]:
    spans: list[Span] = []
    for piece in group:
        if spans and spans[-1].page == piece.page:
            spans[-1] = Span(piece.page, spans[-1].start, piece.end)
        else:
            spans.append(Span(piece.page, piece.start, piece.end))
    return tuple(spans)
