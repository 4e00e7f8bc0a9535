"""A plan that starts from an interval which is known already."""

from __future__ import annotations

import math
from dataclasses import replace

from rocsteady.inference.planning import designs
from rocsteady.inference.planning.designs import Components, Target
from rocsteady.inference.planning.results import Plan


def rescaled(made: Plan, half_width: float, n_groups: int | None = None) -> Plan:
    """The same plan, in which so many groups as there are have this half-width.

    The two parts of the variance keep their ratio; all that follows from them is computed anew. An interval
    by another way than the plan's (resampled, corrected for folds) is then where its designs start from.

    Parameters
    ----------
    made : Plan
    half_width : float
        Of the interval now, above 0.
    n_groups : int, optional
        How many groups it is of; those of the plan unless said.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = [([1, 1, 1, 0, 0, 0], [9, 8, 5, 6, 2, 1 + k]) for k in range(6)]
    >>> folds += [([1, 1, 1, 0, 0, 0], [9, 3, 2, 6, 4, 1 + k]) for k in range(6)]
    >>> sites = rs.ScoreSet.from_folds(folds, unit="site", design="independent")
    >>> found = rescaled(rs.plan(sites, half_width=0.1), 0.2)
    >>> round(found.half_width_at(), 6), round(found.half_width_at(48) / found.half_width_at(12), 3)
    (0.2, 0.457)
    """
    factor = (half_width / made.half_width_at(n_groups)) ** 2
    now = made._components
    parts = Components(factor * now.between, factor * now.within, factor * now.seen, now.df)
    limits = made.between_interval
    limits = replace(limits, low=factor * limits.low, high=factor * limits.high)
    n, level = made.n_groups, made.confidence_level
    gap = made.difference
    wanted = math.nan if gap is None else gap
    target = Target(made.half_width_wanted, wanted, made.power_wanted, level, made.assurance)
    found = replace(
        made,
        between=factor * made.between,
        within=parts.within,
        between_interval=limits,
        between_planned=factor * made.between_planned,
        half_width=math.sqrt(factor) * made.half_width,
        floor=math.sqrt(factor) * made.floor,
        power=None if gap is None else designs.power(gap, parts.variance(), n, level),
        detectable=None if made.detectable is None else math.sqrt(factor) * made.detectable,
        reading="",
    )
    return _with_needs(found, target, parts) if made.cases_needed is not None else found


def _with_needs(made: Plan, target: Target, parts: Components) -> Plan:
    """Groups and cases that reach the target then."""
    n, old = made.n_groups, made.cases_needed
    assert old is not None
    factor = target.times_cases(parts, n)
    sizes = {"positives": made.n_positives, "negatives": made.n_negatives}
    cases = {
        name: float(math.ceil(factor * size * (1 - 1e-12))) if math.isfinite(factor) else math.inf
        for name, size in sizes.items()
        if name in made.classes_that_matter
    }
    made = replace(made, cases_needed=replace(old, factor=factor, **(sizes | cases)))
    if made.plans_cases:
        return made
    ends = (made.between_interval.low, made.between_interval.high)
    needed = [target.groups(Components(between, parts.within), n) for between in ends]
    return replace(
        made,
        groups_needed=_whole(target.groups(parts, n)),
        groups_range=(_whole(needed[0]), _whole(needed[1])),
        groups_at_least=_whole(target.groups(parts, n, math.inf)),
    )


def _whole(number: float) -> float:
    return int(number) if math.isfinite(number) else number
