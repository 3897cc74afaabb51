"""Runs a lane in this process on the same Dagster instance that the UI shows."""

import logging
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import click
import dagster as dg

from bench_pipeline.cli.progress import TerminalReporter
from bench_pipeline.contracts.construction import CANDIDATES, DOCUMENTS, TRANSLATIONS, VETTED
from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.judging import JUDGEMENTS
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.contracts.tables import COMPLETIONS, GOLD, GRADES
from bench_pipeline.infer.completions import INFERENCE
from bench_pipeline.partitions import add_missing_documents, add_missing_models
from bench_pipeline.publish.assets import CATALOG
from bench_pipeline.storage.responses import ResponseStore
from bench_pipeline.storage.tables import TableStore
from bench_pipeline.translate.imports import load_human

_PREPARE = ("facts", "corrections", "bank", "items", "gold")
_PUT = ("prompts", "baselines")
#: what a change of golds touches above the grades; prompts too, so that answers to a question that
#: was reworded meanwhile are missing and not graded under it
_REGRADE = (
    *("corrections", "bank", "items", "gold", "translated_items", "translated_gold"),
    *("prompts", "baselines"),
)
_READ, _MADE = ("pages", "chunks"), (CANDIDATES.name, VETTED.name)
_FROM_DOCUMENTS = ("pairs", "unique", "reviewed", "items", "gold")
_TRANSLATED = ("translated_items", "translated_gold")
_PER_MODEL = ("completions", "grades")
_JUDGED = ("judgements",)
_CONCLUDE = (
    "scores",
    "comparisons",
    "item_analysis",
    "protocols",
    "protocol_agreement",
    "leaderboard",
)


#: what a shell expects of a command that Ctrl-C ended
_INTERRUPTED = 130


@dataclass(slots=True)
class Outcome:
    """What failed, in words; empty when nothing did."""

    failures: list[str] = field(default_factory=list)
    published: list[SuiteSpec] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        """0 when everything was done, else 1."""
        return 1 if self.failures else 0

    def report(self) -> None:
        """Say what failed on standard error."""
        for failure in self.failures:
            click.secho(f"error: {failure}", fg="red", err=True)


def launch(
    suites: Sequence[SuiteSpec],
    models: Sequence[str],
    *,
    profile: str,
    limit: int | None = None,
    max_usd: float | None = None,
) -> Outcome:
    """Materialise the lanes of `suites` for `models`; a model that fails does not stop the rest.

    Tables of a suite that cannot be prepared stop that suite: nothing is asked for it. `max_usd`
    caps what all models and suites of this call cost together.
    """
    _quiet()
    outcome = Outcome()
    with TerminalReporter() as reporter, dg.DagsterInstance.get() as instance:
        add_missing_models(instance)
        store = TableStore.default()
        runner = _Runner(reporter, instance, outcome, max_usd)
        ready = [suite for suite in suites if _built(runner, instance, suite)]
        for suite in ready:
            for model in models:
                stored = ResponseStore.of(INFERENCE, suite.name, model)
                if limit == 0 and not stored.answered_ids():
                    continue  # tables are wanted, and there is no answer to publish
                runner.answer(suite, model, {"profile": profile, "limit": limit})
            for model in _graded_otherwise(store, suite, set(models)):
                runner.run(_keys(suite, _PER_MODEL[1:]), model)
        boards = [key for suite in ready for key in _keys(suite, _CONCLUDE)]
        if ready and not runner.run([*boards, CATALOG]):
            runner.run([CATALOG])
        outcome.published = ready
    return outcome


def _built(runner: "_Runner", instance: dg.DagsterInstance, suite: SuiteSpec) -> bool:
    """Whether everything that a suite asks could be prepared.

    Of documents and languages, one that fails does not stop the rest.
    """
    made = _made(runner, instance, suite) if suite.documents else runner.run(_keys(suite, _PREPARE))
    if not made:
        return False
    for language in _translated_into(suite):
        runner.run(_keys(suite, (TRANSLATIONS.name,)), language)
    return runner.run(_keys(suite, (*_TRANSLATED, *_PUT)))


def _translated_into(suite: SuiteSpec) -> list[str]:
    """The languages that there is something for: an engine, or files of people's translations."""
    settings = suite.translation
    if settings is None:
        return []
    if settings.engine is not None:
        return list(settings.languages)
    return [code for code in settings.languages if load_human(suite, settings.human, code)]


def _made(runner: "_Runner", instance: dg.DagsterInstance, suite: SuiteSpec) -> bool:
    """Whether a suite's items could be made of those of its documents that can be read."""
    if not runner.run(_keys(suite, ("documents",))):
        return False
    documents = TableStore.default().read(suite.name, DOCUMENTS)
    ids = documents["document_id"].to_list() if documents is not None else []
    add_missing_documents(instance, suite.name, ids)
    for document_id in ids:
        if runner.run(_keys(suite, _READ), document_id):
            # by themselves: each draws on what the one before left of the cap, and candidates of
            # which some are missing are marked too
            for table in _MADE:
                runner.run(_keys(suite, (table,)), document_id)
    return runner.run(_keys(suite, _FROM_DOCUMENTS))


def regrade(suite: SuiteSpec) -> Outcome:
    """Take the suite's golds as they are now, grade every model's answers again, and publish.

    Nothing is asked: a gold is no part of a prompt.
    """
    _quiet()
    outcome = Outcome()
    with TerminalReporter() as reporter, dg.DagsterInstance.get() as instance:
        add_missing_models(instance)
        runner = _Runner(reporter, instance, outcome, None)
        if runner.run(_keys(suite, _REGRADE)):
            for model in TableStore.default().partitions(suite.name, COMPLETIONS.name):
                runner.run(_keys(suite, _PER_MODEL[1:]), model)
            runner.run([*_keys(suite, _CONCLUDE), CATALOG])
            outcome.published = [suite]
    return outcome


def _keys(suite: SuiteSpec, tables: Sequence[str]) -> list[dg.AssetKey]:
    """The assets of those tables, as far as the suite has them."""
    has: dict[str, object] = {
        "baselines": suite.baselines,
        "facts": suite.facts,
        "corrections": suite.corrections,
        **dict.fromkeys(_TRANSLATED, suite.translation),
        **dict.fromkeys(_JUDGED, suite.judge),
        **dict.fromkeys(("protocols", "protocol_agreement"), suite.compares_protocols),
    }
    absent = {table for table, present in has.items() if not present}
    return [dg.AssetKey([suite.name, table]) for table in tables if table not in absent]


#: assets that ask a model, and so draw on a command's cap
_ASKING = frozenset(
    (CANDIDATES.name, VETTED.name, TRANSLATIONS.name, COMPLETIONS.name, JUDGEMENTS.name)
)


def _graded_otherwise(store: TableStore, suite: SuiteSpec, done: set[str]) -> list[str]:
    """Models that this call does not ask, but whose grades are of other golds than today's."""
    gold = store.read(suite.name, GOLD)
    outdated = []
    for model in store.partitions(suite.name, GRADES.name):
        if model in done or gold is None:
            continue
        grades = store.read(suite.name, GRADES, model)
        if grades is not None and grades.join(gold, on=["item_id", "gold_hash"], how="anti").height:
            outdated.append(model)
    return outdated


class _Runner:
    def __init__(
        self,
        reporter: TerminalReporter,
        instance: dg.DagsterInstance,
        outcome: Outcome,
        max_usd: float | None,
    ) -> None:
        # imported here: the module loads the roster and every suite, and may refuse them
        from bench_pipeline.definitions import build_defs

        self.job = build_defs({"progress": reporter}).resolve_implicit_global_asset_job_def()
        self.reporter, self.instance, self.outcome = reporter, instance, outcome
        #: what is left of the command's cap; every run that asks draws on it
        self.left_usd = max_usd

    def run(
        self,
        keys: list[dg.AssetKey],
        partition: str | None = None,
        asking: dict[str, Any] | None = None,
    ) -> bool:
        """One Dagster run; what failed goes to the outcome.

        `asking` configures its completions; whatever asks is given what is left of the cap.
        """
        if not keys:
            return True
        result = self.job.execute_in_process(
            run_config={
                "loggers": {"console": {"config": {"log_level": "CRITICAL"}}},
                "ops": self._ops(keys, asking or {}),
            },
            instance=self.instance,
            asset_selection=keys,
            partition_key=partition,
            raise_on_error=False,
        )
        if any(_interrupted(event) for event in result.all_events):
            click.secho(
                "interrupted: what was answered is stored; run it again and it goes on from there",
                err=True,
            )
            raise SystemExit(_INTERRUPTED)
        for event in result.all_events:
            if event.is_step_failure:
                self.outcome.failures.append(_message(event))
        if self.left_usd is not None:
            self.left_usd = max(0.0, self.left_usd - self.reporter.take_paid())
        return bool(result.success)

    def answer(self, suite: SuiteSpec, model: str, asking: dict[str, Any]) -> None:
        """Ask `model`, grade what it answered, and have it judged."""
        published = TableStore.default().path(suite.name, COMPLETIONS.name, model)
        if not self.run(_keys(suite, _PER_MODEL), model, asking) and published.exists():
            # what was answered before asking failed is published; it is graded too
            self.run(_keys(suite, _PER_MODEL[1:]), model)
        if published.exists():
            self.run(_keys(suite, _JUDGED), model)

    def _ops(self, keys: list[dg.AssetKey], asking: dict[str, Any]) -> dict[str, Any]:
        """The configuration of the assets among `keys` that ask a model."""
        found = {}
        for suite, table in (key.path for key in keys):
            if table in _ASKING:
                own = {"max_usd": self.left_usd, **(asking if table == COMPLETIONS.name else {})}
                set_values = {name: value for name, value in own.items() if value is not None}
                found[f"{suite}__{table}"] = {"config": set_values}
        return found


def _interrupted(event: dg.DagsterEvent) -> bool:
    """Whether a step ended because somebody stopped the process."""
    if not event.is_step_failure:
        return False
    error = event.step_failure_data.error
    names = [error.cls_name, error.cause.cls_name if error.cause else None] if error else []
    return bool({"DagsterExecutionInterruptedError", "KeyboardInterrupt"} & set(names))


def _message(event: dg.DagsterEvent) -> str:
    """What a failed step raised, without Dagster's frame around it."""
    data = event.step_failure_data
    if data.user_failure_data is not None and data.user_failure_data.description:
        return str(data.user_failure_data.description)
    error = data.error
    if error is not None and error.cause is not None:
        error = error.cause
    if error is None:
        return f"step {event.step_key} failed"
    name, _, message = error.message.strip().partition(": ")
    return message if name.endswith(InputError.__name__) else error.message.strip()


def _quiet() -> None:
    """A person at a terminal wants bars; Dagster's own log is in the run."""
    warnings.filterwarnings("ignore", category=dg.BetaWarning)
    warnings.filterwarnings("ignore", category=dg.PreviewWarning)
    logging.getLogger("dagster").setLevel(logging.CRITICAL)
    logging.getLogger("alembic").setLevel(logging.CRITICAL)
