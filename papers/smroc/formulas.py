"""What the paper's formulas give on small examples: the printed ones beside those that are meant."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from papers.checks import Check, exact
from papers.slides import printed
from papers.smroc.quiet_curves import quiet_curve
from rocsteady.curves.smroc import SmrocCurve, scored_auc, smroc_curve
from rocsteady.results import Result

Floats = NDArray[np.float64]
TEN_SCORES = printed.TEN_SCORES
TEN_LABELS = tuple(int(label == "+") for label in printed.TEN_LABELS)
"""Ten instances with a tie across the classes, from a lecture on ROC curves (Sakellaropoulos)."""
MOVIE_SCORES = (0.99, 0.70, 0.60, 0.52, 0.25, 0.04)
MOVIE_LABELS = (1, 1, 0, 1, 0, 0)
"""Anna's six movies of Figure 2, which prints no values: two that the text names (.99 and .7), one of .52
that she recommends all the same, and a plausible rest."""
OUTSIDE_LABELS, OUTSIDE_SCORES = (1, 0, 0, 0), (1.0, 1.0, 1.0, 0.0)
"""Scores of 0 and 1 whose Mid is above 1."""
LARGEST_CLASS = 4
"""Of the data sets with scores of 0 and 1, all of which are tried."""


@dataclass(frozen=True, eq=False, repr=False)
class PairFormulas(Result):
    """Equations 5 and 6 on one example.

    Attributes
    ----------
    area : float
        Under the curve of Algorithm 2.
    as_printed : float
        With 1 - Theta(x_i), and nothing for tied pairs.
    other_subscript : float
        With 1 - Theta(x_j), and nothing for tied pairs.
    ties_half : float
        With 1 - Theta(x_j), and half of it for every tied pair.
    """

    area: float
    as_printed: float
    other_subscript: float
    ties_half: float

    def __repr__(self) -> str:
        return f"PairFormulas(area {self.area:.4f}, as printed {self.as_printed:.4f})"


def pair_formulas(labels: Sequence[int], scores: Sequence[float]) -> PairFormulas:
    """Equations 5 and 6, pair by pair."""
    curve = quiet_curve(labels, scores)
    theta, s = curve.credit, np.asarray(scores)
    higher, tied = (s[:, None] > s[None, :]).astype(float), (s[:, None] == s[None, :]).astype(float)
    self_only = np.eye(len(s))
    of_i, of_j = (1 - theta)[:, None], (1 - theta)[None, :]
    total = theta.sum() * (1 - theta).sum()

    def value(psi: Floats) -> float:
        return float((theta[:, None] * psi).sum() / total)

    return PairFormulas(
        area=curve.auc,
        as_printed=value(of_i * (higher + 0.5 * self_only)),
        other_subscript=value(of_j * (higher + 0.5 * self_only)),
        ties_half=value(of_j * (higher + 0.5 * tied)),
    )


@dataclass(frozen=True, eq=False, repr=False)
class ZeroOne(Result):
    """All data sets with scores of 0 and 1 and at most a few cases of each class.

    Attributes
    ----------
    n_inside, n_outside : int
        With Mid in (0, 1]; with another.
    largest_gap_inside : float
        Between smAUC and AUC, over the former.
    n_differ_outside, n_varied_outside : int
        Of the latter: where the two areas differ; where the scores are not all the same.
    """

    n_inside: int
    n_outside: int
    largest_gap_inside: float
    n_differ_outside: int
    n_varied_outside: int

    def __repr__(self) -> str:
        return f"ZeroOne(inside {self.n_inside}, outside {self.n_outside}, {self.n_differ_outside} differ)"


@cache
def zero_one() -> ZeroOne:
    """Is smAUC the AUC where scores are 0 and 1? (K7)"""
    inside, outside, n_varied = [], [], 0
    sizes = range(1, LARGEST_CLASS + 1)
    for n_positives, n_negatives in itertools.product(sizes, sizes):
        for ones in itertools.product(range(n_positives + 1), range(n_negatives + 1)):
            labels = [1] * n_positives + [0] * n_negatives
            scores = [
                float(i < k) for n, k in zip((n_positives, n_negatives), ones, strict=True) for i in range(n)
            ]
            curve = quiet_curve(labels, scores)
            gap = abs(curve.auc - curve.roc_auc)
            if 0 < curve.mid <= 1:
                inside.append(gap)
            else:
                outside.append(gap)
                n_varied += len(set(scores)) > 1
    differ = sum(not gap <= 1e-12 for gap in outside)  # an undefined smAUC differs too
    return ZeroOne(len(inside), len(outside), max(inside), differ, n_varied)


@dataclass(frozen=True, eq=False, repr=False)
class Midpoint(Result):
    """Equation 1 on an example.

    Attributes
    ----------
    right : float
        ``sum(S) / (2 n+)``, its right-hand side.
    printed_ratio, other_ratio : float
        Its left-hand side with c = n+ / n, as printed, and with c = n+ / n-.
    """

    right: float
    printed_ratio: float
    other_ratio: float

    def __repr__(self) -> str:
        return f"Midpoint({self.right:.4f}; n+/n: {self.printed_ratio:.4f}, n+/n-: {self.other_ratio:.4f})"


def midpoint(labels: Sequence[int], scores: Sequence[float]) -> Midpoint:
    """Both sides of Equation 1 (K1)."""
    is_positive, s = np.asarray(labels) == 1, np.asarray(scores)
    n, n_positives = len(s), int(is_positive.sum())
    high, low = s[is_positive].mean(), s[~is_positive].mean()
    left = [0.5 * (high + low / c) for c in (n_positives / n, n_positives / (n - n_positives))]
    return Midpoint(float(s.sum() / (2 * n_positives)), *map(float, left))


def calibrated() -> dict[float, Midpoint]:
    """Equation 1 for calibrated scores, by the share of positives (K2): of cases at p a share p is."""
    levels, found = (0.1, 0.4, 0.8), {}
    for sizes in ((10, 10, 35), (10, 20, 20), (100, 10, 10), (400, 10, 5)):
        labels: list[int] = []
        scores: list[float] = []
        for level, size in zip(levels, sizes, strict=True):
            n_positives = round(level * size)
            labels += [1] * n_positives + [0] * (size - n_positives)
            scores += [level] * size
        found[sum(labels) / len(labels)] = midpoint(labels, scores)
    return found


def end_of_algorithm_2(labels: Sequence[int], scores: Sequence[float], mid: float) -> tuple[float, float]:
    """Where the curve ends if a score equal to Mid is met by none of the branches (K4)."""
    curve = quiet_curve(labels, scores, mid)
    moves = np.asarray(scores) != mid
    up, right = curve.credit[moves].sum(), (1 - curve.credit)[moves].sum()
    return float(right / curve.total_debit), float(up / curve.total_credit)


@dataclass(frozen=True, eq=False, repr=False)
class Movies(Result):
    """Figure 2, and what changes if two recommended movies come closer together.

    Attributes
    ----------
    curve, closer : SmrocCurve
        Anna's six movies; the same with the scores of the first two moved towards each other.
    scored, scored_closer : float
        sAUC (Wu, Flach & Ferri) of both.
    """

    curve: SmrocCurve
    closer: SmrocCurve
    scored: float
    scored_closer: float

    @property
    def slopes(self) -> Floats:
        """Of the six segments of the curve."""
        return np.diff(self.curve.tpr) / np.diff(self.curve.fpr)

    def __repr__(self) -> str:
        return f"Movies(smAUC {self.curve.auc:.3f}, AUC {self.curve.roc_auc:.3f}, sAUC {self.scored:.3f})"


def movies() -> Movies:
    """Anna's six movies."""
    first, second, *rest = MOVIE_SCORES
    closer = (first - 0.1, second + 0.1, *rest)
    return Movies(
        curve=smroc_curve(MOVIE_LABELS, MOVIE_SCORES, name="Anna"),
        closer=smroc_curve(MOVIE_LABELS, closer, name="Anna, closer"),
        scored=scored_auc(MOVIE_LABELS, MOVIE_SCORES).value,
        scored_closer=scored_auc(MOVIE_LABELS, closer).value,
    )


def checks() -> list[Check]:
    """The identities behind the corrected formulas, and the numbers of the errata."""
    pairs, outside = pair_formulas(TEN_LABELS, TEN_SCORES), quiet_curve(OUTSIDE_LABELS, OUTSIDE_SCORES)
    of_mid, tried = midpoint(OUTSIDE_LABELS, OUTSIDE_SCORES), zero_one()
    section, source = "Formulas", "four digits in the errata"

    def given(name: str, expected: float, found: float) -> Check:
        return Check(section, name, expected, found, 5e-5, source)

    return [
        exact(
            section, "equation 5, corrected, less the area (ten instances)", 0.0, pairs.ties_half - pairs.area
        ),
        given("equation 6 as printed (ten instances)", 0.2119, pairs.as_printed),
        given("equation 6 with the other subscript (ten instances)", 0.5457, pairs.other_subscript),
        given("area under the curve (ten instances)", 0.5806, pairs.area),
        exact(section, "equation 1 with c = n+/n-, left less right", 0.0, of_mid.other_ratio - of_mid.right),
        exact(section, "scores of 0 and 1, Mid in (0, 1]: largest gap", 0.0, tried.largest_gap_inside),
        exact(section, "counter-example, Mid 1.5: smAUC", 0.75, outside.auc),
        exact(section, "counter-example, Mid 1.5: AUC", 2 / 3, outside.roc_auc),
        exact(
            section,
            "Mid of calibrated scores, largest gap to 1/2",
            0.0,
            max(abs(own.right - 0.5) for own in calibrated().values()),
        ),
    ]
