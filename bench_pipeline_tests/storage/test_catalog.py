from pathlib import Path

import duckdb
import polars as pl
from upath import UPath

from bench_pipeline.contracts.tables import GRADES, TABLES
from bench_pipeline.storage.catalog import build_catalog
from bench_pipeline.storage.tables import TableStore, write_table

GRADE = {
    name: [{pl.String: "x", pl.Int32: 0, pl.Float64: 0.0}.get(dtype, ["f"])]  # type: ignore[call-overload]
    for name, dtype in GRADES.polars.items()
}


def test_every_table_is_a_view_even_before_it_exists(tmp_path: Path) -> None:
    path = tmp_path / "bench.duckdb"
    built = build_catalog(path, TableStore(UPath(tmp_path / "tables")), ("bkp", "it's"))
    assert built == {"bkp": len(TABLES), "it's": len(TABLES)}
    with duckdb.connect(str(path), read_only=True) as connection:
        assert connection.execute("select count(*) from bkp.grades").fetchone() == (0,)


def test_views_see_partitions_that_come_later_and_readers_keep_their_file(tmp_path: Path) -> None:
    store = TableStore(UPath(tmp_path / "it's" / "tables"))
    frame = pl.DataFrame(GRADE, schema=GRADES.polars)
    write_table(frame, GRADES, store.path("bkp", "grades", "model-a"))
    path = tmp_path / "bench.duckdb"
    build_catalog(path, store, ("bkp",))
    with duckdb.connect(str(path), read_only=True) as connection:
        write_table(frame, GRADES, store.path("bkp", "grades", "model-b"))
        build_catalog(path, store, ("bkp",))
        assert connection.execute("select count(*) from bkp.grades").fetchone() == (2,)
    assert not list(tmp_path.glob("*.tmp")) + list(tmp_path.glob(".*.tmp"))
