"""Numbers and sums to twice the precision of a double, as arrays of high and low parts.

What two doubles add up to, or multiply to, is a double and a rest, and both are computed exactly (Dekker
1971; Ogita, Rump & Oishi 2005). A weighted mean of counts / n whose quotients and sums keep the rest is
rounded once.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Long(NamedTuple):
    """Numbers as the sum of a double and a much smaller one."""

    high: Any
    low: Any

    @property
    def value(self) -> Any:
        """The nearest doubles."""
        return self.high + self.low

    def plus(self, other: Long) -> Long:
        """The sum."""
        total = self.high + other.high
        part = total - self.high
        rest = (self.high - (total - part)) + (other.high - part)
        return Long(total, self.low + other.low + rest)

    def times(self, factor: Any) -> Long:
        """The product with doubles."""
        product = self.high * factor
        (a, b), (c, d) = _halves(self.high), _halves(factor)
        rest = ((a * c - product) + a * d + b * c) + b * d
        return Long(product, rest + self.low * factor)


def _halves(x: Any) -> tuple[Any, Any]:
    """Two numbers of 26 bits with this sum, whose products are exact (Veltkamp)."""
    shifted = 134217729.0 * x
    high = shifted - (shifted - x)
    return high, x - high


def _quotient(dividend: Floats, divisor: Long) -> Long:
    first = dividend / divisor.value
    rest = Long(dividend, np.zeros_like(dividend)).plus(divisor.times(-first))
    second = rest.value / divisor.value
    total = first + second
    return Long(total, second - (total - first))


def shares_of_cases(weights: Floats, n_cases: Floats) -> Long:
    """What a case of every group counts in a weighted mean: ``weights / (n_cases * sum(weights))``."""
    # A power of two changes no digit, and what is multiplied stays far from overflow.
    scaled = np.ldexp(weights, -int(np.frexp(weights.max())[1]))
    total = math.fsum(scaled)
    whole = Long(total, math.fsum([*scaled, -total]))
    return _quotient(scaled, whole.times(np.asarray(n_cases, dtype=np.float64)))
