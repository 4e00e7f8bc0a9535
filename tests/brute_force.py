"""The definitions, written down as literally as they are stated: slow, exact, and nobody's code but the textbook's."""

from __future__ import annotations

import itertools
import operator
from fractions import Fraction

RULES = {">=": operator.ge, ">": operator.gt, "<=": operator.le, "<": operator.lt}


def split(labels, scores, weights=None):
    """(score, weight) of the positives and of the negatives."""
    weights = [1] * len(scores) if weights is None else weights
    rows = list(zip(labels.tolist(), scores.tolist(), [Fraction(w) for w in weights], strict=True))
    return [(s, w) for y, s, w in rows if y], [(s, w) for y, s, w in rows if not y]


def psi(positive, negative):
    """1 if the positive outranks the negative, 1/2 for a tie."""
    return Fraction(1) if positive > negative else Fraction(1, 2) if positive == negative else Fraction(0)


def auc(labels, scores, weights=None):
    positives, negatives = split(labels, scores, weights)
    won = sum(w * v * psi(s, t) for s, w in positives for t, v in negatives)
    return won / (sum(w for _, w in positives) * sum(v for _, v in negatives))


def rates_at(labels, scores, threshold, rule, weights=None):
    """(FPR, TPR) of calling ``score rule threshold`` positive."""
    positives, negatives = split(labels, scores, weights)
    called = [
        sum(w for s, w in rows if RULES[rule](s, threshold)) / sum(w for _, w in rows)
        for rows in (negatives, positives)
    ]
    return called[0], called[1]


def placements(labels, scores):
    """V10 of every positive, V01 of every negative."""
    positives, negatives = split(labels, scores)
    v10 = [sum(psi(s, t) for t, _ in negatives) / len(negatives) for s, _ in positives]
    v01 = [sum(psi(s, t) for s, _ in positives) / len(positives) for t, _ in negatives]
    return v10, v01


def sample_covariance(x, y):
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True)) / (len(x) - 1)


def delong_covariance(labels, scores, other):
    """DeLong, DeLong & Clarke-Pearson (1988): S10 / n_positives + S01 / n_negatives."""
    (v10, v01), (w10, w01) = placements(labels, scores), placements(labels, other)
    return sample_covariance(v10, w10) / len(v10) + sample_covariance(v01, w01) / len(v01)


def nonparametric_variance(labels, scores):
    """Hanley & McNeil's variance with counted Q1 and Q2, as SPSS's algorithms state it."""
    positives, negatives = split(labels, scores)
    n_p, n_n = len(positives), len(negatives)
    area = auc(labels, scores)

    def part(above, tied):
        return above**2 + above * tied + Fraction(tied**2, 3)

    q1 = sum(
        part(sum(s > t for s, _ in positives), sum(s == t for s, _ in positives)) for t, _ in negatives
    ) / Fraction(n_n * n_p**2)
    q2 = sum(
        part(sum(t < s for t, _ in negatives), sum(t == s for t, _ in negatives)) for s, _ in positives
    ) / Fraction(n_p * n_n**2)
    excess = (n_p - 1) * (q1 - area**2) + (n_n - 1) * (q2 - area**2)
    return (area * (1 - area) + excess) / (n_p * n_n)


def cross_auc(groups, positive_shares=None, negative_shares=None):
    """The mean over pairs of groups of the AUC of the positives of one against the negatives of the other."""
    n = len(groups)
    positive_shares = positive_shares or [Fraction(1, n)] * n
    negative_shares = negative_shares or [Fraction(1, n)] * n
    rows = [split(*group) for group in groups]
    total = Fraction(0)
    for (positives, _), w in zip(rows, positive_shares, strict=True):
        for (_, negatives), v in zip(rows, negative_shares, strict=True):
            won = sum(psi(s, t) for s, _ in positives for t, _ in negatives)
            total += w * v * won / (len(positives) * len(negatives))
    return total


def vertices(labels, scores):
    """(FPR, TPR) from (0, 0) on, one vertex for each distinct score."""
    thresholds = sorted(set(scores.tolist()), reverse=True)
    return [(Fraction(0), Fraction(0))] + [rates_at(labels, scores, t, ">=") for t in thresholds]


def tprs_on(path, fpr):
    """The smallest and the largest TPR of a polyline at this FPR."""
    found = []
    for (x0, y0), (x1, y1) in itertools.pairwise(path):
        if x0 <= fpr <= x1:
            found += [y0, y1] if x0 == x1 else [y0 + (y1 - y0) * (fpr - x0) / (x1 - x0)]
    return min(found), max(found)


def vertical_average(groups, shares, fpr):
    """The mean of the smallest and the mean of the largest TPR at this FPR."""
    ends = [tprs_on(vertices(*group), fpr) for group in groups]
    return tuple(sum(w * end[side] for w, end in zip(shares, ends, strict=True)) for side in (0, 1))
