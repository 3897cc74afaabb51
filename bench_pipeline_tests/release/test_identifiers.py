"""What looks like a person's number is a listed specimen, or cannot have been issued."""

import csv
from pathlib import Path

import pytest

from bench_pipeline.contracts.errors import InputError
from bench_pipeline.release.identifiers import load_specimens, possibly_real
from bench_pipeline_tests.release.benches import CORE, TWIN, found, tiny_suite

CASES = list(csv.DictReader((Path(__file__).parent / "cases" / "identifiers.csv").open()))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"])
def test_a_number_that_may_be_somebodys_is_found(case: dict[str, str]) -> None:
    kinds = [identifier.kind for identifier in possibly_real(case["text"], frozenset())]
    assert kinds == ([case["found"]] if case["found"] else [])


def test_a_published_specimen_may_stand(tmp_path: Path) -> None:
    question = "How many digits has the IBAN GB82 WEST 1234 5698 7654 32?"
    asked = f"b,,unpaired,all,numeric,{question},16,,lakh,,,,,"
    specimen = "GB82 WEST 1234 5698 7654 32,IBAN,A registry,s-read,page 7\n"
    suite = tiny_suite(tmp_path, CORE, TWIN, asked, specimens=specimen)
    assert "identifiers_are_nobodys" not in found(suite)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (",PAN,An office,s-read,\n", "'identifier'"),
        ("X,PAN,,s-read,\n", "'authority'"),
        ("X,PAN,An office,s-lost,\n", "'source_id'"),
        ("X,PAN,An office,s-read,\nX,PAN,An office,s-read,\n", "'identifier'.*row 2"),
    ],
)
def test_a_broken_specimen_names_what_is_wrong(row: str, message: str, tmp_path: Path) -> None:
    suite = tiny_suite(tmp_path, specimens=row)
    with pytest.raises(InputError, match=message):
        load_specimens(suite, {"s-read": {}})
