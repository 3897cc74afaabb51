"""Asking for structured replies: each request is put once, and read from what is stored.

Agents, judges and translators come through here: a re-run asks only for what has no answer, and
a change of what a reply means asks nothing.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

import polars as pl

from bench_pipeline.contracts.progress import Reporter
from bench_pipeline.contracts.roster import ModelSpec
from bench_pipeline.providers.asking import AskSummary, ask
from bench_pipeline.providers.request import Request
from bench_pipeline.storage.responses import ResponseStore

_COLUMNS = ["request_id", "status", "text", "finish_reason"]


@dataclass(frozen=True, slots=True)
class StoredReply:
    """A stored answer, as far as its reader needs it."""

    request_id: str
    status: str
    text: str | None
    finish_reason: str | None


@dataclass(slots=True)
class Watch:
    """Who is told how a run's asking goes, and what is left for all of it.

    `spent` hears the dollars of every call, whatever becomes of it; without a cap `left_usd` is
    None. `problems` says why requests have no answer.
    """

    reporter: Reporter
    log: Callable[[str], None]
    spent: Callable[[float], None]
    left_usd: float | None = None
    problems: list[str] = field(default_factory=list)

    def pay(self, usd: float) -> None:
        """So many dollars less."""
        self.spent(usd)
        if self.left_usd is not None:
            self.left_usd = max(0.0, self.left_usd - usd)

    def unanswered(self, count: int, what: str) -> str:
        """What to say of `count` requests without an answer, and why they have none."""
        return " ".join([f"{count} {what}; the next run asks them.", *dict.fromkeys(self.problems)])


def ask_and_read(
    spec: ModelSpec,
    requests: Mapping[str, Request],
    store: ResponseStore,
    title: str,
    watch: Watch,
) -> dict[str, StoredReply]:
    """Key → reply of those of `requests` that have one, after asking for what had none.

    Requests that are the same are put once. A request without an answer has no key in what is
    returned; the next run asks it again.

    Raises:
        InputError: see `providers.ask`.
    """
    summary = AskSummary()
    with store.writing(on_wait=watch.log):
        answered = store.answered_ids()
        missing = {r.request_id: r for r in requests.values() if r.request_id not in answered}
        with watch.reporter.stage(title, len(missing)) as bar:
            try:
                if missing:
                    left = watch.left_usd
                    cap = None if left is None else Decimal(str(left))
                    work = iter(missing.values())
                    asking = ask(
                        spec,
                        work,
                        store,
                        max_usd=cap,
                        on_progress=lambda _: bar.advance(1),
                        summary=summary,
                    )
                    asyncio.run(asking)
            finally:
                watch.pay(summary.spent_usd)
                watch.problems += summary.problems()
    return replies_of(store, requests)


def replies_of(store: ResponseStore, requests: Mapping[str, Request]) -> dict[str, StoredReply]:
    """Key → stored reply, for the requests that have one."""
    frame = store.read(_COLUMNS).filter(pl.col("status") != "infra_error").select(_COLUMNS)
    stored = {row["request_id"]: StoredReply(**row) for row in frame.iter_rows(named=True)}
    return {
        key: stored[request.request_id]
        for key, request in requests.items()
        if request.request_id in stored
    }
