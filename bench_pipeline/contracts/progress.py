"""How a long step says how far it is, without knowing who listens."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol


class Bar(Protocol):
    """One step's progress."""

    def advance(self, steps: int = 1, note: str = "") -> None:
        """So many steps further; `note` replaces what stands beside the bar."""


class Reporter(Protocol):
    """Opens a bar for a step of `total` steps."""

    def stage(self, title: str, total: int) -> AbstractContextManager[Bar]:
        """The bar, closed on leaving."""

    def paid(self, usd: float) -> None:
        """So many dollars were spent, whatever becomes of the step."""


class _Silent:
    def advance(self, steps: int = 1, note: str = "") -> None:
        """Nobody listens."""


class SilentReporter:
    """For runs without a terminal; the Dagster run's log and metadata carry the counts."""

    @contextmanager
    def stage(self, title: str, total: int) -> Iterator[Bar]:
        """A bar that nobody sees."""
        yield _Silent()

    def paid(self, usd: float) -> None:
        """The run's own events carry it."""
