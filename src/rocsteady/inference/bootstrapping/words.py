"""What a bootstrap says: what was found, how sure it is, and what was taken as random."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocsteady.averaging.members import Members
from rocsteady.averaging.methods import Method
from rocsteady.curves.measures import Statistic
from rocsteady.statistics.intervals import Interval
from rocsteady.words import counted, grouped, plural


def random_cases(members: Members) -> str:
    """That cases are random, and whether groups are fixed."""
    if len(members) == 1:
        return "the cases, drawn within each class"
    groups = counted(len(members), members.unit)
    return (
        f"the cases, drawn within each class of each {members.unit}; the {groups} themselves are fixed, so "
        f"this is about them and no other {plural(members.unit)}"
    )


def random_groups(members: Members) -> str:
    """That groups are random, with all that is in them."""
    return (
        f"the {counted(len(members), members.unit)}, drawn whole, as a sample of all {plural(members.unit)}; "
        "their cases are not drawn again, because the spread between groups holds their noise already"
    )


def subject_of(statistic: Statistic, method: Method | None, members: Members) -> str:
    """What was read, off what."""
    if len(members) == 1:
        return f"The {statistic.label}"
    groups = counted(len(members), members.unit)
    if method is None:
        return f"The mean {statistic.label} over {groups}"
    return f"The {statistic.label} of the {method.label} average of {groups}"


def reading_of(subject: str, estimate: Any, interval: Interval, random: str, n_resamples: int) -> str:
    """The sentence, effect first."""
    how = f"{interval.method}, {grouped(n_resamples)} resamples"
    level = f"{100 * interval.confidence_level:g} %"
    if np.ndim(estimate):
        n = np.size(estimate)
        return (
            f"{subject}: {counted(n, 'value')} with {level} confidence intervals, each by itself ({how}). "
            f"What is random: {random}."
        )
    within = f"{level} CI {interval.low:.4f} to {interval.high:.4f}"
    if np.isnan(interval.low):
        within = f"no {level} CI"
    return f"{subject} is {estimate:.4f} ({within}; {how}). What is random: {random}."
