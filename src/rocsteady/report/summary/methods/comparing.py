"""How models were compared, as a paragraph for a paper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady.advice.findings import is_of_folds
from rocsteady.report.summary.points.words import shown_name

if TYPE_CHECKING:
    from rocsteady.report.summary.material import Material


def comparing(material: Material, comparison: Any) -> str:
    """How models were compared, as far as the comparison tells."""
    pairs = () if comparison is None else comparison.pairs
    if not pairs:
        return ""
    first, wording = pairs[0], material.wording
    what = " and ".join(dict.fromkeys(shown_name(pair.measure.name) for pair in pairs))
    level = f"at {100 * (1 - material.settings.confidence_level):.4g} %"
    if first.random == "readers and cases":
        how = (
            f"with {wording.units} and cases as random samples (Obuchowski & Rockette 1995, degrees of "
            f"freedom of Hillis 2007)"
        )
    elif first.random == "cases":
        how = "with cases as the random sample, the same for both models"
    elif first.is_met_again:
        how = (
            f"by Student's t of what every one of the {wording.units} adds to the difference, which counts "
            f"that the operating point would be met again on other data"
        )
    elif first.is_paired:
        how = f"by their differences within {wording.units} (paired t test over {wording.units})"
    else:
        how = f"as two samples of {wording.units} (Welch's t test)"
    folds = ""
    if first.random == "groups" and is_of_folds(material.score_set, None):
        folds = (
            "; standard errors of differences allow for the training cases that folds share "
            "(Nadeau & Bengio 2003)"
        )
    each = ", each rate by itself" if len({pair.measure.name for pair in pairs}) > 1 else ""
    several = len({(pair.a, pair.b) for pair in pairs}) > 1
    holm = f" p-values of several pairs were adjusted by the method of Holm (1979){each}." if several else ""
    if each and not several:
        holm = " The two rates were tested each by itself, without adjustment."
    return f"Models were compared by {what}, {how}{folds}. Tests were two-sided {level}.{holm}"
