"""How do I treat three classes fairly?

With more than two classes the threshold becomes a weight for each class. Equal weights neglect the rare
classes; a search finds weights that keep the worst class error small. Each line is one choice of weights;
some of those tried at random are not significantly worse than the best in these folds.

    equal weights: healthy 0.049, mild 0.539, severe 0.448
    best weights: healthy 0.267, mild 0.268, severe 0.311
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
tried = rng.dirichlet(40 * best / best.sum(), 60)
points = rs.average_multiclass_points(scores, np.vstack([best, np.ones(3), tried]))
errors = points.measure("class_error").mean
for name, row in (("equal weights", errors[1]), ("best weights", errors[0])):
    print(f"{name}: " + ", ".join(f"{own} {error:.3f}" for own, error in zip(names, row, strict=True)))

axes = rs.plot.class_errors(points, comparison=points.compare_to(0, "class_error"))
folder = sys.argv[1] if sys.argv[1:] else Path(__file__).parent
rs.plot.save(axes, Path(folder) / "several_classes.png", dpi=200)
