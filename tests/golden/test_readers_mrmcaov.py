"""Obuchowski and Rockette's analysis of made studies against MRMCaov's formulas, run in R.

The studies are made by reader_studies.py: three and five modalities, ordinal and continuous, partly paired,
cases nested in readers and in modalities, split-plot. Written as CSV (reader, treatment, case, truth, rating)
they were given to R 4.2.2. Not the package itself was run, but its covariances (``jackknife``, ``DeLong``,
``unbiased``) and summaries (random readers and cases, ``fixed(reader)``, ``fixed(case)``) retyped in base R
from the sources in brian-j-smith/MRMCaov. On VanDyke and Franken the retyped code gives the components, F,
degrees of freedom and p that the package prints for random readers and cases.

One formula is not the one in those sources: with fixed readers they do not cut ``Cov2 - Cov3`` at 0. OR-DBM
MRMC 2.51 (Iowa) does, and so does the R code here; it matters for ``five_continuous`` only. DeLong's
covariance is for crossed studies only there.
"""

from typing import NamedTuple

import numpy as np
import pytest

import rocsteady as rs
from reader_studies import STUDIES

pytestmark = pytest.mark.filterwarnings("ignore:RS213", "ignore:RS215")


class Golden(NamedTuple):
    components: tuple[float, ...]  # error variance, Cov1, Cov2, Cov3, reader, modality x reader
    random: tuple[float, float, float]  # F, denominator degrees of freedom, p
    fixed_readers: tuple[float, float]  # chi-square, p
    fixed_cases: tuple[float, float]  # F, p
    pvalues: tuple[float, ...]  # of all pairs
    modalities: tuple[tuple[float, float, float], ...]  # mean, standard error, degrees of freedom


FIVE_PVALUES = (
    0.70348362,
    0.42292591,
    0.48548547,
    0.30585621,
    0.66788239,
    0.74718755,
    0.50957824,
    0.91426201,
    0.8144543,
    0.73250814,
)
"""Of the ten pairs of five modalities: where Cov2 < Cov3 no covariance enters."""

GOLDEN = {
    ("three_ordinal", "jackknife"): Golden(
        components=(0.0025117908, 0.0010647575, 0.00072333758, 0.00070732632, -0.00030711579, 0.00016725055),
        random=(7.8501533, 8.8214998, 0.011004817),
        fixed_readers=(17.438062, 0.00016344548),
        fixed_cases=(8.2433617, 0.011392978),
        pvalues=(
            0.046847944,
            0.0035258739,
            0.13740418,
        ),
        modalities=(
            (0.75641667, 0.038054283, 33.542499),
            (0.81625, 0.032568352, 41.88747),
            (0.85858333, 0.025501755, 65.0276),
        ),
    ),
    ("three_ordinal", "delong"): Golden(
        components=(0.002473777, 0.0010488497, 0.00071276346, 0.00069719215, -0.0003013422, 0.00018891667),
        random=(7.8604557, 8.7983909, 0.011012775),
        fixed_readers=(17.717897, 0.0001421044),
        fixed_cases=(8.2433617, 0.011392978),
        pvalues=(
            0.046806512,
            0.0035304354,
            0.1372678,
        ),
        modalities=(
            (0.75641667, 0.03787219, 32.90508),
            (0.81625, 0.032388406, 40.969369),
            (0.85858333, 0.025379746, 63.792048),
        ),
    ),
    ("three_ordinal", "unbiased"): Golden(
        components=(0.0024522372, 0.0010468805, 0.00071174431, 0.00069615184, -0.00030041323, 0.00020850833),
        random=(7.8599598, 8.7995011, 0.011012389),
        fixed_readers=(17.953124, 0.00012633642),
        fixed_cases=(8.2433617, 0.011392978),
        pvalues=(
            0.046808499,
            0.0035302148,
            0.13727436,
        ),
        modalities=(
            (0.75641667, 0.037857548, 32.854222),
            (0.81625, 0.032362186, 40.836865),
            (0.85858333, 0.025374804, 63.742367),
        ),
    ),
    ("five_continuous", "jackknife"): Golden(
        components=(0.0033227336, 0.0015341356, 0.0011104743, 0.001147315, -0.00080113519, 0.0013771426),
        random=(0.34586101, 12, 0.84188706),
        fixed_readers=(2.4771313, 0.64873543),
        fixed_cases=(0.34586101, 0.84188706),
        pvalues=FIVE_PVALUES,
        modalities=(
            (0.8132, 0.049865181, 23.140206),
            (0.8288, 0.044470706, 25.55871),
            (0.8464, 0.036700954, 19.165862),
            (0.842, 0.044222711, 10.17873),
            (0.856, 0.035649918, 47.958482),
        ),
    ),
    ("five_continuous", "delong"): Golden(
        components=(0.0032549227, 0.0015028267, 0.0010878116, 0.0011239004, -0.00079324089, 0.0014143964),
        random=(0.34586101, 12, 0.84188706),
        fixed_readers=(2.5287382, 0.63949728),
        fixed_cases=(0.34586101, 0.84188706),
        pvalues=FIVE_PVALUES,
        modalities=(
            (0.8132, 0.049538492, 22.539733),
            (0.8288, 0.044171383, 24.877506),
            (0.8464, 0.036473918, 18.695996),
            (0.842, 0.044015957, 9.989707),
            (0.856, 0.035376075, 46.501809),
        ),
    ),
    ("five_continuous", "unbiased"): Golden(
        components=(0.003158028, 0.0014932078, 0.001081891, 0.0011171984, -0.00079032407, 0.0015024537),
        random=(0.34586101, 12, 0.84188706),
        fixed_readers=(2.6613036, 0.61600277),
        fixed_cases=(0.34586101, 0.84188706),
        pvalues=FIVE_PVALUES,
        modalities=(
            (0.8132, 0.049462661, 22.402037),
            (0.8288, 0.04411365, 24.747697),
            (0.8464, 0.036411954, 18.569272),
            (0.842, 0.04396042, 9.9393846),
            (0.856, 0.035268546, 45.938999),
        ),
    ),
    ("partly_paired", "jackknife"): Golden(
        components=(0.0025634942, 0.0005499433, 0.00024578239, 0.00023557871, -0.0011635355, 0.0011775626),
        random=(7.4752531, 5.1943194, 0.039462972),
        fixed_readers=(11.738892, 0.0006120744),
        fixed_cases=(7.6191272, 0.039821604),
        pvalues=(0.039462972,),
        modalities=((0.83244048, 0.032177681, 15.667903), (0.92232143, 0.015277694, 7.3634056)),
    ),
    ("partly_paired", "unbiased"): Golden(
        components=(0.0023988242, 0.000531014, 0.00012838436, 0.00012521484, -0.0012549701, 0.0013162691),
        random=(7.5738468, 5.0599639, 0.03970244),
        fixed_readers=(12.866327, 0.00033454766),
        fixed_cases=(7.6191272, 0.039821604),
        pvalues=(0.03970244,),
        modalities=((0.83244048, 0.030965604, 13.437242), (0.92232143, 0.013868537, 5)),
    ),
    ("partly_paired_ordinal", "jackknife"): Golden(
        components=(0.0038064985, 0.0019004882, 0.0011617989, 0.0010595311, 0.00019651491, 3.9745341e-05),
        random=(13.988351, 13.053516, 0.00056721176),
        fixed_readers=(28.457006, 6.6166742e-07),
        fixed_cases=(17.868383, 0.0011193689),
        pvalues=(
            0.021858648,
            0.00014460395,
            0.01859685,
        ),
        modalities=(
            (0.72135417, 0.050527041, 43.977809),
            (0.80121528, 0.035954284, 2382.11),
            (0.88368056, 0.036990273, 9.1302645),
        ),
    ),
    ("partly_paired_ordinal", "unbiased"): Golden(
        components=(0.0036534924, 0.0018433531, 0.0011465768, 0.0010533413, 0.00024746032, 0.00012658394),
        random=(14.261871, 12.557624, 0.0005862199),
        fixed_readers=(30.177665, 2.7990021e-07),
        fixed_cases=(17.868383, 0.0011193689),
        pvalues=(
            0.021390074,
            0.00015098266,
            0.018207806,
        ),
        modalities=(
            (0.72135417, 0.050409207, 43.568998),
            (0.80121528, 0.03538802, 2235.5495),
            (0.88368056, 0.037079727, 9.2189056),
        ),
    ),
    ("cases_in_readers", "jackknife"): Golden(
        components=(0.011003056, 0.0048375556, 0, 0, -0.0058925556, -0.001928),
        random=(18.067847, 4, 0.013151472),
        fixed_readers=(12.41789, 0.00042524046),
        fixed_cases=(18.067847, 0.013151472),
        pvalues=(0.013151472,),
        modalities=((0.723, 0.020223748, 4), (0.898, 0.029393877, 4)),
    ),
    ("cases_in_readers", "unbiased"): Golden(
        components=(0.0093470679, 0.0043976543, 0, 0, -0.0054526543, -0.00071191358),
        random=(18.067847, 4, 0.013151472),
        fixed_readers=(15.469004, 8.3869368e-05),
        fixed_cases=(18.067847, 0.013151472),
        pvalues=(0.013151472,),
        modalities=((0.723, 0.020223748, 4), (0.898, 0.029393877, 4)),
    ),
    ("cases_in_modalities", "jackknife"): Golden(
        components=(0.0040218661, 0, 0.0011107483, 0, 0.000588, -0.0020746178),
        random=(6.9553079, 119.50163, 0.0094680718),
        fixed_readers=(4.9931937, 0.025447201),
        fixed_cases=(43.897788, 0.007003094),
        pvalues=(0.0094680718,),
        modalities=((0.7565, 0.045492843, 496.23971), (0.892, 0.02939639, 7.370022)),
    ),
    ("cases_in_modalities", "unbiased"): Golden(
        components=(0.0037559298, 0, 0.0010682719, 0, 0.000588, -0.0018511579),
        random=(7.1865876, 111.93376, 0.0084552285),
        fixed_readers=(5.2753688, 0.021629206),
        fixed_cases=(43.897788, 0.007003094),
        pvalues=(0.0084552285,),
        modalities=((0.7565, 0.044670643, 461.3261), (0.892, 0.02921177, 7.1866124)),
    ),
    ("split_plot", "jackknife"): Golden(
        components=(0.005715823, 0.0028706627, 0.00060692954, 0.00044453457, -0.0032456594, 0.0026047347),
        random=(12.650974, 7.0125716, 0.0092312904),
        fixed_readers=(21.661423, 3.2526726e-06),
        fixed_cases=(14.98227, 0.011752009),
        pvalues=(0.0092312904,),
        modalities=((0.671875, 0.04444175, 14.959508), (0.834375, 0.026983566, 21.954463)),
    ),
    ("split_plot", "unbiased"): Golden(
        components=(0.0054174494, 0.0027575781, 0.00058278364, 0.00042692261, -0.0031501867, 0.0027834897),
        random=(12.730676, 6.9250395, 0.0092863796),
        fixed_readers=(23.034221, 1.591433e-06),
        fixed_cases=(14.98227, 0.011752009),
        pvalues=(0.0092863796,),
        modalities=((0.671875, 0.04407331, 14.469561), (0.834375, 0.026691451, 21.019105)),
    ),
}


def score_set(name):
    readers, modalities, cases, truth, ratings = zip(*STUDIES[name], strict=True)
    return rs.ScoreSet.from_arrays(
        np.array(truth), np.array(ratings), groups=readers, models=modalities, cases=cases, unit="reader"
    )


@pytest.fixture(params=GOLDEN, ids=" ".join)
def asked(request):
    """A study, the covariance and what R found."""
    name, covariance = request.param
    return score_set(name), covariance, GOLDEN[request.param]


def test_random_readers_and_cases(asked):
    study, covariance, golden = asked
    found = rs.compare_readers(study, covariance=covariance, modalities=sorted(study.models))
    assert (found.statistic, found.df[1], found.pvalue) == pytest.approx(golden.random, rel=1e-6)
    assert found.df[0] == len(found.modalities) - 1
    of = found.components
    components = (of.var, of.cov1, of.cov2, of.cov3, of.reader, of.modality_reader)
    assert [float(x) for x in components] == pytest.approx(golden.components, rel=1e-6, abs=1e-12)
    assert [d.pvalue for d in found.differences] == pytest.approx(golden.pvalues, rel=1e-6)
    means, errors, dfs = zip(*golden.modalities, strict=True)
    np.testing.assert_allclose(found.means, means, rtol=1e-7)
    np.testing.assert_allclose(found.per_modality.standard_error, errors, rtol=1e-6)
    np.testing.assert_allclose(found.per_modality.df, dfs, rtol=1e-6)


def test_fixed_readers(asked):
    study, covariance, golden = asked
    found = rs.compare_readers(study, readers="fixed", covariance=covariance)
    assert (found.statistic, found.pvalue) == pytest.approx(golden.fixed_readers, rel=1e-6)


def test_fixed_cases(asked):
    study, covariance, golden = asked
    found = rs.compare_readers(study, cases="fixed", covariance=covariance)
    assert (found.statistic, found.pvalue) == pytest.approx(golden.fixed_cases, rel=1e-6)
