"""Write docs/coverage.md from docs/coverage.json, which  python -m simulations.coverage  makes.

python docs/make_coverage.py [file]
"""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RESULTS, PAGE = HERE / "coverage.json", HERE / "coverage.md"
OFF = 0.02
"""A share further than this from what was promised is set in bold."""

Results = dict[str, dict[str, Any]]
Setting = dict[str, Any]
Counts = dict[str, list[int]]


@dataclass(frozen=True)
class Table:
    """A table of the page: which cells, and what settings and methods are called."""

    questions: tuple[str, ...]
    settings: dict[str, str]
    methods: dict[str, str]
    words: dict[Any, str] = field(default_factory=dict)
    warns: str = ""
    """The code of a warning whose share is shown, too."""


SIZES = {"n_positives": "positives", "n_negatives": "negatives"}
PER_CLASS = {"n_groups": "datasets", "n": "per class"}
SCENARIO = {"scenario": "models"}
AREA = {"area": "AUC"}
FORMULAS = {
    "guarded": "guarded (default)",
    "logit": "logit",
    "delong": "DeLong, Wald",
    "hanley-mcneil": "Hanley-McNeil",
    "spss": "as SPSS prints",
    "bootstrap": "bootstrap",
}
READERS = {"n_readers": "readers", "n": "per class"}
COVARIANCES = {
    "DeLong": "DeLong (default)",
    "jackknife": "jackknife",
    "unbiased": "unbiased",
    "U-statistics": "U-statistics",
}
LEARNERS = {"learner": "learner", "repeats": "folds"}
REPEATS = {1: "10", 5: "5 × 10"}
SMAUC = {"shape": "scores", "mid": "Mid"}
CASES_OF = {"n": "cases", "prevalence": "prevalence"}
MIDS = {"paper": "the paper's", "too high": "promise too much"}
OF_SMAUCS = {"test": "t", "exchange": "models exchanged"}
PATIENTS = AREA | {"n_patients": "patients", "correlation": "correlation in a patient"}
CHOSEN = {"criterion": "chosen by"} | AREA
CRITERIA = {
    "youden": "Youden",
    "tpr=0.9": "TPR 0.9",
    "fpr=0.1": "FPR 0.1",
    "cost5": "costs 1 and 5, prevalence 0.3",
}
ATTAINED = {
    "FPR": "FPR, corrected",
    "TPR": "TPR, corrected",
    "FPR, threshold given": "FPR, as if the threshold were given",
    "TPR, threshold given": "TPR, as if it were given",
}
MEASURED = {name: name for name in ("f1", "accuracy", "mcc", "kappa")} | {
    "ppv=0.7 at 0.3": "PPV 0.7 at prevalence 0.3",
    "npv=0.9 at 0.3": "NPV 0.9 at prevalence 0.3",
}
WITH_MEASURE = {"FPR": "FPR", "TPR": "TPR", "measure": "the measure, or the free rate"}
BEST = {"threshold": "threshold", "FPR": "FPR", "TPR": "TPR"}
SHAPES = {"spread": "positives spread twice as much", "ratings": "five ratings, many ties"}
OF_CLASSES = {"hand-till": "Hand and Till", "one-versus-rest": "one versus rest"}
TABLES = {
    "one_auc": Table(("one_auc", "one_auc_bootstrap", "one_auc_spss"), AREA | SIZES, FORMULAS),
    "one_auc_shapes": Table(
        ("one_auc_shapes", "one_auc_shapes_bootstrap", "one_auc_shapes_spss"),
        {"shape": "scores"} | AREA | SIZES,
        FORMULAS,
        SHAPES,
    ),
    "mean_auc": Table(
        ("mean_auc", "mean_auc_bootstrap"),
        {"spread": "datasets differ"} | AREA | SIZES | {"n_groups": "datasets"},
        {
            "t": "t, mean AUC, linear",
            "bootstrap of datasets": "bootstrap of datasets, mean AUC",
            "reml": "random effects (REML), typical AUC",
            "dersimonian-laird": "random effects (DL), typical AUC",
            "next dataset": "prediction interval, next dataset",
        },
        {0.0: "no", 0.4: "yes"},
    ),
    "new_dataset": Table(
        ("new_dataset",),
        {"spread": "sd of d"} | AREA | SIZES | {"n_groups": "datasets"},
        {"guarded": "guarded (default)", "hartung-knapp": "spread as known"},
    ),
    "hospitals_auc": Table(
        ("hospitals_auc",),
        AREA | {"differ": "hospitals differ", "n": "per class", "n_groups": "hospitals"},
        {"logit": "t, logit of the mean (default)", "linear": "t, the mean itself"},
        warns="RS289",
    ),
    "hospitals_rates": Table(
        ("hospitals_rates",),
        AREA | {"differ": "hospitals differ"} | SIZES | {"n_groups": "hospitals"},
        {
            "area, shared": "area, threshold average",
            "TPR, set again": "TPR at FPR 0.1, threshold set again",
            "TPR, kept": "TPR, threshold kept",
            "FPR, kept": "FPR, threshold kept",
            "TPR, own": "TPR at FPR 0.1, own thresholds",
        },
        warns="RS317",
    ),
    "learners": Table(
        ("learners",),
        LEARNERS,
        {
            "AUC": "AUC",
            "TPR": "TPR at FPR 0.1",
            "AUC, learner": "AUC, all training sets",
            "TPR, learner": "TPR, all training sets",
            "AUC, folds as a sample": "AUC, folds as a sample",
            "TPR, folds as a sample": "TPR, folds as a sample",
        },
        REPEATS,
    ),
    "learners_tests": Table(
        ("learners_tests",),
        LEARNERS,
        {
            "AUC": "AUC",
            "curve": "whole curve",
            "AUC, folds as a sample": "AUC, folds as a sample",
            "curve, folds as a sample": "whole curve, folds as a sample",
        },
        REPEATS,
    ),
    "mixed_patients": Table(
        ("mixed_patients",),
        PATIENTS,
        {
            "AUC": "AUC",
            "sensitivity": "sensitivity at a threshold",
            "TPR at FPR": "TPR at FPR 0.2",
            "AUC, rows": "AUC, rows as if alone",
            "sensitivity, rows": "sensitivity, rows as if alone",
            "TPR at FPR, rows": "TPR, rows as if alone",
        },
    ),
    "mixed_patients_test": Table(
        ("mixed_patients_test",), PATIENTS, {"patients": "patients named", "rows": "rows as if alone"}
    ),
    "chosen_cutoffs": Table(("chosen_cutoffs",), CHOSEN | SIZES, ATTAINED, CRITERIA),
    "chosen_cutoffs_groups": Table(
        ("chosen_cutoffs_groups",), CHOSEN | {"n_groups": "hospitals"}, ATTAINED, CRITERIA
    ),
    "chosen_measures": Table(("chosen_measures",), CHOSEN | SIZES, WITH_MEASURE, MEASURED),
    "chosen_measures_groups": Table(
        ("chosen_measures_groups",), CHOSEN | {"n_groups": "hospitals"}, WITH_MEASURE, MEASURED
    ),
    "chosen_points": Table(("chosen_points",), CHOSEN | {"n_groups": "hospitals"}, WITH_MEASURE, MEASURED),
    "best_cutoffs": Table(
        ("best_cutoffs",),
        {"criterion": "chosen by", "of": "population"} | SIZES,
        BEST,
        MEASURED | {"slides": "N(1.32, 0.16), N(1.72, 0.18)", "weak": "N(0, 1), N(1, 1)"},
    ),
    "best_cutoffs_groups": Table(
        ("best_cutoffs_groups",), {"criterion": "chosen by", "n_groups": "hospitals"}, BEST, MEASURED
    ),
    "plans": Table(
        ("plans",),
        {"measure": "measure", "times": "times the cases of the pilot", "n_pilot": "groups of the pilot"},
        {"counting the pilot": "counting the pilot (default)", "variance as known": "its variance as known"},
    ),
    "class_aucs": Table(
        ("class_aucs",),
        {"shares": "classes", "apart": "distance", "n": "cases"},
        OF_CLASSES | {f"{own}, parts": f"{own}: its parts" for own in OF_CLASSES},
    ),
    "class_aucs_folds": Table(
        ("class_aucs_folds",),
        {"n": "cases", "apart": "distance", "repeats": "folds"},
        OF_CLASSES,
        REPEATS,
    ),
    "class_aucs_hospitals": Table(
        ("class_aucs_hospitals",),
        {"apart": "distance", "differ": "hospitals differ", "n_groups": "hospitals"},
        OF_CLASSES,
        warns="RS289",
    ),
    "cross_validation": Table(
        ("cross_validation",),
        {"n_cases": "cases", "n_folds": "folds", "n_features": "features"},
        {
            "t over folds, these models": "t over folds, these models",
            "influence, these models": "influence, these models",
            "Nadeau-Bengio, these models": "Nadeau-Bengio, these models",
            "t over folds, all training sets": "t, all training sets",
            "influence, all training sets": "influence, all training sets",
            "Nadeau-Bengio, all training sets": "Nadeau-Bengio, all training sets",
        },
    ),
    "average_pointwise": Table(
        ("average_pointwise",),
        PER_CLASS,
        {
            "t at 0.02": "t, FPR 0.02",
            "t at 0.1": "t, FPR 0.1",
            "t at 0.3": "t, FPR 0.3",
            "linear at 0.1": "the same, linear, FPR 0.1",
            "normal at 0.1": "1.96 standard errors, FPR 0.1",
        },
    ),
    "average_band": Table(("average_band",), PER_CLASS, {"band": "simultaneous band"}),
    "shared_threshold": Table(
        ("shared_threshold",),
        {"method": "average", "n_groups": "datasets"},
        {
            "interval at 0.02": "interval, FPR 0.02",
            "interval at 0.1": "interval, FPR 0.1",
            "interval at 0.3": "interval, FPR 0.3",
            "band": "simultaneous band",
        },
    ),
    "pooled_auc": Table(
        ("pooled_auc",), PER_CLASS, {"datasets": "bootstrap of datasets", "rows": "logit, rows as if alone"}
    ),
    "patients": Table(
        ("patients",),
        AREA | {"n_patients": "patients, 4 rows each"},
        {"patients": "bootstrap of patients", "rows": "logit, rows as if alone"},
    ),
    "tpr_at_fpr": Table(
        ("tpr_at_fpr",),
        AREA | SIZES,
        {
            "score at 0.05": "score, FPR 0.05",
            "score at 0.1": "score, 0.1",
            "score at 0.3": "score, 0.3",
            "exact at 0.05": "exact, 0.05",
            "exact at 0.1": "exact, 0.1",
            "exact at 0.3": "exact, 0.3",
            "bootstrap at 0.05": "bootstrap, 0.05",
            "bootstrap at 0.1": "bootstrap, 0.1",
            "bootstrap at 0.3": "bootstrap, 0.3",
        },
    ),
    "curve_band": Table(
        ("curve_band",), AREA | SIZES, {"fixed-width": "fixed width (default)", "rectangle": "rectangle"}
    ),
    "compare_intervals": Table(
        ("compare_intervals",),
        SCENARIO | PER_CLASS,
        {"AUC": "AUC, t", "TPR at FPR 0.1": "TPR at FPR 0.1, t", "band": "simultaneous band"},
        {"better": "one better"},
    ),
    "compare_tests": Table(
        ("compare_tests", "compare_tests_skewed"),
        SCENARIO | PER_CLASS,
        {
            "t of AUC": "t of AUC",
            "Wilcoxon of AUC": "Wilcoxon of AUC",
            "sign flips of the curve": "sign flips of the curve",
        },
    ),
    "compare_unpaired": Table(
        ("compare_unpaired",),
        {"n_first": "datasets of one", "n_second": "of the other", "n": "per class"},
        {"Welch of AUC": "Welch of AUC", "flips of the curve": "flips of the curve"},
    ),
    "winner_map": Table(("winner_map",), SCENARIO | PER_CLASS, {"a wrong region": "some region wrong"}),
    "compare_cases": Table(
        ("compare_cases",),
        SCENARIO | SIZES,
        {
            "AUC": "AUC, DeLong",
            "TPR at FPR 0.1": "TPR at FPR 0.1, bootstrap of cases",
            "band": "simultaneous band, bootstrap of cases",
        },
        {"better": "one better"},
    ),
    "two_aucs": Table(
        ("two_aucs",),
        AREA | SIZES,
        {
            "two, t": "two, t (default)",
            "two, normal": "two, normal",
            "three, F": "three, F (default)",
            "three, chi-square": "three, chi-square",
            "apart, t": "two apart, t (default)",
        },
    ),
    "two_curves": Table(
        ("two_curves",),
        AREA | SIZES,
        {
            "DeLong": "DeLong, normal",
            "bootstrap of AUC": "bootstrap of AUC",
            "bootstrap of TPR at FPR 0.1": "bootstrap of TPR at FPR 0.1",
            "Venkatraman": "Venkatraman",
        },
    ),
    "smauc_cases": Table(("smauc_cases",), SMAUC | CASES_OF, {"interval": "interval"}, MIDS, warns="RS298"),
    "smauc_datasets": Table(
        ("smauc_datasets",),
        {"spread": "datasets differ", "mid": "Mid", "n_groups": "datasets"},
        {"interval": "t"},
        {0.0: "no", 0.7: "yes"} | MIDS,
    ),
    "smauc_folds": Table(
        ("smauc_folds",),
        LEARNERS,
        {
            "these models": "these models",
            "the learner": "all training sets",
            "the learner, folds as a sample": "all training sets, folds as a sample",
        },
        REPEATS,
    ),
    "compare_smauc_cases": Table(
        ("compare_smauc_cases",), SCENARIO | {"mid": "Mid"} | CASES_OF, OF_SMAUCS, MIDS
    ),
    "compare_smauc_datasets": Table(
        ("compare_smauc_datasets",), SCENARIO | {"mid": "Mid", "n_groups": "datasets"}, OF_SMAUCS, MIDS
    ),
    "compare_smauc_folds": Table(
        ("compare_smauc_folds",),
        LEARNERS,
        {"test": "t of smAUC", "exchange": "models exchanged (these models)", "AUC": "t of AUC"},
        REPEATS,
    ),
    "smauc_permuted": Table(
        ("smauc_permuted",), {"design": "design"}, {"permutation": "permutation of the labels"}
    ),
    "readers_tests": Table(
        ("readers_tests",), {"structure": "structure", "separation": "d'"} | READERS, COVARIANCES
    ),
    "readers_shapes": Table(
        ("readers_shapes",),
        {"shape": "study", "separation": "d'", "n_readers": "readers"},
        COVARIANCES,
    ),
    "readers_designs": Table(
        ("readers_designs",),
        {"design": "design", "separation": "d'"} | READERS,
        COVARIANCES,
        {
            "nested in readers": "cases nested in readers",
            "nested in modalities": "cases nested in modalities",
            "readers nested": "readers nested in modalities",
        },
    ),
    "readers_patients": Table(
        ("readers_patients",),
        {"rows": "patients", "n_patients": "how many"} | AREA | {"n_readers": "readers"},
        {
            "DeLong, patients": "DeLong, patients",
            "jackknife, patients": "jackknife, patients",
            "DeLong, rows": "DeLong, rows as if alone",
        },
    ),
    "readers_intervals": Table(
        ("readers_intervals",),
        AREA | READERS,
        {
            "readers and cases": "readers and cases random",
            "cases": "cases random",
            "readers": "readers random",
        },
    ),
    "readers_means": Table(
        ("readers_means",),
        AREA | READERS,
        {
            "readers and cases": "readers and cases random",
            "readers and cases, t": 'the same, `interval="t"`',
            "cases": "cases random",
            "readers": "readers random",
        },
    ),
    "readers_measures": Table(
        ("readers_measures",),
        AREA | READERS,
        {
            "AUC": "AUC",
            "partial AUC": "partial AUC, FPR 0 to 0.2",
            "sensitivity at specificity 0.9": "sensitivity at specificity 0.9",
            "sensitivity at a threshold": "sensitivity at a threshold",
        },
    ),
    "readers_curves": Table(
        ("readers_curves",),
        AREA | READERS,
        {"at 0.05": "FPR 0.05", "at 0.1": "FPR 0.1", "at 0.3": "FPR 0.3"},
    ),
    "readers_standalone": Table(
        ("readers_standalone",),
        AREA | READERS,
        {"readers and cases": "readers and cases random", "cases": "cases random"},
    ),
}


HEAD = """
# How often intervals cover and tests reject

Every interval and every test of rocsteady was tried on samples from populations whose truth is known. A 95 %
interval should hold that truth in 0.95 of the samples; a 5 % test should reject a true hypothesis in 0.05 of
them. The tables show the shares that were counted; an empty cell was not tried.

**Bold**: off by more than 0.02. A star \\* beside it: off to the safe side (too wide, or too cautious). Bold
without a star is where a method says more than it knows; the methods warn of it, with a code that
`rocsteady explain` knows, unless the text says otherwise.

All numbers are made by `python -m simulations.coverage` (seeded; stored in
[coverage.json](coverage.json)) and written here by `python docs/make_coverage.py`. Scores are normal, with
equal spread in both classes, unless said otherwise.
"""
SECTIONS = {
    "one_auc": (
        "One AUC",
        "`auc_interval(method=...)`. What is random is the cases. The bootstrap takes percentiles of "
        "1,000 resamples. The guarded limits are, for c = 0 and c = 1/4, the outer ones of "
        "expit(logit(A_c) ± t_c √(V10_c + V01_c) / (A_c (1 − A_c))): A_c is the AUC after c cases that are "
        "tied with everything were added to each class, V10_c and V01_c are the parts of DeLong's variance "
        "that the two classes add, and t_c is Student's quantile with Satterthwaite's degrees of freedom "
        "(V10_c + V01_c)² / (V10_c² / (m + c − 1) + V01_c² / (n + c − 1)) for m positives and n negatives.",
    ),
    "one_auc_shapes": (
        "One AUC, other scores",
        "The same where the positives spread twice as much, and where scores are ratings from 1 to 5.",
    ),
    "tpr_at_fpr": (
        "The TPR at an FPR, one curve",
        "`curve.tpr_interval(fpr)`, for the curve of the population. The threshold is uncertain as "
        "well as the rate.",
    ),
    "curve_band": (
        "The whole of one curve",
        '`curve.band(kind="simultaneous")`: whether the whole curve of the population lies in the band.',
    ),
    "mean_auc": (
        "One AUC for many datasets",
        '`summarize_auc(method="t")` and `bootstrap(random="groups")` are for the mean AUC over '
        "datasets like these. Random effects work on the logit scale: their interval is for the AUC "
        "at the mean logit, and their prediction interval for the AUC that one more dataset would "
        "have with very many cases. Both are shown as other software has them "
        '(`interval="hartung-knapp"`), t with `scale="linear"`; the defaults follow. Where datasets differ, '
        "their separations are N(d, 0.4).",
    ),
    "new_dataset": (
        "The next dataset",
        '`summarize_auc("random-effects").prediction_interval`, for the true AUC of one more dataset: the '
        "default, which counts what is not known of the spread between datasets, and with it taken as known.",
    ),
    "hospitals_auc": (
        "The mean AUC of hospitals that differ",
        '`summarize_auc(method="t")`, for the mean AUC over all hospitals: Student\'s t for the logit of the '
        'mean, by the delta method, or for the mean itself (`scale="linear"`, as in the papers). Separations '
        "differ by a standard deviation of 0.2, 0.5, 0.8 or 1.2. Where AUCs near 1 differ much and hospitals "
        "are few, AUCs scatter to one side; the last column is the share of samples in which that is said.",
    ),
    "hospitals_rates": (
        "Rates and areas over hospitals",
        '`average("threshold")` and `average("vertical")`, held against the true curves of all hospitals; '
        "the score level of a hospital shifts by N(0, 0.5). *Set again*: other data meet the FPR with a "
        "threshold of their own, `at(fpr=0.1)`. *Kept*: `at(threshold=...)`. Where every hospital has its "
        "own threshold, small ones read the top of their steps, so the mean is too high (errata H8); the "
        "last column is the share of samples in which that is said.",
    ),
    "pooled_auc": (
        "The AUC of all rows under one threshold",
        '`bootstrap(random="groups", average="pooled")`, where the score level of a dataset shifts by '
        "N(0, 0.5): for the mean of such pooled AUCs.",
    ),
    "patients": (
        "Several rows of a patient",
        '`bootstrap(random="clusters")`. Half of the variance of a score is common to the four rows '
        "of a patient.",
    ),
    "mixed_patients": (
        "Patients with rows of both classes",
        "Intervals of one curve where rows name their patient (`cluster=`), and as if rows were independent: "
        "`auc_interval()`, the sensitivity at a threshold given beforehand, `tpr_interval(0.2)`. Each "
        "patient has one to six rows. Below 20 patients there is a warning (RS157).",
    ),
    "mixed_patients_test": (
        "Two AUCs of such patients: a test",
        "`compare_auc(clusters=...)`: how often classifiers with the same AUC are told apart.",
    ),
    "class_aucs": (
        "The AUC of several classes: one sample",
        "`scores.auc(method).interval()` of a fixed model on one random sample, and `part_intervals()` of "
        "each pair of classes or each class against the rest. Three classes are equally frequent, or as "
        "5 : 4 : 1; five as 6 : 4 : 3 : 2 : 1. Outputs are the densities of normal classes that lie so many "
        "standard deviations along axes of their own.",
    ),
    "class_aucs_folds": (
        "The AUC of several classes: a cross-validation",
        "The same over ten folds, or five repeats of ten, of a model that learns the means of three classes "
        "in six dimensions. Intervals are held against the mean AUC of the very models that were trained. "
        "They allow for shared training cases, and are wide for a stable learner.",
    ),
    "class_aucs_hospitals": (
        "The AUC of several classes: hospitals that differ",
        '`design="independent"`: 60 cases in each hospital, where the distance of the classes is another in '
        "each (standard deviation of its logarithm 0.1, 0.4 or 0.8). Intervals are held against the mean "
        "over all hospitals there could be. The last column is how often RS289 warns.",
    ),
    "cross_validation": (
        "The AUC of a cross-validation",
        "`summarize_auc(method=...)` of the folds of one cross-validation. A nearest-mean classifier "
        "is trained on all folds but one, so the true AUC of every model is known. Intervals are held "
        "against the mean of these very models, and against the mean over all training sets of that "
        "size.",
    ),
    "learners": (
        "Cross-validated learners: intervals",
        'The defaults for folds: `summarize_auc(folds)` and `average(folds, "threshold").at(fpr=0.1)`, with '
        "s² (1 / M + ρ) for M folds, ρ test cases to each training case. 200 cases; logistic regression, "
        "naive Bayes and a decision tree. Intervals are held against the mean performance of the models "
        "that were trained, and against that of all training sets. Beside them: the same if folds were "
        "taken as a random sample, which nothing does any more unless told.",
    ),
    "learners_tests": (
        "Cross-validated learners: tests",
        "`compare(folds)` of two learners of one kind that see other features of the same distribution: how "
        "often they are told apart. One set of ten folds is cautious; repeats help.",
    ),
    "chosen_cutoffs": (
        "Rates at a cut-off chosen on the same rows",
        "`choose_cutoff(...).corrected()`: the population's rates at the very threshold that was chosen. "
        "Beside it Wilson's intervals, which take the threshold for given.",
    ),
    "chosen_cutoffs_groups": (
        "Rates at a cut-off chosen on the same hospitals",
        "The same for the threshold average of hospitals of 40 + 40 cases that shift and differ; beside it "
        "Student's t at the threshold.",
    ),
    "chosen_measures": (
        "A measure that a cut-off makes large",
        '`choose_cutoff(curve, "mcc").corrected()` and others: the rates and the measure itself in the '
        "population, at the threshold that was chosen. Samples in which no threshold attains the predictive "
        "value are left out.",
    ),
    "chosen_measures_groups": (
        "A measure that a cut-off makes large, on an average",
        "The same for the threshold average of hospitals of 40 + 40 cases that shift and differ. The rates "
        "of hospitals rise and fall together, which the interval of the measure does not use: it is wide.",
    ),
    "chosen_points": (
        "The best point of a table",
        "`choose_cutoff(table, ...).corrected()` for a table of 41 thresholds over such hospitals: mean "
        "rates and the mean measure of a hospital.",
    ),
    "best_cutoffs": (
        "The best threshold of a population, by a measure",
        "`choose_cutoff(curve, ...).intervals()`: the threshold that is best in the population, and its "
        "rates. Where a predictive value rests on fewer than 20 errors it warns (RS246).",
    ),
    "best_cutoffs_groups": (
        "The best threshold of hospitals, by a measure",
        '`choose_cutoff(average("threshold"), ...).intervals()`, hospitals of 40 + 40 cases being random. Of '
        "predictive values it warns below 20 hospitals, of all others below 8 (RS242).",
    ),
    "plans": (
        "Plans",
        "`plan(assurance=0.8)`: the share of planned studies that are no wider than wanted, the plan being "
        "made from a pilot of a few groups.",
    ),
    "average_pointwise": (
        "An average curve, point by point",
        '`average("vertical").at(fpr=...)`, for the mean curve of datasets of this size (it lies '
        "above that of very large ones: errata H8, [errata.md](errata.md)). d' = 1.5.",
    ),
    "average_band": (
        "An average curve as a whole",
        '`average("vertical").band(kind="simultaneous")` over FPR 0.02 to 0.5: whether the whole mean '
        "curve lies in the band.",
    ),
    "shared_threshold": (
        "Averages under one shared threshold",
        '`average("threshold")` and `average("pooled")` at an FPR, where the score level of a dataset '
        "shifts by N(0, 0.5). Intervals are by what every dataset adds to the reading (linearised); the "
        "band resamples datasets and chooses the threshold again.",
    ),
    "compare_intervals": (
        "Two models over many datasets: intervals",
        "`compare(...)`: the difference of mean AUCs, of the TPR where every dataset meets FPR 0.1, "
        "and of the whole vertical average over FPR 0.02 to 0.5 (band by sign flips). *same*: two "
        "models of one kind. *one better*: d' 1.9 against 1.5. *crossing*: equal AUCs, one with twice "
        "the spread in its positives. *skewed*: equal mean AUCs of 0.95, but one model varies greatly "
        "between datasets and the other does not.",
    ),
    "compare_tests": (
        "Two models over many datasets: tests",
        "The same: how often a difference is found although there is none.",
    ),
    "compare_unpaired": (
        "Two models on datasets of their own",
        "`compare(...)` where no dataset was scored by both models.",
    ),
    "winner_map": (
        "The winner map",
        "`winner_map(...)` over FPR 0.02 to 0.5: how often some region names a model that is not "
        "better there.",
    ),
    "compare_cases": (
        "Two models on one dataset: intervals",
        '`compare(random="cases")`, for the difference in the population of cases. The band does not '
        "warn of few cases.",
    ),
    "two_aucs": (
        "Two or three AUCs on one dataset: tests",
        "`compare_auc(reference=...)`: how often models with the same curve are told apart, on the same "
        "cases or on two sets apart. With fewer than 15 cases of a class it warns (RS156).",
    ),
    "two_curves": (
        "Two models on one dataset: other tests",
        '`compare_auc(reference="normal")`, `bootstrap_test` and `venkatraman_test`: how often two models '
        "with the same curve are told apart. Half of the variance of their scores is common to them.",
    ),
    "smauc_cases": (
        "The smAUC of one dataset",
        "`summarize_smauc(scores)`: other cases, of which other numbers are positive. Scores are those of a "
        "logistic model, calibrated, timid, polarised or promising too many positives. By the paper's rule "
        "Mid is estimated from the same cases; the last column is how often RS298 warns.",
    ),
    "smauc_datasets": (
        "The mean smAUC of several datasets",
        "`summarize_smauc(scores)`, Student's t over datasets of 20 + 40 cases, for the mean of all there "
        "could be.",
    ),
    "smauc_folds": (
        "The smAUC of cross-validated learners",
        "The same over folds, corrected for shared training cases (Mid 0.5, 200 cases). How far scores lie "
        "from one half depends on the training set, which all folds nearly share: the interval holds the "
        "mean of the models that were trained, and not that of the learner. That is said (RS299).",
    ),
    "smauc_permuted": (
        "Labels that have nothing to do with the scores",
        "`summarize_smauc(scores).pvalue`, labels dealt within datasets or folds: 120 cases, and in folds a "
        "logistic regression that was trained on such labels.",
    ),
    "compare_smauc_cases": (
        "Two models by their smAUCs, one dataset",
        "`compare_smauc(scores)` of two models with the same smAUC: how often they are told apart by the t "
        "test and by exchanging the two within cases. `alike`: their scores have the same distribution; "
        "`unlike`: one is polarised, the other timid.",
    ),
    "compare_smauc_datasets": (
        "Two models by their smAUCs, several datasets",
        "The same over datasets of 20 + 40 cases: t, and the models exchanged in whole datasets, of which "
        "six are the fewest that can reach 5 %.",
    ),
    "compare_smauc_folds": (
        "Two learners by their smAUCs",
        "Two equally good learners of one kind over ten folds, or five repeats. Of AUCs the corrected t test "
        "holds; of smAUCs it says more about other training sets than it knows, which RS299 says. Exchanging "
        "takes the trained models for given, and these do differ.",
    ),
    "readers_tests": (
        "Reader studies: two modalities that do not differ",
        '`compare_readers(covariance=...)` and `method="u-statistics"`, readers and cases random, in the '
        "populations of Roe and Metz (1997). The first letter of the structure says whether ratings of one "
        "case are highly correlated (H) or not (L), the second whether readers differ much. At d' 0.75, 1.5 "
        "and 2.5 the mean AUC is about 0.70, 0.85 and 0.95. Three readers are warned of (RS213). With few "
        "cases and AUCs near 1 the tests are cautious.",
    ),
    "readers_shapes": (
        "Reader studies: other ratings",
        "The same in structure HH with 50 cases of each class: ratings from 1 to 5; positives that spread "
        "1.5 times as much as negatives; three modalities; and 20 positives with 180 negatives.",
    ),
    "readers_designs": (
        "Reader studies: not everyone reads everything",
        "The same in structure HH. *per class* counts the cases of the whole study. *Partially paired*: one "
        "half of the cases is read in both modalities, one quarter in each alone. Where readers are nested "
        "in modalities, each modality has as many readers as the column says.",
    ),
    "readers_patients": (
        "Reader studies: several cases of a patient",
        "The same where each patient has three cases (*of one class*) or three of either class (*of both "
        "classes*), with `cluster=` and without. Half of the variance between cases is common to a patient.",
    ),
    "readers_intervals": (
        "Reader studies: the difference of two modalities",
        "`compare_readers(readers=..., cases=...)`, where one modality is better by 0.05; the column says "
        "what is random. The truth is that of all readers and cases, of all cases for these readers, or of "
        "all readers for these cases.",
    ),
    "readers_means": (
        "Reader studies: the mean AUC of one modality",
        '`summarize_readers(interval=...)`. `"logit"` is the default; `"t"` is what the accepted programs '
        "print, and what `compare_readers(...).per_modality` gives beside the difference; the notes of a "
        "comparison say where it is too narrow.",
    ),
    "readers_measures": (
        "Reader studies: other measures",
        "`compare_readers(measure=...)` with the covariance chosen for each: how often modalities are "
        "told apart that do not differ. Of the bootstrap there are 200 resamples.",
    ),
    "readers_curves": (
        "Reader studies: the average curve",
        "`compare_readers(...).average_curve(modality).at(fpr=...)`, readers and cases random, for the mean "
        "curve of all readers.",
    ),
    "readers_standalone": (
        "Reader studies: a program against the readers",
        "`compare_readers(standalone=...)`, where the program has an AUC 0.03 above the mean of the readers.",
    ),
}
OTHER = {
    "auc_intervals": "intervals of one AUC with 10 to 200 cases per class; the bound that is reported where "
    "classes are separated; DeLong's test for two, three and unpaired models.",
    "average_intervals": "intervals of averages read on the upper end and in the middle of jumps, with group "
    "weights; prediction bands, joint regions of both rates, areas.",
    "paired_tests": "paired t tests between operating points over independent folds and over those of one "
    "cross-validation, many points at once, and the power that planned numbers of cases "
    "attain.",
    "planner": "whether the half-width that `plan` promises is reached.",
    "reader_planner": "whether the power that `plan` promises for a reader study is reached.",
    "auc_summaries": "random effects where some AUCs are 1, new datasets, and how often warnings speak.",
    "tuned_averages": "radial, tangent and binormal averages.",
    "cutoffs": "chosen cut-offs and their rates. `cutoff.intervals()`, where 95 % is claimed (two normal "
    "populations with d' 2.4 and 1, a lognormal one and t with 3 degrees of freedom; 50 + 50, 20 + "
    "200 and 200 + 20 cases; Monte-Carlo standard error 1.1 %): targets 95 to 100 %, with an open end"
    " where cases are few; Youden, closest and cost 1:5 94 to 100 %; equal errors 92 to 100 %. Cost "
    "1:20 holds 94 to 100 % where d' is 2.4; where it is best to call nearly everything positive, FPR"
    " 92 to 100 %, TPR 97 to 100 %, the threshold 93 to 100 %, but 88 % with 300 + 300 cases and d' "
    "1. Percentiles, for scores that are tied or weighted: Youden and equal errors 86 to 100 %, cost "
    "1:20 from 37 % (threshold) and 51 % (FPR), TPR 0.95 and FPR 0.01 with 100 + 100 cases 75 to 96 "
    "%. Over 8, 20 and 50 groups: 93 to 99 %, but the threshold of a target 87 to 96 % (its free rate"
    " 92 to 97 %), and cost 1:20 78, 87 and 94 % (its FPR 90, 92 and 96 %).",
    "realised": "thresholds set on some rows and tried on others. `realise` at a budget of 1 %, 200 negatives"
    " and 100 positives per group, 5, 10 and 50 groups: intervals of 95 % for the mean FPR and TPR hold "
    "94 to 97 % with own thresholds, and 94 to 98 % with a shared one where a score means the same in"
    " all groups; that of the share over budget 95 to 99 % with a shared threshold, and 99 % or more "
    "with own ones. Where score levels shift between groups, few groups have most of the false alarms"
    " under a shared threshold: the interval for the mean FPR holds 66, 72 and 84 %, and RS258 warns "
    "in 53, 79 and 100 % of these samples, in none where nothing shifts.",
    "comparability": "whether scores mean the same in every group.",
    "advice": "differences between averages at the operating point. With ten groups of 50 + 50 cases, "
    "95 % intervals cover in 92 to 98 % for differences there, in 94 to 100 % between models, and in 87 to "
    "92 % for differences in AUC to radial and tangent averages, which are skewed.",
}


def rows_of(results: Results, questions: tuple[str, ...]) -> list[tuple[Setting, Counts]]:
    """Settings in the order of the first question, with the counts of all methods and codes."""
    rows: dict[str, tuple[Setting, Counts]] = {}
    for question in questions:
        for cell in results[question]["cells"]:
            key = json.dumps(cell["setting"], sort_keys=True)
            rows.setdefault(key, (cell["setting"], {}))[1].update(cell["shares"] | cell.get("warned", {}))
    return list(rows.values())


def error_of(held: int, of: int) -> float:
    """Monte-Carlo standard error of a share."""
    return float((held / of * (1 - held / of) / of) ** 0.5)


def shown(held: int, of: int, nominal: float) -> str:
    """A share, bold where it is off; a star where it is off to the safe side."""
    share = held / of
    if abs(share - nominal) <= OFF:
        return f"{share:.3f}"
    is_safe = share > nominal if nominal > 0.5 else share < nominal
    return f"**{share:.3f}**" + (" \\*" if is_safe else "")


def table_of(results: Results, table: Table) -> tuple[str, str]:
    """One table, and how sure its shares are."""
    rows = rows_of(results, table.questions)
    nominal = float(results[table.questions[0]]["nominal"])
    lines = [
        [*table.settings.values(), *table.methods.values(), *([f"{table.warns} said"] if table.warns else [])]
    ]
    lines.append(["---"] * len(lines[0]))
    for setting, counts in rows:
        own = [str(table.words.get(setting[name], setting[name])) for name in table.settings]
        lines.append(
            own
            + [shown(*counts[name], nominal) if name in counts else "" for name in table.methods]
            + [f"{counts[code][0] / counts[code][1]:.2f}" for code in (table.warns,) if code]
        )
    every = [counts[name] for _, counts in rows for name in table.methods if name in counts]
    replicates = " or ".join(f"{of:,}" for of in sorted({of for _, of in every}))
    note = (
        f"Promised: {nominal:g}. Shares of {replicates} replicates; their Monte-Carlo standard error is at "
        f"most {max(error_of(*one) for one in every):.3f}."
    )
    return "\n".join("| " + " | ".join(line) + " |" for line in lines), wrapped(note)


def span(
    results: Results, question: str, method: str, where: Callable[[Setting], bool] = lambda setting: True
) -> str:
    """The smallest and the largest share of some cells."""
    shares = [
        cell["shares"][method][0] / cell["shares"][method][1]
        for cell in results[question]["cells"]
        if method in cell["shares"] and where(cell["setting"])
    ]
    low, high = f"{min(shares):.2f}", f"{max(shares):.2f}"
    return low if low == high else f"{low} to {high}"


def advice(results: Results) -> list[str]:
    """What to use when, with the shares that say so."""

    def held(question: str, method: str, where: Callable[[Setting], bool] = lambda setting: True) -> str:
        return span(results, question, method, where)

    def alike(setting: Setting) -> bool:
        return bool(setting["n_positives"] == setting["n_negatives"])

    def uneven(setting: Setting) -> bool:
        return bool(max(setting["n_positives"], setting["n_negatives"]) >= 10 * rarer(setting))

    def small(setting: Setting) -> bool:
        return rarer(setting) <= 50

    def enough(setting: Setting) -> bool:
        return bool(setting["n_readers"] >= 5)

    def three(setting: Setting) -> bool:
        return bool(setting["n_readers"] == 3)

    def one_class(setting: Setting) -> bool:
        return bool(setting["rows"] == "of one class")

    logit = held("one_auc", "logit", alike), held("one_auc", "logit", uneven)
    guarded = held("one_auc", "guarded", uneven), held("one_auc", "guarded")
    more = wider(results, uneven), wider(results, lambda setting: rarer(setting) >= 200)
    plain = held("one_auc", "delong", small), held("one_auc_bootstrap", "bootstrap", small)
    reml = (
        held("mean_auc", "reml", lambda s: s["n_groups"] <= 10),
        held("mean_auc", "reml", lambda s: s["n_groups"] == 100 and rarer(s) == 20),
    )
    following = [
        held("mean_auc", "next dataset", lambda s, n=n: rarer(s) == n and s["spread"] > 0)  # type: ignore[misc]
        for n in (200, 20)
    ]
    influence = [
        held("cross_validation", "influence, these models", lambda s, n=n: s["n_cases"] == n)  # type: ignore[misc]
        for n in (100, 2000)
    ]
    flips = held("compare_tests", "sign flips of the curve", lambda s: s["n_groups"] >= 6)
    wilcoxon = held("compare_tests_skewed", "Wilcoxon of AUC", lambda s: s["n_groups"] == 100)
    skewed = (
        held("compare_tests_skewed", "t of AUC", lambda s: s["n_groups"] <= 10),
        held("compare_intervals", "band", lambda s: s["scenario"] == "skewed" and s["n_groups"] <= 10),
    )
    delong = [
        held("two_aucs", method, lambda s: rarer(s) == 10)
        for method in ("two, t", "two, normal", "three, F", "three, chi-square")
    ]
    return [
        f"""**One AUC.** The default, `"guarded"` ({guarded[1]} in all settings). `"logit"` is narrower and
        holds where both classes are of the same size ({logit[0]}); with ten times as many cases in one
        class as in the other it holds {logit[1]}, least where the AUC is high, and the guarded interval
        {guarded[0]} (on average {more[0]:.0f} % wider there, {more[1]:.0f} % with 200 or more in both
        classes). DeLong's plain
        interval and the percentile bootstrap need more cases than they let on: with 20 or 50 in the rarer
        class {plain[0]} and {plain[1]}. Hanley and McNeil's formula is for when scores are lost; with
        unequal classes it may be anything ({held("one_auc", "hanley-mcneil", uneven)}).""",
        f"""**The TPR at an FPR, one dataset.** `"score"` ({held("tpr_at_fpr", "score at 0.3")} at FPR 0.3,
        {held("tpr_at_fpr", "score at 0.05")} at 0.05: cautious where few negatives set the threshold).
        `"exact"` never falls short, and is wide. Not the percentile bootstrap where few cases lie beyond
        the threshold or the TPR is near 1
        ({held("tpr_at_fpr", "bootstrap at 0.3", lambda s: s["area"] > 0.9)} at FPR 0.3 and AUCs of 0.95
        and 0.99).""",
        f"""**The whole of one curve.** `band(kind="simultaneous")`, by default of fixed width
        ({held("curve_band", "fixed-width")}). `method="rectangle"` is wider still
        ({held("curve_band", "rectangle")}).""",
        f"""**The mean AUC of several datasets.** The t interval for the logit of the mean, from three
        datasets on ({held("hospitals_auc", "logit", lambda s: s["differ"] in ("little", "moderately"))}
        where they differ little or moderately, {
            held("hospitals_auc", "logit", lambda s: s["differ"] in ("much", "very much"))
        } where they differ much, which is warned of near 1; on the linear scale
        {held("hospitals_auc", "linear")}). A bootstrap of datasets
        holds ({held("mean_auc_bootstrap", "bootstrap of datasets")}), as do random effects with up to ten
        datasets ({reml[0]}). Random effects of very many small datasets do not ({reml[1]} with 100
        datasets of 20 positives), because the mean of logits is biased there.""",
        f"""**The next dataset.** The default of random effects, which allows for what is not known of the
        spread ({held("new_dataset", "guarded")} with 5 to 30 datasets). With the spread taken as known
        (`interval="hartung-knapp"`) datasets need own errors that are small beside their differences: with
        200 per class it holds {following[0]}, with 20 positives {following[1]}.""",
        f"""**An average curve.** t intervals at single FPRs from three datasets on
        ({held("average_pointwise", "t at 0.1")} at FPR 0.1); never 1.96 standard errors
        ({held("average_pointwise", "normal at 0.1", lambda s: s["n_groups"] <= 5)} with three or five).
        The simultaneous band from eight on
        ({held("average_band", "band", lambda s: s["n_groups"] >= 8)}).""",
        f"""**Rows that belong together** (patients, hosts): name them, and intervals of one curve allow for
        it ({held("mixed_patients", "AUC")} for the AUC of 20 to 60 patients), or resample them whole
        ({held("patients", "patients", lambda s: s["n_patients"] >= 40)} with 40 patients or more). Rows
        taken as independent hold {held("patients", "rows")}.""",
        f"""**A cut-off chosen on the same rows.** `cutoff.corrected()`
        ({held("chosen_cutoffs", "FPR")} for the FPR, {held("chosen_cutoffs", "TPR")} for the TPR); Wilson's
        intervals, which take the threshold for given, hold
        {held("chosen_cutoffs", "FPR, threshold given")} and
        {held("chosen_cutoffs", "TPR, threshold given")}.""",
        f"""**One cross-validation.** No formula knows how its folds depend on each other. With 100 cases the
        influence curve holds {influence[0]}, with 2,000 {influence[1]}; Nadeau and Bengio's correction, the
        default, {held("cross_validation", "Nadeau-Bengio, these models")}: wide, and safe. Repeats make it
        less wide: with five of ten folds the AUC of three learners is held in
        {held("learners", "AUC", lambda s: s["repeats"] == 5)}, and equally good learners are told apart in
        {held("learners_tests", "AUC", lambda s: s["repeats"] == 5)}.""",
        f"""**A plan.** With an assurance of 0.8, {held("plans", "counting the pilot")} of the studies are
        as precise as planned.""",
        f"""**Two models, many datasets.** The paired t for AUCs ({held("compare_tests", "t of AUC")}
        rejected), sign flips for whole curves ({flips} from six datasets on; fewer cannot reach 5 %).
        Both need differences that are not skewed: where AUCs are near 1 and one model varies far more
        between datasets than the other, ten datasets are too few (t rejects {skewed[0]}, the band holds
        {skewed[1]}). Wilcoxon's test asks another question: there it rejects equal means the more, the
        more datasets there are ({wilcoxon} with 100).""",
        f"""**Two models, one dataset.** DeLong for the AUC, with Student's t and Satterthwaite's degrees of
        freedom ({held("two_aucs", "two, t")} rejected; with 10 positives {delong[0]}, by the normal reference
        {delong[1]}; three models by F {delong[2]}, by chi-square {delong[3]}), Venkatraman's
        permutations for whole curves ({held("two_curves", "Venkatraman")}).""",
        f"""**smAUC.** Over cases the interval from what each case adds, with Mid 1/2
        ({held("smauc_cases", "interval", lambda own: own["mid"] == 0.5)}; by the paper's rule, which
        estimates Mid, {held("smauc_cases", "interval", lambda own: own["mid"] == "paper")}); over datasets
        Student's t ({held("smauc_datasets", "interval")}). Two models: t and the exchange of the two reject
        {held("compare_smauc_cases", "test")} and {held("compare_smauc_cases", "exchange")} over cases,
        {held("compare_smauc_datasets", "test")} and {held("compare_smauc_datasets", "exchange")} over
        datasets. Over folds both speak about the trained models: of learners t rejects
        {held("compare_smauc_folds", "test")}.""",
        f"""**Reader studies.** `compare_readers` with readers and cases random, from five readers on
        ({held("readers_tests", "DeLong", enough)} rejected; {held("readers_tests", "DeLong", three)} with
        three), whichever covariance. For the mean of one modality the interval on the logit scale
        ({held("readers_means", "readers and cases", enough)}), not the plain one
        ({held("readers_means", "readers and cases, t", lambda s: s["area"] > 0.9)} at an AUC of 0.95).
        Several cases of a patient need `cluster=` ({held("readers_patients", "DeLong, patients")}
        rejected; taken as independent {held("readers_patients", "DeLong, rows", one_class)}).""",
    ]


def wider(results: Results, where: Callable[[Setting], bool]) -> float:
    """How much wider a guarded interval is than a logit one, in percent, on average over some cells."""
    ratios = [
        cell["widths"]["guarded, width"] / cell["widths"]["logit, width"]
        for cell in results["one_auc"]["cells"]
        if where(cell["setting"])
    ]
    return 100 * (sum(ratios) / len(ratios) - 1)


def rarer(setting: Setting) -> int:
    """How many cases the rarer class has."""
    return int(min(setting["n_positives"], setting["n_negatives"]))


def wrapped(text: str, first: str = "") -> str:
    """A paragraph in lines of the usual length."""
    later = " " * len(first)
    return textwrap.fill(
        " ".join(text.split()),
        118,
        initial_indent=first,
        subsequent_indent=later,
        break_long_words=False,
        break_on_hyphens=False,
    )


def page(results: Results) -> str:
    """The whole page."""
    parts = [wrapped(part) for part in HEAD.strip().split("\n\n")]
    parts += ["## What to use when", "\n".join(wrapped(item, "- ") for item in advice(results))]
    for name, (title, text) in SECTIONS.items():
        parts += [f"## {title}", wrapped(text), *table_of(results, TABLES[name])]
    scripts = [f"[{name}.py](../simulations/{name}.py): {text}" for name, text in OTHER.items()]
    parts += [
        "## Other simulations",
        "Each is a seeded script that prints its tables with their Monte-Carlo errors.",
    ]
    return "\n\n".join([*parts, "\n".join(wrapped(item, "- ") for item in scripts)]) + "\n"


def main() -> None:
    """Write the page, to another file if one is named."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE
    path.write_text(page(json.loads(RESULTS.read_text(encoding="utf-8"))), encoding="utf-8", newline="\n")
    print(path)


if __name__ == "__main__":
    main()
