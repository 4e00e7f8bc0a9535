"""Figures in odd surroundings: the user's styles, axes, threads and file names, and keys that repeat words."""

from __future__ import annotations

import io
import re
import threading
import warnings
from functools import cache, partial
from typing import Any

import matplotlib as mpl
import matplotlib.style
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

import rocsteady as rs
from plots.every_figure import FIGURES
from rocsteady.errors import RocsteadyError
from rocsteady.plots.parts.style import rendered

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib", "ignore:RS2[0-9]")

LOUD: dict[str, Any] = {
    "axes.grid": True,
    "axes.facecolor": "#EAEAF2",
    "axes.spines.left": False,
    "font.size": 20,
    "figure.autolayout": True,
    "legend.shadow": True,
    "legend.frameon": True,
    "savefig.bbox": "tight",
    "xtick.top": True,
    "xtick.direction": "in",
    "xtick.minor.visible": True,
    "ytick.minor.visible": True,
    "axes.prop_cycle": mpl.cycler(color=["pink", "lime"]),
}


@cache
def small_set() -> rs.ScoreSet:
    labels, groups = np.tile([0, 1], 90), np.repeat(np.arange(9), 20)
    scores = np.random.default_rng(0).normal(size=180) + labels
    return rs.ScoreSet.from_arrays(labels, scores, groups)


@cache
def small_curve() -> rs.RocCurve:
    return rs.roc_curves(small_set())[0]


@cache
def few_groups() -> Any:
    return rs.average(small_set(), "vertical")


def code(draw: Any) -> str:
    with pytest.raises(RocsteadyError) as caught:
        draw()
    return str(caught.value)[:5]


def found(ax: Any, label: str) -> list[Any]:
    return [own for own in (*ax.lines, *ax.patches, *ax.collections) if own.get_label() == label]


@pytest.mark.parametrize(
    ("name", "style"),
    [
        ("roc", "dark_background"),
        ("roc", LOUD),
        ("cross_auc", "dark_background"),
        ("class_error_surface", LOUD),
    ],
    ids=["roc, dark", "roc, loud", "matrix, dark", "surface, loud"],
)
def test_own_figures_look_the_same_in_every_style(name: str, style: Any) -> None:
    plain = rendered(FIGURES[name]().figure, "svg")
    with mpl.style.context(style):
        assert rendered(FIGURES[name]().figure, "svg") == plain


def test_words_and_bars_are_light_on_dark_axes_of_the_user() -> None:
    with mpl.style.context("dark_background"):
        ax = Figure().add_subplot()
        rs.plot.average(few_groups(), at={"fpr": 0.1}, ax=ax)
    texts = ax.get_legend().get_texts()
    assert all(sum(to_rgb(text.get_color())) > 0.9 for text in texts)
    assert all(sum(text.get_bbox_patch().get_facecolor()[:3]) == 0 for text in texts)
    assert found(ax, "_interval")[0].get_color() == "#FFFFFF"
    assert not any(line.get_visible() for line in ax.get_xgridlines())


def test_ground_that_cannot_be_seen_is_that_of_the_figure() -> None:
    ax = Figure().add_subplot(facecolor="none")
    rs.plot.average(few_groups(), ax=ax)
    assert sum(ax.get_legend().get_texts()[0].get_bbox_patch().get_facecolor()[:3]) == 3


def test_a_figure_written_twice_gives_the_same_bytes() -> None:
    figure = FIGURES["roc"]().figure
    first = rendered(figure, "svg")
    figure.savefig(io.BytesIO(), format="png", dpi=50)
    assert rendered(figure, "svg") == first


def test_threads_that_write_at_once_leave_the_settings_as_they_were() -> None:
    before = dict(mpl.rcParams)
    figures = [rs.plot.roc(small_curve()).figure for _ in range(4)]
    files: list[bytes] = []
    threads = [threading.Thread(target=lambda own=own: files.append(rendered(own, "svg"))) for own in figures]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(files) == 4
    assert len(set(files)) == 1
    assert dict(mpl.rcParams) == before


def test_a_key_whose_lines_repeat_covers_no_curve() -> None:
    labels, scores = [1, 0, 0, 0, 1, 0] * 10, np.random.default_rng(0).normal(size=60)
    curve = rs.roc_curve(labels, scores)
    ax = rs.plot.precision_recall({f"model number {k}": curve for k in range(6)})
    ax.figure.draw_without_rendering()
    legend = ax.get_legend()
    assert [text.get_text() for text in legend.get_texts()].count("chance 0.333") == 6
    inside = Bbox.intersection(legend.get_window_extent(), ax.bbox)
    for line in found(ax, "_average"):
        path = ax.transData.transform_path(line.get_path())
        assert inside is None or not path.intersects_bbox(inside, filled=False)


def test_a_long_title_has_several_lines_inside_the_figure() -> None:
    ax = rs.plot.roc(small_curve(), title="where this curve would be used, and by whom, " * 9)
    ax.figure.draw_without_rendering()
    box = ax._left_title.get_window_extent()
    assert ax.get_title(loc="left").count("\n") == 3
    assert ax.figure.bbox.x0 <= box.x0
    assert box.x1 <= ax.figure.bbox.x1
    assert rs.plot.roc(small_curve(), title="short").get_title(loc="left") == "short"


def test_axes_that_had_a_log_scale_are_linear_again() -> None:
    ax = Figure().add_subplot()
    ax.set(xscale="log", yscale="log")
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        rs.plot.roc(small_curve(), ax=ax)
    assert (ax.get_xscale(), ax.get_yscale(), ax.get_xlim()) == ("linear", "linear", (0.0, 1.0))


def test_what_stood_in_a_key_of_the_user_stays_there() -> None:
    ax = Figure().add_subplot()
    ax.plot([0, 1], [0.5, 0.5], label="my own line")
    ax.legend()
    rs.plot.roc(small_curve(), ax=ax)
    assert "my own line" in [text.get_text() for text in ax.get_legend().get_texts()]


def test_tiny_axes_have_a_key_that_fits() -> None:
    ax = Figure(figsize=(2, 2)).add_subplot()
    rs.plot.average(few_groups(), at={"fpr": 0.05}, ax=ax)
    ax.figure.draw_without_rendering()
    box = ax.get_legend().get_window_extent()
    assert ax.bbox.x0 <= box.x0
    assert box.x1 <= ax.bbox.x1
    assert box.height < ax.bbox.height / 2


def test_a_point_outside_the_view_is_called_so() -> None:
    for ax in (
        rs.plot.average(few_groups(), at={"fpr": 0.5}, zoom=0.1),
        rs.plot.roc(small_curve(), at={"fpr": 0.5}, zoom=0.1),
    ):
        assert not found(ax, "_point")
        assert "outside these axes" in ax.get_legend().get_texts()[-1].get_text()


def test_wrong_values_have_a_code() -> None:
    curve, own = small_curve(), few_groups()
    assert code(lambda: rs.plot.roc(curve, zoom=[])) == "RS042"
    assert code(lambda: rs.plot.roc(curve, zoom=[0.1])) == "RS042"
    assert code(lambda: rs.plot.roc(curve, seed="x")) == "RS042"
    assert code(lambda: rs.plot.roc(curve, text_size=1e9)) == "RS042"
    assert code(lambda: rs.plot.roc(curve, text_size=2)) == "RS042"
    assert code(lambda: rs.plot.roc(curve, band=np.zeros(2))) == "RS002"
    assert code(lambda: rs.plot.average(own, look="red")) == "RS002"


@pytest.mark.parametrize("path", [None, 3, "", "a\0.png"])
def test_a_file_needs_a_name(path: Any) -> None:
    assert code(lambda: rs.plot.save(Figure(), path)) == "RS002"


def test_names_that_are_too_long_and_folders_are_refused(tmp_path: Any) -> None:
    (tmp_path / "folder.png").mkdir()
    assert code(lambda: rs.plot.save(Figure(), tmp_path / "folder.png")) == "RS003"
    assert code(lambda: rs.plot.save(Figure(), tmp_path / f"{'a' * 300}.png")) == "RS055"
    assert rs.plot.save(Figure(), tmp_path / f"{'a' * 245}.png").is_file()


def test_bins_without_a_score_are_drawn_and_scores_too_close_for_a_scale_refused() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        scores, _ = rs.plot.densities(rs.score_densities(small_set(), bins=[100, 200, 300]))
    assert scores.get_ylim()[1] > 1
    labels, close = np.tile([0, 1], 50), 1e9 + 1e-7 * np.arange(100.0)
    assert code(lambda: rs.score_densities(labels, close, scale="log")) == "RS042"
    assert rs.score_densities(labels, close).positives.sum() == 50


def test_huge_scores_are_drawn() -> None:
    labels, huge = np.tile([0, 1], 50), np.linspace(-0.7, 0.7, 100) * 1e308
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", DeprecationWarning)
        rs.plot.densities(rs.score_densities(labels, huge))


def test_scores_and_their_curve_share_no_scale() -> None:
    spread = rs.score_densities(small_set())
    assert code(lambda: rs.plot.densities(spread, ax=Figure().subplots(1, 2, sharey=True))) == "RS002"
    assert len(rs.plot.densities(spread, ax=Figure().subplots(1, 2))) == 2


def test_a_key_stands_on_no_axes_of_the_user_beside_or_below() -> None:
    for draw in (partial(rs.plot.roc, small_curve()), partial(FIGURES["smroc"])):
        axes = Figure(figsize=(8, 6)).subplots(2, 2)
        draw(ax=axes[0, 0])
        figure = axes[0, 0].figure
        figure.draw_without_rendering()
        box = axes[0, 0].get_legend().get_window_extent()
        assert not any(box.overlaps(other.bbox) for other in axes.flat[1:])


def test_dollars_in_titles_start_no_formula_and_log_ticks_are_written_out() -> None:
    many = rs.roc_curve(np.arange(50_000) % 2, np.random.default_rng(1).normal(size=50_000))
    ax = rs.plot.roc(many, xscale="log", title="from 5 $ on", zoom=0.5)
    ax.figure.draw_without_rendering()
    assert "0.0001" in [text.get_text() for text in ax.get_xticklabels()]
    short = rs.plot.roc(small_curve(), xscale="log", zoom=0.3)
    low, high = short.get_xlim()
    assert sum(low <= tick <= high for tick in short.get_xticks()) >= 2


def test_limits_of_areas_are_printed_between_0_and_1() -> None:
    folds = [([1, 1, 0, 0], [4, 3, 2, 1]), ([1, 1, 0, 0], [4, 3, 2, 1]), ([1, 1, 0, 0], [4, 2, 3, 1])]
    ax = rs.plot.average(rs.average(rs.ScoreSet.from_folds(folds, design="independent"), "vertical"))
    limits = re.search(r"([\d.]+) to ([\d.]+) \(95 %\)", ax.get_legend().get_texts()[1].get_text())
    assert limits is not None
    assert 0 < float(limits[1]) < float(limits[2]) <= 1
