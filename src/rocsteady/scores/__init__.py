"""What the classifiers said, validated once: scores of one group, of many, of many classes.

Names that the fast path (labels and scores to one AUC) does not need are imported when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rocsteady.scores.columns import Cases, Columns, Dropped
from rocsteady.scores.labels import Classes
from rocsteady.scores.scores import Scores

if TYPE_CHECKING:
    from rocsteady.scores.files import read_scores
    from rocsteady.scores.multiclass import MulticlassScores
    from rocsteady.scores.score_set import ScoreSet, cross_validated_scores
    from rocsteady.scores.sklearn import stratified_folds

__all__ = [
    "Cases",
    "Classes",
    "Columns",
    "Dropped",
    "MulticlassScores",
    "ScoreSet",
    "Scores",
    "cross_validated_scores",
    "read_scores",
    "stratified_folds",
]

_LATER = {
    "MulticlassScores": "multiclass",
    "ScoreSet": "score_set",
    "cross_validated_scores": "score_set",
    "read_scores": "files",
    "stratified_folds": "sklearn",
}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
