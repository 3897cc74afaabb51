"""A planted key is found in no file, log line or message, whatever the provider does with it."""

from pathlib import Path

import pytest

from bench_pipeline_tests.benches import bench, write_bench
from bench_pipeline_tests.fakes.provider import Answer, Call, FakeProvider, answer, error

KEY = "sk-planted+7f3a/91c2d4=="

#: as it is, and as two JSON encoders write it
FORMS = (KEY, KEY.replace("/", "\\/"), KEY.replace("+", "\\u002B"))


def _echo(call: Call) -> Answer:
    """Every way in which a provider may hand the key back."""
    held = call.headers["authorization"]
    if call.number % 5 == 1:
        return error(500, f"upstream refused {held}", x_request_id=held)
    if call.number % 5 == 2:
        return Answer(content=f"<html>{held}".encode())
    if call.number % 5 == 3:
        return error(400, f"bad header {held}")
    if call.number % 5 == 4:
        escaped = held.replace("+", "\\u002B").replace("=", "\\u003d").replace("/", "\\/")
        return Answer(400, content=f'{{"error": {{"message": "no {escaped}"}}}}'.encode())
    return answer(f"your key is {held}", reasoning_content=held)


@pytest.mark.slow
def test_a_planted_key_reaches_no_file_and_no_output(tmp_path: Path) -> None:
    with FakeProvider(_echo) as server:
        assets = write_bench(
            tmp_path / "assets",
            server.url,
            30,
            api_key_env="PLANTED_KEY",
            deadlines={"max_tries": 3, "read": 2, "attempt": 3, "total": 20},
        )
        done = bench(assets, "run", PLANTED_KEY=KEY)
        assert done.returncode == 1  # some of it failed for good
        assert any(KEY in call.headers["authorization"] for call in server.calls)
    assert not any(form in done.stdout + done.stderr for form in FORMS)
    found = [
        str(path.relative_to(tmp_path))
        for path in tmp_path.rglob("*")
        if path.is_file() and any(form.encode() in _uncompressed(path) for form in FORMS)
    ]
    assert found == []


def _uncompressed(path: Path) -> bytes:
    """Bytes of a file; of a Parquet file, its values."""
    if path.suffix == ".parquet":
        import polars as pl

        return str(pl.read_parquet(path).to_dicts()).encode()
    return path.read_bytes()
