"""``python -m papers``."""

import sys

try:  # imports take most of the time of a short command: that is when an interrupt comes
    from papers.command import NAME, command
    from rocsteady.cli.outcome import run_process

    code = run_process(command, NAME)
except KeyboardInterrupt:
    code = 130
sys.exit(code)
