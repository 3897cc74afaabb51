"""Agent 1 writes questions from a chunk, Agent 2 marks them: what is sent, and what a reply means.

Prompts are files of the suite. Agent 2 sees a candidate and its chunk, never what Agent 1 thought.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bench_pipeline.providers.json_reply import read_json_reply

#: the nine marks of Agent 2, each 0 to 10, 90 in all
MARKS = (
    "correctness",
    "relevance",
    "difficulty",
    "overall_quality",
    "indian_specificity",
    "context_richness",
    "answer_quality",
    "grammar_and_structure",
    "domain_expertise",
)
_MOST_MARK = 10
#: what Agent 1 is asked for at most; what it writes beyond is recorded and dropped
MOST_QUESTIONS = 5
AGENT_ONE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "questions": {
            "type": "array",
            "maxItems": MOST_QUESTIONS,
            "items": {
                "type": "object",
                "properties": {
                    "question": {"type": "string", "maxLength": 300},
                    "answer": {"type": "string", "maxLength": 80},
                },
                "required": ["question", "answer"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["questions"],
    "additionalProperties": False,
}
AGENT_TWO_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "justification": {"type": "string", "maxLength": 400},
        **{mark: {"type": "integer", "minimum": 0, "maximum": _MOST_MARK} for mark in MARKS},
        "correct": {"type": "boolean"},
        "one_answer": {"type": "boolean"},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
    },
    "required": ["justification", *MARKS, "correct", "one_answer", "confidence"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Written:
    """One question of an Agent 1 reply; `problem` says why there is none at `position`."""

    position: int
    question: str
    answer: str
    how: str | None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Marked:
    """An Agent 2 reply: nine marks and their sum, or the problem with it."""

    marks: dict[str, int] | None
    correct: bool | None
    one_answer: bool | None
    confidence: float | None
    how: str | None
    problem: str | None = None

    @property
    def total(self) -> int | None:
        """The sum of the marks, at most 90."""
        return sum(self.marks.values()) if self.marks is not None else None


def read_questions(text: str | None, finish_reason: str | None) -> Iterator[Written]:
    """The questions of an Agent 1 reply, in order; a malformed one keeps its place and problem."""
    reply = read_json_reply(text, finish_reason)
    if reply.problem is not None:
        yield Written(0, "", "", None, reply.problem)
        return
    questions = reply.value.get("questions") if isinstance(reply.value, dict) else reply.value
    if not isinstance(questions, list):
        yield Written(0, "", "", reply.how, "no_list_of_questions")
        return
    if not questions:
        yield Written(0, "", "", reply.how, "no_questions")
    for position, entry in enumerate(questions):
        yield _written(position, entry, reply.how)


def _written(position: int, entry: Any, how: str | None) -> Written:
    if not isinstance(entry, dict):
        return Written(position, "", "", how, "not_an_object")
    question, answer = entry.get("question"), entry.get("answer")
    if not isinstance(question, str) or not isinstance(answer, str):
        return Written(position, "", "", how, "question_or_answer_missing")
    return Written(position, question.strip(), answer.strip(), how)


def read_marks(text: str | None, finish_reason: str | None) -> Marked:
    """The marks of an Agent 2 reply; one that is incomplete or out of range has none.

    Numbers are compared as they are, since an integer of JSON may be too large for a float.
    """
    reply = read_json_reply(text, finish_reason)
    if reply.problem is not None:
        return _unmarked(reply.how, reply.problem)
    if not isinstance(reply.value, dict):
        return _unmarked(reply.how, "not_an_object")
    justification = reply.value.get("justification")
    if not isinstance(justification, str) or not justification.strip():
        return _unmarked(reply.how, "justification_missing")
    marks: dict[str, int] = {}
    for name in MARKS:
        mark = reply.value.get(name)
        if isinstance(mark, bool) or not isinstance(mark, int):
            return _unmarked(reply.how, f"mark_missing_or_not_a_number: {name}")
        if not 0 <= mark <= _MOST_MARK:
            return _unmarked(reply.how, f"mark_out_of_range: {name}")
        marks[name] = mark
    correct, one_answer = reply.value.get("correct"), reply.value.get("one_answer")
    if not isinstance(correct, bool) or not isinstance(one_answer, bool):
        return _unmarked(reply.how, "flag_missing")
    confidence = reply.value.get("confidence")
    known = isinstance(confidence, int | float) and not isinstance(confidence, bool)
    if confidence is None or not known or not 0 <= confidence <= 1:
        return _unmarked(reply.how, "confidence_missing_or_out_of_range")
    return Marked(marks, correct, one_answer, float(confidence), reply.how)


def _unmarked(how: str | None, problem: str) -> Marked:
    return Marked(None, None, None, None, how, problem)


def candidate_id(generator: str, chunk_id: str, position: int, question: str) -> str:
    """Sixteen hex digits of what makes a candidate: the same run gives the same ids."""
    content = json.dumps([generator, chunk_id, position, question], ensure_ascii=False)
    return hashlib.sha256(content.encode()).hexdigest()[:16]
