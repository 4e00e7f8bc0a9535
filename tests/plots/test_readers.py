"""Figures of reader studies draw the numbers they are given, and say what these are."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

import rocsteady as rs
from rocsteady import plots
from rocsteady.errors import UsageError
from rocsteady.plots.parts.style import BLUE, VERMILLION, rendered
from rocsteady.plots.reader_values import spread_apart
from rocsteady.readers.compare import compare_readers, summarize_readers

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib", "ignore:RS21[3-8]")


def study(
    n_readers=5, modalities=("film", "digital"), n=30, *, steps=None, nested=False, names=None, system=False
):
    rng = np.random.default_rng(3)
    sick, common = np.repeat([1, 0], n), rng.normal(size=2 * n)
    rows = []
    for i, modality in enumerate(modalities):
        for reader in range(n_readers):
            if nested and reader % len(modalities) != i:
                continue
            own = common + (1 + 0.5 * i) * sick + rng.normal(size=2 * n)
            own = own if steps is None else np.digitize(own, steps)
            name = f"Dr {reader}" if names is None else names[reader]
            rows += [(own[k], sick[k], name, modality, k) for k in range(2 * n)]
    if system:
        own = common + sick + rng.normal(size=2 * n)
        rows += [(own[k] / 10, sick[k], "AI", "AI", k) for k in range(2 * n)]
    rating, truth, reader, modality, case = zip(*rows, strict=True)
    return rs.ScoreSet.from_arrays(truth, rating, reader, models=modality, cases=case, unit="reader")


STUDY = study()


@pytest.fixture(scope="module")
def found():
    return compare_readers(STUDY, n_resamples=200)


def texts(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


def heading(axes):
    return axes.get_legend().get_title().get_text()


def bars(axes, colour):
    """Values and limits of the bars of one colour."""
    from matplotlib.colors import same_color

    (own,) = [c for c in axes.containers if same_color(c.lines[0].get_color(), colour)]
    segments = np.array(own.lines[2][0].get_segments())
    return own.lines[0].get_xydata(), segments[:, 0, 1], segments[:, 1, 1]


def test_values_are_lines_of_readers_and_bars_of_modalities(found):
    axes = plots.reader_values(found)
    lines = [line.get_ydata() for line in axes.lines if line.get_label() in ("each reader", "_reader")]
    np.testing.assert_array_equal(np.array(lines).T, found.values)
    points, low, high = bars(axes, BLUE)
    np.testing.assert_allclose(points[:, 1], found.means)
    np.testing.assert_allclose(low, found.per_modality.low)
    np.testing.assert_allclose(high, found.per_modality.high)
    assert points[0, 0] < 0
    assert points[1, 0] > 1  # beside the readers, not upon them
    assert texts(axes) == ["each reader", "mean of the readers, 95 % interval (t)"]
    first, second = heading(axes).splitlines()
    assert first == "5 readers (random), 60 cases (random)"
    assert second.startswith("digital less film: 0.")
    assert second.endswith(f"p = {found.pvalue:.2g}") or "p <" in second
    assert {text.get_text() for text in axes.texts} == set(found.readers)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("modality", "AUC")


def test_many_readers_have_no_names_and_three_modalities_no_difference():
    axes = plots.reader_values(compare_readers(study(14, ("a", "b", "c"))))
    assert not axes.texts
    assert "\n" not in heading(axes)
    assert [text.get_text() for text in axes.get_xticklabels()] == ["a", "b", "c"]


def test_nested_readers_are_points_with_names_where_they_are():
    nested = compare_readers(study(6, nested=True))
    axes = plots.reader_values(nested)
    assert {text.get_text() for text in axes.texts} == set(nested.readers)
    low, high = axes.get_ylim()
    assert all(low <= text.get_position()[1] <= high for text in axes.texts)


def test_names_cannot_start_formulas_or_fill_the_figure():
    names = ["$x^2$", "a" * 80, "b\x1b[2J", "c", "d"]
    odd = compare_readers(study(names=names, modalities=("$a$", "b" * 60)))
    axes = plots.reader_values(odd)
    shown = [text.get_text() for text in axes.texts]
    assert r"\$x^2\$" in shown
    assert max(map(len, shown)) <= 14
    assert not any("\x1b" in text for text in shown)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rendered(axes.figure, "svg")
        rendered(plots.reader_curves(odd).figure, "svg")


def test_a_standalone_system_stands_beside_the_readers():
    found = compare_readers(study(system=True), standalone="AI")
    axes = plots.reader_values(found)
    points, low, _ = bars(axes, VERMILLION)
    np.testing.assert_allclose(points[:, 1], found.standalone_values)
    np.testing.assert_allclose(low, [own.a_interval.low for own in found.differences])
    np.testing.assert_allclose(bars(axes, BLUE)[0][:, 1], found.means)
    assert texts(axes)[1:] == ["mean of the readers, 95 % interval (logit)", "AI, 95 % interval"]


def test_a_modality_without_a_name_is_not_given_one():
    truth, case, reader = np.tile([1, 0], 60), np.tile(np.arange(20), 6), np.repeat(np.arange(6), 20)
    ratings = np.random.default_rng(0).normal(size=120) + truth
    axes = plots.reader_values(summarize_readers(rs.ScoreSet.from_arrays(truth, ratings, reader, cases=case)))
    assert (axes.get_xlabel(), [text.get_text() for text in axes.get_xticklabels()]) == ("", [""])


def test_a_band_that_is_not_drawn_is_not_in_the_key():
    truth, case, reader = np.tile([1, 0], 40), np.tile(np.arange(20), 4), np.repeat(np.arange(4), 20)
    ratings = {name: truth + 0.1 * np.random.default_rng(0).random(80) for name in ("film", "digital")}
    perfect = rs.ScoreSet.from_arrays(truth, ratings, reader, cases=case, unit="reader")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        axes = plots.reader_curves(compare_readers(perfect, n_resamples=50))
    assert not any("by itself" in text for text in texts(axes))


def test_bands_have_the_level_of_the_comparison():
    narrow = compare_readers(STUDY, n_resamples=200, confidence_level=0.8)
    assert "80 %: each point by itself" in texts(plots.reader_curves(narrow))
    asked = plots.reader_curves(narrow, confidence_level=0.9)
    assert "90 %: each point by itself" in texts(asked)


def test_a_summary_of_one_modality_is_drawn_too():
    one = summarize_readers(study(modalities=("film",)))
    axes = plots.reader_values(one)
    points, low, high = bars(axes, BLUE)
    assert points[0, 1] == pytest.approx(float(one.means[0]))
    assert (low[0], high[0]) == pytest.approx((one.per_modality.low[0], one.per_modality.high[0]))
    assert texts(axes)[1].endswith("95 % interval (logit)")
    fixed = plots.reader_values(compare_readers(STUDY, readers="fixed"))
    assert texts(fixed)[1].endswith("95 % interval (normal)")


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.floats(0.001, 0.3))
def test_names_are_a_step_apart_and_stay_where_there_is_room(values, step):
    rising = np.sort(values)
    found = spread_apart(rising, step)
    assert (np.diff(found) >= step * (1 - 1e-9)).all()
    assert found.mean() == pytest.approx(rising.mean())
    if (np.diff(rising) >= step).all():
        np.testing.assert_allclose(found, rising, atol=1e-12)


@pytest.mark.parametrize("hold", ["fpr", "tpr"])
@pytest.mark.parametrize("steps", [None, [0, 0.7, 1.4]])
def test_curves_are_averages_bands_and_readers(hold, steps):
    found = compare_readers(study(steps=steps), n_resamples=200)
    axes = plots.reader_curves(found, hold=hold, confidence_level=0.9)
    curves = [found.average_curve(name, hold=hold) for name in found.modalities]
    drawn = [line for line in axes.lines if "AUC" in str(line.get_label())]
    per = found.per_modality
    for line, curve, low, high in zip(drawn, curves, per.low, per.high, strict=True):
        np.testing.assert_array_equal(line.get_xydata(), np.column_stack([curve.fpr, curve.tpr]))
        area = f"AUC {curve.auc:.3f}, {low:.3f} to {min(high, 1):.3f} (95 %)"
        assert line.get_label() == f"{curve.modality}: {area}"
    readers = [line.get_xydata() for line in axes.lines if line.get_label() == "_reader"]
    assert len(readers) == 10
    own = list(curves[1].reader_curves)[3]
    np.testing.assert_array_equal(readers[8], np.column_stack([own.fpr, own.tpr]))
    for filled, curve in zip(axes.collections, curves, strict=True):
        band = curve.band(0.9)
        corners = np.concatenate([path.vertices for path in filled.get_paths()])
        free = 1 if hold == "fpr" else 0
        rate = "tpr" if hold == "fpr" else "fpr"
        edges = np.concatenate([getattr(band.lower, rate), getattr(band.upper, rate)])
        assert corners[:, free].min() == pytest.approx(np.nanmin(edges))
        assert corners[:, free].max() == pytest.approx(np.nanmax(edges))
    assert texts(axes)[-1] == "90 %: each point by itself"
    assert "each reader" in texts(axes)
    method = "vertical" if hold == "fpr" else "horizontal"
    assert heading(axes) == f"{method} average, 5 readers (random), cases random"
    assert axes.get_xlabel() == "1 - specificity (false positive rate)"


def test_curves_can_be_given_one_by_one_and_without_readers(found):
    curve = found.average_curve("film")
    axes = plots.reader_curves(curve, readers=False, title="film")
    assert [line.get_label() for line in axes.lines if line.get_label() == "_reader"] == []
    assert axes.get_title(loc="left") == "film"
    assert "each reader" not in texts(axes)
    assert texts(axes)[0] == f"film: AUC {curve.auc:.3f}"
    assert len(texts(plots.reader_curves([curve, found.average_curve("digital")]))) == 4


def test_words_are_those_of_the_field(found):
    axes = plots.reader_curves(found, words="ml")
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("false positive rate", "true positive rate")
    assert plots.reader_values(found, words="ml").get_ylabel() == "AUC"
    for figure in (plots.reader_curves, plots.reader_values):
        with pytest.raises(UsageError, match="RS001"):
            figure(found, words="optics")


def test_what_is_fixed_is_in_the_key():
    fixed = compare_readers(STUDY, readers="fixed", n_resamples=200)
    assert heading(plots.reader_values(fixed)).startswith("5 readers (fixed), 60 cases (random)")
    assert "5 readers (fixed), cases random" in heading(plots.reader_curves(fixed))


def test_modalities_differ_by_more_than_colour(found):
    drawn = [line for line in plots.reader_curves(found).lines if "AUC" in str(line.get_label())]
    assert len({line.get_linestyle() for line in drawn}) == 2


def test_axes_that_are_given_are_used(found):
    figure = Figure()
    left, right = figure.subplots(1, 2)
    assert plots.reader_values(found, ax=left) is left
    assert plots.reader_curves(found, ax=right) is right
    assert rendered(figure, "png") == rendered(figure, "png")


@pytest.mark.parametrize("figure", ["reader_values", "reader_curves"])
@pytest.mark.parametrize("given", [None, 3, [], ["x"], STUDY])
def test_other_things_are_refused(figure, given):
    with pytest.raises(UsageError, match="RS002"):
        getattr(plots, figure)(given)


def test_more_modalities_than_can_be_told_apart_are_refused():
    many = compare_readers(study(3, tuple("abcdefg"), n=12), n_resamples=200)
    plots.reader_values(many)
    with pytest.raises(UsageError, match=r"RS042.*up to 6 modalities"):
        plots.reader_curves(many)


@pytest.mark.parametrize(
    ("options", "code"),
    [({"hold": "both"}, "RS001"), ({"text_size": 0}, "RS042"), ({"readers": "no"}, "RS001")],
)
def test_options_are_checked(found, options, code):
    with pytest.raises(UsageError, match=code):
        plots.reader_curves(found, **options)
