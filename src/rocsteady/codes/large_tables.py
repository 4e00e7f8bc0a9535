"""Codes of tables that are counted by a data engine: RS40x are errors, RS41x warnings."""

from __future__ import annotations

from rocsteady.codes.entry import Entry

ENTRIES: dict[str, Entry] = {
    "RS400": Entry(
        "the engine ran out of memory or of room on the disk",
        "A table larger than memory is read in blocks, and what does not fit is written to temporary files. "
        "Allow more memory (memory='4GB', --memory 4GB), make room, or name another folder for temporary "
        "files with the environment variable TMPDIR. Nothing was written.",
    ),
    "RS401": Entry(
        "a file disagrees with its own statistics or checksums",
        "A Parquet file says in its footer how many rows it has and between which values a column lies. "
        "Its pages may have checksums. What was read does not fit these, so the file was damaged after it "
        "was written: engines read such files without a word. Write it again from its source.",
    ),
    "RS402": Entry(
        "the engine failed",
        "A part of the work was lost: a worker was killed, a partition could not be read, a task raised. No "
        "result is made from the rest, because nobody could tell what is missing in it.",
    ),
    "RS403": Entry(
        "integers are too large for this engine",
        "Counts know scores as floats, which cannot tell integers above 2**53 apart. A ScoreSet compares "
        "them as integers: read_scores, if the rows fit into memory; else subtract an offset, which changes "
        "no order.",
    ),
    "RS404": Entry(
        "counts do not go together",
        "Tables of counts are added only if they mean the same: the same positive class and direction, both "
        "with weights or both without.",
    ),
    "RS405": Entry(
        "this is no table of counts",
        "rocsteady writes tables of counts as Parquet files with a note of what is in them; this file has "
        "none, or was written by a later version.",
    ),
    "RS406": Entry(
        "this cannot be read from counts",
        "Counts know how many rows of each class lie between two scores, and no more: not which cases they "
        "are, nor where in between. What needs single rows needs the scores.",
    ),
    "RS407": Entry(
        "one threshold lies inside a cell",
        "The rows of a cell were counted together, so how many of them are at or beyond a score inside it "
        "is known only within bounds. rate_bounds_at gives them.",
    ),
    "RS410": Entry(
        "the tolerance asked for was not reached",
        "The bounds are right, but wider than was asked. One pair of cases whose order is not known is "
        "worth 1/(positives x negatives) in AUC, so below about one over the number of rows only exact "
        "counting helps: tolerance=0, with memory for the scores of the rarer class of every group.",
    ),
    "RS411": Entry(
        "rows were counted in cells",
        "The table is larger than the memory allowed, so rows were counted between scores that lie close "
        "together. Every number is certified to lie within the bounds that are told; intervals and tests "
        "are those of the curve in the middle of the bounds.",
    ),
}
