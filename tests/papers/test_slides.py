"""The reproduction of Sakellaropoulos's slides: closed forms, tables, claims, figures.

The printed rows and the ten cases as input of the package itself are in tests/golden/test_slides.py.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import example as for_example
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from changed_numbers import at, leaves, with_one_changed
from papers.paper import CAVEAT, CONSISTENT, FALSE, REPRODUCED, rounded, stored
from papers.slides import cutoffs, example, lessons, printed, run, two_models
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


# The parts, and what is stored about them


@pytest.fixture(scope="module")
def whole():
    return run.reproduce_slides(quick=True)


@pytest.fixture(scope="module")
def sample() -> example.Sample:
    return example.sample()


@pytest.fixture(scope="module")
def checkers(sample, whole) -> dict[str, Any]:
    """The checks of each section of expected.json."""
    found = whole.numbers
    return {
        "two populations": lambda own: lessons.divided_checks(found["two populations"], own["shares"]),
        "example": example.population_checks,
        "plausibility": lambda own: example.plausibility_checks(own["chances"]),
        "repeated": lambda own: example.replicate_checks(found["repeated"], own),
        "cut-offs": lambda own: cutoffs.checks(found["best cut-offs"], own),
        "ten cases": lambda own: lessons.ten_checks(found["ten cases"], own),
        "two models": lambda own: two_models.checks(found["two models"], own),
        "guessing": lambda own: lessons.guess_checks(found["guessing"], own),
    }


ONLY_FOR_TOLERANCES = {"n_replicates", "sd", "samples"}
"""Of the long run: these say how far a number may be off."""


@pytest.mark.parametrize("section", list(EXPECTED))
def test_every_stored_number_is_checked(section: str, checkers) -> None:
    wanted, check = EXPECTED[section], checkers[section]
    assert [own for own in check(wanted) if not own.passed] == []
    for path in leaves(wanted):
        if section == "repeated" and ONLY_FOR_TOLERANCES & set(path):
            continue
        by = -0.5 if at(wanted, path) > 0.5 else 0.5
        assert not all(own.passed for own in check(with_one_changed(wanted, path, by))), path


def test_expectations_can_be_made_again() -> None:
    """The same keys; the numbers are those of a much longer run."""
    again = rounded(run.expected(n_replicates=1500, n_model_replicates=2))
    assert sorted(leaves(again)) == sorted(leaves(EXPECTED))
    for name in ("two populations", "example", "plausibility", "cut-offs", "ten cases", "guessing"):
        assert again[name] == EXPECTED[name]


def test_the_numbers_of_the_specification() -> None:
    assert EXAMPLE.auc == pytest.approx(0.951634, abs=5e-7)
    assert EXAMPLE.auc_standard_error(300, 300) == pytest.approx(0.007931, abs=5e-7)
    cuts = cutoffs.population_cutoffs()
    wanted = {"youden": 1.516695, "closest": 1.511740, "eer": 1.508235}
    assert {rule: round(cut.threshold, 6) for rule, cut in cuts.items()} == wanted
    assert EXPECTED["repeated"]["given_area"]["below .0074"] == pytest.approx(0.22, abs=0.015)
    assert printed.implied_standard_error() == pytest.approx((0.0069, 0.0074), abs=5e-5)


def test_the_first_sample_that_prints_alike(sample) -> None:
    assert not sample.prints_alike()
    found = example.first_alike()
    assert found.prints_alike()
    assert found.seed == 305
    shown = [f"{own:.3f}" for own in found.area().values()]
    assert shown == ["0.955", "0.007", "0.000", "0.941", "0.969"]
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


def test_equal_errors_lie_beyond_the_rows_shown(sample) -> None:
    found = cutoffs.best_cutoffs(sample.curve)
    assert not found.errors_cross_in_rows
    assert all(fpr > 1 - tpr for _, tpr, fpr in printed.CORNER_ROWS)
    assert found.shown["eer"].threshold == printed.CORNER_ROWS[-1][0]
    assert "beyond the last row" in str(cutoffs.table(found))


def test_ten_cases_column_by_column() -> None:
    found = lessons.ten_cases()
    assert found.arrows == (3, 4, 2, 1)
    assert [(own.threshold, *own.shown[:2]) for own in found.unreachable] == [(0.85, 3, 2), (0.85, 3, 1)]
    assert found.printed_area == pytest.approx(found.areas[lessons.FIRST], abs=1e-15)
    # The slide's points are those of the curve with the positive first.
    path = found.curves[lessons.FIRST]
    shown = [column.shown[:2] for column in found.columns][::-1]
    assert list(zip(path.true_positives, path.false_positives, strict=True)) == shown


def test_the_models_cross_where_samples_of_quantiles_do(whole) -> None:
    """Scores at evenly spread quantiles are a sample without chance."""
    from scipy.special import ndtri

    n = 3000
    at = ndtri((np.arange(n) + 0.5) / n)
    made = [
        rs.roc_curve(np.repeat([1, 0], n), np.concatenate([m.positive_mean + m.positive_sd * at, at]))
        for m in two_models.MODELS
    ]
    points = made[0].crossings(made[1]).points
    assert len(points) % 2 == 1
    models = whole.numbers["two models"]
    np.testing.assert_allclose(points, [models.crossing] * len(points), atol=3 / n)
    fpr = np.linspace(0, 1, 20_001)[1:-1]
    for slope, cheaper in ((models.slope * 1.1, 0), (models.slope / 1.1, 1)):  # which model is cheaper
        best = [float((model.tpr_at(fpr) - slope * fpr).max()) for model in two_models.MODELS]
        assert best[cheaper] > best[1 - cheaper]


# The whole


def test_the_quick_run_passes_and_becomes_plain_data(whole) -> None:
    assert whole.failed == ()
    assert len(whole.checks) == 152
    assert whole.skipped == ()
    plain = json.loads(json.dumps(whole.to_dict(), allow_nan=False))
    assert plain["passed"] is True
    assert plain["numbers"]["ten cases"]["areas"]["one step"] == 0.56
    assert plain["numbers"]["two models"]["crossing"] == pytest.approx([0.238508, 0.710743], abs=1e-6)
    captions = " ".join(table.caption for table in whole.tables)
    for name in ("Group Statistics", "Area Under the Curve", "Coordinates of the Curve"):
        assert name in captions
    coordinates = next(own for own in whole.tables if own.caption.startswith("Coordinates"))
    assert ("1.4933", ".910", ".140") in [row[3:] for row in coordinates.rows]


@pytest.mark.parametrize("wrong", [2, "no", None])
def test_quick_is_yes_or_no(wrong, monkeypatch) -> None:
    monkeypatch.setattr(run.example, "sample", lambda: pytest.fail("it went on"))
    with pytest.raises(rs.RocsteadyError, match="RS001: quick must be True or False"):
        run.reproduce_slides(quick=wrong)


def test_verdicts(whole) -> None:
    verdicts = [(claim.erratum, claim.verdict) for claim in whole.claims if claim.erratum]
    assert verdicts == [
        *(("S2", REPRODUCED), ("S4", REPRODUCED), ("S3", FALSE), ("S1", FALSE)),
        *(("S5", FALSE), ("S5", CAVEAT)),
    ]
    counts = {
        own: [claim.verdict for claim in whole.claims].count(own) for own in (CONSISTENT, CAVEAT, FALSE)
    }
    assert counts == {CONSISTENT: 2, CAVEAT: 2, FALSE: 3}
    assert all(claim.where and claim.measured for claim in whole.claims)


def test_shares_of_few_samples_have_their_standard_errors(whole) -> None:
    said = next(claim.measured for claim in whole.claims if claim.erratum == "S2")
    given_area, longer = whole.numbers["repeated"].given_area, EXPECTED["repeated"]["given_area"]
    share, n = given_area["prints .007"], given_area["samples"]
    assert f"{100 * share:.0f} % (± {100 * math.sqrt(share * (1 - share) / n):.1f}) print .007" in said
    shares = (100 * longer[name] for name in ("prints .007", "fits the printed interval"))
    assert "{:.0f} % and {:.0f} %".format(*shares) in said  # as in the errata


def test_verdicts_follow_from_the_numbers(whole, sample) -> None:
    """With other numbers the claims fall."""
    found = whole.numbers
    cuts, guesses, models, ten = (
        found[own] for own in ("best cut-offs", "guessing", "two models", "ten cases")
    )

    def said(claims: Any, start: str) -> str:
        return next(claim.verdict for claim in claims if claim.claim.startswith(start))

    def of_example(**changed: Any) -> Any:
        parts = {"alike": example.first_alike(), "found": found["repeated"], "plausible": found["plausible"]}
        return example.claims(sample, **(parts | changed), long_run=EXPECTED["repeated"])

    rare = replace(found["plausible"][0], chance=0.001)
    assert said(of_example(plausible=(rare, *found["plausible"][1:])), "300 cases") == FALSE
    assert said(of_example(alike=sample), "The area under the curve") == FALSE
    never = {**found["repeated"].given_area, "fits the printed interval": 0.0}
    assert said(of_example(found=replace(found["repeated"], given_area=never)), "Its standard error") == FALSE
    assert said(lessons.ten_claims(replace(ten, arrows=(3, 4, 1, 2))), "At the threshold 0.76") == FALSE
    all_agree = tuple(replace(own, shown=own.counted) for own in ten.columns)
    assert said(lessons.ten_claims(replace(ten, columns=all_agree)), "The table counts") == REPRODUCED
    one = dict.fromkeys(cuts.shown, cuts.shown["youden"])
    assert cutoffs.claim(replace(cuts, shown=one, population=one)).verdict == REPRODUCED

    def of_guesses(start: str, **changed: Any) -> str:
        return said(lessons.guess_claims(replace(guesses, **changed), list(cuts.shown.values())), start)

    assert of_guesses("All points", highest=0.0) == REPRODUCED
    off = replace(guesses.guesses[2], true_positives=95, false_positives=100)
    assert of_guesses("All points", highest=0.0, guesses=(off,)) == FALSE
    assert of_guesses("Such classifiers", guesses=(off,)) == FALSE
    assert of_guesses("The area under the diagonal", constant_area=0.6) == FALSE
    assert of_guesses("One operates", share_above=0.9) == FALSE
    turned = dict(zip(("M2", "M1"), models.readings.values(), strict=True))
    of_turned = two_models.claims(replace(models, readings=turned))
    assert said(of_turned, "No model") == said(of_turned, "The larger") == FALSE


# Figures


def test_every_figure_has_a_file_a_caption_and_what_differs(whole) -> None:
    assert tuple(own.name for own in whole.figures) == run.FIGURES
    assert all(own.caption and own.differs for own in whole.figures)
    name, picture = next(whole.pictures())
    assert name == "two_populations.png"
    assert picture.startswith(b"\x89PNG")


def test_figures_draw_the_numbers(whole, sample) -> None:
    pictures = {own.name: own.draw() for own in whole.figures}

    def draws(name: str, points: Any) -> bool:
        marks = [mark for panel in pictures[name].panels for mark in panel.marks if hasattr(mark, "marker")]
        marks += [mark for panel in pictures[name].panels for mark in panel.marks if hasattr(mark, "dash")]
        paths = [np.c_[mark.x, mark.y] for mark in marks if np.size(getattr(mark, "x", None)) > 1]
        return any(np.array_equal(own, points) for own in paths)

    def words(name: str) -> str:
        entries = [own for panel in pictures[name].panels for own in (panel.key.entries if panel.key else ())]
        return " ".join(own.text.spell(ML) for own in entries)

    assert draws("example_curve", np.c_[sample.curve.fpr, sample.curve.tpr])
    assert draws("two_models", whole.numbers["two models"].sample.points)
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
