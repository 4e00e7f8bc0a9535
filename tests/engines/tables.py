"""Tables on which engines go apart, as Arrow; each with whatever makes one of them stumble."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

COLUMNS = {"label": "truth", "score": "said", "group": "host"}
HOSTILE = (-np.inf, -1.7e308, -1.0, -5e-324, -0.0, 0.0, 5e-324, 2.5e-310, 0.25, 0.1 + 0.2, 1.0, 1e300, np.inf)


def clean(n: int = 240, *, seed: int = 0, groups: int = 4) -> pa.Table:
    """Ties, infinities, both zeros, subnormals and continuous scores; every group has both classes."""
    random = np.random.default_rng(seed)
    scores = np.where(random.random(n) < 0.5, random.choice(HOSTILE, n), random.normal(size=n).round(2))
    truth = (np.arange(n) // groups) % 3 == 0
    hosts = [f"host-{i % groups}" for i in range(n)]
    return pa.table({"truth": truth.astype(np.int64), "said": scores, "host": hosts})


def one_class() -> pa.Table:
    """Groups of positives only, of negatives only, of one row."""
    hosts = ["a"] * 6 + ["b"] * 3 + ["c"] * 3 + ["d"]
    truth = [1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 0, 0, 1]
    said = [3.0, 1.0, 2.0, 2.0, -0.0, 0.0, 1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 0.5]
    return pa.table({"truth": truth, "said": said, "host": hosts})


def with_gaps() -> pa.Table:
    """Null and NaN scores, null labels, null groups, alone and together."""
    rows = [
        ("a", 1, 0.9), ("a", 0, 0.1), ("a", 1, None), ("a", 0, float("nan")), ("a", None, 0.4),
        ("b", 1, 0.3), ("b", 0, 0.3), ("b", None, None), ("b", 1, float("inf")), ("b", 0, -0.0),
        (None, 1, 0.5), (None, 0, None), (None, None, 0.7), ("c", 0, float("nan")), ("c", 1, 0.0),
    ]  # fmt: skip
    hosts, truth, said = (list(column) for column in zip(*rows, strict=True))
    columns = {"truth": pa.array(truth, pa.int64()), "said": pa.array(said, pa.float64())}
    return pa.table(columns | {"host": pa.array(hosts)})


def integers() -> pa.Table:
    """Scores that are integers, labels that are text, groups that are numbers."""
    random = np.random.default_rng(1)
    said = random.integers(-5, 6, 120)
    truth = np.where(random.random(120) < 0.4, "attack", "fine")
    return pa.table({"truth": truth, "said": said, "host": np.arange(120) % 3})


def yes_and_no() -> pa.Table:
    """Labels that are true and false, scores of 32 bits."""
    random = np.random.default_rng(2)
    said = random.normal(size=90).astype(np.float32)
    return pa.table({"truth": random.random(90) < 0.5, "said": said, "host": ["x", "y", "z"] * 30})


def weighted() -> pa.Table:
    """Weights whose sums are exact in any order; some are zero."""
    table = clean(180, seed=3)
    weights = np.random.default_rng(4).choice([0.0, 0.25, 0.5, 1.0, 3.0], 180)
    return table.append_column("times", pa.array(weights))


PLAIN = {
    "clean": clean,
    "one class": one_class,
    "gaps": with_gaps,
    "integers": integers,
    "booleans": yes_and_no,
}
