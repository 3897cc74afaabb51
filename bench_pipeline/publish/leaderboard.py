"""The board from `scores` and `comparisons`: ranked rows with intervals, ties and coverage."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import polars as pl

from bench_pipeline.contracts.baselines import BASELINE_PREFIX, BASELINE_TITLES
from bench_pipeline.contracts.boards import COVERAGE_COUNTS, LEADERBOARD
from bench_pipeline.contracts.construction import CLOZE
from bench_pipeline.contracts.roster import ModelSpec, Roster
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.contracts.tables import REVIEW_STATUSES, UNVERIFIED
from bench_pipeline.storage.versions import data_hash


@dataclass(frozen=True, slots=True)
class PinnedData:
    """The data that a board stands on: its version and hash, and how far its items were checked."""

    version: str
    bank_hash: str
    change: int
    review_status: str
    unverified: int

    @classmethod
    def of(cls, items: pl.DataFrame, gold: pl.DataFrame) -> "PinnedData":
        """What `items` and `gold` tables say."""
        counts = Counter(items["status"])
        return cls(
            version=str(gold["version"][0]),
            bank_hash=data_hash(items, gold),
            change=int(gold["change"][0]),
            review_status=", ".join(
                f"{counts[status]:,} {status}" for status in REVIEW_STATUSES if counts[status]
            )
            + _makers(items),
            unverified=items.filter(pl.col("source_checked") == UNVERIFIED).height,
        )


def _makers(items: pl.DataFrame) -> str:
    """Who made the items, where no person wrote them; the cloze baseline is called one."""
    made = items["made_by"].drop_nulls().value_counts(sort=True).rows()
    said = [f"{count:,} {_MAKERS.get(maker, f'by {maker}')}" for maker, count in made]
    return f"; made {', '.join(said)}" if said else ""


_MAKERS = {CLOZE: "by the cloze baseline"}


def build_leaderboard(
    scores: pl.DataFrame,
    comparisons: pl.DataFrame,
    roster: Roster,
    suite: SuiteSpec,
    data: PinnedData,
) -> pl.DataFrame:
    """The `leaderboard` rows of the version of `data`: best first, withheld ones last.

    A row a model and profile; rows of other versions in `scores` and `comparisons` are left out.
    """
    own_version = pl.col("version") == data.version
    overall = scores.filter((pl.col("slice") == "overall") & own_version)
    comparisons = comparisons.filter(own_version)
    rows: list[dict[str, Any]] = []
    for (profile,), own in overall.group_by("profile", maintain_order=True):
        ties = _tie_groups(comparisons.filter(pl.col("profile") == profile))
        found = [
            _row(str(model), str(profile), metrics, ties, roster, suite, data)
            for (model,), metrics in own.group_by("model", maintain_order=True)
        ]
        rows += _widen_ties(sorted(found, key=_order))
    return pl.DataFrame(rows, schema=LEADERBOARD.polars)


def _row(
    model: str,
    profile: str,
    metrics: pl.DataFrame,
    ties: dict[str, int],
    roster: Roster,
    suite: SuiteSpec,
    data: PinnedData,
) -> dict[str, Any]:
    by_name = {row["metric"]: row for row in metrics.iter_rows(named=True)}
    primary = by_name[suite.primary_metric]
    rank = by_name["rank"]
    baseline = bool(primary["baseline"])
    withheld = rank["reason"] if rank["state"] == "undefined" and not baseline else None
    shown = primary if withheld is None else {"value": None, "low": None, "high": None, "n": 0}
    spec = roster.get(model)
    return {
        "version": data.version,
        "profile": profile,
        "model": model,
        "title": _title(model, spec),
        "label": _label(spec, baseline),
        "baseline": baseline,
        "review_status": data.review_status,
        "unverified": data.unverified,
        "bank_hash": data.bank_hash,
        "change": data.change,
        "place": rank["value"],
        "rank_low": _whole(rank["low"]),
        "rank_high": _whole(rank["high"]),
        "tie_group": ties.get(model, 1) if rank["state"] != "undefined" else None,
        "primary_metric": suite.primary_metric,
        **{name: shown[name] for name in ("value", "low", "high", "n")},
        **{name: int(by_name[name]["value"]) for name in COVERAGE_COUNTS},
        "cost_usd": by_name["cost_usd"]["value"],
        "latency_ms": by_name["latency_ms"]["value"],
        "withheld": withheld,
    }


def _tie_groups(comparisons: pl.DataFrame) -> dict[str, int]:
    """Groups from the top down: a new one begins where neighbours are told apart after Holm."""
    neighbours = comparisons.filter("adjacent").iter_rows(named=True)
    below = {row["model_a"]: (row["model_b"], row["significant"]) for row in neighbours}
    tops = set(below) - {model for model, _ in below.values()}
    groups: dict[str, int] = {}
    for top in sorted(tops):
        model, group = top, 1
        groups[model] = group
        while model in below:
            model, separated = below[model]
            group += separated
            groups[model] = group
    return groups


def _order(row: dict[str, Any]) -> tuple[bool, bool, float, float, str]:
    """Ranked rows by their place, then withheld ones, then baselines by their value."""
    place = row["place"] if row["place"] is not None else float("inf")
    value = row["value"] if row["value"] is not None else float("-inf")
    return (row["baseline"], row["withheld"] is not None, place, -value, row["model"])


def _widen_ties(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A row tied with its neighbours never shows a narrower rank than the tie's places."""
    places: dict[int, list[int]] = {}
    for row in rows:
        if row["tie_group"] is not None and row["place"] is not None:
            places.setdefault(row["tie_group"], []).append(int(row["place"]))
    for row in rows:
        tied = places.get(row["tie_group"])
        if tied and row["place"] is not None and row["rank_low"] is not None:
            row["rank_low"] = min(row["rank_low"], *tied)
            row["rank_high"] = max(row["rank_high"], *tied)
        del row["place"]
    return rows


def _title(model: str, spec: ModelSpec | None) -> str:
    if model.startswith(BASELINE_PREFIX):
        return BASELINE_TITLES[model.removeprefix(BASELINE_PREFIX)]
    return spec.name if spec is not None else model


def _label(spec: ModelSpec | None, baseline: bool) -> str:
    """Everything that sets this row's answers apart from a plain run of the suite."""
    if baseline:
        return "baseline"
    if spec is None:
        return "no longer in the roster"
    parts = [f"reasoning: {spec.reasoning.label}"]
    if spec.overrides.max_tokens is not None:
        parts.append(f"answers capped at {spec.overrides.max_tokens} tokens")
    if spec.overrides.temperature is not None:
        parts.append(f"temperature {spec.overrides.temperature:g}")
    if spec.system_prompt is not None:
        parts.append("own system prompt")
    if not spec.capabilities.temperature:
        parts.append("takes no temperature")
    if spec.retired:
        parts.append("retired")
    return "; ".join(parts)


def _whole(value: float | None) -> int | None:
    return int(value) if value is not None else None
