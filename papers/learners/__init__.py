"""The two learners of the smROC paper's experiments, as scikit-learn classifiers."""

from papers.learners.naive_bayes import NaiveBayes
from papers.learners.probability_tree import ProbabilityTree

__all__ = ["NaiveBayes", "ProbabilityTree"]
