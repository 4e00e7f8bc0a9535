"""Numbers of a plan as they are written, and what may be said of them."""

from __future__ import annotations

import math

from rocsteady.advice.deployment import Line
from rocsteady.inference.matching import is_like_a_reader_study
from rocsteady.planning.groups import Plan
from rocsteady.report.summary.comparing.comparison import ComparisonPart
from rocsteady.report.summary.comparing.given import is_given
from rocsteady.report.summary.comparing.measure import Measure, line_of
from rocsteady.report.summary.material import SHARED_KEYS, Material
from rocsteady.report.summary.phrases import Text
from rocsteady.report.summary.vocabulary import count, percent
from rocsteady.words import counted


def width_words(measure: Measure, width: float) -> str:
    """A half-width with its unit."""
    if measure.is_share:
        return f"{100 * width:.{1 if width >= 0.005 else 2}f} points"
    return f"{width:.3f}" if width >= 0.0095 else f"{width:.2g}"


def times_words(factor: float) -> str:
    """A factor, rounded up: what is more than once is never written as once.

    >>> times_words(1.004), times_words(4.3), times_words(12.1)
    ('1.1', '4.3', '13')
    """
    if factor >= 10:
        return count(math.ceil(factor))
    return f"{math.ceil(10 * factor - 1e-9) / 10:g}"


def chance_words(power: float) -> str:
    """A chance, never more sure than 99 %."""
    return "more than 99 %" if power > 0.99 else percent(power)


def _whole(number: float) -> str:
    return count(number) if math.isfinite(number) else "more than can be had"


def range_words(needed: float, low: float, high: float) -> tuple[str, str]:
    """How a number of groups starts, and between which it may lie.

    >>> range_words(72, 43, 137), range_words(433, 433, 1319)[0]
    (('about', 'from 43 to 137'), 'at least')
    """
    if low >= needed:
        return "at least", f"up to {_whole(high)}"
    return "about", f"from {_whole(low)} to {_whole(high)}"


_READINGS = {
    "cost": "cost",
    "ratio": "ratio of the error rates",
    "balance": "balance of the error rates",
    "alerts": "share called positive",
    "threshold": "threshold",
}


def not_declared_words(material: Material, measure: Measure) -> str:
    """``For AUC, not for the declared cost``, where no plan is known for what was declared; else nothing."""
    is_used = material.deployment is not None or material.is_alone
    if measure.kind != "auc" or not is_used or not material.place_is_declared:
        return ""
    place = line_of(material)
    if place is None:
        return "For AUC, not for the declared point"
    is_equal = place.held == "balance" and place.target == 1
    declared = "equal error rate" if is_equal else _READINGS.get(place.held, "point")
    return f"For AUC, not for the declared {declared.replace('threshold', material.wording.cutoff_word)}"


def enough_words(material: Material, comparison: ComparisonPart | None) -> str:
    """That there are data enough: of the declared use, and where nothing at the top is open."""
    if comparison is None or (material.deployment is None and not material.is_alone):
        return ""
    best = comparison.standings[0].model
    row = next((own for own in comparison.others if own.is_declared), None)
    is_open = any(not pair.is_decided for pair in comparison.pairs if best in (pair.a, pair.b))
    if is_open or (row is not None and len(comparison.models) > 2 and not row.is_decided):
        return ""
    return "More data are not needed for that."


def promise_words(measure: Measure, width: float, promised: float) -> str:
    """What a new study as large as this one may expect, where that is not what this one has."""
    if not width > 0 or abs(width - promised) < 0.1 * promised:
        return ""
    possible = promised if measure.kind == "cost" else min(promised, 1.0)
    expected, luck = width_words(measure, possible), "wider" if promised > width else "narrower"
    return (
        f"All rows start from the interval on this page. A new study of this size may expect {expected} to "
        f"either side, and all others {luck} intervals in the same ratio."
    )


def note_words(material: Material, made: Plan, place: Line | None, n_groups: int) -> Text:
    """What the plan is for and how rough it is."""
    said = []
    asked, units = line_of(material), material.wording.units
    if is_given(material):
        said.append("Planned for thresholds that were found on other rows and are kept.")
    elif material.deployment is None and not material.is_alone:
        said.append(f"Planned for the mean AUC of {units}: how the scores will be used was not declared.")
    elif (asked is not None or material.place_is_declared) and place is None and not material.is_alone:
        said.append(f"Planned for the mean AUC of {units}: no plan is known for the declared reading itself.")
    elif place is not None and material.declared_key in SHARED_KEYS and not material.is_alone:
        said.append(
            f"Planned for the declared point, to which one threshold is set again with other {units}."
        )
    elif place is not None and not material.is_alone:
        said.append(f"Planned for the declared point, which every {material.unit} meets itself.")
    if is_like_a_reader_study(material.score_set):
        said.append(
            f"All {units} saw the same cases, and more {units} do not average out the chance in these: they "
            "buy less."
        )
    if n_groups > made.n_groups:
        said.append(f"Spreads were taken from {counted(made.n_groups, material.unit)}, drawn at random.")
    if made.design.shares_training:
        word = "repeats" if made.design.kind == "cross-validation" else units
        said.append(
            f"More {units} do not help, because they are parts of the same cases; more cases do, and more "
            f"{word} only to a point."
        )
    elif made.n_groups > 1:
        said.append(f"New {units} are taken to be like these. Plans from few {units} are rough.")
    else:
        said.append("This is for more cases like these: one dataset does not show how much datasets differ.")
    return " ".join(said)
