"""What the reproduction should find: closed forms, the specification's numbers, and a long run of our own.

    python -m papers.operating_points.expectations DIR

prints ``expected.json``, with the digits from ``DIR/uci/mfeat-mor.csv``. It takes some minutes. The long run
draws other samples than the reproduction does.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from papers.operating_points import errata, figure_3, limit
from papers.operating_points.digits import digits_file, read_digits
from papers.operating_points.parameters import (
    CORRECTED,
    FIGURE_2_SIZES,
    PLAIN,
    PRINTED,
)
from papers.operating_points.replicates import replicates
from papers.rounding import rounded

STORED = Path(__file__).with_name("expected.json")
LONG_SEED = 10**6
N_REPLICATES = 20_000
N_DRAWS = 400
SPECIFIED = {
    "50": {PRINTED.name: 4.4, PLAIN.name: 5.2, CORRECTED.name: 10.5},
    "200": {PRINTED.name: 0.4, PLAIN.name: 0.65, CORRECTED.name: 2.4},
}
"""Points not rejected, of 29: means of 150 studies."""


def stored() -> dict[str, Any]:
    """The numbers that come with the package."""
    numbers: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8"))
    return numbers


def expected(
    data: str | Path | None, n_replicates: int = N_REPLICATES, n_draws: int = N_DRAWS
) -> dict[str, Any]:
    """The numbers again, each with where it comes from."""
    return {
        "limit": {"source": "closed form, by quadrature", "fpr": limit.limit()},
        "figure 2": {
            "specification": {
                "source": "specification: means of 150 studies, given with one or two digits",
                "n_replicates": 150,
                "points not rejected": {
                    size: {
                        name: {"value": value, "rounding": _rounding(value)} for name, value in own.items()
                    }
                    for size, own in SPECIFIED.items()
                },
            },
            "long run": {
                "source": f"our own long run, seeds from {LONG_SEED}; sd / sqrt(n_replicates) is its error",
                **{str(size): _long_run(size, n_replicates) for size in FIGURE_2_SIZES},
            },
        },
        "figure 3": _figure_3(data, n_draws),
        "errata": {"source": "closed form (level), one sample (gap)", **errata.numbers()},
    }


def _rounding(value: float) -> float:
    """Half of the last digit that is given."""
    return 0.5 * 10.0 ** -len(repr(value).partition(".")[2])


def _long_run(size: int, n_replicates: int) -> dict[str, Any]:
    found = replicates(size, n_replicates, seed=LONG_SEED)
    return {"n_replicates": n_replicates, "mean": dict(found.mean), "sd": dict(found.sd)}


def _figure_3(data: str | Path | None, n_draws: int) -> dict[str, Any]:
    path = digits_file(data)
    if path is None:
        raise SystemExit("name the folder that holds uci/mfeat-mor.csv")
    features, classes = read_digits(path)
    draws = figure_3.drawn_digits(features, classes, n_draws, seed=LONG_SEED)
    return {
        "first 100": {
            "source": "our own, seed 0: nothing else is random",
            **figure_3.first_digits(features, classes).readings(),
        },
        "first 100, scaled": {
            "source": "our own, seed 0: nothing else is random",
            **figure_3.first_digits(features, classes, scale=True).readings(),
        },
        "draws": {
            "source": f"our own long run, seeds from {LONG_SEED}; sd / sqrt(n_draws) is its error",
            **figure_3.long_run(draws),
        },
    }


if __name__ == "__main__":
    print(json.dumps(rounded(expected(sys.argv[1] if len(sys.argv) > 1 else None)), indent=1))
