"""The reproduction of Hogan and Adams: all checks pass, and its own formulas are those of the package."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import numpy as np
import pytest
from scipy.stats import ttest_rel

import quick_runs
from papers.averaging_roc import figure_1, figure_2, run, scenarios, section_4
from papers.averaging_roc.figure_2 import DESIGNS, KINDS, N_PER_CLASS
from papers.paper import FALSE
from rocsteady.errors import UsageError
from rocsteady.figures.spec import Faint, Line, Points, Rule
from rocsteady.figures.svg import svg
from rocsteady.text import ML


@pytest.fixture
def quick():
    """The whole with very few replicates."""
    return quick_runs.averaged()


@pytest.fixture(scope="module")
def drawn() -> figure_1.Figure1:
    return figure_1.figure_1()


@pytest.fixture(scope="module")
def panels() -> dict[str, list[figure_2.Classifier]]:
    return {design.name: figure_2.figure_2(design) for design in DESIGNS}


def test_expectations_are_those_of_the_specification() -> None:
    first = figure_1.expected()
    assert round(first["own threshold of dataset 2"], 6) == 0.684599
    assert round(first["vertical tpr"], 6) == pytest.approx(0.616918, abs=1e-6)
    assert (round(first["pooled fpr"], 5), round(first["pooled tpr"], 5)) == (0.19486, 0.80514)
    for design, wanted in zip(DESIGNS, ([0.024, 0.232, 0.235], [0.015, 0.227, 0.250]), strict=True):
        gaps = list(figure_2.largest_gaps(design).values())
        np.testing.assert_allclose(gaps, wanted, atol=6e-4)
    costs = section_4.expected_h2()
    assert (round(costs["optimum cost"], 3), round(costs["intersection cost"], 3)) == (0.186, 0.460)


def test_figure_1_has_exactly_the_false_positives_of_the_paper(drawn) -> None:
    first, second = drawn.curves
    # No positive lies between a marked threshold and the next negative, so the points are the highest ones.
    assert drawn.points["dataset 1"] == (18 / 150, first.tpr_at(0.12))
    assert drawn.points["dataset 2, own threshold"] == (9 / 75, second.tpr_at(0.12))


def test_the_errors_of_figure_1_are_those_of_many_drawings() -> None:
    found = [figure_1.found(figure_1.figure_1(seed)) for seed in range(150)]
    for name, error in figure_1.standard_errors().items():
        sd = np.std([own[name] for own in found], ddof=1)
        assert sd == pytest.approx(error, rel=0.25, abs=1e-12), (
            name
        )  # its own error is 6 %; the rest is second order


def test_own_and_shared_values_are_readings_of_curves_and_averages(panels) -> None:
    panel = panels["A"][2]
    scores = panel.positives, panel.negatives
    np.testing.assert_array_equal(
        scenarios.own_tpr(*scores, 5), [curve.tpr_at(5 / N_PER_CLASS) for curve in panel.curves]
    )
    np.testing.assert_allclose(scenarios.own_auc(*scores), panel.curves.auc, rtol=1e-12)
    influence = figure_2.shared_auc_influence(*scores)
    assert influence.mean() / 2 == pytest.approx(panel.threshold.auc, abs=1e-12)
    weights = scenarios.resampled_weights(len(panel.curves), 3, seed=1)
    attained = panel.threshold.fpr <= 0.05 + 1e-12
    # The threshold is a negative's score; the positives just below it, before the next negative, are left out.
    at_negative = np.flatnonzero(np.diff(panel.threshold.fpr[attained]) > 0)[-1] + 1
    read = scenarios.shared_tpr(*scores, 0.05, weights)
    assert read[0] == pytest.approx(panel.threshold.tpr[at_negative], abs=1e-12)


def test_a_resample_is_the_average_of_its_datasets(panels) -> None:
    panel = panels["B"][1]
    weights = scenarios.resampled_weights(len(panel.curves), 4, seed=1)
    chosen = np.repeat(np.arange(len(panel.curves)), (weights[2] * len(panel.curves)).round().astype(int))
    even = np.full((1, len(chosen)), 1 / len(chosen))
    [alone] = scenarios.shared_tpr(panel.positives[chosen], panel.negatives[chosen], 0.05, even)
    # Both use thresholds at negatives; the whole has more of them, so it may read a little further.
    together = scenarios.shared_tpr(panel.positives, panel.negatives, 0.05, weights)[2]
    assert -1e-12 <= together - alone < 0.02


def test_choices_go_by_the_interval_of_a_paired_t() -> None:
    for low, high, choice in ((0.1, 0.3, 1), (-0.3, -0.1, -1), (-0.05, 0.15, 0)):
        assert scenarios.Decision((low + high) / 2, 0.05, low, high).choice == choice
    a, b = np.random.default_rng(3).normal(size=(2, 12))
    found, wanted = scenarios.paired_t(a, b), ttest_rel(b, a).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high))


def test_stories_tell_what_the_right_average_says_and_the_others(quick) -> None:
    told = quick.numbers["stories"]
    assert [story.right.method for story in told] == ["threshold", "horizontal", "vertical"]  # as in 4.2
    for story in told:
        assert all(answer.choice != story.right.choice for answer in story.wrong)
        text = "\n".join(story.passage.paragraphs)
        assert f"The right average: {story.right.method}." in text
        assert story.reading in text
        assert all(answer.sentence in text for answer in story.wrong)
    assert "reader 1 gives mostly 1s and 9s, reader 2 mostly 4s and 6s" in told[1].question


@pytest.mark.parametrize("wrong", [2, "no", None])
def test_quick_is_yes_or_no(wrong, monkeypatch) -> None:
    monkeypatch.setattr(figure_1, "figure_1", lambda: pytest.fail("worked first"))
    with pytest.raises(UsageError, match="RS001"):
        run.reproduce_averaging(quick=wrong)


def test_the_quick_reproduction_is_plain_data(quick) -> None:
    plain = json.loads(json.dumps(quick.to_dict(), allow_nan=False))
    assert (plain["passed"], plain["is_quick"]) == (True, True)
    assert [own.name for own in quick.figures] == list(run.FIGURES)
    [words] = quick.notes
    assert all(word in words for word in ("C-1", "C-2a", "C-2b", "design A", "design B", "N(0, 1.3)"))


def test_other_numbers_give_other_verdicts(quick, drawn) -> None:
    def changed(before, after) -> set[str]:
        return {new.where for old, new in zip(before, after, strict=True) if old.verdict != new.verdict}

    tallies = quick.numbers["tallies"]
    swapped = [dataclasses.replace(t, chose_first=0.1, undecided=0.1, mean_difference=0.5) for t in tallies]
    judged = scenarios.claims
    assert changed(judged(tallies), judged(swapped)) == {"section 5, Figure 2", "section 5, scenario 1"}
    for story in quick.numbers["stories"]:
        agreeing = dataclasses.replace(story, wrong=(dataclasses.replace(story.right, method="other"),))
        assert (story.judged.verdict, agreeing.judged.verdict) == ("consistent with", FALSE)
    far = dataclasses.replace(drawn, points=drawn.points | {"pooled": (0.9, 0.9)})
    assert changed(figure_1.claims(drawn), figure_1.claims(far)) == {"section 3.3, Figure 1"}


def test_half_widths_are_those_of_the_intervals_and_t_is_a_little_wider(panels) -> None:
    widths = figure_2.half_widths(panels)
    assert len(widths) == 5 * len(KINDS) * len(DESIGNS)
    assert [own.t / own.normal for own in widths] == pytest.approx([1.984217 / 1.959964] * 30, rel=1e-6)
    interval = panels["A"][0].vertical.at(fpr=0.05, scale="linear").tpr_interval
    width = next(w for w in widths if w.place == "vertical TPR at FPR 0.05")
    assert width.t == pytest.approx((interval.high - interval.low) / 2, rel=1e-9)


# Its figures


def marks(panel, kind, name: str = "") -> list[Any]:
    return [mark for mark in panel.marks if isinstance(mark, kind) and mark.name == name]


def test_figure_1_draws_the_averages_and_marks_the_thresholds_in_their_colours(drawn) -> None:
    picture = figure_1.picture(drawn)
    well, poorly, pooled, *curves = picture.panels
    for panel in (well, poorly, pooled):
        rules = [(rule.x, rule.look) for rule in marks(panel, Rule)]
        own = [(drawn.own_threshold, figure_1.OWN)] if panel is poorly else []
        assert rules == [(drawn.shared_threshold, figure_1.FIXED), *own]
    for panel, name in zip(curves, ("pooled", "vertical", "threshold"), strict=True):
        [line] = marks(panel, Line, "average")
        np.testing.assert_array_equal(line.y, drawn.averages[name].tpr)
        dots = [((dot.x[0], dot.y[0]), dot.look) for dot in marks(panel, Points, "mark")]
        assert {(drawn.points["dataset 1"], figure_1.FIXED), (drawn.points[name], figure_1.FIXED)} <= set(
            dots
        )
        own = {(drawn.points[where], figure_1.OWN) for where in ("dataset 2, own threshold", "vertical")}
        assert own <= set(dots) if name == "vertical" else not own & set(dots)
    assert svg(picture, ML) == svg(figure_1.picture(drawn), ML)


def test_figure_2_draws_curves_averages_and_normal_intervals(panels) -> None:
    picture = figure_2.picture(panels["A"])
    assert (len(picture.panels), picture.columns) == (6, 3)
    for k, panel in enumerate(picture.panels):
        own = panels["A"][k % 3]
        [members] = marks(panel, Faint, "curve")
        assert len(members.paths) == len(own.curves)
        for name in ("vertical", "threshold"):
            [line] = marks(panel, Line, name)
            np.testing.assert_array_equal(line.y, getattr(own, name).tpr)
        assert (panel.x.high, panel.key is None) == ((1, False) if k < 3 else (figure_2.ZOOM, True))
        [bars] = marks(panel, Points, "intervals")
        rates = own.threshold.rates_at(own.population.threshold_at(0.1))
        at_tenth = int(np.argmin(np.abs(bars.x - rates.fpr)))
        for limits, error in (
            (bars.x_limits, rates.fpr_standard_error),
            (bars.y_limits, rates.tpr_standard_error),
        ):
            assert limits[1][at_tenth] - limits[0][at_tenth] == pytest.approx(2 * 1.959964 * error)
