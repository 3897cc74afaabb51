"""`warehouse/bench.duckdb`: a schema a suite and a view a table, built whole and swapped in."""

import os
from pathlib import Path

from bench_pipeline.contracts.tables import PARTITIONED, TABLES
from bench_pipeline.storage.tables import TableStore


def build_catalog(path: Path, store: TableStore, suites: tuple[str, ...]) -> dict[str, int]:
    """Build the catalog as a new file and move it over `path`; views per suite.

    A table without files yet becomes an empty view with its columns, so that a query written
    for the finished warehouse runs on an unfinished one. Readers that have the old file open
    keep reading the old file.
    """
    import duckdb

    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    temporary.unlink(missing_ok=True)
    built: dict[str, int] = {}
    try:
        with duckdb.connect(str(temporary)) as connection:
            for suite in suites:
                connection.execute(f"create schema {_identifier(suite)}")
                for name, schema in TABLES.items():
                    files = _files(store, suite, name)
                    if files:
                        source = f"select * from read_parquet({_list(files)})"
                    else:
                        empty = schema.empty()
                        connection.register("empty_table", empty.to_arrow())
                        connection.execute(
                            f"create table {_identifier(suite)}.{_identifier('_' + name)} "
                            "as select * from empty_table"
                        )
                        connection.unregister("empty_table")
                        source = f"select * from {_identifier(suite)}.{_identifier('_' + name)}"
                    view = f"{_identifier(suite)}.{_identifier(name)}"
                    connection.execute(f"create view {view} as {source}")
                    connection.execute(f"comment on view {view} is {_literal(schema.description)}")
                    built[suite] = built.get(suite, 0) + 1
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    return built


def _files(store: TableStore, suite: str, table: str) -> list[str]:
    """Globs for a partitioned table, so that the view sees partitions that come later."""
    if table in PARTITIONED:
        if not store.partitions(suite, table):
            return []
        return [_escaped(str(store.root / suite / table)) + "/[a-z0-9]*.parquet"]
    path = store.path(suite, table)
    return [_escaped(str(path))] if path.exists() else []


def _escaped(path: str) -> str:
    """`path` as a glob that matches it alone."""
    return "".join(f"[{character}]" if character in "[*?" else character for character in path)


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _list(values: list[str]) -> str:
    return "[" + ", ".join(_literal(value) for value in values) + "]"
