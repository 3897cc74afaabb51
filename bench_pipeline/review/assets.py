"""`unique → reviewed` of a suite that is made from documents."""

import dagster as dg
import polars as pl

from bench_pipeline.contracts.construction import DROPPED, KEPT, REVIEWED
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.quality.gate import Published, gate, gated_asset
from bench_pipeline.review.reviewed import load_question_labels, review


def review_assets(suite: SuiteSpec) -> list[dg.AssetsDefinition]:
    """The assets of one suite."""

    @gated_asset(suite, REVIEWED, kinds={"csv"}, reads=["unique"])
    def reviewed(context: dg.AssetExecutionContext, unique: pl.DataFrame) -> Published:
        labels = load_question_labels(suite)
        frame = review(unique, labels)
        dropped = frame.filter(pl.col("status") == DROPPED).height
        yield from gate(
            context,
            frame,
            REVIEWED,
            accounting=[
                ("unique questions in", unique.height),
                ("labels", len(labels)),
                (KEPT, frame.height - dropped),
                ("removed by reviewers", dropped),
                ("reviewed", frame.filter(pl.col("review_status") == "reviewed").height),
            ],
        )

    return [reviewed]
