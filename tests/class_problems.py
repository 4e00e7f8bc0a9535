"""Small problems of several classes, and every decision that class weights can make of them."""

from __future__ import annotations

import itertools
import math

import numpy as np
from hypothesis import strategies as st

from rocsteady.points.multiclass import decide
from rocsteady.scores.multiclass import MulticlassScores


def errors_of(scores, weights):
    wrong = decide(scores, weights) != scores.label_index
    return [float(wrong[scores.label_index == c].mean()) for c in range(scores.n_classes)]


@st.composite
def small_problems(draw, n_classes=3):
    """Few rows; outputs from few values, so that lines coincide and meet in triples, zeros among them."""
    labels = list(range(n_classes)) + draw(st.lists(st.integers(0, n_classes - 1), max_size=6))
    value = draw(st.sampled_from([st.integers(0, 4).map(float), st.floats(0.01, 1)]))
    size = len(labels) * n_classes
    outputs = np.array(draw(st.lists(value, min_size=size, max_size=size))).reshape(-1, n_classes)
    return MulticlassScores(labels, outputs)


def all_decisions(scores):
    """Errors in every cell, found the slow way: a little walk around every crossing of two lines."""
    y = scores.outputs
    lines = []  # (ca, cb, constant): ca * a + cb * b = constant
    for row in y.tolist():
        for (i, j), (ca, cb) in (((0, 2), (1, 0)), ((1, 2), (0, 1)), ((0, 1), (1, -1))):
            if row[i] > 0 and row[j] > 0:
                lines.append((ca, cb, math.log(row[j] / row[i])))
    points = [(0.0, 0.0)]
    for (ca, cb, c), (da, db, d) in itertools.combinations(set(lines), 2):
        det = ca * db - cb * da
        if det:
            points.append(((c * db - cb * d) / det, (ca * d - c * da) / det))
    points += [(c * ca / (ca**2 + cb**2), c * cb / (ca**2 + cb**2)) for ca, cb, c in lines]
    around = [(r * math.cos(t), r * math.sin(t)) for t in np.arange(0.1, 6.3, 0.26) for r in (1e-7, 1e-4, 30)]
    ab = np.array([(a + da, b + db) for a, b in points for da, db in around])
    weights = np.exp(np.column_stack([ab, np.zeros(len(ab))]))
    wrong = decide(scores, weights) != scores.label_index
    return np.column_stack([wrong[:, scores.label_index == c].mean(axis=1) for c in range(3)])


def random_problem(rng):
    """Three classes, 60 to 300 rows: other priors, overlaps and noise each time."""
    n = int(rng.integers(60, 301))
    priors = rng.dirichlet([3, 3, 3])
    labels = np.concatenate([[0, 1, 2], rng.choice(3, n - 3, p=priors)])
    logs = rng.normal(size=(n, 3)) * rng.uniform(0.5, 2) + np.log(priors)
    logs[np.arange(n), labels] += rng.uniform(0.3, 2)
    return MulticlassScores(labels, np.exp(logs - logs.max(axis=1, keepdims=True)))
