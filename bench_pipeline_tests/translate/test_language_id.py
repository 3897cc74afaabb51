"""What is told apart inside of one script, and what must not be."""

import csv
import subprocess
import sys
from pathlib import Path

import pytest

from bench_pipeline.contracts.languages import language
from bench_pipeline.translate.language_id import wrong_language

TABLE = Path(__file__).parent / "cases" / "languages.csv"
CASES = list(csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines(keepends=True)))


@pytest.mark.parametrize(
    "case", CASES, ids=[f"{n}-{c['written_in']}-for-{c['target']}" for n, c in enumerate(CASES)]
)
def test_languages_of_the_table(case: dict[str, str]) -> None:
    assert wrong_language(case["text"], language(case["target"])) == (case["expected"] or None)


def test_names_in_latin_and_digits_do_not_make_a_text_long_enough() -> None:
    assert wrong_language("سال ISRO Chandrayaan Vikram Sarabhai 1234567890", language("ur")) is None


def test_the_model_is_loaded_where_there_is_something_to_tell_apart_only() -> None:
    code = (
        "import sys; from bench_pipeline.contracts.languages import languages;"
        "from bench_pipeline.translate.language_id import wrong_language;"
        "[wrong_language('क' * 50, one) for code, one in languages().items()"
        " if one.script != 'Arab'];"
        "assert 'py3langid' not in sys.modules;"
        "wrong_language('ک' * 50, languages()['ur']);"
        "assert 'py3langid' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
