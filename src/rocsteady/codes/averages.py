"""Codes of averages of curves."""

from __future__ import annotations

from rocsteady.codes.entry import Entry

ENTRIES: dict[str, Entry] = {
    "RS080": Entry(
        "an angle is outside [0, pi/2]",
        "Along any other direction a ROC curve turns back, so that one position has several values. 0 "
        "averages vertically, pi/2 (1.5708) horizontally; angles are in radians.",
    ),
    "RS081": Entry(
        "costs cannot be used",
        "Costs are not negative, and at least one of them is not zero. Only their ratio matters.",
    ),
    "RS082": Entry(
        "there are no curves to average",
        "The sequence is empty. Often a filter removed everything.",
    ),
    "RS083": Entry(
        "group weights do not fit",
        "There is one weight for each group that has a curve; weights are finite and not negative, and not "
        "all of them are zero. Pooling counts rows and takes none.",
    ),
    "RS084": Entry(
        "the average has no such reading",
        "A threshold can be read off averages whose groups share one (threshold, pooled). Where every group "
        "has its own threshold, read at a rate; the message tells how far the groups' thresholds lie apart.",
    ),
    "RS085": Entry(
        "infinite scores cannot be spaced evenly",
        "A grid of thresholds by value runs from the lowest to the highest score, which must be finite. A "
        "grid by rank has no such limit.",
    ),
    "RS086": Entry(
        "there is no prediction band",
        "A prediction band tells where the curve of one more group lies along the direction of the average. "
        "Under a shared threshold a group scatters in both rates, so there is no one direction. Folds of a "
        "cross-validation and random splits are parts of one data set: no other one is to come.",
    ),
    "RS210": Entry(
        "most curves coincide",
        "At this position more than half of the groups have the very same value, often a rate of exactly 1. "
        "The spread between groups is then seen in a few of them only, and an interval built on it alone was "
        "measured to cover 22 %, not 95 %. So the limits are also those of Clopper and Pearson, for as "
        "many cases as the groups stand for, fewer where groups are few (Korn & Graubard 1998). With row "
        "weights, and on the linear scale, cases are not counted, and the interval is too narrow.",
    ),
    "RS212": Entry(
        "a simultaneous band from few groups",
        "The band is made by drawing groups again. With fewer than eight the resamples are too few and too "
        "much alike to tell how the whole curve scatters. Pointwise t intervals remain valid.",
    ),
}
