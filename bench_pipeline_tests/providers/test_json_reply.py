"""JSON in replies: strict, fenced, repaired and recorded, or refused with its problem."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench_pipeline.providers.json_reply import read_json_reply

READ = [
    ('{"a": 1}', "strict", {"a": 1}),
    ("  [1, 2]\n", "strict", [1, 2]),
    ('```json\n{"a": 1}\n```', "fenced", {"a": 1}),
    ('```\n[{"a": "`"}]\n```', "fenced", [{"a": "`"}]),
    ('Here it is: {"a": 1}', "repaired", {"a": 1}),
    ('{"a": 1} Hope that helps!', "repaired", {"a": 1}),
    ('{"a": [1, 2,], }', "repaired", {"a": [1, 2]}),
    ('Sure!\n```json\n{"a": "}"}\n```\nDone.', "repaired", {"a": "}"}),
    ('{"a": "a \\" brace }"} ok', "repaired", {"a": 'a " brace }'}),
]
REFUSED = [
    (None, "stop", "empty_reply"),
    (" \n", "stop", "empty_reply"),
    ('{"a": 1}', "length", "cut_by_length"),
    ('{"a": 1', "stop", "not_json"),
    ('{"a": "b', "stop", "not_json"),
    ('{"a": 1, "a": 2}', "stop", "not_json"),
    ('{"a": 1} or {"a": 2}', "stop", "not_json"),
    ("no JSON at all", "stop", "not_json"),
    ("{'a': 1}", "stop", "not_json"),
    ("[" * 100_000, "stop", "not_json"),
    ('"' + "x" * 300_000 + '"', "stop", "reply_too_long"),
]


@pytest.mark.parametrize(("text", "how", "value"), READ)
def test_what_is_read(text: str, how: str, value: object) -> None:
    reply = read_json_reply(text)
    assert (reply.value, reply.how, reply.problem) == (value, how, None)


@pytest.mark.parametrize(("text", "finish", "problem"), REFUSED)
def test_what_is_refused(text: str | None, finish: str, problem: str) -> None:
    reply = read_json_reply(text, finish)
    assert (reply.value, reply.how, reply.problem) == (None, None, problem)


@given(st.text())
def test_no_reply_raises(text: str) -> None:
    reply = read_json_reply(text)
    assert (reply.problem is None) == (reply.how is not None)
