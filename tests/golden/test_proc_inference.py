"""pROC's bootstrap and permutation results for aSAH and the first fold of ROCR.hiv, within Monte-Carlo error.

Made by make_proc_inference.R (R 4.2.2, pROC 1.18.0) with 20,000 resamples or permutations, 10,000 bootstrap
resamples and 4,000 permutations for ROCR.hiv. Ours are as many resamples and 4,000 permutations. Four standard errors of both together are allowed:
of a standard deviation 1 / sqrt(2 B) of itself; of a p-value, or of the share of resamples beyond a limit,
sqrt(p (1 - p) / B).
"""

import csv
import math

import numpy as np
import pytest

import rocsteady as rs

B = 20_000
# Marker or model: pairs are compared in this order.
PAIRS = ("wfns s100b", "wfns ndka", "s100b ndka", "hiv_svm hiv_nn")


@pytest.fixture(scope="module")
def cases(data_folder):
    """Labels and scores by name."""
    with open(data_folder / "scores" / "proc_asah.csv") as file:
        rows = list(csv.DictReader(file))
    outcome = np.array([row["label"] == "1" for row in rows])
    found = {name: (outcome, np.array([float(r[name]) for r in rows])) for name in ("s100b", "wfns", "ndka")}
    with open(data_folder / "scores" / "rocr_hiv.csv") as file:
        rows = [row for row in csv.DictReader(file) if row["fold"] == "1"]
    for model in ("svm", "nn"):
        own = [row for row in rows if row["model"] == model]
        labels = np.array([float(row["label"]) == 1 for row in own])
        found[f"hiv_{model}"] = (labels, np.array([float(row["score"]) for row in own]))
    return found


def pair_of(cases, pair):
    a, b = pair.split()
    return cases[a][0], cases[a][1], cases[b][1]


def resamples_in_r(name: str, of_hiv: int = 10_000) -> int:
    return of_hiv if "hiv" in name else B


# E, p of roc.test(method = "venkatraman", boot.n = ...), paired and not. Ties in order of the rows.
VENKATRAMAN = {
    True: [(578, 0.02075), (1234, 0.00885), (692, 0.20575), (1796, 0.04175)],
    False: [
        (0.045187563630668, 0.17795),
        (0.0966403007283264, 0.00325),
        (0.0541154358211293, 0.16375),
        (0.0150892669607225, 0.3075),
    ],
}


@pytest.mark.filterwarnings("ignore:RS294")
@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("paired", [True, False])
def test_venkatraman(cases, pair, paired):
    statistic, pvalue = VENKATRAMAN[paired][PAIRS.index(pair)]
    found = rs.venkatraman_test(*pair_of(cases, pair), paired=paired, ties="first", n_permutations=4_000)
    assert found.statistic == pytest.approx(statistic, rel=1e-12)
    of_both = 1 / 4_000 + 1 / resamples_in_r(pair, 4_000)
    assert abs(found.pvalue - pvalue) < 4 * math.sqrt(pvalue * (1 - pvalue) * of_both)


# D of roc.test(method = "bootstrap" | "specificity" | "sensitivity", boot.n = ...), one for each pair. pROC compares
# specificities, so the sign of the FPR at TPR 0.9 is ours turned round.
BOOTSTRAP = {
    ("auc", True): (2.23995813714852, 2.81286348076174, 1.39541908628162, 2.16194436812409),
    ("auc", False): (1.44692011791214, 3.13083850490537, 1.57461171627701, 1.17823001729406),
    ("tpr", True): (1.29608841133793, 2.35843342419822, 1.41580653744682, 2.52203104193177),
    ("fpr", True): (-3.19407218130111, -2.84776912291842, -0.390871096651665, -0.703333771815012),
    ("pauc", True): (0.0702938314380736, 2.00875187412685, 2.30561565746611, 3.14040396504895),
}
STATISTICS = {
    "auc": "auc",
    "tpr": {"fpr": 0.1},
    "fpr": {"tpr": 0.9},
    "pauc": rs.PartialAuc(fpr=(0, 0.1)),
}


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize(("statistic", "paired"), BOOTSTRAP)
def test_bootstrap_tests(cases, pair, statistic, paired):
    expected = BOOTSTRAP[statistic, paired][PAIRS.index(pair)]
    n_resamples = resamples_in_r(pair)
    found = rs.bootstrap_test(
        *pair_of(cases, pair), statistic=STATISTICS[statistic], paired=paired, n_resamples=n_resamples
    )
    assert found.statistic == pytest.approx(expected, rel=4 * math.sqrt(2 / (2 * n_resamples)))


def test_T26_one_sided_bootstrap_tests_have_the_side_that_they_say(cases):
    """roc.test(wfns, ndka, alternative = ...): greater 0.0025, less 0.9975; pROC had them the other way round (#64)."""
    for alternative, pvalue in (("greater", 0.00248252121605987), ("less", 0.99751747878394)):
        found = rs.bootstrap_test(*pair_of(cases, "wfns ndka"), alternative=alternative, n_resamples=B)
        assert found.pvalue == pytest.approx(pvalue, abs=6e-4)
        turned = rs.bootstrap_test(*pair_of(cases, "ndka wfns"), alternative=alternative, n_resamples=B)
        assert turned.pvalue == pytest.approx(1 - found.pvalue, abs=1e-12)


# 95 % limits: ci.auc(method = "bootstrap"); of the partial area; ci.se at specificities .95, .9, .7; 1 - ci.sp at
# sensitivities .9, .7.
LIMITS = {
    "s100b": {
        "auc": (0.628552676151762, 0.827235772357724),
        "pauc": (0.0195121951219512, 0.0492886178861788),
        "tpr": (
            (0.195121951219512, 0.48780487804878),
            (0.219512195121951, 0.621138211382114),
            (0.48780487804878, 0.804878048780488),
        ),
        "fpr": ((1 - 0.513888888888889, 1 - 0.1175), (1 - 0.861111111111111, 1 - 0.379166666666667)),
    },
    "wfns": {
        "auc": (0.74559620596206, 0.892111280487805),
        "pauc": (0.0175542005420054, 0.0542682926829268),
        "tpr": (
            (0.175609756097561, 0.60650406504065),
            (0.330887533875339, 0.709756097560976),
            (0.595121951219512, 0.888504645760743),
        ),
        "fpr": (
            (1 - 0.689816919191919, 1 - 0.393648933531746),
            (1 - 0.905280381944444, 1 - 0.62231001984127),
        ),
    },
    "ndka": {
        "auc": (0.50033451897019, 0.719008299457994),
        "pauc": (0.00223577235772358, 0.0249322493224932),
        "tpr": (
            (0, 0.292682926829268),
            (0.0487804878048781, 0.414634146341463),
            (0.268292682926829, 0.682926829268293),
        ),
        "fpr": ((1 - 0.388888888888889, 1 - 0.0138888888888889), (1 - 0.680555555555556, 1 - 0.25)),
    },
    "hiv_nn": {
        "auc": (0.809755834053587, 0.911312782099299),
        "pauc": (0.0377747767214059, 0.0623549889561125),
        "tpr": (
            (0.371794871794872, 0.692307692307692),
            (0.538461538461538, 0.769230769230769),
            (0.769230769230769, 0.948717948717949),
        ),
        "fpr": (
            (1 - 0.767790262172285, 1 - 0.295880149812734),
            (1 - 0.943820224719101, 1 - 0.771535580524345),
        ),
    },
    "hiv_svm": {
        "auc": (0.856332228944588, 0.946126236435225),
        "pauc": (0.0516372563142226, 0.0755547152597714),
        "tpr": (
            (0.525641025641026, 0.82051282051282),
            (0.692307692307692, 0.884615384615385),
            (0.807692307692308, 0.961538461538462),
        ),
        "fpr": ((1 - 0.876404494382023, 1 - 0.220973782771536), (1 - 0.9812734082397, 1 - 0.895131086142322)),
    },
}


def bracketing(n_resamples: int, interval) -> tuple:
    """Our intervals at the levels between which chance may have put pROC's limits."""
    off = 4 * math.sqrt(2 * 0.025 * 0.975 / n_resamples)
    return interval(0.95 + 2 * off), interval(0.95 - 2 * off)


def assert_between(expected, brackets):
    wide, narrow = brackets
    low, high = np.transpose(expected)
    for limits in ((wide.low, low, narrow.low), (narrow.high, high, wide.high)):
        assert (np.diff(np.stack([np.atleast_1d(limit) for limit in limits]), axis=0) >= -1e-12).all()


@pytest.mark.filterwarnings("ignore:RS295")
@pytest.mark.parametrize("name", LIMITS)
def test_bootstrap_intervals(cases, name):
    curve, expected = rs.roc_curve(*cases[name]), LIMITS[name]
    drawn = {"n_resamples": resamples_in_r(name), "seed": 1}
    asked = drawn | {"method": "bootstrap"}

    def of_area(level):
        return curve.auc_interval(level, **asked)

    def of_partial_area(level):
        percentiles = {"interval": "percentile", "confidence_level": level}
        return rs.bootstrap(curve, STATISTICS["pauc"], **percentiles, **drawn).interval

    def of_tprs(level):
        return curve.tpr_interval([0.05, 0.1, 0.3], level, **asked)

    def of_fprs(level):
        return curve.fpr_interval([0.9, 0.7], level, **asked)

    for key, interval in {"auc": of_area, "pauc": of_partial_area, "tpr": of_tprs, "fpr": of_fprs}.items():
        assert_between(expected[key], bracketing(drawn["n_resamples"], interval))


def test_the_binormal_fit_is_another_estimator_than_pROCs_smooth_curve(cases):
    """auc(smooth(roc, method = "binormal")): a line through normal quantiles; ours maximises the likelihood."""
    smooth = {"s100b": 0.740012862077311, "wfns": 0.845365979318225, "ndka": 0.600569923699544}
    for name, area in smooth.items():
        fit = rs.fit_binormal(*cases[name])
        assert fit.auc != pytest.approx(area, abs=1e-6)
        assert fit.auc == pytest.approx(area, abs=0.015)
        assert fit.auc_interval.low < area < fit.auc_interval.high


# h_score(y, x / (1 + x), severity_ratio) of the PyPI package hmeasure 0.1.6, which wants scores below 1; without a ratio
# it takes that of the classes, 41 / 72.
H_MEASURE = {
    "wfns": (0.3718700797532202, 0.3629154201600352, 0.3240910704344466),
    "s100b": (0.2953548710314552, 0.14488559801781897, 0.30356227251482426),
    "ndka": (0.09108938324600635, 0.05128384706685074, 0.07798589379222032),
}


@pytest.mark.parametrize("name", H_MEASURE)
def test_h_measure(cases, name):
    for ratio, expected in zip((41 / 72, 0.1, 2.0), H_MEASURE[name], strict=True):
        found = rs.roc_curve(*cases[name]).h_measure(severity_ratio=ratio)
        assert found.value == pytest.approx(expected, abs=1e-12)


def test_the_default_of_h_measure_is_not_that_of_the_packages_hmeasure():
    """h_score of the PyPI package hmeasure 0.1.6, from its own page: by default, and with a negative ratio."""
    labels = [1, 1, 0, 1, 1, 0, 1, 1, 1, 0]
    scores = [0.84901876, 0.10282827, 0.43752488, 0.46004468, 0.90878931]
    scores += [0.79177719, 0.5297229, 0.13803906, 0.73166264, 0.22959056]
    theirs, with_a_negative_ratio = 0.18889596344769588, 0.18310946512079307
    assert rs.roc_curve(labels, scores).h_measure().value == pytest.approx(with_a_negative_ratio, abs=1e-12)
    assert rs.roc_curve(labels, scores).h_measure(severity_ratio=7 / 3).value == pytest.approx(
        theirs, abs=1e-12
    )
    assert "n_positives / n_negatives" in rs.RocCurve.h_measure.__doc__
