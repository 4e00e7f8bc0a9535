"""What a reader of the claims has to know: whose learners and data they are, and what the words mean."""

from __future__ import annotations

import numpy as np

from papers.smroc.analysis.results import AUC, Areas
from papers.smroc.judged.rules import SAME_FACTOR
from papers.smroc.parameters import N_FOLDS, PET
from papers.smroc.sets import Set, unavailable
from rocsteady.words import listed

ALL = 30
"""More names than there are: nothing is cut from a list."""
FIGURE_2 = (
    "Figure 2: of the scores of the six movies 0.99 and 0.7 are the paper's, in its text; the others are "
    "ours. sAUC is the scored AUC of Wu, Flach and Ferri (2007)."
)


def notes(areas: Areas | None, weka: Areas | None, sets: tuple[Set, ...]) -> tuple[str, ...]:
    """All of them; those about the experiment only if there was one."""
    if areas is None and weka is None:
        return (FIGURE_2,)
    ours = () if areas is None else (_learners(), *_data(areas, sets))
    of_weka = () if weka is None else (_weka(weka),)
    return (FIGURE_2, *ours, *of_weka, *_words(areas))


def _learners() -> str:
    return (
        "NB and PET are learners written here; the paper does not name its programs. NB is naive Bayes, with "
        "a normal density for each numeric feature and Laplace-smoothed shares for each nominal one. PET is "
        "a probability estimation tree: by entropy, unpruned, with Laplace-corrected leaves. Each run of "
        f"{N_FOLDS}-fold cross-validation gives one curve per learner, of the scores of all its folds; both "
        "learners have the same folds."
    )


def _data(areas: Areas, sets: tuple[Set, ...]) -> tuple[str, ...]:
    present = [own for own in sets if own.abbr in areas.sets]
    differing = [f"{own.abbr}: {own.differs}" for own in present if own.differs]
    left_out = listed([f"{own.abbr} ({own.name})" for own in unavailable()])
    return (
        f"Data sets: {listed([f'{own.abbr} {own.name}' for own in present], most=ALL)}. Of Table 1 "
        f"{left_out} is left out, for want of a complete copy.",
        *([f"Where copies differ from Table 1: {' '.join(differing)}"] if differing else []),
    )


def _weka(weka: Areas) -> str:
    return (
        f"From Weka's scores: the same analysis of {listed(list(weka.sets), most=ALL)}, scored by "
        "NaiveBayes and J48 -U -A of Weka 3.6.14. That file of scores is not public, and no verdict rests on "
        "it where our learners were run."
    )


def _words(areas: Areas | None) -> tuple[str, ...]:
    constant = () if areas is None else tuple(np.array(areas.sets)[areas.sd(PET, AUC) <= 1e-12].tolist())
    without = f" On {listed(constant)} AUC of PET never varies: no ratio to its sd." if constant else ""
    return (
        "Most of the sets are more than two thirds of them. Standard deviations (sd) over runs are higher "
        f"above their median over sets, else low, and the same within a factor of {SAME_FACTOR:g}.{without} "
        "Signed ranks is Wilcoxon's test with one pair for each set; Pitman and Morgan's test compares two "
        "sds of the same runs.",
        "Runs split the same rows again and again, so the plain paired t test over runs only says whether a "
        "difference depends on the split. The corrected one speaks of new rows: it takes all folds and adds "
        "test rows / training rows to 1 / n (Nadeau & Bengio 2003; Bouckaert & Frank 2004).",
    )
