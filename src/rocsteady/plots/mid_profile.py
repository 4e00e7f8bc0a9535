"""smAUC and its chance level for every Mid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.curves.smroc import mid_word
from rocsteady.plots.given.values import given_profile, given_size
from rocsteady.plots.keys.key_below import axes_over_key, cut, key_below
from rocsteady.plots.parts.marks import TEXT_SIZE, cross, scale_of
from rocsteady.plots.parts.style import BLUE, COLUMN, VERMILLION, ink_of, thin, write_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from rocsteady.curves.smroc import MidProfile


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
        As in every figure, see :mod:`rocsteady.plots`.

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
    text_size, profile = given_size(text_size), given_profile(profile)
    scale = scale_of(text_size)
    ax = axes_over_key(ax, COLUMN, 0.72 * COLUMN, 4, text_size)
    _draw_areas(ax, profile, scale)
    ax.axhline(
        profile.roc_auc,
        color=ink_of(ax),
        linewidth=0.8 * scale,
        linestyle=":",
        zorder=2,
        label=f"ordinary AUC {profile.roc_auc:.3f}, which needs no Mid",
    )
    _draw_own(ax, profile, text_size)
    ax.set_xlabel("Mid, from which a score is high", fontsize=text_size)
    ax.set_ylabel("area under the smROC curve", fontsize=text_size)
    if profile.is_exact:
        ax.set_xlim(0, 1)
    title = title or cut(profile.name or "")
    write_title(ax, title, text_size)
    thin(ax, text_size)
    key_below(ax, text_size)
    return ax


def _draw_areas(ax: Axes, profile: MidProfile, scale: float) -> None:
    """Both areas, and the shade between them."""
    mids, (areas, chances) = _path(profile)
    line: Any = {"linewidth": 1.4 * scale, "zorder": 4}
    if not profile.is_exact:
        line |= {"marker": "o", "markersize": 3 * scale}
    ax.fill_between(mids, chances, areas, color=BLUE, alpha=0.12, linewidth=0, zorder=1, label="_shade")
    ax.plot(mids, areas, color=BLUE, label="smAUC", **line)
    dashed = line | {"linewidth": 1.1 * scale, "linestyle": (0, (4, 2)), "zorder": 3}
    ax.plot(mids, chances, color=VERMILLION, label="chance: labels dealt at random", **dashed)


def _path(profile: MidProfile) -> tuple[NDArray[Any], list[NDArray[Any]]]:
    """Corners of the steps; of chosen Mids, the points in order."""
    both = (profile.auc, profile.chance_auc)
    if profile.after is None:
        order = np.argsort(profile.mid, kind="stable")
        return profile.mid[order], [area[order] for area in both]
    corners = np.column_stack([profile.after, profile.mid]).ravel()
    return corners, [np.repeat(area, 2) for area in both]


def _draw_own(ax: Axes, profile: MidProfile, text_size: float) -> None:
    words = f"the curve itself: Mid {mid_word(profile.own_mid, digits=3)}, smAUC {profile.own_auc:.3f}"
    is_outside = profile.is_exact and not 0 < profile.own_mid <= 1
    if is_outside:
        words += " (outside)"
    place = ([], []) if is_outside else ([profile.own_mid], [profile.own_auc])
    ax.plot(*place, **cross(text_size), label=words)
