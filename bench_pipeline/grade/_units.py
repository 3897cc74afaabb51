"""Units: the written forms of `unit_aliases.yaml`, conversion by `units.txt`."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from bench_pipeline.contracts.paths import reference_dir
from bench_pipeline.text import NumberMention
from bench_pipeline.text._number_atoms import EXACT, currency_start
from bench_pipeline.text._number_words import folded_word, read_reference

# Factors come out of pint with the rounding of its division; nearer than this they are equal.
_ROUNDING = Decimal("1e-18")
_END = r"(?![a-z0-9\u0900-\u0963])"


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit by its name in `units.txt`, and the unit that it is a rate of (INR per year)."""

    name: str
    per: str | None = None

    def __str__(self) -> str:
        return f"{self.name}/{self.per}" if self.per else self.name


@dataclass(frozen=True, slots=True)
class UnitTable:
    """Folded forms of units and rates, and the patterns that find them beside a number."""

    after: dict[str, str]
    before: dict[str, str]
    rates: dict[str, str]
    after_pattern: "re.Pattern[str]"
    rate_pattern: "re.Pattern[str]"


def _alternatives(forms: list[str]) -> str:
    ordered = sorted(forms, key=lambda form: -len(form))
    return "|".join(re.escape(form).replace(r"\ ", r"[\s._-]{1,3}") for form in ordered)


def _collapsed(form: str) -> str:
    return re.sub(r"[\s._-]+", " ", form).strip()


def _defined_names() -> list[str]:
    """The names that `units.txt` defines, as written there."""
    text = (reference_dir() / "units.txt").read_text(encoding="utf-8")
    return re.findall(r"^([a-z][a-z_]+) =", text, re.MULTILINE)


@lru_cache(maxsize=1)
def unit_table() -> UnitTable:
    """The table of written forms, read once."""
    data: dict[str, Any] = read_reference("unit_aliases.yaml")
    before = {
        folded_word(form): unit for unit, forms in data.pop("before").items() for form in forms
    }
    rates = {folded_word(form): unit for unit, forms in data.pop("rates").items() for form in forms}
    after: dict[str, str] = {}
    for group in data.values():
        for unit, forms in group.items():
            for form in [*forms, unit.replace("_", " ")]:
                after.setdefault(folded_word(str(form)), unit)
    for name in _defined_names():
        after.setdefault(name.replace("_", " "), name)
    after_pattern = re.compile(
        r"[\s*_})\]~(-]{0,4}(?:\\[,; ]|\\(?:text|mathrm|textbf|mathbf)\s?\{|\\){0,3}\s{0,2}"
        r"(?:(?:indian|metric|standard|full|whole|equal|calendar|complete|gregorian)\s)?"
        rf"(?P<unit>/-|{_alternatives(list(after))}){_END}(?!\s?(?:/|per)\s?(?:hour|hr)s?{_END})"
    )
    rate_pattern = re.compile(
        rf"[\s*_}})\].,(]{{0,4}}(?:(?:is|are|paid|"
        rf"each)\s)?(?P<rate>{_alternatives(list(rates))}){_END}"
    )
    return UnitTable(
        {_collapsed(form): unit for form, unit in after.items()},
        before,
        {_collapsed(form): unit for form, unit in rates.items()},
        after_pattern,
        rate_pattern,
    )


@lru_cache(maxsize=1)
def _registry() -> Any:
    import pint

    return pint.UnitRegistry(str(reference_dir() / "units.txt"), non_int_type=Decimal)


@lru_cache(maxsize=512)
def is_defined(name: str) -> bool:
    """Whether `units.txt` defines a unit of that name."""
    return name in _registry()


@lru_cache(maxsize=512)
def in_state(name: str, state: str | None) -> str:
    """The unit as the state defines it (`bigha_assam`), or the unit itself."""
    if state:
        local = f"{name}_{state.strip().lower().replace('-', '_').replace(' ', '_')}"
        if is_defined(local):
            return local
    return name


@lru_cache(maxsize=4096)
def factor(source: str, target: str) -> Decimal | None:
    """How many of `target` one `source` is; None where neither converts into the other."""
    import pint

    if source == target:
        return Decimal(1)
    registry = _registry()
    try:
        # Both in base units, then one exact division: pint's own route rounds on the way.
        one = registry.Quantity(Decimal(1), source).to_base_units()
        two = registry.Quantity(Decimal(1), target).to_base_units()
    except (pint.UndefinedUnitError, pint.DimensionalityError):
        return None
    if one.units != two.units:
        return None
    found: Decimal = EXACT.divide(Decimal(one.magnitude), Decimal(two.magnitude))
    rounded = found.quantize(_ROUNDING, context=EXACT)
    tolerance = EXACT.multiply(_ROUNDING, EXACT.max(abs(found), Decimal(1)))
    close = rounded != 0 and abs(EXACT.subtract(rounded, found)) <= tolerance
    return rounded.normalize(EXACT) if close else found


def _lookup(text: str) -> str | None:
    """The unit that a text names, by alias or by its own name."""
    folded = _collapsed(folded_word(text.strip().replace("_", " ")))
    table = unit_table()
    if folded in table.after:
        return table.after[folded]
    if folded in table.before:
        return table.before[folded]
    own = text.strip().lower()
    return own if re.fullmatch(r"[a-z_]{2,40}", own) and is_defined(own) else None


@lru_cache(maxsize=1024)
def parse_unit(text: str, state: str | None) -> Unit | None:
    """The unit that a text names: "kg", "INR/year", "rupees per year"; None if unknown."""
    whole = _lookup(text)
    if whole is not None:
        return Unit(in_state(whole, state))
    parts = re.split(r"\s*/\s*|\s+per\s+", text.strip(), maxsplit=1)
    if len(parts) == 2:
        unit, per = _lookup(parts[0]), _lookup(parts[1])
        if unit is not None and per is not None:
            return Unit(in_state(unit, state), in_state(per, state))
    return None


def unit_beside(text: str, mention: NumberMention, state: str | None) -> tuple[Unit | None, int]:
    """The unit that stands beside a number in folded text, and where the two end."""
    table = unit_table()
    if mention.percent:
        return Unit("percent"), mention.end
    name, end = None, mention.end
    found = table.after_pattern.match(text, mention.end)
    if found is not None:
        form = _collapsed(found["unit"])
        name = "rupee" if form == "/" else table.after.get(form)
        end = found.end()
    if name is None and mention.currency:
        start = currency_start(text, mention.start)
        mark = text[start : mention.start].strip().rstrip(".")
        name = table.before.get(mark)
    if name is None:
        return None, mention.end
    rate = table.rate_pattern.match(text, end)
    per = table.rates.get(_collapsed(rate["rate"])) if rate is not None else None
    per = per or (table.rates.get("/" + _collapsed(rate["rate"])) if rate is not None else None)
    return Unit(in_state(name, state), per), rate.end() if rate is not None and per else end


def rates_in(text: str) -> frozenset[str]:
    """The periods and bases that a folded text names as rates ("yearly", "per quintal")."""
    table = unit_table()
    pattern = (
        re.compile(rf"(?<![a-z])(?:{_alternatives(list(table.rates))}){_END}") if text else None
    )
    if pattern is None:
        return frozenset()
    return frozenset(
        table.rates[_collapsed(match[0])]
        for match in pattern.finditer(text)
        if _collapsed(match[0]) in table.rates
    )
