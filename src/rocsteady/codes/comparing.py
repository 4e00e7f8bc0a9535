"""Comparing models over the same datasets."""

from __future__ import annotations

from rocsteady.codes.entry import Entry

ENTRIES: dict[str, Entry] = {
    "RS060": Entry(
        "there are no two models to compare",
        "A comparison is of two different models in one set. Name the column that says which model gave a "
        "score, or give several score columns. A model compared with itself would differ by exactly nothing.",
    ),
    "RS062": Entry(
        "the models do not have the same groups",
        "A paired comparison takes the difference within each group, so every model must have scored it. "
        "unmatched='drop' keeps the groups that all models have and lists the others; paired=False compares "
        "the models as if their groups were independent samples, which loses what pairing gains.",
    ),
    "RS063": Entry(
        "the models did not score the same cases",
        "Within a group, both models must have scored the same cases; a case that one of them could not "
        "score is often a hard one, and leaving it out on one side only makes that model look better. "
        "unmatched='drop' keeps the cases that all models scored. Cases without names are paired by their "
        "order; where the labels then differ, they are not the same cases.",
    ),
    "RS064": Entry(
        "what is random does not fit the data",
        "Groups can be random only if there are two or more: one dataset cannot tell how datasets differ. "
        "Cases are resampled under the vertical, horizontal, threshold and pooled averages; under others, "
        "and at a rate of alerts, let the groups be what is random.",
    ),
    "RS275": Entry(
        "too few groups for a sign-flip test",
        "With M groups there are 2**(M - 1) different patterns of signs, so no p-value is below 2**-(M - 1): "
        "0.0625 for five groups. Below six groups nothing can reach 5 %, and no band holds over the whole "
        "range at 95 %. The t tests beside it, at one point or of areas, are not concerned: they may decide, "
        "and rest on differences that are about normal.",
    ),
    "RS276": Entry(
        "too few groups that are not paired",
        "The band and the test for two independent samples of groups flip the signs of residuals. With three "
        "groups in a sample the test was measured to reject 19 % of true hypotheses at a level of 5 %; with "
        "fewer than four there is none. Welch's t of each quantity is still given.",
    ),
    "RS277": Entry(
        "the models have different numbers of cases",
        "Within a group, both models should have scored the same cases. Without names of cases that is not "
        "known, but different numbers of positives or negatives show that they did not. If one model could "
        "not score the hard cases, it looks better than it is.",
    ),
    "RS278": Entry(
        "differences between models are likely to be skewed",
        "Tests over groups and their bands rest on differences that are about symmetric. AUCs near 1 have a "
        "long tail to the left; where one model's AUC varies much more between groups than the other's, the "
        "difference inherits it. With a mean AUC of 0.95 and one model that varies much more, t tests were "
        "measured to reject 11 % of true hypotheses at 5 % with ten groups, and 95 % bands to hold 86 % of "
        "the time. Wilcoxon's ranks do not help: they test symmetry. More groups do.",
    ),
    "RS279": Entry(
        "the same cases are tested as two independent samples",
        "Cases are named, and both models scored some of the same ones, but the test was asked for, or could "
        "only be made, without pairing. What is hard for one model is mostly hard for the other: an unpaired "
        "test takes this for chance, so its interval is too wide and it misses differences that a paired "
        "test would find. Pair the models wherever they scored the same cases.",
    ),
    "RS280": Entry(
        "too few cases beyond the threshold of a budget",
        "A false positive rate of 0.01 among 100 negatives is one case: whichever of them has the highest "
        "score decides. Where cases are random, 95 % intervals of differences at such a budget were measured "
        "to cover 84 to 92 % of the time; with more than one case they cover 93 % and more. Ask at a rate "
        "that more cases reach, or collect more of them.",
    ),
}
