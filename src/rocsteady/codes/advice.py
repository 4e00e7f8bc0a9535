"""Codes of deployments and what speaks for or against an average."""

from __future__ import annotations

from rocsteady.codes.entry import Entry

ENTRIES: dict[str, Entry] = {
    "RS090": Entry(
        "the answers about the deployment do not fit together",
        "Two questions decide which average is used. Is one threshold shared by all groups? If it is: what "
        "should count equally, groups or rows? If every group has its own: what is held fixed when the "
        "curve is read?",
    ),
    "RS091": Entry(
        "costs or a prevalence are needed",
        "A fixed number of alerts is a share of all cases, so it depends on the prevalence; an expected "
        "cost depends on the prevalence and on what each error costs.",
    ),
    "RS092": Entry(
        "the operating point is unknown, or does not fit here",
        "Where a curve is read it is a value of the quantity that is held: a false positive rate, a true "
        "positive rate, a difference or a ratio of the two error rates, a share of cases called positive; "
        "under a shared threshold, that threshold or a rate. Costs are an operating point themselves. Where "
        "a cut-off is chosen it is a rate to keep (fpr=0.05, tpr=0.9), costs (cost=1:20), the name of a "
        "criterion (youden, closest, eer), or a threshold that is given (t=0.5).",
    ),
    "RS093": Entry(
        "how the scores will be used has not been said",
        "No average is right by itself. One answers what happens under a threshold shared by all groups, "
        "another what happens when every group is tuned to the same false positive rate. So nothing is "
        "recommended until the two questions are answered.",
    ),
    "RS094": Entry(
        "costs are a pair, or a range from one pair to another",
        "A pair is the cost of a false positive and of a false negative. Only their ratio decides which "
        "point is best, so the two ends of a range need different ratios.",
    ),
    "RS310": Entry(
        "pooling groups of very unequal size",
        "A pooled curve counts rows, so it is drawn towards the groups that have most of them (Hogan & "
        "Adams, section 4). The effective number of groups is how many of equal size would share the rows "
        "as unequally.",
    ),
    "RS311": Entry(
        "folds under one threshold",
        "One model with one threshold will be deployed, so the threshold average is what folds are asked "
        "about. But every fold is scored by another model. Where such scores are not comparable, pooling and "
        "threshold averaging bias the curve and its AUC downwards (Parker, Günter & Bedo 2007; Hogan & "
        "Adams, section 4). Said where the folds' scores are seen to differ, and where they cannot be "
        "looked at.",
    ),
    "RS312": Entry(
        "few groups",
        "What is random is the groups, so it is their number that makes an average sure, not the number of "
        "rows. With fewer than eight, intervals that resample groups are not reliable.",
    ),
    "RS313": Entry(
        "a threshold shared by people's ratings",
        "One reader may give 1s and 9s where another gives 4s and 6s and see just as much. Ratings are not "
        "calibrated, so one threshold means something else to each of them (Hogan & Adams, section 4.2).",
    ),
    "RS314": Entry(
        "the average answers another question than the one declared",
        "The average that was chosen holds something else fixed than the deployment does. Its numbers are "
        "right, but they are not about this deployment.",
    ),
    "RS315": Entry(
        "a ratio of error rates is not their difference",
        "The diagonal average holds FPR + TPR, which is the difference of the two error rates. Their ratio "
        "is held along rays from (0, 1): the radial average. The two agree only where both rates are equal "
        "(errata H1).",
    ),
    "RS316": Entry(
        "the cost direction understates what tuned groups achieve",
        "Along the direction of costs all groups stand at the same position, which is best for few of "
        "them. The least cost on that average is at least the mean of the groups' own least costs (errata "
        "H3). The tangent average has that mean exactly.",
    ),
    "RS317": Entry(
        "small groups make the best of their jumps",
        "With few cases of a class a curve climbs in large steps, and reading the top of a step is "
        "optimistic: with 50 negatives 0.369 where the truth is 0.290. More groups do not cure it (errata "
        "H8). The middle of the step is less biased. Under one shared threshold there is no such bias, but "
        "where hardly a case of each group lies beyond it, 95 % intervals were measured to cover 0.91.",
    ),
    "RS318": Entry(
        "some groups are ranked the wrong way round",
        "The interval of their AUC lies below one half. Either the labels or the scores of these groups "
        "run the other way, or the classifier fails there. They are averaged as they are.",
    ),
    "RS319": Entry(
        "another model is ahead under another average",
        "Which classifier is best depends on how it will be used. To be ahead is to have the better number, "
        "not to be shown to be better: the intervals tell which. Only the average that fits the declared "
        "deployment is evidence for it (Hogan & Adams, section 5).",
    ),
    "RS320": Entry(
        "the best model changes within the range of costs",
        "Costs are rarely known precisely (Hogan & Adams, section 4.1). At one end of the range another "
        "model is cheapest than at the other; the message says where they change places.",
    ),
    "RS330": Entry(
        "one threshold is shared, so rates are averaged at thresholds",
        "If a fixed threshold is used in practice, average by threshold (Hogan & Adams, section 4).",
    ),
    "RS331": Entry(
        "every group counts once, so the threshold average",
        "Pooling would draw the curve towards the groups with most rows (Hogan & Adams, section 4.2).",
    ),
    "RS332": Entry(
        "every row counts once, so the pooled curve",
        "Pooling disregards the groups: it is the curve of all rows under one threshold (Hogan & Adams, "
        "section 3.1). At each threshold it is a weighted mean, with other weights for each rate (errata "
        "H5).",
    ),
    "RS333": Entry(
        "thresholds differ, so curves are averaged in ROC space",
        "Thresholds then vary between groups, and what is held fixed is a rate, a balance of the rates or "
        "a cost (Hogan & Adams, sections 4 and 4.1).",
    ),
    "RS334": Entry(
        "the false positive rate is held, so the vertical average",
        "It is the mean true positive rate at each false positive rate (Hogan & Adams, section 4.1).",
    ),
    "RS335": Entry(
        "the true positive rate is held, so the horizontal average",
        "It is the mean false positive rate at each true positive rate (Hogan & Adams, sections 4.1 and "
        "4.2).",
    ),
    "RS336": Entry(
        "the balance of the errors is held, so the diagonal average",
        "It holds the difference of the two error rates; where they are equal it reads the mean of the "
        "groups' equal error rates (Hogan & Adams, section 4.1; errata H1).",
    ),
    "RS337": Entry(
        "the ratio of the errors is held, so the radial average",
        "A ratio of error rates is held along rays from (0, 1), not along the diagonal (errata H1).",
    ),
    "RS338": Entry(
        "the number of alerts is held, so the average at an alarm rate",
        "At a prevalence p the share called positive is (1 - p) FPR + p TPR; the average runs along the "
        "direction in which it does not change (Millard, Flach & Higgins 2014).",
    ),
    "RS339": Entry(
        "every group is tuned to the costs, so the tangent average",
        "It is the mean of the points that are best in each group; its least cost is the mean of the "
        "groups' least costs at every ratio of costs (errata H2 and H3).",
    ),
    "RS340": Entry(
        "averages along a direction share one AUC",
        "The area under an average along any direction is the mean of the areas (Chen & Samuelson 2014; "
        "errata H4), so an AUC does not tell vertical, horizontal and diagonal averages apart.",
    ),
}
