"""Codes of cut-offs."""

from __future__ import annotations

from rocsteady.codes.entry import Entry

ENTRIES: dict[str, Entry] = {
    "RS071": Entry(
        "an average of own thresholds has no cut-off",
        "A cut-off is one threshold. Vertical, horizontal, diagonal, radial, tangent and binormal "
        "averages show what groups reach with a threshold each. Choose a cut-off for each group; "
        "rs.realise tells what such cut-offs attain on rows they were not chosen on. Threshold and pooled "
        "averages have one for all.",
    ),
    "RS072": Entry(
        "these scores do not have such intervals",
        "The smoothed bootstrap spreads every case a little over its neighbours. That needs at least five "
        "cases of each class, rows without weights, and scores that are not heavily tied: no score shared "
        "by more than 5 % of a class. The percentile bootstrap has no such needs. Exact intervals come from "
        "order statistics, for cut-offs that hold a target rate, of rows without weights. On an average the "
        "groups are drawn, not the cases.",
    ),
    "RS240": Entry(
        "only a trivial cut-off keeps the target",
        "No threshold but one beyond all scores keeps the false positive rate, or reaches the true "
        "positive rate: nothing or everything is called positive. The message tells the best that is "
        "attainable otherwise.",
    ),
    "RS241": Entry(
        "the best cut-off calls everything alike",
        "By this criterion no threshold is better than calling nothing positive, or everything. With "
        "costs that can be right: one error is then cheap enough to make always. By Youden's index it "
        "means that the scores do no better than guessing, or run the other way.",
    ),
    "RS242": Entry(
        "resampled cut-offs from few groups",
        "On an average the groups are random, and groups are drawn again. Fewer than eight of them are too "
        "few and too much alike to tell how a chosen threshold scatters. More cases per group do not help.",
    ),
    "RS243": Entry(
        "a class with a single case",
        "Resamples of one case are all that case, so the interval shows the spread of the other class only.",
    ),
    "RS244": Entry(
        "the sample does not bound the cut-off",
        "A limit that the sample does not set is infinite, and the rate there 0 or 1. For a target rate that "
        "is so where all cases of the class may well lie on one side of the best threshold: 5 % needs 72 "
        "cases for a limit on both sides at 95 % confidence, 1 % needs 368. For costs it is so where one "
        "more case beyond the cut-off would outweigh all of the other class there, and for any criterion "
        "where calling everything, or nothing, positive is within the limits. Separated classes, equal "
        "scores or groups that are all alike give every resample the same rates: no width is then no "
        "certainty.",
    ),
}
