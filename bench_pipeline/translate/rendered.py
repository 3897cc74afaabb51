"""Translations that passed their gates, as items and golds of their own."""

import hashlib

import polars as pl

from bench_pipeline.contracts.construction import KEPT
from bench_pipeline.contracts.tables import (
    SHORT_ANSWER,
    TRANSLATED_GOLD,
    TRANSLATED_ITEMS,
)
from bench_pipeline.translate.translations import HUMAN


def current_translations(
    translations: pl.DataFrame, items: pl.DataFrame, gold: pl.DataFrame
) -> pl.DataFrame:
    """The kept rows of `translations` that can be asked.

    Their question and gold are still what was translated, and nothing else in the language reads
    like them: a question that two items share has no one answer.
    """
    today = items.select("item_id", source_question="question").join(
        gold.select("item_id", source_answer="gold"), on="item_id"
    )
    current = translations.filter(pl.col("status") == KEPT).join(
        today, on=["item_id", "source_question", "source_answer"], how="semi"
    )
    alone = current.filter(pl.len().over("language", "question") == 1)
    return alone.join(items.select("language", "question"), on=["language", "question"], how="anti")


def translated_items(current: pl.DataFrame, items: pl.DataFrame) -> pl.DataFrame:
    """The `translated_items` table: an item a rendering, `ITEM:LANGUAGE`, and each a draft."""
    source = items.drop("language", "question", "status", "made_by")
    made_by = pl.when(pl.col("engine") != HUMAN).then("engine").alias("made_by")
    rows = current.select("item_id", "language", "question", made_by).join(
        source, on="item_id", maintain_order="left"
    )
    return rows.with_columns(_rendering_id(), pl.lit("draft").alias("status")).select(
        list(TRANSLATED_ITEMS.polars)
    )


def translated_gold(current: pl.DataFrame, items: pl.DataFrame, gold: pl.DataFrame) -> pl.DataFrame:
    """The `translated_gold` table.

    The gold of a short answer is its translation; that of every other type is canonical, and the
    same in every language.
    """
    rows = (
        current.select("item_id", "language", "answer")
        .join(items.select("item_id", "answer_type"), on="item_id", maintain_order="left")
        .join(gold.drop("gold_hash"), on="item_id", maintain_order="left")
        .with_columns(
            pl.when(pl.col("answer_type") == SHORT_ANSWER)
            .then("answer")
            .otherwise("gold")
            .alias("gold")
        )
    )
    hashes = [
        hashlib.sha256("\x1f".join(row).encode()).hexdigest()
        for row in rows.select("answer_type", "gold", "options").iter_rows()
    ]
    return rows.with_columns(
        _rendering_id(), pl.Series("gold_hash", hashes, dtype=pl.String)
    ).select(list(TRANSLATED_GOLD.polars))


def _rendering_id() -> pl.Expr:
    return (pl.col("item_id") + ":" + pl.col("language")).alias("item_id")
