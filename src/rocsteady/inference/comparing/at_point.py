"""One difference between two models: at an operating point, or of the areas; nothing else is computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rocsteady.averaging.methods import Method, method_of
from rocsteady.counting.arguments import open_share, resamples_asked, whole_number
from rocsteady.counting.results import Result
from rocsteady.inference.comparing.asked import Question
from rocsteady.inference.comparing.comparing import _Matching, _over
from rocsteady.inference.comparing.places import places_of
from rocsteady.inference.comparing.results import Difference
from rocsteady.scores.score_set import ScoreSet

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
    at: Mapping[str, Any] | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    seed: int = 0,
    test_train_ratio: float | str | None = None,
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
        test_train_ratio,
        None,
    )
    places = places_of(at)
    matched = _Matching(score_set, method_of(method), None, "drop", "drop", None)
    both, paired = matched.of((a, b))
    random = matched.what_is_random(both)
    over = _over(matched, both, question, places, random=random, paired=paired)
    if places:
        found = tuple(own for place in places for own in over.at(place))
    else:
        found = (over.area() or over.auc(),)
    groups = over.sides[0].curved.groups if paired else ()
    return PointComparison(found, over.n_groups, random, paired, groups)
