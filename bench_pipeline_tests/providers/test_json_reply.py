"""JSON in replies: strict, fenced, repaired and recorded, or refused with its problem."""

import json

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
    ('{"a": "b, ] c, } d", "e": [1, ], }', "repaired", {"a": "b, ] c, } d", "e": [1]}),
    ('{"a": "\\",]\\\\", } ok', "repaired", {"a": '",]\\'}),
    ('Said: {"a": "[,]", "b": [",", ]}', "repaired", {"a": "[,]", "b": [","]}),
    ('```\n \n{"a": 1}\n\n  ```', "fenced", {"a": 1}),
    ('<think>{"a": 0}</think>\n{"a": 1}', "strict", {"a": 1}),
    ('it is {"a": 0}</think>```json\n{"a": 1}\n```', "fenced", {"a": 1}),
    ('<think>[0]</think>So: {"a": 1,}', "repaired", {"a": 1}),
    ('{"a": "</think>{}<think>"}', "strict", {"a": "</think>{}<think>"}),
    ('```\n{"a": "<think>"}\n```', "fenced", {"a": "<think>"}),
    ('{"a": "\\ud83d\\ude00"}', "strict", {"a": "\U0001f600"}),
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
    ('{"a": 1,,}', "stop", "not_json"),
    ('{"a": [,]}', "stop", "not_json"),
    ('{"a": 1}', "content_filter", "filtered"),
    ('{"a": 1}', "refusal", "filtered"),
    (None, "content_filter", "filtered"),
    ("", "length", "empty_reply"),
    ('<think>{"a": 1}', "stop", "only_thinking"),
    ('<think>{"a": 1}</think> \n', "stop", "only_thinking"),
    ('<think>{"a": 1}</think>I do not know.', "stop", "not_json"),
    ('"\\ud800"', "stop", "lone_surrogate"),
    ('{"a": [{"b": "x\\udfffy"}]}', "stop", "lone_surrogate"),
    ('{"a": {"\\ud83d": 1}}', "stop", "lone_surrogate"),
    ('Here: {"a": "\\ude00\\ud83d",}', "stop", "lone_surrogate"),
    ('```json\n["\\ud800"]\n```', "stop", "lone_surrogate"),
    ("9" * 100_000, "stop", "not_json"),
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


@pytest.mark.parametrize(
    "part", ["\n", " ", ",", "{", "}", "[", ", ]", '"', "\\", "`", "```\n", "<think>", "the "]
)
@pytest.mark.parametrize("before", ["", "```json", "```json\n", "[", '{"a": "', "<think>"])
def test_the_longest_of_replies_comes_to_an_end(before: str, part: str) -> None:
    """Where time grew with the square or the cube of a reply, these had none."""
    text = before + (part * 200_000)[: 199_999 - len(before)] + "x"
    assert read_json_reply(text).problem in ("not_json", "only_thinking")


@given(st.recursive(st.text(st.characters(codec=None)), st.lists, max_leaves=5))
def test_what_is_read_can_be_written(said: object) -> None:
    text = json.dumps(said)
    reply = read_json_reply(text)
    whole = json.dumps(json.loads(text), ensure_ascii=False)
    if reply.problem is None:
        assert json.loads(json.dumps(reply.value, ensure_ascii=False).encode()) == json.loads(text)
    else:
        assert reply.problem == "lone_surrogate"
        assert any("\ud800" <= character <= "\udfff" for character in whole)


@given(st.text())
def test_no_reply_raises(text: str) -> None:
    reply = read_json_reply(text)
    assert (reply.problem is None) == (reply.how is not None)
