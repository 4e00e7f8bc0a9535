"""How good is it where false alarms are rare?

Where attacks are rare, only the left edge of the ROC curve matters, and a logarithmic axis shows it. Of two
detectors with nearly the same AUC one finds three times as many attacks there.

    wide: AUC 0.885, TPR at FPR 0.001: 0.314 (0.293 to 0.336)
    narrow: AUC 0.897, TPR at FPR 0.001: 0.102 (0.086 to 0.120)
"""

import sys
from pathlib import Path

import numpy as np

import rocsteady as rs

rng = np.random.default_rng(2)
is_attack = np.tile(np.arange(5000) < 200, 12)
device = np.repeat([f"device {i}" for i in range(12)], 5000)
seen = {
    "wide": rng.normal(2.3 * is_attack, np.where(is_attack, 1.6, 1)),
    "narrow": rng.normal(1.75 * is_attack, 1),
}
averages = {}
for name, score in seen.items():
    average = rs.average(rs.ScoreSet.from_arrays(is_attack, score, device, unit="device"), "vertical")
    point = average.at(fpr=0.001)
    interval = f"{point.tpr_interval.low:.3f} to {point.tpr_interval.high:.3f}"
    print(f"{name}: AUC {average.auc:.3f}, TPR at FPR 0.001: {point.tpr:.3f} ({interval})")
    averages[name] = average

axes = rs.plot.averages(averages, curves=False, band="pointwise", at={"fpr": 0.001}, xscale="log")
folder = sys.argv[1] if sys.argv[1:] else Path(__file__).parent
rs.plot.save(axes, Path(folder) / "few_false_alarms.png", dpi=200)
