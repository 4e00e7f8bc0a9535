"""What all figures promise: nothing global is touched, nothing is shown, text stays text and is legible."""

from __future__ import annotations

import itertools
import sys
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from plots.every_figure import FIGURES
from rocsteady import plots
from rocsteady.plots.parts.style import rendered

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib", "ignore:RS2[0-9]")

# A figure that is made: as wide as a column of a journal, or as a slide.
SIZES = {"paper": 8.0, "slide": 16.0}


def figure_of(drawn: object) -> Figure:
    first = drawn if isinstance(drawn, Axes) else np.ravel(np.asarray(drawn, dtype=object))[0]
    return first.figure


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
    assert set(FIGURES) == set(plots.__all__) - {"save"}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", FIGURES)
def test_no_text_covers_another_and_nothing_global_is_touched(name: str, size: str) -> None:
    before = dict(mpl.rcParams)
    with pytest.MonkeyPatch.context() as patched:
        # Pyplot opens windows and keeps figures: whoever imports it now fails.
        patched.setitem(sys.modules, "matplotlib.pyplot", None)
        patched.delattr(mpl, "pyplot", raising=False)
        figure = figure_of(FIGURES[name](text_size=SIZES[size]))
        words = words_in(figure)
        if size == "paper":  # once for each figure is enough to see that text stays text
            assert rendered(figure, "svg").count(b"<text") >= 3
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


def test_without_matplotlib_every_figure_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    from rocsteady.errors import MissingPackageError

    for name in [own for own in sys.modules if own.split(".")[0] in ("matplotlib", "mpl_toolkits")]:
        monkeypatch.setitem(sys.modules, name, None)
    for name, draw in FIGURES.items():
        with pytest.raises(MissingPackageError) as caught:
            draw()
        assert caught.value.code == "RS061", name
        assert "rocsteady[plot]" in str(caught.value)
