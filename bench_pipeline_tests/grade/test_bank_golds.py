"""Every gold of every shipped suite, in at least five written styles, by its own grader."""

import json

import pytest

from bench_pipeline.contracts.grades import Verdict
from bench_pipeline.contracts.paths import PROJECT_ROOT
from bench_pipeline.contracts.suite import SuiteSpec, load_suites
from bench_pipeline.grade import check_gold, grade
from bench_pipeline.release.reading import read_bank
from bench_pipeline_tests.grade.styles import styles

SUITES = [suite for suite in load_suites(PROJECT_ROOT / "assets") if suite.items]


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.name)
def test_every_gold_is_right_in_five_styles(suite: SuiteSpec) -> None:
    failed = []
    bank = read_bank(suite, check_gold).bank
    for item in bank.iter_rows(named=True):
        options = {**json.loads(item["options"]), "question": item["question"]}
        written = styles(item["answer_type"], item["gold"], options)
        assert len(set(written)) >= 5, item["item_id"]
        for answer in written:
            found = grade(item["answer_type"], item["gold"], answer, options)
            if found.verdict is not Verdict.CORRECT:
                failed.append((item["item_id"], item["question"], item["gold"], answer, found.rule))
    assert not failed, f"{len(failed)} of {bank.height} items:\n" + "\n".join(map(str, failed[:40]))
