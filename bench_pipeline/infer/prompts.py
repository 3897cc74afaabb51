"""Every question as it is put to a model: item × regime × sample, and who asks it."""

import hashlib
import json
from pathlib import Path
from typing import Any

import polars as pl

from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.paths import reference_dir
from bench_pipeline.contracts.suite import Profile, SuiteSpec
from bench_pipeline.contracts.tables import ITEMS, PROMPTS
from bench_pipeline.providers.prompt_file import PromptFile

_VALUE = '{"value": <number>}'
_VALUE_AND_UNIT = '{"value": <number>, "unit": "<unit>"}'
#: the shape that a strict-JSON prompt shows. A clarification item is shown an ordinary one: a
#: shape of its own would announce it.
JSON_SHAPES = {
    "numeric": _VALUE,
    "numeric_with_unit": _VALUE_AND_UNIT,
    "date": '{"value": "YYYY-MM-DD"}',
    "date_range": '{"start": "YYYY-MM-DD", "end": "YYYY-MM-DD"}',
    "month_set": '{"months": ["<month>", "<month>"]}',
    "enum": '{"value": "<answer>"}',
    "string_normalized": '{"value": "<answer>"}',
    "clarification": _VALUE_AND_UNIT,
    "short_answer": '{"value": "<answer>"}',
}
_PROPERTIES: dict[str, dict[str, Any]] = {
    "numeric": {"value": {"type": "number"}},
    "numeric_with_unit": {"value": {"type": "number"}, "unit": {"type": "string"}},
    "date": {"value": {"type": "string"}},
    "date_range": {"start": {"type": "string"}, "end": {"type": "string"}},
    "month_set": {"months": {"type": "array", "items": {"type": "string"}}},
    "enum": {"value": {"type": "string"}},
    "string_normalized": {"value": {"type": "string"}},
    "clarification": {"value": {"type": "number"}, "unit": {"type": "string"}},
    "short_answer": {"value": {"type": "string"}},
}
STRICT_JSON = "strict-json"
#: what a template may use
_FIELDS = ("question", "answer_type", "language", "shape")


def build_prompts(
    items: pl.DataFrame, suite: SuiteSpec, renderings: pl.DataFrame | None = None
) -> pl.DataFrame:
    """The `prompts` table of `items` (an `items` table) and of their renderings.

    A rendering is asked by the profiles that ask the item which it renders.

    Raises:
        InputError: a template is missing or asks for something that it is not given.
    """
    templates = {regime: regime_template(suite, file) for regime, file in suite.regimes.items()}
    renderings = ITEMS.empty() if renderings is None else renderings
    members = {
        name: _with_renderings(_members(items, suite, profile), items, renderings)
        for name, profile in suite.all_profiles.items()
    }
    rows = []
    for item in pl.concat([items, renderings]).sort("item_id").iter_rows(named=True):
        for regime, template in templates.items():
            messages = json.dumps(
                [{"role": "user", "content": _rendered(template, item)}], ensure_ascii=False
            )
            schema = answer_schema(item["answer_type"]) if regime == STRICT_JSON else None
            prompt_hash = _hash(messages, schema, suite)
            for sample in range(suite.samples):
                profiles = [
                    name
                    for name, profile in suite.all_profiles.items()
                    if item["item_id"] in members[name]
                    and regime in (profile.regimes or suite.regimes)
                    and sample < (profile.samples or suite.samples)
                ]
                rows.append(
                    {
                        "prompt_id": f"{item['item_id']}:{regime}:{sample}",
                        "item_id": item["item_id"],
                        "language": item["language"],
                        "regime": regime,
                        "sample": sample,
                        "messages": messages,
                        "response_schema": schema,
                        "temperature": suite.sampling.temperature,
                        "max_tokens": suite.sampling.max_tokens,
                        "prompt_hash": prompt_hash,
                        "profiles": profiles,
                        "version": suite.version,
                    }
                )
    _refuse_equal(rows, templates)
    return pl.DataFrame(rows, schema=PROMPTS.polars)


def _refuse_equal(rows: list[dict[str, Any]], templates: dict[str, PromptFile]) -> None:
    """Two prompts that say the same would be one request, paid for once and counted twice."""
    seen: dict[tuple[str, str | None, int], str] = {}
    for row in rows:
        sent = (row["messages"], row["response_schema"], row["sample"])
        first = seen.setdefault(sent, row["prompt_id"])
        if first != row["prompt_id"]:
            raise InputError(
                templates[row["regime"]].path,
                f"prompts '{first}' and '{row['prompt_id']}' are the same text",
                accepted="a template that holds {{ question }} and differs from other regimes",
            )


def answer_schema(answer_type: str) -> str:
    """JSON schema of a strict-JSON answer: the type's shape, or the clarification escape."""
    properties = _PROPERTIES[answer_type]
    escape = {"clarification_required": {"type": "boolean"}, "reason": {"type": "string"}}
    shapes = [
        {
            "type": "object",
            "properties": shape,
            "required": list(shape),
            "additionalProperties": False,
        }
        for shape in (properties, escape)
    ]
    return json.dumps({"anyOf": shapes}, sort_keys=True)


def _rendered(template: PromptFile, item: dict[str, Any]) -> str:
    shape = JSON_SHAPES[item["answer_type"]]
    return template.render(
        question=item["question"],
        answer_type=item["answer_type"],
        language=item["language"],
        shape=shape,
    )


def regime_template(suite: SuiteSpec, file: str) -> PromptFile:
    """The suite's own file of that name, or the shipped one.

    Raises:
        InputError: there is none, or it is no template.
    """
    own = suite.path(file)
    shipped = reference_dir() / "prompts" / Path(file).name
    if not own.is_file() and not shipped.is_file():
        raise InputError(
            suite.folder / "suite.yaml",
            f"there is no template '{file}'",
            field="regimes",
            accepted=", ".join(sorted(p.name for p in shipped.parent.glob("*.j2"))),
        )
    return PromptFile(own if own.is_file() else shipped, _FIELDS)


def _members(items: pl.DataFrame, suite: SuiteSpec, profile: Profile) -> set[str]:
    """The items of a profile: so many units of each category, chosen by a seeded hash.

    A unit is a matched pair, or an item without a twin. The choice does not change when other
    units are added or removed before or behind it in the file.
    """
    keyed = items.with_columns(
        pl.coalesce("pair_id", "item_id").alias("unit"),
        (pl.col("kind") == "clarification").alias("clarifies"),
    )
    units = keyed.select("unit", "category", "clarifies").unique()
    order = [hashlib.sha256(f"{suite.seed}:{unit}".encode()).hexdigest() for unit in units["unit"]]
    ranked = units.with_columns(pl.Series("order", order)).sort("order")
    questions = ranked.filter(~pl.col("clarifies"))
    clarifications = ranked.filter(pl.col("clarifies"))
    if profile.pairs_per_category is not None:
        questions = questions.group_by("category", maintain_order=True).head(
            profile.pairs_per_category
        )
    if profile.clarification_items is not None:
        clarifications = clarifications.head(profile.clarification_items)
    chosen = {*questions["unit"], *clarifications["unit"]}
    return set(keyed.filter(pl.col("unit").is_in(list(chosen)))["item_id"])


def _with_renderings(members: set[str], items: pl.DataFrame, renderings: pl.DataFrame) -> set[str]:
    concepts = items.filter(pl.col("item_id").is_in(list(members)))["concept_id"].unique()
    rendered = renderings.filter(pl.col("concept_id").is_in(concepts.implode()))
    return members | set(rendered["item_id"])


def _hash(messages: str, schema: str | None, suite: SuiteSpec) -> str:
    sampling = suite.sampling.model_dump_json()
    return hashlib.sha256("\x1f".join((messages, schema or "", sampling)).encode()).hexdigest()
