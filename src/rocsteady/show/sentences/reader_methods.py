"""What a paper says of a reader study: the methods, ready to paste, and the result in one sentence.

STARD 2015 (Bossuyt et al. 2015) asks for the methods of comparing (item 14), for missing data (16), for the
variability of accuracy (17) and for estimates with their precision (24). That is what can be said from the
data; :data:`TO_ADD` says what cannot.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.readers.compare import SEPARATED, ReaderComparison
from rocsteady.readers.design import ReaderDesign, count_alike, to_be_read
from rocsteady.readers.margins import NonInferiority
from rocsteady.readers.study import NO_NAME
from rocsteady.show.sentences.comparing import measure
from rocsteady.show.sentences.readers import (
    has_no_error,
    measure_of_values,
    modality,
    of_cases,
    of_design,
    of_size,
    statistic_words,
    with_modality,
)
from rocsteady.text import (
    AUC,
    Count,
    Gap,
    Item,
    Level,
    Measure,
    Model,
    Number,
    P,
    Quote,
    Rate,
    Text,
    joined,
    listed,
    nouns,
    paragraph,
    phrase,
    say,
)

if TYPE_CHECKING:
    from rocsteady.readers.compare import StandaloneComparison
    from rocsteady.readers.margins import AgainstMargin

TO_ADD = say(
    "Not in the data, and required by STARD 2015: how cases were chosen (items 6 to 9), the imaging and the "
    "reading protocol (10a), the reference standard (10b, 11, 12b), what readers knew of a case (13a, 13b), "
    "indeterminate readings (15), how the numbers of readers and cases were decided (18)."
)
_COVARIANCES = {
    "delong": "the method of DeLong et al. (1988)",
    "jackknife": "the jackknife, leaving out one {case} at a time",
    "unbiased": "unbiased estimates from U-statistics (Gallas 2006)",
    "bootstrap": "a bootstrap of {drawn} ({n} resamples, seed {seed})",
}
_ADJUSTED = {"holm": "Holm (1979)", "bh": "Benjamini and Hochberg (1995)"}


def of_comparison(found: ReaderComparison, more: Text | None = None) -> Text:
    """The paragraph of methods: design, numbers, measure, what is random, tests, ``more``, software."""
    parts = (_design(found), _measure(found), _model(found), _tests(found), _adjustment(found))
    return paragraph(*parts, more, software())


def of_standalone(found: StandaloneComparison, more: Text | None = None) -> Text:
    """The paragraph for a standalone system (AI, CAD) that is compared with readers on its own scale."""
    cases = of_cases(found.ratings.classes, found.n_positives, found.n_negatives)
    way = "by normal tests"
    if found.readers_are == "random":
        way = "with the degrees of freedom of Hillis (2007)"
    errors = "; covariances over cases were estimated by {covariance}"
    if found.cases_are == "fixed":
        way, errors = "by t tests", ""
    names = None if found.modalities == (NO_NAME,) else listed(map(modality, found.modalities))
    values: dict[str, Item] = {
        "system": Model(found.standalone),
        "readers": Count(len(found.readers), found.unit),
        "cases": cases,
        "names": None if names is None else phrase(" with {names}", names=names),
        "accuracy": _accuracy(found),
        "who": _who(found),
        "covariance": _covariance(found),
        **nouns(found.unit),
    }
    return paragraph(
        say("{system} scored each case once, on its own scale. {readers} read {cases}{names}.", **values),
        say(
            "Accuracy was measured by the {accuracy}; that of {system} was compared with the mean of the "
            "{units} of each modality, with {who}, by the method of Obuchowski and Rockette (1995) for the "
            f"differences between the system and the single {{units}}, {way}{errors}.",
            **values,
        ),
        _two_sided(found),
        _adjustment(found),
        more,
        software(),
    )


def margin_methods(tests: Sequence[AgainstMargin]) -> Text | None:
    """How non-inferiority and equivalence were tested; None without such tests."""
    parts = []
    for own in tests:
        pair: Any = own
        template = (
            "Equivalence of {a} and {b} was tested by two one-sided tests (Schuirmann 1987), each at a level "
            "of {level}, with a margin of {margin}."
        )
        names = (pair.new, pair.reference) if isinstance(own, NonInferiority) else (pair.a, pair.b)
        if isinstance(own, NonInferiority):
            template = (
                "Non-inferiority of {a} to {b} was tested one-sided at a level of {level}, with a margin of "
                "{margin}."
            )
        values = dict(zip("ab", map(modality, names), strict=True))
        parts.append(
            say(template, level=Level(own.alpha), margin=Number(own.margin, 6, is_declared=True), **values)
        )
    return paragraph(*parts) if parts else None


def results_of(found: ReaderComparison) -> Text:
    """The result in one sentence, as a paper would print it: estimates with intervals, then the test."""
    per, what = found.per_modality, measure(found.differences[0])
    means = zip(found.modalities, found.means.tolist(), per.logit_intervals, strict=True)
    values: dict[str, Item] = {
        "measure": what,
        "values": listed(
            (
                phrase("{value} with {name}", value=Rate(what.quantity, mean, own), name=modality(name))
                for name, mean, own in means
            ),
            most=len(per),
        ),
        "test": statistic_words(found.statistic, found.df),
        "p": P(found.pvalue),
    }
    told = "The {measure} was {values}; "
    if has_no_error(found):
        return say(f"{told}nothing varied, so the difference was not tested.", **values)
    if len(found.differences) > 1:
        return say(f"{told}{{test}}, {{p}} for no difference between the modalities.", **values)
    (own,) = found.differences
    values["gap"] = Gap(what.quantity, own.difference, own.interval)
    return say(
        f"{told}difference {{a}} − {{b}} {{gap}}, {{test}}, {{p}}.", a=Model(own.a), b=Model(own.b), **values
    )


def standalone_results(found: StandaloneComparison) -> Text:
    """The result in one sentence for each modality."""
    parts = zip(found.modalities, found.differences, strict=True)
    return paragraph(*(_of_one(found, name, own) for name, own in parts))


def _of_one(found: StandaloneComparison, name: str, own: Any) -> Text:
    what = measure(own)
    return say(
        "The {measure} of {system} was {alone}, against a mean of {readers} of the {units}{with}; difference "
        "{gap}, {p}.",
        measure=what,
        system=Model(found.standalone),
        alone=Rate(what.quantity, own.a_value, own.a_interval),
        readers=Rate(what.quantity, own.b_value, own.b_interval),
        gap=Gap(what.quantity, own.difference, own.interval),
        p=P(own.pvalue),
        **{"with": with_modality(name)},
        **nouns(found.unit),
    )


def software() -> Text:
    """Which program made the numbers."""
    return say("Analyses were made with rocsteady {version} for Python.", version=Quote(_version()))


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # slow to import, and seldom needed

    try:
        return version("rocsteady")
    except PackageNotFoundError:
        return "(version unknown)"


def _design(found: ReaderComparison) -> Text:
    ratings = found.ratings
    size = of_size(
        ratings.classes,
        found.n_positives,
        found.n_negatives,
        n_readers=len(found.readers),
        unit=found.unit,
        n_modalities=len(found.modalities),
    )
    parts: list[Text | None] = [
        say(
            "The study had {size} ({names}); {design}.",
            size=size,
            names=listed(map(Model, found.modalities)),
            design=of_design(found.design, found.unit),
        )
    ]
    if ratings.clusters is not None:
        patients = Count(int(np.unique(ratings.clusters).size), "patient")
        parts.append(say("The cases came from {n}, who were treated as independent.", n=patients))
    if found.design == ReaderDesign.PARTLY:
        parts.append(_missing(found))
    if ratings.left_out:
        parts.append(say("Left out: {names}.", names=joined(map(Quote, ratings.left_out), between="; ")))
    return paragraph(*parts)


def _missing(found: ReaderComparison) -> Text:
    """Ratings that the design asks for and that are not there (STARD 16), and cells without any."""
    ratings = found.ratings
    expected = to_be_read(ratings.is_read)
    n_empty = 0 if ratings.is_nested else int((~ratings.cells).sum())
    empty = ", and {empty} of {unit} and modality had none" if n_empty else ""
    return say(
        f"{{n}} were missing{empty}; every value rests on the cases that were read.",
        n=Count(int((expected & ~ratings.is_read).sum()), "rating", of=int(expected.sum())),
        empty=Count(n_empty, "combination", of=int(ratings.cells.size)),
        **nouns(found.unit),
    )


def _measure(found: ReaderComparison) -> Text:
    ratings = found.ratings
    by_pairs = found._settings.is_by_u_statistics and not count_alike(ratings.is_read, ratings.truth)
    template = "of each {unit} with each modality and averaged over {units}"
    if len(found.readers) == 1:
        template, by_pairs = "of the {unit} with each modality", False
    pairs = ", who count by the pairs of a positive and a negative case that they read" if by_pairs else ""
    template = f"Accuracy was measured by the {{accuracy}} {template}{pairs}."
    return say(template, accuracy=_accuracy(found), **nouns(found.unit))


def _accuracy(found: Any) -> Item:
    what = measure_of_values(found)
    return phrase("area under the empirical ROC curve (AUC)") if what == Measure(AUC) else what


def _who(found: Any) -> Text:
    units = "{units}" if len(found.readers) > 1 else "the {unit}"
    cases = "cases" if found.ratings.clusters is None else "patients with their cases"
    are = found.readers_are, found.cases_are
    both = f"{units} and {cases} treated as random"
    fixed = {
        ("fixed", "random"): f"{cases} treated as random and {units} as fixed",
        ("random", "fixed"): f"{units} treated as random and {cases} as fixed",
    }
    return phrase(fixed.get(are, both), **nouns(found.unit))


def _model(found: ReaderComparison) -> Text:
    values: dict[str, Item] = {"who": _who(found), "covariance": _covariance(found)}
    if found._settings.is_by_u_statistics:
        template = (
            "Modalities were compared with {who}; variances were estimated by U-statistics (Gallas 2006; "
            "Gallas et al. 2009)"
        )
        if found.covariance != "unbiased" and not found.ratings.is_read.all():  # else the two are the same
            template += ", centred: every comparison of two cases was taken less the mean of its modality"
        return say(f"{template}.", **values)
    way = "the marginal-mean form (Hillis 2014) of the" if found.ratings.is_nested else "the"
    template = f"Modalities were compared by {way} method of Obuchowski and Rockette (1995) with {{who}}"
    if found.cases_are == "fixed":  # then no covariance over cases enters
        return say(f"{template}.", **values)
    of = found.components
    cut = "; a negative difference of Cov2 and Cov3 was set to 0" if of and of.cov2 < of.cov3 else ""
    return say(f"{template}; covariances of the error were estimated by {{covariance}}{cut}.", **values)


def _covariance(found: Any) -> Text:
    has_patients = found.ratings.clusters is not None
    template = _COVARIANCES.get(found.covariance, "")
    if has_patients and found.covariance == "delong":
        template += ", summed within patients (Obuchowski 1997)"
    return phrase(
        template,
        case=phrase("patient" if has_patients else "case"),
        drawn=phrase("patients" if has_patients else "cases within each class"),  # patients are drawn whole
        n=int(found.n_resamples),
        seed=Quote(str(found.seed)),
    )


def _tests(found: ReaderComparison) -> Text:
    separated = ""
    if SEPARATED in found.per_modality.methods:
        separated = "; where all {units} separated the classes, the interval is the bound that one {unit} has"
    template = "That all modalities have the same {value} was tested by {test}; intervals of {how}"
    own = say(
        f"{template}{separated}.",
        value=_value(found),
        test=_test(found),
        how=_intervals(found),
        **nouns(found.unit),
    )
    return paragraph(own, _two_sided(found))


def _two_sided(found: Any) -> Text:
    template = "Tests were two-sided, and the confidence level was {level}."
    return say(template, level=Level(found.confidence_level))


def _test(found: ReaderComparison) -> Text:
    if not isinstance(found.df, Sequence):
        return phrase("a chi-square test")
    n_readers, words = found.ratings.cells.sum(axis=1), nouns(found.unit)
    if found._settings.is_by_u_statistics:
        of_box = ", those of the numerator after Box (1954)" if len(found.modalities) > 2 else ""
        return phrase(
            "an F test with the degrees of freedom of the program iMRMC (BDG: Satterthwaite's, from what "
            f"{{units}}, positive and negative cases add to a variance){of_box}",
            **words,
        )
    if (n_readers != n_readers[0]).any():  # nested readers alone: each mean has a variance of its own
        template = "the F test of Welch (1951) for unequal variances, as numbers of {units} differ"
        return phrase(template, **words)
    of_whom = "of Hillis (2007)"
    if found.cases_are == "fixed":
        of_whom = "of the interaction of modalities and {units}"
        of_whom = "of {units} within modalities" if found.ratings.is_nested else of_whom
    return phrase(f"an F test with the degrees of freedom {of_whom}", **words)


def _intervals(found: ReaderComparison) -> Text:
    """What the intervals of differences rest on, and those of single modalities."""
    is_same = not found._settings.is_by_u_statistics and not found.ratings.is_nested
    how = "t distribution with the same degrees of freedom" if is_same else "t distribution"
    how = how if isinstance(found.df, Sequence) else "normal distribution"
    own = "" if found.per_modality.largest is None else ", made on the logit scale"
    template = f"differences rest on the {how}, and those of single {{value}}s on their own standard errors"
    return phrase(f"{template}{own}", value=_value(found))


def _value(found: ReaderComparison) -> Text:
    return phrase("mean" if len(found.readers) > 1 else "value")


def _adjustment(found: Any) -> Text | None:
    n = len(found.differences)
    if n == 1:
        return None
    if found.adjust is None:
        template = "P-values and intervals of the {n} comparisons were not adjusted for their number."
        return say(template, n=n)
    template = "P-values of the {n} comparisons were adjusted by the method of {method}; intervals were not."
    return say(template, n=n, method=phrase(_ADJUSTED[found.adjust]))
