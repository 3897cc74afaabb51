"""Each gate drops what it is for, with its reason, and passes what is right."""

import pytest

from bench_pipeline.generate.gates import REASONS, Draft, find_verbatim, pass_gates

CHUNK = (
    "The Constitution of India came into force on 26 January 1950. Dr. B. R. Ambedkar chaired the "
    "Drafting Committee. The Lok Sabha’s term is five years, unless sooner dissolved; the non\u2011"
    "cooperation movement began in 1920 and 3,45,000 people took part in Bihar."
)
HINDI = "भारत का संविधान २६ जनवरी १९५० को लागू हुआ। डॉ. भीमराव आंबेडकर प्रारूप समिति के अध्यक्ष थे।"

#: a newline, NUL, ESC, a turn of direction, and what is drawn as nothing
HIDDEN = ["\n", "\t", "\x00", "\x1b[2J", "\u202e", "\u2066", "\u200b", "\ufeff", "\u00ad", "\u200e"]
DROPPED = [
    ("answer_length", "Who wrote what in India at all?", "a b c d e f"),
    ("answer_length", "Who wrote what in India at all?", "  "),
    ("answer_length", "Who wrote what in India at all?", "a" * 81),
    ("answer_length", "Who wrote what in India at all?", "a" * 200_000),
    ("question_length", f"When did India come {'x' * 581}?", "26 January 1950"),
    ("question_length", "the " * 50_000 + "?", "26 January 1950"),
    *(
        ("hidden_characters", f"When did the Constitution of India{c} come into force?", "1950")
        for c in HIDDEN
    ),
    *(
        ("hidden_characters", "When did the Constitution of India come into force?", f"26{c}1950")
        for c in HIDDEN
    ),
    ("no_question", "The Constitution of India came into force.", "26 January 1950"),
    ("no_question", "When, India?", "26 January 1950"),
    ("wrong_script", "भारत का संविधान कब लागू हुआ था?", "26 January 1950"),
    ("refers_to_passage", "In the passage, who chaired the committee of India?", "B. R. Ambedkar"),
    ("refers_to_passage", "According to the given table, how many Indians?", "3,45,000"),
    ("refers_to_passage", "Who, as mentioned above, chaired it in India?", "B. R. Ambedkar"),
    ("dangling_pronoun", "When did it come into force in India?", "26 January 1950"),
    ("dangling_pronoun", "Who was he in the Indian committee?", "B. R. Ambedkar"),
    ("dangling_pronoun", "When did this come into force in India?", "26 January 1950"),
    ("dangling_pronoun", "They chaired which committee of India?", "Drafting Committee"),
    ("answer_in_question", "Did 26 January 1950 see the Constitution of India?", "26 January 1950"),
    ("not_about_india", "When did the Magna Carta come into force?", "26 January 1950"),
    ("answer_not_verbatim", "Who chaired the Drafting Committee of India?", "Bhimrao Ambedkar"),
    ("answer_not_verbatim", "Which Indian year is it, in short?", "195"),
    ("answer_not_verbatim", "What began in India in that year?", "cooperation moves"),
]
KEPT = [
    ("When did the Constitution of India come into force?", "26 January 1950"),
    ("Who chaired the Drafting Committee of the Constitution of India?", "Dr. B. R. Ambedkar"),
    ("How long is the term of the Lok Sabha?", "five years"),
    ("Whose term is five years in India?", "Lok Sabha's"),
    ("Which movement began in India in 1920?", "non-cooperation movement"),
    ("Constitution of India: fill in the blank: it came into force on ____", "26 January 1950"),
    (f"When did the Constitution of India come into force{' ' * 548}?", "26 January 1950"),
    ("In which state did this movement of India draw 3,45,000 people?", "Bihar"),
]


@pytest.mark.parametrize(("reason", "question", "answer"), DROPPED)
def test_what_is_dropped_has_its_reason(reason: str, question: str, answer: str) -> None:
    assert pass_gates(Draft(question, answer, CHUNK)).reason == reason


@pytest.mark.parametrize(("question", "answer"), KEPT)
def test_what_is_right_passes_with_its_span(question: str, answer: str) -> None:
    verdict = pass_gates(Draft(question, answer, CHUNK))
    assert verdict.reason is None
    assert verdict.span is not None
    start, end = verdict.span
    assert CHUNK[start:end].replace("’", "'").replace("\u2011", "-") == answer


def test_hindi_answers_match_in_either_digits() -> None:
    question = "भारत का संविधान किस दिन लागू हुआ?"
    question = question.replace("संविधान", "सं\u200dविधा\u200cन")
    for answer in ("२६ जनवरी १९५०", "26 जनवरी 1950"):
        verdict = pass_gates(Draft(question, answer, HINDI, "hi"))
        assert verdict.reason is None
        assert verdict.span is not None
        assert HINDI[slice(*verdict.span)] == "२६ जनवरी १९५०"


def test_an_answer_ends_where_its_word_ends() -> None:
    assert find_verbatim("भारत", "भारतीय और भारत") == (10, 14)
    assert find_verbatim("कम", "कमल") is None
    assert find_verbatim("", "x") is None


def test_every_reason_has_a_case() -> None:
    assert {reason for reason, _, _ in DROPPED} == set(REASONS)
