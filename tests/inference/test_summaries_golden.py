"""summarize_auc against R: metafor for random effects, the formula of the package cvAUC for influence curves.

metafor 3.8-1: ``rma(qlogis(auc), delong_var / (auc * (1 - auc))^2, method = ..., test = "knha")`` on the AUCs
and DeLong variances that pROC 1.18.0 gives for every fold; its prediction interval has another number of
degrees of freedom, so ``sqrt(tau2 + se^2)`` is compared. cvAUC 1.1.0: the influence curves of ``ci.cvAUC``, in R.
"""

import math

import numpy as np
import pytest
from scipy.stats import t as student

import rocsteady as rs
from rocsteady.inference.summarize import summarize_auc
from rocsteady.statistics.random_effects import random_effects

pytestmark = pytest.mark.filterwarnings("ignore:RS108")  # R takes the folds as independent

# estimate, standard error, low, high, tau squared, I squared in percent, Q, its p, sqrt(tau2 + se^2)
METAFOR = {
    ("svm", "reml"): (2.23762362428618, 0.0327703377172856, 2.16349197009171, 2.31175527848065, 0, 0,
                      1.30666864129585, 0.998343071904153, 0.0327703377172856),
    ("nn", "reml"): (1.83869792397151, 0.0385523623696268, 1.75148642129427, 1.92590942664875, 0, 0,
                     2.67149326441355, 0.975910243415859, 0.0385523623696268),
    ("nn", "dersimonian-laird"): (1.83869792397151, 0.0385523623696268, 1.75148642129427, 1.92590942664875, 0, 0,
                                  2.67149326441355, 0.975910243415859, 0.0385523623696268),
    ("xval", "reml"): (2.22943372526695, 0.169693877172256, 1.84555950553874, 2.61330794499517,
                       0.238700913803136, 84.5088053179408, 57.334462706098, 4.3604579936517e-09,
                       0.517201049644032),
    ("xval", "dersimonian-laird"): (2.22900314423133, 0.169687720669563, 1.84514285147977, 2.61286343698288,
                                    0.234991101544301, 84.3026347937804, 57.334462706098, 4.3604579936517e-09,
                                    0.513600062393233),
}  # fmt: skip

CVAUC = {
    "svm": (0.90364928454816096, 0.00745110108929235, 0.88904539476798083, 0.91825317432834108),
    "nn": (0.8624915970421588, 0.0083583790105499, 0.8461094752123455, 0.8788737188719722),
    "xval": (0.89666723846140273, 0.00592146021570197, 0.88506138970274006, 0.90827308722006539),
}


@pytest.fixture(scope="module")
def folds(data_folder):
    """The ten folds of ROCR's example data."""
    columns = {"label": "label", "score": "score", "group": "fold"}
    hiv = rs.read_scores(data_folder / "scores" / "rocr_hiv.csv", **columns, model="model", positive=1)
    xval = rs.read_scores(data_folder / "scores" / "rocr_xval.csv", **columns, positive=1)
    return {"svm": hiv.model("svm"), "nn": hiv.model("nn"), "xval": xval}


@pytest.mark.filterwarnings("ignore:RS286", "ignore:RS288")
@pytest.mark.filterwarnings("error:RS289")
@pytest.mark.parametrize(("name", "heterogeneity"), METAFOR)
def test_random_effects_are_those_of_metafor(folds, name, heterogeneity):
    center, error, low, high, tau_squared, i_squared, q, pvalue, spread = METAFOR[name, heterogeneity]
    found = summarize_auc(
        folds[name], "random-effects", heterogeneity=heterogeneity, interval="hartung-knapp"
    )
    assert (found.logit.estimate, found.logit.standard_error) == pytest.approx((center, error), rel=1e-9)
    assert (found.logit.interval.low, found.logit.interval.high) == pytest.approx((low, high), rel=1e-9)
    assert (found.tau**2, 100 * found.i_squared) == pytest.approx((tau_squared, i_squared), rel=1e-6)
    assert (found.q, found.heterogeneity_pvalue) == pytest.approx((q, pvalue), rel=1e-7)
    half = found.logit.prediction_interval.high - center
    assert half == pytest.approx(student.ppf(0.975, 8) * spread, rel=1e-7)
    assert found.estimate == pytest.approx(1 / (1 + math.exp(-center)))


def test_five_studies_of_metafor():
    """AUC .71 .82 .90 .77 .64 with standard errors .04 .03 .02 .05 .06."""
    auc, error = np.array([0.71, 0.82, 0.90, 0.77, 0.64]), np.array([0.04, 0.03, 0.02, 0.05, 0.06])
    values, variances = np.log(auc / (1 - auc)), (error / (auc * (1 - auc))) ** 2
    reml, moments = (random_effects(values, variances, how) for how in ("reml", "dersimonian-laird"))
    assert (reml.center, reml.tau**2) == pytest.approx((1.2847109975624, 0.33410451208565), rel=1e-6)
    assert (moments.center, moments.tau**2) == pytest.approx((1.2847428841493, 0.332016573045767), rel=1e-9)
    assert moments.limits(0.95) == pytest.approx((0.511841478787721, 2.05764428951087), rel=1e-9)


def test_influence_curves_are_those_of_cvauc(folds):
    """Exactly where folds are alike and nothing is tied, as in the first; closely elsewhere (see Notes)."""
    for name, within in {"svm": 1e-12, "nn": 1e-4, "xval": 1e-3}.items():
        found = summarize_auc(folds[name], "cv-influence")
        assert found.estimate == pytest.approx(CVAUC[name][0], rel=1e-12)
        assert found.standard_error == pytest.approx(CVAUC[name][1], rel=within)
    svm = summarize_auc(folds["svm"], "cv-influence").interval
    assert (svm.low, svm.high) == pytest.approx(CVAUC["svm"][2:], rel=1e-12)


def test_folds_that_are_too_alike_are_noted(folds):
    """Q is 1.3 with 9 degrees of freedom: less than chance leaves between independent sets of cases."""
    with pytest.warns(UserWarning, match=r"RS286.*\n.*Q = 1.31 with 9 degrees of freedom"):
        summarize_auc(folds["svm"], "random-effects")
