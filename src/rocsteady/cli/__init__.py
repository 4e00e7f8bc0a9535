"""The command line: one file per command, no maths.

A command reads its options, calls the library and prints what came back. Results go to standard
output; errors and warnings, coded, to standard error. Exit codes: 0 done, 1 a requirement failed,
2 usage, column or label, 3 the data cannot be analysed, 4 warnings under ``--strict``, 70 a bug.
"""

from __future__ import annotations

from rocsteady.cli.outcome import main, run

__all__ = ["main", "run"]
