"""Cost curves: the line is the lower envelope, the triangle what knowing nothing costs."""

from __future__ import annotations

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.errors import UsageError
from rocsteady.plots.cost_curve import cost_curve

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib")


@pytest.fixture(scope="module")
def curves():
    rng = np.random.default_rng(0)
    labels = np.arange(300) % 2
    return [rs.roc_curve(labels, rng.normal(size=300) + shift * labels) for shift in (1.0, 2.0)]


def labelled(artists, label: str) -> list:
    return [each for each in artists if each.get_label() == label]


def texts(axes) -> list[str]:
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_the_line_is_the_envelope(curves) -> None:
    cost = curves[0].cost_curve()
    for value in (cost, curves[0]):
        axes = cost_curve(value)
        (line,) = labelled(axes.lines, "_average")
        np.testing.assert_array_equal(line.get_xydata(), np.c_[cost.probability_cost, cost.normalized_cost])
    (triangle,) = labelled(axes.lines, "_trivial")
    np.testing.assert_array_equal(triangle.get_xydata(), [[0, 0], [0.5, 0.5], [1, 0]])
    assert axes.get_aspect() == 1
    assert axes.get_xlim() == (0, 1)
    assert texts(axes)[0] == f"{cost.normalized_cost.max():.3f}"


def test_single_thresholds_are_lines_from_fpr_to_fnr(curves) -> None:
    cost = curves[0].cost_curve()
    (lines,) = labelled(cost_curve(cost).collections, "_members")
    assert len(lines.get_segments()) == cost.thresholds.size <= 60
    for segment, fpr, fnr in zip(lines.get_segments(), cost.fpr, cost.fnr, strict=True):
        np.testing.assert_array_equal(segment, [[0, fpr], [1, fnr]])
    assert not cost_curve(cost, lines=False).collections
    assert not cost_curve(curves).collections


def test_costs_are_marked_and_ranges_shaded(curves) -> None:
    cost = curves[0].cost_curve()
    axes = cost_curve(cost, at=[0.2, 0.5], between=(0.1, 0.3))
    (marks,) = labelled(axes.lines, "_point")
    np.testing.assert_array_equal(marks.get_xydata(), np.c_[[0.2, 0.5], cost.at([0.2, 0.5])])
    (shade,) = labelled(axes.patches, "_between")
    box = shade.get_path().get_extents(shade.get_patch_transform())
    assert (box.x0, box.x1) == (0.1, 0.3)
    assert texts(axes)[1] == f"at 0.2: cost {cost.at(0.2):.3f}, threshold {cost.threshold_at(0.2):.4g}"
    assert "shaded: probability cost 0.1 to 0.3" in texts(axes)
    both = cost_curve({"old": curves[0], "new": curves[1]}, at=0.2)
    assert texts(both)[:2] == [f"old  {cost.normalized_cost.max():.3f}", f"{cost.at(0.2):.3f} at 0.2"]
    assert len({line.get_color() for line in labelled(both.lines, "_average")}) == 2


def test_costs_and_a_prevalence_are_a_probability_cost(curves) -> None:
    cost = curves[0].cost_curve()
    axes = cost_curve(cost, at=rs.AtCosts(1, 20, 0.03), between=(rs.AtCosts(1, 5, 0.03), 0.5))
    share = 0.03 * 20 / (0.03 * 20 + 0.97)
    np.testing.assert_allclose(labelled(axes.lines, "_point")[0].get_xydata(), [[share, cost.at(share)]])
    paid = cost.expected_cost(false_positive=1, false_negative=20, prevalence=0.03)
    assert cost.at(share) * (0.03 * 20 + 0.97) == pytest.approx(paid)
    assert "shaded: probability cost 0.1339 to 0.5" in texts(axes)


def test_the_key_lies_above_all_that_is_drawn(curves) -> None:
    axes = cost_curve(curves, at=[0.1, 0.5], between=(0.1, 0.3))
    axes.figure.draw_without_rendering()
    lowest = axes.get_legend().get_window_extent().y0
    assert lowest >= axes.transData.transform((0.5, 0.5))[1]


def test_a_crowd_is_faint() -> None:
    rng = np.random.default_rng(0)
    labels = np.arange(160) % 2
    groups = rs.ScoreSet.from_arrays(
        labels, rng.normal(size=160) + labels, np.arange(160) // 2 % 8, unit="fold"
    )
    axes = cost_curve(rs.roc_curves(groups))
    assert len(labelled(axes.collections, "_members")[0].get_segments()) == 8
    assert texts(axes)[0] == "8 folds"


def test_what_does_not_fit_is_refused(curves) -> None:
    with pytest.raises(UsageError, match="RS002"):
        cost_curve(curves[0].det())
    for wrong in ({"at": [0.1] * 5}, {"at": 1.5}, {"between": (0.3, 0.1)}, {"between": 0.3}):
        with pytest.raises(UsageError, match="RS042"):
            cost_curve(curves[0], **wrong)
    with pytest.raises(UsageError, match="RS042"):
        cost_curve([])
