"""Which average of many ROC curves answers my question?

It depends on who sets the threshold. Here a detector watches 23 hosts. If one threshold serves all of them,
the threshold average is what will be seen; if every host may have its own, the vertical average is. The
scores of this detector run higher on some hosts than on others, so one threshold for all costs much of what
it could do.

    shared threshold: threshold average, AUC 0.873
    own threshold: vertical average, AUC 0.946
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
candidate = scores.model("candidate")

averages = {}
for deployment in (rs.Deployment(threshold="shared"), rs.Deployment(threshold="own", hold="fpr")):
    method = rs.advise(deployment).method
    average = rs.average(candidate, method, undefined="drop")
    print(f"{deployment.threshold} threshold: {method} average, AUC {average.auc:.3f}")
    averages[str(method)] = average

axes = rs.plot.averages(averages, at={"fpr": 0.05}, title="One detector, two ways to use it")
folder = sys.argv[1] if sys.argv[1:] else Path(__file__).parent
rs.plot.save(axes, Path(folder) / "which_average.png", dpi=200)
