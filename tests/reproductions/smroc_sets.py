"""Tiny data sets in the format of the real ones, for the tests of the smROC reproduction."""

from __future__ import annotations

import csv
import hashlib
import io
from pathlib import Path

import numpy as np

from rocsteady.reproductions.smroc.sets import Printed, Set


def tiny_set(abbr: str, folder: Path, *, n: int = 60, share: float = 0.4, seed: int = 0) -> Set:
    """A set of ``n`` rows with two numeric features and a nominal one, written to ``folder/uci``."""
    random = np.random.default_rng([seed, *abbr.encode()])
    is_positive = np.arange(n) < round(share * n)
    random.shuffle(is_positive)
    numbers = random.normal(size=(n, 2)) + 0.8 * is_positive[:, None]
    levels = np.where(random.random(n) < np.where(is_positive, 0.7, 0.3), "yes", "no")
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["first", "second", "answer", "class"])
    for i in range(n):
        cells = [f"{numbers[i, 0]:.4f}", f"{numbers[i, 1]:.4f}", levels[i]]
        if i % 11 == 0:
            cells[i % 3] = ""
        writer.writerow([*cells, int(is_positive[i])])
    content = file.getvalue().encode()
    (folder / "uci").mkdir(parents=True, exist_ok=True)
    (folder / "uci" / f"{abbr}.csv").write_bytes(content)
    n_positives = int(is_positive.sum())
    return Set(
        row=1,
        abbr=abbr,
        name=f"tiny {abbr}",
        positive="yes",
        printed=Printed(n, n_positives, n - n_positives, 3, round(100 * share)),
        file=f"{abbr}.csv",
        sha256=hashlib.sha256(content).hexdigest(),
        n=n,
        n_positives=n_positives,
        n_missing=6,
        features=("first", "second", "answer"),
        nominal=("answer",),
        differs="",
        remark="",
        raw="",
        addresses=(),
    )
