"""People's translations and glossaries, from the CSV files that they return."""

from pathlib import Path

from bench_pipeline.contracts.csv_files import (
    Place,
    filled,
    name_in,
    one_of,
    read_rows,
    refuse_duplicate,
    suite_files,
)
from bench_pipeline.contracts.errors import InputError, shown
from bench_pipeline.contracts.languages import languages
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.translate.gates import Rendering

_COLUMNS = ("item_id", "language", "question", "answer", "translator")
#: yes on rows that were made to show a lane
_EXAMPLE = "example"
_GLOSSARY = ("term", "language", "translation")


def load_human(suite: SuiteSpec, pattern: str | None, language: str) -> dict[str, Rendering]:
    """Item → what a person wrote for it in `language`; empty where there are no files.

    An id that is no item any more stays in its file and is passed over: it may come back.

    Raises:
        InputError: at the first row that is wrong, or translates an item twice.
    """
    found: dict[str, Rendering] = {}
    places: dict[str, Place] = {}
    for place, raw in _rows(suite, pattern, "translation.human", _COLUMNS, (_EXAMPLE,)):
        filled(place, "translator", raw["translator"], "who translated it")
        if one_of(place, "language", raw["language"], tuple(languages())) != language:
            continue
        item_id = filled(place, "item_id", raw["item_id"], "an item's id")
        refuse_duplicate(places, item_id, place, "item_id")
        example = one_of(place, _EXAMPLE, raw.get(_EXAMPLE) or "no", ("yes", "no")) == "yes"
        found[item_id] = Rendering(item_id, raw["question"], raw["answer"], example=example)
    return found


def load_glossary(suite: SuiteSpec, file: str | None, language: str) -> dict[str, str]:
    """Source term → its term in `language`; empty where the suite has no glossary.

    Raises:
        InputError: at the first row that is wrong, or gives a term twice.
    """
    found: dict[str, str] = {}
    places: dict[str, Place] = {}
    if file is not None and not suite.path(file).is_file():
        raise InputError(
            suite.folder / "suite.yaml",
            f"there is no file {shown(file)}",
            field="translation.glossary",
            accepted="a CSV file of the suite's folder",
        )
    for place, raw in _rows(suite, file, "translation.glossary", _GLOSSARY):
        if one_of(place, "language", raw["language"], tuple(languages())) != language:
            continue
        term = filled(place, "term", raw["term"], "a term of the source language")
        refuse_duplicate(places, term, place, "term")
        found[term] = filled(place, "translation", raw["translation"], "its translation")
    return found


def _rows(
    suite: SuiteSpec,
    pattern: str | None,
    field: str,
    columns: tuple[str, ...],
    optional: tuple[str, ...] = (),
) -> list[tuple[Place, dict[str, str]]]:
    files: list[Path] = suite_files(suite, pattern, field) if pattern else []
    return [
        row for file in files for row in read_rows(file, name_in(suite, file), columns, optional)
    ]
