"""Two contestants take turns in one process; the ratio of their times is taken within rounds."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import numpy as np

from benchmarks.measurement import Measurement
from benchmarks.peers import Call

SHORTEST_TURN = 0.06  # seconds; faster calls are repeated within their turn
LONG_CALL = 1.0  # seconds; from which on a call needs no warming up


def race(
    ours: Call, theirs: Call, *, peer: str, rounds: int, peer_times: int = 1
) -> Callable[[], Measurement]:
    """Find out how long a turn must be, and return the race, which can be run again.

    The peer's times are multiplied by ``peer_times``.
    """
    calls = (ours, theirs)
    repeats, is_long = zip(*(_calls_per_turn(call) for call in calls), strict=True)

    def run() -> Measurement:
        seconds: tuple[list[float], list[float]] = ([], [])
        for number in range(rounds):
            # Who begins changes, so that neither always finds the caches the other left behind.
            for who in (0, 1) if number % 2 == 0 else (1, 0):
                took = _turn(calls[who], repeats[who], is_long=is_long[who])
                seconds[who].append(took * (peer_times if who == 1 else 1))
        return _compare(*seconds, peer=peer)

    return run


def _compare(ours: list[float], theirs: list[float], *, peer: str) -> Measurement:
    return Measurement(
        rounds=tuple(t / o for o, t in zip(ours, theirs, strict=True)),
        best=min(theirs) / min(ours),
        note=f"{_milliseconds(ours)} against {_milliseconds(theirs)} ms",
        raw={"rocsteady": tuple(ours), peer: tuple(theirs)},
    )


def _milliseconds(seconds: list[float]) -> str:
    median = float(np.median(seconds)) * 1e3
    return f"{median:,.0f}" if median >= 100 else f"{median:.3g}"


def _calls_per_turn(call: Call) -> tuple[int, bool]:
    """How many calls fill the shortest turn (timed until a clock can tell), and whether one takes long."""
    repeats = 1
    while True:
        start = time.perf_counter()
        for _ in range(repeats):
            call()
        took = time.perf_counter() - start
        if took >= SHORTEST_TURN / 4:
            return max(1, round(repeats * SHORTEST_TURN / took)), took / repeats > LONG_CALL
        repeats *= 4


def _turn(call: Call, repeats: int, *, is_long: bool) -> float:
    """Mean seconds of a call. Freeing its result is part of it; collecting others' garbage is not."""
    gc.collect()
    if not is_long:
        # Untimed: what the other contestant leaves behind (OpenBLAS threads still spinning, cold caches,
        # memory taken away because nobody touched it for seconds) weighs on the first short call only.
        for _ in range(repeats):
            call()
    gc.disable()
    try:
        start = time.perf_counter()
        for _ in range(repeats):
            call()
        return (time.perf_counter() - start) / repeats
    finally:
        gc.enable()
