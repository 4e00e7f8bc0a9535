"""What a reader study is planned from: a comparison, the ratings of a pilot, or published components."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import DataError, fail, near_match
from rocsteady.inference.readers.planning.power import StudyComponents
from rocsteady.options import one_number, whole_number
from rocsteady.scores.score_set import ScoreSet
from rocsteady.statistics.obuchowski_rockette import components
from rocsteady.statistics.reader_covariance import placed, products

if TYPE_CHECKING:
    from rocsteady.inference.readers.results import ReaderComparison
    from rocsteady.inference.readers.study import ReaderRatings

Floats = NDArray[np.float64]

_NAMES = ("modality_reader", "var", "cov1", "cov2", "cov3", "n_cases", "n_readers", "ratio")
_OPTIONAL = ("n_readers", "ratio")
_ELSEWHERE = {
    "vartr": "modality_reader",
    "var_tr": "modality_reader",
    "var(t*r)": "modality_reader",
    "treatment:reader": "modality_reader",
    "error": "var",
    "var(error)": "var",
    "kstar": "n_cases",
    "jstar": "n_readers",
}
"""What RJafroc, MRMCaov, the Iowa programs and Hillis et al. call them."""
_NO_PLAN = ("u-statistics", "compare_standalone", "summarize_readers")
EXAMPLE = (
    "plan_readers({'modality_reader': 0.0002, 'var': 0.0008, 'cov1': 0.00035, 'cov2': 0.00034, "
    "'cov3': 0.00024, 'n_cases': 114}, difference=0.05)"
)


@dataclass(frozen=True)
class Pilot:
    """What a plan knows of the study before.

    Attributes
    ----------
    parts : StudyComponents
        The variance components.
    n_readers : int or None
        Readers of the pilot; None where only components are known.
    n_modalities : int
        Modalities of the pilot.
    difference : float
        The largest difference seen between two modalities; NaN where only components are known.
    quantity : str
        What was measured.
    unit, positive, negative : str
        The words for a reader and for the two classes.
    design : str
        Who read what, unless everybody read everything.
    lower_is_better : bool
        Whether less is better, as of false positive rates.
    cases_per_patient : float
        NaN where cases are not grouped in patients.
    """

    parts: StudyComponents
    n_readers: int | None
    n_modalities: int
    difference: float
    quantity: str
    unit: str = "reader"
    positive: str = "1"
    negative: str = "0"
    design: str = ""
    lower_is_better: bool = False
    cases_per_patient: float = math.nan

    @property
    def is_single(self) -> bool:
        """Whether one reader is all there is: what readers have in common is not known then."""
        return self.n_readers == 1

    @property
    def df(self) -> float:
        """Degrees of freedom of MS(TR), what the variance within readers was learned from; 0 if unknown."""
        return 0 if self.n_readers is None else (self.n_modalities - 1) * (self.n_readers - 1)


def pilot_of(given: Any, *, readers: str, ratio: float | None, options: dict[str, Any]) -> Pilot:
    """The pilot in what was handed over; RS039 for what is none."""
    if isinstance(given, Mapping):
        found = _of_components(given)
    elif isinstance(given, ScoreSet):
        found = _of_comparison(_compared(given, options), ratio)
    elif hasattr(given, "components") and hasattr(given, "differences") and hasattr(given, "ratings"):
        found = _of_comparison(given, ratio)
    else:
        raise fail("RS039.pilot", kind=type(given).__name__, example=EXAMPLE)
    if readers == "random" and math.isnan(found.parts.modality_reader):
        raise fail("RS039.one-reader", unit=found.unit, n=found.n_readers or 0)
    if ratio is not None:
        found = replace(found, parts=_with_ratio(found.parts, ratio))
    return found


def _compared(score_set: ScoreSet, options: dict[str, Any]) -> ReaderComparison:
    from rocsteady.inference.readers.comparing import compare_readers

    try:
        return compare_readers(score_set, **options)
    except DataError as error:
        # What another analysis takes, a plan does not.
        error.remedies = tuple(
            remedy for remedy in error.remedies if not any(word in str(remedy) for word in _NO_PLAN)
        )
        raise


def _of_comparison(found: ReaderComparison, ratio: float | None) -> Pilot:
    ratings, of = found.ratings, found.components
    if of is None:
        raise fail("RS039.method", method=found.method)
    if of.nested:
        raise fail("RS039.nested", unit=found.unit, design=found.design, example=EXAMPLE)
    gain = max(of.cov2 - of.cov3, 0.0)
    n_cases = float(ratings.is_read.sum(axis=2).mean())
    parts = StudyComponents(
        modality_reader=float(of.ms_modality_reader - of.var + of.cov1 + gain),
        var=float(of.var),
        cov1=float(of.cov1),
        cov2=float(of.cov2),
        cov3=float(of.cov3),
        n_cases=n_cases,
        ratio=found.n_negatives / found.n_positives,
    )
    _require_noise(parts)
    if ratio is not None:
        parts = replace(parts, from_positives=_from_positives(found, parts))
    differences = [own.difference for own in found.differences]
    return Pilot(
        parts=parts,
        n_readers=len(found.readers),
        n_modalities=len(found.modalities),
        difference=float(max(differences, key=abs)),
        quantity=found.differences[0].quantity,
        unit=found.unit,
        positive=ratings.classes.positive,
        negative=ratings.classes.negative,
        design="" if ratings.is_crossed else found.design,
        lower_is_better=found.differences[0].lower_is_better,
        cases_per_patient=_cases_per_patient(ratings),
    )


def _cases_per_patient(ratings: ReaderRatings) -> float:
    return math.nan if ratings.clusters is None else len(ratings.cases) / np.unique(ratings.clusters).size


def _require_noise(parts: StudyComponents) -> None:
    """RS039 if the pilot shows no luck of cases at all."""
    if not parts.var > 0:
        raise fail("RS039.no-error", var=parts.var, example=EXAMPLE)


def _from_positives(found: ReaderComparison, parts: StudyComponents) -> tuple[float, float, float, float]:
    """What the positives have in each component, by DeLong's placements; RS039 where that is not known."""
    ratings: ReaderRatings = found.ratings
    quantity = found.differences[0].quantity
    if not ratings.is_crossed or ratings.clusters is not None or quantity not in ("AUC", "mean AUC"):
        patients = "" if ratings.clusters is None else ", cases in clusters"
        raise fail("RS039.ratio-of-crossed", quantity=quantity, design=f"{found.design}{patients}")
    of_class = class_parts(ratings.ratings, ratings.truth)
    whole = np.array([parts.var, parts.cov1, parts.cov2, parts.cov3])
    # Other estimates than DeLong's differ a little; each class is given half of that.
    own = of_class[0] + (whole - of_class[0] - of_class[1]) / 2
    return float(own[0]), float(own[1]), float(own[2]), float(own[3])


def class_parts(ratings: Floats, truth: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Var, Cov1, Cov2 and Cov3 by DeLong, of ``(t, r, c)`` ratings: of the positives, and of the negatives.

    The two add up to those of all cases; each falls like one over the cases of its class.
    """
    shape = ratings.shape[:2]
    cells = placed(ratings.reshape(-1, truth.size), truth)
    pairs = 2.0 * cells.n_positives * cells.n_negatives
    found = []
    for positives in (True, False):
        n = int(cells.n_positives[0] if positives else cells.n_negatives[0])
        matrix = products(cells.deviations(positives=positives)) / (np.outer(pairs, pairs) * n * (n - 1))
        of = components(cells.auc.reshape(shape), matrix.reshape(*shape, *shape))
        found.append(np.array([of.var, of.cov1, of.cov2, of.cov3]))
    return found[0], found[1]


def _with_ratio(parts: StudyComponents, ratio: float) -> StudyComponents:
    if ratio == parts.ratio:
        return parts
    if parts.from_positives is None:
        raise fail("RS039.ratio", ratio=ratio)
    return parts.with_ratio(ratio)


def _of_components(given: Mapping[Any, Any]) -> Pilot:
    """Components by name; RS039 for those that are missing, unknown or impossible."""
    named: dict[str, float] = {}
    for key, value in given.items():
        name = _ELSEWHERE.get(str(key).casefold(), str(key).casefold())
        if name not in _NAMES:
            meant = near_match(str(key), _NAMES)
            example = None if meant else EXAMPLE
            raise fail("RS039.component", component=key, known=_NAMES, meant=meant, example=example)
        named[name] = one_number(name, value, 114 if name in ("n_cases", "n_readers") else 0.0002)
    missing = [name for name in _NAMES if name not in named and name not in _OPTIONAL]
    if missing:
        given_names = ", ".join(named) or "none"
        raise fail("RS039.missing", missing=missing, given=given_names, example=EXAMPLE)
    n_readers = named.pop("n_readers", None)
    parts = StudyComponents(
        named["modality_reader"], named["var"], named["cov1"], named["cov2"], named["cov3"], named["n_cases"],
        ratio=named.get("ratio", math.nan),
    )  # fmt: skip
    # Also of numbers that are no numbers: nothing compares with them.
    is_possible = all(abs(own) <= parts.var for own in (parts.cov1, parts.cov2, parts.cov3))
    is_possible = is_possible and 0 < parts.var < math.inf and 1 <= parts.n_cases < math.inf
    if not is_possible or not math.isfinite(parts.modality_reader):
        raise fail(
            "RS039.impossible",
            components=", ".join((f"{name} {value:g}" for name, value in named.items())),
            example=EXAMPLE,
        )
    if n_readers is not None:
        n_readers = whole_number("n_readers", int(n_readers), least=2, example=5)
    return Pilot(parts, n_readers, 2, math.nan, "the mean over readers")
