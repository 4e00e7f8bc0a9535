"""The experiment of the smROC paper on data and learners of the user's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.svm import LinearSVC

import rocsteady as rs
from papers import smroc
from papers.learners import NaiveBayes
from papers.smroc import experiment, own
from papers.smroc.runs import AUC, HALF, NB, PAPER, PET
from rocsteady.errors import DataError, FileError, LabelError, MissingFileError, RocsteadyError, UsageError
from rocsteady.words import printable

N = 90


def rows(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    y = np.arange(N) % 3 == 0
    return random.normal(size=(N, 3)) + y[:, None], y


def table() -> dict[str, list[Any]]:
    """A number with a gap, a name with a gap, and the class."""
    X, y = rows()
    ages: list[Any] = [f"{value:.3f}" for value in X[:, 0]]
    towns = ["Rome" if value > 0 else "<b>Ulm" for value in X[:, 1]]
    ages[4], towns[5] = "", "?"
    return {"age": ages, "town": towns, "outcome": ["ill" if own else "well" for own in y]}


QUICK: dict[str, Any] = {"runs": 2, "folds": 3, "workers": 1}


@pytest.fixture(scope="module")
def study() -> own.Study:
    return experiment({"a": rows(0), "b": rows(1)}, **QUICK)


def scores_of(study: own.Study, name: str, learner: str, run: int) -> np.ndarray:
    """The scores of a run, in the order of the rows."""
    frame = study.score_set(name).model(learner).to_frame("pandas")
    frame = frame[frame["fold"].str.endswith(f"repeat {run}")]
    return frame.assign(row=frame["case"].astype(int)).sort_values("row")["score"].to_numpy()


def test_areas_are_those_of_models_fitted_without_the_fold(study) -> None:
    X, y = rows(0)
    found = study.score_set("a")
    assert (found.models, len(found.groups), found.design.kind) == ((NB, PET), 6, "cross-validation")
    for learner in (NB, PET):
        wanted = [rs.auc(y, scores_of(study, "a", learner, number)) for number in (1, 2)]
        np.testing.assert_allclose(study.areas.values[learner][AUC][0], wanted, rtol=1e-12)
    split = PredefinedSplit(rs.scores.stratified_folds(y, 3, seed=1))
    wanted = cross_val_predict(NaiveBayes(), X, y, cv=split, method="predict_proba")[:, 1]
    np.testing.assert_allclose(scores_of(study, "a", NB, 1), wanted, rtol=1e-12)


@pytest.mark.filterwarnings("ignore::rocsteady.errors.RocsteadyWarning")  # of few folds: RS298, RS299
def test_new_rows_are_judged_by_the_product_s_own_comparison(study) -> None:
    new = {row[:2]: row[2:] for row in study.tables[-1].rows}
    between = rs.compare_smauc(study.score_set("b"), NB, PET, mid=0.5)
    assert new["b", "NB less PET"][0] == f"{between.smauc.difference:+.3f}"
    assert new["b", "NB less PET"][2] == f"{between.smauc.pvalue:.2g}"
    alone = rs.summarize_smauc(study.score_set("b").model(NB), mid=0.5)
    assert new["b", NB][:2] == (
        f"{alone.estimate:.3f}",
        f"{alone.interval.low:.3f} to {alone.interval.high:.3f}",
    )


@pytest.mark.filterwarnings("ignore::rocsteady.errors.RocsteadyWarning")
def test_over_three_data_sets_it_is_they_that_are_random() -> None:
    found = experiment({name: rows(i) for i, name in enumerate("abc")}, **QUICK)
    whole = found.score_set()
    assert (whole.unit, whole.groups, whole.design.kind) == ("data set", ("a", "b", "c"), "independent")
    between = rs.compare_smauc(whole, NB, PET, mid=0.5)
    values = [
        rs.smroc_curve(rows(i)[1], scores_of(found, name, own_, 1), mid=0.5).auc
        for i, name in enumerate("abc")
        for own_ in (NB, PET)
    ]
    differences = np.array(values[::2]) - np.array(values[1::2])
    assert between.smauc.difference == pytest.approx(differences.mean())
    assert between.smauc.pvalue == pytest.approx(stats.ttest_1samp(differences, 0).pvalue, rel=1e-6)
    last = found.tables[-1].rows[-1]
    assert last[:3] == ("all", "NB less PET", f"{differences.mean():+.3f}")
    assert "RS299" in found.tables[-1].caption


def test_a_study_is_plain_data_a_frame_and_a_page(study) -> None:
    assert repr(study) == "Study(2 sets, 2 runs of 3 folds, learners NB and PET)"
    json.dumps(study.to_dict(), allow_nan=False)
    frame = study.areas.to_frame("pandas")
    assert len(frame) == 4
    assert not [column for column in frame if column.startswith(("paper", "half", "clipped"))]
    np.testing.assert_array_equal(
        frame["smAUC half mean"][:2], [study.areas.mean(own_, HALF)[0] for own_ in (NB, PET)]
    )
    assert rs.table(study) == rs.table(study.areas)
    found = study.reproduction()
    assert [figure.name for figure in found.figures] == list(own.FIGURES)
    assert all(content for figure in found.figures for _, content in figure.pictures())
    assert (found.claims, found.checks, len(found.tables)) == ((), (), len(study.tables))


def test_learners_of_the_user_s_own_take_part() -> None:
    learners = {
        "forest": RandomForestClassifier(10, random_state=0),
        "bayes": NaiveBayes(),
        "stump": RandomForestClassifier(2, max_depth=1),
    }
    found = experiment({"a": rows()}, learners=learners, **QUICK)
    assert found.areas.learners == tuple(learners)
    differences = [
        table.caption for table in found.tables if " less " in table.caption and "run by run" in table.caption
    ]
    assert len(differences) == 3
    plain = experiment({"a": rows()}, **QUICK)
    np.testing.assert_array_equal(found.areas.values["bayes"][PAPER], plain.areas.values[NB][PAPER])


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame])
def test_tables_of_any_kind_give_the_same_numbers(make) -> None:
    found = own._rows("mine", make(table()), label="outcome", positive="ill", nominal=())
    ages, towns = found.features.T
    assert found.nominal == (1,)
    assert found.is_positive.tolist() == rows()[1].tolist()
    assert np.flatnonzero(np.isnan(ages)).tolist() == [4]
    assert np.flatnonzero(np.isnan(towns)).tolist() == [5]
    assert set(towns[~np.isnan(towns)]) == {0, 1}


def test_numbers_may_be_codes_and_names_cannot_be_numbers() -> None:
    X, y = rows()
    assert own._rows("mine", (X, y), label=None, positive=None, nominal=[2]).nominal == (2,)
    frame = pd.DataFrame({"a": [1, 2, None] * 30, "b": [True, False, True] * 30, "class": y.astype(int)})
    found = own._rows("mine", frame, label="class", positive=None, nominal=["a"])
    assert found.nominal == (0,)
    assert np.isnan(found.features[:, 0]).sum() == 30


def write(path, columns: dict[str, list[Any]]) -> Any:
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_file_is_a_table(tmp_path) -> None:
    path = write(tmp_path / "mine.csv", table())
    found, other = (
        own._rows("mine", given, label="outcome", positive="ill", nominal=()) for given in (path, table())
    )
    np.testing.assert_array_equal(found.features, other.features)
    whole = own.study_of_files([path], "outcome", positive="ill", quick=True)
    assert whole.tables[0].rows == (("mine", "90", "30", "60", "2", "1", "33", "2"),)
    with pytest.raises(LabelError, match="RS020"):  # which of the two is positive is not guessed
        own.study_of_files([path], "outcome")


@pytest.mark.parametrize(
    ("data", "options", "kind", "code"),
    [
        ([rows()], {}, UsageError, "RS002"),
        ({}, {}, UsageError, "RS002"),
        ({"mine": table()}, {}, UsageError, "RS002"),
        ({"mine": table()}, {"label": "outcom"}, RocsteadyError, "RS011"),
        ({"mine": rows()}, {"nominal": [7]}, RocsteadyError, "RS011"),
        ({"mine": (rows()[0], rows()[1][:-1])}, {}, RocsteadyError, "RS013"),
        ({"mine": (rows()[0], np.arange(N) % 3)}, {}, LabelError, "RS02"),
        ({"mine": (rows()[0], np.ones(N))}, {}, DataError, "RS024"),
        ({1: rows(), "1": rows()}, {}, UsageError, "RS002"),
        ({"mine": rows()}, {"runs": 1}, UsageError, "RS042"),
        ({"mine": rows()}, {"folds": 50}, LabelError, "RS046"),
        ({"mine": rows()}, {"learners": {"svm": LinearSVC()}}, UsageError, "RS045"),
        ({"mine": rows()}, {"learners": {"class": NaiveBayes}}, UsageError, "RS045"),
        ({"mine": "nowhere.csv"}, {"label": "x"}, MissingFileError, "RS051"),
    ],
)
def test_what_cannot_be_used_is_said_with_a_way_out(data, options, kind, code) -> None:
    with pytest.raises(kind, match=code) as caught:
        experiment(data, **{**QUICK, **options})
    assert caught.value.lines()


@pytest.mark.parametrize(
    ("name", "content", "kind", "code"),
    [
        ("short.csv", "a,outcome\n1,0\n2\n", FileError, "RS053"),
        ("twice.csv", "a,a\n1,0\n", RocsteadyError, "RS012"),
        ("empty.csv", "", DataError, "RS010"),
        ("lines.jsonl", '{"a": 1}\n', FileError, "RS054"),
    ],
)
def test_another_file_is_refused(tmp_path, name, content, kind, code) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(kind, match=code):
        own.read_own(tmp_path / name)


def test_an_unknown_set_is_named_with_those_there_are(study) -> None:
    with pytest.raises(UsageError, match=r"(?s)RS002.*data sets: a and b"):
        study.score_set("c")


def test_a_stopped_experiment_goes_on_only_where_that_was_asked_for(tmp_path, monkeypatch) -> None:
    monkeypatch.delenv("ROCSTEADY_CACHE", raising=False)
    told: list[int] = []

    def tell(done: int, total: int, what: str) -> None:
        told.append(done)

    for cache in (None, None, tmp_path, tmp_path):
        experiment({"a": rows()}, cache=cache, progress=tell, **QUICK)
    assert told == [0, 1, 2, 0, 1, 2, 0, 1, 2, 2]


def test_the_command_runs_it_and_writes_a_page(call, tmp_path) -> None:
    path = write(tmp_path / "mine.csv", table())
    options = ("smroc", "--quick", "--data-set", path, "--class", "outcome", "--positive", "ill")
    shown = call(*options, "-o", tmp_path / "out")
    assert shown.code == 0, shown.err
    for words in ("Appropriate scores", "smAUC", "new rows"):
        assert words in shown.out
    page = (tmp_path / "out" / "claims.html").read_text(encoding="utf-8")
    assert "data of your own: mine" in page
    assert 'src="similar_1.png"' in page
    assert "claims:" not in page
    assert "about" not in shown.err
    written = (tmp_path / "out" / "claims.md").read_text(encoding="utf-8")
    assert "5 runs of 10-fold cross-validation. Here: as Figures 4 and 5" in written
    assert "Nadeau & Bengio" in written
    table_1 = "| set | n | + | − | features | nominal | % + | missing cells |"
    assert written.index(table_1) < written.index("average and standard deviation")
    assert "<b>Ulm" not in page
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == sorted(
        [
            "claims.html",
            "claims.md",
            "results.json",
            *(f"{name}.{kind}" for name in own.FIGURES for kind in ("png", "pdf")),
        ]
    )
    assert call(*options, "-o", tmp_path / "out").code == 2  # nothing is replaced unasked


PARTS = st.sampled_from(["a", "b", "data.csv", "data.tsv", "other.csv", "x\n", "x\\n"])


@given(st.lists(st.lists(PARTS, min_size=1, max_size=3).map("/".join), max_size=5, unique=True))
@example(["a/data.csv", "b/data.csv"])
@example(["data.csv", "data.tsv", "a/data.csv"])
def test_every_file_has_a_name_or_none_is_taken(files: list[str]) -> None:
    if len({printable(file) for file in files}) < len(files):  # control characters are spelled out
        with pytest.raises(UsageError, match="RS002"):
            own.names_of(files)
        return
    names = own.names_of(files)
    assert len(set(names)) == len(files)
    stems = [printable(Path(file).name.partition(".")[0]) for file in files]
    for name, stem in zip(names, stems, strict=True):
        assert (name == stem) == (stems.count(stem) == 1)


def test_two_files_of_one_name_are_two_sets_and_one_file_is_not(call, tmp_path) -> None:
    files = [tmp_path / folder / "data.csv" for folder in "ab"]
    for file in files:
        file.parent.mkdir()
        write(file, table())
    options = ("smroc", "--quick", "--class", "outcome", "--positive", "ill", "-o", tmp_path / "out")
    assert own.names_of(files) == ["a/data", "b/data"]
    shown = call(*options, "--data-set", files[0], "--data-set", files[1])
    assert shown.code == 0, shown.err
    assert "data of your own: a/data and b/data" in (tmp_path / "out" / "claims.md").read_text()
    shown = call(*options, "--overwrite", "--data-set", files[0], "--data-set", tmp_path / "b/../a/data.csv")
    assert (shown.code, "RS002" in shown.err) == (2, True)
    assert "is there twice" in " ".join(shown.err.split())


def test_the_class_is_asked_for_by_its_option(call, tmp_path) -> None:
    path = write(tmp_path / "mine.csv", table())
    shown = call("smroc", "--data-set", path, "--class", "outcom", "-o", tmp_path / "out")
    assert shown.code == 2
    assert "did you mean  --class outcome ?" in shown.err
    said = " ".join(call("smroc", "--data-set", path, "-o", tmp_path / "out").err.split())
    assert "RS002 --class is missing. 1 data set without" in said


def test_what_is_public_is_seen() -> None:
    assert {"Study", "experiment"} <= set(dir(smroc))


@pytest.mark.parametrize(
    "options",
    [
        ("slides", "--data-set", "x.csv", "--class", "y"),
        ("smroc", "--data-set", "x.csv"),
        ("smroc", "--class", "y"),
    ],
)
def test_own_data_need_the_experiment_and_a_class(call, tmp_path, options) -> None:
    shown = call(*options, "-o", tmp_path / "out")
    assert shown.code == 2
    assert "RS002" in shown.err
    assert not (tmp_path / "out").exists()
