"""What is wrong with the files of a suite's bank."""

from typing import Any

import click

from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.extract.documents import load_documents
from bench_pipeline.grade import check_gold
from bench_pipeline.release.reading import check_version, read_bank
from bench_pipeline.review.reviewed import load_question_labels
from bench_pipeline.score.scoring import check_items
from bench_pipeline.storage.tables import TableStore

_SHOWN = 20


def suite_findings(suite: SuiteSpec) -> list[dict[str, Any]]:
    """The checks that found something: its name, whether it is an error, and every place.

    Raises:
        InputError: at the first row that cannot be read at all.
    """
    if suite.documents is not None:
        load_documents(suite)
        load_question_labels(suite)
        return []
    files = read_bank(suite, check_gold)
    check_items(suite, files.bank)
    outcomes = [*files.outcomes, check_version(suite, files, TableStore.default())]
    return [
        {
            "check": outcome.expectation.kind,
            "severity": outcome.expectation.severity,
            "found": outcome.sample,
        }
        for outcome in outcomes
        if not outcome.success
    ]


def stops(findings: list[dict[str, Any]]) -> bool:
    """Whether any of them keeps the bank from being published."""
    return any(finding["severity"] == "error" for finding in findings)


def print_findings(found: dict[str, list[dict[str, Any]]]) -> None:
    """A line a place, under its check."""
    for suite, findings in found.items():
        if not findings:
            click.echo(f"{suite}: every check passes")
        for finding in findings:
            error = finding["severity"] == "error"
            name = finding["check"].replace("_", " ")
            label = "FAILED" if error else "warning"
            click.secho(f"{suite}: {label}: {name}", fg="red" if error else "yellow")
            for sentence in finding["found"][:_SHOWN]:
                click.echo(f"  {sentence}")
            if len(finding["found"]) > _SHOWN:
                click.echo(f"  … and {len(finding['found']) - _SHOWN} more (--json lists all)")
        if findings and not stops(findings):
            click.echo(f"{suite}: warnings only; the bank can be published")
