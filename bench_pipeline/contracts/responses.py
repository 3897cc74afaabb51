"""One stored answer: what was sent, what came back raw, and what was read from it."""

from dataclasses import dataclass

import polars as pl

from bench_pipeline.contracts.schema import Column, TableSchema
from bench_pipeline.contracts.tables import STATUSES

ANSWERED = frozenset({"ok", "empty", "truncated", "filtered"})


@dataclass(frozen=True, slots=True)
class ResponseRecord:
    """The outcome of one request, as it is appended to the journal and kept for ever.

    `request` is the JSON body as sent, `body` the reply as received (undecodable bytes escaped);
    neither holds a header with a key. `tries` is a JSON list of {at, ms, outcome}. Token counts
    and cost are None where the provider did not say. `asked_at` is ISO 8601, UTC.
    """

    request_id: str
    key_version: int
    prompt_id: str
    entry: str
    provider: str
    request: str
    dropped_parameters: list[str]
    sample: int
    wave: int
    turn: int
    suite_version: str
    status: str
    http_status: int | None
    headers: str
    body: str | None
    text: str | None
    reasoning_text: str | None
    finish_reason: str | None
    prompt_tokens: int | None
    cached_tokens: int | None
    completion_tokens: int | None
    reasoning_tokens: int | None
    latency_ms: float | None
    cost_usd: float | None
    tries: str
    asked_at: str
    provider_model: str | None
    fingerprint: str | None
    error: str | None

    @property
    def answered(self) -> bool:
        """Whether this is an answer; an infra_error is missing data and is asked again."""
        return self.status in ANSWERED


def _text(name: str, description: str, nullable: bool = True) -> Column:
    return Column(name, pl.String, description, nullable=nullable)


RESPONSES = TableSchema(
    "responses",
    "Every answer that was paid for, raw and whole; append-only.",
    (
        _text("request_id", "sha256 of everything that was sent, sample and wave", False),
        Column("key_version", pl.Int64, "version of the identity's recipe"),
        _text("prompt_id", "the prompt that was put", False),
        _text("entry", "id in the roster", False),
        _text("provider", "adapter that asked", False),
        _text("request", "JSON body as sent", False),
        Column("dropped_parameters", pl.List(pl.String), "asked for, not taken by the model"),
        Column("sample", pl.Int64, "repeat inside a run"),
        Column("wave", pl.Int64, "repeat at another time"),
        Column("turn", pl.Int64, "turn of a conversation"),
        _text("suite_version", "when it was first asked", False),
        Column("status", pl.String, "from the wire alone", allowed=STATUSES),
        Column("http_status", pl.Int64, "of the last try", nullable=True),
        _text("headers", "selected response headers, JSON", False),
        _text("body", "reply as received"),
        _text("text", "the answer"),
        _text("reasoning_text", "reasoning in its own field"),
        _text("finish_reason", "as the provider gave it"),
        Column("prompt_tokens", pl.Int64, "cached ones included", nullable=True),
        Column("cached_tokens", pl.Int64, "part of prompt_tokens", nullable=True),
        Column("completion_tokens", pl.Int64, "reasoning included", nullable=True),
        Column("reasoning_tokens", pl.Int64, "part of completion_tokens", nullable=True),
        Column("latency_ms", pl.Float64, "of the try that answered", nullable=True),
        Column("cost_usd", pl.Float64, "null is unknown", nullable=True),
        _text("tries", "JSON list of every try", False),
        _text("asked_at", "ISO 8601, UTC", False),
        _text("provider_model", "the model that the provider says answered"),
        _text("fingerprint", "the provider's version of it"),
        _text("error", "of an infra_error"),
    ),
    key=("request_id",),
)
