"""HTML that is escaped by construction: text is escaped unless it is markup that these functions made.

Names come from data, and data may be hostile. So there is one way to make an element, :func:`tag`; it escapes
every child that is not :class:`Markup`, and it refuses what the page's security policy forbids anyway: style
attributes, handlers and links that run code.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from html import escape
from typing import TypeAlias

from rocsteady.report.summary.phrases import Text

Child: TypeAlias = "str | int | Iterable[Child] | None"
"""What an element may hold; markup as it is, everything else as text, None as nothing."""
LONGEST_STRONG = 80
"""Letters of a name in a sentence."""
VOID = frozenset({"br", "col", "hr", "input", "link", "meta"})
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_SAFE_LINK = re.compile(r"#|https://")
_ORDERING = re.compile("[\u202a-\u202e\u2066-\u2069]")
_UNSHOWN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\ufffe\uffff]")
"""What HTML forbids or no file can hold; a line break is layout, unless it stands in a name."""
_BREAKS = re.compile(r"[\t\n]")
_BESIDE_A_NUMBER = re.compile(r"(?<=\d) (?=%|\d{3}(?!\d))|(?<=[≥≤<>±=]) (?=[\d−])")


class Markup(str):
    """Text that is HTML already.

    >>> tag("p", Markup("<b>bold</b>"), " and <b>text</b>")
    '<p><b>bold</b> and &lt;b&gt;text&lt;/b&gt;</p>'
    """

    __slots__ = ()


NOTHING = Markup("")
"""What a section returns that has nothing to show."""


def text(child: Child) -> Markup:
    r"""A child as markup.

    Characters that cannot be shown, or that would turn round the text after them, are spelled out.

    >>> text(["1 < 2", None, Markup("<hr>"), ["a", 3]])
    '1 &lt; 2<hr>a3'
    >>> print(text("\x1b \u202eevil"))
    \x1b \u202eevil
    """
    if child is None:
        return NOTHING
    if isinstance(child, Markup):
        return child
    if isinstance(child, str):
        return Markup(escape(_spelled(_spelled(child, _UNSHOWN), _ORDERING)))
    if isinstance(child, Iterable):
        return Markup("".join(map(text, child)))
    return Markup(escape(str(child)))


def tag(name: str, /, *children: Child, **attributes: str | float | bool | None) -> Markup:
    """An element.

    Attributes end in an underscore where Python has the word (``class_``, ``for_``), and have one where HTML
    has a hyphen (``aria_label``). None and False leave an attribute out, True writes its name alone.

    Raises
    ------
    ValueError
        For a style attribute, a handler or a link elsewhere than into the page or to an https address.

    Examples
    --------
    >>> tag("a", 'a "b"', href="#data", class_="go", title='a "b"')
    '<a href="#data" class="go" title="a &quot;b&quot;">a &quot;b&quot;</a>'
    >>> tag("input", type="range", disabled=True, hidden=False, min=0, max=0.1 + 0.2)
    '<input type="range" disabled min="0" max="0.3">'
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of an element")
    written = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in VOID:
        return Markup(f"<{name}{written}>")
    return Markup(f"<{name}{written}>{text(children)}</{name}>")


def phrase(words: Text) -> Markup:
    r"""A sentence whose every second piece is strong; a number stays with its unit at the end of a line.

    >>> phrase(("With a threshold of ", "1.64", " on every host, 5 % of"))
    'With a threshold of <strong>1.64</strong> on every host, 5\xa0% of'
    """
    pieces = (words,) if isinstance(words, str) else words
    together = [_BESIDE_A_NUMBER.sub("\N{NO-BREAK SPACE}", piece) for piece in pieces]
    return text(_strong(piece) if k % 2 else piece for k, piece in enumerate(together) if piece)


def joined(child: Child) -> Markup:
    r"""A child whose own words keep a number with its unit or its sign; names, which are markup, stay.

    >>> joined(["at 5 % or ≥ 0.5 of ", named("5 % b")])
    'at 5\xa0% or ≥\xa00.5 of <bdi>5 % b</bdi>'
    """
    if isinstance(child, str):
        return child if isinstance(child, Markup) else phrase(child)
    if isinstance(child, Iterable):
        return Markup("".join(map(joined, child)))
    return text(child)


def _strong(piece: str) -> Markup:
    """What stands out is a number or a name; a very long name would bury the sentence."""
    return tag("strong", named(piece, longest=LONGEST_STRONG) if len(piece) > LONGEST_STRONG else piece)


def named(own: str, *, longest: int = 0) -> Markup:
    r"""A name from the data, which does not disturb the text around it in whatever direction it is read.

    Parameters
    ----------
    own : str
        The name; blank ones are shown as quotation marks, line breaks are spelled out.
    longest : int
        Letters shown of it; the whole name is then its tooltip. 0 for all.

    Examples
    --------
    >>> named("<b>")
    '<bdi>&lt;b&gt;</bdi>'
    >>> named("a long name", longest=6), named("a\nb"), named(" ")
    ('<bdi title="a long name">a lon…</bdi>', '<bdi>a\\nb</bdi>', '<bdi>“ ”</bdi>')
    """
    shown = _spelled(own, _BREAKS) if own.strip() else f"“{_spelled(own, _BREAKS)}”"
    if not 0 < longest < len(shown):
        return tag("bdi", shown)
    # A cut must not part a letter from its accent.
    end = longest - 1
    while end > 1 and unicodedata.combining(shown[end]):
        end -= 1
    return tag("bdi", shown[:end] + "…", title=shown)


def svg(width: float, height: float, *children: Child, label: str, class_: str = "") -> Markup:
    """A picture in its own units, which grows and shrinks with its place, and what it shows in words.

    >>> svg(20, 10, tag("path", d="M0 0h9"), label="A line")
    '<svg viewBox="0 0 20 10" role="img" aria-label="A line"><path d="M0 0h9"></path></svg>'
    """
    box = f"0 0 {width:g} {height:g}"
    return tag("svg", *children, viewBox=box, role="img", aria_label=label, class_=class_ or None)


def _attribute(key: str, value: str | float | bool | None) -> str:
    name = key.rstrip("_").replace("_", "-")
    if not _NAME.fullmatch(name) or name == "style" or name.lower().startswith("on"):
        raise ValueError(f"the page has no attribute {name!r}: use a class, and the script for what happens")
    if name == "href" and not _SAFE_LINK.match(str(value)):
        raise ValueError(f"the page has no links to {value!r}")
    if value is None or value is False:
        return ""
    if value is True:
        return f" {name}"
    return f' {name}="{text(value if isinstance(value, str) else f"{value:.6g}")}"'


def _spelled(own: str, characters: re.Pattern[str]) -> str:
    return characters.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), own)
