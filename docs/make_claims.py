"""Write docs/claims.md: what the papers claim, what was measured, and the verdicts.

    python docs/make_claims.py                            compute every paper in full, then write the page
    python docs/make_claims.py DIR/results.json           write it from  python -m papers all --out DIR
    python docs/make_claims.py --check DIR/results.json   compare the page with a run, quick or full

A comparison writes nothing. It leaves out what was measured, which depends on how many replicates were
drawn. Claims, places, verdicts and remarks do not.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # where the papers are

from papers.command import run
from papers.errata import errata
from papers.errata.erratum import slug
from papers.pages import CODE, HEADINGS, claims_table, escaped, markdown, read
from papers.paper import Reproduction
from rocsteady.text import ML

PAGE = Path(__file__).with_name("claims.md")
INTRODUCTION = (
    "This page is made by docs/make_claims.py from a full run of python -m papers all; no number in it is "
    "typed. Letters with numbers, such as H3, are entries of errata.md; where both pages have a number for "
    "the same thing, the samples may be others. The figures themselves are made by the command."
)
_CELLS = re.compile(r"(?<!\\)\|")
_LINK = re.compile(r"\[([HPKS]\d+)\]\([^)]*\)")
_MEASURED = HEADINGS.index("measured")
_FIRST = f"| {' | '.join(HEADINGS)} |"


def page(papers: Sequence[Reproduction]) -> str:
    """The page, without pictures; entries of the errata become links."""
    text = markdown(papers, introduction=INTRODUCTION, alone=False)
    anchors = {entry.code: slug(entry.heading) for entry in errata()}
    lines, is_claim = [], False
    for line in text.split("\n"):
        is_claim = line == _FIRST or (is_claim and line.startswith("| "))
        lines.append(_linked(line, anchors) if is_claim else line)
    return "\n".join(lines)


def _linked(row: str, anchors: dict[str, str]) -> str:
    """A row of the table of claims, with links in its last cell."""
    start = [match.start() for match in _CELLS.finditer(row)][-2]

    def link(match: re.Match[str]) -> str:
        code = match[0]
        return f"[{code}](errata.md#{anchors[code]})" if code in anchors else code

    return row[:start] + CODE.sub(link, row[start:])


def rows_of(text: str) -> dict[str, list[tuple[str, ...]]]:
    """The claims on a page by paper, without what was measured."""
    rows: dict[str, list[tuple[str, ...]]] = {}
    paper, is_claim = "", False
    for line in text.splitlines():
        if line.startswith("## "):
            paper = line.removeprefix("## ")
            rows[paper] = []
        is_row = is_claim and line.startswith("| ")
        if is_row and "| --- |" not in line:
            cells = [cell.strip() for cell in _CELLS.split(_LINK.sub(r"\1", line))[1:-1]]
            rows[paper].append(tuple(cell for i, cell in enumerate(cells) if i != _MEASURED))
        is_claim = line == _FIRST or is_row
    return rows


def stated(paper: Reproduction) -> list[tuple[str, ...]]:
    """The claims of a run as they stand on the page, without what was measured."""
    rows = [[escaped(own.spell(ML)) for own in row] for row in claims_table(paper.claims).rows]
    return [tuple(cell for i, cell in enumerate(row) if i != _MEASURED) for row in rows]


def differences(papers: Sequence[Reproduction], text: str) -> list[str]:
    """Where a run and the page say different things; a part that was left out is not held against the run."""
    on_page, found = rows_of(text), []
    for paper in papers:
        own, written = stated(paper), on_page.get(escaped(paper.paper), [])
        found += [f"not on the page: {row}" for row in own if row not in written]
        if not (paper.skipped or paper.damaged or paper.error):
            found += [f"only on the page: {row}" for row in written if row not in own]
    return found


def computed_in_full() -> list[Reproduction]:
    """Run the command; it says what it needs."""
    with tempfile.TemporaryDirectory() as folder:
        code = run(["all", "--out", folder, "--overwrite"])
        if code:
            sys.exit(code)
        return read(json.loads((Path(folder) / "results.json").read_text(encoding="utf-8")))


def main() -> int:
    """Write the page, or compare it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "results", nargs="?", type=Path, help="a results.json; without it everything is computed"
    )
    parser.add_argument(
        "--check", action="store_true", help="compare the page with the results, write nothing"
    )
    arguments = parser.parse_args()
    if arguments.results is None:
        papers = computed_in_full()
    else:
        papers = read(json.loads(arguments.results.read_text(encoding="utf-8")))
    if not arguments.check:
        if any(paper.is_quick or paper.error for paper in papers):
            print(
                "these results are of a quick run, or not of every paper; the page needs all", file=sys.stderr
            )
            return 2
        PAGE.write_text(page(papers), encoding="utf-8", newline="\n")
        return 0
    found = differences(papers, PAGE.read_text(encoding="utf-8"))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
