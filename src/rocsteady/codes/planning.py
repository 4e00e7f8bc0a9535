"""Planning how much data is needed."""

from __future__ import annotations

from rocsteady.codes.entry import Entry

ENTRIES: dict[str, Entry] = {
    "RS068": Entry(
        "one group does not show that",
        "A plan from one group says how many cases it needs, from the luck of those it has. How much groups "
        "differ it does not show, so nothing can be said about more groups, nor about the chance that a "
        "half-width comes out as wanted. Name the column that says which rows belong together. Without any "
        "data, plan_auc takes an AUC and numbers of cases. Folds of a cross-validation are parts of one data "
        "set: nothing can be said about more of them, either.",
    ),
    "RS069": Entry(
        "groups are too small to tell their own noise",
        "A plan splits what is seen into differences between groups and the luck of the cases in each. The "
        "luck is estimated within a group, from two cases at least of each class that the number depends on, "
        "and no group has them.",
    ),
    "RS290": Entry(
        "some groups are too small to tell their own noise",
        "They have a single case of a class. What they show still counts in how much groups scatter; how "
        "much of that is the luck of the cases is taken from the other groups, and is more for these.",
    ),
    "RS291": Entry(
        "very few groups to plan from",
        "The variance between groups is estimated from as many numbers as there are groups. With three the "
        "95 % range of its square root runs from half to six times the estimate. Use the plan to get the "
        "order of magnitude, collect some groups, and plan again. Where a single group is left, the plan is "
        "about its cases alone.",
    ),
    "RS292": Entry(
        "the point is finer than the cases can show",
        "A false positive rate of 1 % is set by the largest one or two of 100 negatives. The luck of the "
        "cases is then not normal, does not fall like one over their number, and is estimated poorly; a "
        "curve read there is biased too. Plan with groups that have at least five cases beyond the point. "
        "Where a reading is exactly 0 or 1 in most groups, their cases seem to have no luck at all, and a "
        "plan is too hopeful.",
    ),
    "RS293": Entry(
        "groups share cases",
        "A plan takes the cases of different groups as different samples, whose luck averages out over "
        "groups. Readers who judge the same cases share that luck: more readers do not remove it, and the "
        "mean over readers is then for these cases only.",
    ),
    "RS296": Entry(
        "more folds do not help",
        "Folds of a cross-validation, and random splits, test and train on the same cases, so the mean over "
        "them varies by s**2 (1/M + rho), rho being test cases over training cases (Nadeau and Bengio). More "
        "folds are not more data. Repeats take the luck of the split out of 1/M and leave rho. More cases "
        "help: the plan says how many.",
    ),
    "RS297": Entry(
        "no difference to find was given",
        "A test of two models is planned for a true difference, and only you know which one would matter. "
        "Without it the plan takes the difference that was seen, which is as uncertain as the data: were the "
        "true one half as large, four times the data would be needed. Give the smallest difference that "
        "would matter, or the half-width that the interval should have.",
    ),
}
