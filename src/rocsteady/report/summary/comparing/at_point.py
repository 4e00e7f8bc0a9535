"""The one inference of a report: two models at a point, or by their areas, as ``rs.compare`` has it."""

from __future__ import annotations

from typing import Any

from rocsteady.errors import RocsteadyError
from rocsteady.inference.compare import compare_at
from rocsteady.inference.differences import PointComparison
from rocsteady.report.summary.comparing.setting import Setting, catching
from rocsteady.report.summary.material import SHARED_KEYS, Material

Points = list[dict[str, Any]] | None

_HOLDS = {"fpr": "vertical", "tpr": "horizontal", "alerts": "alerts"}
ALONG_DIRECTIONS = ("vertical", "horizontal", "diagonal", "alerts", "cost-direction")
"""Averages whose area is the mean AUC of the groups."""


def is_settled(setting: Setting) -> bool:
    """Whether ``rs.compare`` reads this average at this place: it holds the place, or shares a threshold.

    Averages along other directions can be read there too, but ``rs.compare`` lets every group meet a rate.
    """
    place = setting.place
    if place is None:
        return setting.key in (*SHARED_KEYS, *ALONG_DIRECTIONS)
    if place.held == "alerts":
        return setting.key == "alerts"
    return place.held in ("fpr", "tpr") and setting.key in (*SHARED_KEYS, _HOLDS[place.held])


def point_of(setting: Setting) -> Points:
    """The place as ``rs.compare`` takes it; None for areas."""
    place = setting.place
    if place is None:
        return None
    if place.threshold is not None:
        return [{"threshold": place.threshold}]
    return [{place.held: place.target}]


def compared_at(material: Material, setting: Setting, a: str, b: str, at: Points) -> PointComparison:
    """Two models there, each question once."""
    # Averages along all directions have one area, the mean AUC.
    key = "vertical" if at is None and setting.key in ALONG_DIRECTIONS else setting.key
    found: PointComparison = material.once(
        ("compared", key, a, b, str(at)), lambda: _compared(material, setting, a, b, at)
    )
    return found


def asked(material: Material) -> dict[str, Any]:
    """How intervals are wanted."""
    settings = material.settings
    return {
        "confidence_level": settings.confidence_level,
        "n_resamples": settings.n_resamples,
        "seed": settings.seed,
    }


def _compared(material: Material, setting: Setting, a: str, b: str, at: Points) -> PointComparison:
    options = asked(material) | {"method": material.method(setting.key), "at": at}
    with catching(material):
        try:
            return compare_at(material.score_set, a, b, test_train_ratio=setting.test_train_ratio, **options)
        except RocsteadyError:
            if setting.test_train_ratio is None:
                raise
            return compare_at(material.score_set, a, b, **options)  # not paired, so not corrected
