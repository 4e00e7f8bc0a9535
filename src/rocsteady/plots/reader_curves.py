"""The curves of all readers, and the average curve of each modality with its band."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.curves.from_scores import described
from rocsteady.errors import fail
from rocsteady.options import one_of, yes_or_no
from rocsteady.plots.given.values import given_size
from rocsteady.plots.keys.key_below import axes_over_key, key_below
from rocsteady.plots.keys.words_of_bands import BY_ITSELF
from rocsteady.plots.parts.marks import TEXT_SIZE, scale_of
from rocsteady.plots.parts.roc_axes import dress_roc
from rocsteady.plots.parts.short_names import no_formula, told_apart
from rocsteady.plots.parts.style import COLUMN, LOOKS, Look
from rocsteady.readers.compare import ReaderComparison
from rocsteady.readers.curves import HOLDS, ReaderAverageCurve
from rocsteady.readers.study import spoken
from rocsteady.words import counted, listed, printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocsteady.curves.intervals import Band

_CROWD = 24
"""Curves of readers; more of them are drawn fainter."""
_LONGEST = 20
"""Letters of a modality's name in the key."""
_SAME = 1e-9
"""Mean areas that differ by less are one."""


def reader_curves(
    found: ReaderComparison | ReaderAverageCurve | Sequence[ReaderAverageCurve],
    *,
    hold: str = "fpr",
    readers: bool = True,
    confidence_level: float | None = None,
    words: str = "medical",
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw every reader's curve thinly, and the average curve of each modality with its pointwise band.

    The area under an average curve is the mean AUC of its readers. The band is for one position at a time,
    for what is random: readers, cases or both, as the key says. There is none where too few cases decide.

    Parameters
    ----------
    found : ReaderComparison, ReaderAverageCurve, or several of these
        From :func:`rocsteady.compare_readers`, or its ``.average_curve(modality)``; of up to six modalities.
    hold : {"fpr", "tpr"}
        The rate that is held where a comparison is averaged.
    readers : bool
        Whether the readers' own curves are drawn.
    confidence_level : float, optional
        Of the band; that of the comparison or of the curve if left out.
    words : {"ml", "medical", "biometric"}
        What the rates are called.
    title, text_size, ax
        As in every figure, see :mod:`rocsteady.plots`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 for anything but a comparison or average curves; RS042 for more modalities than can be told
        apart, or a size that is none; RS001 for unknown words.

    Examples
    --------
    >>> import rocsteady as rs
    >>> from rocsteady.simulate import reader_study
    >>> columns = {"label": "truth", "score": "rating", "group": "reader", "model": "modality"}
    >>> table = reader_study(standalone=False)
    >>> study = rs.ScoreSet.from_frame(table, **columns, case="case", positive="cancer")
    >>> axes = reader_curves(rs.compare_readers(study))
    >>> axes.get_xlabel(), axes.get_ylabel()
    ('1 - specificity (false positive rate)', 'sensitivity (true positive rate)')
    """
    one_of("hold", hold, tuple(HOLDS))
    yes_or_no("readers", readers)
    text_size, curves = given_size(text_size), _given_curves(found, hold)
    labels = _labels(found, curves)
    bands = [curve.band(confidence_level) for curve in curves]
    ax = axes_over_key(ax, COLUMN, 0.94 * COLUMN, 2 + len(curves) + readers + bool(title), text_size)
    dress_roc(ax, words=words, title=title, text_size=text_size)
    n_lines = sum(len(curve.readers) for curve in curves)
    for curve, band, look in zip(curves, bands, LOOKS, strict=False):
        if readers:
            _draw_readers(ax, curve, look, scale_of(text_size), 0.45 if n_lines <= _CROWD else 0.22)
        _draw_band(ax, curve, band, look.colour)
    for curve, label, look in zip(curves, labels, LOOKS, strict=False):
        style: Any = {"color": look.colour, "linestyle": look.line, "zorder": 5}
        style |= {"linewidth": 2.0 * scale_of(text_size)}
        ax.plot(curve.fpr, curve.tpr, label=label, **style)
    _explain(ax, curves[0], bands, readers, scale_of(text_size))
    key_below(ax, text_size, _heading(curves), handlelength=2.2)
    return ax


def _given_curves(found: object, hold: str) -> list[ReaderAverageCurve]:
    """The average curves; RS002 if there are none, RS042 if they are too many."""
    if isinstance(found, ReaderComparison):
        curves = [found.average_curve(name, hold=hold) for name in _few(found.modalities)]
    else:
        given = [found] if isinstance(found, ReaderAverageCurve) else found
        is_list = isinstance(given, Sequence) and len(given) > 0
        if not is_list or not all(isinstance(own, ReaderAverageCurve) for own in given):  # type: ignore[attr-defined]
            way = "rs.plot.reader_curves(rs.compare_readers(score_set))"
            what = "a reader comparison, or its average curves"
            raise fail("RS002.drawn-from", what=what, found=described(found), ways=[way])
        curves = list(_few(given))  # type: ignore[arg-type]
    return curves


def _few(given: Sequence[Any]) -> Sequence[Any]:
    if len(given) > len(LOOKS):
        some = "some of them:  rs.plot.reader_curves([found.average_curve(name) for name in names])"
        raise fail("RS042.room", most=len(LOOKS), what="modalities", n=len(given), ways=[some])
    return given


def _draw_readers(ax: Axes, curve: ReaderAverageCurve, look: Look, scale: float, alpha: float) -> None:
    for own in curve.reader_curves:
        style: Any = {"color": look.colour, "linestyle": look.line, "linewidth": 0.6 * scale, "alpha": alpha}
        ax.plot(own.fpr, own.tpr, zorder=2, label="_reader", **style)


def _draw_band(ax: Axes, curve: ReaderAverageCurve, band: Band, colour: str) -> None:
    """Limits of the rate that is not held, where there are any."""
    low, high = band.lower, band.upper
    known = np.isfinite(low.tpr) & np.isfinite(high.tpr) & np.isfinite(low.fpr) & np.isfinite(high.fpr)
    fill: Any = {"color": colour, "alpha": 0.2, "linewidth": 0, "zorder": 1, "where": known, "label": "_band"}
    if curve.hold == "fpr":
        ax.fill_between(low.fpr, low.tpr, high.tpr, **fill)
    else:
        ax.fill_betweenx(low.tpr, low.fpr, high.fpr, **fill)


def _explain(ax: Axes, curve: ReaderAverageCurve, bands: list[Band], readers: bool, scale: float) -> None:
    """Lines of the key about what all modalities have: readers' curves and bands."""
    from matplotlib.patches import Rectangle

    if readers:
        ax.plot([], [], color="0.4", linewidth=0.6 * scale, label=f"each {printable(curve.unit)}")
    if not any(np.isfinite(band.lower.tpr + band.lower.fpr).any() for band in bands):
        return
    levels = listed([f"{100 * level:g} %" for level in sorted({band.confidence_level for band in bands})])
    label = f"{levels}: {BY_ITSELF}"
    ax.add_patch(Rectangle((0, 0), 0, 0, color="0.4", alpha=0.25, linewidth=0, label=label))


def _labels(found: object, curves: list[ReaderAverageCurve]) -> list[str]:
    """Each modality with its area, and with the interval where a comparison of areas has it."""
    names = map(no_formula, told_apart([spoken(curve.modality) for curve in curves], _LONGEST))
    return [
        f"{name}: AUC {curve.auc:.3f}{_limits(found, curve)}"
        for name, curve in zip(names, curves, strict=True)
    ]


def _limits(found: object, curve: ReaderAverageCurve) -> str:
    """Of the mean area; no area lies outside 0 and 1."""
    if not isinstance(found, ReaderComparison):
        return ""
    per = found.per_modality
    place = per.modalities.index(curve.modality)
    low, high = np.clip([per.low[place], per.high[place]], 0, 1)
    # What was compared may be no area, or the mean of other areas where readers read different cases.
    if not np.isfinite([low, high]).all() or abs(per.value[place] - curve.auc) > _SAME:
        return ""
    return f", {low:.3f} to {high:.3f} ({100 * per.confidence_level:g} %)"


def _heading(curves: list[ReaderAverageCurve]) -> str:
    """How the curves were averaged, over how many, and what is random."""
    first = curves[0]
    sizes = {len(curve.readers) for curve in curves}
    n = counted(max(sizes), printable(first.unit))
    n = n if len(sizes) == 1 else f"up to {n}"
    return f"{first.method} average, {n} ({first.readers_are}), cases {first.cases_are}"
