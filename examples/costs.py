"""Which model is cheaper, if I do not know the costs exactly?

Each point of a cost curve is the best that a model can do at one mix of costs and prevalence. Left of the
crossing false alarms weigh more and the cautious model is cheaper, right of it misses do and the eager one
is. Below the dotted triangle a model beats calling everything positive, or nothing.

    cautious: cost 0.116 at a probability cost of 0.2, 0.228 at 0.6
    eager: cost 0.156 at a probability cost of 0.2, 0.158 at 0.6
"""

import sys
from pathlib import Path

import rocsteady as rs

models = {
    "cautious": rs.simulate.binormal(400, 1600, separation=1.9, ratio=1.7, seed=4),
    "eager": rs.simulate.binormal(400, 1600, separation=1.5, ratio=0.7, seed=5),
}
curves = {}
for name, (labels, scores) in models.items():
    curves[name] = rs.roc_curve(labels, scores).cost_curve()
    rare, common = curves[name].at(0.2), curves[name].at(0.6)
    print(f"{name}: cost {rare:.3f} at a probability cost of 0.2, {common:.3f} at 0.6")

axes = rs.plot.cost_curve(curves, at=[0.2, 0.6])
folder = sys.argv[1] if sys.argv[1:] else Path(__file__).parent
rs.plot.save(axes, Path(folder) / "costs.png", dpi=200)
