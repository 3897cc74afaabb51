"""Versions of a suite's data: what pins one, and tables that keep the rows of every one.

A board stands at the version of the data that it was computed from. When items are added or golds
corrected the version goes up, and the rows of older versions stay beside the new ones.
"""

import hashlib
import warnings
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
from upath import UPath

from bench_pipeline.contracts.paths import warehouse_dir
from bench_pipeline.contracts.schema import TableSchema
from bench_pipeline.storage.files import replace_file
from bench_pipeline.storage.tables import StaleTableError, TableStore


def data_hash(items: pl.DataFrame, gold: pl.DataFrame) -> str:
    """sha256 of what a score rests on: every item's question, place in the suite, and gold.

    `items` and `gold` are tables of those names.
    """
    columns = ["item_id", "family_id", "category", "pair_id", "pair_role", "question"]
    joined = items.select(columns).join(gold.select("item_id", "gold_hash"), on="item_id")
    digest = hashlib.sha256()
    for row in joined.sort("item_id").iter_rows():
        digest.update("\x1f".join("" if cell is None else cell for cell in row).encode() + b"\x1e")
    return digest.hexdigest()


def _set_aside(path: UPath | Path, suite: str) -> UPath:
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    kept = warehouse_dir() / "set_aside" / suite / f"{stamp}-{path.name}"
    replace_file(kept, path.read_bytes())
    return kept


def with_other_versions(
    store: TableStore, suite: str, schema: TableSchema, frame: pl.DataFrame, version: str
) -> pl.DataFrame:
    """`frame`, the rows of `version`, below those of every other version that was published.

    A file that cannot be read (damaged, or of another contract) is set aside under
    `warehouse/set_aside`, since its older rows cannot be computed again, and history begins anew.
    """
    try:
        published = store.read(suite, schema)
    except StaleTableError as error:
        published = None
        kept = _set_aside(store.path(suite, schema.name), suite)
        warnings.warn(f"{error}; it is kept as {kept}", stacklevel=2)
    if published is None:
        return frame
    return pl.concat([published.filter(pl.col("version") != version), frame])
