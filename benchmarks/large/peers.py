"""``python -m benchmarks.large.peers --markdown``: how far tools for large tables are off, and what they say.

Every tool reads the same Parquet file of scores and labels. Its AUC is held against the one counted pair by
pair; beside the error stands what the tool itself promises about it, and the time of a call once
everything is started, median and range. A tool that is not installed is named, never guessed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from benchmarks.large.generate import SEED
from benchmarks.large.reference import exact_auc
from benchmarks.measurement import NotMeasuredError

Floats = NDArray[np.float64]
ROUNDS = 3
SPARK_MASTER = "local[2]"
LITTLE_MEMORY = "100MB"
KERAS_THRESHOLDS = 200
NOTHING = "nothing"


@dataclass(frozen=True)
class Sample:
    """Scores of both classes, and the file they were written to in random order."""

    title: str
    positives: Floats
    negatives: Floats

    def write(self, path: Path) -> None:
        """The table that every tool reads."""
        scores = np.concatenate([self.positives, self.negatives])
        labels = np.repeat([1.0, 0.0], [self.positives.size, self.negatives.size])
        order = np.random.default_rng([SEED, scores.size]).permutation(scores.size)
        table = pa.table({"label": labels[order], "score": scores[order]})
        pq.write_table(table, path, compression="zstd", row_group_size=100_000)


def normal(stream: np.random.Generator) -> Sample:
    """The textbook case, with few positives."""
    return Sample("normal, 2 % positive", stream.normal(1.5, 1, 20_000), stream.standard_normal(980_000))


def skewed(stream: np.random.Generator) -> Sample:
    """What a model of a rare event gives out: probabilities, nearly all of them below 1e-3."""
    return Sample(
        "skewed probabilities, 2 % positive",
        stream.beta(0.7, 2_000, 20_000),
        stream.beta(0.35, 2_000, 980_000),
    )


def half_tied(stream: np.random.Generator) -> Sample:
    """Two sources in one column: half of the scores are whole percentages."""

    def scores(mean: float, size: int) -> Floats:
        drawn = 1 / (1 + np.exp(-stream.normal(mean, 1, size)))
        return np.where(stream.random(size) < 0.5, np.round(drawn, 2), drawn)

    return Sample("half tied, half continuous", scores(1, 300_000), scores(0, 700_000))


def impostors(stream: np.random.Generator) -> Sample:
    """Verification of persons: few genuine comparisons, and everyone else's as impostors."""
    return Sample("400k impostors, 1k genuine", stream.normal(3, 1, 1_000), stream.standard_normal(400_000))


SAMPLES = (normal, skewed, half_tied, impostors)


@dataclass(frozen=True)
class Estimate:
    """An AUC and what the tool says about its error."""

    auc: float
    promise: str


Tool = Callable[[Path], Estimate]


def rocsteady(**options: Any) -> Tool:
    """Ours; with so little memory that the samples are counted as a table is that does not fit."""

    def count(path: Path) -> Estimate:
        import rocsteady as rs

        counts = rs.count_scores(
            path, label="label", score="score", engine="duckdb", memory=LITTLE_MEMORY, **options
        )
        (low,), (high,) = counts.auc_bounds
        return Estimate((low + high) / 2, "exact" if counts.is_exact else f"± {(high - low) / 2:.1e}")

    return count


def keras_rule(path: Path) -> Estimate:
    """``keras.metrics.AUC(num_thresholds=200)`` as Keras defines it, without Keras.

    Scores outside [0, 1] go through the logistic function, which ``from_logits=True`` does. Everything is
    float32. Its two other ways of summing enclose the area, for those who ask for them.
    """
    table = pq.read_table(path)
    scores = table["score"].to_numpy().astype(np.float32)
    is_positive = table["label"].to_numpy() == 1
    if scores.min() < 0 or scores.max() > 1:
        scores = 1 / (1 + np.exp(-scores))
    auc, lower, upper = keras_areas(is_positive, scores, KERAS_THRESHOLDS)
    return Estimate(auc, f"nothing; 'minoring' and 'majoring' are {upper - lower:.1e} apart")


def keras_areas(
    is_positive: NDArray[np.bool_], scores: NDArray[np.float32], n_thresholds: int
) -> tuple[float, float, float]:
    """Area by interpolation, by minoring and by majoring over evenly spaced thresholds.

    A score counts at a threshold that it exceeds, so one that equals a threshold belongs to the bucket below;
    the first threshold is a little less than 0 and is exceeded by all.
    """
    buckets = np.ceil(scores * np.float32(n_thresholds - 1)) - 1
    buckets = np.maximum(buckets, 0).astype(np.int64)

    def rates(chosen: NDArray[np.bool_]) -> NDArray[np.float32]:
        counts = np.bincount(buckets[chosen], minlength=n_thresholds)
        above = counts[::-1].cumsum()[::-1].astype(np.float32)
        return above / np.float32(np.count_nonzero(chosen))

    tpr, fpr = rates(is_positive), rates(~is_positive)
    steps = fpr[:-1] - fpr[1:]
    heights = (tpr[:-1] + tpr[1:]) / 2, np.minimum(tpr[:-1], tpr[1:]), np.maximum(tpr[:-1], tpr[1:])
    auc, lower, upper = (float((steps * height).sum()) for height in heights)
    return auc, lower, upper


@contextmanager
def spark_session() -> Iterator[Any]:
    """One session on two cores of this machine; raises NotMeasuredError when it cannot be had."""
    os.environ["PYSPARK_PYTHON"] = sys.executable  # else its workers may be another Python
    try:
        from pyspark.sql import SparkSession
    except ModuleNotFoundError as error:
        raise NotMeasuredError(f"{error.name} is not installed") from error
    try:
        session = (
            SparkSession.builder.master(SPARK_MASTER)
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.default.parallelism", "2")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.log.level", "ERROR")
            .getOrCreate()
        )
    except Exception as error:  # no Java, or one that Spark does not know
        raise NotMeasuredError(f"Spark does not start: {str(error).splitlines()[0]}") from error
    try:
        yield session
    finally:
        session.stop()


def spark(session: Any, n_bins: int) -> Tool:
    """``BinaryClassificationEvaluator``, which wraps MLlib's ``BinaryClassificationMetrics``."""
    from pyspark.ml.evaluation import BinaryClassificationEvaluator

    evaluator = BinaryClassificationEvaluator(
        rawPredictionCol="score", labelCol="label", metricName="areaUnderROC", numBins=n_bins
    )

    def evaluate(path: Path) -> Estimate:
        auc = evaluator.evaluate(session.read.parquet(str(path)))
        return Estimate(auc, NOTHING if n_bins else "exact")

    return evaluate


@dataclass(frozen=True)
class Row:
    """One line of the table; without an estimate, the note says why."""

    sample: str
    tool: str
    error: float | None = None
    promise: str = ""
    seconds: tuple[float, ...] = ()
    note: str = ""


EMULATED = "keras AUC, 200 thresholds (emulated)"


def tools(session: Any) -> dict[str, Tool]:
    """Everyone who takes part; without a session, Spark does not."""
    found: dict[str, Tool] = {
        "rocsteady, default cells": rocsteady(),
        "rocsteady, AUC within 1e-6": rocsteady(tolerance={"auc": 1e-6}),
        "rocsteady, exact": rocsteady(tolerance=0),
        EMULATED: keras_rule,
    }
    if session is not None:
        for n_bins in (0, 100, 1_000):
            found[f"Spark, numBins={n_bins}" + (" (default)" if n_bins == 1_000 else "")] = spark(
                session, n_bins
            )
    return found


def compare(sample: Sample, path: Path, contestants: dict[str, Tool]) -> list[Row]:
    """One call each that is checked and warms up, then timed calls in turns."""
    sample.write(path)
    true_auc = exact_auc(sample.positives, sample.negatives)
    estimates = {name: tool(path) for name, tool in contestants.items()}
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(ROUNDS):
        for name, tool in contestants.items():
            start = time.perf_counter()
            tool(path)
            seconds[name].append(time.perf_counter() - start)
    return [
        Row(
            sample.title,
            name,
            abs(estimate.auc - true_auc),
            estimate.promise,
            () if name == EMULATED else tuple(seconds[name]),  # would say nothing about Keras
        )
        for name, estimate in estimates.items()
    ]


def lines(rows: Sequence[Row], *, markdown: bool) -> Iterator[str]:
    """The table."""
    headings = ("scores", "tool", "AUC off by", "what it promises", "seconds")
    cells = [
        (
            row.sample,
            row.tool,
            "-" if row.error is None else f"{row.error:.1e}",
            row.note or row.promise,
            _median_and_range(row.seconds),
        )
        for row in rows
    ]
    if markdown:
        yield "| " + " | ".join(headings) + " |"
        yield "|" + "---|" * len(headings)
        yield from ("| " + " | ".join(line) + " |" for line in cells)
        return
    widths = [max(len(line[column]) for line in (headings, *cells)) for column in range(len(headings))]
    for line in (headings, *cells):
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()


def _median_and_range(seconds: Sequence[float]) -> str:
    """A wide range tells of a machine that was busy with something else."""
    if not seconds:
        return "-"
    return f"{np.median(seconds):.2f} ({min(seconds):.2f} to {max(seconds):.2f})"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run everyone on every sample and print the table."""
    parser = argparse.ArgumentParser("python -m benchmarks.large.peers", description=__doc__.splitlines()[0])
    parser.add_argument("--markdown", action="store_true", help="a table for the documentation")
    options = parser.parse_args(arguments)
    samples = [draw(np.random.default_rng([SEED, number])) for number, draw in enumerate(SAMPLES)]
    with tempfile.TemporaryDirectory(prefix="rocsteady-peers-") as folder:
        path = Path(folder) / "scores.parquet"
        try:
            with spark_session() as session:
                rows = [row for sample in samples for row in compare(sample, path, tools(session))]
        except NotMeasuredError as reason:
            rows = [row for sample in samples for row in compare(sample, path, tools(None))]
            rows += [Row("all", "Spark", note=f"not measured: {reason}")]
    print("\n".join(lines(rows, markdown=options.markdown)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
