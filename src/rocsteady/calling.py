"""Calls as they are made in other packages: what was meant, and what to type here.

Python's own error for a call that does not fit is looked at only where the call itself failed. So a call that
fits costs nothing, an error from inside passes, and a misspelt keyword has Python's own message.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import wraps
from typing import Any, TypeVar, cast

from rocsteady.errors import Option, Remedy, fail, near_match

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)

OURS = {
    **dict.fromkeys(("pos_label", "positive_label", "pos_class"), "positive"),
    **dict.fromkeys(("y_true", "y", "target"), "labels"),
    **dict.fromkeys(("y_score", "y_prob", "y_proba", "y_pred", "probas_pred"), "scores"),
    **dict.fromkeys(("random_state", "random_seed", "rng"), "seed"),
    **dict.fromkeys(("sample_weights", "weights"), "sample_weight"),
    **dict.fromkeys(("n_boot", "n_bootstraps", "n_bootstrap", "boot_n", "n_iter"), "n_resamples"),
    **dict.fromkeys(("alpha", "ci", "conf_level", "confidence"), "confidence_level"),
    "n_jobs": "threads",
    "max_fpr": "fpr",
    "average_method": "method",
}
"""Keywords of other packages, and ours."""
LEVELS = ("alpha", "ci", "conf_level", "confidence", "confidence_level")
SEEDS = ("random_state", "random_seed", "rng", "seed")
NO_LEVEL = "leave it out: this test has no level, compare its  .pvalue  with yours"
"""For tests without an interval."""
NAMES = {
    "roc_auc_score": "rs.auc(labels, scores)",
    "roc_auc": "rs.auc(labels, scores)",
    "auc_score": "rs.auc(labels, scores)",
    "roc": "rs.roc_curve(labels, scores)",
    "delong_test": "rs.compare_auc(labels, scores_a, scores_b)",
    "delong": "rs.compare_auc(labels, scores_a, scores_b)",
    "delong_roc_test": "rs.compare_auc(labels, scores_a, scores_b)",
    "roc_test": "rs.compare_auc(labels, scores_a, scores_b)",
    "ci": "rs.auc_interval(labels, scores)",
    "signed_ranks": "rs.compare(score_set, 'a', 'b').wilcoxon",
    "sign_flips": "rs.compare(score_set, 'a', 'b').auc.flip_pvalue",
    "ci_auc": "rs.auc_interval(labels, scores)",
    "auc_ci": "rs.auc_interval(labels, scores)",
    "RocCurveDisplay": "rs.RocAverageDisplay.from_cv_results(cv_results, X, y), or rs.plot.roc(curve)",
    "det_curve": "rs.plot.det(rs.roc_curve(labels, scores))",
    "mean_roc": "rs.average(rs.ScoreSet.from_folds(pairs), 'vertical')",
    "mean_roc_curve": "rs.average(rs.ScoreSet.from_folds(pairs), 'vertical')",
    "roc_auc_ci": "rs.auc_interval(labels, scores)",
    "bootstrap_auc": "rs.bootstrap(rs.Scores(labels, scores))",
    "youden": "rs.choose_cutoff(rs.roc_curve(labels, scores), 'youden')",
    "plan_auc": "rs.plan(0.8)",
    "plan_readers": "rs.plan(pilot, difference=0.05)",
    "compare_standalone": "rs.compare_readers(score_set, standalone='AI')",
    "exact_class_weights": "rs.search_class_weights(multiclass_scores, exact=True)",
    "nested_class_weights": "rs.search_class_weights(multiclass_scores, nested=True)",
    "multiclass_auc": "rs.MulticlassScores.auc(multiclass_scores)",
    "cross_validated_outputs": "rs.MulticlassScores.cross_validated(estimator, X, y)",
    "read_csv": "rs.read_scores('scores.csv')",
    "TprAt": "rs.bootstrap(curve, {'fpr': 0.05})",
    "FprAt": "rs.bootstrap(curve, {'tpr': 0.9})",
    "RatesAt": "rs.bootstrap(curve, {'threshold': 0.5})",
    "SensitivityAt": "rs.compare_readers(score_set, measure={'specificity': 0.9})",
    "SpecificityAt": "rs.compare_readers(score_set, measure={'threshold': 3, 'rate': 'specificity'})",
    **{name: f"rs.average(x, {name.lower()!r})" for name in ("Diagonal", "Radial", "Tangent", "Threshold")},
    "Binormal": "rs.average(x, 'binormal')",
    "h_measure": "rs.roc_curve(labels, scores).h_measure()",
    "crossings": "rs.roc_curve(labels, scores_a).crossings(rs.roc_curve(labels, scores_b))",
    "smroc_curves": "rs.smroc_curve(score_set)",
}
"""What functions are called elsewhere, or were once, and what to type here."""


def welcomes(
    *usual: Remedy,
    asks: Callable[..., Exception | None] | None = None,
    instead: Mapping[str, str] | None = None,
) -> Callable[[F], F]:
    """Tell what to type where a call does not fit.

    Parameters
    ----------
    *usual : str
        How the function is called here; where none is named, keywords alone are looked at.
    asks : callable, optional
        Makes the error where an argument is missing, from what was given; None for the usual one.
    instead : mapping, optional
        Keywords that other packages have and this function has in another way: what to type, the value in
        place of braces.
    """

    def around(function: F) -> F:
        @wraps(function)
        def call(*given: Any, **named: Any) -> Any:
            try:
                return function(*given, **named)
            except TypeError as error:
                where = error.__traceback__
                if where is None or where.tb_next is not None:  # from inside
                    raise
                explained = _explained(function, usual, instead or {}, named, error)
                if asks is not None and "missing" in str(error):
                    explained = asks(*given, **named) or explained
                if explained is error:
                    raise
            raise explained

        return cast("F", call)

    return around


def welcoming(*methods: str) -> Callable[[C], C]:
    """A class whose methods of these names know the keywords of other packages."""

    def around(kind: C) -> C:
        for name in methods:
            setattr(kind, name, welcomes()(vars(kind)[name]))
        return kind

    return around


def _explained(
    function: Callable[..., Any],
    usual: tuple[Remedy, ...],
    instead: Mapping[str, str],
    named: Mapping[str, Any],
    error: TypeError,
) -> Exception:
    """The error to raise; the same one where Python's message says enough."""
    import inspect

    known = inspect.signature(function).parameters
    name = function.__qualname__.removesuffix(".__init__")
    for word in (word for word in named if word not in known):
        if word in instead:
            ways = [instead[word].format(named[word])]
            return fail("RS002.keyword", name=name, word=word, ways=ways)
        return no_such_keyword(word, named, known, name) if _ours(word, known) else error
    if not usual:
        return error
    found = str(error).partition("() ")[2]
    return fail("RS002.call", name=name, found=found or str(error), ways=usual)


def no_such_keyword(word: str, named: Mapping[str, Any], known: Collection[str], name: str) -> Exception:
    """For a keyword that a function does not have: what it is called here, or Python's own message."""
    ours = _ours(word, known)
    if ours is None:
        return TypeError(f"{name}() got an unexpected keyword argument {word!r}")
    if ours in ("labels", "scores"):
        way: Remedy = "pass labels first, then scores"
    else:
        way = ["here it is called  ", _renamed(ours, word, named[word])]
    return fail("RS002.keyword", name=name, word=word, ways=[way])


def _ours(word: str, known: Collection[str]) -> str | None:
    """The keyword that is meant, perhaps in the other number: ``label``, ``labels``."""
    meant = [OURS.get(word, word), word]
    if "n_resamples" in meant:
        meant.append("n_permutations")
    every = (own for name in meant for own in (name, f"{name}s", name.removesuffix("s")))
    return next((own for own in every if own in known), None)


def _renamed(ours: str, word: str, value: object) -> Option | str:
    if word == "alpha" and isinstance(value, float):
        return Option(ours, round(1 - value, 12))
    if word == "max_fpr":
        return Option(ours, (0, value))
    plain = isinstance(value, str | int | float | bool) or value is None
    return Option(ours, value) if plain else f"{ours}={word}"


ALIKE = 0.75
"""How near a misspelt name is: "averge" is "average", but "explain" is not "plan"."""


def no_such_name(name: str, known: list[str]) -> Exception:
    """For a name that the package does not have: what it is called here, or which is near."""
    near = None if name.startswith("_") else near_match(name, known, ALIKE) or _near_part(name, known)
    if name not in NAMES and near is None:
        return AttributeError(f"module 'rocsteady' has no attribute {name!r}")
    return fail("RS002.name", name=name, ways=[NAMES.get(name, f"rs.{near}")])


def _near_part(name: str, known: list[str]) -> str | None:
    """The name one of whose words is near: "curvs" is one of "roc_curves"."""
    words = {part: own for own in reversed(known) for part in own.split("_") if len(part) > 3}
    part = near_match(name, words, ALIKE) if len(name) > 3 else None
    return None if part is None else words[part]
