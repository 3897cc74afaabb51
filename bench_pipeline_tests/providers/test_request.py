"""The identity of a request is everything that is sent."""

from typing import Any

import pytest

from bench_pipeline.contracts.roster import ModelSpec
from bench_pipeline.providers import Prompt, prepare
from bench_pipeline_tests.providers.calls import model

URL = "http://127.0.0.1:1/v1"
MESSAGES = [{"role": "user", "content": "How many lakh make a crore?"}]


def _prompt(**changes: Any) -> Prompt:
    values: dict[str, Any] = {
        "prompt_id": "p",
        "messages": MESSAGES,
        "temperature": 0.0,
        "max_tokens": 64,
    }
    return Prompt(**{**values, **changes})


def _id(spec: ModelSpec, prompt: Prompt) -> str:
    return prepare(spec, prompt).request_id


@pytest.mark.parametrize(
    "settings",
    [
        {"id": "other"},
        {"model": "fake-2"},
        {"system_prompt": "Answer in Hindi."},
        {"overrides": {"max_tokens": 32}},
        {"overrides": {"temperature": 0.7}},
        {"capabilities": {"temperature": False}},
        {"capabilities": {"token_limit": "max_completion_tokens"}},
        {"reasoning": {"effort": "low"}},
        {"extra_body": {"top_k": 1}},
        {"provider": "openrouter"},
    ],
)
def test_what_changes_the_body_changes_the_identity(settings: dict[str, Any]) -> None:
    assert _id(model(URL), _prompt()) != _id(model(URL, **settings), _prompt())


@pytest.mark.parametrize(
    "changes",
    [
        {"sample": 1},
        {"wave": 1},
        {"temperature": 0.5},
        {"max_tokens": 65},
        {"messages": [{"role": "user", "content": "How many lakh make a crore ?"}]},
    ],
)
def test_what_changes_the_prompt_changes_the_identity(changes: dict[str, Any]) -> None:
    assert _id(model(URL), _prompt()) != _id(model(URL), _prompt(**changes))


@pytest.mark.parametrize(
    "settings",
    [
        {"title": "A title"},
        {"prices": {"input": 1, "output": 1, "as_of": "2026-01-01"}},
        {"limits": {"max_in_flight": 99}},
        {"retired": True},
    ],
)
def test_what_is_not_sent_changes_nothing(settings: dict[str, Any]) -> None:
    assert _id(model(URL), _prompt()) == _id(model(URL, **settings), _prompt())


def test_a_server_that_moves_changes_nothing() -> None:
    assert _id(model(URL), _prompt()) == _id(model("http://127.0.0.1:2/v1"), _prompt())


def test_the_version_and_the_prompts_name_change_nothing() -> None:
    changed = _prompt(suite_version="9.9.9", prompt_id="q")
    assert _id(model(URL), _prompt()) == _id(model(URL), changed)


def test_an_identity_never_changes_by_accident() -> None:
    """Every stored answer hangs on this value: if it moves, bump KEY_VERSION on purpose."""
    expected = "1f8a94670c6696fd44c920aff9eb09bcf9454555a1429d191d2abc9a18234d73"
    assert _id(model(URL), _prompt()) == expected


def test_the_key_is_no_part_of_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "sk-planted-1234")
    request = prepare(model(URL, api_key_env="SOME_KEY"), _prompt())
    assert "sk-planted" not in repr(request)
