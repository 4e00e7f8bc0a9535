"""``rocsteady demo``: an example file to play with, and what it shows."""

from rocsteady.cli.demo.command import demo as demo
