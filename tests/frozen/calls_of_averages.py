"""Of averages and operating points."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

import rocsteady as rs
from frozen import data
from frozen.calling import Calls, group, of
from frozen.store import Near

# Averages


STUDENT = (
    "degrees of freedom are broken numbers, for which scipy before 1.17 has ten digits of Student's quantile"
)
AVERAGES: dict[str, Any] = {
    "pooled": "pooled",
    "threshold": "threshold",
    "vertical": "vertical",
    "horizontal": "horizontal",
    "diagonal": "diagonal",
    "radial": "radial",
    "tangent": "tangent",
    "at 30 degrees": rs.AtAngle(math.pi / 6),
    "at an alarm rate": rs.AtAlarmRate(prevalence=0.1),
    "at costs": rs.AtCosts(false_positive=1, false_negative=5, prevalence=0.2),
    "vertical, mid": rs.Vertical(at_jumps="mid"),
    "horizontal, mid": rs.Horizontal(at_jumps="mid"),
    "pooled, balanced": rs.Pooled(balanced=True),
}
DIRECTED = (
    "vertical",
    "horizontal",
    "diagonal",
    "at 30 degrees",
    "at an alarm rate",
    "at costs",
    "vertical, mid",
    "horizontal, mid",
)
SHARED = ("pooled", "threshold", "pooled, balanced")
POINT = ("fpr", "tpr", "fpr_interval", "tpr_interval")
RATES = ("fpr", "tpr", "fpr_sd", "tpr_sd", "fpr_standard_error", "tpr_standard_error", "covariance")


@cache
def _average(method: str, which: str) -> Any:
    own = getattr(data, which)()
    return rs.average(own, AVERAGES.get(method, method), undefined="drop")


@group
def average() -> Calls:
    """Every method on the demo's hosts."""
    for method in AVERAGES:
        own = _average(method, "candidate")
        # The radial average is sampled: its area is exact, its polyline is not frozen.
        curve = {} if method == "radial" else of(own, "fpr", "tpr")
        yield f"{method}/curve", {**of(own, "auc", "equal_error_rate", "n_groups", "undefined"), **curve}
        yield f"{method}/auc interval", own.auc_interval()
        yield (
            f"{method}/readings",
            {"tpr_at": own.tpr_at([0.01, 0.05, 0.2]), "fpr_at": own.fpr_at([0.5, 0.9])},
        )
        for place in ({"fpr": 0.05}, {"tpr": 0.9}):
            ((name, value),) = place.items()
            yield f"{method}/at {name}={value}", of(own.at(**place), *POINT)
        point = own.at(fpr=0.05, confidence_level=0.9, quantile="normal")
        yield f"{method}/at fpr=0.05, normal, 90 %", of(point, *POINT)
        yield f"{method}/minimum cost", own.minimum_cost(false_positive=1, false_negative=10, prevalence=0.1)
    for method in DIRECTED:
        own = _average(method, "candidate")
        points = [own.at_position(u * (own.direction.cosine + own.direction.sine)) for u in (0, 0.04, 0.3, 1)]
        names = ("fpr", "tpr", "value", "sd", "standard_error")
        yield f"{method}/at_position", {name: [getattr(point, name) for point in points] for name in names}
        yield f"{method}/grid", of(own.grid(11), "fpr", "tpr")
    for method in SHARED:
        own = _average(method, "candidate")
        yield f"{method}/thresholds", own.thresholds
        for rule in (">=", ">"):
            yield f"{method}/rates_at/{rule}", of(own.rates_at([2.7027, 1.0, -2.0], rule=rule), *RATES)
        yield f"{method}/at threshold=2", of(own.at(threshold=2.0), *POINT)
        yield f"{method}/grid", of(own.grid(9), "thresholds", "fpr", "tpr")
    ellipse = _average("threshold", "candidate").ellipse(2.0, 0.95)
    yield "threshold/ellipse", of(ellipse, "center", "covariance", "fpr", "tpr")
    alarms = _average("at an alarm rate", "candidate").at(rate=0.15)
    yield "at an alarm rate/at rate=0.15", of(alarms, *POINT)
    for fpr, fnr in ((1, 1), (1, 4), (3, 1)):
        yield (
            f"radial/at {fpr} : {fnr}",
            of(_average("radial", "candidate").at_error_ratio(fpr, fnr), *RATES, *POINT[2:]),
        )
    for costs in ((1, 1), (1, 20)):
        names = dict(zip(("false_positive", "false_negative"), costs, strict=True))
        own = _average("tangent", "candidate").at_costs(**names, prevalence=0.1)
        cost = ("cost", "cost_sd", "cost_standard_error", "cost_interval")
        yield f"tangent/at {costs[0]} : {costs[1]}", of(own, *RATES, *POINT[2:], *cost)
    yield "at costs/expected cost", _average("at costs", "candidate").expected_cost()


@group
def average_bands() -> Calls:
    for method in ("pooled", "threshold", "vertical", "horizontal", "diagonal", "radial", "tangent"):
        for kind in ("pointwise", "simultaneous", "prediction"):
            if kind == "prediction" and method not in DIRECTED:
                continue
            own = _average(method, "candidate").band(kind=kind, n_resamples=200)
            edges = {
                f"{side}.{rate}": getattr(getattr(own, side), rate)
                for side in ("lower", "upper")
                for rate in ("fpr", "tpr")
            }
            yield f"{method}/{kind}", edges | of(own, "factor", "excluded")
    narrow = _average("vertical", "current").band(
        kind="simultaneous", fpr=(0.1, 0.3), n_resamples=200, seed=4
    )
    yield (
        "vertical/0.1 to 0.3",
        {"lower": narrow.lower.tpr, "upper": narrow.upper.tpr, "factor": narrow.factor},
    )


@group
def average_small() -> Calls:
    """Jumps, ties, infinities, one-class groups, weights, the other direction: numbers that can be checked by hand."""
    for method in AVERAGES:
        for which in ("small_groups", "weighted_groups", "low_groups"):
            own = _average(method, which)
            curve = {} if method == "radial" else of(own, "fpr", "tpr")
            yield f"{method}/{which}", {**of(own, "auc", "equal_error_rate", "undefined"), **curve}
    for method in ("vertical", "horizontal", "diagonal"):
        own = _average(method, "small_groups")
        yield (
            f"{method}/small_groups/both sides",
            {
                "tpr": [own.tpr_at([0, 1 / 3, 0.5, 1], side=side) for side in ("lower", "upper")],
                "fpr": [own.fpr_at([0, 1 / 3, 0.5, 1], side=side) for side in ("lower", "upper")],
            },
        )
        yield (
            f"{method}/small_groups/at jumps",
            of(own.at(fpr=[0, 1 / 3, 0.5]), "fpr", "tpr", "fpr_interval", "tpr_interval"),
        )
    for method in SHARED:
        low = _average(method, "low_groups")
        yield f"{method}/low_groups/thresholds", low.thresholds
        yield f"{method}/low_groups/rates_at", of(low.rates_at([-1, 0], rule="<="), *RATES)
        small = _average(method, "small_groups")
        yield f"{method}/small_groups/rates_at", of(small.rates_at([np.inf, 3, 1, -np.inf]), *RATES)
    for name, weights in (
        ("positives", "positives"),
        ("rows", "rows"),
        ("given", [3, 1, 0, 2, 1, 5]),
    ):
        for method in ("vertical", "threshold", "diagonal", "radial"):
            own = rs.average(data.weighted_groups(), method, group_weights=weights)
            yield (
                f"{method}/group weights/{name}",
                of(own, "auc", "weights", "effective_groups", "degrees_of_freedom"),
            )
            point = own.at(fpr=0.2)
            yield (
                f"{method}/group weights/{name}/at fpr=0.2",
                Near(of(point, "tpr", "tpr_interval"), 1e-10, STUDENT),
            )
    single = rs.average([rs.roc_curve(*data.TIES)], "vertical")
    yield "vertical/one group", {**of(single, "auc"), **of(single.at(fpr=0.25), "tpr", "tpr_interval")}
    yield (
        "left out",
        {"undefined": rs.average(data.hosts().model("current"), "vertical", undefined="drop").undefined},
    )


@group
def average_binormal() -> Calls:
    why = "means of parameters fitted by maximum likelihood, good to some eight digits"
    own = _average("binormal", "few_candidate")
    yield (
        "curve",
        Near(of(own, "auc", "a", "b", "a_sd", "b_sd", "a_standard_error", "b_standard_error"), 1e-7, why),
    )
    yield "at fpr=0.05", Near(of(own.at(fpr=0.05), *POINT), 1e-7, why)
    yield "groups", Near(of(own.parameters, "a", "b", "auc"), 1e-7, why)
    yield "counts", of(own.parameters, "n_categories", "status", "empirical_auc")


@group
def cross_auc() -> Calls:
    for which in ("candidate", "small_groups", "weighted_groups"):
        yield which, rs.cross_auc(getattr(data, which)())


# Operating points


CRITERIA: dict[str, Any] = {
    "youden": "youden",
    "closest": "closest",
    "eer": "eer",
    "cost": rs.MinimumCost(false_positive=1, false_negative=20, prevalence=0.02),
    "cost, own prevalence": rs.MinimumCost(false_positive=2, false_negative=3),
    "fpr 5 %": rs.TargetRate(fpr=0.05),
    "tpr 90 %": rs.TargetRate(tpr=0.9),
}


MEASURED: dict[str, Any] = {
    "f1": "f1",
    "accuracy": "accuracy",
    "mcc": "mcc",
    "kappa": rs.Maximum("kappa", prevalence=0.1),
    "function": rs.Maximum(lambda tp, fp: 3 * tp - 2 * fp),
    "ppv 60 %": rs.TargetRate(ppv=0.6),
    "npv 80 %": rs.TargetRate(npv=0.8, prevalence=0.3),
}


@group
def choose_cutoff() -> Calls:
    sick, score = data.one()
    places: dict[str, Any] = {
        "host-12": rs.roc_curve(data.candidate()["host-12"]),
        "one": rs.roc_curve(sick, score),
        "weighted": rs.roc_curve(sick, score, sample_weight=data.weights()),
        "low is positive": rs.roc_curve(sick, -score, higher_is_positive=False),
        "ties": rs.roc_curve(*data.TIES),
        "infinities": rs.roc_curve(*data.INFINITE),
        "threshold average": _average("threshold", "current"),
        "pooled average": _average("pooled", "current"),
    }
    for name, criterion in CRITERIA.items():
        for place, curve in places.items():
            own = rs.choose_cutoff(curve, criterion)
            ends = own.threshold_interval
            yield (
                f"{name}/{place}",
                {
                    **of(own, "threshold", "fpr", "tpr", "index", "value", "all_optima"),
                    "threshold ends": [ends.low, ends.high],
                    "midpoint": own.midpoint,
                },
            )
    for name in ("youden", "cost", "fpr 5 %", "tpr 90 %"):
        own = rs.choose_cutoff(places["one"], CRITERIA[name]).intervals(n_resamples=200)
        yield f"{name}/one/intervals", {"limits": own.threshold, "fpr": own.fpr, "tpr": own.tpr}
        own = rs.choose_cutoff(places["threshold average"], CRITERIA[name]).intervals(n_resamples=200)
        yield f"{name}/threshold average/intervals", {"limits": own.threshold, "fpr": own.fpr, "tpr": own.tpr}
    cutoff = rs.choose_cutoff(places["host-12"], "youden")
    counts = ("tp", "fp", "fn", "tn")
    shares = (
        "sensitivity",
        "specificity",
        "ppv",
        "npv",
        "lr_positive",
        "lr_negative",
        "accuracy",
        "prevalence",
    )
    for prevalence in (None, 0.02):
        table = cutoff.two_by_two(prevalence=prevalence, method="wilson")
        yield (
            f"two by two/prevalence {prevalence}",
            of(table, *counts, *shares, *(f"{name}_interval" for name in shares[:7])),
        )
        table = cutoff.two_by_two(prevalence=prevalence, n_resamples=200)
        yield (
            f"two by two/corrected, prevalence {prevalence}",
            {
                **of(table.corrected, *shares[:7]),
                **of(table, *(f"{name}_interval" for name in shares[:7])),
            },
        )
    rates = ("fpr", "tpr", "value", "fpr_interval", "tpr_interval")
    for name in ("youden", "cost", "fpr 5 %", "tpr 90 %"):
        for place in ("one", "threshold average"):
            own = rs.choose_cutoff(places[place], CRITERIA[name])
            yield f"{name}/{place}/corrected", of(own.corrected(n_resamples=200), *rates)
    for name, criterion in MEASURED.items():
        for place in ("host-12", "weighted", "ties", "infinities", "threshold average", "pooled average"):
            own = rs.choose_cutoff(places[place], criterion)
            yield f"{name}/{place}", of(own, "threshold", "fpr", "tpr", "index", "value", "all_optima")
        for place in ("one", "threshold average"):
            own = rs.choose_cutoff(places[place], criterion)
            values = of(own.corrected(n_resamples=200), *rates, "value_interval")
            yield f"{name}/{place}/corrected", values
        limits = rs.choose_cutoff(places["one"], criterion).intervals(n_resamples=200)
        yield f"{name}/one/intervals", {"limits": limits.threshold, "fpr": limits.fpr, "tpr": limits.tpr}
    given = rs.choose_cutoff(places["host-12"], 0.205)
    limits = given.intervals()
    yield "given", {**of(given, "fpr", "tpr"), "limits": limits.fpr, "of tpr": limits.tpr}
    exact = cutoff.two_by_two(method="clopper-pearson")
    yield "two by two/exact", of(exact, "sensitivity_interval", "specificity_interval", "accuracy_interval")
    yield (
        "on another host",
        of(cutoff.on(rs.roc_curve(data.candidate()["host-02"])), "threshold", "fpr", "tpr", "value"),
    )


@group
def operating_points() -> Calls:
    table = rs.average_operating_points(data.current(), thresholds=12, undefined="drop")
    yield "hosts/thresholds", {"thresholds": table.thresholds, "n": table.n_points}
    measures = (
        "fpr",
        "tpr",
        "fnr",
        "precision",
        "npv",
        "alarm_rate",
        "f1",
        "accuracy",
        "error",
        "balanced_accuracy",
        "mcc",
    )
    for measure in (*measures, rs.Cost(false_positive=1, false_negative=5, prevalence=0.1)):
        name = measure if isinstance(measure, str) else "cost"
        own = table.measure(measure)
        yield f"hosts/{name}", of(own, "mean", "sd", "standard_error", "n_defined", "stacked")
    yield "hosts/function", of(table.measure(lambda c: 10 * c.tp - 3 * c.fp), "mean", "sd")
    yield "hosts/interval", {"limits": table.measure("tpr").interval(0.9)}
    yield "hosts/nearest", {"tpr": table.nearest(tpr=0.9), "fpr": table.nearest(fpr=0.05)}
    yield (
        "hosts/keeping",
        {
            "tpr": table.at_least(tpr=0.9),
            "fpr": table.at_most(fpr=0.05),
            "precision": table.at_least(precision=0.5),
        },
    )
    for name, criterion in {"youden": "youden", **MEASURED}.items():
        own = rs.choose_cutoff(table, criterion)
        new = own.corrected(n_resamples=200)
        chosen = of(own, "index", "fpr", "tpr", "value", "all_optima")
        yield f"hosts/chosen/{name}", {**chosen, "new": [new.fpr, new.tpr, new.value]}
    pair = table.between("fpr", "tpr")
    yield "hosts/between", {"covariance": pair.covariance, **of(pair.ellipse(4), "center", "covariance")}
    tests = (
        "statistic",
        "pvalue",
        "df",
        "indistinguishable",
        "difference",
        "standard_error",
        "adjusted_pvalue",
        "n_defined",
    )
    for name, options in (
        ("plain", {}),
        ("2n-2", {"df": "2n-2"}),
        ("ratio", {"test_train_ratio": 1 / 9}),
        ("cv", {"test_train_ratio": 1 / (table.n_folds - 1)}),
        ("holm", {"adjust": "holm"}),
        ("bh", {"adjust": "bh", "alpha": 0.1}),
    ):
        yield f"hosts/compare_to/{name}", of(table.compare_to(5, "fpr", **options), *tests)
    both = table.compare_to(5, ["fpr", "tpr"], combine="and", adjust="holm")
    yield "hosts/compare_to/two measures", of(both, *tests)
    separate = table.compare_to(5, "fpr").cases_to_separate(6)
    yield "hosts/cases to separate", of(separate, "factor", "cases", "present")
    every = rs.average_operating_points(data.small_groups(), undefined="drop")
    yield "small/all", {"thresholds": every.thresholds, **of(every.measure("tpr"), "mean", "sd", "per_fold")}
    given = rs.average_operating_points(data.weighted_groups(), thresholds=[1.0, 0.0], rule=">")
    yield "weighted/given", of(given.measure("fpr"), "mean", "sd", "per_fold", "stacked")
    decided = rs.average_operating_points(
        data.share_folds(),
        points=[0.3, 0.5],
        decide=lambda score, share: score >= np.quantile(score, 1 - share),
    )
    yield "folds/decide", of(decided.measure("mcc"), "mean", "sd")
    for name, options in (("plain", {}), ("2n-2", {"df": "2n-2"}), ("ratio", {"test_train_ratio": 0.25})):
        own = rs.paired_t([0.1, 0.4, 0.35, 0.2], [0.2, 0.5, 0.3, 0.45], **options)
        yield f"paired t/{name}", of(own, "statistic", "pvalue", "df", "difference", "standard_error")


@group
def multiclass() -> Calls:
    own = data.three_classes()
    weights = np.array([[1.0, 1, 1], [2, 1, 1], [1, 1, 3], [0.2, 0.5, 0.3]])
    table = rs.average_multiclass_points(own, weights)
    for name in ("class_error", "error", "accuracy"):
        yield (
            f"points/{name}",
            of(table.measure(name), "mean", "sd", "standard_error", "per_fold", "n_defined"),
        )
    compared = table.compare_to(0, "class_error")
    yield "points/compare_to", of(compared, "statistic", "pvalue", "indistinguishable")
    yield "decide", {"decisions": rs.decide(own.outputs[:15], weights)}
    search = rs.search_class_weights(own, n_start=60, n_steps=2, keep=10, seed=1)
    yield "search", of(search, "class_weights", "errors", "max_errors", "n_distinct")
    yield "search/best", of(search.best, "class_weights", "errors", "max_error", "mean_error")
    yield "exact", of(rs.search_class_weights(own, exact=True).best, "max_error", "errors")
    nested = rs.search_class_weights(own, n_start=60, n_steps=2, keep=10, seed=1, nested=True).nested
    yield "nested", of(nested, "max_error", "mean_max_error", "stacked", "mean", "sd", "optimism")
    for method in ("hand-till", "one-versus-rest"):
        for weigh in ("classes", "rows"):
            if (method, weigh) != ("hand-till", "rows"):
                found = own.auc(method, weigh=weigh)
                yield f"auc/{method}/{weigh}", of(found, "mean", "sd", "stacked", "per_fold", "parts")
                interval = found.interval()
                limits = {"low": interval.low, "high": interval.high, "parts": list(found.part_intervals())}
                yield f"auc/{method}/{weigh}/interval", limits | of(found, "standard_error")
    together = rs.MulticlassScores(own.label_index, own.outputs)
    for method in ("hand-till", "one-versus-rest"):
        found = together.auc(method)
        yield f"auc/one fold/{method}", of(found, "standard_error") | of(found.interval(), "low", "high")
    yield "one versus rest", rs.auc(own.one_versus_rest("1")[0])
    for exact in (False, True):
        kept = rs.search_class_weights(own, at_most={"1": 0.2}, exact=exact).best
        yield f"limits/{'exact' if exact else 'greedy'}", of(kept, "class_weights", "errors", "max_error")
    matrix = table.confusion_matrix(2)
    names = ("counts", "recall", "precision", "recall_standard_error", "precision_standard_error")
    yield "confusion", of(matrix, *names)
    yield "points/separated", of(compared, "separated_by")


@group
def realise() -> Calls:
    for name, options in (
        ("own", {"target": rs.TargetRate(fpr=0.05)}),
        ("own, tpr", {"target": rs.TargetRate(tpr=0.9)}),
        ("own, youden", {"target": "youden"}),
        ("shared", {"target": rs.TargetRate(fpr=0.05), "threshold": "shared"}),
        ("shared, groups", {"target": rs.TargetRate(fpr=0.05), "threshold": "shared", "split": "groups"}),
        (
            "shared, rows count",
            {
                "target": rs.MinimumCost(false_positive=1, false_negative=5),
                "threshold": "shared",
                "weigh": "rows",
            },
        ),
    ):
        own = rs.realise(data.few_hosts().model("candidate"), n_repeats=5, undefined="drop", **options)
        yield (
            f"{name}/rates",
            {
                f"{rate}.{part}": getattr(getattr(own, rate), part)
                for rate in ("fpr", "tpr")
                for part in ("mean", "interval", "sd", "sd_between", "standard_error", "per_group")
            },
        )
        yield (
            f"{name}/promise",
            {**of(own.promise, "fpr", "tpr", "value"), "on part": own.promise_on_part.tpr},
        )
        yield f"{name}/over budget", of(own, "share_over_budget", "undefined", "thresholds")
