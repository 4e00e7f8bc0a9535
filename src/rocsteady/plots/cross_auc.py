"""The AUC of every group's positives against every group's negatives, as a map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.from_scores import described
from rocsteady.errors import counted, fail
from rocsteady.inference.comparability import Comparability
from rocsteady.inference.comparing.wording import p_words
from rocsteady.options import one_of, rate_range
from rocsteady.plots.given.values import flat_axes, given_size
from rocsteady.plots.keys.key_below import cut
from rocsteady.plots.parts.marks import TEXT_SIZE, scale_of
from rocsteady.plots.parts.style import COLUMN, VERMILLION, write_title
from rocsteady.words import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

ORDERS = ("given", "level")
MOST_NUMBERS = 9
"""Groups whose AUCs are written into the cells."""
MOST_NAMED = 16
"""Groups whose names stand at the axes."""
_LONGEST = 12
"""Letters of a name."""
_MOST_UPRIGHT = 28
"""Letters that fit side by side above the cells."""
_LEAST_SPAN = 0.02
_DARK = 0.5
"""Lightness of a cell below which numbers on it are white."""
_COLOURS = "cividis"
"""Rises in lightness all the way, so grey prints keep the order; made for colour-blind eyes."""


def cross_auc(
    matrix: Floats,
    *,
    names: Sequence[object] | None = None,
    comparability: Comparability | None = None,
    order: str | None = None,
    unit: str = "group",
    limits: tuple[float, float] | None = None,
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw how the positives of each group stand against the negatives of each group.

    Cells on the framed diagonal are the AUCs of the groups themselves. Where scores mean the same in all
    groups, the others differ from them by chance only; a bright row with a dark column is a group that scores
    high as a whole. Cells without an AUC are hatched.

    Parameters
    ----------
    matrix : (M, M) array
        From :func:`rocsteady.cross_auc`: ``[i, j]`` has the positives of group i and the negatives of j.
    names : sequence, optional
        Of the groups: ``score_set.names``.
    comparability : Comparability, optional
        From :func:`rocsteady.comparability` of the same scores: what one threshold for all costs is then in
        the key.
    order : {"given", "level"}, optional
        How groups stand: as they came, or those first that score low as a whole, which a comparability
        tells. By default as they came if they are named, else by level if that is known.
    unit : str
        The word for a group, where no comparability has it.
    limits : (float, float), optional
        The AUCs of the darkest and of the lightest colour, so that maps of several models can be compared;
        by default the lowest and the highest of the matrix.
    title, text_size, ax
        As in every figure, see :mod:`rocsteady.plots`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 for anything but a square matrix of AUCs, for the comparability of other scores, and for levels
        that are not known; RS013 if there are not as many names as groups; RS001 and RS042 for words and
        numbers that are none.

    Examples
    --------
    >>> import rocsteady as rs
    >>> readers = rs.ScoreSet.from_folds([([1, 1, 0, 0], [4, 2, 3, 1]), ([1, 1, 0, 0], [8, 6, 7, 5])])
    >>> axes = cross_auc(rs.cross_auc(readers), names=["Anna", "Jan"])
    >>> [text.get_text() for text in axes.texts]
    ['0.75', '0.00', '1.00', '0.75', '2 groups; framed: each group by itself']
    """
    text_size, areas = given_size(text_size), _given_areas(matrix)
    found = _given_comparability(comparability, areas)
    places = _places(order, areas, found)
    labels = [_given_names(names, areas, found)[i] for i in places]
    areas = areas[np.ix_(places, places)]
    ax = flat_axes(ax, COLUMN, COLUMN, text_size)
    image = _draw_cells(ax, areas, colour_range(areas) if limits is None else rate_range("limits", limits))
    _frame_diagonal(ax, len(areas), scale_of(text_size))
    if len(areas) <= MOST_NUMBERS:
        _write_areas(ax, areas, image, text_size)
    _dress(ax, labels, title, text_size)
    _draw_scale(ax, image, text_size)
    words = _words(found, len(areas), printable(unit if found is None else found.unit))
    if (np.diff(places) < 0).any():
        words += "\nthose first that score low as a whole"
    down: Any = {"xytext": (0, -0.5 * text_size), "textcoords": "offset points", "va": "top"}
    ax.annotate(words, (0, 0), xycoords="axes fraction", fontsize=text_size - 1, **down)
    return ax


def _given_areas(matrix: object) -> Floats:
    """The matrix, if it is one of AUCs; RS002 otherwise."""
    try:
        areas = np.asarray(matrix, dtype=np.float64)
    except (TypeError, ValueError):
        areas = np.empty(0)
    is_square = areas.ndim == 2 and areas.shape[0] == areas.shape[1] > 0
    if is_square and not ((areas < 0) | (areas > 1)).any():
        return areas
    found = f"shape {areas.shape}" if areas.ndim == 2 and not is_square else described(matrix)
    way = "rs.plot.cross_auc(rs.cross_auc(score_set), names=score_set.names)"
    raise fail("RS002.drawn-from", what="a square matrix of AUCs, from 0 to 1", found=found, ways=[way])


def _given_comparability(comparability: object, areas: Floats) -> Comparability | None:
    """It, if it is of the same groups; RS002 otherwise."""
    if comparability is None:
        return None
    ways = ["of the scores drawn:  comparability=rs.comparability(score_set)"]
    if not isinstance(comparability, Comparability):
        found = described(comparability)
        raise fail("RS002.kind", name="comparability", kind="a Comparability", found=found, ways=ways)
    own = np.diag(areas)[np.isfinite(np.diag(areas))]
    if own.shape == comparability.aucs.shape and np.allclose(own, comparability.aucs):
        return comparability
    raise fail("RS002.elsewhere", name="comparability", found=comparability, ways=ways)


def _places(order: str | None, areas: Floats, found: Comparability | None) -> NDArray[np.intp]:
    """Which group stands where; RS002 if levels are asked for and not known."""
    n = len(areas)
    is_known = found is not None and len(found.members) == n
    usual = "level" if is_known and n > MOST_NAMED else "given"
    if (usual if order is None else one_of("order", order, ORDERS)) == "given":
        return np.arange(n)
    if found is None or not is_known:
        raise fail("RS002.levels-unknown", is_given=found is not None)
    return np.argsort(found.positive_aucs - found.negative_aucs, kind="stable")


def _given_names(names: object, areas: Floats, found: Comparability | None) -> list[str]:
    if names is None:
        given = found.members if found is not None and len(found.members) == len(areas) else None
        return [str(name) for name in given or range(1, len(areas) + 1)]
    is_list = isinstance(names, Sequence | np.ndarray) and not isinstance(names, str)
    if is_list and len(names) == len(areas):  # type: ignore[arg-type]
        return [str(name) for name in names]  # type: ignore[attr-defined]
    way = "names=score_set.names"
    raise fail("RS013.one-each", name="names", of="group", n=len(areas), found=described(names), ways=[way])


def colour_range(areas: Floats) -> tuple[float, float]:
    """AUCs of the darkest and the lightest colour unless ``limits`` says: the lowest and the highest."""
    known = areas[np.isfinite(areas)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    if high - low < _LEAST_SPAN:  # differences that nobody should see
        low, high = (low + high - _LEAST_SPAN) / 2, (low + high + _LEAST_SPAN) / 2
    return max(low, 0.0), min(high, 1.0)


def _draw_cells(ax: Axes, areas: Floats, shown: tuple[float, float]) -> Any:
    """The cells, coloured from the lowest AUC to the highest; hatched where there is none."""
    from matplotlib.patches import Rectangle

    n, (low, high) = len(areas), shown
    empty: Any = {"facecolor": "white", "edgecolor": "0.7", "hatch": "////", "linewidth": 0, "zorder": 0}
    ax.add_patch(Rectangle((-0.5, -0.5), n, n, label="_no AUC", **empty))
    masked = np.ma.masked_invalid(areas)
    return ax.imshow(masked, cmap=_COLOURS, vmin=low, vmax=high, aspect="equal", zorder=1)


def _frame_diagonal(ax: Axes, n: int, scale: float) -> None:
    """Every group against itself: framed, or a line where cells are small."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    if n > MOST_NAMED:
        line: Any = {"color": VERMILLION, "linewidth": 0.8 * scale, "zorder": 3, "label": "_diagonal"}
        ax.plot([-0.5, n - 0.5], [-0.5, n - 0.5], **line)
        return
    cells = [Rectangle((k - 0.5, k - 0.5), 1, 1) for k in range(n)]
    # White around, so that the frame is seen on dark and on light cells.
    for colour, width in (("white", 2.6), (VERMILLION, 1.2)):
        frame: Any = {"facecolor": "none", "edgecolor": colour, "linewidth": width * scale, "zorder": 3}
        ax.add_collection(PatchCollection(cells, label="_diagonal", **frame))


def _write_areas(ax: Axes, areas: Floats, image: Any, text_size: float) -> None:
    for (row, column), area in np.ndenumerate(areas):
        if np.isfinite(area):
            red, green, blue, _ = image.cmap(image.norm(area))
            is_dark = 0.299 * red + 0.587 * green + 0.114 * blue < _DARK
            look: Any = {"fontsize": text_size - 2, "ha": "center", "va": "center", "zorder": 4}
            ax.text(column, row, f"{area:.2f}", color="white" if is_dark else "black", **look)


def _dress(ax: Axes, names: list[str], title: str, text_size: float) -> None:
    """Names at the left and above, which leaves the room below to words."""
    ax.xaxis.tick_top()
    ax.xaxis.set_label_position("top")
    ax.tick_params(length=0, labelsize=text_size - 1)
    ax.spines[:].set_visible(False)
    if len(names) <= MOST_NAMED:
        short = [cut(name, _LONGEST) for name in names]
        is_aslant = max(map(len, short)) > _MOST_UPRIGHT // len(short)
        ax.set_xticks(range(len(short)), short, rotation=90 if is_aslant else 0)
        ax.set_yticks(range(len(short)), short)
    else:
        ax.set_xticks([])
        ax.set_yticks([])
    ax.set_ylabel("positives of", fontsize=text_size)
    ax.set_xlabel("negatives of", fontsize=text_size)
    write_title(ax, title, text_size)


def _draw_scale(ax: Axes, image: Any, text_size: float) -> None:
    """What the colours mean, in a strip of its own that goes where the axes go."""
    figure = ax.figure
    assert figure is not None
    strip = ax.inset_axes((1.04, 0.0, 0.05, 1.0), label="_scale")
    bar = figure.colorbar(image, cax=strip)
    bar.minorticks_off()
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=text_size - 1, width=0.8)
    bar.set_label("AUC", fontsize=text_size)


def _words(found: Comparability | None, n: int, unit: str) -> str:
    """What is framed; and what one threshold for all costs, if that is known."""
    where = "framed" if n <= MOST_NAMED else "on the line"
    lines = [f"{counted(n, unit)}; {where}: each {unit} by itself"]
    if found is not None and np.isfinite(found.price):
        limits = found.price_interval
        known = np.isfinite([limits.low, limits.high]).all()
        sure = f" ({_written(limits.low)} to {_written(limits.high)})" if known else ""
        lines.append(f"AUC {found.own_auc:.3f} by own, {found.shared_auc:.3f} by one threshold for all:")
        lines.append(f"that costs {_written(found.price)}{sure}, {p_words(found.pvalue)}")
    return "\n".join(lines)


def _written(price: float) -> str:
    """With three places, and no sign before nothing.

    >>> _written(-0.0002), _written(-0.0012)
    ('0.000', '-0.001')
    """
    return f"{round(price, 3) + 0.0:.3f}"
