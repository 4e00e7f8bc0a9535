"""What is the AUC in a hospital that was not in the study?

Hospitals differ by more than chance. The diamond is the typical hospital and how sure that is; what another
hospital has to expect is the line below it, which is wider.

    The median AUC of hospitals like these 11 is 0.827 (95 % CI 0.775 to 0.870). Their true AUCs differ
    (p < 0.001); 68.9 % of the variance lies between hospitals. The true AUC of another hospital is
    expected between 0.640 and 0.931 (95 %). The 11 hospitals and their cases are treated as a random
    sample of hospitals.
"""

import sys
from pathlib import Path

import numpy as np

import rocsteady as rs

rng = np.random.default_rng(5)
names = ["Aarhus", "Bern", "Cork", "Dijon", "Ghent", "Kyiv", "Lund", "Malmö", "Porto", "Riga", "Turin"]
rows: dict[str, list] = {"hospital": [], "sick": [], "risk": []}
for name in names:
    sick = np.arange(rng.integers(80, 400)) < rng.integers(15, 60)
    skill = rng.normal(1.5, 0.35)
    rows["hospital"] += [name] * sick.size
    rows["sick"] += sick.tolist()
    rows["risk"] += rng.normal(skill * sick, 1).tolist()
hospitals = rs.ScoreSet.from_frame(rows, label="sick", score="risk", group="hospital")
found = rs.summarize_auc(hospitals, method="random-effects")
print(found.reading)

axes = rs.plot.forest(found)
folder = sys.argv[1] if sys.argv[1:] else Path(__file__).parent
rs.plot.save(axes, Path(folder) / "hospitals.png", dpi=200)
