"""The tables under `warehouse/tables`: one Parquet file a partition, checked at both ends."""

import io
import json
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from upath import UPath

from bench_pipeline.contracts.paths import warehouse_dir
from bench_pipeline.contracts.schema import TableSchema
from bench_pipeline.storage.files import replace_file

_CONTRACT_KEY = b"bench_pipeline.contract"


class StaleTableError(RuntimeError):
    """A table written under another contract version; it is refused, never misread."""


def write_table(frame: pl.DataFrame, schema: TableSchema, path: UPath | Path) -> int:
    """Write `frame` as `schema` at `path`, atomically; the size in bytes.

    Raises:
        SchemaMismatchError: the frame is not of the schema; the file in place stays.
    """
    conforming = schema.conform(frame)
    schema.require_filled(conforming)
    arrow = conforming.to_arrow()
    contract = json.dumps({"table": schema.name, "version": schema.version}).encode()
    arrow = arrow.replace_schema_metadata({_CONTRACT_KEY: contract})
    buffer = io.BytesIO()
    pq.write_table(arrow, buffer, compression="zstd")
    content = buffer.getvalue()
    replace_file(path, content)
    return len(content)


def read_table(schema: TableSchema, path: UPath | Path) -> pl.DataFrame:
    """The table at `path`.

    Raises:
        FileNotFoundError: it was never written.
        StaleTableError: it was written under another version of the contract.
    """
    content = path.read_bytes()
    try:
        metadata = pq.read_schema(io.BytesIO(content)).metadata or {}
    except (pa.ArrowInvalid, OSError) as error:
        raise StaleTableError(
            f"{path} is damaged; delete it and materialise '{schema.name}' again (bench run), no "
            "answer is lost"
        ) from error
    contract = json.loads(metadata.get(_CONTRACT_KEY, b"{}"))
    if contract.get("version") != schema.version:
        raise StaleTableError(
            f"{path} has contract version {contract.get('version')}, this code reads "
            f"{schema.version}; materialise '{schema.name}' again (bench run), no answer is lost"
        )
    frame = pl.read_parquet(io.BytesIO(content))
    if set(frame.columns) != set(schema.polars):
        raise StaleTableError(
            f"{path} has columns {frame.columns}; materialise '{schema.name}' again (bench run), "
            "no answer is lost"
        )
    return schema.conform(frame)


@dataclass(frozen=True, slots=True)
class TableStore:
    """The tables of a warehouse by suite, name and partition."""

    root: UPath

    @classmethod
    def default(cls) -> "TableStore":
        """The tables of the configured warehouse."""
        return cls(warehouse_dir() / "tables")

    def path(self, suite: str, table: str, partition: str | None = None) -> UPath:
        """`SUITE/TABLE.parquet`, or `SUITE/TABLE/PARTITION.parquet`."""
        parts = (f"{table}.parquet",) if partition is None else (table, f"{partition}.parquet")
        return self.root.joinpath(suite, *parts)

    def read(
        self, suite: str, schema: TableSchema, partition: str | None = None
    ) -> pl.DataFrame | None:
        """The table, or None where it was never written."""
        path = self.path(suite, schema.name, partition)
        return read_table(schema, path) if path.exists() else None

    def partitions(self, suite: str, table: str) -> list[str]:
        """The partitions that exist, sorted."""
        folder = self.root / suite / table
        if not folder.exists():
            return []
        names = (path.name for path in folder.iterdir())
        return sorted(
            name.removesuffix(".parquet")
            for name in names
            if name.endswith(".parquet") and not name.startswith(".")
        )

    def read_partitions(self, suite: str, schema: TableSchema) -> pl.DataFrame:
        """All partitions that exist, one below the other; the empty table where none does."""
        frames = [
            read_table(schema, self.path(suite, schema.name, partition))
            for partition in self.partitions(suite, schema.name)
        ]
        return pl.concat(frames) if frames else schema.empty()
