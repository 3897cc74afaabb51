"""Formulas give exact golds, or say in a sentence why they do not."""

import contextlib
import csv
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench_pipeline.release.check_digits import (
    ean13_check,
    gstin_check,
    luhn_check,
    mod97_remainder,
    verhoeff_check,
)
from bench_pipeline.release.formulas import Formula, FormulaError, as_gold, plain_decimal

FACTS = {"lakh": Fraction(10**5), "crore": Fraction(10**7)}
CASES = list(csv.DictReader((Path(__file__).parent / "cases" / "formulas.csv").open()))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["formula"][:40])
def test_a_formula_gives_its_gold_or_its_reason(case: dict[str, str]) -> None:
    if case["gives"].startswith("!"):
        with pytest.raises(FormulaError) as caught:
            as_gold(Formula.parse(case["formula"]).value(FACTS))
        assert case["gives"][1:] in str(caught.value)
    else:
        assert as_gold(Formula.parse(case["formula"]).value(FACTS)) == case["gives"]


@pytest.mark.parametrize("text", ["(" * 300 + "1" + ")" * 300, "-" * 400 + "1", "1+" * 249 + "1"])
def test_deep_formulas_end(text: str) -> None:
    with contextlib.suppress(FormulaError):
        as_gold(Formula.parse(text).value(FACTS))


def test_a_formula_counts_its_steps_operands_and_facts() -> None:
    formula = Formula.parse("round(1250.50 * lakh / crore, 2)")
    assert (formula.names, formula.steps, formula.digits) == ({"lakh", "crore"}, 3, 5)
    assert Formula.parse("lakh").steps == 0


@given(st.integers(-(10**12), 10**12), st.integers(0, 9))
def test_a_decimal_is_written_as_it_is(number: int, places: int) -> None:
    value = Fraction(number, 10**places)
    text = plain_decimal(value)
    assert Fraction(text) == value
    assert "e" not in text.lower()
    assert not (("." in text) and text.endswith(("0", ".")))


@given(st.text("0123456789", min_size=1, max_size=30), st.data())
def test_check_digits_find_a_wrong_digit(digits: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(digits) - 1))
    other = data.draw(st.sampled_from([d for d in "0123456789" if d != digits[place]]))
    wrong = digits[:place] + other + digits[place + 1 :]
    assert verhoeff_check(digits) != verhoeff_check(wrong)
    assert luhn_check(digits) != luhn_check(wrong)
    assert mod97_remainder(digits) != mod97_remainder(wrong)


@given(st.text("0123456789", min_size=12, max_size=12), st.integers(0, 10))
def test_verhoeff_finds_every_swap_of_neighbours(digits: str, place: int) -> None:
    swapped = digits[:place] + digits[place + 1] + digits[place] + digits[place + 2 :]
    if swapped != digits:
        assert verhoeff_check(digits) != verhoeff_check(swapped)
    assert len(ean13_check(digits)) == 1


@given(st.text("0123456789ABCXYZ", min_size=14, max_size=14), st.integers(0, 13))
def test_a_gstin_check_finds_a_wrong_character(characters: str, place: int) -> None:
    wrong = (
        characters[:place] + ("7" if characters[place] != "7" else "8") + characters[place + 1 :]
    )
    assert gstin_check(characters) != gstin_check(wrong)
