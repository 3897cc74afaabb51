"""Numbers as people in India write them: grouping, scale words, compounds, fractions, words.

`parse_numbers` reads any text; `find_numbers` reads text that is folded already. What a number
means in an answer (a restatement, a list marker, a year) is for the graders, not for this module.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from bench_pipeline.text._fold import fold
from bench_pipeline.text._number_atoms import EXACT, MAX_DIGITS, Atom, atoms
from bench_pipeline.text._number_words import Lexicon, Role, lexicon

_GAP = re.compile(r"(?:[ \t\n]|\\[ ,;!]|~|\*\*|\}|\\text\{)*-?")
_NEXT_WORD = re.compile(r"[\s-]{1,3}([a-z]+|[\u0900-\u0963\u0970-\u097f]+)")
_ZERO = Decimal(0)


@dataclass(frozen=True, slots=True)
class NumberMention:
    """One number in a text, `text[start:end]`.

    `value` is None where digits stand in no known style (`1,2,34`, `3.1.4`, `10:30`). `coefficient`
    and `scale` say how it was written: 2.5 and 10000000 for "2.5 crore"; scale 1 for plain numbers
    and for compounds. `last_scale` is the scale word that ends a compound (1 when none does).
    """

    value: Decimal | None
    start: int
    end: int
    coefficient: Decimal | None = None
    scale: Decimal = Decimal(1)
    last_scale: Decimal = Decimal(1)
    percent: bool = False
    ordinal: bool = False
    currency: bool = False
    words: bool = False
    suffix: str = ""

    @property
    def form(self) -> tuple[Decimal | None, Decimal]:
        """How the number is written, spelling aside: equal for "5 lakh", "five lakh", "५ लाख"."""
        return self.coefficient, self.scale


class _Reader:
    """Joins atoms from one start into the longest number."""

    def __init__(self, text: str, found: Sequence[Atom], known: Lexicon) -> None:
        self.text, self.found, self.known = text, found, known

    def read(self, index: int) -> tuple[NumberMention | None, int]:
        """The number that starts at atom `index` and the index after it; None where none does."""
        first = self.found[index]
        negative = first.negative
        if first.role is Role.MINUS:
            if not self._adjacent(index + 1) or self.found[index + 1].role in (
                Role.AND,
                Role.MINUS,
            ):
                return None, index + 1
            mention, after = self.read(index + 1)
            if mention is None or mention.value is None or mention.value < 0:
                return mention, after
            return _signed(mention, first.start), after
        if first.role is Role.NUMBER and first.value is None:
            return NumberMention(None, first.start, first.end, suffix=first.suffix), index + 1
        self.total, self.terms = _ZERO, 0
        self.term: Decimal | None = None
        self.last_scale: Decimal | None = None
        self.term_scale = Decimal(1)
        self.coefficient: Decimal | None = None
        self.stop = index
        after = self._join(index)
        if after == index:
            return None, index + 1
        return self._finish(index, after, negative), after

    def _adjacent(self, index: int) -> bool:
        """Whether atom `index` follows the one before it with nothing but a gap between."""
        if index >= len(self.found):
            return False
        before, here = self.found[index - 1].end, self.found[index].start
        return before == here or (
            here - before <= 12 and _GAP.fullmatch(self.text, before, here) is not None
        )

    def _join(self, index: int) -> int:
        position = index
        while position < len(self.found) and (position == index or self._adjacent(position)):
            step = self._take(position, position == index)
            if step == 0:
                break
            position += step
        if self.term is not None and self._loose_tail(position):
            return self.stop
        if self.term is not None or self.terms:
            return position
        return index

    def _loose_tail(self, position: int) -> bool:
        """Digits after a scale with no scale of their own ("5 lakh 2024") are another number."""
        last = self.found[position - 1]
        if not self.terms or not last.digits:
            return False
        if self.last_scale is not None and self.last_scale <= 1000:
            return False
        self.term = None
        return True

    def _take(self, position: int, first: bool) -> int:
        """How many atoms from `position` were added to the number; 0 ends it."""
        atom = self.found[position]
        match atom.role:
            case Role.NUMBER | Role.FRACTION:
                return self._take_number(position)
            case Role.ROMANISED:
                return self._take_number(position) if self._scale_follows(position) else 0
            case Role.MODIFIER:
                return self._take_modifier(position)
            case Role.HUNDRED:
                return self._take_hundred(atom, first)
            case Role.SCALE:
                return self._take_scale(position)
            case Role.AND:
                return self._take_and(position) if not first else 0
            case Role.ARTICLE:
                return self._take_article(position, first)
            case Role.POINT:
                return self._take_point(position) if not first else 0
            case _:
                return 0

    def _scale_follows(self, position: int) -> bool:
        return self._adjacent(position + 1) and self.found[position + 1].role in (
            Role.SCALE,
            Role.HUNDRED,
        )

    def _begin(self, position: int, value: Decimal) -> bool:
        if self.terms and self.last_scale is not None and value >= self.last_scale:
            return False
        if self.terms and self.found[position].digits and self.found[position].negative:
            return False
        self.stop = position
        self.term = value
        return True

    def _take_number(self, position: int) -> int:
        atom = self.found[position]
        if atom.value is None:
            return 0
        if self.term is None:
            return int(self._begin(position, atom.value))
        before = self.found[position - 1]
        after_hundred = before.role is Role.HUNDRED and atom.value < 100
        if before.role is Role.AND:
            after_hundred = self.found[position - 2].role is Role.HUNDRED and atom.value < 100
        tens = (
            not before.digits
            and not atom.digits
            and before.role is Role.NUMBER
            and before.value is not None
            and before.value >= 20
            and before.value % 10 == 0
            and 1 <= atom.value <= 9
            and self._same_language(position)
        )
        mixed = (
            atom.digits
            and before.digits
            and 0 < atom.value < 1
            and self.term == self.term.to_integral_value()
        )
        mixed = mixed and (atom.role is Role.FRACTION or "/" in self.text[atom.start : atom.end])
        if not (after_hundred or tens or mixed):
            return 0
        self.term = EXACT.add(self.term, atom.value)
        return 1

    def _same_language(self, position: int) -> bool:
        one, two = self.found[position - 1].word, self.found[position].word
        return one is not None and two is not None and one.latin and two.latin

    def _take_modifier(self, position: int) -> int:
        if self.term is not None or not self._adjacent(position + 1):
            return 0
        shift, following = self.found[position].value, self.found[position + 1]
        if shift is None or following.value is None:
            return 0
        if following.role in (Role.NUMBER, Role.ROMANISED):
            return 2 if self._begin(position, EXACT.add(following.value, shift)) else 0
        if following.role in (Role.SCALE, Role.HUNDRED) and shift != Decimal("0.5"):
            return 1 if self._begin(position, EXACT.add(Decimal(1), shift)) else 0
        return 0

    def _take_hundred(self, atom: Atom, first: bool) -> int:
        if self.term is None:
            if first and atom.word is not None and not atom.word.latin:
                self.stop, self.term = 0, Decimal(100)
                return 1
            return 0
        if self.term >= 100:
            return 0
        self.term = EXACT.multiply(self.term, Decimal(100))
        return 1

    def _take_scale(self, position: int) -> int:
        atom = self.found[position]
        if atom.value is None or atom.word is None or self._means_something_else(atom):
            return 0
        if self.term is None:
            return self._multiply_last(position, atom.value)
        if self.last_scale is not None and atom.value >= self.last_scale:
            return 0
        self.coefficient = self.term
        self.term_scale = atom.value
        self.total = EXACT.add(self.total, EXACT.multiply(self.term, atom.value))
        self.last_scale, self.term = atom.value, None
        self.terms += 1
        return 1

    def _multiply_last(self, position: int, value: Decimal) -> int:
        """A scale right after a scale multiplies it ("lakh crore") where one term stands."""
        if self.terms != 1 or self.found[position - 1].role is not Role.SCALE:
            return 0
        self.total = EXACT.multiply(self.total, value)
        self.term_scale = EXACT.multiply(self.term_scale, value)
        self.last_scale = value
        return 1

    def _means_something_else(self, atom: Atom) -> bool:
        if atom.word is None or not atom.word.not_before:
            return False
        following = _NEXT_WORD.match(self.text, atom.end)
        return following is not None and following[1].startswith(atom.word.not_before)

    def _take_and(self, position: int) -> int:
        if not self._adjacent(position + 1):
            return 0
        before, following = self.found[position - 1], self.found[position + 1]
        skip = 1 if following.role is Role.ARTICLE and self._adjacent(position + 2) else 0
        target = self.found[position + 1 + skip]
        if target.word is not None and target.word.part is not None and self.term is not None:
            if self.term != self.term.to_integral_value():
                return 0
            self.term = EXACT.add(self.term, target.word.part)
            return 2 + skip
        joins = before.role in (Role.HUNDRED, Role.SCALE) and following.role in (
            Role.NUMBER,
            Role.ROMANISED,
        )
        if not joins or following.value is None:
            return 0
        limit = self.last_scale if self.term is None else Decimal(100)
        # "2 lakh and 50 thousand" is one number, "2 lakh and 50" may be two.
        if following.digits and not (self.term is None and self._scale_follows(position + 1)):
            return 0
        return 1 if limit is not None and following.value < limit else 0

    def _take_article(self, position: int, first: bool) -> int:
        if not self._adjacent(position + 1):
            return 0
        following = self.found[position + 1].role
        if first and following in (Role.HUNDRED, Role.SCALE):
            self.stop, self.term = position, Decimal(1)
            return 1
        half = not first and self.found[position - 1].role is Role.FRACTION
        return 1 if half and following in (Role.HUNDRED, Role.SCALE) else 0

    def _take_point(self, position: int) -> int:
        if self.term is None or self.term != self.term.to_integral_value():
            return 0
        digits = ""
        step = position + 1
        while self._adjacent(step) and len(digits) < MAX_DIGITS:
            atom = self.found[step]
            if atom.digits or atom.role is not Role.NUMBER or atom.value is None or atom.value > 9:
                break
            digits += str(atom.value)
            step += 1
        if not digits:
            return 0
        self.term = EXACT.add(self.term, Decimal(f"0.{digits}"))
        return step - position

    def _finish(self, index: int, after: int, negative: bool) -> NumberMention:
        first, last = self.found[index], self.found[after - 1]
        value = EXACT.add(self.total, self.term if self.term is not None else _ZERO)
        simple = (self.terms == 1 and self.term is None) or (self.terms == 0)
        coefficient = self.coefficient if self.terms else value
        scale = self.term_scale if self.terms else Decimal(1)
        if not simple:
            coefficient, scale = value, Decimal(1)
        last_scale = self.last_scale if self.term is None and self.last_scale else Decimal(1)
        mention = NumberMention(
            value,
            first.start,
            last.end,
            coefficient,
            scale,
            last_scale,
            currency=first.currency,
            words=not first.digits,
            suffix=last.suffix,
        )
        mention = _with_suffix(self.text, mention, self.known)
        return _signed(mention, mention.start) if negative else mention


def _signed(mention: NumberMention, start: int) -> NumberMention:
    if mention.value is None or mention.coefficient is None:
        return mention
    return replace(mention, value=-mention.value, coefficient=-mention.coefficient, start=start)


def _with_suffix(text: str, mention: NumberMention, known: Lexicon) -> NumberMention:
    """The mention with what follows it: a glued scale, an ordinal ending, a percent sign."""
    end, suffix = mention.end, mention.suffix
    if mention.scale == 1 and mention.value is not None and not mention.words:
        scale = known.glued_scales.get(suffix)
        following = suffix
        if scale is None and mention.currency:
            apart = _NEXT_WORD.match(text, end) if not suffix else None
            following = apart[1] if apart else suffix
            scale = known.currency_scales.get(following)
            end = apart.end(1) - len(following) if scale is not None and apart else end
        if scale is not None:
            value = EXACT.multiply(mention.value, scale)
            return replace(
                mention,
                value=value,
                scale=scale,
                last_scale=scale,
                end=end + len(following),
                suffix="",
            )
    if suffix in known.ordinal_suffixes and suffix:
        return replace(mention, ordinal=True, end=end + len(suffix))
    percent = known.percent.match(text, end) if end < len(text) else None
    if percent is None:
        return mention
    # A word for percent is left to stand beside the number, as a unit does.
    return replace(mention, percent=True, end=percent.end() if percent[1] == "%" else end)


def find_numbers(text: str) -> list[NumberMention]:
    """The numbers of a text that `fold` has been through, in order; spans are in that text."""
    known = lexicon()
    found = atoms(text, known)
    reader = _Reader(text, found, known)
    mentions: list[NumberMention] = []
    index = 0
    while index < len(found):
        mention, index = reader.read(index)
        if mention is not None:
            mentions.append(mention)
    return mentions


def parse_numbers(text: str) -> list[NumberMention]:
    """Every number in any text, in order, with exact values and spans into `text` itself.

    Total on any string. Digits of all scripts; Indian, international and no grouping; scale words
    and compounds in English, Hindi and romanised Hindi; fractions, powers of ten, signs, words.
    """
    folded = fold(text)
    mentions = find_numbers(folded.text)
    if folded.offsets is None:
        return mentions
    spans = [folded.raw_span(mention.start, mention.end) for mention in mentions]
    return [
        replace(mention, start=start, end=end)
        for mention, (start, end) in zip(mentions, spans, strict=True)
    ]
