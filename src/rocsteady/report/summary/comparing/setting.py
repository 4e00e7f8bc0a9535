"""What is compared: an average, a place on it, and whether folds share training cases."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from rocsteady.advice.deployment import Line
from rocsteady.errors import RocsteadyError, RocsteadyWarning
from rocsteady.report.summary.comparing.given import is_given
from rocsteady.report.summary.material import SHARED_KEYS, Material
from rocsteady.report.summary.vocabulary import Wording


@dataclass(frozen=True)
class Setting:
    """An average, a place on it, and whether folds share training cases.

    Attributes
    ----------
    key : str
        The average, by its name in the report.
    place : Line or None
        Where it is read; None for its area.
    test_train_ratio : float or None
        Test cases over training cases where folds share training cases.
    is_given : bool
        Whether thresholds were found on other rows for this place, and stay.
    """

    key: str
    place: Line | None
    test_train_ratio: float | None = None
    is_given: bool = False

    @property
    def is_shared(self) -> bool:
        """Whether one threshold serves all groups."""
        return self.key in SHARED_KEYS

    @property
    def weighs_rows(self) -> bool:
        """Whether every row counts once."""
        return self.key == "pooled"

    @property
    def is_frozen(self) -> bool:
        """Whether thresholds stay as they are, so that both rates count."""
        return self.is_given or (self.place is not None and self.place.threshold is not None)


def setting_of(material: Material, place: Line | None) -> Setting:
    """The declared average; without one the mean AUC of the groups, which no average disputes."""
    key = material.declared_key
    if material.is_alone:
        key = "vertical"
    elif key is None:
        key, place = "vertical", None
    return Setting(key, place, test_train_ratio(material), is_given(material))


def wording_of(material: Material) -> Wording:
    """The words of the report; of a single group that has a curve nobody speaks as of an average one."""
    return replace(material.wording, is_grouped=not material.is_alone)


def test_train_ratio(material: Material) -> float | None:
    """Of folds that share training cases: their differences vary less than those of samples."""
    return material.score_set.design.test_train_ratio or None


@contextmanager
def catching(material: Material) -> Iterator[None]:
    """Keep coded warnings for the report, without remedies that are for somebody who calls functions."""
    with warnings.catch_warnings(record=True) as met:
        warnings.simplefilter("always")
        yield
    with material.catching():
        for each in met:
            message = each.message
            if isinstance(message, RocsteadyWarning) and message.code == "RS275":
                message.remedies = message.remedies[:1]
                warnings.warn(message, stacklevel=1)
            else:
                warnings.warn_explicit(message, each.category, each.filename, each.lineno)


def told(error: RocsteadyError) -> str:
    """Why something could not be made, as a sentence for somebody who calls no functions."""
    found = "" if "scores" in error.facts else error.found.replace("\n", "; ")
    said = " ".join(filter(None, [error.problem, found.removeprefix("found: ")]))
    return said[:1].upper() + said[1:]
