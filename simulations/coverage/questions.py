"""All questions, in the order in which they are computed."""

from __future__ import annotations

from simulations.coverage import (
    averages,
    chosen_cutoffs,
    classes,
    clusters,
    datasets,
    folds,
    hospitals,
    learners,
    one_auc,
    one_curve,
    pairs,
    plans,
    reader_measures,
    readers,
    smauc,
    two_curves,
)

MODULES = (
    one_auc,
    one_curve,
    averages,
    hospitals,
    datasets,
    clusters,
    folds,
    learners,
    classes,
    chosen_cutoffs,
    plans,
    pairs,
    two_curves,
    smauc,
    readers,
    reader_measures,
)
BY_NAME = {question.name: question for module in MODULES for question in module.QUESTIONS}
