"""`unique → reviewed` of a suite that is made from documents."""

import dagster as dg
import polars as pl

from bench_pipeline.contracts.construction import DROPPED, KEPT, REVIEWED
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.quality.expectations import Expectation, Outcome
from bench_pipeline.quality.gate import Published, gate, gated_asset
from bench_pipeline.review.reviewed import idle_labels, load_question_labels, review

_SHOWN = 10


def review_assets(suite: SuiteSpec) -> list[dg.AssetsDefinition]:
    """The assets of one suite."""

    @gated_asset(suite, REVIEWED, kinds={"csv"}, reads=["unique"])
    def reviewed(context: dg.AssetExecutionContext, unique: pl.DataFrame) -> Published:
        labels = load_question_labels(suite)
        frame = review(unique, labels)
        idle = idle_labels(unique, labels)
        if frame.is_empty():
            raise _nothing_left(suite, unique.height)
        dropped = frame.filter(pl.col("status") == DROPPED).height
        yield from gate(
            context,
            frame,
            REVIEWED,
            outcomes=[_all_count(idle)] if labels else (),
            accounting=[
                ("unique questions in", unique.height),
                ("labels", len(labels)),
                ("labels that do not count", len(idle)),
                (KEPT, frame.height - dropped),
                ("removed by reviewers", dropped),
                ("reviewed", frame.filter(pl.col("review_status") == "reviewed").height),
            ],
        )

        if dropped == frame.height:
            raise _nothing_left(suite, unique.height)

    return [reviewed]


def _nothing_left(suite: SuiteSpec, unique: int) -> dg.Failure:
    return dg.Failure(
        description=f"{suite.name}: no question is left of {unique}; why stands in the tables "
        "candidates, vetted, unique and reviewed",
        allow_retries=False,
    )


def _all_count(idle: list[str]) -> Outcome:
    """A warning with the labels of questions that are gone or were reworded."""
    expectation = Expectation(
        "expect_labels_to_be_of_todays_questions", {"column": "candidate_id"}, severity="warn"
    )
    return Outcome(expectation, success=not idle, unexpected=len(idle), sample=idle[:_SHOWN])
