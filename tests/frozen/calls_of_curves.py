"""Of scores, simulated data and single datasets."""

from __future__ import annotations

from typing import Any

import numpy as np

import rocsteady as rs
from frozen import data
from frozen.calling import Calls, group, of
from frozen.store import Near
from rocsteady import simulate
from rocsteady.scores import stratified_folds

# Scores, simulated data and their truth


@group
def scores() -> Calls:
    for name in (
        "hosts",
        "few_hosts",
        "folds",
        "readers",
        "readers_and_ai",
        "small_groups",
        "weighted_groups",
        "lesions",
    ):
        own = getattr(data, name)()
        yield name, {**of(own, "n_positives", "n_negatives", "models", "groups", "undefined"), "n": len(own)}
    yield "low_groups", of(data.low_groups(), "higher_is_positive", "n_positives", "n_negatives")
    first = data.candidate()["host-02"]
    yield "one member", {"thresholds": first.scores, "is_positive": first.is_positive}
    table = {"label": [1, 0, 1, 0, 1], "score": [0.9, 0.4, None, 0.2, 0.1]}
    kept = rs.ScoreSet.from_frame(table, label="label", score="score", on_missing="drop")
    yield "missing scores dropped", {"dropped": kept.dropped.n_rows, "n": kept[0].scores.size}
    yield "stratified folds", {"folds": stratified_folds([1] * 7 + [0] * 13, 4, seed=3)}
    wide = rs.ScoreSet.from_arrays([1, 0, 1, 0], {"a": [4, 3, 2, 1], "b": [1, 2, 3, 3]}, [0, 0, 1, 1])
    yield "wide", {"auc": [rs.auc(own) for own in wide], "names": wide.names}
    merged = rs.Scores(["a", "b", "c", "b"], [4, 3, 2, 1], positive=["a", "c"])
    yield "merged labels", of(merged, "n_positives", "n_negatives", "is_positive")


@group
def simulated() -> Calls:
    yield (
        "binormal/truth",
        {
            "auc": simulate.binormal_auc(1.5, 0.7),
            "variance": simulate.binormal_auc_variance(1.5, 0.7, n_positives=30, n_negatives=50),
        },
    )
    sick, score = simulate.binormal(5, 6, separation=1.0, ratio=1.5, seed=8)
    yield "binormal/draw", {"scores": score, "labels": sick}
    yield (
        "highleyman/truth",
        {
            "rates": [*simulate.highleyman_rates(1.3)],
            "fpr": simulate.highleyman_fpr([0.5, 0.9]),
        },
    )
    features, is_first = simulate.highleyman(20, seed=4)
    yield "highleyman/draw", {"features": features, "is_first": is_first}
    shifted = simulate.ShiftedDatasets(
        "C-2a", separation=1.5, shift_sd=0.5, location_sd=0.3, separation_sd=0.2
    )
    yield (
        "shifted/truth",
        {
            **of(shifted, "threshold_auc", "vertical_auc"),
            "threshold auc": shifted.expected_threshold_auc(12),
            "vertical tpr": shifted.vertical_tpr([0.05, 0.2]),
            "shared tpr": shifted.threshold_tpr([0.05, 0.2]),
            "finite tpr": [shifted.expected_vertical_tpr(2, 40, side=side) for side in ("upper", "lower")],
            "covariance": shifted.rate_covariance(1.0, n_positives=30, n_negatives=40),
        },
    )
    drawn = simulate.draw_together({"a": shifted, "b": shifted}, 3, 4, 5, seed=2, own_noise=True)
    yield "shifted/draw", {"scores": np.concatenate([own.scores for own in drawn])}
    study = simulate.RoeMetz(auc=(0.8, 0.9))
    yield (
        "roe-metz/truth",
        {
            "auc": study.true_auc(),
            "in categories": study.true_auc(5),
            "mean tpr": study.mean_tpr([0.1, 0.3]),
            "separation": study.separation,
            "preset": simulate.RoeMetz.preset("HH", separation=1.5).true_auc(),
        },
    )
    small = study.draw(2, 4, 4, seed=1)
    yield "roe-metz/draw", {"scores": np.concatenate([own.scores for own in small])}


# One dataset


@group
def auc() -> Calls:
    for name, (labels, score) in data.SMALL.items():
        yield name, {"auc": rs.auc(labels, score), "low": rs.auc(labels, score, higher_is_positive=False)}
    sick, score = data.one()
    yield "one", {"auc": rs.auc(sick, score), "weighted": rs.auc(sick, score, sample_weight=data.weights())}
    yield "a set", {"auc": [rs.auc(own) for own in data.few_hosts() if own.n_positives]}
    yield "other positive class", rs.auc(~sick, score)


METHODS = ("logit", "guarded", "delong")


@group
def auc_interval() -> Calls:
    sick, score = data.one()
    for method in METHODS:
        yield f"{method}/one", rs.auc_interval(sick, score, method=method)
        yield f"{method}/ties at 90 %", rs.auc_interval(*data.TIES, method=method, confidence_level=0.9)
    for method in ("logit", "guarded"):
        yield f"{method}/perfect", rs.auc_interval(*data.PERFECT, method=method)
    yield "bootstrap/one", rs.auc_interval(sick, score, method="bootstrap", n_resamples=200, seed=3)
    weighted = rs.auc_interval(sick, score, method="bootstrap", n_resamples=200, sample_weight=data.weights())
    yield "bootstrap/weighted", weighted
    yield "as it comes/one", rs.auc_interval(sick, score)


@group
def roc_curve() -> Calls:
    sick, score = data.one()
    curves = {name: rs.roc_curve(*own) for name, own in data.SMALL.items() if name != "int64"}
    curves["one"] = rs.roc_curve(sick, score)
    curves["weighted"] = rs.roc_curve(sick, score, sample_weight=data.weights())
    curves["low is positive"] = rs.roc_curve(sick, -score, higher_is_positive=False)
    curves["host-12"] = rs.roc_curve(data.candidate()["host-12"])
    counts = ("true_positives", "false_positives", "n_positives", "n_negatives")
    for name, curve in curves.items():
        yield f"{name}/counts", of(curve, *counts, "thresholds")
        yield f"{name}/rates", of(curve, "fpr", "tpr", "auc", "equal_error_rate")
        yield (
            f"{name}/tpr_at",
            {side: curve.tpr_at([0, 0.05, 0.25, 1], side=side) for side in ("upper", "lower")},
        )
        yield (
            f"{name}/fpr_at",
            {side: curve.fpr_at([0, 0.5, 0.9, 1], side=side) for side in ("upper", "lower")},
        )
        hull = curve.hull()
        yield f"{name}/hull", of(hull, "fpr", "tpr", "thresholds", "auc")
        yield (
            f"{name}/partial_auc",
            {
                "fpr": curve.partial_auc(fpr=(0, 0.2)),
                "between": curve.partial_auc(fpr=(0.1, 0.4)),
                "tpr": curve.partial_auc(tpr=(0.8, 1)),
                "standardized": curve.partial_auc(fpr=(0, 0.2), standardized=True),
            },
        )
    for name in ("ties", "infinities", "one", "weighted"):
        curve = curves[name]
        for rule in (">=", ">"):
            yield (
                f"{name}/rates_at/{rule}",
                of(curve.rates_at([2, 1, -np.inf, np.inf], rule=rule), "fpr", "tpr"),
            )
        yield f"{name}/det", of(curve.det(), "fpr_deviate", "fnr_deviate", "equal_error_rate")
        yield (
            f"{name}/precision_recall",
            of(curve.precision_recall(), "precision", "recall", "average_precision"),
        )
        cost = curve.cost_curve()
        yield (
            f"{name}/cost_curve",
            {
                **of(cost, "probability_cost", "normalized_cost", "thresholds"),
                "at": cost.at([0.1, 0.5]),
                "expected": cost.expected_cost(false_positive=1, false_negative=5, prevalence=0.2),
                "threshold": cost.threshold_at(0.3),
            },
        )
    yield (
        "low is positive/rates_at",
        of(curves["low is positive"].rates_at([-1, 0.5], rule="<="), "fpr", "tpr"),
    )
    yield (
        "ties/coordinates",
        of(curves["ties"].coordinates(), "sensitivity", "one_minus_specificity", "cutoffs"),
    )
    yield (
        "one/coordinates",
        of(curves["one"].coordinates(), "sensitivity", "one_minus_specificity", "cutoffs"),
    )
    for method in ("polyline", "closest-vertex"):
        own = [curves[name].eer(method=method) for name in ("one", "ties", "host-12")]
        yield f"eer/{method}", {"value": [each.value for each in own], "fpr": [each.fpr for each in own]}
    for method in ("delong", "nonparametric", "hanley-mcneil"):
        own = [curves[name].auc_standard_error(method=method) for name in ("one", "ties", "host-12")]
        yield f"standard error/{method}", own
    for method in ("delong", "nonparametric"):
        yield (
            f"null test/{method}",
            of(curves["one"].auc_null_test(method=method), "statistic", "pvalue", "standard_error"),
        )
    for method in ("score", "exact", "bootstrap"):
        yield (
            f"rate interval/{method}",
            {
                "tpr": curves["one"].tpr_interval(0.2, method=method, n_resamples=200),
                "fpr": curves["one"].fpr_interval(0.8, method=method, n_resamples=200),
            },
        )
    for kind in ("pointwise", "simultaneous"):
        band = curves["one"].band(kind=kind, n_resamples=200)
        yield f"band/{kind}", {"lower": band.lower.tpr, "upper": band.upper.tpr, "fpr": band.fpr}
    again = rs.RocCurve.from_counts([np.inf, 3, 1], [0, 4, 9], [0, 1, 6])
    yield "from_counts", of(again, "auc", "tpr", "fpr", "n_positives")
    yield "int64", of(rs.roc_curve(*data.INTEGERS), "true_positives", "false_positives", "auc")


@group
def spss() -> Calls:
    """The tables of SPSS and the construction: of ten cases with a tie, of low scores, of frequencies."""
    labels = [1, 1, 0, 0, 0, 1, 0, 1, 0, 1]
    scores = [0.95, 0.93, 0.87, 0.85, 0.85, 0.85, 0.76, 0.53, 0.43, 0.25]
    ten = rs.roc_curve(labels, scores)
    sick, score = simulate.binormal(300, 300, separation=2.5, ratio=1.125, seed=305)
    for name, own in {
        "ten": ten,
        "low is positive": rs.roc_curve(labels, [-own for own in scores], higher_is_positive=False),
        "frequencies": rs.roc_curve(labels, scores, sample_weight=[1, 2, 3, 1, 2, 3, 1, 2, 3, 1]),
        "600 cases": rs.roc_curve(sick, score),
    }.items():
        found = own.spss()
        yield f"{name}/groups", of(found.groups, "n", "mean", "sd", "standard_error")
        yield (
            f"{name}/area",
            of(found.area, "area", "standard_error", "pvalue")
            | of(found.area.interval, "low", "high")
            | {"null error": found.area.null_test.standard_error},
        )
        yield f"{name}/coordinates", {"cutoffs": found.coordinates.cutoffs[[0, 1, -2, -1]]}
    yield "ten/90 %", of(ten.spss(confidence_level=0.9).area.interval, "low", "high")
    yield "ten/construction", of(ten.construction(), "thresholds", "tp", "fp", "tn", "fn", "fpr", "tpr")


@group
def roc_curves() -> Calls:
    for name, own in (("hosts", data.hosts()), ("small", data.small_groups()), ("low", data.low_groups())):
        curves = rs.roc_curves(own, undefined="drop")
        yield f"{name}/auc", of(curves, "auc", "names", "undefined", "n_positives", "n_negatives")
    curves = rs.roc_curves(data.candidate(), undefined="drop")
    for method in ("logit", "delong"):
        yield f"candidate/interval/{method}", {"limits": [own.auc_interval(method=method) for own in curves]}
    yield "candidate/standard error", curves.auc_standard_error()
    yield "weighted/auc", rs.roc_curves(data.weighted_groups()).auc
    yield "crossings", _crossings()


def _crossings() -> dict[str, Any]:
    sick, score = data.one()
    found = rs.roc_curve(sick, score).crossings(rs.roc_curve(sick, data.third()))
    names = ("start", "end", "area", "ahead")
    stretches = {name: [getattr(own, name) for own in found.stretches] for name in names}
    return {"points": found.points, "whole area": found.area, **stretches}


@group
def more_of_one_curve() -> Calls:
    sick, score = data.one()
    for name, options in (
        ("default", {}),
        ("severity", {"severity_ratio": 0.2}),
        ("prevalence", {"prevalence": 0.1}),
    ):
        yield (
            f"h measure/{name}",
            of(rs.roc_curve(sick, score).h_measure(**options), "value", "loss", "worst_loss", "prevalence"),
        )
    yield (
        "h measure/hosts",
        [rs.roc_curve(data.candidate()[f"host-0{k}"]).h_measure().value for k in range(1, 6)],
    )
    scored = rs.scored_auc(*data.shares())
    yield (
        "scored auc",
        {**of(scored, "value", "auc", "mean_difference", "reverse"), "margin": scored.at_margin([0.1, 0.3])},
    )
    for name, options in (("default", {}), ("bins", {"bins": 12}), ("log-odds", {"scale": "log-odds"})):
        own = rs.score_densities(*data.shares(), **options)
        yield (
            f"densities/{name}",
            of(own, "positive_share", "negative_share", "positives", "negatives", "low", "high"),
        )
    grouped = rs.score_densities(data.candidate(), bins=20, per_group=True)
    yield "densities/hosts", of(grouped, "positive_share", "negative_density", "n_groups")
    for name, options in (("default", {}), ("log-odds", {"scale": "log-odds"})):
        smooth = rs.score_densities(*data.shares(), **options).smooth()
        numbers = {own: getattr(smooth, own)[::64] for own in ("place", "positive", "negative")}
        yield (
            f"densities/smooth {name}",
            {**numbers, **of(smooth, "positive_bandwidth", "negative_bandwidth")},
        )
    outside = rs.score_densities(*data.INFINITE)
    yield "densities/infinities", [[own.n_positives, own.n_negatives] for own in outside.outside]


@group
def fitted() -> Calls:
    why = "maximum likelihood: the optimiser stops when a step no longer pays, some eight digits on"
    for name, own in (("one", data.one()), ("shares", data.shares())):
        fit = rs.fit_binormal(*own)
        yield f"binormal/{name}/parameters", Near(of(fit, "a", "b", "auc", "covariance"), 1e-7, why)
        yield (
            f"binormal/{name}/intervals",
            Near(of(fit, "a_interval", "b_interval", "auc_interval"), 1e-7, why),
        )
        yield f"binormal/{name}/counts", of(fit, "n_categories", "status", "empirical_auc")
        rates = {
            "tpr": fit.tpr_at([0.05, 0.2]),
            "fpr": fit.fpr_at([0.5, 0.9]),
            "limits": fit.tpr_interval(0.1),
        }
        yield f"binormal/{name}/rates", Near(rates, 1e-7, why)


@group
def smroc() -> Calls:
    sick, score = data.shares()
    for mid in ("paper", "clipped", 0.5, 0.3):
        curve = rs.smroc_curve(sick, score, mid=mid)
        yield f"{mid}/areas", of(curve, "auc", "chance_auc", "roc_auc", "mid", "total_credit", "total_debit")
        yield f"{mid}/curve", of(curve, "fpr", "tpr", "credit", "thresholds")
        found = curve.appropriateness
        kinds = ("high_positives", "low_positives", "high_negatives", "low_negatives")
        yield f"{mid}/appropriateness", of(found, *kinds, "appropriate", "share", "credits")
    curve = rs.smroc_curve(sick, score, mid=0.5)
    yield "readings", {"tpr": curve.tpr_at([0.1, 0.4]), "fpr": curve.fpr_at([0.5, 0.9])}
    yield "permuted", of(curve.permuted(200, seed=1), "auc", "mean", "sd", "pvalue")
    yield "profile", of(curve.mid_profile(), "mid", "auc", "chance_auc", "own_auc", "roc_auc")
    yield "profile at mids", of(curve.mid_profile([0.2, 0.5, 0.8]), "mid", "auc", "chance_auc")
    weighted = rs.smroc_curve(sick, score, mid=0.5, sample_weight=1.0 + np.arange(sick.size) % 3)
    yield "weighted", of(weighted, "auc", "chance_auc")
    stretched = rs.smroc_curve(*data.one(), mid=0.5, rescale="min-max")
    yield "rescaled", of(stretched, "auc", "chance_auc", "credit")
    low = rs.smroc_curve(sick, score, mid=0.5, higher_is_positive=False)
    yield "low is positive", of(low, "auc", "chance_auc")
    several = rs.smroc_curve(data.share_folds(), mid=0.5)
    yield "folds", of(several, "auc", "chance_auc", "mid", "roc_auc")
    for method in ("vertical", "horizontal", "diagonal"):
        average = rs.average(several, method)
        point = average.at(tpr=0.5) if method == "horizontal" else average.at(fpr=0.2)
        yield (
            f"average/{method}",
            {
                **of(average, "auc", "chance_auc"),
                **of(point, "fpr", "tpr", "fpr_interval", "tpr_interval"),
            },
        )
    yield "average/chance curve", rs.average(several, "vertical").chance_tpr_at([0.1, 0.4])


@group
def raters() -> Calls:
    decisions = {name: own for name, (own, _) in data.raters().items()}
    shares = {name: own for name, (_, own) in data.raters().items()}
    found = rs.rater_agreement(decisions, shares)
    gaps = ("gap", "mean_gap", "expected_gap", "gap_where_decisions_agree", "gap_where_decisions_differ")
    yield "gaps", of(found, *gaps, "rank_correlation")
    for name in ("decision_agreement", "side_agreement"):
        yield name, of(getattr(found, name), "observed", "expected", "kappa")
    yield "counts", of(found, "n_items", "n_of_kind", "contradicts_own")
    for name in decisions:
        for which in ("own", "crossed"):
            yield f"{which}/{name}", of(getattr(found, which)(name), "auc", "smauc", "chance_smauc")
