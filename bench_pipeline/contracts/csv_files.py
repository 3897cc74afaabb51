"""Reading a suite's CSV files row by row, with a place for every message."""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from bench_pipeline.contracts.errors import InputError, shown
from bench_pipeline.contracts.roster import SLUG
from bench_pipeline.contracts.suite import SuiteSpec

_SLUG = re.compile(SLUG)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a row stands, for messages. The header is row 1."""

    file: str
    row: int

    def error(self, field: str, problem: str, accepted: str | None = None) -> InputError:
        """What is wrong with a field of this row."""
        return InputError(self.file, problem, entry=self.row, field=field, accepted=accepted)

    def __str__(self) -> str:
        return f"{self.file}, row {self.row}"


def suite_files(suite: SuiteSpec, pattern: str, field: str) -> list[Path]:
    """The files that a glob of the suite names, sorted, all of them inside the suite's folder.

    Raises:
        InputError: the pattern is absolute, leads out of the folder, or is none.
    """
    settings = suite.folder / "suite.yaml"
    if Path(pattern).is_absolute() or ".." in Path(pattern).parts:
        raise InputError(settings, f"'{pattern}' leads out of the suite's folder", field=field)
    try:
        found = sorted(path for path in suite.folder.glob(pattern) if path.is_file())
    except (OSError, ValueError, LookupError) as error:
        raise InputError(
            settings,
            f"'{pattern[:80]}' names no files: {error}",
            field=field,
            accepted=f"a file name or a pattern such as {field}/*.csv",
        ) from error
    for path in found:
        suite.path(str(path.relative_to(suite.folder)))  # a link may lead out
    return found


def read_rows(
    file: Path, name: str, required: tuple[str, ...], optional: tuple[str, ...] = ()
) -> Iterator[tuple[Place, dict[str, str]]]:
    """Rows with their place; every cell is stripped text. Blank rows are passed over.

    `name` is what messages call the file.

    Raises:
        InputError: the file is not UTF-8 CSV with the `required` columns and no others than
            the `optional` ones.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        row = error.object[: error.start].count(b"\n") + 1
        raise InputError(
            name,
            f"byte {error.start} is not UTF-8",
            entry=row,
            accepted="UTF-8 (a spreadsheet calls it CSV UTF-8)",
        ) from error
    except (OSError, ValueError) as error:
        raise InputError(name, f"cannot be read: {error}") from error
    if "\0" in text:
        raise InputError(name, "it holds a NUL character", accepted="text")
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = [column.strip() for column in next(reader, [])]
        _check_header(name, header, required, optional)
        for number, cells in enumerate(reader, start=2):
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(header):
                raise InputError(
                    name, f"{len(cells)} cells", entry=number, accepted=f"{len(header)} cells"
                )
            yield Place(name, number), {c: v.strip() for c, v in zip(header, cells, strict=True)}
    except csv.Error as error:
        raise InputError(name, f"not valid CSV: {error}", entry=reader.line_num) from error


def name_in(suite: SuiteSpec, file: Path) -> str:
    """What messages call a file of the suite."""
    return f"{suite.name}/{file.relative_to(suite.folder)}"


def _check_header(
    name: str, header: list[str], required: tuple[str, ...], optional: tuple[str, ...]
) -> None:
    known = (*required, *optional)
    if len(header) == 1 and ";" in header[0]:
        raise InputError(name, "its cells are separated by ';'", entry=1, accepted="commas")
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


def one_of(place: Place, field: str, value: str, accepted: tuple[str, ...]) -> str:
    """`value`, if it is one of the accepted ones."""
    if value not in accepted:
        raise place.error(field, f"found {shown(value)}", ", ".join(accepted))
    return value


def slug(place: Place, field: str, value: str) -> str:
    """`value`, if it may be an id."""
    if not _SLUG.match(value):
        raise place.error(field, f"found {shown(value)}", "a slug: a-z, 0-9, '.', '_' and '-'")
    return value


def iso_date(place: Place, field: str, text: str) -> str | None:
    """The date in a cell that may be empty."""
    if not text:
        return None
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise place.error(field, f"found {shown(text)}", "a date such as 2024-04-01") from error


def filled(place: Place, field: str, text: str, accepted: str) -> str:
    """The text of a cell that may not be empty."""
    if not text:
        raise place.error(field, "it is empty", accepted)
    return text


def refuse_duplicate(seen: dict[str, Place], key: str, place: Place, field: str) -> None:
    """Remember `key`, or say where it stood first."""
    first = seen.setdefault(key, place)
    if first is not place:
        raise place.error(field, f"the same as in {first}", "each only once")
