"""The reproduction of Hogan and Adams: expectations from closed forms, every one of them checked."""

from __future__ import annotations

import dataclasses
import functools
import json
from typing import Any

import numpy as np
import pytest

import quick_runs
import rocsteady as rs
from changed_numbers import at, leaves, with_one_changed
from papers.averaging_roc import (
    closed_forms,
    decisions,
    errata,
    figure_1,
    figure_2,
    paired,
    run,
)
from papers.averaging_roc.parameters import DESIGNS, KINDS, N_PER_CLASS
from papers.averaging_roc.stories import STORIES
from papers.drawing import new_figure
from papers.rounding import rounded
from rocsteady.errors import UsageError

EXPECTED = closed_forms.stored()


def test_the_stored_expectations_are_what_the_closed_forms_give() -> None:
    again = rounded(closed_forms.expected())
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
def panels() -> dict[str, list[figure_2.Panel]]:
    """As they are drawn."""
    drawings = quick_runs.averaged()._drawings
    return {design.name: drawings[f"figure_2_design_{design.name}"].args[0] for design in DESIGNS}


@pytest.fixture(scope="module")
def tallies() -> list[decisions.Tally]:
    return [tally for design in DESIGNS for tally in decisions.tallies(design, 6)]


def checks_of(part, expected, drawn, panels, tallies):
    """The checks that look at a part of the expectations."""
    if part == "figure 1":
        return figure_1.checks(drawn, expected[part])
    if part == "decisions":
        return decisions.checks(tallies, expected[part])
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
        "H2": errata._cheapest,
        "H8": functools.partial(errata._highest_tpr, n_datasets=60),
        "H13": functools.partial(errata._unlike_c1, n_datasets=60),
    }
    assert set(parts) == set(EXPECTED["errata"])
    assert all(check.passed for check in errata.checks(EXPECTED["errata"], 60))
    for path in leaves(EXPECTED["errata"]):
        changed = with_one_changed(EXPECTED["errata"], path, 0.6)
        assert not all(check.passed for check in parts[path[0]](changed[path[0]])), path


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
    own = paired.own_tpr(panel.positives, panel.negatives, 5)
    np.testing.assert_array_equal(own, [curve.tpr_at(5 / N_PER_CLASS) for curve in panel.curves])
    np.testing.assert_allclose(paired.own_auc(panel.positives, panel.negatives), panel.curves.auc, rtol=1e-12)


def test_shared_values_are_readings_of_the_threshold_average(panels) -> None:
    panel = panels["A"][2]
    influence = paired.shared_auc_influence(panel.positives, panel.negatives)
    assert influence.mean() / 2 == pytest.approx(panel.threshold.auc, abs=1e-12)
    weights = paired.resampled_weights(len(panel.curves), 3, seed=1)
    read = paired.shared_tpr(panel.positives, panel.negatives, 0.05, weights)
    attained = panel.threshold.fpr <= 0.05 + 1e-12
    # The threshold is a negative's score; the positives just below it, before the next negative, are left out.
    at_negative = np.flatnonzero(np.diff(panel.threshold.fpr[attained]) > 0)[-1] + 1
    assert read[0] == pytest.approx(panel.threshold.tpr[at_negative], abs=1e-12)


def test_a_resample_is_the_average_of_its_datasets(panels) -> None:
    panel = panels["B"][1]
    weights = paired.resampled_weights(len(panel.curves), 4, seed=1)
    counts = (weights[2] * len(panel.curves)).round().astype(int)
    chosen = np.repeat(np.arange(len(counts)), counts)
    alone = paired.shared_tpr(
        panel.positives[chosen], panel.negatives[chosen], 0.05, np.full((1, len(chosen)), 1 / len(chosen))
    )
    # Both use thresholds at negatives; the whole has more of them, so it may read a little further.
    together = paired.shared_tpr(panel.positives, panel.negatives, 0.05, weights)[2]
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
    assert paired.Decision(0.2, 0.05, 0.1, 0.3).choice == 1
    assert paired.Decision(-0.2, 0.05, -0.3, -0.1).choice == -1
    assert paired.Decision(0.05, 0.05, -0.05, 0.15).choice == 0


def test_a_paired_t_is_a_paired_t() -> None:
    from scipy.stats import ttest_rel

    rng = np.random.default_rng(3)
    a, b = rng.normal(size=12), rng.normal(size=12)
    found, wanted = paired.paired_t(a, b), ttest_rel(b, a).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high))


@pytest.fixture(scope="module", params=STORIES, ids=lambda story: story.__name__)
def story(request):
    return request.param()


def test_stories_pass_their_checks_and_the_wrong_average_chooses_otherwise(story) -> None:
    assert [check for check in story.checks if not check.passed] == []
    assert all(answer.choice != story.right.choice for answer in story.wrong)


def test_stories_say_question_average_and_numbers(story) -> None:
    text = "\n".join(story.lines())
    assert "?" in story.question
    assert f"The right average: {story.right.method}." in text
    assert story.reading in text
    assert all(answer.sentence in text for answer in story.wrong)
    assert json.dumps(story.to_dict(), allow_nan=False)


def test_the_right_averages_are_those_of_section_4_2() -> None:
    assert [tell().right.method for tell in STORIES] == ["threshold", "horizontal", "vertical"]


def test_the_readers_use_the_scale_as_the_paper_describes() -> None:
    question = STORIES[1]().question
    assert "reader 1 gives mostly 1s and 9s, reader 2 mostly 4s and 6s" in question


@pytest.fixture
def quick():
    """The whole with very few replicates; tests/cli runs it as users do."""
    return quick_runs.averaged()


@pytest.mark.parametrize("quick", [2, "no", None])
def test_quick_is_yes_or_no(quick, monkeypatch) -> None:
    monkeypatch.setattr(figure_1, "figure_1", lambda: pytest.fail("worked first"))
    with pytest.raises(UsageError, match="RS001"):
        run.reproduce_averaging(quick=quick)


def test_the_quick_reproduction_passes_and_is_plain_data(quick) -> None:
    assert quick.checks.failed == ()
    assert quick.is_quick
    plain = json.loads(json.dumps(quick.to_dict(), allow_nan=False))
    assert plain["passed"] is True
    assert {check["section"].split(",")[0] for check in plain["checks"]} >= {
        "Figure 1", "Figure 2", "Scenario 1", "Scenario 2", "Devices", "Radiologists", "Churn",
    }  # fmt: skip
    assert all(check["tolerance_from"] for check in plain["checks"])


def test_words_of_the_claims_are_explained(quick) -> None:
    [words] = quick.notes
    for word in ("C-1", "C-2a", "C-2b", "design A", "design B"):
        assert word in words
    assert "N(0, 1.3)" in words


def test_t_intervals_are_a_little_wider_than_normal_ones(quick) -> None:
    assert len(quick.half_widths) == 5 * len(KINDS) * len(DESIGNS)
    for width in quick.half_widths:
        assert width.t / width.normal == pytest.approx(1.984217 / 1.959964, rel=1e-6)


def test_half_widths_are_those_of_the_intervals(panels, quick) -> None:
    panel = panels["A"][0]
    interval = panel.vertical.at(fpr=0.05, scale="linear").tpr_interval
    width = next(w for w in quick.half_widths if w.place == "vertical TPR at FPR 0.05")
    assert width.t == pytest.approx((interval.high - interval.low) / 2, rel=1e-9)


def test_pictures_are_made_under_the_names_that_are_announced(quick) -> None:
    drawings = {name: lambda: new_figure(1, 1) for name in quick._drawings}  # test_figures.py draws them too
    drawings["figure_2_design_B"] = quick._drawings["figure_2_design_B"]
    pictures = dict(dataclasses.replace(quick, _drawings=drawings).pictures())
    assert list(pictures) == run.picture_names()
    for name, content in pictures.items():
        assert content.startswith(b"\x89PNG" if name.endswith("png") else b"%PDF")


def test_nothing_of_the_reproduction_is_needed_by_the_package() -> None:
    assert not any(name.startswith("reproduc") for name in rs.__all__)
