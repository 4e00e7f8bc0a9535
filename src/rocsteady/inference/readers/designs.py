"""Who read what: the design of a reader study, from the table of ratings that exist."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]

CROSSED = "fully crossed"
READERS_IN_MODALITIES = "readers nested in modalities"
CASES_IN_READERS = "cases nested in readers"
CASES_IN_MODALITIES = "cases nested in modalities"
SPLIT_PLOT = "split-plot"
PARTLY = "partly crossed"
ALL_APART = "readers and cases nested in modalities"


def cells_of(is_read: Mask) -> Mask:
    """Which reader read anything in which modality, ``(t, r)``."""
    return np.asarray(is_read.any(axis=2))


def is_nested(cells: Mask) -> bool:
    """Whether every reader has exactly one modality, and there are several."""
    return cells.shape[0] > 1 and bool((cells.sum(axis=0) == 1).all())


def design_of(is_read: Mask) -> str:
    """The design of a study in words, from ``(t, r, c)`` whether there is a rating.

    Cells that a design of nested readers leaves empty do not count.

    Examples
    --------
    >>> import numpy as np
    >>> design_of(np.ones((2, 3, 10), dtype=bool))
    'fully crossed'
    >>> own = np.zeros((2, 2, 4), dtype=bool)
    >>> own[:, 0, :2] = own[:, 1, 2:] = True
    >>> design_of(own)
    'cases nested in readers'
    """
    if is_read.all():
        return CROSSED
    cells = cells_of(is_read)
    if is_nested(cells):
        return _of_nested_readers(is_read, cells)
    if not cells.all():
        return PARTLY
    if (is_read == is_read[:, :1]).all() and (is_read[:, 0].sum(axis=0) == 1).all():
        return CASES_IN_MODALITIES
    return _of_reader_cases(is_read[0]) if (is_read == is_read[:1]).all() else PARTLY


def _of_nested_readers(is_read: Mask, cells: Mask) -> str:
    """The design if every reader has one modality."""
    of_modality = np.asarray(is_read.any(axis=1))  # (t, c)
    if not all((is_read[i, cells[i]] == of_modality[i]).all() for i in range(len(cells))):
        return PARTLY
    if of_modality.all():
        return READERS_IN_MODALITIES
    return ALL_APART if (of_modality.sum(axis=0) == 1).all() else PARTLY


def _of_reader_cases(of_reader: Mask) -> str:
    """The design if a reader reads the same cases in every modality, from ``(r, c)``."""
    if (of_reader.sum(axis=0) == 1).all():
        return CASES_IN_READERS
    # Blocks: two readers have all their cases in common, or none.
    blocks = np.unique(of_reader, axis=0)
    return SPLIT_PLOT if (blocks.sum(axis=0) == 1).all() else PARTLY
