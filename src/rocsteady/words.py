"""Fragments of plain-language sentences: numbers, nouns, lists of names.

Everything a reader sees is put together from these, so that a count, a class or a list of hosts is
written the same way in an error, in a table and in a report.
"""

from __future__ import annotations

import math
import re
import shlex
import string
from ast import literal_eval
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Context, Decimal
from typing import Any


def grouped(n: float) -> str:
    """A whole number with its thousands set apart.

    >>> grouped(18590), grouped(96.0)
    ('18 590', '96')
    """
    whole = int(n) if isinstance(n, float) and n.is_integer() else n
    return f"{whole:,}".replace(",", " ")


def plural(noun: str) -> str:
    """The plural of an English noun, by rule.

    >>> plural("host"), plural("class"), plural("category"), plural("day")
    ('hosts', 'classes', 'categories', 'days')
    """
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and not noun.endswith(("ay", "ey", "oy", "uy")):
        return noun[:-1] + "ies"
    return noun + "s"


def counted(n: int, noun: str) -> str:
    """A number and its noun.

    >>> counted(1, "row"), counted(18590, "row")
    ('1 row', '18 590 rows')
    """
    return f"{grouped(n)} {noun if n == 1 else plural(noun)}"


def listed(names: Sequence[str], *, most: int = 6) -> str:
    """Names in a sentence; a long list is cut and the rest counted.

    >>> listed(["a"]), listed(["a", "b", "c"]), listed(["a", "b", "c", "d"], most=2)
    ('a', 'a, b and c', 'a, b and 2 more')
    """
    # "and 1 more" would take as much room as the name itself.
    shown = list(names) if len(names) <= most + 1 else [*names[:most], f"{grouped(len(names) - most)} more"]
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def named(unit: str, name: str) -> str:
    """A group in a sentence: its name, after the word for a group unless the name holds that word.

    >>> named("host", "host-23"), named("fold", "2")
    ('host-23', 'fold 2')
    """
    return name if unit.casefold() in name.casefold() else f"{unit} {name}"


def cases(n: int, label: str, *, is_positive: bool) -> str:
    """How many cases of a class: named by its label where that is a word, else by its side.

    >>> cases(9, "attack", is_positive=True), cases(1, "0", is_positive=False)
    ('9 attack cases', '1 negative case')
    >>> cases(0, "fraud", is_positive=True)
    'no fraud cases'
    """
    kind = class_word(label, is_positive=is_positive)
    return counted(n, f"{kind} case") if n else f"no {kind} cases"


def class_word(label: str, *, is_positive: bool) -> str:
    """What to call a class: its label where that is a word, else its side.

    >>> class_word("attack", is_positive=True), class_word("0", is_positive=False)
    ('attack', 'negative')
    """
    is_word = label.isalpha() and label.lower() not in {"true", "false"}
    return label if is_word else "positive" if is_positive else "negative"


def class_cases(label: str, *, is_positive: bool) -> str:
    """The cases of a class.

    >>> class_cases("attack", is_positive=True), class_cases("0", is_positive=False)
    ('attack cases', 'negatives')
    """
    return plural(class_case(label, is_positive=is_positive))


def class_case(label: str, *, is_positive: bool) -> str:
    """One case of a class.

    >>> class_case("attack", is_positive=True), class_case("0", is_positive=False)
    ('attack case', 'negative')
    """
    word = class_word(label, is_positive=is_positive)
    return word if word in ("positive", "negative") else f"{word} case"


def percent(share: float) -> str:
    """A share in per cent, with the places that its size needs.

    >>> percent(0.712), percent(0.0004), percent(1.0), percent(0.99996), percent(1.5e-9)
    ('71.2 %', '0.04 %', '100 %', '99.996 %', '1.5e-07 %')
    """
    if share in (0, 1):
        return f"{100 * share:g} %"
    edge = min(abs(share), abs(1 - share))
    if edge < 1e-6:
        return f"{100 * share:.2g} %" if share < 0.5 else f"{100 * share:.10g} %"
    places = 1 if edge >= 0.001 else 2 if edge >= 0.0001 else 3 if edge >= 0.00001 else 4
    return f"{100 * share:.{places}f} %"


def number(value: float) -> str:
    """A rate or an area with the places that its size needs.

    >>> number(0.0123), number(0.00012), number(0.0), number(0.9)
    ('0.012', '0.00012', '0', '0.900')
    """
    if value == 0:
        return "0"
    return f"{value:.3f}" if abs(value) >= 0.0095 else f"{value:.2g}"


_JOINERS = "\u200c\u200d"


def printable(text: str) -> str:
    r"""Text whose control characters are spelled out, safe for any terminal.

    Labels and group names come from files; an escape sequence among them must not reach the terminal.

    Joiners of letters are part of words, and of some signs, and stay.

    >>> print(printable("host\x1b[2J"))
    host\x1b[2J
    """
    if text.isprintable():
        return text
    kept = (
        c if c.isprintable() or c in _JOINERS else c.encode("unicode_escape").decode("ascii") for c in text
    )
    return "".join(kept)


def shell(arguments: Iterable[str]) -> str:
    r"""A command line that means just these arguments, and steers no terminal.

    >>> print(shell(["compare", "my scores.csv", "it's", "a\x1b[31m"]))
    compare 'my scores.csv' 'it'"'"'s' $'a\x1b[31m'
    """
    return " ".join(
        shlex.quote(own)
        if own.isprintable()
        else "$'{}'".format(own.encode("unicode_escape").decode().replace("'", r"\'"))
        for own in arguments
    )


def spelled(value: object) -> str:
    """``repr``, also of an integer of more digits than Python spells."""
    try:
        return repr(value)
    except ValueError:
        bits = value.bit_length() if isinstance(value, int) else 0
        return f"an integer of {bits} bits" if bits else f"a {type(value).__name__} that cannot be written"


def number_of(text: str, *, may_be_percent: bool) -> float:
    """``0.007``, and ``0.7%`` where a share is meant; NaN if it is no number."""
    text = text.strip()
    try:
        if may_be_percent and text.endswith("%"):
            share = Decimal(text.removesuffix("%").strip())
            return float(EXACTLY.scaleb(share, -2))  # 0.7 / 100 is not 0.007
        return float(text)
    except (ValueError, ArithmeticError):
        return math.nan


EXACTLY = Context(prec=400, traps=[])
"""Decimals of the user's own context may be rounded or trapped."""


def near_match(word: str, candidates: Iterable[str], cutoff: float = 0.5) -> str | None:
    """The candidate the writer most likely meant, or None; ``cutoff`` is how alike both are at least."""
    import difflib  # needed only when something is misspelled

    by_folded = {name.casefold(): name for name in candidates}
    close = difflib.get_close_matches(word.casefold(), by_folded, n=1, cutoff=cutoff)
    if close:
        return by_folded[close[0]]
    # "probability" and "y_prob" share too few letters for difflib, but a word of one starts the other.
    for folded, name in by_folded.items():
        pieces = [p for p in folded.replace("-", "_").split("_") if len(p) >= 3]
        if any(word.casefold().startswith(p) or p.startswith(word.casefold()) for p in pieces):
            return name
    return None


# Templates
# ---------


def plainly(rate: str, value: float | None = None) -> str:
    """What a rate is called in machine learning, and with a value."""
    return rate.upper() if value is None else f"{rate.upper()} {100 * value:g} %"


Speak = Callable[[str, float | None], str]
"""What a field calls a rate, without a value or with one."""


def filled(template: str, facts: Mapping[str, Any], speak: Speak = plainly) -> str:
    """A template with its facts filled in: a format string, with a few words of its own.

    ::

        {n:count row}        '1 row', '18 590 rows'; {n:count {unit}} takes the noun from a fact
        {n:has|have}         the first for one, True and a list of one, else the second; both may hold fields
        {unit:?in {unit}}    only where this fact is there: not None, False or empty
        {names:list}         'a, b and c'; a long list is cut; {names:list 3} sooner
        {unit:plural}        'hosts'
        {n:thousands}        '18 590', also how many there are
        {share:percent}      '71.2 %'
        {name:of {unit}}     'fold 2', but 'host-23'
        {kind:rate}          'FPR', or as ``speak`` calls it; {at:rate {kind}} 'FPR 5 %'

    >>> filled("{rows:count row} of {names:list}{last:?, to {last}}", {"rows": 2, "names": "ab", "last": 0})
    '2 rows of a and b, to 0'
    """
    return "".join(map(str, filled_parts(template, facts, speak=speak)))


def filled_parts(
    template: str,
    facts: Mapping[str, Any],
    option: Callable[[str, Any], Any] = "{}={}".format,
    speak: Speak = plainly,
) -> tuple[Any, ...]:
    """The same in parts; ``option`` makes one from ``{positive=label}``, a name and the value of a fact."""
    found: list[Any] = []
    for text, name, spec, conversion in _FORMATTER.parse(template):
        if text:
            found.append(text)
        if name is None:
            continue
        keyword, is_option, value = name.partition("=")
        if is_option:
            found.append(option(keyword, facts[value] if value in facts else literal_eval(value)))
            continue
        own = _FORMATTER.convert_field(_FORMATTER.get_field(name, (), facts)[0], conversion)
        if spec and spec.startswith("?"):
            is_there = own is not None and own is not False and (not hasattr(own, "__len__") or len(own) > 0)
            found += filled_parts(spec[1:], facts, option, speak) if is_there else ()
        elif spec and (bar := _bar_of(spec)) is not None:
            found += filled_parts(spec[:bar] if _number(own) == 1 else spec[bar + 1 :], facts, option, speak)
        else:
            found.append(_worded(own, (spec or "").format_map(facts), speak))
    return tuple(found)


class _Formatter(string.Formatter):
    def convert_field(self, value: Any, conversion: Any) -> Any:
        return spelled(value) if conversion == "r" else super().convert_field(value, conversion)


_FORMATTER = _Formatter()


def _bar_of(spec: str) -> int | None:
    """Where the bar between two wordings stands; not one inside a field."""
    for place, sign in enumerate(spec):
        if sign == "|" and spec.count("{", 0, place) == spec.count("}", 0, place):
            return place
    return None


def _worded(value: Any, spec: str, speak: Speak) -> str:
    """A fact as the template wants it."""
    how, _, more = spec.partition(" ")
    if how == "rate":
        return speak(more.casefold(), float(value)) if more else speak(str(value).casefold(), None)
    if how == "count":
        return counted(_number(value), printable(more))
    if how == "list":
        return listed([printable(str(own)) for own in value], **({"most": int(more)} if more else {}))
    if how == "of":
        return named(printable(more), printable(str(value)))
    words: dict[str, Callable[[Any], str]] = {
        "plural": plural,
        "thousands": lambda own: grouped(_number(own)),
        "percent": percent,
    }
    if spec in words:
        return words[spec](value)
    if isinstance(value, float):
        spec = _DECIMALS.sub(r"\1z\2", spec)  # no minus before what is shown as 0
    return spelled(value) if spec == "" and isinstance(value, int) else format(value, spec)


_DECIMALS = re.compile(r"^([+ -]?)(\.\d+[efg])$")


def _number(value: Any) -> Any:
    """A number, or how many values there are."""
    return getattr(value, "size", len(value)) if hasattr(value, "__len__") else value
