"""Hard gates of a translation: what a reader who knows neither language can hold against it.

Each has a reason of its own; all that hold are named. They read texts only, so that a change to
them is a new verdict on what is stored, never a call.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from bench_pipeline.contracts.languages import Language
from bench_pipeline.text import fold_digits, script_share, text_key, token_line

_LEAST_SCRIPT_SHARE = 0.6
_LEAST_RATIO, _MOST_RATIO = 0.35, 3.0
#: shorter texts have no length to compare
_LENGTH_FROM = 20
_NUMBER = re.compile(r"\d+(?:[.,/:-]\d+)*")
_PLACEHOLDER = re.compile(r"\{[A-Za-z0-9_]+\}|%\w|_{3,}|<[A-Za-z0-9_]+>")
_PREAMBLE = re.compile(
    r"^\s*(?:sure|certainly|of course|here(?:'s| is)|translation|translated text|the translation|"
    r"note|okay|ok)\b[^\n]{0,60}?[:,.!\-–—]",
    re.IGNORECASE,
)
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")


@dataclass(frozen=True, slots=True)
class Source:
    """What is translated: an item's question and gold answer, in the source language."""

    item_id: str
    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Rendering:
    """What came back. `echo` is the source question as the translator repeats it, if it does."""

    item_id: str
    question: str
    answer: str
    echo: str | None = None


def problems(
    source: Source, found: Rendering, language: Language, glossary: Mapping[str, str]
) -> list[str]:
    """The reasons why `found` is no translation of `source`; empty where none holds.

    `glossary` maps a source term to the term that the target language has for it.
    """
    if found.item_id != source.item_id:
        return ["id_mismatch"]
    if not found.question.strip() or not found.answer.strip():
        return ["empty"]
    reasons = []
    if found.echo is not None and text_key(found.echo) != text_key(source.question):
        reasons.append("echo_mismatch")
    if text_key(found.question) == text_key(source.question):
        reasons.append("source_echoed")
    if _PREAMBLE.match(found.question) and not _PREAMBLE.match(source.question):
        reasons.append("preamble")
    if numbers_of(found.question) != numbers_of(source.question):
        reasons.append("numbers_changed")
    if numbers_of(found.answer) != numbers_of(source.answer):
        reasons.append("answer_numbers_changed")
    words = _PLACEHOLDER.sub(" ", found.question)
    if script_share(words, language.script) < _LEAST_SCRIPT_SHARE:
        reasons.append("wrong_script")
    if _needs_script(source.answer) and not script_share(found.answer, language.script):
        reasons.append("answer_in_wrong_script")
    if _PLACEHOLDER.findall(found.question) != _PLACEHOLDER.findall(source.question):
        reasons.append("placeholder_changed")
    ratio = len(found.question) / len(source.question)
    if len(source.question) >= _LENGTH_FROM and not _LEAST_RATIO <= ratio <= _MOST_RATIO:
        reasons.append("length_ratio")
    reasons += _glossary_problems(source, found, glossary)
    return reasons


def numbers_of(text: str) -> Counter[str]:
    """The numbers of `text`, digits of any script, thousands commas aside."""
    return Counter(
        re.sub(r"(?<=\d),(?=\d{2,3}(?:\D|$|,))", "", number)
        for number in _NUMBER.findall(fold_digits(text))
    )


def _needs_script(answer: str) -> bool:
    """Whether an answer has words to write in the target script: codes and numbers have none."""
    return any(not word.isupper() for word in _LATIN_WORD.findall(answer))


def _glossary_problems(source: Source, found: Rendering, glossary: Mapping[str, str]) -> list[str]:
    asked = token_line(source.question) + token_line(source.answer)
    said = text_key(f"{found.question} {found.answer}")
    return [
        f"glossary: {term}"
        for term, target in glossary.items()
        if token_line(term) in asked and text_key(target) not in said
    ]
