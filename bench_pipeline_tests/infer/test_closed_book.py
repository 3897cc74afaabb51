"""No text of a document enters a prompt, but for the question's own words."""

import pytest

from bench_pipeline.infer.closed_book import passages_shown

CHUNK = "The Hirakud Dam was built across the Mahanadi, about fifteen kilometres from Sambalpur."
QUESTION = "Across which river of India was the Hirakud Dam built?"
CLOZE = (
    "Dams: fill in the blank: The Hirakud Dam was built across the ____, about fifteen kilometres."
)


@pytest.mark.parametrize(
    ("sent", "question", "shown"),
    [
        (f"Answer in a few words.\n\nQuestion: {QUESTION}", QUESTION, False),
        # a question's own words are its own, even where they are a sentence of the document
        (f"Question: {CLOZE}", CLOZE, False),
        (f"Use this text: {CHUNK}\n\nQuestion: {QUESTION}", QUESTION, True),
        (f"Hint: {CHUNK.upper()}\n{QUESTION}", QUESTION, True),
        (
            f"Hint: was built across the “Mahanadi” — about fifteen kilometres\n{QUESTION}",
            QUESTION,
            True,
        ),
        # seven words in a row are no passage
        (f"Hint: dam was built across the mahanadi about\n{QUESTION}", QUESTION, False),
        (f"{QUESTION} {QUESTION}", QUESTION, False),
        ("", QUESTION, False),
    ],
)
def test_passages(sent: str, question: str, shown: bool) -> None:
    found = passages_shown([("p", sent, question)], [CHUNK])
    assert bool(found) is shown


def test_the_passage_is_named() -> None:
    ((prompt_id, passage),) = passages_shown([("p", f"Text: {CHUNK}", QUESTION)], [CHUNK])
    assert prompt_id == "p"
    assert passage == "the hirakud dam was built across the mahanadi"


def test_a_suite_without_chunks_shows_none() -> None:
    assert passages_shown([("p", CHUNK, QUESTION)], []) == []
