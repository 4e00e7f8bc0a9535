"""Sections 1 and 2 without a browser: paths, marks, packed numbers, what the data block may hold."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rocsteady.report.html import island
from rocsteady.report.html.figures.reading.key import HEIGHT, MOST_INSIDE, Lines, below_plot, key_of
from rocsteady.report.html.figures.reading.marks import SLANTED, bars_at, guide_at
from rocsteady.report.html.figures.reading.paths import (
    UNITS,
    band_data,
    curve_data,
    density_data,
    path_data,
    placed,
)
from rocsteady.report.html.figures.reading.roc import lines_of_averages
from rocsteady.report.html.figures.reading.scores import row_height

RATES = st.floats(0.001, 0.999)
NAN = float("nan")


def reading(fpr, tpr, *limits):
    names = ("fpr_low", "fpr_high", "tpr_low", "tpr_high")
    values = {name: np.array([value]) for name, value in zip(names, limits or (NAN,) * 4, strict=True)}
    return SimpleNamespace(fpr=np.array([fpr]), tpr=np.array([tpr]), **values)


def unpacked(content, place):
    """What the script does."""
    start, rows, columns = place
    n = rows * columns
    high, low = (np.frombuffer(content, np.uint8, n, start + k * n).astype(np.int64) for k in (0, 1))
    steps = 256 * high + low
    signed = np.where(steps % 2, -(steps + 1) // 2, steps // 2)
    return np.cumsum(signed.reshape(rows, columns), axis=1)


@given(
    arrays(np.uint16, st.tuples(st.integers(1, 4), st.integers(1, 9)), elements=st.integers(0, 4095)),
    arrays(np.uint16, (2, 3), elements=st.integers(0, 4095)),
)
def test_packed_numbers_come_back(first, second):
    packed = island.Packed()
    places = [packed.add(first), packed.add(second)]
    for own, place in zip((first, second), places, strict=True):
        np.testing.assert_array_equal(unpacked(packed.content(), place), own)


@given(st.lists(st.tuples(st.integers(0, UNITS), st.integers(0, UNITS)), min_size=1, max_size=12))
def test_a_path_goes_through_its_points(points):
    x, y = np.array(points, dtype=float).T
    data = path_data(x, y)
    at, found = None, []
    for command, words in re.findall(r"([Mlhv])([^Mlhvz]*)", data):
        numbers = [int(v) for v in re.findall(r"-?\d+", words)]
        if command == "M":
            at = tuple(numbers)
        else:
            dx, dy = {"l": numbers, "h": [numbers[0], 0], "v": [0, numbers[0]]}[command]
            at = (at[0] + dx, at[1] + dy)
        found.append(at)
    kept = [point for k, point in enumerate(points) if k == 0 or point != points[k - 1]]
    assert found == kept


def test_a_curve_is_interrupted_where_a_rate_is_missing():
    fpr, tpr = np.array([0, 0.1, NAN, 0.5, 1]), np.array([0, 0.5, 0.6, 0.8, 1])
    assert curve_data((fpr, tpr)) == "M0 10000l1000-5000M5000 2000l5000-2000"


def test_a_band_fills_a_corner_that_it_reaches_and_no_other():
    low, high = np.array([[0.1, 1.0], [0.0, 0.8]]), np.array([[0.0, 0.9], [0.2, 1.0]])
    ends = [
        [int(v) for v in re.findall(r"\d+", own)] for own in re.findall(r"M[\d ]+", band_data((low, high)))
    ]
    assert ends == [[1000, 10000]]
    assert len(re.findall(r"[lhv]", band_data((low, high)))) == 5  # both corners and three more
    middle = band_data((np.array([[0.1, 0.5], [0.2, 0.6]]), np.array([[0.1, 0.5], [0.4, 0.8]])))
    assert len(re.findall(r"[lhv]", middle)) == 3
    assert band_data(None) == ""


def test_scores_beyond_the_axis_stand_at_its_ends():
    axis = SimpleNamespace(low=-1.7e308, high=1.7e308)
    np.testing.assert_allclose(placed(np.array([-np.inf, 0, np.inf]), axis, 100), [0, 50, 100])
    assert np.isnan(placed(np.array([NAN]), axis, 100)).all()


@given(RATES, RATES)
def test_all_groups_stand_on_the_guide(fpr, tpr):
    holds = {
        "vertical": lambda x, y: x,
        "horizontal": lambda x, y: y,
        "diagonal": lambda x, y: x + y,
        "radial": lambda x, y: x * (1 - tpr) - (1 - y) * fpr,
    }
    for key, held in holds.items():
        x1, y1, x2, y2 = guide_at(key, reading(fpr, tpr), 0)
        assert held(x1, y1) == pytest.approx(held(fpr, tpr), abs=1e-9)
        assert held(x2, y2) == pytest.approx(held(fpr, tpr), abs=1e-9)
        assert all(-1e-9 <= v <= 1 + 1e-9 for v in (x1, y1, x2, y2))
    assert guide_at("threshold", reading(fpr, tpr), 0) is None


def test_the_bar_lies_along_what_is_free():
    both = reading(0.1, 0.7, 0.05, 0.15, 0.6, 0.8)
    assert bars_at("threshold", both, 0) == [(0.05, 0.7, 0.15, 0.7), (0.1, 0.6, 0.1, 0.8)]
    assert bars_at("vertical", reading(0.1, 0.7, NAN, NAN, 0.6, 0.8), 0) == [(0.1, 0.6, 0.1, 0.8)]
    for key in SLANTED:  # fewer false alarms come with more that is caught
        assert bars_at(key, both, 0) == [(0.05, 0.8, 0.15, 0.6)]
    assert bars_at("threshold", reading(0.1, 0.7), 0) == []


@given(st.text())
def test_nothing_in_the_data_block_can_be_taken_for_markup(name):
    written = island.escaped_json({"name": name})
    assert not set(written) & set("<>&\u2028\u2029")
    assert json.loads(written) == {"name": name}


def test_the_script_writes_text_and_asks_nobody():
    script = island.script()
    for word in (
        "innerHTML",
        "outerHTML",
        "insertAdjacent",
        "document.write",
        "eval(",
        "fetch(",
        "XMLHttp",
        "import(",
    ):
        assert word not in script
    assert "http" not in script
    assert script.count("'use strict'") == 1


def test_many_strips_take_no_more_room_than_the_plot():
    assert 20 <= row_height(1) * 1 <= 30
    for n in (30, 60, 100):
        assert n * row_height(n) == pytest.approx(520, abs=1)


def test_averages_have_other_colours_than_the_models_beside_them():
    drawing = SimpleNamespace(models=(None, None), lines={})
    modes = [
        SimpleNamespace(key=key, name=key, models=[SimpleNamespace(auc=0.9)] * 2)
        for key in ("vertical", "pooled")
    ]
    for mode in modes:
        drawing.lines[mode.key, 0] = SimpleNamespace(line=(np.array([0, 1.0]), np.array([0, 1.0])))
    key = key_of(lines_of_averages(modes, drawing), "all averages")
    assert set(re.findall(r"\bm\d\b", key)) == {"m2", "m3"}


def test_densities_are_steps_over_their_bins():
    own = SimpleNamespace(
        edges=np.array([0, 1, 2.0]), negative=np.array([1, 0.5]), positive=np.array([0, 1.0])
    )
    negative, positive = density_data(own, SimpleNamespace(low=0.0, high=2.0), width=20, height=10)
    assert negative == "M0 100v-100h100v50h100v50z"
    assert positive == "M0 100h100v-100h100v100z"


@pytest.mark.parametrize("n", [1, MOST_INSIDE, MOST_INSIDE + 1, 9])
def test_a_key_covers_no_curves_of_many_models(n):
    names = [f"model {k}" for k in range(n)]
    key = key_of(Lines("models", names, names, [""] * n, True), "an average")
    heights = [float(y) for y in re.findall(r'<text [^>]*y="([\d.]+)"', key)]
    assert len(heights) == n + 1
    if n > MOST_INSIDE:
        assert min(heights) > HEIGHT
        assert max(heights) < HEIGHT + below_plot(n)
    else:
        assert max(heights) < HEIGHT
        assert below_plot(n) == 0
