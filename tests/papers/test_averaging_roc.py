"""The reproduction of Hogan and Adams: expectations from closed forms, every one of them checked."""

from __future__ import annotations

import functools
import json
from typing import Any

import numpy as np
import pytest

import quick_runs
import rocsteady as rs
from changed_numbers import at, leaves, with_one_changed
from papers.averaging_roc import figure_1, figure_2, run, scenarios, section_4, stories
from papers.averaging_roc.figure_2 import DESIGNS, KINDS, N_PER_CLASS
from papers.paper import rounded, stored
from rocsteady.errors import UsageError
from rocsteady.figures.spec import Faint, Line, Points, Rule
from rocsteady.figures.svg import svg
from rocsteady.text import ML

EXPECTED = stored(run.__file__)


def test_the_stored_expectations_are_what_the_closed_forms_give() -> None:
    again = rounded(run.expected())
    assert sorted(leaves(again)) == sorted(leaves(EXPECTED))
    for path in leaves(EXPECTED):
        assert at(again, path) == pytest.approx(at(EXPECTED, path), rel=1e-8, abs=1e-12), path


def test_the_expectations_are_those_of_the_specification() -> None:
    first = EXPECTED["figure 1"]
    assert round(first["own threshold of dataset 2"], 6) == 0.684599
    assert round(first["vertical tpr"], 6) == pytest.approx(0.616918, abs=1e-6)
    assert (round(first["pooled fpr"], 5), round(first["pooled tpr"], 5)) == (0.19486, 0.80514)
    gaps = {name: EXPECTED["figure 2"][name]["largest differences"].values() for name in "AB"}
    np.testing.assert_allclose(list(gaps["A"]), [0.024, 0.232, 0.235], atol=6e-4)
    np.testing.assert_allclose(list(gaps["B"]), [0.015, 0.227, 0.250], atol=6e-4)
    assert round(EXPECTED["errata"]["H2"]["optimum cost"], 3) == 0.186
    assert round(EXPECTED["errata"]["H2"]["intersection cost"], 3) == 0.460


@pytest.fixture(scope="module")
def drawn() -> figure_1.Figure1:
    return figure_1.figure_1()


@pytest.fixture(scope="module")
def panels() -> dict[str, list[figure_2.Classifier]]:
    return {design.name: figure_2.figure_2(design) for design in DESIGNS}


@pytest.fixture(scope="module")
def tallies() -> list[scenarios.Tally]:
    return [tally for design in DESIGNS for tally in scenarios.tallies(design, 6)]


def checks_of(part, expected, drawn, panels, tallies):
    """The checks that look at a part of the expectations."""
    if part == "figure 1":
        return figure_1.checks(drawn, expected[part])
    if part == "decisions":
        return scenarios.checks(tallies, expected[part])
    checks = figure_2.population_checks(expected["figure 2"])
    for name in [part] if part in panels else panels:
        checks += figure_2.checks(panels[name], expected["figure 2"][name])
    return checks


def test_every_stored_number_is_checked(drawn, panels, tallies, monkeypatch) -> None:
    """Change any one of them, and some check fails."""
    parts = ("figure 1", "figure 2", "decisions")
    monkeypatch.setattr(figure_2, "integrated", remembered(figure_2.integrated))
    monkeypatch.setattr(figure_2, "integrated_areas", remembered(figure_2.integrated_areas))
    monkeypatch.setattr(figure_1, "standard_errors", functools.cache(figure_1.standard_errors))
    for part in parts:
        assert [c for c in checks_of(part, EXPECTED, drawn, panels, tallies) if not c.passed] == []
    unnoticed = []
    for path in leaves({name: EXPECTED[name] for name in parts}):
        part = path[1] if path[0] == "figure 2" else path[0]
        checks = checks_of(part, with_one_changed(EXPECTED, path, 0.6), drawn, panels, tallies)
        if all(check.passed for check in checks):
            unnoticed.append(path)
    assert unnoticed == []


def remembered(function):
    """The same function, slow only the first time."""
    answers: dict[Any, Any] = {}

    def call(population, *arrays):
        key = (population, *(array.tobytes() for array in arrays))
        if key not in answers:
            answers[key] = function(population, *arrays)
        return answers[key]

    return call


def test_every_number_of_the_errata_is_checked() -> None:
    parts = {
        "H2": section_4.h2_checks,
        "H8": functools.partial(section_4.h8_checks, n_datasets=60),
        "H13": functools.partial(figure_2.h13_checks, n_datasets=60),
    }
    wanted = EXPECTED["errata"]
    assert set(parts) == set(wanted)
    assert all(check.passed for name, part in parts.items() for check in part(wanted[name]))
    for path in leaves(wanted):
        changed = with_one_changed(wanted, path, 0.6)[path[0]]
        assert not all(check.passed for check in parts[path[0]](changed)), path


def test_figure_1_has_exactly_the_false_positives_of_the_paper(drawn) -> None:
    first, second = drawn.curves
    assert round(first.rates_at(drawn.shared_threshold).fpr * 150) == 18
    assert round(second.rates_at(drawn.own_threshold).fpr * 75) == 9
    # No positive lies between a marked threshold and the next negative, so the points are the highest ones.
    assert drawn.points["dataset 1"][1] == first.tpr_at(0.12)
    assert drawn.points["dataset 2, own threshold"][1] == second.tpr_at(0.12)


def test_the_errors_of_figure_1_are_those_of_many_drawings() -> None:
    points = [figure_1.figure_1(seed).points for seed in range(150)]
    errors = figure_1.standard_errors()
    for name, key, axis in (
        ("tpr 1", "dataset 1", 1),
        ("fpr 2", "dataset 2", 0),
        ("pooled tpr", "pooled", 1),
        ("threshold fpr", "threshold", 0),
        ("tpr 2 at own threshold", "dataset 2, own threshold", 1),
        ("vertical tpr", "vertical", 1),
    ):
        sd = np.std([point[key][axis] for point in points], ddof=1)
        assert sd == pytest.approx(errors[name], rel=0.25), (
            name
        )  # its own error is 6 %; the rest is second order


def test_with_the_same_noise_c_2a_has_the_curves_of_c_1(panels) -> None:
    first, shifted, _ = panels["A"]
    for one, other in zip(first.curves, shifted.curves, strict=True):
        np.testing.assert_array_equal(one.tpr, other.tpr)
        np.testing.assert_array_equal(one.fpr, other.fpr)


def test_own_values_are_readings_of_the_curves(panels) -> None:
    panel = panels["A"][2]
    own = scenarios.own_tpr(panel.positives, panel.negatives, 5)
    np.testing.assert_array_equal(own, [curve.tpr_at(5 / N_PER_CLASS) for curve in panel.curves])
    np.testing.assert_allclose(
        scenarios.own_auc(panel.positives, panel.negatives), panel.curves.auc, rtol=1e-12
    )


def test_shared_values_are_readings_of_the_threshold_average(panels) -> None:
    panel = panels["A"][2]
    influence = figure_2.shared_auc_influence(panel.positives, panel.negatives)
    assert influence.mean() / 2 == pytest.approx(panel.threshold.auc, abs=1e-12)
    weights = scenarios.resampled_weights(len(panel.curves), 3, seed=1)
    read = scenarios.shared_tpr(panel.positives, panel.negatives, 0.05, weights)
    attained = panel.threshold.fpr <= 0.05 + 1e-12
    # The threshold is a negative's score; the positives just below it, before the next negative, are left out.
    at_negative = np.flatnonzero(np.diff(panel.threshold.fpr[attained]) > 0)[-1] + 1
    assert read[0] == pytest.approx(panel.threshold.tpr[at_negative], abs=1e-12)


def test_a_resample_is_the_average_of_its_datasets(panels) -> None:
    panel = panels["B"][1]
    weights = scenarios.resampled_weights(len(panel.curves), 4, seed=1)
    counts = (weights[2] * len(panel.curves)).round().astype(int)
    chosen = np.repeat(np.arange(len(counts)), counts)
    alone = scenarios.shared_tpr(
        panel.positives[chosen], panel.negatives[chosen], 0.05, np.full((1, len(chosen)), 1 / len(chosen))
    )
    # Both use thresholds at negatives; the whole has more of them, so it may read a little further.
    together = scenarios.shared_tpr(panel.positives, panel.negatives, 0.05, weights)[2]
    assert alone[0] <= together + 1e-12
    assert together - alone[0] < 0.02


def test_the_scenarios_are_decided_as_the_paper_says(tallies) -> None:
    for tally in tallies:
        if tally.other == "C-2a":
            if tally.reading.startswith("threshold"):
                assert tally.chose_first == 1
            else:
                assert tally.undecided >= 0.6
        if tally.other == "C-2b" and tally.reading == "vertical auc":
            assert tally.chose_other == 1
        if tally.other == "C-2b" and tally.reading.startswith("threshold"):
            assert tally.chose_first == 0
        assert tally.chose_first + tally.chose_other + tally.undecided == pytest.approx(1)


def test_choices_go_by_the_interval() -> None:
    assert scenarios.Decision(0.2, 0.05, 0.1, 0.3).choice == 1
    assert scenarios.Decision(-0.2, 0.05, -0.3, -0.1).choice == -1
    assert scenarios.Decision(0.05, 0.05, -0.05, 0.15).choice == 0


def test_a_paired_t_is_a_paired_t() -> None:
    from scipy.stats import ttest_rel

    rng = np.random.default_rng(3)
    a, b = rng.normal(size=12), rng.normal(size=12)
    found, wanted = scenarios.paired_t(a, b), ttest_rel(b, a).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high))


@pytest.fixture(scope="module")
def told() -> list[stories.Story]:
    return stories.stories()


def test_stories_pass_their_checks_and_the_wrong_average_chooses_otherwise(told) -> None:
    assert [story.right.method for story in told] == ["threshold", "horizontal", "vertical"]  # as in 4.2
    for story in told:
        assert [check for check in story.checks if not check.passed] == []
        assert all(answer.choice != story.right.choice for answer in story.wrong)
        text = "\n".join(story.passage.paragraphs)
        assert "?" in story.question
        assert f"The right average: {story.right.method}." in text
        assert story.reading in text
        assert all(answer.sentence in text for answer in story.wrong)
    assert "reader 1 gives mostly 1s and 9s, reader 2 mostly 4s and 6s" in told[1].question
    names = {(row[0], row[2]): float(row[3]) for row in stories.table(told).rows if "right" in row[1]}
    assert names[("Churn", "penalty 0.1")] == pytest.approx(told[2].right.values["penalty 0.1"], abs=6e-4)


# The whole


@pytest.fixture
def quick():
    """The whole with very few replicates; test_command.py runs it as users do."""
    return quick_runs.averaged()


@pytest.mark.parametrize("quick", [2, "no", None])
def test_quick_is_yes_or_no(quick, monkeypatch) -> None:
    monkeypatch.setattr(figure_1, "figure_1", lambda: pytest.fail("worked first"))
    with pytest.raises(UsageError, match="RS001"):
        run.reproduce_averaging(quick=quick)


def test_the_quick_reproduction_passes_and_is_plain_data(quick) -> None:
    assert quick.failed == ()
    plain = json.loads(json.dumps(quick.to_dict(), allow_nan=False))
    assert (plain["passed"], plain["is_quick"]) == (True, True)
    assert {check["section"].split(",")[0] for check in plain["checks"]} >= {
        "Figure 1", "Figure 2", "Scenario 1", "Scenario 2", "Devices", "Radiologists", "Churn",
    }  # fmt: skip
    assert all(check["tolerance_from"] for check in plain["checks"])
    assert {*plain["numbers"]} == {"tallies", "half_widths", "stories"}
    assert [own.name for own in quick.figures] == list(run.FIGURES)
    assert not any(name.startswith("reproduc") for name in rs.__all__)  # nothing of it is the package's


def test_words_of_the_claims_are_explained(quick) -> None:
    [words] = quick.notes
    for word in ("C-1", "C-2a", "C-2b", "design A", "design B", "N(0, 1.3)"):
        assert word in words


def test_half_widths_are_those_of_the_intervals_and_t_is_a_little_wider(panels, quick) -> None:
    widths = quick.numbers["half_widths"]
    assert len(widths) == 5 * len(KINDS) * len(DESIGNS)
    for width in widths:
        assert width.t / width.normal == pytest.approx(1.984217 / 1.959964, rel=1e-6)
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
        shared, *own = marks(panel, Rule)
        assert (shared.x, shared.look) == (drawn.shared_threshold, figure_1.FIXED)
        assert [(rule.x, rule.look) for rule in own] == (
            [(drawn.own_threshold, figure_1.OWN)] if panel is poorly else []
        )
    for panel, name in zip(curves, ("pooled", "vertical", "threshold"), strict=True):
        average, [line] = getattr(drawn, name), marks(panel, Line, "average")
        np.testing.assert_array_equal(line.y, average.tpr)
        dots = [((dot.x[0], dot.y[0]), dot.look) for dot in marks(panel, Points, "mark")]
        assert (drawn.points["dataset 1"], figure_1.FIXED) in dots
        own = [(drawn.points[where], figure_1.OWN) for where in ("dataset 2, own threshold", "vertical")]
        assert set(own) <= set(dots) if name == "vertical" else not set(own) & set(dots)
        assert (drawn.points[name], figure_1.FIXED) in dots
        assert panel.aspect == 1
    assert svg(picture, ML) == svg(figure_1.picture(drawn), ML)


def test_densities_have_area_one() -> None:
    grid = np.linspace(1e-5, 1 - 1e-5, 20_001)
    density = figure_1.density_of_shares(np.random.default_rng(1).uniform(0.05, 0.95, 80), grid)
    assert np.sum(density) * (grid[1] - grid[0]) == pytest.approx(1, abs=0.01)


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
