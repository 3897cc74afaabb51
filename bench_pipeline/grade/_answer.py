"""An answer made ready for graders: without thinking, folded, its marks and numbers at hand."""

import re
from functools import cached_property

from bench_pipeline.grade._marked import Region, find_regions, is_retracted
from bench_pipeline.text import Folded, NumberMention, find_numbers, fold

# No completion of this pipeline comes near it; above it a grader declines instead of working.
MAX_LENGTH = 32_000

_UNDERSCORES = re.compile(r"(?<![^\W_])_+|_+(?![^\W_])")
_WHOLE_FENCE = re.compile(r"\s*```[A-Za-z]{0,12}\n(.*)```\s*", re.DOTALL)
_QUOTE_MARKS = re.compile(r"^[ \t]*>[> \t]*", re.MULTILINE)


def _plain_marks(body: str) -> str:
    """The text with one kind of emphasis mark, no quote marks and no outer fence; places stay."""
    if body.count("```") == 2 and (fence := _WHOLE_FENCE.fullmatch(body)) is not None:
        start, end = fence.span(1)
        body = " " * start + body[start:end] + " " * (len(body) - end)
    if "_" in body:
        body = _UNDERSCORES.sub(lambda match: "*" * len(match[0]), body)
    if ">" in body:
        body = _QUOTE_MARKS.sub(lambda match: " " * len(match[0]), body)
    return body


class Answer:
    """The visible text of one answer as graders read it. `text` is folded, `cased` keeps its case.

    `whole` is the raw span to report for any place in it: set where the text came out of a JSON
    object, whose escapes leave no one-to-one places.
    """

    def __init__(self, body: str, base: int = 0, whole: tuple[int, int] | None = None) -> None:
        self.body = body
        self.base = base
        self.whole = whole
        self.blanked = False
        self.folded: Folded = fold(_plain_marks(body))
        self.text = self.folded.text
        self.cased = self.folded.cased

    @property
    def from_json(self) -> bool:
        """Whether the text is a value out of a JSON object."""
        return self.whole is not None

    @cached_property
    def is_retracted(self) -> bool:
        """Whether the text takes an earlier answer back, so that no mark in it can be trusted."""
        return is_retracted(self.text)

    @cached_property
    def regions(self) -> list[Region]:
        """The marked parts of the text, strongest first."""
        return find_regions(self.text)

    @cached_property
    def numbers(self) -> list[NumberMention]:
        """The numbers of the text, with spans in `text`."""
        return find_numbers(self.text)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The raw span of a span of `text`."""
        if self.whole is not None:
            return self.whole
        first, last = self.folded.raw_span(start, end)
        return self.base + first, self.base + last

    def without(self, spans: list[tuple[int, int]]) -> "Answer":
        """The answer with those spans of `text` blanked; places stay the same."""
        pieces = list(self.text)
        cased = list(self.cased)
        for start, end in spans:
            pieces[start:end] = " " * (end - start)
            cased[start:end] = " " * (end - start)
        copy = Answer("", self.base, self.whole)
        copy.body, copy.blanked = self.body, True
        copy.text, copy.cased = "".join(pieces), "".join(cased)
        copy.folded = Folded(copy.text, copy.cased, self.folded.raw_length, self.folded.offsets)
        return copy
