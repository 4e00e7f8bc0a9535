"""A winner map: the difference of models along an axis, who wins where, and what is left open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import fail
from rocsteady.inference.winner_map.axes import Axis
from rocsteady.options import one_of
from rocsteady.results import Result, TableResult
from rocsteady.scores.design import ASSUMED, Design
from rocsteady.showing import Drawn
from rocsteady.words import counted, printable

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Region:
    """A part of the declared range.

    Attributes
    ----------
    low, high : float
        From where to where. A region that somebody wins starts and ends at positions that were compared, so
        what lies between two regions is undecided.
    winner : str or None
        The model that is better at every position in it; None where that is undecided.
    """

    low: float
    high: float
    winner: str | None


@dataclass(frozen=True, eq=False, repr=False)
class PairDifference(Result):
    """The difference of two models at every position of a winner map.

    Attributes
    ----------
    a, b : str
        The models.
    advantage : float64 array
        Mean over groups, positive where ``a`` is better: TPR gained, FPR saved, or cost per case saved. (A
        difference from :func:`rocsteady.compare` is ``a`` less ``b`` in what was measured, also of FPRs.)
    lower, upper : float64 array
        Confidence limits that hold at all positions, and for all pairs of models, at once. NaN where
        positions were left out, infinite where there are too few groups, the difference itself where all
        groups differ by the same.
    crossings : tuple of float
        Where the mean difference changes its sign; exact, not on a grid.
    """

    a: str
    b: str
    advantage: Floats
    lower: Floats
    upper: Floats
    crossings: tuple[float, ...]

    @property
    def decided(self) -> NDArray[np.int8]:
        """1 where ``a`` is better, -1 where ``b`` is, 0 where that is undecided."""
        return np.asarray((self.lower > 0).astype(np.int8) - (self.upper < 0).astype(np.int8))

    def __repr__(self) -> str:
        return f"PairDifference({printable(self.a)} less {printable(self.b)})"


@dataclass(frozen=True, eq=False, repr=False)
class Lead(Result):
    """How far a model is ahead of the best of all others, at every position of a winner map.

    Attributes
    ----------
    model : str
        The model.
    advantage : float64 array
        The least of its mean advantages over the others: negative where another one is ahead.
    lower, upper : float64 array
        The least of their limits. As these hold at all positions and for all pairs at once, so do the least:
        the model wins where ``lower`` is above 0.
    """

    model: str
    advantage: Floats
    lower: Floats
    upper: Floats

    def __repr__(self) -> str:
        positions = counted(self.advantage.size, "position")
        return f"Lead({printable(self.model)}: ahead at {int((self.advantage > 0).sum())} of {positions})"


@dataclass(frozen=True, eq=False, repr=False)
class WinnerMap(Drawn, TableResult, figure="winner_map"):
    """Who wins where, from :func:`rocsteady.winner_map`.

    Attributes
    ----------
    over : str
        "fpr", "tpr", "costs" or "alerts".
    models : tuple of str
        Two or more.
    unit, n_groups : str, int
        The word for a group, and how many were compared.
    random : str
        What is: "groups", or the "cases" of these very ones.
    position : float64 array
        Where the models were compared, fixed beforehand: rates, ratios of costs (false negative to false
        positive) or shares of cases called positive.
    pairs : tuple of PairDifference
        Every pair of models.
    winner : tuple of str or None
        At every position, the model that is better than all others; None where that is undecided.
    regions : tuple of Region
        The declared range in parts, from its lower to its upper end.
    crossings : tuple of float
        Where the best model by its mean changes; exact.
    pvalue : float
        Of the hypothesis that no two models differ anywhere on the range (largest t). NaN where nothing can
        be said: cases that show no spread, however they are resampled.
    smallest_pvalue : float
        That so many groups, or resamples, can give. Nothing can be decided where it is above ``1 -
        confidence_level``.
    confidence_level : float
        Of all limits at once.
    excluded : tuple of (float, float)
        Parts of the range without limits, because no spread is seen: the models do not differ there in any
        group, or all differ by the same and are too few to decide by that.
    prevalence : float or None
        Share of positives, where it matters.
    method : str
        The average whose groups were compared.
    undefined : tuple of str
        Groups without a curve, and why.
    test_train_ratio : float
        What was added to 1 / n for folds that share training cases; 0 for none.
    design : Design
        How the scores came about.
    """

    over: str
    models: tuple[str, ...]
    unit: str
    n_groups: int
    random: str
    position: Floats
    pairs: tuple[PairDifference, ...]
    winner: tuple[str | None, ...]
    regions: tuple[Region, ...]
    crossings: tuple[float, ...]
    pvalue: float
    smallest_pvalue: float
    confidence_level: float
    excluded: tuple[tuple[float, float], ...]
    prevalence: float | None
    method: str
    undefined: tuple[str, ...]
    test_train_ratio: float
    _axis: Axis
    _has_cases: bool
    design: Design = ASSUMED

    @property
    def reading(self) -> str:
        """The map in words: who wins where and by how much, how sure that is, what is random."""
        from rocsteady.inference.winner_map.reading import read_map

        return read_map(self)

    @property
    def a(self) -> str:
        """The first of two models."""
        return self._only_pair.a

    @property
    def b(self) -> str:
        """The second of two models."""
        return self._only_pair.b

    @property
    def advantage(self) -> Floats:
        """Of two models: the mean over groups, positive where the first is better (not always a less b)."""
        return self._only_pair.advantage

    @property
    def lower(self) -> Floats:
        """Of two models: the lower confidence limit, for all positions at once."""
        return self._only_pair.lower

    @property
    def upper(self) -> Floats:
        """Of two models: the upper confidence limit, for all positions at once."""
        return self._only_pair.upper

    @property
    def _only_pair(self) -> PairDifference:
        if len(self.pairs) > 1:
            raise fail(
                "RS065.several-pairs", n_models=len(self.models), n_pairs=len(self.pairs), models=self.models
            )
        return self.pairs[0]

    @property
    def winners(self) -> tuple[str, ...]:
        """The models that win somewhere, in the order of the range."""
        return tuple(dict.fromkeys(r.winner for r in self.regions if r.winner is not None))

    @property
    def is_decided(self) -> bool:
        """Whether one model wins at every position."""
        return None not in self.winner and len(self.winners) == 1

    def lead(self, model: str) -> Lead:
        """How far a model is ahead of the best of all others, with limits for the whole range at once."""
        one_of("model", model, self.models)
        ahead = [pair for pair in self.pairs if pair.a == model]
        behind = [pair for pair in self.pairs if pair.b == model]
        return Lead(
            model,
            np.min([pair.advantage for pair in ahead] + [-pair.advantage for pair in behind], axis=0),
            np.min([pair.lower for pair in ahead] + [-pair.upper for pair in behind], axis=0),
            np.min([pair.upper for pair in ahead] + [-pair.lower for pair in behind], axis=0),
        )

    def winner_at(self, position: float) -> str | None:
        """Who wins at a position: the model whose region holds it, None where that is undecided."""
        return next((r.winner for r in self.regions if r.winner and r.low <= position <= r.high), None)

    def to_dict(self) -> dict[str, Any]:
        """The map as plain data; infinite limits as strings, missing ones None."""
        return {**super().to_dict(), "reading": self.reading}

    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {"position": [], "a": [], "b": [], "advantage": [], "lower": []}
        columns |= {"upper": [], "winner": []}
        for pair in self.pairs:
            n = self.position.size
            columns["position"] += self.position.tolist()
            columns["a"] += [pair.a] * n
            columns["b"] += [pair.b] * n
            for name in ("advantage", "lower", "upper"):
                columns[name] += getattr(pair, name).tolist()
            columns["winner"] += list(self.winner)
        return columns

    def __repr__(self) -> str:
        wins = sum(region.winner is not None for region in self.regions)
        said = f"{counted(wins, 'region')} decided" if wins else "nothing decided"
        models = " and ".join(printable(name) for name in self.models)
        if len(self.models) > 2:
            models = counted(len(self.models), "model")
        return (
            f"WinnerMap({models} over {self.over}, {counted(self.n_groups, printable(self.unit))}: {said}, "
            f"p = {self.pvalue:.3g})"
        )


def regions_of(position: Floats, winner: tuple[str | None, ...]) -> tuple[Region, ...]:
    """The range in parts; between two winners that follow each other nobody has won yet.

    Examples
    --------
    >>> import numpy as np
    >>> at = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
    >>> [(r.low, r.high, r.winner) for r in regions_of(at, ("x", "x", None, "y", "x"))]
    [(0.0, 0.25, 'x'), (0.25, 0.75, None), (0.75, 0.75, 'y'), (0.75, 1.0, None), (1.0, 1.0, 'x')]
    """
    low, high = float(position[0]), float(position[-1])
    starts = [0] + [i for i in range(1, len(winner)) if winner[i] != winner[i - 1]]
    stops = [*starts[1:], len(winner)]
    won = [
        Region(float(position[i]), float(position[j - 1]), winner[i])
        for i, j in zip(starts, stops, strict=True)
        if winner[i] is not None
    ]
    found: list[Region] = []
    for region in won:
        before = found[-1].high if found else low
        if region.low > before:
            found.append(Region(before, region.low, None))
        found.append(region)
    last = found[-1].high if found else low
    return tuple(found if found and last == high else [*found, Region(last, high, None)])
