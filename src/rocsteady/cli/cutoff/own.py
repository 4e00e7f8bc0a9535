"""What ``cutoff --deploy own`` prints: a cut-off for every group, and what they did on other rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady.cli.console import fitting_name, plain_table, show, show_first_fitting
from rocsteady.cli.cutoff.words import calls_nothing, decision, rate_limits, share
from rocsteady.words import counted, plural, printable

if TYPE_CHECKING:
    from rich.table import Table

    from rocsteady.cli.cutoff.making import Made
    from rocsteady.points.realised import Realised

_MOST_GROUPS = 30


def show_own(made: Made, cutoff_from: str | None) -> None:
    """The cut-offs of the groups, then what is to be expected of them."""
    show_first_fitting(_groups(made, with_rates=True), _groups(made, with_rates=False))
    left_out = len(made.by_group) - _MOST_GROUPS
    if left_out > 0:
        unit = printable(made.score_set.unit)
        show(f"and {counted(left_out, f'more {unit}')}; all are in the file of  -o cutoffs.csv")
    show()
    if cutoff_from is not None:
        show(f"Cut-offs were chosen on {printable(cutoff_from)}: nothing flatters the rates.")
        return
    tried = [realised for realised in made.realised if realised is not None]
    if all(one.cutoff is None for one in made.by_group[0][1]):
        return
    flattered = "These rates are from the rows that chose the cut-offs, which flatters them."
    if not tried:
        show(f"{flattered} There are too few rows to choose on some and try on others.")
        return
    show(
        f"{flattered} Chosen on one half of the rows of every {printable(made.score_set.unit)} and tried on "
        f"the other half, {splits_words(tried[0])}:"
    )
    show()
    show_first_fitting(_realised(made, with_intervals=True), _realised(made, with_intervals=False))
    if any(keeps_fpr(realised) for realised in tried):
        show()
        show(
            "Where an FPR is to be kept, the loosest cut-off that keeps it was tried, which uses it up; the "
            "list above has the strictest of those that are as good."
        )
    if len(tried) == 1:
        show()
        show(tried[0].reading)


def splits_words(realised: Realised) -> str:
    """How often the rows were dealt anew."""
    n = realised.n_repeats
    return "in one random split" if n == 1 else f"on average over {counted(n, 'random split')}"


def keeps_fpr(realised: Realised) -> bool:
    """Whether an FPR is the target: then the loosest of several best cut-offs was tried."""
    return getattr(realised.target, "fpr", None) is not None


def _missed(realised: Realised) -> str:
    from rocsteady.points.criteria import TargetRate

    return "miss it" if isinstance(realised.target, TargetRate) else "do worse"


def _groups(made: Made, *, with_rates: bool) -> Table:
    unit = printable(made.score_set.unit)
    wanted = [one.wanted.text for one in made.by_group[0][1]]
    headings = [fitting_name(unit)]
    for text in wanted:
        headings += [text, "TPR", "FPR"] if with_rates else [text]
    table = plain_table(*headings)
    for group, several in made.by_group[:_MOST_GROUPS]:
        cells = [fitting_name(printable(group))]
        for one in several:
            is_beyond = calls_nothing(one.threshold, one.tpr, one.fpr)
            cells.append("calls nothing" if is_beyond else decision(one.rule, one.threshold, one.alike))
            cells += [share(one.tpr), share(one.fpr)] if with_rates else []
        table.add_row(*cells)
    return table


def _realised(made: Made, *, with_intervals: bool) -> Table:
    """Promise and outcome, one row for each criterion."""
    units = plural(printable(made.score_set.unit))
    interval = ["interval"] if with_intervals else []
    table = plain_table("", "", "TPR", *interval, "FPR", *interval, "")
    for one, r in zip(made.by_group[0][1], made.realised, strict=True):
        if r is None:
            continue
        blank = [""] if with_intervals else []
        promised = [share(r.promise.tpr), *blank, share(r.promise.fpr), *blank]
        table.add_row(one.wanted.text, "promised", *promised, "")
        cells = []
        for attained in (r.tpr, r.fpr):
            cells += [share(attained.mean), *([rate_limits(attained.interval)] if with_intervals else [])]
        table.add_row("", "attained", *cells, f"{share(r.share_over_budget)} of {units} {_missed(r)}")
    return table
