"""smAUC of Weka's cross-validated scores, as another program computed it.

golden/weka_table1_auc_smauc.json says how (our own check, not published values): Algorithm 2 of Klement et al. with the
Mid of Eq. 1, ties moved together, one area per run of 10-fold cross-validation; ``sm_half`` has Mid = 0.5.
"""

import json

import numpy as np
import pytest

import rocsteady as rs

pytestmark = pytest.mark.filterwarnings("ignore:RS260")


@pytest.fixture(scope="module")
def golden(data_folder):
    return json.loads((data_folder / "golden" / "weka_table1_auc_smauc.json").read_text())


@pytest.fixture
def decomposition(golden):
    return golden["decomposition_run1"]


@pytest.fixture(scope="module")
def runs(data_folder, golden):
    """The curve of every run of every set and method, and what is expected of it."""
    import duckdb

    table = data_folder / "scores" / "weka_cv_scores.parquet"
    with duckdb.connect() as connection:
        rows = connection.execute(
            'SELECT "set", method, run, label, score FROM read_parquet(?)', [str(table)]
        )
        columns = rows.fetchnumpy()
    keys = list(zip(*(np.asarray(columns[name]).tolist() for name in ("set", "method", "run")), strict=True))
    places: dict[tuple[str, str, int], list[int]] = {}
    for row, key in enumerate(keys):
        places.setdefault(key, []).append(row)
    expected = {(run["set"], run["method"], run["run"]): run for run in golden["runs"]}
    labels, scores = np.asarray(columns["label"]), np.asarray(columns["score"])
    return {key: (rs.smroc_curve(labels[own], scores[own]), expected[key]) for key, own in places.items()}


def test_there_are_ten_sets_two_methods_and_ten_runs(runs):
    assert len(runs) == 200


def test_smauc_auc_and_mid_of_every_run(runs):
    for curve, expected in runs.values():
        assert curve.mid == pytest.approx(expected["mid"], abs=1e-9)
        assert curve.auc == pytest.approx(expected["sm"], abs=1e-9)
        assert curve.roc_auc == pytest.approx(expected["auc"], abs=1e-9)


def test_with_mid_one_half(runs):
    for curve, expected in runs.values():
        assert curve.with_mid(0.5).auc == pytest.approx(expected["sm_half"], abs=1e-9)


def test_who_earns_the_credit(runs, decomposition):
    """Clipped Mid, whose scores are inappropriate, and how much of the credit comes from which class."""
    looked_at = [key for key in runs if key[2] == 1 and key[0] in decomposition]
    assert len(looked_at) >= 4
    for name, method, run in looked_at:
        curve, _ = runs[name, method, run]
        expected, found = decomposition[name][method], curve.appropriateness
        assert curve.with_mid("clipped").auc == pytest.approx(expected["sm_midcap1"], abs=1e-9)
        assert 1 - found.share_of_positives == pytest.approx(expected["frac_inappropriate_pos"], abs=1e-12)
        assert 1 - found.share_of_negatives == pytest.approx(expected["frac_inappropriate_neg"], abs=1e-12)
        up = found.credits["low_negatives"] + found.credits["high_negatives"]
        assert up / curve.total_credit == pytest.approx(expected["share_alpha_v_from_negatives"], abs=1e-9)
        right = curve.n_positives - found.credits["high_positives"] - found.credits["low_positives"]
        assert right / curve.total_debit == pytest.approx(expected["share_alpha_h_from_positives"], abs=1e-9)


def test_chance_is_not_one_half_with_a_sane_mid_either(runs):
    """The tree's Mid is 0.53, and permuted labels give 0.62 to 0.63."""
    curve, _ = runs["oz8h", "PET", 1]
    assert 0.62 < curve.chance_auc < 0.63
    assert curve.permuted(100).mean == pytest.approx(curve.chance_auc, abs=0.005)


def test_the_ozone_showpiece_is_what_permuted_labels_give(runs):
    """Mid near 2.9 makes every negative appropriate: smAUC .94, and nearly as much with labels dealt at random."""
    curve, _ = runs["oz8h", "NB", 1]
    dealt = curve.permuted(100)
    assert (round(curve.mid, 1), round(curve.auc, 2), round(curve.roc_auc, 2)) == (2.9, 0.94, 0.83)
    assert dealt.mean == pytest.approx(0.93, abs=0.005)
    assert curve.chance_auc == pytest.approx(dealt.mean, abs=3 * dealt.sd / 10 + 1e-3)
    assert curve.with_mid(0.5).auc < curve.roc_auc
    profile = curve.mid_profile([curve.mid, 0.5])
    assert profile.auc == pytest.approx([curve.auc, curve.with_mid(0.5).auc], abs=1e-12)


def test_the_average_of_ten_runs_has_their_mean_area(runs):
    curves = [runs["oz8h", "PET", run][0] for run in range(1, 11)]
    expected = np.mean([runs["oz8h", "PET", run][1]["sm"] for run in range(1, 11)])
    for method in ("vertical", "diagonal", "horizontal"):
        average = rs.average(curves, method)
        assert average.auc == pytest.approx(expected, abs=1e-9)
        assert np.sum(np.diff(average.fpr) * (average.tpr[1:] + average.tpr[:-1])) / 2 == pytest.approx(
            expected
        )
