"""What the README tells a person to type."""

import re
from pathlib import Path

import duckdb
import polars as pl
from upath import UPath

from bench_pipeline.contracts.paths import PROJECT_ROOT
from bench_pipeline.contracts.roster import ModelSpec
from bench_pipeline.contracts.suite import load_suite
from bench_pipeline.contracts.tables import GRADES, ITEMS
from bench_pipeline.contracts.yaml_files import validate
from bench_pipeline.grade import check_gold
from bench_pipeline.release.reading import read_bank
from bench_pipeline.storage.catalog import build_catalog
from bench_pipeline.storage.tables import TableStore, write_table
from bench_pipeline_tests.score.frames import inputs, pairs, right, wrong

README = (PROJECT_ROOT / "README.md").read_text(encoding="utf-8")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_sql_answers_accuracy_per_category_and_model(tmp_path: Path) -> None:
    items = pairs(one=2, two=1)
    answers = {row["item_id"]: [right()] for row in items} | {"one0-in": [wrong()]}
    own = inputs(items, {"m": answers})
    store = TableStore(UPath(tmp_path / "tables"))
    write_table(pl.DataFrame(items, schema=ITEMS.polars), ITEMS, store.path("bkp", "items"))
    write_table(own.grades, GRADES, store.path("bkp", "grades", "m"))
    build_catalog(tmp_path / "bench.duckdb", store, ("bkp",))
    with duckdb.connect(str(tmp_path / "bench.duckdb"), read_only=True) as connection:
        rows = connection.execute(_blocks("sql")[0]).fetchall()
    assert rows == [("one", "m", 2, 50.0), ("two", "m", 1, 100.0)]


def test_the_sql_follows_an_item_from_its_facts_to_its_score(tmp_path: Path) -> None:
    items = pairs(one=1)
    answers = {row["item_id"]: [right()] for row in items}
    store = TableStore(UPath(tmp_path / "tables"))
    own = inputs(items, {"m": answers})
    write_table(own.grades, GRADES, store.path("bkp", "grades", "m"))
    build_catalog(tmp_path / "bench.duckdb", store, ("bkp",))
    with duckdb.connect(str(tmp_path / "bench.duckdb"), read_only=True) as connection:
        found = connection.execute(_blocks("sql")[1])
        columns = [column[0] for column in found.description]
    assert {"subject", "checked", "question", "formula", "gold", "answer", "verdict"} < set(columns)
    assert {"correction_id", "score", "n"} < set(columns)


def test_the_model_entry_is_a_valid_one() -> None:
    import yaml

    entry = yaml.safe_load(_blocks("yaml")[0])[0]
    assert validate(ModelSpec, entry, Path("README.md")).api_key_env == "EXAMPLE_API_KEY"


def test_the_fifth_suite_is_a_valid_one(tmp_path: Path) -> None:
    folder = tmp_path / "rivers"
    folder.mkdir()
    (folder / "suite.yaml").write_text(_blocks("yaml")[1])
    (folder / "items.csv").write_text(_blocks("csv")[0])
    assert read_bank(load_suite(folder), check_gold).bank.height == 2


def test_every_make_target_and_command_exists() -> None:
    from bench_pipeline.cli.main import main

    makefile = (PROJECT_ROOT / "Makefile").read_text()
    for target in set(re.findall(r"(?:^|`)make ([a-z-]+)", README, re.MULTILINE)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    for command in set(re.findall(r"bench ([a-z]+) ", README)):
        assert command in main.commands, command
