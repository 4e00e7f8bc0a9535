"""Figures of a page as a browser draws them: legible in three vocabularies, visible on a dark ground."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from browser.conftest import Visit
from figures.test_every_figure import DESCRIBED, described
from rocsteady.figures.svg import style_sheet, svg
from rocsteady.text import BIOMETRIC, MEDICAL, ML

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib", "ignore:RS2[0-9]")

COVERED = """() => [...document.querySelectorAll("div")].flatMap(own => {
  const page = own.querySelector("svg").getBoundingClientRect(), told = own.dataset.name, found = [];
  const words = [...own.querySelectorAll("text")].filter(text => text.textContent.trim());
  const boxes = words.map(text => [text.textContent, text.getBoundingClientRect()]);
  boxes.forEach(([text, box], k) => {
    if (box.left < page.left - 1 || box.right > page.right + 1 || box.bottom > page.bottom + 1)
      found.push(`${told}: outside: ${text}`);
    boxes.slice(0, k).forEach(([other, its]) => {
      const across = Math.min(box.right, its.right) - Math.max(box.left, its.left);
      const up = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top);
      if (across > 2 && up > 4) found.push(`${told}: ${text} on ${other}`);
    });
  });
  return found;
})"""


def page_of(folder: Path) -> Path:
    parts = [f"<!doctype html><meta charset='utf-8'><title>figures</title><style>{style_sheet()}</style>"]
    for name in DESCRIBED:
        picture, own = described(name)
        for words in (ML, MEDICAL, BIOMETRIC):
            drawn = svg(picture, words.about(unit=own.unit, models=own.models))
            parts.append(f"<div data-name='{name}, {words.name}'>{drawn}</div>")
    path = folder / "figures.html"
    path.write_text("".join(parts), encoding="utf-8")
    return path


def test_no_word_covers_another_or_leaves_its_figure(tmp_path: Path, visit: Callable[..., Visit]) -> None:
    own = visit(page_of(tmp_path), is_ready=False)
    assert own.page.evaluate(COVERED) == []


def test_models_are_lighter_on_a_dark_ground(tmp_path: Path, visit: Callable[..., Visit]) -> None:
    path = page_of(tmp_path)
    colour = "() => getComputedStyle(document.querySelector('.s-0')).stroke"
    light, dark = (
        visit(path, is_ready=False, color_scheme=scheme).page.evaluate(colour) for scheme in ("light", "dark")
    )
    assert (light, dark) == ("rgb(0, 114, 178)", "rgb(86, 168, 224)")
