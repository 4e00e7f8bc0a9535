"""What the reproduction should find: closed forms, the specification's numbers, and a long run of our own.

    python -m papers.slides.expectations

prints ``expected.json``. It takes a minute. The long run draws other samples than the reproduction does.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from papers.rounding import rounded
from papers.slides import (
    best_cutoffs,
    guessing,
    plausibility,
    populations,
    printed,
    replicates,
    ten_cases,
    two_models,
)
from papers.slides.parameters import EXAMPLE

STORED = Path(__file__).with_name("expected.json")
LONG_SEED = 10**6
N_REPLICATES, N_MODEL_REPLICATES = 400_000, 4000
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
    "ten cases": {ten_cases.ONE_STEP: 0.56, ten_cases.FIRST: 0.60, ten_cases.LAST: 0.52},
}


def stored() -> dict[str, Any]:
    """The numbers that come with the package."""
    numbers: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8"))
    return numbers


def expected(
    n_replicates: int = N_REPLICATES, n_model_replicates: int = N_MODEL_REPLICATES
) -> dict[str, Any]:
    """The numbers again, each with where it comes from."""
    cutoffs = best_cutoffs.population_cutoffs().items()
    n = printed.N_PER_GROUP
    return {
        "two populations": {"source": "closed form", "shares": populations.shares()},
        "example": {
            "source": "specification, six digits; closed form",
            "specification": SPECIFIED["population"],
            "area": EXAMPLE.auc,
            "standard error": EXAMPLE.auc_standard_error(n, n),
        },
        "plausibility": {
            "source": "closed form",
            "chances": {own.name: own.chance for own in plausibility.in_closed_form()},
        },
        "repeated": _long_run(n_replicates),
        "cut-offs": {
            "source": "specification; closed form (population)",
            "shown": SPECIFIED["rows shown"],
            "specification": SPECIFIED["cut-offs"],
            "population": {rule: {"threshold": cut.threshold} for rule, cut in cutoffs},
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
        "guessing": {"source": "closed form", "sd of useless areas": guessing.null_error()},
    }


def _long_run(n_replicates: int) -> dict[str, Any]:
    found = replicates.replicates(n_replicates, seed=LONG_SEED).to_dict()
    return {
        "source": f"our own long run, seed {LONG_SEED}; its error is sd / sqrt(n_replicates)",
        **found,
    }


if __name__ == "__main__":
    print(json.dumps(rounded(expected()), indent=1))
