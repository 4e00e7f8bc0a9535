"""``rocsteady report FILE``: average, compare and explain the curves of a file on one page."""
