"""The exact answers, without rocsteady: scikit-learn for a small table, a full sort for a large one.

The sort needs what this benchmark is about not needing, a minute and five gigabytes for a hundred million
rows, so its answers are kept in a file beside the data.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import compress

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from benchmarks.large.generate import Dataset, Hosts


@dataclass(frozen=True)
class Truth:
    """What every contestant has to agree with.

    Attributes
    ----------
    rows, positives : int
        How many there are.
    aucs : dict
        The area of each host that has both classes, by its name.
    threshold_auc : float
        The area under the threshold average: every host that has a curve weighs the same.
    pooled_auc : float
        The area when all rows are taken together, those of hosts with a single class too.
    """

    rows: int
    positives: int
    aucs: dict[str, float]
    threshold_auc: float
    pooled_auc: float

    @property
    def vertical_auc(self) -> float:
        """The area under the vertical average, which is the average area."""
        return float(np.mean(list(self.aucs.values())))


@dataclass(frozen=True)
class Table:
    """The columns, in memory; ``hosts`` has the place of each row's host in ``names``."""

    names: list[str]
    hosts: NDArray[np.uint16]
    labels: NDArray[np.bool_]
    scores: NDArray[np.float64]
    positives: NDArray[np.int64]
    negatives: NDArray[np.int64]

    @property
    def has_curve(self) -> NDArray[np.bool_]:
        """Which hosts have both classes."""
        return (self.positives > 0) & (self.negatives > 0)

    def weights(self, n_of_class: NDArray[np.int64]) -> NDArray[np.float64]:
        """What a case of each host counts for in the threshold average."""
        n_curves = np.count_nonzero(self.has_curve)
        return np.where(self.has_curve, 1 / (n_curves * np.maximum(n_of_class, 1)), 0.0)

    def rows_of_curves(self) -> Iterator[tuple[str, NDArray[np.int64]]]:
        """Name and rows of each host that has both classes."""
        ends = np.cumsum(self.positives + self.negatives)
        rows = np.split(np.argsort(self.hosts, kind="stable"), ends[:-1])
        return compress(zip(self.names, rows, strict=True), self.has_curve)


def read_table(dataset: Dataset) -> Table:
    """All rows of a dataset."""
    names = Hosts(dataset.groups).names.to_pylist()
    number_of = {name: number for number, name in enumerate(names)}
    hosts = np.empty(dataset.rows, dtype=np.uint16)
    labels = np.empty(dataset.rows, dtype=np.bool_)
    scores = np.empty(dataset.rows)
    start = 0
    for path in dataset.files:
        for batch in pq.ParquetFile(path, read_dictionary=["host"]).iter_batches(1_000_000):
            rows = slice(start, start + batch.num_rows)
            column = batch["host"]
            numbers = np.array([number_of[name] for name in column.dictionary.to_pylist()], dtype=np.uint16)
            hosts[rows] = numbers[column.indices.to_numpy()]
            labels[rows] = batch["label"].to_numpy()
            scores[rows] = batch["score"].to_numpy()
            start = rows.stop
    assert start == dataset.rows, f"{dataset.folder} has {start:,} rows, not {dataset.rows:,}"
    counts = (np.bincount(hosts[labels == wanted], minlength=dataset.groups) for wanted in (True, False))
    return Table(names, hosts, labels, scores, *counts)


def truth_of(dataset: Dataset) -> Truth:
    """The exact answers, read from the file beside the data once they have been computed."""
    kept = dataset.folder / f"_truth-{dataset.rows}.json"
    if kept.exists():
        return Truth(**json.loads(kept.read_text()))
    truth = by_sorting(read_table(dataset))
    kept.write_text(json.dumps(asdict(truth)) + "\n")
    return truth


def by_sorting(table: Table) -> Truth:
    """Every pair counted, in whole numbers, by looking the positives up among the sorted negatives."""
    labels, scores = table.labels, table.scores
    aucs = {
        host: exact_auc(scores[rows[labels[rows]]], scores[rows[~labels[rows]]])
        for host, rows in table.rows_of_curves()
    }

    negative_rows = np.flatnonzero(~labels)
    negative_rows = negative_rows[np.argsort(scores[negative_rows])]
    below, up_to = _ranks(scores[negative_rows], scores[labels])
    n_positives = below.size
    weights_below = _running_sum(table.weights(table.negatives), table.hosts[negative_rows])
    of_positives = table.weights(table.positives)[table.hosts[labels]]
    return Truth(
        rows=labels.size,
        positives=n_positives,
        aucs=aucs,
        threshold_auc=float(np.sum(of_positives * (weights_below[below] + weights_below[up_to]))) / 2,
        pooled_auc=int(below.sum() + up_to.sum()) / (2 * n_positives * negative_rows.size),
    )


def _running_sum(weights: NDArray[np.float64], hosts: NDArray[np.uint16]) -> NDArray[np.float64]:
    """Running sums of the weights of these hosts' cases, from 0; every one is right but for its last bit.

    A plain running sum of a hundred million weights drifts by 1e-12 and more.
    """
    sums, block = np.zeros(hosts.size + 1), 1_000_000
    total = np.longdouble(0)
    for start in range(0, hosts.size, block):
        part = total + np.cumsum(weights[hosts[start : start + block]], dtype=np.longdouble)
        sums[start + 1 : start + 1 + part.size] = part
        total = part[-1]
    return sums


def exact_auc(positives: NDArray[np.float64], negatives: NDArray[np.float64]) -> float:
    """The share of pairs whose positive scores higher, ties by halves: a ratio of whole numbers."""
    below, up_to = _ranks(np.sort(negatives), positives)
    return int(below.sum() + up_to.sum()) / (2 * positives.size * negatives.size)


def _ranks(ordered: NDArray[np.float64], values: NDArray[np.float64]) -> list[NDArray[np.int64]]:
    """How many of the ordered scores lie below each value, and how many do not exceed it."""
    return [np.searchsorted(ordered, values, side) for side in ("left", "right")]


def by_scikit_learn(table: Table) -> Truth:
    """The same from ``roc_auc_score``, host by host; the threshold average as a weighted pooled curve."""
    from sklearn.metrics import roc_auc_score

    labels, scores = table.labels, table.scores
    weights = np.where(
        labels, table.weights(table.positives)[table.hosts], table.weights(table.negatives)[table.hosts]
    )
    return Truth(
        rows=labels.size,
        positives=int(labels.sum()),
        aucs={
            host: float(roc_auc_score(labels[rows], scores[rows])) for host, rows in table.rows_of_curves()
        },
        threshold_auc=float(roc_auc_score(labels, scores, sample_weight=weights)),
        pooled_auc=float(roc_auc_score(labels, scores)),
    )
