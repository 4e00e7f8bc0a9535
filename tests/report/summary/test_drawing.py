"""What the page draws stays near the full curves, and small; no number comes from it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from report.summary.made_hosts import hosts, material
from rocsteady.report.drawing import Drawing, draw
from rocsteady.report.drawing.scores import ScoreAxis, axis_of, densities_of, strips_of
from rocsteady.report.drawing.thinning import Line, thinned, thinned_to
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.modes.modes import read


@pytest.fixture(scope="module")
def gathered() -> Material:
    return material(hosts(9), rs.Deployment("shared", at={"fpr": 0.05}))


@pytest.fixture(scope="module")
def drawn(gathered: Material) -> Drawing:
    return draw(gathered)


def distances(line: Line, thin: Line) -> np.ndarray:
    """How far every vertex of a line lies from a thinned one."""
    points, corners = np.column_stack(line), np.column_stack(thin)
    start, step = corners[:-1], np.diff(corners, axis=0)
    length = np.maximum((step**2).sum(axis=1), 1e-300)
    share = np.clip(((points[:, None] - start) * step).sum(axis=2) / length, 0, 1)
    return np.sqrt(((points[:, None] - start - share[..., None] * step) ** 2).sum(axis=2)).min(axis=1)


@given(st.integers(0, 2**32 - 1), st.integers(2, 200), st.floats(1e-4, 0.05))
def test_thinned_lines_stay_near(seed: int, n: int, tolerance: float) -> None:
    rng = np.random.default_rng(seed)
    lines = []
    for size in (n, 2, n // 2 + 2):
        fpr, tpr = (np.concatenate([[0], np.sort(rng.random(size)), [1]]) for _ in range(2))
        lines.append((fpr, tpr))
    for line, thin in zip(lines, thinned(lines, tolerance), strict=True):
        assert distances(line, thin).max() <= tolerance
        assert (thin[0][[0, -1]].tolist(), thin[1][[0, -1]].tolist()) == ([0, 1], [0, 1])


def test_thinning_finds_room() -> None:
    rng = np.random.default_rng(0)
    lines = [tuple(np.sort(rng.random((2, 400)), axis=1)) for _ in range(20)]
    found = thinned_to(lines, 1e-6, most=500)  # type: ignore[arg-type]
    assert len(found) == 20
    assert sum(fpr.size for fpr, _ in found) <= 500
    assert thinned([], 0.1) == []


def test_lines_are_those_of_the_averages(gathered: Material, drawn: Drawing) -> None:
    assert set(drawn.lines) == {(key, i) for key in gathered.keys for i in range(2)}
    for (key, i), own in drawn.lines.items():
        average = gathered.average(key, gathered.names[i])
        assert distances((average.fpr, average.tpr), own.line).max() <= 0.0005


@pytest.mark.parametrize("key", ["threshold", "horizontal"])
def test_bands_are_those_of_the_averages(key: str, gathered: Material, drawn: Drawing) -> None:
    own, average = drawn.lines[key, 0], gathered.average(key, "baseline")
    for kind, found in (("pointwise", own.pointwise), ("simultaneous", own.simultaneous)):
        everywhere = {"fpr": (0.0, 1.0)} if kind == "pointwise" else {}
        band = average.band(kind=kind, n_resamples=200, **everywhere)  # type: ignore[arg-type]
        assert found is not None
        for edge, thin in zip((band.lower, band.upper), found, strict=True):
            known = ~np.isnan(edge.fpr + edge.tpr)
            full = np.clip(edge.fpr[known], 0, 1), np.clip(edge.tpr[known], 0, 1)
            assert distances(full, thin).max() <= 0.001


def test_dots_are_the_groups_at_the_positions(gathered: Material, drawn: Drawing) -> None:
    for key in ("threshold", "vertical", "radial"):
        own, found = drawn.lines[key, 1], read(gathered, key, "candidate")
        positions = found.reading.positions
        at = positions / (1 + positions) if key == "radial" else positions
        points = gathered.average(key, "candidate").group_points(at)
        assert np.abs(own.own_fpr / 65535 - points.fpr).max() < 1e-5
        assert np.abs(own.own_tpr / 65535 - points.tpr).max() < 1e-5
        axis = drawn.models[1].score_axis
        shown = axis.low + own.own_threshold / 65535 * (axis.high - axis.low)
        inside = np.clip(points.thresholds, axis.low, axis.high)
        assert np.abs(shown - inside).max() <= (axis.high - axis.low) / 65535


def test_strips_are_quantiles(gathered: Material, drawn: Drawing) -> None:
    scores = gathered.of_model("baseline")[3]
    negatives = np.sort(scores.scores[~scores.is_positive])
    strip = drawn.models[0].strips[3]
    assert strip[2] == np.quantile(negatives, 0.5, method="inverted_cdf")
    assert strip[4] == np.quantile(negatives, 0.95, method="inverted_cdf")
    assert strip[5] == np.quantile(scores.scores[scores.is_positive], 0.5, method="inverted_cdf")


def test_strips_of_weights_and_infinities() -> None:
    scores = rs.ScoreSet.from_arrays(
        [0, 0, 0, 1, 1], [1.0, 2.0, np.inf, 5.0, -np.inf], ["a"] * 5, sample_weight=[1, 1, 8, 1, 3]
    )
    strip = strips_of(scores, ("a", "missing"))
    assert strip[0].tolist() == [1.0, np.inf, np.inf, np.inf, np.inf, -np.inf]
    assert np.isnan(strip[1]).all()


def test_densities_weigh_groups_equally(gathered: Material) -> None:
    own = gathered.of_model("baseline")
    found = densities_of(own)
    widths = np.diff(found.edges)
    assert (found.negative * widths).sum() == pytest.approx(1, abs=0.03)
    shares = rs.score_densities(own, per_group=True)
    assert np.allclose(found.positive * widths, shares.positive_share)


@pytest.mark.parametrize("scores", [[0.0] * 8, [np.inf, -np.inf] * 4, [1, 2, 3, 4] * 2, [1e-300, 1e300] * 4])
def test_an_axis_for_any_scores(scores: list[float]) -> None:
    axis = axis_of(densities_of(rs.ScoreSet.from_arrays([0, 0, 1, 1] * 2, scores, ["a"] * 4 + ["b"] * 4)))
    assert axis.low < axis.high
    assert axis.quantised(np.array([-np.inf, np.inf])).tolist() == [0, 65535]


def test_infinite_thresholds_stand_at_the_ends() -> None:
    axis = ScoreAxis(-1.0, 3.0, ())
    assert axis.quantised(np.array([-np.inf, 1.0, 99.0])).tolist() == [0, 32768, 65535]


def test_many_groups_are_sampled() -> None:
    scores = hosts(310, models=1, sizes=[8] * 310)
    own = draw(material(scores))
    assert own.n_groups == 310
    assert (own.shown.size, own.n_faint, len(own.models[0].faint)) == (100, 300, 300)
    assert own.lines["threshold", 0].own_fpr.shape[0] == 100


def test_a_group_that_one_model_lacks() -> None:
    rng = np.random.default_rng(0)
    labels = np.tile([0, 1], 60)
    groups = np.repeat(["a", "b", "c"], 40)
    both = rs.ScoreSet.from_arrays(
        np.concatenate([labels, labels[:80]]),
        rng.normal(size=200),
        np.concatenate([groups, groups[:80]]),
        models=np.repeat(["x", "y"], [120, 80]),
    )
    own = draw(material(both))
    assert own.names == ("a", "b")
    assert own.lines["vertical", 1].own_tpr.shape[0] == 2


def test_one_dataset_is_drawn() -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 80)
    own = draw(material(rs.ScoreSet.from_arrays(labels, rng.normal(size=80) + labels)))
    assert own.models[0].faint == ()
    assert own.lines["threshold", 0].pointwise is not None
