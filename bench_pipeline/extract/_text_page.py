"""One page's text as PDFium holds it: the calls, with their buffers made once.

ctypes spends twice a call's own time on its argument types, and a book needs 400,000 calls; so
those that are made for every word go to the same functions without types.
"""

import ctypes
import math
from collections import Counter, deque
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import repeat
from struct import Struct
from typing import Any, NamedTuple

_SAMPLE = 24
_FONT_NAME_BYTES = 128
#: PDFium's FS_RECTF: left, top, right, bottom
_RECTANGLE = Struct("4f")
_BATCH = 1024

#: left, top, right, bottom: points, y upwards
Box = tuple[float, float, float, float]


class _Functions(NamedTuple):
    box: Callable[..., int]
    font: Callable[..., int]
    angle: Callable[..., float]
    map_error: Callable[..., int]
    generated: Callable[..., int]
    rectangles: Any
    rectangle_references: list[Any]


@lru_cache(maxsize=1)
def _functions() -> _Functions:
    from pypdfium2 import raw

    def untyped(function: Any, result: Any = ctypes.c_int) -> Any:
        return ctypes.cast(function, ctypes.CFUNCTYPE(result))

    rectangles = (ctypes.c_float * (4 * _BATCH))()
    return _Functions(
        untyped(raw.FPDFText_GetLooseCharBox),
        untyped(raw.FPDFText_GetFontInfo, ctypes.c_ulong),
        untyped(raw.FPDFText_GetCharAngle, ctypes.c_float),
        untyped(raw.FPDFText_HasUnicodeMapError),
        untyped(raw.FPDFText_IsGenerated),
        rectangles,
        [ctypes.byref(rectangles, _RECTANGLE.size * place) for place in range(_BATCH)],
    )


class TextPage:
    """What is asked of one page; `text_page` is PDFium's own.

    Boxes are upright once `stand_upright` has found how the writing is turned. Indices are PDFium's
    until `read_as` gives others.
    """

    def __init__(self, text_page: Any) -> None:
        self._typed = text_page
        self._page = ctypes.cast(text_page, ctypes.c_void_p)
        self._calls = _functions()
        self._name = ctypes.create_string_buffer(_FONT_NAME_BYTES)
        self._name_size = ctypes.c_ulong(_FONT_NAME_BYTES)
        self._flags = ctypes.byref(ctypes.c_int())
        self.quarter_turns = 0
        self._indices: list[int] | None = None
        self._boxes: dict[int, Box] = {}

    @property
    def address(self) -> Any:
        """Where PDFium keeps the page."""
        return self._page

    def read_as(self, indices: list[int], boxes: dict[int, Box]) -> None:
        """From now on count characters as `indices` does, and take these boxes before PDFium's."""
        self._indices, self._boxes = indices, boxes

    def text(self) -> str:
        """The characters; index n of the string is PDFium's index n."""
        from pypdfium2 import raw

        page = self._typed
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

    def boxes(self, indices: Sequence[int]) -> list[Box]:
        """The boxes of characters by their indices."""
        if self._indices is not None:
            order = self._indices
            return [self._boxes[order[index]] for index in indices]
        calls, found = self._calls, list[Box]()
        for begin in range(0, len(indices), _BATCH):
            batch = indices[begin : begin + _BATCH]
            results = map(calls.box, repeat(self._page), batch, calls.rectangle_references)
            deque(results, maxlen=0)
            written = memoryview(calls.rectangles).cast("B")[: _RECTANGLE.size * len(batch)]
            found += _RECTANGLE.iter_unpack(written)
        return upright(found, self.quarter_turns)

    def font(self, index: int) -> str:
        """The name of the font that a character is set in, empty where it has none."""
        index = index if self._indices is None else self._indices[index]
        size = self._calls.font(self._page, index, self._name, self._name_size, self._flags)
        return self._name.value.decode("utf-8", "replace") if 0 < size <= _FONT_NAME_BYTES else ""

    def map_errors(self, indices: Sequence[int]) -> int:
        """How many of these characters have no Unicode value by PDFium's own word."""
        has_error, page, order = self._calls.map_error, self._page, self._indices
        own = indices if order is None else [order[index] for index in indices]
        return sum(has_error(page, index) == 1 for index in own)

    def is_generated(self, index: int) -> bool:
        """Whether PDFium added the character where it saw a gap; `index` is PDFium's."""
        return self._calls.generated(self._page, index) == 1

    def stand_upright(self, starts: Sequence[int]) -> None:
        """Turn all boxes by the quarter turns that most of the writing is turned by."""
        angle, page, quarter = self._calls.angle, self._page, math.pi / 2
        turns = Counter(round(angle(page, index) / quarter) % 4 for index in sample(starts))
        self.quarter_turns = turns.most_common(1)[0][0] if turns else 0


def sample(starts: Sequence[int]) -> Sequence[int]:
    """A few of the words of a page, spread over it."""
    return starts[:: max(1, len(starts) // _SAMPLE)]


def upright(boxes: list[Box], quarter_turns: int) -> list[Box]:
    """The boxes as they stand when writing that is turned so far, clockwise, is turned back."""
    turn = _TURNS.get(quarter_turns)
    return boxes if turn is None else list(map(turn, boxes))


_TURNS: dict[int, Callable[[Box], Box]] = {
    1: lambda box: (-box[1], box[2], -box[3], box[0]),
    2: lambda box: (-box[2], -box[3], -box[0], -box[1]),
    3: lambda box: (box[3], -box[0], box[1], -box[2]),
}
