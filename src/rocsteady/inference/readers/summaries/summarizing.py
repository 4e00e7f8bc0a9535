"""``summarize_readers``: how well readers do with one modality, or with each by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.inference.readers import cautions, direction, refusals
from rocsteady.inference.readers.asked import Asked, asked
from rocsteady.inference.readers.measuring import values
from rocsteady.inference.readers.standalone.checks import require_some_modality
from rocsteady.inference.readers.study import NO_NAME, ReaderRatings, reader_ratings
from rocsteady.inference.readers.summaries.limits import (
    NONE,
    SEPARATED,
    class_sizes,
    interval_of_mean,
    interval_of_one,
    largest_value,
    note_of_nothing,
    root_of_variance,
    smallest_sizes,
)
from rocsteady.inference.readers.summaries.results import ModalityMeans, ReaderSummary, ReaderValues
from rocsteady.inference.readers.wording import random_words, spoken
from rocsteady.options import one_of
from rocsteady.results import read_only
from rocsteady.scores.score_set import ScoreSet
from rocsteady.statistics.intervals import Interval
from rocsteady.statistics.obuchowski_rockette import KINDS, ROUNDING, components, single_modality
from rocsteady.words import printable

__all__ = ["ModalityMeans", "ReaderSummary", "ReaderValues", "summarize_readers"]

Floats = NDArray[np.float64]


def summarize_readers(
    score_set: ScoreSet,
    *,
    modalities: Any = None,
    readers: str = "random",
    cases: str = "random",
    covariance: str | None = None,
    measure: Any = "auc",
    interval: str = "logit",
    confidence_level: float = 0.95,
    missing: str = "raise",
    n_resamples: int = 2000,
    seed: int = 0,
    threads: int | None = None,
) -> ReaderSummary:
    """Say how well the readers of a modality do: their mean with an interval, and how much they differ.

    Each modality is analysed from its own data alone. To compare modalities that share readers or cases, use
    :func:`rocsteady.compare_readers`: what they share cancels out there.

    Parameters
    ----------
    score_set : ScoreSet
        Readers are groups, and cases are named. Models, if there are any, are modalities.
    modalities : sequence of str, optional
        Which ones; all of them if left out.
    readers, cases : {"random", "fixed"}
        What the result is to hold for: other readers and cases like these, or these very ones. A single
        reader can only be fixed.
    covariance, measure, n_resamples, seed, threads
        As for :func:`rocsteady.compare_readers`.
    interval : {"logit", "t"}
        How limits of the means are made. ``"t"``: plainly, as other programs do; near 1 they cover too little
        (0.89 to 0.93 in place of 0.95 at mean AUCs of 0.9 and more, with 5 readers and 50 + 50 cases).
        ``"logit"``: the same standard error and degrees of freedom on the logit scale; 0.93 to 0.97. Partial
        areas are divided by the largest possible one first (over FPRs to 0.2 they covered 0.96 in 400 studies
        each at AUCs of 0.75 and 0.9, the plain ones 0.95 and 0.93); a function of a curve has plain limits.
    confidence_level : float
        Between 0 and 1.
    missing : {"raise", "drop"}
        What to do about readers who lack a class in a modality.

    Returns
    -------
    ReaderSummary
        With ``.per_modality``, ``.per_reader``, ``.reader_sd`` and ``.reading``.

    Notes
    -----
    With random readers and cases the squared standard error is ``(MS(R) + max(r Cov2, 0)) / r`` and t has
    Hillis' degrees of freedom (Hillis 2007, section 5.3). Plain limits are not clipped to [0, 1].

    Where every AUC is 1 no formula sees anything vary. The limits are then the bound for separated classes
    that one reader has, ``alpha ** (1 / n)`` with n cases of the rarer class. It comes from the cases alone:
    how much readers differ is not seen, and a note says so. Other means that do not vary have no limits.

    Examples
    --------
    >>> import rocsteady as rs
    >>> from rocsteady.simulate import reader_study
    >>> columns = {"label": "truth", "score": "rating", "group": "reader", "model": "modality"}
    >>> study = rs.ScoreSet.from_frame(reader_study(), **columns, case="case", positive="cancer")
    >>> found = rs.summarize_readers(study, modalities=["film"])
    >>> found
    ReaderSummary(mean AUC 0.8161 (0.7218 to 0.8836), 6 readers)
    >>> print(found.reading.split(". ")[0])
    The mean AUC of 6 readers with film is 0.816 (95 % CI 0.722 to 0.884); the readers run from 0.728 to \
0.878, with an sd of 0.059 beyond the luck of their cases
    """
    want = asked(
        readers=readers,
        cases=cases,
        measure=measure,
        covariance=covariance,
        confidence_level=confidence_level,
        missing=missing,
        n_resamples=n_resamples,
        seed=seed,
        threads=threads,
    )
    one_of("interval", interval, KINDS, elsewhere={"normal": "t", "plain": "t", "wald": "t", "z": "t"})
    refusals.require_reader_set(score_set, "summarize_readers")
    require_some_modality(modalities, score_set)
    chosen = reader_ratings(
        score_set,
        modalities=modalities,
        missing="drop",
        least_modalities=1,
        allow_missing_cells=True,
        need_common_cases=False,
        function="summarize_readers",
    ).modalities
    studies = [
        reader_ratings(
            score_set, modalities=[name], missing=missing, least_modalities=1, function="summarize_readers"
        )
        for name in chosen
    ]
    return summarize_ratings(studies, want, interval)


def summarize_ratings(
    studies: Sequence[ReaderRatings], want: Asked, interval: str = "logit"
) -> ReaderSummary:
    """What :func:`summarize_readers` gives, for ratings of one modality each that are checked."""
    own = [_one(ratings, want) for ratings in studies]
    fewest = min(studies, key=lambda ratings: len(ratings.readers))
    cautions.warn_of_few_readers(fewest, want.readers)
    readers = tuple(dict.fromkeys(name for ratings in studies for name in ratings.readers))
    first = studies[0]
    per_modality = _per_modality(own, want, interval)
    return ReaderSummary(
        modalities=tuple(ratings.modalities[0] for ratings in studies),
        readers=readers,
        unit=first.unit,
        measure=want.measure.label,
        values=_table(own, readers),
        per_modality=per_modality,
        reader_sd=read_only(np.array([one.reader_sd for one in own])),
        per_reader=_per_reader(own, want),
        n_cases=read_only(np.array([len(ratings.cases) for ratings in studies])),
        n_positives=read_only(np.array([ratings.n_positives for ratings in studies])),
        n_negatives=read_only(np.array([ratings.n_negatives for ratings in studies])),
        designs=tuple(ratings.design for ratings in studies),
        covariance=want.covariance,
        readers_are=want.readers,
        cases_are=want.cases,
        random=random_words(
            first.unit,
            want.readers,
            want.cases,
            len(readers),
            patients=any(ratings.clusters is not None for ratings in studies),
        ),
        confidence_level=want.confidence_level,
        notes=(*_notes(studies, want), *_notes_of_means(per_modality), *_warned_of_directions(own, want)),
    )


@dataclass(frozen=True, eq=False)
class _One:
    """What was measured of one modality."""

    ratings: ReaderRatings
    values: Floats
    covariance: Floats
    mean: float
    standard_error: float
    df: float
    ms_reader: float
    var: float
    cov2: float

    @property
    def reader_sd(self) -> float:
        component = self.ms_reader - self.var + self.cov2
        is_nothing = component <= ROUNDING * max(self.ms_reader, self.var)
        return float("nan") if self.values.size == 1 else 0.0 if is_nothing else float(np.sqrt(component))


def _one(ratings: ReaderRatings, want: Asked) -> _One:
    refusals.require_random_readers(ratings, want)
    found = values(ratings, want.measure)[0]
    errors = want.covariances_of(ratings)
    of = components(found[None], errors)
    mean, error, df = single_modality(found, errors[0, :, 0], readers=want.readers, cases=want.cases)
    return _One(ratings, found, errors[0, :, 0], mean, error, df, of.ms_reader, of.var, of.cov2)


def _table(own: Sequence[_One], readers: Sequence[str]) -> Floats:
    table = np.full((len(own), len(readers)), np.nan)
    for row, one in zip(table, own, strict=True):
        row[[readers.index(name) for name in one.ratings.readers]] = one.values
    return read_only(table)


def _per_modality(own: Sequence[_One], want: Asked, kind: str) -> ModalityMeans:
    names = ("mean", "standard_error", "df", "ms_reader", "var", "cov2")
    mean, error, df, ms, var, cov2 = (np.array([getattr(one, name) for one in own]) for name in names)
    limits = [_interval(one, want, kind) for one in own]
    several = max(one.values.size for one in own) > 1
    return ModalityMeans(
        modalities=tuple(one.ratings.modalities[0] for one in own),
        quantity=f"mean {want.measure.label}" if several else want.measure.label,
        value=read_only(mean),
        standard_error=read_only(error),
        df=read_only(df),
        low=read_only(np.array([interval.low for interval in limits])),
        high=read_only(np.array([interval.high for interval in limits])),
        ms_reader=read_only(ms),
        var=read_only(var),
        cov2=read_only(cov2),
        n_readers=read_only(np.array([one.values.size for one in own])),
        confidence_level=want.confidence_level,
        largest=largest_value(want.measure),
        kind=kind,
        methods=tuple(interval.method for interval in limits),
    )


def _interval(one: _One, want: Asked, kind: str) -> Interval:
    sizes = smallest_sizes(one.ratings, 0, np.arange(one.values.size))
    is_random = want.cases == "random"
    return interval_of_mean(
        one.mean,
        one.standard_error,
        one.df,
        want.confidence_level,
        sizes,
        want.measure,
        kind,
        cases_are_random=is_random,
    )


def _per_reader(own: Sequence[_One], want: Asked) -> ReaderValues:
    rows = [(one, j) for one in own for j in range(one.values.size)]
    is_random = want.cases == "random"
    errors = [root_of_variance(float(one.covariance[j, j])) if is_random else np.nan for one, j in rows]
    limits = [
        interval_of_one(
            float(one.values[j]), error, want.confidence_level, class_sizes(one.ratings, 0, j), want.measure
        )
        for (one, j), error in zip(rows, errors, strict=True)
    ]
    return ReaderValues(
        unit=own[0].ratings.unit,
        measure=want.measure.label,
        modality=tuple(one.ratings.modalities[0] for one, _ in rows),
        reader=tuple(one.ratings.readers[j] for one, j in rows),
        value=read_only(np.array([float(one.values[j]) for one, j in rows])),
        standard_error=read_only(np.array(errors)),
        low=read_only(np.array([interval.low for interval in limits])),
        high=read_only(np.array([interval.high for interval in limits])),
        n_cases=read_only(np.array([int(one.ratings.is_read[0, j].sum()) for one, j in rows])),
        confidence_level=want.confidence_level,
    )


def _notes(studies: Sequence[ReaderRatings], want: Asked) -> tuple[str, ...]:
    """What is to be known about each modality; named where they differ."""
    by_note: dict[str, list[str]] = {}
    for ratings in studies:
        for note in cautions.notes_of(ratings, None, want):
            by_note.setdefault(note, []).append(printable(ratings.modalities[0]))
    return tuple(
        note if len(names) == len(studies) else f"With {', '.join(names)}: {note[:1].lower()}{note[1:]}"
        for note, names in by_note.items()
    )


def _warned_of_directions(own: Sequence[_One], want: Asked) -> list[str]:
    """RS219 where ratings may run the other way, and the same as notes."""
    notes: list[str] = []
    for one in own:
        of = (one.ratings, one.values[None], one.covariance[None, :, None, :], want.measure)
        direction.warn_of_reversed(*of)
        notes += direction.notes_of_reversed(*of)
    return notes


def _notes_of_means(per: ModalityMeans) -> list[str]:
    """Which means have no error."""
    return [
        note_of_nothing(interval, printable(spoken(name)) if name != NO_NAME else "the readers", error)
        for name, interval, error in zip(
            per.modalities, per.intervals, per.standard_error.tolist(), strict=True
        )
        if interval.method in (SEPARATED, NONE)
    ]
