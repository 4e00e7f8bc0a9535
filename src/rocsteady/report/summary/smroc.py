"""What the magnitudes of scores add: the averaged smROC curve of each model beside its own chance curve.

Only where all scores lie between 0 and 1, as probabilities do: a smROC curve takes a score for a confidence.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.average import average
from rocsteady.averaging.directional import SmrocAverage
from rocsteady.curves.smroc import SmrocCurves, mid_word, smroc_curve
from rocsteady.errors import RocsteadyError, RocsteadyWarning
from rocsteady.report.summary.phrases import Phrase, phrase, plain_text
from rocsteady.results import plain_fields
from rocsteady.words import counted, grouped, listed, printable

if TYPE_CHECKING:
    from rocsteady.report.summary.material import Material
    from rocsteady.scores.score_set import ScoreSet

Floats = NDArray[np.float64]

MOST_GROUPS = 2000
"""Groups that are averaged; every curve is an object, and ten thousand would take longer than all else."""
_POSITIONS = 101
_MOST_REASONS = 3
"""Groups without a curve that are named."""


@dataclass(frozen=True)
class ModelSmroc:
    """The averaged smROC curve of one model.

    Attributes
    ----------
    model : str
        Empty if models are not named.
    n_groups, n_all : int
        Groups in the average, and all that there are: of very many, some are drawn by lot.
    smauc, smauc_low, smauc_high : float
        The mean area, with limits for other groups like these (NaN for one group).
    chance : float
        About the mean area of labels dealt at random to the same scores.
    auc : float
        The mean ordinary AUC of the same groups.
    debit, credit, credit_low, credit_high, chance_credit : float64 arrays
        The curve at evenly spaced shares of debit, limits of each point by itself, and the chance curve.
    mid_low, mid_high : float
        Mid decides whether a score agrees with its label; every group has its own.
    n_mid_outside : int
        Groups whose Mid lies outside (0, 1], so that all of their scores count as low, or all as high.
    undefined : tuple of str
        Groups without a curve, and why.
    sentence : Phrase
        What was found.
    """

    model: str
    n_groups: int
    n_all: int
    smauc: float
    smauc_low: float
    smauc_high: float
    chance: float
    auc: float
    debit: Floats
    credit: Floats
    credit_low: Floats
    credit_high: Floats
    chance_credit: Floats
    mid_low: float
    mid_high: float
    n_mid_outside: int
    undefined: tuple[str, ...]
    sentence: Phrase = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can carry."""
        return plain_fields(self) | {"sentence": plain_text(self.sentence)}


@dataclass(frozen=True)
class SmrocPart:
    """smROC curves of all models.

    Attributes
    ----------
    models : tuple of ModelSmroc
        Those that have one.
    unit : str
        The word for a group.
    confidence_level : float
        Of all limits.
    explanation : str
        What such a curve is, and what it is not.
    problems : tuple of str
        Models without a curve, and why.
    """

    models: tuple[ModelSmroc, ...]
    unit: str
    confidence_level: float
    explanation: str
    problems: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can carry."""
        return plain_fields(self) | {"models": [own.to_dict() for own in self.models]}


_EXPLANATION = (
    "A smROC curve (Klement et al.) asks how confident the scores are, not only how they are ordered. A "
    "score that agrees with its label goes up by its size and right by what it lacks of 1; one that "
    "disagrees, the other way round. The axes are shares of credit and debit, not rates of alarms, so no "
    "operating point can be read here. Labels dealt at random give the chance curve, not the diagonal: read "
    "each curve against its own."
)


def make(material: Material) -> SmrocPart | None:
    """The part; None where some score is no share of 1, or no model has a curve."""
    if material.score_set.columns.are_counts or not lies_between_0_and_1(material.score_set):
        return None  # a cell has no magnitudes of single scores
    models: list[ModelSmroc] = []
    problems: list[str] = []
    is_drawn = _by_lot(material)
    for name in material.names:
        try:
            with warnings.catch_warnings():  # what RS260 says is in the sentence
                warnings.simplefilter("ignore", RocsteadyWarning)
                curves = smroc_curve(_some_groups(material.of_model(name), is_drawn), undefined="drop")
        except RocsteadyError as error:  # no group has both credit and debit
            problems.append(f"{printable(name)}: {error.problem}" if name else error.problem)
            continue
        models.append(_of_model(name, curves, material))
    if not models:
        return None
    return SmrocPart(
        tuple(models), material.unit, material.settings.confidence_level, _EXPLANATION, tuple(problems)
    )


def _by_lot(material: Material) -> frozenset[str] | None:
    """The groups that are averaged, the same of all models; None for all of them."""
    groups = material.score_set.groups
    if len(groups) <= MOST_GROUPS:
        return None
    rng = np.random.default_rng(material.settings.seed)
    return frozenset(groups[i] for i in rng.choice(len(groups), MOST_GROUPS, replace=False).tolist())


def _some_groups(own: ScoreSet, drawn: frozenset[str] | None) -> ScoreSet:
    if drawn is None:
        return own
    return own.take([group for group in own.groups if group in drawn])


def lies_between_0_and_1(score_set: ScoreSet) -> bool:
    """Whether every score could be a probability.

    Examples
    --------
    >>> import rocsteady as rs
    >>> lies_between_0_and_1(rs.ScoreSet.from_arrays([1, 0, 1], [0.9, 0.0, 1.0]))
    True
    >>> lies_between_0_and_1(rs.ScoreSet.from_arrays([1, 0, 1], [3, 1, 2]))
    False
    """
    scores = score_set.columns.scores
    return bool(scores.min() >= 0 and scores.max() <= 1)


def _of_model(name: str, curves: SmrocCurves, material: Material) -> ModelSmroc:
    level = material.settings.confidence_level
    found = average(curves, "vertical")
    assert isinstance(found, SmrocAverage)
    roc_curves = material.curves(name)
    ordinary = dict(zip(roc_curves.names, roc_curves.auc.tolist(), strict=True))
    debit = np.linspace(0, 1, _POSITIONS)
    low, high = np.full((2, _POSITIONS), np.nan)
    ends = (float("nan"), float("nan"))
    if found.n_groups > 1:
        band = found.band(kind="pointwise", confidence_level=level)
        low, high = (np.clip(np.interp(debit, e.fpr, e.tpr), 0, 1) for e in (band.lower, band.upper))
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "RS210")  # without a width the sentence has no interval
            interval = found.auc_interval(level)
        ends = (float(interval.low), float(interval.high))
    own = ModelSmroc(
        model=name,
        n_groups=found.n_groups,
        n_all=len(material.score_set.groups),
        smauc=found.auc,
        smauc_low=ends[0],
        smauc_high=ends[1],
        chance=found.chance_auc,
        auc=float(found.weights @ [ordinary[member] for member in found.members]),
        debit=debit,
        credit=np.asarray(found.tpr_at(debit)),
        credit_low=low,
        credit_high=high,
        chance_credit=found.chance_tpr_at(debit),
        mid_low=float(curves.mid.min()),
        mid_high=float(curves.mid.max()),
        n_mid_outside=int(np.count_nonzero((curves.mid <= 0) | (curves.mid > 1))),
        undefined=curves.undefined,
    )
    return replace(own, sentence=_sentence(own, curves.unit, level))


def _sentence(own: ModelSmroc, unit: str, level: float) -> Phrase:
    """The area, what it is to be compared with, and what to know about Mid."""
    whose = f" of {printable(own.model)}" if own.model else ""
    limits = ""
    if own.n_groups > 1:
        groups = counted(own.n_groups, printable(unit))
        if own.n_all > MOST_GROUPS:
            groups = f"{grouped(own.n_groups)} of {counted(own.n_all, printable(unit))} drawn by lot"
        whose += f", averaged over {groups}"
        ends = f"{own.smauc_low:.3f} to {own.smauc_high:.3f}"
        limits = f" ({100 * level:g} % interval {ends})" if own.smauc_low < own.smauc_high else ""
    return phrase(
        (f"The smAUC{whose}{',' if own.n_groups > 1 else ''} is ", f"{own.smauc:.3f}"),
        f"{limits}. Labels dealt at random to the same scores would give about ",
        ("", f"{own.chance:.3f}"),
        f"; the ordinary AUC, which sees the order of the scores only, is {own.auc:.3f}.",
        _about_mid(own, unit),
        _about_undefined(own, unit),
    )


def _about_mid(own: ModelSmroc, unit: str) -> str:
    if own.n_mid_outside == 0:
        return ""
    where = "Mid lies outside 0 to 1"
    if own.n_groups > 1:
        low, high = mid_word(own.mid_low), mid_word(own.mid_high)
        groups = counted(own.n_mid_outside, printable(unit))
        where = f"In {groups} Mid lies outside 0 to 1 (it runs from {low} to {high})"
    side = "low" if own.mid_high > 1 else "high"
    return f" {where}: all scores there count as {side}, so hold smAUC against its chance level."


def _about_undefined(own: ModelSmroc, unit: str) -> str:
    if not own.undefined:
        return ""
    return f" {counted(len(own.undefined), printable(unit))} without a smROC curve: " + (
        f"{listed([printable(reason) for reason in own.undefined], most=_MOST_REASONS)}."
    )
