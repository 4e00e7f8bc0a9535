"""``rocsteady plan``: how much more data would settle it."""
