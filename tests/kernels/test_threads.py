"""How many threads: the argument, else ROCSTEADY_THREADS, else the cores."""

from __future__ import annotations

import os

import pytest

from rocsteady._kernels import thread_count


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
    with pytest.raises(ValueError, match="ROCSTEADY_THREADS"):
        thread_count()
    with pytest.raises(ValueError, match="threads"):
        thread_count(-1)
