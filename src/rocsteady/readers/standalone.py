"""``compare_standalone``: a system that reads by itself (AI, CAD) against the readers of a study.

The system has one score for each case, on a scale of its own: only the order of its scores is kept. What
readers and system have in common are the cases.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from rocsteady.arrays import Floats
from rocsteady.curves.from_scores import described
from rocsteady.curves.measures import Statistic
from rocsteady.errors import Option, RocsteadyError, fail, near_match, warn
from rocsteady.inference.differences import BEHIND_A_TEST, Difference
from rocsteady.options import one_number
from rocsteady.readers.compare import ComparedStudy, lower_is_better, study_facts
from rocsteady.readers.covariance import Settings, below_half, values, warn_of_reversed
from rocsteady.readers.margins import (
    DEFAULT_ALPHA,
    Equivalence,
    NonInferiority,
    adjusted_differences,
    equivalent,
    non_inferior,
    require_known_errors,
    tested_difference,
)
from rocsteady.readers.study import (
    NO_NAME,
    ReaderRatings,
    lacking_a_class,
    lacking_class,
    reader_column,
    reader_ratings,
    require_reader_set,
    require_some_modality,
)
from rocsteady.readers.summarize import interval_of, root_of_variance
from rocsteady.results import TableResult, read_only
from rocsteady.scores.columns import shown, word
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.scores import Scores
from rocsteady.showing import said
from rocsteady.statistics.intervals import ratio_to_error, t_quantile, two_sided_pvalue
from rocsteady.statistics.obuchowski_rockette import (
    ROUNDING,
    components,
    single_modality,
    standalone_less_readers,
)
from rocsteady.words import class_cases, counted, listed, plural, printable

_FUNCTION = "compare_standalone"
_METHODS = {
    ("random", "random"): "Obuchowski-Rockette t test",
    ("fixed", "random"): "z test over cases",
    ("random", "fixed"): "t test over readers",
}


@dataclass(frozen=True, eq=False, repr=False)
class StandaloneReaders(TableResult):
    """A standalone system against each reader by itself: cases are random, the reader is this one.

    Attributes
    ----------
    standalone, unit : str
        The name of the system; the word for a reader.
    modalities, readers : tuple of str
        Of each row.
    value, standalone_value : float64 arrays
        Of the reader, and of the system on the cases that were read with that modality.
    difference, standard_error, low, high, z, pvalue : float64 arrays
        The system less the reader, with its error over cases. NaN where cases are fixed. P-values are not
        adjusted for the number of readers.
    confidence_level : float
        Of the limits.
    """

    _not_for_papers: ClassVar = (*BEHIND_A_TEST, "z")

    standalone: str
    unit: str
    modalities: tuple[str, ...]
    readers: tuple[str, ...]
    value: Floats
    standalone_value: Floats
    difference: Floats
    standard_error: Floats
    low: Floats
    high: Floats
    z: Floats
    pvalue: Floats
    confidence_level: float

    def _columns(self) -> dict[str, Any]:
        numbers = dict(super()._columns())
        word = reader_column(self.unit, ("modality", *numbers))
        return {"modality": list(self.modalities), word: list(self.readers)} | numbers

    def __repr__(self) -> str:
        rows = counted(len(self.readers), printable(self.unit))
        return f"StandaloneReaders({printable(self.standalone)} against {rows})"


@dataclass(frozen=True, eq=False, repr=False)
class StandaloneComparison(ComparedStudy, sentence="readers.standalone"):
    """A standalone system (AI, CAD) against the mean of the readers of each modality.

    Attributes
    ----------
    standalone : str
        The name of the system. Readers, values and means are those of the readers; the design says which of
        them read what, and the system scored all of it.
    standalone_values : (t,) float64 array
        Of the system, on the cases that were read with the modality.
    differences : tuple of Difference
        For each modality the system less the mean of its readers. ``a_interval`` is that of the system by
        itself, over cases; ``b_interval`` that of the mean of the readers. Both are made on the logit scale,
        or plainly where the measure has no largest value; where nothing varies they are the bound for
        separated classes, or NaN.
    ms_reader, var, cov2 : (t,) float64 arrays
        The mean square of readers, and the mean variance and covariance over cases, all of the differences
        between the system and the readers.
    per_reader : StandaloneReaders
        The system against each reader.
    """

    _kind: ClassVar = "standalone"

    standalone: str
    standalone_values: Floats
    ms_reader: Floats
    var: Floats
    cov2: Floats
    per_reader: StandaloneReaders
    _study: StandaloneStudy
    _covariances: Floats
    _mean_errors: Floats

    @property
    def difference(self) -> Difference:
        """Where there is one modality: the system less the mean of its readers."""
        return self._of(None)

    def non_inferior(
        self, margin: float, *, modality: str | None = None, alpha: float = DEFAULT_ALPHA
    ) -> NonInferiority:
        """Test whether the system is not worse than the readers by a margin.

        Parameters
        ----------
        margin : float
            Above 0, chosen before the data were seen.
        modality : str, optional
            Against whose readers; needed where there are several.
        alpha : float
            Level of the one-sided test.
        """
        return non_inferior(self._of(modality), margin, new=self.standalone, alpha=alpha)

    def equivalent(
        self, margin: float, *, modality: str | None = None, alpha: float = DEFAULT_ALPHA
    ) -> Equivalence:
        """Test whether the system and the readers differ by less than a margin, either way."""
        return equivalent(self._of(modality), margin, alpha=alpha)

    def _of(self, modality: str | None) -> Difference:
        if modality is None and len(self.modalities) == 1:
            return self.differences[0]
        modality = None if modality is None else str(modality)
        if modality not in self.modalities:
            raise fail("RS040.which", modality=modality, modalities=self.modalities, unit=self.unit)
        return self.differences[self.modalities.index(modality)]

    def _columns(self) -> dict[str, Any]:
        names = ("difference", "standard_error", "statistic", "df", "pvalue", "adjusted_pvalue")
        return {
            "standalone": [self.standalone] * len(self.differences),
            "modality": list(self.modalities),
            "standalone_value": [own.a_value for own in self.differences],
            "mean_of_readers": [own.b_value for own in self.differences],
            **{name: [getattr(own, name) for own in self.differences] for name in names},
            "low": [own.interval.low for own in self.differences],
            "high": [own.interval.high for own in self.differences],
        }

    def __repr__(self) -> str:
        first = self.differences[0]
        units = plural(printable(self.unit))
        own = f"{printable(self.standalone)} {first.a_value:.4f}, {units} {first.b_value:.4f}"
        more = f" and {len(self.differences) - 1} more" if len(self.differences) > 1 else ""
        return f"StandaloneComparison({self.measure}, {own}, p {first.pvalue:.3g}{more})"


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
    settings = Settings(
        readers=readers,
        cases=cases,
        measure=measure,
        covariance=covariance,
        confidence_level=confidence_level,
        adjust=adjust,
        n_resamples=n_resamples,
        seed=seed,
        threads=threads,
    )
    threshold = _threshold(settings.measure, standalone_threshold)
    study = standalone_study(
        score_set, standalone, modalities=modalities, missing=missing, threshold=threshold
    )
    study = study if name is None else study.renamed(name)
    settings.require_readers(study.of_readers)
    own = "" if threshold is None else f" ({printable(study.name)}: {threshold:g})"
    return _compared(study, settings, f"{settings.measure.label}{own}")


def _threshold(measure: Statistic, given: float | None) -> float | None:
    """The threshold of the system; RS040 unless the measure has one and so has the system."""
    of_readers = measure.at if measure.hold == "threshold" else None
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


class _Modality:
    """The system and the readers of one modality."""

    def __init__(
        self, study: StandaloneStudy, i: int, found: Floats, errors: Floats, settings: Settings
    ) -> None:
        self.study, self.i, self.settings = study, i, settings
        self.cells = cells = np.flatnonzero(study.ratings.cells[i])  # the system is the first of them
        self.name = study.ratings.modalities[i]
        self.readers = tuple(study.ratings.readers[j] for j in cells[1:])
        self.values = found[i, cells]
        self.errors = errors[i][:, i][np.ix_(cells, cells)]
        self.less, self.covariance = standalone_less_readers(self.values, self.errors)
        self.random = {"readers": settings.readers, "cases": settings.cases}
        self.reader_mean = single_modality(self.values[1:], self.errors[1:, 1:], **self.random)
        of = components(self.less[None], self.covariance[None, :, None])
        self.parts = of.ms_reader, of.var, of.cov2 if self.less.size > 1 else float("nan")

    def difference(self, quantity: str) -> Difference:
        """The system less the mean of the readers."""
        settings, ratings = self.settings, self.study.ratings
        is_random = settings.cases == "random"
        error = root_of_variance(float(self.errors[0, 0])) if is_random else float("nan")
        alone = interval_of(settings, ratings, self.i, [0], float(self.values[0]), error)
        return tested_difference(
            (self.study.name, said("readers.average_reader", ratings.unit, self.readers, self.name)),
            (float(self.values[0]), float(self.values[1:].mean())),
            (alone, interval_of(settings, ratings, self.i, self.cells[1:], *self.reader_mean)),
            single_modality(self.less, self.covariance, **self.random),
            settings.confidence_level,
            quantity=quantity,
            method=_METHODS[settings.readers, settings.cases],
            random=settings.what_is_random(ratings, len(ratings.readers) - 1),
            lower_is_better=lower_is_better(settings),
        )

    def reader_errors(self) -> Floats:
        """Of the difference to each reader over cases; NaN where that variance is not known."""
        if self.settings.cases == "fixed":
            return np.full(self.less.size, np.nan)
        variance = np.diag(self.covariance)
        is_rounding = np.abs(variance) <= ROUNDING * (np.diag(self.errors)[1:] + self.errors[0, 0])
        return np.array([root_of_variance(own) for own in np.where(is_rounding, 0.0, variance).tolist()])


def _compared(study: StandaloneStudy, settings: Settings, quantity: str) -> StandaloneComparison:
    ratings = study.ratings
    found, errors = values(ratings, settings.measure), settings.covariances_of(ratings)
    own = [_Modality(study, i, found, errors, settings) for i in range(len(ratings.modalities))]
    differences = [one.difference(quantity) for one in own]
    warn_of_reversed(study.of_readers, found[:, 1:], errors[:, 1:, :, 1:], settings.measure)
    if is_system_reversed(ratings, found, errors, settings.measure):
        warn("RS219.system", name=printable(study.name), auc=float(np.nanmin(found[:, 0])))
    require_known_errors(settings.covariance, differences)
    ms_reader, var, cov2 = (
        read_only(np.array(part)) for part in zip(*(one.parts for one in own), strict=True)
    )
    adjust = settings.adjust if len(own) > 1 else None
    return StandaloneComparison(
        **(study_facts(ratings, settings) | {"measure": quantity, "adjust": adjust}),
        standalone=study.name,
        readers=ratings.readers[1:],
        random=differences[0].random,
        values=read_only(found[:, 1:].copy()),
        means=read_only(np.array([one.b_value for one in differences])),
        standalone_values=read_only(found[:, 0].copy()),
        differences=adjusted_differences(differences, settings.adjust),
        ms_reader=ms_reader,
        var=var,
        cov2=cov2,
        per_reader=_per_reader(own, settings),
        _study=study,
        _covariances=errors,
        _mean_errors=np.array([one.reader_mean[1] for one in own]),
    )


def is_system_reversed(
    ratings: ReaderRatings, found: Floats, covariances: Floats, measure: Statistic
) -> bool:
    """Whether the scores of the system, the first reader, may run the other way."""
    alone = ratings.of_readers([0])
    return any(own.any() for own in below_half(alone, found[:, :1], covariances[:, :1, :, :1], measure))


def _per_reader(own: list[_Modality], settings: Settings) -> StandaloneReaders:
    difference = np.concatenate([one.less for one in own])
    error = np.concatenate([one.reader_errors() for one in own])
    z = np.array([ratio_to_error(d, e) for d, e in zip(difference.tolist(), error.tolist(), strict=True)])
    z[np.isinf(z)] = np.nan  # a difference without error is no evidence
    half = np.where(np.isnan(z), np.nan, float(t_quantile(np.inf, settings.confidence_level)) * error)
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
        confidence_level=settings.confidence_level,
    )


# The scores of the system beside the ratings of the readers
# ----------------------------------------------------------


@dataclass(frozen=True, eq=False)
class StandaloneStudy:
    """Readers, and a standalone system as the first of them.

    Attributes
    ----------
    name : str
        Of the system.
    ratings : ReaderRatings
        The system is reader 0 with every modality, on the cases that were read there; the design is that of
        the others.
    n_unscored : int
        Cases left out because they have no score.
    groups : (int, str) or None
        How many groups with cases of their own the scores come from, which are ordered as one list, and the
        word for one.
    """

    name: str
    ratings: ReaderRatings
    n_unscored: int
    groups: tuple[int, str] | None

    @property
    def of_readers(self) -> ReaderRatings:
        """The ratings without the system."""
        return self.ratings.of_readers(range(1, len(self.ratings.readers)))

    def renamed(self, name: Any) -> StandaloneStudy:
        """The same with another name of the system; RS040 for one that a reader has."""
        if not isinstance(name, str) or not name or name in self.ratings.readers[1:]:
            raise fail("RS040.name", name=name)
        ratings = replace(self.ratings, readers=(name, *self.ratings.readers[1:]))
        return replace(self, name=name, ratings=ratings)


def standalone_study(
    score_set: ScoreSet, standalone: Any, *, modalities: Any, missing: str, threshold: float | None
) -> StandaloneStudy:
    """The ratings with the system among them.

    ``threshold`` turns its scores into decisions, for measures at a threshold.
    """
    require_reader_set(score_set, _FUNCTION)
    require_some_modality(modalities, score_set)
    options: dict[str, Any] = {"missing": missing, "least_modalities": 1, "function": _FUNCTION}
    options["need_common_cases"] = False  # each may have one reader: the system sees it, too
    table: ScoreSet | Scores | None = None
    if isinstance(standalone, ScoreSet | Scores):
        table, name = standalone, _name_in(standalone)
    else:
        name = _name_of(standalone)
        if name in score_set.models:
            table = score_set.model(name)
            if modalities is None:
                modalities = [own for own in score_set.models if own != name]
            _require_others(modalities, name, score_set)
        elif name in score_set.groups:
            _require_system_classes(score_set, name)
        else:
            raise _unknown(name, score_set)
    ratings = reader_ratings(score_set, modalities=modalities, **options)
    if table is None:
        ratings, scores = _split(ratings, name)
    else:
        scores = _matched(name, table, ratings, ordered=threshold is None)
    if threshold is not None:
        is_up = (score_set if table is None else table).higher_is_positive
        is_positive = scores >= (threshold if is_up else -threshold)
        # Beyond every threshold of the readers, or short of all.
        scores = np.where(np.isnan(scores), np.nan, np.where(is_positive, np.inf, -np.inf))
    else:
        scores = _ranks(name, scores)
    ratings, scores, n_unscored = _on_common_cases(name, ratings, scores, missing)
    together = np.concatenate([scores[:, np.newaxis], ratings.ratings], axis=1)
    with_system = ratings.rated_by((name, *ratings.readers), together, left_out=ratings.left_out, n_systems=1)
    return StandaloneStudy(name, with_system, n_unscored, _groups_of(table))


def _name_of(standalone: Any) -> str:
    """The name of a modality or reader; RS040 for what is none."""
    if isinstance(standalone, str | int | float | np.number) and not isinstance(standalone, bool):
        return str(standalone)
    raise fail("RS040.not-named", given=described(standalone))


def _name_in(table: ScoreSet | Scores) -> str:
    """What the system of a table of its own is called; RS038 or RS040 for a table that is none."""
    if table.columns.weights is not None:
        raise fail("RS038.counted", function=_FUNCTION, scores=table)
    if (table.cases if isinstance(table, ScoreSet) else table._cases) is None:
        raise fail("RS040.no-cases", scores=table)
    if isinstance(table, Scores):
        return table.name or "standalone"
    if len(table.models) > 1:
        raise fail("RS040.several", models=table.models, first=table.models[0])
    if table.models:
        return table.models[0]
    return "standalone" if len(table.groups) > 1 or table.groups[0] == NO_NAME else table.groups[0]


def _unknown(name: str, score_set: ScoreSet) -> RocsteadyError:
    modalities, readers = score_set.models, score_set.groups
    close = near_match(name, (*modalities, *readers))
    return fail(
        "RS040.unknown", name=name, modalities=modalities, unit=score_set.unit, readers=readers, close=close
    )


def _require_system_classes(score_set: ScoreSet, name: str) -> None:
    """RS040 if the reader that stands for the system lacks a class."""
    sides = (
        (score_set.n_positives, score_set.classes.positive, True),
        (score_set.n_negatives, score_set.classes.negative, False),
    )
    for i in np.flatnonzero(score_set.group_index == score_set.groups.index(name)):
        for counts, label, is_positive in sides:
            if counts[i] == 0:
                cases = class_cases(label, is_positive=is_positive)
                raise fail("RS040.lacks-class", name=name, cases=cases, scores=score_set[int(i)])


def _require_others(others: Any, name: str, score_set: ScoreSet) -> None:
    """RS040 if the system is to be compared with itself, or with nobody."""
    names = [others] if isinstance(others, str) else [str(own) for own in others]
    if not names or name in names:
        raise fail("RS040.itself", name=name, models=score_set.models, is_named=bool(names))


def _matched(name: str, table: ScoreSet | Scores, ratings: ReaderRatings, *, ordered: bool) -> Floats:
    """The score of each case with each modality, or its rank, pointing upwards; NaN for none.

    RS040 if a case has two scores that differ, or another truth, or if no case has one; RS050 if its cases
    are in other patients.
    """
    columns = table.columns
    cases = table.cases if isinstance(table, ScoreSet) else table._cases
    assert cases is not None  # _name_in
    ranks = np.unique(columns.scores, return_inverse=True)[1].reshape(-1)  # of long integers, too
    order = np.argsort(cases.codes, kind="stable")
    codes, own_ranks = cases.codes[order], ranks[order]
    torn = np.flatnonzero((codes[1:] == codes[:-1]) & (own_ranks[1:] != own_ranks[:-1]))
    if torn.size:
        both = [f"{columns.scores[order[i]]:g}" for i in (torn[0], torn[0] + 1)]
        case, others = shown(cases.values[codes[torn[0]]]), np.unique(codes[torn]).size - 1
        raise fail("RS040.two-scores", name=name, case=case, scores=both, others=others or None)
    first = order[np.flatnonzero(np.append(True, codes[1:] != codes[:-1]))]
    row_of = {word(cases.values[code]): row for code, row in zip(cases.codes[first], first, strict=True)}
    rows = np.array([row_of.get(case, -1) for case in ratings.cases])
    if (rows < 0).all():
        theirs = [f"{listed(list(names)[:3])} ..." for names in (ratings.cases, row_of)]
        raise fail("RS040.no-common-case", unit=ratings.unit, name=name, read=theirs[0], scored=theirs[1])
    truth = np.asarray(columns.labels == columns.positive)[rows]
    other = np.flatnonzero((rows >= 0) & (truth != ratings.truth))
    if other.size:
        raise fail(
            "RS040.other-truth",
            case=ratings.cases[other[0]],
            is_positive=bool(truth[other[0]]),
            others=other.size - 1 or None,
            positive=ratings.classes.positive,
        )
    clusters = table.clusters if isinstance(table, ScoreSet) else table._clusters
    if clusters is not None:
        _require_same_patients(clusters.codes[rows], rows >= 0, ratings)
    scores = (ranks if ordered else columns.scores).astype(np.float64)[rows]
    scores = np.where(rows < 0, np.nan, scores if columns.higher_is_positive else -scores)
    return np.broadcast_to(scores, (len(ratings.modalities), scores.size)).copy()


def _require_same_patients(theirs: Any, is_known: Any, ratings: ReaderRatings) -> None:
    """RS050 unless the system's table has the cases in the same patients as the readers' table."""
    of_readers = np.arange(is_known.size) if ratings.clusters is None else ratings.clusters
    # Patients may have other names there; who is with whom must be the same.
    owner: dict[tuple[str, int], tuple[int, str]] = {}
    for i in np.flatnonzero(is_known):
        own, patient, case = int(of_readers[i]), int(theirs[i]), ratings.cases[i]
        for key, other in ((("theirs", patient), own), (("ours", own), patient)):
            before, first = owner.setdefault(key, (other, case))
            if before != other:
                raise fail("RS050.patients", first=first, second=case, is_system=key[0] == "theirs")


def _split(whole: ReaderRatings, name: str) -> tuple[ReaderRatings, Floats]:
    """The system is one of the readers: take it out."""
    if name not in whole.readers:
        raise fail("RS040.left-out", name=name, reasons=whole.left_out)
    if len(whole.readers) < 2:
        raise fail("RS040.nobody", name=name, given=whole)
    place = whole.readers.index(name)
    others = [j for j in range(len(whole.readers)) if j != place]
    return whole.of_readers(others), whole.ratings[:, place].copy()


def _ranks(name: str, scores: Floats) -> Floats:
    """The order of the scores, which is all that is kept; RS227 if there are two only."""
    found = np.full(scores.shape, np.nan)
    has = ~np.isnan(scores)
    distinct, place = np.unique(scores[has], return_inverse=True)
    found[has] = place.reshape(-1)
    n_values, n_cases = distinct.size, scores.shape[-1]
    if n_values <= 2 and n_cases >= 10:
        warn("RS227.few-values", name=name, n_values=n_values, n_cases=n_cases)
    return found


def _on_common_cases(
    name: str, ratings: ReaderRatings, scores: Floats, missing: str
) -> tuple[ReaderRatings, Floats, int]:
    """Readers and system on the cases that both have; RS040 or RS226 for cases without a score."""
    is_read_at_all = ratings.is_read.any(axis=1)
    lacking = is_read_at_all & np.isnan(scores)
    scores = np.where(is_read_at_all, scores, np.nan)
    unscored = np.flatnonzero(lacking.any(axis=0))
    if not unscored.size:
        return ratings, scores, 0
    without = f"{listed([ratings.cases[i] for i in unscored[:3]])}{' ...' if unscored.size > 3 else ''}"
    n, n_cases = unscored.size, len(ratings.cases)
    if missing != "drop":
        raise fail("RS040.unscored", n=n, n_cases=n_cases, name=name, without=without)
    warn("RS226.left-out", n=n, n_cases=n_cases, name=name, without=without)
    is_read = ratings.is_read & ~lacking[:, np.newaxis]
    left = replace(ratings, is_read=is_read, ratings=np.where(is_read, ratings.ratings, np.nan))
    one_class = lacking_a_class(left)
    if one_class:
        raise lacking_class(left, one_class, can_drop=False)
    return left, scores, n


def _groups_of(table: ScoreSet | Scores | None) -> tuple[int, str] | None:
    """Whether scores come from several groups with cases of their own, and are ordered as one list."""
    if not isinstance(table, ScoreSet) or table.cases is None or len(table.groups) < 2:
        return None
    is_again = np.unique(table.cases.codes).size < table.cases.codes.size  # the same cases, the same scores
    return None if is_again else (len(table.groups), table.unit)
