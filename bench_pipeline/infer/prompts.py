"""Every question as it is put to a model: item × regime × sample, and who asks it."""

import hashlib
import json
from pathlib import Path
from typing import Any

import polars as pl

from bench_pipeline.contracts.errors import InputError, shown
from bench_pipeline.contracts.paths import reference_dir
from bench_pipeline.contracts.suite import Profile, SuiteSpec
from bench_pipeline.contracts.tables import PROMPTS

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


def build_prompts(items: pl.DataFrame, suite: SuiteSpec) -> pl.DataFrame:
    """The `prompts` table of `items` (an `items` table).

    Raises:
        InputError: a template is missing or asks for something that it is not given.
    """
    templates = {regime: _Template(suite, file) for regime, file in suite.regimes.items()}
    members = {
        name: _members(items, suite, profile) for name, profile in suite.all_profiles.items()
    }
    rows = []
    for item in items.sort("item_id").iter_rows(named=True):
        for regime, template in templates.items():
            messages = json.dumps(
                [{"role": "user", "content": template.render(item)}], ensure_ascii=False
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


def _refuse_equal(rows: list[dict[str, Any]], templates: dict[str, "_Template"]) -> None:
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


class _Template:
    """A Jinja file: the suite's own, or the shipped one of that name."""

    def __init__(self, suite: SuiteSpec, file: str) -> None:
        from jinja2 import StrictUndefined, TemplateError
        from jinja2.sandbox import SandboxedEnvironment

        own = suite.path(file)
        shipped = reference_dir() / "prompts" / Path(file).name
        self.path = own if own.is_file() else shipped
        if not self.path.is_file():
            raise InputError(
                suite.folder / "suite.yaml",
                f"there is no template '{file}'",
                field="regimes",
                accepted=", ".join(sorted(p.name for p in shipped.parent.glob("*.j2"))),
            )
        environment = SandboxedEnvironment(undefined=StrictUndefined, autoescape=False)
        # a prompt that differs at every build would be asked, and paid for, at every run
        del environment.filters["random"], environment.globals["lipsum"]
        try:
            text = self.path.read_text(encoding="utf-8-sig")
            self._template = environment.from_string(text)
        except (TemplateError, OSError, ValueError, RecursionError) as error:
            raise InputError(self.path, f"not a valid template: {error}") from error

    def render(self, item: dict[str, Any]) -> str:
        try:
            text = self._template.render(
                question=item["question"],
                answer_type=item["answer_type"],
                language=item["language"],
                shape=JSON_SHAPES[item["answer_type"]],
            )
            text.encode()
        except Exception as error:  # a template is a small program and may raise anything
            raise InputError(
                self.path,
                f"{type(error).__name__}: {shown(str(error))}",
                accepted="question, answer_type, language, shape",
            ) from error
        return text.strip()


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


def _hash(messages: str, schema: str | None, suite: SuiteSpec) -> str:
    sampling = suite.sampling.model_dump_json()
    return hashlib.sha256("\x1f".join((messages, schema or "", sampling)).encode()).hexdigest()
