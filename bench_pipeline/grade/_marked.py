"""The parts of an answer that its author marked as the answer.

`\\boxed{}` and "Final answer:" outrank "Answer:", which outranks bold, which outranks a concluding
sentence. A mark that is taken back later ("wait, actually ...") is no mark.
"""

import re
from dataclasses import dataclass
from enum import IntEnum

from bench_pipeline.grade._sentences import sentence_end


class Tier(IntEnum):
    """How strong a mark is; smaller is stronger."""

    FINAL = 0
    ANSWER = 1
    BOLD = 2
    CONCLUSION = 3


@dataclass(frozen=True, slots=True)
class Region:
    """A half-open span of the folded text, marked by `rule`."""

    tier: Tier
    start: int
    end: int
    rule: str


# A text with more marks than this marks nothing.
_MAX_REGIONS = 48

_WORDS = r"(?:answer|ans|उत्तर|जवाब|uttar|jawab|javab)"
_FINAL = r"(?P<final>(?:final|correct|अंतिम|सही|antim|sahi)\s{1,3})?"
_EDGE = r"(?<![a-z0-9_\u0900-\u0963])"
_LABEL = re.compile(
    _EDGE + _FINAL + _WORDS + r"(?:\s{1,2}(?:is|है|hai))?\s{0,2}[*_\"']{0,3}\s{0,2}(?:[:=]|-(?=\s)|"
    r"(?<=ans)\.(?=\s))[*_\s>$]{0,9}"
)
_HEADING = re.compile(
    r"(?:^|\n)[#*_\s]{0,9}" + _FINAL + _WORDS + r"[*_#\s]{0,6}\n[\s>*_]{0,9}(?=\S)"
)
_PHRASE = re.compile(
    _EDGE
    + r"(?:the\s{1,2})?"
    + _FINAL
    + r"answer\s{1,2}(?:here\s{1,2})?(?:is|was|would be|will be|must be|comes to|"
    r"equals)[\s:,*_]{1,6}"
)
_HINDI_PHRASE = re.compile(
    _EDGE + r"(?:(?:इसका|इस का|सही|अंतिम|अतः|इसलिए|iska|sahi|antim)\s{1,2}){1,2}(?:उत्तर|"
    r"जवाब|uttar|jawab)[\s:,*_]{1,6}"
    r"(?!प्रदेश|भारत|pradesh|bharat)"
    r"|" + _EDGE + r"(?:उत्तर|जवाब|jawab|uttar)\s{1,2}(?:है|hai|होगा|hoga)[\s:,*_]{1,6}"
)
_BOXED = re.compile(
    r"\\(?:boxed|fbox)\s{0,2}\{((?:[^{}]|\{(?:[^{}]|\{[^{}]{0,99}\}){0,99}\}){0,300})\}"
)
_BOLD = re.compile(
    r"\*\*(?=[^\s*])([^\n]{1,300}?)\*\*|__(?=[^\s_])([^\n]{1,300}?)__|<(?:b|"
    r"strong)>([^\n<]{1,300})</(?:b|strong)>"
    r"|(?<![*\w\\])\*(?=[^\s*])([^*\n]{1,200})(?<=[^\s*])\*(?![*\w])"
)
_CONCLUSION = re.compile(
    r"(?:(?:^|[.!?;:,\n]\s{0,3}|[*_#>-]\s{0,2})(?:so|इसलिए|तो|overall|finally)"
    r"|(?<![a-z\u0900-\u0963])(?:therefore|thus|hence|accordingly|in conclusion|to "
    r"conclude|in short|in total|अतः|इस प्रकार|isliye))"
    r"(?=[\s,:*])[\s,:*]{0,4}"
)
_ANY_WORD = re.compile(r"answer|ans|उत्तर|जवाब|uttar|jawab|javab")
_LINE_LEAD = " \t>*#-•.)0123456789"
_REJECTED = re.compile(
    r"(?:wrong|incorrect|common|possible|naive|not the|isn't the|first|initial|"
    r"previous|expected|tempting|गलत|galat)"
    r"\s{1,2}(?:\w{1,12}\s{1,2})?$"
)
_RETRACTED = re.compile(
    r"(?<![a-z])(?:wait|correction|oops|scratch that|on second thought|i made an? "
    r"(?:mistake|error)|i was wrong|"
    r"let me (?:re|correct|fix|double)|no, (?:it|that)|sorry, (?:it|that|i meant)|"
    r"actually,? (?:it|the|no|that|this)|"
    r"माफ़ कीजिए|गलती हो गई)"
)


def _labels(text: str) -> list[Region]:
    regions = []
    patterns = (
        (_LABEL, "answer_label"),
        (_HEADING, "answer_heading"),
        (_PHRASE, "answer_phrase"),
        (_HINDI_PHRASE, "answer_phrase"),
    )
    for pattern, rule in patterns:
        for match in pattern.finditer(text):
            if _REJECTED.search(
                text[max(0, match.start() - 30) : match.start() + 1].rstrip() + " "
            ):
                continue
            final = pattern is not _HINDI_PHRASE and match["final"]
            tier = (
                Tier.FINAL if final and final.strip() in ("final", "अंतिम", "antim") else Tier.ANSWER
            )
            regions.append(Region(tier, match.end(), sentence_end(text, match.end()), rule))
    return regions


def _boxed(text: str) -> list[Region]:
    return [Region(Tier.FINAL, *match.span(1), "boxed") for match in _BOXED.finditer(text)]


def _bold(text: str) -> list[Region]:
    regions = []
    for match in _BOLD.finditer(text):
        group = match.lastindex or 0
        start, end = match.span(group)
        after = text[match.end() : match.end() + 2].lstrip()[:1]
        heading = text[start:end].rstrip().endswith(":")
        if after == ":":
            heading = not text[text.rfind("\n", 0, match.start()) + 1 : match.start()].strip(
                _LINE_LEAD
            )
        if not heading:
            regions.append(Region(Tier.BOLD, start, end, "bold"))
    return regions


def _conclusion(text: str) -> list[Region]:
    """The last concluding sentence; an earlier "so" is a step on the way."""
    last = None
    for match in _CONCLUSION.finditer(text):
        last = match
    if last is None:
        return []
    return [Region(Tier.CONCLUSION, last.end(), sentence_end(text, last.end()), "conclusion")]


def is_retracted(text: str) -> bool:
    """Whether a folded text takes an earlier statement back."""
    return _RETRACTED.search(text) is not None


def find_regions(text: str) -> list[Region]:
    """The marked regions of a folded text, strongest first; none where something is taken back."""
    regions = _labels(text) if _ANY_WORD.search(text) else []
    if "\\" in text:
        regions += _boxed(text)
    if "*" in text or "_" in text or "<" in text:
        regions += _bold(text)
    regions += _conclusion(text)
    if not regions or len(regions) > _MAX_REGIONS or is_retracted(text):
        return []
    return sorted(regions, key=lambda region: (region.tier, region.start))
