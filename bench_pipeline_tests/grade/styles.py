"""Gold answers as models write them: at least five styles for any gold of each answer type.

`styles` is general: every text that it returns must be graded correct against its own gold, with
the options of the item, the question among them.
"""

import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from itertools import pairwise
from typing import Any

from bench_pipeline_tests.grade.number_styles import devanagari, indian_grouping

_ENGLISH = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_HINDI = [
    "जनवरी",
    "फरवरी",
    "मार्च",
    "अप्रैल",
    "मई",
    "जून",
    "जुलाई",
    "अगस्त",
    "सितंबर",
    "अक्टूबर",
    "नवंबर",
    "दिसंबर",
]
_OPTIONS = Mapping[str, Any]


def styles(answer_type: str, gold: str, options: _OPTIONS | None = None) -> list[str]:
    """Five or more different written answers, each of which says the gold."""
    return list(dict.fromkeys(_STYLES[answer_type](gold.strip(), options or {})))


def wrapped(text: str) -> list[str]:
    """A value in the frames that need to know nothing about it."""
    return [
        text,
        f"The answer is {text}.",
        f"Answer: {text}",
        f"**{text}**",
        f"**Final answer:** {text}",
        f"उत्तर: {text}",
        json.dumps({"value": text}, ensure_ascii=False),
        f"```json\n{json.dumps({'value': text}, ensure_ascii=False, indent=2)}\n```",
    ]


def _numeric(gold: str, options: _OPTIONS) -> list[str]:
    value = Decimal(gold)
    grouped = indian_grouping(value)
    found = [
        *wrapped(gold),
        f"The answer is {grouped}.",
        f"उत्तर: {devanagari(grouped)}",
        f"\\boxed{{{gold}}}",
        json.dumps({"value": float(value) if "." in gold else int(gold)}),
    ]
    if options.get("percent"):
        found += [f"{gold}%", f"The rate is {gold} per cent.", f"{devanagari(gold)} प्रतिशत"]
    return found


def _numeric_with_unit(gold: str, options: _OPTIONS) -> list[str]:
    number, unit = gold.split(maxsplit=1)
    grouped = indian_grouping(Decimal(number))
    return [
        *wrapped(gold),
        f"The answer is {grouped} {unit}.",
        f"उत्तर: {devanagari(grouped)} {unit}",
        f"**{number}** {unit}",
        json.dumps({"value": number, "unit": unit}, ensure_ascii=False),
    ]


def _date_forms(gold: str) -> list[str]:
    parts = [int(part) for part in gold.split("-")]
    if len(parts) == 1:
        return [gold, devanagari(gold)]
    year, month = parts[0], parts[1]
    english, hindi = _ENGLISH[month - 1], _HINDI[month - 1]
    if len(parts) == 2:
        return [
            gold,
            f"{english} {year}",
            f"{english[:3]} {year}",
            f"{hindi} {year}",
            f"{month:02d}/{year}",
        ]
    day = parts[2]
    return [
        gold,
        f"{day} {english} {year}",
        f"{english} {day}, {year}",
        f"{day:02d}/{month:02d}/{year}",
        f"{day:02d}-{month:02d}-{year}",
        f"{day} {english[:3]} {year}",
        f"{devanagari(str(day))} {hindi} {devanagari(str(year))}",
    ]


def _date(gold: str, options: _OPTIONS) -> list[str]:
    forms = _date_forms(gold)
    return [*forms, *wrapped(forms[1]), *wrapped(gold)]


def _date_range(gold: str, options: _OPTIONS) -> list[str]:
    start, end = (
        _full(part, last) for part, last in zip(gold.split(".."), (False, True), strict=True)
    )
    (_, first, *_), (_, second, *_) = _date_forms(start), _date_forms(end)
    hindi = f"{_date_forms(start)[-1]} से {_date_forms(end)[-1]} तक"
    return [
        *wrapped(f"{first} to {second}"),
        f"{start} to {end}",
        f"From {first} to {second}",
        f"between {first} and {second}",
        f"{first} – {second}",
        hindi,
        json.dumps({"start": start, "end": end}),
        json.dumps({"start": first, "end": second}),
    ]


def _full(date: str, last: bool) -> str:
    """An ISO date of any precision as its first or last day."""
    parts = date.split("-")
    if len(parts) == 1:
        return f"{date}-12-31" if last else f"{date}-01-01"
    if len(parts) == 2:
        thirty = parts[1] in ("04", "06", "09", "11")
        leap = int(parts[0]) % 4 == 0 and (int(parts[0]) % 100 != 0 or int(parts[0]) % 400 == 0)
        length = (29 if leap else 28) if parts[1] == "02" else 30 if thirty else 31
        return f"{date}-{length}" if last else f"{date}-01"
    return date


def _month_set(gold: str, options: _OPTIONS) -> list[str]:
    months = [int(month) for month in gold.split(",")]
    english, hindi = (
        [_ENGLISH[month - 1] for month in months],
        [_HINDI[month - 1] for month in months],
    )
    listed = ", ".join(english)
    found = [
        *wrapped(listed),
        ", ".join(hindi),
        "उत्तर: " + ", ".join(hindi),
        json.dumps({"months": months}),
        json.dumps({"months": english}),
        "\n".join(f"- {name}" for name in english),
    ]
    if len(months) > 1 and all((b - a) % 12 == 1 for a, b in pairwise(months)):
        found += [f"{english[0]} to {english[-1]}", f"{hindi[0]} से {hindi[-1]} तक"]
    return found


def _enum(gold: str, options: _OPTIONS) -> list[str]:
    found = wrapped(gold)
    choices = options.get("choices") or {}
    names = list(choices)
    if gold in names and {name.casefold() for name in names} not in (
        {"true", "false"},
        {"yes", "no"},
    ):
        letter = "ABCDEFGH"[names.index(gold)]
        found += [
            letter,
            f"({letter})",
            f"Answer: {letter}",
            f"{letter}) {gold}",
            f"Option {letter}",
        ]
    if isinstance(choices, Mapping):
        found += list(choices.get(gold) or ())
    return found


def _string_normalized(gold: str, options: _OPTIONS) -> list[str]:
    return [*wrapped(gold), f"`{gold}`", f"`{gold}`.", devanagari(gold), f'"{gold}"']


def _clarification(gold: str, options: _OPTIONS) -> list[str]:
    what = next(iter(options.get("depends_on") or ()), "state")
    reason = f"It depends on the {what}, which is not given."
    found = [
        f"It depends on the {what}.",
        f"That varies by {what}; which one do you mean?",
        f"There is no single value. Could you specify the {what}?",
        "यह इस बात पर निर्भर करता है कि आप किसकी बात कर रहे हैं।",
        f"Yeh {what} par depend karta hai.",
        json.dumps({"clarification_required": True, "reason": reason}),
        f"```json\n{json.dumps({'clarification_required': True, 'reason': reason})}\n```",
    ]
    readings = options.get("readings") or ()
    if len(readings) > 1:
        named = "; ".join(f"{reading['label']}: {reading['value']}" for reading in readings)
        found.append(f"It depends on the {what}. {named}")
    return found


_STYLES: dict[str, Callable[[str, _OPTIONS], list[str]]] = {
    "numeric": _numeric,
    "numeric_with_unit": _numeric_with_unit,
    "date": _date,
    "date_range": _date_range,
    "month_set": _month_set,
    "enum": _enum,
    "string_normalized": _string_normalized,
    "clarification": _clarification,
}
