"""A language's partition, from a fake translator: tried twice, stored once, listed with reasons."""

import json
from pathlib import Path
from typing import Any

import dagster as dg
import polars as pl
import pytest
from click.testing import CliRunner

from bench_pipeline.cli.main import main
from bench_pipeline.contracts.construction import TRANSLATIONS
from bench_pipeline.contracts.errors import InputError
from bench_pipeline.storage.tables import TableStore
from bench_pipeline_tests.benches import write_bench
from bench_pipeline_tests.fakes.provider import Answer, Call, FakeProvider, answer

HINDI = {
    "s1": ("1 और 1 मिलाकर कितने होते हैं?", "2"),
    "s2": ("२ और २ मिलाकर कितने होते हैं?", "४"),
    "s3": ("3 और 3 मिलाकर कितने होते हैं?", "7"),
    "s0": ("0 और 0 मिलाकर कितने होते हैं?", "0"),
}
PROMPT = (
    "Translate to {{ language.name }}.{% for item in items %}\n"
    "{{ item.item_id }}|{{ item.question }}|{{ item.answer }}{% endfor %}"
)


def _translated(call: Call) -> Answer:
    """s3 always gets a wrong number, s1 an echo that belongs to another row the first time."""
    if "Translate" not in call.question:
        return answer("It is 2.")
    asked = [line.split("|") for line in call.question.splitlines() if "|" in line]
    rows: list[dict[str, Any]] = []
    for item_id, source, _ in asked:
        question, right = HINDI[item_id]
        swapped = item_id == "s1" and len(asked) > 2
        echo = "What is 2 plus 2?" if swapped else source
        rows.append({"id": item_id, "source": echo, "question": question, "answer": right})
    return answer(json.dumps({"translations": rows}, ensure_ascii=False))


def _materialise(instance: dg.DagsterInstance) -> pl.DataFrame:
    from bench_pipeline.definitions import build_defs

    job = build_defs().resolve_implicit_global_asset_job_def()
    key = dg.AssetKey(["sums", "translations"])
    done = job.execute_in_process(instance=instance, asset_selection=[key], partition_key="hi")
    assert done.success
    frame = TableStore.default().read("sums", TRANSLATIONS, "hi")
    assert frame is not None
    return frame


def _bench(tmp_path: Path, url: str, settings: str) -> Path:
    assets = write_bench(tmp_path / "assets", url, 4)
    suite = assets / "suites" / "sums"
    (suite / "prompts").mkdir()
    (suite / "prompts" / "translation.j2").write_text(PROMPT)
    path = suite / "suite.yaml"
    path.write_text(path.read_text() + settings)
    return assets


def test_a_partition_is_asked_twice_at_most_and_says_what_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = "translation: {languages: [hi, ta], engine: fake-1, human: human.csv}\n"
    with FakeProvider(_translated) as server, dg.DagsterInstance.ephemeral() as instance:
        assets = _bench(tmp_path, server.url, settings)
        (assets / "suites" / "sums" / "human.csv").write_text(
            "item_id,language,question,answer,translator\ns0,hi,0 और 0 कितने होते हैं?,0,p1\n"
        )
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        assert CliRunner().invoke(main, ["run"]).exit_code == 0
        before = server.asked
        frame = _materialise(instance)
        assert server.asked - before == 2
        assert _materialise(instance).equals(frame)
        assert server.asked - before == 2
    rows = {row["item_id"]: row for row in frame.to_dicts()}
    assert (rows["s0"]["engine"], rows["s0"]["status"]) == ("human", "kept")
    assert (rows["s1"]["engine"], rows["s1"]["status"]) == ("fake-1", "kept")
    assert rows["s2"]["answer"] == "४"
    assert rows["s3"]["status"] == "failed"
    assert rows["s3"]["reasons"] == ["answer_numbers_changed"]


def test_a_language_that_is_not_known_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assets = _bench(tmp_path, "http://127.0.0.1:9/v1", "translation: {languages: [hi, xx]}\n")
    monkeypatch.setenv("BENCH_ASSETS", str(assets))
    from bench_pipeline.definitions import build_defs

    with pytest.raises(InputError, match="there is no language 'xx'; accepted: as, bn"):
        build_defs()
