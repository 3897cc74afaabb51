"""The numeric grader: which number the answer asserts, and whether it is the gold one."""

import re
from decimal import Decimal

from bench_pipeline.contracts.grades import Flag, Grade, Verdict
from bench_pipeline.grade._answer import Answer
from bench_pipeline.grade._errors import GradeInputError
from bench_pipeline.grade._options import Options
from bench_pipeline.grade._quantities import (
    Quantity,
    Strengths,
    as_quantity,
    read_question,
    readable_mentions,
    same_quantity,
)
from bench_pipeline.grade._select import Candidate, Outcome, Selection, Strength, select
from bench_pipeline.text._number_atoms import EXACT
from bench_pipeline.text._number_words import lexicon

_PLAIN_DECIMAL = re.compile(r"-?\d+(?:\.\d+)?")
_REASONS = {
    Outcome.NONE: "no number was found",
    Outcome.RIVALS: "several numbers differ and none is marked as the answer",
    Outcome.RESTATED: "the only numbers repeat the question",
}


def read_numeric_gold(gold: str, options: Options) -> Decimal:
    """The gold as a Decimal; GradeInputError unless it is a plain decimal ("250", "-2.5")."""
    if _PLAIN_DECIMAL.fullmatch(gold.strip()) is None:
        raise GradeInputError(
            f'numeric gold is {gold!r}; accepted is a plain decimal such as "250", "2.5" or "-5"'
        )
    return Decimal(gold.strip())


def plain(value: Decimal) -> str:
    """The canonical text of a value: no exponent, no trailing zeros."""
    if value == value.to_integral_value():
        return format(
            value.quantize(Decimal(1), context=EXACT) if abs(value.adjusted()) < 70 else value, "f"
        )
    return format(value.normalize(EXACT), "f")


def is_close(value: Decimal, gold: Decimal, options: Options) -> bool:
    """Whether the value equals the gold within the item's tolerance."""
    if value == gold:
        return True
    distance = abs(EXACT.subtract(value, gold))
    if options.abs_tolerance is not None:
        return distance <= options.abs_tolerance
    if options.rel_tolerance is not None:
        return distance <= EXACT.multiply(abs(gold), options.rel_tolerance)
    return False


def magnitude_flags(value: Decimal, gold: Decimal) -> frozenset[Flag]:
    """Flags of a wrong value: off by ten times or more, zero against not zero, the other sign."""
    if value == 0 or gold == 0:
        return frozenset({Flag.ZERO})
    flags = set()
    if (value > 0) != (gold > 0):
        flags.add(Flag.SIGN_FLIP)
    if abs(value) >= abs(gold) * 10 or abs(value) * 10 <= abs(gold):
        flags.add(Flag.ORDER_OF_MAGNITUDE)
    return frozenset(flags)


def _candidates(answer: Answer, options: Options) -> list[Candidate[Quantity]]:
    asked = read_question(options.question)
    strengths = Strengths(answer, asked)
    found = []
    for mention in readable_mentions(answer):
        if mention.percent and not options.percent:
            continue
        quantity = as_quantity(mention, asked.scale)
        strength = strengths.of(mention)
        if strength is Strength.STRONG and _glued_to_a_name(mention.suffix):
            strength = Strength.WEAK
        found.append(
            Candidate(mention.start, mention.end, quantity, strength, mention.last_scale == 1)
        )
    if options.percent and any(
        c.value.mention.percent for c in found if c.strength is not Strength.RESTATED
    ):
        found = [
            c
            if c.value.mention.percent or c.strength is not Strength.STRONG
            else Candidate(c.start, c.end, c.value, Strength.WEAK, c.bare)
            for c in found
        ]
    return found


def _glued_to_a_name(suffix: str) -> bool:
    """ "80c" and "4g" are names; "100kg" is a number with its unit."""
    return (
        bool(suffix)
        and len(suffix) == 1
        and suffix not in "gmlhskw"
        and suffix not in lexicon().currency
    )


def undetermined(selection: Selection[Quantity], reasons: dict[Outcome, str]) -> Grade:
    """The grade of an answer that asserts no one value."""
    return Grade(Verdict.UNDETERMINED, selection.rule, reasons[selection.outcome])


def grade_numeric(answer: Answer, gold: Decimal, options: Options) -> Grade:
    """Compare the one number that the answer asserts with the gold, in exact decimals."""
    selection = select(answer, _candidates(answer, options), same_quantity)
    if selection.candidate is None:
        return undetermined(selection, _REASONS)
    candidate = selection.candidate
    value = candidate.value.value
    span = answer.span(candidate.start, candidate.end)
    if value is None:
        return Grade(
            Verdict.UNDETERMINED, "unreadable_number", "the digits are in no known style", span=span
        )
    if is_close(value, gold, options):
        return Grade(
            Verdict.CORRECT, selection.rule, "the number is the gold one", plain(value), span
        )
    return Grade(
        Verdict.INCORRECT,
        selection.rule,
        f"the number is {plain(value)[:60]}, the gold {plain(gold)}",
        plain(value),
        span,
        magnitude_flags(value, gold),
    )
