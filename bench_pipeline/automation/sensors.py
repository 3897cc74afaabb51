"""Sensors: the partitions of models and documents, and what follows when a ledger changes."""

import dagster as dg

from bench_pipeline.contracts.boards import COMPARISONS, ITEM_ANALYSIS, LEADERBOARD, SCORES
from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.paths import assets_dir
from bench_pipeline.contracts.suite import SuiteSpec, load_suites
from bench_pipeline.contracts.tables import (
    BANK,
    BASELINES,
    CORRECTIONS,
    GOLD,
    GRADES,
    ITEMS,
    PROMPTS,
)
from bench_pipeline.extract.documents import load_documents
from bench_pipeline.partitions import documents_of, models, roster
from bench_pipeline.release.corrections import load_ledger
from bench_pipeline.storage.tables import StaleTableError, TableStore

_RUN_KEY = "dagster/run_key"
_GOLDS = (CORRECTIONS.name, BANK.name, ITEMS.name, PROMPTS.name, GOLD.name, BASELINES.name)
_BOARD = (SCORES.name, COMPARISONS.name, ITEM_ANALYSIS.name, LEADERBOARD.name)


@dg.sensor(
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Gives every model of assets/models.yaml its partition. Asks nothing.",
)
def roster_partitions(context: dg.SensorEvaluationContext) -> dg.SensorResult:
    """Add the partitions that are missing; a model that left the roster keeps its own."""
    try:
        ids = [model.id for model in roster().under_test()]
    except InputError as error:
        return dg.SensorResult(skip_reason=str(error))
    known = set(context.instance.get_dynamic_partitions("models"))
    new = [model_id for model_id in ids if model_id not in known]
    if not new:
        return dg.SensorResult(skip_reason=f"all {len(ids)} models have their partition")
    return dg.SensorResult(dynamic_partitions_requests=[models.build_add_request(new)])


@dg.sensor(
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Gives every document of every suite its partition. Asks nothing.",
)
def new_documents(context: dg.SensorEvaluationContext) -> dg.SensorResult:
    """Add the partitions that are missing; one of a document that was taken off the list stays."""
    requests: list[dg.AddDynamicPartitionsRequest] = []
    problems: list[str] = []
    try:
        suites = [suite for suite in load_suites(assets_dir()) if suite.documents]
    except InputError as error:
        return dg.SensorResult(skip_reason=str(error))
    for suite in suites:
        try:
            listed = load_documents(suite)["document_id"].to_list()
        except InputError as error:
            problems.append(str(error))
            continue
        partitions = documents_of(suite.name)
        known = set(context.instance.get_dynamic_partitions(str(partitions.name)))
        new = [document_id for document_id in listed if document_id not in known]
        if new:
            requests.append(partitions.build_add_request(new))
    if requests:
        return dg.SensorResult(dynamic_partitions_requests=requests)
    return dg.SensorResult(skip_reason="; ".join(problems) or "every document has its partition")


@dg.sensor(
    asset_selection="*",
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="When a corrections ledger changes: golds, then every model's grades, then the "
    "board. Asks no model.",
)
def gold_corrections(context: dg.SensorEvaluationContext) -> dg.SensorResult:
    """Request the next step of every suite whose tables are behind its ledger.

    A tick requests one step, since runs of one tick have no order: golds, when they do not take in
    the ledger's newest change; grades of each model, when they are of another version; scores and
    board, when those are behind. What is behind is read from the tables. A run key holds the
    change number and a digest of the ledger, so that a mended row is tried again, a
    correction rolled back and applied again is worked off each time, and
    a step that failed is not requested for ever: a model that cannot be graded is withheld from
    the board, and does not hold it up.
    """
    requests: list[dg.RunRequest] = []
    problems: list[str] = []
    try:
        suites = load_suites(assets_dir())
    except InputError as error:
        return dg.SensorResult(skip_reason=str(error))
    for suite in suites:
        try:
            requests += _next_step(suite, context.instance)
        except (InputError, StaleTableError) as error:
            problems.append(str(error))
    if not requests:
        reason = "; ".join(problems) or "every board is up to its ledger"
        return dg.SensorResult(skip_reason=reason)
    return dg.SensorResult(run_requests=requests)


def _next_step(suite: SuiteSpec, instance: dg.DagsterInstance) -> list[dg.RunRequest]:
    ledger = load_ledger(suite)
    store = TableStore.default()
    if not ledger.events or not store.path(suite.name, BANK.name).exists():
        return []
    gold = store.read(suite.name, GOLD)
    wanted, change = ledger.version(suite.version), ledger.last_change
    key = f"{suite.name}:{wanted}:{change}:{ledger.digest}"
    if gold is None or (gold["version"][0], gold["change"][0]) != (wanted, change):
        tables = [name for name in _GOLDS if name != BASELINES.name or suite.baselines]
        return [_request(f"{key}:gold", suite, tables)]
    grading = {f"{key}:grades:{model}": model for model in _behind(suite, store, wanted)}
    runs = {run_key: _last_run(instance, run_key) for run_key in grading}
    unasked = [run_key for run_key, run in runs.items() if run is None]
    if unasked:
        return [_request(k, suite, [GRADES.name], grading[k]) for k in unasked]
    if any(run is not None and not run.is_finished for run in runs.values()):
        return []
    board = store.read(suite.name, LEADERBOARD)
    if board is None or (board["version"][-1], board["change"][-1]) == (wanted, change):
        return []
    return [_request(f"{key}:board", suite, _BOARD)]


def _behind(suite: SuiteSpec, store: TableStore, version: str) -> list[str]:
    """Models with grades of another version, or whose grades cannot be read."""
    behind = []
    for model in store.partitions(suite.name, GRADES.name):
        try:
            grades = store.read(suite.name, GRADES, model)
        except StaleTableError:
            grades = None
        if grades is None or set(grades["version"]) != {version}:
            behind.append(model)
    return behind


def _last_run(instance: dg.DagsterInstance, run_key: str) -> dg.DagsterRun | None:
    """The run that a request of this key started, if it did."""
    found = instance.get_runs(filters=dg.RunsFilter(tags={_RUN_KEY: run_key}), limit=1)
    return found[0] if found else None


def _request(
    run_key: str, suite: SuiteSpec, tables: list[str] | tuple[str, ...], model: str | None = None
) -> dg.RunRequest:
    keys = [dg.AssetKey([suite.name, table]) for table in tables]
    return dg.RunRequest(run_key=run_key, asset_selection=keys, partition_key=model)
