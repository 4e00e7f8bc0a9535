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
from hypothesis import example, given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_hex

import rocsteady as rs
from changed_numbers import at, leaves, with_one_changed
from papers.claims import CORRECTED, NOT_REPRODUCED, REPRODUCED
from papers.drawing import BLUE
from papers.rounding import rounded
from papers.slides import (
    best_cutoffs,
    claims,
    expectations,
    guessing,
    plausibility,
    populations,
    printed,
    replicates,
    run,
    spss,
    ten_cases,
    two_models,
)
from papers.slides.normals import TwoNormals
from papers.slides.parameters import EXAMPLE, MODELS, THRESHOLD

EXPECTED = expectations.stored()
FEW = settings(max_examples=50)
"""Every example has two curves, or a model with three numbers."""
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib")


# Two normal populations.

spreads = st.floats(0.3, 3)


@FEW
@given(st.floats(0.2, 3), spreads, spreads)
@example(1.0, 1.0, 1.0)
def test_youdens_cutoff_is_the_best_of_a_grid(separation, negative_sd, positive_sd) -> None:
    model = TwoNormals(0.0, negative_sd, separation, positive_sd)
    grid = np.linspace(-15, 18, 3001)
    assert model.youden_cutoff().youden >= np.max(model.tpr(grid) - model.fpr(grid)) - 1e-12


@FEW
@given(st.floats(0.2, 3), spreads, spreads)
def test_equal_errors_are_equal(separation, negative_sd, positive_sd) -> None:
    cut = TwoNormals(0.0, negative_sd, separation, positive_sd).equal_errors_cutoff()
    assert cut.fpr == pytest.approx(1 - cut.tpr, abs=1e-12)


@FEW
@given(st.floats(0.2, 3), spreads, spreads, st.floats(0.01, 0.99))
def test_partial_areas_add_up(separation, negative_sd, positive_sd, at) -> None:
    model = TwoNormals(0.0, negative_sd, separation, positive_sd)
    assert model.partial_auc(0, at) + model.partial_auc(at, 1) == pytest.approx(model.auc, abs=1e-8)


def test_the_closest_point_is_the_best_of_a_grid() -> None:
    grid = np.linspace(1.2, 1.8, 20_001)
    distances = np.hypot(EXAMPLE.fpr(grid), 1 - EXAMPLE.tpr(grid))
    assert EXAMPLE.closest_cutoff().distance <= distances.min() + 1e-15
    assert EXAMPLE.closest_cutoff().threshold == pytest.approx(grid[distances.argmin()], abs=5e-5)


# The parts, and what is stored about them.


@pytest.fixture(scope="module")
def sample() -> spss.SpssTables:
    return spss.spss_tables()


@pytest.fixture(scope="module")
def models() -> two_models.TwoModels:
    return two_models.two_models(40)


@pytest.fixture(scope="module")
def repeated() -> replicates.Replicates:
    return replicates.replicates(3000)


@pytest.fixture(scope="module")
def checkers(sample, models, repeated) -> dict[str, Any]:
    """The checks of each section of expected.json."""
    divided, ten = populations.divided(), ten_cases.ten_cases()
    guesses, cutoffs = guessing.guessing(sample.curve, 100), best_cutoffs.best_cutoffs(sample)
    return {
        "two populations": lambda stored: populations.checks(divided, stored["shares"]),
        "example": spss.population_checks,
        "plausibility": lambda stored: plausibility.checks(stored["chances"]),
        "repeated": lambda stored: replicates.checks(repeated, stored),
        "cut-offs": lambda stored: best_cutoffs.checks(cutoffs, stored),
        "ten cases": lambda stored: ten_cases.checks(ten, stored),
        "two models": lambda stored: two_models.checks(models, stored),
        "guessing": lambda stored: guessing.checks(guesses, stored),
    }


ONLY_FOR_TOLERANCES = {"n_replicates", "sd", "samples"}
"""Of the long run: these say how far a number may be off."""


@pytest.mark.parametrize("section", list(EXPECTED))
def test_every_stored_number_is_checked(section: str, checkers) -> None:
    stored = EXPECTED[section]
    check = checkers[section]
    assert [own for own in check(stored) if not own.passed] == []
    for path in leaves(stored):
        if section == "repeated" and ONLY_FOR_TOLERANCES & set(path):
            continue
        by = -0.5 if at(stored, path) > 0.5 else 0.5
        assert not all(own.passed for own in check(with_one_changed(stored, path, by))), path


def test_expectations_can_be_made_again() -> None:
    """The same keys; the numbers are those of a much longer run."""
    again = rounded(expectations.expected(n_replicates=1500, n_model_replicates=2))
    assert sorted(leaves(again)) == sorted(leaves(EXPECTED))
    for name in ("two populations", "example", "plausibility", "cut-offs", "ten cases", "guessing"):
        assert again[name] == EXPECTED[name]


def test_the_numbers_of_the_specification() -> None:
    assert EXAMPLE.auc == pytest.approx(0.951634, abs=5e-7)
    assert EXAMPLE.auc_standard_error(300, 300) == pytest.approx(0.007931, abs=5e-7)
    cuts = best_cutoffs.population_cutoffs()
    wanted = {"youden": 1.516695, "closest": 1.511740, "eer": 1.508235}
    assert {rule: round(cut.threshold, 6) for rule, cut in cuts.items()} == wanted
    assert EXPECTED["repeated"]["given_area"]["below .0074"] == pytest.approx(0.22, abs=0.015)
    assert spss.implied_standard_error() == pytest.approx((0.0069, 0.0074), abs=5e-5)


def test_spss_tables_against_numpy_and_scipy(sample) -> None:
    from scipy.stats import mannwhitneyu

    labels, scores = EXAMPLE.draw(300, 300, sample.seed)
    healthy, diseased = scores[~labels], scores[labels]
    for group, values in zip(sample.groups, (healthy, diseased), strict=True):
        assert (group.n, group.mean) == (300, pytest.approx(values.mean()))
        assert group.sd == pytest.approx(np.std(values, ddof=1))
        assert group.standard_error == pytest.approx(group.sd / math.sqrt(300))
    assert sample.area == pytest.approx(mannwhitneyu(diseased, healthy).statistic / 90_000)
    assert sample.high - sample.low == pytest.approx(2 * 1.959964 * sample.standard_error)
    assert not sample.prints_alike()


def test_the_first_sample_that_prints_alike() -> None:
    found = spss.first_alike()
    assert found.prints_alike()
    shown = [f"{getattr(found, name):.3f}" for name in printed.AREA]
    assert shown == ["0.955", "0.007", "0.000", "0.941", "0.969"]
    assert not any(spss.spss_tables(seed).prints_alike() for seed in range(0, found.seed, 37))


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (0.955, 3, ".955"),
        (-0.1701, 4, "-.1701"),
        (1.3218, 4, "1.3218"),
        (0.9999, 3, "1.000"),
        (0.0, 3, ".000"),
    ],
)
def test_numbers_as_spss_writes_them(value, places, text) -> None:
    assert spss.in_spss(value, places) == text


def test_replicates_agree_with_one_curve_at_a_time() -> None:
    """The batch counts many samples at once; the public functions count one."""
    found = replicates.replicates(400, seed=8)
    random = np.random.default_rng([8, 0])
    negatives = random.normal(1.32, 0.16, (400, 300))
    positives = random.normal(1.72, 0.18, (400, 300))
    labels = np.repeat([0, 1], 300)
    for k in range(3):
        curve = rs.roc_curve(labels, np.concatenate([negatives[k], positives[k]]))
        assert found.values["area"][k] == pytest.approx(curve.auc, abs=1e-15)
        for method in ("nonparametric", "hanley-mcneil"):
            assert found.values[method][k] == pytest.approx(curve.auc_standard_error(method), rel=1e-12)
        for rule in ("youden", "closest"):
            cutoff = rs.choose_cutoff(curve, rule)
            assert found.values[f"{rule} cut-off"][k] == pytest.approx(cutoff.midpoint, abs=1e-12)
        assert found.values["youden index"][k] == pytest.approx((curve.tpr - curve.fpr).max())


def test_equal_errors_lie_beyond_the_rows_shown(sample) -> None:
    found = best_cutoffs.best_cutoffs(sample)
    assert not found.errors_cross_in_rows
    assert all(fpr > 1 - tpr for _, tpr, fpr in printed.CORNER_ROWS)
    assert found.shown["eer"].threshold == printed.CORNER_ROWS[-1][0]
    assert "beyond the last row" in str(best_cutoffs.tabulated(found))


def test_ten_cases_column_by_column() -> None:
    found = ten_cases.ten_cases()
    assert found.arrows == (3, 4, 2, 1)
    assert [column.threshold for column in found.unreachable] == [0.85, 0.85]
    assert [column.shown[:2] for column in found.unreachable] == [(3, 2), (3, 1)]
    assert found.printed_area == pytest.approx(found.areas[ten_cases.FIRST], abs=1e-15)
    # The slide's points are those of the curve with the positive first.
    path = found.curves[ten_cases.FIRST]
    shown = [column.shown[:2] for column in found.columns][::-1]
    assert list(zip(path.true_positives, path.false_positives, strict=True)) == shown


def test_the_models_cross_where_samples_of_quantiles_do(models) -> None:
    """Scores at evenly spread quantiles are a sample without chance."""
    n = 3000
    at = (np.arange(n) + 0.5) / n
    from scipy.special import ndtri

    made = [
        rs.roc_curve(
            np.repeat([1, 0], n), np.concatenate([m.positive_mean + m.positive_sd * ndtri(at), ndtri(at)])
        )
        for m in MODELS
    ]
    points = made[0].crossings(made[1]).points
    assert len(points) % 2 == 1
    np.testing.assert_allclose(points, [models.crossing] * len(points), atol=3 / n)


def test_the_slope_tells_which_model_is_cheaper(models) -> None:
    fpr = np.linspace(0, 1, 20_001)[1:-1]
    for slope, cheaper in ((models.slope * 1.1, 0), (models.slope / 1.1, 1)):
        best = [float((model.tpr_at(fpr) - slope * fpr).max()) for model in MODELS]
        assert best[cheaper] > best[1 - cheaper]


# The whole.


@pytest.fixture(scope="module")
def whole() -> run.SlidesReproduction:
    return run.reproduce_slides(quick=True)


def test_the_quick_run_passes_and_becomes_plain_data(whole) -> None:
    assert list(whole.checks.failed) == []
    assert whole.skipped == ()
    assert repr(whole).startswith("SlidesReproduction(Checks(")
    plain = json.loads(json.dumps(whole.to_dict(), allow_nan=False))
    assert plain["passed"] is True
    assert plain["ten cases"]["areas"]["one step"] == 0.56
    assert plain["two models"]["crossing"] == pytest.approx([0.238508, 0.710743], abs=1e-6)


def test_tables_have_a_cell_for_every_heading(whole) -> None:
    tables = whole.tables()
    for table in tables:
        for _, rows in table.sections:
            assert {len(row) for row in rows} == {len(table.headings)}, table.caption
    captions = " ".join(table.caption for table in tables)
    for name in ("Group Statistics", "Area Under the Curve", "Coordinates of the Curve"):
        assert name in captions
    coordinates = next(table for table in tables if table.caption.startswith("Coordinates"))
    corner = dict(coordinates.sections)["around the corner"]
    assert [row[3:] for row in corner][14] == ("1.4933", ".910", ".140")


@pytest.mark.parametrize("wrong", [2, "no", None])
def test_quick_is_yes_or_no(wrong, monkeypatch) -> None:
    monkeypatch.setattr(run.spss, "spss_tables", lambda: pytest.fail("it went on"))
    with pytest.raises(rs.RocsteadyError, match="RS001: quick must be True or False"):
        run.reproduce_slides(quick=wrong)


def test_verdicts(whole) -> None:
    verdicts = {claim.erratum: claim.verdict for claim in whole.claims if claim.erratum}
    assert verdicts == {
        "S1": CORRECTED,
        "S2": REPRODUCED,
        "S3": CORRECTED,
        "S4": REPRODUCED,
        "S5": CORRECTED,
    }
    assert {claim.verdict for claim in whole.claims} == {REPRODUCED, CORRECTED}
    assert all(claim.where and claim.measured for claim in whole.claims)


def test_shares_of_few_samples_have_their_standard_errors(whole) -> None:
    said = next(claim.measured for claim in whole.claims if claim.erratum == "S2")
    given, longer = whole.repeated.given_area, EXPECTED["repeated"]["given_area"]
    share, n = given["prints .007"], given["samples"]
    assert f"{100 * share:.0f} % (± {100 * math.sqrt(share * (1 - share) / n):.1f}) print .007" in said
    shares = (100 * longer[name] for name in ("prints .007", "fits the printed interval"))
    assert "{:.0f} % and {:.0f} %".format(*shares) in said  # as in the errata


def test_verdicts_follow_from_the_numbers(whole) -> None:
    """With other numbers the claims fall."""
    names = ("divided", "sample", "alike", "repeated", "plausible", "ten", "cutoffs", "models", "guesses")
    parts = {name: getattr(whole, name) for name in names}

    def verdict(start: str, **changed: Any) -> str:
        made = claims.claims({**parts, **changed}, EXPECTED["repeated"])
        return next(claim.verdict for claim in made if claim.claim.startswith(start))

    rare = replace(whole.plausible[0], chance=0.001)
    assert verdict("300 cases", plausible=(rare, *whole.plausible[1:])) == NOT_REPRODUCED
    assert verdict("The area under the curve", alike=whole.sample) == NOT_REPRODUCED
    never = {**whole.repeated.given_area, "fits the printed interval": 0.0}
    assert verdict("Its standard error", repeated=replace(whole.repeated, given_area=never)) == NOT_REPRODUCED
    assert verdict("At the threshold 0.76", ten=replace(whole.ten, arrows=(3, 4, 1, 2))) == NOT_REPRODUCED
    all_agree = tuple(replace(own, shown=own.counted) for own in whole.ten.columns)
    assert verdict("The table counts", ten=replace(whole.ten, columns=all_agree)) == REPRODUCED
    one = dict.fromkeys(whole.cutoffs.shown, whole.cutoffs.shown["youden"])
    both = replace(whole.cutoffs, shown=one, population=one)
    assert verdict("The best cut-off", cutoffs=both) == REPRODUCED
    assert verdict("All points", guesses=replace(whole.guesses, highest=0.0)) == REPRODUCED
    off = replace(whole.guesses.guesses[2], true_positives=95, false_positives=100)
    guesses = replace(whole.guesses, guesses=(*whole.guesses.guesses[:2], off))
    assert verdict("All points", guesses=guesses) == NOT_REPRODUCED
    assert verdict("Such classifiers", guesses=guesses) == NOT_REPRODUCED
    assert (
        verdict("The area under the diagonal", guesses=replace(guesses, constant_area=0.6)) == NOT_REPRODUCED
    )
    turned = dict(zip(("M2", "M1"), whole.models.readings.values(), strict=True))
    assert verdict("No model", models=replace(whole.models, readings=turned)) == NOT_REPRODUCED
    assert verdict("The larger", models=replace(whole.models, readings=turned)) == NOT_REPRODUCED


# Figures.


@pytest.fixture(scope="module")
def drawn(whole) -> dict[str, Any]:
    return {name: draw() for name, draw in whole._drawings.items()}


def labels_of(axes) -> str:
    return " ".join(str(line.get_label()) for line in axes.lines)


def test_every_figure_has_a_file_and_a_title(whole, drawn) -> None:
    assert [f"{name}.{kind}" for name in drawn for kind in ("png", "pdf")] == run.picture_names()
    name, picture = next(whole.pictures())
    assert name == run.picture_names()[0]
    assert picture.startswith(b"\x89PNG")
    assert all(axes.get_title(loc="left") for figure in drawn.values() for axes in figure.axes)


def test_the_threshold_figure_shows_four_areas_and_the_point(whole, drawn) -> None:
    left, right = drawn["two_populations"].axes
    words = " ".join(text.get_text() for text in left.texts)
    for name, share in whole.divided.shares.items():
        assert f"{name} {share:.3f}" in words
    assert len(left.collections) == 4
    assert [line.get_xdata()[0] for line in left.lines if len(set(line.get_xdata())) == 1] == [THRESHOLD]
    point = next(line for line in right.lines if line.get_label() == "_point")
    np.testing.assert_allclose(
        point.get_xydata()[0], [whole.divided.shares["FP"], whole.divided.shares["TP"]], rtol=1e-12
    )


def test_figures_draw_the_numbers(whole, drawn) -> None:
    curve = whole.sample.curve
    line = next(x for x in drawn["example_curve"].axes[1].lines if "sample" in str(x.get_label()))
    np.testing.assert_array_equal(line.get_xydata(), np.c_[curve.fpr, curve.tpr])
    assert to_hex(line.get_color()) == BLUE.lower()
    shown, population = (labels_of(axes) for axes in drawn["best_cutoffs"].axes)
    assert "1.4933" in shown
    assert "equal errors" not in shown  # beyond the rows
    assert "1.5167" in population
    assert "1.5082" in population
    assert "area 0.60" in labels_of(drawn["ten_cases"].axes[0])
    left, right = drawn["two_models"].axes
    assert "FPR 0.239, TPR 0.711" in labels_of(left)
    dots = next(x for x in right.lines if "crossings" in str(x.get_label()))
    np.testing.assert_array_equal(dots.get_xydata(), whole.models.sample.points)
    guessers = next(x for x in drawn["guessing"].axes[0].lines if "guessers" in str(x.get_label()))
    np.testing.assert_array_equal(guessers.get_xydata(), [own.rates for own in whole.guesses.guesses])
