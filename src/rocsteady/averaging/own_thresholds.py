"""Where every group has its own threshold: how far they run."""

from __future__ import annotations

import numpy as np

from rocsteady.averaging.given import Members


def own_thresholds(
    groups: Members, *, fpr: float | None = None, tpr: float | None = None
) -> tuple[float, float]:
    """The smallest and the largest threshold at which groups reach a rate of their own.

    For ``fpr`` the loosest threshold that keeps it, for ``tpr`` the strictest that reaches it.
    """
    table = groups.table
    found = []
    for start, stop in zip(table.offsets[:-1], table.offsets[1:], strict=True):
        if fpr is not None:
            counts = table.false_positives[start:stop]
            vertex = np.searchsorted(counts / counts[-1], fpr, side="right") - 1
        else:
            counts = table.true_positives[start:stop]
            vertex = np.searchsorted(counts / counts[-1], tpr or 0.0, side="left")
        found.append(table.thresholds[start + vertex])
    return float(np.min(found)), float(np.max(found))
