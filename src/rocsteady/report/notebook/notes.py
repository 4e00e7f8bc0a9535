"""What else to know about a value: groups without a curve, rows left out, warnings it keeps, notes."""

from __future__ import annotations

from collections.abc import Iterable

from rocsteady.errors import RocsteadyWarning
from rocsteady.scores.score_set import ScoreSet
from rocsteady.words import counted, grouped


def notes_of(value: object, met: Iterable[object] = ()) -> dict[str, list[str]]:
    """Headings and what is under each; ``met`` is what came up while the value was shown."""
    found: dict[str, list[str]] = {}
    warned = [_warning(warning) for warning in (*_kept(value, "warnings"), *met)]
    _add(found, "warning", list(dict.fromkeys(warned)))
    _add(found, "note", [str(note) for note in _kept(value, "notes")])
    _add(found, "reason", [str(reason) for reason in _kept(value, "because")])
    undefined = [str(reason) for reason in _kept(value, "undefined")]
    if undefined:
        found[f"{grouped(len(undefined))} undefined"] = undefined
    if isinstance(value, ScoreSet):
        taken = [f"{role}: {column}" for role, column in value.columns_chosen.items()]
        _add(found, "column taken by name", taken)
        causes = [f"{cause}: {counted(n, 'row')}" for cause, n in value.dropped.causes.items()]
        _add(found, "cause of dropped rows", causes)
    return found


def _kept(value: object, name: str) -> tuple[object, ...]:
    kept = getattr(value, name, ())
    return tuple(kept) if isinstance(kept, tuple | list) else ()


def _add(found: dict[str, list[str]], noun: str, texts: list[str]) -> None:
    if texts:
        # "2 columns taken by name": the noun is the first word.
        first, _, rest = noun.partition(" ")
        found[f"{counted(len(texts), first)} {rest}".strip()] = texts


def _warning(warning: object) -> str:
    if not isinstance(warning, RocsteadyWarning):
        return str(warning)
    return " ".join(filter(None, [warning.code, warning.problem, warning.found]))
