"""Figures that Python draws: marks stand where the numbers are, crowds are sampled, names cannot break out."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from rocsteady.report.html.figures.axes import WIDTH, Scale, between, polyline, round_ticks, tick_words, words
from rocsteady.report.html.figures.cutoffs import cutoffs_figure
from rocsteady.report.html.figures.det import det_figure, deviates
from rocsteady.report.html.figures.pair import MOST_LINES, pair_figure, sampled
from rocsteady.report.html.figures.plane import ACROSS, UP, curve, plane
from rocsteady.report.html.figures.ridge import ridge_figure
from rocsteady.report.html.figures.standings import standings_figure
from rocsteady.report.html.figures.winner import winner_figure
from rocsteady.report.summary.comparing.comparison import Standing
from rocsteady.report.summary.comparing.measure import Measure
from rocsteady.report.summary.comparing.pairs import Pair
from rocsteady.report.summary.comparing.winner import Region, Winner
from rocsteady.report.summary.points.cutoffs import Neighbours
from rocsteady.report.summary.points.det import DetPart, ModelDet
from rocsteady.report.summary.vocabulary import Wording

HOSTILE = "</title></svg><script>alert(1)</script>\u202e" + "x" * 300
WORDING = Wording("ml", "host", "hosts", "attack", "normal")
TPR = Measure("tpr", "true positive rate", "TPR", "FPR 5 %", True, False, False)
FNMR = Measure("tpr", "false non-match rate", "FNMR", "FMR 1 %", True, True, False)


def drawn(figure: str) -> ElementTree.Element:
    """The picture, which has to be well-formed and to carry no style of its own."""
    assert "style=" not in figure
    assert "<script" not in figure
    root = ElementTree.fromstring(figure)
    assert root.get("role") == "img"
    assert root.get("aria-label")
    return root


def pair(n: int = 4, measure: Measure = TPR, names=("old", "new")) -> Pair:
    rng = np.random.default_rng(0)
    a, b = rng.uniform(0.5, 0.9, n), rng.uniform(0.3, 0.8, n)
    value_a, value_b = (float(v.mean()) if n else w for v, w in ((a, 0.7), (b, 0.6)))
    x = np.linspace(value_a - value_b - 0.1, value_a - value_b + 0.1, 21)
    return Pair(
        a=names[0],
        b=names[1],
        measure=measure,
        value_a=value_a,
        value_b=value_b,
        difference=value_a - value_b,
        a_limits=(0.5, 0.8),
        b_limits=(0.4, 0.7),
        low=value_a - value_b - 0.05,
        high=value_a - value_b + 0.05,
        pvalue=0.01,
        adjusted_pvalue=0.01,
        frozen_low=float("nan"),
        frozen_high=float("nan"),
        n_groups=n,
        random="groups",
        is_paired=True,
        is_decided=True,
        better=names[0],
        how="",
        is_met_again=True,
        groups=tuple(f"host-{i}" for i in range(n)),
        values_a=a,
        values_b=b,
        density_x=x,
        density_y=np.exp(-((np.linspace(-3, 3, 21)) ** 2)),
    )


def heights(root: ElementTree.Element, class_: str) -> list[float]:
    """Where the marks of a model stand, from above."""
    found = [own for own in root.iter("path") if own.get("class") == class_]
    return [float(re.match(r"translate\(\S+ (\S+)\)", own.get("transform", ""))[1]) for own in found]


def test_scales_and_ticks():
    across = Scale(-1e308, 1e308, 0, 100)
    assert across(0) == 50
    assert Scale(2, 2, 0, 10)(2) == 5
    assert np.isnan(Scale(0, 1, 0, 1).many([np.nan])).all()
    assert round_ticks(0, 100) == (0, 25, 50, 75, 100)
    assert round_ticks(1.612, 1.632, 4) == (1.615, 1.62, 1.625, 1.63)
    assert len(round_ticks(-3.3e-7, 9.1e9, 6)) <= 6
    assert tick_words((0.1, 0.2)) == ("0.1", "0.2")
    assert between([0, 1, 2], [0, np.nan, 0], [1, 1, 1]).count("M") == 2
    assert polyline([], []) == ""
    assert words(HOSTILE, 0, 0).count("<") == 2


def test_groups_stand_where_their_values_are():
    own = pair(4)
    root = drawn(pair_figure(own, 0, 1, "host"))
    first, second = heights(root, "mark m0"), heights(root, "mark m1")
    assert len(first) == len(second) == 4
    # Any two heights and their values give the scale; all others have to lie on it.
    values = [*own.values_a.tolist(), *own.values_b.tolist()]
    slope, offset = np.polyfit(values, [*first, *second], 1)
    assert [*first, *second] == pytest.approx([slope * value + offset for value in values], abs=0.11)
    assert slope < 0
    circle = next(root.iter("circle"))
    assert float(circle.get("cy", "")) == pytest.approx(slope * own.value_a + offset, abs=0.11)


def test_a_rate_that_is_shown_as_its_rest_is_turned_round():
    upright = drawn(pair_figure(pair(4), 0, 1, "host"))
    turned = drawn(pair_figure(pair(4, FNMR), 0, 1, "host"))
    assert (
        np.argsort(heights(upright, "mark m0")).tolist()
        == np.argsort(heights(turned, "mark m0"))[::-1].tolist()
    )


def test_many_groups_are_sampled_the_same_every_time():
    figure = pair_figure(pair(1000), 0, 1, "host")
    root = drawn(figure)
    dots = [own.get("d", "") for own in root.iter("path") if own.get("class") == "model-edge m0"]
    assert max(data.count("h0") for data in dots) == MOST_LINES
    assert figure == pair_figure(pair(1000), 0, 1, "host")
    assert len(figure) < 30_000
    assert np.array_equal(sampled(10_000, 300), sampled(10_000, 300))


def test_one_dataset_has_its_two_values():
    root = drawn(pair_figure(pair(0), 0, 1, "host"))
    assert len(heights(root, "mark m0")) == len(heights(root, "mark m1")) == 1


def test_names_are_cut_and_whole_in_their_titles():
    root = drawn(pair_figure(pair(3, names=(HOSTILE, HOSTILE + "2")), 0, 1, "host"))
    said = [own for own in root.iter("text") if (own.get("class") or "").startswith("model-word")]
    assert all(len(own.text or "") <= 16 for own in said)
    assert said[0].find("title") is not None
    assert len({own.text for own in said}) == 2


def winner(**changed) -> Winner:
    own = {
        "over": "fpr",
        "axis": "False positive rate",
        "gain": "TPR gained (points)",
        "x": np.linspace(0.02, 0.5, 25),
        "models": ("old", "new"),
        "a": "new",
        "b": "old",
        "advantage": np.linspace(0.2, -0.1, 25),
        "lower": np.r_[np.linspace(0.1, -0.3, 24), -np.inf],
        "upper": np.linspace(0.3, 0.1, 25),
        "regions": (Region(0.02, 0.1, "new"), Region(0.1, 0.5, "")),
        "is_share": True,
        "at": 0.05,
        "n_resamples": 100,
        "sentence": (),
    }
    return Winner(**(own | changed))


def test_the_strip_shows_who_wins_where():
    root = drawn(winner_figure(winner(), ("old", "new")))
    boxes = [own for own in root.iter("rect") if (own.get("class") or "").startswith("model-fill")]
    (won,) = boxes
    assert won.get("class") == "model-fill m1"
    whole = next(own for own in root.iter("rect") if own.get("class") == "hollow")
    share = float(won.get("width", "")) / float(whole.get("width", ""))
    assert share == pytest.approx(0.08 / 0.48, abs=0.002)
    assert "declared" in [own.text for own in root.iter("text")]
    assert "declared" not in winner_figure(winner(at=float("nan")), ("old", "new"))
    # Below zero the line would have the colour of the one that loses.
    assert not [own for own in root.iter("path") if re.search(r"\bm\d", own.get("class") or "paper-fill")][1:]


def test_ratios_of_costs_have_a_scale_of_their_own():
    figure = winner_figure(
        winner(
            over="costs",
            x=np.geomspace(0.1, 100, 25),
            regions=(Region(0.1, 100, ""),),
            is_share=False,
            at=10.0,
        ),
        ("old", "new"),
    )
    assert "1 : 10" in [own.text for own in drawn(figure).iter("text")]


def test_rows_of_the_ridge_and_its_threshold():
    quantiles = np.sort(np.random.default_rng(1).normal(size=(23, 5)))
    quantiles[3, 4] = np.inf  # stands at the end of the axis
    quantiles[5] = np.nan  # has no row
    names = [f"host-{i:02d}" for i in range(22)] + [HOSTILE]
    root = drawn(ridge_figure(quantiles, names, 1, 1.5, WORDING, label="Scores"))
    thin = [own.get("d", "") for own in root.iter("path") if own.get("class") == "bar"]
    assert [data.count("M") for data in thin] == [22, 22]
    assert "threshold 1.50 →" in [own.text for own in root.iter("text")]
    shaded = next(own for own in root.iter("rect"))
    assert float(shaded.get("x", "")) + float(shaded.get("width", "")) == pytest.approx(WIDTH - 8, abs=0.2)
    low = Wording("ml", "host", "hosts", "attack", "normal", higher_is_positive=False)
    root = drawn(ridge_figure(quantiles, names, 1, 1.5, low, label="Scores"))
    assert "← threshold 1.50" in [own.text for own in root.iter("text")]
    assert not ridge_figure(np.full((3, 5), np.nan), names[:3], 0, 1.5, WORDING, label="Scores")


def test_a_hundred_rows_have_no_names_and_no_threshold_no_shade():
    root = drawn(
        ridge_figure(
            np.sort(np.random.default_rng(1).normal(size=(100, 5))),
            [str(i) for i in range(100)],
            0,
            float("nan"),
            WORDING,
            label="Scores",
        )
    )
    assert not list(root.iter("rect"))
    said = [own.text for own in root.iter("text")]
    assert len(said) <= 7
    assert said[-1] == "Score"


@pytest.mark.parametrize("n", [46, 100, 2000])
def test_however_many_rows_a_ridge_is_no_taller_than_a_screen_bears(n):
    quantiles = np.sort(np.random.default_rng(1).normal(size=(n, 5)))
    for threshold in (0.5, float("nan")):
        root = drawn(ridge_figure(quantiles, ["x"] * n, 0, threshold, WORDING, label="Scores"))
        height = float(root.get("viewBox", "").split()[3])
        assert height < 390
        first = next(own.get("d", "") for own in root.iter("path") if own.get("class") == "bar")
        top = float(re.match(r"M\S+ ([\d.]+)", first)[1])
        assert (top < 10) == np.isnan(threshold)  # no room above for words that are not there


def neighbours(**changed) -> Neighbours:
    own = {
        "model": "",
        "threshold": 1.5,
        "cell": "1.50",
        "thresholds": np.array([1.7, 1.6, 1.5, 1.4, 1.3]),
        "cells": ("1.70", "1.60", "1.50", "1.40", "1.30"),
        "fpr": np.array([0.03, 0.04, 0.05, 0.06, 0.08]),
        "tpr": np.array([0.60, 0.64, 0.65, 0.67, 0.70]),
        "told_fpr": ("yes", "cannot", "", "cannot", "yes"),
        "told_tpr": ("yes", "cannot", "", "cannot", "cannot"),
        "is_chosen": (False, False, True, False, False),
        "low": 1.4,
        "high": 1.6,
        "n_others": 4,
        "n_groups": 12,
        "sentence": (),
    }
    return Neighbours(**(own | changed))


def test_cut_offs_that_can_be_told_apart_are_open():
    root = drawn(cutoffs_figure(neighbours(), 0, WORDING))
    classes = [own.get("class") for own in root.iter("circle")]
    assert classes.count("mark open") == 1  # of the true positive rate
    assert classes.count("ink-open") == 2  # in the ink of the line that they stand on
    assert len(classes) == 10
    chosen = [own for own in root.iter("text") if own.text == "1.50" and own.get("class") == "strong"]
    assert len(chosen) == 1
    assert not cutoffs_figure(neighbours(thresholds=np.full(5, np.inf)), 0, WORDING)


def test_det_axes_are_normal_deviates():
    fmr = np.geomspace(1e-3, 0.5, 50)
    part = DetPart((ModelDet("", fmr, 0.2 - 0.2 * fmr, 0.16, np.array([0.19])),), "", (0.01,), 1e-3, 1e-2, ())
    root = drawn(det_figure(part, ("",), Wording("biometric", "gate", "gates", "1", "0")))
    line = next(own for own in root.iter("path") if own.get("class") == "model-line m0")
    places = [float(pair.split()[0]) for pair in re.split("[ML]", line.get("d", ""))[1:]]
    assert np.allclose(
        np.diff(places) / np.diff(deviates(fmr)), (places[-1] - places[0]) / np.ptp(deviates(fmr)), atol=3
    )
    assert {"0.1", "1", "10"} <= {own.text for own in root.iter("text")}
    perfect = DetPart((ModelDet("", fmr, np.zeros(50), 0.0, np.array([0.0])),), "", (0.01,), 1e-3, 1e-2, ())
    assert not det_figure(perfect, ("",), WORDING)


def test_standings_and_planes():
    standings = [Standing("b", 0.9, 0.8, 0.95), Standing("a", 0.7, float("nan"), float("nan"))]
    root = drawn(standings_figure(standings, ("a", "b"), TPR))
    assert [own.get("class") for own in root.iter("path") if "model-edge" in (own.get("class") or "")] == [
        "model-edge m1"
    ]
    assert len([own for own in root.iter("path") if "mark" in (own.get("class") or "")]) == 2
    assert not standings_figure([Standing("a", float("nan"), 0.1, float("nan"))][:0], ("a",), TPR)
    path = (np.array([0, 0.5, 1]), np.array([0, 0.8, 1]))
    data = (
        drawn(plane("x", "y", curve(path, 2), label="Curves"))
        .find(".//path[@class='model-line m2']")
        .get("d")
    )
    assert data == f"M{ACROSS(0):g} {UP(0):g}L{ACROSS(0.5):g} {round(UP(0.8), 1):g}L{ACROSS(1):g} {UP(1):g}"
