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
        "these scores cannot be smoothed",
        "The smoothed bootstrap spreads every case a little over its neighbours. That needs at least five "
        "cases of each class, rows without weights, and scores that are not heavily tied: no score shared "
        "by more than 5 % of a class. The percentile bootstrap has no such needs. On an average the groups "
        "are drawn, not the cases.",
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
        "A target so near to 0 or 1 that fewer than one case is expected beyond it leaves the threshold open "
        "on that side: the limit there is infinite, and the other rate may be as bad as can be. Separated "
        "classes, or scores that are all equal, give every resample the same rates: a width of zero is then "
        "no certainty.",
    ),
}
