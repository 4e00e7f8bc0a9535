"""From rows to verdicts: contestants take turns, every answer is checked, ratios are taken within rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.large.contestants import WORK, Job, Run, run
from benchmarks.large.generate import Dataset
from benchmarks.large.reference import Truth, by_scikit_learn, read_table, truth_of
from benchmarks.measurement import RERUNS, Measurement

YARD, YARD_TITLE = "yard", "DuckDB counts by host, bin, label"
MEGABYTE, GIGABYTE = 10**6, 10**9
SMALL_MEMORY = "200MB"
"""Too little for every score of the small table, so that it is counted as the large one is."""
FIXED_SECONDS = 0.5
"""CPU seconds that do not grow with the rows: 0.3 to 0.6, from ten million rows listed once and three times.
Allowed on top of a ratio with ``--quick`` only, where the yard is too short for them to vanish beside it."""


@dataclass(frozen=True)
class Target:
    """One row: what a contestant may cost.

    Attributes
    ----------
    row : str
        The name of the contestant and of the row.
    title : str
        The work, in words.
    most_ratio : float or None
        CPU seconds over those of the yard, in the same round; without this gate the row only informs.
    most_bytes : float or None
        The peak of resident memory.
    is_usual : bool
        Whether it runs without being named.
    """

    row: str
    title: str
    most_ratio: float | None
    most_bytes: float | None
    is_usual: bool = True


@dataclass(frozen=True)
class Outcome:
    """A row with what was found.

    ``verdict`` is "pass", "info" (there is no gate), "FAIL", "UNSTABLE" (the ratios of the rounds
    differ too much, still after the reruns), "WRONG" (an answer is not the true one: what it cost means
    nothing) or "ERROR".
    """

    row: str
    title: str
    verdict: str
    note: str = ""
    measurement: Measurement | None = None
    most_ratio: float | None = None
    peak_bytes: int | None = None
    most_bytes: float | None = None
    runs: tuple[Run, ...] = ()

    @property
    def fails(self) -> bool:
        """Whether the benchmark as a whole fails because of this row."""
        return self.verdict not in ("pass", "info")

    def to_dict(self) -> dict[str, Any]:
        """Plain data for the JSON file."""
        plain: dict[str, Any] = {
            "row": self.row,
            "work": self.title,
            "verdict": self.verdict,
            "note": self.note,
        }
        if self.measurement is not None:
            plain |= {"best": self.measurement.best, "median": self.measurement.median}
            plain |= {"ratios": self.measurement.rounds, "most_ratio": self.most_ratio}
        plain |= {"peak_bytes": self.peak_bytes, "most_bytes": self.most_bytes}
        plain["cpu_seconds"] = [run.cpu_seconds for run in self.runs]
        plain["wall_seconds"] = [run.wall_seconds for run in self.runs]
        return plain


class Arena:
    """The tables, their true answers, and running a contestant on one of them."""

    def __init__(self, dataset: Dataset, small: Dataset) -> None:
        self.dataset = dataset
        self._small = small
        self._warm_up = Job.of(small, memory=SMALL_MEMORY)
        for path in dataset.files:  # the first contestant must not be the one that waits for the disk
            with path.open("rb") as file:
                while file.read(16 * MEGABYTE):
                    pass

    def check_small(self, rows: Sequence[str]) -> dict[str, Exception]:
        """The contestants that do not agree with scikit-learn on the small table, and how."""
        truth = by_scikit_learn(read_table(self._small))
        problems: dict[str, Exception] = {}
        for row in rows:
            try:
                self.checked(row, self._warm_up, truth)
            except (AssertionError, RuntimeError) as problem:
                problems[row] = problem
        return problems

    def checked(self, row: str, job: Job, truth: Truth) -> Run:
        """One run whose answer is right; raises AssertionError when it is not."""
        found = run(row, job, self._warm_up)
        _, check = WORK[row]
        check(found.answer, truth)
        return found

    def race(self, rows: Sequence[str], n_rounds: int) -> dict[str, list[Run] | Exception]:
        """So many runs of each row, in turns; or what went wrong first."""
        job, truth = Job.of(self.dataset), truth_of(self.dataset)
        found: dict[str, list[Run] | Exception] = {row: [] for row in rows}
        for number in range(n_rounds):
            for row in rows if number % 2 == 0 else reversed(rows):
                runs = found[row]
                if isinstance(runs, Exception):
                    continue
                try:
                    runs.append(self.checked(row, job, truth))
                except (AssertionError, RuntimeError) as problem:
                    found[row] = problem
        return found


def settle(arena: Arena, targets: Sequence[Target], n_rounds: int, *, quick: bool) -> list[Outcome]:
    """Check on the small table, race on the large one, and again what was unsteady, three times at most.

    The first outcome is that of the yard.
    """
    problems = arena.check_small([target.row for target in targets])
    outcomes = {t.row: _spoiled(t.row, t.title, problems[t.row]) for t in targets if t.row in problems}
    left = [target for target in targets if target.row not in problems]
    for _ in range(1 + RERUNS):
        found = arena.race([YARD, *(target.row for target in left)], n_rounds)
        yards = found[YARD]
        if isinstance(yards, Exception):
            return [_spoiled(YARD, YARD_TITLE, yards)]
        outcomes[YARD] = _of_yard(yards)
        outcomes |= {target.row: _judge(target, found[target.row], yards, quick=quick) for target in left}
        left = [target for target in left if outcomes[target.row].verdict == "UNSTABLE"]
        if not left:
            break
    return [outcomes[row] for row in (YARD, *(target.row for target in targets))]


def _of_yard(runs: Sequence[Run]) -> Outcome:
    peak = max(run.peak_bytes for run in runs)
    return Outcome(YARD, YARD_TITLE, "info", _seconds(runs), peak_bytes=peak, runs=tuple(runs))


def _judge(target: Target, found: list[Run] | Exception, yards: list[Run], *, quick: bool) -> Outcome:
    if isinstance(found, Exception):
        return _spoiled(target.row, target.title, found)
    ratios = tuple(ours.cpu_seconds / yard.cpu_seconds for ours, yard in zip(found, yards, strict=True))
    ours, yard = (min(run.cpu_seconds for run in runs) for runs in (found, yards))
    measurement = Measurement(ratios, ours / yard)
    most_ratio = target.most_ratio
    if most_ratio is not None and quick:
        most_ratio += FIXED_SECONDS / yard
    peak = max(run.peak_bytes for run in found)
    if most_ratio is None:
        verdict = "info"
    elif not measurement.is_steady:
        verdict = "UNSTABLE"
    elif measurement.median > most_ratio or (target.most_bytes is not None and peak > target.most_bytes):
        verdict = "FAIL"
    else:
        verdict = "pass"
    return Outcome(
        target.row,
        target.title,
        verdict,
        f"{_seconds(found)}; {found[0].answer['how']}",
        measurement,
        most_ratio,
        peak,
        target.most_bytes,
        tuple(found),
    )


def _seconds(runs: Sequence[Run]) -> str:
    cpu, wall = (
        sorted(times) for times in zip(*((r.cpu_seconds, r.wall_seconds) for r in runs), strict=True)
    )
    return f"CPU {cpu[0]:.2f}-{cpu[-1]:.2f} s, clock {wall[0]:.2f}-{wall[-1]:.2f} s"


def flat_memory(arena: Arena, *, factor: float, margin: float) -> Outcome:
    """The averages need as much memory for ten times the rows.

    Few rows are the first files, about a third of them; many are all files, three times over.
    """
    dataset = arena.dataset
    few = dataset.first_files(max(1, 3 * len(dataset.files) // 10))
    title = f"averages of {few.rows / 1e6:.0f}M and {3 * dataset.rows / 1e6:.0f}M rows"
    try:
        of_few = arena.checked("averages", Job.of(few), truth_of(few))
        of_all = truth_of(dataset)  # and of all of it three times over, but for the rows
        of_many = arena.checked("averages", Job.of(dataset, times=3), replace(of_all, rows=3 * of_all.rows))
    except (AssertionError, RuntimeError) as problem:
        return _spoiled("flat", title, problem)
    most = factor * of_few.peak_bytes + margin
    return Outcome(
        "flat",
        title,
        "pass" if of_many.peak_bytes <= most else "FAIL",
        f"{of_few.peak_bytes / GIGABYTE:.2f} GB for the few, CPU {of_many.cpu_seconds:.2f} s for the many",
        peak_bytes=of_many.peak_bytes,
        most_bytes=most,
        runs=(of_few, of_many),
    )


def _spoiled(row: str, title: str, problem: Exception) -> Outcome:
    is_wrong = isinstance(problem, AssertionError)
    return Outcome(row, title, "WRONG" if is_wrong else "ERROR", str(problem).splitlines()[0])
