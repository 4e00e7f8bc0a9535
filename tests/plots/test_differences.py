"""Figures of differences and winner maps draw the numbers they are given, and say what these are."""

from __future__ import annotations

import sys
import warnings

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

import rocsteady as rs
from rocsteady import plots
from rocsteady.errors import MissingPackageError, UsageError
from rocsteady.inference.compare import compare
from rocsteady.inference.winner_map import winner_map
from rocsteady.plots.parts.style import BLUE, LOOKS, VERMILLION, rendered

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib", "ignore:RS27[58]")


def models(*gains_and_spreads, n_groups=9, n=100, seed=3, names=("old", "new", "other", "d", "e", "f", "g")):
    rng = np.random.default_rng(seed)
    labels = np.tile([1] * n + [0] * n, n_groups)
    common = rng.normal(size=labels.size)
    scores = {
        name: common + rng.normal(size=labels.size) * np.where(labels, spread, 1) + gain * labels
        for name, (gain, spread) in zip(names, gains_and_spreads, strict=False)
    }
    return rs.ScoreSet.from_arrays(labels, scores, np.repeat(np.arange(n_groups), 2 * n), unit="site")


CROSSING = models((1.5, 1.0), (2.3, 3.0))


@pytest.fixture(scope="module")
def found():
    return winner_map(CROSSING)


def line(axes, label: str) -> np.ndarray:
    (own,) = [each for each in axes.lines if str(each.get_label()).startswith(label)]
    return np.asarray(own.get_xydata())


def texts(axes) -> list[str]:
    return [text.get_text() for text in axes.get_legend().get_texts()]


def strip(axes) -> list[tuple[float, float, str]]:
    """Regions as they are drawn: from where to where, in which colour."""
    drawn = [p for p in axes.patches if isinstance(p, Rectangle) and p.get_width() > 0]
    return [(p.get_x(), p.get_x() + p.get_width(), to_hex(p.get_facecolor()).upper()) for p in drawn]


def test_the_map_draws_difference_limits_regions_and_crossings(found) -> None:
    assert found.winners == ("new", "old")
    axes = plots.winner_map(found)
    mean = line(axes, "old less new")
    np.testing.assert_array_equal(mean, np.column_stack([found.position, found.advantage]))
    (band,) = axes.collections
    corners = band.get_paths()[0].vertices
    assert corners[:, 1].min() == pytest.approx(found.lower.min())
    assert corners[:, 1].max() == pytest.approx(found.upper.max())
    np.testing.assert_allclose(line(axes, "the means cross")[:, 0], found.crossings)
    colours = {"old": BLUE, "new": VERMILLION, None: "#FFFFFF"}
    expected = [(r.low, r.high, colours[r.winner].upper()) for r in found.regions]
    for drawn, region in zip(strip(axes), expected, strict=True):
        assert drawn[0] == region[0]
        assert drawn[1] == pytest.approx(region[1], abs=0.002)  # a single position has a width to be seen
        assert drawn[2] == region[2]
    assert texts(axes)[-3:] == ["new wins", "old wins", "undecided"]
    assert axes.get_legend().get_title().get_text() == "vertical average, 9 sites"


def test_winners_differ_by_more_than_colour(found) -> None:
    hatches = {
        p.get_hatch() for p in plots.winner_map(found).patches if p.get_label() in ("old wins", "new wins")
    }
    assert len(hatches) == 2
    assert len({look.hatch for look in LOOKS}) == len({look.line for look in LOOKS}) == len(LOOKS)


def test_costs_have_a_log_scale_with_ratios() -> None:
    axes = plots.winner_map(winner_map(CROSSING, over="costs", costs=((5, 1), (1, 50)), prevalence=0.2))
    assert axes.get_xscale() == "log"
    labels = [text.get_text() for text in axes.get_xticklabels()]
    assert labels == ["5 : 1", "1 : 1", "1 : 5", "1 : 20"]
    assert axes.get_xlim() == pytest.approx((0.2, 50))
    assert "prevalence 20 %" in axes.get_legend().get_title().get_text()
    narrow = plots.winner_map(winner_map(CROSSING, over="costs", costs=((1, 3), (1, 4)), prevalence=0.2))
    assert [text.get_text() for text in narrow.get_xticklabels()] == ["1 : 3", "1 : 4"]


def test_three_models_show_each_ones_lead() -> None:
    found = winner_map(models((0.5, 1.0), (3.2, 1.0), (2.0, 2.5)))
    axes = plots.winner_map(found)
    pairs = {(p.a, p.b): p.advantage for p in found.pairs}
    lead = np.minimum(-pairs["old", "new"], pairs["new", "other"])
    np.testing.assert_allclose(line(axes, "new: lead")[:, 1], lead)
    assert [text for text in texts(axes) if "lead" in text] == [
        f"{name}: lead over the best other" for name in ("old", "new", "other")
    ]


def test_three_models_have_the_limits_of_their_leads_and_six_those_of_the_one_ahead() -> None:
    found = winner_map(models((0.5, 1.0), (3.2, 1.0), (2.0, 2.5)))
    axes = plots.winner_map(found)
    for band, name, look in zip(axes.collections, found.models, LOOKS, strict=False):
        lead, corners = found.lead(name), band.get_paths()[0].vertices
        assert corners[:, 1].min() == pytest.approx(lead.lower.min())
        assert corners[:, 1].max() == pytest.approx(lead.upper.max())
        assert to_hex(band.get_facecolor()[0]).upper() == look.colour
    assert "95 %: FPR 0.02 to 0.5 at once" in texts(axes)
    many = winner_map(models(*[(1.0 + i, 1.0) for i in range(6)], n=40))
    (band,) = plots.winner_map(many).collections
    assert to_hex(band.get_facecolor()[0]).upper() == LOOKS[5].colour


def test_too_few_groups_have_no_band_and_no_winner() -> None:
    axes = plots.winner_map(winner_map(models((1.5, 1), (2.5, 1), n_groups=4)))
    assert list(axes.collections) == []
    assert texts(axes) == ["old less new, mean", "undecided: too few sites"]
    assert [colour for *_, colour in strip(axes)] == ["#FFFFFF"]
    assert all(np.isfinite(axes.get_ylim()))
    few = plots.difference(compare(models((1.5, 1), (2.5, 1), n_groups=4), "old", "new", method="vertical"))
    assert texts(few) == ["95 %: each point by itself", "old less new"]
    assert few.get_legend().get_title().get_text().endswith("too few sites for limits of the whole range")


def test_the_difference_and_both_bands() -> None:
    comparison = compare(CROSSING, "old", "new", confidence_level=0.9, method="vertical")
    curve = comparison.curve
    for given in (comparison, curve):
        axes = plots.difference(given)
        np.testing.assert_array_equal(
            line(axes, "old less new"), np.column_stack([curve.position, curve.difference])
        )
        lowest = [band.get_paths()[0].vertices[:, 1].min() for band in axes.collections]
        assert lowest == pytest.approx([curve.lower.min(), curve.simultaneous_lower.min()])
        assert texts(axes)[:2] == ["90 %: each point by itself", "90 %: FPR 0.02 to 0.5 at once"]
        assert axes.get_xlim() == pytest.approx(curve.range)
        kind = "vertical averages: " if given is comparison else ""
        assert axes.get_legend().get_title().get_text() == f"{kind}mean difference, 9 sites"
        low, high = axes.get_ylim()
        assert low < curve.simultaneous_lower.min()
        assert high > curve.simultaneous_upper.max()


@pytest.mark.parametrize("method", ["horizontal", "diagonal"])
def test_other_directions_name_their_axes(method) -> None:
    axes = plots.difference(compare(CROSSING, "old", "new", method=method))
    words = {
        "horizontal": ("true positive rate", "FPR saved"),
        "diagonal": ("position along the direction",) * 2,
    }
    assert axes.get_xlabel() == words[method][0]
    assert (axes.get_ylabel() == words[method][1]) == (method == "horizontal")


def test_rates_are_called_what_the_reader_calls_them(found) -> None:
    compared = compare(CROSSING, "old", "new", method="vertical")
    for axes in (plots.winner_map(found, words="medical"), plots.difference(compared, words="medical")):
        assert axes.get_xlabel() == "1 - specificity (false positive rate)"
        assert axes.get_ylabel() == "sensitivity gained"
    with pytest.raises(UsageError, match="RS001"):
        plots.difference(compared, words="legal")


def test_unpaired_models_are_drawn_too() -> None:
    both = models((1.5, 1), (2.5, 1), n_groups=8)
    lonely = rs.ScoreSet.from_arrays(
        np.concatenate([own.columns.labels for own in (both.model("old"), both.model("new"))]),
        np.concatenate([own.columns.scores for own in (both.model("old"), both.model("new"))]),
        np.concatenate([np.repeat(np.arange(8), 200), np.repeat(np.arange(8) + 8, 200)]),
        models=np.repeat(["old", "new"], 1600),
    )
    axes = plots.difference(compare(lonely, "old", "new", method="vertical"))
    assert axes.get_legend().get_title().get_text() == (
        "vertical averages: difference of means, 8 groups and 8"
    )


def test_axes_that_are_given_are_used_and_nothing_is_shown(found) -> None:
    figure = Figure()
    ax = figure.add_subplot()
    assert plots.winner_map(found, ax=ax, title="Who wins?") is ax
    assert ax.get_title(loc="left") == "Who wins?"
    other = figure.add_subplot()
    assert (
        plots.difference(compare(CROSSING, "old", "new", method="vertical"), ax=other, title="Difference")
        is other
    )


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_figures_are_written_alike_each_time(found, kind) -> None:
    once, again = (rendered(plots.winner_map(found, text_size=12).figure, kind) for _ in range(2))
    assert once == again


def test_of_one_dataset_cases_are_counted_and_said_to_be_random() -> None:
    one = compare(models((1.5, 1), (2.5, 1), n_groups=1), "old", "new", method="vertical")
    for given in (one, one.curve):
        assert plots.difference(given).get_legend().get_title().get_text() == (
            "200 cases of one site, cases random"
        )


def test_the_lighter_band_lies_only_outside_the_darker_one() -> None:
    curve = compare(CROSSING, "old", "new", method="vertical").curve
    inner, outer = plots.difference(curve).collections
    assert inner.get_clip_path() is None
    box, hole = outer.get_clip_path()._path.to_polygons()
    assert {*map(tuple, hole)} == {*map(tuple, inner.get_paths()[0].vertices)}
    turns = [
        np.sum(ring[:-1, 0] * np.diff(ring[:, 1]) - ring[:-1, 1] * np.diff(ring[:, 0]))
        for ring in (box, hole)
    ]
    assert turns[0] > 0 > turns[1]  # run through the other way, it is a hole


LONG = tuple(f"Gradient boosted trees, {n} rounds, depth {d}" for n in (100, 500) for d in (2, 4))


def test_long_names_that_are_alike_stay_different() -> None:
    two = models((1.5, 1), (2.3, 3), names=LONG)
    for axes in (
        plots.difference(compare(two, *LONG[:2], method="vertical")),
        plots.winner_map(winner_map(two)),
    ):
        (pair,) = [text for text in texts(axes) if " less " in text.replace("\n", " ")]
        one, other = pair.replace(", mean", "").split("\nless ")
        assert one != other
        assert one.endswith("depth 2")
        better = [text.get_text() for text in axes.texts]
        assert len(set(better)) == 2
        assert [own.endswith(f"depth {d} better") for own, d in zip(better, (2, 4), strict=True)] == [
            True
        ] * 2
    three = winner_map(models((1.5, 1), (2.3, 3), (2.5, 1), names=LONG))
    axes = plots.winner_map(three)
    leads = [text for text in texts(axes) if text.endswith(": lead")]
    assert leads == [f"{name}: lead" for name in LONG[:3]]
    assert axes.get_legend().get_title().get_text().endswith("lead: over the best other")


def test_names_cannot_break_the_figure() -> None:
    wicked = ("a$b_{$", "x" * 80)
    axes = plots.winner_map(winner_map(models((1.5, 1), (3.5, 1), names=wicked)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rendered(axes.figure, "png")


@pytest.mark.parametrize("draw", [plots.winner_map, plots.difference])
def test_anything_else_is_refused(draw, found, monkeypatch) -> None:
    value = found if draw is plots.winner_map else compare(CROSSING, "old", "new", method="vertical")
    for wrong in (None, 3, CROSSING, [value]):
        with pytest.raises(UsageError, match="RS002"):
            draw(wrong)
    with pytest.raises(UsageError, match="RS042"):
        draw(value, text_size=0)
    with pytest.raises(UsageError, match="RS002"):
        draw(value, ax="here")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingPackageError, match="RS061"):
        draw(value)


def test_more_models_than_can_be_told_apart_are_refused() -> None:
    many = winner_map(models(*[(1.0 + i / 5, 1.0) for i in range(7)], n_groups=6, n=10))
    with pytest.raises(UsageError, match="RS042"):
        plots.winner_map(many)
    several = compare(models((1, 1), (2, 1), (3, 1), n_groups=6, n=10), method="vertical")
    with pytest.raises(UsageError, match="one pair of them"):
        plots.difference(several)
