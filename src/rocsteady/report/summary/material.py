"""What all parts of a report are made from: every average, computed once, when it is first asked for."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.advice.advise import Advice, advise
from rocsteady.advice.deployment import Deployment
from rocsteady.advice.findings import levels_of
from rocsteady.averaging.average import average
from rocsteady.averaging.base import Average
from rocsteady.averaging.methods import AtAlarmRate, Method, Threshold, method_of
from rocsteady.curves.curve_set import CurveSet, roc_curves
from rocsteady.errors import RocsteadyWarning, caution
from rocsteady.inference.comparability import Comparability
from rocsteady.report.data import DataSummary, Finding, summarize_data
from rocsteady.report.summary.many_groups import told_once
from rocsteady.report.summary.reader_study import study_of
from rocsteady.report.summary.settings import Place, Settings
from rocsteady.report.summary.vocabulary import Wording, places_for, short_name
from rocsteady.scores.score_set import ScoreSet, with_enough_cases
from rocsteady.words import plural

SHARED_KEYS = ("threshold", "pooled")
OWN_KEYS = ("vertical", "horizontal", "diagonal", "radial", "alerts", "cost", "cost-direction")
KEYS = SHARED_KEYS + OWN_KEYS
"""Ways to read many curves as one, by the names that they have in the report."""

_METHODS = {"cost": "tangent"}
_OF_HOLD = {"fpr": "vertical", "tpr": "horizontal", "balance": "diagonal", "ratio": "radial"}
_AVERAGES_AT = _OF_HOLD | {"eer": "diagonal", "alerts": "alerts", "costs": "cost", "youden": "cost"}
"""The average whose groups have a place in common, each with a threshold of its own."""
_EXAMPLES: dict[str, Place] = {"tpr": {"tpr": 0.9}, "ratio": {"ratio": (1.0, 1.0)}}
_EXAMPLE: Place = {"fpr": 0.05}
_RARE_EXAMPLE: Place = {"fpr": 0.01}
_MANY_ROWS = 200_000
MOST_SHOWN = 100
"""Groups that are drawn one by one."""


@dataclass(frozen=True, eq=False)
class Material:
    """Scores, a deployment and settings, with everything that is computed from them.

    Attributes
    ----------
    score_set : ScoreSet
        The rows that are used: groups with fewer cases than ``settings.min_per_class`` are gone.
    deployment : Deployment or None
        How the scores will be used, if that was said.
    settings : Settings
    given : ScoreSet
        The rows as they came.
    left_out : tuple of str
        Groups left out because they have too few cases.
    """

    score_set: ScoreSet
    deployment: Deployment | None = None
    settings: Settings = field(default_factory=Settings)
    given: ScoreSet = field(init=False)
    left_out: tuple[str, ...] = field(init=False)
    _kept: dict[Any, Any] = field(init=False, default_factory=dict, repr=False)
    _caught: list[RocsteadyWarning] = field(init=False, default_factory=list, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "given", self.score_set)
        used, left_out = with_enough_cases(self.score_set, self.settings.min_per_class)
        object.__setattr__(self, "score_set", used)
        object.__setattr__(self, "left_out", left_out)
        own = self.of_model(self.names[0])
        n_cases = (own.n_positives + own.n_negatives)[own.has_curve].sum()
        object.__setattr__(self, "settings", self.settings.among(n_cases))

    @property
    def names(self) -> tuple[str, ...]:
        """The models; one without a name where none were named."""
        return self.score_set.models or ("",)

    @property
    def unit(self) -> str:
        """The word for a group."""
        return self.wording.unit

    @property
    def is_grouped(self) -> bool:
        """Whether there are groups to average over; else there is one dataset, and cases are random."""
        return self.summary.is_grouped

    def of_model(self, name: str) -> ScoreSet:
        """The rows of one model."""
        if len(self.score_set.models) < 2:
            return self.score_set
        own: ScoreSet = self.once(("rows", name), lambda: self.score_set.model(name))
        return own

    @property
    def n_cases(self) -> int:
        """Cases of one model, each counted once: the named ones, of a cross-validation those of a repeat."""
        own = self.of_model(self.names[0])
        if own.cases is not None and own.cases.are_named:
            return int(np.unique(own.cases.codes).size)
        return own.columns.n_cases // own.design.repeats

    def curves(self, name: str) -> CurveSet:
        """The curves of one model; groups of one class have none."""
        found: CurveSet = self.once(
            ("curves", name), lambda: roc_curves(self.of_model(name), undefined="drop")
        )
        return found

    def method(self, key: str) -> Method | None:
        """The average behind a key; None where it needs something that was not said."""
        deployment = self.deployment
        if key == "alerts":
            prevalence = None if deployment is None else deployment.prevalence
            return None if prevalence is None else AtAlarmRate(prevalence=prevalence)
        if key == "cost-direction":
            return None if deployment is None else deployment.cost_direction
        return method_of(_METHODS.get(key, key))

    def average(self, key: str, name: str) -> Average:
        """The average of one model, groups of one class left out."""
        method = self.method(key)
        if method is None:
            raise LookupError(f"{key} needs a prevalence, or costs")
        given = self.of_model(name)  # of which all averages share one count, also those that advice makes
        found: Average = self.once(("average", key, name), lambda: average(given, method, undefined="drop"))
        return found

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The averages that can be made of these data, in the order of the questions."""
        return tuple(key for key in KEYS if not self.problem(key))

    def problem(self, key: str) -> str:
        """Why an average cannot be made here; nothing where it can."""
        if key == "pooled" and self.is_alone:
            return "There is one dataset, so there is nothing to pool."
        if key == "alerts" and self.method(key) is None:
            common = f"how common {self.wording.positives} are"
            return f"How many are called positive depends on {common}; that was not said (prevalence)."
        if key == "cost-direction" and self.method(key) is None:
            return "Costs and the prevalence were not said."
        return ""

    @property
    def declared_key(self) -> str | None:
        """The average that fits the declared deployment; None where none was declared."""
        deployment = self.deployment
        if deployment is None:
            return None
        if deployment.is_shared:
            return "threshold" if deployment.weigh == "groups" else "pooled"
        return _OF_HOLD.get(str(deployment.hold), str(deployment.hold))

    @property
    def key(self) -> str:
        """The average that is shown first: the declared one, else the first."""
        return self.declared_key or self.keys[0]

    @property
    def declared_place(self) -> Place:
        """Where the declared average is read; an example where that was not said."""
        return self._place[0]

    @property
    def place_is_declared(self) -> bool:
        """Whether that place was said, and is no example."""
        return self._place[1]

    @cached_property
    def _place(self) -> tuple[Place, bool]:
        deployment, asked = self.deployment, self.settings.at
        declared = None if deployment is None else _place_of(deployment)
        if declared is not None:
            return declared, True
        fitting = [place for place in asked if self._fits(place)]
        if fitting:
            return fitting[0], True
        hold = None if deployment is None else deployment.hold
        if hold == "alerts" and deployment is not None:
            return {"alerts": deployment.prevalence}, False
        if hold == "cost":
            return {"costs": (1.0, 1.0)}, False
        usual = _RARE_EXAMPLE if self.settings.words == "biometric" else _EXAMPLE
        return _EXAMPLES.get(str(hold), usual), False

    def _fits(self, place: Place) -> bool:
        """Whether a place is a point of the declared average; with own thresholds: what all groups hold."""
        deployment = self.deployment
        if deployment is None or deployment.is_shared or self.is_alone:
            return True
        kind = place if isinstance(place, str) else next(iter(place))
        return _AVERAGES_AT.get(kind) == self.declared_key

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """The declared place, and those that were asked for beside it; each once."""
        found: list[Place] = []
        for place in (self.declared_place, *self.settings.at):
            if place not in found:
                found.append(place)
        return tuple(found)

    @cached_property
    def advice(self) -> Advice | None:
        """What speaks for the declared average, and what the others would have said."""
        if self.deployment is None:
            return None
        self.settings.say("averages set against each other")
        settings = self.settings
        with self.catching():
            return advise(
                self.deployment,
                self.score_set,
                confidence_level=settings.confidence_level,
                seed=settings.seed,
            )

    def comparability(self, name: str) -> Comparability | None:
        """Whether scores of a model mean the same in all groups; None with row weights or a single group."""
        found: Comparability | None = self.once(("levels", name), lambda: self._levels(name))
        return found

    def _levels(self, name: str) -> Comparability | None:
        own, settings = self.of_model(name), self.settings
        is_many = own.columns.n_rows > _MANY_ROWS
        if self.advice is not None and (self.deployment.is_shared or is_many):  # type: ignore[union-attr]
            known = iter(self.advice.comparability)
            by_name = {each: next(known) for each in self.names if self._has_levels(each)}
            return by_name.get(name)
        with self.catching():
            return levels_of(own, Threshold(), settings.confidence_level, settings.seed)

    def _has_levels(self, name: str) -> bool:
        own = self.of_model(name)
        return own.columns.weights is None and int(own.has_curve.sum()) > 1

    @cached_property
    def shown(self) -> NDArray[np.intp]:
        """Which groups have a dot and a strip: all, or a random hundred of those that have every curve."""
        own = self.score_set
        n_groups = len(own.groups)
        n_curves = np.bincount(own.group_index[own.has_curve], minlength=n_groups)
        most = int(n_curves.max())
        known = np.flatnonzero(n_curves == (len(self.names) if (n_curves == len(self.names)).any() else most))
        if known.size <= MOST_SHOWN:
            return known
        return np.sort(np.random.default_rng(self.settings.seed).choice(known, MOST_SHOWN, replace=False))

    @cached_property
    def is_alone(self) -> bool:
        """Whether no model has more than one curve, so that nothing is averaged and cases are random."""
        return all(len(self.curves(name)) == 1 for name in self.names)

    @cached_property
    def summary(self) -> DataSummary:
        """What is in the rows that are used, and what their groups lack."""
        return summarize_data(self.score_set)

    @cached_property
    def wording(self) -> Wording:
        """The words of the report."""
        data = self.score_set
        return Wording(
            words=self.settings.words,
            unit=short_name(data.unit),
            units=plural(short_name(data.unit)),
            positive=short_name(data.classes.positive),
            negative=short_name(data.classes.negative),
            higher_is_positive=data.higher_is_positive,
            places=_places(data),
            is_grouped=self.is_grouped,
            has_infinite=any(not np.isfinite([own.lowest, own.highest]).all() for own in self.summary.models),
        )

    @property
    def warnings(self) -> list[Finding]:
        """What to know first, each once: about the groups, about the average, and what computing it met."""
        found = told_once(self.summary.findings, self.score_set, self.wording)
        if self.declared_key == "pooled":
            found = [replace(own, warning=_counted_when_pooled(own.warning)) for own in found]
        told = list(self.advice.warnings) if self.advice is not None else []
        if self.advice is None:
            levels = [self.comparability(name) for name in self.names]
            told += [warning for own in levels if own is not None for warning in own.warnings]
        known = {"RS201"}  # the summary names the groups without a curve
        study = study_of(self)
        is_shared = self.deployment is not None and self.deployment.is_shared
        is_studied = study is not None and not study.problem and not is_shared
        if self.is_alone or is_studied:  # cases, or readers and cases, are what intervals are over
            known |= {"RS275", "RS312"}
        seen: set[tuple[str, str]] = set()
        for warning in [*told, *self._caught]:
            if warning.code not in known and (warning.code, warning.problem) not in seen:
                seen.add((warning.code, warning.problem))
                found.append(Finding(_without_other_numbers(warning)))
        spelled = self.settings.spelled
        return found if spelled is None else [replace(own, warning=spelled(own.warning)) for own in found]

    @contextmanager
    def catching(self) -> Iterator[None]:
        """Keep coded warnings for the report instead of issuing them; others are issued as ever."""
        with warnings.catch_warnings(record=True) as met:
            warnings.simplefilter("always")
            yield
        for each in met:
            if isinstance(each.message, RocsteadyWarning):
                self._caught.append(each.message)
            else:
                warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)

    def once(self, what: tuple[str, ...], make: Callable[[], Any]) -> Any:
        """What ``make`` returns, computed when it is first asked for under this name."""
        if what not in self._kept:
            with self.catching():
                self._kept[what] = make()
        return self._kept[what]


def _counted_when_pooled(warning: RocsteadyWarning) -> RocsteadyWarning:
    """RS201 where rows are pooled: those of groups without a curve are in."""
    if "is_pooled" not in warning.facts:
        return warning
    return caution(warning.entry, **{**warning.facts, "is_pooled": True})


def _without_other_numbers(warning: RocsteadyWarning) -> RocsteadyWarning:
    """RS319 without its differences: the comparison has them, with intervals of its own."""
    if warning.code != "RS319":
        return warning
    return warning.but(found="")


def _place_of(deployment: Deployment) -> Place | None:
    """The operating point of a deployment, as a place."""
    place = deployment.place
    if place is None:
        return None
    return "eer" if place.kind == "balance" and place.value == 0 else place.to_dict()


def _places(score_set: ScoreSet) -> int:
    """Places of thresholds: those of the model whose scores lie closest together."""
    columns, fewest = score_set.columns, []
    sizes = np.diff(columns.offsets)
    for index in range(max(len(score_set.models), 1)):
        chosen = score_set.model_index == index if score_set.models else np.ones(len(score_set), np.bool_)
        scores = np.asarray(columns.scores[np.repeat(chosen, sizes)], dtype=np.float64)
        scores = scores[np.isfinite(scores)]
        if scores.size:
            low, high = np.quantile(scores, [0.05, 0.95])
            spread = float(high - low) or float(np.ptp(scores))
            fewest.append(places_for(spread, are_whole=bool((scores == np.round(scores)).all())))
    return max(fewest, default=2)
