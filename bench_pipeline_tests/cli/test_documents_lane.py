"""A suite that is made from documents, from its PDFs to its board, through the command."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml
from click.testing import CliRunner, Result

from bench_pipeline.cli.main import main
from bench_pipeline.contracts.construction import CANDIDATES, PAGES, REVIEWED, UNIQUE, VETTED
from bench_pipeline.contracts.tables import GRADES, ITEMS
from bench_pipeline.generate.agents import MARKS
from bench_pipeline.storage.tables import TableStore
from bench_pipeline_tests.extract.documents.make_documents import Pdf, lines
from bench_pipeline_tests.fakes.provider import Answer, Call, FakeProvider, answer

PAGE = [
    "The Constitution of India came into force on 26 January 1950.",
    "The Lok Sabha of India sits in New Delhi and its term is five years.",
    "The Ganga is a river of India and it flows past Patna and Varanasi.",
]
GOOD = [
    {
        "question": "On what day did the Constitution of India come into force?",
        "answer": "26 January 1950",
    },
    {"question": "How long is the term of the Lok Sabha of India?", "answer": "five years"},
    {"question": "Who chaired the Drafting Committee of India?", "answer": "B. R. Ambedkar"},
]


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def _pdf(texts: list[str]) -> bytes:
    pdf = Pdf()
    pdf.page(lines(70, 720, texts), {"F": pdf.font()})
    return pdf.written()


def _bench(tmp_path: Path, url: str, settings: str = "") -> Path:
    assets = tmp_path / "assets"
    suite = assets / "suites" / "books"
    suite.mkdir(parents=True)
    (suite / "suite.yaml").write_text(
        "name: books\ntitle: Books\ndocuments: documents.csv\nregimes: {natural: natural.j2}\n"
        "resamples: 200\nlabels: labels/*.csv\n" + settings
    )
    (suite / "documents.csv").write_text(
        "document_id,file,title,licence,source\n"
        "good,good.pdf,A reader,CC-BY-4.0,made up\nbad,bad.pdf,A scan,CC-BY-4.0,made up\n"
    )
    (suite / "good.pdf").write_bytes(_pdf(PAGE))
    (suite / "bad.pdf").write_bytes(b"%PDF-1.4 broken")
    (suite / "prompts").mkdir()
    for name in ("agent_one", "agent_two"):
        (suite / "prompts" / f"{name}.j2").write_text(
            f"{name}: {{{{ title }}}}: {{{{ text }}}} {{{{ question | default('') }}}}"
        )
    entry = {"provider": "openai", "base_url": url, "family": "fake"}
    roster = [{"id": f"fake-{m}", "model": m, **entry} for m in ("writer", "marker", "asked")]
    (assets / "models.yaml").write_text(yaml.safe_dump({"models": roster}))
    return assets


def _behave(call: Call) -> Answer:
    if call.body["model"] == "writer":
        return answer(json.dumps({"questions": GOOD}))
    if call.body["model"] == "marker":
        marks = dict.fromkeys(MARKS, 9)
        wrong = "term of" in call.question and call.attempt == 1
        said: dict[str, Any] = {
            "justification": "It stands there.",
            **marks,
            "correct": True,
            "one_answer": True,
            "confidence": 1,
        }
        return answer(json.dumps({**said, "relevance": 11} if wrong else said))
    return answer("It was on 26 January 1950.")


def _table(schema: Any, partition: str | None = None) -> pl.DataFrame:
    frame = TableStore.default().read("books", schema, partition)
    assert frame is not None
    return frame


@pytest.mark.slow
def test_from_a_pdf_to_the_board_without_a_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProvider(_behave) as server:
        monkeypatch.setenv("BENCH_ASSETS", str(_bench(tmp_path, server.url)))
        done = _run("run", "--model", "fake-asked")
        assert done.exit_code == 0, done.output
        asked = server.asked
        assert _run("run", "--model", "fake-asked").exit_code == 0
        assert server.asked == asked
    assert _table(PAGES, "bad")["status"].to_list() == ["failed"]
    candidates = _table(CANDIDATES, "good")
    assert candidates["baseline"].all()
    assert set(candidates["generator"]) == {"cloze"}
    assert _table(CANDIDATES, "bad").is_empty()
    assert _table(VETTED, "good")["reason"].unique().to_list() == ["no Agent 2 read it"]
    items = _table(ITEMS)
    assert items.height == asked == _table(REVIEWED).height
    assert set(items["answer_type"]) == {"short_answer"}
    grades = _table(GRADES, "fake-asked")
    assert sorted(grades["grader"].unique()) == ["substring", "word_overlap"]
    assert grades.height == 2 * items.height
    right = grades.filter(pl.col("verdict") == "correct")["item_id"].unique()
    assert items.filter(pl.col("item_id").is_in(right.to_list()))["question"].to_list() == [
        "A reader: fill in the blank: The Constitution of India came into force on ____."
    ]


@pytest.mark.slow
def test_both_agents_and_a_reviewer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agents = "generation: {cloze: false, agent_one: fake-writer, agent_two: fake-marker}\n"
    asked: Counter[str] = Counter()

    def counted(call: Call) -> Answer:
        asked[str(call.body["model"])] += 1
        return _behave(call)

    with FakeProvider(counted) as server:
        assets = _bench(tmp_path, server.url, agents)
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        done = _run("run", "--model", "fake-asked")
        assert done.exit_code == 0, done.output
        # one chunk; two questions that pass the gates, one of them marked again
        assert asked == {"writer": 1, "marker": 3, "asked": 2}
        assert _run("run", "--model", "fake-asked").exit_code == 0
        assert asked.total() == 6
    candidates = _table(CANDIDATES, "good")
    assert candidates.select("status", "reason").rows() == [
        ("kept", None),
        ("kept", None),
        ("dropped", "answer_not_verbatim"),
    ]
    assert _table(VETTED, "good")["total"].to_list() == [81, 81]
    unique = _table(UNIQUE)
    assert set(unique["status"]) == {"kept"}
    from bench_pipeline.review.reviewed import content_hash

    row = unique.row(0, named=True)
    labels = assets / "suites" / "books" / "labels"
    labels.mkdir()
    (labels / "made-up.csv").write_text(
        "candidate_id,content_hash,annotator,label\n"
        f"{row['candidate_id']},{content_hash(row['question'], row['answer'])},p1,too_easy\n"
    )
    assert _run("run", "--model", "fake-asked").exit_code == 0
    reviewed = _table(REVIEWED)
    assert sorted(reviewed["status"]) == ["dropped", "kept"]
    assert _table(ITEMS).height == 1


@pytest.mark.slow
def test_a_marker_that_does_not_answer_is_an_error_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(call: Call) -> Answer:
        return Answer(status=400) if call.body["model"] == "marker" else _behave(call)

    agents = "generation: {cloze: true, agent_one: fake-writer, agent_two: fake-marker}\n"
    with FakeProvider(down) as server:
        monkeypatch.setenv("BENCH_ASSETS", str(_bench(tmp_path, server.url, agents)))
        done = _run("run", "--model", "fake-asked")
    assert done.exit_code == 1
    assert "candidates are not marked yet; the next run asks them." in done.output
    assert "HTTP 400" in done.output
    assert set(_table(VETTED, "good")["reason"]) == {"not answered yet"}
    # every candidate is in the table, and none went on
    assert _table(VETTED, "good").height == 5
    assert "no question is left" in done.output


@pytest.mark.slow
def test_a_prompt_that_shows_a_passage_stops_the_lane(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProvider(_behave) as server:
        assets = _bench(tmp_path, server.url)
        monkeypatch.setenv("BENCH_ASSETS", str(assets))
        # a template of the shipped name in the suite's folder is the suite's own
        wrapped = PAGE[2].replace(" ", "\n")
        (assets / "suites" / "books" / "natural.j2").write_text(f"{wrapped}\n{{{{ question }}}}")
        done = _run("run", "--model", "fake-asked")
        assert done.exit_code == 1
        assert "expect_prompts_to_be_closed_book" in done.output
        assert "the ganga is a river of india and" in done.output
        assert server.asked == 0


def test_a_documents_file_that_is_wrong_stops_its_suite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assets = _bench(tmp_path, "http://127.0.0.1:9/v1")
    monkeypatch.setenv("BENCH_ASSETS", str(assets))
    assert _run("check").exit_code == 0
    listing = assets / "suites" / "books" / "documents.csv"
    listing.write_text(listing.read_text().replace("bad.pdf", "../../models.yaml"))
    done = _run("check")
    assert done.exit_code == 2
    assert "leads out" in done.output
    listing.write_text(listing.read_text().replace("../../models.yaml", "gone.pdf"))
    done = _run("check")
    assert done.exit_code == 2
    assert "books/documents.csv, row 3, field 'file': found 'gone.pdf'" in done.output
