"""`items + gold → translations[language]` of a suite that is translated."""

import dagster as dg
import polars as pl
from pydantic import Field

from bench_pipeline.contracts.construction import FAILED, KEPT, TRANSLATIONS
from bench_pipeline.contracts.languages import Language, language
from bench_pipeline.contracts.roster import ModelSpec
from bench_pipeline.contracts.suite import SuiteSpec, Translation
from bench_pipeline.partitions import languages_of, roster
from bench_pipeline.providers import Prompt, prepare
from bench_pipeline.providers.prompt_file import PromptFile
from bench_pipeline.providers.stored import ask_and_read
from bench_pipeline.quality.gate import Published, gate, gated_asset, watch_of
from bench_pipeline.storage.responses import ResponseStore
from bench_pipeline.translate.batches import TRANSLATION_SCHEMA, batches, read_batch
from bench_pipeline.translate.gates import Rendering, Source
from bench_pipeline.translate.imports import load_glossary, load_human
from bench_pipeline.translate.translations import failures, sources_of, translations_table

TRANSLATION = "translation"
_TRIES = 2
#: what the prompt file may use
PROMPT_FIELDS = ("language", "items", "glossary")


class TranslationConfig(dg.Config):
    """How much to spend in this run; a later one goes on from there."""

    max_usd: float | None = Field(default=None, ge=0)


def translation_assets(suite: SuiteSpec) -> list[dg.AssetsDefinition]:
    """The asset of a suite that names languages; none for another."""
    settings = suite.translation
    if settings is None:
        return []

    @gated_asset(
        suite,
        TRANSLATIONS,
        kinds={"llm"},
        reads=["items", "gold"],
        partitions_def=languages_of(settings.languages),
    )
    def translations(
        context: dg.AssetExecutionContext,
        config: TranslationConfig,
        items: pl.DataFrame,
        gold: pl.DataFrame,
    ) -> Published:
        target = language(context.partition_key)
        glossary = load_glossary(suite, settings.glossary, target.code)
        human = load_human(suite, settings.human, target.code)
        sources = sources_of(items, gold)
        open_ones = [
            source
            for source in sources
            if source.item_id not in human
            or failures(source, human[source.item_id], target, glossary)
        ]
        tries: list[dict[str, Rendering | str]] = []
        if settings.engine is not None:
            spec = roster().askable(settings.engine)
            for attempt in range(_TRIES):
                found = _tried(
                    context, config, suite, settings, spec, target, glossary, open_ones, attempt
                )
                tries.append(found)
                open_ones = [
                    source
                    for source in open_ones
                    if source.item_id in found
                    and failures(source, found[source.item_id], target, glossary)
                ]
        frame = translations_table(sources, target, human, settings.engine, tries, glossary)
        kept = frame.filter(pl.col("status") == KEPT).height
        reasons = frame.explode("reasons")["reasons"].drop_nulls().value_counts(sort=True)
        yield from gate(
            context,
            frame,
            TRANSLATIONS,
            accounting=[
                ("items in", items.height),
                (KEPT, kept),
                ("translated by people", frame.filter(pl.col("engine") == "human").height),
                (FAILED, frame.height - kept),
                *((str(reason), int(count)) for reason, count in reasons.iter_rows()),
            ],
            metadata={"coverage": f"{kept} of {frame.height} items"},
        )

    return [translations]


def _tried(
    context: dg.AssetExecutionContext,
    config: TranslationConfig,
    suite: SuiteSpec,
    settings: Translation,
    spec: ModelSpec,
    target: Language,
    glossary: dict[str, str],
    sources: list[Source],
    attempt: int,
) -> dict[str, Rendering | str]:
    """What the engine gave for `sources`, asked where it is not stored yet.

    A batch without an answer leaves its rows out: they are asked again by the next run.
    """
    groups = {group[0].item_id: group for group in batches(sources, settings.batch)}
    template = PromptFile(suite.path(settings.prompt), PROMPT_FIELDS)
    requests = {
        key: prepare(
            spec,
            Prompt(
                prompt_id=f"{target.code}:{key}",
                messages=[
                    {
                        "role": "user",
                        "content": template.render(language=target, items=group, glossary=glossary),
                    }
                ],
                temperature=suite.sampling.temperature,
                max_tokens=settings.max_tokens,
                sample=attempt,
                suite_version=suite.version,
                response_schema=dict(TRANSLATION_SCHEMA),
            ),
        )
        for key, group in groups.items()
    }
    replies = ask_and_read(
        spec,
        requests,
        ResponseStore.of(TRANSLATION, suite.name, spec.id),
        f"{suite.name}: translating to {target.code}",
        watch_of(context),
        config.max_usd,
    )
    found: dict[str, Rendering | str] = {}
    for key, reply in replies.items():
        found |= read_batch(groups[key], reply.text, reply.finish_reason)
    return found
