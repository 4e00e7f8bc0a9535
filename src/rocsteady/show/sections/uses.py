"""How will the scores be used? Two questions whose answers decide which average is right."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from rocsteady.averaging.methods import AtAlarmRate, Method, Tangent
from rocsteady.show.document import Block, Items, Own
from rocsteady.show.sentences import uses as sentences
from rocsteady.study import Study
from rocsteady.text import Text, phrase

KEYS = ("threshold", "pooled", "vertical", "horizontal", "diagonal", "radial", "alerts", "cost")
_SHARED = frozenset({"threshold", "pooled"})
_OF_ONE = frozenset({"threshold", "vertical", "horizontal"})
_METHODS: dict[str, str | Method] = {"cost": Tangent()}


@dataclass(frozen=True, eq=False)
class Use:
    """One way to use the scores, and the average that fits it.

    Attributes
    ----------
    key : str
        Its name for the script and in files.
    study : Study
    is_declared : bool
    """

    key: str
    study: Study
    is_declared: bool

    @property
    def question(self) -> str:
        """The answer to the first question."""
        return "shared" if self.key in _SHARED else "own"

    @cached_property
    def method(self) -> str | Method:
        """The average."""
        if self.is_declared and self.study.method is not None:
            return self.study.method
        if self.key == "alerts":
            return AtAlarmRate(prevalence=self.study.prevalence)
        return _METHODS.get(self.key, self.key)

    @property
    def name(self) -> Text:
        """What the average is called."""
        return phrase("ROC curve") if self.study.is_alone else sentences.NAMES[self.key]

    @property
    def title(self) -> Text:
        """The answer to the second question."""
        if self.study.is_alone and self.key == "threshold":
            return phrase("The {threshold}")
        return sentences.TITLES[self.key]

    @property
    def when(self) -> Text:
        """A situation in which to choose it."""
        return sentences.when_held(self.key, is_alone=self.study.is_alone)

    @property
    def meaning(self) -> Text:
        """What the average is."""
        return sentences.meaning(self.key, is_alone=self.study.is_alone)

    @property
    def answers(self) -> Text:
        """Both answers in a few words."""
        return sentences.answers(self.key, is_shared=self.question == "shared", is_alone=self.study.is_alone)


def uses(study: Study) -> tuple[Use, ...]:
    """All that can be chosen, of one dataset those that are read along one rate, and the declared one."""
    declared = declared_key(study)
    keys = [key for key in KEYS if not study.is_alone or key in _OF_ONE or key == declared]
    return tuple(Use(key, study, key == declared) for key in keys)


def declared_key(study: Study) -> str:
    """The key of the declared use; empty where none was declared."""
    use = study.deployment
    if use is None:
        return ""
    if use.is_shared:
        return "threshold" if use.weigh == "groups" or study.is_alone else "pooled"
    held = {"fpr": "vertical", "tpr": "horizontal", "balance": "diagonal", "ratio": "radial"}
    return held.get(use.hold or "", use.hold or "vertical")


def opened(every: tuple[Use, ...]) -> Use | None:
    """What the page opens with: the declared use; of one dataset the first; else none, but all averages."""
    return next((use for use in every if use.is_declared), every[0] if every[0].study.is_alone else None)


def make(study: Study) -> list[Block]:
    """The questions with their answers as cards; elsewhere the declared ones."""
    every = uses(study)
    first = opened(every)
    is_declared = any(use.is_declared for use in every)
    facts = {"is_declared": is_declared, "is_alone": study.is_alone}
    shown = {use.question for use in every} if first is None else {first.question}
    data = {
        "lead": sentences.lead(**facts),
        "first": () if study.is_alone else _first(study, first),
        "question": sentences.ALONE if study.is_alone else sentences.FIRST,
        "second": [(sentences.ALONE, "", every, True)] if study.is_alone else _second(every, shown),
        "opened": first,
        "undecided": sentences.UNDECIDED,
        "exploring": sentences.exploring(first.answers if first is not None and is_declared else None),
        "back": sentences.back(**facts),
        "without": sentences.without_script(is_declared=is_declared),
        "tag": sentences.DECLARED,
        "is_declared": is_declared,
    }
    said = (
        sentences.UNDECIDED
        if first is None
        else phrase("{name}: {meaning}", name=first.name, meaning=first.meaning)
    )
    told = [use.answers for use in every if use.is_declared]
    return [
        Own("uses", data, instead=(sentences.lead(**facts), *([Items(tuple(told))] if told else []), said))
    ]


def _first(study: Study, first: Use | None) -> list[tuple[str, Text, Text, bool]]:
    are_people = study.words.lookup("its") == "their"
    kind = "people" if are_people else "folds" if study.scores.design.shares_training else ""
    titles = {"shared": sentences.SHARED, "own": sentences.OWN}
    return [
        (own, title, sentences.when(own, kind), first is not None and first.question == own)
        for own, title in titles.items()
    ]


def _second(every: tuple[Use, ...], shown: set[str]) -> list[tuple[Text, str, list[Use], bool]]:
    return [
        (sentences.SECOND[own], own, [use for use in every if use.question == own], own in shown)
        for own in ("shared", "own")
    ]
