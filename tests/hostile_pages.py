"""Reports about data with names that would like to run, to turn text round, or to fill the page."""

from __future__ import annotations

from typing import Any

import numpy as np

import rocsteady as rs
from rocsteady.show.report import page_of

ATTACK = "<script>alert(1)</script>"
NAMES = (
    ATTACK,
    "</script><!--",
    "=cmd()",
    "\"'`&amp;",
    "👩‍💻 שלום",
    "\u202eturned",
    "line\nbreak\x1b[2J",
    "<img src=x onerror=alert(1)>",
    "x" * 500,
)
MODELS = ("</script><script>alert(2)</script>", "y" * 500)
UNIT = "</style><script>alert(3)</script>"
POSITIVE, NEGATIVE = "<b>bad</b>", "good\u202e" + "z" * 500
TITLE = "</title>" + ATTACK


def scores(
    names: tuple[str, ...],
    models: tuple[str, ...],
    *,
    unit: str = "host",
    labels: tuple[str, str] = ("attack", "normal"),
    n: int = 24,
) -> rs.ScoreSet:
    """Scores of some groups; the last one lacks a class."""
    rng = np.random.default_rng(3)
    rows: dict[str, list[Any]] = {unit: [], "model": [], "label": [], "score": []}
    for k, name in enumerate(names):
        is_positive = np.arange(n) % 3 == 0 if k < len(names) - 1 else np.zeros(n, dtype=bool)
        for model in models:
            rows[unit] += [name] * n
            rows["model"] += [model] * n
            rows["label"] += [labels[0] if own else labels[1] for own in is_positive]
            rows["score"] += (rng.normal(size=n) + 1.5 * is_positive).round(3).tolist()
    named = {"model": "model"} if any(models) else {}
    return rs.ScoreSet.from_frame(rows, group=unit, label="label", score="score", positive=labels[0], **named)


def made(
    score_set: rs.ScoreSet, deployment: rs.Deployment | None = None, **settings: Any
) -> tuple[rs.Study, str]:
    """A study and its page."""
    study = rs.Study(score_set, deployment, **{"n_resamples": 50, **settings})
    return study, page_of(study)


def hostile_report() -> tuple[rs.Study, str]:
    """A report in which everything that can be named is hostile."""
    use = rs.Deployment(threshold="shared", at={"fpr": 0.1})
    given = scores(NAMES, MODELS, unit=UNIT, labels=(POSITIVE, NEGATIVE))
    return made(given, use, title=TITLE, command=ATTACK, words="medical")
