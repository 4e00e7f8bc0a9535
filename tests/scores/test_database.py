"""DuckDB underneath: Ctrl-C is Ctrl-C, and what it is not is passed on."""

from __future__ import annotations

import os
import signal
import sys
import threading

import duckdb
import pytest

from rocsteady.scores import ScoreSet, read_scores
from rocsteady.scores.database import interruptible


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot send itself SIGINT there")
def test_ctrl_c_stops_a_query():
    endless = duckdb.sql("SELECT count(*) % 2 AS y, 1 AS s FROM range(1000000000) a, range(1000000000) b")
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            ScoreSet.from_frame(endless, label="y", score="s")
    finally:
        timer.cancel()


@pytest.mark.parametrize(
    "error", [RuntimeError("Query interrupted"), duckdb.InterruptException("Interrupted!")]
)
def test_ctrl_c_stops_the_reading_of_a_file(tmp_path, monkeypatch, error):
    def interrupted(*_):
        raise error

    (tmp_path / "s.csv").write_text("label,score\n1,1\n0,2\n")
    monkeypatch.setattr("rocsteady.scores.files.number_type", interrupted)
    with pytest.raises(KeyboardInterrupt):
        read_scores(tmp_path / "s.csv")


def test_other_errors_pass():
    with pytest.raises(RuntimeError, match="unrelated"), interruptible():
        raise RuntimeError("unrelated")
