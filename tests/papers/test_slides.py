"""The reproduction of Sakellaropoulos's slides: closed forms, tables, claims, figures.

The printed rows and the ten cases as input of the package itself are in tests/golden/test_slides.py.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import example as for_example
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtri

import quick_runs
import rocsteady as rs
from changed_numbers import leaves
from papers.paper import CAVEAT, FALSE, REPRODUCED, rounded, stored
from papers.slides import cutoffs, example, lessons, run, two_models
from papers.slides.normals import EXAMPLE, TwoNormals
from rocsteady.figures.spec import Rule
from rocsteady.text import ML

EXPECTED = stored(run.__file__)
FEW = settings(max_examples=50)
"""Every example has two curves, or a model with three numbers."""


# Two normal populations

spreads = st.floats(0.3, 3)


@FEW
@given(st.floats(0.2, 3), spreads, spreads, st.floats(0.01, 0.99))
@for_example(1.0, 1.0, 1.0, 0.5)
def test_closed_forms_of_two_normals(separation, negative_sd, positive_sd, at) -> None:
    model = TwoNormals(0.0, negative_sd, separation, positive_sd)
    grid = np.linspace(-15, 18, 3001)
    assert model.youden_cutoff().youden >= np.max(model.tpr(grid) - model.fpr(grid)) - 1e-12
    equal = model.equal_errors_cutoff()
    assert equal.fpr == pytest.approx(1 - equal.tpr, abs=1e-12)
    assert model.partial_auc(0, at) + model.partial_auc(at, 1) == pytest.approx(model.auc, abs=1e-8)


def test_the_closest_point_is_the_best_of_a_grid() -> None:
    grid = np.linspace(1.2, 1.8, 20_001)
    distances = np.hypot(EXAMPLE.fpr(grid), 1 - EXAMPLE.tpr(grid))
    assert EXAMPLE.closest_cutoff().distance <= distances.min() + 1e-15
    assert EXAMPLE.closest_cutoff().threshold == pytest.approx(grid[distances.argmin()], abs=5e-5)


# The parts


@pytest.fixture(scope="module")
def whole():
    return quick_runs.slides()


def test_expectations_can_be_made_again() -> None:
    """The same keys; the numbers are those of a much longer run."""
    again = rounded(run.expected(n_replicates=1500, n_model_replicates=2))
    assert sorted(leaves(again)) == sorted(leaves(EXPECTED))
    assert again["plausibility"] == EXPECTED["plausibility"]
    assert again["two models"]["slope"] == EXPECTED["two models"]["slope"]


def test_the_first_sample_that_prints_like_the_slides_does() -> None:
    found = example.first_alike()
    assert not any(example.sample(seed).prints_alike() for seed in range(0, found.seed, 37))
    line = next(own for own in str(found.tables).splitlines() if own.startswith(".955"))
    assert line.split() == [".955", ".007", ".000", ".941", ".969"]


def test_replicates_agree_with_one_curve_at_a_time() -> None:
    """The batch counts many samples at once; the public functions count one."""
    found = example.replicates(400, seed=8).values
    random = np.random.default_rng([8, 0])
    negatives = random.normal(1.32, 0.16, (400, 300))
    positives = random.normal(1.72, 0.18, (400, 300))
    for k in range(3):
        curve = rs.roc_curve(np.repeat([0, 1], 300), np.concatenate([negatives[k], positives[k]]))
        assert found["area"][k] == pytest.approx(curve.auc, abs=1e-15)
        for method in ("nonparametric", "hanley-mcneil"):
            assert found[method][k] == pytest.approx(curve.auc_standard_error(method), rel=1e-12)
        for rule in ("youden", "closest"):
            cutoff = rs.choose_cutoff(curve, rule)
            assert found[f"{rule} cut-off"][k] == pytest.approx(cutoff.midpoint, abs=1e-12)
        assert found["youden index"][k] == pytest.approx((curve.tpr - curve.fpr).max())


def test_the_slides_table_is_the_curve_with_the_positive_first() -> None:
    path = lessons.ten_curves()[lessons.FIRST]
    shown = [column.shown[:2] for column in lessons.ten_columns()][::-1]
    assert list(zip(path.true_positives, path.false_positives, strict=True)) == shown


def test_the_models_cross_where_samples_of_quantiles_do() -> None:
    """Scores at evenly spread quantiles are a sample without chance."""
    n = 3000
    at = ndtri((np.arange(n) + 0.5) / n)
    made = [
        rs.roc_curve(np.repeat([1, 0], n), np.concatenate([m.positive_mean + m.positive_sd * at, at]))
        for m in two_models.MODELS
    ]
    points = made[0].crossings(made[1]).points
    assert len(points) % 2 == 1
    np.testing.assert_allclose(points, [two_models.crossing()] * len(points), atol=3 / n)
    fpr, touching = np.linspace(0, 1, 20_001)[1:-1], two_models.common_slope()
    for slope, cheaper in ((touching * 1.1, 0), (touching / 1.1, 1)):  # which model is cheaper
        best = [float((model.tpr_at(fpr) - slope * fpr).max()) for model in two_models.MODELS]
        assert best[cheaper] > best[1 - cheaper]


# The whole


def test_the_quick_run_passes_and_becomes_plain_data(whole) -> None:
    assert whole.failed == ()
    assert len(whole.checks) == 152
    plain = json.loads(json.dumps(whole.to_dict(), allow_nan=False))
    assert plain["numbers"]["ten cases"]["areas"]["one step"] == 0.56
    coordinates = next(own for own in whole.tables if own.caption.startswith("Coordinates"))
    assert ("1.4933", ".910", ".140") in [row[3:] for row in coordinates.rows]


@pytest.mark.parametrize("wrong", [2, "no", None])
def test_quick_is_yes_or_no(wrong, monkeypatch) -> None:
    monkeypatch.setattr(run.example, "sample", lambda: pytest.fail("it went on"))
    with pytest.raises(rs.RocsteadyError, match="RS001: quick must be True or False"):
        run.reproduce_slides(quick=wrong)


def test_verdicts_are_those_of_the_errata(whole) -> None:
    verdicts = [(claim.erratum, claim.verdict) for claim in whole.claims if claim.erratum]
    assert verdicts == [
        *(("S2", REPRODUCED), ("S4", REPRODUCED), ("S3", FALSE), ("S1", FALSE)),
        *(("S5", FALSE), ("S5", CAVEAT)),
    ]


def test_verdicts_follow_from_the_numbers(whole) -> None:
    """With other numbers the claims fall."""
    sample, alike, found = example.sample(), example.first_alike(), whole.numbers["repeated"]

    def said(claims: Any, start: str) -> str:
        return next(claim.verdict for claim in claims if claim.claim.startswith(start))

    usual = example.plausibility(found)
    rare = (usual[0]._replace(chance=0.001), *usual[1:])
    never = replace(found, given_area={**found.given_area, example.FITS: 0.0})
    for parts, start in (
        ((alike, found, rare), "300 cases"),
        ((sample, found, usual), "The area under the curve"),
        ((alike, never, usual), "Its standard error"),
    ):
        assert said(example.claims(sample, *parts, EXPECTED["repeated"]), start) == FALSE
    columns, areas = lessons.ten_columns(), lessons.ten_areas()
    assert said(lessons.ten_claims(columns, areas, (3, 4, 1, 2)), "At the threshold 0.76") == FALSE
    agreeing = [own._replace(shown=own.counted) for own in columns]
    assert said(lessons.ten_claims(agreeing, areas, (3, 4, 2, 1)), "The table counts") == REPRODUCED
    one = dict.fromkeys(cutoffs.WORDS, EXAMPLE.youden_cutoff())
    assert cutoffs.claim(one, one).verdict == REPRODUCED

    guesses, straight = whole.numbers["guessing"], rs.roc_curve([1, 1, 0, 0], [0.5, 0.1, 0.5, 0.1])

    def of_guesses(start: str, curve: rs.RocCurve = sample.curve, **changed: Any) -> str:
        own = lessons.guess_claims(replace(guesses, **changed), curve, list(cutoffs.in_rows().values()))
        return said(own, start)

    off = lessons.Guess(0.5, 95, 100)
    assert of_guesses("All points", straight) == REPRODUCED
    assert of_guesses("All points", straight, guesses=(off,)) == FALSE
    assert of_guesses("Such classifiers", guesses=(off,)) == FALSE
    assert of_guesses("The area under the diagonal", constant_area=0.6) == FALSE
    turned = dict(zip(("M2", "M1"), two_models.readings().values(), strict=True))
    turned = {name: turned[name] for name in ("M1", "M2")}
    claims = two_models.claims(turned, 1.0)
    assert said(claims, "No model") == said(claims, "The larger") == FALSE


# Figures


def test_every_figure_has_a_file_a_caption_and_what_differs(whole) -> None:
    assert tuple(own.name for own in whole.figures) == run.FIGURES
    assert all(own.caption and own.differs for own in whole.figures)
    name, picture = next(whole.pictures())
    assert name == "two_populations.png"
    assert picture.startswith(b"\x89PNG")


def test_figures_draw_the_numbers(whole) -> None:
    pictures = {own.name: own.draw() for own in whole.figures}

    def draws(name: str, points: Any) -> bool:
        marks = [mark for panel in pictures[name].panels for mark in panel.marks if hasattr(mark, "x")]
        return any(np.array_equal(np.c_[mark.x, mark.y], points) for mark in marks if np.size(mark.x) > 1)

    def words(name: str) -> str:
        entries = [own for panel in pictures[name].panels for own in (panel.key.entries if panel.key else ())]
        return " ".join(own.text.spell(ML) for own in entries)

    assert draws("example_curve", np.c_[example.sample().curve.fpr, example.sample().curve.tpr])
    assert draws("guessing", [own.rates for own in whole.numbers["guessing"].guesses])
    assert "1.4933" in words("best_cutoffs")
    assert "1.5167" in words("best_cutoffs")
    assert words("best_cutoffs").count("equal errors") == 1  # beyond the rows shown
    assert "FPR 0.239, TPR 0.711" in words("two_models")
    assert "positive first (the slide)" in words("ten_cases")
    arrows = [mark for mark in pictures["ten_cases"].panels[0].marks if getattr(mark, "head", 0)]
    assert sum(np.size(own.x0) for own in arrows) == 8
    rules = [mark.x for mark in pictures["two_populations"].panels[0].marks if isinstance(mark, Rule)]
    assert 4.5 in rules
