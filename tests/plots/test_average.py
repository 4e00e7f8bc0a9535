"""The figure of an average draws the numbers of the average, says what they are, and covers none of them."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

import rocsteady as rs
from rocsteady.errors import UsageError
from rocsteady.plots.average import average as draw
from rocsteady.plots.given.of_average import points_of
from rocsteady.plots.keys.key_place import figure_of
from rocsteady.plots.parts.curve_lines import MOST_MEMBERS
from rocsteady.plots.parts.style import LOOKS

pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning:matplotlib", "ignore:RS23", "ignore:RS210"
)


def groups(
    n_groups: int = 12, n: int = 60, *, gain: float = 2.0, unit: str = "host", seed: int = 5
) -> rs.ScoreSet:
    rng = np.random.default_rng(seed)
    labels = np.tile([1] * (n // 2) + [0] * (n // 2), n_groups)
    shift = np.repeat(rng.normal(size=n_groups), n) * 0.4
    names = np.repeat([f"{unit} {i}" for i in range(n_groups)], n)
    return rs.ScoreSet.from_arrays(
        labels, rng.normal(size=labels.size) + shift + gain * labels, names, unit=unit
    )


@pytest.fixture(scope="module")
def hosts() -> rs.ScoreSet:
    return groups()


@pytest.fixture(scope="module")
def vertical(hosts):
    return rs.average(hosts, "vertical")


@pytest.fixture(scope="module")
def threshold(hosts):
    return rs.average(hosts, "threshold")


def lines(axes, label: str) -> list[np.ndarray]:
    return [np.asarray(own.get_xydata()) for own in axes.lines if own.get_label() == label]


def areas(axes, label: str) -> np.ndarray:
    (area,) = [own for own in axes.collections if own.get_label() == label]
    assert isinstance(area, PolyCollection)
    return np.concatenate([path.vertices for path in area.get_paths()])


def texts(axes) -> list[str]:
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_the_average_its_members_and_its_bands_are_those_of_the_value(vertical) -> None:
    axes = draw(vertical)
    (line,) = lines(axes, "_average")
    np.testing.assert_array_equal(line, np.column_stack([vertical.fpr, vertical.tpr]))
    (members,) = [own for own in axes.collections if isinstance(own, LineCollection)]
    for drawn, curve in zip(members.get_segments(), vertical.curves, strict=True):
        np.testing.assert_array_equal(drawn, np.column_stack([curve.fpr, curve.tpr]))
    for kind in ("pointwise", "simultaneous"):
        band = vertical.band(kind=kind)
        sides = [np.column_stack([edge.fpr, edge.tpr]) for edge in (band.lower, band.upper)]
        known = np.isfinite(sides[0]).all(axis=1) & np.isfinite(sides[1]).all(axis=1)
        corners = {tuple(corner) for corner in areas(axes, f"_{kind}").round(12).tolist()}
        expected = np.concatenate([side[known] for side in sides]).round(12).tolist()
        assert {tuple(corner) for corner in expected} == corners


def test_axes_are_square_from_0_to_1_with_a_chance_line(vertical) -> None:
    axes = draw(vertical, title="Each host by itself")
    assert axes.get_aspect() == 1
    assert (axes.get_xlim(), axes.get_ylim()) == ((0, 1), (0, 1))
    np.testing.assert_array_equal(lines(axes, "_chance"), [[[0, 0], [1, 1]]])
    assert axes.get_title(loc="left") == "Each host by itself"
    assert not axes.spines["top"].get_visible()
    assert not any(line.get_visible() for line in axes.get_xgridlines())


def test_the_key_has_area_interval_kind_groups_and_bands(vertical) -> None:
    interval = vertical.auc_interval(0.9)
    assert texts(draw(vertical, label="baseline", confidence_level=0.9)) == [
        f"baseline  AUC {vertical.auc:.3f}",
        f"{interval.low:.3f} to {interval.high:.3f} (90 %)",
        "vertical average, 12 hosts",
        "each host",
        "90 %: each point by itself",
        "90 %: FPR 0.02 to 0.33, 0.36 to 0.5 at once;\nelsewhere most hosts coincide",
    ]
    left_out = vertical.band(0.9, kind="simultaneous").excluded
    assert [f"{low:.2g} to {high:.2g}" for low, high in left_out if low < high] == ["0.33 to 0.36"]


@pytest.mark.parametrize("method", ["pooled", "horizontal", "radial", "tangent", "binormal"])
def test_every_kind_of_average_is_drawn(hosts, method) -> None:
    average = rs.average(hosts, method)
    axes = draw(average, band="pointwise", at={"fpr": 0.1})
    (line,) = lines(axes, "_average")
    np.testing.assert_array_equal(line, np.column_stack([average.fpr, average.tpr]))
    assert f"{method} average, 12 hosts" in texts(axes)
    assert len(areas(axes, "_pointwise"))


def test_intervals_run_along_what_is_free(hosts, vertical, threshold) -> None:
    up = vertical.at(fpr=0.1)
    (bar,) = lines(draw(vertical, band=None, at={"fpr": 0.1}), "_interval")
    np.testing.assert_allclose(bar, [[0.1, up.tpr_interval.low], [0.1, up.tpr_interval.high]])
    shared = threshold.at(threshold=1.0)
    axes = draw(threshold, band=None, at=shared)
    across, upright = lines(axes, "_interval")
    np.testing.assert_allclose(across[:, 0], [shared.fpr_interval.low, shared.fpr_interval.high])
    np.testing.assert_allclose(upright[:, 1], [shared.tpr_interval.low, shared.tpr_interval.high])
    np.testing.assert_allclose(lines(axes, "_point"), [[[shared.fpr, shared.tpr]]])
    diagonal = rs.average(hosts, "diagonal")
    point = diagonal.at(rate=0.5)
    (slanted,) = lines(draw(diagonal, band=None, at={"rate": 0.5}), "_interval")
    ends = [
        [point.fpr_interval.high, point.tpr_interval.low],
        [point.fpr_interval.low, point.tpr_interval.high],
    ]
    np.testing.assert_allclose(slanted, ends)
    np.testing.assert_allclose(slanted.sum(axis=1), 1.0)  # the share called positive does not change along it


def test_points_are_dictionaries_values_or_several(vertical) -> None:
    point = vertical.at(fpr=[0.1, 0.2])
    axes = draw(vertical, band=None, at=[{"fpr": 0.05}, point])
    np.testing.assert_allclose(
        [own[0] for own in lines(axes, "_point")],
        [[0.05, vertical.at(fpr=0.05).tpr], *zip(point.fpr, point.tpr, strict=True)],
    )
    assert [own.fpr for own in points_of(vertical, {"fpr": 0.1})] == [0.1]
    for wrong in (0.05, "fpr", {"accuracy": 0.9}, {}, [0.05], [[3]]):
        with pytest.raises(UsageError, match="RS092"):
            draw(vertical, at=wrong)


def test_a_region_of_both_rates_surrounds_points_of_a_shared_threshold(vertical, threshold) -> None:
    axes = draw(threshold, band=None, at={"threshold": 1.0}, ellipse=0.9)
    (patch,) = [own for own in axes.patches if own.get_label() == "_ellipse"]
    expected = threshold.ellipse(1.0, 0.9)
    np.testing.assert_allclose(patch.get_xy()[:181], np.column_stack([expected.fpr, expected.tpr]))
    assert "90 %: both rates at once" in texts(axes)
    with pytest.raises(UsageError, match="RS002"):
        draw(vertical, at={"fpr": 0.1}, ellipse=0.9)
    with pytest.raises(UsageError, match="RS042"):
        draw(threshold, at={"threshold": 1.0}, ellipse=95)


@pytest.mark.parametrize(
    ("n_groups", "kinds", "said"),
    [
        (1, set(), "one host: no band"),
        (5, {"_pointwise"}, "too few hosts for a band over a range"),
        (8, {"_pointwise", "_simultaneous"}, "95 %: FPR 0.02 to "),
    ],
)
def test_few_groups_have_fewer_bands_and_no_warning(n_groups, kinds, said) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", rs.RocsteadyWarning)
        warnings.filterwarnings("ignore", "RS317")
        axes = draw(rs.average(groups(n_groups), "vertical"))
    assert {own.get_label() for own in axes.collections if isinstance(own, PolyCollection)} == kinds
    assert any(text.startswith(said) or said in text for text in texts(axes))


def test_bands_are_words_values_or_none(vertical) -> None:
    given = vertical.band(0.5, kind="simultaneous", fpr=(0.1, 0.3))
    axes = draw(vertical, band=given)
    assert areas(axes, "_simultaneous")[:, 0].min() == pytest.approx(0.1)
    assert "50 %: FPR 0.1 to 0.3 at once" in texts(axes)
    assert {own.get_label() for own in draw(vertical, band=None, curves=False).collections} == set()
    assert "95 %: one more host" in texts(draw(vertical, band="prediction"))
    with pytest.raises(UsageError, match="RS001"):
        draw(vertical, band="wide")


def test_of_many_groups_300_are_drawn_and_counted() -> None:
    average = rs.average(groups(420, 10), "vertical")
    first, again, other = draw(average, band=None), draw(average, band=None), draw(average, band=None, seed=1)
    chosen = [own.collections[0].get_segments() for own in (first, again, other)]
    assert len(chosen[0]) == MOST_MEMBERS
    assert "300 of the hosts" in texts(first)
    assert all(np.array_equal(a, b) for a, b in zip(chosen[0], chosen[1], strict=True))
    assert not all(np.array_equal(a, b) for a, b in zip(chosen[0], chosen[2], strict=True))
    curves = {tuple(map(tuple, np.column_stack([c.fpr, c.tpr]))) for c in average.curves}
    assert {tuple(map(tuple, own)) for own in chosen[0]} <= curves


def test_zoom_and_log_scale_show_the_same_curve(vertical) -> None:
    near = draw(vertical, band=None, zoom=0.08, at={"fpr": 0.1})
    assert near.get_xlim() == (0, 0.08)
    assert near.get_box_aspect() == 1
    assert lines(near, "_point") == []  # it lies outside, where a marker would stand beside the axes
    log = draw(vertical, band=None, xscale="log")
    (line,) = lines(log, "_average")
    assert log.get_xlim()[0] == 0.02  # one false alarm of 30 negatives, or less
    assert line[:, 0].min() == 0.02
    inside = line[line[:, 0] > 0.02]
    low, high = (vertical.tpr_at(inside[:, 0], side=side) for side in ("lower", "upper"))
    assert (inside[:, 1] >= low - 1e-12).all()
    assert (inside[:, 1] <= high + 1e-12).all()
    at_edge = line[line[:, 0] == 0.02]
    assert at_edge[:, 1].min() == 0  # what lies left of the scale stands at its edge
    assert at_edge[:, 1].max() == pytest.approx(vertical.tpr_at(0.02))
    (chance,) = lines(log, "_chance")
    np.testing.assert_allclose(chance[:, 0], chance[:, 1])


@pytest.mark.parametrize("method", ["vertical", "threshold"])
@pytest.mark.parametrize("view", [{"xscale": "log"}, {"zoom": 0.02}], ids=["log", "zoom"])
def test_a_band_holds_the_average_also_where_little_is_in_view(method, view) -> None:
    rng = np.random.default_rng(3)
    labels = np.tile(np.r_[np.ones(30), np.zeros(3000)], 9)
    scores = (rng.normal(size=labels.size) + 2.5 * labels).round(2)  # fewer thresholds are read faster
    average = rs.average(rs.ScoreSet.from_arrays(labels, scores, np.repeat(np.arange(9), 3030)), method)
    axes = draw(average, band="pointwise", **view)
    (area,) = [own for own in axes.collections if own.get_label() == "_pointwise"]
    at = np.array([0.0011, 0.0052, 0.0149])
    limits = average.at(fpr=at).tpr_interval
    for fpr, middle, high in zip(at, average.tpr_at(at), limits.high, strict=True):
        inside = [path.contains_point((fpr, middle)) for path in area.get_paths()]
        assert any(inside)
        outside = [path.contains_point((fpr, high + 0.1)) for path in area.get_paths()]
        assert not any(outside)


def test_words_of_fields(vertical) -> None:
    axes = draw(vertical, band=None, words="medical", at={"fpr": 0.1})
    assert (axes.get_xlabel(), axes.get_ylabel()) == (
        "1 - specificity (false positive rate)",
        "sensitivity (true positive rate)",
    )
    point = vertical.at(fpr=0.1)
    low, high = 100 * point.tpr_interval.low, 100 * point.tpr_interval.high
    assert f"specificity 90 %: sensitivity {100 * point.tpr:.1f} % ({low:.1f} to {high:.1f})" in texts(axes)
    own = draw(vertical, band=None, words="medical", at={"specificity": 0.9})
    assert texts(own)[-1] == texts(axes)[-1]
    axes = draw(vertical, band=None, words="biometric", at=[{"fmr": 0.1}, {"fnmr": 0.2}])
    missed = f"{100 * (1 - point.tpr):.1f} % ({100 - min(high, 100):.1f} to {100 - low:.1f})"
    assert f"FMR 10 %: FNMR {missed}" in texts(axes)
    assert any(text.startswith("FNMR 20 %: FMR ") for text in texts(axes))
    with pytest.raises(UsageError, match="RS001"):
        draw(vertical, words="legal")


def test_averages_of_smroc_curves_speak_of_credit() -> None:
    rng = np.random.default_rng(0)
    labels = np.tile([1, 0], 200)
    scores = 1 / (1 + np.exp(-(rng.normal(size=400) + labels)))
    folds = rs.ScoreSet.from_arrays(labels, scores, np.repeat(np.arange(10), 40), unit="fold")
    average = rs.average(rs.smroc_curve(folds, mid=0.5), "vertical")
    axes = draw(average, band=None, at={"fpr": 0.2})
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("share of debit", "share of credit")
    assert f"labels at random: smAUC about {average.chance_auc:.3f}" in texts(axes)
    assert any(text.startswith("debit 20 %: credit") for text in texts(axes))
    assert [curve.auc for curve in average.curves] == [curve.auc for curve in rs.smroc_curve(folds, mid=0.5)]


def test_members_of_an_average_are_its_curves(hosts, vertical) -> None:
    assert vertical.curves.names == vertical.members
    np.testing.assert_array_equal(vertical.curves.auc, rs.roc_curves(hosts).auc)
    pooled = rs.average(rs.ScoreSet.from_arrays([1, 0, 0, 0], [4, 1, 2, 3], ["a", "a", "b", "b"]), "pooled")
    assert pooled.curves.names == ("a",)  # the other has negatives only
    assert np.isnan(pooled.auc_interval().low)  # one group has positives: nothing to resample
    assert texts(draw(pooled, band=None))[:2] == ["AUC 1.000", "pooled average, 2 groups"]


def test_a_second_average_in_the_same_axes_looks_different(vertical, threshold) -> None:
    axes = draw(vertical, band=None, curves=False)
    assert draw(threshold, band=None, curves=False, ax=axes) is axes
    first, second = [own for own in axes.lines if own.get_label() == "_average"]
    assert (first.get_color(), second.get_color()) == (LOOKS[0].colour, LOOKS[1].colour)
    assert first.get_linestyle() != second.get_linestyle()
    assert len(lines(axes, "_chance")) == 1


def test_names_and_units_are_shown_as_they_are_but_not_at_any_length() -> None:
    unit = "a unit of $measure$ <b>so long</b> that\nno key could hold it"
    axes = draw(rs.average(groups(8, unit=unit), "vertical"), label="$x_1$ <i>model</i>")
    assert texts(axes)[0].startswith("$x_1$ <i>model</i>  AUC")
    assert "vertical average, 8 groups" in texts(axes)
    axes.figure.draw_without_rendering()  # a formula in a name would fail here


@pytest.mark.parametrize(
    ("text_size", "gain", "options"),
    [
        (8, 2.5, {}),
        (16, 0.8, {}),
        (8, 0.0, {}),
        (8, 0.8, {"xscale": "log"}),
        (16, 2.5, {"zoom": 0.3, "at": {"fpr": 0.1}}),
    ],
)
def test_the_key_covers_nothing_and_stays_in_the_figure(text_size, gain, options) -> None:
    average = rs.average(groups(9, 40, gain=gain), "vertical")
    axes = draw(average, band="pointwise", text_size=text_size, **options)
    assert_key_is_clear(axes)
    width, height = axes.figure.get_size_inches()
    assert width == pytest.approx(8.5 / 2.54 * text_size / 8)
    assert height >= width - 1e-9


def test_a_slide_becomes_wider_not_higher() -> None:
    axes = draw(rs.average(groups(9, 40, gain=-0.3), "vertical"), band="pointwise", text_size=16)
    width, height = axes.figure.get_size_inches() * 2.54
    assert height == pytest.approx(17)
    assert width > 1.4 * height
    assert_key_is_clear(axes)
    assert axes.get_legend().get_window_extent().x0 > axes.bbox.x1
    draw(rs.average(groups(9, 40, gain=0.5), "vertical"), band=None, text_size=16, ax=axes)
    assert axes.figure.get_size_inches()[1] * 2.54 == pytest.approx(17)  # a second average neither


def test_the_key_covers_nothing_in_given_axes(vertical) -> None:
    figure = Figure(figsize=(8, 4.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    poor = rs.average(groups(gain=0.3), "vertical")
    draw(vertical, at={"fpr": 0.1}, text_size=9, ax=left)
    draw(poor, text_size=9, ax=right)
    assert_key_is_clear(left)
    assert_key_is_clear(right)
    part = Figure(figsize=(8, 4), layout="constrained").subfigures(1, 2)[1].add_subplot()
    draw(vertical, ax=part)
    assert_key_is_clear(part)
    plain = Figure(figsize=(6.4, 4.8)).add_subplot()  # no layout that would make room
    draw(poor, ax=plain)
    assert_key_is_clear(plain)


def assert_key_is_clear(axes) -> None:
    whole = figure_of(axes)
    whole.draw_without_rendering()
    box, page = axes.get_legend().get_window_extent(), whole.bbox
    assert page.x0 <= box.x0 + 1
    assert page.y0 <= box.y0 + 1
    assert box.x1 <= page.x1 + 1
    inside = Bbox.intersection(box, axes.bbox)
    if inside is None or inside.height <= 0:
        return  # beside or under the axes
    for line in (own for own in axes.lines if own.get_label() in ("_average", "_point", "_interval")):
        assert not axes.transData.transform_path(line.get_path()).intersects_bbox(inside, filled=False)


def test_what_is_no_average_is_refused(hosts, vertical) -> None:
    for wrong in (3, None, "average", hosts, vertical.curves, vertical.band()):
        with pytest.raises(UsageError, match="RS002"):
            draw(wrong)
    for options in ({"curves": "no"}, {"xscale": "logit"}):
        with pytest.raises(UsageError, match="RS001"):
            draw(vertical, **options)
    for options in ({"zoom": 0}, {"zoom": 20}, {"zoom": (0.5, 1.0)}, {"zoom": (1, 2, 3)}, {"text_size": 0}):
        with pytest.raises(UsageError, match="RS042"):
            draw(vertical, **options)
    with pytest.raises(UsageError, match="RS086"):
        draw(rs.average(hosts, "threshold"), band="prediction")
