"""How long to wait before asking again."""

import math
import random
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

MAX_PAUSE_SECONDS = 60.0
_FIRST_PAUSE_SECONDS = 0.5


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds that the server asks to wait: `retry-after-ms`, seconds, or an HTTP date.

    A date is read against the server's own `Date` header where it sent one, so that a wrong
    clock here neither hammers nor sleeps. Never negative; the caller caps it.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return max(0.0, milliseconds / 1000)
    raw = headers.get("retry-after")
    seconds = _number(raw)
    if seconds is not None:
        return max(0.0, seconds)
    until = _date(raw)
    if until is None:
        return None
    reference = _date(headers.get("date")) or now or datetime.now(UTC)
    return max(0.0, (until - reference).total_seconds())


def pause(tries: int, asked: float | None, random_source: random.Random) -> float:
    """Seconds before the next try after `tries` of them.

    The server's wish where it has one (capped, with up to a tenth more), else exponential with
    full jitter, so that many runs do not come back at the same moment.
    """
    if asked is not None:
        return min(asked, MAX_PAUSE_SECONDS) * (1 + 0.1 * random_source.random())
    ceiling = min(MAX_PAUSE_SECONDS, _FIRST_PAUSE_SECONDS * 2.0 ** min(tries, 10))
    return ceiling * random_source.uniform(0.5, 1.0)


def _number(raw: str | None) -> float | None:
    try:
        value = float(raw) if raw is not None else None
    except ValueError:
        return None
    return value if value is not None and math.isfinite(value) else None


def _date(raw: str | None) -> datetime | None:
    if raw is None:
        return None
    try:
        parsed = parsedate_to_datetime(raw)
    except (ValueError, TypeError, IndexError):
        return None
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
