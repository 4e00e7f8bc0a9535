"""Group by group: cases, AUC with its interval, and the rates at the setting of the report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.intervals import quiet_intervals
from rocsteady.report.data import FEW_CASES
from rocsteady.report.summary.comparing.measure import model_name
from rocsteady.report.summary.phrases import Text, plain_text
from rocsteady.report.summary.points.between_thresholds import between
from rocsteady.report.summary.points.of_other_rows import elsewhere_of, readings_elsewhere
from rocsteady.report.summary.points.places import (
    kind_of,
    own_place,
    prevalence_of,
    shared_threshold,
    value_of,
)
from rocsteady.report.summary.points.readings import readings_on_rows
from rocsteady.report.summary.points.words import in_sentence, place_label
from rocsteady.results import plain_fields

if TYPE_CHECKING:
    from rocsteady.report.summary.material import Material

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GroupsOfModel:
    """One model in every group; arrays in the order of ``GroupsPart.groups``, NaN where there is no curve.

    Attributes
    ----------
    model : str
    n_positives, n_negatives : int64 arrays
        Rows; 0 where the model did not score the group.
    auc, low, high : float64 arrays
        With limits for other cases of the same group; weighted rows have none.
    fpr, tpr, threshold : float64 arrays
        At the setting of the report. A group of one class has the rate of that class.
    """

    model: str
    n_positives: NDArray[np.int64]
    n_negatives: NDArray[np.int64]
    auc: Floats
    low: Floats
    high: Floats
    fpr: Floats
    tpr: Floats
    threshold: Floats

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can carry."""
        return plain_fields(self)


@dataclass(frozen=True, eq=False)
class GroupsPart:
    """All groups.

    Attributes
    ----------
    unit : str
        The word for a group.
    groups : tuple of str
        Their names, in the order of the data.
    n_positives, n_negatives : int64 arrays
        Rows of each class; of the model that scored most, where models differ.
    models : tuple of GroupsOfModel
    flags : tuple of tuple of str
        For each group what calls for care: ``("few attack cases",)``.
    setting : Text
        At which setting the rates are.
    explanation : Text
        What the columns are.
    """

    unit: str
    groups: tuple[str, ...]
    n_positives: NDArray[np.int64]
    n_negatives: NDArray[np.int64]
    models: tuple[GroupsOfModel, ...]
    flags: tuple[tuple[str, ...], ...]
    setting: Text
    explanation: Text

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can carry."""
        texts = {"setting": plain_text(self.setting), "explanation": plain_text(self.explanation)}
        return plain_fields(self) | texts | {"models": [own.to_dict() for own in self.models]}


def make(material: Material) -> GroupsPart | None:
    """The part; None where there are no groups."""
    if not material.is_grouped:
        return None
    material.settings.say(f"{material.wording.units} one by one")
    elsewhere = elsewhere_of(material)
    models = tuple(_of_model(material, elsewhere, name) for name in material.names)
    flags = _flags(material, models)
    return GroupsPart(
        unit=material.unit,
        groups=material.score_set.groups,
        n_positives=np.max([own.n_positives for own in models], axis=0),
        n_negatives=np.max([own.n_negatives for own in models], axis=0),
        models=models,
        flags=flags,
        setting=_setting(material, models),
        explanation=_explanation(material, flags),
    )


def _of_model(material: Material, elsewhere: Material | None, name: str) -> GroupsOfModel:
    groups = material.score_set.groups
    place = {group: i for i, group in enumerate(groups)}
    own, curves = material.of_model(name), material.curves(name)
    counts = np.zeros((2, len(groups)), dtype=np.int64)
    members = np.array([place[own.groups[i]] for i in own.group_index.tolist()], dtype=np.intp)
    counts[:, members] = own.n_positives, own.n_negatives
    of_auc = np.full((3, len(groups)), np.nan)
    with_curve = np.array([place[curves.groups[i]] for i in curves.group_index.tolist()], dtype=np.intp)
    of_auc[0, with_curve] = curves.auc
    if not curves.is_weighted:
        level = material.settings.confidence_level
        interval = quiet_intervals(curves._moments, level)
        of_auc[1:, with_curve] = interval.low, interval.high
    at = np.full((3, len(groups)), np.nan)
    names, rates = _at_setting(material, elsewhere, name)
    at[:, [place[group] for group in names]] = rates
    return GroupsOfModel(name, counts[0], counts[1], *of_auc, *at)


def _at_setting(
    material: Material, elsewhere: Material | None, name: str
) -> tuple[tuple[str, ...], NDArray[Any]]:
    """Groups, and the FPR, TPR and threshold of each at the declared place (or the example)."""
    place, shared = material.declared_place, _shared_key(material)
    prevalence, _ = prevalence_of(material, name)
    if elsewhere is not None:
        reading = readings_elsewhere(material, elsewhere, [place], name, shared)[0]
        if reading.own is None:
            return (), np.empty((3, 0))
        own = reading.own
        return reading.groups, np.array([own.fpr[:, 0], own.tpr[:, 0], own.thresholds[:, 0]])
    key, position = shared, 0.0
    if shared is None:
        key, position = own_place(place, prevalence) if place_has_own(place) else ("threshold", 0.0)
    if material.problem(str(key)):
        return (), np.empty((3, 0))
    if key in ("threshold", "pooled"):
        position = shared_threshold(material.average(key, name), place, prevalence)
        key = "pooled"  # which knows groups of one class, too: one threshold is what all have
    average = material.average(str(key), name)
    found = average.group_points([position])
    return average.members, np.array([found.fpr[:, 0], found.tpr[:, 0], found.thresholds[:, 0]])


def place_has_own(place: Any) -> bool:
    """Whether every group can have a threshold of its own there; a threshold that is given is for all."""
    return isinstance(place, str) or "threshold" not in place


def _shared_key(material: Material) -> str | None:
    if material.deployment is None:
        return "threshold"
    return material.declared_key if material.deployment.is_shared else None


def _flags(material: Material, models: tuple[GroupsOfModel, ...]) -> tuple[tuple[str, ...], ...]:
    wording = material.wording
    flags: list[list[str]] = [[] for _ in material.score_set.groups]
    fewest = [np.min([getattr(own, field) for own in models], axis=0) for field in _CLASSES]
    for counts, cases in zip(fewest, (wording.positives, wording.negatives), strict=True):
        for i in np.flatnonzero(counts < FEW_CASES).tolist():
            flags[i].append(f"{'few' if counts[i] else 'no'} {cases}")
    for own in models:
        for i in np.flatnonzero(own.n_positives + own.n_negatives == 0).tolist():
            flags[i] = [f"not scored by {model_name(own.model)}"]
    return tuple(map(tuple, flags))


_CLASSES = ("n_positives", "n_negatives")


def _setting(material: Material, models: tuple[GroupsOfModel, ...]) -> str:
    wording, key = material.wording, _shared_key(material)
    question = "own" if key is None else "pooled" if key == "pooled" else "shared"
    label = in_sentence(place_label(material.declared_place, wording, question))
    example = "" if material.place_is_declared else ", as an example"
    if question == "own" and place_has_own(material.declared_place):
        found = (
            "" if material.settings.cutoff_from is None else f", {wording.cutoff_word}s found on other rows"
        )
        said = f"Rates at: {label}{found}{example}."
        if not found and any(_is_coarse(material, own.model) for own in models):
            said += f" They are read between two {wording.cutoff_word}s of a {wording.unit}; one is shown."
        return said
    shown = []
    for own in models:
        known = own.threshold[~np.isnan(own.threshold)]
        if known.size:
            whose = f"{model_name(own.model)} " if own.model else ""
            shown.append(f"{whose}{wording.cutoff(float(known[0]))}")
    word = wording.cutoff_word
    found = "" if material.settings.cutoff_from is None else ", found on other rows"
    said = f"Rates at one {word} for all {wording.units} ({', '.join(shown)}): {label}{found}{example}."
    if any(_lies_between(material, own.model) for own in models):
        side = "looser" if kind_of(material.declared_place) == "tpr" else "stricter"
        said += f" No {word} has this itself; the next {side} one is taken."
    return said


def _is_coarse(material: Material, name: str) -> bool:
    """Whether most groups have no threshold of their own at the declared place."""
    return readings_on_rows(material, [material.declared_place], name, None)[0].is_coarse


def _lies_between(material: Material, name: str) -> bool:
    """Whether the rate that is held is that of no threshold."""
    place = material.declared_place
    if material.settings.cutoff_from is not None or kind_of(place) not in ("fpr", "tpr"):
        return False
    average, rate = material.average(_shared_key(material) or "threshold", name), value_of(place)
    if kind_of(place) == "fpr":
        return between(average, "fpr", rate, float(average.tpr_at(rate))) is not None
    return between(average, "tpr", float(average.fpr_at(rate)), rate) is not None


def _explanation(material: Material, flags: tuple[tuple[str, ...], ...]) -> str:
    wording, level = material.wording, f"{100 * material.settings.confidence_level:g} %"
    weighted = material.score_set.columns.has_weights
    limits = (
        "Rows have weights, so single AUCs have no interval."
        if weighted
        else f"Limits of an AUC are {level} intervals for other cases of the same {wording.unit}."
    )
    few = f" Marked {wording.units} have fewer than {FEW_CASES} cases of a class, or lack one."
    return limits + (few if any(flags) else "")
