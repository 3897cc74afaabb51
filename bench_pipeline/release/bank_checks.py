"""What a bank must be beyond its rows: computed golds, matched twins, no question twice.

Each check reads the whole bank and says where it is broken; all of them run, so that an author
sees everything at once. They are the gate of the `bank` table.
"""

import calendar
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any, Literal

import polars as pl

from bench_pipeline.contracts.paths import reference_dir
from bench_pipeline.contracts.suite import SuiteSpec
from bench_pipeline.contracts.yaml_files import read_yaml
from bench_pipeline.quality.expectations import Expectation, Outcome
from bench_pipeline.release.facts import FactBook
from bench_pipeline.release.formulas import Formula, FormulaError, as_gold
from bench_pipeline.release.identifiers import possibly_real
from bench_pipeline.text import parse_numbers, text_key

Row = dict[str, Any]
_NEAR = 0.7
_ROUNDING = 1e-9
#: shorter texts stand in a question by chance
_SHORTEST_LEAK = 3
_WORD = re.compile(r"[^\W_]+(?:[.,][^\W_]+)*")
_MONTHS = tuple(name.lower() for name in calendar.month_name[1:])


@dataclass(frozen=True, slots=True)
class BankContext:
    """What the checks read besides the items; `corrected_golds` are ids of items."""

    suite: SuiteSpec
    facts: FactBook
    specimens: frozenset[str]
    corrected_golds: frozenset[str] = frozenset()


Check = Callable[[list[Row], BankContext], Iterator[str]]


def check_bank(bank: pl.DataFrame, context: BankContext) -> list[Outcome]:
    """One outcome a check; `sample` holds a sentence for each place that is broken.

    `bank` is a `bank` table with its corrections applied.
    """
    rows = bank.to_dicts()
    outcomes = []
    for check in _CHECKS:
        found = list(check(rows, context))
        lenient = check in _WARNINGS or (check in _STRICT and not context.suite.design.strict)
        severity: Literal["error", "warn"] = "warn" if lenient else "error"
        outcomes.append(
            Outcome(
                Expectation(f"bank_{check.__name__}", severity=severity),
                success=not found,
                unexpected=len(found),
                sample=found,
            )
        )
    return outcomes


def gold_is_as_computed(rows: list[Row], context: BankContext) -> Iterator[str]:
    """What a formula gives is the gold of its row, unless somebody corrected that."""
    for row in rows:
        if row["formula"] is None:
            continue
        try:
            formula = Formula.parse(row["formula"])
            computed = as_gold(formula.value(context.facts.numbers))
        except FormulaError as error:
            yield _at(row, "formula", str(error))
            continue
        stated = _stated(row)
        if not _same(computed, stated) and row["item_id"] not in context.corrected_golds:
            yield _at(row, "gold", f"it says {stated}, the formula gives {computed}")
        strangers = formula.names - set(row["facts"])
        if strangers:
            names = ", ".join(sorted(strangers))
            yield _at(row, "facts", f"the formula uses {names}, which the row does not name")


def twins_are_as_hard(rows: list[Row], _: BankContext) -> Iterator[str]:
    """The two formulas of a pair have as many steps, and operands of about one size."""
    for core, control in _pairs(rows):
        if core["formula"] is None and control["formula"] is None:
            continue
        if core["formula"] is None or control["formula"] is None:
            without, other = (core, control) if core["formula"] is None else (control, core)
            yield _at(without, "formula", f"it is empty, its twin {other['item_id']} has one")
            continue
        try:
            own, twin = Formula.parse(core["formula"]), Formula.parse(control["formula"])
        except FormulaError:
            continue  # said by `gold_is_as_computed`
        if own.steps != twin.steps:
            yield _at(control, "formula", f"{twin.steps} steps, its core item has {own.steps}")
        if abs(own.digits - twin.digits) > 1:
            yield _at(
                control,
                "formula",
                f"operands of {twin.digits} digits, its core item's have {own.digits}",
            )


def comparable_pairs(bank: pl.DataFrame) -> int:
    """How many pairs have two formulas; of the others, difficulty is the authors' judgement."""
    with_formula = bank.filter(pl.col("formula").is_not_null() & pl.col("pair_id").is_not_null())
    return with_formula.group_by("pair_id").len().filter(pl.col("len") == 2).height


def questions_are_distinct(rows: list[Row], _: BankContext) -> Iterator[str]:
    """No two items ask the same, but for a pair's two and those that ask for other values."""
    texts = [_content(row["question"]) for row in rows]
    for a, b in _near(texts):
        if _ask_the_same(rows[a], rows[b], texts[a] ^ texts[b]):
            yield _at(rows[b], "question", f"nearly the same as {rows[a]['item_id']}")
    first: dict[tuple[Any, ...], Row] = {}
    for row in rows:
        if row["formula"] is None or row["pair_role"] == "control":
            continue
        task = (row["answer_type"], row["gold"], "".join(row["formula"].split()))
        other = first.setdefault(task, row)
        if other is not row:
            yield _at(row, "formula", f"the same task as {other['item_id']}")


def questions_do_not_answer_themselves(rows: list[Row], _: BankContext) -> Iterator[str]:
    """The gold does not stand in its question; a control of dates or months may state its rule."""
    for row in rows:
        leak = _LEAKS.get(row["answer_type"])
        if row["pair_role"] == "control" and row["answer_type"] in ("month_set", "date_range"):
            continue
        if leak is not None and leak(row):
            yield _at(row, "question", f"it holds its answer, {row['gold']}")


def templates_are_short(rows: list[Row], context: BankContext) -> Iterator[str]:
    """No wording pattern makes too many questions, named as a template or found by its shape."""
    most = context.suite.design.most_per_template
    if most is None:
        return
    named = Counter(row["template"] for row in rows if row["template"])
    shapes = Counter(_shape(row["question"]) for row in rows)
    for pattern, count in (*named.items(), *shapes.items()):
        if count > most:
            place = f"{context.suite.name}/suite.yaml, field 'design.most_per_template'"
            yield f"{place}: '{pattern}' makes {count} questions; accepted: at most {most}"


def dates_are_stated(rows: list[Row], context: BankContext) -> Iterator[str]:
    """An as-of year stands in the question, and dated categories have one."""
    for row in rows:
        about_india = row["pair_role"] != "control"
        if row["as_of"] is None:
            if about_india and row["category"] in context.suite.design.dated:
                yield _at(row, "as_of", "it is empty; accepted: a date such as 2024-04-01")
        elif about_india and not re.search(rf"\b{row['as_of'][:4]}\b", row["question"]):
            yield _at(row, "question", f"it does not say as of {row['as_of'][:4]}")


def conventions_are_named(rows: list[Row], context: BankContext) -> Iterator[str]:
    """Where sources conflict the item asks back, or its question says which convention."""
    for row in rows:
        disputed = [f for f in row["facts"] if context.facts.by_id[f]["conflict"]]
        if row["convention"] is not None:
            if text_key(row["convention"]) not in text_key(row["question"]):
                yield _at(row, "convention", f"{row['convention']!r} is not in the question")
        elif disputed and row["kind"] != "clarification":
            yield _at(row, "convention", f"sources conflict on {', '.join(disputed)}")


def counts_are_as_declared(rows: list[Row], context: BankContext) -> Iterator[str]:
    """The bank has the numbers of items that the suite's `design` promises."""
    for field, found, declared in _counts(rows, context.suite):
        place = f"{context.suite.name}/suite.yaml, field 'design.{field}'"
        yield f"{place}: found {found}; declared: {declared}"


def _counts(rows: list[Row], suite: SuiteSpec) -> Iterator[tuple[str, str, str]]:
    """(field of the design, what was found, what it declares) where the two differ."""
    design = suite.design
    core = [row for row in rows if row["pair_role"] != "control"]
    for name, declared, count in (
        ("core", design.core, len(core)),
        ("control", design.control, len(rows) - len(core)),
        ("clarification", design.clarification, sum(r["kind"] == "clarification" for r in rows)),
    ):
        if declared is not None and declared != count:
            yield name, f"{count} items", str(declared)
    of_category = Counter(row["category"] for row in core)
    of_type = Counter(row["answer_type"] for row in rows)
    kinds = Counter(
        category for category, _ in {(row["category"], row["answer_type"]) for row in core}
    )
    for name, least, counts, names, unit in (
        ("core_per_category", design.core_per_category, of_category, suite.categories, "items"),
        ("items_per_answer_type", design.items_per_answer_type, of_type, of_type, "items"),
        (
            "answer_types_per_category",
            design.answer_types_per_category,
            kinds,
            suite.categories,
            "types",
        ),
    ):
        for key in sorted(names):
            if least is not None and counts[key] < least:
                yield name, f"{counts[key]} {unit} of '{key}'", f"at least {least}"


def identifiers_are_nobodys(rows: list[Row], context: BankContext) -> Iterator[str]:
    """No number in an item can be a person's or a firm's."""
    for row in rows:
        for field in ("question", "gold", "options"):
            for found in possibly_real(row[field], context.specimens):
                yield _at(
                    row,
                    field,
                    f"{found.text} may be somebody's {found.kind}; accepted: {found.accepted}",
                )


def splits_are_adjudicated(rows: list[Row], _: BankContext) -> Iterator[str]:
    """Only adjudicated items are in the dev and test splits, and twins are in one."""
    for row in rows:
        if row["split"] in ("dev", "test") and row["status"] != "adjudicated":
            yield _at(row, "split", f"it is {row['split']}, the item is '{row['status']}'")
    for core, control in _pairs(rows):
        if core["split"] != control["split"]:
            yield _at(control, "split", f"it is {control['split']}, its core item {core['split']}")


def facts_are_used(rows: list[Row], context: BankContext) -> Iterator[str]:
    """Every fact has an item."""
    used = {fact_id for row in rows for fact_id in row["facts"]}
    for fact_id, fact in context.facts.by_id.items():
        if fact_id not in used:
            yield f"{fact['file']}, row {fact['row']}: no item uses fact '{fact_id}'"


_STRICT: tuple[Check, ...] = (
    twins_are_as_hard,
    questions_are_distinct,
    questions_do_not_answer_themselves,
)
_WARNINGS: tuple[Check, ...] = (facts_are_used,)
_CHECKS: tuple[Check, ...] = (
    gold_is_as_computed,
    *_STRICT,
    templates_are_short,
    dates_are_stated,
    conventions_are_named,
    counts_are_as_declared,
    identifiers_are_nobodys,
    splits_are_adjudicated,
    *_WARNINGS,
)


def _at(row: Row, field: str, problem: str) -> str:
    return f"{row['file']}, row {row['row']} ({row['item_id']}), field '{field}': {problem}"


def _pairs(rows: list[Row]) -> Iterator[tuple[Row, Row]]:
    core = {row["pair_id"]: row for row in rows if row["pair_role"] == "core"}
    for row in rows:
        if row["pair_role"] == "control":
            yield core[row["pair_id"]], row


def _stated(row: Row) -> str:
    """The part of a gold that a formula gives: the number, where a unit follows it."""
    gold = str(row["gold"])
    return gold.split(" ", 1)[0] if row["answer_type"] == "numeric_with_unit" else gold


def _same(computed: str, stated: str) -> bool:
    if computed == stated:
        return True
    try:
        return Decimal(computed) == Decimal(stated)
    except ArithmeticError:
        return False


def _content(question: str) -> frozenset[str]:
    words = frozenset(_WORD.findall(text_key(question)))
    return (words - _common_words()) or words


@cache
def _common_words() -> frozenset[str]:
    """Words that many questions share whatever they ask."""
    lists = read_yaml(reference_dir() / "stopwords.yaml")
    return frozenset([*lists["words"], *lists["question_words"]])


def _near(texts: list[frozenset[str]]) -> Iterator[tuple[int, int]]:
    """Pairs of texts whose words overlap by `_NEAR` or more (Jaccard).

    Two such texts share a word among the rarest of either: with the words of each in the order
    of how many texts hold them, the first ⌊(1 - t)·n⌋ + 1 of n are enough to look under (prefix
    filtering, Chaudhuri, Ganti and Kaushik, ICDE 2006).
    """
    held = Counter(word for words in texts for word in words)
    index: dict[str, list[int]] = defaultdict(list)
    for b, words in enumerate(texts):
        rarest = sorted(words, key=lambda word: (held[word], word))
        prefix = rarest[: int((1 - _NEAR) * len(words) + _ROUNDING) + 1]
        for a in sorted({a for word in prefix for a in index[word]}):
            shared = len(texts[a] & words)
            if shared >= _NEAR * (len(texts[a]) + len(words) - shared) - _ROUNDING:
                yield a, b
        for word in prefix:
            index[word].append(b)


def _ask_the_same(a: Row, b: Row, differing: frozenset[str]) -> bool:
    if a["pair_id"] is not None and a["pair_id"] == b["pair_id"]:
        return False
    if (a["answer_type"], a["gold"]) != (b["answer_type"], b["gold"]):
        return False
    names = _names(a["question"]) | _names(b["question"])
    return not any(word in names or any(c.isdigit() for c in word) for word in differing)


def _names(question: str) -> set[str]:
    """Capitalised words that do not begin the question: names of places, schemes, formats."""
    words = _WORD.findall(question)
    return {text_key(word) for word in words[1:] if word[:1].isupper()}


def _shape(question: str) -> str:
    """The question with numbers and names masked."""
    names = _names(question)
    words = [
        "#" if any(c.isdigit() for c in word) else "@" if text_key(word) in names else word.lower()
        for word in _WORD.findall(question)
    ]
    return " ".join(words)


def _number_leaks(row: Row) -> bool:
    gold = parse_numbers(_stated(row))
    said = {mention.value for mention in parse_numbers(row["question"])}
    return any(mention.value in said for mention in gold)


def _text_leaks(row: Row) -> bool:
    """As it is written: where grouping is asked, the ungrouped number is no leak."""
    gold = str(row["gold"])
    said = rf"(?<![\w,]){re.escape(gold)}(?![\w,])"
    return len(gold) >= _SHORTEST_LEAK and bool(re.search(said, row["question"], re.IGNORECASE))


def _date_leaks(row: Row) -> bool:
    return all(_says_date(row["question"], part) for part in row["gold"].split(".."))


def _says_date(question: str, iso: str) -> bool:
    key = text_key(question)
    parts = iso.split("-")
    if iso in key:
        return True
    if len(parts) != 3:
        return False
    year, month = parts[0], _MONTHS[int(parts[1]) - 1]
    day = rf"0?{int(parts[2])}(?:st|nd|rd|th)?"
    said = rf"\b(?:{day}(?: of)? {month},? {year}|{month} {day},? {year})\b"
    return bool(re.search(said, key))


def _month_leaks(row: Row) -> bool:
    words = set(_WORD.findall(text_key(row["question"])))
    return all(_MONTHS[int(month) - 1] in words for month in row["gold"].split(","))


_LEAKS: dict[str, Callable[[Row], bool]] = {
    "numeric": _number_leaks,
    "numeric_with_unit": _number_leaks,
    "date": _date_leaks,
    "date_range": _date_leaks,
    "month_set": _month_leaks,
    "string_normalized": _text_leaks,
}
