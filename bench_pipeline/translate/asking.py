"""How a suite's engine is asked, there and back: prompts, batches, stored replies, one budget."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from bench_pipeline.contracts.languages import Language
from bench_pipeline.contracts.roster import ModelSpec
from bench_pipeline.contracts.suite import SuiteSpec, Translation
from bench_pipeline.providers import Prompt, prepare
from bench_pipeline.providers.prompt_file import PromptFile
from bench_pipeline.providers.stored import StoredReply, Watch, ask_and_read
from bench_pipeline.storage.responses import ResponseStore
from bench_pipeline.translate.back_translation import (
    BACK_FIELDS,
    BACK_SCHEMA,
    Back,
    back_batches,
    read_back,
)
from bench_pipeline.translate.batches import TRANSLATION_SCHEMA, batches, read_batch
from bench_pipeline.translate.gates import Rendering, Source

TRANSLATION = "translation"
#: what the prompt file may use
PROMPT_FIELDS = ("language", "items", "glossary")


@dataclass(slots=True)
class Engine:
    """One model that translates to one language."""

    suite: SuiteSpec
    settings: Translation
    spec: ModelSpec
    target: Language
    watch: Watch

    def rendered(
        self, sources: list[Source], glossary: Mapping[str, str], attempt: int
    ) -> dict[str, Rendering | str]:
        """What it gives for `sources`, or the problem with what it gives.

        A batch without an answer leaves its rows out: they are asked again by the next run.
        """
        groups = {group[0].item_id: group for group in batches(sources, self.settings.batch)}
        template = PromptFile(self.suite.path(self.settings.prompt), PROMPT_FIELDS)
        texts = {
            key: template.render(language=self.target, items=group, glossary=glossary)
            for key, group in groups.items()
        }
        title = f"{self.suite.name}: translating to {self.target.code}"
        found: dict[str, Rendering | str] = {}
        for key, reply in self._ask(texts, TRANSLATION_SCHEMA, attempt, title).items():
            found |= read_batch(groups[key], reply.text, reply.finish_reason)
        return found

    def back(self, frame: pl.DataFrame, source_languages: Mapping[str, str]) -> dict[str, Back]:
        """The kept questions of a `translations` table in their source languages."""
        groups = {
            batch.key: batch for batch in back_batches(frame, source_languages, self.settings.batch)
        }
        template = PromptFile(self.suite.path(self.settings.back_prompt), BACK_FIELDS)
        texts = {
            key: template.render(language=batch.language, items=batch.items)
            for key, batch in groups.items()
        }
        title = f"{self.suite.name}: translating back from {self.target.code}"
        found: dict[str, Back] = {}
        for key, reply in self._ask(texts, BACK_SCHEMA, 0, title).items():
            found |= read_back(groups[key], reply.text, reply.finish_reason)
        return found

    def _ask(
        self, texts: Mapping[str, str], schema: Mapping[str, Any], sample: int, title: str
    ) -> dict[str, StoredReply]:
        requests = {
            key: prepare(
                self.spec,
                Prompt(
                    prompt_id=f"{self.target.code}:{key}",
                    messages=[{"role": "user", "content": text}],
                    temperature=self.suite.sampling.temperature,
                    max_tokens=self.settings.max_tokens,
                    sample=sample,
                    suite_version=self.suite.version,
                    response_schema=dict(schema),
                ),
            )
            for key, text in texts.items()
        }
        store = ResponseStore.of(TRANSLATION, self.suite.name, self.spec.id)
        return ask_and_read(self.spec, requests, store, title, self.watch)
