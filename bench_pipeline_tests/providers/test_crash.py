"""Killed, stopped, crowded: what was paid for stays, and nothing is paid for twice."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bench_pipeline.contracts.paths import PROJECT_ROOT
from bench_pipeline.storage.responses import ResponseStore
from bench_pipeline_tests.fakes.provider import Answer, Call, FakeProvider, answer, error
from bench_pipeline_tests.providers.calls import ask_all, model, requests

pytestmark = pytest.mark.slow
IN_FLIGHT = 32


def _start(server: FakeProvider, store: ResponseStore, count: int) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "bench_pipeline_tests.providers.asker"]
    return subprocess.Popen(
        [*command, server.url, str(store.folder), str(count), str(IN_FLIGHT)],
        cwd=PROJECT_ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def _wait_for(server: FakeProvider, asked: int, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + 60
    while server.asked < asked and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.001)


@pytest.mark.parametrize("seed", range(10))
def test_kill_9_at_a_random_moment(seed: int, store: ResponseStore) -> None:
    count, at = 2_000, random.Random(seed).randint(1, 1_990)
    with FakeProvider(lambda call: answer(delay=0.01)) as server:
        first = _start(server, store, count)
        _wait_for(server, at, first)
        first.kill()
        first.wait()
        time.sleep(0.1)
        second = _start(server, store, count)
        _out, err = second.communicate(timeout=120)
        assert second.returncode == 0, err
        assert server.asked - count <= IN_FLIGHT
    rows = store.read()
    assert rows.height == rows["request_id"].n_unique() == count
    assert set(rows["status"]) == {"ok"}


def test_sigterm_loses_nothing_that_was_answered(store: ResponseStore) -> None:
    with FakeProvider(lambda call: answer(delay=0.01)) as server:
        process = _start(server, store, 2_000)
        _wait_for(server, 300, process)
        process.send_signal(signal.SIGTERM)
        process.wait(30)
        assert len(store.answered_ids()) >= server.asked - 2 * IN_FLIGHT
        second = _start(server, store, 2_000)
        assert second.wait(120) == 0
        assert server.asked - 2_000 <= IN_FLIGHT


def test_two_runs_at_once_ask_everything_once(store: ResponseStore) -> None:
    with FakeProvider(lambda call: answer(delay=0.01)) as server:
        both = [_start(server, store, 500) for _ in range(2)]
        assert [process.wait(120) for process in both] == [0, 0]
        assert server.asked == 500
    assert store.read().height == 500


def test_a_storm_of_429_on_several_runs_ends_with_every_answer(tmp_path: Path) -> None:
    def behave(call: Call) -> Answer:
        return error(429, retry_after_ms="20") if server.in_flight > 20 else answer(delay=0.01)

    with FakeProvider(behave) as server:
        stores = [ResponseStore(tmp_path / f"run{k}") for k in range(3)]
        runs = [_start(server, store, 200) for store in stores]
        assert [run.wait(120) for run in runs] == [0, 0, 0]
    assert [store.read().height for store in stores] == [200, 200, 200]


def test_mixed_faults_on_a_fifth_of_two_thousand(store: ResponseStore) -> None:
    faults = [
        error(429, retry_after_ms="5"),
        error(500),
        error(503),
        Answer(manner="reset_before"),
        Answer(body={"choices": []}),
        Answer(content=b'{"choices": [{"mes'),
    ]

    def behave(call: Call) -> Answer:
        if call.number % 5 == 0:
            return faults[call.number // 5 % len(faults)]
        return answer(delay=0.002)

    with FakeProvider(behave) as server:
        spec = model(server.url, limits={"max_in_flight": 64}, deadlines={"max_tries": 15})
        summary = ask_all(spec, requests(spec, 2_000), store)
        assert (summary.answered, summary.failed) == (2_000, 0)
    assert set(store.read()["status"]) == {"ok"}


def test_a_permanent_fault_on_one_in_a_hundred(store: ResponseStore) -> None:
    broken = {f"question {i}" for i in range(0, 2_000, 100)}

    def behave(call: Call) -> Answer:
        return error(400, "never") if call.question in broken else answer()

    with FakeProvider(behave) as server:
        first = _start(server, store, 2_000)
        assert first.wait(120) == 1
        assert server.asked == 2_000
        assert len(store.answered_ids()) == 1_980
        again = _start(server, store, 2_000)
        assert again.wait(120) == 1
        assert server.asked == 2_020
    failed = store.read().filter(status="infra_error")
    assert failed.height == 20
    assert set(failed["error"]) == {"HTTP 400: never"}


def test_a_full_disk_stops_the_run_and_keeps_whole_rows(
    store: ResponseStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, written = os.write, 0

    def write(descriptor: int, data: bytes) -> int:
        nonlocal written
        if data[:2] == b'{"':
            written += 1
            if written > 50:
                real(descriptor, data[:10])
                raise OSError(28, "No space left on device")
        return real(descriptor, data)

    with FakeProvider() as server:
        spec = model(server.url)
        monkeypatch.setattr(os, "write", write)
        with pytest.raises(OSError, match="No space left"):
            ask_all(spec, requests(spec, 500), store)
        monkeypatch.setattr(os, "write", real)
        assert len(store.answered_ids()) == 50
        missing = [r for r in requests(spec, 500) if r.request_id not in store.answered_ids()]
        assert ask_all(spec, missing, store).answered == 450
    assert store.read().height == 500
