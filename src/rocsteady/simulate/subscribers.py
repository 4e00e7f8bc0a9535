"""The example of the documentation for folds: who will leave, by models of three sizes, cross-validated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class _Tuned:
    """A model of one depth: what it can see, and how surely it speaks in each fold."""

    name: str
    separation: float
    sureness: float
    drift: float


_MODELS = (
    _Tuned("depth 2", separation=1.15, sureness=0.8, drift=0.1),
    _Tuned("depth 5", separation=1.45, sureness=1.2, drift=0.6),
    # Too deep: it has learnt its training folds by heart, and is far too sure.
    _Tuned("depth 12", separation=1.25, sureness=3.0, drift=2.0),
)


def subscribers(*, n_subscribers: int = 3000, n_folds: int = 10, seed: int = 7) -> dict[str, list[object]]:
    """Draw the example of folds: models of three depths score the subscribers that they were not trained on.

    About one subscriber in seven leaves. Every subscriber is in one fold, and a model was trained anew for
    each, so its scores, which look like probabilities, do not mean quite the same from fold to fold.

    Parameters
    ----------
    n_subscribers, n_folds : int
        Folds are of equal size, and have equally many who leave, as far as that goes.
    seed : int
        The same seed gives the same table.

    Returns
    -------
    dict
        Columns ``fold``, ``subscriber``, ``model``, ``outcome`` (left, stayed) and ``score`` (rounded to four
        places), one row per subscriber and model.

    Examples
    --------
    >>> table = subscribers()
    >>> {name: column[0] for name, column in table.items()}
    {'fold': 1, 'subscriber': 1, 'model': 'depth 2', 'outcome': 'stayed', 'score': 0.0612}
    >>> len(table["score"]), sorted(set(table["model"]))
    (9000, ['depth 12', 'depth 2', 'depth 5'])
    """
    random = np.random.default_rng(seed)
    leaves = random.random(n_subscribers) < 1 / 7
    fold = np.empty(n_subscribers, dtype=np.int64)
    for side in (leaves, ~leaves):  # stratified, as folds should be
        fold[side] = random.permutation(int(side.sum())) % n_folds
    shared = random.standard_normal(n_subscribers)
    columns: dict[str, list[object]] = {
        "fold": [], "subscriber": [], "model": [], "outcome": [], "score": []
    }  # fmt: skip
    for model in _MODELS:
        level = -1.9 + model.drift * random.standard_normal(n_folds)
        seen = model.separation * leaves + 0.8 * shared + 0.6 * random.standard_normal(n_subscribers)
        probability = 1 / (1 + np.exp(-(level[fold] + model.sureness * seen)))
        columns["fold"] += (fold + 1).tolist()
        columns["subscriber"] += range(1, n_subscribers + 1)
        columns["model"] += [model.name] * n_subscribers
        columns["outcome"] += ["left" if own else "stayed" for own in leaves.tolist()]
        columns["score"] += probability.round(4).tolist()
    return columns
