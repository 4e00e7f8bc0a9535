"""The numbers behind P1 to P11."""

from __future__ import annotations

from typing import Any

import numpy as np

import rocsteady as rs
from papers.errata.erratum import Numbers
from papers.operating_points.errata import UNEQUAL_SIZE, level, uneven_gap
from papers.operating_points.expectations import stored
from papers.operating_points.figures import sample
from papers.operating_points.parameters import (
    FIGURE_1_SIZE,
    FIGURE_2_SIZES,
    HOLM,
    N_FOLDS,
    N_POINTS,
    PLAIN,
)
from rocsteady.scores import stratified_folds
from rocsteady.statistics.paired_t import paired_tests

SMALL, LARGE = (str(size) for size in FIGURE_2_SIZES)


def p1() -> Numbers:
    """The level of a 5 % test with 2n - 2 degrees of freedom; the printed formula is the paired t."""
    first, second = np.random.default_rng(1).random((2, N_FOLDS))
    errors = [x.std(ddof=1) / np.sqrt(N_FOLDS) for x in (first, second)]
    r = np.corrcoef(first, second)[0, 1]
    printed = (first.mean() - second.mean()) / np.sqrt(
        errors[0] ** 2 + errors[1] ** 2 - 2 * r * errors[0] * errors[1]
    )
    return {
        "ten": 100 * level(N_FOLDS),
        "five": 100 * level(5),
        "printed": float(printed),
        "paired": float(rs.paired_t(first, second).statistic),
    }


def p2() -> Numbers:
    """The statistic with standard deviations where standard errors belong is too small by this factor."""
    return {"factor": float(np.sqrt(N_FOLDS))}


def p3() -> Numbers:
    """Points of Figure 1 whose FPR is the same in every fold; and the test where all differences agree."""
    fpr = sample(FIGURE_1_SIZE).table.measure("fpr")
    same, shifted = np.full(N_FOLDS, 0.2), np.full(N_FOLDS, 0.3)
    pvalues = [float(paired_tests(same, other).pvalue) for other in (same, shifted)]
    return {
        "constant": int((fpr.sd < 1e-12).sum()),
        "points": N_POINTS,
        "p_equal": pvalues[0],
        "p_shifted": pvalues[1],
    }


def p4() -> Numbers:
    """The correction of Nadeau and Bengio for ten folds, and what this detector needs."""
    return {
        "factor": float(np.sqrt(1 + N_FOLDS / (N_FOLDS - 1))),
        "small": _understatement(_long_run(SMALL)),
        "large": _understatement(_long_run(LARGE)),
        "studies": _long_run(SMALL)["n_replicates"],
    }


def _long_run(size: str) -> dict[str, Any]:
    """Figure 2 repeated many times: computed by operating_points.expectations, stored in expected.json."""
    found: dict[str, Any] = stored()["figure 2"]["long run"][size]
    return found


def _understatement(found: dict[str, Any]) -> float:
    """As replicates.understatement has it."""
    return float(found["sd"]["fpr at a fixed threshold"] / np.sqrt(found["mean"]["its variance by folds"]))


def p5() -> Numbers:
    """Points that the test does not reject, and those of them that differ in the very sample."""
    found = _long_run(SMALL)
    kept, known = (found["mean"][name] for name in (PLAIN.name, "known to differ"))
    return {"kept": kept, "known": known, "studies": found["n_replicates"]}


def p6() -> Numbers:
    """The number of tests in each kind of figure, and what an adjustment for them changes."""
    found = _long_run(SMALL)
    return {
        "tests": N_POINTS - 1,
        "three_class_tests": 99 * 3,
        "plain": found["mean"][PLAIN.name],
        "holm": found["mean"][HOLM.name],
        "studies": found["n_replicates"],
    }


def p7() -> Numbers:
    """Mean of folds and rate of all rows where folds differ in size; and the identity for two classes."""
    own = sample(FIGURE_1_SIZE)
    average: Any = rs.average(own.score_set, "threshold")
    rates = average.rates_at(own.table.thresholds)
    gaps = [np.abs(own.table.measure(name).mean - getattr(rates, name)).max() for name in ("fpr", "tpr")]
    return {"size": UNEQUAL_SIZE, "gap": uneven_gap(), "identity": float(max(gaps))}


def p8() -> Numbers:
    """AUC within folds less AUC between folds, for the detector of Figure 1."""
    found = rs.comparability(sample(FIGURE_1_SIZE).score_set)
    interval = found.delta_interval
    return {"delta": found.delta, "low": float(interval.low), "high": float(interval.high)}


def p9() -> Numbers:
    """A larger weight on a negative output loses the case; on a posterior it is a lower threshold."""
    outputs = np.array([-1.0, -2.0])
    plain, heavier = (int(np.argmax(np.array([weight, 1.0]) * outputs)) + 1 for weight in (1.0, 3.0))
    posterior = np.linspace(0.005, 0.995, 100)
    decided = rs.decide(np.column_stack([posterior, 1 - posterior]), [3.0, 1.0]) == 0
    return {"plain": plain, "heavier": heavier, "least": float(posterior[decided].min())}


def p10() -> Numbers:
    """Weights searched on the rows that judge them, and judged on folds that had no say."""
    random, n = np.random.default_rng(10), 50
    classes = np.repeat([0, 1, 2], n)
    outputs = np.exp(random.standard_normal((3 * n, 3)) + 1.2 * np.eye(3)[classes])
    folds = stratified_folds(classes, N_FOLDS, seed=0)
    scores = rs.MulticlassScores(classes, outputs, folds=folds)
    found = rs.search_class_weights(scores, seed=0, nested=True)
    assert found.nested is not None
    return {
        "chosen": found.best.max_error,
        "honest": found.nested.max_error,
        "distinct": found.n_distinct,
    }


def p11() -> Numbers:
    """The points of Figure 1's curve under both rules: the same, one threshold apart."""
    rows = sample(FIGURE_1_SIZE).score_set.columns
    curve = rs.roc_curve(rows.labels == rows.positive, rows.scores)
    points = []
    for rule in (">", ">="):
        rates = curve.rates_at(np.concatenate([[np.inf], curve.thresholds, [-np.inf]]), rule=rule)
        points.append(set(zip(rates.fpr.tolist(), rates.tpr.tolist(), strict=True)))
    return {"points": len(points[0]), "differing": len(points[0] ^ points[1])}
