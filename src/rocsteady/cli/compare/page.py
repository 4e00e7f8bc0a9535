"""What ``rocsteady compare`` prints: differences with intervals, who wins where, what all rests on."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rocsteady.cli.compare.words import translated
from rocsteady.cli.console import console, dash, fitting_name, plain_table, show, show_first_fitting
from rocsteady.words import listed, plural, printable

if TYPE_CHECKING:
    from rich.table import Table

    from rocsteady.cli.compare.making import Compared
    from rocsteady.inference.comparing.results import Comparison, Difference

_NAME = 16
"""Columns of a model's name over its numbers."""


def show_table(found: Compared) -> None:
    """All differences, one row each."""
    one_pair = len(found.pairs) == 1
    wide, narrow = (_table(found, values=one_pair, tests=tests) for tests in (True, False))
    show_first_fitting(wide, narrow, _tall_table(found))


def _tall_table(found: Compared) -> Table:
    """The same with a line for each number, where there is little room."""
    from rich.table import Table

    tall = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    for pair in found.pairs:
        for own in pair.differences:
            tall.add_row(own.quantity)
            level = f"{100 * own.interval.confidence_level:g} %"
            low, high = own.interval.low, own.interval.high
            limits = _missing() if math.isnan(low) else f"{_signed(low)} to {_signed(high)}"
            rows = [(printable(own.a), _number(own.a_value)), (printable(own.b), _number(own.b_value))]
            rows += [("difference", _signed(own.difference)), (f"{level} interval", limits)]
            rows += [("p", _pvalue(own.pvalue))]
            rows += [("adjusted", _pvalue(own.adjusted_pvalue))] if len(found.pairs) > 1 else []
            for name, value in rows:
                tall.add_row(f"  {fitting_name(name, _NAME)}", value)
    return tall


def _table(found: Compared, *, values: bool, tests: bool) -> Table:
    first = found.pairs[0]
    level = f"{100 * first.auc.interval.confidence_level:g} % interval"
    headings = [""]
    if values:
        headings += [fitting_name(printable(name), _NAME) for name in (first.a, first.b)]
    headings += ["difference", level, "p"]
    is_adjusted = any(own.adjusted_pvalue != own.pvalue for pair in found.pairs for own in pair.differences)
    headings += ["adjusted"] if is_adjusted and not values else []
    has_flips = tests and any(not math.isnan(own.flip_pvalue) for p in found.pairs for own in p.differences)
    headings += ["p by flips"] if has_flips else []
    table = plain_table(*headings)
    for pair in found.pairs:
        for own in pair.differences:
            table.add_row(*_cells(own, values, is_adjusted and not values, has_flips))
    return table


def _cells(own: Difference, values: bool, is_adjusted: bool, has_flips: bool) -> list[str]:
    name = own.quantity
    if not values:
        a, b = (fitting_name(printable(model), _NAME) for model in (own.a, own.b))
        name = f"{a} less {b}, {name}"
    cells = [name]
    if values:
        cells += [_number(own.a_value), _number(own.b_value)]
    low, high = own.interval.low, own.interval.high
    interval = _missing() if math.isnan(low) else f"{_signed(low)} to {_signed(high)}"
    cells += [_signed(own.difference), interval, _pvalue(own.pvalue)]
    cells += [_pvalue(own.adjusted_pvalue)] if is_adjusted else []
    return cells + ([_pvalue(own.flip_pvalue)] if has_flips else [])


def _signed(value: float) -> str:
    text = f"{value:+.3f}"
    return text[1:] if float(text) == 0 else text  # no sign where nothing is left of it


def _number(value: float) -> str:
    return _missing() if math.isnan(value) else f"{value:.3f}"


def _pvalue(value: float) -> str:
    if math.isnan(value):
        return _missing()
    return "< 0.0001" if value < 1e-4 else f"{value:.2g}" if value < 0.1 else f"{value:.2f}"


def _missing() -> str:
    return dash(console())


def show_page(found: Compared, *, is_declared: bool) -> None:
    """The table, then the sentences."""
    show(_what_is_compared(found, is_declared=is_declared))
    show()
    show_table(found)
    held = dict.fromkeys(own.held for own in found.pairs[0].differences if own.held)
    if held:
        show()
        for words in held:
            _tell(f"{words[0].upper()}{words[1:]}.")
    curves = [pair.curve.reading for pair in found.pairs if pair.curve is not None]
    for reading in [own.reading for own in found.maps] or curves:
        show()
        _tell(translated(reading))
    show()
    for line in _notes(found):
        _tell(translated(line))


def _tell(sentence: str) -> None:
    """A paragraph; costs like 1 : 20 stay on one line."""
    show(printable(sentence).replace(" : ", "\u00a0:\u00a0"))


def _what_is_compared(found: Compared, *, is_declared: bool) -> str:
    first = found.pairs[0]
    unit = printable(first.unit)
    names = dict.fromkeys(printable(name) for pair in found.pairs for name in (pair.a, pair.b))
    models = f"Compared: {listed(list(names))}"
    if first.random == "cases" and first.n_groups in (1, (1, 1)):
        return f"{models}, on {'the same' if first.paired else 'different'} cases."
    how = f"{models}, by the {first.method.label} average"
    if is_declared:
        return f"{how}."
    return (
        f"{how}: every {unit} sets its own threshold, at the same FPR. That was not declared; one threshold "
        f"for all {plural(unit)}: --deploy shared."
    )


def _notes(found: Compared) -> list[str]:
    from rocsteady.inference.comparing.wording import basis, number, p_words

    first = found.pairs[0]
    lines = []
    if len(found.pairs) == 1 and first.wilcoxon is not None and first.wilcoxon.n:
        w = first.wilcoxon
        typical = f"By ranks, the typical difference in AUC is {number(w.estimate)}"
        lines.append(f"{typical}; {p_words(w.pvalue)} ({w.method}).")
    lines.append(f"Tests: {first.auc.method}{_flips(first)}{_adjusted(found)}. {basis(first)}")
    if len(found.maps) > 1:
        lines.append("Each map holds by itself: maps are not adjusted for each other.")
    return lines


def _flips(first: Comparison) -> str:
    if math.isnan(first.auc.flip_pvalue):
        return ""
    what = f"whole {plural(first.unit)}" if first.paired else f"the residuals of {plural(first.unit)}"
    return f"; flips of the signs of {what}"


def _adjusted(found: Compared) -> str:
    whole = found.whole
    adjust = getattr(whole, "adjust", None)
    names = {"holm": "Holm", "bh": "Benjamini and Hochberg"}
    return f"; adjusted for {len(found.pairs)} pairs by {names[adjust]}" if adjust else ""
