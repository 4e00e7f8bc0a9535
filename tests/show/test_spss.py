"""SPSS's tables and a lesson on every renderer: headings over several columns, footnotes, narrow terminals."""

from __future__ import annotations

import re
from io import StringIO

import numpy as np
import pytest
from rich.console import Console

import rocsteady as rs
from rocsteady.figures.spec import Segments
from rocsteady.show.document import Figure, Table, flat
from rocsteady.show.html import fragment
from rocsteady.show.sections.spss import Lesson, area, tables
from rocsteady.show.terminal import show
from rocsteady.text import BIOMETRIC, MEDICAL, ML, Number, Quote, phrase

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")


@pytest.fixture
def found():
    labels = ["sick", "sick", "well", "sick", "well", "well"]
    return rs.roc_curve(labels, [2.9, 2.4, 2.4, 1.7, 1.3, 0.8], positive="sick").spss(
        variable="crp", state="truth"
    )


class Encoded(StringIO):
    """A stream that says which letters it has."""

    def __init__(self, encoding: str) -> None:
        super().__init__()
        self._own = encoding

    @property
    def encoding(self) -> str:
        return self._own


def printed(blocks, width: int, encoding: str = "utf-8", words=ML) -> str:
    file = Encoded(encoding)
    show(blocks, words, Console(file=file, width=width, color_system=None))
    return file.getvalue()


def test_the_words_of_spss_are_the_same_in_every_vocabulary(found) -> None:
    assert len({printed(tables(found), 100, words=words) for words in (ML, MEDICAL, BIOMETRIC)}) == 1


def test_the_interval_stands_over_both_limits(found) -> None:
    lines = printed(area(found), 100).splitlines()
    heading = next(own for own in lines if "Confidence" in own)
    limits = next(own for own in lines if "Lower" in own)
    start = heading.index("Confidence")
    assert start <= limits.index("Lower") < limits.index("Upper") < start + len("Confidence Interval")
    page = fragment(area(found), ML)
    assert '<th scope="colgroup" colspan="2" class="spanning">Asymptotic 95% Confidence Interval</th>' in page
    assert page.count("<br>") == 2  # ties, and both footnotes


def test_headings_take_two_lines_where_there_is_room(found) -> None:
    made = printed(tables(found), 80)
    assert "Positive if Greater" in made
    assert re.search(r"Asymptotic 95% *\n +Confidence Interval *\n", made)
    assert "Positive if Greater" not in printed(tables(found), 36)


def test_group_statistics_begin_with_the_variable_as_in_spss(found) -> None:
    lines = [own.split() for own in printed(tables(found), 80).splitlines()]
    at = next(k for k, own in enumerate(lines) if own[:1] == ["crp"])
    assert lines[at] == ["crp", "well", "3", "1.5000", ".81854", ".47258"]
    assert lines[at + 1] == ["sick", "3", "2.3333", ".60277", ".34801"]


def test_other_levels_are_in_the_heading(found) -> None:
    labels = [1, 1, 0, 1, 0, 0]
    made = rs.roc_curve(labels, [2.9, 2.4, 2.4, 1.7, 1.3, 0.8]).spss(confidence_level=0.999)
    assert "Asymptotic 99.9% Confidence Interval" in fragment(area(made), ML)


def test_a_narrow_terminal_shows_every_number(found) -> None:
    text = printed(tables(found), 30)
    assert max(map(len, text.splitlines())) <= 30
    for number in ("2.3333", ".60277", ".34801", ".833", "-.2000", "3.9000", ".667"):
        assert number in text


def test_a_terminal_without_raised_letters_has_them_in_brackets(found) -> None:
    text = printed(area(found), 100, "ascii")
    assert text.isascii()
    assert "Error(a)" in text


def test_headings_over_columns_of_words_are_joined_with_them() -> None:
    rows = ((phrase("a"), Number(1.0), Number(2.0)),)
    heads = phrase("name"), phrase("low"), phrase("high")
    made = Table(None, heads, rows, over=((phrase(""), 1), (phrase("limits"), 2)))
    assert [own.plain() for own in made.heads] == ["name", "limits low", "limits high"]
    assert "limits" in printed([made], 80)
    with pytest.raises(ValueError, match="over all of its columns"):
        Table(None, heads, rows, over=((phrase("limits"), 2),))


def test_a_lesson_draws_arrows_where_steps_are_few() -> None:
    rng = np.random.default_rng(1)
    for n, has_arrows in ((12, True), (400, False)):
        scores = rs.ScoreSet.from_folds([(np.arange(n) % 2, rng.normal(size=n) + np.arange(n) % 2)])
        study = rs.Study(scores, at=["youden"], n_resamples=200)
        parts = {own.ident: blocks for own, blocks in Lesson(study).sections()}
        assert list(parts) == ["scores", "construction", "area", "coordinates", "cutoff"]
        (figure,) = [own for own in flat(parts["construction"]) if isinstance(own, Figure)]
        drawn = [mark for mark in figure.picture.panels[0].marks if isinstance(mark, Segments)]
        assert bool(drawn) == has_arrows
        (table,) = [own for own in flat(parts["construction"]) if isinstance(own, Table)]
        assert len(table.rows) == n + 1


@pytest.mark.parametrize("is_high", [True, False])
def test_a_long_table_shows_its_ends_and_what_is_around_the_cut_off(is_high) -> None:
    rng = np.random.default_rng(4)
    labels = np.arange(300) % 2
    scores = rng.normal(size=300) + (labels if is_high else -labels)
    folds = rs.ScoreSet.from_folds([(labels, scores)], higher_is_positive=is_high)
    lesson = Lesson(rs.Study(folds, at=["youden"], n_resamples=200))
    parts = {own.ident: blocks for own, blocks in lesson.sections()}
    made, cut = lesson.study.construction(), lesson.study.cutoff("", "youden")
    step = made.step_at(cut.threshold)
    assert (made.fpr[step], made.tpr[step]) == (cut.fpr, cut.tpr)
    printed_rates = (made.tpr[step], made.fpr[step])
    for name, rates in (("construction", None), ("coordinates", printed_rates)):
        (table,) = [own for own in flat(parts[name]) if isinstance(own, Table)]
        shown = list(table.shown())
        assert shown[:4] == [0, 1, 2, 3]
        assert shown[-1] == len(table.rows) - 1 == 300
        assert len(shown) == 4 + 17 + 1
        at = shown[12]
        if rates is None:
            assert at == step
        else:
            assert [own.value for own in table.rows[at][1:]] == list(rates)
        assert printed([table], 100).count("⋮") == 2 * len(table.columns)
        assert "and 279 more" in printed([table], 100)
        page = fragment([table], ML)
        assert page.count('class="gap"') == 2
        assert f'data-rows="{" ".join(map(str, shown))}"' in page
        assert "Here are 22 of 301 rows." in page


def test_scores_that_are_alike_have_as_many_digits_as_tell_them_apart() -> None:
    made = rs.roc_curve([1, 0, 1, 0], [0.123456789, 0.123456788, 0.3, 0.4]).construction()
    assert "0.123456789" in str(made)
    assert "0.123456788" in str(made)


def test_a_variable_and_its_classes_are_data(found) -> None:
    hostile = rs.roc_curve(["<b>", "x", "<b>"], [3, 2, 1], positive="<b>").spss(
        variable="[red]a[/red]", state="{0}"
    )
    assert "[red]a[/red]" in printed(tables(hostile), 100)
    page = fragment(tables(hostile), ML)
    assert "<b>" not in page
    assert "&lt;b&gt;" in page
    assert Quote("{0}").spell(ML) in page
