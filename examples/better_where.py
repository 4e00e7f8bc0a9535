"""Is the new model better, and where?

Both detectors scored the same events, so each host is its own control. The difference is taken host by
host; where the light band leaves zero, the model is better over the whole range at once, not only at one
place picked afterwards.

    quantity             candidate less current        p
    --------------  ---------------------------  -------
    mean AUC          +0.025 (+0.017 to +0.032)  < 0.001
    TPR at FPR 5 %  +7.2 (+3.8 to +10.6) points  < 0.001
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
found = rs.compare(scores, "candidate", "current", method="vertical", at={"fpr": 0.05}, undefined="drop")
columns = {"quantity": "", "difference": "candidate less current", "low": "", "high": "", "pvalue": "p"}
print(rs.table(found, "text", columns=columns))

axes = rs.plot.difference(found, title="Every host has its own threshold")
folder = sys.argv[1] if sys.argv[1:] else Path(__file__).parent
rs.plot.save(axes, Path(folder) / "better_where.png", dpi=200)
