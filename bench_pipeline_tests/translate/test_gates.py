"""Planted errors in translations: each caught with its reason, and what is right passes."""

import pytest

from bench_pipeline.contracts.languages import language, languages
from bench_pipeline.translate.gates import Rendering, Source, numbers_of, problems

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


def test_a_glossary_term_is_as_the_glossary_has_it() -> None:
    glossary = {"Constitution": "संविधान", "Parliament": "संसद"}
    assert problems(SOURCE, RIGHT, language("hi"), glossary) == []
    other = Rendering("i1", HINDI.replace("संविधान", "विधान"), "1950")
    assert problems(SOURCE, other, language("hi"), glossary) == ["glossary: Constitution"]


def test_placeholders_and_codes_stay() -> None:
    source = Source("i1", "PAN has how many ____ in {place}?", "PAN")
    good = Rendering("i1", "{place} में PAN में कितने ____ होते हैं?", "PAN")
    assert "placeholder_changed" in problems(source, good, language("hi"), {})
    kept = Rendering("i1", "PAN में ____ कितने हैं, {place} में?", "PAN")
    assert problems(source, kept, language("hi"), {}) == []
    name = Source("i1", "Which river flows through Patna and Varanasi?", "Ganga")
    latin = Rendering("i1", "पटना और वाराणसी से कौन सी नदी बहती है?", "Ganga")
    assert problems(name, latin, language("hi"), {}) == ["answer_in_wrong_script"]


def test_numbers_are_compared_without_their_commas() -> None:
    assert numbers_of("१,२३,४५६ और 1.5") == numbers_of("123456 and 1.5")
    assert numbers_of("26 January 1950") != numbers_of("26 January 1951")


def test_nineteen_languages_with_their_scripts() -> None:
    assert len(languages()) == 19
    assert language("sd-Arab").group == language("ur").group
