"""The numbers of the experiment as tables and as pictures, of any learners and any sets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from papers.paper import Figure, Table
from papers.smroc.areas import SPELLED, Areas, Floats, PerSet, per_set, spread_questions
from papers.smroc.runs import AUC, CLIPPED, HALF, NB, PAPER, PET
from papers.smroc.sets import all_of_table_1
from rocsteady.curves.smroc import SmrocCurve
from rocsteady.figures.mid_profile import picture as profile_picture
from rocsteady.figures.spec import Axis, Entry, Key, Line, Mark, Panel, Picture, Points, Rule, Span
from rocsteady.figures.style import GUIDE, INK, LOOKS, QUIET
from rocsteady.text import Quote, phrase
from rocsteady.words import grouped

LEARNERS = {NB: "naive Bayes", PET: "probability tree"}
FEWEST = 6
"""Sets over which tests of signs or ranks can reject at 5 %."""
WIDTH = 7.2
"""Inches, of all figures."""


# Tables -------------------------------------------------------------------------------------------------


def table_of_sets(names: Sequence[str]) -> Table:
    """Table 1 of the paper, and what our copies of the sets hold."""
    rows = []
    for own in all_of_table_1():
        here = "left out: no complete copy" if own.available else "not available"
        if own.abbr in names:
            counts = (own.n, own.n_positives, own.n_negatives, len(own.features))
            here = "the same" if counts == own.printed[:4] else "{} ({} + {}), {} features".format(*counts)
        elif own.available:
            here = "not in this run"
        printed = (*map(grouped, own.printed[:4]), str(own.printed.percent_positive))
        rows.append((own.abbr, own.name, *printed, here))
    headings = ("set", "name", "n", "+", "−", "features", "% +", "our copy")
    return Table("Table 1: UCI binary classification data", headings, tuple(rows))


def tables(found: Areas, figures: Mapping[str, str] | None = None) -> list[Table]:
    """Averages and spreads; choices of Mid; appropriateness; differences between learners; tests over sets.

    ``figures`` has the words that captions begin with, by learner and under ``"difference"``.
    """
    said = {} if figures is None else figures
    in_order = sorted(found.learners, key=lambda own: said.get(own, ""))
    made = [_averages(found, own, said.get(own, "")) for own in in_order]
    made += [_mids(found, own) for own in found.learners]
    made.append(_appropriateness(found))
    tests = per_set(found)
    for first, second in found.pairs:
        made.append(_differences(found, tests, first, second, said.get("difference", "")))
    return [*made, _over_sets(found)] if len(found.sets) >= FEWEST else made


def called(learner: str) -> str:
    """A learner in words."""
    return LEARNERS.get(learner, learner)


def _rows(names: Iterable[str], columns: Sequence[Floats], spec: str) -> tuple[tuple[str, ...], ...]:
    return tuple((name, *(format(column[i], spec) for column in columns)) for i, name in enumerate(names))


def _averages(found: Areas, learner: str, figure: str) -> Table:
    columns = [function(learner, space) for space in (AUC, PAPER) for function in (found.mean, found.sd)]
    caption = (
        f"{figure}{called(learner)} ({found.source}): average and standard deviation over {found.n_runs} runs"
    )
    return Table(caption, ("set", "AUC", "sd", "smAUC", "sd"), _rows(found.sets, columns, ".4f"))


def _mids(found: Areas, learner: str) -> Table:
    quantities = ["mid", AUC]
    for name in (PAPER, CLIPPED, HALF):
        quantities += [name, f"permuted, {name}"]
    columns = [found.mean(learner, own) for own in (*quantities, f"chance, {PAPER}")]
    shuffled = "shuffled"
    return Table(
        f"smAUC of {called(learner)} under each Mid ({found.source}), and with the labels shuffled; last, "
        "the chance level by formula under the paper's Mid",
        ("set", "Mid", "AUC", "paper's Mid", shuffled, "clipped", shuffled, "Mid 1/2", shuffled, "formula"),
        _rows(found.sets, columns, ".3f"),
    )


def _appropriateness(found: Areas) -> Table:
    rows = []
    for i, name in enumerate(found.sets):
        for own in found.learners:
            shares = (
                found.mean(own, f"{side}, {mid}")[i]
                for mid in (PAPER, HALF)
                for side in ("positives", "negatives")
            )
            cells = (f"{100 * share:.0f} %" for share in shares)
            rows.append((name, own, f"{found.mean(own, 'mid')[i]:.2f}", *cells))
    of = ("positives", "negatives")
    return Table(
        f"Appropriate scores ({found.source}): the share of each class whose scores agree with the label "
        "(Definition 1), under the paper's Mid and under Mid 1/2",
        ("set", "learner", "Mid", *of, *(f"{side}, 1/2" for side in of)),
        tuple(rows),
    )


def _differences(found: Areas, tests: Mapping[str, PerSet], first: str, second: str, figure: str) -> Table:
    rows = []
    for i in np.argsort(-found.difference(PAPER, first, second).mean(axis=1), kind="stable"):
        cells = [found.sets[i]]
        for space in (AUC, PAPER):
            own, test = (
                found.difference(space, first, second)[i],
                tests[f"{first} less {second}, {SPELLED[space]}"],
            )
            cells += [f"{own.mean():+.4f}", f"{own.std(ddof=1):.4f}"]
            cells += [f"{pvalues[i]:.2g}" for pvalues in (test.plain, test.corrected)]
        rows.append(tuple(cells))
    tested = ("sd", "p, runs", "p, corrected")
    return Table(
        f"{figure}{called(first)} less {called(second)} ({found.source}), run by run. The test over runs "
        "speaks of splits of these rows only; the corrected one of new rows.",
        ("set", "AUC", *tested, "smAUC", *tested),
        tuple(rows),
    )


def _over_sets(found: Areas) -> Table:
    rows = []
    for own in spread_questions(found).values():
        numbers = (f"{own.median:+.4f}", f"{own.pvalue:.2g}", f"{own.t_pvalue:.2g}")
        rows.append((own.question, f"{own.n_lower} of {own.n}", *numbers))
    return Table(
        f"Over sets ({found.source}): on how many smAUC has the lower value, by how much in the median, and "
        "the p-values of Wilcoxon's signed ranks and of the paired t test",
        ("of smAUC and AUC", "lower on", "median", "p, signed ranks", "p, t"),
        tuple(rows),
    )


# Figures 4, 5 and 7: sets along the axis ----------------------------------------------------------------

_STYLES: dict[str, dict[str, Any]] = {
    AUC: {"look": INK, "marker": "o"},
    PAPER: {"look": LOOKS[1], "marker": "o", "is_open": True},
}
_SAID = {AUC: "AUC", PAPER: "smAUC, the paper's Mid"}


def _joined(values: Mapping[str, Floats]) -> list[tuple[list[Mark], Entry]]:
    """A line with a marker for each set, for AUC and for smAUC."""
    made: list[tuple[list[Mark], Entry]] = []
    for space, y in values.items():
        x, style = np.arange(y.size), _STYLES[space]
        line = Line(x, y, look=style["look"], width=1.1, dash=() if space == AUC else (4, 2))
        made.append(([line, Points(x, y, size=5, **style)], Entry(Quote(_SAID[space]), line)))
    return made


def _single(y: Floats, marker: str, look: Any, words: str) -> tuple[list[Mark], Entry]:
    mark = Points(np.arange(y.size), y, look=look, marker=marker, size=6)
    return [mark], Entry(Quote(words), mark)


def _stacked(names: Sequence[str], top: list[Any], bottom: list[Any], label: str, title: str) -> Picture:
    """Spreads above averages, of the same sets."""
    n = len(names)
    x = Axis(None, -0.6, n - 0.4, ticks=tuple(range(n)), names=tuple(map(Quote, names)))
    panels = []
    for parts, words, aspect, low in ((top, "standard deviation", 0.3, 0.0), (bottom, label, 0.38, None)):
        marks = tuple(mark for own, _ in parts for mark in own)
        panels.append(Panel(x, Axis(Quote(words), low), marks, aspect=aspect))
    key = Key(tuple(entry for _, entry in bottom if entry is not None))
    return Picture(tuple(panels), Quote(title), key, width=WIDTH, description=Quote(title))


def picture_of_similar(found: Areas, learner: str) -> Picture:
    """Figures 4 and 5: spread and average of both areas; sets in the order of the spread of AUC."""
    order = np.argsort(-found.sd(learner, AUC), kind="stable")
    spreads, means = ({s: f(learner, s)[order] for s in (AUC, PAPER)} for f in (found.sd, found.mean))
    beyond = np.flatnonzero((found.mean(learner, "mid") > 1)[order])
    spans: list[Mark] = [Span(i - 0.5, i + 0.5, look=LOOKS[1], alpha=0.12) for i in beyond.tolist()]
    shaded = [(spans, Entry(Quote("Mid above 1"), spans[0]))] if spans else []
    bottom = [
        ([Rule(y=0.5, look=GUIDE)], None),
        *shaded,
        *_joined(means),
        _single(found.mean(learner, HALF)[order], "X", LOOKS[0], "smAUC, Mid 1/2"),
        _single(found.mean(learner, f"permuted, {PAPER}")[order], "v", QUIET, "smAUC, labels shuffled"),
    ]
    title = f"{called(learner)} ({found.source}), {found.n_runs} runs of cross-validation"
    return _stacked([found.sets[i] for i in order], _joined(spreads), bottom, "average", title)


def picture_of_difference(found: Areas, first: str = NB, second: str = PET) -> Picture:
    """Figure 7: one learner less another, run by run; sets in the order of the difference of smAUC."""
    difference = {space: found.difference(space, first, second) for space in (AUC, PAPER, HALF)}
    order = np.argsort(-difference[PAPER].mean(axis=1), kind="stable")
    spreads = {s: difference[s].std(axis=1, ddof=1)[order] for s in (AUC, PAPER)}
    means = {s: difference[s].mean(axis=1)[order] for s in (AUC, PAPER)}
    half = _single(difference[HALF].mean(axis=1)[order], "X", LOOKS[0], "smAUC, Mid 1/2")
    bottom = [([Rule(y=0.0, look=GUIDE)], None), *_joined(means), half]
    title = f"{called(first)} less {called(second)} ({found.source}), {found.n_runs} runs on the same folds"
    names = [found.sets[i] for i in order]
    return _stacked(names, _joined(spreads), bottom, f"average of {first} less {second}", title)


# Figure 6, and smAUC for every Mid ----------------------------------------------------------------------

Shown = Mapping[str, Sequence[SmrocCurve]]
"""The smROC curves of one set, one for each run, by learner."""


def picture_of_curves(name: str, shown: Shown) -> Picture:
    """Figure 6: the curves of all runs in both spaces, and with Mid 1/2; dashed, their chance curves."""
    panels = []
    spaces: dict[str, Callable[[SmrocCurve], Any]] = {
        "ROC": SmrocCurve.roc,
        "smROC, the paper's Mid": lambda curve: curve,
        "smROC, Mid 1/2": lambda curve: curve.with_mid(0.5),
    }
    rates, shares = ("false positive rate", "true positive rate"), ("share of debit", "share of credit")
    for title, of in spaces.items():
        word = "AUC" if title == "ROC" else "smAUC"
        marks: list[Mark] = [Line((0, 1), (0, 1), look=GUIDE, width=1.0)]
        notes = []
        for (learner, curves), look in zip(shown.items(), LOOKS, strict=False):
            drawn = [of(curve) for curve in curves]
            lines = [Line(own.fpr, own.tpr, look=look, width=0.7, alpha=0.8, dash=()) for own in drawn]
            marks += lines
            area = float(np.mean([own.auc for own in drawn]))
            notes.append(Entry(Quote(f"{called(learner)}, {word} {area:.3f}"), lines[0]))
            if word == "smAUC":
                x, y = drawn[0].chance_path
                chance = Line(x, y, look=look, width=1.3, dash=(4, 2))
                level = float(np.mean([own.chance_auc for own in drawn]))
                marks.append(chance)
                notes.append(Entry(Quote(f"its chance level, {level:.3f}"), chance))
        axes = [Axis(Quote(label), 0.0, 1.0) for label in (shares if word == "smAUC" else rates)]
        key = Key(notes=tuple(notes), corners=())
        panels.append(Panel(axes[0], axes[1], tuple(marks), Quote(f"{name}: {title}"), key, aspect=1.0))
    description = Quote(f"ROC and smROC curves of {name}")
    return Picture(tuple(panels), columns=3, width=1.3 * WIDTH, description=description)


def picture_of_mids(name: str, shown: Shown) -> Picture:
    """SmAUC and its chance level for every Mid, beyond the paper's own: the first run of every learner."""
    first = {learner: curves[0] for learner, curves in shown.items()}
    mids = np.linspace(0.02, 1.1 * max(1.0, *(curve.mid for curve in first.values())), 60)
    panels = []
    for learner, curve in first.items():
        [panel] = profile_picture(curve.mid_profile(mids)).panels
        title = Quote(f"{name}, {called(learner)}, run 1 of {len(shown[learner])}")
        panels.append(replace(panel, title=title, y=replace(panel.y, low=0.4, high=1.0)))
    return Picture(tuple(panels), columns=len(panels), width=WIDTH, description=phrase("smAUC for every Mid"))


# Figures of a page --------------------------------------------------------------------------------------

OURS = (
    "The learners are ours, the data sets those of Table 1 that can be had. Added: smAUC with Mid 1/2 and "
    "with the labels shuffled; sets whose Mid lies above 1 are shaded."
)


def figures_of(found: Areas, ending: str = "") -> list[Figure]:
    """Figures 4, 5 and 7; those from Weka's scores have an ending."""
    differs = (
        OURS if not ending else OURS.replace("The learners are ours", "The scores are those of Weka 3.6.14")
    )
    runs_of = "from ten runs of 10-fold cross-validation"
    draws: dict[str, tuple[str, Callable[[], Picture]]] = {
        "figure_4": (f"Similar PET Models {runs_of}", partial(picture_of_similar, found, PET)),
        "figure_5": (f"Similar Naive Bayes models {runs_of}", partial(picture_of_similar, found, NB)),
        "figure_7": ("AUC difference for Naive Bayes and PET models", partial(picture_of_difference, found)),
    }
    runs = "" if found.n_runs == 10 else f" {found.n_runs} runs instead of ten."
    return [
        Figure(f"{name}{ending}", caption, differs + runs, draw) for name, (caption, draw) in draws.items()
    ]


def figures_of_curves(name: str, shown: Shown) -> list[Figure]:
    """Figure 6, and one that the paper leaves to future work."""
    return [
        Figure(
            "figure_6",
            f"Naive Bayes and PET models constructed from {name} data",
            "The learners are ours. Added: the chance curves, dashed, and the third panel, with Mid 1/2.",
            partial(picture_of_curves, name, shown),
        ),
        Figure(
            "mid_profile",
            'Not in the paper, which leaves "analyzing the effect of varying this midpoint for all values '
            'between zero and one" to future work.',
            "smAUC and its chance level for every Mid, of the first run.",
            partial(picture_of_mids, name, shown),
        ),
    ]
