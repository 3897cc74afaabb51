"""What stays and what goes, from frame to ledger and back."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench_pipeline.contracts.construction import PAIRS
from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.suite import Dedup
from bench_pipeline.dedup import (
    Deduplicated,
    Settings,
    at_threshold,
    deduplicate,
    survivors,
    survivors_svg,
)
from bench_pipeline_tests.dedup.frames import Planted, unit_vectors, words_frame

_STEADY = settings(max_examples=60, derandomize=True, deadline=None)
_SEEDS = st.integers(0, 10_000)
#: of a, b and c: no guard tells them apart
_TEXTS = ("This is a", "This is an", "This is the")


def _planted(frame: pl.DataFrame, seed: int) -> Planted:
    return Planted(dict(zip(frame["text"], unit_vectors(seed, frame.height), strict=True)))


def _frame(*rows: tuple[str, str, str | None, float | None]) -> pl.DataFrame:
    schema = {"id": pl.String, "text": pl.String, "answer": pl.String, "score": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row").with_columns(language=pl.lit("en"))


def _line(*angles: float) -> Planted:
    """Texts on a, b, … whose cosines are those of their angles in degrees."""
    radians = np.radians(angles)
    vectors = np.stack([np.cos(radians), np.sin(radians)], axis=1).astype(np.float32)
    return Planted({_TEXTS[k]: row for k, row in enumerate(vectors)})


def _chain(*scores: float | None) -> tuple[pl.DataFrame, Planted]:
    """a, b, c at 0, 25 and 50 degrees: a~b and b~c are near under 0.9, a and c are not."""
    rows = [(k, _TEXTS["abc".index(k)], None, s) for k, s in zip("abc", scores, strict=True)]
    return _frame(*rows), _line(0, 25, 50)


def test_a_chain_does_not_pull_in_what_the_kept_row_is_not_like() -> None:
    frame, embed = _chain(3, 2, 1)
    found = deduplicate(frame, Settings(threshold=0.9, floor=0.6), embed)
    assert found.kept == ["a", "c"]
    decisions = {
        (a, b): d for a, b, d in found.pairs.select("kept_id", "other_id", "decision").rows()
    }
    assert decisions == {("a", "b"): "merged", ("b", "c"): "moot", ("a", "c"): "below"}


def test_the_best_by_score_stays_and_of_equals_the_first() -> None:
    frame, embed = _chain(1, 2, 1)
    assert deduplicate(frame, Settings(threshold=0.9), embed).kept == ["b"]
    frame, embed = _chain(None, float("nan"), 0)
    assert deduplicate(frame, Settings(threshold=0.9), embed).kept == ["a", "c"]
    frame, embed = _chain(None, None, None)
    found = deduplicate(frame, Settings(threshold=0.9), embed)
    assert found.dropped.rows() == [("b", "a", pytest.approx(np.cos(np.radians(25))), "duplicate")]


def test_a_row_names_the_closest_of_the_kept_rows_it_repeats() -> None:
    frame = _frame(
        *[(k, _TEXTS["abc".index(k)], None, s) for k, s in zip("abc", (3, 2, 1), strict=True)]
    )
    found = deduplicate(frame, Settings(threshold=0.9), _line(0, 40, 22))
    assert found.dropped["duplicate_of"].to_list() == ["b"]


def test_a_guarded_pair_stays_and_is_for_people() -> None:
    frame = _frame(
        ("a", "This is a", "Patna", 1),
        ("b", "This is an", "Gaya", 2),
        ("c", "This is the", None, 3),
    )
    found = deduplicate(frame, Settings(threshold=0.9, floor=0.5), _line(0, 10, 60))
    assert found.kept == ["a", "b", "c"]
    assert found.review.select("kept_id", "other_id", "guard").rows() == [("b", "a", "answer")]
    assert found.rows["review"].to_list() == [True, True, False]


def test_what_is_gone_needs_no_review() -> None:
    frame = _frame(
        ("a", "This is a", "Patna", 3),
        ("b", "This is an", "Gaya", 1),
        ("c", "This is the", None, 2),
    )
    found = deduplicate(frame, Settings(threshold=0.9), _line(0, 20, 40))
    assert found.dropped.select("id", "duplicate_of").rows() == [("b", "c")]
    assert found.review.height == 0


def test_entities_may_be_let_through() -> None:
    texts = ("Which dance is from Assam?", "Which dance is from Odisha?")
    frame = _frame(*[(t[-3:], t, None, None) for t in texts])
    embed = Planted({t: np.array([1, 0], np.float32) for t in texts})
    assert len(deduplicate(frame, Settings(), embed).kept) == 2
    assert len(deduplicate(frame, Settings(entities=False), embed).kept) == 1


@_STEADY
@given(_SEEDS, st.integers(2, 60), st.sampled_from([0.75, 0.85, 0.95]))
def test_every_dropped_row_is_near_a_row_that_was_kept(
    seed: int, count: int, threshold: float
) -> None:
    frame = words_frame(count, seed)
    embed = _planted(frame, seed)
    found = deduplicate(frame, Settings(threshold=threshold), embed)
    vectors = dict(zip(frame["id"], embed.embed(frame["text"].to_list()), strict=True))
    order = frame.with_row_index("at").sort(
        "score", "at", descending=[True, False], nulls_last=True
    )
    place = {name: at for at, name in enumerate(order["id"])}
    kept = set(found.kept)
    for name, of, cosine, reason in found.dropped.rows():
        assert of in kept
        assert name not in kept
        assert place[of] < place[name]
        assert float(vectors[name] @ vectors[of]) == pytest.approx(cosine, abs=1e-5)
        assert cosine >= threshold
        assert reason == "duplicate"
    _no_two_kept_are_free_to_merge(found, threshold)


def _no_two_kept_are_free_to_merge(found: Deduplicated, threshold: float) -> None:
    kept = set(found.kept)
    near = found.pairs.filter((pl.col("cosine") >= threshold) & pl.col("guard").is_null())
    assert not any(a in kept and b in kept for a, b in near.select("kept_id", "other_id").rows())


@_STEADY
@given(_SEEDS, st.integers(2, 60), st.sampled_from([0.7, 0.8, 0.9, 0.97]))
def test_a_new_threshold_on_the_ledger_is_a_fresh_run(
    seed: int, count: int, threshold: float
) -> None:
    frame = words_frame(count, seed)
    embed = _planted(frame, seed)
    ledger = deduplicate(frame, Settings(threshold=0.9), embed).pairs
    fresh = deduplicate(frame, Settings(threshold=threshold), embed)
    again = at_threshold(ledger, frame, threshold)
    assert again.rows.equals(fresh.rows)
    assert again.pairs.equals(fresh.pairs)


def test_the_ledger_is_the_table_of_the_contract() -> None:
    frame = words_frame(40, 3)
    found = deduplicate(frame, Settings(), _planted(frame, 3))
    assert found.pairs.height > 10
    assert PAIRS.conform(found.pairs).equals(found.pairs)
    assert found.rows["id"].equals(frame["id"])
    merged = found.pairs.filter(pl.col("decision") == "merged")
    assert merged.height == found.dropped.height > 0


def test_an_empty_frame_and_one_row_are_no_work() -> None:
    for count in (0, 1):
        frame = words_frame(count, 0)
        embed = _planted(frame, 0)
        found = deduplicate(frame, Settings(), embed)
        assert (found.kept, found.pairs.height, embed.asked) == (["q0"][:count], 0, [])


def test_scripts_that_the_model_cannot_read_go_by_their_letters() -> None:
    texts = [
        "இந்தியாவின் தேசியப் பறவை எது?",
        "இந்தியாவின் தேசியப் பறவை எது",
        "தமிழ்நாட்டின் தலைநகரம் எங்கே உள்ளது?",
    ]
    frame = _frame(*[(str(k), text, None, None) for k, text in enumerate(texts)])

    class Refusing:
        name = "minilm"

        def embed(self, texts: list[str]) -> np.ndarray:
            raise AssertionError("no text is for the model")

    found = deduplicate(frame, Settings(threshold=0.99), Refusing())
    assert found.kept == ["0", "2"]
    assert at_threshold(found.pairs, frame, 0.99).kept == ["0", "2"]


def test_survivors_fall_with_the_threshold_and_are_drawn() -> None:
    frame = words_frame(60, 8)
    found = deduplicate(frame, Settings(), _planted(frame, 8))
    counts = survivors(found.pairs, frame, [0.7, 0.8, 0.9, 1.0], model="planted")
    kept = counts["kept"].to_list()
    assert kept[0] < kept[-1]
    assert (counts["kept"] + counts["dropped"] == 60).all()
    picture = survivors_svg(counts, 0.86, "R & D <questions>")
    assert picture.startswith("<svg")
    assert "R &amp; D &lt;questions&gt;" in picture
    assert "in force: 0.86" in picture
    with pytest.raises(ValueError, match="two thresholds"):
        survivors_svg(counts.head(1), 0.86)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (pl.col("text").fill_null("x").alias("other"), None),
        (pl.lit(None, pl.String).alias("text"), "row 1, field 'text': it is empty"),
        (pl.lit("  ").alias("text"), "row 1, field 'text': it is empty"),
        (pl.lit("same").alias("id"), "row 2, field 'id': 'same' stands twice"),
        (pl.lit(3).alias("text"), "field 'text': found Int32"),
        (pl.lit("high").alias("score"), "field 'score': found String"),
    ],
)
def test_frames_that_cannot_be_deduplicated(change: pl.Expr, said: str | None) -> None:
    frame = words_frame(3, 0)
    embed = _planted(frame, 0)
    if said is None:
        deduplicate(frame.with_columns(change), Settings(), embed)
        return
    with pytest.raises(InputError, match=said):
        deduplicate(frame.with_columns(change), Settings(), embed)


def test_a_missing_column_and_a_strange_ledger_are_said() -> None:
    frame = words_frame(3, 0)
    with pytest.raises(InputError, match="the column 'score' is missing"):
        deduplicate(frame.drop("score"), Settings(), _planted(frame, 0))
    ledger = pl.DataFrame([("q0", "gone", 0.9, None, "merged")], schema=PAIRS.polars, orient="row")
    with pytest.raises(InputError, match="no row 'gone'"):
        at_threshold(ledger, frame, 0.8)


def test_settings_are_a_suite_s_and_hold_together() -> None:
    assert Settings.of(Dedup()) == Settings()
    with pytest.raises(InputError, match="field 'threshold'"):
        Settings(threshold=0.5)
    with pytest.raises(InputError, match="field 'ngram_threshold'"):
        Settings(ngram_threshold=1.5)
