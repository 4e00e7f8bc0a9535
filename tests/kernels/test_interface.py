"""The compiled kernels and their twins offer the same functions with the same arguments."""

from __future__ import annotations

import inspect
import re

from conftest import skip_unless_required
from rocsteady._kernels import is_native, kernels, reference


def test_the_compiled_kernel_takes_the_same_arguments() -> None:
    if not is_native:
        skip_unless_required("the C++ kernels are not built")
    compiled = {
        name: re.findall(r"(\w+): ", str(function.__nb_signature__[0][0]))
        for name, function in inspect.getmembers(kernels)
        if hasattr(function, "__nb_signature__")
    }
    assert len(compiled) > 15
    assert compiled == {
        name: list(inspect.signature(getattr(reference, name)).parameters) for name in compiled
    }
