"""Cut-offs: the best threshold of a curve, all that tie with it, its 2x2 table, and how sure it is.

Of the threshold that is best in the population: a target rate needs no resamples, order statistics bound the
threshold whatever the distribution. Any other cut-off is chosen anew in resamples of what is random. A
threshold that maximises an empirical curve converges with the cube root of the number of cases, which the
plain bootstrap does not imitate well; draws from smoothed distributions do. They are smoothed on the scale of
normal scores, so that only the order of the scores matters.

Of this very threshold: the rows that a cut-off was chosen on flatter it. In each resample the cut-off is
chosen again, and its rates there are better than those that all rows have at the same threshold. The mean
difference is the optimism, and is taken off. The threshold is a constant then, and both of its rates have an
interval: Clopper & Pearson's limits of the corrected rate. They are beta quantiles, those of the shares
beyond two neighbouring order statistics, and a chosen threshold lies between two such. (Wilson's limits cover
less with few cases, pivots and percentiles of resamples much less.) Where cases do not count one by one
(weights, patients with several rows, groups) the rate is worth as many cases as would scatter as much.

How often all of them cover: docs/coverage.md, simulations/cutoffs.py.

References
----------
Wilson (1927), J. Am. Stat. Assoc. 22, 209-212. Clopper & Pearson (1934), Biometrika 26, 404-413.
Zou & Donner (2008), Stat. Med. 27, 1693-1702 (sums of two proportions).
Leger & MacGibbon (2006), Can. J. Stat. 34, 29-44 (smoothed resamples).
Efron & Gong (1983), Am. Stat. 37, 36-48; Harrell, Lee & Mark (1996), Stat. Med. 15, 361-387 (optimism).
Korn & Graubard (1998), Surv. Methodol. 24, 193-201 (numbers of cases that are not counted one by one).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from functools import partial
from math import ceil, hypot, inf, log, nan
from numbers import Real
from typing import Any, ClassVar, NamedTuple, Unpack

import numpy as np

from rocsteady.arrays import Array, Floats, Indices, Integers
from rocsteady.averaging.base import FEWEST_GROUPS
from rocsteady.averaging.shared_threshold import (
    PooledAverage,
    SharedThresholdAverage,
    rates_of_groups,
    vertices_of_groups,
)
from rocsteady.calling import welcomes, welcoming
from rocsteady.counting.table import score_ranks
from rocsteady.curves.curve_set import CurveSet
from rocsteady.curves.from_scores import roc_curve
from rocsteady.curves.intervals import ranked_rows
from rocsteady.curves.readings import alike_thresholds, spss_coordinates, vertex_at
from rocsteady.curves.roc import RocCurve, cases_at, clusters_of, sizes
from rocsteady.errors import RocsteadyError, RocsteadyWarning, fail, warn
from rocsteady.options import one_of, one_rate, one_threshold, open_share, resamples_asked, whole_number
from rocsteady.places import CUTOFFS, Chosen, is_place, keyword_place
from rocsteady.points.criteria import (
    PLACES,
    Criterion,
    Curve,
    GivenThreshold,
    HasPoints,
    MinimumCost,
    TargetRate,
    counts_of,
    criterion_at,
    criterion_of,
    exact_rates_of,
    group_table,
    is_high_positive,
    optimal_vertices,
    prevalence_of,
    require_thresholds,
    strictest_optima,
    with_prevalence,
)
from rocsteady.points.measures import (
    NAMES_OF_TABLE,
    Basis,
    Measures,
    TwoByTwo,
    measure_intervals,
    measures_of,
    two_by_two,
    with_intervals,
)
from rocsteady.results import Result, read_only
from rocsteady.scores.score_set import warn_of_clusters
from rocsteady.scores.scores import Scores
from rocsteady.showing import Drawn, Said, Told, said
from rocsteady.statistics.folds import error_factor
from rocsteady.statistics.groups import degrees_of_freedom, effective_number
from rocsteady.statistics.limits import (
    Cells,
    Interval,
    clopper_pearson,
    enclosing_ranks,
    share_interval,
    t_quantile,
)
from rocsteady.statistics.resampling import (
    bandwidth,
    drawn_cases,
    drawn_counts,
    drawn_means,
    drawn_shares,
    drawn_weights,
    expanded_tail,
    smoothed,
)
from rocsteady.words import plural, printable

# The cut-off
# -----------


class ThresholdInterval(NamedTuple("_Ends", [("low", float), ("high", float)])):
    """All thresholds that decide alike: a pair ``(low, high)`` that knows which ends belong to it.

    Attributes
    ----------
    low, high : float
        The ends; the interval can be unpacked.
    closed : {"low", "high", "both"}
        Which ends are such thresholds themselves. Where high scores are positive that is the high end, where
        low scores are it is the low end, and an end that calls everything positive always.

    Examples
    --------
    >>> interval = ThresholdInterval(0.4, 0.7, "high")
    >>> interval, 0.7 in interval, 0.4 in interval
    ((0.4, 0.7], True, False)
    """

    closed: str

    def __new__(cls, low: float, high: float, closed: str = "high") -> ThresholdInterval:
        """A pair with its closed ends."""
        made = super().__new__(cls, low, high)
        made.closed = closed
        return made

    def __contains__(self, threshold: object) -> bool:
        at: Any = threshold
        above = at >= self.low if self.closed in ("low", "both") else at > self.low
        below = at <= self.high if self.closed in ("high", "both") else at < self.high
        return bool(above and below)

    def __repr__(self) -> str:
        start = "[" if self.closed in ("low", "both") else "("
        stop = "]" if self.closed in ("high", "both") else ")"
        return f"{start}{self.low!r}, {self.high!r}{stop}"


@dataclass(frozen=True, eq=False, repr=False)
class _OfCriterion(Result):
    """A threshold that a criterion chose."""

    _line = "score {rule} {threshold:g}: fpr {fpr:.4f}, tpr {tpr:.4f}"

    threshold: float
    fpr: float
    tpr: float
    value: float
    rule: str
    criterion: Criterion


@welcoming("two_by_two")
@dataclass(frozen=True, eq=False, repr=False)
class AppliedCutoff(Told, Drawn, _OfCriterion, sentence="points.applied", figure="cutoffs"):
    """A cut-off that was chosen elsewhere, on these rows.

    Attributes
    ----------
    threshold, rule, criterion : float, str, Criterion
        Unchanged from where it was chosen.
    fpr, tpr : float
        Its rates here. Unless these are the rows it was chosen on, nothing flatters them.
    value : float
        What the criterion gives here; a cost at the prevalence that it was chosen for.
    """

    _curve: Curve

    def two_by_two(
        self, prevalence: float | str | None = None, *, confidence_level: float = 0.95, method: str = "wilson"
    ) -> TwoByTwo:
        """The 2x2 table here, as of any threshold that was given beforehand.

        Parameters
        ----------
        prevalence, confidence_level
            As in :meth:`Cutoff.two_by_two`.
        method : {"wilson", "clopper-pearson"}
            Of shares of cases. Weighted rows and averages of groups have none: their cases are not counted
            one by one.
        """
        return table_at(self._curve, self.threshold, self.rule, prevalence, confidence_level, method)

    def intervals(self, confidence_level: float = 0.95) -> CutoffIntervals:
        """Intervals of both rates here; the threshold was given, and has none.

        Of a curve they are Wilson's, for the number of independent cases where rows name patients
        (``cluster=``); of an average they are Student's t over its groups.

        Examples
        --------
        >>> import rocsteady as rs
        >>> curve = rs.roc_curve([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1])
        >>> rs.choose_cutoff(curve, 0.65).intervals()
        CutoffIntervals(threshold 0.65 to 0.65, fpr 0.0615 to 0.7923, tpr 0.2077 to 0.9385, given)
        """
        level = open_share("confidence_level", confidence_level)
        given = Interval(self.threshold, self.threshold, level, Limits.GIVEN)
        here: Any = self._curve
        if not isinstance(here, RocCurve):
            point = here.at(threshold=self.threshold, confidence_level=level)
            rates = point.fpr_interval, point.tpr_interval
        elif here.is_weighted and here._rows is None:  # sums of weights
            rates = None, None
        else:
            vertex, _ = vertex_at(here.thresholds, self.threshold, self.rule, here.higher_is_positive)
            made = []
            for cases, rate in zip(cases_at(here, vertex)[1::-1], (self.fpr, self.tpr), strict=True):
                low, high = cases.limits(rate, level)
                made.append(Interval(float(low), float(high), level, "wilson"))
            rates = made[0], made[1]
        unit = "case" if isinstance(here, RocCurve) else here.unit
        return CutoffIntervals(given, *rates, level, 0, 0, Limits.GIVEN, unit)


@welcoming("intervals", "corrected", "two_by_two")
@dataclass(frozen=True, eq=False, repr=False)
class Cutoff(Told, Drawn, _OfCriterion, sentence="points.cutoff", figure="cutoffs"):
    """The threshold that is best by a criterion, made by :func:`rocsteady.choose_cutoff`.

    The rates are those of the rows it was chosen on, and flatter it. ``.corrected()`` has what to expect on
    new rows, ``.on(other)`` the rates of other rows.

    Attributes
    ----------
    threshold : float
        An observed score, or an infinite one that calls nothing positive.
    rule : str
        ``">="`` or ``"<="``: what is called positive (``">"`` or ``"<"`` if not even an infinite score is).
    fpr, tpr : float
        Its rates.
    value : float
        Youden: TPR - FPR. Closest: the squared distance. Cost: the expected cost per case. EER: how far FPR
        and FNR are apart. Target: the rate that was free. Maximum: the measure.
    criterion : Criterion
        What was optimised; a plain one equals its name.
    index : int
        The vertex of the curve; the first of ``all_optima``.
    all_optima : intp array
        All vertices that are as good, strictest first.
    threshold_interval : ThresholdInterval
        All thresholds that give the same decisions on these rows. Of a convex hull only the threshold itself
        is known to.
    midpoint : float
        Midway to the next score, as SPSS prints cut-offs; NaN on a convex hull.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1])
    >>> cutoff = rs.choose_cutoff(curve, "youden")
    >>> cutoff
    Cutoff(youden, score >= 0.8: fpr 0.0000, tpr 0.6667; 1 other vertex as good)
    >>> cutoff.threshold_interval, cutoff.midpoint, cutoff.all_optima.tolist()
    ((0.7, 0.8], 0.75, [2, 4])
    """

    _line = "{criterion}, score {rule} {threshold:g}: fpr {fpr:.4f}, tpr {tpr:.4f}{_ties}"

    index: int
    _curve: Curve
    all_optima: Indices
    threshold_interval: ThresholdInterval
    midpoint: float
    _drawn: dict[Any, Floats] = field(default_factory=dict)  # in resamples, by their number and seed

    _ties = Said("points.as_good")

    def on(self, other: Curve | Scores) -> AppliedCutoff:
        """The same threshold on other rows: choose on one set of rows, report on another.

        Parameters
        ----------
        other : RocCurve, Scores, or a threshold or pooled average
            Of rows that had no say in the choice.
        """
        there: Curve = roc_curve(other) if isinstance(other, Scores) else other
        require_thresholds(there)
        higher = is_high_positive(there)
        if higher != is_high_positive(self._curve):
            raise fail("RS002.other-end", rule=self.rule, threshold=self.threshold, higher_is_positive=higher)
        rates = there.rates_at(self.threshold, rule=self.rule)
        value = float(self.criterion.value(rates.fpr, rates.tpr))
        return AppliedCutoff(
            self.threshold, rates.fpr, rates.tpr, value, self.rule, self.criterion, _curve=there
        )

    def corrected(
        self, confidence_level: float = 0.95, n_resamples: int = 2000, seed: int = 0
    ) -> CorrectedCutoff:
        """What to expect of this threshold on new rows, with intervals of both rates.

        In every resample the cut-off is chosen again; what that adds to its rates is taken off. The intervals
        cover the population's rates at this very threshold. (:meth:`intervals` is about the threshold that is
        best in the population.) See docs/coverage.md for how often.

        Parameters
        ----------
        confidence_level : float
            Between 0 and 1.
        n_resamples, seed : int
            The same seed gives the same numbers on any machine. On a curve the cases of either class are
            random; patients, where rows of a ScoreSet name them (``cluster=``) and some have several. On an
            average groups are random, and are drawn whole.

        Warns
        -----
        RocsteadyWarning
            RS242 for the average of a single group: its rates are not corrected, and have no interval.

        Examples
        --------
        >>> import numpy as np
        >>> import rocsteady as rs
        >>> rng = np.random.default_rng(0)
        >>> labels = np.repeat([0, 1], 40)
        >>> cutoff = rs.choose_cutoff(rs.roc_curve(labels, rng.normal(size=80) + labels), "youden")
        >>> found = cutoff.corrected()
        >>> found.apparent_value > found.value
        True
        """
        how: dict[str, Any] = {"n_resamples": n_resamples, "seed": seed}
        return corrected_together([self], confidence_level=confidence_level, **how)[0]

    def two_by_two(
        self,
        prevalence: float | str | None = None,
        *,
        confidence_level: float = 0.95,
        method: str | None = None,
        n_resamples: int = 2000,
        seed: int = 0,
    ) -> TwoByTwo:
        """The 2x2 table at the threshold, with predictive values and likelihood ratios.

        The rows are those the cut-off was chosen on, which flatters all measures; ``table.corrected`` has
        what to expect on new rows, and the intervals are for that.

        Parameters
        ----------
        prevalence : float or str, optional
            Share of positives, such as 0.02 or ``"2%"``, where the cut-off will be used; by default the share
            among these rows, which the result says.
        confidence_level : float
            Between 0 and 1.
        method : {"wilson", "clopper-pearson"}, optional
            As if the threshold had been given beforehand. By default the intervals know that it was chosen on
            these rows: they are those of :meth:`corrected`, and of what follows from its rates.
        n_resamples, seed : int
            Of :meth:`corrected`. Without resamples (0) nothing is corrected, and there are no intervals.
        """
        curve = self._curve
        at = curve, self.threshold, self.rule, prevalence, confidence_level
        if method is not None:
            return replace(table_at(*at, method), _is_flattered=True)
        if prevalence is not None:
            one_rate("prevalence", prevalence)
        is_lost = isinstance(curve, RocCurve) and _cannot_be_drawn(curve)
        if n_resamples == 0 or is_lost:
            basis = Basis.CANNOT_BE_DRAWN if is_lost else Basis.NOT_DRAWN
            return with_intervals(
                table_at(*at, "clopper-pearson"), dict.fromkeys(NAMES_OF_TABLE), _basis=basis
            )
        return table_at(*at, "clopper-pearson", self.corrected(confidence_level, n_resamples, seed))

    def intervals(
        self,
        confidence_level: float = 0.95,
        n_resamples: int = 2000,
        seed: int = 0,
        *,
        method: str | None = None,
    ) -> CutoffIntervals:
        """Intervals of the threshold and of its rates, which know that the cut-off was chosen on these rows.

        What they cover is the threshold that would be chosen if the whole population were known, and the
        population's rates there: the largest TPR - FPR, the point closest to (0, 1), equal error rates, the
        smallest expected cost at the same prevalence, or the target rate exactly kept. They do not tell what
        *this* threshold will attain on other rows: :meth:`corrected` and :meth:`on` do. The smoothed
        intervals take off what the choice adds to the rates, so they are not centred at the rates of these
        rows, but hold them.

        Parameters
        ----------
        confidence_level : float
            Between 0 and 1.
        n_resamples, seed : int
            The same seed gives the same intervals on any machine; exact intervals use neither. On a curve the
            cases are random, of each class as many as there are, so neither class dies out. On an average the
            groups are random and are drawn whole.
        method : {"smoothed", "percentile", "exact"}, optional
            For curves. By default exact for a :class:`TargetRate`, from order statistics; else smoothed where
            no score is shared by more than 5 % of a class, and percentile where one is: heavily tied scores
            are steps, and steps are not to be smoothed. Weighted rows have percentiles only.

        Warns
        -----
        RocsteadyWarning
            RS242 for fewer than eight groups (20 for a predictive value); RS243 for a class with one case;
            RS244 where the sample does not bound the cut-off; RS246 where one for a predictive value rests on
            few errors.

        Notes
        -----
        A rate with fewer than five cases on one side of the cut-off has at least the exact binomial limits.
        The threshold has no limit on a side where calling everything, or nothing, positive is within the
        limits of the rates. How often the intervals cover, and where they fall short: docs/coverage.md.
        """
        how: dict[str, Any] = {"n_resamples": n_resamples, "seed": seed, "method": method}
        return intervals_together([self], confidence_level=confidence_level, **how)[0]

    def to_dict(self) -> dict[str, Any]:
        """The cut-off as plain data that JSON can carry (infinities as strings, NaN as None)."""
        return super().to_dict() | {"closed": self.threshold_interval.closed}


@welcomes("choose_cutoff(roc_curve(labels, scores), 'youden')")
def choose_cutoff(
    curve: Curve | Scores | HasPoints,
    criterion: object = None,
    *,
    prevalence: float | None = None,
    **where: Unpack[Chosen],
) -> Any:
    """The threshold of a curve that is best by a criterion, or one that is given.

    Best vertices are decided without rounding and all of them are returned; the strictest is taken.

    Parameters
    ----------
    curve : RocCurve, Scores, a threshold or pooled average, or OperatingPointTable
        Averages whose groups have thresholds of their own have no cut-off (RS071). Of a table the best point
        by its means over folds is chosen, be it a threshold or not.
    criterion : str, Criterion or float
        ``"youden"``, ``"closest"``, ``"eer"``; ``"f1"``, ``"accuracy"``, ``"balanced_accuracy"``, ``"mcc"``
        or ``"kappa"``, whose largest value is looked for, or ``Maximum(...)`` of any function of the four
        counts; ``MinimumCost(false_positive=..., false_negative=...)``; ``TargetRate(...)`` of an ``fpr``,
        ``tpr``, ``ppv`` or ``npv``, for which also ``{"fpr": 0.05}`` may stand. A number is a threshold: it
        is applied, not chosen.
    prevalence : float, optional
        Share of positives where the cut-off will be used, for costs, predictive values and the measures that
        depend on it; by default that of all rows together.
    **where
        One place instead of a criterion. A rate is a target as ``TargetRate`` has it: ``fpr``, ``fmr``,
        ``specificity``, ``tpr``, ``sensitivity``, ``fnr`` or ``fnmr``, and so are ``ppv`` (``precision``) and
        ``npv``. ``alerts`` is the largest share of these cases, or number of them, that may be called
        positive; ``costs`` are those of a false positive and of a false negative. A ``threshold`` is applied,
        not chosen.

    Returns
    -------
    Cutoff
        With ``.threshold``, its rates, ``.all_optima``, ``.threshold_interval``, ``.corrected()``,
        ``.two_by_two()``, ``.intervals()`` and ``.on(other)``. For a threshold that was given an
        :class:`AppliedCutoff`, with its rates, ``.two_by_two()`` and ``.intervals()``. Of a table a
        :class:`ChosenPoint`, with its ``.index`` and the same methods.

    Raises
    ------
    UsageError
        RS007 if no threshold attains a predictive value; it names the best that there is.

    Warns
    -----
    RocsteadyWarning
        RS240 if a target is kept only by calling nothing or everything positive; RS241 if that is the best
        by another criterion.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1])
    >>> rs.choose_cutoff(curve, rs.TargetRate(tpr=0.9)).threshold
    0.6
    >>> rs.choose_cutoff(curve, specificity=0.9).threshold
    0.8
    >>> rs.choose_cutoff(curve, "f1"), rs.choose_cutoff(curve, 0.65)
    (Cutoff(f1, score >= 0.6: fpr 0.3333, tpr 1.0000), AppliedCutoff(score >= 0.65: fpr 0.3333, tpr 0.6667))
    """
    if criterion is not None and where:
        raise fail("RS002.one-criterion", given=", ".join(["criterion", *where]))
    if isinstance(curve, HasPoints):
        return curve._best_by(criterion, prevalence, where)
    own: Curve = roc_curve(curve) if isinstance(curve, Scores) else curve
    require_thresholds(own)
    if isinstance(criterion, Real) and not isinstance(criterion, bool | np.bool_):
        return _applied(own, one_threshold(criterion, "choose_cutoff(curve, 0.5)"))
    if criterion is None or is_place(criterion):
        asked: Any = {
            "task": "choose a cut-off at",
            "call": "choose_cutoff(curve, {})",
            "others": ("prevalence",),
        }
        place = keyword_place(criterion, where, among=CUTOFFS, **asked)
        if place.kind == "threshold":
            return _applied(own, place.value)
        criterion = criterion_at(place.among(_n_cases(own)) if place.is_count else place)
    chosen = with_prevalence(criterion_of(criterion), prevalence)
    if chosen.needs_prevalence:
        chosen = chosen.at_prevalence(prevalence_of(own), _n_cases(own))
    (tp, fp), u = counts_of(own), own.thresholds
    optima = optimal_vertices(chosen, tp, fp, exact_rates=exact_rates_of(own))
    index = int(optima[0])
    if (0 < index < u.size - 1 and u[index + 1] == u[index]) or (index > 1 and u[index - 1] == u[index]):
        raise alike_thresholds(u[index])  # another score has the same threshold as a float
    _warn_if_trivial(own, chosen, index)
    interval, midpoint, is_beyond = _thresholds_alike(own, index)
    inclusive, strict = (">=", ">") if is_high_positive(own) else ("<=", "<")
    rates: list[Any] = [own.fpr[index].item(), own.tpr[index].item()]
    exact = rates  # from counts the value is rounded once
    if fp.dtype.kind in "iu":
        exact = [Fraction(count[index].item(), count[-1].item()) for count in (fp, tp)]
    return Cutoff(
        threshold=float(u[index]),
        rule=strict if is_beyond else inclusive,
        fpr=rates[0],
        tpr=rates[1],
        value=float(chosen.value(*exact)),
        criterion=chosen,
        index=index,
        _curve=own,
        all_optima=read_only(optima),
        threshold_interval=interval,
        midpoint=midpoint,
    )


def choose_in_groups(curves: CurveSet, criterion: object) -> dict[str, Cutoff | AppliedCutoff]:
    """A threshold for each curve of a set: :func:`choose_cutoff`, with one warning for all of them.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = [([1, 0, 1, 0], [4, 3, 2, 1]), ([1, 0, 1, 0], [8, 5, 6, 7])]
    >>> found = choose_in_groups(rs.roc_curves(rs.ScoreSet.from_folds(folds)), "youden")
    >>> [(name, own.threshold) for name, own in found.items()]
    [('fold 1', 4.0), ('fold 2', 8.0)]
    """
    found: dict[str, Cutoff | AppliedCutoff] = {}
    trivial: dict[tuple[str, bool], list[tuple[str, RocsteadyWarning]]] = {}
    unattained: dict[str, RocsteadyError] = {}
    for name, curve in zip(curves.names, curves, strict=True):
        with warnings.catch_warnings(record=True) as met:
            warnings.simplefilter("always", RocsteadyWarning)
            try:
                found[str(name)] = choose_cutoff(curve, criterion)
            except RocsteadyError as error:
                if error.code != "RS007":
                    raise
                unattained[str(name)] = error
        for own in met:
            message = own.message
            if isinstance(message, RocsteadyWarning) and message.code in ("RS240", "RS241"):
                kind = message.code, bool(message.facts["is_all"])
                trivial.setdefault(kind, []).append((str(name), message))
            else:
                warnings.warn_explicit(message, own.category, own.filename, own.lineno)
    if unattained:
        least = min(unattained.values(), key=lambda error: error.facts["best"])
        names = [printable(name) for name in unattained]
        of_all = {"n": len(names), "n_groups": len(curves), "unit": curves.unit, "names": names}
        raise fail("RS007.in-groups", **{**least.facts, **of_all})
    for (code, is_all), several in trivial.items():
        reasons = {message.found for _, message in several}
        facts: dict[str, Any] = {
            "n": len(several),
            "n_groups": len(curves),
            "unit": curves.unit,
            "is_all": is_all,
            "names": [printable(name) for name, _ in several],
            "reason": reasons.pop() if len(reasons) == 1 else None,
            "ways": several[0][1].remedies,
        }
        is_target = code == "RS240"
        warn("RS240.in-groups" if is_target else "RS241.in-groups", **facts)
    return found


def _applied(curve: Curve, threshold: float) -> AppliedCutoff:
    """A threshold that was given, on these rows."""
    rule = ">=" if is_high_positive(curve) else "<="
    rates = curve.rates_at(threshold, rule=rule)
    given, nothing = GivenThreshold(threshold=threshold), float("nan")  # is optimised
    return AppliedCutoff(threshold, float(rates.fpr), float(rates.tpr), nothing, rule, given, curve)


def _n_cases(curve: Curve) -> float:
    """Of how many cases a number of alerts is a share."""
    if isinstance(curve, RocCurve):
        return float(curve.n_positives + curve.n_negatives)
    return curve.n_cases_of_alerts()


def _thresholds_alike(curve: Curve, index: int) -> tuple[ThresholdInterval, float, bool]:
    """The thresholds that decide alike, SPSS's cut-off, and whether even an infinite score is excluded."""
    u, (tp, fp), higher = curve.thresholds, counts_of(curve), is_high_positive(curve)
    own, beyond_all = float(u[index]), float(u[0])
    if isinstance(curve, RocCurve) and curve._is_hull:  # vertices are missing in between
        return ThresholdInterval(own, own, "both"), nan, index == 0 and bool(u[1] == u[0])
    beside = np.append(beyond_all, u[max(index, 1) : index + 2])  # the scores on either side
    rising = spss_coordinates(beside, np.zeros(beside.size), np.zeros(beside.size), higher).cutoffs
    midpoint = float((rising[::-1] if higher else rising)[min(index, 1)])
    same = np.flatnonzero((tp == tp[index]) & (fp == fp[index]))  # steps of counts may be empty
    first, last = int(same[0]), int(same[-1])
    if first == last == 0 and u[1] == u[0]:  # a score is infinite itself: only "beyond it" calls nothing
        return ThresholdInterval(beyond_all, beyond_all, "both"), midpoint, True
    is_loosest = last == u.size - 1
    ends = float(u[first]), -beyond_all if is_loosest else float(u[last + 1])
    closed = "both" if is_loosest else "high" if higher else "low"
    return ThresholdInterval(*(ends[::-1] if higher else ends), closed), midpoint, False


def _warn_if_trivial(curve: Curve, criterion: Criterion, index: int) -> None:
    """RS240 or RS241 if nothing, or everything, is called positive."""
    fpr, tpr = curve.fpr, curve.tpr
    at = fpr[index] + tpr[index]
    if at not in (0, 2) or criterion.is_budget:
        return
    is_all = bool(at == 2)
    between = np.flatnonzero((fpr + tpr > 0) & (fpr + tpr < 2))
    if not criterion.held or np.any(criterion.permits(fpr[between], tpr[between])):
        warn("RS241.trivial", is_all=is_all, aim=criterion.aim)
    elif not between.size:
        warn("RS240.equal", is_all=is_all)
    else:
        is_fpr = criterion.held == "fpr"
        best = between[0] if is_fpr else between[-1]
        warn("RS240.target", is_all=is_all, is_fpr=is_fpr, fpr=fpr[best], tpr=tpr[best])


# The 2x2 table
# -------------


def table_at(
    curve: Curve,
    threshold: float,
    rule: str,
    prevalence: float | str | None,
    confidence_level: float,
    method: str,
    corrected: CorrectedCutoff | None = None,
) -> TwoByTwo:
    """The table of a curve, or of an average with a shared threshold.

    ``corrected`` is what resamples say about a cut-off that was chosen on the same rows. Cases may be counted
    at another threshold than it has, nearby: what choosing adds is taken to be the same there.
    """
    cells: Cells | None
    clustered: tuple[Any, ...] = ()
    if isinstance(curve, RocCurve):
        vertex, _ = vertex_at(curve.thresholds, threshold, rule, curve.higher_is_positive)
        clustered = () if clusters_of(curve) is None else cases_at(curve, vertex)[:2]
        tp, fp = curve.true_positives[vertex].item(), curve.false_positives[vertex].item()
        cells = (tp, fp, curve.n_positives - tp, curve.n_negatives - fp)
        basis = Basis.WEIGHTS if curve.is_weighted else Basis.CLUSTERS if clustered else Basis.CASES
        share = curve.n_positives / (curve.n_positives + curve.n_negatives)
    else:
        cells, basis, share = None, Basis.MEAN_RATES, float(prevalence_of(curve))
        if isinstance(curve, PooledAverage) and not curve.method.balanced:  # the cases of all groups together
            counts = group_table(curve)
            at = np.array([threshold], np.float64 if counts.exact is None else np.object_)
            own = counts.offsets[:-1] + vertices_of_groups(counts, at, rule)[:, 0]
            tp, fp = counts.true_positives[own].sum().item(), counts.false_positives[own].sum().item()
            cells = tp, fp, counts.n_positives.sum().item() - tp, counts.n_negatives.sum().item() - fp
            basis = Basis.WEIGHTS if counts.true_positives.dtype.kind == "f" else Basis.CASES
            basis = Basis.ROWS_OF_GROUPS if len(counts) > 1 else basis
    rates = curve.rates_at(threshold, rule=rule)
    table = two_by_two(
        cells, rates.fpr, rates.tpr, share, prevalence, confidence_level=confidence_level, method=method,
        basis=basis,
    )  # fmt: skip
    if corrected is not None:
        return with_corrected(table, corrected, confidence_level, prevalence)
    found = {}
    for name, own in zip(("sensitivity", "specificity")[: len(clustered)], clustered, strict=True):
        low, high = own.limits(getattr(table, name), confidence_level)
        found[name] = Interval(float(low), float(high), confidence_level, "wilson")
    return with_intervals(table, found)


def with_corrected(
    table: TwoByTwo, found: CorrectedCutoff, level: float, prevalence: float | str | None
) -> TwoByTwo:
    """The table with what to expect on new rows, and intervals for that."""
    fpr, tpr = (
        min(max(here - (apparent - expected), 0.0), 1.0)
        for here, apparent, expected in (
            (1 - table.specificity, found.apparent_fpr, found.fpr),
            (table.sensitivity, found.apparent_tpr, found.tpr),
        )
    )
    values = measures_of(None, fpr, tpr, table.prevalence)
    of_fpr, of_tpr = found._cases
    intervals: dict[str, Interval | None] = dict.fromkeys(NAMES_OF_TABLE)
    sensitivity = rate_interval(tpr, table.sensitivity, of_tpr, level)
    specificity = rate_interval(1 - fpr, table.specificity, of_fpr, level)
    if not found._of_groups and sensitivity is not None and specificity is not None:
        cells = (of_tpr * tpr, of_fpr * fpr, of_tpr * (1 - tpr), of_fpr * (1 - fpr))
        is_counted = (
            isinstance(table.tp, int) and of_tpr == table.tp + table.fn and of_fpr == table.fp + table.tn
        )
        share = None if prevalence is None and is_counted else table.prevalence
        intervals |= measure_intervals(cells, values, share, level, "clopper-pearson")
    intervals |= {"sensitivity": sensitivity, "specificity": specificity}
    basis = Basis.CHOSEN_AGAIN_IN_GROUPS if found._of_groups else Basis.CHOSEN_AGAIN
    return with_intervals(table, intervals, corrected=Measures(**values), _basis=basis, _random=found.random)


# The choice in resamples
# -----------------------
#
# Cases are drawn within their class, as many as there are, so neither class dies out. Rows of one patient are
# not independent: where patients are known and have several rows, patients are drawn whole. So are the groups
# of an average.

_BLOCK = 2**22  # cells held at once; bounds the memory and does not change the answer
_MOST_VERTICES, _FEWEST_VERTICES = 4000, 500
"""Vertices that are looked at where what choosing adds is wanted: with so many it is next to nothing."""
_MOST_RATES = 10_000_000  # of all groups at all thresholds, in each class: 80 MB


def _patients_of(curve: RocCurve) -> tuple[Integers, str] | None:
    """The patient of every row and their word; None where they are not known, or have one row each."""
    known = None if curve._rows is None else curve._rows._clusters
    if known is None:
        return None
    present, codes = np.unique(known.codes, return_inverse=True)
    return None if present.size == codes.size else (codes.reshape(-1), known.unit)


def _class_sizes(curve: RocCurve) -> tuple[int, int]:
    """Cases among the positives and among the negatives; a weighted row is one case."""
    if curve._rows is None:
        return int(curve.n_positives), int(curve.n_negatives)
    is_positive = curve._rows.is_positive
    return int(is_positive.sum()), int((~is_positive).sum())


def _cannot_be_drawn(curve: RocCurve) -> RocsteadyError | None:
    """RS002 for a convex hull, RS038 for sums of weights: there are no cases behind them."""
    if curve._is_hull:
        return fail("RS002.hull")
    return fail("RS038.counts", function="roc_curve") if curve.is_weighted and curve._rows is None else None


def _redrawn(cutoffs: Sequence[Cutoff], n_resamples: int, seed: int) -> list[Floats]:
    """Cut-offs of one curve or average in every resample, as :func:`_chosen_again` has them.

    They are kept, since tables and rates ask for the same. Averaging resampled groups takes most of the time,
    and serves all cut-offs.
    """
    key, curve = (n_resamples, seed), cutoffs[0]._curve
    missing, most = [cutoff for cutoff in cutoffs if key not in cutoff._drawn], _MOST_VERTICES
    batches = [[cutoff] for cutoff in missing]
    if missing and not isinstance(curve, RocCurve):
        batches, most = [missing], _MOST_RATES // len(group_table(curve))
        most = min(max(most, _FEWEST_VERTICES), _MOST_VERTICES)
    for batch in batches:
        at, along = np.arange(curve.thresholds.size), curve.fpr + curve.tpr
        if at.size > most:  # some that lie evenly along the curve, and the chosen ones
            evenly = np.searchsorted(along, np.linspace(0, 2, most)).clip(0, at[-1])
            at = np.unique(np.concatenate([[0, *(own.index for own in batch), at[-1]], evenly]))
        found = _chosen_again(batch, at, _resamples(curve, at, n_resamples, seed))
        for cutoff, rows in zip(batch, found, strict=True):
            cutoff._drawn[key] = rows
    return [cutoff._drawn[key] for cutoff in cutoffs]


def _chosen_again(
    cutoffs: Sequence[Cutoff], vertices: Indices, resamples: Iterable[Sequence[Array]]
) -> list[Floats]:
    """Every cut-off, chosen again in every resample among some vertices, the first and the last among them.

    The columns are its threshold, its FPR and TPR in the resample, both in all rows, and the FPR and TPR that
    the cut-off at hand has in the resample.
    """
    curve, found = cutoffs[0]._curve, []
    for tp, fp in resamples:
        row, blocks = np.arange(tp.shape[0]), []
        for cutoff in cutoffs:
            best = strictest_optima(cutoff.criterion, tp, fp)
            kept, own = int(np.searchsorted(vertices, cutoff.index)), vertices[best]
            here = [counts[row, at] / counts[:, -1] for at in (best, kept) for counts in (fp, tp)]
            everywhere = curve.fpr[own], curve.tpr[own]
            blocks.append(np.stack([curve.thresholds[own], *here[:2], *everywhere, *here[2:]], axis=1))
        found.append(np.stack(blocks))
    return list(np.concatenate(found, axis=1))


def _in_blocks(n_resamples: int, n_cells: int) -> Iterator[int]:
    """How many resamples are made at once."""
    size = max(1, _BLOCK // n_cells)
    yield from (min(size, n_resamples - start) for start in range(0, n_resamples, size))


def _resamples(
    curve: Curve, vertices: Indices, n_resamples: int, seed: int, *, by_patient: bool = True
) -> Iterator[Sequence[Array]]:
    """True and false positives (mean rates of groups) at some vertices, a resample per row, in blocks.

    A resample of groups or of patients without one of the classes is left out.
    """
    if not isinstance(curve, RocCurve):
        table = group_table(curve)
        fpr, tpr = rates_of_groups(table, curve.thresholds[vertices], None)
        fpr[:, 0] = tpr[:, 0] = 0.0  # beyond everything, also beyond a score that is itself infinite
        fpr_weights, tpr_weights = curve._axis_weights
        for counts in drawn_counts(len(table), n_resamples, seed):
            for drawn in np.array_split(counts, -(-counts.shape[0] * vertices.size // _BLOCK)):
                means = drawn_means(tpr, tpr_weights, drawn), drawn_means(fpr, fpr_weights, drawn)
                usable = np.isfinite(means[0][:, 0]) & np.isfinite(means[1][:, 0])
                yield [np.clip(np.round(rate[usable], PLACES), 0.0, 1.0) for rate in means]
        return
    rows: Any = curve._rows
    patients = _patients_of(curve) if by_patient else None
    if patients is not None:
        codes, n_patients = patients[0], int(patients[0].max()) + 1
        cells = np.searchsorted(vertices, score_ranks(rows) + 1)
        weights = np.ones(cells.size) if rows.sample_weight is None else rows.sample_weight
        # One row of cells for every patient and class, so that a resample is a product of matrices.
        shape = (2 * n_patients, vertices.size)
        flat = np.ravel_multi_index((codes + n_patients * ~rows.is_positive, cells), shape)
        steps = np.bincount(flat, weights / weights.max(), minlength=shape[0] * shape[1]).reshape(shape)
        reached = np.cumsum(steps, axis=1)
        stream = np.random.default_rng(seed)
        for n in _in_blocks(n_resamples, max(vertices.size, n_patients)):
            taken = stream.integers(n_patients, size=(n, n_patients)) + n_patients * np.arange(n)[:, None]
            often = np.bincount(taken.ravel(), minlength=n * n_patients).reshape(n, n_patients).astype(float)
            tp, fp = often @ reached[:n_patients], often @ reached[n_patients:]
            has_both = (tp[:, -1] > 0) & (fp[:, -1] > 0)
            yield tp[has_both], fp[has_both]
        return
    streams = [np.random.default_rng(part) for part in np.random.SeedSequence(seed).spawn(2)]
    draws: list[Callable[..., Array]]
    if curve.is_weighted:  # a row is drawn together with its weight
        size = max(vertices.size - 1, *_class_sizes(curve))
        draws = [
            partial(
                drawn_weights,
                stream,
                np.searchsorted(vertices, ranks + 1),
                own / own.max(),
                n_vertices=vertices.size,
            )
            for stream, ranks, own in zip(streams, *ranked_rows(rows), strict=True)
        ]
    else:
        size, counted = vertices.size - 1, (curve.true_positives, curve.false_positives)
        draws = [
            partial(drawn_cases, stream, np.diff(counts[vertices]))
            for stream, counts in zip(streams, counted, strict=True)
        ]
    for n in _in_blocks(n_resamples, size):
        yield [draw(n_resamples=n) for draw in draws]


# The best threshold of the population
# ------------------------------------

_FEWEST_CASES = 5
_FEWEST_ERRORS = 20
"""Beyond a cut-off for a predictive value, for its intervals to cover as they should."""
_FEWEST_GROUPS_OF_VALUES = 20
_LARGEST_CLUMP = 0.05


class Limits(StrEnum):
    """Where limits of a cut-off come from: resamples, order statistics, or a threshold that was given."""

    SMOOTHED = "smoothed"
    PERCENTILE = "percentile"
    EXACT = "exact"
    GROUPS = "groups"
    GIVEN = "given"


_LIMITS_ELSEWHERE = {"bootstrap": "percentile", "perc": "percentile", "kernel": "smoothed"}
_LIMITS_ELSEWHERE |= {"order-statistics": "exact", "clopper-pearson": "exact"}


class Why(StrEnum):
    """Why a cut-off is not smoothed, or not bounded by the sample."""

    WEIGHTED = "weighted"
    NONE_EXPECTED = "none expected"  # beyond a target
    FEW_CASES = "few cases"
    CLUMP = "clump"  # of tied scores
    SAME_RATES = "same rates"
    SAME_RATES_OF_GROUPS = "same rates of groups"
    EVERYTHING_WITHIN = "everything within"  # calling it positive is within the limits
    NOTHING_WITHIN = "nothing within"
    BOTH_WITHIN = "both within"
    NONE_OF_CLASS_EXPECTED = "none of class expected"
    TOO_FEW = "too few"
    NEVER_ENOUGH = "never enough"


_Reason = tuple[Why, Mapping[str, Any]]
"""With the facts that the sentence needs."""


@dataclass(frozen=True, eq=False, repr=False)
class CutoffIntervals(Told, Result, sentence="points.intervals"):
    """Intervals of a cut-off and of its rates.

    Attributes
    ----------
    threshold : Interval
        Of the threshold that is best in the population; an infinite limit means that the sample sets none.
    fpr, tpr : Interval or None
        Of the population's rates at that threshold. None for the rate that a target holds.
    confidence_level, n_resamples, seed : float, int, int
        As asked for.
    method : {"smoothed", "percentile", "exact", "groups", "given"}
        Which resamples, or none: exact limits are order statistics, and a given threshold is not chosen.
    unit : str
        The word for what is random: a case, or a group of an average.
    reading : str
        What is random and what the intervals cover.
    """

    _not_for_papers: ClassVar = ("n_resamples", "seed")
    _line = "threshold {threshold:.4g}{fpr:?, fpr {fpr}}{tpr:?, tpr {tpr}}, {method}"

    threshold: Interval
    fpr: Interval | None
    tpr: Interval | None
    confidence_level: float
    n_resamples: int
    seed: int
    method: str
    unit: str = "case"


def intervals_together(
    cutoffs: Sequence[Cutoff],
    *,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    seed: int = 0,
    method: str | None = None,
) -> tuple[CutoffIntervals, ...]:
    """Intervals of several cut-offs of one curve, or of one average from the same resamples of its groups.

    They are those of ``cutoff.intervals()``; where an average has thousands of vertices, those that are
    looked at differ a little. RS242 where groups are few.
    """
    level = open_share("confidence_level", confidence_level)
    n_resamples = whole_number("n_resamples", n_resamples, least=2, example=2000)
    seed = whole_number("seed", seed, least=0, example=0)
    if method is not None:
        one_of("method", method, tuple(Limits)[:3], elsewhere=_LIMITS_ELSEWHERE)
    curve = cutoffs[0]._curve
    found: Iterable[_Found]
    if isinstance(curve, RocCurve):
        unit, found = (
            "case",
            (_limits_of_cases(own, curve, level, n_resamples, seed, method) for own in cutoffs),
        )
    else:
        unit = curve.unit
        if method is not None:
            raise fail("RS072.average", method=method)
        resamples_asked(n_resamples)
        found = _limits_of_groups(cutoffs, curve, level, n_resamples, seed)
    how: dict[str, Any] = {"confidence_level": level, "n_resamples": n_resamples, "seed": seed, "unit": unit}
    made = []
    for cutoff, (used, limits, why) in zip(cutoffs, found, strict=True):
        if why is not None:
            warn("RS244.unbounded", why=said("points.why", *why))
        kind = "order statistics" if used is Limits.EXACT else f"bootstrap, {used}"
        parts: dict[str, Any] = {}
        for name, (low, high) in zip(("threshold", "fpr", "tpr"), limits.T.tolist(), strict=True):
            ends = min(low, getattr(cutoff, name)), max(high, getattr(cutoff, name))  # hold the estimate
            parts[name] = None if name == cutoff.criterion.held else Interval(*ends, level, kind)
        made.append(CutoffIntervals(**parts, **how, method=used))
    return tuple(made)


_Found = tuple[Limits, Floats, _Reason | None]
"""Limits ``(2, 3)`` of threshold, FPR and TPR, where from, and why the sample does not set one of them."""


def _limits_of_groups(
    cutoffs: Sequence[Cutoff], average: SharedThresholdAverage, level: float, n_resamples: int, seed: int
) -> Iterator[_Found]:
    """Percentiles of resamples of groups, further out for few of them, whose resamples are too alike."""
    n_groups, ratio = len(group_table(average)), average.design.test_train_ratio
    if n_groups < (needed := max(fewest_groups(own.criterion) for own in cutoffs)):
        warn("RS242.few", unit=average.unit, n=n_groups, needed=needed)
    if average.effective_groups > 1:
        level = 1 - 2 * expanded_tail(level, average.effective_groups, average.degrees_of_freedom)
    drawn = _redrawn(cutoffs, n_resamples, seed) if n_groups > 1 else [np.full((1, 3), nan)] * len(cutoffs)
    for rows in drawn:
        limits = limits_over_groups(rows[:, :3], level, average.effective_groups, ratio)
        has_no_width = (limits[0, 1:] == limits[1, 1:]).all()
        yield Limits.GROUPS, limits, (Why.SAME_RATES_OF_GROUPS, {}) if has_no_width else None


def fewest_groups(criterion: Criterion) -> int:
    """With how many groups intervals cover as they should: more for a predictive value, in the tails."""
    is_predictive = isinstance(criterion, TargetRate) and not criterion.held
    return _FEWEST_GROUPS_OF_VALUES if is_predictive else FEWEST_GROUPS


def limits_over_groups(rows: Floats, level: float, n: float, ratio: float) -> Floats:
    """Percentiles of threshold, FPR and TPR; further from the median where groups share training cases."""
    limits = _percentiles(rows, level)
    if not ratio:
        return limits
    middle = np.median(rows, axis=0)
    with np.errstate(invalid="ignore"):  # infinite ones stay
        further = middle + error_factor(n, ratio) * (limits - middle)
    further[:, 1:] = np.clip(further[:, 1:], 0.0, 1.0)  # rates
    return np.where(np.isfinite(further), further, limits)


def _percentiles(rows: Floats, level: float) -> Floats:
    """Observed values, so that infinite thresholds are not mixed with others."""
    low = np.quantile(rows, (1 - level) / 2, axis=0, method="lower")
    return np.array([low, np.quantile(rows, (1 + level) / 2, axis=0, method="higher")])


def _limits_for(curve: RocCurve, criterion: Criterion, method: str | None) -> Limits:
    """The method asked for, RS072 if these cases do not have it, else the one that suits them."""
    is_exact = bool(criterion.held) and not curve.is_weighted
    why_not = _why_not_smooth(curve, criterion)
    if method is None:
        return Limits.EXACT if is_exact else Limits.PERCENTILE if why_not else Limits.SMOOTHED
    if method == Limits.SMOOTHED and why_not and not curve._is_hull:
        known = Limits.EXACT if is_exact else Limits.PERCENTILE
        raise fail("RS072.smoothed", why=said("points.why", *why_not), known=known.value)
    if method == Limits.EXACT and not is_exact:
        known = Limits.PERCENTILE if why_not else Limits.SMOOTHED
        raise fail("RS072.exact", is_weighted=curve.is_weighted, aim=criterion.aim, known=known.value)
    return Limits(method)


def _why_not_smooth(curve: RocCurve, criterion: Criterion) -> _Reason | None:
    """What speaks against smoothing, if anything does."""
    if curve.is_weighted:
        return Why.WEIGHTED, {}
    if _beyond(curve, criterion) < 1:
        return Why.NONE_EXPECTED, {}
    n_positives, n_negatives = _class_sizes(curve)
    fewest = min(n_positives, n_negatives)
    if fewest < _FEWEST_CASES:
        return Why.FEW_CASES, {"n": fewest, "is_positive": n_positives < n_negatives}
    return _clump_of(curve)


def _clump_of(curve: RocCurve) -> _Reason | None:
    """The class of which a single score has more than 5 %, and how much that is."""
    for counts, is_positive in ((curve.true_positives, True), (curve.false_positives, False)):
        n, most = int(counts[-1]), np.diff(counts).max()
        if most > max(1, _LARGEST_CLUMP * n):
            return Why.CLUMP, {"share": float(most / n), "is_positive": is_positive}
    return None


def _limits_of_cases(
    cutoff: Cutoff, curve: RocCurve, level: float, n_resamples: int, seed: int, method: str | None
) -> _Found:
    """Of a cut-off on a curve, by the method that suits it or that was asked for."""
    used = _limits_for(curve, cutoff.criterion, method)
    if used is not Limits.EXACT:
        resamples_asked(n_resamples)
    if refused := _cannot_be_drawn(curve):
        raise refused
    if curve._rows is not None:
        warn_of_clusters(curve._rows, "Cutoff.intervals")
    if used is Limits.EXACT:
        return used, *_target_limits(cutoff, curve, level)
    n_positives, n_negatives = _class_sizes(curve)
    if min(n_positives, n_negatives) == 1:
        warn("RS243.single", n_positives=n_positives, n_negatives=n_negatives)
    if isinstance(cutoff.criterion, TargetRate) and not cutoff.criterion.held:
        is_ppv = cutoff.criterion.kept == "ppv"
        n_errors = round(cutoff.fpr * n_negatives if is_ppv else (1 - cutoff.tpr) * n_positives)
        if n_errors < _FEWEST_ERRORS:
            warn("RS246.few-errors", n=n_errors, is_ppv=is_ppv)
    if used is Limits.SMOOTHED:
        limits = _smoothed_limits(cutoff, curve, level, n_resamples, seed)
    else:
        every = np.arange(curve.thresholds.size)
        drawn = _resamples(curve, every, n_resamples, seed, by_patient=False)
        limits = _percentiles(_chosen_again([cutoff], every, drawn)[0][:, :3], level)
    return used, limits, _widened(cutoff, curve, level, limits)


def _widened(cutoff: Cutoff, curve: RocCurve, level: float, limits: Floats) -> _Reason | None:
    """Limits of resamples, widened for what few cases leave open; why the sample does not set one."""
    criterion = cutoff.criterion
    has_no_width = (limits[0, 1:] == limits[1, 1:]).all()
    why: _Reason | None = (Why.SAME_RATES, {}) if has_no_width else None
    # A rate with few cases on one side of the cut-off has at least the exact binomial limits: if no positive
    # is missed, none is missed in the resamples either, and their spread tells nothing.
    n_positives, n_negatives = (max(1, int(round(n, 9))) for n in sizes(curve))
    for column, rate, size in ((2, cutoff.tpr, n_positives), (1, cutoff.fpr, n_negatives)):
        cases = round(rate * size)
        if min(cases, size - cases) < _FEWEST_CASES:
            own = share_interval(cases, size, level, "clopper-pearson")
            limits[0, column] = min(limits[0, column], own.low)
            limits[1, column] = max(limits[1, column], own.high)
    # No limit of a rate where one more case beyond the cut-off would outweigh all of the other class there.
    # With 20 positives, and a miss that costs as much as 20 false positives, one positive among the lowest
    # scores would make it best to call everything positive. Whether there are such positives, 20 do not tell.
    if isinstance(criterion, MinimumCost):
        assert criterion.share is not None
        of_misses, of_alarms = criterion.expected(criterion.share)
        if of_misses >= n_positives * of_alarms * (1 - Fraction(cutoff.fpr)):
            limits[1, 1] = 1.0
        if of_alarms >= n_negatives * of_misses * Fraction(cutoff.tpr):
            limits[0, 2] = 0.0
    beyond_all = float(curve.thresholds[0])
    if criterion.held:  # no limit on the side of a target beyond which no case is expected
        is_fpr = criterion.held == "fpr"
        if _beyond(curve, criterion) < 1:
            end = beyond_all if is_fpr else -beyond_all
            limits[int(end > 0), 0] = end
            limits[(0, 2) if is_fpr else (1, 1)] = 0.0 if is_fpr else 1.0  # the free rate is as bad as can be
            why = Why.NONE_OF_CLASS_EXPECTED, {"is_positive": not is_fpr}
        return why
    # No limit of the threshold on a side where calling everything, or nothing, positive is not excluded.
    everything, nothing = bool(limits[1, 1] >= 1), bool(limits[0, 2] <= 0)
    for is_reached, row, end in ((everything, 1, -beyond_all), (nothing, 0, beyond_all)):
        if is_reached:
            limits[int(end > 0), 0] = end
            limits[row, 1:] = row  # both rates are 1 there, or both 0
            why = (Why.EVERYTHING_WITHIN if everything else Why.NOTHING_WITHIN), {}
    return (Why.BOTH_WITHIN, {}) if everything and nothing else why


def _beyond(curve: RocCurve, criterion: Criterion) -> float:
    """How many cases are expected on the far side of a target; infinite for other criteria."""
    if not isinstance(criterion, TargetRate):
        return inf
    n_positives, n_negatives = _class_sizes(curve)
    return n_negatives * criterion.rate if criterion.held == "fpr" else n_positives * (1 - criterion.rate)


# A target rate: order statistics
# -------------------------------
#
# The threshold that a share x of a class exceeds in the population has a binomial number of the sample's
# cases at or beyond it, whatever the distribution. So two of the sorted cases enclose it, as they enclose a
# quantile. The free rate is unsure because the threshold is, and because the other class is a sample: its
# distance to the rate at either limit of the threshold, and to its Wilson limit, are squared and added
# (MOVER; Zou & Donner 2008). Where scores are heavily tied, rates move in steps, which do not add like that:
# the limits are then Wilson's of the rates at the threshold's limits.


def _target_limits(cutoff: Cutoff, curve: RocCurve, level: float) -> tuple[Floats, _Reason | None]:
    """Limits of the threshold and of the free rate (the held one's are not used), and what an end lacks."""
    criterion: Any = cutoff.criterion
    is_fpr, share = criterion.held == "fpr", criterion.rate
    counts, free = curve.true_positives, curve.false_positives
    if is_fpr:
        counts, free = free, counts
    n = int(counts[-1])
    ranks = enclosing_ranks(n, share, level)
    strict, loose = np.searchsorted(counts, ranks).tolist()
    if is_fpr and strict and np.diff(counts).max() > 1:
        strict -= 1  # of tied scores the next one may be the last that keeps the target
    strict, is_open = min(strict, cutoff.index), loose == counts.size
    thresholds = [-curve.thresholds[0] if is_open else curve.thresholds[loose], curve.thresholds[strict]]
    part, whole = int(free[cutoff.index]), int(free[-1])
    rate = part / whole
    ends = min(rate, free[strict] / whole), max(rate, 1.0 if is_open else free[loose] / whole)
    if _clump_of(curve) is None:
        own = share_interval(part, whole, level, "wilson")
        low = max(rate - hypot(rate - own.low, rate - ends[0]), 0.0)
        high = min(rate + hypot(own.high - rate, ends[1] - rate), 1.0)
    else:
        low = share_interval(round(ends[0] * whole), whole, level, "wilson").low
        high = share_interval(round(ends[1] * whole), whole, level, "wilson").high
    limits = np.zeros((2, 3))
    limits[:, 0] = np.sort(thresholds)
    limits[:, 2 if is_fpr else 1] = low, high
    if ranks[0] > 0 and ranks[1] <= n:
        return limits, None
    rarer = min(share, 1 - share)
    if not rarer:
        return limits, (Why.NEVER_ENOUGH, {"is_positive": not is_fpr})
    needed = ceil(log((1 - level) / 2) / log(1 - rarer))
    return limits, (Why.TOO_FEW, {"n": n, "is_positive": not is_fpr, "needed": needed})


# Any other criterion: smoothed resamples
# ---------------------------------------
#
# Each class is smoothed by a normal kernel, not score by score but rank by rank: a score stands at the normal
# quantile of its rank among all cases. Resamples are counts in narrow cells of that scale, so that their cost
# does not depend on the number of cases.

_CELLS = 1024
_MANY_CELLS = 4096  # for samples so large that cut-offs scatter less than a few cells
_MANY_CASES = 5000
_REACH = 4  # bandwidths beyond the outermost scores


def _smoothed_limits(cutoff: Cutoff, curve: RocCurve, level: float, n_resamples: int, seed: int) -> Floats:
    """``estimate - bias -+ z * sqrt(sd**2 + bias**2)`` of threshold, FPR and TPR.

    Bias and standard deviation are those of cut-offs chosen in resamples of the smoothed distributions, whose
    own best cut-off is known. The bias is itself estimated, about as badly as it is large, so it counts as
    spread too. Limits of rates are made on the arcsine scale, which keeps them inside [0, 1] and longer
    towards its middle.
    """
    from scipy.special import ndtri

    index = cutoff.index
    # Where every distinct score stands, strictest first: the normal quantile of its middle rank.
    cases = curve.true_positives + curve.false_positives
    scores: Floats = np.asarray(-ndtri((cases[1:] + cases[:-1]) / (2 * cases[-1])))
    steps = [np.diff(counts) for counts in (curve.true_positives, curve.false_positives)]
    widths = [bandwidth(scores, own) for own in steps]
    reach = _REACH * max(widths)
    n_cells = _CELLS if scores.size < _MANY_CASES else _MANY_CELLS
    edges = np.linspace(scores[0] + reach, scores[-1] - reach, n_cells + 1)
    smooth = [smoothed(scores, own, h, edges) for own, h in zip(steps, widths, strict=True)]
    truth = _best(cutoff.criterion, edges, smooth[0][None], smooth[1][None])[0]
    class_cases = [int(own.sum()) for own in steps]
    streams = [np.random.default_rng(part) for part in np.random.SeedSequence(seed).spawn(2)]
    choices = []
    for n in _in_blocks(n_resamples, edges.size):
        counts = np.zeros((2, n, edges.size), dtype=np.int64)
        for stream, size, own, reached in zip(streams, class_cases, smooth, counts, strict=True):
            shares = np.diff(own)
            np.cumsum(drawn_shares(stream, size, shares / shares.sum(), n), axis=1, out=reached[:, 1:])
        choices.append(_best(cutoff.criterion, edges, *counts))
    drawn = np.concatenate(choices)
    bias, sd = drawn.mean(axis=0) - truth, drawn.std(axis=0, ddof=1)
    beyond = np.concatenate([[scores[0] + reach], scores, [scores[-1] - reach]])
    own_place = (beyond[index] + beyond[index + 1]) / 2
    center = np.array([own_place, curve.fpr[index], curve.tpr[index]]) - bias
    half = t_quantile(np.inf, level) * np.hypot(sd, bias)
    # Rates on the scale of the arcsine of the root, half a case off 0 and 1.
    least = 0.5 / np.array(class_cases[::-1])
    inside = np.clip(center[1:], least, 1 - least)
    angles, turned = np.arcsin(np.sqrt(inside)), half[1:] / (2 * np.sqrt(inside * (1 - inside)))
    limits = np.array([center - half, center + half])
    limits[:, 1:] = np.sin(np.clip([angles - turned, angles + turned], 0.0, np.pi / 2)) ** 2
    # The scores at these places, infinite beyond all of them.
    observed, beyond_all = curve.thresholds[1:], curve.thresholds[0]
    rising = np.flatnonzero(np.isfinite(observed))[::-1]
    limits[:, 0] = np.interp(
        limits[:, 0], scores[rising], observed[rising], left=-beyond_all, right=beyond_all
    )
    limits[:, 0] = np.sort(limits[:, 0])
    return limits


def _best(criterion: Criterion, edges: Floats, tp: Array, fp: Array) -> Floats:
    """Place, FPR and TPR of the cut-off of every row, midway through the empty cells behind it."""
    best = strictest_optima(criterion, tp, fp)
    own = np.arange(best.size)
    cases = tp + fp
    last = (cases <= cases[own, best][:, None]).sum(axis=1) - 1
    place = (edges[best] + edges[last]) / 2
    return np.stack([place, fp[own, best] / fp[:, -1], tp[own, best] / tp[:, -1]], axis=1)


# This very threshold on new rows
# -------------------------------

_CORRECTED = "clopper-pearson, corrected"
_NO_VARIANCE = 1e-24


@dataclass(frozen=True, eq=False, repr=False)
class CorrectedCutoff(Told, _OfCriterion, sentence="points.corrected"):
    """What a chosen cut-off attains on new rows, made by ``cutoff.corrected()``.

    Attributes
    ----------
    threshold, rule, criterion : float, str, Criterion
        The cut-off, as it was chosen.
    fpr, tpr, value : float
        What is to be expected on new rows: the apparent ones, less what choosing added. The value is what the
        criterion gives at these rates.
    apparent_fpr, apparent_tpr, apparent_value : float
        On the rows that the cut-off was chosen on.
    fpr_interval, tpr_interval : Interval or None
        Of the population's rates at this very threshold. None where nothing is known of it: of a single
        group, and where all groups have the same rate.
    value_interval : Interval or None
        Of what the criterion gives there, combined from those of the rates; None where one of them is.
    confidence_level, n_resamples, seed : float, int, int
        As asked for.
    random : str
        What was drawn again: ``"cases"``, patients, or the groups of an average.
    """

    _not_for_papers: ClassVar = ("n_resamples", "seed")
    _line = (
        "score {rule} {threshold:g}: fpr {apparent_fpr:.4f} -> {fpr:.4f}, tpr {apparent_tpr:.4f} -> {tpr:.4f}"
    )

    apparent_fpr: float
    apparent_tpr: float
    apparent_value: float
    fpr_interval: Interval | None
    tpr_interval: Interval | None
    value_interval: Interval | None
    confidence_level: float
    n_resamples: int
    seed: int
    random: str
    _cases: tuple[float, float]  # that FPR and TPR are worth
    _of_groups: bool


def corrected_together(
    cutoffs: Sequence[Cutoff], *, confidence_level: float = 0.95, n_resamples: int = 2000, seed: int = 0
) -> tuple[CorrectedCutoff, ...]:
    """Several cut-offs of one curve or average as :meth:`Cutoff.corrected` has one; groups are drawn once."""
    level = open_share("confidence_level", confidence_level)
    seed = whole_number("seed", seed, least=0, example=0)
    n_resamples = resamples_asked(n_resamples)
    curve: Any = cutoffs[0]._curve
    of_groups = not isinstance(curve, RocCurve)
    unit, n_groups = curve.unit if of_groups else "case", len(group_table(curve)) if of_groups else 0
    if of_groups and n_groups < 2:
        warn("RS242.few", unit=unit, n=n_groups, needed=FEWEST_GROUPS)
    elif not of_groups:
        if refused := _cannot_be_drawn(curve):
            raise refused
        patients = _patients_of(curve)
        unit = unit if patients is None else patients[1]
    drawn = [np.empty((0, 7))] * len(cutoffs) if n_groups == 1 else _redrawn(cutoffs, n_resamples, seed)
    found = []
    how: dict[str, Any] = {"confidence_level": level, "n_resamples": n_resamples, "seed": seed}
    for cutoff, rows in zip(cutoffs, drawn, strict=True):
        rates, worth = expected_rates(cutoff, rows), (nan, nan)
        if rows.size:  # else one group, or one patient, has all the cases of a class
            worth = _worth(cutoff, rates, rows, level)
        found.append(corrected_at(cutoff, rates, worth, random=plural(unit), of_groups=of_groups, **how))
    return tuple(found)


def expected_rates(cutoff: Any, drawn: Floats) -> tuple[float, float]:
    """FPR and TPR less what choosing added to them in resamples, as :func:`_chosen_again` has these."""
    if not drawn.size:
        return cutoff.fpr, cutoff.tpr
    if cutoff.fpr == cutoff.tpr == 0:  # beyond every score nothing is called positive, here and elsewhere
        return 0.0, 0.0
    added = (drawn[:, 1:3] - drawn[:, 3:5]).mean(axis=0)
    fpr, tpr = np.clip([cutoff.fpr, cutoff.tpr] - added, 0.0, 1.0).tolist()
    return fpr, tpr


def corrected_at(
    cutoff: Any,
    rates: tuple[float, float],
    worth: tuple[float, float],
    *,
    confidence_level: float,
    n_resamples: int,
    seed: int,
    random: str,
    of_groups: bool,
    value: float = nan,
    of_value: Interval | None = None,
) -> CorrectedCutoff:
    """The rates that are expected, with intervals of rates that are worth so many cases.

    The value is what the criterion gives at these rates, unless it is a mean of its own, with its interval.
    """
    intervals = [
        rate_interval(rate, apparent, cases, confidence_level)
        for rate, apparent, cases in zip(rates, (cutoff.fpr, cutoff.tpr), worth, strict=True)
    ]
    criterion = cutoff.criterion
    if np.isnan(value):
        value, of_value = float(criterion.value(*rates)), value_interval(criterion, rates, intervals)
    return CorrectedCutoff(
        threshold=cutoff.threshold,
        fpr=rates[0],
        tpr=rates[1],
        value=value,
        rule=cutoff.rule,
        criterion=criterion,
        apparent_fpr=cutoff.fpr,
        apparent_tpr=cutoff.tpr,
        apparent_value=cutoff.value,
        fpr_interval=intervals[0],
        tpr_interval=intervals[1],
        value_interval=of_value,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        seed=seed,
        random=random,
        _cases=worth,
        _of_groups=of_groups,
    )


def value_interval(
    criterion: Criterion, rates: Sequence[float], intervals: Sequence[Interval | None]
) -> Interval | None:
    """Limits of what a criterion gives at two rates, from theirs (MOVER, Zou & Donner 2008).

    How far the value moves where one rate goes to either of its limits is squared and added up; the rates of
    the two classes are independent.

    >>> both = [Interval(0.1, 0.3, 0.95, "wilson"), Interval(0.7, 0.9, 0.95, "wilson")]
    >>> value_interval(criterion_of("youden"), (0.2, 0.8), both)
    Interval(0.4586 to 0.7414, confidence level 0.95, wilson, combined)
    """
    fpr, tpr = rates
    value = float(criterion.value(fpr, tpr))
    if None in intervals or not np.isfinite(value):
        return None
    of_fpr, of_tpr = intervals
    assert of_fpr is not None
    assert of_tpr is not None
    moved = np.array(
        [
            [float(criterion.value(end, tpr)) - value for end in (of_fpr.low, of_fpr.high)],
            [float(criterion.value(fpr, end)) - value for end in (of_tpr.low, of_tpr.high)],
        ]
    )
    if not np.isfinite(moved).all():
        return None
    low, high = np.minimum(moved, 0).min(axis=1), np.maximum(moved, 0).max(axis=1)
    ends = value - hypot(*low), value + hypot(*high)
    most = criterion.range
    return Interval(
        max(ends[0], most[0]), min(ends[1], most[1]), of_fpr.confidence_level, f"{of_fpr.method}, combined"
    )


def rate_interval(rate: float, apparent: float, cases: float, level: float) -> Interval | None:
    """Limits of a corrected rate that is worth so many cases; none where that is not known.

    Where no case was seen on one side, none may be there: an apparent rate of 0 has the limit 0.

    >>> rate_interval(0.85, 0.9, 40, 0.95)
    Interval(0.7016 to 0.9429, confidence level 0.95, clopper-pearson, corrected)
    """
    if not cases > 0:
        return None
    low, high = (float(end) for end in clopper_pearson(np.array(rate), cases, 1 - level))
    return Interval(0.0 if apparent == 0 else low, 1.0 if apparent == 1 else high, level, _CORRECTED)


def _worth(cutoff: Cutoff, rates: Sequence[float], drawn: Floats, level: float) -> tuple[float, float]:
    """How many cases FPR and TPR are worth: as many as would scatter as much, at most those there are.

    Where no spread is seen between patients, each is one case.
    """
    curve: Any = cutoff._curve
    if not isinstance(curve, RocCurve):
        table, at = group_table(curve), curve.rates_at(cutoff.threshold, rule=cutoff.rule)
        most = [float(counts.sum()) for counts in (table.n_negatives, table.n_positives)]
        errors = float(at.fpr_standard_error), float(at.tpr_standard_error)
        weights, ratio = curve._axis_weights, curve.design.test_train_ratio
        return worth_in_groups(rates, drawn, level, most=most, errors=errors, weights=weights, ratio=ratio)
    most, patients = [float(n) for n in sizes(curve)][::-1], _patients_of(curve)
    if patients is None and not curve.is_weighted:
        return most[0], most[1]
    found = []
    for k in (0, 1):
        variance, unknown, df = float((drawn[:, k + 1] - drawn[:, k + 3]).var()), most[k], inf
        if patients is not None:
            variance = max(variance, float(drawn[:, k + 5].var()))
            assert curve._rows is not None
            of_class = curve._rows.is_positive if k else ~curve._rows.is_positive
            unknown = float(np.unique(patients[0][of_class]).size)
            df = unknown - 1
        found.append(_cases_worth(rates[k], variance, df, most[k], level, unknown))
    return found[0], found[1]


def worth_in_groups(
    rates: Sequence[float],
    drawn: Floats,
    level: float,
    *,
    most: Sequence[float],
    errors: Sequence[float],
    weights: Sequence[Floats],
    ratio: float,
) -> tuple[float, float]:
    """The same of mean rates of groups; where no spread is seen between them, nothing is known."""
    found = []
    for k in (0, 1):
        n, df = effective_number(weights[k]), degrees_of_freedom(weights[k])
        wider = float(np.sqrt(n / (n - 1))) * error_factor(n, ratio) if n > 1 else nan
        variance = max(errors[k], float((drawn[:, k + 1] - drawn[:, k + 3]).std()) * wider) ** 2
        found.append(_cases_worth(rates[k], variance, df, most[k], level, nan))
    return found[0], found[1]


def _cases_worth(rate: float, variance: float, df: float, most: float, level: float, unknown: float) -> float:
    """Student's t for few patients or groups is the normal quantile with fewer cases."""
    if not (variance > _NO_VARIANCE and df > 0):
        return unknown
    inside = min(max(rate, 0.5 / most), 1 - 0.5 / most)  # 0 and 1 are half a case off
    fewer = float((t_quantile(np.inf, level) / t_quantile(df, level)) ** 2)
    return min(inside * (1 - inside) / variance * fewer, most)
