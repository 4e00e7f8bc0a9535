"""The display of averages: scikit-learn's numbers in every fold, its keywords, and what the average holds drawn."""

from __future__ import annotations

import builtins
import inspect
import sys

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pytest
from matplotlib.figure import Figure
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import RocCurveDisplay, auc, roc_curve
from sklearn.model_selection import GroupKFold, KFold, RepeatedStratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rocsteady as rs
from rocsteady.errors import ColumnError, DataError, LabelError, MissingPackageError, UsageError
from rocsteady.figures.scikit_learn import RocAverageDisplay

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib")

X, y = make_classification(150, 5, flip_y=0.3, random_state=1)
WORDS = np.where(y == 1, "sick", "well")
WEIGHTS = np.linspace(0.5, 2.0, y.size)
SITES = np.array(["north", "south", "west"])[np.arange(y.size) % 3]


def cv_results(estimator=None, target=y, features=X, cv=4, **options):
    made = estimator or LogisticRegression()
    return cross_validate(
        made, features, target, cv=cv, return_estimator=True, return_indices=True, **options
    )


RUN = cv_results()
FITTED = LogisticRegression().fit(X[:50], y[:50])


@pytest.fixture(scope="module")
def display():
    return RocAverageDisplay.from_cv_results(RUN, X, y, method="vertical")


@pytest.fixture
def undrawn(monkeypatch):
    """Doors that give their numbers without the picture, which takes longer than all the rest."""
    monkeypatch.setattr(RocAverageDisplay, "plot", lambda self, *_, **__: self)


def texts(axes) -> str:
    return "\n".join(text.get_text() for text in axes.get_legend().get_texts())


# -- the numbers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("estimator", "response"),
    [
        (LogisticRegression(), "auto"),
        (LogisticRegression(), "decision_function"),
        (RidgeClassifier(), "auto"),
        (make_pipeline(StandardScaler(), GaussianNB()), "predict_proba"),
    ],
)
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
@pytest.mark.usefixtures("undrawn")
def test_every_fold_has_the_curve_that_scikit_learn_draws(estimator, response, weights):
    run = cv_results(estimator)
    display = RocAverageDisplay.from_cv_results(
        run, X, y, method="vertical", response_method=response, sample_weight=weights
    )
    areas = []
    for curve, fitted, rows in zip(
        display.average.curves, run["estimator"], run["indices"]["test"], strict=True
    ):
        asks_for_shares = response != "decision_function" and hasattr(fitted, "predict_proba")
        scores = fitted.predict_proba(X[rows])[:, 1] if asks_for_shares else fitted.decision_function(X[rows])
        own = None if weights is None else weights[rows]
        fpr, tpr, thresholds = roc_curve(y[rows], scores, sample_weight=own, drop_intermediate=False)
        np.testing.assert_allclose(curve.fpr, fpr, atol=1e-12)
        np.testing.assert_allclose(curve.tpr, tpr, atol=1e-12)
        np.testing.assert_allclose(curve.thresholds[1:], thresholds[1:])
        areas.append(auc(fpr, tpr))
    assert display.roc_auc == pytest.approx(np.mean(areas))  # of a vertical average
    assert display.average.unit == "fold"


@pytest.mark.parametrize(
    ("cv", "groups"),
    [(GroupKFold(3), SITES), (RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0), None)],
)
@pytest.mark.usefixtures("undrawn")
def test_other_ways_of_folding(cv, groups):
    run = cv_results(cv=cv, groups=groups)
    found = RocAverageDisplay.from_cv_results(run, X, y, method="threshold")
    by_hand = rs.ScoreSet.from_folds(
        (y[rows], fitted.predict_proba(X[rows])[:, 1])
        for fitted, rows in zip(run["estimator"], run["indices"]["test"], strict=True)
    )
    expected = rs.average(by_hand, "threshold")
    assert found.average.members == expected.members
    np.testing.assert_array_equal(found.fpr, expected.fpr)
    np.testing.assert_array_equal(found.tpr, expected.tpr)


@pytest.mark.usefixtures("undrawn")
def test_folds_of_one_class_are_refused_or_left_out():
    order = np.argsort(y, kind="stable")  # the first of ten folds in a row has negatives only
    run = cv_results(features=X[order], target=y[order], cv=KFold(6))
    ask = RocAverageDisplay.from_cv_results
    with pytest.raises(DataError, match="RS036"):
        ask(run, X[order], y[order], method="vertical")
    shuffled = cv_results(
        cv=[(np.arange(75), np.arange(75, 150)), (np.arange(75, 150), np.flatnonzero(y == 1)[:9])]
    )
    found = ask(shuffled, X, y, method="vertical", undefined="drop")
    assert found.average.members == ("fold 1",)
    assert found.average.undefined == ("fold 2: no negatives",)


@pytest.mark.parametrize(
    ("features", "target"),
    [
        (pd.DataFrame(X), pd.Series(y, index=range(900, 1050))),
        (pl.DataFrame(X), pl.Series(y)),
    ],
    ids=["pandas", "polars"],
)
@pytest.mark.usefixtures("undrawn")
def test_frames_and_series(display, features, target):
    weights = pd.Series(WEIGHTS, index=range(900, 1050))
    run = cv_results(features=features)
    found = RocAverageDisplay.from_cv_results(run, features, target, method="vertical")
    assert found.roc_auc == pytest.approx(display.roc_auc)
    fitted = LogisticRegression().fit(features, y)
    plain = LogisticRegression().fit(X, y)
    one = RocAverageDisplay.from_estimator(
        fitted, features, target, groups=pl.Series("site", SITES), sample_weight=weights, method="vertical"
    )
    other = RocAverageDisplay.from_estimator(
        plain, X, y, groups=SITES, sample_weight=WEIGHTS, method="vertical"
    )
    assert one.average.unit == "site"
    assert one.roc_auc == pytest.approx(other.roc_auc)


def test_labels_that_are_words():
    run = cv_results(target=WORDS)
    well = RocAverageDisplay.from_cv_results(run, X, WORDS, method="vertical", band=None)
    assert well.pos_label == "well"  # classes_[1], as scikit-learn has it
    sick = RocAverageDisplay.from_cv_results(run, X, WORDS, method="vertical", pos_label="sick", band=None)
    assert sick.roc_auc == pytest.approx(well.roc_auc)
    np.testing.assert_allclose(sick.average.curves[0].fpr, 1 - well.average.curves[0].tpr[::-1], atol=1e-12)
    assert "positive: sick" in texts(sick.ax_)
    with pytest.raises(LabelError, match=r"(?s)RS021.*pos_label='well'"):
        RocAverageDisplay.from_cv_results(run, X, WORDS, method="vertical", pos_label="ill")
    with pytest.raises(LabelError, match=r"(?s)RS020.*pos_label='well'"):
        RocAverageDisplay.from_predictions(WORDS, X[:, 0], groups=SITES, method="vertical")


@pytest.mark.usefixtures("undrawn")
def test_predictions_by_row_and_by_fold():
    scores = X[:, 0]
    rows = RocAverageDisplay.from_predictions(y, scores, groups=SITES, unit="site", method="threshold")
    expected = rs.average(rs.ScoreSet.from_arrays(y, scores, SITES, unit="site"), "threshold")
    np.testing.assert_array_equal(rows.tpr, expected.tpr)
    assert rows.average.unit == "site"
    assert rows.pos_label == 1
    names = list(dict.fromkeys(SITES))
    parts = [np.flatnonzero(name == SITES) for name in names]
    lists = RocAverageDisplay.from_predictions(
        [y[part] for part in parts],
        y_pred=[scores[part].tolist() for part in parts],
        groups=names,
        sample_weight=[np.ones(part.size) for part in parts],
        method="threshold",
    )
    np.testing.assert_allclose(lists.tpr, expected.tpr)
    assert lists.average.members == expected.members
    assert lists.average.unit == "fold"
    low = RocAverageDisplay.from_predictions(
        y, -scores, groups=SITES, method="threshold", higher_is_positive=False
    )
    np.testing.assert_array_equal(low.tpr, expected.tpr)


@pytest.mark.usefixtures("undrawn")
def test_an_estimator_on_groups_and_several_estimators():
    scores = FITTED.predict_proba(X[50:])[:, 1]
    groups = RocAverageDisplay.from_estimator(FITTED, X[50:], y[50:], groups=SITES[50:], method="vertical")
    expected = rs.average(rs.ScoreSet.from_arrays(y[50:], scores, SITES[50:]), "vertical")
    np.testing.assert_array_equal(groups.tpr, expected.tpr)
    assert groups.name == "LogisticRegression"
    other = make_pipeline(StandardScaler(), GaussianNB()).fit(X[:50], y[:50])
    several = RocAverageDisplay.from_estimator(
        {"plain": FITTED, "bayes": other}, X[50:], y[50:], method="vertical", sample_weight=WEIGHTS[50:]
    )
    assert several.average.members == ("plain", "bayes")
    assert several.name is None
    curve = rs.roc_curve(y[50:], other.predict_proba(X[50:])[:, 1], sample_weight=WEIGHTS[50:])
    assert several.average.curves["bayes"].auc == pytest.approx(curve.auc)
    listed = RocAverageDisplay.from_estimator([FITTED, other], X[50:], y[50:], method="vertical", name="both")
    assert listed.average.members == ("estimator 1", "estimator 2")


def test_rows_without_groups_have_their_curve_and_no_band():
    alone = RocAverageDisplay.from_estimator(FITTED, X[50:], y[50:], method="vertical")
    assert alone.roc_auc == pytest.approx(rs.auc(y[50:], FITTED.predict_proba(X[50:])[:, 1]))
    assert alone.band_ == []


# -- refusals ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ask",
    [
        lambda **o: RocAverageDisplay.from_cv_results(RUN, X, y, **o),
        lambda **o: RocAverageDisplay.from_predictions(y, X[:, 0], groups=SITES, **o),
        lambda **o: RocAverageDisplay.from_estimator(FITTED, X, y, groups=SITES, **o),
    ],
)
def test_no_average_is_taken_for_granted(ask):
    with pytest.raises(UsageError, match="RS093") as caught:
        ask()
    for name in ("pooled", "threshold", "vertical", "horizontal", "diagonal", "radial", "tangent"):
        assert f"method='{name}'" in str(caught.value)
    with pytest.raises(UsageError, match="RS001"):
        ask(method="mean")


@pytest.mark.usefixtures("undrawn")
def test_a_deployment_names_its_average():
    found = RocAverageDisplay.from_cv_results(RUN, X, y, method=rs.Deployment(threshold="own", hold="tpr"))
    assert found.average.method == "horizontal"


THREE = np.arange(y.size) % 3


@pytest.mark.parametrize(
    ("ask", "error", "code"),
    [
        (lambda d: d.from_cv_results(RUN, X, THREE, method="vertical"), LabelError, "RS022"),
        (lambda d: d.from_predictions(THREE, X[:, 0], method="vertical"), LabelError, "RS022"),
        (lambda d: d.from_estimator(FITTED, X, THREE, method="vertical"), LabelError, "RS022"),
        (
            lambda d: d.from_estimator(GaussianNB().fit(X, THREE), X, y, method="vertical"),
            LabelError,
            "RS022",
        ),
        (lambda d: d.from_estimator(GaussianNB(), X, y, method="vertical"), UsageError, "RS045"),
        (
            lambda d: d.from_estimator(
                RidgeClassifier().fit(X, y), X, y, method="vertical", response_method="predict_proba"
            ),
            UsageError,
            "RS045.*no predict_proba",
        ),
        (lambda d: d.from_estimator([], X, y, method="vertical"), UsageError, "RS002"),
        (
            lambda d: d.from_estimator([FITTED, FITTED], X, y, groups=SITES, method="vertical"),
            UsageError,
            "RS002",
        ),
        (
            lambda d: d.from_estimator(FITTED, X, y, sample_weight=[1], method="vertical"),
            ColumnError,
            "RS013",
        ),
        (lambda d: d.from_cv_results(RUN, X, y, sample_weight=[1], method="vertical"), ColumnError, "RS013"),
        (lambda d: d.from_cv_results({}, X, y, method="vertical"), UsageError, "RS045"),
        (lambda d: d.from_cv_results({"a": RUN, "b": RUN}, X, y, method="vertical"), UsageError, "RS044"),
        (
            lambda d: d.from_cv_results(RUN, X, y, response_method="predict", method="vertical"),
            UsageError,
            "RS001",
        ),
        (lambda d: d.from_predictions(y, method="vertical"), UsageError, "RS002"),
        (lambda d: d.from_predictions(y, X[:, 0], y_pred=y, method="vertical"), UsageError, "RS002"),
        (lambda d: d.from_predictions(y, [X[:, 0], X[:, 1]], method="vertical"), UsageError, "RS002"),
        (lambda d: d(RUN), UsageError, "RS002"),
    ],
)
def test_what_cannot_be_shown_is_refused_with_a_code(ask, error, code):
    with pytest.raises(error, match=f"(?s){code}"):
        ask(RocAverageDisplay)


def test_without_scikit_learn_predictions_still_work(monkeypatch):
    real = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name.split(".")[0] == "sklearn":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(MissingPackageError, match="RS061"):
        RocAverageDisplay.from_cv_results(RUN, X, y, method="vertical")
    with pytest.raises(MissingPackageError, match="RS061"):
        RocAverageDisplay.from_estimator(FITTED, X, y, method="vertical")
    assert RocAverageDisplay.from_predictions(y, X[:, 0], groups=SITES, method="vertical").ax_


def test_without_matplotlib(monkeypatch, display):
    for name in [own for own in sys.modules if own.split(".")[0] in ("matplotlib", "mpl_toolkits")]:
        monkeypatch.setitem(sys.modules, name, None)
    for given in ({}, {"curve_kwargs": {"lw": 2}}):
        with pytest.raises(MissingPackageError, match="RS061"):
            RocAverageDisplay(display.average).plot(**given)


# -- what is drawn ----------------------------------------------------------------------------------------


def test_the_average_its_curves_band_and_chance_line_are_drawn(display):
    assert display.ax_.figure is display.figure_
    np.testing.assert_allclose(display.line_.get_xydata(), np.column_stack([display.fpr, display.tpr]))
    assert len(display.members_.get_segments()) == 4
    (band,) = display.band_  # four folds are too few for one of the whole curve
    expected = display.average.band()
    corners = band.get_paths()[0].vertices
    for edge in (expected.lower, expected.upper):
        for corner in np.column_stack([edge.fpr, edge.tpr])[5:-5:9]:
            assert np.abs(corners - corner).sum(axis=1).min() < 1e-9
    assert display.chance_level_.get_xydata().tolist() == [[0, 0], [1, 1]]
    assert not display.ax_.spines["top"].get_visible()
    assert display.ax_.get_box_aspect() == 1
    assert "vertical average, 4 folds" in texts(display.ax_)
    assert f"{display.roc_auc:.3f}" in texts(display.ax_)
    assert repr(display) == f"RocAverageDisplay(vertical, 4 folds, AUC {display.roc_auc:.4f})"


def test_both_bands_of_many_groups_the_wider_first():
    found = RocAverageDisplay.from_predictions(y, X[:, 0], groups=np.arange(y.size) % 10, method="vertical")
    assert [band.get_label() for band in found.band_] == ["_simultaneous", "_pointwise"]
    pointwise = RocAverageDisplay(found.average).plot(band="pointwise", curves=False)
    assert [band.get_label() for band in pointwise.band_] == ["_pointwise"]


def test_drawing_uses_the_axes_given_and_leaves_matplotlib_alone(display):
    settings = dict(mpl.rcParams)
    axes = Figure().add_subplot()
    again = RocAverageDisplay(display.average, name="$naive_bayes$")
    assert again.plot(axes, band=None, curves=False, at={"fpr": 0.2}, title="folds") is again
    assert again.ax_ is axes
    assert again.members_ is None
    assert again.band_ == []
    assert "$naive_bayes$" in texts(axes)
    assert axes.get_title(loc="left") == "folds"
    assert dict(mpl.rcParams) == settings


DOORS = ("plot", "from_estimator", "from_predictions", "from_cv_results")


@pytest.mark.parametrize("door", [door for door in DOORS if hasattr(RocCurveDisplay, door)])
def test_every_keyword_of_scikit_learn_is_known(door):
    theirs = inspect.signature(getattr(RocCurveDisplay, door)).parameters
    ours = inspect.signature(getattr(RocAverageDisplay, door)).parameters
    named = [name for name, own in theirs.items() if own.kind is not own.VAR_KEYWORD]
    assert [name for name in named if name not in ours] == []
    renamed = {"y_pred": "y_score"} if "y_score" not in theirs else {}
    by_place = [
        renamed.get(name, name) for name in named if theirs[name].kind is not inspect.Parameter.KEYWORD_ONLY
    ]
    assert list(ours)[: len(by_place)] == by_place


@pytest.mark.parametrize(
    "given",
    [
        {"curve_kwargs": {"color": "#882255", "linestyle": "--", "linewidth": 3, "alpha": 0.7}},
        {"curve_kwargs": {"c": "#882255", "ls": "--", "lw": 3, "alpha": 0.7}},
        {"color": "#882255", "ls": "--", "lw": 3, "alpha": 0.7},
    ],
    ids=["full", "short", "before 1.9"],
)
def test_settings_of_the_line(display, given):
    found = RocAverageDisplay(display.average, name="mine").plot(**given)
    handle = found.ax_.get_legend().legend_handles[0]
    for line in (found.line_, handle):
        assert (line.get_color(), line.get_linestyle(), line.get_linewidth(), line.get_alpha()) == (
            "#882255",
            "--",
            3,
            0.7,
        )
    colour = mpl.colors.to_rgb("#882255")
    assert tuple(found.members_.get_color()[0][:3]) == pytest.approx(colour)
    assert tuple(found.band_[0].get_facecolor()[0][:3]) == pytest.approx(colour)
    assert texts(found.ax_).count("AUC") == 1


def test_the_folds_may_be_drawn_and_named_one_by_one(display):
    colours = ["#332288", "#88CCEE", "#44AA99", "#117733"]
    names = [f"ROC fold {i}" for i in range(4)]
    found = RocAverageDisplay(display.average).plot(
        name=names, curve_kwargs=[{"alpha": 0.3, "lw": 1, "color": colour} for colour in colours]
    )
    assert [line.get_color() for line in found.members_] == colours
    for line, curve in zip(found.members_, display.average.curves, strict=True):
        np.testing.assert_allclose(line.get_xydata(), np.column_stack([curve.fpr, curve.tpr]))
    assert all(name in texts(found.ax_) for name in names)
    found.ax_.legend(loc="lower right")  # as the example of scikit-learn ends
    assert texts(found.ax_).splitlines() == [*names, f"vertical average, 4 folds, area {found.roc_auc:.3f}"]
    unnamed = RocAverageDisplay(display.average, name="four").plot(curve_kwargs=[{}] * 4)
    assert "four" in texts(unnamed.ax_)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"curve_kwargs": {"lw": 1}, "color": "red"}, "RS002"),
        ({"curve_kwargs": {"lw": 1, "linewidth": 2}}, "RS002"),
        ({"curve_kwargs": [{}] * 3}, "RS002.*3 dicts for 4 folds"),
        ({"curve_kwargs": "red"}, "RS002"),
        ({"curve_kwargs": {"colr": "red"}}, "RS001.*color"),
        ({"name": ["a", "b", "c", "d"]}, "RS002.*drawn alike"),
        ({"name": ["a", "b"], "curve_kwargs": [{}] * 4}, "RS002"),
        ({"name": 3}, "RS002"),
        ({"bnad": None}, "RS001.*band"),
        ({"chance_level_kw": "red"}, "RS002"),
        ({"plot_chance_level": "no"}, "RS001"),
    ],
)
def test_settings_that_do_not_fit(display, given, code):
    with pytest.raises(UsageError, match=f"(?s){code}"):
        RocAverageDisplay(display.average).plot(**given)


def test_the_chance_line_and_the_sides_of_the_axes(display):
    bare = RocAverageDisplay(display.average).plot(plot_chance_level=False, despine=False)
    assert bare.chance_level_ is None
    assert "_chance" not in [line.get_label() for line in bare.ax_.lines]
    assert bare.ax_.spines["top"].get_visible()
    found = RocAverageDisplay.from_cv_results(
        RUN,
        X,
        y,
        method="vertical",
        chance_level_kwargs={"ls": "--", "color": "#332288", "label": "guessing"},
    )
    assert (found.chance_level_.get_linestyle(), found.chance_level_.get_color()) == ("--", "#332288")
    assert "guessing" in texts(found.ax_)
    with pytest.raises(UsageError, match="RS002"):
        RocAverageDisplay.from_cv_results(
            RUN, X, y, method="vertical", chance_level_kwargs={}, chance_level_kw={}
        )


def test_one_display_after_another_on_the_same_axes(display):
    other = cv_results(GaussianNB())
    first = RocAverageDisplay(display.average, name="logistic").plot(band=None)
    second = RocAverageDisplay.from_cv_results(
        other, X, y, method="vertical", name="Bayes", band=None, ax=first.ax_
    )
    assert first.line_.get_color() != second.line_.get_color()
    assert first.line_.get_linestyle() != second.line_.get_linestyle()
    np.testing.assert_allclose(second.line_.get_ydata(), second.tpr)
    written = texts(first.ax_)
    assert written.index("logistic") < written.index("Bayes")
    assert written.count("vertical average, 4 folds") == 1
    third = RocAverageDisplay(display.average).plot(first.ax_, plot_chance_level=False)
    assert third.chance_level_ is None
    assert second.chance_level_ is first.chance_level_
    assert [line for line in first.ax_.lines if line.get_label() == "_chance"] == [first.chance_level_]


@pytest.mark.parametrize("text_size", [8.0, 16.0])
def test_long_names_and_labels_stay_in_the_figure(text_size):
    long = "a class of patients with a very long_name $x"
    labels = np.where(y == 1, long, "other")
    found = RocAverageDisplay.from_predictions(
        labels,
        X[:, 0],
        groups=SITES,
        method="vertical",
        pos_label=long,
        name="a classifier with a name that goes on\nand on",
        words="medical",
        text_size=text_size,
    )
    found.figure_.draw_without_rendering()
    page = found.figure_.bbox
    parts = [found.ax_.xaxis.label, found.ax_.yaxis.label, *found.ax_.get_legend().get_texts()]
    for text in parts:
        box = text.get_window_extent()
        assert page.x0 <= box.x0
        assert box.x1 <= page.x1
        assert page.y0 <= box.y0
        assert box.y1 <= page.y1


# -- what somebody may pass -------------------------------------------------------------------------------


class Odd:
    """Like a classifier, and not quite one."""

    def __init__(self, method, answer, classes=(0, 1)):
        self.classes_ = classes
        setattr(self, method, answer)


def _fails(_):
    raise RuntimeError("out of memory")


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        (Odd("predict_proba", lambda rows: rows[:, 0]), "RS045", "needed: "),
        (Odd("decision_function", lambda rows: rows), "RS045", "needed: "),
        (Odd("decision_function", _fails), "RS045", "out of memory"),
        (Odd("decision_function", _fails, classes=[np.array([0, 1])] * 2), "RS045", "several outputs"),
        ({1: FITTED, "1": FITTED}, "RS002", "same name"),
    ],
)
def test_classifiers_that_are_not_quite_ones_are_refused(given, code, said):
    with pytest.raises(UsageError, match=said) as caught:
        RocAverageDisplay.from_estimator(given, X, y, method="vertical")
    assert caught.value.code == code
    assert caught.value.remedies


def test_rows_that_a_classifier_cannot_score_are_refused_in_its_words():
    with pytest.raises(UsageError, match=r"RS045[\s\S]*expecting 5 features"):
        RocAverageDisplay.from_cv_results(RUN, X[:, :3], y, method="vertical")
    for ask in (
        lambda: RocAverageDisplay.from_cv_results(RUN, X, WORDS, method="vertical"),
        lambda: RocAverageDisplay.from_estimator(FITTED, X, WORDS, method="vertical"),
    ):
        with pytest.raises(LabelError, match="trained on: 0, 1; y: "):
            ask()
    nothing = {"estimator": [], "indices": {"test": []}}
    with pytest.raises(UsageError, match="0 folds"):
        RocAverageDisplay.from_cv_results(nothing, X, y, method="vertical")


@pytest.mark.parametrize(
    "settings",
    [
        {"color": "no colour"},
        {"linewidth": "thick"},
        {"linestyle": "zz"},
        {"alpha": 7},
        {"marker": "zz"},
        {"zorder": "front"},  # is looked at only when it is drawn
        {"markevery": "x"},
        {"label": 3},
    ],
    ids=str,
)
def test_settings_that_matplotlib_refuses_are_refused_with_a_code(display, settings):
    for given in ({"curve_kwargs": settings}, {"curve_kwargs": [settings, {}, {}, {}]}, settings):
        with pytest.raises(UsageError, match="RS002: lines cannot have this"):
            RocAverageDisplay(display.average).plot(**given)


@pytest.mark.parametrize("name", ["data", "xdata", "transform", "figure", "fold_names"])
def test_a_drawn_line_keeps_its_place(display, name):
    with pytest.raises(UsageError, match="RS001") as caught:
        RocAverageDisplay(display.average).plot(**{name: [0, 1]})
    assert caught.value.remedies[-1].startswith("options:")


def test_settings_that_are_none_stay_what_they_are(display):
    found = RocAverageDisplay(display.average).plot(color=None, linestyle=None)
    assert found.line_.get_color() == display.line_.get_color()


@pytest.mark.parametrize("ax", [3, Figure()], ids=["int", "figure"])
def test_axes_that_are_none(display, ax):
    with pytest.raises(UsageError, match="RS002: ax must be flat axes"):
        display.plot(ax=ax)


def test_the_key_keeps_the_curves_that_were_drawn_before(display):
    axes = Figure(layout="constrained").add_subplot()
    RocCurveDisplay.from_predictions(y, X[:, 0], ax=axes, name="single")
    earlier = [text.get_text() for text in axes.get_legend().get_texts()]
    RocAverageDisplay(display.average, name="average").plot(axes)
    RocAverageDisplay(display.average, name="again").plot(axes)
    lines = texts(axes).splitlines()
    assert all(lines.count(name) == 1 for name in earlier)
    assert sum("vertical average" in line for line in lines) == 1


def test_labels_of_single_curves_stand_in_the_key_but_not_hundreds():
    rng = np.random.default_rng(0)
    groups, sick = np.repeat(np.arange(30), 8), np.tile([0, 1], 120)
    average = rs.average(rs.ScoreSet.from_arrays(sick, sick + rng.normal(size=240), groups), "vertical")
    some = [{"label": f"$\\frac{{{k}"} if k < 2 else {} for k in range(30)]
    found = RocAverageDisplay(average).plot(curve_kwargs=some, band=None)
    assert [line for line in texts(found.ax_).splitlines() if "frac" in line] == ["$\\frac{0", "$\\frac{1"]
    named = RocAverageDisplay(average).plot(
        name=[f"site {k}" for k in range(30)], curve_kwargs=[{}] * 30, band=None
    )
    assert sum(line.startswith("site") for line in texts(named.ax_).splitlines()) == 12
    assert "and 18 others" in texts(named.ax_)


@pytest.mark.usefixtures("undrawn")
def test_folds_of_unequal_length_in_an_array_and_weights_of_another_shape():
    folds = {"y_true": y, "y_score": X[:, 0], "sample_weight": WEIGHTS}
    lists = {name: [own[:40], own[40:]] for name, own in folds.items()}
    arrays = {name: np.array(own, dtype=object) for name, own in lists.items()}
    one = RocAverageDisplay.from_predictions(**lists, method="vertical")
    other = RocAverageDisplay.from_predictions(**arrays, method="vertical")
    assert one.roc_auc == other.roc_auc
    with pytest.raises(UsageError, match="RS002: sample_weight must be one array for each fold"):
        RocAverageDisplay.from_predictions(**{**lists, "sample_weight": WEIGHTS}, method="vertical")


# -- pyplot, as scikit-learn's displays ---------------------------------------------------------------------


def test_a_figure_of_its_own_is_pyplots_current_one(display, tmp_path):
    found = RocAverageDisplay(display.average).plot()
    assert plt.get_fignums() == [1]
    assert plt.gcf() is found.figure_
    assert plt.gca() is found.ax_
    plt.savefig(tmp_path / "by_pyplot.png")
    assert (tmp_path / "by_pyplot.png").stat().st_size > 1000
    plt.close()
    assert rs.plot.save(found, tmp_path / "display.pdf").stat().st_size > 1000
    RocAverageDisplay(display.average).plot(Figure().add_subplot())
    with pytest.raises(UsageError):
        RocAverageDisplay(display.average).plot(words="latin")
    assert plt.get_fignums() == []


def test_one_group_needs_no_method():
    scores = FITTED.predict_proba(X)[:, 1]
    for found in (
        RocAverageDisplay.from_predictions(y, scores),
        RocAverageDisplay.from_estimator(FITTED, X, y, groups=["all"] * y.size),
    ):
        assert found.roc_auc == pytest.approx(rs.auc(y, scores))
        assert "1 group: nothing is averaged" in texts(found.ax_)
        assert repr(found) == f"RocAverageDisplay(1 group, AUC {found.roc_auc:.4f})"
    with pytest.raises(UsageError, match="RS093"):
        RocAverageDisplay.from_estimator([FITTED, FITTED], X, y)


def test_results_of_several_models_come_with_lines_that_draw_them():
    results = {"one": RUN, "two": RUN}
    with pytest.raises(UsageError, match="RS044") as caught:
        RocAverageDisplay.from_cv_results(results, X, y, method="threshold")
    names = {"cv_results": results, "X": X, "y": y, "rs": rs}
    exec("\n".join(caught.value.remedies[:2]), names)
    assert texts(names["ax"]).count("AUC") == 2


@pytest.mark.parametrize("text_size", [8.0, 16.0])
def test_settings_of_the_line_leave_the_axes_as_large_as_they_are_without(display, text_size):
    asked = {"at": {"fpr": 0.1}, "words": "medical", "text_size": text_size, "name": "RF"}
    sides = []
    for settings in ({}, {"curve_kwargs": {"color": "green", "lw": 3}}):
        found = RocAverageDisplay(display.average).plot(**asked, **settings)
        found.figure_.draw_without_rendering()
        sides.append(found.ax_.get_window_extent().width / found.figure_.dpi)
    assert sides[1] == pytest.approx(sides[0], rel=0.02)
