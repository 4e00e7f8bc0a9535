"""A place is one value: every door takes the same names, and reads the same point."""

from __future__ import annotations

import decimal
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.curves.statistics import statistic_of
from rocsteady.places import EVERYWHERE, Place, place_of, places_of

RNG = np.random.default_rng(7)
LABELS = np.tile([1, 0, 0, 0], 60)
GROUPS = np.repeat([f"site {i}" for i in range(6)], 40)
BOTH = rs.ScoreSet.from_arrays(
    LABELS,
    {"old": RNG.normal(size=240) + LABELS, "new": RNG.normal(size=240) + 2 * LABELS},
    GROUPS,
    unit="site",
    design="independent",
)
ONE = BOTH.model("new")
CURVE = rs.roc_curve(LABELS, np.asarray(ONE.columns.scores))

SAME_FPR: list[dict[str, Any]] = [{"fpr": 0.1}, {"fmr": 0.1}, {"specificity": 0.9}, {"fpr": "10%"}]
SAME_TPR: list[dict[str, Any]] = [{"tpr": 0.9}, {"sensitivity": 0.9}, {"fnmr": 0.1}, {"fnr": "10%"}]
PREVALENCE = 0.25
ALERTS = rs.AtAlarmRate(prevalence=PREVALENCE)
OWN_ALERTS: dict[str, Any] = {"threshold": "own", "prevalence": PREVALENCE}


def _readers() -> rs.ScoreSet:
    cases = np.tile(np.arange(40), 6)
    truth = np.tile([1, 0] * 20, 6)
    return rs.ScoreSet.from_arrays(
        truth,
        {"a": RNG.normal(size=240) + truth, "b": RNG.normal(size=240) + truth},
        np.repeat([f"reader {i}" for i in range(6)], 40),
        cases=cases,
        unit="reader",
        design="readers",
    )


def _rate_at(at: dict[str, Any]) -> dict[str, Any]:
    """A statistic follows the name of the place, unless it is told which rate is wanted."""
    return at | {"rate": "tpr" if at in SAME_FPR else "fpr"}


READERS = _readers()
SHARED = rs.average(ONE, "threshold")
BOOT: dict[str, Any] = {"n_resamples": 100}
DOORS = {
    "average.at(mapping)": lambda at: rs.average(ONE, "vertical").at(at).to_dict(),
    "average.at(keyword)": lambda at: rs.average(ONE, "vertical").at(**at).to_dict(),
    "shared.at": lambda at: SHARED.at(**at).to_dict(),
    "compare": lambda at: [own.to_dict() for own in rs.compare(BOTH, method="vertical", at=at).at],
    "compare(deployment)": lambda at: [
        own.to_dict() for own in rs.compare(BOTH, method=rs.Deployment("own", at=at)).at
    ],
    "Deployment": lambda at: rs.Deployment("own", at=at),
    "shared Deployment": lambda at: rs.Deployment("shared", at=at),
    "plan": lambda at: rs.plan(ONE, measure=at).to_dict(),
    "choose_cutoff": lambda at: rs.choose_cutoff(CURVE, **at).to_dict(),
    "choose_cutoff(mapping)": lambda at: rs.choose_cutoff(CURVE, at).to_dict(),
    "realise": lambda at: rs.realise(ONE, at, n_repeats=2).to_dict(),
    "bootstrap": lambda at: rs.bootstrap(CURVE, _rate_at(at), **BOOT).to_dict(),
    "compare_readers": lambda at: rs.compare_readers(READERS, measure=_rate_at(at)).to_dict(),
}


@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
@pytest.mark.parametrize("places", [SAME_FPR, SAME_TPR], ids=["fpr", "tpr"])
@pytest.mark.parametrize("door", DOORS)
def test_every_door_reads_the_same_place_by_any_of_its_names(door, places) -> None:
    first, *others = [_plain(DOORS[door](at)) for at in places]
    assert all(own == first for own in others)


def _plain(value: Any) -> str:
    return repr(value)


@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
def test_alerts_are_a_share_a_percentage_or_a_number_of_cases() -> None:
    average = rs.average(ONE, ALERTS)
    wanted = average.at(alerts=0.05).to_dict()
    for at in ({"alerts": "5%"}, {"rate": 0.05}, {"alerts": 12}, {"alerts": "12"}):  # 12 of 240 rows
        assert average.at(at).to_dict() == wanted
        found = rs.compare(BOTH, method=ALERTS, at=at).at
        expected = rs.compare(BOTH, method=ALERTS, at={"alerts": 0.05}).at
        assert [own.interval.low for own in found] == [own.interval.low for own in expected]
    assert rs.Deployment(**OWN_ALERTS, at={"alerts": "5%"}) == rs.Deployment(
        **OWN_ALERTS, hold="alerts", at=0.05
    )


@pytest.mark.parametrize(
    ("at", "code"),
    [
        ({"alerts": 2.5}, "RS042"),
        ({"alerts": -1}, "RS042"),
        ({"alerts": 1000}, "RS042"),
        ({"alerts": True}, "RS042"),
        ({"fpr": 5}, "RS042"),
        ({"specificity": 95}, "RS042"),
        ({"fpr": "five"}, "RS042"),
        ({"threshold": float("nan")}, "RS042"),
        ({"threshold": {"new": 1}}, "RS092"),
        ({"frp": 0.1}, "RS092"),
        ({"ratio": (1, 2)}, "RS092"),
        ({}, "RS092"),
        ("fpr", "RS092"),
        ("fpr=", "RS092"),
        ("=0.1", "RS092"),
        ("fpr=lots", "RS092"),
    ],
)
def test_what_is_no_place_is_refused(at, code) -> None:
    with pytest.raises(rs.RocsteadyError) as caught:
        rs.average(ONE, ALERTS).at(at)
    assert caught.value.code == code


REFUSES = {
    "compare": (lambda at: rs.compare(BOTH, method="vertical", at=at), {"balance": 0.0}, "alerts"),
    "own Deployment": (lambda at: rs.Deployment("own", at=at), {"threshold": 1}, "alerts"),
    "shared Deployment": (lambda at: rs.Deployment("shared", at=at), {"alerts": 0.1}, "threshold"),
    "plan": (lambda at: rs.plan(ONE, measure=at), {"alerts": 0.1}, "threshold"),
    "choose_cutoff": (lambda at: rs.choose_cutoff(CURVE, at), {"balance": 0.1}, "alerts"),
    "realise": (lambda at: rs.realise(ONE, at), {"threshold": 0.1}, "alerts"),
    "bootstrap": (lambda at: rs.bootstrap(CURVE, at), {"alerts": 0.1}, "threshold"),
    "plot.roc": (lambda at: rs.plot.roc(CURVE, at=at), {"alerts": 0.1}, "threshold"),
}


@pytest.mark.parametrize("door", REFUSES)
def test_a_place_that_cannot_be_held_says_what_can(door) -> None:
    call, at, known = REFUSES[door]
    with pytest.raises(rs.RocsteadyError) as caught:
        call(at)
    assert caught.value.code == "RS092"
    assert caught.value.found.startswith("known: fpr (fmr, specificity), tpr (sensitivity, fnmr, fnr)")
    assert known in caught.value.found


@pytest.mark.parametrize(
    ("at", "hold", "value"),
    [
        ({"fpr": 0.05}, "fpr", 0.05),
        ({"specificity": 0.95}, "fpr", 0.05),
        ({"fnmr": 0.1}, "tpr", 0.9),
        ({"balance": 0.1}, "balance", 0.1),
        ({"ratio": (1, 2)}, "ratio", (1.0, 2.0)),
        ("eer", "balance", 0.0),
    ],
)
def test_what_is_held_follows_from_where(at, hold, value) -> None:
    deployment = rs.Deployment("own", at=at)
    assert deployment == rs.Deployment("own", hold=hold, at=value)
    assert deployment.place == Place(hold, value)


def test_a_shared_threshold_may_have_its_name() -> None:
    assert rs.Deployment("shared", at={"threshold": 2}) == rs.Deployment("shared", at=2)
    assert rs.Deployment("shared", at={"threshold": 2}).place == Place("threshold", 2.0)


def test_a_number_of_alerts_is_asked_of_cases_and_not_of_a_deployment() -> None:
    with pytest.raises(rs.RocsteadyError, match="RS092: a deployment holds a share"):
        rs.Deployment(**OWN_ALERTS, at={"alerts": 50})


def test_complements_are_those_of_the_decimals() -> None:
    assert place_of({"specificity": 0.9}) == Place("fpr", 0.1)
    assert place_of("spec=99.9%") == Place("fpr", 0.001)
    found = place_of({"fnmr": [0.1, 0.3]}).value
    assert found.tolist() == [0.9, 0.7]


def test_large_integers_stay_integers() -> None:
    assert place_of({"threshold": 2**60 + 1}).value == 2**60 + 1


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("t=2.5", "threshold", 2.5),
        ("FMR=0.1%", "fpr", 0.001),
        ("alerts=50", "alerts", 50),
        ("rate=0.02", "alerts", 0.02),
        ("cost=1:20", "costs", (1.0, 20.0)),
        ("ratio=1:2", "ratio", (1.0, 2.0)),
        ("eer", "eer", None),
        ("youden", "youden", None),
    ],
)
def test_what_is_typed_is_the_same_place(text, kind, value) -> None:
    assert place_of(text, among=EVERYWHERE) == Place(kind, value)


def test_thresholds_of_several_models() -> None:
    (typed,) = places_of("t=old:0.5,new:2", by_model=True)
    assert (typed.of("old"), typed.of("new")) == (0.5, 2.0)
    with pytest.raises(rs.RocsteadyError, match="RS002: there is no threshold for the model"):
        typed.of("other")


@pytest.mark.parametrize(
    ("call", "typed"),
    [
        (lambda: rs.Deployment("own", at={"specifity": 0.95}), "-> at={'specificity': 0.95}"),
        (lambda: rs.Deployment("own", at={"specifity": 95}), "-> at={'specificity': 0.95}"),
        (lambda: rs.Deployment("own", at={"fnmrr": "x"}), "-> at={'fnmr': 0.1}"),
        (lambda: rs.Deployment("own", at="frp=7%"), "-> at={'fpr': 0.07}"),
        (lambda: SHARED.at(specifity=0.9), "-> average.at(specificity=0.9)"),
        (lambda: SHARED.at({"specifity": 0.9}), "-> average.at(specificity=0.9)"),
        (lambda: SHARED.at(precision=0.9), "{'precision': 0.9} is not a place to read an average at."),
        (lambda: SHARED.at(prevalence=0.9), "average.at() has no argument prevalence."),
        (lambda: rs.choose_cutoff(CURVE, precison=0.9), "-> choose_cutoff(curve, precision=0.9)"),
        (lambda: rs.choose_cutoff(CURVE, balance=0.1), "-> choose_cutoff(curve, fpr=0.05)"),
        (lambda: rs.Deployment("own", at={"fpr": 0.05}, hold="tpr"), "hold and at disagree"),
        (lambda: rs.Deployment("own", at={"fpr": 0.05}, hold="ratio"), "-> at={'ratio': (1.0, 2.0)}"),
    ],
)
def test_a_place_that_was_meant_is_named_with_the_callers_value(call, typed) -> None:
    with pytest.raises(rs.RocsteadyError, match="RS092") as caught:
        call()
    assert typed in str(caught.value)


LARGE = 2**53
"""From here on not every integer is a float."""


def large_scores() -> tuple[np.ndarray, np.ndarray, rs.ScoreSet]:
    rng, labels = np.random.default_rng(0), np.tile([1, 0], 100)
    scores = LARGE + 2 * (rng.integers(0, 6, 200) + labels * 2)
    groups = np.repeat(np.arange(10), 20)
    return labels, scores, rs.ScoreSet.from_arrays(labels, {"a": scores, "b": scores[::-1].copy()}, groups)


def test_an_integer_threshold_is_an_integer_through_every_door() -> None:
    labels, scores, both = large_scores()
    threshold, one = LARGE + 5, both.model("a")
    tpr, fpr = ((scores[labels == label] >= threshold).mean() for label in (1, 0))
    curve, average = rs.roc_curve(labels, scores), rs.average(one, "threshold")
    deployed = rs.Deployment("shared", at={"threshold": threshold})
    for at in (f"t={threshold}", {"threshold": threshold}, {"threshold": [threshold]}, deployed.place):
        point = average.at(at)
        assert (np.ravel(point.fpr), np.ravel(point.tpr)) == (fpr, tpr)
    assert statistic_of({"threshold": threshold}).read(curve).tolist() == [fpr, tpr]
    assert statistic_of({"threshold": threshold, "rate": "sensitivity"}).read(curve) == tpr
    assert statistic_of({"threshold": threshold, "rate": "specificity"}).read(curve) == 1 - fpr
    assert rs.bootstrap(curve, {"threshold": threshold}, n_resamples=200).estimate.tolist() == [fpr, tpr]
    found = rs.compare(both, "a", "b", method="threshold", at={"threshold": threshold})
    assert found.at[0].a_value == pytest.approx(fpr, abs=1e-12)


def test_a_threshold_is_named_once_for_each_model() -> None:
    with pytest.raises(rs.RocsteadyError, match="RS092"):
        places_of("t=a:1,a:2", by_model=True)


@pytest.mark.parametrize("value", [float("nan"), 2, -1.5])
def test_a_balance_lies_between_its_ends(value: float) -> None:
    with pytest.raises(rs.RocsteadyError, match="RS092"):
        places_of({"balance": value}, among=("balance",))


def test_what_is_masked_is_no_place() -> None:
    masked = np.ma.array([0.1, 0.2], mask=[True, False])
    with pytest.raises(rs.RocsteadyError, match="RS042"):
        places_of({"fpr": masked})
    with pytest.raises(rs.RocsteadyError, match="RS042"):
        rs.roc_curve([1, 0], [2, 1]).tpr_at(masked)


def test_the_decimal_context_of_the_user_changes_no_place() -> None:
    with decimal.localcontext() as context:
        context.prec = 3
        context.traps[decimal.Inexact] = True
        assert place_of({"specificity": 0.95123}).value == 0.04877
        assert place_of("fpr=0.7%").value == 0.007


@pytest.mark.parametrize("at", [{"fpr": 10**5000}, {"threshold": 10**5000}])
def test_an_integer_that_python_cannot_spell_has_a_message(at: dict[str, int]) -> None:
    with pytest.raises(rs.RocsteadyError, match="an integer of 16610 bits"):
        place_of(at)


def test_a_number_of_alerts_is_one_among_these_cases() -> None:
    _, _, both = large_scores()
    one = both.model("a")
    at_half = rs.average(one, "diagonal").at(alerts=50)  # half of the cases are positive
    assert at_half.fpr * 100 + at_half.tpr * 100 == pytest.approx(50)
    elsewhere = rs.average(one, rs.AtAlarmRate(prevalence=0.1))
    with pytest.raises(rs.RocsteadyError, match=r"RS042(.|\n)*AtAlarmRate\(prevalence=0\.5\)"):
        elsewhere.at(alerts=50)
    assert elsewhere.at(alerts=0.25).rate == 0.25


@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
@pytest.mark.parametrize(
    "ask",
    [
        lambda at: rs.bootstrap(CURVE, at, n_resamples=200).estimate,
        lambda at: rs.plan(ONE, measure=at).half_width,
        lambda at: rs.choose_cutoff(CURVE, at).threshold,
        lambda at: rs.realise(ONE, at).tpr.mean,
        lambda at: rs.average(ONE, "vertical").at(at).tpr,
    ],
)
def test_a_text_is_the_place_that_it_names(ask: Any) -> None:
    assert ask("spec=95%") == ask({"fpr": 0.05})
