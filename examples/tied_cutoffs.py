"""Which cut-offs are not significantly different from the one I chose?

The chosen cut-off is one of several whose accuracies do not differ significantly over ten folds. Within
that stretch take what suits you: a round number, the old value.

    chosen: 0.69, accuracy 0.792
    not significantly different: 11 others, from -0.13 to 1.45
"""

import sys
from pathlib import Path

import numpy as np

import rocsteady as rs

rng = np.random.default_rng(1)
folds = [(np.arange(60) < 30, rng.normal(np.where(np.arange(60) < 30, 1.5, 0), 1)) for _ in range(10)]
points = rs.average_operating_points(rs.ScoreSet.from_folds(folds), thresholds=26)
chosen = points.nearest(tpr=0.8)
compared = points.compare_to(chosen, "accuracy")
tied = points.thresholds[compared.indistinguishable]
print(f"chosen: {points.thresholds[chosen]:.2f}, accuracy {points.measure('accuracy').mean[chosen]:.3f}")
print(f"not significantly different: {tied.size - 1} others, from {tied.min():.2f} to {tied.max():.2f}")

axes = rs.plot.operating_points(points, comparison=compared)
folder = sys.argv[1] if sys.argv[1:] else Path(__file__).parent
rs.plot.save(axes, Path(folder) / "tied_cutoffs.png", dpi=200)
