"""The whole reproduction of Sakellaropoulos's slides: numbers, checks, claims, tables, figures.

    python -m papers.slides.run

prints ``expected.json``, what has no closed form: a long run of our own over other samples (a minute).
"""

from __future__ import annotations

import json
from typing import Any

from papers.paper import Part, Reproduction, rounded, stored
from papers.slides import cutoffs, example, lessons, two_models
from rocsteady.options import yes_or_no

N_REPLICATES, N_REPLICATES_QUICK = 20_000, 4000
N_MODEL_REPLICATES, N_MODEL_REPLICATES_QUICK = 200, 40
N_USELESS, N_USELESS_QUICK = 2000, 400
LONG_SEED, LONG_REPLICATES, LONG_MODEL_REPLICATES = 10**6, 400_000, 4000
FIGURES = (
    "two_populations", "example_curve", "standard_error", "best_cutoffs",
    "ten_cases", "two_models", "guessing",
)  # fmt: skip


def reproduce_slides(*, quick: bool = False) -> Reproduction:
    """Compute the slides' figures, tables and claims, and check every number.

    Parameters
    ----------
    quick : bool
        Draw 4,000 samples of the SPSS example instead of 20,000, and fewer of everything else.
    """
    quick = yes_or_no("quick", quick)
    wanted, curve = stored(__file__), example.sample().curve
    divided, cuts, ten = lessons.divided(), cutoffs.best_cutoffs(curve), lessons.ten_cases()
    spss = example.spss(N_REPLICATES_QUICK if quick else N_REPLICATES, wanted)
    models = two_models.two_models(
        N_MODEL_REPLICATES_QUICK if quick else N_MODEL_REPLICATES, wanted["two models"]
    )
    best = [*cutoffs.in_rows().values(), *cutoffs.in_population().values()]
    guesses = lessons.guessing(curve, best, N_USELESS_QUICK if quick else N_USELESS)
    whole = Part.joined((divided, spss, cuts, ten, models, guesses))
    return Reproduction(
        name="slides",
        paper="Sakellaropoulos, ROC (Receiver Operating Characteristic) curves, slides",
        is_quick=quick,
        **whole._replace(claims=Part.joined((divided, spss, cuts, ten, guesses, models)).claims)._asdict(),
    )


def expected(
    n_replicates: int = LONG_REPLICATES, n_model_replicates: int = LONG_MODEL_REPLICATES
) -> dict[str, Any]:
    """The numbers that are stored, again."""
    return {
        "plausibility": {own.name: own.chance for own in example.in_closed_form()},
        "repeated": example.replicates(n_replicates, seed=LONG_SEED).to_dict(),
        "two models": {
            "slope": two_models.common_slope(),
            "repeated": two_models.repeat(n_model_replicates, LONG_SEED),
        },
    }


if __name__ == "__main__":
    print(json.dumps(rounded(expected()), indent=1))
