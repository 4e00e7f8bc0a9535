"""The kinds of arrays that signatures name."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Counts = NDArray[Any]
"""int64, or float64 sums of weights."""
Floats = NDArray[np.float64]
Indices = NDArray[np.intp]
Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]
