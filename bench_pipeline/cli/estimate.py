"""`bench estimate`: the plan of a run as a table, from the suite's files and what is stored."""

from collections.abc import Iterator, Sequence

import polars as pl
from rich.console import Console
from rich.table import Table

from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.roster import ModelSpec
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.contracts.tables import ITEMS, TRANSLATED_ITEMS
from bench_pipeline.grade import check_gold
from bench_pipeline.infer.completions import INFERENCE
from bench_pipeline.infer.estimate import Estimate, estimate
from bench_pipeline.infer.prompts import build_prompts
from bench_pipeline.release.reading import read_bank
from bench_pipeline.storage.responses import ResponseStore
from bench_pipeline.storage.tables import TableStore

_UNKNOWN = "unknown"


def estimates(suite: SuiteSpec, models: Sequence[ModelSpec], profile: str) -> Iterator[Estimate]:
    """One estimate a model; the suite's files are read, nothing is written.

    Raises:
        InputError: the suite's files are wrong, or it has no such profile.
    """
    suite.profile(profile)
    renderings = TableStore.default().read(suite.name, TRANSLATED_ITEMS)
    prompts = build_prompts(_items(suite), suite, renderings if suite.translation else None)
    for spec in models:
        store = ResponseStore.of(INFERENCE, suite.name, spec.id)
        yield estimate(suite.name, prompts, spec, profile, store)


def _items(suite: SuiteSpec) -> pl.DataFrame:
    """The suite's items: from its files, or as they were last made from its documents."""
    if suite.documents is None:
        return read_bank(suite, check_gold).items
    items = TableStore.default().read(suite.name, ITEMS)
    if items is None:
        raise InputError(
            suite.folder,
            "its items were not made yet",
            accepted=f"bench run --suite {suite.name} --limit 0 makes them and asks nothing",
        )
    return items


def not_counted(suite: SuiteSpec) -> list[str]:
    """What else a run of the suite asks, a sentence each: it depends on answers not there yet."""
    lines = []
    agents = [m for m in (suite.generation.agent_one, suite.generation.agent_two) if m]
    if suite.documents and agents:
        lines.append(f"{suite.name}: chunks and candidates are put to {' and '.join(agents)}.")
    if suite.translation and suite.translation.engine:
        languages = len(suite.translation.languages)
        engine = suite.translation.engine
        lines.append(f"{suite.name}: {engine} translates into {languages} languages.")
    if suite.judge:
        again = "once, and once more where its reply cannot be read"
        lines.append(f"{suite.name}: {suite.judge.model} judges every short answer {again}.")
    return lines


def print_estimates(rows: Sequence[Estimate], beside: Sequence[str] = ()) -> None:
    """The estimates as a table, and what they do not count."""
    table = Table(title="What is left to ask")
    for heading in ("Suite", "Model", "Profile"):
        table.add_column(heading)
    for heading in ("Requests", "Tokens in", "Tokens out", "Expected", "At most", "Time"):
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(
            row.suite,
            row.model,
            row.profile,
            f"{row.to_ask:,} of {row.requests:,}",
            f"{row.prompt_tokens:,}",
            f"{row.completion_tokens:,}",
            _usd(row.expected_usd),
            _usd(row.at_most_usd),
            _time(row.seconds),
        )
    console = Console() if Console().is_terminal else Console(width=120)
    console.print(table)
    guessed = [row.model for row in rows if row.to_ask and not row.measured_on]
    if guessed:
        console.print(
            "Rules of thumb (4 bytes a token in, 150 tokens out) where nothing is stored yet: "
            + ", ".join(sorted(set(guessed))),
            style="dim",
        )
    if beside:
        console.print("Not counted:", *beside, sep="\n", style="dim", highlight=False, markup=False)


def _usd(value: float | None) -> str:
    return _UNKNOWN if value is None else f"${value:,.4f}"


def _time(seconds: float | None) -> str:
    if seconds is None:
        return _UNKNOWN
    return f"{seconds:,.0f} s" if seconds < 120 else f"{seconds / 60:,.0f} min"
