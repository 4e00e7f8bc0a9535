"""Codes of comparing score levels between groups."""

from __future__ import annotations

from rocsteady.codes.entry import Entry

ENTRIES: dict[str, Entry] = {
    "RS095": Entry(
        "comparability does not take row weights",
        "Its test deals the rows of a class to the groups by chance, and a weighted row is not one row. "
        "cross_auc takes weights; its mean is the AUC under one shared threshold, the mean of its diagonal "
        "the AUC within groups.",
    ),
    "RS301": Entry(
        "scores do not mean the same in all groups",
        "Positives of one group are outscored by negatives of another more often than by negatives of their "
        "own, so one threshold shared by all groups does worse than thresholds of their own. The number in "
        "brackets is the standard deviation of the level between groups, in standard deviations within a "
        "group. The message is given when the permutation test rejects and the price is large enough to "
        "matter: 0.01 AUC, or 0.001 AUC where that adds a quarter to the pairs that are in the wrong order "
        "within groups.",
    ),
}
