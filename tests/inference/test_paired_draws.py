"""What groups add is paired by group, also where some have no curve of one model; draws keep their numbers."""

import numpy as np
import pytest

import rocsteady as rs
from rocsteady import _kernels
from rocsteady.statistics.resampling import RankedCases, Readings, resampled_groups

N_GROUPS = 9
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


@pytest.mark.filterwarnings("ignore::rocsteady.errors.RocsteadyWarning")
@pytest.mark.parametrize("is_balanced", [False, True])
def test_groups_without_a_curve_of_one_model_do_not_shift_the_others(rows, is_balanced):
    """What every group adds to the difference of areas is taken group by group: a's third less b's third."""
    groups, models, labels, scores = rows
    both = rs.ScoreSet.from_arrays(labels, scores, groups, models=models)
    method = rs.Pooled(balanced=True) if is_balanced else "pooled"
    found = rs.compare(both, "a", "b", method=method, random="groups", undefined="drop").area
    adds = np.empty((N_GROUPS, 2))
    for group in range(N_GROUPS):
        for column, model in enumerate("ab"):
            more, less = (
                area(rows, model, 1 + step * (np.arange(N_GROUPS) == group), is_balanced=is_balanced)
                for step in (1e-5, -1e-5)
            )
            adds[group, column] = N_GROUPS * (more - less) / 2e-5
    assert found.standard_error == pytest.approx(
        (adds[:, 0] - adds[:, 1]).std(ddof=1) / np.sqrt(N_GROUPS), rel=1e-6
    )


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
    assert found.redrawn.sum() == n_redrawn > 0
    assert found.redrawn.shape == (300,)
