"""What commands say besides the sections they print: on a terminal, of large files, before the demo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rocsteady.text import Quote, Text, listed, say

STORIES: Mapping[str, tuple[Text, ...]] = {
    "devices": (
        say(
            "A security team watches 24 hosts and tries two intrusion detectors on the same events. Each "
            "host has its own traffic, some much more than others."
        ),
        say(
            "One alert level will serve all hosts, and every host counts once: the threshold average. Few "
            "false alarms can be looked into, so it is read at an FPR of 5 %."
        ),
    ),
    "readers": (
        say(
            "A hospital compares digital images with film. Six radiologists rate the same 120 patients with "
            "both, from 1 (surely normal) to 100 (surely cancer)."
        ),
        say(
            "A rating of 70 means something else to every radiologist, so each has a threshold of their own. "
            "A missed tumour is far worse than a needless second look, so a high sensitivity is held and "
            "false positives are averaged: the horizontal average, read at a sensitivity of 90 %."
        ),
    ),
    "churn": (
        say(
            "A subscription business wants to know who will leave, to offer them a discount in time. It "
            "tunes a model by ten-fold cross-validation: trees of depth 2, 5 and 12."
        ),
        say(
            "Each fold trains its own model, so a score may mean something else in the next fold: a "
            "threshold for all folds would judge that, and not the depth. A discount for someone who would "
            "have stayed is money lost, so the FPR is held in every fold: the vertical average, read at an "
            "FPR of 10 %."
        ),
    ),
}
"""What happened before the three examples, which are those of Hogan & Adams (2023)."""

TYPE_COSTS = "Type two numbers with a colon between them."
TYPE_SHARE = "Type a share between 0 and 1, or a percentage."
PUT_WHAT_MATTERS = say("In place of 0.05 put the smallest difference that would matter, not the one seen.")


def type_number(most: int) -> str:
    """Which numbers answer a question."""
    return f"Type a number from 1 to {most}."


def takes_memory(has: str, columns: str, memory: str) -> str:
    """What reading a file takes, after what it has."""
    return f"{has} Reading {columns} takes about {memory} of memory."


def counted_in_place(has: str, memory: str) -> str:
    """That rows are not read into memory, after what a file has."""
    return f"{has} Rows are counted in place, within {memory} of memory (--memory)."


def lacks_letters(letters: Sequence[str]) -> Text:
    """Letters of names that a figure cannot show."""
    are = "which are drawn as boxes" if len(letters) > 1 else "which is drawn as a box"
    them = "them" if len(letters) > 1 else "it"
    text = f"The font of the figure lacks {{letters}}, {are}; a figure.svg keeps {them} as text."
    return say(text, letters=listed(map(Quote, letters)))
