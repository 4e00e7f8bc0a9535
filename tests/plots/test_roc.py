"""The figure of ROC curves draws their vertices, bands and points, and names each curve with its area."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex

import rocsteady as rs
from rocsteady.errors import UsageError
from rocsteady.plots.parts.style import LOOKS
from rocsteady.plots.roc import roc

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib")


def curve(gain: float = 1.5, n: int = 80, *, seed: int = 1, name: str | None = None) -> rs.RocCurve:
    labels = np.arange(n) % 2
    return rs.roc_curve(labels, np.random.default_rng(seed).normal(size=n) + gain * labels, name=name)


def lines(axes, label: str) -> list[np.ndarray]:
    return [np.asarray(own.get_xydata()) for own in axes.lines if own.get_label() == label]


def texts(axes) -> list[str]:
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_one_curve_with_its_area_cases_and_points() -> None:
    own = curve(name="model A")
    axes = roc(own, at=[{"fpr": 0.2}, {"tpr": 0.9}, {"threshold": 0.5}], confidence_level=0.9)
    np.testing.assert_array_equal(lines(axes, "_average"), [np.column_stack([own.fpr, own.tpr])])
    interval = own.auc_interval(0.9)
    assert texts(axes)[:3] == [
        f"model A  AUC {own.auc:.3f}",
        f"{interval.low:.3f} to {interval.high:.3f} (90 %)",
        "40 positives, 40 negatives",
    ]
    rates = own.rates_at(0.5)
    places = [[0.2, own.tpr_at(0.2)], [own.fpr_at(0.9), 0.9], [rates.fpr, rates.tpr]]
    np.testing.assert_allclose([point[0] for point in lines(axes, "_point")], places)
    up, across = lines(axes, "_interval")
    np.testing.assert_allclose(up[:, 1], [own.tpr_interval(0.2, 0.9).low, own.tpr_interval(0.2, 0.9).high])
    np.testing.assert_allclose(
        across[:, 0], [own.fpr_interval(0.9, 0.9).low, own.fpr_interval(0.9, 0.9).high]
    )


def test_a_chosen_cutoff_is_a_point_without_bars() -> None:
    own = curve()
    cutoff = rs.choose_cutoff(own, "youden")
    axes = roc(own, at=cutoff)
    np.testing.assert_allclose(lines(axes, "_point"), [[[cutoff.fpr, cutoff.tpr]]])
    assert lines(axes, "_interval") == []


def test_several_curves_differ_by_colour_and_dash_and_keep_their_names() -> None:
    six = {f"model {letter}": curve(0.3 + 0.3 * i, seed=i) for i, letter in enumerate("ABCDEF")}
    axes = roc(six)
    drawn = [own for own in axes.lines if own.get_label() == "_average"]
    assert len({own.get_color() for own in drawn}) == len({repr(own._dash_pattern) for own in drawn}) == 6
    for own, value in zip(drawn, six.values(), strict=True):
        np.testing.assert_array_equal(own.get_xydata(), np.column_stack([value.fpr, value.tpr]))
    assert [text.split("  ")[0] for text in texts(axes)] == list(six)
    interval = six["model A"].auc_interval()
    assert texts(axes)[0] == f"model A  {six['model A'].auc:.3f} ({interval.low:.3f} to {interval.high:.3f})"
    assert [
        text.split("  ")[0] for text in texts(roc([curve(), curve()], names=["a", "b"], interval=False))
    ] == ["a", "b"]
    assert texts(roc([curve(), curve(name="own")], interval=False))[0].startswith("curve 1")


def test_many_curves_of_several_models_have_a_look_for_each() -> None:
    rng = np.random.default_rng(0)
    labels, readers = np.tile([1, 0], 100), np.repeat(np.arange(5), 40)
    scores = {name: rng.normal(size=200) + labels for name in ("CT", "MRI")}
    axes = roc(rs.roc_curves(rs.ScoreSet.from_arrays(labels, scores, readers, unit="reader")))
    looked = [(len(own.get_segments()), to_hex(own.get_color()[0]).upper()) for own in axes.collections]
    assert looked == [(5, LOOKS[0].colour), (5, LOOKS[1].colour)]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["5 readers, 2 models", "CT", "MRI"]
    handles = axes.get_legend().get_lines()
    assert [line.is_dashed() for line in handles[1:]] == [False, True]


def test_points_of_several_curves_stand_where_they_are() -> None:
    rng = np.random.default_rng(1)
    labels = np.tile([1, 0], 100)
    scores = rng.normal(size=200) + labels
    several = [rs.roc_curve(labels, scores + own * labels) for own in (0.0, 0.1)]
    axes = roc(several, at={"fpr": 0.1})
    lines = {
        label: [own for own in axes.lines if own.get_label() == label] for label in ("_point", "_interval")
    }
    places = [tuple(own.get_xydata()[0]) for own in lines["_point"]]
    assert places == [(0.1, float(own.tpr_at(0.1))) for own in several]
    assert all(own.get_transform() == axes.transData for own in lines["_point"])
    bars = [own.get_transform().transform((0.1, 0.5))[0] for own in lines["_interval"]]
    assert 1.5 < 72 * abs(bars[0] - bars[1]) / axes.figure.dpi < 4.1  # these would hide each other


def test_labels_and_scores_become_a_curve_first() -> None:
    with pytest.raises(UsageError, match=r"rs\.plot\.roc\(rs\.roc_curve\(labels, scores\)\)"):
        roc([1, 0, 1, 0], [0.3, 0.2, 0.9, 0.1])


def test_cases_have_the_names_of_the_field() -> None:
    curve = rs.roc_curve([1, 1, 0, 0, 0], [3, 2, 2, 1, 0])
    words = [text.get_text() for text in roc(curve, words="biometric").get_legend().get_texts()]
    assert "2 genuine scores, 3 impostor scores" in words


def test_more_curves_are_faint_and_counted() -> None:
    rng = np.random.default_rng(0)
    labels = np.tile([1, 0], 400)
    folds = rs.ScoreSet.from_arrays(
        labels, rng.normal(size=800) + labels, np.repeat(np.arange(20), 40), unit="fold"
    )
    for many in (rs.roc_curves(folds), list(rs.roc_curves(folds))):
        axes = roc(many)
        (faint,) = axes.collections
        assert len(faint.get_segments()) == 20
        assert lines(axes, "_average") == []
    assert texts(roc(rs.roc_curves(folds))) == ["20 folds"]


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous"])
def test_bands_are_those_of_the_curve(kind) -> None:
    own = curve()
    band = own.band(kind=kind, fpr=(0.0, 1.0))
    for asked in (kind, band):
        axes = roc(own, band=asked)
        (area,) = [each for each in axes.collections if isinstance(each, PolyCollection)]
        corners = np.concatenate([path.vertices for path in area.get_paths()])
        np.testing.assert_allclose(corners[:, 1].min(), np.nanmin(band.lower.tpr))
        np.testing.assert_allclose(corners[:, 1].max(), np.nanmax(band.upper.tpr))
    two = roc([own, curve(seed=2)], band=[band, curve(seed=2).band(kind=kind)])
    assert [each.get_facecolor()[0][:3].tolist() for each in two.collections] == [
        pytest.approx(rgb) for rgb in ((0, 114 / 255, 178 / 255), (213 / 255, 94 / 255, 0))
    ]


def test_what_has_no_interval_is_drawn_without() -> None:
    own = curve()
    weighted = rs.roc_curve([1, 0, 1, 0], [4, 3, 2, 1], sample_weight=[1, 2, 1.5, 1])
    assert texts(roc(own.hull(), at={"fpr": 0.2}))[:2] == [
        f"AUC {own.hull().auc:.3f}",
        "convex hull, 40 positives, 40 negatives",
    ]
    assert texts(roc(weighted))[1].startswith("weights: 2.5 positive")
    separated = rs.roc_curve([1] * 5 + [0] * 5, list(range(10, 0, -1)))
    assert texts(roc(separated))[0] == "AUC 1.000"  # and no warning: the bound is in the key
    single = rs.roc_curve([1, 0, 0], [3, 2, 1])
    assert texts(roc(single))[-1] == "1 positive, 2 negatives"


def test_a_fitted_curve_is_smooth_and_named() -> None:
    own = curve()
    fit = rs.fit_binormal(own)
    axes = roc({"scores": own, "fitted": fit}, band="pointwise")
    _, smooth = lines(axes, "_average")
    np.testing.assert_allclose(smooth[1:-1, 1], fit.tpr_at(smooth[1:-1, 0]), atol=1e-12)
    assert any("(binormal)" in text for text in texts(axes))


def test_zoom_and_log_scale() -> None:
    own = curve(2.0, 400)
    near = roc(own, zoom=(0.4, 0.6))
    assert (near.get_xlim(), near.get_ylim(), near.get_aspect()) == ((0, 0.4), (0.6, 1), 1)
    assert roc(own, zoom=0.1).get_box_aspect() == 1
    log = roc(own, xscale="log")
    assert log.get_xlim() == (0.005, 1)
    (line,) = lines(log, "_average")
    assert line[line[:, 0] == 0.005][:, 1].max() == pytest.approx(own.tpr_at(0.005))


def test_bands_are_as_fine_as_what_is_in_view() -> None:
    own = curve(2.0, 4000)
    axes = roc(own, band="pointwise", xscale="log")
    corners = np.concatenate([path.vertices for area in axes.collections for path in area.get_paths()])
    at = np.unique(corners[:, 0])
    assert at[0] == pytest.approx(0.0005)
    assert np.diff(np.log10(at)).max() < 0.1
    near = roc(own, band="pointwise", zoom=0.01).collections[0].get_paths()[0].vertices
    assert near[:, 0].max() == pytest.approx(0.01)


def test_a_look_is_more_than_a_colour() -> None:
    for name in ("colour", "text", "line", "marker", "hatch"):
        assert len({repr(getattr(look, name)) for look in LOOKS}) == len(LOOKS)


def test_what_is_no_curve_is_refused() -> None:
    own = curve()
    for wrong in (3, None, "curve", [own, 3], {"a": 3}, own.band()):
        with pytest.raises(UsageError, match="RS002"):
            roc(wrong)
    for options, code in (
        ({"names": ["a", "b"]}, "RS013"),
        ({"names": "a"}, "RS013"),
        ({"band": "prediction"}, "RS001"),
        ({"band": 3}, "RS002"),
        ({"at": 0.1}, "RS092"),
        ({"at": {"rate": 0.1}}, "RS092"),
        ({"at": {"fpr": 2}}, "RS042"),
        ({"interval": 1}, "RS001"),
        ({"confidence_level": 95}, "RS042"),
        ({"words": "x"}, "RS001"),
    ):
        with pytest.raises(UsageError, match=code):
            roc(own, **options)
    with pytest.raises(UsageError, match="RS013"):
        roc([own, own], band=[own.band()])
    with pytest.raises(UsageError, match="RS042"):
        roc([])
