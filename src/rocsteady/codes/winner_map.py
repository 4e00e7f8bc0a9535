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
}
