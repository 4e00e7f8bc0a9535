"""P-values of several tests at once, adjusted for their number."""

from __future__ import annotations

import numpy as np

from rocsteady.arrays import Floats
from rocsteady.options import one_of

METHODS = ("holm", "bh")


def adjusted(pvalues: Floats, method: str | None) -> Floats:
    """P-values of a family of tests, adjusted; NaN are no tests.

    ``"holm"`` bounds the chance of any false rejection (Holm 1979), ``"bh"`` the expected share of false ones
    among the rejections (Benjamini & Hochberg 1995).

    Examples
    --------
    >>> import numpy as np
    >>> adjusted(np.array([0.01, 0.04, 0.03]), "holm").round(6).tolist()
    [0.03, 0.06, 0.06]
    >>> adjusted(np.array([0.01, 0.04, 0.03]), "bh").round(6).tolist()
    [0.03, 0.04, 0.04]
    """
    if method is None:
        return pvalues
    one_of("adjust", method, METHODS, elsewhere=dict.fromkeys(("fdr", "benjamini-hochberg", "fdr_bh"), "bh"))
    flat = np.array(pvalues, dtype=np.float64).ravel()
    tested = np.flatnonzero(~np.isnan(flat))
    order = tested[np.argsort(flat[tested], kind="stable")]
    m, rank = order.size, np.arange(1, order.size + 1)
    if method == "holm":
        flat[order] = np.minimum(np.maximum.accumulate((m - rank + 1) * flat[order]), 1.0)
    elif method == "bh":
        flat[order] = np.minimum.accumulate((m / rank * flat[order])[::-1])[::-1]
    return flat.reshape(np.shape(pvalues))
