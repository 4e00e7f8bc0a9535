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
    start, stop = zip(axes.get_xlim(), axes.get_ylim(), strict=True)
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


def test_axes_are_in_per_cent_and_a_deviate_is_as_long_on_either(curve) -> None:
    axes = det(curve, words="biometric")
    assert axes.get_box_aspect() == pytest.approx(np.ptp(axes.get_ylim()) / np.ptp(axes.get_xlim()))
    assert axes.get_xlim()[1] == axes.get_ylim()[1] == 0  # a half
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


def test_each_axis_starts_at_the_smallest_rate_of_its_cases() -> None:
    rng = np.random.default_rng(0)
    labels = np.repeat([1, 0], [100, 10_000])
    axes = det(rs.roc_curve(labels, rng.normal(size=10_100) + 3.5 * labels))
    assert ndtr(axes.get_xlim()[0]) == pytest.approx(1e-4)
    assert ndtr(axes.get_ylim()[0]) == pytest.approx(1e-2)
    word = axes.xaxis.get_major_formatter()
    assert {"0.01", "0.1", "1", "5", "10", "20", "40"} <= {word(tick) for tick in axes.get_xticks()}
    axes.figure.draw_without_rendering()
    for labels in (axes.get_xticklabels(), axes.get_yticklabels()):
        boxes = [label.get_window_extent() for label in labels]
        assert not any(one.overlaps(other) for i, one in enumerate(boxes) for other in boxes[:i])


@pytest.mark.parametrize("at", [{"fpr": 0.02}, {"fmr": 0.02}])
def test_the_miss_rate_at_a_false_match_rate_is_marked_and_told(curve, at) -> None:
    axes = det({"finger": curve}, at=at, words="biometric")
    found, limits = 1 - curve.tpr_at(0.02), curve.tpr_interval(0.02)
    mark = labelled(axes.lines, "_point")[1]
    np.testing.assert_allclose(mark.get_xydata(), [ndtri([0.02, found])])
    (bar,) = labelled(axes.lines, "_interval")
    np.testing.assert_allclose(bar.get_xdata(), ndtri([0.02] * 2))
    ends = ndtri([1 - limits.high, 1 - limits.low])
    np.testing.assert_allclose(bar.get_ydata(), np.clip(ends, *axes.get_ylim()))
    told = (
        f"FMR 2 %: FNMR {100 * found:.1f} % ({100 * (1 - limits.high):.1f} to {100 * (1 - limits.low):.1f})"
    )
    assert texts(axes)[1:] == [told, "bars, in brackets: 95 % intervals"]


def test_the_false_match_rate_at_a_miss_rate(curve) -> None:
    for at in ({"tpr": 0.9}, {"fnmr": 0.1}):
        axes = det(curve, at=at, confidence_level=0.9)
        np.testing.assert_allclose(
            labelled(axes.lines, "_point")[1].get_xydata(), [ndtri([curve.fpr_at(0.9), 0.1])]
        )
        assert texts(axes)[1].startswith("FNR 10 %: FPR ")
        assert texts(axes)[2] == "bars, in brackets: 90 % intervals"


def test_points_without_cases_have_no_interval(curve, hosts) -> None:
    axes = det(curve.det(), at=[{"fpr": 0.1}, {"tpr": 0.9}])
    points = [mark.get_xydata()[0] for mark in labelled(axes.lines, "_point")[1:]]
    expected = [ndtri([0.1, 1 - curve.tpr_at(0.1)]), ndtri([curve.fpr_at(0.9), 0.1])]
    np.testing.assert_allclose(points, expected, atol=1e-9)
    assert not labelled(axes.lines, "_interval")
    average = rs.average(hosts, "vertical")
    found = average.at(fpr=0.1).tpr_interval
    (bar,) = labelled(det(average, at={"fpr": 0.1}).lines, "_interval")
    np.testing.assert_allclose(bar.get_ydata(), ndtri([1 - found.high, 1 - found.low]))


def test_the_axes_reach_a_point_that_was_asked_for(curve) -> None:
    found = 1 - curve.tpr_at(0.004)
    assert found > 0.5
    axes = det(curve, at={"fpr": 0.004})
    assert len(labelled(axes.lines, "_point")) == 2
    assert axes.get_ylim()[1] >= ndtri(found)
    assert axes.get_xlim()[1] == 0


@pytest.mark.parametrize("text_size", [8, 16])
def test_a_long_key_stays_in_the_figure(curve, text_size) -> None:
    curves = {f"matcher {k}": curve for k in range(6)}
    axes = det(curves, at=[{"fmr": 0.02}, {"fnmr": 0.1}], words="biometric", text_size=text_size)
    axes.figure.draw_without_rendering()
    box, page = axes.get_legend().get_window_extent(), axes.figure.bbox
    assert page.x0 <= box.x0 < box.x1 <= page.x1
    assert page.y0 <= box.y0 < box.y1 <= page.y1


def test_zoom_ends_the_axes_and_says_what_it_hides(curve) -> None:
    axes = det(curve, at={"fpr": 0.3}, zoom=(0.2, 0.7))
    assert (ndtr(axes.get_xlim()[1]), ndtr(axes.get_ylim()[1])) == pytest.approx((0.2, 0.3))
    assert texts(axes)[1].endswith(",\noutside these axes")
    assert len(labelled(axes.lines, "_point")) == 1


@pytest.mark.parametrize("seed", range(5))
def test_a_det_curve_has_the_equal_error_rate_of_its_curve(seed) -> None:
    rng = np.random.default_rng(seed)
    labels = np.append([0, 1], rng.random(30) < 0.4)
    curve = rs.roc_curve(labels, rng.integers(0, 8, 32))
    own = curve.det()
    assert own.equal_error_rate == pytest.approx(curve.equal_error_rate, abs=1e-12)
    rates = np.array([0.0, 0.1, 0.37, 0.8, 1.0])
    np.testing.assert_allclose(own.fnr_at(rates), 1 - curve.tpr_at(rates), atol=1e-12)
    np.testing.assert_allclose(own.fpr_at(1 - rates), curve.fpr_at(rates), atol=1e-12)
    assert isinstance(own.fnr_at(0.1), float)


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


def test_what_does_not_fit_is_refused(curve, hosts) -> None:
    smooth = rs.average(rs.smroc_curve(_probabilities()), "vertical")
    for wrong in ("curve", curve.cost_curve(), [curve, 3], smooth):
        with pytest.raises(UsageError, match="RS002"):
            det(wrong)
    for wrong in ([], [curve] * 7):
        with pytest.raises(UsageError, match="RS042"):
            det(wrong)
    with pytest.raises(UsageError, match="RS001"):
        det(curve, words="speech")
    for at in ({"fur": 0.1}, 0.1, {"threshold": [1]}):
        with pytest.raises(UsageError, match=r"RS042|RS092"):
            det(curve, at=at)
    with pytest.raises(UsageError, match="RS042"):
        det(rs.roc_curves(hosts), at={"fpr": 0.1})


def _probabilities() -> rs.ScoreSet:
    return rs.ScoreSet.from_folds(
        [([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2]), ([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.1])], design="independent"
    )
