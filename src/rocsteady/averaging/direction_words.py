"""What an average along a direction means, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.averaging import sentences
from rocsteady.averaging.methods import AtAlarmRate, AtCosts
from rocsteady.words import counted, percent, plural

if TYPE_CHECKING:
    from rocsteady.averaging.along_direction import DirectionalAverage
    from rocsteady.uncertainty.intervals import Interval


def describe(average: DirectionalAverage) -> str:
    """One sentence: what is held fixed and what varies."""
    groups = counted(len(average.members), average.unit)
    held, free = _held_and_free(average)
    return (
        f"Mean over {groups}: every {average.unit} sets its own threshold so that {held} is the same for "
        f"all; {free} between {plural(average.unit)}, and the mean is what the curve shows."
    )


def _held_and_free(average: DirectionalAverage) -> tuple[str, str]:
    method, direction = average.method, average.direction
    both = "both rates vary along one direction"
    if isinstance(method, AtAlarmRate):
        return f"the share called positive, at a prevalence of {percent(method.prevalence)},", both
    if isinstance(method, AtCosts):
        held = "the position along the lines of equal expected cost"
        return held, "the expected cost varies"
    if direction.is_vertical:
        return "the false positive rate", "the true positive rate varies"
    if direction.is_horizontal:
        return "the true positive rate", "the false positive rate varies"
    if direction.cosine == direction.sine:
        return "FPR + TPR (the difference of the two error rates)", both
    return f"{direction.cosine:.3f} FPR + {direction.sine:.3f} TPR", both


def describe_point(
    average: DirectionalAverage,
    name: str,
    value: Any,
    fpr: Any,
    tpr: Any,
    intervals: dict[str, Interval | None],
    thresholds: tuple[float, float] | None,
) -> str:
    """What a point means; for several points at once, what the curve means."""
    if np.ndim(fpr):
        return average.reading
    who = sentences.average_unit(average)
    caught = sentences.catches(average, tpr, intervals["tpr"])
    alarms = sentences.false_alarms(average, fpr, intervals["fpr"])
    every = f"If every {average.unit} tunes its own threshold"
    if name == "fpr":
        budget = f"{percent(fpr)} of its {sentences.negatives(average)} raise false alarms"
        said = f"{every} so that {budget}, {who} {caught}."
    elif name == "tpr":
        said = f"{every} to catch {percent(tpr)} of its {sentences.positives(average)}, {who} {alarms}."
    else:
        said = f"{every} so that {_share_called(average, float(value))}, {who} {caught} and {alarms}."
    random = sentences.what_is_random(average)
    return sentences.joined(said, sentences.thresholds_run(average, thresholds), random)


def _share_called(average: DirectionalAverage, rate: float) -> str:
    direction = average.direction
    prevalence = direction.sine / direction.length
    called = f"{percent(rate)} of all cases are called positive at a prevalence of {percent(prevalence)}"
    if direction.cosine == direction.sine:
        gap = 2 * rate - 1
        balance = "both error rates are equal" if gap == 0 else f"FPR - FNR = {gap:+.3g}"
        return f"{balance} ({called})"
    return called
