"""The reproduction of Klement and others: analysis, tests, claims, expectations, the whole with tiny sets."""

from __future__ import annotations

import copy
import json
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from papers.drawing import rendered
from papers.reproduction import picture_files
from papers.smroc import drawings, expectations, formulas, tables
from papers.smroc import run as whole
from papers.smroc.analysis import significance, weka
from papers.smroc.analysis.results import AUC, SPACES, Areas
from papers.smroc.experiment import run as one_run
from papers.smroc.experiment.cache import Cache
from papers.smroc.parameters import (
    HALF,
    LEARNERS,
    MIDS,
    N_FOLDS,
    NB,
    PAPER,
    PET,
    QUICK_SETS,
)
from papers.smroc.quiet_curves import quiet_curve
from papers.smroc.sets import table_1
from rocsteady.errors import MissingFileError, UsageError
from smroc_sets import NAMES, made_areas, tiny_set

EXPECTED = expectations.stored()
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib")


def expected_areas(n_runs: int = 10) -> Areas:
    """Areas whose means are exactly the stored ones."""
    sets = EXPECTED["long run"]["sets"]

    def stored(learner: str, quantity: str) -> Any:
        means = [of_set[learner].get(quantity, {"mean": 0.8})["mean"] for of_set in sets.values()]
        return np.tile(np.array(means)[:, None], (1, n_runs))

    return Areas(
        source="stored",
        sets=tuple(sets),
        areas={learner: {space: stored(learner, space) for space in SPACES} for learner in LEARNERS},
        chance={learner: {name: stored(learner, "none") for name in MIDS} for learner in LEARNERS},
        permuted={
            learner: {name: stored(learner, f"permuted, {name}") for name in MIDS} for learner in LEARNERS
        },
        mid={learner: stored(learner, "mid") for learner in LEARNERS},
        agreeing={},
        of_folds={},
    )


# Means, spreads, tests.


def test_means_spreads_and_differences_are_over_runs() -> None:
    found = made_areas(1)
    for learner in LEARNERS:
        for space in SPACES:
            values = found.areas[learner][space]
            np.testing.assert_allclose(found.mean(learner, space), [np.mean(v) for v in values], rtol=1e-13)
            np.testing.assert_allclose(
                found.sd(learner, space), [np.std(v, ddof=1) for v in values], rtol=1e-9
            )
    np.testing.assert_array_equal(
        found.difference(PAPER)[2], found.areas[NB][PAPER][2] - found.areas[PET][PAPER][2]
    )
    np.testing.assert_allclose(found.excess(NB, AUC), found.mean(NB, AUC) - 0.5)
    np.testing.assert_allclose(
        found.excess(NB, PAPER), found.mean(NB, PAPER) - found.chance[NB][PAPER].mean(axis=1), rtol=1e-9
    )


def test_areas_are_a_table() -> None:
    found = made_areas(1)
    columns = found._columns()
    assert columns["set"][:2] == ["prom", "prom"]
    assert columns["learner"][:2] == [NB, PET]
    assert columns["paper sd"][3] == found.sd(PET, PAPER)[1]
    assert {len(column) for column in columns.values()} == {2 * len(NAMES)}
    assert "14 sets, 6 runs" in repr(found)


def test_the_plain_test_is_the_paired_t_test_over_runs() -> None:
    found = made_areas(2)
    for question, first, second in (
        ("NB less PET, AUC", found.areas[NB][AUC], found.areas[PET][AUC]),
        ("NB less PET, smAUC", found.areas[NB][PAPER], found.areas[PET][PAPER]),
        ("smAUC less AUC, NB", found.areas[NB][PAPER], found.areas[NB][AUC]),
        ("smAUC less AUC, PET", found.areas[PET][PAPER], found.areas[PET][AUC]),
    ):
        own = significance.per_set(found)[question]
        np.testing.assert_allclose(own.plain, stats.ttest_rel(first, second, axis=1).pvalue, rtol=1e-6)
        np.testing.assert_allclose(own.difference, (first - second).mean(axis=1), rtol=1e-9)


def test_the_corrected_test_allows_for_the_rows_that_folds_share() -> None:
    found = made_areas(4)
    own = significance.per_set(found)["NB less PET, smAUC"]
    for i in range(len(found.sets)):
        d = (found.of_folds[NB][PAPER][i] - found.of_folds[PET][PAPER][i]).ravel()
        statistic = d.mean() / math.sqrt(d.var(ddof=1) * (1 / d.size + 1 / 9))
        assert own.corrected[i] == pytest.approx(2 * stats.t.sf(abs(statistic), d.size - 1), rel=1e-9)


def test_the_plain_test_rejects_too_often_over_runs_of_the_same_rows() -> None:
    """What the notes say of it: rows whose difference is 0 in truth are 'significant' in most samples."""
    random = np.random.default_rng(1)
    of_sample = random.normal(0, 0.01, (400, 1))  # what these rows happen to favour, the same in every run
    runs = of_sample + random.normal(0, 0.003, (400, 10))
    names = tuple(f"s{i}" for i in range(400))
    zero = np.zeros_like(runs)
    folds = {
        AUC: random.normal(runs[..., None], 0.05, (400, 10, N_FOLDS)),
        PAPER: np.zeros((400, 10, N_FOLDS)),
    }
    nothing = {AUC: np.zeros((400, 10, N_FOLDS)), PAPER: np.zeros((400, 10, N_FOLDS))}
    found = Areas("", names, {NB: {AUC: runs, PAPER: zero}, PET: {AUC: zero, PAPER: zero}}, {}, {}, {}, {}, {NB: folds, PET: nothing})  # fmt: skip
    own = significance.per_set(found)["NB less PET, AUC"]
    assert own.n_significant("plain") > 200
    assert own.n_significant("corrected") < 40


def test_spreads_are_compared_by_pitman_and_morgan() -> None:
    found = made_areas(5)
    first, second = found.areas[NB][AUC], found.areas[NB][PAPER]
    wanted = [stats.pearsonr(a + b, a - b).pvalue for a, b in zip(first, second, strict=True)]
    np.testing.assert_allclose(significance.equal_spreads(first, second), wanted, rtol=1e-6)


@pytest.mark.parametrize("n", [1, 2, 5, 25])
def test_signed_ranks_are_those_of_scipy(n) -> None:
    differences = np.random.default_rng(n).normal(0.3, 1, n)
    wanted = stats.wilcoxon(differences, method="exact").pvalue
    assert significance.signed_ranks(differences) == pytest.approx(wanted, rel=1e-12)
    assert significance.signed_ranks(np.append(differences, 0.0)) == pytest.approx(wanted, rel=1e-12)


def test_signed_ranks_of_ties_are_normal_and_of_nothing_defined() -> None:
    tied = np.round(np.random.default_rng(3).normal(0.1, 1, 90), 1)  # more than any SciPy takes exactly
    tied = tied[tied != 0]
    assert significance.signed_ranks(tied) == pytest.approx(stats.wilcoxon(tied).pvalue, rel=1e-9)
    assert significance.signed_ranks(np.zeros(4)) == 1
    assert math.isnan(significance.signed_ranks(np.empty(0)))


def test_over_sets_leaves_out_what_is_not_defined() -> None:
    found = significance.over_sets("q", np.array([1.0, 2.0, np.nan, 3.0]), np.array([0.5, 2.5, 1.0, 1.0]))
    assert (found.n, found.n_lower) == (3, 2)
    assert found.median == -0.5
    assert found.t_pvalue == pytest.approx(stats.ttest_rel([1, 2, 3], [0.5, 2.5, 1]).pvalue)


def test_a_set_without_any_spread_has_no_ratio() -> None:
    found = made_areas(6)
    found.areas[PET][AUC][0] = 1.0
    assert significance.spread_questions(found)["excess over chance / sd, PET"].n == len(found.sets) - 1


# Formulas.


def test_identities_and_numbers_of_the_errata_hold() -> None:
    assert [check for check in formulas.checks() if not check.passed] == []


def test_the_printed_formulas_are_as_printed() -> None:
    scores, labels = formulas.TEN_SCORES, formulas.TEN_LABELS
    theta = quiet_curve(labels, scores).credit
    total = {"as_printed": 0.0, "other_subscript": 0.0, "ties_half": 0.0}
    for i in range(10):
        for j in range(10):
            if scores[i] > scores[j] and i != j:
                total["as_printed"] += theta[i] * (1 - theta[i])
                total["other_subscript"] += theta[i] * (1 - theta[j])
                total["ties_half"] += theta[i] * (1 - theta[j])
            elif scores[i] == scores[j]:
                total["ties_half"] += theta[i] * (1 - theta[j]) / 2
                if i == j:
                    total["as_printed"] += theta[i] * (1 - theta[i]) / 2
                    total["other_subscript"] += theta[i] * (1 - theta[i]) / 2
    found = formulas.pair_formulas(labels, scores)
    for name, value in total.items():
        assert getattr(found, name) == pytest.approx(value / (theta.sum() * (10 - theta.sum())), rel=1e-12)


def test_all_sets_of_zeros_and_ones_were_tried() -> None:
    found = formulas.zero_one()
    n = sum(k + 1 for k in range(1, formulas.LARGEST_CLASS + 1)) ** 2
    assert found.n_inside + found.n_outside == n
    assert found.n_differ_outside == found.n_varied_outside > 0


def test_the_first_movie_is_liked_almost_thirty_percent_more() -> None:
    first, second, *_ = formulas.MOVIE_SCORES
    assert (first, second) == (0.99, 0.7)
    found = formulas.movies()
    assert len(set(np.round(found.slopes, 6))) == 6
    assert found.closer.roc_auc == found.curve.roc_auc


# Figures.


def curves_with_a_mid_above_1() -> dict[str, Any]:
    few = quiet_curve([1, *[0] * 5], [1.0, 1.0, 0.9, 1.0, 0.2, 0.1])
    assert few.mid > 2
    return {NB: [few, few], PET: [quiet_curve([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1])]}


def test_the_paper_s_own_mid_is_on_the_axes_and_so_is_what_lies_above_1() -> None:
    drawing = drawings.draw_mid_profile(curves_with_a_mid_above_1())
    panels = drawing.axes
    assert len({axes.get_ylim() for axes in panels}) == len({axes.get_xlim() for axes in panels}) == 1
    assert panels[0].get_title("left") == "oz8h, naive Bayes, run 1 of 2"
    own = curves_with_a_mid_above_1()[NB][0]
    smauc, _, _, cross = panels[0].get_lines()
    assert cross.get_xydata().tolist() == [[own.mid, own.auc]]
    assert panels[0].get_xlim()[1] > own.mid
    assert smauc.get_xdata()[-1] == panels[0].get_xlim()[1]
    np.testing.assert_allclose(smauc.get_ydata()[-2:], own.auc)


@pytest.mark.parametrize("name", ["draw_figure_6", "draw_mid_profile"])
def test_keys_stay_off_the_edge(name) -> None:
    drawing = getattr(drawings, name)(curves_with_a_mid_above_1())
    drawing.draw_without_rendering()
    for axes in drawing.axes:
        words = [text.get_window_extent() for text in axes.get_legend().get_texts()]
        assert min(box.y0 for box in words) > 0.01 * drawing.bbox.height
        assert max(box.x1 for box in words) < drawing.bbox.width


# Expectations.


def test_expectations_cover_every_set() -> None:
    assert (
        set(EXPECTED["long run"]["sets"]) == set(EXPECTED["weka"]["sets"]) == {own.abbr for own in table_1()}
    )
    assert set(QUICK_SETS) < {own.abbr for own in table_1()}


def test_areas_as_expected_pass_and_every_number_that_is_off_fails() -> None:
    found = expected_areas()
    checks = list(expectations._against_long_run(found, EXPECTED))
    assert [check for check in checks if not check.passed] == []
    names = {check.name: check for check in checks}
    assert len(names) == len(checks) == 2 * (2 * 25 + 3 * 2)
    for check in checks:
        changed = copy.deepcopy(EXPECTED)
        name, rest = check.name.split(", ", 1)
        learner, quantity = rest.split(": ")
        key = next(
            q for q in (AUC, PAPER, HALF, "mid", "permuted, paper") if expectations.said(q) == quantity
        )
        changed["long run"]["sets"][name][learner][key]["mean"] += 1.01 * check.tolerance + 1e-9
        failed = [c.name for c in expectations._against_long_run(found, changed) if not c.passed]
        assert failed == [check.name]


def test_a_tolerance_is_the_spread_over_folds() -> None:
    check = next(c for c in expectations.checks(expected_areas(10), EXPECTED) if c.name == "prom, PET: AUC")
    of_quick = next(c for c in expectations.checks(expected_areas(5), EXPECTED) if c.name == "prom, PET: AUC")
    sd, n = EXPECTED["long run"]["sets"]["prom"][PET][AUC]["sd"], EXPECTED["long run"]["n_runs"]
    assert check.tolerance > 4 * sd * math.sqrt(1 / 10 + 1 / n)
    assert check.tolerance < 6 * sd * math.sqrt(1 / 10 + 1 / n)
    assert of_quick.tolerance > check.tolerance
    assert f"10 and {n} runs" in check.tolerance_from


def test_naive_bayes_on_ozone_is_as_specified() -> None:
    found = expected_areas()
    own = [c for c in expectations.checks(found, EXPECTED) if c.section == "As specified"]
    assert len(own) == 4
    assert all(c.passed for c in own)
    found.mid[NB][found.place("oz8h")] = 0.5
    assert [
        c.name for c in expectations.checks(found, EXPECTED) if c.section == "As specified" and not c.passed
    ] == ["oz8h, NB: Mid"]


def test_the_gap_to_weka_is_told_set_by_set() -> None:
    found = expected_areas()
    gaps = dict(expectations.weka_gaps(found, EXPECTED, NB, AUC))
    assert gaps["prom"] == pytest.approx(found.mean(NB, AUC)[0] - 0.9686009, abs=1e-6)
    (table,) = [t for t in (tables.beside_weka(found),) if t.caption]
    assert len(table.sections[0][1]) == 25


# Weka's scores.


@pytest.fixture(scope="module")
def from_weka(data_folder) -> Areas:
    path, problem = weka.find(data_folder)
    assert problem == ""
    assert path is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(one_run, "N_PERMUTATIONS", 1)  # not looked at here
        return weka.areas(path)


def test_areas_of_wekas_scores_are_what_another_program_made_of_them(from_weka) -> None:
    checks = expectations.weka_checks(from_weka, EXPECTED)
    assert len(checks) == 12
    json.dumps([check.to_dict() for check in checks], allow_nan=False)
    assert [check for check in checks if not check.passed] == []


def test_the_tree_has_the_lower_spread_in_smauc_on_most_sets_of_weka(from_weka) -> None:
    assert (from_weka.sd(PET, PAPER) < from_weka.sd(PET, AUC)).sum() > len(from_weka.sets) / 2
    assert from_weka.mid[NB][from_weka.place("oz8h")].mean() == pytest.approx(2.92, abs=0.01)


def test_a_damaged_file_of_weka_is_said(tmp_path) -> None:
    assert weka.find(None) == weka.find(tmp_path) == (None, "")
    (tmp_path / "weka_cv_scores.parquet").write_bytes(b"PAR1")
    path, problem = weka.find(tmp_path)
    assert path is None
    assert "sha256" in problem


# The whole.


@pytest.fixture
def tiny(tmp_path, monkeypatch) -> Any:
    """Four tiny sets under real names, with the expectations that they fulfil."""
    data = tmp_path / "data"
    sets = tuple(
        tiny_set(name, data, share=share) for name, share in (("prom", 0.5), ("echo", 0.3), ("oz8h", 0.2))
    )
    monkeypatch.setattr(whole, "table_1", lambda: sets)
    monkeypatch.setattr(whole, "N_RUNS", 3)
    monkeypatch.delenv("ROCSTEADY_DATA", raising=False)
    return sets, data


def pretend_expected(monkeypatch, found: Areas) -> None:
    stored = copy.deepcopy(EXPECTED)
    for name, readings in found.readings().items():
        stored["long run"]["sets"][name] = readings
        stored["weka"]["sets"][name] = {
            learner: {space: readings[learner][space] for space in (AUC, PAPER, HALF)} for learner in LEARNERS
        }
    monkeypatch.setattr(expectations, "stored", lambda: stored)


def test_the_whole_with_tiny_sets(tiny, tmp_path, monkeypatch) -> None:
    _, data = tiny
    told: list[int] = []
    options: Any = {"data": data, "cache": tmp_path / "cache", "workers": 1}
    first = whole.reproduce_smroc(**options, progress=lambda done, *_: told.append(done))
    assert told == list(range(10))
    assert first.areas.sets == ("prom", "echo", "oz8h")
    assert first.over_sets["sd, PET"].n == 3
    assert "As specified" in {check.section for check in first.checks.failed}  # a tiny set is not oz8h
    pretend_expected(monkeypatch, first.areas)
    again = whole.reproduce_smroc(**options, progress=lambda done, *_: told.append(done))
    assert told[10:] == [9]  # nothing was done again
    assert {check.section for check in again.checks.failed} <= {"As specified"}
    plain = again.to_dict()
    assert json.loads(json.dumps(plain, allow_nan=False))["areas"]["sets"] == ["prom", "echo", "oz8h"]
    assert plain["areas"] == first.to_dict()["areas"]
    assert again.damaged == ()
    assert [said for said in again.skipped if "weka" in said.casefold() or "at least 12" in said] == list(
        again.skipped
    )
    assert len(again.tests) == 4
    assert tuple(again._drawings) == whole.FIGURES
    assert set(picture_files(whole.FIGURES)) < set(whole.picture_names())
    for draw in again._drawings.values():
        assert rendered(draw(), "png").startswith(b"\x89PNG")
    assert [len(table.sections) for table in again.tables()] == [1, 2, 2, 1, 1, 1]
    assert [row[:3] for row in again.tables()[0].sections[0][1]][-1] == ("oz8h: ozone eighthr", "2 534", "6")


def test_a_damaged_set_is_left_out_and_the_others_go_on(tiny, tmp_path) -> None:
    _, data = tiny
    path = data / "uci" / "oz8h.csv"
    path.write_bytes(path.read_bytes()[:-2])
    (data / "uci" / "echo.csv").unlink()
    found = whole.reproduce_smroc(data=data, cache=tmp_path / "cache", workers=1)
    assert found.areas.sets == ("prom",)
    assert len(found.damaged) == 2
    assert "oz8h" in found.damaged[0]
    assert "uci/echo.csv is not in" in found.damaged[1]
    assert not [check for check in found.checks.entries if check.section == "Beside Weka"]
    assert [said for said in found.skipped if "at least 12" in said]
    assert not [claim for claim in found.claims if "oz8h" in claim.claim]
    assert "figure_6" not in found._drawings
    assert "figure_7" in found._drawings
    json.dumps(found.to_dict(), allow_nan=False)


def test_without_data_the_rest_is_computed_and_the_files_are_named(tiny) -> None:
    found = whole.reproduce_smroc()
    assert found.areas is None
    assert found.checks.failed == ()
    assert len(found.claims) == 9
    assert all(f"uci/{name}.csv" in found.skipped[0] for name in ("prom", "echo", "oz8h"))
    assert found.damaged == ()
    assert found.tables() == []
    assert set(found._drawings) == {"figure_2", "figure_3"}
    assert found.to_dict()["areas"] is None


def test_a_folder_that_does_not_exist_is_said_before_any_work(tiny, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(whole, "run_experiment", lambda *_, **__: pytest.fail("work was done"))
    with pytest.raises(MissingFileError, match="RS051"):
        whole.reproduce_smroc(data=tmp_path / "nowhere")
    with pytest.raises(UsageError, match="RS001"):
        whole.reproduce_smroc(quick="no")


def test_quick_takes_fewer_sets_and_runs(tiny, tmp_path, monkeypatch) -> None:
    sets, data = tiny
    extra = tiny_set("adlt", data)
    monkeypatch.setattr(whole, "table_1", lambda: (*sets, extra))
    asked: list[Any] = []
    monkeypatch.setattr(whole, "run_experiment", lambda s, paths, n, **_: asked.append((s, n)))
    monkeypatch.setattr(whole, "_assembled", lambda *_: None)
    for quick in (True, False):
        whole.reproduce_smroc(quick=quick, data=data, cache=tmp_path)
    assert asked == [(sets, 5), ((*sets, extra), 3)]


def test_the_note_of_the_cache_is_passed_on(tiny, monkeypatch) -> None:
    _, data = tiny
    monkeypatch.setattr(whole, "open_cache", lambda named: Cache(None, "nothing is kept"))
    found = whole.reproduce_smroc(data=data, workers=1)
    assert "nothing is kept" in found.notes
