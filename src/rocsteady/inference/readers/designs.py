"""Who read what: the design of a reader study, from the table of ratings that exist."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]

_UNLIKE = 0.1
"""By which shares of common cases differ where modalities are partly paired."""

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


def is_partly_paired(is_read: Mask) -> bool:
    """Whether some two of three or more modalities share more of their cases than others do, ``(t, r, c)``.

    Ratings that are missing here and there do not count: shares must differ by a tenth.

    Examples
    --------
    >>> import numpy as np
    >>> own = np.zeros((3, 4, 10), dtype=bool)
    >>> own[:2, :, :6] = own[2, :, 4:] = True
    >>> is_partly_paired(own), is_partly_paired(own[:2]), is_partly_paired(np.ones((3, 4, 10), dtype=bool))
    (True, False, False)
    """
    of = is_read
    if is_nested(cells_of(is_read)):  # no reader has two: what counts is which cases anybody read
        of = np.asarray(is_read.any(axis=1, keepdims=True))
    shares = [
        float((of[i] & of[j]).sum() / (of[i] | of[j]).sum()) for i, j in combinations(range(len(of)), 2)
    ]
    return len(shares) > 1 and max(shares) - min(shares) > _UNLIKE


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


def to_be_read(is_read: Mask) -> Mask:
    """Which ratings the design asks for, ``(t, r, c)``: what is not there of these is missing.

    The design is what most ratings follow. If most cases were read with several modalities, each was to be
    read with all; otherwise with those that somebody read it with. Readers who have cases in common, directly
    or through others, are a block. If most of the ratings of a block are there, each of its cases was to be
    read by all of its readers; otherwise by those who read it with some modality.

    Examples
    --------
    Two readers with cases of their own; the first lacks one of hers with the second modality.

    >>> import numpy as np
    >>> own = np.zeros((2, 2, 4), dtype=bool)
    >>> own[:, 0, :2] = own[:, 1, 2:] = True
    >>> own[1, 0, 0] = False
    >>> int((to_be_read(own) & ~own).sum())
    1
    """
    of_modality, of_reader = np.asarray(is_read.any(axis=1)), np.asarray(is_read.any(axis=0))
    if np.mean(of_modality.sum(axis=0) > 1) > 0.5:
        of_modality = np.ones_like(of_modality)
    asked = cells_of(is_read)[:, :, None] & of_modality[:, None, :]
    by = of_reader.copy()
    for block in _blocks(of_reader):
        cases = of_reader[block].any(axis=0)
        own = asked[:, block][:, :, cases]
        if 2 * np.count_nonzero(is_read[:, block]) > np.count_nonzero(own):
            by[np.ix_(block, cases)] = True
    return np.asarray(asked & by)


def _blocks(of_reader: Mask) -> list[NDArray[np.int64]]:
    """Readers who have cases in common, directly or through others, from ``(r, c)``."""
    left, blocks = np.arange(len(of_reader)), []
    while left.size:
        inside = np.zeros(left.size, dtype=np.bool_)
        inside[0] = True
        while True:
            shares = of_reader[left][:, of_reader[left[inside]].any(axis=0)].any(axis=1) | inside
            if (shares == inside).all():
                break
            inside = shares
        blocks.append(left[inside])
        left = left[~inside]
    return blocks
