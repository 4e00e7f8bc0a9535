"""What is measured and what must hold. All gates and stretch targets are in the table at the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from benchmarks.data import CLUSTER_TIMES, LOOP_TIMES

Unit = Literal["x", "B/score", "ms", "yards"]


@dataclass(frozen=True)
class Target:
    """One line of the table: some work, a peer, and the numbers to reach.

    Attributes
    ----------
    row : str
        What ``--row`` selects.
    task : str
        The key of the work in :data:`benchmarks.tasks.TASKS`.
    size : int
        How many scores; 0 where it has no meaning.
    peer : str
        A name in the task's peers; "numpy" for the import.
    unit : {"x", "B/score", "ms", "yards"}
        "x" is the time of the peer over ours, so more is better; of bytes, milliseconds and yards (CPU time
        over that of a fixed piece of NumPy work) less is better.
    gate, stretch : float or None
        What must hold, what we aim for. Without a gate the line informs and cannot fail for being slow.
    rounds, quick_rounds : int
        How often every contestant takes its turn.
    quick : bool
        Whether ``--quick`` measures it too.
    peer_times : int
        The peer is given only so small a part of the work, and its time is multiplied; the title says so.
    """

    row: str
    task: str
    size: int
    peer: str
    unit: Unit = "x"
    gate: float | None = None
    stretch: float | None = None
    rounds: int = 15
    quick_rounds: int = 7
    quick: bool = True
    peer_times: int = 1

    def reaches(self, value: float, level: float | None) -> bool:
        """Whether a measured value is at least as good as a gate or stretch target."""
        if level is None:
            return False
        return value >= level if self.unit == "x" else value <= level


_SLOW = {"rounds": 7, "quick_rounds": 3}  # a turn of the peer takes seconds
_SKLEARN = "scikit-learn"
_RECIPE = "scikit-learn recipe"
_LOOP = {"peer_times": LOOP_TIMES, "rounds": 7, "quick_rounds": 3}
_CLUSTERS = {"peer_times": CLUSTER_TIMES, "rounds": 5, "quick_rounds": 3, "quick": False}

TARGETS: tuple[Target, ...] = (
    Target("curve-1e4", "curve", 10**4, _SKLEARN, gate=8, stretch=15),
    Target("curve-1e6", "curve", 10**6, _SKLEARN, gate=14, stretch=24),
    Target("curve-1e7", "curve", 10**7, _SKLEARN, gate=25, stretch=40, quick=False, **_SLOW),
    Target("auc-1e6", "auc", 10**6, _SKLEARN, gate=25, stretch=45),
    Target("auc-1e7", "auc", 10**7, _SKLEARN, gate=42, stretch=70, quick=False, **_SLOW),
    Target("auc-1e7-sort", "auc", 10**7, "polars sort", gate=2.5, stretch=4),
    Target("delong1-1e6", "delong1", 10**6, "confidenceinterval", gate=130, stretch=230, **_SLOW),
    Target("delong2-1e6", "delong2", 10**6, "numpy Sun-Xu", gate=15, stretch=30),
    Target("delong2-1e6-ml", "delong2", 10**6, "MLstatkit", gate=100, stretch=200, quick=False, **_SLOW),
    Target("groups", "groups", 10**6, "scikit-learn loop", **_SLOW),
    Target("average-grid", "average-grid", 10**7, _RECIPE, gate=45, stretch=80, **_SLOW),
    Target("average-vertical", "average-vertical", 10**7, _RECIPE, gate=28, stretch=50, quick=False, **_SLOW),
    Target("average-diagonal", "average-diagonal", 10**7, _RECIPE, gate=18, quick=False, **_SLOW),
    Target(
        "average-threshold",
        "average-threshold",
        10**7,
        "numpy pooled argsort",
        gate=12,
        stretch=25,
        quick=False,
        **_SLOW,
    ),
    Target("bootstrap-auc", "bootstrap-auc", 10**4, "scikit-learn loop", gate=250, stretch=450, **_LOOP),
    Target(
        "bootstrap-scipy", "bootstrap-auc", 10**4, "scipy.stats.bootstrap", gate=90, rounds=5, quick=False
    ),
    Target("bootstrap-band", "bootstrap-band", 10**4, "scikit-learn loop", gate=90, stretch=180, **_LOOP),
    Target("bootstrap-sets", "bootstrap-sets", 10**6, "numpy loop", gate=100, **_CLUSTERS),
    Target("class-errors", "class-errors", 10**5, "numpy argmax", **_SLOW),
    Target("weighted-1e6", "weighted", 10**6, _SKLEARN),
    Target("rates-1e6", "rates", 10**6, _SKLEARN),
    Target("rates-1e7", "rates", 10**7, _SKLEARN, quick=False, **_SLOW),
    Target("import", "import", 0, "numpy", unit="ms", gate=15, stretch=5, rounds=25, quick_rounds=15),
    Target("first-use", "first-use", 0, "numpy", unit="ms", rounds=25, quick_rounds=15),
    Target("slider", "slider", 100, "half a frame", unit="ms", gate=8, stretch=2, rounds=7, quick_rounds=3),
    Target(
        "report-demo", "report-demo", 23802, "a yardstick", unit="yards", gate=8, rounds=7, quick_rounds=3
    ),
    Target("report-1e6", "report-1e6", 10**6, "a yardstick", unit="yards", gate=26, rounds=5, quick_rounds=3),
    Target("check-demo", "check-demo", 23802, "a yardstick", unit="yards", gate=4, rounds=7, quick_rounds=3),
    Target("memory-auc", "auc", 10**7, _SKLEARN, unit="B/score", gate=9),
    Target("memory-curve", "curve", 10**7, _SKLEARN, unit="B/score", gate=34),
    Target("memory-delong2", "delong2", 10**7, "numpy Sun-Xu", unit="B/score", gate=26),
)
