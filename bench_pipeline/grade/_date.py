"""The date grader: the one date that the answer asserts, at the precision of the gold."""

import re
from functools import lru_cache
from itertools import pairwise

from bench_pipeline.contracts.grades import Grade, Verdict
from bench_pipeline.grade import _context as context
from bench_pipeline.grade._answer import Answer
from bench_pipeline.grade._dates_text import DateMention, days_in, find_dates
from bench_pipeline.grade._errors import GradeInputError
from bench_pipeline.grade._options import Options
from bench_pipeline.grade._select import Candidate, Outcome, Strength, select
from bench_pipeline.text import fold

_GOLD = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")
_RANGE = re.compile(
    r"[\s,*_]{0,4}(?:to|till|until|through|up to|से|se|" r"[-\u2014–→])[\s*_]{0,4}(?:the\s)?"
)
_REASONS = {
    Outcome.NONE: "no date was found",
    Outcome.RIVALS: "several dates differ and none is marked as the answer",
    Outcome.RESTATED: "the only dates repeat the question",
}


def read_date_gold(gold: str, options: Options) -> DateMention:
    """The gold as a date; GradeInputError unless it is an existing YYYY-MM-DD, YYYY-MM or YYYY."""
    return read_iso(gold, "date")


def read_iso(text: str, answer_type: str) -> DateMention:
    """An ISO date of any precision."""
    found = _GOLD.fullmatch(text.strip())
    if found is not None:
        year, month, day = (int(part) if part else None for part in found.groups())
        if year and (
            month is None
            or (1 <= month <= 12 and (day is None or 1 <= day <= days_in(year, month)))
        ):
            return DateMention(0, 0, year, month, day)
    raise GradeInputError(
        f'{answer_type} gold is {text!r}; accepted is an existing "YYYY-MM-DD", "YYYY-MM" or "YYYY"'
    )


def precision(date: DateMention) -> int:
    """3 for a full date, 2 for a month of a year, 1 for a year, 0 for a day and month alone."""
    if date.year is None:
        return 0
    return 1 + (date.month is not None) + (date.day is not None)


def _parts(date: DateMention) -> tuple[int | None, int | None, int | None]:
    return date.year, date.month, date.day


def _same_date(one: DateMention, two: DateMention) -> bool:
    return _parts(one) == _parts(two)


def agrees(one: DateMention, two: DateMention) -> bool:
    """Whether the two name no different year, month or day."""
    return all(
        a is None or b is None or a == b for a, b in zip(_parts(one), _parts(two), strict=True)
    )


@lru_cache(maxsize=8192)
def _question_dates(question: str, pivot: int) -> tuple[DateMention, ...]:
    return tuple(find_dates(fold(question).text, pivot))


def _range_ends(text: str, dates: list[DateMention]) -> set[DateMention]:
    """The dates that are an end of a range: a period is no date."""
    ends = set()
    for one, two in pairwise(dates):
        if precision(one) != 1 and _RANGE.fullmatch(text, one.end, two.start):
            ends |= {one, two}
    return ends


def _candidates(
    answer: Answer, gold: DateMention, options: Options
) -> list[Candidate[DateMention]]:
    text = answer.text
    asked = {_parts(date) for date in _question_dates(options.question, options.century_pivot)}
    supporting = context.supporting_spans(text)
    dates = find_dates(text, options.century_pivot)
    ends = _range_ends(text, dates)
    found = []
    for date in dates:
        if context.is_negated(text, date.start, date.end):
            continue
        strength = Strength.STRONG
        if _parts(date) in asked:
            strength = Strength.RESTATED
        elif supporting.hold(date.start) or date in ends:
            strength = Strength.WEAK
        found.append(Candidate(date.start, date.end, date, strength))
    fine = [c for c in found if precision(c.value) >= precision(gold)]
    return _merge(fine or found, precision(gold))


def _merge(found: list[Candidate[DateMention]], wanted: int) -> list[Candidate[DateMention]]:
    """Without dates that repeat another one coarser or finer ("in 1947, on 15 August 1947")."""
    exact = [c for c in found if precision(c.value) == wanted]
    return [
        c
        for c in found
        if precision(c.value) == wanted
        or not any(agrees(c.value, other.value) and other.strength is c.strength for other in exact)
    ]


def grade_date(answer: Answer, gold: DateMention, options: Options) -> Grade:
    """Compare the one date that the answer asserts with the gold: equal parts, equal precision."""
    selection = select(answer, _candidates(answer, gold, options), _same_date)
    if selection.candidate is None:
        return Grade(Verdict.UNDETERMINED, selection.rule, _REASONS[selection.outcome])
    date = selection.candidate.value
    span = answer.span(date.start, date.end)
    extracted = date.iso or f"--{date.month:02d}-{date.day:02d}"
    if _same_date(date, gold):
        return Grade(Verdict.CORRECT, selection.rule, "the date is the gold one", extracted, span)
    if not agrees(date, gold):
        return Grade(
            Verdict.INCORRECT,
            selection.rule,
            f"the date is {extracted}, the gold {gold.iso}",
            extracted,
            span,
        )
    if precision(date) > precision(gold):
        reason = (
            f"the answer says {extracted} where {gold.iso} was asked: finer, and not the same date"
        )
        return Grade(Verdict.UNDETERMINED, "finer_precision", reason, extracted, span)
    reason = f"the answer says {extracted}, which is only a part of {gold.iso}"
    return Grade(Verdict.INCORRECT, "coarser_precision", reason, extracted, span)
