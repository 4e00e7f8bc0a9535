"""Bands: limits around a curve or an average, and the bands of one curve.

What is random about one curve is the cases.

References
----------
Campbell (1994), Statistics in Medicine 13, 499-508 (the rectangle). Macskassy, Provost & Rosset (2005),
Proceedings of the 22nd International Conference on Machine Learning, 537-544 (fixed width). Stephens
(1970), Journal of the Royal Statistical Society B 32, 115-122 (the Kolmogorov distance of small samples).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.arguments import one_of, open_share, rate_range
from rocsteady.counting.results import TableResult, read_only
from rocsteady.counting.table import cluster_counts
from rocsteady.curves.auc_uncertainty import warn_of_few_clusters
from rocsteady.curves.cases import clusters_of, require_cases, require_independent_rows, require_no_hull
from rocsteady.curves.rate_intervals import drawn_readings, few_cases, held_fpr, score_limits, sizes
from rocsteady.uncertainty.intervals import normal_quantile
from rocsteady.uncertainty.resampling import Readings
from rocsteady.words import counted

if TYPE_CHECKING:
    from rocsteady.curves.roc import RocCurve

Floats = NDArray[np.float64]
Range = tuple[float, float]

METHODS = {"pointwise": ("score", "bootstrap"), "simultaneous": ("fixed-width", "rectangle")}
_ELSEWHERE = {
    "wilson": "score",
    "percentile": "bootstrap",
    "fwb": "fixed-width",
    "ks": "rectangle",
    "campbell": "rectangle",
    "kolmogorov-smirnov": "rectangle",
}
_GRID = 200
_MOST_VERTICES = 400  # where resampled curves are followed; the others lie between


@dataclass(frozen=True, eq=False, repr=False)
class BandEdge(TableResult):
    """One side of a band, as a polyline; not clipped to the unit square."""

    fpr: Floats
    tpr: Floats

    def _columns(self) -> dict[str, Any]:
        return {"fpr": self.fpr, "tpr": self.tpr}

    def __repr__(self) -> str:
        return f"BandEdge({counted(self.fpr.size, 'point')})"


@dataclass(frozen=True, eq=False, repr=False)
class Band(TableResult):
    """Limits around a curve or an average.

    Attributes
    ----------
    lower, upper : BandEdge
        The worse and the better side, point by point; the same number of points as ``middle``.
    middle : BandEdge
        The curve or average at the same positions.
    kind : str
        "pointwise", "simultaneous" or "prediction".
    confidence_level : float
        Of each point, of the whole band, or of one more group's curve at each point.
    factor : float
        What the standard error was multiplied by; NaN where there is no such factor, as with percentiles.
    fpr : (float, float) or None
        The declared range, where there is one.
    excluded : tuple of (float, float)
        Ranges of false positive rates left out: because most curves coincide there, or too few cases of one
        curve are on one side of the threshold to resample them.
    reading : str
        What the band promises.
    """

    lower: BandEdge
    upper: BandEdge
    middle: BandEdge
    kind: str
    confidence_level: float
    factor: float
    fpr: Range | None
    excluded: tuple[Range, ...]
    reading: str

    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {}
        for name in ("middle", "lower", "upper"):
            edge = getattr(self, name)
            prefix = "" if name == "middle" else f"{name}_"
            columns |= {f"{prefix}fpr": edge.fpr, f"{prefix}tpr": edge.tpr}
        return columns

    def __repr__(self) -> str:
        over = "" if self.fpr is None else f", fpr {self.fpr[0]:g} to {self.fpr[1]:g}"
        return f"Band({self.kind}, confidence level {self.confidence_level:g}{over})"


@dataclass(frozen=True, eq=False, repr=False)
class CurveBand(Band):
    """Limits around one curve.

    Attributes
    ----------
    method : str
        How they were made; the others as in :class:`Band`.
    """

    method: str = "score"

    def __repr__(self) -> str:
        return super().__repr__().replace("Band(", "CurveBand(")[:-1] + f", {self.method})"


def band_of_curve(
    curve: RocCurve, kind: str, method: str | None, fpr: Sequence[float], level: float, drawn: dict[str, int]
) -> CurveBand:
    """The band of a kind, by its usual method if none is named."""
    one_of("kind", kind, tuple(METHODS))
    made_by = METHODS[kind][0] if method is None else method
    one_of("method", made_by, METHODS[kind], elsewhere=_ELSEWHERE)
    level = open_share("confidence_level", level)
    if kind == "pointwise":
        return _pointwise(curve, made_by, rate_range("fpr", fpr), level, drawn)
    if made_by == "rectangle":
        require_independent_rows(curve, "the rectangle", "method='fixed-width'", "TprAt(...), ")
        require_cases(curve, made_by, "curve.band(kind='simultaneous', method='fixed-width')")
        return _displaced(curve, *_rectangle(curve, level), level, made_by)
    require_no_hull(curve)
    return _displaced(curve, *_fixed_width(curve, level, drawn), level, made_by)


def _pointwise(
    curve: RocCurve, method: str, declared: Range, level: float, drawn: dict[str, int]
) -> CurveBand:
    at = np.linspace(*declared, _GRID)
    held = held_fpr(curve, at)
    if method == "score":
        require_cases(curve, method, "curve.band(method='bootstrap')")
        factor = normal_quantile(level)
        low, high = score_limits(held, level)
        left_out = np.zeros(at.size, dtype=np.bool_)
    else:
        factor, left_out = float("nan"), few_cases(held)
        resampled = drawn_readings(curve, Readings(tpr_at=at), **drawn)
        low, high = np.quantile(resampled, [(1 - level) / 2, (1 + level) / 2], axis=0)
    low, high = (np.where(left_out, np.nan, limit) for limit in (low, high))
    excluded = _ranges(at, left_out)
    return CurveBand(
        lower=BandEdge(read_only(at), read_only(low)),
        upper=BandEdge(read_only(at), read_only(high)),
        middle=BandEdge(read_only(at), read_only(held.value)),
        kind="pointwise",
        confidence_level=level,
        factor=factor,
        fpr=declared,
        excluded=excluded,
        reading=_promise(curve, "pointwise", level, excluded),
        method=method,
    )


def _rectangle(curve: RocCurve, level: float) -> Range:
    """How far each rate of the whole curve may be off, both at once: two Kolmogorov distances."""
    from scipy.special import kolmogi

    distance = float(kolmogi(1 - np.sqrt(level)))
    sides = [np.sqrt(n) for n in (curve.n_negatives, curve.n_positives)]
    return distance / (sides[0] + 0.12 + 0.11 / sides[0]), distance / (sides[1] + 0.12 + 0.11 / sides[1])


def _fixed_width(curve: RocCurve, level: float, drawn: dict[str, int]) -> Range:
    """The displacement along the direction of the two standard errors that holds a share of resampled curves.

    With ``x = sqrt(n_N) * fpr`` and ``y = sqrt(n_P) * tpr`` both rates scatter alike, and the direction is
    that of ``x + y`` constant. Along a curve ``x + y`` grows, so ``y - x`` is a function of it.

    Resamples hold only the cases seen, so half a case of each class is added; and as no resample of separated
    classes has an error, the width is not less than that of the bound on a rate of which n cases show none.
    Measured on binormal scores from 20 cases in a class upwards and areas of .6 to .998: 94 % to 100 % of
    95 % bands hold the whole curve (without the two, down to 75 %).
    """
    of_y, of_x = np.sqrt(sizes(curve) if clusters_of(curve) is None else _clusters_by_class(curve))
    along = of_x * curve.fpr + of_y * curve.tpr
    vertices = np.arange(along.size)
    if along.size > _MOST_VERTICES:
        even = np.linspace(0, along[-1], _MOST_VERTICES)
        vertices = np.unique(np.append(np.searchsorted(along, even), [0, along.size - 1]))
    rates = drawn_readings(curve, Readings(frozen=vertices), **drawn)
    x, y = of_x * rates[:, : vertices.size], of_y * rates[:, vertices.size :]
    at = np.linspace(0, along[-1], _MOST_VERTICES)
    own = np.interp(at, along, of_y * curve.tpr - of_x * curve.fpr)
    farthest = [np.abs(np.interp(at, a + b, b - a) - own).max() for a, b in zip(x, y, strict=True)]
    width = float(np.quantile(farthest, level, method="higher"))
    width += (1 / of_x + 1 / of_y) / 2
    # Half of the error for each class.
    width = max(width, -np.log((1 - level) / 2) / min(of_x, of_y))
    return width / (2 * of_x), width / (2 * of_y)


def _clusters_by_class(curve: RocCurve) -> tuple[int, int]:
    """How many clusters have positives, and negatives: what is independent of the rows."""
    assert curve._rows is not None
    (own,) = cluster_counts(curve._rows)
    assert own is not None
    warn_of_few_clusters([own])
    return int(np.count_nonzero(own.n_positives)), int(np.count_nonzero(own.n_negatives))


def _displaced(curve: RocCurve, of_fpr: float, of_tpr: float, level: float, method: str) -> CurveBand:
    """The curve moved to the upper left and to the lower right."""
    x, y = curve.fpr, curve.tpr
    return CurveBand(
        lower=BandEdge(read_only(x + of_fpr), read_only(y - of_tpr)),
        upper=BandEdge(read_only(x - of_fpr), read_only(y + of_tpr)),
        middle=BandEdge(x, y),
        kind="simultaneous",
        confidence_level=level,
        factor=float("nan"),
        fpr=None,
        excluded=(),
        reading=_promise(curve, "simultaneous", level, ()),
        method=method,
    )


def _ranges(at: Floats, chosen: NDArray[np.bool_]) -> tuple[Range, ...]:
    """Runs of chosen positions, each as its first and last."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], chosen, [False]])))
    return tuple((float(at[i]), float(at[j - 1])) for i, j in zip(edges[::2], edges[1::2], strict=True))


def _promise(curve: RocCurve, kind: str, level: float, excluded: tuple[Range, ...]) -> str:
    what = "The whole curve" if kind == "simultaneous" else "At each FPR by itself, the TPR"
    cases = "the cases are taken as a random sample"
    if not curve.is_weighted:
        cases = (
            f"the {counted(curve.n_positives, 'positive')} and {counted(curve.n_negatives, 'negative')} are "
            f"taken as random samples"
        )
    left = ""
    if excluded:
        ranges = ", ".join(f"{a:.3g} to {b:.3g}" for a, b in excluded)
        left = f"; left out, because too few cases to resample are on one side there: FPR {ranges}"
    return f"{what} of all such cases lies in the band with {100 * level:g} % confidence; {cases}{left}."
