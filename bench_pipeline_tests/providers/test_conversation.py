"""Conversations are asked in order and resume in the middle."""

from bench_pipeline.contracts.roster import ModelSpec
from bench_pipeline.providers import Script, converse
from bench_pipeline.storage.responses import ResponseStore
from bench_pipeline_tests.fakes.provider import Answer, Call, FakeProvider, answer, error
from bench_pipeline_tests.providers.calls import ask_all, model

TURNS = ("My mother called.", "She wants me home.", "Should I lie?", "Thank you.")


def _scripts(count: int) -> list[Script]:
    return [Script(f"talk-{k}", (f"I am caller {k}.", *TURNS[1:]), 0.7, 64) for k in range(count)]


def _answered(store: ResponseStore) -> dict[str, str | None]:
    rows = store.read(["request_id", "status", "text"])
    return dict(rows.filter(status="ok").select("request_id", "text").iter_rows())


def _run(spec: ModelSpec, store: ResponseStore, count: int) -> None:
    ask_all(spec, [converse(spec, s, _answered(store)) for s in _scripts(count)], store)


def _reply(call: Call) -> Answer:
    return answer(f"reply {len(call.body['messages'])} to {call.body['messages'][0]['content']}")


def test_every_turn_sees_the_conversation_so_far(store: ResponseStore) -> None:
    with FakeProvider(_reply) as server:
        _run(model(server.url), store, 3)
        longest = [call for call in server.calls if len(call.body["messages"]) == 7]
        assert len(longest) == 3
        for call in longest:
            said = [message["content"] for message in call.body["messages"]]
            assert said[1] == f"reply 1 to {said[0]}"
            assert said[2::2] == list(TURNS[1:])
    rows = store.read().sort("prompt_id", "turn")
    assert rows["turn"].to_list() == [0, 1, 2, 3] * 3


def test_it_resumes_at_the_turn_that_failed(store: ResponseStore) -> None:
    def behave(call: Call) -> Answer:
        return error(400, "no") if len(call.body["messages"]) == 5 else _reply(call)

    with FakeProvider(behave) as server:
        spec = model(server.url)
        _run(spec, store, 2)
        assert server.asked == 2 * 3
        server.behave = _reply
        _run(spec, store, 2)
        assert server.asked == 2 * 3 + 2 * 2
        _run(spec, store, 2)
        assert server.asked == 10
    assert store.read().filter(status="ok").height == 8


def test_it_ends_at_a_turn_without_text(store: ResponseStore) -> None:
    def behave(call: Call) -> Answer:
        return answer(None) if len(call.body["messages"]) == 3 else _reply(call)

    with FakeProvider(behave) as server:
        _run(model(server.url), store, 1)
        assert server.asked == 2
