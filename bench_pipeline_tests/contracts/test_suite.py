"""A bad suite file is refused at load, with one message that names file and field."""

from pathlib import Path

import pytest

from bench_pipeline.contracts.errors import InputError
from bench_pipeline.contracts.paths import PROJECT_ROOT
from bench_pipeline.contracts.suite import load_suite, load_suites

MINIMAL = "name: rivers\ntitle: Rivers\nitems: items.csv\n"

BROKEN = {
    "title: Rivers\nitems: items.csv": ["field 'name'"],
    MINIMAL.replace("rivers", "lakes"): ["field 'name'", "rivers"],
    MINIMAL + "version: one": ["field 'version'", "'one'"],
    MINIMAL + "sampels: 3": ["field 'sampels'", "no such field", "samples"],
    MINIMAL + "samples: 0": ["field 'samples'", "0"],
    MINIMAL + "withhold: {missing: 2}": ["field 'withhold.missing'"],
    MINIMAL + "profiles: {demo: {regimes: [shouting]}}": ["shouting", "natural"],
    MINIMAL + "profiles: {demo: {samples: 3}}": ["3 samples"],
    MINIMAL + "profiles: {demo: {regimes: []}}": ["field 'profiles.demo.regimes'"],
    MINIMAL + "profiles: {full: {samples: 1}}": ["'full' is always everything"],
    MINIMAL + "sampling: {temperature: hot}": ["field 'sampling.temperature'", "'hot'"],
    MINIMAL.replace("name: rivers", "name: a-b"): ["field 'name'", "'a-b'"],
    MINIMAL.replace("name: rivers", "name: main"): ["'main' is a schema"],
    MINIMAL + "seed: -5": ["field 'seed'", "-5"],
    MINIMAL + "resamples: 1000000000000": ["field 'resamples'"],
    MINIMAL + "sampling: {max_tokens: 1099511627776}": ["field 'sampling.max_tokens'"],
    MINIMAL + 'description: !!int "abc"': ["not valid YAML"],
    MINIMAL + "description: " + "[" * 3000: ["not valid YAML"],
    "- a": ["a mapping"],
}


def _suite(tmp_path: Path, text: str) -> Path:
    folder = tmp_path / "suites" / "rivers"
    folder.mkdir(parents=True)
    (folder / "suite.yaml").write_text(text + "\n")
    return folder


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_suite_names_what_is_wrong(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load_suite(_suite(tmp_path, text))
    message = str(caught.value)
    assert "suite.yaml" in message
    for part in BROKEN[text]:
        assert part in message


def test_three_lines_make_a_suite(tmp_path: Path) -> None:
    suite = load_suite(_suite(tmp_path, MINIMAL))
    assert set(suite.regimes) == {"natural", "strict-json"}
    assert list(suite.all_profiles) == ["full"]


def test_files_outside_the_suites_folder_are_not_read(tmp_path: Path) -> None:
    suite = load_suite(_suite(tmp_path, MINIMAL))
    with pytest.raises(InputError, match="leads out"):
        suite.path("../../etc/passwd")


def test_an_unknown_profile_is_told_which_are_known(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no profile 'tiny'.*accepted: full"):
        load_suite(_suite(tmp_path, MINIMAL)).profile("tiny")


def test_the_shipped_suites_load() -> None:
    assert "bkp" in [suite.name for suite in load_suites(PROJECT_ROOT / "assets")]
