"""One table a provider: where it is asked, with which headers, and what the body holds."""

from typing import Any

import pytest

from bench_pipeline.contracts.roster import ModelSpec
from bench_pipeline.providers.adapters import adapter_for
from bench_pipeline.providers.reply import read_reply

MESSAGES = [{"role": "user", "content": "How many lakh make a crore?"}]
SCHEMA = {"type": "object"}

#: provider settings → endpoint, header with the key, fields of the body
TABLE: list[tuple[dict[str, Any], str, tuple[str, str], dict[str, Any]]] = [
    (
        {"provider": "openai", "base_url": "https://vllm.example/v1/"},
        "https://vllm.example/v1/chat/completions",
        ("authorization", "Bearer k"),
        {"max_tokens": 9, "temperature": 0.5},
    ),
    (
        {"provider": "openrouter"},
        "https://openrouter.ai/api/v1/chat/completions",
        ("authorization", "Bearer k"),
        {"usage": {"include": True}},
    ),
    (
        {"provider": "openrouter", "reasoning": {"effort": "low"}},
        "https://openrouter.ai/api/v1/chat/completions",
        ("authorization", "Bearer k"),
        {"reasoning": {"effort": "low"}},
    ),
    (
        {"provider": "sarvam", "reasoning": {"effort": "low"}},
        "https://api.sarvam.ai/v1/chat/completions",
        ("api-subscription-key", "k"),
        {"reasoning_effort": "low"},
    ),
    (
        {
            "provider": "openai",
            "base_url": "https://x.example",
            "capabilities": {"json_schema": True, "token_limit": "max_completion_tokens"},
            "extra_body": {"top_k": 1},
        },
        "https://x.example/chat/completions",
        ("authorization", "Bearer k"),
        {"max_completion_tokens": 9, "top_k": 1},
    ),
]


def _spec(**settings: Any) -> ModelSpec:
    return ModelSpec.model_validate({"id": "m", "model": "v/m", "family": "f", **settings})


@pytest.mark.parametrize(("settings", "endpoint", "header", "fields"), TABLE)
def test_how_a_provider_is_asked(
    settings: dict[str, Any], endpoint: str, header: tuple[str, str], fields: dict[str, Any]
) -> None:
    spec = _spec(**settings)
    adapter = adapter_for(spec)
    assert adapter.endpoint(spec) == endpoint
    assert adapter.headers("k")[header[0]] == header[1]
    assert adapter.headers(None) == {}
    body, _ = adapter.body(spec, MESSAGES, 0.5, 9, SCHEMA)
    assert body["model"] == "v/m"
    assert body["messages"] == MESSAGES
    assert fields.items() <= body.items()


def test_a_schema_is_sent_where_it_is_taken_and_recorded_where_it_is_not() -> None:
    takes = _spec(provider="openrouter", capabilities={"json_schema": True})
    body, dropped = adapter_for(takes).body(takes, MESSAGES, 0.0, 9, SCHEMA)
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA
    assert dropped == ()
    plain = _spec(provider="openrouter")
    body, dropped = adapter_for(plain).body(plain, MESSAGES, 0.0, 9, SCHEMA)
    assert "response_format" not in body
    assert dropped == ("response_schema",)


def test_bounds_of_a_schema_are_sent_only_where_they_are_taken() -> None:
    bounded = {
        "type": "object",
        "properties": {
            "maxLength": {"type": "string", "maxLength": 9},
            "list": {"type": "array", "maxItems": 5, "items": {"type": "integer", "minimum": 0}},
            "either": {"anyOf": [{"type": "number", "maximum": 1}, {"type": "null"}]},
        },
    }
    plain = _spec(provider="openrouter", capabilities={"json_schema": True})
    body, _ = adapter_for(plain).body(plain, MESSAGES, 0.0, 9, bounded)
    assert body["response_format"]["json_schema"]["schema"] == {
        "type": "object",
        "properties": {
            "maxLength": {"type": "string"},
            "list": {"type": "array", "items": {"type": "integer"}},
            "either": {"anyOf": [{"type": "number"}, {"type": "null"}]},
        },
    }
    takes = _spec(provider="openrouter", capabilities={"json_schema": True, "schema_limits": True})
    body, _ = adapter_for(takes).body(takes, MESSAGES, 0.0, 9, bounded)
    assert body["response_format"]["json_schema"]["schema"] == bounded


def test_openrouter_says_what_it_cost() -> None:
    raw = b'{"choices":[{"message":{"content":"7","reasoning":"hm"}}],"usage":{"cost":0.0021}}'
    reply = read_reply(200, raw)
    assert reply.usage.cost_usd == 0.0021
    assert reply.reasoning_text == "hm"


def test_an_unknown_packaged_model_is_told_which_there_are() -> None:
    from bench_pipeline.contracts.errors import InputError

    spec = _spec(provider="local")
    with pytest.raises(InputError, match="accepted: smollm2-135m-instruct"):
        adapter_for(spec).endpoint(spec)
