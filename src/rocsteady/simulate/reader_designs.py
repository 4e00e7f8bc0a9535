"""Who reads which case in which modality, and which cases are of one patient."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]

DESIGNS = ("crossed", "nested in readers", "nested in modalities", "partially paired", "readers nested")
"""Who reads what; see :meth:`rocsteady.simulate.RoeMetz.draw`."""


def read_cells(
    n_modalities: int,
    n_readers: int,
    n_positives: int,
    n_negatives: int,
    *,
    design: str = "crossed",
    paired: float = 0.5,
) -> Bools:
    """Which reader reads which case in which modality: (modalities, readers, cases), the positives first.

    Examples
    --------
    >>> read_cells(2, 3, 4, 4, design="nested in modalities")[:, 0].astype(int)
    array([[1, 0, 1, 0, 1, 0, 1, 0],
           [0, 1, 0, 1, 0, 1, 0, 1]])
    """
    if design not in DESIGNS:
        raise ValueError(f"design is one of {', '.join(map(repr, DESIGNS))}, got {design!r}")
    # Numbered within the class, so that every reader and every modality gets both.
    number = np.concatenate([np.arange(n_positives), np.arange(n_negatives)])
    modality, reader = np.arange(n_modalities)[:, None, None], np.arange(n_readers)[None, :, None]
    if design == "readers nested":
        owner = np.repeat(np.arange(n_modalities), n_readers)[None, :, None]
        return np.broadcast_to(owner == modality, (n_modalities, owner.size, number.size))
    here: Any = True
    if design == "nested in readers":
        here = number % n_readers == reader
    elif design == "nested in modalities":
        here = number % n_modalities == modality
    elif design == "partially paired":
        size = np.where(np.arange(number.size) < n_positives, n_positives, n_negatives)
        here = (number < paired * size) | (number % n_modalities == modality)
    return np.broadcast_to(here, (n_modalities, n_readers, number.size))


def patients_of(
    n_positives: int, n_negatives: int, rows_per_patient: int, *, mixed: bool = True
) -> NDArray[np.int64]:
    """The patient of each case, the positives first: so many successive ones of a class are of the same.

    ``mixed`` patients have positives and negatives, others are of one class.

    Examples
    --------
    >>> patients_of(4, 3, 2).tolist(), patients_of(4, 3, 2, mixed=False).tolist()
    ([0, 0, 1, 1, 0, 0, 1], [0, 0, 1, 1, 2, 2, 3])
    """
    positives, negatives = (
        np.arange(n, dtype=np.int64) // rows_per_patient for n in (n_positives, n_negatives)
    )
    first = 0 if mixed else -(-n_positives // rows_per_patient)
    return np.concatenate([positives, first + negatives])
