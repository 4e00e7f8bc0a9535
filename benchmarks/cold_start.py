"""What rocsteady costs to load over ``import numpy``, in fresh interpreters that take turns.

Names are imported when first used, so ``import rocsteady`` loads next to nothing. What a user waits for
before the first call is the row ``first-use``, which also asks for the names of the fast path.
"""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np

from benchmarks.measurement import Measurement

_CLOCKED = "from time import perf_counter as now; start = now(); {statement}; print(now() - start)"
_STATEMENTS = {
    "numpy": "import numpy",
    "import": "import rocsteady, numpy",
    "first-use": "import rocsteady; rocsteady.auc; rocsteady.roc_curve",
}


def cold_start(task: str, rounds: int) -> Measurement:
    """Milliseconds of the import of rocsteady minus those of numpy, round by round.

    The spread is relative to the import of rocsteady as a whole: a difference of a few milliseconds
    between two imports of a hundred cannot itself be steady to 15 %.
    """
    for module in ("numpy", task):  # byte code is written and files are cached, as for any user
        _import_seconds(module)
    numpy, rocsteady = [], []
    for number in range(rounds):
        turns = [("numpy", numpy), (task, rocsteady)]
        for module, seconds in turns if number % 2 == 0 else reversed(turns):
            seconds.append(_import_seconds(module))
    ours = float(np.median(rocsteady)) * 1e3
    theirs = float(np.median(numpy)) * 1e3
    return Measurement(
        rounds=tuple((r - n) * 1e3 for r, n in zip(rocsteady, numpy, strict=True)),
        best=(min(rocsteady) - min(numpy)) * 1e3,
        note=f"{ours:.0f} against {theirs:.0f} ms",
        scale=ours,
        raw={"rocsteady": tuple(rocsteady), "numpy": tuple(numpy)},
    )


def _import_seconds(module: str) -> float:
    command = [sys.executable, "-c", _CLOCKED.format(statement=_STATEMENTS[module])]
    # Compiled modules are kept, as for any user, whatever this shell says.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return float(done.stdout)
