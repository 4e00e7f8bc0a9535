"""The surface of class errors in a real browser: it turns, and what is read of it is what Python computed."""

from __future__ import annotations

import re

import numpy as np
import pytest

import rocsteady as rs
from browser.reports import HOSTILE, same
from rocsteady.figures.class_errors import AZIMUTH, ELEVATION, MOST_POINTS, Eye, ends_of
from rocsteady.show import html
from rocsteady.show.document import Section
from rocsteady.show.sections.class_surface import block
from rocsteady.text import ML, say

SCALE = 215
"""Pixels of the picture that a side of the box takes."""
CHOSEN = 3


def table_of(names, n_points: int = 60):
    rng = np.random.default_rng(4)
    n = len(names)
    truth = rng.integers(0, n, 300)
    outputs = np.exp(rng.normal(size=(300, n)) + 1.5 * (truth[:, None] == np.arange(n)))
    scores = rs.MulticlassScores(
        np.array(names, dtype=object)[truth], outputs, folds=np.arange(300) % 5, classes=list(names)
    )
    return rs.average_multiclass_points(scores, rng.dirichlet(np.full(n, 6.0), n_points))


def written(path, table):
    """A page of the surface and nothing else."""
    own = block(table, table.compare_to(CHOSEN, "class_error"), ML)
    section = Section("classes", say("Classes"), say("Classes"), lambda _: ())
    path.write_text(html.page(say("Classes"), [], [(section, [own])], ML), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def three():
    return table_of(("a", "b", "c"))


@pytest.fixture(scope="module")
def path(tmp_path_factory, three):
    return written(tmp_path_factory.mktemp("surface") / "page.html", three)


def seen(table, classes=(0, 1, 2), azimuth=AZIMUTH, elevation=ELEVATION):
    """Where points stand in the picture, as Python sees them from there."""
    errors = table.measure("class_error").mean[:, list(classes)]
    low, high = (np.array(own) for own in zip(*map(ends_of, errors.T), strict=True))
    across, up, _ = Eye(np.radians(azimuth), np.radians(elevation))((errors - low) / (high - low))
    return SCALE * np.column_stack([across, -up])


def spots(own, selector="#s-spots > .spot"):
    """Where they stand, in no order: what is nearer is drawn later."""
    own.settle()
    found = [
        re.findall(r"-?[\d.]+", own.page.locator(selector).nth(k).get_attribute("transform"))[:2]
        for k in range(own.page.locator(selector).count())
    ]
    return in_order(np.array(found, dtype=float))


def in_order(places):
    return places[np.lexsort(np.round(places.T, 0))]


def require_view(own, table, **view):
    drawn, wanted = spots(own), seen(table, **view)
    apart = np.abs(drawn[:, None] - wanted[None]).max(axis=2)
    assert drawn.shape == wanted.shape
    assert apart.min(axis=0).max() < 0.6
    assert apart.min(axis=1).max() < 0.6


STILL = {"reduced_motion": "reduce"}


def test_it_opens_as_python_draws_it_and_keys_turn_it(visit, path, three):
    own = visit(path, **STILL)
    assert not own.page.locator(".still").is_visible()
    require_view(own, three)
    own.page.locator("#s-box").focus()
    view = {"azimuth": AZIMUTH, "elevation": ELEVATION}
    for key, name, by in (
        ("ArrowLeft", "azimuth", 10), ("ArrowRight", "azimuth", -10), ("ArrowRight", "azimuth", -10),
        ("ArrowUp", "elevation", 10), ("ArrowDown", "elevation", -10), ("ArrowDown", "elevation", -10),
    ):  # fmt: skip
        own.page.keyboard.press(key)
        view[name] += by
        require_view(own, three, **view)
    own.page.keyboard.press("Home")
    require_view(own, three)
    for _ in range(12):
        own.page.keyboard.press("ArrowUp")
    require_view(own, three, elevation=90)  # not over the top
    assert own.page.evaluate("() => scrollY") == 0  # the page stays where it is


def test_buttons_do_what_keys_do(visit, path, three):
    own = visit(path, **STILL)
    own.page.get_by_label("Turn left").click()
    own.page.get_by_label("Tip up").click()
    require_view(own, three, azimuth=AZIMUTH + 10, elevation=ELEVATION + 10)
    own.page.get_by_text("Reset the view").click()
    require_view(own, three)
    own.page.get_by_text("Next point").click()
    assert own.text("#s-read caption").startswith("Point 5 of 60")


@pytest.mark.parametrize("by", ["mouse", "touch"])
def test_it_is_dragged(visit, path, three, by):
    own = visit(path, **STILL, has_touch=by == "touch")
    box = own.page.locator("#s-box").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + 30
    if by == "mouse":
        own.page.mouse.move(x, y)
        own.page.mouse.down()
        own.page.mouse.move(x + 30, y + 8)
        own.page.mouse.move(x + 60, y + 20)
        own.page.mouse.up()
    else:
        hand = own.page.context.new_cdp_session(own.page)
        for kind, dx, dy in (
            ("touchStart", 0, 0),
            ("touchMove", 30, 8),
            ("touchMove", 60, 20),
            ("touchEnd", 0, 0),
        ):
            points = [] if kind == "touchEnd" else [{"x": x + dx, "y": y + dy}]
            hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    require_view(own, three, azimuth=AZIMUTH - 30, elevation=ELEVATION + 10)
    own.page.mouse.move(x, y)
    require_view(own, three, azimuth=AZIMUTH - 30, elevation=ELEVATION + 10)  # it was let go


def test_motion_is_smooth_unless_it_is_unwelcome(visit, path, three):
    frames = """() => new Promise((done) => {
      const spot = document.querySelector('#s-spots > .chosen'), found = new Set(), began = performance.now();
      document.querySelector('[data-turn="0"]').click();
      const look = (now) => { found.add(spot.getAttribute('transform')); now - began < 600 ? requestAnimationFrame(look) : done(found.size); };
      requestAnimationFrame(look);
    })"""
    assert visit(path).page.evaluate(frames) > 3
    own = visit(path, **STILL)
    assert own.page.evaluate(frames) == 1
    require_view(own, three, azimuth=AZIMUTH + 10)


def cells(own):
    rows = own.page.locator("#s-read tbody tr")
    return [
        [same(cell) for cell in rows.nth(k).locator("th, td").all_inner_texts()] for k in range(rows.count())
    ]


def test_every_point_is_read_as_the_table_has_it(visit, path, three):
    own = visit(path, **STILL)
    measure, tests = three.measure("class_error"), three.compare_to(CHOSEN, "class_error")
    own.page.locator("#s-box").focus()
    assert own.text("#s-read caption") == f"Point {CHOSEN + 1} of 60: the chosen one"
    own.page.keyboard.press("PageUp")
    own.page.keyboard.press("PageUp")
    for at in range(CHOSEN - 2, CHOSEN + 12):
        kind = "chosen" if at == CHOSEN else "alike" if tests.indistinguishable[at] else "different"
        said = {
            "alike": "not statistically",
            "different": f"{at + 1} of 60: statistically",
            "chosen": "the chosen",
        }
        assert said[kind] in own.text("#s-read caption")
        for c, (name, error, spread, weight, p) in enumerate(cells(own)):
            assert name == "abc"[c]
            assert float(error.removesuffix(" %")) == pytest.approx(100 * measure.mean[at, c], abs=0.051)
            assert float(spread.removesuffix(" %")) == pytest.approx(
                100 * measure.standard_error[at, c], abs=0.051
            )
            assert float(weight) == pytest.approx(three.class_weights[at, c], rel=6e-3)
            if at == CHOSEN:
                assert p == "–"
            elif "<" not in p and ">" not in p:
                assert float(p) == pytest.approx(tests.adjusted_pvalue[at, c], abs=0.0051)
        own.page.keyboard.press("PageDown")
    assert own.page.locator("#s-spots > .read").count() == 1


def test_pointing_reads_and_what_rests_is_spoken(visit, path, three):
    own = visit(path, **STILL)
    spoken = own.page.locator("#s-spoken")
    assert [spoken.get_attribute(name) for name in ("aria-live", "aria-atomic")] == ["polite", "true"]
    box = own.page.locator("#s-box").bounding_box()
    places = seen(three)
    lonely = int(np.argmax([np.sort(np.hypot(*(places - own_place).T))[1] for own_place in places]))
    scale = box["width"] / 500
    x, y = box["x"] + (places[lonely, 0] + 250) * scale, box["y"] + (places[lonely, 1] + 205) * scale
    own.page.mouse.move(x, y)
    assert own.text("#s-read caption").startswith(f"Point {lonely + 1} of 60")
    own.page.wait_for_function("() => document.getElementById('s-spoken').textContent !== ''")
    errors = three.measure("class_error").mean[lonely]
    assert f"Point {lonely + 1} of 60" in own.text("#s-spoken")
    shown = [float(own_error) for own_error in re.findall(r"[abc] ([\d.]+) %", own.text("#s-spoken"))]
    np.testing.assert_allclose(shown, 100 * errors, atol=0.051)


def test_the_chosen_point_and_its_like_are_marked_and_on_top(visit, path, three):
    own = visit(path, **STILL)
    tests = three.compare_to(CHOSEN, "class_error")
    assert own.page.locator("#s-spots > .chosen .cross").count() == 1
    assert own.page.locator("#s-spots > .alike .ring").count() == tests.indistinguishable.sum() - 1
    assert "chosen" in own.page.locator("#s-spots > g").last.get_attribute("class")
    shades = [float(own_spot.get_attribute("opacity")) for own_spot in own.page.locator("#s-spots > g").all()]
    assert len(set(shades)) > 10
    assert min(shades) < 0.6 < max(shades)


def test_a_reader_without_eyes_or_mouse_finds_it(visit, path):
    own = visit(path)
    box = own.page.locator("#s-box")
    assert box.get_attribute("aria-label")
    assert own.attribute("#s-box", "aria-describedby") == "s-help"
    assert "Home" in own.text("#s-help")
    own.page.keyboard.press("Tab")
    own.page.keyboard.press("Tab")  # after the link to the answer
    assert own.page.evaluate("() => document.activeElement.id") == "s-box"
    ring = box.evaluate("(own) => getComputedStyle(own).outlineStyle + getComputedStyle(own).outlineWidth")
    assert ring == "solid3px"


def test_of_more_classes_three_are_chosen(visit, tmp_path):
    table = table_of(("a", "b", "c", "d", "e"))
    own = visit(written(tmp_path / "five.html", table), **STILL)
    worst = np.sort(np.argsort(-table.measure("class_error").mean[CHOSEN], kind="stable")[:3]).tolist()
    require_view(own, table, classes=worst)
    selects = own.page.locator("#s-axes select")
    assert [int(select.input_value()) for select in selects.all()] == worst
    other = next(k for k in range(5) if k not in worst)
    selects.nth(0).select_option(str(other))
    require_view(own, table, classes=(other, worst[1], worst[2]))
    selects.nth(1).select_option(str(other))  # two axes change places
    require_view(own, table, classes=(worst[1], other, worst[2]))
    assert [int(select.input_value()) for select in selects.all()] == [worst[1], other, worst[2]]
    words = own.page.locator("#s-words text").all_text_contents()
    assert [f"error of {'abcde'[k]}" in words for k in range(5)] == [
        k in (*worst[1:], other) for k in range(5)
    ]
    assert len(cells(own)) == 5


def test_paper_and_pages_without_script_have_the_picture(visit, path):
    for options in ({"java_script_enabled": False}, {}):
        own = visit(path, **options)
        if not options:
            own.page.emulate_media(media="print")
        assert own.page.locator(".still svg").is_visible()
        assert not own.page.locator("#s-box").is_visible()
        assert not own.page.locator("#s-surface button").locator("visible=true").count()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_small_screen_holds_it(visit, tmp_path, scheme):
    table = table_of(("a class with a name of some length", "b", "c", "d"))
    own = visit(
        written(tmp_path / "small.html", table), viewport={"width": 360, "height": 740}, color_scheme=scheme
    )
    assert own.overflow() <= 0
    words = own.page.locator("#s-words text")
    for word in words.all():
        box = word.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360


def test_names_are_text_and_many_points_are_few_bytes(visit, tmp_path):
    table = table_of(HOSTILE[:4], n_points=3000)
    path = written(tmp_path / "wicked.html", table)
    own = visit(path, **STILL)
    assert own.page.locator("#s-spots > g").count() == MOST_POINTS
    assert f"{MOST_POINTS} of 3000" in own.text(".turning figcaption").replace("\u202f", "")
    assert own.page.locator("#s-read script, #s-words script, #s-axes script").count() == 0
    assert HOSTILE[0] in own.page.locator("#s-read tbody").inner_text()
    assert path.stat().st_size < 400_000
