"""What a chosen cut-off attains on new rows: laws, edges, and a short, seeded run of simulations/cutoffs.py."""

from __future__ import annotations

import importlib.util
import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from conftest import skip_unless_required
from rocsteady.points.criteria import MinimumCost, TargetRate
from rocsteady.points.cutoffs import (
    choose_cutoff,
    corrected_together,
    rate_interval,
)
from rocsteady.points.measures import NAMES_OF_TABLE
from rocsteady.statistics.limits import share_interval

SCRIPT = Path(__file__).parents[2] / "simulations" / "cutoffs.py"
COST = MinimumCost(false_positive=1, false_negative=5)
CRITERIA = ["youden", "closest", "eer", COST, TargetRate(fpr=0.1), TargetRate(tpr=0.9)]
RATES = ("fpr", "tpr")


@pytest.fixture(scope="module")
def simulation():
    if not SCRIPT.exists():
        skip_unless_required("the simulations are not part of a source distribution")
    spec = importlib.util.spec_from_file_location("cutoffs_simulation", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(8)
    labels = np.repeat([False, True], [60, 40])
    return labels, np.where(labels, rng.normal(1.5, 1.2, 100), rng.normal(size=100))


def hospitals(n_groups, seed=4, **design):
    rng = np.random.default_rng(seed)
    labels = np.arange(40) < 18
    sets = [(labels, rng.normal(size=40) + 1.5 * labels + shift) for shift in rng.normal(0, 0.3, n_groups)]
    return rs.ScoreSet.from_folds(sets, **(design or {"design": "independent"}))


def limits(found):
    own = [found.fpr_interval, found.tpr_interval]
    return [None if one is None else (one.low, one.high) for one in own]


@given(
    seed=st.integers(0, 10_000),
    sizes=st.tuples(st.integers(1, 30), st.integers(1, 30)),
    shift=st.sampled_from([0.0, 1.0, 6.0]),
    digits=st.sampled_from([0, 1, 9]),
    level=st.sampled_from([0.3, 0.95]),
    criterion=st.sampled_from([*CRITERIA, TargetRate(fpr=0), TargetRate(tpr=1)]),
    weighs=st.booleans(),
    higher=st.booleans(),
)
@settings(max_examples=60, deadline=None)
@pytest.mark.filterwarnings("ignore:RS101")  # rounded scores may take two values only
def test_intervals_hold_what_is_expected(seed, sizes, shift, digits, level, criterion, weighs, higher):
    """And lie within 0 and 1, however few cases there are, whatever is tied, weighted or separated."""
    rng = np.random.default_rng(seed)
    labels = np.repeat([False, True], sizes)
    scores = np.round(rng.normal(size=sum(sizes)) + shift * labels, digits) * (1 if higher else -1)
    weights = rng.uniform(0.1, 2, labels.size) if weighs else None
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="RS24")
        curve = rs.roc_curve(labels, scores, sample_weight=weights, higher_is_positive=higher)
        cutoff = choose_cutoff(curve, criterion)
        found = cutoff.corrected(level, n_resamples=100, seed=seed)
        table = cutoff.two_by_two(confidence_level=level, n_resamples=100, seed=seed)
    assert (found.threshold, found.rule) == (cutoff.threshold, cutoff.rule)
    assert (found.apparent_fpr, found.apparent_tpr) == (cutoff.fpr, cutoff.tpr)
    for name in RATES:
        own, rate = getattr(found, f"{name}_interval"), getattr(found, name)
        assert 0 <= own.low <= rate <= own.high <= 1
        assert own.low < own.high
        assert own.low == 0 or getattr(cutoff, name) > 0
        assert own.high == 1 or getattr(cutoff, name) < 1
    assert limits(found)[1] == (table.sensitivity_interval.low, table.sensitivity_interval.high)
    for name in NAMES_OF_TABLE:
        value, own = getattr(table.corrected, name), getattr(table, f"{name}_interval")
        assert np.isnan(value) or own.low - 1e-12 <= value <= own.high + 1e-12, name
    json.dumps(found.to_dict())
    json.dumps(table.to_dict())


@pytest.mark.parametrize("criterion", CRITERIA, ids=str)
def test_the_same_seed_gives_the_same_rates(rows, criterion):
    cutoff = choose_cutoff(rs.roc_curve(*rows), criterion)
    again = choose_cutoff(rs.roc_curve(*rows), criterion)
    a, b, other = (
        one.corrected(n_resamples=200, seed=seed) for one, seed in ((cutoff, 1), (again, 1), (cutoff, 2))
    )
    assert (a.fpr, a.tpr, limits(a)) == (b.fpr, b.tpr, limits(b))
    assert (a.fpr, a.tpr) != (other.fpr, other.tpr)
    wider = cutoff.corrected(0.99, n_resamples=200, seed=1)
    for narrow, wide in zip(limits(a), limits(wider), strict=True):
        assert wide[0] < narrow[0] < narrow[1] < wide[1]


@pytest.mark.parametrize("criterion", CRITERIA, ids=str)
def test_only_the_order_of_scores_and_which_end_is_positive_matter(rows, criterion):
    labels, scores = rows
    plain, bent, mirrored = (
        choose_cutoff(rs.roc_curve(labels, own, higher_is_positive=high), criterion).corrected(
            n_resamples=200
        )
        for own, high in ((scores, True), (np.exp(3 * scores), True), (-scores, False))
    )
    for other in (bent, mirrored):
        assert (other.fpr, other.tpr, limits(other)) == (plain.fpr, plain.tpr, limits(plain))


@pytest.mark.parametrize("criterion", ["youden", COST], ids=str)
def test_what_choosing_adds_is_taken_off(rows, criterion):
    """Of what was optimised something is left; by hand from the same resamples."""
    cutoff = choose_cutoff(rs.roc_curve(*rows), criterion)
    found = cutoff.corrected(n_resamples=500)
    worse = found.apparent_value - found.value
    assert (worse if criterion == "youden" else -worse) > 0
    drawn = cutoff._drawn[500, 0]
    for k, name in enumerate(RATES):
        added = np.mean(drawn[:, 1 + k] - drawn[:, 3 + k])
        assert getattr(found, name) == pytest.approx(getattr(cutoff, name) - added, rel=1e-12)
        n = {"fpr": 60, "tpr": 40}[name]
        by_hand = share_interval(getattr(found, name) * n, n, 0.95, "clopper-pearson")
        own = getattr(found, f"{name}_interval")
        assert (own.low, own.high) == pytest.approx((by_hand.low, by_hand.high), rel=1e-9)
        assert own.method == "clopper-pearson, corrected"


def test_a_cutoff_that_was_given_keeps_wilson(rows):
    """Chosen elsewhere: nothing is corrected."""
    curve = rs.roc_curve(*rows)
    cutoff = choose_cutoff(curve, "youden")
    table = cutoff.on(curve).two_by_two()
    assert table.sensitivity_interval.method == "wilson"
    assert table.corrected is None
    assert np.isnan(table.to_frame()["corrected"]).all()
    as_given = cutoff.two_by_two(method="wilson")
    assert limits_of(as_given) == limits_of(table) != limits_of(cutoff.two_by_two())


def limits_of(table):
    return [(one.low, one.high) for one in (getattr(table, f"{name}_interval") for name in NAMES_OF_TABLE)]


def test_the_reading_has_both_rates(rows):
    found = choose_cutoff(rs.roc_curve(*rows), "youden").corrected(n_resamples=200)
    assert "expected on new rows" in found.reading
    assert "each resample of the cases" in found.reading
    assert " -> " in repr(found)


def test_without_resamples_nothing_is_corrected(rows):
    cutoff = choose_cutoff(rs.roc_curve(*rows), "youden")
    table = cutoff.two_by_two(n_resamples=0)
    assert table.sensitivity_interval is None
    assert table.corrected is None
    assert "nothing was resampled" in table.note
    with pytest.raises(rs.RocsteadyError, match="RS042"):
        cutoff.corrected(n_resamples=0)


def test_what_cannot_be_drawn_again_has_a_table_without_intervals():
    counts = rs.RocCurve.from_counts([3, 2, 1], [0.5, 1.5, 2.0], [0.0, 0.5, 2.0])
    cutoff = choose_cutoff(counts, "youden")
    with pytest.raises(rs.RocsteadyError, match="RS038"):
        cutoff.corrected()
    assert cutoff.two_by_two().ppv_interval is None
    hull = rs.roc_curve([1, 0, 1, 0, 1, 0], [6, 5, 4, 3, 2, 1]).hull()
    with pytest.raises(rs.RocsteadyError, match="RS002"):
        choose_cutoff(hull, "youden").corrected()


@pytest.mark.filterwarnings("ignore:RS240")
def test_beyond_every_score_nothing_is_called_positive_anywhere(rows):
    """The resamples find something there, so a rate of 0 was corrected to more than 0."""
    labels = np.repeat([False, True], 10)
    cutoff = choose_cutoff(rs.roc_curve(labels, np.where(labels, 0.0, np.arange(20))), TargetRate(fpr=0))
    assert cutoff.threshold == np.inf
    found = cutoff.corrected(n_resamples=100)
    assert (found.fpr, found.tpr) == (0, 0)
    assert found.fpr_interval.low == found.tpr_interval.low == 0


def test_an_apparent_rate_of_zero_does_not_exclude_zero():
    """Five negatives, FPR 10 %: no negative is called positive, the corrected rate is above 0, and so was its limit."""
    assert rate_interval(0.1, 0.0, 5, 0.95).low == 0
    assert rate_interval(0.9, 1.0, 5, 0.95).high == 1
    assert rate_interval(0.1, 0.2, 5, 0.95).low > 0
    assert rate_interval(0.5, 0.5, np.nan, 0.95) is None


def test_infinite_scores_are_scores(rows):
    labels, scores = rows
    scores = np.where(scores == scores.max(), np.inf, np.where(scores == scores.min(), -np.inf, scores))
    found = choose_cutoff(rs.roc_curve(labels, scores), "youden").corrected(n_resamples=100)
    plain = choose_cutoff(rs.roc_curve(*rows), "youden").corrected(n_resamples=100)
    assert (found.fpr, found.tpr) == (plain.fpr, plain.tpr)


def test_how_resamples_are_cut_into_blocks_does_not_matter(rows, monkeypatch):
    from rocsteady.points import cutoffs

    labels, scores = rows
    patients = rs.ScoreSet.from_arrays(labels, scores, np.zeros(100), clusters=np.arange(100) // 2)

    def run():
        curves = rs.roc_curve(*rows), rs.roc_curves(patients)[0]
        return [limits(choose_cutoff(curve, "youden").corrected(n_resamples=150)) for curve in curves]

    whole = run()
    monkeypatch.setattr(cutoffs, "_BLOCK", 5000)
    assert run() == whole


def test_many_vertices_are_thinned_where_that_changes_nothing(monkeypatch):
    """Some of the vertices, the chosen one among them, say nearly what all do."""
    from rocsteady.points import cutoffs

    rng = np.random.default_rng(3)
    labels = np.repeat([False, True], 1500)
    scores = rng.normal(size=3000) + labels
    whole = choose_cutoff(rs.roc_curve(labels, scores), "youden").corrected(n_resamples=200)
    monkeypatch.setattr(cutoffs, "_MOST_VERTICES", 500)
    some = choose_cutoff(rs.roc_curve(labels, scores), "youden").corrected(n_resamples=200)
    assert (some.fpr, some.tpr) == pytest.approx((whole.fpr, whole.tpr), abs=0.004)
    weighted = rs.roc_curve(labels, scores, sample_weight=np.full(3000, 0.5))
    found = choose_cutoff(weighted, "youden").corrected(n_resamples=200)
    assert (found.fpr, found.tpr) == pytest.approx((whole.fpr, whole.tpr), abs=0.006)


# weights and patients


def test_equal_weights_are_worth_their_rows(rows):
    plain = choose_cutoff(rs.roc_curve(*rows), "youden").corrected()
    equal = choose_cutoff(rs.roc_curve(*rows, sample_weight=np.full(100, 3.0)), "youden").corrected()
    for a, b in zip(limits(plain), limits(equal), strict=True):
        assert a == pytest.approx(b, abs=0.03)
    some = np.where(np.arange(100) % 4 == 0, 1.0, 0.05)
    unequal = choose_cutoff(rs.roc_curve(*rows, sample_weight=some), "youden").corrected()
    assert np.ptp(limits(unequal)[0]) > np.ptp(limits(plain)[0])


def test_rows_of_one_patient_are_drawn_together():
    """Ten copies of every row are no more cases; intervals were those of 800 independent ones."""
    rng = np.random.default_rng(5)
    labels = np.repeat([False, True], 40)
    scores = rng.normal(size=80) + 1.5 * labels
    copies = [np.repeat(own, 10) for own in (labels, scores, np.arange(80))]
    known = rs.ScoreSet.from_arrays(*copies[:2], np.zeros(800), clusters=copies[2])
    alone = choose_cutoff(rs.roc_curve(labels, scores), "youden").corrected()
    together = choose_cutoff(rs.roc_curves(known)[0], "youden").corrected()
    of_rows = choose_cutoff(rs.roc_curve(*copies[:2]), "youden").corrected()
    assert together.random == "clusters"
    assert (together.fpr, together.tpr) == pytest.approx((alone.fpr, alone.tpr), abs=0.02)
    for one, other, rows in zip(limits(alone), limits(together), limits(of_rows), strict=True):
        assert np.ptp(other) > 0.85 * np.ptp(one) > 2 * np.ptp(rows)


def test_patients_with_one_row_each_are_cases(rows):
    labels, scores = rows
    known = rs.ScoreSet.from_arrays(labels, scores, np.zeros(100), clusters=np.arange(100))
    a, b = (
        choose_cutoff(curve, "youden").corrected(n_resamples=200)
        for curve in (rs.roc_curve(*rows), rs.roc_curves(known)[0])
    )
    assert (a.random, limits(a)) == (b.random, limits(b))


def test_one_patient_with_all_positives_bounds_nothing():
    labels = np.repeat([True, False], 6)
    who = np.append(np.zeros(6), 1 + np.arange(6) // 2)
    known = rs.ScoreSet.from_arrays(labels, np.arange(12.0)[::-1], np.zeros(12), clusters=who)
    found = choose_cutoff(rs.roc_curves(known)[0], "youden").corrected(n_resamples=100)
    assert found.tpr_interval.low < 0.05
    assert found.tpr_interval.high == 1


# groups


@pytest.mark.parametrize("method", ["threshold", "pooled", rs.Pooled(balanced=True)], ids=str)
@pytest.mark.parametrize("n_groups", [2, 5, 12])
def test_on_an_average_groups_are_drawn(method, n_groups):
    cutoff = choose_cutoff(rs.average(hospitals(n_groups), method), "youden")
    found = cutoff.corrected(n_resamples=300)
    for name in RATES:
        own = getattr(found, f"{name}_interval")
        assert 0 <= own.low <= getattr(found, name) <= own.high <= 1
    assert "each resample of the folds" in found.reading
    table = cutoff.two_by_two(n_resamples=300)
    assert (table.sensitivity_interval.low, table.sensitivity_interval.high) == limits(found)[1]
    assert table.ppv_interval is None
    assert table.corrected.ppv < table.ppv


def test_few_groups_have_wide_intervals():
    widths = []
    for n_groups in (2, 4, 16):
        found = choose_cutoff(rs.average(hospitals(n_groups), "threshold"), "youden").corrected(
            n_resamples=200
        )
        widths.append(np.ptp(limits(found)[1]))
    assert widths[0] > widths[1] > widths[2]


def test_folds_that_share_training_cases_have_wider_intervals():
    """s**2 (1 / M + rho), as for every mean over folds."""
    of_groups, of_folds = (
        choose_cutoff(rs.average(hospitals(10, design=design), "threshold"), "youden").corrected(
            n_resamples=300
        )
        for design in ("independent", rs.Design.cross_validation(10))
    )
    assert (of_groups.fpr, of_groups.tpr) == (of_folds.fpr, of_folds.tpr)
    for one, other in zip(of_groups._cases, of_folds._cases, strict=True):
        assert one / other == pytest.approx(1 + 10 / 9, rel=0.02)


def test_groups_that_are_alike_have_no_interval():
    """A spread of 0 is no certainty."""
    labels, scores = np.array([True, True, False, False]), np.array([4.0, 2.0, 3.0, 1.0])
    average = rs.average(rs.ScoreSet.from_folds([(labels, scores)] * 9, design="independent"), "threshold")
    found = choose_cutoff(average, TargetRate(fpr=0.5)).corrected(n_resamples=100)
    assert limits(found) == [None, None]
    assert (found.fpr, found.tpr) == (0.5, 1)


def test_a_single_group_is_said():
    with pytest.warns(rs.RocsteadyWarning, match="RS242: 1 fold"):
        found = choose_cutoff(rs.average(hospitals(1), "threshold"), "youden").corrected(n_resamples=100)
    assert limits(found) == [None, None]
    assert (found.fpr, found.tpr) == (found.apparent_fpr, found.apparent_tpr)


def test_several_cutoffs_share_their_resamples():
    average = rs.average(hospitals(9), "threshold")
    together = corrected_together([choose_cutoff(average, own) for own in CRITERIA], n_resamples=200)
    for criterion, own in zip(CRITERIA, together, strict=True):
        alone = choose_cutoff(average, criterion).corrected(n_resamples=200)
        assert (own.fpr, own.tpr, limits(own)) == (alone.fpr, alone.tpr, limits(alone))


# what the intervals cover

REPLICATES = 150
ERROR = np.sqrt(0.05 * 0.95 / REPLICATES)


@pytest.mark.filterwarnings("ignore:RS24[01]", "ignore:RS270")
@pytest.mark.parametrize("name", ["youden", "tpr=0.9", "fpr=0.1", "cost5"])
@pytest.mark.parametrize("sizes", [(20, 20), (200, 20)])
def test_chosen_cutoffs_keep_their_level(simulation, name, sizes):
    """Wilson's intervals of Youden's cut-off held the TPR by 88 %."""
    run = {"replicates": REPLICATES, "resamples": 60, "seed": 3}
    found = simulation.attained(simulation.ATTAINED[name], sizes, 0.8, **run).mean(axis=0)
    assert found[:2].min() > 0.95 - 2.5 * ERROR
    if name == "youden":
        apparent, left = found[4], found[5]
        assert 0 < left < 0.6 * apparent


@pytest.mark.filterwarnings("ignore:RS24[012]", "ignore:RS270")
def test_chosen_cutoffs_of_groups_keep_their_level(simulation):
    run = {"replicates": 60, "resamples": 60, "seed": 3}
    found = simulation.attained_over_groups(simulation.ATTAINED["youden"], 8, 0.85, **run).mean(axis=0)
    assert found[:2].min() > 0.95 - 2.5 * np.sqrt(0.05 * 0.95 / 60)
