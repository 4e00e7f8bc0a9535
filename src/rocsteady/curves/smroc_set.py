"""``smroc_curves``: the smROC curve of every group of a set."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from rocsteady.arrays import Floats
from rocsteady.curves.curve_set import refuse_undefined
from rocsteady.curves.from_scores import require_score_set
from rocsteady.curves.smroc import (
    SmrocCurve,
    curve_of,
    refuse_undefined_areas,
    require_mid,
    smroc_rows,
    warn_of_mids,
)
from rocsteady.errors import Option
from rocsteady.options import one_of
from rocsteady.results import TableResult, read_only
from rocsteady.scores.columns import MemberError, unknown_name
from rocsteady.scores.labels import Classes
from rocsteady.scores.score_set import ScoreSet
from rocsteady.showing import Drawn
from rocsteady.words import counted, grouped, printable

_TABLE = ("model", "n_positives", "n_negatives", "mid", "auc", "chance_auc", "roc_auc")


@dataclass(frozen=True, eq=False, repr=False)
class SmrocCurves(Drawn, TableResult, Sequence[SmrocCurve], figure="smroc"):
    """The smROC curves of a set of groups.

    A sequence: ``len``, iteration, ``curves[0]`` and ``curves["fold 3"]`` give :class:`SmrocCurve`.

    Attributes
    ----------
    curves : tuple of SmrocCurve
        One per group that has a curve.
    undefined : tuple of str
        Groups without a curve, or without an area, and why.
    unit : str
        The word for a group.
    classes : Classes or None
        The words for the two classes.
    models, groups : tuple of str
        The model and the group of each curve; ``models`` is empty if none were named.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = [([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2]), ([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.1])]
    >>> curves = rs.smroc_curves(rs.ScoreSet.from_folds(folds), mid=0.5)
    >>> curves
    SmrocCurves(2 folds, mean smAUC 0.745, chance about 0.500)
    >>> curves.auc.round(3).tolist(), curves.mid.tolist()
    ([0.727, 0.763], [0.5, 0.5])
    """

    curves: tuple[SmrocCurve, ...]
    undefined: tuple[str, ...]
    unit: str
    classes: Classes | None
    models: tuple[str, ...]
    groups: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.curves)

    def __iter__(self) -> Iterator[SmrocCurve]:
        return iter(self.curves)

    @overload
    def __getitem__(self, key: int | str) -> SmrocCurve: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[SmrocCurve]: ...
    def __getitem__(self, key: int | str | slice) -> SmrocCurve | Sequence[SmrocCurve]:
        if isinstance(key, slice):
            return self.curves[key]
        if isinstance(key, str):
            if key not in self.names:
                raise unknown_name(key, self.names, "curve")
            return self.curves[self.names.index(key)]
        if not isinstance(key, int | np.integer) or not -len(self) <= key < len(self):
            raise MemberError(
                "RS001",
                f"there is no curve {key!r:.60}.",
                f"{counted(len(self), 'curve')}, by position or by name",
                f"count from 0 to {len(self) - 1}",
            )
        return self.curves[key]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """One per curve."""
        return tuple(curve.name or f"curve {i}" for i, curve in enumerate(self.curves, start=1))

    @cached_property
    def auc(self) -> Floats:
        """The smAUC of every curve."""
        return read_only(np.array([curve.auc for curve in self.curves]))

    @cached_property
    def mid(self) -> Floats:
        """Mid of every curve."""
        return read_only(np.array([curve.mid for curve in self.curves]))

    @cached_property
    def chance_auc(self) -> Floats:
        """About what labels dealt at random would give, for every curve."""
        return read_only(np.array([curve.chance_auc for curve in self.curves]))

    @cached_property
    def roc_auc(self) -> Floats:
        """The ordinary AUC of every group."""
        return read_only(np.array([curve.roc_auc for curve in self.curves]))

    @property
    def n_positives(self) -> NDArray[Any]:
        """Positives of every curve (their weight if weighted)."""
        return np.array([curve.n_positives for curve in self.curves])

    @property
    def n_negatives(self) -> NDArray[Any]:
        """Negatives of every curve (their weight if weighted)."""
        return np.array([curve.n_negatives for curve in self.curves])

    def to_dict(self) -> dict[str, Any]:
        """All curves as plain data that JSON can carry."""
        words = {"unit": self.unit, "models": list(self.models), "groups": list(self.groups)}
        words["undefined"] = list(self.undefined)
        return words | {"curves": [curve.to_dict() for curve in self.curves]}

    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {"model": list(self.models)} if len(set(self.models)) > 1 else {}
        columns[self.unit if self.unit not in _TABLE else "group"] = list(self.groups)
        return columns | {name: getattr(self, name) for name in _TABLE[1:]}

    def __repr__(self) -> str:
        left_out = f", {grouped(len(self.undefined))} without a curve" if self.undefined else ""
        unit = printable(self.unit) if len(set(self.models)) <= 1 else "curve"
        areas = f"mean smAUC {self.auc.mean():.3f}, chance about {self.chance_auc.mean():.3f}"
        return f"SmrocCurves({counted(len(self), unit)}{left_out}, {areas})"


def smroc_curves(
    score_set: ScoreSet,
    *,
    mid: str | float = "paper",
    rescale: str | None = None,
    undefined: str = "raise",
) -> SmrocCurves:
    """The smROC curve of every group of a set, each with its own Mid unless one is given.

    Parameters
    ----------
    score_set : ScoreSet
        What the classifiers said.
    mid, rescale
        As in :func:`rocsteady.smroc_curve`; min-max stretches the scores of each group by themselves.
    undefined : {"raise", "drop"}
        What to do about groups with one class, which have no curve, and about curves whose area is
        undefined: an error that names them, or leave them out and list them in ``.undefined``.

    Warns
    -----
    RocsteadyWarning
        RS260, once for the whole set, if Mid lies outside (0, 1] in some groups.
    """
    one_of("undefined", undefined, ("raise", "drop"))
    score_set = require_score_set(score_set, "smroc_curves")
    require_mid(mid)
    has_curve = (score_set.n_positives > 0) & (score_set.n_negatives > 0)
    if not has_curve.any() or (undefined == "raise" and not has_curve.all()):
        raise refuse_undefined(score_set)
    members = np.flatnonzero(has_curve)
    names = [score_set.names[i] for i in members]
    found = [
        curve_of(smroc_rows(score_set[int(i)], rescale, name), mid, name)
        for i, name in zip(members, names, strict=True)
    ]
    kept = [i for i, curve in enumerate(found) if not math.isnan(curve.auc)]
    nameless = tuple(f"{curve.name}: {_why(curve)}" for curve in found if math.isnan(curve.auc))
    if not kept or (undefined == "raise" and nameless):
        raise refuse_undefined_areas(nameless, len(found), score_set.unit, Option("mid", 0.5))
    _warn(found)
    return SmrocCurves(
        curves=tuple(found[i] for i in kept),
        undefined=score_set.undefined + nameless,
        unit=score_set.unit,
        classes=score_set.classes,
        models=_chosen(score_set.models, score_set.model_index, members[kept]),
        groups=_chosen(score_set.groups, score_set.group_index, members[kept]),
    )


def _chosen(names: tuple[str, ...], index: NDArray[np.int64], members: NDArray[np.intp]) -> tuple[str, ...]:
    """The name of each of these members; none if there are no names."""
    return tuple(names[i] for i in index[members]) if names else ()


def _why(curve: SmrocCurve) -> str:
    return "no credit" if curve.total_credit == 0 else "no debit"


def _warn(curves: Sequence[SmrocCurve]) -> None:
    outside = [curve for curve in curves if not 0 < curve.mid <= 1]
    if outside:
        defined = [curve for curve in outside if not math.isnan(curve.auc)] or outside
        auc, chance = (np.mean([getattr(curve, of) for curve in defined]) for of in ("auc", "chance_auc"))
        warn_of_mids([curve.mid for curve in outside], len(curves), float(auc), float(chance))
