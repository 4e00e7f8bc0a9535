"""Codes of smROC curves."""

from __future__ import annotations

from rocsteady.codes.entry import Entry

ENTRIES: dict[str, Entry] = {
    "RS087": Entry(
        "scores must lie between 0 and 1",
        "Where magnitudes count, scores stand for probabilities. On a smROC curve a case goes up by its "
        "score and right by one minus it, or the other way round, so any other score would make a step "
        "backwards. The rescaling min-max maps the lowest score to 0 and the highest to 1; every magnitude "
        "then depends on these two cases.",
    ),
    "RS088": Entry(
        "this cannot be computed from these scores",
        "Scores that are all alike, or infinite, cannot be stretched to [0, 1]. Labels of rows that weigh "
        "differently cannot be dealt anew: the weight of the positives, and Mid with it, would change.",
    ),
    "RS089": Entry(
        "a smROC curve has no such reading",
        "Its axes are shares of credit, in which every case moves the curve both up and right. They are not "
        "the rates of a threshold, so there are no counts to pool, no operating point to choose and no "
        "binormal curve to fit. The ordinary ROC curve of the same scores has all of these.",
    ),
    "RS260": Entry(
        "the midpoint of a smROC curve is outside (0, 1]",
        "Mid is half the sum of all scores over the number of positives. Where the scores promise more than "
        "twice as many positives as there are, it exceeds 1 and no score is high: every positive counts as "
        "inappropriate and every negative as appropriate. Confident scores alone then give a large smAUC, "
        "whatever the labels. Compare it with the chance level, or take mid='clipped' or a number.",
    ),
    "RS261": Entry(
        "the area under a smROC curve is undefined",
        "All steps go up, or all go right, so there is nothing to divide by. This happens only if Mid lies "
        "outside (0, 1]. The curve holds NaN where a share is undefined.",
    ),
}
