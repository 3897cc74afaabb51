from pathlib import Path

import polars as pl
import pytest
from upath import UPath

from bench_pipeline.contracts.schema import Column, SchemaMismatchError, TableSchema
from bench_pipeline.contracts.tables import ITEMS
from bench_pipeline.storage.tables import StaleTableError, TableStore, read_table, write_table

COLUMNS = (Column("a", pl.String, ""), Column("flags", pl.List(pl.String), ""))
SCHEMA = TableSchema("t", "", COLUMNS, key=("a",))
FRAME = pl.DataFrame({"a": ["x", "y"], "flags": [["f"], []]}, schema=SCHEMA.polars)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write_table(FRAME, SCHEMA, tmp_path / "t.parquet")
    assert read_table(SCHEMA, tmp_path / "t.parquet").equals(FRAME)


def test_the_same_frame_is_the_same_bytes(tmp_path: Path) -> None:
    write_table(FRAME, SCHEMA, tmp_path / "a.parquet")
    write_table(FRAME, SCHEMA, tmp_path / "b.parquet")
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_a_bad_frame_leaves_the_last_good_table(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "t.parquet"
    write_table(FRAME, SCHEMA, path)
    with pytest.raises(SchemaMismatchError):
        write_table(FRAME.drop("flags"), SCHEMA, path)
    assert read_table(SCHEMA, path).equals(FRAME)
    assert [p.name for p in path.parent.iterdir()] == ["t.parquet"]


def test_an_older_contract_is_refused_with_what_to_do(tmp_path: Path) -> None:
    write_table(FRAME, SCHEMA, tmp_path / "t.parquet")
    newer = TableSchema("t", "", COLUMNS, key=("a",), version=2)
    with pytest.raises(StaleTableError, match="contract version 1, this code reads 2"):
        read_table(newer, tmp_path / "t.parquet")


def test_a_store_off_the_disk() -> None:
    store = TableStore(UPath("memory://bucket/tables"))
    assert store.read("s", SCHEMA) is None
    write_table(FRAME, SCHEMA, store.path("s", "t", "model-1.5b"))
    assert store.partitions("s", "t") == ["model-1.5b"]
    assert store.read_partitions("s", SCHEMA).equals(FRAME)


def test_no_partition_is_the_empty_table(tmp_path: Path) -> None:
    assert TableStore(UPath(tmp_path)).read_partitions("s", ITEMS).equals(ITEMS.empty())


def test_a_damaged_table_is_named_with_the_way_out(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    write_table(FRAME, SCHEMA, path)
    path.write_bytes(path.read_bytes()[:50])
    with pytest.raises(StaleTableError, match=r"t.parquet is damaged.*'t' again"):
        read_table(SCHEMA, path)
