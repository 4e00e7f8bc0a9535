"""Comparisons as JSON, as rows of a table, and as a figure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocsteady.cli.curve_files import KINDS, as_csv, as_parquet
from rocsteady.cli.writing import require_folder
from rocsteady.errors import Option, fail

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from rocsteady.advice.deployment import Deployment
    from rocsteady.cli.compare.making import Compared, Settings
    from rocsteady.cli.requirements import Verdict
    from rocsteady.errors import RocsteadyWarning
    from rocsteady.report.data import Finding
    from rocsteady.scores import ScoreSet

SCHEMA_VERSION = 1
FIGURES = ("png", "pdf", "svg")
_MOST_PANELS = 6
_HEIGHT = 1.1
"""Of a panel and the key under it, in widths of a column."""


def kind_of(path: Path | None) -> str:
    """What a file's ending says; RS054 for an unknown ending, RS055 where there is no folder."""
    kind = "" if path is None else path.suffix.removeprefix(".").casefold()
    if path is None:
        return kind
    if kind not in (*FIGURES, *KINDS):
        known = ", ".join(f".{own}" for own in (*FIGURES, *KINDS))
        raise fail("RS054.ending", path=path, known=known, ways=["--output comparison.png"])
    require_folder(path)
    return kind


def content_of(kind: str, found: Compared, text: str) -> bytes:
    """What is written to a file of this kind; ``text`` is the JSON."""
    if kind in FIGURES:
        from rocsteady.plots.parts.style import rendered

        return rendered(figure_of(found), kind)
    if kind == "json":
        return text.encode()
    table = table_of(found)
    return as_parquet(table) if kind == "parquet" else as_csv(table).encode()


def table_of(found: Compared) -> dict[str, list[Any]]:
    """One row for each difference."""
    from rocsteady.inference.differences import OF_DIFFERENCES
    from rocsteady.results import columns_of

    columns = columns_of((own for pair in found.pairs for own in pair.differences), OF_DIFFERENCES)
    return {name: list(values) for name, values in columns.items()}


def figure_of(found: Compared) -> Figure:
    """A panel for every map; where there are none, for every difference curve."""
    from rocsteady.plots import difference, winner_map
    from rocsteady.plots.parts.style import COLUMN, new_figure

    drawings: list[tuple[Any, Any]] = [(winner_map, own) for own in found.maps]
    if not drawings:
        drawings = [(difference, pair) for pair in found.pairs if pair.curve is not None]
    if len(drawings) > _MOST_PANELS:
        two = ("two of them:  ", Option("models", [found.pairs[0].a, found.pairs[0].b]))
        raise fail("RS042.room", most=_MOST_PANELS, what="pairs of models", n=len(drawings), ways=[two])
    if len(drawings) == 1:
        ((draw, value),) = drawings
        figure: Any = draw(value).figure
        return figure  # type: ignore[no-any-return]
    figure = new_figure(COLUMN * len(drawings), _HEIGHT * COLUMN)
    panels = figure.subplots(1, len(drawings), squeeze=False)[0]
    for (draw, value), ax in zip(drawings, panels, strict=True):
        draw(value, ax=ax)
    return figure  # type: ignore[no-any-return]


def as_json(
    score_set: ScoreSet,
    deployment: Deployment | None,
    settings: Settings,
    found: Compared,
    warned: Sequence[RocsteadyWarning],
    findings: Sequence[Finding],
    verdicts: Sequence[Verdict],
    *,
    is_whole: bool,
) -> str:
    """Everything that was found, as JSON; infinite numbers are strings.

    Position by position only if ``is_whole``: without a range that was typed, curves and maps are summarised.
    """
    from rocsteady.inference.differences import standings_of
    from rocsteady.report.data import Finding

    data: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "source": score_set.source,
        "columns_chosen": dict(score_set.columns_chosen),
        "positive": score_set.classes.positive,
        "negative": score_set.classes.negative,
        "unit": score_set.unit,
        "groups": list(score_set.groups),
        "models": list(score_set.models),
        "deployment": deployment and deployment.to_dict(),
        "method": str(settings.method),
        "adjust": settings.adjust,
        "confidence_level": settings.confidence_level,
        "n_resamples": settings.n_resamples,
        "seed": settings.seed,
        "standings": [own.to_dict() for own in standings_of(found.pairs)],
        "comparisons": [pair.to_dict() for pair in found.pairs],
        "winner_maps": [own.to_dict() for own in found.maps],
        "requirements": [verdict.to_dict() for verdict in verdicts],
        "warnings": [*(Finding(warning).to_dict() for warning in warned), *(f.to_dict() for f in findings)],
    }
    if not is_whole:
        for pair in data["comparisons"]:
            pair["curve"] = _summarised(pair["curve"])
        data["winner_maps"] = [_summarised(own) for own in data["winner_maps"]]
    return compact_json(data) + "\n"


def _summarised(curve: dict[str, Any] | None) -> dict[str, Any] | None:
    """A curve or a map without its values at every position."""
    if curve is None:
        return None
    n = len(curve["position"])
    kept = {name: value for name, value in curve.items() if not (isinstance(value, list) and len(value) == n)}
    return {name: value for name, value in kept.items() if name != "pairs"} | {"n_positions": n}


def compact_json(value: Any, indent: str = "") -> str:
    """JSON with a line for each name, and lists of numbers or words on one line.

    >>> print(compact_json({"a": [1, 2.5, None], "b": {"c": []}}))
    {
      "a": [1, 2.5, null],
      "b": {
        "c": []
      }
    }
    """
    inner = f"{indent}  "
    if isinstance(value, dict) and value:
        lines = [f"{inner}{json.dumps(name)}: {compact_json(own, inner)}" for name, own in value.items()]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(own, dict) for own in value):
        lines = [f"{inner}{compact_json(own, inner)}" for own in value]
        return "[\n" + ",\n".join(lines) + f"\n{indent}]"
    return json.dumps(value, allow_nan=False)
