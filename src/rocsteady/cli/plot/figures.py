"""Every figure by its name, and what was drawn as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocsteady.cli.plot.averages import draw_average, draw_det
from rocsteady.cli.plot.comparisons import draw_difference, draw_readers, draw_winners
from rocsteady.cli.plot.curves import (
    draw_cost,
    draw_cross_auc,
    draw_curves,
    draw_densities,
    draw_forest,
    draw_precision_recall,
)
from rocsteady.cli.plot.cutoffs import draw_cutoffs, draw_points
from rocsteady.cli.plot.options import FigureName, Size
from rocsteady.cli.plot.panels import Drawn
from rocsteady.errors import fail

if TYPE_CHECKING:
    from rocsteady.cli.plot.asked import Asked
    from rocsteady.errors import RocsteadyWarning
    from rocsteady.report.data import Finding
    from rocsteady.scores import ScoreSet

SCHEMA_VERSION = 1
_SMALLEST_TEXT = 4.0  # points; print is not read below
_DRAWINGS: dict[FigureName, Callable[[Any, Any], Drawn]] = {
    FigureName.AVERAGE: draw_average,
    FigureName.CURVES: draw_curves,
    FigureName.FOREST: draw_forest,
    FigureName.DENSITIES: draw_densities,
    FigureName.DET: draw_det,
    FigureName.COST: draw_cost,
    FigureName.PRECISION_RECALL: draw_precision_recall,
    FigureName.DIFFERENCE: draw_difference,
    FigureName.WINNERS: draw_winners,
    FigureName.CROSS_AUC: draw_cross_auc,
    FigureName.POINTS: draw_points,
    FigureName.CUTOFFS: draw_cutoffs,
    FigureName.READERS: draw_readers,
}


def draw(score_set: ScoreSet, asked: Asked) -> Drawn:
    """The figure that was asked for, as large as was asked."""
    make = _DRAWINGS[asked.figure]
    drawn = make(score_set, asked)
    width = asked.size.width
    if width is None:
        return drawn
    usual = float(drawn.figure.get_figwidth())
    if width < usual:
        # Everything goes by the size of the text, so all of it gets smaller and nothing covers the rest.
        text = asked.size.text * width / usual
        _require_legible(text, asked.size, usual)
        drawn = make(score_set, replace(asked, size=Size(text)))
    own, height = drawn.figure.get_size_inches()
    # Square axes stay as close to the key as they were.
    drawn.figure.set_size_inches(width, height + (width - own) * min(1.0, height / own))
    return drawn


def _require_legible(text: float, size: Size, usual: float) -> None:
    """RS042 for a width at which nobody could read the text."""
    if text < _SMALLEST_TEXT:
        narrowest = math.ceil(2.54 * usual * _SMALLEST_TEXT / size.text)
        raise fail("RS042.narrow", points=text, usual=2.54 * usual, narrowest=narrowest)


def as_json(
    score_set: ScoreSet,
    asked: Asked,
    drawn: Drawn,
    output: Path,
    warned: Sequence[RocsteadyWarning],
    found: Sequence[Finding],
) -> str:
    """What was drawn, as JSON; the numbers are those of the other commands."""
    from rocsteady.report.data import Finding

    deployment = asked.deployment
    data = {
        "schema_version": SCHEMA_VERSION,
        "source": score_set.source,
        "columns_chosen": dict(score_set.columns_chosen),
        "figure": asked.figure.value,
        "output": str(output),
        "models": list(asked.models or score_set.models),
        "deployment": None if deployment is None else deployment.to_dict(),
        "recommended": None if deployment is None else str(deployment.method),
        "method": None if asked.method is None else str(asked.method),
        "drawn": drawn.sentences,
        "operating_points": drawn.points,
        "warnings": [*(Finding(warning).to_dict() for warning in warned), *(f.to_dict() for f in found)],
    }
    return json.dumps(data, indent=2, allow_nan=False) + "\n"
