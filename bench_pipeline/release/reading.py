"""Everything of a suite's bank, read and checked in the one right order."""

from dataclasses import dataclass, replace

import polars as pl

from bench_pipeline.contracts.boards import LEADERBOARD
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.quality.expectations import Expectation, Outcome
from bench_pipeline.release.bank import GoldCheck, load_bank
from bench_pipeline.release.bank_checks import BankContext, check_bank
from bench_pipeline.release.corrections import (
    Ledger,
    apply_ledger,
    load_ledger,
    outdated_corrections,
)
from bench_pipeline.release.facts import load_facts
from bench_pipeline.release.identifiers import load_specimens
from bench_pipeline.release.sides import gold_of, items_of
from bench_pipeline.release.statuses import load_labels, outdated_labels, with_statuses
from bench_pipeline.storage.tables import StaleTableError, TableStore
from bench_pipeline.storage.versions import data_hash


@dataclass(frozen=True, slots=True)
class BankFiles:
    """The bank as its files say it, and what its checks found.

    `corrected` is the bank with the ledger applied, and `correction_id` and `disputed` beside it;
    statuses and hashes of both are of the corrected items.
    """

    bank: pl.DataFrame
    corrected: pl.DataFrame
    ledger: Ledger
    version: str
    outcomes: list[Outcome]

    @property
    def items(self) -> pl.DataFrame:
        """The prompt side, an `items` table."""
        return items_of(self.bank)

    @property
    def gold(self) -> pl.DataFrame:
        """The gold side with its corrections, a `gold` table."""
        return gold_of(self.corrected, self.version, self.ledger.last_change)


def read_bank(suite: SuiteSpec, check_gold: GoldCheck, ledger: Ledger | None = None) -> BankFiles:
    """Read every file of the bank of `suite`; `ledger` stands in for the one on disk.

    Raises:
        InputError: at the first row of any of them that is wrong.
    """
    facts = load_facts(suite)
    drafts = load_bank(suite, facts, check_gold)
    ledger = load_ledger(suite) if ledger is None else ledger
    # a label is of the item as it is graded, so a correction takes it back to a draft
    labels = load_labels(suite)
    corrected = with_statuses(apply_ledger(drafts, ledger, check_gold), labels)
    outdated = outdated_labels(corrected, labels)
    stale = outdated_corrections(corrected, ledger)
    warnings = {
        "bank_labels_are_of_todays_items": outdated,
        "bank_corrections_are_of_todays_values": stale,
    }
    golds = frozenset(e.item_id for e in ledger.in_state("applied") if e.field == "gold")
    context = BankContext(suite, facts, load_specimens(suite, facts.sources), golds)
    version = ledger.version(suite.version)
    return BankFiles(
        bank=drafts.with_columns(corrected["status", "item_hash"]),
        corrected=corrected,
        ledger=ledger,
        version=version,
        outcomes=[
            *check_bank(corrected, context),
            *(
                Outcome(Expectation(name, severity="warn"), not found, len(found), found)
                for name, found in warnings.items()
            ),
        ],
    )


def check_version(suite: SuiteSpec, files: BankFiles, store: TableStore) -> Outcome:
    """Whether a published board of this version stands on the same data.

    Only a board with a model's answers on it pins its version.
    """
    outcome = Outcome(Expectation("bank_version_is_new_where_data_is"), True, 0, [])
    try:
        board = store.read(suite.name, LEADERBOARD)
    except StaleTableError:
        return outcome
    if board is None:
        return outcome
    known, taken = files.ledger.last_change, max(board["change"].to_list(), default=0)
    if known < taken:
        problem = (
            f"{suite.name}: a board takes in change {taken} of the corrections ledger, which ends "
            f"at change {known}; accepted: the ledger with all of its changes"
        )
        return replace(outcome, success=False, unexpected=1, sample=[problem])
    pinned = board.filter(
        (pl.col("version") == files.version) & ~pl.col("baseline") & (pl.col("answered") > 0)
    )
    if set(pinned["bank_hash"]) <= {data_hash(files.items, files.gold)}:
        return outcome
    added = known if files.version != suite.version else 0
    made_of = f" ({suite.version} and {added} changes of the ledger)" if added else ""
    problem = (
        f"{suite.name}/suite.yaml, field 'version': a board of version {files.version}{made_of} "
        "stands on other items, golds or corrections; accepted: a version above "
        f"{suite.version}, or the files of that board"
    )
    return replace(outcome, success=False, unexpected=1, sample=[problem])
