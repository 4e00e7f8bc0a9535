"""How many threads: the argument, else ROCSTEADY_THREADS, else the cores."""

from __future__ import annotations

import os

import pytest

from rocsteady._kernels import MOST_THREADS, thread_count
from rocsteady.errors import UsageError


def test_the_argument_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROCSTEADY_THREADS", "3")
    assert thread_count(5) == 5
    assert thread_count() == 3
    assert thread_count(None) == 3


@pytest.mark.parametrize("unset", ["", "0"])
def test_the_default_is_the_cores_this_process_may_use(monkeypatch: pytest.MonkeyPatch, unset: str) -> None:
    monkeypatch.setenv("ROCSTEADY_THREADS", unset)
    assert 1 <= thread_count() <= (os.cpu_count() or 1)


@pytest.mark.parametrize("bad", ["many", "-2", "1.5"])
def test_nonsense_is_refused(monkeypatch: pytest.MonkeyPatch, bad: str) -> None:
    monkeypatch.setenv("ROCSTEADY_THREADS", bad)
    with pytest.raises(UsageError, match=r"RS042: ROCSTEADY_THREADS"):
        thread_count()


@pytest.mark.parametrize("bad", [-1, 1.5, "2", True])
def test_a_nonsense_argument_is_refused(bad: object) -> None:
    with pytest.raises(UsageError, match=r"RS042: threads"):
        thread_count(bad)  # type: ignore[arg-type]


def test_a_million_threads_are_not_started() -> None:
    assert thread_count(10**6) == MOST_THREADS
