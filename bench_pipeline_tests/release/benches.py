"""A small suite with facts, sources, a ledger and labels, for tests of the release stage."""

from pathlib import Path

from bench_pipeline.contracts.suite import SuiteSpec, load_suite
from bench_pipeline.grade import check_gold
from bench_pipeline.quality.expectations import Outcome
from bench_pipeline.release.reading import BankFiles, read_bank

SUITE = """\
name: tiny
title: Tiny
items: bank.csv
facts: facts.csv
fact_sources: sources.csv
corrections: corrections.csv
labels: labels/*.csv
specimens: specimens.csv
"""
SOURCES = (
    "source_id,title,publisher,locator,as_of,checked\n"
    "s-read,A handbook,An office,,,verified 2026-01-02 https://example.org/handbook\n"
    "s-heard,Hearsay,,,,unverified\n"
)
FACTS = (
    "fact_id,subject,value,unit,state,as_of,source_id,locator,conflict,verified\n"
    "lakh,one lakh,100000,,,,s-read,page 4,,yes\n"
    "crore,one crore,10000000,,,,s-heard,,,no\n"
    "million,one million,1000000,,,,s-read,page 9,,yes\n"
    "thousand,one thousand,1000,,,,s-read,page 9,,yes\n"
    "bigha,one bigha in square yards,1600,sq yd,rajasthan,,s-read,page 12,3025 elsewhere,yes\n"
)
HEADER = (
    "item_id,pair_id,pair_role,category,answer_type,question,gold,formula,facts,convention,"
    "template,options,as_of,split"
)
CORE = "a-in,a,core,all,numeric,How many lakh make 3 crore?,300,3 * crore / lakh,lakh crore,,,,,"
TWIN = (
    "a-ctl,a,control,all,numeric,How many thousands make 4 million?,4000,4 * million / thousand,"
    "million thousand,,,,,"
)


def tiny_suite(
    folder: Path,
    *rows: str,
    settings: str = "",
    facts: str = FACTS,
    sources: str = SOURCES,
    specimens: str = "",
) -> SuiteSpec:
    """The suite with those bank rows, or one pair; `settings` are further lines of YAML."""
    suite = folder / "suites" / "tiny"
    suite.mkdir(parents=True)
    (suite / "suite.yaml").write_text(SUITE + settings)
    (suite / "sources.csv").write_text(sources)
    (suite / "facts.csv").write_text(facts)
    header = "identifier,kind,authority,source_id,locator\n"
    (suite / "specimens.csv").write_text(header + specimens)
    (suite / "bank.csv").write_text("\n".join([HEADER, *(rows or (CORE, TWIN))]) + "\n")
    return load_suite(suite)


def read(suite: SuiteSpec) -> BankFiles:
    """Everything of the suite's bank."""
    return read_bank(suite, check_gold)


def found(suite: SuiteSpec) -> dict[str, Outcome]:
    """The checks that found something, by name."""
    return {
        outcome.expectation.kind.removeprefix("bank_"): outcome
        for outcome in read(suite).outcomes
        if not outcome.success
    }
