"""Calls of the resampling kernels: what they refuse, how they report, how they are stopped."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
import pytest

from conftest import skip_unless_required
from rocsteady._kernels import is_native, kernels, reference


@pytest.fixture(autouse=True, scope="module")
def native() -> None:
    if not is_native:
        skip_unless_required("the C++ kernels are not built")


def arguments(kernel: str, n_resamples: int = 3) -> dict:
    """Two groups of three cases, one reading of each kind."""
    kinds = np.arange(7)
    given = {
        "positive_ranks": np.array([0, 1, 0]),
        "negative_ranks": np.array([1, 2, 1]),
        "positive_offsets": np.array([0, 2, 3]),
        "negative_offsets": np.array([0, 2, 3]),
        "positive_weights": None,
        "negative_weights": None,
        "kinds": kinds,
        "low": np.array([0, 0.1, 0.1, 0.5, 0.5, 1, 1]),
        "high": np.array([0, 0.2, 0.2, 0, 0, 0, 0]),
        "frozen": np.ones((2 if kernel == "resample_cases" else 1, 2), dtype=np.int64),
        "seed": 0,
        "n_resamples": n_resamples,
        "threads": 2,
        "progress": None,
    }
    if kernel == "resample_cases":
        return given | {"group_weights": np.ones(2), "shared": False}
    return given | {"positive_shares": np.ones(2), "negative_shares": np.ones(2)}


KERNELS = ["resample_cases", "resample_groups"]
SPOILED: dict[str, Callable[[dict], dict]] = {
    "a negative rank": lambda a: {"positive_ranks": a["positive_ranks"] - 1},
    "offsets of other rows": lambda a: {"positive_offsets": np.array([0, 2, 4])},
    "offsets of other groups": lambda a: {"negative_offsets": np.array([0, 3])},
    "no groups": lambda a: {
        "positive_offsets": np.array([0]),
        "negative_offsets": np.array([0]),
        "positive_ranks": np.empty(0, dtype=np.int64),
        "negative_ranks": np.empty(0, dtype=np.int64),
    },
    "no negatives": lambda a: {
        "negative_ranks": np.empty(0, dtype=np.int64),
        "negative_offsets": np.zeros(3, dtype=np.int64),
    },
    "weights of one class": lambda a: {"positive_weights": np.ones(3)},
    "too few weights": lambda a: {"positive_weights": np.ones(2), "negative_weights": np.ones(3)},
    "no such reading": lambda a: {"kinds": a["kinds"] + 1},
    "a rate above 1": lambda a: {"low": a["low"] + 0.6},
    "a rate that is none": lambda a: {"low": np.full(7, np.nan)},
    "a range that falls": lambda a: {"high": np.zeros(7)},
    "too few limits": lambda a: {"low": a["low"][:-1]},
    "no such column": lambda a: {"frozen": a["frozen"][:, :1].copy()},
    "no such vertex": lambda a: {"frozen": a["frozen"] + 3},
    "a negative vertex": lambda a: {"frozen": a["frozen"] - 2},
    "vertices of other curves": lambda a: {"frozen": np.ones((3, 2), dtype=np.int64)},
    "fewer than no resamples": lambda a: {"n_resamples": -1},
}


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("spoil", list(SPOILED))
def test_what_would_be_read_outside_is_refused(kernel: str, spoil: str) -> None:
    given = arguments(kernel)
    getattr(kernels, kernel)(**given)
    with pytest.raises(ValueError, match=r"rank|offsets|class|weights?|reading|vertex|groups"):
        getattr(kernels, kernel)(**given | SPOILED[spoil](given))


@pytest.mark.parametrize("kernel", KERNELS)
def test_groups_that_lack_a_class(kernel: str) -> None:
    """Drawn cases need both classes on every curve; drawn groups need both in all of them together."""
    given = arguments(kernel) | {"negative_offsets": np.array([0, 3, 3])}
    for module in (kernels, reference):
        if kernel == "resample_cases":
            with pytest.raises(ValueError, match="a curve lacks a class"):
                getattr(module, kernel)(**given)
        else:
            getattr(module, kernel)(**given)
            with pytest.raises(ValueError, match="a class has no weight"):
                getattr(module, kernel)(**given | {"negative_shares": np.zeros(2)})


def long_work(kernel: str) -> dict:
    """A few tenths of a second."""
    rng = np.random.default_rng(0)
    n = 100_000
    ranks, offsets = rng.permutation(2 * n), np.array([0, n // 2, n])
    given = arguments(kernel, 1500) | {
        "positive_ranks": ranks[:n],
        "negative_ranks": ranks[n:],
        "positive_offsets": offsets,
        "negative_offsets": offsets,
        "kinds": np.zeros(1, dtype=np.int64),
        "low": np.zeros(1),
        "high": np.zeros(1),
    }
    return given | ({"shared": True, "frozen": given["frozen"][:1].copy()} if "shared" in given else {})


@pytest.mark.parametrize("module", [kernels, reference], ids=["kernel", "twin"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_progress_is_told_at_the_end_and_not_too_often(kernel: str, module: object) -> None:
    told: list[tuple[int, int, float]] = []

    def progress(done: int, total: int) -> None:
        told.append((done, total, time.monotonic()))

    n = 1500
    given = long_work(kernel) if module is kernels else arguments(kernel, n)
    getattr(module, kernel)(**given | {"progress": progress})
    assert told[-1][:2] == (n, n)
    done = [entry[0] for entry in told]
    assert done == sorted(done)
    assert all(entry[1] == n for entry in told)
    apart = np.diff([entry[2] for entry in told[:-1]])
    assert (apart > 0.09).all()


@pytest.mark.parametrize("kernel", KERNELS)
def test_what_a_report_raises_comes_back_to_the_caller(kernel: str) -> None:
    def progress(done: int, total: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        getattr(kernels, kernel)(**arguments(kernel) | {"progress": progress})
    getattr(kernels, kernel)(**arguments(kernel))


@pytest.mark.parametrize("module", [kernels, reference], ids=["kernel", "twin"])
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("weight", [-1.0, np.nan, np.inf])
def test_weights_that_no_draw_could_count_are_refused(kernel: str, module: object, weight: float) -> None:
    """With a negative share no draw of groups counted for anything, and the next one was tried for ever."""
    weights = np.array([1.0, weight, weight])
    own = ["group_weights"] if kernel == "resample_cases" else ["positive_shares", "negative_shares"]
    for spoiled in (
        *({name: weights[:2]} for name in own),
        {"positive_weights": weights, "negative_weights": np.ones(3)},
    ):
        with pytest.raises(ValueError, match="a weight is"):
            getattr(module, kernel)(**arguments(kernel) | spoiled)


@pytest.mark.parametrize("kernel", KERNELS)
def test_more_readings_than_there_is_memory_for(kernel: str) -> None:
    """2**61 resamples of 8 readings would be none in 64 bits."""
    given = arguments(kernel, 2**61)
    for name in ("kinds", "low", "high"):
        given[name] = np.append(given[name], given[name][:1])
    with pytest.raises(MemoryError):
        getattr(kernels, kernel)(**given)


HANDLED_WHILE_GROUPS_ARE_DRAWN = """
import signal, time
import numpy as np
from rocsteady._kernels import kernels

n = 700_000  # groups, of which only the first has cases: nearly all of the time is spent on drawing
offsets = np.minimum(np.arange(n + 1), 1)
rank, share = np.zeros(1, dtype=np.int64), np.ones(n)
readings = (np.zeros(1, dtype=np.int64), np.zeros(1), np.zeros(1), np.zeros((1, 0), dtype=np.int64))
handled = []
signal.signal(signal.SIGALRM, lambda *_: handled.append(time.perf_counter()))
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
begin = time.perf_counter()
kernels.resample_groups(rank, rank + 1, offsets, offsets, None, None, share, share, *readings, 0, 32, 1, None)
end = time.perf_counter()
signal.setitimer(signal.ITIMER_REAL, 0)
print(end - begin, sum(begin < moment < end for moment in handled))
"""


def test_signals_are_handled_while_groups_are_drawn() -> None:
    """Every 50 ms, if it were alone; once or twice in all if only the walk asked."""
    if not hasattr(signal, "setitimer"):
        skip_unless_required("no interval timers on this system")
    done = subprocess.run(
        [sys.executable, "-c", HANDLED_WHILE_GROUPS_ARE_DRAWN],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    seconds, handled = map(float, done.stdout.split())
    assert handled > max(2, 3 * seconds), done.stdout


STOPPED_BY_CONTROL_C = """
import signal, sys, _thread
import numpy as np
from rocsteady._kernels import kernels

n = 100_000
ranks, offsets = np.random.default_rng(0).permutation(2 * n), np.array([0, n // 2, n])
columns = (ranks[:n], ranks[n:], offsets, offsets, None, None)
readings = (np.zeros(1, dtype=np.int64), np.zeros(1), np.zeros(1), np.zeros((1, 0), dtype=np.int64))
signal.signal(signal.SIGALRM, lambda *_: _thread.interrupt_main())
signal.setitimer(signal.ITIMER_REAL, 0.1)
try:
    if sys.argv[1] == "resample_cases":
        kernels.resample_cases(*columns, np.ones(2), True, *readings, 0, 1_000_000, 2, None)
    else:
        kernels.resample_groups(*columns, np.ones(2), np.ones(2), *readings, 0, 1_000_000, 2, None)
except KeyboardInterrupt:
    print("stopped")
"""


@pytest.mark.parametrize("kernel", KERNELS)
def test_control_c_stops_the_kernel(kernel: str) -> None:
    if not hasattr(signal, "setitimer"):
        skip_unless_required("no interval timers on this system")
    done = subprocess.run(
        [sys.executable, "-c", STOPPED_BY_CONTROL_C, kernel],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.strip() == "stopped", done.stderr
