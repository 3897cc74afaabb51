"""Hand-made tables for scoring: a few pairs, whose figures can be worked out on paper."""

from typing import Any

import polars as pl

from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.contracts.tables import COMPLETIONS, GRADES, ITEMS
from bench_pipeline.infer.prompts import build_prompts
from bench_pipeline.score.inputs import ScoringInputs

SUITE = SuiteSpec(
    name="tiny",
    title="Tiny",
    items="items.csv",
    regimes={"natural": "natural.j2"},
    primary_metric="bharat_score",
    resamples=400,
)

#: what a model answered: item → (verdict, flags, extracted) for each sample
Answers = dict[str, list[tuple[str, list[str], str | None]]]


def item(item_id: str, category: str, role: str = "core", **changes: Any) -> dict[str, Any]:
    pair = item_id.rsplit("-", 1)[0] if role != "unpaired" else None
    values = {
        "item_id": item_id,
        "concept_id": item_id,
        "family_id": pair or item_id,
        "language": "en",
        "category": category,
        "kind": "question",
        "answer_type": "numeric",
        "question": f"Question {item_id}?",
        "pair_id": pair,
        "pair_role": role,
        "status": "draft",
        "split": "public",
        "as_of": None,
        "source": "made up",
        "source_checked": "unverified",
        "made_by": None,
    }
    return {**values, **changes}


def pairs(**by_category: int) -> list[dict[str, Any]]:
    """So many matched pairs of each category."""
    return [
        item(f"{category}{k}-{suffix}", category, role)
        for category, count in by_category.items()
        for k in range(count)
        for suffix, role in (("in", "core"), ("ctl", "control"))
    ]


def inputs(
    items: list[dict[str, Any]],
    answers: dict[str, Answers],
    suite: SuiteSpec = SUITE,
    baselines: list[str] | None = None,
    costs: dict[str, float | None] | None = None,
) -> ScoringInputs:
    """Scoring inputs in which each model of `answers` answered what stands there and no more."""
    frame = pl.DataFrame(items, schema=ITEMS.polars)
    prompts = build_prompts(frame, suite)
    rows = [
        _grade(model, item_id, sample, verdict, flags, extracted)
        for model, own in answers.items()
        for item_id, samples in own.items()
        for sample, (verdict, flags, extracted) in enumerate(samples)
    ]
    return ScoringInputs(
        items=frame,
        prompts=prompts,
        grades=pl.DataFrame(rows, schema=GRADES.polars),
        completions=_completions(rows, costs or {}),
        models=sorted(set(answers) - set(baselines or [])),
        baselines=baselines or [],
        stale={},
        version=suite.version,
    )


def right(extracted: str = "1") -> tuple[str, list[str], str | None]:
    return ("correct", [], extracted)


def wrong(*flags: str, extracted: str = "2") -> tuple[str, list[str], str | None]:
    return ("incorrect", list(flags), extracted)


UNDETERMINED: tuple[str, list[str], str | None] = ("undetermined", [], None)
REFUSED: tuple[str, list[str], str | None] = ("refused", [], None)


def _completions(grades: list[dict[str, Any]], costs: dict[str, float | None]) -> pl.DataFrame:
    """A completion for every grade of the models in `costs`, at that cost each."""
    own = [row for row in grades if row["model"] in costs]
    columns = {name: [None] * len(own) for name in COMPLETIONS.polars}
    frame = pl.DataFrame(columns, schema=COMPLETIONS.polars)
    return frame.with_columns(
        pl.Series("model", [row["model"] for row in own], pl.String),
        pl.Series("item_id", [row["item_id"] for row in own], pl.String),
        pl.Series("prompt_id", [_prompt_id(row) for row in own], pl.String),
        pl.Series("cost_usd", [costs[row["model"]] for row in own], pl.Float64),
        pl.lit("ok").alias("status"),
    )


def _prompt_id(grade: dict[str, Any]) -> str:
    return f"{grade['item_id']}:{grade['regime']}:{grade['sample']}"


def _grade(
    model: str, item_id: str, sample: int, verdict: str, flags: list[str], extracted: str | None
) -> dict[str, Any]:
    return {
        "request_id": f"{model}:{item_id}:{sample}",
        "item_id": item_id,
        "model": model,
        "regime": "natural",
        "sample": sample,
        "grader": "code",
        "verdict": verdict,
        "flags": flags,
        "extracted": extracted,
        "span_start": None,
        "span_end": None,
        "rule": "made",
        "reason": "made",
        "jaccard": None,
        "gold_hash": "h",
        "version": "0.1.0",
    }
