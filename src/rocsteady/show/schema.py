"""The JSON Schema of ``Study.to_dict()``, of ``rocsteady report --json`` and of all other commands.

It is generated from the types of the results: what a class declares is what its data have. Numbers that JSON
lacks are strings (``"inf"``, ``"-inf"``) and null, as :func:`rocsteady.results.plain` has them.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import types
import typing
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cache, cached_property
from importlib import import_module
from typing import Any, Union, get_args, get_origin

import numpy as np

from rocsteady.answers import SCHEMA_VERSION
from rocsteady.class_study import ClassStudy
from rocsteady.curves.multiclass import AUCS
from rocsteady.options import Choice
from rocsteady.results import Result
from rocsteady.showing import Said, Told
from rocsteady.study import Study

Schema = dict[str, Any]

_NUMBER: Schema = {"anyOf": [{"type": ["number", "null"]}, {"enum": ["inf", "-inf"]}]}
_NUMBERS: Schema = {
    "anyOf": [{"type": "array", "items": {"$ref": "#/$defs/numbers"}}, {"$ref": "#/$defs/number"}]
}
_TRUTHS: Schema = {"type": "array", "items": {"anyOf": [{"type": "boolean"}, {"$ref": "#/$defs/truths"}]}}
_PLAIN: dict[Any, Schema] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    str: {"type": "string"},
    type(None): {"type": "null"},
    float: {"$ref": "#/$defs/number"},
}
_OBJECT: Schema = {"type": "object"}


def schema() -> Schema:
    """The schema, as plain data that JSON can carry.

    Examples
    --------
    >>> found = schema()
    >>> found["properties"]["schema_version"], found["$defs"]["Interval"]["required"][:2]
    ({'const': 2}, ['low', 'high'])
    """
    made = _Schemas()
    text, texts = {"type": "string"}, {"type": "array", "items": {"type": "string"}}
    about: dict[str, Schema] = {
        "schema_version": {"const": SCHEMA_VERSION},
        "settings": _object(
            {
                "confidence_level": {"type": "number"},
                **dict.fromkeys(("n_resamples", "seed", "min_per_class"), _PLAIN[int]),
            }
        ),
        "data": _object(
            {
                **dict.fromkeys(("groups", "left_out", "models"), texts),
                **dict.fromkeys(("n_rows", "n_cases"), _PLAIN[int]),
                **dict.fromkeys(("unit", "source"), text),
                "columns_chosen": _OBJECT,
                "positive": {},
                "negative": {},
                "higher_is_positive": {"type": "boolean"},
                "design": _OBJECT,
                "counting": {"type": ["object", "null"]},
            }
        ),
        "deployment": {"type": ["object", "null"]},
        "recommended": {"type": ["string", "null"]},
        "places": {"type": "array", "items": {"type": ["object", "string"]}},
        "warnings": _WARNINGS,
    }
    parts: dict[str, Schema] = {
        "models": {"type": "object", "additionalProperties": _of_model(made)},
        "readers": _object(
            {"comparison": made.answer("readers"), "summary": made.answer("reader_summary")},
        ),
        **{name: made.answer(name) for name in ("check", "comparison", "plan", "advice")},
        "winner_map": {"anyOf": [made.answer("winner_map"), _PLAIN[type(None)]]},
        "smroc": {"anyOf": [_of_smroc(made), _PLAIN[type(None)]]},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What rocsteady found",
        **_object(about | parts, required=list(about)),
        "$defs": {"number": _NUMBER, "numbers": _NUMBERS, "truths": _TRUTHS, **made.defs},
    }


def _of_smroc(made: _Schemas) -> Schema:
    """What smROC curves say of the models."""
    areas: Schema = {"type": "object", "additionalProperties": made.answer("smroc_area")}
    return _object({"models": areas, "comparison": made.answer("smroc_comparison")})


def class_schema() -> Schema:
    """The same of a study of several classes, of ``rocsteady classes --json``.

    Examples
    --------
    >>> sorted(class_schema()["properties"])[:4]
    ['aucs', 'check', 'comparison', 'confusion']
    """
    made = _Schemas(ClassStudy)
    text, texts = {"type": "string"}, {"type": "array", "items": {"type": "string"}}
    numbers: Schema = {"$ref": "#/$defs/numbers"}
    at_most = _OBJECT | {"additionalProperties": {"type": "number"}}
    matrix = made.answer("confusion")
    of_auc = {"auc": made.answer("auc"), "interval": made.answer("auc_interval")}
    of_auc["part_intervals"] = _object({"low": numbers, "high": numbers})
    about: dict[str, Schema] = {
        "schema_version": {"const": SCHEMA_VERSION},
        "settings": _object(
            {
                "confidence_level": {"type": "number"},
                "seed": _PLAIN[int],
                **dict.fromkeys(("exact", "nested"), _PLAIN[bool]),
                "at_most": at_most,
            }
        ),
        "data": _object(
            {
                **dict.fromkeys(("source", "unit"), text),
                "columns_chosen": _OBJECT,
                "classes": {"type": "array", "items": {"type": ["string", "number", "boolean"]}},
                "folds": texts,
                "n_rows": _PLAIN[int],
                "design": _OBJECT,
            }
        ),
        "warnings": _WARNINGS,
    }
    parts: dict[str, Schema] = {
        **{name: made.answer(name) for name in ("check", "search", "exact", "comparison")},
        "weights": _object({"class_weights": numbers, "origin": text, "points": numbers}),
        "errors": _object({"measure": made.answer("errors"), "interval": made.answer("error_intervals")}),
        "confusion": _object({"in_use": matrix, "equal_weights": matrix}),
        "aucs": _object(dict.fromkeys(AUCS, _object(of_auc))),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What rocsteady found about several classes",
        **_object(about | parts, required=list(about)),
        "$defs": {"number": _NUMBER, "numbers": _NUMBERS, "truths": _TRUTHS, **made.defs},
    }


def _of_model(made: _Schemas) -> Schema:
    """One model: its areas, its average, its points, its groups."""
    texts = {"type": "array", "items": {"type": "string"}}
    numbers: Schema = {"$ref": "#/$defs/numbers"}
    of_groups = _object({"names": texts, **dict.fromkeys(("fpr", "tpr", "thresholds"), numbers)})
    always: dict[str, Schema] = {
        "auc": _PLAIN[float],
        "auc_interval": made.of(_hints(Study.area)["return"].__args__[1]),
        "points": {
            "type": "array",
            "items": _object(
                {
                    "at": {},
                    "point": made.answer("point"),
                    "groups": {"anyOf": [of_groups, _PLAIN[type(None)]]},
                }
            ),
        },
    }
    area: dict[str, Schema] = {
        "method": {"type": "string"},
        "auc": _PLAIN[float],
        "auc_interval": made.answer("average_area"),
    }
    groups: dict[str, Schema] = {
        "names": texts,
        **dict.fromkeys(("n_positives", "n_negatives", "auc"), numbers),
        "auc_interval": made.answer("group_aucs"),
    }
    if_grouped: dict[str, Schema] = {
        "summary": made.answer("auc"),
        "average": _object(area),
        "comparability": made.answer("comparability"),
        "groups": _object(groups),
        "neighbours": made.answer("neighbours"),
    }
    return _object(always | if_grouped, required=list(always))


def _object(properties: Mapping[str, Schema], required: Sequence[str] | None = None, **more: Any) -> Schema:
    """All of these and no other."""
    needed = list(properties) if required is None else list(required)
    closed = {"type": "object", "properties": dict(properties), "required": needed}
    return closed | {"additionalProperties": False} | more


_WARNINGS: Schema = {
    "type": "array",
    "items": _object({**dict.fromkeys(("code", "problem", "found"), _PLAIN[str]), "facts": _OBJECT}),
}


class _Schemas:
    """Schemas of types; those of classes are made once, and referred to."""

    def __init__(self, study: type = Study) -> None:
        self.study = study
        self.defs: dict[str, Schema] = {}

    def answer(self, name: str) -> Schema:
        """What a question of a study gives, by its annotation."""
        asked = getattr(self.study, name)
        return self.of(
            _hints(getattr(asked, "fget", None) or getattr(asked, "func", None) or asked)["return"]
        )

    def of(self, kind: Any) -> Schema:
        """What a value of this type is as plain data; of anything it may be anything."""
        origin, arguments = get_origin(kind), get_args(kind)
        if kind in _PLAIN:
            return _PLAIN[kind]
        if origin in (Union, types.UnionType):
            return {"anyOf": [self.of(own) for own in arguments]}
        if origin is np.ndarray:
            has_truth = get_args(arguments[1]) == (np.bool_,)
            return {"$ref": f"#/$defs/{'truths' if has_truth else 'numbers'}"}
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return _OBJECT | {"additionalProperties": self.of(arguments[1])}
        if isinstance(origin, type) and issubclass(origin, Sequence):
            return {"type": "array"} | self._items(origin, arguments)
        return self._of_class(kind) if isinstance(kind, type) else {}

    def _items(self, origin: type, arguments: tuple[Any, ...]) -> Schema:
        if origin is tuple and arguments[1:] != (...,):
            return {"prefixItems": [self.of(own) for own in arguments], "items": False}
        return {"items": self.of(arguments[0])}

    def _of_class(self, kind: type) -> Schema:
        if issubclass(kind, Choice):
            return {"type": "string"}
        if issubclass(kind, Enum):
            return {"enum": [own.value for own in kind]}
        if not dataclasses.is_dataclass(kind):
            return {}
        if kind.__name__ not in self.defs:
            self.defs[kind.__name__] = {}  # a class may hold others of its own
            self.defs[kind.__name__] = self._of_fields(kind)
        return {"$ref": f"#/$defs/{kind.__name__}"}

    def _of_fields(self, kind: type) -> Schema:
        """As :func:`rocsteady.results.plain_fields`; a class with data of its own may have more."""
        hints, hidden = _hints(kind), getattr(kind, "_untold", ())
        fields = [
            own.name for own in dataclasses.fields(kind) if own.name[0] != "_" and own.name not in hidden
        ]
        found = {name: self.of(hints[name]) for name in fields}
        if issubclass(kind, Told):
            found["reading"] = {"type": "string"}
        for name in getattr(kind, "_told", ()):
            found[name] = self._of_property(kind, name)
        if getattr(kind, "to_dict", Result.to_dict) is not Result.to_dict:
            return _OBJECT | {"properties": found}
        return _object(found)

    def _of_property(self, kind: type, name: str) -> Schema:
        own = getattr(kind, name)
        if isinstance(own, Said):
            return {"type": "string"}
        asked = own.func if isinstance(own, cached_property) else getattr(own, "fget", None)
        return {} if asked is None else self.of(_hints(asked).get("return", Any))


def _hints(kind: Any) -> dict[str, Any]:
    """Annotations as types, names among them that are imported for type checkers alone."""
    found: dict[str, Any] = typing.get_type_hints(kind, localns=dict(_imported(kind.__module__)))
    return found


@cache
def _imported(module: str) -> Mapping[str, Any]:
    """What a module imports from others, wherever the import stands."""
    nodes = ast.walk(ast.parse(inspect.getsource(import_module(module))))
    return {
        own.asname or own.name: getattr(import_module(node.module), own.name)
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.module and not node.module.startswith("__")
        for own in node.names
    }
