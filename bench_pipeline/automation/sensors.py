"""Sensors: the roster's partitions, and what follows when a corrections ledger changes."""

from collections.abc import Iterator

import dagster as dg

from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.paths import assets_dir
from bench_pipeline.contracts.suite import SuiteSpec, load_suites
from bench_pipeline.contracts.tables import (
    BASELINES,
    COMPARISONS,
    GOLD,
    GRADES,
    ITEM_ANALYSIS,
    LEADERBOARD,
    SCORES,
)
from bench_pipeline.partitions import models, roster
from bench_pipeline.release.corrections import load_ledger
from bench_pipeline.storage.tables import TableStore

_GOLDS = ("bank", "items", GOLD.name, BASELINES.name)
_BOARD = (SCORES.name, COMPARISONS.name, ITEM_ANALYSIS.name, LEADERBOARD.name)


@dg.sensor(
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Gives every model of assets/models.yaml its partition. Asks nothing.",
)
def roster_partitions(context: dg.SensorEvaluationContext) -> dg.SensorResult:
    """Add the partitions that are missing; a model that left the roster keeps its own."""
    try:
        ids = [model.id for model in roster().models]
    except InputError as error:
        return dg.SensorResult(skip_reason=str(error))
    known = set(context.instance.get_dynamic_partitions("models"))
    new = [model_id for model_id in ids if model_id not in known]
    if not new:
        return dg.SensorResult(skip_reason=f"all {len(ids)} models have their partition")
    return dg.SensorResult(dynamic_partitions_requests=[models.build_add_request(new)])


@dg.sensor(
    asset_selection="*",
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="When a corrections ledger changes: golds, then every model's grades, then the "
    "board. Asks no model.",
)
def gold_corrections(context: dg.SensorEvaluationContext) -> dg.SensorResult:
    """Request the next step of every suite whose tables are behind its ledger.

    A tick requests one step, since runs of one tick have no order: golds, when they are of
    another version than the files; grades of each model, when they are of other golds; scores
    and board, when those are of another version. A run key holds the change number of the ledger,
    so that a correction rolled back and applied again is worked off each time, and a step that
    failed is not requested for ever.
    """
    try:
        suites = load_suites(assets_dir())
        requests = [request for suite in suites for request in _next_step(suite)]
    except InputError as error:
        return dg.SensorResult(skip_reason=str(error))
    if not requests:
        return dg.SensorResult(skip_reason="every board is up to its ledger")
    return dg.SensorResult(run_requests=requests)


def _next_step(suite: SuiteSpec) -> Iterator[dg.RunRequest]:
    ledger = load_ledger(suite)
    store = TableStore.default()
    gold = store.read(suite.name, GOLD)
    if not ledger.events or gold is None:
        return
    wanted = ledger.version(suite.version)
    key = f"{suite.name}:{wanted}:{ledger.last_change}"
    if gold["version"][0] != wanted:
        tables = [name for name in _GOLDS if name != BASELINES.name or suite.baselines]
        yield _request(f"{key}:gold", suite, tables)
        return
    behind = [
        model
        for model in store.partitions(suite.name, GRADES.name)
        if (grades := store.read(suite.name, GRADES, model)) is not None
        and set(grades["version"]) != {wanted}
    ]
    if behind:
        for model in behind:
            yield _request(f"{key}:grades:{model}", suite, [GRADES.name], model)
        return
    board = store.read(suite.name, LEADERBOARD)
    if board is not None and board["version"][-1] != wanted:
        yield _request(f"{key}:board", suite, _BOARD)


def _request(
    run_key: str, suite: SuiteSpec, tables: list[str] | tuple[str, ...], model: str | None = None
) -> dg.RunRequest:
    keys = [dg.AssetKey([suite.name, table]) for table in tables]
    return dg.RunRequest(run_key=run_key, asset_selection=keys, partition_key=model)
