"""How sure a curve is: intervals, bands and tests, as methods of :class:`rocsteady.RocCurve`.

What is random is the cases. The formulas are in modules of their own, which are named where they are used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.counting.arguments import one_of
from rocsteady.counting.table import Moments, cluster_counts, curve_moments
from rocsteady.curves import auc_uncertainty
from rocsteady.curves.auc_uncertainty import NullTest
from rocsteady.curves.cases import cases_of_curve, clusters_of, resampled_curve
from rocsteady.uncertainty.intervals import Interval
from rocsteady.uncertainty.resampling import Readings

if TYPE_CHECKING:
    from rocsteady.curves.bands import CurveBand
    from rocsteady.curves.roc import RocCurve

Floats = NDArray[np.float64]


class UncertainCurve:
    """What a curve of counts can say of its own uncertainty."""

    def auc_standard_error(self, method: str = "delong") -> float:
        """Standard error of the AUC.

        Parameters
        ----------
        method : {"delong", "nonparametric", "hanley-mcneil"}
            DeLong's; SPSS's nonparametric; Hanley & McNeil's from the AUC alone. Where rows belong together
            (clusters, or named cases with several rows) DeLong's becomes Obuchowski's, and the others refuse
            (RS016).
        """
        moments = self._moments(method)
        auc_uncertainty.warn_of_few_clusters(moments.clusters)
        error = auc_uncertainty.standard_errors(method, moments, self._ties)
        if method == "delong":
            auc_uncertainty.warn_single_cases(moments)
        return float(error[0])

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
        method : {"guarded", "logit", "delong", "nonparametric", "hanley-mcneil", "bootstrap"}
            ``"guarded"``: DeLong's error on the logit scale with Student's t, also for a sample with a
            quarter of an uninformative case added to each class; the outer limits count (see Notes).
            ``"logit"``: DeLong's error on the logit scale with the normal distribution, which covers too
            little where a class is rare (RS155). ``"delong"``, ``"nonparametric"``, ``"hanley-mcneil"``:
            Wald intervals clipped to [0, 1]. ``"bootstrap"``: percentiles of stratified resamples. At an
            AUC of exactly 0 or 1 all of them give the exact bound for separated classes, with a warning
            (RS151). Where rows belong together the first three have Obuchowski's error and Student's t with
            the degrees of freedom of the clusters (RS157 warns below 20 of them), the bootstrap draws whole
            clusters, and the others refuse (RS016).
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
        one_of("method", method, auc_uncertainty.INTERVAL_METHODS, elsewhere=auc_uncertainty.ELSEWHERE)
        if method == "bootstrap":
            return self._bootstrap(confidence_level, n_resamples, seed)
        return auc_uncertainty.single_interval(method, self._moments(method), self._ties, confidence_level)

    def auc_null_test(self, method: str | None = None) -> NullTest:
        """Test whether the AUC is 1/2.

        Parameters
        ----------
        method : {"nonparametric", "delong"}, optional
            With the error under that hypothesis, as SPSS (the default), or with DeLong's. Where rows belong
            together only ``"delong"`` is defined and the default: with Obuchowski's error, and Student's t.
        """
        return auc_uncertainty.null_test(method, self._moments(method or "nonparametric"))

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
        from rocsteady.curves.rate_intervals import tpr_interval

        drawn = {"n_resamples": n_resamples, "seed": seed}
        return tpr_interval(self._as_curve, fpr, method, confidence_level, drawn)

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
        from rocsteady.curves.rate_intervals import fpr_interval

        drawn = {"n_resamples": n_resamples, "seed": seed}
        return fpr_interval(self._as_curve, tpr, method, confidence_level, drawn)

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
        from rocsteady.curves.bands import band_of_curve

        drawn = {"n_resamples": n_resamples, "seed": seed}
        return band_of_curve(self._as_curve, kind, method, fpr, confidence_level, drawn)

    @property
    def _as_curve(self) -> RocCurve:
        return cast("RocCurve", self)

    def _moments(self, method: str) -> Moments:
        curve = self._as_curve
        if curve._is_hull:
            raise auc_uncertainty.refuse_hull()
        clusters = () if curve._rows is None else cluster_counts(curve._rows)
        if curve.is_weighted:
            raise auc_uncertainty.refuse_weights(method)
        moments = curve_moments(curve.true_positives, curve.false_positives, self._offsets)
        return replace(moments, clusters=clusters)

    def _ties(self) -> tuple[Floats, Floats]:
        curve = self._as_curve
        return auc_uncertainty.tied_squares(curve.true_positives, curve.false_positives, self._offsets)

    @property
    def _offsets(self) -> NDArray[np.int64]:
        return np.array([0, self._as_curve.thresholds.size], dtype=np.int64)

    def _bootstrap(self, confidence_level: float, n_resamples: int, seed: int) -> Interval:
        if clusters_of(self._as_curve) is not None:
            auc_uncertainty.require_resampling(confidence_level, n_resamples, seed)
            drawn = resampled_curve(self._as_curve, Readings(auc=True), n_resamples=n_resamples, seed=seed)
            low, high = np.quantile(drawn, [(1 - confidence_level) / 2, (1 + confidence_level) / 2])
            return Interval(float(low), float(high), confidence_level, "bootstrap")
        cases = cases_of_curve(self._as_curve)
        positive_weights, negative_weights = cases.positive_weights, cases.negative_weights
        return auc_uncertainty.bootstrap_interval(
            self._as_curve.auc,
            (cases.positive_ranks, cases.negative_ranks),
            None
            if positive_weights is None or negative_weights is None
            else (positive_weights, negative_weights),
            confidence_level=confidence_level,
            n_resamples=n_resamples,
            seed=seed,
        )
