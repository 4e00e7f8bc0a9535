"""smROC curves, each with its chance curve and with the ordinary ROC curve of the same scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rocsteady.averaging.average import average
from rocsteady.averaging.directional import SmrocAverage
from rocsteady.curves.from_scores import described
from rocsteady.curves.intervals import Band
from rocsteady.curves.smroc import SmrocCurve, SmrocCurves
from rocsteady.errors import fail
from rocsteady.figures.averages import MOST_TOGETHER
from rocsteady.figures.averages import picture as averages_picture
from rocsteady.figures.matplotlib import draw
from rocsteady.figures.mid_profile import mid_of
from rocsteady.figures.roc_space import View, require_room
from rocsteady.figures.spec import Entry, Key, Line, Mark, Picture, short_names
from rocsteady.figures.style import INK, LOOKS, QUIET, TEXT_SIZE, Hue
from rocsteady.options import yes_or_no
from rocsteady.statistics.limits import Interval
from rocsteady.text import AUC, FPR, ML, SMAUC, TPR, Count, Model, Name, Quote, Rate, Text, listed, phrase

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_CHANCE = ((4, 2), (1, 1.2))
"""Of chance curves: dashes, or dots where curves themselves are dashed."""
_LAST = replace(INK, dash=(1, 2.5))
"""Of a seventh curve."""
_AT = np.linspace(0, 1, 201)
"""Debit shares at which a mean chance curve is drawn."""
_OUTSIDE = "Mid lies outside (0, 1]: read smAUC beside its chance level"


def smroc(
    curves: SmrocCurve | Sequence[SmrocCurve],
    *,
    roc: bool = True,
    chance: bool | None = None,
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw smROC curves, with what they are to be compared with.

    The key has the smAUC of each curve, its chance level, its Mid and the ordinary AUC. A smROC curve above
    the diagonal means nothing by itself: it is to be compared with its own chance curve, dashed
    or, of several curves, dotted. Of several models on several groups the mean curve of each is drawn, with
    its band and its mean chance curve.

    Parameters
    ----------
    curves : SmrocCurve, SmrocCurves, or sequence of SmrocCurve
        From :func:`rocsteady.smroc_curve`; at most seven, of several models on several groups any number.
    roc : bool
        Whether the ordinary ROC curve of the same scores is drawn too, thin and pale.
    chance : bool, optional
        Whether the chance curve is drawn; by default where there are one or two curves.
    title : str
        Above the axes; of a single curve by default its name.
    text_size, ax
        As in every figure, see :mod:`rocsteady.plot`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 for anything but smROC curves; RS042 for more than can be distinguished, or a size that is none.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.smroc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.6, 0.4, 0.1], mid=0.5)
    >>> axes = smroc(curve)
    >>> [text.get_text() for text in axes.get_legend().get_texts()][:2]
    ['smAUC 0.792', 'chance 0.506, AUC 0.833, Mid 0.5']
    """
    if chance is not None:
        yes_or_no("chance", chance)
    yes_or_no("roc", roc)
    models = curves.by_model() if isinstance(curves, SmrocCurves) else {}
    if len(models) > 1 and max(map(len, models.values())) > 1:
        means = {name: average(own, "vertical", undefined="drop") for name, own in models.items()}
        bands = {name: [own.band(kind="pointwise")] for name, own in means.items() if own.n_groups > 1}
        areas = {name: own.auc_interval() for name, own in means.items()}
        made = means_picture(means, bands=bands, areas=areas, chance=chance is not False)  # type: ignore[arg-type]
        words = replace(ML, models=tuple(models))
        return draw(made.titled(title), words, text_size=text_size, ax=ax)  # type: ignore[no-any-return]
    made = picture(curves, roc=roc, chance=chance).titled(title)
    words = replace(ML, models=tuple(models) if len(models) > 1 else ())
    return draw(made, words, text_size=text_size, ax=ax)  # type: ignore[no-any-return]


def _listed(curves: object) -> list[SmrocCurve]:
    """One smROC curve, or several, as a list; RS002 if they are none, RS042 if they are too many."""
    several = [curves] if isinstance(curves, SmrocCurve) else curves
    if not isinstance(several, Sequence) or not all(isinstance(own, SmrocCurve) for own in several):
        way = "rs.plot.smroc(rs.smroc_curve(labels, scores))"
        raise fail("RS002.drawn-from", what="smROC curves", found=described(curves), ways=[way])
    ways = ["some of them:  rs.plot.smroc(curves[:4])", "their mean:  rs.average(curves, 'vertical')"]
    require_room(several, len(LOOKS) + 1, "smROC curves", ways)
    return list(several)


def picture(
    curves: SmrocCurve | Sequence[SmrocCurve], *, roc: bool = True, chance: bool | None = None
) -> Picture:
    """Curves, whose names are those of models, beside chance and the ordinary curves."""
    models = tuple(curves.by_model()) if isinstance(curves, SmrocCurves) else ()
    curves = _listed(curves)
    is_one = len(curves) == 1
    chance = len(curves) <= 2 if chance is None else chance
    # Of one curve of each model the name is that of the model, and no group's.
    names = list(models) if len(models) == len(curves) > 1 else [curve.name or "" for curve in curves]
    different = len(set(names)) == len(names) and all(names)
    hues: Sequence[Hue] = [*LOOKS, _LAST][: len(curves)]
    if different and not is_one and len(curves) <= len(LOOKS):
        hues = [Model(name) for name in names]
    beside, own, entries = list[Mark](), list[Mark](), list[Entry]()
    for curve, name, hue in zip(curves, short_names(names, 30), hues, strict=True):
        beside += _beside(curve, hue, roc=roc, chance=chance, is_one=is_one)
        own.append(Line(curve.fpr, curve.tpr, look=hue, name="average"))
        text = phrase("smAUC {area}", area=Rate(SMAUC, curve.auc))
        areas = {"chance": Rate(SMAUC, curve.chance_auc), "roc": Rate(AUC, curve.roc_auc)}
        detail = phrase("chance {chance}, AUC {roc}, Mid {mid}", mid=mid_of(curve.mid), **areas)
        if name and not is_one:
            text = phrase("{name}  {text}", name=Quote(name), text=text)
        entries.append(Entry(text, Line((), (), look=hue), detail))
    notes = [
        Entry(phrase(words), replace(mark, x=(), y=(), look=QUIET if not is_one else mark.look))
        for words, name in (
            ("chance: labels dealt at random", "chance_curve"),
            ("ordinary ROC curve", "ordinary"),
        )
        for mark in [next((line for line in beside if line.name == name), None)]
        if isinstance(mark, Line)
    ]
    warning = None
    if not all(0 < curve.mid <= 1 for curve in curves):
        warning = phrase(_OUTSIDE)
    across = phrase("Share of debit (ROC: {rate:axis})" if roc else "Share of debit", rate=Name(FPR))
    up = phrase("Share of credit (ROC: {rate:axis})" if roc else "Share of credit", rate=Name(TPR))
    panel = View().panel((*beside, *own), axes=(across, up))
    name = names[0] if is_one else ""
    key = Key(tuple(entries), tuple(notes), warning, corners=())
    description = _described(names if different else ())
    return Picture((replace(panel, key=key),), Quote(name) if name else None, description=description)


def means_picture(
    means: Mapping[str, SmrocAverage],
    *,
    bands: Mapping[str, Sequence[Band]] | None = None,
    areas: Mapping[str, Interval | None] | None = None,
    chance: bool = True,
) -> Picture:
    """The mean smROC curve of every model with its band, beside its mean chance curve."""
    is_apart = len(means) > MOST_TOGETHER
    notes = [Entry(phrase("chance: labels dealt at random"), Line((), (), look=QUIET, dash=_CHANCE[1]))]
    n_outside = sum(not 0 < curve.mid <= 1 for own in means.values() for curve in own.curves)
    if n_outside:
        notes.append(Entry(phrase("Mid outside (0, 1] in {n}", n=Count(n_outside, "curve"))))
    made = averages_picture(
        means,
        bands=bands,
        areas=areas,
        curves=len(means) == 1,
        view=View(),
        is_apart=is_apart,
        notes=notes if chance else notes[1:],
    )
    made = replace(made, description=_described([name for name in means if name]))
    if not chance:
        return made
    panels = list(made.panels)
    for k, (name, own) in enumerate(means.items()):
        hue: Hue = Model(name) if name else LOOKS[0]
        line = Line(_AT, own.chance_tpr_at(_AT), look=hue, width=1.0, dash=_CHANCE[1], name="chance_curve")
        at = k if is_apart else 0
        panels[at] = replace(panels[at], marks=(line, *panels[at].marks))
    return replace(made, panels=tuple(panels))


def _described(names: Sequence[str]) -> Text:
    """Whose curves they are."""
    if not names:
        return phrase("smROC curves")
    return phrase("smROC curves of {models}", models=listed(map(Model, names)))


def _beside(curve: SmrocCurve, hue: Hue, *, roc: bool, chance: bool, is_one: bool) -> list[Mark]:
    """What a curve is compared with."""
    lines: list[Mark] = []
    if roc:
        ordinary = curve.roc()
        lines.append(Line(ordinary.fpr, ordinary.tpr, look=hue, width=0.8, alpha=0.45, name="ordinary"))
    if chance:
        path = curve.chance_path
        lines.append(Line(*path, look=hue, width=1.0, dash=_CHANCE[not is_one], name="chance_curve"))
    return lines
