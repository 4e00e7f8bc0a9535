"""What the classifiers said, validated once: scores of one group, of many, of many classes."""

from rocsteady.scores.columns import Columns
from rocsteady.scores.labels import Classes
from rocsteady.scores.score_set import Cases, Dropped, ScoreSet
from rocsteady.scores.scores import Scores

__all__ = ["Cases", "Classes", "Columns", "Dropped", "ScoreSet", "Scores"]
