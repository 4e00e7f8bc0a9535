"""Messages about comparisons as somebody at a command line would want them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from rocsteady.cli.compare.readers import words as study_words
from rocsteady.cli.model_names import LITERAL, spelling
from rocsteady.cli.shell_words import for_shell, telling
from rocsteady.errors import Option, Remedy, RocsteadyError, RocsteadyWarning

if TYPE_CHECKING:
    from rocsteady.averaging.methods import Method

_GIVEN = ParamSpec("_GIVEN")
_MESSAGE = TypeVar("_MESSAGE", RocsteadyError, RocsteadyWarning)

_SPELLINGS: list[tuple[re.Pattern[str], Any]] = [
    (re.compile(pattern), shell)
    for pattern, shell in (
        (r"ScoreSet\.from_frame\(\.\.\., model='\.\.\.'\)", "--model COLUMN"),
        (r"ScoreSet\.from_frame\(\.\.\., score=\['old', 'new'\]\)", "--score old --score new"),
        (r"ScoreSet\.from_frame\(\.\.\., case='\.\.\.'\)", "--case COLUMN"),
        (rf"(?:rs\.)?(?:compare|winner_map)\(score_set, {LITERAL}, {LITERAL}\)", spelling()),
        (r"(?:compare|winner_map)\(score_set, random='(\w+)'\)", r"--random \1"),
        (r"(?:compare|winner_map)\(score_set, paired=False\)", "--unpaired"),
        (r"at=\{'(fpr|tpr)': ([\d.]+)\}", r"--at \1=\2"),
        (r"at=\[\{'fpr': 0\.05\}, \{'tpr': 0\.9\}, \{'threshold': 0\.5\}\]", "--at fpr=0.05 --at tpr=0.9"),
        (r":  \.auc, \.curve\.lower, \.curve\.upper", ": the intervals of AUCs and rates"),
        (r"single differences:  \.per_group", "single differences:  --json"),
        (
            r"winner_map\(score_set, over='alerts', alerts=[^=]+, prevalence=([\d.]+), method='\w+'\)",
            r"--alerts 1%..20% --prevalence \1",
        ),
        (r"over='(fpr|tpr|costs|alerts)'", r"--\1"),
        (r"random='(groups|cases)'", r"--random \1"),
        (r"unmatched='drop'", "--unmatched drop"),
        (r"paired=False", "--unpaired"),
        *study_words.SPELLINGS,
    )
]
_MEANT = re.compile(rf"(?<=did you mean  ){LITERAL}(?= \?)")
_TRANSLATED = ("RS027", "RS038", "RS002")
"""Of most messages the problem is a sentence without anything to type."""
_ONCE = ("RS275", "RS278", "RS280")
"""The comparison and every map of it have these to say; once is enough."""


def translated(text: str) -> str:
    """Text with everything to type as it is typed in a shell."""
    for pattern, shell in _SPELLINGS:
        text = pattern.sub(shell, text)
    return text


def for_terminal(message: _MESSAGE, method: Method | None = None) -> _MESSAGE:
    """The same message with everything to type as it is typed in a shell; ``method`` is the one in use."""
    remedies = [_remedy(remedy) for remedy in message.remedies]
    kind = message.facts.get("kind")
    if kind is not None and method is not None and kind != type(method).__name__ and message.code == "RS317":
        named = f"--method {kind.lower()} --at-jumps mid"
        remedies = [str(own).replace(f'rs.{kind}(at_jumps="mid")', named) for own in remedies]
    if message.code == "RS001" and message.facts.get("what") == "model":
        remedies = [_MEANT.sub(spelling(), own) if isinstance(own, str) else own for own in remedies]
    if message.code == "RS040":
        remedies = [study_words.of_system(own) if isinstance(own, str) else own for own in remedies]
    problem = translated(message.problem) if message.code in _TRANSLATED else message.problem
    return for_shell(message.but(problem=problem, found=translated(message.found), remedies=remedies))


def _remedy(remedy: Remedy) -> Remedy:
    if isinstance(remedy, str):
        return translated(remedy)
    parts = [remedy] if isinstance(remedy, Option) else remedy
    return [translated(part) if isinstance(part, str) else _option(part) for part in parts]


def _option(option: Option) -> str | Option:
    if option.name == "paired":
        return "--unpaired"
    study = study_words.study_option(option)
    if study is not None:
        return study
    if option.name in ("fpr", "tpr", "alerts") and isinstance(option.value, tuple):
        return f"--{option.name} {option.value[0]:g}..{option.value[1]:g}"
    return option


def said_once(warned: Iterable[RocsteadyWarning]) -> list[RocsteadyWarning]:
    """Warnings without those that repeat, in other words, what was said before."""
    found: list[RocsteadyWarning] = []
    for warning in warned:
        if not (warning.code in _ONCE and any(other.code == warning.code for other in found)):
            found.append(warning)
    return found


def with_prevalence(error: RocsteadyError, prevalence: float | None) -> RocsteadyError:
    """The same error with the prevalence that was typed in place of an example."""
    if prevalence is None or error.code != "RS084":
        return error
    told = [re.sub(r"(prevalence=)0\.03", rf"\g<1>{prevalence:g}", str(remedy)) for remedy in error.remedies]
    return error.but(remedies=told)


def says_what_to_type(command: Callable[_GIVEN, None]) -> Callable[_GIVEN, None]:
    """A command whose errors say what to type in a shell, in the words of this one."""
    return telling(for_terminal, command)
