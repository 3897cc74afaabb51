"""`bench`: the commands, each a thin layer over the assets."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import click

from bench_pipeline.cli.choosing import chosen_models, chosen_suites, suites_with
from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.paths import PROJECT_ROOT, assets_dir, warehouse_dir
from bench_pipeline.storage.tables import StaleTableError


class _Commands(click.Group):
    """Turns an input that people can mend into one line and exit code 2."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (InputError, StaleTableError) as error:
            click.secho(f"error: {error}", fg="red", err=True)
            ctx.exit(2)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Build benchmarks of Indian knowledge for language models, and run them."""
    set_environment()


def set_environment() -> None:
    """Point Dagster at this project; what the caller set stays."""
    os.environ.setdefault("DAGSTER_HOME", str(PROJECT_ROOT))
    state = os.environ.setdefault("BENCH_STATE_DIR", str(_local_warehouse() / "state"))
    Path(state).mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("DAGSTER_DISABLE_TELEMETRY", "yes")


def _local_warehouse() -> Path:
    """The warehouse on this disk; the project's own where it lies on an object store."""
    warehouse = warehouse_dir()
    return Path(warehouse) if isinstance(warehouse, Path) else PROJECT_ROOT / "warehouse"


@main.command()
@click.option("--profile", default="demo", show_default=True, help="Which subset to ask.")
def demo(profile: str) -> None:
    """Run every suite on the model in the box and print the board: no key, no network."""
    from bench_pipeline.cli.board import print_boards
    from bench_pipeline.cli.launch import launch
    from bench_pipeline.cli.preflight import preflight
    from bench_pipeline.partitions import roster

    models = [model.id for model in roster().active() if model.provider == "local"]
    suites = suites_with(profile, chosen_suites(()))
    for suite in suites:
        preflight(suite, roster(), asks=True)
    outcome = launch(suites, models, profile=profile)
    print_boards(outcome.published, profile)
    outcome.report()
    click.echo(
        f"\nTables: {warehouse_dir() / 'tables'}   SQL: {warehouse_dir() / 'bench.duckdb'}\n"
        "Next:   make ui                     the lanes in Dagster\n"
        "        .venv/bin/bench protocols   one set of answers under three protocols\n"
        "        make demo PROFILE=once      every item of bkp, one sample"
    )
    sys.exit(outcome.exit_code)


@main.command()
@click.option("--suite", "suite_names", multiple=True, help="Default: all suites.")
@click.option("--model", "model_ids", multiple=True, help="Default: the whole active roster.")
@click.option("--profile", default="full", show_default=True, help="Which subset to ask.")
@click.option("--limit", type=click.IntRange(min=0), help="Ask at most so many requests a model.")
@click.option("--max-usd", type=click.FloatRange(min=0), help="Stop before all of it costs more.")
def run(
    suite_names: tuple[str, ...],
    model_ids: tuple[str, ...],
    profile: str,
    limit: int | None,
    max_usd: float | None,
) -> None:
    """Ask what is missing, then grade, score and publish."""
    from bench_pipeline.cli.board import print_boards
    from bench_pipeline.cli.launch import launch
    from bench_pipeline.cli.preflight import preflight
    from bench_pipeline.partitions import roster

    models = chosen_models(model_ids)
    for model in models:
        model.api_key()
        if max_usd is not None and model.prices is None:
            raise InputError(
                assets_dir() / "models.yaml",
                "a spending cap needs prices, and this model has none",
                entry=model.id,
                field="prices",
                accepted="input and output in US dollars per million tokens, with as_of",
            )
    suites = suites_with(profile, chosen_suites(suite_names), named=bool(suite_names))
    for suite in suites:
        preflight(suite, roster(), asks=limit != 0, max_usd=max_usd)
    outcome = launch(suites, [m.id for m in models], profile=profile, limit=limit, max_usd=max_usd)
    print_boards(outcome.published, profile)
    outcome.report()
    sys.exit(outcome.exit_code)


@main.command()
@click.option("--suite", "suite_names", multiple=True, help="Default: all suites.")
@click.option("--model", "model_ids", multiple=True, help="Default: the whole active roster.")
@click.option("--profile", default="full", show_default=True, help="Which subset to ask.")
@click.option("--json", "as_json", is_flag=True, help="A list of estimates as JSON.")
def estimate(
    suite_names: tuple[str, ...], model_ids: tuple[str, ...], profile: str, as_json: bool
) -> None:
    """Say what a run will take, before any call: requests, tokens, money, time."""
    from bench_pipeline.cli.estimate import estimates, not_counted, print_estimates

    known = chosen_models(model_ids)
    suites = suites_with(profile, chosen_suites(suite_names), named=bool(suite_names))
    found = [row for suite in suites for row in estimates(suite, known, profile)]
    if as_json:
        click.echo(json.dumps([row.to_dict() for row in found], indent=2))
    else:
        print_estimates(found, [line for suite in suites for line in not_counted(suite)])


@main.command()
@click.option("--suite", "suite_names", multiple=True, help="Default: all suites.")
@click.option("--profile", help="Default: the largest that any model has answered.")
@click.option("--version", help="Of the data; default: the one published last.")
@click.option("--json", "as_json", is_flag=True, help="The leaderboard table as JSON.")
def board(
    suite_names: tuple[str, ...], profile: str | None, version: str | None, as_json: bool
) -> None:
    """Print the board as it was last published, or as it stands at an older version."""
    from bench_pipeline.cli.board import board_rows, print_boards

    suites = chosen_suites(suite_names)
    if profile is not None:
        suites = suites_with(profile, suites, named=bool(suite_names))
    if as_json:
        rows = {s.name: board_rows(s, profile, version).to_dicts() for s in suites}
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2, default=str))
    else:
        print_boards(suites, profile, version)


@main.command()
@click.option("--suite", "suite_names", multiple=True, help="Default: all that compare protocols.")
@click.option("--profile", help="Default: the largest that any model has answered.")
@click.option("--version", help="Of the data; default: the one published last.")
@click.option("--all", "every_slice", is_flag=True, help="Each language's domains too.")
@click.option("--json", "as_json", is_flag=True, help="Both tables as JSON.")
def protocols(
    suite_names: tuple[str, ...],
    profile: str | None,
    version: str | None,
    every_slice: bool,
    as_json: bool,
) -> None:
    """Show one set of answers under every protocol, by language and domain, and how they agree."""
    from bench_pipeline.cli.protocols import print_protocols, protocol_rows

    suites = [s for s in chosen_suites(suite_names) if suite_names or s.compares_protocols]
    if profile is not None:
        suites = suites_with(profile, suites, named=bool(suite_names))
    if as_json:
        names = ("protocols", "protocol_agreement")
        found = {s.name: protocol_rows(s, profile, version) for s in suites}
        shown = {
            suite: {n: table.to_dicts() for n, table in zip(names, tables, strict=True)}
            for suite, tables in found.items()
        }
        click.echo(json.dumps(shown, ensure_ascii=False, indent=2))
    else:
        print_protocols(suites, profile, version, every_slice)


@main.command()
@click.option("--suite", "suite_names", multiple=True, help="Default: all suites.")
@click.option("--json", "as_json", is_flag=True, help="Every problem as JSON.")
def check(suite_names: tuple[str, ...], as_json: bool) -> None:
    """Hold the files of a suite's bank to what is expected of them; nothing is written."""
    from bench_pipeline.cli.check import print_findings, stops, suite_findings

    found = {suite.name: suite_findings(suite) for suite in chosen_suites(suite_names)}
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        print_findings(found)
    sys.exit(1 if any(stops(findings) for findings in found.values()) else 0)


@main.command()
@click.option("--suite", "suite_name", help="Needed where several suites have a ledger.")
@click.option(
    "--file",
    "file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="CSV: item_id, field (gold or options), old_value, new_value, reason, source, reviewer, "
    "date [, state].",
)
@click.option("--roll-back", type=click.IntRange(min=1), metavar="CHANGE", help="Take it back.")
@click.option("--reason", help="Why it is rolled back.")
@click.option("--reviewer", help="Who rolls it back.")
@click.option("--list", "show", is_flag=True, help="Show the ledger's corrections as they are.")
@click.option("--yes", is_flag=True, help="Write without asking.")
@click.option("--dry-run", is_flag=True, help="Show what would change, and stop.")
@click.option("--json", "as_json", is_flag=True, help="What changes, as JSON.")
def correct(
    suite_name: str | None,
    file: Path | None,
    roll_back: int | None,
    reason: str | None,
    reviewer: str | None,
    show: bool,
    yes: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Correct golds: show what would change per item and model, write, and grade again.

    Alone it brings tables that are behind the ledger up to it.
    """
    from bench_pipeline.cli.correct import (
        conclusion,
        plan_correction,
        plan_resumption,
        plan_roll_back,
        print_ledger,
        print_plan,
        suite_with_ledger,
        write_and_regrade,
    )

    suite = suite_with_ledger(chosen_suites((suite_name,) if suite_name else ()))
    if show:
        print_ledger(suite, as_json)
        return
    if file is not None and roll_back is None:
        planned = plan_correction(suite, file)
    elif roll_back is not None and file is None and reason and reviewer:
        planned = plan_roll_back(suite, roll_back, reason, reviewer)
    elif file is None and roll_back is None:
        planned = plan_resumption(suite)
    else:
        raise click.UsageError("give --file, or --roll-back with --reason and --reviewer")
    if as_json:
        click.echo(json.dumps(planned.to_dict(), ensure_ascii=False, indent=2))
    else:
        print_plan(planned)
    if dry_run:
        return
    if not yes and planned.events:
        try:
            click.confirm("Write this to the ledger and grade again?", abort=True, err=True)
        except click.Abort:
            click.echo("nothing was written (--yes writes without asking)", err=True)
            sys.exit(1)
    outcome = write_and_regrade(planned)
    outcome.report()
    if planned.events and not as_json:
        click.echo(conclusion(planned))
    sys.exit(outcome.exit_code)


@main.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--text", required=True, metavar="COLUMN", help="The questions.")
@click.option("--score", metavar="COLUMN", help="The best row of several stays; else the first.")
@click.option("--answer", metavar="COLUMN", help="Questions with different answers stay apart.")
@click.option("--id", "id_column", metavar="COLUMN", help="Default: row numbers.")
@click.option("--threshold", type=click.FloatRange(0, 1, min_open=True), help="A cosine.")
@click.option("--model", default="minilm", show_default=True, help="A folder, hub id, or URL.")
@click.option("--api-key-env", help="The variable that holds the key of an openai: model.")
@click.option("--merge-entities", is_flag=True, help="Merge what differs in a name only.")
@click.option("--json", "as_json", is_flag=True)
def dedup(
    file: Path,
    text: str,
    score: str | None,
    answer: str | None,
    id_column: str | None,
    threshold: float | None,
    model: str,
    api_key_env: str | None,
    merge_entities: bool,
    as_json: bool,
) -> None:
    """Keep each question of a file once; what is kept, dropped and paired is written beside it."""
    from bench_pipeline.cli.dedup import Columns, dedup_file, dedup_lines
    from bench_pipeline.dedup import Settings

    summary = dedup_file(
        file,
        Columns(text, score, answer, id_column),
        threshold=threshold or Settings().threshold,
        model=model,
        entities=not merge_entities,
        api_key_env=api_key_env,
    )
    if as_json:
        click.echo(json.dumps(summary, ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(dedup_lines(summary)))


@main.command()
@click.option("--port", type=click.IntRange(0, 65535), default=3000, show_default=True)
def ui(port: int) -> None:
    """Start the Dagster UI and its daemon on loopback, on this port or the next free one."""
    from bench_pipeline.cli.ui import serve

    serve(port)


@main.command()
@click.option("--n", type=click.IntRange(min=2), required=True, help="Items.")
@click.option("--baseline", type=click.FloatRange(0, 1), required=True, help="Accuracy, 0 to 1.")
@click.option("--paired", is_flag=True, help="Both models answer the same items.")
@click.option("--correlation", type=click.FloatRange(-1, 1), default=0.0, show_default=True)
@click.option("--difference", type=click.FloatRange(0, 1), help="Say which n resolves this.")
@click.option("--json", "as_json", is_flag=True)
def power(
    n: int,
    baseline: float,
    paired: bool,
    correlation: float,
    difference: float | None,
    as_json: bool,
) -> None:
    """Say what n items can tell apart, at 80 % power and a two-sided 5 % level."""
    from bench_pipeline.cli.power import power_lines, power_of

    found = power_of(n, baseline, paired, correlation, difference)
    click.echo(json.dumps(found, indent=2) if as_json else "\n".join(power_lines(found)))


@main.command()
@click.option(
    "--cases", type=click.Path(path_type=Path, exists=True, dir_okay=False), required=True
)
def grade(cases: Path) -> None:
    """Grade the answers of a JSONL file; a line each of {answer_type, gold, options, answer}."""
    from bench_pipeline.grade import GradeInputError
    from bench_pipeline.grade.cases import grade_cases

    try:
        for row in grade_cases(cases):
            click.echo(json.dumps(row, ensure_ascii=False))
    except GradeInputError as error:
        click.secho(f"error: {error}", fg="red", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
