"""A study of several classes asks the core, once; what it chooses is right; it refuses what does not fit."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest

import rocsteady as rs
from class_sets import class_scores, lacking, outputs
from rocsteady import class_study as module
from rocsteady.class_study import CHOSEN, EQUAL, ClassStudy
from rocsteady.points.multiclass import digits_that_decide
from rocsteady.results import plain
from rocsteady.show.report import page_of

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")


@pytest.fixture(scope="module")
def scores():
    return class_scores()


@pytest.fixture(scope="module")
def study(scores):
    return rs.Study(scores)


def test_study_of_several_classes_is_one_of_its_own(scores, study):
    assert isinstance(study, ClassStudy)
    assert not isinstance(study, rs.Study)
    assert isinstance(rs.Study(scores.one_versus_rest("cat")), rs.Study)


@pytest.mark.parametrize(
    "ask",
    [
        lambda s: s.check,
        lambda s: s.search,
        lambda s: s.exact,
        lambda s: s.table,
        lambda s: s.errors,
        lambda s: s.error_intervals,
        lambda s: s.confusion(),
        lambda s: s.comparison,
        lambda s: s.auc(),
        lambda s: s.auc_interval("one-versus-rest"),
        lambda s: s.part_intervals(),
    ],
)
def test_each_answer_is_made_once(study, ask):
    assert ask(study) is ask(study) is not None


def test_nothing_is_asked_before_it_is_needed(scores, monkeypatch):
    monkeypatch.setattr(module, "search_class_weights", lambda *_, **__: pytest.fail("weights were searched"))
    assert rs.Study(scores).classes == ("cat", "dog", "eel")
    given = rs.Study(scores, class_weights=[1, 2, 4])
    assert given.weights.tolist() == [1 / 7, 2 / 7, 4 / 7]


def test_errors_and_confusions_are_those_of_plain_counting(scores, study):
    """By hand: every case for the class with the largest product of output and weight."""
    for point, weights in ((CHOSEN, study.weights), (EQUAL, np.ones(3))):
        decided = (scores.outputs * weights).argmax(axis=1)
        counts = np.zeros((3, 3), dtype=int)
        np.add.at(counts, (scores.label_index, decided), 1)
        assert study.confusion(point).counts.tolist() == counts.tolist()
        wrong = 1 - np.diag(counts) / counts.sum(axis=1)
        assert study.errors.stacked[point] == pytest.approx(wrong, abs=1e-15)
        by_fold = [
            [
                (decided[rows] != c).mean()
                for c in range(3)
                for rows in [(scores.fold_index == f) & (scores.label_index == c)]
            ]
            for f in range(5)
        ]
        assert study.errors.mean[point] == pytest.approx(np.mean(by_fold, axis=0), abs=1e-15)


def test_weights_in_use_are_given_or_the_best_found(scores, study):
    assert study.origin == "of the search"
    assert study.weights.tolist() == rs.search_class_weights(scores).best.class_weights.tolist()
    exact = rs.Study(scores, exact=True)
    best = rs.search_class_weights(scores, exact=True).best
    assert exact.weights.tolist() == best.class_weights.tolist()
    assert exact.errors.stacked[CHOSEN].max() == best.max_error <= study.search.best.max_error
    by_name = rs.Study(scores, class_weights={"eel": 4, "cat": 1, "dog": 2})
    by_place = rs.Study(scores, class_weights=(1, 2, 4))
    assert by_name.weights.tolist() == by_place.weights.tolist()
    assert by_name.origin == "given"


def test_points_are_those_in_use_equal_ones_and_kept_ones_each_once(study):
    points = study.points
    assert points[CHOSEN].tolist() == study.weights.tolist()
    assert points[EQUAL].tolist() == [1 / 3] * 3
    assert len(np.unique(points, axis=0)) == len(points)
    kept = {tuple(own) for own in study.search.errors.tolist()}
    assert {tuple(own) for own in study.errors.stacked.tolist()} >= kept


def test_a_limit_is_kept_and_costs_what_is_said(scores, study):
    bound = rs.Study(scores, at_most={"eel": 0.2})
    place = scores.classes.index("eel")
    assert bound.errors.stacked[CHOSEN, place] <= 0.2 < study.errors.stacked[CHOSEN, place]
    assert bound.free.best.max_error == study.search.best.max_error <= bound.search.best.max_error
    assert study.free is None
    assert bound.to_dict("weights")["settings"]["at_most"] == {"eel": 0.2}


def test_digits_shown_decide_every_case_alike(scores, study):
    digits = study.digits
    shown = [float(f"{own:.{digits}g}") for own in study.weights]
    assert np.array_equal(rs.decide(scores, shown), rs.decide(scores, study.weights))
    assert digits_that_decide([[0.5, 0.5 + 1e-12]], [0.5000000004, 0.5]) == 10


def test_one_fold_has_no_spread_and_no_nested_search_and_says_why():
    alone = rs.Study(class_scores(n_folds=1))
    assert alone.search.nested is None
    assert alone.refused["nested"].code == "RS042"
    assert alone.comparison is None
    assert np.isnan(alone.errors.standard_error).all()
    assert np.isfinite(alone.auc_interval().low)


def test_folds_that_lack_a_class_count_for_the_others():
    found = rs.Study(lacking())
    (finding,) = found.check.findings
    assert finding.warning.code == "RS253"
    assert finding.groups == ("1",)
    assert found.errors.n_defined[CHOSEN].tolist() == [5, 5, 4]
    assert found.auc().folds == ("0", "2", "3", "4")
    assert found.search.nested is not None


def test_outputs_need_not_sum_to_one():
    labels, found = outputs()
    votes = rs.Study(rs.MulticlassScores(labels, 7 * found, folds=np.arange(labels.size) % 5))
    assert not votes.check.are_posteriors
    assert votes.check.n_off_one == labels.size
    same = rs.Study(rs.MulticlassScores(labels, found, folds=np.arange(labels.size) % 5))
    assert same.check.are_posteriors
    assert votes.search.best.errors.tolist() == same.search.best.errors.tolist()


def test_classes_may_be_numbers():
    labels, found = outputs()
    numbers = rs.MulticlassScores(labels, found, folds=np.arange(labels.size) % 5)
    study = rs.Study(numbers, at_most={2: 0.3})
    assert study.limits == {"2": 0.3}
    assert rs.Study(numbers, at_most={"2": 0.3}).weights.tolist() == study.weights.tolist()
    assert rs.Study(numbers, class_weights={"0": 1, "1": 1, "2": 2}).weights.tolist() == [0.25, 0.25, 0.5]


def test_parts_of_its_data_are_those_asked_for(study):
    found = study.to_dict("check", "weights")
    assert set(found) == {"schema_version", "settings", "data", "check", "weights", "warnings"}
    with pytest.raises(rs.RocsteadyError, match="RS001"):
        study.to_dict("models")
    assert json.dumps(plain(study.to_dict()), allow_nan=False)


def test_copies_are_studies_too(study):
    for other in (copy.copy(study), pickle.loads(pickle.dumps(study))):
        assert other.weights.tolist() == study.weights.tolist()
    curves = rs.Study(study.scores.one_versus_rest("cat"))
    assert isinstance(copy.copy(curves), rs.Study)


def test_figures_and_the_page_of_a_study(study, tmp_path):
    from matplotlib.axes import Axes

    for figure in ("class_errors", "class_error_surface"):
        assert isinstance(study.plot(figure), Axes)
    with pytest.raises(rs.RocsteadyError, match="RS001"):
        study.plot("average")
    written = study.report(tmp_path / "classes.html")
    assert written.path.read_text().startswith("<!doctype html>")
    assert written.study is study
    same = rs.write_report(tmp_path / "same.html", study.scores)
    assert same.path.read_bytes() == written.path.read_bytes()
    with pytest.raises(rs.RocsteadyError, match="RS002"):
        rs.write_report(tmp_path / "other.html", study.scores, at={"fpr": 0.1})


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (lambda s: ClassStudy([1, 0]), "RS002"),
        (lambda s: rs.Study(s, rs.Deployment("shared")), "RS002"),
        (lambda s: rs.Study(s, at="eer"), "RS002"),
        (lambda s: rs.Study(s, title=3), "RS002"),
        (lambda s: rs.Study(s, progress=3), "RS002"),
        (lambda s: rs.Study(s, class_weights=[1, 2]), "RS077"),
        (lambda s: rs.Study(s, class_weights=[[1, 2, 3], [1, 1, 1]]), "RS077"),
        (lambda s: rs.Study(s, class_weights={"cat": 1, "dog": 1}), "RS077"),
        (lambda s: rs.Study(s, class_weights={"cat": 1, "dog": 1, "eel": 1, "fox": 1}), "RS077"),
        (lambda s: rs.Study(s, class_weights=[0, 1, 1]), "RS077"),
        (lambda s: rs.Study(s, class_weights=[1, 1, 1], exact=True), "RS002"),
        (lambda s: rs.Study(s, class_weights=[1, 1, 1], at_most={"cat": 0.1}), "RS002"),
        (lambda s: rs.Study(s, at_most={"fox": 0.1}).search, "RS021"),
        (lambda s: rs.Study(s, at_most={"cat": 0, "dog": 0, "eel": 0}).search, "RS008"),
        (lambda s: rs.Study(s, exact="yes"), "RS001"),
        (lambda s: rs.Study(s, confidence_level=95), "RS042"),
        (lambda s: rs.Study(class_scores(("a", "b", "c", "d")), exact=True), "RS042"),
    ],
)
def test_what_does_not_fit_is_refused(scores, given, code):
    with pytest.raises(rs.RocsteadyError) as caught:
        given(scores)
    assert caught.value.code == code


def test_where_every_fold_lacks_a_class_areas_are_of_all_rows():
    labels, found = outputs()
    alone = rs.MulticlassScores(labels, found, folds=np.arange(labels.size))
    study, as_one = rs.Study(alone), rs.MulticlassScores(labels, found)
    for method in ("hand-till", "one-versus-rest"):
        assert plain(study.auc(method)) == plain(as_one.auc(method))
        assert plain(study.auc_interval(method)) == plain(as_one.auc(method).interval())
    assert [own.entry for own in study.warnings].count("RS253.every") == 1
    assert study.errors.n_defined[CHOSEN].tolist() == alone.class_counts.sum(axis=0).tolist()
    assert "Every fold lacks a class" in page_of(study)


@pytest.mark.parametrize("given", [[("cat", 0.1)], {}, "cat", {"fox": 0.1}, {"cat": 2}])
def test_limits_that_are_none_are_refused_at_once(scores, given):
    with pytest.raises(rs.RocsteadyError, match=r"RS002|RS021|RS042"):
        rs.Study(scores, at_most=given)
