"""The words and numbers of a report: what a group, the classes and the rates are called, how figures read.

Medicine speaks of specificity where machine learning has the false positive rate, biometrics of misses where
it has the true positive rate. A :class:`RateWord` turns such a rate round, value and interval together.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from rocsteady.plots.parts.vocabulary import Vocabulary, vocabulary
from rocsteady.report.summary.phrases import Phrase
from rocsteady.report.summary.unit_words import is_machine, its, on
from rocsteady.words import class_cases, class_word, plural

MINUS, THIN = "\u2212", "\u202f"
BEYOND = "beyond every score"
_MOST_PLACES = 12
_MOST_ADDED = 2
"""Places that a limit takes over from the other one, which needs them."""


def percent(share: float, places: int = 0) -> str:
    """A share in per cent, with as many places as asked for, or as it takes to differ from 0 and from 1.

    >>> percent(0.682), percent(0.05, 1), percent(0.004), percent(0.00004), percent(0.9996), percent(1.0)
    ('68 %', '5.0 %', '0.4 %', '0.004 %', '99.96 %', '100 %')
    >>> percent(float("nan"))
    'unknown'
    """
    return f"{bare_percent(share, places)} %" if not math.isnan(share) else "unknown"


def bare_percent(share: float, places: int = 0) -> str:
    """The same without its sign, for cells of a table.

    >>> bare_percent(0.682, 1), bare_percent(0.0, 1), bare_percent(1 - 2e-16, 1), bare_percent(-1e-17)
    ('68.2', '0', '100', '0')
    """
    if math.isnan(share):
        return ""
    share = round(share, 14) + 0.0  # rounding errors are no digits, and there is no -0
    if share in (0, 1):
        return f"{100 * share:.0f}"
    edge = min(abs(share), abs(1 - share))
    while places < _MOST_PLACES and round(100 * edge, places) == 0:
        places += 1
    if places == 0 and 100 * edge < 1:
        places = 1  # 0.4 %, not 0 %; 99.4 %, not 99 %
    return f"{100 * share:.{places}f}".replace("-", MINUS)


def points(difference: float, places: int = 1) -> str:
    """A difference of shares in percentage points, with its sign.

    >>> points(0.1474), points(-0.003), points(0.0001)
    ('+14.7', '−0.3', '0.0')
    """
    if math.isnan(difference):
        return "unknown"
    size = f"{abs(100 * difference):.{places}f}"
    sign = "" if not float(size) else MINUS if difference < 0 else "+"
    return sign + size


def count(n: float) -> str:
    r"""A number of cases, thousands set apart by narrow blanks; sums of weights keep a place.

    >>> count(18590), count(12.5)
    ('18\u202f590', '12.5')
    """
    text = f"{n:,.0f}" if float(n).is_integer() else f"{n:,.1f}"
    return text.replace(",", THIN).replace("-", MINUS)


def number(value: float, places: int) -> str:
    """A score, with so many places, or as many as two of its digits need.

    >>> number(1.6432, 2), number(-0.5, 2), number(0.00012, 2), number(1234.5, 0), number(2.5e-17, 2)
    ('1.64', '−0.50', '0.00012', '1234', '2.5e−17')
    >>> number(0.03, 2)
    '0.03'
    """
    if value and abs(value) < 10.0**-places:
        size = -math.floor(math.log10(abs(value)))
        text = f"{value:.{size + 1}f}" if size < _MOST_PLACES else f"{value:.2g}"
    else:
        text = f"{value:.{places}f}" if abs(value) < 1e15 else f"{value:.4g}"
    return text.replace("-", MINUS)


def short_name(name: str, longest: int = 60) -> str:
    """A name in a sentence: its first letters where it is very long.

    >>> short_name("candidate"), short_name("x" * 500, 4)
    ('candidate', 'xxx…')
    """
    return name if len(name) <= longest else f"{name[: longest - 1]}\u2026"


@dataclass(frozen=True)
class RateWord:
    """What a rate is called and how it is written.

    Attributes
    ----------
    name, short : str
        In a sentence, and in the head of a column.
    is_rest : bool
        Whether what is shown is one less the rate: a specificity is one less the false positive rate.
    places : int
        Of a percentage.
    axis : str
        On the axis of a ROC curve, where the rate itself is drawn.
    """

    name: str
    short: str
    is_rest: bool
    places: int
    axis: str

    def shown(self, rate: float) -> float:
        """The rate that is spoken of.

        >>> RateWord("specificity", "specificity", True, 1, "1 - specificity").shown(0.1)
        0.9
        """
        return round(1 - rate, 15) if self.is_rest else rate

    def percent(self, rate: float, places: int | None = None) -> str:
        """How large it is, ``"68 %"``; beside another rate with as many places as that has."""
        return percent(self.shown(rate), self.places if places is None else places)

    def bare(self, rate: float) -> str:
        """The same for a cell, ``"68.2"``: always with a place."""
        return bare_percent(self.shown(rate), max(self.places, 1))

    def limits(self, low: float, high: float) -> tuple[float, float]:
        """Limits of what is shown, the lower first, none beyond 0 and 1; NaN where they are not known."""
        if math.isnan(low) or math.isnan(high):
            return math.nan, math.nan
        first, last = sorted((self.shown(low), self.shown(high)))
        return min(max(first, 0.0), 1.0), min(max(last, 0.0), 1.0)

    def interval(self, low: float, high: float, places: int | None = None) -> str:
        """``"62 to 74 %"``; nothing where it is not known.

        >>> fmr = RateWord("FMR", "FMR", False, 1, "FMR")
        >>> fmr.interval(0.041, 0.0589), fmr.interval(0.0004, 0.0589)
        ('4.1 to 5.9 %', '0.04 to 5.89 %')
        """
        text = self._ends(low, high, self.places if places is None else places)
        return f"{text} %" if text else ""

    def bare_interval(self, low: float, high: float) -> str:
        """The same for a cell, ``"62.1 to 73.9"``.

        >>> RateWord("TPR", "TPR", False, 0, "TPR").bare_interval(0.898, 0.99998)
        '89.8 to 100'
        """
        return self._ends(low, high, max(self.places, 1))

    def _ends(self, low: float, high: float, places: int) -> str:
        first, last = self.limits(low, high)
        if math.isnan(first):
            return ""
        if round(100 * last, places) == 100 > round(100 * first, places):
            last = 1.0  # how far below 100 % such a wide interval ends says nothing
        ends = [bare_percent(end, places) for end in (first, last)]
        needed = max(len(end.partition(".")[2]) for end in ends)
        if places < needed <= places + _MOST_ADDED:  # both as precise as the one that needs it
            ends = [bare_percent(end, needed) for end in (first, last)]
        return " to ".join(ends)


_RATES = {
    "ml": (
        RateWord("false positive rate", "FPR", False, 1, "False positive rate"),
        RateWord("true positive rate", "TPR", False, 0, "True positive rate"),
    ),
    "medical": (
        RateWord("specificity", "specificity", True, 1, "1 \u2212 specificity"),
        RateWord("sensitivity", "sensitivity", False, 0, "Sensitivity"),
    ),
    "biometric": (
        RateWord("false match rate", "FMR", False, 1, "False match rate"),
        RateWord("false non-match rate", "FNMR", True, 1, "1 \u2212 FNMR"),
    ),
}


@dataclass(frozen=True)
class Wording:
    """The words of one report.

    Attributes
    ----------
    words : {"ml", "medical", "biometric"}
        The field.
    unit, units : str
        The word for a group, and for several.
    positive, negative : str
        The classes as the data name them.
    higher_is_positive : bool
        Whether high scores speak for the positive class.
    places : int
        Of scores and thresholds.
    is_grouped : bool
        Whether there are groups; else there is one dataset, and nobody speaks of it as of a group.
    has_infinite : bool
        Whether some scores are infinite: then an infinite threshold is not beyond all of them.

    Examples
    --------
    >>> wording = Wording("medical", "reader", "readers", "disease", "healthy")
    >>> wording.fpr.name, wording.fpr.percent(0.05), wording.cutoff(1.6432), wording.positives
    ('specificity', '95.0 %', '≥ 1.64', 'disease cases')
    """

    words: str
    unit: str
    units: str
    positive: str
    negative: str
    higher_is_positive: bool = True
    places: int = 2
    is_grouped: bool = True
    has_infinite: bool = False

    @property
    def fpr(self) -> RateWord:
        """Of the false positive rate."""
        return _RATES[self.words][0]

    @property
    def tpr(self) -> RateWord:
        """Of the true positive rate."""
        return _RATES[self.words][1]

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words of figures."""
        return vocabulary(self.words)

    @property
    def positives(self) -> str:
        """Cases of the positive class: ``"attack cases"``, ``"positives"``."""
        return self._cases(self.positive, is_positive=True)

    @property
    def negatives(self) -> str:
        """Cases of the negative class."""
        return self._cases(self.negative, is_positive=False)

    def _cases(self, label: str, *, is_positive: bool) -> str:
        own = self.vocabulary.positives if is_positive else self.vocabulary.negatives
        if class_word(label, is_positive=is_positive) in ("positive", "negative"):
            return plural(own.replace(" score", " comparison"))  # which have scores, and are none
        return class_cases(label, is_positive=is_positive)

    @property
    def sign(self) -> str:
        """What calls a score positive, before a cut-off."""
        return "\u2265" if self.higher_is_positive else "\u2264"

    def threshold(self, value: float) -> str:
        """A threshold in a sentence: ``"1.64"``; an infinite one lies beyond every score, if none is."""
        if math.isnan(value):
            return "unknown"
        if math.isfinite(value):
            return number(value, self.places)
        is_strict = (value > 0) == self.higher_is_positive
        if is_strict and not self.has_infinite:
            return BEYOND
        return "\u221e" if value > 0 else f"{MINUS}\u221e"

    def cutoff(self, value: float) -> str:
        """A threshold in a table: with its sign in medical words, as ``"≥ 1.64"``."""
        if self.words != "medical" or not math.isfinite(value):
            return self.threshold(value)
        return f"{self.sign} {self.threshold(value)}"

    @property
    def errors(self) -> tuple[str, str]:
        """The two errors, one of each: ``("false alarm", "miss")``."""
        return {
            "ml": ("false alarm", "miss"),
            "medical": ("false positive", "false negative"),
            "biometric": ("false match", "false non-match"),
        }[self.words]

    @property
    def error_names(self) -> tuple[str, str]:
        """The same by the names of their rates, where costs and ratios are told."""
        return self.errors if self.words == "biometric" else ("false positive", "false negative")

    @property
    def on(self) -> str:
        """What stands before the word for a group: ``on`` a host, ``for`` a reader."""
        return on(self.unit)

    @property
    def its(self) -> str:
        """Whose threshold it is: ``its``, or ``their`` of people."""
        return its(self.unit)

    @property
    def tunes(self) -> str:
        """After a group, before what its threshold is set to: ``tunes its own threshold``."""
        own = f"{self.its} own {self.cutoff_word}"
        return f"tunes {own}" if is_machine(self.unit) else f"has {own}, set"

    @property
    def cutoff_word(self) -> str:
        """What a threshold is called."""
        return "cut-off" if self.words == "medical" else "threshold"

    def average_unit(self) -> str:
        """Who is spoken of: ``"the average host"``."""
        return f"the average {self.unit}" if self.is_grouped else "the classifier"

    @property
    def both_places(self) -> int:
        """Places of percentages in a sentence that has both rates."""
        return max(self.fpr.places, self.tpr.places)

    def catches(
        self,
        tpr: float,
        low: float = math.nan,
        high: float = math.nan,
        *,
        of: str = "its",
        places: int | None = None,
    ) -> Phrase:
        """A true positive rate, after a subject: ``catches 68 % of its attack cases (62 to 74 %)``."""
        within = self.within(self.tpr, low, high, places)
        value = self.tpr.percent(tpr, places)
        if self.words == "ml":
            return ("catches ", value, f" of {of} {self.positives}{within}")
        return (f"has a {self.tpr.name} of ", value, within)

    def alarms(self, fpr: float, low: float = math.nan, high: float = math.nan, *, of: str = "its") -> Phrase:
        """A false positive rate: ``raises false alarms on 5.0 % of its normal cases (4.1 to 5.9 %)``."""
        within = self.within(self.fpr, low, high)
        value = self.fpr.percent(fpr)
        if self.words == "ml":
            return ("raises false alarms on ", value, f" of {of} {self.negatives}{within}")
        return (f"has a {self.fpr.name} of ", value, within)

    def within(self, rate: RateWord, low: float, high: float, places: int | None = None) -> str:
        """An interval in brackets after a value; nothing where it is not known.

        Where all groups have the very same rate, its width is 0, which says nothing about other groups.
        """
        said = "" if low == high else rate.interval(low, high, places)
        return f" ({said})" if said else ""

    def budget(self, fpr: float) -> Phrase:
        """A false positive rate as what is aimed at: ``5.0 % false alarms``, ``a specificity of 95 %``."""
        if self.words == "ml":
            return ("", self.fpr.percent(fpr), " false alarms")
        return (f"a {self.fpr.name} of ", self.fpr.percent(fpr), "")

    def aim(self, tpr: float, *, of: str = "its") -> Phrase:
        """A true positive rate as what is aimed at, after ``to``: ``catch 90 % of its attack cases``."""
        if self.words == "ml":
            return ("catch ", self.tpr.percent(tpr), f" of {of} {self.positives}")
        return (f"reach a {self.tpr.name} of ", self.tpr.percent(tpr), "")


def places_for(spread: float, *, are_whole: bool) -> int:
    """Places of a score whose usual values spread so far: a step of the last is 1/1000 to 1/100 of that.

    >>> places_for(5.0, are_whole=False), places_for(0.9, are_whole=False), places_for(4.0, are_whole=True)
    (2, 3, 0)
    """
    if are_whole:
        return 0
    if not (0 < spread < math.inf):
        return 2
    return min(max(math.ceil(2 - math.log10(spread)), 0), _MOST_PLACES)
