"""Progress bars in the terminal; one plain line a finished step where there is none."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from bench_pipeline.contracts.progress import Bar


class _TaskBar:
    def __init__(self, progress: Progress, title: str, total: int) -> None:
        self.progress = progress
        self.task = progress.add_task(title, total=total, note="")

    def advance(self, steps: int = 1, note: str = "") -> None:
        """Move the bar; a note stays until the next one."""
        if note:
            self.progress.update(self.task, advance=steps, note=note)
        else:
            self.progress.advance(self.task, steps)


class TerminalReporter:
    """Bars on standard error, so that what a command prints can be piped."""

    def __init__(self) -> None:
        self.console = Console(stderr=True)
        self.progress = Progress(
            TextColumn("{task.description:<46}", markup=False),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[note]}", style="dim", markup=False),
            console=self.console,
        )
        self._paid = 0.0

    def __enter__(self) -> "TerminalReporter":
        if self.console.is_terminal:
            self.progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.console.is_terminal:
            self.progress.stop()

    def paid(self, usd: float) -> None:
        """Add to what `take_paid` gives next."""
        self._paid += usd

    def take_paid(self) -> float:
        """Dollars that were paid since it was last asked."""
        paid, self._paid = self._paid, 0.0
        return paid

    @contextmanager
    def stage(self, title: str, total: int) -> Iterator[Bar]:
        """A bar, or where there is no terminal a line when the step is done."""
        bar = _TaskBar(self.progress, title, total)
        yield bar
        if not self.console.is_terminal:
            task = self.progress.tasks[bar.task]
            note = f"  {task.fields['note']}" if task.fields["note"] else ""
            self.console.print(
                f"{title:<46} {task.completed:,.0f}/{total:,}  {task.elapsed or 0:.1f} s{note}",
                highlight=False,
                markup=False,
                soft_wrap=True,
            )
