"""Rows as smROC needs them: scores in [0, 1] that speak for the positive class, counted by distinct score."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.arguments import one_of
from rocsteady.counting.results import read_only
from rocsteady.counting.table import CountTable, count_table
from rocsteady.curves.area import require_both_classes, share_won
from rocsteady.curves.smroc.digits import telling
from rocsteady.errors import DataError, Option, Remedy
from rocsteady.scores.columns import require_single_cases
from rocsteady.scores.scores import Scores

Floats = NDArray[np.float64]
Counts = NDArray[Any]

RESCALINGS = ("min-max",)
_LEAST_WEIGHT = 1e-290
"""Of a class: products of less with a score would lose digits."""


@dataclass(frozen=True, eq=False)
class SmrocRows:
    """Scores in [0, 1] of one set of cases, and how many of each class have each distinct one.

    Attributes
    ----------
    scores : float64 array
        Of each case, in input order: what the score says for the positive class, from 0 to 1.
    is_positive : bool array
        Of each case.
    weights : float64 array or None
        Of each case.
    thresholds : float64 array
        The distinct scores in the caller's units, strictest first, without the infinite one.
    levels : float64 array
        The same as numbers in [0, 1], falling.
    positives, negatives : arrays
        Cases of each class with each distinct score, or their weight.
    higher_is_positive : bool
        Whether high scores, in the caller's units, speak for the positive class.
    """

    scores: Floats
    is_positive: NDArray[np.bool_]
    weights: Floats | None
    thresholds: Floats
    levels: Floats
    positives: Counts
    negatives: Counts
    higher_is_positive: bool
    weighted: Scores | None = None  # weights only: the bootstrap of the ordinary AUC draws rows

    @property
    def by_class(self) -> tuple[Counts, Counts]:
        """Positives and negatives with each distinct score."""
        return self.positives, self.negatives

    @cached_property
    def n_positives(self) -> Any:
        """Positive cases, or their weight."""
        return self.positives.sum().item()

    @cached_property
    def n_negatives(self) -> Any:
        """Negative cases, or their weight."""
        return self.negatives.sum().item()

    @property
    def n_by_class(self) -> tuple[Any, Any]:
        """Positive and negative cases, or their weight."""
        return self.n_positives, self.n_negatives

    @cached_property
    def paper_mid(self) -> float:
        """The paper's Mid: half the sum of all scores over the number of positives."""
        if self.weights is None:
            exact = _exact_sum(self.scores) / (2 * self.n_positives)
        else:
            total = _exact_sum(_exact_products(self.weights, self.scores))
            exact = total / (2 * _exact_sum(self.weights[self.is_positive]))
        try:
            mid = float(exact)
        except OverflowError:  # next to no weight of positives
            return math.inf
        # A score at Mid is high, so one below it must not come to lie at it by rounding.
        return math.nextafter(mid, math.inf) if mid < exact and (self.levels == mid).any() else mid

    @cached_property
    def roc_auc(self) -> float:
        """The ordinary AUC of the same rows."""
        positives, negatives = map(_summed, self.by_class)
        return share_won(positives, negatives)


def _summed(counts: Counts) -> Counts:
    return np.concatenate([[0], np.cumsum(counts)]).astype(counts.dtype, copy=False)


def _exact_sum(values: Floats) -> Fraction:
    """The sum, to twice the digits of a float: rounded, and what that left over."""
    terms = values.tolist()
    total = math.fsum(terms)
    return Fraction(total) + Fraction(math.fsum([*terms, -total]))


def _exact_products(a: Floats, b: Floats) -> Floats:
    """Products, and what each of them rounded away (Dekker), so that weights count as repetitions do."""
    product = a * b
    parts = []
    for x in (a, b):
        mantissa, exponent = np.frexp(x)
        high = np.ldexp(np.round(mantissa * 2.0**26) * 2.0**-26, exponent)
        parts.append((high, x - high))
    (a_high, a_low), (b_high, b_low) = parts
    lost = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    return np.concatenate([product, lost])


def smroc_rows(given: Scores, rescale: str | None, name: str | None) -> SmrocRows:
    """Check and count the rows.

    Raises
    ------
    DataError
        RS087 if a score lies outside [0, 1] and no rescaling is asked for; RS088 if the scores cannot be
        rescaled; RS024 if a class is missing, RS037 if it weighs next to nothing.
    """
    if rescale is not None:
        one_of("rescale", rescale, RESCALINGS)
    require_single_cases(given.columns, "smROC curves use the scores of")
    table = count_table(given)
    n_by_class = table.true_positives[-1], table.false_positives[-1]
    require_both_classes(*n_by_class, name)
    _require_weight(min(n_by_class), name)
    columns = given.columns
    low, high = _range(table, rescale, name)
    return SmrocRows(
        scores=read_only(_levels(columns.scores, low, high, columns.higher_is_positive)),
        is_positive=read_only(columns.labels == columns.positive),
        weights=columns.weights,
        thresholds=table.thresholds[1:],
        levels=read_only(_levels(table.thresholds[1:], low, high, columns.higher_is_positive)),
        positives=read_only(np.diff(table.true_positives)),
        negatives=read_only(np.diff(table.false_positives)),
        higher_is_positive=columns.higher_is_positive,
        weighted=None if columns.weights is None else given,
    )


def _require_weight(lightest: Any, name: str | None) -> None:
    if lightest < _LEAST_WEIGHT:
        raise DataError(
            "RS037",
            f"{'' if name is None else f'{name}: '}a class weighs too little to be multiplied by scores.",
            f"found: {lightest:g} in all",
            "only ratios of weights matter: multiply all of them by the same number",
        )


def _range(table: CountTable, rescale: str | None, name: str | None) -> tuple[float, float]:
    """The scores that become 0 and 1."""
    observed = table.thresholds[1:]
    low, high = sorted((float(observed[0]), float(observed[-1])))
    if rescale is None:
        if low < 0 or high > 1:
            raise _outside(low, high, name)
        return 0.0, 1.0
    if low == high or not (math.isfinite(low) and math.isfinite(high)):
        raise DataError(
            "RS088",
            f"{name or 'the scores'}: cannot be stretched to [0, 1].",
            f"found: all scores are {low:g}" if low == high else f"found: scores from {low:g} to {high:g}",
            "give scores that differ and are finite",
        )
    return low, high


def _outside(low: float, high: float, name: str | None) -> DataError:
    ways: list[Remedy] = ["give probabilities of the positive class, for example  predict_proba(X)[:, 1]"]
    if math.isfinite(low) and math.isfinite(high) and low < high:
        stretch = Option("rescale", "min-max")
        ways.append(["stretch them, which makes their magnitudes depend on the two extremes:  ", stretch])
    return DataError(
        "RS087",
        f"{'' if name is None else f'{name}: '}scores must lie between 0 and 1.",
        f"found: scores from {telling(low, 0, 1)} to {telling(high, 0, 1)}",
        *ways,
    )


def _levels(scores: NDArray[Any], low: float, high: float, higher_is_positive: bool) -> Floats:
    """Scores as numbers in [0, 1] that speak for the positive class; a new array."""
    levels = stretched(scores.astype(np.float64), low, high)
    return levels if higher_is_positive else 1.0 - levels


def stretched(scores: Floats, low: float, high: float) -> Floats:
    """Finite scores on a scale from 0 to 1, of which ``low`` and ``high`` are the ends."""
    if (low, high) == (0.0, 1.0):
        return scores  # to the last digit
    if not math.isfinite(high - low):
        scores, low, high = scores / 2, low / 2, high / 2
    return np.clip((scores - low) / (high - low), 0.0, 1.0)
