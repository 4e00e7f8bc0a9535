"""The harness must be able to fail: ``python -m pytest benchmarks``. Nothing here depends on the clock."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import rankdata

from benchmarks import peers, speed, tasks, verdicts
from benchmarks.__main__ import line, main
from benchmarks.data import Sample
from benchmarks.measurement import RERUNS, Measurement, measure_until_steady
from benchmarks.targets import TARGETS, Target
from benchmarks.verdicts import Outcome, Stopwatch, judge, settle

RATIO = Target("curve-1e4", "curve", 100, "scikit-learn", gate=8, stretch=15, rounds=3)
BYTES = Target("memory-auc", "auc", 100, "scikit-learn", unit="B/score", gate=9)


def settle_now(target: Target) -> Outcome:
    return settle(target, Stopwatch(), quick=False, named=True)


@pytest.fixture
def peer_as_our_own(monkeypatch):
    """The task "curve" done by scikit-learn on both sides, so that the answers agree."""
    pytest.importorskip("sklearn")
    theirs = (peers.sklearn_curve, tasks.same_rates)
    task = tasks.Task("curve", peers.sklearn_curve, {"scikit-learn": theirs})
    monkeypatch.setitem(tasks.TASKS, "curve", task)
    monkeypatch.setattr(speed, "SHORTEST_TURN", 1e-4)
    return task


@pytest.mark.parametrize(
    ("target", "value", "verdict"),
    [
        (RATIO, 7.9, "FAIL"),
        (RATIO, 8.0, "pass"),
        (RATIO, 15.0, "stretch"),
        (BYTES, 9.1, "FAIL"),
        (BYTES, 9.0, "pass"),
        (replace(RATIO, gate=None, stretch=None), 0.1, "info"),
    ],
)
def test_a_value_is_held_against_the_gate_in_the_right_direction(target, value, verdict):
    found = Measurement((value,) * 3, value)
    assert judge(target, found) == verdict
    assert Outcome(target, verdict).fails() == (verdict == "FAIL")


def test_unsteady_rounds_fail_however_good_they_look():
    found = Measurement((20.0, 30.0, 40.0), 40.0)
    assert judge(RATIO, found) == "UNSTABLE"
    assert Outcome(RATIO, "UNSTABLE").fails()
    assert not Outcome(replace(RATIO, gate=None), "UNSTABLE").fails()


@pytest.mark.parametrize("steady_at", [1, 3, 99])
def test_reruns_end_when_steady_or_after_three(steady_at):
    taken = []

    def measure():
        taken.append(1)
        return Measurement((10.0, 10.0 if len(taken) >= steady_at else 99.0), 10.0)

    found, reruns = measure_until_steady(measure, lambda seconds: True)
    assert len(taken) == reruns + 1 == min(steady_at, RERUNS + 1)
    assert found.is_steady == (steady_at <= RERUNS + 1)


def test_no_rerun_without_time():
    _, reruns = measure_until_steady(lambda: Measurement((1.0, 9.0), 1.0), lambda seconds: False)
    assert reruns == 0


@pytest.mark.usefixtures("peer_as_our_own")
def test_a_race_compares_like_with_like():
    outcome = settle_now(replace(RATIO, gate=1e-3, stretch=1e9))
    assert outcome.verdict in ("pass", "UNSTABLE")
    assert len(outcome.measurement.rounds) == RATIO.rounds
    assert set(outcome.measurement.raw) == {"rocsteady", "scikit-learn"}


@pytest.mark.usefixtures("peer_as_our_own")
def test_the_time_of_a_peer_with_a_part_of_the_work_is_multiplied(monkeypatch):
    monkeypatch.setattr(speed, "_turn", lambda call, repeats, *, is_long: 0.25)
    target = replace(RATIO, peer_times=40, gate=30, stretch=None)
    outcome = settle_now(target)
    assert outcome.measurement.rounds == (40.0,) * RATIO.rounds
    assert outcome.measurement.raw == {"rocsteady": (0.25,) * 3, "scikit-learn": (10.0,) * 3}
    assert "(peer x40)" in verdicts.title(target)
    assert settle_now(RATIO).measurement.rounds == (1.0,) * RATIO.rounds


def test_a_wrong_answer_is_not_timed(monkeypatch, peer_as_our_own):
    def off_by_one_vertex(sample):
        def call():
            fpr, tpr, thresholds = peers.sklearn_curve(sample)()
            return fpr, np.roll(tpr, 1), thresholds

        return call

    monkeypatch.setitem(tasks.TASKS, "curve", replace(peer_as_our_own, ours=off_by_one_vertex))
    monkeypatch.setattr(verdicts, "race", lambda *a, **k: pytest.fail("timed a wrong answer"))
    outcome = settle_now(replace(RATIO, gate=None))
    assert outcome.verdict == "WRONG"
    assert outcome.fails()


def test_a_missing_peer_is_named_and_never_guessed(monkeypatch, peer_as_our_own):
    own = replace(peer_as_our_own, ours=lambda sample: lambda: None)
    monkeypatch.setitem(tasks.TASKS, "curve", own)
    monkeypatch.setitem(sys.modules, "sklearn.metrics", None)
    outcome = settle_now(RATIO)
    assert (outcome.verdict, outcome.measurement) == ("not measured", None)
    assert "sklearn" in line(outcome)
    assert not outcome.fails()
    assert outcome.fails(require_all=True)


def test_our_own_crash_is_an_error(monkeypatch, peer_as_our_own):
    def crash(sample):
        raise ModuleNotFoundError("no kernels")

    monkeypatch.setitem(tasks.TASKS, "curve", replace(peer_as_our_own, ours=crash))
    outcome = settle_now(replace(RATIO, gate=None))
    assert outcome.verdict == "ERROR"
    assert outcome.fails()


def test_quick_says_what_it_leaves_out():
    slow = replace(RATIO, quick=False)
    assert settle(slow, Stopwatch(), quick=True, named=False).verdict == "left out"
    late = settle(RATIO, Stopwatch(0), quick=True, named=False)
    assert (late.verdict, late.fails(require_all=True)) == ("not measured", True)


def test_the_exit_code_tells(monkeypatch, capsys, tmp_path):
    for verdict, code in (("pass", 0), ("FAIL", 1)):
        monkeypatch.setattr("benchmarks.__main__.settle", lambda t, *_, v=verdict, **__: Outcome(t, v))
        assert main(["--row", "curve-1e4", "--json", str(tmp_path / "out.json")]) == code
        assert "curve-1e4" in capsys.readouterr().out
        assert verdict in (tmp_path / "out.json").read_text()


def test_rows_have_their_own_names_and_known_peers():
    assert len({target.row for target in TARGETS}) == len(TARGETS)
    for target in TARGETS:
        assert target.unit in ("ms", "yards") or target.peer in tasks.TASKS[target.task].peers


def test_the_midranks_of_the_numpy_peer():
    values = np.random.default_rng(1).integers(0, 40, 200).astype(float)
    np.testing.assert_array_equal(peers.midranks(values), rankdata(values))


def test_the_numpy_peer_by_counting_pairs():
    rng = np.random.default_rng(2)
    labels = np.repeat([1, 0], [13, 17])
    columns = [rng.integers(0, 9, 30) + labels * 2.0 for _ in range(2)]
    of_positives, of_negatives = [], []
    for column in columns:
        positives, negatives = column[labels == 1][:, None], column[labels == 0][None, :]
        wins = (positives > negatives) + 0.5 * (positives == negatives)
        of_positives.append(wins.mean(axis=1))
        of_negatives.append(wins.mean(axis=0))
    found = peers.sun_xu(labels, *columns)
    np.testing.assert_allclose(found.aucs, np.mean(of_positives, axis=1))
    np.testing.assert_allclose(found.covariance, np.cov(of_positives) / 13 + np.cov(of_negatives) / 17)
    assert peers.auc_by_midranks(labels, columns[0]) == pytest.approx(found.aucs[0])


def test_columns_do_not_depend_on_the_order_of_reading():
    first, second = Sample(50), Sample(50)
    late = second.rival_scores, second.scores
    early = first.scores, first.rival_scores
    np.testing.assert_array_equal(early[0], late[1])
    np.testing.assert_array_equal(early[1], late[0])
