"""Codes of requirements, what ``--require`` asks of a result."""

from __future__ import annotations

from rocsteady.codes.entry import Entry

ENTRIES: dict[str, Entry] = {
    "RS004": Entry(
        "a requirement cannot be read",
        'A requirement is written MEASURE >= NUMBER or MEASURE <= NUMBER: "auc >= 0.8", "tpr@fpr=0.05 >= '
        '0.6", "fpr@tpr=0.9 <= 0.1", "tpr@t=0.5 >= 0.7". It is asked of every model, of one ("candidate: auc '
        '>= 0.8"), or of a difference ("candidate - baseline: tpr@fpr=0.05 >= 0"). Rates are those of the '
        "average that the declared deployment needs. Put it in quotes: > is a shell's own sign.",
    ),
    "RS005": Entry(
        "a requirement does not hold",
        "A requirement is judged on the bound of the confidence interval that makes it hardest: the lower "
        "one where a value must be at least as large, the upper one where it must be at most as large. So it "
        "holds only if the data say so, and not because a small sample was lucky. A value without an "
        "interval, as of a single group, does not hold. The exit code is 1; what was written stays.",
    ),
}
