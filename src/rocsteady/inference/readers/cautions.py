"""What to know before a reader study is believed: warnings, and notes that stay with the result."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.measures import Auc, FprAt, RatesAt, Statistic, TprAt
from rocsteady.errors import RocsteadyWarning, caller_level, caution, warn
from rocsteady.inference.readers.asked import U_STATISTICS, Asked
from rocsteady.inference.readers.designs import PARTLY, is_partly_paired, to_be_read
from rocsteady.inference.readers.summaries.limits import note_of_nothing
from rocsteady.inference.readers.wording import spoken
from rocsteady.words import counted, grouped, listed, named, plural, printable

if TYPE_CHECKING:
    from rocsteady.inference.readers.results import PerModality, PerReader
    from rocsteady.inference.readers.study import ReaderRatings
    from rocsteady.inference.readers.tables import Analysis
    from rocsteady.inference.readers.u_statistics import UStatistics
    from rocsteady.statistics.obuchowski_rockette import Components

Floats = NDArray[np.float64]

FEWEST_READERS = 4
"""With fewer, how much readers differ is hardly seen."""
NEAR = 0.15
"""Distance of a mean from 0 or 1 below which its limits are looked at; plain ones fell short from 0.9 on."""
WIDEST = 0.6
"""Half an interval as a share of the way to 0 or 1. Beyond it, plain 95 % limits of a mean AUC were measured
to cover 0.87 to 0.93 (Roe-Metz model, 3 to 10 readers)."""


def warn_of_few_readers(ratings: ReaderRatings, readers: str, *, can_be_fixed: bool = True) -> None:
    """RS213 if readers are random and there are two or three; ``can_be_fixed`` if they need not be."""
    fewest = int(ratings.cells.sum(axis=1).min())
    if readers == "fixed" or fewest >= FEWEST_READERS:
        return
    unit = printable(ratings.unit)
    each = " in a modality" if ratings.is_nested else ""
    warn("RS213.few", n=fewest, unit=unit, each=each, fixed="fixed" if can_be_fixed else None)


def warn_of_design(ratings: ReaderRatings) -> None:
    """RS215 if ratings are missing here and there."""
    if ratings.design != PARTLY:
        return
    expected = to_be_read(ratings.is_read)
    n_missing = int((expected & ~ratings.is_read).sum())
    found = []
    if n_missing:
        found.append(f"{grouped(n_missing)} of {counted(int(expected.sum()), 'rating')} missing")
    if not ratings.is_nested:
        empty = [(ratings.readers[j], ratings.modalities[i]) for j, i in np.argwhere(~ratings.cells.T)]
        cells = [
            f"{printable(named(ratings.unit, who))} with {printable(spoken(what))}" for who, what in empty
        ]
        found += [f"no ratings of {listed(cells)}"] if cells else []
    warn("RS215.missing", missing="; ".join([*found, _sizes(ratings)]))


def _sizes(ratings: ReaderRatings) -> str:
    n_read = ratings.is_read.sum(axis=2)[ratings.cells]
    low, high = int(n_read.min()), int(n_read.max())
    return f"{low if low == high else f'{low} to {high}'} cases in a cell"


def warn_of_error_term(
    ratings: ReaderRatings, of: Components | None, asked: Asked, analysis: Analysis
) -> None:
    """RS214 where a test divides by nothing, or by the luck of cases alone though readers are random."""
    found = _of_error_term(ratings, of, asked, analysis)
    if found is not None:
        warnings.warn(found, stacklevel=caller_level())


def _of_error_term(
    ratings: ReaderRatings, of: Components | None, asked: Asked, analysis: Analysis
) -> RocsteadyWarning | None:
    """What is the matter with the error term of a test; None if it is sound."""
    if analysis.error_term == 0:
        return caution("RS214.no-error", are_equal=analysis.statistic == 0)
    if of is None or asked.method == U_STATISTICS or asked.readers == "fixed":
        return None
    if (of.ms_reader if of.nested else of.ms_modality_reader) == 0:
        return caution("RS214.readers-alike", unit=ratings.unit, is_nested=of.nested)
    return None


def notes_of_error_term(
    ratings: ReaderRatings, of: Components | None, asked: Asked, analysis: Analysis
) -> tuple[str, ...]:
    """The same as a sentence that stays with the result."""
    found = _of_error_term(ratings, of, asked, analysis)
    return () if found is None else (printable(found.problem[0].upper() + found.problem[1:]),)


def warn_of_perfect_values(of: Floats, ratings: ReaderRatings, asked: Asked) -> None:
    """RS151 where readers are fixed and the variance of a cell over cases is 0."""
    variances = np.einsum("ijij->ij", of)[ratings.cells]
    n_known = int((variances == 0).sum())
    if asked.readers == "random" or n_known == 0:
        return
    warn("RS151.cells", measure=asked.measure.label, n=n_known, n_cells=variances.size)


def notes_of(ratings: ReaderRatings, of: Components | None, asked: Asked) -> tuple[str, ...]:
    """Sentences that stay with the result."""
    notes = []
    unit, units = printable(ratings.unit), plural(printable(ratings.unit))
    if ratings.design == PARTLY:
        counts = "" if asked.method == U_STATISTICS else f"; every {unit} counts the same"
        n_read = ratings.is_read.sum(axis=2)[ratings.cells]
        is_holed = n_read.min() < n_read.max() or ratings.cells.all()
        notes += [f"Not every {unit} read every case: {_sizes(ratings)}{counts}."] if is_holed else []
        notes += (
            [] if ratings.cells.all() or ratings.is_nested else [f"Not every {unit} read every modality."]
        )
    if asked.method != U_STATISTICS and is_partly_paired(ratings.is_read):
        notes.append(
            "Pairs of modalities share different numbers of cases, so every difference has its own error. "
            "The test of all modalities at once uses a mean of these errors and is approximate."
        )
    if ratings.left_out:
        notes.append(f"Left out: {listed(list(ratings.left_out))}.")
    if ratings.clusters is not None and asked.cases == "random":
        patients = counted(int(ratings.clusters.max()) + 1, "patient")
        notes.append(f"The cases come from {patients}, and patients are what is random.")
    if of is not None and asked.method != U_STATISTICS and asked.cases == "random" and of.cov2 < of.cov3:
        notes.append(
            f"Cov2 is below Cov3, so their difference counts as 0: {units} agree no more on cases within a "
            "modality than across."
        )
    return (*notes, *_notes_of_own_samples(ratings, asked))


def _notes_of_own_samples(ratings: ReaderRatings, asked: Asked) -> tuple[str, ...]:
    """Whether modalities have fixed cases or readers of their own, and cannot be told from them."""
    if len(ratings.modalities) < 2:
        return ()
    of_modality = ratings.is_read.any(axis=1)
    owned = []
    if asked.cases == "fixed" and not (of_modality.sum(axis=0) > 1).any():
        owned.append("cases")
    if asked.readers == "fixed" and ratings.is_nested:
        owned.append(plural(printable(ratings.unit)))
    return tuple(
        f"Every modality has {what} of its own, and these are fixed: a difference of modalities cannot be "
        f"told from one of their {what}."
        for what in owned
    )


def notes_of_means(per: PerModality, measure: Statistic) -> tuple[str, ...]:
    """Which means have no error, or plain limits so near to 0 or 1 that they cover too little.

    The latter was measured for AUCs and rates alone.
    """
    notes = [
        f"{note_of_nothing(interval, printable(spoken(name)))}."
        for name, interval, error in zip(per.modalities, per.intervals, per.standard_error, strict=True)
        if error == 0
    ]
    half = (per.high - per.low) / 2
    room = np.minimum(per.value, 1 - per.value)
    close = np.flatnonzero((half > WIDEST * room) & (room > 0) & (room < NEAR) & (per.standard_error > 0))
    if close.size and isinstance(measure.raw, Auc | TprAt | FprAt | RatesAt):
        which = listed([printable(spoken(per.modalities[i])) for i in close])
        notes.append(
            f"So near to 0 or 1 the plain interval of the mean of {which} covers too little; "
            "per_modality.logit_intervals hold their level."
        )
    return tuple(notes)


def notes_of_readers(per: PerReader) -> tuple[str, ...]:
    """How many differences of single readers have no error."""
    n_unknown = int(np.isnan(per.standard_error).sum())
    if not n_unknown:
        return ()
    return (
        f"per_reader has no error for {n_unknown} of {counted(len(per), 'difference')}: with one case of a "
        "class the variance is unknown, and an unbiased one may come out below 0.",
    )


def notes_of_u_statistics(ratings: ReaderRatings, found: UStatistics, *, centred: bool) -> tuple[str, ...]:
    """How readers count where they read unequally, and what a program that does not centre would print."""
    notes = []
    unit = printable(ratings.unit)
    n_read = ratings.is_read.sum(axis=2)[ratings.cells]
    if not (n_read == n_read[0]).all():
        notes.append(f"A {unit} counts by the pairs of a positive and a negative case that were read.")
    own, other = found.difference_errors, found.uncentred_errors
    for a, b in zip(*np.triu_indices(len(own), 1), strict=True):
        if not centred or np.isclose(own[a, b], other[a, b], rtol=1e-6):
            continue
        pair = f"{printable(ratings.modalities[a])} less {printable(ratings.modalities[b])}"
        theirs = "a negative variance" if np.isnan(other[a, b]) else f"a standard error of {other[a, b]:.4f}"
        notes.append(f"Without centring, as iMRMC computes it, {pair} has {theirs}.")
    return tuple(notes)
