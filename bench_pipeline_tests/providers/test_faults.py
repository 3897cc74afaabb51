"""Every fault of the wire, with the row status and the number of requests that it must lead to."""

import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import polars as pl
import pytest

from bench_pipeline.storage.responses import ResponseStore
from bench_pipeline_tests.fakes.provider import (
    Answer,
    Call,
    FakeProvider,
    answer,
    completion,
    error,
)
from bench_pipeline_tests.providers.calls import ask_all, model, requests

FILTERED_400 = {"error": {"message": "flagged", "code": "content_filter"}}
SOON = format_datetime(datetime.now(UTC) + timedelta(seconds=1), usegmt=True)
FAR = format_datetime(datetime.now(UTC) + timedelta(days=400), usegmt=True)

#: name → what the first call meets, row status at the end, calls in all
ONCE = {
    "429 seconds": (error(429, retry_after="1"), "ok", 2),
    "429 date": (error(429, retry_after=SOON), "ok", 2),
    "429 milliseconds": (error(429, retry_after_ms="30"), "ok", 2),
    "429 nonsense": (error(429, retry_after="soon"), "ok", 2),
    "500": (error(500), "ok", 2),
    "502 html": (Answer(502, content=b"<html>bad gateway</html>"), "ok", 2),
    "503": (error(503), "ok", 2),
    "reset before headers": (Answer(manner="reset_before"), "ok", 2),
    "reset mid body": (Answer(body=completion(), manner="reset_mid_body"), "ok", 2),
    "hang": (Answer(manner="hang"), "ok", 2),
    "drip": (Answer(body=completion("x" * 400), manner="drip"), "ok", 2),
    "not http": (Answer(manner="not_http"), "ok", 2),
    "bad chunk": (Answer(manner="bad_chunk"), "ok", 2),
    "529": (error(529), "ok", 2),
    "403 flagged account": (error(403, "Your account has been flagged."), "infra_error", 1),
    "403 moderation": (
        error(403, "Your chosen model requires moderation and your input was flagged for x"),
        "filtered",
        1,
    ),
    "403 flagged input": (
        error(403, "m requires moderation on X. Your input was flagged for violence."),
        "filtered",
        1,
    ),
    "429 per minute": (error(429, "You exceeded your current quota, retry in 1s"), "ok", 2),
    "422 echo": (error(422, "What was flagged off in 1853? too long"), "infra_error", 1),
    "surrogate in model": (
        Answer(content=b'{"model":"a\\ud800","choices":[{"message":{"content":"7"}}]}'),
        "ok",
        1,
    ),
    "count over 2^63": (
        Answer(body=completion(usage={"prompt_tokens": 2**63, "completion_tokens": 1})),
        "ok",
        1,
    ),
    "count over 2^64": (
        Answer(
            content=b'{"x": NaN, "choices": [{"message": {"content": "7"}}], "usage": '
            b'{"prompt_tokens": 99999999999999999999, "cost": 1e999}}'
        ),
        "ok",
        1,
    ),
    "usage of other types": (
        Answer(body=completion(usage={"prompt_tokens": "7", "completion_tokens": [], "cost": {}})),
        "ok",
        1,
    ),
    "error code of no kind": (Answer(body={"error": {"code": "²", "message": "x"}}), "ok", 2),
    "error code a list": (Answer(400, body={"error": {"code": ["x"]}}), "infra_error", 1),
    "choices a mapping": (Answer(body={"choices": {"0": {}}}), "ok", 2),
    "finish_reason a list": (
        Answer(body={"choices": [{"message": {"content": "7"}, "finish_reason": ["stop"]}]}),
        "ok",
        1,
    ),
    "nested 100,000 deep": (Answer(content=b"[" * 100_000), "ok", 2),
    "201": (Answer(201, body=completion()), "ok", 1),
    "204": (Answer(204, content=b""), "ok", 2),
    "redirect": (
        Answer(302, body={}, headers={"location": "http://127.0.0.1:9/"}),
        "infra_error",
        1,
    ),
    "surrogate in error": (
        Answer(400, content=b'{"error":{"message":"a\\ud83d"}}'),
        "infra_error",
        1,
    ),
    "truncated json": (Answer(content=b'{"choices": [{"mess'), "ok", 2),
    "200 error body 5xx": (Answer(body={"error": {"message": "upstream", "code": 502}}), "ok", 2),
    "no choices": (Answer(body={"choices": []}), "ok", 2),
    "null message": (Answer(body={"choices": [{"message": None}]}), "ok", 2),
    "json array": (Answer(content=b"[]"), "ok", 2),
    "content null": (answer(None), "empty", 1),
    "reasoning only": (answer(None, reasoning_content="hm"), "empty", 1),
    "empty content": (answer(""), "empty", 1),
    "blank content": (answer(" \n"), "empty", 1),
    "no usage": (answer("7", usage={}), "ok", 1),
    "length": (answer("7 an", finish_reason="length"), "truncated", 1),
    "length, nothing": (answer(None, finish_reason="length"), "empty", 1),
    "content_filter": (answer("", finish_reason="content_filter"), "filtered", 1),
    "refusal": (answer("no", finish_reason="refusal"), "filtered", 1),
    "refusal field": (answer(None, refusal="I will not"), "filtered", 1),
    "400 filter": (Answer(400, body=FILTERED_400), "filtered", 1),
    "400": (error(400, "messages: bad"), "infra_error", 1),
    "413": (error(413), "infra_error", 1),
    "think": (answer("<think>a</think> 7"), "ok", 1),
    "parts": (answer([{"type": "text", "text": "4"}, {"type": "text", "text": "2"}]), "ok", 1),  # type: ignore[arg-type]
    "5 MB": (answer("x" * 5_000_000), "ok", 1),
    "lone surrogate": (
        Answer(content=b'{"choices":[{"message":{"content":"a\\ud800"}}]}'),
        "ok",
        1,
    ),
}


@pytest.mark.parametrize("name", ONCE)
def test_a_fault_once(name: str, store: ResponseStore) -> None:
    first, status, calls = ONCE[name]
    with FakeProvider(lambda call: first if call.attempt == 1 else answer()) as server:
        spec = model(server.url)
        ask_all(spec, requests(spec, 1), store)
        rows = store.read()
        assert rows["status"].to_list() == [status]
        assert server.asked == calls


@pytest.mark.parametrize("status", [401, 402, 403, 404])
def test_a_refused_key_or_credit_stops_the_model_at_once(status: int, store: ResponseStore) -> None:
    with FakeProvider(lambda call: error(status)) as server:
        spec = model(server.url, limits={"max_in_flight": 4})
        summary = ask_all(spec, requests(spec, 200), store)
        assert summary.stopped is not None
        assert str(status) in summary.stopped
        assert server.asked <= 4
        assert store.answered_ids() == set()


@pytest.mark.parametrize("key", ["EMPTY", "none", "x"])
def test_a_dummy_key_takes_no_words_out_of_answers(
    key: str, store: ResponseStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DUMMY_KEY", key)
    text = "The set is empty; none of it is an EMPTY box of x."
    with FakeProvider(lambda call: answer(text)) as server:
        spec = model(server.url, api_key_env="DUMMY_KEY")
        ask_all(spec, requests(spec, 1), store)
    assert store.read()["text"].to_list() == [text]


def test_exhausted_credit_under_429_stops(store: ResponseStore) -> None:
    with FakeProvider(lambda call: error(429, "quota", "insufficient_quota")) as server:
        spec = model(server.url, limits={"max_in_flight": 2})
        assert ask_all(spec, requests(spec, 50), store).stopped
        assert server.asked <= 2


def test_an_unsupported_parameter_stops_and_says_what_to_set(store: ResponseStore) -> None:
    refused = error(400, "Unsupported parameter: 'temperature'", "unsupported_parameter")
    with FakeProvider(lambda call: refused) as server:
        spec = model(server.url, limits={"max_in_flight": 1})
        summary = ask_all(spec, requests(spec, 5), store)
        assert summary.stopped is not None
        assert "capabilities" in summary.stopped
        assert server.asked == 1


def test_capabilities_decide_what_is_sent_and_it_is_recorded(store: ResponseStore) -> None:
    with FakeProvider() as server:
        takes = {"temperature": False, "token_limit": "max_completion_tokens"}
        spec = model(server.url, capabilities=takes)
        ask_all(spec, requests(spec, 1), store)
        sent = server.calls[0].body
        assert "temperature" not in sent
        assert sent["max_completion_tokens"] == 64
        assert store.read()["dropped_parameters"].to_list() == [["temperature"]]


def test_a_far_future_retry_after_is_capped() -> None:
    import random

    from bench_pipeline.providers.retry import MAX_PAUSE_SECONDS, pause, retry_after

    asked = retry_after({"retry-after": FAR})
    assert asked is not None
    assert asked > 86_400
    assert pause(1, asked, random.Random(0)) <= MAX_PAUSE_SECONDS * 1.1


def test_a_wrong_clock_does_not_matter_where_the_server_sends_its_own() -> None:
    from bench_pipeline.providers.retry import retry_after

    headers = {
        "date": "Mon, 01 Jan 2001 00:00:00 GMT",
        "retry-after": "Mon, 01 Jan 2001 00:00:07 GMT",
    }
    assert retry_after(headers) == 7.0
    assert retry_after({"retry-after": "Mon, 01 Jan 2001 00:00:07 GMT"}) == 0.0


def test_connection_refused_is_missing_data(store: ResponseStore) -> None:
    spec = model("http://127.0.0.1:9/v1")
    summary = ask_all(spec, requests(spec, 3), store)
    assert summary.failed == 3
    assert store.read()["status"].to_list() == ["infra_error"] * 3


def test_one_hung_request_does_not_hold_up_the_rest(store: ResponseStore) -> None:
    def behave(call: Call) -> Answer:
        return Answer(manner="hang") if call.question == "question 0" else answer()

    with FakeProvider(behave) as server:
        spec = model(server.url, deadlines={"read": 1, "attempt": 1, "max_tries": 2, "total": 5})
        started = time.monotonic()
        summary = ask_all(spec, requests(spec, 200), store)
        assert summary.answered == 199
        assert summary.failed == 1
        assert time.monotonic() - started < 15


def test_mixed_transient_faults_end_with_every_answer(store: ResponseStore) -> None:
    faults = [error(500), error(429), Answer(manner="reset_before"), Answer(content=b"{")]

    def behave(call: Call) -> Answer:
        return faults[call.number % 4] if call.number % 5 == 0 else answer()

    with FakeProvider(behave) as server:
        spec = model(server.url, deadlines={"max_tries": 12})
        assert ask_all(spec, requests(spec, 300), store).answered == 300
    assert store.read()["status"].to_list() == ["ok"] * 300


def test_only_what_failed_is_asked_again(store: ResponseStore) -> None:
    broken = {f"question {i}" for i in range(0, 100, 10)}

    def behave(call: Call) -> Answer:
        return error(400, "permanently") if call.question in broken else answer()

    with FakeProvider(behave) as server:
        spec = model(server.url)
        assert ask_all(spec, requests(spec, 100), store).failed == 10
        before = server.asked
        server.behave = lambda call: answer()
        missing = [r for r in requests(spec, 100) if r.request_id not in store.answered_ids()]
        assert ask_all(spec, missing, store).answered == 10
        assert server.asked - before == 10
    assert store.read().filter(pl.col("status") == "ok").height == 100


def test_429_halves_the_flight_and_it_grows_again(store: ResponseStore) -> None:
    with FakeProvider(lambda c: error(429) if c.number <= 8 else answer(delay=0.002)) as server:
        spec = model(server.url, limits={"max_in_flight": 8})
        summary = ask_all(spec, requests(spec, 300), store)
        assert summary.answered == 300
        assert summary.pushed_back == 8
        assert summary.in_flight_limit == 8


def test_usage_and_cost(store: ResponseStore) -> None:
    usage = {
        "prompt_tokens": 1000,
        "completion_tokens": 100,
        "prompt_tokens_details": {"cached_tokens": 400},
        "completion_tokens_details": {"reasoning_tokens": 60},
    }
    prices = {"input": 2, "output": 10, "cached_input": 1, "as_of": "2026-01-01"}
    with FakeProvider(lambda call: answer(usage=usage)) as server:
        spec = model(server.url, prices=prices)
        ask_all(spec, requests(spec, 1), store)
    row = store.read().row(0, named=True)
    assert (row["cached_tokens"], row["reasoning_tokens"]) == (400, 60)
    # 600 fresh at $2, 400 cached at $1, 100 out at $10 a million
    assert row["cost_usd"] == pytest.approx((600 * 2 + 400 * 1 + 100 * 10) / 1e6)


def test_unknown_usage_is_unknown_not_zero(store: ResponseStore) -> None:
    prices = {"input": 2, "output": 10, "as_of": "2026-01-01"}
    body = {k: v for k, v in completion().items() if k != "usage"}
    with FakeProvider(lambda call: Answer(body=body)) as server:
        spec = model(server.url, prices=prices)
        ask_all(spec, requests(spec, 1), store)
    row = store.read().row(0, named=True)
    assert row["prompt_tokens"] is None
    assert row["cost_usd"] is None


@pytest.mark.parametrize("manner", ["reset_before", "reset_mid_body", "not_http", "bad_chunk"])
def test_what_the_provider_may_have_billed_stays_charged(manner: str, store: ResponseStore) -> None:
    prices = {"input": 3, "output": 15, "as_of": "2026-01-01"}
    with FakeProvider(lambda call: Answer(body=completion(), manner=manner)) as server:
        spec = model(server.url, prices=prices, deadlines={"max_tries": 2})
        summary = ask_all(spec, requests(spec, 1), store)
        assert server.asked == 2
    assert spec.prices is not None
    bound = float(requests(spec, 1)[0].cost_bound(spec.prices))
    assert summary.spent_usd == pytest.approx(2 * bound)


def test_what_never_left_is_not_charged(store: ResponseStore) -> None:
    prices = {"input": 3, "output": 15, "as_of": "2026-01-01"}
    spec = model("http://127.0.0.1:9/v1", prices=prices)
    assert ask_all(spec, requests(spec, 2), store).spent_usd == 0.0


def test_a_stop_wakes_those_who_wait_for_their_turn(store: ResponseStore) -> None:
    with FakeProvider(lambda call: error(401)) as server:
        spec = model(server.url, limits={"max_in_flight": 8, "requests_per_minute": 6})
        started = time.monotonic()
        assert ask_all(spec, requests(spec, 20), store).stopped
        assert time.monotonic() - started < 5
        assert server.asked == 1


def test_a_token_limit_is_about_tokens_used(store: ResponseStore) -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 10}
    with FakeProvider(lambda call: answer(usage=usage)) as server:
        limits = {"max_in_flight": 8, "tokens_per_minute": 60_000}
        spec = model(server.url, limits=limits)
        started = time.monotonic()
        # 100 × 20 tokens are two seconds' worth of 1,000 a second; by their bounds, 14
        assert ask_all(spec, requests(spec, 100), store).answered == 100
        assert 0.5 < time.monotonic() - started < 6


def test_a_rate_of_requests_is_kept(store: ResponseStore) -> None:
    with FakeProvider() as server:
        spec = model(server.url, limits={"max_in_flight": 8, "requests_per_minute": 600})
        started = time.monotonic()
        ask_all(spec, requests(spec, 30), store)
        assert time.monotonic() - started > 1.5


def test_a_sync_that_fails_ends_the_run(
    store: ResponseStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise OSError(5, "Input/output error")

    with FakeProvider(lambda call: answer(delay=0.05)) as server:
        spec = model(server.url, limits={"max_in_flight": 1})
        monkeypatch.setattr(store, "pending_sync", lambda: refuse)
        with pytest.raises(OSError, match="Input/output"):
            ask_all(spec, requests(spec, 100), store)
        assert server.asked < 100


def test_a_providers_words_cannot_drive_a_terminal(store: ResponseStore) -> None:
    spoken = "bad \x1b]0;PWN\x07\x1b[31mRED \u202etxt"
    with FakeProvider(lambda call: error(400, spoken)) as server:
        spec = model(server.url)
        summary = ask_all(spec, requests(spec, 1), store)
    (said,) = summary.errors
    assert said.isprintable()
    assert "\\x1b[31mRED" in said


def test_an_absurd_cost_is_unknown(store: ResponseStore) -> None:
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "cost": 1e308}
    with FakeProvider(lambda call: answer(usage=usage)) as server:
        spec = model(server.url)
        assert ask_all(spec, requests(spec, 3), store).spent_usd == 0.0
    assert store.read()["cost_usd"].to_list() == [None] * 3
