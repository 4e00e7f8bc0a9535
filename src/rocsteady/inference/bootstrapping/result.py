"""The result of a bootstrap: the estimate, its resamples, and intervals of any kind from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.bands import half_width, runs_of
from rocsteady.curves.measures import FprAt, Statistic, TprAt
from rocsteady.curves.uncertainty import Band, BandEdge
from rocsteady.errors import fail
from rocsteady.inference.bootstrapping.drawing import Drawn
from rocsteady.inference.bootstrapping.limits import ELSEWHERE, KINDS, Resamples, limits
from rocsteady.options import How, one_of, open_share
from rocsteady.results import TableResult, plain
from rocsteady.statistics.intervals import Interval, separated_limits
from rocsteady.statistics.resampling import sup_t_factor
from rocsteady.words import counted, grouped

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Bootstrap(TableResult):
    """What :func:`rocsteady.bootstrap` found.

    Attributes
    ----------
    statistic : Statistic
        What was read.
    average : str
        What it was read off: ``"curve"`` for one dataset, ``"mean"`` for the mean of the groups' own values,
        or the method of the average.
    estimate : float or array
        Read off the data.
    values : array
        Read off every resample; the first axis are the resamples.
    standard_error, bias : float or array
        The spread of the resamples (times the root of M / (M - 1) where M groups were drawn, which resamples
        scatter too little by), and their mean less the estimate.
    interval : Interval
        The confidence interval asked for; not clipped to [0, 1].
    random : str
        What was taken as random, in words.
    n_resamples, n_redrawn, seed : int
        Of the resamples; draws without one of the classes were drawn again.
    reading : str
        What was found, how sure it is and what is random.
    """

    statistic: Statistic
    average: str
    estimate: Any
    values: Floats
    standard_error: Any
    bias: Any
    interval: Interval
    random: str
    n_resamples: int
    n_redrawn: int
    seed: int
    reading: str
    _drawn: Drawn
    _separated: tuple[int, int] | None = None  # independent units of either class, where the AUC is 0 or 1

    def interval_of(self, kind: str, confidence_level: float | None = None) -> Interval:
        """An interval of another kind or level, from the same resamples.

        Parameters
        ----------
        kind : {"percentile", "basic", "normal", "t", "logit"}
            As in :func:`rocsteady.bootstrap`.
        confidence_level : float, optional
            That of ``.interval`` if not given.
        """
        level = self.interval.confidence_level
        if confidence_level is not None:
            level = open_share("confidence_level", confidence_level)
        return interval_from(
            self._drawn.resamples, kind, level, np.shape(self.estimate), separated=self._separated
        )

    def band(self, kind: str = "pointwise", confidence_level: float | None = None) -> Band:
        """The intervals as a band around the curve, for ``TprAt([...])`` and ``FprAt([...])``.

        Parameters
        ----------
        kind : {"pointwise", "simultaneous"}
            Limits of each point by itself; or limits that hold the whole curve at once, over the rates that
            were asked for. Those are as many standard errors as the largest deviation of the resamples has.
            Where groups were drawn every resample has its own standard error (maths: studentised).
        confidence_level : float, optional
            That of ``.interval`` if not given.
        """
        one_of("kind", kind, ("pointwise", "simultaneous"))
        level = self.interval.confidence_level
        if confidence_level is not None:
            level = open_share("confidence_level", confidence_level)
        if not isinstance(self.statistic, TprAt | FprAt) or self.statistic.is_scalar:
            raise fail("RS002.band", statistic=self.statistic.label)
        return _band(self, kind, level)

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data that JSON can carry, without the single resamples."""
        names = ["average", "estimate", "standard_error", "bias", "interval", "random", "n_resamples"]
        names += ["n_redrawn", "seed", "reading"]
        read = {"statistic": self.statistic.label, "names": list(self.statistic.names)}
        return read | {name: plain(getattr(self, name)) for name in names}

    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {"statistic": list(self.statistic.names)}
        for name in ("estimate", "standard_error", "bias"):
            columns[name] = np.ravel(getattr(self, name))
        return columns | {"low": np.ravel(self.interval.low), "high": np.ravel(self.interval.high)}

    def __repr__(self) -> str:
        resamples = f"{grouped(self.n_resamples)} resamples"
        if np.ndim(self.estimate):
            return f"Bootstrap({self.statistic.label}, {resamples})"
        low, high = self.interval.low, self.interval.high
        level = f"{100 * self.interval.confidence_level:g} %"
        found = f"{self.estimate:.4f}, {level} CI {low:.4f} to {high:.4f}"
        return f"Bootstrap({self.statistic.label} {found}, {resamples})"


def interval_from(
    resamples: Resamples, kind: str, level: float, shape: tuple[int, ...], separated: tuple[int, int] | None
) -> Interval:
    """The interval of one kind; at an AUC of 0 or 1 the exact bound for separated classes."""
    one_of("interval", kind, KINDS, elsewhere=ELSEWHERE)
    if kind == "t" and not resamples.draws_whole:
        raise fail("RS002.t-of-cases")
    how = f"bootstrap, {kind}"
    if separated is not None:
        low, high = separated_limits(resamples.estimate, *separated, level)
        how = "separated"
    else:
        low, high = limits(resamples, kind, level)
    return Interval(shaped(low, shape), shaped(high, shape), level, how)


def shaped(flat: Floats, shape: tuple[int, ...]) -> Any:
    """A float for one reading, else the array in the shape of the estimate."""
    return float(flat[0]) if shape == () else np.reshape(flat, shape)


def _band(found: Bootstrap, kind: str, level: float) -> Band:
    drawn, estimate = found._drawn, np.asarray(found.estimate)
    is_tpr = isinstance(found.statistic, TprAt)
    at = np.asarray(found.statistic.fpr if is_tpr else found.statistic.tpr)  # type: ignore[attr-defined]
    order = np.argsort(at, kind="stable")
    if kind == "pointwise":
        factor, left_out = float("nan"), np.zeros(at.size, dtype=np.bool_)
        own = "percentile" if found.interval.method == "separated" else found.interval.method.split(", ")[1]
        interval = found.interval_of(own, level)
        low, high = interval.low, interval.high
    else:
        half, factor, left_out = _simultaneous(drawn, level, found)
        low, high = estimate - half, estimate + half
    worse, better = (low, high) if is_tpr else (high, low)

    def edge(value: Floats) -> BandEdge:
        pair = (at[order], value[order])
        return BandEdge(*(pair if is_tpr else pair[::-1]))

    return Band(
        lower=edge(worse),
        upper=edge(better),
        middle=edge(estimate),
        kind=kind,
        confidence_level=level,
        factor=factor,
        fpr=(float(at.min()), float(at.max())) if is_tpr else None,
        excluded=runs_of(at[order], left_out[order]),
        reading=_promise(found, kind, level, at, left_out),
    )


def _simultaneous(drawn: Drawn, level: float, found: Bootstrap) -> tuple[Floats, float, NDArray[np.bool_]]:
    resamples = drawn.resamples
    if drawn.parts is not None and resamples.draws_whole:
        n_groups = drawn.parts.shape[0]
        asked = How(level, n_resamples=max(found.n_resamples, 2), seed=found.seed)
        return half_width(drawn.parts, np.full(n_groups, 1 / n_groups), asked)
    error = resamples.standard_error
    factor = sup_t_factor(resamples.values - resamples.estimate, error, level)
    half = np.where(error > 0, factor * error, np.nan)
    return half, factor, ~(error > 0)


def _promise(found: Bootstrap, kind: str, level: float, at: Floats, left_out: NDArray[np.bool_]) -> str:
    said = f"{100 * level:g} % confidence"
    if kind == "pointwise":
        first = f"At each place by itself the curve lies in the band with {said}."
    else:
        first = f"From {at.min():g} to {at.max():g} the whole curve lies in the band with {said}."
        if left_out.any():
            first += f" {counted(int(left_out.sum()), 'place')} without spread left out."
    return f"{first} What is random: {found.random}."
