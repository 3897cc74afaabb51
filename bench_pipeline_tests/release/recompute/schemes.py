"""The answers of the items on public schemes, worked out anew."""

from fractions import Fraction as F

from bench_pipeline_tests.release.recompute.quantities import Pairs, numbered
from bench_pipeline_tests.release.recompute.tools import number, text

# Items that ask for one recorded number: the fact for India and the fact of the control.
LOOKED_UP = {
    "003": ("mgnrega_days", "us_fmla_weeks"),
    "004": ("mgnrega_work_within", "eu_withdrawal_days"),
    "005": ("pmjjby_premium", "uk_tv_licence"),
    "006": ("pmsby_cover", "us_fdic_limit"),
    "007": ("pmjay_cover", "uk_fscs_limit"),
    "008": ("apy_max_age", "us_ss_early_age"),
    "009": ("ssy_tenure", "us_ibond_years"),
    "010": ("ssy_max", "uk_jisa_limit"),
    "011": ("pmfby_kharif", "us_oasdi_rate"),
    "018": ("pmmvy_first_child", "uk_sure_start"),
    "019": ("vbgramg_days", "uk_leave_days"),
    "021": ("pmjjby_max_age", "uk_lisa_open_age"),
    "022": ("pmsby_partial", "us_sgli_max"),
    "026": ("pmsym_age", "uk_state_pension_age"),
    "027": ("pmsym_income", "uk_hicbc_threshold"),
    "029": ("pmjdy_overdraft", "us_ee_limit"),
    "032": ("ppf_min", "uk_premium_min"),
    "033": ("ppf_years", "us_ee_double_years"),
    "034": ("scss_max", "uk_premium_max"),
    "035": ("nsc_years", "us_ibond_penalty_years"),
    "037": ("mssc_max", "ca_tfsa_2024"),
    "042": ("vishwakarma_toolkit", "uk_bus_grant"),
    "052": ("pmayg_size", "uk_ndss_1p"),
    "056": ("kcc_limit", "us_sba_microloan"),
    "062": ("standup_min", "us_sba_7a"),
    "065": ("nfbs_sum", "uk_bsp_lump"),
    "070": ("mudra_tarun_plus_max", "us_sba_express"),
}

# Items that ask for one recorded date.
DATED = {
    "016": ("pm_kisan_launch", "gdpr_applies"),
    "030": ("pmjdy_launch", "nhs_start"),
    "040": ("svanidhi_launch", "us_cares_signed"),
    "046": ("vishwakarma_launch", "us_medicare_signed"),
    "048": ("sbm_launch", "us_peace_corps"),
    "064": ("standup_launch", "us_aca_signed"),
}


def golds() -> dict[str, str]:
    """Each computable item with its answer."""
    looked_up: Pairs = {
        key: (number(home), number(abroad)) for key, (home, abroad) in LOOKED_UP.items()
    }
    dated: Pairs = {key: (text(home), text(abroad)) for key, (home, abroad) in DATED.items()}
    return numbered("sch", looked_up, dated, _benefits(), _savings(), _shares())


def _benefits() -> Pairs:
    """Each item in India first, its control after it."""
    litres = number("jjm_lpcd")
    return {
        "001": (number("pm_kisan_yearly") / number("pm_kisan_instalments"), F(9000, 3)),
        "002": (2 * number("pm_kisan_instalments") * number("pm_kisan_instalment"), 2 * 3 * 2500),
        "012": (3 * number("nfsa_aay_kg"), 3 * 9),
        "013": (4 * number("nfsa_phh_kg"), 7 * 6),
        "024": (12 * number("apy_max_pension"), 12 * 1400),
        "044": (5 * number("vishwakarma_stipend"), 6 * 45),
        "049": (5 * litres, 6 * 48),
        "050": (1200 * litres / 1000, F(800 * 75, 1000)),
        "051": (number("pmayg_hill") - number("pmayg_plain"), 80_000 - 60_000),
        "060": (number("surya_3kw") - number("surya_2kw"), 6000 - 4000),
        "061": (12 * number("surya_units"), 12 * 270),
        "066": (12 * number("ignoaps_60"), 12 * 350),
    }


def _savings() -> Pairs:
    accident = number("pmsby_premium")
    return {
        "020": (number("pmjjby_premium") + accident, 300 + 40),
        "023": (4 * accident, 6 * 35),
        "025": (number("apy_pension_age") - 27, 65 - 31),
        "028": (2 * 12 * number("pmsym_18_monthly"), 2 * 12 * 45),
        "031": (4 * number("ppf_max"), 4 * number("uk_isa_limit")),
        "036": (number("mis_joint") - number("mis_single"), 7000 - 4000),
        "038": (
            number("svanidhi_first") + number("svanidhi_second") + number("svanidhi_third"),
            400 + 900 + 2000,
        ),
        "043": (number("vishwakarma_first") + number("vishwakarma_second"), 1000 + 3000),
    }


def _shares() -> Pairs:
    card_rate = number("kcc_rate") - number("kcc_prompt")
    return {
        "041": (18 - number("svanidhi_subsidy"), 21 - 6),
        "045": (
            number("vishwakarma_first") * number("vishwakarma_rate") / 100,
            2400 * F(3, 100),
        ),
        "047": (number("sbm_toilet") * number("sbm_centre_percent") / 100, 9500 * F(40, 100)),
        "053": (number("pmayg_plain") * number("pmayg_centre_percent") / 100, 45_000 * F(70, 100)),
        "054": (card_rate, 8 - 2),
        "055": (200_000 * card_rate / 100, 60_000 * (9 - F("3.5")) / 100),
        "057": (240 * number("mgnrega_allowance"), 180 * F("0.35")),
        "058": (240 / number("mgnrega_women_part"), F(350, 5)),
        "059": (260 * number("mgnrega_distance_percent") / 100, 340 * F(15, 100)),
        "068": (60_000 * number("pmfby_rabi") / 100, 80_000 * F("2.5") / 100),
    }
