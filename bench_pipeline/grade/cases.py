"""Grades for a file of cases, so that a person can see why an answer failed."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench_pipeline.contracts.grades import Grade
from bench_pipeline.grade._door import grade
from bench_pipeline.grade._errors import GradeInputError

_ACCEPTED: dict[str, tuple[type, ...]] = {
    "answer_type": (str,),
    "gold": (str,),
    "answer": (str, type(None)),
    "options": (dict, type(None)),
}


def grade_as_dict(found: Grade) -> dict[str, Any]:
    """A grade as JSON holds it: verdict and flags as strings, flags sorted, span as a pair."""
    return {
        "verdict": str(found.verdict),
        "rule": found.rule,
        "reason": found.reason,
        "extracted": found.extracted,
        "span": list(found.span) if found.span is not None else None,
        "flags": sorted(str(flag) for flag in found.flags),
        "jaccard": found.jaccard,
    }


def grade_cases(path: Path) -> Iterator[dict[str, Any]]:
    """The grade of each row of a JSONL file of `{answer_type, gold, options?, answer}`, in order.

    Blank lines are passed over. GradeInputError names the file, the line and what is wrong with it.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise GradeInputError(f"{path}: cannot be read as UTF-8 text ({error})") from error
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _grade_line(line, f"{path}, line {number}")


def _grade_line(line: str, place: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise GradeInputError(f"{place}: not JSON ({str(error)[:200]})") from error
    if not isinstance(row, dict) or not {"answer_type", "gold", "answer"} <= set(row):
        raise GradeInputError(
            f"{place}: accepted is an object with answer_type, gold, answer and, if need "
            f"be, options"
        )
    for name, accepted in _ACCEPTED.items():
        if not isinstance(row.get(name), accepted):
            found = type(row.get(name)).__name__
            raise GradeInputError(
                f"{place}: {name} is a JSON {found}; accepted: "
                f"{' or '.join(kind.__name__ for kind in accepted)}"
            )
    try:
        return grade_as_dict(
            grade(row["answer_type"], row["gold"], row["answer"], row.get("options"))
        )
    except GradeInputError as error:
        raise GradeInputError(f"{place}: {error}") from error
