"""Tables as Dagster inputs and outputs."""

from typing import TYPE_CHECKING

import dagster as dg
import polars as pl

from bench_pipeline.contracts.paths import warehouse_dir
from bench_pipeline.contracts.tables import TABLES
from bench_pipeline.storage.tables import read_table, write_table

if TYPE_CHECKING:
    from upath import UPath


class ParquetTables(dg.UPathIOManager):
    """Asset `SUITE/TABLE` ↔ `warehouse/tables/SUITE/TABLE[/PARTITION].parquet`.

    The table's name finds its schema; a frame that is not of it is not written.
    """

    extension: str | None = ".parquet"

    def dump_to_path(self, context: dg.OutputContext, obj: pl.DataFrame, path: "UPath") -> None:
        """Write the frame atomically and say where and how large."""
        schema = TABLES[context.asset_key.path[-1]]
        size = write_table(obj, schema, path)
        context.add_output_metadata(
            {"dagster/uri": str(path), "bytes": size, "contract_version": schema.version}
        )

    def load_from_path(self, context: dg.InputContext, path: "UPath") -> pl.DataFrame:
        """The table that an upstream asset wrote."""
        return read_table(TABLES[context.asset_key.path[-1]], path)


@dg.io_manager
def parquet_tables() -> ParquetTables:
    """The tables of the configured warehouse."""
    return ParquetTables(base_path=warehouse_dir() / "tables")
