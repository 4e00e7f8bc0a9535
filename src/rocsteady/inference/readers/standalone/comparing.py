"""``compare_standalone``: a system that reads by itself (AI, CAD) against the readers of a study."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.measures import Statistic
from rocsteady.errors import Option, fail
from rocsteady.inference.comparing.results import Difference
from rocsteady.inference.readers import cautions, refusals
from rocsteady.inference.readers.asked import Asked, asked
from rocsteady.inference.readers.measuring import values
from rocsteady.inference.readers.standalone.checks import warned_of_directions
from rocsteady.inference.readers.standalone.results import (
    StandaloneComparison,
    StandaloneReaders,
)
from rocsteady.inference.readers.standalone.scores import StandaloneStudy, standalone_study
from rocsteady.inference.readers.study import NO_NAME
from rocsteady.inference.readers.summaries.limits import (
    NONE,
    SEPARATED,
    class_sizes,
    interval_of_mean,
    interval_of_one,
    note_of_nothing,
    root_of_variance,
    smallest_sizes,
)
from rocsteady.inference.readers.tables import lower_is_better, tested
from rocsteady.inference.readers.wording import random_words, spoken
from rocsteady.operating_points.tables.significance import adjusted
from rocsteady.options import one_number
from rocsteady.results import read_only
from rocsteady.scores.score_set import ScoreSet
from rocsteady.statistics.intervals import Interval, ratio_to_error, t_quantile, two_sided_pvalue
from rocsteady.statistics.obuchowski_rockette import (
    ROUNDING,
    components,
    single_modality,
    standalone_less_readers,
)
from rocsteady.words import named, printable

__all__ = ["StandaloneComparison", "StandaloneReaders", "compare_standalone"]

Floats = NDArray[np.float64]

_METHODS = {
    ("random", "random"): "Obuchowski-Rockette t test",
    ("fixed", "random"): "z test over cases",
    ("random", "fixed"): "t test over readers",
}


def compare_standalone(
    score_set: ScoreSet,
    standalone: Any,
    *,
    modalities: Any = None,
    readers: str = "random",
    cases: str = "random",
    covariance: str | None = None,
    measure: Any = "auc",
    standalone_threshold: float | None = None,
    name: str | None = None,
    confidence_level: float = 0.95,
    adjust: str | None = "holm",
    missing: str = "raise",
    n_resamples: int = 2000,
    seed: int = 0,
    threads: int | None = None,
) -> StandaloneComparison:
    """Compare a system that reads by itself with the mean of the readers of each modality.

    The system gives one score to each case, on a scale of its own: only the order of its scores counts. Its
    value on the cases is one number, that of the readers a mean of several, and all were got on the same
    cases. The difference to each reader is analysed as a study of one modality (Hillis 2007, section 5.3).

    Parameters
    ----------
    score_set : ScoreSet
        Readers are groups, modalities are models, and cases are named.
    standalone : str, ScoreSet or Scores
        The modality that stands for the system (its scores may be there once, or again for every reader), or
        the reader that does; else its scores with their cases, from a table of their own.
    modalities : sequence of str, optional
        Whose readers to compare it with; all others if left out.
    readers, cases : {"random", "fixed"}
        What the result is to hold for: other readers and cases like these, or these very ones.
    covariance : {"delong", "jackknife", "unbiased", "bootstrap"}, optional
        As for :func:`rocsteady.compare_readers`.
    measure : "auc" or Statistic
        As for :func:`rocsteady.compare_readers`. A threshold in it is one of the readers.
    standalone_threshold : float, optional
        The threshold of the system where the measure has one: readers who recall from 3 of 5, say, against
        an AI that recalls from 0.4.
    name : str, optional
        What the system is called in the result; by default what it is called in the data.
    confidence_level : float
        Between 0 and 1.
    adjust : {"holm", "bh", None}
        How p-values are adjusted where there are several modalities.
    missing : {"raise", "drop"}
        What to do about cases without a score of the system, and about readers who lack a modality or class.
    n_resamples, seed, threads
        Of the bootstrap.

    Returns
    -------
    StandaloneComparison
        With ``.differences`` (the system less the readers), ``.per_reader``, ``.reading``,
        ``.non_inferior(margin)`` and ``.equivalent(margin)``.

    Raises
    ------
    UsageError, DataError
        RS040 if there is no such system, or it has no single score for a case; RS027 for one random reader.

    Warns
    -----
    RocsteadyWarning
        RS226 if cases without a score were left out, RS227 if the system gives two values only, RS213 for
        fewer than four readers.

    References
    ----------
    Hillis (2007), Statistics in Medicine 26, 596-619.

    Examples
    --------
    Six radiologists rate from 1 to 100, with film; the AI has scores from 0 to 1.

    >>> import rocsteady as rs
    >>> from rocsteady.simulate import reader_study
    >>> columns = {"label": "truth", "score": "rating", "group": "reader", "model": "modality"}
    >>> study = rs.ScoreSet.from_frame(reader_study(), **columns, case="case", positive="cancer")
    >>> found = rs.compare_standalone(study, "AI", modalities=["film"])
    >>> found
    StandaloneComparison(AUC, AI 0.8381, readers 0.8161, p 0.614)
    >>> found.non_inferior(0.05).is_shown, found.per_reader
    (False, StandaloneReaders(AI against 6 readers))
    """
    want = asked(
        readers=readers,
        cases=cases,
        measure=measure,
        covariance=covariance,
        confidence_level=confidence_level,
        adjust=adjust,
        missing=missing,
        n_resamples=n_resamples,
        seed=seed,
        threads=threads,
    )
    threshold = _threshold(want.measure, standalone_threshold)
    study = standalone_study(
        score_set, standalone, modalities=modalities, missing=missing, threshold=threshold
    )
    study = study if name is None else study.renamed(name)
    refusals.require_random_readers(study.of_readers, want)
    cautions.warn_of_few_readers(study.of_readers, want.readers)
    own = "" if threshold is None else f" ({printable(study.name)}: {threshold:g})"
    return _compared(study, want, f"{want.measure.label}{own}")


def _threshold(measure: Statistic, given: float | None) -> float | None:
    """The threshold of the system; RS040 unless the measure has one and so has the system."""
    of_readers = getattr(measure, "threshold", None)
    if of_readers is None and given is None:
        return None
    if of_readers is None:
        raise fail("RS040.no-threshold", measure=measure.label, given=given)
    if given is None:
        raise fail("RS040.threshold", measure=measure.label)
    number = one_number("standalone_threshold", given, 0.5)
    if np.isnan(number):
        ways = [Option("standalone_threshold", 0.5)]
        raise fail("RS042", name="standalone_threshold", where="a number", found=given, ways=ways)
    return number


def _modalities(study: StandaloneStudy, found: Floats, want: Asked) -> list[_Modality]:
    """What was measured of each modality."""
    ratings = study.ratings
    errors = want.covariances_of(ratings)
    return [_Modality(study, i, found, errors, want) for i in range(len(ratings.modalities))]


def _adjusted(differences: list[Difference], adjust: str | None) -> tuple[Difference, ...]:
    pvalues = adjusted(np.array([one.pvalue for one in differences]), adjust)
    pairs = zip(differences, pvalues.tolist(), strict=True)
    return tuple(replace(one, adjusted_pvalue=pvalue) for one, pvalue in pairs)


def _compared(study: StandaloneStudy, want: Asked, quantity: str) -> StandaloneComparison:
    ratings = study.ratings
    found = values(ratings, want.measure)
    own = _modalities(study, found, want)
    differences = [one.difference(quantity) for one in own]
    directions = warned_of_directions(ratings, found, own[0].whole, want.measure)
    refusals.require_known_errors(want, [(one.standard_error, one.df) for one in differences])
    parts = np.array([one.components() for one in own])
    return StandaloneComparison(
        standalone=study.name,
        modalities=ratings.modalities,
        readers=ratings.readers[1:],
        unit=ratings.unit,
        measure=quantity,
        n_cases=len(ratings.cases),
        n_positives=ratings.n_positives,
        n_negatives=ratings.n_negatives,
        design=ratings.design,
        values=read_only(found[:, 1:].copy()),
        means=read_only(np.array([one.b_value for one in differences])),
        standalone_values=read_only(found[:, 0].copy()),
        differences=_adjusted(differences, want.adjust),
        ms_reader=read_only(parts[:, 0].copy()),
        var=read_only(parts[:, 1].copy()),
        cov2=read_only(parts[:, 2].copy()),
        per_reader=_per_reader(own, want),
        covariance=want.covariance,
        readers_are=want.readers,
        cases_are=want.cases,
        random=differences[0].random,
        adjust=want.adjust if len(own) > 1 else None,
        confidence_level=want.confidence_level,
        n_resamples=want.n_resamples,
        seed=want.seed,
        notes=(
            *study.notes,
            *cautions.notes_of(study.of_readers, None, want),
            *_notes(own, differences),
            *directions,
        ),
        _ratings=ratings,
    )


def _notes(modalities: list[_Modality], differences: list[Difference]) -> list[str]:
    """What has no error, and means nothing therefore."""
    notes = []
    for own, one in zip(modalities, differences, strict=True):
        if one.standard_error == 0:
            notes.append(
                f"Nothing varies between {printable(one.a)} and {printable(one.b)}: the standard error is 0, "
                "so there is nothing to hold the difference against"
            )
        if one.b_interval.method in (SEPARATED, NONE):
            notes.append(note_of_nothing(one.b_interval, printable(one.b), own.reader_mean[1]))
    return notes


class _Modality:
    """The system and the readers of one modality."""

    def __init__(self, study: StandaloneStudy, i: int, found: Floats, errors: Floats, want: Asked) -> None:
        self.study, self.i, self.want, self.whole = study, i, want, errors
        ratings = study.ratings
        self.cells = cells = np.flatnonzero(ratings.cells[i])  # the system is the first of them
        self.name = ratings.modalities[i]
        self.readers = tuple(ratings.readers[j] for j in cells[1:])
        self.values = found[i, cells]
        self.errors = errors[i][:, i][np.ix_(cells, cells)]
        self.less, self.covariance = standalone_less_readers(self.values, self.errors)

    def difference(self, quantity: str) -> Difference:
        """The system less the mean of the readers."""
        want, ratings = self.want, self.study.ratings
        mean, error, df = single_modality(self.less, self.covariance, readers=want.readers, cases=want.cases)
        statistic, pvalue, interval = tested(mean, error, df, want.confidence_level)
        alone, readers = self._intervals()
        return Difference(
            quantity=quantity,
            a=self.study.name,
            b=self._who(),
            a_value=float(self.values[0]),
            b_value=float(self.values[1:].mean()),
            difference=mean,
            standard_error=error,
            interval=interval,
            statistic=statistic,
            df=df,
            pvalue=pvalue,
            flip_pvalue=float("nan"),
            adjusted_pvalue=float("nan"),
            method=_METHODS[want.readers, want.cases],
            random=random_words(
                ratings.unit,
                want.readers,
                want.cases,
                len(ratings.readers) - 1,
                patients=ratings.clusters is not None,
            ),
            held="",
            lower_is_better=lower_is_better(want.measure),
            a_interval=alone,
            b_interval=readers,
        )

    def _who(self) -> str:
        unit = printable(self.study.ratings.unit)
        who = f"the average {unit}" if len(self.readers) > 1 else named(unit, self.readers[0])
        return who if self.name == NO_NAME else f"{who} with {spoken(self.name)}"

    @property
    def reader_mean(self) -> tuple[float, float, float]:
        """Of the readers by themselves: mean, standard error and degrees of freedom."""
        own = self.values[1:], self.errors[1:, 1:]
        mean, error, df = single_modality(*own, readers=self.want.readers, cases=self.want.cases)
        return mean, error, df

    def _intervals(self) -> tuple[Interval, Interval]:
        """Of the system by itself, and of the mean of the readers."""
        want, ratings = self.want, self.study.ratings
        is_random = want.cases == "random"
        error = root_of_variance(float(self.errors[0, 0])) if is_random else float("nan")
        sizes, level = class_sizes(ratings, self.i, 0), want.confidence_level
        alone = interval_of_one(float(self.values[0]), error, level, sizes, want.measure)
        mean, error, df = self.reader_mean
        sizes = smallest_sizes(ratings, self.i, self.cells[1:])
        of_readers = interval_of_mean(
            mean, error, df, level, sizes, want.measure, "logit", cases_are_random=is_random
        )
        return alone, of_readers

    def reader_errors(self) -> Floats:
        """Of the difference to each reader over cases; NaN where that variance is not known."""
        variance = np.diag(self.covariance)
        is_rounding = np.abs(variance) <= ROUNDING * (np.diag(self.errors)[1:] + self.errors[0, 0])
        found = [root_of_variance(own) for own in np.where(is_rounding, 0.0, variance).tolist()]
        return np.array(found, dtype=np.float64)

    def components(self) -> tuple[float, float, float]:
        """Mean square of readers; mean variance and covariance over cases."""
        of = components(self.less[None], self.covariance[None, :, None])
        return of.ms_reader, of.var, of.cov2 if self.less.size > 1 else float("nan")


def _per_reader(own: list[_Modality], want: Asked) -> StandaloneReaders:
    difference = np.concatenate([one.less for one in own])
    error = np.concatenate([one.reader_errors() for one in own])
    if want.cases == "fixed":
        error = np.full_like(error, np.nan)
    z = np.array([ratio_to_error(d, e) for d, e in zip(difference.tolist(), error.tolist(), strict=True)])
    z[np.isinf(z)] = np.nan  # a difference without error is no evidence
    half = np.where(np.isnan(z), np.nan, float(t_quantile(np.inf, want.confidence_level)) * error)
    study = own[0].study
    return StandaloneReaders(
        standalone=study.name,
        unit=study.ratings.unit,
        modalities=tuple(one.name for one in own for _ in one.readers),
        readers=tuple(name for one in own for name in one.readers),
        value=read_only(np.concatenate([one.values[1:] for one in own])),
        standalone_value=read_only(np.concatenate([np.repeat(one.values[:1], one.less.size) for one in own])),
        difference=read_only(difference),
        standard_error=read_only(error),
        low=read_only(difference - half),
        high=read_only(difference + half),
        z=read_only(z),
        pvalue=read_only(np.asarray(two_sided_pvalue(z))),
        confidence_level=want.confidence_level,
    )
