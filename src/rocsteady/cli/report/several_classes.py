"""A file of several classes: which of them a column of scores is about, and what there is for all at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rocsteady.errors import LabelError, Option, Remedy


@contextmanager
def pointing_on(score: Sequence[str]) -> Iterator[None]:
    """RS022 with what to type next.

    Probabilities of several classes come in columns that have the names of the classes: such a column is
    about its class, and all others are negative.
    """
    try:
        yield
    except LabelError as error:
        if error.entry != "RS022":
            raise
        about: list[Remedy] = [
            [
                f'column "{name}" is the score of that class; a list of one sets it against all others:  ',
                Option("positive", [name]),
            ]
            for name in score
            if re.search(rf"(?:^|: |, ){re.escape(name)} \(", error.found)
        ]
        of_all = "all classes at once, in Python:  rs.average_multiclass_points, rs.search_class_weights"
        # One class against all others was a guess; here it is known which.
        rest = error.remedies[1:] if about else error.remedies
        raise error.but(remedies=(*about, *rest, of_all)) from None
