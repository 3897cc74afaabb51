"""`bench dedup`: the questions of any file, each kept once."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from bench_pipeline.contracts.errors import InputError, shown
from bench_pipeline.contracts.paths import warehouse_dir
from bench_pipeline.dedup import Deduplicated, Settings, check_frame, deduplicate
from bench_pipeline.providers.embeddings import EmbeddingError, can_read, embedder

_ADDED = ("duplicate_of", "cosine", "reason")
_FORMATS = (".csv", ".jsonl", ".parquet")


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns of the file are what. Without `id`, rows are called by their numbers."""

    text: str
    score: str | None = None
    answer: str | None = None
    id: str | None = None


def dedup_file(
    file: Path,
    columns: Columns,
    threshold: float = Settings().threshold,
    model: str = "minilm",
    entities: bool = True,
    api_key_env: str | None = None,
) -> dict[str, Any]:
    """Write FILE.kept, FILE.dropped and FILE.pairs beside a CSV, JSONL or Parquet file.

    The outputs have the format of the input. Kept rows are as they were; a dropped one has the id
    of the kept row that it repeats, their cosine and the reason. A column `language` is used
    where there is one. What is returned counts rows and names the files.

    Raises:
        InputError: the file or a column is not what it must be.
    """
    table = _read(file)
    source = file.name
    _require_columns(table, columns, source)
    frame = _frame(table, columns, source)
    names = {"text": columns.text, "id": columns.id or "row"}
    check_frame(frame, source, names, first_row=_first_row(file))
    settings = Settings(
        threshold=threshold, floor=min(threshold, Settings().floor), entities=entities
    )
    embed = embedder(model, cache=_cache(), api_key_env=api_key_env)
    try:
        found = deduplicate(frame, settings, embed)
    except EmbeddingError as error:
        raise InputError(
            "dedup", str(error), field="model", accepted="a model that runs"
        ) from error
    gone = found.rows.select(*_ADDED)
    written = {
        "kept": table.filter(gone["duplicate_of"].is_null()),
        "dropped": pl.concat([table, gone], how="horizontal").filter(
            pl.col("duplicate_of").is_not_null()
        ),
        "pairs": found.pairs,
    }
    files = {name: str(_write(rows, file, name)) for name, rows in written.items()}
    by_ngrams = sum(not can_read(embed.name, text) for text in frame["text"])
    return {**_counts(found), "threshold": threshold, "by_ngrams": by_ngrams, "files": files}


def dedup_lines(summary: dict[str, Any]) -> list[str]:
    """The same for a person."""
    lines = [
        f"{summary['rows']} rows: {summary['kept']} kept, {summary['dropped']} dropped "
        f"(cosine {summary['threshold']:g} or more to the row that was kept)"
    ]
    if summary["guarded"]:
        reasons = ", ".join(f"{name} {count}" for name, count in summary["guards"].items())
        lines.append(f"{summary['guarded']} close pairs kept apart, to be looked at: {reasons}")
    if summary["by_ngrams"]:
        lines.append(
            f"{summary['by_ngrams']} texts in scripts that the model cannot read were compared by "
            "character n-grams"
        )
    return lines + [f"{name:8}{path}" for name, path in summary["files"].items()]


def _read(file: Path) -> pl.DataFrame:
    kind = file.suffix.lower()
    if kind not in _FORMATS:
        raise InputError(file, f"found {shown(kind)}", accepted=", ".join(_FORMATS))
    try:
        if kind == ".csv":
            table = pl.read_csv(file, infer_schema=False)
        elif kind == ".jsonl":
            table = pl.read_ndjson(file, infer_schema_length=None)
        else:
            with file.open("rb") as content:
                table = pl.read_parquet(content)
    except FileNotFoundError as error:
        raise InputError(file, "the file does not exist") from error
    except pl.exceptions.NoDataError as error:
        raise InputError(file, "it is empty", accepted="a header and rows") from error
    except (OSError, UnicodeError, pl.exceptions.PolarsError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise InputError(file, f"cannot be read as {kind[1:]}: {shown(reason, 160)}") from error
    if table.height == 0:
        raise InputError(file, "it has no rows", accepted="one row or more")
    return table


def _require_columns(table: pl.DataFrame, columns: Columns, source: str) -> None:
    for column in (columns.text, columns.score, columns.answer, columns.id):
        if column is not None and column not in table.columns:
            raise InputError(
                source,
                f"there is no column {shown(column)}",
                accepted=shown(", ".join(table.columns), 300),
            )
    for column in (columns.text, columns.answer):
        if column is not None and table.schema[column] not in (pl.String, pl.Null):
            found = table.schema[column]
            raise InputError(source, f"it holds {found}", field=column, accepted="text")
    taken = [name for name in _ADDED if name in table.columns]
    if taken:
        raise InputError(
            source,
            "the column is there already, and dropped rows get one of that name",
            field=taken[0],
            accepted="another name",
        )


def _frame(table: pl.DataFrame, columns: Columns, source: str) -> pl.DataFrame:
    """The columns that `deduplicate` reads."""

    def of(name: str | None) -> pl.Series:
        if name is None:
            return pl.Series([None] * table.height, dtype=pl.String)
        return table[name]

    language = "language" if table.schema.get("language") == pl.String else None
    numbers = pl.Series([str(row) for row in range(1, table.height + 1)])
    return pl.DataFrame(
        {
            "id": numbers if columns.id is None else table[columns.id].cast(pl.String),
            "text": of(columns.text).cast(pl.String),
            "answer": of(columns.answer).cast(pl.String),
            "score": _scores(of(columns.score), columns.score, source),
            "language": of(language),
        }
    )


def _scores(values: pl.Series, column: str | None, source: str) -> pl.Series:
    """Numbers; an empty cell and NaN are no score."""
    if values.dtype == pl.String:
        values = values.str.strip_chars().replace("", None)
    elif not (values.dtype.is_numeric() or values.dtype == pl.Null):
        raise InputError(source, f"it holds {values.dtype}", field=column, accepted="numbers")
    numbers = values.cast(pl.Float64, strict=False)
    strange = numbers.is_null() & values.is_not_null()
    if strange.any():
        value = values[int(strange.arg_true()[0])]
        raise InputError(
            source, f"found {shown(value)}", field=column, accepted="a number, or an empty cell"
        )
    return numbers.fill_nan(None)


def _first_row(file: Path) -> int:
    """A CSV's first row of data is its row 2."""
    return 2 if file.suffix.lower() == ".csv" else 1


def _cache() -> Path | None:
    """Vectors are kept in a warehouse that lies on a disk."""
    warehouse = warehouse_dir()
    return Path(warehouse) / "cache" / "embeddings" if isinstance(warehouse, Path) else None


def _write(rows: pl.DataFrame, file: Path, name: str) -> Path:
    path = file.with_name(f"{file.stem}.{name}{file.suffix}")
    kind = file.suffix.lower()
    try:
        if kind == ".csv":
            rows.write_csv(path)
        elif kind == ".jsonl":
            rows.write_ndjson(path)
        else:
            rows.write_parquet(path)
    except OSError as error:
        raise InputError(path, f"cannot be written: {error.strerror or error}") from error
    return path


def _counts(found: Deduplicated) -> dict[str, Any]:
    review = found.review["guard"].value_counts(sort=True)
    kept = len(found.kept)
    return {
        "rows": found.rows.height,
        "kept": kept,
        "dropped": found.rows.height - kept,
        "guarded": found.review.height,
        "guards": dict(review.rows()),
    }
