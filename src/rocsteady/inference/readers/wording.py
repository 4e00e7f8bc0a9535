"""The sentences of a reader study: the effect first, its p-value second, and what is random.

Words are those of the field: reader, modality, case, sensitivity, specificity. The word for a reader and the
words for the two classes come from the data.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocsteady.inference.readers import designs
from rocsteady.words import CANNOT_BE_TOLD, cases, counted, listed, named, number, p_words, plural, printable

if TYPE_CHECKING:
    from rocsteady.inference.differences import Difference
    from rocsteady.inference.readers.results import ReaderComparison
    from rocsteady.scores.labels import Classes
    from rocsteady.statistics.intervals import Interval

_MOST_PAIRS = 3
"""Of three modalities or more: differences that a reading tells; the others are in the table."""
_DESIGNS = {
    designs.CROSSED: "every {unit} read every case with every modality (fully crossed)",
    designs.READERS_IN_MODALITIES: "every {unit} read with one modality only ({units} nested in modalities)",
    designs.CASES_IN_READERS: "every {unit} read cases of their own, with every modality (cases nested in "
    "{units})",
    designs.CASES_IN_MODALITIES: "every modality had cases of its own, read by every {unit} (cases nested in "
    "modalities)",
    designs.SPLIT_PLOT: "the {units} were divided into blocks with cases of their own, read with every "
    "modality (split-plot)",
    designs.ALL_APART: "every modality had {units} and cases of its own",
    designs.PARTLY: "not every {unit} read every case with every modality (partly crossed)",
}


def random_words(
    unit: str, readers_are: str, cases_are: str, n_readers: int, *, patients: bool = False
) -> str:
    """What is random, and what the result therefore holds for; ``patients`` if cases come with theirs.

    Examples
    --------
    >>> random_words("reader", "random", "random", 5)
    'readers and cases are random: the result is about other readers and other cases like these'
    >>> random_words("reader", "fixed", "random", 5)
    'cases are random, the 5 readers are fixed: the result is about these very readers and other cases'
    >>> random_words("reader", "random", "fixed", 5)
    'readers are random, cases are fixed: the result is about other readers and these very cases'
    >>> random_words("reader", "random", "random", 5, patients=True)
    'readers and patients are random: the result is about other readers and other patients like these'
    """
    units = plural(printable(unit))
    drawn = "patients" if patients else "cases"
    if readers_are == cases_are == "random":
        both = f"{units} and {drawn} are random"
        return f"{both}: the result is about other {units} and other {drawn} like these"
    if readers_are == "fixed":
        these = f"the {n_readers} {units} are" if n_readers != 1 else f"the {printable(unit)} is"
        own = f"these very {units}" if n_readers != 1 else f"this very {printable(unit)}"
        return f"{drawn} are random, {these} fixed: the result is about {own} and other {drawn}"
    return f"{units} are random, cases are fixed: the result is about other {units} and these very cases"


def statistic_words(statistic: float, df: Any) -> str:
    """A global test as it is printed: F with two degrees of freedom, chi-square with one.

    Examples
    --------
    >>> statistic_words(4.456, (1, 15.26)), statistic_words(5.476, 1), statistic_words(float("nan"), (1, 4))
    ('F(1, 15.3) = 4.46', 'chi2(1) = 5.48', 'no test statistic')
    """
    if math.isnan(statistic):
        return "no test statistic"
    if isinstance(df, Sequence):
        first, second = df
        return f"F({_df(first)}, {_df(second)}) = {statistic:.2f}"
    return f"chi2({_df(df)}) = {statistic:.2f}"


def _df(value: float) -> str:
    return "inf" if math.isinf(value) else f"{value:.0f}" if value == round(value) else f"{value:.1f}"


def of_design(design: str, unit: str) -> str:
    """Who read what, in words.

    Examples
    --------
    >>> of_design("fully crossed", "reader")
    'every reader read every case with every modality (fully crossed)'
    """
    return _DESIGNS[design].format(unit=printable(unit), units=plural(printable(unit)))


def of_size(
    classes: Classes, n_positives: int, n_negatives: int, *, n_readers: int, unit: str, n_modalities: int
) -> str:
    """How many readers, cases of each class, and modalities."""
    return (
        f"{counted(n_readers, printable(unit))}, {of_cases(classes, n_positives, n_negatives)}, "
        f"{counted(n_modalities, 'modality')}"
    )


def of_cases(classes: Classes, n_positives: int, n_negatives: int) -> str:
    """How many cases, and of which class."""
    of_each = [
        cases(n, printable(label), is_positive=is_positive).removesuffix("s").removesuffix(" case")
        for n, label, is_positive in (
            (n_positives, classes.positive, True),
            (n_negatives, classes.negative, False),
        )
    ]
    return f"{counted(n_positives + n_negatives, 'case')} ({' and '.join(of_each)})"


def interval_words(interval: Interval, *, signed: bool = False) -> str:
    """``95 % CI 0.805 to 0.989``; nothing where there are no limits."""
    if math.isnan(interval.low):
        return ""
    low, high = (_signed(limit) if signed else number(limit) for limit in (interval.low, interval.high))
    return f"{100 * interval.confidence_level:g} % CI {low} to {high}"


def _signed(value: float) -> str:
    return f"{value:+.3f}" if abs(value) >= 0.0095 or value == 0 else f"{value:+.2g}"


def of_value(name: str, quantity: str, value: float, interval: Interval) -> str:
    """One modality by itself.

    Examples
    --------
    >>> from rocsteady.statistics.intervals import Interval
    >>> of_value("CT", "mean AUC", 0.897037, Interval(0.8052, 0.9889, 0.95, "t"))
    'CT has a mean AUC of 0.897 (95 % CI 0.805 to 0.989).'
    """
    limits = interval_words(interval)
    return f"{printable(spoken(name))} has a {quantity} of {number(value)}{f' ({limits})' if limits else ''}."


def of_comparison(found: ReaderComparison) -> str:
    """The answer, what it rests on, and what is random."""
    parts = [of_answer(found), *(f"{note.rstrip('.')}." for note in found.notes), said(found.random)]
    return " ".join(parts)


def of_answer(found: ReaderComparison) -> str:
    """Whether the modalities differ, by how much, and how sure that is."""
    if has_no_error(found):
        return _of_no_error(found)
    differences = [with_spoken_names(own) for own in found.differences]
    if len(differences) == 1:
        return differences[0].reading
    return " ".join([of_global(found), *of_pairs(differences, found.adjust)])


def has_no_error(found: ReaderComparison) -> bool:
    """Whether modalities differ and nothing varies: then there is nothing to hold the difference against."""
    return found.error_term == 0 and float(found.means.max()) > float(found.means.min())


def _of_no_error(found: ReaderComparison) -> str:
    """How far the means are apart, and that this is no finding."""
    no_test = "nothing varies, so there is no test of it"
    low, high = int(found.means.argmin()), int(found.means.argmax())
    if len(found.modalities) > 2:
        return f"{_range_of(found, low, high)}: {no_test}."
    names = [printable(spoken(found.modalities[i])) for i in (high, low)]
    values = [float(found.means[i]) for i in (high, low)]
    return (
        f"On these data {names[0]} has a higher {found.differences[0].quantity} than {names[1]}, by "
        f"{number(values[0] - values[1])} ({number(values[0])} against {number(values[1])}): {no_test}."
    )


def _range_of(found: ReaderComparison, low: int, high: int) -> str:
    ends = [
        f"{number(float(found.means[i]))} ({printable(spoken(found.modalities[i]))})" for i in (low, high)
    ]
    quantity, n = found.differences[0].quantity, len(found.modalities)
    return f"The {quantity} runs from {ends[0]} to {ends[1]} over {n} modalities"


def spoken(modality: str) -> str:
    """A modality in a sentence: its name, after the word where the name is a number.

    >>> spoken("2"), spoken("digital")
    ('modality 2', 'digital')
    """
    return modality if any(c.isalpha() for c in modality) else f"modality {modality}"


def with_spoken_names(difference: Difference) -> Difference:
    """The same difference with its modalities as they are called in a sentence."""
    return replace(difference, a=spoken(difference.a), b=spoken(difference.b))


def of_global(found: ReaderComparison) -> str:
    """Of three modalities or more: the range of their means, and the test that all are alike."""
    order = sorted(range(len(found.modalities)), key=lambda i: float(found.means[i]))
    low, high = order[0], order[-1]
    quantity = found.differences[0].quantity
    n = len(found.modalities)
    test = f"{statistic_words(found.statistic, found.df)}, {p_words(found.pvalue)}"
    if found.means[low] == found.means[high]:
        return f"The {n} modalities have the same {quantity}, {number(float(found.means[low]))}; {test}."
    is_told = found.pvalue <= 1 - found.confidence_level
    doubt = "the modalities differ" if is_told else f"a spread {CANNOT_BE_TOLD.removeprefix('which ')}"
    return f"{_range_of(found, low, high)}: {doubt}; {test}."


def of_pairs(differences: Sequence[Difference], adjust: str | None) -> list[str]:
    """The largest differences that are told from none, and how many are."""
    decided = sorted((own for own in differences if own.is_decided), key=lambda own: -abs(own.difference))
    adjusted = ""
    if adjust is not None:
        names = {"holm": "Holm", "bh": "Benjamini and Hochberg"}
        adjusted = f", adjusted for their number ({names.get(adjust, adjust)})"
    if not decided:
        return [f"None of the {len(differences)} differences between two of them is told from 0{adjusted}."]
    count = f"{len(decided)} of {counted(len(differences), 'pair')} {'is' if len(decided) == 1 else 'are'} "
    sentences = [f"{count}told apart{adjusted}."]
    if len(decided) > _MOST_PAIRS:
        sentences.append("The largest differences:")
    return sentences + [own.reading for own in decided[:_MOST_PAIRS]]


def of_non_inferiority(
    *,
    new: str,
    reference: str,
    quantity: str,
    difference: float,
    bound: float,
    margin: float,
    pvalue: float,
    is_shown: bool,
    confidence_level: float,
    random: str,
    lower_is_better: bool = False,
) -> str:
    """Whether a modality is shown to be not much worse; ``bound`` is the one-sided limit on that side.

    Examples
    --------
    >>> print(of_non_inferiority(new="AI aid", reference="unaided", quantity="mean AUC", difference=0.01,
    ...     bound=-0.021, margin=0.05, pvalue=0.0012, is_shown=True, confidence_level=0.975,
    ...     random="readers and cases are random"))
    The mean AUC of AI aid is higher than of unaided by 0.010, and at 97.5 % confidence it is not lower by \
more than 0.021: not inferior within the margin of 0.05; p = 0.0012 (one-sided). Readers and cases are random.
    """
    new, reference = printable(spoken(new)), printable(spoken(reference))
    level = f"{100 * confidence_level:g} %"
    better, worse, gain = ("lower", "higher", -bound) if lower_is_better else ("higher", "lower", bound)
    worst = f"{better} by at least" if gain > 0 else f"not {worse} by more than"
    verdict = (
        f"not inferior within the margin of {margin:g}"
        if is_shown
        else f"that it is not inferior by the margin of {margin:g} is not shown"
    )
    return (
        f"The {quantity} of {new} is {how_far(difference, reference)}, and at {level} confidence it is "
        f"{worst} {number(abs(gain))}: {verdict}; {p_words(pvalue)} (one-sided). {said(random)}"
    )


def of_equivalence(
    *,
    a: str,
    b: str,
    quantity: str,
    difference: float,
    interval: Interval,
    margin: float,
    pvalue: float,
    is_shown: bool,
    random: str,
) -> str:
    """Whether two modalities are shown to be alike; ``interval`` is the one that must lie within the margin.

    Examples
    --------
    >>> from rocsteady.statistics.intervals import Interval
    >>> print(of_equivalence(a="CT", b="MRI", quantity="mean AUC", difference=0.0, random="cases are random",
    ...     interval=Interval(-0.02, 0.06, 0.9, "t"), margin=0.05, pvalue=0.11, is_shown=False))
    The mean AUC of CT is the same as of MRI (90 % CI of the difference -0.020 to +0.060): that they are \
equivalent within a margin of 0.05 is not shown; p = 0.11 (two one-sided tests). Cases are random.
    """
    limits = interval_words(interval, signed=True).replace(" CI ", " CI of the difference ")
    size = how_far(difference, printable(spoken(b)))
    verdict = f"equivalent within a margin of {margin:g}"
    verdict = verdict if is_shown else f"that they are {verdict} is not shown"
    return (
        f"The {quantity} of {printable(spoken(a))} is {size}{f' ({limits})' if limits else ''}: {verdict}; "
        f"{p_words(pvalue)} (two one-sided tests). {said(random)}"
    )


def how_far(difference: float, other: str) -> str:
    """How a value lies to that of another: ``higher than of film by 0.072``."""
    if difference == 0:
        return f"the same as of {other}"
    return f"{'higher' if difference > 0 else 'lower'} than of {other} by {number(abs(difference))}"


def of_missing(unit: str, cells: Sequence[tuple[str, str]]) -> str:
    """Which readers lack which modality.

    Examples
    --------
    >>> of_missing("reader", [("3", "CT"), ("reader 4", "MRI")])
    'reader 3 with CT and reader 4 with MRI'
    """
    return listed(
        [f"{printable(named(unit, reader))} with {printable(modality)}" for reader, modality in cells]
    )


def said(words: str) -> str:
    """A sentence made of words: a capital first, a full stop last."""
    return f"{words[:1].upper()}{words[1:].rstrip('.')}." if words else ""
