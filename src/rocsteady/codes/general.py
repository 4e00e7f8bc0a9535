"""Codes of arguments, columns, labels, data, files and packages; warnings about single curves."""

from __future__ import annotations

from rocsteady.codes.entry import Entry

ENTRIES: dict[str, Entry] = {
    "RS001": Entry(
        "an argument is not one of the known choices",
        "The message lists what is known. Names are exact; nothing is guessed from a part of one.",
    ),
    "RS002": Entry(
        "the arguments do not fit together",
        "One is missing, unknown, or given where another excludes it; the message says which. On the "
        "command line every command lists its options: rocsteady COMMAND --help",
    ),
    "RS003": Entry(
        "a file is in the way",
        "A file of that name exists and holds something else. rocsteady overwrites it only when told to, and "
        "never what it reads.",
    ),
    "RS010": Entry(
        "the table has no rows",
        "There is nothing to draw a curve from. Often a filter removed everything, or the file holds only "
        "its header line.",
    ),
    "RS011": Entry(
        "a column is missing",
        "The message lists the columns that are there and, where one looks alike, the likely one. Column "
        "names are exact: upper and lower case differ.",
    ),
    "RS012": Entry(
        "two columns have the same name",
        "Which of them is meant cannot be known, so neither is taken. Rename one of them.",
    ),
    "RS013": Entry(
        "arrays have different lengths",
        "Labels, scores, groups, cases and weights are read row by row, so they must be equally long.",
    ),
    "RS014": Entry(
        "a column has to be named",
        "A column is taken without being named only when exactly one has a conventional name (label, "
        "y_true, target, is_positive; score, y_score, y_prob; fold, group, dataset, reader).",
    ),
    "RS015": Entry(
        "columns have different indexes",
        "Two pandas Series were given whose indexes differ. Pairing their rows by place would join "
        "the label of one case to the score of another. Align the Series by their labels, "
        "scores.loc[labels.index], or, where the rows stand in the same order, pass the values without their "
        "index: scores.to_numpy().",
    ),
    "RS016": Entry(
        "this method does not take rows that belong together",
        "Clusters, or named cases with several rows, say that rows are not independent. The method has no "
        "form that allows for it, and would give an interval that is too narrow. Intervals of an AUC "
        "(method='guarded', 'logit', 'delong') and of rates (method='score') allow for it; "
        "bootstrap(scores, ..., random='clusters') draws whole clusters, for any statistic.",
    ),
    "RS020": Entry(
        "the positive label has to be named",
        "Labels that are True/False, 0/1 or -1/1 need no explanation. For any other pair rocsteady does "
        "not guess: calling the wrong class positive turns an AUC of 0.9 into 0.1.",
    ),
    "RS021": Entry(
        "the positive label does not occur",
        "No row carries the label named as positive. Labels are compared exactly; the text '1' and the "
        "number 1 are the same label only where a column of text is read from a file.",
    ),
    "RS022": Entry(
        "more than two labels",
        "A ROC curve has two classes. Name every positive label as a list; all others become negative.",
    ),
    "RS023": Entry(
        "labels are missing",
        "A row without a label says nothing about either class. Drop such rows knowingly; they are counted.",
    ),
    "RS024": Entry(
        "only one class is present",
        "Without positives there is no true positive rate, without negatives no false positive rate, so "
        "there is no curve and no AUC. In a set of groups such a group can be left out: undefined='drop'.",
    ),
    "RS025": Entry(
        "a label is not among the classes",
        "Every label must be one of the classes, and every class has one column of outputs. Name the "
        "classes in the order of the columns: classes=[...].",
    ),
    "RS026": Entry(
        "a case is positive and negative",
        "Whether a case is positive does not depend on who looks at it, so all rows of a case must have the "
        "same class, in every model and group. Often case numbers start again in every group: then join "
        "group and case into one column.",
    ),
    "RS031": Entry(
        "scores are missing",
        "A missing score (NaN) has no place in the order, and a missing score is often a failed prediction "
        "rather than a random gap. Infinite scores are legal: they only mean first or last.",
    ),
    "RS032": Entry(
        "no group has both classes",
        "Every group has only positives or only negatives, so none has a curve. Rows sorted by class "
        "before splitting into folds cause this, and so does grouping by the wrong column.",
    ),
    "RS033": Entry(
        "scores are not real numbers",
        "Scores are compared by size, so they must be integers or floating-point numbers. Text, objects "
        "and complex numbers have no order that would mean the same to everyone.",
    ),
    "RS034": Entry(
        "an array has the wrong shape",
        "One score per row is needed. A two-column array from predict_proba holds one column per class: "
        "take the column of the positive class.",
    ),
    "RS035": Entry(
        "group, model or case names are missing",
        "A row that belongs to no group cannot be put on any curve.",
    ),
    "RS036": Entry(
        "some groups have no curve",
        "The named groups have only one class. They still count in the pooled curve. undefined='drop' "
        "leaves them out of the others and lists them on every result.",
    ),
    "RS037": Entry(
        "weights cannot be used",
        "Weights must be finite and not negative, one per row, and so must their sum and its square be: an "
        "AUC multiplies weights. A rate divides by them, so none may lie between 0 and 1e-300. Rows of "
        "weight zero drop out.",
    ),
    "RS038": Entry(
        "this method does not take weights",
        "The DeLong, nonparametric and Hanley-McNeil formulas count cases; a weighted row is not a number "
        "of cases. The bootstrap resamples rows together with their weights.",
    ),
    "RS041": Entry(
        "scores seem to run the other way",
        "The interval of the mean AUC lies below one half. Either low scores mean positive, or the labels "
        "are swapped, or the classifier is really worse than guessing. rocsteady never flips a curve by "
        "itself; rocsteady check --allow-reversed takes the scores as they are.",
    ),
    "RS042": Entry(
        "a number is outside its range",
        "Rates, prevalences and confidence levels are shares between 0 and 1, not percentages: 95 % is 0.95. "
        "The message says which was given.",
    ),
    "RS043": Entry(
        "counts do not form a curve",
        "Thresholds must fall strictly from the strictest to the loosest, and the counts of true and false "
        "positives at or above them can only rise.",
    ),
    "RS044": Entry(
        "several models in one set",
        "A set with several models has several answers. Choose one with .model(name), or compare them.",
    ),
    "RS045": Entry(
        "cross-validation results cannot be scored",
        "Scores are computed from the fitted estimators on their test rows, so both must be there: "
        "cross_validate(..., return_estimator=True, return_indices=True). An estimator needs "
        "decision_function or predict_proba.",
    ),
    "RS046": Entry(
        "a class has fewer cases than there are folds",
        "Stratified folds deal every class to every fold; with fewer cases than folds some fold would lack "
        "the class. Use fewer folds.",
    ),
    "RS047": Entry(
        "more pairs of cases than can be counted",
        "Variances count pairs of positives and negatives in 64-bit integers, which end at about 4.6e18 "
        "pairs. The curve and its AUC have no such limit.",
    ),
    "RS048": Entry(
        "thresholds cannot be told apart as floats",
        "Integer scores are compared exactly, but floats above 2**53 = 9.0e15 do not reach every integer. "
        "Rates and areas are exact all the same, and so is rates_at where it is asked for an integer. An "
        "offset subtracted from all scores changes no order.",
    ),
    "RS049": Entry(
        "two groups, models or members have the same name",
        "Members are asked for by name. As names, the number 1 and the text '1' are alike.",
    ),
    "RS051": Entry("the file does not exist", "Check the spelling and the folder."),
    "RS052": Entry(
        "the path is a directory, or no file that stays",
        "Name one file in the directory. Pipes and devices can be read only once, and only as standard "
        "input: -",
    ),
    "RS053": Entry(
        "the file cannot be read",
        "It is damaged, cut short, or not what its name says (a Parquet file must be complete to be read; "
        "a CSV file must be text).",
    ),
    "RS054": Entry(
        "the file type is not known",
        "The ending says how to read a file: .csv, .tsv, .parquet, .jsonl, .ndjson or .imrmc; text may be "
        "gzipped (.csv.gz).",
    ),
    "RS055": Entry(
        "the output cannot be written",
        "The disk is full, or the folder may not be written to. Nothing half written is left behind.",
    ),
    "RS061": Entry(
        "an optional package is needed",
        "rocsteady keeps its base small. Install the extra that the message names.",
    ),
    "RS070": Entry(
        "rocsteady itself failed",
        "This is a mistake in rocsteady, not in your data. The file that the message names holds what is "
        "needed to find it: the command, the versions and the place in the code. It holds nothing from "
        "your files except what an error message quotes.",
    ),
    "RS101": Entry(
        "scores take only two values",
        "Hard decisions give a curve of one point and two straight lines. If the classifier can give "
        "probabilities or distances, use those: the curve of hard labels understates it.",
    ),
    "RS102": Entry("rows were dropped", "You asked for it with on_missing='drop'; the count is kept."),
    "RS103": Entry(
        "the compiled kernels are missing",
        "rocsteady was installed without a C++ compiler. The NumPy versions give the same answers, many "
        "times slower. Install a compiler, then install rocsteady again the way it was installed, in a clone "
        "of it by: pip install .",
    ),
    "RS104": Entry(
        "cases with several rows in one group",
        "Rows of one patient are alike, so 40 patients with four rows each are not 160 cases. Intervals of "
        "one curve, compare_auc, and compare of one dataset allow for that. What takes rows as independent "
        "(compare over the cases of several groups at points and along the curve, plan, summarize_auc by "
        "influence, intervals of cut-offs, venkatraman_test) then gives intervals that are too narrow, "
        "often by half. bootstrap(scores, random='clusters') and bootstrap_test draw all rows of a case "
        "together; they do so without being asked where one dataset has named cases that repeat, or cases "
        "in named patients (cluster=). The same case in several groups (readers, repeats of a cross- "
        "validation) is no matter of this warning.",
    ),
    "RS105": Entry(
        "names differ only by blanks at their ends",
        "Text files are full of blanks that nobody meant, so those at both ends of a field are taken away. "
        "The names that the message lists are one name then, and their rows one group (or model, or case). "
        "In a table of Python, and in a Parquet file, names are taken as they stand.",
    ),
    "RS106": Entry(
        "scores seem to run the other way",
        "The interval of a model's mean AUC lies below one half. Either low scores mean positive, or the "
        "labels are swapped, or the classifier is really worse than guessing. rocsteady never flips a curve "
        "by itself. Commands stop here (RS041); in Python roc_curves, average and compare "
        "say it, once for each set.",
    ),
    "RS107": Entry(
        "scores are rounded into ties or to infinity",
        "Scores that are not integers are compared as floats, which have about 16 digits and end at 1.8e308. "
        "Scores that differ only beyond that are ties then, or infinite, and the curve has one point for "
        "them. Integers of up to 64 bits are compared exactly, where all scores are integers. Subtract an "
        "offset, divide by a number or write ranks: none of these changes the order.",
    ),
    "RS108": Entry(
        "groups that may be folds",
        "Groups are called fold, split, cv or repeat, and nothing says whether they are folds of one "
        "cross-validation. They are treated as a random sample. If they are folds, models of different folds "
        "were trained on nearly the same cases, and intervals over folds must be wider: say "
        "design='cross-validation' (--design cross-validation), and name the column of repeats if there are "
        "some (repeat=, --repeat). If every group is a sample of its own, say design='independent'.",
    ),
    "RS109": Entry(
        "patients in several folds",
        "A patient (cluster=) has rows in several folds of one repeat of a cross-validation. The models were "
        "then tested on patients that they had been trained on, and all rates are too good. Make folds of "
        "whole patients, for example with GroupKFold or StratifiedGroupKFold of scikit-learn.",
    ),
    "RS151": Entry(
        "an AUC of exactly 0 or 1",
        "The sample shows no inversion (or nothing but inversions), so every variance formula gives zero "
        "and the usual interval collapses. The interval reported is the exact one-sided bound for 'no "
        "inversion among the rarer class'.",
    ),
    "RS152": Entry(
        "the partial area is below chance",
        "The curve runs below the diagonal in this range, where the standardised value has no agreed "
        "meaning. The number is given all the same; read it with the raw area.",
    ),
    "RS153": Entry(
        "a variance needs two cases per class",
        "With a single positive or negative the spread within that class cannot be estimated; the standard "
        "error is NaN.",
    ),
    "RS154": Entry(
        "an interval without width",
        "Every case of a class stands alike among the other class, as when all scores are equal. The spread "
        "seen is then zero although the AUC is not 0 or 1, and says nothing about how sure the AUC is.",
    ),
    "RS155": Entry(
        "an interval may cover less than it promises",
        "DeLong's standard error is too small where few cases of the rarer class are misplaced, because then "
        "it rests on those few. With 20 positives, 2 000 negatives and an AUC of 0.95 a 95 % logit interval "
        "covers 87 % of the time; with classes of similar size it keeps its level. A guarded interval keeps "
        "it wherever it was tried, and is wider: `auc_interval(method='guarded')`. docs/coverage.md has it "
        "all.",
    ),
    "RS156": Entry(
        "few cases of a class for a test of AUCs",
        "DeLong's variance rests on the spread within each class, which a handful of cases hardly show. "
        "Student's t with Satterthwaite's degrees of freedom allows for that: with 10 positives a 5 % test "
        "of two AUCs on the same cases rejected at most 5 % of true hypotheses (the normal reference up to "
        "9 %). But it then misses most differences, and scores unlike those that were simulated may do "
        "worse. docs/coverage.md has the table.",
    ),
    "RS157": Entry(
        "few clusters for a standard error",
        "Where rows belong together, clusters (patients, users, sites) are what is independent, and errors "
        "rest on how much they differ. Of fewer than 20 with rows of a class that is known only roughly. "
        "Student's t allows for most of it.",
    ),
    "RS201": Entry(
        "a group has no curve",
        "It has only one class and is left out of every average of curves; it still counts in the pooled "
        "curve.",
    ),
    "RS203": Entry(
        "a group has few cases of one class",
        "Its rates move in large steps: with nine positives each of them is worth eleven points of TPR.",
    ),
    "RS205": Entry(
        "many of very many groups have few cases of a class",
        "One by one their curves are mostly noise. Averages are made of all of them, and are as sure as the "
        "number of groups makes them; a report draws some of the single curves only.",
    ),
}
