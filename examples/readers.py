"""Do readers find more with the new modality?

Readers and cases are both a sample: the answer is about other readers with other cases. Every reader read
every case with both modalities, so the test pairs both.

    digital is better than film: its mean AUC is 0.072 higher (95 % CI 0.012 to 0.132), p = 0.022.
    Readers and cases are treated as random samples.
"""

import sys
from pathlib import Path

import rocsteady as rs

study = rs.ScoreSet.from_frame(
    rs.simulate.reader_study(standalone=False),
    label="truth",
    score="rating",
    group="reader",
    model="modality",
    case="case",
    positive="cancer",
)
found = rs.compare_readers(study)
print(found.reading)

axes = rs.plot.reader_curves(found)
folder = sys.argv[1] if sys.argv[1:] else Path(__file__).parent
rs.plot.save(axes, Path(folder) / "readers.png", dpi=200)
