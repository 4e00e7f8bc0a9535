"""How the analysis of a reader study is wanted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.measures import Statistic
from rocsteady.errors import fail
from rocsteady.inference.readers import u_statistics
from rocsteady.inference.readers.covariance import (
    COVARIANCES,
    ELSEWHERE,
    default_covariance,
    error_covariance,
)
from rocsteady.inference.readers.measuring import measure_of
from rocsteady.inference.readers.study import ReaderRatings
from rocsteady.options import one_of, open_share, resamples_asked, whole_number
from rocsteady.points.paired_tests import adjusted

OBUCHOWSKI_ROCKETTE = "obuchowski-rockette"
U_STATISTICS = u_statistics.NAME
CENTRED = "centred"
"""What U-statistics do by default; ``"unbiased"`` is theirs without centring."""
METHODS = (OBUCHOWSKI_ROCKETTE, U_STATISTICS)
_OTHER_METHODS = {
    **dict.fromkeys(("or", "orh", "dbm", "dbmh", "obuchowski", "anova"), OBUCHOWSKI_ROCKETTE),
    **dict.fromkeys(("bdg", "imrmc", "gallas", "ustat", "one-shot"), U_STATISTICS),
}


@dataclass(frozen=True)
class Asked:
    """What a function was told about a reader study, checked.

    Attributes
    ----------
    readers, cases : {"random", "fixed"}
        What the result is to hold for: others like these, or these very ones.
    measure : Statistic
        What is read off every reader's curve.
    covariance : str
        How the covariances of the error over cases are estimated.
    method, adjust, missing, confidence_level, n_resamples, seed, threads
        As for :func:`rocsteady.compare_readers`.
    """

    readers: str
    cases: str
    measure: Statistic
    covariance: str
    confidence_level: float = 0.95
    method: str = OBUCHOWSKI_ROCKETTE
    adjust: str | None = "holm"
    missing: str = "raise"
    n_resamples: int = 2000
    seed: int = 0
    threads: int | None = None

    def covariances_of(self, ratings: ReaderRatings) -> NDArray[np.float64]:
        """Of the values over cases; NaN where there are too few, if the analysis does without."""
        does_without = self.method == U_STATISTICS or self.cases == "fixed"
        return error_covariance(
            ratings,
            self.measure,
            "unbiased" if self.covariance == CENTRED else self.covariance,
            n_resamples=self.n_resamples,
            seed=self.seed,
            threads=self.threads,
            undefined="nan" if does_without else "raise",
        )


def asked(
    *,
    readers: str = "random",
    cases: str = "random",
    measure: Any = "auc",
    covariance: str | None = None,
    confidence_level: float = 0.95,
    method: str = OBUCHOWSKI_ROCKETTE,
    adjust: str | None = "holm",
    missing: str = "raise",
    n_resamples: int = 2000,
    seed: int = 0,
    threads: int | None = None,
) -> Asked:
    """What is wanted, or a coded error that says what can be."""
    what_is_random(readers, cases)
    one_of("method", method, METHODS, elsewhere=_OTHER_METHODS)
    one_of("missing", missing, ("raise", "drop"))
    adjusted(np.array([0.5]), adjust)  # refuses an unknown way before anything is computed
    if covariance is not None:
        one_of("covariance", covariance, COVARIANCES, elsewhere=ELSEWHERE)
    if method == U_STATISTICS:
        u_statistics.require_random(readers, cases, measure)
        if covariance not in (None, "unbiased"):
            raise fail("RS002.u-covariance", covariance=covariance, analysis=OBUCHOWSKI_ROCKETTE)
        covariance = covariance or CENTRED
    of = measure_of(measure)
    return Asked(
        readers=readers,
        cases=cases,
        measure=of,
        covariance=default_covariance(of) if covariance is None else covariance,
        confidence_level=open_share("confidence_level", confidence_level),
        method=method,
        adjust=adjust,
        missing=missing,
        n_resamples=resamples_asked(n_resamples),
        seed=whole_number("seed", seed, least=0, example=0),
        threads=threads,
    )


def what_is_random(readers: str, cases: str) -> None:
    """RS001 or RS002 unless readers, cases or both are random."""
    for name, value in (("readers", readers), ("cases", cases)):
        one_of(name, value, ("random", "fixed"))
    if readers == cases == "fixed":
        raise fail("RS002.nothing-random")
