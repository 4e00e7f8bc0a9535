"""Figures of DET, precision-recall, cost and smROC curves, of differences and of readers draw their values."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_hex
from scipy.special import ndtri

import rocsteady as rs
from rocsteady.curves.smroc import SmrocCurve
from rocsteady.errors import UsageError
from rocsteady.figures.style import LOOKS
from rocsteady.readers.compare import ReaderComparison, compare_readers

pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning:matplotlib", "ignore:RS21[3-8]", "ignore:RS260", "ignore:RS27[58]"
)


def simulated(n: int, separation: float, share: float = 0.5) -> rs.RocCurve:
    rng = np.random.default_rng(0)
    labels = np.arange(n) < share * n
    return rs.roc_curve(labels, rng.normal(size=n) + separation * labels)


@pytest.fixture(scope="module")
def curve() -> rs.RocCurve:
    return simulated(600, 2.0)


@pytest.fixture(scope="module")
def hosts() -> rs.ScoreSet:
    rng = np.random.default_rng(1)
    labels = rng.random(800) < 0.5
    return rs.ScoreSet.from_arrays(labels, rng.normal(size=800) + 2 * labels, np.arange(800) % 8, unit="host")


def drawn(axes: Any, label: str) -> list[Any]:
    return [own for own in (*axes.lines, *axes.collections, *axes.patches) if own.get_label() == label]


def xy(axes: Any, label: str) -> np.ndarray:
    return np.asarray(drawn(axes, label)[0].get_xydata())


def texts(axes: Any) -> list[str]:
    return [text.get_text().replace("\n", " ") for text in axes.get_legend().get_texts()]


# DET ----------------------------------------------------------------------------------------------------


def test_det_lines_are_both_error_rates_on_axes_of_deviates(curve) -> None:
    for value in (curve, curve.det()):
        axes = rs.plot.det(value, words="biometric")
        fpr, fnr = xy(axes, "_average").T
        inside = (fpr > 0.01) & (fpr < 0.5) & (fnr > 0.01) & (fnr < 0.5)
        own = [*zip(curve.fpr, 1 - curve.tpr, strict=True)]
        near = [
            min(abs(a - x) + abs(b - y) for x, y in own)
            for a, b in zip(fpr[inside], fnr[inside], strict=True)
        ]
        assert max(near) < 1e-9
        place = axes.transData.transform([[own, 0.1] for own in (0.01, 0.1, 0.5)])[:, 0]
        np.testing.assert_allclose(
            np.diff(place)[0] / np.diff(place)[1], (ndtri(0.1) - ndtri(0.01)) / -ndtri(0.1)
        )
        assert (axes.get_xlabel(), axes.get_ylabel()) == (
            "False match rate (FMR), %",
            "False non-match rate (FNMR), %",
        )
        axes.figure.draw_without_rendering()
        assert {"5", "10", "40"} <= {text.get_text() for text in axes.get_xticklabels()}


def test_the_mark_is_the_equal_error_rate(curve) -> None:
    axes = rs.plot.det({"finger": curve})
    np.testing.assert_allclose(xy(axes, "_point"), [[curve.equal_error_rate] * 2])
    assert texts(axes) == [f"finger  {100 * curve.equal_error_rate:.1f} %"]
    assert axes.get_legend().get_title().get_text() == "equal error rate"


def test_each_axis_starts_at_the_smallest_rate_of_its_cases_and_reaches_what_is_asked_for(curve) -> None:
    rng = np.random.default_rng(0)
    labels = np.repeat([1, 0], [100, 10_000])
    axes = rs.plot.det(rs.roc_curve(labels, rng.normal(size=10_100) + 3.5 * labels))
    assert (axes.get_xlim()[0], axes.get_ylim()[0]) == pytest.approx((1e-4, 1e-2))
    axes = rs.plot.det(curve, at={"fpr": 0.004})
    assert axes.get_ylim()[1] >= 1 - curve.tpr_at(0.004) > 0.5
    assert len(drawn(axes, "_asked")) == 1
    near = rs.plot.det(curve, at={"fpr": 0.3}, zoom=(0.2, 0.7))
    assert (near.get_xlim()[1], near.get_ylim()[1]) == pytest.approx((0.2, 0.3))
    assert texts(near)[1].endswith("outside these axes")
    for poor in (simulated(200, 0.05), rs.roc_curve([1, 0], [1, 1]), simulated(200, -1.0)):
        axes = rs.plot.det(poor)
        assert axes.get_xlim() == pytest.approx((0.001, 0.999))
        assert len(drawn(axes, "_chance")) == 1


def test_points_have_the_interval_of_the_rate_that_is_read(curve, hosts) -> None:
    axes = rs.plot.det({"finger": curve}, at={"fmr": 0.02}, words="biometric")
    found, limits = 1 - curve.tpr_at(0.02), curve.tpr_interval(0.02)
    np.testing.assert_allclose(xy(axes, "_asked"), [[0.02, found]])
    low, high = 1 - limits.high, 1 - limits.low
    np.testing.assert_allclose(xy(axes, "_interval")[:, 1], [low, high])
    told = f"FMR 2 %: FNMR {100 * found:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
    assert texts(axes)[1:] == [told, "bars, in brackets: 95 % CI"]
    for at in ({"tpr": 0.9}, {"fnmr": 0.1}):
        axes = rs.plot.det(curve, at=at, confidence_level=0.9)
        np.testing.assert_allclose(xy(axes, "_asked"), [[curve.fpr_at(0.9), 0.1]])
        assert texts(axes)[1].startswith("FNR 10 %: FPR ")
        assert texts(axes)[-1] == "bars, in brackets: 90 % CI"
    bare = rs.plot.det(curve.det(), at=[{"fpr": 0.1}, {"tpr": 0.9}])
    assert drawn(bare, "_interval") == []
    average = rs.average(hosts, "vertical")
    found = average.at(fpr=0.1).tpr_interval
    np.testing.assert_allclose(
        xy(rs.plot.det(average, at={"fpr": 0.1}), "_interval")[:, 1], [1 - found.high, 1 - found.low]
    )


def test_an_average_is_drawn_with_its_members(hosts) -> None:
    average = rs.average(hosts, "threshold")
    axes = rs.plot.det(average)
    assert len(drawn(axes, "_members")[0].get_segments()) == 8
    assert "threshold average, 8 hosts" in texts(axes)
    assert not drawn(rs.plot.det(average, members=False), "_members")
    both = rs.plot.det({"one threshold": average, "own": rs.average(hosts, "vertical")})
    assert not drawn(both, "_members")
    assert len({line.get_linestyle() for line in drawn(both, "_average")}) == 2


def test_slanted_pieces_are_bent_and_perfect_curves_lie_outside(curve) -> None:
    slanted = rs.RocCurve.from_counts([2, 1], [80, 100], [10, 100])
    fpr, fnr = xy(rs.plot.det(slanted), "_average").T
    inner = (fpr > 0.11) & (fpr < 0.49)
    assert inner.sum() >= 3
    np.testing.assert_allclose(fnr[inner], 0.2 - (fpr[inner] - 0.1) * 0.2 / 0.9, atol=1e-9)
    perfect = rs.roc_curve([1, 1, 0, 0], [4, 3, 2, 1])
    for axes in (rs.plot.det(perfect), rs.plot.det([perfect, curve])):
        assert texts(axes)[1] == "outside these axes"
        axes.figure.draw_without_rendering()


def test_what_is_no_det_curve_is_refused(curve) -> None:
    folds = rs.ScoreSet.from_folds(
        [([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2]), ([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.1])], design="independent"
    )
    smooth = rs.average(rs.smroc_curve(folds), "vertical")
    for wrong in ("curve", curve.cost_curve(), [curve, 3], smooth):
        with pytest.raises(UsageError, match="RS002"):
            rs.plot.det(wrong)
    for wrong in ([], [curve] * 7):
        with pytest.raises(UsageError, match="RS042"):
            rs.plot.det(wrong)
    for at in ({"fur": 0.1}, 0.1, {"threshold": [1]}):
        with pytest.raises(UsageError, match=r"RS042|RS092"):
            rs.plot.det(curve, at=at)


# Precision and recall, costs ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "own",
    [
        simulated(400, 1.0, 0.3),
        rs.roc_curve([0, 0, 1, 1, 0], [5, 4, 3, 2, 1]),
        rs.roc_curve([1, 0, 1, 0], [1, 1, 1, 1]),
        rs.roc_curve([1, 1, 0], [3, 2, 1]),
    ],
)
def test_the_area_under_the_steps_is_the_average_precision(own) -> None:
    for value in (own, own.precision_recall()):
        axes = rs.plot.precision_recall(value)
        recall, precision = xy(axes, "_average").T
        assert (recall[0], recall[-1]) == (0, 1)
        area = np.sum(np.diff(recall) * (precision[1:] + precision[:-1]) / 2)
        assert area == pytest.approx(own.precision_recall().average_precision, abs=1e-3)
        assert texts(axes)[0] == f"{own.precision_recall().average_precision:.3f}"


def test_the_dotted_line_is_the_share_of_positives() -> None:
    axes = rs.plot.precision_recall(simulated(400, 1.0, 0.25))
    np.testing.assert_array_equal(xy(axes, "_prevalence")[:, 1], [0.25, 0.25])
    assert texts(axes)[1] == "all called positive, 25.0 %"
    both = {"a": simulated(400, 2.0, 0.2), "b": simulated(400, 1.0, 0.5)}
    axes = rs.plot.precision_recall(both, words="medical")
    assert [line.get_ydata()[0] for line in drawn(axes, "_prevalence")] == [0.2, 0.5]
    assert texts(axes)[-1] == "all called positive, 20 to 50 %"
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("Sensitivity", "Positive predictive value")
    for wrong in (both["a"].det(), {"a": 1}, 3):
        with pytest.raises(UsageError, match="RS002"):
            rs.plot.precision_recall(wrong)


def test_the_cost_line_is_the_envelope_of_thresholds(curve) -> None:
    cost = curve.cost_curve()
    for value in (cost, curve):
        axes = rs.plot.cost_curve(value)
        np.testing.assert_array_equal(
            xy(axes, "_average"), np.c_[cost.probability_cost, cost.normalized_cost]
        )
    np.testing.assert_array_equal(xy(axes, "_trivial"), [[0, 0], [0.5, 0.5], [1, 0]])
    segments = drawn(axes, "_members")[0].get_segments()
    assert len(segments) == min(cost.thresholds.size, 60)
    assert not drawn(rs.plot.cost_curve(cost, lines=False), "_members")


def test_costs_are_marked_and_ranges_shaded(curve) -> None:
    cost = curve.cost_curve()
    share = 0.03 * 20 / (0.03 * 20 + 0.97)
    axes = rs.plot.cost_curve(cost, at=[0.2, rs.AtCosts(1, 20, 0.03)], between=(0.1, 0.3))
    np.testing.assert_allclose(xy(axes, "_point"), np.c_[[0.2, share], cost.at([0.2, share])])
    assert texts(axes)[0] == f"{cost.normalized_cost.max():.3f}"
    assert texts(axes)[1].startswith(f"at 0.2: cost {cost.at(0.2):.3f}, threshold ")
    assert "probability cost 0.1 to 0.3" in texts(axes)
    both = rs.plot.cost_curve({"old": curve, "new": simulated(600, 1.0)}, at=0.2)
    assert texts(both)[:2] == [f"old  {cost.normalized_cost.max():.3f}", f"{cost.at(0.2):.3f} at 0.2"]
    for wrong in ({"at": [0.1] * 5}, {"at": 1.5}, {"between": (0.3, 0.1)}, {"between": 0.3}):
        with pytest.raises(UsageError, match="RS042"):
            rs.plot.cost_curve(curve, **wrong)
    with pytest.raises(UsageError, match="RS002"):
        rs.plot.cost_curve(curve.det())


# smROC --------------------------------------------------------------------------------------------------


def rows(seed: int = 0, n: int = 60) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < 0.3
    labels[:2] = True, False
    return labels, np.clip(rng.beta(2, 3, n) + 0.2 * labels, 0, 1).round(2)


@pytest.fixture(scope="module")
def smooth() -> SmrocCurve:
    return rs.smroc_curve(*rows(), mid=0.5, name="forest")


@pytest.fixture(scope="module")
def outside() -> SmrocCurve:
    """A curve of few positives and many high scores: Mid is above 1."""
    return rs.smroc_curve([1] + [0] * 9, [0.9, 0.8, 0.9, 0.7, 0.95, 0.6, 0.2, 0.1, 0.9, 0.5])


@settings(max_examples=6)
@given(st.integers(0, 50), st.sampled_from([0.2, 0.5, "paper", "clipped"]), st.booleans())
def test_the_curve_its_chance_curve_and_the_roc_curve_are_drawn(seed, mid, is_weighted) -> None:
    labels, scores = rows(seed)
    weights = np.linspace(1, 3, labels.size) if is_weighted else None
    own = rs.smroc_curve(labels, scores, mid=mid, sample_weight=weights)
    axes = rs.plot.smroc(own)
    np.testing.assert_array_equal(xy(axes, "_average"), np.c_[own.fpr, own.tpr])
    ordinary = rs.roc_curve(labels, scores, sample_weight=weights)
    np.testing.assert_allclose(xy(axes, "_ordinary"), np.c_[ordinary.fpr, ordinary.tpr], atol=1e-12)
    by_chance = xy(axes, "_chance_curve")
    area = np.sum(np.diff(by_chance[:, 0]) * (by_chance[1:, 1] + by_chance[:-1, 1]) / 2)
    assert area == pytest.approx(own.chance_auc, abs=1e-12)


def test_the_key_of_smroc_curves_has_areas_chance_and_mid(smooth, outside) -> None:
    axes = rs.plot.smroc(smooth)
    assert texts(axes) == [
        f"smAUC {smooth.auc:.3f}",
        f"chance {smooth.chance_auc:.3f}, AUC {smooth.roc_auc:.3f}, Mid 0.5",
        "chance: labels dealt at random",
        "ordinary ROC curve",
    ]
    assert axes.get_title(loc="left") == "forest"
    bare = rs.plot.smroc(smooth, roc=False, chance=False, title="here")
    assert len(texts(bare)) == 2
    assert bare.get_title(loc="left") == "here"
    assert rs.plot.smroc([smooth, outside]).get_legend().get_title().get_text() == (
        "Mid lies outside (0, 1]: read smAUC beside its chance level"
    )
    others = [rs.smroc_curve(*rows(seed), mid=0.5, name=f"fold {seed}") for seed in range(1, 4)]
    several = rs.plot.smroc([smooth, *others])
    assert [to_hex(own.get_color()).upper() for own in drawn(several, "_average")] == [
        look.colour for look in LOOKS[:4]
    ]
    assert [text.split("  ")[0] for text in texts(several)[:7:2]] == ["forest", "fold 1", "fold 2", "fold 3"]
    assert not [text for text in texts(several) if text.startswith("chance:")]  # too many lines
    assert len(drawn(rs.plot.smroc([smooth] * 7), "_average")) == 7


def test_a_profile_is_drawn_in_steps_or_with_a_dot_at_each_mid(smooth, outside) -> None:
    profile = smooth.mid_profile()
    axes = rs.plot.mid_profile(profile)
    for label, values in (("_line", profile.auc), ("_chance_area", profile.chance_auc)):
        found = xy(axes, label)
        assert {*found[:, 1]} <= {*values}
        assert {*found[:, 0]} <= {*profile.after, *profile.mid}
    np.testing.assert_array_equal(xy(axes, "_point"), [[smooth.mid, smooth.auc]])
    np.testing.assert_array_equal(xy(axes, "_ordinary")[:, 1], [smooth.roc_auc] * 2)
    assert (axes.get_xlim(), axes.get_title(loc="left")) == ((0, 1), "forest")
    assert texts(axes)[-1] == f"the curve itself: Mid 0.5, smAUC {smooth.auc:.3f}"
    chosen = smooth.mid_profile([0.7, 0.2, 0.4])
    axes = rs.plot.mid_profile(chosen, title="three")
    np.testing.assert_array_equal(xy(axes, "_line"), np.c_[[0.2, 0.4, 0.7], chosen.auc[[1, 2, 0]]])
    assert len(xy(axes, "_points")) == 3
    beyond = rs.plot.mid_profile(outside.mid_profile())
    assert drawn(beyond, "_point") == []
    assert texts(beyond)[-1].endswith("(outside)")


def test_what_is_no_smroc_curve_is_refused(smooth) -> None:
    ordinary = rs.roc_curve(*rows())
    for code, call in (
        ("RS002", lambda: rs.plot.smroc(ordinary)),
        ("RS002", lambda: rs.plot.smroc([smooth, ordinary])),
        ("RS042", lambda: rs.plot.smroc([])),
        ("RS042", lambda: rs.plot.smroc([smooth] * 8)),
        ("RS001", lambda: rs.plot.smroc(smooth, roc="no")),
        ("RS001", lambda: rs.plot.smroc(smooth, chance="no")),
        ("RS002", lambda: rs.plot.mid_profile(smooth)),
    ):
        with pytest.raises(UsageError, match=code):
            call()


# Differences --------------------------------------------------------------------------------------------


def models(*gains_and_spreads, n_groups=9, n=100, names=("old", "new", "other")) -> rs.ScoreSet:
    rng = np.random.default_rng(3)
    labels = np.tile([1] * n + [0] * n, n_groups)
    common = rng.normal(size=labels.size)
    scores = {
        name: common + rng.normal(size=labels.size) * np.where(labels, spread, 1) + gain * labels
        for name, (gain, spread) in zip(names, gains_and_spreads, strict=False)
    }
    return rs.ScoreSet.from_arrays(labels, scores, np.repeat(np.arange(n_groups), 2 * n), unit="site")


CROSSING = models((1.5, 1.0), (2.3, 3.0))


@cache
def compared(method: str = "vertical", level: float = 0.9) -> Any:
    return rs.compare(CROSSING, "old", "new", confidence_level=level, method=method)


def test_the_difference_and_both_bands() -> None:
    curve = compared().curve
    for value in (compared(), curve):
        axes = rs.plot.difference(value)
        found = xy(axes, "_difference")
        assert {*map(tuple, found)} <= {*zip(curve.position, curve.difference, strict=True)}
        for kind, low in (("pointwise", curve.lower), ("simultaneous", curve.simultaneous_lower)):
            lowest = min(
                path.vertices[:, 1].min() for own in drawn(axes, f"_{kind}") for path in own.get_paths()
            )
            assert lowest == pytest.approx(low.min())
        kind = "vertical averages: " if value is compared() else ""
        assert texts(axes) == [
            "old − new",
            "90 %: each point by itself",
            "90 %: FPR 2 to 50 % at once",
            f"{kind}mean difference, 9 sites",
        ]
        assert axes.get_xlim() == pytest.approx(curve.range)
    assert [text.get_text() for text in axes.texts] == ["old better", "new better"]


@pytest.mark.parametrize(
    ("method", "words", "labels"),
    [
        ("vertical", "ml", ("False positive rate", "True positive rate gained")),
        ("vertical", "medical", ("1 − specificity", "Sensitivity gained")),
        ("horizontal", "ml", ("True positive rate", "False positive rate saved")),
        ("diagonal", "ml", ("position along the direction", "gained along the direction")),
    ],
)
def test_axes_of_differences_are_named_by_what_is_held(method, words, labels) -> None:
    axes = rs.plot.difference(compared(method), words=words)
    assert (axes.get_xlabel(), axes.get_ylabel()) == labels


def test_few_groups_unpaired_models_and_single_datasets_are_said() -> None:
    few = rs.plot.difference(
        rs.compare(models((1.5, 1), (2.5, 1), n_groups=4), "old", "new", method="vertical")
    )
    assert "too few sites for limits of the whole range" in texts(few)
    one = rs.compare(models((1.5, 1), (2.5, 1), n_groups=1), "old", "new", method="vertical")
    assert "200 cases of one site, cases random" in texts(rs.plot.difference(one))
    both = models((1.5, 1), (2.5, 1), n_groups=8)
    own = [both.model(name).columns for name in ("old", "new")]
    lonely = rs.ScoreSet.from_arrays(
        np.concatenate([part.labels for part in own]),
        np.concatenate([part.scores for part in own]),
        np.repeat(np.arange(16), 200),
        models=np.repeat(["old", "new"], 1600),
    )
    axes = rs.plot.difference(rs.compare(lonely, "old", "new", method="vertical"))
    assert "vertical averages: difference of means, 8 groups and 8" in texts(axes)


def test_what_is_no_difference_is_refused() -> None:
    for wrong in (None, 3, CROSSING, [compared()]):
        with pytest.raises(UsageError, match="RS002"):
            rs.plot.difference(wrong)
    several = rs.compare(models((1, 1), (2, 1), (3, 1), n_groups=6, n=10), method="vertical")
    with pytest.raises(UsageError, match="one pair of them"):
        rs.plot.difference(several)


# Readers ------------------------------------------------------------------------------------------------


def study(n_readers=5, modalities=("film", "digital"), n=30, *, steps=None) -> rs.ScoreSet:
    rng = np.random.default_rng(3)
    sick, common = np.repeat([1, 0], n), rng.normal(size=2 * n)
    found = []
    for i, modality in enumerate(modalities):
        for reader in range(n_readers):
            own = common + (1 + 0.5 * i) * sick + rng.normal(size=2 * n)
            own = own if steps is None else np.digitize(own, steps)
            found += [(own[k], sick[k], f"Dr {reader}", modality, k) for k in range(2 * n)]
    rating, truth, reader, modality, case = zip(*found, strict=True)
    return rs.ScoreSet.from_arrays(truth, rating, reader, models=modality, cases=case, unit="reader")


@pytest.fixture(scope="module")
def readers() -> ReaderComparison:
    return compare_readers(study(), n_resamples=200)


@pytest.mark.parametrize("hold", ["fpr", "tpr"])
@pytest.mark.parametrize("steps", [None, [0, 0.7, 1.4]])
def test_reader_curves_are_averages_bands_and_readers(hold, steps) -> None:
    found = compare_readers(study(steps=steps), n_resamples=200)
    axes = rs.plot.reader_curves(found, hold=hold, confidence_level=0.9)
    curves = [found.average_curve(name, hold=hold) for name in found.modalities]
    per = found.per_modality
    for k, (line, curve) in enumerate(zip(drawn(axes, "_average"), curves, strict=True)):
        assert {*map(tuple, line.get_xydata())} <= {*zip(curve.fpr, curve.tpr, strict=True)}
        limits = "({0.low:.3f} to {0.high:.3f})".format(per.logit_intervals[k])
        assert texts(axes)[k] == f"{curve.modality}: AUC {curve.auc:.3f} {limits}"
    members = drawn(axes, "_reader")
    assert [len(own.get_segments()) for own in members] == [5, 5]
    rate, free = ("tpr", 1) if hold == "fpr" else ("fpr", 0)
    for area, curve in zip(drawn(axes, "_band"), curves, strict=True):
        band = curve.band(0.9)
        vertices = np.concatenate([path.vertices for path in area.get_paths()])
        edges = np.concatenate([getattr(band.lower, rate), getattr(band.upper, rate)])
        assert vertices[:, free].max() == pytest.approx(np.nanmax(edges))
    assert texts(axes)[-2:] == ["each reader", "90 %: each point by itself"]
    method = "vertical" if hold == "fpr" else "horizontal"
    assert f"{method} average, 5 readers (random), cases random" in texts(axes)
    assert len({line.get_linestyle() for line in drawn(axes, "_average")}) == 2


def test_reader_curves_can_be_given_one_by_one_and_without_readers(readers) -> None:
    curve = readers.average_curve("film")
    axes = rs.plot.reader_curves(curve, readers=False, title="film", words="ml")
    assert drawn(axes, "_reader") == []
    assert axes.get_title(loc="left") == "film"
    assert texts(axes)[0] == f"film: AUC {curve.auc:.3f}"
    assert axes.get_xlabel() == "False positive rate"


def test_a_band_that_is_not_drawn_is_not_in_the_key() -> None:
    truth, case, reader = np.tile([1, 0], 40), np.tile(np.arange(20), 4), np.repeat(np.arange(4), 20)
    ratings = {name: truth + 0.1 * np.random.default_rng(0).random(80) for name in ("film", "digital")}
    perfect = rs.ScoreSet.from_arrays(truth, ratings, reader, cases=case, unit="reader")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        axes = rs.plot.reader_curves(compare_readers(perfect, n_resamples=50))
    assert not any("by itself" in text for text in texts(axes))


def test_what_is_no_reader_study_is_refused(readers) -> None:
    for wrong in (None, 3, [], ["x"], CROSSING):
        with pytest.raises(UsageError, match="RS002"):
            rs.plot.reader_curves(wrong)
    for options, code in (
        ({"hold": "both"}, "RS001"),
        ({"readers": "no"}, "RS001"),
        ({"words": "x"}, "RS001"),
    ):
        with pytest.raises(UsageError, match=code):
            rs.plot.reader_curves(readers, **options)
    many = compare_readers(study(3, tuple("abcdefg"), n=12), n_resamples=200)
    with pytest.raises(UsageError, match=r"RS042.*up to 6 modalities"):
        rs.plot.reader_curves(many)
