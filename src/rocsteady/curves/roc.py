"""The ROC curve: a table of counts and its readings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.counting.arguments import one_of, rate_range, rates, yes_or_no
from rocsteady.counting.results import TableResult, plain, read_only
from rocsteady.curves.area import require_both_classes, share_won
from rocsteady.curves.checked_counts import checked_counts
from rocsteady.curves.hull import hull_vertices
from rocsteady.curves.partial import partial_area, standardize
from rocsteady.curves.reading import Rates, read_path, scalar_or_array, thresholds_told, vertex_at
from rocsteady.curves.uncertain import UncertainCurve
from rocsteady.errors import UsageError, counted
from rocsteady.scores.arrays import index_of, require_one_index
from rocsteady.scores.scores import Scores
from rocsteady.showing import Drawn
from rocsteady.words import printable

# Views with a file of their own are imported when they are asked for; most curves never are.
if TYPE_CHECKING:
    from rocsteady.curves.coordinates import Coordinates
    from rocsteady.curves.cost import CostCurve
    from rocsteady.curves.det import DetCurve
    from rocsteady.curves.eer import EqualErrorRate
    from rocsteady.curves.precision_recall import PrecisionRecallCurve

Floats = NDArray[np.float64]
Counts = NDArray[Any]


@dataclass(frozen=True, eq=False, repr=False)
class RocCurve(UncertainCurve, Drawn, TableResult, figure="roc"):
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
    _exact: NDArray[Any] | None = None  # see CountTable
    _is_hull: bool = False  # a selection of another curve's vertices: not what one sample of scores gave

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
        given = {
            "thresholds": thresholds,
            "true_positives": true_positives,
            "false_positives": false_positives,
        }
        require_one_index({name: index_of(values) for name, values in given.items()})
        checked = checked_counts(thresholds, true_positives, false_positives, higher_is_positive)
        require_both_classes(checked[1][-1], checked[2][-1], name)
        u, tp, fp = map(read_only, checked)
        return cls(u, tp, fp, higher_is_positive=higher_is_positive, name=name)

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
        return share_won(self.true_positives, self.false_positives)

    def rates_at(self, threshold: ArrayLike, rule: str | None = None) -> Rates:
        """The rates that a threshold gives.

        Parameters
        ----------
        threshold : float or array-like
            Any number, observed or not. Integer scores above 2**53 are compared with integers as integers;
            RS048 for a float that stands for several of them.
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
        vertex, rule = vertex_at(self.thresholds, threshold, rule, self.higher_is_positive, self._exact)
        return Rates(
            threshold=thresholds_told(threshold, self._exact),
            fpr=scalar_or_array(self.fpr[vertex], threshold),
            tpr=scalar_or_array(self.tpr[vertex], threshold),
            rule=rule,
        )

    def tpr_at(self, fpr: ArrayLike, side: str = "upper") -> Any:
        """The true positive rate at a false positive rate.

        Where the curve rises straight up, ``"upper"`` reads the top (the best that this FPR affords) and
        ``"lower"`` the bottom. ``tpr_at(0)`` is therefore the TPR without any false alarm, not 0.
        """
        end = {"upper": "last", "lower": "first"}[one_of("side", side, ("upper", "lower"))]
        return scalar_or_array(read_path(self.fpr, self.tpr, rates("fpr", fpr), end=end), fpr)

    def fpr_at(self, tpr: ArrayLike, side: str = "lower") -> Any:
        """The false positive rate at a true positive rate.

        Where the curve runs straight right, ``"lower"`` reads the left end (the best that this TPR can have)
        and ``"upper"`` the right end.
        """
        end = {"lower": "first", "upper": "last"}[one_of("side", side, ("lower", "upper"))]
        return scalar_or_array(read_path(self.tpr, self.fpr, rates("tpr", tpr), end=end), tpr)

    def partial_auc(
        self,
        *,
        fpr: Sequence[float] | None = None,
        tpr: Sequence[float] | None = None,
        standardized: bool = False,
    ) -> float:
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
        >>> round(curve.partial_auc(fpr=(0, 0.1)), 6)
        0.07
        >>> round(curve.partial_auc(fpr=(0, 0.1), standardized=True), 6)
        0.842105
        """
        if (fpr is None) == (tpr is None):
            raise UsageError(
                "RS002",
                "a partial AUC needs one range, of fpr or of tpr.",
                f"found: fpr={fpr!r}, tpr={tpr!r}",
                "partial_auc(fpr=(0, 0.1))",
                "partial_auc(tpr=(0.9, 1))",
            )
        if tpr is None:
            low, high = rate_range("fpr", fpr)
            area = partial_area(self.false_positives, self.true_positives, low, high)
        else:
            low, high = rate_range("tpr", tpr)
            area = partial_area(self.true_positives, self.n_negatives - self.false_positives, low, high)
        if not yes_or_no("standardized", standardized):
            return area
        return standardize(area, low, high, above=tpr is not None)

    @cached_property
    def equal_error_rate(self) -> float:
        """The error rate at the point of the curve where FPR = FNR; see :meth:`eer` for other meanings."""
        return self.eer().value

    def eer(self, method: str = "polyline") -> EqualErrorRate:
        """The equal error rate under a named meaning, with its threshold.

        Parameters
        ----------
        method : str
            ``"polyline"`` the point of the curve itself; ``"hull"`` of its convex hull; ``"closest-vertex"``
            the FPR of the vertex where the two rates are closest; ``"mean-of-closest"`` and
            ``"max-of-closest"`` the mean and the larger of the two there.
        """
        from rocsteady.curves.eer import equal_error_rate

        return equal_error_rate(self, method)

    def hull(self) -> RocCurve:
        """The convex hull, as a curve on some of the vertices: what thresholds and coin throws can reach.

        All readings work on it; standard errors, intervals and tests refuse (RS002), because its corners were
        picked for being the best.
        """
        kept = hull_vertices(self.true_positives, self.false_positives)
        return RocCurve(
            read_only(self.thresholds[kept]),
            read_only(self.true_positives[kept]),
            read_only(self.false_positives[kept]),
            higher_is_positive=self.higher_is_positive,
            name=self.name,
            _exact=None if self._exact is None else self._exact[kept],
            _is_hull=True,
        )

    def det(self) -> DetCurve:
        """Both error rates and their normal deviates, the coordinates of a DET plot."""
        from rocsteady.curves.det import det_curve

        return det_curve(self.thresholds, self.fpr, self.fnr)

    def cost_curve(self) -> CostCurve:
        """The cost of the best threshold for every mixture of costs and prevalence (Drummond & Holte)."""
        from rocsteady.curves.cost import cost_curve

        return cost_curve(self.hull())

    def precision_recall(self) -> PrecisionRecallCurve:
        """Precision and recall at the same thresholds."""
        from rocsteady.curves.precision_recall import precision_recall_curve

        return precision_recall_curve(self.thresholds, self.true_positives, self.false_positives)

    def coordinates(self) -> Coordinates:
        """SPSS's "Coordinates of the Curve": cut-offs midway between the scores."""
        from rocsteady.curves.coordinates import spss_coordinates

        return spss_coordinates(self.thresholds, self.tpr, self.fpr, self.higher_is_positive)

    def to_dict(self) -> dict[str, Any]:
        """The curve as plain data that JSON can carry; the infinite threshold is the string ``"inf"``."""
        return super().to_dict() | {"fpr": plain(self.fpr), "tpr": plain(self.tpr), "auc": self.auc}

    def _columns(self) -> dict[str, Any]:
        counts = {"true_positives": self.true_positives, "false_positives": self.false_positives}
        return {"threshold": self.thresholds} | counts | {"fpr": self.fpr, "tpr": self.tpr}

    def __repr__(self) -> str:
        name = f"{printable(self.name)}: " if self.name is not None else ""
        name += "convex hull, " if self._is_hull else ""
        if self.is_weighted:
            cases = f"weights {self.n_positives:g} positive and {self.n_negatives:g} negative"
        else:
            cases = f"{counted(self.n_positives, 'positive')}, {counted(self.n_negatives, 'negative')}"
        return (
            f"RocCurve({name}{cases}, {counted(self.thresholds.size - 1, 'threshold')}, AUC {self.auc:.3f})"
        )
