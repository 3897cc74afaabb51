"""`bench dedup` on the files that people have."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from bench_pipeline.cli.dedup import Columns, dedup_file, dedup_lines
from bench_pipeline.contracts.errors import InputError

_QUESTIONS = pl.DataFrame(
    {
        "id": ["a", "b", "c", "d"],
        "question": [
            "What is the national bird of India?",
            "Which bird is India's national bird?",
            'Who said "I, too", and where?',
            "What is the national animal of India?",
        ],
        "marks": [70.0, 80.0, None, 60.0],
        "gold": ["Peacock", "the peacock", "=SUM(A1)", "Tiger"],
    }
)


def _write(frame: pl.DataFrame, path: Path) -> Path:
    kind = path.suffix
    if kind == ".csv":
        frame.write_csv(path)
    elif kind == ".jsonl":
        frame.write_ndjson(path)
    else:
        frame.write_parquet(path)
    return path


def _read(path: str) -> pl.DataFrame:
    readers: dict[str, Any] = {
        ".csv": pl.read_csv,
        ".jsonl": pl.read_ndjson,
        ".parquet": pl.read_parquet,
    }
    found: pl.DataFrame = readers[Path(path).suffix](Path(path))
    return found


@pytest.mark.parametrize("kind", [".csv", ".jsonl", ".parquet"])
def test_a_file_of_every_kind(tmp_path: Path, kind: str) -> None:
    file = _write(_QUESTIONS, tmp_path / f"questions{kind}")
    before = file.read_bytes()
    done = dedup_file(file, Columns("question", score="marks", answer="gold", id="id"))
    assert (done["rows"], done["kept"], done["dropped"], done["by_ngrams"]) == (4, 3, 1, 0)
    assert json.loads(json.dumps(done)) == done
    assert file.read_bytes() == before
    assert _read(done["files"]["kept"]).equals(_QUESTIONS.filter(pl.col("id") != "a"))
    dropped = _read(done["files"]["dropped"])
    assert dropped.columns == [*_QUESTIONS.columns, "duplicate_of", "cosine", "reason"]
    assert dropped.select("id", "duplicate_of", "reason").rows() == [("a", "b", "duplicate")]
    pairs = _read(done["files"]["pairs"])
    assert ("b", "a", "merged") in pairs.select("kept_id", "other_id", "decision").rows()
    assert Path(done["files"]["kept"]).name == f"questions.kept{kind}"


def test_without_ids_rows_are_called_by_number_and_others_go_by_ngrams(tmp_path: Path) -> None:
    text = "இந்தியாவின் தேசியப் பறவை எது?"
    file = _write(pl.DataFrame({"q": ["Who?", text, text + " "]}), tmp_path / "q.csv")
    done = dedup_file(file, Columns("q"))
    assert _read(done["files"]["dropped"]).select("duplicate_of").rows() == [(2,)]
    assert done["by_ngrams"] == 2
    lines = dedup_lines(done)
    assert lines[0].startswith("3 rows: 2 kept, 1 dropped (cosine 0.86")
    assert any("n-grams" in line for line in lines)


def test_a_low_threshold_and_what_is_kept_apart(tmp_path: Path) -> None:
    file = _write(_QUESTIONS, tmp_path / "questions.csv")
    done = dedup_file(file, Columns("question", answer="gold"), threshold=0.6)
    assert done["guards"] == {"answer": done["guarded"]}
    assert any("to be looked at: answer" in line for line in dedup_lines(done))


def test_strange_scores_and_huge_cells(tmp_path: Path) -> None:
    long = "river " * 200_000
    frame = pl.DataFrame({"q": [long, long + "bank", "Who?"], "s": ["NaN", "", " 3 "]})
    done = dedup_file(_write(frame, tmp_path / "q.csv"), Columns("q", score="s"))
    assert done["kept"] == 3
    assert done["guards"] == {"length": 1}


@pytest.mark.parametrize(
    ("content", "columns", "said"),
    [
        (b"", Columns("q"), "it is empty"),
        (b"q\n", Columns("q"), "it has no rows"),
        (b"q,s\nWho?,1\n", Columns("text"), "there is no column 'text'; accepted: 'q, s'"),
        (b"q,s\nWho?,1\n", Columns("q", score="x"), "there is no column 'x'"),
        (b"q,s\nWho?,high\n", Columns("q", score="s"), "field 's': found 'high'"),
        (b"q,s\nWho?,1\n,2\n", Columns("q"), "row 3, field 'q': it is empty"),
        (b"id,q\n1,Who?\n1,How?\n", Columns("q", id="id"), "row 3, field 'id': '1' stands twice"),
        (b"q,reason\nWho?,1\n", Columns("q"), "field 'reason'"),
        (b"q\n\xff\xfe\xff\n", Columns("q"), "cannot be read as csv"),
        (b"q,s\nWho?,1,2,3\n", Columns("q"), "cannot be read as csv"),
    ],
)
def test_one_clear_error(tmp_path: Path, content: bytes, columns: Columns, said: str) -> None:
    file = tmp_path / "q.csv"
    file.write_bytes(content)
    with pytest.raises(InputError) as caught:
        dedup_file(file, columns)
    assert said in str(caught.value)
    assert list(tmp_path.glob("q.*")) == [file]


def test_files_that_are_no_tables(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        dedup_file(tmp_path / "gone.csv", Columns("q"))
    with pytest.raises(InputError, match=r"accepted: \.csv"):
        dedup_file(tmp_path / "q.xlsx", Columns("q"))
    for name, content in (("q.parquet", b"PAR1"), ("q.jsonl", b'{"q": '), ("d.jsonl", b"[1")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match="cannot be read as"):
            dedup_file(tmp_path / name, Columns("q"))
    file = _write(pl.DataFrame({"q": [1, 2]}), tmp_path / "n.parquet")
    with pytest.raises(InputError, match="field 'q': it holds Int64; accepted: text"):
        dedup_file(file, Columns("q"))


def test_a_threshold_that_is_no_cosine(tmp_path: Path) -> None:
    file = _write(_QUESTIONS, tmp_path / "questions.csv")
    for threshold in (0.0, 1.2, float("nan")):
        with pytest.raises(InputError, match="threshold"):
            dedup_file(file, Columns("question"), threshold=threshold)
