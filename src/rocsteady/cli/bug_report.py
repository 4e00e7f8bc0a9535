"""What to send when rocsteady itself fails."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence

_PACKAGES = (
    "rocsteady",
    "numpy",
    "scipy",
    "narwhals",
    "duckdb",
    "typer",
    "rich",
    "pandas",
    "polars",
    "pyarrow",
)


def write_bug_report(error: BaseException, typed: Sequence[str]) -> str | None:
    """Write a report into the temporary folder and name it; print it where that cannot be done."""
    import tempfile

    report = bug_report(error, typed)
    try:
        handle, path = tempfile.mkstemp(prefix="rocsteady-bug-", suffix=".txt", text=True)
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(report)
    except OSError:
        sys.stderr.write(report)
        return None
    return path


def bug_report(error: BaseException, typed: Sequence[str]) -> str:
    """The command, the versions and the place in the code."""
    import platform
    import traceback

    lines = [
        "rocsteady bug report",
        "",
        f"command   {shlex.join(typed)}",
        f"python    {platform.python_version()} ({platform.platform()})",
        *(f"{package:<9} {installed_version(package)}" for package in _PACKAGES),
        "",
        "".join(traceback.format_exception(error)),
    ]
    return "\n".join(lines)


def installed_version(package: str) -> str:
    """The version of an installed package, found without importing it."""
    from importlib.metadata import PackageNotFoundError, version  # slow to import, and seldom needed

    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
