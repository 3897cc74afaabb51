"""What a run will take, before any call: requests, tokens, money and time."""

import json
from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from bench_pipeline.contracts.responses import ANSWERED
from bench_pipeline.contracts.roster import ModelSpec
from bench_pipeline.infer.completions import plan, prompts_of
from bench_pipeline.providers import prepare
from bench_pipeline.storage.responses import ResponseStore

#: where nothing is stored yet: bytes a token of English, and tokens of a short answer
_BYTES_PER_TOKEN = 4.0
_COMPLETION_TOKENS = 150
_SAMPLE = 500


@dataclass(frozen=True, slots=True)
class Estimate:
    """What is left to ask of one suite and model. Money in US dollars; None is unknown.

    `expected_usd` uses tokens as measured on this model's stored answers where there are any
    (`measured_on` of them), else rules of thumb; `at_most_usd` is the bound that the spending
    cap reserves. `seconds` needs measured latency; request limits are taken into account.
    """

    suite: str
    model: str
    profile: str
    requests: int
    answered: int
    to_ask: int
    prompt_tokens: int
    completion_tokens: int
    expected_usd: float | None
    at_most_usd: float | None
    seconds: float | None
    measured_on: int

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self)


def estimate(
    suite: str, prompts: pl.DataFrame, spec: ModelSpec, profile: str, store: ResponseStore
) -> Estimate:
    """What asking `spec` the rest of `profile` will take."""
    todo = plan(prompts, spec, profile, store.answered_ids(), None)
    rows = prompts.filter(pl.col("prompt_id").is_in(todo.to_ask))
    requests = [prepare(spec, prompt) for prompt in prompts_of(rows)]
    sizes = [_message_bytes(request.body) for request in requests]
    measured = _measured(store)
    prompt_tokens = round(sum(sizes) / measured.bytes_per_token)
    completion_tokens = round(
        sum(min(measured.completion_tokens, request.max_tokens) for request in requests)
    )
    prices = spec.prices
    expected = at_most = None
    if prices is not None:
        tokens = prompt_tokens * prices.input + completion_tokens * prices.output
        expected = float(tokens / 1_000_000)
        at_most = todo.at_most_usd
    return Estimate(
        suite=suite,
        model=spec.id,
        profile=profile,
        requests=len(todo.wanted),
        answered=len(todo.wanted) - len(todo.missing),
        to_ask=len(requests),
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        expected_usd=expected,
        at_most_usd=at_most,
        seconds=_seconds(len(requests), prompt_tokens + completion_tokens, spec, measured),
        measured_on=measured.answers,
    )


@dataclass(frozen=True, slots=True)
class _Measured:
    answers: int
    bytes_per_token: float
    completion_tokens: float
    latency_ms: float | None


def _measured(store: ResponseStore) -> _Measured:
    """Means over this model's stored answers; rules of thumb where it has none."""
    stored = store.read(
        ["status", "request", "prompt_tokens", "completion_tokens", "latency_ms"]
    ).filter(pl.col("status").is_in(list(ANSWERED)))
    known = stored.drop_nulls(["prompt_tokens", "completion_tokens"])
    if known.is_empty():
        return _Measured(0, _BYTES_PER_TOKEN, _COMPLETION_TOKENS, None)
    sample = known.head(_SAMPLE)
    sent = sum(_message_bytes(json.loads(request)) for request in sample["request"])
    return _Measured(
        answers=known.height,
        bytes_per_token=sent / max(int(sample["prompt_tokens"].sum()), 1),
        completion_tokens=float(known["completion_tokens"].sum()) / known.height,
        latency_ms=float(stored["latency_ms"].drop_nulls().sum()) / max(stored.height, 1),
    )


def _message_bytes(body: dict[str, Any]) -> int:
    return sum(len(message["content"].encode()) for message in body["messages"])


def _seconds(requests: int, tokens: int, spec: ModelSpec, measured: _Measured) -> float | None:
    if measured.latency_ms is None:
        return None
    seconds = requests * measured.latency_ms / 1000 / spec.limits.max_in_flight
    if spec.limits.requests_per_minute is not None:
        seconds = max(seconds, 60 * requests / spec.limits.requests_per_minute)
    if spec.limits.tokens_per_minute is not None:
        seconds = max(seconds, 60 * tokens / spec.limits.tokens_per_minute)
    return seconds
