"""The lexicon of number words: `number_words.yaml` and `scale_words.yaml` as one lookup."""

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from typing import Any

import yaml

from bench_pipeline.contracts.paths import reference_dir
from bench_pipeline.text._fold import fold


class Role(Enum):
    """What a word does inside a number."""

    NUMBER = "number"
    ROMANISED = "romanised"
    FRACTION = "fraction"
    MODIFIER = "modifier"
    PART = "part"
    HUNDRED = "hundred"
    SCALE = "scale"
    AND = "and"
    ARTICLE = "article"
    MINUS = "minus"
    POINT = "point"


@dataclass(frozen=True, slots=True)
class Word:
    """One entry of the lexicon; `part` is the value after "and a" ("two and a half")."""

    role: Role
    value: Decimal
    part: Decimal | None = None
    not_before: tuple[str, ...] = ()
    latin: bool = True


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Everything the number parser looks up. Keys are folded and lower-cased."""

    words: dict[str, Word]
    glued_scales: dict[str, Decimal]
    currency_scales: dict[str, Decimal]
    currency: frozenset[str]
    percent: "re.Pattern[str]"
    ordinal_suffixes: frozenset[str]
    scale_forms: dict[str, Decimal]


def read_reference(name: str) -> Any:
    """The parsed YAML file `name` of the reference folder."""
    return yaml.safe_load((reference_dir() / name).read_text(encoding="utf-8"))


def folded_word(word: str) -> str:
    """A table's word in the form in which the parsers meet it."""
    return fold(word).text


def _scales(data: dict[str, Any], words: dict[str, Word]) -> tuple[dict[str, Decimal], ...]:
    glued: dict[str, Decimal] = {}
    after_currency: dict[str, Decimal] = {}
    forms: dict[str, Decimal] = {}
    for name, entry in data.items():
        value = Decimal(entry["value"])
        role = Role.HUNDRED if name == "hundred" else Role.SCALE
        not_before = tuple(folded_word(word) for word in entry.get("not_before", ()))
        for form in entry["forms"]:
            key = folded_word(form)
            words[key] = Word(role, value, not_before=not_before, latin=key.isascii())
            forms[key] = value
        glued.update(dict.fromkeys(entry.get("glued", ()), value))
        after_currency.update(dict.fromkeys(entry.get("after_currency", ()), value))
    return glued, after_currency, forms


def _percent_pattern(words: list[str]) -> "re.Pattern[str]":
    forms = sorted((folded_word(word) for word in words), key=lambda form: -len(form))
    source = "|".join(map(re.escape, forms))
    return re.compile(rf"[\s\\*}}-]{{0,4}}({source})(?![a-z\u0900-\u0963])")


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The lexicon, read once."""
    data = read_reference("number_words.yaml")
    words: dict[str, Word] = {}

    def add(section: dict[Any, list[str]], role: Role) -> None:
        for value, forms in section.items():
            for form in forms:
                key = folded_word(form)
                words[key] = Word(role, Decimal(str(value)), latin=key.isascii())

    add(data["romanised"], Role.ROMANISED)
    add(data["english"], Role.NUMBER)
    add(data["hindi"], Role.NUMBER)
    add(data["fractions"], Role.FRACTION)
    add(data["modifiers"], Role.MODIFIER)
    for value, forms in data["english_parts"].items():
        for form in forms:
            known = words.get(form)
            role, own = (known.role, known.value) if known else (Role.PART, Decimal(value))
            words[form] = Word(role, own, part=Decimal(value))
    for name, role in (("minus", Role.MINUS), ("point", Role.POINT), ("and", Role.AND)):
        add({0: data[name]}, role)
    words["a"] = words["an"] = Word(Role.ARTICLE, Decimal(1))
    glued, after_currency, forms = _scales(read_reference("scale_words.yaml"), words)
    return Lexicon(
        words=words,
        glued_scales=glued,
        currency_scales=after_currency,
        currency=frozenset(folded_word(word) for word in data["currency"]),
        percent=_percent_pattern(data["percent"]),
        ordinal_suffixes=frozenset(folded_word(word) for word in data["ordinal_suffixes"]),
        scale_forms=forms,
    )
