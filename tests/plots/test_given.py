"""Figures refuse what is of another kind or belongs to something else, always with a code and what to do."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

import rocsteady as rs
from rocsteady import plots
from rocsteady.errors import UsageError
from rocsteady.points.tables import OperatingPointTable

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib"),
    pytest.mark.filterwarnings("ignore:RS245"),
]


def two_class_table(seed: int = 0, n_points: int = 12) -> OperatingPointTable:
    rng = np.random.default_rng(seed)
    labels, folds = np.tile([0, 1], 60), np.repeat(np.arange(6), 20)
    scores = rs.ScoreSet.from_arrays(labels, rng.normal(size=120) + 1.5 * labels, folds, unit="fold")
    return rs.average_operating_points(scores, thresholds=n_points)


def three_class_table(seed: int = 0, n_points: int = 12) -> OperatingPointTable:
    rng = np.random.default_rng(seed)
    labels = np.arange(90) % 3
    outputs = np.exp(-((((labels + rng.normal(size=90))[:, None] - np.arange(3)) ** 2) / 2))
    scores = rs.MulticlassScores(labels.astype(str), outputs, folds=np.arange(90) // 3 % 5)
    return rs.average_multiclass_points(scores, rng.dirichlet(np.full(3, 6.0), n_points))


def a_curve(seed: int = 3) -> rs.RocCurve:
    rng = np.random.default_rng(seed)
    labels = np.arange(100) % 2
    return rs.roc_curve(labels, rng.normal(size=100) + 1.3 * labels)


DRAWN = [
    (plots.operating_points, two_class_table),
    (plots.class_errors, three_class_table),
    (plots.class_error_surface, three_class_table),
]


def refusal(draw, *given, **options) -> UsageError:
    with pytest.raises(UsageError) as caught:
        draw(*given, **options)
    assert caught.value.remedies
    return caught.value


@pytest.mark.parametrize(("draw", "make"), DRAWN)
@pytest.mark.parametrize("n_points", [12, 7])
def test_a_comparison_belongs_to_the_table_it_was_made_in(draw, make, n_points: int) -> None:
    measure = "fpr" if make is two_class_table else "class_error"
    other = make(seed=1, n_points=n_points).compare_to(5, measure)
    error = refusal(draw, make(), comparison=other)
    assert error.code == "RS002"
    assert error.entry == "RS002.elsewhere"
    assert "table.compare_to" in str(error)
    assert draw(make(), comparison=make().compare_to(5, measure)) is not None  # the same, made twice


@pytest.mark.parametrize(("draw", "make"), DRAWN)
def test_what_is_no_table_and_no_comparison_is_refused(draw, make) -> None:
    for wrong in (3, None, "table", make().measure("accuracy")):
        assert refusal(draw, wrong).code == "RS002"
    for wrong in (3, "youden", make()):
        error = refusal(draw, make(), comparison=wrong)
        assert (error.code, "compare_to" in str(error)) == ("RS002", True)


@pytest.mark.parametrize(("draw", "make"), [*DRAWN, (plots.cutoffs, None)])
@pytest.mark.parametrize("size", [0, -1, 1, np.nan, np.inf, "large", (8, 9), None])
def test_text_has_a_size(draw, make, size) -> None:
    given = (a_curve(), []) if make is None else (make(),)
    assert refusal(draw, *given, text_size=size).code == "RS042"


@pytest.mark.parametrize(
    "ax",
    [Figure().add_subplot(projection="3d"), Figure().add_subplot(projection="polar"), Figure(), 3],
    ids=["space", "round", "figure", "3"],
)
def test_flat_figures_need_flat_axes(ax) -> None:
    curve = a_curve()
    for draw, given in (
        (plots.operating_points, (two_class_table(),)),
        (plots.class_errors, (three_class_table(),)),
        (plots.cutoffs, (curve, rs.choose_cutoff(curve, "youden"))),
    ):
        assert refusal(draw, *given, ax=ax).code == "RS002"


def test_one_cutoff_needs_no_list() -> None:
    curve = a_curve()
    cutoff = rs.choose_cutoff(curve, "youden")
    found = cutoff.intervals(n_resamples=100)
    alone, listed = plots.cutoffs(curve, cutoff, intervals=found), plots.cutoffs(curve, (cutoff,))
    marks = [
        [line.get_xydata() for line in axes.lines if line.get_marker() == "o"] for axes in (alone, listed)
    ]
    np.testing.assert_array_equal(*marks)
    assert len([line for line in alone.lines if line.get_label() == "_interval"]) == 2


def test_cutoffs_belong_to_the_curve_they_were_chosen_on() -> None:
    curve, other = a_curve(), a_curve(seed=4)
    elsewhere = rs.choose_cutoff(other, "youden")
    error = refusal(plots.cutoffs, curve, [rs.choose_cutoff(curve, "eer"), elsewhere])
    assert error.code == "RS002"
    assert "cutoff.on(curve)" in str(error)
    applied = elsewhere.on(curve)
    axes = plots.cutoffs(curve, applied)
    (mark,) = [line for line in axes.lines if line.get_marker() == "o"]
    np.testing.assert_array_equal(mark.get_xydata(), [[applied.fpr, applied.tpr]])
    assert not [line for line in axes.lines if line.get_label() == "_guide"]
    again = a_curve()
    assert plots.cutoffs(again, rs.choose_cutoff(curve, "youden")) is not None  # the same, made twice


def test_what_is_no_curve_no_cutoff_and_no_interval_is_refused() -> None:
    curve = a_curve()
    cutoff = rs.choose_cutoff(curve, "youden")
    for wrong in (3, None, "curve", two_class_table()):
        assert refusal(plots.cutoffs, wrong, cutoff).code == "RS002"
    for wrong in ("youden", 0.5, None, [cutoff, "eer"], cutoff.two_by_two()):
        error = refusal(plots.cutoffs, curve, wrong)
        assert (error.code, "choose_cutoff" in str(error)) == ("RS002", True)
    for wrong in (True, 0.95, [0.1], cutoff):
        assert refusal(plots.cutoffs, curve, cutoff, intervals=wrong).code == "RS002"
    both = [cutoff.intervals(n_resamples=100)] * 2
    assert refusal(plots.cutoffs, curve, cutoff, intervals=both).code == "RS013"
