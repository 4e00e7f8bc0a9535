"""One honest ROC curve from many: every average exactly, what it means, and how sure it is.

Names are imported when they are first used, so that ``import rocsteady`` costs next to nothing.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocsteady import plots as plot
    from rocsteady import simulate
    from rocsteady.advice.advise import Advice, advise
    from rocsteady.advice.deployment import Deployment
    from rocsteady.averaging.average import average
    from rocsteady.averaging.base import Average, AveragePoint
    from rocsteady.averaging.binormal import BinormalFit, fit_binormal
    from rocsteady.averaging.methods import (
        AtAlarmRate,
        AtAngle,
        AtCosts,
        Binormal,
        Diagonal,
        Horizontal,
        Pooled,
        Radial,
        Tangent,
        Threshold,
        Vertical,
    )
    from rocsteady.counting.count import count_scores
    from rocsteady.counting.counted import CountedScores, open_counts
    from rocsteady.curves.crossings import Crossings, crossings
    from rocsteady.curves.curve_set import CurveSet, roc_curves
    from rocsteady.curves.densities import OutsideScores, ScoreDensities, score_densities
    from rocsteady.curves.from_scores import HMeasure, auc, auc_interval, h_measure, roc_curve
    from rocsteady.curves.measures import FprAt, PartialAuc, RatesAt, SensitivityAt, SpecificityAt, TprAt
    from rocsteady.curves.raters import Judgement, RaterAgreement, rater_agreement
    from rocsteady.curves.readings import Bounds
    from rocsteady.curves.roc import RocCurve
    from rocsteady.curves.smroc import (
        Appropriateness,
        MidProfile,
        PermutedSmauc,
        ScoredAuc,
        SmrocCurve,
        SmrocCurves,
        scored_auc,
        smroc_curve,
        smroc_curves,
    )
    from rocsteady.curves.uncertainty import Band, CurveBand, NullTest
    from rocsteady.errors import RocsteadyError, RocsteadyWarning
    from rocsteady.inference.bootstrapping.bootstrap import bootstrap
    from rocsteady.inference.bootstrapping.result import Bootstrap
    from rocsteady.inference.comparability import Comparability, comparability
    from rocsteady.inference.comparing.comparing import compare
    from rocsteady.inference.comparing.results import (
        Comparison,
        Comparisons,
        Difference,
        DifferenceCurve,
        GroupDifferences,
    )
    from rocsteady.inference.comparing.standings import Standing
    from rocsteady.inference.comparison import AucComparison, compare_auc
    from rocsteady.inference.cross_auc import cross_auc
    from rocsteady.inference.planning.from_numbers import AucPlan, plan_auc
    from rocsteady.inference.planning.plan import plan
    from rocsteady.inference.planning.plan_table import PlanTable
    from rocsteady.inference.planning.results import Plan
    from rocsteady.inference.readers.comparing import compare_readers
    from rocsteady.inference.readers.curves.curve import ReaderAverageCurve
    from rocsteady.inference.readers.margins.results import Equivalence, NonInferiority
    from rocsteady.inference.readers.margins.testing import equivalent, non_inferior
    from rocsteady.inference.readers.planning.planning import plan_readers
    from rocsteady.inference.readers.planning.results import ReaderPlan
    from rocsteady.inference.readers.results import ReaderComparison
    from rocsteady.inference.readers.standalone.comparing import compare_standalone
    from rocsteady.inference.readers.standalone.results import StandaloneComparison
    from rocsteady.inference.readers.summaries.results import ReaderSummary
    from rocsteady.inference.readers.summaries.summarizing import summarize_readers
    from rocsteady.inference.single_curve.bootstrap_tests import BootstrapTest, bootstrap_test
    from rocsteady.inference.single_curve.venkatraman import VenkatramanTest, venkatraman_test
    from rocsteady.inference.summaries.results import AucSummary
    from rocsteady.inference.summaries.summarizing import summarize_auc
    from rocsteady.inference.winner_map.making import winner_map
    from rocsteady.inference.winner_map.result import Lead, PairDifference, Region, WinnerMap
    from rocsteady.operating_points.cutoffs.choosing import AppliedCutoff, Cutoff, choose_cutoff
    from rocsteady.operating_points.cutoffs.correcting import CorrectedCutoff
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
    from rocsteady.operating_points.tables.point_measures import MeasureEllipse, MeasurePair, PointMeasure
    from rocsteady.operating_points.tables.significance import SignificanceResult, paired_t
    from rocsteady.operating_points.tables.table import OperatingPointTable
    from rocsteady.plots.scikit_learn.display import RocAverageDisplay
    from rocsteady.report.citing import cite
    from rocsteady.report.tables.making import table
    from rocsteady.report.writing import WrittenReport, write_report
    from rocsteady.scores.design import Design
    from rocsteady.scores.files import read_scores
    from rocsteady.scores.multiclass import MulticlassScores
    from rocsteady.scores.score_set import ScoreSet
    from rocsteady.scores.scores import Scores
    from rocsteady.scores.sklearn import cross_validated_outputs, cross_validated_scores, stratified_folds
    from rocsteady.statistics.groups import SignedRanks, SignFlips, sign_flips, signed_ranks
    from rocsteady.statistics.intervals import Interval

_NAMES = {
    "advice.advise": "Advice advise",
    "advice.deployment": "Deployment",
    "averaging.average": "average",
    "averaging.base": "Average AveragePoint",
    "averaging.binormal": "BinormalFit fit_binormal",
    "averaging.methods": "AtAlarmRate AtAngle AtCosts Binormal Diagonal Horizontal Pooled Radial Tangent "
    "Threshold Vertical",
    "counting.count": "count_scores",
    "counting.counted": "CountedScores open_counts",
    "curves.crossings": "Crossings crossings",
    "curves.curve_set": "CurveSet roc_curves",
    "curves.densities": "OutsideScores ScoreDensities score_densities",
    "curves.from_scores": "HMeasure auc auc_interval h_measure roc_curve",
    "curves.measures": "FprAt PartialAuc RatesAt SensitivityAt SpecificityAt TprAt",
    "curves.raters": "Judgement RaterAgreement rater_agreement",
    "curves.readings": "Bounds",
    "curves.roc": "RocCurve",
    "curves.smroc": "Appropriateness MidProfile PermutedSmauc ScoredAuc SmrocCurve SmrocCurves scored_auc "
    "smroc_curve smroc_curves",
    "curves.uncertainty": "Band CurveBand NullTest",
    "errors": "RocsteadyError RocsteadyWarning",
    "inference.bootstrapping.bootstrap": "bootstrap",
    "inference.bootstrapping.result": "Bootstrap",
    "inference.comparability": "Comparability comparability",
    "inference.comparing.comparing": "compare",
    "inference.comparing.results": "Comparison Comparisons Difference DifferenceCurve GroupDifferences",
    "inference.comparing.standings": "Standing",
    "inference.comparison": "AucComparison compare_auc",
    "inference.cross_auc": "cross_auc",
    "inference.planning.from_numbers": "AucPlan plan_auc",
    "inference.planning.plan": "plan",
    "inference.planning.plan_table": "PlanTable",
    "inference.planning.results": "Plan",
    "inference.readers.comparing": "compare_readers",
    "inference.readers.curves.curve": "ReaderAverageCurve",
    "inference.readers.margins.results": "Equivalence NonInferiority",
    "inference.readers.margins.testing": "equivalent non_inferior",
    "inference.readers.planning.planning": "plan_readers",
    "inference.readers.planning.results": "ReaderPlan",
    "inference.readers.results": "ReaderComparison",
    "inference.readers.standalone.comparing": "compare_standalone",
    "inference.readers.standalone.results": "StandaloneComparison",
    "inference.readers.summaries.results": "ReaderSummary",
    "inference.readers.summaries.summarizing": "summarize_readers",
    "inference.single_curve.bootstrap_tests": "BootstrapTest bootstrap_test",
    "inference.single_curve.venkatraman": "VenkatramanTest venkatraman_test",
    "inference.summaries.results": "AucSummary",
    "inference.summaries.summarizing": "summarize_auc",
    "inference.winner_map.making": "winner_map",
    "inference.winner_map.result": "Lead PairDifference Region WinnerMap",
    "operating_points.cutoffs.choosing": "AppliedCutoff Cutoff choose_cutoff",
    "operating_points.cutoffs.correcting": "CorrectedCutoff",
    "operating_points.cutoffs.criteria": "MinimumCost TargetRate",
    "operating_points.cutoffs.intervals": "CutoffIntervals",
    "operating_points.cutoffs.two_by_two": "TwoByTwo",
    "operating_points.multiclass.auc": "MulticlassAuc multiclass_auc",
    "operating_points.multiclass.averaging": "average_multiclass_points",
    "operating_points.multiclass.class_errors": "ClassWeightPoint",
    "operating_points.multiclass.deciding": "decide",
    "operating_points.multiclass.minimax": "exact_class_weights",
    "operating_points.multiclass.nested": "NestedSearch nested_class_weights",
    "operating_points.multiclass.searching": "ClassWeightSearch search_class_weights",
    "operating_points.realised.realising": "Realised realise",
    "operating_points.tables.averaging": "average_operating_points",
    "operating_points.tables.comparing": "PointComparison",
    "operating_points.tables.measures": "Cost",
    "operating_points.tables.planning": "SeparatingCases",
    "operating_points.tables.point_measures": "MeasureEllipse MeasurePair PointMeasure",
    "operating_points.tables.significance": "SignificanceResult paired_t",
    "operating_points.tables.table": "OperatingPointTable",
    "plots.scikit_learn.display": "RocAverageDisplay",
    "report.citing": "cite",
    "report.tables.making": "table",
    "report.writing": "WrittenReport write_report",
    "scores.design": "Design",
    "scores.files": "read_scores",
    "scores.multiclass": "MulticlassScores",
    "scores.score_set": "ScoreSet",
    "scores.scores": "Scores",
    "scores.sklearn": "cross_validated_outputs cross_validated_scores stratified_folds",
    "statistics.groups": "SignFlips SignedRanks sign_flips signed_ranks",
    "statistics.intervals": "Interval",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

_MODULES = {"plot": "plots", "simulate": "simulate"}

__all__ = [
    "Advice",
    "AppliedCutoff",
    "Appropriateness",
    "AtAlarmRate",
    "AtAngle",
    "AtCosts",
    "AucComparison",
    "AucPlan",
    "AucSummary",
    "Average",
    "AveragePoint",
    "Band",
    "Binormal",
    "BinormalFit",
    "Bootstrap",
    "BootstrapTest",
    "Bounds",
    "ClassWeightPoint",
    "ClassWeightSearch",
    "Comparability",
    "Comparison",
    "Comparisons",
    "CorrectedCutoff",
    "Cost",
    "CountedScores",
    "Crossings",
    "CurveBand",
    "CurveSet",
    "Cutoff",
    "CutoffIntervals",
    "Deployment",
    "Design",
    "Diagonal",
    "Difference",
    "DifferenceCurve",
    "Equivalence",
    "FprAt",
    "GroupDifferences",
    "HMeasure",
    "Horizontal",
    "Interval",
    "Judgement",
    "Lead",
    "MeasureEllipse",
    "MeasurePair",
    "MidProfile",
    "MinimumCost",
    "MulticlassAuc",
    "MulticlassScores",
    "NestedSearch",
    "NonInferiority",
    "NullTest",
    "OperatingPointTable",
    "OutsideScores",
    "PairDifference",
    "PartialAuc",
    "PermutedSmauc",
    "Plan",
    "PlanTable",
    "PointComparison",
    "PointMeasure",
    "Pooled",
    "Radial",
    "RaterAgreement",
    "RatesAt",
    "ReaderAverageCurve",
    "ReaderComparison",
    "ReaderPlan",
    "ReaderSummary",
    "Realised",
    "Region",
    "RocAverageDisplay",
    "RocCurve",
    "RocsteadyError",
    "RocsteadyWarning",
    "ScoreDensities",
    "ScoreSet",
    "ScoredAuc",
    "Scores",
    "SensitivityAt",
    "SeparatingCases",
    "SignFlips",
    "SignedRanks",
    "SignificanceResult",
    "SmrocCurve",
    "SmrocCurves",
    "SpecificityAt",
    "StandaloneComparison",
    "Standing",
    "Tangent",
    "TargetRate",
    "Threshold",
    "TprAt",
    "TwoByTwo",
    "VenkatramanTest",
    "Vertical",
    "WinnerMap",
    "WrittenReport",
    "advise",
    "auc",
    "auc_interval",
    "average",
    "average_multiclass_points",
    "average_operating_points",
    "bootstrap",
    "bootstrap_test",
    "choose_cutoff",
    "cite",
    "comparability",
    "compare",
    "compare_auc",
    "compare_readers",
    "compare_standalone",
    "count_scores",
    "cross_auc",
    "cross_validated_outputs",
    "cross_validated_scores",
    "crossings",
    "decide",
    "equivalent",
    "exact_class_weights",
    "fit_binormal",
    "h_measure",
    "multiclass_auc",
    "nested_class_weights",
    "non_inferior",
    "open_counts",
    "paired_t",
    "plan",
    "plan_auc",
    "plan_readers",
    "plot",
    "rater_agreement",
    "read_scores",
    "realise",
    "roc_curve",
    "roc_curves",
    "score_densities",
    "scored_auc",
    "search_class_weights",
    "sign_flips",
    "signed_ranks",
    "simulate",
    "smroc_curve",
    "smroc_curves",
    "stratified_folds",
    "summarize_auc",
    "summarize_readers",
    "table",
    "venkatraman_test",
    "winner_map",
    "write_report",
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
        from rocsteady.calling import no_such_name

        raise no_such_name(name, list(__all__))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
