"""What all figures promise, drawn by Matplotlib and as SVG: legible words, names as text, nothing global touched."""

from __future__ import annotations

import itertools
import re
import sys
import xml.etree.ElementTree as ET
from functools import cache
from typing import Any
from unittest import mock

import matplotlib as mpl
import matplotlib.style
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from figures.every_figure import FIGURES
from rocsteady import figures
from rocsteady.figures import matplotlib as backend
from rocsteady.figures.spec import Cells, Faint, Picture, spelled
from rocsteady.figures.style import LOOKS
from rocsteady.figures.svg import svg
from rocsteady.text import BIOMETRIC, MEDICAL, ML, Quote, Words

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib", "ignore:RS2[0-9]")

# A figure that is made: as wide as a column of a journal, or as a slide.
SIZES = {"paper": 8.0, "slide": 16.0}
HOSTILE = "</script><!-- \"' $x_1$ ]]> \x1b[2J & \\alpha"


def figure_of(drawn: object) -> Figure:
    first = drawn if isinstance(drawn, Axes) else np.ravel(np.asarray(drawn, dtype=object))[0]
    return first.figure


@cache
def described(name: str) -> tuple[Picture, Words]:
    """The description of a figure and its words, as the door hands them to Matplotlib."""
    figure = name.partition(",")[0]
    module = sys.modules[FIGURES_OF.get(figure, f"rocsteady.figures.{figure}")]
    with mock.patch.object(module, "draw") as draw:
        FIGURES[name]()
    (picture, words), _ = draw.call_args
    return picture, words


FIGURES_OF = {"class_error_surface": "rocsteady.figures.class_errors"}
DESCRIBED = sorted(FIGURES)


def words_in(figure: Figure) -> list[tuple[str, Bbox]]:
    """Every text that is drawn, and the box it takes."""
    drawn: list[tuple[str, Bbox]] = []

    def noted(self: Text, renderer: Any) -> None:
        # Ticks beyond the limits exist too, but are never drawn; so ask at the drawing.
        if self.get_visible() and self.get_text().strip():
            drawn.append((self.get_text(), self.get_window_extent(renderer)))

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Text, "draw", noted)
        figure.draw_without_rendering()
    return drawn


def test_every_figure_is_in_this_list() -> None:
    assert {name.partition(",")[0] for name in FIGURES} == set(figures.__all__) - {"save"}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", FIGURES)
def test_no_text_covers_another_and_nothing_global_is_touched(name: str, size: str) -> None:
    before = dict(mpl.rcParams)
    figure = figure_of(FIGURES[name](text_size=SIZES[size]))
    words = words_in(figure)
    if size == "paper":  # once for each figure is enough to see that text stays text
        assert backend.rendered(figure, "svg").count(b"<text") >= 3
    assert dict(mpl.rcParams) == before
    require_apart(figure, words)


def require_apart(figure: Figure, words: list[tuple[str, Bbox]]) -> None:
    """Every word within the figure, none on another."""
    assert words
    page = figure.bbox.padded(2)
    outside = [text for text, box in words if not (page.contains(*box.min) and page.contains(*box.max))]
    assert outside == []
    # Letters of neighbouring lines may touch: a pixel is not an overlap.
    boxes = [(text, box.padded(-1)) for text, box in words]
    covered = [(a, b) for (a, one), (b, two) in itertools.combinations(boxes, 2) if one.overlaps(two)]
    assert covered == []


@pytest.mark.parametrize("name", DESCRIBED)
def test_svg_is_well_formed_and_needs_no_style_script_or_request(name: str) -> None:
    picture, words = described(name)
    drawn = svg(picture, words)
    root = ET.fromstring(drawn)
    assert root.get("role") == "img"
    assert root.find("{*}title") is not None
    tags = {node.tag.split("}")[1] for node in root.iter()}
    assert tags <= {"svg", "title", "desc", "g", "path", "rect", "text", "clipPath", "pattern"}
    names = {key for node in root.iter() for key in node.attrib}
    assert not [key for key in names if key == "style" or key.startswith("on") or "href" in key]
    ids = [node.get("id") for node in root.iter() if node.get("id")]
    assert len(set(ids)) == len(ids)
    assert set(re.findall(r"url\(#([^)]+)\)", drawn)) <= set(ids)
    assert "nan" not in "".join(node.get("d", "") for node in root.iter())
    assert svg(picture, words) == drawn
    assert len(drawn) < 200_000


@pytest.mark.parametrize("name", DESCRIBED)
def test_every_vocabulary_and_every_name_can_be_drawn(name: str) -> None:
    picture, own = described(name)
    wicked = picture.titled(HOSTILE)
    for words in (ML, MEDICAL, BIOMETRIC):
        said = words.about(unit=own.unit, models=own.models, positive=HOSTILE, negative="0")
        root = ET.fromstring(svg(wicked, said))
        shown = " ".join(root.itertext())
        assert "</script>" in shown
        assert "\x1b" not in shown
        labels = [spelled(axis.label, said) for panel in picture.panels for axis in (panel.x, panel.y)]
        assert all(label in shown for label in labels if len(label) < 25)
    made = backend.figure(wicked, MEDICAL)
    backend.rendered(made, "svg")  # a formula in a name would fail here


@pytest.mark.parametrize("name", ["average", "averages", "reader_curves", "roc"])
def test_a_model_has_the_look_of_its_place_in_the_data_in_both_backends(name: str) -> None:
    picture, _ = described(name)
    order = tuple(reversed(picture.models))
    words = ML.about(models=("first", *order))
    look = picture.looker(words)
    for k, model in enumerate(order, start=1):
        hue = next(m.look for p in picture.panels for m in p.marks if getattr(m.look, "name", "") == model)
        assert look(hue) is LOOKS[k]
    assert f"s-{len(order)}" in svg(picture, words) or not order


def test_described_figures_hold_few_faint_curves_and_no_words_but_typed_ones() -> None:
    for name in DESCRIBED:
        for panel in described(name)[0].panels:
            for mark in panel.marks:
                assert not isinstance(mark, Faint | Cells) or len(getattr(mark, "paths", ())) <= 300
                text = getattr(mark, "text", None)
                assert text is None or hasattr(text, "spell"), (name, text)


def test_without_matplotlib_every_figure_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    from rocsteady.errors import MissingPackageError

    for name in [own for own in sys.modules if own.split(".")[0] in ("matplotlib", "mpl_toolkits")]:
        monkeypatch.setitem(sys.modules, name, None)
    for name, draw in FIGURES.items():
        with pytest.raises(MissingPackageError) as caught:
            draw()
        assert caught.value.code == "RS061", name
        assert "rocsteady[plot]" in str(caught.value)


def test_a_figure_without_axes_is_pyplots() -> None:
    from matplotlib import pyplot

    before = pyplot.get_fignums()
    for name in ("roc", "forest", "class_error_surface"):
        drawn = FIGURES[name]()
        assert figure_of(drawn).number in set(pyplot.get_fignums()) - set(before)
        pyplot.close(figure_of(drawn))
    assert pyplot.get_fignums() == before


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


@pytest.mark.parametrize("name", ["roc", "cross_auc", "class_error_surface", "det"])
@pytest.mark.parametrize("style", ["dark_background", LOUD], ids=["dark", "loud"])
def test_own_figures_look_the_same_in_every_style(name: str, style: Any) -> None:
    plain = backend.rendered(figure_of(FIGURES[name]()), "svg")
    with mpl.style.context(style):
        assert backend.rendered(figure_of(FIGURES[name]()), "svg") == plain


def test_a_title_is_text() -> None:
    picture, words = described("roc")
    assert picture.titled("").title is None
    titled = picture.titled("from 5 $ on")
    assert isinstance(titled.title, Quote)
    assert backend.figure(titled, words).axes[0].get_title(loc="left") == "from 5 $ on"
