"""Properties of every grader: a style grades as its own value, no other; no string raises."""

import json
import unicodedata
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench_pipeline.contracts.grades import Verdict
from bench_pipeline.grade import ANSWER_TYPES, LEXICAL_TYPES, grade
from bench_pipeline_tests.grade.number_styles import number_styles
from bench_pipeline_tests.grade.styles import styles, wrapped
from bench_pipeline_tests.grade.test_cases import rows

_STEADY = settings(
    max_examples=200, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)

_WHOLE = st.integers(min_value=0, max_value=10**9 - 1).map(Decimal)
_DECIMALS = st.decimals(min_value=-(10**7), max_value=10**7, places=2, allow_nan=False)
_VALUES = st.one_of(_WHOLE, _WHOLE.map(lambda value: value % 1000), _DECIMALS)
_GOLDS = {
    "numeric": ("250", {"question": "How many lakh make 2.5 crore?"}),
    "numeric_with_unit": ("100 kg", {"question": "How many kilograms make one quintal?"}),
    "date": ("1947-08-15", {}),
    "date_range": ("2023-04-01..2024-03-31", {"year": "fiscal"}),
    "month_set": ("10,11,12,1,2,3", {}),
    "enum": ("kharif", {"choices": {"rabi": ["रबी"], "kharif": ["खरीफ"]}}),
    "string_normalized": ("AAAAA9999A", {}),
    "clarification": ("-", {"depends_on": ["state"]}),
    "substring": ("नई दिल्ली", {}),
    "word_overlap": ("Jawaharlal Nehru", {}),
}
_TYPES = (*ANSWER_TYPES, *LEXICAL_TYPES)
# The fragments that the patterns look for, so that a random answer meets their edges.
_FRAGMENTS = st.sampled_from(
    [
        "1",
        "2.5",
        "10,00,000",
        "1,2,3",
        "crore",
        "lakh",
        "kg",
        "₹",
        "Rs.",
        "answer:",
        "**",
        "",
        "*",
        "\\boxed{",
        "}",
        "{",
        '{"value":',
        '"',
        "[",
        "(",
        ")",
        "=",
        "-",
        "−",
        "–",
        "/",
        ".",
        ",",
        ";",
        ":",
        "!",
        "?",
        "\n",
        "not",
        "नहीं",
        "or",
        "April",
        "2023-24",
        "FY",
        "1947",
        "15/08/1947",
        "October",
        "to",
        "March",
        "B)",
        "(a)",
        "<think>",
        "</think>",
        "true",
        "no",
        "depends",
        "on",
        "state",
        "e5",
        "×",
        "10^",
        "^",
        "½",
        "%",
        "5th",
        "अगस्त",
        "पाँच",
        "लाख",
        "साढ़े",
        "\\frac{1}{2}",
        "```",
        "#",
        "|",
        "\u200d",
        "́",
        "߀",
        "I",
        "can't",
        "help",
    ]
)
_HOSTILE = st.one_of(
    st.text(max_size=60),
    st.text(alphabet=st.characters(codec=None), max_size=40),
    st.lists(_FRAGMENTS, max_size=25).map(" ".join),
    st.lists(_FRAGMENTS, max_size=25).map("".join),
)


def _plain(value: Decimal) -> str:
    return format(value.normalize(), "f") if value else "0"


@_STEADY
@given(_VALUES)
def test_any_style_of_a_number_is_that_number(value: Decimal) -> None:
    for style in number_styles(value):
        for answer in wrapped(style):
            found = grade("numeric", _plain(value), answer)
            assert found.verdict is Verdict.CORRECT, (value, answer, found)


@_STEADY
@given(_VALUES, _VALUES)
def test_no_style_of_a_number_is_another_number(value: Decimal, other: Decimal) -> None:
    if value == other:
        return
    for style in number_styles(value):
        for answer in wrapped(style):
            assert grade("numeric", _plain(other), answer).verdict is not Verdict.CORRECT, (
                other,
                answer,
            )


@_STEADY
@given(st.integers(1800, 2099), st.integers(1, 12), st.integers(1, 28), st.integers(1, 90))
def test_dates(year: int, month: int, day: int, shift: int) -> None:
    gold, other = f"{year}-{month:02d}-{day:02d}", f"{year}-{month:02d}-{day % 28 + 1:02d}"
    for answer in styles("date", gold):
        assert grade("date", gold, answer).verdict is Verdict.CORRECT, answer
        assert grade("date", other, answer).verdict is not Verdict.CORRECT, (other, answer)
    whole = f"{gold}..{year + shift}-{month:02d}-{day:02d}"
    for answer in styles("date_range", whole):
        assert grade("date_range", whole, answer).verdict is Verdict.CORRECT, answer
        assert (
            grade("date_range", f"{other[:4]}-01-01..2400-12-31", answer).verdict
            is not Verdict.CORRECT
        )


@_STEADY
@given(st.sets(st.integers(1, 12), min_size=1), st.sets(st.integers(1, 12), min_size=1))
def test_month_sets(months: set[int], others: set[int]) -> None:
    gold, other = (",".join(map(str, sorted(entry))) for entry in (months, others))
    for answer in styles("month_set", gold):
        assert grade("month_set", gold, answer).verdict is Verdict.CORRECT, (gold, answer)
        if months != others:
            assert grade("month_set", other, answer).verdict is not Verdict.CORRECT, (other, answer)


@pytest.mark.parametrize("answer_type", _TYPES)
def test_no_string_raises(answer_type: str) -> None:
    gold, options = _GOLDS[answer_type]

    @_STEADY
    @given(_HOSTILE)
    def check(answer: str) -> None:
        found = grade(answer_type, gold, answer, options)
        assert found.span is None or 0 <= found.span[0] <= found.span[1] <= len(answer)

    check()


# Each is repeated until a rule that works quadratically or backtracks would be seen to.
_PIECES = [
    *"9(={*-'`e.₹\n\x00\ud800\u0301",
    *("9,", "1 ", "1/", "1-2-", "|1|", "1947-", "2023-24 ", "lakh ", "1 lakh ", "5 और ", "5 kg "),
    *('{"value":', "**a", "a ", "\\boxed{", "\u094d\u0301", "<think>", "# ", "B) ", "answer: "),
    *("not ", "April ", "to ", "is ", "or ", "because ", "है ", "it depends ", "I can't "),
]


@pytest.mark.parametrize("answer_type", _TYPES)
def test_hostile_sizes_and_characters(answer_type: str) -> None:
    gold, options = _GOLDS[answer_type]
    for piece in _PIECES:
        grade(answer_type, gold, piece * (20_000 // len(piece)), options)
    grade(answer_type, gold, "9 " * 2_500_000, options)
    grade(answer_type, gold, "<think>" + "x" * 5_000_000 + "</think> 7", options)


@pytest.mark.parametrize("name", _TYPES)
def test_normal_form_and_markdown_change_no_verdict(name: str) -> None:
    for row in rows(name):
        answer, options = row["answer"], row.get("options")
        expected = grade(name, row["gold"], answer, options).verdict
        variants = [unicodedata.normalize("NFC", answer), unicodedata.normalize("NFD", answer)]
        if answer.strip() and not any(mark in answer for mark in "*_{`\n<#>"):
            variants += [
                f"**{answer}**",
                f"_{answer}_",
                f"> {answer}",
                f"```\n{answer}\n```",
                f"\n{answer}\n",
            ]
        for variant in variants:
            assert grade(name, row["gold"], variant, options).verdict == expected, (row, variant)


def test_json_and_prose_agree_on_golds() -> None:
    for answer_type, (gold, options) in _GOLDS.items():
        if answer_type not in LEXICAL_TYPES and answer_type not in (
            "clarification",
            "date_range",
            "month_set",
        ):
            text = json.dumps({"value": gold}, ensure_ascii=False)
            assert (
                grade(answer_type, gold, text, options).verdict
                is grade(answer_type, gold, gold, options).verdict
            )
