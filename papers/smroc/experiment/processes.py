"""Many runs at once: in processes, largest first, each kept as soon as it is done."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from multiprocessing.connection import wait as wait_for_end
from typing import Any

from papers.smroc.experiment.cache import Cache, key_of
from papers.smroc.experiment.run import Task, do
from rocsteady.errors import counted, fail
from rocsteady.options import whole_number

Progress = Callable[[int, int, str], object]
"""Called with how many runs are done, how many there are, and which one it was."""
_MOST_PROCESSES = 60
"""Windows waits for no more of them at once."""


def n_processors() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_all(
    tasks: Sequence[Task], *, cache: Cache, workers: int | None = None, progress: Progress | None = None
) -> list[dict[str, Any]]:
    """Do all runs that are not in the cache; the results in the order of the tasks.

    Parameters
    ----------
    tasks : sequence of Task
        The runs.
    cache : Cache
        Where finished runs are kept.
    workers : int, optional
        Processes; by default as many as there are processors. With one, no process is started.
    progress : callable, optional
        Told after every run. If it raises, the others are stopped; what is done is kept.

    Raises
    ------
    UsageError
        RS042 if ``workers`` is not a whole number of at least 1.
    RocsteadyError
        RS096 if a process ends before its run does.
    """
    n_workers = n_processors() if workers is None else whole_number("workers", workers, least=1, example=2)
    keys = [key_of(task.parameters()) for task in tasks]
    results = {key: found for key in keys if (found := cache.read(key)) is not None}
    n_known = sum(key in results for key in keys)
    if progress is not None:
        progress(
            n_known, len(tasks), f"{counted(n_known, 'run')} known from before" if n_known else "starting"
        )
    left = [(key, task) for key, task in zip(keys, tasks, strict=True) if key not in results]
    left.sort(key=lambda pair: -pair[1].size)  # a large one at the end would be waited for alone
    n_workers = min(n_workers, len(left), _MOST_PROCESSES)
    # Closed here: an error of the listener would keep processes running for as long as it is looked at.
    with closing(_one_by_one(left) if n_workers <= 1 else _in_processes(left, n_workers)) as finished:
        for n_done, (key, task, found) in enumerate(finished, start=n_known + 1):
            cache.write(key, found)
            results[key] = found
            if progress is not None:
                progress(n_done, len(tasks), f"{task.of.abbr}, seed {task.seed}")
    return [results[key] for key in keys]


Finished = Generator[tuple[str, Task, dict[str, Any]], None, None]


def _one_by_one(left: Sequence[tuple[str, Task]]) -> Finished:
    for key, task in left:
        yield key, task, do(task)


def _in_processes(left: Sequence[tuple[str, Task]], n_workers: int) -> Finished:
    # Fresh interpreters: forking a process that has threads (of BLAS, of a progress bar) can hang.
    with _pool(n_workers) as pool:
        try:
            of_future = {pool.submit(do, task): (key, task) for key, task in left}
            pending: set[Future[dict[str, Any]]] = set(of_future)
            while pending:
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                for future in done:
                    yield *of_future[future], future.result()
        except BrokenProcessPool as error:
            raise fail("RS096.process") from error


@contextmanager
def _pool(n_workers: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that end with this block, however it ends."""
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(
        n_workers, mp_context=multiprocessing.get_context("spawn"), initializer=_prepare_worker
    )
    try:
        yield pool
    except BaseException:  # also Ctrl-C, and a caller that stops listening
        for process in set(multiprocessing.active_children()) - before:
            process.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _prepare_worker() -> None:
    """Leave Ctrl-C to the parent, and end when the parent has ended, however that was."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: Any) -> None:
    wait_for_end([sentinel])
    os._exit(1)
