"""Errors of several classes, in space and flat: what is drawn are the numbers of the table."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

import rocsteady as rs
from rocsteady import plots
from rocsteady.errors import UsageError
from rocsteady.plots.parts.style import BLACK, GREY, VERMILLION
from rocsteady.points.multiclass import average_multiclass_points

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib"),
    pytest.mark.filterwarnings("ignore:RS245"),
]


def make_table(n_classes: int, n_points: int = 30):
    rng = np.random.default_rng(1)
    labels = np.arange(120 * n_classes // 3) % n_classes
    distances = (labels + rng.normal(size=labels.size))[:, None] - np.arange(n_classes)
    folds = np.arange(labels.size) // n_classes % 5
    scores = rs.MulticlassScores(
        [f"c{i:0{len(str(n_classes))}}" for i in labels], np.exp(-(distances**2) / 2), folds=folds
    )
    return average_multiclass_points(scores, rng.dirichlet(np.full(n_classes, 6.0), n_points))


@pytest.fixture(scope="module")
def table():
    return make_table(3)


@pytest.fixture(scope="module")
def comparison(table):
    return table.compare_to(4, "class_error")


def in_space(axes, label: str) -> np.ndarray:
    (found,) = [each for each in axes.lines if str(each.get_label()).startswith(label)]
    return np.column_stack(
        [np.broadcast_to(values, len(found.get_data_3d()[0])) for values in found.get_data_3d()]
    )


def test_the_surface_is_the_table_in_space(table, comparison) -> None:
    axes = plots.class_error_surface(table, comparison=comparison, title="here")
    errors = table.measure("class_error").mean
    np.testing.assert_array_equal(in_space(axes, "operating points"), errors)
    np.testing.assert_array_equal(in_space(axes, "chosen"), errors[[4]])
    others = comparison.indistinguishable & (np.arange(30) != 4)
    assert 0 < others.sum() < 29
    np.testing.assert_array_equal(in_space(axes, "not told apart"), errors[others])
    assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_zlabel()) == tuple(
        f"error of c{i}" for i in range(3)
    )
    assert axes.get_legend().get_title().get_text() == "mean of 5 folds"
    assert axes.get_title(loc="left") == "here"


def test_shadows_lie_on_the_floor_under_their_points(table) -> None:
    axes = plots.class_error_surface(table)
    errors, shadows = table.measure("class_error").mean, in_space(axes, "_shadow")
    np.testing.assert_array_equal(shadows[:, :2], errors[:, :2])
    assert (shadows[:, 2] == axes.get_zlim()[0]).all()
    assert (shadows[:, 2] < errors[:, 2]).all()


def test_a_surface_needs_three_classes_and_axes_in_space(table) -> None:
    with pytest.raises(UsageError, match="RS002") as caught:
        plots.class_error_surface(make_table(4))
    assert "class_errors" in str(caught.value)
    with pytest.raises(UsageError, match="RS002") as caught:
        plots.class_error_surface(table, ax=Figure().add_subplot())
    assert "3d" in str(caught.value)
    given = Figure().add_subplot(projection="3d")
    assert plots.class_error_surface(table, ax=given) is given


@pytest.mark.parametrize("n_classes", [2, 3, 6])
def test_flat_there_is_a_line_for_each_point_and_bars_at_the_chosen(n_classes: int) -> None:
    own = make_table(n_classes)
    comparison = own.compare_to(4, "class_error")
    axes = plots.class_errors(own, comparison=comparison)
    measure = own.measure("class_error")
    others = comparison.indistinguishable & (np.arange(30) != 4)
    by_colour: dict[str, list] = {}
    for each in axes.lines:
        if len(each.get_xdata()) == n_classes and each.get_linestyle() in ("-", "--"):
            by_colour.setdefault(to_hex(each.get_color()), []).append(each.get_ydata())
    np.testing.assert_array_equal(by_colour[BLACK], measure.mean[[4]])
    np.testing.assert_array_equal(
        by_colour.get(VERMILLION.lower(), np.empty((0, n_classes))), measure.mean[others]
    )
    rest = ~others & (np.arange(30) != 4)
    np.testing.assert_array_equal(by_colour.get(GREY.lower(), np.empty((0, n_classes))), measure.mean[rest])
    (bars,) = axes.collections
    lengths = [np.ptp(segment[:, 1]) / 2 for segment in bars.get_segments()]
    np.testing.assert_allclose(lengths, measure.standard_error[4], atol=1e-12)
    assert [tick.get_text() for tick in axes.get_xticklabels()] == list(own.classes)
    assert axes.get_ylabel() == "error, mean of 5 folds"


def test_many_names_stand_aslant_and_no_tick_is_beyond_1(table) -> None:
    few, many = plots.class_errors(table), plots.class_errors(make_table(15))
    assert {label.get_rotation() for label in few.get_xticklabels()} == {0}
    assert {label.get_rotation() for label in many.get_xticklabels()} == {45}
    assert many.get_yticks().max() <= 1
    assert many.get_ylim()[1] > many.get_yticks().max()


def test_flat_the_key_says_what_lines_are(table, comparison) -> None:
    def words(**options) -> list[str]:
        return [text.get_text() for text in plots.class_errors(table, **options).get_legend().get_texts()]

    n = int(comparison.indistinguishable.sum()) - 1
    marked = f"not told apart at 5 %: {n} of 29"
    assert words(comparison=comparison) == ["other points", marked, "chosen, ±1 standard error"]
    assert words() == ["operating points", "first point, ±1 standard error"]
