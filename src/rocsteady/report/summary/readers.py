"""A reader study: the same named cases rated by several groups, so that readers and cases are both random."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.inference.differences import Difference
from rocsteady.readers.compare import ReaderComparison, ReaderSummary
from rocsteady.report.summary.comparing.measure import Measure
from rocsteady.report.summary.points.words import shown_name
from rocsteady.report.summary.reader_study import ReaderStudy, curve_of, study_of
from rocsteady.results import plain_fields
from rocsteady.show.sentences.readers import (
    notes_of_comparison,
    of_answer,
    of_design,
    said,
    statistic_words,
)
from rocsteady.words import plural, printable

if TYPE_CHECKING:
    from rocsteady.curves.roc import RocCurve
    from rocsteady.readers.curves import ReaderAverageCurve
    from rocsteady.report.summary.material import Material

Floats = NDArray[np.float64]
Line = tuple[Floats, Floats]

MOST_LINES = 24
"""Curves of single readers that are drawn."""
_MOST_VERTICES = 401
_MOST_DRAWN = 201
"""Vertices of an average curve, and of one that is only drawn; beyond, rates are evenly spaced."""
_AUC = Measure("auc", "mean AUC", "AUC", "", False, False, False)
_COVARIANCES = {
    "delong": "the method of DeLong, DeLong and Clarke-Pearson",
    "jackknife": "leaving out one case at a time",
    "bootstrap": "resampled cases",
    "unbiased": "U-statistics",
}


@dataclass(frozen=True)
class Modality:
    """The readers of one modality.

    Attributes
    ----------
    model : str
        Its name; empty if there is one without a name.
    n_readers, n_cases : int
        How many there are.
    mean, low, high : float
        The mean AUC of its readers, with limits for other readers and cases.
    reader_sd : float
        How much readers differ beyond the luck of their cases; NaN where that is not known.
    fpr, tpr : float64 arrays
        The average curve, at equal false positive rates.
    band_fpr, tpr_low, tpr_high : float64 arrays
        Limits of each point by itself; NaN where too few cases decide.
    tenths : (11,) float64 array
        The true positive rate at false positive rates of 0, 0.1, ..., 1.
    """

    model: str
    n_readers: int
    n_cases: int
    mean: float
    low: float
    high: float
    reader_sd: float
    fpr: Floats
    tpr: Floats
    band_fpr: Floats
    tpr_low: Floats
    tpr_high: Floats
    tenths: Floats
    _lines: tuple[Line, ...] = field(default=(), repr=False)

    @property
    def lines(self) -> tuple[Line, ...]:
        """Curves of single readers, for drawing."""
        return self._lines


@dataclass(frozen=True)
class ModalityDifference:
    """The means of two modalities compared: the first less the second."""

    a: str
    b: str
    difference: float
    low: float
    high: float
    pvalue: float
    adjusted_pvalue: float


@dataclass(frozen=True)
class Component:
    """One part of the variance: its symbol, its size and what it means."""

    symbol: str
    value: float
    meaning: str


@dataclass(frozen=True)
class ReadersPart:
    """What a reader study shows.

    Attributes
    ----------
    unit : str
        The word for a reader.
    readers : tuple of str
        Who took part.
    modalities : tuple of Modality
        One for each model.
    values : (modalities, readers) float64 array
        The AUC of every reader; NaN where there is none.
    differences : tuple of ModalityDifference
        Of all pairs of modalities; empty for one modality.
    test : str
        Of no difference at all, with its degrees of freedom; empty for one modality.
    pvalue : float
        Of that test.
    components : tuple of Component
        Where the variance comes from.
    assumptions : tuple of str
        What the numbers rest on, in words.
    sentence : str
        The answer.
    confidence_level : float
        Of all limits.
    problem : str
        Why there is no analysis; empty where there is one.
    """

    unit: str
    readers: tuple[str, ...]
    modalities: tuple[Modality, ...] = ()
    values: Floats = field(default_factory=lambda: np.empty((0, 0)))
    differences: tuple[ModalityDifference, ...] = ()
    test: str = ""
    pvalue: float = float("nan")
    components: tuple[Component, ...] = ()
    assumptions: tuple[str, ...] = ()
    sentence: str = ""
    confidence_level: float = 0.95
    problem: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can carry."""
        return plain_fields(self)


def make(material: Material) -> ReadersPart | None:
    """The part; None unless named cases were rated by several groups."""
    study = study_of(material)
    if study is None:
        return None
    if study.problem:
        return ReadersPart(material.score_set.unit, material.score_set.groups, problem=study.problem)
    with material.catching():
        return _analysed(material, study)


def _analysed(material: Material, analysis: ReaderStudy) -> ReadersPart:
    settings, found, summary = material.settings, analysis.found, analysis.summary
    assert summary is not None
    study = found or summary
    return ReadersPart(
        unit=study.unit,
        readers=study.readers,
        modalities=tuple(_modality(name, analysis, material) for name in study.modalities),
        values=study.values,
        differences=() if found is None else tuple(map(_difference, found.differences)),
        test="" if found is None else statistic_words(found.statistic, found.df),
        pvalue=float("nan") if found is None else float(found.pvalue),
        components=_of_one(summary) if found is None else _of_several(found),
        assumptions=_assumptions(study),
        sentence=_sentence(summary, found, is_declared=not _is_other_declared(material)),
        confidence_level=settings.confidence_level,
    )


def _modality(name: str, analysis: ReaderStudy, material: Material) -> Modality:
    summary, found, means = analysis.summary, analysis.found, analysis.means
    assert summary is not None
    place, own = means.modalities.index(name), summary.modalities.index(name)
    mean, low, high = analysis.area(name)
    # A comparison may have left out readers who lack a modality; how much the others differ is not known.
    is_same = found is None or found.readers == summary.readers
    curve = curve_of(material, name)
    band = curve.band()
    fpr, tpr = _on_grid(curve, _MOST_VERTICES)
    return Modality(
        model=name if material.score_set.models else "",
        n_readers=int(means.n_readers[place]),
        n_cases=int(summary.n_cases[own]),
        mean=mean,
        low=low,
        high=high,
        reader_sd=float(summary.reader_sd[own]) if is_same else float("nan"),
        fpr=fpr,
        tpr=tpr,
        band_fpr=band.lower.fpr,
        tpr_low=band.lower.tpr,
        tpr_high=band.upper.tpr,
        tenths=np.asarray(curve.tpr_at(np.linspace(0, 1, 11).round(1))),
        _lines=tuple(_on_grid(own, _MOST_DRAWN) for own in curve.reader_curves[:MOST_LINES]),
    )


def _on_grid(curve: ReaderAverageCurve | RocCurve, most: int) -> Line:
    """A curve as it is, or read at evenly spaced rates where it has more vertices than that."""
    if curve.fpr.size <= most:
        return curve.fpr, curve.tpr
    at = np.linspace(0, 1, most)
    return at, np.asarray(curve.tpr_at(at))


def _difference(own: Difference) -> ModalityDifference:
    return ModalityDifference(
        own.a,
        own.b,
        own.difference,
        float(own.interval.low),
        float(own.interval.high),
        own.pvalue,
        own.adjusted_pvalue,
    )


def _of_several(found: ReaderComparison) -> tuple[Component, ...]:
    """Variances and covariances of a comparison; none where cells are missing."""
    of, unit = found.components, printable(found.unit)
    if of is None:
        return ()
    error = f"the error of one {unit} with one model, by chance of the cases"
    rows = [
        (unit, of.reader, f"how much {plural(unit)} differ, whatever the model"),
        (
            f"{unit} × model",
            of.modality_reader,
            f"how much a model does more for one {unit} than another",
        ),
        ("Var", of.var, error),
        ("Cov1", of.cov1, f"what that error shares between models, same {unit}"),
        ("Cov2", of.cov2, f"what it shares between {plural(unit)}, same model"),
        ("Cov3", of.cov3, f"what it shares where both {unit} and model differ"),
    ]
    return tuple(Component(symbol, float(value), meaning) for symbol, value, meaning in rows)


def _of_one(summary: ReaderSummary) -> tuple[Component, ...]:
    unit, means = printable(summary.unit), summary.per_modality
    return (
        Component(
            f"sd of {plural(unit)}",
            float(summary.reader_sd[0]),
            f"between {plural(unit)}, chance of the cases taken out",
        ),
        Component("Var", float(means.var[0]), f"the error of one {unit}, by chance of the cases"),
        Component("Cov2", float(means.cov2[0]), f"what that error shares between {plural(unit)}"),
    )


def _assumptions(study: ReaderComparison | ReaderSummary) -> tuple[str, ...]:
    """What the numbers rest on: who read what, what is random, how errors were found, and all notes."""
    unit, units = printable(study.unit), plural(printable(study.unit))
    designs: Iterable[str]
    notes: Iterable[str]
    if isinstance(study, ReaderComparison):
        designs, notes = (study.design,), notes_of_comparison(study, has_plain=False)
    else:
        designs, notes = study.designs, study.notes
    covariance = _COVARIANCES.get(study.covariance, study.covariance)
    return (
        *(said(of_design(design, unit, "model")) for design in dict.fromkeys(designs)),
        said(study.random),
        f"Every {unit} counts the same. Ratings need not mean the same to all {units}: each {unit} has a ROC "
        "curve of their own.",
        f"Errors over cases, and what {units} share of them, come from {covariance}. They are taken to be "
        "alike for all pairs, and the means to be near a normal distribution.",
        "Intervals of means are made on the logit scale, which keeps them inside 0 to 1.",
        *(f"{note.rstrip('.')}." for note in notes),
    )


def _is_other_declared(material: Material) -> bool:
    """Whether the answer is about an operating point, so that areas are not what was declared."""
    return material.deployment is not None and material.place_is_declared


def _sentence(summary: ReaderSummary, found: ReaderComparison | None, *, is_declared: bool) -> str:
    """By areas: which model is better, or how well readers do; what it is about stands below."""
    if found is None:
        return summary.reading
    by = "By AUC" if is_declared else "By AUC, which is not the declared reading,"
    if len(found.differences) > 1:
        other = "" if is_declared else " All this is by AUC, which is not the declared reading."
        return f"{of_answer(found)}{other}"
    (own,) = found.differences
    (a, b), (first, second) = map(_model, (own.a, own.b)), found.means.tolist()
    low, high = float(own.interval.low), float(own.interval.high)
    level = f"{100 * own.interval.confidence_level:g} %"
    better = f"{by} {a if own.difference > 0 else b} is better."
    verdict = better if low > 0 or high < 0 else f"{by} the two cannot be told apart."
    gap = _AUC.signed(own.difference, low, high)
    inside = f"{first:.3f} against {second:.3f}; {level} interval {_AUC.limits(low, high)}"
    return f"The difference in mean AUC, {a} minus {b}, is {gap} ({inside}; p = {own.pvalue:.2g}). {verdict}"


def _model(name: str) -> str:
    """A model in a sentence; bare numbers are no names."""
    shown = shown_name(name)
    return shown if shown[:1].isalpha() else f"model {shown}"
