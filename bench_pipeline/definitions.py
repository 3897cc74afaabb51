"""Composition only: suites become lanes, and everything that Dagster needs is put together."""

from collections.abc import Mapping
from typing import Any

import dagster as dg

from bench_pipeline.automation.sensors import gold_corrections, new_documents, roster_partitions
from bench_pipeline.contracts.paths import assets_dir
from bench_pipeline.contracts.progress import SilentReporter
from bench_pipeline.contracts.suite import SuiteSpec, load_suites
from bench_pipeline.dedup.assets import dedup_assets
from bench_pipeline.extract.assets import extraction_assets
from bench_pipeline.generate.assets import generation_assets
from bench_pipeline.grade import check_gold
from bench_pipeline.grade.assets import grading_assets
from bench_pipeline.infer.assets import inference_assets
from bench_pipeline.judge.assets import judging_assets
from bench_pipeline.partitions import roster
from bench_pipeline.publish.assets import catalog_asset, publishing_assets
from bench_pipeline.release.assets import made_assets, release_assets
from bench_pipeline.review.assets import review_assets
from bench_pipeline.score.assets import scoring_assets
from bench_pipeline.score.scoring import check_items
from bench_pipeline.storage.io_manager import parquet_tables
from bench_pipeline.translate.assets import translation_assets


def _building(suite: SuiteSpec) -> list[dg.AssetsDefinition]:
    """Everything up to items and gold: from authored files, or from documents."""
    if suite.documents is None:
        return release_assets(suite, check_gold, check_items)
    return [
        *extraction_assets(suite),
        *generation_assets(suite),
        *dedup_assets(suite),
        *review_assets(suite),
        *made_assets(suite, check_items),
    ]


def build_defs(resource_overrides: Mapping[str, Any] | None = None) -> dg.Definitions:
    """Everything, for production, tests and notebooks alike.

    Raises:
        InputError: the roster or a suite file is wrong; nothing is loaded then.
    """
    roster()
    suites = load_suites(assets_dir())
    lanes = [
        asset
        for suite in suites
        for asset in (
            *_building(suite),
            *translation_assets(suite),
            *inference_assets(suite),
            *grading_assets(suite),
            *judging_assets(suite),
            *scoring_assets(suite),
            *publishing_assets(suite),
        )
    ]
    return dg.Definitions(
        assets=[*lanes, catalog_asset(suites)],
        sensors=[roster_partitions, new_documents, gold_corrections],
        executor=dg.in_process_executor,
        resources={
            "io_manager": parquet_tables,
            "progress": SilentReporter(),
            **(resource_overrides or {}),
        },
    )


defs = build_defs()
