"""Warnings name the caller's line."""

import warnings

import pytest

import rocsteady as rs

TINY = ([1, 1, 0], [3, 1, 2])


@pytest.mark.parametrize(
    "call",
    [
        lambda: rs.auc_interval(*TINY),
        lambda: rs.roc_curve(*TINY).auc_interval(),
        lambda: rs.roc_curve(*TINY).auc_interval(method="bootstrap"),
        lambda: rs.roc_curve(*TINY).auc_standard_error(),
        lambda: rs.roc_curve(*TINY).auc_null_test("delong"),
        lambda: rs.roc_curves(rs.ScoreSet.from_folds([TINY], design="independent")).auc_interval(),
        lambda: rs.compare_auc(*TINY, TINY[1]),
        lambda: rs.roc_curve([1, 0], [1, 2]).partial_auc(fpr=(0, 0.1), standardized=True),
    ],
)
def test_a_warning_names_the_line_of_the_caller(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert caught
    assert {warning.filename for warning in caught} == {__file__}
