"""Questions translated back to their source language, and the order in which people look at them.

chrF only ranks: a wrong year costs it less than an honest paraphrase does, so that it is no gate.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from bench_pipeline.contracts.construction import KEPT, TRANSLATIONS
from bench_pipeline.contracts.languages import languages
from bench_pipeline.providers.json_reply import read_json_reply
from bench_pipeline.text import text_key

BACK_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "translations": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"id": {"type": "string"}, "question": {"type": "string"}},
                "required": ["id", "question"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["translations"],
    "additionalProperties": False,
}
#: what the prompt file may use
BACK_FIELDS = ("language", "items")


@dataclass(frozen=True, slots=True)
class Back:
    """What became of one question: its text in the source language, or the reason for none."""

    question: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class BackBatch:
    """Kept rows of one source language, as the prompt file sees them."""

    key: str
    language: str
    items: tuple[dict[str, str], ...]


def back_batches(
    frame: pl.DataFrame, source_languages: Mapping[str, str], size: int
) -> Iterator[BackBatch]:
    """The kept rows of a `translations` table, in batches of at most `size`.

    `source_languages` has the source language of every item. Batches are cut over all rows before
    what failed is left out: a row that comes to be kept changes its own batch and no other.
    """
    for code in sorted(set(source_languages.values())):
        rows = [
            row
            for row in frame.iter_rows(named=True)
            if source_languages.get(row["item_id"]) == code
        ]
        for start in range(0, len(rows), size):
            items = tuple(
                {"item_id": row["item_id"], "question": row["question"]}
                for row in rows[start : start + size]
                if row["status"] == KEPT
            )
            if items:
                yield BackBatch(f"{code}:{start}", language_name(code), items)


def language_name(code: str) -> str:
    """The English name of a source language; the code where it has none here."""
    if code == "en" or code not in languages():
        return "English" if code == "en" else code
    return languages()[code].name


def read_back(batch: BackBatch, text: str | None, finish_reason: str | None) -> dict[str, Back]:
    """Id → what came back for it; every id of `batch` has one."""
    ids = [item["item_id"] for item in batch.items]
    reply = read_json_reply(text, finish_reason)
    if reply.problem is not None:
        return {item_id: Back(reason=reply.problem) for item_id in ids}
    entries = reply.value.get("translations") if isinstance(reply.value, dict) else reply.value
    if not isinstance(entries, list):
        return {item_id: Back(reason="no_list_of_translations") for item_id in ids}
    found = {item_id: Back(reason="missing_in_reply") for item_id in ids}
    seen: set[str] = set()
    for entry in entries:
        item_id = entry.get("id") if isinstance(entry, dict) else None
        if not isinstance(item_id, str) or item_id not in found:
            continue
        question = entry.get("question")
        if item_id in seen:
            found[item_id] = Back(reason="id_twice")
        elif not isinstance(question, str) or not question.strip():
            found[item_id] = Back(reason="question_missing")
        else:
            found[item_id] = Back(question.strip())
        seen.add(item_id)
    return found


def chrf(candidate: str, reference: str) -> float:
    """chrF of two questions, 0 to 100 (Popović 2015; sacrebleu's defaults: n-grams to 6, β 2).

    Over text keys, so that case, quotes, closing marks and the script of digits cost nothing.
    """
    from sacrebleu.metrics.chrf import CHRF

    score: float = CHRF().sentence_score(text_key(candidate), [text_key(reference)]).score
    return score


def ranked(frame: pl.DataFrame, backs: Mapping[str, Back]) -> pl.DataFrame:
    """`frame` with its columns of back-translation; ties are looked at in the order of ids."""
    rows: Sequence[dict[str, Any]] = frame.to_dicts()
    for row in rows:
        back = backs.get(row["item_id"], Back())
        row["back_question"], row["back_reason"] = back.question, back.reason
        row["chrf"] = back.question and chrf(back.question, row["source_question"])
    scored = [row for row in rows if row["chrf"] is not None]
    scored.sort(key=lambda row: (row["chrf"], row["item_id"]))
    for rank, row in enumerate(scored, start=1):
        row["review_rank"] = rank
    return pl.DataFrame(rows, schema=TRANSLATIONS.polars)
