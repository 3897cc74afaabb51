"""A fast OpenAI-compatible chat server on loopback, for timings.

Every request gets one fixed reply after a delay, by a timer; the protocol is written out so that
the server costs little beside the client that is measured. It runs as a process of its own on
one core and is told what to do through its standard input, a JSON line at a time; when that
closes (the parent ended, however it ended) it stops.
"""

import asyncio
import json
import os
import subprocess
import sys
import time
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

_BODY = json.dumps(
    {
        "id": "chatcmpl-0",
        "object": "chat.completion",
        "created": 1700000000,
        "model": "fake-1",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": "The answer is 42."},
            }
        ],
        "usage": {"prompt_tokens": 24, "completion_tokens": 7, "total_tokens": 31},
    }
).encode()
_REPLY = (
    b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(_BODY)
) + _BODY


@dataclass(frozen=True)
class Counted:
    """What the server saw of one client."""

    requests: int
    #: requests a second in steady state: the slope of replies over time, first and last tenth out
    steady: float
    #: from the first request to the last reply
    seconds: float


class Server:
    """The handle of a running server process."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.url = f"http://127.0.0.1:{self._read()}/v1"

    def begin(self, delay: float) -> None:
        """Count from nought, and answer after `delay` seconds."""
        self._tell({"begin": delay})

    def counted(self) -> Counted:
        """What was seen since `begin`."""
        return Counted(**self._tell({"counted": True}))

    def _tell(self, order: dict[str, Any]) -> Any:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return self._read()

    def _read(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the timing server ended")
        return json.loads(line)


@contextmanager
def serving(core: int | None) -> Iterator[Server]:
    """A server process on `core` (None: anywhere) while the block runs."""
    command = [sys.executable, __file__, "" if core is None else str(core)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Server(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()


class _State:
    def __init__(self) -> None:
        self.begin(0.0)

    def begin(self, delay: float) -> None:
        self.delay = delay
        self.first = 0.0
        self.replied = array("d")

    def counted(self) -> Counted:
        times = self.replied
        seconds = times[-1] - self.first if times else 0.0
        return Counted(len(times), _slope(times), seconds)


def _slope(times: "array[float]") -> float:
    """Least squares: bursts of a whole flight do not make it jump, as two end points would."""
    tenth = len(times) // 10
    middle = times[tenth : len(times) - tenth]
    if len(middle) < 2:
        return 0.0
    mean_time = sum(middle) / len(middle)
    mean_count = (len(middle) - 1) / 2
    spread = sum((at - mean_time) ** 2 for at in middle)
    if spread == 0:
        return 0.0
    return sum((at - mean_time) * (n - mean_count) for n, at in enumerate(middle)) / spread


class _Connection(asyncio.Protocol):
    def __init__(self, state: _State, loop: asyncio.AbstractEventLoop) -> None:
        self._state, self._loop = state, loop
        self._data = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._data += data
        while (end := self._data.find(b"\r\n\r\n")) >= 0:
            size = end + 4 + _content_length(self._data[:end])
            if len(self._data) < size:
                return
            self._data = self._data[size:]
            self._asked()

    def _asked(self) -> None:
        state = self._state
        if not state.first:
            state.first = time.monotonic()
        if state.delay:
            self._loop.call_later(state.delay, self._reply)
        else:
            self._reply()

    def _reply(self) -> None:
        if not self._transport.is_closing():
            self._transport.write(_REPLY)
            self._state.replied.append(time.monotonic())


def _content_length(head: bytes) -> int:
    lower = head.lower()
    at = lower.find(b"\r\ncontent-length:")
    return int(lower[at + 17 :].split(b"\r\n", 1)[0]) if at >= 0 else 0


async def _serve() -> None:
    loop = asyncio.get_running_loop()
    state = _State()
    server = await loop.create_server(
        lambda: _Connection(state, loop), "127.0.0.1", 0, backlog=1024
    )
    _say(server.sockets[0].getsockname()[1])
    orders = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
    while line := await orders.readline():
        order = json.loads(line)
        if "begin" in order:
            state.begin(order["begin"])
            _say(None)
        else:
            _say(vars(state.counted()))


def _say(value: Any) -> None:
    print(json.dumps(value), flush=True)


if __name__ == "__main__":
    if sys.argv[1]:
        os.sched_setaffinity(0, {int(sys.argv[1])})
    asyncio.run(_serve())
