"""Figures of cut-offs: on their curve, and among others that cannot be told apart from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady.cli.cutoff.criteria import Wanted, usual, wanted_cutoffs
from rocsteady.cli.cutoff.making import Settings, make, shared_curve
from rocsteady.cli.plot.panels import Drawn, about, of_models, panels, require_groups, scores_of
from rocsteady.errors import fail
from rocsteady.words import counted, listed, printable

if TYPE_CHECKING:
    from rocsteady.cli.plot.asked import Asked
    from rocsteady.points.cutoffs import Cutoff
    from rocsteady.scores import ScoreSet

_N_POINTS = 30


def draw_cutoffs(score_set: ScoreSet, asked: Asked) -> Drawn:
    """The chosen cut-offs on the curve, with the intervals they have if chosen again."""
    from rocsteady.plots.cutoffs import cutoffs

    wanted = wanted_cutoffs(None, list(asked.at), asked.declared.costs) or usual()
    for one in wanted:
        if one.is_given:
            raise fail("RS092.given-cutoff", text=one.text)
    found = {name: _chosen(own, wanted, asked) for name, own in scores_of(score_set, asked).items()}

    def draw(given: Any, **look: Any) -> Any:
        curve, chosen, anew = given
        options: Any = {"confidence_level": asked.confidence_level, **asked.vocabulary, **look}
        return cutoffs(curve, chosen, intervals=anew, **options)

    told = [f"Drawn: the cut-offs {listed([one.text for one in wanted])}{of_models(list(found))}."]
    for name, (_, chosen, _) in found.items():
        told += [_sentence(name, one, cutoff) for one, cutoff in zip(wanted, chosen, strict=True)]
    return Drawn(panels(found, draw, asked), told)


def _chosen(own: ScoreSet, wanted: list[Wanted], asked: Asked) -> tuple[Any, list[Cutoff], list[Any]]:
    """The curve that all groups share, the cut-offs on it, and the intervals they have if chosen again."""
    from rocsteady.points.cutoffs import choose_cutoff

    weigh = asked.declared.weigh
    curve = shared_curve(own, "groups" if weigh is None else weigh.value)
    chosen = [choose_cutoff(curve, one.criterion(asked.declared.prevalence)) for one in wanted]
    return curve, chosen, [one.intervals(asked.confidence_level, seed=asked.seed) for one in chosen]


def _sentence(name: str, one: Wanted, cutoff: Cutoff) -> str:
    who = f"{printable(name)}, {one.text}" if name else one.text
    rule = f"call positive when the score is {cutoff.rule} {cutoff.threshold:.6g}"
    return f"{who}: {rule}; FPR {cutoff.fpr:.3f}, TPR {cutoff.tpr:.3f}."


def draw_points(score_set: ScoreSet, asked: Asked) -> Drawn:
    """Operating points with their spread over groups; those not told apart from a chosen one, if any."""
    from rocsteady.plots.operating_points import operating_points

    require_groups(score_set, "the curve by itself:  --figure cutoffs")
    wanted = wanted_cutoffs(None, list(asked.at), asked.declared.costs)
    if len(wanted) > 1:
        raise fail("RS042.one-point", given=", ".join(one.text for one in wanted), first=wanted[0].text)
    found = {name: _table(own, wanted, asked) for name, own in scores_of(score_set, asked).items()}
    bars: Any = {"bars": "interval", "confidence_level": asked.confidence_level}

    def draw(given: Any, **look: Any) -> Any:
        table, comparison = given
        return operating_points(table, comparison=comparison, **bars, **asked.vocabulary, **look)

    first = next(iter(found.values()))[0]
    n = counted(len(first.folds), printable(first.unit))
    told = [
        f"Drawn: {counted(len(first.points), 'operating point')}{of_models(list(found))}, averaged over {n}."
    ]
    for name, (_, comparison) in found.items():
        if comparison is not None:
            told.append(about(name, comparison.reading))
    return Drawn(panels(found, draw, asked), told)


def _table(own: ScoreSet, wanted: list[Wanted], asked: Asked) -> tuple[Any, Any]:
    """Operating points, and the comparison of the one that was named."""
    from rocsteady.points.tables import average_operating_points, only_with_curve

    if not wanted:
        return average_operating_points(only_with_curve(own), thresholds=_N_POINTS), None
    (made,) = make(own, None, wanted, _settings(asked))
    (shown,) = made.shown
    assert shown.neighbourhood is not None
    return shown.neighbourhood.table, shown.neighbourhood.by_tpr


def _settings(asked: Asked) -> Settings:
    return Settings(
        is_shared=True,
        weigh="groups",
        prevalence=asked.declared.prevalence,
        confidence_level=asked.confidence_level,
        n_resamples=0,
        seed=asked.seed,
        n_points=_N_POINTS,
        only_overview=False,
    )
