"""Averages of all models of a file, and how their curves are written down."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from rocsteady.cli.points import Reading, read_place
from rocsteady.words import percent, printable

if TYPE_CHECKING:
    from rocsteady.advice.deployment import Deployment
    from rocsteady.averaging.base import Average
    from rocsteady.averaging.methods import Method
    from rocsteady.cli.requirements import Verdict
    from rocsteady.curves.intervals import Band
    from rocsteady.errors import RocsteadyWarning
    from rocsteady.places import Place
    from rocsteady.report.data import DataSummary, Finding
    from rocsteady.scores import ScoreSet

SCHEMA_VERSION = 1


class BandKind(StrEnum):
    """Which band is written beside the curve."""

    NONE = "none"
    POINTWISE = "pointwise"
    SIMULTANEOUS = "simultaneous"
    PREDICTION = "prediction"


class AtJumps(StrEnum):
    """What is read where a curve jumps."""

    UPPER = "upper"
    MID = "mid"


class Weights(StrEnum):
    """What groups count by."""

    POSITIVES = "positives"
    NEGATIVES = "negatives"
    ROWS = "rows"


@dataclass(frozen=True)
class Settings:
    """How averages are made and shown."""

    band: BandKind
    confidence_level: float
    grid: int | None
    group_weights: Weights | None
    seed: int


@dataclass(frozen=True, eq=False)
class Made:
    """One model's average and what was read off it."""

    model: str
    average: Average
    fpr: Any
    tpr: Any
    thresholds: Any
    band: Band | None
    readings: list[Reading]
    certified: Average | None = None


def make(
    score_set: ScoreSet,
    method: Method,
    settings: Settings,
    places: list[Place],
    prevalence: float | None = None,
) -> list[Made]:
    """The average of every model."""
    names = score_set.models if len(score_set.models) > 1 else ("",)
    return [
        _one(name, score_set.model(name) if name else score_set, method, settings, places, prevalence)
        for name in names
    ]


def _one(
    name: str,
    own: ScoreSet,
    method: Method,
    settings: Settings,
    places: list[Place],
    prevalence: float | None,
) -> Made:
    from rocsteady.averaging.average import average as make_average

    weights = None if settings.group_weights is None else settings.group_weights.value
    average = make_average(own, method, group_weights=weights, undefined="drop")
    certified = certified_average(own, name, method, weights)
    band = None
    if settings.band is not BandKind.NONE and average.n_groups > 1:
        level, kind = settings.confidence_level, settings.band.value
        band = average.band(confidence_level=level, kind=kind, seed=settings.seed)
        if settings.grid is not None:
            band = _thinned(band, average, settings.grid)
    fpr, tpr, thresholds = _points(average, settings.grid)
    read = [
        read_place(
            average,
            place,
            confidence_level=settings.confidence_level,
            certified=certified,
            prevalence=prevalence,
        )
        for place in places
    ]
    return Made(name, average, fpr, tpr, thresholds, band, read, certified)


def certified_average(own: ScoreSet, name: str, method: Method, weights: Any) -> Average | None:
    """The same average with its bounds, where rows were counted and are not known exactly."""
    from rocsteady.averaging.average import average as make_average

    counts = own.counted_from
    if counts is None:
        return None
    counts = counts.model(name) if name and len(counts.models) > 1 else counts
    found = make_average(counts, method, group_weights=weights, undefined="drop")
    return None if found.bounds is None else found


def findings_about(
    score_set: ScoreSet,
    summary: DataSummary,
    method: Method,
    deployment: Deployment | None,
    settings: Settings,
    models: Sequence[str] = (),
) -> list[Finding]:
    """What to know about the groups and about this average of them, each with the groups it is about.

    Of all models, unless some are named.
    """
    from rocsteady.advice.findings import findings, is_about_shared_threshold, is_of_folds, levels_of
    from rocsteady.averaging.methods import Pooled
    from rocsteady.report.data import Finding

    found = [] if isinstance(method, Pooled) else [f for f in summary.findings if f.warning.code == "RS201"]
    folds, level, is_shared = (
        is_of_folds(score_set, None),
        settings.confidence_level,
        is_about_shared_threshold(method),
    )
    names = models or (score_set.models if len(score_set.models) > 1 else ("",))
    sets = [score_set.model(name) if name else score_set for name in names]
    levels = [levels_of(own, method, level, settings.seed) if is_shared else None for own in sets]
    told = findings(method, deployment, sets, levels, is_folds=folds, confidence_level=level)
    # The summary has named the groups without a curve already.
    found += [Finding(warning) for warning in told if warning.code != "RS201"]
    return found


def _points(average: Average, grid: int | None) -> tuple[Any, Any, Any]:
    """The points that are written: all, or some of them."""
    if grid is None:
        return average.fpr, average.tpr, getattr(average, "thresholds", None)
    if hasattr(average, "grid"):
        some = average.grid(grid)
        return some.fpr, some.tpr, getattr(some, "thresholds", None)
    import numpy as np

    fpr = np.linspace(0, 1, grid)
    return fpr, average.tpr_at(fpr), None


def _thinned(band: Band, average: Average, grid: int) -> Band:
    """A band at evenly spaced positions: along the average's direction if it has one, else along the FPR.

    On a jump it is what the average itself takes there, the better end.
    """
    from dataclasses import replace

    import numpy as np

    from rocsteady.curves.intervals import BandEdge
    from rocsteady.curves.readings import read_path

    direction = getattr(average, "direction", None)
    cosine, sine = (1.0, 0.0) if direction is None else (direction.cosine, direction.sine)
    position = np.maximum.accumulate(cosine * band.middle.fpr + sine * band.middle.tpr)
    at = np.linspace(position[0], position[-1], grid)
    end = "first" if cosine == 0 else "last"

    def thinned(edge: BandEdge) -> BandEdge:
        return BandEdge(*(read_path(position, rates, at, end=end) for rates in (edge.fpr, edge.tpr)))

    edges = {side: thinned(getattr(band, side)) for side in ("lower", "upper", "middle")}
    return replace(band, lower=edges["lower"], upper=edges["upper"], middle=edges["middle"])


def sentences_about(made: list[Made], deployment: Deployment | None) -> list[str]:
    """What was averaged and what it means."""
    from rocsteady.advice.advise import reasons

    told = []
    if deployment is not None and made[0].average.method == deployment.method:
        told.append(f"{reasons(deployment, made[0].average.unit)[-1 if deployment.is_shared else 1]}")
    for own in made:
        whose = f" of {own.model}" if own.model else ""
        told.append(f"The {own.average.method.label} average{whose} has an AUC of {own.average.auc:.4f}.")
        if own.certified is not None:
            low, high = own.certified.auc_bounds.low, own.certified.auc_bounds.high
            told.append(
                f"Rows were counted in cells; their AUC certainly lies between {low:.6f} and {high:.6f}."
            )
        told += [reading.sentence for reading in own.readings]
    told.append(made[0].average.reading)
    if made[0].band is not None:
        told.append(f"Band: {made[0].band.reading}")
    return told


_SHOWN = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)


def show_average(made: list[Made], sentences: list[str], command: str) -> None:
    """A few points of every average and what they mean, for a terminal; ``command`` writes all of them."""
    import numpy as np

    from rocsteady.cli.console import fitting_name, plain_table, show, show_command, show_first_fitting

    names = [fitting_name(printable(own.model)) for own in made]
    tables = [
        plain_table("FPR", *(f"{name}, TPR".removeprefix(", ") for name in some))
        for some in (names, [f"{i + 1}." for i in range(len(names))])
    ]
    columns = [np.asarray(own.average.tpr_at(np.array(_SHOWN))) for own in made]
    for fpr, *rates in zip(_SHOWN, *columns, strict=True):
        for table in tables:
            table.add_row(percent(fpr), *(percent(float(rate)) for rate in rates))
    show()
    show_first_fitting(*tables)
    show()
    for sentence in sentences:
        show(sentence)
    show()
    show("All points of the curve and its band:")
    show_command(command)


def table_of(made: list[Made]) -> dict[str, list[Any]]:
    """All lines of all models, one row for each point."""
    names = ["line", "fpr", "tpr"]
    if any(own.thresholds is not None for own in made):
        names.append("threshold")
    if len(made) > 1:
        names.insert(0, "model")
    table: dict[str, list[Any]] = {name: [] for name in names}
    for own in made:
        lines = [("average", own.fpr, own.tpr, own.thresholds)]
        if own.band is not None:
            lines += [(side, *_edge(own.band, side), None) for side in ("lower", "upper")]
        for line, fpr, tpr, thresholds in lines:
            rows: dict[str, list[Any]] = {
                "model": [own.model] * len(fpr),
                "line": [line] * len(fpr),
                "fpr": [float(x) for x in fpr],
                "tpr": [float(y) for y in tpr],
                "threshold": [None] * len(fpr) if thresholds is None else [float(t) for t in thresholds],
            }
            for name, values in table.items():
                values.extend(rows[name])
    return table


def _edge(band: Band, side: str) -> tuple[Any, Any]:
    edge = getattr(band, side)
    return edge.fpr, edge.tpr


def as_json(
    score_set: ScoreSet,
    deployment: Deployment | None,
    method: Method,
    made: list[Made],
    told: Sequence[RocsteadyWarning | Finding],
    verdicts: Sequence[Verdict],
) -> str:
    """Everything that was found, as JSON."""
    from rocsteady.report.data import Finding
    from rocsteady.results import plain

    averages = []
    for own in made:
        data = own.average.to_dict() | {"model": own.model, "fpr": plain(own.fpr), "tpr": plain(own.tpr)}
        if own.thresholds is not None:
            data["threshold"] = plain(own.thresholds)
        if own.certified is not None:
            data["auc_bounds"] = [own.certified.auc_bounds.low, own.certified.auc_bounds.high]
        data["band"] = None if own.band is None else _plain_band(own.band)
        averages.append(data)
    data = {
        "schema_version": SCHEMA_VERSION,
        "source": score_set.source,
        "columns_chosen": dict(score_set.columns_chosen),
        "deployment": None if deployment is None else deployment.to_dict(),
        "recommended": None if deployment is None else str(deployment.method),
        "method": str(method),
        "averages": averages,
        "operating_points": [
            {"model": own.model, **reading.to_dict()} for own in made for reading in own.readings
        ],
        "groups": list(score_set.groups),
        "requirements": [verdict.to_dict() for verdict in verdicts],
        "warnings": [(own if isinstance(own, Finding) else Finding(own)).to_dict() for own in told],
    }
    return json.dumps(data, indent=2, allow_nan=False) + "\n"


def _plain_band(band: Band) -> dict[str, Any]:
    from rocsteady.results import plain

    edges = {
        side: {"fpr": plain(getattr(band, side).fpr), "tpr": plain(getattr(band, side).tpr)}
        for side in ("lower", "upper")
    }
    return {
        "kind": band.kind, "confidence_level": band.confidence_level, "reading": band.reading,
        "excluded": plain(band.excluded), **edges,
    }  # fmt: skip
