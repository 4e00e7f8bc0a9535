"""Figures of groups, models and readers hold the numbers of their results, and say what these are."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

import rocsteady as rs
from figures.reading import key, labels, marks, names, xy
from rocsteady.curves.densities import score_quantiles
from rocsteady.errors import UsageError
from rocsteady.figures.cross_auc import MOST_NAMED as MOST_IN_MATRIX
from rocsteady.figures.cross_auc import MOST_NUMBERS
from rocsteady.figures.cross_auc import picture as cross_auc
from rocsteady.figures.densities import ridge
from rocsteady.figures.forest import MOST_NAMED
from rocsteady.figures.forest import picture as forest
from rocsteady.figures.matplotlib import figure, rendered
from rocsteady.figures.pairs import picture as pairs
from rocsteady.figures.reader_values import picture as reader_values
from rocsteady.figures.reader_values import spread_apart
from rocsteady.figures.svg import svg
from rocsteady.figures.winner_map import picture as winner_map
from rocsteady.simulate import ShiftedDatasets
from rocsteady.text import BIOMETRIC, MEDICAL, ML

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib", "ignore:RS2")
SITES = ShiftedDatasets("C-1", separation=1.2, separation_sd=0.4, location_sd=1.0)
WICKED = [
    "</script>\x1b[2J",
    "cost $5_a$",
    "W" * 80,
    "W" * 79 + "M",
    "a\nb",
    "Київ",
    "\u202eevil",
    "{x:y}",
    "",
]


@pytest.fixture(scope="module")
def sites():
    drawn = SITES.draw(9, 60, 80, seed=4, unit="site")
    c = drawn.columns
    group = np.repeat([f"site {k}" for k in range(9)], np.diff(c.offsets))
    return rs.ScoreSet.from_arrays(c.labels == c.positive, c.scores, group, unit="site")


@pytest.fixture(scope="module")
def summary(sites):
    return rs.summarize_auc(sites, "random-effects")


# Forest -------------------------------------------------------------------------------------------------


def test_squares_intervals_and_diamond_are_those_of_the_summary(summary) -> None:
    own, found = summary.per_group, forest(summary)
    drawn = xy(found, "aucs")
    np.testing.assert_array_equal(drawn[np.argsort(-drawn[:, 1]), 0], own.auc)
    areas = {float(np.ravel(m.x)[0]): m.size**2 for m in marks(found, "aucs") if np.size(m.x) == 1}
    for auc, area in areas.items():
        share = own.weight[np.flatnonzero(own.auc == auc)[0]] / own.weight.max()
        assert area == pytest.approx(6.5**2 * share)
    (lines,) = marks(found, "intervals")
    np.testing.assert_allclose(lines.x0, own.interval.low)
    np.testing.assert_allclose(lines.x1, own.interval.high)
    (diamond,) = marks(found, "diamond")
    whole = [summary.interval.low, summary.estimate, summary.interval.high, summary.estimate]
    np.testing.assert_array_equal(diamond.x, whole)
    (wide,) = marks(found, "prediction")
    assert [float(own[0]) for own in wide.x_limits] == [
        summary.prediction_interval.low,
        summary.prediction_interval.high,
    ]


def test_names_and_numbers_stand_beside_their_lines(summary) -> None:
    found, own = forest(summary), summary.per_group
    beside = [text.spell(ML) for text in found.panels[0].right.names]
    assert beside[0] == f"{own.auc[0]:.3f} ({own.interval.low[0]:.3f} to {own.interval.high[0]:.3f})"
    assert names(found, "y")[-2:] == ["random effects", "another site"]
    assert len(beside) == len(names(found, "y")) == len(own) + 2
    assert forest(summary, numbers=False).panels[0].right is None
    assert f"tau {summary.tau:.2f} (logits)" in key(found)[-1]
    mean = forest(rs.summarize_auc(SITES.draw(5, 30, 30, seed=1, unit="site")))
    assert key(mean)[-1] == "mean of 5 sites, Student's t"


@pytest.mark.parametrize(("order", "sign"), [("auc", -1), ("worst", 1), ("weight", -1)])
def test_groups_may_be_sorted(summary, order, sign) -> None:
    own = summary.per_group
    values = own.weight if order == "weight" else own.auc
    expected = [own.names[k] for k in np.argsort(sign * values, kind="stable")]
    assert names(forest(summary, order=order), "y")[: len(own)] == expected


def test_many_groups_are_sorted_and_have_no_names() -> None:
    many = rs.summarize_auc(SITES.draw(1200, 5, 5, seed=2, unit="customer_id"), "random-effects")
    found = forest(many)
    assert names(found, "y") == []
    assert found.panels[0].y.label.spell(ML) == "300 of 1200 customers"
    np.testing.assert_array_equal(xy(found, "aucs")[:, 0], np.sort(many.per_group.auc)[::-4])
    assert any(f"random effects {many.estimate:.3f}" in line for line in key(found))
    some = rs.summarize_auc(SITES.draw(MOST_NAMED, 9, 9, seed=2), "random-effects")
    assert len(names(forest(some), "y")) == MOST_NAMED + 2


def test_a_group_without_an_interval_is_counted_and_panels_may_have_one_scale(summary) -> None:
    known = summary.per_group.interval
    unknown = replace(known, low=np.append(np.nan, known.low[1:]), high=np.append(np.nan, known.high[1:]))
    own = replace(summary, per_group=replace(summary.per_group, interval=unknown))
    assert "; 1 without one" in key(forest(own))[0]
    narrow = forest(summary, limits=(0.7, 0.85))
    axis = narrow.panels[0].x
    assert (axis.low, axis.high) == pytest.approx((0.6955, 0.8545))
    (lines,) = marks(narrow, "intervals")
    assert np.nanmin(lines.x0) >= axis.low
    assert len(narrow.panels[0].right.names) == len(summary.per_group) + 2  # the numbers are all there
    beyond = rs.summarize_auc(
        rs.ScoreSet.from_folds(
            [([1, 1, 0, 0], [4, 2, 3, 1]), ([1, 1, 0, 0], [4, 3, 2, 1])], design="independent"
        ),
        scale="linear",
    )
    assert beyond.interval.high > 1 > forest(beyond).panels[0].x.high - 0.05


def test_what_is_no_summary_is_refused(sites, summary) -> None:
    for wrong in (sites, summary.per_group, None, 3):
        with pytest.raises(UsageError, match="RS002") as caught:
            rs.plot.forest(wrong)
        assert "summarize_auc" in str(caught.value)
    for code, options in (
        ("RS001", {"order": "name"}), ("RS001", {"numbers": "no"}), ("RS001", {"words": "optics"}),
        ("RS042", {"limits": (0.8, 0.7)}), ("RS042", {"limits": 0.5}), ("RS042", {"text_size": 0}),
    ):  # fmt: skip
        with pytest.raises(UsageError, match=code):
            rs.plot.forest(summary, **options)


# Pairs, ridges ------------------------------------------------------------------------------------------


def models(
    n_groups=9,
    gains=(1.5, 2.3),
    spreads=(1.0, 3.0),
    n=100,
    called=("old", "new", "other", "d", "e", "f", "g"),
):
    rng = np.random.default_rng(3)
    sick = np.tile([1] * n + [0] * n, n_groups)
    common = rng.normal(size=sick.size)
    scores = {
        name: common + rng.normal(size=sick.size) * np.where(sick, spread, 1) + gain * sick
        for name, gain, spread in zip(
            called, gains, itertools.chain(spreads, itertools.repeat(1.0)), strict=False
        )
    }
    return rs.ScoreSet.from_arrays(sick, scores, np.repeat(np.arange(n_groups), 2 * n), unit="site")


@pytest.fixture(scope="module")
def crossing():
    return models()


def test_pairs_put_the_difference_on_the_scale_of_the_groups(crossing) -> None:
    found = rs.compare(crossing, "new", "old", method="vertical", at={"fpr": 0.1})
    own = found.per_group
    drawn = pairs(found.auc, groups=own.groups, a=own.a_auc, b=own.b_auc)
    (threads,) = marks(drawn, "group")
    np.testing.assert_array_equal(threads.y0, own.a_auc)
    np.testing.assert_array_equal(threads.y1, own.b_auc)
    panel = drawn.panels[0]
    assert panel.right.low == panel.y.low - found.auc.b_value
    assert panel.right.high == panel.y.high - found.auc.b_value
    (stem,) = marks(drawn, "difference")
    assert (stem.y[0], stem.y_limits) == (
        found.auc.difference,
        ([found.auc.interval.low], [found.auc.interval.high]),
    )
    assert names(drawn) == ["new", "old", "difference"]
    at = pairs(found.at[0])
    assert at.panels[0].y.per == 100
    assert at.panels[0].y.label.spell(BIOMETRIC) == "1 − FNMR (%)"
    assert "9 sites" in key(drawn)[1]
    assert not marks(at, "group")


def test_a_ridge_has_the_highest_group_first_and_the_shared_threshold_across(sites) -> None:
    quantiles = score_quantiles(sites)
    found = ridge(quantiles, threshold=0.5, model="m")
    middle = quantiles.negatives[:, 2]
    np.testing.assert_array_equal(xy(found, "median")[:, 0], np.sort(middle)[::-1])
    assert names(found, "y") == [quantiles.groups[k] for k in np.argsort(-middle, kind="stable")]
    (called,) = marks(found, "called")
    assert (called.low, called.high) == (0.5, found.panels[0].x.high)
    low = replace(quantiles, higher_is_positive=False)
    assert marks(ridge(low, threshold=0.5), "called")[0].high == 0.5
    assert not marks(ridge(quantiles), "threshold")
    crowd = score_quantiles(SITES.draw(100, 5, 5, seed=1, unit="host"))
    assert names(ridge(crowd), "y") == []


# The matrix ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def matrix(sites):
    return rs.cross_auc(sites)


def shares(found):
    return np.asarray(marks(found, "cells")[0].shades)


def test_cells_rise_with_the_areas_and_few_have_numbers(matrix, sites) -> None:
    found = cross_auc(matrix, names=sites.names)
    order = np.argsort(matrix.ravel(), kind="stable")
    assert (np.diff(shares(found).ravel()[order]) >= 0).all()
    written = {(own.x, own.y): own.text.text for own in marks(found, "area")}
    assert written == {(j, i): f"{matrix[i, j]:.2f}" for i in range(9) for j in range(9)}
    assert names(found, "y") == names(found) == list(sites.names)
    assert len(marks(found, "diagonal")) == 18  # a frame and white around it
    n = MOST_NUMBERS + 1
    assert not marks(cross_auc(np.full((n, n), 0.7)), "area")
    n = MOST_IN_MATRIX + 1
    many = cross_auc(np.full((n, n), 0.5))
    assert len(marks(many, "diagonal")) == 1
    assert names(many) == []
    assert shares(cross_auc(matrix, limits=(0, 1))).max() < 1
    assert key(cross_auc(matrix, limits=(0.4, 1.0)))[:3] == ["0.40", "0.70", "1.00"]


def test_a_shared_threshold_has_its_price_and_low_groups_may_stand_first(matrix, sites) -> None:
    known = rs.comparability(sites, n_permutations=99)
    found = cross_auc(matrix, comparability=known)
    assert key(found)[3] == "9 sites; framed: each site by itself"
    assert key(found)[5].startswith(f"that costs {known.price:.3f} (")
    assert "cut-off" in key(found, MEDICAL)[4]
    by_level = np.argsort(known.positive_aucs - known.negative_aucs, kind="stable")
    low_first = cross_auc(matrix, comparability=known, order="level")
    assert names(low_first) == [sites.names[i] for i in by_level]
    assert key(low_first)[-1] == "those first that score low as a whole"


def test_cells_without_an_auc_are_hatched(matrix) -> None:
    holed = matrix.copy()
    holed[2] = np.nan
    found = cross_auc(holed)
    assert len(marks(found, "area")) == 72
    assert (np.asarray(marks(found, "cells")[0].values)[2] == -1).all()
    assert marks(found, "no AUC")[0].is_hatched
    assert cross_auc(np.full((2, 2), np.nan))


def test_what_is_no_matrix_of_these_groups_is_refused(matrix, sites) -> None:
    other = rs.comparability(SITES.draw(9, 20, 30, seed=9), n_permutations=99)
    for code, wrong, options in (
        ("RS002", sites, {}), ("RS002", matrix[:, :3], {}), ("RS002", 3 * matrix, {}), ("RS002", None, {}),
        ("RS013", matrix, {"names": ["a"]}), ("RS013", matrix, {"names": "abcdefghi"}),
        ("RS002", matrix, {"comparability": other}), ("RS002", matrix, {"comparability": 0.08}),
        ("RS002", matrix, {"order": "level"}), ("RS001", matrix, {"order": "auc"}),
        ("RS042", matrix, {"limits": (1, 0)}), ("RS042", matrix, {"text_size": -1}),
    ):  # fmt: skip
        with pytest.raises(UsageError, match=code) as caught:
            rs.plot.cross_auc(wrong, **options)
        assert caught.value.remedies


# Winners ------------------------------------------------------------------------------------------------


def test_a_winner_map_holds_difference_limits_regions_and_crossings(crossing) -> None:
    found = rs.winner_map(crossing)
    drawn = winner_map(found)
    np.testing.assert_array_equal(xy(drawn, "difference"), np.c_[found.position, found.advantage])
    (band,) = marks(drawn, "limits")
    np.testing.assert_allclose(band.lower[1], found.lower)
    np.testing.assert_allclose(xy(drawn, "crossing")[:, 0], found.crossings)
    regions = [own for own in found.regions if own.winner]
    for own, region in zip(marks(drawn, "winner"), regions, strict=True):
        assert (own.low, own.look.name, own.is_hatched) == (region.low, region.winner, True)
        assert own.high >= region.high
    assert {"new is better", "old is better", "undecided"} <= set(key(drawn))
    assert "95 % CI, specificity 50 to 98 % at once" in key(drawn, MEDICAL)
    assert drawn.panels[0].y.label.spell(BIOMETRIC) == "1 − FNMR gained (points)"


def test_the_axis_follows_the_declared_point(crossing) -> None:
    wide = rs.winner_map(crossing, fpr=(0.001, 0.3))
    assert winner_map(wide, at=0.01).panels[0].x.scale == "log"
    assert winner_map(wide, at=0.05).panels[0].x.scale == "linear"
    assert marks(winner_map(wide, at=0.05), "declared")[0].x == 0.05
    assert not marks(winner_map(wide, at=0.5), "declared")
    costs = rs.winner_map(crossing, over="costs", costs=((5, 1), (1, 50)), prevalence=0.2)
    drawn = winner_map(costs)
    assert (drawn.panels[0].x.scale, names(drawn)) == ("log", ["5 : 1", "1 : 1", "1 : 5", "1 : 20"])
    assert "prevalence 20.0 %" in key(drawn)[-1]
    narrow = rs.winner_map(crossing, over="costs", costs=((1, 3), (1, 4)), prevalence=0.2)
    assert names(winner_map(narrow)) == ["1 : 3", "1 : 4"]


def test_of_several_models_every_line_is_a_lead_and_a_crowd_has_one_band() -> None:
    three = rs.winner_map(models(gains=(0.5, 3.2, 2.0), spreads=(1.0, 1.0, 2.5)))
    drawn = winner_map(three)
    for own, band, name in zip(marks(drawn, "lead"), marks(drawn, "limits"), three.models, strict=True):
        lead = three.lead(name)
        np.testing.assert_allclose(own.y, lead.advantage)
        np.testing.assert_allclose(band.lower[1], lead.lower)
        assert own.look.name == band.look.name == name
    many = winner_map(rs.winner_map(models(gains=range(1, 7), n=40)))
    assert [np.isfinite(own.lower[1]).any() for own in marks(many, "limits")] == [False] * 5 + [True]
    seven = rs.winner_map(models(gains=range(1, 8), n_groups=6, n=10))
    with pytest.raises(UsageError, match="RS042"):
        rs.plot.winner_map(seven)


def test_too_few_groups_have_no_winner() -> None:
    drawn = winner_map(rs.winner_map(models(n_groups=4)))
    words = ML.about(unit="site")
    assert "undecided: too few sites" in key(drawn, words)
    assert not marks(drawn, "winner")
    assert np.isfinite([drawn.panels[0].y.low, drawn.panels[0].y.high]).all()
    for wrong in (None, 3, [drawn]):
        with pytest.raises(UsageError, match="RS002"):
            rs.plot.winner_map(wrong)


# Readers ------------------------------------------------------------------------------------------------


def study(n_readers=5, modalities=("film", "digital"), *, nested=False, called=None, system=False):
    rng = np.random.default_rng(3)
    sick, common = np.repeat([1, 0], 30), rng.normal(size=60)
    rows = []
    for i, modality in enumerate(modalities):
        for reader in range(n_readers):
            if nested and reader % len(modalities) != i:
                continue
            own = common + (1 + 0.5 * i) * sick + rng.normal(size=60)
            name = f"Dr {reader}" if called is None else called[reader]
            rows += [(own[k], sick[k], name, modality, k) for k in range(60)]
    if system:
        rows += [(common[k] + sick[k], sick[k], "AI", "AI", k) for k in range(60)]
    rating, truth, reader, modality, case = zip(*rows, strict=True)
    return rs.ScoreSet.from_arrays(truth, rating, reader, models=modality, cases=case, unit="reader")


def test_readers_are_lines_and_modalities_have_their_means_and_colours() -> None:
    found = rs.compare_readers(study(), n_resamples=200)
    drawn = reader_values(found)
    lines = [own for own in marks(drawn, "reader") if not hasattr(own, "size")]
    np.testing.assert_array_equal(np.array([own.y for own in lines]).T, found.values)
    means = marks(drawn, "mean")
    np.testing.assert_allclose([own.y[0] for own in means], found.means)
    limits = found.per_modality.logit_intervals
    assert [own.y_limits[0][0] for own in means] == [own.low for own in limits]
    assert [own.look.name for own in means] == ["film", "digital"]
    assert means[0].x[0] < 0 < 1 < means[1].x[0]  # beside the readers, not upon them
    assert set(labels(drawn)) == set(found.readers)
    assert key(drawn)[-2] == "5 readers (random), 60 cases (random)"
    assert key(drawn)[-1].startswith("digital − film: +0.")
    assert not labels(reader_values(rs.compare_readers(study(14, ("a", "b", "c")))))
    nested = rs.compare_readers(study(6, nested=True))
    assert set(labels(reader_values(nested))) == set(nested.readers)


def test_a_standalone_system_stands_beside_the_readers_and_a_nameless_modality_gets_no_name() -> None:
    found = rs.compare_readers(study(system=True), standalone="AI")
    means = marks(reader_values(found), "mean")
    np.testing.assert_allclose([own.y[0] for own in means], [*found.means, *found.standalone_values])
    assert "AI, 95 % CI" in key(reader_values(found))
    truth, case, reader = np.tile([1, 0], 60), np.tile(np.arange(20), 6), np.repeat(np.arange(6), 20)
    ratings = np.random.default_rng(0).normal(size=120) + truth
    alone = rs.summarize_readers(rs.ScoreSet.from_arrays(truth, ratings, reader, cases=case))
    drawn = reader_values(alone)
    assert (drawn.panels[0].x.label, names(drawn)) == (None, [""])
    for wrong in (None, study()):
        with pytest.raises(UsageError, match="RS002"):
            rs.plot.reader_values(wrong)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.floats(0.001, 0.3))
def test_names_are_a_step_apart_and_stay_where_there_is_room(values, step):
    rising = np.sort(values)
    found = spread_apart(rising, step)
    assert (np.diff(found) >= step - 1e-9).all()
    if (np.diff(rising) >= step).all():
        np.testing.assert_allclose(found, rising, atol=1e-12)


# Names from data ----------------------------------------------------------------------------------------


def test_wicked_and_long_names_stay_names_in_all_of_these(sites) -> None:
    c = sites.columns
    group = np.repeat(np.array(WICKED, dtype=object), np.diff(c.offsets))
    odd = rs.ScoreSet.from_arrays(c.labels == c.positive, c.scores, group, unit="cost $5_")
    two = models(called=WICKED[:3], gains=(1.0, 2.0, 3.0), n_groups=9, n=20)
    compared = rs.compare(two, *WICKED[:2], method="vertical")
    own = compared.per_group
    drawn = [
        forest(rs.summarize_auc(odd)),
        ridge(score_quantiles(odd), threshold=1.0),
        cross_auc(rs.cross_auc(odd), names=odd.names),
        winner_map(rs.winner_map(two)),
        winner_map(rs.winner_map(two, *WICKED[:2])),
        pairs(compared.auc, groups=own.groups, a=own.a_auc, b=own.b_auc),
        reader_values(rs.compare_readers(study(9, WICKED[:2], called=WICKED), n_resamples=50)),
    ]
    for picture in drawn:
        text = svg(picture, ML)
        assert "<script" not in text
        assert not any(own in text for own in ("\x1b", "\u202e", "</script>"))
        made = figure(picture, ML)
        made.draw_without_rendering()
        assert "\x1b" not in rendered(made, "svg").decode()
        page = made.bbox.padded(2)
        for axes in made.axes:
            for tick in (*axes.get_xticklabels(), *axes.get_yticklabels()):
                box = tick.get_window_extent()
                assert page.contains(*box.min)
                assert page.contains(*box.max)
    shown = names(drawn[0], "y")
    assert len(set(shown)) == len(shown)  # different names stay different
    assert max(map(len, shown)) <= 22


def test_axes_that_are_given_are_drawn_on_and_others_refused(summary, matrix) -> None:
    for draw, value in ((rs.plot.forest, summary), (rs.plot.cross_auc, matrix)):
        axes = Figure(figsize=(6, 5)).add_subplot()
        assert draw(value, ax=axes, title="here", text_size=10) is axes
        assert axes.get_title(loc="left") == "here"
        with pytest.raises(UsageError, match="RS002"):
            draw(value, ax="here")
