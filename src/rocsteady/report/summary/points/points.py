"""Operating points: thresholds with the rates they give, how sure both are, and the group that does worst."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.report.summary.phrases import Text, plain_text
from rocsteady.report.summary.points.coordinates import Coordinates, coordinates_of
from rocsteady.report.summary.points.counted import TwoByTwoPart, error_notes, two_by_two_part
from rocsteady.report.summary.points.cutoffs import CutoffsPart
from rocsteady.report.summary.points.cutoffs import make as make_cutoffs
from rocsteady.report.summary.points.of_other_rows import elsewhere_of, readings_elsewhere
from rocsteady.report.summary.points.places import wanted_places
from rocsteady.report.summary.points.reading import UNKNOWN, Limits, Reading, limits_of
from rocsteady.report.summary.points.readings import readings_on_rows
from rocsteady.report.summary.points.realised import RealisedPart
from rocsteady.report.summary.points.realised import make as make_realised
from rocsteady.report.summary.points.words import (
    explanation,
    origin_note,
    place_label,
    row_notes,
    told_apart,
)
from rocsteady.results import plain, plain_fields

if TYPE_CHECKING:
    from rocsteady.report.summary.material import Material
    from rocsteady.report.summary.settings import Place

_NO_WIDTH = 1e-9


@dataclass(frozen=True)
class OnNewRows:
    """The rates that a threshold which was chosen on these rows has on new ones, with their intervals."""

    fpr: float
    fpr_limits: Limits
    tpr: float
    tpr_limits: Limits


@dataclass(frozen=True)
class PointRow:
    """One model at one operating point.

    Attributes
    ----------
    label : str
        What is held, in the words of the report.
    place : str or mapping
        The same as a place.
    key : str
        The average that was read.
    model : str
    is_declared : bool
        Whether this is the declared operating point.
    status : {"declared", "asked", "example", "usual"}
        Why it is here; the example is what the report shows where no place was declared.
    threshold : float
        The one for all groups; NaN where every group has its own.
    threshold_limits : (float, float)
        Its interval; or the smallest and the largest of the groups' own thresholds.
    cell, cell_limits : str
        The threshold and its limits as they are shown; for own thresholds ``cell`` has both ends.
    fpr, tpr : float
    fpr_limits, tpr_limits : (float, float)
        NaN where there are none.
    fpr_is_held, tpr_is_held : bool
        Whether the rate is met by design.
    corrected : OnNewRows or None
        What the threshold attains on new rows, where it was chosen on these; of a rate that is held the
        threshold that keeps it. Limits of rates that are not held are for these.
    worst_fpr, worst_tpr : float
        Of a single group; NaN where there are no groups.
    worst_fpr_group, worst_tpr_group : str
    cost : float
        Expected cost per case at the costs that are the place; NaN for other places.
    two_by_two : TwoByTwoPart or None
        In medical words.
    notes : tuple of str
        What to know about this row.
    """

    label: str
    place: Any
    key: str
    model: str
    is_declared: bool
    status: str
    threshold: float
    threshold_limits: Limits
    cell: str
    cell_limits: str
    fpr: float
    fpr_limits: Limits
    fpr_is_held: bool
    tpr: float
    tpr_limits: Limits
    tpr_is_held: bool
    corrected: OnNewRows | None
    worst_fpr: float
    worst_fpr_group: str
    worst_tpr: float
    worst_tpr_group: str
    cost: float
    two_by_two: TwoByTwoPart | None
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can carry."""
        place = self.place if isinstance(self.place, str) else plain_values(self.place)
        return plain_fields(self) | {"place": place}


@dataclass(frozen=True)
class PointBlock:
    """The operating points under one use of thresholds.

    Attributes
    ----------
    question : {"shared", "own", "single"}
        One threshold for all groups, one for each, or no groups at all.
    title : str
    explanation : Text
        What rows and brackets are.
    rows : tuple of PointRow
        Place after place, in each all models.
    """

    question: str
    title: str
    explanation: Text
    rows: tuple[PointRow, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can carry."""
        return {
            "question": self.question,
            "title": self.title,
            "explanation": plain_text(self.explanation),
            "rows": [row.to_dict() for row in self.rows],
        }


@dataclass(frozen=True)
class PointsPart:
    """Operating points and what else is to be known of thresholds.

    Attributes
    ----------
    blocks : tuple of PointBlock
        One for the declared use; where none was declared, one for a shared threshold and one for own ones.
    note : Text
        Whether thresholds were set beforehand.
    realised : RealisedPart or None
        What thresholds did on rows that had no say in them.
    cutoffs : CutoffsPart or None
        Which other cut-offs cannot be told apart from the shared one.
    coordinates : tuple of Coordinates
        The curve as a table, in medical words; one for each model.
    """

    blocks: tuple[PointBlock, ...]
    note: Text
    realised: RealisedPart | None
    cutoffs: CutoffsPart | None
    coordinates: tuple[Coordinates, ...]

    @property
    def rows(self) -> tuple[PointRow, ...]:
        """The rows of all blocks."""
        return tuple(row for block in self.blocks for row in block.rows)

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can carry."""
        return {
            "blocks": [block.to_dict() for block in self.blocks],
            "note": plain_text(self.note),
            "realised": self.realised and self.realised.to_dict(),
            "cutoffs": self.cutoffs and self.cutoffs.to_dict(),
            "coordinates": [own.to_dict() for own in self.coordinates],
        }


def plain_values(place: Any) -> dict[str, Any]:
    """A place as JSON can carry it."""
    return {name: plain(value) for name, value in place.items()}


def make(material: Material) -> PointsPart:
    """Read all operating points of all models."""
    material.settings.say("operating points")
    places = wanted_places(material)
    elsewhere = elsewhere_of(material)
    return PointsPart(
        blocks=tuple(_block(material, elsewhere, places, key) for key in _keys(material)),
        note=origin_note(material),
        realised=make_realised(material, elsewhere),
        cutoffs=make_cutoffs(material, elsewhere),
        coordinates=coordinates_of(material) if material.settings.words == "medical" else (),
    )


def _keys(material: Material) -> tuple[str | None, ...]:
    """The shared averages to read, and None for thresholds of their own."""
    if not material.is_grouped:
        return ("threshold",)
    if material.deployment is None:
        return "threshold", None
    return (material.declared_key,) if material.deployment.is_shared else (None,)


def _question(material: Material, key: str | None) -> str:
    if not material.is_grouped:
        return "single"
    return "own" if key is None else "pooled" if key == "pooled" else "shared"


def _block(
    material: Material, elsewhere: Material | None, places: Sequence[Place], key: str | None
) -> PointBlock:
    question = _question(material, key)
    found: dict[str, list[Reading]] = {}
    for name in material.names:
        if elsewhere is None:
            found[name] = readings_on_rows(material, places, name, key)
        else:
            found[name] = readings_elsewhere(material, elsewhere, places, name, key)
    units, unit = material.wording.units, material.wording.unit
    word = material.wording.cutoff_word
    titles = {"single": "", "own": f"A {word} for every {unit}", "pooled": f"One {word}, all rows"}
    rows = [
        _row(material, name, place, found[name][i], question)
        for i, place in enumerate(places)
        for name in material.names
    ]
    return PointBlock(
        question="shared" if question == "pooled" else question,
        title=titles.get(question, f"One {word} for all {units}"),
        explanation=explanation(material, question),
        rows=tuple(rows),
    )


def _row(material: Material, name: str, place: Place, reading: Reading, question: str) -> PointRow:
    settings = material.settings
    is_declared = (
        material.deployment is not None and material.place_is_declared and place == material.declared_place
    )
    notes = row_notes(material, name, place, reading)
    if settings.words == "biometric":
        notes += error_notes(material, name, reading)
    worst = _worst(reading) if material.is_grouped else (math.nan, "", math.nan, "")
    cell, cell_limits = _cells(material, reading)
    has_table = settings.words == "medical" and not reading.problem
    return PointRow(
        label=place_label(place, material.wording, question),
        place=place,
        key=reading.key,
        model=name,
        is_declared=is_declared,
        status="declared" if is_declared else _status(material, place),
        threshold=reading.threshold,
        threshold_limits=reading.threshold_limits,
        cell=cell,
        cell_limits=cell_limits,
        fpr=reading.fpr,
        fpr_limits=_with_width(reading.fpr_limits),
        fpr_is_held=reading.held == "fpr",
        tpr=reading.tpr,
        tpr_limits=_with_width(reading.tpr_limits),
        tpr_is_held=reading.held == "tpr",
        corrected=_on_new_rows(reading),
        worst_fpr=worst[0],
        worst_fpr_group=worst[1],
        worst_tpr=worst[2],
        worst_tpr_group=worst[3],
        cost=reading.cost,
        two_by_two=two_by_two_part(material, name, reading) if has_table else None,
        notes=tuple(notes),
    )


def _on_new_rows(reading: Reading) -> OnNewRows | None:
    found = reading.corrected
    if found is None:
        return None
    return OnNewRows(
        found.fpr,
        _with_width(limits_of(found.fpr_interval)),
        found.tpr,
        _with_width(limits_of(found.tpr_interval)),
    )


def _status(material: Material, place: Place) -> str:
    if place in material.settings.at:
        return "asked"
    return "example" if place == material.declared_place else "usual"


def _with_width(limits: Limits) -> Limits:
    """No interval where it has no width: that groups agree does not make a rate certain."""
    return limits if limits[1] - limits[0] > _NO_WIDTH else UNKNOWN


def _cells(material: Material, reading: Reading) -> tuple[str, str]:
    """The threshold and its interval as they are shown."""
    wording = material.wording
    low, high = reading.threshold_limits
    ends = f"{wording.threshold(low)} to {wording.threshold(high)}" if low < high else ""
    if reading.problem:
        return "", ""
    if reading.between is not None:
        loose, strict = told_apart(wording, [reading.between.loose, reading.between.strict])
        return f"between {loose} and {strict}", ends
    if reading.is_shared:
        return wording.cutoff(reading.threshold), ends
    return wording.cutoff(low) if low == high else ends, ""


def _worst(reading: Reading) -> tuple[float, str, float, str]:
    """The highest FPR and the lowest TPR of single groups, and whose they are."""
    if reading.own is None:
        return math.nan, "", math.nan, ""
    fpr, tpr = reading.own.fpr[:, 0], reading.own.tpr[:, 0]
    found: list[Any] = []
    for rates, pick in ((fpr, np.nanargmax), (tpr, np.nanargmin)):
        if np.isnan(rates).all():
            found += [math.nan, ""]
            continue
        index = int(pick(rates))
        found += [float(rates[index]), reading.groups[index]]
    return found[0], found[1], found[2], found[3]
