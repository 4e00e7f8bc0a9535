"""One difference between two models: at an operating point, or of the areas; nothing else is computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocsteady.averaging.methods import Method, method_of
from rocsteady.inference.comparing.asked import Question
from rocsteady.inference.comparing.comparing import _Matching, _over, compared_places, over_what
from rocsteady.inference.comparing.own_intervals import about
from rocsteady.inference.comparing.results import Difference
from rocsteady.options import open_share, resamples_asked, whole_number
from rocsteady.places import Place
from rocsteady.points.paired_tests import paired_tests, ratio_of
from rocsteady.results import Result
from rocsteady.scores.score_set import ScoreSet
from rocsteady.statistics.groups import two_sided_quantile
from rocsteady.statistics.intervals import Interval
from rocsteady.words import counted, plural

_NO_RANGE = (0.02, 0.5)
"""Of a difference curve, which is not made here."""


@dataclass(frozen=True, eq=False)
class PointComparison(Result):
    """What :func:`compare_at` found.

    Attributes
    ----------
    differences : tuple of Difference
        One; at a threshold two, of the FPR and of the TPR.
    n_groups : int or (int, int)
        How many groups; of each model where they are not paired.
    random : {"groups", "cases"}
        What is random.
    paired : bool
        Whether differences are taken within groups (or within cases).
    groups : tuple of str
        The groups that were compared, where they are paired.
    """

    differences: tuple[Difference, ...]
    n_groups: Any
    random: str
    paired: bool
    groups: tuple[str, ...]


def compare_at(
    score_set: ScoreSet,
    a: str,
    b: str,
    *,
    method: str | Method = "vertical",
    at: Place | Mapping[str, Any] | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    seed: int = 0,
    test_train_ratio: float | None = None,
) -> PointComparison:
    """What :func:`rocsteady.compare` says of two models at one place, without its difference curve.

    With ten thousand groups the curve takes nearly all of the time. Groups of one class, and groups and cases
    that one of the models did not score, are left out.

    Parameters
    ----------
    score_set : ScoreSet
        With both models.
    a, b : str
        The models; differences are a less b.
    method : str or Method
        The average that is compared.
    at : mapping, optional
        One operating point, as in :func:`rocsteady.compare`; without it, the area under the average.
    confidence_level, n_resamples, seed, test_train_ratio
        As in :func:`rocsteady.compare`.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(0)
    >>> labels, hosts = np.tile([0, 1], 400), np.repeat(np.arange(8), 100)
    >>> case = rng.normal(size=800) + labels
    >>> scores = {"old": case + rng.normal(size=800), "new": case + 0.5 * rng.normal(size=800)}
    >>> both = rs.ScoreSet.from_arrays(labels, scores, hosts)
    >>> compare_at(both, "new", "old", at={"fpr": 0.1}).differences
    (Difference(TPR at FPR 0.1, new less old: +0.0975 (-0.0530 to +0.2480), p 0.169),)
    """
    question = Question(
        open_share("confidence_level", confidence_level),
        resamples_asked(n_resamples),
        whole_number("seed", seed, least=0, example=0),
        _NO_RANGE,
        ratio_of(test_train_ratio, score_set.design),
        None,
    )
    places = compared_places(at)
    matched = _Matching(score_set, method_of(method), None, "drop", "drop", None)
    both, paired = matched.of((a, b))
    random = matched.what_is_random(both)
    question = over_what(question, random, is_given=test_train_ratio is not None)
    over = _over(matched, both, question, places, random=random, paired=paired)
    if places:
        found = tuple(own for place in places for own in over.at(place))
    else:
        found = (over.area() or over.auc(),)
    groups = over.sides[0].curved.groups if paired else ()
    return PointComparison(found, over.n_groups, random, paired, groups)


def compare_own_rates(
    models: tuple[str, str],
    rates: Mapping[str, tuple[ArrayLike, ArrayLike]],
    groups: tuple[str, ...],
    *,
    unit: str = "group",
    confidence_level: float = 0.95,
    test_train_ratio: float | None = None,
) -> PointComparison:
    """Compare two models whose groups all have thresholds of their own that stay as they are.

    Parameters
    ----------
    models : pair of str
        Differences are the first less the second.
    rates : mapping
        By "fpr" and "tpr", what every group has under each model.
    groups : tuple of str
        Their names.
    unit : str
        The word for one of them.
    confidence_level, test_train_ratio
        As in :func:`rocsteady.compare`.

    Examples
    --------
    >>> rates = {"fpr": ([0.1, 0.2, 0.0], [0.1, 0.1, 0.1]), "tpr": ([0.9, 0.8, 0.7], [0.7, 0.7, 0.6])}
    >>> compare_own_rates(("new", "old"), rates, ("x", "y", "z")).differences[1]
    Difference(TPR at own thresholds, new less old: +0.1333 (-0.0101 to +0.2768), p 0.0572)
    """
    found = tuple(
        _of_own_rates(models, rate, np.asarray(rates[rate]), unit, confidence_level, test_train_ratio)
        for rate in ("fpr", "tpr")
    )
    return PointComparison(found, len(groups), "groups", True, groups)


def _of_own_rates(
    models: tuple[str, str], rate: str, own: Any, unit: str, level: float, ratio: float | None
) -> Difference:
    n = own.shape[1]
    means = own.mean(axis=1)
    test = paired_tests(own[0][:, None], own[1][:, None], test_train_ratio=ratio)
    error, df, gap = float(test.standard_error[0]), float(n - 1), float(test.difference[0])
    half = two_sided_quantile("t", level, df) * error if error > 0 else error
    pvalue = float(test.pvalue[0])
    each = [
        about(float(mean), float(np.std(x, ddof=1) * np.sqrt(1 / n + test.test_train_ratio)), df, level)
        for mean, x in zip(means, own, strict=True)
    ]
    return Difference(
        quantity=f"{rate.upper()} at own thresholds",
        a=models[0],
        b=models[1],
        a_value=float(means[0]),
        b_value=float(means[1]),
        difference=gap,
        standard_error=error,
        interval=Interval(gap - half, gap + half, level, "t"),
        statistic=float(test.statistic[0]),
        df=df,
        pvalue=pvalue,
        flip_pvalue=float("nan"),
        adjusted_pvalue=pvalue,
        method=f"paired t over {plural(unit)}",
        random=f"the {counted(n, unit)} are "
        + ("folds that share training cases" if ratio else "taken as a random sample")
        + ", and each is its own control",
        held=f"at thresholds of every {unit} that stay",
        lower_is_better=rate == "fpr",
        a_interval=each[0],
        b_interval=each[1],
    )
