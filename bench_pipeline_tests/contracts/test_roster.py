"""A bad roster is refused whole, with one message that names file, entry and field."""

from pathlib import Path

import pytest

from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.paths import PROJECT_ROOT
from bench_pipeline.contracts.roster import load_roster

GOOD = "id: a, provider: local, model: smollm2-135m-instruct, family: smollm"

#: what stands in models.yaml → what the message must say
BROKEN = {
    "models:\n  - {id: A B, provider: local, model: m, family: f}": ["entry 'A B'", "field 'id'"],
    f"models:\n  - {{{GOOD}}}\n  - {{{GOOD}}}": ["entry 'a'", "stands twice"],
    "models:\n  - {id: a, provider: magic, model: m, family: f}": ["field 'provider'", "'magic'"],
    "models:\n  - {id: a, provider: openai, model: m, family: f}": ["entry 'a'", "base_url"],
    "models:\n  - {id: a, provider: local, family: f}": ["field 'model'", "required"],
    f"models:\n  - {{{GOOD}, temprature: 1}}": ["field 'temprature'", "no such field", "overrides"],
    f"models:\n  - {{{GOOD}, prices: {{input: -1, output: 1, as_of: 2026-01-01}}}}": [
        "field 'prices.input'",
        "-1",
    ],
    f"models:\n  - {{{GOOD}, limits: {{max_in_flight: 0}}}}": ["field 'limits.max_in_flight'"],
    "models:\n  - {id: baseline-x, provider: local, model: m, family: f}": ["baseline-"],
    f"models:\n  - {{{GOOD}, extra_body: {{max_tokens: 9}}}}": ["extra_body", "max_tokens"],
    "models:\n  - {id: a, id: b}": ["line 2", "stands twice"],
    "models:\n  - {id: a, provider: openai, model: m, family: f, base_url: 'http://[::1'}": ["'a'"],
    f'models:\n  - {{{GOOD}, extra_body: {{x: "\\ud800"}}}}': ["entry 'a'"],
    "models: 2024-13-45": ["not valid YAML", "month must be"],
    "models: {a: 1}": ["one list named 'models'"],
    "- a": ["one list named 'models'"],
    "models:\n  - just text": ["entry 'number 1'"],
    "models: [": ["not valid YAML", "line 2"],
    "models: !!python/object:os.system {}": ["not valid YAML"],
}


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_roster_names_what_is_wrong(text: str, tmp_path: Path) -> None:
    path = tmp_path / "models.yaml"
    path.write_text(text + "\n")
    with pytest.raises(InputError) as caught:
        load_roster(path)
    message = str(caught.value)
    assert "models.yaml" in message
    for part in BROKEN[text]:
        assert part in message
    assert "\n" not in message


def test_a_missing_file_and_a_file_that_is_not_utf8(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        load_roster(tmp_path / "models.yaml")
    (tmp_path / "models.yaml").write_bytes(b"models: \xff")
    with pytest.raises(InputError, match="UTF-8"):
        load_roster(tmp_path / "models.yaml")


def test_the_shipped_roster_loads() -> None:
    roster = load_roster(PROJECT_ROOT / "assets" / "models.yaml")
    assert [model.provider for model in roster.models] == ["local", "local", "local"]
    assert [model.under_test for model in roster.models] == [True, True, False]


def test_an_unknown_model_is_told_which_are_known(tmp_path: Path) -> None:
    path = tmp_path / "models.yaml"
    path.write_text(f"models:\n  - {{{GOOD}}}\n")
    with pytest.raises(InputError, match=r"no model 'b'; accepted: a$"):
        load_roster(path)["b"]


@pytest.mark.parametrize("value", [None, "", "  ", "sk-secret value", "sk-sécret"])
def test_a_key_that_is_missing_or_malformed_is_named_by_its_variable_only(
    value: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "models.yaml"
    path.write_text(
        "models:\n  - {id: a, provider: openrouter, model: x/y, family: f, api_key_env: SOME_KEY}\n"
    )
    monkeypatch.delenv("SOME_KEY", raising=False)
    if value is not None:
        monkeypatch.setenv("SOME_KEY", value)
    with pytest.raises(InputError, match="SOME_KEY") as caught:
        load_roster(path)["a"].api_key()
    assert "secret" not in str(caught.value)
