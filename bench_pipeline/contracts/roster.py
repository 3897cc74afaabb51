"""`assets/models.yaml`: the models that can be asked, checked whole before any of them is."""

import hashlib
import json
import os
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, model_validator

from bench_pipeline.contracts.baselines import BASELINE_PREFIX
from bench_pipeline.contracts.errors import InputError, shown
from bench_pipeline.contracts.yaml_files import read_yaml, validate

SLUG = r"^[a-z0-9][a-z0-9._-]*$"
Slug = Annotated[str, Field(pattern=SLUG, max_length=80)]


#: fields of a request that only the pipeline sets
_OWN_FIELDS = frozenset(
    {
        "model",
        "messages",
        "temperature",
        "max_tokens",
        "max_completion_tokens",
        "response_format",
        "n",
        "best_of",
        "stream",
        "stream_options",
    }
)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Prices(_Strict):
    """US dollars per million tokens, as of `as_of`. A missing block means unknown, never zero."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=False)

    input: Annotated[Decimal, Field(ge=0)]
    output: Annotated[Decimal, Field(ge=0)]
    cached_input: Annotated[Decimal, Field(ge=0)] | None = None
    as_of: date


class Limits(_Strict):
    """What the account allows. `max_in_flight` is a ceiling; the limiter adapts below it."""

    requests_per_minute: Annotated[int, Field(gt=0)] | None = None
    tokens_per_minute: Annotated[int, Field(gt=0)] | None = None
    max_in_flight: Annotated[int, Field(gt=0, le=1024)] = 16


class Deadlines(_Strict):
    """Seconds: to connect, between two reads, for one try, and for a request with all its tries.

    `max_tries` counts faults; a 429 is bounded by `total` alone.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=False)

    connect: Annotated[float, Field(gt=0)] = 10.0
    read: Annotated[float, Field(gt=0)] = 120.0
    attempt: Annotated[float, Field(gt=0)] = 300.0
    total: Annotated[float, Field(gt=0)] = 900.0
    max_tries: Annotated[int, Field(ge=1, le=20)] = 6


class Reasoning(_Strict):
    """How hidden reasoning is treated; the label stands on every row of the board."""

    effort: Literal["none", "minimal", "low", "medium", "high"] | None = None
    label: str = "no hidden reasoning"


class Capabilities(_Strict):
    """Which parameters the model takes. One that it refuses is dropped and shown on its label.

    `schema_limits`: a JSON schema may bound lengths, counts and numbers; not every server that
    takes a schema takes those.
    """

    temperature: bool = True
    json_schema: bool = False
    schema_limits: bool = False
    token_limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"


class Overrides(_Strict):
    """Sampling settings of this model that replace the suite's; recorded and shown."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=False)

    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    max_tokens: Annotated[int, Field(gt=0, le=10_000_000)] | None = None


class ModelSpec(_Strict):
    """One model as it is asked: where, under which name, with which limits, prices and label.

    One that is not `under_test` writes, marks, judges or translates, and has no row on a board.
    """

    id: Slug
    provider: Literal["openai", "openrouter", "sarvam", "local"]
    model: Annotated[str, Field(min_length=1)]
    family: Annotated[str, Field(min_length=1)]
    title: str | None = None
    base_url: Annotated[str, Field(pattern=r"^https?://\S+$")] | None = None
    api_key_env: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]*$")] | None = None
    system_prompt: str | None = None
    overrides: Overrides = Overrides()
    extra_body: dict[str, Any] = Field(default_factory=dict)
    prices: Prices | None = None
    limits: Limits = Limits()
    deadlines: Deadlines = Deadlines()
    reasoning: Reasoning = Reasoning()
    capabilities: Capabilities = Capabilities()
    under_test: bool = True
    retired: bool = False

    @model_validator(mode="after")
    def _address(self) -> "ModelSpec":
        if self.provider == "openai" and not self.base_url:
            raise ValueError("provider 'openai' needs a base_url such as https://host/v1")
        if self.base_url is not None:
            _ = urlsplit(self.base_url).port  # raises ValueError for an address that is none
        json.dumps(self.extra_body, ensure_ascii=False).encode()
        taken = _OWN_FIELDS & set(self.extra_body)
        if taken:
            raise ValueError(
                f"extra_body may not hold {', '.join(sorted(taken))}: the pipeline sets them, and "
                "the spending cap counts on them"
            )
        if self.provider == "local" and (self.base_url or self.api_key_env):
            raise ValueError("provider 'local' takes neither base_url nor api_key_env")
        if self.id.startswith(BASELINE_PREFIX):
            raise ValueError(f"ids that begin with '{BASELINE_PREFIX}' are the board's baselines")
        return self

    @property
    def settings_hash(self) -> str:
        """Changes with whatever of this entry enters a request, and with nothing else."""
        sent = {
            "id", "provider", "model", "system_prompt", "overrides", "extra_body", "reasoning",
            "capabilities",
        }  # fmt: skip
        left_out: dict[str, set[str]] = {"reasoning": {"label"}}
        if not self.capabilities.schema_limits:
            # younger than the hash: where it is off, what was asked before it stays what it was
            left_out["capabilities"] = {"schema_limits"}
        text = self.model_dump_json(include=sent, exclude=left_out)
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def name(self) -> str:
        """What a reader sees: the title, or the id where none is set."""
        return self.title or self.id

    def api_key(self) -> str | None:
        """The key from the environment, or None where the model needs none.

        Raises:
            InputError: the roster names a variable that is not set.
        """
        if self.api_key_env is None:
            return None
        key = os.environ.get(self.api_key_env, "").strip()
        if not key:
            raise InputError(
                "models.yaml",
                f"the environment variable {self.api_key_env} is not set",
                entry=self.id,
                field="api_key_env",
                accepted=f"export {self.api_key_env}=… before the run",
            )
        if not all("!" <= character <= "~" for character in key):
            # an HTTP library would quote the whole header, and so the key, in its error
            raise InputError(
                "models.yaml",
                f"the value of {self.api_key_env} holds a blank or a character outside ASCII",
                entry=self.id,
                field="api_key_env",
                accepted="a key as its provider gives it",
            )
        return key


class Roster:
    """All models of `models.yaml`, by id."""

    def __init__(self, path: Path, models: tuple[ModelSpec, ...]) -> None:
        self.path = path
        self.models = models
        self._by_id = {model.id: model for model in models}

    def __getitem__(self, model_id: str) -> ModelSpec:
        try:
            return self._by_id[model_id]
        except KeyError:
            known = ", ".join(sorted(self._by_id)) or "none"
            raise InputError(
                self.path, f"there is no model {shown(model_id)}", accepted=known
            ) from None

    def get(self, model_id: str) -> ModelSpec | None:
        """The model of that id, or None where it left the roster."""
        return self._by_id.get(model_id)

    def askable(self, model_id: str) -> ModelSpec:
        """The model of that id, if it may still be asked.

        Raises:
            InputError: there is none, or it is retired.
        """
        model = self[model_id]
        if model.retired:
            raise InputError(
                self.path,
                "it is retired: its row stays, and it is asked no more",
                entry=model_id,
                field="retired",
                accepted="false, to ask it again",
            )
        return model

    def active(self) -> tuple[ModelSpec, ...]:
        """The models under test that are still asked; retired ones keep partition and row."""
        return tuple(model for model in self.under_test() if not model.retired)

    def under_test(self) -> tuple[ModelSpec, ...]:
        """The models that boards are about, retired ones too."""
        return tuple(model for model in self.models if model.under_test)


def load_roster(path: Path) -> Roster:
    """The roster, refused whole when any entry is wrong.

    Raises:
        InputError: names file, entry and field.
    """
    document = read_yaml(path)
    entries = document.get("models") if isinstance(document, dict) else None
    if (
        not isinstance(document, dict)
        or set(document) != {"models"}
        or not isinstance(entries, list)
    ):
        raise InputError(path, "the file must hold one list named 'models'", field="models")
    models: list[ModelSpec] = []
    seen: set[str] = set()
    for number, entry in enumerate(entries, start=1):
        named = entry.get("id") if isinstance(entry, dict) else None
        label = named if isinstance(named, str) else f"number {number}"
        model = validate(ModelSpec, entry, path, entry=label)
        if model.id in seen:
            raise InputError(path, "this id stands twice", entry=model.id, field="id")
        seen.add(model.id)
        models.append(model)
    return Roster(path, tuple(models))
