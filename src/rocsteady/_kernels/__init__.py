"""The counting kernels: C++ where it was built, their NumPy twins otherwise.

Both sides have the same functions with the same arguments and give the same answers; the twins in
:mod:`rocsteady._kernels.reference` are the specification. Nothing here knows about curves: arrays in,
arrays out, a bare ``ValueError`` when the arrays are unclean.
"""

from __future__ import annotations

import os
from importlib import import_module
from numbers import Integral
from types import ModuleType

from rocsteady._kernels import reference
from rocsteady.errors import fail

kernels: ModuleType
try:
    kernels = import_module("rocsteady._kernels._native")
except ImportError:  # installed without a compiler
    kernels = reference

is_native = kernels is not reference
MOST_THREADS = 256  # more never helped anyone, and each needs counters of its own


def thread_count(threads: int | None = None) -> int:
    """How many threads to use: the argument, else ROCSTEADY_THREADS, else the cores this process may use."""
    if threads is None:
        setting = os.environ.get("ROCSTEADY_THREADS") or "0"
        if not setting.isascii() or not setting.isdigit():
            raise fail("RS042.setting-of-threads", setting=setting)
        threads = int(setting)
    if isinstance(threads, bool) or not isinstance(threads, Integral) or threads < 0:
        raise fail("RS042.threads", threads=threads)
    if threads:
        return min(int(threads), MOST_THREADS)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
