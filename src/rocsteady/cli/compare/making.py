"""What ``rocsteady compare`` asks of the library, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rocsteady.cli.compare.options import require_thresholds
from rocsteady.errors import fail

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady.averaging.methods import Method
    from rocsteady.cli.requirements import Requirement, Verdict
    from rocsteady.inference.differences import Comparison, Comparisons
    from rocsteady.inference.winner_map import WinnerMap
    from rocsteady.scores import ScoreSet

_USUAL_ALERTS = (0.01, 0.5)


@dataclass(frozen=True)
class Settings:
    """How models are compared."""

    a: str | None
    b: str | None
    method: Method
    at: list[dict[str, Any]]
    ranges: dict[str, Any]
    prevalence: float | None
    random: str | None
    is_unpaired: bool
    unmatched: str
    adjust: str | None
    confidence_level: float
    n_resamples: int
    seed: int

    def of_models(self, a: str | None, b: str | None) -> Settings:
        """The same for these models, whose names are known once the file is."""
        return replace(self, a=a, b=b)


@dataclass(frozen=True, eq=False)
class Compared:
    """All that was found."""

    whole: Comparison | Comparisons
    maps: list[WinnerMap]

    @property
    def pairs(self) -> list[Comparison]:
        """Every pair of models."""
        from rocsteady.inference.differences import Comparison

        return [self.whole] if isinstance(self.whole, Comparison) else list(self.whole)


def make(score_set: ScoreSet, settings: Settings) -> Compared:
    """The comparison and its maps."""
    from rocsteady.inference.compare import compare

    _require_thresholds(score_set, settings)
    whole = compare(
        score_set,
        settings.a,
        settings.b,
        method=settings.method,
        at=settings.at,
        random=settings.random,
        paired=False if settings.is_unpaired else None,
        fpr=settings.ranges["fpr"] or (0.02, 0.5),
        confidence_level=settings.confidence_level,
        n_resamples=settings.n_resamples,
        seed=settings.seed,
        adjust=settings.adjust,
        undefined="drop",
        unmatched=settings.unmatched,
    )
    first = Compared(whole, []).pairs[0]
    _require_no_map(first, settings)
    wanted = _maps_wanted(settings) if first.paired else []
    if first.random == "cases":  # the difference curve over FPR says as much
        wanted = [over for over in wanted if over == "tpr" and settings.ranges[over] is not None]
    return Compared(whole, [_map(score_set, over, settings, first.random) for over in wanted])


def _require_thresholds(score_set: ScoreSet, settings: Settings) -> None:
    names = [name for name in (settings.a, settings.b) if name is not None]
    if set(names) <= set(score_set.models):  # else that is the matter
        require_thresholds(settings.at, names if len(names) == 2 else score_set.models)


def verdicts_of(score_set: ScoreSet, settings: Settings, asked: Sequence[Requirement]) -> list[Verdict]:
    """What each requirement finds, by the average that is compared."""
    from rocsteady.cli.judging import judged

    return judged(
        asked,
        score_set,
        settings.method,
        confidence_level=settings.confidence_level,
        n_resamples=settings.n_resamples,
        seed=settings.seed,
    )


def _maps_wanted(settings: Settings) -> list[str]:
    """What maps run over: what the average holds fixed, and every range that was typed."""
    from rocsteady.averaging.methods import AtAlarmRate, Horizontal, Tangent

    held = "fpr"
    for kind, over in ((Horizontal, "tpr"), (Tangent, "costs"), (AtAlarmRate, "alerts")):
        if isinstance(settings.method, kind):
            held = over
    if held == "costs" and settings.ranges["costs"] is None:
        held = "fpr"
    return list(
        dict.fromkeys([held, *(name for name, value in settings.ranges.items() if value is not None)])
    )


def _require_no_map(first: Comparison, settings: Settings) -> None:
    """RS064 if somebody asked who wins over costs or alerts where that cannot be told."""
    if first.paired and first.random == "groups":
        return
    for over in ("costs", "alerts", *(() if first.paired else ("tpr",))):
        if settings.ranges[over] is not None:
            n = first.n_groups if isinstance(first.n_groups, int) else sum(first.n_groups)
            raise fail("RS064.map-of-cases", over=over, unit=first.unit, n=n, is_paired=first.paired)


def _map(score_set: ScoreSet, over: str, settings: Settings, random: str) -> WinnerMap:
    from rocsteady.averaging.methods import AlongDirection, Pooled, Tangent, Threshold
    from rocsteady.inference.winner_map import winner_map

    given = settings.ranges[over]
    if over == "alerts" and given is None:
        given = _USUAL_ALERTS
    # One that holds something else fixed, or tunes to costs, is no average to be read at this rate. One
    # threshold for all, if declared, is never swapped for one of each group: another model may win.
    is_read = over in ("fpr", "tpr") and not isinstance(settings.method, AlongDirection | Tangent)
    shares_threshold = is_read or isinstance(settings.method, Pooled | Threshold)
    names = (settings.a, settings.b) if settings.b is not None or len(score_set.models) == 2 else (None, None)
    return winner_map(
        score_set,
        *names,
        over=over,
        **({} if given is None else {over: given}),
        prevalence=settings.prevalence if over in ("costs", "alerts") else None,
        random=random,
        method=settings.method if shares_threshold or _holds(settings.method, over) else None,
        confidence_level=settings.confidence_level,
        n_resamples=settings.n_resamples,
        seed=settings.seed,
        undefined="drop",
        unmatched=settings.unmatched,
    )


def _holds(method: Method, over: str) -> bool:
    from rocsteady.averaging.methods import Horizontal, Vertical

    return isinstance(method, {"fpr": Vertical, "tpr": Horizontal}.get(over, ()))
