"""What judges say of completions, and what becomes of a board under each protocol."""

import polars as pl

from bench_pipeline.contracts.boards import ITEM_ID, MODEL, PROFILE, VERSION
from bench_pipeline.contracts.schema import Column, TableSchema

#: a judge answers with one of these words, whole
JUDGE_VERDICTS = ("correct", "incorrect", "not_attempted")
CORRECTNESS = "correctness"
#: ok: read; unparseable: twice no verdict in it; by_status: nothing was there to judge
JUDGED, UNPARSEABLE, BY_STATUS = "ok", "unparseable", "by_status"
#: flag of a completion that speaks to whoever grades it
ADDRESSES_JUDGE = "addresses_judge"

JUDGEMENTS = TableSchema(
    "judgements",
    "One judge's scores of one completion, criterion by criterion.",
    (
        Column("request_id", pl.String, "the completion that was judged"),
        ITEM_ID,
        Column("model", pl.String, "roster id of the model that was asked"),
        Column("regime", pl.String, "prompt regime"),
        Column("sample", pl.Int32, "repeat inside one run, from 0"),
        Column("judge", pl.String, "roster id of the judge"),
        Column("criterion", pl.String, "what was judged"),
        Column("rating", pl.Float64, "0 to 10; null where the criterion is a verdict", True),
        Column("verdict", pl.String, "null where none could be read", True, JUDGE_VERDICTS),
        Column("justification", pl.String, "the judge's, given before its verdict", True),
        Column("status", pl.String, "how it ended", allowed=(JUDGED, UNPARSEABLE, BY_STATUS)),
        Column("reason", pl.String, "why there is no verdict of the judge", nullable=True),
        Column("parsed", pl.String, "strict, fenced or repaired", nullable=True),
        Column("flags", pl.List(pl.String), "what the completion does beside answering"),
        Column("judge_request_id", pl.String, "the request that was read", nullable=True),
        Column("gold_hash", pl.String, "the gold that the judge was shown"),
        Column("version", pl.String, "suite version of the gold"),
    ),
    key=("request_id", "judge", "criterion"),
    may_be_empty=True,
)
PROTOCOL_SCORES = TableSchema(
    "protocols",
    "The accuracy of every model under every protocol, by language and domain.",
    (
        VERSION,
        PROFILE,
        Column(
            "slice",
            pl.String,
            "overall, category:C, language:L, translation:L, or two of them with a slash",
        ),
        Column("protocol", pl.String, "judge, substring, or word_overlap and its threshold"),
        Column("threshold", pl.Float64, "from which share word overlap is right", nullable=True),
        MODEL,
        Column("baseline", pl.Boolean, "a baseline's row"),
        Column("value", pl.Float64, "accuracy in percent", nullable=True),
        Column("low", pl.Float64, "lower end of the 95 % interval", nullable=True),
        Column("high", pl.Float64, "upper end of it", nullable=True),
        Column("n", pl.Int64, "items that the value rests on"),
        Column("correct", pl.Int64, "answers that the protocol takes for right"),
        Column("incorrect", pl.Int64, "answers that it takes for wrong"),
        Column("not_attempted", pl.Int64, "answers that decline"),
        Column("undetermined", pl.Int64, "answers with nothing comparable; unparseable ones too"),
        Column("unparseable", pl.Int64, "of them, verdicts that could not be read"),
        Column("missing", pl.Int64, "requests without an answer or without a judgement"),
        Column("hedged", pl.Int64, "right answers that deny the gold or offer alternatives"),
        Column("addresses_judge", pl.Int64, "answers that speak to whoever grades them"),
        Column("ranked", pl.Boolean, "stands in the rank correlation"),
        Column("judge", pl.String, "the judge, and whether it is of the model's family", True),
        Column("method", pl.String, "how the interval was computed"),
        Column("reason", pl.String, "why it has no value, or is not ranked", nullable=True),
    ),
    key=("version", "profile", "slice", "protocol", "model"),
    may_be_empty=True,
)
PROTOCOL_AGREEMENT = TableSchema(
    "protocol_agreement",
    "How far two protocols rank the models alike: Kendall's tau, and the pairs that they swap.",
    (
        VERSION,
        PROFILE,
        Column("slice", pl.String, "as in `protocols`"),
        Column("protocol_a", pl.String, "as in `protocols`"),
        Column("protocol_b", pl.String, "the other"),
        Column("tau", pl.Float64, "Kendall's tau-b over models", nullable=True),
        Column("models", pl.Int64, "models that both rank"),
        Column("swapped", pl.List(pl.String), "pairs of models in another order"),
        Column("reason", pl.String, "why there is no tau", nullable=True),
    ),
    key=("version", "profile", "slice", "protocol_a", "protocol_b"),
    may_be_empty=True,
)
