"""What to type to run this program again: its name, or the path to it where its name would not be found."""

from __future__ import annotations

import os
import shlex
import shutil
import sys

NAME = "rocsteady"


def arguments() -> list[str]:
    """What a command to copy begins with, see :func:`typed`."""
    return shlex.split(typed())


def typed() -> str:
    """``rocsteady`` if a shell finds this very program under that name, else the shorter path to it.

    After ``make demo`` it is in ``.venv/bin``, which no shell looks into until the environment is activated.
    """
    script = _script()
    if script is None:
        return shlex.join([_interpreter(), "-m", NAME])
    found = shutil.which(NAME)
    if found is not None and os.path.samefile(found, script):
        return NAME
    return shlex.quote(_shorter(script))


def _script() -> str | None:
    """The script that runs this program: the one that was run, or the one beside the interpreter."""
    beside = os.path.join(os.path.dirname(sys.executable), NAME)
    for path in (sys.argv[0], beside):
        if os.path.basename(path) == NAME and os.path.isfile(path) and os.access(path, os.X_OK):
            return os.path.abspath(path)
    return None


def _interpreter() -> str:
    name = os.path.basename(sys.executable)
    found = shutil.which(name)  # by its path: the interpreters of all environments are the same file
    same = found is not None and os.path.abspath(found) == os.path.abspath(sys.executable)
    return name if same else _shorter(sys.executable)


def _shorter(path: str) -> str:
    relative = os.path.relpath(path)
    if os.sep not in relative:
        relative = os.path.join(os.curdir, relative)  # a bare name would be looked up on the PATH
    return min(relative, path, key=len)
