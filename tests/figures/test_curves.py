"""Figures of curves and averages draw the numbers of their values, say what these are, and refuse what is none."""

from __future__ import annotations

import re
import warnings
import xml.etree.ElementTree as ET
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

import rocsteady as rs
from rocsteady.averaging.base import Average
from rocsteady.errors import UsageError
from rocsteady.figures.averages import picture as averages_picture
from rocsteady.figures.roc import picture as roc_picture
from rocsteady.figures.spec import Segments
from rocsteady.figures.style import LOOKS
from rocsteady.figures.svg import svg
from rocsteady.text import ML

pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning:matplotlib", "ignore:RS23", "ignore:RS210", "ignore:RS317", "ignore:RS108"
)


def groups(n_groups: int = 12, n: int = 60, *, gain: float = 2.0, unit: str = "host") -> rs.ScoreSet:
    rng = np.random.default_rng(5)
    labels = np.tile([1] * (n // 2) + [0] * (n // 2), n_groups)
    shift = np.repeat(rng.normal(size=n_groups), n) * 0.4
    names = np.repeat([f"{unit} {i}" for i in range(n_groups)], n)
    scores = rng.normal(size=labels.size) + shift + gain * labels
    return rs.ScoreSet.from_arrays(labels, scores, names, unit=unit)


def of_models(
    gains: dict[str, float], method: Any = "vertical", *, n_groups: int = 9, n: int = 20, unit: str = "site"
) -> dict[str, Average]:
    rng = np.random.default_rng(5)
    labels, names = np.tile([1] * n + [0] * n, n_groups), np.repeat(np.arange(n_groups), 2 * n)
    common = rng.normal(size=labels.size)
    scores = {name: common + rng.normal(size=labels.size) + gain * labels for name, gain in gains.items()}
    score_set = rs.ScoreSet.from_arrays(labels, scores, names, unit=unit)
    return {name: rs.average(score_set.model(name), method) for name in gains}


def curve(gain: float = 1.5, n: int = 80, *, seed: int = 1, name: str | None = None) -> rs.RocCurve:
    labels = np.arange(n) % 2
    return rs.roc_curve(labels, np.random.default_rng(seed).normal(size=n) + gain * labels, name=name)


TWO = {"old": 2.0, "new": 3.5}


@pytest.fixture(scope="module")
def hosts() -> rs.ScoreSet:
    return groups()


@pytest.fixture(scope="module")
def vertical(hosts):
    return rs.average(hosts, "vertical")


@pytest.fixture(scope="module")
def threshold(hosts):
    return rs.average(hosts, "threshold")


@pytest.fixture(scope="module")
def both() -> dict[str, Average]:
    return of_models(TWO)


@pytest.fixture(scope="module")
def shared() -> dict[str, Average]:
    return of_models(TWO, "threshold")


def drawn(axes: Any, label: str) -> list[Any]:
    return [own for own in (*axes.lines, *axes.collections, *axes.patches) if own.get_label() == label]


def lines(axes: Any, label: str) -> list[np.ndarray]:
    return [np.asarray(own.get_xydata()) for own in axes.lines if own.get_label() == label]


def corners(axes: Any, label: str) -> np.ndarray:
    areas = [own for own in drawn(axes, label) if isinstance(own, PolyCollection)]
    return np.concatenate([path.vertices for area in areas for path in area.get_paths()])


def texts(axes: Any) -> list[str]:
    return [text.get_text().replace("\n", " ") for text in axes.get_legend().get_texts()]


# One average --------------------------------------------------------------------------------------------


def test_the_average_its_members_and_its_bands_are_those_of_the_value(vertical) -> None:
    axes = rs.plot.average(vertical)
    np.testing.assert_array_equal(lines(axes, "_average"), [np.column_stack([vertical.fpr, vertical.tpr])])
    (members,) = [own for own in axes.collections if isinstance(own, LineCollection)]
    for segment, own in zip(members.get_segments(), vertical.curves, strict=True):
        np.testing.assert_array_equal(segment, np.column_stack([own.fpr, own.tpr]))
    for kind in ("pointwise", "simultaneous"):
        band = vertical.band(kind=kind)
        sides = [np.column_stack([edge.fpr, edge.tpr]) for edge in (band.lower, band.upper)]
        known = np.isfinite(sides[0]).all(axis=1) & np.isfinite(sides[1]).all(axis=1)
        found = {tuple(own) for own in corners(axes, f"_{kind}").round(12).tolist()}
        expected = np.concatenate([side[known] for side in sides]).round(12).tolist()
        assert {tuple(own) for own in expected} == found
    assert (axes.get_xlim(), axes.get_ylim(), axes.get_box_aspect()) == ((0, 1), (0, 1), 1)
    np.testing.assert_array_equal(lines(axes, "_chance"), [[[0, 0], [1, 1]]])


def test_the_key_of_an_average_has_area_interval_kind_groups_and_bands(vertical) -> None:
    interval = vertical.auc_interval(0.9)
    assert texts(rs.plot.average(vertical, label="baseline", confidence_level=0.9)) == [
        f"baseline  AUC {vertical.auc:.3f}",
        f"90 % CI {interval.low:.3f} to {interval.high:.3f}",
        "vertical average, 12 hosts",
        "each host",
        "90 %: each point by itself",
        "90 %: FPR 2 to 33.4 % and 36.5 to 50 % at once; elsewhere most hosts coincide",
    ]


@pytest.mark.parametrize("method", ["pooled", "horizontal", "radial", "tangent", "binormal"])
def test_every_kind_of_average_is_drawn(hosts, method) -> None:
    average = rs.average(hosts, method)
    axes = rs.plot.average(average, band="pointwise", at={"fpr": 0.1})
    (line,) = lines(axes, "_average")
    vertices = np.column_stack([average.fpr, average.tpr]).tolist()
    assert line.tolist()[:: len(line) - 1] == vertices[:: len(vertices) - 1]
    assert {*map(tuple, line.tolist())} <= {*map(tuple, vertices)}  # those that the eye can see
    assert f"{method} average, 12 hosts" in texts(axes)
    assert len(corners(axes, "_pointwise"))


def test_intervals_run_along_what_is_free(hosts, vertical, threshold) -> None:
    up = vertical.at(fpr=0.1)
    (bar,) = lines(rs.plot.average(vertical, band=None, at={"fpr": 0.1}), "_interval")
    np.testing.assert_allclose(bar, [[0.1, up.tpr_interval.low], [0.1, up.tpr_interval.high]])
    point = threshold.at(threshold=1.0)
    axes = rs.plot.average(threshold, band=None, at=point)
    across, upright = lines(axes, "_interval")
    np.testing.assert_allclose(across[:, 0], [point.fpr_interval.low, point.fpr_interval.high])
    np.testing.assert_allclose(upright[:, 1], [point.tpr_interval.low, point.tpr_interval.high])
    np.testing.assert_allclose(lines(axes, "_point"), [[[point.fpr, point.tpr]]])
    assert any(text.startswith("threshold 1: FPR ") for text in texts(axes))
    diagonal = rs.average(hosts, "diagonal")
    point = diagonal.at(rate=0.5)
    (slanted,) = lines(rs.plot.average(diagonal, band=None, at={"rate": 0.5}), "_interval")
    slanted = slanted[:2]
    assert set(slanted[:, 0]) == {point.fpr_interval.low, point.fpr_interval.high}
    np.testing.assert_allclose(slanted.sum(axis=1), 1.0)  # the share called positive does not change


def test_points_are_places_values_or_several(vertical) -> None:
    point = vertical.at(fpr=[0.1, 0.2])
    axes = rs.plot.average(vertical, band=None, at=[{"fpr": 0.05}, point])
    found = np.concatenate(lines(axes, "_point"))
    np.testing.assert_allclose(found[:, 0], [0.05, 0.1, 0.2])
    np.testing.assert_allclose(found[:, 1], [vertical.at(fpr=0.05).tpr, *point.tpr])
    for wrong in (0.05, "fpr", {"accuracy": 0.9}, {}, [0.05], [[3]]):
        with pytest.raises(UsageError, match="RS092"):
            rs.plot.average(vertical, at=wrong)


def test_a_region_of_both_rates_surrounds_points_of_a_shared_threshold(vertical, threshold) -> None:
    axes = rs.plot.average(threshold, band=None, at={"threshold": 1.0}, ellipse=0.9)
    expected = threshold.ellipse(1.0, 0.9)
    found = corners(axes, "_ellipse")
    np.testing.assert_allclose(found[: expected.fpr.size], np.column_stack([expected.fpr, expected.tpr]))
    assert "90 %: both rates at once" in texts(axes)
    with pytest.raises(UsageError, match="RS002"):
        rs.plot.average(vertical, at={"fpr": 0.1}, ellipse=0.9)
    with pytest.raises(UsageError, match="RS042"):
        rs.plot.average(threshold, at={"threshold": 1.0}, ellipse=95)


@pytest.mark.parametrize(
    ("n_groups", "kinds", "said"),
    [
        (1, set(), "one host: no band"),
        (2, set(), "too few hosts for a band"),
        (5, {"_pointwise"}, "too few hosts for a band over a range"),
        (8, {"_pointwise", "_simultaneous"}, "95 %: FPR 2 to "),
    ],
)
def test_few_groups_have_fewer_bands_and_no_warning(n_groups, kinds, said) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", rs.RocsteadyWarning)
        warnings.filterwarnings("ignore", "RS317")
        axes = rs.plot.average(rs.average(groups(n_groups), "vertical"))
    assert {own.get_label() for own in axes.collections if isinstance(own, PolyCollection)} == kinds
    assert any(said in text for text in texts(axes))


def test_bands_are_words_values_or_none(vertical, hosts) -> None:
    given = vertical.band(0.5, kind="simultaneous", fpr=(0.1, 0.3))
    axes = rs.plot.average(vertical, band=given)
    assert corners(axes, "_simultaneous")[:, 0].min() == pytest.approx(0.1)
    assert "50 %: FPR 10 to 30 % at once" in texts(axes)
    assert list(rs.plot.average(vertical, band=None, curves=False).collections) == []
    assert "95 %: one more host" in texts(rs.plot.average(vertical, band="prediction"))
    with pytest.raises(UsageError, match="RS001"):
        rs.plot.average(vertical, band="wide")
    with pytest.raises(UsageError, match="RS086"):
        rs.plot.average(rs.average(hosts, "threshold"), band="prediction")


def test_of_many_groups_300_are_drawn_and_counted() -> None:
    axes = rs.plot.average(rs.average(groups(420, 10), "vertical"), band=None)
    assert len(axes.collections[0].get_segments()) == 300
    assert "300 of 420 hosts" in texts(axes)


def test_zoom_and_log_scale_show_the_same_curve(vertical) -> None:
    near = rs.plot.average(vertical, band=None, zoom=0.08, at={"fpr": 0.1})
    assert (near.get_xlim(), lines(near, "_point")) == ((0, 0.08), [])
    log = rs.plot.average(vertical, band=None, xscale="log", at=[{"fpr": 0.1}, {"fpr": 0.001}])
    (line,) = lines(log, "_average")
    assert log.get_xlim()[0] == 0.02  # one false alarm of 30 negatives, or less
    inside = line[(line[:, 0] > 0.02) & (line[:, 0] < 1)]
    low, high = (vertical.tpr_at(inside[:, 0], side=side) for side in ("lower", "upper"))
    assert (inside[:, 1] >= low - 1e-12).all()
    assert (inside[:, 1] <= high + 1e-12).all()
    assert [own[0, 0] for own in lines(log, "_point")] == [0.1, 0.02]  # the other stands at the edge


@pytest.mark.parametrize("method", ["vertical", "threshold"])
@pytest.mark.parametrize("view", [{"xscale": "log"}, {"zoom": 0.02}], ids=["log", "zoom"])
def test_a_band_holds_the_average_also_where_little_is_in_view(method, view) -> None:
    rng = np.random.default_rng(3)
    labels = np.tile(np.r_[np.ones(30), np.zeros(3000)], 9)
    scores = (rng.normal(size=labels.size) + 2.5 * labels).round(2)  # fewer thresholds are read faster
    average = rs.average(rs.ScoreSet.from_arrays(labels, scores, np.repeat(np.arange(9), 3030)), method)
    axes = rs.plot.average(average, band="pointwise", **view)
    (area,) = drawn(axes, "_pointwise")
    at = np.array([0.0011, 0.0052, 0.0149])
    limits = average.at(fpr=at).tpr_interval
    for fpr, middle, high in zip(at, average.tpr_at(at), limits.high, strict=True):
        assert any(path.contains_point((fpr, middle)) for path in area.get_paths())
        assert not any(path.contains_point((fpr, high + 0.1)) for path in area.get_paths())


def test_words_of_fields(vertical) -> None:
    axes = rs.plot.average(vertical, band=None, words="medical", at={"fpr": 0.1})
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("1 − specificity", "Sensitivity")
    point = vertical.at(fpr=0.1)
    low, high = 100 * point.tpr_interval.low, 100 * point.tpr_interval.high
    assert texts(axes)[-1] == (
        f"specificity 90 %: sensitivity {100 * point.tpr:.1f} % ({low:.1f} to {high:.1f})"
    )
    own = rs.plot.average(vertical, band=None, words="medical", at={"specificity": 0.9})
    assert texts(own)[-1] == texts(axes)[-1]
    axes = rs.plot.average(vertical, band=None, words="biometric", at=[{"fmr": 0.1}, {"fnmr": 0.2}])
    missed = f"{100 * (1 - point.tpr):.1f} % ({100 - high:.1f} to {100 - low:.1f})"
    assert f"FMR 10 %: FNMR {missed}" in texts(axes)
    assert texts(axes)[-1].startswith("FNMR 20 %: FMR ")


def test_averages_of_smroc_curves_speak_of_credit() -> None:
    rng = np.random.default_rng(0)
    labels = np.tile([1, 0], 200)
    scores = 1 / (1 + np.exp(-(rng.normal(size=400) + labels)))
    folds = rs.ScoreSet.from_arrays(labels, scores, np.repeat(np.arange(10), 40), unit="fold")
    average = rs.average(rs.smroc_curve(folds, mid=0.5), "vertical")
    axes = rs.plot.average(average, band=None, at={"fpr": 0.2})
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("share of debit", "share of credit")
    assert f"labels at random: smAUC about {average.chance_auc:.3f}" in texts(axes)
    assert texts(axes)[-1].startswith("share of debit 20 %: share of credit")


def test_names_and_units_are_shown_as_they_are_but_not_at_any_length() -> None:
    unit = "a unit of $measure$ <b>so long</b> that\nno key could hold it"
    axes = rs.plot.average(rs.average(groups(8, unit=unit), "vertical"), label="$x_1$ <i>model</i>")
    assert texts(axes)[0].startswith("$x_1$ <i>model</i>  AUC")
    assert "vertical average, 8 groups" in texts(axes)
    axes.figure.draw_without_rendering()  # a formula in a name would fail here


def test_what_is_no_average_is_refused(hosts, vertical) -> None:
    for wrong in (3, None, "average", hosts, vertical.curves, vertical.band()):
        with pytest.raises(UsageError, match="RS002"):
            rs.plot.average(wrong)
    for options in ({"curves": "no"}, {"xscale": "logit"}, {"words": "legal"}):
        with pytest.raises(UsageError, match="RS001"):
            rs.plot.average(vertical, **options)
    for zoom in (0, 20, (0.5, 1.0), (1, 2, 3), [], [0.1]):
        with pytest.raises(UsageError, match="RS042"):
            rs.plot.average(vertical, zoom=zoom)
    with pytest.raises(UsageError, match="RS002"):
        rs.plot.average(vertical, look="red")


# Averages of several models -----------------------------------------------------------------------------


def test_averages_are_drawn_with_looks_of_their_own(both) -> None:
    axes = rs.plot.averages(both, at={"fpr": 0.1})
    found = drawn(axes, "_average")
    for line, own in zip(found, both.values(), strict=True):
        np.testing.assert_array_equal(line.get_xydata(), np.column_stack([own.fpr, own.tpr]))
    assert [to_hex(line.get_color()).upper() for line in found] == [look.colour for look in LOOKS[:2]]
    assert [line.is_dashed() for line in found] == [False, True]
    for members, own in zip(drawn(axes, "_members"), both.values(), strict=True):
        assert len(members.get_segments()) == own.n_groups
    assert drawn(rs.plot.averages(both, curves=False), "_members") == []
    intervals = [own.auc_interval() for own in both.values()]
    assert texts(axes)[:2] == [
        f"{name}  {own.auc:.3f} ({interval.low:.3f} to {interval.high:.3f})"
        for (name, own), interval in zip(both.items(), intervals, strict=True)
    ]
    assert texts(axes)[2] == "vertical average, 9 sites"
    assert texts(axes)[-1] == "markers: FPR 10 %, 95 % CI"
    assert axes.get_legend().get_title().get_text() == "AUC of the average curve, 95 % CI"
    colours = [text.get_color() for text in axes.get_legend().get_texts()[:2]]
    assert colours == [look.text for look in LOOKS[:2]]


def test_confidence_level_reaches_everything(shared) -> None:
    axes = rs.plot.averages(shared, at={"fpr": 0.1}, confidence_level=0.8, seed=3)
    interval = shared["old"].auc_interval(0.8)
    assert f"({interval.low:.3f} to {interval.high:.3f})" in texts(axes)[0]
    assert any(text.startswith("80 %: each point") for text in texts(axes))
    point = shared["old"].at(fpr=0.1, confidence_level=0.8)
    np.testing.assert_allclose(
        lines(axes, "_interval")[0][:, 1], [point.tpr_interval.low, point.tpr_interval.high]
    )


def test_markers_are_on_their_curves_and_bars_a_little_apart(both) -> None:
    axes = rs.plot.averages({"one": both["old"], "two": both["old"]}, at={"fpr": 0.1})
    point = both["old"].at(fpr=0.1)
    for marker in lines(axes, "_point"):
        np.testing.assert_allclose(marker, [[0.1, point.tpr]])
    for bar in lines(axes, "_interval"):
        np.testing.assert_allclose(bar[:, 1], [point.tpr_interval.low, point.tpr_interval.high])
    axes.figure.draw_without_rendering()
    shown = [bar.get_transform().transform((0.1, point.tpr))[0] for bar in drawn(axes, "_interval")]
    place, dot = axes.transData.transform((0.1, point.tpr))[0], axes.figure.dpi / 72
    assert 1.5 * dot < abs(shown[0] - shown[1]) < 4.1 * dot
    assert max(abs(own - place) for own in shown) < 2.1 * dot
    assert len({marker.get_marker() for marker in drawn(axes, "_point")}) == 2


def test_more_than_two_have_no_members_and_no_wide_bands_unless_asked_for() -> None:
    three = of_models({"a": 1.0, "b": 2.0, "c": 3.0})
    axes = rs.plot.averages(three)
    assert (drawn(axes, "_members"), drawn(axes, "_simultaneous")) == ([], [])
    assert len({area.get_facecolor()[0][:3].tobytes() for area in drawn(axes, "_pointwise")}) == 3
    axes = rs.plot.averages(three, curves=True, band="both")
    assert len(drawn(axes, "_members")) == 3
    for panel in rs.plot.averages(three, panels=True):  # one average in each
        assert (
            len(drawn(panel, "_members")) == len({a.get_label() for a in drawn(panel, "_simultaneous")}) == 1
        )


def test_points_of_thresholds_are_given_by_name(shared) -> None:
    chosen = {name: own.at(threshold=float(own.thresholds[40])) for name, own in shared.items()}
    axes = rs.plot.averages(shared, at=chosen, band=None)
    for marker, point in zip(lines(axes, "_point"), chosen.values(), strict=True):
        np.testing.assert_allclose(marker, [[point.fpr, point.tpr]])
    assert len(lines(axes, "_interval")) == 4  # both rates are free
    assert any(text.startswith("markers: a threshold each") for text in texts(axes))
    one = rs.plot.averages(shared, at={"new": {"threshold": 1.25}}, band=None)
    assert len(lines(one, "_point")) == 1
    assert any(text.startswith("markers: threshold 1.25, 95 % CI") for text in texts(one))


@pytest.mark.parametrize(
    "at", [0.05, "fpr", {"width": 3}, {"old": 0.3}, [{"fpr": 0.1}, 3], {"oldd": {"fpr": 0.1}}]
)
def test_what_is_no_place_is_refused(both, at) -> None:
    with pytest.raises(UsageError, match=r"RS002|RS092"):
        rs.plot.averages(both, at=at)
    with pytest.raises(UsageError, match="belongs to one average"):
        rs.plot.averages(both, at=both["old"].at(fpr=0.1))


def test_different_kinds_need_names_that_say_so(both, shared) -> None:
    with pytest.raises(UsageError, match="different kinds"):
        rs.plot.averages({"old": both["old"], "new": shared["new"]})
    named = rs.plot.averages([both["old"], shared["old"]])
    assert {"vertical", "threshold"} <= {text.split()[0] for text in texts(named)}
    assert "averages over 9 sites" in texts(named)
    assert len(drawn(named, "_members")) == 1  # the same curves, averaged twice
    spoken = rs.plot.averages({"one threshold": shared["old"], "Vertical of old": both["old"]})
    assert "vertical average" in texts(spoken)


def test_averages_along_any_direction_say_which(groups_of_two) -> None:
    methods = {
        "30 degrees": rs.AtAngle(np.radians(30)),
        "fixed costs": rs.AtCosts(false_positive=4, false_negative=1, prevalence=0.5),
        "alarms": rs.AtAlarmRate(prevalence=0.1),
    }
    found = {name: rs.average(groups_of_two, method) for name, method in methods.items()}
    assert "30-degree average" in texts(rs.plot.averages(found))
    with pytest.raises(UsageError, match="different kinds"):
        rs.plot.averages({"a": found["30 degrees"], "costs": found["fixed costs"]})


def test_limits_that_are_no_more_than_the_ends_have_no_long_rows_of_digits(groups_of_two) -> None:
    key = " ".join(texts(rs.plot.average(rs.average(groups_of_two, "vertical"))))
    assert "95 % CI < 0.001 to > 0.999" in key


def test_rows_of_plots_stand_close_together(groups_of_two) -> None:
    averages = [rs.average(groups_of_two, name) for name in ("pooled", "vertical", "diagonal", "tangent")]
    averages += [rs.average(groups_of_two, rs.AtAngle(own)) for own in (0.1, 0.2, 0.3)]
    axes = rs.plot.averages(averages)
    figure = axes[0].figure
    figure.draw_without_rendering()
    boxes = [own.get_tightbbox() for own in axes]
    gaps = [boxes[k].y0 - boxes[k + 3].y1 for k in range(4)]
    assert all(0 < gap < 0.2 * figure.dpi for gap in gaps)
    sides = [own.get_window_extent() for own in axes]
    assert all(own.width == pytest.approx(own.height) and own.width > 1.6 * figure.dpi for own in sides)


@pytest.fixture
def groups_of_two() -> rs.ScoreSet:
    """A well and a poorly separable dataset."""
    rng = np.random.default_rng(3)
    truth = np.repeat([1, 0], 60)
    return rs.ScoreSet.from_folds([(truth, rng.normal(size=120) + own * truth) for own in (2.5, 0.8)])


def test_groups_and_planes_are_not_mixed(both) -> None:
    with pytest.raises(UsageError, match="site and fold"):
        rs.plot.averages({"a": both["old"], "b": of_models(TWO, unit="fold")["old"]})
    rng = np.random.default_rng(2)
    rows = [(np.arange(30) % 2, np.round(rng.random(30), 2)) for _ in range(3)]
    smooth = rs.average([rs.smroc_curve(*row, mid=0.5) for row in rows], "vertical")
    ordinary = rs.average(rs.ScoreSet.from_folds(rows, unit=smooth.unit, design="independent"), "vertical")
    with pytest.raises(UsageError, match="different axes"):
        rs.plot.averages({"a": smooth, "b": ordinary})
    axes = rs.plot.averages({"a": smooth})
    assert axes.get_xlabel() == "share of debit"
    assert f"chance {smooth.chance_auc:.3f}" in texts(axes)


def test_anything_but_named_averages_is_refused(both) -> None:
    for wrong in (None, 3, "old", {}, [], {"a": 3}, {1: "x"}):
        with pytest.raises(UsageError, match="RS002"):
            rs.plot.averages(wrong)
    several = list(both.values())
    assert texts(rs.plot.averages(several, names=["x", "y"]))[0].startswith("x")
    for names in (None, ["x"], ["x", "x"], "xy", ["x", 3]):
        with pytest.raises(UsageError, match="a name of its own"):
            rs.plot.averages(several, names=names)
    with pytest.raises(UsageError, match="names already"):
        rs.plot.averages(both, names=["x", "y"])
    for options, code in (({"band": "broad"}, "RS001"), ({"curves": "no"}, "RS001"), ({"zoom": 3}, "RS042")):
        with pytest.raises(UsageError, match=code):
            rs.plot.averages(both, **options)


def test_other_sizes_are_said_beside_each_and_few_curves_are_counted(both) -> None:
    axes = rs.plot.averages({"old": both["old"], "fewer": of_models(TWO, n_groups=8)["new"]})
    assert "vertical averages" in texts(axes)
    assert {"9 sites", "8 sites"} <= set(texts(axes))
    many = rs.plot.averages(of_models(TWO, n_groups=400, n=3), band=None)
    assert [len(own.get_segments()) for own in drawn(many, "_members")] == [150, 150]
    assert "thin: 150 of 400 sites" in texts(many)
    few = rs.plot.averages(of_models(TWO, n_groups=5), at={"fpr": 0.1})
    assert drawn(few, "_simultaneous") == []
    assert "too few sites for a band over a range" in texts(few)


def test_more_than_four_have_a_plot_each(both) -> None:
    five = of_models({f"model {k}": 1.0 + k / 2 for k in range(5)})
    panels = rs.plot.averages(five, title="Five models", at={"fpr": 0.1})
    assert isinstance(panels, tuple)
    assert [axes.get_title(loc="left") for axes in panels] == list(five)
    for axes, own, look in zip(panels, five.values(), LOOKS, strict=False):
        (line,) = drawn(axes, "_average")
        np.testing.assert_array_equal(line.get_xydata(), np.column_stack([own.fpr, own.tpr]))
        assert to_hex(line.get_color()).upper() == look.colour
        assert len(drawn(axes, "_other")) == 4
        assert texts(axes)[0].startswith(f"AUC {own.auc:.3f}")
    (explained,) = panels[0].figure.legends
    assert "the other averages" in [text.get_text() for text in explained.get_texts()]
    with pytest.raises(UsageError, match="RS042"):
        rs.plot.averages(five, panels=False)
    given = Figure(layout="constrained").subplots(1, 2)
    assert list(rs.plot.averages(both, panels=True, ax=given)) == list(given)
    with pytest.raises(UsageError, match="as many axes"):
        rs.plot.averages(both, panels=True, ax=[given[0]])
    with pytest.raises(UsageError, match="RS042"):
        rs.plot.averages({f"{k}": both["old"] for k in range(25)})


LONG = [f"Gradient boosted trees, {n} rounds, depth {d}" for n in (100, 500) for d in (2, 4)]


def test_long_and_wicked_names_stay_different_and_harmless() -> None:
    axes = rs.plot.averages(of_models(dict(zip(LONG, (1.0, 1.5, 2.0, 2.5), strict=True))))
    names = [text.rpartition(" (")[0].rpartition(" ")[0] for text in texts(axes) if "Gradient" in text]
    assert len(set(names)) == 4
    wicked = {"a$b_{$ and a great many letters more": 2.0, "x" * 90: 3.0, "two\nlines <i>": 2.5}
    axes = rs.plot.averages(of_models(wicked, unit="cent$e_{"), at={"fpr": 0.1})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        axes.figure.draw_without_rendering()
    assert texts(axes)[0].startswith("a$b_{$")


def test_the_small_picture_of_the_page_follows_the_declared_point(both) -> None:
    for fpr, scale in ((0.05, "linear"), (0.004, "log")):
        points = {name: [own.at(fpr=fpr)] for name, own in both.items()}
        found = averages_picture(both, points=points)
        axis = found.panels[0].x
        assert axis.scale == scale
        assert axis.low is not None
        assert axis.low < fpr
        assert "interval" in svg(found, ML.about(models=tuple(both)))


# Single curves ------------------------------------------------------------------------------------------


def test_one_curve_with_its_area_cases_and_points() -> None:
    own = curve(name="model A")
    axes = rs.plot.roc(own, at=[{"fpr": 0.2}, {"tpr": 0.9}, {"threshold": 0.5}], confidence_level=0.9)
    np.testing.assert_array_equal(lines(axes, "_average"), [np.column_stack([own.fpr, own.tpr])])
    interval = own.auc_interval(0.9)
    assert texts(axes)[:3] == [
        f"model A  AUC {own.auc:.3f}",
        f"90 % CI {interval.low:.3f} to {interval.high:.3f}",
        "40 positives, 40 negatives",
    ]
    rates = own.rates_at(0.5)
    places = [[0.2, own.tpr_at(0.2)], [own.fpr_at(0.9), 0.9], [rates.fpr, rates.tpr]]
    np.testing.assert_allclose([point[0] for point in lines(axes, "_point")], places)
    up, across = lines(axes, "_interval")
    np.testing.assert_allclose(up[:, 1], [own.tpr_interval(0.2, 0.9).low, own.tpr_interval(0.2, 0.9).high])
    np.testing.assert_allclose(
        across[:, 0], [own.fpr_interval(0.9, 0.9).low, own.fpr_interval(0.9, 0.9).high]
    )
    cutoff = rs.choose_cutoff(own, "youden")
    axes = rs.plot.roc(own, at=cutoff)
    np.testing.assert_allclose(lines(axes, "_point"), [[[cutoff.fpr, cutoff.tpr]]])
    assert lines(axes, "_interval") == []


def test_several_curves_differ_by_colour_and_dash_and_keep_their_names() -> None:
    six = {f"model {letter}": curve(0.3 + 0.3 * i, seed=i) for i, letter in enumerate("ABCDEF")}
    axes = rs.plot.roc(six)
    found = drawn(axes, "_average")
    assert len({own.get_color() for own in found}) == len({repr(own._dash_pattern) for own in found}) == 6
    assert [text.split("  ")[0] for text in texts(axes)] == list(six)
    interval = six["model A"].auc_interval()
    assert texts(axes)[0] == f"model A  {six['model A'].auc:.3f} ({interval.low:.3f} to {interval.high:.3f})"
    named = rs.plot.roc([curve(), curve()], names=["a", "b"], interval=False)
    assert [text.split("  ")[0] for text in texts(named)] == ["a", "b"]
    unnamed = rs.plot.roc([curve(), curve(name="own")], interval=False)
    assert texts(unnamed)[0].startswith("curve 1")


def test_many_curves_are_faint_and_counted_those_of_each_model_alike() -> None:
    rng = np.random.default_rng(0)
    labels, readers = np.tile([1, 0], 100), np.repeat(np.arange(5), 40)
    scores = {name: rng.normal(size=200) + labels for name in ("CT", "MRI")}
    axes = rs.plot.roc(rs.roc_curves(rs.ScoreSet.from_arrays(labels, scores, readers, unit="reader")))
    looked = [(len(own.get_segments()), to_hex(own.get_color()[0]).upper()) for own in axes.collections]
    assert looked == [(5, LOOKS[0].colour), (5, LOOKS[1].colour)]
    assert texts(axes) == ["5 readers, 2 models", "CT", "MRI"]
    labels = np.tile([1, 0], 400)
    folds = rs.ScoreSet.from_arrays(
        labels, rng.normal(size=800) + labels, np.repeat(np.arange(20), 40), unit="fold"
    )
    for many in (rs.roc_curves(folds), list(rs.roc_curves(folds))):
        axes = rs.plot.roc(many)
        assert len(axes.collections[0].get_segments()) == 20
        assert lines(axes, "_average") == []
    for figure in (rs.plot.roc, rs.plot.det, rs.plot.precision_recall, rs.plot.cost_curve):
        axes = figure(rs.roc_curves(folds))
        assert texts(axes)[0] == "20 folds"
        assert len(drawn(axes, "_members")[0].get_segments()) == 20
    with pytest.raises(UsageError, match="RS042"):
        rs.plot.det(rs.roc_curves(folds), at={"fpr": 0.1})


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous"])
def test_bands_are_those_of_the_curve(kind) -> None:
    own, other = curve(), curve(seed=2)
    band = own.band(kind=kind, fpr=(0.0, 1.0))
    for asked in (kind, band):
        found = corners(rs.plot.roc(own, band=asked), f"_{kind}")
        np.testing.assert_allclose(found[:, 1].min(), np.nanmin(band.lower.tpr))
        np.testing.assert_allclose(found[:, 1].max(), np.nanmax(band.upper.tpr))
    two = rs.plot.roc([own, other], band=[band, other.band(kind=kind)])
    colours = {to_hex(area.get_facecolor()[0][:3]).upper() for area in drawn(two, f"_{kind}")}
    assert colours == {look.colour for look in LOOKS[:2]}


def test_bands_are_as_fine_as_what_is_in_view() -> None:
    own = curve(2.0, 4000)
    at = np.unique(corners(rs.plot.roc(own, band="pointwise", xscale="log"), "_pointwise")[:, 0])
    seen = at[(at >= 0.0005) & (at <= 1)]
    assert np.diff(np.log10(seen)).max() < 0.1
    near = corners(rs.plot.roc(own, band="pointwise", zoom=0.01), "_pointwise")
    assert near[:, 0].max() == pytest.approx(0.01)


def test_what_has_no_interval_is_drawn_without() -> None:
    own = curve()
    weighted = rs.roc_curve([1, 0, 1, 0], [4, 3, 2, 1], sample_weight=[1, 2, 1.5, 1])
    hull = own.hull()
    assert texts(rs.plot.roc(hull, at={"fpr": 0.2}))[:2] == [
        f"AUC {hull.auc:.3f}",
        "convex hull, 40 positives, 40 negatives",
    ]
    assert texts(rs.plot.roc(weighted))[1].startswith("weights: 2.5")
    separated = rs.roc_curve([1] * 5 + [0] * 5, list(range(10, 0, -1)))
    assert texts(rs.plot.roc(separated))[0] == "AUC 1.000"  # and no warning: the bound is in the key
    biometric = texts(rs.plot.roc(own, words="biometric"))
    assert "40 genuine comparisons, 40 impostor comparisons" in biometric


def test_a_fitted_curve_is_smooth_and_named() -> None:
    own = curve()
    fit = rs.fit_binormal(own)
    axes = rs.plot.roc({"scores": own, "fitted": fit}, band="pointwise")
    _, smooth = lines(axes, "_average")
    np.testing.assert_allclose(smooth[1:-1, 1], fit.tpr_at(smooth[1:-1, 0]), atol=1e-12)
    assert any("(binormal)" in text for text in texts(axes))


def test_what_is_no_curve_is_refused() -> None:
    own = curve()
    for wrong in (3, None, "curve", [own, 3], {"a": 3}, own.band()):
        with pytest.raises(UsageError, match="RS002"):
            rs.plot.roc(wrong)
    with pytest.raises(UsageError, match=r"rs\.plot\.roc\(rs\.roc_curve\(labels, scores\)\)"):
        rs.plot.roc([1, 0, 1, 0], [0.3, 0.2, 0.9, 0.1])
    for options, code in (
        ({"names": ["a", "b"]}, "RS013"),
        ({"names": "a"}, "RS013"),
        ({"band": "prediction"}, "RS001"),
        ({"band": 3}, "RS002"),
        ({"band": np.zeros(2)}, "RS002"),
        ({"at": 0.1}, "RS092"),
        ({"at": {"rate": 0.1}}, "RS092"),
        ({"at": {"fpr": 2}}, "RS042"),
        ({"interval": 1}, "RS001"),
        ({"confidence_level": 95}, "RS042"),
        ({"seed": "x"}, "RS042"),
    ):
        with pytest.raises(UsageError, match=code):
            rs.plot.roc(own, **options)
    with pytest.raises(UsageError, match="RS013"):
        rs.plot.roc([own, own], band=[own.band()])
    with pytest.raises(UsageError, match="RS042"):
        rs.plot.roc([])


# Steps --------------------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 9)), min_size=2, max_size=40), st.booleans())
def test_steps_are_those_of_the_ranked_cases(rows, higher) -> None:
    labels, scores = (np.array(own) for own in zip(*rows, strict=True))
    assume(labels.any() and not labels.all())
    own = rs.roc_curve(labels, scores, higher_is_positive=higher)
    panel = roc_picture(own, steps=True).panels[0]
    found = {}
    for name in ("up", "right", "tied"):
        for mark in panel.marks:
            if isinstance(mark, Segments) and mark.name == name:
                for a, b, c, d in np.broadcast(mark.x0, mark.y0, mark.x1, mark.y1):
                    found[round(float(a), 9), round(float(b), 9)] = name, float(c), float(d)
    at = 0.0, 0.0
    n_positives, n_negatives = int(labels.sum()), int((~labels).sum())
    for score in sorted(set(scores.tolist()), reverse=higher):
        up, right = (int((scores[side] == score).sum()) for side in (labels, ~labels))
        name, x, y = found.pop((round(at[0], 9), round(at[1], 9)))
        assert name == ("tied" if up and right else "up" if up else "right")
        assert (x, y) == pytest.approx((at[0] + right / n_negatives, at[1] + up / n_positives))
        at = x, y
    assert found == {}
    shown = [mark.text.spell(ML) for mark in panel.marks if mark.name == "score"]
    assert set(shown) <= {str(own) for own in scores.tolist()}
    assert len(set(shown)) == len(shown)


def test_scores_stand_beside_their_steps_and_on_no_line() -> None:
    labels = [1, 1, 0, 0, 0, 1, 0, 1, 0, 1]
    own = rs.roc_curve(labels, [0.95, 0.93, 0.87, 0.85, 0.85, 0.85, 0.76, 0.53, 0.43, 0.25])
    for words in ("ml", "medical", "biometric"):
        axes = rs.plot.roc(own, steps=True, words=words)
        axes.figure.draw_without_rendering()
        shown = [text for text in axes.texts if text.get_text()]
        assert [text.get_text() for text in shown] == [
            "0.95", "0.93", "0.87", "0.85", "0.76", "0.53", "0.43", "0.25",
        ]  # fmt: skip
        arrows = [own for own in axes.patches if own.get_label() in ("_up", "_right", "_tied")]
        assert len(arrows) == 8
        for text in shown:
            box = text.get_window_extent()
            for arrow in arrows:
                path = arrow._posA_posB
                ends = axes.transData.transform(np.array(path))
                along = ends[0] + np.linspace(0, 1, 50)[:, None] * (ends[1] - ends[0])
                assert not any(box.contains(*place) for place in along)
        assert texts(axes)[-1] == "numbers: the score of a step"
    assert "up: positives" in texts(rs.plot.roc(own, steps=True))
    assert "up: genuine comparisons" in texts(axes)


def test_arrows_of_both_backends_end_where_steps_do() -> None:
    own = rs.roc_curve([1, 0, 1, 0], [4, 3, 2, 2])
    root = ET.fromstring(svg(roc_picture(own, steps=True), ML))
    tips = []
    for node in root.iter("{http://www.w3.org/2000/svg}path"):
        for word in (node.get("class") or "").split():
            if word in ("up", "right", "tied") and (node.get("class") or "").startswith("f-"):
                tips += [
                    (word, float(x), float(y))
                    for x, y in re.findall(r"M([\d.]+),([\d.]+)", node.get("d", ""))
                ]
    assert [word for word, _, _ in tips] == ["up", "right", "tied"]
    (_, x0, y0), (_, x1, y1), (_, x2, y2) = tips
    assert x0 < x1 < x2
    assert y2 < y1 == y0
    assert x1 - x0 == pytest.approx(x2 - x1, abs=0.2)


def test_close_scores_have_different_numbers() -> None:
    labels = [1, 1, 0, 0]
    own = rs.roc_curve(labels, [0.12345678, 0.12345679, 0.12345670, 0.1])
    shown = [
        mark.text.spell(ML) for mark in roc_picture(own, steps=True).panels[0].marks if mark.name == "score"
    ]
    assert len(set(shown)) == len(shown) == 4
    odd = rs.roc_curve(labels, [np.inf, 3, -np.inf, -5])
    assert "∞" in " ".join(
        texts(rs.plot.roc(odd, steps=True)) + [t.get_text() for t in rs.plot.roc(odd, steps=True).texts]
    )


def test_steps_are_of_one_small_curve() -> None:
    small = curve(n=20)
    with pytest.raises(UsageError, match="RS042") as caught:
        rs.plot.roc([small, curve(n=20, seed=2)], steps=True)
    assert "2 curves" in str(caught.value)
    with pytest.raises(UsageError, match="RS042") as caught:
        rs.plot.roc(curve(n=200), steps=True)
    assert "at most 40 distinct scores" in str(caught.value)
    for wrong, code in ((1, "RS001"), ("yes", "RS001")):
        with pytest.raises(UsageError, match=code):
            rs.plot.roc(small, steps=wrong)
    with pytest.raises(UsageError, match="RS002"):
        rs.plot.roc(rs.fit_binormal([1, 0] * 20, np.random.default_rng(0).normal(size=40)), steps=True)
    ties = rs.roc_curve(np.arange(10_000) % 2, np.arange(10_000) % 7)  # many cases, few scores
    assert (
        len([own for own in rs.plot.roc({"$x$": ties}, steps=True).patches if own.get_label() == "_tied"])
        == 7
    )
