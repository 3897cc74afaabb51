"""From lines to the text of a page: paragraphs, headings, rows, and words whole again."""

import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

import regex

from bench_pipeline.extract._lines import FOOTNOTE, HYPHEN, Line, RawPage

_TERMINAL = regex.compile(r"[.;:?!।॥۔—][\"'”’)\]]*(?:\d*|[*†‡§]{1,3})$")
_LISTED = regex.compile(
    r"[\d\[*†“\"]*(?:\(\p{L}{1,5}\)|\(\p{Nd}+[A-Z]{0,2}\)|\p{Nd}+[A-Z]{0,3}\.(?=\s)|[•▪–]\s)"
)
_WORD = regex.compile(r"[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*")
_BROKEN = regex.compile(
    rf"(\S*?)([\p{{L}}\p{{M}}\p{{N}}]*){HYPHEN}[\s{HYPHEN}]*([\p{{L}}\p{{M}}\p{{N}}]*)"
)
# a hyphen that PDFium did not mark, as before digits and at a page's end
_HYPHENED = regex.compile(r"[\p{L}\p{M}\p{N}][-\u2010\u00ad\ufffe]$")
_HYPHENS = "-\u2010\u00ad\ufffe"
# these keep their hyphen where the document itself does not show how it writes the word
_KEEPING = frozenset(
    ["north", "south", "east", "west", "non", "self", "ex", "vice", "well", "quasi", "semi", "sub"]
)
# a fraction or a compound of number words keeps its hyphen; "seventy" is none
_NUMBER = (
    "one|two|three|four|five|six|seven|eight|nine|twenty|thirty|forty|fifty|sixty|seventy|eighty|"
    "ninety"
)
_NUMBERED = regex.compile(
    rf"(?:{_NUMBER})-(?:{_NUMBER}|first|second|(?:half|third|quarter|fourth|fifth|sixth|seventh|"
    r"eighth|ninth|tenth|twentieth)s?)"
)
_LIGATURES = {
    "\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl",
    "\ufb05": "st", "\ufb06": "st",
}  # fmt: skip
_DROPPED = regex.compile(r"[\p{Cc}\p{Co}\ufffd\u00ad\u200b\u2060\ufeff]")


@dataclass(slots=True)
class _Paragraph:
    """`end` is what stands after it: an empty line, or a line end after a heading or a row."""

    text: str
    end: str = "\n\n"


class _Words:
    """The words that a document writes whole, by which a broken one is mended."""

    def __init__(self, pages: list[RawPage]) -> None:
        # a book repeats its words: taken apart once each, not ten times over
        seen: set[str] = set()
        broken = False
        for line in (line for page in pages for line in page.lines):
            parts = line.text.split()
            # a word with its other half on the next line says nothing of how it is written
            first, broken = int(broken), line.text[-1] == HYPHEN
            seen.update(parts[first : len(parts) - broken])
        different = " ".join(word for word in seen if HYPHEN not in word)
        self._known = {word.casefold() for word in _WORD.findall(different)}

    def mended(self, left: str, right: str) -> str:
        """Both halves as one word, with its hyphen where it has one."""
        hyphened = f"{left}-{right}"
        if not right or not left or left[-1].isdigit() or right[0].isdigit() or right[0].isupper():
            return hyphened
        plain = (left + right).casefold()
        if plain in self._known:
            return left + right
        folded = hyphened.casefold()
        if folded in self._known or left.casefold() in _KEEPING or _NUMBERED.fullmatch(folded):
            return hyphened
        return left + right


def page_texts(pages: list[RawPage]) -> list[str]:
    """The text of each page; a word that breaks over a page's end is whole on the first."""
    words = _Words(pages)
    parts = [list(_paragraphs(page.lines)) for page in pages]
    filled = [part for part in parts if part]
    for part, following in pairwise(filled):
        body = [one for one in part if not FOOTNOTE.match(one.text)]
        opening = following[0]
        if body and _is_broken(body[-1].text) and opening.text[0].islower():
            head, _, opening.text = opening.text.partition(" ")
            body[-1].text = body[-1].text[:-1] + HYPHEN + head
    return [_text(part, words) for part in parts]


def _text(paragraphs: list[_Paragraph], words: _Words) -> str:
    written = []
    for paragraph in paragraphs:
        text = paragraph.text
        if HYPHEN in text:
            text = _BROKEN.sub(lambda m: m.group(1) + words.mended(m.group(2), m.group(3)), text)
        if not text.isascii():
            for ligature, letters in _LIGATURES.items():
                text = text.replace(ligature, letters)
        if not text.isprintable():
            text = _DROPPED.sub("", text)
        text = unicodedata.normalize("NFC", " ".join(text.split()))
        if text:
            written.append(text + paragraph.end)
    return "".join(written).rstrip("\n")


def _paragraphs(lines: list[Line]) -> Iterator[_Paragraph]:
    if not lines:
        return
    pitch = _pitches(lines)
    size = _body_size(lines)
    for line, following in zip(lines, [*lines[1:], None], strict=True):
        line.heading = _is_heading(line, following, size)
    open_lines: list[Line] = []
    for index, line in enumerate(lines):
        if open_lines and _breaks(open_lines, line, pitch.get(line.block, 0.0)):
            yield _closed(open_lines, line)
            open_lines = []
        open_lines.append(line)
        if line.kind != "body":
            yield _closed(open_lines, lines[index + 1] if index + 1 < len(lines) else None)
            open_lines = []
    if open_lines:
        yield _closed(open_lines, None)


def _body_size(lines: list[Line]) -> float:
    """The size that most characters are set in."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(line.size * 2) / 2] += len(line.text)
    return sizes.most_common(1)[0][0]


def _pitches(lines: list[Line]) -> dict[int, float]:
    """The usual distance from line to line, a block."""
    steps: dict[int, list[float]] = {}
    for before, line in pairwise(line for line in lines if line.kind == "body"):
        step = before.bottom - line.bottom
        if before.block == line.block and 0.5 * line.size < step < 3 * line.size:
            steps.setdefault(line.block, []).append(step)
    return {block: median(found) for block, found in steps.items()}


def _breaks(open_lines: list[Line], line: Line, pitch: float) -> bool:
    """Whether a paragraph ends before `line`."""
    last = open_lines[-1]
    if line.kind != "body" or last.heading or line.heading:
        return not _goes_on(last, line)
    # most lines end in a letter, and are not searched through
    ended = not last.text[-1:].isalpha() and _TERMINAL.search(last.text) is not None
    opens_small = line.text[:1].islower() or last.text[-1:] == HYPHEN
    step = last.bottom - line.bottom
    full = last.right >= last.right_edge - 2.5 * last.size
    if last.block != line.block or step < -line.size:
        return ended or not (opens_small or (full and _run_on(last, line)))
    if pitch and step > 1.9 * max(pitch, line.size):
        return True
    if max(last.size, line.size) > 1.2 * min(last.size, line.size) and not opens_small:
        return True
    if full and not ended and opens_small:
        return False
    if pitch and step > 1.3 * pitch:
        return True
    opens_item = FOOTNOTE.match(line.text) or _LISTED.match(line.text)
    if opens_item and (ended or not full):
        return True
    indented = line.left > last.left + 0.8 * line.size
    return (indented and not opens_small) or (ended and not full and not opens_small)


def _run_on(last: Line, line: Line) -> bool:
    """Whether both have the words of running lines, and none of a footnote or list begins."""
    opens_item = FOOTNOTE.match(line.text) or _LISTED.match(line.text)
    return min(last.text.count(" "), line.text.count(" ")) >= 3 and not opens_item


def _goes_on(last: Line, line: Line) -> bool:
    """Whether two lines are one heading, set on two lines for want of room."""
    wide = last.right - last.left > 0.7 * (last.right_edge - last.left_edge)
    return (
        last.heading
        and line.heading
        and wide
        and abs(last.size - line.size) < 0.1 * line.size
        and 0 < last.bottom - line.bottom < 1.6 * line.size
    )


def _is_heading(line: Line, following: Line | None, size: float) -> bool:
    """Large, or short and centred; neither the end of a sentence nor the beginning of one."""
    large = line.size > 1.25 * size
    left, right, least = line.left - line.left_edge, line.right_edge - line.right, 2 * line.size
    centred = left > least and right > least and abs(left - right) < 1.25 * least
    if not (large or centred) or line.kind != "body" or len(line.text) > 120:
        return False
    if following is not None and following.kind == "body" and following.text[0].islower():
        return False
    if line.text[0].islower() or line.text[-1] in ".;,:—।" or _LISTED.match(line.text):
        return False
    return any(map(str.isalpha, line.text))


def _is_broken(text: str) -> bool:
    """Whether a line ends within a word."""
    return text[-1:] in _HYPHENS and _HYPHENED.search(text) is not None


def _closed(lines: list[Line], following: Line | None) -> _Paragraph:
    first = lines[0]
    if first.kind == "row":
        end = "\n" if following is not None and following.kind == "row" else "\n\n"
    else:
        heading = first.kind == "note" or all(line.heading for line in lines)
        end = "\n" if heading and following is not None and following.kind != "row" else "\n\n"
    text = lines[0].text
    for before, line in pairwise(lines):
        if _is_broken(before.text) and line.text[0].isalnum():
            text = text[:-1] + HYPHEN
        text += " " + line.text
    return _Paragraph(text, end)
