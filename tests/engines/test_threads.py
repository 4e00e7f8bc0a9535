"""The first use from several threads at once: a package may be half imported when another thread looks at it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import rocsteady as rs

COUNTED_AT_ONCE = """
import sys, threading, traceback
import pyarrow as pa
import rocsteady as rs

path = sys.argv[1]
frame = pa.table({"label": [1, 0, 1, 0], "score": [4.0, 3.0, 2.0, 1.0]})
begin, failed = threading.Barrier(8), []

def count(number):
    begin.wait()
    try:
        for _ in range(3):
            source = frame if number % 2 else path
            counted = rs.count_scores(source, label="label", score="score", engine="duckdb" if source is path else None)
            assert rs.roc_curves(counted).auc.tolist() == [0.75]
    except BaseException:
        failed.append(traceback.format_exc())

threads = [threading.Thread(target=count, args=(number,)) for number in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(*failed, sep="\\n")
"""

HALF_IMPORTED = """
import sys, types
import pyarrow as pa
import rocsteady as rs

frame = pa.table({"label": [1, 0, 1, 0], "score": [4.0, 3.0, 2.0, 1.0]})
arrays = frame["label"].to_numpy(), frame["score"].to_numpy()
assert "rocsteady.counting.counted" not in sys.modules and "duckdb" not in sys.modules
for name in ("duckdb", "rocsteady.counting.counted", "rocsteady.curves.smroc"):
    sys.modules[name] = types.ModuleType(name)  # as another thread leaves it while it imports
print(rs.auc(*arrays))
for name in ("rocsteady.counting.counted", "rocsteady.curves.smroc"):
    del sys.modules[name]
print(rs.count_scores(frame, label="label", score="score"))
"""


def run(script: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("repetition", range(4))
def test_scores_are_counted_from_several_threads_at_once(tmp_path: Path, repetition: int) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("label,score\n1,4\n0,3\n1,2\n0,1\n")
    assert run(COUNTED_AT_ONCE, str(path)) == ""


def test_a_package_that_another_thread_is_importing_has_no_instances_yet() -> None:
    assert run(HALF_IMPORTED).splitlines()[0] == str(rs.auc([1, 0, 1, 0], [4.0, 3, 2, 1]))
