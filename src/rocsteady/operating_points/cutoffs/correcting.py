"""What a chosen cut-off attains on new rows.

The rows that a cut-off was chosen on flatter it. By how much, resamples tell (Efron & Gong 1983; Harrell,
Lee & Mark 1996): in each the cut-off is chosen again, and its rates there are better than those that all rows
have at the same threshold. The mean difference is the optimism, and is taken off.

The threshold is a constant then, and both of its rates have an interval: Clopper & Pearson's limits of the
corrected rate. They are beta quantiles, those of the shares beyond two neighbouring order statistics, and a
chosen threshold lies between two such. Wilson's limits at the corrected rate cover less with few cases,
pivots and percentiles of resamples much less: these take few values near 0 and 1. Where cases do not count
one by one (weights, patients with several rows, groups) the rate is worth as many cases as would scatter as
much (Korn & Graubard 1998, Surv. Methodol. 24, 193-201): the spread is that of the differences in the
resamples, for patients and groups at least that at the threshold, and t quantiles allow for few of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.roc import RocCurve, sizes
from rocsteady.operating_points.cutoffs.case_resamples import (
    MOST_VERTICES,
    Patients,
    patients_of,
    resampled_cases,
    resampled_patients,
    some_vertices,
)
from rocsteady.operating_points.cutoffs.criteria import Criterion
from rocsteady.operating_points.cutoffs.group_resamples import drawn_groups, warn_of_few_groups
from rocsteady.operating_points.cutoffs.vertices import group_table
from rocsteady.options import open_share, resamples_asked, whole_number
from rocsteady.results import Result
from rocsteady.statistics.groups import degrees_of_freedom, effective_number, error_factor
from rocsteady.statistics.intervals import Interval, clopper_pearson, t_quantile
from rocsteady.words import percent, plural

if TYPE_CHECKING:
    from rocsteady.averaging.shared import SharedThresholdAverage
    from rocsteady.operating_points.cutoffs.choosing import Cutoff

Floats = NDArray[np.float64]

METHOD = "clopper-pearson, corrected"
_NO_SPREAD = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class CorrectedCutoff(Result):
    """What a chosen cut-off attains on new rows, made by ``cutoff.corrected()``.

    Attributes
    ----------
    threshold, rule : float, str
        The cut-off, as it was chosen.
    fpr, tpr, value : float
        What is to be expected on new rows: the apparent ones, less what choosing added. The value is what the
        criterion gives at these rates.
    apparent_fpr, apparent_tpr, apparent_value : float
        On the rows that the cut-off was chosen on.
    fpr_interval, tpr_interval : Interval or None
        Of the population's rates at this very threshold. None where nothing is known of it: of a single
        group, and where all groups have the same rate.
    confidence_level, n_resamples, seed : float, int, int
        As asked for.
    random : str
        What was drawn again: ``"cases"``, patients, or the groups of an average.
    criterion : Criterion
        What the threshold was chosen for.
    """

    _not_for_papers: ClassVar = ("n_resamples", "seed")

    threshold: float
    rule: str
    fpr: float
    tpr: float
    value: float
    apparent_fpr: float
    apparent_tpr: float
    apparent_value: float
    fpr_interval: Interval | None
    tpr_interval: Interval | None
    confidence_level: float
    n_resamples: int
    seed: int
    random: str
    criterion: Criterion
    _cases: tuple[float, float]  # that FPR and TPR are worth
    _of_groups: bool

    @property
    def reading(self) -> str:
        """Both rates in a sentence."""
        said = [_rate_words(self, name) for name in ("tpr", "fpr")]
        return (
            f"{'; '.join(said)} ({100 * self.confidence_level:g} % confidence; {self.random} are random, "
            f"and the cut-off is chosen again in every resample)."
        )

    def to_dict(self) -> dict[str, Any]:
        """As plain data that JSON can carry."""
        return super().to_dict() | {"criterion": str(self.criterion), "reading": self.reading}

    def __repr__(self) -> str:
        rates = [
            f"{name} {getattr(self, f'apparent_{name}'):.4f} -> {getattr(self, name):.4f}"
            for name in ("fpr", "tpr")
        ]
        return f"CorrectedCutoff(score {self.rule} {self.threshold:g}: {', '.join(rates)})"


def _rate_words(found: CorrectedCutoff, name: str) -> str:
    apparent, own = getattr(found, f"apparent_{name}"), getattr(found, f"{name}_interval")
    limits = "" if own is None else f", {percent(own.low)} to {percent(own.high)}"
    return (
        f"{name.upper()} {percent(apparent)} on the rows the cut-off was chosen on, about "
        f"{percent(getattr(found, name))} expected on new rows{limits}"
    )


def corrected(
    cutoff: Cutoff, *, confidence_level: float = 0.95, n_resamples: int = 2000, seed: int = 0
) -> CorrectedCutoff:
    """The rates of a chosen cut-off without what choosing added, and intervals of both.

    What they cover are the population's rates at this very threshold. (``cutoff.intervals()`` is about the
    threshold that is best in the population.) See simulations/cutoffs.py for how often.

    Parameters
    ----------
    cutoff : Cutoff
        On a curve the cases of either class are random; patients, where rows of a ScoreSet name them
        (``cluster=``) and some have several. On an average groups are random, and are drawn whole.
    confidence_level : float
        Between 0 and 1.
    n_resamples, seed : int
        The same seed gives the same numbers on any machine.

    Warns
    -----
    RocsteadyWarning
        RS242 for the average of a single group: its rates are not corrected, and have no interval.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(0)
    >>> labels = np.repeat([0, 1], 40)
    >>> cutoff = rs.choose_cutoff(rs.roc_curve(labels, rng.normal(size=80) + labels), "youden")
    >>> found = cutoff.corrected()
    >>> found.apparent_value > found.value
    True
    """
    return corrected_together(
        [cutoff], confidence_level=confidence_level, n_resamples=n_resamples, seed=seed
    )[0]


def corrected_together(
    cutoffs: Sequence[Cutoff], *, confidence_level: float = 0.95, n_resamples: int = 2000, seed: int = 0
) -> tuple[CorrectedCutoff, ...]:
    """Several cut-offs of one curve or average; groups are drawn once for all of them."""
    level = open_share("confidence_level", confidence_level)
    n_resamples = whole_number("n_resamples", n_resamples, least=2, example=2000)
    seed = whole_number("seed", seed, least=0, example=0)
    resamples_asked(n_resamples)
    curve: Any = cutoffs[0]._curve
    if isinstance(curve, RocCurve):
        worth = [_of_cases(curve, cutoff, level, n_resamples, seed) for cutoff in cutoffs]
    else:
        worth = _of_groups(curve, cutoffs, level, n_resamples, seed)
    return tuple(
        _made(cutoff, own, (level, n_resamples, seed)) for cutoff, own in zip(cutoffs, worth, strict=True)
    )


@dataclass(frozen=True)
class _Worth:
    """Corrected rates (FPR, TPR), how many cases each is worth (NaN for unknown), and what was drawn."""

    rates: tuple[float, float]
    cases: tuple[float, float]
    random: str


def _made(cutoff: Cutoff, worth: _Worth, how: tuple[float, int, int]) -> CorrectedCutoff:
    level, n_resamples, seed = how
    apparent = cutoff.fpr, cutoff.tpr
    fpr, tpr = worth.rates
    of_fpr, of_tpr = (
        rate_interval(rate, seen, cases, level)
        for rate, seen, cases in zip(worth.rates, apparent, worth.cases, strict=True)
    )
    return CorrectedCutoff(
        threshold=cutoff.threshold,
        rule=cutoff.rule,
        fpr=fpr,
        tpr=tpr,
        value=float(cutoff.criterion.value(fpr, tpr)),
        apparent_fpr=cutoff.fpr,
        apparent_tpr=cutoff.tpr,
        apparent_value=cutoff.value,
        fpr_interval=of_fpr,
        tpr_interval=of_tpr,
        confidence_level=level,
        n_resamples=n_resamples,
        seed=seed,
        random=worth.random,
        criterion=cutoff.criterion,
        _cases=worth.cases,
        _of_groups=not isinstance(cutoff._curve, RocCurve),
    )


def rate_interval(rate: float, apparent: float, cases: float, level: float) -> Interval | None:
    """Limits of a corrected rate that is worth so many cases; none where that is not known.

    Where no case was seen on one side, none may be there: an apparent rate of 0 has the limit 0.

    >>> rate_interval(0.85, 0.9, 40, 0.95)
    Interval(0.7016 to 0.9429, confidence level 0.95, clopper-pearson, corrected)
    """
    if not cases > 0:
        return None
    low, high = (float(end) for end in clopper_pearson(np.array(rate), cases, 1 - level))
    return Interval(0.0 if apparent == 0 else low, 1.0 if apparent == 1 else high, level, METHOD)


def _without_optimism(cutoff: Cutoff, drawn: Floats) -> tuple[float, float]:
    """The apparent rates less the mean of what choosing adds in the resamples.

    Beyond every score nothing is called positive, here and elsewhere.
    """
    if cutoff.index == 0:
        return 0.0, 0.0
    added = (drawn[:, 1:3] - drawn[:, 3:5]).mean(axis=0)
    fpr, tpr = np.clip(np.array([cutoff.fpr, cutoff.tpr]) - added, 0.0, 1.0)
    return float(fpr), float(tpr)


def _cases_worth(rate: float, variance: float, most: float, fewer: float = 1.0) -> float:
    """How many cases would scatter as much, times a factor, at most so many; 0 and 1 are half a case off."""
    inside = min(max(rate, 0.5 / most), 1 - 0.5 / most)
    return min(inside * (1 - inside) / variance * fewer, most) if variance > 0 else most


# Cases are random


def _of_cases(curve: RocCurve, cutoff: Cutoff, level: float, n_resamples: int, seed: int) -> _Worth:
    from rocsteady.operating_points.cutoffs.intervals import require_sample

    require_sample(curve)
    patients = patients_of(curve)
    drawn = _drawn_cases(curve, cutoff, patients, n_resamples, seed)
    if not drawn.size:  # one patient has all the cases of a class
        return _Worth((cutoff.fpr, cutoff.tpr), (nan, nan), plural(patients.unit if patients else "case"))
    rates = _without_optimism(cutoff, drawn)
    n_positives, n_negatives = map(float, sizes(curve))
    if patients is None and not curve.is_weighted:
        return _Worth(rates, (n_negatives, n_positives), "cases")
    variances = (drawn[:, 1:3] - drawn[:, 3:5]).var(axis=0)
    if patients is not None:
        variances = np.maximum(variances, drawn[:, 5:7].var(axis=0))
    cases = []
    for rate, variance, most, is_own in zip(
        rates, variances, (n_negatives, n_positives), (False, True), strict=True
    ):
        if patients is None:
            cases.append(_cases_worth(rate, float(variance), most))
            continue
        rows: Any = curve._rows
        n = np.unique(patients.codes[rows.is_positive == is_own]).size
        cases.append(_of_patients(rate, float(variance), most, n, level))
    return _Worth(rates, (cases[0], cases[1]), "cases" if patients is None else plural(patients.unit))


def _drawn_cases(
    curve: RocCurve, cutoff: Cutoff, patients: Patients | None, n_resamples: int, seed: int
) -> Floats:
    """The cut-off in every resample; kept, since tables and rates ask for the same."""
    key = n_resamples, seed
    if key not in cutoff._drawn:
        vertices = some_vertices(curve.fpr + curve.tpr, [cutoff.index], MOST_VERTICES)
        draws: dict[str, Any] = {"vertices": vertices}
        draw: Any = resampled_cases
        if patients is not None:
            draw, draws = resampled_patients, draws | {"patients": patients, "kept": cutoff.index}
        cutoff._drawn[key] = np.concatenate(list(draw(curve, cutoff.criterion, n_resamples, seed, **draws)))
    found: Floats = cutoff._drawn[key]
    return found


def _of_patients(rate: float, variance: float, most: float, n_patients: int, level: float) -> float:
    """Where no spread is seen between patients, each of them is one case."""
    if variance <= _NO_SPREAD or n_patients < 2:
        return float(n_patients)
    return _cases_worth(rate, variance, most, _t_factor(level, n_patients - 1))


def _t_factor(level: float, df: float) -> float:
    """By how much fewer cases make the normal quantile of a binomial interval one of Student's t."""
    return float((t_quantile(np.inf, level) / t_quantile(df, level)) ** 2)


# Groups are random


def _of_groups(
    average: SharedThresholdAverage, cutoffs: Sequence[Cutoff], level: float, n_resamples: int, seed: int
) -> list[_Worth]:
    table, units = group_table(average), plural(average.unit)
    n_groups = len(table)
    if n_groups < 2:
        warn_of_few_groups(average)
        return [_Worth((own.fpr, own.tpr), (nan, nan), units) for own in cutoffs]
    found = []
    weights = average._axis_weights
    most = [float(counts.sum()) for counts in (table.n_negatives, table.n_positives)]
    for cutoff, drawn in zip(cutoffs, drawn_groups(average, cutoffs, n_resamples, seed), strict=True):
        rates = _without_optimism(cutoff, drawn)
        at = average.rates_at(cutoff.threshold, rule=cutoff.rule)
        errors = float(at.fpr_standard_error), float(at.tpr_standard_error)
        spreads = (drawn[:, 1:3] - drawn[:, 3:5]).std(axis=0)
        cases = []
        for rate, error, spread, own, all_cases in zip(rates, errors, spreads, weights, most, strict=True):
            n, df = effective_number(own), degrees_of_freedom(own)
            expanded = spread * np.sqrt(n / (n - 1)) if n > 1 else nan
            widest = max(error, float(expanded) * error_factor(n, average.design.test_train_ratio))
            is_known = df > 0 and widest > _NO_SPREAD
            worth = _cases_worth(rate, widest**2, all_cases, _t_factor(level, df)) if is_known else nan
            cases.append(worth)
        found.append(_Worth(rates, (cases[0], cases[1]), units))
    return found
