"""The ways to read many curves as one, each as an answer to the two questions, with its readings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rocsteady.report.summary.comparability import has_equal_groups
from rocsteady.report.summary.material import KEYS, SHARED_KEYS, Material
from rocsteady.report.summary.modes.reading import ModeReading, Read, read_mode
from rocsteady.report.summary.reader_study import what_is_random
from rocsteady.report.summary.unit_words import is_machine
from rocsteady.words import plural

CHOICES = {
    "threshold": "groups",
    "pooled": "rows",
    "vertical": "fpr",
    "horizontal": "tpr",
    "diagonal": "balance",
    "radial": "ratio",
    "alerts": "alerts",
    "cost": "cost",
    "cost-direction": "cost-direction",
}
NAMES = {
    "threshold": "Threshold average",
    "pooled": "Pooled curve",
    "vertical": "Vertical average",
    "horizontal": "Horizontal average",
    "diagonal": "Diagonal average",
    "radial": "Radial average",
    "alerts": "Alarm-rate average",
    "cost": "Tangent average",
    "cost-direction": "Cost-direction average",
}
"""What averages are called, by their keys."""


@dataclass(frozen=True, eq=False)
class Mode:
    """One way to read the curves.

    Attributes
    ----------
    key : str
        Its name in the data.
    name : str
        Its name on the page: ``"Threshold average"``.
    question : {"shared", "own"}
        The answer to the first question that leads here.
    choice, option, explanation : str
        The answer to the second one: its name, its title and what it means.
    why : str
        What the average means.
    slider : str
        What is held fixed.
    is_declared : bool
        Whether it fits the declared deployment.
    random : str
        What the intervals of its rates take as random: ``"hosts"``, ``"readers and cases"``.
    problem : str
        Why it cannot be made here; then there are no models.
    models : tuple of ModeReading
    """

    key: str
    name: str
    question: str
    choice: str
    option: str
    explanation: str
    why: str
    slider: str
    is_declared: bool
    random: str
    problem: str
    models: tuple[ModeReading, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        names = [name for name in self.__dataclass_fields__ if name != "models"]
        data = {name: getattr(self, name) for name in names}
        return data | {"models": [own.to_dict() for own in self.models]}


def make(material: Material) -> tuple[Mode, ...]:
    """All modes; those that need what was not said, or nobody could want here, say so."""
    return tuple(_mode(material, key) for key in KEYS if key != "cost-direction" or key in material.keys)


def read(material: Material, key: str, name: str) -> Read:
    """One model under one average, read once for the summary and the drawing."""
    found: Read = material.once(("read", key, name), lambda: read_mode(material, key, name))
    return found


def _mode(material: Material, key: str) -> Mode:
    problem = material.problem(key)
    models: tuple[ModeReading, ...] = ()
    if not problem:
        material.settings.say(NAMES[key].lower())
        models = tuple(read(material, key, name).reading for name in material.names)
    option, explanation = _option(material)[key]
    if material.is_alone and key in _OF_ONE:
        option, explanation = _OF_ONE[key][0] or option, _OF_ONE[key][1].format(material.wording.cutoff_word)
    return Mode(
        key=key,
        name="ROC curve" if material.is_alone else NAMES[key],
        question="shared" if key in SHARED_KEYS else "own",
        choice=CHOICES[key],
        option=option,
        explanation=explanation,
        why=_why_alone(key) if material.is_alone else _why(material)[key],
        slider=_slider(material)[key],
        is_declared=key == material.declared_key,
        random=what_is_random(material, key),
        problem=problem,
        models=models,
    )


def _option(material: Material) -> dict[str, tuple[str, str]]:
    words, are_equal = material.wording, has_equal_groups(material)
    unit, units = words.unit, words.units
    row = "Every row" if not material.score_set.columns.has_weights else "Every row, by its weight"
    alerts = "The number of alerts" if words.words == "ml" else "The share called positive"
    rate = {"fpr": f"The {words.fpr.name}", "tpr": f"The {words.tpr.name}"}
    asks = {
        "ml": ("What do we catch for a given false alarm rate?", "What does it cost to catch 90 %?"),
        "medical": ("How sensitive is it at a given specificity?", "How specific is it at 90 % sensitivity?"),
        "biometric": ("How many are rejected at FMR 1 in 1\u202f000?", "Which FMR goes with 1 % rejected?"),
    }[words.words]
    return {
        "threshold": (
            f"Every {unit}",
            f"Rates of all {units} are averaged."
            if are_equal
            else f"A {unit} with few cases counts as much as one with many.",
        ),
        "pooled": (
            row,
            "Only the total matters."
            if are_equal
            else f"{_capital(units)} with many rows count most; only the total matters.",
        ),
        "vertical": (rate["fpr"], f"\u201c{asks[0]}\u201d"),
        "horizontal": (rate["tpr"], f"\u201c{asks[1]}\u201d"),
        "diagonal": ("The balance of both errors", "Their difference; at zero, the equal error rate."),
        "radial": ("The ratio of both errors", "One error may be so many times as frequent as the other."),
        "alerts": (alerts, "A fixed share of all cases is called positive."),
        "cost": ("The cost of errors", f"Every {unit} has the {words.cutoff_word} that costs least."),
        "cost-direction": (
            "The cost of errors, along one direction",
            f"As Hogan & Adams have it; {units} tuned to the costs reach a lower cost than its least.",
        ),
    }


def _why(material: Material) -> dict[str, str]:
    words, are_equal = material.wording, has_equal_groups(material)
    unit, units, fpr, tpr = words.unit, words.units, words.fpr.name, words.tpr.name
    fprs, tprs = plural(fpr), plural(tpr)
    word, own = words.cutoff_word, f"Each {unit} sets {words.its} own {words.cutoff_word}"
    if not is_machine(unit) and words.its == "its":
        own = f"Each {unit} has its own {word}, set"
    however = "" if are_equal else f", however many rows {'it has' if words.its == 'its' else 'they have'}"
    most = "" if are_equal else f" {_capital(units)} with many rows count most."
    return {
        "threshold": (
            f"At each shared {word}, the {fprs} of all {units} are averaged, and so are their {tprs}. "
            f"Every {unit} counts once{however}."
        ),
        "pooled": (
            f"All rows are put together, and one {word} serves them.{most} It fits where only totals over "
            f"all {units} matter."
        ),
        "vertical": f"{own} to reach the same {fpr}; the {tprs} found there are averaged.",
        "horizontal": f"{own} to reach the same {tpr}; the {fprs} found there are averaged.",
        "diagonal": (
            f"{own} so that the two error rates differ by the same amount; both are averaged. Where they are "
            f"equal, that is the mean of the {units}' equal error rates."
        ),
        "radial": f"{own} so that the two error rates have the same ratio; both are averaged.",
        "alerts": f"{own} so that the same share of all cases is called positive; both rates are averaged.",
        "cost": (
            f"{own} to what costs least; both rates are averaged. The least cost of this average is the "
            f"mean of the {units}' own least costs."
        ),
        "cost-direction": (
            "Curves are averaged along the direction in which only the expected cost changes (Hogan & "
            f"Adams). If all {units} are tuned to the costs, their mean cost is below its least."
        ),
    }


_OF_ONE = {
    "threshold": ("One dataset", "A {} is chosen, and kept."),
    "cost": ("", "The {} is set to what costs least."),
    "cost-direction": ("", "The {} moves along the direction in which only the expected cost changes."),
}
"""What options mean where nothing is averaged."""


def _why_alone(key: str) -> str:
    if key in SHARED_KEYS:
        return (
            "There is one dataset, so there is no average: this is its own curve. Intervals are for other "
            "cases like these."
        )
    return "There is one dataset, so there is no average: its own curve is read where this is held."


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:]


def _slider(material: Material) -> dict[str, str]:
    words = material.wording
    where = "" if material.is_alone else f" {words.on} every {words.unit}"
    deployment = material.deployment
    has_prevalence = deployment is not None and deployment.prevalence is not None
    cutoff, (alarm, miss) = words.cutoff_word, words.errors
    fpr, tpr = (f"{name[0].upper()}{name[1:]}{where}" for name in (words.fpr.name, words.tpr.name))
    less, ratio = {
        "ml": ("False alarms minus misses", "Rate of false alarms : rate of misses"),
        "medical": ("Sensitivity minus specificity", "(1 \u2212 specificity) : (1 \u2212 sensitivity)"),
        "biometric": ("False matches minus false non-matches", "FMR : FNMR"),
    }[words.words]
    return {
        "threshold": cutoff.capitalize() if material.is_alone else f"Shared {cutoff}",
        "pooled": f"Shared {cutoff}",
        "vertical": fpr,
        "horizontal": tpr,
        "diagonal": f"{less}{where}",
        "radial": f"{ratio}{where}",
        "alerts": f"Share of cases called positive{where}",
        "cost": (
            f"Cost of a {alarm} : cost of a {miss}"
            if has_prevalence
            else f"Weight of {plural(alarm)} : weight of {plural(miss)}"
        ),
        "cost-direction": "Position along the lines of equal cost",
    }
