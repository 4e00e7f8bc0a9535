"""All questions, in the order in which they are computed."""

from __future__ import annotations

from simulations.coverage import (
    averages,
    clusters,
    datasets,
    folds,
    one_auc,
    one_curve,
    pairs,
    reader_measures,
    readers,
    two_curves,
)

MODULES = (
    one_auc,
    one_curve,
    averages,
    datasets,
    clusters,
    folds,
    pairs,
    two_curves,
    readers,
    reader_measures,
)
BY_NAME = {question.name: question for module in MODULES for question in module.QUESTIONS}
