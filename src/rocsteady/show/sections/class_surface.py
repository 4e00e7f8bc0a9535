"""The errors of three classes at every operating point, as a box of points that a reader of the page turns.

Every number and every word is made here and looked up by the script of the page, which knows only from where
points are seen. On paper, without script and in other renderers it is the picture of one side.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocsteady.figures.class_errors import AZIMUTH, ELEVATION, Space, ends_of, surface, ticks_between
from rocsteady.figures.spec import short_names
from rocsteady.points.tables import OperatingPointTable, PointTests
from rocsteady.show.document import Figure, Own, Table
from rocsteady.show.sentences import class_surface as sentences
from rocsteady.text import ERROR, ML, Item, Number, P, Quote, Rate, Text, Words, phrase

_UNITS = 1000
"""Along an edge of the box; a pixel is more than one."""
_LONGEST = 16
"""Letters of a class along an edge, and in a list to choose from."""


def block(table: OperatingPointTable, comparison: PointTests | None = None, words: Words = ML) -> Own:
    """The surface of a table of three classes or more, around the point that others were compared to.

    Parameters
    ----------
    table : OperatingPointTable
    comparison : PointTests, optional
        Of the same table, by the class errors.
    words : Words
        In which the script finds its texts.
    """
    found = _Surface(table, comparison)
    picture = surface(table, comparison=comparison)
    data = {
        "picture": picture,
        "caption": found.caption,
        "legend": sentences.legend(comparison),
        "table": found.table(found.start),
        "title": found.title(found.start),
        "names": found.short if len(found.names) > 3 else [],
        "first": found.space.classes,
        "sentences": sentences,
    }
    return Own("surface", data, instead=(Figure(picture),), script=found.script(words))


class _Surface:
    """What the page shows of a table, in words and numbers."""

    def __init__(self, table: OperatingPointTable, comparison: PointTests | None) -> None:
        self.space = space = Space.of(table, comparison)
        self.table_of, self.comparison, self.measure = table, comparison, table.measure("class_error")
        self.errors = np.asarray(self.measure.mean)
        self.names = table.class_words
        self.short = short_names(self.names, _LONGEST)
        self.points = sorted(space.points)
        self.start = self.points[0] if space.chosen is None else space.chosen

    @property
    def caption(self) -> Text:
        return sentences.caption(self.table_of, len(self.points))

    def kind(self, point: int) -> str:
        """How a point stands to the chosen one."""
        if self.comparison is None:
            return ""
        if point == self.space.chosen:
            return "chosen"
        if self.space.alike[point]:
            return "alike"
        return "" if point in self.comparison.untested else "different"

    def title(self, point: int) -> Text:
        return sentences.title(point, self.table_of.n_points, self.kind(point))

    @property
    def pvalues(self) -> Any:
        """Of every point and class against the chosen point, where class errors were compared."""
        if self.comparison is None:
            return None
        of_all = tuple(f"class_error {name}" for name in self.names)
        return self.comparison.adjusted_pvalue if self.comparison.measures == of_all else None

    def rows(self, point: int) -> list[tuple[Item, ...]]:
        """Error, standard error, weight and p-value of every class at a point."""
        weights, error = self.table_of.class_weights, np.asarray(self.measure.standard_error)
        found: list[tuple[Item, ...]] = []
        for own in range(len(self.names)):
            row: list[Item] = [
                Rate(ERROR, float(self.errors[point, own])),
                Rate(ERROR, float(error[point, own])),
            ]
            if weights is not None:
                row.append(Number(float(weights[point, own]), 3))
            if self.pvalues is not None:
                is_other = point != self.space.chosen
                row.append(P(float(self.pvalues[point, own]) if is_other else math.nan))
            found.append(tuple(row))
        return found

    def table(self, point: int) -> Table:
        """What stands beside the figure at first."""
        heads = [*sentences.HEADS]
        heads += [] if self.table_of.class_weights is None else [sentences.WEIGHT]
        heads += [] if self.pvalues is None else [sentences.AGAINST]
        rows = [(Quote(name), *own) for name, own in zip(self.names, self.rows(point), strict=True)]
        return Table(self.title(point), tuple(heads), tuple(rows))

    def script(self, words: Words) -> dict[str, Any]:
        """What the script looks up."""
        axes = []
        for own, name in enumerate(self.short):
            low, high = ends_of(self.errors[:, own])
            along = (self.errors[self.points, own] - low) / (high - low)
            ticks = [(round(_UNITS * share), text) for share, text in ticks_between(low, high)]
            label = phrase("error of {name}", name=Quote(name)).plain(words)
            axes.append({"label": label, "ticks": ticks, "at": np.round(_UNITS * along).astype(int).tolist()})
        spoken = [
            sentences.spoken(self.title(own), self.names, self.errors[own].tolist()) for own in self.points
        ]
        return {
            "units": _UNITS,
            "view": [AZIMUTH, ELEVATION],
            "axes": axes,
            "first": self.space.classes,
            "start": self.points.index(self.start),
            "kinds": [self.kind(own) for own in self.points],
            "titles": [self.title(own).plain(words) for own in self.points],
            "cells": [self.spelled(own, words) for own in self.points],
            "spoken": [own.plain(words) for own in spoken],
        }

    def spelled(self, point: int, words: Words) -> list[list[str]]:
        """The cells of the table of a point."""
        return [[own.spell(words, "cell") for own in row] for row in self.rows(point)]  # type: ignore[union-attr]
