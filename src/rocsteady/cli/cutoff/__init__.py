"""``rocsteady cutoff FILE``: choose a cut-off, say what it does and how sure it is."""
