"""The answers of the items on weights, volumes, lengths, time and coins, worked out anew."""

from fractions import Fraction as F

from bench_pipeline_tests.release.recompute.quantities import Pairs, numbered
from bench_pipeline_tests.release.recompute.tools import half_up, number, text


def golds() -> dict[str, str]:
    """Each computable item with its answer."""
    return numbered(
        "mea",
        _weights(),
        _old_weights(),
        _shop_weights(),
        _trade(),
        _volumes(),
        _lengths_and_time(),
        _coins_and_counts(),
    )


def _weights() -> Pairs:
    """Each item in India first, its control after it."""
    quintal, tonne = number("kg_per_quintal"), number("kg_per_tonne")
    tola, troy = number("tola_grams_1956"), number("troy_ounce_grams")
    return {
        "001": (F("12.5") * quintal, F("8.4") * tonne),
        "002": (2275 * F(840) / quintal, 1850 * F(640) / tonne),
        "003": (half_up(5 * tola, 1), half_up(4 * troy, 1)),
        "004": (number("chhatak_per_seer_bengal"), number("pennyweight_per_troy_ounce")),
        "005": (3 * number("tola_per_chhatak_bengal"), 3 * number("drams_per_ounce")),
        "006": (number("seer_per_maund_bengal"), number("stone_per_long_hundredweight")),
        "007": (half_up(number("seer_kg_1956"), 2), half_up(number("pound_kg"), 2)),
        "008": (
            half_up(number("seer_per_maund_bengal") * F("0.9331"), 1),
            half_up(number("pounds_per_long_hundredweight") * F("0.4536"), 1),
        ),
        "009": (25 * number("kg_per_cotton_bale"), 25 * 176),
        "010": (half_up(number("candy_kg")), half_up(number("long_ton_kg"))),
        "011": (number("masha_per_tola"), number("ounces_per_apothecaries_pound")),
        "012": (2 * number("masha_per_tola") * 8, 2 * number("ounces_per_pound") * 16),
        "013": (
            number("dedh_factor") * number("paav_fraction") * 1000,
            F(5, 8) * 1000,
        ),
        "015": (3 * quintal + 40, 2 * tonne + 75),
        "017": (7 * number("ratti_per_masha"), 9 * number("scruples_per_dram")),
        "018": (12 * number("ratti_per_masha"), 20 * number("grains_per_pennyweight")),
        "021": (half_up(10 * tola), half_up(10 * troy)),
        "022": (half_up(50 / tola, 1), half_up(80 / troy, 1)),
        "023": (half_up(F(72000, 10) * tola), half_up(2400 / troy * 50)),
        "024": (half_up(3 * number("tola_bhari_grams")), half_up(3 * troy)),
    }


def _old_weights() -> Pairs:
    seers, chhatak = number("seer_per_maund_bengal"), number("chhatak_per_seer_bengal")
    tola_a_seer = chhatak * number("tola_per_chhatak_bengal")
    stone, ounces, drams = (
        number("pounds_per_stone"),
        number("ounces_per_pound"),
        number("drams_per_ounce"),
    )
    pound_kg = number("pound_kg")
    return {
        "019": (tola_a_seer, stone * ounces),
        "020": (seers * tola_a_seer, stone * ounces * drams),
        "028": (13 * number("seer_per_pasheri"), 13 * stone),
        "029": (F("2.5") * seers, F("3.5") * number("stone_per_long_hundredweight")),
        "030": (12 * F(25) / seers, 16 * F(35) / number("pounds_per_long_hundredweight")),
        "032": (
            half_up(number("maund_bombay_lb") * pound_kg, 1),
            half_up(number("firkin_pounds") * pound_kg, 1),
        ),
        "033": (8 * number("maund_madras_lb"), 8 * stone),
        "034": (tola_a_seer / 4, stone * ounces / 4),
        "035": (chhatak / 2, ounces * F(3, 4)),
    }


def _shop_weights() -> Pairs:
    paav = number("paav_fraction")
    return {
        "036": (number("sawa_factor") * 1000, (1 + F(3, 5)) * 1000),
        "037": (number("dhai_factor") * paav * 1000, 7 * F(1, 10) * 1000),
        "038": (number("paune_do_factor") * 1000, F("2.4") * 1000),
        "039": (number("sadhe_teen_factor") * 1000, F("4.5") * number("ounces_per_pound")),
        "040": (480 * paav, 36 * F(1, 8)),
    }


def _trade() -> Pairs:
    quintal, tonne = number("kg_per_quintal"), number("kg_per_tonne")
    bale, us_bale = number("kg_per_cotton_bale"), number("us_cotton_bale_lb")
    jute, coffee = number("kg_per_jute_bale"), number("coffee_bag_kg")
    cylinder = number("lpg_domestic_kg")
    lakh, million = number("lakh"), number("million")
    return {
        "041": (640 * quintal / 1000, F(3400 * 25, 1000)),
        "042": (2183 / quintal, 415 / tonne),
        "044": (4080 / bale, 12000 / us_bale),
        "045": (3400 * quintal / bale, 2400 * number("short_hundredweight_lb") / us_bale),
        "046": (50 * jute, 50 * coffee),
        "047": (3 * lakh * jute / 1000, F("0.2") * million * coffee / 1000),
        "048": (12 * cylinder, 12 * 20),
        "049": (6 * number("lpg_commercial_kg"), 6 * number("uk_propane_kg")),
        "050": (852 / cylinder, F(94, 47)),
    }


def _volumes() -> Pairs:
    brass, cord, cubic_foot = (
        number("brass_cubic_feet"),
        number("cord_cubic_feet"),
        number("cubic_foot_m3"),
    )
    tmc, acre_foot = number("tmc_cubic_feet"), number("acre_foot_cubic_feet")
    return {
        "051": (3 * brass, 3 * cord),
        "052": (half_up(brass * cubic_foot, 1), half_up(cord * cubic_foot, 1)),
        "053": (10 * 10 * 2 / brass * 6500, 16 * 4 * 4 / cord * 450),
        "054": (450 / number("brass_square_feet"), 650 / number("roofing_square_feet")),
        "055": (F("2.5") * tmc, F("2.5") * acre_foot),
        "056": (
            half_up(2 * tmc * cubic_foot / 1_000_000, 1),
            half_up(2 * acre_foot * cubic_foot / 1000, 1),
        ),
    }


def _lengths_and_time() -> Pairs:
    ghati, bell = number("ghati_minutes"), number("bell_minutes")
    return {
        "057": (number("hath_inches"), number("hand_inches")),
        "058": (2 * number("angul_per_hath"), 6 * number("inches_per_foot")),
        "059": (
            half_up(F("5.5") * number("gaj_metres"), 2),
            half_up(F("4.5") * number("fathom_metres"), 2),
        ),
        "060": (number("kos_gaz_akbar"), number("feet_per_mile")),
        "061": (number("hath_per_dand"), number("yards_per_rod")),
        "062": (6 * number("krosh_per_yojan"), 6 * number("miles_per_league")),
        "063": (ghati, bell),
        "064": (3 * 60 / ghati, F("3.5") * 60 / bell),
        "065": (number("pal_per_ghati"), number("minutes_per_degree")),
        "066": (number("ghati_per_muhurta") * ghati, number("bells_per_dog_watch") * bell),
        "067": (number("prahar_hours"), number("watch_hours")),
        "068": (F(12, 24) * number("prahar_per_day"), F(24, 4)),
        "069": (number("tithi_per_paksha"), number("days_per_fortnight")),
        "070": (number("ritu_per_year"), number("seasons_per_year")),
    }


def _coins_and_counts() -> Pairs:
    annas, pice, shillings, pence = (
        number("anna_per_rupee"),
        number("pice_per_anna"),
        number("shillings_per_pound"),
        number("pence_per_shilling"),
    )
    lakh, million = number("lakh"), number("million")
    return {
        "071": (
            3 * number("pice_per_rupee") + 4 * pice,
            3 * number("pence_per_pound") + 4 * pence,
        ),
        "072": (annas, shillings),
        "073": (
            annas * pice * number("pies_per_pice"),
            shillings * pence * number("farthings_per_penny"),
        ),
        "074": (4 / annas * number("naye_paise_per_rupee"), 2 / shillings * 100),
        "075": (text("decimal_coinage_start"), text("uk_decimal_day")),
        "076": (12 / annas * 100, 13 / shillings * 100),
        "077": (F("12.5") * lakh / million, 4800 * number("thousand") / million),
        "078": (3 * lakh / 1000, F("0.7") * million / 1000),
    }
