"""Cut-offs of all models of a file: what was asked of the library, and what it answered."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady.cli.cutoff.criteria import Wanted
from rocsteady.cli.cutoff.trivial import trivial_together
from rocsteady.cli.cutoff.words import has_width
from rocsteady.errors import fail

if TYPE_CHECKING:
    from rocsteady.points.cutoffs import CorrectedCutoff, Cutoff, CutoffIntervals
    from rocsteady.points.measures import TwoByTwo
    from rocsteady.points.realised import Realised
    from rocsteady.points.tables import Neighbourhood
    from rocsteady.scores import ScoreSet
    from rocsteady.statistics.limits import Interval


@dataclass(frozen=True)
class Settings:
    """How cut-offs are chosen and judged."""

    is_shared: bool
    weigh: str
    prevalence: float | None
    confidence_level: float
    n_resamples: int
    seed: int
    n_points: int
    only_overview: bool


@dataclass(frozen=True, eq=False)
class Shown:
    """One cut-off of one curve, and what is known about it.

    Attributes
    ----------
    wanted : Wanted
        What was asked for.
    cutoff : Cutoff or None
        As it was chosen; None if the threshold was given.
    threshold, rule, fpr, tpr
        The cut-off and its rates on the rows that judge it.
    value : float or None
        What the criterion gives on the same rows; ``cutoff.value`` is that of the rows that chose.
    table : TwoByTwo
        On the same rows.
    counts : TwoByTwo or None
        The same with the rows counted, also where ``table`` has mean rates of groups.
    fpr_interval, tpr_interval : Interval or None
        At this very threshold; None where all groups are alike, and their spread of 0 is no certainty. Of a
        cut-off that these rows chose they are around the corrected rates.
    corrected : CorrectedCutoff or None
        What to expect on new rows, of a cut-off that these rows chose.
    as_good : tuple of (threshold, fpr, tpr)
        Others that the criterion likes as much, with their rates where it was chosen.
    anew : CutoffIntervals or None
        Chosen again in resamples; a rate that is the same in all of them has none.
    neighbourhood : Neighbourhood or None
        Which other cut-offs are told apart from it.
    held_out : Realised or None
        Chosen on one half, tried on the other.
    """

    wanted: Wanted
    cutoff: Cutoff | None
    threshold: float
    rule: str
    fpr: float
    tpr: float
    table: TwoByTwo
    fpr_interval: Interval | None
    tpr_interval: Interval | None
    corrected: CorrectedCutoff | None = None
    value: float | None = None
    as_good: tuple[tuple[float, float, float], ...] = ()
    counts: TwoByTwo | None = None
    anew: CutoffIntervals | None = None
    neighbourhood: Neighbourhood | None = None
    held_out: Realised | None = None

    @property
    def alike(self) -> Any:
        """The thresholds that decide alike on the rows the cut-off was chosen on; None if it was given."""
        return None if self.cutoff is None else self.cutoff.threshold_interval


@dataclass(frozen=True, eq=False)
class Made:
    """One model: its shared cut-offs, or those of every group for each that was wanted."""

    model: str
    score_set: ScoreSet
    curve: Any
    shown: list[Shown]
    by_group: list[tuple[str, list[Shown]]]
    realised: list[Realised | None]


def make(
    score_set: ScoreSet,
    chosen_on: ScoreSet | None,
    wanted: list[Wanted],
    settings: Settings,
    chosen: Sequence[str] = (),
) -> list[Made]:
    """The cut-offs of these models, or of all; ``chosen_on`` are the scores of another file, if they do."""
    if chosen_on is not None and set(chosen or score_set.models) - set(chosen_on.models):
        lacking = sorted(set(chosen or score_set.models) - set(chosen_on.models))
        raise fail("RS002.cutoff-from-lacks", what="model", names=lacking, option="--model")
    names = chosen or (score_set.models if len(score_set.models) > 1 else ("",))
    found = []
    for name in names:
        own = score_set.model(name) if name else score_set
        other = chosen_on.model(name) if name and chosen_on is not None else chosen_on
        one = _shared if settings.is_shared else _own
        found.append(one(name, own, other, wanted, settings))
    return found


def _shared(
    name: str, own: ScoreSet, other: ScoreSet | None, wanted: list[Wanted], settings: Settings
) -> Made:
    curve = shared_curve(own, settings.weigh)
    chooses = curve if other is None else shared_curve(other, settings.weigh)
    shown = [_judged(one, chooses, curve, own, settings) for one in wanted]
    return Made(name, own, curve, shown, [], [])


def shared_curve(own: ScoreSet, weigh: str) -> Any:
    """The curve of the rows, or the average of groups that share a threshold."""
    from rocsteady.averaging.average import average
    from rocsteady.curves.curve_set import roc_curves

    if len(own) == 1:
        return roc_curves(own)[0]
    return average(own, "pooled" if weigh == "rows" else "threshold", undefined="drop")


def _judged(one: Wanted, chooses: Any, curve: Any, own: ScoreSet, settings: Settings) -> Shown:
    """A cut-off chosen on one curve and judged on another, or on the same."""
    shown = _on(one, chooses, curve, settings)
    if settings.only_overview:
        return shown
    from dataclasses import replace

    from rocsteady.points.realised import realise

    anew = held_out = None
    if shown.cutoff is not None and settings.n_resamples:
        anew = shown.cutoff.intervals(settings.confidence_level, settings.n_resamples, settings.seed)
        anew = replace(anew, fpr=_with_width(anew.fpr), tpr=_with_width(anew.tpr))
    if shown.cutoff is not None and chooses is curve and _can_be_halved(own):
        held_out = realise(
            own,
            one.criterion(settings.prevalence),
            threshold="shared",
            weigh=settings.weigh,
            seed=settings.seed,
            undefined="drop",
            confidence_level=settings.confidence_level,
        )
    return replace(
        shown,
        counts=_counts(shown, own),
        anew=anew,
        held_out=held_out,
        neighbourhood=_neighbourhood(shown, own, settings),
    )


def _counts(shown: Shown, own: ScoreSet) -> TwoByTwo:
    """All rows counted at the cut-off, whatever groups they are in."""
    from rocsteady.points.cutoffs import table_at

    if shown.table.tp is not None:
        return shown.table
    return table_at(shared_curve(own, "rows"), shown.threshold, shown.rule, None, 0.95, "wilson")


def _can_be_halved(own: ScoreSet) -> bool:
    return bool(((own.n_positives > 1) & (own.n_negatives > 1)).any())


def _on(one: Wanted, chooses: Any, curve: Any, settings: Settings) -> Shown:
    from rocsteady.points.cutoffs import choose_cutoff, table_at

    level = settings.confidence_level
    rates: Any
    value = found = None
    if one.is_given:
        cutoff, threshold = None, float(one.value)
        rule = ">=" if _higher(curve) else "<="
        rates = curve.rates_at(threshold, rule=rule)
        table = table_at(curve, threshold, rule, settings.prevalence, level, "wilson")
    else:
        cutoff = choose_cutoff(chooses, one.criterion(settings.prevalence))
        threshold, rule = cutoff.threshold, cutoff.rule
        rates = cutoff if curve is chooses else cutoff.on(curve)
        asked: dict[str, Any] = {"confidence_level": level}
        if curve is chooses:
            asked |= {"n_resamples": settings.n_resamples, "seed": settings.seed}
            found = cutoff.corrected(**asked) if settings.n_resamples else None
        with _said_once(found):
            table, value = rates.two_by_two(settings.prevalence, **asked), rates.value
    if found is not None:
        fpr_interval, tpr_interval = _with_width(found.fpr_interval), _with_width(found.tpr_interval)
    elif cutoff is not None and curve is chooses:
        fpr_interval = tpr_interval = None
    elif hasattr(curve, "at") and curve.n_groups > 1:
        point = curve.at(threshold=threshold, confidence_level=level)
        fpr_interval, tpr_interval = _with_width(point.fpr_interval), _with_width(point.tpr_interval)
    else:
        fpr_interval, tpr_interval = _complement(table.specificity_interval), table.sensitivity_interval
    return Shown(
        wanted=one,
        cutoff=cutoff,
        threshold=threshold,
        rule=rule,
        fpr=float(rates.fpr),
        tpr=float(rates.tpr),
        table=table,
        fpr_interval=fpr_interval,
        tpr_interval=tpr_interval,
        corrected=found,
        value=value,
        as_good=() if cutoff is None else _ties(chooses, cutoff),
    )


@contextmanager
def _said_once(found: CorrectedCutoff | None) -> Iterator[None]:
    """The table is made from the same resamples as the rates: what is to be said of them was said."""
    with warnings.catch_warnings():
        if found is not None:
            warnings.filterwarnings("ignore", message="RS2(42|70)")
        yield


def _with_width(interval: Interval | None) -> Interval | None:
    """The interval of a rate, unless it has no width: groups that agree do not make it certain."""
    return interval if interval is not None and has_width(interval) else None


def _ties(curve: Any, cutoff: Cutoff) -> tuple[tuple[float, float, float], ...]:
    others = cutoff.all_optima[1:]
    columns = (curve.thresholds[others], curve.fpr[others], curve.tpr[others])
    return tuple(zip(*(column.tolist() for column in columns), strict=True))


def _complement(interval: Interval | None) -> Interval | None:
    from dataclasses import replace

    return interval and replace(interval, low=1 - interval.high, high=1 - interval.low)


def _higher(curve: Any) -> bool:
    from rocsteady.points.criteria import is_high_positive

    return is_high_positive(curve)


def _neighbourhood(shown: Shown, own: ScoreSet, settings: Settings) -> Neighbourhood | None:
    """The chosen cut-off among others; none where there are no groups to judge by."""
    from rocsteady.points.tables import neighbourhood_of

    return neighbourhood_of(
        own,
        shown.threshold,
        rule=shown.rule,
        n_points=settings.n_points,
        alpha=1 - settings.confidence_level,
    )


def _own(name: str, own: ScoreSet, other: ScoreSet | None, wanted: list[Wanted], settings: Settings) -> Made:
    """One cut-off for every group, and what such cut-offs did on rows that had no say in them."""
    from rocsteady.curves.curve_set import roc_curves
    from rocsteady.points.realised import realise

    curves = roc_curves(own, undefined="drop")
    elsewhere = _by_name(roc_curves(other, undefined="drop")) if other is not None else None
    groups = _by_name(curves)
    if elsewhere is not None and set(groups) - set(elsewhere):
        names = [group for group in groups if group not in elsewhere]
        raise fail("RS002.cutoff-from-lacks", what=own.unit, names=names, option="--deploy own")
    by_group = []
    with trivial_together(own.unit, len(groups)) as in_group:
        for group, curve in groups.items():
            chooses = curve if elsewhere is None else elsewhere[group]
            with in_group(group):
                by_group.append((group, [_on(one, chooses, curve, settings) for one in wanted]))
    realised = [
        None
        if one.is_given or other is not None or not _can_be_halved(own)
        else realise(
            own,
            one.criterion(settings.prevalence),
            seed=settings.seed,
            undefined="drop",
            confidence_level=settings.confidence_level,
        )
        for one in wanted
    ]
    return Made(name, own, None, [], by_group, realised)


def _by_name(curves: Any) -> dict[str, Any]:
    return {str(curve.name): curve for curve in curves}
