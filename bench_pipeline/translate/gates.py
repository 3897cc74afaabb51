"""Hard gates of a translation: what a reader who knows neither language can hold against it.

Each has a reason of its own; all that hold are named. They read texts only, so that a change to
them is a new verdict on what is stored, never a call.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import regex

from bench_pipeline.contracts.languages import Language
from bench_pipeline.text import (
    fold_characters,
    hidden_characters,
    script_share,
    text_key,
    token_line,
    tokens,
)
from bench_pipeline.translate._words import head_pattern, tail_pattern
from bench_pipeline.translate.language_id import wrong_language
from bench_pipeline.translate.numbers import article_letter_changed, date_changed, numbers_differ

_LEAST_SCRIPT_SHARE = 0.6
_LEAST_ANSWER_SHARE = 0.5
_LEAST_RATIO, _MOST_RATIO = 0.35, 3.0
#: shorter texts have no length to compare
_LENGTH_FROM = 20
#: an acronym may be written out in an answer
_LONGER_ANSWER = 30
_PLACEHOLDER = regex.compile(r"\{[A-Za-z0-9_]+\}|(?<!\d\s?)%[sd]\b|_{3,}|</?[A-Za-z0-9_]+>")
_PREAMBLE = regex.compile(
    r"^\s*(?:sure|certainly|of course|here(?:'s| is)|translation|translated text|the translation|"
    r"note|okay|ok)\b[^\n]{0,60}?[:,.!\-–—]",
    regex.IGNORECASE,
)
_GARBLED = regex.compile(r"\ufffd|[\x00-\x08\x0b-\x1f\x7f-\x9f]|\\u[0-9a-fA-F]{4}|&#?\w{2,8};")
#: asks for a name that is Latin in every language
_SCIENTIFIC = regex.compile(r"\b(?:scientific|botanical|zoological) name\b", regex.IGNORECASE)
_HAS_WORD = regex.compile(r"[\p{L}\p{N}]")
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}]+")
_LATIN_WORD = regex.compile(r"[A-Za-z]{2,}")
#: A measure's symbol, a formula or an acronym is written alike everywhere.
_UNIT = regex.compile(r"(?<=\d\s?)[A-Za-zµ°/]{1,4}(?![A-Za-z])")
_LATIN_RUN = regex.compile(r"[\p{Latin}\p{Lu}]+")
_CAPITAL = regex.compile(r"\p{Lu}")
_MUTED = regex.compile(r"\p{L}[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d]$")
#: the innermost ones: a mark that opens again and again is passed once
_ASIDE = regex.compile(r"\([^()]*\)|\"[^\"]*\"|“[^“”]*”|'[^']*'|‘[^‘’]*’")
_SPACES = regex.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Source:
    """What is translated: an item's question and gold answer, in the source language."""

    item_id: str
    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Rendering:
    """What came back. `echo` is the source question as the translator repeats it, if it does.

    An `example` was made to show a lane; no translator stands behind it.
    """

    item_id: str
    question: str
    answer: str
    echo: str | None = None
    example: bool = False


def problems(
    source: Source, found: Rendering, language: Language, glossary: Mapping[str, str]
) -> list[str]:
    """The reasons why `found` is no translation of `source`; empty where none holds.

    `glossary` maps a source term to the term that the target language has for it.
    """
    if found.item_id != source.item_id:
        return ["id_mismatch"]
    if not _HAS_WORD.search(found.question) or not _HAS_WORD.search(found.answer):
        return ["empty"]
    asked, said = source.question, found.question
    held = {
        "echo_mismatch": found.echo is not None and text_key(found.echo) != text_key(asked),
        "source_echoed": _echoed(asked, said),
        "preamble": _has_preamble(asked, said),
        "text_added": _has_addition(source, found),
        "garbled": any(
            _GARBLED.search(new) and not _GARBLED.search(old)
            for old, new in ((asked, said), (source.answer, found.answer))
        ),
        "hidden_characters": any(
            hidden_characters(new, language.script) - hidden_characters(old)
            for old, new in ((asked, said), (source.answer, found.answer))
        ),
        "numbers_changed": numbers_differ(asked, said),
        "answer_numbers_changed": numbers_differ(source.answer, found.answer),
        "date_changed": date_changed(asked, said) or date_changed(source.answer, found.answer),
        "article_letter_changed": article_letter_changed(asked, said),
        "wrong_script": _in_wrong_script(asked, said, language.script),
        "answer_in_wrong_script": _answer_in_wrong_script(source, found, language.script),
        "placeholder_changed": _placeholders(said) != _placeholders(asked),
        "length_ratio": len(asked) >= _LENGTH_FROM
        and not _LEAST_RATIO <= len(said) / len(asked) <= _MOST_RATIO,
        "answer_too_long": len(found.answer) > _MOST_RATIO * len(source.answer) + _LONGER_ANSWER,
    }
    reasons = [reason for reason, holds in held.items() if holds]
    if other := wrong_language(_PLACEHOLDER.sub(" ", said), language):
        reasons.append(f"wrong_language: {other}")
    return reasons + _glossary_problems(source, found, glossary)


def _echoed(asked: str, said: str) -> bool:
    """Whether the source is given back, alone or inside of more text."""
    one, other = text_key(asked), text_key(said)
    return one == other or (len(one) >= _LENGTH_FROM and one in other)


def _has_preamble(asked: str, said: str) -> bool:
    if _PREAMBLE.match(said) and not _PREAMBLE.match(asked):
        return True
    if "translat" in asked.lower() or head_pattern().match(_line_by_line(asked)):
        return False
    return bool(head_pattern().match(_line_by_line(said)))


def _line_by_line(text: str) -> str:
    """The folded text without repeated spaces, over which the patterns of labels would go twice."""
    folded: str = _SPACES.sub(lambda m: "\n" if "\n" in m[0] else " ", fold_characters(text))
    return folded


def _has_addition(source: Source, found: Rendering) -> bool:
    """Whether an answer, a note or a line was added that its source does not have."""
    for old, new in ((source.question, found.question), (source.answer, found.answer)):
        if "\n" in new.strip() and "\n" not in old.strip():
            return True
        if tail_pattern().search(_line_by_line(new)) and not tail_pattern().search(
            _line_by_line(old)
        ):
            return True
    return len(source.question) >= _LENGTH_FROM and text_key(found.question) in text_key(
        found.answer
    )


def _placeholders(text: str) -> Counter[str]:
    """The placeholders of a text in no order, for verbs go last; a blank's length is no matter."""
    return Counter(regex.sub(r"_{3,}", "___", one) for one in _PLACEHOLDER.findall(text))


def _written(source: str, found: str) -> str:
    """What of `found` is to be in the target's script: no placeholder, code or aside of the source.

    An aside is what stands in quotes or brackets, such as a title beside its rendering.
    """
    asked = text_key(source)
    found = _ASIDE.sub(lambda m: " " if text_key(m[0][1:-1]) in asked else m[0], found)
    codes = {run.lower() for run in _LATIN_RUN.findall(source) if _is_code(run)}
    without: str = _UNIT.sub(" ", _without_codes(_PLACEHOLDER.sub(" ", found), codes))
    return without


def _is_code(run: str) -> bool:
    """Whether a run of letters is written like an acronym: two capitals, or one that is alone."""
    return len(_CAPITAL.findall(run)) >= 2 or (len(run) == 1 and run.isupper())


def _without_codes(text: str, codes: set[str] | None = None) -> str:
    """`text` with a space for each of those `codes`, in lower case, or for every code."""
    without: str = _LATIN_RUN.sub(
        lambda m: " " if _is_code(m[0]) and (codes is None or m[0].lower() in codes) else m[0], text
    )
    return without


def _in_wrong_script(asked: str, said: str, script: str) -> bool:
    written = _written(asked, said)
    if script_share(written, script) < _LEAST_SCRIPT_SHARE:
        return True
    if _third_script(asked, written, script):
        return True
    left = _LATIN_WORD.findall(_ASIDE.sub(" ", written))
    known = set(_LATIN_WORD.findall(asked))
    return any(len(word) >= 4 and word.islower() and word in known for word in left)


def _answer_in_wrong_script(source: Source, found: Rendering, script: str) -> bool:
    if _third_script(source.answer, found.answer, script):
        return True
    if not _WORD.search(_without_codes(_UNIT.sub(" ", source.answer))):
        return False
    if _SCIENTIFIC.search(source.question) and text_key(found.answer) == text_key(source.answer):
        return False
    written = _ASIDE.sub(" ", _written(source.answer, found.answer))
    return script_share(written, script) < _LEAST_ANSWER_SHARE


def _third_script(asked: str, said: str, script: str) -> bool:
    """Whether there are letters of a script that is neither the target's nor one of the source."""
    others = regex.sub(r"[\p{Latin}\p{Greek}\p{Common}\p{Inherited}]+", "", said)
    letters = "".join(c for c in regex.findall(r"\p{L}", others) if c not in asked)
    return bool(letters) and script_share(letters, script) < 1


def _glossary_problems(source: Source, found: Rendering, glossary: Mapping[str, str]) -> list[str]:
    asked = token_line(source.question) + token_line(source.answer)
    said = f"{token_line(found.question)}{token_line(found.answer)}"
    return [
        f"glossary: {term}"
        for term, target in glossary.items()
        if _names(asked, term) and not all(f" {_stem(word)}" in said for word in tokens(target))
    ]


def _names(asked: str, term: str) -> bool:
    line = token_line(term)
    return line in asked or f"{line[:-1]}s " in asked


def _stem(word: str) -> str:
    """A word without the ending that case changes: its last marks, and a letter that they mute."""
    stem: str = regex.sub(
        r"\p{L}?[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d]$", "", word
    )
    stem = regex.sub(r"\p{M}+$", "", stem)
    return stem if len(stem) >= 2 else word
