"""Comparisons in which groups are random: paired within groups, or two samples of different groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.base import mostly_alike
from rocsteady.averaging.methods import AtAlarmRate, Pooled
from rocsteady.inference.comparing.asked import Question
from rocsteady.inference.comparing.finishing import curve_of, difference_of
from rocsteady.inference.comparing.results import Difference, DifferenceCurve
from rocsteady.inference.comparing.sides import Reading, Side, positions, value_words
from rocsteady.options import How
from rocsteady.places import Place
from rocsteady.points.paired_tests import paired_tests, warn_constant
from rocsteady.statistics.groups import (
    SignFlips,
    normal_maxima,
    sign_flips,
    two_sample_flips,
    two_sided_quantile,
)
from rocsteady.statistics.intervals import Interval
from rocsteady.words import counted, grouped, percent, plural, what_groups_are

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
            what = what_groups_are(self.sides[0].scores.design, self.sizes[0], self.unit)
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
        averages = [side.average for side in self.sides]
        readings = [Reading("AUC", own.auc, own.auc + own._linearised_area()) for own in averages]
        freedom = [
            side.degrees_of_freedom(own.n_groups) for side, own in zip(self.sides, averages, strict=True)
        ]
        quantity = f"area under the {self.sides[0].method.label} average"
        return self._difference(quantity, readings, "", freedom, flips=False)

    def at(self, place: Place) -> list[Difference]:
        """The differences at one operating point."""
        place = place.among({side.name: side.n_cases for side in self.sides})
        read = [side.read(place) for side in self.sides]
        found = []
        for pair in zip(*read, strict=True):
            quantity, held = self._words(place, pair[0].rate)
            freedom = [
                side.degrees_of_freedom(own.values.size) for side, own in zip(self.sides, pair, strict=True)
            ]
            # At a rate of alerts the average is read along its direction, which is no rate.
            scale = "linear" if place.kind == "alerts" else "logit"
            flips = self.sides[0].each_meets or place.kind not in ("fpr", "tpr")
            found.append(self._difference(quantity, pair, held, freedom, scale, flips=flips))
        return found

    def _words(self, place: Place, rate: str) -> tuple[str, str]:
        names = self.sides[0].name, self.sides[1].name
        where = value_words(place, *names)
        if place.kind == "threshold":
            which = "threshold" if place.of(names[0]) == place.of(names[1]) else "thresholds"
            return f"{rate} at {which} {where}", f"at the frozen {which} {where}"
        name = {"fpr": "FPR", "tpr": "TPR", "alerts": "alert rate"}[place.kind]
        if self.sides[0].each_meets:
            how = f"every {self.unit} meets it with its own threshold"
            method = self.sides[0].method
            if place.kind == "alerts" and isinstance(method, AtAlarmRate):
                how += f", in a population with {percent(method.prevalence)} positives"
            return f"{rate} at {name} {where}", f"at {name} {where} ({how})"
        mean = "an overall" if isinstance(self.sides[0].method, Pooled) else "a mean"
        how = f"one threshold for all {plural(self.unit)}; that it would be chosen again is counted"
        return f"{rate} at {name} {where}", f"at {mean} {name} of {where} ({how})"

    def _difference(
        self,
        quantity: str,
        pair: Sequence[Reading],
        held: str,
        freedom: Sequence[float],
        scale: str = "logit",
        *,
        flips: bool = True,
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
        # Signs can be flipped of values that are independent; what groups add to one reading is not.
        flip = float("nan") if rho or not flips else self._flips(first[:, None], second[:, None]).pvalue
        return difference_of(
            self,
            quantity,
            means,
            error=error,
            df=df,
            own=self._own(pair, spreads, freedom, scale),
            flip_pvalue=flip,
            held=held,
            lower_is_better=pair[0].lower_is_better,
        )

    def _own(
        self, pair: Sequence[Reading], variances: Sequence[float], freedom: Sequence[float], scale: str
    ) -> list[Interval]:
        """The interval of each model's own mean: the one that its average has there."""
        level, found = self.question.confidence_level, []
        asked = How(level, scale=scale)
        for side, own, variance, df in zip(self.sides, pair, variances, freedom, strict=True):
            alike = bool(mostly_alike(own.values[:, None])[0])
            error = float(np.sqrt(variance))
            low, high = side.average._limits(own.rate.lower(), own.mean, error, asked, alike, df)
            found.append(Interval(float(low), float(high), level, asked.name))
        return found

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
