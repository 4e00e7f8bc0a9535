"""SPSS's tables and the construction of a curve, against NumPy, SciPy, and counting case by case."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from counted_rows import cells_of_rows
from rocsteady.counting.counted import CountedScores, How
from rocsteady.curves.spss import spss_limits
from rocsteady.scores.labels import Classes

# Tables of few cases warn, as they should; the tests of that are below.
quietly = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")


@st.composite
def rows(draw, most: int = 25):
    """Labels of both classes and scores with many ties."""
    n = draw(st.integers(2, most))
    labels = draw(st.lists(st.booleans(), min_size=n, max_size=n).filter(lambda own: len(set(own)) == 2))
    scores = draw(st.lists(st.integers(-3, 3).map(lambda k: k / 2), min_size=n, max_size=n))
    return np.array(labels), np.array(scores)


def curve_of(labels, scores, **options):
    return rs.roc_curve(labels, scores, **options)


# The construction


@given(rows(), st.booleans())
@quietly
def test_every_step_is_what_counting_gives(drawn, is_high) -> None:
    labels, scores = drawn
    made = curve_of(labels, scores, higher_is_positive=is_high).construction()
    distinct = np.unique(scores)[:: -1 if is_high else 1]
    assert made.thresholds[1:].tolist() == distinct.tolist()
    assert np.isinf(made.thresholds[0])
    for i, threshold in enumerate(made.thresholds):
        called = scores >= threshold if is_high else scores <= threshold
        assert made.tp[i] == (called & labels).sum()
        assert made.fp[i] == (called & ~labels).sum()
        assert made.tn[i] == (~called & ~labels).sum()
        assert made.fn[i] == (~called & labels).sum()
        assert made.positives[i] == ((scores == threshold) & labels).sum()
        assert made.negatives[i] == ((scores == threshold) & ~labels).sum()
        assert (made.tpr[i], made.fpr[i]) == (made.tp[i] / labels.sum(), made.fp[i] / (~labels).sum())
    assert made.n_steps == distinct.size
    assert made.tied == sum(len(set(labels[scores == own])) == 2 for own in distinct)


@quietly
def test_the_construction_of_weighted_rows_has_sums_of_weights() -> None:
    made = rs.roc_curve([1, 0, 1], [3, 2, 1], sample_weight=[0.5, 2, 1.25]).construction()
    assert made.tp.tolist() == [0, 0.5, 0.5, 1.75]
    assert made.tn.tolist() == [2, 2, 0, 0]
    assert "0.5 1" in str(made)


@quietly
def test_a_construction_is_a_table_on_every_face() -> None:
    made = rs.roc_curve(list("a<<a"), [4, 3, 2, 1], positive="a").construction()
    assert repr(made) == "Construction(4 steps, 0 with cases of both classes)"
    assert made.to_frame().columns.tolist() == [
        "threshold", "positives", "negatives", "tp", "fp", "tn", "fn", "fpr", "tpr",
    ]  # fmt: skip
    assert json.loads(json.dumps(made.to_dict(), allow_nan=False))["thresholds"][0] == "inf"
    page = made._repr_html_()
    assert page.count("<tr>") == 1 + 5
    assert "TN" in page
    lines = str(made).splitlines()
    assert [own.split() for own in lines[-2:]] == [
        ["2", "<", "1", "2", "0", "1", "50.0", "%", "100.0", "%"],
        ["1", "a", "2", "2", "0", "0", "100.0", "%", "100.0", "%"],
    ]


# SPSS's tables


@given(rows(), st.booleans())
@quietly
def test_the_numbers_are_those_of_numpy_and_of_pairs(drawn, is_high) -> None:
    labels, scores = drawn
    curve = curve_of(labels, scores, higher_is_positive=is_high)
    found = curve.spss()
    for i, own in enumerate((scores[~labels], scores[labels])):
        assert found.groups.n[i] == own.size
        assert found.groups.mean[i] == pytest.approx(own.mean(), abs=1e-12)
        if own.size == 1:
            assert np.isnan(found.groups.sd[i])
            assert np.isnan(found.groups.standard_error[i])
        else:
            assert found.groups.sd[i] == pytest.approx(own.std(ddof=1), abs=1e-12)
            assert found.groups.standard_error[i] == pytest.approx(found.groups.sd[i] / own.size**0.5)
    area, error = _as_spss(
        *((scores[labels], scores[~labels]) if is_high else (-scores[labels], -scores[~labels]))
    )
    assert found.area.area == pytest.approx(area, abs=1e-12)
    assert found.area.standard_error == pytest.approx(error, abs=1e-9)
    low, high = found.area.interval.low, found.area.interval.high
    assert low == pytest.approx(max(area - 1.959963984540054 * error, 0), abs=1e-9)
    assert high == pytest.approx(min(area + 1.959963984540054 * error, 1), abs=1e-9)
    assert found.has_ties == bool(set(scores[labels]) & set(scores[~labels]))


def _as_spss(positives, negatives):
    """The area and its nonparametric standard error, from all pairs and all pairs of pairs."""
    wins = (positives[:, None] > negatives) + 0.5 * (positives[:, None] == negatives)
    area, m, n = wins.mean(), positives.size, negatives.size
    above, tied = (positives[:, None] > negatives).sum(0), (positives[:, None] == negatives).sum(0)
    below, tied_below = (positives[:, None] > negatives).sum(1), (positives[:, None] == negatives).sum(1)
    q1 = (above**2 + above * tied + tied**2 / 3).sum() / (n * m**2)
    q2 = (below**2 + below * tied_below + tied_below**2 / 3).sum() / (m * n**2)
    variance = (area * (1 - area) + (m - 1) * (q1 - area**2) + (n - 1) * (q2 - area**2)) / (m * n)
    return area, max(variance, 0) ** 0.5


@given(rows())
@quietly
def test_cut_offs_are_midpoints_from_the_lowest(drawn) -> None:
    labels, scores = drawn
    found = curve_of(labels, scores).spss().coordinates
    distinct = np.unique(scores)
    wanted = [distinct[0] - 1, *(distinct[:-1] + distinct[1:]) / 2, distinct[-1] + 1]
    assert found.cutoffs.tolist() == wanted
    for cut, tpr, fpr in zip(found.cutoffs, found.sensitivity, found.one_minus_specificity, strict=True):
        assert (tpr, fpr) == ((scores[labels] >= cut).mean(), (scores[~labels] >= cut).mean())


def test_the_test_of_chance_is_that_of_ranks_without_ties() -> None:
    from scipy.stats import mannwhitneyu

    rng = np.random.default_rng(0)
    labels, scores = np.arange(200) < 80, rng.normal(size=200)
    found = rs.roc_curve(labels, scores).spss().area
    test = mannwhitneyu(scores[labels], scores[~labels], method="asymptotic", use_continuity=False)
    assert found.pvalue == found.null_test.pvalue == pytest.approx(test.pvalue)
    # the error of the test is that under its hypothesis, and is not the one beside the area
    assert found.null_test.standard_error == pytest.approx(np.sqrt(201 / (12 * 80 * 120)))
    assert found.standard_error != pytest.approx(found.null_test.standard_error, rel=1e-3)
    assert "standard_error" in found.to_frame().columns
    assert found.to_frame()["standard_error"][0] == found.standard_error
    shown = rs.roc_curve(labels, scores).spss()
    area = str(shown).split("Area Under the Curve")[1].split("Coordinates")[0]
    assert f"{found.null_test.standard_error:.3f}".lstrip("0") not in area or (
        f"{found.null_test.standard_error:.3f}" == f"{found.standard_error:.3f}"
    )


@given(rows(15), st.data())
@quietly
def test_weights_are_frequencies(drawn, data) -> None:
    labels, scores = drawn
    weights = data.draw(st.lists(st.integers(1, 4), min_size=labels.size, max_size=labels.size))
    weighted = rs.roc_curve(labels, scores, sample_weight=weights).spss()
    repeated = rs.roc_curve(np.repeat(labels, weights), np.repeat(scores, weights)).spss()
    assert weighted.is_weighted
    assert not repeated.is_weighted
    assert str(weighted) == str(repeated)
    assert weighted.to_dict() | {"is_weighted": False} == repeated.to_dict()


def test_parts_of_cases_are_refused() -> None:
    curve = rs.roc_curve([1, 0, 1, 0], [4, 3, 2, 1], sample_weight=[1, 0.5, 1, 0.5])
    with pytest.raises(rs.RocsteadyError, match="RS038: SPSS takes weights for frequencies"):
        curve.spss()
    halves = rs.roc_curve([1, 1, 0], [4, 4, 1], sample_weight=[0.5, 0.5, 1])  # whole at every threshold
    with pytest.raises(rs.RocsteadyError, match="RS038"):
        halves.spss()


def test_what_is_no_sample_of_rows_is_refused() -> None:
    curve = rs.roc_curve([1, 0, 1, 0], [4, 3, 2, 1])
    for ask in ("spss", "construction"):
        with pytest.raises(rs.RocsteadyError, match="RS002: a convex hull leaves scores out"):
            getattr(curve.hull(), ask)()
    sick, score = np.array([True, False, True, False]), np.array([4.0, 3, 2, 1])
    cells = cells_of_rows(sick, score, np.array([1, 1, 0, 0]), np.zeros(4, dtype=np.int64), 1)
    counts = CountedScores(cells, Classes("1", "0"), ("all",), np.zeros(1, dtype=np.int64), sources=(), how=How("cells", "duckdb"))  # fmt: skip
    counted = rs.roc_curves(counts)[0]
    for ask in ("spss", "construction"):
        with pytest.raises(rs.RocsteadyError, match="RS406: these tables are of single scores"):
            getattr(counted, ask)()
    frame = {"y": [1, 0, 1, 0, 1, 0], "s": [6, 5, 4, 3, 2, 1], "p": list("aabbcc")}
    scores = rs.ScoreSet.from_frame(frame, label="y", score="s", cluster="p")
    with pytest.raises(rs.RocsteadyError, match="RS016"):
        rs.roc_curve(scores[0]).spss()


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"decimals": -1}, "RS042"),
        ({"decimals": 13}, "RS042"),
        ({"decimals": 2.5}, "RS042"),
        ({"confidence_level": 95}, "RS042"),
        ({"variable": 3}, "RS002"),
        ({"positive": None}, "RS002"),
    ],
)
def test_what_is_typed_wrong(options, code) -> None:
    with pytest.raises(rs.RocsteadyError, match=code):
        rs.roc_curve([1, 0, 1, 0], [4, 3, 2, 1]).spss(**options)


@quietly
def test_names_come_from_the_labels_or_are_given() -> None:
    labels = ["sick", "well", "sick", "well"]
    curve = rs.roc_curve(labels, [4, 3, 2, 1], positive="sick", name="marker")
    found = curve.spss()
    assert (found.variable, found.state, found.positive, found.negative) == (
        "marker",
        "label",
        "sick",
        "well",
    )
    named = curve.spss(variable="crp", state="truth", positive="ill", negative="healthy")
    assert named.groups.names == ("healthy", "ill")
    assert "crp" in str(named)
    assert "sick" not in str(named)
    of_set = rs.roc_curves(rs.ScoreSet.from_folds([(labels, [4, 3, 2, 1])], positive="sick"))[0]
    assert of_set.spss().groups.names == ("well", "sick")
    counts = rs.RocCurve.from_counts([3, 2, 1], [1, 2, 2], [0, 1, 2])
    assert counts.spss().groups.names == ("negative", "positive")
    assert counts.spss().variable == "score"


@quietly
def test_smaller_values_positive() -> None:
    found = rs.roc_curve([1, 0, 1, 0], [1, 2, 3, 4], higher_is_positive=False).spss()
    text = str(found)
    assert "Smaller values of the test result variable(s)" in text
    assert "Greater" not in text
    assert "Less" in text
    assert found.coordinates.cutoffs.tolist() == [0, 1.5, 2.5, 3.5, 5]
    assert found.coordinates.sensitivity.tolist() == [0, 0.5, 0.5, 1, 1]
    assert found.area.area == 0.75


@quietly
def test_infinite_scores_and_single_cases_print_points() -> None:
    found = rs.roc_curve([1, 0, 1, 0], [np.inf, 2, 3, 1]).spss()
    assert found.groups.mean.tolist() == [1.5, np.inf]
    assert np.isnan(found.groups.sd[1])
    first = next(own for own in str(found).splitlines() if own.startswith("score  0 "))
    assert first.split() == ["score", "0", "2", "1.5000", ".70711", ".50000"]
    one = rs.roc_curve([1, 0, 0], [3, 2, 1]).spss()
    assert ["1", "1", "3.0000", ".", "."] in [own.split() for own in str(one).splitlines()]
    endless = rs.roc_curve([1, 1, 0, 0], [np.inf, -np.inf, 1, 0]).spss()
    assert np.isnan(endless.groups.mean[1])


@quietly
def test_large_and_small_scores_have_means() -> None:
    huge = rs.roc_curve([1, 1, 0, 0], [1.7e308, 1.6e308, 1.5e308, -1.7e308]).spss().groups
    assert huge.mean[1] == pytest.approx(1.65e308)
    assert np.isfinite(huge.sd[1])
    tiny = rs.roc_curve([1, 1, 0, 0], [4e-300, 3e-300, 2e-300, 1e-300]).spss().groups
    assert tiny.mean == pytest.approx([1.5e-300, 3.5e-300], rel=1e-12)
    assert tiny.sd == pytest.approx([0.5**0.5 * 1e-300] * 2, rel=1e-12)
    zero = rs.roc_curve([1, 1, 0, 0], [0, 0, 0, 0]).spss().groups
    assert zero.sd.tolist() == [0, 0]


@quietly
def test_decimals_follow_the_variable() -> None:
    curve = rs.roc_curve([1, 0, 1, 0], [0.123456, 0.2, 0.3, 0.05])
    lines = [own.split() for own in str(curve.spss(decimals=0)).splitlines()]
    assert ["score", "0", "2", ".13", ".106", ".075"] in lines
    assert str(curve.spss(decimals=4)).count("-.950000") == 1  # the lowest less 1
    assert curve.spss(decimals=4).area.area == curve.spss().area.area


def test_what_is_known_of_the_interval_is_said() -> None:
    rng = np.random.default_rng(1)
    labels = np.arange(60) < 20
    with pytest.warns(rs.RocsteadyWarning, match="RS155"):
        rs.roc_curve(labels, rng.normal(size=60) + 2 * labels).spss()
    with pytest.warns(rs.RocsteadyWarning, match="RS151: the AUC is exactly 1, so the interval that SPSS"):
        found = rs.roc_curve([1] * 12 + [0] * 12, range(24, 0, -1)).spss()
    assert (found.area.interval.low, found.area.interval.high) == (1, 1)


def test_limits_end_at_0_and_1() -> None:
    low, high = spss_limits(np.array([0.01, 0.5, 0.99]), np.array([0.02, 0.1, 0.02]), 0.95)
    assert low.tolist() == pytest.approx([0, 0.304, 0.951], abs=5e-4)
    assert high.tolist() == pytest.approx([0.049, 0.696, 1], abs=5e-4)


@quietly
def test_names_end_no_line_tag_or_page() -> None:
    hostile = "</script><b>\n\x1b[2J" + "x" * 5000
    found = rs.roc_curve([hostile, "b", hostile], [3, 2, 1], positive=hostile)
    tables = found.spss(variable=hostile, state=hostile)
    assert "\x1b" not in str(tables)
    page = tables._repr_html_()
    assert "<b>" not in page
    assert "<script" not in page
    assert len(page.encode()) < 60_000
    assert "\n" not in repr(tables)


@quietly
def test_many_rows_are_all_printed_and_some_shown() -> None:
    rng = np.random.default_rng(0)
    tables = rs.roc_curve(np.arange(2000) % 2, rng.normal(size=2000)).spss()
    assert len(str(tables).splitlines()) > 2001
    page = tables._repr_html_()
    assert "more rows" in page
    assert len(page.encode()) < 60_000


# A 2 x 2 table prints with its totals


@quietly
def test_a_two_by_two_prints_with_totals() -> None:
    curve = rs.roc_curve(
        list("++---+-+-+"), [0.95, 0.93, 0.87, 0.85, 0.85, 0.85, 0.76, 0.53, 0.43, 0.25], positive="+"
    )
    table = rs.choose_cutoff(curve, threshold=0.76).two_by_two()
    rows = [own.split() for own in str(table).splitlines()]
    assert rows[2:5] == [["positive", "3", "4", "7"], ["negative", "2", "1", "3"], ["total", "5", "5", "10"]]
    assert repr(table).startswith("TwoByTwo(tp 3, fp 4, fn 2, tn 1;")
    assert "total" in table._repr_html_()


@quietly
def test_an_infinite_score_costs_the_others_no_digits() -> None:
    printed = str(curve_of([0, 1, 0, 1, 0], [0.1, 2.8, np.inf, 2.35, -np.inf]).construction())
    assert "2.8 " in printed
    assert "2.35 " in printed
    assert "2.7999" not in printed


@quietly
def test_numbers_of_any_size_take_little_room() -> None:
    printed = str(curve_of([0, 1, 0, 1], [1e300, 2e300, 3e300, 4e300]).spss())
    assert "2.0000E+300" in printed
    assert max(map(len, printed.splitlines())) <= 100
