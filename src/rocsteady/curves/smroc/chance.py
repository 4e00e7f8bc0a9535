"""What smAUC is by chance: the scores as they are, the labels dealt at random.

The chance level on every curve is a plug-in: each case gets the credit it would earn on average. Permuted
labels differ from it by a term of order 1/n, for two reasons. Both sums that the area is divided by vary with
the labels, and the mean of a ratio is not the ratio of the means; and without replacement a positive here is
one positive less elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.arguments import whole_number
from rocsteady.counting.results import Result, read_only
from rocsteady.curves.smroc.credit import credit_steps, enlarged
from rocsteady.errors import UsageError
from rocsteady.words import counted

if TYPE_CHECKING:
    from rocsteady.curves.smroc.curve import SmrocCurve

Floats = NDArray[np.float64]

_BLOCK = 2_000_000  # labels held at a time
_ALIKE = 1e-12  # areas this close are equal, and differ by rounding


@dataclass(frozen=True, eq=False, repr=False)
class PermutedSmauc(Result):
    """smAUC with labels dealt at random.

    Attributes
    ----------
    values : float64 array
        One per permutation; NaN where it is undefined.
    mean, sd : float
        Of the defined values.
    auc : float
        smAUC with the labels as they are.
    pvalue : float
        The share of permutations that do as well or better, the actual labels counted as one of them; an
        undefined value counts as better. NaN if smAUC itself is undefined.
    seed : int
        Of the random numbers.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.smroc_curve([1, 1, 1, 0, 1, 0, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.1])
    >>> dealt = curve.permuted(500)
    >>> dealt.values.size, bool(abs(dealt.mean - curve.chance_auc) < 0.02), dealt.pvalue < 0.1
    (500, True, True)
    """

    values: Floats
    mean: float
    sd: float
    auc: float
    pvalue: float
    seed: int

    def __repr__(self) -> str:
        dealt = counted(self.values.size, "permutation")
        return f"PermutedSmauc({dealt}: mean {self.mean:.4f}, sd {self.sd:.4f}, p = {self.pvalue:.3g})"


def permuted_smauc(curve: SmrocCurve, n_permutations: int, seed: int) -> PermutedSmauc:
    """The smAUC of permuted labels; Mid stays, because the sum of scores and the number of positives do."""
    n_permutations = whole_number("n_permutations", n_permutations, least=1, example=1000)
    seed = whole_number("seed", seed, least=0, example=0)
    rows = curve._rows
    if rows.weights is not None:
        raise UsageError(
            "RS088",
            "labels of weighted cases cannot be permuted.",
            "the weight of the positives, and Mid with it, would change",
            "the chance level by formula:  curve.chance_auc",
        )
    cases = rows.positives + rows.negatives
    rng = np.random.default_rng(seed)
    block = max(1, _BLOCK // int(cases.sum()))
    drawn = (
        _drawn_positives(rng, cases, rows.n_positives, min(block, n_permutations - start))
        for start in range(0, n_permutations, block)
    )
    values = np.concatenate([_areas(rows.levels, own, cases - own, curve.mid) for own in drawn])
    actual = float(_areas(rows.levels, rows.positives[None], rows.negatives[None], curve.mid)[0])
    defined = values[~np.isnan(values)]
    return PermutedSmauc(
        values=read_only(values),
        mean=float(defined.mean()) if defined.size else np.nan,
        sd=float(defined.std(ddof=1)) if defined.size > 1 else np.nan,
        auc=curve.auc,
        pvalue=_pvalue(values, actual),
        seed=seed,
    )


def _pvalue(values: Floats, actual: float) -> float:
    """The share of areas as large as the actual one, which counts among them."""
    if np.isnan(actual):
        return np.nan
    worse = int(np.sum(values < actual - _ALIKE))
    return (1 + values.size - worse) / (1 + values.size)  # one division: 1 - 190/200 exceeds 0.05


def _drawn_positives(
    rng: np.random.Generator, cases: NDArray[np.int64], n_positives: int, n_draws: int
) -> NDArray[np.int64]:
    """How many positives each distinct score gets, ``(n_draws, n_distinct)``."""
    if cases.size < cases.sum() / 4:
        return rng.multivariate_hypergeometric(cases, n_positives, size=n_draws, method="marginals")
    labels = np.zeros((n_draws, int(cases.sum())), dtype=np.int64)
    labels[:, :n_positives] = 1
    dealt = rng.permuted(labels, axis=1)
    return np.add.reduceat(dealt, np.cumsum(cases) - cases, axis=1)


def _areas(levels: Floats, positives: NDArray[np.int64], negatives: NDArray[np.int64], mid: float) -> Floats:
    """The smAUC of each row of counts."""
    up, right = enlarged(*credit_steps(levels, positives, negatives, mid))
    before = np.cumsum(up, axis=1) - up / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((before * right).sum(axis=1) / (up.sum(axis=1) * right.sum(axis=1)))
