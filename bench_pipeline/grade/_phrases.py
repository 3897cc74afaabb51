"""Phrase lists as patterns: the small syntax of `refusals.yaml` and `hedges.yaml`."""

import re
from collections.abc import Iterable

from bench_pipeline.text._number_words import folded_word

_WORDS = r"(?:[^\s.!?;\n]{1,20}\s{1,2}){0,3}"
_EDGE = "a-z0-9\u0900-\u0963"
_TOKEN = re.compile(r"\.\.\. ?|[()|]| |[^()| ]+?(?=\.\.\.|[()| ]|$)")


def phrase_source(phrase: str) -> str:
    """The pattern of one phrase, for folded text."""
    pieces = []
    for token in _TOKEN.findall(folded_word(phrase)):
        if token.startswith("..."):
            pieces.append(_WORDS)
        elif token == "(":
            pieces.append("(?:")
        elif token in ")|":
            pieces.append(token)
        elif token == " ":
            pieces.append(r"[\s*_]{1,3}")
        else:
            pieces.append(re.escape(token))
    source = "".join(pieces)
    # Three words may be none, and the space before them stays.
    return source.replace(r"[\s*_]{1,3}" + _WORDS, r"[\s*_]{1,3}" + _WORDS)


def compile_phrases(phrases: Iterable[str]) -> "re.Pattern[str]":
    """One pattern for a list of phrases, each on whole-token boundaries."""
    sources = "|".join(phrase_source(phrase) for phrase in phrases)
    return re.compile(rf"(?<![{_EDGE}])(?:{sources})(?![{_EDGE}])")
