"""Which groups thresholds can be tried in, and what chance alone would do there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.members import Members, members_of
from rocsteady.errors import Option, Remedy, RocsteadyError, fail, warn
from rocsteady.operating_points.cutoffs.criteria import TargetRate
from rocsteady.operating_points.realised.crossfit import Plan
from rocsteady.results import read_only
from rocsteady.scores.columns import Cases
from rocsteady.scores.score_set import ScoreSet
from rocsteady.words import counted

Floats = NDArray[np.float64]

_FEWEST_REPEATS = 10
_ENOUGH = 400
"""Groups times repeats: the luck of the split is then small beside what is printed."""
_MOST_CELLS = 2**24
"""Rows times repeats: a single group of very many rows is not dealt hundreds of times for nothing."""


@dataclass(frozen=True, eq=False)
class TriedGroups:
    """The groups that can be tried."""

    score_set: ScoreSet
    names: tuple[str, ...]
    chosen: NDArray[np.intp]
    undefined: tuple[str, ...]

    @classmethod
    def of(cls, given: object, undefined: str, split: str, n_parts: int) -> TriedGroups:
        """Those of what was handed over that have enough cases."""
        members = members_of(given, undefined=undefined, function="realise")
        score_set = members.score_set
        if score_set is None:
            raise fail("RS002.realise-curves", n=len(members))
        fewest = np.minimum(score_set.n_positives, score_set.n_negatives)[members.chosen]
        is_small = (fewest < n_parts) & (split == "rows")
        names = tuple(name for name, small in zip(members.names, is_small, strict=True) if not small)
        reasons = _reasons(members, is_small, n_parts)
        if len(names) < (n_parts if split == "groups" else 1):
            raise _nothing_left(members, split, n_parts, reasons)
        groups = cls(score_set, names, members.chosen[~is_small], members.undefined + reasons)
        groups._warn(reasons, n_parts)
        return groups

    def _warn(self, reasons: tuple[str, ...], n_parts: int) -> None:
        if reasons:
            warn("RS255.left-out", unit=self.score_set.unit, n=len(reasons), reasons=reasons, n_parts=n_parts)

    def shared_cases(self) -> NDArray[np.int64] | None:
        """The case of each row of the set, whatever the order of rows; None if no case is in two groups."""
        cases = self.score_set.cases
        if cases is None:
            return None
        pairs = self._cases_of_groups(cases)
        if np.bincount(pairs % len(cases)).max() == 1:
            return None
        by_name = sorted(
            range(len(cases)), key=lambda i: (str(cases.values[i]), type(cases.values[i]).__name__)
        )
        place = np.empty(len(cases), dtype=np.int64)
        place[by_name] = np.arange(len(cases))
        return place[cases.codes]

    def _cases_of_groups(self, cases: Cases) -> NDArray[np.int64]:
        """Every case of every group that is tried, once."""
        pairs = np.concatenate(
            [
                group * np.int64(len(cases)) + cases.codes[start:stop]
                for group, (start, stop) in enumerate(self.offsets)
            ]
        )
        pairs.sort()  # mostly sorted already, and much faster than the hashes of np.unique
        return np.asarray(pairs[np.append(True, pairs[1:] != pairs[:-1])])

    def warn_if_repeated(self) -> None:
        """RS257 if rows are dealt one by one where a group has several of the same case."""
        cases = self.score_set.cases
        if cases is None:
            return
        again = sum(stop - start for start, stop in self.offsets) - self._cases_of_groups(cases).size
        if again:
            warn("RS257.several-rows", n=again)

    def warn_of_cases_apart(self, n_parts: int) -> None:
        """RS259 where cases that several groups share had to be dealt in every group by itself."""
        unit = self.score_set.unit
        fewest = int(np.minimum(self.n_positives, self.n_negatives).min())
        parts = [Option("n_parts", 2)] if n_parts > 2 else []
        warn("RS259.dealt-singly", unit=unit, n_parts=n_parts, fewest=fewest, ways=parts)

    def repeats(self, n_parts: int, split: str) -> int:
        """How often rows are dealt if nobody says: more often where there are few groups."""
        n_groups = len(self.names)
        if split == "groups" and n_parts == n_groups:
            return 1  # every deal holds out the same groups, one by one
        n_rows = sum(stop - start for start, stop in self.offsets)
        affordable = max(_FEWEST_REPEATS, _MOST_CELLS // n_rows)
        return min(max(_FEWEST_REPEATS, -(-_ENOUGH // n_groups)), affordable)

    @property
    def offsets(self) -> list[tuple[int, int]]:
        """First row and end of every group."""
        ends = self.score_set.columns.offsets
        return list(zip(ends[self.chosen].tolist(), ends[self.chosen + 1].tolist(), strict=True))

    @property
    def n_positives(self) -> NDArray[np.int64]:
        """Positive rows of every group."""
        return read_only(self.score_set.n_positives[self.chosen])

    @property
    def n_negatives(self) -> NDArray[np.int64]:
        """Negative rows of every group."""
        return read_only(self.score_set.n_negatives[self.chosen])

    def _rows_to_set_on(self, criterion: TargetRate, n_parts: int) -> tuple[float, list[NDArray[np.int64]]]:
        """The target, and the two numbers of cases (one more or less) that a part leaves to meet it on."""
        target, n = (
            (criterion.fpr, self.n_negatives) if criterion.tpr is None else (criterion.tpr, self.n_positives)
        )
        return float(target or 0.0), [n - n // n_parts, n + (-n // n_parts)]

    def warn_if_coarse(self, plan: Plan) -> None:
        """RS256 if some groups can keep the target only by an empty or a full count."""
        criterion = plan.criterion
        if not isinstance(criterion, TargetRate) or self.score_set.columns.weights is not None:
            return
        target, sizes = self._rows_to_set_on(criterion, plan.n_parts)
        fewest = np.minimum(*sizes)
        kind, kept = "negative", "no false alarm at all"
        is_coarse = (1 / fewest > target) & (target > 0)
        if criterion.tpr is not None:
            kind, kept = "positive", "no positive missed"
            is_coarse = ((fewest - 1) / fewest < target) & (target < 1)
        if is_coarse.any():
            unit, n = self.score_set.unit, int(is_coarse.sum())
            names = [name for name, coarse in zip(self.names, is_coarse, strict=True) if coarse]
            warn(
                "RS256.coarse",
                aim=criterion.aim,
                unit=unit,
                n=n,
                kept=kept,
                kind=kind,
                fewest=int(fewest[is_coarse].min()),
                names=names,
            )

    def exchangeable_rate(self, plan: Plan, *, all_rows: bool) -> float:
        """What FPR or TPR chance alone lets new rows have, on average over groups; NaN without a target."""
        criterion = plan.criterion
        if not isinstance(criterion, TargetRate) or self.score_set.columns.weights is not None:
            return float("nan")
        n = self.n_negatives if criterion.tpr is None else self.n_positives
        _, sizes = self._rows_to_set_on(criterion, plan.n_parts)
        if all_rows:
            rates = expected_rate(criterion, n)
        else:  # n % n_parts parts are one row larger, and leave one row less
            rest = n % plan.n_parts
            larger, smaller = (expected_rate(criterion, size) for size in sizes)
            rates = (rest * smaller + (plan.n_parts - rest) * larger) / plan.n_parts
        weights = n / n.sum() if plan.weigh == "rows" else np.full(n.size, 1 / n.size)
        return float(weights @ rates)


def _reasons(members: Members, is_small: NDArray[np.bool_], n_parts: int) -> tuple[str, ...]:
    assert members.score_set is not None
    by_class = (("positive", members.score_set.n_positives), ("negative", members.score_set.n_negatives))
    reasons = []
    for i in np.flatnonzero(is_small):
        few = [
            counted(int(n[members.chosen[i]]), word) for word, n in by_class if n[members.chosen[i]] < n_parts
        ]
        reasons.append(f"{members.names[i]}: {' and '.join(few)}, too few to split")
    return tuple(reasons)


def _nothing_left(members: Members, split: str, n_parts: int, reasons: tuple[str, ...]) -> RocsteadyError:
    n, unit = len(members), members.unit
    if split == "groups":
        return fail("RS079.few-groups", n=n, unit=unit, n_parts=n_parts, names=members.names)
    ways: list[Remedy] = [*([Option("n_parts", 2)] if n_parts > 2 else []), "give more rows"]
    if n > 1:
        both = (Option("threshold", "shared"), ", ", Option("split", "groups"))
        ways.append(["hold out whole groups:  ", *both])
    return fail("RS079.small-groups", unit=unit, n_parts=n_parts, reasons=reasons, ways=ways)


def expected_rate(criterion: TargetRate, n: NDArray[np.int64]) -> Floats:
    """The most FPR (the least TPR) of new rows, on average, of a threshold that keeps the target on n cases.

    Examples
    --------
    >>> import numpy as np
    >>> expected_rate(TargetRate(fpr=0.01), np.array([100, 200])).round(4).tolist()
    [0.0198, 0.0149]
    >>> expected_rate(TargetRate(tpr=0.9), np.array([100])).round(4).tolist()
    [0.8911]
    """
    # A count is compared as the rate it is rounded to, as thresholds are.
    if criterion.fpr is not None:
        k = np.floor(n * criterion.fpr)
        k += (k + 1) / n <= criterion.fpr
        k -= k / n > criterion.fpr
        return np.asarray(np.minimum((k + 1) / (n + 1), 1.0))
    least = criterion.tpr or 0.0
    k = np.ceil(n * least)
    k -= (k - 1) / n >= least
    k += k / n < least
    return np.asarray(np.maximum(k, 0) / (n + 1))
