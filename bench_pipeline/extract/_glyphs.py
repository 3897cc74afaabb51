"""From PDFium's glyphs to segments of words, with what the faults of a page are judged by.

PDFium gives the characters of a page in the order they are drawn. Two boxes a word say where it
stands; a box for each glyph would cost more than all the rest.
"""

import ctypes
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from struct import Struct
from typing import Any

from bench_pipeline.extract._lines import HYPHEN, Segment

_WORD = re.compile(r"[^\s\ufffe\x00-\x1f]+\ufffe?")
#: in heights of the line: a wider gap between words parts segments
_GAP = 0.8
_SAMPLE = 24
_FONT_NAME_BYTES = 128
#: PDFium's FS_RECTF: left, top, right, bottom
_RECTANGLE = Struct("4f")

Box = tuple[float, float, float, float]


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


class _Reader:
    """The calls on one text page, with their buffers made once."""

    def __init__(self, text_page: Any) -> None:
        from pypdfium2 import raw

        self._raw = raw
        self._page = text_page
        self._rect = raw.FS_RECTF()
        self._rect_reference = ctypes.byref(self._rect)
        self._name = ctypes.create_string_buffer(_FONT_NAME_BYTES)
        self._flags = ctypes.c_int()
        self.turn: Callable[[Box], Box] | None = None

    def text(self) -> str:
        """The characters; index n of the string is PDFium's index n."""
        raw, page = self._raw, self._page
        count = raw.FPDFText_CountChars(page)
        if count <= 0:
            return ""
        buffer = ctypes.create_string_buffer((count + 1) * 2)
        pointer = ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))
        written = raw.FPDFText_GetText(page, 0, count, pointer) - 1
        text = buffer.raw[: max(0, written) * 2].decode("utf-16-le", "replace")
        if len(text) == count and written == count:
            return text
        # characters off the first plane, or left out for want of a value, would shift the indices
        codes = (raw.FPDFText_GetUnicode(page, index) for index in range(count))
        return "".join(
            chr(code) if 0 <= code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
            for code in codes
        )

    def boxes(self) -> Callable[[int], Box]:
        """What gives the box of a character by its index; called twice a word, so bound once."""
        get, page, rect = self._raw.FPDFText_GetLooseCharBox, self._page, self._rect
        reference, unpack, turn = self._rect_reference, _RECTANGLE.unpack, self.turn

        def box(index: int) -> Box:
            get(page, index, reference)
            left, top, right, bottom = unpack(rect)
            return left, bottom, right, top

        return box if turn is None else lambda index: turn(box(index))

    def font(self, index: int) -> str:
        size = self._raw.FPDFText_GetFontInfo(
            self._page, index, self._name, _FONT_NAME_BYTES, ctypes.byref(self._flags)
        )
        return self._name.value.decode("utf-8", "replace") if 0 < size <= _FONT_NAME_BYTES else ""

    def has_map_error(self, index: int) -> bool:
        return bool(self._raw.FPDFText_HasUnicodeMapError(self._page, index) == 1)

    def quarter_turns(self, starts: list[int]) -> int:
        """How often the page's writing is turned by 90 degrees, as most of a sample has it."""
        sample = starts[:: max(1, len(starts) // _SAMPLE)]
        turns = Counter(
            round(self._raw.FPDFText_GetCharAngle(self._page, index) / (math.pi / 2)) % 4
            for index in sample
        )
        return turns.most_common(1)[0][0] if turns else 0


_TURNS: dict[int, Callable[[Box], Box]] = {
    1: lambda box: (-box[3], box[0], -box[1], box[2]),
    2: lambda box: (-box[2], -box[3], -box[0], -box[1]),
    3: lambda box: (box[1], -box[2], box[3], -box[0]),
}


def read_glyphs(text_page: Any) -> Glyphs:
    """The glyphs of one page, upright whichever way it is turned. `text_page` is PDFium's."""
    reader = _Reader(text_page)
    glyphs = Glyphs(reader.text())
    matches = list(_WORD.finditer(glyphs.text))
    starts = [match.start() for match in matches]
    reader.turn = _TURNS.get(reader.quarter_turns(starts))
    words = list(_words(reader, matches))
    for start in starts[:: max(1, len(starts) // _SAMPLE)]:
        glyphs.sampled += 1
        glyphs.map_errors += reader.has_map_error(start)
    glyphs.segments = _once_each(list(_segments(reader, words, glyphs.fonts)))
    return glyphs


def _words(reader: _Reader, matches: list[re.Match[str]]) -> Iterator[_Word]:
    """The words with their boxes; two boxes a word, or all where these do not fit together."""
    box = reader.boxes()
    for match in matches:
        start, end = match.span()
        text = match.group()
        x0, y0, x1, y1 = first = box(start)
        length = end - start - (text[-1] == HYPHEN)
        if length == 1:
            yield text, first, start, y1 - y0, False
            continue
        left, bottom, right, top = last = box(start + length - 1)
        height = y1 - y0
        in_line = bottom < y1 and top > y0 and left >= x0
        doubles = text[0] in (text[1], text[length // 2]) and _is_doubled(text)
        if in_line and right - x0 < 1.6 * length * height and not doubles:
            # a raised figure before a word, as of a footnote, does not make the line larger
            size = height if height > top - bottom else top - bottom
            bottom = bottom if bottom < y0 else y0
            yield text, (x0, bottom, right, top if top > y1 else y1), start, size, False
        elif _is_turned(first, last):
            outer = (min(x0, left), min(y0, bottom), max(x1, right), max(y1, top))
            yield text, outer, start, outer[2] - outer[0], True
        else:
            yield from _glyph_by_glyph(box, text, start, length)


def _is_turned(one: Box, other: Box) -> bool:
    """Whether two boxes stand above each other: writing at a right angle to the page's."""
    width = min(one[2] - one[0], other[2] - other[0])
    apart = max(one[1], other[1]) - min(one[3], other[3])
    same_edges = abs(one[0] - other[0]) < 0.2 * width and abs(one[2] - other[2]) < 0.2 * width
    return same_edges and -0.2 * width < apart and one[1] != other[1]


def _is_doubled(text: str) -> bool:
    """Whether a word reads as if each of its letters, or the whole of it, were drawn twice."""
    half = len(text) // 2
    if half < 2 or text.count(text[0]) == len(text):
        return False  # dots that lead to a page number read so too
    return text[:half] == text[half : 2 * half] or text[::2][:half] == text[1::2][:half]


def _glyph_by_glyph(
    get_box: Callable[[int], Box], text: str, start: int, length: int
) -> Iterator[_Word]:
    """The glyphs regrouped by where they stand, each that is drawn twice kept once."""
    kept: list[tuple[str, Box, int]] = []
    seen: dict[str, list[Box]] = {}
    for offset in range(length):
        char, box = text[offset], get_box(start + offset)
        width, height = box[2] - box[0], box[3] - box[1]
        before = seen.setdefault(char, [])
        if width > 0 and any(
            abs(box[0] - other[0]) < 0.35 * width and abs(box[1] - other[1]) < 0.2 * height
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
        yield word + text[length:], box, first, size, turned


def _follows(before: Box, box: Box) -> bool:
    height = max(before[3] - before[1], box[3] - box[1])
    overlap = min(before[3], box[3]) - max(before[1], box[1])
    if height <= 0 or box[2] <= box[0]:
        return True
    return overlap > 0.3 * height * 0.5 and -height < box[0] - before[2] < _GAP * height


def _grouped(group: list[tuple[str, Box, int]]) -> _Word:
    boxes = [box for _, box, _ in group]
    outer = (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )
    size = max(box[3] - box[1] for box in boxes)
    return "".join(char for char, _, _ in group), outer, group[0][2], size, False


def _segments(reader: _Reader, words: list[_Word], fonts: Counter[str]) -> Iterator[Segment]:
    """Words side by side on one line, as long as no wide gap parts them."""
    parts: list[str] = []
    left = bottom = right = top = size = 0.0
    first = 0

    def closed() -> Segment:
        font = reader.font(first)
        fonts[font] += sum(map(len, parts))
        bold = "bold" in font.casefold() or "black" in font.casefold()
        return Segment(" ".join(parts), left, bottom, right, top, size, bold)

    was_turned = False
    for text, (x0, y0, x1, y1), index, height, turned in words:
        if (
            parts
            and (turned or was_turned)
            and _is_turned((left, bottom, right, top), (x0, y0, x1, y1))
        ):
            parts.append(text)
            bottom, top = min(bottom, y0), max(top, y1)
            size = right - left
            continue
        if parts:
            overlap = (top if top < y1 else y1) - (bottom if bottom > y0 else y0)
            lower = height if height < size else size
            if overlap > 0.5 * lower and -0.5 * size < x0 - right < _GAP * size:
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


def _once_each(segments: list[Segment]) -> list[Segment]:
    """Without second copies: the same text drawn again a hair beside itself, to look bold."""
    seen: dict[str, list[Segment]] = {}
    kept = []
    for segment in segments:
        others = seen.setdefault(segment.text, [])
        near = 0.25 * segment.size
        if not any(
            abs(segment.left - other.left) < near and abs(segment.bottom - other.bottom) < near
            for other in others
        ):
            others.append(segment)
            kept.append(segment)
    return kept
