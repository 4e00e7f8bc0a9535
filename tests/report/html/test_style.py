"""The style sheet: every colour that meets another on the page has the contrast that WCAG 2.1 AA asks for."""

from __future__ import annotations

import itertools
import math
import re
from pathlib import Path

import pytest

import rocsteady.report.html.tags as tags

SHEETS = {path.name: path.read_text() for path in sorted(Path(tags.__file__).parent.glob("*.css"))}
STYLE = SHEETS["style.css"]
GROUNDS = ("paper", "soft", "row-declared", "row-flag", "notice")
WORDS = ("ink", "mut", "acc", "link", "ok", "warn", "bad", *(f"t{k}" for k in range(9)))
SHAPES = ("control", "tick", "faint", "focus", "acc", *(f"m{k}" for k in range(9)))


def blocks() -> dict[str, dict[str, str]]:
    """The custom properties of both schemes."""
    light, dark = re.findall(r":root \{(.*?)\}", STYLE, re.S)[:2]
    own = {
        name: dict(re.findall(r"--([\w-]+): (#\w{6});", block))
        for name, block in [("light", light), ("dark", dark)]
    }
    assert own["light"].keys() == own["dark"].keys()
    return own


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted([luminance(one), luminance(other)], reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_measured_as_wcag_defines_it() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("ground", GROUNDS)
def test_words_and_shapes_stand_out_from_every_ground(scheme: str, ground: str) -> None:
    colours = blocks()[scheme]
    words = {name: contrast(colours[name], colours[ground]) for name in WORDS}
    assert {name: ratio for name, ratio in words.items() if ratio < 4.5} == {}
    shapes = {name: contrast(colours[name], colours[ground]) for name in SHAPES}
    assert {name: ratio for name, ratio in shapes.items() if ratio < 3} == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_on_a_pressed_button_can_be_read(scheme: str) -> None:
    colours = blocks()[scheme]
    assert contrast(colours["on-acc"], colours["acc"]) >= 4.5


def lab(colour: str) -> tuple[float, float, float]:
    """CIELAB, in which a distance of about 20 is another colour and not another shade."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    x, y, z = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_two_models_have_nearly_one_colour(scheme: str) -> None:
    colours = blocks()[scheme]
    for one, other in itertools.combinations([f"m{k}" for k in range(9)], 2):
        assert math.dist(lab(colours[one]), lab(colours[other])) > 20, (one, other)


def test_what_is_dark_on_a_screen_is_light_on_paper() -> None:
    assert "@media screen and (prefers-color-scheme: dark)" in STYLE
    assert STYLE.count("prefers-color-scheme") == 1


@pytest.mark.parametrize("name", SHEETS)
def test_colours_are_named_in_one_place_and_nothing_is_fetched(name: str) -> None:
    rules = SHEETS[name]
    for block in re.findall(r":root \{.*?\}", rules, re.S):
        rules = rules.replace(block, "")
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b|rgba?\(|hsla?\(", rules) == []
    assert re.findall(r"url\((?!#)|@import|@font-face|</", SHEETS[name]) == []


def test_nine_models_have_a_colour_and_a_dash_each() -> None:
    looks = re.findall(
        r"\.m(\d) \{ --model: var\(--m(\d)\); --model-text: var\(--t(\d)\); --dash: (.*?); \}", STYLE
    )
    assert [own[:3] for own in looks] == [(str(k),) * 3 for k in range(9)]
    assert len({own[3] for own in looks}) == 9
