# Every public name and where it lives, for type checkers; __init__.py reads it, too.

from rocsteady import figures as plot  # noqa: F401
from rocsteady import simulate as simulate
from rocsteady.advice.advise import advise as advise
from rocsteady.advice.deployment import Deployment as Deployment
from rocsteady.averaging.average import average as average
from rocsteady.averaging.binormal import fit_binormal as fit_binormal
from rocsteady.averaging.methods import AtAlarmRate as AtAlarmRate
from rocsteady.averaging.methods import AtAngle as AtAngle
from rocsteady.averaging.methods import AtCosts as AtCosts
from rocsteady.averaging.methods import Horizontal as Horizontal
from rocsteady.averaging.methods import Pooled as Pooled
from rocsteady.averaging.methods import Vertical as Vertical
from rocsteady.counting.count import count_scores as count_scores
from rocsteady.counting.counted import open_counts as open_counts
from rocsteady.curves.curve_set import roc_curves as roc_curves
from rocsteady.curves.densities import score_densities as score_densities
from rocsteady.curves.from_scores import auc as auc
from rocsteady.curves.from_scores import auc_interval as auc_interval
from rocsteady.curves.from_scores import roc_curve as roc_curve
from rocsteady.curves.raters import rater_agreement as rater_agreement
from rocsteady.curves.roc import RocCurve as RocCurve
from rocsteady.curves.smroc import scored_auc as scored_auc
from rocsteady.curves.smroc import smroc_curve as smroc_curve
from rocsteady.curves.statistics import PartialAuc as PartialAuc
from rocsteady.errors import RocsteadyError as RocsteadyError
from rocsteady.errors import RocsteadyWarning as RocsteadyWarning
from rocsteady.figures.scikit_learn import RocAverageDisplay as RocAverageDisplay
from rocsteady.inference.bootstrap import bootstrap as bootstrap
from rocsteady.inference.comparability import comparability as comparability
from rocsteady.inference.comparability import cross_auc as cross_auc
from rocsteady.inference.compare import compare as compare
from rocsteady.inference.smauc import compare_smauc as compare_smauc
from rocsteady.inference.smauc import summarize_smauc as summarize_smauc
from rocsteady.inference.summarize import summarize_auc as summarize_auc
from rocsteady.inference.tests_on_cases import bootstrap_test as bootstrap_test
from rocsteady.inference.tests_on_cases import compare_auc as compare_auc
from rocsteady.inference.tests_on_cases import venkatraman_test as venkatraman_test
from rocsteady.inference.winner_map import winner_map as winner_map
from rocsteady.planning.plan import plan as plan
from rocsteady.points.criteria import Maximum as Maximum
from rocsteady.points.criteria import MinimumCost as MinimumCost
from rocsteady.points.criteria import TargetRate as TargetRate
from rocsteady.points.cutoffs import choose_cutoff as choose_cutoff
from rocsteady.points.in_use import open_operating_point as open_operating_point
from rocsteady.points.in_use import operating_point as operating_point
from rocsteady.points.measures import Cost as Cost
from rocsteady.points.multiclass import (
    average_multiclass_points as average_multiclass_points,
)
from rocsteady.points.multiclass import decide as decide
from rocsteady.points.multiclass import search_class_weights as search_class_weights
from rocsteady.points.multiclass import spread_class_weights as spread_class_weights
from rocsteady.points.realised import realise as realise
from rocsteady.points.tables import average_operating_points as average_operating_points
from rocsteady.readers.compare import compare_readers as compare_readers
from rocsteady.readers.compare import summarize_readers as summarize_readers
from rocsteady.readers.margins import equivalent as equivalent
from rocsteady.readers.margins import non_inferior as non_inferior
from rocsteady.scores.design import Design as Design
from rocsteady.scores.files import read_scores as read_scores
from rocsteady.scores.multiclass import MulticlassScores as MulticlassScores
from rocsteady.scores.score_set import ScoreSet as ScoreSet
from rocsteady.scores.score_set import cross_validated_scores as cross_validated_scores
from rocsteady.scores.scores import Scores as Scores
from rocsteady.show.citing import cite as cite
from rocsteady.show.report import write_report as write_report
from rocsteady.show.tables import table as table
from rocsteady.statistics.paired_t import paired_t as paired_t
from rocsteady.study import Study as Study

__version__: str
