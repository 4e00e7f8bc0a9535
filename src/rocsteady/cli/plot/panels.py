"""Figures of one panel, or of one for each model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rocsteady.cli.model_names import typed_names
from rocsteady.errors import fail, near_match
from rocsteady.words import listed, printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rocsteady.cli.plot.asked import Asked
    from rocsteady.scores import ScoreSet

_MOST_PANELS = 12
_PER_ROW = 3
_LONGEST = 36
"""Letters of a name over a panel as wide as a column; more would run into the next one."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """A figure, what it shows in words, and points that were read off it."""

    figure: Figure
    sentences: list[str]
    points: list[dict[str, Any]] = field(default_factory=list)


def chosen_models(score_set: ScoreSet, asked: Asked) -> tuple[str, ...]:
    """The names of the models to draw; one empty name if there are none. RS001 for one that there is not."""
    known = score_set.models if len(score_set.models) > 1 else ("",)
    for name in asked.models:
        if name not in score_set.models:
            meant = near_match(name, score_set.models)
            way = typed_names([meant]) if meant else "all of them: leave out  --models"
            raise fail("RS001.none", what="model", name=name, known=score_set.models, ways=[way])
    return asked.models or known


def scores_of(score_set: ScoreSet, asked: Asked) -> dict[str, ScoreSet]:
    """The scores of every model that is drawn, by its name."""
    return {name: score_set.model(name) if name else score_set for name in chosen_models(score_set, asked)}


def require_groups(score_set: ScoreSet, *remedies: str) -> None:
    """RS064 if fewer than two groups have both classes, for figures of how groups differ."""
    n = len(set(score_set.group_index[score_set.has_curve].tolist()))
    if n > 1:
        return
    raise fail("RS064.groups-differ", unit=score_set.unit, n=n, ways=remedies)


def of_models(names: Sequence[str]) -> str:
    """``" of old and new"``; nothing where models have no names."""
    return f" of {listed([printable(name) for name in names])}" if any(names) else ""


def about(name: str, sentence: str) -> str:
    """A sentence about a model, if it has a name."""
    return f"{printable(name)}: {sentence}" if name else sentence


def together(values: dict[str, Any]) -> Any:
    """Values for one figure of all models; the only one by itself if it has no name."""
    return values if any(values) else values[""]


def panels(values: dict[str, Any], draw: Callable[..., Any], asked: Asked, *, wide: int = 1) -> Figure:
    """One value drawn by itself, or several side by side, each under its name.

    ``draw(value, title=..., text_size=..., ax=...)`` gives axes; ``wide`` is how many it needs.
    """
    (first, value), *others = values.items()
    if not others:
        return figure_of(draw(value, **asked.look))
    from rocsteady.plots.keys.key_below import cut
    from rocsteady.plots.parts.style import new_figure

    n = len(values)
    if n > _MOST_PANELS:
        two = f"some of them:  {typed_names(list(values)[:2])}"
        raise fail("RS042.room", most=_MOST_PANELS, what="panels", n=n, ways=[two])
    width, height = room(draw, value, asked, title=cut(first, _LONGEST))
    in_row = max(1, min(n, _PER_ROW // wide))
    n_rows = -(-n // in_row)
    figure = new_figure(in_row * width, n_rows * height)
    axes = figure.subplots(n_rows, in_row * wide, squeeze=False).reshape(n_rows * in_row, wide)
    for own in axes[n:].ravel():
        own.remove()
    for (name, value), own in zip(values.items(), axes[:n], strict=True):
        draw(value, **(asked.look | {"title": cut(name, _LONGEST)}), ax=own[0] if wide == 1 else tuple(own))
    head(figure, asked)
    return figure


def room(draw: Callable[..., Any], value: Any, asked: Asked, *, title: str = "") -> tuple[float, float]:
    """How much a panel needs, in inches: that depends on its key and its rows, so it is drawn once to see.

    At the usual size of text, where a key that does not fit inside is below, as it is in a panel.
    """
    from rocsteady.plots.parts.marks import TEXT_SIZE

    width, height = figure_of(draw(value, title=title, text_size=TEXT_SIZE)).get_size_inches()
    scale = asked.size.text / TEXT_SIZE
    return float(width) * scale, float(height) * scale


def head(figure: Figure, asked: Asked) -> None:
    """The title over all panels, if there is one."""
    if asked.title:
        figure.suptitle(asked.title, fontsize=asked.size.text + 1, x=0.01, ha="left")


def figure_of(drawn: Any) -> Figure:
    """The figure that axes are in; they may be several."""
    import numpy as np

    figure: Any = np.ravel(np.asarray(drawn, dtype=object))[0].figure
    return figure  # type: ignore[no-any-return]
