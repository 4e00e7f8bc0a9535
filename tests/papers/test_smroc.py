"""The reproduction of Klement and others: analysis, tests, formulas, figures, expectations, the whole."""

from __future__ import annotations

import copy
import json
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from papers.smroc import areas as analysis
from papers.smroc import formulas, run, runs, shown
from papers.smroc.areas import SPACES, Areas, areas_of_weka, find_weka
from papers.smroc.run import LEARNERS
from papers.smroc.runs import AUC, HALF, MIDS, NB, PAPER, PET, quiet_curve
from papers.smroc.sets import table_1
from rocsteady.errors import MissingFileError, UsageError
from rocsteady.figures.matplotlib import figure
from rocsteady.figures.spec import Line, Picture
from rocsteady.text import ML
from smroc_sets import NAMES, made_areas, tiny_set

EXPECTED = run.stored(run.__file__)
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib")


def expected_areas(n_runs: int = 10) -> Areas:
    """Areas whose means are exactly the stored ones."""
    sets = EXPECTED["long run"]["sets"]

    def stored(learner: str, quantity: str) -> Any:
        means = [of_set[learner].get(quantity, {"mean": 0.8})["mean"] for of_set in sets.values()]
        return np.tile(np.array(means)[:, None], (1, n_runs))

    quantities = (*SPACES, "mid", *(f"permuted, {name}" for name in MIDS))
    return Areas("stored", tuple(sets), {own: {q: stored(own, q) for q in quantities} for own in LEARNERS})


# Means, spreads, tests.


def test_means_spreads_and_differences_are_over_runs() -> None:
    found = made_areas(1)
    for learner in LEARNERS:
        for space in SPACES:
            values = found.values[learner][space]
            np.testing.assert_allclose(found.mean(learner, space), [np.mean(v) for v in values], rtol=1e-13)
            np.testing.assert_allclose(
                found.sd(learner, space), [np.std(v, ddof=1) for v in values], rtol=1e-9
            )
    nb, pet = (found.values[own][PAPER] for own in (NB, PET))
    np.testing.assert_array_equal(found.difference(PAPER), nb - pet)
    np.testing.assert_array_equal(found.difference(PAPER, PET, NB), pet - nb)
    np.testing.assert_allclose(found.excess(NB, AUC), found.mean(NB, AUC) - 0.5)
    chance = found.values[NB][f"chance, {PAPER}"].mean(axis=1)
    np.testing.assert_allclose(found.excess(NB, PAPER), found.mean(NB, PAPER) - chance, rtol=1e-9)


def test_areas_are_a_table() -> None:
    found = made_areas(1)
    columns = found._columns()
    assert columns["set"][:2] == ("prom", "prom")
    assert columns["learner"][:2] == (NB, PET)
    assert columns["smAUC paper sd"][3] == found.sd(PET, PAPER)[1]
    assert {len(column) for column in columns.values()} == {2 * len(NAMES)}
    assert "14 sets, 6 runs" in repr(found)


def test_the_plain_test_is_the_paired_t_test_over_runs() -> None:
    found = made_areas(2)
    for question, (learner, space), (other, second_space) in (
        ("NB less PET, AUC", (NB, AUC), (PET, AUC)),
        ("NB less PET, smAUC", (NB, PAPER), (PET, PAPER)),
        ("smAUC less AUC, NB", (NB, PAPER), (NB, AUC)),
        ("smAUC less AUC, PET", (PET, PAPER), (PET, AUC)),
    ):
        first, second = found.values[learner][space], found.values[other][second_space]
        own = analysis.per_set(found)[question]
        np.testing.assert_allclose(own.plain, stats.ttest_rel(first, second, axis=1).pvalue, rtol=1e-6)
        np.testing.assert_allclose(own.difference, (first - second).mean(axis=1), rtol=1e-9)


def test_the_corrected_test_allows_for_the_rows_that_folds_share() -> None:
    found = made_areas(4)
    own = analysis.per_set(found)["NB less PET, smAUC"]
    nb, pet = (found.values[learner]["fold smauc"] for learner in (NB, PET))
    for i in range(len(found.sets)):
        d = (nb[i] - pet[i]).ravel()
        statistic = d.mean() / math.sqrt(d.var(ddof=1) * (1 / d.size + 1 / 9))
        assert own.corrected[i] == pytest.approx(2 * stats.t.sf(abs(statistic), d.size - 1), rel=1e-9)


def test_spreads_are_compared_by_pitman_and_morgan() -> None:
    found = made_areas(5)
    first, second = found.values[NB][AUC], found.values[NB][PAPER]
    wanted = [stats.pearsonr(a + b, a - b).pvalue for a, b in zip(first, second, strict=True)]
    np.testing.assert_allclose(analysis.equal_spreads(first, second), wanted, rtol=1e-6)


def test_over_sets_leaves_out_what_is_not_defined() -> None:
    found = analysis.over_sets("q", np.array([1.0, 2.0, np.nan, 3.0]), np.array([0.5, 2.5, 1.0, 1.0]))
    assert (found.n, found.n_lower, found.median) == (3, 2, -0.5)
    assert found.t_pvalue == pytest.approx(stats.ttest_rel([1, 2, 3], [0.5, 2.5, 1]).pvalue)


# Figures and tables.


def curves_with_a_mid_above_1() -> dict[str, Any]:
    few = quiet_curve([1, *[0] * 5], [1.0, 1.0, 0.9, 1.0, 0.2, 0.1])
    assert few.mid > 2
    return {NB: [few, few], PET: [quiet_curve([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1])]}


def marks_of(picture: Picture, kind: type, panel: int = 0) -> list[Any]:
    return [mark for mark in picture.panels[panel].marks if isinstance(mark, kind)]


@pytest.mark.parametrize("draw", [shown.picture_of_curves, shown.picture_of_mids])
def test_keys_stay_off_the_edge(draw) -> None:
    drawing = figure(draw("oz8h", curves_with_a_mid_above_1()), ML)
    drawing.draw_without_rendering()
    for axes in drawing.axes:
        words = [text.get_window_extent() for text in axes.get_legend().get_texts()]
        assert min(box.y0 for box in words) >= 0
        assert max(box.x1 for box in words) <= drawing.bbox.width


def test_figure_3_has_a_step_of_all_four_kinds() -> None:
    picture = formulas.picture_3()
    ends = [(panel.marks[1].x[-1], panel.marks[1].y[-1]) for panel in picture.panels]
    np.testing.assert_allclose(ends, [(0.2, 0.8), (0.8, 0.2), (0.3, 0.7), (0.7, 0.3)])
    titles = [panel.title.spell(ML) for panel in picture.panels]
    assert [title.split(": ")[1] for title in titles] == ["appropriate"] * 2 + ["inappropriate"] * 2
    assert [title[:8] for title in titles] == ["positive", "negative"] * 2


def test_sets_are_in_the_order_of_the_spread_and_those_with_a_mid_above_1_are_shaded() -> None:
    found = made_areas(3)
    picture = shown.picture_of_similar(found, NB)
    spreads = marks_of(picture, Line)[0].y
    assert (np.diff(spreads) <= 0).all()
    names = [name.spell(ML) for name in picture.panels[0].x.names]
    assert sorted(names) == sorted(found.sets)
    assert names[0] == found.sets[int(found.sd(NB, AUC).argmax())]
    spans = [mark for mark in picture.panels[1].marks if type(mark).__name__ == "Span"]
    assert len(spans) == int((found.mean(NB, "mid") > 1).sum())


def test_every_number_of_figures_4_5_and_7_is_in_a_table() -> None:
    found = made_areas(1)
    made = shown.tables(found, {PET: "Figure 4: ", NB: "Figure 5: ", "difference": "Figure 7: "})
    by_figure = {table.caption.partition(":")[0]: table for table in made}
    for figure_, learner in (("Figure 4", PET), ("Figure 5", NB)):
        columns = [function(learner, space) for space in (AUC, PAPER) for function in (found.mean, found.sd)]
        rows = by_figure[figure_].rows
        assert [row[0] for row in rows] == list(found.sets)
        np.testing.assert_allclose(np.array([row[1:] for row in rows], float).T, columns, atol=5.1e-5)
    assert made[-1].caption.startswith("Over sets")
    assert not any(table.caption.startswith("Over sets") for table in shown.tables(made_areas(1, NAMES[:5])))
    difference = {row[0]: row[1:] for row in by_figure["Figure 7"].rows}
    for i, name in enumerate(found.sets):
        for column, space in ((0, AUC), (4, PAPER)):
            own = found.difference(space)[i]
            told = [float(cell) for cell in difference[name][column : column + 2]]
            np.testing.assert_allclose(told, [own.mean(), own.std(ddof=1)], atol=5.1e-5)


def test_table_1_is_that_of_the_paper_with_our_copies_beside() -> None:
    rows = {row[0]: row for row in shown.table_of_sets([own.abbr for own in table_1()]).rows}
    assert len(rows) == 26
    assert rows["prom"] == ("prom", "promoters", "106", "53", "53", "57", "50", "the same")
    assert rows["echo"][2:] == ("132", "43", "88", "7", "33", "131 (43 + 88), 7 features")
    assert rows["ads"][-1] == "not available"
    assert shown.table_of_sets(["prom"]).rows[1][-1] == "not in this run"


# Expectations.


def test_areas_as_expected_pass_and_every_number_that_is_off_fails() -> None:
    found = expected_areas()
    checks = [c for c in run.long_run_checks(found, EXPECTED) if c.section == "Means over runs"]
    assert [check for check in checks if not check.passed] == []
    assert len({check.name for check in checks}) == len(checks) == 2 * (2 * 25 + 3 * 2)
    for check in checks:
        changed = copy.deepcopy(EXPECTED)
        name, rest = check.name.split(", ", 1)
        learner, quantity = rest.split(": ")
        key = next(q for q in (AUC, PAPER, HALF, "mid", "permuted, paper") if run.said(q) == quantity)
        changed["long run"]["sets"][name][learner][key]["mean"] += 1.01 * check.tolerance + 1e-9
        again = run.long_run_checks(found, changed, is_complete=False)
        assert [c.name for c in again if not c.passed] == [check.name]


# Weka's scores.


@pytest.fixture(scope="module")
def from_weka(data_folder) -> Areas:
    path, problem = find_weka(data_folder)
    assert problem == ""
    assert path is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "N_PERMUTATIONS", 1)  # not looked at here
        return areas_of_weka(path)


def test_areas_of_wekas_scores_are_what_another_program_made_of_them(from_weka) -> None:
    checks = run.weka_checks(from_weka, EXPECTED)
    assert len(checks) == 12
    json.dumps([check.to_dict() for check in checks], allow_nan=False)
    assert [check for check in checks if not check.passed] == []


def test_a_damaged_file_of_weka_is_said(tmp_path) -> None:
    assert find_weka(None) == find_weka(tmp_path) == (None, "")
    (tmp_path / "weka_cv_scores.parquet").write_bytes(b"PAR1")
    path, problem = find_weka(tmp_path)
    assert path is None
    assert "sha256" in problem


# The whole.


@pytest.fixture
def tiny(tmp_path, monkeypatch) -> Any:
    """Tiny sets under real names."""
    data = tmp_path / "data"
    shares = {"prom": 0.5, "echo": 0.3, "oz8h": 0.2}
    sets = tuple(tiny_set(name, data, share=share) for name, share in shares.items())
    monkeypatch.setattr(run, "table_1", lambda: sets)
    monkeypatch.setattr(run, "N_RUNS", 3)
    for name in ("ROCSTEADY_DATA", "ROCSTEADY_CACHE"):
        monkeypatch.delenv(name, raising=False)
    return sets, data


def pretend_expected(monkeypatch, found: Areas) -> None:
    stored = copy.deepcopy(EXPECTED)
    for name, readings in found.readings().items():
        stored["long run"]["sets"][name] = readings
        stored["weka"]["sets"][name] = {
            learner: {space: readings[learner][space] for space in (AUC, PAPER, HALF)} for learner in LEARNERS
        }
    monkeypatch.setattr(run, "stored", lambda _: stored)


def test_the_whole_with_tiny_sets(tiny, tmp_path, monkeypatch) -> None:
    _, data = tiny
    told: list[int] = []
    options: Any = {"data": data, "cache": tmp_path / "cache", "workers": 1}
    first = run.reproduce_smroc(**options, progress=lambda done, *_: told.append(done))
    assert told == list(range(10))
    areas = first.numbers["areas"]
    assert areas.sets == ("prom", "echo", "oz8h")
    assert "As specified" in {check.section for check in first.failed}  # a tiny set is not oz8h
    pretend_expected(monkeypatch, areas)
    again = run.reproduce_smroc(**options, progress=lambda done, *_: told.append(done))
    assert told[10:] == [9]  # nothing was done again
    assert {check.section for check in again.failed} <= {"As specified"}
    plain = json.loads(json.dumps(again.to_dict(), allow_nan=False))
    assert plain["numbers"]["areas"] == json.loads(json.dumps(areas.to_dict()))
    assert len(plain["numbers"]["tests"]["of sets"]) == 4
    assert {own["question"]: own["n"] for own in plain["numbers"]["tests"]["over sets"]}["sd, PET"] == 3
    assert again.damaged == ()
    assert all("weka" in said.casefold() or "at least 12" in said for said in again.skipped)
    assert [own.name for own in again.figures] == list(run.FIGURES[:7])
    for own in again.figures:
        assert own.caption
        assert own.differs
        assert all(content for _, content in own.pictures())
    captions = " ".join(table.caption for table in again.tables)
    for words in ("Table 1", "Figure 4", "Figure 5", "Figure 7", "Appropriate scores", "Weka"):
        assert words in captions


def test_a_damaged_set_is_left_out_and_the_others_go_on(tiny) -> None:
    _, data = tiny
    path = data / "uci" / "oz8h.csv"
    path.write_bytes(path.read_bytes()[:-2])
    (data / "uci" / "echo.csv").unlink()
    found = run.reproduce_smroc(data=data, workers=1)
    assert found.numbers["areas"].sets == ("prom",)
    assert len(found.damaged) == 2
    assert "oz8h" in found.damaged[0]
    assert "uci/echo.csv is not in" in found.damaged[1]
    assert not [check for check in found.checks if check.section == "Beside Weka"]
    assert [said for said in found.skipped if "at least 12" in said]
    assert not [claim for claim in found.claims if "oz8h" in claim.claim]
    names = [own.name for own in found.figures]
    assert "figure_6" not in names
    assert "figure_7" in names
    json.dumps(found.to_dict(), allow_nan=False)


def test_without_data_the_rest_is_computed_and_the_files_are_named(tiny) -> None:
    found = run.reproduce_smroc()
    assert found.numbers["areas"] is None
    assert found.failed == found.damaged == found.tables == ()
    assert len(found.claims) == 9
    assert all(f"uci/{name}.csv" in found.skipped[0] for name in ("prom", "echo", "oz8h"))
    assert [own.name for own in found.figures] == ["figure_2", "figure_3"]


def test_a_folder_that_does_not_exist_is_said_before_any_work(tiny, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(run, "run_experiment", lambda *_, **__: pytest.fail("work was done"))
    with pytest.raises(MissingFileError, match="RS051"):
        run.reproduce_smroc(data=tmp_path / "nowhere")
    with pytest.raises(UsageError, match="RS001"):
        run.reproduce_smroc(quick="no")


def test_quick_takes_fewer_sets_and_runs(tiny, monkeypatch) -> None:
    sets, data = tiny
    extra = tiny_set("adlt", data)
    monkeypatch.setattr(run, "table_1", lambda: (*sets, extra))
    asked: list[Any] = []
    monkeypatch.setattr(run, "run_experiment", lambda s, paths, n, **_: asked.append((s, n)) or (None, {}))
    for quick in (True, False):
        run.reproduce_smroc(quick=quick, data=data)
    assert asked == [(sets, 5), ((*sets, extra), 3)]


def test_expectations_can_be_made_again(tiny, monkeypatch) -> None:
    """The same keys; the numbers are those of a longer run, and of other sets."""
    sets, data = tiny
    (data / "golden").mkdir()
    columns = {
        f"{own}_{name}_{what}": 0.5
        for own in LEARNERS
        for name in run.IN_WEKA.values()
        for what in ("mean", "sd")
    }
    rows = [{"set": own.abbr, **columns} for own in sets]
    (data / run.WEKA_NUMBERS).write_text(json.dumps({"summary": rows}))
    again = run.rounded(run.expected(data, n_runs=2))
    for kind in ("long run", "weka"):
        for own in sets:
            old, new = (numbers[kind]["sets"][own.abbr] for numbers in (EXPECTED, again))
            assert {q: sorted(pair) for q, pair in old[NB].items()} == {
                q: sorted(p) for q, p in new[NB].items()
            }
