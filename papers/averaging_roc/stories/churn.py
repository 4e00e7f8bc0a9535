"""Comparing hyperparameters: ten folds for each of five penalties; the folds' scores are not comparable.

With a light penalty the model separates better, but the level of its scores moves more from fold to fold.
Each fold's model gets its own threshold, so that costs nothing; pooling the folds counts it all the same.
"""

from __future__ import annotations

from papers.averaging_roc import averages
from papers.averaging_roc.stories.story import Answer, Story, chosen
from papers.checks import Check, simulated
from rocsteady.averaging.directional import DirectionPoint
from rocsteady.simulate import ShiftedDatasets, draw_together

SECTION = "Churn"
N_FOLDS, N_CHURNED, N_STAYED, SEED = 10, 100, 400, 5
FPR, TPR = 0.1, 0.8
MODELS = {
    "penalty 0.01": ShiftedDatasets("C-2a", separation=1.6, shift_sd=1.4),
    "penalty 0.1": ShiftedDatasets("C-2a", separation=1.8, shift_sd=1.0),
    "penalty 1": ShiftedDatasets("C-2a", separation=1.65, shift_sd=0.2),
    "penalty 10": ShiftedDatasets("C-2a", separation=1.4, shift_sd=0.1),
    "penalty 100": ShiftedDatasets("C-2a", separation=1.1, shift_sd=0.05),
}


def churn(seed: int = SEED) -> Story:
    """Five penalties, ten folds."""
    score_set = draw_together(MODELS, N_FOLDS, N_CHURNED, N_STAYED, seed=seed, unit="fold")
    curves = {name: averages.vertical(score_set.model(name)) for name in MODELS}
    vertical = _answer("vertical", {name: float(a.tpr_at(FPR)) for name, a in curves.items()})
    flat = {name: float(averages.horizontal(score_set.model(name)).fpr_at(TPR)) for name in MODELS}
    horizontal = _answer("horizontal", flat)
    pooled = _answer(
        "pooled", {name: float(averages.pooled(score_set.model(name)).tpr_at(FPR)) for name in MODELS}
    )
    lost = vertical.values[vertical.choice] - vertical.values[pooled.choice]
    checks = [
        *(_vertical_check(name, a.at_position(FPR)) for name, a in curves.items()),
        chosen(SECTION, vertical, "penalty 0.1"),
        chosen(SECTION, horizontal, "penalty 0.1"),
        chosen(SECTION, pooled, "penalty 1"),
    ]
    return Story(
        "Churn",
        f"A model of who will leave is fitted with five penalties, each in {N_FOLDS} folds. Offers also "
        f"reach people who would have stayed; at most {100 * FPR:g} % of those shall get one. Which penalty "
        "finds most of the leavers?",
        "Every fold has a model of its own, whose scores need not mean the same, so each gets its own "
        "threshold; what is held is the FPR. Where missing a leaver is what costs, hold the TPR instead: "
        f"the horizontal average. {horizontal.sentence}",
        vertical,
        curves[vertical.choice].at(fpr=FPR).reading,
        (
            Answer(
                "pooled",
                pooled.values,
                pooled.choice,
                f"{pooled.sentence} That choice gives away {100 * lost:.1f} points of TPR.",
            ),
        ),
        tuple(checks),
    )


def _answer(method: str, values: dict[str, float]) -> Answer:
    if method == "horizontal":
        best = min(values, key=lambda name: values[name])
        sentence = f"To find {100 * TPR:g} %, {best} is cheapest, at FPR {values[best]:.3f}."
    else:
        best = max(values, key=lambda name: values[name])
        listed = ", ".join(f"{value:.3f} ({name})" for name, value in values.items())
        sentence = f"{best} is best. TPRs: {listed}."
    return Answer(method, values, best, sentence)


def _vertical_check(name: str, read: DirectionPoint) -> Check:
    return simulated(
        SECTION,
        f"vertical TPR at FPR {FPR:g}, {name}",
        MODELS[name].expected_vertical_tpr(round(FPR * N_STAYED), N_STAYED),
        read.tpr,
        read.standard_error,
        "spread over folds",
        df=N_FOLDS - 1,
    )
