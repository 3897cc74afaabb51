"""Models, requests and runs against the fake provider."""

import asyncio
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

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
