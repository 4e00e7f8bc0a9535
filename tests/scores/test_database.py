"""DuckDB underneath: Ctrl-C is Ctrl-C, and what it is not is passed on."""

from __future__ import annotations

import duckdb
import pytest

from rocsteady.scores import ScoreSet, read_scores
from rocsteady.scores.frames import interruptible

# How DuckDB passes on Ctrl-C, depending on its release and on where in a query it was. Not provoked by a real
# signal: DuckDB hears that only now and then within a long query, and a test must end.
INTERRUPTS = [
    (RuntimeError, "Query interrupted"),
    (duckdb.InterruptException, "INTERRUPT Error: Interrupted!"),
]


def interrupted_by(kind, message):
    def interrupt(*_):
        raise kind(message)

    return interrupt


@pytest.mark.parametrize(("kind", "message"), INTERRUPTS)
def test_ctrl_c_stops_the_reading_of_a_file(tmp_path, monkeypatch, kind, message):
    (tmp_path / "s.csv").write_text("label,score\n1,1\n0,2\n")
    monkeypatch.setattr("rocsteady.scores.files._number_type", interrupted_by(kind, message))
    with pytest.raises(KeyboardInterrupt):
        read_scores(tmp_path / "s.csv")


@pytest.mark.parametrize(("kind", "message"), INTERRUPTS)
def test_ctrl_c_stops_a_query(monkeypatch, kind, message):
    relation = duckdb.sql("SELECT 1 AS y, 2 AS s")
    monkeypatch.setattr(duckdb.DuckDBPyRelation, "fetchnumpy", interrupted_by(kind, message))
    with pytest.raises(KeyboardInterrupt):
        ScoreSet.from_frame(relation, label="y", score="s")


def test_other_errors_pass():
    with pytest.raises(RuntimeError, match="unrelated"), interruptible():
        raise RuntimeError("unrelated")
