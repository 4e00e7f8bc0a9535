"""Codes of thresholds tried on new rows."""

from __future__ import annotations

from rocsteady.codes.entry import Entry

ENTRIES: dict[str, Entry] = {
    "RS079": Entry(
        "nothing is left to try a threshold on",
        "A threshold is set on some parts of the rows and tried on another, so a group needs as many cases "
        "of each class as there are parts, at least two. Where whole groups are held out, there must be as "
        "many groups as parts.",
    ),
    "RS254": Entry(
        "groups have no threshold in the rows that set them",
        "With thresholds of their own, groups take them from other rows of the same groups (--cutoff-from). "
        "A group that is not in those rows, or has one class there, has none: its rows count in areas, and "
        "not in rates at these thresholds.",
    ),
    "RS255": Entry(
        "a group is too small to be split",
        "It has fewer cases of a class than there are parts, so in some part the class would be missing. The "
        "group is left out of the result.",
    ),
    "RS256": Entry(
        "a target is finer than the rows can show",
        "With 50 negatives a false positive rate moves in steps of 2 %, so a budget of 1 % can only be kept "
        "by having no false alarm at all among the rows the threshold is set on. New rows will not keep to "
        "that: above the highest of n negatives lies a share of 1 / (n + 1) of new ones, on average.",
    ),
    "RS257": Entry(
        "rows of one case are on both sides of a split",
        "Rows are dealt one by one. Where a group has several rows of the same case, a threshold is tried on "
        "cases it was set on, and what is attained looks better than it will be. Keep one row for each case. "
        "Cases that are in several groups are dealt as wholes, if one threshold is set for all.",
    ),
    "RS258": Entry(
        "few groups make the mean FPR",
        "Under one threshold for all, a few groups may raise nearly all false alarms. The mean over groups "
        "is then seen in those few only, and an interval for it is too narrow: one of 95 % was measured to "
        "cover two in three times with 5 groups. Look at single groups, or give each its own threshold.",
    ),
    "RS259": Entry(
        "cases that groups share cannot be dealt as wholes",
        "Where several groups (readers, say) have the same cases, all rows of a case go to the same part, so "
        "that no shared threshold is tried on a case it was set on. Here some group has so few cases that it "
        "would lack a class in some part. Rows were dealt in every group by itself, and what is attained may "
        "look better than it will be.",
    ),
}
