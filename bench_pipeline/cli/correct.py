"""Corrections of golds: what they would change, and then the change."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl
from rich.console import Console
from rich.table import Table

from bench_pipeline.cli.launch import Outcome, regrade
from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.contracts.tables import COMPLETIONS
from bench_pipeline.grade import check_gold
from bench_pipeline.grade.grades import grade_completions
from bench_pipeline.release.bank import load_bank
from bench_pipeline.release.corrections import (
    Correction,
    Ledger,
    apply_ledger,
    as_row,
    extended,
    load_ledger,
    read_corrections,
    rolled_back,
    write_ledger,
)
from bench_pipeline.release.facts import load_facts
from bench_pipeline.release.sides import gold_of, items_of
from bench_pipeline.storage.tables import TableStore

_SHOWN_ITEMS = 30


@dataclass(frozen=True, slots=True)
class Plan:
    """A change of the ledger and what follows from it.

    `items` has a row an event, with the value that the item has before and after. `verdicts`
    maps a model to how often each verdict becomes another: (before, after) → answers.
    """

    suite: SuiteSpec
    ledger: Ledger
    events: tuple[Correction, ...]
    version_before: str
    version_after: str
    changed_items: tuple[str, ...]
    answers: dict[str, int]
    verdicts: dict[str, Counter[tuple[str, str]]]
    models_by_item: dict[str, list[str]]

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "suite": self.suite.name,
            "version": {"before": self.version_before, "after": self.version_after},
            "corrections": [as_row(event) for event in self.events],
            "items_whose_gold_changes": list(self.changed_items),
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
    return _plan(suite, ledger, read_corrections(file, ledger))


def rolled_back_events(suite: SuiteSpec, change: int, reason: str, reviewer: str) -> Plan:
    """What taking back `change` would change.

    Raises:
        InputError: nothing of it is applied, or something stands on it.
    """
    ledger = load_ledger(suite)
    today = datetime.now(UTC).date().isoformat()
    return _plan(suite, ledger, rolled_back(ledger, change, reason, reviewer, today))


def corrected(plan: Plan) -> Outcome:
    """Write the ledger and bring golds, grades, scores and board up to it.

    Raises:
        InputError: the ledger changed meanwhile.
    """
    if load_ledger(plan.suite).events != plan.ledger.events[: -len(plan.events)]:
        raise InputError(
            "the corrections ledger", "it changed since this was planned", accepted="try again"
        )
    write_ledger(plan.suite, plan.ledger)
    return regrade(plan.suite)


def _plan(suite: SuiteSpec, ledger: Ledger, events: Sequence[Correction]) -> Plan:
    together = extended(ledger, events)
    bank = load_bank(suite, load_facts(suite), check_gold)
    before = gold_of(apply_ledger(bank, ledger, check_gold), ledger.version(suite.version))
    after = gold_of(apply_ledger(bank, together, check_gold), together.version(suite.version))
    changed = after.join(before, on=["item_id", "gold_hash"], how="anti")["item_id"]
    touched = set(changed)
    items = items_of(bank)
    store = TableStore.default()
    answers: dict[str, int] = {}
    verdicts: dict[str, Counter[tuple[str, str]]] = {}
    models_by_item: dict[str, list[str]] = {item: [] for item in changed}
    for model in store.partitions(suite.name, COMPLETIONS.name):
        completions = store.read(suite.name, COMPLETIONS, model)
        if completions is None:
            continue
        own = completions.filter(pl.col("item_id").is_in(sorted(touched)))
        old, new = (grade_completions(own, items, gold) for gold in (before, after))
        moved = old.select("request_id", "item_id", pl.col("verdict").alias("before")).join(
            new.select("request_id", pl.col("verdict").alias("after")), on="request_id"
        )
        moved = moved.filter(pl.col("before") != pl.col("after"))
        answers[model] = own.height
        verdicts[model] = Counter(moved.select("before", "after").iter_rows())
        for item in moved["item_id"].unique():
            models_by_item[item].append(model)
    return Plan(
        suite=suite,
        ledger=together,
        events=tuple(events),
        version_before=ledger.version(suite.version),
        version_after=together.version(suite.version),
        changed_items=tuple(changed),
        answers=answers,
        verdicts=verdicts,
        models_by_item=models_by_item,
    )


def print_plan(plan: Plan) -> None:
    """The change as two tables: per item, and per model."""
    console = Console() if Console().is_terminal else Console(width=140)
    title = f"{plan.suite.name} {plan.version_before} → {plan.version_after}"
    by_item = Table(title=f"{title}: change {plan.events[0].change} of the ledger")
    for heading in ("Item", "Field", "Old", "New", "State", "Verdicts change of"):
        by_item.add_column(heading, overflow="fold")
    for event in plan.events[:_SHOWN_ITEMS]:
        models = plan.models_by_item.get(event.item_id)
        moved = ", ".join(models) if models else "no model"
        if event.item_id not in plan.changed_items:
            moved = "gold stays"
        by_item.add_row(
            event.item_id, event.field, event.old_value, event.new_value, event.state, moved
        )
    console.print(by_item, markup=False)
    if len(plan.events) > _SHOWN_ITEMS:
        console.print(f"… and {len(plan.events) - _SHOWN_ITEMS} more (--json lists all)")
    by_model = Table(title=f"{len(plan.changed_items)} golds change; no model is asked")
    for heading in ("Model", "Answers graded again", "Verdicts that change"):
        by_model.add_column(heading)
    for model, changes in plan.verdicts.items():
        sentences = [
            f"{count} × {before} → {after}" for (before, after), count in sorted(changes.items())
        ]
        by_model.add_row(model, str(plan.answers[model]), "; ".join(sentences) or "none")
    console.print(by_model, markup=False)
