"""Graders: pure functions from an answer, its gold and the item's options to a `Grade`.

Here belongs code that decides right and wrong from text. Here does not belong anything that reads
a table, asks a model or knows Dagster (`assets.py` and `checks.py` bind it to the pipeline).

Public: `grade`, `grade_response`, `check_gold`, `ANSWER_TYPES`, `LEXICAL_TYPES`, `STATUSES`,
`GradeInputError`; `cases.grade_cases` for files, `lexical_frame` for whole frames.
"""

from bench_pipeline.contracts.tables import SHORT_ANSWER
from bench_pipeline.grade._door import GRADERS, STATUSES, check_gold, grade, grade_response
from bench_pipeline.grade._errors import GradeInputError

LEXICAL_TYPES = ("substring", "word_overlap")
#: the types with a grader of their own; a short answer is graded by every lexical one
ANSWER_TYPES = tuple(name for name in GRADERS if name not in (*LEXICAL_TYPES, SHORT_ANSWER))

__all__ = [
    "ANSWER_TYPES",
    "LEXICAL_TYPES",
    "STATUSES",
    "GradeInputError",
    "check_gold",
    "grade",
    "grade_response",
]
