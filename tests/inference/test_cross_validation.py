"""Folds share training cases: every interval and test over folds allows for that, and all doors agree."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest
from scipy import stats
from scipy.special import logit

import rocsteady as rs
from rocsteady import cli
from rocsteady.statistics.group_permutation import largest_of_normal, normal_maxima

RHO = 1 / 9


@pytest.fixture(scope="module")
def pairs():
    rng = np.random.default_rng(0)
    return [(labels, labels + rng.normal(size=40)) for labels in np.tile([0, 1], (50, 20))]


@pytest.fixture(scope="module")
def sets(pairs):
    made = {"folds": rs.ScoreSet.from_folds(pairs, repeats=5)}
    return made | {"groups": rs.ScoreSet.from_folds(pairs, design="independent")}


def test_the_variance_of_a_mean_over_folds_is_that_of_nadeau_and_bengio(sets):
    aucs = rs.roc_curves(sets["folds"]).auc
    found = rs.summarize_auc(sets["folds"], scale="linear")
    error = aucs.std(ddof=1) * np.sqrt(1 / 50 + RHO)
    assert found.standard_error == pytest.approx(error, rel=1e-12)
    half = stats.t.ppf(0.975, 49) * error
    for interval in (found.interval, rs.average(sets["folds"], "vertical").auc_interval(scale="linear")):
        assert interval.high - interval.low == pytest.approx(2 * half, rel=1e-12)
    assert found.design.repeats == 5
    assert rs.summarize_auc(sets["folds"], test_train_ratio=0).standard_error == pytest.approx(
        rs.summarize_auc(sets["groups"]).standard_error, rel=1e-14
    )


@pytest.mark.parametrize("method", ["vertical", "horizontal", "diagonal", "radial", "tangent", "binormal"])
def test_every_average_is_as_much_less_sure(sets, method):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        widths = {}
        for name, own in sets.items():
            place = {"tpr": 0.7} if method == "horizontal" else {"fpr": 0.2}
            point = rs.average(own, method).at(**place, scale="linear")
            interval = point.tpr_interval or point.fpr_interval
            widths[name] = interval.high - interval.low
    if method in ("vertical", "horizontal"):
        assert widths["folds"] / widths["groups"] == pytest.approx(np.sqrt(1 + 50 * RHO), rel=1e-9)
    assert widths["folds"] > 1.8 * widths["groups"]


def test_weights_of_folds_enter_by_their_squares(sets):
    weights = np.arange(1, 51)
    share = weights / weights.sum()
    plain, folds = (
        rs.average(sets[name], "vertical", group_weights=weights).at_position(0.2).standard_error
        for name in ("groups", "folds")
    )
    assert folds / plain == pytest.approx(np.sqrt(1 + RHO / (share**2).sum()), rel=1e-12)


def test_rates_at_a_threshold_and_their_ellipse_are_less_sure_too(sets):
    for rate in ("fpr_standard_error", "tpr_standard_error"):
        plain, folds = (
            getattr(rs.average(sets[name], "threshold").rates_at(0.5), rate) for name in ("groups", "folds")
        )
        assert folds / plain == pytest.approx(np.sqrt(1 + 50 * RHO), rel=1e-12)
    plain, folds = (
        np.ptp(rs.average(sets[name], "threshold").ellipse(0.5).fpr) for name in ("groups", "folds")
    )
    assert folds / plain == pytest.approx(np.sqrt(1 + 50 * RHO), rel=1e-9)


def test_tables_of_operating_points_know_the_design(sets):
    tables = {name: rs.average_operating_points(own, thresholds=20) for name, own in sets.items()}
    found = {name: table.compare_to(10) for name, table in tables.items()}
    assert found["folds"].test_train_ratio == RHO
    assert found["groups"].test_train_ratio == 0
    errors = {name: table.measure("tpr").standard_error[10] for name, table in tables.items()}
    assert errors["folds"] / errors["groups"] == pytest.approx(np.sqrt(1 + 50 * RHO), rel=1e-12)


def test_realised_rates_are_less_sure_too(sets):
    found = {name: rs.realise(own, rs.TargetRate(fpr=0.2), threshold="shared") for name, own in sets.items()}
    widths = {
        name: np.diff(logit([own.tpr.interval.low, own.tpr.interval.high])) for name, own in found.items()
    }
    assert widths["folds"] / widths["groups"] == pytest.approx(np.sqrt(1 + 50 * RHO), rel=1e-9)


def both_models(pairs, **design):
    rng = np.random.default_rng(1)
    labels = np.concatenate([own for own, _ in pairs])
    first = np.concatenate([own for _, own in pairs])
    scores = {"a": first, "b": first + 0.3 * rng.normal(size=first.size)}
    return rs.ScoreSet.from_arrays(labels, scores, np.repeat(np.arange(50), 40), **design)


def test_a_comparison_of_folds_flips_no_signs_and_ranks_nothing(pairs):
    design = rs.Design.cross_validation(10, repeats=5)
    found = rs.compare(both_models(pairs, design=design), "a", "b", method="vertical", at={"fpr": 0.1})
    assert found.wilcoxon is None
    assert all(np.isnan(own.flip_pvalue) for own in found.differences)
    assert found.test_train_ratio == RHO
    plain = rs.compare(both_models(pairs, design="independent"), "a", "b", method="vertical", at={"fpr": 0.1})
    for own, other in zip(found.differences, plain.differences, strict=True):
        assert own.standard_error / other.standard_error == pytest.approx(np.sqrt(1 + 50 * RHO), rel=1e-9)
    assert "flip" not in found.reading
    assert "cross-validation of 10 folds, repeated 5 times" in found.reading


def test_folds_that_are_not_paired_have_no_flips_and_no_curve(pairs):
    with pytest.warns(rs.RocsteadyWarning, match="RS279"):
        found = rs.compare(both_models(pairs, design="cross-validation"), "a", "b", paired=False)
    assert found.curve is None
    assert np.isnan(found.auc.flip_pvalue)
    assert "Welch" in found.auc.method
    assert "corrected" in found.auc.method


def test_limits_of_a_cut_off_of_folds_are_wider(sets):
    found = {name: rs.choose_cutoff(rs.average(own, "threshold"), "youden") for name, own in sets.items()}
    widths = {}
    for name, cutoff in found.items():
        limits = cutoff.intervals(n_resamples=400).tpr
        widths[name] = limits.high - limits.low
    assert widths["folds"] > 1.5 * widths["groups"]


def test_a_winner_map_of_five_folds_has_limits(pairs):
    rng = np.random.default_rng(2)
    labels = np.tile([0, 1], 100)
    scores = {"a": labels * 3 + rng.normal(size=200), "b": rng.normal(size=200)}
    folds = rs.ScoreSet.from_arrays(labels, scores, np.repeat(np.arange(5), 40), design="cross-validation")
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="RS275")
        found = rs.winner_map(folds)
    assert np.isfinite(found.lower).all()
    assert found.winner_at(0.2) == "a"


def test_the_largest_t_over_one_position_is_students():
    values = np.random.default_rng(0).normal(size=(6, 1))
    drawn = largest_of_normal(values - values.mean(), n_draws=40_000, seed=1)
    for level in (0.8, 0.95, 0.99):
        share = np.mean(drawn > stats.t.ppf((1 + level) / 2, 5))
        assert share == pytest.approx(1 - level, abs=5 * np.sqrt(level * (1 - level) / 40_000))
    many = largest_of_normal(np.repeat(values - values.mean(), 30, axis=1), n_draws=2_000, seed=1)
    assert np.quantile(many, 0.95) == pytest.approx(stats.t.ppf(0.975, 5), rel=0.15)  # all positions alike


def test_more_groups_than_positions_have_the_same_largest_t():
    values = np.random.default_rng(0).normal(size=(60, 3))
    drawn = largest_of_normal(values - values.mean(axis=0), n_draws=20_000, seed=1)
    single = stats.t.ppf(1 - 0.05 / 2, 59)
    assert single < np.quantile(drawn, 0.95) < stats.t.ppf(1 - 0.05 / 6, 59) * 1.02  # below Bonferroni's


def test_many_groups_that_share_the_chance_of_the_spread_have_the_same_largest_t():
    rng = np.random.default_rng(0)
    root = np.cumsum(rng.normal(size=(30, 50)), axis=1)
    found = []
    for n_groups in (100, 101):  # the way changes between them
        values = np.random.default_rng(1).normal(size=(n_groups, 30)) @ root
        drawn = largest_of_normal(values - values.mean(axis=0), n_draws=10_000, seed=1)
        found.append(np.quantile(drawn, [0.5, 0.9, 0.95]))
    np.testing.assert_allclose(found[0], found[1], rtol=0.03)


@pytest.mark.parametrize("n_groups", [5, 10, 20])
def test_the_whole_curve_test_keeps_its_level(n_groups):
    rng = np.random.default_rng(n_groups)
    positions = np.linspace(0, 1, 40)
    alike = np.exp(-8 * (positions[:, None] - positions) ** 2)
    root = np.linalg.cholesky(alike + 1e-9 * np.eye(40))
    n = 400
    level = np.mean(
        [normal_maxima(rng.normal(size=(n_groups, 40)) @ root.T, n_resamples=400, seed=i).pvalue <= 0.05
         for i in range(n)]
    )  # fmt: skip
    assert level < 0.05 + 4 * np.sqrt(0.05 * 0.95 / n)
    assert level > 0.01


def test_no_difference_anywhere_is_no_evidence():
    found = normal_maxima(np.zeros((5, 3)))
    assert (found.pvalue, found.statistic) == (1.0, 0.0)
    assert found.left_out.all()


@pytest.fixture(scope="module")
def moons():
    """scikit-learn's "Statistical comparison of models using grid search": corrected t 0.750, p 0.227 one-sided."""
    from sklearn.datasets import make_moons
    from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
    from sklearn.svm import SVC

    X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    options = {"cv": cv, "return_estimator": True, "return_indices": True}
    runs = {k: cross_validate(SVC(kernel=k, random_state=0), X, y, **options) for k in ("linear", "rbf")}
    return rs.ScoreSet.from_cv_results(runs, X, y)


def test_scikit_learns_published_corrected_t(moons):
    found = rs.compare(moons, "rbf", "linear").auc
    assert round(found.statistic, 3) == 0.750
    assert round(found.pvalue, 3) == 0.455


@pytest.fixture(scope="module")
def file_of_moons(moons, tmp_path_factory):
    frame = moons.to_frame()
    number = frame["fold"].str.extract(r"(\d+)")[0].astype(int) - 1
    frame["repeat"], frame["fold"] = number // 10 + 1, number % 10 + 1
    path = tmp_path_factory.mktemp("moons") / "moons.csv"
    frame.drop(columns="case").to_csv(path, index=False)
    return path


@pytest.fixture
def run(capsys):
    def run(*words):
        code, shown = cli.run([*map(str, words)]), capsys.readouterr()
        assert code == 0, shown.err
        return shown.out

    return run


COLUMNS = ("-g", "fold", "--repeat", "repeat", "-y", "is_positive", "-s", "score", "-p", "True")


def test_the_command_gives_the_same_corrected_t(run, file_of_moons):
    told = json.loads(
        run("compare", file_of_moons, "-m", "model", "--models", "rbf,linear", *COLUMNS, "--json")
    )
    text = json.dumps(told)
    assert "0.4548459" in text


def test_the_report_gives_the_same_corrected_t(run, file_of_moons, tmp_path):
    out = tmp_path / "page.html"
    told = run("report", file_of_moons, "-m", "model", *COLUMNS, "--boot", "100", "-o", out, "--json")
    assert "0.4548459" in told
