"""Simulated scores whose truth is known: for examples, tests and simulations.

Everything random takes a seed and gives the same numbers on every run. :func:`binormal` and :func:`hosts`
give plain arrays and columns, :class:`ShiftedDatasets` gives a :class:`rocsteady.ScoreSet` and the curves of
its population, :func:`highleyman` gives the features of two classes, for a classifier to be trained on.
:class:`RoeMetz` draws reader studies, :func:`reader_study` the one of the documentation and
:func:`subscribers` its cross-validation.
"""

from __future__ import annotations

from rocsteady.simulate.datasets import (
    ShiftedDatasets,
    binormal,
    binormal_auc,
    binormal_auc_variance,
    draw_together,
    highleyman,
    highleyman_fpr,
    highleyman_rates,
    hosts,
    subscribers,
)
from rocsteady.simulate.readers import RoeMetz, reader_study

__all__ = [
    "RoeMetz",
    "ShiftedDatasets",
    "binormal",
    "binormal_auc",
    "binormal_auc_variance",
    "draw_together",
    "highleyman",
    "highleyman_fpr",
    "highleyman_rates",
    "hosts",
    "reader_study",
    "subscribers",
]
