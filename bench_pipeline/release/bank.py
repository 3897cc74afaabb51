"""The one loader of a suite's items: CSV, checked row by row before anything else happens.

A file needs the columns `question`, `answer_type` and `gold`; the others have defaults. Every
error names file, row and field.
"""

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any

import polars as pl

from bench_pipeline.contracts.csv_files import (
    Place,
    filled,
    iso_date,
    name_in,
    one_of,
    read_rows,
    refuse_duplicate,
    slug,
    suite_files,
)
from bench_pipeline.contracts.errors import InputError, shown
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.contracts.tables import ANSWER_TYPES, BANK, PAIR_ROLES, SPLITS
from bench_pipeline.release.facts import FactBook
from bench_pipeline.text import text_key

GoldCheck = Callable[[str, str, dict[str, Any]], None]
#: bidirectional overrides and isolates: what a reader sees is not what is stored
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")
_REQUIRED = ("question", "answer_type", "gold")
_OPTIONAL = (
    "item_id",
    "concept_id",
    "family_id",
    "language",
    "category",
    "pair_id",
    "pair_role",
    "template",
    "options",
    "formula",
    "facts",
    "convention",
    "as_of",
    "split",
)


def load_bank(suite: SuiteSpec, facts: FactBook, check_gold: GoldCheck) -> pl.DataFrame:
    """All items of `suite` as a `bank` table, in the order of files and rows; all are drafts.

    `check_gold(answer_type, gold, options)` raises ValueError when a gold is malformed or its own
    grader rejects it; it is handed in because stages do not import each other.

    Raises:
        InputError: at the first thing that is wrong.
    """
    pattern = suite.items or ""
    files = suite_files(suite, pattern, "items")
    if not files:
        raise InputError(suite.folder / "suite.yaml", f"no file matches '{pattern}'", field="items")
    rows: list[dict[str, Any]] = []
    places: dict[str, Place] = {}
    questions: dict[str, Place] = {}
    for file in files:
        for place, raw in read_rows(file, name_in(suite, file), _REQUIRED, _OPTIONAL):
            row = _item(suite, place, raw, facts, check_gold)
            refuse_duplicate(places, row["item_id"], place, "item_id")
            refuse_duplicate(questions, text_key(row["question"]), place, "question")
            rows.append(row)
    if not rows:
        raise InputError(suite.folder / pattern, "there is no item in it")
    _check_pairs(rows)
    _check_families(rows)
    return pl.DataFrame(rows, schema=BANK.polars)


def item_hash(question: str, answer_type: str, gold: str, options: str) -> str:
    """What a reviewer's label is bound to: twelve hex digits of the item's content."""
    content = "\x1f".join((question, answer_type, gold, options))
    return hashlib.sha256(content.encode()).hexdigest()[:12]


def read_options(text: str) -> dict[str, Any]:
    """The grader's settings in an `options` cell.

    Raises:
        ValueError: it is not a JSON object of settings that an item may have.
    """
    try:
        options = json.loads(text or "{}")
        json.dumps(options, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not JSON: {shown(str(error))}") from error
    if not isinstance(options, dict):
        raise ValueError(f"found {shown(text)}, not a JSON object")
    if "question" in options:
        raise ValueError("'question' is set by the pipeline and may not stand here")
    return options


def options_text(options: dict[str, Any]) -> str:
    """Settings as the tables hold them: JSON with sorted keys."""
    return json.dumps(options, ensure_ascii=False, sort_keys=True)


def _item(
    suite: SuiteSpec,
    place: Place,
    raw: dict[str, str],
    facts: FactBook,
    check_gold: GoldCheck,
) -> dict[str, Any]:
    question = filled(place, "question", raw["question"], "the question as it is asked")
    for field in ("question", "gold"):
        if _BIDI.search(raw[field]):
            raise place.error(
                field, "it holds a character that reorders text", "text without such marks"
            )
    answer_type = one_of(place, "answer_type", raw["answer_type"], ANSWER_TYPES)
    digest = hashlib.sha256(text_key(question).encode()).hexdigest()[:12]
    item_id = slug(place, "item_id", raw.get("item_id") or f"q-{digest}")
    pair_id = raw.get("pair_id") or None
    kind = "clarification" if answer_type == "clarification" else "question"
    default_role = "unpaired" if pair_id is None else ""
    role = one_of(place, "pair_role", raw.get("pair_role") or default_role, PAIR_ROLES)
    if (role == "unpaired") != (pair_id is None):
        raise place.error("pair_id", f"pair_role is '{role}' and pair_id is {shown(pair_id)}")
    if kind == "clarification" and role != "unpaired":
        raise place.error("pair_role", f"a clarification item is '{role}'", "unpaired")
    category = raw.get("category") or ("all" if not suite.categories else "")
    if suite.categories:
        one_of(place, "category", category, tuple(suite.categories))
    try:
        options = read_options(raw.get("options", ""))
    except ValueError as error:
        raise place.error("options", str(error), '{"tolerance": {"rel": "0.01"}}') from error
    try:
        check_gold(answer_type, raw["gold"], {**options, "question": question})
    except ValueError as error:
        raise place.error("gold", f"{shown(raw['gold'])}: {str(error)[:300]}") from error
    fact_ids = _facts(suite, place, raw, facts, role)
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
        "status": "draft",
        "split": one_of(place, "split", raw.get("split") or suite.split, SPLITS),
        "as_of": iso_date(place, "as_of", raw.get("as_of", "")),
        "source": facts.source_of(fact_ids),
        "source_checked": facts.checked(fact_ids),
        "made_by": None,
        "gold": raw["gold"],
        "options": options_text(options),
        "item_hash": item_hash(question, answer_type, raw["gold"], options_text(options)),
        "formula": raw.get("formula") or None,
        "facts": fact_ids,
        "convention": raw.get("convention") or None,
        "template": raw.get("template") or None,
        "file": place.file,
        "row": place.row,
    }


def _facts(
    suite: SuiteSpec, place: Place, raw: dict[str, str], facts: FactBook, role: str
) -> list[str]:
    """The facts of a row; only a control twin may do without where the suite has fact tables."""
    fact_ids = raw.get("facts", "").split()
    for fact_id in fact_ids:
        if fact_id not in facts.by_id:
            raise place.error("facts", f"there is no fact {shown(fact_id)}", "ids of fact tables")
    if suite.facts and not fact_ids and role != "control":
        raise place.error("facts", "it is empty", "the ids of the facts that the item rests on")
    return fact_ids


def _check_families(rows: list[dict[str, Any]]) -> None:
    """A family, the unit that is resampled, lies in one category, the stratum it is drawn in."""
    first: dict[str, dict[str, Any]] = {}
    for row in rows:
        other = first.setdefault(row["family_id"], row)
        if other["category"] != row["category"]:
            raise Place(row["file"], row["row"]).error(
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
        place = Place(row["file"], row["row"])
        pair = pairs.setdefault(row["pair_id"], {})
        if row["pair_role"] in pair:
            raise place.error(
                "pair_id", f"pair '{row['pair_id']}' has a second {row['pair_role']} item"
            )
        pair[row["pair_role"]] = row
    for pair_id, pair in pairs.items():
        present = next(iter(pair.values()))
        place = Place(present["file"], present["row"])
        for role in ("core", "control"):
            if role not in pair:
                raise place.error("pair_id", f"pair '{pair_id}' has no {role} item")
        for field in ("category", "answer_type", "language"):
            core, control = pair["core"][field], pair["control"][field]
            if core != control:
                twin = Place(pair["control"]["file"], pair["control"]["row"])
                raise twin.error(field, f"found {shown(control)}", f"its core item's, {core}")
