"""The work, one contestant after the other, each in a fresh process that measures itself.

``python -m benchmarks.large.contestants NAME`` is such a process: it reads the job from standard input and
writes CPU seconds, peak of resident memory and the answer to standard output.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # pyarrow and NumPy would count as memory of contestants that do without them
    from benchmarks.large.generate import Dataset
    from benchmarks.large.reference import Truth

BINS = 1_024
TOLERANCE = 1e-6
CORES = 2  # the gates were set with two; a thread more is a hash table more
WIDEST_AVERAGE = 2e-3
"""Bounds so far from the area, on either side, would be right and say little."""
ROUNDING = 1e-12
_STATUS = Path("/proc/self/status")

Answer = dict[str, Any]
Areas = dict[str, tuple[float, float]]


@dataclass(frozen=True)
class Job:
    """The files to count, the range of their scores, which only the yard is told, and the memory to use."""

    files: list[str]
    lowest: float
    highest: float
    memory: str | None = None

    @staticmethod
    def of(dataset: Dataset, *, times: int = 1, memory: str | None = None) -> Job:
        """All files of a dataset, listed so many times; without ``memory``, each contestant has its own."""
        return Job([str(path) for path in dataset.files] * times, dataset.lowest, dataset.highest, memory)


@dataclass(frozen=True)
class Run:
    """What a process found about itself."""

    cpu_seconds: float
    wall_seconds: float
    peak_bytes: int
    answer: Answer


def yard(job: Job) -> Answer:
    """What nobody can do without: read the columns and count by host, bin and label."""
    import duckdb

    scale = BINS / (job.highest - job.lowest)
    query = f"""
        SELECT host, least({BINS - 1}, floor((score - ?) * ?))::SMALLINT AS bin, label, count(*) AS cases
        FROM read_parquet(?) GROUP BY ALL
    """
    table = duckdb.connect().execute(query, [job.lowest, scale, job.files]).to_arrow_table()
    cases, labels = table["cases"].to_numpy(), table["label"].to_numpy()
    return {"rows": int(cases.sum()), "positives": int(cases[labels == 1].sum())}


def averages(job: Job) -> Answer:
    """One pass, then the three averages and the area of every host."""
    import rocsteady as rs

    counts = _counted(job, group="host")
    answer = _common(counts)
    for method in ("threshold", "vertical", "pooled"):
        average = rs.average(counts, method, undefined="drop")
        answer[method] = [average.auc] * 3
        if not counts.is_exact:  # a table of a few million rows may be
            answer[method] = [average.auc, float(average.auc_bounds.low), float(average.auc_bounds.high)]
    return answer


def exact(job: Job) -> Answer:
    """The area of every host to the last digit, within a gigabyte."""
    counts = _counted(job, group="host", tolerance=0, memory="1GB")
    return _common(counts) | {"is_exact": bool(counts.is_exact)}


def pooled(job: Job) -> Answer:
    """The area of all rows together, certified."""
    counts = _counted(job, tolerance={"auc": TOLERANCE})
    return _common(counts)


def pooled_rates(job: Job) -> Answer:
    """The area of all rows together and every rate of their curve, certified."""
    counts = _counted(job, tolerance=TOLERANCE)
    return _common(counts) | {"rate_bound": float(counts.rate_bound)}


def _counted(job: Job, **options: Any) -> Any:
    """The counts; a table that would fit into memory is counted as a large one all the same."""
    import rocsteady as rs

    if job.memory is not None:
        options["memory"] = job.memory
    return rs.count_scores(job.files, label="label", score="score", engine="duckdb", **options)


def _common(counts: Any) -> Answer:
    """How the rows were counted, how many, and the bounds of every area, by the name of its host."""
    names = compress(counts.names, counts.has_curve)
    areas = {
        name: (float(low), float(high)) for name, low, high in zip(names, *counts.auc_bounds, strict=True)
    }
    return {"how": counts.how.rung, "rows": counts.n_rows, "areas": areas}


def check_yard(answer: Answer, truth: Truth) -> None:
    """Every row was counted."""
    expected = {"rows": truth.rows, "positives": truth.positives}
    assert answer == expected, f"counted {answer}, not {expected}"


def _check_rows(answer: Answer, truth: Truth) -> None:
    assert answer["rows"] == truth.rows, f"counted {answer['rows']:,} rows, not {truth.rows:,}"


def check_averages(answer: Answer, truth: Truth) -> None:
    """All bounds hold, those of every host too, and none is so wide that it says nothing."""
    _check_rows(answer, truth)
    _check_areas(answer["areas"], truth.aucs, half_width=2 * WIDEST_AVERAGE)
    for method in ("threshold", "vertical", "pooled"):
        estimate, low, high = answer[method]
        _check_area((low, high), getattr(truth, f"{method}_auc"), half_width=WIDEST_AVERAGE, of=method)
        assert low <= estimate <= high, f"{method}: {estimate} is outside its own bounds [{low}, {high}]"


def check_exact(answer: Answer, truth: Truth) -> None:
    """Said to be exact, and exact."""
    _check_rows(answer, truth)
    assert answer["is_exact"], "the counts do not claim to be exact"
    _check_areas(answer["areas"], truth.aucs, half_width=0)


def check_pooled(answer: Answer, truth: Truth) -> None:
    """The area lies within the certified interval, which is as narrow as was asked for."""
    _check_rows(answer, truth)
    (bounds,) = answer["areas"].values()
    _check_area(bounds, truth.pooled_auc, half_width=TOLERANCE, of="all rows")


def check_pooled_rates(answer: Answer, truth: Truth) -> None:
    """As above, and the rates are said to be as certain; how far they are off is not looked at."""
    check_pooled(answer, truth)
    assert answer["rate_bound"] <= TOLERANCE, f"rates within {answer['rate_bound']}: wider than asked"


def _check_areas(areas: Areas, truth: dict[str, float], *, half_width: float) -> None:
    assert areas.keys() == truth.keys(), f"areas of other hosts: {sorted(areas.keys() ^ truth.keys())[:3]}"
    for host, bounds in areas.items():
        _check_area(bounds, truth[host], half_width=half_width, of=host)


def _check_area(bounds: tuple[float, float], area: float, *, half_width: float, of: str) -> None:
    low, high = bounds
    assert low - ROUNDING <= area <= high + ROUNDING, f"AUC of {of} is {area!r}, not in [{low}, {high}]"
    assert (high - low) / 2 <= half_width + ROUNDING, f"AUC of {of} in [{low}, {high}]: wider than asked"


WORK: dict[str, tuple[Callable[[Job], Answer], Callable[[Answer, Truth], None]]] = {
    "yard": (yard, check_yard),
    "averages": (averages, check_averages),
    "exact": (exact, check_exact),
    "pooled": (pooled, check_pooled),
    "pooled-rates": (pooled_rates, check_pooled_rates),
}


def run(name: str, job: Job, warm_up: Job) -> Run:
    """Have the work done by a process of its own."""
    command = [sys.executable, "-m", "benchmarks.large.contestants", name]
    message = json.dumps([asdict(job), asdict(warm_up)])
    done = subprocess.run(command, input=message, check=False, capture_output=True, text=True)
    if done.returncode:
        reason = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise RuntimeError(reason[-1])
    return Run(**json.loads(done.stdout.splitlines()[-1]))


def _measure_here(name: str, job: Job, warm_up: Job) -> Run:
    work, _ = WORK[name]
    work(warm_up)  # modules are loaded when first used, and loading is not counting
    cpu, wall = _cpu_seconds(), time.perf_counter()
    answer = work(job)
    cpu, wall = _cpu_seconds() - cpu, time.perf_counter() - wall
    return Run(cpu, wall, _peak_bytes(), answer)


def _cpu_seconds() -> float:
    """User and system time of all threads, and of processes that were started and have ended."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _peak_bytes() -> int:
    """The high-water mark of this process; ``ru_maxrss`` would have that of whoever started it, too."""
    if not _STATUS.exists():
        in_bytes = sys.platform == "darwin"
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if in_bytes else 1024)
    line = next(line for line in _STATUS.read_text().splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


def _keep_to_a_few_cores() -> None:
    """Engines take all cores they see; more cores than the gates were set with would need more memory."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])


if __name__ == "__main__":
    _keep_to_a_few_cores()
    job, warm_up = (Job(**plain) for plain in json.load(sys.stdin))
    try:
        print(json.dumps(asdict(_measure_here(sys.argv[1], job, warm_up))))
    except Exception as error:  # messages have several lines; the last of this process is its verdict
        traceback.print_exc()
        sys.exit(f"{type(error).__name__}: {str(error).strip().splitlines()[0]}")
