"""The benchmark of large tables must be able to fail, and its yardsticks must be right."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow.parquet as pq
import pytest

from benchmarks.large import __main__ as command
from benchmarks.large import contestants, generate, peers, reference, rounds
from benchmarks.large.contestants import Job, Run
from benchmarks.large.rounds import Target

TRUTH = reference.Truth(
    rows=100, positives=10, aucs={"a": 0.8, "b": 0.9}, threshold_auc=0.84, pooled_auc=0.83
)
TARGET = Target("exact", "every host exactly", most_ratio=3.0, most_bytes=100)
RIGHT = {
    "yard": {"rows": 100, "positives": 10},
    "exact": {"how": "anchored", "rows": 100, "is_exact": True, "areas": {"a": (0.8, 0.8), "b": (0.9, 0.9)}},
    "pooled": {"how": "cells", "rows": 100, "areas": {"": (0.83 - 5e-7, 0.83 + 5e-7)}},
    "pooled-rates": {"how": "cells", "rows": 100, "areas": {"": (0.83, 0.83)}, "rate_bound": 1e-6},
    "averages": {
        "how": "cells",
        "rows": 100,
        "areas": {"a": (0.799, 0.801), "b": (0.899, 0.901)},
        "threshold": [0.84, 0.839, 0.841],
        "vertical": [0.85, 0.849, 0.851],
        "pooled": [0.83, 0.829, 0.831],
    },
}


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    return generate.generate(tmp_path_factory.mktemp("large") / "table", 300_000, 40)


@pytest.fixture
def arena(dataset, monkeypatch):
    """Runs that cost what the test says, in the order in which they are asked for."""
    monkeypatch.setattr(rounds, "truth_of", lambda dataset: TRUTH)
    monkeypatch.setattr(rounds, "by_scikit_learn", lambda table: TRUTH)
    return rounds.Arena(dataset, dataset)


def costs(monkeypatch, *, cpu, peak=100, answers=RIGHT):
    """Ours need ``cpu`` seconds, one after the other and the last for ever; the yard needs one."""
    left = list(cpu)

    def run(row, job, warm_up):
        seconds = 1.0 if row == rounds.YARD else left.pop(0) if len(left) > 1 else left[0]
        answer = answers[row] | {"rows": answers[row]["rows"] * len(job.files)}
        return Run(seconds, seconds, peak(job) if callable(peak) else peak, answer)

    monkeypatch.setattr(rounds, "run", run)


@pytest.mark.parametrize(
    ("cpu", "peak", "verdict"),
    [(3.0, 100, "pass"), (3.1, 100, "FAIL"), (3.0, 101, "FAIL")],
)
def test_both_gates_must_hold(arena, monkeypatch, cpu, peak, verdict):
    costs(monkeypatch, cpu=[cpu], peak=peak)
    yard, outcome = rounds.settle(arena, [TARGET], 3, quick=False)
    assert (yard.verdict, outcome.verdict, outcome.fails) == ("info", verdict, verdict == "FAIL")
    assert outcome.measurement.rounds == (cpu,) * 3


def test_without_a_gate_a_row_only_informs(arena, monkeypatch):
    costs(monkeypatch, cpu=[99.0])
    outcome = rounds.settle(arena, [replace(TARGET, most_ratio=None)], 1, quick=True)[1]
    assert (outcome.verdict, outcome.fails) == ("info", False)


def test_quick_adds_fixed_seconds_to_the_gate_on_cpu_only(arena, monkeypatch):
    costs(monkeypatch, cpu=[3.0 + rounds.FIXED_SECONDS])
    assert rounds.settle(arena, [TARGET], 1, quick=False)[1].verdict == "FAIL"
    assert rounds.settle(arena, [TARGET], 1, quick=True)[1].verdict == "pass"
    costs(monkeypatch, cpu=[1.0], peak=101)
    assert rounds.settle(arena, [TARGET], 1, quick=True)[1].verdict == "FAIL"


def test_unsteady_rounds_are_run_again_and_then_fail(arena, monkeypatch):
    small, unsteady = [1.0], [1.0, 2.0, 3.0]
    costs(monkeypatch, cpu=small + unsteady + [2.0])
    assert rounds.settle(arena, [TARGET], 3, quick=False)[1].verdict == "pass"
    costs(monkeypatch, cpu=small + unsteady * 4)
    outcome = rounds.settle(arena, [TARGET], 3, quick=False)[1]
    assert (outcome.verdict, outcome.fails) == ("UNSTABLE", True)


@pytest.mark.parametrize("row", list(RIGHT))
def test_a_right_answer_is_accepted(row):
    contestants.WORK[row][1](RIGHT[row], TRUTH)


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        ("yard", {"rows": 99, "positives": 10}),
        ("exact", {"rows": 99}),
        ("exact", {"is_exact": False}),
        ("exact", {"areas": {"a": (0.8, 0.8 + 1e-9), "b": (0.9, 0.9)}}),
        ("exact", {"areas": {"a": (0.8, 0.8), "b": (0.9 + 1e-9, 0.9 + 1e-9)}}),
        ("exact", {"areas": {"a": (0.8, 0.8)}}),
        ("pooled", {"areas": {"": (0.83 - 2e-6, 0.83 + 2e-6)}}),
        ("pooled", {"areas": {"": (0.83 + 1e-7, 0.83 + 5e-7)}}),
        ("pooled-rates", {"rate_bound": 1.1e-6}),
        ("averages", {"vertical": [0.85, 0.8501, 0.851]}),
        ("averages", {"pooled": [0.83, 0.0, 1.0]}),
        ("averages", {"areas": {"a": (0.801, 0.803), "b": (0.899, 0.901)}}),
    ],
)
def test_a_wrong_answer_counts_for_nothing(arena, monkeypatch, row, wrong):
    costs(monkeypatch, cpu=[0.1], answers=RIGHT | {row: RIGHT[row] | wrong})
    target = Target(row, "", most_ratio=3.0, most_bytes=None)
    outcome = rounds.settle(arena, [target] if row != rounds.YARD else [], 1, quick=False)[-1]
    assert (outcome.row, outcome.verdict, outcome.fails) == (row, "WRONG", True)
    assert outcome.measurement is None


def test_a_crash_is_an_error_and_the_other_rows_still_run(arena, monkeypatch):
    def run(row, job, warm_up):
        if row == "exact":
            raise RuntimeError("MemoryError: 2 GB")
        return Run(1.0, 1.0, 100, RIGHT[row])

    monkeypatch.setattr(rounds, "run", run)
    others = Target("pooled", "", most_ratio=3.0, most_bytes=None)
    _, crashed, other = rounds.settle(arena, [TARGET, others], 1, quick=False)
    assert (crashed.verdict, crashed.note, other.verdict) == ("ERROR", "MemoryError: 2 GB", "pass")
    assert "2 GB" in command.line(crashed)


@pytest.mark.parametrize(("growth", "verdict"), [(1.5, "pass"), (1.6, "FAIL")])
def test_memory_must_not_grow_with_the_rows(arena, monkeypatch, growth, verdict):
    costs(monkeypatch, cpu=[1.0], peak=lambda job: 100 * (growth if len(job.files) > 1 else 1))
    outcome = rounds.flat_memory(arena, factor=1.25, margin=25)
    assert (outcome.verdict, outcome.most_bytes) == (verdict, 150)


def test_a_process_measures_itself_and_counts_every_row(dataset):
    job = Job.of(dataset)
    found = contestants.run("yard", job, job)
    contestants.check_yard(found.answer, reference.truth_of(dataset))
    assert found.cpu_seconds > 0
    assert found.peak_bytes > 10**7


def test_a_process_that_fails_says_why(dataset):
    job = Job(["/nowhere/at.parquet"], 0.0, 1.0)
    with pytest.raises(RuntimeError, match="nowhere"):
        contestants.run("yard", job, Job.of(dataset))


def test_the_table_is_what_it_is_said_to_be(dataset):
    table = reference.read_table(dataset)
    hosts = generate.Hosts(dataset.groups)
    assert (table.scores.min(), table.scores.max()) == (dataset.lowest, dataset.highest)
    assert table.labels.sum() == dataset.positives
    assert dataset.positives / dataset.rows == pytest.approx(generate.PREVALENCE, rel=0.05)
    assert (
        table.positives[hosts.without_positives].sum() == table.negatives[hosts.without_negatives].sum() == 0
    )
    assert np.count_nonzero(~table.has_curve) == 2
    assert np.unique(table.hosts[:1000]).size > 20  # interleaved
    file = pq.ParquetFile(dataset.files[0])
    assert [str(field.type) for field in file.schema_arrow] == ["string", "int8", "double"]
    assert file.read_row_group(0).column("host")[0].as_py().startswith("host-00")


def test_a_smaller_table_is_the_beginning_of_a_larger_one(dataset, tmp_path, monkeypatch):
    monkeypatch.setattr(generate, "ROWS_PER_BLOCK", 100_000)
    monkeypatch.setattr(generate, "BLOCKS_PER_FILE", 1)
    monkeypatch.setattr(generate, "ROWS_PER_FILE", 100_000)
    large = generate.generate(tmp_path / "large", 250_000, 40)
    small = generate.generate(tmp_path / "small", 100_000, 40)
    assert [len(d.files) for d in (large, large.first_files(1), small)] == [3, 1, 1]
    beginning = reference.read_table(large.first_files(1))
    np.testing.assert_array_equal(beginning.scores, reference.read_table(small).scores)
    with pytest.raises(SystemExit, match="another folder"):
        generate.generate(tmp_path / "small", 200_000, 40)


def test_sorting_and_scikit_learn_agree(dataset):
    pytest.importorskip("sklearn")
    table = reference.read_table(dataset)
    rounded = replace(table, scores=table.scores.round(1))
    for each in (table, rounded):
        by_sorting, by_sklearn = reference.by_sorting(each), reference.by_scikit_learn(each)
        assert by_sorting.aucs == pytest.approx(by_sklearn.aucs, rel=1e-12)
        assert by_sorting.threshold_auc == pytest.approx(by_sklearn.threshold_auc, rel=1e-11)
        assert by_sorting.pooled_auc == pytest.approx(by_sklearn.pooled_auc, rel=1e-12)


def test_the_keras_rule_has_the_numbers_of_its_documentation():
    labels = np.array([False, False, True, True])
    scores = np.array([0, 0.5, 0.3, 0.9], dtype=np.float32)
    auc, lower, upper = peers.keras_areas(labels, scores, 3)
    assert (auc, lower, upper) == (0.75, 0.5, 1.0)


def test_the_samples_of_the_peers_are_hard_in_the_way_they_are_said_to_be():
    skewed = peers.skewed(np.random.default_rng(1))
    assert np.mean(skewed.negatives < 1e-3) > 0.95
    tied = peers.half_tied(np.random.default_rng(1)).negatives
    assert 0.45 < np.unique(tied).size / tied.size < 0.55
