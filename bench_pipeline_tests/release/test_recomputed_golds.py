"""Every computable gold of the shipped bank, computed a second time from its question alone.

The modules of `recompute` were written from the questions, without sight of golds and formulas;
items that were reworded since were computed anew by who reworded them. They share no code with
what computes the golds. A difference is a wrong gold, a wrong reading, or a question that can be
read in two ways.
"""

import importlib

import pytest

from bench_pipeline.contracts.paths import PROJECT_ROOT
from bench_pipeline.contracts.suite import load_suite
from bench_pipeline.grade import check_gold
from bench_pipeline.release.bank import load_bank
from bench_pipeline.release.facts import load_facts

SUITE = load_suite(PROJECT_ROOT / "assets" / "suites" / "bkp")


def _recomputed(category: str) -> dict[str, str]:
    module = importlib.import_module(f"bench_pipeline_tests.release.recompute.{category}")
    return dict(module.golds())


@pytest.mark.parametrize("category", SUITE.categories)
def test_no_computable_gold_differs(category: str) -> None:
    bank = load_bank(SUITE, load_facts(SUITE), check_gold)
    own = [
        row for row in bank.to_dicts() if row["category"] == category and row["formula"] is not None
    ]
    recomputed = _recomputed(category)
    assert set(recomputed) == {row["item_id"] for row in own}
    differing = {
        row["item_id"]: (row["gold"], recomputed[row["item_id"]])
        for row in own
        if row["gold"].split(" ")[0] != recomputed[row["item_id"]]
    }
    assert differing == {}
