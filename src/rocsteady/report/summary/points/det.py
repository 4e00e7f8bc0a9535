"""Both error rates of every model where biometrics reads them: at false match rates far below 1 %."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.report.summary.phrases import Phrase, phrase, plain_text
from rocsteady.results import plain_fields
from rocsteady.words import counted, percent, printable

if TYPE_CHECKING:
    from rocsteady.report.summary.material import Material

Floats = NDArray[np.float64]

_LEAST, _MOST = 1e-6, 0.5
"""Rates that are drawn."""
_POSITIONS = 161
_TABLED = (0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0001, 0.00001)


@dataclass(frozen=True)
class ModelDet:
    """One model: its false non-match rate where the false match rate is so large.

    Attributes
    ----------
    model : str
        Empty if models are not named.
    fmr, fnmr : float64 arrays
        The curve of the average, finely where rates are small.
    eer : float
        The equal error rate of that curve.
    tabled : float64 array
        The false non-match rate at the rates of the table; NaN where one case or less decides.
    """

    model: str
    fmr: Floats
    fnmr: Floats
    eer: float
    tabled: Floats


@dataclass(frozen=True)
class DetPart:
    """DET curves of all models.

    Attributes
    ----------
    models : tuple of ModelDet
        One each.
    average : str
        What was averaged, in words.
    tabled_at : tuple of float
        False match rates of the table.
    least_fmr, least_fnmr : float
        What one impostor, or one genuine, score among all counts for: below it nothing is known.
    sentence : Phrase
        The equal error rates.
    """

    models: tuple[ModelDet, ...]
    average: str
    tabled_at: tuple[float, ...]
    least_fmr: float
    least_fnmr: float
    sentence: Phrase

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can carry."""
        return plain_fields(self) | {"sentence": plain_text(self.sentence)}


def make(material: Material) -> DetPart | None:
    """The part; None unless the words are those of biometrics."""
    if material.settings.words != "biometric":
        return None
    of_cases = [material.of_model(name) for name in material.names]
    least = tuple(
        1 / max(1.0, *(float(np.sum(getattr(own, which))) for own in of_cases))
        for which in ("n_negatives", "n_positives")
    )
    at = np.geomspace(max(least[0], _LEAST), _MOST, _POSITIONS)
    tabled = tuple(rate for rate in _TABLED if rate >= at[0])
    models = tuple(_of_model(material, name, at, tabled) for name in material.names)
    words = _average_words(material)
    return DetPart(models, words, tabled, least[0], least[1], _sentence(models, words))


def _of_model(material: Material, name: str, at: Floats, tabled: tuple[float, ...]) -> ModelDet:
    average = material.average(material.key, name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what a curve says of its corners stands with the operating points
        eer = float(average.equal_error_rate)
    fnmr = 1 - np.asarray(average.tpr_at(at))
    own = 1 - np.asarray(average.tpr_at(np.array(tabled))) if tabled else np.empty(0)
    return ModelDet(name, at, fnmr, eer, own)


def _average_words(material: Material) -> str:
    if not material.is_grouped:
        return "the curve of all scores"
    average = material.average(material.key, material.names[0])
    return f"{average.method.label} average over {counted(average.n_groups, printable(material.unit))}"


def _sentence(models: tuple[ModelDet, ...], average: str) -> Phrase:
    """``The equal error rate of the vertical average over 8 gates is 2.1 % (old) and 1.4 % (new).``"""
    of_what = average if average.startswith("the ") else f"the {average}"
    parts: list[Any] = [f"The equal error rate of {of_what} is "]
    for k, own in enumerate(models):
        if k:
            parts.append(" and " if k == len(models) - 1 else ", ")
        parts.append(("", percent(own.eer)))
        parts.append(f" ({printable(own.model)})" if own.model else "")
    return phrase(*parts, ". Both axes are normal deviates: two normal distributions give a straight line.")
