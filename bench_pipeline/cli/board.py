"""The board in a terminal: intervals, tie groups and coverage beside every value."""

import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import polars as pl
from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from bench_pipeline.contracts.boards import LEADERBOARD, SCORES
from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.suite import FULL, SuiteSpec
from bench_pipeline.release.corrections import load_ledger
from bench_pipeline.storage.tables import TableStore

#: metric → column heading; those that a suite does not have are left out
_COLUMNS = {
    "locale_gap": "Locale gap Δ",
    "strict_accuracy": "Strict",
    "undisputed": "Undisputed",
    "oom_rate": "10× off",
    "unit_discipline": "Units",
    "refusal_rate": "Refused",
    "undetermined_share": "Undeterm.",
    "consistency": "Consist.",
    "ambiguity_handling": "Ambiguity",
    "overconfidence": "Overconf.",
}
#: which columns go first where the window is narrow
_FIRST_TO_GO = (
    "consistency",
    "overconfidence",
    "ambiguity_handling",
    "unit_discipline",
    "oom_rate",
    "refusal_rate",
    "strict_accuracy",
    "undetermined_share",
    "undisputed",
    "locale_gap",
)
_PIPED_WIDTH = 180
_UNBOUNDED = 10_000
_MODEL, _MODEL_WIDTH = "Model", 18
_LEGEND = {
    "locale_gap": "Locale gap Δ: control minus India accuracy over matched pairs; a positive one "
    "says that the international twin was easier. † tells little: the Bharat Score is under 20.",
    "oom_rate": "10× off: numeric answers off by ten times or more. Units: unit answers with an "
    "explicit right unit. Undeterm.: nothing comparable in the answer. Strict: the score with "
    "those as wrong. Ambiguity, Overconf.: on the clarification items, which count nowhere else.",
}
_TITLES = {"bharat_score": "Bharat Score", "accuracy": "Accuracy"}


def board_rows(suite: SuiteSpec, profile: str | None, version: str | None = None) -> pl.DataFrame:
    """The published rows of one version and profile; empty where nothing was published.

    Without a version: the one published last. Without a profile: the first, from `full` on, in
    which some model's row is not withheld.

    Raises:
        InputError: no board of that version was published.
    """
    board = TableStore.default().read(suite.name, LEADERBOARD)
    if board is None:
        return LEADERBOARD.empty()
    versions = board["version"].unique(maintain_order=True).to_list()
    if version is None:
        version = versions[-1]
    elif version not in versions:
        raise InputError(
            f"the board of {suite.name}",
            f"version {version} was not published here",
            accepted=", ".join(versions),
        )
    board = board.filter(pl.col("version") == version)
    if profile is None:
        shown = board.filter(~pl.col("baseline") & pl.col("withheld").is_null())["profile"]
        order = [*suite.all_profiles, *board["profile"].unique(maintain_order=True)]
        profile = next((name for name in order if name in shown.to_list()), FULL)
    return board.filter(pl.col("profile") == profile)


def print_boards(
    suites: Sequence[SuiteSpec], wanted: str | None, version: str | None = None
) -> None:
    """Print every suite's board of the `wanted` profile, or of the largest that was answered."""
    console = open_console()
    for suite in suites:
        rows = board_rows(suite, wanted, version)
        if rows.is_empty():
            line = f"{suite.title}: no board yet; run `bench run --suite {suite.name}`"
            console.print(line, markup=False)
            continue
        profile = str(rows["profile"][0])
        scores = TableStore.default().read(suite.name, SCORES)
        own = (scores if scores is not None else SCORES.empty()).filter(
            (pl.col("profile") == profile)
            & (pl.col("slice") == "overall")
            & (pl.col("version") == rows["version"][0])
        )
        table, left_out = _fitting_table(console, suite, profile, rows, own)
        console.print(table)
        for line in [*_foot(suite, profile, rows, own), *left_out]:
            console.print(line, style="dim", highlight=False, markup=False)


def open_console() -> Console:
    """Standard output, with a fixed width where it is no terminal."""
    console = Console()
    if not console.is_terminal and "COLUMNS" not in os.environ:
        return Console(width=_PIPED_WIDTH)
    return console


def _fitting_table(
    console: Console, suite: SuiteSpec, profile: str, rows: pl.DataFrame, scores: pl.DataFrame
) -> tuple[Table, list[str]]:
    """The table with as many columns as the width has room for, and what that left out.

    Numbers are never shortened: whole columns go, the least telling first.
    """
    shown = {
        metric: heading
        for metric, heading in _COLUMNS.items()
        if scores.filter((pl.col("metric") == metric) & pl.col("value").is_not_null()).height
    }
    order = [metric for metric in _FIRST_TO_GO if metric in shown]
    table, gone = fitting_table(
        console,
        lambda left: _table(
            suite, profile, rows, scores, {m: shown[m] for m in shown if m in left}
        ),
        order,
    )
    headings = ", ".join(shown[metric] for metric in gone)
    note = f"No room for {headings}: a wider window or --json shows them."
    return table, [note] if gone else []


def fitting_table(
    console: Console, build: Callable[[Collection[str]], Table], optional: Sequence[str]
) -> tuple[Table, list[str]]:
    """The table of `build` with as many `optional` columns as the width has room for.

    The first of them go first; those that went are returned beside the table.
    """
    left = list(optional)
    while True:
        table = build(left)
        # measured against a width without end: a measure is cut at the width that it is given
        unbounded = console.options.update(width=_UNBOUNDED)
        if not left or Measurement.get(console, unbounded, table).minimum <= console.width:
            return table, list(optional[: len(optional) - len(left)])
        left = left[1:]


def _table(
    suite: SuiteSpec,
    profile: str,
    rows: pl.DataFrame,
    scores: pl.DataFrame,
    shown: Mapping[str, str],
) -> Table:
    primary = str(rows["primary_metric"][0])
    title = f"{suite.title} ({suite.name} {rows['version'][0]}, profile {profile})"
    values = {(r["model"], r["metric"]): r for r in scores.iter_rows(named=True)}
    heading = f"{_TITLES.get(primary, primary)}\n95 % interval"
    table = Table(title=Text(title, style="italic"))
    cells = [_cells(row, shown, values) for row in rows.iter_rows(named=True)]
    for k, name in enumerate(["Rank", _MODEL, heading, "n", *shown.values(), "Answered"]):
        if name == _MODEL:
            table.add_column(name, overflow="fold", min_width=_MODEL_WIDTH)
            continue
        widest = max(
            cell_len(line)
            for text in [name, *(str(row[k]) for row in cells)]
            for line in text.splitlines()
        )
        table.add_column(name, justify="right", no_wrap=True, min_width=widest)
    for row, own in zip(rows.iter_rows(named=True), cells, strict=True):
        table.add_row(*own, style="dim" if row["baseline"] or row["withheld"] else "")
    return table


def _cells(
    row: dict[str, Any], shown: Mapping[str, str], values: Mapping[tuple[str, str], dict[str, Any]]
) -> list[Text]:
    """The cells of one row, in the order of the columns."""
    figures = [
        _estimate(values.get((row["model"], metric)), wide=metric == "locale_gap")
        if row["withheld"] is None
        else Text("–")
        for metric in shown
    ]
    answered = Text(f"{row['answered']}/{row['expected']}")
    first = [_rank(row), _name(row), _estimate(row, wide=True), Text(str(row["n"]))]
    return [*first, *figures, answered]


def _rank(row: dict[str, Any]) -> Text:
    """A rank interval where the data leave one, never a bare ordinal then."""
    low, high = row["rank_low"], row["rank_high"]
    if low is None:
        return Text("–")
    return Text(f"{low}" if low == high else f"{low}–{high}")


def _name(row: dict[str, Any]) -> Text:
    name = Text(str(row["title"]))
    if row["withheld"] is not None:
        name.append(f"\nwithheld: {row['withheld']}", style="yellow")
    return name


def _estimate(row: dict[str, Any] | None, *, wide: bool) -> Text:
    if row is None or row["value"] is None:
        return Text("–")
    weak = "†" if "uninformative" in (row.get("reason") or "") else ""
    text = Text(f"{row['value']:.1f}{weak}")
    if wide and row["low"] is not None and row["low"] == row["high"]:
        text.append("\nno variation", style="dim")
    elif wide and row["low"] is not None:
        text.append(f"\n{row['low']:.1f} to {row['high']:.1f}", style="dim")
    return text


def _foot(suite: SuiteSpec, profile: str, rows: pl.DataFrame, scores: pl.DataFrame) -> list[str]:
    """What a reader must know to trust a number, under it."""
    declared = suite.all_profiles.get(profile)
    description = declared.description if declared else "no longer declared"
    primary = scores.filter(pl.col("primary"))
    methods = sorted(
        {re.sub(r"over \d+ families", "over the families", m) for m in primary["method"]}
    )
    lines = [
        f"Profile {profile}: {description}. Interval: {'; or '.join(reversed(methods))}.",
        f"Items by review: {_reviewed(rows)}; {rows['unverified'][0]:,} rest on a source that "
        "nobody read. All values in percent, gaps in points. n: items that the score rests on. "
        "Rank a–b: 95 % rank interval.",
    ]
    lines += [text for metric, text in _LEGEND.items() if metric in set(scores["metric"])]
    titles = dict(rows.filter(pl.col("withheld").is_null()).select("model", "title").iter_rows())
    lines += [
        f"{titles[row['model']]}: undefined, {row['reason']}."
        for row in primary.filter(pl.col("state") == "undefined").iter_rows(named=True)
        if row["model"] in titles
    ]
    lines += _left_out(titles, scores)
    lines += _behind(suite, rows)
    ranked = rows.filter(~pl.col("baseline") & pl.col("withheld").is_null())
    if ranked.height > 1:
        groups = ranked.group_by("tie_group", maintain_order=True).agg("title")
        tied = [" = ".join(titles) for titles in groups["title"] if len(titles) > 1]
        lines += [f"Not told apart after Holm's correction: {names}." for names in tied]
    return lines


def _reviewed(rows: pl.DataFrame) -> str:
    """Which gate the items passed; a draft is one that no person has reviewed."""
    status = str(rows["review_status"][0])
    return status.replace("draft", "draft (no person has reviewed them)")


def _left_out(titles: dict[str, str], scores: pl.DataFrame) -> list[str]:
    """Requests without an answer and disputed items, by name."""
    said = scores.filter(pl.col("reason").is_not_null())
    missing = said.filter((pl.col("metric") == "missing") & (pl.col("value") > 0))
    lines = [
        f"{titles[row['model']]}: {row['value']:.0f} answers are missing, {row['reason']}."
        for row in missing.iter_rows(named=True)
        if row["model"] in titles
    ]
    disputed = scores.filter(pl.col("metric") == "undisputed")
    if disputed.height:
        lines.append(f"Undisputed: the score {disputed['reason'][0].partition(';')[0]}.")
    return lines


def _behind(suite: SuiteSpec, rows: pl.DataFrame) -> list[str]:
    """That the ledger holds corrections which this board, the newest one, does not take in."""
    board = TableStore.default().read(suite.name, LEADERBOARD)
    newest = board is not None and board["version"][-1] == rows["version"][0]
    if not newest:
        return []
    taken = int(rows["change"][0])
    try:
        change = load_ledger(suite).last_change
    except InputError as error:
        return [f"The corrections ledger cannot be read: {error}."]
    if change == taken:
        return []
    mend = f"bench correct --suite {suite.name} brings it up"
    if change < taken:
        mend = "changes are missing from the ledger"
    return [f"The corrections ledger is at change {change}, this board at {taken}: {mend}."]
