"""``--words``: what the terminal calls the rates, in the words of a field.

Sentences and tables are made with FPR and TPR. Here, and nowhere else, they become sensitivity and
specificity, or FMR and FNMR. Where a field names the rest of a rate (a specificity is 1 less an FPR) the
number beside it is turned round too; without one it is ``1 - specificity``, which is always right.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from rocsteady.cli.columns import panel_option
from rocsteady.words import printable

if TYPE_CHECKING:
    from rocsteady.scores import ScoreSet

_NUMBER = r"((?>\d+(?:\.\d+)?(?:e-?\d+)?))( %)?"
_CI = rf"(\(\d+(?:\.\d+)? % CI ){_NUMBER} to {_NUMBER}\)"
_PLAIN = r"(?>\d+(?:\.\d+)?(?:e-?\d+)?)(?: %)?"
_MORE = r"\d*\.\d+(?: %)?(?! (?:CI|confidence|interval|of)\b)"
_LIST = rf"({_PLAIN}(?: to {_PLAIN})?(?:(?:, | and | or ){_MORE}(?: to {_PLAIN})?)*)"
"""Rates and ranges of them behind one name: ``0.08 to 0.2 and 0.24 to 0.36``."""
_ALONE = r"(?!\d|\.\d| ?%|(?:,| and| to| or| -) -?\d| (?:higher|lower|more|less|apart|points)\b)"
"""Behind a number: not one of others that are no rates, and no difference."""
_RATE_WORDS = re.compile(r"\b(?:[FT][PN]Rs?|(?:false|true) (?:positive|negative) rates?)\b", re.IGNORECASE)


_Word = str | Callable[[re.Match[str]], str]
_Rule = tuple[re.Pattern[str], _Word]


class Words(StrEnum):
    """What a field calls the rates."""

    ML = "ml"
    MEDICAL = "medical"
    BIOMETRIC = "biometric"


WordsOption = Annotated[
    Words,
    panel_option(
        "--words",
        panel="Output",
        help="What the rates are called on the screen: ml (TPR, FPR), medical (sensitivity, specificity), "
        "biometric (FMR, FNMR).",
        show_default=True,
    ),
]


@dataclass(frozen=True)
class _Field:
    """How a field speaks: of one rate by another name, of the other by the name of its rest."""

    renamed: dict[str, str]
    turned: str
    spelled_out: str
    rest: str
    phrases: tuple[tuple[str, str], ...]


_MEDICAL = _Field(
    renamed={
        "TPR": "sensitivity",
        "true positive rate": "sensitivity",
        "FNR": "1 - sensitivity",
        "false negative rate": "1 - sensitivity",
        "TNR": "specificity",
    },
    turned="FPR",
    spelled_out="false positive rate",
    rest="specificity",
    phrases=(
        (r"\bTPR \(sensitivity\)", "sensitivity"),
        (r"\bFPR \(1 - specificity\)", "1 - specificity"),
        (r"\bTPR / FPR\b", "sensitivity / (1 - specificity)"),
        (r"\bFNR / TNR\b", "(1 - sensitivity) / specificity"),
        (r"\bTPR - FPR\b", "sensitivity + specificity - 1"),
    ),
)
_BIOMETRIC = _Field(
    renamed={
        "FPR": "FMR",
        "false positive rate": "false match rate",
        "FNR": "FNMR",
        "false negative rate": "false non-match rate",
        "TNR": "1 - FMR",
    },
    turned="TPR",
    spelled_out="true positive rate",
    rest="FNMR",
    phrases=(
        (r"\bTPR \(sensitivity\)", "1 - FNMR"),
        (r"\bFPR \(1 - specificity\)", "FMR"),
        (r"\bTPR / FPR\b", "(1 - FNMR) / FMR"),
        (r"\bFNR / TNR\b", "FNMR / (1 - FMR)"),
        (r"\bTPR - FPR\b", "1 - FNMR - FMR"),
    ),
)


@dataclass(frozen=True)
class Speech:
    """Sentences and tables in the words of a field; names of the data stay as they are."""

    field: _Field
    rules: list[_Rule]
    names: re.Pattern[str] | None

    def __call__(self, text: str) -> str:
        """A sentence."""
        if not _RATE_WORDS.search(text):
            return text
        pieces = [text] if self.names is None else self.names.split(text)
        # Every second piece is a name.
        return "".join(piece if i % 2 else self._replaced(piece) for i, piece in enumerate(pieces))

    def _replaced(self, text: str) -> str:
        for pattern, word in self.rules:
            text = pattern.sub(word, text)
        return text

    def is_turned(self, heading: str) -> bool:
        """Whether numbers under this heading, or beside it, are of the rate whose rest the field names."""
        if self.names is not None and self.names.fullmatch(heading):
            return False
        word = self.field.turned
        return heading == word or heading.endswith(f", {word}") or (heading in _EXPLAINED and word in heading)

    def turned_heading(self, heading: str) -> str:
        """A heading of such numbers: the rest's name, behind whose it is."""
        whose, comma, _ = heading.rpartition(", ")
        return f"{whose}{comma}{self.field.rest}"

    def turn(self, cell: str) -> str:
        """A rate, or an interval of one, as what is left of it; any other cell as it is."""
        if found := _ONE.fullmatch(cell):
            return _rest(*found.groups()) or cell
        if found := _TWO.fullmatch(cell):
            low, low_sign, high, high_sign = found.groups()
            first, last = _rest(high, high_sign), _rest(low, low_sign or high_sign)
            if first is not None and last is not None:
                return f"{first if low_sign else first.removesuffix(' %')} to {last}"
        return cell


_EXPLAINED = ("TPR (sensitivity)", "FPR (1 - specificity)")
_ONE, _TWO = re.compile(_NUMBER), re.compile(f"{_NUMBER} to {_NUMBER}")
_speech: ContextVar[Speech | None] = ContextVar("speech", default=None)


@contextmanager
def speaking(words: Words, names: Iterable[str] = ()) -> Iterator[None]:
    """Say rates in the words of a field; ``names``, of the data (:func:`names_in`), stay as they are."""
    before = _speech.set(speech_of(words, names))
    try:
        yield
    finally:
        _speech.reset(before)


def names_in(score_set: ScoreSet) -> list[str]:
    """Names in a file that a rate is part of: of columns, classes, models, groups; also as tables cut it."""
    from rocsteady.cli.console import LONGEST_NAME, fitting_name

    classes = score_set.classes
    words = [score_set.unit, score_set.source or "", str(classes.positive), str(classes.negative)]
    words += [*score_set.columns_chosen.values(), *score_set.models, *score_set.groups]
    found = [word for word in words if _RATE_WORDS.search(word)]
    cut = (fitting_name(printable(word), most) for word in found for most in range(8, LONGEST_NAME + 1))
    return [*found, *cut]


def speech() -> Speech | None:
    """What was asked for; None where everything stays as it is."""
    return _speech.get()


def harmless(text: str) -> str:
    r"""A text whose control characters are spelled out, so that no name steers a terminal.

    Lines and blanks of any kind stay: sentences have blanks at which they are not broken.

    >>> harmless("p\xa0= 0.02\n\x1b[2J")
    'p\xa0= 0.02\n\\x1b[2J'
    """
    return "".join(c if c == "\n" or unicodedata.category(c) == "Zs" else printable(c) for c in text)


def spoken(text: str) -> str:
    """A text for the terminal in the words that were asked for."""
    own = speech()
    return text if own is None else own(text)


def speech_of(words: Words, names: Iterable[str] = ()) -> Speech | None:
    """What turns a sentence into the words of a field; None where it stays as it is.

    >>> medical, biometric = speech_of(Words.MEDICAL), speech_of(Words.BIOMETRIC)
    >>> medical("TPR 65.2 % at FPR 0.05; between FPR 0.02 and 0.5; FPR lower by 0.1.")
    'sensitivity 65.2 % at specificity 0.95; between specificity 0.5 and 0.98; 1 - specificity lower by 0.1.'
    >>> biometric("the largest TPR with FPR at most 0.01, TPR 97.5 % (95 % CI 96.0 % to 98.5 %)")
    'the smallest FNMR with FMR at most 0.01, FNMR 2.5 % (95 % CI 1.5 % to 4.0 %)'
    >>> medical.turn("4.0 to 5.9 %"), medical.turn("0.05"), medical.turn("chosen")
    ('94.1 to 96.0 %', '0.95', 'chosen')
    """
    if words is Words.ML:
        return None
    field = _MEDICAL if words is Words.MEDICAL else _BIOMETRIC
    rules = [(re.compile(pattern), word) for pattern, word in _rules(field)]
    kept = "|".join(re.escape(name) for name in sorted(set(map(printable, names)), key=len, reverse=True))
    return Speech(field, rules, re.compile(f"({kept})") if kept else None)


def _rules(field: _Field) -> Iterator[tuple[str, _Word]]:
    """Patterns and what becomes of them, in this order: what has numbers first."""
    rest, turned = field.rest, field.turned
    yield from field.phrases
    yield rf"\b{turned} {_NUMBER} {_CI}", lambda m: _with_interval(rest, m)
    yield rf"\bbetween {turned} {_NUMBER} and {_NUMBER}", lambda m: _ends(m, f"between {rest} {{}} and {{}}")
    yield rf"\b{turned} at most {_NUMBER}", lambda m: _end(m, f"{rest} at least {{}}")
    yield rf"\b{turned} at least {_NUMBER}", lambda m: _end(m, f"{rest} at most {{}}")
    for name in (turned, field.spelled_out):
        yield rf"\b{name} of {_NUMBER}{_ALONE}", lambda m: _end(m, f"{rest} of {{}}")
    yield rf"\b{turned} {_LIST}{_ALONE}", lambda m: _every(rest, m)
    yield rf"\blargest {turned}\b", f"smallest {rest}"
    yield rf"\bsmallest {turned}\b", f"largest {rest}"
    # What is held, varies, or tells apart is as well the rest.
    yield rf"\b(by|by their|the same) {turned}\b", rf"\1 {rest}"
    yield rf"\b([Tt]he) {field.spelled_out}(?= (?:is (?:held|the same)|varies)\b)", rf"\1 {rest}"
    words = {turned: f"1 - {rest}", field.spelled_out: f"1 - {rest}", **field.renamed}
    for name, word in words.items():
        if word.startswith("1 - "):  # in a formula it is one term
            yield rf"(?<=[-+/:] ){name}\b|(?<=\d ){name}\b|\b{name}(?= [-+/:] )", f"({word})"
        yield rf"\b{name}s?\b", word
    yield r"\ba (?=FNMR|FMR)", "an "
    yield r"\ban (?=specificity|sensitivity)", "a "


def _rest(number: str, per_cent: str | None) -> str | None:
    """1 less a rate, as a decimal with as many places; None if it is no rate."""
    rest = (100 if per_cent else 1) - Decimal(number)
    return f"{rest:f}{per_cent or ''}" if rest >= 0 else None


def _end(match: re.Match[str], form: str) -> str:
    rest = _rest(*match.groups())
    return match[0] if rest is None else form.format(rest)


def _ends(match: re.Match[str], form: str) -> str:
    low, low_sign, high, high_sign = match.groups()
    rests = _rest(high, high_sign or low_sign), _rest(low, low_sign or high_sign)
    return match[0] if None in rests else form.format(*rests)


def _every(word: str, match: re.Match[str]) -> str:
    """A list of rates and ranges, each turned round."""
    pieces = []
    for piece in re.split(r"(, | and | or )", match[1]):
        found = _TWO.fullmatch(piece)
        turned = _ends(found, "{} to {}") if found else piece
        if single := _ONE.fullmatch(piece):
            turned = _rest(*single.groups()) or piece
        if turned == piece and not piece.startswith((",", " ")) and piece not in ("0.5", "50 %"):
            return match[0]
        pieces.append(turned)
    return f"{word} {''.join(pieces)}"


def _with_interval(word: str, match: re.Match[str]) -> str:
    number, sign, opening, low, low_sign, high, high_sign = match.groups()
    rests = _rest(number, sign), _rest(high, high_sign), _rest(low, low_sign)
    return match[0] if None in rests else "{0} {1} {4}{2} to {3})".format(word, *rests, opening)
