"""`assets/suites/NAME/suite.yaml`: one benchmark's settings, checked whole at load."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from bench_pipeline.contracts.errors import InputError, shown
from bench_pipeline.contracts.grades import JUDGE
from bench_pipeline.contracts.languages import languages
from bench_pipeline.contracts.roster import Slug
from bench_pipeline.contracts.yaml_files import read_yaml, validate

Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=1)]


_RESERVED = frozenset({"main", "information_schema", "pg_catalog", "temp", "system", "catalog"})
#: the profile that every suite has
FULL = "full"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Sampling(_Strict):
    """What is sent with every request of the suite unless a model overrides it."""

    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    max_tokens: Annotated[int, Field(gt=0, le=10_000_000)] = 512


class Profile(_Strict):
    """A stated, balanced subset of the suite. An empty one is the whole suite.

    `pairs_per_category` takes that many matched pairs (or unpaired items where the suite has no
    twins) of each category; `clarification_items` that many clarification items in all.
    """

    description: str = ""
    pairs_per_category: Annotated[int, Field(ge=1)] | None = None
    clarification_items: Annotated[int, Field(ge=0)] | None = None
    regimes: Annotated[tuple[Slug, ...], Field(min_length=1)] | None = None
    samples: Annotated[int, Field(ge=1)] | None = None


class Withhold(_Strict):
    """A model whose share is above a limit has its row withheld, with the reason."""

    missing: Share = 0.02
    undetermined: Share = 0.5


class Design(_Strict):
    """What the bank promises to be; each promise is held before anything is published.

    `dated` categories carry an as-of date whose year stands in every question about India;
    `most_per_template` caps how many questions one wording pattern may make. Under `strict`,
    near-duplicates, questions that hold their answer and twins of another difficulty stop the
    bank; elsewhere they are warnings.
    """

    strict: bool = False
    core: Count | None = None
    control: Count | None = None
    clarification: Count | None = None
    core_per_category: Count | None = None
    items_per_answer_type: Count | None = None
    answer_types_per_category: Count | None = None
    most_per_template: Count | None = None
    dated: tuple[Slug, ...] = ()


class Generation(_Strict):
    """Who writes questions from a suite's documents, and who marks them.

    `cloze` is the baseline that needs no model. `agent_one` and `agent_two` are roster ids; their
    prompts are files of the suite. With `chunks_per_document` questions are made from so many
    chunks of a document only, evenly spread.
    """

    cloze: bool = True
    agent_one: Slug | None = None
    agent_two: Slug | None = None
    agent_one_prompt: str = "prompts/agent_one.j2"
    agent_two_prompt: str = "prompts/agent_two.j2"
    max_tokens: Annotated[int, Field(gt=0, le=100_000)] = 1024
    chunks_per_document: Count | None = None


class Dedup(_Strict):
    """When two questions are one. Thresholds are cosines; pairs from `floor` on are kept.

    `model` names the embedding (see `providers.embeddings`); text that it cannot read is compared
    by character n-grams, under `ngram_threshold`. `entities: false` merges questions that differ
    in a named entity.
    """

    model: str = "minilm"
    threshold: Share = 0.86
    ngram_threshold: Share = 0.8
    floor: Share = 0.7
    entities: bool = True


class Translation(_Strict):
    """Into which languages a suite is translated, and by whom.

    `engine` is a roster id, `human` a glob of CSV files of people's translations, which go first;
    `glossary` a CSV file of terms. A row that fails a gate is tried once more and then listed.
    With `back_translate` the engine translates kept questions back, by the file `back_prompt`, to
    rank what people look at; nothing is dropped by it.
    """

    languages: Annotated[tuple[str, ...], Field(min_length=1)]
    engine: Slug | None = None
    prompt: str = "prompts/translation.j2"
    back_translate: bool = False
    back_prompt: str = "prompts/back_translation.j2"
    batch: Annotated[int, Field(ge=1, le=100)] = 10
    max_tokens: Annotated[int, Field(gt=0, le=100_000)] = 4096
    human: str | None = None
    glossary: str | None = None

    @model_validator(mode="after")
    def _an_engine_translates_back(self) -> "Translation":
        if self.back_translate and self.engine is None:
            raise ValueError("back_translate needs an engine: the roster id of a model")
        return self


class Judge(_Strict):
    """The model that judges short answers, one verdict an answer.

    `model` is a roster id, best of a family that is not on the board.
    """

    model: Slug
    prompt: str = "prompts/judge.j2"
    max_tokens: Annotated[int, Field(gt=0, le=100_000)] = 512


class Source(_Strict):
    """Where the suite's idea or data comes from, for the card and the board's foot."""

    title: str
    url: str | None = None


class SuiteSpec(_Strict):
    """One suite. Only `name`, `title` and `items` or `documents` are needed.

    `items` names files of authored items, `documents` a file that lists documents to make items
    from; `passwords` maps a document to the variable that holds its password. Scores of short
    answers rest on the grader `protocol`; word overlap is right from `overlap_threshold` on.
    """

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)]
    title: Annotated[str, Field(min_length=1)]
    description: str = ""
    version: Annotated[str, Field(pattern=r"^\d+\.\d+\.\d+$")] = "0.1.0"
    license: str = "CC-BY-4.0"
    owners: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    items: Annotated[str, Field(min_length=1)] | None = None
    documents: Annotated[str, Field(min_length=1)] | None = None
    passwords: dict[Slug, str] = Field(default_factory=dict)
    ocr: bool = False
    protocol: Literal["judge", "substring", "word_overlap"] = "word_overlap"
    overlap_threshold: Annotated[float, Field(gt=0, le=1)] = 0.5
    generation: Generation = Generation()
    dedup: Dedup = Dedup()
    translation: Translation | None = None
    judge: Judge | None = None
    facts: str | None = None
    fact_sources: str | None = None
    specimens: str | None = None
    corrections: str | None = None
    labels: str | None = None
    design: Design = Design()
    categories: dict[Slug, str] = Field(default_factory=dict)
    split: Literal["public", "private"] = "public"
    regimes: dict[Slug, str] = Field(
        default_factory=lambda: {"natural": "natural.j2", "strict-json": "strict_json.j2"}
    )
    samples: Annotated[int, Field(ge=1, le=100)] = 1
    sampling: Sampling = Sampling()
    profiles: dict[Slug, Profile] = Field(default_factory=dict)
    primary_metric: Slug = "accuracy"
    baselines: bool = True
    resamples: Annotated[int, Field(ge=100, le=1_000_000)] = 10_000
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 20240401
    withhold: Withhold = Withhold()
    #: the folder of the suite; set by the loader, never written in the file
    folder: Path = Field(default=Path(), exclude=True)

    @model_validator(mode="after")
    def _consistent(self) -> "SuiteSpec":
        if self.name in _RESERVED:
            raise ValueError(f"'{self.name}' is a schema that every DuckDB file has already")
        if FULL in self.profiles:
            raise ValueError(f"the profile '{FULL}' is always everything and cannot be set")
        if (self.items is None) == (self.documents is None):
            raise ValueError("a suite has either `items` or `documents`")
        if self.protocol == JUDGE and self.judge is None:
            raise ValueError("the protocol 'judge' needs a `judge`")
        if not self.regimes:
            raise ValueError("a suite needs at least one regime")
        if self.facts and not self.fact_sources:
            raise ValueError("facts have sources: fact_sources must name their files")
        unknown_dated = set(self.design.dated) - set(self.categories)
        if unknown_dated:
            raise ValueError(
                f"design.dated names {', '.join(sorted(unknown_dated))}; accepted are categories: "
                f"{', '.join(self.categories)}"
            )
        for name, profile in self.profiles.items():
            unknown = set(profile.regimes or ()) - set(self.regimes)
            if unknown:
                raise ValueError(
                    f"profile '{name}' names regimes that the suite does not have: "
                    f"{', '.join(sorted(unknown))} (it has {', '.join(self.regimes)})"
                )
            if (profile.samples or 1) > self.samples:
                raise ValueError(
                    f"profile '{name}' asks {profile.samples} samples, the suite {self.samples}"
                )
        return self

    @property
    def compares_protocols(self) -> bool:
        """Whether its short answers are held to several protocols side by side."""
        return self.documents is not None or self.judge is not None

    @property
    def all_profiles(self) -> dict[str, Profile]:
        """The declared profiles and `full`, which is always there."""
        return {FULL: Profile(description="every item, regime and sample"), **self.profiles}

    def profile(self, name: str) -> Profile:
        """The profile of that name.

        Raises:
            InputError: when the suite has none such.
        """
        try:
            return self.all_profiles[name]
        except KeyError:
            raise InputError(
                self.folder / "suite.yaml",
                f"there is no profile '{name}'",
                field="profiles",
                accepted=", ".join(self.all_profiles),
            ) from None

    def path(self, relative: str) -> Path:
        """A file of the suite; a path that leads out of its folder is refused."""
        target = (self.folder / relative).resolve()
        if not target.is_relative_to(self.folder.resolve()):
            raise InputError(
                self.folder / "suite.yaml", f"'{relative}' leads out of the suite's folder"
            )
        return target


def load_suite(folder: Path) -> SuiteSpec:
    """The suite in `folder`, whose name must be the folder's.

    Raises:
        InputError: names file and field.
    """
    folder = folder.resolve()
    path = folder / "suite.yaml"
    document = read_yaml(path)
    if not isinstance(document, dict):
        raise InputError(path, "the file must hold a mapping of settings", accepted="name: …")
    if "folder" in document:
        raise InputError(path, "there is no such field", field="folder")
    suite = validate(SuiteSpec, document, path)
    _check_languages(suite, path)
    if suite.name != folder.name:
        raise InputError(
            path,
            f"the name is '{suite.name}'",
            field="name",
            accepted=f"the folder's, {folder.name}",
        )
    return suite.model_copy(update={"folder": folder})


def _check_languages(suite: SuiteSpec, path: Path) -> None:
    """Languages that the languages file has, each once."""
    codes = suite.translation.languages if suite.translation else ()
    for position, code in enumerate(codes):
        problem = None
        if code not in languages():
            problem = f"there is no language {shown(code)}"
        elif code in codes[:position]:
            problem = f"{shown(code)} stands twice"
        if problem:
            raise InputError(
                path, problem, field="translation.languages", accepted=", ".join(languages())
            )


def load_suites(assets: Path) -> tuple[SuiteSpec, ...]:
    """Every suite under `assets/suites`, in the order of their names."""
    folders = sorted(path.parent for path in (assets / "suites").glob("*/suite.yaml"))
    return tuple(load_suite(folder) for folder in folders)
