"""The counting kernels: C++ where it was built, their NumPy twins otherwise.

Both sides have the same functions with the same arguments and give the same answers; the twins in
:mod:`rocsteady._kernels.reference` are the specification. Nothing here knows about curves or errors:
arrays in, arrays out, ``ValueError`` when the arrays are unclean.
"""

from __future__ import annotations

import os
from types import ModuleType

from rocsteady._kernels import reference

kernels: ModuleType
try:
    from rocsteady._kernels import _native

    kernels = _native
except ImportError:  # installed without a compiler
    kernels = reference

is_native = kernels is not reference


def thread_count(threads: int | None = None) -> int:
    """How many threads to use: the argument, else ROCSTEADY_THREADS, else the cores this process may use."""
    if threads is None:
        setting = os.environ.get("ROCSTEADY_THREADS") or "0"
        if not setting.isdigit():
            raise ValueError(f"ROCSTEADY_THREADS must be a whole number, found {setting!r}")
        threads = int(setting)
    if threads < 0:
        raise ValueError(f"threads must not be negative, found {threads}")
    if threads:
        return threads
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
