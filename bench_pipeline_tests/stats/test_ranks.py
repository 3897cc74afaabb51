import numpy as np
import pytest

from bench_pipeline.stats import RankInterval, rank_intervals, tie_groups


def test_separate_models_have_one_rank() -> None:
    noise = np.random.default_rng(0).normal(0, 0.01, (2_000, 3))
    found = rank_intervals(np.array([0.2, 0.9, 0.5]) + noise)
    assert found == (RankInterval(3, 3), RankInterval(1, 1), RankInterval(2, 2))


def test_equal_models_share_all_ranks_of_the_tie() -> None:
    draws = np.random.default_rng(0).normal(0, 1, (2_000, 1))
    found = rank_intervals(np.hstack([draws, draws, draws - 5]))
    assert found == (RankInterval(1, 2), RankInterval(1, 2), RankInterval(3, 3))


def test_close_models_overlap_and_undefined_ones_are_not_ranked() -> None:
    draws = np.random.default_rng(0).normal(0, 1, (2_000, 4))
    draws[:, 2] = np.nan
    found = rank_intervals(draws)
    assert found[2] is None
    assert found[0] == found[1] == found[3] == RankInterval(1, 3)


def test_one_model_and_a_wrong_shape() -> None:
    assert rank_intervals(np.zeros((100, 1))) == (RankInterval(1, 1),)
    with pytest.raises(ValueError, match="resamples × models"):
        rank_intervals(np.zeros(100))


def test_groups_are_cut_only_between_separated_neighbours() -> None:
    order = ["a", "b", "c", "d"]
    assert tie_groups(order, [("c", "b")]) == (("a", "b"), ("c", "d"))
    # a and c are separated, but neither from b: no neighbours to cut between.
    assert tie_groups(order, [("a", "c"), ("c", "d")]) == (("a", "b", "c"), ("d",))
    assert tie_groups(order, []) == (("a", "b", "c", "d"),)
    assert tie_groups([], []) == ()
