"""Warnings about very many groups, told once for all of them."""

from __future__ import annotations

from collections.abc import Sequence

from rocsteady.errors import caution
from rocsteady.report.data import FEW_CASES, Finding
from rocsteady.report.summary.vocabulary import Wording
from rocsteady.scores.score_set import ScoreSet

MANY_GROUPS = 300
"""From so many on, not every curve is drawn."""


def told_once(findings: Sequence[Finding], score_set: ScoreSet, wording: Wording) -> list[Finding]:
    """RS205 in place of RS203, where there are so many groups that nobody looks at them one by one."""
    coarse = [own for own in findings if own.warning.code == "RS203"]
    n_groups = len(score_set.groups)
    if not coarse or n_groups <= MANY_GROUPS:
        return list(findings)
    groups = {name for own in coarse for name in own.groups}
    classes = ((score_set.n_positives, wording.positives), (score_set.n_negatives, wording.negatives))
    has_curve = score_set.has_curve
    few = [
        (len({int(i) for i in score_set.group_index[has_curve & (cases < FEW_CASES)]}), name)
        for cases, name in classes
    ]
    (n, cases), (n_others, other_cases) = [*(own for own in few if own[0]), (None, "")][:2]
    warning = caution(
        "RS205.coarse",
        n_groups=n_groups,
        units=wording.units,
        few=FEW_CASES,
        n=n,
        cases=cases,
        n_others=n_others,
        other_cases=other_cases,
        most=MANY_GROUPS,
    )
    at = findings.index(coarse[0])
    rest = [own for own in findings if own not in coarse]
    return [
        *rest[:at],
        Finding(warning, tuple(name for name in score_set.groups if name in groups)),
        *rest[at:],
    ]
