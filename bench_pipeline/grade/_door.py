"""The one door: status, thinking, JSON and refusals are dealt with here, once for every grader."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bench_pipeline.contracts.grades import Grade, Verdict
from bench_pipeline.contracts.tables import SHORT_ANSWER
from bench_pipeline.grade._answer import MAX_LENGTH, Answer
from bench_pipeline.grade._clarification import (
    grade_clarification,
    grade_clarification_json,
    read_clarification_gold,
)
from bench_pipeline.grade._date import grade_date, read_date_gold
from bench_pipeline.grade._date_range import grade_date_range, read_range_gold
from bench_pipeline.grade._enum import grade_enum, read_enum_gold
from bench_pipeline.grade._errors import GradeInputError
from bench_pipeline.grade._json_answer import find_json, scalar_text
from bench_pipeline.grade._lexical import grade_substring, grade_word_overlap, read_lexical_gold
from bench_pipeline.grade._months import grade_month_set, read_month_gold
from bench_pipeline.grade._numeric import grade_numeric, read_numeric_gold
from bench_pipeline.grade._numeric_with_unit import grade_numeric_with_unit, read_unit_gold
from bench_pipeline.grade._options import Options
from bench_pipeline.grade._refusal import refusal_spans
from bench_pipeline.grade._select import ONLY_SUPPORT
from bench_pipeline.grade._strings import grade_string_normalized, read_string_gold
from bench_pipeline.text import token_line, visible_span

STATUSES = ("ok", "empty", "truncated", "filtered", "infra_error")


@dataclass(frozen=True, slots=True)
class Grader:
    """A grader of the registry: `read` checks a gold once, `decide` grades an answer against it."""

    read: Callable[[str, Options], Any]
    decide: Callable[[Answer, Any, Options], Grade]


GRADERS: Mapping[str, Grader] = {
    "numeric": Grader(read_numeric_gold, grade_numeric),
    "numeric_with_unit": Grader(read_unit_gold, grade_numeric_with_unit),
    "date": Grader(read_date_gold, grade_date),
    "date_range": Grader(read_range_gold, grade_date_range),
    "month_set": Grader(read_month_gold, grade_month_set),
    "enum": Grader(read_enum_gold, grade_enum),
    "string_normalized": Grader(read_string_gold, grade_string_normalized),
    "clarification": Grader(read_clarification_gold, grade_clarification),
    "substring": Grader(read_lexical_gold, grade_substring),
    "word_overlap": Grader(read_lexical_gold, grade_word_overlap),
    SHORT_ANSWER: Grader(read_lexical_gold, grade_word_overlap),
}


def _grader(answer_type: str) -> Grader:
    grader = GRADERS.get(answer_type)
    if grader is None:
        raise GradeInputError(
            f"unknown answer type {answer_type!r}; accepted are {', '.join(GRADERS)}"
        )
    return grader


@lru_cache(maxsize=16384)
def _read_gold(answer_type: str, gold: str, options: Options) -> Any:
    return _grader(answer_type).read(gold, options)


def _gold(answer_type: str, gold: str, options: Options) -> Any:
    if not isinstance(gold, str):
        raise GradeInputError(f"{answer_type} gold is {gold!r}; accepted is a string")
    return _read_gold(answer_type, gold, options)


def grade(
    answer_type: str, gold: str, answer: str | None, options: Mapping[str, Any] | None = None
) -> Grade:
    """Grade one answer: the verdict, the value it asserts, its span, the rule and a reason.

    `gold` is a string in the format of its answer type, `options` the item's (see `Options`); an
    unknown answer type and a malformed gold or option raise GradeInputError, a ValueError. No
    answer text raises; None is an empty answer.
    """
    grader = _grader(answer_type)
    read = Options.read(options)
    return _grade(answer_type, grader, _gold(answer_type, gold, read), answer, read)


def _grade(answer_type: str, grader: Grader, gold: Any, raw: str | None, options: Options) -> Grade:
    if not raw:
        return Grade(Verdict.UNDETERMINED, "empty", "the answer is empty")
    start, end = visible_span(raw)
    body = raw[start:end]
    if not body.strip():
        rule = "empty" if start == 0 and end == len(raw) else "only_thinking"
        return Grade(Verdict.UNDETERMINED, rule, "nothing is left outside of thinking blocks")
    if len(body) > MAX_LENGTH:
        body, start = _trimmed(body, start)
        if len(body) > MAX_LENGTH:
            return Grade(
                Verdict.UNDETERMINED,
                "too_long",
                f"the answer is longer than {MAX_LENGTH} characters",
            )
    from_json = _json_grade(answer_type, grader, gold, body, start, options)
    if from_json is not None:
        return from_json
    return _grade_text(grader, gold, Answer(body, start), options)


def _trimmed(body: str, start: int) -> tuple[str, int]:
    stripped = body.lstrip()
    return stripped.rstrip(), start + len(body) - len(stripped)


def _grade_text(grader: Grader, gold: Any, answer: Answer, options: Options) -> Grade:
    """Grade what the answer says besides declining; where that is nothing, it is a refusal."""
    declined = refusal_spans(answer.text)
    if not declined:
        return grader.decide(answer, gold, options)
    reason = "the answer declines and gives no value"
    refused = Grade(Verdict.REFUSED, "refusal", reason, span=answer.span(*declined[0]))
    if grader.decide is grade_clarification:
        found = grader.decide(answer, gold, options)
        if found.verdict is not Verdict.UNDETERMINED:
            return found
    else:
        rest = answer.without(declined)
        if token_line(rest.text) == " ":
            return refused
        found = grader.decide(rest, gold, options)
        absent = found.verdict is Verdict.INCORRECT and _is_lexical(grader)
        if found.verdict is not Verdict.UNDETERMINED and found.rule != ONLY_SUPPORT and not absent:
            return found
        if found.rule == "rival_values":
            return found
    return refused


def _is_lexical(grader: Grader) -> bool:
    return grader.decide in (grade_substring, grade_word_overlap)


def _json_grade(
    answer_type: str, grader: Grader, gold: Any, body: str, base: int, options: Options
) -> Grade | None:
    """The grade of the JSON path; None where the answer holds no object of an agreed shape."""
    found = find_json(body)
    if found is None:
        return None
    span = (base + found.span[0], base + found.span[1])
    if found.broken:
        return Grade(
            Verdict.UNDETERMINED,
            "json_broken",
            f"the JSON answer is not usable: {found.broken}",
            span=span,
        )
    fields = found.fields
    if answer_type == "clarification":
        asked = grade_clarification_json(fields, span)
        if asked is not None:
            return asked
    elif fields.get("clarification_required") is True:
        reason = "the object asks for a clarification that this item does not need"
        return Grade(Verdict.UNDETERMINED, "clarification_not_asked", reason, span=span)
    text = _json_text(answer_type, fields)
    if text is None or not text.strip():
        return Grade(
            Verdict.UNDETERMINED,
            "json_without_value",
            "the object holds no value for this item",
            span=span,
        )
    return _grade_text(grader, gold, Answer(text[:MAX_LENGTH], whole=span), options)


def _json_text(answer_type: str, fields: dict[str, Any]) -> str | None:
    """The value of the object as an answer would have written it."""
    months = fields.get("months")
    if isinstance(months, list):
        parts = [scalar_text(month) for month in months]
        return ", ".join(part for part in parts if part) if all(parts) else None
    start, end = scalar_text(fields.get("start")), scalar_text(fields.get("end"))
    if start and end:
        return f"{start} to {end}"
    value = fields.get("value")
    if isinstance(value, list) and answer_type == "month_set":
        return _json_text(answer_type, {"months": value})
    if isinstance(value, dict) and not {"value"} & set(value):
        return _json_text(answer_type, value)
    text = scalar_text(value)
    if text is None:
        return scalar_text(months) if answer_type == "month_set" else None
    unit = scalar_text(fields.get("unit"))
    if unit and answer_type in ("numeric", "numeric_with_unit", "clarification"):
        return f"{text} {unit}" if unit.casefold() not in text.casefold() else text
    return text


_PLAIN_FORMS: Mapping[str, Callable[[str], str]] = {
    "date_range": lambda gold: " to ".join(gold.split("..")),
    "clarification": lambda gold: "It depends on which one you mean.",
}


def check_gold(answer_type: str, gold: str, options: Mapping[str, Any] | None = None) -> None:
    """Raise GradeInputError where a gold is malformed or, written plainly, graded as wrong."""
    _grader(answer_type)
    plain = _PLAIN_FORMS.get(answer_type, str)(gold) if isinstance(gold, str) else gold
    found = grade(answer_type, gold, plain, options)
    if found.verdict is not Verdict.CORRECT:
        raise GradeInputError(
            f"{answer_type} gold {gold!r} is graded {found.verdict} by its own grader "
            f"({found.rule}: {found.reason})"
        )


def grade_response(
    status: str,
    answer_type: str,
    gold: str,
    answer: str | None,
    options: Mapping[str, Any] | None = None,
) -> Grade:
    """Grade a stored row by its wire status first: `ok` and `truncated` reach a grader.

    `empty` is undetermined, `filtered` refused. `infra_error` is missing data and raises
    GradeInputError, as an unknown status does.
    """
    if status == "infra_error":
        raise GradeInputError("status is 'infra_error': the row is missing data and has no grade")
    if status not in STATUSES:
        raise GradeInputError(f"unknown status {status!r}; accepted are {', '.join(STATUSES)}")
    if status == "filtered":
        _gold(answer_type, gold, Options.read(options))
        return Grade(Verdict.REFUSED, "status_filtered", "the provider filtered the answer")
    if status == "empty":
        _gold(answer_type, gold, Options.read(options))
        return Grade(Verdict.UNDETERMINED, "status_empty", "the provider returned no text")
    return grade(answer_type, gold, answer, options)
