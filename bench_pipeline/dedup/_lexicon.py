"""The word lists of `assets/reference/guards.yaml`, as the guards look things up in them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from bench_pipeline.contracts.paths import reference_dir
from bench_pipeline.contracts.yaml_files import read_yaml, validate
from bench_pipeline.text import tokens

#: the stems of a term's words
Term: TypeAlias = tuple[str, ...]
_Words = Annotated[list[str], Field(min_length=1)]
_SHORTEST, _SHORTEST_REST = 4, 3
_VOWEL = re.compile(r"[aeiouy]")


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    negators: _Words
    negating_phrases: _Words
    negating_prefixes: _Words
    opposites: list[Annotated[list[_Words], Field(min_length=2)]]
    synonyms: list[Annotated[_Words, Field(min_length=2)]]
    aliases: list[Annotated[list[str], Field(min_length=2)]]
    titles: _Words
    neutral: _Words
    states: _Words
    directed: list[_Words]
    directed_nouns: list[_Words]
    ordinals: dict[str, int]
    common: _Words


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All lists, by stems.

    `opposites` are groups of members: term → number of the member; terms of two members of a
    group stand for different things. `synonyms` gives
    the groups that a stem is in, and `directed` and `directed_nouns` map each form to its word.
    """

    negators: frozenset[str]
    negating_phrases: tuple[Term, ...]
    negating_prefixes: tuple[str, ...]
    opposites: tuple[dict[Term, int], ...]
    synonyms: dict[str, frozenset[int]]
    aliases: dict[Term, Term]
    titles: frozenset[str]
    neutral: frozenset[str]
    states: frozenset[Term]
    directed: dict[str, str]
    directed_nouns: dict[str, str]
    ordinals: dict[str, int]
    ordinal_stems: frozenset[str]
    common: frozenset[str]
    common_stems: frozenset[str]


@cache
def lexicon() -> Lexicon:
    """The lists, read once.

    Raises:
        InputError: the file does not hold them.
    """
    path = reference_dir() / "guards.yaml"
    file = validate(_File, read_yaml(path), path)
    return Lexicon(
        negators=frozenset(word for text in file.negators for word in tokens(text)),
        negating_phrases=tuple(tuple(tokens(text)) for text in file.negating_phrases),
        negating_prefixes=tuple(file.negating_prefixes),
        opposites=tuple(_members(group) for group in file.opposites),
        synonyms=_sets(file.synonyms),
        aliases={_term(name): _term(names[0]) for names in file.aliases for name in names},
        titles=_stems(file.titles),
        neutral=_stems(file.neutral),
        states=frozenset(_term(name) for name in file.states),
        directed=_lemmas(file.directed),
        directed_nouns=_lemmas(file.directed_nouns),
        ordinals={word: value for text, value in file.ordinals.items() for word in tokens(text)},
        ordinal_stems=_stems(file.ordinals),
        common=frozenset(word for text in file.common for word in tokens(text)),
        common_stems=_stems(file.common),
    )


def _members(group: Sequence[Sequence[str]]) -> dict[Term, int]:
    return {_term(text): number for number, member in enumerate(group) for text in member}


def _sets(groups: Sequence[Sequence[str]]) -> dict[str, frozenset[int]]:
    """The numbers of the groups that each stem is in."""
    found: dict[str, frozenset[int]] = {}
    for number, group in enumerate(groups):
        for word in group:
            found[stem(word)] = found.get(stem(word), frozenset()) | {number}
    return found


def _lemmas(words: Sequence[Sequence[str]]) -> dict[str, str]:
    return {stem(form): forms[0] for forms in words for form in forms}


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(stem(word) for text in words for word in tokens(text))


def _term(text: str) -> Term:
    return tuple(stem(word) for word in tokens(text))


@cache
def stem(word: str) -> str:
    """An English word without its commonest endings; other words as they are.

    Coarse on purpose: it only has to make forms of one word meet.
    """
    if not (word.isascii() and word.isalpha()) or len(word) < _SHORTEST:
        return word
    for ending, instead in (("ies", "y"), ("ied", "y"), ("sses", "ss"), ("ing", ""), ("ed", "")):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= _SHORTEST_REST and _VOWEL.search(rest):
            word = rest + instead
            doubled = word[-1] == word[-2] and word[-1] not in "lsz"
            return _without_e(word[:-1] if doubled else word)
    if word.endswith("es") and word[-3] in "sxz":
        return word[:-2]
    return _without_e(word[:-1] if word[-1] == "s" and word[-2] not in "sui" else word)


def _without_e(word: str) -> str:
    return word[:-1] if word.endswith("e") and len(word) >= _SHORTEST else word
