import pytest

from bench_pipeline.contracts.grades import Verdict
from bench_pipeline.grade import ANSWER_TYPES
from bench_pipeline_tests.grade.mutations import fuzz


@pytest.mark.parametrize("answer_type", ANSWER_TYPES)
def test_mutated_answers(answer_type: str) -> None:
    """The full million is run by hand; a few thousand of each grader hold the line here."""
    tally = fuzz(answer_type, 4_000, seed=2)
    assert tally.mistakes == []
    assert tally.right[Verdict.CORRECT] >= 0.95 * tally.right.total(), tally.declined
