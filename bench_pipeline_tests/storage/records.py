"""Response records for tests."""

from typing import Any

from bench_pipeline.contracts.responses import ResponseRecord


def record(request_id: str, status: str = "ok", **changes: Any) -> ResponseRecord:
    values: dict[str, Any] = {
        "request_id": request_id,
        "key_version": 1,
        "prompt_id": f"prompt-{request_id}",
        "entry": "fake",
        "provider": "openai",
        "request": "{}",
        "dropped_parameters": [],
        "sample": 0,
        "wave": 0,
        "turn": 0,
        "suite_version": "0.1.0",
        "status": status,
        "http_status": 200,
        "headers": "{}",
        "body": "{}",
        "text": "42",
        "reasoning_text": None,
        "finish_reason": "stop",
        "prompt_tokens": 1,
        "cached_tokens": None,
        "completion_tokens": 1,
        "reasoning_tokens": None,
        "latency_ms": 1.0,
        "cost_usd": 0.5,
        "tries": '[{"at": "", "ms": 1, "outcome": "ok"}]',
        "asked_at": "2026-01-01T00:00:00.000000+00:00",
        "provider_model": "fake-1",
        "fingerprint": None,
        "error": None,
    }
    return ResponseRecord(**{**values, **changes})
