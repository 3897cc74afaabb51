"""`items + gold → translations[language] → translated items / gold` of a suite."""

from collections.abc import Mapping

import dagster as dg
import polars as pl
from pydantic import Field

from bench_pipeline.contracts.construction import EXAMPLE, FAILED, KEPT, TRANSLATIONS
from bench_pipeline.contracts.languages import Language, language
from bench_pipeline.contracts.suite import SuiteSpec, Translation
from bench_pipeline.contracts.tables import TRANSLATED_GOLD, TRANSLATED_ITEMS
from bench_pipeline.partitions import languages_of, roster
from bench_pipeline.quality.gate import Published, gate, gated_asset, watch_of
from bench_pipeline.storage.tables import TableStore
from bench_pipeline.translate.asking import Engine
from bench_pipeline.translate.back_translation import ranked
from bench_pipeline.translate.gates import Rendering, Source
from bench_pipeline.translate.imports import load_glossary, load_human
from bench_pipeline.translate.rendered import current_translations
from bench_pipeline.translate.rendered import translated_gold as rendered_gold
from bench_pipeline.translate.rendered import translated_items as rendered_items
from bench_pipeline.translate.translations import HUMAN, failures, sources_of, translations_table

_TRIES = 2


class TranslationConfig(dg.Config):
    """How much to spend in this run; a later one goes on from there."""

    max_usd: float | None = Field(default=None, ge=0)


def translation_assets(suite: SuiteSpec) -> list[dg.AssetsDefinition]:
    """The assets of a suite that names languages; none for another."""
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
        sources = sources_of(items, gold, target)
        refused = _refused(sources, human, target, glossary)
        for item_id, why in refused.items():
            context.log.warning(f"a person's translation of {item_id}: {', '.join(why)}")
        open_ones = [s for s in sources if s.item_id not in human or s.item_id in refused]
        engine = _engine(context, config, suite, settings, target)
        tries: list[dict[str, Rendering | str]] = []
        unanswered: set[str] = set()
        if engine is not None:
            for attempt in range(_TRIES):
                found = engine.rendered(open_ones, glossary, attempt)
                tries.append(found)
                unanswered |= {s.item_id for s in open_ones} - found.keys()
                open_ones = [
                    source
                    for source in open_ones
                    if source.item_id in found
                    and failures(source, found[source.item_id], target, glossary)
                ]
        frame = translations_table(sources, target, human, settings.engine, tries, glossary)
        if engine is not None and settings.back_translate:
            source_languages = dict(items.select("item_id", "language").iter_rows())
            frame = ranked(frame, engine.back(frame, source_languages))
        kept = frame.filter(pl.col("status") == KEPT).height
        reasons = frame.explode("reasons")["reasons"].drop_nulls().value_counts(sort=True)
        yield from gate(
            context,
            frame,
            TRANSLATIONS,
            accounting=[
                ("items in", items.height),
                ("of the language itself, left out", items.height - len(sources)),
                (KEPT, kept),
                ("translated by people", frame.filter(pl.col("engine") == HUMAN).height),
                ("examples, made to show the lane", frame.filter(engine=EXAMPLE).height),
                ("of files, failed a gate", len(refused)),
                ("of files, for no item here", len(human.keys() - {s.item_id for s in sources})),
                (FAILED, frame.height - kept),
                *((str(reason), int(count)) for reason, count in reasons.iter_rows()),
                *_backs(frame),
            ],
            metadata={"coverage": f"{kept} of {frame.height} items"},
        )
        if engine is not None and unanswered:
            what = f"items are not translated to {target.name} yet"
            raise dg.Failure(
                description=engine.watch.unanswered(len(unanswered), what), allow_retries=False
            )

    return [translations, *_rendered_assets(suite, settings, translations)]


def _rendered_assets(
    suite: SuiteSpec, settings: Translation, translations: dg.AssetsDefinition
) -> list[dg.AssetsDefinition]:
    """The translations that passed their gates as items and golds of their own."""

    @gated_asset(
        suite,
        TRANSLATED_ITEMS,
        kinds={"polars", "parquet"},
        reads=["items", "gold"],
        deps=[translations],
    )
    def translated_items(
        context: dg.AssetExecutionContext, items: pl.DataFrame, gold: pl.DataFrame
    ) -> Published:
        found = _translations(suite)
        current = current_translations(found, items, gold)
        frame = rendered_items(current, items)
        by_language = current["language"].value_counts().rows()
        missing = [code for code in settings.languages if code not in dict(by_language)]
        yield from gate(
            context,
            frame,
            TRANSLATED_ITEMS,
            accounting=[
                ("translations in", found.height),
                ("failed, outdated, or read like another", found.height - current.height),
                *((f"kept in {code}", count) for code, count in sorted(by_language)),
            ],
            metadata={
                "coverage": {
                    code: f"{count} of {items.height} items" for code, count in by_language
                },
                "languages without any": ", ".join(missing) or "none",
            },
        )

    @gated_asset(
        suite,
        TRANSLATED_GOLD,
        kinds={"polars", "parquet"},
        reads=["items", "gold"],
        deps=[translations],
    )
    def translated_gold(
        context: dg.AssetExecutionContext, items: pl.DataFrame, gold: pl.DataFrame
    ) -> Published:
        current = current_translations(_translations(suite), items, gold)
        frame = rendered_gold(current, items, gold)
        yield from gate(context, frame, TRANSLATED_GOLD, accounting=[("golds", frame.height)])

    return [translated_items, translated_gold]


def _translations(suite: SuiteSpec) -> pl.DataFrame:
    """Whatever languages exist: one that is missing must not hold up the others."""
    return TableStore.default().read_partitions(suite.name, TRANSLATIONS)


def _refused(
    sources: list[Source],
    human: Mapping[str, Rendering],
    target: Language,
    glossary: Mapping[str, str],
) -> dict[str, list[str]]:
    """Item → the gates that a person's translation of it failed."""
    written = {
        s.item_id: failures(s, human[s.item_id], target, glossary)
        for s in sources
        if s.item_id in human
    }
    return {item_id: reasons for item_id, reasons in written.items() if reasons}


def _engine(
    context: dg.AssetExecutionContext,
    config: TranslationConfig,
    suite: SuiteSpec,
    settings: Translation,
    target: Language,
) -> Engine | None:
    if settings.engine is None:
        return None
    spec = roster().askable(settings.engine)
    return Engine(suite, settings, spec, target, watch_of(context, config.max_usd))


def _backs(frame: pl.DataFrame) -> list[tuple[str, int]]:
    """How many questions came back, and why others that were answered did not."""
    ranks = frame["review_rank"].count()
    reasons = frame["back_reason"].drop_nulls().value_counts(sort=True).sort("back_reason")
    counted = [(f"not translated back: {reason}", int(n)) for reason, n in reasons.iter_rows()]
    return [("translated back and ranked", ranks), *counted] if ranks or counted else []
