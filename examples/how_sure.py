"""How sure is an average curve?

The hosts are a sample, so the interval is about other hosts like these, not about other events on the same
ones. The dark band holds at each false positive rate by itself, the light one over its range at once.

    If each host sets its own threshold to an FPR of 5 %, the average host has a TPR of 67.2 % (95 % CI
    63.0 to 71.0 %). The thresholds run from 1.302 to 1.972. The 23 hosts are treated as a random sample
    of hosts.
    AUC 0.922 (0.910 to 0.932)
"""

import sys
from pathlib import Path

import rocsteady as rs

scores = rs.ScoreSet.from_frame(
    rs.simulate.hosts(),
    label="label",
    score="score",
    group="host",
    model="model",
    case="event",
    positive="attack",
)
average = rs.average(scores.model("current"), "vertical", undefined="drop")
point = average.at(fpr=0.05)
print(point.reading)
interval = average.auc_interval()
print(f"AUC {average.auc:.3f} ({interval.low:.3f} to {interval.high:.3f})")

axes = rs.plot.average(average, band="both", at=point, title="Every host keeps its own budget")
folder = sys.argv[1] if sys.argv[1:] else Path(__file__).parent
rs.plot.save(axes, Path(folder) / "how_sure.png", dpi=200)
