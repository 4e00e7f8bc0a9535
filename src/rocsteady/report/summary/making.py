"""A whole report as plain data: every part, made once, from full data.

``ReportSummary.to_dict()`` is what ``rocsteady report --json`` prints; ``schema.json`` beside this file says
what is in it. The page and the terminal only show it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from importlib.resources import files
from typing import Any, TypeVar

from rocsteady.advice.deployment import Deployment
from rocsteady.show.citing import program_version
from rocsteady.report.data import Finding
from rocsteady.report.summary import comparability, flow, groups, planning, readers, smroc
from rocsteady.report.summary.answer import answer
from rocsteady.report.summary.comparing import comparison as comparing
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.methods import methods
from rocsteady.report.summary.modes import modes
from rocsteady.report.summary.phrases import plain_part
from rocsteady.report.summary.points import det, points
from rocsteady.report.summary.reader_study import what_is_random
from rocsteady.report.summary.settings import Place, Settings
from rocsteady.report.summary.vocabulary import Wording, count, short_name
from rocsteady.results import plain, plain_fields
from rocsteady.scores.design import Design
from rocsteady.scores.score_set import ScoreSet

SCHEMA_VERSION = 1
_Part = TypeVar("_Part")


@dataclass(frozen=True)
class About:
    """What a report is about.

    Attributes
    ----------
    title : str
    source : str
        The file, if there was one.
    unit, units, positive, negative : str
        The words for a group, for several, and for the classes.
    higher_is_positive : bool
    is_grouped : bool
        Whether there are groups; else there is one dataset, and cases are what is random.
    models : tuple of str
        One without a name where none were named.
    n_groups, n_groups_left_out : int
        Groups that have a curve; those that lack a class, or have too few cases.
    n_rows : int
        Rows in curves.
    n_cases : int
        Of one model: each counted once, however often a cross-validation was repeated.
    design : Design
        What the groups are.
    random : str
        What the intervals at the declared place take as random: ``"hosts"``, ``"readers and cases"``.
    confidence_level, n_resamples, seed
        Of the intervals.
    version : str
        Of rocsteady.
    words : {"ml", "medical", "biometric"}
    columns : mapping
        Role to column, where columns were taken because of their names.
    command : str
        What was typed.
    """

    title: str
    source: str
    unit: str
    units: str
    positive: str
    negative: str
    higher_is_positive: bool
    is_grouped: bool
    models: tuple[str, ...]
    n_groups: int
    n_groups_left_out: int
    n_rows: int
    n_cases: int
    design: Design
    random: str
    confidence_level: float
    n_resamples: int
    seed: int
    version: str
    words: str
    columns: Mapping[str, str]
    command: str

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return plain_fields(self) | {"columns": dict(self.columns), "design": self.design.to_dict()}


@dataclass(frozen=True)
class Use:
    """The declared use of the scores, and where it is read.

    Attributes
    ----------
    deployment : Deployment or None
        None where it was not said.
    place : Place
        The operating point; an example where none was said.
    place_is_declared : bool
        Whether it is no example.
    """

    deployment: Deployment | None
    place: Place
    place_is_declared: bool

    def to_dict(self) -> dict[str, Any] | None:
        """The answers to the two questions as plain data; None where they were not given."""
        if self.deployment is None:
            return None
        place = self.place if isinstance(self.place, str) else dict(self.place)
        return self.deployment.to_dict() | {
            "place": plain(place),
            "place_is_declared": self.place_is_declared,
        }


@dataclass(frozen=True, eq=False)
class ReportSummary:
    """Everything that a report says.

    Attributes
    ----------
    schema_version : int
        Of the plain data.
    about : About
    deployment : Use
        How the scores will be used.
    recommended : str or None
        The key of the average that fits; None where no use was declared.
    answer, comparison, comparability, operating_points, groups, data, plan, methods, smroc, readers, det
        Parts, each in a file of its own; None where there is nothing to say.
    averages : tuple of Mode
        Every way to read the curves as one.
    warnings : tuple of Finding
    wording : Wording
        The words of the report; not part of the plain data.
    """

    schema_version: int
    about: About
    deployment: Use
    recommended: str | None
    answer: answer.Answer
    averages: tuple[modes.Mode, ...]
    comparison: comparing.ComparisonPart | None
    comparability: comparability.ComparabilityPart | None
    operating_points: points.PointsPart
    groups: groups.GroupsPart | None
    data: flow.DataPart
    plan: planning.PlanPart | None
    methods: methods.MethodsPart
    smroc: smroc.SmrocPart | None
    readers: readers.ReadersPart | None
    det: det.DetPart | None
    warnings: tuple[Finding, ...]
    wording: Wording

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data that JSON can carry (infinities as strings, NaN as None)."""
        names = [field.name for field in fields(self) if field.name != "wording"]
        return {name: plain_part(getattr(self, name)) for name in names}


def summarize(score_set: ScoreSet, deployment: Deployment | None = None, **settings: Any) -> ReportSummary:
    """A report as plain data.

    Parameters
    ----------
    score_set : ScoreSet
        The scores of all groups and models.
    deployment : Deployment, optional
        How they will be used; without one all averages are shown and none is recommended.
    **settings
        As :class:`~rocsteady.report.summary.settings.Settings` has them.
    """
    return summarize_material(Material(score_set, deployment, Settings(**settings)))


def summarize_material(material: Material) -> ReportSummary:
    """The same of material that has been gathered already."""
    averages = modes.make(material)
    comparison = _part(material, comparing.make)
    operating = _part(material, points.make)
    parts: dict[str, Any] = {
        "comparison": comparison,
        "answer": _part(material, lambda own: answer.make(own, comparison)),
        "comparability": _part(material, comparability.make),
        "operating_points": operating,
        "groups": _part(material, groups.make),
        "plan": _part(material, lambda own: planning.make(own, comparison)),
        "smroc": _part(material, smroc.make),
        "readers": _part(material, readers.make),
        "det": _part(material, det.make),
        "methods": _part(material, lambda own: methods.make(own, operating, comparison)),
        "data": _part(material, flow.make),  # after all that may have warned
    }
    return ReportSummary(
        schema_version=SCHEMA_VERSION,
        about=_about(material, parts["data"].n_used),
        deployment=Use(material.deployment, material.declared_place, material.place_is_declared),
        recommended=material.declared_key,
        averages=averages,
        warnings=tuple(material.warnings),
        wording=material.wording,
        **parts,
    )


def _part(material: Material, make: Callable[[Material], _Part]) -> _Part:
    with material.catching():
        return make(material)


def _about(material: Material, n_rows: int) -> About:
    own, wording, settings = material.score_set, material.wording, material.settings
    used = {name for model in material.names for name in material.curves(model).names}
    if material.declared_key == "pooled":  # where groups of one class count, too
        used = set(own.groups)
    return About(
        title=settings.title or _title(material, len(used)),
        source=own.source,
        unit=wording.unit,
        units=wording.units,
        positive=wording.positive,
        negative=wording.negative,
        higher_is_positive=wording.higher_is_positive,
        is_grouped=material.is_grouped,
        models=material.names,
        n_groups=len(used),
        n_groups_left_out=len(material.given.groups) - len(used),
        n_rows=n_rows,
        n_cases=material.n_cases,
        design=own.design,
        random=what_is_random(material, material.key),
        confidence_level=settings.confidence_level,
        n_resamples=settings.n_resamples,
        seed=settings.seed,
        version=program_version(),
        words=settings.words,
        columns=dict(own.columns_chosen),
        command=settings.command,
    )


def _title(material: Material, n_groups: int) -> str:
    """What the report is about, where nobody has said it."""
    wording, names = material.wording, material.names
    models = f"{len(names)} models" if len(names) > 1 else short_name(names[0]) or "Scores"
    if not material.is_grouped:
        return f"{models} on {count(material.score_set.columns.n_cases)} cases"
    where = f"{count(n_groups)} {wording.unit if n_groups == 1 else wording.units}"
    if material.score_set.design.kind == "cross-validation":
        where = f"a cross-validation of {count(material.n_cases)} cases"
    return f"{models} on {where}"


def schema() -> dict[str, Any]:
    """The JSON schema of the plain data."""
    text = files("rocsteady.report.summary").joinpath("schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found
