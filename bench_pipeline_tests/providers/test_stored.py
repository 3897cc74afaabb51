"""Structured replies: each request put once, one budget over all asking of a run, read by key."""

from pathlib import Path

from bench_pipeline.contracts.progress import SilentReporter
from bench_pipeline.contracts.roster import ModelSpec
from bench_pipeline.providers import Prompt, Request, prepare
from bench_pipeline.providers.stored import Watch, ask_and_read
from bench_pipeline.storage.responses import ResponseStore
from bench_pipeline_tests.fakes.provider import Answer, Call, FakeProvider, answer


def _spec(url: str) -> ModelSpec:
    return ModelSpec.model_validate(
        {
            "id": "m",
            "provider": "openai",
            "model": "m",
            "family": "f",
            "base_url": url,
            "prices": {"input": 1000, "output": 1000, "as_of": "2026-11-30"},
            "limits": {"max_in_flight": 1},
            "deadlines": {"max_tries": 1},
        }
    )


def _requests(spec: ModelSpec, *texts: str) -> dict[str, Request]:
    return {
        f"k{k}": prepare(spec, Prompt(f"k{k}", [{"role": "user", "content": text}], 0.0, 9))
        for k, text in enumerate(texts)
    }


def _watch(told: list[float], left: float | None = None) -> Watch:
    return Watch(SilentReporter(), lambda line: None, told.append, left)


def _echo(call: Call) -> Answer:
    return answer(call.question.upper())


def test_equal_requests_are_put_once_and_every_key_has_the_reply(tmp_path: Path) -> None:
    store = ResponseStore(tmp_path)
    told: list[float] = []
    with FakeProvider(_echo) as server:
        spec = _spec(server.url)
        requests = _requests(spec, "a", "b", "a")
        for _ in range(2):
            found = ask_and_read(spec, requests, store, "asking", _watch(told))
            assert {key: reply.text for key, reply in found.items()} == {
                "k0": "A",
                "k1": "B",
                "k2": "A",
            }
        assert server.asked == 2
    assert told[0] > 0 == told[1]


def test_all_asking_of_a_run_shares_one_budget(tmp_path: Path) -> None:
    store = ResponseStore(tmp_path)
    told: list[float] = []
    with FakeProvider(_echo) as server:
        spec = _spec(server.url)
        first, second = _requests(spec, "a"), _requests(spec, "b")
        bound = float(first["k0"].cost_bound(spec.prices))  # type: ignore[arg-type]
        watch = _watch(told, bound * 1.2)
        assert ask_and_read(spec, first, store, "one", watch)
        assert watch.left_usd is not None
        assert watch.left_usd < bound
        # what is left does not cover another request, so none is sent
        assert ask_and_read(spec, second, store, "two", watch) == {}
        assert server.asked == 1
        # another run, with a cap of its own, asks what is missing
        assert ask_and_read(spec, second, store, "three", _watch(told, bound * 1.2))
        assert server.asked == 2


def test_what_a_run_paid_is_said_even_where_it_breaks(tmp_path: Path) -> None:
    told: list[float] = []
    with FakeProvider(lambda call: Answer(status=500)) as server:
        spec = _spec(server.url)
        found = ask_and_read(
            spec, _requests(spec, "a"), ResponseStore(tmp_path), "asking", _watch(told)
        )
    assert found == {}
    assert len(told) == 1
