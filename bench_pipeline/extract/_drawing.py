"""The text of a page of Indic writing, put together by what the page draws.

A printed syllable is often more glyphs than letters: the file gives its letters once, as
`ActualText` over all of its glyphs. PDFium keeps these letters in the box of the first glyph alone,
so that it sees a gap before the next syllable and writes a space ("भा रत"); and where glyphs
overlap it sorts them, which takes signs from their letters or reads a syllable twice. The objects
of the page hold what it does not tell: which glyphs are one syllable, in what order they were
drawn, and where a blank was drawn.
"""

import ctypes
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple
from unicodedata import category

from bench_pipeline.extract._matrices import UNIT, Matrix, times
from bench_pipeline.extract._text_page import Box, TextPage, upright

_DEPTH, _MOST_OBJECTS = 4, 20_000
#: in ems: gaps between syllables are narrower, and between words that no drawn blank parts wider;
#: on a page that draws its blanks, and before a vowel sign, only a jump to another cell is as wide
_SPACE, _JUMP = 0.22, 0.35
#: in ems: inside an object the letters have their full widths, which leave no gap in a word
_INSIDE = 0.12
#: in ems: what is drawn behind a blank begins so far on, or the blank is a joiner, without width
_THIN = 0.05
#: in ems: how far the base lines of glyphs on one line may differ
_RAISED = 0.5
#: drawn blanks a letter, from which on a page draws them all
_DRAWS_BLANKS = 0.05
#: PDFium's kinds of objects
_TEXT, _FORM = 1, 5


@dataclass(slots=True)
class _Object:
    """A text object: its ink and where its base line begins, in points, and the size of an em.

    `syllable` is the address of the mark that gives the text of this and its neighbours, or 0.
    """

    ink: Box
    start: float
    base: float
    em: float
    syllable: int
    chars: list[int] = field(default_factory=list)

    @property
    def is_blank(self) -> bool:
        left, top, right, bottom = self.ink
        return not self.chars and right - left < 0.01 and top - bottom < 0.01

    def is_apart(self, before: "_Object", left: float, right: float, gap: float) -> bool:
        """Whether it opens a word: it begins at `left`, and the word before it ends at `right`."""
        return (
            left - right > gap * self.em
            or left < before.ink[0] - self.em
            or abs(self.base - before.base) > _RAISED * max(self.em, before.em)
        )


@dataclass(slots=True)
class Drawn:
    """A page's text as drawn: PDFium's index of each character, and boxes that it does not have."""

    text: str
    indices: list[int]
    boxes: dict[int, Box]


class _Functions(NamedTuple):
    object_of: Any
    kind: Any
    bounds: Any
    matrix: Any
    font_size: Any
    marks: Any
    mark: Any
    mark_type: Any
    form_count: Any
    form_object: Any
    page_count: Any
    page_object: Any


@lru_cache(maxsize=1)
def _functions() -> _Functions:
    """PDFium's functions, by addresses: those of objects are looked up by them."""
    from pypdfium2 import raw

    address, number = ctypes.c_void_p, ctypes.c_int

    def untyped(function: Any, result: Any, *arguments: Any) -> Any:
        return ctypes.cast(function, ctypes.CFUNCTYPE(result, *arguments))

    return _Functions(
        untyped(raw.FPDFText_GetTextObject, address, address, number),
        untyped(raw.FPDFPageObj_GetType, number, address),
        untyped(raw.FPDFPageObj_GetBounds, number, address, *[address] * 4),
        untyped(raw.FPDFPageObj_GetMatrix, number, address, address),
        untyped(raw.FPDFTextObj_GetFontSize, number, address, address),
        untyped(raw.FPDFPageObj_CountMarks, number, address),
        untyped(raw.FPDFPageObj_GetMark, address, address, ctypes.c_ulong),
        untyped(raw.FPDFPageObjMark_GetParamValueType, number, address, ctypes.c_char_p),
        untyped(raw.FPDFFormObj_CountObjects, number, address),
        untyped(raw.FPDFFormObj_GetObject, address, address, ctypes.c_ulong),
        untyped(raw.FPDFPage_CountObjects, number, address),
        untyped(raw.FPDFPage_GetObject, address, address, number),
    )


def as_drawn(page: Any, text_page: TextPage, text: str) -> Drawn | None:
    """The text of a page as it is drawn; None where it shows letters that no object draws.

    `page` is PDFium's, `text` its text, and `text_page` stands upright.
    """
    objects = dict(_objects(ctypes.cast(page, ctypes.c_void_p), text_page.quarter_turns))
    object_of, of = _functions().object_of, text_page.address
    for index, char in enumerate(text):
        address = object_of(of, index)
        if address in objects:
            objects[address].chars.append(index)
        elif not char.isspace():
            return None  # drawn where we do not look: nothing may be lost
    return _written(list(_syllables(objects.values(), text)), text, text_page)


def _objects(page: Any, quarter_turns: int) -> Iterator[tuple[int, _Object]]:
    """The text objects of a page by their addresses, forms opened, in the order of drawing."""
    call, reader, left = _functions(), _Reader(quarter_turns), _MOST_OBJECTS

    def walk(count: int, get: Any, owner: Any, outer: Matrix, depth: int) -> Iterator[Any]:
        nonlocal left
        for index in range(count):
            left -= 1
            item = get(owner, index)
            if left < 0 or not item:
                return
            kind = call.kind(item)
            if kind == _TEXT:
                yield item, reader.object_at(item, outer)
            elif kind == _FORM and depth < _DEPTH:
                inner = times(reader.matrix(item), outer)
                yield from walk(call.form_count(item), call.form_object, item, inner, depth + 1)

    yield from walk(call.page_count(page), call.page_object, page, UNIT, 0)


class _Reader:
    """Reads objects by their addresses, into one buffer for all of them: a page has thousands."""

    def __init__(self, quarter_turns: int) -> None:
        self._turns = quarter_turns
        self._marks: dict[int, bool] = {}
        self._values = (ctypes.c_float * 11)()
        self._places = [ctypes.addressof(self._values) + 4 * place for place in range(11)]

    def object_at(self, item: int, outer: Matrix) -> _Object:
        """The text object at an address; `outer` is the matrix of the form that it is in."""
        call, places = _functions(), self._places
        call.bounds(item, *places[:4])
        call.font_size(item, places[4])
        call.matrix(item, places[5])
        left, bottom, right, top, size, *own = self._values
        _, _, c, d, x, y = own if outer is UNIT else times(_six(own), outer)
        ink, base = (left, top, right, bottom), (x, y, x, y)
        if outer is not UNIT:
            ink = _moved(ink, outer)
        if self._turns:
            ink, base = upright([ink, base], self._turns)
        return _Object(ink, base[0], base[1], size * math.hypot(c, d), self._syllable(item))

    def matrix(self, item: int) -> Matrix:
        """The matrix of the object at an address."""
        _functions().matrix(item, self._places[5])
        return _six(self._values[5:])

    def _syllable(self, item: int) -> int:
        """The innermost mark of an object that gives a text for it, or 0."""
        call = _functions()
        for index in reversed(range(call.marks(item))):
            mark = call.mark(item, index)
            if mark not in self._marks:
                self._marks[mark] = call.mark_type(mark, b"ActualText") != 0
            if self._marks[mark]:
                return int(mark)
        return 0


def _six(values: list[float]) -> Matrix:
    a, b, c, d, e, f = values
    return a, b, c, d, e, f


def _written(objects: list[_Object], text: str, text_page: TextPage) -> Drawn:
    """The characters in the order of drawing, with a space where words stand apart."""
    boxes = _boxes(objects, text_page)
    chars, indices = list[str](), list[int]()
    for index, is_apart in _places(objects, text, boxes, text_page):
        if is_apart:
            chars.append(" ")
            indices.append(index)
        chars.append(text[index])
        indices.append(index)
    return Drawn("".join(chars), indices, boxes)


def _places(
    objects: list[_Object], text: str, boxes: dict[int, Box], text_page: TextPage
) -> Iterator[tuple[int, bool]]:
    """The indices of what is no space, in order, and whether a space stands before each."""
    gap = _JUMP if _draws_blanks(objects, text, text_page) else _SPACE
    last: _Object | None = None
    blank: _Object | None = None
    right, is_blank, may_be = -math.inf, False, False
    for one in objects:
        if blank is not None:
            is_blank = is_blank or one.is_apart(blank, one.start, blank.start, _THIN)
        blank = one if one.is_blank else None
        for index in one.chars:
            if text[index].isspace():
                # inside an object PDFium adds spaces at gaps; the last stands for a drawn one
                added = text_page.is_generated(index) and index != one.chars[-1]
                is_blank, may_be = is_blank or not added, added
                continue
            left, _, end, _ = boxes[index]
            if last is one:
                is_apart = is_blank or (may_be and left - right > _INSIDE * one.em)
            elif last is None:
                is_apart = False
            else:
                is_sign = category(text[index])[0] == "M"
                least = _JUMP if is_sign else gap
                is_apart = is_blank or one.is_apart(last, left, right, least)
            yield index, is_apart
            right = end if is_apart else max(right, end)
            last, is_blank, may_be = one, False, False


def _draws_blanks(objects: list[_Object], text: str, text_page: TextPage) -> bool:
    """Whether a page draws the blanks between its words, and does not only leave room."""
    alone = sum(one.is_blank for one in objects)
    spaces = [index for one in objects for index in one.chars if text[index] == " "]
    within = sum(not text_page.is_generated(index) for index in spaces)
    return alone + within > _DRAWS_BLANKS * len(text)


def _syllables(objects: Iterable[_Object], text: str) -> Iterator[_Object]:
    """The objects, those that share a mark as one: its letters are there as often as it is cut."""
    for syllable, shared in groupby(objects, attrgetter("syllable")):
        if not syllable:
            yield from shared
            continue
        parts = list(shared)
        one = parts[0]
        lefts, tops, rights, bottoms = zip(*(part.ink for part in parts), strict=True)
        one.ink = min(lefts), max(tops), max(rights), min(bottoms)
        written = "".join(text[index] for index in one.chars)
        for part in parts[1:]:
            if not one.chars or "".join(text[index] for index in part.chars) != written:
                one.chars += part.chars
        yield one


def _boxes(objects: list[_Object], text_page: TextPage) -> dict[int, Box]:
    """The box of each character; those of a syllable share its width, and are of a line's height.

    PDFium gives a syllable the height of its ink, which tells nothing of the size of its letters.
    """
    plain = [index for one in objects if not one.syllable for index in one.chars]
    boxes = dict(zip(plain, text_page.boxes(plain), strict=True))
    heights: dict[float, tuple[float, float]] = {}
    for one in objects:
        if one.chars and not one.syllable:
            _, top, _, bottom = boxes[one.chars[0]]
            heights.setdefault(round(one.em, 1), (top - one.base, bottom - one.base))
    for one in objects:
        if one.syllable:
            left, top, right, bottom = one.ink
            above, below = heights.get(round(one.em, 1), (top - one.base, bottom - one.base))
            width = (right - left) / max(1, len(one.chars))
            for place, index in enumerate(one.chars):
                start = left + place * width
                boxes[index] = start, one.base + above, start + width, one.base + below
    return boxes


def _moved(box: Box, matrix: Matrix) -> Box:
    """The upright box around a box that a form moves."""
    a, b, c, d, e, f = matrix
    corners = [(x, y) for x in (box[0], box[2]) for y in (box[1], box[3])]
    xs = [a * x + c * y + e for x, y in corners]
    ys = [b * x + d * y + f for x, y in corners]
    return min(xs), max(ys), max(xs), min(ys)
