"""What a run of a suite will need, looked at before anything is asked or paid."""

from collections.abc import Iterator

from bench_pipeline.contracts.errors import InputError, shown
from bench_pipeline.contracts.roster import Roster
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.generate.asking import AGENT_ONE, AGENT_TWO
from bench_pipeline.generate.asking import FIELDS as AGENT_FIELDS
from bench_pipeline.infer.prompts import regime_template
from bench_pipeline.judge.asking import FIELDS as JUDGE_FIELDS
from bench_pipeline.providers.prompt_file import PromptFile
from bench_pipeline.translate.asking import PROMPT_FIELDS
from bench_pipeline.translate.back_translation import BACK_FIELDS
from bench_pipeline.translate.imports import load_glossary, load_human


def preflight(
    suite: SuiteSpec, roster: Roster, *, asks: bool, max_usd: float | None = None
) -> None:
    """Hold a suite to what its run will need beside its items.

    Models that write, mark, judge and translate are in the roster; where the run `asks`, their
    keys are set and, under a cap, their prices are known. Prompt files are templates, and
    people's translations and glossaries can be read.

    Raises:
        InputError: names the file and the field.
    """
    for field, model_id in _helpers(suite):
        if roster.get(model_id) is None:
            raise InputError(
                suite.folder / "suite.yaml",
                f"there is no model {shown(model_id)} in the roster",
                field=field,
                accepted=", ".join(model.id for model in roster.models),
            )
        spec = roster.askable(model_id)
        if asks:
            spec.api_key()
            if max_usd is not None and spec.prices is None:
                raise InputError(
                    roster.path,
                    f"a spending cap needs prices, and this model, the suite's {field}, has none",
                    entry=model_id,
                    field="prices",
                    accepted="input and output in US dollars per million tokens, with as_of",
                )
    for file, fields in _prompt_files(suite):
        PromptFile(suite.path(file), fields)
    for file in suite.regimes.values():
        regime_template(suite, file)
    settings = suite.translation
    for code in settings.languages if settings else ():
        load_human(suite, settings.human if settings else None, code)
        load_glossary(suite, settings.glossary if settings else None, code)


def _helpers(suite: SuiteSpec) -> Iterator[tuple[str, str]]:
    """(field, roster id) of every model that the suite names."""
    generation, translation = suite.generation, suite.translation
    if suite.documents and generation.agent_one:
        yield "generation.agent_one", generation.agent_one
    if suite.documents and generation.agent_two:
        yield "generation.agent_two", generation.agent_two
    if translation and translation.engine:
        yield "translation.engine", translation.engine
    if suite.judge:
        yield "judge.model", suite.judge.model


def _prompt_files(suite: SuiteSpec) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(file, what it may use) of the prompts of those models."""
    generation, translation = suite.generation, suite.translation
    if suite.documents and generation.agent_one:
        yield generation.agent_one_prompt, AGENT_FIELDS[AGENT_ONE]
    if suite.documents and generation.agent_two:
        yield generation.agent_two_prompt, AGENT_FIELDS[AGENT_TWO]
    if translation and translation.engine:
        yield translation.prompt, PROMPT_FIELDS
        if translation.back_translate:
            yield translation.back_prompt, BACK_FIELDS
    if suite.judge:
        yield suite.judge.prompt, JUDGE_FIELDS
