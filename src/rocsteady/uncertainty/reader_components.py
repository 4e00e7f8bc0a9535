"""Mean squares and mean covariances of a reader study: all that Obuchowski and Rockette's analysis needs.

A measure theta, ``(..., t, r)`` for t modalities and r readers, and the covariance of its error over samples
of cases, ``(..., t, r, t, r)``. Readers nested in modalities have NaN in the cells they did not read. Leading
axes are studies of their own, or positions along a curve.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.results import Result

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

ROUNDING = 1e-13
"""Relative to its terms: what rounding leaves of a difference or mean square that is zero."""


@dataclass(frozen=True, eq=False, repr=False)
class Components(Result):
    """Mean squares and mean covariances of a reader study; arrays where there are several studies.

    Attributes
    ----------
    ms_modality, ms_reader, ms_modality_reader : float
        Mean squares of theta. For nested readers ``ms_reader`` is that of readers within modalities, and
        there is no ``ms_modality_reader`` (NaN).
    var, cov1, cov2, cov3 : float
        Mean covariance of the error over cases: of a cell with itself, same reader and other modality, other
        reader and same modality, both different. 0 where there are no such pairs, NaN for ``cov1`` of nested
        readers.
    reader, modality_reader : float
        Variance components of readers and of readers by modalities. They may come out negative.
    ms_reader_each, var_each, cov2_each : (t,) arrays
        Of each modality by itself.
    means : (t,) array
        The mean of theta over the readers of each modality.
    n_readers : (t,) int array
        Readers of each modality.
    nested : bool
        Whether every reader has one modality only.
    """

    ms_modality: Any
    ms_reader: Any
    ms_modality_reader: Any
    var: Any
    cov1: Any
    cov2: Any
    cov3: Any
    reader: Any
    modality_reader: Any
    ms_reader_each: Any
    var_each: Any
    cov2_each: Any
    means: Any
    n_readers: Any
    nested: bool

    @property
    def n_modalities(self) -> int:
        """How many modalities there are."""
        return int(np.size(self.n_readers))

    def __repr__(self) -> str:
        if np.ndim(self.var):
            return f"Components({np.size(self.var)} studies)"
        covariances = ", ".join(f"{name} {getattr(self, name):.3g}" for name in ("cov1", "cov2", "cov3"))
        return f"Components(reader {self.reader:.3g}, error {self.var:.3g}, {covariances})"


def components(theta: Floats, covariance: Floats) -> Components:
    """Mean squares and mean covariances of ``(..., t, r)`` values, ``(..., t, r, t, r)`` covariances.

    Examples
    --------
    >>> import numpy as np
    >>> theta = np.array([[0.80, 0.85, 0.90], [0.84, 0.91, 0.92]])
    >>> found = components(theta, np.full((2, 3, 2, 3), 2e-4) + 4e-4 * np.eye(6).reshape(2, 3, 2, 3))
    >>> found
    Components(reader 0.002, error 0.0006, cov1 0.0002, cov2 0.0002, cov3 0.0002)
    >>> round(found.ms_modality_reader, 9)
    0.0002
    """
    theta = np.asarray(theta, dtype=np.float64)
    cells = ~np.isnan(theta.reshape(-1, *theta.shape[-2:])[0])
    n_readers = cells.sum(axis=1)
    nested = cells.shape[0] > 1 and bool((cells.sum(axis=0) == 1).all())
    if not nested and not cells.all():
        raise ValueError("every reader needs a value in every modality, or in exactly one")
    scale = np.nanmax(np.abs(theta), axis=(-2, -1))
    means = np.where(cells, theta, 0.0).sum(axis=-1) / n_readers
    within = np.where(cells, theta - means[..., None], 0.0)
    squares = (within**2).sum(axis=-1)
    covs = _mean_covariances(covariance, cells)
    var, _, cov2, _ = covs
    if nested:
        ms_reader = cleared(over_df(squares.sum(axis=-1), (n_readers - 1).sum()), scale)
        nothing = np.full(np.shape(var), np.nan)
        mean_squares = (ms_reader, nothing)
        covs = (var, nothing, *covs[2:])
        of_readers = (ms_reader - var + cov2, nothing)
    else:
        mean_squares = _crossed_mean_squares(theta, within, scale)
        of_readers = _crossed_variances(mean_squares, covs, cells.shape[0])
    between = means - means.mean(axis=-1, keepdims=True)
    harmonic = 1 / np.mean(1 / n_readers)
    ms_modality = cleared(over_df(harmonic * (between**2).sum(axis=-1), cells.shape[0] - 1), scale)
    own = [_mean_covariances(covariance, cells & of[:, None]) for of in np.eye(cells.shape[0], dtype=bool)]
    found: list[Any] = [as_number(value) for value in (ms_modality, *mean_squares, *covs, *of_readers)]
    found += [cleared(over_df(squares, n_readers - 1), scale[..., None])]
    found += [np.stack([one[kind] for one in own], axis=-1) for kind in (0, 2)]  # Var and Cov2
    return Components(*[*found, means, n_readers, nested])


def _crossed_mean_squares(theta: Floats, within: Floats, scale: Floats) -> tuple[Floats, Floats]:
    """Of readers, and of readers by modalities; NaN for a single reader."""
    t, r = theta.shape[-2:]
    of_reader = theta.mean(axis=-2) - theta.mean(axis=(-2, -1))[..., None]
    ms_reader = over_df(t * (of_reader**2).sum(axis=-1), r - 1)
    rest = within - of_reader[..., None, :]
    ms_both = over_df((rest**2).sum(axis=(-2, -1)), (t - 1) * (r - 1))
    return cleared(ms_reader, scale), cleared(ms_both, scale)


def _crossed_variances(
    mean_squares: tuple[Floats, Floats], covs: tuple[Floats, ...], t: int
) -> tuple[Floats, Floats]:
    """The variance components of readers, and of readers by modalities."""
    (ms_reader, ms_both), (var, cov1, cov2, cov3) = mean_squares, covs
    return (ms_reader - ms_both) / t - cov1 + cov3, ms_both - var + cov1 + cov2 - cov3


def _mean_covariances(covariance: Floats, cells: Mask) -> tuple[Floats, Floats, Floats, Floats]:
    """Var, Cov1, Cov2 and Cov3: plain means over the pairs of cells of each kind, 0 where there are none."""
    modality, reader = np.nonzero(cells)
    among = np.asarray(covariance, dtype=np.float64)[
        ..., modality[:, None], reader[:, None], modality[None, :], reader[None, :]
    ]
    same_modality = modality[:, None] == modality
    same_reader = reader[:, None] == reader
    kinds = (
        same_modality & same_reader,
        ~same_modality & same_reader,
        same_modality & ~same_reader,
        ~same_modality & ~same_reader,
    )
    nothing = np.zeros(among.shape[:-2])
    var, cov1, cov2, cov3 = (among[..., kind].mean(axis=-1) if kind.any() else nothing for kind in kinds)
    return var, cov1, cov2, cov3


def over_df(sums: Any, df: Any) -> Floats:
    """A sum of squares over its degrees of freedom; NaN where there are none."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(np.asarray(df) > 0, sums / np.asarray(df, dtype=np.float64), np.nan))


def cleared(mean_square: Floats, scale: Any) -> Floats:
    """A mean square without what rounding leaves of values that are alike."""
    return np.asarray(np.where(mean_square <= (ROUNDING * scale) ** 2, 0.0, mean_square))


def as_number(value: Any) -> Any:
    """A float for an array without axes."""
    return float(value) if np.ndim(value) == 0 else value
