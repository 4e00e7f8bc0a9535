"""The SPSS example again and again: are the printed numbers those of such a sample, and whose formula is it?

Every replicate draws 300 + 300 scores. Its area gets SPSS's nonparametric standard error, in which the
chances of two pairs that share a case are counted, and Hanley and McNeil's, in which they come from the area.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papers.checks import Check, binomial, simulated
from papers.slides import printed
from papers.slides.parameters import EXAMPLE
from papers.slides.spss import implied_standard_error
from rocsteady.counting.table import curve_moments
from rocsteady.curves.intervals import standard_errors
from rocsteady.points.criteria import strictest_optima
from rocsteady.results import Result

Floats = NDArray[np.float64]
SEED = 100
"""Of the first batch; the others follow. The long run behind expected.json starts elsewhere."""
BATCH = 1000
SECTION = "SPSS example, repeated"
GIVEN = "of samples that print .955"
FITS, PRINTS = "fits the printed interval", "prints .007"
"""Of those samples: their standard error."""
MEANS = ("area", "nonparametric", "hanley-mcneil", "youden cut-off", "youden index", "closest cut-off")
SHARES = ("prints .955", "prints .955 and .007", "prints the whole area table", "youden is closest")


@dataclass(frozen=True, eq=False, repr=False)
class Replicates(Result):
    """What repeated samples of the example give.

    Attributes
    ----------
    n_replicates : int
        Number of samples.
    mean, sd : mapping
        Of the area, its two standard errors, the cut-offs and the largest TPR - FPR.
    share : mapping
        How many samples print what the slides print, and in how many both cut-offs are one.
    given_area : mapping
        Of the samples whose area prints as .955: how many they are, mean and sd of the nonparametric standard
        error, how many have one below .0074, print it as .007, and would print Hanley and McNeil's as .009.
    values : mapping
        Every reading of every sample.
    """

    n_replicates: int
    mean: Mapping[str, float]
    sd: Mapping[str, float]
    share: Mapping[str, float]
    given_area: Mapping[str, float]
    _values: Mapping[str, Floats]

    @property
    def values(self) -> Mapping[str, Floats]:
        """The readings, sample by sample."""
        return self._values

    def tail(self, name: str, value: float) -> float:
        """How often a sample is at least as far out as the value, on either side."""
        below = float((self._values[name] <= value).mean())
        return min(1.0, 2 * min(below, 1 - below))

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        plain = {name: dict(getattr(self, name)) for name in ("mean", "sd", "share", "given_area")}
        return {"n_replicates": self.n_replicates, **plain}

    def __repr__(self) -> str:
        return (
            f"Replicates({self.n_replicates} samples, area {self.mean['area']:.4f}, sd {self.sd['area']:.4f})"
        )


def replicates(n_replicates: int, seed: int = SEED) -> Replicates:
    """Draw so many samples; a batch at a time, each with a seed of its own."""
    batches = list(_batches(n_replicates, seed))
    values = {name: np.concatenate([batch[name] for batch in batches]) for name in batches[0]}
    like = _prints(values["area"], printed.AREA["area"])
    alike = like & _prints(values["nonparametric"], printed.AREA["standard_error"])
    z = 1.959963984540054
    low, high = (values["area"] + sign * z * values["nonparametric"] for sign in (-1, 1))
    whole = alike & _prints(low, printed.AREA["low"]) & _prints(high, printed.AREA["high"])
    same = values["youden cut-off"] == values["closest cut-off"]
    return Replicates(
        n_replicates,
        {name: float(values[name].mean()) for name in MEANS},
        {name: float(values[name].std(ddof=1)) for name in MEANS},
        dict(zip(SHARES, (float(which.mean()) for which in (like, alike, whole, same)), strict=True)),
        _given_area(values, like),
        values,
    )


def _batches(n_replicates: int, seed: int) -> Iterator[dict[str, Floats]]:
    for batch, start in enumerate(range(0, n_replicates, BATCH)):
        yield _batch(min(BATCH, n_replicates - start), [seed, batch])


def _batch(n_replicates: int, seed: list[int]) -> dict[str, Floats]:
    n = printed.N_PER_GROUP
    random = np.random.default_rng(seed)
    negatives = random.normal(EXAMPLE.negative_mean, EXAMPLE.negative_sd, (n_replicates, n))
    positives = random.normal(EXAMPLE.positive_mean, EXAMPLE.positive_sd, (n_replicates, n))
    scores = np.concatenate([positives, negatives], axis=1)
    order = np.argsort(-scores, axis=1)
    ranked = np.take_along_axis(scores, order, axis=1)
    tp, fp = (np.pad(np.cumsum(of_class, axis=1), ((0, 0), (1, 0))) for of_class in (order < n, order >= n))
    offsets = np.arange(n_replicates + 1, dtype=np.int64) * tp.shape[1]
    moments = curve_moments(tp.ravel(), fp.ravel(), offsets)
    found = {"area": np.asarray(moments.wins / (2 * n * n))}
    for method in ("nonparametric", "hanley-mcneil"):
        found[method] = standard_errors(method, moments, tp.ravel(), fp.ravel(), offsets)
    for criterion in ("youden", "closest"):
        best = strictest_optima(criterion, tp, fp)  # a vertex; it calls the first `best` scores positive
        rows = np.arange(n_replicates)
        found[f"{criterion} cut-off"] = (ranked[rows, best - 1] + ranked[rows, best]) / 2
        if criterion == "youden":
            found["youden index"] = np.asarray((tp[rows, best] - fp[rows, best]) / n)
    return found


def _prints(values: Floats, shown: float) -> NDArray[np.bool_]:
    """Which numbers are shown as this one, with three digits."""
    scale = 10.0**printed.AREA_PLACES
    return np.asarray(np.round(values * scale) == round(shown * scale))


def _given_area(values: Mapping[str, Floats], like: NDArray[np.bool_]) -> dict[str, float]:
    own, other = values["nonparametric"][like], values["hanley-mcneil"][like]
    return {
        "samples": float(own.size),
        "mean": float(own.mean()),
        "sd": float(own.std(ddof=1)),
        "below .0074": float((own < 0.0074).mean()),
        FITS: float((own < implied_standard_error()[1]).mean()),
        PRINTS: float(_prints(own, 0.007).mean()),
        "hanley-mcneil prints .009": float(_prints(other, 0.009).mean()),
    }


def checks(found: Replicates, long_run: Mapping[str, Any]) -> list[Check]:
    """Against the closed forms where there are some, and against a long run of other samples."""
    n, m = found.n_replicates, long_run["n_replicates"]
    true_error = EXAMPLE.auc_standard_error(printed.N_PER_GROUP, printed.N_PER_GROUP)
    source = f"{n} samples"
    results = [
        simulated(
            SECTION,
            "mean area is the population's",
            EXAMPLE.auc,
            found.mean["area"],
            true_error / math.sqrt(n),
            source,
        ),
        simulated(
            SECTION,
            "sd of areas is the true standard error",
            true_error,
            found.sd["area"],
            _error_of_sd(found.values["area"]),
            source,
        ),
    ]
    for name in MEANS:
        error = long_run["sd"][name] * math.sqrt(1 / n + 1 / m)
        name_of = f"mean {name}, as in the long run"
        results.append(
            simulated(SECTION, name_of, long_run["mean"][name], found.mean[name], error, f"{source} and {m}")
        )
    for name in SHARES:
        results.append(binomial(SECTION, f"share: {name}", long_run["share"][name], found.share[name], n))
    return [*results, *_checks_given_area(found.given_area, long_run["given_area"])]


def _checks_given_area(given: Mapping[str, float], wanted: Mapping[str, float]) -> list[Check]:
    size = int(given["samples"])
    error = wanted["sd"] * math.sqrt(1 / size + 1 / wanted["samples"])
    source = f"{size} and {int(wanted['samples'])} samples"
    name = f"mean standard error {GIVEN}"
    results = [simulated(SECTION, name, wanted["mean"], given["mean"], error, source)]
    for name in list(given)[3:]:
        results.append(binomial(SECTION, f"share {GIVEN}: {name}", wanted[name], given[name], size))
    return results


def _error_of_sd(values: Floats) -> float:
    """The error of a standard deviation, without taking the values for normal."""
    sd, deviations = values.std(ddof=1), values - values.mean()
    return float(np.sqrt(((deviations**2 - sd**2) ** 2).mean() / values.size) / (2 * sd))
