"""The peers. Each function prepares the peer's favourite input, unmeasured, and returns the call to measure.

Packages are imported here and nowhere else; a missing one raises ``ModuleNotFoundError``, which the
harness reports. All run with the threads they choose themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import CLUSTER_TIMES, GROUP_SIZE, LOOP_TIMES, N_CLASSES, N_RESAMPLES, Sample

Floats = NDArray[np.float64]
Call = Callable[[], Any]


def sklearn_curve(sample: Sample) -> Call:
    """Every threshold kept, as ours does."""
    from sklearn.metrics import roc_curve

    return lambda: roc_curve(sample.labels, sample.scores, drop_intermediate=False)


def sklearn_weighted_curve(sample: Sample) -> Call:
    from sklearn.metrics import roc_curve

    return lambda: roc_curve(
        sample.labels, sample.scores, sample_weight=sample.weights, drop_intermediate=False
    )


def sklearn_auc(sample: Sample) -> Call:
    from sklearn.metrics import roc_auc_score

    return lambda: roc_auc_score(sample.labels, sample.scores)


def sklearn_auc_of_groups(sample: Sample) -> Call:
    """AUCs only: scikit-learn has no variance, so it is asked for less than we are."""
    from sklearn.metrics import roc_auc_score

    labels = sample.labels.reshape(-1, GROUP_SIZE)
    scores = sample.scores.reshape(-1, GROUP_SIZE)
    return lambda: np.array([roc_auc_score(y, s) for y, s in zip(labels, scores, strict=True)])


RECIPE_GRID = np.linspace(0, 1, 100)


def sklearn_recipe(sample: Sample) -> Call:
    """The cross-validation example of scikit-learn's documentation: interpolate, average, take the sd."""
    from sklearn.metrics import roc_curve

    labels = sample.labels.reshape(-1, GROUP_SIZE)
    scores = sample.scores.reshape(-1, GROUP_SIZE)

    def average() -> tuple[Floats, Floats]:
        tprs = []
        for y, s in zip(labels, scores, strict=True):
            fpr, tpr, _ = roc_curve(y, s)
            interpolated = np.interp(RECIPE_GRID, fpr, tpr)
            interpolated[0] = 0.0
            tprs.append(interpolated)
        mean = np.mean(tprs, axis=0)
        mean[-1] = 1.0
        return mean, np.std(tprs, axis=0)

    return average


def numpy_threshold_average(sample: Sample) -> Call:
    """All scores sorted once; every case counts one over its group's cases of its class."""

    def average() -> tuple[Floats, Floats]:
        is_positive = sample.labels == 1
        per_group = is_positive.reshape(-1, GROUP_SIZE).sum(axis=1)
        n_groups = per_group.size
        of_positives = np.where(is_positive, np.repeat(1 / (n_groups * per_group), GROUP_SIZE), 0)
        of_negatives = np.where(
            is_positive, 0, np.repeat(1 / (n_groups * (GROUP_SIZE - per_group)), GROUP_SIZE)
        )
        order = np.argsort(-sample.scores, kind="stable")
        ordered = sample.scores[order]
        last = np.append(ordered[1:] != ordered[:-1], True)
        return np.cumsum(of_negatives[order])[last], np.cumsum(of_positives[order])[last]

    return average


def polars_sort(sample: Sample) -> Call:
    """Sorts and does nothing else: what an AUC that starts with a sort cannot beat."""
    import polars

    series = polars.Series(sample.scores)
    return series.sort


def confidenceinterval_delong(sample: Sample) -> Call:
    from confidenceinterval import roc_auc_score

    return lambda: roc_auc_score(sample.labels, sample.scores, confidence_level=0.95, method="delong")


def mlstatkit_delong(sample: Sample) -> Call:
    from MLstatkit import Delong_test

    return lambda: Delong_test(sample.labels, sample.scores, sample.rival_scores)


def numpy_delong(sample: Sample) -> Call:
    return lambda: sun_xu(sample.labels, sample.scores, sample.rival_scores)


@dataclass(frozen=True)
class DeLong:
    """AUCs of k classifiers and the covariance matrix of their estimates."""

    aucs: Floats
    covariance: Floats

    @property
    def standard_error_of_difference(self) -> float:
        """Of the first AUC minus the second."""
        contrast = np.array([1.0, -1.0])
        return float(np.sqrt(contrast @ self.covariance @ contrast))


def sun_xu(labels: NDArray[np.int64], *scores: Floats) -> DeLong:
    """DeLong's covariance from midranks.

    X. Sun and W. Xu (2014), Fast implementation of DeLong's algorithm for comparing the areas under
    correlated receiver operating characteristic curves, IEEE Signal Processing Letters 21(11),
    1389-1393. The midranks among all cases minus those within the own class are the placements.
    """
    is_positive = labels == 1
    n_positives = int(is_positive.sum())
    n_negatives = labels.size - n_positives
    of_positives = np.empty((len(scores), n_positives))
    of_negatives = np.empty((len(scores), n_negatives))
    for k, column in enumerate(scores):
        ranks = midranks(column)
        of_positives[k] = (ranks[is_positive] - midranks(column[is_positive])) / n_negatives
        of_negatives[k] = 1 - (ranks[~is_positive] - midranks(column[~is_positive])) / n_positives
    covariance = np.cov(of_positives) / n_positives + np.cov(of_negatives) / n_negatives
    return DeLong(of_positives.mean(axis=1), np.atleast_2d(covariance))


def midranks(values: Floats) -> Floats:
    """Ranks from 1; tied values share the mean of theirs. One sort, no loop over ties."""
    order = np.argsort(values)
    ordered = values[order]
    first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    tied = np.diff(first, append=values.size)
    ranks = np.empty(values.size)
    ranks[order] = np.repeat(first + (tied + 1) / 2, tied)
    return ranks


def auc_by_midranks(labels: NDArray[np.int64], scores: Floats) -> float:
    """The Mann-Whitney form of the AUC: a check that does not depend on any package."""
    is_positive = labels == 1
    n_positives = int(is_positive.sum())
    wins = midranks(scores)[is_positive].sum() - n_positives * (n_positives + 1) / 2
    return float(wins / (n_positives * (labels.size - n_positives)))


def numpy_class_errors(sample: Sample) -> Call:
    """What one would write: the largest product wins, one weight vector after the other."""

    def decide_all() -> Floats:
        sizes = np.bincount(sample.class_labels, minlength=N_CLASSES)
        errors = np.empty((len(sample.class_weights), N_CLASSES))
        for k, weights in enumerate(sample.class_weights):
            wrong = (sample.class_outputs * weights).argmax(axis=1) != sample.class_labels
            errors[k] = np.bincount(sample.class_labels[wrong], minlength=N_CLASSES) / sizes
        return errors

    return decide_all


def _stratified(labels: NDArray[np.int64], n_resamples: int) -> Iterator[NDArray[np.int64]]:
    """Rows of resamples, positives and negatives drawn apart, as many as there are."""
    stream = np.random.default_rng(1)
    positives, negatives = np.flatnonzero(labels == 1), np.flatnonzero(labels == 0)
    for _ in range(n_resamples):
        yield np.concatenate([stream.choice(own, own.size) for own in (positives, negatives)])


def sklearn_bootstrap(sample: Sample) -> Call:
    """The AUC of every resample, one after the other: of a tenth of them."""
    from sklearn.metrics import roc_auc_score

    labels, scores, n = sample.labels, sample.scores, N_RESAMPLES // LOOP_TIMES
    return lambda: np.array([roc_auc_score(labels[i], scores[i]) for i in _stratified(labels, n)])


def sklearn_bootstrap_band(sample: Sample) -> Call:
    """The curve of every resample, read at 100 FPRs, and percentiles: of a tenth of them."""
    from sklearn.metrics import roc_curve

    labels, scores, n = sample.labels, sample.scores, N_RESAMPLES // LOOP_TIMES

    def band() -> Floats:
        tprs = []
        for rows in _stratified(labels, n):
            fpr, tpr, _ = roc_curve(labels[rows], scores[rows])
            tprs.append(np.interp(RECIPE_GRID, fpr, tpr))
        return np.quantile(tprs, [0.025, 0.975], axis=0)

    return band


def scipy_bootstrap(sample: Sample) -> Call:
    """Percentiles of all resamples; the statistic is a rank sum, vectorised, in small batches."""
    from scipy.stats import bootstrap, rankdata

    is_positive = sample.labels == 1
    n_positives, n_negatives = int(is_positive.sum()), int((~is_positive).sum())

    def area(positives: Floats, negatives: Floats, axis: int = -1) -> Floats:
        ranks = rankdata(np.concatenate([positives, negatives], axis=axis), axis=axis)
        won = ranks[..., :n_positives].sum(axis=axis) - n_positives * (n_positives + 1) / 2
        return np.asarray(won / (n_positives * n_negatives))

    columns = (sample.scores[is_positive], sample.scores[~is_positive])
    options: dict[str, Any] = {"vectorized": True, "batch": 10, "method": "percentile"}
    return lambda: bootstrap(columns, area, n_resamples=N_RESAMPLES, **options).confidence_interval


def numpy_bootstrap_of_groups(sample: Sample) -> Call:
    """Groups drawn, their rows put together, sorted, the AUC counted: of a hundredth of the resamples."""
    is_positive = sample.labels.reshape(-1, GROUP_SIZE) == 1
    scores = sample.scores.reshape(-1, GROUP_SIZE)

    def areas() -> Floats:
        stream = np.random.default_rng(1)
        found = []
        for _ in range(N_RESAMPLES // CLUSTER_TIMES):
            drawn = stream.integers(len(scores), size=len(scores))
            order = np.argsort(scores[drawn].ravel())
            beaten = np.cumsum(~is_positive[drawn].ravel()[order])  # negatives below each, without ties
            own = is_positive[drawn].ravel()[order]
            found.append(beaten[own].sum() / (own.sum() * (own.size - own.sum())))
        return np.array(found)

    return areas
