"""Words around the word for a group: something happens on a host, in a fold, for a reader."""

from __future__ import annotations

_MACHINES = ("host", "device", "machine", "server", "sensor", "camera", "scanner", "dataset", "group")
_PEOPLE = (
    *("reader", "rater", "radiologist", "pathologist", "observer", "annotator", "reviewer", "expert"),
    *("doctor", "physician", "clinician", "nurse", "patient", "person", "user", "subject"),
)
_SPLITS = frozenset(("fold", "cv_fold", "kfold", "split", "repeat", "resample"))


def on(unit: str) -> str:
    """What happens on a host happens in a fold and for a customer.

    >>> on("host"), on("fold"), on("customer")
    ('on', 'in', 'for')
    """
    if unit.casefold() in _SPLITS:
        return "in"
    return "on" if unit.casefold() in _MACHINES else "for"


def is_machine(unit: str) -> bool:
    """Whether it can be said to tune something.

    >>> is_machine("sensor"), is_machine("fold"), is_machine("reader")
    (True, False, False)
    """
    return unit.casefold() in _MACHINES


def its(unit: str) -> str:
    """``its`` for things, ``their`` for people.

    >>> its("host"), its("reader")
    ('its', 'their')
    """
    return "their" if any(word in unit.casefold() for word in _PEOPLE) else "its"
