"""Tests and intervals of single curves."""

from __future__ import annotations

from rocsteady.codes.entry import Entry

ENTRIES: dict[str, Entry] = {
    "RS059": Entry(
        "a test of two classifiers is about one number",
        "A bootstrap test divides one difference by its standard error. Name one rate, one range or the "
        "area; for the whole curve at once there is venkatraman_test, and for several points the paired "
        "comparison with its simultaneous band.",
    ),
    "RS294": Entry(
        "the test depends on how ties are broken",
        "Venkatraman's test is about ranks, so equal scores have to be put in some order. Where many "
        "positives share a score with negatives, another order gives another statistic and another "
        "p-value. Compare the areas (compare_auc, bootstrap_test), which count a tie as one half.",
    ),
    "RS295": Entry(
        "too few cases on one side of a threshold to resample",
        "The threshold that gives an FPR of 5 % is set by the one negative in twenty that lies beyond it. "
        "Percentiles of resamples of a few such cases cover their target less often than they say: 86 % to "
        "93 % instead of 95 % with three, in simulations, and less with one. They also fail where nearly all "
        "cases whose rate is wanted are on one side: a class without a miss has none in any resample. The "
        "limits that combine score intervals (method='score', the default) hold there.",
    ),
}
