"""One HTTP post, bounded in time and size, over httpx with the aiohttp transport."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType

import aiohttp
import httpx
from httpx_aiohttp import AiohttpTransport

from bench_pipeline.contracts.roster import Deadlines

#: only these say that no byte of the request left; anything else may have been worked on
_NEVER_CONNECTED = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError)
MAX_BODY_BYTES = 64 * 1024 * 1024
KEPT_HEADERS = frozenset(
    {
        "date",
        "retry-after",
        "retry-after-ms",
        "x-request-id",
        "x-ratelimit-limit-requests",
        "x-ratelimit-remaining-requests",
        "x-ratelimit-remaining-tokens",
        "openai-processing-ms",
        "cf-ray",
    }
)


@dataclass(frozen=True, slots=True)
class HttpReply:
    """Status, the headers worth keeping, and the body."""

    status: int
    headers: Mapping[str, str]
    content: bytes


class NoReplyError(Exception):
    """No whole reply came. `sent` when the request may have reached the provider."""

    def __init__(self, message: str, *, sent: bool) -> None:
        self.sent = sent
        super().__init__(message)


class Transport:
    """A connection pool to one provider."""

    def __init__(self, headers: dict[str, str], deadlines: Deadlines, max_in_flight: int) -> None:
        self._attempt_seconds = deadlines.attempt
        # no httpx.AsyncClient above it: its authentication, redirects and log lines are not
        # wanted, and cost a quarter of the CPU time of a request
        self._transport = AiohttpTransport(
            limits=httpx.Limits(max_connections=max_in_flight, keepalive_expiry=30)
        )
        self._headers = httpx.Headers(
            {
                "accept": "*/*",
                "accept-encoding": "gzip, deflate",
                "content-type": "application/json",
                "user-agent": "bench-pipeline",
                **headers,
            }
        )
        timeout = httpx.Timeout(deadlines.read, connect=deadlines.connect, pool=None)
        self._extensions = {"timeout": timeout.as_dict()}

    async def __aenter__(self) -> "Transport":
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._transport.aclose()

    async def post(self, url: httpx.URL, content: bytes) -> HttpReply:
        """Post `content`.

        Raises:
            NoReplyError: connection refused, reset, too slow, too large, or not HTTP.
        """
        try:
            async with asyncio.timeout(self._attempt_seconds):
                request = httpx.Request(
                    "POST",
                    url,
                    headers=self._headers,
                    content=content,
                    extensions=self._extensions,
                )
                response = await self._transport.handle_async_request(request)
                try:
                    body = await _read_bounded(response)
                finally:
                    await response.aclose()
        except TimeoutError as error:
            raise NoReplyError(
                f"no whole reply within {self._attempt_seconds:g} s", sent=True
            ) from error
        except (httpx.HTTPError, aiohttp.ClientError) as error:
            cause = _cause(error)
            if isinstance(cause, _NEVER_CONNECTED):
                raise NoReplyError(f"{type(cause).__name__}: cannot connect", sent=False) from error
            raise NoReplyError(f"{type(cause).__name__} while waiting", sent=True) from error
        headers = {name: value for name, value in response.headers.items() if name in KEPT_HEADERS}
        return HttpReply(response.status_code, headers, body)


def _cause(error: BaseException) -> BaseException:
    """The aiohttp error under an httpx one. Their mapping calls some resets connect errors."""
    while error.__cause__ is not None and not isinstance(error, aiohttp.ClientError):
        error = error.__cause__
    return error


async def _read_bounded(response: httpx.Response) -> bytes:
    """The decoded body; more than `MAX_BODY_BYTES` of it is no reply."""
    chunks: list[bytes] = []
    size = 0
    async for chunk in response.aiter_bytes():
        size += len(chunk)
        if size > MAX_BODY_BYTES:
            raise NoReplyError(f"the reply is larger than {MAX_BODY_BYTES} bytes", sent=True)
        chunks.append(chunk)
    return chunks[0] if len(chunks) == 1 else b"".join(chunks)
