"""Non-inferiority and equivalence: whether a difference is shown to be smaller than a margin.

Both need an estimate, its standard error and degrees of freedom, which every
:class:`~rocsteady.inference.comparing.results.Difference` has: of reader studies, of a standalone reading
against readers, of two models on the same cases or datasets.

References
----------
Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680: two one-sided tests.
Chen, Petrick & Sahiner (2012), Academic Radiology 19, 1158-1165: margins in reader studies.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from rocsteady.errors import Option, RocsteadyError, fail, warn
from rocsteady.inference.comparing.results import Difference
from rocsteady.inference.readers.margins.results import Equivalence, NonInferiority
from rocsteady.options import one_number
from rocsteady.statistics.intervals import Interval, t_quantile, upper_tail

__all__ = ["Equivalence", "NonInferiority", "equivalent", "non_inferior"]

DEFAULT_ALPHA = 0.025
"""Of each one-sided test: the two-sided 95 % interval then decides, as regulators ask."""


def non_inferior(
    found: Any,
    margin: float,
    *,
    new: str | None = None,
    reference: str | None = None,
    alpha: float = DEFAULT_ALPHA,
) -> NonInferiority:
    """Test whether one modality is not worse than another by a margin.

    Parameters
    ----------
    found : ReaderComparison, StandaloneComparison, Comparison or Difference
        What was compared.
    margin : float
        Above 0, on the scale of the measure, chosen before the data were seen: a mean AUC of ``new`` that is
        lower by less than this still counts as not inferior.
    new : str
        The modality that must not be worse. It must be named: the two directions are two questions.
    reference : str, optional
        The other one; needed where there are more than two.
    alpha : float
        Level of the one-sided test. At 0.025 the usual two-sided 95 % interval decides.

    Returns
    -------
    NonInferiority

    Warns
    -----
    RS224
        If the standard error is 0: nothing is shown then, and there is neither p-value nor limit.

    Raises
    ------
    UsageError
        RS097 if the margin is no margin, or if it is not said which modality is new.

    Notes
    -----
    The statistic is ``(difference + margin) / standard error`` with the degrees of freedom of the difference.
    The p-value is not adjusted for the number of pairs; test the one pair that was planned.

    Modalities that differ by just the margin, in simulations (``simulations/reader_planner.py``, readers and
    cases random, 2,000 studies each): non-inferiority at 0.025 was shown in 2.2 % to 3.2 % with 5 and 10
    readers, in 3.5 % to 4.7 % with 3 readers.

    Examples
    --------
    >>> import rocsteady as rs
    >>> labels = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
    >>> scores = {"old": [9, 8, 7, 6, 3, 5, 4, 2, 1, 0], "new": [9, 8, 7, 4, 3, 5, 6, 2, 1, 0]}
    >>> study = rs.ScoreSet.from_arrays(labels, scores)
    >>> rs.non_inferior(rs.compare(study, "old", "new"), 0.3, new="new")
    NonInferiority(AUC, new against old, margin 0.3: not shown, -0.0800, one-sided p 0.0267)
    """
    margin, alpha = margin_of(margin), _alpha(alpha)
    of, sign = _of_new(_differences(found), new, reference)
    difference, error = sign * of.difference + 0.0, _standard_error(of)  # no -0
    towards = -1.0 if of.lower_is_better else 1.0
    statistic = _over_error(towards * difference + margin, error)
    limit = towards * difference - _reach(of, error, 1 - alpha)
    low, high = (-math.inf, -limit) if of.lower_is_better else (limit, math.inf)
    return NonInferiority(
        quantity=of.quantity,
        new=of.a if sign > 0 else of.b,
        reference=of.b if sign > 0 else of.a,
        difference=difference,
        standard_error=error,
        df=of.df,
        margin=margin,
        statistic=statistic,
        pvalue=upper_tail(statistic, of.df),
        alpha=alpha,
        interval=Interval(low, high, 1 - alpha, f"one-sided {_which(of)}"),
        lower_is_better=of.lower_is_better,
        random=of.random,
    )


def equivalent(
    found: Any, margin: float, *, modalities: Any = None, alpha: float = DEFAULT_ALPHA
) -> Equivalence:
    """Test whether two modalities differ by less than a margin, either way.

    Parameters
    ----------
    found : ReaderComparison, StandaloneComparison, Comparison or Difference
        What was compared.
    margin : float
        Above 0, on the scale of the measure, chosen before the data were seen.
    modalities : pair of str, optional
        Which two; needed where there are more. The difference is the first less the second.
    alpha : float
        Level of each of the two one-sided tests. The interval that must lie within the margin has the level
        ``1 - 2 * alpha``: 95 % for 0.025; take 0.05 for the 90 % interval that is usual in bioequivalence.

    Returns
    -------
    Equivalence

    Examples
    --------
    >>> import rocsteady as rs
    >>> labels = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
    >>> scores = {"old": [9, 8, 7, 6, 3, 5, 4, 2, 1, 0], "new": [9, 8, 7, 4, 3, 5, 6, 2, 1, 0]}
    >>> found = rs.equivalent(rs.compare(rs.ScoreSet.from_arrays(labels, scores), "old", "new"), 0.4)
    >>> found.is_shown, found.interval
    (True, Interval(-0.1444 to 0.3044, confidence level 0.95, t))
    """
    margin, alpha = margin_of(margin), _alpha(alpha)
    of, sign = _of_two(_differences(found), modalities)
    difference, error = sign * of.difference + 0.0, _standard_error(of)  # no -0
    statistic = _over_error(margin - abs(difference), error)
    reach = _reach(of, error, 1 - alpha)
    return Equivalence(
        quantity=of.quantity,
        a=of.a if sign > 0 else of.b,
        b=of.b if sign > 0 else of.a,
        difference=difference,
        standard_error=error,
        df=of.df,
        margin=margin,
        statistic=statistic,
        pvalue=upper_tail(statistic, of.df),
        alpha=alpha,
        interval=Interval(difference - reach, difference + reach, 1 - 2 * alpha, _which(of)),
        random=of.random,
    )


def _differences(found: Any) -> tuple[Difference, ...]:
    """The differences that can be held against a margin; RS097 for what has none."""
    if isinstance(found, Difference):
        return (found,)
    area = getattr(found, "auc", None)  # of compare(): also has differences at operating points
    if isinstance(area, Difference):
        return (area,)
    several = getattr(found, "differences", None)
    if isinstance(several, tuple | list) and several and all(isinstance(own, Difference) for own in several):
        return tuple(several)
    raise fail("RS097.kind", kind=type(found).__name__)


def _of_new(
    differences: tuple[Difference, ...], new: str | None, reference: str | None
) -> tuple[Difference, float]:
    """The difference of ``new`` and ``reference``, and whether it is the first less the second."""
    names = _names(differences)
    new, reference = _as_name(new), _as_name(reference)
    for name, value in (("new", new), ("reference", reference)):
        if value is not None and value not in names:
            raise _unknown(name, value, names)
    if new is None or (reference is None and len(names) > 2) or new == reference:
        lacking = "new" if new is None else "reference"
        first = names[0] if len(names) > 2 else None
        raise fail("RS097.direction", lacking=lacking, names=names, first=first, last=names[-1])
    wanted = {new, reference} if reference is not None else {new}
    for own in differences:
        if wanted <= {own.a, own.b}:
            return own, 1.0 if own.a == new else -1.0
    raise _unknown("new", new, names)


def _of_two(differences: tuple[Difference, ...], pair: Any) -> tuple[Difference, float]:
    names = _names(differences)
    if pair is None:
        if len(differences) == 1:
            return differences[0], 1.0
        pair = ()
    several = [] if isinstance(pair, str) or not isinstance(pair, Iterable) else [*map(_as_name, pair)]
    if len(several) != 2 or several[0] == several[1]:
        raise fail("RS097.two", names=names, example=names[:2])
    first, second = several
    for value in (first, second):
        if value not in names:
            raise _unknown("modalities", value, names, names[:2])
    for own in differences:
        if {own.a, own.b} == {first, second}:
            return own, 1.0 if own.a == first else -1.0
    raise _unknown("modalities", pair, names, (differences[0].a, differences[0].b))


def _as_name(given: Any) -> Any:
    """A number as the name that it is."""
    is_number = isinstance(given, int | float | np.number) and not isinstance(given, bool)
    return str(given) if is_number else given


def _names(differences: tuple[Difference, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for own in differences for name in (own.a, own.b)))


def _unknown(name: str, value: object, names: tuple[str, ...], example: object = None) -> RocsteadyError:
    ways = [Option(name, names[-1] if example is None else example)]
    return fail("RS097.unknown", name=name, value=value, names=names, ways=ways)


def margin_of(given: float) -> float:
    """RS097 for what is no margin."""
    margin = one_number("margin", given, 0.05)
    if not 0 < margin < 1:
        meant = abs(margin) / (100 if abs(margin) >= 1 else 1)
        raise fail("RS097.range", given=given, meant=float(f"{meant:.6g}") if 0 < meant < 1 else 0.05)
    return margin


def _alpha(given: float) -> float:
    alpha = one_number("alpha", given, DEFAULT_ALPHA)
    if not 0 < alpha < 0.5:
        where = "above 0 and below 0.5, the level of a one-sided test"
        raise fail("RS042", name="alpha", where=where, found=given, ways=[Option("alpha", DEFAULT_ALPHA)])
    return alpha


def _standard_error(of: Difference) -> float:
    """RS097 if it is not known, RS224 if it is 0."""
    error = float(of.standard_error)
    if not math.isfinite(error) or math.isnan(of.df):
        raise fail("RS097.no-error", quantity=of.quantity, first=of.a, second=of.b, difference=of.difference)
    if error == 0:
        warn(
            "RS224.no-error",
            quantity=of.quantity,
            first=of.a,
            first_value=of.a_value,
            second=of.b,
            second_value=of.b_value,
        )
    return error


def _over_error(room: float, error: float) -> float:
    """The statistic; NaN where nothing varies, which is no evidence."""
    return room / error if error else math.nan


def _reach(of: Difference, error: float, level: float) -> float:
    """How far a one-sided limit of this level lies from the estimate; NaN where nothing varies."""
    return math.nan if error == 0 else float(t_quantile(of.df, 2 * level - 1)) * error


def _which(of: Difference) -> str:
    return "normal" if math.isinf(of.df) else "t"
