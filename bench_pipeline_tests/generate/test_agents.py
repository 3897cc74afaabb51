"""Every malformed reply has a row and a reason; nothing is lost, nothing wrongly kept."""

import json
from typing import Any

import polars as pl
import pytest

from bench_pipeline.contracts.construction import CHUNKS
from bench_pipeline.generate.agents import MARKS, read_marks, read_questions
from bench_pipeline.generate.candidates import NOT_VETTED, agent_candidates, vet
from bench_pipeline.providers.stored import StoredReply

TEXT = "The Constitution of India came into force on 26 January 1950."
GOOD = {
    "question": "When did the Constitution of India come into force?",
    "answer": "26 January 1950",
}
MARKED: dict[str, Any] = {
    "justification": "It stands there.",
    **dict.fromkeys(MARKS, 8),
    "correct": True,
    "one_answer": True,
    "confidence": 0.9,
}

REPLIES: list[tuple[str, str | None, str, list[tuple[str, str | None]]]] = [
    ("strict", json.dumps({"questions": [GOOD]}), "stop", [("kept", None)]),
    ("a list alone", json.dumps([GOOD]), "stop", [("kept", None)]),
    ("fenced", f"```json\n{json.dumps([GOOD])}\n```", "stop", [("kept", None)]),
    ("prose around", f"Sure: {json.dumps({'questions': [GOOD]})} Done", "stop", [("kept", None)]),
    ("empty", "", "stop", [("failed", "empty_reply")]),
    ("no text", None, "stop", [("failed", "empty_reply")]),
    ("cut", json.dumps({"questions": [GOOD]}), "length", [("failed", "cut_by_length")]),
    ("broken", '{"questions": [{"question": "Wh', "stop", [("failed", "not_json")]),
    ("other shape", '{"q": 1}', "stop", [("failed", "no_list_of_questions")]),
    ("a number", "7", "stop", [("failed", "no_list_of_questions")]),
    ("none", '{"questions": []}', "stop", [("failed", "no_questions")]),
    (
        "half of each",
        json.dumps({"questions": [GOOD, "x", {"question": "Who?"}, {**GOOD, "answer": 1950}]}),
        "stop",
        [
            ("kept", None),
            ("failed", "not_an_object"),
            ("failed", "question_or_answer_missing"),
            ("failed", "question_or_answer_missing"),
        ],
    ),
    ("filtered", json.dumps([GOOD]), "content_filter", [("failed", "filtered")]),
    ("a refusal", "I cannot", "refusal", [("failed", "filtered")]),
    ("thinking", f"<think>{{}}</think>{json.dumps([GOOD])}", "stop", [("kept", None)]),
    ("only thinking", f"<think>{json.dumps([GOOD])}", "stop", [("failed", "only_thinking")]),
    (
        "half of a character",
        json.dumps([GOOD, {**GOOD, "answer": "\ud800"}]),
        "stop",
        [("failed", "lone_surrogate")],
    ),
    (
        "a question without end",
        json.dumps([{**GOOD, "question": "When did India " * 6000 + "?"}]),
        "stop",
        [("dropped", "question_length")],
    ),
    (
        "a paraphrase",
        json.dumps([{**GOOD, "answer": "Republic Day"}]),
        "stop",
        [("dropped", "answer_not_verbatim")],
    ),
]


def _chunks() -> pl.DataFrame:
    row = {
        "document_id": "d",
        "chunk_id": "d:0",
        "position": 0,
        "language": "en",
        "domain": "law",
        "heading": None,
        "text": TEXT,
        "spans": [{"page": 1, "start": 0, "end": len(TEXT)}],
    }
    return pl.DataFrame([row], schema=CHUNKS.polars)


@pytest.mark.parametrize("case", REPLIES, ids=lambda case: case[0])
def test_every_reply_has_its_rows(case: tuple[str, str | None, str, list[Any]]) -> None:
    _, text, finish, expected = case
    frame = agent_candidates(_chunks(), "m", {"d:0": StoredReply("r1", "ok", text, finish)})
    assert frame.select("status", "reason").rows() == expected
    assert set(frame["request_id"]) == {"r1"}
    assert frame["candidate_id"].n_unique() == frame.height
    failed = frame.filter(pl.col("status") == "failed")
    assert all(raw == text for raw in failed["raw"])
    assert not frame["baseline"].any()


def test_a_chunk_without_an_answer_has_no_row() -> None:
    assert agent_candidates(_chunks(), "m", {}).is_empty()


def test_what_stands_beyond_the_fifth_is_recorded_and_dropped() -> None:
    five = [{**GOOD, "question": f"{k}. {GOOD['question']}"} for k in range(5)]
    text = json.dumps([*five, GOOD, "x", {**GOOD, "question": "\x1b"}, *[7] * 5_000])
    frame = agent_candidates(_chunks(), "m", {"d:0": StoredReply("r1", "ok", text, "stop")})
    assert frame["reason"].to_list() == [None] * 5 + ["more_than_five"] * 5_003
    assert set(frame["status"][5:]) == {"dropped"}
    assert frame["question"][5] == GOOD["question"]
    assert frame["raw"].null_count() == frame.height
    assert frame["candidate_id"].n_unique() == frame.height


def test_what_a_reply_says_twice_is_kept_once() -> None:
    again = {**GOOD, "question": GOOD["question"].upper()}
    text = json.dumps({"questions": [GOOD, GOOD, again]})
    frame = agent_candidates(_chunks(), "m", {"d:0": StoredReply("r1", "ok", text, "stop")})
    assert frame["reason"].to_list() == [None, "repeated_in_its_reply", "repeated_in_its_reply"]
    assert frame["candidate_id"].n_unique() == 3


def _reply(**changes: Any) -> StoredReply:
    said = {**MARKED, **changes}
    text = json.dumps({key: value for key, value in said.items() if value is not ...})
    return StoredReply("r2", "ok", text, "stop")


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"correctness": 11}, "mark_out_of_range: correctness"),
        ({"relevance": -1}, "mark_out_of_range: relevance"),
        ({"difficulty": "8"}, "mark_missing_or_not_a_number: difficulty"),
        ({"difficulty": True}, "mark_missing_or_not_a_number: difficulty"),
        ({"difficulty": 7.5}, "mark_missing_or_not_a_number: difficulty"),
        ({"domain_expertise": ...}, "mark_missing_or_not_a_number: domain_expertise"),
        ({"correct": "yes"}, "flag_missing"),
        ({"one_answer": ...}, "flag_missing"),
        ({"confidence": 3}, "confidence_missing_or_out_of_range"),
        ({"confidence": None}, "confidence_missing_or_out_of_range"),
        ({"confidence": True}, "confidence_missing_or_out_of_range"),
        ({"confidence": 10**400}, "confidence_missing_or_out_of_range"),
        ({"confidence": -(10**400)}, "confidence_missing_or_out_of_range"),
        ({"confidence": float("inf")}, "confidence_missing_or_out_of_range"),
        ({"confidence": float("nan")}, "confidence_missing_or_out_of_range"),
        ({"correctness": 10**400}, "mark_out_of_range: correctness"),
        ({"correctness": -(10**400)}, "mark_out_of_range: correctness"),
        ({"correctness": 1e308}, "mark_missing_or_not_a_number: correctness"),
        ({"justification": ...}, "justification_missing"),
        ({"justification": None}, "justification_missing"),
        ({"justification": ["x"]}, "justification_missing"),
        ({"justification": ""}, "justification_missing"),
        ({"justification": " \n\u00a0"}, "justification_missing"),
        ({"justification": "\udfff"}, "lone_surrogate"),
    ],
)
def test_marks_that_are_no_marks(changes: dict[str, Any], problem: str) -> None:
    reply = _reply(**changes)
    assert read_marks(reply.text, reply.finish_reason).problem == problem


def _vetted(*said: StoredReply, vetter: str | None = "m2") -> dict[str, Any]:
    text = json.dumps([GOOD])
    candidates = agent_candidates(_chunks(), "m", {"d:0": StoredReply("r1", "ok", text, "stop")})
    key = candidates["candidate_id"][0]
    return vet(candidates, vetter, {key: said}).row(0, named=True)


def test_the_nine_marks_and_their_sum() -> None:
    row = _vetted(_reply())
    assert (row["status"], row["total"], row["confidence"]) == ("kept", 72, 0.9)
    assert row["marks"] == [8] * 9


def test_a_second_try_counts_and_a_third_is_none() -> None:
    bad = _reply(correctness=11)
    assert _vetted(bad, _reply())["status"] == "kept"
    row = _vetted(bad, bad)
    assert (row["status"], row["reason"]) == ("unscored", "mark_out_of_range: correctness")
    assert row["total"] is None


def test_what_agent_two_drops() -> None:
    assert _vetted(_reply(correct=False))["reason"] == "agent_two_says_incorrect"
    assert _vetted(_reply(one_answer=False))["reason"] == "several_defensible_answers"


def test_without_a_vetter_it_passes_and_says_so() -> None:
    row = _vetted(vetter=None)
    assert (row["status"], row["reason"], row["vetter"]) == ("kept", NOT_VETTED, None)
    assert _vetted()["reason"] == "not answered yet"


def test_a_question_keeps_its_place_in_the_reply() -> None:
    written = list(read_questions(json.dumps([GOOD, "x", GOOD]), "stop"))
    assert [w.position for w in written] == [0, 1, 2]
