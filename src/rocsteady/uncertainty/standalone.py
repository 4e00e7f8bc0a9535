"""A standalone reading against readers, as functions of arrays.

The standalone reading has one value and no spread between readers. Each reader's value is taken away from it;
what is left is a study of one modality, analysed as Hillis (2007, section 5.3) does. That is what an analysis
of two modalities finds where every reader of the first has the standalone scores.

References
----------
Hillis (2007), Statistics in Medicine 26, 596-619.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def standalone_less_readers(values: Floats, covariance: Floats) -> tuple[Floats, Floats]:
    """The first value less each of the others, and the covariances of these differences.

    Parameters
    ----------
    values : (..., 1 + r) array
        Of the standalone reading, then of each reader.
    covariance : (..., 1 + r, 1 + r) array
        Over samples of cases.

    Examples
    --------
    >>> import numpy as np
    >>> covariance = np.full((3, 3), 2e-4) + np.diag([1e-4, 4e-4, 4e-4])
    >>> differences, errors = standalone_less_readers(np.array([0.9, 0.8, 0.85]), covariance)
    >>> differences.round(6).tolist(), errors.round(6).tolist()
    ([0.1, 0.05], [[0.0005, 0.0001], [0.0001, 0.0005]])
    """
    values, covariance = np.asarray(values, dtype=np.float64), np.asarray(covariance, dtype=np.float64)
    with_readers = covariance[..., 1:, :1]
    errors = covariance[..., 1:, 1:] - with_readers - np.swapaxes(with_readers, -1, -2)
    return values[..., :1] - values[..., 1:], errors + covariance[..., :1, :1]
