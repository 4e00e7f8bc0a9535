"""The ground of figures: lines are drawn as exactly as the eye can see, on every scale; ticks, keys, names."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rocsteady.figures.roc_space import View, at_once, lowest_rate
from rocsteady.figures.spec import (
    GUIDE,
    LOOKS,
    Axis,
    Band,
    Entry,
    Faint,
    Key,
    Line,
    Panel,
    Picture,
    Points,
    evenly,
    share_axis,
    short_names,
    ticks_of,
    wrapped,
)
from rocsteady.figures.svg import svg
from rocsteady.text import FPR, ML, Model, Quote, phrase

TOLERANCE = 0.0005
SQUARE = Panel(share_axis(None), share_axis(None), aspect=1.0)


def distance(x, y, path_x, path_y) -> float:
    """The largest distance of points from a line, by brute force."""
    worst = 0.0
    steps = np.column_stack([np.diff(path_x), np.diff(path_y)])
    starts = np.column_stack([path_x[:-1], path_y[:-1]])
    squares = np.maximum((steps**2).sum(axis=1), 1e-300)
    for point in np.column_stack([x, y]):
        share = np.clip(((point - starts) * steps).sum(axis=1) / squares, 0, 1)
        worst = max(worst, float(np.hypot(*(starts + share[:, None] * steps - point).T).min()))
    return worst


@given(st.integers(0, 10**6), st.integers(2, 9000))
def test_a_thinned_line_is_nowhere_further_off_than_the_tolerance(seed, n) -> None:
    rng = np.random.default_rng(seed)
    x, y = (
        np.sort(np.append(rng.integers(0, 40, n) / 40 if seed % 2 else rng.random(n), [0, 1]))
        for _ in range(2)
    )
    thin_x, thin_y = SQUARE.path(x, y)
    assert (thin_x[0], thin_y[0], thin_x[-1], thin_y[-1]) == (0, 0, 1, 1)
    assert {*zip(thin_x.tolist(), thin_y.tolist(), strict=True)} <= {
        *zip(x.tolist(), y.tolist(), strict=True)
    }
    some = rng.integers(0, x.size, 40)
    assert distance(x[some], y[some], thin_x, thin_y) <= TOLERANCE * (1 + 1e-9)


def test_a_long_staircase_becomes_short() -> None:
    steps = np.linspace(0, 1, 100_001)
    x, y = np.repeat(steps, 2)[1:], np.repeat(steps**0.3, 2)[:-1]
    thin_x, thin_y = SQUARE.path(x, y)
    assert thin_x.size < 200
    assert distance(x[::997], y[::997], thin_x, thin_y) <= TOLERANCE


@pytest.mark.parametrize("scale", ["log", "probit"])
def test_a_line_on_another_scale_is_the_same_line(scale) -> None:
    panel = Panel(Axis(None, 0.001, 0.9, scale), share_axis(None), aspect=1.0)
    x, y = np.array([0, 0, 0.0004, 0.2, 0.2, 1]), np.array([0, 0.1, 0.3, 0.5, 0.8, 1])
    drawn_x, drawn_y = panel.path(x, y)
    inside = (drawn_x > 0.001) & (drawn_x < 0.9) & (drawn_x != 0.2)
    np.testing.assert_allclose(drawn_y[inside], np.interp(drawn_x[inside], x[2:], y[2:]), atol=1e-12)
    assert np.isfinite(drawn_x).all()
    assert np.diff(panel.axes[0].share(drawn_x[inside])).max() < 0.1  # bent finely enough
    assert drawn_y[drawn_x == 0.2].tolist() == [0.5, 0.8]


def test_a_band_is_interrupted_where_it_is_not_known() -> None:
    x, nan = [0, 0.25, 0.5, 0.75, 1], float("nan")
    band = Band((x, [0, 0.1, nan, 0.3, 0.4]), (x, [0.1, 0.2, nan, 0.4, 0.5]))
    first, second = SQUARE.outlines(band)
    assert first[0].tolist() == [0, 0.25, 0.25, 0]
    assert second[1].tolist() == [0.3, 0.4, 0.5, 0.4]


def test_limits_that_are_left_out_hold_all_marks() -> None:
    marks = (Line([1, 5], [2, 3]), Points([3], [9], y_limits=([8], [12]), is_right=True))
    x, y, right = Panel(Axis(), Axis(), marks, right=Axis()).axes
    assert x.low < 1 < 5 < x.high
    assert y.low < 2 < 3 < y.high < 8
    assert right is not None
    assert right.low < 8 < 12 < right.high


def test_a_log_scale_starts_at_a_round_number_below_one_false_alarm() -> None:
    assert [lowest_rate(n) for n in (80, 1000, 2001, [3, 5e6])] == [0.01, 0.001, 0.0002, 2e-7]


def test_the_view_follows_the_declared_point() -> None:
    class At:
        def __init__(self, fpr: float) -> None:
            self.fpr = fpr

    assert View.at([At(0.05)]) == View()
    assert View.at([At(0.001)], [5000]).lowest == 0.0002
    assert View.at([At(0.001)], [100]).lowest == 0.0002  # still holds the point
    assert View.at([]) == View()


@pytest.mark.parametrize(
    ("axis", "expected"),
    [
        (Axis(None, 0, 1), (0, 0.25, 0.5, 0.75, 1)),
        (Axis(None, 0, 0.2), (0, 0.05, 0.1, 0.15, 0.2)),
        (Axis(None, 0.001, 1, "log"), (0.001, 0.01, 0.1, 1)),
        (Axis(None, 0.02, 0.3, "log"), (0.02, 0.05, 0.1, 0.2)),
        (Axis(None, 0.01, 0.5, "probit", per=100), (0.01, 0.02, 0.05, 0.1, 0.2, 0.4)),
    ],
)
def test_ticks_are_round_and_have_room(axis, expected) -> None:
    found, _ = ticks_of(axis, 30)
    assert set(expected) <= set(found)
    shares = np.sort(axis.share(found)) * 30
    assert np.diff(shares).min() > 1.3


def test_ticks_are_spelled_by_text() -> None:
    named = Axis(None, 0, 1, ticks=(0, 1), names=(Model("$a$"), Model("b\x1b")))
    assert [named.tick(own, ML) for own in (0, 1)] == ["$a$", "b\\x1b"]
    assert Axis(None, 0.0001, 0.5, "probit", per=100).tick(0.0001, ML) == "0.01"
    assert Axis(None, -1, 1).tick(-0.5, ML) == "−0.5"


def test_a_key_covers_no_line_no_band_and_no_bar_but_guides_and_faint_curves() -> None:
    corner = (0.5, 0.0, 1.0, 0.4)
    for mark in (
        Line([0, 1], [0, 0.7]),
        Line([0.4, 1.0], [0.2, 0.2]),  # no vertex lies in the corner
        Band(([0.6, 1], [0.1, 0.1]), ([0.6, 1], [0.2, 0.2])),
        Points([0.9], [0.6], y_limits=([0.3], [0.9])),
    ):
        assert not Panel(share_axis(None), share_axis(None), (mark,)).is_free(corner)
    quiet = (Line([0, 1], [0, 1], look=GUIDE), Faint([([0, 1], [0, 1])]), Line([0, 0.4], [0, 1]))
    assert Panel(share_axis(None), share_axis(None), quiet).is_free(corner)


def test_of_many_few_are_chosen_evenly() -> None:
    assert evenly(range(10)) == list(range(10))
    some = evenly(range(1000), 300)
    assert len(some) == len(set(some)) == 300
    assert set(np.diff(some)) == {3, 4}


@given(
    st.text("ab1 '\"{}%.…(é", max_size=20),
    st.lists(st.text("ab12' ", max_size=6), min_size=2, max_size=6, unique=True),
    st.integers(8, 24),
)
@example("{} %s 'q' ", ["1", "2"], 10)
@example("x" * 20 + "a" * 20, ["1" + "y" * 30, "2" + "y" * 30], 10)
def test_shortened_names_of_any_signs_are_short_and_differ(start, ends, longest) -> None:
    names = [start + end for end in ends]
    short = short_names(names, longest)
    assert len(set(short)) == len(set(names))
    assert max(map(len, short)) <= longest
    assert short_names(["same"] * 2 + ["x" * 40] * 2, longest)[:2] == ["same", "same"]


def test_lines_are_broken_between_words_and_not_within_an_interval() -> None:
    assert wrapped("candidate  0.920 (0.864 to 0.953)", 12) == ["candidate", "0.920", "(0.864 to 0.953)"] or (
        wrapped("candidate  0.920 (0.864 to 0.953)", 14)[-1] == "(0.864 to 0.953)"
    )
    long = wrapped("so many words " * 40, 20)
    assert len(long) == 4
    assert long[-1].endswith("…")
    assert wrapped("", 10) == [""]


def test_where_a_band_holds_and_why_not_elsewhere() -> None:
    why = phrase("most folds coincide")
    many = [(0.1, 0.15), (0.2, 0.25), (0.3, 0.35)]
    assert at_once(FPR, (0.02, 0.5), many, why=why).plain() == (
        "4 parts of FPR 2 to 50 % at once; elsewhere most folds coincide"
    )
    assert at_once(FPR, (0.02, 0.5), [(0.2, 0.2001)], why=why).plain() == "FPR 2 to 50 % at once"
    assert at_once(FPR, None).plain() == "whole curve at once"


def test_svg_leaves_out_what_lies_outside_and_keeps_a_key_from_curves() -> None:
    entry = Entry(Quote("a line"), Line((), (), look=LOOKS[0]))
    low = Line([0, 1], [0.04, 0.04], look=LOOKS[0])
    free, full = (
        svg(Picture((Panel(share_axis(None), share_axis(None), marks, key=Key((entry,)), aspect=1.0),)), ML)
        for marks in ((), (low,))
    )

    def height(drawn: str) -> float:
        return float(drawn.partition('height="')[2].partition('"')[0])

    assert height(full) > height(free) + 10  # the key stands below
    far = Points([2.0], [0.5], look=LOOKS[0], name="far")
    assert "far" not in svg(Picture((Panel(share_axis(None), share_axis(None), (far,)),)), ML)
