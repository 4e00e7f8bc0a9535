"""Requirements held against what was measured: the averages, or the one curve, of the models in a file."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rocsteady.cli.points import read_place
from rocsteady.cli.requirements import Requirement, Verdict
from rocsteady.errors import UsageError, fail
from rocsteady.words import counted

if TYPE_CHECKING:
    from rocsteady.averaging.base import Average
    from rocsteady.averaging.methods import Method
    from rocsteady.curves.roc import RocCurve
    from rocsteady.scores import ScoreSet
    from rocsteady.statistics.limits import Interval


_EXAMPLES = {
    "threshold": "tpr@t=0.5 >= 0.6",
    "pooled": "tpr@t=0.5 >= 0.6",
    "vertical": "tpr@fpr=0.05 >= 0.6",
    "horizontal": "fpr@tpr=0.9 <= 0.1",
}
"""What every average of that name can be asked."""


def judged(
    requirements: Sequence[Requirement],
    score_set: ScoreSet,
    method: Method,
    *,
    averages: Mapping[str, Average] | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    seed: int = 0,
    test_train_ratio: float | None = None,
) -> list[Verdict]:
    """What each requirement finds, model by model.

    ``averages`` are those that were made already, by model (``""`` where models have no names);
    ``test_train_ratio`` is that of the design unless another is given.

    Raises
    ------
    UsageError
        RS004 if a requirement names a model that is not there.
    """
    judge = _Judge(
        score_set, method, dict(averages or {}), confidence_level, n_resamples, seed, test_train_ratio
    )
    return [verdict for own in requirements for verdict in judge.verdicts(own)]


@dataclass(frozen=True, eq=False)
class _Judge:
    score_set: ScoreSet
    method: Method
    averages: dict[str, Average]
    level: float
    n_resamples: int
    seed: int
    test_train_ratio: float | None

    @cached_property
    def names(self) -> tuple[str, ...]:
        return self.score_set.models if len(self.score_set.models) > 1 else ("",)

    def verdicts(self, own: Requirement) -> list[Verdict]:
        known = self.score_set.models
        if not own.whose:
            return [self._of_model(own, name) for name in self.names]
        if own.whose in known:
            return [self._of_model(own, own.whose if len(known) > 1 else "")]
        pair = _pair(own.whose, known)
        if pair is None:
            models = known if any(known) else ["one, without a name"]
            raise fail("RS004.no-model", text=own.text, models=models)
        return [self._of_pair(own, *pair)]

    def _of_model(self, own: Requirement, name: str) -> Verdict:
        average = self._average(name)
        if average.n_groups == 1:
            value, interval, basis = self._of_curve(own, average.curves[0])
        elif own.place is None:
            interval = average.auc_interval(self.level)
            value, basis = average.auc, counted(average.n_groups, average.unit)
        else:
            read = self._read(own, average)
            value, interval = getattr(read, own.quantity), getattr(read, f"{own.quantity}_interval")
            if interval is None and own.place.kind == "eer":
                # One that is no mean over groups varies in a way that nobody has worked out.
                raise fail("RS004.equal-error-rate", text=own.text)
            basis = counted(average.n_groups, average.unit)
        return self._verdict(own, name, value, interval, basis)

    def _read(self, own: Requirement, average: Average) -> Any:
        assert own.place is not None  # _of_model
        try:
            return read_place(average, own.place, confidence_level=self.level).found
        except UsageError as error:
            raise fail(
                "RS004.unjudgeable",
                text=own.text,
                reason=error.problem,
                example=_EXAMPLES.get(average.method.label, "auc >= 0.8"),
            ) from error

    def _average(self, name: str) -> Average:
        from rocsteady.averaging.average import average

        if name not in self.averages:
            scores = self.score_set.model(name) if name else self.score_set
            self.averages[name] = average(scores, self.method, undefined="drop")
        return self.averages[name]

    def _of_curve(self, own: Requirement, curve: RocCurve) -> tuple[float, Interval | None, str]:
        """One dataset has no spread over datasets; its cases are what is random."""
        basis = counted(round(curve.n_positives + curve.n_negatives), "case")
        drawn: dict[str, Any] = {"n_resamples": self.n_resamples, "seed": self.seed}
        if own.place is None:
            how = "bootstrap" if curve.is_weighted else "guarded"
            return curve.auc, curve.auc_interval(self.level, how, **drawn), basis
        how, at = "bootstrap" if curve.is_weighted else "score", own.place.value
        if own.place.kind == "fpr":
            return curve.tpr_at(at), curve.tpr_interval(at, self.level, how, **drawn), basis
        if own.place.kind == "tpr":
            return curve.fpr_at(at), curve.fpr_interval(at, self.level, how, **drawn), basis
        if own.place.kind == "threshold":
            share = float(getattr(curve.rates_at(at), own.quantity))
            return share, _of_share(share, own.quantity, curve, self.level), basis
        read = read_place(self._average(""), own.place, confidence_level=self.level).found
        return getattr(read, own.quantity), None, basis

    def _of_pair(self, own: Requirement, a: str, b: str) -> Verdict:
        from rocsteady.inference.compare import compare_at

        place, found = own.place, None
        if place is None or place.kind in ("fpr", "tpr", "alerts", "threshold"):
            found = compare_at(
                self.score_set, a, b, method=self.method, at=place,
                confidence_level=self.level, n_resamples=self.n_resamples, seed=self.seed,
                test_train_ratio=self.test_train_ratio,
            )  # fmt: skip
        word = own.quantity.upper()
        for difference in () if found is None else found.differences:
            if place is None or difference.quantity.startswith(word):
                basis = self._basis(found)
                found_by = difference.difference, difference.interval, basis
                return self._verdict(own, f"{a} - {b}", *found_by, pair=(a, b))
        where = "" if place is None else place.said
        raise fail("RS004.of-difference", text=own.text, place=where, a=a, b=b)

    def _basis(self, found: Any) -> str:
        if found.random != "groups":
            return "their cases"
        n = found.n_groups if isinstance(found.n_groups, int) else sum(found.n_groups)
        return counted(n, self.score_set.unit)

    def _verdict(
        self,
        own: Requirement,
        whose: str,
        value: float,
        interval: Interval | None,
        basis: str,
        *,
        pair: tuple[str, str] | None = None,
    ) -> Verdict:
        """Of a model, or of the difference of a pair of them."""
        whole = 1.0 if pair is None else 0.0  # what a rate and its rest add up to
        low, high = (math.nan, math.nan) if interval is None else (interval.low, interval.high)
        value, low, high = float(value), float(low), float(high)
        if own.is_rest:
            value, low, high = whole - value, whole - high, whole - low
        return Verdict(own, whose, value, low, high, self.level, basis, pair)


def _of_share(share: float, quantity: str, curve: RocCurve, level: float) -> Interval | None:
    """Of a rate at a threshold that is fixed: a share of the cases of one class."""
    import numpy as np

    from rocsteady.curves.roc import cases_at
    from rocsteady.statistics.limits import Interval

    if curve.is_weighted:
        return None
    shares = curve.tpr if quantity == "tpr" else curve.fpr
    vertex = np.argmin(np.abs(shares - share))
    low, high = cases_at(curve, np.asarray(vertex))[0 if quantity == "tpr" else 1].limits(share, level)
    return Interval(float(low), float(high), level, "wilson")


def _pair(text: str, known: Sequence[str]) -> tuple[str, str] | None:
    """``a - b`` as two known models; a name may have a dash in it."""
    pieces = text.split(" - ")
    for cut in range(1, len(pieces)):
        first, second = " - ".join(pieces[:cut]).strip(), " - ".join(pieces[cut:]).strip()
        if first in known and second in known:
            return first, second
    return None
