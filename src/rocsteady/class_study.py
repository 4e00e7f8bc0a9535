"""A study of several classes: the outputs of a classifier, and every question about them answered once.

What :class:`rocsteady.Study` gives of :class:`rocsteady.MulticlassScores`. It computes nothing: each answer
is that of the core's function, made when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from rocsteady.advice.check import ClassData, check_classes
from rocsteady.answers import Answers
from rocsteady.arrays import Floats
from rocsteady.curves.from_scores import described
from rocsteady.curves.multiclass import AUCS, MulticlassAuc
from rocsteady.errors import Option, RocsteadyError, fail, warn
from rocsteady.options import one_of, open_share, whole_number, yes_or_no
from rocsteady.points.multiclass import (
    MOST_ROWS,
    ClassWeightSearch,
    average_multiclass_points,
    digits_that_decide,
    normalized,
    read_class_weights,
    read_limits,
    search_class_weights,
    spread_class_weights,
)
from rocsteady.results import plain, read_only
from rocsteady.scores.columns import word
from rocsteady.scores.multiclass import MulticlassScores, all_as_one
from rocsteady.showing import draw
from rocsteady.text import words_of

if TYPE_CHECKING:
    from rocsteady.points.measures import ConfusionMatrix
    from rocsteady.points.tables import OperatingPointTable, PointMeasure, PointTests
    from rocsteady.statistics.limits import Interval

CHOSEN, EQUAL = 0, 1
"""Where the weights in use, and equal ones, stand in the table of a study."""
_NOT_NESTED = ("RS042.two-folds", "RS078.class-in-fold", "RS008.nested")
"""Why there may be no nested estimate: folds that could not choose weights for one another."""
_FIGURES = ("class_errors", "class_error_surface")


class ClassStudy(Answers):
    """The outputs of a classifier of several classes, and every question about them answered once.

    ``rs.Study(multiclass_scores)`` makes one.

    Parameters
    ----------
    scores : MulticlassScores
    class_weights : array-like of shape (C,), or mapping, optional
        By which decisions are made, ``{"a": 1, "b": 2}``; only their ratios matter. By default the best of
        the search.
    at_most : mapping, optional
        Errors that classes may have at most, ``{"b": 0.05}``; of the weights that keep to it those with the
        smallest largest error.
    exact : bool
        Whether the weights in use are those of the exact search (two classes and up to 20,000 rows, three and
        up to 1,000). Where there is one, it is made in any case, and stands beside the other.
    nested : bool
        Whether the search is repeated without each fold, which is then judged by the weights found.
    confidence_level : float
        Of all intervals.
    seed : int
        Of the search.
    words : {"ml", "medical", "biometric"}
    title : str
        Of the report.
    command : str
        What was typed, for the methods.
    progress : callable, optional
        Called with what is done next.

    Attributes
    ----------
    scores : MulticlassScores
    classes : tuple
    refused : dict
        Questions that these rows do not answer, and why: ``"nested"``.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> labels = rng.choice(["cat", "dog", "eel"], 300, p=[0.6, 0.3, 0.1])
    >>> near = {"cat": 0, "dog": 1, "eel": 2}
    >>> places = np.array([near[own] for own in labels]) + rng.normal(size=300)
    >>> densities = np.exp(-(places[:, None] - [0, 1, 2]) ** 2 / 2) * [0.6, 0.3, 0.1]
    >>> study = rs.Study(rs.MulticlassScores(labels, densities, folds=np.arange(300) % 5))
    >>> study
    ClassStudy(MulticlassScores(3 classes, 300 rows, 5 folds), weights of the search)
    >>> study.weights.round(3).tolist(), study.search is study.search
    ([0.107, 0.271, 0.622], True)
    >>> study.errors.stacked[0].round(3).tolist(), study.errors.stacked[1].round(3).tolist()
    ([0.397, 0.398, 0.393], [0.101, 0.602, 0.607])
    """

    PARTS = ("check", "weights", "search", "exact", "errors", "confusion", "comparison", "aucs")

    def __init__(
        self,
        scores: MulticlassScores,
        *,
        class_weights: ArrayLike | Mapping[Any, float] | None = None,
        at_most: Mapping[Any, float] | None = None,
        exact: bool = False,
        nested: bool = True,
        confidence_level: float = 0.95,
        seed: int = 0,
        words: str = "ml",
        title: str = "",
        command: str = "",
        progress: Callable[[str], None] | None = None,
    ) -> None:
        if not isinstance(scores, MulticlassScores):
            ways = ["rs.Study(rs.read_scores('outputs.csv', label='species', outputs='p_*'))"]
            raise fail(
                "RS002.kind", name="scores", kind="MulticlassScores", found=described(scores), ways=ways
            )
        super().__init__(progress, title=title, command=command)
        self.scores, self.classes = scores, scores.classes
        self.given = None if class_weights is None else weights_of_classes(scores.classes, class_weights)
        limits = {self.classes[c]: limit for c, limit in read_limits(at_most, scores).items()}
        self.at_most = None if at_most is None else limits
        self.is_exact, self.is_nested = yes_or_no("exact", exact), yes_or_no("nested", nested)
        if self.given is not None and (self.at_most or self.is_exact):
            raise fail("RS002.weights-and-search")
        self.confidence_level = open_share("confidence_level", confidence_level)
        self.seed = whole_number("seed", seed, least=0, example=0)
        self.words = words_of(scores, words)
        self.title, self.command = title, command
        self.refused: dict[str, RocsteadyError] = {}
        if self.is_exact and not self.has_exact:  # says which rows and classes it is for
            search_class_weights(scores, exact=True)

    def __repr__(self) -> str:
        return f"ClassStudy({self.scores!r}, weights {self.origin})"

    @property
    def unit(self) -> str:
        """The word for a fold."""
        return self.words.unit

    @property
    def class_words(self) -> tuple[str, ...]:
        """The classes as they are written."""
        return tuple(map(word, self.classes))

    @property
    def limits(self) -> dict[str, float]:
        """Errors that classes may have at most, by the words for the classes."""
        return {word(own): most for own, most in (self.at_most or {}).items()}

    @property
    def check(self) -> ClassData:
        """What was read: rows, folds, cases of each class in each fold, whether outputs sum to one."""
        return self._once(("check",), lambda: check_classes(self.scores))

    # Weights ---------------------------------------------------------------------------------------------

    @property
    def origin(self) -> str:
        """Where the weights in use are from: ``"given"``, ``"of the search"``, ``"of the exact search"``."""
        if self.given is not None:
            return "given"
        return "of the exact search" if self.is_exact else "of the search"

    @property
    def weights(self) -> Floats:
        """The class weights in use, which sum to 1: those that were given, else the best of the search."""
        if self.given is not None:
            return self.given
        found = self.exact if self.is_exact else self.search
        assert found is not None
        return np.asarray(found.best.class_weights)

    @property
    def digits(self) -> int:
        """How many digits of the weights in use decide every row as all of them do."""
        return self._once(("digits",), lambda: digits_that_decide(self.scores, self.weights))

    @property
    def search(self) -> ClassWeightSearch:
        """Weights whose largest class error is small: :func:`rocsteady.search_class_weights`.

        With the nested estimate, unless it was not wanted or `refused` says why there is none.
        """
        return self._once(("search",), self._searched)

    def _searched(self) -> ClassWeightSearch:
        options: dict[str, Any] = {"seed": self.seed, "at_most": self.at_most}
        if self.is_nested:
            try:
                return search_class_weights(self.scores, nested=True, undefined="keep", **options)
            except RocsteadyError as error:
                if error.entry not in _NOT_NESTED:
                    raise
                self.refused["nested"] = error
        return search_class_weights(self.scores, **options)

    @property
    def has_exact(self) -> bool:
        """Whether there are few enough classes and rows for an exact search."""
        return self.scores.n_rows <= MOST_ROWS.get(self.scores.n_classes, 0)

    @property
    def exact(self) -> ClassWeightSearch | None:
        """The smallest largest class error that any weights attain; None of too many classes or rows."""
        if not self.has_exact:
            return None
        options: dict[str, Any] = {"exact": True, "at_most": self.at_most}
        return self._once(("exact",), lambda: search_class_weights(self.scores, **options))

    @property
    def free(self) -> ClassWeightSearch | None:
        """The search without the constraint, to say what that costs; None where there is none."""
        if self.at_most is None:
            return None
        return self._once(("free",), lambda: search_class_weights(self.scores, seed=self.seed))

    @property
    def points(self) -> Floats:
        """The class weights that are looked at: those in use, equal ones, and the best of the search.

        Of kept ones with the same errors the first. Of three classes or more they are followed by some that
        are spread over all trade-offs (:func:`rocsteady.spread_class_weights`).
        """
        _, first = np.unique(self.search.errors, axis=0, return_index=True)
        kept = self.search.class_weights[np.sort(first)]
        mine = np.vstack([self.weights, np.full(self.scores.n_classes, 1 / self.scores.n_classes)])
        is_new = ~(kept[:, None, :] == mine).all(axis=2).any(axis=1)
        spread = spread_class_weights(self.scores, seed=self.seed) if self.scores.n_classes > 2 else mine[:0]
        return read_only(np.vstack([mine, kept[is_new], spread]))

    # What they do ----------------------------------------------------------------------------------------

    @property
    def table(self) -> OperatingPointTable:
        """Every point, every fold: :func:`rocsteady.average_multiclass_points`.

        The weights in use are point 0, equal ones point 1.
        """
        return self._once(
            ("table",), lambda: average_multiclass_points(self.scores, self.points, undefined="drop")
        )

    @property
    def point(self) -> int:
        """The place of the weights in use among the points of the table."""
        return CHOSEN

    @property
    def errors(self) -> PointMeasure:
        """The error of each class at each point, with its spread over folds."""
        return self._once(("errors",), lambda: self.table.measure("class_error"))

    @property
    def error_intervals(self) -> Interval:
        """Student's t intervals of the mean errors, arrays of (points, classes)."""
        return self._once(("error intervals",), lambda: self.errors.interval(self.confidence_level))

    def confusion(self, point: int = CHOSEN) -> ConfusionMatrix:
        """Cases by true and by decided class, with totals; by default under the weights in use."""
        return self._once(("confusion", point), lambda: self.table.confusion_matrix(point))

    @property
    def comparison(self) -> PointTests | None:
        """Which points cannot be told apart from the one in use, and by which class; None of one fold."""
        if len(self.scores.folds) < 2:
            return None
        alpha = 1 - self.confidence_level
        return self._once(("comparison",), lambda: self.table.compare_to(CHOSEN, "class_error", alpha=alpha))

    # Areas -----------------------------------------------------------------------------------------------

    def auc(self, method: str = "hand-till") -> MulticlassAuc:
        """One AUC for several classes: ``scores.auc(method)``; folds that lack a class are left out.

        Where every fold lacks one, all rows are taken as one fold.
        """
        found: MulticlassAuc = self._once(("auc", method), lambda: self._ranked.auc(method, undefined="drop"))
        return found

    @property
    def _ranked(self) -> MulticlassScores:
        """The rows whose outputs are compared; RS253 if not within folds."""
        if (self.scores.class_counts > 0).all(axis=1).any():
            return self.scores
        warn("RS253.every", folds=self.scores.folds, unit=self.scores.unit)
        return all_as_one(self.scores)

    def auc_interval(self, method: str = "hand-till") -> Interval:
        """Its interval."""
        found, level = self.auc(method), self.confidence_level
        return self._once(("auc interval", method), lambda: found.interval(level))

    def part_intervals(self, method: str = "hand-till") -> tuple[Floats, Floats]:
        """The limits of the AUC of each class, or pair of classes."""
        found, level = self.auc(method), self.confidence_level
        return self._once(("part intervals", method), lambda: found.part_intervals(level))

    # What is shown ---------------------------------------------------------------------------------------

    def plot(self, figure: str = "class_errors", *, title: str = "", ax: Any = None, **drawn: Any) -> Any:
        """Draw the errors of all classes at all points.

        Parameters
        ----------
        figure : {"class_errors", "class_error_surface"}
            One line for each point; or, of three classes, one point in space.
        title : str
        ax : Axes, optional
            Where; by default a figure of pyplot's.
        **drawn
            Further options of :func:`rocsteady.plot.class_errors` or
            :func:`rocsteady.plot.class_error_surface`.

        Returns
        -------
        Axes
        """
        one_of("figure", figure, _FIGURES)
        return draw(self.table, figure, comparison=self.comparison, title=title, ax=ax, **drawn)

    def to_dict(self, *parts: str) -> dict[str, Any]:
        """The answers as plain data that JSON can carry: what every result gives itself.

        Parameters
        ----------
        *parts : str
            Of ``"check"``, ``"weights"``, ``"search"``, ``"exact"``, ``"errors"``, ``"confusion"``,
            ``"comparison"`` and ``"aucs"``; by default all. What it is about, and the warnings, are always
            there.
        """
        made: dict[str, Callable[[], Any]] = {
            "check": lambda: self.check,
            "weights": lambda: {"class_weights": self.weights, "origin": self.origin, "points": self.points},
            "search": lambda: self.search,
            "exact": lambda: self.exact,
            "errors": lambda: {"measure": self.errors, "interval": self.error_intervals},
            "confusion": lambda: {"in_use": self.confusion(), "equal_weights": self.confusion(EQUAL)},
            "comparison": lambda: self.comparison,
            "aucs": lambda: {own: self._area_facts(own) for own in AUCS},
        }
        return self._facts(parts, self._about, made)

    def _area_facts(self, method: str) -> dict[str, Any]:
        low, high = self.part_intervals(method)
        return {
            "auc": self.auc(method),
            "interval": self.auc_interval(method),
            "part_intervals": {"low": low, "high": high},
        }

    def _about(self) -> dict[str, Any]:
        """What is asked, and of which data."""
        rows = self.scores
        return {
            "settings": {
                "confidence_level": self.confidence_level,
                "seed": self.seed,
                "exact": self.is_exact,
                "nested": self.is_nested,
                "at_most": self.limits,
            },
            "data": {
                "source": rows.source,
                "columns_chosen": dict(rows.columns_chosen),
                "unit": rows.unit,
                "classes": list(plain(rows.classes)),
                "folds": list(rows.folds),
                "n_rows": rows.n_rows,
                "design": rows.design.to_dict(),
            },
        }


def weights_of_classes(classes: Sequence[Any], given: Any) -> Floats:
    """One weight for each class, which sum to 1, from an array or a mapping; RS077.

    >>> weights_of_classes(("a", "b"), {"b": 3, "a": 1}).tolist(), weights_of_classes((0, 1), [1, 1]).tolist()
    ([0.25, 0.75], [0.5, 0.5])
    """
    if isinstance(given, Mapping):
        by_word = {word(own): value for own, value in given.items()}
        words = list(map(word, classes))
        ways = [Option("class_weights", {own: by_word.get(own, 1) for own in words})]
        for own in by_word:
            if own not in words:
                raise fail("RS077.no-class", name=own, classes=words, ways=ways)
        if missing := [own for own in words if own not in by_word]:
            raise fail("RS077.class", missing=missing, ways=ways)
        given = [by_word[own] for own in words]
    weights = read_class_weights(given, len(classes))
    if len(weights) != 1:
        raise fail("RS077.one-vector", n=len(weights))
    return read_only(normalized(weights)[0])
