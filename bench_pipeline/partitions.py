"""What assets are partitioned by, and how the partitions follow the files that people edit."""

from collections.abc import Sequence

import dagster as dg

from bench_pipeline.contracts.languages import language
from bench_pipeline.contracts.paths import assets_dir
from bench_pipeline.contracts.roster import Roster, load_roster

#: one set for all suites; a retired model keeps its partition
models = dg.DynamicPartitionsDefinition(name="models")


def documents_of(suite: str) -> dg.DynamicPartitionsDefinition:
    """The documents of a suite: a set of its own."""
    return dg.DynamicPartitionsDefinition(name=f"documents_{suite}")


def languages_of(codes: Sequence[str]) -> dg.StaticPartitionsDefinition:
    """The languages that a suite is translated to.

    Raises:
        InputError: one is not in the languages file.
    """
    return dg.StaticPartitionsDefinition([language(code).code for code in codes])


def add_missing_documents(
    instance: dg.DagsterInstance, suite: str, document_ids: Sequence[str]
) -> list[str]:
    """Give every document of the suite its partition; the ids that were new."""
    name = str(documents_of(suite).name)
    known = set(instance.get_dynamic_partitions(name))
    new = [document_id for document_id in document_ids if document_id not in known]
    if new:
        instance.add_dynamic_partitions(name, new)
    return new


def roster() -> Roster:
    """The roster as it stands now; a run reads it afresh, so an edit needs no reload."""
    return load_roster(assets_dir() / "models.yaml")


def add_missing_models(instance: dg.DagsterInstance) -> list[str]:
    """Give every model of the roster its partition; the ids that were new."""
    known = set(instance.get_dynamic_partitions("models"))
    new = [model.id for model in roster().under_test() if model.id not in known]
    if new:
        instance.add_dynamic_partitions("models", new)
    return new
