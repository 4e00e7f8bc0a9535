"""The work: what we call, what the peers call, and how the two answers must agree.

Only public functions of rocsteady are called, with plain arrays, so that validation is measured too.
A task takes a sample and returns the call to measure, as the peers do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from benchmarks import peers
from benchmarks.data import GROUP_SIZE, N_RESAMPLES, Sample
from benchmarks.peers import Call

Contestant = Callable[[Sample], Call]
Agreement = Callable[[Any, Any, Sample], None]  # our answer, theirs, the sample; raises AssertionError


@dataclass(frozen=True)
class Task:
    """Some work, in words, with everyone who does it."""

    title: str
    ours: Contestant
    peers: Mapping[str, tuple[Contestant, Agreement]]


def curve(sample: Sample) -> Call:
    import rocsteady as rs

    return lambda: rs.roc_curve(sample.labels, sample.scores)


def curve_with_rates(sample: Sample) -> Call:
    """What scikit-learn returns are rates; ours are computed when they are read."""
    import rocsteady as rs

    def read() -> tuple[Any, Any, Any]:
        found = rs.roc_curve(sample.labels, sample.scores)
        return found.fpr, found.tpr, found.thresholds

    return read


def weighted_curve(sample: Sample) -> Call:
    import rocsteady as rs

    return lambda: rs.roc_curve(sample.labels, sample.scores, sample_weight=sample.weights)


def auc(sample: Sample) -> Call:
    import rocsteady as rs

    return lambda: rs.auc(sample.labels, sample.scores)


def delong_of_one(sample: Sample) -> Call:
    import rocsteady as rs

    return lambda: rs.auc_interval(sample.labels, sample.scores, method="delong")


def delong_of_two(sample: Sample) -> Call:
    import rocsteady as rs

    return lambda: rs.compare_auc(sample.labels, sample.scores, sample.rival_scores)


def auc_of_groups(sample: Sample) -> Call:
    """From flat columns to the AUC and DeLong standard error of every group."""
    import rocsteady as rs

    def analyse() -> tuple[Any, Any]:
        score_set = rs.ScoreSet.from_arrays(sample.labels, sample.scores, sample.groups)
        curves = rs.roc_curves(score_set)
        return curves.auc, curves.auc_standard_error(method="delong")

    return analyse


def _averaged(sample: Sample, method: str) -> tuple[Any, Callable[[], Any]]:
    """A set of 10,000 groups, made beforehand as the peers' folds are, and the call that averages it."""
    import rocsteady as rs

    score_set = rs.ScoreSet.from_arrays(sample.labels, sample.scores, sample.groups)
    return score_set, lambda: rs.average(score_set, method)


def vertical_on_grid(sample: Sample) -> Call:
    """Mean and sd at 100 false positive rates, counting included."""
    _, average = _averaged(sample, "vertical")
    return lambda: average().at_position(peers.RECIPE_GRID)


def exact_average(method: str) -> Contestant:
    """The exact polyline over the union of all breakpoints, counting included."""

    def prepare(sample: Sample) -> Call:
        _, average = _averaged(sample, method)

        def draw() -> tuple[Any, Any]:
            found = average()
            return found.fpr, found.tpr

        return draw

    return prepare


def same_means(ours: Any, theirs: Any, sample: Sample) -> None:
    """The recipe sets the first mean to 0, and its sd has the divisor M."""
    mean, sd = theirs
    n_groups = sample.size // GROUP_SIZE
    assert_allclose(ours.value[1:], mean[1:], rtol=0, atol=1e-12)
    assert_allclose(ours.sd[1:-1] * np.sqrt(1 - 1 / n_groups), sd[1:-1], rtol=1e-9)


def area_is_mean_area(ours: Any, theirs: Any, sample: Sample) -> None:
    """No peer has the exact average; its area is the mean AUC, which the grid only comes near."""
    fpr, tpr = ours
    area = np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1])) / 2
    labels, scores = (column.reshape(-1, GROUP_SIZE) for column in (sample.labels, sample.scores))
    areas = [peers.auc_by_midranks(y, s) for y, s in zip(labels, scores, strict=True)]
    assert_allclose(area, np.mean(areas), rtol=0, atol=1e-12)
    assert_allclose(area, np.trapezoid(theirs[0], peers.RECIPE_GRID), atol=0.01)


def same_threshold_average(ours: Any, theirs: Any, sample: Sample) -> None:
    fpr, tpr = ours
    their_fpr, their_tpr = theirs
    assert_allclose(fpr[1:], their_fpr, rtol=0, atol=1e-9)  # theirs are plain running sums
    assert_allclose(tpr[1:], their_tpr, rtol=0, atol=1e-9)


def same_curve(ours: Any, theirs: Any, sample: Sample) -> None:
    same_rates((ours.fpr, ours.tpr, ours.thresholds), theirs, sample)


def same_rates(ours: Any, theirs: Any, sample: Sample) -> None:
    """Bit for bit: both divide one integer by another, once."""
    for our_column, their_column in zip(ours, theirs, strict=True):
        assert_array_equal(our_column, their_column)


def same_weighted_curve(ours: Any, theirs: Any, sample: Sample) -> None:
    """Not bit for bit: scikit-learn adds the weights up without compensation."""
    fpr, tpr, thresholds = theirs
    assert_array_equal(ours.thresholds, thresholds)
    assert_allclose(ours.fpr, fpr, rtol=1e-9)
    assert_allclose(ours.tpr, tpr, rtol=1e-9)


def same_number(ours: Any, theirs: Any, sample: Sample) -> None:
    assert_allclose(ours, theirs, rtol=1e-10)


def auc_and_sorted_scores(ours: Any, theirs: Any, sample: Sample) -> None:
    """The two do different things, so each is held against a plain NumPy answer."""
    assert_array_equal(theirs.to_numpy(), np.sort(sample.scores))
    assert_allclose(ours, peers.auc_by_midranks(sample.labels, sample.scores), rtol=1e-10)


def same_interval(ours: Any, theirs: Any, sample: Sample) -> None:
    """confidenceinterval ranks in float32, hence the wide tolerance."""
    _, (low, high) = theirs
    assert_allclose(ours.low + ours.high, np.squeeze(low + high), rtol=2e-5)
    assert_allclose(ours.high - ours.low, np.squeeze(high - low), rtol=1e-3)


def same_comparison(ours: Any, theirs: peers.DeLong, sample: Sample) -> None:
    assert_allclose(ours.aucs, theirs.aucs, rtol=1e-10)
    assert_allclose(ours.standard_error, theirs.standard_error_of_difference, rtol=1e-7)


def same_test(ours: Any, theirs: Any, sample: Sample) -> None:
    """MLstatkit subtracts the first from the second, so only the size of z is compared."""
    z, pvalue, _, _, *aucs, details = theirs
    assert details["method"] == "delong"
    assert_allclose(ours.aucs, aucs, rtol=1e-10)
    assert_allclose(abs(ours.statistic), abs(z), rtol=1e-6)
    assert_allclose(ours.pvalue, pvalue, rtol=1e-6)


def same_groups(ours: Any, theirs: Any, sample: Sample) -> None:
    """scikit-learn knows the AUCs; the standard errors of a few groups are held against Sun and Xu's."""
    aucs, standard_errors = ours
    assert_allclose(aucs, theirs, rtol=1e-10)
    for group in (0, 1, len(aucs) - 1):
        rows = sample.groups == group
        expected = peers.sun_xu(sample.labels[rows], sample.scores[rows]).covariance[0, 0] ** 0.5
        assert_allclose(standard_errors[group], expected, rtol=1e-9)


def bootstrap_of_auc(sample: Sample) -> Call:
    import rocsteady as rs

    return lambda: rs.auc_interval(sample.labels, sample.scores, method="bootstrap", n_resamples=N_RESAMPLES)


def bootstrap_of_band(sample: Sample) -> Call:
    """Percentile limits of the TPR at the recipe's FPRs."""
    import rocsteady as rs

    def limits() -> tuple[Any, Any]:
        found = rs.bootstrap(
            rs.Scores(sample.labels, sample.scores),
            {"fpr": peers.RECIPE_GRID},
            interval="percentile",
            n_resamples=N_RESAMPLES,
        )
        return found.interval.low, found.interval.high

    return limits


def bootstrap_of_groups(sample: Sample) -> Call:
    """Whole groups drawn, the AUC of all their rows together; the set is made beforehand."""
    import rocsteady as rs

    score_set = rs.ScoreSet.from_arrays(sample.labels, sample.scores, sample.groups)
    return lambda: rs.bootstrap(score_set, random="groups", average="pooled", n_resamples=N_RESAMPLES)


def same_spread_of_auc(ours: Any, theirs: Any, sample: Sample) -> None:
    """Other draws: the middle and the width of 95 % agree as far as 200 resamples can tell."""
    low, high = np.quantile(theirs, [0.025, 0.975])
    assert_allclose(ours.high - ours.low, high - low, rtol=0.3)
    assert abs((ours.low + ours.high) / 2 - np.mean(theirs)) < 0.1 * (high - low)


def same_resampled_interval(ours: Any, theirs: Any, sample: Sample) -> None:
    width = theirs.high - theirs.low
    assert_allclose([ours.low, ours.high], [theirs.low, theirs.high], rtol=0, atol=0.1 * width)


def same_band(ours: Any, theirs: Any, sample: Sample) -> None:
    """At FPR 0 the peer reads the lower end of the jump, we the upper."""
    for our_limit, their_limit in zip(ours, theirs, strict=True):
        assert_allclose(our_limit[1:], their_limit[1:], rtol=0, atol=0.015)


def same_spread_of_groups(ours: Any, theirs: Any, sample: Sample) -> None:
    """The peer has twenty resamples, whose standard deviation is known to a sixth."""
    assert_allclose(ours.values.std(), theirs.std(), rtol=0.6)
    assert abs(ours.values.mean() - theirs.mean()) < 4 * theirs.std() / np.sqrt(theirs.size)


def class_errors(sample: Sample) -> Call:
    """Errors of every class at many class weights, all rows one fold."""
    import rocsteady as rs

    scores = rs.MulticlassScores(sample.class_labels, sample.class_outputs)
    return lambda: rs.average_multiclass_points(scores, sample.class_weights).measure("class_error")


def same_class_errors(ours: Any, theirs: Any, sample: Sample) -> None:
    assert_array_equal(ours.stacked, theirs)


TASKS: dict[str, Task] = {
    "curve": Task("full exact curve", curve, {"scikit-learn": (peers.sklearn_curve, same_curve)}),
    "rates": Task("curve, rates read", curve_with_rates, {"scikit-learn": (peers.sklearn_curve, same_rates)}),
    "weighted": Task(
        "weighted curve",
        weighted_curve,
        {"scikit-learn": (peers.sklearn_weighted_curve, same_weighted_curve)},
    ),
    "auc": Task(
        "AUC",
        auc,
        {
            "scikit-learn": (peers.sklearn_auc, same_number),
            "polars sort": (peers.polars_sort, auc_and_sorted_scores),
        },
    ),
    "delong1": Task(
        "DeLong of 1", delong_of_one, {"confidenceinterval": (peers.confidenceinterval_delong, same_interval)}
    ),
    "delong2": Task(
        "DeLong of 2",
        delong_of_two,
        {
            "numpy Sun-Xu": (peers.numpy_delong, same_comparison),
            "MLstatkit": (peers.mlstatkit_delong, same_test),
        },
    ),
    "average-grid": Task(
        "vertical average, 100-point grid",
        vertical_on_grid,
        {"scikit-learn recipe": (peers.sklearn_recipe, same_means)},
    ),
    "average-vertical": Task(
        "vertical average, exact",
        exact_average("vertical"),
        {"scikit-learn recipe": (peers.sklearn_recipe, area_is_mean_area)},
    ),
    "average-diagonal": Task(
        "45-degree average, exact",
        exact_average("diagonal"),
        {"scikit-learn recipe": (peers.sklearn_recipe, area_is_mean_area)},
    ),
    "average-threshold": Task(
        "threshold average, exact",
        exact_average("threshold"),
        {"numpy pooled argsort": (peers.numpy_threshold_average, same_threshold_average)},
    ),
    "bootstrap-auc": Task(
        "bootstrap AUC, B 2000",
        bootstrap_of_auc,
        {
            "scikit-learn loop": (peers.sklearn_bootstrap, same_spread_of_auc),
            "scipy.stats.bootstrap": (peers.scipy_bootstrap, same_resampled_interval),
        },
    ),
    "bootstrap-band": Task(
        "bootstrap band, B 2000",
        bootstrap_of_band,
        {"scikit-learn loop": (peers.sklearn_bootstrap_band, same_band)},
    ),
    "bootstrap-sets": Task(
        "groups drawn, B 2000",
        bootstrap_of_groups,
        {"numpy loop": (peers.numpy_bootstrap_of_groups, same_spread_of_groups)},
    ),
    "class-errors": Task(
        "class errors at 100 weights",
        class_errors,
        {"numpy argmax": (peers.numpy_class_errors, same_class_errors)},
    ),
    "groups": Task(
        "AUC + DeLong, groups of 1,000",
        auc_of_groups,
        {"scikit-learn loop": (peers.sklearn_auc_of_groups, same_groups)},
    ),
}
