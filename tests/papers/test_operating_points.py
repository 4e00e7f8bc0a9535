"""The reproduction of Paclik and others: models, tests between points, expectations, what is left out."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import multivariate_normal

import quick_runs
import rocsteady as rs
from changed_numbers import leaves, with_one_changed
from papers.operating_points import claims, digits, run, two_classes
from papers.operating_points.two_classes import FIGURE_2_SIZES, N_POINTS
from papers.paper import CAVEAT, CONSISTENT, FALSE, REPRODUCED, rounded, verdict_counts
from papers.paper import stored as stored_beside
from rocsteady.errors import FileError, MissingFileError, UsageError
from rocsteady.scores import stratified_folds

EXPECTED = stored_beside(run.__file__)
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib")


# Models.


def test_the_log_density_is_that_of_scipy() -> None:
    rng = np.random.default_rng(1)
    training, rows = rng.normal(size=(40, 3)) @ rng.normal(size=(3, 3)), rng.normal(size=(7, 3))
    wanted = multivariate_normal(training.mean(axis=0), np.cov(training.T)).logpdf(rows)
    np.testing.assert_allclose(two_classes.log_density(training, rows), wanted, rtol=1e-10)


@pytest.mark.parametrize("scale", [False, True])
def test_the_classifier_is_that_of_scikit_learn_and_scipy_fold_by_fold(scale: bool) -> None:
    from sklearn.decomposition import PCA
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    rng = np.random.default_rng(2)
    classes = np.repeat(np.arange(3), 30)
    features = rng.normal(size=(90, 5)) * [1, 5, 2, 10, 1] + 2 * classes[:, None]
    folds = stratified_folds(classes, 5, seed=0)
    found = digits.quadratic_outputs(features, classes, folds, scale=scale)
    for fold in range(5):
        extraction = make_pipeline(*([StandardScaler()] if scale else []), PCA(3))
        training, own = extraction.fit_transform(features[folds != fold]), classes[folds != fold]
        normals = [
            multivariate_normal(training[own == c].mean(axis=0), np.cov(training[own == c].T))
            for c in range(3)
        ]
        rows = extraction.transform(features[folds == fold])
        densities = np.column_stack([normal.pdf(rows) for normal in normals])
        wanted = densities / densities.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(found[folds == fold], wanted, atol=1e-9)


@pytest.mark.parametrize("scale", [False, True])
def test_nothing_is_learned_from_the_fold_that_is_tested(scale: bool) -> None:
    rng = np.random.default_rng(3)
    classes, features = np.repeat(np.arange(3), 20), rng.normal(size=(60, 4))
    folds = stratified_folds(classes, 5, seed=0)
    before = digits.quadratic_outputs(features, classes, folds, scale=scale)
    row = int(np.flatnonzero(folds == 2)[0])
    moved = features.copy()
    moved[row] += 100
    after = digits.quadratic_outputs(moved, classes, folds, scale=scale)
    others = (folds == 2) & (np.arange(60) != row)
    np.testing.assert_array_equal(after[others], before[others])
    assert not np.allclose(after[folds != 2], before[folds != 2])


def test_the_detector_learns_the_target_class_only() -> None:
    rng = np.random.default_rng(4)
    is_target, features = np.arange(40) < 20, rng.normal(size=(40, 2))
    folds = stratified_folds(is_target, 4, seed=0)
    moved = features.copy()
    moved[~is_target] += 5
    before, after = (two_classes.detector_outputs(f, is_target, folds) for f in (features, moved))
    np.testing.assert_array_equal(after[is_target], before[is_target])
    assert (after[~is_target] != before[~is_target]).all()


# Two classes.


@pytest.fixture(scope="module")
def samples() -> dict[int, two_classes.Sample]:
    return two_classes.samples()


def test_there_are_thirty_points_and_the_chosen_one_is_the_strictest(samples) -> None:
    for sample in samples.values():
        assert sample.table.n_points == N_POINTS
        assert np.isfinite(sample.table.thresholds).all()
        tpr = sample.table.measure("tpr").mean
        chosen = sample.comparisons["df 18"].index
        assert tpr[chosen] >= 0.9 - 1e-9
        assert chosen == 0 or tpr[chosen - 1] < 0.9 - 1e-9


@pytest.fixture(scope="module")
def repeated() -> list[two_classes.Replicates]:
    return [two_classes.replicates(size, 40) for size in FIGURE_2_SIZES]


@pytest.mark.parametrize("size", [str(size) for size in FIGURE_2_SIZES])
def test_every_number_of_figure_2_is_checked(repeated, size: str) -> None:
    stored = EXPECTED["figure 2"]
    paths = [("long run", size, "mean", name) for name in stored["long run"][size]["mean"]]
    paths += [
        ("specification", "points not rejected", size, test, "value")
        for test in stored["specification"]["points not rejected"][size]
    ]
    for path in paths:
        by = 20.0
        if "told" in path[-1]:  # a share, which stays one
            by = 0.9 if stored["long run"][size]["mean"][path[-1]] < 0.1 else -0.45
        checks = two_classes.replicate_checks(repeated, with_one_changed(stored, path, by))
        assert not all(check.passed for check in checks), path


def test_the_errata_are_checked_and_are_those_of_the_specification() -> None:
    stored = EXPECTED["errata"]
    assert stored["level of 2n - 2"]["10"] == pytest.approx(0.065, abs=5e-4)
    assert stored["level of 2n - 2"]["5"] == pytest.approx(0.082, abs=5e-4)
    assert all(check.passed for check in two_classes.errata_checks(stored, 4000))
    for path in leaves(stored):
        changed = with_one_changed(stored, path, 0.1)
        assert not all(check.passed for check in two_classes.errata_checks(changed, 4000)), path


# Three classes, on digits that were made up.


@pytest.fixture(scope="module")
def made_up(tmp_path_factory) -> Path:
    """A folder that holds a table like that of the digits."""
    folder = tmp_path_factory.mktemp("data")
    rng = np.random.default_rng(6)
    digit = np.repeat(np.arange(10), 200)
    spreads, shifts = [1, 1, 1, 10, 1, 1000], np.array([0.1, 0.2, 0.1, 3, 0.1, 200])
    features = rng.normal(size=(2000, 6)) * spreads + digit[:, None] * shifts
    (folder / "uci").mkdir()
    table = np.column_stack([features, digit])
    header = "mor1,mor2,mor3,mor4,mor5,mor6,digit"
    np.savetxt(folder / "uci" / "mfeat-mor.csv", table, delimiter=",", header=header, comments="", fmt="%.6g")
    return folder


@pytest.fixture(scope="module")
def three(made_up) -> digits.Digits:
    features, classes = digits.read_digits(digits.digits_file(made_up))
    return digits.first_digits(features, classes)


def test_digits_are_read_class_by_class(made_up) -> None:
    features, classes = digits.read_digits(digits.digits_file(made_up))
    assert features.shape == (600, 6)
    assert np.bincount(classes).tolist() == [200, 200, 200]
    first = digits.first_of_each(classes)
    assert np.array_equal(first, [*range(100), *range(200, 300), *range(400, 500)])
    drawn = digits.drawn_of_each(classes, 3)
    assert np.bincount(classes[drawn]).tolist() == [100, 100, 100]
    assert len(set(drawn.tolist())) == 300


def test_where_the_data_are_looked_for(made_up, tmp_path, monkeypatch) -> None:
    monkeypatch.delenv("ROCSTEADY_DATA", raising=False)
    assert digits.digits_file(None) is None
    monkeypatch.setenv("ROCSTEADY_DATA", "")
    assert digits.digits_file("") is None
    monkeypatch.setenv("ROCSTEADY_DATA", str(made_up))
    assert digits.digits_file(None) == made_up / "uci" / "mfeat-mor.csv"
    assert digits.digits_file(made_up / "uci") == made_up / "uci" / "mfeat-mor.csv"
    missing = digits.digits_file(tmp_path)
    assert missing == tmp_path / "uci" / "mfeat-mor.csv"
    with pytest.raises(MissingFileError, match="RS051"):
        digits.read_digits(missing)
    with pytest.raises(MissingFileError, match="RS051"):
        digits.digits_file(tmp_path / "nope")


@pytest.mark.parametrize("content", ["", "a,b\n1,2\n", "mor1,digit\nx,y\n", "h\n" + "1,2,3,4,5,6,7\n" * 2000])
def test_another_file_under_that_name_is_refused(tmp_path, content: str) -> None:
    path = tmp_path / "mfeat-mor.csv"
    path.write_text(content)
    with pytest.raises(FileError, match="RS053"):
        digits.read_digits(path)


def test_every_number_of_figure_3_is_checked(three) -> None:
    first, draws = three.readings(), [three.readings(), {k: v + 0.1 for k, v in three.readings().items()}]
    stored = {"first 100": dict(first), "first 100, scaled": dict(first), "draws": digits.long_run(draws)}
    assert all(check.passed for check in digits.digit_checks(three, three, draws, stored))
    for path in leaves({**stored, "draws": {"mean": stored["draws"]["mean"]}}):
        changed = with_one_changed(stored, path, 0.6)
        assert not all(check.passed for check in digits.digit_checks(three, three, draws, changed)), path


def test_the_search_finds_the_exact_minimax_of_the_digits(data_folder) -> None:
    features, classes = digits.read_digits(digits.digits_file(data_folder))
    scores = digits.classify(features, classes, digits.first_of_each(classes), 0)
    stored = EXPECTED["figure 3"]["first 100"]
    chosen = [stored[f"error of {digit} at the chosen point"] for digit in (2, 3, 5)]
    np.testing.assert_allclose(rs.search_class_weights(scores, exact=True).best.errors, chosen, atol=1e-12)


# The whole.


def test_without_the_data_figure_3_is_left_out_and_said() -> None:
    found = quick_runs.without_digits()
    assert found.failed == found.notes == ()
    assert found.numbers["figure 3"] is None
    assert "mfeat-mor.csv" in found.skipped[0]
    assert "--data" in found.skipped[0]
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["skipped"] == list(found.skipped)
    assert plain["numbers"]["figure 3"] is None
    assert len(found.tables) == 1
    assert [own.name for own in found.figures] == list(run.FIGURES[:2])
    assert found.claims[-1].erratum == "P1, P6"  # none on Figure 3


def test_the_whole_with_the_data(data_folder) -> None:
    found = quick_runs.with_digits(str(data_folder))
    assert found.failed == found.skipped == ()
    assert [note.split()[0] for note in found.notes] == ["Scaling"]
    assert verdict_counts(found.claims) == {REPRODUCED: 4, CONSISTENT: 1, CAVEAT: 6, FALSE: 4}
    assert all(bool(claim.remark) == (claim.verdict in (CAVEAT, FALSE)) for claim in found.claims)
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["passed"] is True
    assert len(plain["numbers"]["figure 1"]["table"]["thresholds"]) == N_POINTS
    assert len(plain["numbers"]["figure 3"]["draws"]) == 2
    assert [len(own.draw().panels) for own in found.figures] == [1, 4, 4]
    assert all(own.caption and own.differs for own in found.figures)
    assert [name for name, _ in found.pictures()] == [file for own in found.figures for file in own.files]
    assert [own.name for own in found.figures] == list(run.FIGURES)


def test_other_numbers_give_other_verdicts(samples, three, data_folder) -> None:
    small, large = quick_runs.with_digits(str(data_folder)).numbers["figure 2, repeated"]
    mean = {**large.mean, "neighbours told apart, df 18": 1.0, "known to differ": 0.0, "df 18": 9.0}
    before, after = (
        claims.claims(samples, (small, own), three) for own in (large, dataclasses.replace(large, mean=mean))
    )
    assert sum(old.verdict != new.verdict for old, new in zip(before, after, strict=True)) == 2


def test_a_folder_that_does_not_exist_is_said_before_the_work(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(two_classes, "samples", lambda: pytest.fail("worked first"))
    with pytest.raises(MissingFileError, match="RS051"):
        run.reproduce_operating_points(data=tmp_path / "nope")


@pytest.mark.parametrize("by", ["argument", "environment"])
def test_a_folder_without_the_file_costs_figure_3_alone(tmp_path, monkeypatch, by: str) -> None:
    for name, n in quick_runs.FEW_POINTS.items():
        monkeypatch.setattr(run, name, n)
    monkeypatch.setenv("ROCSTEADY_DATA", str(tmp_path) if by == "environment" else "")
    found = run.reproduce_operating_points(quick=True, data=tmp_path if by == "argument" else None)
    assert len(found.damaged) == 1
    assert str(tmp_path / "uci" / "mfeat-mor.csv") in found.damaged[0]
    without = quick_runs.without_digits()
    assert [check.name for check in found.checks] == [check.name for check in without.checks]
    assert [claim.to_dict() for claim in found.claims] == [claim.to_dict() for claim in without.claims]
    assert found.skipped == ()
    assert "figure_3" not in [own.name for own in found.figures]


@pytest.mark.parametrize("quick", [2, "no", None])
def test_quick_is_yes_or_no(quick, monkeypatch) -> None:
    monkeypatch.setattr(two_classes, "samples", lambda: pytest.fail("worked first"))
    with pytest.raises(UsageError, match="RS001"):
        run.reproduce_operating_points(quick=quick)


def test_expectations_can_be_made_again(made_up) -> None:
    """The same keys; the numbers are those of a much longer run, and of other digits."""
    again = rounded(run.expected(made_up, n_replicates=2, n_draws=2))
    assert sorted(leaves(again)) == sorted(leaves(EXPECTED))
    assert again["limit"] == EXPECTED["limit"]
    assert again["errata"] == EXPECTED["errata"]
