"""What the page is given of the surface of class errors: every number and word, also where little is known."""

from __future__ import annotations

import json

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.figures.class_errors import surface
from rocsteady.show import html
from rocsteady.show.document import Figure, Section, flat
from rocsteady.show.sections.class_surface import block
from rocsteady.text import ML, say


def scores_of(names=("a", "b", "c"), *, n_folds: int = 5, n: int = 120):
    rng = np.random.default_rng(3)
    truth = np.arange(n) % len(names)
    outputs = rng.dirichlet(np.ones(len(names)), n) + 0.5 * np.eye(len(names))[truth]
    folds = np.arange(n) // len(names) % n_folds
    return rs.MulticlassScores(
        np.array(names, dtype=object)[truth], outputs, folds=folds, classes=list(names)
    )


def weights_of(n_classes: int, n_points: int):
    return np.random.default_rng(5).dirichlet(np.full(n_classes, 8.0), n_points)


def page(own) -> str:
    section = Section("classes", say("Classes"), say("Classes"), lambda _: ())
    return html.page(say("Classes"), [], [(section, [own])], ML)


def test_the_script_has_a_row_for_every_point_and_places_are_those_of_the_errors():
    table = rs.average_multiclass_points(scores_of(), weights_of(3, 25))
    own = block(table, table.compare_to(6, "class_error"), ML)
    told = own.script
    assert json.loads(json.dumps(told)) == json.loads(json.dumps(told, allow_nan=False))
    assert {len(told[name]) for name in ("kinds", "titles", "cells", "spoken")} == {25}
    assert (told["start"], told["kinds"][6], told["kinds"].count("chosen")) == (6, "chosen", 1)
    errors = table.measure("class_error").mean
    for k, axis in enumerate(told["axes"]):
        at = np.array(axis["at"])
        assert at.min() >= 0
        assert at.max() <= told["units"]
        assert np.corrcoef(at, errors[:, k])[0, 1] == pytest.approx(1, abs=1e-5)
        for share, text in axis["ticks"]:  # a number stands where its error is
            ends = np.polyfit(errors[:, k], at, 1)
            assert np.polyval(ends, float(text)) == pytest.approx(share, abs=2)


def test_other_renderers_have_the_picture_of_one_side():
    table = rs.average_multiclass_points(scores_of(), weights_of(3, 5))
    (still,) = flat([block(table)])
    assert isinstance(still, Figure)
    assert len(still.picture.panels[0].marks) == len(surface(table).panels[0].marks)


@pytest.mark.parametrize("n_points", [1, 2])
def test_a_single_fold_and_few_points_have_no_p_values(n_points):
    table = rs.average_multiclass_points(scores_of(n_folds=1), weights_of(3, n_points))
    own = block(table)
    assert own.script["kinds"] == [""] * n_points
    assert [row[1] for row in own.script["cells"][0]] == ["–"] * 3  # no spread of one fold
    assert [len(row) for row in own.script["cells"][0]] == [3] * 3
    assert "chosen" not in page(own).split("<main>")[1].split("<script")[0]


def test_points_that_are_no_weights_have_none():
    def decide(outputs, bonus):
        return (outputs + np.array([bonus, 0, 0])).argmax(axis=1)

    table = rs.average_multiclass_points(scores_of(), points=[0.0, 0.1, 0.4], decide=decide)
    own = block(table, table.compare_to(0, "class_error"), ML)
    assert [len(row) for row in own.script["cells"][1]] == [3] * 3  # error, standard error, p
    other = block(table, table.compare_to(0, "accuracy"), ML)  # not compared by class
    assert [len(row) for row in other.script["cells"][1]] == [2] * 3
    for one in (own, other):
        assert "<table" in page(one)


def test_names_of_any_kind_are_text():
    names = ("<script>alert(1)</script>", "W" * 200, "a\nb\x1b[2J", "$x^2$")
    table = rs.average_multiclass_points(scores_of(names), weights_of(4, 12))
    own = block(table, table.compare_to(0, "class_error"), ML)
    shown = page(own)
    assert "<script>alert" not in shown
    assert "\x1b" not in shown
    assert max(len(axis["label"]) for axis in own.script["axes"]) < 40
