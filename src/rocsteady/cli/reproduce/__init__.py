"""``rocsteady reproduce``: the figures and claims of the papers, computed again and checked."""

from rocsteady.cli.reproduce.command import reproduce as reproduce
