"""The sections of a report, in their order."""

from __future__ import annotations

from importlib import import_module

from rocsteady.show.document import Section
from rocsteady.show.sentences.report import LINKS, TITLES

NAMES = (
    "answer", "uses", "reading", "comparison", "readers", "comparability", "points", "groups", "plan", "smroc", "data",
    "methods",
)  # fmt: skip


def _all():
    for name in NAMES:
        try:
            module = import_module(f"rocsteady.show.sections.{name}")
        except ModuleNotFoundError as error:
            if name not in str(error):
                raise
            continue
        yield Section(name, LINKS[name], TITLES[name], module.make)


SECTIONS = tuple(_all())
