"""The figure of two raters shows every item where their scores put it, marked by what they decided."""

from __future__ import annotations

import sys

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

from rocsteady import plots
from rocsteady.curves.raters import rater_agreement
from rocsteady.errors import UsageError
from rocsteady.plots.agreement import MOST_NAMES
from rocsteady.plots.parts.style import rendered

pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning:matplotlib", "ignore:RS265", "ignore:RS260", "ignore:RS101"
)

DECISIONS = {"Anna": [1, 1, 1, 0, 1, 0], "Jan": [0, 1, 1, 0, 0, 1]}
SCORES = {"Anna": [0.52, 0.99, 0.7, 0.4, 0.6, 0.1], "Jan": [0.6, 0.9, 0.8, 0.3, 0.4, 0.7]}
ITEMS = ["Alien", "Brazil", "Casablanca", "Diva", "Easy Rider", "Fargo"]


@pytest.fixture(scope="module")
def found():
    return rater_agreement(DECISIONS, SCORES, items=ITEMS)


def texts(axes) -> list[str]:
    return [text.get_text() for text in axes.get_legend().get_texts()]


def many(n: int, seed: int = 0):
    rng = np.random.default_rng(seed)
    return rater_agreement([*(rng.random((2, n)) > 0.5)], [*rng.random((2, n))])


@settings(max_examples=8)
@given(st.data())
def test_every_item_is_drawn_once_and_by_what_was_decided(data):
    n = data.draw(st.integers(1, 12))
    said = [data.draw(st.lists(st.booleans(), min_size=n, max_size=n)) for _ in range(2)]
    rated = [
        data.draw(st.lists(st.sampled_from([0.0, 0.3, 0.5, 1.0]), min_size=n, max_size=n)) for _ in range(2)
    ]
    axes = plots.agreement(rater_agreement(said, rated, names=["A", "B"]))
    for words, decided in (
        ("both say yes", (True, True)),
        ("both say no", (False, False)),
        ("only A says yes", (True, False)),
        ("only B says yes", (False, True)),
    ):
        wanted = [(x, y) for *own, x, y in zip(*said, *rated, strict=True) if tuple(own) == decided]
        drawn = [line for line in axes.lines if str(line.get_label()).startswith(words)]
        assert [len(line.get_xydata()) for line in drawn] == ([len(wanted)] if wanted else [])
        if wanted:
            np.testing.assert_array_equal(drawn[0].get_xydata(), wanted)
            assert drawn[0].get_label() == f"{words}: {len(wanted)}"


def test_the_key_and_the_axes_say_what_is_shown(found):
    axes = plots.agreement(found, title="Films")
    assert texts(axes) == [
        "both say yes: 2",
        "both say no: 1",
        "only Anna says yes: 2",
        "only Jan says yes: 1",
    ]
    heading = axes.get_legend().get_title().get_text()
    assert heading == "same decision 3 of 6, same side 4; 0.195 apart"
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("score of Anna", "score of Jan")
    assert axes.get_title(loc="left") == "Films"
    assert (axes.get_xlim(), axes.get_ylim()) == ((0, 1), (0, 1))


def test_the_quarters_of_the_same_side_are_shaded(found):
    def boxes(agreement):
        axes = plots.agreement(agreement)
        return {patch.get_label(): patch.get_bbox().extents.tolist() for patch in axes.patches}

    assert boxes(found) == {"_both low": [0, 0, 0.5, 0.5], "_both high": [0.5, 0.5, 1, 1]}
    own = rater_agreement(DECISIONS, SCORES, mid="paper")
    assert boxes(own)["_both low"] == pytest.approx([0, 0, *own.mid])
    strict = rater_agreement(([1, 0, 0, 0], [1, 1, 0, 0]), ([0.9] * 4, [0.5] * 4), mid="paper")
    assert strict.mid[0] > 1
    assert boxes(strict)["_both low"][2] == 1


def test_items_with_different_decisions_are_named_if_they_are_few(found):
    axes = plots.agreement(found)
    assert sorted(text.get_text() for text in axes.texts) == ["Alien", "Easy Rider", "Fargo"]
    assert {text.get_text(): text.xy for text in axes.texts}["Alien"] == (0.52, 0.6)
    crowd = many(80)
    assert (~crowd.same_decision).sum() > MOST_NAMES
    assert not plots.agreement(crowd).texts


@pytest.mark.parametrize("size", [8, 16])
def test_names_cover_neither_each_other_nor_leave_the_axes(size):
    place = [0.5, 0.5, 1.0, 0.0, 0.53]
    close = rater_agreement(
        ([1, 1, 1, 0, 1], [0, 0, 0, 1, 0]),
        (place, place),
        items=["one film", "another", "corner", "origin", "near"],
    )
    axes = plots.agreement(close, text_size=size)
    axes.figure.draw_without_rendering()
    assert axes.get_legend().get_window_extent().y0 >= 0
    boxes = [text.get_window_extent() for text in axes.texts]
    assert len(boxes) == 5
    for k, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[k + 1 :])
        assert axes.bbox.x0 - 1 <= box.x0
        assert box.x1 <= axes.bbox.x1 + 1


def test_curves_are_those_of_the_judgements(found):
    for show, judged in (("own", found.judgements[:2]), ("crossed", found.judgements[2:])):
        axes = plots.agreement(found, show=show)
        for judgement, text in zip(judged, texts(axes), strict=False):
            assert f"smAUC {judgement.smauc:.3f}, chance {judgement.chance_smauc:.3f}" in text
        drawn = [line for line in axes.lines if "smAUC" in str(line.get_label())]
        np.testing.assert_array_equal(drawn[0].get_xydata(), np.c_[judged[0].smroc.fpr, judged[0].smroc.tpr])
    single = rater_agreement(([1, 0], [1, 1]), ([0.9, 0.1], [0.8, 0.3]))
    assert len([text for text in texts(plots.agreement(single, show="own")) if "smAUC" in text]) == 1
    with pytest.raises(UsageError, match="RS002"):
        plots.agreement(rater_agreement(([1], [0]), ([0.52], [0.6])), show="own")


def test_axes_that_are_given_are_drawn_on_and_sizes_follow_the_text(found):
    axes = Figure().add_subplot()
    assert plots.agreement(found, ax=axes, text_size=16) is axes
    assert axes.xaxis.label.get_fontsize() == 16
    small = plots.agreement(found)
    assert axes.lines[-1].get_markersize() == 2 * small.lines[-1].get_markersize()
    assert small.figure.get_size_inches()[0] == pytest.approx(8.5 / 2.54)
    crowd = plots.agreement(many(200))
    assert crowd.lines[-1].get_markersize() < small.lines[-1].get_markersize()


def test_long_and_strange_names_are_cut_and_spelled_out():
    odd = rater_agreement(([1, 0], [0, 1]), ([0.9, 0.1], [0.8, 0.3]), names=["a" * 300, "b\x1b"])
    axes = plots.agreement(odd)
    assert len(axes.get_xlabel()) < 45
    assert axes.get_ylabel() == "score of b\\x1b"
    money = rater_agreement(
        ([1, 0], [0, 1]), ([0.9, 0.1], [0.8, 0.3]), names=["$_$", "$^"], items=["$$_", "$x$^$"]
    )
    for show in ("items", "own"):
        picture = rendered(
            plots.agreement(money, show=show).figure, "svg"
        ).decode()  # no formula, and no error
        assert "$_$" in picture


def test_nothing_global_is_touched(found):
    before = dict(mpl.rcParams)
    assert "Easy Rider" in rendered(plots.agreement(found).figure, "svg").decode()
    assert dict(mpl.rcParams) == before
    pyplot = sys.modules.get("matplotlib.pyplot")
    assert pyplot is None or pyplot.get_fignums() == []


def test_what_cannot_be_drawn_is_said(found):
    for code, call in [
        ("RS002", lambda: plots.agreement(DECISIONS)),
        ("RS001", lambda: plots.agreement(found, show="curves")),
        ("RS042", lambda: plots.agreement(found, text_size="big")),
    ]:
        with pytest.raises(UsageError, match=code):
            call()
