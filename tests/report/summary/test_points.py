"""Operating points of a report: equal to what the library says, in three vocabularies, for every use."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.errors import UsageError
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.phrases import plain_text
from rocsteady.report.summary.points import points
from rocsteady.report.summary.points.places import prevalence_of, wanted_places
from rocsteady.report.summary.settings import Settings

SHARED = rs.Deployment("shared", at={"fpr": 0.05})
OWN = rs.Deployment("own", hold="fpr", at=0.05, prevalence=0.1)
QUICK = {"n_resamples": 200}


@pytest.fixture(scope="module")
def hosts() -> rs.ScoreSet:
    rng = np.random.default_rng(1)
    labels = np.tile(np.repeat(["attack", "normal"], [15, 35]), 12)
    shift = np.repeat(rng.normal(size=12), 50)
    signal = np.where(labels == "attack", 2.0, 0.0)
    scores = {"old": rng.normal(size=600) + signal, "new": rng.normal(size=600) + signal + shift}
    groups = [f"host-{i:02d}" for i in np.repeat(np.arange(12), 50)]
    return rs.ScoreSet.from_arrays(labels, scores, groups, positive="attack", unit="host")


@pytest.fixture(scope="module")
def shared(hosts) -> points.PointsPart:
    return points.make(Material(hosts, SHARED, Settings(**QUICK)))


@pytest.fixture(scope="module")
def own(hosts) -> points.PointsPart:
    return points.make(Material(hosts, OWN, Settings(**QUICK)))


def row_at(part: points.PointsPart, place: object, model: str) -> points.PointRow:
    (found,) = [row for row in part.rows if row.place == place and row.model == model]
    return found


@pytest.mark.parametrize("model", ["old", "new"])
def test_a_shared_threshold_has_the_numbers_of_the_threshold_average(hosts, shared, model) -> None:
    average = rs.average(hosts.model(model), "threshold")
    for place in ({"fpr": 0.05}, {"tpr": 0.9}):
        point, row = average.at(**place), row_at(shared, place, model)
        assert (row.fpr, row.tpr, row.threshold) == (point.fpr, point.tpr, point.threshold)
        free = "tpr" if "fpr" in place else "fpr"
        interval = getattr(point, f"{free}_interval")
        assert getattr(row, f"{free}_limits") == (interval.low, interval.high)
        assert row.fpr_is_held == ("fpr" in place)
        assert row.tpr_is_held == ("tpr" in place)
        assert math.isnan(getattr(row, f"{'fpr' if free == 'tpr' else 'tpr'}_limits")[0])
    cutoff, row = rs.choose_cutoff(average, "youden"), row_at(shared, "youden", model)
    assert (row.threshold, row.fpr, row.tpr) == (cutoff.threshold, cutoff.fpr, cutoff.tpr)
    low, high = row.threshold_limits
    assert low < cutoff.threshold < high


def test_the_worst_group_is_the_worst(hosts, shared) -> None:
    row = row_at(shared, {"fpr": 0.05}, "new")
    curves = rs.roc_curves(hosts.model("new"))
    rates = {curve.name: curve.rates_at(row.threshold) for curve in curves}
    assert row.worst_fpr == max(own.fpr for own in rates.values()) == rates[row.worst_fpr_group].fpr
    assert row.worst_tpr == min(own.tpr for own in rates.values()) == rates[row.worst_tpr_group].tpr


def test_only_the_declared_row_is_marked(shared) -> None:
    assert [row.label for row in shared.rows if row.model == "old"] == [
        "Mean FPR 1 %",
        "Mean FPR 5 %",
        "Mean FPR 10 %",
        "Youden point (largest TPR \u2212 FPR)",
        "Mean TPR 90 %",
    ]
    assert {row.label for row in shared.rows if row.is_declared} == {"Mean FPR 5 %"}
    assert {row.status for row in shared.rows} == {"declared", "usual"}
    assert "only what they aim at (FPR 5 %) was declared beforehand" in plain_text(shared.note)
    assert [block.question for block in shared.blocks] == ["shared"]


@pytest.mark.parametrize(
    ("place", "method", "at"),
    [
        ({"fpr": 0.05}, "vertical", {"fpr": 0.05}),
        ({"tpr": 0.9}, "horizontal", {"tpr": 0.9}),
    ],
)
def test_own_thresholds_have_the_numbers_of_the_average_that_holds_them(
    hosts, own, place, method, at
) -> None:
    point = rs.average(hosts.model("new"), method).at(**at)
    row = row_at(own, place, "new")
    assert (row.fpr, row.tpr, row.threshold_limits) == (point.fpr, point.tpr, point.thresholds)
    assert math.isnan(row.threshold)
    assert " to " in row.cell
    held, free = ("fpr", "tpr") if "fpr" in place else ("tpr", "fpr")
    interval = getattr(point, f"{free}_interval")
    assert getattr(row, f"{free}_limits") == (interval.low, interval.high)
    assert getattr(row, f"{held}_is_held")
    assert not getattr(row, f"{free}_is_held")
    assert row.label.startswith("Every host at ")


def test_every_kind_of_place_under_own_thresholds(hosts) -> None:
    asked = ("eer", {"ratio": (1.0, 2.0)}, {"alerts": 0.1}, {"costs": (1.0, 20.0)}, {"threshold": 1.0})
    part = points.make(Material(hosts, OWN, Settings(at=asked, **QUICK)))
    only = hosts.model("old")
    tangent = rs.average(only, "tangent")
    expected = {
        "eer": rs.average(only, "diagonal").at(rate=0.5),
        "ratio": rs.average(only, "radial").at_error_ratio(1, 2),
        "alerts": rs.average(only, rs.AtAlarmRate(prevalence=0.1)).at(rate=0.1),
        "costs": tangent.at_costs(false_positive=1, false_negative=20, prevalence=0.1),
        "threshold": rs.average(only, "threshold").at(threshold=1.0),
    }
    for place in asked:
        kind = place if isinstance(place, str) else next(iter(place))
        row = row_at(part, place, "old")
        assert (row.fpr, row.tpr) == pytest.approx((expected[kind].fpr, expected[kind].tpr), abs=1e-12), kind
        assert row.status == "asked"
    assert row_at(part, asked[3], "old").cost == expected["costs"].cost
    assert "prevalence of 10.0 %" in row_at(part, asked[3], "old").notes[0]
    assert row_at(part, "youden", "old").fpr == pytest.approx(
        tangent.at_costs(false_positive=1, false_negative=1, prevalence=0.5).fpr
    )


def test_a_place_that_needs_the_prevalence_says_so(hosts) -> None:
    use = rs.Deployment("own", hold="fpr", at=0.05)
    part = points.make(Material(hosts, use, Settings(at=({"alerts": 0.1},), **QUICK)))
    row = row_at(part, {"alerts": 0.1}, "old")
    assert math.isnan(row.fpr)
    assert row.cell == ""
    assert "prevalence" in row.notes[0]
    json.dumps(part.to_dict(), allow_nan=False)


def test_without_a_declaration_both_uses_are_shown_and_none_is_marked(hosts) -> None:
    part = points.make(Material(hosts, None, Settings(at=({"fpr": 0.02},), **QUICK)))
    assert [block.question for block in part.blocks] == ["shared", "own"]
    assert not any(row.is_declared for row in part.rows)
    assert {row.status for row in part.rows if row.place == {"fpr": 0.02}} == {"asked"}


def test_pooled_rows_are_read_off_the_pooled_curve(hosts) -> None:
    use = rs.Deployment("shared", weigh="rows", at={"fpr": 0.1})
    part = points.make(Material(hosts, use, Settings(**QUICK)))
    row = row_at(part, {"fpr": 0.1}, "new")
    assert row.tpr == rs.average(hosts.model("new"), "pooled").tpr_at(0.1)
    assert row.label == "Overall FPR 10 %"
    assert row.key == "pooled"


def test_medical_words_have_tables_signs_and_coordinates(hosts) -> None:
    part = points.make(Material(hosts, SHARED, Settings(words="medical", **QUICK)))
    row = row_at(part, {"fpr": 0.05}, "old")
    assert row.label == "Mean specificity 95 %"
    assert row.cell.startswith("\u2265 ")
    table = row.two_by_two
    assert table is not None
    assert table.is_sample_prevalence
    assert table.prevalence == pytest.approx(0.3)
    scores, is_attack = hosts.model("old").columns.scores, hosts.model("old").columns.labels == 1
    called = scores >= row.threshold
    assert (table.tp, table.fp) == ((called & is_attack).sum(), (called & ~is_attack).sum())
    assert (table.fn, table.tn) == ((~called & is_attack).sum(), (~called & ~is_attack).sum())
    by_name = {measure.name: measure for measure in table.measures}
    assert by_name["positive likelihood ratio"].value == pytest.approx(row.tpr / 0.05)
    assert by_name["negative likelihood ratio"].value == pytest.approx((1 - row.tpr) / 0.95)
    ppv = 0.3 * row.tpr / (0.3 * row.tpr + 0.7 * 0.05)
    assert by_name["positive predictive value"].value == pytest.approx(ppv)
    first = part.coordinates[0]
    average = rs.average(hosts.model("old"), "threshold")
    assert first.tpr == pytest.approx([average.rates_at(t).tpr for t in first.thresholds])
    assert first.is_thinned
    assert first.n_vertices == average.thresholds.size
    assert len(first.cells) <= 42
    assert row.threshold in first.thresholds  # the declared cut-off is among those shown
    assert first.cells[1].startswith("\u2265 ")


@pytest.mark.filterwarnings("ignore:RS244")
def test_one_dataset_has_the_2x2_table_of_its_curve() -> None:
    rng = np.random.default_rng(0)
    labels = np.repeat([1, 0], [40, 60])
    rows = rs.ScoreSet.from_arrays(labels, rng.normal(size=100) + labels)
    part = points.make(Material(rows, None, Settings(words="medical", n_resamples=100)))
    (block,) = part.blocks
    assert block.question == "single"
    assert part.cutoffs is None
    curve = rs.roc_curves(rows)[0]
    for row in block.rows:
        assert math.isnan(row.worst_fpr)
        assert row.worst_fpr_group == ""
        table = row.two_by_two
        assert table.tp + table.fn == 40
        assert table.fp + table.tn == 60
        if not row.cell.startswith("between"):
            rates = curve.rates_at(row.threshold)
            assert (table.tp, table.fp) == (round(40 * rates.tpr), round(60 * rates.fpr))
        assert all(measure.limits_text for measure in table.measures)
    row = block.rows[1]
    interval = curve.tpr_interval(0.05)
    assert row.tpr == curve.tpr_at(0.05)
    assert row.tpr_limits == (interval.low, interval.high)
    exact = rs.choose_cutoff(curve, rs.TargetRate(fpr=0.05)).intervals().threshold
    assert row.threshold_limits[0] == pytest.approx(min(exact.low, row.threshold))


def test_a_rate_that_no_cutoff_has_lies_between_two() -> None:
    """Ratings from 1 to 3: a specificity of 95 % is met by none of them."""
    labels = np.repeat([1, 0], [10, 20])
    ratings = np.repeat([3, 2, 1, 3, 2, 1], [6, 3, 1, 2, 4, 14])
    part = points.make(Material(rs.ScoreSet.from_arrays(labels, ratings), None, Settings(words="medical")))
    row = row_at(part, {"fpr": 0.05}, "")
    assert row.cell == "between \u2265 3 and beyond every score"
    assert row.tpr == pytest.approx(0.3)  # half way from (0, 0) to (0.1, 0.6)
    assert "\u2265 3 has specificity 90.0 % and sensitivity 60 %" in row.notes[0]
    assert "No cut-off has specificity 95 % itself" in row.notes[0]
    table = row.two_by_two
    assert (table.tp, table.fp, table.fn, table.tn) == (6, 2, 4, 18)  # of the nearer one
    assert table.note.startswith("At \u2265 3, the nearer of the two.")
    exact = row_at(part, {"fpr": 0.1}, "")
    assert exact.cell == "\u2265 3"
    assert exact.notes == ()


@pytest.mark.parametrize("seed", range(8))
def test_a_cutoff_for_a_sensitivity_reaches_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    labels = np.repeat([1, 0], [23, 41])
    rows = rs.ScoreSet.from_arrays(labels, np.round(rng.normal(size=64) + labels, 1))
    curve = rs.roc_curves(rows)[0]
    for wanted in (0.3, 0.75, 0.9):
        part = points.make(Material(rows, None, Settings(words="medical", at=({"tpr": wanted},), **QUICK)))
        row = row_at(part, {"tpr": wanted}, "")
        if not row.cell.startswith("between"):
            assert wanted <= curve.rates_at(row.threshold).tpr < wanted + 0.005


def test_the_worst_group_is_no_better_than_the_mean() -> None:
    """Between two cut-offs, too, where the mean is read between them."""
    rng = np.random.default_rng(0)
    labels = np.tile(np.repeat([1, 0], [20, 30]), 9)
    ratings = np.clip(np.round(rng.normal(size=450) + 2 * labels + 2), 1, 5)
    readers = rs.ScoreSet.from_arrays(labels, ratings, np.repeat(np.arange(9), 50), unit="reader")
    rows = points.make(Material(readers, rs.Deployment("shared", at={"fpr": 0.05}), Settings(**QUICK))).rows
    assert any(row.cell.startswith("between") for row in rows)
    for row in rows:
        assert row.worst_fpr >= row.fpr
        assert row.worst_tpr <= row.tpr


def test_a_choice_among_few_groups_has_wide_limits() -> None:
    """Two groups have three resamples: percentiles of them would end at the estimate."""
    rng = np.random.default_rng(0)
    labels = np.tile(np.repeat([1, 0], [20, 30]), 2)
    rows = rs.ScoreSet.from_arrays(labels, rng.normal(size=100) + labels, np.repeat([0, 1], 50), unit="site")
    part = points.make(Material(rows, rs.Deployment("shared"), Settings(**QUICK)))
    row = row_at(part, "youden", "")
    found = rs.choose_cutoff(rs.average(rows, "threshold"), "youden").corrected(n_resamples=200)
    assert row.tpr_limits == (found.tpr_interval.low, found.tpr_interval.high) == row.corrected.tpr_limits
    assert row.corrected.tpr == found.tpr
    assert row.tpr_limits[1] - row.tpr_limits[0] > 0.8
    assert np.isnan(row.threshold_limits).all()
    assert any("expected on new ones" in note for note in row.notes)


def test_the_prevalence_of_rows_is_that_of_rows_in_the_average() -> None:
    labels = np.array([1, 0, 0, 0] * 9 + [0, 0, 0, 0])
    groups = np.repeat(np.arange(10), 4)
    rows = rs.ScoreSet.from_arrays(labels, np.arange(40.0), groups, unit="host")
    shares = {"groups": 9 / 36, "rows": 9 / 40}
    for weigh, share in shares.items():
        material = Material(rows, rs.Deployment("shared", weigh=weigh), Settings(**QUICK))
        assert prevalence_of(material, "") == (share, False)
    heavy = rs.ScoreSet.from_arrays(
        labels, np.arange(40.0), groups, unit="host", sample_weight=np.where(labels == 1, 3.0, 1.0)
    )
    material = Material(heavy, rs.Deployment("shared"), Settings(**QUICK))
    assert prevalence_of(material, "")[0] == pytest.approx(27 / 54)


def test_rare_errors_read_between_thresholds_say_so() -> None:
    """An equal error rate of a few per mille is off by much of itself at every threshold."""
    rng = np.random.default_rng(1)
    genuine = np.tile(np.repeat([1, 0], [60, 400]), 8)
    sensors = np.repeat(np.arange(8), 460)
    rows = rs.ScoreSet.from_arrays(genuine, rng.normal(size=3680) + 5 * genuine, sensors, unit="sensor")
    use = rs.Deployment("own", hold="balance")
    row = row_at(points.make(Material(rows, use, Settings(words="biometric", **QUICK))), "eer", "")
    assert any("lies between two thresholds" in note for note in row.notes)


def test_ratings_of_readers_lie_between_their_cutoffs() -> None:
    rng = np.random.default_rng(0)
    labels = np.tile(np.repeat([1, 0], [20, 30]), 8)
    ratings = np.clip(np.round(rng.normal(size=400) + 2 * labels + 2), 1, 5)
    readers = rs.ScoreSet.from_arrays(labels, ratings, np.repeat(np.arange(8), 50), unit="reader")
    fine = rs.ScoreSet.from_arrays(labels, rng.normal(size=400) + labels, np.repeat(np.arange(8), 50))
    use = rs.Deployment("own", hold="fpr", at=0.05)
    row = row_at(points.make(Material(readers, use, Settings(words="medical"))), {"fpr": 0.05}, "")
    assert any("for most readers this lies between two cut-offs" in note for note in row.notes)
    table = row.two_by_two  # at cut-offs that can be set: readers are of one size, so counts and means agree
    by_name = {measure.name: measure.value for measure in table.measures}
    assert by_name["sensitivity"] == pytest.approx(table.tp / (table.tp + table.fn))
    assert by_name["specificity"] == pytest.approx(table.tn / (table.tn + table.fp))
    assert by_name["positive predictive value"] == pytest.approx(table.tp / (table.tp + table.fp))
    row = row_at(points.make(Material(fine, use)), {"fpr": 0.05}, "")
    assert row.notes == ()


def test_biometric_words_count_the_errors() -> None:
    rng = np.random.default_rng(0)
    genuine = np.tile(np.repeat([1, 0], [10, 100]), 8)
    gates = np.repeat(np.arange(8), 110)
    rows = rs.ScoreSet.from_arrays(genuine, rng.normal(size=880) + 4 * genuine, gates, unit="gate")
    part = points.make(Material(rows, rs.Deployment("shared"), Settings(words="biometric", **QUICK)))
    labels = [row.label for row in part.rows]
    assert labels == ["Mean FMR 1/100", "Mean FMR 1/1\u202f000", "Mean FMR 1/10\u202f000", labels[3]]
    assert labels[3] == "Equal error rate (FMR = FNMR)"
    finest = part.rows[2]
    seen = (rows.columns.scores >= finest.threshold) & (rows.columns.labels == 0)
    assert seen.sum() == 0
    note = finest.notes[0]
    assert "No false match among 800 impostor comparisons" in note
    assert "3/800 (rule of 3)" in note
    assert "below 0.4 %" in note  # -log(0.05) / 800
    assert "8 false matches among 800 impostor comparisons, fewer than 30" in part.rows[0].notes[0]
    average = rs.average(rows, "threshold")
    assert f"{100 * average.equal_error_rate:.1f} %" in part.rows[3].notes[0]


def test_thresholds_of_other_rows_are_judged_on_these(hosts) -> None:
    rng = np.random.default_rng(7)
    other = rs.ScoreSet.from_arrays(
        hosts.columns.labels,
        hosts.columns.scores + 0.3 * rng.normal(size=1200),
        [hosts.groups[i] for i in np.repeat(hosts.group_index, 50)],
        models=[hosts.models[i] for i in np.repeat(hosts.model_index, 50)],
        unit="host",
    )
    for use in (SHARED, OWN):
        part = points.make(Material(hosts, use, Settings(cutoff_from=other, **QUICK)))
        row = row_at(part, {"fpr": 0.05}, "old")
        here = rs.roc_curves(hosts.model("old"))
        if use is SHARED:
            at = [rs.average(other.model("old"), "threshold").at(fpr=0.05).threshold] * 12
        else:
            at = [
                curve.thresholds[np.flatnonzero(curve.fpr <= 0.05)[-1]]
                for curve in rs.roc_curves(other.model("old"))
            ]
        rates = [curve.rates_at(t) for curve, t in zip(here, at, strict=True)]
        assert row.fpr == pytest.approx(np.mean([own.fpr for own in rates]))
        assert row.tpr == pytest.approx(np.mean([own.tpr for own in rates]))
        assert not row.fpr_is_held
        assert row.fpr_limits[0] < row.fpr < row.fpr_limits[1]
        assert "nothing flatters" in plain_text(part.note)
        (tried, *_) = [own for own in part.realised.rows if own.model == "old"]
        assert tried.split == "file"
        there = [curve.rates_at(t) for curve, t in zip(rs.roc_curves(other.model("old")), at, strict=True)]
        assert tried.promised_fpr == pytest.approx(np.mean([own.fpr for own in there]))
        assert tried.promised_tpr == pytest.approx(np.mean([own.tpr for own in there]))
        assert (tried.fpr, tried.tpr) == (row.fpr, row.tpr)
        over = np.mean([own.fpr > 0.05 for own in rates])
        assert tried.missed == pytest.approx(over)


def test_rows_without_the_models_cannot_set_thresholds(hosts) -> None:
    with pytest.raises(UsageError, match="RS002"):
        points.make(Material(hosts, SHARED, Settings(cutoff_from=hosts.model("old"), **QUICK)))


def test_places_are_wanted_once_and_in_order(hosts) -> None:
    settings = Settings(at=({"fpr": 0.2}, {"fpr": 0.05}, {"threshold": 1.0}))
    places = wanted_places(Material(hosts, SHARED, settings))
    assert list(places) == [
        {"fpr": 0.01}, {"fpr": 0.05}, {"fpr": 0.1}, {"fpr": 0.2}, "youden", {"tpr": 0.9}, {"threshold": 1.0},
    ]  # fmt: skip


def test_what_groups_agree_on_has_the_interval_of_their_cases() -> None:
    """All groups are separated, so all have the same rates: that does not make them certain."""
    labels = np.tile([1, 1, 0, 0, 0, 0], 9)
    scores = np.tile([5.0, 4.0, 1.0, 2.0, 3.0, 0.0], 9)
    rows = rs.ScoreSet.from_arrays(labels, scores, np.repeat(np.arange(9), 6))
    part = points.make(Material(rows, rs.Deployment("shared", at=3.5), Settings(**QUICK)))
    row = row_at(part, {"threshold": 3.5}, "")
    assert (row.fpr, row.tpr) == (0, 1)
    assert row.fpr_limits[0] == 0 < row.fpr_limits[1] < 0.3
    assert 0.7 < row.tpr_limits[0] < row.tpr_limits[1] == 1
    assert "was given beforehand" in plain_text(part.note)


def test_it_is_plain_data(hosts, shared, own) -> None:
    for part in (shared, own):
        data = json.loads(json.dumps(part.to_dict(), allow_nan=False))
        assert len(data["blocks"][0]["rows"]) == 10
        assert data["realised"]["rows"][0]["sentence"].startswith("old: set for ")


def test_the_example_of_a_deployment_has_a_row(hosts) -> None:
    material = Material(hosts, rs.Deployment("own", hold="alerts", prevalence=0.1), Settings(**QUICK))
    rows = [row for row in points.make(material).blocks[0].rows if row.place == {"alerts": 0.1}]
    assert [row.status for row in rows] == ["example", "example"]
    assert not any(row.is_declared for row in rows)
