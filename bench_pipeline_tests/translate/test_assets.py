"""A language's partition, from a fake translator: tried twice, stored once, listed with reasons."""

import json
from pathlib import Path
from typing import Any

import dagster as dg
import polars as pl
import pytest
from click.testing import CliRunner

from bench_pipeline.cli.main import main
from bench_pipeline.contracts.boards import LEADERBOARD, SCORES
from bench_pipeline.contracts.construction import TRANSLATIONS
from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.schema import TableSchema
from bench_pipeline.contracts.tables import PROMPTS, TRANSLATED_GOLD, TRANSLATED_ITEMS
from bench_pipeline.storage.tables import TableStore
from bench_pipeline.translate.rendered import current_translations
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


def _table(schema: TableSchema, partition: str | None = None) -> pl.DataFrame:
    frame = TableStore.default().read("sums", schema, partition)
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
        done = CliRunner().invoke(main, ["run"])
        assert done.exit_code == 0, done.output
        # two batches of two tries each, and the items with the renderings that passed
        assert server.asked == 2 * 2 + 4 + 3
        frame = _table(TRANSLATIONS, "hi")
        # by itself, as a person does in the UI: nothing is asked again
        assert _materialise(instance).equals(frame)
        assert CliRunner().invoke(main, ["run"]).exit_code == 0
        assert server.asked == 2 * 2 + 4 + 3
    rows = {row["item_id"]: row for row in frame.to_dicts()}
    assert (rows["s0"]["engine"], rows["s0"]["status"]) == ("human", "kept")
    assert (rows["s1"]["engine"], rows["s1"]["status"]) == ("fake-1", "kept")
    assert rows["s2"]["answer"] == "४"
    assert rows["s3"]["status"] == "failed"
    assert rows["s3"]["reasons"] == ["answer_numbers_changed"]
    assert set(_table(TRANSLATIONS, "ta")["status"]) == {"failed"}


def test_renderings_are_asked_and_scored_beside_the_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = "translation: {languages: [hi, ta], engine: fake-1}\n"
    with FakeProvider(_translated) as server:
        assets = _bench(tmp_path, server.url, settings)
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        assert CliRunner().invoke(main, ["run"]).exit_code == 0
    items = _table(TRANSLATED_ITEMS)
    assert items.select("item_id", "concept_id", "language", "made_by").rows() == [
        (f"{item_id}:hi", item_id, "hi", "fake-1") for item_id in ("s0", "s1", "s2")
    ]
    prompts = _table(PROMPTS)
    assert (
        prompts.filter(pl.col("language") == "hi")["item_id"].to_list()
        == items["item_id"].to_list()
    )
    # the golds of a numeric item are canonical, whatever script its question is in
    gold = dict(_table(TRANSLATED_GOLD).select("item_id", "gold").iter_rows())
    assert gold == {"s0:hi": "0", "s1:hi": "2", "s2:hi": "4"}
    scores = _table(SCORES).filter((pl.col("model") == "fake-1") & (pl.col("profile") == "full"))
    value = scores.select("metric", "slice", "value", "n")
    assert ("accuracy", "overall", 25.0, 4) in value.rows()
    in_hindi = value.filter(metric="accuracy", slice="translation:hi").row(0)
    assert in_hindi[2:] == (pytest.approx(100 / 3), 3)
    board = _table(LEADERBOARD).filter(pl.col("model") == "fake-1")
    assert board.select("expected", "missing").rows() == [(4, 0)]


BACK_PROMPT = (
    "Back to {{ language }}.{% for item in items %}\n"
    "{{ item.item_id }}|{{ item.question }}{% endfor %}"
)


def _there_and_back(call: Call) -> Answer:
    """s1 comes back as something else, s2 twice, s0 as it was."""
    if not call.question.startswith("Back to English"):
        return _translated(call)
    back = {"s0": "What is 0 plus 0?", "s1": "Whose elephant is it?", "s2": "What is 2 plus 2?"}
    asked = [line.split("|")[0] for line in call.question.splitlines() if "|" in line]
    rows = [{"id": item_id, "question": back[item_id]} for item_id in asked]
    rows += [row for row in rows if row["id"] == "s2"]
    return answer(json.dumps({"translations": rows}))


def test_a_poor_back_translation_ranks_a_row_first_and_drops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = "translation: {languages: [hi], engine: fake-1, back_translate: true}\n"
    with FakeProvider(_there_and_back) as server, dg.DagsterInstance.ephemeral() as instance:
        assets = _bench(tmp_path, server.url, settings)
        prompts = assets / "suites" / "sums" / "prompts"
        (prompts / "back_translation.j2").write_text(BACK_PROMPT)
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        assert CliRunner().invoke(main, ["run"]).exit_code == 0
        asked = server.asked
        frame = _materialise(instance)
        assert server.asked == asked
    rows = {row["item_id"]: row for row in frame.to_dicts()}
    assert {item_id: row["review_rank"] for item_id, row in rows.items()} == {
        "s0": 2,
        "s1": 1,
        "s2": None,
        "s3": None,
    }
    assert [rows[item_id]["status"] for item_id in ("s0", "s1", "s2")] == ["kept"] * 3
    assert rows["s1"]["back_question"] == "Whose elephant is it?"
    assert rows["s1"]["chrf"] < 40 < rows["s0"]["chrf"]
    assert (rows["s2"]["back_reason"], rows["s2"]["chrf"]) == ("id_twice", None)


def test_examples_are_named_so_wherever_they_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProvider(_translated) as server:
        settings = "translation: {languages: [hi], human: human.csv}\n"
        assets = _bench(tmp_path, server.url, settings)
        (assets / "suites" / "sums" / "human.csv").write_text(
            "item_id,language,question,answer,translator,example\n"
            "s0,hi,0 और 0 कितने होते हैं?,0,p1,\ns1,hi,1 और 1 कितने होते हैं?,2,made-up,yes\n"
        )
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        assert CliRunner().invoke(main, ["run"]).exit_code == 0
    engines = dict(_table(TRANSLATIONS, "hi").select("item_id", "engine").iter_rows())
    assert engines == {"s0": "human", "s1": "example", "s2": None, "s3": None}
    made_by = dict(_table(TRANSLATED_ITEMS).select("item_id", "made_by").iter_rows())
    assert made_by == {"s0:hi": None, "s1:hi": "example"}


def test_only_translations_of_today_that_read_like_nothing_else_are_asked() -> None:
    items = pl.DataFrame(
        [
            ("a", "Qa", "en"),
            ("b", "Qb", "en"),
            ("c", "Qc", "en"),
            ("d", "Qd", "en"),
            ("h", "H", "hi"),
        ],
        schema=["item_id", "question", "language"],
        orient="row",
    )
    gold = pl.DataFrame({"item_id": list("abcdh"), "gold": ["1", "9", "3", "4", "5"]})
    rows = [
        ("a", "Qa", "1", "kept", "hi", "own"),
        ("b", "Qb", "2", "kept", "hi", "of another gold"),
        ("a", "old", "1", "kept", "bn", "of another question"),
        ("a", "Qa", "1", "failed", "ta", "failed"),
        ("c", "Qc", "3", "kept", "hi", "twice"),
        ("d", "Qd", "4", "kept", "hi", "twice"),
        ("c", "Qc", "3", "kept", "ta", "alone there"),
        # an item of the suite reads like it
        ("d", "Qd", "4", "kept", "mr", "fine"),
        ("a", "Qa", "1", "kept", "ne", "H"),
    ]
    columns = ["item_id", "source_question", "source_answer", "status", "language", "question"]
    translations = pl.DataFrame(rows, schema=columns, orient="row")
    current = current_translations(translations, items, gold)
    assert current.select("item_id", "language").rows() == [
        ("a", "hi"),
        ("c", "ta"),
        ("d", "mr"),
        ("a", "ne"),
    ]
    native = pl.concat(
        [items, items.head(1).with_columns(question=pl.lit("fine"), language=pl.lit("mr"))]
    )
    again = current_translations(translations, native, gold)
    assert ("d", "mr") not in again.select("item_id", "language").rows()


def test_an_engine_that_does_not_answer_is_an_error_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(call: Call) -> Answer:
        return Answer(status=400) if "Translate" in call.question else answer("It is 2.")

    with FakeProvider(down) as server:
        assets = _bench(
            tmp_path, server.url, "translation: {languages: [hi, ta], engine: fake-1}\n"
        )
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        done = CliRunner().invoke(main, ["run"])
    assert done.exit_code == 1
    assert "4 items are not translated to Hindi yet; the next run asks them." in done.output
    assert "HTTP 400" in done.output
    # one language that fails holds up neither the others nor the board
    assert _table(LEADERBOARD).height


def test_a_language_that_is_not_known_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assets = _bench(tmp_path, "http://127.0.0.1:9/v1", "translation: {languages: [hi, xx]}\n")
    monkeypatch.setenv("BENCH_ASSETS", str(assets))
    from bench_pipeline.definitions import build_defs

    with pytest.raises(
        InputError,
        match=r"field 'translation.languages': there is no language 'xx'; accepted: as, bn",
    ):
        build_defs()
