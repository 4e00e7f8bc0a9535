"""Whether groups are folds of a cross-validation, which share training cases."""

from __future__ import annotations

import re
from collections.abc import Sequence

_FOLD = re.compile(r"fold[\s_-]*\d+", re.IGNORECASE)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_WORDS = frozenset(("fold", "folds", "kfold", "kfolds", "cvfold", "cvfolds"))


def is_word_for_folds(unit: str) -> bool:
    """Whether one of the words that a group is called by is that for a fold, and not only a part of one.

    >>> [is_word_for_folds(unit) for unit in ("fold", "cv_folds", "outerFold", "FOLD-ID", "10-fold")]
    [True, True, True, True, True]
    >>> [is_word_for_folds(unit) for unit in ("scaffold", "scaffold_id", "blindfold", "Manifolds")]
    [False, False, False, False]
    """
    return any(word.casefold() in _WORDS for word in _WORD.findall(unit))


def are_folds(unit: str, names: Sequence[str] = ()) -> bool:
    """Whether groups are folds: by their word, or because every one of them is called so.

    >>> are_folds("fold"), are_folds("cv_folds"), are_folds("Resample", ["Fold01", "Fold02"])
    (True, True, True)
    >>> are_folds("host", ["fold-out-bed", "web-1"]), are_folds("reader")
    (False, False)
    >>> are_folds("Resample", ["Fold1.Rep1", "Fold1.Rep2"])  # repeats share more than folds do
    False
    """
    if is_word_for_folds(unit):
        return True
    return bool(names) and all(_FOLD.fullmatch(name) for name in names)
