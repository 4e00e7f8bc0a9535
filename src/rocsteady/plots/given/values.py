"""What the figures were handed: refused with a code if it is of another kind, or belongs to something else.

A comparison of another table would be drawn without a murmur, around points that nobody compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from rocsteady.counting.arguments import one_number
from rocsteady.curves.given import described
from rocsteady.curves.raters.agreement import RaterAgreement
from rocsteady.curves.smroc.appropriateness import Appropriateness
from rocsteady.curves.smroc.curve import SmrocCurve
from rocsteady.curves.smroc.profile import MidProfile
from rocsteady.errors import Option, UsageError
from rocsteady.inference.comparing.results import Comparison, Comparisons, DifferenceCurve
from rocsteady.inference.winner_map.result import WinnerMap
from rocsteady.operating_points.cutoffs.choosing import AppliedCutoff, Cutoff
from rocsteady.operating_points.cutoffs.intervals import CutoffIntervals
from rocsteady.operating_points.cutoffs.vertices import vertices_of
from rocsteady.operating_points.tables.comparing import PointComparison
from rocsteady.operating_points.tables.table import OperatingPointTable
from rocsteady.plots.parts.marks import TEXT_SIZE, scale_of
from rocsteady.plots.parts.style import Look, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Kind = TypeVar("Kind")

_SMALLEST_TEXT, _LARGEST_TEXT = 3, 144
"""Points; words on axes are one point smaller."""


def given_size(text_size: object) -> float:
    """The size of text, if it is one; RS042 otherwise."""
    size = one_number("text_size", text_size, example=8.0)
    if not _SMALLEST_TEXT <= size <= _LARGEST_TEXT:
        raise UsageError(
            "RS042",
            f"text_size must be a number of points from {_SMALLEST_TEXT} to {_LARGEST_TEXT}.",
            f"found: {size:g}",
            Option("text_size", 8.0),
        )
    return size


def flat_axes(ax: Axes | None, width: float, height: float, text_size: float = TEXT_SIZE) -> Axes:
    """The axes to draw in, or new ones; RS002 if they are in space, round, or none.

    ``width`` and ``height`` are inches where text has the usual size; a figure that is made grows with it.
    """
    if ax is None:
        scale = scale_of(text_size)
        return new_figure(width * scale, height * scale).add_subplot()
    if getattr(ax, "name", None) != "rectilinear" or not hasattr(ax, "errorbar"):
        raise UsageError(
            "RS002",
            "this figure needs flat axes of Matplotlib.",
            f"found: {type(ax).__name__}",
            "ax=figure.add_subplot()",
            "or leave out  ax",
        )
    for name in ("xscale", "yscale"):  # of what was drawn there before; a figure sets its own
        if getattr(ax, f"get_{name}")() != "linear":
            ax.set(**{name: "linear"})
    return ax


def given_look(look: object) -> Look | None:
    """How something is to be drawn, if anybody said so; RS002 for a colour alone."""
    if look is None or isinstance(look, Look):
        return look
    raise UsageError(
        "RS002",
        "a look is a colour with a dash and a marker.",
        f"found: {described(look)}",
        "look=rocsteady.plots.parts.style.LOOKS[1]",
        "or leave out  look",
    )


def given_table(table: object) -> OperatingPointTable:
    """The table, if it is one; RS002 otherwise."""
    if isinstance(table, OperatingPointTable):
        return table
    raise UsageError(
        "RS002",
        "this figure is drawn from a table of operating points.",
        f"found: {described(table)}",
        "two classes:  rs.average_operating_points(score_set)",
        "several:  rs.average_multiclass_points(scores, class_weights)",
    )


def require_own_comparison(comparison: object, table: OperatingPointTable) -> None:
    """RS002 if it is no comparison, or was made in another table."""
    if comparison is None:
        return
    if not isinstance(comparison, PointComparison):
        problem = "a comparison is what table.compare_to(...) gives."
        found = described(comparison)
    elif not _are_same(comparison._table, table):
        problem = "the comparison was made in another table, so it says nothing about these points."
        found = f"compared in {comparison._table!r}, drawn from {table!r}"
    else:
        return
    raise UsageError(
        "RS002",
        problem,
        f"found: {found}",
        "of the table that is drawn:  comparison=table.compare_to(index)",
    )


def _are_same(one: OperatingPointTable, other: OperatingPointTable) -> bool:
    """Whether both are one table, or one made twice."""
    if one is other:
        return True
    alike = one.classes == other.classes and one.folds == other.folds
    return alike and np.array_equal(one.confusion.matrix, other.confusion.matrix)


def given_cutoffs(curve: Any, chosen: object) -> list[Cutoff | AppliedCutoff]:
    """One cut-off, or several, as a list; RS002 unless all of them are cut-offs of this curve."""
    vertices_of(curve)  # refuses what has no thresholds
    found = _listed(chosen, Cutoff | AppliedCutoff)
    if found is None:
        raise UsageError(
            "RS002",
            "cut-offs are what choose_cutoff(curve, ...) gives.",
            f"found: {described(chosen)}",
            "rs.plot.cutoffs(curve, rs.choose_cutoff(curve, 'youden'))",
        )
    for cutoff in found:
        if not _is_same_path(cutoff._curve, curve):
            raise UsageError(
                "RS002",
                "a cut-off belongs to another curve, so it would be drawn beside this one.",
                f"found: {cutoff!r}",
                "choose it on this curve:  rs.choose_cutoff(curve, 'youden')",
                "or take the same threshold here:  cutoff.on(curve)",
            )
    return found


def _is_same_path(one: Any, other: Any) -> bool:
    """Whether both are one curve, or one made twice."""
    return one is other or all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in ("thresholds", "fpr", "tpr")
    )


def given_intervals(intervals: object) -> list[CutoffIntervals]:
    """The intervals of one cut-off, or of several, as a list; RS002 if they are none."""
    found = _listed(intervals, CutoffIntervals)
    if found is None:
        raise UsageError(
            "RS002",
            "intervals are what cutoff.intervals() gives, one for each cut-off.",
            f"found: {described(intervals)}",
            "intervals=[cutoff.intervals() for cutoff in chosen]",
        )
    return found


def given_smroc_curves(curves: object) -> list[SmrocCurve]:
    """One smROC curve, or several, as a list; RS002 if they are none."""
    found = _listed(curves, SmrocCurve)
    if found is None:
        raise not_what_is_drawn("smROC curves", curves, "rs.plot.smroc(rs.smroc_curve(labels, scores))")
    return found


def given_profile(profile: object) -> MidProfile:
    """The profile, if it is one; RS002 otherwise."""
    way = "rs.plot.mid_profile(curve.mid_profile())"
    return of_kind(MidProfile, profile, "the profile of a smROC curve", way)


def given_appropriateness(found: object) -> Appropriateness:
    """The appropriateness of a smROC curve, also if the curve is given; RS002 otherwise."""
    if isinstance(found, SmrocCurve):
        return found.appropriateness
    way = "rs.plot.appropriateness(curve.appropriateness)"
    return of_kind(Appropriateness, found, "the appropriateness of scores", way)


def given_agreement(agreement: object) -> RaterAgreement:
    """The agreement of two raters, if it is one; RS002 otherwise."""
    way = "rs.plot.agreement(rs.rater_agreement(decisions, scores))"
    return of_kind(RaterAgreement, agreement, "the agreement of two raters", way)


def given_difference_curve(found: object) -> DifferenceCurve:
    """The curve, also if the comparison is given; RS002 otherwise."""
    curve = found.curve if isinstance(found, Comparison) else found
    if isinstance(found, Comparisons):
        first = found[0]
        raise UsageError(
            "RS002",
            "this figure is of two models.",
            f"found: {found!r}",
            f"one pair of them:  rs.plot.difference(comparisons[{(first.a, first.b)!r}])",
        )
    way = "rs.plot.difference(rs.compare(score_set, 'a', 'b', method='vertical'))"
    return of_kind(DifferenceCurve, curve, "a comparison of two models, or its curve", way)


def given_winner_map(found: object, most_models: int) -> WinnerMap:
    """The map, if it is one of models that can be told apart; RS002 or RS042 otherwise."""
    way = "rs.plot.winner_map(rs.winner_map(score_set))"
    found = of_kind(WinnerMap, found, "a winner map", way)
    if len(found.models) > most_models:
        raise UsageError(
            "RS042",
            f"a figure tells up to {most_models} models apart.",
            f"found: {len(found.models)}",
            f"of two of them:  rs.winner_map(score_set, {found.models[0]!r}, {found.models[1]!r})",
        )
    return found


def of_kind(kind: type[Kind], given: object, what: str, way: str) -> Kind:
    """What was given, if it is of this kind; RS002 otherwise."""
    if isinstance(given, kind):
        return given
    raise not_what_is_drawn(what, given, way)


def not_what_is_drawn(what: str, found: object, way: str) -> UsageError:
    """RS002: the figure is drawn from something else; ``way`` is how it is called."""
    return UsageError("RS002", f"this figure is drawn from {what}.", f"found: {described(found)}", way)


def _listed(given: object, kind: Any) -> list[Any] | None:
    """One thing of a kind, or several, as a list; None if something else is among them."""
    if isinstance(given, kind):
        return [given]
    if not isinstance(given, Sequence) or not all(isinstance(entry, kind) for entry in given):
        return None
    return list(given)
