"""A frame of questions, those that stay, and the ledger of every pair that came near."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import polars as pl
from numpy.typing import NDArray

from bench_pipeline.contracts.construction import DROPPED, KEPT, PAIRS
from bench_pipeline.contracts.errors import InputError, shown
from bench_pipeline.contracts.suite import Dedup
from bench_pipeline.dedup._greedy import GUARDED, choose, ranks
from bench_pipeline.dedup._guards import Guards, Row
from bench_pipeline.dedup._similar import SimilarPairs, similar_pairs
from bench_pipeline.providers.embeddings import MINILM, Embedder, NgramVectors, can_read

REASON = "duplicate"
THRESHOLD, NGRAM_THRESHOLD, FLOOR = 0.86, 0.8, 0.7
_COLUMNS = ("id", "text", "answer", "score", "language")


@dataclass(frozen=True, slots=True)
class Settings:
    """Cosines from which on two texts are one, and what keeps them apart all the same.

    `threshold` is of the embedding, `ngram_threshold` of the character n-grams that stand in for
    it where it cannot read. Pairs from `floor` on are in the ledger. `entities=False` merges
    texts that differ in a state or another name.
    """

    threshold: float = THRESHOLD
    ngram_threshold: float = NGRAM_THRESHOLD
    floor: float = FLOOR
    entities: bool = True

    def __post_init__(self) -> None:
        """Hold the settings to each other: what lies below the floor was never stored."""
        for name in ("threshold", "ngram_threshold"):
            value = getattr(self, name)
            if not 0 < self.floor <= value <= 1:
                raise InputError(
                    "dedup",
                    f"found {value}",
                    field=name,
                    accepted=f"a cosine from the floor ({self.floor:g}) to 1",
                )

    @classmethod
    def of(cls, suite: Dedup) -> "Settings":
        """The settings of a suite, less the name of its model."""
        return cls(suite.threshold, suite.ngram_threshold, suite.floor, suite.entities)


@dataclass(frozen=True, slots=True)
class Deduplicated:
    """What became of each row, and of each pair.

    `rows` has a row for each row of the frame, in its order: id, status (kept or dropped),
    reason, duplicate_of, cosine, review. `pairs` is the ledger, as the contract `PAIRS` has it.
    """

    rows: pl.DataFrame
    pairs: pl.DataFrame

    @property
    def kept(self) -> list[str]:
        """The ids that stay, in the frame's order."""
        return list(self.rows.filter(pl.col("status") == KEPT)["id"])

    @property
    def dropped(self) -> pl.DataFrame:
        """The rows that go: id, duplicate_of (always a kept row), cosine, reason."""
        gone = self.rows.filter(pl.col("status") == DROPPED)
        return gone.select("id", "duplicate_of", "cosine", "reason")

    @property
    def review(self) -> pl.DataFrame:
        """Pairs of the ledger that only a guard keeps apart, both rows kept; closest first."""
        guarded = self.pairs.filter(pl.col("decision") == GUARDED)
        return guarded.sort("cosine", descending=True, maintain_order=True)


def deduplicate(frame: pl.DataFrame, settings: Settings, embed: Embedder) -> Deduplicated:
    """Keep each question once: the best by score, and of equals the one that stands first.

    `frame` has the columns id, text, answer (may be null), score (may be null or NaN) and
    language. Texts that `embed` cannot read are compared with each other by character n-grams.

    Raises:
        InputError: a column is missing or of another type, an id is null or stands twice, or a
            text is null or blank.
    """
    check_frame(frame)
    guards = Guards(frame_rows(frame), settings.entities)
    found = _near_pairs(frame, settings.floor, embed)
    place = ranks(frame["score"])
    swapped = place[found.left] > place[found.right]
    better = np.where(swapped, found.right, found.left)
    other = np.where(swapped, found.left, found.right)
    ids = frame["id"].cast(pl.String)
    pairs = pl.DataFrame(
        {
            "kept_id": ids.gather(better),
            "other_id": ids.gather(other),
            "cosine": found.cosine,
            "guard": pl.Series(
                [
                    guards.between(a, b)
                    for a, b in zip(better.tolist(), other.tolist(), strict=True)
                ],
                dtype=pl.String,
            ),
        }
    )
    return _decide(pairs, frame, settings.threshold, settings.ngram_threshold, embed.name)


def at_threshold(
    pairs: pl.DataFrame,
    frame: pl.DataFrame,
    threshold: float,
    ngram_threshold: float = NGRAM_THRESHOLD,
    model: str = MINILM,
) -> Deduplicated:
    """What `deduplicate` would give under another threshold, from its ledger alone.

    `pairs` is the ledger of the same `frame`; `model` is the name of the embedding that made it.
    A threshold below the ledger's floor finds no more than the ledger holds.

    Raises:
        InputError: the frame is not one that can be deduplicated, or a pair names an id that it
            does not have.
    """
    check_frame(frame)
    return _decide(pairs, frame, threshold, ngram_threshold, model)


def check_frame(
    frame: pl.DataFrame,
    source: str = "the frame",
    names: Mapping[str, str] = MappingProxyType({}),
    first_row: int = 1,
) -> None:
    """Hold a frame to what `deduplicate` reads.

    Messages call it `source`, a column by what `names` has for it, and its rows from `first_row`.

    Raises:
        InputError: see `deduplicate`.
    """
    missing = [name for name in _COLUMNS if name not in frame.columns]
    if missing:
        raise InputError(
            source, f"the column '{missing[0]}' is missing", accepted=", ".join(_COLUMNS)
        )
    for name in _COLUMNS:
        dtype = frame.schema[name]
        fits = dtype.is_numeric() if name == "score" else dtype == pl.String
        if not (fits or dtype == pl.Null):
            accepted = "numbers" if name == "score" else "text"
            raise InputError(
                source, f"found {dtype}", field=names.get(name, name), accepted=accepted
            )
    for name in ("id", "text"):
        blank = frame[name].cast(pl.String).fill_null("").str.strip_chars() == ""
        if blank.any():
            row = first_row + int(blank.arg_true()[0])
            raise InputError(
                source, "it is empty", entry=row, field=names.get(name, name), accepted="text"
            )
    again = ~frame["id"].is_first_distinct()
    if again.any():
        row = int(again.arg_true()[0])
        raise InputError(
            source,
            f"{shown(frame['id'][row])} stands twice",
            entry=first_row + row,
            field=names.get("id", "id"),
            accepted="each id once",
        )


def frame_rows(frame: pl.DataFrame) -> list[Row]:
    """The rows as guards read them."""
    columns = frame.select("text", "answer", "language").iter_rows()
    return [Row(text, answer, language) for text, answer, language in columns]


def _near_pairs(frame: pl.DataFrame, floor: float, embed: Embedder) -> SimilarPairs:
    """Pairs from `floor` on, of the texts that `embed` reads and of those that it does not."""
    texts = frame["text"].to_list()
    readable = np.array([can_read(embed.name, text) for text in texts], dtype=bool)
    parts = list(
        _compared(texts, np.flatnonzero(readable), np.flatnonzero(~readable), floor, embed)
    )
    left, right, cosine = (
        np.concatenate([np.empty(0, kind), *(getattr(part, name) for part in parts)])
        for name, kind in (("left", np.int64), ("right", np.int64), ("cosine", np.float64))
    )
    order = np.lexsort((right, left))
    return SimilarPairs(left[order], right[order], cosine[order])


def _compared(
    texts: list[str],
    readable: NDArray[np.int64],
    others: NDArray[np.int64],
    floor: float,
    embed: Embedder,
) -> Iterator[SimilarPairs]:
    for rows, vectors_of in ((readable, embed.embed), (others, NgramVectors().vectors)):
        if len(rows) > 1:
            found = similar_pairs(vectors_of([texts[row] for row in rows]), floor)
            yield SimilarPairs(rows[found.left], rows[found.right], found.cosine)


def _decide(
    pairs: pl.DataFrame, frame: pl.DataFrame, threshold: float, ngram_threshold: float, model: str
) -> Deduplicated:
    """The greedy choice over the pairs, whatever was decided about them before."""
    ids = frame["id"].cast(pl.String)
    better, other = _positions(pairs["kept_id"], ids), _positions(pairs["other_id"], ids)
    cosine = pairs["cosine"].to_numpy()
    needed = _thresholds(frame["text"], better, threshold, ngram_threshold, model)
    choice = choose(
        better,
        other,
        cosine,
        ranks(frame["score"]),
        cosine >= needed,
        pairs["guard"].is_not_null().to_numpy(),
    )
    ledger = pairs.with_columns(decision=pl.Series(choice.decisions, dtype=pl.String))
    gone = choice.duplicate_of >= 0
    of = pl.Series(np.where(gone, choice.duplicate_of, 0))
    guarded = np.array([decision == GUARDED for decision in choice.decisions], dtype=bool)
    review = np.zeros(len(ids), dtype=bool)
    review[better[guarded]] = review[other[guarded]] = True
    none = pl.lit(None)
    rows = pl.DataFrame({"id": ids, "gone": gone, "review": review}).select(
        "id",
        status=pl.when("gone").then(pl.lit(DROPPED)).otherwise(pl.lit(KEPT)),
        reason=pl.when("gone").then(pl.lit(REASON)).otherwise(none),
        duplicate_of=pl.when("gone").then(ids.gather(of)).otherwise(none),
        cosine=pl.when("gone").then(_cosines(cosine, choice.pair)).otherwise(none),
        review="review",
    )
    return Deduplicated(rows, PAIRS.conform(ledger))


def _positions(wanted: pl.Series, ids: pl.Series) -> NDArray[np.int64]:
    """The row of each id."""
    known = pl.DataFrame({"id": ids, "row": np.arange(len(ids), dtype=np.int64)})
    found = wanted.rename("id").to_frame().join(known, on="id", how="left", maintain_order="left")
    if found["row"].null_count():
        stranger = found.filter(pl.col("row").is_null())["id"][0]
        raise InputError(
            "the ledger", f"the frame has no row {shown(stranger)}", accepted="its own frame"
        )
    rows: NDArray[np.int64] = found["row"].to_numpy()
    return rows


def _thresholds(
    texts: pl.Series, rows: NDArray[np.int64], threshold: float, ngram_threshold: float, model: str
) -> NDArray[np.float64]:
    """The threshold of each pair; both of its rows were compared by the same means."""
    values = texts.to_list()
    needed = {row: can_read(model, values[row]) for row in set(rows.tolist())}
    return np.array(
        [threshold if needed[row] else ngram_threshold for row in rows.tolist()], dtype=np.float64
    )


def _cosines(cosine: NDArray[np.float64], pair: NDArray[np.int64]) -> pl.Series:
    known = np.append(cosine, np.nan)
    return pl.Series(known[np.where(pair >= 0, pair, len(cosine))])
