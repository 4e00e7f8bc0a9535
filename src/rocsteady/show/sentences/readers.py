"""The sentences of a reader study: the effect first, its p-value second, and what is random.

Words are those of the field: reader, modality, case, sensitivity, specificity. The word for a reader and the
words for the two classes come from the data.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.readers.compare import (
    NONE,
    SEPARATED,
    ReaderComparison,
    StandaloneComparison,
    caution_of_error_term,
    near_ends,
)
from rocsteady.readers.design import ReaderDesign, count_alike, is_partly_paired, to_be_read
from rocsteady.readers.margins import AgainstMargin, NonInferiority, OfReaders, ReaderTest
from rocsteady.readers.study import NO_NAME, Below, Lack, ReaderRatings, Settings, spoken, with_modality
from rocsteady.words import (
    CANNOT_BE_TOLD,
    cases,
    class_cases,
    counted,
    grouped,
    listed,
    named,
    number,
    p_words,
    percent,
    plural,
    printable,
)

if TYPE_CHECKING:
    from rocsteady.curves.intervals import Band
    from rocsteady.inference.differences import Difference
    from rocsteady.readers.compare import PerModality, ReaderSummary
    from rocsteady.readers.curves import ReaderAverageCurve, ReaderCurvePoint
    from rocsteady.scores.labels import Classes
    from rocsteady.statistics.limits import Interval

_MOST_PAIRS = 3
"""Of three modalities or more: differences that a reading tells; the others are in the table."""
_DESIGNS = {
    ReaderDesign.CROSSED: "every {unit} read every case with every {modality} (fully crossed)",
    ReaderDesign.READERS_IN_MODALITIES: "every {unit} read with one {modality} only ({units} nested in "
    "{modalities})",
    ReaderDesign.CASES_IN_READERS: "every {unit} read cases of their own, with every {modality} (cases "
    "nested in {units})",
    ReaderDesign.CASES_IN_MODALITIES: "every {modality} had cases of its own, read by every {unit} (cases "
    "nested in {modalities})",
    ReaderDesign.SPLIT_PLOT: "the {units} were divided into blocks with cases of their own, read with every "
    "{modality} (split-plot)",
    ReaderDesign.ALL_APART: "every {modality} had {units} and cases of its own",
    ReaderDesign.PARTLY: "not every {unit} read every case with every {modality} (partly crossed)",
}
_HELD_AND_FREE = {"fpr": ("specificity", "sensitivity"), "tpr": ("sensitivity", "specificity")}
"""By the rate that a curve holds: the words for it and for the other one."""


# Parts of sentences
# ------------------


def random_words(
    unit: str, readers_are: str, cases_are: str, n_readers: int, has_patients: bool = False
) -> str:
    """What is random, and what the result therefore holds for; cases may come with their patients."""
    unit = printable(unit)
    units = plural(unit)
    drawn = "patients" if has_patients else "cases"
    if readers_are == cases_are == "random":
        return (
            f"{units} and {drawn} are random: the result is about other {units} and other {drawn} like these"
        )
    if readers_are == "fixed":
        these = f"the {n_readers} {units} are" if n_readers != 1 else f"the {unit} is"
        own = f"these very {units}" if n_readers != 1 else f"this very {unit}"
        return f"{drawn} are random, {these} fixed: the result is about {own} and other {drawn}"
    return f"{units} are random, cases are fixed: the result is about other {units} and these very cases"


def quantity(of: OfReaders) -> str:
    """What was compared, and where."""
    if not of.hold:
        return of.measured
    held, free = _HELD_AND_FREE[of.hold]
    return f"mean {free} at {held} {_at(of):.4g}"


def measured(of: OfReaders) -> str:
    """What was compared."""
    return f"mean {_HELD_AND_FREE[of.hold][1]}" if of.hold else of.measured


def held(of: OfReaders) -> str:
    """What is held where two curves are compared, and who meets it; empty for all else."""
    if not of.hold:
        return ""
    return f"at {_HELD_AND_FREE[of.hold][0]} {_at(of):.4g} (every {printable(of.unit)} meets it)"


def _at(of: OfReaders) -> float:
    return 1 - of.at if of.hold == "fpr" else of.at


def test(of: OfReaders) -> str:
    """Which test; where cases are fixed, no covariance over them enters."""
    if of.test is ReaderTest.U_STATISTICS:
        return "U-statistics"
    if of.test is ReaderTest.CURVES:
        return "paired t" if of.cases == "fixed" else "Obuchowski-Rockette, bootstrap of cases"
    if of.test is ReaderTest.STANDALONE:
        if of.cases == "fixed":
            return "t test over readers"
        return "z test over cases" if of.readers == "fixed" else "Obuchowski-Rockette t test"
    if of.cases == "fixed":
        return "Obuchowski-Rockette"
    covariance = "DeLong" if of.covariance == "delong" else of.covariance
    return f"Obuchowski-Rockette, {covariance} covariance"


def random(of: OfReaders) -> str:
    """What is random."""
    return random_words(of.unit, of.readers, of.cases, of.n_readers, of.has_patients)


def statistic_words(statistic: float, df: Any) -> str:
    """A global test as it is printed: F with two degrees of freedom, chi-square with one."""
    if math.isnan(statistic):
        return "no test statistic"
    if isinstance(df, Sequence):
        first, second = df
        return f"F({_df(first)}, {_df(second)}) = {statistic:.2f}"
    return f"chi2({_df(df)}) = {statistic:.2f}"


def _df(value: float) -> str:
    return "inf" if math.isinf(value) else f"{value:.0f}" if value == round(value) else f"{value:.1f}"


def of_design(design: str, unit: str, modality: str = "modality") -> str:
    """Who read what, in words; modalities may be called otherwise."""
    names = {"unit": printable(unit), "units": plural(printable(unit))}
    return _DESIGNS[ReaderDesign(design)].format(**names, modality=modality, modalities=plural(modality))


def of_size(
    classes: Classes, n_positives: int, n_negatives: int, *, n_readers: int, unit: str, n_modalities: int
) -> str:
    """How many readers, cases of each class, and modalities."""
    return (
        f"{counted(n_readers, printable(unit))}, {of_cases(classes, n_positives, n_negatives)}, "
        f"{counted(n_modalities, 'modality')}"
    )


def of_cases(classes: Classes, n_positives: int, n_negatives: int) -> str:
    """How many cases, and of which class."""
    of_each = [
        cases(n, printable(label), is_positive=is_positive).removesuffix("s").removesuffix(" case")
        for n, label, is_positive in (
            (n_positives, classes.positive, True),
            (n_negatives, classes.negative, False),
        )
    ]
    return f"{counted(n_positives + n_negatives, 'case')} ({' and '.join(of_each)})"


def interval_words(interval: Interval, *, signed: bool = False, of: str = "") -> str:
    """``95 % CI 0.805 to 0.989``; nothing where there are no limits."""
    if math.isnan(interval.low):
        return ""
    low, high = (_signed(limit) if signed else number(limit) for limit in (interval.low, interval.high))
    return f"{100 * interval.confidence_level:g} % CI{of} {low} to {high}"


def _signed(value: float) -> str:
    return f"{value:+.3f}" if abs(value) >= 0.0095 or value == 0 else f"{value:+.2g}"


def value_words(value: float, interval: Interval, *, signed: bool = False) -> str:
    """``0.897 (95 % CI 0.805 to 0.989)``, without brackets where there are no limits."""
    words = interval_words(interval, signed=signed)
    return f"{number(value)} ({words})" if words else number(value)


def said(words: str) -> str:
    """A sentence made of words: a capital first, a full stop last."""
    return f"{words[:1].upper()}{words[1:].rstrip('.')}." if words else ""


def _told(found: Any, *sentences: str, last: Sequence[str] = ()) -> str:
    """Sentences, then notes, then what is random."""
    notes = (f"{note.rstrip('.')}." for note in found.notes)
    return " ".join([*sentences, *notes, *last, said(found.random)])


# Modalities compared
# -------------------


def comparison(found: ReaderComparison) -> str:
    """The answer, what it rests on, and what is random."""
    return _told(found, of_answer(found))


def of_answer(found: ReaderComparison) -> str:
    """Whether the modalities differ, by how much, and how sure that is."""
    if has_no_error(found):
        return _of_no_error(found)
    differences = [replace(own, a=spoken(own.a), b=spoken(own.b)) for own in found.differences]
    if len(differences) == 1:
        return differences[0].reading
    return " ".join([of_global(found), *of_pairs(differences, found.adjust)])


def has_no_error(found: ReaderComparison) -> bool:
    """Whether modalities differ and nothing varies: then there is nothing to hold the difference against."""
    return found.error_term == 0 and float(found.means.max()) > float(found.means.min())


def _of_no_error(found: ReaderComparison) -> str:
    """How far the means are apart, and that this is no finding."""
    no_test = "nothing varies, so there is no test of it"
    if len(found.modalities) > 2:
        return f"{_range_of(found)}: {no_test}."
    order = (int(found.means.argmax()), int(found.means.argmin()))
    (a, high), (b, low) = ((spoken(found.modalities[i]), float(found.means[i])) for i in order)
    return (
        f"On these data {a} has a higher {found.differences[0].quantity} than {b}, by "
        f"{number(high - low)} ({number(high)} against {number(low)}): {no_test}."
    )


def _range_of(found: ReaderComparison) -> str:
    order = found.means.argsort(kind="stable")[[0, -1]]
    ends = [f"{number(float(found.means[i]))} ({spoken(found.modalities[i])})" for i in order]
    quantity, n = found.differences[0].quantity, len(found.modalities)
    return f"The {quantity} runs from {ends[0]} to {ends[1]} over {n} modalities"


def of_global(found: ReaderComparison) -> str:
    """Of three modalities or more: the range of their means, and the test that all are alike."""
    test = f"{statistic_words(found.statistic, found.df)}, {p_words(found.pvalue)}"
    if found.means.min() == found.means.max():
        quantity, n = found.differences[0].quantity, len(found.modalities)
        return f"The {n} modalities have the same {quantity}, {number(float(found.means[0]))}; {test}."
    is_told = found.pvalue <= 1 - found.confidence_level
    doubt = "the modalities differ" if is_told else f"a spread {CANNOT_BE_TOLD.removeprefix('which ')}"
    return f"{_range_of(found)}: {doubt}; {test}."


def of_pairs(differences: Sequence[Difference], adjust: str | None) -> list[str]:
    """The largest differences that are told from none, and how many are."""
    decided = sorted((own for own in differences if own.is_decided), key=lambda own: -abs(own.difference))
    adjusted = ""
    if adjust is not None:
        names = {"holm": "Holm", "bh": "Benjamini and Hochberg"}
        adjusted = f", adjusted for their number ({names.get(adjust, adjust)})"
    if not decided:
        return [f"None of the {len(differences)} differences between two of them is told from 0{adjusted}."]
    count = f"{len(decided)} of {counted(len(differences), 'pair')} {'is' if len(decided) == 1 else 'are'} "
    sentences = [f"{count}told apart{adjusted}."]
    if len(decided) > _MOST_PAIRS:
        sentences.append("The largest differences:")
    return sentences + [own.reading for own in decided[:_MOST_PAIRS]]


# Each modality by itself
# -----------------------


def summary(found: ReaderSummary) -> str:
    """Each mean with its interval, how much readers differ, and what is random."""
    sentences = [of_modality(found, i) for i in range(len(found))]
    overlap = "Two intervals that overlap do not say that there is no difference: compare_readers."
    return _told(found, *sentences, last=(overlap,) if len(found) > 1 else ())


def of_modality(found: ReaderSummary, i: int) -> str:
    """The mean of its readers, and how much these differ."""
    own = found.values[i][~np.isnan(found.values[i])]
    value = value_words(float(found.means[i]), found.per_modality.intervals[i])
    who, unit = with_modality(found.modalities[i]), printable(found.unit)
    if own.size == 1:
        return f"The {found.measure} of the {unit}{who} is {value}."
    text = f"The mean {found.measure} of {counted(own.size, unit)}{who} is {value}"
    if own.min() == own.max():
        return f"{text}; the {plural(unit)} are all alike."
    spread = f"{number(float(own.min()))} to {number(float(own.max()))}"
    sd = float(found.reader_sd[i])
    beyond = f", with an sd of {number(sd)} beyond the luck of their cases"
    if not sd > 0:
        beyond = "" if math.isnan(sd) else ", no more than the luck of their cases explains"
    return f"{text}; the {plural(unit)} run from {spread}{beyond}."


# A standalone system
# -------------------


def standalone(found: StandaloneComparison) -> str:
    """Each comparison in words, how many readers the system is better than, and what is random."""
    return _told(found, of_system(found))


def of_system(found: StandaloneComparison) -> str:
    """The same without what is random."""
    answers = [said(own.reading) if own.better == own.b else own.reading for own in found.differences]
    return " ".join([*answers, _by_itself(found)])


def average_reader(unit: str, readers: Sequence[str], modality: str) -> str:
    """Whom a system is compared with: ``the average reader with film``."""
    unit = printable(unit)
    who = f"the average {unit}" if len(readers) > 1 else named(unit, readers[0])
    return f"{who}{with_modality(modality)}"


def _by_itself(found: StandaloneComparison) -> str:
    """``AI has an AUC of 0.838 (95 % CI ...) by itself; it exceeds 3 of 6 readers with film.``"""
    values = [value_words(own.a_value, own.a_interval) for own in found.differences]
    alone = values[0]
    if len(set(values)) > 1:  # modalities had other cases
        of_each = zip(values, found.modalities, strict=True)
        alone = listed([f"{own} on the cases of {spoken(name)}" for own, name in of_each])
    exceeded = listed([_exceeded(found, i) for i in range(len(found.modalities))])
    verb = "is better than" if found.differences[0].lower_is_better else "exceeds"
    return f"By itself, {printable(found.standalone)} has {alone}; it {verb} {exceeded}."


def _exceeded(found: StandaloneComparison, i: int) -> str:
    """``3 of 6 readers with film``; who is level with the system is said apart."""
    values, alone = found.values[i][~np.isnan(found.values[i])], found.standalone_values[i]
    is_better = values > alone if found.differences[i].lower_is_better else values < alone
    n_above, n_alike = int(is_better.sum()), int((values == alone).sum())
    alike = f" (and is level with {n_alike})" if n_alike else ""
    where = f" with {spoken(found.modalities[i])}" if len(found.modalities) > 1 else ""
    return f"{n_above or 'none'} of {counted(values.size, printable(found.unit))}{where}{alike}"


# Average curves
# --------------


def average_curve(curve: ReaderAverageCurve) -> str:
    """What is held and what is averaged, and that the area is kept."""
    unit, (held, free) = printable(curve.unit), _HELD_AND_FREE[curve.hold]
    area = "the mean AUC"
    if not count_alike(curve._study.is_read, curve._study.truth):  # U-statistics have another mean then
        area = f"the plain mean of the {plural(unit)}' AUCs"
    return (
        f"Average curve of {counted(len(curve.readers), unit)}{with_modality(curve.modality)}: every {unit} "
        f"sets an own threshold so that the {held} is the same for all, and the mean {free} is what the "
        f"curve shows. The area under it is {area}, {curve.auc:.4f}."
    )


def point(found: ReaderCurvePoint) -> str:
    """What a point means; for several at once, what the curve means."""
    if np.ndim(found.fpr):
        return found._curve.reading
    unit, n = printable(found._curve.unit), len(found.readers)
    held, free = _HELD_AND_FREE[found.hold]
    value, interval = found._better_rate()
    share = found.specificity if found.hold == "fpr" else found.sensitivity
    who = f"the mean {free} of the {counted(n, unit)}" if n > 1 else f"the {free} of the {unit}"
    place = f"At a {held} of {percent(share)}" + (f" for every {unit}" if n > 1 else "")
    sentence = f"{place}, {who}{with_modality(found.modality)} is {percent(value)}"
    if np.isnan(interval.low):
        return f"{sentence}."
    limits = f"{percent(interval.low)} to {percent(interval.high)}"
    return f"{sentence} ({100 * interval.confidence_level:g} % CI {limits}); {found.random}."


def band(found: Band) -> str:
    """What a band promises."""
    curve, level = found._about, found.confidence_level
    held, free = _HELD_AND_FREE[curve.hold]
    ranges = ", ".join(f"{a:.3g} to {b:.3g}" for a, b in found.excluded)
    left = f"; left out, because too few cases decide there: FPR {ranges}" if ranges else ""
    return (
        f"At each {held} by itself, the mean {free} lies in the band with {100 * level:g} % confidence; "
        f"{curve.random}{left}."
    )


# Margins
# -------


def margin(found: AgainstMargin) -> str:
    """Whether it is shown, and what is random."""
    return f"{of_margin(found)} {said(found.random)}"


def of_margin(found: Any) -> str:
    """Whether a modality is shown to be not much worse, or two to be alike."""
    is_one_sided = isinstance(found, NonInferiority)
    first, other = (found.new, found.reference) if is_one_sided else (found.a, found.b)
    lead = f"The {found.quantity} of {spoken(first)} is {how_far(found.difference, other)}"
    if found.standard_error == 0:
        verdict = "that it is not inferior" if is_one_sided else "that the two are equivalent"
        return (
            f"{lead}, with a standard error of 0: nothing varies, as where every AUC is 1, so there is no "
            f"test, and {verdict} within a margin of {found.margin:g} is not shown."
        )
    if not is_one_sided:
        verdict = f"equivalent within a margin of {found.margin:g}"
        verdict = verdict if found.is_shown else f"that they are {verdict} is not shown"
        limits = interval_words(found.interval, signed=True, of=" of the difference")
        return f"{lead} ({limits}): {verdict}; {p_words(found.pvalue)} (two one-sided tests)."
    better, worse = ("lower", "higher") if found.lower_is_better else ("higher", "lower")
    worst = f"{better} by at least" if found.bound > 0 else f"not {worse} by more than"
    margin, level = f"the margin of {found.margin:g}", f"{100 * found.interval.confidence_level:g} %"
    verdict = f"not inferior within {margin}"
    if not found.is_shown:
        verdict = f"that it is not inferior by {margin} is not shown"
    return (
        f"{lead}, and at {level} confidence it is {worst} {number(abs(found.bound))}: "
        f"{verdict}; {p_words(found.pvalue)} (one-sided)."
    )


def how_far(difference: float, other: str) -> str:
    """How a value lies to that of another: ``higher than of film by 0.072``."""
    if difference == 0:
        return f"the same as of {spoken(other)}"
    return f"{'higher' if difference > 0 else 'lower'} than of {spoken(other)} by {number(abs(difference))}"


# What to know before a study is believed
# ---------------------------------------


def values_below_half(ratings: ReaderRatings, below: Sequence[Below]) -> Iterator[str]:
    """AUCs that are clearly below 1/2: means of modalities, and readers of the other ones."""
    what = "mean AUC" if len(ratings.readers) > 1 else "AUC"
    for auc, modality, reader in below:
        where = with_modality(modality)
        if reader is None:
            yield f"{what} {auc:.3f}{where}"
        else:
            yield f"AUC {auc:.3f} of {printable(named(ratings.unit, reader))}{where}"


def lacks(ratings: ReaderRatings, lacking: Sequence[Lack]) -> Iterator[str]:
    """What readers lack, each by itself."""
    for own in lacking:
        who = printable(named(ratings.unit, own.reader))
        if own.is_positive is None:
            yield f"{who}: no ratings with {spoken(own.modality)}"
        else:
            label = ratings.classes.positive if own.is_positive else ratings.classes.negative
            of_class = printable(class_cases(label, is_positive=own.is_positive))
            yield f"{who}: no {of_class}{with_modality(own.modality)}"


def what_is_missing(ratings: ReaderRatings) -> str:
    """Which ratings the design asks for and are not there."""
    expected = to_be_read(ratings.is_read)
    n_missing = int((expected & ~ratings.is_read).sum())
    found = []
    if n_missing:
        found.append(f"{grouped(n_missing)} of {counted(int(expected.sum()), 'rating')} missing")
    if not (ratings.is_nested or ratings.cells.all()):
        empty = [
            f"{printable(named(ratings.unit, ratings.readers[j]))} with {spoken(ratings.modalities[i])}"
            for j, i in np.argwhere(~ratings.cells.T)
        ]
        found.append(f"no ratings of {listed(empty)}")
    return "; ".join([*found, _sizes(ratings)])


def _sizes(ratings: ReaderRatings) -> str:
    n_read = ratings.is_read.sum(axis=2)[ratings.cells]
    low, high = int(n_read.min()), int(n_read.max())
    return f"{low if low == high else f'{low} to {high}'} cases in a cell"


def notes_of_comparison(found: ReaderComparison, *, has_plain: bool = True) -> Iterator[str]:
    """What to know about the design, the components and the intervals, if these are shown as they are."""
    ratings, of, settings = found.ratings, found.components, found._settings
    yield from _reversed(ratings, found._below_half)
    is_by_u_statistics = settings.is_by_u_statistics
    is_cut = of is not None and not is_by_u_statistics and found.cases_are == "random" and of.cov2 < of.cov3
    yield from _of_design(ratings, settings, is_cut=is_cut)
    if is_by_u_statistics:
        yield from _of_u_statistics(found)
    of_error_term = caution_of_error_term(found)
    if of_error_term is not None:
        yield said(printable(of_error_term.problem))
    yield from (f"{note}." for note in _of_means(found.per_modality))
    near = [spoken(found.modalities[i]) for i in near_ends(found)]
    if near and has_plain:
        yield (
            f"So near to 0 or 1 the plain interval of the mean of {listed(near)} covers too little; "
            "per_modality.logit_intervals hold their level."
        )
    n_unknown = int(np.isnan(found.per_reader.standard_error).sum())
    if n_unknown:
        yield (
            f"per_reader has no error for {n_unknown} of {counted(len(found.per_reader), 'difference')}: "
            "with one case of a class the variance is unknown, and an unbiased one may come out below 0."
        )


def _reversed(ratings: ReaderRatings, below: Sequence[Below]) -> Iterator[str]:
    cells = [*values_below_half(ratings, below)]
    if cells:
        yield f"Ratings may run the other way: {listed(cells)}, clearly below 1/2."


def _of_design(ratings: ReaderRatings, settings: Settings, *, is_cut: bool = False) -> Iterator[str]:
    """Who read what, what was left out, what is random in it; whether Cov2 was cut to Cov3."""
    unit, units = printable(ratings.unit), plural(printable(ratings.unit))
    by_components = not settings.is_by_u_statistics
    if ratings.design == ReaderDesign.PARTLY:
        n_read = ratings.is_read.sum(axis=2)[ratings.cells]
        if n_read.min() < n_read.max() or ratings.cells.all():
            counts = f"; every {unit} counts the same" if by_components else ""
            yield f"Not every {unit} read every case: {_sizes(ratings)}{counts}."
        if not (ratings.cells.all() or ratings.is_nested):
            yield f"Not every {unit} read every modality."
    if by_components and is_partly_paired(ratings.is_read):
        yield (
            "Pairs of modalities share different numbers of cases, so every difference has its own error. "
            "The test of all modalities at once uses a mean of these errors and is approximate."
        )
    if ratings.left_out:
        yield f"Left out: {listed(list(ratings.left_out))}."
    if ratings.clusters is not None and settings.cases == "random":
        patients = counted(int(ratings.clusters.max()) + 1, "patient")
        yield f"The cases come from {patients}, and patients are what is random."
    if is_cut:
        yield (
            f"Cov2 is below Cov3, so their difference counts as 0: {units} agree no more on cases within a "
            "modality than across."
        )
    if len(ratings.modalities) < 2:
        return
    shares_cases = (ratings.is_read.any(axis=1).sum(axis=0) > 1).any()
    owned = ["cases"] if settings.cases == "fixed" and not shares_cases else []
    owned += [units] if settings.readers == "fixed" and ratings.is_nested else []
    for what in owned:
        yield (
            f"Every modality has {what} of its own, and these are fixed: a difference of modalities cannot "
            f"be told from one of their {what}."
        )


def _of_u_statistics(found: ReaderComparison) -> Iterator[str]:
    """How readers count where they read unequally, and what a program that does not centre would print."""
    n_read = found.ratings.is_read.sum(axis=2)[found.ratings.cells]
    if not (n_read == n_read[0]).all():
        unit = printable(found.unit)
        yield f"A {unit} counts by the pairs of a positive and a negative case that were read."
    other = found._uncentred_errors
    if other is None:
        return
    pairs = zip(*np.triu_indices(len(other), 1), strict=True)
    for own, (a, b) in zip(found.differences, pairs, strict=True):
        if not np.isclose(own.standard_error, other[a, b], rtol=1e-6):
            theirs = f"a standard error of {other[a, b]:.4f}"
            theirs = "a negative variance" if np.isnan(other[a, b]) else theirs
            pair = f"{printable(own.a)} less {printable(own.b)}"
            yield f"Without centring, as iMRMC computes it, {pair} has {theirs}."


def _of_means(per: PerModality) -> Iterator[str]:
    """Which means have no error, or one that is not known."""
    for name, method, error in zip(per.modalities, per.methods, per.standard_error, strict=True):
        if method in (SEPARATED, NONE):
            yield _of_nothing(method, "the readers" if name == NO_NAME else spoken(name), float(error))


def _of_nothing(method: str, whose: str, error: float) -> str:
    if math.isnan(error):
        return f"The variance of the mean of {whose} came out below 0, which says nothing: it has no interval"
    if method == SEPARATED:
        return (
            f"Nothing varies in the mean of {whose}: its limits are the bound for separated classes, which "
            "one reader would have, and how much readers differ is not seen"
        )
    return f"Nothing varies in the mean of {whose}, so it has no interval"


def notes_of_summary(found: ReaderSummary) -> Iterator[str]:
    """What is to be known about each modality; named where they differ."""
    by_note: dict[str, list[str]] = {}
    for own in found._studies:
        for note in _of_design(own, found._settings):
            by_note.setdefault(note, []).append(printable(own.modalities[0]))
    for note, names in by_note.items():
        is_of_all = len(names) == len(found._studies)
        yield note if is_of_all else f"With {', '.join(names)}: {note[:1].lower()}{note[1:]}"
    yield from _of_means(found.per_modality)
    for own in found._studies:
        yield from _reversed(own, [one for one in found._below_half if one[1] == own.modalities[0]])


def notes_of_standalone(found: StandaloneComparison) -> Iterator[str]:
    """What was left out, and what else to know."""
    study, name = found._system, printable(found.standalone)
    if study.n_unscored:
        were = "was" if study.n_unscored == 1 else "have been"
        yield f"{counted(study.n_unscored, 'case')} without a score of {name} {were} left out"
    if study.groups is not None:
        n_groups, unit = study.groups
        yield (
            f"The scores of {name} come from {counted(n_groups, printable(unit))} with cases of their own, "
            f"and are ordered across {plural(printable(unit))} as if all were on one scale"
        )
    yield from _of_design(study.of_readers, found._settings)
    for own, error in zip(found.differences, found._mean_errors.tolist(), strict=True):
        if own.standard_error == 0:
            yield (
                f"Nothing varies between {printable(own.a)} and {printable(own.b)}: the standard error is 0, "
                "so there is nothing to hold the difference against"
            )
        if own.b_interval.method in (SEPARATED, NONE):
            yield _of_nothing(own.b_interval.method, printable(own.b), error)
    yield from _reversed(study.of_readers, found._below_half)
    if found._system_below_half:
        low = float(np.nanmin(found.standalone_values))
        yield f"The scores of {name} may run the other way: an AUC of {low:.3f} is clearly below 1/2"
