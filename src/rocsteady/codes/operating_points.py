"""Codes of operating points averaged over folds, and of tests between them."""

from __future__ import annotations

from rocsteady.codes.entry import Entry

ENTRIES: dict[str, Entry] = {
    "RS073": Entry(
        "what a function gave back cannot be used",
        "A function decide(scores, point) gives one decision for each score of the fold: True or False, 1 or "
        "0, or the two labels. A measure of your own gives one number for a confusion matrix; it is called "
        "with the counts of all folds and points at once, or, if it cannot take arrays, once for each. A "
        "ratio 0 / 0 is NaN: not an error, but left out of the mean and counted.",
    ),
    "RS074": Entry(
        "a test between points needs two folds",
        "How sure a difference is, is judged by how it varies from fold to fold. One fold does not vary.",
    ),
    "RS075": Entry(
        "folds times points are too many",
        "The table holds the confusion matrix of every fold at every point. thresholds=m takes m points, "
        "evenly by rank; 30 to 200 show everything that can be seen.",
    ),
    "RS245": Entry(
        "a difference is the same in every fold",
        "Differences that do not vary have no estimated spread, so the statistic is infinite and the p-value "
        "0. That is a property of few or small folds, not proof: more cases in each fold would show how the "
        "difference varies.",
    ),
}
