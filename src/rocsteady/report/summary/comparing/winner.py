"""Who wins where: the difference of models along the operating range, with regions that hold all at once."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.advice.deployment import Line
from rocsteady.errors import RocsteadyError
from rocsteady.inference.winner_map import WinnerMap, winner_map
from rocsteady.report.summary.comparing.given import is_given
from rocsteady.report.summary.comparing.measure import line_of, model_name
from rocsteady.report.summary.comparing.setting import catching, test_train_ratio
from rocsteady.report.summary.comparing.words import exact, threshold_word
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.phrases import Phrase, Text, phrase, sentences
from rocsteady.report.summary.unit_words import on
from rocsteady.report.summary.vocabulary import Wording, percent
from rocsteady.results import Result
from rocsteady.words import cost_ratio, grouped, listed

Floats = NDArray[np.float64]

_MANY_GROUPS, _FEWER_RESAMPLES = 1000, 500
"""Signs of so many groups need not be flipped so often; the sentence says how often."""
_MANY_ROWS, _FEWEST_RESAMPLES = 50_000, 200
"""The same of resampled cases."""
_USUAL = {"fpr": (0.02, 0.5), "tpr": (0.5, 0.98)}
_AROUND = 4.0
"""How far a map reaches to either side of a declared budget, as a factor."""
_MOST_REGIONS = 3


@dataclass(frozen=True)
class Region(Result):
    """A part of the range, in positions; nobody wins it where ``winner`` is empty."""

    low: float
    high: float
    winner: str


@dataclass(frozen=True, eq=False)
class Winner(Result):
    """Who wins where.

    Attributes
    ----------
    over : {"fpr", "tpr", "costs", "alerts"}
        What the map runs along.
    axis, gain : str
        What positions are and what an advantage counts, in the words of the report.
    x : float64 array
        Rates, ratios of costs (false negative to false positive) or shares of alerts, as computed.
    models : tuple of str
        Two or more.
    a, b : str
        Whose advantage it is, over whom; of many models the best one by itself over the best of the others.
    advantage, lower, upper : float64 arrays
        The mean over groups, positive where ``a`` is better, and limits for the whole range at once.
    regions : tuple of Region
        The range in parts.
    is_share : bool
        Whether an advantage is in percentage points.
    at : float
        The declared point; NaN where it is not on this axis.
    n_resamples : int
        How often signs were flipped, or cases drawn.
    sentence : Phrase
        The same in words.
    """

    over: str
    axis: str
    gain: str
    x: Floats
    models: tuple[str, ...]
    a: str
    b: str
    advantage: Floats
    lower: Floats
    upper: Floats
    regions: tuple[Region, ...]
    is_share: bool
    at: float
    n_resamples: int
    sentence: Phrase


def make(material: Material) -> Winner | None:
    """The map along what the deployment holds; None without a deployment, and where none can be made."""
    if len(material.names) < 2 or (material.deployment is None and not material.is_alone):
        return None
    place = line_of(material)
    asked = _asked(material, place)
    if asked is None:
        return None
    n_resamples = _resamples(material)
    settings = material.settings
    try:
        with catching(material), _noting() as codes:
            found = winner_map(
                material.score_set,
                **asked,
                confidence_level=settings.confidence_level,
                n_resamples=n_resamples,
                seed=settings.seed,
                test_train_ratio=test_train_ratio(material),
                undefined="drop",
                unmatched="drop",
            )
    except RocsteadyError:  # cases that cannot be resampled along this axis, or models that share no group
        return None
    place = None if is_given(material) else place
    return _made(material, found, place, n_resamples, is_rough="RS283" in codes)


@contextmanager
def _noting() -> Iterator[set[str]]:
    """The codes of the warnings met; they are issued all the same."""
    codes: set[str] = set()
    with warnings.catch_warnings(record=True) as met:
        warnings.simplefilter("always")
        yield codes
    for each in met:
        codes.add(getattr(each.message, "code", ""))
        warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)


def _resamples(material: Material) -> int:
    rows = material.score_set.columns.n_cases
    if material.is_alone and rows > _MANY_ROWS:
        return min(material.settings.n_resamples, _FEWEST_RESAMPLES)
    many = len(material.score_set.groups) > _MANY_GROUPS
    return min(material.settings.n_resamples, _FEWER_RESAMPLES) if many else material.settings.n_resamples


def _asked(material: Material, place: Line | None) -> dict[str, Any] | None:
    """What the map runs along, from where to where: told by the declaration alone."""
    key = material.declared_key
    method = material.method(key) if key is not None and not material.is_alone else None
    if place is not None and place.held == "cost" and place.costs is not None:
        ratio = place.costs.false_negative / place.costs.false_positive if place.costs.false_positive else 0.0
        ends = None if material.deployment is None else material.deployment.cost_range
        if ends is None and not 0 < ratio < np.inf:
            return None
        costs = ends or ((1.0, ratio / _AROUND), (1.0, ratio * _AROUND))
        return {
            "over": "costs",
            "costs": costs,
            "prevalence": place.costs.prevalence,
            "method": _shared(method),
        }
    if place is not None and place.held == "alerts":
        alerts = (place.target / _AROUND, min(place.target * _AROUND, 0.9))
        return {"over": "alerts", "alerts": alerts, "prevalence": place.along[1], "method": _shared(method)}
    over = "tpr" if place is not None and place.held == "tpr" else "fpr"
    return {"over": over, over: _range(over, place), "method": None if method in ("tangent",) else method}


def _shared(method: Any) -> Any:
    """An average with one threshold for all; otherwise every group is tuned to what the map runs along."""
    return method if method in ("threshold", "pooled") else None


def _range(over: str, place: Line | None) -> tuple[float, float]:
    low, high = _USUAL[over]
    if place is None or place.held != over:
        return low, high
    at = place.target
    if over == "fpr" and 0 < at < low:
        return at / _AROUND, max(10 * at, low)
    if over == "tpr" and high < at < 1:
        return low, 1 - (1 - at) / _AROUND
    return min(low, at) or low, max(high, at if at < 1 else high)


def _made(
    material: Material, found: WinnerMap, place: Line | None, n_resamples: int, *, is_rough: bool
) -> Winner:
    wording = material.wording
    a, b, lead = found.models[0], found.models[1], None
    if len(found.models) > 2:
        a = max(found.models, key=lambda name: float(np.mean(found.lead(name).advantage)))
        b, lead = "", found.lead(a)
    of: Any = lead or found.pairs[0]
    at = float("nan")
    if place is not None and place.held == found.over:
        at = place.target
    elif place is not None and found.over == "costs" and place.costs is not None:
        at = place.costs.false_negative / max(place.costs.false_positive, 1e-300)
    regions = tuple(Region(own.low, own.high, own.winner or "") for own in found.regions)
    has_limits = bool(np.isfinite(of.upper - of.lower).any())
    return Winner(
        over=found.over,
        axis=_axis(found.over, wording),
        gain=_gain(found.over, wording),
        x=found.position,
        models=found.models,
        a=a,
        b=b,
        advantage=of.advantage,
        lower=of.lower,
        upper=of.upper,
        regions=regions,
        is_share=found.over != "costs",
        at=at,
        n_resamples=n_resamples,
        sentence=sentences(
            _who_wins(material, found, regions),
            _how_sure(material, found, n_resamples, is_rough=is_rough)
            if has_limits
            else _why_none(material, found),
        ),
    )


def _axis(over: str, wording: Wording) -> str:
    words = {"fpr": wording.fpr.axis, "tpr": wording.tpr.axis, "alerts": "Share of cases called positive"}
    return words.get(over, "Costs, " + " : ".join(wording.error_names))


def _gain(over: str, wording: Wording) -> str:
    if over == "costs":
        return "cost per case saved"
    rate = wording.fpr if over == "tpr" else wording.tpr
    saved = rate.is_rest != (over == "tpr")
    return f"{rate.short} {'saved' if saved else 'gained'} (points)"


def position_words(over: str, position: float, wording: Wording) -> str:
    """A position without its unit."""
    if over == "costs":
        return cost_ratio(position)
    shown = {"fpr": wording.fpr, "tpr": wording.tpr}
    rate = shown[over].shown(position) if over in shown else position
    return exact(
        float(f"{rate:.3g}") if rate < 0.9 or position > 0.9 else round(rate, 3 if position > 0.01 else 5)
    )


def _who_wins(material: Material, found: WinnerMap, regions: tuple[Region, ...]) -> Text:
    wording = material.wording
    names = {"fpr": wording.fpr.name, "tpr": wording.tpr.name, "costs": "costs", "alerts": "alerts"}
    if wording.words != "ml":
        names["alerts"] = "shares called positive"
    unit = f"{'an' if names[found.over][0] in 'aeiou' else 'a'} {names[found.over]} of"
    unit = unit if found.over in ("fpr", "tpr") else names[found.over] + " of"
    ends = [position_words(found.over, end, wording) for end in (regions[0].low, regions[-1].high)]
    said: list[Text] = []
    for winner in found.winners:
        own = [region for region in regions if region.winner == winner]
        share = found.winner.count(winner) / len(found.winner)
        where = _spans(found.over, own, wording, unit, share)
        said.append(phrase(("", model_name(winner)), " is better ", where))
    if not said:
        who = "neither model is shown to be better"
        if len(found.models) > 2:
            who = "no model is shown to be better than all others"
        return f"From {unit} {ends[0]} to {ends[1]} {who}."
    joined = [part for i, each in enumerate(said) for part in ((", " if i else ""), each)]
    rest = "" if found.is_decided else f"; elsewhere from {ends[0]} to {ends[1]} that is undecided"
    return phrase(*joined, f"{rest}.")


def _why_none(material: Material, found: WinnerMap) -> str:
    """Why there are no limits: too few groups to decide anything, or nothing that varies between them."""
    units, unit = material.wording.units, material.unit
    if found.random != "cases" and not found.can_decide:
        return (
            f"There are too few {units} for limits over a whole range, which flip the signs of their "
            "differences; a comparison at one point is not concerned."
        )
    if not any(pair.advantage.any() for pair in found.pairs):
        who = "the cases" if found.random == "cases" else f"any {unit}"
        return f"There are no limits: the models do not differ {on(unit)} {who} anywhere in this range."
    return f"There are no limits: the differences of the {units} show no spread to make them from."


def _how_sure(material: Material, found: WinnerMap, n_resamples: int, *, is_rough: bool) -> Text:
    wording, level = material.wording, f"{100 * found.confidence_level:g} %"
    random = "cases" if found.random == "cases" else wording.units
    fewer = n_resamples < material.settings.n_resamples
    how = f" ({grouped(n_resamples)} resamples)" if fewer else ""
    like = f"for other {random} like these"
    sure = f"These limits hold over the whole range at once, at {level} confidence, {like}"
    if is_rough:
        sure = (
            f"These limits are meant to hold over the whole range at once, {like}; with so few "
            f"{wording.units} of different score levels they do so less often than at {level} (RS283)"
        )
    wider = (
        "" if found.is_decided else "Limits for the whole range at once are wider than those at one point."
    )
    word = threshold_word(wording)
    anew = f"Along the range {word}s are set on these rows, not on the others." if is_given(material) else ""
    return sentences(f"{sure}{how}.", wider, anew)


def _spans(over: str, regions: list[Region], wording: Wording, unit: str, share: float) -> str:
    """Where a model wins: its regions one by one, or, of many, between which ends."""
    if len(regions) > _MOST_REGIONS:
        low, high = (position_words(over, end, wording) for end in (regions[0].low, regions[-1].high))
        return f"on {percent(share)} of the range, in {len(regions)} parts between {unit} {low} and {high}"
    parts = []
    for i, region in enumerate(regions):
        low, high = (position_words(over, end, wording) for end in (region.low, region.high))
        head = f"{unit} " if i == 0 else ""
        parts.append(f"at {head}{low}" if low == high else f"from {head}{low} to {high}")
    return listed(parts)
