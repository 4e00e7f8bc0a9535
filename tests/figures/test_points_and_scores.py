"""Figures of cut-offs, operating points, classes, scores and raters hold the numbers of their results."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

import rocsteady as rs
from figures.reading import key, labels, marks, names, xy
from rocsteady.curves.densities import score_densities
from rocsteady.errors import UsageError
from rocsteady.figures.agreement import MOST_NAMES
from rocsteady.figures.agreement import picture as agreement
from rocsteady.figures.appropriateness import picture as appropriateness
from rocsteady.figures.class_errors import MOST_POINTS, Eye, Space, _outwards, surface
from rocsteady.figures.class_errors import picture as class_errors
from rocsteady.figures.cutoffs import neighbours
from rocsteady.figures.cutoffs import picture as cutoffs
from rocsteady.figures.densities import picture as densities
from rocsteady.figures.matplotlib import rendered
from rocsteady.figures.operating_points import MOST_BARS
from rocsteady.figures.operating_points import picture as operating_points
from rocsteady.figures.spec import Bars, Points, Region, Rule
from rocsteady.figures.svg import svg
from rocsteady.points.criteria import MinimumCost, TargetRate
from rocsteady.points.cutoffs import choose_cutoff
from rocsteady.points.measures import Cost
from rocsteady.points.tables import average_operating_points, neighbourhood_of
from rocsteady.text import BIOMETRIC, MEDICAL, ML

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib", "ignore:RS2")
INF = float("inf")


# Cut-offs -----------------------------------------------------------------------------------------------

CRITERIA = ("youden", "closest", "eer", MinimumCost(false_positive=1, false_negative=5), TargetRate(fpr=0.1))


@pytest.fixture(scope="module")
def curve():
    rng = np.random.default_rng(3)
    labels = np.arange(200) % 2
    return rs.roc_curve(labels, rng.normal(size=200) + 1.3 * labels)


@pytest.fixture(scope="module")
def chosen(curve):
    return [choose_cutoff(curve, criterion) for criterion in CRITERIA]


def test_cutoffs_are_where_they_are_and_say_what_they_were_chosen_by(curve, chosen) -> None:
    found = cutoffs(curve, chosen)
    np.testing.assert_array_equal(xy(found, "average"), np.c_[curve.fpr, curve.tpr])
    np.testing.assert_array_equal(xy(found, "point"), [[c.fpr, c.tpr] for c in chosen])
    assert len({(own.look.colour, own.look.marker) for own in marks(found, "point")}) == len(chosen)
    written = key(found)
    for line, name in zip(
        written[::2], ("Youden", "closest to (0, 1)", "qual error", "Costs 1 : 5", "FPR 10 %"), strict=False
    ):
        assert name in line
    assert written[1] == f"TPR {100 * chosen[0].tpr:.1f} %, FPR {100 * chosen[0].fpr:.1f} %"
    area = curve.auc_interval()
    assert written[-1] == f"AUC {curve.auc:.3f} ({area.low:.3f} to {area.high:.3f})"
    assert key(cutoffs(curve, chosen[4:]), MEDICAL)[0].startswith("Specificity 90 %: cut-off ≥ ")
    assert key(cutoffs(curve, chosen[4:]), BIOMETRIC)[0].startswith("FMR 10 %: threshold ")
    written_cut = float(written[0].rpartition(" ")[2].replace("−", "-"))
    interval = chosen[0].threshold_interval
    assert interval.low < written_cut <= interval.high  # what is written decides as what was chosen


def test_guides_show_what_was_optimised(curve, chosen) -> None:
    tangent, corner, falling = marks(cutoffs(curve, chosen), "guide")
    assert np.diff(tangent.y)[0] == pytest.approx(np.diff(tangent.x)[0])
    assert tangent.y[0] - tangent.x[0] == pytest.approx(chosen[0].tpr - chosen[0].fpr)
    assert (corner.x, corner.y) == ((0, chosen[1].fpr), (1, chosen[1].tpr))
    assert (falling.x, falling.y) == ((0, 1), (1, 0))
    assert not marks(cutoffs(curve, [chosen[0].on(curve)]), "guide")


def test_intervals_are_bars_and_no_mark_hides_another(curve, chosen) -> None:
    own = chosen[4].intervals(n_resamples=100, confidence_level=0.9)
    (point,) = marks(cutoffs(curve, chosen[4:], intervals=[own]), "point")
    assert point.x_limits is None  # a rate that is held has no bar
    assert point.y_limits == ([own.tpr.low], [own.tpr.high])
    assert key(cutoffs(curve, chosen[4:], intervals=[own]))[-1] == "bars: 90 % CI"
    curve = rs.roc_curve([1] * 5 + [0] * 5, [9, 8, 7, 6, 3.5, 5, 4, 3, 2, 0])
    several = [choose_cutoff(curve, criterion) for criterion in ("youden", "closest", "youden", CRITERIA[3])]
    first, second, third, alone = marks(cutoffs(curve, several), "point")
    assert first.size < second.size < third.size
    assert [own.is_open for own in (first, second, third, alone)] == [False, True, True, False]
    assert alone.size == first.size


def test_a_cutoff_knows_its_curve_and_others_are_refused(curve, chosen) -> None:
    axes = chosen[0].plot(words="medical")
    assert axes.get_ylabel() == "Sensitivity"
    assert rs.plot.cutoffs(tuple(chosen[:2])).get_legend() is not None
    other = choose_cutoff(rs.roc_curve([1, 0, 1, 0], [4, 3, 2, 1]), "youden")
    for code, call in (
        ("RS002", lambda: rs.plot.cutoffs(curve)),
        ("RS002", lambda: rs.plot.cutoffs("youden")),
        ("RS002", lambda: rs.plot.cutoffs(curve, other)),
        ("RS042", lambda: rs.plot.cutoffs(curve, [chosen[0]] * 6)),
        ("RS042", lambda: rs.plot.cutoffs(curve, [])),
        ("RS013", lambda: rs.plot.cutoffs(curve, chosen, intervals=[])),
        ("RS002", lambda: rs.plot.cutoffs(curve, chosen, intervals=3)),
    ):
        with pytest.raises(UsageError, match=code):
            call()


def test_neighbours_that_differ_are_open_and_the_rest_is_shaded() -> None:
    hosts = rs.simulate.ShiftedDatasets("C-2a", separation=2).draw(20, 60, 60, seed=1, unit="host")
    found = neighbourhood_of(hosts, 1.0)
    drawn = neighbours(found, model="m")
    (chosen,) = marks(drawn, "chosen")
    assert chosen.x == found.table.thresholds[found.index]
    (alike,) = marks(drawn, "alike")
    assert (alike.low, alike.high) == tuple(sorted(found.alike))
    for rate, tests in (("tpr", found.by_tpr), ("fpr", found.by_fpr)):
        line, *points = marks(drawn, rate)
        mean = found.table.measure(rate).mean
        np.testing.assert_allclose(line.y, mean[np.isin(found.table.thresholds, line.x)] - mean[found.index])
        for own in points:
            places = np.flatnonzero(np.isin(found.table.thresholds, own.x))
            assert (tests.indistinguishable[places] != own.is_open).all()
    assert key(drawn, MEDICAL)[:2] == ["change of Sensitivity", "change of 1 − specificity"]


# Operating points ---------------------------------------------------------------------------------------


def folds(n_folds: int = 6) -> rs.ScoreSet:
    rng = np.random.default_rng(0)
    labels, fold = np.tile([0, 1], 120), np.repeat(np.arange(n_folds), 240 // n_folds)
    return rs.ScoreSet.from_arrays(labels, rng.normal(size=240) + 1.5 * labels, fold, unit="fold")


@pytest.fixture(scope="module")
def table():
    return average_operating_points(folds(), thresholds=12)


@pytest.fixture(scope="module")
def comparison(table):
    return table.compare_to(table.nearest(tpr=0.8), "fpr", test_train_ratio=0.2)


MEASURES = st.sampled_from(["fpr", "tpr", "recall", "precision", "accuracy", "mcc", "alarm_rate", "f1"])


@settings(max_examples=8)
@given(x=MEASURES, y=MEASURES)
def test_any_measure_against_any_other_is_what_the_table_holds(x: str, y: str) -> None:
    own = average_operating_points(folds(), thresholds=12)
    found = operating_points(own, x, y)
    across, up = own.measure(x), own.measure(y)
    np.testing.assert_array_equal(xy(found, "points"), np.c_[across.mean, up.mean])
    (points,) = marks(found, "points")
    for limits, measure in ((points.x_limits, across), (points.y_limits, up)):
        wanted = measure.mean + measure.standard_error
        np.testing.assert_allclose(limits[1], np.minimum(wanted, 1) if measure.is_share else wanted)
    assert bool(marks(found, "chance")) == ((x, y) == ("fpr", "tpr"))


def test_a_cost_and_a_function_are_measures_too(table) -> None:
    cost = Cost(false_positive=1, false_negative=5)
    found = operating_points(table, "alarm_rate", cost)
    panel = found.panels[0]
    assert panel.y.label.spell(ML) == "Cost (1 : 5)"
    assert panel.x.label.spell(ML) == "Share called positive"
    assert (panel.x.low, panel.x.high, panel.y.low) == (0, 1, None)

    def missed(c):
        return c.fn / c.positives

    missing = operating_points(table, "fpr", missed)
    np.testing.assert_array_equal(xy(missing, "points")[:, 1], table.measure("fnr").mean)


def test_the_chosen_point_its_like_marked_points_and_regions(table, comparison) -> None:
    found = operating_points(table, comparison=comparison, ellipse=0.95)
    points = np.c_[table.measure("fpr").mean, table.measure("tpr").mean]
    np.testing.assert_array_equal(xy(found, "chosen"), points[[comparison.index]])
    others = comparison.indistinguishable.copy()
    others[comparison.index] = False
    np.testing.assert_array_equal(xy(found, "alike"), points[others])
    own = table.between("fpr", "tpr").ellipse(comparison.index)
    np.testing.assert_array_equal(xy(found, "region"), np.c_[own.x, own.y])
    assert f"FPR not significantly different at 5 %: {others.sum()} of 11" in key(found)
    assert any("specificity" in line for line in key(found, MEDICAL))
    marked = operating_points(table, at=[4, 7], bars="interval", confidence_level=0.9)
    limits = table.measure("fpr").interval(0.9)
    assert [own.x_limits[0][0] for own in marks(marked, "marked")] == list(limits.low[[4, 7]])
    assert "bars: 90 % CI (t, pointwise)" in key(marked)
    two = average_operating_points(folds(2), thresholds=12)
    assert not marks(operating_points(two, at=[4], ellipse=0.95), "region")


def test_of_many_points_some_have_bars_and_all_are_on_the_line() -> None:
    dense = average_operating_points(folds())
    found = operating_points(dense)
    assert len(xy(found, "line")) == dense.n_points
    assert MOST_BARS <= len(xy(found, "points")) <= MOST_BARS + 1
    assert xy(found, "points")[-1].tolist() == xy(found, "line")[-1].tolist()


def test_points_that_there_are_not_and_strangers_are_refused(table, comparison) -> None:
    for axes in (comparison.plot(words="medical"), rs.plot.operating_points(comparison, words="medical")):
        assert axes.get_ylabel() == "Sensitivity"
    other = average_operating_points(folds(4), thresholds=12)
    for code, options in (
        ("RS042", {"at": 99}), ("RS042", {"at": [1.5]}), ("RS042", {"at": "eer"}), ("RS042", {"at": range(6)}),
        ("RS042", {"at": 3, "ellipse": 95}), ("RS002", {"ellipse": 0.95}), ("RS001", {"bars": "sd"}),
        ("RS002", {"x": "class_error"}), ("RS042", {"confidence_level": 95}), ("RS001", {"words": "optics"}),
        ("RS002", {"comparison": other.compare_to(3, "fpr")}), ("RS002", {"comparison": 3}),
    ):  # fmt: skip
        with pytest.raises(UsageError, match=code):
            rs.plot.operating_points(table, **options)


# Classes ------------------------------------------------------------------------------------------------


def classes(n_classes: int = 3, named=None):
    rng = np.random.default_rng(1)
    labels = np.arange(60 * n_classes) % n_classes
    noise = rng.normal(size=(labels.size, n_classes))
    scores = np.exp(noise + 2 * (labels[:, None] == np.arange(n_classes)))
    named = np.array(named or [f"c{k:02d}" for k in range(n_classes)])
    given_scores = rs.MulticlassScores(named[labels], scores, folds=np.arange(labels.size) // n_classes % 5)
    return rs.average_multiclass_points(given_scores, rng.dirichlet(np.full(n_classes, 6.0), 30))


@pytest.mark.parametrize("n_classes", [2, 3, 6])
def test_there_is_a_line_for_each_point_and_bars_at_the_chosen(n_classes) -> None:
    own = classes(n_classes)
    tests = own.compare_to(4, "class_error")
    found, measure = class_errors(own, comparison=tests), own.measure("class_error")
    (line, bars) = marks(found, "chosen")
    np.testing.assert_array_equal(line.y, measure.mean[4])
    np.testing.assert_allclose(bars.y_limits[1] - bars.y_limits[0], 2 * measure.standard_error[4])
    others = tests.indistinguishable & (np.arange(30) != 4)
    assert len(marks(found, "alike")) == others.sum()
    assert len(marks(found, "points")[0].paths) == 29 - others.sum()
    assert names(found) == [str(own) for own in own.classes]
    assert key(class_errors(own)) == ["operating points", "first point, ±1 standard error"]


def test_in_space_points_stand_over_their_shadows() -> None:
    own = classes()
    tests = own.compare_to(4, "class_error")
    found = surface(own, comparison=tests)
    dots, shadows = xy(found, "points"), xy(found, "shadow")
    np.testing.assert_allclose(dots[:, 0], shadows[:, 0])
    order = list(Space.of(own, tests).points)  # what matters is drawn last
    height, errors = dots[:, 1] - shadows[:, 1], own.measure("class_error").mean[order]
    assert (height >= 0).all()
    assert np.corrcoef(height, errors[:, 2])[0, 1] == pytest.approx(1)
    assert sorted(order) == list(range(30))
    assert order[-1] == 4
    np.testing.assert_array_equal(xy(found, "chosen"), dots[[-1]])
    assert labels(found, "axis") == ["error of c00", "error of c01", "error of c02"]
    with pytest.raises(UsageError, match="RS002") as caught:
        rs.plot.class_error_surface(classes(2))
    assert "class_errors" in str(caught.value)
    with pytest.raises(UsageError, match="RS002"):
        rs.plot.class_errors(own, ax=Figure().add_subplot(projection="polar"))


def test_of_more_classes_three_are_drawn_the_worst_unless_said() -> None:
    own = classes(5)
    errors = own.measure("class_error").mean
    worst = sorted(np.argsort(-errors[7], kind="stable")[:3].tolist())
    found = surface(own, comparison=own.compare_to(7, "class_error"))
    assert labels(found, "axis") == [f"error of c{k:02d}" for k in worst]
    assert labels(surface(own, classes=["c04", "c00", "c01"]), "axis") == [
        f"error of c{k:02d}" for k in (4, 0, 1)
    ]
    for wrong in (["c00", "c01"], ["c00", "c01", "c01"], ["c00", "c01", "x"], "c00"):
        with pytest.raises(UsageError, match="RS002") as caught:
            rs.plot.class_error_surface(own, classes=wrong)
        assert "classes=['c00', 'c01', 'c02']" in str(caught.value)


@settings(max_examples=25)
@given(st.floats(-400, 400), st.floats(-90, 90))
def test_from_every_side_numbers_stand_outside_of_the_box(azimuth, elevation) -> None:
    found = surface(classes(), azimuth=azimuth, elevation=elevation)
    corners = np.array(list(itertools.product([0, 1], repeat=3)), dtype=float)
    view = Eye(np.radians(azimuth), np.radians(elevation))
    x, y, depth = view(corners)
    np.testing.assert_allclose(np.hypot(np.hypot(x, y), depth), np.sqrt(0.75))  # turned, not bent
    sides = [own for own in marks(found, "side") if isinstance(own, Region)]
    assert len(sides) == 3
    # What is behind does not hide a point: no side is nearer to the eye than the middle.
    for corner in view.sides():
        assert view(corner)[2].mean() <= 1e-9
    numbered = [(edge, *_outwards(edge.x, edge.y)) for edge in marks(found, "edge")]
    numbered = [(edge, out) for edge, length, out in numbered if length >= 0.2]
    assert len(numbered) == len(labels(found, "axis")) >= 2
    for edge, out in numbered:
        # Nothing of the box lies further out than its edge.
        furthest = (np.array(out) @ [x, y]).max()
        assert np.array(out) @ [edge.x, edge.y] == pytest.approx([furthest] * 2, abs=1e-6)


@pytest.mark.parametrize("wrong", [{"azimuth": "x"}, {"elevation": 91}, {"elevation": np.nan}])
def test_angles_that_are_none_are_refused(wrong) -> None:
    with pytest.raises(UsageError, match="RS042"):
        rs.plot.class_error_surface(classes(), **wrong)


def test_axes_in_space_hold_the_errors_themselves_and_turn() -> None:
    own = classes(3, ["$a$", "b", "c"])
    axes = Figure().add_subplot(projection="3d")
    tests = own.compare_to(4, "class_error")
    drawn = rs.plot.class_error_surface(own, comparison=tests, azimuth=10, elevation=30, title="t", ax=axes)
    assert drawn is axes
    errors = own.measure("class_error").mean
    drawn_at = [np.array(line.get_data_3d()).T for line in axes.lines if line.get_label() == "_points"]
    np.testing.assert_allclose(np.concatenate(drawn_at), errors[list(Space.of(own, tests).points)])
    lines = {line.get_label(): np.array(line.get_data_3d()).T for line in axes.lines}
    np.testing.assert_allclose(lines["_chosen"], errors[[4]])
    others = tests.indistinguishable & (np.arange(30) != 4)
    np.testing.assert_allclose(lines["_alike"], errors[others])
    assert set(lines["_shadow"][:, 2]) == {axes.get_zlim()[0]}
    assert (axes.azim, axes.elev, axes.get_xlabel()) == (10, 30, "error of $a$")
    assert len(axes.get_legend().get_texts()) == 4
    rendered(axes.figure, "svg")


def test_of_very_many_points_some_are_drawn_the_chosen_and_its_like_among_them() -> None:
    rng = np.random.default_rng(2)
    labels_of, outputs = np.arange(90) % 3, rng.dirichlet(np.ones(3), 90)
    scores = rs.MulticlassScores(labels_of.astype(str), outputs, folds=np.arange(90) // 3 % 5)
    table = rs.average_multiclass_points(scores, rng.dirichlet(np.full(3, 6.0), 900))
    tests = table.compare_to(641, "class_error")
    space = Space.of(table, tests)
    assert len(space.points) == MOST_POINTS
    assert 641 in space.points
    assert set(np.flatnonzero(tests.indistinguishable).tolist()) <= set(space.points) or (
        tests.indistinguishable.sum() > MOST_POINTS
    )
    assert key(surface(table, comparison=tests))[0] == "400 of 900 operating points, mean of 5 folds"
    alone = rs.average_multiclass_points(scores, [[1, 1, 1]])
    assert len(xy(surface(alone, comparison=None), "points")) == 1


# Scores -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(2)
    sick = rng.random(400) < 0.4
    return sick, rng.normal(size=400) + 1.5 * sick


def test_bars_are_shares_and_a_threshold_is_at_one_place_in_both_panels(rows) -> None:
    spread = score_densities(*rows)
    found = densities(spread, thresholds=[0.5, 1.5])
    (up,), (down,) = marks(found, "positives"), marks(found, "negatives")
    np.testing.assert_array_equal(up.to, spread.positive_share)
    np.testing.assert_array_equal(down.to, -spread.negative_share)
    np.testing.assert_allclose(up.at - up.width / 2, spread.low)
    assert (up.is_hatched, down.is_hatched) == (False, True)
    assert [own.x for own in marks(found, "threshold")] == [0.5, 1.5]
    rates = spread.rates_at([0.5, 1.5])
    np.testing.assert_array_equal(xy(found, "point", 1), np.c_[rates.fpr, rates.tpr])
    assert not marks(found, "called")
    uneven = densities(score_densities(*rows, bins=[-4, 0, 1, 6]))
    assert uneven.panels[0].y.label.spell(ML) == "density"


def area_of(region) -> float:
    x, y = np.asarray(region.x), np.asarray(region.y)
    return float(abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) / 2)


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("kind", ["overlaid", "smooth"])
def test_over_each_other_the_four_areas_are_the_four_shares(rows, higher, kind) -> None:
    sick, values = rows
    edges = np.linspace(-6, 6, 41)
    spread = score_densities(sick, values if higher else -values, higher_is_positive=higher, bins=edges)
    cut = edges[23] if higher else edges[17]
    found = densities(spread, thresholds=[cut], kind=kind)
    rates, unit = spread.rates_at(cut), edges[1] - edges[0] if kind == "overlaid" else 1.0
    wanted = {
        "positives called": rates.tpr, "positives spared": 1 - rates.tpr,
        "negatives called": rates.fpr, "negatives spared": 1 - rates.fpr,
    }  # fmt: skip
    for name, share in wanted.items():
        (region,) = marks(found, name)
        assert area_of(region) / unit == pytest.approx(share, abs=1e-9 if kind == "overlaid" else 0.04)
        beyond = np.asarray(region.x) >= cut if higher else np.asarray(region.x) <= cut
        assert beyond.all() == ("called" in name)
    said = {own.split(" ", 1)[0]: own.split(" ", 1)[1] for own in labels(found, "area")}
    shown = {"TP": rates.tpr, "FN": 1 - rates.tpr, "FP": rates.fpr, "TN": 1 - rates.fpr}
    assert said == {name: f"{100 * own:.1f} %" for name, own in shown.items()}
    left = labels(found, "area")[:2]
    assert {own[:2] for own in left} == ({"FN", "TN"} if higher else {"TP", "FP"})
    assert labels(found, "area", MEDICAL) == labels(found, "area")  # areas are never told by complements
    assert ("specificity" in " ".join(key(found, MEDICAL, panel=1))) is True


def test_without_a_single_threshold_no_area_has_a_name(rows) -> None:
    spread = score_densities(*rows)
    for thresholds in ([], [0.5, 1.0], [99.0]):
        found = densities(spread, thresholds=thresholds, kind="overlaid")
        assert labels(found, "area") == []
        assert [len(marks(found, f"{own} all")) for own in ("positives", "negatives")] == [1, 1]
        assert area_of(marks(found, "positives all")[0]) == pytest.approx(
            float(spread.positive_share @ (spread.high - spread.low))
        )


def test_bars_of_single_values_stand_side_by_side() -> None:
    ratings = score_densities([1, 1, 1, 0, 0, 0], [5, 4, 4, 4, 2, 1])
    found = densities(ratings, thresholds=[4.0], kind="overlaid")
    (up,), (down,) = marks(found, "positives"), marks(found, "negatives")
    assert np.max(up.y) == pytest.approx(2 / 3)
    at_four = [np.unique(np.round(own.x[own.y > 0], 6)) for own in (down, up)]
    assert at_four[0][-1] == pytest.approx(4.0)
    assert at_four[1][0] == pytest.approx(4.0)
    svg(densities(score_densities([1, 0], [INF, -INF]), thresholds=[INF], kind="overlaid"), ML)


def test_several_spreads_share_the_axis_of_scores(rows) -> None:
    sick, values = rows
    first, second = score_densities(sick, values), score_densities(sick, 2 * values + 1)
    for kind in ("mirrored", "overlaid", "smooth"):
        axes = rs.plot.densities({"$a$": first, "b" * 90: second}, thresholds=1.0, kind=kind, curve=False)
        assert axes[0].get_xlim() == axes[1].get_xlim()
        assert axes[0].get_title(loc="left") == "$a$"
        assert len(axes[1].get_title(loc="left")) <= 40
    pairs = rs.plot.densities({"a": first, "b": second, "c": first}, kind="overlaid")
    assert len(pairs) == 6
    assert [own.get_xlabel() for own in pairs[:2]] == ["score (high: positive)", "False positive rate"]
    ratings = score_densities([1, 1, 0, 0], [3, 2, 2, 1])
    assert len(rs.plot.densities({"a": ratings, "b": first}, curve=False)) == 2
    for code, wrong in (("RS042", {}), ("RS042", dict.fromkeys("abcdefg", first)), ("RS002", {"a": 3})):
        with pytest.raises(UsageError, match=code):
            rs.plot.densities(wrong)
    with pytest.raises(UsageError, match="RS001"):
        rs.plot.densities(first, kind="violin")
    with pytest.raises(UsageError, match="RS042"):
        rs.plot.densities(ratings, kind="smooth")


@pytest.mark.parametrize("higher", [True, False])
def test_the_side_called_positive_is_shaded(rows, higher) -> None:
    sick, values = rows
    cut = 1.0 if higher else -1.0
    spread = score_densities(sick, values if higher else -values, higher_is_positive=higher)
    found = densities(spread, thresholds=[cut])
    (shade,), axis = marks(found, "called"), found.panels[0].x
    assert (shade.low, shade.high) == ((cut, axis.high) if higher else (axis.low, cut))
    assert ("high" if higher else "low") in axis.label.spell(ML)


def test_single_values_have_the_line_before_them_and_a_code_does_not_squeeze_them() -> None:
    ratings = score_densities([1, 1, 1, 0, 0, 0], [5, 4, 4, 4, 2, 1])
    assert marks(densities(ratings, thresholds=[4.0]), "threshold")[0].x == 3.5
    coded = score_densities(np.arange(60) % 2, np.tile([1, 2, 3, 4, 5, 999], 10))
    found = densities(coded, thresholds=[4.0, 500.0])
    assert marks(found, "positives")[0].at.tolist() == list(range(6))
    first, second = (own.x for own in marks(found, "threshold"))
    assert (first, 4 < second < 5) == (2.5, True)
    assert names(found) == ["1", "2", "3", "4", "5", "999"]


def test_what_lies_outside_is_said_and_scales_are_those_of_the_bins(rows) -> None:
    sick, values = rows
    far = np.concatenate([[INF, -INF, 1e9], values[3:]])
    found = densities(score_densities(sick, far), thresholds=[50.0, INF])
    assert sum(line.startswith("outside the bars: 1 case") for line in key(found)) == 3
    assert key(found)[-2:] == ["beyond the bars: threshold 50", "beyond the bars: threshold ∞"]
    assert labels(densities(score_densities([1, 0], [INF, -INF]), thresholds=[INF])) == [
        "no score has a finite place"
    ]
    for scale, moved in (("log", np.exp(values)), ("log-odds", 1 / (1 + np.exp(-5 * values)))):
        spread = score_densities(sick, moved, scale=scale)
        own = densities(spread, thresholds=[0.5])
        assert marks(own, "threshold")[0].x == pytest.approx(float(spread.place(0.5)))
        assert len(names(own)) >= 2
        svg(own, ML)


def test_groups_are_counted_and_axes_may_be_given(rows) -> None:
    sick, values = rows
    named = np.where(sick, "attack", "normal")
    hosts = rs.ScoreSet.from_arrays(named, values, np.arange(400) % 5, positive="attack", unit="host")
    spread = score_densities(hosts, per_group=True)
    words = ML.about(positive="attack", negative="normal")
    assert key(densities(spread), words)[:3] == [
        f"attack cases, up ({sick.sum()})",
        f"normal cases, down ({400 - sick.sum()})",
        "5 hosts, each counting once",
    ]
    assert key(densities(spread), panel=1)[-1].startswith("threshold average, AUC ")
    cutoff = choose_cutoff(spread.curve, "youden")
    pair = rs.plot.densities(spread, thresholds=cutoff)
    assert len(pair) == 2
    figure = Figure()
    given_axes = figure.subplots(1, 2)
    assert rs.plot.densities(spread, ax=given_axes) == tuple(given_axes)
    single = figure.add_subplot()
    assert rs.plot.densities(spread, curve=False, thresholds=1.0, ax=single) is single
    for wrong in (single, given_axes[:1], "axes"):
        with pytest.raises(UsageError, match="RS002"):
            rs.plot.densities(spread, ax=wrong)
    for code, options in (("RS042", {"thresholds": [1, 2, 3, 4, 5]}), ("RS042", {"thresholds": "0.5"})):
        with pytest.raises(UsageError, match=code):
            rs.plot.densities(spread, **options)
    with pytest.raises(UsageError, match="RS002"):
        rs.plot.densities(spread.curve)


def test_the_four_kinds_of_cases_and_their_steps() -> None:
    curve = rs.smroc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.6, 0.4, 0.1], mid=0.5)
    found = appropriateness(curve.appropriateness)
    assert found.title.spell(ML) == "60.0 % of scores appropriate (Mid 0.5)"
    assert [marks(found, kind)[0].is_hatched for kind in ("high_positives", "high_negatives")] == [
        False,
        True,
    ]
    assert len(marks(found, "step")) == 4
    assert "2 of 3" in labels(found)
    assert rs.plot.appropriateness(curve, title="mine").get_title(loc="left") == "mine"


# Raters -------------------------------------------------------------------------------------------------

KINDS = {
    (True, True): "both say yes",
    (False, False): "both say no",
    (True, False): "only A",
    (False, True): "only B",
}


@settings(max_examples=8)
@given(st.data())
def test_every_item_is_drawn_once_and_by_what_was_decided(data):
    n = data.draw(st.integers(1, 12))
    decided = [data.draw(st.lists(st.booleans(), min_size=n, max_size=n)) for _ in range(2)]
    share = st.sampled_from([0.0, 0.3, 0.5, 1.0])
    rated = [data.draw(st.lists(share, min_size=n, max_size=n)) for _ in range(2)]
    found = agreement(rs.rater_agreement(decided, rated, names=["A", "B"]))
    assert len(xy(found, "items")) == n
    for points, line in zip(marks(found, "items"), key(found), strict=False):
        kind = next(own for own, word in KINDS.items() if line.startswith(word))
        wanted = [(x, y) for *own, x, y in zip(*decided, *rated, strict=True) if tuple(own) == kind]
        np.testing.assert_array_equal(np.c_[points.x, points.y], wanted)


def test_items_on_which_decisions_differ_are_named_if_they_are_few() -> None:
    place = [0.5, 0.5, 1.0, 0.0, 0.53]
    items = ["one film", "another", "corner", "origin", "near"]
    close = rs.rater_agreement(([1, 1, 1, 0, 1], [0, 0, 0, 1, 0]), (place, place), items=items)
    axes = rs.plot.agreement(close)
    axes.figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in axes.texts]
    assert len(boxes) == 5
    for k, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[k + 1 :])
    rng = np.random.default_rng(0)
    crowd = rs.rater_agreement([*(rng.random((2, 80)) > 0.5)], [*rng.random((2, 80))])
    assert (~crowd.same_decision).sum() > MOST_NAMES
    assert not labels(agreement(crowd))


def test_curves_of_raters_are_those_of_their_judgements() -> None:
    rng = np.random.default_rng(1)
    found = rs.rater_agreement([*(rng.random((2, 40)) > 0.5)], [*rng.random((2, 40))], names=["Anna", "Jan"])
    for show, judged in (("own", found.judgements[:2]), ("crossed", found.judgements[2:])):
        text = "\n".join(
            own.get_text() for own in rs.plot.agreement(found, show=show).get_legend().get_texts()
        )
        assert all(f"smAUC {own.smauc:.3f}" in text for own in judged)
    with pytest.raises(UsageError, match="RS002"):
        rs.plot.agreement(rs.rater_agreement(([1], [0]), ([0.52], [0.6])), show="own")
    for code, wrong, options in (
        ("RS002", 3, {}),
        ("RS001", found, {"show": "curves"}),
        ("RS042", found, {"text_size": "x"}),
    ):
        with pytest.raises(UsageError, match=code):
            rs.plot.agreement(wrong, **options)


def test_names_of_raters_items_and_classes_stay_names() -> None:
    odd = rs.rater_agreement(
        ([1, 0], [0, 1]), ([0.9, 0.1], [0.8, 0.3]), names=["a" * 300, "b\x1b"], items=["$$_", "$x$^$"]
    )
    wicked = ["</script>", "$x^$", "W" * 90, "a\nb\x1b[2J"]
    for picture, draw in (
        (agreement(odd), lambda: rs.plot.agreement(odd)),
        (class_errors(classes(4, wicked)), lambda: rs.plot.class_errors(classes(4, wicked))),
        (surface(classes(3, wicked[:3])), lambda: rs.plot.class_error_surface(classes(3, wicked[:3]))),
    ):
        text = svg(picture, ML) + rendered(draw().figure, "svg").decode()
        assert "\x1b" not in text
        assert "</script>" not in text
    assert len(agreement(odd).panels[0].x.label.spell(ML)) < 45


def test_a_threshold_in_the_key_looks_as_in_the_plot(rows) -> None:
    spread = score_densities(*rows)
    alone, beside = (densities(spread, thresholds=[0.5], curve=own) for own in (False, True))
    assert [type(own.sample) for own in alone.panels[0].key.entries] == [Bars, Bars, Rule]
    assert [type(own.sample) for own in beside.panels[1].key.entries] == [Points]
