"""Each check of the bank finds what it is for, names the row, and passes what is right."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench_pipeline.release.bank_checks import _near
from bench_pipeline_tests.release.benches import CORE, TWIN, found, tiny_suite

STRICT = "design: {strict: true}\n"
READINGS = (
    '"{""readings"": [{""label"": ""a"", ""value"": ""1""}, {""label"": ""b"", ""value"": ""2""}]}"'
)
_LAND = "x,,unpaired,all,{kind},{question},{gold},,bigha,{convention},,,,"


def _land(question: str, kind: str = "numeric", gold: str = "1600", convention: str = "") -> str:
    return _LAND.format(question=question, kind=kind, gold=gold, convention=convention)


def _ask(item_id: str, question: str, gold: str, template: str = "", kind: str = "numeric") -> str:
    return f"{item_id},,unpaired,all,{kind},{question},{gold},,lakh,,{template},,,"


#: check → rows that it must find, and a part of its sentence
FOUND = {
    "gold_is_as_computed": [
        ((CORE.replace(",300,", ",30,"), TWIN), "it says 30, the formula gives 300"),
        ((CORE.replace("crore / lakh", "crore / 7"), TWIN), "no finite decimal form"),
        ((CORE.replace(",lakh crore,", ",lakh,"), TWIN), "uses crore, which the row does not name"),
        ((CORE.replace("crore / lakh", "gold"), TWIN), "'gold' is no fact with a number"),
    ],
    "twins_are_as_hard": [
        ((CORE, TWIN.replace("4 * million / thousand", "")), "it is empty, its twin a-in has one"),
        ((CORE, TWIN.replace("4 * million / thousand", "4000")), "0 steps, its core item has 2"),
        (
            (
                CORE,
                TWIN.replace("4 *", "4.125 *").replace("4 m", "4.125 m").replace("4000", "4125"),
            ),
            "operands of 4 digits, its core item's have 1",
        ),
    ],
    "questions_are_distinct": [
        (
            (
                CORE,
                TWIN,
                _ask("b", "3 crore make how many lakh?", "300"),
            ),
            "nearly the same as a-in",
        ),
        (
            (
                CORE,
                TWIN,
                "b,,unpaired,all,numeric,A bank counts 3 crore rupees in lakh; its figure?,300,"
                "3*crore/lakh,lakh crore,,,,,",
            ),
            "the same task as a-in",
        ),
    ],
    "questions_do_not_answer_themselves": [
        ((_ask("b", "A lakh is 100000; how much is a lakh?", "100000"),), "it holds its answer"),
        ((_ask("b", "Is ₹100000.00 a lakh and what is it?", "100000"),), "it holds its answer"),
        (
            (_ask("b", "Whose code is ZZZZ0 of ZZZZ0?", "ZZZZ0", kind="string_normalized"),),
            "it holds its answer, ZZZZ0",
        ),
        (
            (_ask("b", "Is the PM-KISAN scheme named so?", "PM-KISAN", kind="string_normalized"),),
            "it holds its answer, PM-KISAN",
        ),
        (
            (_ask("b", "Which date follows the 1st April 2023?", "2023-04-01", kind="date"),),
            "it holds its answer",
        ),
        (
            (_ask("b", "On what date after 1 April 2023?", "2023-04-01", kind="date"),),
            "it holds its answer",
        ),
    ],
    "conventions_are_named": [
        ((_land("How many square yards make a bigha?"),), "sources conflict on bigha"),
        (
            (_land("How many square yards make a bigha?", convention="in Jaipur"),),
            "'in Jaipur' is not in the question",
        ),
    ],
    "identifiers_are_nobodys": [
        ((_ask("b", "What holder has the PAN ABCPK1234Z?", "1"),), "somebody's PAN"),
    ],
    "splits_are_adjudicated": [
        (("b,,unpaired,all,numeric,How much is a lakh?,100000,,lakh,,,,,test",), "it is test"),
    ],
}


@pytest.mark.parametrize(
    ("check", "rows", "part"),
    [(check, rows, part) for check, cases in FOUND.items() for rows, part in cases],
)
def test_a_check_finds_and_names_it(
    check: str, rows: tuple[str, ...], part: str, tmp_path: Path
) -> None:
    outcomes = found(tiny_suite(tmp_path, *rows, settings=STRICT))
    assert check in outcomes, outcomes
    assert any(part in sentence for sentence in outcomes[check].sample), outcomes[check].sample
    assert outcomes[check].expectation.severity == "error"
    assert outcomes[check].sample[0].startswith("tiny/bank.csv, row ")


@pytest.mark.parametrize(
    "rows",
    [
        (CORE, TWIN),
        # other numbers, or other names: other questions
        (CORE, TWIN, _ask("b", "How many lakh make 5 crore?", "500")),
        (
            _ask(
                "b",
                "Which state code opens a number plate from Kerala?",
                "KL",
                "",
                "string_normalized",
            ),
            _ask(
                "c",
                "Which state code opens a number plate from Punjab?",
                "PB",
                "",
                "string_normalized",
            ),
        ),
        (_land("In Rajasthan how many square yards make a bigha?", convention="In Rajasthan"),),
        (_land("How big is a bigha?", kind="clarification", gold="-"),),
        # a control of months may state its range
        (
            "m-in,m,core,all,month_set,When is kharif paddy sown?,6,,lakh,,,,,",
            "m-ctl,m,control,all,month_set,A crop is sown in June. Name the month.,6,,,,,,,",
        ),
        # 7 is in 700 as a digit, not as a number
        (_ask("b", "How many quintals make 700 kilograms?", "7"),),
    ],
)
def test_what_is_right_passes(rows: tuple[str, ...], tmp_path: Path) -> None:
    if "clarification" in rows[0]:
        rows = (rows[0].removesuffix(",,") + READINGS + ",,",)
    assert set(found(tiny_suite(tmp_path, *rows, settings=STRICT))) <= {"facts_are_used"}


def test_twins_may_be_alike(tmp_path: Path) -> None:
    task = "How many Lakh make 3 Crore?,300,3 * crore / lakh,lakh crore"
    twin = f"a-ctl,a,control,all,numeric,{task},,,,,"
    rows = (CORE.replace("3 crore?", "3 crore in all?"), twin)
    assert "questions_are_distinct" not in found(tiny_suite(tmp_path, *rows, settings=STRICT))


def test_only_a_strict_suite_is_stopped_by_taste(tmp_path: Path) -> None:
    rows = (_ask("b", "A lakh is 100000; how much is a lakh?", "100000"),)
    outcomes = found(tiny_suite(tmp_path, *rows))
    assert outcomes["questions_do_not_answer_themselves"].expectation.severity == "warn"


def test_a_template_ends_by_name_and_by_shape(tmp_path: Path) -> None:
    settings = "design: {most_per_template: 2}\n"
    named = [_ask(f"n{k}", f"Question {'x' * k} of them?", str(k), "pattern") for k in range(3)]
    outcomes = found(tiny_suite(tmp_path, *named, settings=settings))
    assert outcomes["templates_are_short"].sample == [
        "tiny/suite.yaml, field 'design.most_per_template': 'pattern' makes 3 questions; "
        "accepted: at most 2"
    ]
    places = ("Delhi", "Bihar", "Kerala")
    shaped = [_ask(f"s{k}", f"How far is {p} from 2{k}?", "1") for k, p in enumerate(places)]
    outcomes = found(tiny_suite(tmp_path / "b", *shaped, settings=settings))
    assert "'how far is @ from #' makes 3" in outcomes["templates_are_short"].sample[0]


def test_dated_categories_say_as_of_when(tmp_path: Path) -> None:
    settings = "categories: {all: All}\ndesign: {dated: [all]}\n"
    asked = "b,,unpaired,all,numeric,What does it pay as of {year}?,6000,,lakh,,,,{as_of},"
    for year, as_of, part in (
        ("2024", "2024-12-31", None),
        ("2023", "2024-12-31", "does not say as of 2024"),
        ("2024", "", "it is empty"),
    ):
        rows = (asked.format(year=year, as_of=as_of),)
        outcomes = found(tiny_suite(tmp_path / (year + as_of), *rows, settings=settings))
        if part is None:
            assert "dates_are_stated" not in outcomes
        else:
            assert part in outcomes["dates_are_stated"].sample[0]


def test_the_declared_counts_are_held(tmp_path: Path) -> None:
    settings = (
        "categories: {all: All, none: None}\n"
        "design: {core: 2, control: 1, clarification: 1, core_per_category: 1,"
        " items_per_answer_type: 3, answer_types_per_category: 2}\n"
    )
    sentences = found(tiny_suite(tmp_path, settings=settings))["counts_are_as_declared"].sample
    assert sentences == [
        f"tiny/suite.yaml, field 'design.{rest}"
        for rest in (
            "core': found 1 items; declared: 2",
            "clarification': found 0 items; declared: 1",
            "core_per_category': found 0 items of 'none'; declared: at least 1",
            "items_per_answer_type': found 2 items of 'numeric'; declared: at least 3",
            "answer_types_per_category': found 1 types of 'all'; declared: at least 2",
            "answer_types_per_category': found 0 types of 'none'; declared: at least 2",
        )
    ]


def test_an_unused_fact_is_a_warning(tmp_path: Path) -> None:
    outcome = found(tiny_suite(tmp_path))["facts_are_used"]
    assert outcome.expectation.severity == "warn"
    assert outcome.sample == ["tiny/facts.csv, row 6: no item uses fact 'bigha'"]


@given(
    st.lists(
        st.frozensets(st.sampled_from("abcdefgh"), min_size=1, max_size=6), min_size=2, max_size=30
    )
)
def test_the_index_finds_what_comparing_all_finds(texts: list[frozenset[str]]) -> None:
    everything = {
        (a, b)
        for b in range(len(texts))
        for a in range(b)
        if len(texts[a] & texts[b]) >= 0.7 * len(texts[a] | texts[b]) - 1e-9
    }
    assert set(_near(texts)) == everything
