"""From prompts and a model to completions: ask what is missing, then read what is stored."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

import polars as pl

from bench_pipeline.contracts.responses import ResponseRecord
from bench_pipeline.contracts.roster import ModelSpec
from bench_pipeline.contracts.tables import COMPLETIONS
from bench_pipeline.providers import AskSummary, Progress, Prompt, ask, prepare
from bench_pipeline.storage.responses import ResponseStore

INFERENCE = "inference"


@dataclass(frozen=True, slots=True)
class Plan:
    """The requests of one model: all that the suite has, and those that this run must ask."""

    requests: dict[str, str]  # prompt_id → request_id
    wanted: list[str]  # prompt_ids of the profile, in order
    missing: list[str]  # those of them without an answer
    to_ask: list[str]  # those of the missing that this run asks
    at_most_usd: float | None  # bound of what asking them costs; None where unpriced


def plan(
    prompts: pl.DataFrame, spec: ModelSpec, profile: str, answered: set[str], limit: int | None
) -> Plan:
    """What `spec` is still to be asked of `profile`; at most `limit` requests when set."""
    prepared = {prompt.prompt_id: prepare(spec, prompt) for prompt in prompts_of(prompts)}
    requests = {prompt_id: request.request_id for prompt_id, request in prepared.items()}
    chosen = prompts.filter(pl.col("profiles").list.contains(profile))
    wanted = chosen["prompt_id"].to_list()
    missing = [prompt_id for prompt_id in wanted if requests[prompt_id] not in answered]
    to_ask = missing if limit is None else missing[:limit]
    bound = None
    if spec.prices is not None:
        bound = float(sum(prepared[prompt_id].cost_bound(spec.prices) for prompt_id in to_ask))
    return Plan(requests, wanted, missing, to_ask, bound)


def prompts_of(prompts: pl.DataFrame) -> Iterator[Prompt]:
    """The rows of a `prompts` table as the provider layer takes them."""
    for row in prompts.iter_rows(named=True):
        schema = row["response_schema"]
        yield Prompt(
            prompt_id=row["prompt_id"],
            messages=json.loads(row["messages"]),
            temperature=row["temperature"],
            max_tokens=row["max_tokens"],
            sample=row["sample"],
            suite_version=row["version"],
            response_schema=json.loads(schema) if schema else None,
        )


def ask_missing(
    prompts: pl.DataFrame,
    spec: ModelSpec,
    store: ResponseStore,
    to_ask: list[str],
    *,
    max_usd: Decimal | None = None,
    on_progress: Progress | None = None,
    summary: AskSummary | None = None,
) -> AskSummary:
    """Put the prompts `to_ask` to `spec`; the lease on `store` must be held.

    Raises:
        InputError: see `providers.ask`.
    """
    summary = AskSummary() if summary is None else summary
    if not to_ask:
        return summary
    # prompts that begin alike follow each other: providers cache the prefix, the local one too
    rows = prompts.filter(pl.col("prompt_id").is_in(to_ask)).sort("messages", "prompt_id")
    work = (prepare(spec, prompt) for prompt in prompts_of(rows))
    asking = ask(spec, work, store, max_usd=max_usd, on_progress=on_progress, summary=summary)
    return asyncio.run(asking)


def completions_of(
    prompts: pl.DataFrame, spec: ModelSpec, requests: dict[str, str], store: ResponseStore
) -> pl.DataFrame:
    """The `completions` table: every prompt of the suite that has an answer or a failure stored.

    Joined by request identity, so that an answer asked under an older suite version still
    counts while its prompt has not changed.
    """
    stored = store.read(
        [name for name in ResponseRecord.__slots__ if name not in ("body", "request", "headers")]
    )
    keyed = prompts.select("prompt_id", "item_id", "regime", "prompt_hash").with_columns(
        pl.col("prompt_id").replace_strict(requests, return_dtype=pl.String).alias("request_id")
    )
    rows = keyed.join(stored.drop("prompt_id"), on="request_id", how="inner", maintain_order="left")
    return rows.with_columns(
        pl.lit(spec.id).alias("model"),
        pl.lit(spec.settings_hash).alias("settings_hash"),
        pl.col("sample", "wave", "turn").cast(pl.Int32),
        pl.col("tries").map_elements(lambda tries: len(json.loads(tries)), pl.Int32),
        pl.col("asked_at").str.to_datetime("%+", time_unit="us", time_zone="UTC"),
        pl.col("suite_version").alias("first_asked_version"),
    ).select(list(COMPLETIONS.polars))
