"""Precision-recall curves: the area under the drawn steps is the average precision."""

from __future__ import annotations

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.errors import UsageError
from rocsteady.plots.precision_recall import precision_recall

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib")


def simulated(share: float, separation: float, n: int = 400) -> rs.RocCurve:
    rng = np.random.default_rng(7)
    labels = np.arange(n) < share * n
    return rs.roc_curve(labels, rng.normal(size=n) + separation * labels)


def labelled(artists, label: str) -> list:
    return [each for each in artists if each.get_label() == label]


def texts(axes) -> list[str]:
    return [text.get_text() for text in axes.get_legend().get_texts()]


@pytest.mark.parametrize(
    "curve",
    [
        simulated(0.3, 1.0),
        rs.roc_curve([0, 0, 1, 1, 0], [5, 4, 3, 2, 1]),
        rs.roc_curve([1, 0, 1, 0], [1, 1, 1, 1]),
        rs.roc_curve([1, 1, 0], [3, 2, 1]),
    ],
)
def test_the_area_under_the_steps_is_the_average_precision(curve) -> None:
    for value in (curve, curve.precision_recall()):
        axes = precision_recall(value)
        (line,) = labelled(axes.lines, "_average")
        recall, precision = line.get_xydata().T
        assert (recall[0], recall[-1]) == (0, 1)
        assert ((np.diff(recall) == 0) | (np.diff(precision) == 0)).all()
        area = np.sum(np.diff(recall) * precision[1:])
        assert area == pytest.approx(curve.precision_recall().average_precision, abs=1e-9)
        assert texts(axes)[0] == f"{curve.precision_recall().average_precision:.3f}"


def test_the_dotted_line_is_the_share_of_positives() -> None:
    axes = precision_recall(simulated(0.25, 1.0))
    (line,) = labelled(axes.lines, "_prevalence")
    np.testing.assert_array_equal(line.get_ydata(), [0.25, 0.25])
    assert texts(axes)[1] == "dotted: all called positive, 25.0 %"
    assert axes.get_aspect() == 1
    assert (axes.get_xlim(), axes.get_ylim()) == ((0, 1), (0, 1))
    assert not labelled(axes.lines, "_chance")


def test_several_have_a_chance_each_and_more_than_a_colour() -> None:
    axes = precision_recall({"a": simulated(0.2, 2.0), "b": simulated(0.5, 1.0)}, words="medical")
    assert [line.get_ydata()[0] for line in labelled(axes.lines, "_prevalence")] == [0.2, 0.5]
    assert len({line.get_linestyle() for line in labelled(axes.lines, "_average")}) == 2
    assert texts(axes)[1::2] == ["chance 0.200", "chance 0.500"]
    assert axes.get_xlabel() == "sensitivity (recall)"


@pytest.mark.parametrize("share", [0.5, 0.02])
def test_the_key_covers_no_curve(share) -> None:
    axes = precision_recall(simulated(share, 1.2, n=3000))
    axes.figure.draw_without_rendering()
    box = axes.get_legend().get_window_extent()
    (line,) = labelled(axes.lines, "_average")
    path = axes.transData.transform_path(line.get_path())
    assert not path.intersects_bbox(box, filled=False)


def test_a_crowd_is_faint() -> None:
    rng = np.random.default_rng(0)
    labels = np.arange(160) % 2
    groups = rs.ScoreSet.from_arrays(
        labels, rng.normal(size=160) + labels, np.arange(160) // 2 % 8, unit="fold"
    )
    axes = precision_recall(rs.roc_curves(groups))
    assert len(labelled(axes.collections, "_members")[0].get_segments()) == 8
    assert texts(axes) == ["8 folds"]


def test_what_does_not_fit_is_refused() -> None:
    curve = simulated(0.3, 1.0)
    for wrong in (curve.det(), {"a": 1}, 3):
        with pytest.raises(UsageError, match="RS002"):
            precision_recall(wrong)
    with pytest.raises(UsageError, match="RS042"):
        precision_recall([curve] * 7)
