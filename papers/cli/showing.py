"""What the terminal sees of a reproduction: one paper in full, or all papers in a few lines each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from papers.claims import VERDICTS, Claim
from papers.cli.printing import show
from papers.cli.tables import Row, Sections, show_sections
from papers.pages.summary import PaperSummary, overall
from rocsteady.words import printable

if TYPE_CHECKING:
    from rich.table import Table

    from papers.checks import Check, Checks
    from papers.reproduction import Reproduction, Tabulated

MOST_FAILED = 10
"""Numbers that are off which a summary names; results.json has all."""


def show_reproduction(found: Reproduction, summary: PaperSummary) -> None:
    """Every check, the tables, the passages, the claims, what was left out and what was damaged."""
    checks = _check_table(found.checks)
    show_sections(checks, checks.without("tolerance from"), checks.without("tolerance from", "tolerance"))
    for tabulated in found.tables():
        show()
        show(tabulated.caption)
        show()
        show_sections(_table(tabulated))
    for heading, lines in found.passages():
        show()
        _show_heading(heading)
        _show_lines(lines)
    for heading, lines in (
        ("Errata", summary.errata),
        *_claims(found.claims),
        ("Left out", found.skipped),
        ("Damaged or missing", found.damaged),
    ):
        if lines:
            show()
            _show_heading(heading)
            show(_listed(lines))
    show()
    _show_lines(summary.outcome)


def show_overall(papers: Sequence[PaperSummary]) -> None:
    """All papers together."""
    _show_lines(overall(papers))


def show_summary(summary: PaperSummary) -> None:
    """One paper of several: what came out, what failed, what is missing."""
    _show_heading(f"{summary.name}: {summary.paper}")
    # Standard error has the whole message already.
    _show_lines((f"Not computed: {summary.error.partition(':')[0]}.",) if summary.error else summary.outcome)
    show_failed(summary)
    for line in summary.skipped:
        show(f"Left out: {line}")
    show()


def show_failed(summary: PaperSummary) -> None:
    """The numbers of a paper that are not what they should be, and data that are not."""
    for line in summary.failed[:MOST_FAILED]:
        show(f"FAILED: {line}")
    if len(summary.failed) > MOST_FAILED:
        show(f"... and {len(summary.failed) - MOST_FAILED} more.")
    for line in summary.damaged:
        show(f"Damaged or missing: {line}")


def _show_heading(heading: str) -> None:
    from rich.text import Text

    show(Text(heading, style="bold"))


def _show_lines(lines: Sequence[str]) -> None:
    for line in lines:
        show(line)


def _claims(claims: Sequence[Claim]) -> list[tuple[str, Sequence[str]]]:
    """The claims by verdict; their numbers are in the files."""
    found: list[tuple[str, Sequence[str]]] = []
    for verdict in VERDICTS:
        own = [claim for claim in claims if claim.verdict == verdict]
        found.append((f"Claims {verdict}", [_in_words(claim) for claim in own]))
    return found


def _in_words(claim: Claim) -> str:
    erratum = f" ({claim.erratum})" if claim.erratum else ""
    return f"{claim.where}: {claim.claim}{erratum}"


def _listed(lines: Sequence[str]) -> Table:
    """A list whose items stand out: their further lines are indented."""
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 1, 0, 0))
    for line in lines:
        table.add_row("-", Text(printable(line)))
    return table


def _check_table(checks: Checks) -> Sections:
    return Sections(
        ("check", "expected", "found", "tolerance", "", "tolerance from"),
        tuple(
            (
                section,
                tuple(Row(tuple(_check_cells(check)), None if check.passed else "red") for check in own),
            )
            for section, own in checks.sections().items()
        ),
    )


def _check_cells(check: Check) -> list[str]:
    return [
        check.name,
        f"{check.expected:.4f}",
        f"{check.found:.4f}",
        f"{check.tolerance:.4f}" if check.tolerance >= 5e-5 else f"{check.tolerance:.0e}",
        "ok" if check.passed else "FAILED",
        check.tolerance_from,
    ]


def _table(tabulated: Tabulated) -> Sections:
    return Sections(
        tabulated.headings,
        tuple((heading, tuple(Row(tuple(row)) for row in rows)) for heading, rows in tabulated.sections),
    )
