"""The two learners of the smROC paper's experiments, as scikit-learn classifiers."""

from rocsteady.reproductions.learners.naive_bayes import NaiveBayes
from rocsteady.reproductions.learners.probability_tree import ProbabilityTree

__all__ = ["NaiveBayes", "ProbabilityTree"]
