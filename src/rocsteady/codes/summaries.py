"""Codes of summaries of AUCs over datasets."""

from __future__ import annotations

from rocsteady.codes.entry import Entry

ENTRIES: dict[str, Entry] = {
    "RS066": Entry(
        "a summary over groups needs two of them",
        "An interval that takes the groups as random is made from how they differ, and one group does not "
        "differ from itself. Of one group ask its own interval, which takes the cases as random.",
    ),
    "RS067": Entry(
        "the groups are not the folds of such a cross-validation",
        "A cross-validation of r repeats with k folds each has k * r folds, k being at least two, and every "
        "case is tested once in each repeat. The number of folds, the repeats that were named and the cases, "
        "where they are known, must agree.",
    ),
    "RS285": Entry(
        "an AUC has no standard error of its own",
        "Random effects weigh every group by its standard error on the logit scale. An AUC of exactly 0 or 1 "
        "has no logit: half a pair is taken off the side that has all of them, as half a count is added to "
        "the cells of a table. Where DeLong's variance is zero or unknown (AUC 0 or 1, a single case in a "
        "class, all scores equal) Hanley and McNeil's is used, which needs no more than the AUC and the "
        "sizes. Measured against leaving such groups out, this is less biased and covers as often; both miss "
        "when a tenth of the groups or more are perfect, and method='t' covers better there.",
    ),
    "RS286": Entry(
        "groups share cases, or seem to",
        "The same cases are tested in several groups, so the groups are not independent: their AUCs rise and "
        "fall together, and an interval from their differences is too narrow. Where cases are not named it "
        "shows in AUCs that differ less than by chance: of independent cases they would scatter at least as "
        "much as their own standard errors say (the message comes if Cochran's Q is in the lowest 1 %). That "
        "may be luck too: method='cv-influence' then takes the cases as random, and is wider. For "
        "repeated cross-validation use method='nadeau-bengio', or 'cv-influence' with named cases. For some "
        "readers of the same cases an interval over readers holds for these cases only.",
    ),
    "RS287": Entry(
        "all groups have the same AUC",
        "The differences between groups are all there is to make this interval of, and there are none. A "
        "width of zero is not certainty: with few cases in each group AUCs move in steps and may agree by "
        "chance. method='cv-influence' takes the cases as random instead.",
    ),
    "RS288": Entry(
        "a prediction interval from a spread that is hardly known",
        "Where groups are hardly seen to differ, tau is often estimated as 0 although it is not. An interval "
        "for the true AUC of a new group that takes tau as known (interval='hartung-knapp') is then too "
        "narrow: one of 95 % was measured to hold 0.56 to 0.89 where the estimate of I squared is below one "
        "half, with 5 to 20 groups. interval='guarded', which is what you get unless you ask, averages over "
        "all values of tau by the confidence that the data give them. The interval of the centre is not "
        "affected. Larger groups show tau; so do more of them, slowly.",
    ),
    "RS289": Entry(
        "an interval that is likely to miss",
        "For each method there are data that its interval was measured to miss too often by more than 0.02. "
        "Student's t: AUCs near 1 that differ much scatter to one side, and with few groups the interval of "
        "their mean covers 0.91 (10 groups around 0.95, standard deviation 0.7 on the logit scale) or less; "
        "Nadeau and Bengio's, about half as wide again, 0.89 to 0.95 where the message comes. Random effects "
        "hold there if the groups are large; if not, no method does, and the message says so. "
        "Random effects: an AUC and its standard error on the logit scale go together, so with few cases the "
        "good groups get less weight and the centre comes out too low (too high if one class is rare). Every "
        "group adds the same bias, so the more groups there are, the clearer the interval misses: it covers "
        "0.91 for 30 and 0.82 for 100 groups of 20 + 20 cases around AUC 0.9. The message comes where "
        "simulations put the bias above 0.4 standard errors. Influence curves: the variance in a fold has "
        "the divisor n, so with few cases of a class it comes out too small; ten folds of 100 cases cover "
        "0.88 to 0.92, of 400 cases 0.93, of 2 000 cases 0.95.",
    ),
}
