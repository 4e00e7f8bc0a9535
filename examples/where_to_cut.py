"""Where should I put the threshold?

The scores of both classes and the ROC curve are two views of one table: a threshold cuts the scores into
four parts, and it is a point of the curve. Youden's threshold treats both errors alike; if a miss is five
times worse than a false alarm, it moves down.

    Youden: threshold 0.64, FPR 0.257, TPR 0.817
    a miss costs 5: threshold 0.23, FPR 0.430, TPR 0.917
"""

import sys
from pathlib import Path

import rocsteady as rs

sick, marker = rs.simulate.binormal(120, 300, separation=1.6, seed=8)
curve = rs.roc_curve(sick, marker)
criteria = {"Youden": "youden", "a miss costs 5": rs.MinimumCost(false_positive=1, false_negative=5)}
chosen = {name: rs.choose_cutoff(curve, criterion) for name, criterion in criteria.items()}
for name, cutoff in chosen.items():
    print(f"{name}: threshold {cutoff.threshold:.2f}, FPR {cutoff.fpr:.3f}, TPR {cutoff.tpr:.3f}")

densities = rs.score_densities(sick, marker)
axes = rs.plot.densities(densities, thresholds=[cutoff.threshold for cutoff in chosen.values()])
folder = sys.argv[1] if sys.argv[1:] else Path(__file__).parent
rs.plot.save(axes, Path(folder) / "where_to_cut.png", dpi=200)
