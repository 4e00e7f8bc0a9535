"""Which column of outputs stands for which class: names that disagree, columns that look exchanged."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import LabelError, counted, warn
from rocsteady.scores.grouping import shown, word
from rocsteady.words import listed

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_FEWEST = 10
_CLEARLY = 3.0
"""Standard errors by which a class's own outputs must be the smaller ones before columns look exchanged."""


def require_same_order(names: tuple[Any, ...], classes: tuple[Any, ...]) -> None:
    """RS025 if the columns of a frame are called like the classes, but stand in another order."""
    columns, wanted = list(map(word, names)), list(map(word, classes))
    if columns != wanted and set(columns) == set(wanted):
        raise LabelError(
            "RS025",
            "classes= has another order than the columns of outputs.",
            f"columns: {listed(columns)}; classes: {listed(wanted)}",
            "leave classes= out: the columns say their names",
        )


def warn_of_another_order(outputs: Floats, label_index: Integers, classes: tuple[Any, ...]) -> None:
    """RS251 if columns that were taken in the order of the sorted labels do not look like those labels."""
    reversed_ones = []
    for place, name in enumerate(classes):
        own = outputs[label_index == place, place]
        other = outputs[label_index != place, place]
        if min(own.size, other.size) >= _FEWEST:
            with np.errstate(all="ignore"):  # of outputs near the largest float nothing is said
                error = np.sqrt(own.var(ddof=1) / own.size + other.var(ddof=1) / other.size)
                is_reversed = own.mean() - other.mean() < -_CLEARLY * error
            if is_reversed:
                reversed_ones.append(shown(name))
    if len(reversed_ones) > 1:
        warn(
            "RS251",
            f"outputs of {counted(len(reversed_ones), 'class')} are smaller for their own rows than for "
            "others.",
            f"columns were taken for {listed([shown(c) for c in classes])}, in this order",
            "name the classes in the order of the columns:  classes=[...]",
            "or pass a frame whose columns are called like the classes",
            stacklevel=4,
        )
