"""What the slides claim, what was measured, and whether it holds; every verdict follows from the numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from papers.claims import Claim
from papers.slides import printed
from papers.slides.guessing import null_error
from papers.slides.parameters import COMMON, EXAMPLE, LARGE_FPR, RARE, SMALL_FPR
from papers.slides.replicates import FITS, PRINTS
from papers.slides.spss import first_scores, implied_standard_error, in_spss
from papers.slides.ten_cases import FIRST, LAST, ONE_STEP
from rocsteady.statistics.limits import two_sided_pvalue

BY_CHANCE = 4.0
"""Standard errors."""


def claims(parts: Mapping[str, Any], long_run: Mapping[str, Any]) -> list[Claim]:
    """All of them, in the order of the slides; few samples have the printed area, so the long run helps."""
    return [
        _divided(parts),
        _groups(parts),
        _area(parts),
        _standard_error(parts, long_run),
        _significance(parts),
        _cutoff_rows(parts),
        _best_cutoff(parts),
        _arrows(parts),
        _unique_values(parts),
        _ideal(parts),
        _corners(parts),
        _curve_of_guessing(parts),
        _equal_amounts(parts),
        _above_the_diagonal(parts),
        _diagonal(parts),
        _largest_area(parts),
        _crossing(parts),
    ]


def _divided(parts: Mapping[str, Any]) -> Claim:
    found = parts["divided"]
    shares, n, model = found.shares, found.n_per_group, found.model
    off = max(abs(found.counts[name] / n - shares[name]) for name in shares)
    error = max((share * (1 - share) / n) ** 0.5 for share in shares.values())
    return Claim(
        claim="A threshold of 4.5 divides both populations; TP/P is the sensitivity, FP/N is 1 - "
        "specificity.",
        where="ROC Analyses, threshold 4.5",
        measured=f"Of N({model.positive_mean:g}, {model.positive_sd:g}²) {shares['TP']:.3f} lie beyond it, "
        f"of N({model.negative_mean:g}, {model.negative_sd:g}²) {shares['FP']:.3f}. Counted among {n} + {n} "
        f"cases the shares differ by up to {off:.4f}.",
        holds=off <= BY_CHANCE * error,
        chosen_here=True,
    )


def _groups(parts: Mapping[str, Any]) -> Claim:
    rows = [own for own in parts["plausible"] if own.source == "exact"]
    least = min(rows, key=lambda own: own.chance)
    return Claim(
        claim="300 cases each of N(1.32, .16²) and N(1.72, .18²) have the means 1.3218 and 1.7288 and the "
        "standard deviations .16016 and .17743.",
        where="Group Statistics",
        measured=f"Samples are as far out in {100 * least.chance:.0f} % of cases or more ({least.name} has "
        f"the least; {len(rows)} numbers, the lowest score among them).",
        holds=all(own.holds for own in rows),
    )


def _area(parts: Mapping[str, Any]) -> Claim:
    own = next(own for own in parts["plausible"] if own.name == "area")
    n = printed.N_PER_GROUP
    whole = parts["repeated"].share["prints the whole area table"]
    return Claim(
        claim="The area under the curve is .955 with the 95 % interval .941 to .969.",
        where="Area Under the Curve",
        measured=f"The population has {EXAMPLE.auc:.4f}, samples scatter by "
        f"{EXAMPLE.auc_standard_error(n, n):.4f}; {100 * own.chance:.0f} % are as far out as .955. Of "
        f"{parts['repeated'].n_replicates} samples {100 * whole:.1f} % print the same five numbers; sample "
        f"{parts['alike'].seed} is the first.",
        holds=own.holds and parts["alike"].prints_alike(),
    )


def _standard_error(parts: Mapping[str, Any], long_run: Mapping[str, Any]) -> Claim:
    given, (low, high) = parts["repeated"].given_area, implied_standard_error()
    printing, fitting = (_in_percent(given[name], given["samples"]) for name in (PRINTS, FITS))
    longer = long_run["given_area"]
    return Claim(
        claim="Its standard error is .007, under the nonparametric assumption.",
        where="Area Under the Curve, footnote a",
        measured=f"Of {int(given['samples'])} samples with area .955, {printing} print .007 by the "
        f"nonparametric formula and {fitting} fit the printed interval too ({low:.4f} to {high:.4f}); of "
        f"{int(longer['samples'])} of another run {100 * longer[PRINTS]:.0f} % and {100 * longer[FITS]:.0f} "
        f"%. By Hanley and McNeil's formula {100 * given['hanley-mcneil prints .009']:.0f} % would print "
        ".009.",
        holds=given[FITS] > 0.05 and given["hanley-mcneil prints .009"] > 0.99,
        erratum="S2",
    )


def _in_percent(share: float, n: float) -> str:
    """A share of so many samples, with its standard error."""
    return f"{100 * share:.0f} % (± {100 * (share * (1 - share) / n) ** 0.5:.1f})"


def _significance(parts: Mapping[str, Any]) -> Claim:
    z = (printed.AREA["area"] - 0.5) / null_error()
    pvalue = float(two_sided_pvalue(z))
    return Claim(
        claim="The test of area = 0.5 has the asymptotic significance .000.",
        where="Area Under the Curve, footnote b",
        measured=f"For an area of .955, z = {z:.1f} and p = {pvalue:.0e}, which SPSS prints as "
        f"{in_spss(pvalue, 3)}: less than .0005, not zero.",
        holds=in_spss(pvalue, 3) == in_spss(printed.AREA["pvalue"], 3),
    )


def _cutoff_rows(parts: Mapping[str, Any]) -> Claim:
    sample = parts["sample"]
    table, curve = sample.coordinates, sample.curve
    strict, loose = curve.rates_at(table.cutoffs, rule=">"), curve.rates_at(table.cutoffs)
    n_other = int(((strict.tpr != loose.tpr) | (strict.fpr != loose.fpr)).sum())
    n_scores = curve.thresholds.size - 1
    return Claim(
        claim='The curve has a row for each value of the substance, "positive if greater than or equal to".',
        where="Coordinates of the Curve",
        measured=f"{n_scores} values give {table.cutoffs.size} cut-offs between and beyond them, the first "
        f"at the lowest - 1 (on the slides {first_scores()[0]:.4f} - 1). None is a value: with > instead of "
        f">= {n_other} rows change.",
        holds=table.cutoffs.size == n_scores + 1 and n_other == 0,
        erratum="S4",
    )


def _best_cutoff(parts: Mapping[str, Any]) -> Claim:
    cuts = parts["cutoffs"]
    shown, population = cuts.shown, cuts.population
    pairs = [(own["youden"].threshold, own["closest"].threshold) for own in (shown, population)]
    youden_is_largest = shown["youden"].youden > shown["closest"].youden
    closest_is_nearest = shown["closest"].distance < shown["youden"].distance
    return Claim(
        claim="The best cut-off is where the tangent at 45 degrees touches, the point closest to (0, 1).",
        where="Finding the best cut-off value",
        measured=f"In the rows shown the tangent has {pairs[0][0]:.4f} (J = {shown['youden'].youden:.3f}) "
        f"and the closest point is {pairs[0][1]:.4f} (J = {shown['closest'].youden:.3f}); in the population "
        f"{pairs[1][0]:.4f} and {pairs[1][1]:.4f}.",
        holds=all(first == second for first, second in pairs),
        correction="The tangent is Youden's rule, the largest sensitivity + specificity; the closest point "
        "is another rule with another cut-off.",
        holds_corrected=youden_is_largest and closest_is_nearest,
        erratum="S3",
    )


def _arrows(parts: Mapping[str, Any]) -> Claim:
    threshold, *shown = printed.ARROWS
    found = parts["ten"].arrows
    names = ("TP", "FP", "FN", "TN")
    return Claim(
        claim=f"At the threshold {threshold} there are {_paired(names, shown)}.",
        where="How to construct an ROC curve, arrows",
        measured=f"Counted: {_paired(names, found)}.",
        holds=tuple(shown) == found,
    )


def _paired(names: tuple[str, ...], counts: Any) -> str:
    return ", ".join(f"{name} {count}" for name, count in zip(names, counts, strict=True))


def _unique_values(parts: Mapping[str, Any]) -> Claim:
    ten = parts["ten"]
    areas, n_columns = ten.areas, len(ten.columns)
    return Claim(
        claim='The table counts "at each unique value" (the area under its points is .60).',
        where="How to construct an ROC curve, table",
        measured=f"{n_columns - len(ten.unreachable)} of {n_columns} columns are what their threshold gives. "
        f"0.85 has three; {len(ten.unreachable)} of them belong to no threshold. The area is "
        f"{areas[ONE_STEP]:.2f}; {areas[FIRST]:.2f} needs the tied positive first, negatives first it is "
        f"{areas[LAST]:.2f}.",
        holds=not ten.unreachable,
        correction="One step for the three cases at 0.85, and an area of .56.",
        holds_corrected=abs(areas[ONE_STEP] - 0.56) < 1e-12
        and abs((areas[FIRST] + areas[LAST]) / 2 - areas[ONE_STEP]) < 1e-12,
        erratum="S1",
    )


def _ideal(parts: Mapping[str, Any]) -> Claim:
    found = parts["guesses"]
    fpr, tpr = found.ideal_point
    return Claim(
        claim="The ideal classifier is at (0, 1) and has area 1.",
        where="ROC Analyses; Using ROC for Model Comparison",
        measured=f"Scores that separate the classes pass through ({fpr:g}, {tpr:g}); their area is "
        f"{found.ideal_area:g}.",
        holds=found.ideal_point == (0.0, 1.0) and found.ideal_area == 1,
    )


def _corners(parts: Mapping[str, Any]) -> Claim:
    first, last = parts["guesses"].corners
    return Claim(
        claim="(0, 0) has specificity 100 % and sensitivity 0 %, (1, 1) the reverse.",
        where="ROC Analyses",
        measured=f"The curve of the SPSS sample starts with specificity {100 * (1 - first[0]):.0f} % and "
        f"sensitivity {100 * first[1]:.0f} %, and ends with {100 * (1 - last[0]):.0f} % and "
        f"{100 * last[1]:.0f} %.",
        holds=first == (0.0, 0.0) and last == (1.0, 1.0),
    )


def _curve_of_guessing(parts: Mapping[str, Any]) -> Claim:
    found = parts["guesses"]
    errors = [
        abs(rate - guess.chance) / (guess.chance * (1 - guess.chance) / n) ** 0.5
        for guess in found.guesses
        for rate, n in zip(guess.rates, (COMMON, RARE), strict=True)
    ]
    return Claim(
        claim="All points on the curve that connects (0, 0) and (1, 1) are random guessing.",
        where="ROC Analyses",
        measured=f"The curve of the SPSS sample connects them too, with TPR - FPR up to {found.highest:.2f}. "
        f"The rates of {len(found.guesses)} guessers are within {max(errors):.1f} standard errors of the "
        "straight line.",
        holds=found.highest <= 0,
        correction="All points on the straight line.",
        holds_corrected=max(errors) <= BY_CHANCE,
        erratum="S5",
    )


def _equal_amounts(parts: Mapping[str, Any]) -> Claim:
    guess = next(guess for guess in parts["guesses"].guesses if guess.chance == 0.5)
    fpr, tpr = guess.rates
    error = (0.25 / RARE + 0.25 / COMMON) ** 0.5
    return Claim(
        claim="Such classifiers recognise equal amounts of TP and FP.",
        where="ROC Analyses",
        measured=f"Guessing half of {RARE} positives and {COMMON} negatives gave {guess.true_positives} TP "
        f"and {guess.false_positives} FP: rates {tpr:.2f} and {fpr:.2f}.",
        holds=guess.true_positives == guess.false_positives,
        correction="Equal rates, not equal amounts.",
        holds_corrected=abs(tpr - fpr) <= BY_CHANCE * error,
        erratum="S5",
    )


def _above_the_diagonal(parts: Mapping[str, Any]) -> Claim:
    cuts = [*parts["cutoffs"].shown.values(), *parts["cutoffs"].population.values()]
    curve = parts["sample"].curve
    above = curve.tpr[1:-1] > curve.fpr[1:-1]
    return Claim(
        claim="One operates above the diagonal, where the TP rate is higher than the FP rate.",
        where="ROC Analyses",
        measured=f"Between its corners {100 * above.mean():.0f} % of the points of the SPSS sample are above "
        f"it, and all {len(cuts)} best cut-offs are, by {min(cut.youden for cut in cuts):.2f} or more.",
        holds=bool(above.all()) and all(cut.youden > 0 for cut in cuts),
    )


def _diagonal(parts: Mapping[str, Any]) -> Claim:
    found = parts["guesses"]
    mean, sd = found.useless_areas
    return Claim(
        claim="The area under the diagonal, and of random guessing, is 0.5.",
        where="ROC Analyses; Using ROC for Model Comparison",
        measured=f"One score for all cases has {found.constant_area:g}. Scores that know nothing have "
        f"{mean:.4f} on average of {found.n_replicates} samples, and one sample of 300 + 300 is off by "
        f"{sd:.3f}.",
        holds=found.constant_area == 0.5
        and abs(mean - 0.5) <= BY_CHANCE * null_error() / found.n_replicates**0.5,
    )


def _largest_area(parts: Mapping[str, Any]) -> Claim:
    found = parts["models"]
    first, second = found.readings["M1"], found.readings["M2"]
    small = f"tpr at {SMALL_FPR:g}"
    better = second["area"] > first["area"]
    return Claim(
        claim="The larger the area the better the classifier.",
        where="ROC Analyses, Area Under Curve",
        measured=f"Of two models that cross, M2 has the larger area ({second['area']:.3f} and "
        f"{first['area']:.3f}), but at FPR {SMALL_FPR:g} M1 finds {100 * first[small]:.0f} % and M2 "
        f"{100 * second[small]:.0f} %. M1 is the cheaper one where the slope of equal costs is above "
        f"{found.slope:.2f}.",
        holds=better and second[small] >= first[small],
        correction="On average over all FPRs. Where curves cross, the FPR or the costs decide.",
        holds_corrected=better
        and first["area below the crossing"] > second["area below the crossing"]
        and second["area above the crossing"] > first["area above the crossing"],
        chosen_here=True,
    )


def _crossing(parts: Mapping[str, Any]) -> Claim:
    found = parts["models"]
    first, second = found.readings["M1"], found.readings["M2"]
    (fpr, tpr), small, large = found.crossing, f"tpr at {SMALL_FPR:g}", f"tpr at {LARGE_FPR:g}"
    return Claim(
        claim="No model is consistently better: M1 is better for small FPR, M2 for large FPR.",
        where="Using ROC for Model Comparison",
        measured=f"The curves of the two models cross once, at FPR {fpr:.3f} and TPR {tpr:.3f}. At FPR "
        f"{SMALL_FPR:g} M1 has TPR {first[small]:.2f} and M2 "
        f"{second[small]:.2f}, at FPR {LARGE_FPR:g} {first[large]:.2f} and {second[large]:.2f}.",
        holds=first[small] > second[small] and second[large] > first[large] and SMALL_FPR < fpr < LARGE_FPR,
        chosen_here=True,
    )
