"""How many readers and cases a study needs, from the variance components of a pilot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rocsteady.errors import Option, fail, warn
from rocsteady.inference.readers.asked import what_is_random
from rocsteady.inference.readers.margins.testing import margin_of
from rocsteady.inference.readers.planning import wording
from rocsteady.inference.readers.planning.pilots import EXAMPLE, Pilot, pilot_of
from rocsteady.inference.readers.planning.power import (
    Question,
    cases_needed,
    detectable,
    readers_at_least,
    readers_needed,
)
from rocsteady.inference.readers.planning.results import (
    ReaderPlan,
    ReaderPlanTable,
    require_one,
    whole_cases,
    whole_readers,
)
from rocsteady.inference.readers.wording import random_words
from rocsteady.options import one_number, one_of, open_share
from rocsteady.results import read_only
from rocsteady.scores.score_set import ScoreSet

__all__ = ["ReaderPlan", "ReaderPlanTable", "plan_readers"]

_TESTS = ("difference", "non-inferiority", "equivalence")
_ELSEWHERE = {"superiority": "difference", "noninferiority": "non-inferiority", "tost": "equivalence"}
_USUAL_READERS = tuple(range(3, 21))
_RANGE_LEVEL = 0.95


def plan_readers(
    pilot: Any,
    *,
    difference: float | None = None,
    margin: float | None = None,
    test: str | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    n_readers: int | Sequence[int] | None = None,
    n_cases: int | None = None,
    ratio: float | None = None,
    readers: str = "random",
    cases: str = "random",
    modalities: Any = None,
    measure: Any = "auc",
    covariance: str | None = None,
    missing: str = "raise",
    n_resamples: int = 2000,
    seed: int = 0,
    threads: int | None = None,
) -> ReaderPlan:
    """Plan how many readers and cases a study of two modalities needs.

    Every reader reads every case with both modalities, and the study is analysed as
    :func:`compare_readers` does. More cases reduce the luck of the cases; what modalities differ within
    readers only more readers reduce.

    Parameters
    ----------
    pilot : ReaderComparison, ScoreSet or dict
        A pilot that was compared, or its ratings; or the variance components of a published study:
        ``modality_reader``, ``var``, ``cov1``, ``cov2``, ``cov3``, ``n_cases`` and, if known, ``n_readers``
        (as Hillis, Obuchowski and Berbaum have them; ``VarTR``, ``KStar`` and the like are understood).
    difference : float, optional
        The true difference between the two modalities. The smallest that matters, not the one that is hoped
        for; the one seen in the pilot unless said. For a margin it is 0 unless said, and for non-inferiority
        it is that of the new modality less the reference: where less is better, as of false positive rates,
        a new modality is worse by a difference above 0.
    margin : float, optional
        Plan to show non-inferiority, or with ``test="equivalence"`` equivalence, within this margin.
    test : {"difference", "non-inferiority", "equivalence"}, optional
        What is to be shown; with a margin non-inferiority unless said.
    power, alpha : float
        The chance to show it; the level of the two-sided test. One-sided tests have half of it, so that the
        same interval decides.
    n_readers : int or sequence of int, optional
        Numbers of readers to plan for; 3 to 20 unless said.
    n_cases : int, optional
        A number of cases, to read how many readers it needs.
    ratio : float, optional
        Negatives for each positive in the planned study; that of the pilot unless said. Needs the ratings of
        a fully crossed pilot, and AUCs.
    readers, cases : {"random", "fixed"}
        What is random in the planned study.
    modalities, measure, covariance, missing, n_resamples, seed, threads
        How a pilot that is handed over as ratings is compared; see :func:`compare_readers`.

    Returns
    -------
    ReaderPlan

    Warns
    -----
    RS223
        If the pilot shows no difference of modalities within readers, so that a plan is too hopeful.

    Raises
    ------
    DataError, UsageError
        RS039 for a pilot that nothing can be planned from.

    Notes
    -----
    What is random: readers and cases, unless said. The power is that of the F test of Obuchowski and Rockette
    with the degrees of freedom of Hillis, a noncentral F (Hillis, Obuchowski & Berbaum 2011); for fixed
    readers a noncentral chi-square. Variance components that came out negative count as 0, and are named in
    the notes.

    More cases are not always better. With few readers the degrees of freedom fall with the luck of the cases,
    and the power may reach its most at some number of cases; ``most_power`` in the table is that most.

    How sure. In simulations (``simulations/reader_planner.py``; the model of Roe and Metz, 2,000 replicates)
    the power promised from known components was met within 0.025 with 5 and 10 readers, within 0.04 for
    margins, within 0.03 for another ratio of the classes; 3 readers with 400 cases found a difference up to
    0.08 more often than promised. A plan is as rough as its pilot: from pilots of 5 readers and 100 cases the
    median promise was 0.00 to 0.07 above the truth, and the middle 80 % of promises ran from 0.27 to 0.88
    where it was 0.47. ``power_range`` takes the variance within readers at its 95 % limits and the luck of
    the cases as known; it held the truth in 91 % to 93 % where readers differ much, in 68 % to 84 % where
    they differ little.

    Examples
    --------
    The study of Van Dyke et al., 5 readers and 114 cases:

    >>> import rocsteady as rs
    >>> published = {"modality_reader": 0.00020040, "var": 0.00080229, "cov1": 0.00034661,
    ...              "cov2": 0.00034407, "cov3": 0.00023903, "n_cases": 114, "n_readers": 5}
    >>> plan = rs.plan_readers(published, difference=0.05, n_readers=6)
    >>> plan
    ReaderPlan(the mean over readers, difference 0.05: for power 0.8, 6 readers need 170 cases)
    >>> plan.readers_for(114), round(plan.power_at(10, 165), 3)
    (11.0, 0.896)
    """
    sizes = _sizes(n_readers, readers, cases)
    number_of_cases = None if n_cases is None else whole_cases(n_cases)
    wanted, level = open_share("power", power), open_share("alpha", alpha)
    per_positive = None if ratio is None else _ratio(ratio)
    test, width = _test_of(test, margin)
    if difference is not None:
        difference = one_number("difference", difference, 0.05)
    options = {
        "readers": readers, "cases": cases, "modalities": modalities, "measure": measure, "missing": missing,
        "covariance": covariance, "n_resamples": n_resamples, "seed": seed, "threads": threads,
    }  # fmt: skip
    own = None if isinstance(measure, str) and measure == "auc" else measure
    _refuse_ignored(pilot, {"measure": own, "covariance": covariance, "modalities": modalities})
    found = pilot_of(pilot, readers=readers, ratio=per_positive, options=options)
    if found.is_single:
        sizes = [1] if sizes is None else sizes
        require_one(sizes, found)
    true = _true_difference(test, difference, width, found)
    question = Question(test, true, width, level, readers, cases, found.lower_is_better)
    _require_noise(question, found)
    _warn_of_nothing(found, readers)
    is_seen = test == "difference" and difference is None
    return _made(found, question, wanted, (sizes, number_of_cases), is_seen)


def _sizes(given: Any, readers: str, cases: str) -> list[int] | None:
    """Numbers of readers asked for; RS002 if nothing at all is random."""
    what_is_random(readers, cases)
    if given is None:
        return None
    least = 1 if readers == "fixed" else 2
    several = (
        list(given)
        if isinstance(given, Sequence | np.ndarray) and not isinstance(given, str | bytes)
        else [given]
    )
    if not several:
        raise fail("RS042", name="n_readers", where="numbers", found=given, ways=[Option("n_readers", 6)])
    return [whole_readers(n, least) for n in several]


def _test_of(test: str | None, margin: float | None) -> tuple[str, float]:
    """Which test and its margin; RS002 if one is without the other."""
    if test is not None:
        one_of("test", test, _TESTS, elsewhere=_ELSEWHERE)
    if margin is None:
        if test in (None, "difference"):
            return "difference", math.nan
        raise fail("RS002.margin", test=test)
    if test == "difference":
        other, ways = "a test for a difference", ["leave out  margin"]
        raise fail("RS002.together", name="margin", other=other, value=margin, ways=ways)
    return test or "non-inferiority", margin_of(margin)


def _true_difference(test: str, given: float | None, margin: float, pilot: Pilot) -> float:
    """The difference to plan for; RS039 for one that no study could show."""
    if test != "difference":
        number = 0.0 if given is None else given
        gain = -number if pilot.lower_is_better else number
        is_within = gain > -margin if test == "non-inferiority" else abs(number) < margin
        if not (is_within and abs(number) < 1):
            raise fail("RS039.margin-met", test=test, number=number, margin=margin)
        return number
    number = abs(pilot.difference if given is None else given)
    if not 0 < number < 1:
        meant = number / 100 if 1 <= number < 100 else 0.05
        is_pilot = given is None and pilot.difference == 0
        raise fail("RS039.difference", is_pilot=is_pilot, found=given, meant=meant)
    return number


def _ratio(given: float) -> float:
    ratio = one_number("ratio", given, 1.0)
    if not 0.001 <= ratio <= 1000:
        where = "negatives for each positive, between 0.001 and 1000"
        raise fail("RS042", name="ratio", where=where, found=given, ways=[Option("ratio", 2.0)])
    return ratio


def _require_noise(question: Question, pilot: Pilot) -> None:
    """RS039 if the pilot's modalities do not differ at all, from case to case or from reader to reader."""
    parts = pilot.parts
    variance, _ = question.error_and_df(parts, 2, parts.n_cases)
    if float(variance) <= 1e-12 * parts.var:
        raise fail("RS039.no-spread", example=EXAMPLE)


def _refuse_ignored(pilot: Any, given: dict[str, Any]) -> None:
    """RS002 for options that only ratings need."""
    typed = [name for name, value in given.items() if value is not None]
    if typed and not isinstance(pilot, ScoreSet):
        name, other = typed[0], "a pilot that was measured already"
        ways = [f"leave out  {name}"]
        raise fail("RS002.together", name=name, other=other, value=given[name], ways=ways)


def _warn_of_nothing(pilot: Pilot, readers: str) -> None:
    """RS223 if the pilot shows no variance of modalities within readers."""
    if readers == "random" and pilot.parts.modality_reader <= 0:
        warn("RS223.none", unit=pilot.unit, variance=pilot.parts.modality_reader, n=pilot.n_readers)


def _made(
    pilot: Pilot,
    question: Question,
    wanted: float,
    asked: tuple[list[int] | None, float | None],
    is_seen: bool,
) -> ReaderPlan:
    """The numbers of the plan: of the design asked about, else of the pilot's."""
    parts, (sizes, n_cases) = pilot.parts, asked
    focus = pilot.n_readers if sizes is None else sizes[0] if len(sizes) == 1 else None
    at = float(max(round(parts.n_cases), 4)) if n_cases is None else n_cases
    span = None if focus is None else power_range(question, pilot, focus, at)
    own = dict.fromkeys(("power", "detectable", "cases_needed"), math.nan)
    if focus is not None:
        own["power"] = float(question.power(parts, focus, at))
        own["detectable"] = detectable(question, parts, focus, at, wanted)
        own["cases_needed"] = float(cases_needed(question, parts, focus, wanted)[0][0])
    return ReaderPlan(
        quantity=pilot.quantity,
        test=question.test,
        difference=question.difference,
        is_seen_difference=is_seen,
        margin=question.margin,
        power_wanted=wanted,
        alpha=question.alpha,
        readers_are=question.readers_are,
        cases_are=question.cases_are,
        n_readers=focus,
        n_cases=at,
        ratio=parts.ratio,
        power_range=span,
        **own,
        readers_needed=math.nan if pilot.is_single else readers_needed(question, parts, at, wanted),
        readers_at_least=math.nan if pilot.is_single else readers_at_least(question, parts, wanted),
        components=parts,
        set_to_zero=parts.set_to_zero,
        table=_table(question, pilot, wanted, sizes, n_cases),
        random=random_words(
            pilot.unit,
            question.readers_are,
            question.cases_are,
            focus or 2,
            patients=not math.isnan(pilot.cases_per_patient),
        ),
        notes=tuple(wording.notes_of(is_seen, pilot, span, question.cases_are)),
        _pilot=pilot,
    )


def power_range(
    question: Question, pilot: Pilot, n_readers: int, n_cases: float
) -> tuple[float, float] | None:
    """The power at the limits of MS(TR), by chi-square; None where it is not known or does not matter."""
    from scipy.special import chdtri

    parts = pilot.parts
    if question.readers_are == "fixed" or pilot.df < 1:
        return None
    noise = parts.var - parts.cov1 - parts.case_gain
    seen = max(parts.modality_reader + noise, 0.0)
    tail = (1 - _RANGE_LEVEL) / 2
    limits = [pilot.df * seen / float(chdtri(pilot.df, upper)) - noise for upper in (tail, 1 - tail)]
    chances = [
        float(question.power(replace(parts, modality_reader=limit), n_readers, n_cases)) for limit in limits
    ]
    return min(chances), max(chances)


def _table(
    question: Question, pilot: Pilot, wanted: float, sizes: list[int] | None, n_cases: float | None
) -> ReaderPlanTable:
    """What each number of readers needs, or what each gets from a number of cases."""
    parts = pilot.parts
    usual = sorted({*_USUAL_READERS, *([] if pilot.n_readers is None else [pilot.n_readers])})
    usual = [n for n in usual if n > 1 or question.readers_are == "fixed"]
    readers = np.array(usual if sizes is None else sorted(set(sizes)), dtype=np.int64)
    needed, most = cases_needed(question, parts, readers, wanted)
    if n_cases is not None:
        needed = np.full(readers.shape, n_cases)
    classes = np.full((2, readers.size), math.nan)
    if not math.isnan(parts.ratio):
        is_finite = np.isfinite(needed)
        classes[:] = np.where(is_finite, classes, np.inf)
        own = [wording.of_each_class(n, parts.ratio) for n in needed[is_finite]]
        classes[:, is_finite] = np.array(own, dtype=np.float64).reshape(-1, 2).T
    return ReaderPlanTable(
        n_readers=read_only(readers),
        n_cases=read_only(needed),
        n_positives=read_only(classes[0].copy()),
        n_negatives=read_only(classes[1].copy()),
        power=read_only(question.power(parts, readers, needed)),
        most_power=read_only(most),
        unit=pilot.unit,
    )
