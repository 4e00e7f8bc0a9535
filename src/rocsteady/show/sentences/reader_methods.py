"""What a paper says of a reader study: the methods, ready to paste, and the result in one sentence.

STARD 2015 (Bossuyt et al. 2015) asks for the methods of comparing (item 14), for missing data (16), for the
variability of accuracy (17) and for estimates with their precision (24). That is what can be said from the
data; :data:`TO_ADD` says what cannot.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rocsteady.readers.compare import SEPARATED, ReaderComparison, near_ends
from rocsteady.readers.design import ReaderDesign, count_alike, to_be_read
from rocsteady.readers.margins import NonInferiority
from rocsteady.readers.study import NO_NAME, ReaderRatings, spoken, with_modality
from rocsteady.show.sentences.readers import (
    has_no_error,
    interval_words,
    of_cases,
    of_design,
    of_size,
    statistic_words,
    value_words,
)
from rocsteady.words import counted, grouped, listed, number, p_words, plural, printable

if TYPE_CHECKING:
    from rocsteady.readers.compare import StandaloneComparison
    from rocsteady.readers.margins import AgainstMargin

TO_ADD = (
    "Not in the data, and asked by STARD 2015: how cases were chosen (items 6 to 9), the imaging and the "
    "reading protocol (10a), the reference standard (10b, 11, 12b), what readers knew of a case (13a, 13b), "
    "indeterminate readings (15), how the numbers of readers and cases were decided (18)."
)


_COVARIANCES = {
    "delong": "the method of DeLong et al. (1988)",
    "jackknife": "the jackknife, leaving out one {case} at a time",
    "unbiased": "unbiased estimates from U-statistics (Gallas 2006)",
    "bootstrap": "a bootstrap of {drawn} ({n} resamples, seed {seed})",
}


_ADJUSTED = {
    "holm": "by the method of Holm (1979)",
    "bh": "by the method of Benjamini and Hochberg (1995)",
}


def of_comparison(found: ReaderComparison, more: str = "") -> str:
    """The paragraph of methods: design, numbers, measure, what is random, tests, ``more``, software."""
    parts = [_design(found), _measure(found), _model(found), _tests(found), *_adjustment(found), more]
    return " ".join(part for part in [*parts, software()] if part)


def margin_methods(tests: Sequence[AgainstMargin]) -> str:
    """How non-inferiority and equivalence were tested; empty without such tests."""
    parts = []
    for own in tests:
        level = f"a level of {100 * own.alpha:g} %"
        if isinstance(own, NonInferiority):
            what = f"Non-inferiority of {spoken(own.new)} to {spoken(own.reference)}"
            parts.append(f"{what} was tested one-sided at {level}, with a margin of {own.margin:g}.")
        else:
            pair: Any = own
            parts.append(
                f"Equivalence of {spoken(pair.a)} and {spoken(pair.b)} was tested by two one-sided tests "
                f"(Schuirmann 1987), each at {level}, with a margin of {own.margin:g}."
            )
    return " ".join(parts)


def standalone_results(found: StandaloneComparison) -> str:
    """The result in one sentence for each modality."""
    sentences = []
    for modality, own in zip(found.modalities, found.differences, strict=True):
        alone = value_words(own.a_value, own.a_interval)
        readers = value_words(own.b_value, own.b_interval)
        limits = interval_words(own.interval, signed=True)
        sentences.append(
            f"The {found.measure} of {printable(found.standalone)} was {alone}, against a mean of {readers} "
            f"of the {plural(printable(found.unit))}{with_modality(modality)}; difference "
            f"{own.difference:+.3f} ({limits}; {p_words(own.pvalue)})."
        )
    return " ".join(sentences)


def of_standalone(found: StandaloneComparison, more: str = "") -> str:
    """The paragraph for a standalone system (AI, CAD) that is held against readers on its own scale."""
    unit, system = printable(found.unit), printable(found.standalone)
    units = plural(unit)
    cases = of_cases(found.ratings.classes, found.n_positives, found.n_negatives)
    way = (
        "with the degrees of freedom of Hillis (2007)" if found.readers_are == "random" else "by normal tests"
    )
    over_cases = f"; covariances over cases were estimated by {_covariance(found)}"
    if found.cases_are == "fixed":
        way, over_cases = "by t tests", ""
    names = "" if found.modalities == (NO_NAME,) else f" with {listed(list(map(spoken, found.modalities)))}"
    parts = [
        f"{system} scored each case once, by itself and on a scale of its own. It was compared with "
        f"{counted(len(found.readers), unit)} who read {cases}{names}.",
        f"Accuracy was measured by the {_accuracy(found.measure)}; that of {system} was compared with the "
        f"mean of the {units} of each modality, with {_who(found)}, by the method of Obuchowski and Rockette "
        f"(1995) for the differences between the system and the single {units}, {way}{over_cases}.",
        f"Tests were two-sided, and the confidence level was {100 * found.confidence_level:g} %.",
    ]
    return " ".join(part for part in [*parts, *_adjustment(found), more, software()] if part)


def results_of(found: ReaderComparison) -> str:
    """The result in one sentence, as a paper would print it: estimates with intervals, then the test."""
    per = found.per_modality
    intervals = per.logit_intervals if near_ends(found).size else per.intervals
    values = []
    for name, value, interval in zip(found.modalities, found.means, intervals, strict=True):
        words = interval_words(interval)
        values.append(f"{number(float(value))} with {spoken(name)}{f' ({words})' if words else ''}")
    told = f"The {found.differences[0].quantity} was {listed(values, most=len(values))}"
    test = f"{statistic_words(found.statistic, found.df)}, {p_words(found.pvalue)}"
    if has_no_error(found):
        return f"{told}; nothing varied, so the difference was not tested."
    if len(found.differences) > 1:
        return f"{told}; {test} for no difference between the modalities."
    (own,) = found.differences
    limits = interval_words(own.interval, signed=True)
    pair = f"{printable(own.a)} less {printable(own.b)}"
    return f"{told}; difference ({pair}) {own.difference:+.3f} ({limits}; {test})."


def software() -> str:
    """Which program made the numbers."""
    return f"Analyses were made with rocsteady {_version()} for Python."


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # slow to import, and seldom needed

    try:
        return version("rocsteady")
    except PackageNotFoundError:
        return "(version unknown)"


def _design(found: ReaderComparison) -> str:
    unit = printable(found.unit)
    size = of_size(
        found.ratings.classes,
        found.n_positives,
        found.n_negatives,
        n_readers=len(found.readers),
        unit=unit,
        n_modalities=len(found.modalities),
    )
    names = listed([printable(name) for name in found.modalities])
    words = f"The study had {size} ({names}); {of_design(found.design, unit)}."
    if found.ratings.clusters is not None:
        patients = len(set(found.ratings.clusters.tolist()))
        words += f" The cases came from {counted(patients, 'patient')}, who were taken as independent."
    if found.design == ReaderDesign.PARTLY:
        words += f" {_missing(found.ratings)}"
    if found.ratings.left_out:
        words += f" Left out: {'; '.join(printable(own) for own in found.ratings.left_out)}."
    return words


def _missing(ratings: ReaderRatings) -> str:
    """Ratings that the design asks for and that are not there (STARD 16), and cells without any."""
    expected = to_be_read(ratings.is_read)
    n_missing = int((expected & ~ratings.is_read).sum())
    n_empty = 0 if ratings.is_nested else int((~ratings.cells).sum())
    words = f"Of {grouped(int(expected.sum()))} ratings {grouped(n_missing)} were missing"
    if n_empty:
        unit = printable(ratings.unit)
        words += f", and {n_empty} of {ratings.cells.size} combinations of {unit} and modality had none"
    return f"{words}; every value rests on the cases that were read."


def _measure(found: ReaderComparison) -> str:
    unit, ratings = printable(found.unit), found.ratings
    what = f"Accuracy was measured by the {_accuracy(found.measure)} of"
    if len(found.readers) == 1:
        return f"{what} the {unit} with each modality."
    averaged = f"{what} each {unit} with each modality and averaged over {plural(unit)}"
    if found._settings.is_by_u_statistics and not count_alike(ratings.is_read, ratings.truth):
        return f"{averaged}, who count by the pairs of a positive and a negative case that they read."
    return f"{averaged}."


def _accuracy(measure: str) -> str:
    return "area under the empirical ROC curve (AUC)" if measure == "AUC" else measure


def _who(found: Any) -> str:
    unit = printable(found.unit)
    units = plural(unit) if len(found.readers) > 1 else f"the {unit}"
    cases = "cases" if found.ratings.clusters is None else "patients with their cases"
    return {
        ("random", "random"): f"{units} and {cases} taken as random",
        ("fixed", "random"): f"{cases} taken as random and {units} as fixed",
        ("random", "fixed"): f"{units} taken as random and {cases} as fixed",
    }[found.readers_are, found.cases_are]


def _model(found: ReaderComparison) -> str:
    who = _who(found)
    if found._settings.is_by_u_statistics:
        is_plain = found.covariance == "unbiased" or bool(found.ratings.is_read.all())  # else the two differ
        text = (
            f"Modalities were compared with {who}; variances were estimated by U-statistics (Gallas 2006; "
            "Gallas et al. 2009)"
        )
        if is_plain:
            return f"{text}."
        return (
            f"{text}, in which, other than in these papers, every comparison of two cases was taken less the "
            "mean of its modality."
        )
    way = "the marginal-mean form (Hillis 2014) of the" if found.ratings.is_nested else "the"
    said_way = f"Modalities were compared by {way} method of Obuchowski and Rockette (1995) with {who}"
    if found.cases_are == "fixed":  # then no covariance over cases enters
        return f"{said_way}."
    of = found.components
    is_cut = of is not None and of.cov2 < of.cov3
    cut = "; a negative difference of Cov2 and Cov3 was taken as 0" if is_cut else ""
    return f"{said_way}; covariances of the error were estimated by {_covariance(found)}{cut}."


def _covariance(found: Any) -> str:
    has_patients = found.ratings.clusters is not None
    words = {"case": "case", "drawn": "cases within each class"}
    if has_patients:  # they are drawn whole, whatever cases they have
        words = {"case": "patient", "drawn": "patients"}
    text = _COVARIANCES[found.covariance].format(**words, n=grouped(found.n_resamples), seed=found.seed)
    if has_patients and found.covariance == "delong":
        text += ", summed within patients (Obuchowski 1997)"
    return text


def _tests(found: ReaderComparison) -> str:
    separated, unit = "", printable(found.unit)
    if SEPARATED in found.per_modality.methods:
        separated = (
            f"; where all {plural(unit)} separated the classes, the interval is the bound that one {unit} has"
        )
    return (
        f"That all modalities have the same {_value_word(found)} was tested by {_test(found)}; intervals of "
        f"{_intervals(found)}{separated}. Tests were two-sided, and the confidence level was "
        f"{100 * found.confidence_level:g} %."
    )


def _test(found: ReaderComparison) -> str:
    if not isinstance(found.df, Sequence):
        return "a chi-square test"
    if found._settings.is_by_u_statistics:
        of_box = ", those of the numerator after Box (1954)" if len(found.modalities) > 2 else ""
        return (
            "an F test with the degrees of freedom of the program iMRMC (BDG: Satterthwaite's, from what "
            f"{plural(printable(found.unit))}, positive and negative cases add to a variance){of_box}"
        )
    n_readers = found.ratings.cells.sum(axis=1)
    if (n_readers != n_readers[0]).any():  # nested readers alone: each mean has a variance of its own
        units = plural(printable(found.unit))
        return f"the F test of Welch (1951) for unequal variances, as numbers of {units} differ"
    of_whom = f"the interaction of modalities and {plural(printable(found.unit))}"
    df = "of Hillis (2007)" if found.cases_are == "random" else f"of {of_whom}"
    if found.cases_are == "fixed" and found.ratings.is_nested:
        df = f"of {plural(printable(found.unit))} within modalities"
    return f"an F test with the degrees of freedom {df}"


def _intervals(found: ReaderComparison) -> str:
    """What the intervals of differences rest on, and those of single modalities."""
    singles, is_by_t = f"single {_value_word(found)}s", isinstance(found.df, Sequence)
    is_same = not found._settings.is_by_u_statistics and not found.ratings.is_nested
    distribution = f"t distribution{' with the same degrees of freedom' if is_same else ''}"
    distribution = distribution if is_by_t else "normal distribution"
    if near_ends(found).size:
        some = "of which some come near to 0 or 1, were made on the logit scale"
        return f"differences rest on the {distribution}, and intervals of {singles}, {some}"
    if not is_by_t:
        return f"differences and {singles} rest on the normal distribution"
    return (
        f"differences rest on the {distribution}, and intervals of {singles} rest on the t distribution with "
        "degrees of freedom of their own"
    )


def _value_word(found: ReaderComparison) -> str:
    return "mean" if len(found.readers) > 1 else "value"


def _adjustment(found: Any) -> list[str]:
    n = len(found.differences)
    if n == 1:
        return []
    if found.adjust is None:
        return [f"P-values and intervals of the {n} comparisons were not adjusted for their number."]
    return [
        f"P-values of the {n} comparisons were adjusted {_ADJUSTED[found.adjust]}; their intervals were not."
    ]
