"""One flag removes a question; without labels it passes as a draft. The labels are made up."""

from pathlib import Path

import polars as pl
import pytest

from bench_pipeline.contracts.construction import UNIQUE
from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.suite import SuiteSpec, load_suite
from bench_pipeline.review.reviewed import content_hash, idle_labels, load_question_labels, review

HEADER = "candidate_id,content_hash,annotator,label,comment\n"


def _unique(*ids: str) -> pl.DataFrame:
    rows = [
        {
            "candidate_id": candidate,
            "document_id": "d",
            "chunk_id": "d:0",
            "language": "en",
            "domain": "law",
            "generator": "m",
            "baseline": False,
            "question": f"Question {candidate} of India?",
            "answer": candidate,
            "span_start": 0,
            "span_end": 1,
            "total": None,
            "status": "kept",
            "reason": None,
            "duplicate_of": None,
            "cosine": None,
            "review": False,
        }
        for candidate in ids
    ]
    return pl.DataFrame(rows, schema=UNIQUE.polars)


def _hash(candidate: str) -> str:
    return content_hash(f"Question {candidate} of India?", candidate)


def _suite(folder: Path, *rows: str) -> SuiteSpec:
    suite = folder / "books"
    (suite / "labels").mkdir(parents=True)
    (suite / "suite.yaml").write_text(
        "name: books\ntitle: Books\ndocuments: documents.csv\nlabels: labels/*.csv\n"
    )
    (suite / "labels" / "made-up.csv").write_text(HEADER + "".join(f"{row}\n" for row in rows))
    return load_suite(suite)


def test_no_label_is_a_draft(tmp_path: Path) -> None:
    frame = review(_unique("a"), load_question_labels(_suite(tmp_path)))
    assert frame.select("status", "review_status").rows() == [("kept", "draft")]


def test_one_flag_of_three_removes(tmp_path: Path) -> None:
    rows = [f"a,{_hash('a')},p{k},accept," for k in (1, 2)]
    rows += [f"a,{_hash('a')},p3,ambiguous,two answers"]
    rows += [f"b,{_hash('b')},p{k},accept," for k in (1, 2, 3)]
    frame = review(_unique("a", "b", "c"), load_question_labels(_suite(tmp_path, *rows)))
    assert frame.select("candidate_id", "status", "review_status", "reason").rows() == [
        ("a", "dropped", "draft", "flagged: ambiguous (1 of 3)"),
        ("b", "kept", "reviewed", None),
        ("c", "kept", "draft", None),
    ]


def test_a_label_of_other_words_does_not_count(tmp_path: Path) -> None:
    suite = _suite(tmp_path, "a,0123456789ab,p1,too_easy,")
    frame = review(_unique("a"), load_question_labels(suite))
    assert frame["status"].to_list() == ["kept"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("a,h,P 1,accept,", "'annotator'.*slug"),
        ("a,h,p1,fine,", "'label'.*accept, factual_error"),
        ("a,,p1,accept,", "'content_hash'.*empty"),
        ("a,h,p1,accept,\na,h,p1,ambiguous,", "'annotator'.*already"),
    ],
)
def test_a_broken_label_names_what_is_wrong(row: str, message: str, tmp_path: Path) -> None:
    suite = _suite(tmp_path, row)
    with pytest.raises(InputError, match=message):
        load_question_labels(suite)


def test_labels_of_questions_that_are_gone_or_reworded_do_not_count_and_are_listed(
    tmp_path: Path,
) -> None:
    labels = load_question_labels(_suite(tmp_path, "gone,h,p1,too_easy,\na,h,p2,ambiguous,"))
    frame = review(_unique("a"), labels)
    assert frame["status"].to_list() == ["kept"]
    gone, reworded = idle_labels(_unique("a"), labels)
    assert "row 2: the label does not count, there is no question 'gone'" in gone
    assert "row 3: the label does not count, the question's content is" in reworded
