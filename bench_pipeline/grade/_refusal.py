"""Refusals in words: the clauses of an answer that decline, and whether nothing else is said."""

import re
from dataclasses import dataclass
from functools import lru_cache

from bench_pipeline.grade._phrases import compile_phrases, phrase_source
from bench_pipeline.grade._sentences import sentences
from bench_pipeline.text import text_key, token_line
from bench_pipeline.text._number_words import read_reference

_CLAUSE = re.compile(
    r",?\s(?=(?:but|however|though|although|yet|except|other than|nevertheless|"
    r"still|lekin|magar|लेकिन|परंतु|किंतु|मगर)[\s,])"
    r"|[:\u2014](?=\s)|\s-\s|,\s(?=(?:it|the answer|my best|maybe|perhaps|probably|"
    r"so|i think|i believe|i would|i'd)\s)"
)
_TRIGGER = re.compile(
    r"can't|cannot|can not|won't|will not|could|unable|not able|not |n't|no |"
    r"decline|refuse|i'd|i would|as an? |my |"
    r"insufficient|sorry|नहीं|असमर्थ|nahi|unknown|n/a|none|null|known|available|"
    r"अज्ञात|^\W*na\W*$|^\s*\?\s*$"
)


@dataclass(frozen=True, slots=True)
class _Phrases:
    refusing: "re.Pattern[str]"
    never: "re.Pattern[str]"
    whole: frozenset[str]
    apologies: frozenset[str]


@lru_cache(maxsize=1)
def _phrases() -> _Phrases:
    data = read_reference("refusals.yaml")
    whole = frozenset(text_key(str(entry)) for entry in data["whole"])
    apologies = frozenset(token_line(str(entry)) for entry in data["apologies"])
    return _Phrases(
        compile_phrases(data["phrases"]), compile_phrases(data["never"]), whole, apologies
    )


@lru_cache(maxsize=1)
def refusing_source() -> str:
    """The refusing phrases without their token edges: a necessary condition, for engines that have
    no look-around.
    """
    return "|".join(phrase_source(phrase) for phrase in read_reference("refusals.yaml")["phrases"])


@lru_cache(maxsize=1)
def whole_refusal_lines() -> list[str]:
    """The token lines of the whole answers that say that there is none."""
    return sorted({token_line(entry) for entry in _phrases().whole})


def may_refuse(folded: str) -> bool:
    """A cheap necessary condition of a refusal."""
    return _TRIGGER.search(folded) is not None


def _clauses(text: str) -> list[tuple[int, int]]:
    found = []
    for start, end in sentences(text):
        position = start
        for match in _CLAUSE.finditer(text, start, end):
            if match.start() > position:
                found.append((position, match.start()))
            position = match.end()
        if position < end:
            found.append((position, end))
    return found


def refusal_spans(text: str) -> list[tuple[int, int]]:
    """The spans of the clauses of a folded text that decline to answer."""
    if not may_refuse(text):
        return []
    phrases = _phrases()
    if text_key(text) in phrases.whole:
        return [(0, len(text))]
    if phrases.refusing.search(text) is None:
        return []
    spans = []
    for start, end in _clauses(text):
        clause = text[start:end]
        if phrases.refusing.search(clause) and not phrases.never.search(clause):
            spans.append((start, end))
    if spans:
        # an apology beside a refusal is part of it, not an answer
        spans += [
            (start, end)
            for start, end in _clauses(text)
            if token_line(text[start:end]) in phrases.apologies
        ]
    return sorted(spans)


def is_refusal(text: str) -> bool:
    """Whether any clause of a folded text declines to answer."""
    return bool(refusal_spans(text))
