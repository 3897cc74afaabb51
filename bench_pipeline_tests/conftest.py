"""Every test has folders of its own; none touches the project's warehouse."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def warehouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty warehouse, set for the code under test and its subprocesses."""
    folder = tmp_path / "warehouse"
    folder.mkdir()
    monkeypatch.setenv("BENCH_WAREHOUSE", str(folder))
    monkeypatch.delenv("BENCH_ASSETS", raising=False)
    monkeypatch.delenv("BENCH_STATE_DIR", raising=False)
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    return folder
