"""One of every value that the package gives, small, with names that try to break a line or a page."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import cache, cached_property
from typing import Any

import numpy as np

import rocsteady as rs
from counted_rows import cells_of_rows
from rocsteady.advice.check import check, check_classes
from rocsteady.counting.counted import CountedScores, How
from rocsteady.curves.curve_set import CurveSet
from rocsteady.curves.densities import score_quantiles
from rocsteady.inference.compare import compare_at
from rocsteady.statistics.group_permutation import sign_flips, signed_ranks

HOSTILE = "</script><b>\"'&\n\x1b[2J $_^é漢"
"""What may not end a line, a tag or an attribute, nor reach a terminal."""


@cache
def both_models() -> rs.ScoreSet:
    """Two models on ten groups and one that lacks a class; same cases."""
    rng = np.random.default_rng(1)
    sizes = 24
    groups = np.repeat(np.arange(11), sizes)
    sick = np.tile(np.arange(sizes) < 10, 11) & (groups < 10)
    shared = rng.normal(size=groups.size) + sick
    scores = {f"{name}{HOSTILE}": shared + rng.normal(size=groups.size) for name in ("one", "two")}
    names = [f"{k}{HOSTILE}" for k in groups]
    return rs.ScoreSet.from_arrays(sick, scores, names, unit=f"host{HOSTILE}")


@cache
def one_model() -> rs.ScoreSet:
    return both_models().model(both_models().models[0])


@cache
def three_models() -> rs.ScoreSet:
    rng = np.random.default_rng(2)
    groups = np.repeat(np.arange(8), 20)
    sick = np.tile(np.arange(20) < 8, 8)
    scores = {f"{k}{HOSTILE}": sick + rng.normal(size=groups.size) for k in range(3)}
    return rs.ScoreSet.from_arrays(sick, scores, groups)


@cache
def curves() -> CurveSet:
    return rs.roc_curves(one_model(), undefined="drop")


@cache
def average(method: Any) -> Any:
    return rs.average(one_model(), method, undefined="drop")


@cache
def study() -> rs.ScoreSet:
    table: Any = rs.simulate.reader_study(n_positives=15, n_negatives=15)
    table["reader"] = [name if name == "AI" else f"{name}{HOSTILE}" for name in table["reader"]]
    return rs.ScoreSet.from_frame(
        table, label="truth", score="rating", group="reader", model="modality", case="case", positive="cancer"
    )


@cache
def readers_only() -> rs.ScoreSet:
    table: Any = rs.simulate.reader_study(n_positives=15, n_negatives=15, standalone=False)
    return rs.ScoreSet.from_frame(
        table, label="truth", score="rating", group="reader", model="modality", case="case", positive="cancer"
    )


@cache
def three_classes() -> rs.MulticlassScores:
    rng = np.random.default_rng(0)
    labels = np.arange(90) % 3
    outputs = np.exp(-((((labels + rng.normal(size=90))[:, None] - np.arange(3)) ** 2) / 2))
    names = [f"{k}{HOSTILE}" for k in range(3)]
    return rs.MulticlassScores(
        [names[k] for k in labels], outputs, folds=np.arange(90) // 3 % 5, classes=names
    )


@cache
def counts() -> CountedScores:
    """The same rows in cells, five to a group, as a data engine would count them."""
    scores = one_model()
    sick = np.concatenate([own.is_positive for own in scores])
    score = np.concatenate([own.scores for own in scores])
    sizes = np.diff(scores.columns.offsets)
    member = np.repeat(np.arange(sizes.size), sizes)
    cells = cells_of_rows(sick, score, np.digitize(score, [-1, 0, 1, 2]), member, sizes.size)
    return CountedScores(
        cells, scores.classes, scores.groups, scores.group_index, scores.models, scores.model_index,
        scores.unit, sources=(f"rows{HOSTILE}.parquet",), how=How("cells", "duckdb"),
    )  # fmt: skip


def made() -> Iterator[Any]:
    """The values that functions give; what they hold comes with them, see :func:`every_value`."""
    yield from _of_scores()
    yield from _of_averages()
    yield from _of_counts()
    yield from _of_operating_points()
    yield from _of_several_classes()
    yield from _of_inference()
    yield from _of_smaucs()
    yield from _of_readers()
    yield from _of_advice()


def _of_scores() -> Iterator[Any]:
    curve = curves()[0]
    sick, score = one_model()[0].is_positive, one_model()[0].scores
    share = 1 / (1 + np.exp(-score))
    smooth = rs.smroc_curve(sick, share, mid=0.5)
    yield from (both_models(), one_model()[0], curves(), curve, curve.hull())
    yield from (curve.det(), curve.cost_curve(), curve.precision_recall(), curve.coordinates(), curve.eer())
    taught = rs.roc_curve([f"{k}{HOSTILE}" for k in sick], score, positive=f"True{HOSTILE}")
    yield from (taught.spss(variable=f"marker{HOSTILE}", state=f"truth{HOSTILE}"), taught.construction())
    yield from (curve.rates_at(0.5), curve.rates_at([0.1, 0.5]), curve.auc_interval(), curve.auc_null_test())
    yield from (curve.band(), curve.crossings(curves()[1]), curve.h_measure(), rs.fit_binormal(curve))
    yield from (rs.scored_auc(sick, share), smooth, smooth.mid_profile(), smooth.appropriateness)
    yield smooth.permuted(100)
    endless = np.where(np.arange(score.size) == 0, np.inf, score)
    yield from (rs.score_densities(one_model()), rs.score_densities(sick, endless))
    yield rs.score_densities(one_model()).smooth()
    yield score_quantiles(one_model())
    decided = {f"{name}{HOSTILE}": share > cut for name, cut in (("ann", 0.5), ("ben", 0.6))}
    agreement = rs.rater_agreement(decided, dict.fromkeys(decided, share))
    yield from (agreement, agreement.decision_agreement)


def _of_averages() -> Iterator[Any]:
    shares = rs.ScoreSet.from_folds(
        [(own.is_positive, 1 / (1 + np.exp(-own.scores))) for own in one_model()][:8], design="independent"
    )
    smooth = rs.smroc_curve(shares, mid=0.5)
    yield from (smooth, rs.average(smooth, "vertical"))
    for method in ("vertical", "threshold", "pooled", "radial", "tangent", "binormal", "horizontal"):
        yield average(method)
    yield from (average("vertical").auc_interval(), average("vertical").band())
    yield from (average("vertical").at(fpr=0.2), average("vertical").at(fpr=[0.1, 0.2]))
    yield average("vertical").at_position(0.3)
    yield average("vertical").band(kind="prediction")
    yield average("threshold").rates_at(0.5)
    yield average("threshold").ellipse(0.5, 0.95)
    yield average("threshold").grid(5)
    yield average("radial").at_error_ratio(1, 2)
    yield average("binormal").parameters
    yield average("tangent").at_costs(false_positive=1, false_negative=5, prevalence=0.3)


def _of_counts() -> Iterator[Any]:
    certified = rs.roc_curves(counts(), undefined="drop")
    yield from (counts(), certified, certified[0], certified.auc_bounds)
    yield from certified[0].rate_bounds_at(0.5)
    yield certified[0].tpr_bounds_at([0.1, 0.2])
    for method in ("vertical", "threshold"):
        average = rs.average(counts(), method, undefined="drop")
        yield from (average, average.lower, average.at(fpr=0.2), average.at(fpr=[0.1, 0.2]))


def _of_operating_points() -> Iterator[Any]:
    cutoff = rs.choose_cutoff(curves()[0], "youden")
    table = rs.average_operating_points(one_model(), thresholds=6, undefined="drop")
    yield from (cutoff, cutoff.two_by_two(), cutoff.on(curves()[1]), cutoff.intervals(n_resamples=200))
    yield cutoff.corrected(n_resamples=200)
    yield from (rs.operating_point(cutoff), rs.operating_point([1, 2], classes=("a", f"b{HOSTILE}")))
    given = rs.choose_cutoff(curves()[0], 0.5)
    yield from (given, given.intervals(), rs.choose_cutoff(curves()[0], "mcc"))
    yield from (rs.choose_cutoff(table, "kappa"), rs.choose_cutoff(table, fpr=0.3).corrected(n_resamples=200))
    compared = table.compare_to(2)
    yield from (table, table.measure("fpr"), table.between(), table.between().ellipse(3))
    yield from (compared, compared.cases_to_separate(3), rs.paired_t([0.1, 0.3, 0.2], [0.2, 0.3, 0.5]))
    yield rs.realise(one_model(), rs.TargetRate(fpr=0.2), undefined="drop")


def _of_several_classes() -> Iterator[Any]:
    scores = three_classes()
    found = rs.search_class_weights(scores, n_start=20, n_steps=1, keep=5)
    yield from (scores, found, found.best, scores.auc(), rs.search_class_weights(scores, exact=True))
    yield rs.search_class_weights(scores, n_start=20, n_steps=1, keep=5, nested=True).nested
    table = rs.average_multiclass_points(scores, np.full((2, 3), 1 / 3))
    yield from (table, table.confusion_matrix(0), scores.select(scores.folds[:1]).auc())
    yield check_classes(scores)


def _of_inference() -> Iterator[Any]:
    a, b = both_models().models
    sick, scores = one_model()[0].is_positive, [both_models().model(name)[0].scores for name in (a, b)]
    compared = rs.compare(both_models(), a, b, method="vertical", undefined="drop")
    winners = rs.winner_map(both_models(), undefined="drop")
    yield compare_at(both_models(), a, b, at={"fpr": 0.1})
    yield from (compared, rs.compare(three_models(), method="vertical"), rs.compare_auc(sick, *scores))
    yield from (winners, winners.lead(a))
    yield rs.bootstrap_test(sick, *scores, n_resamples=200)
    yield rs.venkatraman_test(sick, *scores, n_permutations=200)
    yield rs.summarize_auc(one_model(), "random-effects", undefined="drop")
    yield rs.comparability(one_model())
    yield rs.bootstrap(one_model(), n_resamples=200, undefined="drop")
    plan = rs.plan(one_model(), half_width=0.05, undefined="drop")
    yield from (plan, plan.table(), rs.plan(0.8, half_width=0.05))
    yield from (sign_flips(np.arange(-3.0, 6.0)), signed_ranks(np.arange(-3.0, 6.5)))


def _of_smaucs() -> Iterator[Any]:
    one, three = shares(both_models().take(both_models().groups[:8])), shares(three_models())
    yield from (rs.smroc_curve(one, mid=0.5), rs.summarize_smauc(one.model(one.models[0]), mid=0.5))
    first = rs.compare_smauc(one, mid=0.5, n_permutations=99)
    yield from (first, rs.compare_smauc(three, mid=0.5, n_permutations=99))
    yield rs.compare_smauc(one, mid="paper", random="cases", n_permutations=99)


def shares(scores: rs.ScoreSet) -> rs.ScoreSet:
    """The same rows with scores between 0 and 1."""
    columns = dataclasses.replace(scores.columns, scores=1 / (1 + np.exp(-scores.columns.scores)))
    return dataclasses.replace(scores, columns=columns)


def _of_readers() -> Iterator[Any]:
    compared = rs.compare_readers(readers_only())
    yield from (compared, rs.summarize_readers(readers_only()), rs.compare_readers(study(), standalone="AI"))
    yield from (rs.non_inferior(compared, 0.1, new="digital"), rs.equivalent(compared, 0.2))
    curve = compared.average_curve(compared.modalities[0])
    yield from (rs.plan(compared, difference=0.05), curve, curve.at(fpr=0.2))


def _of_advice() -> Iterator[Any]:
    shared = rs.Deployment(threshold="shared")
    yield from (shared, rs.advise(shared, one_model()))
    costs = rs.Deployment(threshold="own", hold="cost", costs=((1, 2), (1, 20)), prevalence=0.3)
    yield rs.advise(costs, both_models())
    yield check(both_models())


@cache
def every_value() -> dict[str, Any]:
    """Values by the name of their class, with those that they hold."""
    found: dict[str, Any] = {}
    given = list(made())
    waiting = [*given, *(inside for value in given for inside in _held(value))]
    while waiting:
        value = waiting.pop(0)
        if hasattr(value, "_repr_html_") and type(value).__name__ not in found:
            found[type(value).__name__] = value
            waiting += _held(value)
    return found


def _held(value: Any) -> list[Any]:
    """What the fields and properties of a value hold."""
    names = [field.name for field in dataclasses.fields(value)]
    names += [
        name
        for name in dir(type(value))
        if isinstance(getattr(type(value), name), property | cached_property)
    ]
    held = []
    for name in names:
        if name.startswith("_"):
            continue
        try:
            inside = getattr(value, name)
        except rs.RocsteadyError:  # not every reading is defined everywhere
            continue
        held += list(inside)[:1] if isinstance(inside, tuple | list) else [inside]
    return held
