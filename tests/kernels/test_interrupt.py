"""Ctrl-C reaches a running kernel. In a process of its own: signals belong to the main thread."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from conftest import skip_unless_required
from rocsteady._kernels import is_native

# A Python signal handler runs only when somebody asks, and signals that wait are run once. So a handler that runs
# several times within one call proves that the kernel asks while it works.
HANDLED_WITHIN_ONE_CALL = """
import signal
import numpy as np
from rocsteady._kernels import kernels

n = 30_000_000
scores = np.random.default_rng(0).random(n, dtype=np.float32)
labels = np.arange(n) % 2 == 0
handled = 0
def count(*_):
    global handled
    handled += 1
signal.signal(signal.SIGALRM, count)
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
kernels.count_wins(scores, labels, np.array([0, n]), 1.0, 0.0, True, 2)
signal.setitimer(signal.ITIMER_REAL, 0)
print(handled)
"""

STOPPED_BY_CONTROL_C = """
import signal, _thread
import numpy as np
from rocsteady._kernels import kernels

n = 30_000_000
scores = np.random.default_rng(0).random(n, dtype=np.float32)
labels = np.arange(n) % 2 == 0
rows = (scores, labels, np.array([0, n]), 1.0, 0.0)
signal.signal(signal.SIGALRM, lambda *_: _thread.interrupt_main())
signal.setitimer(signal.ITIMER_REAL, 0.02)
try:
    kernels.count_curves(*rows, None, True, 2)
except KeyboardInterrupt:
    small = kernels.count_wins(scores[:1000], labels[:1000], np.array([0, 1000]), 1.0, 0.0, True, 2)
    print("stopped, and works again", small[1][0])
"""


def run(script: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=300
    ).stdout


@pytest.fixture(autouse=True)
def native_on_posix() -> None:
    if not is_native:
        skip_unless_required("the C++ kernels are not built")
    if not hasattr(signal, "setitimer"):
        skip_unless_required("no interval timers on this system")


def test_signals_are_handled_while_a_kernel_runs() -> None:
    assert int(run(HANDLED_WITHIN_ONE_CALL)) >= 2


def test_control_c_stops_a_kernel_without_damage() -> None:
    assert run(STOPPED_BY_CONTROL_C) == "stopped, and works again 500\n"
