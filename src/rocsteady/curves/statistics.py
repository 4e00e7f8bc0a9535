"""Statistics of a curve, as values that can be bootstrapped, compared and measured of readers: areas, rates.

Beside them the H-measure, and where a curve crosses another.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Any

import numpy as np

from rocsteady.arrays import Counts, Floats, Integers
from rocsteady.curves.readings import exact_integers, partial_area
from rocsteady.errors import Option, fail, warn
from rocsteady.options import one_number, one_of, open_share, rate_range, real_numbers, yes_or_no
from rocsteady.places import EXAMPLES, ON_CURVES, is_place, place_of, rest
from rocsteady.results import Result, TableResult
from rocsteady.showing import Told
from rocsteady.statistics.resampling import Readings
from rocsteady.words import plural

_AUC = ("auc", "roc_auc", "roc-auc", "auroc", "area")


class Statistic:
    """Something to read off a curve or an average."""

    hold: str = ""
    """What is held where it is read: "fpr", "tpr", "threshold", or nothing."""
    rate: str = ""
    """Which rate it is, if it is one."""
    at: Any = None

    @property
    def is_scalar(self) -> bool:
        """Whether one number is read."""
        return True

    @property
    def lower_is_better(self) -> bool:
        """Whether less of it is better."""
        return False

    @property
    def label(self) -> str:
        """What it is called in a sentence, for example ``"TPR at FPR 0.05"``."""
        raise TypeError(f"{type(self).__name__} has no words")

    @property
    def names(self) -> tuple[str, ...]:
        """What every number read is called, in the order of ``np.ravel(statistic.read(curve))``."""
        return (self.label,)

    def read(self, curve: Any) -> Any:
        """Its value on a curve or an average: a float, or an array where several were asked for."""
        raise TypeError(f"{type(self).__name__} is not read off curves")

    def readings(self, vertices: Integers | None = None) -> Readings:
        """What the resampling kernels read for it; ``vertices`` are where frozen thresholds are."""
        raise TypeError(f"{type(self).__name__} is not read off resamples")

    def resampled(self, values: Floats) -> Floats:
        """What the kernels read, ``(n_resamples, n)``, as this statistic gives it."""
        return values


@dataclass(frozen=True)
class Auc(Statistic):
    """The area under the curve; ``"auc"`` for short."""

    @property
    def label(self) -> str:
        """``"AUC"``."""
        return "AUC"

    def read(self, curve: Any) -> float:
        """The area."""
        return float(curve.auc)

    def readings(self, vertices: Integers | None = None) -> Readings:
        """The area."""
        return Readings(auc=True)


@dataclass(frozen=True)
class PartialAuc(Statistic):
    """The area under a range of FPR, or right of the curve in a range of TPR.

    Parameters
    ----------
    fpr, tpr : pair of floats
        The range, ``low < high``; give one of the two.
    standardized : bool
        McClish's rescaling: 1/2 for the diagonal, 1 for the perfect curve.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.7, 0.1])
    >>> round(rs.PartialAuc(fpr=(0, 0.1)).read(curve), 6), rs.PartialAuc(fpr=(0, 0.1)).label
    (0.07, 'partial AUC over FPR 0 to 0.1')
    >>> round(rs.PartialAuc(fpr=(0, 0.1), standardized=True).read(curve), 6)
    0.842105
    """

    fpr: Sequence[float] | None = None
    tpr: Sequence[float] | None = None
    standardized: bool = False

    def __post_init__(self) -> None:
        if (self.fpr is None) == (self.tpr is None):
            raise fail("RS002.partial-auc", fpr=self.fpr, tpr=self.tpr)
        name = "tpr" if self.fpr is None else "fpr"
        object.__setattr__(self, name, rate_range(name, getattr(self, name)))
        object.__setattr__(self, "standardized", yes_or_no("standardized", self.standardized))

    @property
    def range(self) -> tuple[float, float]:
        """The range, of whichever rate."""
        low, high = self.fpr or self.tpr or (0.0, 1.0)
        return low, high

    @property
    def label(self) -> str:
        """Which rate, from where to where."""
        low, high = self.range
        kind = "standardised partial AUC" if self.standardized else "partial AUC"
        return f"{kind} over {'TPR' if self.fpr is None else 'FPR'} {low:g} to {high:g}"

    def read(self, curve: Any) -> float:
        """The area; RS152 where a standardised one is below that of the diagonal.

        It is given all the same: hiding it would hide how bad the classifier is.
        """
        fpr, tpr, whole = curve.fpr, curve.tpr, 1
        if hasattr(curve, "partial_auc"):  # a curve of counts sums in integers
            fpr, tpr, whole = curve.false_positives, curve.true_positives, curve.n_negatives
        along, across = (fpr, tpr) if self.fpr is not None else (tpr, whole - fpr)
        low, high = self.range
        area = partial_area(along, across, low, high)
        found = float(self.resampled(area))
        if not np.isfinite(found):
            raise fail("RS042.narrow-range", low=low, high=high)
        if self.standardized and found < 0.5 - 1e-12:  # by more than rounding
            under = (high - low) * (high + low) / 2
            chance = under if self.tpr is None else high - low - under
            warn("RS152", area=area, chance=chance, standardized=found)
        return found

    def readings(self, vertices: Integers | None = None) -> Readings:
        """The raw area."""
        return Readings(partial_tpr=[self.range]) if self.fpr is None else Readings(partial_fpr=[self.range])

    def resampled(self, values: Any) -> Any:
        """Raw areas as this statistic gives them: standardised if it is, without a warning."""
        if not self.standardized:
            return values
        # Twice (best - chance) / (high - low); a difference would be rounded to 0 in a narrow range.
        low, high = self.range
        room = high + low if self.fpr is None else (1 - high) + (1 - low)
        return 1 - (1 - values / (high - low)) / room


_FREE = {
    "fpr": ("tpr", "sensitivity"),
    "tpr": ("fpr", "specificity"),
    "threshold": ("both", "tpr", "fpr", "sensitivity", "specificity"),
}
"""Which rates are free where one is held, the usual one first."""
_MEDICAL = dict.fromkeys(("specificity", "spec"), "sensitivity")
_MEDICAL |= dict.fromkeys(("sensitivity", "sens"), "specificity")
"""What is read where a place has a name of medicine."""
_MEDICAL_WORD = {"fpr": "specificity", "tpr": "sensitivity"}


@dataclass(frozen=True)
class RateAt(Statistic):
    """A rate, or both, where the other or a threshold is held; :func:`statistic_of` makes it from a place.

    Attributes
    ----------
    at : float or tuple of float
        How large what is held is: one number, or several that are read one by one.
    rate : {"tpr", "fpr", "sensitivity", "specificity", "both"}
        What is read: on a jump the best end. Of both, all FPRs come before all TPRs.
    hold : {"fpr", "tpr", "threshold"}
        What is held.
    """

    at: Any
    rate: str = "tpr"
    hold: str = "fpr"

    @property
    def is_scalar(self) -> bool:
        """Whether one rate is read."""
        return self.rate != "both" and not isinstance(self.at, tuple)

    @property
    def lower_is_better(self) -> bool:
        """Of false positive rates."""
        return self.rate == "fpr"

    @property
    def _place(self) -> tuple[str, list[float]]:
        """What is held as it is called in the words of the rate, and its values."""
        at = np.atleast_1d(self.at).tolist()
        if self.hold == "threshold":
            return self.hold, at
        if self.rate not in _MEDICAL.values():
            return self.hold.upper(), at
        return _MEDICAL_WORD[self.hold], [rest(own) for own in at] if self.hold == "fpr" else at

    @property
    def names(self) -> tuple[str, ...]:
        """One for each rate."""
        word, at = self._place
        read = ("FPR", "TPR") if self.rate == "both" else (_cased(self.rate),)
        return tuple(f"{rate} at {word} {number:g}" for rate in read for number in at)

    @property
    def label(self) -> str:
        """Which rates, and where."""
        word, at = self._place
        read = "rates" if self.rate == "both" else _cased(self.rate)
        if not isinstance(self.at, tuple):
            return f"{read} at {word} {at[0]:g}"
        return f"{read} at {len(at)} {plural(word)}"

    def read(self, curve: Any) -> Any:
        """A float for one rate, an array for several; ``(2, n)`` for both at several thresholds."""
        if self.hold == "threshold":
            found = curve.rates_at(self.at)
            rates = np.array([found.fpr, found.tpr])
            if self.rate == "both":
                return rates
            own = self.resampled(rates.reshape(1, -1))[0]
            return own if isinstance(self.at, tuple) else float(own[0])
        own = getattr(curve, f"{_FREE[self.hold][0]}_at")(self.at)
        return 1 - own if self.rate == "specificity" else own

    def readings(self, vertices: Integers | None = None) -> Readings:
        """What is held; at frozen thresholds the vertices, ``(n,)`` or ``(n_groups, n)``: first all FPRs."""
        if self.hold == "threshold":
            if vertices is None:
                raise TypeError("frozen thresholds are read at vertices")
            return Readings(frozen=vertices)
        at = np.atleast_1d(self.at)
        return Readings(tpr_at=at) if self.hold == "fpr" else Readings(fpr_at=at)

    def resampled(self, values: Floats) -> Floats:
        """The rate that is wanted, among both if a threshold is held."""
        if self.hold == "threshold" and self.rate != "both":
            half = values.shape[1] // 2
            values = values[:, half:] if self.rate in ("tpr", "sensitivity") else values[:, :half]
        return 1 - values if self.rate == "specificity" else values


def _cased(rate: str) -> str:
    return rate.upper() if rate in ("fpr", "tpr") else rate


def statistic_of(given: Any) -> Statistic:
    """The statistic that is meant: ``"auc"``, a value as it is, or what is free at a place.

    A place named by a rate of medicine is read in these words; ``"rate"`` beside a threshold says which rate.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.7, 0.1])
    >>> for given in ("auc", {"fpr": [0, 0.25]}, {"specificity": 0.75}, {"sensitivity": 0.9}):
    ...     print(statistic_of(given).label, statistic_of(given).read(curve))
    AUC 0.9166666666666666
    TPR at 2 FPRs [0.66666667 0.83333333]
    sensitivity at specificity 0.75 0.8333333333333333
    specificity at sensitivity 0.9 0.6499999999999999
    >>> statistic_of({"threshold": 0.7}).names
    ('FPR at threshold 0.7', 'TPR at threshold 0.7')
    >>> statistic_of({"threshold": 0.7, "rate": "specificity"}).read(curve)
    0.5
    """
    if isinstance(given, Statistic):
        return given
    if not is_place(given):
        if isinstance(given, str) and given.casefold() in _AUC:
            one_of("statistic", given, ("auc",), elsewhere=dict.fromkeys(_AUC, "auc"))
            return Auc()
        raise fail("RS001.statistic", found=given)
    rate = None
    if isinstance(given, Mapping) and "rate" in given and len(given) > 1:
        rate = given["rate"]
        given = {name: value for name, value in given.items() if name != "rate"}
    place = place_of(given, among=ON_CURVES)
    free = _FREE[place.kind]
    numbers = np.asarray(place.value)
    if numbers.ndim > 1 or not numbers.size:
        example = f"{{{place.kind!r}: {EXAMPLES[place.kind]}}}"
        raise fail("RS042.one-or-list", shape=numbers.shape, example=example)
    # A statistic is a value, compared and hashed by what it says.
    at = tuple(numbers.tolist()) if numbers.ndim else place.value
    chosen = _MEDICAL.get(place.name, free[0]) if rate is None else one_of("rate", rate, free)
    return RateAt(at, chosen, place.kind)


# The H-measure: what is lost at costs that are not known, but of which something is said
# ---------------------------------------------------------------------------------------


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
        1 - c for a false negative).
    prevalence : float
        The share of positives that the losses are for.
    """

    value: float
    loss: float
    worst_loss: float
    prior: tuple[float, float]
    prevalence: float

    _line = "{value:.4f}, costs Beta({prior[0]:.4g}, {prior[1]:.4g}), prevalence {prevalence:.4g}"


def h_measure(
    curve: Any,
    severity_ratio: float | None = None,
    prior: Sequence[float] | None = None,
    prevalence: float | None = None,
) -> HMeasure:
    """:meth:`rocsteady.RocCurve.h_measure`."""
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
        if 0 < ratio < np.inf:
            return 2.0, 1 + 1 / ratio
        name, where, ways = "severity_ratio", "above 0 and finite", [Option("severity_ratio", 0.1)]
        raise fail("RS042", name=name, where=where, found=severity_ratio, ways=ways)
    if prior is None:
        return 1 + prevalence, 2 - prevalence
    numbers = real_numbers("prior", prior, example=(2.0, 2.0))
    if numbers.shape != (2,) or not ((numbers > 0) & np.isfinite(numbers)).all():
        ways = [Option("prior", (2.0, 2.0))]
        raise fail("RS042", name="prior", where="a pair of numbers above 0", found=prior, ways=ways)
    return float(numbers[0]), float(numbers[1])


def _mean_loss(fpr: Floats, fnr: Floats, alpha: float, beta: float, prevalence: float) -> float:
    """The least loss of a hull, averaged over costs: c of a false positive, 1 - c of a false negative."""
    from scipy.special import betainc

    gained, paid = prevalence * -np.diff(fnr), (1 - prevalence) * np.diff(fpr)
    # Vertex k is the best from where the edge after it costs nothing to where the edge before it does.
    edges = np.concatenate([[1.0], gained / (gained + paid), [0.0]])
    # Shares of the integrals of c and of 1 - c up to every edge, under the density.
    of_alarms = alpha / (alpha + beta) * -np.diff(betainc(alpha + 1, beta, edges))
    of_misses = beta / (alpha + beta) * -np.diff(betainc(alpha, beta + 1, edges))
    return float(np.sum((1 - prevalence) * fpr * of_alarms + prevalence * fnr * of_misses))


# Where two empirical curves cross, exactly, and which one is ahead where
# -----------------------------------------------------------------------
#
# A curve only ever goes up and to the right, so it has one point on each falling diagonal FPR + TPR = s.
# Turned by 45 degrees, two curves are two continuous functions of s, linear between vertices, even where a
# curve rises straight up; they cross where the difference changes its sign. All signs are of integers.

Node = tuple[Fraction, Fraction]
"""The sum s and by how much the first curve is ahead there, both in units of ``1 / scale``."""
Point = tuple[float, float]


@dataclass(frozen=True)
class Stretch:
    """A part of the square in which one curve is ahead, or both run together.

    Attributes
    ----------
    start, end : (FPR, TPR)
        Where the two curves meet before and after.
    ahead : int
        1 if the first curve is nearer to the upper left, -1 if the second is, 0 if they are the same.
    area : float
        Between the curves; negative where the second is ahead. All of them add up to the difference of the
        AUCs.
    """

    start: Point
    end: Point
    ahead: int
    area: float


@dataclass(frozen=True, eq=False, repr=False)
class Crossings(TableResult):
    """All crossings of two curves, from :meth:`rocsteady.RocCurve.crossings`.

    Attributes
    ----------
    stretches : tuple of Stretch
        From (0, 0) to (1, 1). Where two of them with different ``ahead`` follow each other, or enclose one in
        which the curves run together, the curves cross; to touch is not to cross.
    names : (str, str)
        What the curves are called.
    """

    stretches: tuple[Stretch, ...]
    names: tuple[str, str]

    @property
    def points(self) -> tuple[Point, ...]:
        """Where the curves cross; where they run together before, the end of that stretch."""
        ahead = [stretch for stretch in self.stretches if stretch.ahead]
        pairs = pairwise(ahead)
        return tuple(later.start for earlier, later in pairs if earlier.ahead != later.ahead)

    @property
    def area(self) -> float:
        """The AUC of the first curve less that of the second."""
        return math.fsum(stretch.area for stretch in self.stretches)

    _told = ("points",)
    _line = "{names[0]} and {names[1]}: {points:count crossing}"

    def _columns(self) -> dict[str, Sequence[Any]]:
        words = {1: self.names[0], -1: self.names[1], 0: "both"}
        rows = [(*own.start, *own.end, words[own.ahead], own.area) for own in self.stretches]
        names = ("fpr_from", "tpr_from", "fpr_to", "tpr_to", "ahead", "area")
        return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def crossings(first: Any, second: Any) -> Crossings:
    """:meth:`rocsteady.RocCurve.crossings`."""
    counts = [
        [exact_integers(own).astype(object) for own in (curve.true_positives, curve.false_positives)]
        for curve in (first, second)
    ]
    scale = math.lcm(*(own[-1] for pair in counts for own in pair))
    of_first, of_second = (_turned(pair, scale) for pair in counts)
    sums = np.unique(np.concatenate([of_first[0], of_second[0]]))
    (above, run), (other_above, other_run) = _heights(*of_first, sums), _heights(*of_second, sums)
    gaps = above * other_run - other_above * run
    columns = (sums.tolist(), gaps.tolist(), (run * other_run).tolist())
    nodes: list[Node] = []
    for total, gap, width in zip(*columns, strict=True):
        end, after = Fraction(total), Fraction(gap, width)
        if nodes and nodes[-1][1] * after < 0:  # the difference passes through 0 in between
            start, before = nodes[-1]
            nodes.append((start + (end - start) * before / (before - after), Fraction(0)))
        nodes.append((end, after))
    pieces = groupby(pairwise(nodes), key=_ahead)
    stretches = tuple(_stretch(ahead, list(own), *of_first, scale) for ahead, own in pieces)
    return Crossings(stretches, (first.name or "first", second.name or "second"))


def _turned(counts: list[Counts], scale: int) -> tuple[Counts, Counts]:
    """TPR + FPR and TPR - FPR at every vertex, integers in units of ``1 / scale``."""
    tpr, fpr = (own * (scale // own[-1]) for own in counts)
    kept = np.concatenate([[True], np.diff(tpr + fpr) > 0])  # a weight of 0 moves nothing
    return (tpr + fpr)[kept], (tpr - fpr)[kept]


def _heights(sums: Counts, heights: Counts, at: Counts) -> tuple[Counts, Counts]:
    """The turned curve at some sums, as numerators and denominators."""
    before = np.clip(np.searchsorted(sums, at, side="right") - 1, 0, sums.size - 2)
    run, rise = np.diff(sums)[before], np.diff(heights)[before]
    return heights[before] * run + (at - sums[before]) * rise, run


def _ahead(piece: tuple[Node, Node]) -> int:
    """Which curve is ahead between two neighbouring nodes."""
    total = piece[0][1] + piece[1][1]
    return (total > 0) - (total < 0)


def _stretch(
    ahead: int, pieces: list[tuple[Node, Node]], sums: Counts, heights: Counts, scale: int
) -> Stretch:
    """The stretch over some pieces; its ends are points of the first curve, turned back and rounded once."""
    ends = []
    for total in (pieces[0][0][0], pieces[-1][1][0]):
        after = min(bisect_right(sums.tolist(), total), sums.size - 1)
        left, right = (Fraction(sums[k]) for k in (after - 1, after))
        low, high = (Fraction(heights[k]) for k in (after - 1, after))
        height = low + (high - low) * (total - left) / (right - left)
        ends.append((float((total - height) / (2 * scale)), float((total + height) / (2 * scale))))
    # A square on edge: the diagonals s and TPR - FPR have twice the area of FPR and TPR.
    area = sum((before + after) * (end - start) for (start, before), (end, after) in pieces)
    return Stretch(ends[0], ends[1], ahead, float(area / (4 * scale**2)))
