"""How is a ROC curve made, case by case?

Sort the cases by their scores and lower the threshold from one score to the next: every positive is a step
up, every negative a step to the right, and cases of both classes with one score are a slanted step. The area
below is the share of pairs that are in the right order; ties count half.

    5 positives, 5 negatives, 8 different scores
    AUC 0.56: 14 of 25 pairs
"""

import sys
from pathlib import Path

import rocsteady as rs

truth = [1, 1, 0, 0, 0, 1, 0, 1, 0, 1]
scores = [0.95, 0.93, 0.87, 0.85, 0.85, 0.85, 0.76, 0.53, 0.43, 0.25]
curve = rs.roc_curve(truth, scores)
n_pairs = curve.n_positives * curve.n_negatives
print(f"{curve.n_positives} positives, {curve.n_negatives} negatives, {len(set(scores))} different scores")
print(f"AUC {curve.auc:.2f}: {curve.auc * n_pairs:g} of {n_pairs} pairs")

axes = rs.plot.roc(curve, steps=True, interval=False)
folder = sys.argv[1] if sys.argv[1:] else Path(__file__).parent
rs.plot.save(axes, Path(folder) / "step_by_step.png", dpi=200)
