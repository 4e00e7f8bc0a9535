"""Lines are drawn as exactly as the eye can see; figures of our own show themselves and keep text as text."""

from __future__ import annotations

import io
import pickle

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

import rocsteady as rs
from rocsteady.plots.parts.canvas import OwnAxes, OwnFigure, Panels
from rocsteady.plots.parts.curve_lines import TOLERANCE, drawn_path
from rocsteady.plots.parts.roc_axes import dress_roc, lowest_rate
from rocsteady.plots.parts.style import new_figure, rendered
from rocsteady.plots.parts.vocabulary import VOCABULARIES
from rocsteady.plots.roc import roc

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib")


def a_curve(n: int = 60) -> rs.RocCurve:
    labels = np.arange(n) % 2
    return rs.roc_curve(labels, np.random.default_rng(1).normal(size=n) + labels)


def distance(x, y, path_x, path_y) -> float:
    """The largest distance of points from a line, by brute force."""
    worst = 0.0
    steps = np.column_stack([np.diff(path_x), np.diff(path_y)])
    starts = np.column_stack([path_x[:-1], path_y[:-1]])
    squares = np.maximum((steps**2).sum(axis=1), 1e-300)
    for point in np.column_stack([x, y]):
        share = np.clip(((point - starts) * steps).sum(axis=1) / squares, 0, 1)
        worst = max(worst, float(np.hypot(*(starts + share[:, None] * steps - point).T).min()))
    return worst


def whole_square():
    axes = Figure().add_subplot()
    axes.set(xlim=(0, 1), ylim=(0, 1))
    return axes


@given(st.integers(0, 10**6), st.integers(2, 9000))
def test_a_thinned_line_is_nowhere_further_off_than_the_tolerance(seed, n) -> None:
    rng = np.random.default_rng(seed)
    x, y = (
        np.sort(np.append(rng.integers(0, 40, n) / 40 if seed % 2 else rng.random(n), [0, 1]))
        for _ in range(2)
    )
    thin_x, thin_y = drawn_path(whole_square(), x, y)
    assert (thin_x[0], thin_y[0], thin_x[-1], thin_y[-1]) == (0, 0, 1, 1)
    assert thin_x.size <= x.size
    assert {*zip(thin_x.tolist(), thin_y.tolist(), strict=True)} <= {
        *zip(x.tolist(), y.tolist(), strict=True)
    }
    some = rng.integers(0, x.size, 40)
    assert distance(x[some], y[some], thin_x, thin_y) <= TOLERANCE * (1 + 1e-9)


def test_a_long_staircase_becomes_short() -> None:
    steps = np.linspace(0, 1, 100_001)
    x, y = np.repeat(steps, 2)[1:], np.repeat(steps**0.3, 2)[:-1]
    thin_x, thin_y = drawn_path(whole_square(), x, y)
    assert thin_x.size < 200
    assert distance(x[::997], y[::997], thin_x, thin_y) <= TOLERANCE


def test_a_line_on_a_log_scale_is_the_same_line() -> None:
    axes = Figure().add_subplot()
    dress_roc(axes, xscale="log", lowest=0.001)
    x, y = np.array([0, 0, 0.0004, 0.2, 0.2, 1]), np.array([0, 0.1, 0.3, 0.5, 0.8, 1])
    log_x, log_y = drawn_path(axes, x, y)
    assert log_x.min() == 0.001
    inside = (log_x > 0.001) & (log_x != 0.2)
    np.testing.assert_allclose(log_y[inside], np.interp(log_x[inside], x[2:], y[2:]))
    assert np.diff(np.log10(log_x)).max() <= 1 / 24 + 1e-9  # bent finely enough
    assert log_y[log_x == 0.2].tolist() == [0.5, 0.8]
    enters = 0.3 + 0.2 * (0.001 - 0.0004) / (0.2 - 0.0004)
    assert log_y[log_x == 0.001].max() == pytest.approx(enters)
    back_x, back_y = drawn_path(axes, x[::-1], y[::-1])
    np.testing.assert_allclose(
        np.interp(0.05, back_x[::-1], back_y[::-1]), np.interp(0.05, log_x, log_y), atol=1e-3
    )


def test_a_log_scale_starts_at_a_round_number_below_one_false_alarm() -> None:
    assert [lowest_rate(n) for n in (80, 1000, 2001, [3, 5e6])] == [0.01, 0.001, 0.0002, 2e-7]


def test_every_field_has_all_words() -> None:
    for said in VOCABULARIES.values():
        assert all(vars(said).values())
    assert VOCABULARIES["biometric"].fpr == "false match rate (FMR)"


def test_own_axes_show_themselves_and_others_do_not() -> None:
    axes = roc(a_curve(), interval=False)
    assert isinstance(axes, OwnAxes)
    picture, size = axes._repr_png_()
    assert picture.startswith(b"\x89PNG")
    width, height = (int.from_bytes(picture[i : i + 4], "big") for i in (16, 20))
    assert (size["width"], size["height"]) == (
        pytest.approx(width / 2, abs=1),
        pytest.approx(height / 2, abs=1),
    )
    assert axes.figure._repr_png_()[1] == size
    assert Panels((axes, axes))._repr_png_()[1] == size
    assert Panels((axes, axes)) == (axes, axes)
    assert not hasattr(Figure().add_subplot(), "_repr_png_")
    figure = new_figure(3, 3)
    assert hasattr(figure.add_subplot(projection="3d"), "_repr_png_")
    assert all(isinstance(own, OwnAxes) for own in new_figure(3, 3).subplots(1, 2))
    assert figure.add_subplot(polar=True).name == "polar"


def test_own_figures_keep_text_as_text_and_settings_untouched() -> None:
    before = dict(mpl.rcParams)
    axes = roc(a_curve(), interval=False, title="A title")
    written = {}
    for kind in ("svg", "pdf", "png"):
        file = io.BytesIO()
        axes.figure.savefig(file, format=kind)
        written[kind] = file.getvalue()
    assert b">A title</text>" in written["svg"]
    assert b"/Type3" not in written["pdf"]
    assert dict(mpl.rcParams) == before


def test_own_figures_can_be_pickled() -> None:
    again = pickle.loads(pickle.dumps(roc(a_curve(), interval=False).figure))
    assert isinstance(again, OwnFigure)
    assert rendered(again, "png").startswith(b"\x89PNG")


def test_spines_grow_with_the_text() -> None:
    small, large = (roc(a_curve(), text_size=size) for size in (8, 16))
    assert large.spines["left"].get_linewidth() == 2 * small.spines["left"].get_linewidth()
    assert tuple(large.figure.get_size_inches()) >= tuple(1.9 * small.figure.get_size_inches())
