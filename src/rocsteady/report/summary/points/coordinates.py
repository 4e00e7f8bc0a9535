"""The coordinates of the curve as a table: what SPSS prints, thinned where a curve has too many points."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.report.summary.points.places import prevalence_of, shared_threshold
from rocsteady.results import plain_fields
from rocsteady.words import counted

if TYPE_CHECKING:
    from rocsteady.report.summary.material import Material

Floats = NDArray[np.float64]

_MOST_ROWS = 40


@dataclass(frozen=True, eq=False)
class Coordinates:
    """The points of one curve, strictest cut-off first.

    Attributes
    ----------
    model : str
    heading : str
        Which curve it is, and how many of its points are shown.
    thresholds : float64 array
        NaN where every group has its own.
    cells : tuple of str
        The same as they are shown, with their sign: ``"≥ 1.64"``.
    fpr, tpr, youden, lr_positive, lr_negative : float64 arrays
        Rates of the curve, TPR - FPR, and both likelihood ratios (NaN for 0 / 0).
    n_vertices : int
        Points that the curve has.
    is_thinned : bool
        Whether some are not shown.
    """

    model: str
    heading: str
    thresholds: Floats
    cells: tuple[str, ...]
    fpr: Floats
    tpr: Floats
    youden: Floats
    lr_positive: Floats
    lr_negative: Floats
    n_vertices: int
    is_thinned: bool

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can carry."""
        return plain_fields(self)


def coordinates_of(material: Material) -> tuple[Coordinates, ...]:
    """One table for each model, of the declared average, or of the curve where there is only one."""
    return tuple(_of_model(material, name) for name in material.names)


def _of_model(material: Material, name: str) -> Coordinates:
    curve: Any = material.average(material.key, name)
    if len(material.curves(name)) == 1:
        curve = material.curves(name)[0]
    thresholds = getattr(curve, "thresholds", None)
    fpr, tpr = np.asarray(curve.fpr), np.asarray(curve.tpr)
    marked = []
    if thresholds is not None:
        at = shared_threshold(curve, material.declared_place, prevalence_of(material, name)[0])
        marked = np.flatnonzero(thresholds == at)[:1].tolist()
    chosen = some_vertices(fpr, tpr, _MOST_ROWS, marked)
    x, y = fpr[chosen], tpr[chosen]
    shown = np.full(chosen.size, np.nan) if thresholds is None else thresholds[chosen]
    cells = tuple(material.wording.cutoff(each) if not math.isnan(each) else "" for each in shown.tolist())
    whose = f"of the average {material.unit}" if material.is_grouped else "of the curve"
    part = "" if chosen.size == fpr.size else f": {chosen.size} of {counted(fpr.size, 'point')}"
    own = "" if thresholds is not None else f"; every {material.unit} has its own cut-offs"
    return Coordinates(
        model=name,
        heading=f"Coordinates {whose}{part}{own}",
        thresholds=np.asarray(shown, dtype=np.float64),
        cells=cells,
        fpr=x,
        tpr=y,
        youden=y - x,
        lr_positive=_ratio(y, x),
        lr_negative=_ratio(1 - y, 1 - x),
        n_vertices=int(fpr.size),
        is_thinned=bool(chosen.size < fpr.size),
    )


def _ratio(part: Floats, whole: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(part / whole)


def some_vertices(fpr: Floats, tpr: Floats, most: int, kept: list[int]) -> NDArray[np.intp]:
    """Indices of at most so many vertices, evenly along the curve, its ends and the kept ones among them.

    >>> import numpy as np
    >>> fpr, tpr = np.linspace(0, 1, 101), np.ones(101)
    >>> some_vertices(fpr, tpr, 6, [7]).tolist()
    [0, 7, 25, 50, 75, 100]
    """
    if fpr.size <= most:
        return np.arange(fpr.size)
    along = fpr + tpr
    target = np.linspace(along[0], along[-1], most - len(kept))
    index = np.searchsorted(along, target).clip(0, fpr.size - 1)
    return np.unique(np.concatenate([[0, fpr.size - 1], kept, index]).astype(np.intp))
