"""How much may be under way: one limiter a provider and key, shared by everything that asks."""

import asyncio
import hashlib
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bench_pipeline.contracts.roster import Limits

_HALVE_AT_MOST_EVERY_SECONDS = 1.0


class AdaptiveLimit:
    """A ceiling on requests in flight that halves when the provider pushes back and grows again.

    Grows by one for every `limit` answers; halves at most once a second, so that one storm
    counts once; never under one.
    """

    def __init__(self, ceiling: int) -> None:
        self.ceiling = ceiling
        self.limit = float(ceiling)
        self.in_flight = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._halved_at = float("-inf")

    def lower_ceiling(self, ceiling: int) -> None:
        """Never go above `ceiling` again."""
        self.ceiling = min(self.ceiling, ceiling)
        self.limit = min(self.limit, float(self.ceiling))

    async def acquire(self) -> None:
        """Wait for a place, first come first served."""
        if self.in_flight < int(self.limit) and not self._waiting:
            self.in_flight += 1
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        try:
            await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                self.release()
            else:
                self._waiting.remove(future)
            raise

    def release(self) -> None:
        """Give the place back."""
        self.in_flight -= 1
        self._wake()

    def succeeded(self) -> None:
        """An answer came: room for a little more."""
        if self.limit < self.ceiling:
            self.limit = min(self.ceiling, self.limit + 1 / self.limit)
            self._wake()

    def pushed_back(self) -> None:
        """The provider said too much: room for half."""
        now = time.monotonic()
        if now - self._halved_at >= _HALVE_AT_MOST_EVERY_SECONDS:
            self._halved_at = now
            self.limit = max(1.0, self.limit / 2)

    def _wake(self) -> None:
        while self._waiting and self.in_flight < int(self.limit):
            future = self._waiting.popleft()
            if not future.done():
                self.in_flight += 1
                future.set_result(None)


class RateLimit:
    """So many units a minute, spread evenly, first come first served.

    A second's worth may go at once. A request takes its upper bound, and gets back what it did
    not use when it is settled, so that the rate is one of use and not of bounds. One that is
    larger than a second's worth goes when that much is there, and leaves a debt.
    """

    def __init__(self, per_minute: int) -> None:
        self._per_second = per_minute / 60
        self._burst = max(self._per_second, 1.0)
        self._level = self._burst
        self._at = time.monotonic()
        self._turn = asyncio.Lock()
        self._refunded = asyncio.Event()

    async def take(self, units: float, stopped: asyncio.Event) -> None:
        """Wait for `units`, then take them; return at once when `stopped` is set."""
        needed = min(units, self._burst)
        async with self._turn:
            while not stopped.is_set():
                self._refill()
                if self._level >= needed:
                    self._level -= units
                    return
                self._refunded.clear()
                wait = (needed - self._level) / self._per_second
                await _first(wait, self._refunded, stopped)

    def refund(self, units: float) -> None:
        """Give back what an upper bound took too much."""
        self._level += units
        self._refunded.set()

    def _refill(self) -> None:
        now = time.monotonic()
        self._level = min(self._burst, self._level + (now - self._at) * self._per_second)
        self._at = now


class Limiter:
    """The limits of one account at one provider."""

    def __init__(self, limits: Limits) -> None:
        self.flight = AdaptiveLimit(limits.max_in_flight)
        self._requests = (
            RateLimit(limits.requests_per_minute) if limits.requests_per_minute else None
        )
        self._tokens = RateLimit(limits.tokens_per_minute) if limits.tokens_per_minute else None

    @asynccontextmanager
    async def place(self, tokens: int, stopped: asyncio.Event) -> AsyncIterator[None]:
        """A place in flight for a request of at most `tokens`, when the rates allow it."""
        if self._requests:
            await self._requests.take(1, stopped)
        if self._tokens:
            await self._tokens.take(tokens, stopped)
        await self.flight.acquire()
        try:
            yield
        finally:
            self.flight.release()

    def used(self, bound: int, tokens: int | None) -> None:
        """Settle the token rate: `bound` was taken, `tokens` were used (None: unknown)."""
        if self._tokens and tokens is not None and tokens < bound:
            self._tokens.refund(bound - tokens)


async def _first(seconds: float, *events: asyncio.Event) -> None:
    """Return when any of `events` is set, or after `seconds`."""
    waiting = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for future in waiting:
            future.cancel()


_SHARED: dict[tuple[int, str, str | None, str], Limiter] = {}


def shared_limiter(provider: str, base_url: str | None, key: str | None, limits: Limits) -> Limiter:
    """The limiter of this provider and key in the running event loop.

    Whatever asks one account in one loop shares one limiter: the lowest ceiling of its entries
    holds, and the rates of the first. The key itself is not kept, only its digest.
    """
    loop_id = id(asyncio.get_running_loop())
    for stale in [known for known in _SHARED if known[0] != loop_id]:
        del _SHARED[stale]
    digest = hashlib.sha256((key or "").encode()).hexdigest()
    limiter = _SHARED.setdefault((loop_id, provider, base_url, digest), Limiter(limits))
    limiter.flight.lower_ceiling(limits.max_in_flight)
    return limiter
