"""Corrections of golds: what they would change, and then the change."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import polars as pl
from filelock import FileLock
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bench_pipeline.cli.launch import Outcome, regrade
from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.paths import disk_warehouse
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.contracts.tables import COMPLETIONS
from bench_pipeline.grade import check_gold
from bench_pipeline.grade.grades import grade_completions
from bench_pipeline.quality.expectations import Outcome as QualityOutcome
from bench_pipeline.release.corrections import (
    Ledger,
    as_row,
    extended,
    ledger_path,
    load_ledger,
    read_corrections,
    require_old_values,
    rolled_back,
    write_ledger,
)
from bench_pipeline.release.history import Correction
from bench_pipeline.release.reading import BankFiles, check_version, read_bank
from bench_pipeline.score.scoring import check_items
from bench_pipeline.storage.tables import TableStore

_SHOWN_ITEMS = 30


@dataclass(frozen=True, slots=True)
class Plan:
    """A change of the ledger and what follows from it.

    `changed_items` are those whose gold or options change, each with the models of which a verdict
    changes; `verdicts` says of each model how often one verdict becomes another, and `answers` how
    many of its answers are graded again.
    """

    suite: SuiteSpec
    ledger: Ledger
    events: tuple[Correction, ...]
    version_before: str
    version_after: str
    changed_items: dict[str, list[str]]
    answers: dict[str, int]
    verdicts: dict[str, Counter[tuple[str, str]]]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "suite": self.suite.name,
            "version": {"before": self.version_before, "after": self.version_after},
            "corrections": [as_row(event) for event in self.events],
            "notes": list(self.notes),
            "items": [
                {"item_id": item_id, "verdicts_change_of": models}
                for item_id, models in self.changed_items.items()
            ],
            "models": {
                model: {
                    "answers_graded_again": self.answers[model],
                    "verdicts": [
                        {"before": before, "after": after, "answers": count}
                        for (before, after), count in sorted(changes.items())
                    ],
                }
                for model, changes in self.verdicts.items()
            },
        }


def suite_with_ledger(suites: Sequence[SuiteSpec]) -> SuiteSpec:
    """The one of `suites` that has a corrections ledger.

    Raises:
        InputError: none has, or several have.
    """
    having = [suite for suite in suites if suite.corrections]
    if len(having) != 1:
        names = ", ".join(suite.name for suite in having)
        raise InputError(
            "--suite",
            f"{len(having)} of these suites have a corrections ledger",
            accepted=names or "a suite whose suite.yaml names one, such as corrections.csv",
        )
    return having[0]


def plan_correction(suite: SuiteSpec, file: Path) -> Plan:
    """What the corrections of `file` would change.

    Raises:
        InputError: the file, the ledger or the bank is wrong.
    """
    ledger = load_ledger(suite)
    events = read_corrections(file, ledger)
    return _plan(suite, ledger, [] if _stand_already(ledger, events) else events)


def plan_roll_back(suite: SuiteSpec, change: int, reason: str, reviewer: str) -> Plan:
    """What taking back `change` would change.

    Raises:
        InputError: nothing of it is applied, or something stands on it.
    """
    ledger = load_ledger(suite)
    made = {e.correction_id for e in ledger.events if (e.change, e.state) == (change, "applied")}
    if made and all(ledger.states[correction_id].state == "rejected" for correction_id in made):
        return _plan(suite, ledger, [])
    today = datetime.now(UTC).date().isoformat()
    return _plan(suite, ledger, rolled_back(ledger, change, reason, reviewer, today))


def plan_resumption(suite: SuiteSpec) -> Plan:
    """Nothing new for the ledger: tables that are behind it are brought up to it."""
    return _plan(suite, load_ledger(suite), [])


def _stand_already(ledger: Ledger, events: Sequence[Correction]) -> bool:
    """Whether the ledger holds every one of them in that state: a command that was cut short.

    An applied one must be what its value comes from: another may stand on it.
    """
    top = {event.target: event.correction_id for event in ledger.in_state("applied")}
    return all(
        (now := ledger.states.get(event.correction_id)) is not None
        and (now.identity, now.state) == (event.identity, event.state)
        and (event.state != "applied" or top[event.target] == event.correction_id)
        for event in events
    )


def write_and_regrade(plan: Plan) -> Outcome:
    """Write the ledger and bring golds, grades, scores and board up to it.

    A command that was cut short after the ledger was written is made good by giving it again.

    Raises:
        InputError: the ledger changed meanwhile.
    """
    with FileLock(disk_warehouse() / f".{plan.suite.name}.corrections.lock"):
        known = len(plan.ledger.events) - len(plan.events)
        if load_ledger(plan.suite).events != plan.ledger.events[:known]:
            raise InputError(
                "the corrections ledger", "it changed since this was planned", accepted="try again"
            )
        if plan.events:
            write_ledger(plan.suite, plan.ledger)
    return regrade(plan.suite)


def _plan(suite: SuiteSpec, ledger: Ledger, events: Sequence[Correction]) -> Plan:
    store = TableStore.default()
    before = read_bank(suite, check_gold, ledger)
    after = read_bank(suite, check_gold, extended(ledger, events))
    # the version that the correction makes would hide an edit that nobody gave a version
    versions = [check_version(suite, files, store) for files in (before, after)]
    _refuse(suite, [*versions, *after.outcomes])
    check_items(suite, after.bank)
    require_old_values(events, before.corrected)
    changed = after.gold.join(before.gold, on=["item_id", "gold_hash"], how="anti")["item_id"]
    changed_items: dict[str, list[str]] = {item: [] for item in changed}
    answers: dict[str, int] = {}
    verdicts: dict[str, Counter[tuple[str, str]]] = {}
    for model in store.partitions(suite.name, COMPLETIONS.name):
        completions = store.read(suite.name, COMPLETIONS, model)
        if completions is None:
            continue
        own = completions.filter(pl.col("item_id").is_in(list(changed_items)))
        moved = _moved(own, before, after)
        answers[model] = own.height
        verdicts[model] = Counter(moved.select("before", "after").iter_rows())
        for item in moved["item_id"].unique():
            changed_items[item].append(model)
    return Plan(
        suite=suite,
        ledger=after.ledger,
        events=tuple(events),
        version_before=before.version,
        version_after=after.version,
        changed_items=changed_items,
        answers=answers,
        verdicts=verdicts,
        notes=tuple(_against_formulas(events, before.bank)),
    )


def _against_formulas(events: Sequence[Correction], bank: pl.DataFrame) -> Iterator[str]:
    """Golds that are to be something else than their formula gives: a fact may be what is wrong.

    `bank` is the bank as its files have it, where every formula gives its row's gold.
    """
    computed = bank.filter(pl.col("formula").is_not_null())
    formulas = {row[0]: row[1:] for row in computed.select("item_id", "formula", "gold").rows()}
    for event in events:
        formula, gold = formulas.get(event.item_id, ("", event.new_value))
        if event.state == "applied" and event.field == "gold" and event.new_value != gold:
            yield (
                f"{event.item_id}: its formula {formula} gives {gold}; if a fact is wrong, the "
                "fact tables are the place to mend it"
            )


def _refuse(suite: SuiteSpec, outcomes: Sequence[QualityOutcome]) -> None:
    """Stop before anything is written where the bank would not pass its gate afterwards."""
    failed = [
        sentence
        for outcome in outcomes
        if not outcome.success and outcome.expectation.severity == "error"
        for sentence in outcome.sample
    ]
    if failed:
        more = f" (and {len(failed) - 1} more: bench check)" if len(failed) > 1 else ""
        raise InputError(
            f"the bank of {suite.name}", f"it would not pass its gate: {failed[0]}{more}"
        )


def _moved(completions: pl.DataFrame, before: BankFiles, after: BankFiles) -> pl.DataFrame:
    """The answers whose verdict changes: request_id, item_id, before, after."""
    old, new = (
        grade_completions(completions, files.items, files.gold) for files in (before, after)
    )
    both = old.select("request_id", "item_id", pl.col("verdict").alias("before")).join(
        new.select("request_id", pl.col("verdict").alias("after")), on="request_id"
    )
    return both.filter(pl.col("before") != pl.col("after"))


def print_plan(plan: Plan) -> None:
    """The change as two tables: per item, and per model."""
    console = Console() if Console().is_terminal else Console(width=140)
    if not plan.events:
        console.print(
            f"{plan.suite.name} {plan.version_after}: nothing new for the ledger; what is behind "
            "it is golds, grades and board at most"
        )
        return
    title = f"{plan.suite.name} {plan.version_before} → {plan.version_after}"
    by_item = Table(title=f"{title}: change {plan.events[0].change} of the ledger")
    for heading in ("Item", "Field", "From", "To", "State", "Verdicts change of"):
        by_item.add_column(heading, overflow="fold")
    for event in plan.events[:_SHOWN_ITEMS]:
        models = plan.changed_items.get(event.item_id)
        moved = "gold stays" if models is None else ", ".join(models) or "no model"
        values = (event.old_value, event.new_value)
        if event.state == "rejected" and models is not None:
            values = (event.new_value, event.old_value)
        by_item.add_row(*map(Text, (event.item_id, event.field, *values, event.state, moved)))
    console.print(by_item)
    if len(plan.events) > _SHOWN_ITEMS:
        console.print(f"… and {len(plan.events) - _SHOWN_ITEMS} more (--json lists all)")
    for note in plan.notes:
        console.print(note, style="yellow", highlight=False, markup=False)
    count = len(plan.changed_items)
    golds = "1 gold changes" if count == 1 else f"{count} golds change"
    by_model = Table(title=f"{golds}; no model is asked")
    for heading in ("Model", "Answers graded again", "Verdicts that change"):
        by_model.add_column(heading)
    for model, changes in plan.verdicts.items():
        sentences = [
            f"{count} × {before} → {after}" for (before, after), count in sorted(changes.items())
        ]
        by_model.add_row(model, str(plan.answers[model]), "; ".join(sentences) or "none")
    console.print(by_model)


def conclusion(plan: Plan) -> str:
    """What was done, where it stands, and how to take it back."""
    change = plan.events[0].change
    suite = plan.suite.name
    said = f"Change {change} is in {ledger_path(plan.suite)}; {suite} is now {plan.version_after}."
    if not any(event.state == "applied" for event in plan.events):
        return said
    undo = f"bench correct --suite {suite} --roll-back {change} --reason … --reviewer …"
    return f"{said}\nTo take it back: {undo}"


def print_ledger(suite: SuiteSpec, as_json: bool) -> None:
    """Every correction in the state that it is in, undecided ones first."""
    corrections = list(load_ledger(suite).states.values())
    if as_json:
        click.echo(json.dumps([as_row(event) for event in corrections], ensure_ascii=False))
        return
    if not corrections:
        click.echo(f"{suite.name}: no correction yet")
        return
    console = Console() if Console().is_terminal else Console(width=140)
    table = Table(title=f"Corrections of {suite.name}")
    for heading in ("State", "Change", "Id", "Item", "Field", "Old", "New", "Reviewer", "Reason"):
        table.add_column(heading, overflow="fold")
    order = ("open", "proposed", "applied", "rejected")
    for event in sorted(corrections, key=lambda event: order.index(event.state)):
        cells = (event.correction_id, event.item_id, event.field, event.old_value)
        rest = (event.new_value, event.reviewer, event.reason)
        table.add_row(*map(Text, (event.state, str(event.change), *cells, *rest)))
    console.print(table)
