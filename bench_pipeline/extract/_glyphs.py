"""From PDFium's glyphs to segments of words, with what the faults of a page are judged by.

PDFium gives the characters of a page in the order they are drawn. Two boxes a word say where it
stands; a box for each glyph would cost more than all the rest.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from bench_pipeline.extract._lines import HYPHEN, Segment
from bench_pipeline.extract._text_page import Box, TextPage, sample

_WORD = re.compile(r"([^\s\ufffe\x00-\x1f]+)\ufffe?")
_INDIC = re.compile("[\u0900-\u0dff\uaae0-\uaaff\uabc0-\uabff]")
#: in heights of the line: a wider gap between words parts segments
_GAP = 0.8
#: in heights of the line, a letter: words are not set as wide
_WIDEST = 1.6

#: text, box, PDFium's index, size, whether turned; a plain tuple, since a book makes 180,000
_Word = tuple[str, Box, int, float, bool]


@dataclass(slots=True)
class Glyphs:
    """All that is read from a page.

    `text` is as PDFium gives it. `fonts` counts characters a font name. `map_errors` and `sampled`
    say how many of the sampled glyphs have no Unicode value by PDFium's own word.
    """

    text: str
    segments: list[Segment] = field(default_factory=list)
    fonts: Counter[str] = field(default_factory=Counter)
    map_errors: int = 0
    sampled: int = 0


def read_glyphs(pdf_page: Any, text_page: Any) -> Glyphs:
    """The glyphs of one page, upright whichever way it is turned. Both pages are PDFium's."""
    page = TextPage(text_page)
    glyphs = Glyphs(page.text())
    matches = list(_WORD.finditer(glyphs.text))
    starts = [match.start() for match in matches]
    page.stand_upright(starts)
    if not glyphs.text.isascii() and _INDIC.search(glyphs.text):
        from bench_pipeline.extract._drawing import as_drawn

        drawn = as_drawn(pdf_page, page, glyphs.text)
        if drawn is not None:
            glyphs.text = drawn.text
            page.read_as(drawn.indices, drawn.boxes)
            matches = list(_WORD.finditer(glyphs.text))
            starts = [match.start() for match in matches]
    sampled = sample(starts)
    glyphs.sampled, glyphs.map_errors = len(sampled), page.map_errors(sampled)
    ends = [match.end(1) - 1 for match in matches]
    words = _words(page, [match.group() for match in matches], starts, ends)
    glyphs.segments = _once_each(list(_segments(page, words, glyphs.fonts)))
    return glyphs


def _words(page: TextPage, texts: list[str], starts: list[int], ends: list[int]) -> Iterator[_Word]:
    """The words with their boxes; such as plainly follow each other on one line come as one."""
    run: list[str] = []
    begun = 0
    left = top = right = bottom = size = 0.0
    boxes = zip(texts, starts, page.boxes(starts), page.boxes(ends), strict=True)
    for text, start, first, last in boxes:
        x0, y1, _, y0 = first
        x1, last_top, x2, last_bottom = last
        plain = (
            last_bottom < y1
            and last_top > y0
            and x1 >= x0
            and x2 - x0 < _WIDEST * len(text) * (y1 - y0)
            and not _is_special(text)
        )
        if plain:
            # a raised figure before a word, as of a footnote, does not make the line larger
            height = y1 - y0 if y1 - y0 > last_top - last_bottom else last_top - last_bottom
            y1 = last_top if last_top > y1 else y1
            y0 = last_bottom if last_bottom < y0 else y0
            overlap = (top if top < y1 else y1) - (bottom if bottom > y0 else y0)
            if (
                run
                and overlap > 0.5 * (height if height < size else size)
                and -0.5 * size < x0 - right < _GAP * size
            ):
                if _is_raised(text, x0 - right, y0 - bottom, height, size):
                    run[-1] += text
                else:
                    run.append(text)
                right = x2 if x2 > right else right
                bottom = y0 if y0 < bottom else bottom
                top = y1 if y1 > top else top
                size = height if height > size else size
                continue
        if run:
            yield " ".join(run), (left, top, right, bottom), begun, size, False
            run = []
        if plain:
            run, begun = [text], start
            left, top, right, bottom, size = x0, y1, x2, y0, height
        else:
            yield from _placed(page, text, start, first, last)
    if run:
        yield " ".join(run), (left, top, right, bottom), begun, size, False


def _is_raised(text: str, gap: float, above: float, height: float, size: float) -> bool:
    """Whether it is the mark of a footnote, set raised against the word before it."""
    return (
        height < 0.85 * size
        and gap < 0.1 * size
        and above > 0.1 * size
        and len(text) <= 3
        and (text.isdigit() or not text.strip("*†‡§"))
    )


@lru_cache(maxsize=65_536)
def _is_special(text: str) -> bool:
    """Whether more than its ends must be looked at: a word that may be drawn twice, or breaks."""
    return text[-1] == HYPHEN or _is_doubled(text)


def _placed(page: TextPage, text: str, start: int, first: Box, last: Box) -> Iterator[_Word]:
    """One word by the boxes of its ends, or by all where these do not fit together."""
    x0, y1, x1, y0 = first
    left, top, right, bottom = last
    length, height = len(text) - (text[-1] == HYPHEN), y1 - y0
    if length == 1:
        yield text, first, start, height, False
    elif (
        bottom < y1
        and top > y0
        and left >= x0
        and right - x0 < _WIDEST * length * height
        and not _is_doubled(text)
    ):
        # a raised figure before a word, as of a footnote, does not make the line larger
        size = max(height, top - bottom)
        yield text, (x0, max(top, y1), right, min(bottom, y0)), start, size, False
    elif _is_turned(first, last):
        outer = (min(x0, left), max(y1, top), max(x1, right), min(y0, bottom))
        yield text, outer, start, outer[2] - outer[0], True
    else:
        yield from _glyph_by_glyph(page.boxes(range(start, start + length)), text, start)


def _is_turned(one: Box, other: Box) -> bool:
    """Whether two boxes stand above each other: writing at a right angle to the page's."""
    width = min(one[2] - one[0], other[2] - other[0])
    apart = max(one[3], other[3]) - min(one[1], other[1])
    same_edges = abs(one[0] - other[0]) < 0.2 * width and abs(one[2] - other[2]) < 0.2 * width
    return same_edges and -0.2 * width < apart and one[3] != other[3]


def _is_doubled(text: str) -> bool:
    """Whether a word reads as if each of its letters, or the whole of it, were drawn twice."""
    half = len(text) // 2
    if half < 2 or text.count(text[0]) == len(text):
        return False  # dots that lead to a page number read so too
    return text[:half] == text[half : 2 * half] or text[::2][:half] == text[1::2][:half]


def _glyph_by_glyph(boxes: list[Box], text: str, start: int) -> Iterator[_Word]:
    """The glyphs regrouped by where they stand, each that is drawn twice kept once."""
    kept: list[tuple[str, Box, int]] = []
    seen: dict[str, list[Box]] = {}
    for offset, box in enumerate(boxes):
        char = text[offset]
        width, height = box[2] - box[0], box[1] - box[3]
        before = seen.setdefault(char, [])
        if width > 0 and any(
            abs(box[0] - other[0]) < 0.35 * width and abs(box[3] - other[3]) < 0.2 * height
            for other in before
        ):
            continue
        before.append(box)
        kept.append((char, box, start + offset))
    group: list[tuple[str, Box, int]] = []
    for glyph in kept:
        if group and not _follows(group[-1][1], glyph[1]):
            yield _grouped(group)
            group = []
        group.append(glyph)
    if group:
        word, box, first, size, turned = _grouped(group)
        yield word + text[len(boxes) :], box, first, size, turned


def _follows(before: Box, box: Box) -> bool:
    height = max(before[1] - before[3], box[1] - box[3])
    overlap = min(before[1], box[1]) - max(before[3], box[3])
    if height <= 0 or box[2] <= box[0]:
        return True
    return overlap > 0.3 * height * 0.5 and -height < box[0] - before[2] < _GAP * height


def _grouped(group: list[tuple[str, Box, int]]) -> _Word:
    boxes = [box for _, box, _ in group]
    outer = (
        min(box[0] for box in boxes),
        max(box[1] for box in boxes),
        max(box[2] for box in boxes),
        min(box[3] for box in boxes),
    )
    size = max(box[1] - box[3] for box in boxes)
    return "".join(char for char, _, _ in group), outer, group[0][2], size, False


def _segments(page: TextPage, words: Iterable[_Word], fonts: Counter[str]) -> Iterator[Segment]:
    """Words side by side on one line, as long as no wide gap parts them."""
    parts: list[str] = []
    left = bottom = right = top = size = 0.0
    first = 0

    def closed() -> Segment:
        font = page.font(first)
        text = " ".join(parts)
        fonts[font] += len(text) - text.count(" ")
        return Segment(text, left, bottom, right, top, size, _is_bold(font))

    was_turned = False
    for text, (x0, y1, x1, y0), index, height, turned in words:
        if (
            parts
            and (turned or was_turned)
            and _is_turned((left, top, right, bottom), (x0, y1, x1, y0))
        ):
            parts.append(text)
            bottom, top = min(bottom, y0), max(top, y1)
            size = right - left
            continue
        if parts:
            overlap = (top if top < y1 else y1) - (bottom if bottom > y0 else y0)
            lower = height if height < size else size
            if overlap > 0.5 * lower and -0.5 * size < x0 - right < _GAP * size:
                if _is_raised(text, x0 - right, y0 - bottom, height, size):
                    parts[-1] += text
                else:
                    parts.append(text)
                right = x1 if x1 > right else right
                bottom = y0 if y0 < bottom else bottom
                top = y1 if y1 > top else top
                size = height if height > size else size
                if text[-1] == HYPHEN:
                    yield closed()
                    parts = []
                continue
            yield closed()
        parts, first = [text], index
        left, bottom, right, top = x0, y0, x1, y1
        size, was_turned = height, turned
        if text[-1] == HYPHEN:
            yield closed()
            parts = []
    if parts:
        yield closed()


@lru_cache(maxsize=1024)
def _is_bold(font: str) -> bool:
    return "bold" in font.casefold() or "black" in font.casefold()


def _once_each(segments: list[Segment]) -> list[Segment]:
    """Without second copies: the same text drawn again a hair beside itself, to look bold."""
    seen: dict[str, list[Segment]] = {}
    kept = []
    for segment in segments:
        others = seen.setdefault(segment.text, [])
        near = 0.25 * segment.size
        if others and any(
            abs(segment.left - other.left) < near and abs(segment.bottom - other.bottom) < near
            for other in others
        ):
            continue
        others.append(segment)
        kept.append(segment)
    return kept
