"""The numbers behind K1 to K14."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike, NDArray

from papers.errata.erratum import Numbers
from papers.errata.samples import TEN_LABELS, TEN_SCORES, normal_quantiles
from papers.smroc.sets import all_of_table_1
from rocsteady.curves.smroc import SmrocCurve, smroc_curve
from rocsteady.errors import RocsteadyWarning

Floats = NDArray[np.float64]


def quiet(positives: ArrayLike, negatives: ArrayLike, mid: str | float = "paper") -> SmrocCurve:
    """The curve of the scores of both classes, without the warnings that these examples are about."""
    classes = [np.asarray(scores, dtype=np.float64) for scores in (positives, negatives)]
    labels = np.repeat([1, 0], [scores.size for scores in classes])
    return _quietly(labels, np.concatenate(classes), mid)


def _quietly(labels: ArrayLike, scores: ArrayLike, mid: str | float = "paper") -> SmrocCurve:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RocsteadyWarning)
        return smroc_curve(labels, scores, mid=mid)


def k1() -> Numbers:
    """One positive at 0.8, three negatives at 0.2: Mid from both readings of c, and from the sum."""
    m_plus, m_minus, n_plus, n_minus = 0.8, 0.2, 1, 3
    found = {
        name: (m_plus + m_minus / c) / 2
        for name, c in (("printed", n_plus / (n_plus + n_minus)), ("ratio", n_plus / n_minus))
    }
    return found | {"mid": quiet([0.8], [0.2, 0.2, 0.2]).mid}


def k2() -> Numbers:
    """One positive, nine negatives, scores that sum to one; and half a range beside a midpoint."""
    return {
        "mid": quiet([0.55], [0.05] * 9).mid,
        "half_range": (0.9 - 0.5) / 2,
        "midpoint": (0.9 + 0.5) / 2,
    }


def k4() -> Numbers:
    """Where Algorithm 2 ends if cases at Mid do not move: positives 1 and 0.5, negatives 0.5 and 0."""
    curve = quiet([1.0, 0.5], [0.5, 0.0])
    moves = curve.scores != curve.mid
    return {
        "mid": curve.mid,
        "at_mid": int((~moves).sum()),
        "end_up": float(curve.credit[moves].sum() / curve.total_credit),
        "end_right": float((1 - curve.credit[moves]).sum() / curve.total_debit),
    }


def k5() -> Numbers:
    """The slides' ten instances: smAUC as printed, with the subscript mended, and as the area."""
    curve = _quietly(TEN_LABELS, TEN_SCORES)
    return {"literal": pairs(curve, "i"), "mended": pairs(curve, "j"), "area": curve.auc}


def pairs(curve: SmrocCurve, subscript: str) -> float:
    """Equations 5 and 6, with 1 - Theta of the higher (i, as printed) or of the lower (j) case of a pair."""
    theta, scores = curve.credit, curve.scores
    above = np.where(np.eye(scores.size, dtype=bool), 0.5, scores[:, None] > scores[None, :])
    debit = 1 - (theta[:, None] if subscript == "i" else theta[None, :])
    return float((theta[:, None] * debit * above).sum() / (curve.total_credit * curve.total_debit))


def k6() -> Numbers:
    """Two positives tied at 0.8, a negative at 0.2: the pair formula loses what ties carry."""
    curve = quiet([0.8, 0.8], [0.2])
    tied = np.equal.outer(curve.scores, curve.scores) & ~np.eye(3, dtype=bool)
    lost = (np.outer(curve.credit, 1 - curve.credit) * tied).sum() / 2
    mended = pairs(curve, "j")
    return {
        "pairs": mended,
        "with_ties": mended + float(lost) / (curve.total_credit * curve.total_debit),
        "area": curve.auc,
    }


def k7() -> Numbers:
    """Scores 0 and 1 with more than twice as many ones as positives."""
    curve = quiet([1.0], [1.0, 1.0, 0.0])
    fair = quiet([1.0], [1.0, 0.0, 0.0])
    return {
        "mid": curve.mid,
        "smauc": curve.auc,
        "auc": curve.roc_auc,
        "fair_mid": fair.mid,
        "fair_smauc": fair.auc,
        "fair_auc": fair.roc_auc,
    }


def polarised() -> tuple[NDArray[np.int64], Floats]:
    """100 positives and 1,500 negatives with scores near 0 or 1, as an overconfident learner gives them."""
    logits = 8 * np.concatenate([normal_quantiles(100, 0.9), normal_quantiles(1500, -0.4)])
    return np.repeat([1, 0], [100, 1500]), 1 / (1 + np.exp(-logits))


def k8() -> Numbers:
    """Polarised scores, Mid beyond 1: the smAUC with the true labels, and with labels dealt at random."""
    labels, scores = polarised()
    dealt = np.random.default_rng(8).permutation(labels)
    curve, even = _quietly(labels, scores), _quietly(labels, scores, 0.5)
    return {
        "mid": curve.mid,
        "auc": curve.roc_auc,
        "smauc": curve.auc,
        "dealt": _quietly(dealt, scores).auc,
        "chance": curve.chance_auc,
        "even": even.auc,
        "even_dealt": _quietly(dealt, scores, 0.5).auc,
    }


def calibrated(n_positives: int, n_negatives: int) -> tuple[NDArray[np.int64], Floats]:
    """Posteriors of two normal classes one and a half standard deviations apart."""
    apart, odds = 1.5, n_positives / n_negatives
    z = np.concatenate([normal_quantiles(n_positives, apart), normal_quantiles(n_negatives)])
    return np.repeat([1, 0], [n_positives, n_negatives]), 1 / (1 + np.exp(apart**2 / 2 - apart * z) / odds)


def k9() -> Numbers:
    """Calibrated scores, one positive in ten: chance by formula and by dealing labels; and balanced."""
    curve = _quietly(*calibrated(100, 900))
    dealt = curve.permuted(n_permutations=100, seed=9)
    return {
        "mid": curve.mid,
        "smauc": curve.auc,
        "chance": curve.chance_auc,
        "dealt": dealt.mean,
        "balanced": _quietly(*calibrated(100, 100), 0.5).chance_auc,
    }


def k10() -> Numbers:
    """The credit of a positive just above and just below Mid = 0.3."""
    curve = quiet([0.301, 0.299], [0.1], 0.3)
    return {"above": float(curve.credit[0]), "below": float(curve.credit[1])}


def k11() -> Numbers:
    """One positive at 0 and three negatives at 1: all credit, no debit."""
    curve = quiet([0.0], [1.0, 1.0, 1.0])
    return {"mid": curve.mid, "debit": curve.total_debit, "smauc": curve.auc}


def k12() -> Numbers:
    """A score outside [0, 1]; a monotone map; labels and scores turned round."""
    positives, negatives = np.array([0.9, 0.6]), np.array([0.7, 0.2, 0.1])
    turned = quiet(1 - negatives, 1 - positives)
    curve, even = quiet(positives, negatives), quiet(positives, negatives, 0.5)
    squared = quiet(positives**2, negatives**2)
    return {
        "step": 1 - 1.4,
        "smauc": curve.auc,
        "squared": squared.auc,
        "turned": turned.auc,
        "even": even.auc,
        "even_turned": quiet(1 - negatives, 1 - positives, 0.5).auc,
    }


def k13() -> Numbers:
    """The rows of Table 1 whose two classes do not add up to n, and the number of curves."""
    sets = {one.abbr: one for one in all_of_table_1()}
    hors, table = sets["hors"], {abbr: one.printed for abbr, one in sets.items()}
    off = [abbr for abbr, own in table.items() if own.positives + own.negatives != own.n]
    sums = {abbr: table[abbr].positives + table[abbr].negatives for abbr in ("echo", "adlt")}
    return {
        "off": len(off),
        "sets": len(table),
        "echo": sums["echo"],
        "echo_n": table["echo"].n,
        "adlt": sums["adlt"],
        "adlt_n": table["adlt"].n,
        "hors": hors.n,
        "hors_pos": hors.n_positives,
        "hors_neg": hors.n_negatives,
        "mush": len(sets["mush"].features),
        "curves": 2 * 2 * 10 * len(table),
        "healthy": table["hrth"].positives,
    }


def k14() -> Numbers:
    """Scores pressed together ten times: the smAUC varies less and tells no more."""
    random, n, n_samples = np.random.default_rng(14), 50, 200
    labels = np.repeat([1, 0], n)
    found = []
    for _ in range(n_samples):
        scores = 1 / (1 + np.exp(-2 * (random.standard_normal(2 * n) + labels - 0.5)))
        plain = _quietly(labels, scores, 0.5)
        found.append((plain.roc_auc, plain.auc, _quietly(labels, 0.5 + (scores - 0.5) / 10, 0.5).auc))
    values = np.array(found)
    sd, effect = values.std(axis=0, ddof=1), values.mean(axis=0) - 0.5
    names = ("auc", "smauc", "pressed")
    return {f"{name}_sd": float(one) for name, one in zip(names, sd, strict=True)} | {
        f"{name}_ratio": float(one) for name, one in zip(names, effect / sd, strict=True)
    }
