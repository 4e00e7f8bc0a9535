"""What is said around the table of groups."""

from __future__ import annotations

from rocsteady.places import Place
from rocsteady.text import At, Level, Text, joined, phrase, say


def setting(place: Place, level: float, *, is_shared: bool) -> Text:
    """At which setting the rates of groups are, and what their intervals are for."""
    one = "at one {threshold} for all {units}" if is_shared else "where each {unit} has {its} own {threshold}"
    return say(
        f"Rates {one}: {{at}}. Worst {{unit}} first. {{level}} CI of an AUC are for other cases of the same "
        f"{{unit}}.",
        at=At.of(place),
        level=Level(level),
    )


def few(n: int) -> Text:
    """Why some groups are noted."""
    return say("Noted {units} have fewer than {n} cases of a class.", n=n)


def note(n_positives: int, n_negatives: int, fewest: int) -> Text | None:
    """Few cases of a class, or none.

    >>> note(3, 50, 10).plain(), note(12, 0, 10).plain(), note(12, 50, 10)
    ('few positives', 'no negatives', None)
    """
    found = [
        phrase(f"{'few' if n else 'no'} {{{cases}}}")
        for n, cases in ((n_positives, "positives"), (n_negatives, "negatives"))
        if n < fewest
    ]
    return joined(found) if found else None
