"""A map of AUCs between groups draws the matrix, marks its diagonal and says what a shared threshold costs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure

import rocsteady as rs
from rocsteady.errors import UsageError
from rocsteady.inference.comparability import Comparability
from rocsteady.plots.cross_auc import MOST_NAMED, MOST_NUMBERS, cross_auc
from rocsteady.simulate import ShiftedDatasets

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib")


@pytest.fixture(scope="module")
def sites() -> rs.ScoreSet:
    population = ShiftedDatasets("C-1", separation=1.5, location_sd=0.8)
    return population.draw(5, 20, 30, seed=1, unit="site")


@pytest.fixture(scope="module")
def found(sites) -> Comparability:
    return rs.comparability(sites, n_permutations=99)


@pytest.fixture(scope="module")
def matrix(sites) -> np.ndarray:
    return rs.cross_auc(sites)


def cells(axes) -> np.ma.MaskedArray:
    (image,) = axes.images
    return image.get_array()


def words(axes) -> list[str]:
    return axes.texts[-1].get_text().splitlines()


def test_the_cells_are_the_matrix_and_the_numbers_in_them(matrix, sites) -> None:
    axes = cross_auc(matrix, names=sites.names)
    np.testing.assert_array_equal(cells(axes), matrix)
    written = {text.get_position(): text.get_text() for text in axes.texts[:-1]}
    assert written == {(j, i): f"{matrix[i, j]:.2f}" for i in range(5) for j in range(5)}
    assert [tick.get_text() for tick in axes.get_yticklabels()] == list(sites.names)
    assert (axes.get_ylabel(), axes.get_xlabel()) == ("positives of", "negatives of")
    assert axes.get_aspect() == 1
    assert axes.images[0].get_cmap().name == "cividis"


def test_the_diagonal_is_framed_or_a_line(matrix) -> None:
    frames = [each for each in cross_auc(matrix).collections if each.get_label() == "_diagonal"]
    middles = [path.get_extents().get_points().mean(axis=0) for path in frames[0].get_paths()]
    np.testing.assert_allclose(middles, [(k, k) for k in range(5)])
    n = MOST_NAMED + 1
    many = cross_auc(np.full((n, n), 0.5))
    (line,) = [each for each in many.lines if each.get_label() == "_diagonal"]
    np.testing.assert_array_equal(line.get_xydata(), [[-0.5, -0.5], [n - 0.5, n - 0.5]])
    assert words(many) == [f"{n} groups; on the line: each group by itself"]
    assert not many.get_yticklabels()


def test_more_than_a_few_cells_have_no_numbers() -> None:
    n = MOST_NUMBERS + 1
    axes = cross_auc(np.full((n, n), 0.7))
    assert len(axes.texts) == 1
    assert [tick.get_text() for tick in axes.get_xticklabels()] == [str(k + 1) for k in range(n)]


def test_what_a_shared_threshold_costs_is_said_if_it_is_known(matrix, found) -> None:
    axes = cross_auc(matrix, comparability=found)
    limits = found.price_interval
    assert words(axes) == [
        "5 sites; framed: each site by itself",
        f"AUC {found.own_auc:.3f} by own, {found.shared_auc:.3f} by one threshold for all:",
        f"that costs {found.price:.3f} ({limits.low:.3f} to {limits.high:.3f}), p = {found.pvalue:.2g}",
    ]
    assert [tick.get_text() for tick in axes.get_yticklabels()] == list(found.members)
    assert words(cross_auc(matrix)) == ["5 groups; framed: each group by itself"]


def test_groups_that_score_low_may_stand_first(matrix, found, sites) -> None:
    levels = [own.scores.mean() for own in sites]
    axes = cross_auc(matrix, comparability=found, order="level")
    by_level = np.argsort(levels)
    np.testing.assert_array_equal(cells(axes), matrix[np.ix_(by_level, by_level)])
    assert [tick.get_text() for tick in axes.get_yticklabels()] == [sites.names[i] for i in by_level]
    assert words(axes)[-1] == "those first that score low as a whole"


def test_many_groups_are_sorted_if_that_can_be_done() -> None:
    many = ShiftedDatasets("C-1", separation=1.5, location_sd=2).draw(MOST_NAMED + 1, 20, 30, seed=1)
    areas = rs.cross_auc(many)
    sorted_axes = cross_auc(areas, comparability=rs.comparability(many, n_permutations=99))
    rising = cells(sorted_axes).mean(axis=1)
    assert np.corrcoef(rising, np.arange(rising.size))[0, 1] > 0.9
    np.testing.assert_array_equal(cells(cross_auc(areas)), areas)


def test_cells_without_an_auc_are_hatched(matrix) -> None:
    holed = matrix.copy()
    holed[2] = np.nan
    axes = cross_auc(holed)
    np.testing.assert_array_equal(np.ma.getmaskarray(cells(axes)), np.isnan(holed))
    assert len(axes.texts) == 21
    assert [patch.get_hatch() for patch in axes.patches] == ["////"]
    empty = cross_auc(np.full((2, 2), np.nan))
    assert empty.images[0].get_clim() == (0, 1)


def test_names_from_data_do_no_harm(matrix) -> None:
    names = ["a" * 60, "cost $5_a$", "</script>", "a\nb", "Київ"]
    axes = cross_auc(matrix, names=names, title="here")
    axes.figure.draw_without_rendering()
    shown = [tick.get_text() for tick in axes.get_xticklabels()]
    assert shown[:2] == ["aaaaaaaaaaa…", r"cost \$5_a\$"]
    assert "\n" not in "".join(shown)
    assert {tick.get_rotation() for tick in axes.get_xticklabels()} == {90}
    assert axes.get_title(loc="left") == "here"


@pytest.mark.parametrize("text_size", [8.0, 16.0])
def test_what_colours_mean_stands_beside_the_cells(matrix, text_size) -> None:
    axes = cross_auc(matrix, text_size=text_size)
    axes.figure.draw_without_rendering()
    (scale,) = axes.child_axes
    assert scale.get_ylabel() == "AUC"
    box = scale.get_tightbbox()
    assert axes.figure.bbox.padded(1).contains(*box.max)
    assert box.x0 > axes.get_window_extent().x1
    assert np.allclose(scale.get_ylim(), (matrix.min(), matrix.max()))


def test_maps_of_several_models_may_have_one_scale(matrix) -> None:
    assert cross_auc(matrix).images[0].get_clim() == pytest.approx((matrix.min(), matrix.max()))
    assert cross_auc(matrix, limits=(0.4, 1.0)).images[0].get_clim() == (0.4, 1.0)
    for wrong in ((1, 0), 0.5, (0.5, 1.2)):
        with pytest.raises(UsageError, match="RS042"):
            cross_auc(matrix, limits=wrong)


def test_nothing_has_no_sign(matrix, found) -> None:
    interval = replace(found.price_interval, low=-0.0004, high=0.001)
    axes = cross_auc(matrix, comparability=replace(found, price=-0.0001, price_interval=interval))
    assert words(axes)[-1].startswith("that costs 0.000 (0.000 to 0.001), ")


def test_axes_that_are_given_are_drawn_on(matrix) -> None:
    axes = Figure().add_subplot()
    assert cross_auc(matrix, ax=axes) is axes


def test_what_is_no_matrix_of_these_groups_is_refused(matrix, found, sites) -> None:
    other = rs.comparability(ShiftedDatasets("C-1", separation=1).draw(5, 20, 30, seed=9), n_permutations=99)
    for code, given, options in (
        ("RS002", sites, {}),
        ("RS002", matrix[:, :3], {}),
        ("RS002", matrix[0], {}),
        ("RS002", 3 * matrix, {}),
        ("RS002", "matrix", {}),
        ("RS002", None, {}),
        ("RS013", matrix, {"names": ["a"]}),
        ("RS013", matrix, {"names": "abcde"}),
        ("RS002", matrix, {"comparability": other}),
        ("RS002", matrix, {"comparability": 0.08}),
        ("RS002", matrix, {"order": "level"}),
        ("RS001", matrix, {"order": "auc"}),
        ("RS042", matrix, {"text_size": -1}),
    ):
        with pytest.raises(UsageError, match=code) as caught:
            cross_auc(given, **options)
        assert caught.value.remedies
