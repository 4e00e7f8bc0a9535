"""NumPy twin of the counter-based streams (``native/stream.hpp``).

Draw number k of a stream is a function of where the stream starts and of k: SplitMix64, read as a hash of a
counter. So any thread can take any replicate.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Unsigned = NDArray[np.uint64]

_GAMMA = 0x9E3779B97F4A7C15
_WORD = 2**64 - 1


def stream_start(seed: int, replicate: int) -> int:
    """Where the stream of a replicate starts."""
    return substream_start(_mixed_number((seed + _GAMMA) & _WORD), replicate)


def substream_start(start: int, number: int) -> int:
    """Where a stream within a stream starts."""
    return _mixed_number((start + number) & _WORD)


def drawn_below(start: int, first: int, bounds: Unsigned) -> Integers:
    """Draws ``first``, ``first + 1``, ... of a stream, each below its own bound.

    The high half of draw * bound. Bounds stay below 2**32, so that the bias is below 2**-32.
    """
    counters = np.arange(first + 1, first + 1 + bounds.size, dtype=np.uint64)
    draws = _mixed(np.uint64(start) + counters * np.uint64(_GAMMA))
    half = np.uint64(32)
    low = (draws & np.uint64(2**32 - 1)) * bounds >> half
    return (((draws >> half) * bounds + low) >> half).astype(np.int64)


def _mixed(x: Unsigned) -> Unsigned:
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def _mixed_number(x: int) -> int:
    return int(_mixed(np.array([x], dtype=np.uint64))[0])
