"""Where the two folders are: `assets/` (people edit) and `warehouse/` (the pipeline writes)."""

import os
from pathlib import Path

from upath import UPath

from bench_pipeline.contracts.errors import InputError

PROJECT_ROOT = Path(__file__).resolve().parents[2]


def assets_dir() -> Path:
    """The folder that people edit; `BENCH_ASSETS` moves it."""
    return Path(os.environ.get("BENCH_ASSETS") or PROJECT_ROOT / "assets").resolve()


def reference_dir() -> Path:
    """Units, months, phrases; the shipped ones where a moved assets folder has none of its own."""
    own = assets_dir() / "reference"
    return own if own.is_dir() else PROJECT_ROOT / "assets" / "reference"


def disk_warehouse() -> Path:
    """The warehouse, where only a disk will do: the journal of answers and the DuckDB file.

    Raises:
        InputError: it is on an object store, which holds tables only.
    """
    warehouse = warehouse_dir()
    if not isinstance(warehouse, Path):
        raise InputError(
            "BENCH_WAREHOUSE",
            f"{warehouse} is not on a disk, and answers are journaled on one",
            accepted="a folder",
        )
    return warehouse


def warehouse_dir() -> UPath:
    """The folder that the pipeline writes; `BENCH_WAREHOUSE` moves it, to an object store too."""
    configured = os.environ.get("BENCH_WAREHOUSE")
    if configured and "://" in configured:
        return UPath(configured)
    return UPath(Path(configured).resolve() if configured else PROJECT_ROOT / "warehouse")
