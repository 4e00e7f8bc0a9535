"""Resamples of two models are paired by their number, also where some have no curve for one of the models."""

import numpy as np
import pytest

import rocsteady as rs
from rocsteady import _kernels
from rocsteady._kernels.reference_stream import drawn_below, stream_start
from rocsteady.uncertainty.clusters import drawn_counts
from rocsteady.uncertainty.resampling import RankedCases, Readings, resampled_groups

N_GROUPS, N_RESAMPLES, SEED = 9, 400, 3
CLASSES = ("both", "both", "both", "positives", *["negatives"] * 5)


@pytest.fixture(scope="module")
def rows():
    """Group, model, label and score; model b has the scores of a but for noise, and no positives of group 0."""
    rng = np.random.default_rng(0)
    found = []
    for group, classes in enumerate(CLASSES):
        level = rng.normal()
        for i in range(20):
            label = i % 2 if classes == "both" else int(classes == "positives")
            score = rng.normal() + label + level
            found.append((group, "a", label, score))
            if group or not label:
                found.append((group, "b", label, score + 0.05 * rng.normal()))
    return [np.array(column) for column in zip(*found, strict=True)]


def area(rows, model, counts, *, is_balanced):
    """The area under the pooled curve of drawn groups, pair by pair; NaN where a class was not drawn."""
    groups, _, labels, scores = (column[rows[1] == model] for column in rows)
    weights = counts[groups].astype(float)
    if is_balanced:
        weights /= [((groups == g) & (labels == y)).sum() for g, y in zip(groups, labels, strict=True)]
    of_positives, of_negatives = weights[labels == 1], weights[labels == 0]
    if not (of_positives.sum() and of_negatives.sum()):
        return np.nan
    wins = scores[labels == 1][:, None] > scores[labels == 0]
    return of_positives @ wins @ of_negatives / (of_positives.sum() * of_negatives.sum())


def compared(rows, method):
    groups, models, labels, scores = rows
    both = rs.ScoreSet.from_arrays(labels, scores, groups, models=models)
    how = {"random": "groups", "undefined": "drop", "n_resamples": N_RESAMPLES, "seed": SEED}
    found = rs.compare(both, "a", "b", method=method, **how)
    sizes = [rs.average(both.model(name), method, undefined="drop").effective_groups for name in "ab"]
    return found.area, min(sizes)


@pytest.mark.filterwarnings("ignore::rocsteady.errors.RocsteadyWarning")
def test_resamples_without_a_curve_of_one_model_do_not_shift_the_others(rows):
    found, n = compared(rows, rs.Pooled(balanced=True))
    counts = np.concatenate(list(drawn_counts(N_GROUPS, N_RESAMPLES, SEED)))
    drawn = np.array([[area(rows, m, own, is_balanced=True) for m in "ab"] for own in counts])
    assert 0 < np.isnan(drawn[:, 0]).sum() < np.isnan(drawn[:, 1]).sum()
    differences = drawn[:, 0] - drawn[:, 1]
    usable = differences[~np.isnan(differences)]
    assert found.standard_error == pytest.approx(usable.std(ddof=1) * np.sqrt(n / (n - 1)), rel=1e-9)


@pytest.mark.filterwarnings("ignore::rocsteady.errors.RocsteadyWarning")
def test_resamples_drawn_again_for_one_model_are_no_pair(rows):
    found, n = compared(rows, "pooled")
    differences, n_apart = [], 0
    for number in range(N_RESAMPLES):
        used = []
        for model in "ab":
            times = 0
            while True:
                bounds = np.full(N_GROUPS, N_GROUPS, dtype=np.uint64)
                drawn = drawn_below(stream_start(SEED, number), times * N_GROUPS, bounds)
                value = area(rows, model, np.bincount(drawn, minlength=N_GROUPS), is_balanced=False)
                if not np.isnan(value):
                    break
                times += 1
            used.append((times, value))
        n_apart += used[0][0] != used[1][0]
        if used[0][0] == used[1][0]:
            differences.append(used[0][1] - used[1][1])
    assert n_apart
    assert found.standard_error == pytest.approx(np.std(differences, ddof=1) * np.sqrt(n / (n - 1)), rel=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
def test_how_often_a_resample_was_drawn_again_is_what_the_kernel_did(weighted):
    ranks, offsets = np.array([0, 2, 4, 6]), np.array([0, 2, 3, 3, 4, 4, 4])
    others, other_offsets = np.array([1, 3, 5, 7, 8]), np.array([0, 0, 0, 2, 3, 4, 5])
    weights = [np.array([1.0, 0, 0, 2]), np.array([0.0, 1, 1, 1, 0])] if weighted else [None, None]
    cases = RankedCases(ranks, others, offsets, other_offsets, *weights)
    found = resampled_groups(cases, Readings(auc=True), n_resamples=300, seed=5)
    shares = np.ones(6)
    columns = (ranks, others, offsets, other_offsets, *weights, shares, shares)
    _, n_redrawn = _kernels.kernels.resample_groups(
        *columns, *Readings(auc=True)._columns(1), 5, 300, 1, None
    )
    assert found.n_redrawn == found.redrawn.sum() == n_redrawn > 0
    assert found.redrawn.shape == (300,)
