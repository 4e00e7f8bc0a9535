"""Settings of Matplotlib's lines that somebody passed: refused with a code before anything is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocsteady.curves.from_scores import described
from rocsteady.errors import RocsteadyError, fail
from rocsteady.plots.parts.style import new_figure

OF_THE_FIGURE = ("title", "text_size", "words", "zoom", "xscale", "ellipse", "confidence_level", "seed")
"""Keywords of a display that are no settings of lines, but those of its figure."""
_OPTIONS = ("method", "name", "band", "at", "curves", "curve_kwargs", "chance_level_kw", *OF_THE_FIGURE)
_NOT_FOR_DRAWN_LINES = ("data", "xdata", "ydata", "figure", "transform", "3d_properties")
"""A line that has its place would lose it."""


def line_settings(argument: str, given: Any) -> dict[str, Any]:
    """Settings of a line under their full names, those that are None left out, as they stay what they are.

    Parameters
    ----------
    argument : str
        The keyword that holds them; empty if they are keywords themselves.
    given : mapping
        Name and value of each.

    Raises
    ------
    UsageError
        RS001 for a name that lines do not know, RS002 for a value that they do not take.
    """
    if not isinstance(given, Mapping):
        way, found = f"{argument}={{'linewidth': 2}}", described(given)
        raise fail("RS002.kind", name=argument, kind="a dict of settings of lines", found=found, ways=[way])
    if not given:
        return {}
    new_figure(1, 1)  # says so if there is no Matplotlib
    from matplotlib import cbook
    from matplotlib.lines import Line2D

    try:
        settings: dict[str, Any] = cbook.normalize_kwargs(dict(given), Line2D)
    except TypeError as error:
        raise fail("RS002.setting-twice", error=error) from error
    known = {word.removeprefix("set_") for word in dir(Line2D) if word.startswith("set_")}
    known -= set(_NOT_FOR_DRAWN_LINES)
    for word, value in settings.items():
        if word not in known:
            raise _unknown(argument, str(word), value, known)
    settings = {word: value for word, value in settings.items() if value is not None}
    for word, value in settings.items():
        _require_drawable(word, value)
    return settings


def _unknown(argument: str, word: str, value: object, known: set[str]) -> RocsteadyError:
    import difflib

    if not argument:
        known = {*known, *_OPTIONS}
    # A slip is close: among so many settings there is always one somewhat like the word.
    close = difflib.get_close_matches(word, sorted(known), n=1, cutoff=0.7)
    meant = [f"did you mean  {own}" for own in close]
    if argument:
        return fail("RS001.line-setting", argument=argument, setting=word, value=value, ways=meant)
    return fail("RS001.display-option", option=word, value=value, known=", ".join(_OPTIONS), ways=meant)


def _require_drawable(word: str, value: object) -> None:
    """RS002 unless a line with this setting can be drawn: some settings are looked at only then."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    figure = Figure(figsize=(0.1, 0.1), dpi=72)
    lines = [Line2D([0, 1], [0, 1], marker="o") for _ in range(2)]  # of one alone no zorder is compared
    try:
        for line in lines:
            figure.add_artist(line)
        lines[0].set(**{word: value})
        canvas: Any = FigureCanvasAgg(figure)
        canvas.draw()
    except Exception as error:  # Matplotlib raises whatever the value meets on its way
        reason = str(error).partition("\n")[0] or type(error).__name__
    else:
        reason = "a label is a text" if word == "label" and not isinstance(value, str) else ""
    if reason:
        raise fail("RS002.line-setting", setting=word, value=value, reason=reason)
