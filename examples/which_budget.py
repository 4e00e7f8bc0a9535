"""Which of two tests should I use, given how many alarms I can afford?

Their curves cross: one finds easy cases at once and then nothing, the other finds all of them slowly. So
neither is better; the map says which one wins at which share of people called back, and where that cannot
be said.

    Over 16 clinics, at the same share of alerts and a prevalence of 10.0 %: sharp wins from alerts 2.4 %
    to 11.0 % (TPR higher by up to 0.136 at alerts 6.8 %); broad wins from alerts 22.1 % to 40.0 % (TPR
    higher by up to 0.0797 at alerts 33.5 %); undecided from alerts 2.0 % to 2.4 % and from 11.0 % to 22.1
    %. The means cross at alerts 14.7 %. 95 % confidence for all positions at once; a test of no
    difference anywhere has p = 0.0005. What is random is the 16 clinics.
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
