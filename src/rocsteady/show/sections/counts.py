"""What was counted, and what is certain of it: ``rocsteady count``."""

from __future__ import annotations

from rocsteady.counting.counted import CountedScores
from rocsteady.show.document import Block
from rocsteady.text import Count, Number, Quote, Text, joined, paragraph, phrase, say


def make(new: CountedScores, whole: CountedScores, add: str = "", n_scores: int = 1) -> list[Block]:
    """The rows, groups and cells, and within which bounds curves are known.

    ``add`` is the file that the new counts were added to; each row is there once for each of the ``n_scores``
    columns of scores.
    """
    parts = [Count(len(whole.groups), whole.unit)]
    parts += [Count(len(whole.models), "model")] if len(whole.models) > 1 else []
    verb = "Counted" if new.how.n_passes else "Read the counts of"
    added = phrase(
        " With those of {file}: {rows},", file=Quote(add), rows=Count(whole.n_rows // n_scores, "row")
    )
    did = say(
        f"{verb} {{rows}}{{dropped}}{{source}}{'.' if add else ':'}{{added}} {{parts}}, in {{cells}}.",
        rows=Count(new.n_rows // n_scores, "row"),
        dropped=phrase(" ({n} more dropped)", n=new.dropped.n_rows) if new.dropped else None,
        source=phrase(" of {file}", file=Quote(new.source)) if new.source else None,
        added=added if add else None,
        parts=joined(parts),
        cells=Count(len(whole.cells), "cell"),
    )
    n_lacking = Count(len(whole.undefined), "curve")
    lacking = say("{n} cannot be drawn: one class only.", n=n_lacking) if whole.undefined else None
    return [paragraph(did, lacking, _certain(whole) if whole.has_curve.any() else None)]


def _certain(whole: CountedScores) -> Text:
    if whole.is_weighted and whole.is_exact:
        return say("Exact, but for the rounding of sums of weights.")
    if whole.knows_thresholds:
        return say("Exact: every distinct score was counted by itself.")
    if whole.is_exact:
        return say("All curves are exact; at {thresholds} between two cells counts are known within bounds.")
    return say(
        "Certain for every {unit}: AUC within ± {auc}, rates within ± {rate} of the middle of their bounds.",
        auc=Number(whole.auc_bound, 2),
        rate=Number(whole.rate_bound, 2),
        unit=Quote(whole.unit),
    )
