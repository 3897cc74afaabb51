"""The two sides of the bank: `items`, which a model may see, and `gold`, which a grader needs."""

import hashlib

import polars as pl

from bench_pipeline.contracts.tables import GOLD, ITEMS


def items_of(bank: pl.DataFrame) -> pl.DataFrame:
    """The prompt side: everything but gold, options and place."""
    return bank.select(list(ITEMS.polars))


def gold_of(corrected: pl.DataFrame, version: str, change: int) -> pl.DataFrame:
    """The gold side, with a hash that changes when the grading of the item may change.

    `corrected` is a bank with `correction_id` and `disputed`; `version` is that of the data,
    `change` the newest one of the ledger.
    """
    hashes = [
        hashlib.sha256("\x1f".join(row).encode()).hexdigest()
        for row in corrected.select("answer_type", "gold", "options").iter_rows()
    ]
    return corrected.with_columns(
        pl.Series("gold_hash", hashes, dtype=pl.String),
        pl.lit(change, dtype=pl.Int32).alias("change"),
        pl.lit(version).alias("version"),
    ).select(list(GOLD.polars))
