"""What is wrong with the files of a suite's bank."""

from typing import Any

import click

from bench_pipeline.cli.preflight import preflight
from bench_pipeline.contracts.construction import UNIQUE
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.extract.documents import load_documents
from bench_pipeline.grade import check_gold
from bench_pipeline.partitions import roster
from bench_pipeline.release.reading import check_version, read_bank
from bench_pipeline.review.reviewed import idle_labels, load_question_labels
from bench_pipeline.score.scoring import check_items
from bench_pipeline.storage.tables import TableStore

_SHOWN = 20


def suite_findings(suite: SuiteSpec) -> list[dict[str, Any]]:
    """The checks that found something: its name, whether it is an error, and every place.

    Raises:
        InputError: at the first row that cannot be read at all.
    """
    preflight(suite, roster(), asks=False)
    if suite.documents is not None:
        load_documents(suite)
        return _idle_labels(suite)
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


def _idle_labels(suite: SuiteSpec) -> list[dict[str, Any]]:
    """The labels that count for nothing, where questions were made."""
    labels = load_question_labels(suite)
    unique = TableStore.default().read(suite.name, UNIQUE)
    idle = idle_labels(unique, labels) if unique is not None else []
    found = {"check": "labels_of_todays_questions", "severity": "warn", "found": idle}
    return [found] if idle else []


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
            click.echo(f"{suite}: warnings only; nothing here stops a run")
