"""``compare_readers``: which modality do readers see more with, by how much, and how sure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from rocsteady.inference.readers import cautions, direction, refusals
from rocsteady.inference.readers.asked import CENTRED, OBUCHOWSKI_ROCKETTE, U_STATISTICS, Asked, asked
from rocsteady.inference.readers.designs import is_nested, is_partly_paired
from rocsteady.inference.readers.measuring import values
from rocsteady.inference.readers.results import ReaderComparison
from rocsteady.inference.readers.study import ReaderRatings, reader_ratings
from rocsteady.inference.readers.tables import (
    Analysis,
    Study,
    differences_of,
    per_modality_of,
    per_reader_of,
)
from rocsteady.inference.readers.u_statistics import u_statistics
from rocsteady.results import read_only
from rocsteady.scores.score_set import ScoreSet
from rocsteady.statistics.obuchowski_rockette import (
    Components,
    components,
    difference_error,
    each_modality,
    global_test,
)


def compare_readers(
    score_set: ScoreSet,
    *,
    readers: str = "random",
    cases: str = "random",
    covariance: str | None = None,
    measure: Any = "auc",
    method: str = OBUCHOWSKI_ROCKETTE,
    modalities: Sequence[str] | None = None,
    confidence_level: float = 0.95,
    adjust: str | None = "holm",
    missing: str = "raise",
    n_resamples: int = 2000,
    seed: int = 0,
    threads: int | None = None,
) -> ReaderComparison:
    """Compare modalities that several readers read: a multi-reader multi-case (MRMC) study.

    The readers who took part and the cases they read are both samples, and both add to the error of what was
    found. Obuchowski and Rockette's analysis takes both into account.

    Parameters
    ----------
    score_set : ScoreSet
        Groups are the readers, models the modalities; cases are named. Ratings may be ordinal or continuous.
    readers, cases : {"random", "fixed"}
        What the result is to hold for: others like these, or these very ones. Not both can be fixed.
    covariance : {"delong", "jackknife", "unbiased", "bootstrap"}, optional
        How the covariances of the error over cases are estimated. By default DeLong's for the AUC, the
        bootstrap for a rate at a rate, the jackknife for everything else. U-statistics take ``"unbiased"``
        alone: their variance without centring, as iMRMC has it, which is noisy in unbalanced studies.
    measure : str, statistic or callable
        What is read off every reader's curve: ``"auc"``, ``PartialAuc(fpr=(0, 0.1))``,
        ``SensitivityAt(specificity=0.9)``, ``SpecificityAt(threshold=3)``, or a function that takes a curve
        and gives a number (what it raises is passed on).
    method : {"obuchowski-rockette", "u-statistics"}
        U-statistics (Gallas) take any pattern of missing ratings and cells, for the AUC with random readers
        and cases.
    modalities : sequence of str, optional
        Which ones, in this order: differences are an earlier one less a later one. All by default.
    confidence_level : float
        Of all intervals.
    adjust : {"holm", "bh", None}
        How ``adjusted_pvalue`` allows for the number of pairs; ``pvalue`` does not.
    missing : {"raise", "drop"}
        What to do about readers who lack a modality, or one of the classes in it.
    n_resamples, seed : int
        Of the bootstrap.
    threads : int, optional
        Changes the time only.

    Returns
    -------
    ReaderComparison

    Raises
    ------
    DataError
        RS027 with one modality, one reader who is to be random, or cases without names; RS028 where cells of
        the design are missing, RS029 where a case is rated twice, RS036 where a reader lacks a class.

    Warns
    -----
    RocsteadyWarning
        RS213 with fewer than four random readers, RS214 where the error term of the test is 0, RS215 where
        ratings are missing here and there, RS219 where an AUC is clearly below 1/2.

    Notes
    -----
    Cases need not be read in every cell: they may be nested in readers or modalities, or overlap partly. Each
    reader counts the same. Readers may be nested in modalities, each having read one only (Hillis 2014);
    where their numbers differ, the error is not pooled over modalities, and the test of three or more is
    Welch's.

    Differences of pairs use one error term for all modalities, as the established programs do, where all
    modalities were read on the same cases. Partly paired modalities (two share cases that a third does not)
    have no common one: covariances come from the cases that two cells share, and every pair has the error and
    the degrees of freedom that it would have by itself; ``notes`` say so. Readers who lack a modality are for
    ``method="u-statistics"``, whose pairs have their own errors always.

    Measured at a level of 5 % (Roe-Metz model, 50 + 50 cases, AUC 0.70 to 0.96): with five readers or more
    tests of differences reject 2 to 6 % of true hypotheses, with three 4 to 7 %. Readers nested in modalities
    (one AUC, 1,500 studies each): 5 to 6 % with 5 and 5 or 3 and 7 of them, 6 to 9 % with 2 and 8. The test
    of several modalities at once rejects 4 to 5 % with 3, 4 and 6 readers or 4, 6 and 8 (fixed cases, 20,000
    studies), 5 to 8 % with 3, 5, 7 and 9.

    References
    ----------
    Obuchowski & Rockette (1995), Communications in Statistics - Simulation 24, 285-308; Hillis (2007),
    Statistics in Medicine 26, 596-619; Hillis (2014), Statistics in Medicine 33, 330-360; Welch (1951),
    Biometrika 38, 330-336.

    Examples
    --------
    >>> import rocsteady as rs
    >>> from rocsteady.simulate import reader_study
    >>> columns = {"label": "truth", "score": "rating", "group": "reader", "model": "modality"}
    >>> table = reader_study(standalone=False)
    >>> study = rs.ScoreSet.from_frame(table, **columns, case="case", positive="cancer")
    >>> found = rs.compare_readers(study, modalities=["digital", "film"])
    >>> found
    ReaderComparison(digital less film, 6 readers, 120 cases, readers and cases random: mean AUC +0.0722,
    p 0.0216)
    >>> found.per_modality
    PerModality(mean AUC: digital 0.8883, film 0.8161)
    >>> found.interval
    Interval(0.0124 to 0.1320, confidence level 0.95, t)
    >>> rs.compare_readers(study, readers="fixed").pvalue < found.pvalue  # about these six readers alone
    True
    """
    wanted = asked(
        readers=readers,
        cases=cases,
        measure=measure,
        covariance=covariance,
        confidence_level=confidence_level,
        method=method,
        adjust=adjust,
        missing=missing,
        n_resamples=n_resamples,
        seed=seed,
        threads=threads,
    )
    any_cells = wanted.method == U_STATISTICS
    ratings = reader_ratings(score_set, modalities=modalities, missing=missing, allow_missing_cells=any_cells)
    return compare_ratings(ratings, wanted)


def compare_ratings(ratings: ReaderRatings, wanted: Asked) -> ReaderComparison:
    """What :func:`compare_readers` gives, for ratings that are checked."""
    refusals.require_random_readers(ratings, wanted)
    by_u_statistics = _by_u_statistics(ratings, wanted) if wanted.method == U_STATISTICS else None
    theta = values(ratings, wanted.measure)
    sigma = wanted.covariances_of(ratings)
    cautions.warn_of_few_readers(ratings, wanted.readers, can_be_fixed=by_u_statistics is None)
    cautions.warn_of_design(ratings)
    direction.warn_of_reversed(ratings, theta, sigma, wanted.measure)
    is_known = ~np.isnan(theta)
    of = components(theta, sigma) if is_known.all() or is_nested(is_known) else None
    if by_u_statistics is not None:
        cautions.warn_of_error_term(ratings, None, wanted, by_u_statistics)
        return _result(Study(ratings, wanted, theta, sigma, of), by_u_statistics)
    assert of is not None  # reader_ratings refuses missing cells
    analysis = _by_components(Study(ratings, wanted, theta, sigma, of), of)
    refusals.require_known_errors(wanted, analysis.difference_errors.values())
    cautions.warn_of_error_term(ratings, of, wanted, analysis)
    cautions.warn_of_perfect_values(sigma, ratings, wanted)
    return _result(Study(ratings, wanted, theta, sigma, of), analysis)


def _by_components(study: Study, of: Components) -> Analysis:
    """Obuchowski and Rockette's analysis."""
    wanted = study.wanted
    test = global_test(of, readers=wanted.readers, cases=wanted.cases)
    means, errors, dfs = each_modality(of, readers=wanted.readers, cases=wanted.cases)
    pairs = {}
    for pair in combinations(range(of.n_modalities), 2):
        parts, (a, b) = of, pair
        if is_partly_paired(study.ratings.is_read):
            parts, (a, b) = _components_of_pair(study, pair), (0, 1)
        pairs[pair] = difference_error(parts, a, b, readers=wanted.readers, cases=wanted.cases)
    df1 = int(test.df1)
    df = df1 if test.name == "chi2" else (df1, test.df2)
    return Analysis(means, errors, dfs, pairs, test.statistic, df, test.pvalue, test.error_term)


def _components_of_pair(study: Study, pair: tuple[int, int]) -> Components:
    """Of two modalities by themselves, with the readers of either."""
    both = np.array(pair)
    kept = np.flatnonzero(~np.isnan(study.theta[both]).all(axis=0))
    return components(study.theta[np.ix_(both, kept)], study.sigma[np.ix_(both, kept, both, kept)])


def _by_u_statistics(ratings: ReaderRatings, wanted: Asked) -> Analysis:
    """Gallas' analysis."""
    centred = wanted.covariance == CENTRED
    found = u_statistics(ratings, centred=centred)
    pairs = {
        pair: (float(found.difference_errors[pair]), float(found.difference_dfs[pair]))
        for pair in combinations(range(len(ratings.modalities)), 2)
    }
    test = found.test
    return Analysis(
        found.means,
        found.standard_errors,
        found.dfs,
        pairs,
        test.statistic,
        test.df,
        test.pvalue,
        test.error_term,
        cautions.notes_of_u_statistics(ratings, found, centred=centred),
    )


def _result(study: Study, analysis: Analysis) -> ReaderComparison:
    ratings, wanted = study.ratings, study.wanted
    per_modality, per_reader = per_modality_of(study, analysis), per_reader_of(study)
    return ReaderComparison(
        modalities=ratings.modalities,
        readers=ratings.readers,
        unit=ratings.unit,
        n_cases=len(ratings.cases),
        n_positives=ratings.n_positives,
        n_negatives=ratings.n_negatives,
        design=ratings.design,
        measure=wanted.measure.label,
        covariance=wanted.covariance,
        method=wanted.method,
        readers_are=wanted.readers,
        cases_are=wanted.cases,
        random=study.random,
        values=read_only(study.theta),
        means=read_only(analysis.means),
        components=study.of,
        statistic=analysis.statistic,
        df=analysis.df,
        pvalue=analysis.pvalue,
        error_term=analysis.error_term,
        differences=differences_of(study, analysis, per_modality.intervals),
        per_modality=per_modality,
        per_reader=per_reader,
        covariances=read_only(study.sigma),
        confidence_level=wanted.confidence_level,
        adjust=wanted.adjust,
        n_resamples=wanted.n_resamples,
        seed=wanted.seed,
        notes=(
            *direction.notes_of_reversed(ratings, study.theta, study.sigma, wanted.measure),
            *cautions.notes_of(ratings, study.of, wanted),
            *analysis.notes,
            *cautions.notes_of_error_term(ratings, study.of, wanted, analysis),
            *cautions.notes_of_means(per_modality, wanted.measure),
            *cautions.notes_of_readers(per_reader),
        ),
        ratings=ratings,
    )
