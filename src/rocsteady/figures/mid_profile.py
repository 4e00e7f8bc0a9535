"""smAUC and its chance level for every Mid."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocsteady.curves.smroc import MidProfile
from rocsteady.figures.matplotlib import draw
from rocsteady.figures.roc_space import of_kind
from rocsteady.figures.spec import Axis, Band, Entry, Floats, Key, Line, Mark, Panel, Picture, Points
from rocsteady.figures.style import GUIDE, INK, LOOKS, TEXT_SIZE
from rocsteady.text import AUC, ML, SMAUC, Number, Quote, Rate, phrase

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def mid_profile(
    profile: MidProfile, *, title: str = "", text_size: float = TEXT_SIZE, ax: Axes | None = None
) -> Axes:
    """Draw smAUC, and what labels dealt at random would give, as Mid sweeps its range.

    What the labels add is the distance between the two, which is shaded. The Mid of the curve itself is a
    cross; where it lies outside (0, 1], which the figure does not reach, the key says so.

    Parameters
    ----------
    profile : MidProfile
        ``curve.mid_profile()``. An exact one is drawn in steps, one at chosen Mids with a dot at each.
    title : str
        Above the axes; by default the name of the curve.
    text_size, ax
        As in every figure, see :mod:`rocsteady.plot`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 for anything but a profile; RS042 for a size that is none.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.smroc_curve([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1])
    >>> axes = mid_profile(curve.mid_profile())
    >>> [text.get_text() for text in axes.get_legend().get_texts()][-1]
    'the curve itself: Mid 0.5, smAUC 0.775'
    """
    way = "rs.plot.mid_profile(curve.mid_profile())"
    profile = of_kind(MidProfile, profile, "the profile of a smROC curve", way)
    return draw(picture(profile).titled(title), ML, text_size=text_size, ax=ax)  # type: ignore[no-any-return]


def picture(profile: MidProfile) -> Picture:
    """Both areas along Mid, and the shade between them."""
    mids, (areas, chances) = _path(profile)
    low, high = (
        Line(mids, chances, look=LOOKS[1], width=1.1, name="chance_area"),
        Line(mids, areas, look=LOOKS[0]),
    )
    marks: list[Mark] = [
        Band((mids, chances), (mids, areas), look=LOOKS[0], alpha=0.12, name="shade"),
        low,
        high,
    ]
    if not profile.is_exact:
        marks += [Points(own.x, own.y, look=own.look, size=3) for own in (low, high)]
    ordinary = Line([mids[0], mids[-1]], [profile.roc_auc] * 2, look=GUIDE, width=0.8, name="ordinary")
    marks.append(ordinary)
    is_outside = profile.is_exact and not 0 < profile.own_mid <= 1
    own = Points((), (), look=INK, size=7)
    if not is_outside:
        marks.append(Points([profile.own_mid], [profile.own_auc], look=INK, size=7, name="point"))
    itself = "the curve itself: Mid {mid}, smAUC {area}" + (" (outside)" if is_outside else "")
    notes = (
        Entry(phrase("smAUC"), high),
        Entry(phrase("chance: labels dealt at random"), low),
        Entry(phrase("ordinary AUC {area}, which needs no Mid", area=Rate(AUC, profile.roc_auc)), ordinary),
        Entry(phrase(itself, mid=mid_of(profile.own_mid), area=Rate(SMAUC, profile.own_auc)), own),
    )
    ends = (0.0, 1.0) if profile.is_exact else (None, None)
    panel = Panel(
        x=Axis(phrase("Mid, from which a score is high"), *ends),
        y=Axis(phrase("Area under the smROC curve")),
        marks=tuple(marks),
        key=Key(notes=notes, corners=()),
    )
    return Picture(
        (panel,), Quote(profile.name) if profile.name else None, description=phrase("smAUC for every Mid")
    )


def mid_of(mid: float) -> Quote | Number:
    """Mid with as many digits as it takes to see whether it is outside (0, 1]."""
    from rocsteady.curves.smroc import mid_word

    return Quote(mid_word(mid, digits=3))


def _path(profile: MidProfile) -> tuple[Floats, list[Floats]]:
    """Corners of the steps; of chosen Mids, the points in order."""
    both = (profile.auc, profile.chance_auc)
    if profile.after is None:
        order = np.argsort(profile.mid, kind="stable")
        return profile.mid[order], [area[order] for area in both]
    corners = np.column_stack([profile.after, profile.mid]).ravel()
    return corners, [np.repeat(area, 2) for area in both]
