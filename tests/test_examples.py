"""The gallery: every script runs, prints what its docstring says, and draws; the page is made from them."""

from __future__ import annotations

import importlib.util
import re
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

from conftest import skip_unless_required

FOLDER = Path(__file__).parents[1] / "examples"


def load_gallery():
    """The module make_gallery, which lies beside the scripts; None where there are none."""
    path = FOLDER / "make_gallery.py"
    if not path.exists():
        return None
    spec = importlib.util.spec_from_file_location("make_gallery", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_gallery"] = module  # where its dataclass looks for its own annotations
    spec.loader.exec_module(module)
    return module


GALLERY = load_gallery()
NAMES = GALLERY.NAMES if GALLERY else ()


def test_every_script_is_in_the_gallery():
    if GALLERY is None:
        skip_unless_required("the examples are not part of a source distribution")
    scripts = {path.stem for path in FOLDER.glob("*.py")}
    assert scripts == {*NAMES, "make_gallery"}
    assert len(NAMES) >= 12


def words(text):
    return text.split()


@pytest.mark.parametrize("name", NAMES)
def test_a_script_prints_what_its_docstring_says_and_draws(name, tmp_path, monkeypatch, capsys):
    import matplotlib as mpl
    from matplotlib.image import imread

    settings = dict(mpl.rcParams)
    example = GALLERY.read(name)
    monkeypatch.setattr(sys, "argv", [f"{name}.py", str(tmp_path)])
    runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__")
    assert words(capsys.readouterr().out) == words(example.printed)
    assert [path.name for path in tmp_path.iterdir()] == [f"{name}.png"]
    pixels = imread(tmp_path / f"{name}.png")
    assert len(np.unique((pixels * 255).round() @ [1, 256, 256**2, 256**3])) > 20  # colours
    assert dict(mpl.rcParams) == settings


@pytest.mark.parametrize("name", NAMES)
def test_a_script_is_short_and_its_numbers_are_printed(name):
    example = GALLERY.read(name)
    assert example.question.endswith("?")
    body = example.source.split('"""', 2)[2]
    assert len([line for line in body.splitlines() if line.strip()]) <= 40
    said = re.findall(r"\d+\.\d+", example.answer)
    assert set(said) <= set(re.findall(r"\d+\.\d+", example.printed))


@pytest.mark.parametrize("name", NAMES)
def test_the_picture_beside_a_script_is_of_this_script_and_small(name):
    example = GALLERY.read(name)
    assert GALLERY.is_picture_of(example), "run  python examples/make_gallery.py"
    assert example.picture.stat().st_size <= 60_000


def test_the_page_is_made_from_the_scripts():
    if GALLERY is None:
        skip_unless_required("the examples are not part of a source distribution")
    assert GALLERY.main(["--check"]) == 0
