"""Simulated scores are what they say they are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocsteady.simulate import (
    ShiftedDatasets,
    binormal,
    binormal_auc,
    binormal_auc_variance,
    draw_together,
    hosts,
)


def share_of_wins(labels: np.ndarray, scores: np.ndarray) -> float:
    """The AUC by definition, pair by pair."""
    positives, negatives = scores[labels][:, None], scores[~labels][None, :]
    return float(((positives > negatives) + 0.5 * (positives == negatives)).mean())


@given(st.integers(0, 50), st.integers(0, 50), st.floats(-3, 3), st.floats(0.1, 5), st.integers(0, 2**32))
def test_binormal_draws_the_sizes_asked_for_and_repeats(
    n_positives, n_negatives, separation, ratio, seed
) -> None:
    labels, scores = binormal(n_positives, n_negatives, separation=separation, ratio=ratio, seed=seed)
    assert (labels.sum(), (~labels).sum()) == (n_positives, n_negatives)
    again = binormal(n_positives, n_negatives, separation=separation, ratio=ratio, seed=seed)[1]
    np.testing.assert_array_equal(scores, again)


@pytest.mark.parametrize(("separation", "ratio"), [(0.0, 1.0), (1.5, 1.0), (1.5, 2.0), (-1.0, 0.5)])
def test_binormal_scores_scatter_around_their_auc(separation: float, ratio: float) -> None:
    estimates = [
        share_of_wins(*binormal(100, 100, separation=separation, ratio=ratio, seed=seed))
        for seed in range(200)
    ]
    standard_error = np.std(estimates, ddof=1) / np.sqrt(len(estimates))
    assert abs(np.mean(estimates) - binormal_auc(separation, ratio)) < 4 * standard_error


def test_binormal_auc_by_hand() -> None:
    assert binormal_auc(0.0) == 0.5
    assert binormal_auc(40.0) == 1.0
    assert binormal_auc(1.5) + binormal_auc(-1.5) == pytest.approx(1.0, abs=1e-15)
    # negatives N(0, 1.3), positives N(3, 1), in standard deviations of the negatives
    assert round(binormal_auc(3 / 1.3, 1 / 1.3), 4) == 0.9663


def test_a_ratio_is_positive() -> None:
    with pytest.raises(ValueError, match="ratio"):
        binormal(1, 1, separation=1, ratio=0, seed=0)


@pytest.fixture(scope="module")
def table() -> dict[str, np.ndarray]:
    return {name: np.array(column) for name, column in hosts().items()}


def test_hosts_are_the_example_that_the_demo_promises(table) -> None:
    names = sorted(set(table["host"]))
    assert names == [f"host-{number:02d}" for number in range(1, 25)]
    assert list(dict.fromkeys(table["model"])) == ["current", "candidate"]
    assert set(table["label"]) == {"attack", "normal"}
    is_attack = table["label"] == "attack"
    attacks = {name: int((is_attack & (table["host"] == name)).sum()) // 2 for name in names}
    assert [name for name, n in attacks.items() if n == 0] == ["host-23"]
    assert [name for name, n in attacks.items() if 0 < n < 10] == ["host-17"]
    assert len(set(attacks.values())) > 15  # unequal sizes


def test_both_models_score_the_same_events(table) -> None:
    keys = {
        model: list(
            zip(*(table[c][table["model"] == model] for c in ("host", "event", "label")), strict=True)
        )
        for model in ("current", "candidate")
    }
    assert keys["current"] == keys["candidate"]
    assert len(set(keys["current"])) == len(keys["current"])


def test_the_candidate_wins_on_its_hosts_and_loses_under_one_threshold(table) -> None:
    own, shared = {}, {}
    for model in ("current", "candidate"):
        chosen = table["model"] == model
        labels, scores, names = (table[c][chosen] for c in ("label", "score", "host"))
        labels = labels == "attack"
        shared[model] = share_of_wins(labels, scores)
        own[model] = np.mean(
            [share_of_wins(labels[names == h], scores[names == h]) for h in set(names) - {"host-23"}]
        )
    assert own["candidate"] > own["current"] + 0.02
    assert shared["candidate"] < shared["current"] - 0.02


def test_the_same_seed_gives_the_same_table_and_another_seed_another() -> None:
    assert hosts(n_hosts=5, seed=1) == hosts(n_hosts=5, seed=1)
    assert hosts(n_hosts=5, seed=1)["score"] != hosts(n_hosts=5, seed=2)["score"]


@pytest.mark.parametrize("n_hosts", [3, 8, 30])
def test_any_number_of_hosts_keeps_the_awkward_ones(n_hosts: int) -> None:
    table = hosts(n_hosts=n_hosts)
    with_attacks = {h for h, label in zip(table["host"], table["label"], strict=True) if label == "attack"}
    assert set(table["host"]) - with_attacks == {f"host-{n_hosts - 1:02d}"}


def test_two_hosts_are_too_few() -> None:
    with pytest.raises(ValueError, match="at least 3"):
        hosts(n_hosts=2)


KINDS = ("C-1", "C-2a", "C-2b")
DESIGN_A, DESIGN_B = {"separation": 3.0, "negative_sd": 1.3}, {"separation": 4.0, "negative_sd": 1.5}
RATES = np.array([0.01, 0.02, 0.05, 0.1, 0.2, 0.3])


@st.composite
def populations(draw, kinds=KINDS):
    sds, between = st.floats(0.3, 3), st.floats(0, 2)
    return ShiftedDatasets(
        draw(st.sampled_from(kinds)),
        separation=draw(st.floats(-2, 5)),
        negative_sd=draw(sds),
        positive_sd=draw(sds),
        shift_sd=draw(between),
        location_sd=draw(between),
        separation_sd=draw(between),
    )


def area_of(curve) -> float:
    """The area under a curve given as a function, on a grid that is dense where curves are steep."""
    from scipy.special import ndtr

    fpr = ndtr(np.linspace(-8.2, 8.2, 20_001))
    tpr = curve(fpr)
    return float(np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1])) / 2)


@given(populations())
def test_areas_are_the_areas_under_the_population_curves(population) -> None:
    assert population.vertical_auc == pytest.approx(area_of(population.vertical_tpr), abs=1e-5)
    assert population.threshold_auc == pytest.approx(area_of(population.threshold_tpr), abs=1e-5)


@given(populations(), st.floats(1e-6, 1 - 1e-6))
def test_a_threshold_has_the_rates_it_was_asked_for(population, fpr: float) -> None:
    threshold = population.threshold_at(fpr)
    assert population.fpr_beyond(threshold) == pytest.approx(fpr, rel=1e-9)
    assert population.tpr_beyond(threshold) == pytest.approx(population.threshold_tpr(fpr), abs=1e-12)


@given(populations(), st.floats(1e-4, 1 - 1e-4))
def test_random_locations_matter_only_under_one_threshold_and_never_help(population, fpr: float) -> None:
    still = ShiftedDatasets("C-1", **{**vars_of(population), "location_sd": 0.0})
    moved = ShiftedDatasets("C-1", **vars_of(population))
    assert moved.vertical_tpr(fpr) == still.vertical_tpr(fpr)
    assert abs(moved.threshold_auc - 0.5) <= abs(still.threshold_auc - 0.5) + 1e-12


def vars_of(population) -> dict[str, float]:
    names = ("separation", "negative_sd", "positive_sd", "shift_sd", "location_sd", "separation_sd")
    return {name: getattr(population, name) for name in names}


@given(populations(kinds=("C-1",)), st.floats(1e-4, 1 - 1e-4))
def test_the_kinds_without_a_shift_are_one(population, fpr: float) -> None:
    settings = {**vars_of(population), "shift_sd": 0.0}
    first, *others = (ShiftedDatasets(kind, **settings) for kind in KINDS)
    for other in others:
        assert other.vertical_tpr(fpr) == pytest.approx(first.vertical_tpr(fpr), abs=1e-12)
        assert other.threshold_tpr(fpr) == pytest.approx(first.threshold_tpr(fpr), abs=1e-12)


@given(populations(kinds=("C-2b",)), st.floats(1e-4, 1 - 1e-4))
def test_unequal_shifts_only_ever_separate_the_classes_further(population, fpr: float) -> None:
    first = ShiftedDatasets("C-1", **vars_of(population))
    assert population.vertical_tpr(fpr) >= first.vertical_tpr(fpr) - 1e-12


@pytest.mark.parametrize(
    ("kind", "average", "tprs", "area"),
    [
        ("C-1", "vertical", [0.4903, 0.6293, 0.8056, 0.9089, 0.9717, 0.9898], 0.9663),
        ("C-1", "threshold", [0.4903, 0.6293, 0.8056, 0.9089, 0.9717, 0.9898], 0.9663),
        ("C-2a", "vertical", [0.4903, 0.6293, 0.8056, 0.9089, 0.9717, 0.9898], 0.9663),
        ("C-2a", "threshold", [0.2821, 0.3972, 0.5846, 0.7373, 0.8739, 0.9349], 0.9170),
        ("C-2b", "vertical", [0.6692, 0.7668, 0.8823, 0.9463, 0.9837, 0.9942], 0.9791),
        ("C-2b", "threshold", [0.4846, 0.6367, 0.8275, 0.9310, 0.9841, 0.9958], 0.9711),
    ],
)
def test_design_a_has_the_population_curves_of_the_specification(kind, average, tprs, area) -> None:
    population = ShiftedDatasets(kind, **DESIGN_A)
    np.testing.assert_array_equal(getattr(population, f"{average}_tpr")(RATES).round(4), tprs)
    assert round(getattr(population, f"{average}_auc"), 4) == area


def test_design_b_has_the_areas_of_the_specification() -> None:
    first, shifted, wider = (ShiftedDatasets(kind, **DESIGN_B) for kind in KINDS)
    areas = (first.vertical_auc, shifted.threshold_auc, wider.vertical_auc, wider.threshold_auc)
    assert [round(area, 4) for area in areas] == [0.9867, 0.9596, 0.9918, 0.9877]


@pytest.mark.parametrize(
    ("kind", "half_widths"), [("C-1", (0.004, 0.005)), ("C-2a", (0.020, 0.037)), ("C-2b", (0.020, 0.005))]
)
def test_the_spread_of_rates_gives_the_half_widths_of_the_specification(kind, half_widths) -> None:
    population = ShiftedDatasets(kind, **DESIGN_B)
    covariance = population.rate_covariance(2.5, n_positives=100, n_negatives=100)
    assert tuple((1.96 * np.sqrt(np.diag(covariance) / 100)).round(3)) == half_widths


def z_score(values: np.ndarray, expected: float) -> float:
    """How many standard errors the mean of some values is off."""
    return float((values.mean() - expected) / (values.std(ddof=1) / np.sqrt(values.size)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("between", [(0.0, 0.0), (0.6, 0.5)], ids=["shifts only", "everything random"])
def test_simulated_averages_scatter_around_the_closed_forms(kind, between) -> None:
    n, n_datasets, threshold = 30, 6000, 1.1
    population = ShiftedDatasets(
        kind, separation=1.7, negative_sd=1.3, positive_sd=0.8, shift_sd=0.9,
        location_sd=between[0], separation_sd=between[1],
    )  # fmt: skip
    positives, negatives = population.draw_arrays(n_datasets, n, n, seed=3)
    fpr, tpr = (negatives >= threshold).mean(axis=1), (positives >= threshold).mean(axis=1)
    own = (positives[:, :, None] > negatives[:, None, :]).mean(axis=(1, 2))
    crossed = (positives[:, :, None] > np.roll(negatives, 1, axis=0)[:, None, :]).mean(axis=(1, 2))
    falling = -np.sort(-negatives, axis=1)
    found = {
        "fpr": z_score(fpr, population.fpr_beyond(threshold)),
        "tpr": z_score(tpr, population.tpr_beyond(threshold)),
        "own area": z_score(own, population.vertical_auc),
        "crossed area": z_score(crossed, population.threshold_auc),
    }
    for k in (0, 2, 8):
        upper = (positives > falling[:, [k]]).mean(axis=1)
        found[f"upper {k}"] = z_score(upper, population.expected_vertical_tpr(k, n))
    lower = (positives > falling[:, [1]]).mean(axis=1)
    found["lower 2"] = z_score(lower, population.expected_vertical_tpr(2, n, side="lower"))
    covariance = population.rate_covariance(threshold, n_positives=n, n_negatives=n)
    centered = (fpr - population.fpr_beyond(threshold), tpr - population.tpr_beyond(threshold))
    for i, j in ((0, 0), (0, 1), (1, 1)):
        found[f"covariance {i}{j}"] = z_score(centered[i] * centered[j], covariance[i, j])
    assert {name: z for name, z in found.items() if abs(z) > 4} == {}


def test_the_threshold_average_of_few_datasets_knows_fewer_shifts() -> None:
    population = ShiftedDatasets("C-2a", **DESIGN_A)
    assert population.expected_threshold_auc(1) == pytest.approx(population.vertical_auc)
    areas = []
    for seed in range(300):
        positives, negatives = population.draw_arrays(3, 20, 20, seed=seed)
        areas.append((positives.ravel()[:, None] > negatives.ravel()).mean())
    assert abs(z_score(np.array(areas), population.expected_threshold_auc(3))) < 4


def test_the_highest_tpr_is_too_good_and_the_lowest_too_bad() -> None:
    population = ShiftedDatasets("C-1", separation=1.5)
    upper = population.expected_vertical_tpr(1, 50)
    assert (round(upper, 3), round(population.vertical_tpr(0.02), 3)) == (0.369, 0.290)
    assert population.expected_vertical_tpr(1, 50, side="lower") < population.vertical_tpr(0.02)
    assert population.expected_vertical_tpr(0, 50, side="lower") == 0
    assert population.expected_vertical_tpr(50, 50) == 1


@given(populations(kinds=("C-2b",)), st.integers(0, 2**31), st.integers(1, 6), st.integers(1, 6))
def test_every_kind_gets_the_same_datasets_and_the_same_noise(
    population, seed, n_positives, n_negatives
) -> None:
    drawn = {
        kind: ShiftedDatasets(kind, **vars_of(population)).draw_arrays(4, n_positives, n_negatives, seed=seed)
        for kind in KINDS
    }
    for kind in KINDS[1:]:
        # A shift moves all scores of a class in a dataset by the same amount.
        for own, first in zip(drawn[kind], drawn["C-1"], strict=True):
            moved = own - first
            np.testing.assert_allclose(moved, np.broadcast_to(moved[:, :1], moved.shape), atol=1e-9)
    np.testing.assert_array_equal(drawn["C-2a"][1], drawn["C-2b"][1])
    separations = [drawn[kind][0][:, 0] - drawn[kind][1][:, 0] for kind in ("C-2a", "C-2b")]
    assert (separations[1] >= separations[0] - 1e-9).all()


def test_datasets_do_not_move_each_other() -> None:
    population = ShiftedDatasets("C-2b", separation=1.0, location_sd=0.4, separation_sd=0.2)
    many, few = (population.draw_arrays(n, 5, 7, seed=2) for n in (30, 10))
    np.testing.assert_array_equal(many[0][:10], few[0])
    np.testing.assert_array_equal(many[1][:10], few[1])


def test_other_noise_leaves_the_shifts_alone() -> None:
    population = ShiftedDatasets("C-2a", separation=0.0, shift_sd=100.0)
    one, other = (population.draw_arrays(20, 5, 5, seed=1, noise=noise)[0] for noise in (0, 1))
    assert not np.isin(one, other).any()
    np.testing.assert_allclose(one.mean(axis=1), other.mean(axis=1), atol=3)


def test_a_drawn_set_holds_the_drawn_arrays() -> None:
    population = ShiftedDatasets("C-2a", separation=1.0)
    positives, negatives = population.draw_arrays(6, 3, 4, seed=8)
    drawn = population.draw(6, 3, 4, seed=8, unit="site")
    assert (drawn.unit, drawn.groups) == ("site", tuple("123456"))
    for i, member in enumerate(drawn):
        np.testing.assert_array_equal(member.scores[member.is_positive], positives[i])
        np.testing.assert_array_equal(member.scores[~member.is_positive], negatives[i])


def test_classifiers_drawn_together_share_datasets_and_if_asked_have_noise_of_their_own() -> None:
    kinds = {kind: ShiftedDatasets(kind, separation=1.0) for kind in ("C-1", "C-2a")}
    alike, unlike = (draw_together(kinds, 5, 3, 4, seed=8, own_noise=own) for own in (False, True))
    assert alike.models == ("C-1", "C-2a")
    for own, both in ((0, alike), (1, unlike)):
        for kind in KINDS[:2]:
            noise = own * KINDS.index(kind)
            expected = kinds[kind].draw(5, 3, 4, seed=8, noise=noise)
            np.testing.assert_array_equal(both.model(kind).columns.scores, expected.columns.scores)


@pytest.mark.parametrize(("separation", "ratio"), [(0.0, 1.0), (1.5, 1.0), (1.2, 2.0), (-1.0, 0.5)])
def test_the_area_of_one_sample_scatters_as_foretold(separation: float, ratio: float) -> None:
    areas = np.array(
        [
            share_of_wins(*binormal(12, 20, separation=separation, ratio=ratio, seed=seed))
            for seed in range(3000)
        ]
    )
    expected = binormal_auc_variance(separation, ratio, n_positives=12, n_negatives=20)
    assert abs(z_score((areas - binormal_auc(separation, ratio)) ** 2, expected)) < 4


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"kind": "C-3"}, "RS001"),
        ({"negative_sd": 0.0}, "must be positive"),
        ({"positive_sd": -1.0}, "must be positive"),
        ({"shift_sd": -0.1}, "must not be negative"),
    ],
)
def test_a_population_refuses_what_is_no_spread(wrong, said) -> None:
    with pytest.raises(ValueError, match=said):
        ShiftedDatasets(**{"kind": "C-1", "separation": 1.0, **wrong})


def test_a_finite_reading_needs_a_side_and_a_count() -> None:
    population = ShiftedDatasets("C-1", separation=1.0)
    with pytest.raises(ValueError, match="RS001"):
        population.expected_vertical_tpr(1, 10, side="max")
    with pytest.raises(ValueError, match="0 to 10 false positives"):
        population.expected_vertical_tpr(11, 10)


@pytest.mark.parametrize("counts", [(0.02, 50), (1.0, 50), (True, 50), (1, 50.0)])
def test_a_finite_reading_takes_no_rate_for_a_count(counts) -> None:
    with pytest.raises(ValueError, match="a number of cases, not a rate"):
        ShiftedDatasets("C-1", separation=1.0).expected_vertical_tpr(*counts)
