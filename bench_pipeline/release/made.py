"""Items that were made from documents: the `reviewed` questions as the two sides of a bank."""

import hashlib
import json

import polars as pl

from bench_pipeline.contracts.construction import KEPT
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.contracts.tables import GOLD, ITEMS, SHORT_ANSWER

#: the text that an item was made from is its source, and holds its answer word for word
IN_DOCUMENT = "in its document"


def made_items(reviewed: pl.DataFrame, documents: pl.DataFrame, suite: SuiteSpec) -> pl.DataFrame:
    """The `items` table of a `reviewed` table's kept rows.

    Questions of one chunk rest on one text: they are one family.
    """
    kept = reviewed.filter(pl.col("status") == KEPT).join(
        documents.select("document_id", "title", "source"),
        on="document_id",
        maintain_order="left",
    )
    return kept.select(
        pl.col("candidate_id").alias("item_id"),
        pl.col("candidate_id").alias("concept_id"),
        (pl.col("domain") + pl.lit(":") + pl.col("chunk_id")).alias("family_id"),
        "language",
        pl.col("domain").alias("category"),
        pl.lit("question").alias("kind"),
        pl.lit(SHORT_ANSWER).alias("answer_type"),
        "question",
        pl.lit(None, dtype=pl.String).alias("pair_id"),
        pl.lit("unpaired").alias("pair_role"),
        pl.col("review_status").alias("status"),
        pl.lit(suite.split).alias("split"),
        pl.lit(None, dtype=pl.String).alias("as_of"),
        (pl.col("title") + pl.lit(", ") + pl.col("source")).alias("source"),
        pl.lit(IN_DOCUMENT).alias("source_checked"),
        pl.col("generator").alias("made_by"),
    ).select(list(ITEMS.polars))


def made_gold(reviewed: pl.DataFrame, suite: SuiteSpec) -> pl.DataFrame:
    """The `gold` table of a `reviewed` table's kept rows, under the suite's overlap threshold."""
    options = json.dumps({"threshold": str(suite.overlap_threshold)})
    kept = reviewed.filter(pl.col("status") == KEPT)
    hashes = [
        hashlib.sha256("\x1f".join((SHORT_ANSWER, answer, options)).encode()).hexdigest()
        for answer in kept["answer"]
    ]
    return kept.select(
        pl.col("candidate_id").alias("item_id"),
        pl.col("answer").alias("gold"),
        pl.lit(options).alias("options"),
        pl.Series("gold_hash", hashes, dtype=pl.String),
        pl.lit(None, dtype=pl.String).alias("correction_id"),
        pl.lit(False).alias("disputed"),
        pl.lit(0, dtype=pl.Int32).alias("change"),
        pl.lit(suite.version).alias("version"),
    ).select(list(GOLD.polars))
