"""Resampling: the bootstrap of cases, groups and clusters."""

from __future__ import annotations

from rocsteady.codes.entry import Entry

ENTRIES: dict[str, Entry] = {
    "RS056": Entry(
        "groups and cases cannot both be drawn again",
        "Each group was measured on its own cases, so the spread between groups already holds the noise of "
        "those cases. To draw groups, and then cases within them, would count that noise twice, and the "
        "intervals would be too wide (Davison & Hinkley 1997, section 3.8; Field & Welsh 2007). Draw groups "
        "to speak about all groups of which yours are a sample; draw cases to speak about these very groups.",
    ),
    "RS057": Entry(
        "there is nothing to draw from",
        "Groups, or clusters, are drawn whole. With a single one every resample is that one again, and there "
        "is no spread to see. Draw cases instead, or name more groups.",
    ),
    "RS058": Entry(
        "these clusters do not fit the rows",
        "Clusters name the patient, user or site of every row, so that rows which belong together are drawn "
        "together. Rows of a set are kept group after group, so it takes one array for each group. A curve "
        "has counts, not rows, and takes none. The clusters of several groups are the same in all of them, "
        "and drawn for all at once; or others in each, and drawn within each.",
    ),
    "RS270": Entry(
        "fewer than a hundred resamples",
        "The limits of an interval are the most extreme few per cent of the resamples. Of fewer than a "
        "hundred that is two or three of them, and another seed gives another interval. 2,000 are usual and "
        "take milliseconds.",
    ),
    "RS271": Entry(
        "all resamples are equal",
        "Separated classes, equal scores or groups that are alike give every resample the same value. The "
        "interval then has no width, which is not certainty: nothing that could vary was seen to vary.",
    ),
    "RS272": Entry(
        "groups or clusters too few for this interval",
        "Fewer than eight groups, or clusters with cases of a class, are too few and too much alike for "
        "percentiles of resamples: of three they cover 75 %, not 95 %. On the logit scale with Student's t, "
        "the usual interval, it is 92 to 96 %. Means of areas near 0 or 1 are skewed: with fewer than 30 "
        "groups of mean AUC 0.95 the t interval covered 91 to 93 %, the usual one 92 to 95 %, and of mean "
        "AUC 0.98 it was 89 to 93 % and 93 to 94 %. Areas of pooled and threshold curves need more groups "
        "if their scores lie on different levels: with levels that scatter half as much as the scores of "
        "one class, and 200 cases of each class per group, 95 % intervals of 10 groups covered 85 to 90 %, "
        "of 20 89 to 92 %, of 30 91 to 95 % (300 to 800 simulated sets each).",
    ),
    "RS273": Entry(
        "many resamples lacked a class and were drawn again",
        "Where clusters or groups are drawn whole, a resample may hold no positive or no negative. It has no "
        "curve and is drawn again. If many are, the intervals hold for samples that have both classes only.",
    ),
    "RS274": Entry(
        "a class with one case, or in one cluster",
        "Resamples of one case are all that case. The interval shows the spread of the other class only.",
    ),
}
