"""Operating points: the same numbers in all renderers and vocabularies, each of them the core's own."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from tests.show.renderers import HOSTILE, Page, check, hosts, in_all_words, numbers, printed, reader_study

import rocsteady as rs
from rocsteady.show.document import Figure, Fold, Table, flat
from rocsteady.show.sections import points
from rocsteady.show.sentences.points import cut_of
from rocsteady.study import Study
from rocsteady.text import BIOMETRIC, FPR, MEDICAL, ML, TPR, Count, Cut, Rate

SHARED = rs.Deployment("shared", at={"fpr": 0.05})
USES = {
    "shared": (SHARED, {}),
    "own": (rs.Deployment("own", at={"fpr": 0.05}), {}),
    "pooled": (rs.Deployment("shared", weigh="rows", at={"tpr": 0.8}), {}),
    "threshold": (rs.Deployment("shared", at={"threshold": 2}), {}),
    "budget": (rs.Deployment("shared"), {"at": [{"alerts": 0.01}, {"alerts": 500}]}),
    "found": (rs.Deployment("shared"), {"at": ["youden", {"costs": (1, 5)}]}),
    "ratio": (rs.Deployment("own", hold="ratio", at=(1, 2)), {}),
    "balance": (rs.Deployment("own", hold="balance", at=0), {}),
    "undeclared": (None, {}),
}


@pytest.fixture(scope="module")
def scores() -> rs.ScoreSet:
    return hosts()


@pytest.fixture(scope="module")
def one(scores) -> rs.ScoreSet:
    own = scores.model("current")[0]
    return rs.ScoreSet.from_arrays(own.is_positive.astype(int), own.scores)


@pytest.mark.parametrize("use", USES)
def test_every_renderer_shows_the_same_numbers_in_every_vocabulary(scores, use):
    deployment, options = USES[use]
    for study in in_all_words(scores, deployment, n_resamples=200, **options):
        check(points.make(study), study.words)


WORSE = "expect slightly worse rates on new data."


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ([{"fpr": 0.05}], WORSE),
        (["youden"], "were chosen on these rows; the rates allow for that."),
        ([{"fpr": 0.05}, "youden"], f"{WORSE} The rates at the largest Youden's J allow for that already."),
    ],
)
def test_rates_that_are_corrected_are_not_called_flattered(scores, at, said):
    """Beside a 2 x 2 table of these rows stand rates to expect on new ones: it is said which are which."""
    study = Study(scores, rs.Deployment("shared"), at=at, n_resamples=200)
    text = " ".join(printed(points.tables(study), study.words).split())
    assert said in text
    assert (WORSE in text) == (WORSE in said)


def test_measures_of_classes_are_named_in_words():
    outputs = np.random.default_rng(0).dirichlet(np.ones(3), 90)
    scores = rs.MulticlassScores(np.tile([2, 3, 5], 30), outputs, folds=np.arange(90) // 3 % 10)
    tests = rs.average_multiclass_points(scores, [[1, 1, 1], [1, 2, 3]]).compare_to(0, "class_error")
    assert "error of class 2, error of class 3 and error of class 5 (all of them)" in tests.reading


@pytest.mark.parametrize("at", [{"fpr": 0.05}, {"threshold": 1.5}, {"alerts": 0.1}, "youden"], ids=str)
def test_one_dataset_has_its_cut_off_and_its_intervals(one, at):
    for name in ("ml", "biometric"):
        study = Study(one, at=at, words=name, n_resamples=300)
        check(points.make(study), study.words)
    study = Study(one, at=at, words="medical", n_resamples=300)
    text = printed(points.make(study), study.words)
    assert "Coordinates of the curve" in text
    criterion = at if not isinstance(at, str) else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        own = rs.choose_cutoff(rs.roc_curves(one)[0], at)
    assert cut_of(own).spell(MEDICAL) in text
    assert Rate(TPR, own.tpr).spell(MEDICAL, "cell") in text
    if criterion != {"threshold": 1.5}:
        new = own.corrected(n_resamples=300)
        assert Rate(FPR, new.fpr, new.fpr_interval).spell(MEDICAL, "cell") in text


def test_a_shared_threshold_has_the_digits_that_decide_and_the_rates_of_keeping_it(scores):
    study = Study(scores, SHARED)
    text = printed(points.make(study), study.words)
    for model in study.models:
        found = rs.average(scores.model(model), "threshold", undefined="drop").at(fpr=0.05)
        own = scores.model(model).columns.scores
        shown = Cut(found.threshold, found.beside).spell(ML)
        assert shown in text
        assert ((own >= float(shown)) == (own >= found.threshold)).all()
        for kept in (
            Rate(TPR, found.kept.tpr, found.kept.tpr_interval),
            Rate(FPR, found.kept.fpr, found.kept.fpr_interval),
            Rate(TPR, found.tpr, found.tpr_interval),
        ):
            assert kept.spell(ML, "cell") in text


def test_the_worst_groups_are_those_of_the_core(scores):
    study = Study(scores, SHARED)
    text = printed(points.make(study), study.words)
    average = rs.average(scores.model("current"), "threshold", undefined="drop")
    own = average.group_points([average.at(fpr=0.05).threshold])
    at = int(np.argmin(own.tpr[:, 0]))
    assert f"{Rate(TPR, own.tpr[at, 0]).spell(ML)} ({average.members[at]})" in text


@pytest.mark.parametrize("weigh", ["groups", "rows"])
def test_a_budget_is_kept_and_counted(scores, weigh):
    study = Study(scores, rs.Deployment("shared", weigh=weigh), at={"alerts": 600})
    text = printed(points.make(study), study.words)
    for model in study.models:
        table, rows = study.two_by_two(model), scores.model(model).columns
        called = rows.scores >= study.threshold(model)
        is_positive = rows.labels == rows.positive
        assert (table.tp, table.fp) == ((called & is_positive).sum(), (called & ~is_positive).sum())
        assert table.tp + table.fp <= 600
        assert Count(table.tp, of=table.tp + table.fn).spell(ML, "cell") in text
        assert text.count(cut_of(study.cutoff(model)).spell(ML)) >= 2  # one threshold in both tables


def test_own_thresholds_of_readers_have_the_interval_of_readers_and_cases():
    scores = reader_study()
    study = Study(scores, rs.Deployment("own", at={"tpr": 0.8}), words="medical")
    text = check(points.make(study), study.words)
    found = study.reader_curve("film", "tpr").at(tpr=0.8)
    assert Rate(FPR, found.fpr, found.fpr_interval).spell(MEDICAL, "cell") in text


def test_coarse_ratings_are_said_to_be():
    rng = np.random.default_rng(0)
    labels, readers = np.tile([0, 1], 150), np.repeat(["a", "b", "c"], 100)
    ratings = np.clip(np.round(rng.normal(3 + labels)), 1, 5)
    scores = rs.ScoreSet.from_arrays(labels, ratings, readers, unit="reader")
    for use in (rs.Deployment("own", at={"tpr": 0.9}), rs.Deployment("shared", at={"tpr": 0.9})):
        study = Study(scores, use, words="medical", n_resamples=200)
        text = printed(points.make(study), study.words)
        assert "The ratings are coarse: no cut-off gives exactly sensitivity 90 %." in text


def test_what_is_tried_on_other_rows_is_the_cores(scores):
    study = Study(scores, SHARED)
    text = printed(points.tried(study), study.words)
    found = rs.realise(scores.model("current"), {"fpr": 0.05}, threshold="shared", undefined="drop")
    assert Rate(TPR, found.tpr.mean, found.tpr.interval).spell(ML, "cell") in text


def test_neighbours_are_folded_and_drawn(scores):
    (fold,) = points.neighbours(Study(scores, SHARED))
    assert isinstance(fold, Fold)
    assert sum(isinstance(own, Figure) for own in fold.blocks) == 2


def test_biometrics_says_how_many_errors_its_rates_rest_on(scores):
    study = Study(scores, SHARED, words="biometric")
    text = printed(points.errors_seen(study), study.words)
    assert "rule of 3" in text
    assert "fewer than 30" in text
    assert numbers(text)  # in words, tables and the figure alike
    assert Rate(TPR, 0.25).spell(BIOMETRIC) == "75.0 %"


def test_thresholds_of_other_rows_are_said_to_be(scores):
    first, second = scores.take(scores.groups[:12]), scores.take(scores.groups[12:])
    study = Study(second, SHARED, cutoff_from=first)
    text = check(points.make(study), study.words)
    assert "chosen on other rows" in text
    own = rs.choose_cutoff(rs.average(first.model("current"), "threshold", undefined="drop"), fpr=0.05)
    assert study.point("current").threshold == own.threshold
    assert Cut(own.threshold).spell(ML) in text


def test_hostile_names_are_text():
    study = Study(hosts(candidate=HOSTILE), SHARED)
    blocks = points.make(study)
    assert "script" not in Page(blocks, study.words).tags
    assert "\x1b" not in printed(blocks, study.words)


def test_the_declared_place_is_marked_among_others(one):
    groups = hosts().model("current")
    study = Study(groups, SHARED, at=[{"tpr": 0.9}])
    tables = [own for own in flat(points.make(study)) if isinstance(own, Table)]
    assert tables[0].marked == 0
