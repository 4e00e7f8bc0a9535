"""Claims of the conclusions: less variation, significance, differences found more consistently."""

from __future__ import annotations

from papers.claims import Claim
from papers.smroc.analysis.results import AUC, Areas
from papers.smroc.analysis.significance import PerSet, per_set, spread_questions
from papers.smroc.judged.rules import most
from papers.smroc.judged.similar import told
from papers.smroc.parameters import FEWEST_SETS, LEARNERS, LEVEL, NB, PAPER, PET
from rocsteady.words import counted, listed


def claims(found: Areas, weka: Areas | None) -> list[Claim]:
    """All of them; none of few sets."""
    if len(found.sets) < FEWEST_SETS:
        return []
    return [_less_variation(found, weka), _significant(found), _more_consistently(found, weka)]


def _less_variation(found: Areas, weka: Areas | None) -> Claim:
    questions = spread_questions(found)
    others = {} if weka is None else spread_questions(weka)
    own = {learner: questions[f"sd, {learner}"] for learner in LEARNERS}
    sure = {
        learner: most(q.n_lower, q.n) and q.t_pvalue <= LEVEL and q.pvalue <= LEVEL
        for learner, q in own.items()
    }
    ratio = {learner: questions[f"excess over chance / sd, {learner}"] for learner in LEARNERS}
    parts = [
        f"{learner}: the sd of smAUC is lower {told(own[learner], others.get(f'sd, {learner}'))}, paired t "
        f"over sets p = {own[learner].t_pvalue:.2g}; what it measures beyond chance, divided by the sd, is "
        f"larger on {ratio[learner].n - ratio[learner].n_lower} of {ratio[learner].n} "
        f"(p = {ratio[learner].pvalue:.2g}{_constant(found, learner)})"
        for learner in LEARNERS
    ]
    return Claim(
        claim="smROC measures performance with less variation than ROC, which a paired t test finds "
        "significant.",
        where="Section 5",
        measured=". ".join(parts) + ". A lower sd alone is a change of scale: a constant has none.",
        holds=all(sure.values()),
        correction="For PET; for NB it is not significant." if sure[PET] else "",
        holds_corrected=sure[PET] and not sure[NB],
        erratum="K14",
    )


def _constant(found: Areas, learner: str) -> str:
    """Which sets have no ratio to an sd, because there is none."""
    without = [
        name
        for name, *both in zip(found.sets, found.sd(learner, AUC), found.sd(learner, PAPER), strict=True)
        if min(both) <= 1e-12
    ]
    return f"; not of {listed(without)}, where an area does not vary" if without else ""


def _significant(found: Areas) -> Claim:
    asked = per_set(found)
    own = {space: asked[f"{NB} less {PET}, {space}"] for space in ("AUC", "smAUC")}
    n = len(found.sets)
    plain, corrected = (
        [question.n_significant(which) for question in own.values()] for which in ("plain", "corrected")
    )
    on_most = most(min(plain), n)
    return Claim(
        claim="The results are significant by the paired t test (not shown in the paper).",
        where="Section 5",
        measured="Sets on which NB and PET differ at 5 %: "
        + "; ".join(_told(space, question) for space, question in own.items())
        + f"; of {n}. Runs split the same rows again and again, so a test over runs finds differences that a "
        "new sample need not show.",
        holds=on_most and corrected == plain,
        correction="Over runs of the same rows on most sets; corrected for shared rows on fewer.",
        holds_corrected=on_most,
    )


def _told(space: str, question: PerSet) -> str:
    return (
        f"{space} {question.n_significant('plain')} by the plain test over runs, "
        f"{question.n_significant('corrected')} corrected for repeated cross-validation"
    )


def _more_consistently(found: Areas, weka: Areas | None) -> Claim:
    key = "difference / sd"
    own = spread_questions(found)[key]
    other = None if weka is None else spread_questions(weka)[key]
    corrected = per_set(found)
    n_auc, n_smauc = (corrected[f"{NB} less {PET}, {s}"].n_significant("corrected") for s in ("AUC", "smAUC"))
    beside = "" if other is None else f"; from Weka's scores on {other.n - other.n_lower} of {other.n}"
    return Claim(
        claim="smROC detects differences between the learners more consistently than ROC.",
        where="Section 5",
        measured=f"The size of the difference over its sd is larger in smAUC on {own.n - own.n_lower} of "
        f"{counted(own.n, 'set')} (signed ranks: p = {own.pvalue:.2g}){beside}; corrected tests find it on "
        f"{n_smauc} sets by smAUC and {n_auc} by AUC.",
        holds=most(own.n - own.n_lower, own.n) and own.pvalue <= LEVEL and n_smauc >= n_auc,
        erratum="K14",
    )
