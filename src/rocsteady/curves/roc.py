"""The ROC curve: a table of counts, its readings, and how sure they are."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocsteady.arrays import Counts, Floats, Indices, Integers
from rocsteady.calling import LEVELS, NO_LEVEL, SEEDS, welcomes, welcoming
from rocsteady.counting.cells import ROUNDING
from rocsteady.counting.table import (
    ClusterCounts,
    CountTable,
    Moments,
    cluster_counts,
    curve_moments,
    require_countable,
    score_ranks,
)
from rocsteady.curves import intervals as curve_intervals
from rocsteady.curves.intervals import BandEdge, CurveBand, EffectiveCases, Held, NullTest, Range
from rocsteady.curves.readings import (
    Bounded,
    Bounds,
    Coordinates,
    CostCurve,
    CurveBounds,
    DetCurve,
    EqualErrorRate,
    Path,
    PrecisionRecallCurve,
    Rates,
    bounds_of_rate,
    cases_of,
    checked_counts,
    compensated_sum,
    even_vertices,
    exact_integers,
    hull_vertices,
    require_both_classes,
    scalar_or_array,
    share_won,
    spss_coordinates,
    thresholds_told,
    unit_scaled,
    vertex_at,
)
from rocsteady.curves.spss import USUAL_DECIMALS, Construction, SpssTables, construction, spss_tables
from rocsteady.curves.statistics import Crossings, HMeasure, PartialAuc, crossings, h_measure
from rocsteady.errors import Option, counted, fail, warn
from rocsteady.options import (
    one_of,
    open_share,
    rate_range,
    rates,
    resamples_asked,
    whole_number,
    yes_or_no,
)
from rocsteady.results import Area, TableResult, read_only
from rocsteady.scores.columns import Cases, index_of, require_one_index, word
from rocsteady.scores.labels import Classes
from rocsteady.scores.scores import Scores
from rocsteady.showing import Drawn
from rocsteady.statistics.delong import ClusteredRates, effective_cases
from rocsteady.statistics.limits import Interval, separated_limits, t_quantile
from rocsteady.statistics.resampling import RankedCases, Readings, resampled_cases, resampled_groups

_BAND_METHODS = {"pointwise": ("score", "bootstrap"), "simultaneous": ("fixed-width", "rectangle")}
_ELSEWHERE = {
    "wilson": "score",
    "mover": "score",
    "clopper-pearson": "exact",
    "percentile": "bootstrap",
    "fwb": "fixed-width",
    "ks": "rectangle",
    "campbell": "rectangle",
    "kolmogorov-smirnov": "rectangle",
}
_GRID = 200
_MOST_VERTICES = 400  # where resampled curves are followed; the others lie between


@welcoming("auc_interval", "tpr_interval", "fpr_interval", "band", "partial_auc")
@dataclass(frozen=True, eq=False, repr=False)
class RocCurve(Bounded, Path, Drawn, TableResult, figure="roc"):
    """The ROC curve of one set of scores: counts at every threshold, everything else read from them.

    Made by :func:`rocsteady.roc_curve` or :meth:`from_counts`. Tied scores are one vertex; nothing is thinned
    or interpolated. The vertices run from the strictest threshold to the loosest.

    Attributes
    ----------
    thresholds : float64 array
        The distinct scores, led by an infinite one that no score reaches ("beyond everything").
    true_positives, false_positives : int64 array (float64 if weighted)
        Cases of each class at or beyond the threshold.
    higher_is_positive : bool
        Whether "beyond" means above.
    name : str or None
        What tables and messages call the curve.
    bounds : CurveBounds or None
        Where rows were counted in cells this is the middle curve: ``lower`` and ``upper`` are the lowest and
        the highest that the counts allow, between which all readings lie. Else None.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.7, 0.1], name="fold 3")
    >>> curve
    RocCurve(fold 3: 3 positives, 2 negatives, 4 thresholds, AUC 0.917)
    >>> curve.true_positives.tolist(), curve.false_positives.tolist()
    ([0, 1, 2, 3, 3], [0, 0, 0, 1, 2])
    """

    thresholds: Floats
    true_positives: Counts
    false_positives: Counts
    higher_is_positive: bool = True
    name: str | None = None
    _rows: Scores | None = None  # of weights and clusters only: counts have merged the rows
    _exact: Counts | None = None  # see CountTable
    _is_hull: bool = False  # a selection of another curve's vertices: not what one sample of scores gave
    bounds: CurveBounds | None = None
    _classes: Classes | None = None  # what the labels called them

    @classmethod
    def from_counts(
        cls,
        thresholds: ArrayLike,
        true_positives: ArrayLike,
        false_positives: ArrayLike,
        *,
        higher_is_positive: bool = True,
        name: str | None = None,
    ) -> RocCurve:
        """A curve from counts made elsewhere, for example by a database.

        Parameters
        ----------
        thresholds : array-like
            Distinct scores, strictest first. If it does not start with an infinite threshold and zero counts,
            those are added.
        true_positives, false_positives : array-like
            Positives and negatives at or beyond each threshold; integers, or floats for sums of weights.
        higher_is_positive, name : bool, str
            As in :func:`rocsteady.roc_curve`.

        Raises
        ------
        UsageError
            RS043 if the numbers do not form a curve.
        DataError
            RS024 if a class is missing.

        Examples
        --------
        >>> import rocsteady as rs
        >>> rs.RocCurve.from_counts([0.9, 0.7, 0.1], [1, 2, 2], [0, 1, 2])
        RocCurve(2 positives, 2 negatives, 3 thresholds, AUC 0.875)
        """
        higher_is_positive = yes_or_no("higher_is_positive", higher_is_positive)
        names = ("thresholds", "true_positives", "false_positives")
        given = (thresholds, true_positives, false_positives)
        require_one_index({name: index_of(own) for name, own in zip(names, given, strict=True)})
        u, tp, fp = map(read_only, checked_counts(*given, higher_is_positive))
        require_both_classes(tp[-1], fp[-1], name)
        return cls(u, tp, fp, higher_is_positive=higher_is_positive, name=name)

    @classmethod
    def _of_table(cls, table: CountTable, name: str | None = None, rows: Scores | None = None) -> RocCurve:
        """Of a table of one group; the ``rows`` counted are kept where counts do not tell all of them."""
        classes = None if rows is None else rows.classes
        if rows is not None and not rows.columns.has_weights and rows._together is None:
            rows = None
        counts = table.thresholds, table.true_positives, table.false_positives
        return cls(*counts, table.higher_is_positive, name, rows, table.exact, _classes=classes)

    @property
    def is_weighted(self) -> bool:
        """Whether the counts are sums of weights."""
        return self.true_positives.dtype.kind == "f"

    @property
    def n_positives(self) -> Any:
        """Number of positives (their weight if weighted)."""
        return self.true_positives[-1].item()

    @property
    def n_negatives(self) -> Any:
        """Number of negatives (their weight if weighted)."""
        return self.false_positives[-1].item()

    @cached_property
    def fpr(self) -> Floats:
        """False positive rate at every threshold."""
        return read_only(self.false_positives / self.n_negatives)

    @cached_property
    def tpr(self) -> Floats:
        """True positive rate at every threshold."""
        return read_only(self.true_positives / self.n_positives)

    @cached_property
    def fnr(self) -> Floats:
        """False negative rate at every threshold, ``1 - tpr`` by one division."""
        return read_only((self.n_positives - self.true_positives) / self.n_positives)

    @cached_property
    def auc(self) -> float:
        """Area under the curve: the share of pairs in which the positive outranks the negative, ties half."""
        return Area(share_won(self.true_positives, self.false_positives))

    def rates_at(self, threshold: ArrayLike, rule: str | None = None) -> Rates:
        """The rates that a threshold gives.

        Parameters
        ----------
        threshold : float or array-like
            Any number, observed or not. Integer scores above 2**53 are compared with integers as integers;
            RS048 for a float that stands for several of them, RS407 for one inside a cell, where only bounds
            are known.
        rule : {">=", ">"}
            What calls a score positive, ``">="`` by default; where low scores are positive ``"<="``
            (default) or ``"<"``.

        Examples
        --------
        >>> import rocsteady as rs
        >>> curve = rs.roc_curve([1, 1, 1, 0], [0.9, 0.8, 0.7, 0.1])
        >>> round(curve.rates_at(0.8).tpr, 3), round(curve.rates_at(0.8, rule=">").tpr, 3)
        (0.667, 0.333)
        """
        if self.bounds is not None:
            within = self.bounds.rates_at(threshold, rule)
            if not all(np.array_equal(own.low, own.high) for own in within):
                fpr, tpr = self.rate_bounds_at(threshold, rule)
                raise fail("RS407.inside", fpr=fpr, tpr=tpr, threshold=threshold)
        vertex, rule = vertex_at(self.thresholds, threshold, rule, self.higher_is_positive, self._exact)
        return Rates(
            threshold=thresholds_told(threshold, self._exact),
            fpr=scalar_or_array(self.fpr[vertex], threshold),
            tpr=scalar_or_array(self.tpr[vertex], threshold),
            rule=rule,
        )

    def partial_auc(
        self,
        *,
        fpr: Sequence[float] | None = None,
        tpr: Sequence[float] | None = None,
        standardized: bool = False,
    ) -> float:
        """The area under a range of FPR, or right of the curve in a range of TPR; see :class:`PartialAuc`."""
        return PartialAuc(fpr, tpr, standardized).read(self)

    def tpr_bounds_at(self, fpr: ArrayLike, side: str = "upper") -> Bounds:
        """Between which values the true positive rate at a false positive rate lies."""
        return self._bounds_at("tpr", fpr, side)

    def fpr_bounds_at(self, tpr: ArrayLike, side: str = "lower") -> Bounds:
        """Between which values the false positive rate at a true positive rate lies."""
        return self._bounds_at("fpr", tpr, side)

    def _bounds_at(self, read: str, at: ArrayLike, side: str) -> Bounds:
        ends, held = ((self.lower, self.upper), "fpr") if read == "tpr" else ((self.upper, self.lower), "tpr")
        rounding = 0.0 if self.bounds is None else self.bounds.rounding
        # Beside the rate, as far as weights are rounded: where a curve jumps that makes a difference.
        given, beside = rates(held, at), (-rounding, rounding)
        low, high = (
            getattr(end, f"{read}_at")(scalar_or_array(np.clip(given + shift, 0.0, 1.0), at), side)
            for end, shift in zip(ends, beside, strict=True)
        )
        if self.bounds is None:
            return Bounds(low, high)
        # Between vertices something is rounded away: cells that touch have other ones than the curve itself.
        interpolated = 0.0 if self.bounds._cells.are_apart else 4 * ROUNDING
        return bounds_of_rate(low, high, rounding + interpolated)

    def rate_bounds_at(self, threshold: ArrayLike, rule: str | None = None) -> tuple[Bounds, Bounds]:
        """Between which values both rates lie at a threshold: of the FPR, then of the TPR."""
        if self.bounds is None:
            found = self.rates_at(threshold, rule)
            return Bounds(found.fpr, found.fpr), Bounds(found.tpr, found.tpr)
        fpr, tpr = self.bounds.rates_at(threshold, rule)
        rounding = self.bounds.rounding
        return bounds_of_rate(fpr.low, fpr.high, rounding), bounds_of_rate(tpr.low, tpr.high, rounding)

    @cached_property
    def equal_error_rate(self) -> float:
        """The error rate at the point of the curve where FPR = FNR; see :meth:`eer`."""
        return self.eer().value

    def eer(self, method: str = "polyline") -> EqualErrorRate:
        """The equal error rate, with its threshold.

        Parameters
        ----------
        method : {"polyline", "closest-vertex"}
            The point of the curve itself; or the FPR of the vertex where the two rates are closest.
        """
        one_of("method", method, ("polyline", "closest-vertex"), elsewhere={"vertex": "closest-vertex"})
        exact: Any = Fraction if self.is_weighted else int
        n_positives, n_negatives = exact(self.n_positives), exact(self.n_negatives)

        def errors(vertex: int) -> tuple[Fraction, Fraction]:
            missed = n_positives - exact(self.true_positives[vertex].item())
            alarms = exact(self.false_positives[vertex].item())
            return Fraction(alarms) / n_negatives, Fraction(missed) / n_positives

        def imbalance(vertex: int) -> Any:
            """FPR - FNR; it rises along the curve from below 0 to above."""
            fpr, fnr = errors(vertex)
            return fpr - fnr

        before = after = bisect_left(range(self.thresholds.size), 0, key=imbalance)
        if method == "closest-vertex":
            before = after = min((after - 1, after), key=lambda k: abs(imbalance(k)))  # a tie: the stricter
        fpr, fnr = errors(after)
        if method == "polyline" and fpr != fnr:
            before, past = after - 1, fpr - fnr
            start, short = errors(before)[0], -imbalance(before)
            fpr = fnr = start + short * (fpr - start) / (short + past)
        strict, loose = float(self.thresholds[before]), float(self.thresholds[after])
        return EqualErrorRate(float(fpr), float(fpr), float(fnr), strict, loose, before == after, method)

    def hull(self) -> RocCurve:
        """The convex hull, as a curve on some of the vertices: what thresholds and coin throws can reach.

        All readings work on it; standard errors, intervals and tests refuse (RS002), because its corners were
        picked for being the best.
        """
        kept = hull_vertices(self.true_positives, self.false_positives)
        columns = (self.thresholds[kept], self.true_positives[kept], self.false_positives[kept])
        exact = None if self._exact is None else self._exact[kept]
        return RocCurve(*columns, self.higher_is_positive, self.name, _exact=exact, _is_hull=True)

    def det(self) -> DetCurve:
        """Both error rates and their normal deviates, the coordinates of a DET plot."""
        from scipy.special import ndtri

        return DetCurve(self.thresholds, self.fpr, self.fnr, ndtri(self.fpr), ndtri(self.fnr))

    def cost_curve(self) -> CostCurve:
        """The cost of the best threshold for every mixture of costs and prevalence (Drummond & Holte)."""
        hull = self.hull()
        x, y = (exact_integers(own).astype(object) for own in (hull.false_positives, hull.true_positives))
        run, rise = np.diff(x) * y[-1], np.diff(y) * x[-1]
        # Neighbouring corners cost the same where PC / (1 - PC) = d fpr / d tpr.
        changes = np.asarray(run / (run + rise), dtype=np.float64)
        # A vertical first edge leaves the stricter corner PC = 0 alone, a horizontal last edge PC = 1.
        best = slice(int(changes[0] == 0), changes.size + 1 - int(changes[-1] == 1))
        ends = np.concatenate([[0.0], changes[(changes > 0) & (changes < 1)], [1.0]])
        thresholds, fpr, fnr = hull.thresholds[best], hull.fpr[best], hull.fnr[best]
        piece = np.minimum(np.arange(ends.size), thresholds.size - 1)
        return CostCurve(ends, fnr[piece] * ends + fpr[piece] * (1 - ends), thresholds, fpr, fnr)

    def precision_recall(self) -> PrecisionRecallCurve:
        """Precision and recall at the same thresholds."""
        true_positives, false_positives = self.true_positives, self.false_positives
        if self.is_weighted:  # one power of two for both: their sum must not overflow
            exponents = np.frexp(max(self.n_positives, self.n_negatives))[1]
            true_positives, false_positives = (
                unit_scaled(own, exponents) for own in (true_positives, false_positives)
            )
        elif self.n_positives + self.n_negatives >= 2**63:
            true_positives, false_positives = true_positives.astype(object), false_positives.astype(object)
        called = true_positives + false_positives
        precision = np.full(called.size, np.nan)
        precision[called > 0] = (true_positives[called > 0] / called[called > 0]).astype(np.float64)
        true_positives = true_positives.astype(np.float64)
        gained = np.diff(true_positives)
        hits = gained[gained > 0] * precision[1:][gained > 0]
        average = compensated_sum(hits) / float(true_positives[-1])
        return PrecisionRecallCurve(self.thresholds, precision, true_positives / true_positives[-1], average)

    def coordinates(self) -> Coordinates:
        """SPSS's "Coordinates of the Curve": cut-offs midway between the scores."""
        return spss_coordinates(self.thresholds, self.tpr, self.fpr, self.higher_is_positive)

    def spss(
        self,
        *,
        variable: str = "",
        state: str = "",
        positive: str = "",
        negative: str = "",
        decimals: int = USUAL_DECIMALS,
        confidence_level: float = 0.95,
    ) -> SpssTables:
        """The tables that SPSS prints of these scores: groups, area, coordinates of the curve.

        For teaching, and to compare with what a colleague has printed. For a paper prefer
        :meth:`auc_interval`: SPSS's interval is symmetric, and too narrow where the area is near 1.

        Parameters
        ----------
        variable, state : str
            What the test result variable and the state variable are called; by default the name of the
            curve (or "score") and "label".
        positive, negative : str
            What the classes are called; by default as their labels.
        decimals : int
            Those of the test result variable in SPSS's Variable View, 2 where nobody changed them. Means and
            cut-offs are printed with two more, standard deviations with three more.
        confidence_level : float
            Between 0 and 1.

        Returns
        -------
        SpssTables
            ``print`` shows it as SPSS does; ``.groups``, ``.area`` and ``.coordinates`` have all digits.

        Raises
        ------
        UsageError
            RS038 for weights that are not whole: SPSS takes weights for frequencies, and so do these tables.
            RS016 where rows belong together, which SPSS's formula does not know; RS002 for a hull.
        DataError
            RS406 for a curve from counts in cells.

        Examples
        --------
        >>> import rocsteady as rs
        >>> labels = ["sick", "sick", "well", "sick", "well", "well"]
        >>> curve = rs.roc_curve(labels, [2.9, 2.4, 2.4, 1.7, 1.3, 0.8], positive="sick")
        >>> tables = curve.spss(variable="marker", state="truth")
        >>> tables
        SpssTables(marker: 3 sick, 3 well, area 0.833)
        >>> tables.coordinates.cutoffs.round(4).tolist()
        [-0.2, 1.05, 1.5, 2.05, 2.65, 3.9]
        """
        names: dict[str, str] = {"variable": variable, "state": state}
        names |= {"positive": positive, "negative": negative}
        return spss_tables(self, **names, decimals=decimals, confidence_level=confidence_level)

    def construction(self) -> Construction:
        """How the curve is made: TP, FP, TN and FN at every distinct score, the strictest first.

        Tied cases are one step, whatever their classes. The first row is above all scores.

        Examples
        --------
        >>> import rocsteady as rs
        >>> made = rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.7, 0.1]).construction()
        >>> made
        Construction(4 steps, 1 with cases of both classes)
        >>> list(zip(made.thresholds.tolist(), made.tp.tolist(), made.fp.tolist()))
        [(inf, 0, 0), (0.9, 1, 0), (0.8, 2, 0), (0.7, 3, 1), (0.1, 3, 2)]
        """
        return construction(self)

    def h_measure(
        self,
        *,
        severity_ratio: float | None = None,
        prior: Sequence[float] | None = None,
        prevalence: float | None = None,
    ) -> HMeasure:
        """The share of the avoidable loss that is avoided, averaged over costs: the H-measure.

        The AUC averages over costs whose distribution depends on the scores, so two classifiers are averaged
        over different costs. The H-measure takes the same distribution for all: name it, or it follows from
        the prevalence. Compare classifiers with the same ``prior`` and ``prevalence`` only.

        The packages hmeasure for R and Python have ``Beta(2, 1 + n_negatives / n_positives)`` by default: the
        same most likely cost, held with more certainty. To get their number, pass
        ``severity_ratio=n_positives / n_negatives``; for ours, pass them any negative severity ratio.

        Parameters
        ----------
        severity_ratio : float, optional
            The most likely cost of a false positive over that of a false negative: the distribution is then
            ``Beta(2, 1 + 1 / severity_ratio)``, as in the packages hmeasure.
        prior : (alpha, beta), optional
            The parameters themselves. Without either, ``Beta(1 + prevalence, 2 - prevalence)``: the rarer
            class is most likely the dearer to miss.
        prevalence : float, optional
            The share of positives where the scores will be used; that of the cases by default.

        Returns
        -------
        HMeasure

        References
        ----------
        Hand (2009), Machine Learning 77, 103-123. Hand & Anagnostopoulos (2014), Pattern Recognition Letters
        40, 41-46 (the Beta distribution that the class sizes give).

        Examples
        --------
        >>> import rocsteady as rs
        >>> curve = rs.roc_curve([1, 1, 1, 1, 0, 0, 0, 0, 0], [9, 8, 7, 3, 6, 4, 2, 1, 0])
        >>> curve.h_measure()
        HMeasure(0.7007, costs Beta(1.444, 1.556), prevalence 0.4444)
        >>> curve.h_measure(severity_ratio=4 / 5)  # what the packages hmeasure give by default
        HMeasure(0.7016, costs Beta(2, 2.25), prevalence 0.4444)
        """
        return h_measure(self, severity_ratio, prior, prevalence)

    def crossings(self, other: RocCurve) -> Crossings:
        """Every crossing with another curve, from counts, and the area between them on each side of it.

        Parameters
        ----------
        other : RocCurve
            Of any cases; they need not be the same. Weighted curves work, slowly.

        Returns
        -------
        Crossings
            ``.points``, and ``.stretches`` in which one curve is ahead. It counts what is seen in these
            cases; how sure that is, :func:`rocsteady.winner_map` says for several groups.

        Examples
        --------
        >>> import rocsteady as rs
        >>> strict = rs.roc_curve([1, 1, 0, 0, 1, 0], [6, 5, 4, 3, 2, 1], name="strict")
        >>> loose = rs.roc_curve([0, 1, 1, 1, 0, 0], [6, 5, 4, 3, 2, 1], name="loose")
        >>> found = strict.crossings(loose)
        >>> found
        Crossings(strict and loose: 1 crossing)
        >>> [(round(fpr, 6), round(tpr, 6)) for fpr, tpr in found.points]
        [(0.333333, 0.666667)]
        >>> [stretch.ahead for stretch in found.stretches], round(found.area, 12)
        ([1, -1, 0], 0.111111111111)
        """
        if not isinstance(other, RocCurve):
            raise fail("RS002.crossings", found=f"{other!r:.60}")
        return crossings(self, other)

    def auc_standard_error(self, method: str = "delong") -> float:
        """Standard error of the AUC.

        Parameters
        ----------
        method : {"delong", "nonparametric", "hanley-mcneil"}
            DeLong's; SPSS's nonparametric; Hanley & McNeil's from the AUC alone. Where rows belong together
            (clusters, or named cases with several rows) DeLong's becomes Obuchowski's, and the others refuse
            (RS016).
        """
        return float(curve_intervals.standard_errors(method, self._moments(method), *self._flat)[0])

    def auc_interval(
        self,
        confidence_level: float = 0.95,
        method: str = "guarded",
        *,
        n_resamples: int = 2000,
        seed: int = 0,
    ) -> Interval:
        """Confidence interval of the AUC; what is random is the cases.

        Parameters
        ----------
        confidence_level : float
            Between 0 and 1.
        method : {"guarded", "logit", "delong", "bootstrap"}
            ``"guarded"``: DeLong's error on the logit scale with Student's t, also for a sample with a
            quarter of an uninformative case added to each class; the outer limits count (see Notes).
            ``"logit"``: DeLong's error on the logit scale with the normal distribution. ``"delong"``: the
            Wald interval clipped to [0, 1]. ``"bootstrap"``: percentiles of stratified resamples. The last
            three cover too little where few cases of the rarer class are misplaced (RS155). At an AUC of
            exactly 0 or 1 all of them give the exact bound for separated classes, with a warning (RS151).
            Where rows belong together the first three have Obuchowski's error and Student's t with the
            degrees of freedom of the clusters (RS157 warns below 20 of them), and the bootstrap draws whole
            clusters.
        n_resamples, seed : int
            Of the bootstrap.

        Notes
        -----
        The guarded limits are, for c = 0 and c = 1/4, the outer ones of
        ``expit(logit(A_c) ± t(df_c) * sqrt(V10_c + V01_c) / (A_c * (1 - A_c)))``. ``A_c`` is the AUC of the
        sample to which c cases of each class were added that are tied with everything, ``V10_c`` and
        ``V01_c`` are the parts of DeLong's variance that positives and negatives add, and ``df_c`` is
        Satterthwaite's: ``(V10_c + V01_c)**2 / (V10_c**2 / (m + c - 1) + V01_c**2 / (n + c - 1))`` with m
        positives and n negatives.
        """
        one_of("method", method, curve_intervals.INTERVAL_METHODS, elsewhere=curve_intervals.ELSEWHERE)
        if method != "bootstrap":
            return curve_intervals.single_interval(method, self._moments(method), confidence_level)
        level, n_resamples = (
            open_share("confidence_level", confidence_level),
            resamples_asked(n_resamples, least=1),
        )
        seed, one_by_one = whole_number("seed", seed, least=0, example=0), clusters_of(self) is None
        if one_by_one:
            cases = _cases_of_rows(self)
            n = cases.positive_ranks.size, cases.negative_ranks.size
            if self.auc in (0, 1):  # every resample would be separated too
                warn("RS151.separated", n=1, auc=self.auc)
                low, high = separated_limits(np.array(self.auc), *n, level)
                return Interval(float(low), float(high), level, "separated")
            if min(n) == 1:
                warn("RS153.resampled", n_positives=n[0], n_negatives=n[1])
        drawn = resampled_curve(self, Readings(auc=True), n_resamples=n_resamples, seed=seed)
        if one_by_one:
            if n_resamples > 1 and drawn.min() == drawn.max():
                warn("RS154.flat", n=1, auc=self.auc)
            curve_intervals.warn_short("bootstrap", *n, self.auc)
        low, high = _percentiles(drawn.ravel(), level).tolist()
        return Interval(low, high, level, "bootstrap")

    @welcomes(
        instead={**dict.fromkeys(LEVELS, NO_LEVEL), **dict.fromkeys(SEEDS, "leave it out: nothing is drawn")}
    )
    def auc_null_test(self, method: str | None = None) -> NullTest:
        """Test whether the AUC is 1/2.

        Parameters
        ----------
        method : {"nonparametric", "delong"}, optional
            With the error under that hypothesis, as SPSS (the default), or with DeLong's. Where rows belong
            together only ``"delong"`` is defined and the default: with Obuchowski's error, and Student's t.
        """
        return curve_intervals.null_test(method, self._moments(method or "nonparametric"))

    def tpr_interval(
        self,
        fpr: ArrayLike,
        confidence_level: float = 0.95,
        method: str = "score",
        *,
        n_resamples: int = 2000,
        seed: int = 0,
    ) -> Interval:
        """Confidence interval of the true positive rate at a false positive rate.

        The threshold is set on the negatives, so both classes are uncertain; an interval of the proportion of
        positives alone would be too narrow. What is random is the cases.

        Parameters
        ----------
        fpr : float or array-like
            Where; for several, each has its own interval (see :meth:`band` for all at once).
        confidence_level : float
            Between 0 and 1.
        method : {"score", "exact", "bootstrap"}
            ``"score"``: Wilson's limits of both rates combined; 94 % to 99 % of 95 % intervals held in
            simulations, the upper end where a threshold rests on one or two cases.
            ``"exact"``: order statistics and Clopper-Pearson limits, never below its level and wide.
            ``"bootstrap"``: percentiles of stratified resamples, as pROC's ``ci.se``; it fails where few
            cases are on one side of the threshold (RS295).
        n_resamples, seed : int
            Of the bootstrap.

        Examples
        --------
        >>> import numpy as np
        >>> import rocsteady as rs
        >>> labels = np.repeat([1, 0], 40)
        >>> scores = np.concatenate([np.arange(40) + 25, np.arange(40)])
        >>> curve = rs.roc_curve(labels, scores)
        >>> curve.tpr_at(0.1), curve.tpr_interval(0.1)
        (0.725, Interval(0.5363 to 0.8814, confidence level 0.95, score))
        """
        return self._rate_interval("tpr", fpr, method, confidence_level, n_resamples, seed)

    def fpr_interval(
        self,
        tpr: ArrayLike,
        confidence_level: float = 0.95,
        method: str = "score",
        *,
        n_resamples: int = 2000,
        seed: int = 0,
    ) -> Interval:
        """Confidence interval of the false positive rate at a true positive rate; as :meth:`tpr_interval`."""
        return self._rate_interval("fpr", tpr, method, confidence_level, n_resamples, seed)

    def band(
        self,
        confidence_level: float = 0.95,
        kind: str = "pointwise",
        method: str | None = None,
        *,
        fpr: Sequence[float] = (0.02, 0.5),
        n_resamples: int = 2000,
        seed: int = 0,
    ) -> CurveBand:
        """Limits around the curve; what is random is the cases.

        Parameters
        ----------
        confidence_level : float
            Of each point by itself, or of the whole curve.
        kind : {"pointwise", "simultaneous"}
            ``"pointwise"``: limits of the TPR at each FPR in a declared range. ``"simultaneous"``: the
            population's whole curve lies in the band.
        method : str, optional
            Pointwise: ``"score"`` (as :meth:`tpr_interval`, the default) or ``"bootstrap"``, percentiles.
            Simultaneous: ``"fixed-width"`` (Macskassy, Provost & Rosset 2005; the default): the curve
            displaced along the direction of the two standard errors by what holds that share of resampled
            curves; ``"rectangle"`` (Campbell 1994): by two Kolmogorov distances, without chance and wide.
        fpr : pair of floats
            The declared range of a pointwise band. Where too few cases are on one side of the threshold to
            resample them, limits by the bootstrap are NaN and ``.excluded`` names the range.
        n_resamples, seed : int
            Of the resampling.

        Examples
        --------
        >>> import numpy as np
        >>> import rocsteady as rs
        >>> curve = rs.roc_curve(np.repeat([1, 0], 40), np.concatenate([np.arange(40) + 25, np.arange(40)]))
        >>> curve.band(kind="simultaneous")
        CurveBand(simultaneous, confidence level 0.95, fixed-width)
        >>> band = curve.band(fpr=(0.1, 0.3))
        >>> f"{band.lower.fpr[0]:.1f}: {band.lower.tpr[0]:.4f} to {band.upper.tpr[0]:.4f}"
        '0.1: 0.5363 to 0.8814'
        """
        one_of("kind", kind, tuple(_BAND_METHODS))
        method = _BAND_METHODS[kind][0] if method is None else method
        one_of("method", method, _BAND_METHODS[kind], elsewhere=_ELSEWHERE)
        level = open_share("confidence_level", confidence_level)
        factor, declared = np.nan, None
        excluded: tuple[Range, ...] = ()
        if kind == "pointwise":
            declared = rate_range("fpr", fpr)
            at = np.linspace(*declared, _GRID)
            held = self._held("fpr", at)
            if method == "score":
                self._require_cases(method, "curve.band(method='bootstrap')")
                (low, high), factor = curve_intervals.score_limits(held, level), t_quantile(np.inf, level)
            else:
                low, high = _percentiles(_drawn(self, Readings(tpr_at=at), n_resamples, seed), level)
                left_out = curve_intervals.few_cases(held)
                low[left_out] = high[left_out] = np.nan
                excluded = curve_intervals.runs_of(at, left_out)
            edges = (at, low), (at, high), (at, held.value)
        else:
            if method == "rectangle":
                from scipy.special import kolmogi

                remedy, statistic = "method='fixed-width'", "{'fpr': ...}, "
                curve_intervals.require_independent("the rectangle", self._clusters, remedy, statistic)
                self._require_cases(method, "curve.band(kind='simultaneous', method='fixed-width')")
                distance = float(kolmogi(1 - np.sqrt(level)))
                roots = np.sqrt(self.n_negatives), np.sqrt(self.n_positives)
                of_fpr, of_tpr = (distance / (root + 0.12 + 0.11 / root) for root in roots)
            else:
                require_no_hull(self)
                of_fpr, of_tpr = _fixed_width(self, level, n_resamples, seed)
            worse, better = (self.fpr + of_fpr, self.tpr - of_tpr), (self.fpr - of_fpr, self.tpr + of_tpr)
            edges = worse, better, (self.fpr, self.tpr)
        lower, upper, middle = (BandEdge(read_only(x), read_only(y)) for x, y in edges)
        facts = (kind, level, factor, declared, excluded)
        return CurveBand(lower, upper, middle, *facts, "curves.band", self, method=method)

    @property
    def _flat(self) -> tuple[Counts, Counts, Integers]:
        """The counts as those of one of many curves in flat arrays."""
        offsets = np.array([0, self.thresholds.size], dtype=np.int64)
        return self.true_positives, self.false_positives, offsets

    @property
    def _clusters(self) -> tuple[ClusterCounts | None, ...]:
        return () if self._rows is None else cluster_counts(self._rows)

    def _moments(self, method: str) -> Moments:
        self._require_cases(method, "curve.auc_interval(method='bootstrap')")
        return replace(curve_moments(*self._flat), clusters=self._clusters)

    def _require_cases(self, method: str, call: str) -> None:
        """RS002 for a convex hull, RS038 for weights, with the call that takes them."""
        require_no_hull(self)
        if self.is_weighted:
            raise fail("RS038.formula", method=method, call=call)

    def _held(self, rate: str, at: Floats) -> Held:
        """FPRs at which the TPR is read; or TPRs, seen from the other end.

        The curve of the negatives is one, too: the share of positives missed is held, and the share of
        negatives spared is read.
        """
        n_positives, n_negatives = sizes(self)
        # The threshold that just meets the rate; freed of rounding, as k / n may be an ulp off.
        if rate == "fpr":
            vertices = np.searchsorted(self.fpr, at + 1e-12, side="right") - 1
            of_tpr, of_fpr, together = cases_at(self, vertices)
            read, cases = lambda n: self.tpr_at(n / n_negatives), (of_fpr, of_tpr)
            return Held(at, self.tpr_at(at), n_negatives, n_positives, read, cases, together)
        vertices = np.minimum(np.searchsorted(self.tpr, at - 1e-12), self.tpr.size - 1)
        of_tpr, of_fpr, together = cases_at(self, vertices)
        read, cases = lambda n: 1 - self.fpr_at((n_positives - n) / n_positives), (of_tpr, of_fpr)
        return Held(1 - at, 1 - self.fpr_at(at), n_positives, n_negatives, read, cases, together)

    def _rate_interval(
        self, read: str, at: ArrayLike, method: str, level: float, n_resamples: int, seed: int
    ) -> Interval:
        """Limits of one rate where the other is ``at``."""
        rate = "fpr" if read == "tpr" else "tpr"
        places = rates(rate, at)
        one_of("method", method, ("score", "exact", "bootstrap"), elsewhere=_ELSEWHERE)
        level = open_share("confidence_level", level)
        held = self._held(rate, places.ravel())
        if method == "bootstrap":
            flat = places.ravel()
            readings = Readings(tpr_at=flat) if read == "tpr" else Readings(fpr_at=flat)
            low, high = _percentiles(_drawn(self, readings, n_resamples, seed), level)
            curve_intervals.warn_of_few(held, rate.upper(), Option("method", "score"))
        else:
            if method == "exact":
                statistic = f"{{{rate!r}: {f'{places:g}' if places.ndim == 0 else '...'}}}, "
                remedy, clusters = "method='score'", self._clusters
                curve_intervals.require_independent("the exact method", clusters, remedy, statistic)
            self._require_cases(method, f"curve.{read}_interval(..., method='bootstrap')")
            limits = curve_intervals.score_limits if method == "score" else curve_intervals.exact_limits
            low, high = limits(held, level)
            if read == "fpr":  # turned back, an end at the estimate may be an ulp off
                value = self.fpr_at(places.ravel())
                low, high = np.minimum(1 - high, value), np.maximum(1 - low, value)
        low, high = (scalar_or_array(limit.reshape(places.shape), at) for limit in (low, high))
        return Interval(low, high, level, method)

    _told = ("fpr", "tpr", "auc")
    _in_frame = "thresholds, true_positives, false_positives, fpr, tpr"

    def to_dict(self) -> dict[str, Any]:
        """The curve as plain data that JSON can carry; the infinite threshold is the string ``"inf"``."""
        values = super().to_dict()
        if self.bounds is None:
            del values["bounds"]
        return values

    def __repr__(self) -> str:
        steps = counted(self.thresholds.size - 1, "threshold" if self.bounds is None else "cell")
        bounds = self.auc_bounds
        area = f"{self.auc:.3f}" if self.is_exact else f"{bounds.low:.6f} to {bounds.high:.6f}"
        return f"RocCurve({cases_of(self, 'convex hull, ' if self._is_hull else '')}, {steps}, AUC {area})"


# Its cases, as they are drawn; clusters as a whole
# -------------------------------------------------


def _cases_of_rows(curve: RocCurve) -> RankedCases:
    """Ranks and weights of its cases; RS002 for a convex hull, RS038 for sums of weights without rows."""
    require_no_hull(curve)
    if curve.is_weighted:
        ranks, weights = curve_intervals.ranked_rows(curve._rows)
        return RankedCases.of_one(*ranks, *weights)
    require_countable(curve.n_positives * curve.n_negatives)
    steps = np.arange(curve.thresholds.size - 1)
    counts = (curve.true_positives, curve.false_positives)
    positives, negatives = (np.repeat(steps, np.diff(own)) for own in counts)
    return RankedCases.of_one(positives, negatives)


def resampled_curve(curve: RocCurve, readings: Readings, *, n_resamples: int, seed: int) -> Floats:
    """Readings of resampled curves, one row each: cases drawn in their class, or whole clusters."""
    if clusters_of(curve) is None:
        return resampled_cases(_cases_of_rows(curve), readings, n_resamples=n_resamples, seed=seed)
    require_no_hull(curve)
    drawn = resampled_groups(_cases_of_clusters(curve), readings, n_resamples=n_resamples, seed=seed)
    return drawn.values


def clusters_of(curve: RocCurve) -> Cases | None:
    """What says which rows of a curve belong together; None where rows are independent."""
    return None if curve._rows is None else curve._rows._together


def _cases_of_clusters(curve: RocCurve) -> RankedCases:
    """The cases, cluster after cluster in the order of their names: that of the rows does not matter."""
    rows, together = curve._rows, clusters_of(curve)
    assert rows is not None
    assert together is not None
    present, codes = np.unique(together.codes, return_inverse=True)
    numbers = np.empty(present.size, dtype=np.int64)
    names = [word(together.values[code]) for code in present.tolist()]
    numbers[sorted(range(present.size), key=names.__getitem__)] = np.arange(present.size)
    codes, ranks = numbers[codes.reshape(-1)], score_ranks(rows)
    columns: list[list[Any]] = [[], [], []]
    for own in (rows.is_positive, ~rows.is_positive):
        order = np.flatnonzero(own)[np.argsort(codes[own], kind="stable")]
        columns[0].append(ranks[order])
        columns[1].append(np.append(0, np.cumsum(np.bincount(codes[own], minlength=present.size))))
        columns[2].append(None if rows.sample_weight is None else rows.sample_weight[order])
    return RankedCases(*columns[0], *columns[1], *columns[2])


def require_no_hull(curve: RocCurve) -> None:
    """RS002 for a convex hull: its corners were picked for being the best."""
    if curve._is_hull:
        raise fail("RS002.hull-unsure")


def _drawn(curve: RocCurve, readings: Readings, n_resamples: int, seed: int) -> Floats:
    """Readings of resampled cases, ``(n_resamples, readings)``; checks the numbers."""
    n_resamples = resamples_asked(n_resamples)
    seed = whole_number("seed", seed, least=0, example=0)
    return resampled_curve(curve, readings, n_resamples=n_resamples, seed=seed)


def cases_at(curve: RocCurve, vertices: Indices) -> tuple[EffectiveCases, EffectiveCases, Any]:
    """How many cases TPR and FPR at some vertices are worth, and the correlation of the two.

    Cases are rows, of weighted rows Kish's number, or what clusters are worth.
    """
    rows, together = curve._rows, clusters_of(curve)
    if rows is None or together is None:
        of_tpr, of_fpr = map(EffectiveCases, sizes(curve))
        return of_tpr, of_fpr, 0.0
    counts = cluster_counts(rows)  # refuses weights
    curve_intervals.warn_of_few_clusters(counts)
    codes = np.unique(together.codes, return_inverse=True)[1].reshape(-1)
    found = ClusteredRates.of_rows(score_ranks(rows), rows.is_positive, codes, curve.thresholds.size - 1)
    made = []
    for share, variance, of_class in (
        (curve.tpr, found.tpr_variance, rows.is_positive),
        (curve.fpr, found.fpr_variance, ~rows.is_positive),
    ):
        n = effective_cases(share, variance, int(np.count_nonzero(of_class)))
        made.append(EffectiveCases(n[vertices], np.unique(codes[of_class]).size - 1.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        correlation = found.covariance / np.sqrt(found.tpr_variance * found.fpr_variance)
    correlation = np.clip(np.nan_to_num(correlation, nan=0.0, posinf=0.0, neginf=0.0), -1, 1)
    return made[0], made[1], correlation[vertices]


def sizes(curve: RocCurve) -> tuple[float, float]:
    """Cases of either class; of weighted rows, how many equal ones would be as good (Kish)."""
    if not curve.is_weighted or curve._rows is None or curve._rows.sample_weight is None:
        return curve.n_positives, curve.n_negatives
    of_positives, of_negatives = (float(curve._rows.columns.cases_worth(label)[0]) for label in (1, 0))
    return of_positives, of_negatives


# Its bands
# ---------


def _percentiles(resampled: Floats, level: float) -> Floats:
    return np.quantile(resampled, [(1 - level) / 2, (1 + level) / 2], axis=0)


def _fixed_width(curve: RocCurve, level: float, n_resamples: int, seed: int) -> Range:
    """The displacement along the direction of the two standard errors that holds a share of resampled curves.

    With ``x = sqrt(n_N) * fpr`` and ``y = sqrt(n_P) * tpr`` both rates scatter alike, and the direction is
    that of ``x + y`` constant. Along a curve ``x + y`` grows, so ``y - x`` is a function of it.

    Resamples hold only the cases seen, so half a case of each class is added; and as no resample of separated
    classes has an error, the width is not less than that of the bound on a rate of which n cases show none.
    Measured on binormal scores from 20 cases in a class upwards and areas of .6 to .998: 94 % to 100 % of
    95 % bands hold the whole curve (without the two, down to 75 %).
    """
    if clusters_of(curve) is None:
        of_y, of_x = np.sqrt(sizes(curve))
    else:
        moments = curve._moments("fixed-width")
        curve_intervals.warn_of_few_clusters(moments.clusters)
        of_y, of_x = np.sqrt(np.ravel(curve_intervals.units(moments)))
    along = of_x * curve.fpr + of_y * curve.tpr
    vertices = even_vertices(along, _MOST_VERTICES)
    rates = _drawn(curve, Readings(frozen=vertices), n_resamples, seed)
    x, y = of_x * rates[:, : vertices.size], of_y * rates[:, vertices.size :]
    at = np.linspace(0, along[-1], _MOST_VERTICES)
    own = np.interp(at, along, of_y * curve.tpr - of_x * curve.fpr)
    farthest = [np.abs(np.interp(at, a + b, b - a) - own).max() for a, b in zip(x, y, strict=True)]
    width = float(np.quantile(farthest, level, method="higher"))
    width += (1 / of_x + 1 / of_y) / 2
    # Half of the error for each class.
    width = max(width, -np.log((1 - level) / 2) / min(of_x, of_y))
    return width / (2 * of_x), width / (2 * of_y)
