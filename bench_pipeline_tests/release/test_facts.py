"""Fact tables: one row a fact, its source beside it, and `verified` only where it was read."""

from pathlib import Path

import pytest

from bench_pipeline.contracts.errors import InputError
from bench_pipeline.release.facts import load_facts
from bench_pipeline_tests.release.benches import CORE, FACTS, SOURCES, TWIN, read, tiny_suite

#: what is changed in the facts → what the message must say
BROKEN_FACTS = {
    "no such source": (("crore,10000000,,,,s-heard", "crore,10000000,,,,s-lost"), "'source_id'"),
    "verified without reading": (("s-heard,,,no", "s-heard,,,yes"), "'verified'.*was not read"),
    "neither yes nor no": (("s-heard,,,no", "s-heard,,,maybe"), "'verified'.*yes, no"),
    "twice": (("crore,one", "lakh,one"), "'fact_id'.*row 2"),
    "no name": (("crore,one", "2crore,one"), "'fact_id'.*a letter first"),
    "a huge value": (("10000000,,,,s", "1" * 5000 + ",,,,s"), "'value'.*at most 200"),
    "no value": (("one crore,10000000", "one crore,"), "'value'.*empty"),
    "bad date": (("10000000,,,,s", "10000000,,,soon,s"), "'as_of'"),
}


@pytest.mark.parametrize("name", BROKEN_FACTS)
def test_a_broken_fact_names_what_is_wrong(name: str, tmp_path: Path) -> None:
    (old, new), message = BROKEN_FACTS[name]
    assert old in FACTS
    suite = tiny_suite(tmp_path, facts=FACTS.replace(old, new))
    with pytest.raises(InputError, match=message) as caught:
        load_facts(suite)
    assert str(caught.value).startswith("tiny/facts.csv, row 3, field")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("unverified", "yes", "'checked'.*verified DATE ADDRESS"),
        ("Hearsay", "", "'title'.*empty"),
        ("s-heard", "s-read", "'source_id'.*row 2"),
    ],
)
def test_a_broken_source_names_what_is_wrong(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    suite = tiny_suite(tmp_path, sources=SOURCES.replace(old, new, 1))
    with pytest.raises(InputError, match=message):
        load_facts(suite)


def test_an_item_is_as_checked_as_its_weakest_fact(tmp_path: Path) -> None:
    own_rule = "b-ctl,b,control,all,numeric,A dozen is 12. How many are 2 dozen?,24,2 * 12,,,,,,"
    core = "b-in,b,core,all,numeric,How many thousand make a lakh?,100,lakh / thousand,"
    rows = (CORE, TWIN, core + "lakh thousand,,,,,", own_rule)
    bank = {row["item_id"]: row for row in read(tiny_suite(tmp_path, *rows)).bank.to_dicts()}
    assert bank["a-in"]["source_checked"] == "unverified"
    assert bank["b-in"]["source_checked"] == "verified 2026-01-02 https://example.org/handbook"
    assert bank["b-ctl"]["source_checked"] == "self-contained"
    assert bank["a-in"]["source"] == "A handbook, An office, page 4; Hearsay"
    assert bank["b-ctl"]["source"] is None


def test_an_item_about_india_rests_on_facts(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="row 2, field 'facts': it is empty"):
        read(tiny_suite(tmp_path, CORE.replace("lakh crore", ""), TWIN))
    with pytest.raises(InputError, match="row 3, field 'facts': there is no fact 'gross'"):
        read(tiny_suite(tmp_path / "b", CORE, TWIN.replace("million thousand", "gross")))
