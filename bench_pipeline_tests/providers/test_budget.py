"""The cap holds whatever the provider does, by what the *provider* billed."""

import random
from decimal import Decimal
from pathlib import Path

import pytest

from bench_pipeline.contracts.errors import InputError
from bench_pipeline.storage.responses import ResponseStore
from bench_pipeline_tests.fakes.provider import Answer, Call, FakeProvider, completion, error
from bench_pipeline_tests.providers.calls import ask_all, model, requests

PRICES = {"input": 3, "output": 15, "as_of": "2026-01-01"}


class Biller:
    """A provider that bills all the work it does, whether or not the reply arrives."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.billed = Decimal(0)

    def behave(self, call: Call) -> Answer:
        if self.random.random() < 0.1:
            return error(self.random.choice([429, 500, 503]))
        prompt = self.random.randint(5, 40)
        written = self.random.randint(1, call.body["max_tokens"])
        self.billed += Decimal(prompt * 3 + written * 15) / 1_000_000
        usage = {"prompt_tokens": prompt, "completion_tokens": written}
        body = completion(usage=usage)
        kind = self.random.random()
        if kind < 0.1:
            return Answer(body=body, manner=self.random.choice(["reset_mid_body", "reset_before"]))
        if kind < 0.2:
            return Answer(body=completion(usage={}))
        if kind < 0.25:
            return Answer(content=b"not json")
        return Answer(body=body, delay=self.random.random() * 0.004)


@pytest.mark.parametrize("seed", range(50))
def test_the_cap_is_never_exceeded(seed: int, store: ResponseStore) -> None:
    biller = Biller(seed)
    cap = Decimal(str(round(random.Random(seed).uniform(0.001, 0.06), 4)))
    with FakeProvider(biller.behave) as server:
        spec = model(server.url, prices=PRICES, limits={"max_in_flight": 16})
        summary = ask_all(spec, requests(spec, 60), store, max_usd=cap)
    assert biller.billed <= cap
    assert summary.spent_usd <= float(cap) + 1e-12
    if summary.stopped is None:
        assert summary.answered + summary.failed == 60


def test_a_cap_that_stops_is_said_and_a_later_run_goes_on(store: ResponseStore) -> None:
    with FakeProvider() as server:
        spec = model(server.url, prices=PRICES, limits={"max_in_flight": 2})
        summary = ask_all(spec, requests(spec, 50), store, max_usd=Decimal("0.004"))
        assert summary.stopped is not None
        assert "$0.004" in summary.stopped
        done = len(store.answered_ids())
        assert 0 < done < 50
        missing = [r for r in requests(spec, 50) if r.request_id not in store.answered_ids()]
        assert ask_all(spec, missing, store, max_usd=Decimal(1)).answered == 50 - done
        assert server.asked == 50


def test_an_unpriced_model_with_a_cap_is_refused(store: ResponseStore) -> None:
    with FakeProvider() as server:
        spec = model(server.url)
        with pytest.raises(InputError, match="entry 'fake', field 'prices'"):
            ask_all(spec, requests(spec, 1), store, max_usd=Decimal(1))
        assert server.asked == 0


def test_the_bound_covers_a_long_answer_in_any_script(tmp_path: Path) -> None:
    from bench_pipeline.providers import Prompt, prepare

    spec = model("http://127.0.0.1:1/v1", prices=PRICES)
    text = "एक लाख में कितने हज़ार होते हैं?" * 40
    request = prepare(spec, Prompt("p", [{"role": "user", "content": text}], 0.0, 100))
    assert request.prompt_token_bound >= len(text.encode())
