"""What whole commands cost: their CPU time over that of a fixed piece of NumPy work, each in a fresh process.

Both take turns, with one thread, so that the ratio says the same on another machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.measurement import Measurement

_YARD = (
    "import numpy as np; draw = np.random.default_rng(0).random; "
    "[np.sort(draw(1_000_000)).cumsum() for _ in range(12)]"
)
_ROLES = ("-g", "host", "-y", "label", "-s", "score")
_USE = ("--deploy", "shared", "--at", "fpr=0.05")
COMMANDS = {
    "report-demo": "rocsteady report of the demo",
    "report-1e6": "rocsteady report, 1e6 rows, 1000 groups",
    "check-demo": "rocsteady check of the demo",
}


def command_in_yards(task: str, rounds: int) -> Measurement:
    """The CPU time of a command over that of the yardstick, round by round."""
    typed = _typed(task)
    ours, yards = [], []
    for number in range(rounds + 1):  # the first round warms the files
        turns = [(ours, [sys.executable, "-m", "rocsteady", *typed]), (yards, [sys.executable, "-c", _YARD])]
        for kept, line in turns if number % 2 == 0 else reversed(turns):
            kept.append(_cpu_seconds(line))
    ours, yards = ours[1:], yards[1:]
    return Measurement(
        rounds=tuple(a / b for a, b in zip(ours, yards, strict=True)),
        best=min(ours) / min(yards),
        note=f"{np.median(ours):.2f} against {np.median(yards):.2f} s of CPU",
        raw={"rocsteady": tuple(ours), "yardstick": tuple(yards)},
    )


def _cpu_seconds(line: list[str]) -> float:
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "ROCSTEADY_THREADS"), "1")
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | threads
    before = os.times()
    subprocess.run(line, check=True, capture_output=True, env=environment)
    after = os.times()
    return sum(getattr(after, own) - getattr(before, own) for own in ("children_user", "children_system"))


def _typed(task: str) -> list[str]:
    """What is typed after ``rocsteady``."""
    table = _demo() if task.endswith("demo") else _million()
    roles = [*_ROLES, "-p", "attack", "-m", "model", "--case", "event"] if task.endswith("demo") else _ROLES
    if task.startswith("check"):
        return ["check", str(table), *roles]
    return ["report", str(table), *roles, *_USE, "-o", str(table.with_suffix(".html")), "--overwrite"]


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="rocsteady-"))


@cache
def _demo() -> Path:
    """The two detectors on 24 hosts."""
    import csv

    from rocsteady.simulate import hosts

    columns = hosts()
    path = _folder() / "hosts.csv"
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path


@cache
def _million() -> Path:
    """One detector on a thousand hosts of a thousand rows each."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    rng = np.random.default_rng(1)
    host = np.repeat(np.arange(1000), 1000)
    label = (rng.random(host.size) < 0.1).astype(np.int8)
    score = np.round(rng.normal(size=host.size) + 1.5 * label + 0.3 * rng.normal(size=1000)[host], 5)
    path = _folder() / "million.parquet"
    parquet.write_table(pa.table({"host": host, "label": label, "score": score}), path)
    return path
