"""What a translator is asked, and the rows of its replies.

Rows go in batches and come back by their id with their source repeated, so that rows that were
swapped show. A row that is missing, doubled or unreadable is that row's failure, not the batch's.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from bench_pipeline.providers.json_reply import read_json_reply
from bench_pipeline.translate.gates import Rendering, Source

TRANSLATION_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "translations": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string"},
                    "source": {"type": "string"},
                    "question": {"type": "string"},
                    "answer": {"type": "string"},
                },
                "required": ["id", "source", "question", "answer"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["translations"],
    "additionalProperties": False,
}


def batches(sources: Sequence[Source], size: int) -> Iterator[list[Source]]:
    """`sources` in their order, `size` at a time."""
    for start in range(0, len(sources), size):
        yield list(sources[start : start + size])


def read_batch(
    batch: Sequence[Source], text: str | None, finish_reason: str | None
) -> dict[str, Rendering | str]:
    """Id → what came back for it, or the problem with it; every id of `batch` has one."""
    reply = read_json_reply(text, finish_reason)
    if reply.problem is not None:
        return {source.item_id: reply.problem for source in batch}
    entries = reply.value.get("translations") if isinstance(reply.value, dict) else reply.value
    if not isinstance(entries, list):
        return {source.item_id: "no_list_of_translations" for source in batch}
    found: dict[str, Rendering | str] = {s.item_id: "missing_in_reply" for s in batch}
    seen: set[str] = set()
    for entry in entries:
        item_id = entry.get("id") if isinstance(entry, dict) else None
        if not isinstance(item_id, str) or item_id not in found:
            continue
        found[item_id] = "id_twice" if item_id in seen else _rendering(item_id, entry)
        seen.add(item_id)
    return found


def _rendering(item_id: str, entry: dict[str, Any]) -> Rendering | str:
    question, answer, echo = (entry.get(name) for name in ("question", "answer", "source"))
    if not isinstance(question, str) or not isinstance(answer, str):
        return "question_or_answer_missing"
    if not isinstance(echo, str):
        return "source_not_repeated"
    return Rendering(item_id, question.strip(), answer.strip(), echo)
