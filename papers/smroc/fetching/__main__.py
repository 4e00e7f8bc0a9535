"""The command: ``python -m papers.smroc.fetching DIR [SET ...]``.

It needs the network unless ``--from`` names a folder, so the automatic tests run it with a network of their
own making. It returns 0 if every set asked for is there, 1 if a file differs from what is expected, 2 if the
command cannot be understood, and 3 if an original could not be had.
"""

from __future__ import annotations

import argparse
import shlex
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from papers.smroc.fetching.fetch import WIDTH, Outcome, fetch, named
from papers.smroc.fetching.originals import Opener
from papers.smroc.sets import unavailable
from rocsteady.errors import RocsteadyError
from rocsteady.words import printable


def main(arguments: Sequence[str] | None = None, opener: Opener | None = None) -> int:
    """Fetch the sets, say what happened with each, and return the exit code."""
    options = _parser().parse_args(arguments)
    if options.source is not None and not Path(options.source).is_dir():
        print(f"--from: {printable(options.source)} is no folder", file=sys.stderr)
        return 2
    try:
        sets = named(options.sets)
    except RocsteadyError as error:
        print(
            "\n".join([f"error {error.code}: {error.problem}", *error.lines(shell=True)[1:]]), file=sys.stderr
        )
        return error.exit_code
    outcomes: list[Outcome] = []
    for outcome in fetch(
        options.directory,
        sets,
        source=options.source,
        overwrite=options.overwrite,
        keep_unverified=options.keep_unverified,
        opener=opener,
    ):
        print("\n".join(outcome.lines()), flush=True)  # at once: the next one may take a while
        outcomes.append(outcome)
    _say_the_end(outcomes, options.directory, all_of_them=not options.sets)
    if any(outcome.differs for outcome in outcomes):
        return 1
    return 3 if any(outcome.error is not None for outcome in outcomes) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m papers.smroc.fetching",
        description="Make the data files of the smROC paper's Table 1, and the digits of Paclik and others, "
        "from the originals at UCI.",
        epilog="Exit code: 0 all there, 1 a file differs from what is expected, 2 wrong use, 3 not had.",
    )
    parser.add_argument("directory", metavar="DIR", help="the files go to DIR/uci")
    parser.add_argument(
        "sets",
        metavar="SET",
        nargs="*",
        default=[],
        help="abbreviations of Table 1, or mfeat-mor (default: all)",
    )
    parser.add_argument("--from", dest="source", metavar="FOLDER", help="take the originals from this folder")
    parser.add_argument("--overwrite", action="store_true", help="replace files that hold something else")
    parser.add_argument(
        "--keep-unverified",
        action="store_true",
        help="write a file whose checksum differs as SET.csv.unverified",
    )
    return parser


def _say_the_end(outcomes: Sequence[Outcome], directory: str, *, all_of_them: bool) -> None:
    if all_of_them:
        for one in unavailable():
            print(f"{one.abbr:<{WIDTH}} left out. {one.differs}")
    n_right = sum(outcome.error is None for outcome in outcomes)
    print(f"{n_right} of {len(outcomes)} sets are in place and checked.")
    if n_right:
        print(f"use them:  python -m papers all --data {printable(shlex.quote(directory))}")


if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):  # into `head` it ends as quietly as `rocsteady` does
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
