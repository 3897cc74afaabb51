from pathlib import Path

import pytest

from bench_pipeline.storage.responses import ResponseStore


@pytest.fixture
def store(tmp_path: Path) -> ResponseStore:
    return ResponseStore(tmp_path / "responses")


@pytest.fixture(autouse=True)
def _no_long_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Backoff keeps its order but not its seconds."""
    from bench_pipeline.providers import asking

    real = asking.pause
    monkeypatch.setattr(asking, "pause", lambda *a: min(real(*a), 2.0) * 0.02)
