"""One honest ROC curve from many: every average exactly, what it means, and how sure it is.

Names are imported when they are first used, so that ``import rocsteady`` costs next to nothing.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocsteady import plots as plot
    from rocsteady.advice.advise import Advice, advise
    from rocsteady.advice.deployment import Deployment
    from rocsteady.averaging.average import average
    from rocsteady.averaging.bands import Band
    from rocsteady.averaging.base import Average, AveragePoint
    from rocsteady.averaging.methods import AtAlarmRate, AtAngle, AtCosts, Horizontal, Pooled, Vertical
    from rocsteady.curves.auc_uncertainty import NullTest
    from rocsteady.curves.curve_set import CurveSet, roc_curves
    from rocsteady.curves.from_scores import auc, auc_interval, roc_curve
    from rocsteady.curves.raters.agreement import RaterAgreement, rater_agreement
    from rocsteady.curves.raters.measures import Judgement
    from rocsteady.curves.roc import RocCurve
    from rocsteady.curves.scored_auc import ScoredAuc, scored_auc
    from rocsteady.curves.smroc.appropriateness import Appropriateness
    from rocsteady.curves.smroc.chance import PermutedSmauc
    from rocsteady.curves.smroc.curve import SmrocCurve, smroc_curve
    from rocsteady.curves.smroc.curve_set import SmrocCurves, smroc_curves
    from rocsteady.curves.smroc.profile import MidProfile
    from rocsteady.errors import RocsteadyError, RocsteadyWarning
    from rocsteady.inference.comparability import Comparability, comparability
    from rocsteady.inference.comparison import AucComparison, compare_auc
    from rocsteady.inference.cross_auc import cross_auc
    from rocsteady.operating_points.cutoffs.choosing import AppliedCutoff, Cutoff, choose_cutoff
    from rocsteady.operating_points.cutoffs.criteria import MinimumCost, TargetRate
    from rocsteady.operating_points.cutoffs.intervals import CutoffIntervals
    from rocsteady.operating_points.cutoffs.two_by_two import TwoByTwo
    from rocsteady.operating_points.multiclass.auc import MulticlassAuc, multiclass_auc
    from rocsteady.operating_points.multiclass.averaging import average_multiclass_points
    from rocsteady.operating_points.multiclass.class_errors import ClassWeightPoint
    from rocsteady.operating_points.multiclass.deciding import decide
    from rocsteady.operating_points.multiclass.minimax import exact_class_weights
    from rocsteady.operating_points.multiclass.nested import NestedSearch, nested_class_weights
    from rocsteady.operating_points.multiclass.searching import ClassWeightSearch, search_class_weights
    from rocsteady.operating_points.realised.realising import Realised, realise
    from rocsteady.operating_points.tables.averaging import average_operating_points
    from rocsteady.operating_points.tables.comparing import PointComparison
    from rocsteady.operating_points.tables.measures import Cost
    from rocsteady.operating_points.tables.planning import SeparatingCases
    from rocsteady.operating_points.tables.point_measures import MeasurePair, PointMeasure
    from rocsteady.operating_points.tables.significance import SignificanceResult, paired_t
    from rocsteady.operating_points.tables.table import OperatingPointTable
    from rocsteady.scores.files import read_scores
    from rocsteady.scores.folds import stratified_folds
    from rocsteady.scores.multiclass import MulticlassScores
    from rocsteady.scores.multiclass_sklearn import cross_validated_outputs
    from rocsteady.scores.score_set import ScoreSet
    from rocsteady.scores.scores import Scores
    from rocsteady.scores.sklearn import cross_validated_scores
    from rocsteady.uncertainty.intervals import Interval

_HOMES = {
    "Advice": "advice.advise",
    "AppliedCutoff": "operating_points.cutoffs.choosing",
    "Appropriateness": "curves.smroc.appropriateness",
    "AtAlarmRate": "averaging.methods",
    "AtAngle": "averaging.methods",
    "AtCosts": "averaging.methods",
    "AucComparison": "inference.comparison",
    "Average": "averaging.base",
    "AveragePoint": "averaging.base",
    "Band": "averaging.bands",
    "ClassWeightPoint": "operating_points.multiclass.class_errors",
    "ClassWeightSearch": "operating_points.multiclass.searching",
    "Comparability": "inference.comparability",
    "Cost": "operating_points.tables.measures",
    "CurveSet": "curves.curve_set",
    "Cutoff": "operating_points.cutoffs.choosing",
    "CutoffIntervals": "operating_points.cutoffs.intervals",
    "Deployment": "advice.deployment",
    "Horizontal": "averaging.methods",
    "Interval": "uncertainty.intervals",
    "Judgement": "curves.raters.measures",
    "MeasurePair": "operating_points.tables.point_measures",
    "MidProfile": "curves.smroc.profile",
    "MinimumCost": "operating_points.cutoffs.criteria",
    "MulticlassAuc": "operating_points.multiclass.auc",
    "MulticlassScores": "scores.multiclass",
    "NestedSearch": "operating_points.multiclass.nested",
    "NullTest": "curves.auc_uncertainty",
    "OperatingPointTable": "operating_points.tables.table",
    "PermutedSmauc": "curves.smroc.chance",
    "PointComparison": "operating_points.tables.comparing",
    "PointMeasure": "operating_points.tables.point_measures",
    "Pooled": "averaging.methods",
    "RaterAgreement": "curves.raters.agreement",
    "Realised": "operating_points.realised.realising",
    "RocCurve": "curves.roc",
    "RocsteadyError": "errors",
    "RocsteadyWarning": "errors",
    "ScoreSet": "scores.score_set",
    "ScoredAuc": "curves.scored_auc",
    "Scores": "scores.scores",
    "SeparatingCases": "operating_points.tables.planning",
    "SignificanceResult": "operating_points.tables.significance",
    "SmrocCurve": "curves.smroc.curve",
    "SmrocCurves": "curves.smroc.curve_set",
    "TargetRate": "operating_points.cutoffs.criteria",
    "TwoByTwo": "operating_points.cutoffs.two_by_two",
    "Vertical": "averaging.methods",
    "advise": "advice.advise",
    "auc": "curves.from_scores",
    "auc_interval": "curves.from_scores",
    "average": "averaging.average",
    "average_multiclass_points": "operating_points.multiclass.averaging",
    "average_operating_points": "operating_points.tables.averaging",
    "choose_cutoff": "operating_points.cutoffs.choosing",
    "comparability": "inference.comparability",
    "compare_auc": "inference.comparison",
    "cross_auc": "inference.cross_auc",
    "cross_validated_outputs": "scores.multiclass_sklearn",
    "cross_validated_scores": "scores.sklearn",
    "decide": "operating_points.multiclass.deciding",
    "exact_class_weights": "operating_points.multiclass.minimax",
    "multiclass_auc": "operating_points.multiclass.auc",
    "nested_class_weights": "operating_points.multiclass.nested",
    "paired_t": "operating_points.tables.significance",
    "rater_agreement": "curves.raters.agreement",
    "read_scores": "scores.files",
    "realise": "operating_points.realised.realising",
    "roc_curve": "curves.from_scores",
    "roc_curves": "curves.curve_set",
    "scored_auc": "curves.scored_auc",
    "search_class_weights": "operating_points.multiclass.searching",
    "smroc_curve": "curves.smroc.curve",
    "smroc_curves": "curves.smroc.curve_set",
    "stratified_folds": "scores.folds",
}

_MODULES = {"plot": "plots"}

__all__ = [
    "Advice",
    "AppliedCutoff",
    "Appropriateness",
    "AtAlarmRate",
    "AtAngle",
    "AtCosts",
    "AucComparison",
    "Average",
    "AveragePoint",
    "Band",
    "ClassWeightPoint",
    "ClassWeightSearch",
    "Comparability",
    "Cost",
    "CurveSet",
    "Cutoff",
    "CutoffIntervals",
    "Deployment",
    "Horizontal",
    "Interval",
    "Judgement",
    "MeasurePair",
    "MidProfile",
    "MinimumCost",
    "MulticlassAuc",
    "MulticlassScores",
    "NestedSearch",
    "NullTest",
    "OperatingPointTable",
    "PermutedSmauc",
    "PointComparison",
    "PointMeasure",
    "Pooled",
    "RaterAgreement",
    "Realised",
    "RocCurve",
    "RocsteadyError",
    "RocsteadyWarning",
    "ScoreSet",
    "ScoredAuc",
    "Scores",
    "SeparatingCases",
    "SignificanceResult",
    "SmrocCurve",
    "SmrocCurves",
    "TargetRate",
    "TwoByTwo",
    "Vertical",
    "advise",
    "auc",
    "auc_interval",
    "average",
    "average_multiclass_points",
    "average_operating_points",
    "choose_cutoff",
    "comparability",
    "compare_auc",
    "cross_auc",
    "cross_validated_outputs",
    "cross_validated_scores",
    "decide",
    "exact_class_weights",
    "multiclass_auc",
    "nested_class_weights",
    "paired_t",
    "plot",
    "rater_agreement",
    "read_scores",
    "realise",
    "roc_curve",
    "roc_curves",
    "scored_auc",
    "search_class_weights",
    "smroc_curve",
    "smroc_curves",
    "stratified_folds",
]


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version  # slow to import, seldom asked for

        return version("rocsteady")
    if name in _MODULES:
        value: object = _import_module(f"rocsteady.{_MODULES[name]}")
    elif name in _HOMES:
        value = getattr(_import_module(f"rocsteady.{_HOMES[name]}"), name)
    else:
        raise AttributeError(f"module 'rocsteady' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
