"""The paired t test over folds, whose errors allow for training cases that they share.

References
----------
Nadeau & Bengio (2003), Machine Learning 52, 239-281 (folds that share training data).
Paclik, Lai, Novovicova & Duin (2008), "Variance estimation for two-class and multi-class ROC analysis using
operating point averaging", ICPR (degrees of freedom 2n - 2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocsteady.arrays import Floats
from rocsteady.calling import LEVELS, NO_LEVEL, SEEDS, welcomes
from rocsteady.errors import fail, warn
from rocsteady.options import one_of, real_numbers
from rocsteady.results import TableResult, read_only
from rocsteady.scores.columns import index_of, require_one_index
from rocsteady.showing import Told
from rocsteady.statistics.folds import ratio_of, share_of_variance
from rocsteady.statistics.limits import two_sided_pvalue

DEGREES = ("n-1", "2n-2")
_NO_SPREAD = 1e-12  # of the largest difference: rates k / m leave rounding errors where the spread is 0


@dataclass(frozen=True, eq=False, repr=False)
class SignificanceResult(Told, TableResult, sentence="inference.paired_t"):
    """A paired t test; arrays where several were made at once.

    Attributes
    ----------
    statistic, pvalue : float or array
        Student's t and its two-sided p-value. A difference that is the same in every fold has an infinite
        statistic and p = 0; no difference at all has 0 and 1; fewer than two pairs have NaN.
    df : float or array
        Degrees of freedom.
    difference, standard_error : float or array
        The mean difference and its standard error, corrected by ``test_train_ratio``.
    n : int or array
        Pairs in which both values are defined.
    test_train_ratio : float
        What was added to 1 / n.
    """

    statistic: Any
    pvalue: Any
    df: Any
    difference: Any
    standard_error: Any
    n: Any
    test_train_ratio: float

    _line = "t {statistic:.4g}, df {df:g}, p {pvalue:.4g}"
    _lines = "{statistic:count test}"
    _in_frame = "difference, standard_error, statistic, df, pvalue, n"

    def _columns(self) -> dict[str, Any]:
        """One row for each test, whatever the shape of their array is."""
        return {name: np.ravel(own) for name, own in super()._columns().items()}


@welcomes(
    "paired_t(fpr_at_one_point, fpr_at_another)",
    instead={**dict.fromkeys(LEVELS, NO_LEVEL), **dict.fromkeys(SEEDS, "leave it out: nothing is drawn")},
)
def paired_t(
    x1: ArrayLike, x2: ArrayLike, *, df: str = "n-1", test_train_ratio: float | None = None
) -> SignificanceResult:
    """Test whether two measurements on the same folds differ in the mean.

    The statistic is ``mean(D) / sqrt(var(D) (1 / n + rho))`` of the differences D, rho being
    ``test_train_ratio``.

    Parameters
    ----------
    x1, x2 : array-like
        One value per fold, the folds in the same order; or ``(n_folds, ...)`` for many tests at once. Pairs
        with a NaN are left out.
    df : {"n-1", "2n-2"}
        Degrees of freedom. ``"2n-2"``, as printed by Paclik et al., rejects a true hypothesis too often
        (6.5 % instead of 5 % of the time with ten folds) and is there to repeat their figures.
    test_train_ratio : float, optional
        Folds of a cross-validation share training data, so that differences vary less from fold to fold than
        from study to study. Nadeau & Bengio add (test cases / training cases) to 1 / n: of k folds, however
        often they are repeated, ``1 / (k - 1)``. Without it folds count as independent. For two
        nearest-mean classifiers of equal error, ten folds and a level of 5 %, the plain test was measured to
        reject 5.0 to 7.5 % of the time and the corrected one 0.7 to 1.7 % (simulations/paired_tests.py).

    Warns
    -----
    RocsteadyWarning
        RS245 if a difference is the same in every fold.

    Examples
    --------
    >>> paired_t([0.2, 0.3, 0.25, 0.35], [0.1, 0.25, 0.2, 0.2])
    SignificanceResult(t 3.656, df 3, p 0.03535)
    >>> paired_t([0.2, 0.3, 0.25, 0.35], [0.1, 0.25, 0.2, 0.2], test_train_ratio=1 / 3)
    SignificanceResult(t 2.393, df 3, p 0.09647)
    >>> paired_t([0.5, 0.5], [0.5, 0.5]).pvalue
    1.0
    """
    first, second = (_values(name, x) for name, x in (("x1", x1), ("x2", x2)))
    if first.shape != second.shape:
        raise fail("RS013.shapes", first=first.shape, second=second.shape)
    require_one_index({"x1": index_of(x1), "x2": index_of(x2)})
    require_folds(first.shape[0])
    found = paired_tests(first, second, df=df, test_train_ratio=test_train_ratio)
    warn_constant(found)
    if first.ndim > 1:
        return found
    fields = ("statistic", "pvalue", "df", "difference", "standard_error", "n")
    single = {name: getattr(found, name).item() for name in fields}
    return SignificanceResult(**single, test_train_ratio=found.test_train_ratio)


def paired_tests(
    x1: Floats, x2: Floats, *, df: str = "n-1", test_train_ratio: float | None = None
) -> SignificanceResult:
    """The same for clean arrays of ``(n_folds, ...)``, without a warning; one test for each of the others."""
    one_of("df", df, DEGREES)
    rho = ratio_of(test_train_ratio)
    with np.errstate(over="ignore", invalid="ignore"):
        differences = x1 - x2
        scale = 1.0
        if np.isinf(differences[np.isfinite(x1) & np.isfinite(x2)]).any():  # of numbers near the largest
            differences, scale = x1 / 2 - x2 / 2, 2.0
    # A pair with an infinite value has no difference to average: the test has no answer, not another one.
    has_infinite = (np.isinf(x1) | np.isinf(x2)).any(axis=0)
    defined = np.isfinite(differences)
    n = defined.sum(axis=0)
    largest = np.where(defined, np.abs(differences), 0.0).max(axis=0, initial=0.0)
    # In units of a power of two no difference is rounded, and no square is too large or too small.
    unit = np.ldexp(1.0, np.frexp(largest)[1] - 1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        shares = np.where(defined, differences / unit, 0.0)
        mean = shares.sum(axis=0) / n
        spread = np.sqrt((np.where(defined, shares - mean, 0.0) ** 2).sum(axis=0) / (n - 1))
        spread = np.where(spread <= _NO_SPREAD * (largest / unit), 0.0, spread)
        error = spread * np.sqrt(share_of_variance(1 / n, rho))
        statistic = np.where(largest == 0, 0.0, mean / error)
        freedom = (n - 1.0) * (2 if df == "2n-2" else 1)
        usable = (n > 1) & ~has_infinite
        statistic = np.where(usable, statistic, np.nan)
        pvalue = two_sided_pvalue(statistic, freedom)
    pvalue = np.where(largest == 0, 1.0, pvalue)
    with np.errstate(over="ignore", invalid="ignore"):
        difference, spread_of_mean = mean * unit * scale, error * unit * scale
    return SignificanceResult(
        statistic=read_only(statistic),
        pvalue=read_only(np.where(usable, pvalue, np.nan)),
        df=read_only(np.where(usable, freedom, np.nan)),
        difference=read_only(np.where(n > 0, difference, np.nan)),
        standard_error=read_only(np.where(usable, spread_of_mean, np.nan)),
        n=read_only(np.asarray(n)),
        test_train_ratio=rho,
    )


def require_folds(n_folds: int, unit: str = "fold") -> None:
    """RS074 unless there are two folds."""
    if n_folds < 2:
        raise fail("RS074.one-fold", unit=unit, n=n_folds)


def warn_constant(found: SignificanceResult, unit: str = "fold") -> None:
    """RS245, once, if some difference is the same in every fold."""
    n_constant = int(np.isinf(found.statistic).sum())
    if n_constant:
        n_tests = np.size(found.statistic)
        warn("RS245.constant", n_constant=n_constant, n_tests=n_tests, unit=unit, n=int(np.max(found.n)))


def _values(name: str, x: ArrayLike) -> Floats:
    values = real_numbers(name, x, example=(0.1, 0.2))
    if values.ndim == 0 or np.isinf(values).any():
        where = "one finite number for each fold, or NaN where there is none"
        way = "paired_t(fpr_at_one_point, fpr_at_another)"
        raise fail("RS042", name=name, where=where, found=x, ways=[way])
    return values
