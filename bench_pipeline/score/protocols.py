"""The protocols side by side: what each makes of the same answers, and how alike they rank models.

The judge accepts a paraphrase, the exact substring none, word overlap lies between: where two of
them rank models alike, the ranking does not hang on the choice.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations
from typing import Any

import polars as pl

from bench_pipeline.contracts.grades import JUDGE, PROTOCOLS, Flag, Verdict
from bench_pipeline.contracts.judging import (
    ADDRESSES_JUDGE,
    PROTOCOL_AGREEMENT,
    PROTOCOL_SCORES,
    UNPARSEABLE,
)
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.contracts.tables import SHORT_ANSWER
from bench_pipeline.score.coverage import coverage_of
from bench_pipeline.score.estimating import estimates_of
from bench_pipeline.score.inputs import ScoringInputs
from bench_pipeline.score.metrics import METRICS
from bench_pipeline.stats import Estimate, kendall_tau

SUBSTRING, WORD_OVERLAP = PROTOCOLS
#: beside the suite's own, as sensitivity
THRESHOLDS = ("0.3", "0.5", "0.7", "1.0")
_METRIC = METRICS["accuracy"]
_FEWEST_RESAMPLES = 100


@dataclass(frozen=True, slots=True)
class Protocol:
    """One way to tell right from wrong; `threshold` is that of word overlap."""

    grader: str
    threshold: Decimal | None = None

    @property
    def name(self) -> str:
        """As tables show it: word overlap with its threshold."""
        return self.grader if self.threshold is None else f"{self.grader} {self.threshold}"


def protocols_of(suite: SuiteSpec) -> list[Protocol]:
    """The three protocols (two where there is no judge), then the other thresholds."""
    own = Decimal(str(suite.overlap_threshold))
    judge = [Protocol(JUDGE)] if suite.judge is not None else []
    others = [Decimal(threshold) for threshold in THRESHOLDS]
    main = [*judge, Protocol(SUBSTRING), Protocol(WORD_OVERLAP, own)]
    return [*main, *(Protocol(WORD_OVERLAP, other) for other in others if other != own)]


def own_protocol(suite: SuiteSpec) -> Protocol:
    """The protocol that the suite's scores rest on."""
    own = Decimal(str(suite.overlap_threshold))
    return Protocol(suite.protocol, own if suite.protocol == WORD_OVERLAP else None)


def main_protocols(suite: SuiteSpec) -> list[Protocol]:
    """The protocols without the further thresholds."""
    own = Decimal(str(suite.overlap_threshold))
    return [protocol for protocol in protocols_of(suite) if protocol.threshold in (None, own)]


def protocol_scores(
    suite: SuiteSpec, inputs: ScoringInputs, families: Mapping[str, str]
) -> pl.DataFrame:
    """The `protocols` table. `families` maps roster ids to model families."""
    rows: list[dict[str, Any]] = []
    for profile in suite.all_profiles:
        for slice_name, own in _slices(inputs.of_profile(profile)):
            common = {"version": inputs.version, "profile": profile, "slice": slice_name}
            rows += [{**common, **row} for row in _rows(suite, own, families)]
    return pl.DataFrame(rows, schema=PROTOCOL_SCORES.polars)


def _slices(inputs: ScoringInputs) -> Iterator[tuple[str, ScoringInputs]]:
    """(slice, inputs) of all short answers, and of each language and domain of them."""
    short = inputs.items.filter(pl.col("answer_type") == SHORT_ANSWER)
    if short.is_empty():
        return
    own = inputs.of_items(short)
    yield "overall", own
    yield from _domains("", own)
    languages = sorted(short["language"].unique())
    for language in languages if len(languages) > 1 else ():
        spoken = own.of_items(short.filter(pl.col("language") == language))
        yield f"language:{language}", spoken
        yield from _domains(f"language:{language}/", spoken)
    for language, rendered in inputs.translations.items():
        shorts = rendered.of_items(rendered.items.filter(pl.col("answer_type") == SHORT_ANSWER))
        if shorts.items.height:
            yield f"translation:{language}", shorts
            yield from _domains(f"translation:{language}/", shorts)


def _domains(prefix: str, inputs: ScoringInputs) -> Iterator[tuple[str, ScoringInputs]]:
    for category in sorted(inputs.items["category"].unique()):
        domain = inputs.items.filter(pl.col("category") == category)
        yield f"{prefix}category:{category}", inputs.of_items(domain)


def _rows(
    suite: SuiteSpec, inputs: ScoringInputs, families: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    withheld = {
        model: coverage_of(model, inputs.prompts, inputs.grades, inputs.completions).withheld(
            suite.withhold
        )
        for model in inputs.models
    }
    for protocol in protocols_of(suite):
        verdicts = verdicts_under(protocol, inputs.every_grade)
        judged = set(verdicts["model"])
        models = [m for m in inputs.everyone if m in judged]
        if not models:
            continue
        estimates, _, _ = estimates_of(suite, _METRIC, inputs.items, verdicts, models)
        by_model = dict(zip(models, estimates, strict=True))
        for model in models:
            why = _not_ranked(model, inputs, withheld, by_model[model])
            yield {
                "protocol": protocol.name,
                "threshold": None if protocol.threshold is None else float(protocol.threshold),
                "model": model,
                "baseline": model in inputs.baselines,
                **_estimated(by_model[model]),
                **_counts(verdicts.filter(pl.col("model") == model), inputs.prompts.height),
                "ranked": why is None,
                "judge": _judge(suite, protocol, families, model),
                "reason": why,
            }


def verdicts_under(protocol: Protocol, grades: pl.DataFrame) -> pl.DataFrame:
    """The rows of `grades` as `protocol` decides them.

    Another threshold than the one that was graded under is derived from the stored share.
    """
    own = grades.filter(pl.col("grader") == protocol.grader)
    if protocol.threshold is None:
        return own
    top, bottom = protocol.threshold.as_integer_ratio()
    share = pl.col("extracted").str.split_exact("/", 1).struct
    hits, total = share.field("field_0").cast(pl.Int64), share.field("field_1").cast(pl.Int64)
    right = pl.when(hits * bottom >= total * top).then(pl.lit(str(Verdict.CORRECT)))
    decided = right.otherwise(pl.lit(str(Verdict.INCORRECT)))
    # a refusal or an empty answer holds no share, and stays what it is
    return own.with_columns(
        pl.when(pl.col("rule") == WORD_OVERLAP).then(decided).otherwise("verdict").alias("verdict")
    )


def _not_ranked(
    model: str, inputs: ScoringInputs, withheld: Mapping[str, str | None], estimate: Estimate
) -> str | None:
    if model in inputs.baselines:
        return "a baseline is not ranked"
    if estimate.value is None:
        return estimate.reason or "nothing to grade"
    return inputs.stale.get(model) or withheld[model]


def _estimated(estimate: Estimate) -> dict[str, Any]:
    def percent(share: float | None) -> float | None:
        return None if share is None else 100.0 * share

    return {
        "value": percent(estimate.value),
        "low": percent(estimate.low),
        "high": percent(estimate.high),
        "n": estimate.n,
        "method": estimate.method,
    }


def _counts(own: pl.DataFrame, expected: int) -> dict[str, int]:
    verdicts = dict(own["verdict"].value_counts().rows())
    right = own.filter(pl.col("verdict") == str(Verdict.CORRECT))
    return {
        "correct": verdicts.get(str(Verdict.CORRECT), 0),
        "incorrect": verdicts.get(str(Verdict.INCORRECT), 0),
        "not_attempted": verdicts.get(str(Verdict.REFUSED), 0),
        "undetermined": verdicts.get(str(Verdict.UNDETERMINED), 0),
        "unparseable": own.filter(pl.col("rule") == UNPARSEABLE).height,
        "missing": expected - own.height,
        "hedged": _flagged(right, str(Flag.HEDGED_MATCH)),
        "addresses_judge": _flagged(own, ADDRESSES_JUDGE),
    }


def _flagged(rows: pl.DataFrame, flag: str) -> int:
    return rows.filter(pl.col("flags").list.contains(flag)).height


def _judge(
    suite: SuiteSpec, protocol: Protocol, families: Mapping[str, str], model: str
) -> str | None:
    if protocol.grader != JUDGE or suite.judge is None:
        return None
    same = families.get(suite.judge.model) == families.get(model, "")
    return f"{suite.judge.model} (of the model's own family)" if same else suite.judge.model


def protocols_markdown(scores: pl.DataFrame) -> str:
    """The overall figures of the `protocols` rows as a table, for the asset's page."""
    lines = ["| profile | protocol | model | accuracy | right | wrong | not attempted |", "|-" * 7]
    lines[1] += "|"
    for row in scores.filter(pl.col("slice") == "overall").iter_rows(named=True):
        value = "–" if row["value"] is None else f"{row['value']:.1f}"
        counts = f"{row['correct']} | {row['incorrect']} | {row['not_attempted']}"
        lines.append(
            f"| {row['profile']} | {row['protocol']} | {row['model']} | {value} | {counts} |"
        )
    return "\n".join(lines)


def protocol_agreement(suite: SuiteSpec, scores: pl.DataFrame, version: str) -> pl.DataFrame:
    """The `protocol_agreement` table of the rows of `scores` (a `protocols` table) at `version`.

    Every pair of the protocols, and each further threshold beside the suite's own.
    """
    found = protocols_of(suite)
    main = main_protocols(suite)
    pairs = [*combinations(main, 2), *((main[-1], p) for p in found if p not in main)]
    rows: list[dict[str, Any]] = []
    ranked = scores.filter(pl.col("ranked") & (pl.col("version") == version))
    for (profile, slice_name), own in ranked.group_by("profile", "slice", maintain_order=True):
        values: dict[str, dict[str, float]] = {}
        for protocol, model, value in own.select("protocol", "model", "value").iter_rows():
            values.setdefault(protocol, {})[model] = value
        for a, b in pairs:
            common = {"version": version, "profile": profile, "slice": slice_name}
            names = {"protocol_a": a.name, "protocol_b": b.name}
            compared = _compared(values.get(a.name, {}), values.get(b.name, {}), suite.seed)
            rows.append({**common, **names, **compared})
    return pl.DataFrame(rows, schema=PROTOCOL_AGREEMENT.polars)


def _compared(a: Mapping[str, float], b: Mapping[str, float], seed: int) -> dict[str, Any]:
    """Kendall's τ-b over the models that both rank, and the pairs that they put otherwise."""
    models = sorted(set(a) & set(b))
    first, second = [a[m] for m in models], [b[m] for m in models]
    tau = kendall_tau(first, second, resamples=_FEWEST_RESAMPLES, seed=seed)
    return {
        "tau": tau.value,
        "models": len(models),
        "swapped": _swapped(models, first, second),
        "reason": None if tau.value is not None else _FEW if len(models) < 2 else _EQUAL,
    }


_FEW = "fewer than two models are ranked by both"
_EQUAL = "a protocol gives every model the same value"


def _swapped(models: Sequence[str], a: Sequence[float], b: Sequence[float]) -> list[str]:
    return [
        f"{models[i]} / {models[j]}"
        for i, j in combinations(range(len(models)), 2)
        if (a[i] - a[j]) * (b[i] - b[j]) < 0
    ]
