"""Exact areas under a path of counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import DataError, counted

Counts = NDArray[Any]


def doubled_area(along: Counts, across: Counts) -> int | float:
    """Twice the area under a path: ``sum(diff(along) * (across[1:] + across[:-1]))``.

    Integer counts give a Python integer, exactly; weights give a compensated sum.
    """
    if along.dtype.kind == "f":
        return compensated_sum(np.diff(along) * (across[1:] + across[:-1]))
    tallest = 2 * int(np.max(across, initial=0))
    if max(tallest, tallest * int(along[-1])) >= 2**63:
        along, across = along.astype(object), across.astype(object)  # Python integers
    return int(np.diff(along) @ (across[1:] + across[:-1]))


def unit_scaled(counts: Counts, exponents: Any = None) -> Counts:
    """Sums of weights times a power of two that brings the largest below 1; integers as they are.

    Only ratios of weights matter, but products of them leave the range of floats at 1e154 and at 1e-154. A
    power of two changes no digit. With ``exponents`` the powers are given, one for each row.
    """
    if counts.dtype.kind != "f":
        return counts
    if exponents is None:
        exponents = np.frexp(np.max(counts, initial=0.0))[1]
    return np.asarray(np.ldexp(counts, -exponents))


def share_won(true_positives: Counts, false_positives: Counts) -> float:
    """The AUC of a path of counts: pairs won over all pairs, by one division."""
    true_positives, false_positives = unit_scaled(true_positives), unit_scaled(false_positives)
    wins = doubled_area(false_positives, true_positives)
    if isinstance(wins, int):
        return wins / (2 * int(true_positives[-1]) * int(false_positives[-1]))
    # Weights: wins and losses are both sums of non-negative terms, so 0, 1/2 and 1 come out exactly.
    losses = doubled_area(true_positives, false_positives)
    return wins / (wins + losses)


def compensated_sum(values: NDArray[np.float64]) -> float:
    """A sum by pairs that also adds up what each addition rounded away."""
    lost = 0.0
    while values.size > 1:
        if values.size % 2:
            values = np.append(values, 0.0)
        a, b = values[::2], values[1::2]
        total = a + b
        b_part = total - a
        lost += float(np.sum((a - (total - b_part)) + (b - b_part)))
        values = total
    return float(values[0]) + lost if values.size else 0.0


def exact_integers(counts: Counts) -> Counts:
    """Counts as integers that can be multiplied without rounding; weights are scaled by a power of two."""
    if counts.dtype.kind != "f":
        return counts
    ratios = [value.as_integer_ratio() for value in counts.tolist()]
    scale = max(denominator for _, denominator in ratios)  # all are powers of two
    return np.array([numerator * (scale // denominator) for numerator, denominator in ratios], dtype=object)


def require_both_classes(n_positives: float, n_negatives: float, name: str | None = None) -> None:
    """Refuse what has no curve."""
    if n_positives > 0 and n_negatives > 0:
        return
    missing = (
        "positives" if n_negatives > 0 else "negatives" if n_positives > 0 else "positives and no negatives"
    )
    raise DataError(
        "RS024",
        f"{name or 'the scores'}: no {missing}, so there is no ROC curve.",
        f"found: {_amount(n_positives, 'positive')}, {_amount(n_negatives, 'negative')}",
        "give scores of both classes; check that the positive label is the one you mean",
    )


def _amount(n: float, noun: str) -> str:
    """Cases of a class, or the sum of their weights."""
    return counted(int(n), noun) if float(n).is_integer() else f"{noun}s of weight {n:g}"
