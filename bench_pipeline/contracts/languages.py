"""The languages that suites are translated to, from `assets/reference/languages.yaml`."""

from dataclasses import dataclass
from functools import cache

from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.paths import reference_dir
from bench_pipeline.contracts.yaml_files import read_yaml


@dataclass(frozen=True, slots=True)
class Language:
    """A target language; `group` is where identification by text cannot be trusted."""

    code: str
    name: str
    script: str
    group: str


@cache
def languages() -> dict[str, Language]:
    """Every language by its code, in the order of the file."""
    entries = read_yaml(reference_dir() / "languages.yaml")["languages"]
    return {
        code: Language(code, entry["name"], entry["script"], entry.get("group", code))
        for code, entry in entries.items()
    }


def language(code: str) -> Language:
    """The language of that code.

    Raises:
        InputError: it is not in the file.
    """
    known = languages()
    if code not in known:
        raise InputError(
            reference_dir() / "languages.yaml",
            f"there is no language '{code}'",
            accepted=", ".join(known),
        )
    return known[code]
