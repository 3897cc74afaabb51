"""`warehouse/rejected/`: frames that failed their gate, with the report that says why."""

import io
import json
from datetime import UTC, datetime
from typing import Any

import polars as pl
from upath import UPath

from bench_pipeline.contracts.paths import warehouse_dir
from bench_pipeline.quality.expectations import Outcome
from bench_pipeline.storage.files import replace_file

KEPT = 5


def keep_rejected(
    frame: pl.DataFrame, suite: str, table: str, partition: str | None, outcomes: list[Outcome]
) -> UPath:
    """Keep `frame` and its report, drop all but the newest few of the table; the report's path."""
    folder = warehouse_dir() / "rejected" / suite / table
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    stem = f"{stamp}-{partition}" if partition else stamp
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    replace_file(folder / f"{stem}.parquet", buffer.getvalue())
    report: dict[str, Any] = {
        "suite": suite,
        "table": table,
        "partition": partition,
        "rows": frame.height,
        "at": stamp,
        "expectations": [as_report(outcome) for outcome in outcomes],
    }
    text = json.dumps(report, ensure_ascii=False, indent=2)
    replace_file(folder / f"{stem}.json", text.encode())
    frames = sorted(path for path in folder.iterdir() if path.name.endswith(".parquet"))
    for old in frames[:-KEPT]:
        old.unlink(missing_ok=True)
        old.with_suffix(".json").unlink(missing_ok=True)
    return folder / f"{stem}.json"


def as_report(outcome: Outcome) -> dict[str, Any]:
    """One expectation's outcome as JSON."""
    return {
        "expectation": outcome.expectation.kind,
        "arguments": outcome.expectation.arguments,
        "severity": outcome.expectation.severity,
        "success": outcome.success,
        "unexpected": outcome.unexpected,
        "sample": outcome.sample,
        "broken": outcome.broken,
    }
