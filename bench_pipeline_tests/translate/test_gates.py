"""Planted errors in translations: each caught with its reason, and what is right passes."""

import csv
import unicodedata
from pathlib import Path

import pytest
import regex

from bench_pipeline.contracts.languages import language, languages
from bench_pipeline.translate.gates import Rendering, Source, problems
from bench_pipeline.translate.numbers import numbers_of

with (Path(__file__).parent / "cases" / "renderings.csv").open(
    encoding="utf-8", newline=""
) as file:
    CASES = list(csv.DictReader(file))
SOURCE = Source(
    "i1", "In which year did the Constitution of India come into force, with 395 articles?", "1950"
)
HINDI = "भारत का संविधान 395 अनुच्छेदों के साथ किस वर्ष लागू हुआ?"
RIGHT = Rendering("i1", HINDI, "1950", SOURCE.question)
PLANTED = {
    "numbers_changed": Rendering("i1", HINDI.replace("395", "359"), "1950"),
    "answer_numbers_changed": Rendering("i1", HINDI, "1947"),
    "wrong_script": Rendering("i1", "Bharat ka samvidhan 395 anuchchhedon ke saath kab?", "1950"),
    "id_mismatch": Rendering("i2", HINDI, "1950"),
    "echo_mismatch": Rendering("i1", HINDI, "1950", "Who wrote the national song?"),
    "source_echoed": Rendering("i1", SOURCE.question, "1950"),
    "empty": Rendering("i1", "  ", "1950"),
    "preamble": Rendering("i1", f"Here is the translation: {HINDI}", "1950"),
    "length_ratio": Rendering("i1", HINDI * 6, "1950"),
}


@pytest.mark.parametrize("reason", PLANTED)
def test_a_planted_error_is_caught_with_its_reason(reason: str) -> None:
    assert reason in problems(SOURCE, PLANTED[reason], language("hi"), {})


@pytest.mark.parametrize(
    ("code", "hidden", "caught"),
    [
        *(("hi", c, True) for c in ["\x00", "\x1b", "\n", "\t", "\u202e", "\u2067", "\u200b"]),
        *(("hi", c, True) for c in ["\ufeff", "\u00ad", "\u2028", "\u200e", "\u200f"]),
        *(("hi", c, False) for c in ["\u200c", "\u200d"]),
        *(("ur", c, False) for c in ["\u200c", "\u200d", "\u200e", "\u200f"]),
        *(("sd-Arab", c, False) for c in ["\u200e", "\u200f"]),
        *(("ur", c, True) for c in ["\u202b", "\u200b", "\x00"]),
    ],
)
def test_a_character_that_no_reader_sees_is_caught_in_either_field(
    code: str, hidden: str, caught: bool
) -> None:
    question, answer = f"{HINDI[:9]}{hidden}{HINDI[9:]}", f"19{hidden}50"
    for found in (Rendering("i1", question, "1950"), Rendering("i1", HINDI, answer)):
        reasons = problems(SOURCE, found, language(code), {})
        assert ("hidden_characters" in reasons) is caught


def test_a_line_of_the_source_may_stay_a_line() -> None:
    source = Source("i1", SOURCE.question.replace(", ", ",\n"), "1950")
    found = Rendering("i1", HINDI.replace("किस", "\nकिस"), "1950")
    assert problems(source, found, language("hi"), {}) == []


@pytest.mark.parametrize("part", ["“", "‘a", "a", "aA", " ", "\n", "( '", "1,", "{a", "* ", "_"])
def test_a_rendering_of_any_length_is_read_to_its_end(part: str) -> None:
    long = part * (200_000 // len(part))
    for found in (
        Rendering("i1", f"{HINDI} उत्तर{long}क", "1950"),
        Rendering("i1", HINDI, f"1950 answer{long}क"),
    ):
        reasons = problems(SOURCE, found, language("hi"), {})
        assert {"length_ratio", "answer_too_long"} & set(reasons)


def test_an_empty_answer_is_empty() -> None:
    assert problems(SOURCE, Rendering("i1", HINDI, ""), language("hi"), {}) == ["empty"]


@pytest.mark.parametrize(
    "rendering",
    [
        RIGHT,
        Rendering("i1", HINDI.replace("395", "३९५"), "१९५०"),
        Rendering("i1", HINDI, "१९५०", f"  {SOURCE.question.upper()} "),
    ],
)
def test_what_is_right_passes_in_either_digits(rendering: Rendering) -> None:
    assert problems(SOURCE, rendering, language("hi"), {}) == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['target']}-{case['what']}")
def test_renderings_of_the_table(case: dict[str, str]) -> None:
    source = Source("i", case["source_question"], case["source_answer"])
    found = Rendering("i", case["question"], case["answer"], case["source_question"])
    reasons = problems(source, found, language(case["target"]), {})
    if case["reason"]:
        assert case["reason"] in reasons
    else:
        assert reasons == []


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if not case["reason"] and regex.search(r"\d", case["question"])],
    ids=lambda case: f"{case['target']}-{case['what']}",
)
def test_a_digit_that_is_another_is_caught_wherever_it_stands(case: dict[str, str]) -> None:
    question = case["question"]
    for place in [m.start() for m in regex.finditer(r"\d", question)]:
        digit = question[place]
        other = chr(ord(digit) + (1 if unicodedata.digit(digit) < 9 else -1))
        changed = question[:place] + other + question[place + 1 :]
        source = Source("i", case["source_question"], case["source_answer"])
        found = Rendering("i", changed, case["answer"])
        assert "numbers_changed" in problems(source, found, language(case["target"]), {}), changed


def test_the_table_has_both_sides() -> None:
    wrong = [case for case in CASES if case["reason"]]
    assert len(wrong) >= 40
    assert len(CASES) - len(wrong) >= 40


def test_a_glossary_term_is_as_the_glossary_has_it() -> None:
    glossary = {"Constitution": "संविधान", "Parliament": "संसद"}
    assert problems(SOURCE, RIGHT, language("hi"), glossary) == []
    other = Rendering("i1", HINDI.replace("संविधान", "विधान"), "1950")
    assert problems(SOURCE, other, language("hi"), glossary) == ["glossary: Constitution"]


@pytest.mark.parametrize(
    ("code", "term", "translation", "question"),
    [
        ("ta", "Parliament", "நாடாளுமன்றம்", "நாடாளுமன்றத்தில் எத்தனை அவைகள் உள்ளன?"),
        ("te", "Parliament", "పార్లమెంటు", "పార్లమెంట్‌లో ఎన్ని సభలు ఉన్నాయి?"),
        ("kn", "Parliament", "ಸಂಸತ್ತು", "ಸಂಸತ್ತಿನಲ್ಲಿ ಎಷ್ಟು ಸದನಗಳಿವೆ?"),
        ("mr", "Parliament", "संसद", "संसदेत किती सभागृहे आहेत?"),
        ("hi", "House", "सदन", "संसद में कितने सदनों की व्यवस्था है?"),
    ],
)
def test_a_glossary_term_may_be_inflected(
    code: str, term: str, translation: str, question: str
) -> None:
    source = Source("i", "How many Houses does Parliament have?", "2")
    found = Rendering("i", question, "2")
    assert problems(source, found, language(code), {term: translation}) == []
    other = problems(source, found, language(code), {term: "\u0915\u0932\u092e"})
    assert other == [f"glossary: {term}"]


def test_a_glossary_term_inside_of_another_word_is_none() -> None:
    glossary = {"law": "विधान"}
    source = Source("i", "Which law came into force in 1950?", "Constitution")
    found = Rendering("i", "1950 में कौन सा संविधान लागू हुआ?", "संविधान")
    assert problems(source, found, language("hi"), glossary) == ["glossary: law"]


def test_placeholders_and_codes_stay() -> None:
    source = Source("i1", "PAN has how many ____ in {place}?", "PAN")
    good = Rendering("i1", "{place} में PAN में कितने ____ होते हैं?", "PAN")
    assert problems(source, good, language("hi"), {}) == []
    lost = Rendering("i1", "PAN में ____ कितने हैं?", "PAN")
    assert problems(source, lost, language("hi"), {}) == ["placeholder_changed"]
    name = Source("i1", "Which river flows through Patna and Varanasi?", "Ganga")
    latin = Rendering("i1", "पटना और वाराणसी से कौन सी नदी बहती है?", "Ganga")
    assert problems(name, latin, language("hi"), {}) == ["answer_in_wrong_script"]


def test_numbers_are_compared_without_their_commas() -> None:
    assert numbers_of("१,२३,४५६ और 1.5") == numbers_of("123456 and 1.5")
    assert numbers_of("26 January 1950") != numbers_of("26 January 1951")


def test_nineteen_languages_with_their_scripts() -> None:
    assert len(languages()) == 19
    assert language("sd-Arab").group == language("ur").group
