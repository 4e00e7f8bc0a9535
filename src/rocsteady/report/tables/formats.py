r"""Printed columns as Markdown, LaTeX, HTML or plain text.

Whatever comes from data is escaped: a name with ``|``, ``_``, ``&`` or ``<`` is shown as it is and neither
ends a cell nor becomes markup.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rocsteady.report.tables.cells import INFINITY, MINUS, NOTHING, THIN, TIMES, PrintedColumn
from rocsteady.words import counted


@dataclass(frozen=True)
class PrintedTable:
    """What a format writes.

    Attributes
    ----------
    columns : sequence of PrintedColumn
    n_left_out : int
        Rows that are not among the cells.
    gap : int
        Before which row they would stand.
    caption, label : str
        Above the table, and its name for references.
    """

    columns: Sequence[PrintedColumn]
    n_left_out: int
    gap: int
    caption: str
    label: str

    @property
    def headings(self) -> list[str]:
        """The first row."""
        return [column.heading for column in self.columns]

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """The cells, row by row."""
        return list(zip(*(column.cells for column in self.columns), strict=True))

    @property
    def left_out(self) -> str:
        """How many rows are not shown, in words; empty if all are."""
        return f"and {counted(self.n_left_out, 'more row')}" if self.n_left_out else ""


def as_markdown(table: PrintedTable) -> str:
    """A pipe table, as GitHub, pandoc and notebooks read it; columns padded, so it also reads as text."""
    padded, widths = _padded(table, _in_markdown, _number_in_markdown, least=3)
    ends = [":" if column.is_number else "-" for column in table.columns]
    rules = ["-" * (width - 1) + end for width, end in zip(widths, ends, strict=True)]
    rows = [f"| {' | '.join(row)} |" for row in (padded[0], rules, *padded[1:])]
    caption = [_paragraph(_in_markdown(table.caption)), ""] if table.caption else []
    return "\n".join([*caption, *rows])


def _paragraph(text: str) -> str:
    """Text that begins neither a heading, a list, a quotation nor a definition."""
    return re.sub(r"^(\d*)([#>+=\[.)-])", r"\1\\\2", text)


def as_text(table: PrintedTable) -> str:
    """Columns apart by blanks, for terminals and letters."""
    padded, widths = _padded(table, _in_text, _number_in_text, least=1)
    rows = ["  ".join(row).rstrip() for row in padded]
    rows.insert(1, "  ".join("-" * width for width in widths))
    caption = [table.caption, ""] if table.caption else []
    return "\n".join([*caption, *rows])


Escape = Callable[[str], str]


def _padded(
    table: PrintedTable, escape: Escape, escape_number: Escape, least: int
) -> tuple[list[list[str]], list[int]]:
    """All rows, the headings first, cells as wide as their column, numbers to the right; and the widths."""
    ways = [escape_number if column.is_number else escape for column in table.columns]
    rows = [[escape(heading) for heading in table.headings]]
    rows += [[way(cell) for way, cell in zip(ways, row, strict=True)] for row in table.rows]
    if table.n_left_out:
        rows.insert(1 + table.gap, [f"… {table.left_out}", *[""] * (len(table.columns) - 1)])
    widths = [max(least, *(_width(row[i]) for row in rows)) for i in range(len(table.columns))]
    for row in rows:
        for i, column in enumerate(table.columns):
            blanks = " " * (widths[i] - _width(row[i]))
            row[i] = blanks + row[i] if column.is_number else row[i] + blanks
    return rows, widths


def _width(text: str) -> int:
    """How many places of a terminal a text takes: two for a Chinese character, none for an accent."""
    without = [c for c in text if not unicodedata.combining(c) and c not in "\u200c\u200d"]
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in without)


_MARKUP = re.compile(
    r"[\\`*<|~$]"  # anywhere
    r"|\](?=[(\[])"  # a link
    r"|&(?=#?\w+;)"  # an entity
    r"|(?<![^\W_])_|_(?![^\W_])"  # emphasis, but not within a word
)


def _in_markdown(text: str) -> str:
    return _MARKUP.sub(lambda found: "\\" + found[0], text.replace(THIN, "\u00a0"))


def _number_in_markdown(text: str) -> str:
    return _raised(text.replace(THIN, "\u00a0"))


def _raised(text: str) -> str:
    """A power of ten as HTML, which Markdown takes too: it has no sign of its own for it."""
    return re.sub(rf"10\^({MINUS}?\d+)", r"10<sup>\1</sup>", text)


def _in_text(text: str) -> str:
    return "-" if text == NOTHING else text.replace(THIN, " ")


def _number_in_text(text: str) -> str:
    for sign, plain in ((f" {TIMES} 10^", "e"), (MINUS, "-"), (THIN, " "), (INFINITY, "inf"), (NOTHING, "-")):
        text = text.replace(sign, plain)
    return text


def as_html(table: PrintedTable) -> str:
    """A table element without scripts, colours or classes but one; it is also well-formed XML."""
    name = f' id="{html.escape(table.label)}"' if table.label else ""
    lines = [f'<table class="rocsteady"{name}>']
    if table.caption:
        lines.append(f"<caption>{html.escape(table.caption)}</caption>")
    lines.append(f"<thead>{_html_row(table, table.headings, 'th')}</thead>")
    rows = [_html_row(table, row, "td") for row in table.rows]
    if table.n_left_out:
        span = f'<td colspan="{len(table.columns)}" style="text-align:center">'
        rows.insert(table.gap, f"<tr>{span}… {table.left_out}</td></tr>")
    return "\n".join([*lines, "<tbody>", *rows, "</tbody>", "</table>"])


def _html_row(table: PrintedTable, cells: Sequence[str], tag: str) -> str:
    scope = ' scope="col"' if tag == "th" else ""
    written = []
    for column, cell in zip(table.columns, cells, strict=True):
        whole = ";white-space:nowrap" if column.is_number and tag == "td" else ""  # no break within a number
        side = f"right{whole}" if column.is_number else "left"
        shown = _raised(html.escape(cell)) if column.is_number and tag == "td" else html.escape(cell)
        written.append(f'<{tag}{scope} style="text-align:{side}">{shown}</{tag}>')
    return f"<tr>{''.join(written)}</tr>"


# -- LaTeX ------------------------------------------------------------------------------------------------

_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    MINUS: "$-$",
    NOTHING: "--",
    INFINITY: r"$\infty$",
    THIN: r"\,",
    "…": r"\ldots{}",
    "\0": "{}",
} | {c: "\\" + c for c in "{}$&#%_"}


def as_latex(table: PrintedTable) -> str:
    """A tabular with the rules of booktabs, in a table if there is a caption or a label."""
    sides = "".join("r" if column.is_number else "l" for column in table.columns)
    rows = [_latex_row(row) for row in table.rows]
    if table.n_left_out:
        middle = rf"\multicolumn{{{len(table.columns)}}}{{c}}{{\ldots{{}} {_in_latex(table.left_out)}}} \\"
        rows.insert(table.gap, middle)
    rows = [r"\toprule", _latex_row(table.headings), r"\midrule", *rows, r"\bottomrule"]
    lines = [rf"\begin{{tabular}}{{{sides}}}", *_indented(rows), r"\end{tabular}"]
    if table.caption or table.label:
        caption = [rf"\caption{{{_in_latex(table.caption)}}}"] if table.caption else []
        label = [rf"\label{{{table.label}}}"] if table.label else []
        lines = [r"\begin{table}", *_indented([r"\centering", *caption, *label, *lines]), r"\end{table}"]
    return "\n".join([r"% \usepackage{booktabs}", *lines])


def _latex_row(cells: Sequence[str]) -> str:
    written = [_in_latex(cell) for cell in cells]
    # After the end of a row a bracket or a star would be taken as its option.
    written[0] = re.sub(r"^([\[*])", r"{\1}", written[0])
    return " & ".join(written) + r" \\"


def _in_latex(text: str) -> str:
    pieces = re.split(rf"({MINUS}?[\d.]+ {TIMES} 10\^{MINUS}?\d+)", text)
    return "".join(_power(own) if i % 2 else _escaped(own) for i, own in enumerate(pieces))


def _power(text: str) -> str:
    mantissa, exponent = text.replace(MINUS, "-").split(f" {TIMES} 10^")
    return rf"${mantissa} \times 10^{{{exponent}}}$"


def _escaped(text: str) -> str:
    # Two hyphens of a name would become a dash: something empty stands between them.
    composed = unicodedata.normalize("NFC", text)  # a letter and its accent as one: TeX knows no others
    return "".join(_LATEX.get(c, c) for c in re.sub(r"-(?=-)", "-\0", composed))


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"  {line}" for line in lines]
