"""The page of several classes: its structure, what it says first, hostile names, the schema of its data."""

from __future__ import annotations

import json
import re
from functools import cache

import jsonschema
import numpy as np
import pytest

import rocsteady as rs
from class_sets import HOSTILE, class_scores, lacking, outputs
from page_structure import Page, problems
from rocsteady.show.document import Table, flat, plain
from rocsteady.show.report import CLASS_SECTIONS, page_of
from rocsteady.show.schema import class_schema
from rocsteady.show.sections import classes as section
from rocsteady.text import MEDICAL, ML

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")


def perfect() -> rs.MulticlassScores:
    labels, _ = outputs()
    return rs.MulticlassScores(labels, 0.9 * np.eye(3)[labels] + 0.03, folds=np.arange(labels.size) % 5)


def useless() -> rs.MulticlassScores:
    labels, _ = outputs()
    return rs.MulticlassScores(labels, np.ones((labels.size, 3)), folds=np.arange(labels.size) % 5)


STUDIES = {
    "three": lambda: rs.Study(class_scores()),
    "two": lambda: rs.Study(class_scores(("no", "yes"))),
    "fourteen": lambda: rs.Study(class_scores(tuple(f"species {i}" for i in range(14)), n=500)),
    "one fold": lambda: rs.Study(class_scores(n_folds=1)),
    "a fold lacks a class": lambda: rs.Study(lacking()),
    "given": lambda: rs.Study(class_scores(), class_weights=[1, 2, 4]),
    "limited": lambda: rs.Study(class_scores(), at_most={"eel": 0.25}),
    "exact": lambda: rs.Study(class_scores(), exact=True),
    "not nested": lambda: rs.Study(class_scores(), nested=False, words="medical"),
    "independent": lambda: rs.Study(class_scores(design="independent"), words="biometric"),
    "perfect": lambda: rs.Study(perfect()),
    "useless": lambda: rs.Study(useless()),
    "hostile": lambda: rs.Study(
        class_scores(HOSTILE), title="</title><script>alert(2)</script>", command="<script>alert(3)</script>"
    ),
}


@cache
def study(name: str):
    return STUDIES[name]()


@cache
def page(name: str) -> str:
    return page_of(study(name))


@pytest.mark.parametrize("name", STUDIES)
def test_the_page_is_sound_and_its_policy_knows_all_of_it(name):
    assert problems(page(name)) == []
    assert problems(page_of(study(name), short=True)) == []


@pytest.mark.parametrize("name", STUDIES)
def test_nothing_on_the_page_is_unsaid(name):
    main = page(name).partition("<main>")[2].partition("</main>")[0]
    text = " ".join(re.sub(r"<[^>]+>", " ", main).split())
    assert not re.search(r"\b(nan|None|inf)\b|[{}]", text)


def test_names_never_become_markup():
    assert "<script>alert" not in page("hostile")
    assert "\x1b" not in page("hostile")
    assert "&lt;script&gt;alert(1)" in page("hostile")


def test_the_same_study_makes_the_same_page():
    assert page_of(STUDIES["three"]()) == page("three")


def test_the_honest_error_comes_first_and_equal_weights_beside_it():
    found = study("three")
    (beside,) = section.answer(found)
    said = beside.columns[0][0].plain(ML)
    nested, equal = found.search.nested.max_error, found.errors.stacked[1].max()
    assert said.startswith(f"With searched class weights the largest class error is {100 * nested:.1f} %")
    assert f"With equal weights it is {100 * equal:.1f} %" in said


def test_a_search_that_gains_nothing_says_so():
    (beside,) = section.answer(study("perfect"))
    assert "The search gains nothing here." in beside.columns[0][0].plain(ML)
    (beside,) = section.answer(study("three"))
    assert "gains nothing" not in beside.columns[0][0].plain(ML)


def test_given_weights_are_not_called_optimistic():
    said = plain(section.answer(study("given")), ML)
    assert said.startswith("With the given class weights")
    assert "optimistic" not in said
    assert "optimistic" in plain(section.answer(study("one fold")), ML)
    assert "optimistic" not in plain(section.answer(study("three")), ML)


def test_limits_are_named_and_judged_where_they_had_no_say():
    (beside,) = section.answer(study("limited"))
    assert "that decide at most 25 % of class eel wrongly" in beside.columns[0][0].plain(ML)
    rows = {name.plain(ML): value for name, value, _ in beside.columns[0][1].rows}
    own = rows["Error of class eel at most 25 %"].plain(ML)
    elsewhere = study("limited").search.nested.stacked[2]
    assert own.endswith("kept there" if elsewhere <= 0.25 else "exceeded there")


def test_the_search_under_a_limit_speaks_of_the_classes_without_one():
    """A class that has a limit may use all of it: its error is neither what was made small nor what it costs."""
    found, limited = rs.Study(class_scores(), at_most={"eel": 0.25}), 2
    said = plain(section.search(found), ML)
    greedy, exact, free = (own.best.errors for own in (found.search, found.exact, found.free))
    largest = {name: np.delete(own, limited).max() for name, own in (("greedy", greedy), ("exact", exact))}
    assert found.exact.history[-1, 0] == largest["exact"]
    assert found.search.history[-1, 0] == largest["greedy"]
    assert "the largest error of the other classes " in said
    assert "largest class error" not in said.split("Without the constraint")[0]
    without = (
        f"{100 * free[limited]:.1f} % in class eel and at most {100 * np.delete(free, limited).max():.1f} %"
    )
    within = f"{100 * greedy[limited]:.1f} % in class eel and at most {100 * largest['greedy']:.1f} %"
    assert (
        f"Without the constraint errors would be {without} in the others; with it they are {within}" in said
    )


def test_the_confusion_matrix_adds_up():
    (matrix,) = [own for own in flat(section.confusion(study("three"))) if isinstance(own, Table)]
    counts = np.array([[cell.n for cell in row[1:4]] for row in matrix.rows[:3]])
    assert [row[4].n for row in matrix.rows[:3]] == counts.sum(axis=1).tolist()
    assert [cell.n for cell in matrix.rows[3][1:4]] == counts.sum(axis=0).tolist()
    assert matrix.rows[3][4].n == counts.sum() == 240


def test_words_follow_the_vocabulary():
    (matrix,) = [own for own in flat(section.confusion(study("three"))) if isinstance(own, Table)]
    assert [own.plain(ML) for own in matrix.columns[-2:]] == ["Recall", "Precision"]
    assert [own.plain(MEDICAL) for own in matrix.columns[-2:]] == ["Sensitivity", "Positive predictive value"]


def test_points_that_differ_name_the_classes():
    found = study("three")
    tables = [own for own in flat(section.search(found)) if isinstance(own, Table)]
    points = next(own for own in tables if own.name == "class-weights")
    tests = found.comparison
    for k, row in enumerate(points.rows[1:], start=1):
        names = [name for name, told in zip(found.classes, tests.separated_by[k], strict=True) if told]
        shown = row[-1].plain(ML)
        assert shown == (" and ".join(names) if names else "not significant") or len(names) > 2
    assert points.rows[0][-1] is None


def test_of_two_classes_there_is_no_surface():
    assert section.surface(study("two")) == []
    idents = [own.attributes["id"] for own in Page(page("two")).all("section")]
    assert "surface" not in idents
    assert [own.ident for own in CLASS_SECTIONS if own.ident != "surface"] == idents


def test_a_notebook_shows_the_answer():
    shown = study("three")._repr_html_()
    assert "largest class error" in shown
    assert "<script" not in shown
    assert "&lt;script&gt;" in study("hostile")._repr_html_()


@pytest.mark.parametrize("name", STUDIES)
def test_the_data_follow_the_schema(name):
    schema = json.loads(json.dumps(class_schema()))
    jsonschema.Draft202012Validator.check_schema(schema)
    data = json.loads(json.dumps(study(name).to_dict(), allow_nan=False))
    errors = [own.message[:200] for own in jsonschema.Draft202012Validator(schema).iter_errors(data)]
    assert errors == []
    broken = data | {"schema_version": 1}
    assert not jsonschema.Draft202012Validator(schema).is_valid(broken)
