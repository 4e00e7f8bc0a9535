"""Reader studies by U-statistics: any design, random readers and cases, the AUC.

Obuchowski and Rockette's analysis needs a value in every cell of readers and modalities. U-statistics need
none: a reader who read one modality, or a few cases of another, adds the comparisons made there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import Option, fail, warn
from rocsteady.inference.readers.study import ReaderRatings
from rocsteady.statistics.u_statistics import (
    Equality,
    difference_errors,
    equality,
    mean_errors,
    reader_moments,
)
from rocsteady.words import class_cases, plural, printable

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

NAME = "u-statistics"


@dataclass(frozen=True, eq=False, repr=False)
class UStatistics:
    """Means of the modalities and how sure they and their differences are.

    Attributes
    ----------
    means : (t,) float64 array
        Of all comparisons of a modality, so readers count by how many pairs of cases they read: where all
        read the same cases, this is the plain mean of their AUCs.
    uncentred_errors : (t, t) float64 array
        Standard errors of the differences as the program iMRMC has them, with comparisons that are not
        centred: the same in balanced designs, noisy in others, NaN where the variance is negative.
    standard_errors, dfs : (t,) float64 arrays
        Of the means.
    difference_errors, difference_dfs : (t, t) float64 arrays
        Standard errors and degrees of freedom of the difference of every two means.
    test : Equality
        Of the hypothesis that all means are the same.
    is_biased : (t, t) bool array
        Where the biased variance stands in: of a mean on the diagonal, of a difference elsewhere.
    """

    means: Floats
    uncentred_errors: Floats
    standard_errors: Floats
    dfs: Floats
    difference_errors: Floats
    difference_dfs: Floats
    test: Equality
    is_biased: Mask


def require_random(readers: str, cases: str, measure: object) -> None:
    """RS002 unless readers and cases are random and the measure is the AUC."""
    asked = [("readers", readers, "random"), ("cases", cases, "random"), ("measure", measure, "auc")]
    for name, value, wanted in asked:
        if value != wanted:
            ways = [("or leave it:  ", Option(name, wanted))]
            raise fail("RS002.u-statistics", name=name, value=value, ways=ways)


def u_statistics(ratings: ReaderRatings, *, centred: bool = True) -> UStatistics:
    """Means, standard errors and tests of a study of any design.

    ``centred=False`` takes comparisons as they are: what the program iMRMC has, the same in balanced designs,
    unbiased and much noisier in others.

    Warns with RS262 where a variance came out negative. Refuses studies with a modality that has fewer than
    two readers who saw both classes (RS027), and clustered cases (RS030).
    """
    _require_single_cases(ratings)
    _require_comparisons(ratings)
    moments = reader_moments(ratings.ratings, ratings.is_read, ratings.truth, centred=centred)
    of_means, of_differences = mean_errors(moments), difference_errors(moments)
    dfs = np.where(np.eye(len(of_means.df)), of_means.df, of_differences.df)
    _require_variances(ratings, dfs, centred=centred)
    is_biased = of_differences.is_biased | np.diag(of_means.is_biased)
    found = UStatistics(
        means=moments.means,
        uncentred_errors=_uncentred_errors(moments.uncentred),
        standard_errors=np.sqrt(of_means.variance),
        dfs=of_means.df,
        difference_errors=np.sqrt(of_differences.variance),
        difference_dfs=of_differences.df,
        test=equality(moments),
        is_biased=is_biased,
    )
    _warn_of_negative_variances(ratings, found)
    return found


def _uncentred_errors(covariance: Floats) -> Floats:
    """Standard errors of the differences, NaN where a variance is negative."""
    own = np.diag(covariance)
    variance = own[:, None] + own[None, :] - 2 * covariance
    return np.sqrt(np.where(variance < 0, np.nan, variance))


def _require_single_cases(ratings: ReaderRatings) -> None:
    """RS030 if cases come in patients: two cases of one patient are not two draws."""
    if ratings.clusters is not None:
        n_patients = len(np.unique(ratings.clusters))
        raise fail("RS030.several-of-patient", n=len(ratings.cases), n_patients=n_patients)


def _require_comparisons(ratings: ReaderRatings) -> None:
    """RS027 unless every modality has two readers who saw two cases of each class."""
    for words, has_enough in _conditions(ratings):
        lacking = [printable(ratings.modalities[i]) for i in np.flatnonzero(~has_enough)]
        if lacking:
            raise fail("RS027.needs", needed=words, lacking=lacking)


def _require_variances(ratings: ReaderRatings, dfs: Floats, *, centred: bool) -> None:
    """RS027 if neither variance is usable, or nearly all comparisons are of one reader."""
    of = _pairs_of(ratings, np.isnan(dfs))
    if of:
        raise fail("RS027.no-variance", is_centred=centred, unit=ratings.unit, pairs=of)


def _pairs_of(ratings: ReaderRatings, chosen: Mask) -> list[str]:
    """Modalities on the diagonal and differences above it that are chosen, in words."""
    names = [printable(name) for name in ratings.modalities]
    places = zip(*np.nonzero(np.triu(chosen)), strict=True)
    return [names[i] if i == j else f"{names[i]} less {names[j]}" for i, j in places]


def _conditions(ratings: ReaderRatings) -> Iterator[tuple[str, Mask]]:
    """What every modality needs, in words, and whether each has it."""
    classes = ratings.classes
    of_class = [ratings.is_read[:, :, mask] for mask in (ratings.truth, ~ratings.truth)]
    has_both = np.asarray(of_class[0].any(axis=2) & of_class[1].any(axis=2))
    yield f"two {plural(printable(ratings.unit))} who read both classes", has_both.sum(axis=1) >= 2
    words = (
        class_cases(classes.positive, is_positive=True),
        class_cases(classes.negative, is_positive=False),
    )
    for cases, is_read in zip(words, of_class, strict=True):
        n_cases = (is_read & has_both[:, :, None]).any(axis=1).sum(axis=1)
        yield f"two {cases}", n_cases >= 2


def _warn_of_negative_variances(ratings: ReaderRatings, found: UStatistics) -> None:
    """RS262 if a biased variance stands in, with what it is of."""
    of = _pairs_of(ratings, found.is_biased)
    if of:
        warn("RS262.biased", pairs=of)
