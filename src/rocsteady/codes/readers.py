"""Reader studies: readers, modalities and cases."""

from __future__ import annotations

from rocsteady.codes.entry import Entry

ENTRIES: dict[str, Entry] = {
    "RS027": Entry(
        "not enough for a reader study",
        "A reader study compares two modalities or more, read by two readers or more, on named cases. With "
        "one reader nothing can be said of other readers: readers='fixed' compares the modalities for this "
        "reader. With one modality there is nothing to compare: summarize_readers gives its mean with an "
        "interval. Cases must be named, because the same case is read several times and those ratings are "
        "not independent.",
    ),
    "RS028": Entry(
        "cells of the design are missing",
        "Every reader must have read every modality, or every reader exactly one. Readers who read some of "
        "the modalities break the analysis of variance; the message names the cells. missing='drop' leaves "
        "those readers out, method='u-statistics' takes any pattern. Cases that some readers did not read "
        "are no missing cells.",
    ),
    "RS029": Entry(
        "a case is rated twice",
        "One reader rates a case once in a modality. Two ratings are two sessions, two lesions or two rows "
        "of a file that was joined twice, and each means something else: sessions are modalities of their "
        "own, lesions are cases of one patient (cluster=), doubled rows have to go. rocsteady neither "
        "chooses one nor takes their mean.",
    ),
    "RS030": Entry(
        "this covariance is not for this measure or design",
        "How much the values of two readers move together with the cases is estimated in one of four ways. "
        "DeLong's and the unbiased estimate are for the AUC; the unbiased one takes cases that are "
        "independent of each other, so not several of one patient. The jackknife takes any measure that "
        "changes smoothly with the cases, the bootstrap every measure but a function of your own. All need "
        "two cases (or patients) of each class in every cell. An unbiased variance may come out below 0, "
        "mostly where readers share some of their cases only; it then says nothing, and another has to do.",
    ),
    "RS039": Entry(
        "a reader study cannot be planned from this",
        "A plan needs the variance components of a pilot, or of a published study, and a difference that is "
        "worth finding. The message says what is missing or out of range.",
    ),
    "RS040": Entry(
        "a standalone reading cannot be compared",
        "A standalone system gives one score to each case. It is compared with the readers on the cases that "
        "both have seen; its scale may be its own. The message says what does not fit.",
    ),
    "RS050": Entry(
        "clusters do not fit the rows",
        "A cluster is what rows have in common beyond the case: the patient of a lesion. Every row has one, "
        "and a case belongs to one patient in all its rows. Where a standalone system has its own table, "
        "the same cases are of one patient there.",
    ),
    "RS097": Entry(
        "a margin cannot be used",
        "A margin is the largest difference that still counts as none: one positive number on the scale of "
        "the measure, chosen before the data are seen.",
    ),
    "RS213": Entry(
        "few readers for random readers",
        "What readers have in common with other readers is learned from their spread. Two or three readers "
        "show it badly: intervals are wide, and their level rests on the normal distribution of three "
        "numbers. Four or five are the usual least. With readers='fixed' the result is about these readers "
        "alone.",
    ),
    "RS214": Entry(
        "the error term of the test is zero",
        "The difference between modalities is the same for every reader, or nothing varies at all: identical "
        "modalities, or AUCs that are all 1. The test then divides by zero or by the luck of the cases "
        "alone. A p-value of 1 that comes with this warning says that, and no more; means that differ "
        "without any error have no p-value and no interval.",
    ),
    "RS215": Entry(
        "cases are not read in every cell",
        "Readers or modalities have cases of their own, and others in common. Obuchowski and Rockette's "
        "analysis holds for any overlap, because it needs only the mean covariances; a reader counts the "
        "same, however many cases were read. Find out why ratings are missing: cases that were skipped "
        "because they were hard flatter the reader.",
    ),
    "RS217": Entry(
        "the jackknife does not fit a rate at a rate",
        "A sensitivity at a specificity jumps with single cases, and leaving out one at a time does not show "
        "how it varies. In simulations of 5 readers and 50 + 50 cases the jackknife gave a sensitivity at "
        "specificity 0.9 nine times its variance, and a test at level 0.05 that rejected in 11 % of studies "
        "without a difference. Use covariance='bootstrap'.",
    ),
    "RS218": Entry(
        "few cases of a class",
        "Covariances are estimated from the cases of each class. With a handful they are noisy, and "
        "intervals are narrower or wider than they should be by luck.",
    ),
    "RS219": Entry(
        "ratings of a reader study seem to run the other way",
        "The mean AUC of a modality, or that of one reader with it, is below 1/2 by more than three standard "
        "errors. Low ratings may mean positive, the classes may be swapped, or one reader may have used the "
        "scale the other way round. rocsteady turns no ratings round by itself: the result stands as the "
        "ratings do, and a modality that looks better may be the worse one.",
    ),
    "RS220": Entry(
        "too few cases beyond the threshold of an average curve",
        "A false positive rate of 0.01 among 50 negative cases is half a case: one case sets each reader's "
        "threshold, and the sensitivity read there is more luck than skill. Up to one case, 95 % intervals "
        "of ordinal ratings were measured to cover 88 to 92 % of the time. Bands leave such places out.",
    ),
    "RS221": Entry(
        "hardly a case is left to be missed, or caught",
        "Where the average reader misses less than one positive case (or catches less than one), many "
        "readers have the very same rate, and neither they nor resampled cases show how it varies: 95 % "
        "intervals were measured to cover 30 to 93 % of the time. Bands leave such places out.",
    ),
    "RS262": Entry(
        "a variance by U-statistics came out negative",
        "The unbiased variance is a difference of two estimates. Where readers and cases add little, as with "
        "modalities that are read almost alike, it may fall below zero. The biased variance of the same "
        "moments, which errs upwards, stands in: intervals are wide and tests cautious. "
        "method='obuchowski-rockette' sets components at zero instead, where the design allows it.",
    ),
    "RS223": Entry(
        "the pilot shows no difference of modalities within readers",
        "Readers differ in what a modality does for them, and only more readers average that out. A pilot of "
        "few readers often shows none of it, or less than none: the estimate is a difference of two noisy "
        "numbers, and below 0 it counts as 0. A plan then trades readers for cases as if they were the same, "
        "and a real study has less power than it says. Plan for more readers, and look at the range.",
    ),
    "RS224": Entry(
        "a margin is held against a standard error of zero",
        "Identical readings, or AUCs that are all 1, have a standard error of 0. That is no evidence: it "
        "takes cases that contradict to learn how much two modalities may differ. There is no p-value then, "
        "and neither non-inferiority nor equivalence is shown, whatever the margin.",
    ),
    "RS226": Entry(
        "cases without a standalone score are left out",
        "The system and the readers are compared on the same cases. Cases that it did not score were left "
        "out for the readers, too, because missing='drop' was asked for. A system that fails on cases fails "
        "on the hard ones more often: what is left flatters it.",
    ),
    "RS227": Entry(
        "a standalone system that gives decisions",
        "One value orders nothing. Two are one operating point, and the area under it is the mean of its "
        "sensitivity and specificity. Readers who gave ratings are credited with the whole curve between "
        "their points, so the areas do not compare. Pass the scores behind the decisions, or compare "
        "sensitivity and specificity at the readers' threshold.",
    ),
    "RS266": Entry(
        "groups share cases",
        "The groups judged the same cases, so their AUCs are not independent: the luck of the cases is in "
        "all of them. compare takes groups as independent. compare_readers takes readers and cases as random "
        "together.",
    ),
}
