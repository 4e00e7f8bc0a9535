"""How good is this test, and how sure is that?

One set of patients, one marker: the curve, its area with an interval, a cut-off, and the band that holds
the whole curve of all such patients.

    AUC 0.878 (0.803 to 0.926)
    at most 10 % false positives: cut-off 0.93 finds 71.7% of the sick
"""

import sys
from pathlib import Path

import rocsteady as rs

sick, marker = rs.simulate.binormal(60, 90, separation=1.4, ratio=1.2, seed=12)
curve = rs.roc_curve(sick, marker)
interval = curve.auc_interval()
cutoff = rs.choose_cutoff(curve, rs.TargetRate(fpr=0.1))
print(f"AUC {curve.auc:.3f} ({interval.low:.3f} to {interval.high:.3f})")
print(f"at most 10 % false positives: cut-off {cutoff.threshold:.2f} finds {cutoff.tpr:.1%} of the sick")

axes = rs.plot.roc(curve, band=curve.band(kind="simultaneous"), at=cutoff, words="medical")
folder = sys.argv[1] if sys.argv[1:] else Path(__file__).parent
rs.plot.save(axes, Path(folder) / "one_curve.png", dpi=200)
