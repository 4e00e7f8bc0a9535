"""Which operating points of three classes cannot be told apart?

Class weights trade the errors of three classes against each other: every choice is a point in space. The
cross is the best of a search. Circled points are not significantly different from it in any class in these
folds. On the page that `rs.write_report` makes, the box turns.

    the best of the search: healthy 0.267, mild 0.268, severe 0.311
    not significantly different: 7 of 80
"""

import sys
from pathlib import Path

import numpy as np

import rocsteady as rs

rng = np.random.default_rng(11)
names = np.array(["healthy", "mild", "severe"])
truth = rng.choice(3, 600, p=[0.7, 0.2, 0.1])
centres = np.array([[0, 0], [1.6, 0.4], [1.2, 2.0]])
seen = centres[truth] + rng.normal(size=(600, 2))
density = np.exp(-0.5 * ((seen[:, None] - centres) ** 2).sum(2)) * [0.7, 0.2, 0.1]
outputs = density / density.sum(1, keepdims=True)
scores = rs.MulticlassScores(names[truth], outputs, folds=np.arange(600) % 10, classes=list(names))

best = rs.search_class_weights(scores, seed=0).class_weights[0]
points = rs.average_multiclass_points(scores, np.vstack([best, rng.dirichlet(30 * best / best.sum(), 80)]))
tests = points.compare_to(0, "class_error")
errors = points.measure("class_error").mean[0]
shown = ", ".join(f"{own} {error:.3f}" for own, error in zip(names, errors, strict=True))
print(f"the best of the search: {shown}")
print(f"not significantly different: {tests.indistinguishable.sum() - 1} of {points.n_points - 1}")

axes = rs.plot.class_error_surface(points, comparison=tests, azimuth=-60, elevation=22)
folder = sys.argv[1] if sys.argv[1:] else Path(__file__).parent
rs.plot.save(axes, Path(folder) / "three_errors.png", dpi=200)
