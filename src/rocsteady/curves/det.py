"""The detection error trade-off (DET) curve: both error rates on normal-deviate axes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.counting.arguments import rates
from rocsteady.counting.results import TableResult
from rocsteady.curves.reading import read_path, scalar_or_array
from rocsteady.errors import counted
from rocsteady.showing import Drawn

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class DetCurve(Drawn, TableResult, figure="det"):
    """A DET curve, strictest threshold first.

    Attributes
    ----------
    thresholds, fpr, fnr : float64 array
        The two error rates at every threshold (FMR and FNMR in biometrics).
    fpr_deviate, fnr_deviate : float64 array
        Their normal deviates, the coordinates on which binormal scores give a straight line; infinite where
        a rate is 0 or 1.

    References
    ----------
    Martin, Doddington, Kamm, Ordowski & Przybocki (1997), Eurospeech, 1895-1898.
    """

    thresholds: Floats
    fpr: Floats
    fnr: Floats
    fpr_deviate: Floats
    fnr_deviate: Floats

    @cached_property
    def equal_error_rate(self) -> float:
        """The error rate at the point of the curve where both are equal."""
        return float(read_path(self.fpr - self.fnr, self.fpr, np.array(0.0), end="last"))

    def fnr_at(self, fpr: ArrayLike) -> Any:
        """The false negative rate at a false positive rate; on a jump the smaller one."""
        return scalar_or_array(read_path(self.fpr, self.fnr, rates("fpr", fpr), end="last"), fpr)

    def fpr_at(self, fnr: ArrayLike) -> Any:
        """The false positive rate at a false negative rate; on a jump the smaller one."""
        return scalar_or_array(read_path(-self.fnr, self.fpr, -rates("fnr", fnr), end="first"), fnr)

    def _columns(self) -> dict[str, Any]:
        names = ("thresholds", "fpr", "fnr", "fpr_deviate", "fnr_deviate")
        return {name.replace("thresholds", "threshold"): getattr(self, name) for name in names}

    def __repr__(self) -> str:
        return f"DetCurve({counted(self.thresholds.size - 1, 'threshold')})"


def det_curve(thresholds: Floats, fpr: Floats, fnr: Floats) -> DetCurve:
    """Put both error rates on normal-deviate scales."""
    from scipy.special import ndtri

    return DetCurve(thresholds, fpr, fnr, ndtri(fpr), ndtri(fnr))
