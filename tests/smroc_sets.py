"""Tiny data sets in the format of the real ones, and areas that nobody measured, for tests of smROC."""

from __future__ import annotations

import csv
import hashlib
import io
from pathlib import Path
from typing import Any

import numpy as np

from papers.smroc.areas import SPACES, Areas
from papers.smroc.runs import AUC, MIDS, N_FOLDS, NB, PAPER, PET
from papers.smroc.sets import Printed, Set

NAMES = (
    "prom", "echo", "hepa", "hart", "hrth", "habr", "iono", "vots", "jcrx", "aust", "tic", "ger", "oz8h", "oz1h"
)  # fmt: skip


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
        abbr=abbr,
        name=f"tiny {abbr}",
        printed=Printed(n, n_positives, n - n_positives, 3, round(100 * share)),
        file=f"{abbr}.csv",
        sha256=hashlib.sha256(content).hexdigest(),
        n=n,
        n_positives=n_positives,
        n_missing=6,
        features=("first", "second", "answer"),
        nominal=("answer",),
        differs="",
        raw="",
        addresses=(),
    )


def made_areas(seed: int, names: tuple[str, ...] = NAMES, n_runs: int = 6) -> Areas:
    """Areas that nobody measured; where their levels and spreads lie is random too."""
    random = np.random.default_rng(seed)
    shape = (len(names), n_runs)

    def area() -> Any:
        level, spread = (
            random.uniform(0.55, 0.95, (len(names), 1)),
            10 ** random.uniform(-4, -1.7, (len(names), 1)),
        )
        return level + spread * random.normal(size=shape)

    def folds(values: Any) -> Any:
        return values[..., None] + 10 ** random.uniform(-3, -1) * random.normal(size=(*shape, N_FOLDS))

    values = {learner: {space: area() for space in SPACES} for learner in (NB, PET)}
    if seed % 3 == 0:  # smAUC as a small part of AUC's spread, below it; the learners far apart
        for own, shift in zip(values.values(), (0.2, 0.0), strict=True):
            own[AUC] += shift
            for n, name in enumerate(MIDS):
                own[name] = 0.3 * own[AUC] + 0.65 * own[AUC].mean(axis=1, keepdims=True) - 1e-3 * (n + 1)
    if seed % 3 == 1:  # smAUC as AUC, a little lower
        for own in values.values():
            for n, name in enumerate(MIDS):
                own[name] = own[AUC] - 1e-3 * (n + 1)
    if seed % 5 == 1:  # as on the ozone sets: a Mid above 1, and hardly any spread
        values[NB][PAPER][-2:] = values[NB][AUC][-2:].mean(axis=1, keepdims=True) + 0.1
    for own in values.values():
        own |= {f"{what}, {name}": area() for what in ("chance", "permuted") for name in MIDS}
        own |= {
            f"{side}, {name}": random.random(shape) for side in ("positives", "negatives") for name in MIDS
        }
        own |= {"mid": np.full(shape, random.uniform(0.3, 3))}
        own |= {"fold auc": folds(own[AUC]), "fold smauc": folds(own[PAPER])}
    return Areas("made up", names, values)
