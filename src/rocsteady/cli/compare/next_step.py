"""The command to go on with after a comparison that is not settled."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from rocsteady.cli import program

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady.cli.compare.making import Compared
    from rocsteady.inference.differences import Comparison
    from rocsteady.scores import ScoreSet


EXAMPLE = "0.02"
"""A difference to plan for; nobody but the reader knows which one matters."""


def next_step(found: Compared, score_set: ScoreSet, columns: Sequence[str]) -> str:
    """How to plan for what would settle it; empty where that cannot be typed.

    Of one dataset from its numbers: both AUCs, their correlation, negatives for each positive. Of several,
    if AUCs are not told apart, from the file, whose ``columns`` are named as for the comparison.
    """
    pair = _closest(found)
    if pair is None or not pair.paired:
        return ""
    if pair.random == "groups":
        is_plannable = not pair.auc.is_decided and pair.auc.difference != 0
        names = f"{pair.a},{pair.b}"
        if not is_plannable or names.count(",") > 1:
            return ""
        words = ["plan", *columns, "--models", names, "--difference", EXAMPLE]
        return f"{program.typed()} {shlex.join(words)}"
    if pair.n_groups != 1:
        return ""
    aucs = [round(value, 3) for value in (pair.auc.a_value, pair.auc.b_value)]
    correlation = round(pair.auc_correlation, 2)
    if aucs[0] == aucs[1] or not (min(aucs) > 0 and max(aucs) < 1 and -1 < correlation < 1):
        return ""
    own = score_set.model(pair.a)
    ratio = int(own.n_negatives.sum()) / int(own.n_positives.sum())
    numbers = [f"--auc {aucs[0]:g}", f"--other-auc {aucs[1]:g}", f"--correlation {correlation:g}"]
    return f"{program.typed()} plan {' '.join(numbers)} --ratio {ratio:.3g}"


def typed_columns(
    file: str, named: dict[str, str | list[str] | None], *, flags: dict[str, bool]
) -> list[str]:
    """The file and its columns as they were typed."""
    words = [file]
    for option, given in named.items():
        for value in [given] if isinstance(given, str) else given or []:
            words += [option, value]
    return words + [flag for flag, is_set in flags.items() if is_set]


def _closest(found: Compared) -> Comparison | None:
    """The best model and the one that is hardest to tell from it."""
    from rocsteady.inference.differences import leader

    if len(found.pairs) == 1:
        return found.pairs[0]
    ordered, _ = leader(found.pairs)
    if not ordered:
        return None
    with_best = [pair for pair in found.pairs if ordered[0].model in (pair.a, pair.b)]
    return min(with_best, key=lambda pair: abs(pair.auc.difference), default=None)
