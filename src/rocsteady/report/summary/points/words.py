"""What operating points are called, and what is said around their table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rocsteady.report.summary.phrases import Text
from rocsteady.report.summary.points.places import kind_of, prevalence_of, value_of
from rocsteady.report.summary.reader_study import is_sparse, study_of, what_is_random
from rocsteady.report.summary.vocabulary import MINUS, count, number, short_name
from rocsteady.words import percent, printable

if TYPE_CHECKING:
    from rocsteady.report.summary.material import Material
    from rocsteady.report.summary.points.between_thresholds import Between
    from rocsteady.report.summary.points.reading import Reading
    from rocsteady.report.summary.settings import Place
    from rocsteady.report.summary.vocabulary import RateWord, Wording

_RARE = 0.01
_MOST_PLACES = 15
_YOUDEN = {
    "ml": "TPR \u2212 FPR",
    "medical": "sensitivity + specificity \u2212 1",
    "biometric": "1 \u2212 FNMR \u2212 FMR",
}
_MISSES = {"ml": "FNR", "medical": "1 \u2212 sensitivity", "biometric": "FNMR"}
_ALARMS = {"ml": "FPR", "medical": "1 \u2212 specificity", "biometric": "FMR"}


def place_label(place: Place, wording: Wording, question: str) -> str:
    """The name of a row.

    Examples
    --------
    >>> from rocsteady.report.summary.vocabulary import Wording
    >>> wording = Wording("ml", "host", "hosts", "attack", "normal")
    >>> place_label({"fpr": 0.05}, wording, "shared"), place_label({"tpr": 0.9}, wording, "own")
    ('Mean FPR 5 %', 'Every host at TPR 90 %')
    >>> place_label({"fpr": 0.001}, Wording("biometric", "gate", "gates", "1", "0"), "single")
    'FMR 1/1\u202f000'
    """
    name = _place_name(place, wording)
    if kind_of(place) == "threshold" or question == "single":
        return name[0].upper() + name[1:]
    if question == "own":
        return f"Every {wording.unit} at {_own_words(place, name, wording.its)}"
    is_rate = kind_of(place) in ("fpr", "tpr")
    return (
        f"{'Mean' if question == 'shared' else 'Overall'} {name}" if is_rate else name[0].upper() + name[1:]
    )


def _own_words(place: Place, name: str, its: str) -> str:
    return f"{its} own {name}" if kind_of(place) in ("youden", "costs", "eer") else name


def _place_name(place: Place, wording: Wording) -> str:
    kind, value = kind_of(place), value_of(place)
    alarms, misses = _ALARMS[wording.words], _MISSES[wording.words]
    if kind in ("fpr", "tpr"):
        return _rate(getattr(wording, kind), value)
    if kind == "threshold":
        word, sign = ("cut-off", f"{wording.sign} ") if wording.words == "medical" else ("threshold", "")
        return f"{word} {sign}{_minus(f'{value:.6g}')}"
    if kind in ("ratio", "costs"):
        name = f"{alarms} : {misses} = " if kind == "ratio" else "least cost at costs "
        return f"{name}{value[0]:.4g} : {value[1]:.4g}"
    if kind == "balance":
        return f"{alarms} {MINUS} {misses} = {_minus(f'{100 * value:+.4g}')} points"
    if kind == "alerts":
        return f"{100 * value:.6g} % called positive"
    name = f"Youden point (largest {_YOUDEN[wording.words]})"
    return name if kind == "youden" else f"equal error rate ({alarms} = {misses})"


def _minus(number: str) -> str:
    return number.replace("-", MINUS)


def shown_name(name: str) -> str:
    r"""A name from the data in a sentence: safe to read, and not as long as it may be.

    >>> print(shown_name("host\x1b[2J"), len(shown_name("x" * 500)))
    host\x1b[2J 60
    """
    return short_name(printable(name))


def in_sentence(label: str) -> str:
    """A label within a sentence: small at its start, unless that is a name.

    >>> in_sentence("Mean FPR 5 %"), in_sentence("FPR 5 %"), in_sentence("Youden point")
    ('mean FPR 5 %', 'FPR 5 %', 'Youden point')
    """
    first = label.split(maxsplit=1)[0]
    return label if first == "Youden" or first.isupper() else label[0].lower() + label[1:]


def _rate(word: RateWord, rate: float) -> str:
    shown = word.shown(rate)
    one_in = round(1 / shown) if shown else 0
    if word.short == "FMR" and 0 < shown <= _RARE and abs(one_in * shown - 1) < 1e-9:
        return f"{word.short} 1/{count(one_in)}"
    return f"{word.short} {100 * shown:.10g} %"


def explanation(material: Material, question: str) -> str:
    """What the rows and the brackets of a table are."""
    wording, level = material.wording, f"{100 * material.settings.confidence_level:g} %"
    word = wording.cutoff_word
    worst = f"“Worst {wording.unit}” is the plain observed extreme."
    held = "“held” marks the rate that is met by design"
    if question == "single":
        return (
            f"Each row is one {word}. Brackets are {level} intervals for new cases like these; {held}. "
            f"A rate at a held one is read between two {word}s where none meets it exactly."
        )
    random = _random(material, question)
    if question == "own":
        return (
            f"In each row every {wording.unit} has a {word} of {wording.its} own; the smallest and the "
            f"largest of them are shown. Brackets are {level} intervals for the average "
            f"{wording.unit}{random}; {held}. {worst}"
        )
    whose = (
        f"all rows together, {wording.units} being random"
        if question == "pooled"
        else f"the average {wording.unit}"
    )
    return (
        f"Each row is one shared {word}. Brackets are {level} intervals for {whose}{random}; {held}. {worst}"
    )


def _random(material: Material, question: str) -> str:
    """What is random where several readers rated the same cases."""
    if study_of(material) is None:
        return ""
    units, (fpr, tpr) = material.wording.units, (material.wording.fpr.name, material.wording.tpr.name)
    if question == "own" and what_is_random(material, "vertical") == f"{units} and cases":
        return (
            f" ({units} and cases are random in rows that hold the {fpr} or the {tpr}; in all others {units} "
            "are, and these cases are fixed)"
        )
    return f" ({units} are random, these cases are fixed)"


def origin_note(material: Material) -> Text:
    """Whether thresholds were set beforehand (STARD 2015, item 12a), and what that does to their rates."""
    settings, wording, word = material.settings, material.wording, material.wording.cutoff_word
    other = settings.cutoff_from
    if other is not None:
        where = f"on other rows ({other.source})" if other.source else "on other rows"
        return (
            f"{word.capitalize()}s were found {where} and are judged on these, so nothing flatters the "
            f"rates. Brackets are for these very {word}s."
        )
    given = [place for place in material.places if kind_of(place) == "threshold"]
    said = f"{word.capitalize()}s were found on the same rows they are judged on, so they are exploratory"
    if given and material.place_is_declared and kind_of(material.declared_place) == "threshold":
        return (
            f"The declared {word} was given beforehand, so nothing flatters its rates. The other {word}s "
            f"were found on the same rows they are judged on; expect new data to do a little worse there."
        )
    beforehand = ""
    if material.place_is_declared:
        name = _place_name(material.declared_place, wording)
        said_so = "asked for" if material.deployment is None else "declared beforehand"
        beforehand = f"; only what they aim at ({name}) was {said_so}"
    return (
        f"{said}{beforehand}. Expect new data to do a little worse. To fix {word}s on separate rows, give "
        f"them (--cutoff-from FILE)."
    )


def told_apart(
    wording: Wording, thresholds: Sequence[float], others: Sequence[float] = ()
) -> tuple[str, ...]:
    """Thresholds in as many places as tell them, and others that stand near them, apart."""
    finite = [own for own in (*thresholds, *others) if math.isfinite(own)]
    places = wording.places
    while places < _MOST_PLACES and len({number(own, places) for own in finite}) < len(set(finite)):
        places += 1
    sign = f"{wording.sign} " if wording.words == "medical" else ""
    return tuple(
        f"{sign}{number(own, places)}" if math.isfinite(own) else wording.threshold(own) for own in thresholds
    )


def _between_words(wording: Wording, place: Place, between: Between) -> str:
    """That no threshold has the rate that is held, and what its neighbours have."""
    word, ends = wording.cutoff_word, []
    shown = told_apart(wording, [between.strict, between.loose])
    for end, cutoff in zip(("strict", "loose"), shown, strict=True):
        at, fpr, tpr = (getattr(between, name) for name in (end, f"{end}_fpr", f"{end}_tpr"))
        rates = (
            f"{wording.fpr.name} {wording.fpr.percent(fpr)} and {wording.tpr.name} {wording.tpr.percent(tpr)}"
        )
        who = cutoff if math.isfinite(at) else f"a {word} beyond every score"
        ends.append(f"{who} has {rates}")
    return (
        f"No {word} has {_place_name(place, wording)} itself: {ends[0]}, {ends[1]}. The row is between the "
        f"two, which only deciding by lot between them reaches."
    )


def row_notes(material: Material, name: str, place: Place, reading: Reading) -> list[str]:
    """What to know about one row."""
    kind, notes = kind_of(place), []
    word = material.wording.cutoff_word
    if reading.problem:
        return [reading.problem]
    if reading.is_shared and math.isinf(reading.threshold) and reading.fpr == 0 == reading.tpr:
        notes.append(f"Only a {word} beyond every score keeps this: nothing is called positive.")
    if reading.between is not None:
        notes.append(_between_words(material.wording, place, reading.between))
    if reading.is_coarse:
        unit = material.unit
        notes.append(
            f"Scores lie far apart: for most {material.wording.units} this lies between two {word}s, and the "
            f"{'looser' if kind == 'tpr' else 'stricter'} one is shown. A {unit} reaches it only by deciding "
            f"by lot between the two."
        )
    if reading.corrected is not None and not reading.held:
        rates = " and ".join(
            f"{rate.name} {rate.percent(getattr(reading.corrected, own))}"
            for rate, own in ((material.wording.fpr, "fpr"), (material.wording.tpr, "tpr"))
        )
        notes.append(
            f"The {word} was chosen on these rows, which flatters it: about {rates} are expected on new "
            f"ones. Intervals are for that."
        )
    if reading.held and is_sparse(material, reading.key, name, value_of(place)):
        notes.append("Hardly a case decides here, so the interval may cover less than promised.")
    if kind == "costs" and reading.cost == reading.cost:
        share, is_said = prevalence_of(material, name)
        whose = "" if is_said else ", that of these rows"
        notes.append(f"Expected cost {reading.cost:.4g} per case at a prevalence of {percent(share)}{whose}.")
    if kind == "alerts" and reading.is_shared:
        share, is_said = prevalence_of(material, name)
        whose = "" if is_said else ", that of these rows"
        notes.append(f"At a prevalence of {percent(share)}{whose}.")
    if kind == "eer" and reading.equal_error_rate == reading.equal_error_rate and reading.is_shared:
        notes.append(
            f"Equal error rate {percent(reading.equal_error_rate)}, read between {word}s; the row has the "
            f"{word} that comes closest."
        )
    if kind == "threshold" and reading.is_shared and not material.wording.is_grouped:
        notes.append(f"The {word} was given.")
    return notes
