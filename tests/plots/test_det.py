"""DET curves: lines are normal deviates of both error rates, the mark is the equal error rate."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

import rocsteady as rs
from rocsteady.errors import UsageError
from rocsteady.plots.det import det

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib")


def simulated(n: int, separation: float, seed: int = 0) -> rs.RocCurve:
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 2
    return rs.roc_curve(labels, rng.normal(size=n) + separation * labels)


@pytest.fixture(scope="module")
def curve():
    return simulated(600, 2.0)


@pytest.fixture(scope="module")
def hosts():
    rng = np.random.default_rng(1)
    labels = rng.random(800) < 0.5
    return rs.ScoreSet.from_arrays(labels, rng.normal(size=800) + 2 * labels, np.arange(800) % 8, unit="host")


def labelled(artists, label: str) -> list:
    return [each for each in artists if each.get_label() == label]


def in_view(axes, *points):
    """Points in deviates, or two rates, that lie inside the axes."""
    known = points[0] if len(points) == 1 else ndtri(np.column_stack(points))
    start, stop = axes.get_xlim()
    return known[((known > start) & (known < stop)).all(axis=1)]


def texts(axes) -> list[str]:
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_lines_are_deviates_of_both_error_rates(curve) -> None:
    for value in (curve, curve.det()):
        axes = det(value)
        (line,) = labelled(axes.lines, "_average")
        drawn = line.get_xydata()
        np.testing.assert_allclose(in_view(axes, drawn), in_view(axes, curve.fpr, curve.fnr), atol=1e-12)
        assert np.isfinite(drawn).all()
        assert line.get_clip_on()


def test_axes_are_square_in_per_cent_and_alike(curve) -> None:
    axes = det(curve, words="biometric")
    assert axes.get_aspect() == 1
    assert axes.get_xlim() == axes.get_ylim()
    assert axes.get_xlim()[1] == 0  # a half
    word = axes.xaxis.get_major_formatter()
    ticks = axes.get_xticks()
    np.testing.assert_allclose([float(word(tick)) for tick in ticks], 100 * ndtr(ticks))
    assert {"1", "10", "40"} <= {word(tick) for tick in ticks}
    assert (axes.get_xlabel(), axes.get_ylabel()) == (
        "false match rate (FMR), %",
        "false non-match rate (FNMR), %",
    )
    assert not labelled(axes.lines, "_chance")
    assert pickle.loads(pickle.dumps(axes.figure)).axes


def test_the_mark_is_the_equal_error_rate(curve) -> None:
    axes = det({"finger": curve})
    (mark,) = labelled(axes.lines, "_point")
    np.testing.assert_allclose(mark.get_xydata(), [[ndtri(curve.equal_error_rate)] * 2])
    assert texts(axes) == [f"finger  {100 * curve.equal_error_rate:.1f} %"]
    assert axes.get_legend().get_title().get_text() == "equal error rate"


@pytest.mark.parametrize("seed", range(5))
def test_a_det_curve_has_the_equal_error_rate_of_its_curve(seed) -> None:
    rng = np.random.default_rng(seed)
    labels = np.append([0, 1], rng.random(30) < 0.4)
    curve = rs.roc_curve(labels, rng.integers(0, 8, 32))
    assert curve.det().equal_error_rate == pytest.approx(curve.equal_error_rate, abs=1e-12)


def test_slanted_pieces_are_bent() -> None:
    curve = rs.RocCurve.from_counts([2, 1], [80, 100], [10, 100])
    (line,) = labelled(det(curve).lines, "_average")
    fpr, fnr = ndtr(line.get_xydata()).T
    inner = (fpr > 0.11) & (fpr < 0.49)
    assert inner.sum() >= 3
    np.testing.assert_allclose(fnr[inner], 0.2 - (fpr[inner] - 0.1) * 0.2 / 0.9, atol=1e-9)


def test_an_average_is_drawn_with_its_members(hosts) -> None:
    average = rs.average(hosts, "threshold")
    axes = det(average)
    (line,) = labelled(axes.lines, "_average")
    np.testing.assert_allclose(in_view(axes, line.get_xydata()), in_view(axes, average.fpr, 1 - average.tpr))
    (members,) = labelled(axes.collections, "_members")
    assert len(members.get_segments()) == 8
    assert "threshold average, 8 hosts" in texts(axes)
    assert not labelled(det(average, members=False).collections, "_members")
    both = det({"one threshold": average, "own": rs.average(hosts, "vertical")})
    assert not labelled(both.collections, "_members")
    assert len({line.get_linestyle() for line in labelled(both.lines, "_average")}) == 2


def test_many_curves_are_faint(hosts) -> None:
    axes = det(rs.roc_curves(hosts))
    assert len(labelled(axes.collections, "_members")[0].get_segments()) == 8
    assert not labelled(axes.lines, "_average")
    assert texts(axes) == ["8 hosts"]


def test_a_perfect_curve_is_said_to_lie_outside(curve) -> None:
    perfect = rs.roc_curve([1, 1, 0, 0], [4, 3, 2, 1])
    for axes in (det(perfect), det([perfect, curve])):
        assert texts(axes)[0].endswith("0 %")
        assert texts(axes)[1] == "outside these axes"
        axes.figure.draw_without_rendering()


def test_a_poor_curve_is_shown_on_both_sides_of_chance() -> None:
    for poor in (simulated(200, 0.05), rs.roc_curve([1, 0], [1, 1]), simulated(200, -1.0)):
        axes = det(poor)
        assert axes.get_xlim() == pytest.approx((ndtri(0.001), ndtri(0.999)))
        (chance,) = labelled(axes.lines, "_chance")
        np.testing.assert_allclose(*chance.get_xydata().T * [[1], [-1]])
        assert len(labelled(axes.lines, "_point")) == 1


def test_what_does_not_fit_is_refused(curve) -> None:
    smooth = rs.average(rs.smroc_curves(_probabilities()), "vertical")
    for wrong in ("curve", curve.cost_curve(), [curve, 3], smooth):
        with pytest.raises(UsageError, match="RS002"):
            det(wrong)
    for wrong in ([], [curve] * 7):
        with pytest.raises(UsageError, match="RS042"):
            det(wrong)
    with pytest.raises(UsageError, match="RS001"):
        det(curve, words="speech")


def _probabilities() -> rs.ScoreSet:
    return rs.ScoreSet.from_folds(
        [([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2]), ([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.1])]
    )
