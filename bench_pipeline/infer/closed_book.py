"""Closed book: no text of a document enters a prompt, but for what the question itself says."""

import json
from collections.abc import Iterable

import polars as pl

from bench_pipeline.contracts.construction import CHUNKS
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.contracts.tables import PROMPTS
from bench_pipeline.quality.expectations import Expectation, Outcome
from bench_pipeline.storage.tables import TableStore
from bench_pipeline.text import tokens

#: so many words of a document in a row are its text, and no coincidence
PASSAGE_WORDS = 8
_SHOWN = 5


def closed_book(
    suite: SuiteSpec, prompts: pl.DataFrame, items: pl.DataFrame, renderings: pl.DataFrame
) -> Outcome:
    """Whether any prompt shows a passage of the suite's documents beside its question."""
    chunks = TableStore.default().read_partitions(suite.name, CHUNKS)["text"]
    asked = pl.concat([items, renderings]).select("item_id", "question")
    rows = prompts.select("prompt_id", "item_id", "messages").join(asked, on="item_id")
    found = passages_shown(
        (
            (row["prompt_id"], _content(row["messages"]), row["question"])
            for row in rows.iter_rows(named=True)
        ),
        chunks,
    )
    return Outcome(
        Expectation("expect_prompts_to_be_closed_book", {"table": PROMPTS.name}),
        success=not found,
        unexpected=len(found),
        sample=[f"{prompt_id}: {passage}" for prompt_id, passage in found[:_SHOWN]],
    )


def passages_shown(
    prompts: Iterable[tuple[str, str, str]], texts: Iterable[str]
) -> list[tuple[str, str]]:
    """(prompt_id, passage) of every prompt that shows eight words in a row of `texts`.

    `prompts` are (prompt_id, what is sent, question); the question's own words do not count.
    """
    known = {run for text in texts for run in _runs(text)}
    found = []
    for prompt_id, sent, question in prompts:
        own = set(_runs(question))
        shown = next((run for run in _runs(sent) if run in known and run not in own), None)
        if shown is not None:
            found.append((prompt_id, " ".join(shown)))
    return found


def _content(messages: str) -> str:
    return "\n".join(message["content"] for message in json.loads(messages))


def _runs(text: str) -> Iterable[tuple[str, ...]]:
    words = tokens(text)
    return zip(*(words[k:] for k in range(PASSAGE_WORDS)), strict=False)
