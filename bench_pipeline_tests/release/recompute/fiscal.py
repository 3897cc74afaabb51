"""Fiscal years, due dates and calendars of India, with their twins elsewhere."""

from datetime import date, timedelta
from fractions import Fraction as F

from bench_pipeline_tests.release.recompute.tools import (
    Span,
    Value,
    add_months,
    answer,
    days_in,
    half,
    month_number,
    months_of,
    number,
    on,
    quarter,
    quarter_number,
    span_from,
    text,
    whole,
)

#: first months of the Indian quarters, as the fact names them
QUARTERS = [month_number(part.split("-")[0]) for part in text("fy_quarters").split(",")]
APRIL, US, AU = whole("fy_start_month"), whole("us_fy_start_month"), whole("au_fy_start_month")
JANUARY = whole("calendar_start_month")


def india(first_year: int) -> date:
    return date(first_year, APRIL, 1)


def federal(fiscal_year: int) -> date:
    """The United States name a fiscal year after the calendar year in which it ends."""
    return date(fiscal_year - 1, US, 1)


def australia(first_year: int) -> date:
    return date(first_year, AU, 1)


def britain(first_year: int) -> date:
    return on(first_year, "uk_tax_start")


def calendar_year(year: int) -> date:
    return date(year, JANUARY, 1)


def year_of(first: date) -> Span:
    return span_from(first, 12)


def year_holding(day: date, start_month: int) -> Span:
    return year_of(date(day.year - (day.month < start_month), start_month, 1))


def india_quarter(first_year: int, which: int) -> Span:
    """A quarter of the Indian year by the fact's list: months before April are of the next year."""
    month = QUARTERS[which - 1]
    return span_from(date(first_year + (month < APRIL), month, 1), 3)


def india_quarter_of(month: int) -> int:
    return QUARTERS.index(next(first for first in QUARTERS if (month - first) % 12 < 3)) + 1


def q3_named(year: int, prefix: str) -> Span:
    last = date(year, whole(f"{prefix}_q3_end_month"), 1)
    return date(year, whole(f"{prefix}_q3_start_month"), 1), span_from(last, 1)[1]


def advance_tax(year: int, which: str) -> date:
    return date(year, whole(f"adv_tax_{which}_month"), whole("adv_tax_day"))


def estimated_tax(year: int, which: int) -> date:
    return date(year, whole(f"us_est_{which}_month"), whole("us_est_day"))


def in_month_after(year: int, month: int, day: int, months: int = 1) -> date:
    return add_months(date(year, month, 1), months).replace(day=day)


def percent(amount: int, rate: F | int) -> F:
    return F(amount) * rate / 100


def interest(amount: int, rate: int, span: Span) -> F:
    return percent(amount, rate) * days_in(span) / 365


def leap_years(firsts: list[date]) -> int:
    return sum(days_in(year_of(first)) == 366 for first in firsts)


def julian_new_year(year: int) -> date:
    """Count Julian days: its 1 January of year 1 is two days before the Gregorian one."""
    past = year - 1
    return date.fromordinal(365 * past + past // 4 - 1)


def passed(first: date, last: date) -> int:
    return days_in((first, last))


def left(last: date, year: Span) -> int:
    return (year[1] - last).days


def _years() -> dict[str, Value | Span]:
    ay_2021 = year_of(add_months(india(2020), 12))
    club_end = date(2021, 6, 30)
    rbi_2020 = date(2020, whole("rbi_old_start_month"), 1)
    rbi_short_end = date(2021, whole("fy_end_month"), whole("fy_end_day"))
    club_2020 = date(2020, 10, 1)
    return {
        "fis-001-in": quarter(india(2024), 3)[0],
        "fis-001-ctl": quarter(calendar_year(2024), 3)[0],
        "fis-002-in": year_of(india(2022)),
        "fis-002-ctl": (britain(2022), on(2023, "uk_tax_end")),
        "fis-003-in": ay_2021,
        "fis-003-ctl": span_from(club_end + timedelta(days=1), 12),
        "fis-008-in": months_of(india_quarter(2000, 4)),
        "fis-008-ctl": months_of(quarter(federal(2000), 3)),
        "fis-009-in": months_of(half(india(2000), 1)),
        "fis-009-ctl": months_of(half(calendar_year(2000), 2)),
        "fis-012-in": days_in(year_of(india(2023))),
        "fis-012-ctl": days_in(year_of(australia(2022))),
        "fis-014-in": year_holding(date(2024, 1, 26), APRIL)[1],
        "fis-014-ctl": year_holding(date(2024, 8, 26), AU)[1],
        "fis-016-in": india_quarter(2023, 2)[0],
        "fis-016-ctl": quarter(federal(2024), 2)[0],
        "fis-017-in": india_quarter(2027, 4)[1],
        "fis-017-ctl": quarter(australia(2027), 4)[1],
        "fis-018-in": q3_named(2019, "fy"),
        "fis-018-ctl": q3_named(2019, "us_fy"),
        "fis-019-in": half(india(2021), 2),
        "fis-019-ctl": half(australia(2021), 2),
        "fis-020-in": months_of(half(india(2000), 2)),
        "fis-020-ctl": months_of(half(australia(2000), 2)),
        "fis-021-in": months_of(india_quarter(2000, 2)),
        "fis-021-ctl": months_of(quarter(federal(2000), 2)),
        "fis-022-in": india_quarter_of(month_number("December")),
        "fis-022-ctl": quarter_number(month_number("November"), US),
        "fis-023-in": india_quarter_of(month_number("February")),
        "fis-023-ctl": quarter_number(month_number("May"), US),
        "fis-055-in": year_of(date(2018, whole("rbi_old_start_month"), 1)),
        "fis-055-ctl": year_of(federal(2019)),
        "fis-056-in": (rbi_2020, rbi_short_end),
        "fis-056-ctl": span_from(club_2020, 9),
        "fis-057-in": number("rbi_short_months"),
        "fis-057-ctl": number("us_tq_months"),
        "fis-069-in": leap_years([india(year) for year in range(2019, 2025)]),
        "fis-069-ctl": leap_years([calendar_year(year) for year in range(2001, 2013)]),
        "fis-070-in": passed(india(2024), date(2024, 8, 15)),
        "fis-070-ctl": passed(australia(2024), date(2024, 12, 15)),
        "fis-071-in": left(date(2023, 2, 1), year_of(india(2022))),
        "fis-071-ctl": left(date(2023, 7, 1), year_of(federal(2023))),
        "fis-072-in": interest(73_000, 6, quarter(india(2023), 1)),
        "fis-072-ctl": interest(73_000, 5, quarter(calendar_year(2023), 1)),
        "fis-073-in": india(whole("ita2025_start_year")),
        "fis-073-ctl": britain(whole("uk_ita2007_year")),
        "fis-076-in": number("fy_april_since"),
        "fis-076-ctl": number("uk_newstyle_year"),
    }


def _taxes() -> dict[str, Value | Span]:
    second_share = number("adv_tax_2_pct") - number("adv_tax_1_pct")
    return {
        "fis-010-in": advance_tax(2023, "3"),
        "fis-010-ctl": estimated_tax(2022, 3),
        "fis-011-in": number("adv_tax_2_pct"),
        "fis-011-ctl": number("us_est_2_pct"),
        "fis-029-in": (advance_tax(2023, "3") - advance_tax(2023, "2")).days,
        "fis-029-ctl": (estimated_tax(2023, 3) - estimated_tax(2023, 2)).days,
        "fis-030-in": advance_tax(2023, "1"),
        "fis-030-ctl": estimated_tax(2024, 1),
        "fis-031-in": advance_tax(2024, "last"),
        "fis-031-ctl": date(2025, whole("us_farm_month"), whole("us_est_day")),
        "fis-032-in": percent(2_00_000, number("adv_tax_3_pct")),
        "fis-032-ctl": percent(240_000, 65),
        "fis-033-in": percent(80_000, second_share),
        "fis-033-ctl": percent(90_000, 55 - 20),
        "fis-034-in": on(2024, "tds_q1"),
        "fis-034-ctl": on(2024, "us_941_q1"),
        "fis-035-in": on(2025, "tds_q4"),
        "fis-035-ctl": on(2025, "us_941_q4"),
        "fis-036-in": in_month_after(2024, 7, whole("tds_deposit_day")),
        "fis-036-ctl": in_month_after(2024, 7, 12),
        "fis-037-in": on(2024, "tds_march"),
        "fis-037-ctl": in_month_after(2023, 12, 30),
        "fis-038-in": in_month_after(2023, 11, whole("gstr1_day")),
        "fis-038-ctl": in_month_after(2023, 9, whole("uk_vat_day"), months=2),
        "fis-039-in": in_month_after(2024, 1, whole("gstr3b_day")),
        "fis-039-ctl": date(2024, 2, whole("uk_paye_day")),
        "fis-040-in": in_month_after(2023, 6, whole("cmp08_day")),
        "fis-040-ctl": in_month_after(2023, 6, 24),
        "fis-041-in": on(2024, "gstr9"),
        "fis-041-ctl": on(2024, "uk_sa"),
        "fis-042-in": on(2023, "gstr4"),
        "fis-042-ctl": on(2023, "uk_paper"),
        "fis-043-in": whole("gstr3b_day") - whole("gstr1_day"),
        "fis-043-ctl": whole("uk_paye_day") - whole("uk_vat_day"),
        "fis-044-in": on(2023, "itr"),
        "fis-044-ctl": on(2024, "us_1040"),
        "fis-045-in": on(2023, "itr_audit"),
        "fis-045-ctl": on(2024, "us_1065"),
        "fis-046-in": on(2022, "itr_belated"),
        "fis-046-ctl": on(2024, "us_ext"),
        "fis-047-in": on(2023, "form16"),
        "fis-047-ctl": on(2024, "us_w2"),
    }


def _companies() -> dict[str, Value | Span]:
    return {
        "fis-048-in": add_months(date(2023, 3, 31), whole("agm_months")),
        "fis-048-ctl": add_months(date(2023, 6, 15), 4),
        "fis-049-in": add_months(date(2024, 3, 31), whole("agm_first_months")),
        "fis-049-ctl": add_months(date(2024, 5, 31), 5),
        "fis-050-in": number("agm_gap_months"),
        "fis-050-ctl": number("uk_accounts_months"),
        "fis-051-in": date(2023, 9, 25) + timedelta(days=whole("aoc4_days")),
        "fis-051-ctl": date(2023, 9, 25) + timedelta(days=45),
        "fis-052-in": date(2024, 8, 22) + timedelta(days=whole("mgt7_days")),
        "fis-052-ctl": date(2024, 8, 12) + timedelta(days=75),
        "fis-053-in": on(2023, "llp11"),
        "fis-053-ctl": on(2023, "delaware_llc"),
        "fis-054-in": on(2023, "llp8"),
        "fis-054-ctl": on(2022, "delaware_corp"),
    }


def _calendars() -> dict[str, Value | Span]:
    chaitra_2023 = date(2023, 3, whole("saka_common_day"))
    sugar = date(2021, whole("sugar_start_month"), 1)
    wheat = date(2021, whole("us_wheat_start_month"), 1)
    crop = date(2000, whole("crop_start_month"), 1)
    return {
        "fis-058-in": on(2020, "budget"),
        "fis-058-ctl": britain(2020),
        "fis-059-in": number("budget_shift_year"),
        "fis-059-ctl": number("us_fy_shift_year"),
        "fis-061-in": 2023 - number("saka_offset"),
        "fis-061-ctl": 2023 + number("thai_offset"),
        "fis-062-in": date(2024, 3, whole("saka_leap_day")),
        "fis-062-ctl": julian_new_year(2024),
        "fis-063-in": chaitra_2023 + timedelta(days=whole("chaitra_days")),
        "fis-063-ctl": date(2023, 1, 1) + timedelta(weeks=4),
        "fis-064-in": number("saka_long_days"),
        "fis-064-ctl": days_in(span_from(date(2100, 2, 1), 1)),
        "fis-065-in": number("chaitra_leap_days") + 5 * number("saka_long_days"),
        "fis-065-ctl": 33 + 5 * 32,
        "fis-066-in": number("samvat_ahead"),
        "fis-066-ctl": number("holocene_ahead"),
        "fis-067-in": year_of(sugar),
        "fis-067-ctl": year_of(wheat),
        "fis-068-in": months_of(quarter(crop, 1)),
        "fis-068-ctl": months_of(quarter(wheat, 1)),
    }


def golds() -> dict[str, str]:
    values = _years() | _taxes() | _companies() | _calendars()
    return {item: answer(value) for item, value in values.items()}
