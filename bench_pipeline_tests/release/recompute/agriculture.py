"""The answers of the items on crops, seasons and farm prices, worked out anew."""

from datetime import date
from fractions import Fraction as F

from bench_pipeline_tests.release.recompute.quantities import (
    Pairs,
    months_between,
    months_from,
    named_months,
    numbered,
    period,
    season_months,
    start,
)
from bench_pipeline_tests.release.recompute.tools import number, span_from, text

METEOROLOGICAL = "meteorological_seasons"


def golds() -> dict[str, str]:
    """Each computable item with its answer."""
    return numbered("agr", _months(), _dates(), _ranges(), _sums())


def touched(fact_id: str) -> str:
    """The months from the first day of a period to its last."""
    first, last = period(fact_id, 2022)
    return months_between(first.month, last.month)


def closing(fact_id: str, count: int) -> str:
    """The last months of a year that ends with a month."""
    last = period(fact_id, 2022)[1].month
    return months_from(last - count + 1, count)


def _months() -> Pairs:
    """Each item in India first, its control after it."""
    return {
        "001": (
            season_months("kharif_season_months"),
            months_from(start("us_rice_year", 2022).month, 4),
        ),
        "002": (
            season_months("rabi_season_months"),
            touched("atlantic_hurricane_season"),
        ),
        "003": (season_months("kharif_sowing_months"), months_from(8 + 1, 2)),
        "010": (
            season_months("zaid_season_months"),
            closing("us_federal_fiscal_year", 4),
        ),
        "011": (
            season_months("rabi_harvest_months"),
            months_from(start(METEOROLOGICAL, 2022, "summer").month, 3),
        ),
        "017": (
            season_months("imd_winter"),
            months_from(start("australia_financial_year", 2022).month, 2),
        ),
        "018": (
            season_months("imd_summer"),
            months_from(start(METEOROLOGICAL, 2022, "autumn").month, 3),
        ),
        "019": (
            season_months("imd_southwest"),
            months_from(start("coffee_year", 2022).month, 12 // 3),
        ),
        "020": (season_months("imd_post_monsoon"), months_from(9, 3)),
        "021": (season_months("winter_rice_harvest"), months_from(6 + 1, 2)),
        "022": (season_months("autumn_rice_sowing"), months_from(9, 4)),
        "023": (season_months("autumn_rice_harvest"), months_from(12 - 2, 2)),
        "024": (season_months("summer_rice_sowing"), months_from(12, 4)),
        "025": (season_months("rabi_sowing_note"), months_from(7 + 1, 2)),
        "026": (
            season_months("zaid_kharif_sowing"),
            months_from(start("us_wheat_marketing_year", 2022).month, 2),
        ),
        "027": (season_months("zaid_kharif_harvest"), months_from(1, 2)),
        "028": (season_months("zaid_rabi_sowing"), months_from(3 + 1, 2)),
        "029": (season_months("zaid_rabi_harvest"), closing("us_corn_year", 2)),
        "030": (season_months("virippu_months"), touched("eastern_pacific_season")),
        "031": (season_months("mundakan_months"), months_between(10, 2)),
        "032": (
            season_months("puncha_months"),
            months_between(1 + 1, period("eu_cereal_year", 2022)[1].month),
        ),
        "033": (
            months_from(start("crop_year", 2022).month, 3),
            months_from(start("us_federal_fiscal_year", 2022).month + 6, 3),
        ),
        "034": (
            months_from(start("sugar_season", 2022).month + 6, 6),
            months_from(start("us_cotton_year", 2022).month + 6, 6),
        ),
        "035": (
            months_from(start("fasli_year", 2022).month, 6),
            months_from(start("eu_cereal_year", 2022).month + 6, 6),
        ),
    }


def _dates() -> Pairs:
    return {
        "006": (text("kms_2020_start"), start("us_wheat_marketing_year", 2020)),
        "012": (start("monsoon_onset_kerala", 2022), start(METEOROLOGICAL, 2023, "autumn")),
        "036": (start("onset_delhi", 2021), start("world_food_day", 2021)),
        "037": (start("onset_mumbai", 2022), start("us_corn_year", 2022)),
        "038": (start("onset_chennai", 2020), start("world_soil_day", 2020)),
        "039": (start("onset_ahmedabad", 2023), start("us_rice_year", 2023)),
        "040": (start("onset_northwest", 2024), start("eastern_pacific_season", 2024)),
        "041": (
            start("withdrawal_mumbai", 2022),
            period("eastern_pacific_season", 2022)[1],
        ),
        "042": (start("withdrawal_india", 2021), start("eu_wine_year", 2021)),
        "043": (start("kisan_diwas", 2023), start(METEOROLOGICAL, 2023, "winter")),
        "044": (start("crop_year", 2024), start("coffee_year", 2024)),
        "045": (
            period("sugar_season", 2019)[1],
            period("us_cotton_year", 2019)[1],
        ),
    }


def _ranges() -> Pairs:
    first, last = named_months("imd_post_monsoon")
    northeast_monsoon = span_from(date(2023, first, 1), last - first + 1)
    summer = span_from(start(METEOROLOGICAL, 2023, "summer"), 3)
    return {
        "004": (period("sugar_season", 2022), period("us_federal_fiscal_year", 2022 - 1)),
        "005": (period("crop_year", 2021), period("australia_financial_year", 2019)),
        "013": (period("monsoon_season_rain", 2019), period("atlantic_hurricane_season", 2021)),
        "046": (text("rms_2024").replace(" to ", ".."), period("eu_cereal_year", 2024)),
        "047": (period("kms_year", 2021), period("us_corn_year", 2021)),
        "048": (period("cotton_season", 2015), period("us_cotton_year", 2015)),
        "049": (period("crop_year", 2018), period("us_rice_year", 2018)),
        "050": (northeast_monsoon, summer),
    }


def _sums() -> Pairs:
    quintal, tonne = number("kg_per_quintal"), number("kg_per_tonne")
    wheat = number("msp_wheat_2024")
    return {
        "014": (
            number("msp_kharif_crops") + number("msp_rabi_crops") + number("msp_commercial_crops"),
            9 + 7 + 5,
        ),
        "016": (18 * F("2.5") * quintal, F("7.2") * F("3.5") * tonne),
        "059": (wheat - number("msp_wheat_2023"), 600 - 500),
        "060": (32 * wheat, 27 * 190),
        "061": (450 / quintal * number("msp_mustard_2024"), 650 / tonne * 480),
        "062": (
            number("buffer_rice_october") + number("buffer_wheat_october"),
            3_000_000 + 5_000_000,
        ),
        "063": (
            230 + (10 - F("9.5")) / F("0.1") * number("frp_premium_2015"),
            410 + (F("4.1") - F("3.5")) / F("0.1") * F("2.60"),
        ),
        "066": (800 * number("raw_rice_percent") / 100, 600 * F(45, 100)),
    }
