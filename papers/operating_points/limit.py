"""The detector with ever more cases: what its cross-validated curve should come to, and what it comes to."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from papers.checks import Check, simulated
from papers.operating_points.detector import detector_scores
from papers.operating_points.parameters import LIMIT_TPRS
from rocsteady.averaging.average import average
from rocsteady.simulate import highleyman_fpr

Floats = NDArray[np.float64]
SECTION = "Highleyman, the limit of the detector"
SEED = 5000
N_PER_CLASS = 10_000


def limit() -> dict[str, float]:
    """The FPRs at six TPRs, by quadrature."""
    return {f"{tpr:g}": float(highleyman_fpr(tpr)) for tpr in LIMIT_TPRS}


def checks(expected: Mapping[str, float], n_replicates: int) -> list[Check]:
    """The stored limits against quadrature, and against detectors trained and tested on many cases."""
    again = limit()
    found = [
        Check(SECTION, f"FPR at TPR {tpr}", fpr, again[tpr], 5e-7, "six digits that are stored")
        for tpr, fpr in expected.items()
    ]
    read = np.array([_fprs(SEED + i) for i in range(n_replicates)])
    errors = read.std(axis=0, ddof=1) / np.sqrt(n_replicates)
    source = f"{n_replicates} samples of {N_PER_CLASS} per class"
    return found + [
        simulated(
            SECTION,
            f"cross-validated FPR at TPR {tpr}",
            fpr,
            read[:, i].mean(),
            errors[i],
            source,
            n_replicates - 1,
        )
        for i, (tpr, fpr) in enumerate(expected.items())
    ]


def _fprs(seed: int) -> Floats:
    curve = average(detector_scores(N_PER_CLASS, seed), "threshold")
    return np.asarray(curve.fpr_at(np.array(LIMIT_TPRS)))
