"""Promised and realised: thresholds set on some rows, and what they did on rows that had no say in them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.errors import RocsteadyError
from rocsteady.points.criteria import TargetRate
from rocsteady.points.realised import Realised, realise
from rocsteady.report.summary.comparing.measure import model_name
from rocsteady.report.summary.phrases import Phrase, phrase, plain_text
from rocsteady.report.summary.points.of_other_rows import promised_rates, readings_elsewhere
from rocsteady.report.summary.points.places import criterion_at, kind_of, prevalence_of
from rocsteady.report.summary.points.reading import UNKNOWN, Limits, Reading, limits_of
from rocsteady.report.summary.points.words import in_sentence, place_label
from rocsteady.report.summary.vocabulary import percent
from rocsteady.results import plain_fields
from rocsteady.words import counted, what_is_random

if TYPE_CHECKING:
    from rocsteady.points.criteria import Criterion
    from rocsteady.report.summary.material import Material
    from rocsteady.report.summary.settings import Place
    from rocsteady.scores.score_set import ScoreSet

_MOST_TRIALS = 2000
"""Groups times repeats: more take the luck of the split out of numbers that it hardly touches."""
_MOST_ROWS, _USUAL_REPEATS = 1_000_000, 10
"""Rows times repeats; and from how many repeats on the usual number may be taken."""
_MOST_GROUPS = 1000
"""More groups are not needed for means that are sure to a few per cent of their spread."""
_FEWEST_NEW_GROUPS = 6
"""Groups of which some are held out: half of them set the threshold."""
_NO_WIDTH = 1e-9


@dataclass(frozen=True)
class RealisedRow:
    """One model: what its threshold promised, and what it did.

    Attributes
    ----------
    label : str
        What thresholds were set for.
    model : str
    is_declared : bool
    split : {"rows", "groups", "file"}
        Which rows had no say: others of the same groups, those of other groups, those of another file.
    where : str
        The same in words.
    promised_fpr, promised_tpr : float
        On the rows that set the threshold.
    fpr, tpr : float
        On the others, mean over groups.
    fpr_limits, tpr_limits : (float, float)
    missed : float
        Share of groups that miss the target there (or do worse than promised, where there is no target);
        NaN where that is not known.
    missed_limits : (float, float)
    sentence : Phrase
    """

    label: str
    model: str
    is_declared: bool
    split: str
    where: str
    promised_fpr: float
    promised_tpr: float
    fpr: float
    fpr_limits: Limits
    tpr: float
    tpr_limits: Limits
    missed: float
    missed_limits: Limits
    sentence: Phrase

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can carry."""
        return plain_fields(self) | {"sentence": plain_text(self.sentence)}


@dataclass(frozen=True)
class RealisedPart:
    """What became of thresholds.

    Attributes
    ----------
    rows : tuple of RealisedRow
    explanation : str
        How it was tried, and what is random.
    """

    rows: tuple[RealisedRow, ...]
    explanation: str

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can carry."""
        return {"rows": [row.to_dict() for row in self.rows], "explanation": self.explanation}


def make(material: Material, elsewhere: Material | None = None) -> RealisedPart | None:
    """The part; None where nothing is chosen, or no group has rows to spare."""
    place = material.declared_place
    if kind_of(place) == "threshold" or material.score_set.columns.are_counts:
        return None  # counts have no rows to set apart
    uses = _uses(material)
    if elsewhere is not None:
        rows = [
            _from_elsewhere(material, elsewhere, place, name, use) for use in uses for name in material.names
        ]
        return RealisedPart(tuple(rows), _explanation_elsewhere(material))
    material.settings.say("thresholds tried on rows that had no say in them")
    found: list[tuple[str, str, Realised]] = []
    for use in uses:
        for name in material.names:
            found += [(use, name, own) for own in _tried(material, place, name, use)]
    if not found:
        return None
    rows = [_row(material, place, name, use, own) for use, name, own in found]
    return RealisedPart(tuple(rows), _explanation(material, [own for _, _, own in found]))


def _uses(material: Material) -> tuple[str, ...]:
    """Whose thresholds are tried: "shared", "own", or both where nothing was declared."""
    if not material.is_grouped:
        return ("shared",)
    if material.deployment is None:
        return "shared", "own"
    return ("shared",) if material.deployment.is_shared else ("own",)


def _tried(material: Material, place: Place, name: str, use: str) -> list[Realised]:
    """On other rows of the same groups and, for a shared threshold, in groups that were held out."""
    criterion = criterion_at(place, prevalence_of(material, name)[0])
    own = _some_groups(material, name)
    n_curves = min(len(material.curves(name)), _MOST_GROUPS)
    splits = ["rows"]
    if use == "shared" and n_curves >= _FEWEST_NEW_GROUPS:
        splits.append("groups")
    if criterion is None:
        return []
    found = []
    for split in splits:
        try:
            with material.catching():
                found.append(_try(material, own, criterion, use, split, n_curves))
        except RocsteadyError:  # no group has two cases of each class
            continue
    return found


def _some_groups(material: Material, name: str) -> ScoreSet:
    """The groups of a model, or some of them where there are very many: the same for all models."""
    own, groups = material.of_model(name), material.score_set.groups
    if len(groups) <= _MOST_GROUPS:
        return own
    drawn = np.random.default_rng(material.settings.seed).permutation(len(groups))[:_MOST_GROUPS]
    names = {groups[i] for i in drawn.tolist()}
    return own.take([group for group in own.groups if group in names])


def _try(material: Material, own: Any, criterion: Criterion, use: str, split: str, n_curves: int) -> Realised:
    deployment, settings = material.deployment, material.settings
    affordable = min(_MOST_TRIALS // n_curves, _MOST_ROWS // max(own.columns.n_rows, 1))
    repeats = max(affordable, 1) if affordable < _USUAL_REPEATS else None
    return realise(
        own,
        criterion,
        threshold=use,
        split=split,
        weigh="groups" if deployment is None else deployment.weigh,
        n_repeats=repeats,
        seed=settings.seed,
        undefined="drop",
        confidence_level=settings.confidence_level,
    )


def _row(material: Material, place: Place, name: str, use: str, found: Realised) -> RealisedRow:
    # Equal errors are never quite equal again: that all groups miss them says nothing.
    is_known = len(found.groups) > 1 and kind_of(place) != "eer"
    row = RealisedRow(
        label=_label(material, place, use),
        model=name,
        is_declared=material.deployment is not None and material.place_is_declared,
        split=found.split,
        where=_where(material, found.split),
        promised_fpr=found.promise_on_part.fpr,
        promised_tpr=found.promise_on_part.tpr,
        fpr=found.fpr.mean,
        fpr_limits=_with_width(limits_of(found.fpr.interval)),
        tpr=found.tpr.mean,
        tpr_limits=_with_width(limits_of(found.tpr.interval)),
        missed=found.share_over_budget if is_known else math.nan,
        missed_limits=limits_of(found.share_over_budget_interval) if is_known else UNKNOWN,
        sentence=(),
    )
    return _with_sentence(material, row, is_target=isinstance(found.target, TargetRate))


def _with_sentence(material: Material, row: RealisedRow, *, is_target: bool) -> RealisedRow:
    from dataclasses import replace

    wording = material.wording
    whose = f"{model_name(row.model)}: " if row.model else ""
    promised = f"{wording.fpr.name} {wording.fpr.percent(row.promised_fpr)}, {wording.tpr.name} "
    promised += wording.tpr.percent(row.promised_tpr)
    missed: Any = ""
    if row.missed == row.missed:
        what = "miss the target there" if is_target else "do worse there than promised"
        missed = phrase(" ", ("", percent(row.missed), f" of {wording.units} {what}."))
    said = phrase(
        f"{whose}set for {in_sentence(row.label)}, {wording.cutoff_word}s promised {promised}; on "
        f"{row.where} the {wording.fpr.name} was ",
        ("", wording.fpr.percent(row.fpr), wording.within(wording.fpr, *row.fpr_limits)),
        f" and the {wording.tpr.name} ",
        ("", wording.tpr.percent(row.tpr), wording.within(wording.tpr, *row.tpr_limits)),
        ".",
        missed,
    )
    first = said[0][:1].upper() + said[0][1:] if not whose else said[0]
    return replace(row, sentence=(first, *said[1:]))


def _label(material: Material, place: Place, use: str) -> str:
    question = use if material.is_grouped else "single"
    if use == "shared" and material.declared_key == "pooled":
        question = "pooled"
    return place_label(place, material.wording, question)


def _where(material: Material, split: str) -> str:
    if split == "groups":
        return f"{material.wording.units} that were held out"
    return f"other rows of the same {material.wording.units}" if material.is_grouped else "other rows"


def _with_width(limits: Limits) -> Limits:
    return limits if limits[1] - limits[0] > _NO_WIDTH else UNKNOWN


def _explanation(material: Material, found: list[Realised]) -> str:
    wording = material.wording
    word = wording.cutoff_word
    often = max(own.n_repeats for own in found)
    dealt = "once" if often == 1 else f"{often} times"
    parts = [f"Rows were dealt into halves at random, {dealt}; one half set the {word}, the other tried it."]
    if len(material.score_set.groups) > _MOST_GROUPS:
        parts.insert(0, f"Tried in {counted(_MOST_GROUPS, wording.unit)}, drawn at random.")
    if any(own.split == "groups" for own in found):
        parts.append(f"Held out: half of the {wording.units} set the {word} for the other half.")
    if any(own.by_case for own in found):
        parts.append(
            f"{wording.units.capitalize()} share cases, so all rows of a case went to the same half."
        )
    if any(isinstance(own.target, TargetRate) and own.target.fpr is not None for own in found):
        held = "specificity" if wording.words == "medical" else "false alarm budget"
        parts.append(f"Where a {held} is to be kept, the loosest {word} that keeps it was set.")
    if any(isinstance(own.target, TargetRate) and own.threshold == "own" for own in found):
        parts.append(
            f"By chance alone about half of the {wording.units} miss a target that their own {word}s meet "
            f"on average."
        )
    if wording.is_grouped:
        n = max(len(own.groups) for own in found)
        parts.append(what_is_random(material.score_set.design, n, wording.unit))
        parts.append(
            f"Intervals are of the mean over all deals, which the luck of one choice of a {word} is averaged "
            f"out of."
        )
    parts.append("Rows of a later time may differ more than halves of the same table: drift is not in here.")
    return " ".join(parts)


# Thresholds of another file


def _from_elsewhere(
    material: Material, elsewhere: Material, place: Place, name: str, use: str
) -> RealisedRow:
    key = None if use == "own" else material.declared_key or "threshold"
    here = readings_elsewhere(material, elsewhere, [place], name, key)[0]
    promised_fpr, promised_tpr = promised_rates(elsewhere, here, name)
    missed = _missed(place, here)
    row = RealisedRow(
        label=_label(material, place, use),
        model=name,
        is_declared=material.deployment is not None and material.place_is_declared,
        split="file",
        where="these rows",
        promised_fpr=promised_fpr,
        promised_tpr=promised_tpr,
        fpr=here.fpr,
        fpr_limits=_with_width(here.fpr_limits),
        tpr=here.tpr,
        tpr_limits=_with_width(here.tpr_limits),
        missed=missed if material.is_grouped else math.nan,
        missed_limits=UNKNOWN,
        sentence=(),
    )
    return _with_sentence(material, row, is_target=True)


def _missed(place: Place, here: Reading) -> float:
    """The share of groups whose rate is on the wrong side of the one that was to be met."""
    kind = kind_of(place)
    if kind not in ("fpr", "tpr") or here.own is None or isinstance(place, str):
        return math.nan
    rates = (here.own.fpr if kind == "fpr" else here.own.tpr)[:, 0]
    known = rates[~np.isnan(rates)]
    if known.size < 2:
        return math.nan
    return float(np.mean(known > place[kind] if kind == "fpr" else known < place[kind]))


def _explanation_elsewhere(material: Material) -> str:
    other = material.settings.cutoff_from
    source = f" ({other.source})" if other is not None and other.source else ""
    return (
        f"Thresholds were set on other rows{source} and tried on these, which had no say in them. Intervals "
        f"are for these very thresholds."
    )
