"""The vertices that are best by a criterion, decided without rounding.

For integer counts losses are integers. Where they are not (weights, averages, costs with long decimals),
floats only find the vertices that come near the best; those few are compared as fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.readings import exact_integers
from rocsteady.errors import Option, fail, near_match
from rocsteady.operating_points.cutoffs.objectives import (
    Closest,
    Criterion,
    EqualErrors,
    MinimumCost,
    TargetRate,
    Youden,
)
from rocsteady.places import RATES, Place, place_of

__all__ = [
    "PLAIN",
    "Closest",
    "Criterion",
    "EqualErrors",
    "MinimumCost",
    "TargetRate",
    "Youden",
    "criterion_of",
    "optimal_vertices",
    "strictest_optima",
]

Numbers = NDArray[Any]  # counts: int64, float64 (weights, rates) or Python's exact numbers
Indices = NDArray[np.intp]
ExactRates = Callable[[Indices], tuple[Sequence[Fraction], Sequence[Fraction]]]

_MOST = 2**62
_ROUNDING = 1e-14
"""How far from the best the loss of an optimal vertex may seem to be, from rates by one division each."""
_SUMMED_ROUNDING = 1e-9
"""The same where rates are sums of very many shares."""
_PLACES = 12

PLAIN: dict[str, Criterion] = {c.name: c for c in (Youden(), Closest(), EqualErrors())}
"""The criteria that need no numbers, by name."""

_ELSEWHERE = {"j": "youden", "youden-index": "youden", "best": "youden", "closest.topleft": "closest"}
_ELSEWHERE |= {"topleft": "closest", "equal-error-rate": "eer", "equal_error_rate": "eer"}
_VALUES = {"cost": "MinimumCost(false_positive=1, false_negative=20)", "target": "TargetRate(fpr=0.05)"}
_VALUES |= {"fpr": "TargetRate(fpr=0.05)", "tpr": "TargetRate(tpr=0.9)", "minimum-cost": _VALUES["cost"]}


def criterion_of(criterion: object) -> Criterion:
    """The criterion that a name, a value or a rate to keep stands for, else RS001."""
    if isinstance(criterion, Criterion):
        return criterion
    if isinstance(criterion, Place | Mapping):
        place = place_of(criterion, among=RATES, task="choose a cut-off by")
        return TargetRate(**{place.kind: place.value})
    if isinstance(criterion, str) and criterion in PLAIN:
        return PLAIN[criterion]
    if isinstance(criterion, type) and issubclass(criterion, Criterion):
        name = criterion.__name__
        example = _VALUES.get(getattr(criterion, "name", ""), name + "()")
        raise fail("RS001.kind-of-criterion", name=name, example=example)
    known = f"{', '.join(map(repr, PLAIN))}, MinimumCost, TargetRate"
    remedies: list[Any] = [*(Option("criterion", name) for name in PLAIN), *dict.fromkeys(_VALUES.values())]
    if isinstance(criterion, str):
        folded = criterion.casefold()
        meant = _ELSEWHERE.get(folded) or near_match(folded, PLAIN)
        if folded in _VALUES:
            remedies = [_VALUES[folded]]
        elif meant:
            remedies = [Option("criterion", meant)]
    raise fail("RS001.choice", name="criterion", value=criterion, known=known, ways=remedies)


def optimal_vertices(
    criterion: object,
    true_positives: Numbers,
    false_positives: Numbers,
    *,
    exact_rates: ExactRates | None = None,
) -> Indices:
    """All best vertices of one curve, strictest first.

    Parameters
    ----------
    criterion : Criterion or str
        What is optimised.
    true_positives, false_positives : int64 or float64 arrays
        From the leading 0 to the totals: counts, sums of weights, or the rates of an average.
    exact_rates : callable, optional
        The exact TPR and FPR of some vertices, where the numbers given are rounded sums.

    Examples
    --------
    >>> import numpy as np
    >>> optimal_vertices("youden", np.array([0, 1, 1, 2, 2]), np.array([0, 0, 1, 1, 2])).tolist()
    [1, 3]
    """
    chosen = criterion_of(criterion)
    tp, fp = np.asarray(true_positives), np.asarray(false_positives)
    n_positives, n_negatives = tp[-1].item(), fp[-1].item()
    fpr, tpr = fp / n_negatives, tp / n_positives
    is_counted = tp.dtype.kind in "iu" and fp.dtype.kind in "iu"
    if is_counted and _largest_loss(chosen, n_positives, n_negatives) < _MOST:
        candidates = np.flatnonzero(chosen.permits(fpr, tpr))
        losses = chosen.losses(tp[candidates], fp[candidates], n_positives, n_negatives)
        best: Indices = candidates[losses == losses.min()]
        return _undominated(chosen, best, tp[best])
    margin = _ROUNDING if exact_rates is None else _SUMMED_ROUNDING
    rates = exact_rates or _by_counts(tp, fp)
    candidates = _permitted(chosen, fpr, tpr, rates, margin)
    losses = np.asarray(chosen.float_losses(tpr[candidates], fpr[candidates], n_positives, n_negatives))
    near: Indices = candidates[losses <= losses.min() + margin]
    if near.size == 1:
        return near
    share = _share(n_positives, n_negatives)
    of_tpr, of_fpr = (np.array(list(part), dtype=object) for part in rates(near))
    losses = chosen.at_prevalence(share).losses(of_tpr, of_fpr, Fraction(1), Fraction(1))
    is_best = losses == losses.min()
    return _undominated(chosen, near[is_best], of_tpr[is_best])


def _undominated(criterion: Criterion, best: Indices, tpr: Numbers) -> Indices:
    """Of vertices that reach a TPR at the same FPR those with the largest TPR; others are not better."""
    return best[tpr == tpr[-1]] if _reaches_a_tpr(criterion) else best


def _reaches_a_tpr(criterion: Criterion) -> bool:
    return isinstance(criterion, TargetRate) and criterion.tpr is not None


def _largest_loss(criterion: Criterion, n_positives: int, n_negatives: int) -> int:
    """No loss is larger: it is found in a corner of the square, and nothing on the way to it is either."""
    corners = [(tp, fp) for tp in (0, n_positives) for fp in (0, n_negatives)]
    return max(abs(int(criterion.losses(*corner, n_positives, n_negatives))) for corner in corners)


def _permitted(criterion: Criterion, fpr: Numbers, tpr: Numbers, rates: ExactRates, margin: float) -> Indices:
    """The vertices that may be chosen, each exact rate rounded once."""
    if not isinstance(criterion, TargetRate):
        return np.arange(fpr.size)
    permitted = np.asarray(criterion.permits(fpr, tpr))
    at, held = (criterion.fpr, fpr) if criterion.tpr is None else (criterion.tpr, tpr)
    unsure = np.flatnonzero(np.abs(held - at) <= margin)
    if unsure.size:
        of_tpr, of_fpr = rates(unsure)
        permitted[unsure] = [
            bool(criterion.permits(float(x), float(y))) for x, y in zip(of_fpr, of_tpr, strict=True)
        ]
    return np.flatnonzero(permitted)


def _share(n_positives: float, n_negatives: float) -> Fraction:
    return Fraction(n_positives) / (Fraction(n_positives) + Fraction(n_negatives))


def _by_counts(tp: Numbers, fp: Numbers) -> ExactRates:
    """Exact rates from counts, or from sums of weights taken as they are."""

    def rates(vertices: Indices) -> tuple[list[Fraction], list[Fraction]]:
        both = []
        for counts in (tp, fp):
            *some, total = exact_integers(counts[np.append(vertices, counts.size - 1)]).tolist()
            both.append([Fraction(int(count), int(total)) for count in some])
        return both[0], both[1]

    return rates


def strictest_optima(criterion: object, true_positives: Numbers, false_positives: Numbers) -> Indices:
    """The first best vertex of many curves at once, one curve per row.

    Integer counts are compared as integers where their losses fit 64 bits. Otherwise losses are rounded to 12
    places, so that sums in another order, on another machine, do not choose another vertex of a tie. Where
    one error is so dear that all of the other weigh less than one of it, the dear one decides alone, and the
    other only between vertices that have equally many of it.

    Examples
    --------
    >>> import numpy as np
    >>> tp, fp = np.array([[0, 1, 2, 2], [0, 0, 1, 2]]), np.array([[0, 0, 1, 2], [0, 1, 1, 2]])
    >>> strictest_optima("youden", tp, fp).tolist()
    [1, 0]
    """
    chosen = criterion_of(criterion)
    tp, fp = np.asarray(true_positives), np.asarray(false_positives)
    n_positives, n_negatives = tp[:, -1:], fp[:, -1:]
    is_counted = tp.dtype.kind in "iu" and fp.dtype.kind in "iu"
    if is_counted and _largest_loss(chosen, int(n_positives.max()), int(n_negatives.max())) < _MOST:
        losses = chosen.losses(tp, fp, n_positives, n_negatives)
        never: Any = np.iinfo(np.int64).max
    else:
        losses = _float_losses(chosen, tp, fp, is_counted)
        never = np.inf
    if isinstance(chosen, TargetRate):
        slack = 0.0 if never != np.inf else 2 * 10.0**-_PLACES
        permitted = chosen.permits(fp / n_negatives - slack, tp / n_positives + slack)
        losses = np.where(permitted, losses, never)
    if _reaches_a_tpr(chosen):
        rates = tp if is_counted else np.round(tp / n_positives, _PLACES)
        return np.asarray(np.where(losses == losses.min(axis=1, keepdims=True), rates, -1).argmax(axis=1))
    return np.asarray(losses.argmin(axis=1))


def _float_losses(criterion: Criterion, tp: Numbers, fp: Numbers, is_counted: bool) -> Numbers:
    """Rounded losses of many curves; of lopsided costs the cheap error, where the dear one is least."""
    n_positives, n_negatives = tp[:, -1:], fp[:, -1:]
    tpr, fpr = tp / n_positives, fp / n_negatives
    if isinstance(criterion, MinimumCost):
        share = _share(n_positives[0, 0].item(), n_negatives[0, 0].item())
        of_misses, of_alarms = criterion.expected(
            share if criterion._of_sample is None else criterion._of_sample
        )
        steps = (int(n_positives.max()), int(n_negatives.max())) if is_counted else (10**_PLACES,) * 2
        misses, alarms = np.round(1 - tpr, _PLACES), np.round(fpr, _PLACES)
        for dear, cheap, is_lopsided in (
            (misses, alarms, of_alarms * steps[0] < of_misses),
            (alarms, misses, of_misses * steps[1] < of_alarms),
        ):
            if is_lopsided:
                return np.where(dear == dear.min(axis=1, keepdims=True), cheap, np.inf)
    return np.asarray(np.round(criterion.float_losses(tpr, fpr, n_positives, n_negatives), _PLACES))
