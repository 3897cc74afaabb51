"""Fact tables and their sources: what items rest on, one row a fact."""

import re
from dataclasses import dataclass
from fractions import Fraction
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
from bench_pipeline.contracts.tables import FACTS, UNVERIFIED

_FACT_COLUMNS = (
    "fact_id",
    "subject",
    "value",
    "unit",
    "state",
    "as_of",
    "source_id",
    "locator",
    "conflict",
    "verified",
)
_SOURCE_COLUMNS = ("source_id", "title", "publisher", "locator", "as_of", "checked")
_CHECKED = re.compile(r"^(unverified|verified \d{4}-\d{2}-\d{2} \S.*)$")
_LONGEST = 200
_NAME = re.compile(r"^[a-z][a-z0-9_]*$")
_NUMBER = re.compile(r"^-?\d+(\.\d+)?$")


@dataclass(frozen=True, slots=True)
class FactBook:
    """The facts of a suite: the `facts` table, and rows and numbers by id."""

    table: pl.DataFrame
    by_id: dict[str, dict[str, Any]]
    numbers: dict[str, Fraction]
    sources: dict[str, dict[str, str]]

    def source_of(self, fact_ids: list[str]) -> str | None:
        """Title and place of the sources of those facts, each once."""
        shown_sources = [
            ", ".join(part for part in (fact["source"], fact["locator"]) if part)
            for fact in (self.by_id[fact_id] for fact_id in fact_ids)
        ]
        return "; ".join(dict.fromkeys(shown_sources)) or None

    def checked(self, fact_ids: list[str]) -> str:
        """Where and when the sources were read, `unverified` where any was not.

        An item without a fact states its own rule, and needs none.
        """
        found = [self.by_id[fact_id]["checked"] for fact_id in fact_ids]
        if UNVERIFIED in found:
            return UNVERIFIED
        return "; ".join(dict.fromkeys(found)) or SELF_CONTAINED


#: the item's own question says all that its gold rests on
SELF_CONTAINED = "self-contained"


def load_facts(suite: SuiteSpec) -> FactBook:
    """The facts of `suite`; an empty book where it declares none.

    Raises:
        InputError: at the first row that is wrong.
    """
    sources = _load_sources(suite)
    rows: list[dict[str, Any]] = []
    places: dict[str, Place] = {}
    for file in suite_files(suite, suite.facts, "facts") if suite.facts else ():
        for place, raw in read_rows(file, name_in(suite, file), _FACT_COLUMNS):
            row = _fact(place, raw, sources)
            refuse_duplicate(places, row["fact_id"], place, "fact_id")
            rows.append(row)
    if suite.facts and not rows:
        raise InputError(
            suite.folder / "suite.yaml", f"there is no fact in '{suite.facts}'", field="facts"
        )
    numbers = {
        row["fact_id"]: Fraction(row["value"]) for row in rows if _NUMBER.match(row["value"])
    }
    table = pl.DataFrame(rows, schema=FACTS.polars)
    return FactBook(table, {row["fact_id"]: row for row in rows}, numbers, sources)


def _fact(place: Place, raw: dict[str, str], sources: dict[str, dict[str, str]]) -> dict[str, Any]:
    fact_id = raw["fact_id"]
    if not _NAME.match(fact_id):
        raise place.error("fact_id", f"found {shown(fact_id)}", "a-z, 0-9 and '_', a letter first")
    source_id = raw["source_id"]
    if source_id not in sources:
        raise place.error("source_id", f"found {shown(source_id)}", "an id of the sources files")
    source = sources[source_id]
    read = one_of(place, "verified", raw["verified"], ("yes", "no")) == "yes"
    if read and source["checked"] == UNVERIFIED:
        raise place.error(
            "verified",
            f"it says yes, and source '{source_id}' was not read",
            "no, or a source whose `checked` says when and where it was read",
        )
    return {
        "fact_id": fact_id,
        "subject": filled(place, "subject", raw["subject"], "what the value is of"),
        "value": _value(place, raw["value"]),
        "unit": raw["unit"] or None,
        "state": raw["state"] or None,
        "as_of": iso_date(place, "as_of", raw["as_of"]),
        "conflict": raw["conflict"] or None,
        "source_id": source_id,
        "source": ", ".join(part for part in (source["title"], source["publisher"]) if part),
        "locator": raw["locator"] or source["locator"] or None,
        "checked": source["checked"] if read else UNVERIFIED,
        "file": place.file,
        "row": place.row,
    }


def _value(place: Place, text: str) -> str:
    accepted = f"a number or a short text, at most {_LONGEST} characters"
    if len(text) > _LONGEST:
        raise place.error("value", f"{len(text)} characters", accepted)
    return filled(place, "value", text, accepted)


def _load_sources(suite: SuiteSpec) -> dict[str, dict[str, str]]:
    sources: dict[str, dict[str, str]] = {}
    places: dict[str, Place] = {}
    pattern = suite.fact_sources
    for file in suite_files(suite, pattern, "fact_sources") if pattern else ():
        for place, raw in read_rows(file, name_in(suite, file), _SOURCE_COLUMNS):
            refuse_duplicate(places, slug(place, "source_id", raw["source_id"]), place, "source_id")
            filled(place, "title", raw["title"], "the title of the source")
            iso_date(place, "as_of", raw["as_of"])
            if not _CHECKED.match(raw["checked"]):
                raise place.error(
                    "checked",
                    f"found {shown(raw['checked'])}",
                    "unverified, or verified DATE ADDRESS",
                )
            sources[raw["source_id"]] = raw
    return sources
