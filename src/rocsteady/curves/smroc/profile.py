"""smAUC as Mid sweeps from 0 to 1: constant between scores, so exact with one value per distinct score.

When Mid passes a score, the cases with this score stop being high, and what they go up and what they go
right change places. All other cases stay as they are. The area is therefore the sum of three parts: pairs of
low cases, pairs of high cases, and high cases before low ones; each is a running sum.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.counting.arguments import real_numbers
from rocsteady.counting.results import TableResult, read_only
from rocsteady.curves.smroc.credit import chance_steps, credit_steps, enlarged
from rocsteady.errors import Option, UsageError
from rocsteady.showing import Drawn
from rocsteady.words import counted, printable

if TYPE_CHECKING:
    from rocsteady.curves.smroc.curve import SmrocCurve

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class MidProfile(Drawn, TableResult, figure="mid_profile"):
    """smAUC, and its chance level, for every Mid.

    Attributes
    ----------
    mid : float64 array
        Those asked for. Of an exact profile the last Mid of each piece, rising: all Mids above ``after`` and
        up to this one give the same curve.
    after : float64 array or None
        Of an exact profile, where each piece begins; it does not belong to it. None at chosen Mids.
    auc, chance_auc : float64 array
        smAUC, and about what labels dealt at random would give; NaN where it is undefined.
    own_mid, own_auc : float
        Of the curve that the profile is of.
    roc_auc : float
        The ordinary AUC, which needs no Mid.
    name : str or None
        Of the curve.

    Examples
    --------
    >>> import rocsteady as rs
    >>> profile = rs.smroc_curve([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1]).mid_profile()
    >>> profile
    MidProfile(5 pieces, smAUC 0.500 to 0.803)
    >>> profile.mid.tolist(), profile.auc.round(3).tolist()
    ([0.1, 0.4, 0.6, 0.9, 1.0], [0.5, 0.803, 0.775, 0.803, 0.5])
    """

    mid: Floats
    after: Floats | None
    auc: Floats
    chance_auc: Floats
    own_mid: float
    own_auc: float
    roc_auc: float
    name: str | None

    @property
    def is_exact(self) -> bool:
        """Whether it holds every piece of the profile rather than some Mids."""
        return self.after is not None

    @property
    def above_chance(self) -> Floats:
        """How far smAUC is above its chance level, for each Mid."""
        return self.auc - self.chance_auc

    def _columns(self) -> dict[str, Any]:
        start = {} if self.after is None else {"after": self.after}
        return start | {"mid": self.mid, "auc": self.auc, "chance_auc": self.chance_auc}

    def __repr__(self) -> str:
        name = f"{printable(self.name)}: " if self.name is not None else ""
        defined = self.auc[~np.isnan(self.auc)]
        areas = f"smAUC {defined.min():.3f} to {defined.max():.3f}" if defined.size else "smAUC undefined"
        return f"MidProfile({name}{counted(self.mid.size, 'piece' if self.is_exact else 'Mid')}, {areas})"


def mid_profile(curve: SmrocCurve, mids: ArrayLike | None) -> MidProfile:
    """The profile of a curve, exact or at chosen Mids."""
    rows = curve._rows
    rising = rows.levels[::-1]
    after = None
    if mids is None:
        # A Mid equal to a score leaves it high, so a piece ends at its score.
        ends = np.unique(np.append(rising[rising > 0], 1.0))
        after = read_only(np.concatenate([[0.0], ends[:-1]]))
    else:
        ends = np.atleast_1d(real_numbers("mids", mids, example=[0.25, 0.5, 0.75])).ravel()
        if not ends.size or not np.isfinite(ends).all():
            raise UsageError(
                "RS042", "mids must be finite numbers.", f"found: {mids!r:.60}", Option("mids", [0.25, 0.5])
            )
    n_low = np.searchsorted(rising, ends, side="left")
    if_high = credit_steps(rows.levels, rows.positives, rows.negatives, -np.inf)
    return MidProfile(
        mid=read_only(ends),
        after=after,
        auc=read_only(_areas(*if_high)[n_low]),
        chance_auc=read_only(_areas(*chance_steps(rows, -np.inf))[n_low]),
        own_mid=curve.mid,
        own_auc=curve.auc,
        roc_auc=curve.roc_auc,
        name=curve.name,
    )


def _areas(up: Floats, right: Floats) -> Floats:
    """The area if the lowest 0, 1, ... distinct scores are low, from the steps if all are high."""
    up, right = enlarged(up[::-1], right[::-1])  # lowest score first, to follow a rising Mid
    high_up, high_right = _from_here(up), _from_here(right)
    low_up, low_right = _up_to_here(right), _up_to_here(up)  # low: the two change places
    within_high = _from_here(right * (high_up[1:] + up / 2))
    within_low = _up_to_here(right * (low_right[:-1] + up / 2))
    won = within_low + high_up * low_right + within_high
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(won / ((high_up + low_up) * (high_right + low_right)))


def _up_to_here(steps: Floats) -> Floats:
    """Sums of the first 0, 1, ... steps."""
    return np.concatenate([[0.0], np.cumsum(steps)])


def _from_here(steps: Floats) -> Floats:
    """Sums of all steps but the first 0, 1, ..."""
    return _up_to_here(steps[::-1])[::-1]
