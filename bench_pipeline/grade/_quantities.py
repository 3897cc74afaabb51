"""The numbers of an answer as candidates: with their strength, read in the scale that was asked.

Shared by the numeric and the unit grader, so that a restatement, a reason or a list marker means
the same in both.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from bench_pipeline.grade import _context as context
from bench_pipeline.grade._answer import Answer
from bench_pipeline.grade._dates_text import find_dates
from bench_pipeline.grade._select import Strength
from bench_pipeline.text import NumberMention, find_numbers, fold
from bench_pipeline.text._number_atoms import EXACT
from bench_pipeline.text._number_words import lexicon

_DATE_HINT = re.compile(
    r"\d\s?[/-]\s?\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|"
    r"dec)[a-z]{0,6}\.?\s?,?-?\d|\d(?:st|nd|rd|th)?\s(?:of\s)?(?:jan|feb|mar|apr|"
    r"may|jun|jul|aug|sep|oct|nov|dec)"
    r"|\d\s?[\u0900-\u0963]|[\u0900-\u0963]\s?\d"
)
_YEAR_PAIR = re.compile(r"(?<![\d./-])(?:1[89]|20)\d{2}\s?[-/]\s?(?:\d{2}|20\d{2})(?![\d/-])")


@dataclass(frozen=True, slots=True)
class Asked:
    """What the question says about its answer: numbers that it holds, and the scale it asks in."""

    forms: frozenset[tuple[Decimal | None, Decimal]]
    scale: Decimal | None


_NOT_A_SCALE = r"(?!\s{1,2}(?:notation|format|system|style|figures|grouping|place))"


@lru_cache(maxsize=1)
def _scale_questions() -> tuple["re.Pattern[str]", ...]:
    forms = sorted(lexicon().scale_forms, key=lambda form: -len(form))
    scale = rf"(?P<scale>{'|'.join(map(re.escape, forms))})(?![a-z\u0900-\u0963])"
    return (
        re.compile(rf"(?:how many|kitne|kitna|कितने|कितना)\s{{1,2}}(?:indian\s)?{scale}"),
        re.compile(
            rf"(?<![a-z])(?:in|into|to|as)\s{{1,2}}(?:terms of\s|units of\s)?{scale}{_NOT_A_SCALE}"
        ),
        re.compile(rf"{scale}\s{{1,2}}(?:में|mein|me)(?![a-z\u0900-\u0963])"),
    )


_HOW_MANY = re.compile(r"(?:how many|kitne|कितने|कितना)\s{1,2}\S")


def _asked_scale(question: str) -> Decimal | None:
    how_many, into, hindi_into = _scale_questions()
    found = how_many.search(question)
    if found is None and _HOW_MANY.search(question) is None:
        found = into.search(question)
        hindi = hindi_into.search(question) if found is None else None
        if hindi is not None and not re.search(r"[\d\u0900-\u0963]\s?$", question[: hindi.start()]):
            found = hindi
    return lexicon().scale_forms[found["scale"]] if found else None


@lru_cache(maxsize=8192)
def read_question(question: str) -> Asked:
    """The numbers of the question and the scale in which it wants its answer."""
    if not question:
        return Asked(frozenset(), None)
    text = fold(question).text
    forms = frozenset(mention.form for mention in find_numbers(text) if mention.value is not None)
    return Asked(forms, _asked_scale(text))


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as a reading of the question: `value` in the asked scale, `absolute` without it.

    `value` is None for digits that no style explains: such a number rivals every other.
    """

    value: Decimal | None
    absolute: Decimal | None
    mention: NumberMention


def same_quantity(one: Quantity, two: Quantity) -> bool:
    """Two forms of one number (2.5 crore; 25,000,000)."""
    if one.value is None or two.value is None:
        return one is two
    return one.value == two.value or one.absolute == two.absolute


def as_quantity(mention: NumberMention, scale: Decimal | None) -> Quantity:
    """The mention read in the asked scale: "250 lakh" is 250 where lakh are asked for."""
    value = mention.value
    if scale is None or value is None or mention.last_scale == 1 or mention.percent:
        return Quantity(value, value, mention)
    if mention.words and mention.scale == 1 and mention.last_scale != scale:
        return Quantity(value, value, mention)
    return Quantity(EXACT.divide(value, scale), value, mention)


def date_spans(text: str) -> context.Spans:
    """Spans of dates and year pairs, whose digits are not quantities."""
    if _DATE_HINT.search(text) is None:
        return context.Spans(())
    spans = [
        (found.start, found.end)
        for found in find_dates(text, 30, bare_years=False)
        if found.year is not None or found.day is not None
    ]
    return context.Spans([*spans, *(match.span() for match in _YEAR_PAIR.finditer(text))])


def readable_mentions(answer: Answer) -> list[NumberMention]:
    """The numbers of the answer that are neither list markers nor denied.

    None where they are the operands of an expression ("10 × 10", "√5") whose value is not said.
    """
    text = answer.text
    mentions = context.without_noise(text, answer.numbers)
    if context.OPERATION_HINT.search(text) and context.is_expression(text, mentions):
        return []
    if context.NEGATION_HINT.search(text) is None:
        return mentions
    return [
        mention for mention in mentions if not context.is_negated(text, mention.start, mention.end)
    ]


class Strengths:
    """The strength of each number of one text; what is costly is found once."""

    def __init__(self, answer: Answer, asked: Asked) -> None:
        self.text = answer.text
        self.asked = asked
        self.supporting = context.supporting_spans(self.text)
        self.dates = date_spans(self.text)
        self.has_operation = context.OPERATION_HINT.search(self.text) is not None

    def of(self, mention: NumberMention) -> Strength:
        """Restated, weak or strong, by form and place alone."""
        if mention.value is not None and mention.form in self.asked.forms:
            return Strength.RESTATED
        weak = (
            self.supporting.hold(mention.start)
            or self.dates.hold(mention.start)
            or (self.has_operation and context.is_operand(self.text, mention.start, mention.end))
            or context.is_definition_subject(self.text, mention)
            or context.is_year(self.text, mention)
            or context.is_reference(self.text, mention)
        )
        return Strength.WEAK if weak else Strength.STRONG
