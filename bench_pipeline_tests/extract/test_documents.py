"""Tiny awkward documents against their expected pages; adding a case is adding two files."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench_pipeline.extract import STATUSES, Limits, Page, read_document

_DOCUMENTS = Path(__file__).parent / "documents"


def _cases() -> list[Any]:
    cases = []
    for path in sorted(_DOCUMENTS.glob("*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        marks = [pytest.mark.slow] if case["slow"] else []
        cases.append(pytest.param(path.stem, case, id=path.stem, marks=marks))
    return cases


def _read(name: str, options: dict[str, Any], workers: int) -> list[Page]:
    given = dict(options)
    if "limits" in given:
        given["limits"] = Limits(**given["limits"])
    return read_document(_DOCUMENTS / f"{name}.pdf", workers=workers, **given)


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize(("name", "case"), _cases())
def test_pages_are_as_expected(name: str, case: dict[str, Any], workers: int) -> None:
    if name == "hang" and workers > 1:
        pytest.skip("other workers read on while one hangs: which pages are lost then differs")
    pages = _read(name, case["options"], workers)
    found = [
        {
            "number": page.number,
            "status": page.status,
            "removed": list(page.removed),
            "text": page.text.split("\n"),
        }
        for page in pages
    ]
    expected = [{k: v for k, v in page.items() if k != "reason_says"} for page in case["pages"]]
    assert found == expected
    for page, wanted in zip(pages, case["pages"], strict=True):
        assert page.status in STATUSES
        if wanted["reason_says"] is None:
            assert page.reason is None
        else:
            assert page.reason is not None
            assert wanted["reason_says"] in page.reason
            # a person must find the document, and the page, from the reason alone
            assert f"{name}.pdf" in page.reason
            assert page.number == 0 or f"page {page.number}" in page.reason


def test_every_document_has_its_expected_pages() -> None:
    pdfs = {path.stem for path in _DOCUMENTS.glob("*.pdf")}
    assert pdfs == {path.stem for path in _DOCUMENTS.glob("*.json")}


def test_documents_are_those_that_the_script_makes() -> None:
    from bench_pipeline_tests.extract.documents.make_documents import makers

    for name, make in makers().items():
        assert (_DOCUMENTS / f"{name}.pdf").read_bytes() == make(), name


def test_a_file_that_is_missing_fails_alone(tmp_path: Path) -> None:
    (page,) = read_document(tmp_path / "nowhere.pdf")
    assert (page.number, page.status) == (0, "failed")
    assert page.reason is not None
    assert "nowhere.pdf" in page.reason


def test_a_document_of_too_many_pages_is_not_read() -> None:
    (page,) = read_document(_DOCUMENTS / "running_heads.pdf", limits=Limits(pages=4))
    assert (page.number, page.status) == (0, "failed")
    assert "5 pages" in (page.reason or "")


def test_no_time_at_all_is_a_failure_and_no_error() -> None:
    pages = read_document(_DOCUMENTS / "two_columns.pdf", limits=Limits(seconds=0.0))
    assert [page.status for page in pages] == ["failed"]


def test_a_wrong_password_is_told_from_none() -> None:
    (page,) = read_document(_DOCUMENTS / "user_password.pdf", password="open")
    assert page.status == "needs_password"
    assert "does not open" in (page.reason or "")
