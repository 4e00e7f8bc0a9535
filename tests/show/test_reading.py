"""The part of the page that moves: every number is the core's, every mark stands where its numbers say."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from hostile_pages import scores
from rocsteady.show.sections import reading, uses
from rocsteady.show.sections import reading_geometry as geometry

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")

NAN = float("nan")
RATES = st.floats(0.01, 0.99)
HOSTS = tuple(f"host-{k}" for k in range(10))
DEPLOYMENTS = {
    "threshold": rs.Deployment("shared", at={"fpr": 0.1}),
    "pooled": rs.Deployment("shared", weigh="rows", at={"threshold": 0.8}),
    "vertical": rs.Deployment("own", at={"fpr": 0.2}),
    "horizontal": rs.Deployment("own", at={"tpr": 0.8}),
    "diagonal": rs.Deployment("own", hold="balance"),
    "radial": rs.Deployment("own", at={"ratio": (1, 3)}),
    "alerts": rs.Deployment("own", at={"alerts": 0.15}, prevalence=0.3),
    "cost": rs.Deployment("own", hold="cost", costs=(1, 4), prevalence=0.3),
}


def study(use: rs.Deployment | None = None, **options: Any) -> rs.Study:
    return rs.Study(scores(HOSTS, ("current", "candidate")), use, n_resamples=50, **options)


@pytest.mark.parametrize("key", DEPLOYMENTS)
def test_the_declared_use_opens_at_the_declared_place(key: str) -> None:
    own = study(DEPLOYMENTS[key])
    first = uses.opened(uses.uses(own))
    assert first is not None
    assert (first.key, first.is_declared, uses.declared_key(own)) == (key, True, key)
    found = reading.read(first, "current")
    place = found.places[found.start]
    declared = own.place
    assert declared is not None
    if first.question == "own":
        assert (place.kind, place.value) == (declared.kind, declared.value)
    else:
        point: Any = own.point("current")
        kept = point if point.kept is None else point.kept
        assert own.average("current").at(threshold=place.value).fpr == kept.fpr


@pytest.mark.parametrize("key", DEPLOYMENTS)
def test_every_position_is_a_reading_of_the_core(key: str) -> None:
    own = study(DEPLOYMENTS[key], confidence_level=0.9)
    first = uses.opened(uses.uses(own))
    assert first is not None
    found = reading.read(first, "candidate")
    average: Any = own.average("candidate")
    n = len(found.places)
    for at in {1, n // 2, n - 2, found.start}:
        place = found.places[at]
        if key == "radial":
            point = average.at_error_ratio(*place.value, confidence_level=0.9)
        elif key == "cost":
            a, b = place.value
            point = average.at_costs(false_positive=a, false_negative=b, prevalence=0.3, confidence_level=0.9)
        else:
            held = {"diagonal": {"alerts": (place.value + 1) / 2}}.get(key, {place.kind: place.value})
            point = average.at(held, confidence_level=0.9)
        for name in ("fpr", "tpr"):
            assert found.numbers[name][at] == pytest.approx(getattr(point, name), abs=1e-15)
            interval = getattr(point, f"{name}_interval")
            ends = [found.numbers[f"{name}_{end}"][at] for end in ("low", "high")]
            if interval is None:
                assert np.isnan(ends).all()
            else:
                np.testing.assert_allclose(ends, [interval.low, interval.high], atol=1e-12)
        # Groups average to the point.
        weights = average.weights if key != "pooled" else None
        if weights is not None:
            np.testing.assert_allclose(weights @ found.own_tpr[:, at], found.numbers["tpr"][at], atol=1e-9)


def test_thresholds_are_said_with_the_fewest_digits_that_decide_alike() -> None:
    own = study(DEPLOYMENTS["threshold"])
    found = reading.read(uses.uses(own)[0], "current")
    values = np.array([place.value for place in found.places])
    assert (np.diff(values) > 0).all()
    assert max(len(f"{value:.10g}") for value in values) <= 6  # of three decimals


def test_sentences_share_their_words_and_differ_in_their_numbers() -> None:
    own = study(DEPLOYMENTS["vertical"], words="medical")
    use = uses.opened(uses.uses(own))
    assert use is not None
    found = reading.read(use, "current")
    texts = [found.sentence(at) for at in range(len(found.places))]
    woven = reading._woven(texts, own.words)
    for at, text in enumerate(texts):
        pieces = [piece if isinstance(piece, str) else piece[at] for piece, _ in woven]
        assert "".join(pieces) == text.plain(own.words)
    assert sum(isinstance(piece, str) for piece, _ in woven) > len(woven) / 3
    assert "specificity" in texts[0].plain(own.words)
    assert "FPR" not in texts[0].plain(own.words)


def test_one_dataset_is_read_along_its_own_curve() -> None:
    own = rs.Study(scores(("a", "b"), ("",)), n_resamples=50)  # the second group has one class
    assert own.is_alone
    every = uses.uses(own)
    assert [use.key for use in every] == ["threshold", "vertical", "horizontal"]
    curve = own.curves("")[0]
    found = reading.read(every[1], "")
    at = found.start
    interval = curve.tpr_interval(found.places[at].value)
    assert found.rate("tpr", at).interval.low == pytest.approx(interval.low)
    assert "host" not in found.sentence(at).plain(own.words)


def test_readers_and_cases_are_random_in_a_reader_study() -> None:
    table = rs.simulate.reader_study(standalone=False)
    ratings = rs.ScoreSet.from_frame(
        table, group="reader", label="truth", score="rating", model="modality", case="case", positive="cancer"
    )
    own = rs.Study(ratings, rs.Deployment("own", at={"tpr": 0.9}), words="medical", n_resamples=50)
    use = uses.opened(uses.uses(own))
    assert use is not None
    name = own.models[0]
    found = reading.read(use, name)
    curve = own.reader_curve(name, "tpr")
    assert curve is not None
    interval = curve.at(tpr=0.9).interval
    assert found.numbers["fpr_low"][found.start] == pytest.approx(interval.low)
    assert found.numbers["fpr_high"][found.start] == pytest.approx(interval.high)


def test_every_use_has_a_situation_and_words_of_three_trades() -> None:
    for words in ("ml", "medical", "biometric"):
        own = study(words=words)
        for use in uses.uses(own):
            said = [
                text.plain(own.words) for text in (use.title, use.when, use.meaning, use.name, use.answers)
            ]
            assert all(said)
            if words != "ml":
                assert not re.search(r"\b(TPR|FPR|AUC)\b", " ".join(said))


# Where marks stand --------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 10_000)), min_size=1, max_size=12))
def test_a_path_goes_through_its_points(points):
    x, y = np.array(points, dtype=float).T
    at, found = None, []
    for command, words in re.findall(r"([Mlhv])([^Mlhvz]*)", geometry.path_data(x, y)):
        numbers = [int(v) for v in re.findall(r"-?\d+", words)]
        if command == "M":
            at = tuple(numbers)
        else:
            dx, dy = {"l": numbers, "h": [numbers[0], 0], "v": [0, numbers[0]]}[command]
            at = (at[0] + dx, at[1] + dy)
        found.append(at)
    assert found == [point for k, point in enumerate(points) if k == 0 or point != points[k - 1]]


def test_a_curve_is_interrupted_where_a_rate_is_missing():
    found = geometry.path_data(np.array([0, 10, NAN, 50, 100]), np.array([100, 50, 40, 20, 0]))
    assert found == "M0 100l10-50M50 20l50-20"


@given(RATES, RATES)
def test_all_groups_stand_on_the_guide(fpr, tpr):
    holds = {
        "vertical": lambda x, y: x,
        "horizontal": lambda x, y: y,
        "diagonal": lambda x, y: x + y,
        "radial": lambda x, y: x * (1 - tpr) - (1 - y) * fpr,
        "alerts": lambda x, y: 0.7 * x + 0.3 * y,
    }
    for key, held in holds.items():
        x1, y1, x2, y2 = geometry.guide(key, fpr, tpr, (-0.3, 0.7))
        assert held(x1, y1) == pytest.approx(held(fpr, tpr), abs=1e-9)
        assert held(x2, y2) == pytest.approx(held(fpr, tpr), abs=1e-9)
        assert all(-1e-9 <= v <= 1 + 1e-9 for v in (x1, y1, x2, y2))
    assert geometry.guide("threshold", fpr, tpr) == []


def test_the_bar_lies_along_what_is_free():
    both = [0.1, 0.05, 0.15], [0.7, 0.6, 0.8]
    assert geometry.bars(*both, is_slanted=False) == [[0.05, 0.7, 0.15, 0.7], [0.1, 0.6, 0.1, 0.8]]
    assert geometry.bars([0.1, NAN, NAN], both[1], is_slanted=False) == [[0.1, 0.6, 0.1, 0.8]]
    assert geometry.bars(*both, is_slanted=True) == [
        [0.05, 0.8, 0.15, 0.6]
    ]  # fewer alarms, more that is caught
    assert geometry.bars([0.1, NAN, NAN], [0.7, NAN, NAN], is_slanted=False) == []


@given(st.lists(st.lists(st.floats(0, 1), min_size=5, max_size=5), min_size=1, max_size=4))
def test_packed_rows_come_back(rows):
    values = np.array(rows)
    steps = np.array(geometry.packed(values)).reshape(values.shape)
    np.testing.assert_allclose(
        np.cumsum(steps, axis=1) / geometry.QUANTA, values, atol=0.5 / geometry.QUANTA + 1e-12
    )


@pytest.mark.parametrize(
    ("fpr", "zoom", "is_log"), [(0.05, 0.1, False), (0.1, 0.2, False), (0.4, 1.0, False), (0.001, 1.0, True)]
)
def test_the_axis_follows_the_declared_rate(fpr, zoom, is_log):
    plane = geometry.Plane(fpr)
    assert (plane.zoom, plane.is_log) == (zoom, is_log)
    assert plane.across(np.array([0.0, 1.0])).tolist() == [0.0, 1.0]
    assert (np.diff(plane.across(np.geomspace(plane.low or 1e-3, 1, 20))) > 0).all()
    if is_log:
        assert plane.across(fpr) == pytest.approx(0.25)


def test_densities_are_steps_over_their_bins_and_scores_beyond_stand_at_the_ends():
    own = study(DEPLOYMENTS["threshold"])
    found = geometry.Scores(own.densities("current"), own.quantiles("current"), ("host-0", "host-1", "other"))
    for path in found.areas:
        assert set(re.findall("[a-zA-Z]", path)) <= set("Mhvz")
    np.testing.assert_allclose(found.place([-np.inf, np.inf]), [0, 1])
    assert np.isnan(found.place([NAN])).all()
    whole, half, positive = found.strips
    assert (whole.count("M"), half.count("M"), positive.count("M")) == (2, 2, 2)
    assert 11 <= geometry.row_height(30) * 1.0 <= geometry.row_height(1)


def test_of_many_groups_some_are_shown_the_same_each_time():
    many = tuple(f"host-{k:03d}" for k in range(150))
    pages = [
        reading.Page(rs.Study(scores(many, ("",)), DEPLOYMENTS["vertical"], n_resamples=50)) for _ in range(2)
    ]
    assert pages[0].shown == pages[1].shown
    assert len(pages[0].shown) == reading.MOST_MARKS
    assert set(pages[0].shown) < set(many)
    own = pages[0].data()
    assert "100 of the hosts" in own["roc_caption"].plain(pages[0].words)
    assert len(own["dots"]) == reading.MOST_MARKS
