"""``compare``: which of two or more models is better, by how much, where, and how sure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocsteady.arrays import Floats
from rocsteady.averaging.directional import DirectionalAverage
from rocsteady.averaging.methods import Method, Pooled, Vertical, method_of
from rocsteady.calling import welcomes
from rocsteady.curves.curve_set import refuse_undefined, warn_of_reversed
from rocsteady.errors import Option, Remedy, fail, warn
from rocsteady.inference.compare_over_cases import OverCases, can_resample_cases
from rocsteady.inference.compare_sides import (
    Over,
    Question,
    Reading,
    Side,
    about,
    difference_of,
    positions,
    warn_of_skew,
)
from rocsteady.inference.differences import (
    Basis,
    Budget,
    Compared,
    Comparison,
    Comparisons,
    Difference,
    DifferenceCurve,
    GroupDifferences,
    Measure,
    Test,
)
from rocsteady.inference.matching import (
    Paired,
    chosen_pairs,
    common_groups,
    groups_in_order,
    may_be_folds,
    paired_models,
    rows_in_order,
    unequal_rows,
    unequal_sizes,
    warn_of_shared_cases,
)
from rocsteady.options import How, one_of, open_share, rate_range, resamples_asked, whole_number, yes_or_no
from rocsteady.places import ON_AVERAGES, Place, places_of
from rocsteady.results import Result
from rocsteady.scores.design import ASSUMED, Design, Random, ask_once
from rocsteady.scores.score_set import ScoreSet, takes_frames, warn_of_clusters
from rocsteady.statistics.folds import error_factor, paired_tests, ratio_of, warn_constant
from rocsteady.statistics.groups import (
    FEWEST,
    SignFlips,
    mostly_alike,
    normal_maxima,
    sign_flips,
    signed_ranks,
    two_sample_flips,
)
from rocsteady.statistics.limits import Interval, t_quantile
from rocsteady.statistics.multiplicity import adjusted
from rocsteady.words import plural


@takes_frames
@welcomes(
    "compare(score_set, 'a', 'b')",
    "compare(frame, label='truth', score=['a', 'b'], group='hospital')",
    instead=dict.fromkeys(
        ("labels", "scores", "groups"),
        "compare(ScoreSet.from_frame(frame, label=..., score=[...], group=...))",
    ),
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
    Comparison(new less old, 8 hosts, groups random: AUC +0.0626, p 0.00931)
    >>> found.auc
    Difference(mean AUC, new less old: +0.0626 (+0.0209 to +0.1044), p 0.00931)
    >>> found.auc.better, round(found.wilcoxon.pvalue, 4), round(found.curve.pvalue, 4)
    ('new', 0.0156, 0.0469)
    """
    question = Question(
        open_share("confidence_level", confidence_level),
        resamples_asked(n_resamples),
        whole_number("seed", seed, least=0, example=0),
        rate_range("fpr", fpr),
        0.0,
        threads,
    )
    one_of("undefined", undefined, ("raise", "drop"))
    one_of("unmatched", unmatched, ("raise", "drop"))
    if random is not None:
        one_of(
            "random", random, ("groups", "cases"), elsewhere=dict.fromkeys(("datasets", "folds"), "groups")
        )
    if paired is not None:
        yes_or_no("paired", paired)
    adjusted(np.array([0.5]), adjust)  # refuses an unknown way before anything is computed
    places = compared_places(declared_point(method) if at is None else at)
    pairs = chosen_pairs(score_set, a, b)
    ratio = ratio_of(test_train_ratio, score_set.design)
    question = replace(question, test_train_ratio=ratio)
    warn_of_reversed(score_set)
    ask_once(score_set)
    is_given = test_train_ratio is not None
    matched = _Matching(
        score_set, None if method is None else method_of(method), paired, undefined, unmatched, random
    )
    found = [_compared(matched, pair, places, question, is_given=is_given) for pair in pairs]
    return found[0] if len(found) == 1 else _together(found, adjust)


def compared_places(at: object) -> tuple[Place, ...]:
    """The operating points that models are compared at, one number each."""
    found = places_of(at, task="compare models at", by_model=True)
    return tuple(own for place in found for own in place.each())


def declared_point(method: object) -> Place | None:
    """The operating point that a deployment, or the advice for one, names beside its average; else None."""
    place = getattr(getattr(method, "deployment", method), "place", None)
    return place if isinstance(place, Place) and place.kind in ON_AVERAGES else None


@dataclass
class _Matching:
    """How the models of a pair are brought together; and what was said of other pairs."""

    score_set: ScoreSet
    asked_method: Method | None
    paired: bool | None
    undefined: str
    unmatched: str
    random: str | None
    warned: set[str] = field(default_factory=set)

    @property
    def method(self) -> Method:
        """The average; without one, every group by itself."""
        return Vertical() if self.asked_method is None else self.asked_method

    def of(self, names: tuple[str, str]) -> tuple[Paired, bool]:
        """Both models, and whether they are paired."""
        sets = [self.score_set.model(name) for name in names]
        paired = bool(common_groups(sets)) if self.paired is None else bool(self.paired)
        all_rows_count = isinstance(self.method, Pooled)
        if paired:
            both = paired_models(
                self.score_set,
                names,
                undefined=self.undefined,
                unmatched=self.unmatched,
                all_rows_count=all_rows_count,
            )
            return both, True
        self._say_same_cases(sets)
        left_out: list[str] = []
        for i, own in enumerate(sets):
            if own.undefined and self.undefined == "raise" and not all_rows_count:
                raise refuse_undefined(own)
            has_curve = own.has_curve
            if not has_curve.any():
                raise refuse_undefined(own)
            left_out += [f"{reason} ({names[i]})" for reason in own.undefined]
            sets[i] = groups_in_order(own if all_rows_count else own.take(own.group_index[has_curve]))
        return Paired(names, tuple(sets), (), tuple(left_out), self.score_set.unit, False, None), False

    def _say_same_cases(self, sets: Sequence[ScoreSet]) -> None:
        """RS279 if models that are not paired scored some of the same cases, which are named."""
        codes = [np.unique(own.cases.codes) for own in sets if own.cases is not None]
        if len(codes) < 2:
            return
        n_shared = np.intersect1d(codes[0], codes[1]).size
        n_first, n_second = codes[0].size, codes[1].size
        if not n_shared or not self.is_news("RS279"):
            return
        way: Remedy = "pair them: leave out  paired=False"
        if self.paired is None:
            way = f"give a case the same {self.score_set.unit} in both models, and they are paired"
        elif not n_first == n_second == n_shared:
            way = ("pair those: leave out  paired=False  and say  ", Option("unmatched", "drop"))
        warn("RS279.same", n=n_shared, n_first=n_first, n_second=n_second, ways=[way])

    def what_is_random(self, both: Paired) -> Random:
        """Groups if there are several of each model, unless said otherwise; RS064 if they cannot be."""
        fewest = min(int(own.has_curve.sum()) for own in both.sets)
        chosen = Random(self.random or (Random.GROUPS if fewest > 1 else Random.CASES))
        if chosen is Random.GROUPS and fewest < 2:
            raise fail("RS064.one-group", n=fewest, unit=both.unit)
        return chosen

    def is_news(self, code: str) -> bool:
        """Whether this is the first time: a warning is given once for all pairs."""
        is_first = code not in self.warned
        self.warned.add(code)
        return is_first


def _compared(
    matched: _Matching,
    names: tuple[str, str],
    places: Sequence[Place],
    question: Question,
    *,
    is_given: bool,
) -> Comparison:
    both, paired = matched.of(names)
    random = matched.what_is_random(both)
    question = over_what(question, random, is_given=is_given)
    own = both.sets[0]
    draws_clusters = len(own) == 1 and all(of._together is not None for of in both.sets)
    has_clusters = own.clusters is not None and own._together is not None
    if random is Random.CASES and has_clusters and not draws_clusters and matched.is_news("RS104"):
        warn_of_clusters(own, "a comparison at points and along the curve")
    is_one = max(len(own.groups) for own in both.sets) == 1  # a single curve is every average
    is_declared = matched.asked_method is not None or is_one
    if not is_declared and any(place.kind != "threshold" for place in places):
        units = plural(both.unit)  # who meets a budget: each group, or one for all?
        ways: list[Remedy] = [
            "compare(..., method=Deployment(threshold='shared', weigh='groups'))",
            (f"one threshold for all {units}:  ", Option("method", "threshold")),
            (f"every {both.unit} with its own:  ", Option("method", "vertical")),
        ]
        raise fail("RS093.undeclared", units=units, ways=ways)
    over = _over(matched, both, question, places, random, paired=paired, whole=is_declared)
    _warn_of_shared_cases(matched, both, random, is_corrected=bool(question.test_train_ratio))
    a_auc, b_auc = (side.aucs for side in over.sides)
    is_ranked = random is Random.GROUPS and paired and question.test_train_ratio == 0
    groups = over.sides[0].curved.groups
    auc = over.auc()
    return Comparison(
        a=names[0],
        b=names[1],
        unit=both.unit,
        n_groups=over.basis.n_groups,
        method=over.basis.method if is_declared else None,
        random=random,
        paired=paired,
        auc=auc,
        area=over.area() if is_declared else None,
        at=tuple(own for place in places for own in over.at(place)),
        curve=over.curve() if is_declared else None,
        wilcoxon=signed_ranks(a_auc - b_auc) if is_ranked else None,
        per_group=GroupDifferences(both.unit, *names, groups, a_auc, b_auc) if paired else None,
        undefined=both.undefined,
        test_train_ratio=question.test_train_ratio,
        auc_correlation=over.auc_correlation(auc) if isinstance(over, OverCases) else float("nan"),
        design=matched.score_set.design,
    )


def over_what(question: Question, random: Random, *, is_given: bool) -> Question:
    """The question once it is known what is random; RS002 where folds were said to be and cases are."""
    if random is Random.GROUPS or not question.test_train_ratio:
        return question
    if is_given:
        raise fail("RS002.ratio-of-cases")
    return replace(question, test_train_ratio=0.0)


def _over(
    matched: _Matching,
    both: Paired,
    question: Question,
    places: Sequence[Place],
    random: Random,
    *,
    paired: bool,
    whole: bool,
) -> OverGroups | OverCases:
    """The comparison over what is random, once it is known to be possible; ``whole`` along the curve, too."""
    method = matched.method
    if random is Random.CASES:
        if len(both.sets[0]) == len(both.sets[1]) == 1 and not can_resample_cases(method):
            method = Vertical()  # every average of one curve is that curve
        _require_cases(both, method, paired, places)
    sets: Sequence[ScoreSet] = both.sets
    if random is Random.CASES:
        parts = [(both.sets, both.names)] if paired else [((own,), ("",)) for own in both.sets]
        sets = [own for part in parts for own in rows_in_order(*part)]
    a, b = (
        Side(name, own, method, question.threads, both.defined)
        for name, own in zip(both.names, sets, strict=True)
    )
    sizes = (len(a.curved), len(b.curved))
    basis = Basis(
        a=a.name,
        b=b.name,
        unit=both.unit,
        n_groups=sizes[0] if paired else sizes,
        random=random,
        paired=paired,
        method=method,
        design=matched.score_set.design,
        test_train_ratio=question.test_train_ratio,
        by_name=both.has_cases,
    )
    if random is Random.CASES:
        return OverCases((a, b), question, basis, places, whole=whole)
    over = OverGroups((a, b), question, basis)
    _warn_of_few(matched, over)
    if matched.asked_method is not None:
        _warn_of_steps(matched, over, places)
    unlike = unequal_sizes(both) if paired and not both.has_cases else []
    if unlike and matched.is_news("RS277"):
        warn("RS277.sizes", groups=unlike, unit=both.unit)
    return over


def _require_cases(both: Paired, method: Method, paired: bool, places: Sequence[Place]) -> None:
    """RS038, RS063 or RS064 if cases cannot be resampled."""
    if any(own.columns.weights is not None for own in both.sets):
        raise fail("RS038.cases", scores=both.sets[0], unit=both.unit)
    unlike = unequal_rows(both) if paired else []
    if unlike:
        raise fail("RS063.order", groups=unlike, unit=both.unit, paired=False, random="groups")
    if any(place.kind == "alerts" for place in places):
        raise fail("RS064.average", method=None, is_alerts=True, unit=both.unit)
    if not can_resample_cases(method):
        raise fail("RS064.average", method=method.label, is_alerts=False, unit=both.unit)


def _warn_of_few(matched: _Matching, over: OverGroups) -> None:
    alpha = 1 - over.question.confidence_level
    has_flips = over.paired and not over.question.test_train_ratio
    smallest = 2.0 ** (1 - over.sizes[0])
    if has_flips and smallest > alpha * (1 + 1e-12) and matched.is_news("RS275"):
        warn("RS275.flips", n=over.sizes[0], unit=over.unit, alpha=alpha, smallest=smallest)
    if not over.paired and min(over.sizes) < FEWEST and matched.is_news("RS276"):
        warn("RS276.few", unit=over.unit, n_first=over.sizes[0], n_second=over.sizes[1])
    a, b = (side.aucs for side in over.sides)
    if "RS278" not in matched.warned and warn_of_skew(a, b, over.unit, paired=over.paired):
        matched.warned.add("RS278")


def _warn_of_steps(matched: _Matching, over: OverGroups, places: Sequence[Place]) -> None:
    """RS317 where each group reads the top of its own steps at a place, or along the curve."""
    side = over.sides[0]
    if not isinstance(side.average, DirectionalAverage):
        return
    at: dict[str, list[float]] = {"fpr": [], "tpr": []}
    for place in places:
        if place.kind in at:
            at[place.kind].append(place.of(side.name))
    asked: list[Any] = [(side.held_average(kind), np.array(own)) for kind, own in at.items() if own]
    for average, where in asked or [(side.average, None)]:
        steps = average._steep_steps(where)
        if steps is not None and matched.is_news("RS317"):
            warn("RS317.steps", **steps)


def _warn_of_shared_cases(matched: _Matching, both: Paired, random: Random, *, is_corrected: bool) -> None:
    """RS266, unless there is one group, or a correction for folds that share cases was asked for folds."""
    if "RS266" in matched.warned or max(len(own.groups) for own in both.sets) < 2:
        return
    shares_training = is_corrected or matched.score_set.design.shares_training
    if shares_training and may_be_folds(matched.score_set):
        return  # that they share cases is known
    if warn_of_shared_cases(matched.score_set, random):
        matched.warned.add("RS266")


def _together(found: Sequence[Comparison], adjust: str | None) -> Comparisons:
    """All pairs, each quantity's p-values adjusted for their number."""
    rows = [pair.differences for pair in found]
    columns = [
        adjusted(np.array([own.pvalue for own in column]), adjust) for column in zip(*rows, strict=True)
    ]
    pairs = []
    for i, pair in enumerate(found):
        auc, *others = (
            replace(own, adjusted_pvalue=float(column[i]))
            for own, column in zip(pair.differences, columns, strict=True)
        )
        area = None if pair.area is None else others.pop(0)
        pairs.append(replace(pair, auc=auc, area=area, at=tuple(others)))
    curves = adjusted(np.array([np.nan if p.curve is None else p.curve.pvalue for p in found]), adjust)
    models = tuple(dict.fromkeys(name for pair in found for name in (pair.a, pair.b)))
    return Comparisons(models, adjust, tuple(pairs), tuple(curves.tolist()))


# Groups are random: paired within groups, or two samples of different groups
# ---------------------------------------------------------------------------


class OverGroups(Over):
    """Two models whose groups are a sample of all there might be."""

    test = Test.T

    def auc(self) -> Difference:
        """The difference of the mean AUCs."""
        readings = [Reading(Measure.AUC, float(side.aucs.mean()), side.aucs) for side in self.sides]
        return self._difference(readings, [n - 1.0 for n in self.sizes])

    def area(self) -> Difference | None:
        """The difference of the areas under the averages, where these are not the mean AUCs."""
        if self.sides[0].each_meets:
            return None
        averages = [side.average for side in self.sides]
        readings = [Reading(Measure.AREA, own.auc, own.auc + own._linearised_area()) for own in averages]
        freedom = [
            side.degrees_of_freedom(own.n_groups) for side, own in zip(self.sides, averages, strict=True)
        ]
        return self._difference(readings, freedom, flips=False)

    def at(self, place: Place) -> list[Difference]:
        """The differences at one operating point."""
        if place.is_count and self.sides[0].method.holds("alerts"):
            place = place.among({side.name: side.average.n_cases_of_alerts() for side in self.sides})
        place = place.among({side.name: side.n_cases for side in self.sides})
        budget = Budget.OWN if self.sides[0].each_meets else Budget.SHARED
        if place.kind == "threshold":
            budget = Budget.KEPT
        read = [side.read(place) for side in self.sides]
        found = []
        for pair in zip(*read, strict=True):
            freedom = [
                side.degrees_of_freedom(own.values.size) for side, own in zip(self.sides, pair, strict=True)
            ]
            # At a rate of alerts the average is read along its direction, which is no rate.
            scale = "linear" if place.kind == "alerts" else "logit"
            flips = self.sides[0].each_meets or place.kind not in ("fpr", "tpr")
            found.append(self._difference(pair, freedom, scale, place, budget, flips=flips))
        return found

    def _difference(
        self,
        pair: Sequence[Reading],
        freedom: Sequence[float],
        scale: str = "logit",
        place: Place | None = None,
        budget: Budget | None = None,
        *,
        flips: bool = True,
    ) -> Difference:
        first, second = (own.values for own in pair)
        rho = self.question.test_train_ratio
        spreads = [float(own.var(ddof=1)) * (1 / own.size + rho) for own in (first, second)]
        if self.paired:
            found = paired_tests(first[:, None], second[:, None], test_train_ratio=rho)
            warn_constant(found, self.unit)
            error, df = float(found.standard_error[0]), min(freedom)
        else:
            error, df = float(np.sqrt(sum(spreads))), _welch_freedom(spreads, freedom)
        # Signs can be flipped of values that are independent; what groups add to one reading is not.
        flip = float("nan") if rho or not flips else self._flips(first[:, None], second[:, None]).pvalue
        return self._difference_of(
            pair[0].measure,
            [own.mean for own in pair],
            error=error,
            df=df,
            own=self._own(pair, spreads, freedom, scale),
            place=place,
            budget=budget,
            flip_pvalue=flip,
        )

    def _own(
        self, pair: Sequence[Reading], variances: Sequence[float], freedom: Sequence[float], scale: str
    ) -> list[Interval]:
        """The interval of each model's own mean: the one that its average has there."""
        level, found = self.question.confidence_level, []
        asked = How(level, scale=scale)
        for side, own, variance, df in zip(self.sides, pair, variances, freedom, strict=True):
            alike = bool(mostly_alike(own.values[:, None])[0])
            error = float(np.sqrt(variance))
            low, high = side.average._limits(own.measure.lower(), own.mean, error, asked, alike, df)
            found.append(Interval(float(low), float(high), level, asked.name))
        return found

    def _flips(self, first: Floats, second: Floats) -> SignFlips:
        q = self.question
        how: dict[str, Any] = {
            "confidence_level": q.confidence_level,
            "n_resamples": q.n_resamples,
            "seed": q.seed,
        }
        if not self.paired:
            return two_sample_flips(first, second, **how)
        if q.test_train_ratio:
            return normal_maxima(
                first - second, error_factor=error_factor(first.shape[0], q.test_train_ratio), **how
            )
        return sign_flips(first - second, **how)

    def curve(self) -> DifferenceCurve | None:
        """The difference over the declared range; none of folds that are not paired: signs cannot flip."""
        if self.question.test_train_ratio and not self.paired:
            return None
        at, over = positions(self.sides, self.question.fpr)
        (first, a), (second, b) = (side.gains(at) for side in self.sides)
        flips = self._flips(a, b)
        freedom = [side.degrees_of_freedom(len(own)) for side, own in zip(self.sides, (a, b), strict=True)]
        level = self.question.confidence_level
        if self.paired:
            factor: Any = t_quantile(min(freedom), level)
        else:
            spreads = [own.var(axis=0, ddof=1) / len(own) for own in (a, b)]
            dfs = _welch_freedom(spreads, freedom)
            factor = np.array([t_quantile(df, level) for df in dfs])
        is_corrected = bool(self.question.test_train_ratio)
        facts = Compared(
            Measure.TPR,
            Test.NORMAL_MAXIMA if is_corrected else Test.FLIPS,
            self.basis,
            n_flips=0 if flips.is_exact else self.question.n_resamples,
        )
        return self._curve_of(at, over, (first, second), flips, factor * flips.standard_error, facts)


def _welch_freedom(variances: Sequence[Any], freedom: Sequence[float]) -> Any:
    """Welch's degrees of freedom of a sum of variances of means; the least where nothing varies."""
    total = sum(variances)
    with np.errstate(invalid="ignore", divide="ignore"):
        parts = sum(np.asarray(v) ** 2 / f for v, f in zip(variances, freedom, strict=True))
        df = np.where(np.asarray(total) > 0, np.asarray(total) ** 2 / parts, min(freedom))
    return df if df.ndim else float(df)


# One difference, and nothing else
# --------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class PointComparison(Result):
    """What :func:`compare_at` found.

    Attributes
    ----------
    differences : tuple of Difference
        One; at a threshold two, of the FPR and of the TPR.
    n_groups : int or (int, int)
        How many groups; of each model where they are not paired.
    random : {"groups", "cases"}
        What is random.
    paired : bool
        Whether differences are taken within groups (or within cases).
    groups : tuple of str
        The groups that were compared, where they are paired.
    """

    _line = "{random} random: {differences}"

    differences: tuple[Difference, ...]
    n_groups: Any
    random: str
    paired: bool
    groups: tuple[str, ...]


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
    (Difference(TPR at FPR 0.1, new less old: +0.0975 (-0.0530 to +0.2480), p 0.169),)
    """
    question = Question(
        open_share("confidence_level", confidence_level),
        resamples_asked(n_resamples),
        whole_number("seed", seed, least=0, example=0),
        (0.02, 0.5),  # of a difference curve, which is not made here
        ratio_of(test_train_ratio, score_set.design),
        None,
    )
    places = compared_places(at)
    matched = _Matching(score_set, method_of(method), None, "drop", "drop", None)
    both, paired = matched.of((a, b))
    random = matched.what_is_random(both)
    question = over_what(question, random, is_given=test_train_ratio is not None)
    over = _over(matched, both, question, places, random, paired=paired, whole=False)
    if places:
        found = tuple(own for place in places for own in over.at(place))
    else:
        found = (over.area() or over.auc(),)
    groups = over.sides[0].curved.groups if paired else ()
    return PointComparison(found, over.basis.n_groups, random, paired, groups)


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
    Difference(TPR at own thresholds, new less old: +0.1333 (-0.0101 to +0.2768), p 0.0572)
    """
    n, level = len(groups), confidence_level
    ratio = ratio_of(test_train_ratio, design)
    basis = Basis(*models, unit, n, Random.GROUPS, True, Vertical(), design, ratio)
    found = []
    for measure in (Measure.FPR, Measure.TPR):
        own = np.asarray(rates[measure.lower()])
        means = own.mean(axis=1)
        test = paired_tests(own[0][:, None], own[1][:, None], test_train_ratio=ratio)
        errors = own.std(axis=1, ddof=1) * np.sqrt(1 / n + ratio)
        facts = Compared(measure, Test.T, basis, budget=Budget.KEPT, df=n - 1.0)
        each = [about(mean, error, n - 1, level) for mean, error in zip(means, errors, strict=True)]
        found.append(difference_of(facts, means, each, error=float(test.standard_error[0]), level=level))
    return PointComparison(tuple(found), n, Random.GROUPS, True, groups)
