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
    """So many units a minute, spread evenly: a second's worth may go at once, the rest waits."""

    def __init__(self, per_minute: int) -> None:
        self._per_second = per_minute / 60
        self._burst = max(self._per_second, 1.0)
        self._level = self._burst
        self._at = time.monotonic()

    def reserve(self, units: float) -> float:
        """Take `units`; the seconds to wait before using them (a debt is paid by waiting)."""
        now = time.monotonic()
        self._level = min(self._burst, self._level + (now - self._at) * self._per_second)
        self._at = now
        self._level -= units
        return max(0.0, -self._level / self._per_second)

    def refund(self, units: float) -> None:
        """Give back what an upper bound took too much."""
        self._level += units


class Limiter:
    """The limits of one account at one provider."""

    def __init__(self, limits: Limits) -> None:
        self.flight = AdaptiveLimit(limits.max_in_flight)
        self._requests = (
            RateLimit(limits.requests_per_minute) if limits.requests_per_minute else None
        )
        self._tokens = RateLimit(limits.tokens_per_minute) if limits.tokens_per_minute else None

    @asynccontextmanager
    async def place(self, tokens: int) -> AsyncIterator[None]:
        """A place in flight for a request of at most `tokens`, when the rates allow it."""
        wait = max(
            self._requests.reserve(1) if self._requests else 0.0,
            self._tokens.reserve(tokens) if self._tokens else 0.0,
        )
        if wait:
            await asyncio.sleep(wait)
        await self.flight.acquire()
        try:
            yield
        finally:
            self.flight.release()

    def used(self, bound: int, tokens: int | None) -> None:
        """Settle the token rate: `bound` was taken, `tokens` were used (None: unknown)."""
        if self._tokens and tokens is not None and tokens < bound:
            self._tokens.refund(bound - tokens)


_SHARED: dict[tuple[int, str, str | None, str], Limiter] = {}


def shared_limiter(provider: str, base_url: str | None, key: str | None, limits: Limits) -> Limiter:
    """The limiter of this provider and key in the running event loop.

    Judges, agents and inference that use one account share one limiter; where their entries
    disagree on the ceiling, the lowest holds. The key itself is not kept, only its digest.
    """
    loop_id = id(asyncio.get_running_loop())
    for stale in [known for known in _SHARED if known[0] != loop_id]:
        del _SHARED[stale]
    digest = hashlib.sha256((key or "").encode()).hexdigest()
    limiter = _SHARED.setdefault((loop_id, provider, base_url, digest), Limiter(limits))
    limiter.flight.lower_ceiling(limits.max_in_flight)
    return limiter
