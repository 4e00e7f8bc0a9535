"""The design of a reader study: which readers read which cases with which modality, and what is missing.

Every question is asked of one mask, modalities x readers x cases: whether there is a rating. Covariances of
any design follow from the cases that two cells share (:mod:`rocsteady.statistics.reader_covariance`); designs
differ in what they are called and in which ratings count as missing.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import combinations

import numpy as np

from rocsteady.arrays import Mask

_UNLIKE = 0.1
"""By which shares of common cases differ where modalities are partly paired."""


class ReaderDesign(StrEnum):
    """Who read what."""

    CROSSED = "fully crossed"
    READERS_IN_MODALITIES = "readers nested in modalities"
    CASES_IN_READERS = "cases nested in readers"
    CASES_IN_MODALITIES = "cases nested in modalities"
    SPLIT_PLOT = "split-plot"
    PARTLY = "partly crossed"
    ALL_APART = "readers and cases nested in modalities"


def is_nested(cells: Mask) -> bool:
    """Whether every reader has exactly one modality, and there are several."""
    return cells.shape[0] > 1 and bool((cells.sum(axis=0) == 1).all())


def is_partly_paired(is_read: Mask) -> bool:
    """Whether some two of three or more modalities share more of their cases than others do, ``(t, r, c)``.

    Ratings that are missing here and there do not count: shares must differ by a tenth.
    """
    of = is_read
    if len(of) < 3:
        return False
    if is_nested(np.asarray(is_read.any(axis=2))):  # no reader has two: which cases anybody read counts
        of = np.asarray(is_read.any(axis=1, keepdims=True))
    shares = [
        float((of[i] & of[j]).sum() / (of[i] | of[j]).sum()) for i, j in combinations(range(len(of)), 2)
    ]
    return max(shares) - min(shares) > _UNLIKE


def design_of(is_read: Mask) -> ReaderDesign:
    """The design of a study, from ``(t, r, c)`` whether there is a rating."""
    if is_read.all():
        return ReaderDesign.CROSSED
    cells = np.asarray(is_read.any(axis=2))
    of_modality, of_reader = np.asarray(is_read.any(axis=1)), is_read[0]
    if is_nested(cells):
        if not all((is_read[i, cells[i]] == of_modality[i]).all() for i in range(len(cells))):
            return ReaderDesign.PARTLY
        apart = ReaderDesign.ALL_APART if (of_modality.sum(axis=0) == 1).all() else ReaderDesign.PARTLY
        return ReaderDesign.READERS_IN_MODALITIES if of_modality.all() else apart
    if cells.all() and (is_read == is_read[:, :1]).all() and (of_modality.sum(axis=0) == 1).all():
        return ReaderDesign.CASES_IN_MODALITIES
    if not (cells.all() and (is_read == of_reader).all()):
        return ReaderDesign.PARTLY
    blocks = np.unique(of_reader, axis=0)  # two readers have all their cases in common, or none
    shared = ReaderDesign.SPLIT_PLOT if (blocks.sum(axis=0) == 1).all() else ReaderDesign.PARTLY
    return ReaderDesign.CASES_IN_READERS if (of_reader.sum(axis=0) == 1).all() else shared


def to_be_read(is_read: Mask) -> Mask:
    """Which ratings the design asks for, ``(t, r, c)``: what is not there of these is missing.

    The design is what most ratings follow. If most cases were read with several modalities, each was to be
    read with all. Readers who have cases in common, directly or through others, are a block; if most of its
    ratings are there, each of its cases was to be read by all of its readers.
    """
    from scipy.sparse.csgraph import connected_components  # slow to import, and seldom needed

    of_modality, of_reader = np.asarray(is_read.any(axis=1)), np.asarray(is_read.any(axis=0))
    if np.mean(of_modality.sum(axis=0) > 1) > 0.5:
        of_modality = np.ones_like(of_modality)
    asked = np.asarray(is_read.any(axis=2))[:, :, None] & of_modality[:, None, :]
    by = of_reader.copy()
    n_blocks, block_of = connected_components(of_reader.astype(np.int64) @ of_reader.T)
    for number in range(n_blocks):
        block = np.flatnonzero(block_of == number)
        cases = of_reader[block].any(axis=0)
        own = asked[:, block][:, :, cases]
        if 2 * np.count_nonzero(is_read[:, block]) > np.count_nonzero(own):
            by[np.ix_(block, cases)] = True
    return np.asarray(asked & by)


def count_alike(is_read: Mask, truth: Mask) -> bool:
    """Whether all readers of a modality read as many pairs, so that weighing by pairs changes nothing."""
    pairs = np.atleast_2d((is_read & truth).sum(axis=-1) * (is_read & ~truth).sum(axis=-1))
    return all(np.unique(own[own > 0]).size <= 1 for own in pairs)
