"""All questions, in the order in which they are computed."""

from __future__ import annotations

from simulations.coverage import averages, clusters, datasets, folds, one_auc, one_curve, pairs, two_curves

MODULES = (one_auc, one_curve, averages, datasets, clusters, folds, pairs, two_curves)
BY_NAME = {question.name: question for module in MODULES for question in module.QUESTIONS}
