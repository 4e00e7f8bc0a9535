"""One honest ROC curve from many: every average exactly, what it means, and how sure it is.

Names are imported when they are first used, so that ``import rocsteady`` costs next to nothing.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocsteady.advice.advise import Advice, advise
    from rocsteady.advice.deployment import Deployment
    from rocsteady.averaging.average import average
    from rocsteady.averaging.bands import Band
    from rocsteady.averaging.base import Average, AveragePoint
    from rocsteady.averaging.methods import AtAlarmRate, AtAngle, AtCosts, Horizontal, Pooled, Vertical
    from rocsteady.curves.auc_uncertainty import NullTest
    from rocsteady.curves.curve_set import CurveSet, roc_curves
    from rocsteady.curves.from_scores import auc, auc_interval, roc_curve
    from rocsteady.curves.roc import RocCurve
    from rocsteady.errors import RocsteadyError, RocsteadyWarning
    from rocsteady.inference.comparability import Comparability, comparability
    from rocsteady.inference.comparison import AucComparison, compare_auc
    from rocsteady.inference.cross_auc import cross_auc
    from rocsteady.scores.files import read_scores
    from rocsteady.scores.multiclass import MulticlassScores
    from rocsteady.scores.score_set import ScoreSet
    from rocsteady.scores.scores import Scores
    from rocsteady.scores.sklearn import cross_validated_scores
    from rocsteady.uncertainty.intervals import Interval

_HOMES = {
    "Advice": "advice.advise",
    "AtAlarmRate": "averaging.methods",
    "AtAngle": "averaging.methods",
    "AtCosts": "averaging.methods",
    "AucComparison": "inference.comparison",
    "Average": "averaging.base",
    "AveragePoint": "averaging.base",
    "Band": "averaging.bands",
    "Comparability": "inference.comparability",
    "CurveSet": "curves.curve_set",
    "Deployment": "advice.deployment",
    "Horizontal": "averaging.methods",
    "Interval": "uncertainty.intervals",
    "MulticlassScores": "scores.multiclass",
    "NullTest": "curves.auc_uncertainty",
    "Pooled": "averaging.methods",
    "RocCurve": "curves.roc",
    "RocsteadyError": "errors",
    "RocsteadyWarning": "errors",
    "ScoreSet": "scores.score_set",
    "Scores": "scores.scores",
    "Vertical": "averaging.methods",
    "advise": "advice.advise",
    "auc": "curves.from_scores",
    "auc_interval": "curves.from_scores",
    "average": "averaging.average",
    "comparability": "inference.comparability",
    "compare_auc": "inference.comparison",
    "cross_auc": "inference.cross_auc",
    "cross_validated_scores": "scores.sklearn",
    "read_scores": "scores.files",
    "roc_curve": "curves.from_scores",
    "roc_curves": "curves.curve_set",
}

__all__ = [
    "Advice",
    "AtAlarmRate",
    "AtAngle",
    "AtCosts",
    "AucComparison",
    "Average",
    "AveragePoint",
    "Band",
    "Comparability",
    "CurveSet",
    "Deployment",
    "Horizontal",
    "Interval",
    "MulticlassScores",
    "NullTest",
    "Pooled",
    "RocCurve",
    "RocsteadyError",
    "RocsteadyWarning",
    "ScoreSet",
    "Scores",
    "Vertical",
    "advise",
    "auc",
    "auc_interval",
    "average",
    "comparability",
    "compare_auc",
    "cross_auc",
    "cross_validated_scores",
    "read_scores",
    "roc_curve",
    "roc_curves",
]


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version  # slow to import, seldom asked for

        return version("rocsteady")
    if name not in _HOMES:
        raise AttributeError(f"module 'rocsteady' has no attribute {name!r}")
    value: object = getattr(_import_module(f"rocsteady.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
