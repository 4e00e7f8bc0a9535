"""The longer sentences of the methods: what an average is, and how intervals were made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady.averaging.base import FEWEST_GROUPS
from rocsteady.report.summary.points.readings import resamples_of_cutoffs
from rocsteady.report.summary.reader_study import study_of
from rocsteady.words import grouped

if TYPE_CHECKING:
    from rocsteady.report.summary.material import Material

NAMES = {
    "threshold": "threshold averaging",
    "pooled": "pooling",
    "vertical": "vertical averaging",
    "horizontal": "horizontal averaging",
    "diagonal": "diagonal averaging",
    "radial": "radial averaging",
    "alerts": "averaging at fixed alarm rates",
    "cost": "tangent averaging",
    "cost-direction": "averaging along the cost direction",
}

_OWN = "This describes {units} that each set a {word} of their own"
AVERAGED = {
    "threshold": (
        "Curves were combined by threshold averaging: at every {word} both rates were averaged over "
        "{units}, each {unit} counting once. This describes the mean performance over {units} that share one "
        "{word}"
    ),
    "pooled": (
        "The rows of all {units} were pooled into one curve, {rows}. This describes the "
        "overall performance of {units} that share one {word}, large ones counting more"
    ),
    "vertical": (
        "Curves were averaged vertically: the {tpr} was averaged over {units} at every {fpr}. "
        + _OWN
        + " to reach the same {fpr}"
    ),
    "horizontal": (
        "Curves were averaged horizontally: the {fpr} was averaged over {units} at every {tpr}. "
        + _OWN
        + " to reach the same {tpr}"
    ),
    "diagonal": (
        "Curves were averaged along the diagonal, at every difference of the two error rates. "
        + _OWN
        + " so that their error rates differ by the same amount (where they are equal, this is the mean of "
        "the equal error rates)"
    ),
    "radial": (
        "Curves were averaged radially, at every ratio of the two error rates. "
        + _OWN
        + " so that their error rates have the same ratio"
    ),
    "alerts": (
        "Curves were averaged at every share of cases called positive, for a prevalence of {prevalence}. "
        + _OWN
        + " so that the same share of their cases is called positive"
    ),
    "cost": (
        "Curves were combined by tangent averaging: for every ratio of costs the points that are best for "
        "each {unit} were averaged. " + _OWN + " to what costs them least"
    ),
}

_ALONG_A_DIRECTION = ("vertical", "horizontal", "diagonal", "alerts")
_SINGLE_AUCS = (
    "Intervals of single AUCs are for other cases of the same {unit}, on the logit scale with DeLong's "
    "standard error (DeLong et al. 1988), widened where a class is rare."
)


def intervals_of_groups(material: Material, *, most_groups: int) -> str:
    """What intervals over groups take as random, and how they were made."""
    settings, wording = material.settings, material.wording
    level = f"{100 * settings.confidence_level:g} %"
    what = "all rows of" if material.declared_key == "pooled" else "the mean over"
    random = (
        f"Intervals ({level}) are for {what} all {wording.units} of which these are taken as a random "
        f"sample; cases within a {wording.unit} were not drawn again. Those of rates and areas are made on "
        f"the logit scale."
    )
    if material.score_set.design.shares_training:
        random = (
            f"Intervals ({level}) are for {what} models that are trained like these; {wording.units} share "
            "training cases, which is allowed for (Nadeau & Bengio 2003). Those of rates and areas are made "
            "on the logit scale."
        )
    by_readers = _of_readers(material)
    is_own = material.deployment is not None and not material.deployment.is_shared
    if is_own and by_readers:
        how = (
            f"Other rates have intervals by Student's t over {wording.units}, in which these very cases are "
            "fixed."
        )
        random = f"Intervals ({level}) are for other {wording.units} like these. {by_readers}"
    elif is_own:
        how = f"Rates at the held quantity have intervals by Student's t over {wording.units}."
    else:
        how = _of_one_threshold(material, most_groups)
    single = "" if material.score_set.columns.has_weights else " " + _SINGLE_AUCS.format(unit=wording.unit)
    if by_readers and not is_own:
        how += f" These very cases are fixed in all of them. {by_readers}"
    return f"{random} {how}{_of_areas(material)}{single}"


def _of_one_threshold(material: Material, most_groups: int) -> str:
    """Intervals of rates where one threshold serves all groups."""
    settings, wording, word = material.settings, material.wording, material.wording.cutoff_word
    kept = f"rates at a {word} that is kept have intervals by Student's t over {wording.units}"
    if settings.cutoff_from is not None:
        return f"{kept[0].upper()}{kept[1:]}."
    held = (
        f"Where a rate is held, the other has its interval by Student's t over {wording.units} of what each "
        f"adds to it, which counts that the {word} would be set again on other data; {kept}."
    )
    if most_groups < FEWEST_GROUPS:
        few = f"Fewer than {FEWEST_GROUPS} {wording.units} are too few for intervals of {word}s."
        return f"{held} {_of_chosen(material, most_groups)} {few}"
    n_anew = grouped(resamples_of_cutoffs(material, most_groups))
    return (
        f"{held} {word.capitalize()}s have intervals from {n_anew} bootstrap samples of whole "
        f"{wording.units} (Efron & Tibshirani 1993; seed {settings.seed}), the {word} being chosen anew each "
        f"time. {_of_chosen(material, most_groups)}"
    )


def _of_chosen(material: Material, most_groups: int) -> str:
    """Intervals of rates at a threshold that optimises a criterion on the same rows."""
    wording, word = material.wording, material.wording.cutoff_word
    n_anew = grouped(resamples_of_cutoffs(material, most_groups))
    drawn = f"whole {wording.units}" if material.is_grouped else "the cases"
    how = (
        f", for as many cases as scatter like the {wording.units}, by Student's t (Korn & Graubard 1998)"
        if material.is_grouped
        else ""
    )
    return (
        f"Rates at {word}s that optimise a criterion were corrected for optimism (Efron & Gong 1983): in "
        f"{n_anew} bootstrap samples of {drawn} (seed {material.settings.seed}) the {word} was chosen again. "
        f"Their intervals are Clopper & Pearson's at the corrected rates{how}."
    )


def _of_areas(material: Material) -> str:
    """How the area under the average has its interval; those of readers are told with them."""
    key, units = material.declared_key, material.wording.units
    if key is None or _of_readers(material):
        return ""
    name = "The AUC of the average curve"
    if key in _ALONG_A_DIRECTION:
        return f" {name} is the mean AUC of {units}, with an interval by Student's t over {units}."
    return f" {name} has its interval by Student's t over {units} of what each adds to it."


def _of_readers(material: Material) -> str:
    """What has intervals for other readers and other cases; nothing where there are no such intervals."""
    study, wording = study_of(material), material.wording
    if study is None or study.problem:
        return ""
    own = material.deployment is not None and not material.deployment.is_shared
    rates = f", and rates where the {wording.fpr.name} or the {wording.tpr.name} is held," if own else ""
    return (
        f"Mean AUCs{rates} have intervals in which {wording.units} and cases are random (Obuchowski & "
        f"Rockette 1995; Hillis 2007), on the logit scale."
    )


def intervals_of_cases(material: Material) -> str:
    """The same for one dataset, whose cases are random."""
    settings, word = material.settings, material.wording.cutoff_word
    level = f"{100 * settings.confidence_level:g} %"
    if material.score_set.columns.has_weights:
        return (
            f"Intervals ({level}) are for other cases like these; weighted rows count as the effective "
            f"number of equal ones."
        )
    return (
        f"Intervals ({level}) are for other cases like these, both classes being random. A rate where the "
        f"other is held has Wilson's limits of both rates combined, so that the choice of the {word} is "
        f"counted; the {word} itself has limits from order statistics. {word.capitalize()}s that optimise a "
        f"criterion were chosen anew in smoothed bootstrap samples of the cases (Efron & Tibshirani 1993; "
        f"seed {settings.seed}). {_of_chosen(material, 1)} The AUC has its interval on the logit scale with "
        f"DeLong's standard error (DeLong et al. 1988), widened where a class is rare."
    )
