"""Scores as they come: atoms, few values, long tails, sorted files. The tolerance is reached, or it is said that not."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as pq
import pytest

import rocsteady as rs
from conftest import package
from engines.checks import assert_contains, assert_exact
from rocsteady.counting.cells import Tolerance, cells_of
from rocsteady.counting.counted import CountedScores, scores_of_counts
from rocsteady.counting.ladder import next_level
from rocsteady.errors import RocsteadyWarning

N = 200_000
ROOM = 20_000  # cells, a tenth of the rows


def normal(random: np.random.Generator, truth: np.ndarray) -> np.ndarray:
    return random.normal(size=truth.size) + truth


def atoms(random: np.random.Generator, truth: np.ndarray) -> np.ndarray:
    """Half of the rows have one of six scores, the others lie among them."""
    tied = np.array([-1.0, 0.0, 0.1, 0.5, 1.0, 3.0])
    return np.where(random.random(truth.size) < 0.5, random.choice(tied, truth.size), normal(random, truth))


def many_atoms(random: np.random.Generator, truth: np.ndarray) -> np.ndarray:
    """More of them than a binning has cells of their own for."""
    tied = random.normal(size=300)
    return np.where(random.random(truth.size) < 0.7, random.choice(tied, truth.size), normal(random, truth))


def percents(random: np.random.Generator, truth: np.ndarray) -> np.ndarray:
    return np.clip(np.round(50 + 15 * normal(random, truth)), 0, 100) / 100


def lognormal(random: np.random.Generator, truth: np.ndarray) -> np.ndarray:
    return np.exp(8 * normal(random, truth))


def probabilities(random: np.random.Generator, truth: np.ndarray) -> np.ndarray:
    return random.beta(0.1 + 0.2 * truth, 3.0)


def tiny_probabilities(random: np.random.Generator, truth: np.ndarray) -> np.ndarray:
    """Down to the smallest floats, over three hundred orders of magnitude."""
    return random.beta(0.02 + 0.1 * truth, 2.0)


def tied(random: np.random.Generator, truth: np.ndarray) -> np.ndarray:
    return np.full(truth.size, 0.5)


def as_wide_as_floats(random: np.random.Generator, truth: np.ndarray) -> np.ndarray:
    return np.tanh(normal(random, truth)) * 1.7e308


def outliers(random: np.random.Generator, truth: np.ndarray) -> np.ndarray:
    scores = normal(random, truth)
    scores[:6] = [np.inf, -np.inf, 1e308, -1e308, 5e-324, np.inf]
    return scores


SHAPES = (normal, atoms, many_atoms, percents, lognormal, probabilities, tied, as_wide_as_floats, outliers)
CONTINUOUS = (normal, lognormal, probabilities, tiny_probabilities, atoms)


def rows(shape: Callable[..., np.ndarray], *, share: float = 0.3, groups: int = 1, n: int = N) -> pa.Table:
    random = np.random.default_rng(7)
    truth = (random.random(n) < share).astype(np.int64)
    hosts = random.integers(0, groups, n)
    return pa.table({"truth": truth, "said": shape(random, truth), "host": hosts})


def count(source: object, **options: object) -> tuple[CountedScores, bool]:
    """The counts, and whether they came with a word that the tolerance was not reached."""
    asked = {"label": "truth", "score": "said", "group": "host", "memory": "100MB"} | options
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", RocsteadyWarning)
        counts = rs.count_scores(source, **asked)
    return counts, any(str(own.message).startswith("RS410") for own in told)


def check(counts: CountedScores, was_told: bool, table: pa.Table) -> None:
    """Met or told, and the truth within the bounds."""
    assert was_told != counts.meets_tolerance
    assert counts.n_rows == table.num_rows
    assert_contains(counts, rs.ScoreSet.from_frame(table, label="truth", score="said", group="host"))


@pytest.mark.parametrize("shape", SHAPES)
def test_the_tolerance_is_reached_where_anchors_do_not_fit(force, shape) -> None:
    force(cells=ROOM)
    table = rows(shape)
    counts, was_told = count(table, engine="duckdb", tolerance={"auc": 1e-4})
    assert counts.how.rung in ("cells", "distinct")
    assert counts.auc_bound <= 1e-4
    assert not was_told
    check(counts, was_told, table)


@pytest.mark.parametrize("shape", [atoms, lognormal, as_wide_as_floats])
def test_the_tolerance_is_reached_by_an_engine_that_counts_itself(force, shape) -> None:
    pl = package("polars")
    force(cells=ROOM)
    table = rows(shape, n=60_000)
    counts, was_told = count(pl.from_arrow(table).lazy(), tolerance={"auc": 2e-4})
    assert counts.how.engine == "polars"
    assert counts.auc_bound <= 2e-4
    check(counts, was_told, table)


@pytest.mark.parametrize("shape", [normal, atoms, percents])
def test_rates_too(force, shape) -> None:
    force(cells=ROOM)
    table = rows(shape, groups=3)
    counts, was_told = count(table, engine="duckdb", tolerance={"rate": 1e-3})
    assert counts.rate_bound <= 1e-3
    check(counts, was_told, table)


@pytest.mark.parametrize("shape", [*SHAPES, tiny_probabilities])
def test_a_tolerance_beyond_reach_is_told(force, shape) -> None:
    force(cells=2000)
    table = rows(shape, n=50_000)
    counts, was_told = count(table, engine="duckdb", tolerance=0)
    check(counts, was_told, table)
    if shape in CONTINUOUS:
        assert was_told
        assert counts.auc_bound > 0


@pytest.mark.parametrize("by", ["said", "host", "truth"])
@pytest.mark.parametrize("n_files", [1, 12])
def test_sorted_files(tmp_path: Path, force, by: str, n_files: int) -> None:
    # Twelve files: a sample of the first eight would know nothing of the highest third.
    force(cells=ROOM)
    table = rows(normal, groups=4, n=240_000).sort_by(by)
    each = table.num_rows // n_files
    for i in range(n_files):
        pq.write_table(table.slice(i * each, each), tmp_path / f"{i:02}.parquet", row_group_size=50_000)
    one_pass, was_told = count(tmp_path, engine="duckdb")
    assert not was_told
    check(one_pass, was_told, table)
    assert one_pass.auc_bound < 5e-3  # as good as from rows in any order
    counts, was_told = count(tmp_path, engine="duckdb", tolerance={"auc": 3e-4})
    assert counts.auc_bound <= 3e-4
    check(counts, was_told, table)


def test_a_single_row_in_every_group(force) -> None:
    force(cells=ROOM)
    table = pa.table(
        {"truth": np.arange(30_000) % 2, "said": np.sin(np.arange(30_000)), "host": np.arange(30_000)}
    )
    counts, was_told = count(table, engine="duckdb", tolerance={"auc": 1e-4})
    assert not was_told
    assert len(counts) == 30_000
    assert not counts.has_curve.any()
    assert (counts.n_positives + counts.n_negatives).tolist() == [1] * 30_000


@pytest.mark.parametrize("rung", ["distinct", "anchored", "cells"])
def test_five_thousand_groups(force, rung: str) -> None:
    if rung != "distinct":
        force(cells=100_000, anchors=N if rung == "anchored" else 0)
    table = rows(normal, groups=5000)
    counts, was_told = count(table, engine="duckdb", tolerance=0 if rung == "anchored" else {"auc": 0.05})
    assert counts.how.rung == rung
    assert len(counts) == 5000
    check(counts, was_told, table)
    if rung != "cells":
        assert_exact(counts, rs.ScoreSet.from_frame(table, label="truth", score="said", group="host"))


@pytest.mark.parametrize("rare", [1e-4, 1 - 1e-4])
def test_one_class_is_very_rare(force, rare: float) -> None:
    force(cells=ROOM, anchors=1000)
    table = rows(normal, share=rare)
    counts, was_told = count(table, engine="duckdb", tolerance=1e-9)
    assert counts.how.rung == "anchored"
    assert counts.is_exact
    check(counts, was_told, table)
    assert rs.roc_curves(counts).auc.tolist() == [
        rs.roc_curve(table["truth"].to_numpy(), table["said"].to_numpy()).auc
    ]


def test_counting_like_before_keeps_the_cells(force) -> None:
    force(cells=ROOM)
    table = rows(normal, groups=2)
    first, _ = count(table.slice(0, N // 2), engine="duckdb")
    second, _ = count(table.slice(N // 2), engine="duckdb", like=first)
    whole, _ = count(table, engine="duckdb", like=first)
    for name in ("positives", "negatives", "rows", "lowest", "highest"):
        assert getattr((first + second).cells, name).tolist() == getattr(whole.cells, name).tolist()
    check(first + second, False, table)


def test_a_cell_wider_than_floats_go_is_left_as_it_is() -> None:
    # Its width is infinite and its scale 0: a score less its start would be infinite, and times 0 no number.
    one, rows = np.zeros(1, dtype=np.int64), np.array([100])
    low, high = np.array([-1.7e308]), np.array([1.7e308])
    wide = cells_of(one, 1, one, rows // 2, rows // 2, rows, low, high)
    assert next_level(wide, Tolerance(auc=1e-3), 1000) is None
    narrow = cells_of(one, 1, one, rows // 2, rows // 2, rows, low / 2, high / 2)
    level = next_level(narrow, Tolerance(auc=1e-3), 1000)
    assert level is not None
    assert level.parts.tolist() == [200]


@pytest.mark.parametrize("first", ["duckdb", "polars"])
def test_a_day_without_some_groups_has_the_same_cells(force, first: str) -> None:
    package("polars")
    force(cells=4000)
    random = np.random.default_rng(0)
    n = 20_000
    truth = random.random(n) < 0.3
    table = pa.table(
        {"truth": truth.astype(int), "said": random.normal(size=n) + truth, "host": np.arange(n) % 5}
    )
    asked = {"label": "truth", "score": "said", "group": "host", "memory": "100MB"}
    source = table if first == "duckdb" else pl_lazy(table)
    monday = rs.count_scores(source, **asked, engine=first if first == "duckdb" else None)
    some = table.filter(pa.compute.not_equal(table.column("host"), 0))
    tuesday = rs.count_scores(some, **asked, engine="duckdb", like=monday)
    assert len((monday + tuesday).cells) == len(monday.cells)
    assert (monday + tuesday).auc_bound == pytest.approx(monday.auc_bound, rel=0.5)


def pl_lazy(table: pa.Table) -> Any:
    return package("polars").from_arrow(table).lazy()


@pytest.mark.parametrize("method", ["threshold", "pooled"])
@pytest.mark.parametrize("higher", [True, False])
def test_the_middle_of_anchored_counts_is_in_the_middle(force, method: str, higher: bool) -> None:
    """With all rows at one end of their cells it was the best that could be."""
    force(cells=50, anchors=5000)
    random = np.random.default_rng(0)
    n = 30_000
    truth, host = random.random(n) < 0.01, np.arange(n) % 6
    said = (random.normal(size=n) + 1.5 * truth + 0.3 * host) * (1 if higher else -1)
    table = pa.table({"truth": truth.astype(int), "said": said, "host": host})
    asked = {"label": "truth", "score": "said", "group": "host", "higher_is_positive": higher}
    counts = rs.count_scores(table, **asked, engine="duckdb", memory="100MB", tolerance=0)
    assert counts.how.rung == "anchored"
    exact, found = rs.average(rs.ScoreSet.from_frame(table, **asked), method), rs.average(counts, method)
    bounds = found.auc_bounds
    assert bounds.low < exact.auc < bounds.high
    assert bounds.high - bounds.low > 0.005
    assert abs(found.auc - exact.auc) < 0.05 * (bounds.high - bounds.low)
    from_report = rs.average(scores_of_counts(counts), method)
    assert from_report.auc == pytest.approx(found.auc, abs=1e-12)
    own = rs.average(counts, "vertical")
    assert own.auc == pytest.approx(rs.average(scores_of_counts(counts), "vertical").auc, abs=1e-12)
