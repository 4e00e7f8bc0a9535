"""Extra bytes per score: how far resident memory rises above the inputs, in one process per case.

``python -m benchmarks.memory TASK CONTESTANT SIZE`` is such a process. Linux only: elsewhere the
high-water mark cannot be set back after the inputs have been made.
"""

from __future__ import annotations

import ctypes
import gc
import subprocess
import sys
from pathlib import Path

from benchmarks.data import Sample
from benchmarks.measurement import Measurement, NotMeasuredError
from benchmarks.tasks import TASKS

OURS = "rocsteady"
_RESET = Path("/proc/self/clear_refs")
_STATUS = Path("/proc/self/status")


def extra_bytes(task: str, size: int, peer: str, *, with_peer: bool) -> Measurement:
    """Bytes per score of ours, with the peer's in the note."""
    if not _RESET.exists():
        raise NotMeasuredError("needs Linux (/proc/self/clear_refs)")
    ours = _in_own_process(task, OURS, size)
    raw = {OURS: (ours,)}
    note = f"{peer} left out"
    if with_peer:
        try:
            raw[peer] = (_in_own_process(task, peer, size),)
            note = f"{peer} {raw[peer][0]:.1f}"
        except RuntimeError as error:
            note = str(error)
    return Measurement((ours,), ours, note, raw=raw)


def _in_own_process(task: str, contestant: str, size: int) -> float:
    command = [sys.executable, "-m", "benchmarks.memory", task, contestant, str(size)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        reason = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise RuntimeError(f"{contestant}: {reason[-1]}")
    return float(done.stdout)


def _measure_here(task: str, contestant: str, size: int) -> float:
    chosen = TASKS[task]
    ready = chosen.ours if contestant == OURS else chosen.peers[contestant][0]
    ready(Sample(10_000))()  # imports, thread pools and the like are not bytes per score
    sample = Sample(size)
    for column in ("labels", "scores", "rival_scores"):
        getattr(sample, column)
    call = ready(sample)
    gc.collect()
    _give_back_free_memory()
    _RESET.write_text("5")  # sets the high-water mark to what is resident now
    before = _high_water_mark()
    call()
    return (_high_water_mark() - before) / size


def _give_back_free_memory() -> None:
    """Memory that malloc keeps would be used again unseen."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc only
    if trim is not None:
        trim(0)


def _high_water_mark() -> int:
    line = next(line for line in _STATUS.read_text().splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


if __name__ == "__main__":
    print(_measure_here(sys.argv[1], sys.argv[2], int(sys.argv[3])))
