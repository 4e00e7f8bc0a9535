"""Warnings about very many groups, told once for all of them."""

from __future__ import annotations

from collections.abc import Sequence

from rocsteady.errors import RocsteadyWarning
from rocsteady.report.data import FEW_CASES, Finding
from rocsteady.report.summary.vocabulary import Wording
from rocsteady.scores.score_set import ScoreSet
from rocsteady.words import grouped

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
    has_curve = (score_set.n_positives > 0) & (score_set.n_negatives > 0)
    few = [
        (len({int(i) for i in score_set.group_index[has_curve & (cases < FEW_CASES)]}), name)
        for cases, name in classes
    ]
    told = " and ".join(f"{grouped(n)} have fewer than {FEW_CASES} {name}" for n, name in few if n)
    warning = RocsteadyWarning(
        "RS205",
        f"of {grouped(n_groups)} {wording.units} {told}.",
        f"curves that coarse are noise one by one, but their averages are fine; at most {MANY_GROUPS} single "
        f"curves are drawn, and all {wording.units} are averaged",
    )
    at = findings.index(coarse[0])
    others = [own for own in findings if own not in coarse]
    return [
        *others[:at],
        Finding(warning, tuple(name for name in score_set.groups if name in groups)),
        *others[at:],
    ]
