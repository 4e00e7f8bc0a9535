"""AUCs on the logit scale: what to do where they have none, and when a fit to them is not to be trusted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.members import Members
from rocsteady.counting.table import Moments
from rocsteady.curves.uncertainty import auc_shares
from rocsteady.errors import Option, Remedy, warn
from rocsteady.inference.summaries.random_effects import RandomEffects, less_than_chance, random_effects
from rocsteady.statistics.delong import delong_variance, hanley_mcneil_variance
from rocsteady.statistics.groups import is_skewed

Floats = NDArray[np.float64]

_LOGIT_BIAS, _LOGIT_BIAS_IF_RARE, _WORST_BIAS = 0.18, 0.3, 0.4
"""Bias of the centre per variance of a group's logit, and if a class is rare; the share of its standard error
that is too much. From simulations: see RS289."""
_RARE = 1 / 3
"""Cases of the rarer class per case of the other."""
_TOO_ALIKE = 0.01
"""Cochran's Q is among the lowest of this share."""
_MUCH_LESS = 0.8
"""Of its mean: DeLong's variance of tiny groups is a little too large, which thousands of them would show."""
_LEAST_KNOWN = 0.5
"""I squared below which predictions with a known tau were measured to hold far too little: see RS288."""


def logits_of(members: Members, moments: Moments) -> tuple[Floats, Floats, Floats]:
    """Logits of the AUCs, their variances, and the standard errors of the AUCs themselves.

    RS285 where an AUC of 0 or 1 loses half a pair, or where a variance is not DeLong's.
    """
    auc, complement = auc_shares(moments)
    separated = (auc == 0) | (complement == 0)
    half = 0.5 / (moments.n_positives.astype(np.float64) * moments.n_negatives + 1)
    auc, complement = (
        np.where(separated, np.clip(share, half, 1 - half), share) for share in (auc, complement)
    )
    variance = delong_variance(moments)
    replaced = ~(variance > 0)
    if replaced.any():
        warn(
            "RS285.replaced",
            n=int(replaced.sum()),
            n_groups=len(members),
            unit=members.unit,
            n_separated=int(separated.sum()),
            n_others=int(replaced.sum()) - int(separated.sum()),
            ways=other_methods(members, "t", "if they are many, the mean AUC is safer:  "),
        )
        # Of the better side: the formula's model has AUCs above 1/2, and turned scores are no surer.
        better = np.maximum(auc, complement)
        instead = hanley_mcneil_variance(better, moments.n_positives, moments.n_negatives)
        variance = np.where(replaced, instead, variance)
    return np.log(auc) - np.log(complement), variance / (auc * complement) ** 2, np.sqrt(variance)


def shared_variances(moments: Moments, values: Floats, variances: Floats) -> Floats:
    """Variances of logits from what all groups show of the scatter of cases, for the sizes of each.

    A group's own variance goes with its AUC: near 1 a good group seems unsure, counts little, and how much
    groups differ comes out too small. Here placements have the same variance in all groups, and the slope
    of the logit is that at the mean AUC. ``variances`` serve where no placement scatters.
    """
    from scipy.special import expit

    positives, negatives = moments.n_positives.astype(np.float64), moments.n_negatives.astype(np.float64)
    squares = (
        moments.positive_spread / (positives * (2 * negatives) ** 2),
        moments.negative_spread / (negatives * (2 * positives) ** 2),
    )
    with np.errstate(invalid="ignore"):  # a single case of a class in every group
        of_positives, of_negatives = (
            own.sum() / (n - 1).sum() for own, n in zip(squares, (positives, negatives), strict=True)
        )
    if not of_positives + of_negatives > 0:
        return variances
    slope = float(expit(values).mean() * expit(-values).mean())
    return np.asarray((of_positives / positives + of_negatives / negatives) / slope**2)


def warn_about_fit(members: Members, variances: Floats, fitted: RandomEffects, interval: str) -> None:
    """RS286 to RS289: too little spread to believe in or to predict from, groups too small for so many."""
    if fitted.standard_error == 0:
        warn("RS287.equal", n=len(members), unit=members.unit, auc=float(members.auc[0]))
        return
    alike = less_than_chance(fitted)
    if alike < _TOO_ALIKE:
        _warn_of_alike(members, fitted.q, alike, is_known=False)
    elif interval == "hartung-knapp" and len(members) > 2 and fitted.i_squared < _LEAST_KNOWN:
        warn("RS288.unknown", unit=members.unit, i_squared=round(fitted.i_squared, 3), n=len(members))
    typical, error = _typical_errors(variances, fitted)
    if _is_biased(members, variances, fitted):
        ways = other_methods(members, "t")
        warn("RS289.centre", unit=members.unit, typical=typical, error=error, ways=ways)


def other_methods(members: Members, method: str, why: str = "") -> list[Remedy]:
    """The method to take; where that one would only send back, that none holds, and which errs least."""
    if method and not (method == "t" and is_skewed(members.auc)):
        return [[why, Option("method", method)]]
    closing: list[Remedy] = [f"no method keeps its level here; more cases in each {members.unit} would help"]
    if not is_skewed(members.auc, is_widened=True):
        closing.append(["nearest to it for folds, being wider:  ", Option("method", "nadeau-bengio")])
    return closing


def _typical_errors(variances: Floats, fitted: RandomEffects) -> tuple[float, float]:
    """Of a group's logit, and of the centre."""
    # Not the Hartung-Knapp error, which is tiny by chance now and then.
    error = float(1 / np.sqrt((1 / (variances + fitted.tau**2)).sum()))
    return float(np.sqrt(np.median(variances))), error


def _is_biased(members: Members, variances: Floats, fitted: RandomEffects) -> bool:
    """Whether the groups are too small for so many of them."""
    typical, error = _typical_errors(variances, fitted)
    odds = members.n_positives / members.n_negatives
    is_rare = np.median(np.minimum(odds, 1 / odds)) < _RARE
    return bool((_LOGIT_BIAS_IF_RARE if is_rare else _LOGIT_BIAS) * typical**2 > _WORST_BIAS * error)


def effects_hold(members: Members, moments: Moments) -> bool:
    """Whether random effects would do without a warning that sends back to the mean."""
    auc, complement = auc_shares(moments)
    variance = delong_variance(moments)
    if not ((variance > 0) & (auc > 0) & (complement > 0)).all():
        return False
    variances = variance / (auc * complement) ** 2
    fitted = random_effects(np.log(auc) - np.log(complement), variances, "reml")
    return not _is_biased(members, variances, fitted)


def warn_if_alike(members: Members, variances: Floats, *, is_known: bool) -> None:
    """RS286 if AUCs differ less than by chance, on their own scale."""
    from scipy.special import chdtr

    df = members.auc.size - 1
    if not (variances > 0).all():  # single cases, perfect groups: how much chance explains is not known
        return
    q = df * float(members.auc.var(ddof=1) / variances.mean())
    share = float(chdtr(df, q))
    if share < _TOO_ALIKE and q < _MUCH_LESS * df:
        _warn_of_alike(members, q, share, is_known=is_known)


def _warn_of_alike(members: Members, q: float, share: float, *, is_known: bool) -> None:
    df, percentage = len(members) - 1, 100 * share
    warn("RS286.alike", unit=members.unit, q=q, df=df, percentage=percentage, are_known=is_known)
