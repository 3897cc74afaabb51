"""What is asked: both regimes, seeded balanced profiles, and no gold in sight."""

import json
from pathlib import Path

import polars as pl
import pytest

from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.paths import PROJECT_ROOT
from bench_pipeline.contracts.suite import Profile, load_suite
from bench_pipeline.contracts.tables import ITEMS
from bench_pipeline.grade import check_gold
from bench_pipeline.infer.prompts import JSON_SHAPES, build_prompts
from bench_pipeline.release.reading import read_bank
from bench_pipeline.release.sides import items_of

SUITE = load_suite(PROJECT_ROOT / "assets" / "suites" / "bkp")
ITEMS_TABLE = items_of(read_bank(SUITE, check_gold).bank)
PROMPTS = build_prompts(ITEMS_TABLE, SUITE)


def _text(row: dict[str, str]) -> str:
    return str(json.loads(row["messages"])[0]["content"])


def test_every_item_in_both_regimes_and_all_samples() -> None:
    assert PROMPTS.height == ITEMS_TABLE.height * 2 * SUITE.samples
    assert PROMPTS["prompt_id"].n_unique() == PROMPTS.height


def test_the_clarification_escape_stands_in_every_strict_prompt_and_announces_nothing() -> None:
    strict = PROMPTS.filter(pl.col("regime") == "strict-json")
    shapes: dict[str, set[str]] = {}
    kinds = dict(ITEMS_TABLE.select("item_id", "kind").iter_rows())
    for row in strict.iter_rows(named=True):
        text = _text(row)
        assert "clarification_required" in text
        before = text.split("Question:")[0]
        shapes.setdefault(kinds[row["item_id"]], set()).add(before)
    assert shapes["clarification"] <= shapes["question"]


def test_every_answer_type_has_its_shape() -> None:
    assert all(json.loads(s.replace("<number>", "1")) for s in JSON_SHAPES.values())


def test_the_demo_profile_is_balanced() -> None:
    demo = PROMPTS.filter(pl.col("profiles").list.contains("demo"))
    asked = ITEMS_TABLE.join(demo.select("item_id").unique(), on="item_id", how="semi")
    cores = asked.filter(pl.col("pair_role") == "core")
    assert set(cores["category"].value_counts()["count"]) == {1}
    twins = asked.filter(pl.col("pair_role") == "control")
    assert set(cores["pair_id"]) == set(twins["pair_id"])
    assert asked.filter(pl.col("kind") == "clarification").height == 2
    assert demo["sample"].unique().to_list() == [0]


def test_a_profile_does_not_move_when_other_items_come_or_go() -> None:
    demo = set(PROMPTS.filter(pl.col("profiles").list.contains("demo"))["item_id"])
    pairs = sorted(
        set(ITEMS_TABLE["pair_id"].drop_nulls())
        - {p for p in ITEMS_TABLE.filter(pl.col("item_id").is_in(list(demo)))["pair_id"] if p}
    )
    fewer = ITEMS_TABLE.filter(pl.col("pair_id").is_null() | ~pl.col("pair_id").is_in(pairs[:20]))
    again = build_prompts(fewer, SUITE)
    assert set(again.filter(pl.col("profiles").list.contains("demo"))["item_id"]) == demo


def test_the_prompt_hash_follows_what_is_sent_and_nothing_else() -> None:
    retitled = SUITE.model_copy(update={"title": "Another", "version": "9.0.0"})
    assert build_prompts(ITEMS_TABLE, retitled)["prompt_hash"].equals(PROMPTS["prompt_hash"])
    hotter = SUITE.sampling.model_copy(update={"temperature": 1.0})
    warmer = SUITE.model_copy(update={"sampling": hotter})
    assert not set(build_prompts(ITEMS_TABLE, warmer)["prompt_hash"]) & set(PROMPTS["prompt_hash"])


def test_a_profile_of_unpaired_items_counts_items() -> None:
    items = pl.DataFrame(
        [
            {**row, "pair_id": None, "pair_role": "unpaired", "category": "all"}
            for row in ITEMS_TABLE.head(10).to_dicts()
        ],
        schema=ITEMS.polars,
    )
    suite = SUITE.model_copy(
        update={"profiles": {"few": Profile(pairs_per_category=3)}, "samples": 1}
    )
    few = build_prompts(items, suite).filter(pl.col("profiles").list.contains("few"))
    assert few["item_id"].n_unique() == 3


def test_a_template_that_is_missing_or_asks_for_gold_is_refused() -> None:
    lost = SUITE.model_copy(update={"regimes": {"natural": "no_such.j2"}})
    with pytest.raises(InputError, match=r"no template 'no_such.j2'.*natural.j2"):
        build_prompts(ITEMS_TABLE, lost)
    folder = SUITE.folder / "nowhere"
    greedy = SUITE.model_copy(update={"folder": folder, "regimes": {"natural": "gold.j2"}})
    with pytest.raises(InputError, match="no template"):
        build_prompts(ITEMS_TABLE, greedy)


def test_prompts_that_say_the_same_are_refused(tmp_path: Path) -> None:
    (tmp_path / "same.j2").write_text("{{ question }}")
    twice = SUITE.model_copy(
        update={"folder": tmp_path, "regimes": {"natural": "same.j2", "again": "same.j2"}}
    )
    with pytest.raises(InputError, match=r"same.j2.*are the same text"):
        build_prompts(ITEMS_TABLE, twice)
    (tmp_path / "deaf.j2").write_text("Answer it.")
    deaf = SUITE.model_copy(update={"folder": tmp_path, "regimes": {"natural": "deaf.j2"}})
    with pytest.raises(InputError, match=r"holds {{ question }}"):
        build_prompts(ITEMS_TABLE, deaf)


@pytest.mark.parametrize(
    "template",
    [
        "{{ 1/0 }}",
        "{{ question + 1 }}",
        "{{ question() }}",
        "{{ ''.__class__.__mro__ }}",
        "{{ gold }}",
        "{% include 'x' %}",
        "{{ range(10**9) }}",
        "{{ [1, 2] | random }}",
        "{{ lipsum() }}",
        "{{ question",
        "(" * 3000 + "{{ " + "(" * 3000 + " }}",
    ],
)
def test_a_template_that_breaks_is_refused_by_name(template: str, tmp_path: Path) -> None:
    (tmp_path / "bad.j2").write_text(template)
    bad = SUITE.model_copy(update={"folder": tmp_path, "regimes": {"natural": "bad.j2"}})
    with pytest.raises(InputError, match=r"bad\.j2"):
        build_prompts(ITEMS_TABLE, bad)
