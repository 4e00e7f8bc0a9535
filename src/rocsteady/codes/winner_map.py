"""Winner maps."""

from __future__ import annotations

from rocsteady.codes.entry import Entry

ENTRIES: dict[str, Entry] = {
    "RS065": Entry(
        "this range does not fit the winner map",
        "A winner map runs over one thing: a false positive rate, a true positive rate, ratios of costs, or "
        "alert budgets. A range of another, or an average that holds another fixed, would be ignored without "
        "a word. A map of three or more models has a difference for each pair of them, in .pairs.",
    ),
    "RS282": Entry(
        "thresholds tuned to costs on few cases",
        "A map over costs lets every group set its own threshold, on the rows on which it is then judged. "
        "With a few cases of a class the best threshold is a matter of luck, and new cases cost more than "
        "the map says. Both models are flattered, so who wins may still be right, but not by how much. "
        "realise() shows what tuned thresholds attain on other cases; one threshold for all groups "
        "(method='threshold') is set on all of their cases.",
    ),
    "RS283": Entry(
        "one threshold for few groups of different levels",
        "Where the levels of scores differ much between groups, a few of them decide what one threshold "
        "for all attains, and what a group adds to that is skewed: the limits of a winner map then hold "
        "less often than they promise, by little between twenty and thirty groups, by more below.",
    ),
}
