"""Of comparisons, plans, reader studies and advice."""

from __future__ import annotations

from typing import Any

import numpy as np

import rocsteady as rs
from frozen import data
from frozen.calling import Calls, group, of, warned
from frozen.calls_of_averages import STUDENT
from frozen.store import Near
from rocsteady import simulate
from rocsteady.statistics.group_permutation import sign_flips, signed_ranks

# Inference


TEST = ("difference", "standard_error", "statistic", "df", "pvalue", "interval")
DIFFERENCE = (
    *TEST,
    "a_value",
    "b_value",
    "a_interval",
    "b_interval",
    "flip_pvalue",
    "adjusted_pvalue",
    "better",
    "is_decided",
)


@group
def compare_auc() -> Calls:
    sick, score = data.one()
    names = (
        "aucs",
        "difference",
        "standard_error",
        "statistic",
        "df",
        "pvalue",
        "covariance",
        "correlation",
        "interval",
    )
    yield "two", of(rs.compare_auc(sick, score, data.other()), *names)
    yield "two, normal", of(rs.compare_auc(sick, score, data.other(), reference="normal"), *names)
    yield "three", of(rs.compare_auc(sick, score, data.other(), data.third()), *names[:7])
    yield "unpaired", of(rs.compare_auc([sick, sick[5:]], score, data.other()[5:], paired=False), *names[:6])
    yield "twice the same", of(rs.compare_auc(sick, score, score), "difference", "standard_error", "pvalue")
    yield (
        "low is positive",
        of(rs.compare_auc(sick, -score, -data.other(), higher_is_positive=False), "difference", "pvalue"),
    )


@group
def compare() -> Calls:
    both = {
        "hosts": (data.hosts(), "current", "candidate"),
        "few": (data.few_hosts(), "current", "candidate"),
    }
    options = {"n_resamples": 200, "undefined": "drop"}
    for name, (own, a, b) in both.items():
        for method in ("vertical", "horizontal", "threshold", "pooled"):
            at = [{"fpr": 0.05}, {"tpr": 0.9}, {"threshold": {"current": 1.7, "candidate": 2.7}}]
            found = rs.compare(own, a, b, method=method, at=at, **options)
            yield f"{name}/{method}/auc", of(found.auc, *DIFFERENCE)
            if found.area is not None:
                yield f"{name}/{method}/area", of(found.area, *DIFFERENCE)
            for place, at_place in zip(at, found.at[:3], strict=False):
                yield f"{name}/{method}/at {next(iter(place))}", of(at_place, *DIFFERENCE)
            yield (
                f"{name}/{method}/places",
                {"n": len(found.at), "differences": [own.difference for own in found.at]},
            )
            curve = found.curve
            edges = ("lower", "upper", "simultaneous_lower", "simultaneous_upper")
            numbers = of(curve, "difference", *edges, "factor", "pvalue", "smallest_pvalue")
            yield f"{name}/{method}/curve", Near(numbers, 1e-10, STUDENT) if method == "pooled" else numbers
    found = rs.compare(data.hosts(), "current", "candidate", method="vertical", **options)
    yield "hosts/wilcoxon", of(found.wilcoxon, "estimate", "statistic", "pvalue", "n", "n_zeros", "is_exact")
    yield "hosts/per group", of(found.per_group, "a_auc", "b_auc", "difference", "groups")
    yield "hosts/decisions", of(found, "n_groups", "paired", "random", "undefined", "test_train_ratio")
    cases = rs.compare(
        data.few_hosts(),
        "current",
        "candidate",
        method="vertical",
        at={"fpr": 0.1},
        random="cases",
        **options,
    )
    yield "few/cases random/auc", of(cases.auc, *TEST)
    yield "few/cases random/at fpr", of(cases.at[0], *TEST)
    sick, score = data.one()
    single = rs.ScoreSet.from_arrays(sick, {"a": score, "b": data.other()})
    found = rs.compare(single, "a", "b", at={"fpr": 0.2}, n_resamples=200, method="vertical")
    yield "one dataset/auc", of(found.auc, *TEST)
    yield "one dataset/at fpr", of(found.at[0], *TEST)
    yield "one dataset/correlation", found.auc_correlation
    k = len(data.folds().groups)
    for ratio, value in (("None", None), ("cv", 1 / (k - 1)), ("0.5", 0.5)):
        found = rs.compare(data.folds(), test_train_ratio=value, **options)
        pairs = [own.auc for own in found]
        yield (
            f"folds/ratio {ratio}",
            {name: [getattr(own, name) for own in pairs] for name in (*TEST, "adjusted_pvalue")},
        )
    standings = rs.compare(data.folds(), **options).standings
    yield (
        "folds/standings",
        {"value": [own.value for own in standings], "limits": [own.interval for own in standings]},
    )
    bh = rs.compare(data.folds(), adjust="bh", **options)
    yield "folds/bh", [own.auc.adjusted_pvalue for own in bh]
    flips = sign_flips(np.array([0.1, 0.3, -0.05, 0.2, 0.4, 0.15, 0.02, 0.25]))
    yield (
        "sign flips",
        of(
            flips,
            "mean",
            "standard_error",
            "statistic",
            "pvalue",
            "factor",
            "half_width",
            "n_flips",
            "is_exact",
        ),
    )
    ranks = signed_ranks(np.array([0.1, 0.3, -0.05, 0.2, 0.4, 0.0, 0.1, 0.25]))
    yield "signed ranks", of(ranks, "estimate", "statistic", "pvalue", "n", "n_zeros", "has_ties", "is_exact")


@group
def winner_map() -> Calls:
    options = {"n_resamples": 200, "undefined": "drop"}
    for name, asked in (
        ("fpr", {}),
        ("tpr", {"over": "tpr"}),
        ("costs", {"over": "costs", "prevalence": 0.1}),
        ("alerts", {"over": "alerts", "alerts": (0.02, 0.3), "prevalence": 0.1}),
        ("fpr, shared", {"method": "threshold"}),
        ("fpr 0.1 to 0.2", {"fpr": (0.1, 0.2), "confidence_level": 0.9}),
    ):
        found = rs.winner_map(data.few_hosts(), **asked, **options)
        yield (
            f"{name}/limits",
            of(found, "position", "advantage", "lower", "upper", "pvalue", "smallest_pvalue"),
        )
        regions = found.regions
        yield (
            f"{name}/regions",
            {
                "winners": [own.winner for own in regions],
                "ends": [[own.low, own.high] for own in regions],
                "crossings": found.crossings,
                "is_decided": found.is_decided,
            },
        )
    own = data.folds()
    three = rs.winner_map(own, test_train_ratio=1 / (len(own.groups) - 1), **options)
    yield (
        "three models",
        {"winners": [own.winner for own in three.regions], "pairs": [own.advantage for own in three.pairs]},
    )
    lead = three.lead(three.models[0])
    yield "three models/lead", of(lead, "advantage", "lower", "upper")


@group
def bootstrap() -> Calls:
    sick, score = data.one()
    statistics: dict[str, Any] = {
        "auc": "auc",
        "tpr at": {"fpr": 0.2},
        "fpr at": {"tpr": 0.8},
        "partial": rs.PartialAuc(fpr=(0, 0.2)),
        "rates at": {"threshold": 0.5},
        "sensitivity at": {"specificity": 0.9},
    }
    one = rs.Scores(sick, score)
    names = ("estimate", "standard_error", "bias", "interval", "n_redrawn")
    for name, statistic in statistics.items():
        found = rs.bootstrap(one, statistic, n_resamples=200, seed=2)
        yield f"one/{name}", of(found, *names, "values")
    for interval in ("percentile", "basic", "normal", "logit"):
        yield f"one/interval/{interval}", rs.bootstrap(one, n_resamples=200, interval=interval).interval
    few = data.few_hosts().model("current")
    yield (
        "hosts/interval/t",
        rs.bootstrap(few, random="groups", interval="t", n_resamples=200, undefined="drop").interval,
    )
    for random in ("groups", "cases"):
        found = rs.bootstrap(few, random=random, n_resamples=200, undefined="drop")
        yield f"hosts/{random}", of(found, *names)
    for average in ("threshold", "pooled", "vertical"):
        found = rs.bootstrap(few, "auc", average=average, n_resamples=200, undefined="drop")
        yield f"hosts/{average}", of(found, *names)
    patients = rs.bootstrap(one, clusters=np.arange(110) // 2, n_resamples=200)
    yield "one/clusters", of(patients, *names)
    for name, statistic in (("auc", "auc"), ("partial", rs.PartialAuc(fpr=(0, 0.3)))):
        test = rs.bootstrap_test(sick, score, data.other(), statistic=statistic, n_resamples=200)
        yield f"test/{name}", of(test, "difference", "standard_error", "statistic", "pvalue", "interval")
    unpaired = rs.bootstrap_test(
        [sick, sick], score, data.other(), paired=False, n_resamples=200, alternative="greater"
    )
    yield "test/unpaired", of(unpaired, "difference", "standard_error", "pvalue")
    for ties in ("random", "first"):
        for paired in (True, False):
            labels = sick if paired else [sick, sick]
            test = rs.venkatraman_test(
                labels, score, data.other(), ties=ties, paired=paired, n_permutations=200
            )
            yield (
                f"venkatraman/{ties}/{'paired' if paired else 'unpaired'}",
                of(test, "statistic", "pvalue", "aucs"),
            )


@group
def summarize_auc() -> Calls:
    names = ("estimate", "standard_error", "df", "interval", "n_groups", "undefined")
    for name, options in (
        ("t", {"method": "t"}),
        ("random-effects, reml", {"method": "random-effects", "heterogeneity": "reml"}),
        ("random-effects, dl", {"method": "random-effects", "heterogeneity": "dersimonian-laird"}),
    ):
        for which in ("candidate", "current"):
            found = rs.summarize_auc(getattr(data, which)(), undefined="drop", **options)
            more = ("tau", "i_squared", "q", "heterogeneity_pvalue", "prediction_interval")
            numbers = of(found, *names, *(more if "random" in name else ()))
            yield (
                f"{name}/{which}",
                Near(numbers, 1e-9, "REML is iterated") if name.endswith("reml") else numbers,
            )
    fold = data.folds().model(data.folds().models[0])
    for name, options in (
        ("cv-influence", {"method": "cv-influence"}),
        ("nadeau-bengio", {"method": "nadeau-bengio"}),
        ("nadeau-bengio, 1/4", {"method": "nadeau-bengio", "test_train_ratio": 0.25}),
        ("t", {"method": "t", "confidence_level": 0.9}),
    ):
        found = rs.summarize_auc(fold, **options)
        yield f"{name}/folds", of(found, *names, "test_train_ratio")
    for method, repeats in (("nadeau-bengio", None), ("nadeau-bengio", 2), ("cv-influence", 2)):
        found = rs.summarize_auc(data.repeated_folds(), method=method, repeats=repeats)
        yield f"{method}/two repeats, repeats={repeats}", of(found, *names, "test_train_ratio", "repeats")
    found = rs.summarize_auc(data.candidate(), "random-effects", undefined="drop")
    yield "per group", of(found.per_group, "auc", "standard_error")
    logit = found.logit
    yield "logit", Near(of(logit, "estimate", "standard_error", "interval"), 1e-9, "REML is iterated")


@group
def smauc() -> Calls:
    names = ("estimate", "standard_error", "df", "interval", "chance_smauc", "pvalue", "roc_auc")
    compared = ("smauc", "auc")
    for design in ("independent", "cross-validation"):
        for mid in (0.5, "paper"):
            for random in ("groups", "cases"):
                both = data.share_models(design)
                asked = {"mid": mid, "random": random, "n_permutations": 200}
                found = rs.summarize_smauc(both.model("new"), **asked)
                yield f"one/{design}, {mid}, {random}", of(found, *names)
                pair = rs.compare_smauc(both, "new", "old", **asked)
                numbers = {own: of(getattr(pair, own), *DIFFERENCE) for own in compared}
                numbers["exchanged"] = of(pair.exchanged, "pvalue", "n_permutations")
                numbers["chance"] = [pair.a_chance_smauc, pair.b_chance_smauc]
                yield f"two/{design}, {mid}, {random}", numbers
    found = rs.summarize_smauc(data.share_models().model("old"), mid="clipped")
    yield "per group", of(found.per_group, "smauc", "standard_error", "interval", "chance_smauc", "mid")
    yield "another group", of(found, "prediction_interval")


@group
def comparability() -> Calls:
    for which in ("candidate", "current", "small_groups"):
        found = rs.comparability(getattr(data, which)(), n_permutations=99)
        yield (
            f"{which}/price",
            of(
                found, "price", "price_interval", "pvalue", "own_auc", "shared_auc", "delta", "delta_interval"
            ),
        )
        yield f"{which}/shift", of(found.level_shift, "overall", "positives", "negatives")
        for test in ("positives_test", "negatives_test"):
            yield f"{which}/{test}", of(getattr(found, test), "statistic", "df", "pvalue")
        yield f"{which}/groups", of(found, "aucs", "positive_aucs", "negative_aucs", "undefined", "members")
        yield f"{which}/balance", of(found.balance, "positives", "negatives", "rows")
        yield f"{which}/warnings", {"codes": [own.code for own in found.warnings]}


POWER = "the noncentral distributions of scipy agree to eleven digits between releases"


@group
def plan() -> Calls:
    names = (
        "estimate",
        "between",
        "within",
        "between_planned",
        "half_width",
        "floor",
        "groups_needed",
        "groups_range",
        "groups_at_least",
    )
    for name, options in (
        ("auc", {"half_width": 0.01}),
        ("tpr at fpr", {"measure": {"fpr": 0.05}, "half_width": 0.03}),
        ("fpr at tpr", {"measure": {"tpr": 0.9}, "half_width": 0.03}),
        ("at threshold", {"measure": {"threshold": 1.5}, "rate": "fpr", "half_width": 0.02}),
        ("assurance", {"half_width": 0.01, "assurance": 0.9}),
        ("bootstrap", {"half_width": 0.01, "within": "bootstrap", "n_resamples": 200}),
    ):
        found = rs.plan(data.current(), undefined="drop", **options)
        yield f"{name}/hosts", of(found, *names)
        needed = found.cases_needed
        yield (
            f"{name}/hosts/cases",
            of(needed, "factor", "positives", "negatives") if needed is not None else None,
        )
        table = found.table()
        yield f"{name}/hosts/table", of(table, "n_groups", "times_cases", "half_width")
        yield f"{name}/hosts/half width at 40 groups", found.half_width_at(n_groups=40)
    two = rs.plan(data.hosts(), models=("current", "candidate"), undefined="drop")
    yield "two models", of(two, "difference", "groups_needed", "correlation", "between", "within")
    power = {**of(two, "power", "detectable"), "at 12 groups": two.power_at(n_groups=12)}
    yield "two models/power", Near(power, 1e-9, POWER)
    one = rs.plan(rs.ScoreSet.from_arrays(*data.one()), half_width=0.05)
    yield (
        "one dataset",
        {**of(one, "half_width", "within"), **of(one.cases_needed, "factor", "positives", "negatives")},
    )
    for variance in ("binormal", "hanley-mcneil"):
        for name, asked in (
            ("half width", {"half_width": 0.05}),
            ("against 1/2", {"null": 0.5}),
            ("two models", {"other_auc": 0.85, "correlation": 0.4, "ratio": 2}),
            ("given cases", {"n_positives": 40, "n_negatives": 80}),
        ):
            found = rs.plan(0.8, variance=variance, **asked)
            yield (
                f"from numbers/{variance}/{name}",
                of(found, "n_positives", "n_negatives", "half_width", "power", "standard_error"),
            )


# Reader studies


READER_TEST = ("difference", "standard_error", "statistic", "df", "pvalue", "interval", "means", "error_term")
COMPONENTS = (
    "ms_modality",
    "ms_reader",
    "ms_modality_reader",
    "var",
    "cov1",
    "cov2",
    "cov3",
    "reader",
    "modality_reader",
)


@group
def compare_readers() -> Calls:
    for readers, cases in (("random", "random"), ("fixed", "random"), ("random", "fixed")):
        found = rs.compare_readers(data.readers(), readers=readers, cases=cases)
        yield f"{readers} readers, {cases} cases", of(found, *READER_TEST)
    for covariance in ("delong", "jackknife", "unbiased", "bootstrap"):
        found = rs.compare_readers(data.readers(), covariance=covariance, n_resamples=200)
        yield f"covariance/{covariance}", of(found, *READER_TEST)
        yield f"covariance/{covariance}/components", of(found.components, *COMPONENTS)
        yield f"covariance/{covariance}/matrix", found.covariances
    found = rs.compare_readers(data.readers(), modalities=["digital", "film"])
    yield (
        "per modality",
        of(found.per_modality, "value", "standard_error", "df", "low", "high", "logit_intervals"),
    )
    yield (
        "per reader",
        of(found.per_reader, "a_value", "b_value", "difference", "standard_error", "low", "high", "pvalue"),
    )
    yield (
        "decisions",
        of(
            found,
            "modalities",
            "readers",
            "n_cases",
            "n_positives",
            "n_negatives",
            "readers_are",
            "cases_are",
        ),
    )
    for name, measure in (
        ("partial", rs.PartialAuc(fpr=(0, 0.2))),
        ("sensitivity", {"specificity": 0.9}),
        ("specificity", {"threshold": 60, "rate": "specificity"}),
    ):
        own = rs.compare_readers(data.readers(), measure=measure, n_resamples=200)
        yield f"measure/{name}", of(own.differences[0], *TEST)
    for name, which, options in (
        ("u-statistics", "readers", {"method": "u-statistics"}),
        ("u-statistics, a gap", "readers_with_a_gap", {"method": "u-statistics"}),
        ("a gap dropped", "readers_with_a_gap", {"missing": "drop"}),
        ("patients", "lesions", {}),
    ):
        own = rs.compare_readers(getattr(data, which)(), **options)
        yield name, of(own.differences[0], *TEST)
    for hold in ("fpr", "tpr"):
        curve = found.average_curve("digital", hold=hold)
        point = curve.at(fpr=0.1) if hold == "fpr" else curve.at(tpr=0.8)
        yield (
            f"average curve/{hold}",
            {
                **of(curve, "auc", "fpr", "tpr"),
                **of(point, "standard_error", "df", "interval", "values"),
                "point": [point.fpr, point.tpr],
            },
        )
    less = found.average_curve("digital").less(found.average_curve("film"), fpr=0.1)
    yield "average curve/difference", of(less, *TEST)
    margin = found.non_inferior(0.05, new="digital")
    yield (
        "non-inferior",
        of(margin, "difference", "statistic", "pvalue", "interval", "is_shown", "is_superior"),
    )
    yield "equivalent", of(rs.equivalent(found, 0.2), "difference", "statistic", "pvalue", "is_shown")


@group
def standalone_and_summaries() -> Calls:
    for readers in ("random", "fixed"):
        found = rs.compare_readers(data.readers_and_ai(), standalone="AI", readers=readers)
        yield (
            f"standalone/{readers}",
            {name: [getattr(own, name) for own in found.differences] for name in (*TEST, "adjusted_pvalue")},
        )
        yield (
            f"standalone/{readers}/variances",
            of(found, "var", "cov2", "ms_reader", "standalone_values", "values"),
        )
    found = rs.compare_readers(data.readers_and_ai(), standalone="AI")
    each = found.per_reader
    renamed = {"value": each.b_value, "z": each.statistic}
    yield "standalone/per reader", of(each, "difference", "standard_error", "pvalue") | renamed
    yield (
        "standalone/non-inferior",
        of(found.non_inferior(0.1, modality="film"), "pvalue", "interval", "is_shown"),
    )
    for interval in ("logit", "t"):
        for readers in ("random", "fixed"):
            own = rs.summarize_readers(data.readers(), interval=interval, readers=readers)
            yield (
                f"summary/{interval}/{readers}",
                of(own.per_modality, "value", "standard_error", "df", "low", "high"),
            )
    own = rs.summarize_readers(data.readers().model("film"))
    yield "summary/film", {**of(own, "reader_sd", "n_cases"), **of(own.per_reader, "value", "low", "high")}


@group
def plan_readers() -> Calls:
    pilot = rs.compare_readers(data.readers())
    names = (
        "difference",
        "power",
        "detectable",
        "n_readers",
        "n_cases",
        "readers_needed",
        "cases_needed",
        "readers_at_least",
    )
    for name, options in (
        ("difference 0.05", {"difference": 0.05}),
        ("margin", {"margin": 0.05, "difference": 0.0}),
        ("equivalence", {"margin": 0.1, "difference": 0.0, "test": "equivalence"}),
        ("fixed readers", {"difference": 0.05, "readers": "fixed"}),
        ("10 readers", {"difference": 0.05, "n_readers": 10}),
    ):
        found = rs.plan(pilot, **options)
        yield name, Near(of(found, *names), 1e-9, POWER)
        yield f"{name}/components", of(found.components, "var", "cov1", "cov2", "cov3", "modality_reader")
    found = rs.plan(pilot, difference=0.08)
    power = {"power": found.power_at(n_readers=8, n_cases=200), "range": found.power_range}
    yield (
        "readings",
        Near({**power, "cases": found.cases_for(10), "readers": found.readers_for(300)}, 1e-9, POWER),
    )
    yield "table", Near(of(found.table, "n_readers", "n_cases", "power", "most_power"), 1e-9, POWER)


# Advice


DEPLOYMENTS: dict[str, Any] = {
    "shared": {"threshold": "shared"},
    "shared, rows": {"threshold": "shared", "weigh": "rows"},
    "shared, fpr": {"threshold": "shared", "hold": "fpr", "at": 0.05},
    "own, fpr": {"threshold": "own", "hold": "fpr", "at": 0.05},
    "own, tpr": {"threshold": "own", "hold": "tpr", "at": 0.9},
    "own, balance": {"threshold": "own", "hold": "balance"},
    "own, ratio": {"threshold": "own", "hold": "ratio"},
    "own, cost": {"threshold": "own", "hold": "cost", "costs": (1, 20), "prevalence": 0.1},
    "own, alerts": {"threshold": "own", "hold": "alerts", "at": 0.1, "prevalence": 0.1},
}


@group
def advise() -> Calls:
    for name, answers in DEPLOYMENTS.items():
        deployment = rs.Deployment(**answers)
        plain_advice = rs.advise(deployment)
        yield (
            f"{name}/method",
            {"method": str(plain_advice.method), "because": [own.code for own in plain_advice.because]},
        )
        if name in ("shared, fpr", "own, fpr", "own, cost"):
            found = rs.advise(deployment, data.few_hosts())
            yield (
                f"{name}/few hosts",
                {
                    "method": str(found.method),
                    "codes": sorted({own.code for own in found.warnings}),
                    "methods": [str(own.method) for own in found.alternatives],
                    "auc": [own.auc for own in found.answers],
                    "value": [own.value for own in found.answers],
                    "alternative auc": [own.auc for own in found.alternatives],
                },
            )
            contests = found.contests
            yield (
                f"{name}/few hosts/who wins",
                {
                    "winner": [own.winner for own in contests],
                    "difference": [own.difference for own in contests],
                    "is_decided": [own.is_decided for own in contests],
                },
            )
    folds = rs.advise(rs.Deployment("shared"), data.folds().with_design("cross-validation"))
    yield "folds", {"method": str(folds.method), "codes": sorted({own.code for own in folds.warnings})}


@group
def warning_codes() -> Calls:
    """Calls that must warn, and of what; such decisions get lost as easily as numbers."""
    yield "hard decisions", warned(lambda: rs.roc_curve([1, 0, 1, 0], [1, 0, 1, 1]))
    yield "perfect", warned(lambda: rs.auc_interval(*data.PERFECT, method="delong"))
    yield (
        "few groups",
        warned(
            lambda: rs.compare(
                data.small_groups_twice(), undefined="drop", n_resamples=200, method="vertical"
            )
        ),
    )
    yield (
        "few for a band",
        warned(
            lambda: rs.average(data.weighted_groups(), "vertical").band(kind="simultaneous", n_resamples=200)
        ),
    )
    yield "comparability", warned(lambda: rs.average(data.candidate(), "binormal", undefined="drop"))
    yield "three readers", warned(lambda: rs.compare_readers(simulate.RoeMetz().draw(3, 12, 12, seed=1)))
    yield (
        "paper's mid",
        warned(lambda: rs.smroc_curve([1] + [0] * 9, [0.9, 0.8, 0.7, 0.9, 0.8, 0.7, 0.9, 0.8, 0.7, 0.6])),
    )
    yield (
        "below the diagonal",
        warned(lambda: rs.roc_curve(*data.BELOW).partial_auc(fpr=(0, 0.3), standardized=True)),
    )
    yield (
        "a fine target",
        warned(
            lambda: rs.realise(
                data.few_hosts().model("current"), rs.TargetRate(fpr=0.001), n_repeats=2, undefined="drop"
            )
        ),
    )
