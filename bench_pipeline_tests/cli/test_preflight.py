"""What a run needs is looked at before anything is asked: one error with file and field."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from bench_pipeline.cli.main import main
from bench_pipeline_tests.fakes.provider import Answer, FakeProvider, answer

PROMPTS = {
    "agent_one.j2": "{{ text }}",
    "agent_two.j2": "{{ text }} {{ question }}",
    "judge.j2": "{{ question }} {{ gold }} {{ answer }}",
    "translation.j2": "{{ items }}",
    "back_translation.j2": "{{ items }}",
}
#: what is wrong → (change to suite.yaml, what the message holds)
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "unknown judge": (
        {"judge": {"model": "nobody"}},
        "suite.yaml, field 'judge.model': there is no model 'nobody'",
    ),
    "retired judge": ({"judge": {"model": "old"}}, "entry 'old', field 'retired'"),
    "unknown agent": ({"generation": {"agent_one": "nobody"}}, "field 'generation.agent_one'"),
    "unknown marker": ({"generation": {"agent_two": "nobody"}}, "field 'generation.agent_two'"),
    "unknown engine": (
        {"translation": {"languages": ["hi"], "engine": "nobody"}},
        "field 'translation.engine'",
    ),
    "no judge prompt": (
        {"judge": {"model": "m", "prompt": "prompts/none.j2"}},
        "none.j2: not a valid template",
    ),
    "prompt that leads out": (
        {"judge": {"model": "m", "prompt": "../../../models.yaml"}},
        "leads out of the suite's folder",
    ),
    "judge without one": ({"protocol": "judge"}, "the protocol 'judge' needs a `judge`"),
    "unknown language": (
        {"translation": {"languages": ["hi", "xx"]}},
        "field 'translation.languages': there is no language 'xx'",
    ),
    "language twice": (
        {"translation": {"languages": ["hi", "hi"]}},
        "field 'translation.languages': 'hi' stands twice",
    ),
    "no glossary": (
        {"translation": {"languages": ["hi"], "glossary": "none.csv"}},
        "field 'translation.glossary': there is no file 'none.csv'",
    ),
    "translations that lead out": (
        {"translation": {"languages": ["hi"], "human": "../../*.csv"}},
        "field 'translation.human'",
    ),
    "no template": ({"regimes": {"natural": "none.j2"}}, "there is no template 'none.j2'"),
}


def _bench(tmp_path: Path, url: str, settings: dict[str, Any], **entry: Any) -> None:
    suite = tmp_path / "assets" / "suites" / "books"
    (suite / "prompts").mkdir(parents=True)
    for name, text in PROMPTS.items():
        (suite / "prompts" / name).write_text(text)
    base = {"name": "books", "title": "Books", "documents": "documents.csv"}
    (suite / "suite.yaml").write_text(yaml.safe_dump({**base, **settings}))
    (suite / "documents.csv").write_text(
        "document_id,file,title,licence,source\none,one.pdf,One,CC0,made up\n"
    )
    (suite / "one.pdf").write_bytes(b"%PDF-1.4 broken")
    common = {"provider": "openai", "base_url": url, "model": "m", "family": "f"}
    roster = [
        {"id": "m", **common},
        {"id": "old", **common, "retired": True},
        {"id": "helper", **common, "under_test": False, **entry},
    ]
    (tmp_path / "assets" / "models.yaml").write_text(yaml.safe_dump({"models": roster}))


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("command", ["run", "check"])
def test_it_is_refused_before_anything_is_asked(
    name: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, message = WRONG[name]
    with FakeProvider(lambda call: answer("x")) as server:
        _bench(tmp_path, server.url, settings)
        monkeypatch.setenv("BENCH_ASSETS", str(tmp_path / "assets"))
        done = _run(command)
        assert done.exit_code == 2, done.output
        assert message in done.output
        assert server.asked == 0


def test_helpers_need_their_key_and_under_a_cap_their_prices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _bench(
        tmp_path,
        "http://127.0.0.1:9/v1",
        {"judge": {"model": "helper"}},
        api_key_env="NO_SUCH_KEY",
    )
    monkeypatch.setenv("BENCH_ASSETS", str(tmp_path / "assets"))
    assert "NO_SUCH_KEY is not set" in _run("run").output
    monkeypatch.setenv("NO_SUCH_KEY", "k")
    prices = {"input": 1, "output": 1, "as_of": "2026-11-30"}
    path = tmp_path / "assets" / "models.yaml"
    roster = yaml.safe_load(path.read_text())
    roster["models"][0]["prices"] = prices
    path.write_text(yaml.safe_dump(roster))
    done = _run("run", "--model", "m", "--max-usd", "1")
    assert done.exit_code == 2
    assert "the suite's judge.model, has none" in done.output
    # nothing is asked by a check, so no key is wanted
    monkeypatch.delenv("NO_SUCH_KEY")
    assert _run("check").exit_code == 0


def test_a_cap_holds_over_all_that_a_command_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Replies that nobody can read are charged at their bound, and every model has its try."""

    with FakeProvider(lambda call: Answer(content=b"<html>busy</html>")) as server:
        prices = {"input": 0, "output": 1000, "as_of": "2026-11-30"}
        suite = tmp_path / "assets" / "suites" / "sums"
        suite.mkdir(parents=True)
        (suite / "suite.yaml").write_text(
            "name: sums\ntitle: Sums\nitems: items.csv\nregimes: {natural: natural.j2}\n"
            "sampling: {max_tokens: 512}\n"
        )
        (suite / "items.csv").write_text(
            "item_id,question,answer_type,gold\ns1,What is 1 plus 1?,numeric,2\n"
        )
        entry = {"provider": "openai", "base_url": server.url, "model": "m", "family": "f"}
        models = [{"id": f"m{k}", **entry, "prices": prices} for k in range(4)]
        path = tmp_path / "assets" / "models.yaml"
        path.write_text(yaml.safe_dump({"models": models}))
        monkeypatch.setenv("BENCH_ASSETS", str(tmp_path / "assets"))
        done = _run("run", "--max-usd", "0.6")
    assert done.exit_code == 1
    # one try at its bound of 512 tokens fits into 0.6, a second of anybody does not
    assert server.asked == 1
