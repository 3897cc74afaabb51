"""The loop that asks: one queue, a few workers, one retry and limit layer, every outcome sunk.

Invariants: an outcome is handed to the sink before it counts; a request that waits to be tried
again holds no place in flight; what may have been billed stays charged; a provider that says
stop (key, credit, settings) stops this model and no other.
"""

import asyncio
import heapq
import itertools
import random
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Protocol

import httpx
import orjson

from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.responses import ResponseRecord
from bench_pipeline.contracts.roster import ModelSpec
from bench_pipeline.providers.adapters import adapter_for
from bench_pipeline.providers.budget import Budget, charged_for, cost_of
from bench_pipeline.providers.limits import shared_limiter
from bench_pipeline.providers.redaction import redactor_of
from bench_pipeline.providers.reply import Next, Reply, Usage, failed
from bench_pipeline.providers.request import KEY_VERSION, Request
from bench_pipeline.providers.retry import pause, retry_after
from bench_pipeline.providers.transport import HttpReply, NoReplyError, Transport

#: a conversation yields requests and is sent the record of each; it ends by returning
Conversation = Generator[Request, ResponseRecord, None]
_SYNC_EVERY_SECONDS = 0.5
_DELAYED_PER_PLACE = 4
_SHOWN_ERRORS = 5


class Sink(Protocol):
    """Where outcomes go. `append` returns when the record counts."""

    def append(self, record: ResponseRecord) -> None:
        """Make the record count."""

    def pending_sync(self) -> Callable[[], None] | None:
        """Work that makes appended records survive a power cut, or None; runs in a thread."""


@dataclass(slots=True)
class AskSummary:
    """What a run did, so far or at its end. `failed_ids` and `errors` say what is missing."""

    statuses: Counter[str] = field(default_factory=Counter)
    tries: int = 0
    pushed_back: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    spent_usd: float = 0.0
    unpriced: int = 0
    in_flight_limit: int = 0
    failed_ids: list[str] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    stopped: str | None = None

    @property
    def answered(self) -> int:
        """Requests that got an answer."""
        return self.statuses.total() - self.statuses["infra_error"]

    def problems(self) -> list[str]:
        """Why requests have no answer, a sentence each; empty where all have one."""
        said = [f"Stopped: {self.stopped}."] if self.stopped else []
        if self.failed:
            errors = [f"{n} × {e}" for e, n in self.errors.most_common(_SHOWN_ERRORS)]
            ids = ", ".join(request_id[:12] for request_id in self.failed_ids[:_SHOWN_ERRORS])
            said.append(f"{self.failed} without an answer ({ids} …): {'; '.join(errors)}.")
        return said

    @property
    def failed(self) -> int:
        """Requests that did not, after all their tries."""
        return self.statuses["infra_error"]


Progress = Callable[[AskSummary], None]


async def ask(
    spec: ModelSpec,
    work: Iterable[Request | Conversation],
    sink: Sink,
    *,
    max_usd: Decimal | None = None,
    on_progress: Progress | None = None,
    summary: AskSummary | None = None,
) -> AskSummary:
    """Ask `spec` everything in `work`; every outcome is in `sink` when this returns.

    `summary` is filled as the run goes, so that its caller knows what was spent whatever becomes
    of the run; without one a new one is returned.

    Raises:
        InputError: the key's variable is not set, or `max_usd` is set for an unpriced model.
        OSError: the sink could not write (a full disk, say); what was written stays.
    """
    if max_usd is not None and spec.prices is None:
        raise InputError(
            "models.yaml",
            "a spending cap needs prices, and this model has none",
            entry=spec.id,
            field="prices",
            accepted="input and output in US dollars per million tokens, with as_of",
        )
    summary = AskSummary() if summary is None else summary
    return await _Run(spec, iter(work), sink, Budget(max_usd), on_progress, summary).run()


@dataclass(slots=True)
class _Task:
    """A request on its way: its tries so far, and the conversation it belongs to, if any."""

    request: Request
    conversation: Conversation | None
    give_up_at: float | None = None
    tries: list[dict[str, object]] = field(default_factory=list)
    faults: int = 0


class _Run:
    def __init__(
        self,
        spec: ModelSpec,
        work: Iterator[Request | Conversation],
        sink: Sink,
        budget: Budget,
        on_progress: Progress | None,
        summary: AskSummary,
    ) -> None:
        self.spec, self.work, self.sink, self.budget = spec, work, sink, budget
        self.on_progress = on_progress
        self.adapter = adapter_for(spec)
        self.key = spec.api_key()
        self.redactor = redactor_of(self.key)
        self.endpoint = httpx.URL(self.adapter.endpoint(spec))
        self.limiter = shared_limiter(spec.provider, spec.base_url, self.key, spec.limits)
        self.summary = summary
        self.delayed: list[tuple[float, int, _Task]] = []
        self.sequence = itertools.count()
        self.under_way = 0
        self.changed = asyncio.Event()
        self.stopped = asyncio.Event()
        self.random = random.Random()

    async def run(self) -> AskSummary:
        places = self.spec.limits.max_in_flight
        transport = Transport(self.adapter.headers(self.key), self.spec.deadlines, places)
        syncing = asyncio.create_task(self._sync_regularly())
        async with transport:
            workers = [asyncio.create_task(self._worker(transport)) for _ in range(places)]
            working = asyncio.gather(*workers)
            try:
                # a sync that fails ends the run as a write that fails does
                both: set[asyncio.Future[Any]] = {working, syncing}
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
                if syncing.done():
                    syncing.result()
                await working
            finally:
                for task in (*workers, syncing):
                    task.cancel()
                await asyncio.gather(*workers, syncing, working, return_exceptions=True)
                # what was cut off while under way may have been billed, and counts
                self.summary.spent_usd = float(self.budget.spent)
                if (sync := self.sink.pending_sync()) is not None:
                    sync()
        return self.summary

    async def _worker(self, transport: Transport) -> None:
        while not self.stopped.is_set():
            task = self._take()
            if task is not None:
                self.under_way += 1
                try:
                    await self._attempt(transport, task)
                finally:
                    self.under_way -= 1
                    self._signal()
            elif self.under_way or self.delayed:
                await self._wait()
            else:
                return

    def _take(self) -> _Task | None:
        """A delayed task that is due, else a new one while not too many are waiting."""
        if self.delayed and self.delayed[0][0] <= time.monotonic():
            return heapq.heappop(self.delayed)[2]
        if len(self.delayed) >= _DELAYED_PER_PLACE * self.spec.limits.max_in_flight:
            return None
        for item in self.work:
            if isinstance(item, Request):
                return self._task(item, None)
            request = next(item, None)
            if request is not None:
                return self._task(request, item)
        return None

    def _task(self, request: Request, conversation: Conversation | None) -> _Task:
        return _Task(request, conversation)

    async def _wait(self) -> None:
        """Until something changes or the next delayed task is due."""
        due = self.delayed[0][0] - time.monotonic() if self.delayed else 1.0
        await self._changed_within(max(0.0, min(due, 1.0)))

    async def _changed_within(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self.changed.wait()
        except TimeoutError:
            pass

    def _signal(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()

    async def _attempt(self, transport: Transport, task: _Task) -> None:
        """One try, and what follows from it: a record, another try later, or the end."""
        request = task.request
        bound = self._bound(request)
        tokens = request.prompt_token_bound + request.max_tokens
        async with self.limiter.place(tokens, self.stopped):
            if self.stopped.is_set() or not await self._reserve(bound):
                return
            if task.give_up_at is None:  # time spent in the queue is not the request's
                task.give_up_at = time.monotonic() + self.spec.deadlines.total
            asked_at = datetime.now(UTC)
            started = time.monotonic()
            try:
                http, reply = await self._post(transport, request)
            except asyncio.CancelledError:
                # nobody will settle it: whatever was under way may have been billed
                self.budget.settle(bound, bound)
                raise
        elapsed_ms = (time.monotonic() - started) * 1000
        cost = cost_of(reply.usage, self.spec.prices)
        charged = charged_for(cost, bound, reply)
        self.budget.settle(bound, charged)
        self.limiter.used(tokens, _total(reply.usage))
        task.tries.append(
            {
                "at": asked_at.isoformat(timespec="milliseconds"),
                "ms": round(elapsed_ms, 1),
                "outcome": reply.error or reply.status,
            }
        )
        self._count_try(reply, charged)
        # being told to slow down is no fault of the request: time bounds it, not tries
        task.faults += reply.next is Next.RETRY
        if reply.next in (Next.RETRY, Next.SLOW_DOWN) and self._delay(task, http):
            return
        record = self._record(task, http, reply, cost, asked_at, elapsed_ms)
        self.sink.append(record)
        self._count_outcome(record)
        if reply.next is Next.STOP:
            self._stop(reply.error or "the provider says stop")
        if task.conversation is not None and record.answered:
            self._continue(task.conversation, record)

    async def _post(self, transport: Transport, request: Request) -> tuple[HttpReply | None, Reply]:
        try:
            http = await transport.post(self.endpoint, orjson.dumps(request.body))
        except NoReplyError as error:
            return None, failed(Next.RETRY, str(error), may_be_billed=error.sent)
        if self.redactor is None:
            return http, self.adapter.read(http.status, http.content)
        http = self.redactor.http(http)
        return http, self.redactor.reply(self.adapter.read(http.status, http.content))

    async def _reserve(self, bound: Decimal) -> bool:
        """Set money aside, waiting for others to settle where that may make room."""
        while not self.budget.reserve(bound):
            if self.stopped.is_set():
                return False
            if self.budget.reserved <= 0:
                self._stop(
                    f"the cap of ${self.budget.max_usd} leaves no room for another request "
                    f"(spent ${self.budget.spent:.6f}, the next may cost ${bound:.6f})"
                )
                return False
            await self._changed_within(1.0)
        return True

    def _stop(self, reason: str) -> None:
        """Ask nothing more; what is under way ends by itself."""
        if not self.stopped.is_set():
            self.summary.stopped = reason
            self.stopped.set()

    def _delay(self, task: _Task, http: HttpReply | None) -> bool:
        """Put the task aside for a later try; False when it had its tries or its time."""
        if task.faults >= self.spec.deadlines.max_tries:
            return False
        asked = retry_after(http.headers) if http is not None else None
        due = time.monotonic() + pause(len(task.tries), asked, self.random)
        if task.give_up_at is not None and due > task.give_up_at:
            return False
        heapq.heappush(self.delayed, (due, next(self.sequence), task))
        return True

    def _continue(self, conversation: Conversation, record: ResponseRecord) -> None:
        """The next turn, at once: it stands before work that has not begun."""
        try:
            request = conversation.send(record)
        except StopIteration:
            return
        task = self._task(request, conversation)
        heapq.heappush(self.delayed, (time.monotonic(), next(self.sequence), task))

    def _bound(self, request: Request) -> Decimal:
        return request.cost_bound(self.spec.prices) if self.spec.prices else Decimal(0)

    def _count_try(self, reply: Reply, charged: Decimal) -> None:
        summary = self.summary
        summary.tries += 1
        if reply.next is Next.SLOW_DOWN:
            summary.pushed_back += 1
            self.limiter.flight.pushed_back()
        elif reply.next is Next.KEEP:
            self.limiter.flight.succeeded()
        summary.prompt_tokens += reply.usage.prompt or 0
        summary.completion_tokens += reply.usage.completion or 0
        summary.spent_usd += float(charged)
        summary.in_flight_limit = int(self.limiter.flight.limit)

    def _count_outcome(self, record: ResponseRecord) -> None:
        summary = self.summary
        summary.statuses[record.status] += 1
        summary.unpriced += record.answered and record.cost_usd is None
        if not record.answered:
            summary.failed_ids.append(record.request_id)
            summary.errors[record.error or "unknown"] += 1
        if self.on_progress is not None:
            self.on_progress(summary)

    def _record(
        self,
        task: _Task,
        http: HttpReply | None,
        reply: Reply,
        cost: Decimal | None,
        asked_at: datetime,
        elapsed_ms: float,
    ) -> ResponseRecord:
        request, prompt, usage = task.request, task.request.prompt, reply.usage
        return ResponseRecord(
            request_id=request.request_id,
            key_version=KEY_VERSION,
            prompt_id=prompt.prompt_id,
            entry=self.spec.id,
            provider=self.spec.provider,
            request=orjson.dumps(request.body).decode(),
            dropped_parameters=list(request.dropped),
            sample=prompt.sample,
            wave=prompt.wave,
            turn=prompt.turn,
            suite_version=prompt.suite_version,
            status=reply.status,
            http_status=http.status if http else None,
            headers=orjson.dumps(dict(http.headers) if http else {}).decode(),
            body=http.content.decode("utf-8", "backslashreplace") if http else None,
            text=reply.text,
            reasoning_text=reply.reasoning_text,
            finish_reason=reply.finish_reason,
            prompt_tokens=usage.prompt,
            cached_tokens=usage.cached,
            completion_tokens=usage.completion,
            reasoning_tokens=usage.reasoning,
            latency_ms=round(elapsed_ms, 3),
            cost_usd=float(cost) if cost is not None else None,
            tries=orjson.dumps(task.tries).decode(),
            asked_at=asked_at.isoformat(timespec="microseconds"),
            provider_model=reply.provider_model,
            fingerprint=reply.fingerprint,
            error=reply.error,
        )

    async def _sync_regularly(self) -> None:
        while True:
            await asyncio.sleep(_SYNC_EVERY_SECONDS)
            if (sync := self.sink.pending_sync()) is not None:
                await asyncio.to_thread(sync)


def _total(usage: Usage) -> int | None:
    if usage.prompt is None or usage.completion is None:
        return None
    return usage.prompt + usage.completion
