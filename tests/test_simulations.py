"""docs/coverage.md is what was measured, nothing was left out, and a short run finds the same."""

from __future__ import annotations

import importlib
import json
import runpy
import sys
import warnings
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.special import bdtr, bdtrc, expit, logit, ndtr

import rocsteady as rs
from conftest import skip_unless_required
from rocsteady.simulate import RoeMetz

ROOT = Path(__file__).resolve().parents[1]
STORED = ROOT / "docs" / "coverage.json"
FALSE_ALARM = 1e-7
"""Of each of a few shares, on either side."""
SAMPLES = 6


@pytest.fixture(scope="module")
def questions():
    if not (ROOT / "simulations").exists():
        skip_unless_required("the simulations are not part of a source distribution")
    sys.path.insert(0, str(ROOT))
    try:
        yield importlib.import_module("simulations.coverage.questions").BY_NAME
    finally:
        sys.path.remove(str(ROOT))


@pytest.fixture(scope="module")
def stored():
    return json.loads(STORED.read_text(encoding="utf-8"))


def test_the_page_is_made_from_the_stored_results(stored):
    module = runpy.run_path(str(ROOT / "docs" / "make_coverage.py"))
    page = (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")
    assert module["page"](stored) == page, "run: python docs/make_coverage.py"


def test_every_question_has_a_short_run(questions):
    assert set(QUICK) == set(questions)


def test_every_question_is_on_the_page(stored):
    module = runpy.run_path(str(ROOT / "docs" / "make_coverage.py"))
    shown = {name for table in module["TABLES"].values() for name in table.questions}
    assert shown == set(stored)
    for table in module["TABLES"].values():
        found = {
            method for name in table.questions for cell in stored[name]["cells"] for method in cell["shares"]
        }
        assert set(table.methods) <= found


def test_bold_is_what_is_off_and_a_star_what_is_safe():
    shown = runpy.run_path(str(ROOT / "docs" / "make_coverage.py"))["shown"]
    assert shown(1900, 2000, 0.95) == "0.950"
    assert shown(1800, 2000, 0.95) == "**0.900**"
    assert shown(1980, 2000, 0.95) == "**0.990** \\*"
    assert shown(200, 2000, 0.05) == "**0.100**"
    assert shown(20, 2000, 0.05) == "**0.010** \\*"


def test_every_cell_has_been_computed_from_enough_replicates(questions, stored):
    assert set(stored) == set(questions)
    for name, question in questions.items():
        cells = stored[name]["cells"]
        assert [cell["setting"] for cell in cells] == list(question.settings), name
        assert stored[name]["nominal"] == question.nominal
        for cell in cells:
            assert all(of >= question.replicates and 0 <= held <= of for held, of in cell["shares"].values())


def test_a_stopped_run_goes_on_where_it_was(questions, tmp_path):
    cells = sys.modules["simulations.coverage.cells"]
    drawn = []

    def measure(n, *, replicates, seed):
        drawn.append((n, seed))
        return {"coin": np.random.default_rng(seed).random(replicates) < 0.5}

    question = cells.Question("coins", 0.5, cells.grid(n=(1, 2, 3)), measure)
    results = cells.Results(tmp_path / "results.json")
    for setting in ({"n": 3}, {"n": 1}):  # in any order
        results.add(question, cells.counted_cell(question, setting, 10, 1))
    assert [cell["setting"]["n"] for cell in results.read()["coins"]["cells"]] == [1, 3]
    assert results.has(question, {"n": 3}, 10, 1)
    assert not results.has(question, {"n": 3}, 11, 1)
    assert not results.has(question, {"n": 3}, 10, 2)
    assert not results.has(question, {"n": 2}, 10, 1)
    fewer = cells.Question("coins", 0.5, cells.grid(n=(3,)), measure)
    results.add(fewer)
    assert [cell["setting"] for cell in results.read()["coins"]["cells"]] == [{"n": 3}]
    assert len(dict(drawn)) == len(set(dict(drawn).values())) == 2  # every cell has its own seed


def test_populations_have_the_auc_they_promise(questions):
    populations = sys.modules["simulations.coverage.populations"]
    for shape in populations.SHAPES:
        population = populations.Population(0.9, shape)
        labels = populations.first_ones(100_000, 100_000)
        curve = rs.roc_curve(labels, population.draw(np.random.default_rng(1), labels))
        assert abs(curve.auc - 0.9) < 5 * curve.auc_standard_error()
        if shape != "ratings":
            assert curve.tpr_at(0.1) == pytest.approx(population.tpr(0.1), abs=0.01)


def test_a_curve_is_inside_a_band_or_not(questions):
    one_curve = sys.modules["simulations.coverage.one_curve"]
    population = one_curve.Population(0.8)
    fpr = np.linspace(0, 1, 201)
    steps = (
        np.repeat(fpr, 2)[1:],
        np.repeat(population.tpr(fpr), 2)[:-1],
    )  # from below: at x the curve of x - 1/200

    def band(up):
        return SimpleNamespace(
            lower=SimpleNamespace(fpr=steps[0], tpr=steps[1] - 1),
            upper=SimpleNamespace(fpr=steps[0], tpr=steps[1] + up),
        )

    assert one_curve.is_inside(band(0.2), population)
    assert not one_curve.is_inside(band(0.0), population)  # just before a step rises, the curve is above it


def test_true_differences_are_what_many_datasets_show(questions):
    pairs = sys.modules["simulations.coverage.pairs"]
    assert pairs.true_auc_difference("same") == 0
    assert pairs.true_auc_difference("crossing") == pytest.approx(0, abs=1e-12)
    assert pairs.true_auc_difference("skewed") == pytest.approx(0, abs=1e-12)
    fpr = np.array([0.02, 0.1, 0.2])
    for scenario in ("better", "crossing", "skewed"):
        (drawn,) = pairs.drawn_pairs(scenario, 1000, 50, 50, 1, seed=3)
        a, b = (rs.average(drawn.model(name), "vertical").at(fpr=fpr) for name in "ab")
        halves = [(one.tpr_interval.high - one.tpr_interval.low) / 2 for one in (a, b)]
        off = np.abs(a.tpr - b.tpr - pairs.true_difference(scenario, fpr, 50))
        assert (off < 2 * np.hypot(*halves)).all()  # as if the models were independent: more than enough
        assert (off < 0.02).all()


def test_true_areas_of_datasets_and_trained_models(questions):
    datasets, folds = (sys.modules[f"simulations.coverage.{name}"] for name in ("datasets", "folds"))
    assert datasets.typical_area(0.8, 0.0) == pytest.approx(0.8, abs=1e-12)
    separations = datasets.mean_separation(0.9, 0.4) + 0.4 * np.random.default_rng(2).normal(size=100_000)
    areas = ndtr(separations / np.sqrt(2))
    assert areas.mean() == pytest.approx(0.9, abs=0.001)
    assert datasets.typical_area(0.9, 0.4) == pytest.approx(expit(logit(areas).mean()), abs=0.001)
    rng = np.random.default_rng(3)
    trained = np.array([areas for _, areas in folds.cross_validated(100, 20, 5, 2000, rng)])
    assert trained.mean() == pytest.approx(folds.expected_area(100, 20, 5), abs=0.001)
    for scores, areas in folds.cross_validated(100_000, 5, 5, 1, rng):
        found = [rs.auc(np.repeat([0, 1], 10_000), scores[:, fold].ravel()) for fold in range(5)]
        np.testing.assert_allclose(found, areas, atol=0.015)


QUICK = {
    "average_band": ({"n": 50, "n_groups": 5}, 150),
    "best_cutoffs": ({"criterion": "accuracy", "of": "weak", "n_negatives": 50, "n_positives": 50}, 15),
    "best_cutoffs_groups": ({"criterion": "f1", "n_groups": 8}, 15),
    "average_pointwise": ({"n": 20, "n_groups": 3}, 500),
    "one_auc_spss": ({"area": 0.8, "n_positives": 20, "n_negatives": 20}, 300),
    "one_auc_shapes_spss": ({"shape": "ratings", "area": 0.8, "n_positives": 20, "n_negatives": 20}, 300),
    "chosen_cutoffs": ({"criterion": "youden", "area": 0.75, "n_negatives": 20, "n_positives": 20}, 40),
    "chosen_cutoffs_groups": ({"criterion": "youden", "area": 0.75, "n_groups": 8}, 15),
    "chosen_measures": ({"criterion": "mcc", "area": 0.75, "n_negatives": 20, "n_positives": 20}, 40),
    "chosen_measures_groups": ({"criterion": "kappa", "area": 0.75, "n_groups": 8}, 15),
    "chosen_points": ({"criterion": "f1", "area": 0.75, "n_groups": 8}, 20),
    "class_aucs": ({"shares": "equal", "apart": 1.5, "n": 30}, 100),
    "class_aucs_folds": ({"n": 90, "apart": 0.7, "repeats": 1}, 40),
    "class_aucs_hospitals": ({"apart": 1.5, "differ": "much", "n_groups": 5}, 100),
    "compare_cases": ({"scenario": "crossing", "n_positives": 20, "n_negatives": 20}, 15),
    "compare_intervals": ({"scenario": "crossing", "n_groups": 6, "n": 50}, 150),
    "compare_tests": ({"scenario": "same", "n_groups": 6, "n": 50}, 150),
    "compare_tests_skewed": ({"scenario": "skewed", "n_groups": 6, "n": 50}, 150),
    "compare_unpaired": ({"n_first": 4, "n_second": 4, "n": 50}, 150),
    "cross_validation": ({"n_cases": 100, "n_folds": 5, "n_features": 20}, 200),
    "curve_band": ({"area": 0.8, "n_positives": 20, "n_negatives": 20}, 80),
    "hospitals_auc": ({"area": 0.96, "differ": "much", "n": 20, "n_groups": 5}, 100),
    "hospitals_rates": (
        {"area": 0.85, "differ": "moderately", "n_positives": 20, "n_negatives": 20, "n_groups": 5},
        40,
    ),
    "learners": ({"learner": "naive Bayes", "repeats": 5}, 5),
    "learners_tests": ({"learner": "naive Bayes", "repeats": 1}, 10),
    "mean_auc": ({"area": 0.95, "spread": 0.4, "n_positives": 20, "n_negatives": 20, "n_groups": 5}, 100),
    "mean_auc_bootstrap": (
        {"area": 0.95, "spread": 0.4, "n_positives": 20, "n_negatives": 20, "n_groups": 3},
        200,
    ),
    "mixed_patients": ({"area": 0.9, "n_patients": 20, "correlation": 0.6}, 60),
    "mixed_patients_test": ({"area": 0.9, "n_patients": 20, "correlation": 0.6}, 60),
    "new_dataset": (
        {"area": 0.95, "spread": 0.8, "n_positives": 20, "n_negatives": 20, "n_groups": 5},
        60,
    ),
    "one_auc": ({"area": 0.95, "n_positives": 20, "n_negatives": 200}, 500),
    "one_auc_bootstrap": ({"area": 0.95, "n_positives": 20, "n_negatives": 200}, 300),
    "one_auc_shapes": ({"shape": "ratings", "area": 0.95, "n_positives": 20, "n_negatives": 20}, 500),
    "one_auc_shapes_bootstrap": (
        {"shape": "spread", "area": 0.95, "n_positives": 20, "n_negatives": 20},
        300,
    ),
    "patients": ({"area": 0.95, "n_patients": 20}, 150),
    "plans": ({"measure": "AUC", "times": 1.0, "n_pilot": 10}, 100),
    "pooled_auc": ({"n": 20, "n_groups": 3}, 150),
    "readers_curves": ({"area": 0.9, "n_readers": 3, "n": 50}, 100),
    "readers_designs": ({"design": "partially paired", "separation": 2.5, "n_readers": 5, "n": 60}, 150),
    "readers_intervals": ({"area": 0.95, "n_readers": 5, "n": 50}, 500),
    "readers_means": ({"area": 0.95, "n_readers": 3, "n": 50}, 100),
    "readers_measures": ({"area": 0.9, "n_readers": 3, "n": 50}, 40),
    "readers_patients": ({"rows": "of one class", "area": 0.9, "n_readers": 5, "n_patients": 20}, 200),
    "readers_shapes": ({"shape": "five ratings", "separation": 2.5, "n_readers": 5}, 200),
    "readers_standalone": ({"area": 0.9, "n_readers": 3, "n": 50}, 100),
    "readers_tests": ({"structure": "LL", "separation": 0.75, "n_readers": 3, "n": 50}, 300),
    "shared_threshold": ({"method": "pooled", "n_groups": 5}, 100),
    "smauc_cases": ({"shape": "calibrated", "mid": "paper", "n": 200, "prevalence": 0.3}, 100),
    "smauc_datasets": ({"spread": 0.7, "mid": 0.5, "n_groups": 10}, 60),
    "smauc_folds": ({"learner": "naive Bayes", "repeats": 1}, 20),
    "smauc_permuted": ({"design": "datasets"}, 60),
    "compare_smauc_cases": ({"scenario": "alike", "mid": 0.5, "n": 40, "prevalence": 0.3}, 60),
    "compare_smauc_datasets": ({"scenario": "alike", "mid": "paper", "n_groups": 6}, 60),
    "compare_smauc_folds": ({"learner": "tree", "repeats": 1}, 20),
    "tpr_at_fpr": ({"area": 0.95, "n_positives": 20, "n_negatives": 20}, 200),
    "two_aucs": ({"area": 0.7, "n_positives": 10, "n_negatives": 1000}, 150),
    "two_curves": ({"area": 0.95, "n_positives": 20, "n_negatives": 20}, 150),
    "winner_map": ({"scenario": "crossing", "n_groups": 6, "n": 50}, 150),
}


@pytest.mark.parametrize("name", sorted(QUICK))
def test_a_short_run_finds_what_is_stored(name, questions, stored):
    """Shares of a few replicates, of another seed, lie where those of many say they should."""
    setting, replicates = QUICK[name]
    (many,) = (cell["shares"] for cell in stored[name]["cells"] if cell["setting"] == setting)
    found = questions[name].measure(**setting, replicates=replicates, seed=7)
    is_code = sys.modules["simulations.coverage.cells"].is_code
    found = {name: held for name, held in found.items() if held.dtype == np.bool_ and not is_code(name)}
    assert set(found) == set(many)
    for method, held in found.items():
        n, k = np.size(held), int(np.count_nonzero(held))
        low, high = _limits(*many[method])
        assert bdtr(k, n, low) > FALSE_ALARM, (method, k / n, many[method])
        assert k == 0 or bdtrc(k - 1, n, high) > FALSE_ALARM, (method, k / n, many[method])


SAYS = {
    "one_auc": {"logit": "RS155", "delong": "RS155"},
    "one_auc_shapes": {"logit": "RS155", "delong": "RS155"},
    "one_auc_bootstrap": {"bootstrap": "RS155"},
    "one_auc_shapes_bootstrap": {"bootstrap": "RS155"},
    "one_auc_spss": {"spss": "RS155"},
    "one_auc_shapes_spss": {"spss": "RS155"},
    "tpr_at_fpr": {
        f"{name} at {fpr}": "RS295" for name in ("score", "bootstrap") for fpr in (0.05, 0.1, 0.3)
    },
    "mean_auc": {"t": "RS289", "reml": "RS289", "dersimonian-laird": "RS289", "next dataset": "RS288"},
    "average_band": {"band": "RS212"},
    "best_cutoffs": {"TPR": "RS246"},
    "hospitals_auc": {"logit": "RS289"},
    "hospitals_rates": {"area, shared": "RS289", "TPR, own": "RS317"},
    "shared_threshold": {"band": "RS212", "interval at 0.02": "RS317"},
    "cross_validation": {"influence, these models": "RS289"},
    "pooled_auc": {"datasets": "RS272"},
    "compare_intervals": dict.fromkeys(("AUC", "TPR at FPR 0.1", "band"), "RS278"),
    "compare_tests_skewed": {"t of AUC": "RS278"},
    "smauc_cases": {"interval": "RS298"},
    "smauc_folds": {"the learner": "RS299"},
    "compare_smauc_folds": {"test": "RS299", "exchange": "RS299"},
}
"""The code of the warning, for every method that falls short in some cell."""
FOR_CONTRAST = {
    "average_pointwise": ("normal at 0.02", "normal at 0.1", "normal at 0.3", "linear at 0.3"),
    "chosen_cutoffs": ("FPR, threshold given", "TPR, threshold given"),
    "chosen_cutoffs_groups": ("FPR, threshold given", "TPR, threshold given"),
    "hospitals_auc": ("linear",),
    "learners": ("AUC, folds as a sample", "TPR, folds as a sample"),
    "learners_tests": ("AUC, folds as a sample", "curve, folds as a sample"),
    "mixed_patients": ("AUC, rows", "sensitivity, rows", "TPR at FPR, rows"),
    "mixed_patients_test": ("rows",),
    "new_dataset": ("hartung-knapp",),
    "one_auc": ("hanley-mcneil",),
    "one_auc_shapes": ("hanley-mcneil",),
    "plans": ("variance as known",),
    "cross_validation": (
        "influence, all training sets",
        "t over folds, all training sets",
        "t over folds, these models",
    ),
    "patients": ("rows",),
    "readers_patients": ("DeLong, rows",),
    "pooled_auc": ("rows",),
    "compare_tests_skewed": ("Wilcoxon of AUC",),
    "smauc_folds": ("the learner, folds as a sample",),
    "two_aucs": ("two, normal", "three, chi-square"),
}
"""Shown to be wrong for what is asked: no method of rocsteady promises it."""
SAID_OF_READERS = {
    "readers_curves": ("at 0.05", "at 0.1", "at 0.3"),
    "readers_intervals": ("readers and cases", "cases", "readers"),
    "readers_means": ("readers and cases", "readers", "readers and cases, t"),
    "readers_measures": (
        "AUC",
        "partial AUC",
        "sensitivity at specificity 0.9",
        "sensitivity at a threshold",
    ),
    "readers_standalone": ("readers and cases",),
    "readers_tests": ("DeLong", "jackknife", "unbiased", "U-statistics"),
}
"""Short with three readers only, which RS213 says, but for ``PLAIN``."""
PLAIN = "readers and cases, t"
"""Short where the mean is near 1 as well, which the notes of a comparison say."""


def short_cells(stored):
    """Where a method misses what it promises by more than 0.02, not to the safe side."""
    for name, question in stored.items():
        for cell in question["cells"]:
            for method, (held, of) in cell["shares"].items():
                share, nominal = held / of, question["nominal"]
                beyond = 0.02 + 2 * np.sqrt(share * (1 - share) / of)  # clearly so
                is_short = share < nominal - beyond if nominal > 0.5 else share > nominal + beyond
                if is_short and method not in FOR_CONTRAST.get(name, ()):
                    yield name, method, cell["setting"]


def test_every_method_that_falls_short_has_a_warning(stored):
    short = {(name, method) for name, method, _ in short_cells(stored)}
    known = SAYS | SAID_OF_READERS
    assert short <= {(name, method) for name, methods in known.items() for method in methods}


def test_reader_studies_fall_short_with_few_readers_only(stored):
    short = [one for one in short_cells(stored) if one[0] in SAID_OF_READERS and one[1] != PLAIN]
    assert all(setting["n_readers"] < 4 for _, _, setting in short)
    drawn = RoeMetz(auc=(0.9, 0.9)).draw(3, 50, 50, seed=1, standalone=True)
    readers = drawn.models[:2]
    for asked in (
        lambda: rs.compare_readers(drawn, modalities=readers),
        lambda: rs.compare_readers(drawn, modalities=readers, method="u-statistics"),
        lambda: rs.compare_readers(drawn, standalone="AI", modalities=readers),
        lambda: rs.summarize_readers(drawn.model(readers[0])),
    ):
        with pytest.warns(rs.RocsteadyWarning, match="RS213"):
            asked()


def test_plain_intervals_of_means_near_one_are_noted(stored, questions):
    """In a third of a few studies at least."""
    measures = sys.modules["simulations.coverage.reader_measures"]
    cells = [setting for _, method, setting in short_cells(stored) if method == PLAIN]
    assert cells
    for setting in cells:
        study = measures.population(setting["area"], setting["area"])
        noted = 0
        for seed in range(9):
            drawn = study.draw(setting["n_readers"], setting["n"], setting["n"], seed=seed)
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", message="RS213")
                noted += any("logit" in note for note in rs.compare_readers(drawn).notes)
        assert noted >= 3, setting


def test_reader_studies_keep_their_level(stored, questions):
    """Readers and cases random, modalities alike, 5 readers x 100 cases: 0.03 to 0.07, fresh and as stored."""
    readers = sys.modules["simulations.coverage.readers"]
    plan, delong = readers.Plan(5, 50, 50), readers.COVARIANCES["DeLong"]
    for structure in ("HL", "LH"):
        study = RoeMetz.preset(structure, separation=1.5)
        found = [
            readers.rejected(readers.analysed(plan.ratings(drawn, study), plan.truth, delong))
            for drawn in plan.draw(study, 2000, seed=5)
        ]
        assert 0.03 <= np.mean(np.concatenate(found)) <= 0.07, structure
    for cell in stored["readers_tests"]["cells"]:
        if (cell["setting"]["n_readers"], cell["setting"]["n"]) == (5, 50):
            for method in readers.COVARIANCES:
                held, of = cell["shares"][method]
                assert 0.03 <= held / of <= 0.07, (method, cell["setting"])


def test_readers_are_analysed_as_the_front_door_does(questions):
    """The arrays of the simulation give the p-value and the interval that a user sees."""
    readers = sys.modules["simulations.coverage.readers"]
    study, plan = RoeMetz(auc=(0.8, 0.9)), readers.Plan(5, 20, 30, design="partially paired")
    (drawn,) = plan.draw(study, 1, seed=3)
    of = readers.analysed(plan.ratings(drawn, study), plan.truth, readers.COVARIANCES["DeLong"])
    seed = int(np.random.SeedSequence([3, 0]).generate_state(1)[0])
    shown = study.draw_arrays(5, 20, 30, seed=seed, n_studies=1)
    np.testing.assert_array_equal(shown.positives, drawn.positives)
    modality, reader, case = np.nonzero(~np.isnan(plan.ratings(drawn, study)[0]))
    table = rs.ScoreSet.from_arrays(
        case < 20,
        plan.ratings(drawn, study)[0, modality, reader, case],
        reader,
        models=modality,
        cases=case,
        positive=True,
    )
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="RS215")
        found = rs.compare_readers(table)
    assert found.pvalue == pytest.approx(float(readers.analysis.global_test(of).pvalue[0]), rel=1e-12)
    np.testing.assert_allclose(found.means, of.means[0], rtol=1e-14)


def test_three_small_groups_that_often_agree_are_covered(questions):
    """Through the front door: by the spread alone 0.80 were covered."""
    single = sys.modules["simulations.average_intervals"]
    truth = single.expected(0.3, 20)
    missed = 0
    for seed in range(150):
        scores, labels, offsets = single.draw(np.random.default_rng(seed), np.full(3, 20), 20)
        drawn = rs.ScoreSet.from_arrays(labels, scores, np.repeat(np.arange(3), np.diff(offsets)))
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "RS210")
            interval = rs.average(drawn, "vertical").at(fpr=0.3).tpr_interval
        missed += not interval.low <= truth <= interval.high
    assert missed <= 12


@pytest.mark.parametrize("name", sorted(SAYS))
def test_where_a_method_falls_short_it_warns(name, questions, stored, monkeypatch):
    """In a third of a few samples at least: what decides is what the sample shows, not the truth."""
    for module in [sys.modules[key] for key in sys.modules if key.startswith("simulations.")]:
        if hasattr(module, "without_notes"):
            monkeypatch.setattr(module, "without_notes", lambda *codes: nullcontext())
    codes = {}
    for own, method, setting in short_cells(stored):
        if own == name:
            words = f"by the {method} method" if SAYS[name][method] == "RS155" else ""
            codes.setdefault(json.dumps(setting), set()).add((SAYS[name][method], words))
    assert codes
    for setting, expected in codes.items():
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            found = questions[name].measure(**json.loads(setting), replicates=SAMPLES, seed=11)
        for code, words in expected:
            said = [one.message for one in seen if one.message.code == code and words in str(one.message)]
            said += [code] * int(np.count_nonzero(found.get(code, [])))  # where the question looks itself
            # A set of curves says it once for all of them.
            least = 1 if name in ("one_auc", "one_auc_shapes") else SAMPLES / 3
            assert len(said) >= least, (setting, code, words)


def _limits(held, of):
    """How far the stored share itself may be from the truth."""
    error = 5 * np.sqrt(max(held * (of - held), of) / of**3)
    return max(held / of - error, 0.0), min(held / of + error, 1.0)
