"""An OpenAI-compatible server on loopback that misbehaves on demand and counts what it is asked.

Raw asyncio, so that every fault of the wire can be made: resets, hangs, drips, broken JSON.
"""

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any


@dataclass
class Call:
    """One request as it arrived. `number` counts all, `attempt` those with the same body."""

    body: dict[str, Any]
    headers: dict[str, str]
    number: int
    attempt: int

    @property
    def question(self) -> str:
        return str(self.body["messages"][-1]["content"])


@dataclass
class Answer:
    """What the server does with a call. `content` overrides the JSON `body`."""

    status: int = 200
    body: Any = None
    content: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    #: "whole", "reset_before", "reset_mid_body", "hang", "drip", "not_http", "bad_chunk"
    manner: str = "whole"


def completion(
    text: str | None = "42",
    *,
    finish_reason: str = "stop",
    usage: dict[str, Any] | None = None,
    **message: Any,
) -> dict[str, Any]:
    """A chat completion body in OpenAI's shape."""
    return {
        "id": "fake",
        "object": "chat.completion",
        "model": "fake-1",
        "system_fingerprint": "fp_fake",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish_reason,
                "message": {"role": "assistant", "content": text, **message},
            }
        ],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        if usage is None
        else usage,
    }


def answer(text: str | None = "42", *, delay: float = 0.0, **details: Any) -> Answer:
    return Answer(body=completion(text, **details), delay=delay)


def error(status: int, message: str = "no", code: Any = None, **headers: str) -> Answer:
    body = {"error": {"message": message, "code": code}}
    return Answer(
        status=status, body=body, headers={k.replace("_", "-"): v for k, v in headers.items()}
    )


Behaviour = Callable[[Call], Answer]


class FakeProvider:
    """The server, in a thread of its own. `with FakeProvider(behave) as server: server.url`."""

    def __init__(self, behave: Behaviour | None = None) -> None:
        self.behave = behave or (lambda call: answer())
        self.calls: list[Call] = []
        self.attempts: Counter[str] = Counter()
        self.in_flight = 0
        self.most_in_flight = 0
        self.url = ""
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def asked(self) -> int:
        return len(self.calls)

    def __enter__(self) -> "FakeProvider":
        self._thread.start()
        self._ready.wait(10)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(
            asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=512, limit=2**24)
        )
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        self._ready.set()
        self._loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        headers = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in head.split("\r\n")[1:] if line)
        }
        raw = await reader.readexactly(int(headers.get("content-length", "0")))
        self.attempts[key := raw.decode()] += 1
        call = Call(json.loads(raw), headers, len(self.calls) + 1, self.attempts[key])
        self.calls.append(call)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            planned = self.behave(call)
            if planned.delay:
                await asyncio.sleep(planned.delay)
            return await _send(writer, planned)
        finally:
            self.in_flight -= 1


async def _send(writer: asyncio.StreamWriter, planned: Answer) -> bool:
    """Send it in its manner; whether the connection can go on."""
    if planned.manner == "reset_before":
        _reset(writer)
        return False
    if planned.manner == "hang":
        await asyncio.sleep(3600)
    if planned.manner == "not_http":
        writer.write(b"SSH-2.0-hello\r\n\r\n")
        await writer.drain()
        return False
    if planned.manner == "bad_chunk":
        writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n")
        await writer.drain()
        return False
    body = planned.content if planned.content is not None else json.dumps(planned.body).encode()
    lines = [f"HTTP/1.1 {planned.status} X", f"content-length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in planned.headers.items()]
    if "content-type" not in planned.headers:
        lines.append("content-type: application/json")
    writer.write("\r\n".join([*lines, "", ""]).encode())
    if planned.manner == "reset_mid_body":
        writer.write(body[: len(body) // 2])
        await writer.drain()
        _reset(writer)
        return False
    if planned.manner == "drip":
        for byte in body:
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(0.05)
        return True
    writer.write(body)
    await writer.drain()
    return True


def _reset(writer: asyncio.StreamWriter) -> None:
    """Close with a TCP reset, as a crashing server does."""
    import socket
    import struct

    connection = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
