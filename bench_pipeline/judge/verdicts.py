"""A judge's reply: a justification, then one of three words; anything else is no verdict."""

from dataclasses import dataclass
from typing import Any

from bench_pipeline.contracts.judging import JUDGE_VERDICTS
from bench_pipeline.providers.json_reply import read_json_reply

#: the justification stands first, so that the verdict follows from it
JUDGE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "justification": {"type": "string", "maxLength": 300},
        "verdict": {"type": "string", "enum": list(JUDGE_VERDICTS)},
    },
    "required": ["justification", "verdict"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Judged:
    """What a reply says, and how it was read; a `problem` stands without a verdict."""

    verdict: str | None
    justification: str | None
    how: str | None
    problem: str | None = None


def read_verdict(text: str | None, finish_reason: str | None) -> Judged:
    """The verdict of a reply: the whole word of its field, never a word found in prose."""
    reply = read_json_reply(text, finish_reason)
    if reply.problem is not None:
        return Judged(None, None, reply.how, reply.problem)
    if not isinstance(reply.value, dict):
        return Judged(None, None, reply.how, "not_an_object")
    justification = reply.value.get("justification")
    if not isinstance(justification, str) or not justification.strip():
        return Judged(None, None, reply.how, "justification_missing")
    verdict = reply.value.get("verdict")
    if not isinstance(verdict, str):
        return Judged(None, justification, reply.how, "verdict_missing")
    word = verdict.strip().casefold()
    if word not in JUDGE_VERDICTS:
        return Judged(None, justification, reply.how, "verdict_unknown")
    return Judged(word, justification, reply.how)
