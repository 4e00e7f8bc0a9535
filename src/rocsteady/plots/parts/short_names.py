"""Long names in a figure: cut where they are alike, so that two never become the same."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import takewhile

from rocsteady.words import printable

_BETWEEN = " ,;:=_-/()[]"
_LEAST = 5
"""Letters that a name keeps at least; where no more are left, names are numbered."""


def told_apart(names: Sequence[str], longest: int) -> list[str]:
    """Names of at most so many letters, in their order; different names stay different.

    A long name loses its end. Names that would become the same lose what they have in common instead, and are
    numbered if that does not help.

    >>> told_apart(["Gradient boosted trees, depth 2", "Gradient boosted trees, depth 8", "forest"], 18)
    ['Gradient… depth 2', 'Gradient… depth 8', 'forest']
    """
    different = list(dict.fromkeys(names))
    plain = [printable(name) for name in different]
    short = _apart(plain, longest)
    if len(set(short)) < len(short):
        short = [_cut(f"{place}: {own}", longest) for place, own in enumerate(plain, start=1)]
    found = dict(zip(different, short, strict=True))
    return [found[name] for name in names]


def on_lines(names: Sequence[str], longest: int) -> list[str]:
    r"""The same on two lines, each of about so many letters, where one is too short for a name.

    >>> on_lines(["logistic regression of all variables", "forest"], 24)
    ['logistic regression of\nall variables', 'forest']
    """
    cut = told_apart(names, max(longest, 2 * longest - 4))
    return [own if len(own) <= longest else _wrapped(own, longest) for own in cut]


def pair_words(a: str, b: str, longest: int) -> str:
    """The difference of two, in words: on one line if that has room for both names, else on two."""
    short = told_apart([a, b], longest - len("less "))
    line = " less ".join(short)
    return line if len(line) <= longest else "\nless ".join(short)


def no_formula(text: str) -> str:
    r"""Words for Matplotlib in which a dollar sign is one.

    >>> print(no_formula("$5"))
    \$5
    """
    return text.replace("$", r"\$")


def _wrapped(name: str, longest: int) -> str:
    lines = textwrap.wrap(name, longest)
    return "\n".join([lines[0], " ".join(lines[1:])])


def _cut(name: str, longest: int) -> str:
    return name if len(name) <= longest else name[: max(longest, 1) - 1].rstrip() + "…"


def _apart(names: Sequence[str], longest: int) -> list[str]:
    """Cut at the end; those that become the same, and their like, where they start to differ."""
    short = [_cut(name, longest) for name in names]
    least = max(longest // 4, 2)
    for start in {own[:least] for own in short if own.endswith("…") and short.count(own) > 1}:
        alike = [k for k, own in enumerate(short) if own.endswith("…") and own.startswith(start)]
        common = _in_common([names[k] for k in alike], longest // 2)
        tails = [names[k][len(common) :] for k in alike]
        room = min(max(map(len, tails)), longest - least - len("… "))
        if room < _LEAST and any(len(tail) > room for tail in tails):
            continue
        head = names[alike[0]][: min(longest - room - len("… "), len(common))].rstrip() + "… "
        for k, tail in zip(alike, _apart(tails, room), strict=True):
            short[k] = head + tail
    return short


def _in_common(names: Sequence[str], room: int) -> str:
    """What all of them start with, up to the start of a word or of a number; nothing if they are the same.

    Words before that are left to each where there is ``room``: "depth 2" says more than "2".
    """
    if len(set(names)) == 1:
        return ""
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
    common = "".join(letters[0] for letters in alike)
    # One long word has no better place to be cut than where it differs.
    words = _without_last_word(common) or common
    longest = max(map(len, names))
    while (shorter := _without_last_word(words.rstrip(_BETWEEN))) and longest - len(shorter) <= room:
        if shorter == words:  # it ends with a sign that neither is in a word nor stands between words
            break
        words = shorter
    return words


def _without_last_word(text: str) -> str:
    return text.rstrip("".join({letter for letter in text if letter.isalnum() or letter in ".…"}))
