"""`items → prompts → completions[model]` of a suite."""

import time
from decimal import Decimal

import dagster as dg
import polars as pl
from pydantic import Field

from bench_pipeline.contracts.renderings import with_renderings
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.contracts.tables import COMPLETIONS, ITEMS, PROMPTS, TRANSLATED_ITEMS
from bench_pipeline.infer.closed_book import closed_book
from bench_pipeline.infer.completions import INFERENCE, Plan, ask_missing, completions_of, plan
from bench_pipeline.infer.prompts import build_prompts
from bench_pipeline.partitions import models, roster
from bench_pipeline.providers import AskSummary
from bench_pipeline.quality.expectations import Expectation
from bench_pipeline.quality.gate import Published, gate, gated_asset, log_spending
from bench_pipeline.storage.responses import ResponseStore

_LOG_EVERY_SECONDS = 10.0


class AskConfig(dg.Config):
    """How much to ask in this run.

    `profile` is one of the suite's; `limit` and `max_usd` stop early, and a later run goes on
    from there.
    """

    profile: str = "full"
    limit: int | None = Field(default=None, ge=0)
    max_usd: float | None = Field(default=None, ge=0)


def inference_assets(suite: SuiteSpec) -> list[dg.AssetsDefinition]:
    """The assets of one suite."""

    @gated_asset(suite, PROMPTS, kinds={"polars", "parquet"}, reads=with_renderings(suite, "items"))
    def prompts(
        context: dg.AssetExecutionContext, items: pl.DataFrame, **rendered: pl.DataFrame
    ) -> Published:
        renderings = rendered.get(TRANSLATED_ITEMS.name, ITEMS.empty())
        frame = build_prompts(items, suite, renderings)
        asked_by = [
            (f"asked by profile '{name}'", _asked_by(frame, name).height)
            for name in suite.all_profiles
        ]
        languages = sorted(renderings["language"].value_counts().rows())
        counts = [
            ("items in", items.height),
            *((f"renderings in {code}", count) for code, count in languages),
            ("prompts", frame.height),
            ("items dropped", 0),
        ]
        wanted = suite.translation.languages if suite.translation else ()
        missing = [code for code in wanted if code not in dict(languages)]
        yield from gate(
            context,
            frame,
            PROMPTS,
            outcomes=[closed_book(suite, frame, items, renderings)] if suite.documents else (),
            accounting=[*counts, *asked_by],
            metadata={"languages without any rendering": ", ".join(missing) or "none"},
        )

    @gated_asset(
        suite,
        COMPLETIONS,
        kinds={"llm", "parquet"},
        reads=["prompts"],
        partitions_def=models,
    )
    def completions(
        context: dg.AssetExecutionContext,
        config: AskConfig,
        prompts: pl.DataFrame,
    ) -> Published:
        suite.profile(config.profile)
        spec = roster().askable(context.partition_key)
        spec.api_key()  # a missing key stops here, before anything is asked or written
        store = ResponseStore.of(INFERENCE, suite.name, spec.id)
        with store.writing(on_wait=context.log.info):
            todo = plan(prompts, spec, config.profile, store.answered_ids(), config.limit)
            listener = _Listener(context, len(todo.to_ask))
            summary = AskSummary()
            title = f"{suite.name}: asking {spec.id}"
            try:
                with context.resources.progress.stage(title, len(todo.to_ask)) as bar:
                    ask_missing(
                        prompts,
                        spec,
                        store,
                        todo.to_ask,
                        max_usd=None if config.max_usd is None else Decimal(str(config.max_usd)),
                        on_progress=lambda summary: bar.advance(1, listener.heard(summary)),
                        summary=summary,
                    )
            finally:
                log_spending(context, summary.spent_usd)
        frame = completions_of(prompts, spec, todo.requests, store)
        missing = _what_is_missing(spec.id, summary)
        if frame.is_empty():
            raise dg.Failure(
                description=missing or f"{spec.id}: nothing was asked, and nothing is stored",
                allow_retries=False,
            )
        yield from gate(
            context,
            frame,
            COMPLETIONS,
            expectations=[_FEW_ERRORS],
            accounting=_accounting(todo, summary, frame, config.profile),
            metadata={
                "retries": summary.tries - summary.statuses.total(),
                "pushed_back": summary.pushed_back,
                "in_flight_limit": summary.in_flight_limit,
                "answers_without_a_price": summary.unpriced,
                "estimate_at_most_usd": todo.at_most_usd,
                "prompt_tokens": summary.prompt_tokens,
                "completion_tokens": summary.completion_tokens,
                "spent_usd": summary.spent_usd,
                "statuses": dg.MetadataValue.json(dict(summary.statuses)),
            },
        )
        if missing:
            raise dg.Failure(description=missing, allow_retries=False)

    return [prompts, completions]


def _asked_by(prompts: pl.DataFrame, profile: str) -> pl.DataFrame:
    return prompts.filter(pl.col("profiles").list.contains(profile))


_FEW_ERRORS = Expectation(
    "expect_column_values_to_not_be_in_set",
    {"column": "status", "value_set": ["infra_error"]},
    severity="warn",
)


class _Listener:
    """Writes where a run is to its log, every few seconds; the same line goes beside the bar."""

    def __init__(self, context: dg.AssetExecutionContext, total: int) -> None:
        self.context, self.total = context, total
        self.started = self.logged = time.monotonic()

    def heard(self, summary: AskSummary) -> str:
        now = time.monotonic()
        done = summary.statuses.total()
        rate = done / max(now - self.started, 1e-6)
        left = self.total - done
        note = (
            f"{rate:.1f}/s, ${summary.spent_usd:.4f}, {summary.pushed_back} × 429/503, "
            f"{summary.failed} failed"
        )
        if now - self.logged >= _LOG_EVERY_SECONDS or left == 0:
            self.logged = now
            self.context.log.info(f"{done} done, {left} left, {note}, ETA {left / rate:.0f} s")
        return note


def _accounting(
    todo: Plan, summary: AskSummary, frame: pl.DataFrame, profile: str
) -> list[tuple[str, int]]:
    without = len(todo.missing) - summary.answered
    return [
        (f"requests of profile '{profile}'", len(todo.wanted)),
        ("answered before this run", len(todo.wanted) - len(todo.missing)),
        ("asked and answered now", summary.answered),
        ("still without an answer", without),
        ("rows kept", frame.height),
    ]


def _what_is_missing(model: str, summary: AskSummary) -> str | None:
    """Why answers are missing, in a sentence; None where none is."""
    if not summary.stopped and not summary.failed:
        return None
    kept = f"{model}: what was answered is stored and published; the next run asks the rest."
    return " ".join([kept, *summary.problems()])
