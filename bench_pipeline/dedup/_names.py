"""Whether two texts are about the same states, people, places and other names."""

import re
from functools import cache
from itertools import takewhile

from bench_pipeline.dedup._reading import Reading, Word

# Spellings of one Indian name in Latin letters differ in these ways and hardly in others.
_SPELLINGS = (
    (re.compile(r"(?<=[bcdgjkpstz])h"), ""),
    (re.compile(r"w"), "v"),
    (re.compile(r"z"), "s"),
    (re.compile(r"ee|ii|y"), "i"),
    (re.compile(r"oo|uu|ou"), "u"),
    (re.compile(r"ri"), "r"),
    (re.compile(r"c(?=[aou])|q"), "k"),
    (re.compile(r"ks|x"), "x"),
    (re.compile(r"(.)\1+"), r"\1"),
    (re.compile(r"a$"), ""),
)
_VOWELS = re.compile(r"[aeiou]")
_MOST_INITIALS = 4
_LEAST_PREFIX = 5
_LEAST_CONSONANTS = 4


def states_differ(a: Reading, b: Reading) -> bool:
    """One names a state or union territory that the other does not."""
    return a.states != b.states


def names_differ(a: Reading, b: Reading) -> bool:
    """Whether a name of one is missing in the other.

    A title, a longer form of one name, its initials and another spelling of it are no difference.
    Where capitals tell nothing (Indian scripts, all small, all large), any word that was exchanged
    for one unlike it may be a name.
    """
    if not (a.cased and b.cased):
        return bool(_unlike(a, b) and _unlike(b, a))
    return bool(_strange(a, b) or _strange(b, a))


def alike(a: str, b: str) -> bool:
    """Whether two stems may be one name: spelt otherwise, inflected, or by its initials."""
    if a == b or skeleton(a) == skeleton(b):
        return True
    short, long = sorted((a, b), key=len)
    if len(short) >= _LEAST_PREFIX and long.startswith(short):
        return True
    bare = _VOWELS.sub("", skeleton(a))
    return len(bare) >= _LEAST_CONSONANTS and bare == _VOWELS.sub("", skeleton(b))


@cache
def skeleton(word: str) -> str:
    """A name as its spellings have it in common: `Ashoka` and `Asoka` meet, two names do not."""
    for pattern, instead in _SPELLINGS:
        word = pattern.sub(instead, word)
    return word


def _strange(own: Reading, other: Reading) -> list[str]:
    """Names of `own` that `other` does not have in any form."""
    missing = own.names - other.stem_set
    others = other.names - own.stem_set - other.lexicon.titles
    strange = []
    for run in runs(own.words) if missing else ():
        here = [word for word in run if word.stem in missing and not _is_said(word, run, other)]
        # beside a part that both have, one that only one gives makes the name longer, not another
        longer = not others and any(word.stem in other.names for word in run)
        if here and not longer and not _spelt_by_initials(run, other):
            strange += [word.stem for word in here]
    return strange


def _is_said(word: Word, run: list[Word], other: Reading) -> bool:
    known = other.lexicon
    if word.stem in known.titles or word.stem in known.neutral or word.text.isdigit():
        return True
    if any(alike(word.stem, said) for said in other.stem_set):
        return True
    if is_initials(word):
        letters = word.text.lower()
        begins = any(name.startswith(letters[0]) for name in other.names)
        return any(letters in initials_of(named) for named in runs(other.words)) or begins
    return len(run) > 1 and any(
        is_initials(said) and said.text.lower().startswith(word.stem[0]) for said in other.words
    )


def is_initials(word: Word) -> bool:
    """`BR` of `B. R. Ambedkar`, `RBI`."""
    return word.capital and word.text.isupper() and len(word.text) <= _MOST_INITIALS


def initials_of(run: list[Word]) -> str:
    """The first letters of a name's words, small."""
    return "".join(word.text[0].lower() for word in run if word.capital)


def _spelt_by_initials(run: list[Word], other: Reading) -> bool:
    """Whether the other text has the run's initials as a word, `RBI` say."""
    initials = initials_of(run)
    return len(initials) > 1 and initials in other.stem_set


def runs(words: list[Word]) -> list[list[Word]]:
    """Names of several words: capitals in a row, with `of` and `the` between them left out."""
    found: list[list[Word]] = []
    current: list[Word] = []
    for word in words:
        if word.capital:
            current.append(word)
        elif current and word.text.lower() not in ("of", "the"):
            found.append(current)
            current = []
    return [*found, current] if current else found


def _unlike(own: Reading, other: Reading) -> set[str]:
    """Words of `own` that no word of `other` resembles."""
    rest = own.content - other.stem_set
    return {word for word in rest if not any(inflected(word, said) for said in other.stem_set)}


def inflected(a: str, b: str) -> bool:
    """One begins with most of the other, as forms of one word do."""
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))
    return alike(a, b) or (shared >= 3 and shared >= 0.6 * max(len(a), len(b)))
