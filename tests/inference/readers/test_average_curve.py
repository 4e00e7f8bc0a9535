"""Average curves of reader studies: the area is the mean AUC, and the errors are those of the comparison."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, logit
from scipy.stats import t as student

import rocsteady as rs
from rocsteady.errors import RocsteadyError, RocsteadyWarning, UsageError
from rocsteady.readers.compare import compare_readers
from rocsteady.readers.curves import average_curve
from rocsteady.readers.study import reader_ratings
from rocsteady.statistics.reader_covariance import of_drawn

pytestmark = pytest.mark.filterwarnings("ignore:RS101", "ignore:RS21[3-8]", "ignore:RS270")

QUICK = {"n_resamples": 300, "seed": 4}


def rows_of(n_readers=5, n=30, gains=(1.2, 1.8), seed=0, steps=None):
    """Rows of a study with common cases, as columns."""
    rng = np.random.default_rng(seed)
    sick = np.repeat([1, 0], n)
    cases = rng.normal(size=2 * n) * 0.6
    columns = {"truth": [], "rating": [], "reader": [], "modality": [], "case": []}
    for name, gain in zip(("film", "digital", "other"), gains, strict=False):
        for reader in range(n_readers):
            own = cases + (gain + rng.normal() * 0.3) * sick + rng.normal(size=2 * n)
            columns["rating"] += (own if steps is None else np.digitize(own, steps)).tolist()
            columns["truth"] += sick.tolist()
            columns["reader"] += [f"reader {reader}"] * (2 * n)
            columns["modality"] += [name] * (2 * n)
            columns["case"] += list(range(2 * n))
    return {name: np.array(values) for name, values in columns.items()}


def study_of(rows, keep=None, **options):
    kept = np.arange(len(rows["truth"])) if keep is None else keep
    own = {name: values[kept] for name, values in rows.items()}
    return rs.ScoreSet.from_arrays(
        own["truth"],
        own["rating"],
        own["reader"],
        models=own["modality"],
        cases=own["case"],
        unit="reader",
        **options,
    )


ROWS = rows_of()
STUDY = study_of(ROWS)
RATINGS = reader_ratings(STUDY)
ORDINAL = study_of(rows_of(steps=[-0.4, 0.5, 1.2, 2.0], seed=3))

ratings_lists = st.lists(
    st.sampled_from([1.0, 2.0, 3.0, 4.0, 5.0, np.inf, -np.inf]), min_size=24, max_size=24
)


@given(ratings_lists, st.sampled_from(["fpr", "tpr"]), st.booleans())
def test_the_area_is_the_mean_of_the_areas(ratings, hold, higher):
    truth = np.tile([1, 0, 1, 0, 1, 0, 0, 0], 3)
    case, reader = np.tile(np.arange(8), 3), np.repeat(["x", "y", "z"], 8)
    study = rs.ScoreSet.from_arrays(
        truth, ratings, reader, cases=case, unit="reader", higher_is_positive=higher
    )
    curve = average_curve(study, hold=hold)
    aucs = [rs.auc(truth[reader == name], np.array(ratings)[reader == name]) for name in ("x", "y", "z")]
    aucs = aucs if higher else [1 - auc for auc in aucs]
    assert curve.auc == pytest.approx(np.mean(aucs), abs=1e-14)
    trapezoids = np.diff(curve.fpr) @ (curve.tpr[1:] + curve.tpr[:-1]) / 2
    assert trapezoids == pytest.approx(curve.auc, abs=1e-13)
    assert (np.diff(curve.fpr) >= 0).all()
    assert (np.diff(curve.tpr) >= 0).all()


@settings(max_examples=12)
@given(st.integers(0, 2**32))
def test_neither_the_order_of_rows_nor_the_scale_of_ratings_matters(seed):
    order = np.random.default_rng(seed).permutation(len(ROWS["truth"]))
    moved = dict(ROWS, rating=np.exp(ROWS["rating"]))
    shuffled = average_curve(study_of(moved, order), "film", **QUICK).at(fpr=[0.1, 0.3])
    plain = average_curve(STUDY, "film", **QUICK).at(fpr=[0.1, 0.3])
    for name in ("tpr", "standard_error", "df"):
        np.testing.assert_allclose(getattr(shuffled, name), getattr(plain, name), rtol=1e-12)
    np.testing.assert_allclose(shuffled.interval.low, plain.interval.low, rtol=1e-12)


def test_the_level_of_the_curve_is_that_of_its_points_and_bands():
    narrow = average_curve(STUDY, "film", confidence_level=0.8, **QUICK)
    usual = average_curve(STUDY, "film", **QUICK)
    assert (narrow.confidence_level, usual.confidence_level) == (0.8, 0.95)
    point, same = narrow.at(fpr=0.2), usual.at(fpr=0.2, confidence_level=0.8)
    assert point.to_dict() == same.to_dict()
    assert point.interval.confidence_level == 0.8
    assert usual.at(fpr=0.2).interval.low < point.interval.low
    np.testing.assert_array_equal(narrow.band().lower.tpr, usual.band(0.8).lower.tpr)
    assert (narrow.band().confidence_level, usual.band().confidence_level) == (0.8, 0.95)
    other = average_curve(STUDY, "digital", confidence_level=0.8, **QUICK)
    assert narrow.less(other, fpr=0.2).interval.confidence_level == 0.8
    with pytest.raises(UsageError, match="confidence_level"):
        average_curve(STUDY, "film", confidence_level=95)
    found = compare_readers(STUDY, confidence_level=0.8, **QUICK)
    assert found.average_curve("film").at(fpr=0.2).to_dict() == point.to_dict()


@pytest.mark.parametrize("study", [STUDY, ORDINAL], ids=["continuous", "ordinal"])
@pytest.mark.parametrize("hold", ["fpr", "tpr"])
@pytest.mark.filterwarnings("ignore:RS22[01]")
def test_an_interval_holds_its_estimate(study, hold):
    """On every jump and at both ends; the corner from which a curve starts is no part of its first jump."""
    for confidence_level in (0.5, 0.95):
        curve = average_curve(study, "film", hold=hold, confidence_level=confidence_level, **QUICK)
        corners = np.unique(np.concatenate([getattr(own, hold) for own in curve.reader_curves]))
        point = curve.at(**{hold: np.append(corners, [0.05, 0.5])})
        free = point.tpr if hold == "fpr" else point.fpr
        assert (point.interval.low <= free).all()
        assert (free <= point.interval.high).all()
        if study is ORDINAL:  # no reader jumps there
            continue
        start, beside = (0.0, 1e-12) if hold == "fpr" else (1.0, 1 - 1e-12)
        at, near = (curve.at(**{hold: place}).interval for place in (start, beside))
        assert (at.low, at.high) == pytest.approx((near.low, near.high), abs=1e-6)


def test_curves_of_other_cases_have_no_difference():
    """As many of each class are not the same ones: their luck is not shared."""
    other = study_of(dict(ROWS, case=np.array([f"z{case}" for case in ROWS["case"]])))
    curve = average_curve(STUDY, "film", **QUICK)
    with pytest.raises(UsageError, match="curves of different studies"):
        curve.less(average_curve(other, "digital", **QUICK), fpr=0.2)
    patients = study_of(ROWS, clusters=ROWS["case"] // 3)
    with pytest.raises(UsageError, match="curves of different studies"):
        curve.less(average_curve(patients, "digital", **QUICK), fpr=0.2)


def test_the_area_is_said_to_be_the_plain_mean_where_readers_read_unequally():
    keep = np.arange(7, len(ROWS["truth"]))  # the first reader lacks positives of the first modality
    found = compare_readers(study_of(ROWS, keep), method="u-statistics")
    curves = [found.average_curve(name) for name in found.modalities]
    assert curves[0].auc == pytest.approx(found.values[0].mean(), rel=1e-12)
    assert abs(curves[0].auc - found.means[0]) > 1e-6  # these count by pairs
    assert "the plain mean of the readers' AUCs" in curves[0].reading
    assert curves[1].auc == pytest.approx(found.means[1], rel=1e-12)
    assert "the mean AUC" in curves[1].reading


def test_patients_are_said_to_be_what_is_random():
    study = study_of(ROWS, clusters=ROWS["case"] // 3)
    assert "patients are" in average_curve(study, "film", **QUICK).random
    assert "patients" not in average_curve(STUDY, "film", **QUICK).random


def test_any_number_of_threads_gives_the_same_bits():
    points = [average_curve(STUDY, "film", threads=n, **QUICK).at(fpr=0.2) for n in (1, 3)]
    assert points[0].to_dict() == points[1].to_dict()


@pytest.mark.parametrize(
    ("readers", "cases"), [("random", "random"), ("fixed", "random"), ("random", "fixed")]
)
@pytest.mark.parametrize("study", [STUDY, ORDINAL], ids=["continuous", "ordinal"])
def test_errors_are_those_of_the_comparison(study, readers, cases):
    asked = {"readers": readers, "cases": cases}
    place = 0.23
    found = compare_readers(study, measure={"fpr": place}, covariance="bootstrap", **asked, **QUICK)
    curves = [average_curve(study, name, **asked, **QUICK) for name in found.modalities]
    for i, curve in enumerate(curves):
        point = curve.at(fpr=place)
        np.testing.assert_allclose(point.values, found.values[i], rtol=1e-12)
        assert point.tpr == pytest.approx(found.per_modality.value[i], rel=1e-12)
        assert point.standard_error == pytest.approx(found.per_modality.standard_error[i], rel=1e-9)
        assert point.df == pytest.approx(found.per_modality.df[i], rel=1e-9)
    less = curves[0].less(curves[1], fpr=place)
    assert less.difference == pytest.approx(found.difference, rel=1e-9)
    assert less.standard_error == pytest.approx(found.standard_error, rel=1e-9)
    assert less.df == pytest.approx(found.differences[0].df, rel=1e-6)
    assert less.pvalue == pytest.approx(found.differences[0].pvalue, rel=1e-6)


def test_horizontal_points_are_those_of_the_comparison_too():
    found = compare_readers(ORDINAL, measure={"tpr": 0.7}, covariance="bootstrap", **QUICK)
    point = average_curve(ORDINAL, "film", hold="tpr", **QUICK).at(sensitivity=0.7)
    assert point.fpr == pytest.approx(found.per_modality.value[0], rel=1e-12)
    assert point.standard_error == pytest.approx(found.per_modality.standard_error[0], rel=1e-9)
    assert (point.tpr, point.specificity) == (0.7, 1 - point.fpr)
    assert (point.tpr_interval, point.fpr_interval) == (None, point.interval)


def test_swapping_the_classes_turns_vertical_into_horizontal():
    turned = study_of(dict(ROWS, truth=1 - ROWS["truth"]), higher_is_positive=False)
    across = average_curve(turned, "film", hold="tpr", **QUICK)
    up = average_curve(STUDY, "film", **QUICK)
    at = np.array([0.1, 0.25, 0.6])
    np.testing.assert_allclose(1 - across.at(tpr=1 - at).fpr, up.at(fpr=at).tpr, atol=1e-12)
    np.testing.assert_allclose(across._held(1 - at).middle, 1 - up._held(at).middle, atol=1e-12)
    # Other cases are drawn for the classes, so errors agree as far as draws do.
    np.testing.assert_allclose(across.at(tpr=1 - at).standard_error, up.at(fpr=at).standard_error, rtol=0.2)


def test_the_interval_is_on_the_logit_scale_around_the_middle_of_a_jump():
    curve = average_curve(STUDY, "film", cases="fixed", **QUICK)
    values = np.array([own.tpr_at(0.2) for own in curve.reader_curves])
    bottom = np.array([own.tpr_at(0.2, side="lower") for own in curve.reader_curves])
    assert (values > bottom).any()  # 6 of 30 negatives are a step of every reader
    point = curve.at(fpr=0.2, confidence_level=0.9)
    assert (point.tpr, point.df) == (pytest.approx(values.mean()), 4)
    error = values.std(ddof=1) / np.sqrt(5)
    assert point.standard_error == pytest.approx(error)
    middle = (values.mean() + bottom.mean()) / 2
    half = student.ppf(0.95, 4) * error / (middle * (1 - middle))
    assert point.interval.low == pytest.approx(expit(logit(middle) - half))
    assert point.interval.high == pytest.approx(expit(logit(middle) + half))


def test_readers_who_are_alike_leave_the_cases():
    first = {name: values[:60] for name, values in ROWS.items()}
    alike = {name: np.tile(values, 4) for name, values in first.items()}
    alike["reader"] = np.repeat(["a", "b", "c", "d"], 60)
    same = average_curve(study_of(alike), **QUICK).at(fpr=0.2)
    one = average_curve(study_of(first), readers="fixed", **QUICK).at(fpr=0.2)
    assert same.standard_error == pytest.approx(one.standard_error, rel=1e-9)
    assert np.isinf(same.df)
    assert np.isinf(one.df)
    assert same.interval.low == pytest.approx(one.interval.low, rel=1e-9)


def test_a_modality_less_itself_is_nothing():
    curve = average_curve(STUDY, "film", **QUICK)
    nothing = curve.less(average_curve(STUDY, "film", **QUICK), specificity=0.8)
    assert (nothing.difference, nothing.standard_error, nothing.pvalue) == (0.0, 0.0, 1.0)
    there = curve.less(average_curve(STUDY, "digital", **QUICK), specificity=0.8)
    back = average_curve(STUDY, "digital", **QUICK).less(curve, specificity=0.8)
    assert there.difference == -back.difference
    assert there.pvalue == pytest.approx(back.pvalue, rel=1e-12)
    assert there.interval.low == pytest.approx(-back.interval.high, rel=1e-12)
    assert there.quantity == "mean TPR at FPR 20 %"


def test_specificity_at_a_sensitivity_is_better_where_fpr_is_lower():
    film, digital = (average_curve(STUDY, name, hold="tpr", **QUICK) for name in ("film", "digital"))
    found = digital.less(film, sensitivity=0.8)
    assert found.difference == pytest.approx(film.at(tpr=0.8).fpr - digital.at(tpr=0.8).fpr)
    assert found.difference > 0
    assert found.better == "digital"
    assert found.a_value == pytest.approx(1 - digital.at(tpr=0.8).fpr)
    assert found.a_interval.low < found.a_value < found.a_interval.high


def test_covariances_of_draws_are_numpys():
    drawn = np.random.default_rng(1).normal(size=(3, 50))
    shared = np.ones((3, 4), dtype=bool)
    np.testing.assert_allclose(of_drawn(drawn, shared), np.cov(drawn))
    shared[0] = [True, False, False, False]
    shared[1, 0] = False
    apart = of_drawn(drawn, shared)
    assert apart[0, 1] == apart[1, 0] == 0 != apart[0, 2]


@pytest.mark.parametrize("hold", ["fpr", "tpr"])
def test_the_band_is_made_of_points_and_leaves_out_where_few_cases_decide(hold):
    curve = average_curve(ORDINAL, "film", hold=hold, **QUICK)
    band = curve.band(0.9)
    held, free = ("fpr", "tpr") if hold == "fpr" else ("tpr", "fpr")
    known = np.flatnonzero(np.isfinite(getattr(band.lower, free)))
    number = known[known.size // 2]
    point = curve.at(**{held: getattr(band.middle, held)[number]}, confidence_level=0.9)
    edges = (band.lower, band.upper) if hold == "fpr" else (band.upper, band.lower)
    assert point.interval.low == pytest.approx(getattr(edges[0], free)[number])
    assert point.interval.high == pytest.approx(getattr(edges[1], free)[number])
    at = getattr(band.middle, held)
    few = 30 * np.minimum(at, 1 - at) <= 1 + 1e-9
    assert np.isnan(getattr(band.lower, free)[few]).all()
    assert band.excluded
    assert all(0 <= low <= high <= 1 for low, high in band.excluded)
    assert "Left out" in band.reading
    assert "90 %" in band.reading
    assert len(band.to_frame()) == at.size


def test_many_bends_are_read_on_a_grid_and_few_between_them():
    many = study_of(rows_of(n=400, n_readers=3, seed=2))
    assert average_curve(many, "film", hold="tpr", **QUICK).band().middle.tpr.size == 101
    few = average_curve(ORDINAL, "film", **QUICK)
    assert few.band().middle.fpr.size >= 51
    assert set(np.round(np.linspace(0, 1, 51), 9)) <= set(np.round(few.band().middle.fpr, 9))


def test_what_is_fixed_is_said():
    words = {
        ("random", "random"): "readers and cases are treated as random samples",
        ("fixed", "random"): "cases are treated as a random sample; the result is about these",
        ("random", "fixed"): "readers are treated as a random sample; the result is about these cases only",
    }
    errors = {}
    for (readers, cases), said in words.items():
        curve = average_curve(STUDY, "film", readers=readers, cases=cases, **QUICK)
        point = curve.at(fpr=0.2)
        errors[readers, cases] = point.standard_error
        for text in (curve.random, point.random, point.reading, curve.band().reading):
            assert said in text
    assert errors["random", "random"] >= errors["random", "fixed"]
    assert len(set(errors.values())) == 3


def test_few_cases_beyond_the_threshold_are_warned_of():
    curve = average_curve(STUDY, "film", **QUICK)
    with pytest.warns(RocsteadyWarning, match=r"RS220.*FPR 2 %") as warned:
        curve.at(fpr=0.02)
    assert "0.6 of 30" in str(warned[0].message)
    with pytest.warns(RocsteadyWarning, match=r"RS221.*positives are called negative"):
        curve.at(fpr=0.95)
    with pytest.warns(RocsteadyWarning, match=r"RS221.*negatives are called positive"):
        average_curve(STUDY, "digital", hold="tpr", cases="fixed", **QUICK).at(tpr=0.02)


def test_rates_that_are_all_one_have_a_limit():
    rows = rows_of(gains=(9.0,), n_readers=4)
    curve = average_curve(study_of(rows), **QUICK)
    with pytest.warns(RocsteadyWarning, match="RS221"):
        point = curve.at(fpr=0.3)
    assert point.tpr == 1.0
    assert point.interval.low == pytest.approx(0.05 ** (1 / 30))
    assert point.interval.high == 1.0


def test_cases_of_their_own_and_patients():
    reader = ROWS["reader"]
    for drop in (
        (ROWS["case"] % 5 == 1) & (reader == "reader 1"),
        (ROWS["case"] % 2 == 0) ^ (np.char.find(reader, "1") >= 0),
    ):
        part = study_of(ROWS, np.flatnonzero(~drop))
        found = compare_readers(part, measure={"fpr": 0.2}, covariance="bootstrap", **QUICK)
        curve = average_curve(part, "film", **QUICK)
        assert curve.auc == pytest.approx(compare_readers(part).means[0])
        assert curve.at(fpr=0.2).standard_error == pytest.approx(
            found.per_modality.standard_error[0], rel=1e-9
        )
    patients = study_of(ROWS | {"case": ROWS["case"]}, clusters=ROWS["case"] // 3)
    found = compare_readers(patients, measure={"fpr": 0.2}, covariance="bootstrap", **QUICK)
    point = average_curve(patients, "film", **QUICK).at(fpr=0.2)
    assert point.standard_error == pytest.approx(found.per_modality.standard_error[0], rel=1e-9)
    assert point.standard_error != average_curve(STUDY, "film", **QUICK).at(fpr=0.2).standard_error


@pytest.mark.parametrize("fpr", [0.2, 0.5])
def test_a_difference_of_curves_is_that_of_the_comparison_where_readers_have_cases_of_their_own(fpr):
    odd = np.char.find(ROWS["reader"], "1") >= 0
    study = study_of(ROWS, np.flatnonzero((ROWS["case"] % 2 == 1) == odd))
    expected = compare_readers(study, measure={"fpr": fpr}, covariance="bootstrap", **QUICK).differences[0]
    curves = [average_curve(study, name, **QUICK) for name in (expected.a, expected.b)]
    found = curves[0].less(curves[1], fpr=fpr)
    assert found.difference == pytest.approx(expected.difference, abs=1e-12)
    assert found.standard_error == pytest.approx(expected.standard_error, rel=1e-9)


@pytest.mark.parametrize("apart", [1, 2], ids=["common patients", "patients of their own"])
def test_readers_with_cases_of_their_own_have_in_common_what_their_patients_are(apart):
    # Two cases a patient: either one for each of two kinds of readers, or both for one of them.
    odd = np.char.find(ROWS["reader"], "1") >= 0
    kept = (ROWS["case"] // apart % 2 == 1) == odd
    study = study_of(ROWS, np.flatnonzero(kept), clusters=ROWS["case"][kept] // 2)
    found = compare_readers(study, measure={"fpr": 0.2}, covariance="bootstrap", **QUICK)
    curve = average_curve(study, "film", **QUICK)
    assert curve.at(fpr=0.2).standard_error == pytest.approx(found.per_modality.standard_error[0], rel=1e-9)
    between = of_drawn(curve._drawn(np.array([0.2]))[:, :, 0], curve._study.units()[0])[1]
    assert ((between != 0) == [apart == 1, True, *[apart == 1] * 3]).all()


def test_readers_nested_in_modalities_are_averaged_with_their_own():
    own = np.where(np.isin(ROWS["reader"], ["reader 0", "reader 1"]), "film", "digital") == ROWS["modality"]
    nested = study_of(ROWS, np.flatnonzero(own))
    curves = [average_curve(nested, name, **QUICK) for name in ("film", "digital")]
    assert [len(curve.readers) for curve in curves] == [2, 3]
    whole = compare_readers(nested)
    for curve, mean in zip(curves, whole.means, strict=True):
        assert curve.auc == pytest.approx(mean)
    with pytest.raises(UsageError, match=r"RS002.*different readers"):
        curves[0].less(curves[1], fpr=0.2)


def test_a_comparison_hands_its_curves_over():
    found = compare_readers(STUDY, readers="fixed")
    curve = found.average_curve("digital", hold="tpr")
    assert (curve.modality, curve.hold, curve.readers_are) == ("digital", "tpr", "fixed")
    assert curve.auc == pytest.approx(found.means[1], abs=1e-14)


def test_plain_data_and_words():
    curve = average_curve(RATINGS, "film", **QUICK)
    assert repr(curve).startswith("ReaderAverageCurve(film, vertical, 5 readers, AUC 0.")
    data = json.loads(json.dumps(curve.to_dict(), allow_nan=False))
    assert data["fpr"] == curve.fpr.tolist()
    assert data["n_positives"] == 30
    point = curve.at(specificity=0.8)
    json.dumps(point.to_dict(), allow_nan=False)
    assert point.sensitivity == point.tpr
    assert point.specificity == pytest.approx(0.8)
    assert point.reading.startswith("At an FPR of 20 % for every reader, the mean TPR of")
    assert "with film" in point.reading
    assert repr(point).startswith("ReaderCurvePoint(film: fpr 0.2000, tpr 0.")
    several = curve.at(fpr=[[0.1, 0.2]])
    assert several.values.shape == (5, 1, 2)
    assert several.interval.low.shape == (1, 2)
    assert "2 positions" in repr(several)
    assert len(curve.to_frame()) == curve.fpr.size
    assert list(curve.reader_curves)[2].auc == pytest.approx(compare_readers(STUDY).values[0, 2])
    assert curve.tpr_at(0.1) == pytest.approx(curve.at(fpr=0.1).tpr)
    assert curve.fpr_at(0.9, side="upper") >= curve.fpr_at(0.9)


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: average_curve(STUDY), "RS002"),
        (lambda: average_curve(STUDY, "flim"), "RS001"),
        (lambda: average_curve(STUDY, "film", hold="threshold"), "RS001"),
        (lambda: average_curve(STUDY, "film", readers="none"), "RS001"),
        (lambda: average_curve(STUDY, "film", seed=-1), "RS042"),
        (lambda: average_curve([1, 2], "film"), None),
        (lambda: average_curve(STUDY, "film").at(), "RS002"),
        (lambda: average_curve(STUDY, "film").at(fpr=0.1, tpr=0.1), "RS002"),
        (lambda: average_curve(STUDY, "film").at(fpr=1.5), "RS042"),
        (lambda: average_curve(STUDY, "film").at(sensitivity=0.9), "RS084"),
        (lambda: average_curve(STUDY, "film").at(fpr=0.1, confidence_level=95), "RS042"),
        (lambda: average_curve(STUDY, "film").band(95), "RS042"),
        (lambda: average_curve(STUDY, "film").less(3, fpr=0.1), "RS002"),
        (lambda: average_curve(STUDY, "film").less(average_curve(STUDY, "film", seed=2), fpr=0.1), "RS002"),
        (lambda: average_curve(STUDY, "film").less(average_curve(STUDY, "film")), "RS002"),
        (
            lambda: average_curve(STUDY, "film").less(average_curve(STUDY, "film", hold="tpr"), fpr=0.1),
            "RS002",
        ),
        (lambda: average_curve(STUDY, "film").less(average_curve(STUDY, "film"), fpr=[0.1, 0.2]), "RS042"),
    ],
)
def test_what_cannot_be_asked_is_refused(call, code):
    with pytest.raises(RocsteadyError) as refused:
        call()
    assert code is None or refused.value.code == code


@pytest.mark.parametrize("specificity", [0.05, 0.1, 0.3, 0.6, 0.7, 0.8, 0.9, 0.95])
def test_a_specificity_is_taken_as_it_is_written(specificity):
    # With 20 negatives curves jump at these very rates; 1 - 0.9 as a float is short of the jump at 0.1.
    study = study_of(rows_of(n=20, seed=5))
    found = compare_readers(study, measure={"specificity": specificity}, **QUICK)
    film, digital = (average_curve(study, name, **QUICK) for name in ("film", "digital"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rocsteady.readers.curves.ReaderAverageCurve._warn_of_few", lambda *_: None)
        points = [curve.at(specificity=[specificity, 0.5]).tpr[0] for curve in (film, digital)]
        less = film.less(digital, specificity=specificity)
    np.testing.assert_allclose(points, found.means, rtol=1e-12)
    assert less.difference == pytest.approx(found.difference, abs=1e-12)
    assert less.pvalue == pytest.approx(found.pvalue, rel=1e-9)


def test_something_is_random():
    with pytest.raises(UsageError, match="nothing is random"):
        average_curve(STUDY, "film", readers="fixed", cases="fixed")


def test_a_difference_of_fixed_readers_is_normal():
    curves = [average_curve(STUDY, name, readers="fixed", **QUICK) for name in ("film", "digital")]
    assert curves[0].less(curves[1], specificity=0.8).interval.method == "z"


@pytest.mark.filterwarnings("ignore:RS22[01]")
def test_a_difference_without_error_is_not_tested():
    # All readers alike, cases fixed: nothing varies, and the curves differ.
    rows = rows_of(n_readers=1, seed=2)
    n = len(rows["truth"])
    alike = {name: np.tile(values, 3) for name, values in rows.items()}
    alike["reader"] = np.repeat([f"reader {i}" for i in range(3)], n)
    curves = [average_curve(study_of(alike), name, cases="fixed") for name in ("film", "digital")]
    found = curves[0].less(curves[1], specificity=0.8)
    assert found.difference != 0
    assert found.standard_error == 0
    assert np.isnan([found.pvalue, found.interval.low, found.interval.high]).all()
