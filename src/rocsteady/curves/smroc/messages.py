"""What is said about a Mid outside (0, 1] and about curves that are undefined, every time."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Sequence

from rocsteady.caller import caller_level
from rocsteady.curves.smroc.digits import mid_word
from rocsteady.errors import DataError, Option, Remedy, RocsteadyWarning
from rocsteady.words import counted, grouped, listed

_WAYS: tuple[Remedy, ...] = (
    ["the paper's Mid, but at most 1:  ", Option("mid", "clipped")],
    ["the middle of the scale:  ", Option("mid", 0.5)],
    "how much depends on it:  curve.mid_profile()",
)


def warn_of_mid(mid: float, auc: float, chance_auc: float, name: str | None) -> None:
    """RS260 if Mid is outside (0, 1]."""
    if 0 < mid <= 1:
        return
    side = "high, so every negative" if mid <= 0 else "low, so every positive"
    _loudly(
        "RS260",
        f"{_whose(name)}Mid is {mid_word(mid)}, outside (0, 1]: all scores are {side} is inappropriate.",
        f"smAUC {_number(auc)}; labels dealt at random would give about {_number(chance_auc)}",
    )


def warn_of_mids(outside: Sequence[float], n_curves: int, auc: float, chance_auc: float) -> None:
    """RS260 for many curves at once; the areas are means over those curves."""
    if outside:
        low, high = min(outside), max(outside)
        start = "is" if low == high else "goes up to" if low > 1 else f"goes from {mid_word(low)} to"
        _loudly(
            "RS260",
            f"Mid is outside (0, 1] in {len(outside)} of {n_curves} smROC curves; "
            f"it {start} {mid_word(high)}.",
            f"their mean smAUC {_number(auc)}; labels dealt at random would give {_number(chance_auc)}",
        )


def warn_undefined(total_credit: float, total_debit: float, name: str | None) -> None:
    """RS261 if nothing goes up, or nothing goes right."""
    if total_credit > 0 and total_debit > 0:
        return
    lacking, other = ("right", "up") if total_credit > 0 else ("up", "right")
    _loudly(
        "RS261",
        f"{_whose(name)}smAUC is undefined (NaN): no step goes {lacking}.",
        f"all {max(total_credit, total_debit):g} of the scores' weight goes {other}",
    )


def refuse_undefined_areas(
    undefined: tuple[str, ...], n_curves: int, unit: str, with_middle: Option | str
) -> DataError:
    """RS036: groups whose steps all go one way; ``with_middle`` is what gives them the Mid 1/2."""
    ways: list[Remedy] = [("the middle of the scale, where it is always defined:  ", with_middle)]
    if len(undefined) < n_curves:
        ways.insert(0, ("leave them out and list them on every result:  ", Option("undefined", "drop")))
    return DataError(
        "RS036",
        f"smAUC is undefined in {grouped(len(undefined))} of {counted(n_curves, unit)}.",
        listed(undefined),
        *ways,
    )


def _number(area: float) -> str:
    return "undefined" if math.isnan(area) else f"{area:.4f}"


def _whose(name: str | None) -> str:
    return "" if name is None else f"{name}: "


def _loudly(code: str, problem: str, found: str) -> None:
    """A warning at the caller's line that is shown each time, not once for the line; filters apply."""
    frame = sys._getframe(caller_level() - 2)  # a stacklevel of 2 is this very function
    warnings.warn_explicit(
        RocsteadyWarning(code, problem, found, *_WAYS),
        category=RocsteadyWarning,
        filename=frame.f_code.co_filename,
        lineno=frame.f_lineno,
        module=frame.f_globals.get("__name__", "<unknown>"),
    )
