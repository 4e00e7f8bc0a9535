"""How the rows came about. What is random follows from it, and so does every interval.

Independent groups (hospitals, hosts, customers) are a random sample of groups. Folds of a cross-validation
are not: every case is tested once in each repeat, and training sets of any two folds overlap, so that a mean
over folds varies by s**2 (1/M + rho) and not by s**2 / M (Nadeau & Bengio 2003; Bouckaert & Frank 2004).
rho is the number of test cases over that of training cases: 1 / (k - 1) for k folds within a repeat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from rocsteady.arrays import Integers
from rocsteady.errors import fail, warn
from rocsteady.options import one_of, whole_number
from rocsteady.words import counted, printable

KINDS = ("independent", "cross-validation", "hold-out", "readers")
_ASKING = frozenset(("fold", "split", "cv", "repeat"))
_MOST_STEPS = 10_000
_MOST_MARKS = 50_000_000


class Random(StrEnum):
    """What would be another if the study were made again, so that an interval speaks about all of them."""

    GROUPS = "groups"
    CASES = "cases"
    CLUSTERS = "clusters"
    SPLITS = "splits"  # cases to train on and to test on


@dataclass(frozen=True)
class Design:
    """How the rows of a set came about.

    Attributes
    ----------
    kind : {"independent", "cross-validation", "hold-out", "readers"}
        Groups that are a random sample of groups; folds of one cross-validation; random splits into training
        and test cases, made anew each time; readers who all read the same cases.
    folds, repeats : int
        k and r of a cross-validation; 0 and 1 of everything else.
    test_train_ratio : float
        Test cases over training cases: what is added to 1 / M in the variance of a mean over M groups. 0
        where nothing was trained on what other groups test.
    assumed : bool
        Whether nobody said so: groups are taken as a random sample unless something is known.

    Examples
    --------
    >>> Design.cross_validation(10, repeats=5)
    Design(cross-validation, 10 folds, 5 repeats, test_train_ratio 0.1111)
    >>> Design("independent")
    Design(independent)
    """

    kind: str
    folds: int = 0
    repeats: int = 1
    test_train_ratio: float = 0.0
    assumed: bool = False

    def __post_init__(self) -> None:
        one_of("design", self.kind, KINDS)
        if self.shares_training and not 0 < self.test_train_ratio < np.inf:
            call = {"hold-out": "hold_out(0.25)"}.get(self.kind, "cross_validation(10, repeats=5)")
            raise fail("RS042.design", kind=self.kind, value=self.test_train_ratio, call=call)

    @classmethod
    def cross_validation(cls, folds: int, *, repeats: int = 1) -> Design:
        """Of k folds, and r repeats of them."""
        folds = whole_number("folds", folds, least=2, example=10)
        repeats = whole_number("repeats", repeats, least=1, example=5)
        return cls("cross-validation", folds, repeats, 1 / (folds - 1))

    @classmethod
    def hold_out(cls, test_train_ratio: float) -> Design:
        """Of random splits with so many test cases for each training case."""
        return cls("hold-out", test_train_ratio=float(test_train_ratio))

    @property
    def shares_training(self) -> bool:
        """Whether models of different groups were trained on some of the same cases."""
        return self.kind in ("cross-validation", "hold-out")

    def __repr__(self) -> str:
        parts = [self.kind]
        if self.kind == "cross-validation":
            parts += [counted(self.folds, "fold"), counted(self.repeats, "repeat")]
        if self.shares_training:
            parts.append(f"test_train_ratio {self.test_train_ratio:.4g}")
        return f"Design({', '.join(parts)}{', assumed' if self.assumed else ''})"

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values."""
        return asdict(self)


ASSUMED = Design("independent", assumed=True)


def declared(design: object, *, n_groups: int, repeats: int = 1) -> Design | None:
    """The design that a caller named; of a cross-validation all groups are folds (RS067). None for none."""
    if design is None or isinstance(design, Design):
        return design
    kind = one_of("design", design, KINDS)
    if kind != "cross-validation":
        return Design(kind)
    repeats = whole_number("repeats", repeats, least=1, example=5)
    if n_groups % repeats or n_groups // repeats < 2:
        raise fail("RS067", n_groups=n_groups, repeats=repeats)
    return Design.cross_validation(n_groups // repeats, repeats=repeats)


def of_test_cases(tests: Sequence[Integers], n_train: Sequence[int]) -> Design:
    """The design of splits whose test and training cases are known."""
    groups = np.repeat(np.arange(len(tests)), [own.size for own in tests])
    sizes = np.array([own.size for own in tests])
    n_cases = np.unique(np.concatenate(tests)).size
    repeats = n_covers(np.concatenate(tests), groups, len(tests))
    # Of splits in time, say, the first cases are never tested, and training sets grow.
    if repeats and len(tests) // repeats >= 2 and bool((sizes + np.asarray(n_train) == n_cases).all()):
        return Design.cross_validation(len(tests) // repeats, repeats=repeats)
    return Design.hold_out(float(np.mean(sizes)) / max(float(np.mean(n_train)), 1.0))


def of_cases(codes: Integers, groups: Integers, n_groups: int) -> Design:
    """What the cases of the groups tell for certain: two or more exact covers of them are repeats."""
    repeats = n_covers(codes, groups, n_groups)
    if repeats >= 2 and n_groups // repeats >= 2:
        return Design.cross_validation(n_groups // repeats, repeats=repeats)
    return ASSUMED


def n_covers(codes: Integers, groups: Integers, n_groups: int) -> int:
    """Into how many sets of equally many groups they fall, each with every case exactly once; 0 for none."""
    values, cases = np.unique(codes, return_inverse=True)
    pairs = np.unique(cases * np.int64(n_groups) + groups)
    times = np.bincount(pairs // n_groups, minlength=values.size)
    repeats = int(times[0]) if times.size else 0
    is_even = times.size > 0 and bool((times == repeats).all()) and n_groups % repeats == 0
    if not is_even or values.size * n_groups > _MOST_MARKS:
        return 0
    if repeats in (1, n_groups):  # a single cover; or everybody has seen everything
        return repeats
    has = np.zeros((n_groups, values.size), dtype=np.bool_)
    has[pairs % n_groups, pairs // n_groups] = True
    unused, steps = np.ones(n_groups, dtype=np.bool_), _MOST_STEPS
    while unused.any():
        found, steps = _cover(has, unused, n_groups // repeats, steps)
        if found is None:
            return 0
        unused[found] = False
    return repeats


def _cover(
    has: NDArray[np.bool_], unused: NDArray[np.bool_], size: int, steps: int
) -> tuple[list[int] | None, int]:
    """So many unused groups that have every case once, and how many steps are left."""
    apart = ~(has.astype(np.float32) @ has.T.astype(np.float32) > 0)
    waiting = [[int(np.flatnonzero(unused)[0])]]
    while waiting and steps > 0:
        steps -= 1
        path = waiting.pop()
        left = ~has[path].any(axis=0)
        if not left.any() and len(path) == size:
            return path, steps
        if not left.any() or len(path) == size:
            continue
        usable = unused & apart[path].all(axis=0)
        case = np.flatnonzero(left)[has[usable][:, left].sum(axis=0).argmin()]  # with the fewest groups
        waiting += [[*path, group] for group in np.flatnonzero(usable & has[:, case])[::-1].tolist()]
    return None, steps


_asked: WeakSet[Any] = WeakSet()


def ask_once(score_set: Any) -> None:
    """RS108, once for each set, where groups are called like folds and nobody said what they are."""
    is_open = score_set.design.assumed and len(score_set.groups) > 1
    if is_open and str(score_set.unit).strip().casefold() in _ASKING and score_set not in _asked:
        _asked.add(score_set)
        warn("RS108", n=len(score_set.groups), unit=printable(str(score_set.unit)))
