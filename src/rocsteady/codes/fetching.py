"""Codes of fetching the data of the papers, which are beside the package."""

from __future__ import annotations

from rocsteady.codes.entry import Entry

ENTRIES: dict[str, Entry] = {
    "RS098": Entry(
        "an original could not be had",
        "The data of the papers are not part of the package; they are made from files of the UCI "
        "repository. A file could not be downloaded, came damaged, or is not available at all. The others go "
        "on. Try again later, or download the file by hand and name its folder with --from.",
    ),
    "RS099": Entry(
        "a data file is not the one expected",
        "The file that was made from an original has another checksum than the file the reproduction was "
        "computed from, so the repository's file has changed or is another one. Nothing is written, because "
        "numbers computed from it could not be compared. --keep-unverified writes it under another name, to "
        "look at it.",
    ),
}
