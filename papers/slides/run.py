"""The whole reproduction of Sakellaropoulos's slides: numbers, checks, claims, tables, figures.

    python -m papers.slides.run

prints ``expected.json``, what should be found: closed forms, the specification's numbers, and a long run of
our own over other samples. It takes a minute.
"""

from __future__ import annotations

import json
from typing import Any

from papers.paper import Reproduction, rounded, stored
from papers.slides import cutoffs, example, lessons, two_models
from papers.slides.normals import EXAMPLE
from papers.slides.printed import N_PER_GROUP
from rocsteady.options import yes_or_no

N_REPLICATES, N_REPLICATES_QUICK = 20_000, 4000
N_MODEL_REPLICATES, N_MODEL_REPLICATES_QUICK = 200, 40
N_USELESS, N_USELESS_QUICK = 2000, 400
LONG_SEED, LONG_REPLICATES, LONG_MODEL_REPLICATES = 10**6, 400_000, 4000
FIGURES = (
    "two_populations",
    "example_curve",
    "standard_error",
    "best_cutoffs",
    "ten_cases",
    "two_models",
    "guessing",
)
SPECIFIED = {
    "population": {"area": 0.951634, "standard error": 0.007931},
    "cut-offs": {
        "youden": {"threshold": 1.516695, "tpr": 0.870651, "fpr": 0.109472, "youden": 0.761179},
        "closest": {"threshold": 1.511740},
        "eer": {"threshold": 1.508235, "fpr": 0.119703},
    },
    "rows shown": {
        "youden": {"threshold": 1.4933, "youden": 0.77},
        "closest": {"threshold": 1.5065},
    },
    "ten cases": {lessons.ONE_STEP: 0.56, lessons.FIRST: 0.60, lessons.LAST: 0.52},
}


def reproduce_slides(*, quick: bool = False) -> Reproduction:
    """Compute the slides' figures, tables and claims, and hold them against the stored expectations.

    Parameters
    ----------
    quick : bool
        Draw 4,000 samples of the SPSS example instead of 20,000, and fewer of everything else.
    """
    quick = yes_or_no("quick", quick)
    wanted = stored(__file__)
    own, alike, divided, ten = example.sample(), example.first_alike(), lessons.divided(), lessons.ten_cases()
    repeated = example.replicates(N_REPLICATES_QUICK if quick else N_REPLICATES)
    cuts = cutoffs.best_cutoffs(own.curve)
    plausible = example.plausibility(repeated, cuts.shown["youden"])
    models = two_models.two_models(N_MODEL_REPLICATES_QUICK if quick else N_MODEL_REPLICATES)
    guesses = lessons.guessing(own.curve, N_USELESS_QUICK if quick else N_USELESS)
    return Reproduction(
        name="slides",
        paper="Sakellaropoulos, ROC (Receiver Operating Characteristic) curves, slides",
        is_quick=quick,
        checks=(
            *lessons.divided_checks(divided, wanted["two populations"]["shares"]),
            *example.sample_checks(own),
            *example.population_checks(wanted["example"]),
            *example.plausibility_checks(wanted["plausibility"]["chances"]),
            *example.replicate_checks(repeated, wanted["repeated"]),
            *cutoffs.checks(cuts, wanted["cut-offs"]),
            *lessons.ten_checks(ten, wanted["ten cases"]),
            *two_models.checks(models, wanted["two models"]),
            *lessons.guess_checks(guesses, wanted["guessing"]),
        ),
        claims=(
            lessons.divided_claim(divided),
            *example.claims(own, alike, repeated, plausible, wanted["repeated"]),
            cutoffs.claim(cuts),
            *lessons.ten_claims(ten),
            *lessons.guess_claims(guesses, [*cuts.shown.values(), *cuts.population.values()]),
            *two_models.claims(models),
        ),
        tables=(
            lessons.divided_table(divided),
            *example.tables(own, alike, plausible),
            cutoffs.table(cuts),
            *lessons.ten_tables(ten),
            two_models.table(models),
            lessons.guess_table(guesses),
        ),
        figures=(
            lessons.divided_figure(divided),
            *example.figures(own, repeated),
            cutoffs.figure(cuts),
            lessons.ten_figure(ten),
            two_models.figure(models),
            lessons.guess_figure(guesses, own.curve),
        ),
        numbers={
            "two populations": divided,
            "SPSS tables": own.tables,
            "SPSS tables, printed alike": alike.tables,
            "repeated": repeated,
            "plausible": plausible,
            "ten cases": ten,
            "best cut-offs": cuts,
            "two models": models,
            "guessing": guesses,
        },
    )


def expected(
    n_replicates: int = LONG_REPLICATES, n_model_replicates: int = LONG_MODEL_REPLICATES
) -> dict[str, Any]:
    """The numbers that are stored, again, each with where it comes from."""
    population = cutoffs.population_cutoffs().items()
    again = example.replicates(n_replicates, seed=LONG_SEED).to_dict()
    return {
        "two populations": {"source": "closed form", "shares": lessons.shares()},
        "example": {
            "source": "specification, six digits; closed form",
            "specification": SPECIFIED["population"],
            "area": EXAMPLE.auc,
            "standard error": EXAMPLE.auc_standard_error(N_PER_GROUP, N_PER_GROUP),
        },
        "plausibility": {
            "source": "closed form",
            "chances": {own.name: own.chance for own in example.in_closed_form()},
        },
        "repeated": {
            "source": f"our own long run, seed {LONG_SEED}; its error is sd / sqrt(n_replicates)",
            **again,
        },
        "cut-offs": {
            "source": "specification; closed form (population)",
            "shown": SPECIFIED["rows shown"],
            "specification": SPECIFIED["cut-offs"],
            "population": {rule: {"threshold": cut.threshold} for rule, cut in population},
        },
        "ten cases": {
            "source": "specification; exact fractions",
            "areas": SPECIFIED["ten cases"],
            "printed area": 0.60,
        },
        "two models": {
            "source": "closed form; shares of samples from our own long run",
            **two_models.numbers(),
            "repeated": two_models.repeat(n_model_replicates, LONG_SEED),
        },
        "guessing": {"source": "closed form", "sd of useless areas": example.null_error()},
    }


if __name__ == "__main__":
    print(json.dumps(rounded(expected()), indent=1))
