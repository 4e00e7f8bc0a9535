"""The scores of one model, made once while somebody uses them, so that they are counted once."""

from __future__ import annotations

from weakref import WeakKeyDictionary, WeakValueDictionary

from rocsteady.scores.score_set import ScoreSet

_made: WeakKeyDictionary[ScoreSet, WeakValueDictionary[str, ScoreSet]] = WeakKeyDictionary()


def single_model(score_set: ScoreSet, name: str) -> ScoreSet:
    """What ``score_set.model(name)`` gives; the very same set as long as an earlier one is in use.

    >>> both = ScoreSet.from_arrays([1, 0, 1, 0], [3, 1, 2, 5], ["a"] * 4, models=["x", "x", "y", "y"])
    >>> kept = single_model(both, "y")
    >>> single_model(both, "y") is kept, kept.names
    (True, ('a',))
    """
    known = _made.setdefault(score_set, WeakValueDictionary())
    own = known.get(name)
    if own is None:
        known[name] = own = score_set.model(name)
    return own
