"""Trees of stored numbers, one of them changed: a check that does not mind checks nothing."""

import copy
from collections.abc import Iterator
from typing import Any


def leaves(tree: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Where the numbers of a tree of dictionaries are; words are left out."""
    if isinstance(tree, dict):
        for name, inner in tree.items():
            yield from leaves(inner, (*path, name))
    elif not isinstance(tree, str):
        yield path


def at(tree: dict[str, Any], path: tuple[str, ...]) -> Any:
    """What is there."""
    for name in path:
        tree = tree[name]
    return tree


def with_one_changed(tree: dict[str, Any], path: tuple[str, ...], by: float) -> dict[str, Any]:
    """A copy in which one number is larger."""
    changed = copy.deepcopy(tree)
    at(changed, path[:-1])[path[-1]] += by
    return changed
