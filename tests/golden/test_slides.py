"""The ten cases of Sakellaropoulos's slides, and his SPSS table.

The slides step through three tied scores one at a time and get 0.60; one step for one score gives 0.56.
"""

from fractions import Fraction

import numpy as np
import pytest

import rocsteady as rs
from papers.slides.printed import CORNER_ROWS, FIRST_ROWS, TEN_LABELS, TEN_SCORES
from rocsteady.points.cutoffs import choose_cutoff


@pytest.fixture
def curve():
    return rs.roc_curve(TEN_LABELS, TEN_SCORES, positive="+")


def test_eight_distinct_scores(curve):
    assert curve.thresholds.tolist() == [np.inf, 0.95, 0.93, 0.87, 0.85, 0.76, 0.53, 0.43, 0.25]
    assert curve.true_positives.tolist() == [0, 1, 2, 2, 3, 3, 4, 4, 5]
    assert curve.false_positives.tolist() == [0, 0, 0, 1, 3, 4, 4, 5, 5]


def test_auc_is_056_and_not_060(curve):
    assert curve.auc == float(Fraction(14, 25))


def test_delong_variance(curve):
    assert curve.auc_standard_error() ** 2 == pytest.approx(0.0462, abs=1e-15)


def test_direction_of_the_tied_step(curve):
    # Between (1/5, 2/5) and (3/5, 3/5) the curve is one oblique line.
    assert curve.tpr_at(0.4) == pytest.approx(0.5, abs=1e-15)


def test_the_printed_table_at_076(curve):
    rates = curve.rates_at(0.76)
    assert (rates.tpr, rates.fpr) == (3 / 5, 4 / 5)


def test_spss_coordinates(curve):
    table = curve.coordinates()
    assert table.rule == ">="
    assert table.cutoffs[0] == 0.25 - 1
    assert table.cutoffs[-1] == 0.95 + 1
    assert table.cutoffs[1:-1] == pytest.approx([0.34, 0.48, 0.645, 0.805, 0.86, 0.90, 0.94])
    assert table.sensitivity.tolist() == [1, 0.8, 0.8, 0.6, 0.6, 0.4, 0.4, 0.2, 0]
    assert table.one_minus_specificity.tolist() == [1, 1, 0.8, 0.8, 0.6, 0.2, 0, 0, 0]


def test_spss_standard_error_of_the_second_example_is_the_nonparametric_one():
    """SPSS prints .007 for 300 + 300 cases with AUC .955; the exponential formula would print .009."""
    rng = np.random.default_rng(3)
    labels = np.repeat([0, 1], 300)
    scores = np.concatenate([rng.normal(1.32, 0.16, 300), rng.normal(1.72, 0.18, 300)])
    curve = rs.roc_curve(labels, scores)
    nonparametric = curve.auc_standard_error("nonparametric")
    assert nonparametric == pytest.approx(curve.auc_standard_error("delong"), rel=0.01)
    assert nonparametric == pytest.approx(0.0079, abs=0.0012)
    assert curve.auc_standard_error("hanley-mcneil") > nonparametric


def test_youden_is_not_the_point_closest_to_the_corner():
    """The slides call the 45-degree tangent the point closest to (0, 1); in their own table the two differ."""
    cutoffs, sensitivity, false_alarms = zip(*reversed(CORNER_ROWS), strict=True)
    counts = [[round(300 * rate) for rate in (*rates, 1)] for rates in (sensitivity, false_alarms)]
    shown = rs.RocCurve.from_counts([*cutoffs, FIRST_ROWS[0][0]], *counts)
    youden, closest = choose_cutoff(shown, "youden"), choose_cutoff(shown, "closest")
    assert (youden.threshold, closest.threshold) == (1.4933, 1.5065)
    assert youden.value == pytest.approx(0.770, abs=5e-4)
    assert youden.all_optima.size == closest.all_optima.size == 1


def test_cutoffs_of_the_ten_cases_are_midpoints_as_in_spss(curve):
    cutoff = choose_cutoff(curve, "youden")
    assert (cutoff.threshold, cutoff.tpr, cutoff.fpr) == (0.93, 0.4, 0)
    assert cutoff.midpoint == pytest.approx(0.90)
    assert cutoff.midpoint in curve.coordinates().cutoffs
    assert cutoff.threshold_interval == (0.87, 0.93)


def test_spss_tables_of_the_ten_cases(curve):
    """By hand: sums of squares for the groups; of the area 14/25, Q1 = 1/3 and Q2 = 181/375."""
    found = curve.spss(variable="P(+|A)", state="True Class")
    positives, negatives = [95, 93, 85, 53, 25], [87, 85, 85, 76, 43]
    for i, own in enumerate((negatives, positives)):
        mean = Fraction(sum(own), 500)
        variance = sum((Fraction(x, 100) - mean) ** 2 for x in own) / 4
        assert found.groups.mean[i] == pytest.approx(float(mean), abs=1e-15)
        assert found.groups.sd[i] ** 2 == pytest.approx(float(variance), abs=1e-15)
    area, q1, q2 = Fraction(14, 25), *_shared_pairs(positives, negatives)
    assert (q1, q2) == (Fraction(1, 3), Fraction(181, 375))
    variance = (area * (1 - area) + 4 * (q1 - area**2) + 4 * (q2 - area**2)) / 25
    assert found.area.standard_error**2 == pytest.approx(float(variance), abs=1e-15)
    assert found.area.null_test.standard_error**2 == pytest.approx(11 / 300)
    lines = [own.split() for own in str(found).splitlines()]
    assert ["P(+|A)", "-", "5", ".7520", ".18499", ".08273"] in lines
    assert ["+", "5", ".7020", ".30384", ".13588"] in lines
    assert [".560", ".200", ".754", ".168", ".952"] in lines
    assert ["-.7500", "1.000", "1.000"] in lines
    assert ["1.9500", ".000", ".000"] in lines


def _shared_pairs(positives, negatives):
    """How often two positives outscore a negative, and a positive two negatives; three tied cases count a third."""
    above = [(sum(p > n for p in positives), sum(p == n for p in positives)) for n in negatives]
    below = [(sum(p > n for n in negatives), sum(p == n for n in negatives)) for p in positives]
    return [sum(g * g + g * e + Fraction(e * e, 3) for g, e in each) / 125 for each in (above, below)]


def test_the_construction_is_the_slides_table_with_one_step_for_tied_cases(curve):
    made = curve.construction()
    assert made.tp.tolist() == [0, 1, 2, 2, 3, 3, 4, 4, 5]
    assert made.fp.tolist() == [0, 0, 0, 1, 3, 4, 4, 5, 5]
    assert made.tn.tolist() == [5, 5, 5, 4, 2, 1, 1, 0, 0]
    assert made.fn.tolist() == [5, 4, 3, 3, 2, 2, 1, 1, 0]
    assert (made.positives[4], made.negatives[4]) == (1, 2)
