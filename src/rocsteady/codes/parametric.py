"""Codes of curves that are fitted, not counted."""

from __future__ import annotations

from rocsteady.codes.entry import Entry

ENTRIES: dict[str, Entry] = {
    "RS230": Entry(
        "a binormal average does not preserve area",
        "The mean of the groups' parameters gives a curve whose area is not the mean of the groups' areas "
        "(Chen & Samuelson 2014), and it rests on the assumption that some increasing transform makes both "
        "classes normal. The vertical average holds the same rate fixed, assumes nothing and preserves area.",
    ),
    "RS231": Entry(
        "binormal parameters do not exist",
        "In some groups the likelihood has no maximum: perfectly separated classes, or points that all lie "
        "on one edge of the unit square, send a parameter to infinity. Such groups were fitted after one "
        "more case of each class had been spread over the categories as all cases of the group are. The "
        "result depends on that choice.",
    ),
    "RS232": Entry(
        "a binormal slope cannot be estimated",
        "Scores in two categories give one point of a curve, through which many binormal curves run. The "
        "slope was set to 1: equal variances in both classes.",
    ),
    "RS233": Entry(
        "a binormal curve falls below chance",
        "A binormal curve with a slope b other than 1 crosses the chance line once. Where b is far from 1 "
        "the crossing, called a hook, lies inside the plot; beyond it the curve is an artefact of the model.",
    ),
}
