"""`bench protocols`: one set of answers under every protocol, by language and domain."""

from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Any

import polars as pl
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bench_pipeline.cli.board import board_rows, fitting_table, open_console
from bench_pipeline.contracts.baselines import BASELINE_PREFIX, BASELINE_TITLES
from bench_pipeline.contracts.construction import EXAMPLE
from bench_pipeline.contracts.judging import PROTOCOL_AGREEMENT, PROTOCOL_SCORES
from bench_pipeline.contracts.languages import languages
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.contracts.tables import TRANSLATED_ITEMS
from bench_pipeline.partitions import roster
from bench_pipeline.score.protocols import main_protocols, own_protocol, protocols_of
from bench_pipeline.storage.tables import TableStore

#: languages that suites are written in and not translated to
_UNTRANSLATED = {"en": "English"}
_COUNTS = {
    "correct": "Right",
    "incorrect": "Wrong",
    "not_attempted": "Declined",
    "undetermined": "Undeterm.",
}
_MODEL_WIDTH, _VALUE_WIDTH = 18, 13
_HEADINGS = {"judge": "LLM judge", "substring": "Exact\nsubstring"}
_FOOT = (
    "Accuracy in percent with its 95 % interval. Right, wrong, declined (not attempted): answers "
    "under {own}, on which the suite's scores rest. Undetermined answers and unread verdicts are "
    "in neither.",
    "τ: Kendall's τ-b over the models that both rank; swapped: pairs in another order.",
)


def protocol_rows(
    suite: SuiteSpec, profile: str | None, version: str | None
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The `protocols` and `protocol_agreement` rows of the board that `bench board` would show."""
    store = TableStore.default()
    board = board_rows(suite, profile, version)
    tables = []
    for schema in (PROTOCOL_SCORES, PROTOCOL_AGREEMENT):
        found = store.read(suite.name, schema)
        if found is None or board.is_empty():
            tables.append(schema.empty())
            continue
        own = (pl.col("version") == board["version"][0]) & (
            pl.col("profile") == board["profile"][0]
        )
        tables.append(found.filter(own))
    return tables[0], tables[1]


def print_protocols(
    suites: Sequence[SuiteSpec], profile: str | None, version: str | None, every_slice: bool
) -> None:
    """Print every suite's protocols; a suite that compares none, or has no board yet, says so."""
    console = open_console()
    for suite in suites:
        scores, agreement = protocol_rows(suite, profile, version)
        if scores.is_empty():
            line = f"{suite.title}: no protocols yet; run `bench run --suite {suite.name}`"
            console.print(line, markup=False)
            continue
        named = scores.with_columns(title=_titles(scores["model"]))
        _print_suite(console, suite, named, agreement, every_slice)


def _print_suite(
    console: Console,
    suite: SuiteSpec,
    scores: pl.DataFrame,
    agreement: pl.DataFrame,
    every_slice: bool,
) -> None:
    overall = scores.filter(pl.col("slice") == "overall")
    table, gone = fitting_table(
        console, lambda left: _overall_table(suite, overall, left), _optional(suite)
    )
    console.print(table)
    console.print(_slices_table(suite, scores, every_slice))
    console.print(_agreement_table(suite, agreement, every_slice))
    own = own_protocol(suite).name.replace("_", " ")
    foot = [
        *(text.format(own=own) for text in _FOOT),
        *_thresholds(suite, agreement),
        *_notes(suite, overall),
        *_examples(suite),
    ]
    if gone:
        headings = ", ".join(_COUNTS.get(name) or _short(name) for name in gone)
        foot.append(f"No room for {headings}: a wider window or --json shows them.")
    for line in foot:
        console.print(line, style="dim", highlight=False, markup=False)


def _titles(models: pl.Series) -> pl.Series:
    known = roster()

    def title(model: str) -> str:
        if model.startswith(BASELINE_PREFIX):
            return BASELINE_TITLES[model.removeprefix(BASELINE_PREFIX)]
        spec = known.get(model)
        return spec.name if spec is not None else model

    return pl.Series("title", [title(model) for model in models], dtype=pl.String)


def _heading(protocol: str) -> str:
    if protocol in _HEADINGS:
        return _HEADINGS[protocol]
    return f"Overlap\n≥ {protocol.rsplit(' ', 1)[1]}"


def _optional(suite: SuiteSpec) -> list[str]:
    """What goes first where the window is narrow: further thresholds, then counts."""
    main = main_protocols(suite)
    further = [p.name for p in protocols_of(suite) if p not in main]
    return [*further, *reversed(_COUNTS)]


def _overall_table(suite: SuiteSpec, overall: pl.DataFrame, optional: Collection[str]) -> Table:
    version, profile = overall["version"][0], overall["profile"][0]
    title = f"{suite.title} ({suite.name} {version}, profile {profile}) under every protocol"
    table = Table(title=Text(title, style="italic"))
    table.add_column("Model", overflow="fold", min_width=_MODEL_WIDTH)
    main = [protocol.name for protocol in main_protocols(suite)]
    protocols = [*main, *(p.name for p in protocols_of(suite) if p.name in optional)]
    counts = [name for name in _COUNTS if name in optional]
    for protocol in protocols:
        table.add_column(_heading(protocol), justify="right", no_wrap=True, min_width=_VALUE_WIDTH)
    for name in counts:
        heading = _COUNTS[name]
        table.add_column(heading, justify="right", no_wrap=True, min_width=len(heading))
    cells = {(row["model"], row["protocol"]): row for row in overall.iter_rows(named=True)}
    own = own_protocol(suite).name
    for model, title, baseline in _models(overall):
        counted = cells.get((model, own))
        table.add_row(
            Text(title),
            *(_estimate(cells.get((model, protocol)), wide=True) for protocol in protocols),
            *(Text("–" if counted is None else str(counted[name])) for name in counts),
            style="dim" if baseline else "",
        )
    return table


def _slices_table(suite: SuiteSpec, scores: pl.DataFrame, every_slice: bool) -> Table:
    table = Table(title=Text("By language and domain", style="italic"))
    table.add_column("Of", overflow="fold", min_width=14)
    table.add_column("Model", overflow="fold", min_width=18)
    table.add_column("n", justify="right")
    main = [protocol.name for protocol in main_protocols(suite)]
    for protocol in main:
        table.add_column(_heading(protocol), justify="right", no_wrap=True)
    own = scores.filter(~pl.col("baseline") & (pl.col("slice") != "overall"))
    for (slice_name,), rows in own.group_by("slice", maintain_order=True):
        if not every_slice and "/" in str(slice_name):
            continue
        cells = {(row["model"], row["protocol"]): row for row in rows.iter_rows(named=True)}
        for position, (model, title, _) in enumerate(_models(rows)):
            found = [cells.get((model, protocol)) for protocol in main]
            most = max((row["n"] for row in found if row is not None), default=0)
            table.add_row(
                Text("" if position else _slice(suite, str(slice_name))),
                Text(title),
                Text(str(most)),
                *(_estimate(row, wide=False) for row in found),
            )
        table.add_section()
    return table


def _agreement_table(suite: SuiteSpec, agreement: pl.DataFrame, every_slice: bool) -> Table:
    """A row a slice: τ of every two of the main protocols, and whom any of them swap."""
    pairs = list(combinations([protocol.name for protocol in main_protocols(suite)], 2))
    table = Table(title=Text("How alike the protocols rank: Kendall's τ", style="italic"))
    table.add_column("Of", overflow="fold", min_width=14)
    for a, b in pairs:
        table.add_column(f"{_short(a)} –\n{_short(b)}", justify="right", no_wrap=True)
    table.add_column("Models", justify="right", no_wrap=True)
    table.add_column("Swapped", overflow="fold", min_width=16)
    for (slice_name,), rows in agreement.group_by("slice", maintain_order=True):
        if not every_slice and "/" in str(slice_name):
            continue
        found = {(row["protocol_a"], row["protocol_b"]): row for row in rows.iter_rows(named=True)}
        # a judge or threshold that came after the board has no row at it
        own = [found.get(pair) for pair in pairs]
        known = [row for row in own if row is not None]
        swapped = sorted({models for row in known for models in row["swapped"]})
        table.add_row(
            Text(_slice(suite, str(slice_name))),
            *(Text(_tau(row)) for row in own),
            Text(str(max((row["models"] for row in known), default=0))),
            Text(", ".join(swapped) or "none"),
        )
    return table


def _tau(row: dict[str, Any] | None) -> str:
    return "–" if row is None or row["tau"] is None else f"{row['tau']:.2f}"


def _thresholds(suite: SuiteSpec, agreement: pl.DataFrame) -> list[str]:
    """How the overall ranking moves with the threshold, and why a τ is absent."""
    overall = agreement.filter(pl.col("slice") == "overall")
    main = {protocol.name for protocol in main_protocols(suite)}
    others = overall.filter(~pl.col("protocol_b").is_in(main))
    said = [
        f"{_short(row['protocol_b'])} {'–' if row['tau'] is None else format(row['tau'], '.2f')}"
        for row in others.iter_rows(named=True)
    ]
    own = others["protocol_a"][0].replace("_", " ") if said else ""
    lines = [f"τ of {own} with other thresholds: {', '.join(said)}."] if said else []
    why = overall["reason"].drop_nulls().unique(maintain_order=True).to_list()
    return lines + ([f"No τ (–) where {', or '.join(why)}."] if why else [])


def _short(protocol: str) -> str:
    return _heading(protocol).replace("\n", " ").replace("LLM ", "").replace("Exact ", "")


def _models(rows: pl.DataFrame) -> list[tuple[str, str, bool]]:
    """(model, title, baseline) of `rows`, models before baselines."""
    own = rows.select("model", "title", "baseline").unique(maintain_order=True)
    return sorted(own.rows(), key=lambda row: (row[2], row[1]))


def _estimate(row: dict[str, Any] | None, *, wide: bool) -> Text:
    if row is None or row["value"] is None:
        return Text("–")
    text = Text(f"{row['value']:.1f}")
    if wide and row["low"] is not None:
        text.append(f"\n{row['low']:.1f} to {row['high']:.1f}", style="dim")
    return text


def _slice(suite: SuiteSpec, name: str) -> str:
    """A slice in words."""
    if name == "overall":
        return "Everything"
    said = []
    for part in name.split("/"):
        kind, _, value = part.partition(":")
        if kind == "category":
            said.append(suite.categories.get(value, value))
        else:
            known = languages().get(value)
            language = known.name if known is not None else _UNTRANSLATED.get(value, value)
            said.append(f"in {language}" + (" (translated)" if kind == "translation" else ""))
    return ", ".join(said)


def _examples(suite: SuiteSpec) -> list[str]:
    """That renderings were made up to show the lane, where some were."""
    found = TableStore.default().read(suite.name, TRANSLATED_ITEMS) if suite.translation else None
    count = 0 if found is None else found.filter(pl.col("made_by") == EXAMPLE).height
    said = "translations are examples, made to show the lane: no translator stands behind them"
    return [f"EXAMPLE DATA: {count} {said}."] if count else []


def _notes(suite: SuiteSpec, overall: pl.DataFrame) -> list[str]:
    """What a reader must know of the judge."""
    judged = overall.filter((pl.col("protocol") == "judge") & ~pl.col("baseline"))
    if judged.is_empty() or suite.judge is None:
        return []
    lines = [
        f"Judge: {suite.judge.model}; {judged['unparseable'].sum()} verdicts could not be read, "
        f"{judged['addresses_judge'].sum()} answers speak to their grader."
    ]
    if judged["judge"].str.contains("own family").any():
        lines.append("The judge is of the family of a model that it judges: read it with care.")
    return lines
