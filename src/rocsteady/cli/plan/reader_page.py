"""A plan of a reader study on the screen: what it says, what each number of readers needs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rocsteady.cli.console import plain_table, show, show_first_fitting
from rocsteady.readers.design import ReaderDesign
from rocsteady.show.sentences.planning import chance
from rocsteady.show.sentences.readers import of_design
from rocsteady.words import grouped, plural, printable

if TYPE_CHECKING:
    from rich.table import Table

    from rocsteady.planning.readers import ReaderPlan


def show_reader_plan(plan: ReaderPlan, *, asked_cases: bool) -> None:
    """Sentences first, then the table, then what the plan rests on."""
    show(plan.reading)
    show()
    units = plural(printable(plan.unit))
    if asked_cases:
        show(f"Chance with {grouped(int(plan.n_cases))} cases, by number of {units}:")
    else:
        show(f"Cases for a chance of {chance(plan.power_wanted).plain()}, by number of {units}:")
    show()
    show_first_fitting(
        _table(plan),
        _table(plan, with_classes=False),
        _table(plan, with_classes=False, with_chances=False),
    )
    show()
    show_first_fitting(_components(plan))
    show()
    show(_footnote(plan))


def _table(plan: ReaderPlan, *, with_classes: bool = True, with_chances: bool = True) -> Table:
    """A row for each number of readers; in a narrow terminal with what is needed alone."""
    table = plan.table
    with_classes = with_classes and not math.isnan(plan.ratio)
    classes = ("positives", "negatives") if with_classes else ()
    chances = ("chance", "most that cases give") if with_chances else ("chance",)
    shown = plain_table(plural(printable(plan.unit)), "cases", *classes, *chances)
    for i, n in enumerate(table.n_readers.tolist()):
        sizes = [table.n_cases[i], *((table.n_positives[i], table.n_negatives[i]) if with_classes else ())]
        is_focus = n == plan.n_readers
        cells = [_cases(float(size)) for size in sizes]
        most = float(table.most_power[i])
        # Where none suffice, no number of cases has a chance to name but the most that there is.
        cells.append("" if math.isinf(sizes[0]) and with_chances else chance(float(table.power[i])).plain())
        cells += [_short_of(most, plan.power_wanted)] if with_chances else []
        shown.add_row(grouped(n), *cells, style="bold" if is_focus else None)
    return shown


def _short_of(most: float, wanted: float) -> str:
    """A chance that never looks like the one that is wanted and not reached.

    >>> _short_of(0.8953, 0.9), _short_of(0.71, 0.8), _short_of(0.89999, 0.9)
    ('89.5 %', '71 %', '< 90 %')
    """
    text = chance(most).plain()
    if most < wanted and text == chance(wanted).plain():
        text = f"{100 * most:.1f} %"
        return text if float(text.split()[0]) < 100 * wanted else f"< {chance(wanted).plain()}"
    return text


def _cases(n: float) -> str:
    return "none suffice" if math.isinf(n) else grouped(int(n))


def _components(plan: ReaderPlan) -> Table:
    """The variance components that all numbers rest on."""
    of, unit = plan.components, printable(plan.unit)
    rows = (
        (f"modality within {unit}", of.modality_reader),
        ("error", of.var),
        (f"Cov1, one {unit}, two modalities", of.cov1),
        (f"Cov2, two {plural(unit)}, one modality", of.cov2),
        (f"Cov3, two {plural(unit)}, two modalities", of.cov3),
    )
    shown = plain_table("variance component", "estimate")
    # One reader shows neither how readers differ nor what they have in common.
    for name, value in rows[1:3] if math.isnan(of.modality_reader) else rows:
        shown.add_row(name, f"{value:.6f}")
    return shown


def _footnote(plan: ReaderPlan) -> str:
    unit = printable(plan.unit)
    design = ReaderDesign.CROSSED if plan._pilot is None else plan._pilot.design
    who = f"As in the pilot, {of_design(design, unit)}"
    if design == ReaderDesign.CROSSED:
        who = f"Every {unit} reads every case with both modalities"
    return (
        f"{who}; components are those of the pilot, for "
        f"{plan.components.n_cases:.4g} cases. Power of the test of Obuchowski and Rockette with the degrees "
        "of freedom of Hillis (Hillis, Obuchowski & Berbaum 2011)."
    )
