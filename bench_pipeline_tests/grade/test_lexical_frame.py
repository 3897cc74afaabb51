"""The frame grader gives exactly what the scalar graders give."""

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench_pipeline.grade import GradeInputError, grade
from bench_pipeline.grade.lexical_frame import grade_lexical_frame
from bench_pipeline.text import fold_characters, token_line
from bench_pipeline.text._frame_keys import folded_column, token_line_column
from bench_pipeline_tests.grade.test_cases import rows

_WORDS = [
    "Delhi",
    "New",
    "the",
    "capital",
    "of",
    "India",
    "is",
    "not",
    "Mumbai",
    "or",
    "15",
    "1,947",
    "−5",
    "3.14",
    "हिन्दी",
    "हिंदी",
    "दिल्ली",
    "नहीं",
    "ন্\u200d",
    "O’Brien",
    "isn't",
    "I",
    "can't",
    "answer",
    "don't",
    "know",
    "ৎ",
    "ത്",
    "ന്\u200d",
    "पाँच",
    "क्\u200dष",
    "É",
    "é",
    "Ａ",
    "١٢",
    "unknown",
    "<think>",
    "</think>",
    '{"value":',
    '"Delhi"}',
    ".",
    ",",
    "-",
    "(",
    ")",
    "**",
    "I’m",
    "sorry",
    "ß",
    "ẞ",
    "ΑΣ",
    "ς",
    "Ǆ",
    "İ",
    "ą́",
    "ﷺ",
    "क़",
    "꯱",
]
_ANSWERS = st.one_of(
    st.lists(st.sampled_from(_WORDS), max_size=15).map(" ".join), st.text(max_size=30)
)
_CLEAN = _ANSWERS.filter(lambda text: all(not 0xD800 <= ord(char) <= 0xDFFF for char in text))


def _scalar(
    answer_type: str, row: dict[str, str | None]
) -> tuple[str, str, str, str | None, list[str]]:
    found = grade(answer_type, str(row["gold"]), row["answer"])
    flags = sorted(str(flag) for flag in found.flags)
    return str(found.verdict), found.rule, found.reason, found.extracted, flags


def _assert_equal(answer_type: str, table: list[dict[str, str | None]]) -> None:
    frame = pl.DataFrame(table, schema={"answer": pl.String, "gold": pl.String})
    for row, found in zip(table, grade_lexical_frame(frame, answer_type).iter_rows(), strict=True):
        assert _scalar(answer_type, row) == found, row


@pytest.mark.parametrize("answer_type", ["substring", "word_overlap"])
def test_case_tables(answer_type: str) -> None:
    table = [
        {"answer": row["answer"], "gold": row["gold"]}
        for name in ("substring", "word_overlap", "refusal")
        for row in rows(name)
        if token_line(row["gold"]).strip()
    ]
    _assert_equal(answer_type, [*table, {"answer": None, "gold": "Delhi"}])


@pytest.mark.parametrize("answer_type", ["substring", "word_overlap"])
def test_generated_answers(answer_type: str) -> None:
    golds = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=3).map(" ".join)
    pairs = st.tuples(_CLEAN, golds.filter(lambda gold: bool(token_line(gold).strip())))

    @settings(
        max_examples=150, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
    )
    @given(st.lists(pairs, min_size=1, max_size=20))
    def check(entries: list[tuple[str, str]]) -> None:
        _assert_equal(answer_type, [{"answer": answer, "gold": gold} for answer, gold in entries])

    check()


@settings(
    max_examples=300, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)
@given(st.lists(_CLEAN, min_size=1, max_size=20))
def test_columns_fold_as_strings_do(texts: list[str]) -> None:
    folded = folded_column(pl.Series("text", texts, dtype=pl.String))
    assert folded.to_list() == [fold_characters(text) for text in texts]
    assert token_line_column(folded).to_list() == [token_line(text) for text in texts]


def test_aliases_and_choices_are_read() -> None:
    frame = pl.DataFrame(
        {
            "answer": ["दिल्ली", "Delhi, Mumbai, Chennai", "Delhi"],
            "gold": ["Delhi"] * 3,
            "aliases": [["दिल्ली"], [], None],
            "choices": [None, ["Delhi", "Mumbai", "Chennai"], []],
        },
        schema_overrides={"aliases": pl.List(pl.String), "choices": pl.List(pl.String)},
    )
    found = grade_lexical_frame(frame, "substring")
    assert found.get_column("verdict").to_list() == ["correct"] * 3
    assert found.get_column("flags").to_list() == [[], ["hedged_match"], []]


def test_errors_name_what_is_wrong() -> None:
    frame = pl.DataFrame({"answer": ["x"], "gold": ["..."]})
    with pytest.raises(GradeInputError, match="row 0"):
        grade_lexical_frame(frame, "substring")
    with pytest.raises(GradeInputError, match="numeric"):
        grade_lexical_frame(frame, "numeric")
    with pytest.raises(GradeInputError, match="gold"):
        grade_lexical_frame(frame.drop("gold"), "substring")


def test_no_rows_give_no_rows() -> None:
    frame = pl.DataFrame(
        {"answer": [], "gold": []}, schema={"answer": pl.String, "gold": pl.String}
    )
    assert grade_lexical_frame(frame, "substring").height == 0
