"""What must be said of every binormal average, and of fits that needed help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady.averaging.binormal_fit import CORRECTED, CORRECTED_EQUAL, EQUAL_VARIANCES
from rocsteady.caller import caller_level
from rocsteady.errors import warn
from rocsteady.words import counted, listed, plural

if TYPE_CHECKING:
    from rocsteady.averaging.binormal import BinormalAverage


def warn_of(average: BinormalAverage) -> None:
    """RS230 always; RS231, RS232 and RS233 where they apply."""
    names, status, units = average.members, average._fits.status, plural(average.unit)
    level = caller_level()
    of_groups = float(average.weights @ average._groups.auc)
    warn(
        "RS230",
        f"the area under a binormal average is not the mean of the {units}' areas.",
        f"AUC of the average {average.auc:.4f}, mean AUC {of_groups:.4f}",
        "the same rate held fixed, without a model:  average(x, 'vertical')",
        stacklevel=level,
    )
    degenerate = [
        name for name, how in zip(names, status, strict=True) if how in (CORRECTED, CORRECTED_EQUAL)
    ]
    if degenerate:
        warn(
            "RS231",
            f"{counted(len(degenerate), average.unit)} of {len(names)} cannot be fitted without help; one "
            f"case of each class was added.",
            f"without a maximum of the likelihood: {listed(degenerate)}",
            "see  average.parameters.to_frame(), or use  average(x, 'vertical')",
            stacklevel=level,
        )
    one_point = [name for name, how in zip(names, status, strict=True) if how == EQUAL_VARIANCES]
    if one_point:
        warn(
            "RS232",
            f"{counted(len(one_point), average.unit)} of {len(names)} have one cut-off; equal variances were "
            f"assumed.",
            f"two categories only: {listed(one_point)}",
            "use  average(x, 'vertical')",
            stacklevel=level,
        )
    hook = average._hook()
    if hook is not None:
        warn(
            "RS233",
            "part of the binormal average lies below the chance line.",
            f"a = {average.a:.3f}, b = {average.b:.3f}. {hook}",
            "use  average(x, 'vertical')",
            stacklevel=level,
        )
