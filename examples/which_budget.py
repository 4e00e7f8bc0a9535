"""Which of two tests should I use, given how many alarms I can afford?

Their curves cross: one finds easy cases at once and then nothing, the other finds all of them slowly. So
neither is better; the map says which one wins at which share of people called back, and where that cannot
be said.

    Over alert rate 2 to 40 % with a threshold for each clinic at a prevalence of 10.0 %: sharp is
    better at alert rate 2.4 to 11 % (TPR up to 13.6 points higher, at 6.8 %) and broad is better at
    alert rate 22.1 to 40 % (TPR up to 8.0 points higher, at 33.5 %); elsewhere the difference is not
    significant. The leader changes at alert rate 14.7 %. The limits hold at 95 % confidence for the
    whole range at once (p < 0.001 for no difference anywhere); the 16 clinics are treated as a random
    sample of clinics.
"""

import sys
from pathlib import Path

import numpy as np

import rocsteady as rs

rng = np.random.default_rng(7)
sick, clinic = np.tile(np.arange(300) < 100, 16), np.repeat(np.arange(16), 300)
noise, is_easy = rng.normal(size=sick.size), rng.random(sick.size) < 0.7
clinics = rs.ScoreSet.from_frame(
    {
        "sick": sick,
        "clinic": clinic,
        "sharp": noise + np.where(sick, np.where(is_easy, 3.5, 0.5), 0),
        "broad": 0.7 * noise + 0.7 * rng.normal(size=sick.size) + 2 * sick,
    },
    label="sick",
    score=["sharp", "broad"],
    group="clinic",
)
found = rs.winner_map(clinics, over="alerts", alerts=(0.02, 0.4), prevalence=0.1)
print(found.reading)

axes = rs.plot.winner_map(found)
folder = sys.argv[1] if sys.argv[1:] else Path(__file__).parent
rs.plot.save(axes, Path(folder) / "which_budget.png", dpi=200)
