"""Running heads, feet and folios: what stands in one place of page after page.

A line goes when its text returns at the same height on pages nearby, or when its number counts
the pages. A line that stands once stays, wherever it stands.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from statistics import median

import regex

from bench_pipeline.extract._lines import Line, RawPage
from bench_pipeline.text import fold_digits

_TOP_LINES, _BOTTOM_LINES = 4, 3
#: points by which a running head may move, and pages within which it must return
_SAME_HEIGHT, _NEARBY = 4.0, 6
#: in heights of a line: how far apart two lines of one running head may stand
_APART = 4.0
#: from this many pages on, a head whose wording changes with its section is known by likeness
_LONG, _ALIKE = 8, 0.6
_FOLIO = regex.compile(
    r"[\[({\-–—|• ]*(?:(?:page|pg\.?|p\.|पृष्ठ)\s*)?"
    r"(\d{1,4}|[ivxlc]+)(?:\s*(?:of|/)\s*\d+)?[\])}\-–—|• ]*"
)
_FOOTNOTE = regex.compile(r"\d{1,2}\p{L}|[*†‡§]")
_EDGE = regex.compile(r"(?:^|\s)[\[(]?(\d{1,4}|[ivxlc]+)[\])]?(?:\s|$)")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


@dataclass(slots=True)
class _Candidate:
    page: int
    line: Line
    height: float
    """of its lower edge, in points"""
    zone: str
    rank: int
    folded: str
    numbers: list[tuple[int, bool, str]]
    """each number that may be a folio: its value, whether roman, and the text without it"""
    stands_apart: bool
    """whether a returning text may be furniture: no footnote, and no row within a table"""


def without_furniture(pages: list[RawPage]) -> list[tuple[str, ...]]:
    """Take the furniture out of the pages' lines; what was taken out, a page each."""
    candidates = [one for page in pages for one in _candidates(page)]
    read = sum(1 for page in pages if page.lines)
    offsets = _folio_offsets(candidates, read)
    taken: set[int] = set()
    keys: dict[tuple[str, str], list[_Candidate]] = defaultdict(list)
    for one in candidates:
        key = one.folded
        for value, roman, rest in one.numbers:
            if (roman, value - one.page) in offsets:
                key = rest
        if key == "":
            taken.add(id(one.line))
        else:
            keys[one.zone, key].append(one)
    least = 2 if read > 3 else 1
    for group in keys.values():
        taken.update(
            id(one.line) for one in group if one.stands_apart and _returns(one, group, least)
        )
    if read >= _LONG:
        taken |= _changing_heads(candidates, taken)
    taken = _from_the_edge(candidates, taken)
    removed = []
    for page in pages:
        removed.append(tuple(line.text for line in page.lines if id(line) in taken))
        page.lines = [line for line in page.lines if id(line) not in taken]
    return removed


def _candidates(page: RawPage) -> list[_Candidate]:
    lines = sorted(page.lines, key=lambda line: -line.bottom)
    found = [(line, "top", rank) for rank, line in enumerate(lines[:_TOP_LINES])]
    # on a short page a line may stand near both edges
    found += [(line, "bottom", rank) for rank, line in enumerate(reversed(lines[-_BOTTOM_LINES:]))]
    candidates = []
    for line, zone, rank in found:
        folded = " ".join(fold_digits(line.text).casefold().split())
        above = next((other for other in reversed(lines) if other.bottom > line.top - 1), None)
        close = above is not None and above.bottom - line.top < 0.4 * line.size
        inside = line.kind == "row" and rank > 1
        apart = not inside and (zone == "top" or not (close or _FOOTNOTE.match(line.text)))
        candidates.append(
            _Candidate(page.number, line, line.bottom, zone, rank, folded, _numbers(folded), apart)
        )
    return candidates


def _numbers(folded: str) -> list[tuple[int, bool, str]]:
    """The numbers of a line that may count pages: alone, or at its beginning or end."""
    alone = _FOLIO.fullmatch(folded)
    if alone:
        return [(*_value(alone.group(1)), "")]
    found = []
    for match in _EDGE.finditer(folded):
        if match.start() == 0 or match.end() == len(folded):
            rest = (folded[: match.start()] + " " + folded[match.end() :]).strip()
            found.append((*_value(match.group(1)), rest))
    return found


def _value(number: str) -> tuple[int, bool]:
    if number.isdigit():
        return int(number), False
    values = [_ROMAN[char] for char in number]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(-value if value < after else value for value, after in pairs), True


def _folio_offsets(candidates: list[_Candidate], read: int) -> set[tuple[bool, int]]:
    """Differences between printed and real page numbers that several pages share."""
    pages: dict[tuple[bool, int], set[int]] = defaultdict(set)
    for one in candidates:
        for value, roman, _ in one.numbers:
            pages[roman, value - one.page].add(one.page)
    least = 3 if read > 3 else 2
    return {offset for offset, seen in pages.items() if len(seen) >= least}


def _returns(one: _Candidate, group: list[_Candidate], least: int) -> bool:
    """Whether the same text stands at the same height on at least `least` other pages nearby."""
    near = {
        other.page
        for other in group
        if 0 < abs(other.page - one.page) <= _NEARBY
        and abs(other.height - one.height) <= _SAME_HEIGHT
    }
    return len(near) >= least


def _from_the_edge(candidates: list[_Candidate], taken: set[int]) -> set[int]:
    """Of the lines taken, those that reach in from the page's edge without a line or gap between.

    Body text that happens to return at one height is parted from a folio by a gap.
    """
    kept: set[int] = set()
    outer: dict[tuple[int, str], _Candidate | None] = {}
    for one in candidates:
        place = (one.page, one.zone)
        last = outer.get(place, one)
        near = last is not None and abs(last.height - one.height) <= _APART * one.line.size
        if near and id(one.line) in taken:
            kept.add(id(one.line))
            outer[place] = one
        else:
            outer[place] = None
    return kept


def _changing_heads(candidates: list[_Candidate], taken: set[int]) -> set[int]:
    """Second lines of running heads, whose section or article numbers change from page to page."""
    heads = [one for one in candidates if one.zone == "top"]
    pages_with = Counter(one.page for one in heads if id(one.line) in taken)
    sizes = [one.line.size for one in candidates]
    largest = 1.15 * median(sizes) if sizes else 0.0
    unknown = [
        one
        for one in heads
        if id(one.line) not in taken and pages_with[one.page] and one.line.size <= largest
    ]
    by_page: dict[int, list[_Candidate]] = defaultdict(list)
    for one in heads:
        by_page[one.page].append(one)
    found = set()
    for one in unknown:
        reach = _SAME_HEIGHT * (4 if one.folded[0] in "([" else 1)
        alike = 0
        for page in range(one.page - _NEARBY, one.page + _NEARBY + 1):
            alike += page != one.page and any(
                abs(other.height - one.height) <= reach
                and _likeness(_shape(one.folded), _shape(other.folded)) >= _ALIKE
                for other in by_page.get(page, ())
            )
        if alike >= 3:
            found.add(id(one.line))
            if one.folded[0] in "([" and one.folded[-1] not in ")]":
                found |= _rest_of(one, by_page[one.page])
    return found


def _rest_of(head: _Candidate, lines: list[_Candidate]) -> set[int]:
    """The line after a head in brackets that are still open, when it closes them."""
    return {
        id(one.line)
        for one in lines
        if one.rank == head.rank + 1 and one.folded[-1] in ")]" and len(one.folded) < 60
    }


@lru_cache(maxsize=65_536)
def _shape(folded: str) -> str:
    numberless: str = regex.sub(r"\b(?:\d+\p{L}{0,2}|[ivxlc]+)\b|\.{3,}", "#", folded)
    return numberless


@lru_cache(maxsize=65_536)
def _likeness(one: str, other: str) -> float:
    if one[:1] == other[:1] and one[:1] in ("(", "[") and _ends_alike(one, other):
        return 1.0
    if one[:3] != other[:3] or not any(map(str.isalpha, one[:3])):
        return 0.0
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def _ends_alike(one: str, other: str) -> bool:
    """Whether two heads in brackets begin or end with the same word, as titles of parts do."""
    words, others = one.split(), other.split()
    return words[0] == others[0] or (len(words) > 1 and words[-1] == others[-1])
