"""Outputs of several classes for tests: plain, hostile, with a fold that lacks a class, without folds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import rocsteady as rs

HOSTILE = ("<script>alert(1)</script>", "line\nbreak\x1b[2J", "x" * 500)


def outputs(
    n: int = 240, n_classes: int = 3, seed: int = 1
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Places of true classes, and posteriors that overlap; the last class is rare."""
    rng = np.random.default_rng(seed)
    shares = np.arange(n_classes + 1, 1, -1.0)
    labels = np.sort(rng.choice(n_classes, n, p=shares / shares.sum()))
    labels[: 2 * n_classes] = np.tile(np.arange(n_classes), 2)
    found = np.exp(-(((labels + rng.normal(size=n))[:, None] - np.arange(n_classes)) ** 2) / 2)
    found *= shares
    return labels, found / found.sum(axis=1, keepdims=True)


def class_scores(
    names: tuple[Any, ...] = ("cat", "dog", "eel"), n: int = 240, n_folds: int = 5, **options: Any
) -> rs.MulticlassScores:
    """Scores of classes with these names."""
    labels, found = outputs(n, len(names))
    folds = {"folds": np.arange(n) % n_folds} if n_folds > 1 else {}
    given = np.array([names[own] for own in labels], dtype=object)
    return rs.MulticlassScores(given, found, classes=list(names), **folds, **options)


def lacking(n_folds: int = 5) -> rs.MulticlassScores:
    """The same, and fold 1 has no case of the last class."""
    labels, found = outputs()
    folds = np.arange(labels.size) % n_folds
    kept = (labels != 2) | (folds != 1)
    names = np.array(["cat", "dog", "eel"], dtype=object)
    return rs.MulticlassScores(names[labels[kept]], found[kept], folds=folds[kept])


def write(path: Path, scores: rs.MulticlassScores, start: str = "p_") -> Path:
    """A wide table: species, fold, and a column for each class."""
    lines = [",".join(["species", "fold", *(f"{start}{name}" for name in scores.classes)])]
    for label, fold, row in zip(scores.label_index, scores.fold_index, scores.outputs, strict=True):
        lines.append(",".join([str(scores.classes[label]), scores.folds[fold], *map(repr, row.tolist())]))
    path.write_text("\n".join(lines) + "\n")
    return path
