"""Statistics: arrays in, figures with n, interval and the name of their method out.

Here belongs what is true of numbers whatever they measure: intervals, tests, corrections,
agreement, correlation, ranks, power. What a number *means*, which items count, which metric a
suite ranks and which comparisons it declares, belongs to the stages that call this package. It
reads no file, knows no suite, imports nothing of the project, and loads scipy and statsmodels
only inside the functions that use them.

Every figure is an `Estimate` or a `TestResult`. "Undefined" is a state of those records with its
reason, and so is "degenerate"; NaN never leaves. What is random takes a seed and gives the same
bits for it at any thread count.

- shares of independent items: `wilson_interval`, `mcnemar_exact`
- means of strata over families: `family_sums`, `stratified_ratio_means`; anything else:
  `bootstrap`
- two models: `paired_permutation`, `paired_macro_permutation`; a board of them:
  `pairwise_macro_permutation`; corrected: `holm`
- ranks: `rank_intervals`, `tie_groups`
- raters: `cohen_kappa`, `gwet_ac1`, `krippendorff_alpha`
- rank correlation: `spearman`, `kendall_tau`
- design: `minimum_detectable_difference`, `sample_size`
"""

from bench_pipeline.stats._agreement import cohen_kappa, gwet_ac1
from bench_pipeline.stats._association import Association, kendall_tau, spearman
from bench_pipeline.stats._bootstrap import bootstrap
from bench_pipeline.stats._families import FamilySums, family_sums
from bench_pipeline.stats._krippendorff import krippendorff_alpha
from bench_pipeline.stats._multiple import HolmResult, holm
from bench_pipeline.stats._paired import (
    PairedTests,
    paired_macro_permutation,
    paired_permutation,
    pairwise_macro_permutation,
)
from bench_pipeline.stats._power import minimum_detectable_difference, sample_size
from bench_pipeline.stats._proportion import mcnemar_exact, wilson_interval
from bench_pipeline.stats._ranks import RankInterval, rank_intervals, tie_groups
from bench_pipeline.stats._ratio import RatioMeans, stratified_ratio_means
from bench_pipeline.stats._record import Estimate, TestResult

__all__ = [
    "Association",
    "Estimate",
    "FamilySums",
    "HolmResult",
    "PairedTests",
    "RankInterval",
    "RatioMeans",
    "TestResult",
    "bootstrap",
    "cohen_kappa",
    "family_sums",
    "gwet_ac1",
    "holm",
    "kendall_tau",
    "krippendorff_alpha",
    "mcnemar_exact",
    "minimum_detectable_difference",
    "paired_macro_permutation",
    "paired_permutation",
    "pairwise_macro_permutation",
    "rank_intervals",
    "sample_size",
    "spearman",
    "stratified_ratio_means",
    "tie_groups",
    "wilson_interval",
]
