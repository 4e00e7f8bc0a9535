"""Codes of the papers' reproductions, which are beside the package."""

from __future__ import annotations

from rocsteady.codes.entry import Entry

ENTRIES: dict[str, Entry] = {
    "RS096": Entry(
        "a process ended before its work was done",
        "Long reproductions share their runs among processes. One of them was killed, ran out of memory or "
        "could not start. Finished runs are kept, so that starting again goes on where it was.",
    ),
}
