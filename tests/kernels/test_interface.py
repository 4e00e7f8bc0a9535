"""The compiled kernels, their type stubs and their twins offer the same functions with the same arguments."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest

import rocsteady._kernels as package
from conftest import skip_unless_required
from rocsteady._kernels import is_native, kernels, reference

TWINS = {
    name: list(inspect.signature(function).parameters)
    for name, function in inspect.getmembers(reference, inspect.isfunction)
    if not name.startswith("_")
}


def test_the_stubs_name_every_kernel_and_argument() -> None:
    tree = ast.parse((Path(package.__file__).parent / "_native.pyi").read_text())
    stubs = {f.name: [a.arg for a in f.args.args] for f in tree.body if isinstance(f, ast.FunctionDef)}
    assert stubs == TWINS


@pytest.mark.parametrize("name", list(TWINS))
def test_the_compiled_kernel_takes_the_same_arguments(name: str) -> None:
    if not is_native:
        skip_unless_required("the C++ kernels are not built")
    signature = str(getattr(kernels, name).__nb_signature__[0][0])
    assert re.findall(r"(\w+): ", signature) == TWINS[name]
