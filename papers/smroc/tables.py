"""The numbers behind Figures 4, 5 and 7 as tables to print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from papers.reproduction import Tabulated
from papers.smroc import expectations
from papers.smroc.analysis.results import AUC, Areas
from papers.smroc.analysis.significance import PerSet, per_set, spread_questions
from papers.smroc.parameters import CLIPPED, HALF, LEARNERS, NB, PAPER, PET
from papers.smroc.sets import table_1
from rocsteady.words import grouped

Rows = tuple[tuple[str, ...], ...]


def of_sets(names: Sequence[str]) -> Tabulated:
    """What the abbreviations stand for."""
    rows = tuple(
        (
            f"{own.abbr}: {own.name}",
            grouped(own.n),
            f"{100 * own.n_positives / own.n:.0f}",
            str(len(own.features)),
        )
        for own in table_1()
        if own.abbr in names
    )
    return Tabulated(
        "The data sets, by their abbreviations in Table 1.",
        ("set", "rows", "% positive", "features"),
        (("", rows),),
    )


def of_areas(found: Areas) -> list[Tabulated]:
    """Averages and spreads; the three choices of Mid; naive Bayes less the tree; the tests over sets."""
    return [_averages(found), _mids(found), _differences(found, per_set(found)), _over_sets(found)]


def _averages(found: Areas) -> Tabulated:
    def rows(learner: str) -> Rows:
        columns = [function(learner, space) for space in (AUC, PAPER) for function in (found.mean, found.sd)]
        return tuple((name, *(f"{column[i]:.4f}" for column in columns)) for i, name in enumerate(found.sets))

    return Tabulated(
        f"Figures 4 and 5 ({found.source}): average and standard deviation over {found.n_runs} runs.",
        ("set", "AUC", "sd", "smAUC", "sd"),
        tuple((LEARNERS[learner], rows(learner)) for learner in (PET, NB)),
    )


def _mids(found: Areas) -> Tabulated:
    """SmAUC under each Mid, beside what it is with the labels shuffled."""

    def rows(learner: str) -> Rows:
        columns = [found.mid[learner].mean(axis=1), found.mean(learner, AUC)]
        for name in (PAPER, CLIPPED, HALF):
            columns += [found.mean(learner, name), found.permuted[learner][name].mean(axis=1)]
        columns.append(found.chance[learner][PAPER].mean(axis=1))
        return tuple((name, *(f"{column[i]:.3f}" for column in columns)) for i, name in enumerate(found.sets))

    shuffled = "shuffled"
    return Tabulated(
        f"smAUC under each Mid ({found.source}), and with the labels shuffled; last, the chance level by "
        "formula under the paper's Mid.",
        ("set", "Mid", "AUC", "paper's Mid", shuffled, "clipped", shuffled, "Mid 1/2", shuffled, "formula"),
        tuple((LEARNERS[learner], rows(learner)) for learner in (NB, PET)),
    )


def _differences(found: Areas, tests: Mapping[str, PerSet]) -> Tabulated:
    order = np.argsort(-found.difference(PAPER).mean(axis=1), kind="stable")
    rows = []
    for i in order:
        cells = [found.sets[i]]
        for space, name in ((AUC, "AUC"), (PAPER, "smAUC")):
            own = found.difference(space)[i]
            test = tests[f"{NB} less {PET}, {name}"]
            cells += [f"{own.mean():+.4f}", f"{own.std(ddof=1):.4f}"]
            cells += [f"{p[i]:.2g}" for p in (test.plain, test.corrected)]
        rows.append(tuple(cells))
    tested = ("sd", "p, runs", "p, corrected")
    return Tabulated(
        f"Figure 7 ({found.source}): naive Bayes less the tree, run by run. The test over runs speaks of "
        "splits of these rows only; the corrected one of new rows.",
        ("set", "AUC", *tested, "smAUC", *tested),
        (("", tuple(rows)),),
    )


def _over_sets(found: Areas) -> Tabulated:
    rows = tuple(
        (
            question.question,
            f"{question.n_lower} of {question.n}",
            f"{question.median:+.4f}",
            f"{question.pvalue:.2g}",
            f"{question.t_pvalue:.2g}",
        )
        for question in spread_questions(found).values()
    )
    return Tabulated(
        f"Over sets ({found.source}): on how many smAUC has the lower value, by how much in the median, and "
        "the p-values of Wilcoxon's signed ranks and of the paired t test.",
        ("of smAUC and AUC", "lower on", "median", "p, signed ranks", "p, t"),
        (("", rows),),
    )


def beside_weka(found: Areas) -> Tabulated:
    """Our averages less those of Weka, which nobody here wrote."""
    expected = expectations.stored()
    columns = [
        dict(expectations.weka_gaps(found, expected, learner, space))
        for learner in LEARNERS
        for space in (AUC, PAPER)
    ]
    rows = tuple((name, *(f"{column[name]:+.4f}" for column in columns)) for name in found.sets)
    headings = [f"{learner}, {word}" for learner in LEARNERS for word in ("AUC", "smAUC")]
    return Tabulated(
        "Our averages less those of Weka 3.6.14 (NaiveBayes, J48 -U -A) on the same files. Our tree asks "
        "about one level of a nominal feature at a time, where J48 splits into all of them (tic), chooses "
        "splits by information gain instead of gain ratio (prks, hart) and asks no least gain of a numeric "
        "split (habr, blod).",
        ("set", *headings),
        (("", rows),),
    )
