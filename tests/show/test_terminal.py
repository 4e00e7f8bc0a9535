"""Blocks on a terminal: numbers whole at any width, no sign that the encoding lacks, names as text."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console
from tests.show.renderers import printed

from rocsteady.show import terminal
from rocsteady.show.document import Command, Facts, Fold, Heading, Items, Note, Table
from rocsteady.text import ML, TPR, Count, Cut, Gap, Level, Limits, Model, P, Quote, Rate, phrase, say

RATE = Rate(TPR, 0.652, Limits(0.605, 0.693, 0.95))
GAP = Gap(TPR, -0.0719, Limits(-0.1058, -0.038, 0.95))
HEADS = (say("model"), say("a heading of several words"), say("difference"), phrase("p"))
TABLE = Table(
    say("What it is ({level} CI).", level=Level(0.95)),
    HEADS,
    tuple((Model(name), RATE, GAP, P(0.0616)) for name in ("current", "a model with a long name", "x")),
    marked=1,
)


def on(blocks, width: int, encoding: str = "utf-8") -> str:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, write_through=True)
    terminal.show(blocks, ML, Console(file=file, width=width, force_terminal=False))
    return raw.getvalue().decode(encoding)


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
def test_a_table_shows_every_number_whole_at_any_width(width):
    text = on([TABLE], width)
    for number in ("65.2 %", "(60.5 to 69.3)", "−7.2", "(−10.6 to −3.8)", "0.062"):
        assert text.count(number) == 3, number
    assert "…" not in text
    assert all(len(line) <= width for line in text.splitlines())


@pytest.mark.parametrize("width", [30, 40, 80])
def test_facts_show_numbers_whole_at_any_width(width):
    facts = Facts(
        ((say("the largest class error of these cases"), RATE, None), (say("gap"), GAP, say("more")))
    )
    text = on([facts], width)
    for number in ("65.2 %", "60.5 to 69.3 %)", "−7.2 points", "−10.6 to −3.8)", "of these cases"):
        assert number in " ".join(text.split()), number
    assert all(len(line) <= width for line in text.splitlines())


@pytest.mark.parametrize("width", range(30, 80, 7))
def test_numbers_keep_to_their_units_and_signs(width):
    sentence = say(
        "In {n} the rate is {rate} with a threshold of {cut}, {p}, at a level of {level} and no other.",
        n=Count(23_802, "row"),
        rate=RATE,
        cut=Cut(0.99788, 0.99781),
        p=P(0.0616),
        level=Level(0.95),
    )
    text = on([sentence], width)
    assert not re.search(r"\n *(%|=)|=\s*\n|p\s*\n", text)
    assert "".join(text.split()) == "".join(sentence.plain(ML).split())


def test_signs_that_an_encoding_lacks_are_written_plainly():
    blocks = [TABLE, Heading(say("“Where” – there")), Items((say("one"),)), Note("RS001", say("≥ 2 → 3"))]
    text = on(blocks, 120, "ascii")
    assert "-7.2" in text
    assert ">= 2 -> 3" in text
    assert '"Where" - there' in text


def test_every_block_is_shown_and_folds_are_open():
    blocks = [
        Facts(((say("Threshold"), Cut(1.69, 1.6), phrase("if kept")),)),
        Fold(say("Where it comes from"), (say("From here."),)),
        Command(("rocsteady", "compare", "my scores.csv")),
        Table(None, (say("n"),), tuple((i,) for i in range(12)), most=5),
    ]
    text = on(blocks, 80)
    assert "Threshold  1.69  if kept" in text or "1.6" in text
    assert "Where it comes from" in text
    assert "From here." in text
    assert "rocsteady compare 'my scores.csv'" in text
    assert "and 7 more" in text


def test_names_steer_no_terminal_and_are_no_markup():
    name = "\x1b[31m[bold]a[/]\u202eb\ue000"
    text = printed([say("{m} and {q}", m=Model(name), q=Quote(name))], ML)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\ue000" not in text
    assert "[bold]a[/]" in text
