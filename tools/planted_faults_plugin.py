"""Loaded in the environments of tools/plant_faults.py: writes down which tests failed, and what was called.

As a plugin of pytest it appends the names of failed tests to the file `failed` in the folder
PLANTED_FAULTS_OUT. Where PLANTED_FAULTS_TRACE names a package's folder, every process of that environment,
also those that tests start, leaves a file there with the functions of this package that it called.
(PYTEST_DONT_REWRITE: there is no assertion here.)
"""

from __future__ import annotations

import atexit
import os
import sys
from types import CodeType, FrameType
from typing import Any


def _note(name: str) -> None:
    with open(os.path.join(os.environ["PLANTED_FAULTS_OUT"], "failed"), "a", encoding="utf-8") as file:
        file.write(name + "\n")


def pytest_runtest_logreport(report: Any) -> None:
    """A test failed, or what it needs could not be set up."""
    if report.failed:
        _note(report.nodeid)


def pytest_collectreport(report: Any) -> None:
    """A test file could not be read."""
    if report.failed:
        _note(report.nodeid)


def _trace() -> None:
    import threading

    package = os.path.join(os.environ["PLANTED_FAULTS_TRACE"], "")
    out = os.environ["PLANTED_FAULTS_OUT"]
    seen: dict[int, CodeType] = {}

    def called(frame: FrameType, event: str, arg: object) -> None:
        code = frame.f_code
        if id(code) not in seen:
            seen[id(code)] = code  # held, so that nobody else gets its number

    def write() -> None:
        sys.settrace(None)
        places = {
            f"{code.co_filename.removeprefix(package)}:{code.co_qualname.split('.<locals>')[0]}"
            for code in seen.values()
            if code.co_filename.startswith(package)
        }
        with open(os.path.join(out, f"touched-{os.getpid()}"), "w", encoding="utf-8") as file:
            file.write("\n".join(sorted(places)))

    atexit.register(write)
    threading.settrace(called)
    sys.settrace(called)


if "PLANTED_FAULTS_TRACE" in os.environ:
    _trace()
