"""Which other thresholds the groups cannot tell apart from the one that is shown."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import RocsteadyError, RocsteadyWarning
from rocsteady.points.tables import Neighbourhood, PointTests, neighbourhood_of
from rocsteady.report.summary.comparing.measure import model_name
from rocsteady.report.summary.comparing.setting import test_train_ratio
from rocsteady.report.summary.phrases import Phrase, phrase, plain_text
from rocsteady.report.summary.points.places import prevalence_of, shared_threshold
from rocsteady.report.summary.points.words import in_sentence, place_label, told_apart
from rocsteady.report.summary.vocabulary import Wording
from rocsteady.results import plain_fields
from rocsteady.words import counted, grouped

if TYPE_CHECKING:
    from rocsteady.report.summary.material import Material

Floats = NDArray[np.float64]

_N_OTHERS = 30
_MOST_ROWS = 12


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The shared threshold of one model among others.

    Attributes
    ----------
    model : str
    threshold : float
        The one that is shown.
    cell : str
        The same as it is written.
    thresholds : float64 array
        Some others around it, and itself, strictest first.
    cells : tuple of str
        The same, in as many digits as tell them apart.
    fpr, tpr : float64 arrays
        Mean rates over groups at each.
    told_fpr, told_tpr : tuple of str
        Whether each is told apart by its rate: "cannot", "yes", or empty where that could not be tested.
    is_chosen : tuple of bool
    low, high : float
        None between them is told apart, by either rate; NaN if all are.
    n_others, n_groups : int
        Thresholds that were tested, and groups by which.
    sentence : Phrase
    """

    model: str
    threshold: float
    cell: str
    thresholds: Floats
    cells: tuple[str, ...]
    fpr: Floats
    tpr: Floats
    told_fpr: tuple[str, ...]
    told_tpr: tuple[str, ...]
    is_chosen: tuple[bool, ...]
    low: float
    high: float
    n_others: int
    n_groups: int
    sentence: Phrase

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can carry."""
        return plain_fields(self) | {"sentence": plain_text(self.sentence)}


@dataclass(frozen=True)
class CutoffsPart:
    """Thresholds that cannot be told apart, for every model.

    Attributes
    ----------
    models : tuple of Neighbours
    explanation : str
        How thresholds were tested, and what a test that does not reject does not mean.
    """

    models: tuple[Neighbours, ...]
    explanation: str

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can carry."""
        return {"models": [own.to_dict() for own in self.models], "explanation": self.explanation}


def make(material: Material, elsewhere: Material | None = None) -> CutoffsPart | None:
    """The part; None where no threshold is shared, or there are no groups to judge by."""
    is_own = material.deployment is not None and not material.deployment.is_shared
    if is_own or not material.is_grouped:
        return None
    found = [_of_model(material, elsewhere or material, name) for name in material.names]
    models = tuple(own for own in found if own is not None)
    return CutoffsPart(models, _explanation(material)) if models else None


def _of_model(material: Material, chosen_on: Material, name: str) -> Neighbours | None:
    key = material.declared_key or "threshold"
    theirs = name if name in chosen_on.names else chosen_on.names[0]
    curve: Any = chosen_on.average(key, theirs)
    threshold = shared_threshold(curve, material.declared_place, prevalence_of(material, name)[0])
    try:
        with warnings.catch_warnings():  # what differs in no group is shown as not tested
            warnings.simplefilter("ignore", RocsteadyWarning)
            found = neighbourhood_of(
                material.of_model(name),
                threshold,
                n_points=_N_OTHERS,
                alpha=1 - material.settings.confidence_level,
                test_train_ratio=test_train_ratio(material),
            )
    except RocsteadyError:  # thresholds that a float cannot tell apart
        return None
    return None if found is None else _neighbours(material, name, threshold, found)


def _neighbours(material: Material, name: str, threshold: float, found: Neighbourhood) -> Neighbours:
    around, wording = found.around(_MOST_ROWS), material.wording
    assert found.table.thresholds is not None
    shown = found.table.thresholds[around]
    low, high = sorted(found.alike)
    is_alone = low == high
    return Neighbours(
        model=name,
        threshold=threshold,
        cell=wording.cutoff(threshold),
        thresholds=shown,
        cells=told_apart(wording, shown.tolist(), [low, threshold, high]),
        fpr=found.table.measure("fpr").mean[around],
        tpr=found.table.measure("tpr").mean[around],
        told_fpr=tuple(_told(found.by_fpr, i) for i in around),
        told_tpr=tuple(_told(found.by_tpr, i) for i in around),
        is_chosen=tuple(i == found.index for i in around),
        low=math.nan if is_alone else low,
        high=math.nan if is_alone else high,
        n_others=found.table.n_points - 1,
        n_groups=found.table.n_folds,
        sentence=_sentence(wording, name, threshold, found, shown.tolist()),
    )


def _told(comparison: PointTests, point: int) -> str:
    if comparison.indistinguishable[point]:
        return "cannot"
    return "" if point in comparison.untested else "yes"


def _sentence(
    wording: Wording, name: str, threshold: float, found: Neighbourhood, shown: list[float]
) -> Phrase:
    word, groups = wording.cutoff_word, counted(found.table.n_folds, wording.unit)
    whose = f"{model_name(name)}: with" if name else "With"
    low, high = sorted(found.alike)
    own = wording.cutoff(threshold)
    if low == high:
        return phrase(
            f"{whose} these {groups} every other {word} that was looked at is told apart from ", own, "."
        )
    ends = told_apart(wording, [low, threshold, high], shown)
    rates = [
        f"{grouped(int(comparison.indistinguishable.sum()) - 1)} by their {rate.name}"
        for rate, comparison in ((wording.fpr, found.by_fpr), (wording.tpr, found.by_tpr))
    ]
    return phrase(
        f"{whose} these {groups} no {word} ",
        (f"{'from ' if math.isfinite(low) else ''}", f"{ends[0]} to {ends[2]}"),
        f" can be told apart from {ends[1]} by either rate. Of {grouped(found.table.n_points - 1)} others "
        f"that were looked at, {' and '.join(rates)} cannot.",
    )


def _explanation(material: Material) -> str:
    wording, word = material.wording, material.wording.cutoff_word
    level = f"{100 * (1 - material.settings.confidence_level):.4g} %"
    is_pooled = material.declared_key == "pooled"
    place = place_label(material.declared_place, wording, "pooled" if is_pooled else "shared")
    whose = ""
    if is_pooled:
        whose = (
            f" Rates and tests here are of the average {wording.unit}, each counting once: what single "
            f"{wording.units} do decides, not all rows together."
        )
    label = in_sentence(place) + ("" if material.place_is_declared else " (an example)")
    folds = ""
    if test_train_ratio(material) is not None:
        folds = " The tests allow for the training cases that folds share (Nadeau & Bengio 2003)."
    return (
        f"Around the {word} for {label}. Paired t tests over {wording.units} at {level}, each for itself. A "
        f"{word} that cannot be told apart is not equal: a stricter one calls fewer positive, but these rows "
        f"cannot say by how much.{whose}{folds}"
    )
