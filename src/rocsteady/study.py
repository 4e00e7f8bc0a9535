"""A study: scores, how they will be used, and every question about them answered once.

A study computes nothing. Each answer is the very object that the core's function returns when a user calls
it; it is made when it is first asked for, and kept. Report, commands and notebooks read a study.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.advice.advise import Advice, advise
from rocsteady.advice.deployment import Deployment
from rocsteady.averaging.average import average
from rocsteady.averaging.base import Average
from rocsteady.averaging.methods import AtAlarmRate, Method, method_of
from rocsteady.counting.counted import CountedScores, scores_of_counts
from rocsteady.curves.curve_set import CurveSet, roc_curves
from rocsteady.curves.from_scores import described, is_score_set
from rocsteady.errors import Option, RocsteadyWarning, fail
from rocsteady.inference.comparability import Comparability, comparability
from rocsteady.inference.compare import compare
from rocsteady.inference.differences import Comparison, Comparisons
from rocsteady.inference.summarize import AucSummary, summarize_auc
from rocsteady.inference.winner_map import WinnerMap, winner_map
from rocsteady.options import open_share, resamples_asked, whole_number
from rocsteady.places import EVERYWHERE, ON_AVERAGES, Place, place_of
from rocsteady.readers.compare import ReaderComparison, ReaderSummary, compare_readers, summarize_readers
from rocsteady.readers.study import is_reader_study
from rocsteady.scores.score_set import ScoreSet, with_enough_cases
from rocsteady.statistics.limits import Interval
from rocsteady.text import Words, words_of

if TYPE_CHECKING:
    pass

_Given = Place | Mapping[str, Any] | str


class Study:
    """Scores, how they will be used, and every question about them answered once.

    Parameters
    ----------
    scores : ScoreSet or CountedScores
        Scores of one model or of several, in one dataset or in many.
    deployment : Deployment, optional
        How they will be used. Without one nothing is recommended.
    at : place or sequence of places
        Operating points to report beside that of the deployment: ``{"fpr": 0.05}``, ``{"alerts": 0.01}``,
        ``{"alerts": 20000}``, ``{"threshold": 0.5}``, ``"eer"`` ...
    confidence_level : float
        Of all intervals.
    n_resamples, seed : int
        Of whatever is drawn at random.
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

    def __init__(
        self,
        scores: ScoreSet | CountedScores,
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
        for name, text in (("title", title), ("positive_name", positive_name), ("command", command)):
            if not isinstance(text, str):
                ways = [Option(name, str(text))]  # type: ignore[list-item]
                raise fail("RS002.kind", name=name, kind="a text", found=described(text), ways=ways)
        self.deployment = deployment
        self.confidence_level = open_share("confidence_level", confidence_level)
        self.n_resamples = resamples_asked(n_resamples)
        self.seed = whole_number("seed", seed, least=0, example=0)
        self.min_per_class = whole_number("min_per_class", min_per_class, least=1, example=10)
        self.words: Words = words_of(given, words, positive_name)
        self.title, self.command, self.cutoff_from, self.random = title, command, cutoff_from, random
        self.given: ScoreSet = given
        self.scores, self.left_out = with_enough_cases(given, self.min_per_class)
        self._progress = progress
        self._kept: dict[Any, Any] = {}
        self._met: list[RocsteadyWarning] = []
        self._places = self._asked_places(at)

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
        """Whether the same named cases were rated by several groups."""
        return is_reader_study(self.scores)

    @property
    def method(self) -> Method | None:
        """The average that fits the declared use; None where none was declared."""
        return None if self.deployment is None else self.deployment.method

    @property
    def place(self) -> Place | None:
        """The operating point: that of the deployment, else the first that was asked for."""
        return self.places[0] if self.places else None

    @property
    def places(self) -> tuple[Place, ...]:
        """The operating point and all others that were asked for, each once."""
        return self._places

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
        own, how = self._name(model), self._method(method)
        return self._once(("average", own, how), lambda: average(self.of(own), how, undefined="drop"))

    @property
    def averages(self) -> dict[str, Average]:
        """The average of each model for the declared use."""
        return {name: self.average(name) for name in self.models}

    def area(self, model: str = "") -> tuple[float, Interval]:
        """The AUC and its interval: of one dataset its curve's, else the mean of the groups'."""
        own, level = self._name(model), self.confidence_level
        if len(self.curves(own)) > 1:
            found = self.auc(own)
            return found.estimate, found.interval
        curve = self.curves(own)[0]
        return curve.auc, self._once(("area", own), lambda: curve.auc_interval(level))

    def auc(self, model: str = "") -> AucSummary:
        """The mean AUC of several groups, with its interval: :func:`rocsteady.summarize_auc`."""
        own, level = self._name(model), self.confidence_level
        return self._once(
            ("auc", own), lambda: summarize_auc(self.of(own), confidence_level=level, undefined="drop")
        )

    def comparability(self, model: str = "") -> Comparability | None:
        """Whether scores mean the same in all groups; None with row weights or a single group."""
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
        found: Comparison = self._once(
            ("compare", a, b, self._known(method), str(at)), lambda: self._compared(a, b, method, at)
        )
        return found

    @property
    def comparison(self) -> Comparison | Comparisons | ReaderComparison | None:
        """All pairs of models for the declared use; of a reader study :attr:`readers`; None for one model."""
        if len(self.models) < 2:
            return None
        if self.is_reader_study:
            return self.readers
        if len(self.models) == 2:
            return self.compare(*self.models)
        return self._once(("compare",), lambda: self._compared(None, None, None, None))

    def _compared(self, a: str | None, b: str | None, method: Any, at: Any) -> Any:
        use: Any = self.deployment if method is None else method
        places = self.places if at is None else at
        if use is None and not self.is_alone:  # nobody has said who meets a budget
            places = [own for own in self.places if own.kind == "threshold"]
        return compare(
            self.scores,
            a,
            b,
            method=use,
            at=[own for own in places if self._is_comparable(own, use)] if at is None else at,
            random=self.random,
            confidence_level=self.confidence_level,
            n_resamples=self.n_resamples,
            seed=self.seed,
            undefined="drop",
            unmatched="drop",
        )

    def _is_comparable(self, place: Place, use: Any) -> bool:
        """Whether models can be compared there; a share of alerts needs an average that has one."""
        has_alerts = use is not None and isinstance(method_of(use), AtAlarmRate)
        return place.kind in ON_AVERAGES and (place.kind != "alerts" or has_alerts)

    def winner_map(self, a: str, b: str, **ranges: Any) -> WinnerMap:
        """Where each of two models is better: :func:`rocsteady.winner_map` for the declared use."""
        asked: dict[str, Any] = {
            "method": self.deployment,
            "random": self.random,
            "confidence_level": self.confidence_level,
            "n_resamples": self.n_resamples,
            "seed": self.seed,
            "undefined": "drop",
            "unmatched": "drop",
        }
        key = ("winner map", a, b, str(ranges))
        return self._once(key, lambda: winner_map(self.scores, a, b, **(asked | ranges)))

    @property
    def readers(self) -> ReaderComparison | None:
        """Modalities for other readers and other cases: :func:`rocsteady.compare_readers`.

        None unless readers rated the same named cases by two modalities.
        """
        if not self.is_reader_study or len(self.models) < 2:
            return None
        return self._once(("readers",), lambda: compare_readers(self.scores, missing="drop", **self._drawn()))

    @property
    def reader_summary(self) -> ReaderSummary | None:
        """Every modality by itself: :func:`rocsteady.summarize_readers`."""
        if not self.is_reader_study:
            return None
        return self._once(
            ("reader summary",), lambda: summarize_readers(self.scores, missing="drop", **self._drawn())
        )

    @property
    def advice(self) -> Advice | None:
        """What speaks for the declared average, what against it: :func:`rocsteady.advise`."""
        use = self.deployment
        if use is None:
            return None
        options: dict[str, Any] = {"confidence_level": self.confidence_level, "seed": self.seed}
        return self._once(("advice",), lambda: advise(use, self.scores, **options))

    # What is shown ---------------------------------------------------------------------------------------

    @property
    def warnings(self) -> tuple[RocsteadyWarning, ...]:
        """What the answers so far have warned of, each once."""
        return tuple({(own.code, own.problem): own for own in self._met}.values())

    # How it is done --------------------------------------------------------------------------------------

    def say(self, text: str) -> None:
        """Tell whoever waits what is done next."""
        if self._progress is not None:
            self._progress(text)

    def _once(self, key: Any, make: Callable[[], Any]) -> Any:
        """An answer, made when it is first asked for; its coded warnings are kept, not issued."""
        if key not in self._kept:
            with self.catching():
                self._kept[key] = make()
        return self._kept[key]

    @contextmanager
    def catching(self) -> Iterator[None]:
        """Keep coded warnings for :attr:`warnings` instead of issuing them; others are issued as ever."""
        with warnings.catch_warnings(record=True) as met:
            warnings.simplefilter("always")
            yield
        for each in met:
            if isinstance(each.message, RocsteadyWarning):
                self._met.append(each.message)
            else:
                warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)

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
        given = [at] if isinstance(at, str | Mapping | Place) else list(at)
        declared = None if self.deployment is None else self.deployment.place
        found = [place_of(own, among=EVERYWHERE).among(self._n_curved) for own in given]
        every = found if declared is None else [declared, *found]
        return tuple(own for i, own in enumerate(every) if own not in every[:i])

    @property
    def _n_curved(self) -> int:
        """Cases of a model in groups that have a curve, which shares of alerts are of."""
        own = self.of(self.models[0])
        return int((own.n_positives + own.n_negatives)[own.has_curve].sum())
