"""What the figures were handed: refused with a code if it is of another kind, or belongs to something else.

A comparison of another table would be drawn without a murmur, around points that nobody compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from rocsteady.curves.from_scores import described
from rocsteady.curves.raters import RaterAgreement
from rocsteady.curves.smroc import Appropriateness, MidProfile, SmrocCurve
from rocsteady.errors import Option, fail
from rocsteady.inference.differences import Comparison, Comparisons, DifferenceCurve
from rocsteady.inference.winner_map import WinnerMap
from rocsteady.options import one_number
from rocsteady.plots.parts.marks import TEXT_SIZE, scale_of
from rocsteady.plots.parts.style import Look, new_figure
from rocsteady.points.criteria import require_thresholds
from rocsteady.points.cutoffs import AppliedCutoff, Cutoff, CutoffIntervals
from rocsteady.points.tables import OperatingPointTable, PointTests

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Kind = TypeVar("Kind")

_SMALLEST_TEXT, _LARGEST_TEXT = 3, 144
"""Points; words on axes are one point smaller."""


def given_size(text_size: object) -> float:
    """The size of text, if it is one; RS042 otherwise."""
    size = one_number("text_size", text_size, example=8.0)
    if not _SMALLEST_TEXT <= size <= _LARGEST_TEXT:
        where = f"a number of points from {_SMALLEST_TEXT} to {_LARGEST_TEXT}"
        raise fail("RS042", name="text_size", where=where, found=size, ways=[Option("text_size", 8.0)])
    return size


def flat_axes(ax: Axes | None, width: float, height: float, text_size: float = TEXT_SIZE) -> Axes:
    """The axes to draw in, or new ones; RS002 if they are in space, round, or none.

    ``width`` and ``height`` are inches where text has the usual size; a figure that is made grows with it.
    """
    if ax is None:
        scale = scale_of(text_size)
        return new_figure(width * scale, height * scale).add_subplot()
    if getattr(ax, "name", None) != "rectilinear" or not hasattr(ax, "errorbar"):
        ways = ["ax=figure.add_subplot()", "or leave out  ax"]
        raise fail(
            "RS002.kind", name="ax", kind="flat axes of Matplotlib", found=type(ax).__name__, ways=ways
        )
    for name in ("xscale", "yscale"):  # of what was drawn there before; a figure sets its own
        if getattr(ax, f"get_{name}")() != "linear":
            ax.set(**{name: "linear"})
    return ax


def given_look(look: object) -> Look | None:
    """How something is to be drawn, if anybody said so; RS002 for a colour alone."""
    if look is None or isinstance(look, Look):
        return look
    ways = ["look=rocsteady.plots.parts.style.LOOKS[1]", "or leave out  look"]
    raise fail("RS002.kind", name="look", kind="a Look", found=described(look), ways=ways)


def given_table(table: object) -> OperatingPointTable:
    """The table, if it is one; RS002 otherwise."""
    two = "two classes:  rs.average_operating_points(score_set)"
    several = "several:  rs.average_multiclass_points(scores, class_weights)"
    return of_kind(OperatingPointTable, table, "a table of operating points", two, several)


def require_own_comparison(comparison: object, table: OperatingPointTable) -> None:
    """RS002 if it is no comparison, or was made in another table."""
    if comparison is None:
        return
    ways = ["of the table that is drawn:  comparison=table.compare_to(index)"]
    if not isinstance(comparison, PointTests):
        found = described(comparison)
        raise fail("RS002.kind", name="comparison", kind="a PointTests", found=found, ways=ways)
    if not _are_same(comparison._table, table):
        raise fail("RS002.elsewhere", name="comparison", found=comparison._table, ways=ways)


def _are_same(one: OperatingPointTable, other: OperatingPointTable) -> bool:
    """Whether both are one table, or one made twice."""
    if one is other:
        return True
    alike = one.classes == other.classes and one.folds == other.folds
    return alike and np.array_equal(one.confusion.matrix, other.confusion.matrix)


def given_cutoffs(curve: Any, chosen: object) -> list[Cutoff | AppliedCutoff]:
    """One cut-off, or several, as a list; RS002 unless all of them are cut-offs of this curve."""
    require_thresholds(curve)
    found = _listed(chosen, Cutoff | AppliedCutoff)
    if found is None:
        way = "rs.plot.cutoffs(curve, rs.choose_cutoff(curve, 'youden'))"
        raise fail("RS002.drawn-from", what="cut-offs", found=described(chosen), ways=[way])
    for cutoff in found:
        if not _is_same_path(cutoff._curve, curve):
            ways = [
                "choose it on this curve:  rs.choose_cutoff(curve, 'youden')",
                "or take the same threshold here:  cutoff.on(curve)",
            ]
            raise fail("RS002.elsewhere", name="a cut-off", found=cutoff, ways=ways)
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
        way = "intervals=[cutoff.intervals() for cutoff in chosen]"
        kind = "CutoffIntervals, or a list of them"
        raise fail("RS002.kind", name="intervals", kind=kind, found=described(intervals), ways=[way])
    return found


def given_smroc_curves(curves: object) -> list[SmrocCurve]:
    """One smROC curve, or several, as a list; RS002 if they are none."""
    found = _listed(curves, SmrocCurve)
    if found is None:
        way = "rs.plot.smroc(rs.smroc_curve(labels, scores))"
        raise fail("RS002.drawn-from", what="smROC curves", found=described(curves), ways=[way])
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
        raise fail("RS002.two-models-drawn", found=found, pair=(first.a, first.b))
    if isinstance(found, Comparison) and curve is None:
        raise fail("RS002.no-average-drawn", found=found, a=found.a, b=found.b)
    way = "rs.plot.difference(rs.compare(score_set, 'a', 'b', method='vertical'))"
    return of_kind(DifferenceCurve, curve, "a comparison of two models, or its curve", way)


def given_winner_map(found: object, most_models: int) -> WinnerMap:
    """The map, if it is one of models that can be told apart; RS002 or RS042 otherwise."""
    way = "rs.plot.winner_map(rs.winner_map(score_set))"
    found = of_kind(WinnerMap, found, "a winner map", way)
    if len(found.models) > most_models:
        two = f"of two of them:  rs.winner_map(score_set, {found.models[0]!r}, {found.models[1]!r})"
        raise fail("RS042.room", most=most_models, what="models", n=len(found.models), ways=[two])
    return found


def of_kind(kind: type[Kind], given: object, what: str, *ways: str) -> Kind:
    """What was given, if it is of this kind; RS002 otherwise, with the ways to call the figure."""
    if isinstance(given, kind):
        return given
    raise fail("RS002.drawn-from", what=what, found=described(given), ways=ways)


def _listed(given: object, kind: Any) -> list[Any] | None:
    """One thing of a kind, or several, as a list; None if something else is among them."""
    if isinstance(given, kind):
        return [given]
    if not isinstance(given, Sequence) or not all(isinstance(entry, kind) for entry in given):
        return None
    return list(given)
