import asyncio
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from bench_pipeline.contracts.roster import ModelSpec
from bench_pipeline.providers import AskSummary, Prompt, Request, ask, prepare
from bench_pipeline.storage.responses import ResponseStore

FAST = {"connect": 2, "read": 2, "attempt": 3, "total": 20, "max_tries": 4}


def model(url: str, **settings: Any) -> ModelSpec:
    return ModelSpec.model_validate(
        {
            "id": "fake",
            "provider": "openai",
            "model": "fake-1",
            "base_url": url,
            "family": "fake",
            "deadlines": FAST,
            "limits": {"max_in_flight": 8},
            **settings,
        }
    )


def requests(spec: ModelSpec, count: int) -> list[Request]:
    return [
        prepare(
            spec,
            Prompt(f"p{i}", [{"role": "user", "content": f"question {i}"}], 0.0, 64),
        )
        for i in range(count)
    ]


def ask_all(
    spec: ModelSpec, work: Iterable[Any], store: ResponseStore, max_usd: Decimal | None = None
) -> AskSummary:
    with store.writing():
        return asyncio.run(ask(spec, work, store, max_usd=max_usd))


@pytest.fixture
def store(tmp_path: Path) -> ResponseStore:
    return ResponseStore(tmp_path / "responses")


@pytest.fixture(autouse=True)
def _no_long_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Backoff keeps its order but not its seconds."""
    from bench_pipeline.providers import asking

    real = asking.pause
    monkeypatch.setattr(asking, "pause", lambda *a: min(real(*a), 2.0) * 0.02)
