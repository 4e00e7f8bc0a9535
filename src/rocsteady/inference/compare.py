"""``compare``: which of two or more models is better, by how much, where, and how sure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocsteady.averaging.directional import warn_of_steps
from rocsteady.averaging.methods import Method, Pooled, Vertical, method_of
from rocsteady.calling import welcomes
from rocsteady.curves.curve_set import refuse_undefined, warn_of_reversed
from rocsteady.errors import Option, Remedy, fail, warn
from rocsteady.inference.compare_over_cases import OverCases, can_resample_cases, require_cases
from rocsteady.inference.compare_over_groups import OverGroups, Side, about, difference_of, warn_of_skew
from rocsteady.inference.differences import (
    Budget,
    Compared,
    Comparison,
    Comparisons,
    Difference,
    GroupDifferences,
    Measure,
    PointComparison,
)
from rocsteady.inference.matching import (
    Paired,
    chosen_pairs,
    common_groups,
    may_be_folds,
    paired_models,
    rows_in_order,
    unequal_sizes,
    warn_of_shared_cases,
)
from rocsteady.options import How, one_of, rate_range, yes_or_no
from rocsteady.places import ON_AVERAGES, Place, places_of
from rocsteady.scores.design import ASSUMED, Design, Random, ask_once
from rocsteady.scores.score_set import ScoreSet, takes_frames, warn_of_clusters
from rocsteady.statistics.folds import ratio_of
from rocsteady.statistics.group_permutation import FEWEST, signed_ranks
from rocsteady.statistics.groups import mean_and_error
from rocsteady.statistics.multiplicity import adjusted
from rocsteady.words import plural

GroupRates = Mapping[str, tuple[float, float]]
"""By their names what groups have, FPR and TPR."""


@takes_frames
@welcomes(
    "compare(score_set, 'a', 'b')",
    "compare(frame, label='truth', score=['a', 'b'], group='hospital')",
    instead=dict.fromkeys(
        ("labels", "scores", "groups"),
        "compare(ScoreSet.from_frame(frame, label=..., score=[...], group=...))",
    )
    | {"at_jumps": 'method=rs.Vertical(at_jumps="{}")'},
)
def compare(
    score_set: ScoreSet,
    a: object = None,
    b: object = None,
    *,
    method: str | Method | None = None,
    at: object = None,
    random: str | None = None,
    paired: bool | None = None,
    fpr: tuple[float, float] = (0.02, 0.5),
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    seed: int = 0,
    adjust: str | None = "holm",
    test_train_ratio: float | None = None,
    undefined: str = "raise",
    unmatched: str = "raise",
    threads: int | None = None,
) -> Comparison | Comparisons:
    """Compare models: their AUCs, their rates at operating points, their average curves.

    With several datasets (folds, hosts, readers) these are random: every difference is taken within a
    dataset, and its spread over datasets says how sure it is. With one dataset its cases are.

    Parameters
    ----------
    score_set : ScoreSet, or a table
        With two models or more. Columns of a table are named as in :meth:`ScoreSet.from_frame`:
        ``compare(frame, label="truth", score=["old", "new"], group="hospital")``.
    a, b : str, optional
        The models; differences are a less b. Without ``b``: a against all others. Without both: all pairs.
    method : str, Method or Deployment
        The average that is compared, as in :func:`rocsteady.average`. A deployment names it too, and the
        operating point, unless ``at`` does. Of several groups without it: AUCs are compared, and rates at
        frozen thresholds; for budgets you are asked which average is meant (RS093).
    at : mapping or list of mappings, optional
        Operating points: ``{"fpr": 0.05}``, ``{"specificity": 0.95}``, ``{"alerts": 0.1}`` are budgets, met
        again on other data; ``{"threshold": 0.5}`` is frozen, and may be ``{"threshold": {"old": 0.5,
        "new": 2}}``. Under a directional average (vertical, horizontal, at an angle) every group meets a
        budget with its own threshold; under the others one threshold for all is chosen again in every
        resample of groups.
    random : {"groups", "cases"}, optional
        What is random. Groups, if there are several: what would other datasets show? Cases: the datasets are
        these very ones, what would other cases show?
    paired : bool, optional
        Whether both models scored the same groups and cases. By default they must have, unless they have no
        group in common.
    fpr : (float, float)
        The declared range of false positive rates of the difference curve.
    confidence_level : float
        Of intervals and bands.
    n_resamples, seed : int
        Of random sign flips (more than 14 groups) and of bootstraps.
    adjust : {"holm", "bh", None}
        For the number of pairs, if there are several; each quantity by itself.
    test_train_ratio : float, optional
        Test cases over training cases of folds, whose differences vary less than those of independent samples
        (Nadeau & Bengio 2003). Without it as the design of the scores has it; 0 for none.
    undefined : {"raise", "drop"}
        What to do about groups with one class, which have no curve.
    unmatched : {"raise", "drop"}
        What to do about groups and named cases that one of the models did not score.
    threads : int, optional
        Changes the time only.

    Returns
    -------
    Comparison, or Comparisons for several pairs

    Warns
    -----
    RocsteadyWarning
        RS275 with fewer than six paired groups (no sign-flip test can reach 5 %), RS276 with fewer than four
        groups on a side that are not paired, RS277 where the models have different numbers of cases, RS278
        where one model's AUC varies so much more than the other's that tests are too sure, RS279 where models
        that are not paired scored the same named cases, RS280 where cases are random and hardly one is beyond
        the threshold of a budget, RS266 where the same named cases are in several groups, as in a reader
        study (:func:`rocsteady.compare_readers`).

    Notes
    -----
    Measured at a level of 5 % (binormal scores, 20 to 200 cases of each class, 1 to 20 groups): tests of AUCs
    and of rates at frozen thresholds reject 3 to 5 % of true hypotheses, difference curves over groups 2.5 to
    5 %. Readings at a budget and curves over resampled cases are cautious in small datasets: 1 to 3 % with 50
    cases of each class, 3 to 5 % with 200.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(0)
    >>> labels, hosts = np.tile([0, 1], 400), np.repeat(np.arange(8), 100)
    >>> case = rng.normal(size=800) + labels
    >>> scores = {"old": case + rng.normal(size=800), "new": case + 0.5 * rng.normal(size=800)}
    >>> both = rs.ScoreSet.from_arrays(labels, scores, hosts, unit="host")
    >>> found = rs.compare(both, "new", "old", method="vertical")
    >>> found
    Comparison(new - old, 8 hosts, groups random: AUC +0.0626, p 0.00931)
    >>> found.auc
    Difference(mean AUC, new - old: +0.0626 (+0.0209 to +0.1044), p 0.00931)
    >>> found.auc.better, round(found.wilcoxon.pvalue, 4), round(found.curve.pvalue, 4)
    ('new', 0.0156, 0.0469)
    """
    if random is not None:
        one_of(
            "random", random, ("groups", "cases"), elsewhere=dict.fromkeys(("datasets", "folds"), "groups")
        )
    asked = Question(
        score_set,
        None if method is None else method_of(method),
        How(confidence_level, n_resamples=n_resamples, seed=seed),
        compared_places(declared_point(method) if at is None else at),
        test_train_ratio,
        fpr=rate_range("fpr", fpr),
        random=random,
        paired=None if paired is None else yes_or_no("paired", paired),
        undefined=one_of("undefined", undefined, ("raise", "drop")),
        unmatched=one_of("unmatched", unmatched, ("raise", "drop")),
        threads=threads,
    )
    adjusted(np.array([0.5]), adjust)  # refuses an unknown way before anything is computed
    pairs = chosen_pairs(score_set, a, b)
    ratio_of(test_train_ratio)
    warn_of_reversed(score_set)
    ask_once(score_set)
    found = [_compared(asked, pair) for pair in pairs]
    return found[0] if len(found) == 1 else _together(found, adjust)


def compared_places(at: object) -> tuple[Place, ...]:
    """The operating points that models are compared at, one number each."""
    found = places_of(at, task="compare models at", by_model=True)
    return tuple(own for place in found for own in place.each())


def declared_point(method: object) -> Place | None:
    """The operating point that a deployment, or the advice for one, names beside its average; else None."""
    place = getattr(getattr(method, "deployment", method), "place", None)
    return place if isinstance(place, Place) and place.kind in ON_AVERAGES else None


@dataclass(frozen=True, eq=False)
class Question:
    """What is asked of the models of a set, and which warnings were given: each once for all pairs."""

    score_set: ScoreSet
    method: Method | None  # without one, every group by itself
    how: How
    places: tuple[Place, ...]
    test_train_ratio: float | None
    fpr: tuple[float, float] = (0.02, 0.5)
    random: str | None = None
    paired: bool | None = None
    undefined: str = "drop"
    unmatched: str = "drop"
    threads: int | None = None
    warned: set[str] = field(default_factory=set)

    def is_news(self, code: str) -> bool:
        """Whether this is the first time: a warning is given once for all pairs."""
        is_first = code not in self.warned
        self.warned.add(code)
        return is_first


def _compared(asked: Question, names: tuple[str, str]) -> Comparison:
    """Two models: all that was asked, and what it rests on."""
    over, both = over_what_is_random(asked, names)
    basis, (a, b) = over.basis, over.sides
    is_declared = _is_declared(asked, both)
    if isinstance(over, OverCases):
        own = both.sets[0]
        has_clusters = own.clusters is not None and own._together is not None
        draws_clusters = len(own) == 1 and all(of._together is not None for of in both.sets)
        if has_clusters and not draws_clusters and asked.is_news("RS104"):
            warn_of_clusters(own, "a comparison at points and along the curve")
    is_known = basis.test_train_ratio or asked.score_set.design.shares_training
    is_known = is_known and may_be_folds(asked.score_set)  # that they share cases
    is_one = max(len(own.groups) for own in both.sets) < 2
    random = Random.GROUPS if isinstance(over, OverGroups) else Random.CASES
    is_news = "RS266" not in asked.warned and not is_one and not is_known
    if is_news and warn_of_shared_cases(asked.score_set, random):
        asked.warned.add("RS266")
    is_ranked = isinstance(over, OverGroups) and over.paired and not basis.test_train_ratio
    auc, of_groups = over.difference(Measure.AUC), None
    if over.paired:
        of_groups = GroupDifferences(both.unit, *names, a.curved.groups, a.aucs, b.aucs)
    return Comparison(
        a=a.name,
        b=b.name,
        unit=both.unit,
        n_groups=basis.n_groups,
        method=basis.method if is_declared else None,
        random=random,
        paired=over.paired,
        auc=auc,
        area=over.difference(Measure.AREA) if is_declared and over.has_area else None,
        at=tuple(own for place in asked.places for own in over.at(place)),
        curve=over.curve() if is_declared else None,
        wilcoxon=signed_ranks(a.aucs - b.aucs) if is_ranked else None,
        per_group=of_groups,
        undefined=both.undefined,
        test_train_ratio=basis.test_train_ratio,
        auc_correlation=over.auc_correlation(auc) if isinstance(over, OverCases) else float("nan"),
        design=basis.design,
    )


def _is_declared(asked: Question, both: Paired) -> bool:
    """Whether an average was named; a single curve is every average."""
    return asked.method is not None or max(len(own.groups) for own in both.sets) == 1


def over_what_is_random(
    asked: Question, names: tuple[str, str], *, whole: bool = True
) -> tuple[OverGroups | OverCases, Paired]:
    """Two models over what is random, once it is known to be possible; ``whole`` along the curve, too."""
    both = _brought_together(asked, names)
    paired = both.is_paired
    fewest = min(int(own.has_curve.sum()) for own in both.sets)
    random = Random(asked.random or (Random.GROUPS if fewest > 1 else Random.CASES))
    if random is Random.GROUPS and fewest < 2:
        raise fail("RS064.one-group", n=fewest, unit=both.unit)
    ratio = ratio_of(asked.test_train_ratio, asked.score_set.design)
    if random is Random.CASES and ratio:
        if asked.test_train_ratio is not None:
            raise fail("RS002.ratio-of-cases")
        ratio = 0.0
    is_declared = _is_declared(asked, both)
    if not is_declared and any(place.kind != "threshold" for place in asked.places):
        units = plural(both.unit)  # who meets a budget: each group, or one for all?
        ways: list[Remedy] = [
            "compare(..., method=Deployment(threshold='shared', weigh='groups'))",
            (f"one threshold for all {units}:  ", Option("method", "threshold")),
            (f"every {both.unit} with its own:  ", Option("method", "vertical")),
        ]
        raise fail("RS093.undeclared", units=units, ways=ways)
    method, sets = asked.method or Vertical(), both.sets
    if random is Random.CASES:
        if len(sets[0]) == len(sets[1]) == 1 and not can_resample_cases(method):
            method = Vertical()  # every average of one curve is that curve
        require_cases(both, both.unit, paired=False, random="groups")
        is_alerts = any(place.kind == "alerts" for place in asked.places)
        if is_alerts or not can_resample_cases(method):
            name = None if is_alerts else method.label
            raise fail("RS064.average", method=name, is_alerts=is_alerts, unit=both.unit)
        if paired:
            sets = tuple(rows_in_order(sets, both.names))
        else:
            sets = tuple(ordered for own in sets for ordered in rows_in_order([own], [""]))
    a, b = (
        Side(name, own, method, asked.threads, both.defined)
        for name, own in zip(both.names, sets, strict=True)
    )
    basis = Compared(
        a=a.name,
        b=b.name,
        unit=both.unit,
        n_groups=len(a.curved) if paired else (len(a.curved), len(b.curved)),
        random=random,
        paired=paired,
        method=method,
        design=asked.score_set.design,
        test_train_ratio=ratio,
        by_name=paired and both.has_cases,
    )
    if random is Random.CASES:
        whole = whole and is_declared
        return OverCases((a, b), asked.how, asked.fpr, basis, asked.places, whole=whole), both
    over = OverGroups((a, b), asked.how, asked.fpr, basis)
    _warn_of_groups(asked, over, both)
    return over, both


def _brought_together(asked: Question, names: tuple[str, str]) -> Paired:
    """Both models, over the same groups and cases, or each over its own."""
    sets = [asked.score_set.model(name) for name in names]
    undefined, all_rows_count = asked.undefined, isinstance(asked.method, Pooled)
    if common_groups(sets) if asked.paired is None else asked.paired:
        how = {"undefined": undefined, "unmatched": asked.unmatched}
        return paired_models(asked.score_set, names, all_rows_count=all_rows_count, **how)
    _say_same_cases(asked, sets)
    left_out: list[str] = []
    for i, own in enumerate(sets):
        if (own.undefined and undefined == "raise" and not all_rows_count) or not own.has_curve.any():
            raise refuse_undefined(own)
        left_out += [f"{reason} ({names[i]})" for reason in own.undefined]
        kept = own if all_rows_count else own.take(own.group_index[own.has_curve])
        sets[i] = kept.take(common_groups([kept]))
    return Paired(names, tuple(sets), tuple(left_out), None)


def _say_same_cases(asked: Question, sets: Sequence[ScoreSet]) -> None:
    """RS279 if models that are not paired scored some of the same cases, which are named."""
    known, other = (own.cases for own in sets)
    if known is None or other is None:
        return
    shared = np.intersect1d(known.codes, other.codes)
    if not (shared.size and asked.is_news("RS279")):
        return
    n_first, n_second = (np.unique(own.codes).size for own in (known, other))
    way: Remedy = "pair them: leave out  paired=False"
    if asked.paired is None:
        way = f"give a case the same {asked.score_set.unit} in both models, and they are paired"
    elif not n_first == n_second == shared.size:
        way = ("pair those: leave out  paired=False  and say  ", Option("unmatched", "drop"))
    warn("RS279.same", n=shared.size, n_first=n_first, n_second=n_second, ways=[way])


def _warn_of_groups(asked: Question, over: OverGroups, both: Paired) -> None:
    """RS275 to RS278 and RS317: too few groups, other cases, too skewed, steps whose tops are read."""
    alpha, smallest = 1 - asked.how.confidence_level, 2.0 ** (1 - over.sizes[0])
    are_few = over.paired and not over.basis.test_train_ratio and smallest > alpha * (1 + 1e-12)
    if are_few and asked.is_news("RS275"):
        warn("RS275.flips", n=over.sizes[0], unit=over.unit, alpha=alpha, smallest=smallest)
    if not over.paired and min(over.sizes) < FEWEST and asked.is_news("RS276"):
        warn("RS276.few", unit=over.unit, n_first=over.sizes[0], n_second=over.sizes[1])
    side, other = over.sides
    if "RS278" not in asked.warned and warn_of_skew(side.aucs, other.aucs, over.unit, paired=over.paired):
        asked.warned.add("RS278")
    if asked.method is not None and side.each_meets:
        held = {
            kind: [own.of(side.name) for own in asked.places if own.kind == kind] for kind in ("fpr", "tpr")
        }
        read: list[Any] = [(side.held_average(kind), np.array(at)) for kind, at in held.items() if at]
        for average, at in read or [(side.average, None)]:
            steps = average._steep_steps(at)
            if steps is not None and asked.is_news("RS317"):
                warn_of_steps(**steps)
    unlike = unequal_sizes(both) if over.paired and not both.has_cases else []
    if unlike and asked.is_news("RS277"):
        warn("RS277.sizes", groups=unlike, unit=both.unit)


def _together(found: Sequence[Comparison], adjust: str | None) -> Comparisons:
    """All pairs, each quantity's p-values adjusted for their number."""
    pvalues = np.array([[own.pvalue for own in pair.differences] for pair in found])
    columns = np.array([adjusted(column, adjust) for column in pvalues.T]).T.tolist()
    pairs = []
    for pair, own_pvalues in zip(found, columns, strict=True):
        auc, *others = (
            replace(own, adjusted_pvalue=pvalue)
            for own, pvalue in zip(pair.differences, own_pvalues, strict=True)
        )
        area = None if pair.area is None else others.pop(0)
        pairs.append(replace(pair, auc=auc, area=area, at=tuple(others)))
    curves = adjusted(np.array([np.nan if p.curve is None else p.curve.pvalue for p in found]), adjust)
    models = tuple(dict.fromkeys(name for pair in found for name in (pair.a, pair.b)))
    return Comparisons(models, adjust, tuple(pairs), tuple(curves.tolist()))


# One difference, and nothing else
# --------------------------------


def compare_at(
    score_set: ScoreSet,
    a: str,
    b: str,
    *,
    method: str | Method = "vertical",
    at: Place | Mapping[str, Any] | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    seed: int = 0,
    test_train_ratio: float | None = None,
) -> PointComparison:
    """What :func:`rocsteady.compare` says of two models at one place, without its difference curve.

    With ten thousand groups the curve takes nearly all of the time. Groups of one class, and groups and cases
    that one of the models did not score, are left out.

    Parameters
    ----------
    score_set : ScoreSet
        With both models.
    a, b : str
        The models; differences are a less b.
    method : str or Method
        The average that is compared.
    at : mapping, optional
        One operating point, as in :func:`rocsteady.compare`; without it, the area under the average.
    confidence_level, n_resamples, seed, test_train_ratio
        As in :func:`rocsteady.compare`.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(0)
    >>> labels, hosts = np.tile([0, 1], 400), np.repeat(np.arange(8), 100)
    >>> case = rng.normal(size=800) + labels
    >>> scores = {"old": case + rng.normal(size=800), "new": case + 0.5 * rng.normal(size=800)}
    >>> both = rs.ScoreSet.from_arrays(labels, scores, hosts)
    >>> compare_at(both, "new", "old", at={"fpr": 0.1}).differences
    (Difference(TPR at FPR 10 %, new - old: +0.0975 (-0.0530 to +0.2480), p 0.169),)
    """
    how = How(confidence_level, n_resamples=n_resamples, seed=seed)
    asked = Question(score_set, method_of(method), how, compared_places(at), test_train_ratio)
    over, _ = over_what_is_random(asked, (a, b), whole=False)
    found = tuple(own for place in asked.places for own in over.at(place))
    if not asked.places:
        found = (over.difference(Measure.AREA if over.has_area else Measure.AUC),)
    random = Random.GROUPS if isinstance(over, OverGroups) else Random.CASES
    groups = over.sides[0].curved.groups if over.paired else ()
    return PointComparison(found, over.basis.n_groups, random, over.paired, groups)


def compare_own_rates(
    models: tuple[str, str],
    rates: Mapping[str, tuple[ArrayLike, ArrayLike]],
    groups: tuple[str, ...],
    *,
    unit: str = "group",
    design: Design = ASSUMED,
    confidence_level: float = 0.95,
    test_train_ratio: float | None = None,
) -> PointComparison:
    """Compare two models whose groups all have thresholds of their own that stay as they are.

    Parameters
    ----------
    models : pair of str
        Differences are the first less the second.
    rates : mapping
        By "fpr" and "tpr", what every group has under each model.
    groups : tuple of str
        Their names.
    unit, design : str, Design
        The word for one of them, and how they came about.
    confidence_level, test_train_ratio
        As in :func:`rocsteady.compare`.

    Examples
    --------
    >>> rates = {"fpr": ([0.1, 0.2, 0.0], [0.1, 0.1, 0.1]), "tpr": ([0.9, 0.8, 0.7], [0.7, 0.7, 0.6])}
    >>> compare_own_rates(("new", "old"), rates, ("x", "y", "z")).differences[1]
    Difference(TPR at the given thresholds, new - old: +0.1333 (-0.0101 to +0.2768), p 0.0572)
    """
    n, ratio = len(groups), ratio_of(test_train_ratio, design)
    basis = Compared(*models, unit, n, Random.GROUPS, True, Vertical(), design, ratio)
    found = []
    for measure in (Measure.FPR, Measure.TPR):
        first, second = own = np.asarray(rates[measure.lower()])
        means, errors = (of.tolist() for of in mean_and_error(own.T, ratio))
        each = [
            about(mean, error, n - 1, confidence_level) for mean, error in zip(means, errors, strict=True)
        ]
        facts = replace(basis, measure=measure, budget=Budget.KEPT, df=n - 1.0)
        error = float(mean_and_error((first - second)[:, None], ratio)[1][0])
        found.append(difference_of(facts, means, each, error=error, level=confidence_level))
    return PointComparison(tuple(found), n, Random.GROUPS, True, groups)


def with_own_rates(
    found: Comparison | Comparisons, given: Sequence[Mapping[str, GroupRates]]
) -> Comparison | Comparisons:
    """The same comparison, read where each group has a threshold that was set beforehand.

    Parameters
    ----------
    found : Comparison or Comparisons
    given : sequence of mappings
        For every place, by the names of the models, what each of their groups has there: its FPR and TPR.
        Groups that one of two models lacks are left out of their difference.

    Raises
    ------
    DataError
        RS068 for fewer than two groups with both.
    """
    if isinstance(found, Comparisons):
        return _together([_pair_with_own_rates(own, given) for own in found], found.adjust)
    return _pair_with_own_rates(found, given)


def _pair_with_own_rates(found: Comparison, given: Sequence[Mapping[str, GroupRates]]) -> Comparison:
    at: list[Difference] = []
    for rates in given:
        first, second = rates[found.a], rates[found.b]
        groups = tuple(name for name in first if name in second)
        if len(groups) < 2:
            raise fail("RS068.thresholds-elsewhere", unit=found.unit, n=len(groups))
        each = {
            kind: ([first[name][axis] for name in groups], [second[name][axis] for name in groups])
            for axis, kind in enumerate(("fpr", "tpr"))
        }
        at += compare_own_rates(
            (found.a, found.b),
            each,
            groups,
            unit=found.unit,
            design=found.design,
            confidence_level=found.auc.interval.confidence_level,
            test_train_ratio=found.test_train_ratio,
        ).differences
    return replace(found, at=tuple(at))
