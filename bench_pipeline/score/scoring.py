"""The `scores` table: every metric of every model and profile, with interval, n and method."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import polars as pl

from bench_pipeline.contracts.boards import COVERAGE_COUNTS, SCORES
from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.score.cost import COST_PER_CORRECT, cost_per_correct
from bench_pipeline.score.coverage import Coverage, coverage_of
from bench_pipeline.score.estimating import estimates_of
from bench_pipeline.score.inputs import ScoringInputs
from bench_pipeline.score.metrics import (
    METRICS,
    MISSING,
    UNDISPUTED,
    Metric,
    applies,
    sensitivity,
    without_disputed,
)
from bench_pipeline.score.values import FloatArray
from bench_pipeline.stats import Estimate, RankInterval, rank_intervals

OVERALL = "overall"
RANK = "rank"
_BY_CATEGORY = ("accuracy", "control_accuracy", "locale_gap", "oom_rate", "undetermined_share")
_BY_REGIME = ("refusal_rate", "undetermined_share")
#: a gap of a model that fails broadly is no locale signal
_FLOOR_METRIC = "bharat_score"
_GAP_FLOOR = 20.0
#: items named where more are meant
_NAMED = 10


def primary_metric(suite: SuiteSpec) -> Metric:
    """The metric that ranks the suite's models.

    Raises:
        InputError: the suite names one that does not exist.
    """
    if suite.primary_metric not in METRICS:
        raise InputError(
            suite.folder / "suite.yaml",
            f"there is no metric '{suite.primary_metric}'",
            field="primary_metric",
            accepted=", ".join(METRICS),
        )
    return METRICS[suite.primary_metric]


def check_items(suite: SuiteSpec, items: pl.DataFrame) -> None:
    """Refuse a suite whose items cannot have its primary metric, before anything is asked.

    Raises:
        InputError: no item is of the metric's population, or it needs samples that are not taken.
    """
    metric = primary_metric(suite)
    fewest = min(p.samples or suite.samples for p in suite.all_profiles.values())
    if not applies(metric, items, fewest):
        fitting = [m.name for m in METRICS.values() if applies(m, items, fewest)]
        raise InputError(
            suite.folder / "suite.yaml",
            f"the items cannot have the metric '{metric.name}' in every profile",
            field="primary_metric",
            accepted=", ".join(fitting),
        )


def metrics_of(suite: SuiteSpec, inputs: ScoringInputs) -> list[Metric]:
    """The metrics that a profile's items and samples allow, in the order of the table."""
    samples = inputs.prompts["sample"].n_unique()
    primary = primary_metric(suite)
    own = [
        metric
        for metric in METRICS.values()
        if metric is primary or applies(metric, inputs.items, samples)
    ]
    disputed = disputed_items(primary, inputs)
    beside = [without_disputed(primary, disputed)] if disputed else []
    beside = [metric for metric in beside if applies(metric, inputs.items, samples)]
    return [*own, *sensitivity(primary), *beside]


def steps(suite: SuiteSpec, inputs: ScoringInputs) -> int:
    """How often `score_suite` advances."""
    return sum(len(metrics_of(suite, inputs.of_profile(p))) for p in suite.all_profiles)


def score_suite(
    suite: SuiteSpec, inputs: ScoringInputs, advance: Callable[[int], None] = lambda _: None
) -> pl.DataFrame:
    """The `scores` table; `advance(1)` is called once a profile and metric."""
    rows: list[dict[str, Any]] = []
    for profile in suite.all_profiles:
        own = inputs.of_profile(profile)
        common = {"version": inputs.version, "profile": profile}
        rows += [{**row, **common} for row in _profile_rows(suite, own, advance)]
        for language, rendered in own.translations.items():
            slice_name = f"translation:{language}"
            rows += [{**row, **common} for row in _translation_rows(suite, rendered, slice_name)]
    return pl.DataFrame(rows, schema=SCORES.polars)


def _profile_rows(
    suite: SuiteSpec, inputs: ScoringInputs, advance: Callable[[int], None]
) -> Iterator[dict[str, Any]]:
    primary = primary_metric(suite)
    coverage = {
        model: coverage_of(model, inputs.prompts, inputs.grades, inputs.completions)
        for model in inputs.everyone
    }
    inputs = replace(inputs, grades=with_missing(inputs))
    floor: dict[str, float | None] = {}
    for metric in metrics_of(suite, inputs):
        for slice_name, items, grades in _slices(metric, primary, inputs):
            estimates, dropped, resamples = estimates_of(
                suite, metric, items, grades, inputs.everyone
            )
            if metric.name == _FLOOR_METRIC and slice_name == OVERALL:
                values = [estimate.value for estimate in estimates]
                floor = dict(zip(inputs.everyone, values, strict=True))
            if metric is primary and slice_name == OVERALL:
                yield from _ranks(suite, inputs, coverage, estimates, resamples)
            for k, model in enumerate(inputs.everyone):
                left_out = _left_out(metric, primary, inputs, estimates[k])
                yield {
                    **_row(model, inputs, metric.name, slice_name, metric.unit),
                    **_scaled(estimates[k], metric, floor.get(model)),
                    "dropped": dropped[k],
                    "primary": metric is primary and slice_name == OVERALL,
                    **left_out,
                }
        advance(1)
    absent = inputs.grades.filter(pl.col("verdict") == MISSING)
    for model, counts in coverage.items():
        missing = absent.filter(pl.col("model") == model)["item_id"].unique().sort().to_list()
        yield from _coverage_rows(model, inputs, counts, missing)
    for model in inputs.models:
        yield {
            **_row(model, inputs, COST_PER_CORRECT, OVERALL, "usd"),
            **cost_per_correct(suite, inputs, model),
            "dropped": 0,
            "primary": False,
        }


def _translation_rows(
    suite: SuiteSpec, inputs: ScoringInputs, slice_name: str
) -> Iterator[dict[str, Any]]:
    """One language's renderings: the primary metric, what declines, and what is missing.

    They stand beside the board and are no part of it: a language that is translated later makes
    no answer of the board missing.
    """
    primary = primary_metric(suite)
    samples = inputs.prompts["sample"].n_unique()
    for metric in (primary, *(METRICS[name] for name in _BY_REGIME)):
        if not applies(metric, inputs.items, samples):
            continue
        estimates, dropped, _ = estimates_of(
            suite, metric, inputs.items, inputs.grades, inputs.everyone
        )
        for k, model in enumerate(inputs.everyone):
            yield {
                **_row(model, inputs, metric.name, slice_name, metric.unit),
                **_scaled(estimates[k], metric, None),
                "dropped": dropped[k],
                "primary": False,
            }
    absent = with_missing(inputs).filter(pl.col("verdict") == MISSING)
    for model in inputs.everyone:
        counts = coverage_of(model, inputs.prompts, inputs.grades, inputs.completions)
        items = absent.filter(pl.col("model") == model)["item_id"].unique().sort().to_list()
        for row in _coverage_rows(model, inputs, counts, items):
            yield {**row, "slice": slice_name}


def disputed_items(primary: Metric, inputs: ScoringInputs) -> frozenset[str]:
    """The openly disputed items that the primary metric rests on."""
    own = inputs.items.filter(primary.population)["item_id"]
    return inputs.disputed & frozenset(own)


def _left_out(
    metric: Metric, primary: Metric, inputs: ScoringInputs, estimate: Estimate
) -> dict[str, str]:
    """Which items a sensitivity figure leaves out, before its own reason if it has one."""
    if metric.name != UNDISPUTED:
        return {}
    items = _named(sorted(disputed_items(primary, inputs)))
    said = f"without the openly disputed items: {items}"
    return {"reason": f"{said}; {estimate.reason}" if estimate.reason else said}


def _named(items: list[str]) -> str:
    more = f" and {len(items) - _NAMED} more" if len(items) > _NAMED else ""
    return ", ".join(items[:_NAMED]) + more


def with_missing(inputs: ScoringInputs) -> pl.DataFrame:
    """The grades and, for every request without one, a row that says `missing`.

    Only the sensitivity figures see those rows: every other metric's worth of them is null.
    """
    keys = ["item_id", "regime", "sample"]
    columns = [*keys, "model", "verdict", "flags", "extracted"]
    expected = inputs.prompts.select(keys).join(
        pl.DataFrame({"model": inputs.everyone}, schema={"model": pl.String}), how="cross"
    )
    absent = expected.join(inputs.grades, on=[*keys, "model"], how="anti").with_columns(
        pl.lit(MISSING).alias("verdict"),
        pl.lit([], dtype=pl.List(pl.String)).alias("flags"),
        pl.lit(None, dtype=pl.String).alias("extracted"),
    )
    return pl.concat([inputs.grades.select(columns), absent.select(columns)])


def _slices(
    metric: Metric, primary: Metric, inputs: ScoringInputs
) -> Iterator[tuple[str, pl.DataFrame, pl.DataFrame]]:
    """(slice, items, grades) of every slice that the metric is shown for."""
    yield OVERALL, inputs.items, inputs.grades
    if metric.name in _BY_CATEGORY:
        population = inputs.items.filter(metric.population)
        for category in sorted(population["category"].unique()):
            items = inputs.items.filter(pl.col("category") == category)
            yield f"category:{category}", items, inputs.grades
    if metric.name in _BY_REGIME or metric is primary:
        for regime in sorted(inputs.prompts["regime"].unique()):
            yield f"regime:{regime}", inputs.items, inputs.grades.filter(pl.col("regime") == regime)


def _ranks(
    suite: SuiteSpec,
    inputs: ScoringInputs,
    coverage: dict[str, Coverage],
    estimates: tuple[Estimate, ...],
    resamples: FloatArray | None,
) -> Iterator[dict[str, Any]]:
    """A `rank` row a model: its rank interval, or why it has none."""
    reasons: dict[str, str] = {}
    for k, model in enumerate(inputs.everyone):
        withheld = coverage[model].withheld(suite.withhold)
        if model in inputs.baselines:
            reasons[model] = "a baseline is not ranked"
        elif model in inputs.stale:
            reasons[model] = inputs.stale[model]
        elif withheld is not None:
            reasons[model] = withheld
        elif estimates[k].value is None:
            reasons[model] = estimates[k].reason
    sign = 1.0 if primary_metric(suite).higher_is_better else -1.0
    ranked = [k for k, model in enumerate(inputs.everyone) if model not in reasons]
    order = sorted(ranked, key=lambda k: (-sign * (estimates[k].value or 0.0), inputs.everyone[k]))
    intervals: tuple[RankInterval | None, ...] = ()
    if resamples is not None and order:
        intervals = rank_intervals(sign * resamples[:, order])
    position = {inputs.everyone[k]: place for place, k in enumerate(order)}
    for model in inputs.everyone:
        place = position.get(model)
        interval = intervals[place] if place is not None else None
        yield {
            **_row(model, inputs, RANK, OVERALL, "rank"),
            "value": float(place + 1) if place is not None else None,
            "low": float(interval.low) if interval else None,
            "high": float(interval.high) if interval else None,
            "n": len(order),
            "dropped": 0,
            "method": "joint bootstrap of the primary metric",
            "state": "ok" if place is not None else "undefined",
            "reason": reasons.get(model),
            "primary": False,
        }


def _coverage_rows(
    model: str, inputs: ScoringInputs, counts: Coverage, missing: list[str]
) -> Iterator[dict[str, Any]]:
    figures: list[tuple[str, str, float | None]] = [
        (name, "requests", float(getattr(counts, name))) for name in COVERAGE_COUNTS
    ]
    figures += [("cost_usd", "usd", counts.cost_usd), ("latency_ms", "ms", counts.latency_ms)]
    for name, unit, value in figures:
        reason = None if value is not None else "no answer says it"
        if name == "missing" and missing:
            reason = f"of {len(missing)} items: {_named(missing)}"
        yield {
            **_row(model, inputs, name, OVERALL, unit),
            "value": value,
            "low": None,
            "high": None,
            "n": counts.answered,
            "dropped": 0,
            "method": "median" if unit == "ms" else "sum",
            "state": "ok" if value is not None else "undefined",
            "reason": reason,
            "primary": False,
        }


def _row(
    model: str, inputs: ScoringInputs, metric: str, slice_name: str, unit: str
) -> dict[str, Any]:
    return {
        "model": model,
        "metric": metric,
        "slice": slice_name,
        "unit": unit,
        "baseline": model in inputs.baselines,
    }


def _scaled(estimate: Estimate, metric: Metric, floor: float | None) -> dict[str, Any]:
    """The estimate times 100; a gap of a model that fails broadly says that it tells little."""
    reason = estimate.reason or None
    if metric.aggregate == "gap" and floor is not None and 100 * floor < _GAP_FLOOR:
        weak = f"uninformative: the Bharat Score is under {_GAP_FLOOR:.0f}"
        reason = f"{reason}; {weak}" if reason else weak
    return {
        "value": _percent(estimate.value),
        "low": _percent(estimate.low),
        "high": _percent(estimate.high),
        "n": estimate.n,
        "method": estimate.method,
        "state": estimate.state,
        "reason": reason,
    }


def _percent(share: float | None) -> float | None:
    return None if share is None else 100.0 * share
