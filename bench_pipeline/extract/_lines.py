"""What a page is made of between its glyphs and its text."""

from dataclasses import dataclass, field
from typing import NamedTuple
from unicodedata import category

import regex

#: PDFium's mark for a hyphen at a line end
HYPHEN = "\ufffe"
#: a mark against the word after it; where letters have no case, the ending of an ordinal ("5वीं",
#: "12வது") stands so too, but is short
FOOTNOTE = regex.compile(
    r"(?:\d{1,2}|[*†‡§]{1,3})(?=\p{Lu})|\d{1,2}(?=\p{Lo}[\p{L}\p{M}]{3})|[*†‡§]{1,3}(?=\p{Lo})"
)


class Segment(NamedTuple):
    """Words that stand side by side. Points, y upwards, as the page is read upright."""

    text: str
    left: float
    bottom: float
    right: float
    top: float
    size: float
    bold: bool


@dataclass(slots=True)
class Line:
    """A line in reading order.

    `kind` is `body`, `row` (of a table) or `note` (beside the text, set before what it explains);
    `block` counts the columns and bands of the page, `left_edge` and `right_edge` are the block's.
    `heading` is set when paragraphs are made.
    """

    text: str
    left: float
    bottom: float
    right: float
    top: float
    size: float
    bold: bool
    kind: str = "body"
    block: int = 0
    left_edge: float = 0.0
    right_edge: float = 0.0
    heading: bool = False


@dataclass(slots=True)
class RawPage:
    """A page as a child process read it: lines in reading order, or why there are none."""

    number: int
    status: str
    reason: str | None = None
    height: float = 0.0
    lines: list[Line] = field(default_factory=list)


def letter_count(text: str) -> int:
    """How many characters are letters, or signs that belong to one, as vowel signs do."""
    letters = sum(map(str.isalpha, text))
    if text.isascii():
        return letters
    signs = [char for char in set(text) if char > "\u02ff" and category(char)[0] == "M"]
    return letters + sum(map(text.count, signs))
