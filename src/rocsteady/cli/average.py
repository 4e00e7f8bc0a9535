"""``rocsteady average FILE``: one curve from many, its points and its band."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady.cli import files, options
from rocsteady.cli.options import Columns, Large, Level, Minimum, Named, Rows, Shown, Use
from rocsteady.cli.runner import Run, can_ask

if TYPE_CHECKING:
    from rocsteady.averaging.base import Average
    from rocsteady.curves.intervals import Band
    from rocsteady.study import Study


@options.command
def average(
    context: typer.Context,
    file: options.File,
    columns: Columns,
    named: Named,
    use: Use,
    rows: Rows,
    minimum: Minimum,
    large: Large,
    level: Level,
    shown: Shown,
    angle: options.Angle = None,
    group_weights: options.GroupWeights = None,
    band: options.Band = "pointwise",
    grid: options.Grid = None,
    output: Annotated[
        Path | None,
        options.written(
            "Write all points to a file, as its ending says: .csv, .json or .parquet. Without it a summary "
            "is printed; with --quiet all points as CSV."
        ),
    ] = None,
    overwrite: options.Overwrite = False,
    require: options.Require = None,
) -> None:
    """Average the ROC curves in FILE: the points of the curve and of its band.

    Columns of the points: model (if several), line (average, lower, upper), fpr, tpr, threshold.
    """
    run = Run(context, shown, output=output, example="curve.csv", overwrite=overwrite, require=require)
    _require_grid(grid)
    method = named.average(use, angle)
    use.refuse_unreadable()
    if method is None and use.is_missing and not (can_ask() and not run.is_silent):
        raise run.undeclared("or name an average:  --method vertical")
    study = run.study(
        file, columns, rows, use=use, drawn=level, large=large, method=method, asks=method is None,
        needs_use=method is None, min_per_class=minimum.min_per_class,
    )  # fmt: skip
    study.named = named.with_jumps(study.method)
    chosen = study.named or "vertical"
    with run.working("Averaging"), study.catching():
        made = {name: _averaged(study, name, chosen, group_weights) for name in study.models}
        bands = {name: _band(own, band, study, grid) for name, own in made.items()}

    def table() -> dict[str, list[Any]]:
        return points_of(made, bands, grid)

    def blocks() -> Any:
        from rocsteady.show.document import Command
        from rocsteady.show.sections import average as section
        from rocsteady.text import say

        points = [] if group_weights else _points(study, chosen)
        every = (say("All points of the curve and its band:"), Command((*run.typed(), "-o", "curve.csv")))
        return [*section.make(study, made, bands, points), *(every if output is None else ())]

    def facts() -> dict[str, Any]:
        read = [] if group_weights else _points(study, chosen)
        return {
            **study.to_dict("models"),
            "method": str(next(iter(made.values())).method),
            "averages": _facts(made, bands, grid),
            "operating_points": [
                {"model": name, "at": place.to_dict(), **found.to_dict()} for name, place, found in read
            ],
        }

    if shown.quiet and output is None and not shown.json:
        sys.stdout.write(files.as_csv(table()))
    run.finish(
        study,
        data=facts,
        blocks=blocks,
        content=lambda kind: files.table_bytes(table(), kind),
        warned=study.cautions(chosen),
        method=chosen,
    )


def _require_grid(grid: int | None) -> None:
    from rocsteady.options import whole_number

    if grid is not None:
        whole_number("grid", grid, least=2, example=101)


def _averaged(study: Study, name: str, method: Any, group_weights: str | None) -> Average:
    from rocsteady.averaging.average import average as make_average

    if group_weights is None:
        return study.average(name, method)
    rows = study.rows_of_average(name)
    return make_average(rows, method, group_weights=group_weights, undefined="drop")


def _band(average: Average, kind: str, study: Study, grid: int | None) -> Band | None:
    """The band, at as many points as the curve."""
    if kind == "none" or average.n_groups < 2:
        return None
    found = average.band(confidence_level=study.confidence_level, kind=kind, seed=study.seed)
    direction = getattr(average, "direction", None)
    along = () if direction is None else (direction.cosine, direction.sine)
    return found if grid is None else found.on_grid(grid, *along)


def _points(study: Study, method: Any) -> list[tuple[str, Any, Any]]:
    """What each model has at the places that were asked for."""
    places = study.places
    return [(name, place, study.point(name, place, method)) for place in places for name in study.models]


def _facts(
    averages: Mapping[str, Average], bands: Mapping[str, Band | None], grid: int | None
) -> list[dict[str, Any]]:
    """Every average with its points and its band as plain data; of counted rows with their bounds."""
    from rocsteady.results import plain

    found = []
    for name, own in averages.items():
        fpr, tpr, thresholds = _some(own, grid)
        band = bands[name]
        facts = {**own.to_dict(), "model": name, "fpr": plain(fpr), "tpr": plain(tpr)}
        facts["threshold"] = None if thresholds is None else plain(thresholds)
        facts["auc_bounds"] = None if own.bounds is None else plain(own.auc_bounds)
        found.append(facts | {"band": None if band is None else _band_facts(band)})
    return found


def _band_facts(band: Band) -> dict[str, Any]:
    from rocsteady.results import plain

    edges = {
        side: {"fpr": plain(getattr(band, side).fpr), "tpr": plain(getattr(band, side).tpr)}
        for side in ("lower", "upper")
    }
    return {"kind": band.kind, "confidence_level": band.confidence_level, **edges}


def _some(average: Average, grid: int | None) -> tuple[Any, Any, Any]:
    """The points that are written: all, or some of them."""
    if grid is not None and not hasattr(average, "grid"):
        import numpy as np

        fpr = np.linspace(0, 1, grid)
        return fpr, average.tpr_at(fpr), None
    some: Any = average if grid is None else average.grid(grid)  # type: ignore[attr-defined]
    return some.fpr, some.tpr, getattr(some, "thresholds", None)


def points_of(
    averages: Mapping[str, Average], bands: Mapping[str, Band | None], grid: int | None
) -> dict[str, list[Any]]:
    """All lines of all models, one row for each point."""
    lines = []
    for model, own in averages.items():
        lines.append((model, "average", *_some(own, grid)))
        for side in ("lower", "upper") if bands[model] is not None else ():
            edge = getattr(bands[model], side)
            lines.append((model, side, edge.fpr, edge.tpr, None))
    has_thresholds = any(own[-1] is not None for own in lines)
    names = [*(["model"] if len(averages) > 1 else []), "line", "fpr", "tpr"]
    table: dict[str, list[Any]] = {name: [] for name in [*names, *(["threshold"] if has_thresholds else [])]}
    for model, line, fpr, tpr, thresholds in lines:
        n = len(fpr)
        columns = {"model": [model] * n, "line": [line] * n, "fpr": fpr.tolist(), "tpr": tpr.tolist()}
        columns["threshold"] = [None] * n if thresholds is None else thresholds.tolist()
        for name, values in table.items():
            values.extend(columns[name])
    return table
