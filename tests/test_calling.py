"""Calls as users of other packages make them: they work, or a coded error says what to type."""

from __future__ import annotations

import doctest
import pickle

import numpy as np
import pytest

import rocsteady as rs
import rocsteady.curves.from_scores
from rocsteady.calling import NAMES

LABELS, SCORES = [1, 0, 1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2, 0.8, 0.7]
FOLDS = rs.ScoreSet.from_folds([(LABELS, SCORES), (LABELS, SCORES[::-1]), (LABELS, np.arange(6))])
CURVE = rs.roc_curve(LABELS, SCORES)
MODELS = rs.ScoreSet.from_arrays(LABELS, {"old": SCORES, "new": SCORES[::-1]})


@pytest.mark.parametrize(
    ("call", "code", "typed"),
    [
        (lambda: rs.average(FOLDS), "RS093", "average(x, method='threshold')"),
        (FOLDS.average, "RS093", "method='vertical'"),
        (lambda: rs.average([LABELS], [SCORES], "vertical"), "RS002", "ScoreSet.from_folds"),
        (lambda: rs.average([LABELS], [SCORES], method="vertical"), "RS002", "ScoreSet.from_folds"),
        (lambda: rs.roc_curve(y_true=LABELS, y_score=SCORES), "RS002", "labels first, then scores"),
        (lambda: rs.roc_curve(LABELS, SCORES, pos_label=1), "RS002", "positive=1"),
        (
            lambda: rs.auc(LABELS, SCORES, multi_class="ovr"),
            "RS002",
            "MulticlassScores(labels, outputs).auc()",
        ),
        (lambda: rs.auc_interval(LABELS, SCORES, alpha=0.1), "RS002", "confidence_level=0.9"),
        (lambda: rs.auc_interval(LABELS, SCORES, 0.9), "RS002", "auc_interval(labels, scores)"),
        (lambda: rs.compare_auc(LABELS, SCORES, SCORES, sample_weight=[1] * 6), "RS002", "leave it out"),
        (lambda: rs.compare({"y": LABELS}, label="y", score=["a"]), "RS011", "columns: y"),
        (lambda: rs.compare(labels=LABELS, scores=SCORES), "RS002", "from_frame"),
        (lambda: rs.choose_cutoff(LABELS, SCORES, "youden"), "RS002", "roc_curve(labels, scores)"),
        (lambda: rs.choose_cutoff(CURVE), "RS002", "choose_cutoff(curve, fpr=0.05)"),
        (lambda: rs.choose_cutoff(CURVE, "youden", fpr=0.1), "RS002", "choose_cutoff(curve, 'youden')"),
        (lambda: rs.cross_validated_scores(None, [], [], random_state=3), "RS002", "seed=3"),
        (lambda: rs.cross_validated_scores(None, [], [], repeats=3), "RS002", "RepeatedStratifiedKFold"),
        (lambda: rs.ScoreSet([(LABELS, SCORES)]), "RS002", "ScoreSet.from_folds(pairs)"),
        (lambda: rs.ScoreSet.from_frame({"y": LABELS}), "RS002", "label='truth'"),
        (lambda: rs.average(FOLDS, "vertical").at(0.05), "RS002", "average.at(fpr=0.05)"),
        (lambda: rs.average(FOLDS, "vertical").auc_ci(), "RS002", ".auc_interval()"),
        (lambda: rs.plot.average(FOLDS, "vertical"), "RS002", "rs.average(score_set, 'vertical')"),
        (lambda: tuple(rs.auc_interval(LABELS, SCORES)), "RS002", ".low, .high"),
        (lambda: rs.roc_auc_score(LABELS, SCORES), "RS002", "rs.auc(labels, scores)"),
        (lambda: rs.delong_test(LABELS, SCORES, SCORES), "RS002", "rs.compare_auc"),
        (lambda: rs.averge, "RS002", "rs.average"),
        (lambda: rs.mean_roc_curve, "RS002", "rs.average(rs.ScoreSet.from_folds(pairs), 'vertical')"),
        (lambda: rs.auc(LABELS, SCORES, pos_label=1), "RS002", "auc() has no argument pos_label."),
        (lambda: rs.auc(LABELS, SCORES, 3), "RS002", "auc() does not take these arguments."),
        (
            lambda: rs.auc(LABELS, SCORES, max_fpr=0.1),
            "RS002",
            "partial_auc(fpr=(0, 0.1), standardized=True)",
        ),
        (lambda: CURVE.partial_auc(max_fpr=0.1), "RS002", "fpr=(0, 0.1)"),
        (lambda: CURVE.auc_interval(alpha=0.1), "RS002", "RocCurve.auc_interval() has no argument alpha."),
        (lambda: CURVE.tpr_interval(0.1, n_boot=9), "RS002", "n_resamples=9"),
        (lambda: CURVE.band(random_state=9), "RS002", "seed=9"),
        (lambda: rs.average(FOLDS, "vertical").band(ci=0.9), "RS002", "confidence_level=0.9"),
        (lambda: rs.average(FOLDS, "vertical").auc_interval(alpha=0.1), "RS002", "confidence_level=0.9"),
        (lambda: rs.average(FOLDS, "vertical").at(alpha=0.1), "RS002", "average.at() has no argument alpha."),
        (lambda: rs.summarize_auc(FOLDS, alpha=0.1), "RS002", "confidence_level=0.9"),
        (lambda: rs.bootstrap(FOLDS, n_iter=200), "RS002", "n_resamples=200"),
        (lambda: rs.ScoreSet.from_folds([], weights=3), "RS002", "sample_weight=3"),
        (lambda: rs.ScoreSet.from_frame({}, y="truth", score="s"), "RS002", "label='truth'"),
        (lambda: rs.compare({}, label="truth", scores=["a"]), "RS002", "compare() does not take these"),
        (
            lambda: rs.average([(LABELS, SCORES)]),
            "RS093",
            "average(ScoreSet.from_folds(x), method='vertical')",
        ),
        (lambda: rs.average(MODELS), "RS093", "average(x.model('old'), method='vertical')"),
        (lambda: rs.average(method="vertical"), "RS002", "average() does not take these arguments."),
        (lambda: rs.average(MODELS, "vertical"), "RS044", "average(score_set.model('old'), 'vertical')"),
        (lambda: MODELS.average("radial"), "RS044", "average(score_set.model('old'), 'radial')"),
    ],
)
def test_what_is_called_otherwise_elsewhere_says_what_to_type(call, code, typed):
    with pytest.raises(rs.RocsteadyError) as caught:
        call()
    assert caught.value.code == code
    assert typed in str(caught.value)


def test_a_table_and_its_columns_go_wherever_a_set_goes(tmp_path):
    rng = np.random.default_rng(0)
    table = {"y": np.tile([0, 1], 60), "site": np.repeat(list("abcdef"), 20)}
    table |= {name: rng.normal(size=120) + table["y"] for name in ("old", "new")}
    both = {"label": "y", "score": ["old", "new"], "group": "site"}
    long = {name: np.tile(values, 2) for name, values in table.items() if name in ("y", "site")}
    long |= {"s": np.concatenate([table["old"], table["new"]]), "m": np.repeat(["old", "new"], 120)}
    wanted = rs.compare(rs.ScoreSet.from_frame(table, **both), "old", "new").to_dict()
    assert rs.compare(table, "old", "new", **both).to_dict() == wanted
    assert rs.compare(table, **both).to_dict() == wanted
    columns = {"label": "y", "score": "s", "group": "site", "model": "m"}
    assert rs.compare(long, **columns).auc.difference == rs.compare(table, **both).auc.difference
    one = {"label": "y", "score": "new", "group": "site"}
    own = rs.ScoreSet.from_frame(table, **one)
    assert rs.average(table, "vertical", **one).auc == rs.average(own, "vertical").auc
    assert rs.summarize_auc(table, **one).to_dict() == rs.summarize_auc(own).to_dict()
    written = rs.write_report(tmp_path / "r.html", table, n_resamples=100, **both)
    assert written.path.stat().st_size > 10_000


def test_a_misspelt_keyword_has_pythons_own_message():
    with pytest.raises(TypeError, match="unexpected keyword argument 'scroes'") as caught:
        rs.roc_curve(LABELS, scroes=SCORES)
    assert not isinstance(caught.value, rs.RocsteadyError)


@pytest.mark.parametrize(
    "call",
    [
        lambda: rs.roc_curve(SCORES, LABELS),
        lambda: rs.auc(SCORES, LABELS, positive=1),
        lambda: rs.ScoreSet.from_arrays(SCORES, LABELS, [1, 1, 1, 2, 2, 2]),
        lambda: rs.ScoreSet.from_folds([(SCORES, LABELS)]),
        lambda: rs.compare_auc(SCORES, SCORES[::-1], LABELS),
    ],
)
def test_swapped_labels_and_scores_are_recognised(call):
    with pytest.raises(rs.RocsteadyError, match="RS022: labels and scores seem to be swapped") as caught:
        call()
    assert "labels first, then scores, as in  roc_curve(labels, scores)" in str(caught.value)


def test_swapped_columns_are_named():
    with pytest.raises(rs.RocsteadyError, match="RS022") as caught:
        rs.ScoreSet.from_frame({"y": LABELS, "p": SCORES}, label="p", score="y")
    assert "label='y'" in str(caught.value)
    assert "score='p'" in str(caught.value)


def test_labels_that_are_not_scores_have_their_own_message():
    for labels in ([0, 1, 2, 0, 1, 2], list("abcabc"), [0.5, 1.5, 2.5, 0.5, 1.5, 2.5]):
        with pytest.raises(rs.RocsteadyError, match="RS022: there are 3 labels"):
            rs.auc(labels, SCORES)


def test_the_points_of_a_curve_are_not_labels_and_scores():
    with pytest.raises(rs.RocsteadyError, match="RS022: these are the points of a curve"):
        rs.auc(CURVE.fpr, CURVE.tpr)


def test_names_that_are_not_alike_are_not_suggested():
    for value, name in ((rs, "explain"), (rs.Deployment("shared"), "reading")):
        with pytest.raises(AttributeError) as caught:
            getattr(value, name)
        assert not isinstance(caught.value, rs.RocsteadyError)


def test_a_figure_of_scores_leaves_out_groups_as_it_is_told():
    odd = rs.ScoreSet.from_folds([(LABELS, SCORES), ([1, 1], [2, 3])])
    with pytest.raises(rs.RocsteadyError, match="undefined='drop'"):
        odd.plot()
    assert odd.plot(undefined="drop") is not None


def test_an_average_that_cannot_hold_alerts_says_what_does():
    with pytest.raises(rs.RocsteadyError, match=r"RS084: .* at a share of alerts") as caught:
        rs.average(FOLDS, "vertical").at(alerts=0.02)
    assert "average(score_set, AtAlarmRate(prevalence=0.03)).at(alerts=0.02)" in str(caught.value)
    assert rs.average(FOLDS, rs.AtAlarmRate(prevalence=0.03)).at(alerts=0.02) is not None


def test_a_search_over_parameters_says_what_to_score():
    sklearn = pytest.importorskip("sklearn.model_selection")
    results = {"params": [{}], "param_a": [1], "rank_test_score": [1]}
    with pytest.raises(rs.RocsteadyError, match="RS045") as caught:
        rs.ScoreSet.from_cv_results(results, SCORES, LABELS)
    assert "rs.cross_validated_scores(search.best_estimator_, X, y, cv=5)" in str(caught.value)
    with pytest.raises(rs.RocsteadyError, match="RS002: folds must be a number") as caught:
        rs.cross_validated_scores(None, SCORES, LABELS, folds=sklearn.StratifiedKFold(5))
    assert "cv=StratifiedKFold(n_splits=5" in str(caught.value)


def test_errors_from_inside_pass():
    with pytest.raises(rs.RocsteadyError) as caught:
        rs.roc_curve([1, 1], [1, 2])
    assert caught.value.code != "RS002"

    def broken(*_):
        raise TypeError("from inside")

    with pytest.raises(TypeError, match="from inside"):
        rs.average_operating_points(FOLDS, points=[1], decide=broken)


def test_kinds_of_errors_are_those_of_python():
    with pytest.raises(TypeError):
        rs.average(FOLDS, "vertical", "more")
    assert not hasattr(rs, "roc_auc_score")
    assert not hasattr(rs.average(FOLDS, "vertical"), "auc_ci")
    assert not hasattr(CURVE, "__array__")
    for hint in NAMES.values():  # what is said to be typed exists
        name = hint.removeprefix("rs.").partition("(")[0]
        value = rs
        for part in name.split("."):
            value = getattr(value, part)
        assert callable(value)


def test_scores_have_their_average_and_their_figure():
    assert FOLDS.average("vertical").auc == rs.average(FOLDS, "vertical").auc
    assert FOLDS.plot() is not None


def test_sensitivity_and_specificity_are_places():
    average = rs.average(FOLDS, "threshold")
    assert average.at(specificity=0.9).tpr == average.at(fpr=0.1).tpr
    assert average.at(sensitivity=0.5).fpr == average.at(tpr=0.5).fpr
    wide = rs.roc_curve(
        np.r_[np.ones(20), np.zeros(20)].astype(int), np.r_[np.arange(20) + 5.5, np.arange(20)]
    )
    for k in range(21):  # never an ulp beside a rate of counts
        held = rs.choose_cutoff(wide, specificity=round(1 - k / 20, 2))
        assert held.threshold == rs.choose_cutoff(wide, fpr=k / 20).threshold
    with pytest.raises(rs.RocsteadyError, match="RS002"):
        average.at(fpr=0.1, specificity=0.9)


def test_functions_can_be_sent_to_other_processes_and_keep_their_doctests():
    assert pickle.loads(pickle.dumps(rs.average)) is rs.average
    found = {test.name for test in doctest.DocTestFinder().find(rocsteady.curves.from_scores)}
    assert "rocsteady.curves.from_scores.auc" in found


# What a new user typed
# ---------------------

RNG = np.random.default_rng(0)
TRUTH, HOSTS = np.tile([0, 1], 120), np.repeat(list("abcdefgh"), 30)
BY_HOST = rs.ScoreSet.from_arrays(
    TRUTH, {"new": RNG.normal(size=240) + 1.5 * TRUTH, "old": RNG.normal(size=240) + TRUTH}, HOSTS
)
ROWS = TRUTH, RNG.normal(size=240) + TRUTH, RNG.normal(size=240) + TRUTH
CUTOFF = rs.choose_cutoff(CURVE, "youden")


@pytest.mark.parametrize(
    ("call", "typed"),
    [
        (lambda: rs.compare_readers(BY_HOST, alpha=0.1), "confidence_level=0.9"),
        (lambda: rs.summarize_readers(BY_HOST, ci=0.9), "confidence_level=0.9"),
        (lambda: rs.winner_map(BY_HOST, random_state=1), "seed=1"),
        (lambda: rs.bootstrap_test(*ROWS, conf_level=0.9), "confidence_level=0.9"),
        (lambda: rs.venkatraman_test(*ROWS, random_state=1), "seed=1"),
        (lambda: rs.venkatraman_test(*ROWS, n_boot=9), "n_permutations=9"),
        (lambda: rs.venkatraman_test(*ROWS, alpha=0.1), ".pvalue"),
        (lambda: rs.realise(BY_HOST, {"fpr": 0.1}, alpha=0.1), "confidence_level=0.9"),
        (lambda: rs.comparability(BY_HOST, random_state=1), "seed=1"),
        (lambda: CUTOFF.intervals(alpha=0.1), "confidence_level=0.9"),
        (lambda: CUTOFF.corrected(random_state=1), "seed=1"),
        (lambda: CUTOFF.two_by_two(ci=0.9), "confidence_level=0.9"),
        (lambda: CUTOFF.on(CURVE).two_by_two(alpha=0.1), "confidence_level=0.9"),
        (lambda: CURVE.auc_null_test(alpha=0.1), ".pvalue"),
        (lambda: rs.paired_t([1, 2], [2, 3], alpha=0.1), ".pvalue"),
        (lambda: rs.paired_t([1, 2], [2, 3], random_state=1), "nothing is drawn"),
        (lambda: rs.ci, "rs.auc_interval(labels, scores)"),
        (lambda: rs.signed_ranks, "rs.compare(score_set, 'a', 'b').wilcoxon"),
        (lambda: rs.sign_flips, "rs.compare(score_set, 'a', 'b').auc.flip_pvalue"),
        (lambda: rs.curvs, "rs.roc_curve"),
        (lambda: rs.compare(BY_HOST, "new", "old").pvalue, "-> .auc.pvalue"),
        (lambda: rs.summarize_auc(BY_HOST.model("new")).auc, "-> .estimate"),
        (lambda: CUTOFF.sensitivity, "-> .tpr"),
        (lambda: CUTOFF.specificity, "-> .two_by_two()"),
        (lambda: BY_HOST["new"], "score_set.model('new')"),
        (lambda: rs.average(BY_HOST.model("new"), "mean"), "Vertical, Horizontal, Pooled"),
        (lambda: rs.compare(BY_HOST, "new", "old").plot(), "'new', 'old', method='vertical').plot()"),
    ],
)
def test_a_hint_says_what_to_type(call, typed):
    with pytest.raises(rs.RocsteadyError) as caught:
        call()
    assert typed in str(caught.value)


@pytest.mark.parametrize(("name", "own"), [("p", "pvalue"), ("F", "statistic"), ("f", "statistic")])
def test_the_statistics_of_a_reader_study_have_our_names(name, own):
    columns = {"label": "truth", "score": "rating", "group": "reader", "model": "modality", "case": "case"}
    columns["positive"] = "cancer"
    drawn = rs.simulate.reader_study(standalone=False)
    study = rs.compare_readers(rs.ScoreSet.from_frame(drawn, **columns))
    with pytest.raises(AttributeError, match=rf"-> \.{own}"):
        getattr(study, name)


@pytest.mark.parametrize(
    ("given", "groups"),
    [
        ("b", ("b",)),
        (1, ("b",)),
        (-1, ("h",)),
        (np.int64(0), ("a",)),
        ([0], ("a",)),
        ([2, 0], ("c", "a")),
        ([True, False, True, *[False] * 5], ("a", "c")),
        (("e", "a"), ("e", "a")),
        ({"d": 1}.keys(), ("d",)),
        (np.array([3, 1]), ("d", "b")),
    ],
)
def test_groups_are_taken_by_name_position_or_mask(given, groups):
    assert BY_HOST.take(given).groups == groups


@pytest.mark.parametrize("given", ["z", 8, [-9], [True], True, [True, 1], [0, "b"], None])
def test_groups_that_are_not_there_are_refused(given):
    with pytest.raises(rs.RocsteadyError, match="RS001"):
        BY_HOST.take(given)


def test_what_is_read_at_jumps_belongs_to_the_method():
    folds = rs.ScoreSet.from_folds([([1, 0, 1, 0], [9, 4, 3, 2]), ([1, 1, 0, 0], [8, 6, 6, 1])])
    for ask in (
        lambda: rs.average(folds, "vertical", at_jumps="mid"),
        lambda: rs.compare(folds, at_jumps="mid"),
    ):
        with pytest.raises(rs.RocsteadyError, match=r'method=rs\.Vertical\(at_jumps="mid"\)'):
            ask()
