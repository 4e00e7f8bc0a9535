"""Methods, ready to paste: what was averaged and why, what is random, how intervals and tests were made."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady.advice.findings import is_of_folds
from rocsteady.references import REFERENCES
from rocsteady.show.citing import cite, program_version, spelled
from rocsteady.report.summary import counting
from rocsteady.report.summary.comparing.measure import model_name
from rocsteady.report.summary.methods.comparing import comparing
from rocsteady.report.summary.methods.words import (
    AVERAGED,
    NAMES,
    intervals_of_cases,
    intervals_of_groups,
)
from rocsteady.report.summary.phrases import plain_text
from rocsteady.report.summary.points.places import kind_of, prevalence_of
from rocsteady.report.summary.points.words import in_sentence, place_label, shown_name
from rocsteady.results import plain_fields
from rocsteady.words import class_cases, counted, grouped, listed, splits

if TYPE_CHECKING:
    from rocsteady.report.summary.material import Material
    from rocsteady.report.summary.points.points import PointRow, PointsPart

_TO_ADD = {
    "medical": (
        "Not in the data, and asked by STARD 2015: how participants were chosen (items 6 to 9), the index "
        "test and the reference standard in detail (10, 11), whether their readers knew the other result "
        "(13), indeterminate results (15), how the sample size was decided (18), the interval between the "
        "tests (22)."
    ),
    "ml": (
        "Not in the data: how cases were collected and labelled, what the models were trained on, and "
        "whether any of these rows had a part in choosing them."
    ),
    "biometric": (
        "Not in the data: how subjects were recruited, how many comparisons stem from the same subject, the "
        "sensors and the time between samples."
    ),
}


_NAMED = {
    "delong1988": "DeLong et al. 1988",
    "efron1983": "Efron & Gong 1983",
    "korn1998": "Korn & Graubard 1998",
    "efron1993": "Efron & Tibshirani 1993",
    "hillis2007": "Hillis 2007",
    "hogan2023": "Hogan & Adams 2023",
    "holm1979": "Holm (1979)",
    "nadeau2003": "Nadeau & Bengio 2003",
    "obuchowski1995": "Obuchowski & Rockette 1995",
    "paclik2008": "Paclik et al. 2008",
}
"""How the text names its references; the list has those that it names."""


@dataclass(frozen=True)
class Cited:
    """One reference: its key, how the text names it, and how the list at the end spells it."""

    key: str
    short: str
    text: str


@dataclass(frozen=True)
class MethodsPart:
    """Text for a paper, and what it takes to make the report again.

    Attributes
    ----------
    paragraphs : tuple of str
        The methods.
    results : str
        What was found at the declared operating point, in sentences for a paper.
    references : tuple of Cited
    bibtex : str
        The same references, and this program.
    command : str
        What was typed; empty if the report was made from Python.
    version : str
        Of this program.
    seed : int
    to_add : str
        What a reader will ask and the data do not know.
    """

    paragraphs: tuple[str, ...]
    results: str
    references: tuple[Cited, ...]
    bibtex: str
    command: str
    version: str
    seed: int
    to_add: str

    @property
    def text(self) -> str:
        """All of it, to be copied: methods, results, references."""
        listed_references = "\n".join(reference.text for reference in self.references)
        return "\n\n".join(filter(None, [*self.paragraphs, self.results, listed_references]))

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can carry."""
        return plain_fields(self) | {"text": self.text}


def make(material: Material, points: PointsPart | None = None, comparison: Any = None) -> MethodsPart:
    """Write the methods; results quote the operating points and the comparison, if they are given."""
    paragraphs = (
        _data(material),
        _averaging(material),
        _intervals(material),
        _thresholds(material, points),
        _prevalence(material, points),
        _levels(material),
        comparing(material, comparison),
        _excluded(material),
        _software(),
    )
    keys = _references(" ".join(paragraphs))
    return MethodsPart(
        paragraphs=tuple(filter(None, paragraphs)),
        results=_results(material, points, comparison),
        references=tuple(Cited(key, REFERENCES[key].short, spelled(key)) for key in keys),
        bibtex=cite(*keys),
        command=material.settings.command,
        version=program_version(),
        seed=material.settings.seed,
        to_add=_TO_ADD[material.settings.words],
    )


def _data(material: Material) -> str:
    wording, names = material.wording, [shown_name(name) for name in material.names if name]
    own = material.of_model(material.names[0])
    has_curve = own.has_curve | (material.declared_key == "pooled")  # where groups of one class count, too
    n_positives, n_negatives = (int(n[has_curve].sum()) for n in (own.n_positives, own.n_negatives))
    models = "" if all(name[:1].isalpha() for name in names) else "models "
    whose = f"Scores of {models}{listed(names)}" if names else "Scores"
    where = f" on {counted(int(has_curve.sum()), shown_name(wording.unit))}" if material.is_grouped else ""
    design = material.score_set.design
    if design.kind == "cross-validation":
        where = f" from a cross-validation of {counted(material.n_cases, 'case')}"
        n_positives, n_negatives = (n // design.repeats for n in (n_positives, n_negatives))
    counts = (
        f"{grouped(n_positives)} {_cases(wording.positive, is_positive=True)} and {grouped(n_negatives)} "
    )
    counts += _cases(wording.negative, is_positive=False)
    each = " by each" if len(names) > 1 and _is_alike(material) else ""
    each = f" by {names[0]}" if len(names) > 1 and not each else each
    side = "higher" if wording.higher_is_positive else "lower"
    weighted = "; rows were weighted" if material.score_set.columns.has_weights else ""
    return (
        f"{whose}{where} ({counts}{each}{_cases_read(material)}) were analysed; {side} scores speak for "
        f"{_label(wording.positive)}{weighted}."
    )


def _cases_read(material: Material) -> str:
    """How many cases there are, where several groups scored the same ones."""
    if material.score_set.design.kind == "cross-validation":
        return f", each counted once; {splits(material.score_set.design)}"
    n_rows = material.of_model(material.names[0]).columns.n_cases
    return f", of {counted(material.n_cases, 'case')}" if material.n_cases < n_rows else ""


def _is_alike(material: Material) -> bool:
    sizes = {
        (int(own.n_positives.sum()), own.columns.n_cases) for own in map(material.of_model, material.names)
    }
    return len(sizes) == 1


def _cases(label: str, *, is_positive: bool) -> str:
    return shown_name(class_cases(label, is_positive=is_positive))


def _label(label: str) -> str:
    return shown_name(label) if label.isalpha() else f"the label {shown_name(label)}"


def _averaging(material: Material) -> str:
    wording = material.wording
    words = {"unit": wording.unit, "units": wording.units, "fpr": wording.fpr.name, "tpr": wording.tpr.name}
    words["word"] = wording.cutoff_word
    is_weighted = material.score_set.columns.has_weights
    words["rows"] = "rows counting by their weights" if is_weighted else "each row counting once"
    counts = counting.make(material)
    empirical = "Empirical ROC curves were used, neither smoothed nor thinned."
    empirical = empirical if counts is None else counts.methods
    if not material.is_grouped:
        return f"{empirical} There is one dataset, so nothing was averaged."
    key = material.declared_key
    if key is None:
        ways = listed([NAMES[each] for each in material.keys], most=len(material.keys))
        return (
            f"{empirical} How the scores will be used was not declared; curves were averaged in several ways "
            f"({ways}), which answer different questions (Hogan & Adams 2023), and none is recommended here."
        )
    prevalence = "" if material.deployment is None else f"{100 * (material.deployment.prevalence or 0):.4g} %"
    said = AVERAGED[key].format(**words, prevalence=prevalence)
    return f"{empirical} {said} (Hogan & Adams 2023)."


def _intervals(material: Material) -> str:
    if not material.is_grouped or len(material.curves(material.names[0])) < 2:
        return intervals_of_cases(material)
    return intervals_of_groups(material, most_groups=max(len(material.curves(n)) for n in material.names))


def _thresholds(material: Material, points: PointsPart | None) -> str:
    """Where thresholds come from, and how they were tried."""
    settings, kind = material.settings, kind_of(material.declared_place)
    word = "Cut-offs" if settings.words == "medical" else "Thresholds"
    if settings.cutoff_from is not None:
        source = settings.cutoff_from.source
        return f"{word} were set on other rows{f' ({shown_name(source)})' if source else ''}."
    if kind == "threshold" and material.place_is_declared:
        return f"The {word.lower().removesuffix('s')} was prespecified."
    said = f"{word} were not prespecified but found on the rows they were judged on"
    if material.place_is_declared:
        label = in_sentence(place_label(material.declared_place, material.wording, "single"))
        said_so = "asked for" if material.deployment is None else "declared beforehand"
        said += f"; the operating point ({label}) was {said_so}"
    realised = None if points is None else points.realised
    if realised is None:
        return f"{said}."
    kinds = {row.split for row in realised.rows}
    whose = f" of every {material.unit}" if material.is_grouped else ""
    ways = [f"on one half of the rows{whose} and tried on the other half"]
    if "groups" in kinds:
        ways.append(f"on half of the {material.wording.units} and tried on the others")
    dealt = f"dealt at random, seed {settings.seed}"
    return f"{said}. They were also set {', and '.join(ways)} ({dealt}).{_told_apart(material, points)}"


def _prevalence(material: Material, points: PointsPart | None) -> str:
    """What predictive values and costs are for."""
    rows = () if points is None else tuple(row for block in points.blocks for row in block.rows)
    has_values = any(row.two_by_two is not None for row in rows)
    has_costs = any(row.cost == row.cost for row in rows)
    what = [*(["predictive values and accuracy"] if has_values else []), *(["costs"] if has_costs else [])]
    if not what:
        return ""
    said = " and ".join(what)
    shares = {name: prevalence_of(material, name) for name in material.names}
    (first, is_declared), *_ = shares.values()
    if is_declared:
        return f"{said[0].upper()}{said[1:]} are for a declared prevalence of {_share(first)}."
    told = {name: _share(share) for name, (share, _) in shares.items()}
    each = told[material.names[0]]
    if len(set(told.values())) > 1:
        each = ", ".join(f"{share} ({shown_name(name)})" for name, share in told.items())
    return f"{said[0].upper()}{said[1:]} are for the prevalence among these rows, {each}."


def _share(prevalence: float) -> str:
    return f"{float(f'{100 * prevalence:.3g}'):g} %"


def _told_apart(material: Material, points: PointsPart | None) -> str:
    if points is None or points.cutoffs is None:
        return ""
    return (
        f" Which other {material.wording.cutoff_word}s cannot be told apart from the one shown was decided "
        f"by paired t tests over {material.wording.units} (Paclik et al. 2008){_corrected(material)}."
    )


def _corrected(material: Material) -> str:
    if not is_of_folds(material.score_set, None):
        return ""
    return ", corrected for training cases that folds share (Nadeau & Bengio 2003)"


def _levels(material: Material) -> str:
    """Whether scores mean the same everywhere: a question where they share a threshold."""
    is_own = material.deployment is not None and not material.deployment.is_shared
    if is_own or not material.is_grouped or material.comparability(material.names[0]) is None:
        return ""
    units, word = material.wording.units, material.wording.cutoff_word
    return (
        f"Whether a score means the same in all {units} was judged by how far score levels lie apart between "
        f"{units}, and by the AUC that one shared {word} loses against own ones; the test exchanges rows "
        f"between {units}."
    )


def _excluded(material: Material) -> str:
    given, wording = material.given, material.wording
    said = []
    if given.dropped:
        causes = listed(
            [f"{shown_name(str(cause))}: {grouped(int(n))}" for cause, n in given.dropped.causes.items()]
        )
        said.append(f"{counted(given.dropped.n_rows, 'row')} ({causes})")
    unit = shown_name(wording.unit)
    if material.left_out:
        least = material.settings.min_per_class
        names = listed([shown_name(name) for name in material.left_out])
        said.append(
            f"{counted(len(material.left_out), unit)} with fewer than {least} cases of a class ({names})"
        )
    own = material.score_set
    lacking = own.group_index[~own.has_curve]
    alone = list(dict.fromkeys(own.groups[i] for i in lacking.tolist()))
    if alone and material.is_grouped:
        pooled = " (but for the pooled curve)" if material.declared_key == "pooled" else ""
        names = listed([shown_name(name) for name in alone])
        said.append(f"{counted(len(alone), unit)} with one class only{pooled} ({names})")
    if not said:
        return "No rows were excluded."
    return f"Left out: {listed(said)}."


def _software() -> str:
    version = program_version()
    return f"Analyses were made with rocsteady{f' {version}' if version else ''} for Python."


def _results(material: Material, points: PointsPart | None, comparison: Any) -> str:
    """The declared operating point of every model, then the comparison."""
    if points is None:
        return ""
    rows = [row for row in points.rows if row.is_declared]
    said = []
    if rows:
        question = _question(material)
        label = in_sentence(place_label(rows[0].place, material.wording, question))
        said.append(
            f"{'With' if question == 'own' else 'At'} {label}, "
            + "; ".join(_row_words(material, row) for row in rows)
            + "."
        )
    if comparison is not None and comparison.pairs:
        said += [plain_text(pair.sentence) for pair in comparison.pairs]
    return " ".join(said)


def _question(material: Material) -> str:
    if not material.is_grouped:
        return "single"
    if material.deployment is not None and not material.deployment.is_shared:
        return "own"
    return "pooled" if material.declared_key == "pooled" else "shared"


def _row_words(material: Material, row: PointRow) -> str:
    wording, level = material.wording, f"{100 * material.settings.confidence_level:g} % CI "
    mean = "mean " if material.is_grouped and row.key != "pooled" else ""
    said = []
    for name, value, limits, is_held in (
        (wording.tpr, row.tpr, row.tpr_limits, row.tpr_is_held),
        (wording.fpr, row.fpr, row.fpr_limits, row.fpr_is_held),
    ):
        if is_held:
            continue
        within = name.bare_interval(*limits)
        number = f"{name.bare(value)} %{f' ({level}{within} %)' if within else ''}"
        said.append(
            f"a {mean}{name.name} of {number}" if row.model else f"the {mean}{name.name} was {number}"
        )
    word = f"{wording.cutoff_word}s" if math.isnan(row.threshold) else wording.cutoff_word
    whose = f"{model_name(row.model)} had " if row.model else ""
    return f"{whose}{' and '.join(said)}, {word} {row.cell}"


def _references(text: str) -> tuple[str, ...]:
    """The keys of the papers that a text names."""
    return tuple(key for key, name in _NAMED.items() if name in text)
