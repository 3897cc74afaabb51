"""Why two texts with close vectors must not be merged.

An embedding hardly sees a number, a `not` or a name: "5 lakh" and "6 lakh" have a cosine of 0.94,
a sentence and its negation 0.99. Guards read the two texts after the cosine. A guarded pair is
nobody's loss: people look at it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench_pipeline.dedup._names import alike, inflected, is_initials, names_differ, states_differ
from bench_pipeline.dedup._reading import Reading
from bench_pipeline.dedup._roles import swapped
from bench_pipeline.text import parse_numbers

#: words that an embedding is sure to read; MiniLM stops at 256 word pieces
_WORDS_READ = 150
#: characters; a longer answer is no short fact, and only its copy is the same
_LONGEST_ANSWER = 300


@dataclass(frozen=True, slots=True)
class Row:
    """A text, its gold answer where one is known, and its language."""

    text: str
    answer: str | None = None
    language: str | None = None


def guard(a: Row, b: Row, entities: bool = True) -> str | None:
    """The name of what keeps two rows apart; None where they may be merged.

    In this order: language, answer, length, number, negation, opposite, role, state, name, word
    (one exchanged for another). State and name are asked with `entities` only. A pair that is the
    same text is held to its language and answers alone. The order of the rows does not matter.
    """
    return Guards([a, b], entities).between(0, 1)


class Guards:
    """The guards over many rows, each of which is read once."""

    def __init__(self, rows: Sequence[Row], entities: bool) -> None:
        self._rows = rows
        self._checks = [
            (name, differ) for name, differ in _CHECKS if entities or name not in _ENTITY_CHECKS
        ]
        self._texts: dict[int, Reading] = {}
        self._answers: dict[int, Reading] = {}

    def between(self, a: int, b: int) -> str | None:
        """What keeps rows `a` and `b` apart."""
        first, second = self._rows[a], self._rows[b]
        if first.language and second.language and first.language != second.language:
            return "language"
        if first.answer and second.answer and first.answer != second.answer:
            one = self._answers.setdefault(a, Reading(first.answer))
            other = self._answers.setdefault(b, Reading(second.answer))
            if answers_differ(one, other):
                return "answer"
        if first.text == second.text:
            return None
        texts = self._text(a), self._text(b)
        if texts[0].key == texts[1].key:
            return None
        return next((name for name, differ in self._checks if differ(*texts)), None)

    def _text(self, row: int) -> Reading:
        if row not in self._texts:
            self._texts[row] = Reading(self._rows[row].text)
        return self._texts[row]


def answers_differ(a: Reading, b: Reading) -> bool:
    """Whether two gold answers are not two ways to say one.

    One may be a part of the other ("Gandhi" and "Mahatma Gandhi", "1947" and "15 August 1947"),
    unless what it leaves out changes it ("North Goa", "not Goa").
    """
    if max(len(a.text), len(b.text)) > _LONGEST_ANSWER:
        return a.key != b.key
    if a.key == b.key or "".join(a.stems) == "".join(b.stems):
        return False
    if a.numbers != b.numbers and not (a.numbers < b.numbers or b.numbers < a.numbers):
        return True
    if a.negated != b.negated or opposed(a, b):
        return True
    first, second = _said(a), _said(b)
    only_first = [word for word in first if not _is_in(word, second, b)]
    only_second = [word for word in second if not _is_in(word, first, a)]
    if only_first and only_second:
        return True
    if a.numbers and b.numbers:
        return False  # "Article 17" and "17"
    opposites = a.lexicon.opposites
    return any((word,) in group for word in only_first + only_second for group in opposites)


def _said(reading: Reading) -> list[str]:
    """The stems of an answer less numbers, titles and words without content."""
    known = reading.lexicon
    return [
        word.stem
        for word in reading.words
        if word.stem not in known.common
        and word.stem not in known.titles
        and not parse_numbers(word.text)
    ]


def _is_in(stem: str, others: list[str], answer: Reading) -> bool:
    if any(alike(stem, other) for other in others):
        return True
    initials = [word.text.lower() for word in answer.words if is_initials(word)]
    return any(stem.startswith(letters[0]) for letters in initials) or (
        len(stem) <= 3 and any(other.startswith(stem[0]) for other in others)
    )


def too_long(a: Reading, b: Reading) -> bool:
    """An embedding may not have read to the end of one of them."""
    return max(len(a.words), len(b.words)) > _WORDS_READ


def numbers_differ(a: Reading, b: Reading) -> bool:
    """Numbers, years, ordinals, article numbers and their letters."""
    return a.numbers != b.numbers


def negation_differs(a: Reading, b: Reading) -> bool:
    """One denies what the other says: by a negator, or by a prefix (`legal`, `illegal`)."""
    flipped = _prefixed(a, b)
    if (a.negated != b.negated) == flipped:
        return False
    return not _denied_opposite(a, b)


def _prefixed(a: Reading, b: Reading) -> bool:
    first, second = a.stem_set - b.stem_set, b.stem_set - a.stem_set
    prefixes = a.lexicon.negating_prefixes
    return any(
        longer == prefix + shorter
        for one, other in ((first, second), (second, first))
        for longer in one
        for shorter in other
        for prefix in prefixes
    )


def _denied_opposite(a: Reading, b: Reading) -> bool:
    """`not correct` against `wrong`: the negator stands before the opposite itself."""
    one, other = (a, b) if a.negated else (b, a)
    negators = one.lexicon.negators
    for at, word in enumerate(one.stems[:-1]):
        if word not in negators and not one.words[at].text.lower().endswith("n't"):
            continue
        following = (one.stems[at + 1],)
        for group, theirs in zip(one.lexicon.opposites, other.members, strict=True):
            if following in group and theirs.keys() - {group[following]}:
                return True
    return False


def opposed(a: Reading, b: Reading) -> bool:
    """Each has a member of one group that the other has not."""
    if a.negated != b.negated and _denied_opposite(a, b):
        return False
    return any(
        ours.keys() - theirs.keys() and theirs.keys() - ours.keys()
        for ours, theirs in zip(a.members, b.members, strict=True)
    )


def word_exchanged(a: Reading, b: Reading) -> bool:
    """The same words of content in the same order, but one of them exchanged for no synonym.

    Who rewords a question moves its words or takes a synonym; "paid" for "collected" in the same
    sentence asks for something else. Names and numbers have guards of their own. Not asked where
    capitals do not tell names from other words.
    """
    if not (a.cased and b.cased) or a.negated != b.negated:
        return False
    first, second = a.content - a.names - b.stem_set, b.content - b.names - a.stem_set
    if len(first) != 1 or len(second) != 1:
        return False
    (one,), (other,) = first, second
    groups = a.lexicon.synonyms
    if inflected(one, other) or groups.get(one, frozenset()) & groups.get(other, frozenset()):
        return False
    shared = (a.content & b.content) | {one, other}
    theirs = [word if word != other else one for word in b.stems if word in shared]
    return [word for word in a.stems if word in shared] == theirs


Check = Callable[[Reading, Reading], bool]
_CHECKS: tuple[tuple[str, Check], ...] = (
    ("length", too_long),
    ("number", numbers_differ),
    ("negation", negation_differs),
    ("opposite", opposed),
    ("role", swapped),
    ("state", states_differ),
    ("name", names_differ),
    ("word", word_exchanged),
)
_ENTITY_CHECKS = frozenset({"state", "name"})
