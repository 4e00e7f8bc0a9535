"""What ``rocsteady compare`` prints: the models, their differences, who wins where, what all rests on."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rocsteady.cli.compare.next_step import EXAMPLE
from rocsteady.cli.compare.tables import show_table
from rocsteady.cli.compare.words import translated
from rocsteady.cli.console import show, show_command
from rocsteady.words import listed, plural, printable

if TYPE_CHECKING:
    from rocsteady.cli.compare.making import Compared
    from rocsteady.inference.differences import Comparison


def show_page(found: Compared, *, is_declared: bool, next_step: str) -> None:
    """The tables, then the sentences, then a command to go on with."""
    from rocsteady.show.sentences.comparing import of_leader

    show(_what_is_compared(found, is_declared=is_declared))
    show()
    show_table(found)
    held = dict.fromkeys(own.held for own in found.pairs[0].differences if own.held)
    show()
    for sentence in [of_leader(found.pairs), *(f"{words[0].upper()}{words[1:]}." for words in held)]:
        if sentence:
            _tell(sentence)
    curves = [pair.curve.reading for pair in found.pairs if pair.curve is not None]
    for reading in [own.reading for own in found.maps] or curves:
        show()
        _tell(translated(reading))
    show()
    for line in _notes(found):
        _tell(translated(line))
    if next_step:
        show()
        is_settled = all(pair.auc.is_decided for pair in found.pairs)
        show("To plan from these numbers:" if is_settled else "How much data would settle it:")
        show_command(next_step)
        if found.pairs[0].random == "groups":
            show(f"In place of {EXAMPLE} put the smallest difference that would matter, not the one seen.")


def _tell(sentence: str) -> None:
    """A paragraph; costs like 1 : 20 stay on one line."""
    show(printable(sentence).replace(" : ", "\u00a0:\u00a0"))


def _what_is_compared(found: Compared, *, is_declared: bool) -> str:
    first = found.pairs[0]
    unit = printable(first.unit)
    names = dict.fromkeys(printable(name) for pair in found.pairs for name in (pair.a, pair.b))
    models = f"Compared: {listed(list(names))}"
    if first.random == "cases" and first.n_groups in (1, (1, 1)):
        return f"{models}, on {'the same' if first.paired else 'different'} cases."
    assert first.method is not None  # the command names one
    how = f"{models}, by the {first.method.label} average"
    if is_declared:
        return f"{how}."
    return (
        f"{how}: every {unit} sets its own threshold, at the same FPR. That was not declared; one threshold "
        f"for all {plural(unit)}: --deploy shared."
    )


def _notes(found: Compared) -> list[str]:
    from rocsteady.show.sentences.comparing import basis, of_ranks

    first = found.pairs[0]
    lines = [of_ranks(first)] if len(found.pairs) == 1 and of_ranks(first) else []
    lines += _correlations(found)
    lines.append(f"Tests: {first.auc.method}{_flips(first)}{_adjusted(found)}. {basis(first)}")
    models = {name for pair in found.pairs for name in (pair.a, pair.b)}
    if found.maps and 1 < len(found.pairs) < len(models) * (len(models) - 1) // 2:
        lines.append(f"The table has the pairs asked for; a map compares all {len(models)} models.")
    if len(found.pairs) > 1 and not found.maps:
        lines.append("Each curve holds by itself: curves are not adjusted for the number of pairs.")
    if len(found.maps) > 1:
        lines.append("Each map holds by itself: maps are not adjusted for each other.")
    return lines


def _correlations(found: Compared) -> list[str]:
    """How the models' AUCs go together over samples of cases: what a plan for more cases needs."""
    known = [pair for pair in found.pairs if not math.isnan(pair.auc_correlation)]
    if not known:
        return []
    if len(found.pairs) == 1:
        return [f"The two AUCs correlate at {known[0].auc_correlation:.2f} over samples of cases."]
    each = [f"{printable(own.a)} and {printable(own.b)} {own.auc_correlation:.2f}" for own in known]
    return [f"Over samples of cases the AUCs correlate: {', '.join(each)}."]


def _flips(first: Comparison) -> str:
    if math.isnan(first.auc.flip_pvalue):
        return ""
    what = f"whole {plural(first.unit)}" if first.paired else f"the residuals of {plural(first.unit)}"
    corrected = ", with the same correction" if first.test_train_ratio else ""
    return f"; flips of the signs of {what}{corrected}"


def _adjusted(found: Compared) -> str:
    whole = found.whole
    adjust = getattr(whole, "adjust", None)
    names = {"holm": "Holm", "bh": "Benjamini and Hochberg"}
    return f"; adjusted for {len(found.pairs)} pairs by {names[adjust]}" if adjust else ""
