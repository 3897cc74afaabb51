"""The one loader of a suite's item files: CSV, checked row by row before anything else happens.

A file needs the columns `question`, `answer_type` and `gold`; the others have defaults. Every
error names file, row and field.
"""

import csv
import hashlib
import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl

from bench_pipeline.contracts.errors import InputError, shown
from bench_pipeline.contracts.roster import SLUG
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.contracts.tables import ANSWER_TYPES, BANK, PAIR_ROLES
from bench_pipeline.text import text_key

GoldCheck = Callable[[str, str, dict[str, Any]], None]
UNVERIFIED = "unverified"
_REQUIRED = ("question", "answer_type", "gold")
_OPTIONAL = (
    "item_id",
    "concept_id",
    "family_id",
    "language",
    "category",
    "pair_id",
    "pair_role",
    "options",
    "as_of",
    "source_id",
    "source_locator",
)
_SOURCE_COLUMNS = ("source_id", "title", "publisher", "locator", "as_of", "checked")
_CHECKED = re.compile(r"^(unverified|verified \d{4}-\d{2}-\d{2} \S.*)$")
_SLUG = re.compile(SLUG)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a row stands, for messages."""

    file: str
    row: int

    def error(self, field: str, problem: str, accepted: str | None = None) -> InputError:
        return InputError(self.file, problem, entry=self.row, field=field, accepted=accepted)


def load_bank(suite: SuiteSpec, check_gold: GoldCheck) -> pl.DataFrame:
    """All items of `suite` as a `bank` table, in the order of files and rows.

    `check_gold(answer_type, gold, options)` raises ValueError when a gold is malformed or its own
    grader rejects it; it is handed in because stages do not import each other.

    Raises:
        InputError: at the first thing that is wrong.
    """
    if Path(suite.items).is_absolute() or ".." in Path(suite.items).parts:
        raise InputError(
            suite.folder / "suite.yaml",
            f"'{suite.items}' leads out of the suite's folder",
            field="items",
        )
    files = _item_files(suite)
    if not files:
        raise InputError(
            suite.folder / "suite.yaml", f"no file matches '{suite.items}'", field="items"
        )
    sources = _load_sources(suite)
    rows: list[dict[str, Any]] = []
    places: dict[str, _Place] = {}
    questions: dict[str, _Place] = {}
    for file in files:
        for place, raw in _read_csv(file, suite.folder, _REQUIRED, _OPTIONAL):
            row = _item(suite, place, raw, sources, check_gold)
            _refuse_duplicate(places, row["item_id"], place, "item_id")
            _refuse_duplicate(questions, text_key(row["question"]), place, "question")
            rows.append(row)
    if not rows:
        raise InputError(suite.folder / suite.items, "there is no item in it")
    _check_pairs(rows)
    _check_families(rows)
    return pl.DataFrame(rows, schema=BANK.polars)


def _item_files(suite: SuiteSpec) -> list[Path]:
    """The files that `items` names, all of them inside the suite's folder."""
    try:
        found = sorted(path for path in suite.folder.glob(suite.items) if path.is_file())
    except (OSError, ValueError, LookupError) as error:
        raise InputError(
            suite.folder / "suite.yaml",
            f"'{suite.items[:80]}' names no files: {error}",
            field="items",
            accepted="a file name or a pattern such as bank/*.csv",
        ) from error
    for path in found:
        suite.path(str(path.relative_to(suite.folder)))  # a link may lead out
    return found


def _read_csv(
    file: Path, folder: Path, required: tuple[str, ...], optional: tuple[str, ...]
) -> Iterator[tuple[_Place, dict[str, str]]]:
    """Rows with their place; the header is row 1. Blank rows are passed over."""
    name = f"{folder.name}/{file.relative_to(folder)}"
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(name, f"byte {error.start} is not UTF-8", accepted="UTF-8") from error
    except (OSError, ValueError) as error:
        raise InputError(name, f"cannot be read: {error}") from error
    if "\0" in text:
        raise InputError(name, "it holds a NUL character", accepted="text")
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    number = 1
    try:
        header = [column.strip() for column in next(reader, [])]
        _check_header(name, header, required, optional)
        for number, cells in enumerate(reader, start=2):
            if not any(cell.strip() for cell in cells):
                continue
            place = _Place(name, number)
            if len(cells) != len(header):
                raise InputError(
                    name, f"{len(cells)} cells", entry=number, accepted=f"{len(header)} cells"
                )
            yield place, {c: v.strip() for c, v in zip(header, cells, strict=True)}
    except csv.Error as error:
        raise InputError(name, f"not valid CSV: {error}", entry=number) from error


def _check_header(
    name: str, header: list[str], required: tuple[str, ...], optional: tuple[str, ...]
) -> None:
    known = (*required, *optional)
    for column in required:
        if column not in header:
            raise InputError(
                name,
                f"the column '{column}' is missing, found {shown(', '.join(header))}",
                entry=1,
                accepted=", ".join(known),
            )
    for column in header:
        if column not in known:
            raise InputError(
                name, f"unknown column {shown(column)}", entry=1, accepted=", ".join(known)
            )
        if header.count(column) > 1:
            raise InputError(name, f"the column '{column}' stands twice", entry=1)


def _item(
    suite: SuiteSpec,
    place: _Place,
    raw: dict[str, str],
    sources: dict[str, dict[str, str]],
    check_gold: GoldCheck,
) -> dict[str, Any]:
    question = raw["question"]
    if not question:
        raise place.error("question", "it is empty", "the question as it is asked")
    answer_type = _one_of(place, "answer_type", raw["answer_type"], ANSWER_TYPES)
    digest = hashlib.sha256(text_key(question).encode()).hexdigest()[:12]
    item_id = _slug(place, "item_id", raw.get("item_id") or f"q-{digest}")
    pair_id = raw.get("pair_id") or None
    kind = "clarification" if answer_type == "clarification" else "question"
    default_role = "unpaired" if pair_id is None else ""
    role = _one_of(place, "pair_role", raw.get("pair_role") or default_role, PAIR_ROLES)
    if (role == "unpaired") != (pair_id is None):
        raise place.error("pair_id", f"pair_role is '{role}' and pair_id is {shown(pair_id)}")
    if kind == "clarification" and role != "unpaired":
        raise place.error("pair_role", f"a clarification item is '{role}'", "unpaired")
    category = raw.get("category") or ("all" if not suite.categories else "")
    if suite.categories:
        _one_of(place, "category", category, tuple(suite.categories))
    options = _options(place, raw.get("options", ""))
    try:
        check_gold(answer_type, raw["gold"], {**options, "question": question})
    except ValueError as error:
        raise place.error("gold", f"{shown(raw['gold'])}: {str(error)[:300]}") from error
    source, checked = _source(place, raw, sources)
    return {
        "item_id": item_id,
        "concept_id": raw.get("concept_id") or item_id,
        "family_id": raw.get("family_id") or pair_id or item_id,
        "language": raw.get("language") or "en",
        "category": category,
        "kind": kind,
        "answer_type": answer_type,
        "question": question,
        "pair_id": pair_id,
        "pair_role": role,
        "status": suite.status,
        "split": suite.split,
        "as_of": _as_of(place, raw.get("as_of", "")),
        "source": source,
        "source_checked": checked,
        "gold": raw["gold"],
        "options": json.dumps(options, ensure_ascii=False, sort_keys=True),
        "file": place.file,
        "row": place.row,
    }


def _one_of(place: _Place, field: str, value: str, accepted: tuple[str, ...]) -> str:
    if value not in accepted:
        raise place.error(field, f"found {shown(value)}", ", ".join(accepted))
    return value


def _slug(place: _Place, field: str, value: str) -> str:
    if not _SLUG.match(value):
        raise place.error(field, f"found {shown(value)}", "a slug: a-z, 0-9, '.', '_' and '-'")
    return value


def _options(place: _Place, text: str) -> dict[str, Any]:
    try:
        options = json.loads(text or "{}")
        json.dumps(options, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise place.error(
            "options", f"not JSON: {shown(str(error))}", '{"tolerance": {"rel": "0.01"}}'
        ) from error
    if not isinstance(options, dict):
        raise place.error("options", f"found {shown(text)}", "a JSON object")
    if "question" in options:
        raise place.error("options", "'question' is set by the pipeline and may not stand here")
    return options


def _as_of(place: _Place, text: str) -> str | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise place.error("as_of", f"found {shown(text)}", "a date such as 2024-04-01") from error


def _source(
    place: _Place, raw: dict[str, str], sources: dict[str, dict[str, str]]
) -> tuple[str | None, str]:
    """The source as a reader sees it, and whether its text was read."""
    source_id = raw.get("source_id", "")
    if not source_id:
        if sources:
            raise place.error("source_id", "it is empty", "an id from the suite's sources file")
        return None, UNVERIFIED
    if source_id not in sources:
        raise place.error(
            "source_id", f"found {shown(source_id)}", f"one of {', '.join(sorted(sources))}"
        )
    source = sources[source_id]
    parts = [source["title"], source["publisher"], raw.get("source_locator") or source["locator"]]
    return ", ".join(part for part in parts if part), source["checked"]


def _load_sources(suite: SuiteSpec) -> dict[str, dict[str, str]]:
    if suite.item_sources is None:
        return {}
    file = suite.path(suite.item_sources)
    sources: dict[str, dict[str, str]] = {}
    places: dict[str, _Place] = {}
    for place, raw in _read_csv(file, suite.folder, _SOURCE_COLUMNS, ()):
        _slug(place, "source_id", raw["source_id"])
        _refuse_duplicate(places, raw["source_id"], place, "source_id")
        if not raw["title"]:
            raise place.error("title", "it is empty", "the title of the source")
        if not _CHECKED.match(raw["checked"]):
            raise place.error(
                "checked", f"found {shown(raw['checked'])}", "unverified, or verified DATE ADDRESS"
            )
        sources[raw["source_id"]] = raw
    return sources


def _refuse_duplicate(seen: dict[str, _Place], key: str, place: _Place, field: str) -> None:
    first = seen.setdefault(key, place)
    if first is not place:
        raise place.error(field, f"the same as in {first.file}, row {first.row}", "each only once")


def _check_families(rows: list[dict[str, Any]]) -> None:
    """A family, the unit that is resampled, lies in one category, the stratum it is drawn in."""
    first: dict[str, dict[str, Any]] = {}
    for row in rows:
        other = first.setdefault(row["family_id"], row)
        if other["category"] != row["category"]:
            raise _Place(row["file"], row["row"]).error(
                "family_id",
                f"family '{row['family_id']}' is in category '{other['category']}' too "
                f"({other['file']}, row {other['row']})",
                "one category a family",
            )


def _check_pairs(rows: list[dict[str, Any]]) -> None:
    """Every pair has one core item and one control twin of its category and answer type."""
    pairs: dict[str, dict[str, dict[str, Any]]] = {}
    for row in rows:
        if row["pair_id"] is None:
            continue
        place = _Place(row["file"], row["row"])
        pair = pairs.setdefault(row["pair_id"], {})
        if row["pair_role"] in pair:
            raise place.error(
                "pair_id", f"pair '{row['pair_id']}' has a second {row['pair_role']} item"
            )
        pair[row["pair_role"]] = row
    for pair_id, pair in pairs.items():
        present = next(iter(pair.values()))
        place = _Place(present["file"], present["row"])
        for role in ("core", "control"):
            if role not in pair:
                raise place.error("pair_id", f"pair '{pair_id}' has no {role} item")
        for field in ("category", "answer_type", "language"):
            core, control = pair["core"][field], pair["control"][field]
            if core != control:
                twin = _Place(pair["control"]["file"], pair["control"]["row"])
                raise twin.error(field, f"found {shown(control)}", f"its core item's, {core}")
