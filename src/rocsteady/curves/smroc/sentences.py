"""What a smROC curve says, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady.curves.smroc.digits import mid_word
from rocsteady.words import percent

if TYPE_CHECKING:
    from rocsteady.curves.smroc.curve import SmrocCurve


def describe_curve(curve: SmrocCurve) -> str:
    """What the area is, what it is to be compared with, and whether Mid makes sense."""
    if curve.auc != curve.auc:
        return f"With Mid {mid_word(curve.mid)} all steps go one way, so smAUC is undefined."
    said = (
        f"smAUC is {curve.auc:.3f}; labels dealt at random to the same scores would give about "
        f"{curve.chance_auc:.3f}. The ordinary AUC, which sees the order of the scores only, is "
        f"{curve.roc_auc:.3f}."
    )
    if not 0 < curve.mid <= 1:
        side = "high" if curve.mid <= 0 else "low"
        return f"{said} Mid is {mid_word(curve.mid)}, outside (0, 1]: all scores count as {side}."
    share = percent(curve.appropriateness.share)
    return f"{said} With Mid {mid_word(curve.mid)}, {share} of the scores agree with their labels."
