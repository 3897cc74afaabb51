"""The answers of the items on land, worked out anew."""

from fractions import Fraction as F

from bench_pipeline_tests.release.recompute.quantities import Pairs, numbered
from bench_pipeline_tests.release.recompute.tools import half_up, number


def golds() -> dict[str, str]:
    """Each computable item with its answer."""
    parts = (_first_items(), _punjab(), _guntha_and_cent(), _south(), _east(), _north_and_west())
    return numbered("land", *parts)


def _first_items() -> Pairs:
    """Each item in India first, its control after it."""
    acre, yard = number("sq_ft_per_acre"), number("sq_ft_per_sq_yd")
    return {
        "001": (number("kanal_per_acre_punjab"), number("roods_per_acre")),
        "002": (6 / number("kanal_per_acre_haryana"), 100 / number("perches_per_acre")),
        "003": (
            number("sarsai_per_marla_punjab") * number("sarsai_sq_ft_punjab"),
            number("chain_feet") ** 2,
        ),
        "004": (3 * number("marla_per_kanal_punjab") + 12, 3 * number("perches_per_rood") + 12),
        "005": (F("2.5") * number("guntha_per_acre"), F("2.5") * number("square_chains_per_acre")),
        "006": (3 * acre / 40, 3 * acre / 10),
        "007": (F(3, 4) * number("cent_per_acre"), F(2, 5) * number("ares_per_hectare")),
        "008": (5 * number("cent_sq_ft"), F("0.08") * acre),
        "009": (F("1.5") * number("ground_sq_ft"), 350 * yard),
        "010": (number("katha_sq_ft_wb") / 45, number("square_rods_per_square_chain")),
        "011": (number("bigha_sq_yd_wb"), number("sq_yd_per_acre")),
        "012": (5 * number("lessa_per_katha_assam"), 4 * number("perches_per_rood")),
        "014": (number("karam_feet_punjab"), number("rod_feet")),
        "015": (number("killa_per_murabba"), number("acres_per_section")),
        "017": (15 / number("decimal_per_acre"), 2420 / number("sq_yd_per_acre")),
    }


def _punjab() -> Pairs:
    kanals, marlas = number("kanal_per_acre_punjab"), number("marla_per_kanal_punjab")
    roods, perches = number("roods_per_acre"), number("perches_per_rood")
    karam = number("karam_feet_punjab")
    return {
        "018": (number("kanal_sq_yd"), number("rood_sq_yd")),
        "019": (20 / number("kanal_per_acre_jk"), 30 / roods),
        "020": (marlas * kanals, perches * roods),
        "021": (
            number("killa_long_karam") * karam,
            number("chains_per_furlong") * number("chain_feet"),
        ),
        "023": (number("killa_per_murabba") * kanals, number("acres_per_section") * roods),
        "025": (
            number("biswa_per_bigha_punjab") * number("marla_per_biswa_punjab"),
            4 * number("sections_per_township"),
        ),
        "026": (
            6 * number("kanal_per_bigha_punjab") / kanals,
            6 * number("rai_sq_m") / number("ngan_per_rai"),
        ),
        "027": (number("sarsai_per_marla_punjab"), number("sq_ft_per_sq_yd")),
        "028": (karam**2, number("chain_yards") ** 2),
        "030": (10 * number("marla_sq_ft_punjab"), 6 * number("perch_sq_ft")),
        "031": (
            (3 * marlas + 12) / number("marla_per_acre_punjab"),
            (2 * perches + 30) / number("perches_per_acre"),
        ),
        "032": (
            5 * 4_000_000 / number("marla_per_acre_punjab"),
            4 * 12_000 / number("perches_per_acre"),
        ),
    }


def _guntha_and_cent() -> Pairs:
    gunthas, cents, ares = (
        number("guntha_per_acre"),
        number("cent_per_acre"),
        number("ares_per_hectare"),
    )
    perches = number("perches_per_acre")
    chains = number("square_chains_per_acre")
    return {
        "033": (
            number("guntha_sq_yd") * number("sq_ft_per_sq_yd"),
            number("rod_feet") ** 2,
        ),
        "034": (2 * gunthas + 15, 2 * perches + 13),
        "035": (10 * number("guntha_sq_yd"), 10 * number("perch_sq_yd")),
        "036": (1 + 25 / gunthas + 2 + 30 / gunthas, 1 + 35 / ares + 2 + 40 / ares),
        "037": (300_000 * gunthas, 2_000 * chains),
        "040": (
            F("1.35") * number("ares_per_hectare_satbara"),
            F("2.45") * number("sq_km_hectares"),
        ),
        "041": (cents + 20, ares + 35),
        "042": (F("12.5") / cents, F("37.5") / ares),
        "043": (85_000 * cents, 450 * ares),
        "044": (4840 / cents, 4840 / perches),
        "045": (
            F(4 * 10) / cents,
            F(6 * 16) / perches,
        ),
    }


def _south() -> Pairs:
    acre, ground, yard = number("sq_ft_per_acre"), number("ground_sq_ft"), number("sq_ft_per_sq_yd")
    ankanam = number("ankanam_sq_ft_nellore")
    return {
        "046": (7200 / ground, 7200 / yard),
        "047": (ground / 2, acre / 4),
        "048": (half_up(2400 / number("cent_sq_ft"), 1), half_up(2500 / number("perch_sq_ft"), 1)),
        "049": (
            number("ground_per_kani") * ground,
            number("roods_per_acre") * number("rood_sq_yd"),
        ),
        "050": (acre / ankanam, number("sq_yd_per_acre") / number("perch_sq_yd")),
        "051": (15 * ankanam, 15 * yard),
    }


def _east() -> Pairs:
    acre, hectare, yard = (
        number("sq_ft_per_acre"),
        number("sq_m_per_hectare"),
        number("sq_ft_per_sq_yd"),
    )
    katha, chhatak, perch = (
        number("katha_sq_ft_wb"),
        number("chhatak_sq_ft_wb"),
        number("perch_sq_ft"),
    )
    perches, kirats, dhurs = (
        number("perches_per_rood"),
        number("kirat_per_feddan"),
        number("dhur_per_katha_bihar"),
    )
    lessas = 20
    return {
        "052": (3 * katha, 3 * perch),
        "053": (2 * number("katha_per_bigha_wb") + 7, 2 * perches + 7),
        "054": (acre / 720, hectare / 400),
        "055": (4 * katha / 16, F(4 * 1210, 40)),
        "056": (2 * katha + 8 * chhatak, 2 * perch + 8 * yard),
        "057": (F("2.4") * number("decimal_per_acre"), F("1.8") * number("ares_per_hectare")),
        "060": (number("lecha_sq_ft"), number("sq_chain_sq_yd")),
        "061": (3 * number("bigha_per_pura_assam"), 5 * number("ngan_per_rai")),
        "062": ((5 + 3) * lessas + 10, (4 + 3) * 40 + 10),
        "063": (acre / number("bigha_sq_ft_assam"), hectare / number("rai_sq_m")),
        "064": (number("nal_feet"), number("chain_feet")),
        "065": (3 * dhurs + 7, 3 * kirats + 7),
        "066": (dhurs * number("dhurki_per_dhur_bihar"), kirats * number("sahm_per_kirat")),
        "068": (acre / number("katha_sq_ft_patna"), hectare / number("stremma_sq_m")),
        "069": (F("7.5") * number("decimal_sq_ft"), F("7.5") * yard),
    }


def _north_and_west() -> Pairs:
    yard, nali = number("sq_ft_per_sq_yd"), number("nali_sq_yd")
    return {
        "070": (nali, number("rood_sq_yd")),
        "071": (5 * nali * yard, 5 * number("sq_chain_sq_yd") * yard),
        "072": (number("shahjahani_jarib_ft") ** 2, number("furlong_feet") ** 2),
        "073": (number("gantari_jarib_ft") / 3, F(66, 3)),
        "074": (5 * 16 / number("guntha_per_acre"), 5 * 16 / number("perches_per_rood")),
        "075": (3 * number("vasa_per_vigha_gujarat") + 5, 3 * number("fen_per_mu") + 5),
        "076": (5 * number("kachcha_per_pucca"), 5 * number("acres_per_quarter_section")),
        "077": (
            number("biswa_per_bigha") * number("biswansi_per_biswa"),
            number("virgates_per_hide") * number("bovates_per_virgate"),
        ),
        "078": (200 * number("sq_ft_per_sq_gaj"), 20 * number("sq_in_per_sq_ft")),
    }
