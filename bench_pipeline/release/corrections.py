"""The corrections ledger: what was found wrong with golds, by whom, and what became of it.

The ledger is a CSV file that only grows. A row is an event: a correction takes a state. The
newest row of a `correction_id` is its state, and rows that were entered together share a
`change` number. So a correction that was applied, rolled back and applied again is three changes,
each with a version of the data of its own.
"""

import csv
import hashlib
import io
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import polars as pl

from bench_pipeline.contracts.csv_files import (
    Place,
    filled,
    iso_date,
    name_in,
    one_of,
    read_rows,
    slug,
)
from bench_pipeline.contracts.errors import InputError, shown
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.contracts.tables import CORRECTION_STATES, CORRECTIONS
from bench_pipeline.release.bank import GoldCheck, options_text, read_options
from bench_pipeline.release.history import Correction, check_history
from bench_pipeline.storage.files import replace_file

FIELDS = ("gold", "options")
_GIVEN = ("item_id", "field", "old_value", "new_value", "reason", "source", "reviewer", "date")
_VALUES = ("old_value", "new_value")
_LEDGER = ("change", "correction_id", *_GIVEN, "state")


@dataclass(frozen=True, slots=True)
class Ledger:
    """All events, oldest first, and what follows from them."""

    events: tuple[Correction, ...]

    @property
    def last_change(self) -> int:
        """The number of the newest change; 0 before the first."""
        return self.events[-1].change if self.events else 0

    @property
    def digest(self) -> str:
        """Eight hex digits of all events: another history has another."""
        rows = "\x1e".join("\x1f".join(map(str, as_row(e).values())) for e in self.events)
        return hashlib.sha256(rows.encode()).hexdigest()[:8]

    @property
    def states(self) -> dict[str, Correction]:
        """Correction → its newest event, in the order in which they took their state."""
        newest: dict[str, Correction] = {}
        for event in self.events:
            newest.pop(event.correction_id, None)
            newest[event.correction_id] = event
        return newest

    def in_state(self, state: str) -> list[Correction]:
        """The corrections that are in `state` now."""
        return [event for event in self.states.values() if event.state == state]

    def version(self, base: str) -> str:
        """The version of the data: `base` with its patch raised by the changes that moved a gold.

        A change that takes a correction into or out of `applied` moves it.
        """
        moving: set[int] = set()
        before: dict[str, str] = {}
        for event in self.events:
            if "applied" in (event.state, before.get(event.correction_id)):
                moving.add(event.change)
            before[event.correction_id] = event.state
        major, minor, patch = base.split(".")
        return f"{major}.{minor}.{int(patch) + len(moving)}"


def load_ledger(suite: SuiteSpec) -> Ledger:
    """The ledger of `suite`; empty where there is no file yet.

    Raises:
        InputError: at the first row that is wrong in itself or after the rows before it.
    """
    path = ledger_path(suite)
    if path is None or not path.exists():
        return Ledger(())
    name = name_in(suite, path)
    events = []
    for place, raw in read_rows(path, name, _LEDGER):
        if not raw["change"].isdecimal() or int(raw["change"]) < 1:
            raise place.error("change", f"found {shown(raw['change'])}", "1, 2, 3 …")
        events.append(_correction(place, raw, int(raw["change"]), raw["correction_id"]))
    check_history(events)
    return Ledger(tuple(events))


def ledger_path(suite: SuiteSpec) -> Path | None:
    """Where the suite's ledger is or would be; None where the suite declares none."""
    return suite.path(suite.corrections) if suite.corrections else None


def read_corrections(file: Path, ledger: Ledger) -> list[Correction]:
    """The rows of a file of new corrections, as one further change of `ledger`.

    `correction_id` may be left out: the same correction always gets the same id, so that a file
    that was rolled back can be applied again. `state` is `applied` where it is left out.

    Raises:
        InputError: at the first row that is wrong.
    """
    change = ledger.last_change + 1
    found = []
    for place, raw in read_rows(file, str(file), _GIVEN, ("correction_id", "state")):
        given = {**raw, "state": raw.get("state") or "applied"}
        event = _correction(place, given, change, raw.get("correction_id") or "unnamed")
        named = event if raw.get("correction_id") else replace(event, correction_id=_own_id(event))
        found.append(named)
    if not found:
        raise InputError(file, "there is no correction in it", accepted=", ".join(_GIVEN))
    return found


def _own_id(event: Correction) -> str:
    """The same correction always gets the same id."""
    return "c-" + hashlib.sha256("\x1f".join(event.identity).encode()).hexdigest()[:12]


def rolled_back(
    ledger: Ledger, change: int, reason: str, reviewer: str, date: str
) -> list[Correction]:
    """The events that take back what `change` applied, as one further change.

    Raises:
        InputError: nothing of that change is applied now.
    """
    undone = [
        replace(
            event,
            change=ledger.last_change + 1,
            state="rejected",
            reason=reason,
            reviewer=reviewer,
            date=date,
        )
        for event in reversed(ledger.in_state("applied"))
        if event.change == change
    ]
    if not undone:
        applied = sorted({event.change for event in ledger.in_state("applied")})
        raise InputError(
            "the corrections ledger",
            f"no correction of change {change} is applied",
            accepted=", ".join(map(str, applied)) or "nothing: none is applied",
        )
    return undone


def extended(ledger: Ledger, events: Iterable[Correction]) -> Ledger:
    """The ledger with further events.

    Raises:
        InputError: one of them does not follow from what is there.
    """
    together = (*ledger.events, *events)
    check_history(together)
    return Ledger(together)


def write_ledger(suite: SuiteSpec, ledger: Ledger) -> Path:
    """Write the whole ledger in place of the file; whoever reads meanwhile sees the old one.

    Raises:
        InputError: the suite declares none.
    """
    path = ledger_path(suite)
    if path is None:
        raise InputError(
            suite.folder / "suite.yaml",
            "the suite has no ledger",
            field="corrections",
            accepted="corrections: corrections.csv",
        )
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, _LEDGER, lineterminator="\n")
    writer.writeheader()
    writer.writerows(as_row(event) for event in ledger.events)
    replace_file(path, buffer.getvalue().encode())
    return path


def apply_ledger(bank: pl.DataFrame, ledger: Ledger, check_gold: GoldCheck) -> pl.DataFrame:
    """`bank` with the applied corrections; `correction_id` and `disputed` are added.

    `disputed` is true where an open correction says that the gold may be wrong.

    Raises:
        InputError: a correction names no item, its old value is not what stands there, or the
            item's grader rejects what all of them make of it together.
    """
    items = {row["item_id"]: row for row in bank.iter_rows(named=True)}
    for event in ledger.states.values():
        if event.item_id not in items and event.state != "rejected":
            raise event.place.error(
                "item_id", f"there is no item {shown(event.item_id)}", "an id of the bank"
            )
    newest: dict[str, Correction] = {}
    for event in ledger.in_state("applied"):
        item = items[event.item_id]
        _require_old_value(event, item)
        item[event.field] = event.new_value
        newest[event.item_id] = event
    for item_id, event in newest.items():
        _require_gradable(event, items[item_id], check_gold)
    ids = {item_id: event.correction_id for item_id, event in newest.items()}
    disputed = {
        event.item_id
        for event in ledger.in_state("open")
        if event.old_value == items[event.item_id][event.field]
    }
    return bank.with_columns(
        *(
            pl.Series(field, [items[item_id][field] for item_id in bank["item_id"]], pl.String)
            for field in FIELDS
        ),
        pl.Series("correction_id", [ids.get(i) for i in bank["item_id"]], pl.String),
        pl.Series("disputed", [i in disputed for i in bank["item_id"]], pl.Boolean),
    )


def require_old_values(events: Iterable[Correction], corrected: pl.DataFrame) -> None:
    """Hold new proposed and open corrections to the values that stand.

    Raises:
        InputError: one speaks of another value.
    """
    items = {row["item_id"]: row for row in corrected.iter_rows(named=True)}
    for event in events:
        if event.state in ("proposed", "open"):
            _require_old_value(event, items[event.item_id])


def outdated_corrections(corrected: pl.DataFrame, ledger: Ledger) -> list[str]:
    """Proposed and open corrections of values that no longer stand, a sentence each."""
    items = {row["item_id"]: row for row in corrected.iter_rows(named=True)}
    return [
        f"{event.place} ({event.item_id}): '{event.correction_id}' is '{state}' about "
        f"{shown(event.old_value)}, and {shown(items[event.item_id][event.field])} stands there "
        "now; enter it as rejected"
        for state in ("proposed", "open")
        for event in ledger.in_state(state)
        if event.old_value != items[event.item_id][event.field]
    ]


def _require_gradable(event: Correction, item: dict[str, str], check_gold: GoldCheck) -> None:
    options = {**read_options(item["options"]), "question": item["question"]}
    try:
        check_gold(item["answer_type"], item["gold"], options)
    except ValueError as error:
        raise event.place.error(
            "new_value", f"{shown(event.new_value)}: {str(error)[:300]}"
        ) from error


def _require_old_value(event: Correction, item: dict[str, str]) -> None:
    if event.old_value != item[event.field]:
        raise event.place.error(
            "old_value",
            f"found {shown(event.old_value)}",
            f"what stands there, {shown(item[event.field])}",
        )


def _correction(place: Place, raw: dict[str, str], change: int, correction_id: str) -> Correction:
    field = one_of(place, "field", raw["field"], FIELDS)
    values = {column: _value(place, field, column, raw[column]) for column in _VALUES}
    if values["old_value"] == values["new_value"]:
        raise place.error("new_value", "it is the old value", "another value")
    for column, accepted in (
        ("new_value", "the right value"),
        ("reason", "why the old value is wrong"),
        ("source", "where the new value stands"),
        ("reviewer", "who says so"),
        ("date", "a date such as 2024-04-01"),
    ):
        filled(place, column, raw[column], accepted)
    iso_date(place, "date", raw["date"])
    return Correction(
        change=change,
        correction_id=slug(place, "correction_id", correction_id),
        **{column: values.get(column, raw[column]) for column in _GIVEN},
        state=one_of(place, "state", raw["state"], CORRECTION_STATES),
        place=place,
    )


def _value(place: Place, field: str, column: str, text: str) -> str:
    """A value as the tables hold it: options as JSON with sorted keys."""
    if field != "options":
        return text
    try:
        return options_text(read_options(text))
    except ValueError as error:
        raise place.error(column, str(error), "a JSON object") from error


def ledger_table(ledger: Ledger) -> pl.DataFrame:
    """The `corrections` table."""
    return pl.DataFrame([as_row(event) for event in ledger.events], schema=CORRECTIONS.polars)


def as_row(event: Correction) -> dict[str, object]:
    """A correction as JSON and tables show it."""
    return {name: value for name, value in asdict(event).items() if name != "place"}
