"""Typed values and their spelling: the only module that formats a number for people.

A value holds canonical numbers (TPR and FPR as shares, thresholds as scores) and spells itself under a
:class:`Words`: a vocabulary with what these data call their groups, classes and models. Templates choose a
spelling as they would choose a number format: ``{gap}``, ``{gap:compared}``, ``{at:a}``; table cells are
spelled ``cell``, or ``tall`` with the interval below. A rate that a vocabulary tells by its complement is
turned as it is shown, so that a sensitivity and its FNMR always add up to exactly 100 %.

>>> found = say("{best} has a {rate} of {value}.", best=Model("new"), rate=Name(FPR), value=Rate(FPR, 0.05))
>>> found.plain(ML), found.plain(MEDICAL)
('new has a FPR of 5.0 %.', 'new has a specificity of 95.0 %.')
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_HALF_UP, Context, Decimal
from enum import Enum
from functools import cache
from string import Formatter
from typing import Any, Protocol, TypeAlias

from rocsteady.words import printable
from rocsteady.words import shell as shell  # noqa: PLC0414 - commands are texts too

SPELLINGS = frozenset(
    {"", "a", "axis", "bare", "cell", "compared", "limits", "long", "on", "one", "short", "tall"}
)
"""What may stand behind the colon of a field. Values that know nothing of one spell themselves as ever."""


# What is measured ---------------------------------------------------------------------------------------


class Scale(Enum):
    """How numbers of a quantity are shown."""

    SHARE = "share"  # per cent, differences in points
    AREA = "area"  # 0.912
    NUMBER = "number"  # as many digits as it takes


@dataclass(frozen=True)
class Quantity:
    """What a number measures, in canonical terms; a vocabulary names it, and may tell it by its complement.

    Attributes
    ----------
    key : str
        Its name in the facts, ``"tpr"``; also what is shown of quantities that no vocabulary knows.
    scale : Scale
    lower_is_better : bool
    """

    key: str
    scale: Scale = Scale.NUMBER
    lower_is_better: bool = False


TPR = Quantity("tpr", Scale.SHARE)
FPR = Quantity("fpr", Scale.SHARE, lower_is_better=True)
FNR = Quantity("fnr", Scale.SHARE, lower_is_better=True)
ALERTS = Quantity("alerts", Scale.SHARE)
AUC = Quantity("auc", Scale.AREA)
"""Of one curve."""
MEAN_AUC = Quantity("mean auc", Scale.AREA)
"""The mean of the groups' areas."""
AREA = Quantity("area", Scale.AREA)
"""Under the average curve."""
PARTIAL_AUC = Quantity("partial auc", Scale.AREA)
SMAUC = Quantity("smauc", Scale.AREA)
MEAN_SMAUC = Quantity("mean smauc", Scale.AREA)
EER = Quantity("eer", Scale.SHARE, lower_is_better=True)
PRECISION = Quantity("precision", Scale.SHARE)
NPV = Quantity("npv", Scale.SHARE)
PREVALENCE = Quantity("prevalence", Scale.SHARE)
ACCURACY = Quantity("accuracy", Scale.SHARE)
ERROR = Quantity("error", Scale.SHARE, lower_is_better=True)
YOUDEN = Quantity("youden", Scale.AREA)
COST = Quantity("cost", lower_is_better=True)
LR_POSITIVE = Quantity("lr+")
LR_NEGATIVE = Quantity("lr-", lower_is_better=True)
THRESHOLD = Quantity("threshold")


# Vocabularies -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Words:
    """A vocabulary, and what these data call their groups, classes and models.

    Attributes
    ----------
    name : {"ml", "medical", "biometric"}
    names : mapping
        What a quantity is called in a sentence, and on an axis (where numbers are never turned), by its key.
    turned : frozenset
        Keys of the quantities that are told by their complement.
    nouns : mapping
        Words that templates use without passing them: ``{threshold}``, ``{alarms}``.
    positives, negatives : str
        Cases of the classes.
    unit : str
        The word for a group.
    models : tuple of str
        In their order, which is that of colours.
    higher_is_positive : bool
    has_sign : bool
        Whether a cut-off is written with its sign, as ``≥ 1.64``.

    Examples
    --------
    >>> Rate(FPR, 0.05, Limits(0.04, 0.059, 0.95)).spell(MEDICAL)
    '95.0 % (95 % CI 94.1 to 96.0 %)'
    >>> MEDICAL.about(unit="clinic_id", positive="malignant", negative=0).lookup("positives")
    'malignant cases'
    """

    name: str
    names: Mapping[str, tuple[str, str]]
    turned: frozenset[str]
    nouns: Mapping[str, str]
    positives: str
    negatives: str
    unit: str = "dataset"
    models: tuple[str, ...] = ()
    higher_is_positive: bool = True
    has_sign: bool = False
    cases: Mapping[str, str] = field(default_factory=dict)

    def about(
        self,
        *,
        unit: str = "",
        models: Sequence[str] = (),
        positive: object = None,
        negative: object = None,
        higher_is_positive: bool = True,
    ) -> Words:
        """The same vocabulary for these models, groups and labels; labels like 0 and True name no class."""
        return replace(
            self,
            unit=noun(unit) if unit else self.unit,
            models=tuple(models),
            positives=_cases(positive) or self.positives,
            negatives=_cases(negative) or self.negatives,
            higher_is_positive=higher_is_positive,
        )

    def look(self, model: str) -> int:
        """The model's place in the order of colours, dashes and markers."""
        return self.models.index(model) if model in self.models else 0

    def rate(self, key: str, value: float | None = None) -> str:
        """What a rate is called, and with a value, in messages: ``specificity 95 %`` of an FPR of 0.05."""
        kind = Quantity(key, Scale.SHARE)
        return Name(kind).spell(self) if value is None else At(key, value).spell(self)

    def lookup(self, name: str) -> str:
        """A word that templates may use without passing it.

        ``{threshold}`` ``{thresholds}`` ``{unit}`` ``{units}`` ``{on}`` (on a host, in a fold)
        ``{positives}`` ``{negatives}`` ``{alarm}`` ``{alarms}`` ``{miss}`` ``{misses}`` ``{its}`` and the
        names of quantities: ``{tpr}``, ``{fpr}``.
        """
        match name:
            case "units":
                return plural(self.unit)
            case "unit" | "positives" | "negatives":
                return str(getattr(self, name))
            case "on":
                return preposition(self.unit)
            case "its":
                return "their" if self.unit.split(" ")[-1] in _PEOPLE.split() else "its"
        if name in self.nouns:
            return self.nouns[name]
        if name in self.names:
            return self.names[name][0]
        raise KeyError(f"the template wants {{{name}}}, which is neither passed nor a word")


_COMMON = {
    "fnr": ("FNR", "False negative rate"),
    "alerts": ("alert rate", "Alert rate"),
    "auc": ("AUC", "AUC"),
    "mean auc": ("mean AUC", "Mean AUC"),
    "area": ("AUC of the average curve", "AUC of the average curve"),
    "partial auc": ("partial AUC", "Partial AUC"),
    "smauc": ("smAUC", "smAUC"),
    "mean smauc": ("mean smAUC", "Mean smAUC"),
    "eer": ("equal error rate", "Equal error rate"),
    "precision": ("precision", "Precision"),
    "npv": ("negative predictive value", "Negative predictive value"),
    "prevalence": ("prevalence", "Prevalence"),
    "accuracy": ("accuracy", "Accuracy"),
    "error": ("error rate", "Error rate"),
    "youden": ("Youden's J", "Youden's J"),
    "cost": ("expected cost", "Expected cost"),
    "lr+": ("LR+", "Positive likelihood ratio"),
    "lr-": ("LR−", "Negative likelihood ratio"),
    "recall": ("recall", "Recall"),
}
_ML_NOUNS = {
    "threshold": "threshold",
    "thresholds": "thresholds",
    "Threshold": "Threshold",
    "alarm": "false alarm",
    "alarms": "false alarms",
    "miss": "miss",
    "misses": "misses",
    "alert": "alert",
    "balance": "FPR minus FNR",
    "ratio": "FPR : FNR",
    "costs": "false positive : false negative",
}
ML = Words(
    name="ml",
    names=_COMMON | {"tpr": ("TPR", "True positive rate"), "fpr": ("FPR", "False positive rate")},
    turned=frozenset(),
    nouns=_ML_NOUNS,
    positives="positives",
    negatives="negatives",
)
MEDICAL = Words(
    name="medical",
    names=_COMMON
    | {
        "tpr": ("sensitivity", "Sensitivity"),
        "fpr": ("specificity", "1 − specificity"),
        "fnr": ("1 − sensitivity", "1 − sensitivity"),
        "precision": ("positive predictive value", "Positive predictive value"),
        "alerts": ("share called positive", "Share called positive"),
        "recall": ("sensitivity", "Sensitivity"),
    },
    turned=frozenset({"fpr"}),
    nouns=_ML_NOUNS
    | {
        "threshold": "cut-off",
        "thresholds": "cut-offs",
        "Threshold": "Cut-off",
        "alarm": "false positive",
        "alarms": "false positives",
        "miss": "false negative",
        "misses": "false negatives",
        "alert": "positive call",
        "balance": "sensitivity minus specificity",
        "ratio": "(1 − specificity) : (1 − sensitivity)",
    },
    positives="positive cases",
    negatives="negative cases",
    has_sign=True,
)
BIOMETRIC = Words(
    name="biometric",
    names=_COMMON
    | {
        "tpr": ("FNMR", "1 − FNMR"),
        "fpr": ("FMR", "False match rate (FMR)"),
        "fnr": ("FNMR", "False non-match rate (FNMR)"),
        "eer": ("EER", "Equal error rate (EER)"),
        "recall": ("1 − FNMR", "1 − FNMR"),
    },
    turned=frozenset({"tpr"}),
    nouns=_ML_NOUNS
    | {
        "alarm": "false match",
        "alarms": "false matches",
        "miss": "false non-match",
        "misses": "false non-matches",
        "alert": "match",
        "balance": "FMR minus FNMR",
        "ratio": "FMR : FNMR",
        "costs": "false match : false non-match",
    },
    positives="genuine comparisons",
    negatives="impostor comparisons",
)
VOCABULARIES = {"ml": ML, "medical": MEDICAL, "biometric": BIOMETRIC}
_ELSEWHERE = {
    "medicine": "medical",
    "clinical": "medical",
    "diagnostic": "medical",
    "biometrics": "biometric",
    "machine learning": "ml",
}


def words_of(value: Any, words: object = "ml", positive_name: str = "") -> Words:
    """The vocabulary for scores, or for a result, as far as it knows of a unit, classes and models."""
    about = next((own for own in (value, *_behind(value)) if hasattr(own, "unit")), value)
    classes = getattr(about, "classes", None)
    return vocabulary(words).about(
        unit=str(getattr(about, "unit", "") or ""),
        models=tuple(getattr(value, "models", ())),
        positive=positive_name or getattr(classes, "positive", None),
        negative=getattr(classes, "negative", None),
        higher_is_positive=bool(getattr(value, "higher_is_positive", True)),
    )


def _behind(value: Any) -> Iterator[Any]:
    """What a point, a band or a cut-off is of, which knows the word for a group."""
    for name in ("averaged", "_about", "_curve", "_table"):
        if (own := getattr(value, name, None)) is not None:
            yield own


def vocabulary(words: object) -> Words:
    """The words of a field; RS001 for a field that is not known.

    >>> vocabulary("medical").lookup("tpr")
    'sensitivity'
    """
    from rocsteady.options import one_of  # with NumPy, which helps and explanations do without

    if isinstance(words, Words):
        return words
    return VOCABULARIES[one_of("words", words, tuple(VOCABULARIES), elsewhere=_ELSEWHERE)]


# Templates ----------------------------------------------------------------------------------------------


class Value(Protocol):
    """Whatever may stand in a sentence or a cell; `how` is one of `SPELLINGS`, unknown to most values."""

    def spell(self, words: Words, how: str = "") -> str:
        """The value as text."""
        ...


Item: TypeAlias = "Value | int | None"
"""What a field of a template may be: a value, a plain whole number, or nothing at all."""


@dataclass(frozen=True)
class Text:
    """A sentence, or several: a template whose fields are typed values, or words of the vocabulary.

    >>> text = say("{threshold}s at {at:a}, by {who}", at=At("fpr", 0.05), who=Model("{at}"))
    >>> text.plain(ML), text.plain(MEDICAL)
    ('Thresholds at an FPR of 5 %, by {at}', 'Cut-offs at a specificity of 95 %, by {at}')
    """

    template: str
    values: Mapping[str, Item]
    is_sentence: bool = True

    def spans(self, words: Words) -> Iterator[tuple[str, Value | None]]:
        """Pieces with the value each one spells; None for our own words. Sentences start with a capital."""
        is_first = self.is_sentence
        for piece, value in self._pieces(words):
            if not piece:
                continue
            is_ours = not isinstance(value, NAMES) or value == Model("")  # names stay as they are
            yield (piece[:1].upper() + piece[1:] if is_first and is_ours else piece), value
            is_first = False

    def _pieces(self, words: Words) -> Iterator[tuple[str, Value | None]]:
        for literal, name, how, _ in _fields(self.template):
            if literal:
                yield literal, None
            if name is None:
                continue
            if how not in SPELLINGS:
                raise ValueError(f"no spelling {how!r} in {self.template!r}")
            if name not in self.values:
                yield words.lookup(name), None
                continue
            value = self.values[name]
            if isinstance(value, Text):
                yield from value.spans(words)
            elif isinstance(value, int):
                yield thousands(value), None
            elif value is not None:
                yield value.spell(words, how or ""), value

    def spell(self, words: Words, how: str = "") -> str:
        """The text as a string."""
        return self.plain(words)

    def plain(self, words: Words = ML) -> str:
        """The text as a string."""
        return "".join(piece for piece, _ in self.spans(words))


@cache
def _fields(template: str) -> tuple[tuple[str, str | None, str | None, str | None], ...]:
    return tuple(Formatter().parse(template))


def say(template: str, **values: Item) -> Text:
    """A sentence: it starts with a capital."""
    return Text(template, values)


def phrase(template: str, **values: Item) -> Text:
    """A part of a sentence, or of a table: as `say`, without a capital."""
    return Text(template, values, is_sentence=False)


def joined(items: Iterable[Item], between: str = ", ") -> Text:
    """Texts, or values, one after the other."""
    values = {f"item{i}": own for i, own in enumerate(items)}
    return Text(between.join(f"{{{name}}}" for name in values), values, is_sentence=False)


def paragraph(*sentences: Text | None) -> Text:
    """Sentences one after the other; None is nothing to say."""
    return joined((own for own in sentences if own is not None), between=" ")


def listed(items: Iterable[Item], *, most: int = 6, last: str = "and") -> Text:
    """Values in a sentence: ``a, b and c``; a long list is cut and the rest counted.

    >>> listed(map(Model, "abc")).plain(), listed(map(Model, "abcd"), most=2).plain()
    ('a, b and c', 'a, b and 2 more')
    """
    given = list(items)
    # "and 1 more" would take as much room as the name itself.
    shown = given if len(given) <= most + 1 else [*given[:most], phrase("{n} more", n=len(given) - most)]
    if len(shown) < 2:
        return joined(shown)
    return phrase(f"{{first}} {last} {{last}}", first=joined(shown[:-1]), last=shown[-1])


# Numbers ------------------------------------------------------------------------------------------------


def decimals(estimate: float, *limits: float, top: float, least: int) -> int:
    """Decimals for an estimate and its limits alike.

    Two significant digits of the estimate's distance from the nearer end of the scale, and enough that
    nothing inside the scale is rounded to an end. The rule is symmetric, so complements get as many.

    >>> decimals(65.24, 60.72, 69.76, top=100, least=1)
    1
    >>> decimals(0.12, 0.02, 0.31, top=100, least=1), decimals(99.2, 97.1, 99.98, top=100, least=1)
    (2, 2)
    """
    end = min(abs(estimate), abs(top - estimate))
    places = max(least, min(1 - math.floor(math.log10(end)), _MOST)) if 0 < end < 1 else least
    ends = (0, top)
    known = [x for x in (estimate, *limits) if math.isfinite(x)]
    while places < _MOST and any(x not in ends and round(x, places) in ends for x in known):
        places += 1
    return places


_MOST = 12
_CELLS = {"cell": " ", "tall": "\n"}  # between an estimate and its interval


def _shown(number: float | Decimal, places: int, *, signed: bool = False) -> str:
    text = f"{number:{'+' if signed else ''}.{places}f}"
    if not float(text):
        text = text.lstrip("+-")  # nothing is above or below by nothing
    return text.replace("-", "−")


def tick(number: float, places: int | None = None) -> str:
    """A number on an axis, the same in every backend: with these decimals, or as few as it takes.

    >>> tick(0.25), tick(1.0), tick(-0.5), tick(1e-05), tick(0.5, 2), tick(20000.0)
    ('0.25', '1', '−0.5', '0.00001', '0.50', '20 000')
    """
    if places is None:
        text = f"{number:.10g}" if abs(number) < 1e15 else f"{number:.4g}"
        if "e-0" in text:
            text = f"{number:.12f}".rstrip("0")
        whole = abs(number) >= 10_000 and float(number).is_integer() and "e" not in text
        return thousands(int(number)) if whole else text.replace("-", "−")
    return _shown(number, places)


def thousands(n: float) -> str:
    """A number of cases, its thousands set apart from 10 000 on; sums of weights keep a decimal.

    >>> thousands(18590), thousands(1234), thousands(12.5)
    ('18 590', '1234', '12.5')
    """
    text = f"{n:,.0f}" if float(n).is_integer() else f"{n:,.1f}"
    return (text.replace(",", " ") if abs(n) >= 10_000 else text.replace(",", "")).replace("-", "−")


_BESIDE_A_NUMBER = re.compile(
    r"(?<=\d) (?=%|\d{3}(?!\d))|(?<=[≥≤<>=±]) (?=[\d−])|(?<=\bp) (?=[<=>])"
    r"|(?<= [<>]) (?=\S)|(?<=[<>]=) (?=\S)|(?<=\d) (?=: \d)|(?<=\d :) (?=\d)"
)


def unbroken(text: str) -> str:
    r"""Text whose numbers keep to their units and signs at the end of a line.

    >>> unbroken("5 % of 23 802 rows, p = 0.03")
    '5\xa0% of 23\xa0802 rows, p\xa0=\xa00.03'
    """
    return _BESIDE_A_NUMBER.sub("\N{NO-BREAK SPACE}", text)


def digits(number: float, significant: int = 3) -> str:
    """A number with its significant digits, never in powers of ten unless it is very large or small.

    >>> digits(0.012345), digits(12.345), digits(1234.5), digits(0.0), digits(2.5e-17)
    ('0.0123', '12.3', '1234', '0', '2.5e−17')
    """
    if math.isnan(number):
        return "not known"
    if not math.isfinite(number):
        return "∞" if number > 0 else "−∞"
    if number == 0:
        return "0"
    size = math.floor(math.log10(abs(number)))
    if size < -8 or size >= 15:
        return f"{number:.{significant}g}".replace("-", "−")
    return _shown(number, max(significant - 1 - size, 0))


def _exact(number: float) -> Decimal:
    """A declared number without the noise of its binary fraction."""
    return Decimal(f"{number:.10g}")


@dataclass(frozen=True)
class Limits:
    """Limits at a confidence level, where a result has none of its own: as `Interval` of the core."""

    low: float
    high: float
    confidence_level: float


def _is_known(interval: Any) -> bool:
    return interval is not None and not (math.isnan(interval.low) or math.isnan(interval.high))


def _level(interval: Any) -> str:
    return f"{Level(interval.confidence_level).spell(ML)} CI"


@dataclass(frozen=True)
class Rate:
    """A rate, an area or another measured number, with its interval or without.

    `interval` is whatever has ``low``, ``high`` and ``confidence_level``; one of NaN is none. Spelled
    ``cell``, ``tall``, ``bare`` (without an interval and, of a share, with its sign) or ``limits``.

    >>> rate = Rate(TPR, 0.652, Limits(0.605, 0.693, 0.95))
    >>> rate.spell(ML), rate.spell(BIOMETRIC)
    ('65.2 % (95 % CI 60.5 to 69.3 %)', '34.8 % (95 % CI 30.7 to 39.5 %)')
    >>> Rate(FPR, 0.0004, Limits(0.00001, 0.002, 0.95)).spell(MEDICAL, "cell")
    '99.960 % (99.800 to 99.999)'
    >>> Rate(MEAN_AUC, 0.94647, Limits(0.93781, 0.95522, 0.95)).spell(ML, "cell")
    '0.946 (0.938 to 0.955)'
    >>> Rate(COST, 0.01234, Limits(0.009, 0.0153, 0.95)).spell(ML, "cell"), Rate(TPR, float("nan")).spell(ML)
    ('0.0123 (0.0090 to 0.0153)', 'not known')
    >>> Rate(MEAN_AUC, 0.9013, Limits(0.00002, 0.9999997, 0.95)).spell(ML, "limits")
    '< 0.001 to > 0.999'
    """

    quantity: Quantity
    value: float
    interval: Any = None

    def spell(self, words: Words, how: str = "") -> str:
        """With its interval where it has one."""
        if math.isnan(self.value):
            return "–" if how in _CELLS else "not known"
        has_limits = _is_known(self.interval)
        limits = (float(self.interval.low), float(self.interval.high)) if has_limits else ()
        estimate, *rest, unit = self._numbers(words, *limits)
        if how == "bare" or not has_limits:
            return f"{estimate}{unit}"
        low, high = rest
        if how == "limits":
            return f"{low} to {high}{unit}"
        if how in _CELLS:
            return f"{estimate}{unit}{_CELLS[how]}({low} to {high})"
        return f"{estimate}{unit} ({_level(self.interval)} {low} to {high}{unit})"

    def _numbers(self, words: Words, *limits: float) -> list[str]:
        """The estimate, its limits from low to high, and the unit."""
        numbers = (float(self.value), *limits)
        if self.quantity.scale is Scale.NUMBER or not all(map(math.isfinite, numbers)):
            if not math.isfinite(self.value) or self.value == 0:
                return [*map(digits, numbers), ""]
            places = max(2 - math.floor(math.log10(abs(self.value))), 0)
            is_plain = places <= _MOST and abs(self.value) < 1e15 and all(map(math.isfinite, limits))
            return [*(_shown(x, places) if is_plain else digits(x) for x in numbers), ""]
        top, least, unit = (1, 3, "") if self.quantity.scale is Scale.AREA else (100, 1, " %")
        scaled = [round(top * x, 12) for x in numbers]
        places, own = (decimals(*some, top=top, least=least) for some in (scaled, scaled[:1]))
        places = places if places <= own + _MORE else own
        shown = [_rounded(x, places, top) for x in scaled]
        if self.quantity.key in words.turned:  # a complement swaps limits and signs
            shown = [(top - x, sign.translate(_TURNED)) for x, sign in (shown[0], *shown[:0:-1])]
        return [f"{sign}{_shown(x, places)}" for x, sign in shown] + [unit]


_MORE = 1
"""Decimals that limits may add to those of their estimate; a limit that needs more is shown with < or >."""
_TURNED = str.maketrans("<>", "><")


def _rounded(x: float, places: int, top: int) -> tuple[Decimal, str]:
    """A number on a scale from 0 on; one inside that rounds to an end is below or above what is next to it.

    >>> _rounded(0.9, 3, 1), _rounded(0.00002, 3, 1), _rounded(99.99, 1, 100)
    ((Decimal('0.900'), ''), (Decimal('0.001'), '< '), (Decimal('99.9'), '> '))
    """
    found, step = Decimal(f"{x:.{places}f}"), Decimal(1).scaleb(-places)
    if 0 < x < top and found in (0, top):
        return (step, "< ") if not found else (top - step, "> ")
    return found, ""


_DECLARED = 9
"""Digits of a rate that somebody may have typed."""
_SHARES = {"fpr": FPR, "tpr": TPR, "alerts": ALERTS, "ppv": PRECISION, "npv": NPV}
MAXIMA = {"f1": "F1 score", "accuracy": "accuracy", "mcc": "MCC", "kappa": "kappa"}
MAXIMA |= {"balanced_accuracy": "balanced accuracy"}
"""What may be made as large as possible, in words."""


@dataclass(frozen=True)
class At:
    """A declared place, with exactly the digits it was declared with. Spelled ``a``: with its article.

    >>> At("fpr", 0.05).spell(ML), At("fpr", 0.05).spell(MEDICAL, "a"), At("tpr", 0.8).spell(BIOMETRIC)
    ('FPR 5 %', 'a specificity of 95 %', 'FNMR 20 %')
    >>> At("costs", (1, 20)).spell(ML), At("alerts", 0.01).spell(ML, "a"), At("eer").spell(MEDICAL)
    ('costs 1 : 20 (false positive : false negative)', 'an alert rate of 1 %', 'the equal error rate')
    >>> At("alerts", 20_000).spell(ML)
    '20 000 alerts'
    """

    kind: str
    value: Any = None

    @classmethod
    def of(cls, place: Any) -> At:
        """Of a :class:`~rocsteady.places.Place`, a mapping with one entry, or the name of a point."""
        if isinstance(place, str):
            return cls(place)
        if isinstance(place, Mapping):
            ((kind, value),) = place.items()
            return cls(str(kind), value)
        return cls(place.kind, place.value if place.count is None else place.count)

    def spell(self, words: Words, how: str = "") -> str:
        """As it was declared."""
        if self.kind in _SHARES:
            is_count = self.kind == "alerts" and isinstance(self.value, int)
            alerts = Count(self.value, words.lookup("alert")) if is_count else None
            return alerts.spell(words) if alerts else self._share(words, how)
        if self.kind == "threshold":
            return self._threshold(words, how)
        if self.kind == "balance" and self.value:
            # FPR − FNR is sensitivity − specificity
            shown = f"{(100 * _exact(float(self.value))).normalize():+f} points".replace("-", "−")
            return f"{words.lookup('balance')} {shown}"
        if self.kind == "ratio":
            return f"{words.lookup('ratio')} = {Ratio(*self.value).spell(words)}"
        if self.kind == "costs":
            return f"costs {Ratio(*self.value).spell(words)} ({words.lookup('costs')})"
        point = {
            "youden": "largest Youden's J",
            "closest": "point closest to (0, 1)",
            **{kind: f"largest {name}" for kind, name in MAXIMA.items()},
        }.get(self.kind, words.lookup("eer"))
        return point if how in _CELLS else f"the {point}"

    def _share(self, words: Words, how: str) -> str:
        quantity = _SHARES[self.kind]
        name = Name(quantity).spell(words, "a" if how == "a" else "")
        if isinstance(self.value, Mapping):
            return name
        share = 100 * _exact(float(self.value))
        shown = f"{(100 - share if quantity.key in words.turned else share).normalize():f}"
        if len(shown) > _DECLARED:  # nobody declares so many digits
            shown = digits(float(shown), 4)
        return f"{name}{' of' if how == 'a' else ''} {shown} %"

    def _threshold(self, words: Words, how: str) -> str:
        name = words.lookup("threshold")
        if isinstance(self.value, Mapping):
            own = (
                f"{Cut(value).spell(words)} ({printable(str(model))})" for model, value in self.value.items()
            )
            return f"{name}s {' and '.join(own)}"
        return (
            f"{'a ' if how == 'a' else ''}{name}{' of' if how == 'a' else ''} {Cut(self.value).spell(words)}"
        )


@dataclass(frozen=True)
class Measure:
    """A quantity and the place where it is read.

    >>> read = Measure(FPR, At("tpr", 0.8))
    >>> read.spell(ML), read.spell(MEDICAL), read.spell(BIOMETRIC)
    ('FPR at TPR 80 %', 'specificity at sensitivity 80 %', 'FMR at FNMR 20 %')
    """

    quantity: Quantity
    at: At | None = None

    def spell(self, words: Words, how: str = "") -> str:
        """The name, and where."""
        name = Name(self.quantity).spell(words)
        return f"{name} at {self.at.spell(words)}" if self.at else name


@dataclass(frozen=True)
class Range:
    """A stretch of a quantity; its ends swap when it is turned.

    >>> Range(FPR, 0.191, 0.194).spell(ML), Range(FPR, 0.191, 0.194).spell(MEDICAL)
    ('19.1 to 19.4 %', '80.6 to 80.9 %')
    >>> Range(AUC, 0.8123, 0.9).spell(ML), Range(THRESHOLD, -1.5, 22.25).spell(ML)
    ('0.812 to 0.900', '−1.5 to 22.2')
    """

    quantity: Quantity
    low: float
    high: float

    def spell(self, words: Words, how: str = "") -> str:
        """Both ends, the lower one first."""
        if math.isnan(self.low) or math.isnan(self.high):
            return "–" if how in _CELLS else "not known"
        if self.quantity.scale is not Scale.SHARE:
            is_area = self.quantity.scale is Scale.AREA
            ends = [_shown(x, 3) if is_area else digits(x) for x in (self.low, self.high)]
            if not is_area:
                ends = [own.rstrip("0").rstrip(".") if "." in own else own for own in ends]
            return " to ".join(ends)
        top = [round(100 * x, 12) for x in (self.low, self.high)]
        places = max(decimals(x, top=100, least=1) for x in top)
        shares = [Decimal(f"{x:.{places}f}") for x in top]
        if self.quantity.key in words.turned:
            shares = [100 - x for x in reversed(shares)]
        low, high = (f"{x.normalize():f}" for x in shares)
        return f"{low} to {high} %"


@dataclass(frozen=True)
class Stretch:
    """Scores from one to another, in as many digits as tell these apart, and from those within.

    >>> Stretch(2.328, 2.3281, (2.32806,)).spell(ML), Stretch(1.0, 3.25).spell(ML)
    ('2.32800 to 2.32810', '1.00 to 3.25')
    """

    low: float
    high: float
    within: tuple[float, ...] = ()

    def spell(self, words: Words, how: str = "") -> str:
        """Both ends, the lower one first."""
        numbers = {own for own in (self.low, self.high, *self.within) if math.isfinite(own)}
        significant = 3
        while significant < 17 and len({digits(own, significant) for own in numbers}) < len(numbers):
            significant += 1
        return f"{digits(self.low, significant)} to {digits(self.high, significant)}"


_SCALES = {Scale.AREA: (1, 3, ""), Scale.SHARE: (100, 1, " points"), Scale.NUMBER: (1, 2, "")}


@dataclass(frozen=True)
class Gap:
    """A difference of two measured numbers; ``compared``: how far the first is above the second.

    >>> gain = Gap(TPR, -0.0719, Limits(-0.1058, -0.038, 0.95))
    >>> gain.spell(ML), gain.spell(BIOMETRIC)
    ('−7.2 points (95 % CI −10.6 to −3.8)', '+7.2 points (95 % CI +3.8 to +10.6)')
    >>> gain.spell(ML, "compared"), gain.spell(BIOMETRIC, "compared")
    ('7.2 points lower (95 % CI 3.8 to 10.6)', '7.2 points higher (95 % CI 3.8 to 10.6)')
    >>> unsure = Gap(TPR, 0.0245, Limits(-0.0001, 0.05, 0.95))
    >>> unsure.spell(ML, "cell")  # the sign of a limit is never rounded away
    '+2.45 (−0.01 to +5.00)'
    """

    quantity: Quantity
    value: float
    interval: Any = None

    def __neg__(self) -> Gap:
        i = self.interval
        turned = Limits(-i.high, -i.low, i.confidence_level) if _is_known(i) else None
        return Gap(self.quantity, -self.value, turned)

    def spell(self, words: Words, how: str = "") -> str:
        """With its sign, or as a comparison."""
        if math.isnan(self.value):
            return "–" if how in _CELLS else "not known"
        value, limits, places, unit = self._scaled(words)
        if how == "compared":
            way = "higher" if value > 0 else "lower" if value < 0 else "different"
            sign = math.copysign(1, value)
            ends = [self._end(x, places) for x in sorted(sign * x for x in limits)]
            within = f" ({_level(self.interval)} {' to '.join(ends)})" if ends else ""
            return f"{_shown(abs(value), places)}{unit} {way}{within}"
        estimate = _shown(value, places, signed=True)
        if how in _CELLS:
            unit = ""
        if how == "bare" or not limits:
            return f"{estimate}{unit}"
        within = " to ".join(self._end(x, places, signed=True) for x in sorted(limits))
        if how == "limits":
            return within
        between = _CELLS.get(how)
        return (
            f"{estimate}{between}({within})"
            if between
            else (f"{estimate}{unit} ({_level(self.interval)} {within})")
        )

    def _scaled(self, words: Words) -> tuple[float, list[float], int, str]:
        """The difference and its limits as they are shown, the decimals of both, and the unit."""
        top, least, unit = _SCALES[self.quantity.scale]
        sign = -1 if self.quantity.key in words.turned else 1
        ends = (self.interval.low, self.interval.high) if _is_known(self.interval) else ()
        value, *limits = (round(sign * top * float(x), 12) for x in (self.value, *ends))
        places = decimals(value, *limits, top=math.copysign(top, value), least=least)
        if self.quantity.scale is Scale.NUMBER and value:
            places = max(places, min(2 - math.floor(math.log10(abs(value))), _MOST))
        return value, limits, places, unit

    @staticmethod
    def _end(x: float, places: int, *, signed: bool = False) -> str:
        return _shown(x, places, signed=signed) if math.isfinite(x) else digits(x)


@dataclass(frozen=True)
class Width:
    """Half the width of an interval.

    >>> Width(TPR, 0.0219).spell(ML), Width(AUC, 0.0219).spell(ML), Width(TPR, 0.0219).spell(ML, "bare")
    ('± 2.2 points', '± 0.022', '2.2 points')
    >>> Width(TPR, 0.0219).spell(ML, "limits")
    '2.2'
    """

    quantity: Quantity
    value: float

    def spell(self, words: Words, how: str = "") -> str:
        """With its sign; in a cell without its unit."""
        if math.isnan(self.value):
            return "–" if how in _CELLS else "not known"
        has_unit = how not in (*_CELLS, "limits")
        shown = Gap(self.quantity, abs(self.value)).spell(words, "bare" if has_unit else "cell").lstrip("+−")
        return shown if how in ("bare", "limits") else f"± {shown}"


@dataclass(frozen=True)
class P:
    """A p-value; never rounded across 0.05, never shown as 0.

    >>> P(0.0616).spell(ML), P(1.5e-6).spell(ML), P(0.04996).spell(ML, "cell"), P(0.34).spell(ML, "cell")
    ('p = 0.062', 'p < 0.001', '0.04996', '0.34')
    >>> P(0.0499999).spell(ML), P(0.05).spell(ML)
    ('p = 0.0499999', 'p = 0.05')
    >>> P(float("nan")).spell(ML), P(1.0).spell(ML), P(0.9999).spell(ML)
    ('no p-value', 'p = 1', 'p > 0.99')
    """

    value: float

    def spell(self, words: Words, how: str = "") -> str:
        """With its sign."""
        p = self.value
        if math.isnan(p):
            return "–" if how in _CELLS else "no p-value"
        sign, shown = "=", f"{p:.{3 if p < 0.1 else 2}f}"
        if p < 0.001:
            sign, shown = "<", "0.001"
        elif p > 0.99:
            sign, shown = ("=", "1") if p == 1 else (">", "0.99")
        elif (float(shown) < 0.05) != (p < 0.05) or shown == "0.050":
            digits = next(n for n in range(4, 18) if (float(f"{p:.{n}g}") < 0.05) == (p < 0.05))
            shown = f"{p:.{digits}g}"
        if how in _CELLS or how == "bare":
            return shown if sign == "=" else f"{sign} {shown}"
        return f"p {sign} {shown}"


_LARGE = 1e15
"""From here on a threshold is written in powers of ten."""


@dataclass(frozen=True)
class Cut:
    """A threshold: the shortest number that decides every row as it does.

    `beside` is the next score on the other side: the highest below `value` where high scores are positive,
    the lowest above it where low ones are. Every number between flags the same rows. Without it, six
    significant digits if these are the number, else all of them.

    >>> Cut(0.99788, beside=0.99781).spell(ML), Cut(1.6907, beside=1.6894).spell(MEDICAL)
    ('0.99788', '≥ 1.69')
    >>> Cut(0.25, 0.31).spell(replace(MEDICAL, higher_is_positive=False)), Cut(float("inf")).spell(ML)
    ('≤ 0.3', '∞')
    >>> Cut(7.94e300, beside=7.85e300).spell(ML)
    '7.9e+300'
    """

    value: float
    beside: float | None = None
    interval: Any = None

    @classmethod
    def of(cls, found: Any, interval: Any = None) -> Cut:
        """Of a cut-off, or of a point of an average, with the next score on the other side."""
        beside, alike = getattr(found, "beside", None), getattr(found, "threshold_interval", None)
        if alike is not None and alike.low < alike.high:
            beside = alike.low if found.rule.startswith(">") else alike.high
        return cls(found.threshold, beside, interval)

    def spell(self, words: Words, how: str = "") -> str:
        """The number, in medical words with its sign."""
        shown = self._number()
        if words.has_sign and how not in ("bare", "limits"):
            shown = f"{'≥' if words.higher_is_positive else '≤'} {shown}"
        if how == "bare" or not _is_known(self.interval):
            return shown
        places = len(self._number().partition(".")[2])
        low, high = (
            _shown(x, places) if math.isfinite(x) else digits(x)
            for x in (self.interval.low, self.interval.high)
        )
        if how == "limits":
            return f"{low} to {high}"
        between = _CELLS.get(how)
        if between:
            return f"{shown}{between}({low} to {high})"
        return f"{shown} ({_level(self.interval)} {low} to {high})"

    @property
    def shortest(self) -> float:
        """The number that is shown.

        >>> Cut(0.997884, beside=0.99781).shortest
        0.99788
        """
        return float(self._number().replace("−", "-").replace("∞", "inf"))

    def _number(self) -> str:
        value = float(self.value)
        if math.isnan(value):
            return "not known"
        if not math.isfinite(value):
            return digits(value)
        if self.beside is None:
            short = f"{value:.6g}"
            return (short if float(short) == value else repr(value)).replace("-", "−")
        if abs(value) >= _LARGE:
            texts = (f"{value:.{n}g}" for n in range(1, 18))
            return next(own for own in texts if self._decides_alike(float(own))).replace("-", "−")
        for places in range(17):
            step = 10.0**-places
            for shown in (round(value, places), round(value, places) - step, round(value, places) + step):
                text = f"{shown:.{places}f}"
                if self._decides_alike(float(text)):
                    return text.replace("-", "−")
        return repr(value).replace("-", "−")

    def _decides_alike(self, other: float) -> bool:
        assert self.beside is not None
        return self.beside < other <= self.value or self.value <= other < self.beside


@dataclass(frozen=True)
class Level:
    """A confidence level, or another declared share: ``95 %``."""

    value: float

    def spell(self, words: Words, how: str = "") -> str:
        """In per cent, with the digits it was declared with."""
        return f"{(100 * _exact(self.value)).normalize():f} %"


@dataclass(frozen=True)
class Number:
    """A number that is no rate, such as a statistic, with its significant digits.

    >>> Number(12.3456).spell(ML), Number(0.5, 2).spell(ML), Number(float("inf")).spell(ML, "cell")
    ('12.3', '0.50', '∞')
    >>> Number(0.05, is_declared=True).spell(ML)  # without zeros that nobody typed
    '0.05'
    """

    value: float
    significant: int = 3
    is_declared: bool = False

    def spell(self, words: Words, how: str = "") -> str:
        """With its digits."""
        if math.isnan(self.value):
            return "–" if how in _CELLS else "not known"
        shown = digits(self.value, self.significant)
        has_zeros = self.is_declared and "." in shown and "e" not in shown
        return shown.rstrip("0").rstrip(".") if has_zeros else shown


_WIDE = Context(prec=40)
"""Digits enough for the largest number that is written out, and its decimals."""
_TOO_WIDE = 1e16
"""From here on a number is written in powers of ten."""


@dataclass(frozen=True)
class Spss:
    """A number as SPSS prints it: so many decimals, halves upwards, no zero before the point.

    >>> [Spss(x, 3).spell(ML) for x in (0.955, -0.1701, 0.0625, 0.9999, 0.0001, float("nan"), 2.5e300)]
    ['.955', '-.170', '.063', '1.000', '.000', '.', '2.500E+300']
    """

    value: float
    places: int

    def spell(self, words: Words, how: str = "") -> str:
        """The same everywhere."""
        if math.isnan(self.value):
            return "."
        if not math.isfinite(self.value):
            return digits(self.value)
        if abs(self.value) >= _TOO_WIDE:
            return f"{self.value:.{self.places}E}"
        step = Decimal(1).scaleb(-self.places)
        text = f"{Decimal(repr(self.value)).quantize(step, ROUND_HALF_UP, _WIDE):f}"
        if self.places == 0:
            return text
        return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


@dataclass(frozen=True)
class Ratio:
    """Parts, as they are typed: ``1 : 20``.

    >>> Ratio(1, 20).spell(ML), Ratio(1, 7.389).spell(ML)
    ('1 : 20', '1 : 7.389')
    """

    first: float
    second: float

    def spell(self, words: Words, how: str = "") -> str:
        """Both parts; ``short``: of a ratio that was computed, three digits."""
        significant = 3 if how == "short" else 6
        return f"{self.first:.{significant}g} : {self.second:.{significant}g}"


@dataclass(frozen=True)
class Seconds:
    """How long something took.

    >>> Seconds(2.71).spell(ML), Seconds(214.2).spell(ML)
    ('2.7 s', '214 s')
    """

    seconds: float

    def spell(self, words: Words, how: str = "") -> str:
        """In seconds."""
        return f"{self.seconds:.1f} s" if self.seconds < 100 else f"{self.seconds:.0f} s"


@dataclass(frozen=True)
class Size:
    """The size of a file.

    >>> Size(398_200).spell(ML), Size(1_940_000).spell(ML), Size(900).spell(ML)
    ('398 kB', '1.9 MB', '0.9 kB')
    """

    n_bytes: int

    def spell(self, words: Words, how: str = "") -> str:
        """In kilobytes or megabytes."""
        kilobytes = self.n_bytes / 1000
        if kilobytes >= 999_950:
            return f"{kilobytes / 1e6:.1f} GB"
        if kilobytes >= 99_950:
            return f"{kilobytes / 1000:.0f} MB"
        if kilobytes >= 999.5:
            return f"{kilobytes / 1000:.1f} MB"
        return f"{kilobytes:.0f} kB" if kilobytes >= 9.95 else f"{kilobytes:.1f} kB"


# Nouns and names ----------------------------------------------------------------------------------------

_PREPOSITIONS = {
    "in": "fold split repeat resample dataset study country city",
    "at": "site hospital clinic center centre airport branch store lab",
    "on": "host device machine server sensor camera scanner day date",
}
_PEOPLE = (
    "reader rater radiologist pathologist observer annotator reviewer expert doctor physician clinician "
    "nurse patient person user subject"
)
_PLURALS = {
    "analysis": "analyses",
    "person": "people",
    "series": "series",
    "data": "data",
    "match": "matches",
    "vertex": "vertices",
}


def preposition(unit: str) -> str:
    """What happens on a host happens in a fold, at a hospital and for a customer.

    >>> preposition("host"), preposition("fold"), preposition("hospital"), preposition("customer")
    ('on', 'in', 'at', 'for')
    """
    last = unit.casefold().split(" ")[-1]
    return next((own for own, units in _PREPOSITIONS.items() if last in units.split()), "for")


def noun(column: str) -> str:
    """What a column of groups calls one of them.

    >>> noun("customer_id"), noun("intake_site")
    ('customer', 'intake site')
    """
    return printable(column.removesuffix("_id").replace("_", " ").strip()) or "group"


def nouns(unit: str) -> dict[str, Item]:
    """``{unit}`` and ``{units}`` for a template about a result that says its own word for a group."""
    own = noun(unit)
    return {"unit": Word(own), "units": Word(plural(own))}


def plural(word: str) -> str:
    """The plural of a noun.

    >>> plural("host"), plural("study"), plural("class"), plural("positive case"), plural("analysis")
    ('hosts', 'studies', 'classes', 'positive cases', 'analyses')
    """
    before, _, last = word.rpartition(" ")
    if last in _PLURALS:
        return f"{before} {_PLURALS[last]}".lstrip()
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "ch", "sh")) else f"{word}s"


def _cases(label: object) -> str:
    """Cases of a class called by its label, or nothing if the label is no word."""
    text = "" if label is None else str(label)
    letters = text.replace(" ", "").replace("-", "").replace("_", "")
    is_word = letters.isalpha() and text.casefold() not in ("true", "false", "positive", "negative")
    return f"{printable(text)} cases" if is_word else ""


def article(word: str) -> str:
    """The article before a name.

    >>> [article(own) for own in ("FPR", "FNMR", "TPR", "AUC", "specificity", "alert rate", "EER")]
    ['an', 'an', 'a', 'an', 'a', 'an', 'an']
    """
    is_letters = word[:2].isupper()
    return "an" if word[:1] in ("AEFHILMNORSX" if is_letters else "aeiouAEIO") else "a"


@dataclass(frozen=True)
class Count:
    """How many groups, or rows, or anything with a name; spelled ``on`` with its preposition.

    >>> [Count(n, unit).spell(ML, "on") for n, unit in ((23, "host"), (10, "fold"), (6, "reader"))]
    ['on 23 hosts', 'in 10 folds', 'for 6 readers']
    >>> Count(1, "host").spell(ML), Count(23802, "row").spell(ML), Count(22, "host", of=23).spell(ML)
    ('1 host', '23 802 rows', '22 of 23 hosts')
    >>> Count(7).spell(ML), Count(0, "host").spell(ML), Count(12.5, "row").spell(ML, "cell")
    ('7', 'no hosts', '12.5')
    """

    n: float
    noun: str = ""
    of: float | None = None

    def spell(self, words: Words, how: str = "") -> str:
        """The number and its noun; in a cell the number alone."""
        total = self.n if self.of is None else self.of
        shown = " of ".join(thousands(n) for n in (self.n, self.of) if n is not None)
        if how in (*_CELLS, "bare") or not self.noun:
            return shown
        if self.n == 0 and self.of is None:
            shown = "no"
        one = noun(self.noun)
        text = f"{shown} {one if total == 1 else plural(one)}"
        return f"{preposition(one)} {text}" if how == "on" else text


@dataclass(frozen=True)
class Cases:
    """How many cases of a class, which is called as the words call it.

    >>> Cases(9, True).spell(ML), Cases(1, False).spell(ML), Cases(0, True).spell(BIOMETRIC)
    ('9 positives', '1 negative', 'no genuine comparisons')
    """

    n: float
    are_positive: bool

    def spell(self, words: Words, how: str = "") -> str:
        """The number and the class; in a cell the number alone."""
        if how in (*_CELLS, "bare"):
            return thousands(self.n)
        name = words.positives if self.are_positive else words.negatives
        return f"{thousands(self.n) if self.n else 'no'} {name.removesuffix('s') if self.n == 1 else name}"


@dataclass(frozen=True)
class Name:
    """The name of a quantity; spelled ``a`` with its article, ``axis`` as on an axis.

    >>> [Name(FPR).spell(words, "a") for words in (ML, MEDICAL, BIOMETRIC)]
    ['an FPR', 'a specificity', 'an FMR']
    """

    of: Quantity

    def spell(self, words: Words, how: str = "") -> str:
        """By the vocabulary; a quantity it does not know by its key."""
        own, on_axis = words.names.get(self.of.key, (self.of.key,) * 2)
        if how == "a":
            return f"{article(own)} {own}"
        return on_axis if how == "axis" else own


@dataclass(frozen=True)
class Model:
    """A model, by the user's name; ``short`` where room is little.

    >>> Model("a name that is far too long for a key").spell(ML, "short"), Model("").spell(ML)
    ('a name that is far…', 'the classifier')
    """

    name: str

    def spell(self, words: Words, how: str = "") -> str:
        """The name, printable."""
        return _name(self.name, how) or "the classifier"


@dataclass(frozen=True)
class Group:
    """A group, by the user's name, after the word for a group unless the name holds it.

    >>> [Group(name).spell(ML.about(unit="fold")) for name in ("2", "fold 3")], Group("2").spell(ML, "cell")
    (['fold 2', 'fold 3'], '2')
    """

    name: str

    def spell(self, words: Words, how: str = "") -> str:
        """The name, printable; alone in a cell."""
        name = _name(self.name, how)
        if how in (*_CELLS, "bare", "short") or words.unit.casefold() in name.casefold():
            return name
        return f"{words.unit} {name}"


@dataclass(frozen=True)
class Quote:
    """Text that is not ours: a label, a file, a line of somebody else's."""

    text: str

    def spell(self, words: Words, how: str = "") -> str:
        """As it is, printable."""
        return _name(self.text, how)


@dataclass(frozen=True)
class Word:
    """A noun of a sentence, such as that for a group; unlike a name it may get a capital."""

    text: str

    def spell(self, words: Words, how: str = "") -> str:
        """As it stands."""
        return self.text


@dataclass(frozen=True)
class Reference:
    """A publication, as it is cited in a sentence."""

    text: str

    def spell(self, words: Words, how: str = "") -> str:
        """As it stands."""
        return self.text


def _name(name: str, how: str) -> str:
    shown = printable(name)
    return shown if how != "short" or len(shown) <= 20 else f"{shown[:19].rstrip()}…"


NAMES = (Model, Group, Quote)
"""Values that are the user's own words: they stay as they are, and renderers keep them apart."""
NUMBERS = (Rate, Gap, Width, P, Cut, Count, Cases, Range, Stretch, Number, Spss, Ratio, Level, Size)
"""Values that stand right in a column."""
