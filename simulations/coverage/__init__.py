"""How often intervals cover and tests reject: the table of docs/coverage.md.

    python -m simulations.coverage [--only QUESTION ...] [--replicates N] [--seed 1] [--again]

One module for each kind of question. A cell (one setting of one question) has a seed of its own, made from
its name, so cells can be computed in any order; each is stored in docs/coverage.json as soon as it is done,
and a run that was stopped goes on where it was. ``python docs/make_coverage.py`` writes the page.
"""

from __future__ import annotations

import os

# Before NumPy is loaded: for the small products in here, threads cost four times what they give.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
