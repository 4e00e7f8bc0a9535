"""What weights that were chosen by a search do on rows that they were not chosen on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsteady.errors import counted, fail
from rocsteady.operating_points.multiclass.averaging import folds_with_all_classes, lacks_classes
from rocsteady.operating_points.multiclass.class_errors import (
    class_rows,
    class_rows_needed,
    require_multiclass,
)
from rocsteady.operating_points.multiclass.deciding import Floats, decide
from rocsteady.operating_points.multiclass.searching import ClassWeightSearch, search_class_weights, searched
from rocsteady.operating_points.tables.table import over_folds
from rocsteady.options import one_of
from rocsteady.results import TableResult, read_only
from rocsteady.scores.columns import shown, word
from rocsteady.scores.multiclass import MulticlassScores


@dataclass(frozen=True, eq=False, repr=False)
class NestedSearch(TableResult):
    """Errors of searched class weights, each fold judged by weights that were chosen without it.

    Attributes
    ----------
    classes : tuple
    folds : tuple of str
    class_weights : (n_folds, C) float64 array
        The best vector of the search on all folds but this one.
    errors : (n_folds, C) float64 array
        What that vector does on this fold: share of the rows of each class that are decided wrongly; NaN
        where the fold lacks the class.
    mean, sd, standard_error : (C,) float64 arrays
        Of ``errors`` over folds. Folds share most of their training and search rows, so the standard error is
        somewhat too small.
    n_defined : (C,) int64 array
        Folds that have the class.
    stacked : (C,) float64 array
        Wrong decisions of all folds over all rows of the class.
    max_error, mean_max_error : float
        The largest of ``stacked``, and the mean over folds of the largest of ``errors`` (of folds that have
        all classes). What the worst class of one chosen vector suffers usually lies between them: above the
        first where the worst class is not the same for every vector, and below the second, since the largest
        of noisy shares is too large. Where weights change little, the first is too large as well.
    search : ClassWeightSearch
        The search on all rows. Its errors are optimistic: the best of many vectors on the rows that they are
        judged by.
    optimism : (C,) float64 array
        ``stacked`` less the errors of ``search.best``.
    undefined : tuple of str
        Folds that lack a class, and which.
    """

    classes: tuple[Any, ...]
    folds: tuple[str, ...]
    class_weights: Floats
    errors: Floats
    mean: Floats
    sd: Floats
    standard_error: Floats
    n_defined: np.ndarray[Any, np.dtype[np.int64]]
    stacked: Floats
    max_error: float
    mean_max_error: float
    search: ClassWeightSearch
    optimism: Floats
    undefined: tuple[str, ...] = ()

    def __repr__(self) -> str:
        chosen = self.search.best.max_error
        return (
            f"NestedSearch({counted(len(self.folds), 'fold')}: largest class error {self.max_error:.4g} "
            f"stacked, {self.mean_max_error:.4g} in the mean fold; {chosen:.4g} as chosen)"
        )

    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {"fold": list(self.folds)}
        columns |= {f"weight {word(c)}": self.class_weights[:, i] for i, c in enumerate(self.classes)}
        return columns | {f"error {word(c)}": self.errors[:, i] for i, c in enumerate(self.classes)}


def nested_class_weights(
    multiclass_scores: MulticlassScores,
    *,
    n_start: int = 1000,
    n_steps: int = 5,
    keep: int = 100,
    seed: int = 0,
    undefined: str = "raise",
    threads: int | None = None,
) -> NestedSearch:
    """The honest errors of searched class weights: chosen on all folds but one, judged on that one.

    Selection is optimistic. :func:`rocsteady.search_class_weights` takes the best of thousands of vectors,
    and the errors it reports are those on the very rows it chose by. Here every fold is decided by weights
    that it had no say in; so this is the honest figure for "search, then deploy". The classifiers of the
    folds are taken as given: the outputs must come from cross-validation.

    The errors of each class are honest. The error of the worst class is given from both sides, see
    ``max_error`` and ``mean_max_error`` of the result.

    Parameters
    ----------
    multiclass_scores : MulticlassScores
        With at least two folds.
    n_start, n_steps, keep, seed, threads
        As for :func:`rocsteady.search_class_weights`; the same for every fold.
    undefined : {"raise", "drop", "keep"}
        What to do about folds that lack a class. ``"drop"`` leaves them out altogether, ``"keep"`` counts
        them for the classes that they have.

    Returns
    -------
    NestedSearch

    Raises
    ------
    UsageError
        RS042 for fewer than two folds.
    DataError
        RS078 if a fold lacks a class, or if one fold has all rows of a class; RS076 if outputs are negative.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> labels = np.arange(90) % 3
    >>> densities = np.exp(-((labels + rng.normal(size=90))[:, None] - [0, 1, 2]) ** 2 / 2)
    >>> scores = rs.MulticlassScores(labels, densities, folds=np.arange(90) // 3 % 5)
    >>> rs.nested_class_weights(scores)
    NestedSearch(5 folds: largest class error 0.5333 stacked, 0.6667 in the mean fold; 0.4667 as chosen)
    """
    scores = require_multiclass("nested_class_weights", multiclass_scores)
    one_of("undefined", undefined, ("raise", "drop", "keep"))
    class_rows_needed(scores)
    lacking = scores.undefined
    if len(scores.folds) > 1 and lacking and undefined == "raise":
        raise lacks_classes(
            lacking, "leave them out:  undefined='drop'", "count them for their classes:  undefined='keep'"
        )
    if lacking and undefined == "drop":
        scores = scores.select(folds_with_all_classes(scores))
    _require_folds(scores)
    search = search_class_weights(
        scores, n_start=n_start, n_steps=n_steps, keep=keep, seed=seed, threads=threads
    )
    weights = np.empty((len(scores.folds), scores.n_classes))
    wrong = np.zeros(weights.shape)
    for f, fold in enumerate(scores.folds):
        others = scores.select([name for name in scores.folds if name != fold])
        best = searched(scores.classes, class_rows(others), (n_start, n_steps, keep), seed, threads).best
        weights[f] = best.class_weights
        own = scores.select([fold])
        missed = own.label_index[decide(own, weights[f]) != own.label_index]
        wrong[f] = np.bincount(missed, minlength=scores.n_classes)
    sizes = scores.class_counts
    errors = np.divide(wrong, sizes, out=np.full(wrong.shape, np.nan), where=sizes > 0)
    mean, sd, n_defined = over_folds(errors)
    stacked = wrong.sum(axis=0) / sizes.sum(axis=0)
    return NestedSearch(
        scores.classes,
        scores.folds,
        class_weights=read_only(weights),
        errors=read_only(errors),
        mean=read_only(mean),
        sd=read_only(sd),
        standard_error=read_only(sd / np.sqrt(n_defined)),
        n_defined=read_only(n_defined),
        stacked=read_only(stacked),
        max_error=float(stacked.max()),
        mean_max_error=float(over_folds(errors.max(axis=1))[0]),  # NaN where a fold lacks a class
        search=search,
        optimism=read_only(stacked - search.best.errors),
        undefined=lacking,
    )


def _require_folds(scores: MulticlassScores) -> None:
    """RS042 for one fold; RS078 if the other folds of one lack a class."""
    if len(scores.folds) < 2:
        raise fail("RS042.two-folds", n=len(scores.folds))
    sizes = scores.class_counts
    alone = sizes == sizes.sum(axis=0)
    if alone.any():
        fold, place = (int(i) for i in np.argwhere(alone)[0])
        raise fail(
            "RS078.class-in-fold",
            label=shown(scores.classes[place]),
            fold=scores.folds[fold],
            folds=scores.folds,
        )
