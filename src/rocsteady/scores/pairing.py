"""Cases: the same ones line up in every model and group; each has one truth and belongs to one cluster."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import DataError, LabelError, counted, warn
from rocsteady.scores.arrays import Mask, Source
from rocsteady.scores.grouping import Factor, gathering_order, shown
from rocsteady.scores.records import Clusters
from rocsteady.scores.score_set import ScoreSet
from rocsteady.words import grouped, printable

Integers = NDArray[np.int64]


def paired_order(members: Integers, n_members: int, cases: Integers, n_cases: int) -> Integers | None:
    """The stable order that brings members together and, in each, the cases into the order of their codes.

    None if the rows are in that order already. Codes come in order of appearance, so they are unless the
    table was shuffled or sorted by something else.
    """
    gathered = gathering_order(members, n_members)
    m, c = (members, cases) if gathered is None else (members[gathered], cases[gathered])
    if not np.any((c[1:] < c[:-1]) & (m[1:] == m[:-1])):
        return gathered
    by_case = gathering_order(cases, n_cases)
    if by_case is None:
        return gathered
    by_member = gathering_order(members[by_case], n_members)
    return by_case if by_member is None else by_case[by_member]


def require_one_truth(cases: Factor, is_positive: Mask, rows: Integers | None, source: Source) -> None:
    """RS026 if a case is positive in one row and negative in another.

    Parameters
    ----------
    cases : Factor
        The case of each row of the table.
    is_positive : bool array
        The class of each row that is left.
    rows : int64 array or None
        Which rows of the table these are; None for all.
    """
    codes = cases.codes if rows is None else cases.codes[rows]
    seen = np.zeros((2, len(cases.values)), dtype=np.bool_)
    seen[0, codes[~is_positive]] = True
    seen[1, codes[is_positive]] = True
    torn = np.flatnonzero(seen.all(axis=0))
    if torn.size == 0:
        return
    own = np.flatnonzero(codes == torn[0])
    first = [own[is_positive[own] == side][0] for side in (True, False)]
    positive, negative = (source.row(int(i if rows is None else rows[i])) for i in first)
    others = f"; {counted(torn.size - 1, 'other case')} as well" if torn.size > 1 else ""
    raise LabelError(
        "RS026",
        f'the case "{shown(cases.values[torn[0]])}" is positive in one row and negative in another'
        f"{source.place}.",
        f"positive at {positive}, negative at {negative}{others}",
        "a case has one truth, whoever looks at it: mend its labels",
        "if the numbers of cases start again in every group, join group and case into one column",
        "if rows of one patient have truths of their own, patients are clusters, not cases:  "
        "bootstrap(..., clusters=patients)",
    )


def require_one_cluster(
    cases: Factor, clusters: Factor | None, rows: Integers | None, source: Source
) -> None:
    """RS050 if a case belongs to one patient in one row and to another in the next.

    Parameters
    ----------
    cases, clusters : Factor
        The case and the patient of each row of the table; without patients there is nothing to look at.
    rows : int64 array or None
        The rows that are left; None for all.
    """
    if clusters is None:
        return
    codes, owners = (f.codes if rows is None else f.codes[rows] for f in (cases, clusters))
    owner = np.empty(len(cases.values), dtype=np.int64)
    owner[codes] = owners
    torn = np.unique(codes[owner[codes] != owners])
    if torn.size == 0:
        return
    own = np.flatnonzero(codes == torn[0])
    second = own[np.flatnonzero(owners[own] != owners[own[0]])[0]]
    found = " and ".join(
        f'"{shown(clusters.values[owners[i]])}" at {source.row(int(i if rows is None else rows[i]))}'
        for i in (own[0], second)
    )
    others = f"; {counted(torn.size - 1, 'other case')} as well" if torn.size > 1 else ""
    raise DataError(
        "RS050",
        f'the case "{shown(cases.values[torn[0]])}" belongs to two clusters{source.place}.',
        f"{source.column('cluster')}: {found}{others}",
        "a case comes from one patient, whoever looks at it: mend the column",
        "if the numbers of cases start again in every patient, join patient and case into one column",
        "if a patient has several rows, all about one case, the patient is the case: leave the cluster out",
    )


def warn_of_several_rows(score_set: ScoreSet, stacklevel: int = 4) -> None:
    """RS104 if cases have several rows in one group: most formulas take rows as independent."""
    cases = score_set.cases
    if cases is None:
        return
    several = cases.with_several_rows(score_set.columns.offsets)
    if several.size == 0:
        return
    n_cases = np.unique(cases.codes).size
    of_models = f" ({counted(len(score_set.models), 'model')})" if len(score_set.models) > 1 else ""
    warn(
        "RS104",
        f"{grouped(several.size)} of {counted(n_cases, 'case')} {'has' if several.size == 1 else 'have'} "
        f"several rows in one {printable(score_set.unit)}; plan, venkatraman_test, and compare over the "
        "cases of several groups take rows as independent.",
        f"found: {counted(score_set.columns.n_rows, 'row')}{of_models} of {counted(n_cases, 'case')}",
        "draw whole cases:  bootstrap(scores, random='clusters'),  bootstrap_test(scores_a, scores_b)",
        "or keep one row for each case",
        stacklevel=stacklevel,
    )


def warn_of_clusters(score_set: ScoreSet, what: str, stacklevel: int = 4) -> None:
    """RS104 if patients have several rows in one group, for a method that takes rows as independent."""
    told = told_of_clusters(score_set.clusters, score_set.columns.offsets, what, score_set.unit)
    if told is not None:
        warn("RS104", *told, stacklevel=stacklevel)


def told_of_clusters(
    clusters: Clusters | None, offsets: Integers, what: str, unit: str = "group"
) -> tuple[str, ...] | None:
    """What RS104 says of patients with several rows in one group; None if there are none.

    Parameters
    ----------
    clusters : Clusters or None
        Of all rows.
    offsets : int64 array
        Group ``g`` owns the rows ``offsets[g]:offsets[g + 1]``.
    what : str
        The method that takes rows as independent, at the beginning of a sentence: ``"DeLong's formula"``.
    unit : str
        The word for a group.
    """
    several = 0 if clusters is None else clusters.with_several_rows(offsets).size
    if clusters is None or several == 0:
        return None
    patient, n_clusters = printable(clusters.unit), clusters.n_present
    return (
        f"{what} takes rows as independent, but {grouped(several)} of {counted(n_clusters, patient)} "
        f"{'has' if several == 1 else 'have'} several rows in one {printable(unit)}.",
        f"found: {counted(clusters.codes.size, 'row')} of {counted(n_clusters, patient)}",
        "draw whole clusters:  bootstrap(scores, random='clusters'),  bootstrap_test(scores_a, scores_b)",
        "readers who rate the same cases:  compare_readers(score_set)  counts them right",
    )


def warn_of_leakage(factors: Mapping[str, Factor], repeat: Factor | None, stacklevel: int) -> None:
    """RS109 if a patient is in several folds of one repeat: models were tested on patients they had seen."""
    groups, clusters = factors.get("group"), factors.get("cluster")
    if groups is None or clusters is None:
        return
    times = np.zeros_like(groups.codes) if repeat is None else repeat.codes
    n_repeats = 1 if repeat is None else max(len(repeat.values), 1)
    owners = clusters.codes * np.int64(n_repeats) + times
    is_known = (clusters.codes >= 0) & (groups.codes >= 0) & (times >= 0)
    pairs = np.unique(owners[is_known] * np.int64(max(len(groups.values), 1)) + groups.codes[is_known])
    _, n_folds = np.unique(pairs // max(len(groups.values), 1), return_counts=True)
    torn = np.unique((pairs // max(len(groups.values), 1))[np.repeat(n_folds > 1, n_folds)] // n_repeats)
    if torn.size:
        example = printable(shown(clusters.values[int(torn[0])]))
        warn(
            "RS109",
            "patients are in several folds of one repeat: models were tested on patients they had seen.",
            f"found: {grouped(torn.size)} of {counted(len(clusters.values), 'cluster')}, such as {example}",
            "make folds of whole patients:  GroupKFold, StratifiedGroupKFold of scikit-learn",
            stacklevel=stacklevel,
        )
