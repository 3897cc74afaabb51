"""The `translations` table of one language: what passed the gates, and what failed and why."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from bench_pipeline.contracts.construction import EXAMPLE, FAILED, KEPT, TRANSLATIONS
from bench_pipeline.contracts.languages import Language
from bench_pipeline.translate.gates import Rendering, Source, problems

HUMAN = "human"
_NO_BACK = dict.fromkeys(("back_question", "back_reason", "chrf", "review_rank"))


def sources_of(items: pl.DataFrame, gold: pl.DataFrame, target: Language) -> list[Source]:
    """Every item of another language than `target` with its gold answer, in the order of ids."""
    foreign = items.filter(pl.col("language") != target.code)
    golds = gold.select("item_id", "gold")
    joined = foreign.select("item_id", "question").join(golds, on="item_id")
    return [Source(*row) for row in joined.sort("item_id").iter_rows()]


def failures(
    source: Source, found: Rendering | str, language: Language, glossary: Mapping[str, str]
) -> list[str]:
    """Why `found` is no translation of `source`; a string is a reply's own problem."""
    if isinstance(found, str):
        return [found]
    return problems(source, found, language, glossary)


def translations_table(
    sources: Sequence[Source],
    language: Language,
    human: Mapping[str, Rendering],
    engine: str | None,
    tries: Sequence[Mapping[str, Rendering | str]],
    glossary: Mapping[str, str],
) -> pl.DataFrame:
    """A row a source: a person's translation first, else the first try that passes every gate.

    `tries` are the engine's, first one first; of a row that never passes, the last try stands
    with its reasons.
    """
    rows = []
    for source in sources:
        row: dict[str, Any] = {
            "item_id": source.item_id,
            "language": language.code,
            "source_question": source.question,
            "source_answer": source.answer,
        }
        candidates: list[tuple[str, Rendering | str]] = []
        if source.item_id in human:
            written = human[source.item_id]
            candidates.append((EXAMPLE if written.example else HUMAN, written))
        candidates += [
            (engine or "", tried[source.item_id]) for tried in tries if source.item_id in tried
        ]
        rows.append({**_NO_BACK, **row, **_decided(source, candidates, language, glossary)})
    return pl.DataFrame(rows, schema=TRANSLATIONS.polars)


def _decided(
    source: Source,
    candidates: list[tuple[str, Rendering | str]],
    language: Language,
    glossary: Mapping[str, str],
) -> dict[str, Any]:
    decided: dict[str, Any] = {
        "engine": None,
        "question": None,
        "answer": None,
        "status": FAILED,
        "reasons": ["not_translated"],
    }
    for engine, found in candidates:
        reasons = failures(source, found, language, glossary)
        known = found if isinstance(found, Rendering) else None
        decided = {
            "engine": engine,
            "question": known.question if known else None,
            "answer": known.answer if known else None,
            "status": FAILED if reasons else KEPT,
            "reasons": reasons,
        }
        if not reasons:
            break
    return decided
