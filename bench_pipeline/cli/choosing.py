"""Which suites and models a command is about, from what was typed."""

from collections.abc import Sequence

import click

from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.paths import assets_dir
from bench_pipeline.contracts.roster import ModelSpec
from bench_pipeline.contracts.suite import SuiteSpec, load_suites


def chosen_models(ids: tuple[str, ...]) -> list[ModelSpec]:
    """The models of those ids, or the whole active roster."""
    from bench_pipeline.partitions import roster

    known = roster()
    chosen = [known.askable(model_id) for model_id in ids] or list(known.active())
    for model in chosen:
        if not model.under_test:
            raise InputError(
                assets_dir() / "models.yaml",
                "it is not under test: it writes, marks, judges or translates",
                entry=model.id,
                field="under_test",
                accepted=", ".join(known_model.id for known_model in known.active()),
            )
    return chosen


def suites_with(
    profile: str, suites: Sequence[SuiteSpec], *, named: bool = False
) -> list[SuiteSpec]:
    """Those of `suites` that have the profile; the others are left out aloud.

    Raises:
        InputError: none has it, or one that the caller named has not.
    """
    having = [suite for suite in suites if profile in suite.all_profiles]
    for suite in suites:
        if suite not in having:
            if named or not having:
                suite.profile(profile)
            click.echo(f"{suite.name} has no profile '{profile}' and is left out", err=True)
    return having


def chosen_suites(names: tuple[str, ...]) -> list[SuiteSpec]:
    """The suites of those names, or all of them."""
    suites = load_suites(assets_dir())
    by_name = {suite.name: suite for suite in suites}
    for name in names:
        if name not in by_name:
            raise InputError(
                assets_dir() / "suites", f"there is no suite '{name}'", accepted=", ".join(by_name)
            )
    return [by_name[name] for name in names] or list(suites)
