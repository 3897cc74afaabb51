"""What was expected, asked, answered and how it was graded, a model: the counts add up."""

from dataclasses import dataclass
from statistics import median

import polars as pl

from bench_pipeline.contracts.suite import Withhold


@dataclass(frozen=True, slots=True)
class Coverage:
    """expected = answered + missing; answered = correct + incorrect + refused + undetermined.

    Counts are of requests (item × regime × sample) of one profile. `asked` were sent at least
    once; `cost_usd` is None where the cost of any answer is unknown.
    """

    expected: int
    asked: int
    answered: int
    correct: int
    incorrect: int
    refused: int
    undetermined: int
    cost_usd: float | None
    latency_ms: float | None

    @property
    def missing(self) -> int:
        """Never asked, or failed for want of an answer: missing data, never a wrong answer."""
        return self.expected - self.answered

    def withheld(self, limits: Withhold) -> str | None:
        """Why the model's row is withheld, or None where it is not."""
        if self.missing > limits.missing * self.expected:
            return (
                f"{self.missing} of {self.expected} answers are missing "
                f"(the suite allows {limits.missing:.0%})"
            )
        if self.undetermined > limits.undetermined * self.answered:
            return (
                f"{self.undetermined} of {self.answered} answers are undetermined "
                f"(the suite allows {limits.undetermined:.0%})"
            )
        return None


def coverage_of(
    model: str, prompts: pl.DataFrame, grades: pl.DataFrame, completions: pl.DataFrame
) -> Coverage:
    """The counts of `model` over `prompts` (one profile's); the frames may hold other models."""
    own = grades.filter(pl.col("model") == model).join(
        prompts.select("item_id", "regime", "sample"),
        on=["item_id", "regime", "sample"],
        how="semi",
    )
    sent = completions.filter(pl.col("model") == model).join(
        prompts.select("prompt_id"), on="prompt_id", how="semi"
    )
    verdicts = dict(own["verdict"].value_counts().rows())
    answered = sent.filter(pl.col("status") != "infra_error")
    costs = answered["cost_usd"]
    return Coverage(
        expected=prompts.height,
        asked=sent.height if sent.height else own.height,
        answered=own.height,
        correct=verdicts.get("correct", 0),
        incorrect=verdicts.get("incorrect", 0),
        refused=verdicts.get("refused", 0),
        undetermined=verdicts.get("undetermined", 0),
        cost_usd=_total(costs),
        latency_ms=_median(answered["latency_ms"]),
    )


def _total(costs: pl.Series) -> float | None:
    return float(costs.sum()) if costs.len() and not costs.null_count() else None


def _median(latencies: pl.Series) -> float | None:
    present = latencies.drop_nulls().to_list()
    return float(median(present)) if present else None
