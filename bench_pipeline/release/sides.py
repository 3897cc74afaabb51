"""The two sides of the bank: `items`, which a model may see, and `gold`, which a grader needs."""

import hashlib

import polars as pl

from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.contracts.tables import GOLD, ITEMS


def items_of(bank: pl.DataFrame) -> pl.DataFrame:
    """The prompt side: everything but gold, options and place."""
    return bank.select(list(ITEMS.polars))


def gold_of(bank: pl.DataFrame, suite: SuiteSpec) -> pl.DataFrame:
    """The gold side, with a hash that changes when the grading of the item may change."""
    hashes = [
        hashlib.sha256("\x1f".join(row).encode()).hexdigest()
        for row in bank.select("answer_type", "gold", "options").iter_rows()
    ]
    return bank.with_columns(
        pl.Series("gold_hash", hashes, dtype=pl.String),
        pl.lit(None, dtype=pl.String).alias("correction_id"),
        pl.lit(suite.version).alias("version"),
    ).select(list(GOLD.polars))
