"""Figures are written whole or not at all, of the kind that the ending says."""

from __future__ import annotations

import os

import numpy as np
import pytest
from matplotlib.figure import Figure

import rocsteady as rs
from rocsteady.errors import FileError, UsageError
from rocsteady.plots.parts.saving import save
from rocsteady.plots.roc import roc

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib")


@pytest.fixture(scope="module")
def axes():
    return roc(rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.1]), interval=False, title="A curve")


def test_a_figure_made_again_gives_the_same_bytes(tmp_path) -> None:
    curve = rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.1])
    for kind in ("png", "pdf", "svg"):
        one, two = (save(roc(curve), tmp_path / f"{i}.{kind}", dpi=72).read_bytes() for i in range(2))
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


def test_dots_per_inch(axes, tmp_path) -> None:
    widths = []
    for dpi in (100, 200):
        content = save(axes, tmp_path / f"{dpi}.png", dpi=dpi).read_bytes()
        widths.append(int.from_bytes(content[16:20], "big"))
    assert widths[1] == pytest.approx(2 * widths[0], abs=1)


def test_axes_in_a_part_of_a_figure_and_in_an_array(tmp_path) -> None:
    figure = Figure()
    part = figure.subfigures(1, 2)[0].add_subplot()
    assert save(part, tmp_path / "part.png").stat().st_size > 0
    assert (
        save(np.array([[part]]), tmp_path / "array.png").read_bytes() == (tmp_path / "part.png").read_bytes()
    )


def test_what_cannot_be_written_is_refused_before_anything_is(axes, tmp_path) -> None:
    there = tmp_path / "there.png"
    there.write_text("mine")
    for given, code in (
        ((3, there), "RS002"),
        (([], there), "RS002"),
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
    with pytest.raises(FileError, match="RS055"):
        save(axes, tmp_path / "missing" / "curve.png")
    assert there.read_text() == "mine"


def test_half_a_file_is_never_seen(axes, tmp_path, monkeypatch) -> None:
    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(FileError, match="No space left"):
        save(axes, tmp_path / "curve.png")
    assert os.listdir(tmp_path) == []
