"""The SPSS example: 300 healthy and 300 diseased, SPSS's tables of them, and whether the printed are such.

The slides give the two populations and the sizes, not the seed. Here samples 0, 1, 2 ... are drawn;
``curve.spss()`` prints their tables.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtr, ndtr, ndtri

import rocsteady as rs
from papers.paper import Check, Claim, Figure, Part, Table, binomial, exact, simulated
from papers.slides import printed
from papers.slides.cutoffs import in_rows
from papers.slides.normals import EXAMPLE, curve_of, dot, titled
from papers.slides.printed import AREA, AREA_PLACES, N_PER_GROUP, implied_standard_error, spelled
from rocsteady.counting.table import curve_moments
from rocsteady.curves.intervals import standard_errors
from rocsteady.curves.spss import SpssTables, spss_limits
from rocsteady.figures.densities import picture as densities_picture
from rocsteady.figures.roc_space import View
from rocsteady.figures.spec import Axis, Entry, Key, Line, Panel, Picture, Points, Region
from rocsteady.figures.style import COLUMN, INK, LOOKS
from rocsteady.points.criteria import strictest_optima
from rocsteady.results import Result
from rocsteady.simulate import standard_normal_nodes
from rocsteady.statistics.delong import hanley_mcneil_variance
from rocsteady.statistics.limits import two_sided_pvalue
from rocsteady.text import Quote

Floats = NDArray[np.float64]
POPULATIONS = (EXAMPLE.negative_mean, EXAMPLE.negative_sd), (EXAMPLE.positive_mean, EXAMPLE.positive_sd)
TRUE_ERROR = EXAMPLE.auc_standard_error(N_PER_GROUP, N_PER_GROUP)
"""Of the area of a sample."""
SEED = 0
MOST_SAMPLES = 2000
"""Where the search for a sample that prints like the slides' ends; a few in a thousand do."""
PLAUSIBLE = 0.01
"""A printed number is that of a sample if numbers at least as far out are more frequent than this."""
PRINTED = "SPSS tables, as printed"
OURS = "SPSS tables, a sample of ours"
POPULATION = "SPSS example, population"
REPEATED = "SPSS example, repeated"
HOW_FAR = "Printed numbers, how often a sample is as far out"


# A sample, and SPSS's tables of it ------------------------------------------------------------------------


def spss(n_replicates: int, stored: Mapping[str, Any]) -> Part:
    """SPSS's tables of a sample, of the slides and of many samples; ``stored`` has a long run."""
    own, alike, found, long_run = sample(), first_alike(), replicates(n_replicates), stored["repeated"]
    plausible = plausibility(found)
    return Part(
        checks=(
            *_sample_checks(own),
            *_population_checks(),
            *_plausibility_checks(stored["plausibility"]),
            *replicate_checks(found, long_run),
        ),
        claims=claims(own, alike, found, plausible, long_run),
        tables=(_groups(own, alike), _areas(own, alike), _coordinates(own), _plausible(plausible)),
        figures=_figures(own, found),
        numbers={
            "SPSS tables": own.tables,
            "SPSS tables, printed alike": alike.tables,
            "repeated": found,
            "plausible": [row._asdict() for row in plausible],
        },
    )


@dataclass(frozen=True, eq=False, repr=False)
class Sample(Result):
    """A sample of the example with what SPSS prints of it."""

    seed: int
    scores: rs.Scores
    curve: rs.RocCurve
    tables: SpssTables

    _line = "seed {seed}, area {tables.area.area:.3f}"

    def area(self) -> dict[str, float]:
        """The numbers of "Area Under the Curve"."""
        own = self.tables.area
        numbers = (own.area, own.standard_error, own.pvalue, own.interval.low, own.interval.high)
        return dict(zip(AREA, numbers, strict=True))

    def prints_alike(self) -> bool:
        """Whether that table shows the numbers that the slides show."""
        return all(
            spelled(x, AREA_PLACES) == spelled(AREA[name], AREA_PLACES) for name, x in self.area().items()
        )


@cache
def sample(seed: int = SEED) -> Sample:
    """300 healthy and 300 diseased."""
    labels, scores = EXAMPLE.draw(N_PER_GROUP, N_PER_GROUP, seed)
    states = np.where(labels, printed.DISEASED.name, printed.HEALTHY.name)
    drawn = rs.Scores(states, scores, positive=printed.DISEASED.name)
    curve = rs.roc_curve(drawn)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocsteadyWarning)  # of the symmetric interval, which is the matter
        return Sample(seed, drawn, curve, curve.spss(variable=printed.VARIABLE, state=printed.STATE))


def first_alike() -> Sample:
    """The first of samples 0, 1, 2, ... whose table of the area looks like the slides'."""
    for seed in range(MOST_SAMPLES):
        found = sample(seed)
        if found.prints_alike():
            return found
    raise RuntimeError(f"none of {MOST_SAMPLES} samples prints the area table of the slides")


def _sample_checks(own: Sample) -> list[Check]:
    """What the printed tables say about each other, and that ours is made in the same way."""
    results = []
    for group in (printed.HEALTHY, printed.DISEASED):
        name = f"{group.name}: standard error of the mean is sd / sqrt(n)"
        found = group.sd / math.sqrt(group.n)
        results.append(Check(PRINTED, name, group.standard_error, found, 5.3e-6, "rounding of both"))
    tp, fp = printed.printed_counts(printed.CORNER_ROWS)
    steps = [a - b + c - d for a, b, c, d in zip(tp, tp[1:], fp, fp[1:], strict=False)]
    largest = max(abs(rate - round(300 * rate) / 300) for _, *rates in printed.CORNER_ROWS for rate in rates)
    table, scores = own.tables.coordinates, np.sort(own.curve.thresholds[1:])
    middles = (scores[:-1] + scores[1:]) / 2
    return [
        *results,
        Check(PRINTED, "rates are shares of 300: largest gap", 0.0, largest, 5e-4 + 1e-9, "three digits"),
        exact(PRINTED, "cases between neighbouring rows, smallest", 1, min(steps)),
        exact(PRINTED, "cases between neighbouring rows, largest", 1, max(steps)),
        exact(OURS, "cut-offs: one more than scores", scores.size + 1, table.cutoffs.size),
        exact(OURS, "first cut-off is the lowest score - 1", scores[0] - 1, table.cutoffs[0]),
        exact(OURS, "last cut-off is the highest score + 1", scores[-1] + 1, table.cutoffs[-1]),
        exact(OURS, "others are midpoints: largest gap", 0.0, np.abs(table.cutoffs[1:-1] - middles).max()),
        exact(OURS, ">= and > at the cut-offs: largest gap", 0.0, _rule_gap(own)[0]),
    ]


def _rule_gap(own: Sample) -> tuple[float, int]:
    """How far rates at the cut-offs depend on the rule, and in how many rows."""
    cutoffs = own.tables.coordinates.cutoffs
    strict, loose = own.curve.rates_at(cutoffs, rule=">"), own.curve.rates_at(cutoffs)
    gaps = np.maximum(np.abs(strict.tpr - loose.tpr), np.abs(strict.fpr - loose.fpr))
    return float(gaps.max()), int((gaps > 0).sum())


def _population_checks() -> list[Check]:
    """The closed forms, and the same by quadrature."""
    source = "six digits of the specification"
    found = {"area": EXAMPLE.partial_auc(0.0, 1.0), "standard error": _integrated_error(N_PER_GROUP)}
    return [
        Check(POPULATION, "area", 0.951634, EXAMPLE.auc, 6e-7, source),
        Check(POPULATION, "standard error, 300 + 300", 0.007931, TRUE_ERROR, 6e-7, source),
        *(
            Check(POPULATION, f"{name}, by quadrature", own, found[name], 1e-8, "quadrature; nine digits")
            for name, own in (("area", EXAMPLE.auc), ("standard error", TRUE_ERROR))
        ),
    ]


def _integrated_error(n: int) -> float:
    """The standard error of the area from the chances that two pairs share a case, each integrated."""
    points, weights = standard_normal_nodes()
    at_negatives = EXAMPLE.tpr(EXAMPLE.negative_mean + EXAMPLE.negative_sd * points)
    at_positives = 1 - EXAMPLE.fpr(EXAMPLE.positive_mean + EXAMPLE.positive_sd * points)
    area = float((weights * at_negatives).sum())
    excess = float((weights * (at_negatives**2 + at_positives**2)).sum()) - 2 * area**2
    return math.sqrt((area * (1 - area) + (n - 1) * excess) / n**2)


# The example again and again ------------------------------------------------------------------------------

FIRST_BATCH = 100
"""Its seed; the others follow. The long run behind expected.json starts elsewhere."""
BATCH = 1000
GIVEN = "of samples that print .955"
FITS, PRINTS = "fits the printed interval", "prints .007"
"""Of those samples: their standard error."""
MEANS = ("area", "nonparametric", "hanley-mcneil", "youden cut-off", "youden index", "closest cut-off")
SHARES = ("prints .955", "prints .955 and .007", "prints the whole area table", "youden is closest")


@dataclass(frozen=True, eq=False, repr=False)
class Replicates(Result):
    """What repeated samples of the example give: means and spreads, how many print what the slides print.

    ``given_area`` is of the samples whose area prints as .955: how many they are, their nonparametric
    standard error, and how many have one that fits or prints as on the slides.
    """

    n_replicates: int
    mean: Mapping[str, float]
    sd: Mapping[str, float]
    share: Mapping[str, float]
    given_area: Mapping[str, float]
    values: Mapping[str, Floats]

    _untold = ("values",)
    _line = "{n_replicates} samples, area {mean[area]:.4f}, sd {sd[area]:.4f}"

    def tail(self, name: str, value: float) -> float:
        """How often a sample is at least as far out as the value, on either side."""
        below = float((self.values[name] <= value).mean())
        return min(1.0, 2 * min(below, 1 - below))


def replicates(n_replicates: int, seed: int = FIRST_BATCH) -> Replicates:
    """Draw so many samples; a batch at a time, each with a seed of its own."""
    batches = [
        _batch(min(BATCH, n_replicates - start), [seed, batch])
        for batch, start in enumerate(range(0, n_replicates, BATCH))
    ]
    values = {name: np.concatenate([batch[name] for batch in batches]) for name in batches[0]}
    low, high = spss_limits(values["area"], values["nonparametric"], 0.95)
    like = _prints(values["area"], AREA["area"])
    alike = like & _prints(values["nonparametric"], AREA["standard_error"])
    whole = alike & _prints(low, AREA["low"]) & _prints(high, AREA["high"])
    same = values["youden cut-off"] == values["closest cut-off"]
    own, other = values["nonparametric"][like], values["hanley-mcneil"][like]
    given = {
        "samples": float(own.size),
        "mean": float(own.mean()),
        "sd": float(own.std(ddof=1)),
        "below .0074": float((own < 0.0074).mean()),
        FITS: float((own < implied_standard_error()[1]).mean()),
        PRINTS: float(_prints(own, 0.007).mean()),
        "hanley-mcneil prints .009": float(_prints(other, 0.009).mean()),
    }
    return Replicates(
        n_replicates,
        {name: float(values[name].mean()) for name in MEANS},
        {name: float(values[name].std(ddof=1)) for name in MEANS},
        dict(zip(SHARES, (float(which.mean()) for which in (like, alike, whole, same)), strict=True)),
        given,
        values,
    )


def _batch(n_replicates: int, seed: list[int]) -> dict[str, Floats]:
    n = N_PER_GROUP
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
    rows = np.arange(n_replicates)
    for criterion in ("youden", "closest"):
        best = strictest_optima(criterion, tp, fp)  # a vertex; it calls the first `best` scores positive
        found[f"{criterion} cut-off"] = (ranked[rows, best - 1] + ranked[rows, best]) / 2
        if criterion == "youden":
            found["youden index"] = np.asarray((tp[rows, best] - fp[rows, best]) / n)
    return found


def _prints(values: Floats, shown: float) -> NDArray[np.bool_]:
    """Which numbers are shown as this one, with three digits."""
    scale = 10.0**AREA_PLACES
    return np.asarray(np.round(values * scale) == round(shown * scale))


def replicate_checks(found: Replicates, long_run: Mapping[str, Any]) -> list[Check]:
    """Against the closed forms where there are some, and against a long run of other samples."""
    n, m = found.n_replicates, long_run["n_replicates"]
    areas, source = found.values["area"], f"{n} samples"
    deviations = (areas - areas.mean()) ** 2  # the error of an sd, without taking the values for normal
    error_of_sd = float(np.sqrt(((deviations - areas.var(ddof=1)) ** 2).mean() / n) / (2 * found.sd["area"]))
    given, wanted = found.given_area, long_run["given_area"]
    size, of = int(given["samples"]), int(wanted["samples"])
    numbers = [
        ("mean area is the population's", EXAMPLE.auc, found.mean["area"], TRUE_ERROR / math.sqrt(n), source),
        ("sd of areas is the true standard error", TRUE_ERROR, found.sd["area"], error_of_sd, source),
    ]
    for name, mean in found.mean.items():
        what, error = f"mean {name}, as in the long run", long_run["sd"][name] * math.sqrt(1 / n + 1 / m)
        numbers.append((what, long_run["mean"][name], mean, error, f"{source} and {m}"))
    error, source = wanted["sd"] * math.sqrt(1 / size + 1 / of), f"{size} and {of} samples"
    numbers.append((f"mean standard error {GIVEN}", wanted["mean"], given["mean"], error, source))
    shares = [(f"share: {name}", long_run["share"][name], own, n) for name, own in found.share.items()]
    shares += [(f"share {GIVEN}: {name}", wanted[name], given[name], size) for name in list(given)[3:]]
    return [simulated(REPEATED, *own) for own in numbers] + [binomial(REPEATED, *own) for own in shares]


# Are the printed numbers those of a sample? ---------------------------------------------------------------


class Plausible(NamedTuple):
    """A printed number, what the population or the mean of samples has, and how often a sample is as far out.

    ``source`` is ``"exact"``, or the samples in which that was counted.
    """

    name: str
    shown: float
    usual: float
    chance: float
    source: str


def in_closed_form() -> list[Plausible]:
    """Means, standard deviations and the lowest score."""
    results, n = [], N_PER_GROUP
    for group, (mean, sd) in zip((printed.HEALTHY, printed.DISEASED), POPULATIONS, strict=True):
        chance = float(2 * ndtr(-abs((group.mean - mean) / (sd / math.sqrt(n)))))
        results.append(Plausible(f"{group.name}: mean", group.mean, mean, chance, "exact"))
        below = float(chdtr(n - 1, (n - 1) * (group.sd / sd) ** 2))
        results.append(Plausible(f"{group.name}: sd", group.sd, sd, 2 * min(below, 1 - below), "exact"))
    lowest, (mean, sd) = printed.first_scores()[0], POPULATIONS[0]
    lower = 1 - (1 - float(ndtr((lowest - mean) / sd))) ** n
    usual = mean + sd * float(ndtri(1 - 0.5 ** (1 / n)))
    results.append(Plausible("lowest score", lowest, usual, 2 * min(lower, 1 - lower), "exact"))
    return results


def plausibility(found: Replicates) -> tuple[Plausible, ...]:
    """Every printed number that a sample decides."""
    youden, source = in_rows()["youden"], f"{found.n_replicates} samples"
    counted = (
        ("area", "area", AREA["area"], EXAMPLE.auc),
        ("largest J, of the rows shown", "youden index", youden.youden, found.mean["youden index"]),
        ("its cut-off", "youden cut-off", youden.threshold, found.mean["youden cut-off"]),
    )
    more = [Plausible(name, x, usual, found.tail(key, x), source) for name, key, x, usual in counted]
    return *in_closed_form(), *more


def _plausibility_checks(stored: Mapping[str, float]) -> list[Check]:
    """Those in closed form."""
    return [
        Check(HOW_FAR, own.name, stored[own.name], own.chance, 1e-8, "closed form; nine digits")
        for own in in_closed_form()
    ]


# What the slides say --------------------------------------------------------------------------------------


def null_error() -> float:
    """How much the area of a useless score scatters: the standard error of SPSS's null hypothesis."""
    return math.sqrt((2 * N_PER_GROUP + 1) / (12 * N_PER_GROUP**2))


def claims(
    own: Sample, alike: Sample, found: Replicates, plausible: Sequence[Plausible], long_run: Mapping[str, Any]
) -> list[Claim]:
    """Group statistics, area, its standard error and test, coordinates."""
    exactly = [row for row in plausible if row.source == "exact"]
    least = min(exactly, key=lambda row: row.chance)
    area = next(row for row in plausible if row.name == "area")
    given, longer, (low, high) = found.given_area, long_run["given_area"], implied_standard_error()
    printing, fitting = (
        f"{100 * x:.0f} % (± {100 * (x * (1 - x) / given['samples']) ** 0.5:.1f})"
        for x in (given[PRINTS], given[FITS])
    )
    z = (AREA["area"] - 0.5) / null_error()
    pvalue = float(two_sided_pvalue(z))
    n_scores, n_cutoffs, n_other = (
        own.curve.thresholds.size - 1,
        own.tables.coordinates.cutoffs.size,
        _rule_gap(own)[1],
    )
    return [
        Claim(
            claim="300 cases each of N(1.32, .16²) and N(1.72, .18²) have the means 1.3218 and 1.7288 and "
            "the standard deviations .16016 and .17743.",
            where="Group Statistics",
            measured=f"Samples are as far out in {100 * least.chance:.0f} % of cases or more ({least.name} "
            f"has the least; {len(exactly)} numbers, the lowest score among them).",
            holds=all(row.chance > PLAUSIBLE for row in exactly),
        ),
        Claim(
            claim="The area under the curve is .955 with the 95 % interval .941 to .969.",
            where="Area Under the Curve",
            measured=f"The population has {EXAMPLE.auc:.4f}, samples scatter by "
            f"{TRUE_ERROR:.4f}; {100 * area.chance:.0f} % are as "
            f"far out as .955. Of {found.n_replicates} samples "
            f"{100 * found.share['prints the whole area table']:.1f} % print the same five numbers; sample "
            f"{alike.seed} is the first.",
            holds=area.chance > PLAUSIBLE and alike.prints_alike(),
        ),
        Claim(
            claim="Its standard error is .007, under the nonparametric assumption.",
            where="Area Under the Curve, footnote a",
            measured=f"Of {int(given['samples'])} samples with area .955, {printing} print .007 by the "
            f"nonparametric formula and {fitting} fit the printed interval too ({low:.4f} to {high:.4f}); of "
            f"{int(longer['samples'])} of another run {100 * longer[PRINTS]:.0f} % and "
            f"{100 * longer[FITS]:.0f} %. By Hanley and McNeil's formula "
            f"{100 * given['hanley-mcneil prints .009']:.0f} % would print .009.",
            holds=given[FITS] > 0.05 and given["hanley-mcneil prints .009"] > 0.99,
            erratum="S2",
        ),
        Claim(
            claim="The test of area = 0.5 has the asymptotic significance .000.",
            where="Area Under the Curve, footnote b",
            measured=f"For an area of .955, z = {z:.1f} and p = {pvalue:.0e}, which SPSS prints as "
            f"{spelled(pvalue, 3)}: less than .0005, not zero. The test has a standard error of its own, "
            f"{null_error():.4f}.",
            holds=spelled(pvalue, 3) == spelled(AREA["pvalue"], 3),
        ),
        Claim(
            claim="The curve has a row for each value of the substance, "
            '"positive if greater than or equal to".',
            where="Coordinates of the Curve",
            measured=f"{n_scores} values give {n_cutoffs} cut-offs between and beyond them, the first at "
            f"the lowest - 1 (on the slides {printed.first_scores()[0]:.4f} - 1). None is a value: with > "
            f"instead of >= {n_other} rows change.",
            holds=n_cutoffs == n_scores + 1 and n_other == 0,
            erratum="S4",
        ),
    ]


# What is shown --------------------------------------------------------------------------------------------


def _groups(*samples: Sample) -> Table:
    both = printed.HEALTHY, printed.DISEASED
    rows: list[Any] = [("slides", own.name, own.n, own.mean, own.sd, own.standard_error) for own in both]
    for one in samples:
        group = one.tables.groups
        columns = (group.names, group.n, group.mean, group.sd, group.standard_error)
        rows += [(f"sample {one.seed}", *row) for row in zip(*columns, strict=True)]
    for own, (mean, sd) in zip(both, POPULATIONS, strict=True):
        rows.append(("population", own.name, own.n, mean, sd, sd / own.n**0.5))
    cells = (
        (who, name, str(n), spelled(mean, 4), spelled(sd, 5), spelled(error, 5))
        for who, name, n, mean, sd, error in rows
    )
    heads = ("Normal.mix", printed.STATE, "N", "Mean", "Std. Deviation", "Std. Error Mean")
    return Table("Group Statistics, of the slides and of samples of ours.", heads, tuple(cells))


def _areas(own: Sample, alike: Sample) -> Table:
    several = {"slides": AREA} | {f"sample {one.seed}": one.area() for one in (own, alike)}
    rows = [(who, *(spelled(x, AREA_PLACES) for x in one.values())) for who, one in several.items()]
    rows.append(("population", spelled(EXAMPLE.auc, 6), spelled(TRUE_ERROR, 6), "–", "–", "–"))
    return Table(
        "Area Under the Curve. Standard error under the nonparametric assumption; null hypothesis: true "
        f"area = 0.5; asymptotic 95 % interval. Sample {alike.seed} is the first that prints what the "
        "slides print.",
        ("Normal.mix", "Area", "Std. Error", "Asymptotic Sig.", "Lower Bound", "Upper Bound"),
        tuple(rows),
    )


def _coordinates(own: Sample) -> Table:
    table = own.tables.coordinates
    ours = list(zip(table.cutoffs, table.sensitivity, table.one_minus_specificity, strict=True))
    start = int(np.abs(table.cutoffs - printed.CORNER_ROWS[0][0]).argmin())
    first, corner = len(printed.FIRST_ROWS), len(printed.CORNER_ROWS)
    pairs = [*zip(ours[:first], printed.FIRST_ROWS, strict=True)]
    pairs += zip(ours[start : start + corner], printed.CORNER_ROWS, strict=True)
    rows = [(*_cells(left), *_cells(right)) for left, right in pairs]
    rows.append((*_cells(ours[-1]), "not shown", "–", "–"))
    return Table(
        f"Coordinates of the Curve: sample {own.seed} of ours, and what the slides print (their first "
        "rows, and those around the corner). The first cut-off is the lowest score - 1, the last the "
        "highest + 1, the others are midpoints of neighbouring scores.",
        ("ours: ≥", "Sensitivity", "1 - Specificity", "slides: ≥", "Sensitivity", "1 - Specificity"),
        tuple(rows),
    )


def _cells(row: Sequence[float]) -> tuple[str, str, str]:
    return spelled(row[0], printed.CUTOFF_PLACES), spelled(row[1], 3), spelled(row[2], 3)


def _plausible(rows: Sequence[Plausible]) -> Table:
    return Table(
        "Are the printed numbers those of a sample of 300 + 300? How often one is at least as far out.",
        ("printed", "value", "population or mean", "as far out", "from"),
        tuple(
            (own.name, f"{own.shown:.4f}", f"{own.usual:.4f}", f"{100 * own.chance:.0f} %", own.source)
            for own in rows
        ),
    )


def _figures(own: Sample, found: Replicates) -> list[Figure]:
    """The curve that SPSS draws, and whose standard error the printed one is."""
    return [
        Figure(
            "example_curve",
            "SPSS produces the ROC curve by evaluating [(1-specificity), sensitivity] pairs for each "
            "value of the substance.",
            f"Sample {own.seed} of ours; the slides' rows are dots. Added: its scores, and the curve of the "
            "populations.",
            lambda: _drawn_example(own),
        ),
        Figure(
            "standard_error",
            "Area Under the Curve: .955, Std. Error .007.",
            "The slide has the numbers alone. Here: samples with both formulas, and what fits the print.",
            lambda: _drawn_errors(found),
        ),
    ]


def _drawn_example(own: Sample) -> Picture:
    spread = rs.score_densities(own.scores.is_positive, own.scores.scores)
    rows = np.array([*printed.FIRST_ROWS, *printed.CORNER_ROWS])
    ours = Line(own.curve.fpr, own.curve.tpr, look=LOOKS[0], width=1.2)
    theirs = curve_of(EXAMPLE, look=INK, width=1.0, dash=(4, 2))
    dots = Points(rows[:, 2], rows[:, 1], look=LOOKS[1], size=2.4, marker="o")
    key = Key(
        (
            Entry(Quote(f"sample {own.seed}"), ours, Quote(f"AUC {own.curve.auc:.3f}")),
            Entry(Quote("population"), theirs, Quote(f"AUC {EXAMPLE.auc:.3f}")),
            Entry(Quote("rows on the slide"), dots, Quote(f"AUC {AREA['area']:.3f}")),
        )
    )
    scores = densities_picture(spread, curve=False, kind="overlaid").panels[0]
    curve = View().panel((ours, theirs, dots))
    panels = titled(scores, "(a) Group Statistics"), titled(curve, "(b) Coordinates of the curve", key)
    return Picture(panels, columns=2, width=2 * COLUMN, description=Quote("The SPSS example"))


def _drawn_errors(found: Replicates) -> Picture:
    area, error = (found.values[name][:2000] for name in ("area", "nonparametric"))
    at = np.linspace(0.92, 0.98, 200)
    exponential = Line(at, np.sqrt(hanley_mcneil_variance(at, N_PER_GROUP, N_PER_GROUP)), look=LOOKS[1])
    samples = Points(area, error, look=LOOKS[0], size=1.6, marker="o", alpha=0.4)
    half, (low, high) = 0.5 * 10.0**-AREA_PLACES, implied_standard_error()
    x = np.array([-half, half, half, -half]) + AREA["area"]
    fits = Region(x, np.array([low, low, high, high]), look=INK, alpha=0.0, outline=1.2)
    truth = dot((EXAMPLE.auc, TRUE_ERROR), LOOKS[4], "D")
    entries = (
        Entry(Quote(f"nonparametric (SPSS), {area.size} samples"), samples),
        Entry(Quote("Hanley and McNeil, from the area"), exponential),
        Entry(Quote("fits what the slides print"), fits),
        Entry(Quote("population"), truth),
    )
    panel = Panel(
        Axis(Quote("area under the curve"), 0.92, 0.98),
        Axis(Quote("standard error"), 0.004, 0.012),
        (samples, exponential, fits, truth),
        key=Key(entries, corners=("upper right",)),
    )
    return Picture((panel,), description=Quote("Standard errors of samples of 300 + 300 cases"))
