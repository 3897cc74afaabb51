"""The unit grader: the number next to its unit, and whether both are the gold ones."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from bench_pipeline.contracts.grades import Flag, Grade, Verdict
from bench_pipeline.grade._answer import Answer
from bench_pipeline.grade._errors import GradeInputError
from bench_pipeline.grade._numeric import is_close, magnitude_flags, plain
from bench_pipeline.grade._options import Options
from bench_pipeline.grade._quantities import Asked, Strengths, readable_mentions
from bench_pipeline.grade._select import Candidate, Outcome, Strength, select
from bench_pipeline.grade._units import Unit, factor, parse_unit, rates_in, unit_beside
from bench_pipeline.text import find_numbers, fold
from bench_pipeline.text._number_atoms import EXACT

_GOLD = re.compile(r"(-?\d+(?:\.\d+)?)\s+(\S.*)")
_REASONS = {
    Outcome.NONE: "no quantity was found",
    Outcome.RIVALS: "several quantities differ and none is marked as the answer",
    Outcome.RESTATED: "the only quantities repeat the question",
}
_NO_FORMS = Asked(frozenset(), None)


@dataclass(frozen=True, slots=True)
class Measure:
    """A value and its unit; no unit means that none stands beside the number."""

    value: Decimal | None
    unit: Unit | None


def read_unit_gold(gold: str, options: Options) -> Measure:
    """The gold as a measure; GradeInputError unless it is "number unit" with a known unit."""
    found = _GOLD.fullmatch(gold.strip())
    if found is None:
        raise GradeInputError(
            f"numeric_with_unit gold is {gold!r}; accepted is a decimal, "
            'a space and a unit ("100 kg")'
        )
    unit = parse_unit(found[2], options.state)
    if unit is None:
        raise GradeInputError(
            f"numeric_with_unit gold is {gold!r}: the unit {found[2]!r} is in neither "
            "assets/reference/unit_aliases.yaml nor units.txt"
        )
    return Measure(Decimal(found[1]), unit)


def _converted(measure: Measure, target: Unit) -> Decimal | None:
    """The value in the target unit, or None where the units do not convert."""
    if measure.value is None or measure.unit is None:
        return None
    scale = factor(measure.unit.name, target.name)
    if scale is None:
        return None
    value = EXACT.multiply(measure.value, scale)
    if measure.unit.per and target.per and measure.unit.per != target.per:
        per = factor(target.per, measure.unit.per)
        return None if per is None else EXACT.multiply(value, per)
    return value


def same_measure(one: Measure, two: Measure) -> bool:
    """Two forms of one measure: 100 kg and 1 quintal; 6,000 and 6,000 rupees."""
    if one.value is None or two.value is None:
        return one is two
    if one.unit is None or two.unit is None or one.unit == two.unit:
        return one.value == two.value
    if one.unit.per and two.unit.per and one.unit.per != two.unit.per:
        return False
    return _converted(one, two.unit) == two.value


@lru_cache(maxsize=8192)
def _question_measures(question: str, state: str | None) -> frozenset[tuple[object, str | None]]:
    text = fold(question).text
    pairs = []
    for mention in find_numbers(text):
        unit, _ = unit_beside(text, mention, state)
        pairs.append((mention.form, unit.name if unit else None))
    return frozenset(pairs)


@lru_cache(maxsize=8192)
def _question_rates(question: str) -> frozenset[str]:
    return rates_in(fold(question).text)


def _candidates(answer: Answer, gold_unit: Unit, options: Options) -> list[Candidate[Measure]]:
    restated = _question_measures(options.question, options.state)
    strengths = Strengths(answer, _NO_FORMS)
    found: list[Candidate[Measure]] = []
    ranks: list[int] = []
    for mention in readable_mentions(answer):
        unit, end = unit_beside(answer.text, mention, options.state)
        strength = strengths.of(mention)
        if (
            strength is Strength.WEAK
            and mention.value == 1
            and unit is not None
            and _is_alone(answer, mention.end)
        ):
            strength = Strength.STRONG
        if mention.value is not None and (mention.form, unit.name if unit else None) in restated:
            strength = Strength.RESTATED
        found.append(Candidate(mention.start, end, Measure(mention.value, unit), strength))
        ranks.append(_rank(unit, gold_unit))
    usable = [rank for rank, c in zip(ranks, found, strict=True) if c.strength is Strength.STRONG]
    best = max(usable, default=0)
    return [
        Candidate(c.start, c.end, c.value, Strength.WEAK)
        if c.strength is Strength.STRONG and rank < best
        else c
        for rank, c in zip(ranks, found, strict=True)
    ]


def _is_alone(answer: Answer, end: int) -> bool:
    return len(answer.numbers) == 1 and end > 0


def _rank(unit: Unit | None, gold_unit: Unit) -> int:
    """A unit of the gold's kind outranks one of another kind, and that no unit."""
    if unit is None:
        return 0
    return 2 if factor(unit.name, gold_unit.name) is not None else 1


def _in_gold_unit(
    chosen: Candidate[Measure], candidates: list[Candidate[Measure]], gold_unit: Unit
) -> Candidate[Measure]:
    """The same measure as the answer writes it in the gold's unit, where it does."""
    alike = [
        c
        for c in candidates
        if c.value.unit is not None
        and factor(c.value.unit.name, gold_unit.name) == 1
        and same_measure(c.value, chosen.value)
    ]
    if chosen.value.unit is not None and factor(chosen.value.unit.name, gold_unit.name) == 1:
        return chosen
    return alike[0] if alike and chosen.strength is not Strength.RESTATED else chosen


def _rate_mismatch(unit: Unit, gold_unit: Unit, options: Options) -> bool:
    """Whether one of the two is a rate that neither the other nor the question names."""
    if unit.per == gold_unit.per or (
        unit.per and gold_unit.per and factor(unit.per, gold_unit.per)
    ):
        return False
    extra = unit.per if gold_unit.per is None else gold_unit.per
    if unit.per and gold_unit.per:
        return True
    return extra not in _question_rates(options.question)


def grade_numeric_with_unit(answer: Answer, gold: Measure, options: Options) -> Grade:
    """Compare the one measure that the answer asserts with the gold, number and unit apart."""
    if gold.unit is None or gold.value is None:
        raise GradeInputError("numeric_with_unit gold has no unit")
    candidates = _candidates(answer, gold.unit, options)
    selection = select(answer, candidates, same_measure)
    if selection.candidate is None:
        return Grade(Verdict.UNDETERMINED, selection.rule, _REASONS[selection.outcome])
    chosen = _in_gold_unit(selection.candidate, candidates, gold.unit)
    value, unit = chosen.value.value, chosen.value.unit
    span = answer.span(chosen.start, chosen.end)
    if value is None:
        return Grade(
            Verdict.UNDETERMINED, "unreadable_number", "the digits are in no known style", span=span
        )
    if unit is None:
        flags = {Flag.UNIT_MISSING}
        if not is_close(value, gold.value, options):
            flags |= magnitude_flags(value, gold.value)
        reason = "no known unit stands beside the number"
        return Grade(
            Verdict.INCORRECT, "unit_missing", reason, plain(value), span, frozenset(flags)
        )
    extracted = f"{plain(value)} {unit}"
    if _rate_mismatch(unit, gold.unit, options):
        reason = (
            f"the answer is per {unit.per or 'nothing'}, the gold per {gold.unit.per or 'nothing'}"
        )
        return Grade(Verdict.UNDETERMINED, "rate_unclear", reason, extracted, span)
    return _compare(chosen.value, gold.value, gold.unit, options, extracted, span, selection.rule)


def _compare(
    found: Measure,
    gold_value: Decimal,
    gold_unit: Unit,
    options: Options,
    extracted: str,
    span: tuple[int, int],
    rule: str,
) -> Grade:
    """The grade of a measure that has a unit."""
    value = _converted(found, gold_unit)
    gold_text = f"{plain(gold_value)} {gold_unit}"
    if value is None:
        reason = f"the answer is {extracted[:80]}, the gold {gold_text}: another kind of unit"
        return Grade(
            Verdict.INCORRECT, "unit_wrong", reason, extracted, span, frozenset({Flag.UNIT_WRONG})
        )
    close = is_close(value, gold_value, options)
    same_unit = found.value == value
    if close and (same_unit or options.accept_equivalent):
        rule = rule if same_unit else "equivalent_unit"
        return Grade(Verdict.CORRECT, rule, "the measure is the gold one", extracted, span)
    flags = frozenset() if close else magnitude_flags(value, gold_value)
    if not same_unit and not options.accept_equivalent:
        flags |= {Flag.UNIT_WRONG}
    reason = f"the answer is {extracted[:80]}, the gold {gold_text}"
    if close:
        return Grade(Verdict.INCORRECT, "equivalent_not_accepted", reason, extracted, span, flags)
    return Grade(Verdict.INCORRECT, rule, reason, extracted, span, flags)
