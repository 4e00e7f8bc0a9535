"""The catalogue is complete, messages have their three parts, errors travel."""

from __future__ import annotations

import ast
import copy
import inspect
import pickle
import re
import string
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rocsteady import errors
from rocsteady.errors import (
    CallError,
    ColumnError,
    DataError,
    FileError,
    LabelError,
    MissingNameError,
    MissingPackageError,
    Option,
    RocsteadyError,
    RocsteadyWarning,
    UsageError,
    catalogue,
    near_match,
)

SOURCE = Path(errors.__file__).parent
PAPERS = Path(__file__).resolve().parents[1] / "papers"  # their messages are in the same catalogue
CODE = re.compile(r"RS\d{3}")

# In the catalogue because their numbers are promised; the commands that raise them are still to come.
RESERVED: set[str] = set()

KINDS = [
    UsageError,
    CallError,
    ColumnError,
    LabelError,
    DataError,
    FileError,
    MissingNameError,
    MissingPackageError,
]


@cache
def trees() -> dict[Path, list[ast.AST]]:
    """Every node of every file of the package and the papers that names a code."""
    paths = (*SOURCE.rglob("*.py"), *PAPERS.rglob("*.py"))
    texts = {path: path.read_text(encoding="utf-8") for path in paths}
    return {path: list(ast.walk(ast.parse(text))) for path, text in texts.items() if CODE.search(text)}


@cache
def codes_in_use() -> dict[str, str]:
    """Every code that stands alone as a string in the package or the papers, with the file it stands in."""
    found = {}
    for path, nodes in trees().items():
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                code = node.value.partition(".")[0]
                if CODE.fullmatch(code) and not node.value.endswith("."):
                    found[code] = str(path)
    return found


def calls_of_the_catalogue() -> Iterator[tuple[str, str, set[str] | None]]:
    """Every ``fail("RS083.pooled", given=...)``, ``warn`` and ``caution``: where, which entry, which facts."""
    for path, nodes in trees().items():
        for node in nodes:
            name = getattr(getattr(node, "func", None), "id", "")
            if isinstance(node, ast.Call) and name in ("fail", "warn", "caution") and len(node.args) == 1:
                names = {keyword.arg for keyword in node.keywords} - {"stacklevel"}
                for entry in ast.walk(node.args[0]):  # a conditional names two
                    if isinstance(entry, ast.Constant) and CODE.fullmatch(str(entry.value).partition(".")[0]):
                        known = None if None in names else {str(own) for own in names}
                        yield f"{path.name}:{node.lineno}", str(entry.value), known


def fields_of(template: Mapping[str, Any]) -> set[str]:
    """The facts that a template names."""
    texts = [template["problem"], template.get("found", "")]
    for remedy in template.get("remedies", []):
        texts += remedy.values() if isinstance(remedy, dict) else [remedy]
    found: set[str] = set()
    while texts:
        for _, name, spec, _ in string.Formatter().parse(texts.pop()):
            if name is None:
                continue
            _, is_option, value = name.partition("=")
            if not is_option:
                found.add(re.split(r"[.\[]", name)[0])
            elif value.isidentifier() and value not in ("True", "False", "None"):
                found.add(value)
            texts.append(spec or "")
    return found - {"FPR", "TPR"}  # what rates are called every template may say


def test_every_call_of_the_catalogue_names_an_entry_and_gives_its_facts() -> None:
    wrong = []
    for where, entry, facts in calls_of_the_catalogue():
        code, _, name = entry.partition(".")
        template = catalogue()[code].messages.get(name) if code in catalogue() else None
        if template is None:
            wrong.append(f"{where}: no entry {entry}")
        elif facts is not None and facts != fields_of(template):
            wrong.append(f"{where}: {entry} wants {sorted(fields_of(template))}, gets {sorted(facts)}")
    assert wrong == []


def test_every_message_of_the_catalogue_is_used() -> None:
    written = {
        f"{code}.{name}" if name else code for code, entry in catalogue().items() for name in entry.messages
    }
    assert written - {entry for _, entry, _ in calls_of_the_catalogue()} == set()


def test_every_message_says_what_is_wrong_and_what_to_type() -> None:
    for code, entry in catalogue().items():
        assert entry.kind in errors.KINDS, code
        for name, template in entry.messages.items():
            assert template.get("error", "usage") in errors.KINDS, (code, name)
            assert template["problem"].endswith((".", "?", "}")), (code, name)


def test_every_code_raised_is_in_the_catalogue() -> None:
    assert {code: file for code, file in codes_in_use().items() if code not in catalogue()} == {}


def test_every_code_in_the_catalogue_is_raised_or_reserved() -> None:
    assert set(catalogue()) - set(codes_in_use()) == RESERVED


def test_the_scan_finds_codes() -> None:
    assert {"RS002", "RS070"} <= set(codes_in_use())


def test_catalogue_entries_are_written_alike() -> None:
    assert list(catalogue()) == sorted(catalogue())
    for code, entry in catalogue().items():
        assert CODE.fullmatch(code)
        assert entry.title[0].islower() or entry.title.startswith("AUC"), code
        assert not entry.title.endswith("."), code
        assert entry.explanation[0].isupper() or entry.explanation.startswith("rocsteady"), code
        assert "  " not in entry.explanation, code


def test_an_unknown_code_cannot_be_raised() -> None:
    with pytest.raises(LookupError, match="RS999"):
        raise DataError("RS999", "no such code")


def example(
    kind: type[RocsteadyError] | type[RocsteadyWarning] = LabelError,
) -> RocsteadyError | RocsteadyWarning:
    return kind(
        "RS021",
        'no row of column "is_attack" has the label "positive".',
        "labels found: attack (2 664 rows), normal (15 889 rows)",
        ["use  ", Option("positive", "attack"), "   or   ", Option("positive", "normal")],
        "or see what the column holds",
    )


def test_a_message_has_three_parts_in_python() -> None:
    assert str(example()) == inspect.cleandoc(
        """
        RS021: no row of column "is_attack" has the label "positive".
          labels found: attack (2 664 rows), normal (15 889 rows)
          -> use  positive='attack'   or   positive='normal'
          -> or see what the column holds
        """
    )


def test_a_message_has_three_parts_in_a_shell() -> None:
    assert example().lines(shell=True) == [
        'no row of column "is_attack" has the label "positive".',
        "  labels found: attack (2 664 rows), normal (15 889 rows)",
        "  -> use  --positive attack   or   --positive normal",
        "  -> or see what the column holds",
    ]


@pytest.mark.parametrize(
    ("option", "python", "shell"),
    [
        (Option("positive", ["II", "III"]), "positive=['II', 'III']", "--positive II,III"),
        (Option("on_missing", "drop"), "on_missing='drop'", "--on-missing drop"),
        (Option("higher_is_positive", False), "higher_is_positive=False", "--low-is-positive"),
        (Option("label", "is attack"), "label='is attack'", "--label 'is attack'"),
        (Option("positive", 1), "positive=1", "--positive 1"),
    ],
)
def test_an_option_is_spelled_for_where_it_is_typed(option: Option, python: str, shell: str) -> None:
    assert option.python() == python
    assert option.shell() == shell


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_is_also_what_python_would_have_raised(kind: type[RocsteadyError]) -> None:
    assert issubclass(kind, RocsteadyError)
    assert issubclass(kind, ValueError | OSError | ImportError | TypeError | AttributeError)
    assert kind.exit_code in (2, 3)


def test_no_kind_is_missing_above() -> None:
    assert set(RocsteadyError.__subclasses__()) == set(KINDS)


@pytest.mark.parametrize("kind", [*KINDS, RocsteadyError, RocsteadyWarning])
@pytest.mark.parametrize("travel", [lambda e: pickle.loads(pickle.dumps(e)), copy.copy, copy.deepcopy])
def test_errors_survive_pickling_and_copying(kind, travel) -> None:
    sent = example(kind)
    sent.add_note("worker 3")
    arrived = travel(sent)
    assert type(arrived) is kind
    assert str(arrived) == str(sent)
    assert arrived.lines(shell=True) == sent.lines(shell=True)
    assert (arrived.code, arrived.problem, arrived.found, arrived.remedies) == (
        sent.code,
        sent.problem,
        sent.found,
        sent.remedies,
    )
    assert arrived.__notes__ == ["worker 3"]


def test_an_error_with_one_part_travels_too() -> None:
    assert str(pickle.loads(pickle.dumps(FileError("RS052", "a directory")))) == "RS052: a directory"


def test_warn_issues_a_coded_warning_where_the_caller_stands() -> None:
    with pytest.warns(RocsteadyWarning, match="RS101: the scores take only two values") as caught:
        errors.warn("RS101", low=0, high=1, n=37)
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    ("word", "candidates", "likely"),
    [
        ("probability", ["fold", "y_true", "y_prob", "model"], "y_prob"),
        ("Score", ["label", "score"], "score"),
        ("scroe", ["label", "score"], "score"),
        ("zzz", ["label", "score"], None),
        ("RS0211", ["RS010", "RS021", "RS201"], "RS021"),
    ],
)
def test_near_match(word: str, candidates: list[str], likely: str | None) -> None:
    assert near_match(word, candidates) == likely
