"""What the agents are asked, through the one asking loop, and what is already stored of it.

A request is put once: a re-run asks only for chunks and candidates without an answer, and a change
of parsing or gates asks nothing.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import polars as pl
from jinja2 import StrictUndefined, TemplateError
from jinja2.sandbox import SandboxedEnvironment

from bench_pipeline.contracts.errors import InputError, shown
from bench_pipeline.contracts.roster import ModelSpec
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.providers import AskSummary, Progress, Prompt, Request, ask, prepare
from bench_pipeline.storage.responses import ResponseStore

AGENT_ONE, AGENT_TWO = "agent_one", "agent_two"
_COLUMNS = ["request_id", "status", "text", "finish_reason"]


@dataclass(frozen=True, slots=True)
class Reply:
    """A stored reply, as far as an agent's reader needs it."""

    request_id: str
    status: str
    text: str | None
    finish_reason: str | None


def agent_requests(
    suite: SuiteSpec,
    spec: ModelSpec,
    template: str,
    schema: Mapping[str, Any],
    rows: Sequence[Mapping[str, Any]],
    *,
    key: str,
    sample: int = 0,
) -> dict[str, Request]:
    """A request a row, by the row's `key`: the suite's prompt file over the row's fields.

    Raises:
        InputError: the prompt file is missing, or asks for something that a row does not have.
    """
    render = _template(suite, template)
    return {
        str(row[key]): prepare(
            spec,
            Prompt(
                prompt_id=str(row[key]),
                messages=[{"role": "user", "content": render(row)}],
                temperature=suite.sampling.temperature,
                max_tokens=suite.generation.max_tokens,
                sample=sample,
                suite_version=suite.version,
                response_schema=dict(schema),
            ),
        )
        for row in rows
    }


def ask_agent(
    spec: ModelSpec,
    requests: Sequence[Request],
    store: ResponseStore,
    *,
    max_usd: Decimal | None = None,
    on_progress: Progress | None = None,
) -> AskSummary:
    """Ask those of `requests` that have no answer; the lease on `store` must be held.

    Raises:
        InputError: see `providers.ask`.
    """
    answered = store.answered_ids()
    missing = [request for request in requests if request.request_id not in answered]
    if not missing:
        return AskSummary()
    return asyncio.run(ask(spec, iter(missing), store, max_usd=max_usd, on_progress=on_progress))


def replies(store: ResponseStore, requests: Mapping[str, Request]) -> dict[str, Reply]:
    """Key → stored reply, for the requests that have one."""
    stored = {row["request_id"]: Reply(**row) for row in _stored(store)}
    return {
        key: stored[request.request_id]
        for key, request in requests.items()
        if request.request_id in stored
    }


def _stored(store: ResponseStore) -> Iterator[dict[str, Any]]:
    frame = store.read(_COLUMNS)
    yield from (
        frame.filter(pl.col("status") != "infra_error").select(_COLUMNS).iter_rows(named=True)
    )


def _template(suite: SuiteSpec, file: str) -> Callable[[Mapping[str, Any]], str]:
    path = suite.path(file)
    environment = SandboxedEnvironment(undefined=StrictUndefined, autoescape=False)
    try:
        template = environment.from_string(path.read_text(encoding="utf-8-sig"))
    except (TemplateError, OSError, ValueError, RecursionError) as error:
        raise InputError(path, f"not a valid template: {error}") from error

    def render(row: Mapping[str, Any]) -> str:
        try:
            return str(template.render(**row)).strip()
        except Exception as error:  # a template is a small program and may raise anything
            raise InputError(
                path, f"{type(error).__name__}: {shown(str(error))}", accepted=", ".join(row)
            ) from error

    return render
