"""An operating point in use: it decides new rows, and is kept in a file."""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsteady.arrays import Floats
from rocsteady.curves.from_scores import described
from rocsteady.errors import fail
from rocsteady.options import one_of, one_threshold
from rocsteady.points.chosen_points import ChosenPoint
from rocsteady.points.cutoffs import AppliedCutoff, CorrectedCutoff, Cutoff
from rocsteady.points.multiclass import ClassWeightPoint, ClassWeightSearch, decide, read_class_weights
from rocsteady.results import Result, read_only
from rocsteady.scores.columns import read_columns, score_array, word
from rocsteady.scores.frames import columns_of, output_columns, read_table, require_columns
from rocsteady.scores.multiclass import MulticlassScores
from rocsteady.whole_files import write_whole
from rocsteady.words import printable

_RULES: dict[str, Callable[[Any, Any], Any]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
}
_VERSION = 1
_LABELS = (str, bool, int, float)


@dataclass(frozen=True, eq=False, repr=False)
class OperatingPoint(Result):
    """A threshold on a score, or weights of classes: all that a decision needs (:func:`operating_point`).

    Attributes
    ----------
    threshold : float or None
        None of several classes.
    rule : str
        What calls a score positive: ``">="``, ``">"``, ``"<="`` or ``"<"``; empty for several classes.
    classes : tuple
        In the order of their outputs; empty for a threshold.
    class_weights : (C,) float64 array or None
        A row is decided for the class with the largest product of weight and output.
    """

    _line: ClassVar = "{_shown}"

    threshold: float | None = None
    rule: str = ""
    classes: tuple[Any, ...] = ()
    class_weights: Floats | None = None

    @property
    def _shown(self) -> str:
        if self.class_weights is None:
            return f"positive if score {self.rule} {self.threshold!r}"
        pairs = zip(self.classes, self.class_weights.tolist(), strict=True)
        return "weights " + ", ".join(f"{word(own)}: {weight:.4g}" for own, weight in pairs)

    def decide(
        self, new: Any, outputs: str | Sequence[str] | Mapping[Any, str] | None = None
    ) -> NDArray[Any]:
        """Decide new rows, whose true class nobody knows.

        Parameters
        ----------
        new : array-like, or table
            Scores. Of several classes an array with a column of outputs for each class, in the order of
            ``classes``; or a table, whose columns are found by their names, in whatever order they stand.
        outputs : str, list of str, or dict, optional
            Which columns of a table these are, as for :meth:`MulticlassScores.from_frame`: ``"p_*"``. Without
            it they are called like the classes.

        Returns
        -------
        array
            True where a score is called positive; of several classes the class of each row.
        """
        if self.class_weights is None:
            scores = score_array(read_columns({"score": new})["score"])
            return np.asarray(_RULES[self.rule](scores, self.threshold))
        if isinstance(new, MulticlassScores):
            new = dict(zip(map(word, new.classes), new.outputs.T, strict=True))
        if isinstance(new, Mapping) or hasattr(new, "columns") or outputs is not None:
            new = self._outputs_of(new, outputs)
        places = decide(new, self.class_weights)
        is_one_kind = len({type(own) for own in self.classes}) == 1  # else numbers would become text
        names = np.array(self.classes, dtype=None if is_one_kind else object)
        return names[places]

    def _outputs_of(self, table: Any, outputs: Any) -> Floats:
        """The columns of a table in the order of the classes; RS011 if one is not there."""
        present = list(columns_of(table))
        if outputs is None:
            by_class = {word(name): name for name in present}
        else:
            by_class = {word(own): name for own, name in output_columns(present, outputs).items()}
        own = {f"score_{c}": by_class.get(word(name), word(name)) for c, name in enumerate(self.classes)}
        require_columns(present, own)
        return np.column_stack([score_array(column) for column in read_table(table, own).values()])

    def save(self, path: str | Path) -> None:
        """Write it to a JSON file, from which :func:`rocsteady.open_operating_point` reads the very same.

        A file that is there is replaced.
        """
        path = Path(path)
        strange = [own for own in self.classes if not isinstance(own, _LABELS)]
        if strange:
            label = printable(word(strange[0]))
            raise fail("RS055.label", path=path, kind=type(strange[0]).__name__, label=label)
        if not path.parent.is_dir():
            raise fail("RS055.no-folder", path=path, folder=printable(str(path.parent)))
        facts = {name: own for name, own in self.to_dict().items() if own is not None and own not in ("", [])}
        write_whole(path, json.dumps({"operating_point": _VERSION} | facts, indent=1).encode() + b"\n")


def operating_point(
    chosen: object, *, classes: Iterable[Any] | None = None, rule: str = ">="
) -> OperatingPoint:
    """What is put to use of a cut-off, of a search for class weights, or of a point of a table.

    Parameters
    ----------
    chosen : Cutoff, ChosenPoint, ClassWeightSearch, ClassWeightPoint, float or array-like
        Of a search the best point. A number is a threshold; an array holds the weights of ``classes``.
    classes : iterable, optional
        For weights in an array: what they stand for.
    rule : {">=", ">", "<=", "<"}
        For a threshold that is a number: what calls a score positive. Others know it.

    Returns
    -------
    OperatingPoint
        With ``.decide(new)`` and ``.save(path)``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1])
    >>> point = rs.operating_point(rs.choose_cutoff(curve, tpr=0.9))
    >>> point, point.decide([0.65, 0.2]).tolist()
    (OperatingPoint(positive if score >= 0.6), [True, False])
    >>> weights = rs.operating_point([1, 1, 4], classes=["cat", "dog", "eel"])
    >>> weights.decide([[0.7, 0.2, 0.1], [0.3, 0.5, 0.2]]).tolist()
    ['cat', 'eel']
    """
    if isinstance(chosen, ClassWeightSearch):
        chosen = chosen.best
    if isinstance(chosen, ClassWeightPoint):
        return _of_weights(chosen.class_weights, chosen.classes)
    if isinstance(chosen, Cutoff | AppliedCutoff | CorrectedCutoff):
        return OperatingPoint(one_threshold(chosen.threshold), chosen.rule)
    if isinstance(chosen, ChosenPoint):
        if not np.isnan(chosen.threshold):
            return OperatingPoint(one_threshold(chosen.threshold), chosen.rule)
        if chosen._table.class_weights is not None:
            return _of_weights(chosen._table.class_weights[chosen.index], chosen._table.classes)
    elif classes is not None:
        return _of_weights(chosen, tuple(classes))
    elif isinstance(chosen, int | float | np.number) and not isinstance(chosen, bool):
        return OperatingPoint(
            one_threshold(chosen, "operating_point(0.5)"), one_of("rule", rule, tuple(_RULES))
        )
    ways = [
        "operating_point(rs.choose_cutoff(curve, tpr=0.9))",
        "operating_point([1, 2], classes=['a', 'b'])",
    ]
    what = "a cut-off, a search for class weights, a threshold, or weights with classes=[...]"
    raise fail("RS002.kind", name="chosen", kind=what, found=described(chosen), ways=ways)


def _of_weights(class_weights: Any, classes: tuple[Any, ...]) -> OperatingPoint:
    """Weights of classes; RS077 if they are none, or not one for each."""
    (weights,) = read_class_weights(np.ravel(class_weights), len(classes))
    own = tuple(name.item() if isinstance(name, np.generic) else name for name in classes)
    return OperatingPoint(classes=own, class_weights=read_only(weights.copy()))


def open_operating_point(path: str | Path) -> OperatingPoint:
    """Read an operating point that :meth:`OperatingPoint.save` wrote.

    Raises
    ------
    FileError
        RS053 if the file is something else, or damaged; RS051 if it is not there.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import rocsteady as rs
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "point.json")
    >>> rs.operating_point([1, 1, 4], classes=["cat", "dog", "eel"]).save(path)
    >>> rs.open_operating_point(path)
    OperatingPoint(weights cat: 1, dog: 1, eel: 4)
    >>> folder.cleanup()
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise fail("RS053.read", file=printable(str(path)), reason=printable(str(error))) from error
    try:
        facts = json.loads(text)
        version = facts.pop("operating_point")
        if version != _VERSION:
            raise ValueError(f"written by another version ({version})")
        if "class_weights" in facts:
            return _of_weights(facts["class_weights"], tuple(facts["classes"]))
        threshold = facts["threshold"] if isinstance(facts["threshold"], int) else float(facts["threshold"])
        return OperatingPoint(one_threshold(threshold), one_of("rule", facts["rule"], tuple(_RULES)))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        reason = f"no {error}" if isinstance(error, KeyError) else str(error).partition("\n")[0]
        raise fail("RS053.point", file=printable(str(path)), reason=printable(reason)) from error
