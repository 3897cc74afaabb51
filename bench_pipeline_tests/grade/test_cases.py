"""Every row of every case table: adding a case that someone found is adding a line."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench_pipeline.grade import ANSWER_TYPES, LEXICAL_TYPES, check_gold, grade
from bench_pipeline_tests.grade.styles import styles

_CASES = Path(__file__).parent / "cases"
_NAMES = sorted(path.stem for path in _CASES.glob("*.jsonl"))


def rows(name: str) -> Iterator[dict[str, Any]]:
    for line in (_CASES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def all_rows() -> list[Any]:
    return [
        pytest.param({"answer_type": name, **row}, id=f"{name}-{number}")
        for name in _NAMES
        for number, row in enumerate(rows(name), start=1)
    ]


@pytest.mark.parametrize("row", all_rows())
def test_case(row: dict[str, Any]) -> None:
    found = grade(row["answer_type"], row["gold"], row["answer"], row.get("options"))
    flags = sorted(str(flag) for flag in found.flags)
    assert (found.verdict, flags) == (row["verdict"], row.get("flags", [])), found
    assert found.rule
    assert found.reason
    if found.span is not None:
        start, end = found.span
        assert 0 <= start <= end <= len(row["answer"])


@pytest.mark.parametrize("name", [*ANSWER_TYPES, *LEXICAL_TYPES])
def test_each_grader_has_sixty_cases(name: str) -> None:
    found = list(rows(name))
    assert len(found) >= 60
    assert {row["verdict"] for row in found} >= {"correct", "incorrect", "undetermined", "refused"}


@pytest.mark.parametrize("answer_type", ANSWER_TYPES)
def test_every_style_of_a_gold_is_correct(answer_type: str) -> None:
    seen = set()
    for row in rows(answer_type):
        options = row.get("options")
        if (key := json.dumps([row["gold"], options])) in seen:
            continue
        seen.add(key)
        check_gold(answer_type, row["gold"], options)
        written = styles(answer_type, row["gold"], options)
        assert len(written) >= 5
        for answer in written:
            found = grade(answer_type, row["gold"], answer, options)
            assert found.verdict == "correct", (row["gold"], options, answer, found)
