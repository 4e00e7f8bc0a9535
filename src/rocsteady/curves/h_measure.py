"""The H-measure: what is lost at costs that are not known, but of which something is said.

References
----------
Hand (2009), Machine Learning 77, 103-123. Hand & Anagnostopoulos (2014), Pattern Recognition Letters 40,
41-46 (the Beta distribution that the class sizes give).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsteady.arrays import Floats
from rocsteady.curves.from_scores import roc_curve
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import Option, fail
from rocsteady.options import one_number, open_share, real_numbers
from rocsteady.results import Result
from rocsteady.showing import Told


@dataclass(frozen=True, eq=False, repr=False)
class HMeasure(Told, Result, sentence="curves.h_measure"):
    """The share of the avoidable loss that the scores avoid, averaged over costs.

    Attributes
    ----------
    value : float
        ``1 - loss / worst_loss``: 1 for separated classes, 0 for scores that never help.
    loss, worst_loss : float
        Mean of the least loss per case over the costs; with the best thresholds, and without scores.
    prior : (float, float)
        Parameters of the Beta distribution of the cost share c of a false positive (c for a false positive,
        1 - c for a false negative). The default is not that of the packages hmeasure; see :func:`h_measure`.
    prevalence : float
        The share of positives that the losses are for.
    """

    value: float
    loss: float
    worst_loss: float
    prior: tuple[float, float]
    prevalence: float

    def __repr__(self) -> str:
        alpha, beta = self.prior
        costs = f"costs Beta({alpha:.4g}, {beta:.4g})"
        return f"HMeasure({self.value:.4f}, {costs}, prevalence {self.prevalence:.4g})"


def h_measure(
    labels: object,
    scores: object = None,
    *,
    severity_ratio: float | None = None,
    prior: Sequence[float] | None = None,
    prevalence: float | None = None,
    positive: object = None,
    sample_weight: object = None,
    higher_is_positive: bool = True,
) -> HMeasure:
    """The H-measure of one set of scores.

    The AUC averages over costs whose distribution depends on the scores, so two classifiers are averaged over
    different costs. The H-measure takes the same distribution for all: name it, or it follows from the
    prevalence. Compare classifiers with the same ``prior`` and ``prevalence`` only.

    The default differs from that of the packages hmeasure for R and for Python. Ours is ``Beta(1 +
    prevalence, 2 - prevalence)``, which Hand & Anagnostopoulos (2014) propose. Theirs is ``Beta(2, 1 +
    n_negatives / n_positives)``: the same most likely cost, held with more certainty. To get their number,
    pass ``severity_ratio=n_positives / n_negatives``; for ours, pass them any negative severity ratio.

    Parameters
    ----------
    labels, scores, positive, sample_weight, higher_is_positive
        As in :func:`rocsteady.roc_curve`; or a :class:`RocCurve` alone.
    severity_ratio : float, optional
        The most likely cost of a false positive over that of a false negative. The distribution is then
        ``Beta(2, 1 + 1 / severity_ratio)``, as in the packages hmeasure.
    prior : (alpha, beta), optional
        The parameters of the Beta distribution themselves. Without either, ``Beta(1 + prevalence, 2 -
        prevalence)`` (Hand & Anagnostopoulos 2014): the rarer class is most likely the dearer to miss.
    prevalence : float, optional
        The share of positives where the scores will be used; that of the cases by default.

    Returns
    -------
    HMeasure

    Raises
    ------
    UsageError
        RS002 for both a ratio and a prior, RS042 for numbers that cannot be one.

    Examples
    --------
    >>> import rocsteady as rs
    >>> sick = [1, 1, 1, 1, 0, 0, 0, 0, 0]
    >>> rs.h_measure(sick, [9, 8, 7, 3, 6, 4, 2, 1, 0])
    HMeasure(0.7007, costs Beta(1.444, 1.556), prevalence 0.4444)
    >>> rs.h_measure(sick, [9, 8, 7, 3, 6, 4, 2, 1, 0], severity_ratio=0.1)
    HMeasure(0.6110, costs Beta(2, 11), prevalence 0.4444)

    What the packages hmeasure give by default, for four positives and five negatives:

    >>> rs.h_measure(sick, [9, 8, 7, 3, 6, 4, 2, 1, 0], severity_ratio=4 / 5)
    HMeasure(0.7016, costs Beta(2, 2.25), prevalence 0.4444)
    """
    if isinstance(labels, RocCurve) and scores is None:
        curve = labels
    else:
        curve = roc_curve(
            labels,
            scores,
            positive=positive,
            sample_weight=sample_weight,
            higher_is_positive=higher_is_positive,
        )
    own = curve.n_positives / (curve.n_positives + curve.n_negatives)
    share = float(own) if prevalence is None else open_share("prevalence", prevalence)
    alpha, beta = _prior(severity_ratio, prior, share)
    hull = curve.hull()
    loss = _mean_loss(hull.fpr, hull.fnr, alpha, beta, share)
    worst = _mean_loss(np.array([0.0, 1.0]), np.array([1.0, 0.0]), alpha, beta, share)
    return HMeasure(1 - loss / worst, loss, worst, (alpha, beta), share)


def _prior(severity_ratio: float | None, prior: Any, prevalence: float) -> tuple[float, float]:
    if severity_ratio is not None and prior is not None:
        raise fail("RS002.severity-and-prior", severity_ratio=severity_ratio, prior=prior)
    if severity_ratio is not None:
        ratio = one_number("severity_ratio", severity_ratio, example=0.1)
        if not (0 < ratio < np.inf):
            raise fail(
                "RS042",
                name="severity_ratio",
                where="above 0 and finite",
                found=severity_ratio,
                ways=[Option("severity_ratio", 0.1)],
            )
        return 2.0, 1 + 1 / ratio
    if prior is None:
        return 1 + prevalence, 2 - prevalence
    numbers = real_numbers("prior", prior, example=(2.0, 2.0))
    if numbers.shape != (2,) or not ((numbers > 0) & np.isfinite(numbers)).all():
        raise fail(
            "RS042",
            name="prior",
            where="a pair of numbers above 0",
            found=prior,
            ways=[Option("prior", (2.0, 2.0))],
        )
    return float(numbers[0]), float(numbers[1])


def _mean_loss(fpr: Floats, fnr: Floats, alpha: float, beta: float, prevalence: float) -> float:
    """The least loss of the vertices of a hull, averaged over the cost shares c of a false positive.

    A false positive costs c and a false negative 1 - c. Vertex k is the best from where the edge after it
    costs nothing to where the edge before it does.
    """
    from scipy.special import betainc

    gained, paid = prevalence * -np.diff(fnr), (1 - prevalence) * np.diff(fpr)
    edges = np.concatenate([[1.0], gained / (gained + paid), [0.0]])
    # Shares of the integrals of c and of 1 - c up to every edge, under the density.
    of_alarms = alpha / (alpha + beta) * -np.diff(betainc(alpha + 1, beta, edges))
    of_misses = beta / (alpha + beta) * -np.diff(betainc(alpha, beta + 1, edges))
    return float(np.sum((1 - prevalence) * fpr * of_alarms + prevalence * fnr * of_misses))
