"""How wide the 95 % intervals of Figure 2 are: normal, as in the paper, and Student's t beside it."""

from __future__ import annotations

from dataclasses import dataclass

from papers.averaging_roc.figure_2 import Panel
from papers.averaging_roc.parameters import FPRS, SHARED_THRESHOLD
from rocsteady.results import Result
from rocsteady.statistics.limits import t_quantile

CONFIDENCE_LEVEL = 0.95


@dataclass(frozen=True, eq=False, repr=False)
class HalfWidth(Result):
    """Half the width of an interval, made in both ways.

    Attributes
    ----------
    design, kind : str
        Which panel.
    place : str
        Which average, which rate, where.
    normal, t : float
        The two half-widths.
    """

    design: str
    kind: str
    place: str
    normal: float
    t: float

    def __repr__(self) -> str:
        return f"HalfWidth({self.design}, {self.kind}, {self.place}: {self.normal:.4f}, t {self.t:.4f})"


def half_widths(panel: Panel) -> list[HalfWidth]:
    """Vertical average at three FPRs, threshold average at one threshold."""
    shared = panel.threshold.rates_at(SHARED_THRESHOLD)
    errors = {
        f"vertical TPR at FPR {fpr:g}": panel.vertical.at_position(fpr).standard_error
        for fpr in (FPRS[0], FPRS[2], FPRS[3])
    }
    errors |= {
        f"threshold {rate.upper()} at threshold {SHARED_THRESHOLD:g}": getattr(
            shared, f"{rate}_standard_error"
        )
        for rate in ("fpr", "tpr")
    }
    df = len(panel.curves) - 1
    normal, t = (t_quantile(df, CONFIDENCE_LEVEL, quantile) for quantile in ("normal", "t"))
    return [
        HalfWidth(panel.design.name, panel.kind, place, float(normal * error), float(t * error))
        for place, error in errors.items()
    ]
