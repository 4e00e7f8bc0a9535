"""Whether scores seem to run the other way: a mean AUC that is clearly below one half."""

from __future__ import annotations

import warnings
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from rocsteady.caller import caller_level, is_asked_by_the_user
from rocsteady.curves.curve_set import CurveSet, roc_curves
from rocsteady.errors import DataError, Option, Remedy, RocsteadyWarning, warn
from rocsteady.scores import ScoreSet
from rocsteady.uncertainty.intervals import mean_limits
from rocsteady.words import counted, grouped, listed

Mask = NDArray[np.bool_]

_looked_at: WeakSet[ScoreSet] = WeakSet()
"""Sets that were looked at: what there is to say of one is said once."""
_MOST_GROUPS, _MOST_ROWS = 16, 256
"""Of a model, and of a group: enough to tell an AUC from one half, and no work beside counting them all."""
_CLEARLY_RIGHT = 0.6
"""A mean of such rough AUCs from which no interval of the exact ones lies below one half."""


def warn_of_reversed(score_set: ScoreSet) -> None:
    """RS106 where a command would stop with RS041, once for each set, if the user asked for it.

    Else the curves are a step towards something else.
    """
    if not is_asked_by_the_user() or score_set in _looked_at:
        return
    _looked_at.add(score_set)
    if all(_rough_auc(score_set, own) > _CLEARLY_RIGHT for own in range(max(len(score_set.models), 1))):
        return
    if not ((score_set.n_positives > 0) & (score_set.n_negatives > 0)).any():
        return
    found = _reversed(roc_curves(score_set, undefined="drop"), score_set, 0.95, in_shell=False)
    if found is not None:
        warn("RS106", found.problem, found.found, *found.remedies, stacklevel=caller_level())


def _rough_auc(score_set: ScoreSet, model: int) -> float:
    """The mean AUC of some of a model's groups, from some of their rows."""
    c = score_set.columns
    own = np.flatnonzero(
        (score_set.model_index == model) & (score_set.n_positives > 0) & (score_set.n_negatives > 0)
    )
    areas = []
    for group in own[:: -(-own.size // _MOST_GROUPS) or 1]:
        start, stop = c.offsets[group], c.offsets[group + 1]
        rows = slice(start, stop, -(-(stop - start) // _MOST_ROWS))
        is_positive = c.labels[rows] == c.positive
        positives, negatives = np.sort(c.scores[rows][is_positive]), c.scores[rows][~is_positive]
        if positives.size and negatives.size:
            below = sum(np.searchsorted(positives, negatives, side=side).sum() for side in ("left", "right"))
            areas.append(1 - below / (2 * positives.size * negatives.size))
    rough = float(np.mean(areas)) if areas else 0.0
    return rough if c.higher_is_positive or not areas else 1 - rough


def reversed_scores(score_set: ScoreSet, *, confidence_level: float = 0.95) -> DataError | None:
    """RS041 if the interval of a model's mean AUC lies wholly below one half, else None.

    The interval is Student's, over the groups; of a single group, the logit interval of its AUC (there is
    none with weights). Nothing is flipped: the reader is told, and decides.

    Examples
    --------
    >>> from rocsteady.scores import ScoreSet
    >>> distances = ScoreSet.from_folds([([0, 0, 1, 1], [9, 7, 8, 2]), ([0, 0, 1, 1], [9, 7, 3, 2])])
    >>> print(reversed_scores(distances))
    None
    >>> folds = [([0, 0, 1, 1], [9, 7, 8, 2])] * 5 + [([0, 0, 1, 1], [9, 7, 3, 2])] * 5
    >>> print(reversed_scores(ScoreSet.from_folds(folds)))
    RS041: AUC is below 0.5 in 10 of 10 folds (mean 0.12). Scores may run the other way.
      95 % interval of the mean: 0.031 to 0.22
      -> higher_is_positive=False, or positive='0', or --allow-reversed
    """
    return _reversed(roc_curves(score_set, undefined="drop"), score_set, confidence_level, in_shell=True)


def _reversed(
    curves: CurveSet, score_set: ScoreSet, confidence_level: float, *, in_shell: bool
) -> DataError | None:
    members = _members(curves)
    limits = {model: _limits(curves, own, confidence_level) for model, own in members.items()}
    reversed_models = [model for model, (_, high) in limits.items() if high < 0.5]
    if not reversed_models:
        return None
    first, level = reversed_models[0], f"{100 * confidence_level:g} %"
    whose = f" of {first}" if len(members) > 1 else ""
    is_one = np.count_nonzero(members[first]) == 1
    found = [f"{level} interval{'' if is_one else ' of the mean'}: {_range(*limits[first])}"]
    if len(reversed_models) > 1:
        found.append(f"the same for {listed(reversed_models[1:])}")
    return DataError(
        "RS041",
        f"AUC{whose} is {_below(curves, members[first])}. Scores may run the other way.",
        "\n".join(found),
        _remedy(score_set, reversed_models, list(members), in_shell=in_shell),
    )


def _members(curves: CurveSet) -> dict[str, Mask]:
    """The curves of each model that has any."""
    if not curves.models:
        return {"": np.ones(len(curves), dtype=np.bool_)}
    members = {model: curves.model_index == i for i, model in enumerate(curves.models)}
    return {model: own for model, own in members.items() if own.any()}


def _limits(curves: CurveSet, own: Mask, confidence_level: float) -> tuple[float, float]:
    if np.count_nonzero(own) > 1:
        return mean_limits(curves.auc[own], confidence_level)
    if curves.is_weighted:
        return np.nan, np.nan
    curve = curves[int(np.flatnonzero(own)[0])]
    with warnings.catch_warnings():  # whatever there is to say about the interval, it is not shown
        warnings.simplefilter("ignore", RocsteadyWarning)
        interval = curve.auc_interval(confidence_level, "guarded")
    return interval.low, interval.high


def _below(curves: CurveSet, own: Mask) -> str:
    aucs = curves.auc[own]
    if aucs.size == 1:
        return f"{aucs[0]:.2g}"
    share = f"{grouped(int(np.count_nonzero(aucs < 0.5)))} of {counted(aucs.size, curves.unit)}"
    return f"below 0.5 in {share} (mean {aucs.mean():.2g})"


def _range(low: float, high: float) -> str:
    return f"{max(low, 0):.2g} to {high:.2g}"


def _remedy(score_set: ScoreSet, reversed_models: list[str], models: list[str], *, in_shell: bool) -> Remedy:
    if len(reversed_models) < len(models):  # one direction serves all models
        turn = f"turn the scores of {listed(reversed_models)} round"
        return f"{turn}, or  --allow-reversed" if in_shell else turn
    parts: list[str | Option] = []
    if score_set.higher_is_positive or not in_shell:
        parts += [Option("higher_is_positive", not score_set.higher_is_positive)]
    else:
        parts += ["leave out  --low-is-positive"]
    negative = score_set.classes.negative
    if negative != "other" and " or " not in negative:
        parts += [", or ", Option("positive", negative)]
    return [*parts, ", or --allow-reversed"] if in_shell else parts
