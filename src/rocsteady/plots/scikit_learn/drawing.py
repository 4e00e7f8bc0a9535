"""How a display is drawn: as ``rs.plot.average`` draws, with the settings that scikit-learn's users know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from rocsteady.curves.from_scores import described
from rocsteady.errors import Option, counted, fail
from rocsteady.plots.average import average as draw_average_figure
from rocsteady.plots.given.of_average import kind_words
from rocsteady.plots.given.values import flat_axes
from rocsteady.plots.keys.average_key import KeyNote, average_key
from rocsteady.plots.keys.key_below import cut, make_room, shortened, trim
from rocsteady.plots.keys.key_place import place_of_key
from rocsteady.plots.parts.curve_lines import drawn_path
from rocsteady.plots.parts.marks import TEXT_SIZE, scale_of
from rocsteady.plots.parts.style import LOOKS, Look
from rocsteady.plots.scikit_learn.settings import OF_THE_FIGURE, line_settings

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocsteady.averaging.base import Average

_BANDS = ("_pointwise", "_simultaneous", "_prediction")
_LONGEST = 34
"""Letters of a line in the key."""
_MOST_NAMES = 12
"""Of averaged curves, in the key."""


@dataclass(frozen=True)
class Wanted:
    """What a display should look like.

    Attributes
    ----------
    label : str or None
        Of the average in the key.
    names : sequence of str
        Of the averaged curves, if they are named.
    line : dict
        Settings of the average's line.
    members : list of dict, or None
        Settings of each averaged curve; None for a faint collection, or for none.
    figure : dict
        Options of ``rs.plot.average``.
    pos_label : label or None
        The positive class.
    chance, despine : bool
        Whether there is a chance line; whether two sides of the axes are left out.
    chance_settings : dict
        Of the chance line.
    """

    label: str | None
    names: Sequence[str]
    line: dict[str, Any]
    members: list[dict[str, Any]] | None
    figure: dict[str, Any]
    pos_label: Any = None
    chance: bool = True
    despine: bool = True
    chance_settings: dict[str, Any] = field(default_factory=dict)

    @property
    def text_size(self) -> float:
        """Points."""
        return float(self.figure.get("text_size", TEXT_SIZE))


@dataclass(frozen=True, eq=False)
class Artists:
    """What was drawn."""

    axes: Axes
    line: Any
    members: Any
    bands: list[Any]
    chance: Any


def given_looks(
    average: Average,
    name: Any,
    curve_kwargs: Any,
    options: Mapping[str, Any],
    *,
    figure: Mapping[str, Any],
    chance_settings: Any,
    **others: Any,
) -> Wanted:
    """Sort keywords into those of the figure, of the average's line and of single curves.

    Raises
    ------
    UsageError
        RS001 for a keyword that is neither an option nor a setting of lines, RS002 for one that does not fit.
    """
    line = {word: value for word, value in options.items() if word not in OF_THE_FIGURE}
    figure = {**figure, **{word: value for word, value in options.items() if word in OF_THE_FIGURE}}
    if line and curve_kwargs is not None:
        raise fail("RS002.line-settings-twice", names=", ".join(line), settings=line)
    members = None
    if isinstance(curve_kwargs, list | tuple):
        members = _settings_of_members(average, curve_kwargs)
        figure["curves"] = False
    elif curve_kwargs is not None:
        line = line_settings("curve_kwargs", curve_kwargs)
    else:
        line = line_settings("", line)
    label, names = _named(average, name, members)
    if members and not names and any("label" in own for own in members):
        names = [own.get("label", "") for own in members]
    return Wanted(
        line.pop("label", label),
        names,
        line,
        members,
        figure,
        chance_settings=line_settings("chance_level_kw", {} if chance_settings is None else chance_settings),
        **others,
    )


def _settings_of_members(average: Average, given: Sequence[Any]) -> list[dict[str, Any]]:
    settings = [line_settings("curve_kwargs", own) for own in given]
    if len(settings) == average.n_groups:
        return settings
    raise fail(
        "RS002.line-settings-each", unit=average.unit, n_dicts=len(settings), n_groups=average.n_groups
    )


def draw_display(average: Average, wanted: Wanted, ax: Axes | None) -> Artists:
    """Draw the average, then what scikit-learn's keywords ask for."""
    if ax is not None:
        flat_axes(ax, 1, 1)
    there = () if ax is None else (*ax.lines, *ax.collections)
    before = {artist: str(artist.get_label()) for artist in there}
    look, left = _look(wanted.line, list(before.values()).count("_average"))
    axes = draw_average_figure(average, label=wanted.label, look=look, ax=ax, **wanted.figure)
    new = [artist for artist in (*axes.lines, *axes.collections) if artist not in before]
    by_label: dict[str, Any] = {str(artist.get_label()): artist for artist in new}
    line, members = by_label["_average"], by_label.get("_members")
    line.set(**left)
    notes = [_note(label, other) for other, label in before.items() if _is_somebody_elses(other)]
    if wanted.members is not None:
        members = _draw_members(axes, average, wanted, look)
        notes += _names_in_key(wanted.names, members)
    chance = _set_chance(axes, wanted, by_label.get("_chance"))
    if chance is not None and "label" in wanted.chance_settings:
        notes.append(_note(str(wanted.chance_settings["label"]), chance))
    if isinstance(wanted.pos_label, str):  # that 1 is positive, and 0 is not, goes without saying
        notes.append(_note(f"positive: {wanted.pos_label}"))
    if notes or left or before:
        _write_key(axes, notes, wanted.text_size)
    _label_for_other_keys(axes, average, wanted.label, line)
    axes.spines[["top", "right"]].set_visible(not wanted.despine)
    bands = [by_label[kind] for kind in reversed(_BANDS) if kind in by_label]
    if ax is None:
        _hand_to_pyplot(axes.figure)
    return Artists(axes, line, members, bands, chance)


def _hand_to_pyplot(figure: Any) -> None:
    """Make it the current figure, as those of scikit-learn's displays are, once all of it could be drawn."""
    import matplotlib.pyplot as plt

    made: Any = lambda *_, **__: figure  # noqa: E731 - pyplot calls a class, and this one is made already
    plt.figure(FigureClass=made)


def _set_chance(axes: Axes, wanted: Wanted, new: Any) -> Any:
    """The chance line as it is wanted; one that an earlier display drew stays, whatever this one wants."""
    if not wanted.chance:
        if new is not None:
            new.remove()
        return None
    line: Any = next(line for line in axes.lines if line.get_label() == "_chance")
    line.set(**{**wanted.chance_settings, "label": "_chance"})
    return line


def _is_somebody_elses(artist: Any) -> bool:
    """Whether it has a name, and stood in a key that ours replaces: curves of scikit-learn's displays."""
    return not str(artist.get_label()).startswith("_") and not getattr(artist, "_stands_in", False)


def _names_in_key(names: Sequence[str], members: Sequence[Any]) -> list[KeyNote]:
    named = [_note(name, own) for name, own in zip(names, members, strict=False) if name]
    if len(named) <= _MOST_NAMES:
        return named
    return [*named[:_MOST_NAMES], _note(f"and {counted(len(named) - _MOST_NAMES, 'other')}")]


def _note(text: str, handle: Any = None) -> KeyNote:
    return KeyNote(shortened(text, _LONGEST), handle)


def _write_key(axes: Axes, notes: Sequence[KeyNote], text_size: float) -> None:
    """Write the key anew, with these notes too, at the place that it needs now."""
    from rocsteady.plots.parts.canvas import OwnFigure

    figure: Any = axes.figure
    legend: Any = axes.get_legend()
    is_own = isinstance(figure, OwnFigure) and len(figure.axes) == 1
    if is_own:
        _forget_key(figure)
        axes.set_anchor("C")
        legend.set_in_layout(False)
    place = place_of_key(axes, [note.text for note in notes], text_size, is_own=is_own)
    average_key(axes, [], notes, text_size=text_size, **place)
    make_room(axes)
    if "bbox_to_anchor" in place:
        trim(axes)


def _forget_key(figure: Any) -> None:
    """Make an own figure as large as it was before it had to hold a key."""
    side = getattr(figure, "_width_alone", figure.get_figwidth())
    for grown in ("_width_alone", "_lines_below"):
        if hasattr(figure, grown):
            delattr(figure, grown)
    figure.set_size_inches(side, side)


def _look(line: Mapping[str, Any], number: int) -> tuple[Look, dict[str, Any]]:
    """The look of the average: colour and dash as set, else the next; and the settings that are left."""
    left = dict(line)
    look = LOOKS[number % len(LOOKS)]
    if "color" in left:
        colour = left.pop("color")
        look = replace(look, colour=colour, text=colour)
    if "linestyle" in left:
        look = replace(look, line=left.pop("linestyle"))
    return look, left


def _draw_members(axes: Axes, average: Average, wanted: Wanted, look: Look) -> list[Any]:
    """The averaged curves one by one, behind the average."""
    scale = scale_of(wanted.text_size)
    usual = {"color": look.colour, "linewidth": 0.8 * scale, "alpha": 0.5, "zorder": 1.5}
    names = wanted.names or ["_member"] * average.n_groups
    lines = []
    for curve, own, name in zip(average.curves, wanted.members or (), names, strict=True):
        settings = {**usual, **own, "label": name or "_member"}
        lines += axes.plot(*drawn_path(axes, curve.fpr, curve.tpr), **settings)
    return lines


def _label_for_other_keys(axes: Axes, average: Average, label: str | None, line: Any) -> None:
    """Name the average for whoever calls ``ax.legend()`` afterwards, as examples of scikit-learn do.

    What is drawn has labels that keep it out of a key, so a line without points stands in for the average.
    """
    named = [cut(label)] if label else []
    kind = [kind_words(average)] if average.n_groups > 1 else []
    words = ", ".join([*named, *kind, f"area {average.auc:.3f}"])
    (stand_in,) = axes.plot([], [], color=line.get_color())
    stand_in.update_from(line)
    stand_in.set_label(words)
    stand_in._stands_in = True  # type: ignore[attr-defined]


def _named(average: Average, name: Any, members: Any) -> tuple[str | None, Sequence[str]]:
    """The name of the average, and those of the averaged curves; RS002 if they do not fit."""
    if name is None or isinstance(name, str):
        return name, ()
    if not isinstance(name, Sequence) or not all(isinstance(own, str) for own in name):
        kind, ways = "a text, or a list of texts with one for each curve", [Option("name", "forest")]
        raise fail("RS002.kind", name="name", kind=kind, found=described(name), ways=ways)
    if len(name) == 1:
        return name[0], ()
    if members is None or len(name) != average.n_groups:
        raise fail(
            "RS002.names-drawn",
            are_alike=members is None,
            n_names=len(name),
            n_groups=average.n_groups,
            unit=average.unit,
        )
    return None, list(name)
