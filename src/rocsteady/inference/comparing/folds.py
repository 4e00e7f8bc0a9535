"""Whether groups are folds of a cross-validation, which share training cases."""

from __future__ import annotations

import re
from collections.abc import Sequence

_FOLD = re.compile(r"fold[\s_-]*\d+", re.IGNORECASE)


def are_folds(unit: str, names: Sequence[str] = ()) -> bool:
    """Whether groups are folds: by their word, or because every one of them is called so.

    >>> are_folds("fold"), are_folds("cv_folds"), are_folds("Resample", ["Fold01", "Fold02"])
    (True, True, True)
    >>> are_folds("host", ["fold-out-bed", "web-1"]), are_folds("reader")
    (False, False)
    >>> are_folds("Resample", ["Fold1.Rep1", "Fold1.Rep2"])  # repeats share more than folds do
    False
    """
    if "fold" in unit.casefold():
        return True
    return bool(names) and all(_FOLD.fullmatch(name) for name in names)
