"""Thresholds that were found on other rows: what every model does with them on these rows."""

from __future__ import annotations

from rocsteady.report.summary.material import Material
from rocsteady.report.summary.points.of_other_rows import material_elsewhere, readings_elsewhere
from rocsteady.report.summary.points.places import kind_of
from rocsteady.report.summary.points.reading import Reading


def is_given(material: Material) -> bool:
    """Whether the declared point is one of thresholds that other rows gave, and that stay.

    A threshold that was declared by its value is the same on any rows.
    """
    if material.settings.cutoff_from is None or not material.place_is_declared:
        return False
    is_used = material.deployment is not None or material.is_alone
    return is_used and kind_of(material.declared_place) != "threshold"


def given_reading(material: Material, name: str) -> Reading:
    """What a model does on these rows, as the table of operating points has it."""
    key: str | None = "threshold"
    if material.is_grouped:
        deployment = material.deployment
        key = material.declared_key if deployment is not None and deployment.is_shared else None

    def read() -> Reading:
        elsewhere = material.once(("given by",), lambda: material_elsewhere(material))
        return readings_elsewhere(material, elsewhere, [material.declared_place], name, key)[0]

    found: Reading = material.once(("given", name), read)
    return found
