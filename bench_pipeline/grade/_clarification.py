"""The clarification grader: the item has no one value, and the right answer says so and why."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bench_pipeline.contracts.grades import Flag, Grade, Verdict
from bench_pipeline.grade._answer import Answer
from bench_pipeline.grade._dates_text import find_dates, month_names
from bench_pipeline.grade._errors import GradeInputError
from bench_pipeline.grade._marked import Tier
from bench_pipeline.grade._options import Options, Reading
from bench_pipeline.grade._phrases import compile_phrases
from bench_pipeline.grade._quantities import (
    Quantity,
    Strengths,
    as_quantity,
    read_question,
    readable_mentions,
    same_quantity,
)
from bench_pipeline.grade._refusal import is_refusal
from bench_pipeline.grade._select import Candidate, Strength, distinct
from bench_pipeline.grade._sentences import sentence_end
from bench_pipeline.text import find_numbers, fold, token_line
from bench_pipeline.text._number_words import folded_word, read_reference

_OVERCONFIDENT = frozenset({Flag.OVERCONFIDENT})
_EDGE = "a-z0-9\u0900-\u0963"


@dataclass(frozen=True, slots=True)
class _Hedges:
    depends: "re.Pattern[str]"
    several: "re.Pattern[str]"
    asks: "re.Pattern[str]"
    passing: "re.Pattern[str]"
    conditional: "re.Pattern[str]"


@lru_cache(maxsize=1)
def _hedges() -> _Hedges:
    data: dict[str, Any] = read_reference("hedges.yaml")
    return _Hedges(
        *(
            compile_phrases(data[name])
            for name in ("depends", "several", "asks", "passing", "conditional")
        )
    )


def read_clarification_gold(gold: str, options: Options) -> None:
    """Nothing: the gold of a clarification item is "-" or empty; GradeInputError for others."""
    if gold.strip() not in ("", "-", "–", "—"):
        raise GradeInputError(f'clarification gold is {gold!r}; accepted is "-" or an empty string')


def _names_a_condition(text: str, options: Options) -> bool:
    """Whether "which <word>" or "the <word>" asks for one of the words that the item lists."""
    for word in options.depends_on:
        source = re.escape(folded_word(word))
        pattern = (
            rf"(?<![{_EDGE}])(?:which|what|whose|किस|कौन सा|कौन से|kis|kaun sa|kaun se|"
            rf"kaunsa|kaunse)\s{{1,2}}{source}(?![{_EDGE}])"
        )
        if re.search(pattern, text):
            return True
    return False


def is_hedge(text: str, options: Options) -> bool:
    """Whether a folded text says what the answer depends on, or asks for it."""
    hedges = _hedges()
    if not (
        hedges.depends.search(text) or hedges.asks.search(text) or _names_a_condition(text, options)
    ):
        return False
    passing = hedges.passing.search(text)
    if passing is None:
        return True
    rest = hedges.passing.sub(" ", text)
    cut = text[: passing.start()] + " " * (passing.end() - passing.start()) + text[passing.end() :]
    hedged = (
        hedges.depends.search(rest) or hedges.asks.search(rest) or _names_a_condition(rest, options)
    )
    return bool(hedged) and not find_numbers(cut[passing.end() : sentence_end(text, passing.end())])


def _readings_named(answer: Answer, readings: tuple[Reading, ...]) -> int:
    """How many of the listed readings the answer names with their values."""
    if len(readings) < 2:
        return 0
    line = token_line(answer.text)
    absolute = {mention.value for mention in answer.numbers}
    named = 0
    for reading in readings:
        label = token_line(reading.label)
        values = [mention.value for mention in find_numbers(fold(reading.value).text)]
        has_value = values[0] in absolute if values else token_line(reading.value) in line
        named += label in line and has_value
    return named


def _values(answer: Answer, options: Options) -> list[Candidate[Quantity]]:
    """The different numbers that the answer gives as values."""
    asked = read_question(options.question)
    strengths = Strengths(answer, asked)
    found = [
        Candidate(mention.start, mention.end, as_quantity(mention, asked.scale))
        for mention in readable_mentions(answer)
        if strengths.of(mention) is Strength.STRONG
    ]
    return distinct(found, same_quantity)


def _marked_value(answer: Answer, values: list[Candidate[Quantity]], options: Options) -> bool:
    """Whether the answer marks one value as its answer, without a hedge inside the mark."""
    for region in answer.regions:
        if region.tier > Tier.ANSWER or is_hedge(answer.text[region.start : region.end], options):
            continue
        if any(region.start <= value.start < region.end for value in values):
            return True
    return False


def _is_conditional(answer: Answer, value: Candidate[Quantity], options: Options) -> bool:
    """Whether the sentence of a value says for which reading it holds."""
    start = 0
    while True:
        end = sentence_end(answer.text, start)
        if end >= value.start:
            break
        start = end + 1
    sentence = answer.text[start : max(sentence_end(answer.text, value.end), value.end)]
    labels = (*options.depends_on, *(reading.label for reading in options.readings))
    line = token_line(sentence)
    if any(token_line(label) in line for label in labels if label.strip()):
        return True
    return _hedges().conditional.search(sentence) is not None


def _other_value(answer: Answer, options: Options) -> bool:
    """Whether the answer is one value but no number: a date, months, a listed reading."""
    if find_dates(answer.text, options.century_pivot, bare_years=False):
        return True
    if re.search(month_names().pattern, answer.text) and len(answer.text.split()) <= 12:
        return True
    line = token_line(answer.text)
    named = [reading for reading in options.readings if token_line(reading.value) in line]
    return len(named) == 1


def _correct(rule: str, reason: str, answer: Answer) -> Grade:
    return Grade(Verdict.CORRECT, rule, reason, "clarification", answer.span(0, len(answer.text)))


def _overconfident(extracted: str, answer: Answer, rule: str) -> Grade:
    reason = "one value is given where the question has none"
    return Grade(
        Verdict.INCORRECT, rule, reason, extracted, answer.span(0, len(answer.text)), _OVERCONFIDENT
    )


def grade_clarification(answer: Answer, gold: None, options: Options) -> Grade:
    """Correct for an answer that declines one value and says what it depends on, or asks."""
    if _readings_named(answer, options.readings) >= 2:
        return _correct(
            "readings_named", "two or more readings are named with their values", answer
        )
    values = _values(answer, options)
    extracted = ",".join(str(value.value.absolute) for value in values[:3])
    if is_hedge(answer.text, options):
        if _marked_value(answer, values, options):
            return _overconfident(extracted, answer, "hedged_then_valued")
        if len(values) != 1 or _is_conditional(answer, values[0], options):
            return _correct("hedge", "the answer says what it depends on, or asks", answer)
        return Grade(
            Verdict.UNDETERMINED,
            "hedge_with_value",
            "the answer hedges and gives one value",
            extracted,
        )
    if (
        len(values) > 1
        and _hedges().several.search(answer.text)
        and not _hedges().passing.search(answer.text)
    ):
        return _correct(
            "several_values_named",
            "the answer says that values differ and names two or more",
            answer,
        )
    if len(values) == 1 or (values and _marked_value(answer, values, options)):
        return _overconfident(extracted, answer, "single_value")
    if len(values) > 1:
        return Grade(
            Verdict.UNDETERMINED, "several_values", "several values, and not what they depend on"
        )
    if _other_value(answer, options) and not is_refusal(answer.text):
        return _overconfident(answer.text.strip()[:60], answer, "single_value")
    return Grade(
        Verdict.UNDETERMINED, "nothing_comparable", "the answer neither hedges nor gives a value"
    )


def grade_clarification_json(fields: dict[str, Any], span: tuple[int, int]) -> Grade | None:
    """The grade of a JSON answer that asks for a clarification; None where it gives a value."""
    required = fields.get("clarification_required")
    value = fields.get("value")
    if required is not True:
        return None
    if value not in (None, ""):
        return Grade(
            Verdict.UNDETERMINED,
            "clarification_with_value",
            "the object asks and gives a value",
            span=span,
        )
    reason = fields.get("reason")
    text = fold(reason).text if isinstance(reason, str) else ""
    if len(token_line(text).split()) < 2 and not is_hedge(text, Options()):
        return Grade(
            Verdict.UNDETERMINED,
            "no_reason",
            "the object does not say what the answer depends on",
            span=span,
        )
    if is_refusal(text) and not is_hedge(text, Options()):
        return Grade(Verdict.REFUSED, "refusal", "the reason is a refusal", span=span)
    return Grade(
        Verdict.CORRECT,
        "clarification_json",
        "the object asks for a clarification and says why",
        "clarification",
        span,
    )
