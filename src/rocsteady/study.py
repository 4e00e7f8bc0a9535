"""A study: scores, how they will be used, and every question about them answered once.

A study computes nothing. Each answer is the very object that the core's function returns when a user calls
it; it is made when it is first asked for, and kept. Report, commands and notebooks read a study.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from inspect import signature
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocsteady.advice.check import DataSummary, check
from rocsteady.advice.deployment import Deployment
from rocsteady.answers import Answers
from rocsteady.arrays import Floats
from rocsteady.averaging.methods import (
    AtAlarmRate,
    AtCosts,
    Diagonal,
    Method,
    Pooled,
    Radial,
    Tangent,
    Threshold,
    method_of,
)
from rocsteady.class_study import ClassStudy
from rocsteady.counting.counted import CountedScores, scores_of_counts
from rocsteady.curves.curve_set import CurveSet, roc_curves
from rocsteady.curves.from_scores import described, is_score_set
from rocsteady.errors import RocsteadyError, RocsteadyWarning, fail, warn
from rocsteady.options import open_share, resamples_asked, whole_number
from rocsteady.places import EVERYWHERE, MAXIMA, ON_AVERAGES, RATES, Place, place_of
from rocsteady.results import plain
from rocsteady.scores.multiclass import MulticlassScores
from rocsteady.scores.score_set import ScoreSet, with_enough_cases
from rocsteady.showing import draw_study
from rocsteady.text import Words, noun, plural, words_of

if TYPE_CHECKING:  # an answer's function is imported when it is first asked for
    from rocsteady.advice.advise import Advice
    from rocsteady.averaging.base import Average, AveragePoint, GroupPoints
    from rocsteady.averaging.directional import SmrocAverage
    from rocsteady.averaging.shared_threshold import SharedThresholdAverage
    from rocsteady.curves.densities import ScoreDensities, ScoreQuantiles
    from rocsteady.curves.roc import RocCurve
    from rocsteady.curves.spss import Construction, SpssTables
    from rocsteady.inference.comparability import Comparability
    from rocsteady.inference.differences import Comparison, Comparisons
    from rocsteady.inference.smauc import SmaucComparison, SmaucComparisons, SmaucSummary
    from rocsteady.inference.summarize import AucSummary
    from rocsteady.inference.winner_map import WinnerMap
    from rocsteady.planning.groups import Plan
    from rocsteady.planning.readers import ReaderPlan
    from rocsteady.points.criteria import Criterion
    from rocsteady.points.cutoffs import (
        AppliedCutoff,
        CorrectedCutoff,
        Cutoff,
        CutoffIntervals,
    )
    from rocsteady.points.measures import TwoByTwo
    from rocsteady.points.realised import Realised
    from rocsteady.points.tables import (
        Neighbourhood,
        OperatingPointTable,
    )
    from rocsteady.readers.compare import ReaderComparison, ReaderSummary
    from rocsteady.readers.curves import ReaderAverageCurve
    from rocsteady.statistics.limits import Interval

_Shared = Literal["pooled", "threshold"]
_LOW_RATE = 0.02
"""Of an operating point: a winner map runs around a lower one."""
_Given = Place | Mapping[str, Any] | str
_Method = str | Method | Deployment | None
_EXAMPLE, _RARE_EXAMPLE = Place("fpr", 0.05), Place("fpr", 0.01)
_N_NEIGHBOURS = 30
"""Other cut-offs that a chosen one is tested against."""
_MOST_ROWS, _USUAL_REPEATS = 4_000_000, 10
"""Of larger tables fewer splits are tried."""
_ENOUGH_SPLITS = 400
"""Groups times splits: the rest of what they add is small."""
_MOST_TRIED, _MOST_SMROC, _FEWEST_HALVED = 200, 2000, 6
"""Groups that thresholds are tried in, that smROC curves are drawn of; groups of which halves are tried."""
_MOST_DEALT, _FEWEST_DEALT, _USUALLY_DEALT = 5_000_000, 99, 1000
"""Labels that are dealt in all permutations; permutations."""
_OF_OWN = ("ratio", "balance")
"""Places that no threshold for all groups is chosen for."""
_AT: dict[str, Method] = {
    "eer": Diagonal(),
    "balance": Diagonal(),
    "ratio": Radial(),
    "costs": Tangent(),
    "threshold": Threshold(),
    "youden": Threshold(),
    "closest": Threshold(),
    "ppv": Threshold(),
    "npv": Threshold(),
    **dict.fromkeys(MAXIMA, Threshold()),
}
"""The average that is read at a place which that of the deployment does not have."""
_ALONG = {
    "ratio": ("at a ratio of error rates", "radial", "ratio"),
    "costs": ("at costs", "tangent", "cost"),
    "eer": ("at equal error rates", "diagonal", "balance"),
}
"""Places that one average along a direction has, and others have not."""


class Study(Answers):
    """Scores, how they will be used, and every question about them answered once.

    Parameters
    ----------
    scores : ScoreSet, CountedScores or MulticlassScores
        Scores of one model or of several, in one dataset or in many. The study of several classes is a
        :class:`~rocsteady.class_study.ClassStudy`, with parameters of its own.
    deployment : Deployment, optional
        How they will be used. Without one nothing is recommended.
    at : place or sequence of places
        Operating points to report beside that of the deployment: ``{"fpr": 0.05}``, ``{"alerts": 0.01}``,
        ``{"alerts": 20000}``, ``{"threshold": 0.5}``, ``"eer"`` ...
    confidence_level : float
        Of all intervals.
    n_resamples, seed : int
        Of whatever is drawn at random; with 0 resamples, cut-offs have no intervals.
    words : {"ml", "medical", "biometric"}
        TPR and FPR, sensitivity and specificity, or FNMR and FMR.
    positive_name : str
        What cases of the positive class are called; by default as their label.
    title : str
        Of the report.
    min_per_class : int
        Groups with fewer positives or negatives are left out, and named.
    cutoff_from : ScoreSet, optional
        Other rows on which thresholds are chosen, so that no row judges a threshold that it chose.
    random : {"groups", "cases"}, optional
        What comparisons take as random, as in :func:`rocsteady.compare`.
    method : str or Method, optional
        An average by its name, in place of a deployment.
    comparing : mapping, optional
        Further arguments of :func:`rocsteady.compare`: ``a``, ``b``, ``unmatched``, ``paired``, ``adjust``.
    reading : mapping, optional
        Further arguments of :func:`rocsteady.compare_readers`, of a reader study.
    as_readers : bool, optional
        Whether it is a reader study; by default if the same named cases were rated by several groups.
    mid : str or float, optional
        Mid of smROC curves, as in :func:`rocsteady.smroc_curve`. By default the paper's, and where that is
        outside (0, 1] nothing is said of them.
    command : str
        What was typed, for the methods.
    progress : callable, optional
        Called with what is done next.

    Examples
    --------
    >>> import rocsteady as rs
    >>> hosts = rs.simulate.ShiftedDatasets("C-2a", separation=2).draw(12, 40, 60, seed=1, unit="host")
    >>> study = Study(hosts, rs.Deployment("shared", at={"fpr": 0.1}))
    >>> study.average().at(fpr=0.1) is study.average().at(fpr=0.1), study.average() is study.average()
    (False, True)
    >>> study.place
    Place(kind='fpr', value=0.1, said='')
    """

    PARTS = ("check", "models", "comparison", "winner_map", "readers", "smroc", "plan", "advice")
    _said_once = ("RS275", "RS278", "RS280")  # of a comparison and of every map of it

    @classmethod
    def _other(cls, scores: Any, given: Sequence[Any], options: Mapping[str, Any]) -> ClassStudy | None:
        """Of several classes a study of their own."""
        if not isinstance(scores, MulticlassScores):
            return None
        known = [name for name in signature(ClassStudy).parameters if name != "scores"]
        foreign = [*(["deployment"] if given else []), *(own for own in options if own not in known)]
        if foreign:
            raise fail("RS002.of-classes", names=foreign, known=known, first=scores.classes[0])
        return ClassStudy(scores, **options)

    def __init__(
        self,
        scores: ScoreSet | CountedScores | MulticlassScores,
        deployment: Deployment | None = None,
        *,
        at: _Given | Sequence[_Given] = (),
        confidence_level: float = 0.95,
        n_resamples: int = 2000,
        seed: int = 0,
        words: str = "ml",
        positive_name: str = "",
        title: str = "",
        min_per_class: int = 1,
        cutoff_from: ScoreSet | None = None,
        random: str | None = None,
        method: _Method = None,
        comparing: Mapping[str, Any] | None = None,
        reading: Mapping[str, Any] | None = None,
        as_readers: bool | None = None,
        mid: str | float | None = None,
        command: str = "",
        progress: Callable[[str], None] | None = None,
    ) -> None:
        given = scores_of_counts(scores) if isinstance(scores, CountedScores) else scores
        if not is_score_set(given):
            ways = ["rs.Study(rs.read_scores('scores.csv', ...))", "rs.Study(rs.ScoreSet.from_frame(...))"]
            raise fail("RS002.kind", name="scores", kind="a ScoreSet", found=described(scores), ways=ways)
        if deployment is not None and not isinstance(deployment, Deployment):
            ways = ["rs.Deployment('shared', at={'fpr': 0.05})"]
            found = described(deployment)
            raise fail("RS002.kind", name="deployment", kind="a Deployment", found=found, ways=ways)
        if cutoff_from is not None and (not is_score_set(cutoff_from) or cutoff_from is scores):
            ways, found = ["cutoff_from=rs.read_scores('earlier.csv', ...)"], described(cutoff_from)
            raise fail("RS002.kind", name="cutoff_from", kind="another ScoreSet", found=found, ways=ways)
        super().__init__(progress, title=title, positive_name=positive_name, command=command)
        self.deployment = deployment
        self.confidence_level = open_share("confidence_level", confidence_level)
        with self.catching():
            self.n_resamples = 0 if n_resamples == 0 else resamples_asked(n_resamples)
        self.seed = whole_number("seed", seed, least=0, example=0)
        self.min_per_class = whole_number("min_per_class", min_per_class, least=1, example=10)
        self.words: Words = words_of(given, words, positive_name)
        self.title, self.command, self.cutoff_from, self.random = title, command, cutoff_from, random
        self.comparing, self.reading = dict(comparing or {}), dict(reading or {})
        self._as_readers, self.mid = as_readers, mid
        self.named = None if method is None else method_of(method)
        self.given: ScoreSet = given
        self.scores, self.left_out = with_enough_cases(given, self.min_per_class)
        self.refused: dict[str, RocsteadyError] = {}
        self._places = self._asked_places(at)
        use = None if deployment is None or deployment.is_shared else deployment.place
        if use is not None and use.kind in RATES:  # where each reader sets it, readers are compared
            self.reading.setdefault("measure", use.to_dict())
        if cutoff_from is not None and max(len(self.models), len(cutoff_from.models)) > 1:
            missing = [name for name in self.models if name not in cutoff_from.models]
            if missing:
                raise fail("RS002.models-elsewhere", missing=missing)

    def __repr__(self) -> str:
        used = "use not declared" if self.deployment is None else repr(self.deployment)
        return f"Study({self.scores!r}, {used})"

    # What it is about ------------------------------------------------------------------------------------

    @property
    def models(self) -> tuple[str, ...]:
        """The models, in their order; one without a name where none were named."""
        return self.scores.models or ("",)

    @property
    def unit(self) -> str:
        """The word for a group."""
        return self.words.unit

    @cached_property
    def is_alone(self) -> bool:
        """Whether no model has more than one curve: then nothing is averaged, and cases are random."""
        return all(len(self.curves(name)) == 1 for name in self.models)

    @cached_property
    def is_reader_study(self) -> bool:
        """Whether most named cases were rated by several groups."""
        from rocsteady.inference.matching import is_like_a_reader_study
        from rocsteady.readers.study import is_reader_study

        if self._as_readers is not None:
            return self._as_readers
        return is_reader_study(self.scores) and is_like_a_reader_study(self.scores)

    @property
    def method(self) -> Method | None:
        """The average that fits the declared use, or was named; None where neither is."""
        if self.named is not None:
            return self.named
        return None if self.deployment is None else self.deployment.method

    @property
    def place(self) -> Place | None:
        """The operating point: that of the deployment, else the first that was asked for."""
        is_own = self.deployment is not None and not self.deployment.is_shared
        return next((own for own in self.places if is_own or own.kind not in _OF_OWN), None)

    @property
    def places(self) -> tuple[Place, ...]:
        """The operating point and all others that were asked for, each once."""
        return self._places

    @property
    def shown_place(self) -> Place:
        """The operating point, or an example where none was named: an FPR of 5 %, in biometrics of 1 %."""
        return self.place or (_RARE_EXAMPLE if self.words.name == "biometric" else _EXAMPLE)

    @cached_property
    def prevalence(self) -> float:
        """The declared share of positives; without one, that of the rows."""
        if self.deployment is not None and self.deployment.prevalence is not None:
            return self.deployment.prevalence
        own = self.of(self.models[0])
        return float(own.n_positives.sum() / (own.n_positives.sum() + own.n_negatives.sum()))

    @property
    def is_shared(self) -> bool:
        """Whether one threshold was declared for all groups, or there is one dataset."""
        return self.is_alone or (self.deployment is not None and self.deployment.is_shared)

    def of(self, model: str = "") -> ScoreSet:
        """The rows of one model."""
        if len(self.scores.models) < 2:
            return self.scores
        return self._once(("rows", self._name(model)), lambda: self.scores.model(self._name(model)))

    def curves(self, model: str = "") -> CurveSet:
        """The curves of one model; groups of one class have none."""
        own = self._name(model)
        return self._once(("curves", own), lambda: roc_curves(self.of(own), undefined="drop"))

    @cached_property
    def n_cases(self) -> int:
        """Cases of one model, each counted once: the named ones, of a cross-validation those of a repeat."""
        own = self.of(self.models[0])
        if own.cases is not None and own.cases.are_named:
            return int(np.unique(own.cases.codes).size)
        return own.columns.n_cases // own.design.repeats

    @property
    def check(self) -> DataSummary:
        """What was read, what was left out, and what to know about it."""
        n_left_out = self.given.columns.n_cases - self.scores.columns.n_cases
        return self._once(("check",), lambda: check(self.scores, self.left_out, n_left_out))

    # One model -------------------------------------------------------------------------------------------

    def average(self, model: str = "", method: str | Method | Deployment | None = None) -> Average:
        """One curve from the many of a model: :func:`rocsteady.average`.

        Parameters
        ----------
        model : str
            May be left out where there is one.
        method : str, Method or Deployment, optional
            By default that of the deployment, without one the vertical average.
        """
        from rocsteady.averaging.average import average

        own, how = self._name(model), self._method(method)
        rows = self.rows_of_average(own)
        return self._once(("average", own, how), lambda: average(rows, how, undefined="drop"))

    def rows_of_average(self, model: str = "") -> ScoreSet | CountedScores:
        """What a model's curves are made of: rows, or counts in cells, whose averages have bounds."""
        rows = self.of(model)
        counts = rows.counted_from
        if counts is None or counts.is_exact or self.min_per_class > 1:
            return rows
        name = self._name(model)
        found: CountedScores = counts.model(name) if name and len(counts.models) > 1 else counts
        return found

    def point(
        self, model: str = "", at: _Given | None = None, method: _Method = None
    ) -> AveragePoint | Cutoff | AppliedCutoff:
        """What a model has at a place: ``average.at(...)``, or the cut-off.

        That is of one dataset, and where a place is found on the curve, as Youden's.

        Parameters
        ----------
        model : str
            May be left out where there is one.
        at : place, optional
            By default :attr:`shown_place`.
        method : str, Method or Deployment, optional
            By default that of the deployment.
        """
        own, place = self._name(model), self._place(at)
        how = self.method_at(place) if method is None else self._method(method)
        is_shared = how.holds("threshold")
        if self._is_given(place):
            if not is_shared:
                return self._at_given(own, place, how)[0]
            place = Place("threshold", self.cutoff(own, place).threshold)
        if self.is_alone or (place.kind not in ON_AVERAGES and is_shared):
            return self.cutoff(own, place)
        key = ("point", own, place.kind, str(place.value), how)
        return self._once(key, lambda: self._read(self.average(own, how), self._alone(place, own)))

    def _is_given(self, place: Place) -> bool:
        """Whether the thresholds of a place were found on other rows."""
        return self.cutoff_from is not None and not self.is_alone and place.kind != "threshold"

    def _at_given(self, model: str, place: Place, method: Method) -> tuple[AveragePoint, GroupPoints]:
        """Every group with the threshold that its namesake has on the other rows; RS002 if there is none."""
        from rocsteady.averaging.average import average
        from rocsteady.averaging.own_thresholds import at_own_thresholds
        from rocsteady.points.cutoffs import choose_in_groups

        assert self.cutoff_from is not None
        there = _rows_of(self.cutoff_from, model)

        def make() -> tuple[AveragePoint, GroupPoints]:
            here = self.average(model, method)
            if place.kind in RATES:
                curves, criterion = roc_curves(there, undefined="drop"), self._criterion(place)
                by_name = {name: own.threshold for name, own in choose_in_groups(curves, criterion).items()}
            else:
                other = average(there, method, undefined="drop")
                found = other.group_points([self._position(place)]).thresholds[:, 0]
                by_name = dict(zip(other.members, found.tolist(), strict=True))
            lacking = [name for name in here.members if name not in by_name]
            if len(lacking) == len(here.members):
                raise fail("RS002.groups-elsewhere", units=plural(noun(self.unit)), groups=list(by_name))
            if lacking:
                facts = {"n": len(lacking), "n_groups": len(here.members), "unit": self.unit}
                facts |= {"model": model or None, "missing": lacking, "cutoff": "threshold"}
                warn("RS254.elsewhere", **facts, units=plural(noun(self.unit)))
            at = [by_name.get(name, np.nan) for name in here.members]
            return at_own_thresholds(here, at, confidence_level=self.confidence_level)

        return self._once(("given", model, place.kind, str(place.value), method), make)

    def method_at(self, at: _Given | None = None) -> Method:
        """The average that is read at a place: that of the deployment, or one that has the place.

        Under thresholds of their own the equal error rate is read on the diagonal average, costs on the
        tangent one; a threshold, and what is found on a curve, under a shared one.
        """
        how, place = self._method(None), self._place(at)
        has_it = how.holds("threshold") and place.kind not in _OF_OWN
        if has_it or place.kind in RATES or _holds(how, place):
            return how
        if place.kind == "alerts":
            return AtAlarmRate(prevalence=self.prevalence)
        return _AT[place.kind]

    def _read(self, average: Any, place: Place) -> AveragePoint:
        """An average at a place, also where it holds what no keyword names."""
        from rocsteady.averaging.radial_tangent import RadialAverage, TangentAverage

        level: dict[str, Any] = {"confidence_level": self.confidence_level}
        if isinstance(average, RadialAverage) and place.kind == "ratio":
            fpr, fnr = place.value
            return average.at_error_ratio(fpr, fnr, **level)
        if isinstance(average, TangentAverage) and place.kind == "costs":
            false_positive, false_negative = place.value
            costs = {"false_positive": false_positive, "false_negative": false_negative}
            return average.at_costs(**costs, prevalence=self.prevalence, **level)
        if isinstance(average, RadialAverage) and place.kind == "eer":
            return average.at_error_ratio(1, 1, **level)
        if place.kind in ("eer", "balance") and average.method.holds("alerts"):
            place = Place("alerts", self._position(place))
        if place.kind in _ALONG:
            what, instead, hold = _ALONG[place.kind]
            facts = {"what": what, "instead": instead, "hold": hold}
            raise fail("RS084.read-at", method=average.method.label, **facts)
        found: AveragePoint = average.at(place, **level)
        return found

    def _position(self, place: Place) -> Any:
        """Where a place is among the positions of the average that holds it."""
        if place.kind in ("eer", "balance"):
            return (1 + (place.value or 0.0)) / 2
        if place.kind == "ratio":
            return place.value[0] / sum(place.value)
        if place.kind == "costs":
            false_positive, false_negative = place.value
            of_misses, of_alarms = AtCosts(false_positive, false_negative, self.prevalence).expected
            return of_misses / (of_misses + of_alarms)
        return place.value

    def cutoff(self, model: str = "", at: _Given | None = None) -> Cutoff | AppliedCutoff:
        """The threshold for all rows that is chosen for a place: :func:`rocsteady.choose_cutoff`.

        Chosen on the rows of ``cutoff_from`` where these were handed over, and applied to these rows.
        """
        from rocsteady.points.cutoffs import AppliedCutoff, choose_cutoff

        own, place = self._name(model), self._alone(self._place(at), self._name(model))
        how: _Shared | None = "pooled" if place.kind == "alerts" else None  # a budget is one of all cases
        curve, criterion = self.shared_curve(own, how), self._criterion(place) or place
        key = ("cutoff", own, place.kind, str(place.value))
        found: Cutoff | AppliedCutoff = self._once(key, lambda: choose_cutoff(curve, criterion))
        if self.cutoff_from is None or isinstance(found, AppliedCutoff):
            return found
        return self._once((*key, "here"), lambda: found.on(self._own_curve(own, how)))

    def own_cutoffs(self, model: str = "", at: _Given | None = None) -> dict[str, Cutoff | AppliedCutoff]:
        """The threshold of every group for itself at a place: :func:`rocsteady.choose_cutoff` on its curve.

        Chosen on the same group of ``cutoff_from`` where that was handed over, and applied to these rows.
        """
        own, place = self._name(model), self._alone(self._place(at), self._name(model))
        key = ("own cutoffs", own, place.kind, str(place.value))
        return self._once(key, lambda: self._chosen_by_groups(own, self._criterion(place) or place))

    def _chosen_by_groups(self, model: str, criterion: Any) -> dict[str, Cutoff | AppliedCutoff]:
        from rocsteady.points.cutoffs import Cutoff, choose_cutoff, choose_in_groups

        here = self.curves(model)
        if self.cutoff_from is None:
            return choose_in_groups(here, criterion)
        rows = self.cutoff_from
        there = roc_curves(_rows_of(rows, model), undefined="drop")
        lacking = [name for name in here.names if name not in there.names]
        if lacking:
            raise fail("RS002.cutoff-from-lacks", what=self.unit, names=lacking, option="--deploy own")
        found = choose_in_groups(there, criterion)
        chosen = {name: (own, here[name]) for name, own in found.items() if name in here.names}
        return {
            name: own.on(curve) if isinstance(own, Cutoff) else choose_cutoff(curve, criterion)
            for name, (own, curve) in chosen.items()
        }

    def corrected(self, model: str = "", at: _Given | None = None) -> CorrectedCutoff | None:
        """What a cut-off that was chosen here attains on new rows: ``cutoff.corrected()``."""
        from rocsteady.points.cutoffs import Cutoff

        found = self.cutoff(model, at)
        if not isinstance(found, Cutoff) or not self.n_resamples:
            return None
        return self._once(("corrected", found), lambda: found.corrected(**self._drawn()))

    def cutoff_intervals(self, model: str = "", at: _Given | None = None) -> CutoffIntervals | None:
        """Of the best threshold in the population, where one was chosen: ``cutoff.intervals()``."""
        from rocsteady.points.cutoffs import Cutoff

        found = self.cutoff(model, at)
        if not isinstance(found, Cutoff) or not self.n_resamples:
            return None
        return self._once(("cutoff intervals", found), lambda: found.intervals(**self._drawn()))

    def two_by_two(self, model: str = "", at: _Given | None = None) -> TwoByTwo:
        """All rows counted at the threshold of a place, in whatever groups they are.

        ``rs.choose_cutoff(curve, threshold=...).two_by_two(...)`` of the pooled curve; of one dataset that of
        the cut-off, which allows for its choice.
        """
        from rocsteady.points.cutoffs import Cutoff, choose_cutoff

        own, level, use = self._name(model), self.confidence_level, self.deployment
        share = None if use is None else use.prevalence
        if self.is_alone:
            found = self.cutoff(own, at)
            drawn = self._drawn() if isinstance(found, Cutoff) else {"confidence_level": level}
            return self._once(("table", found), lambda: found.two_by_two(share, **drawn))
        threshold = self.threshold(own, at)
        curve: Any = self.average(own, "pooled")
        counted = choose_cutoff(curve, threshold=threshold)
        key = ("table", own, threshold)
        table: TwoByTwo = self._once(key, lambda: counted.two_by_two(share, confidence_level=level))
        return table

    def _own_curve(self, model: str, method: _Shared | None = None) -> RocCurve | SharedThresholdAverage:
        """What a threshold for all of these rows is read on."""
        from rocsteady.averaging.shared_threshold import SharedThresholdAverage

        if len(self.curves(model)) == 1:
            return self.curves(model)[0]
        found = self.average(model, method or self._weigh)
        assert isinstance(found, SharedThresholdAverage)
        return found

    def shared_curve(
        self, model: str = "", method: _Shared | None = None
    ) -> RocCurve | SharedThresholdAverage:
        """What a threshold for all rows is chosen on: a curve, or the average of groups that share one."""
        own, how = self._name(model), method or self._weigh
        if self.cutoff_from is None:
            return self._own_curve(own, how)
        rows = self.cutoff_from
        return self._once(("other rows", own, how), lambda: _curve_to_choose_on(rows, own, how))

    def neighbours(self, model: str = "", at: _Given | None = None) -> Neighbourhood | None:
        """Which other cut-offs these groups cannot tell from the one at a place; None for one dataset."""
        from rocsteady.points.tables import neighbourhood_of

        own, place = self._name(model), self._place(at)
        if self.is_alone:
            return None
        threshold = self.threshold(own, place)
        options: dict[str, Any] = {"n_points": _N_NEIGHBOURS, "alpha": 1 - self.confidence_level}
        key = ("neighbours", own, threshold)
        return self._once(key, lambda: neighbourhood_of(self.of(own), threshold, **options))

    def threshold(self, model: str = "", at: _Given | None = None) -> float:
        """The one threshold of a place for all groups."""
        found: Any = self.chosen(model, at)
        return float(found.threshold)

    def chosen(self, model: str = "", at: _Given | None = None) -> AveragePoint | Cutoff | AppliedCutoff:
        """What has the one threshold of a place: the point of the average under it, or the cut-off.

        A budget of alerts is kept at most: of all rows, in whatever groups they are.
        """
        own, place = self._name(model), self._place(at)
        return self.cutoff(own, place) if place.kind == "alerts" else self.point(own, place, self._weigh)

    def realised(self, model: str = "", at: _Given | None = None, split: str = "rows") -> Realised | None:
        """Thresholds chosen on one half of the rows, or groups, and tried on the other.

        See :func:`rocsteady.realise`. None where halves would lack a class, and where nothing is chosen.
        """
        from rocsteady.points.realised import realise

        own, place = self._name(model), self._place(at)
        rows, criterion = self._some_groups(own), self._criterion(place)
        can_be_halved = bool(((rows.n_positives > 1) & (rows.n_negatives > 1)).any())
        is_too_few = split == "groups" and (not self.is_shared or int(rows.has_curve.sum()) < _FEWEST_HALVED)
        if criterion is None or not can_be_halved or is_too_few:
            return None
        affordable = max(_MOST_ROWS // max(rows.columns.n_rows, 1), 1)
        usual = max(_USUAL_REPEATS, -(-_ENOUGH_SPLITS // len(rows)))  # those of `realise`
        options: dict[str, Any] = {
            "threshold": "shared" if self.is_shared else "own",
            "split": split,
            "weigh": self._weigh_of,
            "n_repeats": affordable if affordable < usual else None,
            "seed": self.seed,
            "undefined": "drop",
            "confidence_level": self.confidence_level,
        }
        key = ("realised", own, place.kind, str(place.value), split)
        return self._once(key, lambda: realise(rows, criterion, **options))

    def group_points(
        self, model: str = "", at: _Given | None = None, method: _Method = None
    ) -> GroupPoints | None:
        """Where the groups of a model stand at a place: ``average.group_points``.

        None where the average sets something else equal than the place names.
        """
        from rocsteady.averaging.shared_threshold import SharedThresholdAverage

        own, place = self._name(model), self._place(at)
        how = self.method_at(place) if method is None else self._method(method)
        average = self.average(own, how)
        if self._is_given(place) and not how.holds("threshold"):
            return self._at_given(own, place, how)[1]
        where = self._position(place)
        if isinstance(average, SharedThresholdAverage):
            found: Any = self.point(own, place, how)
            where = found.threshold
        elif not _holds(how, place):
            return None
        key = ("group points", own, place.kind, str(place.value), how)
        return self._once(key, lambda: average.group_points([where]))

    def average_area(self, model: str = "", method: _Method = None) -> Interval | None:
        """The interval of the area under an average: ``average.auc_interval``; None where it has none."""
        own, how, level = self._name(model), self._method(method), self.confidence_level
        return self._once(("average area", own, how), lambda: self.average(own, how).auc_interval(level))

    def spss(self, model: str = "", *, variable: str = "", state: str = "", decimals: int = 2) -> SpssTables:
        """SPSS's tables of one dataset: :meth:`RocCurve.spss`; RS002 for several groups.

        The test result variable is by default called as the model.
        """
        curve, own = self._only_curve(model, "spss"), self._name(model)
        options: dict[str, Any] = {"variable": variable or own, "state": state, "decimals": decimals}
        key = ("spss", own, *options.values())
        return self._once(key, lambda: curve.spss(**options, confidence_level=self.confidence_level))

    def construction(self, model: str = "") -> Construction:
        """How the curve of one dataset is made: :meth:`RocCurve.construction`; RS002 for several groups."""
        curve = self._only_curve(model, "construction")
        return self._once(("construction", self._name(model)), curve.construction)

    def _only_curve(self, model: str, function: str) -> RocCurve:
        groups = self.scores.groups
        if len(groups) > 1:
            facts = {"n": len(groups), "unit": self.unit, "first": groups[0]}
            raise fail("RS002.one-dataset", function=function, **facts)
        return self.curves(model)[0]

    def group_aucs(self, model: str = "") -> Interval | None:
        """The limits of the AUC of every group with a curve, for other cases of the same group.

        None with row weights, which the formula does not take.
        """
        own, level = self._name(model), self.confidence_level
        if self.curves(own).is_weighted:
            return None
        return self._once(("group aucs", own), lambda: self.curves(own).auc_interval(level))

    def smroc(self, model: str = "") -> SmrocAverage | None:
        """The averaged smROC curve of a model whose scores are probabilities; else None."""
        own = self._name(model)
        return self._once(("smroc", own), lambda: _smroc_of(self._some_groups(own, _MOST_SMROC), self.mid))

    @property
    def smroc_models(self) -> tuple[str, ...]:
        """The models that smROC curves say something about."""
        return tuple(name for name in self.models if self.smroc(name) is not None)

    @property
    def smroc_left_out(self) -> dict[str, Any]:
        """The paper's Mids of models that have no smROC curve here for these: one is outside (0, 1]."""
        return self._once(("smroc left out",), self._left_out_of_smroc)

    def _left_out_of_smroc(self) -> dict[str, Any]:
        from rocsteady.curves.smroc import is_outside, smroc_curve

        found: dict[str, Any] = {}
        for name in self.models if self.mid is None and not self.scores.columns.are_counts else ():
            if self.smroc(name) is None:
                with warnings.catch_warnings(), contextlib.suppress(RocsteadyError):
                    warnings.simplefilter("ignore", RocsteadyWarning)
                    rows = self._some_groups(name, _MOST_SMROC)
                    mids = smroc_curve(rows, mid="paper", undefined="drop").mid
                    found |= {name: mids} if is_outside(mids).any() else {}
        return found

    @property
    def smroc_was_asked(self) -> bool:
        """Whether smAUCs are among the answers so far."""
        return any(("smroc area", name) in self._kept for name in self.models)

    def smroc_area(self, model: str = "") -> SmaucSummary | None:
        """The smAUC of such a model: :func:`rocsteady.summarize_smauc`; else None."""
        from rocsteady.inference.smauc import summarize_smauc

        own = self._name(model)
        if self.smroc(own) is None:
            return None
        rows = self._some_groups(own, _MOST_SMROC)
        return self._once(
            ("smroc area", own), lambda: summarize_smauc(rows, undefined="drop", **self._dealt(rows))
        )

    @property
    def smroc_comparison(self) -> SmaucComparison | SmaucComparisons | None:
        """The models compared by their smAUCs: :func:`rocsteady.compare_smauc`; None for fewer than two."""
        from rocsteady.inference.smauc import compare_smauc

        names = self.smroc_models
        chosen = [str(own) for own in (self.comparing.get("a"), self.comparing.get("b")) if own is not None]
        is_too_large = len(self.scores.groups) > _MOST_SMROC
        if len(names) < max(len(self.models), 2) or is_too_large or self.is_reader_study:
            return None
        asked = {"undefined": "drop", "unmatched": "drop"}
        asked |= {
            name: own for name, own in self.comparing.items() if name in ("paired", "unmatched", "adjust")
        }
        options = self._dealt(self.scores) | asked
        try:
            return self._once(("smroc comparison",), lambda: compare_smauc(self.scores, *chosen, **options))
        except RocsteadyError as error:
            self.refused["smroc"] = error
            return None

    def _dealt(self, rows: ScoreSet) -> dict[str, Any]:
        """What is asked about smAUCs; of many rows fewer permutations."""
        dealt = int(np.clip(_MOST_DEALT // max(rows.columns.n_rows, 1), _FEWEST_DEALT, _USUALLY_DEALT))
        return {
            "mid": "paper" if self.mid is None else self.mid,
            "random": None if self.is_alone else self.random,
            "confidence_level": self.confidence_level,
            "n_permutations": dealt,
            "seed": self.seed,
        }

    @property
    def averages(self) -> dict[str, Average]:
        """The average of each model for the declared use."""
        return {name: self.average(name) for name in self.models}

    def area(self, model: str = "") -> tuple[float, Interval]:
        """The AUC and its interval: of one dataset its curve's, else the mean of the groups'."""
        own = self._name(model)
        if len(self.curves(own)) > 1:
            found = self.auc(own)
            return found.estimate, found.interval
        curve = self.curves(own)[0]
        return curve.auc, self._once(("area", own), lambda: self._area_interval(curve))

    def _area_interval(self, curve: RocCurve) -> Interval:
        """By the formula; with row weights, which it does not take, by resamples of the rows."""
        from rocsteady.statistics.limits import Interval

        level = self.confidence_level
        if not curve.is_weighted:
            return curve.auc_interval(level)
        if self.n_resamples and not self.scores.columns.are_counts:
            return curve.auc_interval(method="bootstrap", **self._drawn())
        return Interval(np.nan, np.nan, level, "bootstrap")

    def auc(self, model: str = "") -> AucSummary:
        """The mean AUC of several groups, with its interval: :func:`rocsteady.summarize_auc`."""
        from rocsteady.inference.summarize import summarize_auc

        own, level = self._name(model), self.confidence_level
        return self._once(
            ("auc", own), lambda: summarize_auc(self.of(own), confidence_level=level, undefined="drop")
        )

    def comparability(self, model: str = "") -> Comparability | None:
        """Whether scores mean the same in all groups; None with row weights or a single group."""
        from rocsteady.inference.comparability import comparability

        own = self._name(model)
        rows = self.of(own)
        if rows.columns.weights is not None or int(rows.has_curve.sum()) < 2:
            return None
        options: dict[str, Any] = {"confidence_level": self.confidence_level, "seed": self.seed}
        return self._once(("comparability", own), lambda: comparability(rows, **options))

    # Several models --------------------------------------------------------------------------------------

    def compare(
        self, a: str, b: str, method: str | Method | Deployment | None = None, at: Any = None
    ) -> Comparison:
        """Two models, a less b: :func:`rocsteady.compare` for the declared use, or for another one."""
        key = ("compare", a, b, self._known(method), str(at))
        found: Comparison = self._once(key, lambda: self._compared(a, b, method, at))
        return found

    @property
    def comparison(self) -> Comparison | Comparisons | ReaderComparison | None:
        """All pairs of models for the declared use; of a reader study :attr:`readers`; None for one model."""
        if len(self.models) < 2:
            return None
        if self.is_reader_study:
            return self.readers
        if len(self.models) == 2 and not self.comparing.get("a"):
            return self.compare(*self.models)
        found: Comparisons = self._once(("compare",), lambda: self._compared(None, None, None, None))
        return found

    @property
    def comparison_if_any(self) -> Comparison | Comparisons | ReaderComparison | None:
        """:attr:`comparison`, or None where these rows allow none: then `refused` says why."""
        try:
            return self.comparison
        except RocsteadyError as error:
            self.refused["comparison"] = error
            return None

    def _compared(self, a: str | None, b: str | None, method: Any, at: Any) -> Any:
        from rocsteady.inference.compare import compare, with_own_rates

        use: Any = (self.named or self.deployment) if method is None else method
        asked: dict[str, Any] = {
            "a": a,
            "b": b,
            "method": use,
            "at": self._compared_places(use) if at is None else at,
            "random": self.random,
            "undefined": "drop",
            "unmatched": "drop",
        }
        own = (
            self.comparing if a is None else {n: x for n, x in self.comparing.items() if n not in ("a", "b")}
        )
        found = compare(self.scores, **(asked | self._drawn() | own))
        if method is not None or at is not None or self.cutoff_from is None or self.is_shared:
            return found
        return with_own_rates(found, [self._own_rates(own) for own in self.places if self._is_given(own)])

    def _own_rates(self, place: Place) -> dict[str, dict[str, tuple[float, float]]]:
        """What every group of each model has with the threshold that it was given."""
        found: dict[str, dict[str, tuple[float, float]]] = {}
        for model in self.models:
            points = self.group_points(model, place)
            assert points is not None
            members = self.average(model, self.method_at(place)).members
            rates = zip(points.fpr[:, 0].tolist(), points.tpr[:, 0].tolist(), strict=True)
            found[model] = {name: own for name, own in zip(members, rates, strict=True) if own[0] == own[0]}
        return found

    def _compared_places(self, use: Any) -> list[Place]:
        """Where models are compared; with nobody's budget at thresholds alone, and at those of other rows."""
        if self.is_alone:  # the cases are resampled, and no share of them is met again
            kept = (self._kept_thresholds(own) if own.kind == "alerts" else own for own in self.places)
            return [own for own in kept if own.kind in ON_AVERAGES]
        if use is None:
            return [own for own in self.places if own.kind == "threshold"]
        method = method_of(use)
        if self.cutoff_from is not None:
            if not self.is_shared:
                return []
            return [self._kept_thresholds(own) if self._is_given(own) else own for own in self.places]
        has_alerts = method.holds("threshold") or isinstance(method, AtAlarmRate)
        return [
            own for own in self.places if own.kind in ON_AVERAGES and (own.kind != "alerts" or has_alerts)
        ]

    def _kept_thresholds(self, place: Place) -> Place:
        """The threshold of every model for a place, as a place."""
        return Place("threshold", {name: self.threshold(name, place) for name in self.models})

    def winner_map(self, a: str, b: str, **ranges: Any) -> WinnerMap:
        """Where each of two models is better: :func:`rocsteady.winner_map` for the declared use."""
        from rocsteady.inference.winner_map import winner_map

        asked: dict[str, Any] = {
            "method": self.named or self.deployment,
            "random": self.random,
            "undefined": "drop",
            "unmatched": self.comparing.get("unmatched", "drop"),
        } | self._drawn()
        asked |= ranges or self._mapped_range()
        return self._once(("winner map", a, b, str(ranges)), lambda: winner_map(self.scores, a, b, **asked))

    def _mapped_range(self) -> dict[str, Any]:
        """What a winner map runs over: what is held at the operating point, around that where it is low."""
        use, place = self.deployment, self.place
        if use is not None and use.hold == "cost":
            return {"over": "costs", "prevalence": self.prevalence} | (
                {} if use.cost_range is None else {"costs": use.cost_range}
            )
        if place is None or place.kind not in ("fpr", "tpr", "alerts") or isinstance(place.value, Mapping):
            return {}
        if place.kind == "tpr":
            return {"over": "tpr"}
        near, is_low = (place.value / 5, 20 * place.value), 0 < place.value < _LOW_RATE
        if place.kind == "fpr":
            return {"fpr": near} if is_low else {}
        share = near if is_low else (0.01, max(0.5, min(2 * place.value, 1.0)))
        return {"over": "alerts", "alerts": share, "prevalence": self.prevalence}

    def densities(self, model: str = "", group: str = "") -> ScoreDensities:
        """How the scores of both classes are spread: :func:`rocsteady.score_densities`, each group once.

        With a ``group`` those of that group alone.
        """
        from rocsteady.curves.densities import score_densities

        own = self._name(model)
        if group:
            return self._once(("densities", own, group), lambda: score_densities(self.of(own)[group]))
        return self._once(("densities", own), lambda: score_densities(self.of(own), per_group=True))

    def quantiles(self, model: str = "") -> ScoreQuantiles:
        """Quantiles of both classes in each group."""
        from rocsteady.curves.densities import score_quantiles

        own = self._name(model)
        return self._once(("quantiles", own), lambda: score_quantiles(self.of(own)))

    def reader_curve(self, model: str = "", hold: str = "fpr") -> ReaderAverageCurve | None:
        """The average curve of a modality, for other readers and other cases; None without named cases."""
        from rocsteady.readers.curves import average_curve

        own, found = self._name(model), self.readers
        if not self.is_reader_study:
            return None
        if found is not None:
            return self._once(("reader curve", own, hold), lambda: found.average_curve(own, hold=hold))
        return self._once(
            ("reader curve", own, hold), lambda: average_curve(self.scores, hold=hold, **self._drawn())
        )

    def cross_auc(self, model: str = "") -> Floats:
        """Positives of each group against negatives of each group: :func:`rocsteady.cross_auc`."""
        from rocsteady.inference.comparability import cross_auc

        own = self._name(model)
        found: Floats = self._once(("cross auc", own), lambda: cross_auc(self.of(own)))
        return found

    def operating_points(self, model: str = "") -> OperatingPointTable:
        """Thresholds along the curve with their rates over groups: :func:`average_operating_points`."""
        from rocsteady.points.tables import average_operating_points, only_with_curve

        own = self._name(model)
        found: OperatingPointTable = self._once(
            ("operating points", own),
            lambda: average_operating_points(only_with_curve(self.of(own)), thresholds=_N_NEIGHBOURS),
        )
        return found

    def standalone(self, model: str | None) -> ReaderComparison:
        """Readers against a model that scored each case once: :func:`rocsteady.compare_readers`.

        Without one, modalities against each other; RS027 where the scores are not those of readers.
        """
        from rocsteady.readers.compare import compare_readers

        options = {"missing": "drop", "standalone": model} | self._drawn()
        return self._once(("standalone", model), lambda: compare_readers(self.scores, **options))

    @property
    def readers(self) -> ReaderComparison | None:
        """Modalities for other readers and other cases: :func:`rocsteady.compare_readers`.

        None unless readers rated the same named cases by two modalities.
        """
        from rocsteady.readers.compare import compare_readers

        if not self.is_reader_study or len(self.models) < 2:
            return None
        options = {"missing": "drop"} | self._drawn() | self.reading
        found: ReaderComparison = self._once(("readers",), lambda: compare_readers(self.scores, **options))
        return found

    @property
    def reader_summary(self) -> ReaderSummary | None:
        """Every modality by itself: :func:`rocsteady.summarize_readers`."""
        from rocsteady.readers.compare import summarize_readers

        if not self.is_reader_study:
            return None
        return self._once(
            ("reader summary",),
            lambda: summarize_readers(
                self.scores, **({"missing": "drop"} | self._drawn() | self._own_reading())
            ),
        )

    def _own_reading(self) -> dict[str, Any]:
        """What is asked of modalities one by one, of all that is asked of a comparison."""
        others = ("modalities", "standalone", "standalone_threshold", "adjust", "method")
        return {name: own for name, own in self.reading.items() if name not in others}

    @property
    def plan(self) -> Plan | ReaderPlan | None:
        """What more data would buy: :func:`rocsteady.plan` for the declared place; None of counted rows."""
        if self.scores.columns.are_counts:
            return None
        return self._once(("plan",), self._planned)

    def _planned(self) -> Plan | ReaderPlan | None:
        from rocsteady.planning.plan import plan

        found: Plan | ReaderPlan
        if self.readers is not None:
            found = plan(self.readers, confidence_level=self.confidence_level)
            return found
        place, shown = self.place, self.models[:2] if len(self.models) > 1 else ()
        rows = self.scores if shown or len(self.scores.models) < 2 else self.of(self.models[0])
        is_rate = place is not None and place.kind in RATES and (self.is_alone or self.deployment is not None)
        options: dict[str, Any] = {
            "measure": place.to_dict() if is_rate and place is not None else "auc",
            "models": shown or None,
            "method": self._weigh if is_rate and self.is_shared and not self.is_alone else None,
            "confidence_level": self.confidence_level,
        }
        try:
            found = plan(rows, undefined="drop", unmatched="drop", **options)
        except RocsteadyError as error:
            self.refused["plan"] = error
            return None
        return found

    @property
    def advice(self) -> Advice | None:
        """What speaks for the declared average, what against it: :func:`rocsteady.advise`."""
        from rocsteady.advice.advise import advise

        use = self.deployment
        if use is None:
            return None
        options: dict[str, Any] = {"confidence_level": self.confidence_level, "seed": self.seed}
        options["compared"] = {name: self.comparability(name) for name in self.models}
        return self._once(("advice",), lambda: advise(use, self.scores, **options))

    def cautions(self, method: _Method = None) -> tuple[RocsteadyWarning, ...]:
        """What to know about the groups, and about this average of them, before it is used; each once.

        By default about the average of the declared use; where there is none about the groups alone.
        """
        from rocsteady.advice.findings import of_forgotten_cases

        how = None if method is None and self.method is None else self._method(method)
        of_groups = [own.warning for own in self.check.findings]
        found = [own for own in of_groups if not isinstance(how, Pooled) or own.code != "RS201"]
        found += of_forgotten_cases(self.scores)
        if how is None or self.is_alone:
            return tuple(found)
        # The check has named the groups without a curve already.
        of_average: list[RocsteadyWarning] = self._once(("cautions", how), lambda: self._of_average(how))
        return (*found, *(own for own in of_average if own.code != "RS201"))

    def _of_average(self, how: Method) -> list[RocsteadyWarning]:
        from rocsteady.advice.findings import findings, is_about_shared_threshold, is_of_folds

        sets = [self.of(name) for name in self.models]
        is_shared = is_about_shared_threshold(how)
        levels = [self.comparability(name) if is_shared else None for name in self.models]
        is_folds = is_of_folds(self.scores, None)
        level = self.confidence_level
        return findings(how, self.deployment, sets, levels, is_folds=is_folds, confidence_level=level)

    # What is shown ---------------------------------------------------------------------------------------

    def plot(self, figure: str = "average", *, title: str = "", ax: Any = None, **drawn: Any) -> Any:
        """Draw a figure of all models, as ``rocsteady plot`` does.

        Parameters
        ----------
        figure : str
            ``"average"``, ``"curves"``, ``"det"``, ``"forest"``, ``"densities"``, ``"winners"`` ...
        title : str
        ax : Axes, optional
            Where; by default a figure of pyplot's.
        **drawn
            ``method``, ``curves``, ``band``, ``zoom``, ``xscale``, ``costs``, ``prevalence``.

        Returns
        -------
        Axes
        """
        return draw_study(self, figure, title, ax, drawn)

    def to_dict(self, *parts: str) -> dict[str, Any]:
        """The answers as plain data that JSON can carry: what every result gives itself.

        Parameters
        ----------
        *parts : str
            Of ``"check"``, ``"models"``, ``"comparison"``, ``"winner_map"``, ``"readers"``, ``"plan"`` and
            ``"advice"``; by default all. What it is about, and the warnings, are always there.
        """
        made: dict[str, Any] = {
            "check": lambda: self.check,
            "models": lambda: {name: self._model_facts(name) for name in self.models},
            "comparison": lambda: self.comparison_if_any,
            "winner_map": lambda: self.winner_map(*self.models[:2]) if self._has_winner_map else None,
            "readers": lambda: {"comparison": self.readers, "summary": self.reader_summary},
            "smroc": self._smroc_facts,
            "plan": lambda: self.plan,
            "advice": lambda: self.advice,
        }
        return self._facts(parts, self._about, made)

    def _about(self) -> dict[str, Any]:
        """What is asked, and of which data."""
        rows, use = self.given, self.deployment
        return {
            "settings": {
                "confidence_level": self.confidence_level,
                "n_resamples": self.n_resamples,
                "seed": self.seed,
                "min_per_class": self.min_per_class,
            },
            "data": {
                "source": rows.source,
                "columns_chosen": dict(rows.columns_chosen),
                "unit": self.unit,
                "groups": list(self.scores.groups),
                "left_out": list(self.left_out),
                "models": list(self.models),
                "positive": plain(rows.classes.positive),
                "negative": plain(rows.classes.negative),
                "higher_is_positive": rows.higher_is_positive,
                "n_rows": int(self.scores.columns.n_rows),
                "n_cases": self.n_cases,
                "design": rows.design.to_dict(),
                "counting": None if rows.counted_from is None else rows.counted_from.certainty,
            },
            "deployment": None if use is None else plain(use.to_dict()),
            "recommended": None if use is None else str(use.method),
            "places": [plain(own.to_dict()) for own in self.places],
        }

    def _model_facts(self, name: str) -> dict[str, Any]:
        """One model: its areas, its average, its points, its groups."""
        area, interval = self.area(name)
        found: dict[str, Any] = {"auc": area, "auc_interval": interval}
        found["points"] = [
            {"at": own.to_dict(), "point": self.point(name, own), "groups": self._group_facts(name, own)}
            for own in self.places or (self.shown_place,)
        ]
        if not self.is_alone:
            average = self.average(name)
            found |= {
                "summary": self.auc(name),
                "average": {
                    "method": str(average.method),
                    "auc": average.auc,
                    "auc_interval": self.average_area(name),
                },
                "comparability": self.comparability(name),
                "groups": {
                    "names": self._curved(name),
                    "n_positives": self.curves(name).n_positives,
                    "n_negatives": self.curves(name).n_negatives,
                    "auc": self.curves(name).auc,
                    "auc_interval": self.group_aucs(name),
                },
            }
        if self.is_shared and not self.is_alone:
            found["neighbours"] = self.neighbours(name)
        facts: dict[str, Any] = plain(found)
        return facts

    def _smroc_facts(self) -> dict[str, Any] | None:
        """What smROC curves say of the models; nothing where they say nothing."""
        names = self.smroc_models
        if not names:
            return None
        areas = {name: self.smroc_area(name) for name in names}
        return {"models": areas, "comparison": self.smroc_comparison}

    def _group_facts(self, name: str, place: Place) -> dict[str, Any] | None:
        """Where the groups of a model stand at a place, beside their average."""
        points = None if self.is_alone else self.group_points(name, place)
        if points is None:
            return None
        members = self.average(name, self.method_at(place)).members
        columns = {own: getattr(points, own)[:, 0] for own in ("fpr", "tpr", "thresholds")}
        return {"names": [str(own) for own in members]} | columns

    def _curved(self, name: str) -> list[str]:
        """The groups that have a curve."""
        own = self.curves(name)
        return [own.groups[i] for i in own.group_index.tolist()]

    @property
    def _has_winner_map(self) -> bool:
        is_pair = len(self.models) == 2 and not self.is_alone and not self.is_reader_study
        return is_pair and self.deployment is not None

    # How it is done --------------------------------------------------------------------------------------

    @property
    def _weigh_of(self) -> str:
        """What counts equally under one threshold: groups, or rows."""
        use = self.deployment
        return "rows" if use is not None and use.is_shared and use.weigh == "rows" else "groups"

    @property
    def _weigh(self) -> Literal["pooled", "threshold"]:
        """The average under one threshold for all groups."""
        return "pooled" if self._weigh_of == "rows" else "threshold"

    def _place(self, at: _Given | None) -> Place:
        """Where a question is asked; shares of alerts are of these cases."""
        if isinstance(at, Place):  # perhaps of models with thresholds of their own
            return at.among(self._n_curved)
        place = self.shown_place if at is None else place_of(at, among=EVERYWHERE)
        return place.among(self._n_curved)

    def _alone(self, place: Place, model: str) -> Place:
        """A place of one model, whose threshold may be its own."""
        return Place(place.kind, place.of(model)) if isinstance(place.value, Mapping) else place

    def _criterion(self, place: Place) -> Criterion | None:
        """What a threshold is chosen for at a place; None where none is chosen by a criterion."""
        from rocsteady.points.criteria import criterion_at

        if place.kind == "alerts" and place.count is not None:
            place = Place("alerts", place.count / self._n_rows)
        return criterion_at(place, None if self.deployment is None else self.deployment.prevalence)

    def _some_groups(self, model: str, most: int = _MOST_TRIED) -> ScoreSet:
        """The groups of a model, or so many of them, the same of all models."""
        own, groups = self.of(model), self.scores.groups
        if len(groups) <= most:
            return own
        drawn = np.random.default_rng(self.seed).permutation(len(groups))[:most]
        chosen = {groups[i] for i in drawn.tolist()}
        return own.take([name for name in own.groups if name in chosen])

    def _drawn(self) -> dict[str, Any]:
        """What answers with resamples are asked with."""
        return {
            "confidence_level": self.confidence_level,
            "n_resamples": self.n_resamples,
            "seed": self.seed,
        }

    def _name(self, model: str) -> str:
        """The model that is meant; the only one needs no name."""
        if model in self.models:
            return model
        if model == "" and len(self.models) == 1:
            return self.models[0]
        if model == "":
            raise fail("RS001.which-model", models=self.models)
        return self.scores.model(model).models[0]  # says which models there are

    def _method(self, method: object) -> Method:
        declared = "vertical" if self.method is None else self.method
        return method_of(declared if method is None else method)

    @staticmethod
    def _known(method: object) -> object:
        """Methods and deployments by what they are, whatever lists are in them."""
        return method if isinstance(method, str | Method | None) else repr(method)

    def _asked_places(self, at: Any) -> tuple[Place, ...]:
        is_several = isinstance(at, Sequence) and not isinstance(at, str | bytes)
        given = list(at) if is_several else [] if at is None else [at]
        declared = None if self.deployment is None else self.deployment.place
        found = [
            each
            for own in given
            for each in (own if isinstance(own, Place) else place_of(own, among=EVERYWHERE))
            .among(self._n_curved)
            .each()
        ]
        every = found if declared is None else [declared, *found]
        if declared == Place("balance", 0.0):  # which is where errors are equal
            every = [own for own in every if own.kind != "eer"]
        return tuple(own for i, own in enumerate(every) if own not in every[:i])

    @property
    def _n_rows(self) -> int:
        """Cases of a model in all groups, which a number of alerts is of."""
        own = self.of(self.models[0])
        return int((own.n_positives + own.n_negatives).sum())

    @property
    def _n_curved(self) -> int:
        """Cases of a model in groups that have a curve, which shares of alerts are of."""
        own = self.of(self.models[0])
        return int((own.n_positives + own.n_negatives)[own.has_curve].sum())


def _rows_of(rows: ScoreSet, model: str) -> ScoreSet:
    """The rows of a model among others; of the one model that they have, whatever it is called."""
    return rows.model(model) if model in rows.models else rows


def _curve_to_choose_on(
    rows: ScoreSet, model: str, method: Literal["pooled", "threshold"]
) -> RocCurve | SharedThresholdAverage:
    """The curve of other rows, or their average under one threshold; of the one model that they have."""
    from rocsteady.averaging.average import average
    from rocsteady.averaging.shared_threshold import SharedThresholdAverage

    own = _rows_of(rows, model)
    if int(own.has_curve.sum()) == 1:
        return roc_curves(own, undefined="drop")[0]
    found = average(own, method, undefined="drop")
    assert isinstance(found, SharedThresholdAverage)
    return found


def _smroc_of(rows: ScoreSet, mid: str | float | None) -> SmrocAverage | None:
    """The average of smROC curves, where scores are shares of 1 and Mid, unless it is named, is within."""
    from rocsteady.averaging.average import average
    from rocsteady.averaging.directional import SmrocAverage
    from rocsteady.curves.smroc import smroc_curve

    scores = rows.columns.scores
    if rows.columns.are_counts or not (scores.min() >= 0 and scores.max() <= 1):
        return None
    try:
        with warnings.catch_warnings():
            if mid is None:  # then nothing is said where Mid is outside
                warnings.simplefilter("ignore", RocsteadyWarning)
            curves = smroc_curve(rows, mid="paper" if mid is None else mid, undefined="drop")
        if mid is None and not ((curves.mid > 0) & (curves.mid <= 1)).all():
            return None
        found = average(curves, "vertical", undefined="drop")
    except RocsteadyError:  # no group has both credit and debit
        return None
    return found if isinstance(found, SmrocAverage) else None


def _holds(method: Method, place: Place) -> bool:
    """Whether every group is at the place under an average with thresholds of their own."""
    if place.kind in ("eer", "balance"):
        return method.holds("alerts") and not isinstance(method, AtAlarmRate)
    if place.kind in ("ratio", "costs"):
        return isinstance(method, Radial if place.kind == "ratio" else Tangent)
    return method.holds(place.kind)
