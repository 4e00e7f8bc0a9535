"""Claims as one HTML file: no script, no library, nothing fetched but the figures that lie beside it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape as escape_tags
from pathlib import Path
from urllib.parse import quote

from papers.claims import CORRECTED, NOT_REPRODUCED, REPRODUCED, Claim
from papers.pages.markdown import (
    HEADINGS,
    QUICK,
    TITLE,
    legend,
    lists,
    measured_words,
    titled_remark,
)
from papers.pages.summary import PaperSummary, overall
from rocsteady.words import printable

_STYLE = Path(__file__).with_name("style.css")
# A verdict has a colour and a sign besides its words.
_LOOKS = {REPRODUCED: ("good", "✓"), CORRECTED: ("fair", "≈"), NOT_REPRODUCED: ("bad", "✗")}


def escape(text: str) -> str:
    r"""Text that HTML shows as it is; control characters are spelled out.

    >>> print(escape("<b>\x1b[2J"))
    &lt;b&gt;\x1b[2J
    """
    return escape_tags(printable(" ".join(text.split())))


def claims_html(papers: Sequence[PaperSummary]) -> str:
    """The page."""
    links = ", ".join(f'<a href="#{escape(paper.name)}">{escape(paper.name)}</a>' for paper in papers)
    contents = f'<p class="soft">{links}</p>' if len(papers) > 1 else ""
    body = "\n".join(_paper(paper) for paper in papers)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(TITLE)}</title>
<style>
{_STYLE.read_text(encoding="utf-8")}</style>
</head>
<body>
<h1>{escape(TITLE)}</h1>
<p class="lead">{escape(" ".join(overall(papers)))}</p>
<p class="soft">{escape(legend(papers))}</p>
<p class="soft">All numbers: <a href="results.json">results.json</a></p>
{contents}
{body}
</body>
</html>
"""


def _paper(paper: PaperSummary) -> str:
    quick = (QUICK,) if paper.is_quick else ()
    parts = [
        f'<section id="{escape(paper.name)}">',
        f"<h2>{escape(paper.paper)}</h2>",
        f"<p>{escape(' '.join((*paper.outcome, *quick)))}</p>",
    ]
    if paper.error:
        parts.append(f"<p>{escape(paper.error)}</p>")
    if paper.claims:
        parts.append(_table(paper.claims))
    for heading, lines in lists(paper):
        items = "".join(f"<li>{escape(line)}</li>" for line in lines)
        parts.append(f"<h3>{heading}</h3>\n<ul>{items}</ul>")
    if paper.figures:
        parts += ["<h3>Figures</h3>", _figures(paper)]
    return "\n".join([*parts, "</section>"])


def _table(claims: Sequence[Claim]) -> str:
    heads = "".join(f'<th scope="col">{heading}</th>' for heading in HEADINGS)
    rows = "\n".join(_row(claim) for claim in claims)
    return f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"


def _row(claim: Claim) -> str:
    look, sign = _LOOKS[claim.verdict]
    verdict = f'<span class="verdict {look}">{sign}&nbsp;{escape(claim.verdict)}</span>'
    words = (claim.claim, claim.where, measured_words(claim), titled_remark(claim))
    texts = [escape(text) for text in words]
    texts.insert(HEADINGS.index("verdict"), verdict)
    cells = zip(HEADINGS, texts, strict=True)
    return "<tr>" + "".join(f'<td data-is="{heading}">{text}</td>' for heading, text in cells) + "</tr>"


def _figures(paper: PaperSummary) -> str:
    shown = []
    for name, (file, *others) in paper.pictures().items():
        words = escape(name.replace("_", " "))
        more = "".join(f' (<a href="{quote(o)}">{escape(o.rpartition(".")[2])}</a>)' for o in others)
        shown.append(
            f'<figure><a href="{quote(file)}"><img src="{quote(file)}" alt="{words}" loading="lazy"></a>'
            f"<figcaption>{words}{more}</figcaption></figure>"
        )
    return f'<div class="figures">\n{chr(10).join(shown)}\n</div>'
