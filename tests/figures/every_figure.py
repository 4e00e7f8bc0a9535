"""One of every figure, for what all of them promise; small, simulated, made once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import rocsteady as rs
from rocsteady.curves.densities import ScoreDensities
from rocsteady.curves.raters import RaterAgreement
from rocsteady.curves.smroc import SmrocCurve, SmrocCurves
from rocsteady.inference.differences import Comparison
from rocsteady.inference.summarize import AucSummary
from rocsteady.inference.winner_map import WinnerMap
from rocsteady.points.tables import OperatingPointTable
from rocsteady.readers.compare import ReaderComparison
from rocsteady.simulate import hosts, reader_study

N_HOSTS = 12


@cache
def both_models() -> rs.ScoreSet:
    table = hosts()
    kept = np.isin(table["host"], [f"host-{k:02d}" for k in range(1, N_HOSTS + 1)])
    few = {name: np.asarray(column)[kept] for name, column in table.items()}
    return rs.ScoreSet.from_frame(
        few, label="label", score="score", group="host", model="model", case="event", positive="attack"
    )


@cache
def candidate() -> rs.ScoreSet:
    return both_models().model("candidate")


@cache
def average(method: Any, model: str = "candidate") -> Any:
    return rs.average(both_models().model(model), method)


@cache
def one_curve() -> rs.RocCurve:
    return rs.roc_curve(candidate()["host-12"])


@cache
def other_curve() -> rs.RocCurve:
    return rs.roc_curve(both_models()["current / host-12"])


@cache
def points() -> OperatingPointTable:
    return rs.average_operating_points(candidate(), thresholds=30)


@cache
def three_classes() -> OperatingPointTable:
    rng = np.random.default_rng(0)
    labels = np.arange(150) % 3
    outputs = np.exp(-((((labels + rng.normal(size=150))[:, None] - np.arange(3)) ** 2) / 2))
    scores = rs.MulticlassScores(labels.astype(str), outputs, folds=np.arange(150) // 3 % 5)
    return rs.average_multiclass_points(scores, rng.dirichlet(np.full(3, 6.0), 20))


@cache
def smooth() -> SmrocCurve:
    rng = np.random.default_rng(3)
    sick = np.arange(200) < 60
    score = np.round(1 / (1 + np.exp(-rng.normal(np.where(sick, 1.0, -1.0), 1.5))), 3)
    return rs.smroc_curve(sick, score, mid=0.5)


@cache
def smooth_models() -> SmrocCurves:
    rng = np.random.default_rng(4)
    sick = np.arange(240) % 10 < 4
    seen = {name: rng.normal(np.where(sick, 1.0, -1.0), sd) for name, sd in (("old", 2.0), ("new", 1.0))}
    shares = {name: 1 / (1 + np.exp(-own)) for name, own in seen.items()}
    return rs.smroc_curve(rs.ScoreSet.from_arrays(sick, shares, np.arange(240) // 40), mid=0.5)


@cache
def raters() -> RaterAgreement:
    rng = np.random.default_rng(1)
    truth = rng.normal(size=80)
    scores = {name: 1 / (1 + np.exp(-truth - rng.normal(size=80))) for name in ("ann", "ben")}
    decisions = {name: own > 0.5 for name, own in scores.items()}
    return rs.rater_agreement(decisions, scores)


@cache
def readers() -> ReaderComparison:
    columns = {"label": "truth", "score": "rating", "group": "reader", "model": "modality", "case": "case"}
    study = rs.ScoreSet.from_frame(reader_study(standalone=False), **columns, positive="cancer")
    return rs.compare_readers(study)


@cache
def compared() -> Comparison:
    return rs.compare(both_models(), "candidate", "current", method="vertical")


@cache
def winners() -> WinnerMap:
    return rs.winner_map(both_models())


@cache
def summary() -> AucSummary:
    return rs.summarize_auc(candidate(), "random-effects")


@cache
def densities() -> ScoreDensities:
    return rs.score_densities(candidate())


@cache
def crossed() -> np.ndarray[Any, Any]:
    return rs.cross_auc(candidate())


@cache
def few_steps() -> rs.RocCurve:
    labels = [1, 1, 0, 0, 0, 1, 0, 1, 0, 1]
    return rs.roc_curve(labels, [0.95, 0.93, 0.87, 0.85, 0.85, 0.85, 0.76, 0.53, 0.43, 0.25])


Drawing = Callable[..., Any]

FIGURES: dict[str, Drawing] = {
    "agreement": lambda **o: rs.plot.agreement(raters(), **o),
    "appropriateness": lambda **o: rs.plot.appropriateness(smooth(), **o),
    "average": lambda **o: rs.plot.average(average("threshold"), at=[{"fpr": 0.05}], **o),
    "averages": lambda **o: rs.plot.averages(
        {name: average("vertical", name) for name in ("current", "candidate")}, at=[{"fpr": 0.05}], **o
    ),
    "class_errors": lambda **o: rs.plot.class_errors(three_classes(), **o),
    "class_error_surface": lambda **o: rs.plot.class_error_surface(three_classes(), **o),
    "cost_curve": lambda **o: rs.plot.cost_curve(one_curve().cost_curve(), **o),
    "cross_auc": lambda **o: rs.plot.cross_auc(crossed(), names=candidate().names, **o),
    "cutoffs": lambda **o: rs.plot.cutoffs(
        one_curve(), [rs.choose_cutoff(one_curve(), own) for own in ("youden", "closest")], **o
    ),
    "densities": lambda **o: rs.plot.densities(densities(), **o),
    "densities, overlaid": lambda **o: rs.plot.densities(densities(), thresholds=1.5, kind="overlaid", **o),
    "densities, several": lambda **o: rs.plot.densities(
        {"pooled": rs.score_densities(candidate()), "each host once": densities()},
        thresholds=-1.0,
        kind="smooth",
        curve=False,
        **o,
    ),
    "det": lambda **o: rs.plot.det(one_curve(), **o),
    "difference": lambda **o: rs.plot.difference(compared(), **o),
    "forest, smauc": lambda **o: rs.plot.forest(rs.summarize_smauc(smooth_models().model("new")), **o),
    "forest": lambda **o: rs.plot.forest(summary(), **o),
    "mid_profile": lambda **o: rs.plot.mid_profile(smooth().mid_profile(), **o),
    "operating_points": lambda **o: rs.plot.operating_points(
        points(), comparison=points().compare_to(points().nearest(tpr=0.9), "fpr"), **o
    ),
    "precision_recall": lambda **o: rs.plot.precision_recall(one_curve().precision_recall(), **o),
    "reader_curves": lambda **o: rs.plot.reader_curves(readers(), **o),
    "reader_values": lambda **o: rs.plot.reader_values(readers(), **o),
    "roc, steps": lambda **o: rs.plot.roc(few_steps(), steps=True, **o),
    "roc": lambda **o: rs.plot.roc([one_curve(), other_curve()], names=["candidate", "current"], **o),
    "smroc, models": lambda **o: rs.plot.smroc(smooth_models(), **o),
    "smroc": lambda **o: rs.plot.smroc(smooth(), **o),
    "winner_map": lambda **o: rs.plot.winner_map(winners(), **o),
}
