"""Confidence intervals of a TPR at an FPR and of an FPR at a TPR: rate and threshold are both uncertain.

The threshold that gives the wanted rate is itself estimated, from the cases of the other class. An interval
for a proportion alone would leave that out and be too narrow.

References
----------
Linnet (1987), Statistics in Medicine 6: both sources of error. Schaefer (1994), Statistics in Medicine 13:
exact limits of both. Zou & Donner (2008), Statistics in Medicine 27, 1693-1702: combining limits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.caller import caller_level
from rocsteady.counting.arguments import one_of, open_share, rates, resamples_asked, whole_number
from rocsteady.curves.cases import cases_of_curve, require_cases
from rocsteady.curves.reading import scalar_or_array
from rocsteady.errors import Option, Remedy, warn
from rocsteady.uncertainty.intervals import Interval, normal_quantile
from rocsteady.uncertainty.resampling import Readings, resampled_cases

if TYPE_CHECKING:
    from rocsteady.curves.roc import RocCurve

Floats = NDArray[np.float64]

METHODS = ("score", "exact", "bootstrap")
_ELSEWHERE = {"wilson": "score", "mover": "score", "clopper-pearson": "exact", "percentile": "bootstrap"}
FEWEST_CASES = (10, 5)
"""Cases on either side of a threshold, of the class that sets it and of the other, below which percentiles of
resamples do not keep their level."""


class Held(NamedTuple):
    """A rate that is held at some values, and the one that is read there.

    Attributes
    ----------
    at, value : float64 arrays
        The held rates, and the curve's own readings there.
    n_held, n_read : float
        How many cases either is a share of.
    read : callable
        The reading that leaves whole numbers of cases of the held class beyond the threshold.
    """

    at: Floats
    value: Floats
    n_held: float
    n_read: float
    read: Callable[[Floats], Floats]


def tpr_interval(
    curve: RocCurve, fpr: ArrayLike, method: str, level: float, drawn: dict[str, int]
) -> Interval:
    """Limits of the TPR at FPRs."""
    at = rates("fpr", fpr)
    held = held_fpr(curve, at.ravel())
    return _interval(curve, held, Readings(tpr_at=at.ravel()), ("FPR", fpr), method, level, drawn)


def fpr_interval(
    curve: RocCurve, tpr: ArrayLike, method: str, level: float, drawn: dict[str, int]
) -> Interval:
    """Limits of the FPR at TPRs."""
    at = rates("tpr", tpr)
    held = _held_tpr(curve, at.ravel())
    found = _interval(curve, held, Readings(fpr_at=at.ravel()), ("TPR", tpr), method, level, drawn)
    return found if method == "bootstrap" else _mirrored(found)


def held_fpr(curve: RocCurve, at: Floats) -> Held:
    """FPRs at which the TPR is read."""
    n_positives, n_negatives = sizes(curve)

    def read(beyond: Floats) -> Floats:
        return np.asarray(curve.tpr_at(beyond / n_negatives))

    return Held(at, np.asarray(curve.tpr_at(at)), n_negatives, n_positives, read)


def _held_tpr(curve: RocCurve, at: Floats) -> Held:
    """TPRs at which the FPR is read, seen from the other end: that of the negatives is a curve, too.

    The share of positives missed is held, and the share of negatives spared is read.
    """
    n_positives, n_negatives = sizes(curve)

    def read(missed: Floats) -> Floats:
        return 1 - np.asarray(curve.fpr_at((n_positives - missed) / n_positives))

    return Held(1 - at, 1 - np.asarray(curve.fpr_at(at)), n_positives, n_negatives, read)


def sizes(curve: RocCurve) -> tuple[float, float]:
    """Cases of either class; of weighted rows, how many equal ones would be as good (Kish)."""
    if not curve.is_weighted or curve._rows is None or curve._rows.sample_weight is None:
        return curve.n_positives, curve.n_negatives
    own, weights = curve._rows.is_positive, curve._rows.sample_weight
    found = [weights[part].sum() ** 2 / (weights[part] ** 2).sum() for part in (own, ~own)]
    return float(found[0]), float(found[1])


def _mirrored(interval: Interval) -> Interval:
    return Interval(1 - interval.high, 1 - interval.low, interval.confidence_level, interval.method)


def _interval(
    curve: RocCurve,
    held: Held,
    readings: Readings,
    asked: tuple[str, Any],
    method: str,
    level: float,
    drawn: dict[str, int],
) -> Interval:
    one_of("method", method, METHODS, elsewhere=_ELSEWHERE)
    level = open_share("confidence_level", level)
    if method == "bootstrap":
        resampled = drawn_readings(curve, readings, **drawn)
        tails = [(1 - level) / 2, (1 + level) / 2]
        low, high = np.quantile(resampled, tails, axis=0)
    else:
        of = "tpr" if asked[0] == "FPR" else "fpr"
        require_cases(curve, method, f"curve.{of}_interval(..., method='bootstrap')")
        limits = score_limits if method == "score" else _exact_limits
        low, high = limits(held, normal_quantile(level) if method == "score" else 1 - level)
    if method == "bootstrap":
        warn_of_few(held, asked[0], Option("method", "score"))
    like = asked[1]
    shape = np.shape(like)
    return Interval(
        scalar_or_array(low.reshape(shape), like), scalar_or_array(high.reshape(shape), like), level, method
    )


def drawn_readings(curve: RocCurve, readings: Readings, *, n_resamples: int, seed: int) -> Floats:
    """Readings of resampled cases, ``(n_resamples, readings)``; checks the numbers."""
    n_resamples = resamples_asked(n_resamples)
    seed = whole_number("seed", seed, least=0, example=0)
    return resampled_cases(cases_of_curve(curve), readings, n_resamples=n_resamples, seed=seed)


def wilson_limits(share: Floats, n: float, z: float) -> tuple[Floats, Floats]:
    """Wilson's score limits of a proportion.

    >>> import numpy as np
    >>> low, high = wilson_limits(np.array(0.9), 20, 1.959964)
    >>> round(float(low), 4), round(float(high), 4)
    (0.699, 0.9721)
    """
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    return np.clip(middle - half, 0, 1), np.clip(middle + half, 0, 1)


def score_limits(held: Held, z: float) -> tuple[Floats, Floats]:
    """Score limits of the rate at a known threshold, widened by how far the threshold may be off.

    Two distances from the estimate, to the limit of the rate and to the reading at the limit of the held
    rate, are combined like standard errors (Zou & Donner 2008).
    """
    value = _expected(held, held.at)
    own = wilson_limits(value, held.n_read, z)
    moved = [_expected(held, limit) for limit in wilson_limits(held.at, held.n_held, z)]
    below = np.hypot(value - own[0], value - moved[0])
    above = np.hypot(own[1] - value, moved[1] - value)
    low, high = np.maximum(value - below, 0.0), np.minimum(value + above, 1.0)
    return np.minimum(low, held.value), np.maximum(high, held.value)


def _expected(held: Held, at: Floats) -> Floats:
    """The reading where the held rate is expected to be ``at``, between whole numbers of cases.

    A threshold at the k-th of n cases leaves a share of k / (n + 1) beyond it on average, so the best reading
    that a sample affords at k / n, just before the next case, is that of a rate nearer to (k + 1) / (n + 1).
    Left uncorrected, limits at k = 3 cover 83 % instead of 95 %.
    """
    beyond = (held.n_held + 1) * at - 1
    least = np.floor(np.round(beyond, 9))
    share = beyond - least
    ends = [
        np.where(k < 0, 0.0, np.where(k > held.n_held, 1.0, held.read(np.clip(k, 0, held.n_held))))
        for k in (least, least + 1)
    ]
    return np.asarray(ends[0] + share * (ends[1] - ends[0]))


def _exact_limits(held: Held, alpha: float) -> tuple[Floats, Floats]:
    """Clopper-Pearson limits at the strictest and the loosest threshold that order statistics leave; wide.

    The cases of the held class beyond the true threshold are binomial. Half of alpha is spent on them, half
    on the rate.
    """
    from scipy.special import bdtr, bdtrik

    ends = []
    for share in (alpha / 4, 1 - alpha / 4):
        n = held.n_held
        beyond = np.ceil(bdtrik(share, n, held.at))
        fewer = np.maximum(beyond - 1, 0)
        beyond = np.where(bdtr(fewer, n, held.at) >= share, fewer, beyond)
        ends.append(np.where(held.at == 0, 0, np.where(held.at == 1, n, np.nan_to_num(beyond))))
    least, most = ends
    strict, loose = held.read(np.maximum(least - 1, 0)), held.read(np.minimum(most, held.n_held))
    low = clopper_pearson(strict, held.n_read, alpha / 2)[0]
    high = clopper_pearson(loose, held.n_read, alpha / 2)[1]
    return np.where(least > 0, low, 0.0), np.where(most >= held.n_held, 1.0, high)


def clopper_pearson(share: Floats, n: float, alpha: float) -> tuple[Floats, Floats]:
    """Clopper & Pearson's exact limits of a proportion.

    >>> import numpy as np
    >>> low, high = clopper_pearson(np.array(0.9), 20, 0.05)
    >>> round(float(low), 4), round(float(high), 4)
    (0.683, 0.9877)
    """
    from scipy.special import betaincinv

    k = share * n
    none, every = share <= 0, share >= 1
    low = betaincinv(np.where(none, 1, k), n - np.where(none, 1, k) + 1, alpha / 2)
    high = betaincinv(np.where(every, 1, k) + 1, np.where(every, 1, n - k), 1 - alpha / 2)
    return np.where(none, 0.0, low), np.where(every, 1.0, high)


def few_cases(held: Held, fewest: tuple[int, int] = FEWEST_CASES) -> NDArray[np.bool_]:
    """Where too few cases stand on one side of the threshold for resamples."""
    is_few = _rarer(held.at, held.n_held) < fewest[0]
    return np.asarray(is_few | (_rarer(held.value, held.n_read) < fewest[1]))


def _rarer(share: Floats, n: float) -> Floats:
    """Cases on the side where fewer are, whole numbers freed of rounding."""
    return np.round(n * np.minimum(share, 1 - share), 9)


def warn_of_few(held: Held, name: str, *remedies: Remedy, fewest: tuple[int, int] = FEWEST_CASES) -> None:
    """RS295 where too few cases stand on one side of the threshold."""
    is_few = few_cases(held, fewest)
    if not is_few.any():
        return
    first = int(np.argmax(is_few))
    at = held.at[first] if name == "FPR" else 1 - held.at[first]
    setting, others = _rarer(held.at, held.n_held)[first], _rarer(held.value, held.n_read)[first]
    warn(
        "RS295",
        "too few cases on one side of the threshold for resamples to keep their confidence level.",
        f"found: at {name} {at:g} {setting:.3g} of the cases that set the threshold, {others:.3g} of "
        f"the others; {fewest[0]} and {fewest[1]} are needed",
        *remedies,
        stacklevel=caller_level(),
    )
