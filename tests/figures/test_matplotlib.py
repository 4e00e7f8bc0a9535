"""Figures in odd surroundings: the user's axes, styles, threads and keys; and files, whole or not there."""

from __future__ import annotations

import io
import itertools
import os
import threading
import warnings
from functools import cache
from typing import Any

import matplotlib as mpl
import matplotlib.style
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

import rocsteady as rs
from figures.every_figure import FIGURES
from rocsteady.errors import FileError, RocsteadyError, UsageError
from rocsteady.figures.matplotlib import figure as own_figure
from rocsteady.figures.matplotlib import rendered, save
from rocsteady.figures.roc import picture
from rocsteady.text import ML

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib", "ignore:RS2[0-9]")


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


def found(ax: Any, label: str) -> list[Any]:
    return [own for own in (*ax.lines, *ax.patches, *ax.collections) if own.get_label() == label]


def texts(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_words_and_bars_are_light_on_dark_axes_of_the_user() -> None:
    with mpl.style.context("dark_background"):
        ax = Figure().add_subplot()
        rs.plot.average(few_groups(), at={"fpr": 0.1}, ax=ax)
    words = ax.get_legend().get_texts()
    assert all(sum(to_rgb(text.get_color())) > 1.2 for text in words)
    assert all(sum(text.get_bbox_patch().get_facecolor()[:3]) == 0 for text in words)
    assert sum(to_rgb(found(ax, "_interval")[0].get_color())) == 3
    assert not any(line.get_visible() for line in ax.get_xgridlines())
    clear = Figure().add_subplot(facecolor="none")
    rs.plot.average(few_groups(), ax=clear)
    assert sum(clear.get_legend().get_texts()[0].get_bbox_patch().get_facecolor()[:3]) == 3


def test_a_figure_written_twice_gives_the_same_bytes() -> None:
    figure = FIGURES["roc"]().figure
    first = rendered(figure, "svg")
    figure.savefig(io.BytesIO(), format="png", dpi=50)
    assert rendered(figure, "svg") == first


def test_threads_that_make_and_write_figures_leave_the_settings_as_they_were() -> None:
    before = dict(mpl.rcParams)
    described, files = picture(small_curve()), list[bytes]()

    def work() -> None:
        files.append(rendered(own_figure(described, ML), "svg"))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(files) == 4
    assert len(set(files)) == 1
    assert dict(mpl.rcParams) == before


def test_a_long_title_has_several_lines_inside_the_figure() -> None:
    ax = rs.plot.roc(small_curve(), title="where this curve would be used, and by whom, " * 9)
    ax.figure.draw_without_rendering()
    box = ax._left_title.get_window_extent()
    assert ax.get_title(loc="left").count("\n") == 3
    assert ax.figure.bbox.x0 <= box.x0
    assert box.x1 <= ax.figure.bbox.x1


def test_axes_that_had_a_log_scale_are_linear_again() -> None:
    ax = Figure().add_subplot()
    ax.set(xscale="log", yscale="log")
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        rs.plot.roc(small_curve(), ax=ax)
    assert (ax.get_xscale(), ax.get_yscale(), ax.get_xlim()) == ("linear", "linear", (0.0, 1.0))


def test_what_stood_in_a_key_stays_there_and_is_not_said_twice() -> None:
    ax = Figure().add_subplot()
    ax.plot([0, 1], [0.5, 0.5], label="my own line")
    ax.legend()
    rs.plot.average(few_groups(), label="first", curves=False, ax=ax)
    rs.plot.average(rs.average(small_set(), "threshold"), label="second", curves=False, ax=ax)
    assert "my own line" in texts(ax)
    assert [text.split("  ")[0] for text in texts(ax)[:3:2]] == ["first", "second"]
    assert texts(ax).count("95 %: each point by itself") == 1
    first, second = found(ax, "_average")
    assert first.get_color() != second.get_color()
    assert first.get_linestyle() != second.get_linestyle()
    assert len(found(ax, "_chance")) == 1


def test_a_key_stands_in_the_figure_and_on_no_other_axes_whatever_the_layout() -> None:
    for layout in ("constrained", None):
        for name in ("smroc", "difference", "averages"):
            figure = Figure(figsize=(8, 7), layout=layout)
            axes = figure.subplots(2, 2)
            FIGURES[name](ax=axes[0, 0])
            FIGURES["roc"](ax=axes[0, 1])
            figure.draw_without_rendering()
            box = axes[0, 0].get_legend().get_window_extent()
            assert not any(box.overlaps(other.bbox) for other in axes.flat[1:]), (layout, name)
            assert box.y0 >= 0
    part = Figure(figsize=(8, 4), layout="constrained").subfigures(1, 2)[1].add_subplot()
    assert FIGURES["average"](ax=part) is part


def test_keys_cover_no_curve() -> None:
    for gain, name in itertools.product((2.5, 0.8, 0.0, -1.0), ("average", "precision_recall", "roc")):
        labels = np.tile([1, 0], 180)
        scores = np.random.default_rng(0).normal(size=360) + gain * labels
        score_set = rs.ScoreSet.from_arrays(labels, scores, np.repeat(np.arange(9), 40))
        value = rs.average(score_set, "vertical") if name == "average" else rs.roc_curve(labels, scores)
        ax = getattr(rs.plot, name)(value)
        ax.figure.draw_without_rendering()
        box, page = ax.get_legend().get_window_extent(), ax.figure.bbox
        assert page.x0 - 1 <= box.x0 < box.x1 <= page.x1 + 1
        assert page.y0 - 1 <= box.y0
        for line in found(ax, "_average"):
            path = ax.transData.transform_path(line.get_path())
            assert not path.intersects_bbox(box, filled=False), (gain, name)


def test_points_outside_the_view_are_called_so() -> None:
    for ax in (
        rs.plot.average(few_groups(), at={"fpr": 0.5}, zoom=0.1),
        rs.plot.roc(small_curve(), at={"fpr": 0.5}, zoom=0.1),
    ):
        assert not found(ax, "_point")
        assert "outside these axes" in texts(ax)[-1].replace("\n", " ")


def test_log_ticks_are_written_out() -> None:
    many = rs.roc_curve(np.arange(50_000) % 2, np.random.default_rng(1).normal(size=50_000))
    ax = rs.plot.roc(many, xscale="log", zoom=0.5)
    ax.figure.draw_without_rendering()
    assert "0.0001" in [text.get_text() for text in ax.get_xticklabels()]
    assert len(FIGURES["roc"](xscale="log", zoom=0.3).get_xticks()) >= 2


def test_lines_grow_with_the_text() -> None:
    small, large = (rs.plot.roc(small_curve(), text_size=size) for size in (8, 16))
    assert large.spines["left"].get_linewidth() == 2 * small.spines["left"].get_linewidth()
    assert large.figure.get_size_inches()[0] == pytest.approx(2 * small.figure.get_size_inches()[0])
    assert large.xaxis.label.get_fontsize() == 16


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"text_size": 0}, "RS042"),
        ({"text_size": "big"}, "RS042"),
        ({"ax": "here"}, "RS002"),
        ({"ax": [1, 2]}, "RS002"),
        ({"words": "legal"}, "RS001"),
    ],
)
def test_what_does_not_fit_is_refused(options, code) -> None:
    with pytest.raises(RocsteadyError, match=code):
        rs.plot.roc(small_curve(), **options)
    with pytest.raises(RocsteadyError, match="RS002"):
        rs.plot.roc(small_curve(), ax=Figure().add_subplot(projection="3d"))
    with pytest.raises(RocsteadyError, match="RS002"):
        rs.plot.roc(small_curve(), ax=Figure().add_subplot(projection="polar"))


# Files --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def axes():
    return rs.plot.roc(
        rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.1]), interval=False, title="A curve"
    )


def test_a_figure_made_again_gives_the_same_bytes(tmp_path) -> None:
    curve = rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.1])
    for kind in ("png", "pdf", "svg"):
        one, two = (save(rs.plot.roc(curve), tmp_path / f"{i}.{kind}", dpi=72).read_bytes() for i in range(2))
        assert one == two


@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("SVG", b"<?xml")])
def test_the_ending_says_what_is_written(axes, tmp_path, ending, start) -> None:
    path = save(axes, tmp_path / f"curve.{ending}")
    assert path.read_bytes().startswith(start)
    assert save(axes.figure, str(path)) == path
    assert os.listdir(tmp_path) == [path.name]  # nothing is left behind


def test_text_stays_text_also_of_figures_that_are_not_ours(axes, tmp_path) -> None:
    other = Figure().add_subplot()
    other.set_title("Another")
    assert ">Another</text>" in save(other, tmp_path / "a.svg").read_text()
    assert b"/Type3" not in save(other, tmp_path / "a.pdf").read_bytes()
    assert ">A curve</text>" in save([axes], tmp_path / "b.svg").read_text()


def test_dots_per_inch_and_axes_in_parts_of_a_figure(axes, tmp_path) -> None:
    widths = []
    for dpi in (100, 200):
        content = save(axes, tmp_path / f"{dpi}.png", dpi=dpi).read_bytes()
        widths.append(int.from_bytes(content[16:20], "big"))
    assert widths[1] == pytest.approx(2 * widths[0], abs=1)
    part = Figure().subfigures(1, 2)[0].add_subplot()
    first = save(part, tmp_path / "part.png").read_bytes()
    assert save(np.array([[part]]), tmp_path / "array.png").read_bytes() == first


def test_what_cannot_be_written_is_refused_before_anything_is(axes, tmp_path) -> None:
    there = tmp_path / "there.png"
    there.write_text("mine")
    for given, code in (
        ((3, there), "RS002"),
        (([], there), "RS002"),
        ((axes, ""), "RS002"),
        ((axes, "a\0b.png"), "RS002"),
        ((axes, tmp_path / "curve.jpeg"), "RS054"),
        ((axes, tmp_path / "curve"), "RS054"),
    ):
        with pytest.raises(UsageError, match=code):
            save(*given)
    for options, code in (({"dpi": 0}, "RS042"), ({"dpi": 10**6}, "RS042"), ({"overwrite": "no"}, "RS001")):
        with pytest.raises(UsageError, match=code):
            save(axes, there, **options)
    with pytest.raises(UsageError, match="RS003"):
        save(axes, there, overwrite=False)
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(UsageError, match="RS003"):
        save(axes, tmp_path / "folder.png")
    for missing in (tmp_path / "missing" / "curve.png", tmp_path / ("x" * 300) / "curve.png"):
        with pytest.raises(FileError, match="RS055"):
            save(axes, missing)
    with pytest.raises(FileError, match="RS055"):
        save(axes, tmp_path / ("x" * 300 + ".png"))
    assert there.read_text() == "mine"


def test_half_a_file_is_never_seen(axes, tmp_path, monkeypatch) -> None:
    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(FileError, match="No space left"):
        save(axes, tmp_path / "curve.png")
    assert os.listdir(tmp_path) == []
