"""The figures of suites.md, on data where they can be worked out by hand."""

from typing import Any

import polars as pl
import pytest

from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.roster import Roster
from bench_pipeline.contracts.tables import ITEMS
from bench_pipeline.publish.leaderboard import PinnedData, build_leaderboard
from bench_pipeline.score.comparing import StaleScoresError, compare_models
from bench_pipeline.score.scoring import check_items, primary_metric, score_suite
from bench_pipeline_tests.score.frames import (
    REFUSED,
    SUITE,
    UNDETERMINED,
    Answers,
    inputs,
    item,
    pairs,
    right,
    wrong,
)

PINNED = PinnedData("0.1.0", "h", 0, "1 draft", 0)
ROSTER = Roster(SUITE.folder, ())


def _scores(
    items: list[dict[str, Any]], answers: dict[str, Answers], **settings: Any
) -> dict[tuple[str, str, str], dict[str, Any]]:
    suite = SUITE.model_copy(update=settings)
    frame = score_suite(suite, inputs(items, answers, suite))
    return {(r["model"], r["metric"], r["slice"]): r for r in frame.iter_rows(named=True)}


def _all(items: list[dict[str, Any]], answer: Any) -> Answers:
    return {row["item_id"]: [answer] for row in items}


def test_the_bharat_score_is_a_mean_of_categories_not_of_items() -> None:
    items = pairs(one=4, two=1)
    answers = _all(items, right()) | {f"one{k}-in": [wrong()] for k in range(4)}
    scores = _scores(items, {"m": answers})
    # category one 0/4, category two 1/1: a share of items would be 20 %
    assert scores["m", "bharat_score", "overall"]["value"] == pytest.approx(50.0)
    assert scores["m", "accuracy", "overall"]["value"] == pytest.approx(20.0)
    assert scores["m", "accuracy", "category:one"]["value"] == 0.0


def test_the_gap_pairs_by_id_and_takes_only_pairs_with_both_values() -> None:
    items = pairs(one=3)
    answers = {
        "one0-in": [wrong()],
        "one0-ctl": [right()],
        "one1-in": [right()],
        "one1-ctl": [right()],
        "one2-in": [UNDETERMINED],
        "one2-ctl": [right()],
    }
    gap = _scores(items, {"m": answers})["m", "locale_gap", "overall"]
    # (100 − 0 + 100 − 100) / 2 pairs; the third has no India value
    assert gap["value"] == pytest.approx(50.0)
    assert (gap["n"], gap["dropped"]) == (2, 1)
    shuffled = _scores(items[::-1], {"m": dict(reversed(answers.items()))})
    assert shuffled["m", "locale_gap", "overall"]["value"] == pytest.approx(50.0)


def test_a_gap_under_the_floor_says_that_it_tells_little() -> None:
    items = pairs(one=5)
    answers = {r["item_id"]: [right() if "ctl" in r["item_id"] else wrong()] for r in items}
    gap = _scores(items, {"m": answers})["m", "locale_gap", "overall"]
    assert gap["value"] == 100.0
    assert "uninformative" in gap["reason"]


def test_a_refusal_counts_as_wrong_and_undetermined_counts_nowhere() -> None:
    items = pairs(one=4)
    answers = _all(items, right()) | {"one0-in": [REFUSED], "one1-in": [UNDETERMINED]}
    scores = _scores(items, {"m": answers})
    accuracy = scores["m", "accuracy", "overall"]
    assert accuracy["value"] == pytest.approx(100 * 2 / 3)
    assert (accuracy["n"], accuracy["dropped"]) == (3, 1)
    assert scores["m", "strict_accuracy", "overall"]["value"] == pytest.approx(50.0)
    assert scores["m", "undetermined_share", "overall"]["value"] == pytest.approx(100 / 8)
    assert scores["m", "refusal_rate", "overall"]["value"] == pytest.approx(100 / 8)


def test_an_items_value_is_the_mean_of_its_samples() -> None:
    items = pairs(one=2)
    thrice = {row["item_id"]: [right(), right(), wrong()] for row in items}
    scores = _scores(items, {"m": thrice}, samples=3)
    assert scores["m", "bharat_score", "overall"]["value"] == pytest.approx(100 * 2 / 3)
    assert scores["m", "bharat_score", "overall"]["n"] == 2


def test_consistency_is_the_share_of_agreeing_pairs() -> None:
    items = pairs(one=1)
    answers: Answers = {
        "one0-in": [right("1"), right("1"), wrong(extracted="2")],
        "one0-ctl": [right("7"), UNDETERMINED, right("7")],
    }
    found = _scores(items, {"m": answers}, samples=3)["m", "consistency", "overall"]
    # one agreeing pair of three, and one of one
    assert found["value"] == pytest.approx(100 * (1 / 3 + 1) / 2)


def test_order_of_magnitude_and_unit_discipline() -> None:
    items = [
        item("n-in", "one", answer_type="numeric"),
        item("n-ctl", "one", "control", answer_type="numeric"),
        item("u-in", "one", answer_type="numeric_with_unit"),
        item("u-ctl", "one", "control", answer_type="numeric_with_unit"),
    ]
    answers = _all(items, right()) | {
        "n-in": [wrong("order_of_magnitude")],
        "u-in": [wrong("unit_missing")],
    }
    scores = _scores(items, {"m": answers})
    assert scores["m", "oom_rate", "overall"]["value"] == pytest.approx(50.0)
    assert scores["m", "unit_discipline", "overall"]["value"] == 0.0


def test_clarification_items_count_for_ambiguity_only() -> None:
    items = [
        *pairs(one=2),
        item("c1", "one", "unpaired", kind="clarification", answer_type="clarification"),
        item("c2", "one", "unpaired", kind="clarification", answer_type="clarification"),
    ]
    answers = _all(items, right()) | {"c1": [wrong("overconfident")], "c2": [right()]}
    scores = _scores(items, {"m": answers})
    assert scores["m", "bharat_score", "overall"]["value"] == 100.0
    assert scores["m", "accuracy", "overall"]["n"] == 2
    assert scores["m", "ambiguity_handling", "overall"]["value"] == pytest.approx(50.0)
    assert scores["m", "overconfidence", "overall"]["value"] == pytest.approx(50.0)


def test_all_right_is_not_plus_or_minus_nothing() -> None:
    items = pairs(one=7, two=7)
    score = _scores(items, {"m": _all(items, right())})["m", "bharat_score", "overall"]
    assert score["value"] == score["high"] == 100.0
    assert score["low"] == pytest.approx(78.5, abs=0.1)  # Wilson at 14 of 14
    assert score["state"] == "degenerate"


def test_nothing_determinable_is_undefined_with_its_reason() -> None:
    items = pairs(one=2)
    score = _scores(items, {"m": _all(items, UNDETERMINED)})["m", "bharat_score", "overall"]
    assert score["value"] is score["low"] is score["high"] is None
    assert score["state"] == "undefined"
    assert score["reason"]


def test_coverage_adds_up_in_every_row() -> None:
    items = pairs(one=4)
    answers = _all(items, right()) | {"one0-in": [REFUSED], "one1-in": [UNDETERMINED]}
    del answers["one3-in"]
    scores = _scores(items, {"m": answers})
    value = {m: scores["m", m, "overall"]["value"] for m in ("expected", "answered", "missing")}
    assert value == {"expected": 8, "answered": 7, "missing": 1}
    verdicts = ("correct", "incorrect", "refused", "undetermined")
    assert sum(scores["m", v, "overall"]["value"] for v in verdicts) == 7


def test_too_much_missing_withholds_the_row_and_the_board_still_stands() -> None:
    items = pairs(one=4)
    full = _all(items, right())
    partial = {k: v for k, v in full.items() if k != "one0-in"}
    own = inputs(items, {"full": full, "partial": partial, "none": {}})
    own.models.append("never-asked")
    scores = score_suite(SUITE, own)
    board = build_leaderboard(scores, compare_models(SUITE, own, scores), ROSTER, SUITE, PINNED)
    rows = {row["model"]: row for row in board.iter_rows(named=True)}
    assert rows["full"]["withheld"] is None
    assert rows["full"]["rank_low"] == 1
    assert "1 of 8 answers are missing" in rows["partial"]["withheld"]
    assert rows["partial"]["value"] is None
    assert "8 of 8 answers are missing" in rows["never-asked"]["withheld"]
    assert board["model"].to_list()[0] == "full"


def test_grades_of_another_gold_withhold_the_row() -> None:
    items = pairs(one=4)
    own = inputs(items, {"m": _all(items, right())})
    own.stale["m"] = "3 grades were made against other golds"
    scores = score_suite(SUITE, own)
    board = build_leaderboard(scores, compare_models(SUITE, own, scores), ROSTER, SUITE, PINNED)
    assert "other golds" in board.row(0, named=True)["withheld"]


def test_models_are_told_apart_only_after_holm() -> None:
    items = pairs(one=12, two=12)
    good = _all(items, right())
    bad = {k: [wrong() if k.endswith("in") else right()] for k in good}
    own = inputs(items, {"good": good, "like": good, "bad": bad})
    scores = score_suite(SUITE, own)
    comparisons = compare_models(SUITE, own, scores)
    assert comparisons.height == 3
    assert comparisons["family_size"].to_list() == [3, 3, 3]
    apart = {
        (row["model_a"], row["model_b"]): row["significant"]
        for row in comparisons.iter_rows(named=True)
    }
    assert apart == {("good", "like"): False, ("good", "bad"): True, ("like", "bad"): True}
    assert (comparisons["p_holm"] >= comparisons["p_raw"]).all()
    board = build_leaderboard(scores, comparisons, ROSTER, SUITE, PINNED)
    groups = dict(board.select("model", "tie_group").iter_rows())
    assert groups == {"good": 1, "like": 1, "bad": 2}


def test_baselines_are_shown_and_never_ranked() -> None:
    items = pairs(one=4)
    right_always = _all(items, right())
    own = inputs(
        items, {"m": right_always, "baseline-echo": right_always}, baselines=["baseline-echo"]
    )
    scores = score_suite(SUITE, own)
    board = build_leaderboard(scores, compare_models(SUITE, own, scores), ROSTER, SUITE, PINNED)
    last = board.row(-1, named=True)
    assert last["model"] == "baseline-echo"
    assert last["baseline"]
    assert last["rank_low"] is None
    assert last["withheld"] is None
    assert last["value"] == 100.0


def test_one_model_and_one_item() -> None:
    items = pairs(one=1)
    own = inputs(items, {"m": _all(items, right())})
    scores = score_suite(SUITE, own)
    comparisons = compare_models(SUITE, own, scores)
    assert comparisons.height == 0
    row = build_leaderboard(scores, comparisons, ROSTER, SUITE, PINNED).row(0, named=True)
    assert (row["rank_low"], row["rank_high"], row["tie_group"]) == (1, 1, 1)


def test_the_same_input_gives_the_same_bits() -> None:
    items = pairs(one=5, two=6)
    answers = _all(items, right()) | {"one0-in": [wrong()], "two3-in": [wrong()]}
    first = score_suite(SUITE, inputs(items, {"m": answers, "n": answers}))
    again = score_suite(SUITE, inputs(items[::-1], {"n": answers, "m": answers}))
    assert first.equals(again)


def test_no_figure_is_nan() -> None:
    items = pairs(one=2)
    scores = score_suite(SUITE, inputs(items, {"m": _all(items, UNDETERMINED)}))
    for name in ("value", "low", "high"):
        assert not scores[name].is_nan().any()
    undefined = scores.filter(pl.col("state") == "undefined")
    assert undefined["reason"].null_count() == 0


def test_an_unknown_primary_metric_is_refused_at_load() -> None:
    suite = SUITE.model_copy(update={"primary_metric": "vibes"})
    with pytest.raises(InputError, match="no metric 'vibes'; accepted: bharat_score"):
        primary_metric(suite)


def test_a_suite_whose_items_cannot_have_its_primary_metric_is_refused() -> None:
    unpaired = pl.DataFrame([item("a", "one", "unpaired")], schema=ITEMS.polars)
    with pytest.raises(InputError, match=r"'bharat_score'.*accepted: accuracy"):
        check_items(SUITE, unpaired)
    check_items(SUITE.model_copy(update={"primary_metric": "accuracy"}), unpaired)
    agreeing = SUITE.model_copy(update={"primary_metric": "consistency", "samples": 1})
    with pytest.raises(InputError, match="'consistency'"):
        check_items(agreeing, unpaired)


def test_a_metric_where_less_is_better_ranks_the_least_first() -> None:
    items = pairs(one=4)
    suite = SUITE.model_copy(update={"primary_metric": "refusal_rate"})
    own = inputs(items, {"shy": _all(items, REFUSED), "bold": _all(items, right())}, suite)
    scores = score_suite(suite, own)
    board = build_leaderboard(scores, compare_models(suite, own, scores), ROSTER, suite, PINNED)
    assert board["model"].to_list() == ["bold", "shy"]


def test_strict_worst_and_best_stand_beside_the_headline() -> None:
    items = pairs(one=4, two=1)
    answers = _all(items, right()) | {"one0-in": [UNDETERMINED]}
    del answers["one1-in"]
    scores = _scores(items, {"m": answers})

    def value(metric: str) -> float:
        return float(scores["m", metric, "overall"]["value"])

    assert value("bharat_score") == pytest.approx(100.0)
    assert value("strict_accuracy") == pytest.approx((200 / 3 + 100) / 2)
    assert value("worst_case") == pytest.approx((200 / 3 + 100) / 2)
    assert value("best_case") == pytest.approx(100.0)


def test_the_cost_of_a_right_answer() -> None:
    items = pairs(one=4)
    answers = _all(items, right()) | {"one0-in": [wrong()], "one1-in": [wrong()]}
    own = inputs(items, {"m": answers}, costs={"m": 0.03})
    suite_scores = score_suite(SUITE, own).filter(metric="cost_per_correct").row(0, named=True)
    assert suite_scores["value"] == pytest.approx(8 * 0.03 / 6)
    assert suite_scores["low"] < suite_scores["value"] < suite_scores["high"]
    unknown = score_suite(SUITE, inputs(items, {"m": answers}, costs={"m": None}))
    row = unknown.filter(metric="cost_per_correct").row(0, named=True)
    assert row["value"] is None
    assert "unknown" in row["reason"]


def test_comparisons_refuse_grades_that_were_not_scored() -> None:
    items = pairs(one=4)
    own = inputs(items, {"a": _all(items, right()), "b": _all(items, wrong())})
    scores = score_suite(SUITE, own)
    newer = inputs(items, {"a": _all(items, wrong()), "b": _all(items, wrong())})
    with pytest.raises(StaleScoresError, match="'a'"):
        compare_models(SUITE, newer, scores)


def test_a_tie_never_shows_a_bare_ordinal() -> None:
    items = pairs(one=3)
    good = _all(items, right())
    slightly = good | {"one0-in": [wrong()], "one1-in": [wrong()], "one2-in": [wrong()]}
    own = inputs(items, {"a": good, "b": slightly})
    scores = score_suite(SUITE, own)
    board = build_leaderboard(scores, compare_models(SUITE, own, scores), ROSTER, SUITE, PINNED)
    assert set(board["tie_group"]) == {1}
    assert board.select("rank_low", "rank_high").rows() == [(1, 2), (1, 2)]


def test_a_profile_without_an_item_of_the_primary_metric_is_undefined_not_a_crash() -> None:
    suite = SUITE.model_copy(update={"primary_metric": "ambiguity_handling"})
    own = inputs(pairs(one=2), {"m": _all(pairs(one=2), right())}, suite)
    scores = score_suite(suite, own)
    board = build_leaderboard(scores, compare_models(suite, own, scores), ROSTER, suite, PINNED)
    assert board["value"].to_list() == [None]
    primary = scores.filter(pl.col("primary")).row(0, named=True)
    assert (primary["state"], primary["reason"]) == ("undefined", "no item has a value")
