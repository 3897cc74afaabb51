"""Questions that read the same and have different answers have several: none of them stays."""

from typing import Any

import polars as pl

from bench_pipeline.contracts.construction import VETTED
from bench_pipeline.dedup.assets import unique_table


def _vetted(*rows: tuple[str, str, str]) -> pl.DataFrame:
    common: dict[str, Any] = {
        "document_id": "d",
        "chunk_id": "d:0",
        "language": "en",
        "domain": "law",
        "generator": "cloze",
        "baseline": True,
        "span_start": 0,
        "span_end": 1,
        "vetter": None,
        "marks": None,
        "total": None,
        "correct": None,
        "confidence": None,
        "status": "kept",
        "reason": None,
        "request_id": None,
    }
    return pl.DataFrame(
        [{**common, "candidate_id": i, "question": q, "answer": a} for i, q, a in rows],
        schema=VETTED.polars,
    )


def _decided(**by_id: tuple[str, str | None]) -> pl.DataFrame:
    rows = [
        {
            "id": candidate,
            "status": "dropped" if kept_for else status,
            "reason": "duplicate" if kept_for else None,
            "duplicate_of": kept_for,
            "cosine": 0.9 if kept_for else None,
            "review": False,
        }
        for candidate, (status, kept_for) in by_id.items()
    ]
    types = {"duplicate_of": pl.String, "cosine": pl.Float64, "reason": pl.String}
    return pl.DataFrame(rows, schema_overrides=types)


def test_the_same_question_with_two_answers_goes() -> None:
    rows = _vetted(
        ("a", "The salary of the ____ is fixed by India?", "President"),
        ("b", "the salary of the ____ is fixed by India", "Governor"),
        ("c", "Which river of India is the longest?", "Ganga"),
        ("d", "Which river of India is longest?", "Ganga"),
    )
    kept = ("kept", None)
    frame = unique_table(rows, _decided(a=kept, b=kept, c=kept, d=("kept", "c")))
    assert frame.select("candidate_id", "status", "reason").rows() == [
        ("a", "dropped", "several_answers"),
        ("b", "dropped", "several_answers"),
        ("c", "kept", None),
        ("d", "dropped", "duplicate"),
    ]
