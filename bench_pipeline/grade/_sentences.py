"""Where a sentence of folded text ends: enough to bound a region, not a full segmenter."""

import re

_END = re.compile(r"[.!?;](?=[\s*_\"')\]|]|$)|\n")
_ABBREVIATION = re.compile(
    r"(?:^|[^a-z])(?:rs|re|no|nos|approx|sq|cu|i\.e|e\.g|viz|vs|dr|mr|mrs|ms|st|sec|art|govt|dept|"
    r"jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec|ans|fig|रु|[b-hj-z]|[a-z]\.[a-z])$"
)
_LIST_NUMBER = re.compile(r"(?:^|\n)[\s>*#_(-]{0,8}\d{1,2}$")


def sentence_end(text: str, start: int) -> int:
    """Index of the mark that ends the sentence containing `start`, or the length of the text."""
    for match in _END.finditer(text, start):
        position = match.start()
        if text[position] == ".":
            before = text[max(0, position - 8) : position]
            if _ABBREVIATION.search(before) or _LIST_NUMBER.search(before):
                continue
        return position
    return len(text)


def sentences(text: str) -> list[tuple[int, int]]:
    """The spans of the non-blank sentences and lines of a folded text."""
    spans = []
    start = 0
    while start < len(text):
        end = sentence_end(text, start)
        if text[start:end].strip():
            spans.append((start, end))
        start = end + 1
    return spans
