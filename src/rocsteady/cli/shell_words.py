"""Messages of the library as somebody at a command line would want them: what to type is typed there.

An :class:`~rocsteady.errors.Option` spells itself both ways. What the library can only say in Python, a call
or a value, is translated here and nowhere else.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from rocsteady.cli import program
from rocsteady.errors import DataError, Option, Remedy, RocsteadyError, RocsteadyWarning
from rocsteady.words import printable

_GIVEN = ParamSpec("_GIVEN")
_MESSAGE = TypeVar("_MESSAGE", RocsteadyError, RocsteadyWarning)

_NUMBER = r"(-?[\d.]+(?:e-?\d+)?)"
_AVERAGE = r"average\((?:x|score_set|roc_curves\(score_set\)), "
_COSTS = rf"AtCosts\(false_positive={_NUMBER}, false_negative={_NUMBER}, prevalence={_NUMBER}\)"
_ERRORS_COST = rf"MinimumCost\(false_positive={_NUMBER}, false_negative={_NUMBER}"
_SPELLINGS = [
    (re.compile(pattern), shell)
    for pattern, shell in (
        # Where every group has both classes a balanced pool is the threshold average.
        (_AVERAGE + r"Pooled\(balanced=True\)\)", "--method threshold"),
        (_AVERAGE + r"'(\w+)', group_weights='(\w+)'\)", r"--method \1 --group-weights \2"),
        (_AVERAGE + r"'(\w+)'\)\.band\(kind='(\w+)'\)", r"--method \1 --band \2"),
        (_AVERAGE + r"'(\w+)'\)", r"--method \1"),
        (rf"(?:{_AVERAGE}|method=){_COSTS}\)?", r"--method costs --costs \1:\2 --prevalence \3"),
        (
            rf"{_AVERAGE}AtAlarmRate\(prevalence={_NUMBER}\)\)\.at\(alerts={_NUMBER}\)",
            r"--method alarm-rate --prevalence \1 --at alerts=\2",
        ),
        (rf"method=AtAlarmRate\(prevalence={_NUMBER}\)", r"--method alarm-rate --prevalence \1"),
        (r"AtAlarmRate\(prevalence=\.\.\.\)", "--method alarm-rate --prevalence SHARE"),
        (rf"TargetRate\((fpr|tpr)={_NUMBER}\)", r"--at \1=\2"),
        (rf"{_ERRORS_COST}, prevalence={_NUMBER}\)", r"--costs \1:\2 --prevalence \3"),
        (rf"{_ERRORS_COST}\)", r"--costs \1:\2"),
        (r"threshold='shared', split='groups'", "--deploy shared"),
        (r"\.to_frame\(\)  or at  \.quantile\(0\.9\)", "--json"),
        (rf"average\.at\(threshold={_NUMBER}\)", r"--at t=\1"),
        (rf"average\.at\((\w+)={_NUMBER}\)", r"--at \1=\2"),
        (rf"average\.rates_at\({_NUMBER}\)", r"--at t=\1"),
        (r"\.rates_at\(t\)", "--at t=0.5"),
        (r'rs\.(?:Vertical|Horizontal)\(at_jumps="mid"\)', "--at-jumps mid"),
        (rf"\.at_error_ratio\({_NUMBER}, {_NUMBER}\)", r"--at ratio=\1:\2"),
        (r"band\(kind='(\w+)'\)", r"--band \1"),
        (rf"false_positive={_NUMBER}, false_negative={_NUMBER}", r"--costs \1:\2"),
        (rf"at=\{{'(\w+)': {_NUMBER}\}}", r"--at \1=\2"),
        (r"group_weights='(\w+)'", r"--group-weights \1"),
        (r"leave out  (hold|weigh|at)\b", r"leave out  --\1"),
        (
            r"(?<=patients are clusters, not cases:  )bootstrap\(.*",
            "name the rows' own cases:  --case COLUMN",
        ),
        (r"see  average\.parameters\.to_frame\(\), or use  ", "use  "),
        (
            r"subtract an offset, which changes no order:  .*",
            "subtract an offset from all scores of the file",
        ),
    )
]
_ARGUMENT = re.compile(r"^(?:n_resamples|confidence_level|prevalence|n_points|seed|at)(?= (?:must|cannot) )")
"""Arguments that are options, where a sentence begins with one."""
_SET = re.compile(r"ScoreSet\(([^()]*)\)")
_JUMPS = re.compile(r"--at-jumps \w+")
_NAMES = {"threshold": "deploy", "n_points": "grid", "n_resamples": "boot", "thresholds": "points"}


def for_shell(message: _MESSAGE) -> _MESSAGE:
    """The same message with everything to type as it is typed in a shell."""
    remedies = [_remedy(remedy) for remedy in message.remedies]
    found = "\n".join(_translated(_SET.sub(_in_words, line)) for line in message.found.splitlines())
    return message.but(problem=_said(message.problem), found=found, remedies=remedies)


def where_nothing_averages(message: _MESSAGE) -> _MESSAGE:
    """The same for a command that has no ``--at-jumps``: what to type belongs to another one."""
    spelled = for_shell(message)
    remedies = [_JUMPS.sub(rf"{program.NAME} average ... \g<0>", told_of(own)) for own in spelled.remedies]
    return spelled.but(remedies=remedies)


def told_of(remedy: Remedy) -> str:
    """A remedy as one line."""
    parts = [remedy] if isinstance(remedy, str | Option) else remedy
    return "".join(part if isinstance(part, str) else part.shell() for part in parts)


def telling(
    translate: Callable[[RocsteadyError], RocsteadyError], command: Callable[_GIVEN, None]
) -> Callable[_GIVEN, None]:
    """A command whose errors are told as ``translate`` spells them."""

    @functools.wraps(command)
    def run(*given: _GIVEN.args, **options: _GIVEN.kwargs) -> None:
        try:
            command(*given, **options)
        except RocsteadyError as error:
            raise translate(_about_data(error, options.get("file"))) from error

    return run


def _about_data(error: RocsteadyError, file: object) -> RocsteadyError:
    """RS048 is an argument's fault in Python; here the scores come from a file."""
    if error.code != "RS048" or not file:
        return error
    problem = error.problem.replace("several scores have", f"several scores of {printable(str(file))} have")
    return DataError(error.code, problem, error.found, *error.remedies)


def says_what_to_type(command: Callable[_GIVEN, None]) -> Callable[_GIVEN, None]:
    """A command whose errors say what to type in a shell."""
    return telling(for_shell, command)


def _remedy(remedy: Remedy) -> Remedy:
    parts = [remedy] if isinstance(remedy, str | Option) else remedy
    return [_translated(part) if isinstance(part, str) else _option(part) for part in parts]


def _said(problem: str) -> str:
    """A problem is a sentence: values in it become words, not options."""
    problem = _ARGUMENT.sub(_as_option, problem)
    problem = re.sub(rf"\({_NUMBER}, {_NUMBER}\)(?= is no )", _pair, problem)
    return re.sub(rf"TargetRate\((fpr|tpr)={_NUMBER}\)", r"a target of \1=\2", problem)


def _as_option(match: re.Match[str]) -> str:
    """``n_resamples`` is ``--boot`` here."""
    name = _NAMES.get(match[0], match[0])
    return f"--{name.replace('_', '-')}"


def _in_words(match: re.Match[str]) -> str:
    """What a set holds, without its name in Python."""
    return match[1]


def _pair(match: re.Match[str]) -> str:
    """A pair of numbers as it is typed."""
    return ":".join(f"{float(number):g}" for number in match.groups())


def _translated(text: str) -> str:
    for pattern, shell in _SPELLINGS:
        text = pattern.sub(shell, text)
    return text


def _option(option: Option) -> str:
    name, value = option.name, _value(option.name, option.value)
    if value == "...":  # the library cannot know; here it has the name that --help gives it
        return f"--{'patient' if name == 'cluster' else name} {'LABEL' if name == 'positive' else 'COLUMN'}"
    from rocsteady.places import NAMES, ON_AVERAGES

    if NAMES.get(name) in ON_AVERAGES and not (name == "threshold" and isinstance(value, str)):
        return f"--at {'t' if name == 'threshold' else name}={value}"
    if name in ("false_positive", "false_negative"):
        return f"--costs {value}:20" if name == "false_positive" else f"--costs 1:{value}"
    if name == "positive" and isinstance(value, list) and len(value) == 1:
        (label,) = map(str, value)  # a list of one: with a comma behind it, or, where that is in it, twice
        return Option(name, [label, label] if "," in label else f"{label},").shell()
    return Option(_NAMES.get(name, name), value).shell()


def _value(name: str, value: Any) -> Any:
    """Pairs are typed 1:20, ranges of them 1:2..1:20, a named rate fpr=0.05."""
    if name == "at" and isinstance(value, dict):
        return ",".join(f"{rate}={_typed(own)}" for rate, own in value.items())
    if name in ("costs", "at") and isinstance(value, tuple):
        pairs = value if isinstance(value[0], tuple) else (value,)
        typed = "..".join(map(_typed, pairs))
        return f"ratio={typed}" if name == "at" else typed
    return value


def _typed(value: Any) -> str:
    """A number, or a pair of them."""
    return ":".join(f"{number:g}" for number in (value if isinstance(value, tuple) else (value,)))
