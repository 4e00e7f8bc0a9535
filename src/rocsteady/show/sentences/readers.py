"""What a reader study says: which modality is better and how sure that is, who read what, what to know.

Words are those of the field: reader, modality, case. The word for a reader and those for the two classes come
from the data.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.readers.compare import (
    NONE,
    SEPARATED,
    ReaderComparison,
    StandaloneComparison,
    caution_of_error_term,
    near_ends,
)
from rocsteady.readers.design import ReaderDesign, count_alike, is_partly_paired, to_be_read
from rocsteady.readers.margins import AgainstMargin, NonInferiority, OfReaders, ReaderTest
from rocsteady.readers.study import NO_NAME, Below, Lack, ReaderRatings, Settings
from rocsteady.show.sentences.comparing import capital, measure, of_readers, verdict
from rocsteady.text import (
    AUC,
    FPR,
    MEAN_AUC,
    TPR,
    At,
    Count,
    Gap,
    Item,
    Level,
    Measure,
    Model,
    Name,
    Number,
    P,
    Quantity,
    Quote,
    Range,
    Rate,
    Text,
    joined,
    listed,
    noun,
    nouns,
    paragraph,
    phrase,
    say,
)

if TYPE_CHECKING:
    from rocsteady.curves.intervals import Band
    from rocsteady.inference.differences import Difference
    from rocsteady.readers.compare import PerModality, ReaderSummary
    from rocsteady.readers.curves import ReaderAverageCurve, ReaderCurvePoint
    from rocsteady.scores.labels import Classes

_MOST_PAIRS = 3
"""Of three modalities or more: differences that a reading tells; the others are in the table."""
_DESIGNS = {
    ReaderDesign.CROSSED: "every {unit} read every case with every modality (fully crossed)",
    ReaderDesign.READERS_IN_MODALITIES: "every {unit} read with one modality only ({units} nested in "
    "modalities)",
    ReaderDesign.CASES_IN_READERS: "every {unit} read different cases, with every modality (cases nested in "
    "{units})",
    ReaderDesign.CASES_IN_MODALITIES: "every modality had different cases, read by every {unit} (cases "
    "nested in modalities)",
    ReaderDesign.SPLIT_PLOT: "the {units} were divided into blocks with different cases, read with every "
    "modality (split-plot)",
    ReaderDesign.ALL_APART: "every modality had different {units} and different cases",
    ReaderDesign.PARTLY: "not every {unit} read every case with every modality (partly crossed)",
}
_QUANTITIES = {"fpr": FPR, "tpr": TPR}
_FREE = {"fpr": TPR, "tpr": FPR}


# Parts of sentences
# ------------------


def modality(name: str) -> Item:
    """A modality in a sentence: its name, after the word where the name is a number."""
    if any(c.isalpha() for c in name):
        return Model(name)
    return phrase("modality {name}", name=Model(name))


def with_modality(name: str) -> Text:
    """``" with film"``, or nothing where the study names none."""
    return phrase("") if name == NO_NAME else phrase(" with {name}", name=modality(name))


def reader(unit: str, name: str) -> Text:
    """A reader by name, after the word for one unless the name holds it."""
    own = noun(unit)
    if own.casefold() in name.casefold():
        return phrase("{name}", name=Quote(name))
    return phrase("{unit} {name}", unit=Quote(own), name=Quote(name))


def random_words(
    unit: str, readers_are: str, cases_are: str, n_readers: int, has_patients: bool = False
) -> Text:
    """What is treated as random, and so what the result is about; without a full stop.

    >>> random_words("reader", "random", "random", 5).plain()
    'readers and cases are treated as random samples'
    >>> random_words("radiologist", "fixed", "random", 5).plain()
    'cases are treated as a random sample; the result is about these 5 radiologists only'
    """
    drawn = "patients" if has_patients else "cases"
    if readers_are == cases_are == "random":
        return phrase(f"{{units}} and {drawn} are treated as random samples", **nouns(unit))
    if readers_are == "fixed":
        template = f"{drawn} are treated as a random sample; the result is about {{these}} only"
        these = phrase(
            "these {n}" if n_readers != 1 else "this {unit}", n=Count(n_readers, unit), **nouns(unit)
        )
        return phrase(template, these=these)
    return phrase(
        "{units} are treated as a random sample; the result is about these cases only", **nouns(unit)
    )


def quantity(of: OfReaders) -> Text:
    """What was compared, and where."""
    found = of_readers(of)
    is_mean = (
        of.n_readers > 1 and of.test is not ReaderTest.STANDALONE and found.quantity not in (AUC, MEAN_AUC)
    )
    return phrase("mean {measure}" if is_mean else "{measure}", measure=found)


def held(of: OfReaders) -> Text:
    """What is held where two curves are compared; nothing for all else."""
    if not of.hold:
        return phrase("")
    return phrase("every {unit} at {at:a}", at=At(of.hold, of.at), **nouns(of.unit))


def test(of: OfReaders) -> Text:
    """Which test; where cases are fixed, no covariance over them enters."""
    covariance = "DeLong" if of.covariance == "delong" else of.covariance
    are_fixed = of.cases == "fixed"
    return phrase(
        {
            ReaderTest.U_STATISTICS: "U-statistics",
            ReaderTest.CURVES: "paired t test" if are_fixed else "Obuchowski-Rockette, bootstrap of cases",
            ReaderTest.STANDALONE: "t test over readers"
            if are_fixed
            else ("z test over cases" if of.readers == "fixed" else "Obuchowski-Rockette t test"),
            ReaderTest.OBUCHOWSKI_ROCKETTE: "Obuchowski-Rockette"
            if are_fixed
            else f"Obuchowski-Rockette, {covariance} covariance",
        }[of.test]
    )


def random(of: OfReaders) -> Text:
    """What is treated as random."""
    return random_words(of.unit, of.readers, of.cases, of.n_readers, of.has_patients)


def statistic_words(statistic: float, df: Any) -> Text:
    """A global test as it is printed: F with two degrees of freedom, chi-square with one.

    >>> statistic_words(4.481, (2, 15.07)).plain(), statistic_words(3.2, 1).plain()
    ('F(2, 15.1) = 4.48', 'χ²(1) = 3.20')
    """
    if math.isnan(statistic):
        return phrase("no test statistic")
    first, *second = (_df(own) for own in (df if isinstance(df, Sequence) else (df,)))
    value = Number(statistic)
    if second:
        return phrase("F({first}, {second}) = {value}", first=first, second=second[0], value=value)
    return phrase("χ²({first}) = {value}", first=first, value=value)


def _df(value: float) -> Item:
    return int(value) if float(value).is_integer() else Number(float(value))


def of_design(design: str, unit: str) -> Text:
    """Who read what; without a full stop."""
    return phrase(_DESIGNS[ReaderDesign(design)], **nouns(unit))


def of_size(
    classes: Classes, n_positives: int, n_negatives: int, *, n_readers: int, unit: str, n_modalities: int
) -> Text:
    """How many readers, cases of each class, and modalities."""
    return phrase(
        "{readers}, {cases}, {modalities}",
        readers=Count(n_readers, unit),
        cases=of_cases(classes, n_positives, n_negatives),
        modalities=Count(n_modalities, "modality"),
    )


def of_cases(classes: Classes, n_positives: int, n_negatives: int) -> Text:
    """How many cases, and of which class."""
    return phrase(
        "{n} ({n_positives} {positive}, {n_negatives} {negative})",
        n=Count(n_positives + n_negatives, "case"),
        n_positives=n_positives,
        n_negatives=n_negatives,
        positive=_class(classes.positive, "positive"),
        negative=_class(classes.negative, "negative"),
    )


def _class(label: object, usual: str) -> Item:
    text = str(label)
    return Quote(text) if text.isalpha() and text.casefold() not in ("true", "false") else phrase(usual)


def random_sentence(found: Any) -> Text:
    """What is treated as random, in a sentence."""
    has_patients = any(own.clusters is not None for own in found._studies)
    are = found.readers_are, found.cases_are
    return say("{what}.", what=capital(random_words(found.unit, *are, len(found.readers), has_patients)))


# Modalities compared
# -------------------


def analysis(found: ReaderComparison) -> Text:
    """The analysis and the numbers it rests on."""
    size = of_size(
        found.ratings.classes,
        found.n_positives,
        found.n_negatives,
        n_readers=len(found.readers),
        unit=found.unit,
        n_modalities=len(found.modalities),
    )
    how = test(found.differences[0].facts)
    return say("{how}; {size}.", how=how, size=size)


def partly_paired(found: ReaderComparison) -> Iterator[Text]:
    """That pairs of modalities share different numbers of cases."""
    if not found._settings.is_by_u_statistics and is_partly_paired(found.ratings.is_read):
        yield say(
            "Modalities are partly paired: pairs share different numbers of cases, so every difference has "
            "its own standard error. The test of all modalities at once is approximate."
        )


def comparison(found: ReaderComparison) -> Text:
    """The answer, what it rests on, and what is treated as random."""
    return paragraph(of_answer(found), *notes_of_comparison(found), random_sentence(found))


def of_answer(found: ReaderComparison, *, most: int = _MOST_PAIRS) -> Text:
    """Whether the modalities differ, by how much, and how sure that is; ``most`` pairs of several."""
    if has_no_error(found):
        return _of_no_error(found)
    if len(found.differences) == 1:
        return verdict_of(found.differences[0])
    return paragraph(of_global(found), *of_pairs(found.differences, found.adjust)[: most + 1])


def verdict_of(found: Difference, names: Mapping[str, Item] | None = None) -> Text:
    """As of models; names that are numbers get the word before them, and some are no names at all."""
    own, known = verdict(found), names or {}
    said = {
        key: known.get(value.name) or modality(value.name)
        for key, value in own.values.items()
        if isinstance(value, Model)
    }
    return Text(own.template, {**own.values, **said})


def has_no_error(found: ReaderComparison) -> bool:
    """Whether modalities differ and nothing varies: then there is nothing to judge the difference by."""
    return found.error_term == 0 and float(found.means.max()) > float(found.means.min())


def _of_no_error(found: ReaderComparison) -> Text:
    if len(found.modalities) > 2:
        return say("{range}; nothing varies, so this cannot be tested.", range=_range_of(found))
    return verdict_of(found.differences[0])


def _what(found: ReaderComparison) -> Measure:
    return measure(found.differences[0])


def _range_of(found: ReaderComparison) -> Text:
    order = found.means.argsort(kind="stable")[[0, -1]].tolist()
    low, high = (
        phrase("{value} ({name})", value=_mean(found, i), name=modality(found.modalities[i])) for i in order
    )
    return phrase("the {measure} ranges from {low} to {high}", measure=_what(found), low=low, high=high)


def _mean(found: ReaderComparison, i: int) -> Rate:
    return Rate(_what(found).quantity, float(found.means[i]))


def of_global(found: ReaderComparison) -> Text:
    """Of three modalities or more: the range of their means, and the test that all are alike."""
    values: dict[str, Item] = {
        "n": Count(len(found.modalities), "modality"),
        "test": statistic_words(found.statistic, found.df),
        "p": P(found.pvalue),
    }
    if found.means.min() == found.means.max():
        same = "The {n} have the same {measure}, {value}; {test}, {p}."
        return say(same, measure=_what(found), value=_mean(found, 0), **values)
    differ = (
        "The {n} differ"
        if found.pvalue <= 1 - found.confidence_level
        else "The {n} do not differ significantly"
    )
    return say(f"{differ} ({{test}}, {{p}}): {{range}}.", range=_range_of(found), **values)


_METHODS = {"holm": "Holm", "bh": "Benjamini-Hochberg"}


def of_pairs(differences: Sequence[Difference], adjust: str | None) -> list[Text]:
    """How many differences of pairs are significant, and the largest of them."""
    decided = sorted((own for own in differences if own.is_decided), key=lambda own: -abs(own.difference))
    how = "not adjusted" if adjust is None else f"adjusted by {_METHODS.get(adjust, adjust)}"
    pairs = Count(len(decided), "pair", of=len(differences))
    first = say(f"Significant differences: {{pairs}} ({how}).", pairs=pairs)
    return [first, *map(verdict_of, decided[:_MOST_PAIRS])]


# Each modality by itself
# -----------------------


def summary(found: ReaderSummary) -> Text:
    """Each mean with its interval, how much readers differ, and what is treated as random."""
    means = [of_modality(found, i) for i in range(len(found))]
    overlap = None
    if len(found) > 1:
        overlap = say("Intervals that overlap may belong to modalities that differ: see compare_readers.")
    return paragraph(*means, *notes_of_summary(found), overlap, random_sentence(found))


def of_modality(found: ReaderSummary, i: int) -> Text:
    """The mean of its readers, and how much these differ."""
    own = found.values[i][~np.isnan(found.values[i])]
    what = measure_of_values(found)
    values: dict[str, Item] = {
        "measure": phrase("{measure}", measure=what),
        "n": Count(int(own.size), found.unit),
        "with": with_modality(found.modalities[i]),
        "value": Rate(what.quantity, float(found.means[i]), found.per_modality.intervals[i]),
        "range": Range(what.quantity, float(own.min()), float(own.max())),
        "sd": Number(float(found.reader_sd[i]), 2),
        **nouns(found.unit),
    }
    if own.size == 1:
        return say("The {measure} of the {unit}{with} is {value}.", **values)
    spread = "the {units} range from {range}"
    if own.min() == own.max():
        spread = "all {units} have the same"
    elif found.reader_sd[i] > 0:
        spread += ", with a standard deviation of {sd} beyond sampling error"
    elif found.reader_sd[i] == 0:
        spread += ", which is within sampling error"
    return say(f"The mean {{measure}} of {{n}}{{with}} is {{value}}; {spread}.", **values)


def measure_of_values(found: Any) -> Measure:
    """What was read of every reader."""
    what = ReaderTest.OBUCHOWSKI_ROCKETTE
    return of_readers(
        OfReaders(found.measure, what, "", "", 1, "", "", False, statistic=found._settings.measure)
    )


def mean_of(found: ReaderSummary) -> Quantity:
    """What means of readers are of."""
    what = measure_of_values(found).quantity
    return MEAN_AUC if what == AUC and len(found.readers) > 1 else what


def areas_of(found: ReaderSummary) -> list[Any]:
    """The intervals of mean AUCs, where these are what was read."""
    return list(found.per_modality.intervals) if measure_of_values(found).quantity == AUC else []


def components(found: ReaderComparison) -> list[tuple[str, float, Text]]:
    """Variances and covariances: a symbol, the number, what it is; none where cells are missing."""
    of, words = found.components, nouns(found.unit)
    if of is None:
        return []
    rows = [
        ("{unit}", of.reader, "differences between {units}, whatever the modality"),
        ("{unit} × modality", of.modality_reader, "how much a modality helps one {unit} more than another"),
        ("Var", of.var, "error of one {unit} with one modality, over samples of cases"),
        ("Cov1", of.cov1, "error shared by modalities, same {unit}"),
        ("Cov2", of.cov2, "error shared by {units}, same modality"),
        ("Cov3", of.cov3, "error shared where both {unit} and modality differ"),
    ]
    return [
        (phrase(name, **words).plain(), float(value), phrase(text, **words)) for name, value, text in rows
    ]


# A standalone system
# -------------------


def standalone(found: StandaloneComparison) -> Text:
    """Each comparison, how many readers the system is better than, and what is treated as random."""
    return paragraph(of_system(found), *notes_of_standalone(found), random_sentence(found))


def of_system(found: StandaloneComparison) -> Text:
    """The same without what is treated as random."""
    parts = zip(found.differences, found.modalities, strict=True)
    readers = {own.b: average_reader(found.unit, found.readers, name) for own, name in parts}
    told = [verdict_of(own, readers) for own in found.differences]
    return paragraph(*told, _by_itself(found))


def average_reader(unit: str, readers: Sequence[str], name: str) -> Text:
    """Whom a system is compared with: ``the average reader with film``."""
    who = phrase("the average {unit}", **nouns(unit)) if len(readers) > 1 else reader(unit, readers[0])
    return phrase("{who}{with}", who=who, **{"with": with_modality(name)})


def _by_itself(found: StandaloneComparison) -> Text:
    """What the system has by itself, and how many readers it is better than."""
    what = measure(found.differences[0]).quantity
    values = {(own.a_value, own.a_interval.low, own.a_interval.high) for own in found.differences}
    own = [Rate(what, own.a_value, own.a_interval) for own in found.differences]
    alone: Item = own[0]
    if len(values) > 1:  # modalities had other cases
        alone = listed(
            phrase("{value} on the cases of {name}", value=value, name=modality(name))
            for value, name in zip(own, found.modalities, strict=True)
        )
    return say(
        "By itself, {system} has {value}; it is better than {exceeded}.",
        system=Model(found.standalone),
        value=alone,
        exceeded=listed(_exceeded(found, i) for i in range(len(found.modalities))),
    )


def _exceeded(found: StandaloneComparison, i: int) -> Text:
    """``3 of 6 readers with film``; who is level with the system is counted separately."""
    values, alone = found.values[i][~np.isnan(found.values[i])], found.standalone_values[i]
    is_worse = values > alone if found.differences[i].lower_is_better else values < alone
    n_alike = int((values == alone).sum())
    where = with_modality(found.modalities[i]) if len(found.modalities) > 1 else phrase("")
    counted = Count(int(is_worse.sum()), found.unit, of=int(values.size))
    level = f" (and level with {n_alike})" if n_alike else ""
    return phrase(f"{{n}}{{where}}{level}", n=counted, where=where)


# Average curves
# --------------


def average_curve(curve: ReaderAverageCurve) -> Text:
    """What is held and what is averaged, and that the area is kept."""
    area = "the mean AUC"
    if not count_alike(curve._study.is_read, curve._study.truth):  # U-statistics have another mean then
        area = "the plain mean of the {units}' AUCs"
    return say(
        f"Average curve of {{n}}{{with}}: the mean {{free}} of the {{units}} at equal {{held}}. Its area is "
        f"{area}, {{area}}.",
        n=Count(len(curve.readers), curve.unit),
        held=Name(_QUANTITIES[curve.hold]),
        free=Name(_FREE[curve.hold]),
        area=Rate(AUC, curve.auc),
        **{"with": with_modality(curve.modality)},
        **nouns(curve.unit),
    )


def point(found: ReaderCurvePoint) -> Text:
    """What a point means; for several at once, what the curve means."""
    if np.ndim(found.fpr):
        return average_curve(found._curve)
    curve, n = found._curve, len(found.readers)
    held_at = At(found.hold, float(found.fpr if found.hold == "fpr" else found.tpr))
    free, value = _FREE[found.hold], float(found.tpr if found.hold == "fpr" else found.fpr)
    who = "the mean {free} of {n}" if n > 1 else "the {free} of the {unit}"
    about = "" if np.isnan(found.interval.low) else "; {random}"
    return say(
        f"At {{at:a}}{' for every {unit}' if n > 1 else ''}, {who}{{with}} is {{value}}{about}.",
        at=held_at,
        free=Name(free),
        n=Count(n, curve.unit),
        value=Rate(free, value, found.interval),
        random=random_of_curve(curve),
        **{"with": with_modality(found.modality)},
        **nouns(curve.unit),
    )


def random_of_curve(curve: ReaderAverageCurve) -> Text:
    """What is treated as random."""
    return random(curve._facts(math.nan))


def band(found: Band) -> Text:
    """What a band promises."""
    curve = found._about
    left = None
    if found.excluded:
        ranges = listed(Range(FPR, *own) for own in found.excluded)
        left = say("Left out, because too few cases decide there: {fpr} {ranges}.", ranges=ranges)
    first = say(
        "At each {held} by itself, the mean {free} lies in the band with {level} confidence; {random}.",
        held=Name(_QUANTITIES[curve.hold]),
        free=Name(_FREE[curve.hold]),
        level=Level(found.confidence_level),
        random=random_of_curve(curve),
    )
    return paragraph(first, left)


# Margins
# -------


def margin(found: AgainstMargin) -> Text:
    """Whether it is shown, and what is treated as random."""
    return paragraph(
        of_margin(found), say("{random}.", random=Quote(found.random[:1].upper() + found.random[1:]))
    )


def of_margin(found: Any) -> Text:
    """Whether a modality is shown to be not much worse, or two to be equivalent.

    The margin is on the scale of the measure, as it was typed.
    """
    is_one_sided = isinstance(found, NonInferiority)
    first, other = (found.new, found.reference) if is_one_sided else (found.a, found.b)
    values: dict[str, Item] = {
        "quantity": Quote(found.quantity),
        "first": modality(first),
        "other": modality(other),
        "gap": Gap(_PLAIN, found.difference, None if is_one_sided else found.interval),
        "margin": Number(found.margin, 6, is_declared=True),
        "bound": Number(abs(found.bound), 2) if is_one_sided else None,
        "level": Level(found.interval.confidence_level),
        "p": P(found.pvalue),
    }
    shown = "is" if found.is_shown else "is not"
    verdict = "{first} %s shown to be %s within a margin of {margin}"
    verdict %= (shown, "not inferior to {other}" if is_one_sided else "equivalent to {other}")
    lead = "the difference in {quantity} is {gap}" if found.difference else "both have the same {quantity}"
    if found.standard_error == 0:
        return say(f"{verdict}: {lead}, but nothing varies, so this cannot be tested.", **values)
    if not is_one_sided:
        return say(f"{verdict}: {lead}, {{p}} (two one-sided tests).", **values)
    worse = "higher" if found.lower_is_better else "lower"
    better = "lower" if found.lower_is_better else "higher"
    bound = f"{better} by at least {{bound}}" if found.bound > 0 else f"{worse} by at most {{bound}}"
    return say(f"{verdict}: {lead}, at {{level}} confidence {bound}, {{p}} (one-sided).", **values)


_PLAIN = Quantity("difference", AUC.scale)


# What to know before a study is believed
# ---------------------------------------


def values_below_half(ratings: ReaderRatings, below: Sequence[Below]) -> Iterator[Text]:
    """AUCs that are clearly below 1/2: means of modalities, and readers of the other ones."""
    what = MEAN_AUC if len(ratings.readers) > 1 else AUC
    for auc, name, who in below:
        parts: dict[str, Item] = {"with": with_modality(name)}
        if who is None:
            yield phrase("{measure} {value}{with}", measure=Name(what), value=Rate(what, auc), **parts)
        else:
            template = "AUC {value} of {reader}{with}"
            yield phrase(template, value=Rate(AUC, auc), reader=reader(ratings.unit, who), **parts)


def lacks(ratings: ReaderRatings, lacking: Sequence[Lack]) -> Iterator[Text]:
    """What readers lack, each by itself."""
    for own in lacking:
        who = reader(ratings.unit, own.reader)
        if own.is_positive is None:
            yield phrase("{who}: no ratings with {name}", who=who, name=modality(own.modality))
        else:
            label = ratings.classes.positive if own.is_positive else ratings.classes.negative
            cases = phrase(
                "{label} cases", label=_class(label, "positive" if own.is_positive else "negative")
            )
            yield phrase(
                "{who}: no {cases}{with}", who=who, cases=cases, **{"with": with_modality(own.modality)}
            )


def what_is_missing(ratings: ReaderRatings) -> Text:
    """Which ratings the design asks for and are not there."""
    expected = to_be_read(ratings.is_read)
    n_missing, n = int((expected & ~ratings.is_read).sum()), int(expected.sum())
    found: list[Text] = []
    if n_missing:
        found.append(phrase("{n} missing", n=Count(n_missing, "rating", of=n)))
    if not (ratings.is_nested or ratings.cells.all()):
        empty = listed(
            phrase(
                "{who} with {name}",
                who=reader(ratings.unit, ratings.readers[j]),
                name=modality(ratings.modalities[i]),
            )
            for j, i in np.argwhere(~ratings.cells.T)
        )
        found.append(phrase("no ratings of {cells}", cells=empty))
    return joined([*found, _sizes(ratings)], between="; ")


def _sizes(ratings: ReaderRatings) -> Text:
    n_read = ratings.is_read.sum(axis=2)[ratings.cells]
    low, high = int(n_read.min()), int(n_read.max())
    if low == high:
        return phrase("{low} cases for each {unit} and modality", low=low, **nouns(ratings.unit))
    return phrase(
        "{low} to {high} cases for a {unit} and modality", low=low, high=high, **nouns(ratings.unit)
    )


def notes_of_comparison(found: ReaderComparison, *, has_plain: bool = True) -> Iterator[Text]:
    """What to know about the design, the components and the intervals, if these are shown as they are."""
    ratings, of, settings = found.ratings, found.components, found._settings
    yield from _reversed(ratings, found._below_half)
    is_by_u_statistics = settings.is_by_u_statistics
    is_cut = of is not None and not is_by_u_statistics and found.cases_are == "random" and of.cov2 < of.cov3
    yield from _of_design(ratings, settings, is_cut=is_cut)
    yield from partly_paired(found)
    if is_by_u_statistics:
        yield from _of_u_statistics(found)
    of_error_term = caution_of_error_term(found)
    if of_error_term is not None:
        yield say("{problem}", problem=Quote(of_error_term.problem[:1].upper() + of_error_term.problem[1:]))
    yield from _of_means(found.per_modality)
    near = [modality(found.modalities[i]) for i in near_ends(found)]
    if near and has_plain:
        yield say(
            "So near to 0 or 1 the plain interval of the mean of {names} covers too little; "
            "per_modality.logit_intervals hold their level.",
            names=listed(near),
        )
    n_unknown = int(np.isnan(found.per_reader.standard_error).sum())
    if n_unknown:
        yield say(
            "{n} of single {units} have no standard error: the variance is unknown, or estimated below 0.",
            n=Count(n_unknown, "difference", of=len(found.per_reader)),
            **nouns(found.unit),
        )


def _reversed(ratings: ReaderRatings, below: Sequence[Below]) -> Iterator[Text]:
    cells = [*values_below_half(ratings, below)]
    if cells:
        yield say("Ratings may run the other way: {cells}, clearly below 0.5.", cells=listed(cells))


def _of_design(ratings: ReaderRatings, settings: Settings, *, is_cut: bool = False) -> Iterator[Text]:
    """Who read what, what was left out, what is random in it; whether Cov2 was cut to Cov3."""
    by_components, words = not settings.is_by_u_statistics, nouns(ratings.unit)
    if ratings.design == ReaderDesign.PARTLY:
        n_read = ratings.is_read.sum(axis=2)[ratings.cells]
        if n_read.min() < n_read.max() or ratings.cells.all():
            counts = "; every {unit} counts the same" if by_components else ""
            template = f"Not every {{unit}} read every case: {{sizes}}{counts}."
            yield say(template, sizes=_sizes(ratings), **words)
        if not (ratings.cells.all() or ratings.is_nested):
            yield say("Not every {unit} read every modality.", **words)
    if ratings.left_out:
        yield say("Left out: {names}.", names=listed(map(Quote, ratings.left_out)))
    if ratings.clusters is not None and settings.cases == "random":
        patients = Count(int(ratings.clusters.max()) + 1, "patient")
        yield say("The cases come from {n}; patients are treated as the random sample.", n=patients)
    if is_cut:
        yield say(
            "Cov2 is below Cov3, so their difference is set to 0: {units} agree no more on cases within a "
            "modality than across.",
            **words,
        )
    if len(ratings.modalities) < 2:
        return
    shares_cases = (ratings.is_read.any(axis=1).sum(axis=0) > 1).any()
    owned = ["cases"] if settings.cases == "fixed" and not shares_cases else []
    owned += ["{units}"] if settings.readers == "fixed" and ratings.is_nested else []
    for what in owned:
        template = (
            f"Every modality has its own {what}, and these are fixed: modalities and {what} are confounded."
        )
        yield say(template, **words)


def _of_u_statistics(found: ReaderComparison) -> Iterator[Text]:
    """How readers count where they read unequally, and what a program that does not centre would print."""
    n_read = found.ratings.is_read.sum(axis=2)[found.ratings.cells]
    if not (n_read == n_read[0]).all():
        template = "Each {unit} counts by the pairs of a positive and a negative case that were read."
        yield say(template, **nouns(found.unit))
    other = found._uncentred_errors
    if other is None:
        return
    pairs = zip(*np.triu_indices(len(other), 1), strict=True)
    for own, (a, b) in zip(found.differences, pairs, strict=True):
        if not np.isclose(own.standard_error, other[a, b], rtol=1e-6):
            what = "a negative variance" if np.isnan(other[a, b]) else "a standard error of {error}"
            template = f"Without centring, as iMRMC computes it, {{a}} − {{b}} has {what}."
            yield say(template, a=Model(own.a), b=Model(own.b), error=Number(float(other[a, b])))


def _of_means(per: PerModality) -> Iterator[Text]:
    """Which means have no error, or one that is not known."""
    for name, method, error in zip(per.modalities, per.methods, per.standard_error, strict=True):
        if method in (SEPARATED, NONE):
            yield _of_nothing(
                method, phrase("the readers") if name == NO_NAME else modality(name), float(error)
            )


def _of_nothing(method: str, whose: Item, error: float) -> Text:
    if math.isnan(error):
        return say("The variance of the mean of {who} was estimated below 0: it has no interval.", who=whose)
    if method == SEPARATED:
        return say(
            "Nothing varies in the mean of {who}: its limits are the bound for one reader who separates the "
            "classes.",
            who=whose,
        )
    return say("Nothing varies in the mean of {who}, so it has no interval.", who=whose)


def notes_of_summary(found: ReaderSummary) -> Iterator[Text]:
    """What is to be known about each modality; named where they differ."""
    by_note: dict[str, tuple[Text, list[str]]] = {}
    for own in found._studies:
        for note in _of_design(own, found._settings):
            by_note.setdefault(note.plain(), (note, []))[1].append(own.modalities[0])
    for note, names in by_note.values():
        if len(names) == len(found._studies):
            yield note
        else:
            yield say("With {names}: {note}", names=listed(map(modality, names)), note=_small(note))
    yield from _of_means(found.per_modality)
    for own in found._studies:
        yield from _reversed(own, [one for one in found._below_half if one[1] == own.modalities[0]])


def _small(text: Text) -> Text:
    return Text(text.template[:1].lower() + text.template[1:], text.values, is_sentence=False)


def notes_of_standalone(found: StandaloneComparison) -> Iterator[Text]:
    """What was left out, and what else to know."""
    study, name = found._system, Model(found.standalone)
    if study.n_unscored:
        yield say("{n} without a score of {name} left out.", n=Count(study.n_unscored, "case"), name=name)
    if study.groups is not None:
        n_groups, unit = study.groups
        yield say(
            "The scores of {name} come from {n} with different cases, and are ordered across {units} as if "
            "on one scale.",
            name=name,
            n=Count(n_groups, unit),
            **nouns(unit),
        )
    yield from _of_design(study.of_readers, found._settings)
    for own, error in zip(found.differences, found._mean_errors.tolist(), strict=True):
        if own.standard_error == 0:
            template = "Nothing varies between {a} and {b}, so their difference cannot be tested."
            yield say(template, a=Model(own.a), b=Model(own.b))
        if own.b_interval.method in (SEPARATED, NONE):
            yield _of_nothing(own.b_interval.method, Model(own.b), error)
    yield from _reversed(study.of_readers, found._below_half)
    if found._system_below_half:
        low = Rate(AUC, float(np.nanmin(found.standalone_values)))
        template = "The scores of {name} may run the other way: AUC {low} is below 0.5."
        yield say(template, name=name, low=low)
