"""The comparison of averages draws what they hold, names them, and refuses what does not belong together."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

import rocsteady as rs
from rocsteady.averaging.base import Average
from rocsteady.errors import UsageError
from rocsteady.plots.averages import averages
from rocsteady.plots.keys.average_key import KeyEntry, KeyNote, average_key
from rocsteady.plots.keys.words_of_bands import at_once
from rocsteady.plots.parts.short_names import on_lines, told_apart
from rocsteady.plots.parts.style import BLUE, DARK_VERMILLION, LOOKS, VERMILLION, rendered

pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning:matplotlib", "ignore:RS210", "ignore:RS317"
)


def of_models(
    gains: dict[str, float], method: Any = "vertical", *, n_groups: int = 9, n: int = 20, unit: str = "site"
) -> dict[str, Average]:
    rng = np.random.default_rng(5)
    labels, groups = np.tile([1] * n + [0] * n, n_groups), np.repeat(np.arange(n_groups), 2 * n)
    common = rng.normal(size=labels.size)
    scores = {name: common + rng.normal(size=labels.size) + gain * labels for name, gain in gains.items()}
    score_set = rs.ScoreSet.from_arrays(labels, scores, groups, unit=unit)
    return {name: rs.average(score_set.model(name), method) for name in gains}


TWO = {"old": 2.0, "new": 3.5}


@pytest.fixture(scope="module")
def both() -> dict[str, Average]:
    return of_models(TWO)


@pytest.fixture(scope="module")
def shared() -> dict[str, Average]:
    return of_models(TWO, "threshold")


@pytest.fixture(scope="module")
def axes(both):
    return averages(both, at={"fpr": 0.1})


def labelled(ax: Any, label: str) -> list[Any]:
    return [own for own in (*ax.lines, *ax.collections) if own.get_label() == label]


def texts(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_averages_are_drawn_with_looks_of_their_own(axes, both) -> None:
    lines = labelled(axes, "_average")
    for line, own in zip(lines, both.values(), strict=True):
        np.testing.assert_array_equal(line.get_xydata(), np.column_stack([own.fpr, own.tpr]))
        assert line.get_linewidth() == 2
    assert [to_hex(line.get_color()).upper() for line in lines] == [BLUE, VERMILLION]
    assert [line.is_dashed() for line in lines] == [False, True]
    assert (axes.get_xlim(), axes.get_ylim(), axes.get_aspect()) == ((0, 1), (0, 1), 1)


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous"])
def test_bands_are_those_of_the_averages(axes, both, kind) -> None:
    options = {"fpr": (0.0, 1.0)} if kind == "pointwise" else {}
    for area, own in zip(labelled(axes, f"_{kind}"), both.values(), strict=True):
        band = own.band(kind=kind, **options)
        edges = [np.column_stack([edge.fpr, edge.tpr]) for edge in (band.lower, band.upper)]
        known = np.isfinite(edges[0] + edges[1]).all(axis=1)
        # Each piece runs along the lower edge and back along the upper one, to where it started.
        pieces = [path.vertices[:-1] for path in area.get_paths()]
        lower = np.concatenate([piece[: len(piece) // 2] for piece in pieces])
        upper = np.concatenate([piece[: len(piece) // 2 - 1 : -1] for piece in pieces])
        np.testing.assert_array_equal(lower, edges[0][known])
        np.testing.assert_array_equal(upper, edges[1][known])


def test_every_group_of_every_model_is_drawn_faintly(axes, both) -> None:
    for members, own, look in zip(labelled(axes, "_members"), both.values(), LOOKS, strict=False):
        assert len(members.get_segments()) == own.n_groups
        np.testing.assert_array_equal(
            members.get_segments()[3], np.column_stack([own.curves[3].fpr, own.curves[3].tpr])
        )
        assert to_hex(members.get_color()[0]).upper() == look.colour
    assert labelled(averages(both, curves=False), "_members") == []


def test_the_key_has_areas_with_intervals_kind_groups_bands_and_markers(axes, both) -> None:
    intervals = [own.auc_interval() for own in both.values()]
    expected = []
    for (name, own), interval in zip(both.items(), intervals, strict=True):
        expected += [f"{name}  {own.auc:.3f}", f"{interval.low:.3f} to {interval.high:.3f}"]
    assert texts(axes)[:4] == expected
    left_out = [own.band(kind="simultaneous").excluded for own in both.values()]
    where = at_once("FPR", (0.02, 0.5), [*left_out[0], *left_out[1]], why="most sites coincide")
    assert where == "FPR 0.049 to 0.2 at once;\nelsewhere most sites coincide"
    assert texts(axes)[4:] == [
        "vertical average, 9 sites",
        "95 %: each point by itself",
        f"95 %: {where}",
        "markers: FPR 10 %, 95 % intervals",
    ]
    assert axes.get_legend().get_title().get_text() == "AUC of the average, 95 %"
    names = axes.get_legend().get_texts()[0], axes.get_legend().get_texts()[2]
    assert [name.get_color() for name in names] == [BLUE, DARK_VERMILLION]
    handles = [line for line in axes.get_legend().get_lines() if line.get_linestyle() != "None"]
    assert [handle.is_dashed() for handle in handles] == [False, True]


def test_confidence_level_and_seed_reach_everything(shared) -> None:
    ax = averages(shared, at={"fpr": 0.1}, confidence_level=0.8, seed=3)
    interval = shared["old"].auc_interval(0.8)
    assert f"{interval.low:.3f} to {interval.high:.3f}" in " ".join(texts(ax))
    assert any(text.startswith("80 %: each point") for text in texts(ax))
    point = shared["old"].at(fpr=0.1, confidence_level=0.8)
    (bar, _) = labelled(ax, "_interval")
    np.testing.assert_allclose(bar.get_ydata(), [point.tpr_interval.low, point.tpr_interval.high])


def test_markers_are_on_their_curves_and_bars_that_hide_each_other_a_little_apart(both) -> None:
    close = {"one": both["old"], "two": both["old"]}
    ax = averages(close, at={"fpr": 0.1})
    point = both["old"].at(fpr=0.1)
    for marker in labelled(ax, "_point"):
        np.testing.assert_allclose(marker.get_xydata(), [[0.1, point.tpr]])
    for bar in labelled(ax, "_interval"):
        np.testing.assert_allclose(bar.get_ydata(), [point.tpr_interval.low, point.tpr_interval.high])
    ax.figure.draw_without_rendering()
    assert all(marker.get_transform() == ax.transData for marker in labelled(ax, "_point"))
    shown = [bar.get_transform().transform((0.1, point.tpr))[0] for bar in labelled(ax, "_interval")]
    place, dot = ax.transData.transform((0.1, point.tpr))[0], ax.figure.dpi / 72
    assert 1.5 * dot < abs(shown[0] - shown[1]) < 4.1 * dot
    assert max(abs(own - place) for own in shown) < 2.1 * dot
    assert len({marker.get_marker() for marker in labelled(ax, "_point")}) == 2
    assert len({bar.get_color() for bar in labelled(ax, "_interval")}) == 2
    apart = averages(of_models({"poor": 0.3, "good": 3.0}), at={"fpr": 0.1})
    assert all(bar.get_transform() == apart.transData for bar in labelled(apart, "_interval"))


def test_more_than_two_have_no_members_and_no_wide_bands_unless_asked_for() -> None:
    three = of_models({"a": 1.0, "b": 2.0, "c": 3.0})
    ax = averages(three)
    assert (labelled(ax, "_members"), labelled(ax, "_simultaneous")) == ([], [])
    assert len(labelled(ax, "_pointwise")) == 3
    ax = averages(three, curves=True, band="both")
    assert (len(labelled(ax, "_members")), len(labelled(ax, "_simultaneous"))) == (3, 3)
    for ax in averages(three, panels=True):  # one average in each
        assert (len(labelled(ax, "_members")), len(labelled(ax, "_simultaneous"))) == (1, 1)


def test_each_band_has_the_tone_of_its_key(axes) -> None:
    patches = {patch.get_alpha() for patch in axes.get_legend().get_patches()}
    areas = [own for kind in ("pointwise", "simultaneous") for own in labelled(axes, f"_{kind}")]
    assert {area.get_alpha() for area in areas} == patches
    # The lighter is shown outside the darker only, or it would make that darker still.
    assert [area.get_clip_path() is None for area in areas] == [True, True, False, False]


LONG = [f"Gradient boosted trees, {n} rounds, depth {d}" for n in (100, 500) for d in (2, 4)]


@pytest.mark.parametrize("panels", [False, True])
def test_long_names_that_are_alike_stay_different(panels) -> None:
    four = of_models(dict(zip(LONG, (1.0, 1.5, 2.0, 2.5), strict=True)))
    found = averages(four, panels=panels)
    if panels:
        names = [ax.get_title(loc="left") for ax in found]
    else:
        names = [text.rpartition("  ")[0] for text in texts(found) if text.startswith("Gradient")]
    assert len(set(names)) == 4
    for name, full in zip(names, LONG, strict=True):
        assert name.endswith(full[-7:])
        assert full[24:27] in name
    assert_legible(found[0].figure if panels else found.figure)


@pytest.mark.parametrize("longest", [8, 12, 18, 24])
def test_cut_names_are_short_and_differ(longest) -> None:
    rng = np.random.default_rng(3)
    for _ in range(300):
        names = list({"".join(rng.choice(list("ab 1…"), rng.integers(1, 40))) for _ in range(7)})
        short = told_apart(names, longest)
        assert len(set(short)) == len(set(on_lines(names, longest))) == len(names)
        assert max(map(len, short)) <= longest
    assert told_apart(["same"] * 2 + ["x" * 40] * 2, longest)[:2] == ["same", "same"]


def test_points_of_thresholds_are_given_by_name(shared) -> None:
    chosen = {name: own.at(threshold=float(own.thresholds[40])) for name, own in shared.items()}
    ax = averages(shared, at=chosen, band=None)
    for marker, point in zip(labelled(ax, "_point"), chosen.values(), strict=True):
        np.testing.assert_allclose(marker.get_xydata(), [[point.fpr, point.tpr]])
    assert len(labelled(ax, "_interval")) == 4  # both rates are free
    assert any(text.startswith("markers: a threshold each") for text in texts(ax))
    one = averages(shared, at={"new": {"threshold": 1.25}}, band=None)
    assert len(labelled(one, "_point")) == 1
    assert any(text.startswith("markers: threshold 1.25, 95 % intervals") for text in texts(one))


@pytest.mark.parametrize(
    "at", [0.05, "fpr", {"width": 3}, {"old": 0.3}, [{"fpr": 0.1}, 3], {"oldd": {"fpr": 0.1}}]
)
def test_what_is_no_place_is_refused(both, at) -> None:
    with pytest.raises(UsageError, match=r"RS002|RS092"):
        averages(both, at=at)


def test_a_point_belongs_to_one_average(both) -> None:
    with pytest.raises(UsageError, match="belongs to one average"):
        averages(both, at=both["old"].at(fpr=0.1))


def test_two_panels_side_by_side_on_given_axes(both, shared) -> None:
    figure = Figure(figsize=(17.4 / 2.54, 9 / 2.54), layout="constrained")
    left, right = figure.subplots(1, 2)
    assert averages(shared, title="One threshold", ax=left) is left
    assert averages(both, title="Own thresholds", ax=right) is right
    assert left.get_title(loc="left") == "One threshold"
    assert "threshold average, 9 sites" in texts(left)
    assert "vertical average, 9 sites" in texts(right)
    assert_legible(figure)


def assert_legible(figure: Figure) -> None:
    """No text of a key, of an axis or of a title covers another or leaves the figure."""
    figure.draw_without_rendering()
    boxes = []
    for ax in figure.axes:
        legend = ax.get_legend()
        words = [*legend.get_texts(), legend.get_title(), ax.xaxis.label, ax.yaxis.label]
        words += [*ax.get_xticklabels(), *ax.get_yticklabels(), ax._left_title]
        boxes += [
            (own.get_text(), own.get_window_extent()) for own in words if own.get_visible() and own.get_text()
        ]
    page = figure.bbox.padded(2)
    assert [text for text, box in boxes if not (page.contains(*box.min) and page.contains(*box.max))] == []
    shrunk = [(text, box.padded(-1)) for text, box in boxes]
    assert [(a, b) for (a, one), (b, two) in itertools.combinations(shrunk, 2) if one.overlaps(two)] == []


@pytest.mark.parametrize("text_size", [8, 16])
def test_a_key_that_finds_no_free_corner_is_outside_the_axes(text_size) -> None:
    ax = averages(of_models({"poor": 0.2, "no better": 0.3}), text_size=text_size)
    ax.figure.draw_without_rendering()
    assert not ax.get_legend().get_window_extent().overlaps(ax.bbox)
    assert any("(" in text and "no better" in text for text in texts(ax))
    assert_legible(ax.figure)


def test_different_kinds_need_names_that_say_so(both, shared) -> None:
    with pytest.raises(UsageError, match="different kinds"):
        averages({"old": both["old"], "new": shared["new"]})
    named = averages([both["old"], shared["old"]])
    assert {"vertical", "threshold"} <= {text.split()[0] for text in texts(named)}
    assert "averages over 9 sites" in texts(named)
    assert len(labelled(named, "_members")) == 1  # the same curves, averaged twice
    spoken = averages({"one threshold": shared["old"], "Vertical of old": both["old"]})
    assert any(text.rstrip(")").endswith("vertical average") for text in texts(spoken))


@pytest.mark.filterwarnings("ignore:RS108")
def test_groups_and_planes_are_not_mixed(both) -> None:
    with pytest.raises(UsageError, match="site and fold"):
        averages({"a": both["old"], "b": of_models(TWO, unit="fold")["old"]})
    rng = np.random.default_rng(2)
    rows = [(np.arange(30) % 2, np.round(rng.random(30), 2)) for _ in range(3)]
    smooth = rs.average([rs.smroc_curve(*row, mid=0.5) for row in rows], "vertical")
    ordinary = rs.average(rs.ScoreSet.from_folds(rows, unit=smooth.unit, design="independent"), "vertical")
    with pytest.raises(UsageError, match="different axes"):
        averages({"a": smooth, "b": ordinary})
    ax = averages({"a": smooth})
    assert ax.get_xlabel() == "share of debit"
    assert any(f"chance {smooth.chance_auc:.3f}" in text for text in texts(ax))


@pytest.mark.parametrize("wrong", [None, 3, "old", {}, [], {"a": 3}, {1: "x"}])
def test_anything_but_averages_is_refused(wrong) -> None:
    with pytest.raises(UsageError, match="RS002"):
        averages(wrong)


def test_names_are_needed_once_each(both) -> None:
    several = list(both.values())
    assert texts(averages(several, names=["x", "y"]))[0].startswith("x")
    for names in (None, ["x"], ["x", "x"], "xy", ["x", 3]):
        with pytest.raises(UsageError, match="a name of its own"):
            averages(several, names=names)
    with pytest.raises(UsageError, match="names already"):
        averages(both, names=["x", "y"])


def test_other_sizes_are_said_beside_each(both) -> None:
    ax = averages({"old": both["old"], "fewer": of_models(TWO, n_groups=8)["new"]})
    assert "vertical averages" in texts(ax)
    assert [text.endswith(("9 sites", "8 sites")) for text in texts(ax)[1:4:2]] == [True, True]


@pytest.mark.filterwarnings("error", "ignore:RS289")
@pytest.mark.parametrize("n_groups", [1, 5])
def test_few_groups_have_fewer_bands_and_the_key_says_so(n_groups) -> None:
    ax = averages(of_models(TWO, n_groups=n_groups), at={"fpr": 0.1})
    assert labelled(ax, "_simultaneous") == []
    assert len(labelled(ax, "_pointwise")) == (0 if n_groups == 1 else 2)
    said = {1: "one site: no band", 5: "too few sites for a band over a range"}[n_groups]
    assert said in texts(ax)
    assert ("intervals" in texts(ax)[-1]) <= (n_groups > 1)
    assert np.isfinite([line.get_xydata() for line in labelled(ax, "_point")]).all()


def test_no_more_than_300_faint_curves() -> None:
    many = of_models(TWO, n_groups=400, n=3)
    ax = averages(many, band=None)
    drawn = [len(members.get_segments()) for members in labelled(ax, "_members")]
    assert drawn == [150, 150]
    assert "thin: 150 of the sites" in texts(ax)


def test_more_than_four_have_a_plot_each() -> None:
    five = of_models({f"model {k}": 1.0 + k / 2 for k in range(5)})
    panels = averages(five, title="Five models", at={"fpr": 0.1})
    assert isinstance(panels, tuple)
    assert [ax.get_title(loc="left") for ax in panels] == list(five)
    for ax, own in zip(panels, five.values(), strict=True):
        (line,) = labelled(ax, "_average")
        np.testing.assert_array_equal(line.get_xydata(), np.column_stack([own.fpr, own.tpr]))
        assert len(labelled(ax, "_other")) == 4
        assert texts(ax)[0] == f"AUC  {own.auc:.3f}"
        assert texts(ax)[2] == "vertical average, 9 sites"
    (explained,) = panels[0].figure.legends
    assert "the other averages" in [text.get_text() for text in explained.get_texts()]
    assert_legible(panels[0].figure)
    with pytest.raises(UsageError, match="RS042"):
        averages(five, panels=False)


def test_panels_on_given_axes(both) -> None:
    figure = Figure(layout="constrained")
    given = figure.subplots(1, 2)
    assert list(averages(both, panels=True, ax=given)) == list(given)
    assert "the other averages" in texts(given[0])
    with pytest.raises(UsageError, match="as many axes"):
        averages(both, panels=True, ax=[given[0]])
    with pytest.raises(UsageError, match="RS042"):
        averages({f"{k}": both["old"] for k in range(25)})


def test_words_zoom_and_log_scale(both) -> None:
    ax = averages(both, words="medical", zoom=0.2, at={"fpr": 0.1})
    assert ax.get_xlim() == (0, 0.2)
    assert ax.get_ylabel() == "sensitivity (true positive rate)"
    assert any("specificity 90 %" in text for text in texts(ax))
    assert averages(both, xscale="log").get_xscale() == "log"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"band": "broad"}, "RS001"),
        ({"words": "legal"}, "RS001"),
        ({"curves": "no"}, "RS001"),
        ({"text_size": 0}, "RS042"),
        ({"zoom": 3}, "RS042"),
        ({"ax": "here"}, "RS002"),
    ],
)
def test_what_does_not_fit_is_refused(both, options, code) -> None:
    with pytest.raises(UsageError, match=code):
        averages(both, **options)


def test_names_cannot_break_the_figure() -> None:
    wicked = {"a$b_{$ and a great many letters more": 2.0, "x" * 90: 3.0, "two\nlines <i>": 2.5}
    ax = averages(of_models(wicked, unit="cent$e_{"), at={"fpr": 0.1})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rendered(ax.figure, "png")
    assert_legible(ax.figure)
    assert texts(ax)[0].startswith("a$b_{$")


def test_a_kind_of_many_words_has_two_lines() -> None:
    costs = rs.AtCosts(false_positive=1, false_negative=25, prevalence=0.125)
    ax = averages(of_models(TWO, costs))
    (kind,) = [text for text in texts(ax) if "cost-direction" in text]
    assert kind.endswith(" average,\n9 sites")
    assert_legible(ax.figure)
    panels = averages(
        of_models({f"a model with a long name {k}": 2.0 + k for k in range(2)}, costs), panels=True
    )
    assert_legible(panels[0].figure)
    for ax in panels:
        assert ax.get_legend().get_window_extent().x0 > ax.bbox.x0


def test_a_key_is_added_to_and_not_said_twice() -> None:
    ax = Figure().add_subplot()
    line = Line2D([], [], color=BLUE)
    average_key(ax, [KeyEntry(line, "a", "0.9", BLUE)], [KeyNote("note")], heading="AUC", text_size=8)
    average_key(ax, [KeyEntry(line, "b", "0.8", BLUE, "0.7 to 0.9")], [KeyNote("note")], text_size=8)
    assert texts(ax) == ["a  0.9", "b  0.8", "0.7 to 0.9", "note"]
    assert ax.get_legend().get_title().get_text() == "AUC"


@given(
    st.text("ab1 '\"{}%.…(é", max_size=20),
    st.lists(st.text("ab12' ", max_size=6), min_size=2, max_size=6, unique=True),
    st.integers(6, 20),
)
@example("{} %s 'q' ", ["1", "2"], 10)
def test_shortening_names_of_any_signs_ends_and_keeps_them_apart(start, ends, longest):
    names = [start + end for end in ends]
    short = told_apart(names, longest)
    assert len(set(short)) == len(set(names))
    assert max(map(len, short)) <= longest
