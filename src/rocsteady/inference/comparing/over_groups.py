"""Comparisons in which groups are random: paired within groups, or two samples of different groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.across import areas_under, resampled_readings
from rocsteady.averaging.base import FEWEST_GROUPS, Asked
from rocsteady.averaging.methods import AtAlarmRate, Pooled, Threshold
from rocsteady.inference.comparing.asked import Question
from rocsteady.inference.comparing.finishing import curve_of, difference_of
from rocsteady.inference.comparing.own_intervals import about
from rocsteady.inference.comparing.places import Place
from rocsteady.inference.comparing.results import Difference, DifferenceCurve
from rocsteady.inference.comparing.sides import Reading, Side, positions
from rocsteady.operating_points.tables.significance import paired_tests, warn_constant
from rocsteady.uncertainty.intervals import Interval
from rocsteady.uncertainty.normal_maxima import normal_maxima
from rocsteady.uncertainty.resampling import Readings, ResampledGroups, ranked_cases, resampled_groups
from rocsteady.uncertainty.sign_flips import SignFlips, sign_flips
from rocsteady.uncertainty.spread import two_sided_quantile
from rocsteady.uncertainty.two_sample_flips import two_sample_flips
from rocsteady.words import counted, grouped, percent, plural

Floats = NDArray[np.float64]


class OverGroups:
    """Two models whose groups are a sample of all there might be."""

    def __init__(self, sides: tuple[Side, Side], question: Question, *, paired: bool) -> None:
        self.sides, self.question, self.paired = sides, question, paired
        self.unit = sides[0].scores.unit
        self.sizes = [side.aucs.size for side in sides]

    @property
    def n_groups(self) -> Any:
        """How many, of each model if they are not the same."""
        return self.sizes[0] if self.paired else tuple(self.sizes)

    @property
    def random(self) -> str:
        """What is random, in words."""
        if self.paired:
            what = self.sides[0].scores.design.phrase(self.sizes[0], self.unit)
            return f"{what}, and each is its own control"
        sizes = " and ".join(counted(n, self.unit) for n in self.sizes)
        return f"{sizes}, which are not paired, are taken as two random samples"

    @property
    def test(self) -> str:
        """Which test, in words."""
        test = "paired t" if self.paired else "Welch's t"
        corrected = ", corrected for shared training cases" if self.question.test_train_ratio else ""
        return f"{test} over {plural(self.unit)}{corrected}"

    def auc(self) -> Difference:
        """The difference of the mean AUCs."""
        readings = [Reading("AUC", float(side.aucs.mean()), side.aucs) for side in self.sides]
        return self._difference("mean AUC", readings, "", [n - 1.0 for n in self.sizes])

    def area(self) -> Difference | None:
        """The difference of the areas under the averages, where these are not the mean AUCs."""
        if self.sides[0].each_meets:
            return None
        draws = [self._resampled(side, None, number) for number, side in enumerate(self.sides)]
        means = [side.average.auc for side in self.sides]
        quantity = f"area under the {self.sides[0].method.label} average"
        return self._of_draws(quantity, "", means, draws, lower_is_better=False, flip=np.nan)

    def at(self, place: Place) -> list[Difference]:
        """The differences at one operating point."""
        read = [side.read(place) for side in self.sides]
        found = []
        for pair in zip(*read, strict=True):
            quantity, held = self._words(place, pair[0].rate)
            freedom = [
                side.degrees_of_freedom(own.values.size) for side, own in zip(self.sides, pair, strict=True)
            ]
            own = self._difference(quantity, pair, held, freedom)
            if self._is_drawn_again(place):
                draws = [self._resampled(side, place, number) for number, side in enumerate(self.sides)]
                means = [reading.mean for reading in pair]
                own = self._of_draws(
                    quantity,
                    held,
                    means,
                    draws,
                    lower_is_better=pair[0].lower_is_better,
                    flip=own.flip_pvalue,
                )
            found.append(own)
        return found

    def _is_drawn_again(self, place: Place) -> bool:
        """Whether a shared threshold is chosen anew for the budget in every resample of groups."""
        return (
            place.kind in ("fpr", "tpr")
            and not self.question.test_train_ratio
            and not self.sides[0].each_meets
            and min(side.average.n_groups for side in self.sides) >= FEWEST_GROUPS
        )

    def _words(self, place: Place, rate: str) -> tuple[str, str]:
        where = place.words(self.sides[0].name, self.sides[1].name)
        if place.kind == "threshold":
            which = "thresholds" if " and " in where else "threshold"
            return f"{rate} at {which} {where}", f"at the frozen {which} {where}"
        name = {"fpr": "FPR", "tpr": "TPR", "rate": "alert rate"}[place.kind]
        if self.sides[0].each_meets:
            how = f"every {self.unit} meets it with its own threshold"
            method = self.sides[0].method
            if place.kind == "rate" and isinstance(method, AtAlarmRate):
                how += f", in a population with {percent(method.prevalence)} positives"
            return f"{rate} at {name} {where}", f"at {name} {where} ({how})"
        mean = "an overall" if isinstance(self.sides[0].method, Pooled) else "a mean"
        how = f"one threshold for all {plural(self.unit)}, chosen again in every resample of them"
        if not self._is_drawn_again(place):
            how = f"one threshold for all {plural(self.unit)}; that it would be chosen again is counted"
        return f"{rate} at {name} {where}", f"at {mean} {name} of {where} ({how})"

    def _difference(
        self, quantity: str, pair: Sequence[Reading], held: str, freedom: Sequence[float]
    ) -> Difference:
        first, second = (own.values for own in pair)
        means = [own.mean for own in pair]
        rho = self.question.test_train_ratio
        spreads = [float(own.var(ddof=1)) * (1 / own.size + rho) for own in (first, second)]
        if self.paired:
            found = paired_tests(first[:, None], second[:, None], test_train_ratio=rho)
            warn_constant(found, self.unit)
            error, df = float(found.standard_error[0]), min(freedom)
        else:
            error, df = float(np.sqrt(sum(spreads))), welch_freedom(spreads, freedom)
        # Signs can be flipped of groups that are independent.
        flip = float("nan") if rho else self._flips(first[:, None], second[:, None]).pvalue
        return difference_of(
            self,
            quantity,
            means,
            error=error,
            df=df,
            own=self._own(means, spreads, freedom),
            flip_pvalue=flip,
            held=held,
            lower_is_better=pair[0].lower_is_better,
        )

    def _own(
        self, means: Sequence[float], variances: Sequence[float], freedom: Sequence[float]
    ) -> list[Interval]:
        """The interval of each model's own mean."""
        level = self.question.confidence_level
        each = zip(means, variances, freedom, strict=True)
        return [about(mean, float(np.sqrt(variance)), df, level) for mean, variance, df in each]

    def _flips(self, first: Floats, second: Floats) -> SignFlips:
        q = self.question
        how: dict[str, Any] = {
            "confidence_level": q.confidence_level,
            "n_resamples": q.n_resamples,
            "seed": q.seed,
        }
        if not self.paired:
            return two_sample_flips(first, second, **how)
        if q.test_train_ratio:
            return normal_maxima(first - second, error_factor=q.error_factor(first.shape[0]), **how)
        return sign_flips(first - second, **how)

    def _resampled(self, side: Side, place: Place | None, number: int) -> ResampledGroups:
        """The reading (the area, without a place) of averages of resampled groups, or NaN."""
        q = self.question
        seed = q.seed if self.paired else q.seed_of(number)  # the same draws for both models keep the pairs
        if isinstance(side.method, Threshold) or side.method == Pooled():
            wanted = Readings(auc=True)
            if place is not None:
                at = [place.of(side.name)]
                wanted = Readings(tpr_at=at) if place.kind == "fpr" else Readings(fpr_at=at)
            cases = ranked_cases(side.scores, shared=True)
            kind = side.method.name
            return resampled_groups(
                cases, wanted, average=kind, n_resamples=q.n_resamples, seed=seed, threads=side.threads
            )
        asked = Asked(q.confidence_level, "t", q.n_resamples, seed)
        if place is not None:
            values = resampled_readings(side.average, place.kind, np.array([place.of(side.name)]), asked)
        else:
            values = np.concatenate([areas_under(*block) for block in side.average._resampled(asked)])[
                :, None
            ]
        return ResampledGroups(values, np.zeros(len(values), dtype=np.int64))

    def _of_draws(
        self,
        quantity: str,
        held: str,
        means: Sequence[float],
        draws: Sequence[ResampledGroups],
        *,
        lower_is_better: bool,
        flip: float,
    ) -> Difference:
        """A difference whose standard error is that of resampled groups."""
        freedom = [side.degrees_of_freedom(side.average.n_groups) for side in self.sides]
        spreads = []
        for side, own in zip(self.sides, draws, strict=True):
            n = side.average.effective_groups
            spreads.append(_variance(own.values) * n / (n - 1) * self.question.error_factor(n) ** 2)
        if self.paired:
            n = min(side.average.effective_groups for side in self.sides)
            a, b = draws  # a resample counts where both models have a curve of the same groups
            variance = _variance((a.values - b.values)[a.redrawn == b.redrawn]) * n / (n - 1)
            df = min(freedom)
            variance *= self.question.error_factor(n) ** 2
        else:
            variance, df = sum(spreads), welch_freedom(spreads, freedom)
        return difference_of(
            self,
            quantity,
            means,
            error=float(np.sqrt(variance)),
            df=df,
            own=self._own(means, spreads, freedom),
            flip_pvalue=flip,
            held=held,
            lower_is_better=lower_is_better,
            test=f"t with the spread of resampled {plural(self.unit)}",
        )

    def curve(self) -> DifferenceCurve | None:
        """The difference over the declared range; none of folds that are not paired: signs cannot flip."""
        if self.question.test_train_ratio and not self.paired:
            return None
        at, over = positions(self.sides, self.question.fpr)
        (first, a), (second, b) = (side.gains(at) for side in self.sides)
        flips = self._flips(a, b)
        freedom = [side.degrees_of_freedom(len(own)) for side, own in zip(self.sides, (a, b), strict=True)]
        level = self.question.confidence_level
        if self.paired:
            factor: Any = two_sided_quantile("t", level, min(freedom))
        else:
            spreads = [own.var(axis=0, ddof=1) / len(own) for own in (a, b)]
            dfs = welch_freedom(spreads, freedom)
            factor = np.array([two_sided_quantile("t", level, df) for df in dfs])
        kind = "max-t, signs flipped" if self.paired else "max-t, signs of residuals flipped"
        how = "in every way" if flips.is_exact else f"{grouped(self.question.n_resamples)} times at random"
        if self.paired and self.question.test_train_ratio:
            kind, how = "max-t of normal values, corrected for shared training cases,", "drawn " + how
        return curve_of(
            self,
            at,
            over,
            (first, second),
            flips,
            pointwise=factor * flips.standard_error,
            test=f"{kind} {how}",
        )


def welch_freedom(variances: Sequence[Any], freedom: Sequence[float]) -> Any:
    """Welch's degrees of freedom of a sum of variances of means; the least where nothing varies."""
    total = sum(variances)
    with np.errstate(invalid="ignore", divide="ignore"):
        parts = sum(np.asarray(v) ** 2 / f for v, f in zip(variances, freedom, strict=True))
        df = np.where(np.asarray(total) > 0, np.asarray(total) ** 2 / parts, min(freedom))
    return df if df.ndim else float(df)


def _variance(drawn: Floats) -> float:
    """Of what resamples have, those that have nothing left out; NaN for fewer than two."""
    usable = drawn[~np.isnan(drawn)]
    return float(np.var(usable, ddof=1)) if usable.size > 1 else float("nan")
