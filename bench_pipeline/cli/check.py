"""What is wrong with the files of a suite's bank."""

import click

from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.grade import check_gold
from bench_pipeline.release.reading import check_version, read_bank
from bench_pipeline.score.scoring import check_items
from bench_pipeline.storage.tables import TableStore

_SHOWN = 20


def problems(suite: SuiteSpec) -> dict[str, list[str]]:
    """Check → what it found, for those that found something that stops a release.

    Raises:
        InputError: at the first row that cannot be read at all.
    """
    files = read_bank(suite, check_gold)
    check_items(suite, files.bank)
    outcomes = [*files.outcomes, check_version(suite, files, TableStore.default())]
    return {
        outcome.expectation.kind: outcome.sample
        for outcome in outcomes
        if not outcome.success and outcome.expectation.severity == "error"
    }


def print_problems(found: dict[str, dict[str, list[str]]]) -> None:
    """A line a problem, under its check."""
    for suite, checks in found.items():
        if not checks:
            click.echo(f"{suite}: every check passes")
        for check, sentences in checks.items():
            click.secho(f"{suite}: {check.replace('_', ' ')}", fg="red")
            for sentence in sentences[:_SHOWN]:
                click.echo(f"  {sentence}")
            if len(sentences) > _SHOWN:
                click.echo(f"  … and {len(sentences) - _SHOWN} more")
