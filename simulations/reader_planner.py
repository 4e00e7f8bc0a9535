"""Whether the power that rs.plan promises for a reader study comes out.

    python simulations/reader_planner.py [--replicates 2000] [--seed 1]

Ratings follow the model of Roe and Metz (rs.simulate.RoeMetz). The modalities have the AUCs 0.80 and 0.86, or
for margins both 0.83; pilots have 5 readers and 50 + 50 cases.

1. Known components: those of very many pilots, averaged. What is promised for other numbers of readers and
   cases is held against how often studies of that size reject, or show non-inferiority or equivalence.
   Readers and cases random in the populations HL, LL, HH and LH; fixed readers where readers do not differ;
   fixed cases where readers have no luck of cases in common.
2. Another ratio of the classes: what pilots with 50 + 50 cases promise for more cases of one class.
3. Pilots one by one. What each of them promises for the same design: the median, the middle 80 %, and how
   often the range that a plan states holds the truth. And the power that a study really has which is made as
   large as a pilot says (8 readers): median and middle 80 %.

4. Level of margins: how often non-inferiority and equivalence are shown of modalities that differ by just the
   margin.

Monte-Carlo standard errors are printed beside the shares.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rocsteady.planning.readers import Question, StudyComponents, cases_needed, class_components
from rocsteady.simulate import RoeMetz
from rocsteady.statistics.obuchowski_rockette import components, difference_error
from rocsteady.statistics.reader_covariance import delong, placed

Floats = NDArray[np.float64]

LEVEL, POWER = 0.95, 0.8
PILOT = (5, 50, 50)
DIFFERENT, ALIKE, MARGIN = (0.80, 0.86), (0.83, 0.83), 0.06
DESIGNS = ((5, 50, 50), (5, 100, 100), (10, 50, 50), (10, 100, 100), (3, 200, 200))
RATIOS = ((5, 40, 160), (10, 30, 90), (10, 90, 30))
QUESTIONS = (
    *((name, "random", "random", "difference") for name in ("HL", "LL", "HH", "LH")),
    ("LH", "random", "random", "non-inferiority"),
    ("HL", "random", "random", "equivalence"),
    ("readers alike", "fixed", "random", "difference"),
    ("cases apart", "random", "fixed", "difference"),
)
_BLOCK = 50


@dataclass(frozen=True)
class Studies:
    """Of many studies: values, covariances, and the components of each."""

    values: Floats
    covariances: Floats

    @property
    def parts(self) -> list[StudyComponents]:
        """As a plan takes them from each."""
        of = components(self.values, self.covariances)
        gain = np.maximum(of.cov2 - of.cov3, 0)
        own = of.ms_modality_reader - of.var + of.cov1 + gain
        rows = zip(own, of.var, of.cov1, of.cov2, of.cov3, strict=True)
        return [StudyComponents(*map(float, row), n_cases=math.nan) for row in rows]


def population(structure: str, auc: tuple[float, float]) -> RoeMetz:
    """One of Roe and Metz, or one for fixed readers or fixed cases, with these AUCs."""
    if structure == "readers alike":
        return RoeMetz(auc=auc, var_r=0.0, var_tr=0.0)
    if structure == "cases apart":
        return RoeMetz(auc=auc, var_r=0.011, var_tr=0.03, var_c=0.0, var_tc=0.0, var_rc=0.5, var_trc=0.5)
    return replace(RoeMetz.preset(structure, separation=1.5), auc=auc)


def studies(of: RoeMetz, sizes: tuple[int, int, int], n: int, seed: int) -> Studies:
    """Draw n studies and take what their tests need."""
    n_readers, n_positives, n_negatives = sizes
    truth = np.arange(n_positives + n_negatives) < n_positives
    values, covariances = [], []
    for block in range(0, n, _BLOCK):
        here = min(_BLOCK, n - block)
        drawn = of.draw_arrays(n_readers, n_positives, n_negatives, seed=seed + 7919 * block, n_studies=here)
        ratings = np.concatenate([drawn.positives, drawn.negatives], axis=-1)
        for study in ratings.reshape(here, -1, truth.size):
            auc, covariance = _read(study, truth)
            values.append(auc.reshape(2, n_readers))
            covariances.append(covariance.reshape(2, n_readers, 2, n_readers))
    return Studies(np.array(values), np.array(covariances))


def _read(ratings: Floats, truth: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    return placed(ratings, truth).auc, delong(ratings, truth)


def known_components(of: RoeMetz, n: int, seed: int) -> StudyComponents:
    """Averaged over very many pilots."""
    found = studies(of, PILOT, n, seed)
    mean = components(found.values, found.covariances)
    own = mean.ms_modality_reader - mean.var + mean.cov1 + mean.cov2 - mean.cov3
    parts = (float(np.mean(x)) for x in (own, mean.var, mean.cov1, mean.cov2, mean.cov3))
    n_cases = PILOT[1] + PILOT[2]
    return replace(StudyComponents(*parts, n_cases=n_cases), ratio=PILOT[2] / PILOT[1])


def share_shown(found: Studies, question: Question) -> tuple[float, float]:
    """How often the test of these studies shows it, and the Monte-Carlo error."""
    from scipy.special import ndtri, stdtrit

    of = components(found.values, found.covariances)
    error, df = difference_error(of, 0, 1, readers=question.readers_are, cases=question.cases_are)
    means = found.values.mean(axis=2)
    gap = means[:, 1] - means[:, 0]
    level = (1 + question.confidence_level) / 2
    finite = np.where(np.isinf(df), 1.0, df)
    limit = np.where(np.isinf(df), ndtri(level), stdtrit(finite, level)) * error
    if question.test == "difference":
        shown = np.abs(gap) > limit
    elif question.test == "non-inferiority":
        shown = gap + question.margin > limit
    else:
        shown = question.margin - np.abs(gap) > limit
    share = float(shown.mean())
    return share, math.sqrt(share * (1 - share) / shown.size)


def first_part(n: int, seed: int) -> None:
    """Promised from known components, and met."""
    print("\n1. Known components: promised and met\n")
    print(f"{'population':<15}{'test':<17}{'readers':>8}{'cases':>10}{'promised':>10}{'met':>8}{'error':>8}")
    for structure, readers, cases, test in QUESTIONS:
        auc = DIFFERENT if test == "difference" else ALIKE
        of = population(structure, auc)
        known = known_components(of, n, seed)
        margin = math.nan if test == "difference" else MARGIN
        question = Question(test, auc[1] - auc[0], margin, LEVEL, readers, cases, False)
        for sizes in DESIGNS:
            promised = float(question.chances(known, sizes[0], sizes[1] + sizes[2]))
            met, error = share_shown(studies(of, sizes, n, seed + 1), question)
            words = f"{structure:<15}{test:<17}{sizes[0]:>8}{f'{sizes[1]} + {sizes[2]}':>10}"
            print(f"{words}{promised:>10.3f}{met:>8.3f}{error:>8.3f}")


def mean_of_positives(of: RoeMetz, n: int, seed: int) -> tuple[float, float, float, float]:
    """What the positives have in each component, averaged over pilots."""
    truth = np.arange(PILOT[1] + PILOT[2]) < PILOT[1]
    found = []
    for i in range(min(n, 400)):
        drawn = of.draw_arrays(*PILOT, seed=seed + 104729 * (i + 1))
        ratings = np.concatenate([drawn.positives, drawn.negatives], axis=-1)
        found.append(class_components(ratings, truth)[0])
    var, cov1, cov2, cov3 = np.mean(found, axis=0).tolist()
    return var, cov1, cov2, cov3


def second_part(n: int, seed: int) -> None:
    """Promised for another ratio, and met."""
    print("\n2. Another ratio of the classes\n")
    question = Question("difference", DIFFERENT[1] - DIFFERENT[0], math.nan, LEVEL, "random", "random", False)
    for structure in ("HL", "LH"):
        of = population(structure, DIFFERENT)
        known = replace(known_components(of, n, seed), from_positives=mean_of_positives(of, n, seed))
        for sizes in RATIOS:
            n_cases = sizes[1] + sizes[2]
            promised = float(question.chances(known.with_ratio(sizes[2] / sizes[1]), sizes[0], n_cases))
            alone = float(question.chances(known, sizes[0], n_cases))
            met, error = share_shown(studies(of, sizes, n, seed + 2), question)
            words = f"{structure}: {sizes[0]} readers, {sizes[1]} + {sizes[2]}"
            print(f"{words:<26} promised {promised:.3f} (1:1 {alone:.3f}), met {met:.3f} ± {error:.3f}")


def third_part(n: int, seed: int) -> None:
    """What single pilots promise, and what a study has that follows one."""
    print("\n3. Pilots one by one (5 readers, 50 + 50 cases)\n")
    question = Question("difference", DIFFERENT[1] - DIFFERENT[0], math.nan, LEVEL, "random", "random", False)
    n_cases = float(PILOT[1] + PILOT[2])
    for structure in ("HL", "LL", "HH", "LH"):
        of = population(structure, DIFFERENT)
        known = known_components(of, n, seed)
        truth = float(question.chances(known, 8, 150))
        promises, held = [], []
        pilots = [replace(parts, n_cases=n_cases) for parts in studies(of, PILOT, n, seed + 3).parts]
        for parts in pilots:
            promises.append(float(question.chances(parts, 8, 150)))
            low, high = question.range_of_chances(parts, PILOT[0] - 1, 8, 150)
            held.append(low - 1e-9 <= truth <= high + 1e-9)
        needed = [cases_needed(question, parts, [8], POWER)[0][0] for parts in pilots[:400]]
        real = question.chances(known, 8, np.array(needed))
        spread, got = (np.quantile(values, [0.1, 0.5, 0.9]) for values in (promises, real))
        share = float(np.mean(held))
        error = math.sqrt(share * (1 - share) / len(held))
        print(
            f"{structure}: 8 readers, 150 cases: power {truth:.3f}; promised {spread[1]:.3f} "
            f"({spread[0]:.3f} to {spread[2]:.3f}); range holds it in {100 * share:.1f} % "
            f"± {100 * error:.1f}; "
            f"planned for 0.8, real power {got[1]:.3f} ({got[0]:.3f} to {got[2]:.3f}), no number of cases "
            f"{100 * np.mean(np.isinf(needed)):.0f} %"
        )


def fourth_part(n: int, seed: int) -> None:
    """How often a margin is met that is not: the new modality is worse by just the margin."""
    print("\n4. Level of margins: shown where the difference is the margin (0.025 wanted)\n")
    for structure in ("HL", "LL", "HH", "LH"):
        of = population(structure, (DIFFERENT[1], DIFFERENT[0]))
        for sizes in DESIGNS:
            found = studies(of, sizes, n, seed + 5)
            shares = [
                share_shown(found, Question(test, -MARGIN, MARGIN, LEVEL, "random", "random", False))
                for test in ("non-inferiority", "equivalence")
            ]
            words = f"{structure}: {sizes[0]} readers, {sizes[1]} + {sizes[2]}"
            (one, error), (both, _) = shares
            print(f"{words:<28} non-inferiority {one:.4f} ± {error:.4f}, equivalence {both:.4f}")


def main() -> None:
    """Run all parts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replicates", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    first_part(asked.replicates, asked.seed)
    second_part(asked.replicates, asked.seed)
    third_part(asked.replicates, asked.seed)
    fourth_part(asked.replicates, asked.seed)


if __name__ == "__main__":
    main()
