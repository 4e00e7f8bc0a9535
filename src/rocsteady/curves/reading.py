"""Reading a curve: rates at a threshold, and each rate at the other.

This is the one place that decides what happens on a jump. A curve is a path; where it rises straight up (or
runs straight right), one rate has many values of the other, and the caller names the end that is meant.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.counting.arguments import one_of, real_numbers
from rocsteady.counting.results import TableResult
from rocsteady.errors import UsageError, counted

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Rates(TableResult):
    """False and true positive rates at a threshold (arrays if an array was asked for).

    Attributes
    ----------
    threshold, fpr, tpr : float or float64 array
        The threshold asked for (an integer stays one where scores are integers beyond 2**53),
        and the share of negatives and of positives that it calls positive.
    rule : str
        ``">="``, ``">"``, ``"<="`` or ``"<"``: what calls a score positive.
    """

    threshold: Any
    fpr: Any
    tpr: Any
    rule: str

    def _columns(self) -> dict[str, Any]:
        return {name: np.atleast_1d(getattr(self, name)) for name in ("threshold", "fpr", "tpr")}

    def __repr__(self) -> str:
        if np.ndim(self.threshold):
            return f"Rates(at {counted(np.size(self.threshold), 'threshold')}, score {self.rule} threshold)"
        return f"Rates(score {self.rule} {self.threshold:g}: fpr {self.fpr:.4f}, tpr {self.tpr:.4f})"


def vertex_at(
    thresholds: Floats,
    threshold: ArrayLike,
    rule: str | None,
    higher_is_positive: bool,
    exact: NDArray[Any] | None = None,
) -> tuple[NDArray[np.intp], str]:
    """The vertex that each threshold leads to, and the rule in full.

    ``exact`` are the thresholds as integers (see :class:`CountTable`): integers are compared with these.
    """
    rules = (">=", ">") if higher_is_positive else ("<=", "<")
    rule = rules[0] if rule is None else one_of("rule", rule, rules)
    at = real_numbers("threshold", threshold, example=0.5)
    if np.isnan(at).any():
        raise UsageError(
            "RS042", "a threshold must be a number.", "found: nan", "rates_at(0.5), or an infinite threshold"
        )
    observed = thresholds[1:]  # the first means "beyond everything", which no score is
    rising = observed[::-1] if higher_is_positive else observed
    below, through = (np.asarray(np.searchsorted(rising, at, side=side)) for side in ("left", "right"))
    if exact is not None:
        whole = (exact[:0:-1] if higher_is_positive else exact[1:]).tolist()
        for place, number in np.ndenumerate(_as_asked(threshold)):
            if isinstance(number, int | np.integer):
                below[place], through[place] = (
                    find(whole, int(number)) for find in (bisect_left, bisect_right)
                )
    if (through - below > 1).any():
        raise alike_thresholds(at[through - below > 1].flat[0])
    if higher_is_positive:
        return observed.size - (below if rule == ">=" else through), rule
    return (through if rule == "<=" else below), rule


def _as_asked(threshold: ArrayLike) -> NDArray[Any]:
    """Thresholds as they were asked for: integers in a list stay integers beside floats."""
    array = np.asarray(threshold)
    is_list = array.dtype.kind == "f" and not hasattr(threshold, "dtype")
    return np.asarray(threshold, dtype=object) if is_list else array


def thresholds_told(threshold: ArrayLike, exact: NDArray[Any] | None) -> Any:
    """Thresholds as results have them: floats, but integers where floats would be other numbers."""
    at = real_numbers("threshold", threshold)
    if exact is not None and np.asarray(threshold).dtype.kind in "iu":
        return np.asarray(threshold) if at.ndim else int(threshold)  # type: ignore[arg-type]
    return scalar_or_array(at, threshold)


def alike_thresholds(threshold: float) -> UsageError:
    """RS048: several scores, exact as integers, have this threshold."""
    return UsageError(
        "RS048",
        "several scores have the same threshold once it is a float.",
        f"found: more than one integer score that rounds to {float(threshold)!r}",
        "subtract an offset, which changes no order:  scores - scores.min()",
    )


def read_path(held: Floats, free: Floats, at: Floats, *, end: str) -> Floats:
    """The ``free`` coordinate where the path has ``held == at``.

    Both coordinates are those of the vertices, in path order, ``held`` not falling. Where the path stays at
    one value of ``held``, ``end`` says whether the ``"first"`` or the ``"last"`` point met there is read.
    """
    if end == "last":
        before = np.searchsorted(held, at, side="right") - 1
        vertex = before
    else:
        vertex = np.searchsorted(held, at, side="left")
        before = np.maximum(vertex - 1, 0)
    after = np.minimum(before + 1, held.size - 1)
    run = held[after] - held[before]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (at - held[before]) / run
    start, stop = free[before], free[after]
    between = start + share * (stop - start)
    # Rounding must not carry a reading past the ends of its own segment.
    between = np.clip(between, np.minimum(start, stop), np.maximum(start, stop))
    return np.where(held[vertex] == at, free[vertex], between)


def scalar_or_array(values: Floats, like: ArrayLike) -> Any:
    """A float if ``like`` is one number, else the array."""
    return values if np.ndim(like) else float(values)
