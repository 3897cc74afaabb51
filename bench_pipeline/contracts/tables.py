"""The tables of the lanes. Names and columns here are relied on by analysts: add, never rename."""

from dataclasses import replace

import polars as pl

from bench_pipeline.contracts.boards import (
    COMPARISONS,
    ITEM_ANALYSIS,
    ITEM_ID,
    LEADERBOARD,
    MODEL,
    SCORES,
    VERSION,
)
from bench_pipeline.contracts.construction import (
    CANDIDATES,
    CHUNKS,
    DOCUMENTS,
    PAGES,
    PAIRS,
    REVIEWED,
    TRANSLATIONS,
    UNIQUE,
    VETTED,
)
from bench_pipeline.contracts.grades import Verdict
from bench_pipeline.contracts.judging import JUDGEMENTS, PROTOCOL_AGREEMENT, PROTOCOL_SCORES
from bench_pipeline.contracts.schema import Column, TableSchema

#: a few words of a text, graded by every lexical protocol
SHORT_ANSWER = "short_answer"
ANSWER_TYPES = (
    "numeric",
    "numeric_with_unit",
    "date",
    "date_range",
    "month_set",
    "enum",
    "string_normalized",
    "clarification",
    SHORT_ANSWER,
)
PAIR_ROLES = ("core", "control", "unpaired")
STATUSES = ("ok", "empty", "truncated", "filtered", "infra_error")
REVIEW_STATUSES = ("draft", "reviewed", "adjudicated")
#: of an item; dev and test take adjudicated items only
SPLITS = ("public", "private", "dev", "test")
CORRECTION_STATES = ("proposed", "open", "applied", "rejected")
#: of a source that nobody read
UNVERIFIED = "unverified"

_REGIME = Column("regime", pl.String, "prompt regime")
_SAMPLE = Column("sample", pl.Int32, "repeat inside one run, from 0")

_ITEM_COLUMNS = (
    ITEM_ID,
    Column("concept_id", pl.String, "joins the renderings of one thing in several languages"),
    Column("family_id", pl.String, "joins the items made from one fact or template, twins too"),
    Column("language", pl.String, "BCP 47 code"),
    Column("category", pl.String, "category of the suite"),
    Column("kind", pl.String, "question or clarification", allowed=("question", "clarification")),
    Column("answer_type", pl.String, "which grader decides", allowed=ANSWER_TYPES),
    Column("question", pl.String, "what is asked"),
    Column("pair_id", pl.String, "joins a core item and its control twin", nullable=True),
    Column("pair_role", pl.String, "role in the pair", allowed=PAIR_ROLES),
    Column("status", pl.String, "which review it has passed", allowed=REVIEW_STATUSES),
    Column("split", pl.String, "public, private, dev or test", allowed=SPLITS),
    Column("as_of", pl.String, "date at which the fact holds, where it can change", nullable=True),
    Column("source", pl.String, "title and place of the source of the gold", nullable=True),
    Column(
        "source_checked", pl.String, "where and when it was read, unverified, or self-contained"
    ),
    Column("made_by", pl.String, "cloze, example or a roster id; null: people", nullable=True),
)
_GOLD_COLUMNS = (
    Column("gold", pl.String, "canonical right answer, in its answer type's form"),
    Column("options", pl.String, "the grader's settings for this item, as JSON"),
)

BANK = TableSchema(
    "bank",
    "Authored items as they stand in the suite's files, prompt side and gold side together.",
    (
        *_ITEM_COLUMNS,
        *_GOLD_COLUMNS,
        Column("item_hash", pl.String, "of the corrected content; reviewers' labels name it"),
        Column("formula", pl.String, "how the gold is computed from facts", nullable=True),
        Column("facts", pl.List(pl.String), "ids of the facts that the item rests on"),
        Column("convention", pl.String, "words of the question that name it", nullable=True),
        Column("template", pl.String, "wording pattern of the question", nullable=True),
        Column("file", pl.String, "file of the suite that holds the item"),
        Column("row", pl.Int32, "row in that file, the header being row 1"),
    ),
    key=("item_id",),
    version=3,
)
FACTS = TableSchema(
    "facts",
    "What items rest on, one row a fact, with its source and whether that was read.",
    (
        Column("fact_id", pl.String, "id, the name in formulas"),
        Column("subject", pl.String, "what the value is of"),
        Column("value", pl.String, "a number or a short text"),
        Column("unit", pl.String, "what the value counts in", nullable=True),
        Column(
            "state", pl.String, "the Indian state where it holds, where that matters", nullable=True
        ),
        Column("as_of", pl.String, "date at which it holds, where it can change", nullable=True),
        Column("conflict", pl.String, "what other good sources say", nullable=True),
        Column("source_id", pl.String, "id in the suite's sources"),
        Column("source", pl.String, "title and publisher of the source"),
        Column("locator", pl.String, "section, page or address in it", nullable=True),
        Column("checked", pl.String, "where and when its text was read, or unverified"),
        Column("file", pl.String, "file of the suite that holds the fact"),
        Column("row", pl.Int32, "row in that file, the header being row 1"),
    ),
    key=("fact_id",),
    may_be_empty=True,
)
CORRECTIONS = TableSchema(
    "corrections",
    "The corrections ledger: a row an event, a correction's newest one being its state.",
    (
        Column("change", pl.Int32, "rows that were entered together"),
        Column("correction_id", pl.String, "the correction"),
        ITEM_ID,
        Column("field", pl.String, "gold or options"),
        Column("old_value", pl.String, "what stood there"),
        Column("new_value", pl.String, "what is right"),
        Column("reason", pl.String, "why"),
        Column("source", pl.String, "where the new value stands"),
        Column("reviewer", pl.String, "who says so"),
        Column("date", pl.String, "when"),
        Column("state", pl.String, "the state it takes", allowed=CORRECTION_STATES),
    ),
    key=("change", "correction_id"),
    may_be_empty=True,
)
ITEMS = TableSchema(
    "items",
    "What is asked: the prompt side of every item.",
    _ITEM_COLUMNS,
    key=("item_id",),
    version=2,
)
TRANSLATED_ITEMS = TableSchema(
    "translated_items",
    "The renderings of items in other languages; `concept_id` joins them.",
    _ITEM_COLUMNS,
    key=("item_id",),
    may_be_empty=True,
)
GOLD = TableSchema(
    "gold",
    "What a grader needs: the gold side of every item. A change here never causes a model call.",
    (
        ITEM_ID,
        *_GOLD_COLUMNS,
        Column("gold_hash", pl.String, "sha256 of answer type, gold and options"),
        Column("correction_id", pl.String, "newest correction applied, if any", nullable=True),
        Column("disputed", pl.Boolean, "an open correction says that it may be wrong"),
        Column("change", pl.Int32, "newest change of the corrections ledger that it takes in"),
        VERSION,
    ),
    key=("item_id",),
    version=2,
)
TRANSLATED_GOLD = replace(
    GOLD,
    name="translated_gold",
    description="The gold side of the renderings.",
    version=1,
    may_be_empty=True,
)
PROMPTS = TableSchema(
    "prompts",
    "Every question as it is put to a model: item × regime × sample.",
    (
        Column("prompt_id", pl.String, "item, regime and sample in one string"),
        ITEM_ID,
        Column("language", pl.String, "BCP 47 code"),
        _REGIME,
        _SAMPLE,
        Column("messages", pl.String, "chat messages as JSON, before a model's system prompt"),
        Column("response_schema", pl.String, "JSON schema of the answer, if any", nullable=True),
        Column("temperature", pl.Float64, "asked for, unless the model overrides it"),
        Column("max_tokens", pl.Int32, "asked for, unless the model overrides it"),
        Column("prompt_hash", pl.String, "sha256 of messages, schema and sampling"),
        Column("profiles", pl.List(pl.String), "the profiles that ask this prompt"),
        VERSION,
    ),
    key=("prompt_id",),
)
COMPLETIONS = TableSchema(
    "completions",
    "What a model answered, one row a request, as stored; newest failure where there is none.",
    (
        Column("request_id", pl.String, "sha256 of everything that was sent, sample and wave"),
        Column("prompt_id", pl.String, "the prompt that the request put"),
        ITEM_ID,
        MODEL,
        _REGIME,
        _SAMPLE,
        Column("wave", pl.Int32, "the same requests asked again at another time; scores use 0"),
        Column("turn", pl.Int32, "turn of a conversation, 0 where there is one only"),
        Column("status", pl.String, "row status, from the wire alone", allowed=STATUSES),
        Column("text", pl.String, "the answer, raw", nullable=True),
        Column("reasoning_text", pl.String, "reasoning that came in its own field", nullable=True),
        Column("finish_reason", pl.String, "as the provider gave it", nullable=True),
        Column("prompt_tokens", pl.Int64, "cached ones included; null is unknown", nullable=True),
        Column("cached_tokens", pl.Int64, "part of the prompt tokens", nullable=True),
        Column("completion_tokens", pl.Int64, "reasoning included; null unknown", nullable=True),
        Column("reasoning_tokens", pl.Int64, "part of the completion tokens", nullable=True),
        Column("latency_ms", pl.Float64, "of the try that answered", nullable=True),
        Column("cost_usd", pl.Float64, "null is unknown, never zero", nullable=True),
        Column("tries", pl.Int32, "how often it was sent in the run that stored it"),
        Column("asked_at", pl.Datetime("us", "UTC"), "when the last try began"),
        Column("provider_model", pl.String, "the model the provider says answered", nullable=True),
        Column("dropped_parameters", pl.List(pl.String), "asked for, but not taken by the model"),
        Column("error", pl.String, "of an infra_error: what the last try met", nullable=True),
        Column("prompt_hash", pl.String, "joins the prompt, across suite versions"),
        Column("settings_hash", pl.String, "the roster entry's settings that were sent"),
        Column("first_asked_version", pl.String, "suite version when it was first asked"),
    ),
    key=("request_id",),
)
_GRADE_COLUMNS = (
    Column("request_id", pl.String, "the completion that was graded"),
    ITEM_ID,
    MODEL,
    _REGIME,
    _SAMPLE,
    Column("grader", pl.String, "code, a judge's id, or a human's"),
    Column("verdict", pl.String, "the verdict", allowed=tuple(Verdict)),
    Column("flags", pl.List(pl.String), "what the verdict alone does not say"),
    Column("extracted", pl.String, "what the answer asserts, canonical", nullable=True),
    Column("span_start", pl.Int32, "first character of it in the answer", nullable=True),
    Column("span_end", pl.Int32, "one past its last character", nullable=True),
    Column("rule", pl.String, "the rule that decided"),
    Column("reason", pl.String, "why, for a person"),
    Column("jaccard", pl.Float64, "overlap of month sets", nullable=True),
    Column("gold_hash", pl.String, "the gold that it was held against"),
    VERSION,
)
GRADES = TableSchema(
    "grades",
    "One grader's verdict on one completion.",
    _GRADE_COLUMNS,
    key=("request_id", "grader"),
)
BASELINES = TableSchema(
    "baselines",
    "Grades of answers that no model gave: the majority answer, always refusing, always hedging, "
    "echoing the question.",
    _GRADE_COLUMNS,
    key=("request_id", "grader"),
)
TABLES = {
    schema.name: schema
    for schema in (
        DOCUMENTS,
        PAGES,
        CHUNKS,
        CANDIDATES,
        VETTED,
        PAIRS,
        UNIQUE,
        REVIEWED,
        TRANSLATIONS,
        FACTS,
        CORRECTIONS,
        BANK,
        ITEMS,
        GOLD,
        TRANSLATED_ITEMS,
        TRANSLATED_GOLD,
        PROMPTS,
        COMPLETIONS,
        GRADES,
        BASELINES,
        JUDGEMENTS,
        SCORES,
        COMPARISONS,
        ITEM_ANALYSIS,
        PROTOCOL_SCORES,
        PROTOCOL_AGREEMENT,
        LEADERBOARD,
    )
}
#: tables of several files; the others are one file each
PARTITIONED = frozenset(
    schema.name
    for schema in (
        *(PAGES, CHUNKS, CANDIDATES, VETTED, TRANSLATIONS),
        *(COMPLETIONS, GRADES, JUDGEMENTS),
    )
)
