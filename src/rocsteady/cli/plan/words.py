"""What a plan is for, as it is typed, and its messages as somebody at a command line wants them."""

from __future__ import annotations

import re
from typing import Any, TypeVar

from rocsteady.cli.compare.readers import words as study_words
from rocsteady.cli.model_names import LITERAL, spelling
from rocsteady.cli.shell_words import for_shell
from rocsteady.errors import Option, Remedy, RocsteadyError, RocsteadyWarning

_MESSAGE = TypeVar("_MESSAGE", RocsteadyError, RocsteadyWarning)
_TRANSLATED = ("RS027", "RS038")
"""Of most messages the problem is a sentence without anything to type."""
_SPELLINGS: list[tuple[re.Pattern[str], Any]] = [
    (re.compile(pattern), shell)
    for pattern, shell in (
        (r"(?<![\w.])plan\(0\.(\d+)\)", r"rocsteady plan --auc 0.\1"),
        (r"compare_auc\(labels, scores_a, scores_b\)\.correlation", "rocsteady plan FILE --models A,B"),
        (r"assurance=(\S+)", r"--assurance \1"),
        (r"times_cases=(\S+)", r"--cases \1"),
        (rf"plan\(score_set\.model\({LITERAL}\)\)", spelling()),
        (r"ScoreSet\.from_frame\(\.\.\., case='\.\.\.'\)", "--case COLUMN"),
        (r"ScoreSet\.from_frame\(\.\.\., model='\.\.\.'\)", "--model COLUMN"),
        (r"ScoreSet\.from_frame\(\.\.\., score=\['old', 'new'\]\)", "--score OLD --score NEW"),
        (rf"compare\(score_set, {LITERAL}, {LITERAL}\)", spelling()),
        (r"within='bootstrap'", "--within bootstrap"),
        (r"leave out  (rate|half_width|assurance|groups|ratio|margin)", r"leave out  --\1"),
        (r"(^found: |, )(difference|margin|ratio)=", r"\1--\2 "),
        (r"--half_width", "--half-width"),
        (
            r"(?:or from (?:published )?components:  )?(?<!\w)plan\(\{.*",
            "in Python, plan takes components",
        ),
        (
            r"(?<!\w)plan\(score_set, difference=([\d.]+)(?:, ratio=([\d.]+))?\)",
            r"rocsteady plan FILE -g reader -m modality --case case --difference \1",
        ),
        *study_words.SPELLINGS,
        (r"read  \.groups_range  and  \.between_interval  beside it", "read the ranges beside it"),
    )
]


def measure_of_place(text: str) -> Any:
    """What ``--at`` names, as rs.plan takes it; RS092 for what is no place."""
    from rocsteady.places import ON_CURVES, place_of

    if text.strip().casefold() == "auc":
        return "auc"
    return place_of(text, among=ON_CURVES, task="plan for").to_dict()


def typed_in_shell(message: _MESSAGE) -> _MESSAGE:
    """The same message with everything to type as it is typed in a shell."""
    message = for_shell(message.but(remedies=[*map(_named, message.remedies)]))
    if message.code in _TRANSLATED:
        message = message.but(problem=_translated(message.problem))
    # for_shell has spelled every remedy as text, in one or several parts
    parts = [[remedy] if isinstance(remedy, str | Option) else remedy for remedy in message.remedies]
    remedies = [_translated("".join(map(str, part))) for part in parts]
    problem = re.sub(r"^\w+(?= must )", lambda name: f"--{name[0].replace('_', '-')}", message.problem)
    return message.but(problem=problem, found=_translated(message.found), remedies=remedies)


def _named(remedy: Remedy) -> Remedy:
    """Options of reader studies by the names that they have here."""
    parts = [remedy] if isinstance(remedy, str | Option) else remedy
    return [part if isinstance(part, str) else study_words.study_option(part) or part for part in parts]


def _translated(text: str) -> str:
    for pattern, shell in _SPELLINGS:
        text = pattern.sub(shell, text)
    return text
