"""What does one threshold do on two datasets, and on both together?

The same threshold cuts the scores of each dataset into four parts: hits and misses of the positives, false
alarms and correct rejections of the negatives. In the pooled scores the larger dataset counts more; an
average in which every dataset counts once is something else.

    well separable, 300 cases: FPR 0.120, TPR 0.900
    poorly separable, 150 cases: FPR 0.133, TPR 0.493
    pooled: FPR 0.124, TPR 0.764
    each dataset once: FPR 0.127, TPR 0.697
"""

import sys
from pathlib import Path

import numpy as np

import rocsteady as rs

THRESHOLD = 1.2
sizes = {"well separable": (150, 2.5), "poorly separable": (75, 1.3)}
drawn = {
    name: rs.simulate.binormal(n, n, separation=gap, seed=seed)
    for seed, (name, (n, gap)) in enumerate(sizes.items(), start=3)
}
sets = {name: rs.score_densities(*rows) for name, rows in drawn.items()}
names = np.repeat(list(drawn), [len(truth) for truth, _ in drawn.values()])
together = [np.concatenate(own) for own in zip(*drawn.values(), strict=True)]
both = rs.ScoreSet.from_arrays(*together, names)
for name, (n, _) in sizes.items():
    rates = sets[name].rates_at(THRESHOLD)
    print(f"{name}, {2 * n} cases: FPR {rates.fpr:.3f}, TPR {rates.tpr:.3f}")
sets["pooled"] = rs.score_densities(both)
for name, method in (("pooled", "pooled"), ("each dataset once", "threshold")):
    rates = rs.average(both, method).at(threshold=THRESHOLD)
    print(f"{name}: FPR {rates.fpr:.3f}, TPR {rates.tpr:.3f}")

axes = rs.plot.densities(sets, thresholds=THRESHOLD, kind="smooth", curve=False)
folder = sys.argv[1] if sys.argv[1:] else Path(__file__).parent
rs.plot.save(axes, Path(folder) / "two_datasets.png", dpi=200)
