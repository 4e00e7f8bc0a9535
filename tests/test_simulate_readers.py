"""Simulated reader studies are what they say they are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr

from rocsteady.simulate import DESIGNS, RoeMetz, read_cells, reader_study

STUDIES = 300


def areas(positives: np.ndarray, negatives: np.ndarray) -> np.ndarray:
    """AUCs by definition, pair by pair."""
    positives, negatives = positives[..., :, None], negatives[..., None, :]
    return ((positives > negatives) + 0.5 * (positives == negatives)).mean(axis=(-2, -1))


def close_to_mean(values: np.ndarray, truth: np.ndarray) -> None:
    """Means over the first axis, of independent studies, are the truth but for chance."""
    error = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    assert (np.abs(values.mean(axis=0) - truth) < 4.5 * error).all()
    assert (error < 0.01).all()


@pytest.fixture(scope="module")
def wide() -> RoeMetz:
    """Readers who differ a lot, three modalities, positives that spread more."""
    return RoeMetz(auc=(0.7, 0.8, 0.9), var_r=0.1, var_tr=0.05, ratio=1.4, standalone_auc=0.85)


def test_ratings_scatter_around_their_auc(wide) -> None:
    drawn = wide.draw_arrays(4, 30, 40, seed=1, n_studies=STUDIES)
    assert drawn.positives.shape == (STUDIES, 3, 4, 30)
    found = areas(drawn.positives, drawn.negatives)
    close_to_mean(found.mean(axis=2), wide.true_auc())
    close_to_mean(drawn.auc.mean(axis=2), wide.true_auc())
    close_to_mean((found - drawn.auc).mean(axis=2), 0.0)  # these readers, other cases
    own = areas(drawn.standalone_positives, drawn.standalone_negatives)
    close_to_mean(own[:, None], np.array([0.85]))


def test_readers_scatter_around_what_their_cases_allow() -> None:
    """Very many readers of the same cases."""
    study = RoeMetz(auc=(0.7, 0.85), var_r=0.05, var_tr=0.05, ratio=1.4)
    drawn = study.draw_arrays(3000, 12, 9, seed=3)
    found = areas(drawn.positives, drawn.negatives)
    truth = study.auc_of_cases(drawn)
    close_to_mean(found.T, truth)
    assert (np.abs(truth - study.true_auc()) > 0.005).all()


@pytest.mark.parametrize("categories", [2, 5])
def test_ratings_in_categories_scatter_around_theirs(wide, categories) -> None:
    drawn = wide.draw_arrays(4, 30, 40, seed=2, n_studies=STUDIES)
    cuts = wide.cuts(categories)
    rated = [np.searchsorted(cuts, of_class) for of_class in (drawn.positives, drawn.negatives)]
    assert set(np.unique(rated[0])) == set(range(categories))
    close_to_mean(areas(*rated).mean(axis=2), wide.true_auc(categories))


def test_many_categories_lose_nothing(wide) -> None:
    np.testing.assert_allclose(wide.true_auc(5000), wide.true_auc(), atol=5e-3)
    assert (wide.true_auc(3) < wide.true_auc(20)).all()


def test_the_mean_curve_is_the_mean_of_the_readers(wide) -> None:
    """By quadrature over what readers add: a reader's curve is binormal."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    weights = weights / weights.sum()
    fpr = np.array([0.01, 0.1, 0.5])
    moved = np.sqrt(2 * (wide.var_r + wide.var_tr)) * nodes
    level = wide.separation[:, None, None] + moved[:, None] + np.array([-2.3263478740, -1.2815515655, 0.0])
    expected = np.einsum("n,mnf->mf", weights, ndtr(level / wide.ratio))
    np.testing.assert_allclose(wide.mean_tpr(fpr), expected, atol=1e-8)
    grid = (np.arange(200_000) + 0.5) / 200_000
    np.testing.assert_allclose(wide.mean_tpr(grid).mean(axis=1), wide.true_auc(), atol=1e-4)


def test_presets_are_the_populations_of_roe_and_metz() -> None:
    """Table 1 of Roe and Metz (1997), as the files of iRoeMetz have it."""
    for structure in ("HL", "LL", "HH", "LH"):
        for separation in (0.75, 1.5, 2.5):
            study = RoeMetz.preset(structure, separation=separation)
            np.testing.assert_allclose(study.separation, separation, rtol=1e-12)
            assert study.var_c + study.var_tc + study.var_rc + study.var_trc == pytest.approx(1, abs=1e-15)
            assert study.var_r == study.var_tr
    high = [RoeMetz.preset("HH", separation=separation).var_r for separation in (0.75, 1.5, 2.5)]
    assert high == [RoeMetz.preset("LH", separation=s).var_r for s in (0.75, 1.5, 2.5)]
    assert high == [0.011, 0.03, 0.056]
    assert {RoeMetz.preset(s, separation=2.5).var_tr for s in ("HL", "LL")} == {0.0055}
    for structure, cases in (("HL", (0.3, 0.3, 0.2, 0.2)), ("LL", (0.1, 0.1, 0.2, 0.6))):
        study = RoeMetz.preset(structure)
        assert (study.var_c, study.var_tc, study.var_rc, study.var_trc) == cases
    assert RoeMetz.preset("LL", n_modalities=3).auc == (RoeMetz.preset("LL").auc[0],) * 3


@settings(max_examples=30)
@given(st.integers(1, 3), st.integers(1, 4), st.integers(4, 12), st.integers(4, 12), st.sampled_from(DESIGNS))
def test_designs_are_what_their_names_say(n_modalities, n_readers, n_positives, n_negatives, design) -> None:
    is_read = read_cells(n_modalities, n_readers, n_positives, n_negatives, design=design)
    assert is_read.shape[2] == n_positives + n_negatives
    assert is_read.any(axis=(0, 1)).all()  # every case is read
    both = [is_read[..., :n_positives].any(axis=2), is_read[..., n_positives:].any(axis=2)]
    if design == "readers nested":
        assert is_read.shape[1] == n_modalities * n_readers
        assert (is_read.any(axis=2).sum(axis=0) == 1).all()
        return
    assert both[0].all()
    assert both[1].all()
    if design == "crossed":
        assert is_read.all()
    if design == "nested in readers":
        assert (is_read.any(axis=0).sum(axis=0) == 1).all()
    if design == "nested in modalities":
        assert (is_read.any(axis=1).sum(axis=0) == 1).all()
    if design == "partially paired":
        of_modalities = is_read[:, 0].sum(axis=0)
        assert set(of_modalities) <= {1, n_modalities}
        assert (of_modalities == n_modalities).sum() >= (n_positives + n_negatives) // 2


@pytest.mark.parametrize("design", DESIGNS)
def test_a_drawn_set_is_the_design(design, wide) -> None:
    drawn = wide.draw(3, 12, 15, seed=4, design=design, categories=5)
    is_read = read_cells(3, 3, 12, 15, design=design)
    assert drawn.unit == "reader"
    assert list(drawn.models) == ["modality 1", "modality 2", "modality 3"]
    sizes = [[own.scores.size for own in drawn.model(name)] for name in drawn.models]
    assert sizes == [[n for n in row if n] for row in is_read.sum(axis=2).tolist()]
    again = wide.draw(3, 12, 15, seed=4, design=design, categories=5)
    assert again.to_dict() == drawn.to_dict()


def test_a_program_and_patients_are_added(wide) -> None:
    drawn = wide.draw(2, 6, 9, seed=5, standalone=True, rows_per_patient=3)
    assert drawn.models[-1] == "AI"
    (own,) = drawn.model("AI")
    assert own.scores.size == 15
    assert own.scores.min() > 0
    assert own.scores.max() < 1
    # Positives 1-3 and negatives 7-9 are of patient 1.
    assert len(set(own.clusters)) == 3
    assert own.clusters[0] == own.clusters[2] == own.clusters[6] == own.clusters[8] != own.clusters[3]


def test_rows_of_a_patient_have_half_of_their_case_effects_in_common() -> None:
    study = RoeMetz(auc=(0.8,), var_r=0, var_tr=0, var_c=0.8, var_tc=0, var_rc=0, var_trc=0.2)
    drawn = study.draw_arrays(1, 4, 4, seed=6, n_studies=20_000, rows_per_patient=2)
    rows = np.concatenate([drawn.positives, drawn.negatives], axis=-1)[:, 0, 0]
    correlation = np.corrcoef(rows.T)
    assert correlation[0, 1] == pytest.approx(0.4, abs=0.03)
    assert correlation[0, 4] == pytest.approx(0.4, abs=0.03)  # the same patient, the other class
    assert correlation[0, 2] == pytest.approx(0, abs=0.03)
    np.testing.assert_allclose(rows.std(axis=0), 1, atol=0.03)
    drawn = study.draw_arrays(1, 4, 4, seed=6, n_studies=20_000, rows_per_patient=2, mixed_patients=False)
    apart = np.corrcoef(drawn.positives[:, 0, 0, 0], drawn.negatives[:, 0, 0, 0])[0, 1]
    assert apart == pytest.approx(0, abs=0.03)


@pytest.mark.parametrize(
    ("wrong", "word"),
    [({"auc": (0.8, 1.0)}, "AUC"), ({"var_r": -0.1}, "variance"), ({"ratio": 0}, "ratio")],
)
def test_wrong_populations_are_refused(wrong, word) -> None:
    with pytest.raises(ValueError, match=word):
        RoeMetz(**wrong)


def test_wrong_words_are_refused() -> None:
    with pytest.raises(ValueError, match="structure"):
        RoeMetz.preset("XX")
    with pytest.raises(ValueError, match="separation"):
        RoeMetz.preset("HL", separation=1.0)
    with pytest.raises(ValueError, match="design"):
        RoeMetz().draw(2, 5, 5, seed=1, design="random")
    with pytest.raises(ValueError, match="categories"):
        RoeMetz().cuts(1)


@pytest.fixture(scope="module")
def study() -> dict[str, np.ndarray]:
    return {name: np.array(column) for name, column in reader_study().items()}


def test_the_study_of_the_demo(study) -> None:
    assert set(study) == {"reader", "modality", "case", "truth", "rating"}
    assert list(dict.fromkeys(study["modality"])) == ["film", "digital", "AI"]
    assert sorted(set(study["reader"])) == ["AI", *(f"reader-{i}" for i in range(1, 7))]
    people = study["modality"] != "AI"
    assert len(set(study["rating"][people])) <= 21
    assert study["rating"][people].min() >= 1
    assert study["rating"][people].max() <= 100
    assert study["rating"][~people].max() <= 1
    keys = set(zip(study["reader"], study["modality"], study["case"], strict=True))
    assert len(keys) == study["rating"].size == 13 * 120
    truths = set(zip(study["case"], study["truth"], strict=True))
    assert len(truths) == 120
    assert sum(truth == "cancer" for _, truth in truths) == 50


def test_the_study_of_the_demo_without_its_program(study) -> None:
    short = reader_study(standalone=False)
    assert "AI" not in short["modality"]
    np.testing.assert_array_equal(short["rating"], study["rating"][study["modality"] != "AI"])
    assert reader_study(seed=1)["rating"] != reader_study()["rating"]
