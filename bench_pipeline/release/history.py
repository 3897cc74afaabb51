"""One correction of the ledger, and how a row of it may follow those before it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench_pipeline.contracts.csv_files import Place
from bench_pipeline.contracts.errors import shown

#: what a correction is about; two that agree in it are one
_IDENTITY = ("item_id", "field", "old_value", "new_value")


@dataclass(frozen=True, slots=True)
class Correction:
    """One row of the ledger: a correction and the state that it takes."""

    change: int
    correction_id: str
    item_id: str
    field: str
    old_value: str
    new_value: str
    reason: str
    source: str
    reviewer: str
    date: str
    state: str
    place: Place

    @property
    def target(self) -> tuple[str, str]:
        """What it is about: item and field."""
        return self.item_id, self.field

    @property
    def identity(self) -> tuple[str, ...]:
        """What it says of that: two corrections that agree in it are one."""
        return tuple(getattr(self, column) for column in _IDENTITY)


def check_history(events: Sequence[Correction]) -> None:
    """Changes count up, a correction stays what it is about, and those of one value stack up.

    Of each item and field the applied corrections are a stack: a further one must correct what
    the top one made, and only the top one can be taken back.
    """
    newest: dict[str, Correction] = {}
    stacks: dict[tuple[str, str], list[Correction]] = defaultdict(list)
    last = 0
    for event in events:
        if event.change not in (last, last + 1):
            raise event.place.error("change", f"found {event.change} after {last}", f"{last + 1}")
        last = event.change
        _refuse_repetition(event, newest.get(event.correction_id))
        stack = stacks[event.target]
        undecided = _undecided(event, newest)
        if any(other.correction_id == event.correction_id for other in stack):
            _take_back(event, stack, undecided)
        else:
            _refuse_conflict(event, stack, undecided)
        if event.state == "applied":
            stack.append(event)
        newest[event.correction_id] = event


def _refuse_repetition(event: Correction, before: Correction | None) -> None:
    if before is None:
        return
    if before.identity != event.identity:
        raise event.place.error(
            "correction_id",
            f"'{event.correction_id}' was about something else before ({before.place})",
            "an id of its own",
        )
    if before.change == event.change or before.state == event.state:
        raise event.place.error(
            "state",
            f"'{event.correction_id}' is '{before.state}' already ({before.place})",
            "a state that it takes anew",
        )


def _undecided(event: Correction, newest: Mapping[str, Correction]) -> list[Correction]:
    """Other proposed or open corrections of the same item and field."""
    return [
        other
        for other in newest.values()
        if other.target == event.target
        and other.state in ("proposed", "open")
        and other.correction_id != event.correction_id
    ]


def _take_back(event: Correction, stack: list[Correction], undecided: list[Correction]) -> None:
    top = stack[-1]
    if top.correction_id != event.correction_id:
        raise event.place.error(
            "state",
            f"{_named(top)} stands on this correction",
            "roll that one back first",
        )
    if undecided:
        raise event.place.error(
            "state",
            f"{_named(undecided[0])} is '{undecided[0].state}' about the value that this would "
            "take back",
            "decide that one first",
        )
    stack.pop()


def _refuse_conflict(
    event: Correction, stack: list[Correction], undecided: list[Correction]
) -> None:
    if event.state == "rejected":
        return
    if stack and stack[-1].new_value != event.old_value:
        raise event.place.error(
            "old_value",
            f"found {shown(event.old_value)}",
            f"what {_named(stack[-1])} made of it, {shown(stack[-1].new_value)}",
        )
    if undecided:
        raise event.place.error(
            "field",
            f"{_named(undecided[0])} corrects the same value",
            "one correction of a value; reject the other first",
        )


def _named(event: Correction) -> str:
    """A correction as messages call it: where it stands, and which change a roll-back takes."""
    return f"'{event.correction_id}' of change {event.change} ({event.place})"
