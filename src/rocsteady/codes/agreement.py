"""Codes of raters and how they agree."""

from __future__ import annotations

from rocsteady.codes.entry import Entry

ENTRIES: dict[str, Entry] = {
    "RS265": Entry(
        "a rater gave all items the same decision",
        "A curve shows how scores separate the items that were recommended from those that were not. Where "
        "a rater said the same of all items, nothing is to be separated: curves judged by those decisions "
        "are None, and their areas are NaN. Shares of agreement and distances are given all the same.",
    ),
}
