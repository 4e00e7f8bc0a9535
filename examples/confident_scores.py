"""Does the model know when it is sure?

A ROC curve uses the order of scores only. The smROC curve also uses how far they are from the middle: its
steps are as long as the scores are confident. These two models rank alike, so they have one ROC curve; the
one that is rightly sure has the larger smAUC.

    sure: AUC 0.805, smAUC 0.758 (chance 0.519)
    timid: AUC 0.805, smAUC 0.593 (chance 0.508)
"""

import sys
from pathlib import Path

import numpy as np

import rocsteady as rs

rng = np.random.default_rng(3)
sick = np.arange(400) < 120
evidence = rng.normal(np.where(sick, 1.0, -1.0), 1.5)
models = {"sure": 1 / (1 + np.exp(-1.5 * evidence)), "timid": 1 / (1 + np.exp(-0.3 * evidence))}
curves = []
for name, score in models.items():
    curve = rs.smroc_curve(rs.Scores(sick, score, name=name), mid=0.5)
    print(f"{name}: AUC {curve.roc_auc:.3f}, smAUC {curve.auc:.3f} (chance {curve.chance_auc:.3f})")
    curves.append(curve)

axes = rs.plot.smroc(curves)
folder = sys.argv[1] if sys.argv[1:] else Path(__file__).parent
rs.plot.save(axes, Path(folder) / "confident_scores.png", dpi=200)
